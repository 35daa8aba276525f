//! Networks by themselves: closed forms of messages over links, properties, and what a description must have.

use fathom_machine::description::Serves;
use fathom_machine::network::fabric::{Fabric, Figures, Format, Wire};
use fathom_machine::network::routes::{Crossbar, Dragonfly, FatTree, Grid, Ring, Routes};
use fathom_machine::network::{build, loggp, Carries, Flight};
use fathom_machine::{Description, Time};
use proptest::prelude::*;

const HOP: Time = 7_000;
const ENTER: Time = 3_000;
const LEAVE: Time = 2_000;
/// Picoseconds for a byte.
const BYTE: Time = 250;

fn figures(share: u32) -> Figures {
    let wire = Wire::new(&Format::BARE, 1.0 / BYTE as f64, HOP);
    Figures {
        format: Format::BARE,
        links: [wire, wire],
        port: wire,
        share,
        gap: 0,
        enter: ENTER,
        leave: LEAVE,
        o_send: 0,
        o_recv: 0,
    }
}

fn over<R: Routes>(routes: R) -> Fabric<R> {
    Fabric::new(routes, figures(1))
}

fn every_topology() -> Vec<Box<dyn Carries>> {
    vec![
        Box::new(over(Grid::torus(&[4, 3, 2]).unwrap())),
        Box::new(over(Grid::mesh(&[6, 4]).unwrap())),
        Box::new(over(Ring::new(24).unwrap())),
        Box::new(over(FatTree::new(&[2, 3, 4], &[3, 2]).unwrap())),
        Box::new(over(Dragonfly::new(4, 3, 2, 1).unwrap())),
        Box::new(over(Crossbar::new(24).unwrap())),
        Box::new(Fabric::new(Grid::torus(&[4, 3]).unwrap(), figures(2))),
        Box::new(loggp(&[(0, 5_000, 1_000, 2_000, 700, 40.0), (64, 9_000, 1_500, 2_500, 900, 20.0)], 24)),
    ]
}

fn loggp(pieces: &[(u64, Time, Time, Time, Time, f64)], ports: u32) -> loggp::LogGp {
    let of = |&(from, latency, o_send, o_recv, gap, gap_per_byte): &_| loggp::Piece {
        from,
        latency,
        o_send,
        o_recv,
        gap,
        gap_per_byte,
    };
    loggp::LogGp::new(pieces.iter().map(of).collect(), ports, 1).unwrap()
}

#[test]
fn a_message_cuts_through_a_line_of_hops() {
    for hops in 0..12 {
        let mut line = over(Grid::mesh(&[12]).unwrap());
        let held = 100 * BYTE;
        let head = 50 + ENTER + Time::from(hops) * HOP + LEAVE;
        // The length of the message is paid once, whatever the distance.
        assert_eq!(line.carry(50, 0, hops, 100), Flight { sent: 50 + held, head, tail: head + held, late: 0 });
    }
}

#[test]
fn a_slow_link_delays_the_last_byte_and_not_the_first() {
    let wires = |rate: f64| Wire::new(&Format::BARE, rate, HOP);
    let figures = Figures { links: [wires(1.0 / BYTE as f64), wires(0.1 / BYTE as f64)], ..figures(1) };
    let mut network = Fabric::new(Dragonfly::new(3, 2, 1, 1).unwrap(), figures);
    // Local, long and local: of groups 0 and 1, router 0 has the long link to the other.
    let flight = network.carry(0, 1, 3, 100);
    assert_eq!(flight.head, ENTER + 3 * HOP + LEAVE);
    assert_eq!(flight.tail, flight.head + 10 * 100 * BYTE);
}

#[test]
fn a_message_is_packets_with_headers_and_words_with_control_bits() {
    let format = Format { packet: 32, header: 10.5, word: 8, word_control: 2.25 };
    let wire = Wire::new(&format, 1e-3, 0);
    let figures = Figures { format, links: [wire, wire], port: wire, ..figures(1) };
    let network = Fabric::new(Crossbar::new(2).unwrap(), figures);
    // A byte takes 1,000 ps. An acknowledgement without data is a header.
    for (bytes, wire_bytes) in [(0, 10.5), (1, 20.75), (8, 20.75), (32, 51.5), (33, 51.5 + 20.75), (64, 103.0)] {
        let flight = network.clone().carry(0, 0, 1, bytes);
        assert_eq!(flight.sent, (wire_bytes * 1000.0) as Time, "{bytes} bytes");
    }
}

#[test]
fn an_incast_takes_the_time_of_the_receivers_port() {
    for senders in [1, 7, 31] {
        let mut network = over(Crossbar::new(32).unwrap());
        let last = (1..=senders).map(|from| network.carry(0, from, 0, 1000).tail).max().unwrap();
        assert_eq!(last, ENTER + Time::from(senders) * 1000 * BYTE + LEAVE);
        // So also through links, of which the last one and the port see every message.
        let mut ring = over(Ring::new(32).unwrap());
        let last = (1..=senders).map(|n| ring.carry(0, 32 - n, 0, 1000).tail).max().unwrap();
        assert_eq!(last, ENTER + HOP + Time::from(senders) * 1000 * BYTE + LEAVE);
    }
}

#[test]
fn nodes_that_share_a_port_share_its_rate() {
    let mut network = Fabric::new(Crossbar::new(4).unwrap(), figures(2));
    assert_eq!(network.nodes(), 8);
    let sent: Vec<Time> = [(0, 2), (1, 4), (2, 6)].map(|(from, to)| network.carry(0, from, to, 100).sent).to_vec();
    assert_eq!(sent, [100 * BYTE, 200 * BYTE, 100 * BYTE]);
}

#[test]
fn distances_of_grids_are_those_of_manhattan() {
    for shape in [vec![5], vec![4, 4], vec![3, 4, 5], vec![2, 3, 2, 4]] {
        let (torus, mesh) = (Grid::torus(&shape).unwrap(), Grid::mesh(&shape).unwrap());
        for from in 0..torus.ports() {
            for to in 0..torus.ports() {
                let (mut a, mut b, mut around, mut straight) = (from, to, 0, 0);
                for n in &shape {
                    let apart = (a % n).abs_diff(b % n);
                    straight += apart;
                    around += apart.min(n - apart);
                    (a, b) = (a / n, b / n);
                }
                assert_eq!((torus.hops(from, to), mesh.hops(from, to)), (around, straight), "{shape:?} {from} {to}");
            }
        }
    }
}

#[test]
fn an_exchange_of_all_with_all_loads_both_directions_of_a_torus_equally() {
    for shape in [vec![8], vec![4, 6], vec![5, 4, 2]] {
        let torus = Grid::torus(&shape).unwrap();
        let mut load = vec![0; torus.links() as usize];
        for from in 0..torus.ports() {
            for to in 0..torus.ports() {
                torus.route(from, to, |link, _| load[link as usize] += 1);
            }
        }
        // The links of a router: forward and backward in each dimension.
        for (dimension, n) in shape.iter().enumerate() {
            let of = |way: usize| load[2 * dimension + way..].iter().step_by(2 * shape.len());
            let sums: Vec<u32> = [0, 1].map(|way| of(way).sum()).to_vec();
            assert_eq!(sums[0], sums[1], "{shape:?}: dimension {dimension}");
            // Every other message over half of a ring goes forward; on rings of 2, 6, 10, … these do not join up.
            let mean = sums[0] / torus.ports();
            assert!(n % 4 == 2 || of(0).chain(of(1)).all(|l| *l == mean), "{shape:?}: dimension {dimension}");
        }
    }
}

/// Each route is a way: every link leads from where the last one ended, and each link joins the same two routers.
fn is_connected<R: Routes>(routes: &R, router_of: impl Fn(u32) -> u32) {
    // What a link joins is found from the routes: its begin is the router of a message that takes it first.
    let mut begins = vec![None; routes.links() as usize];
    let mut ends = vec![None; routes.links() as usize];
    for from in 0..routes.ports() {
        for to in 0..routes.ports() {
            let mut way = vec![];
            routes.route(from, to, |link, _| way.push(link));
            assert_eq!(way.is_empty(), router_of(from) == router_of(to), "{from} {to}");
            let mut once = way.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), way.len(), "a route takes no link twice");
            let (Some(first), Some(last)) = (way.first(), way.last()) else { continue };
            assert_eq!(*begins[*first as usize].get_or_insert(router_of(from)), router_of(from));
            assert_eq!(*ends[*last as usize].get_or_insert(router_of(to)), router_of(to));
        }
    }
    for from in 0..routes.ports() {
        for to in 0..routes.ports() {
            let mut at = Some(router_of(from));
            routes.route(from, to, |link, _| {
                if let (Some(at), Some(begin)) = (at, begins[link as usize]) {
                    assert_eq!(at, begin, "{from} {to}");
                }
                at = ends[link as usize];
            });
        }
    }
}

#[test]
fn routes_are_ways_from_end_to_end() {
    is_connected(&Grid::torus(&[4, 3, 2]).unwrap(), |port| port);
    is_connected(&Grid::mesh(&[4, 3]).unwrap(), |port| port);
    is_connected(&Ring::new(5).unwrap(), |port| port);
    is_connected(&FatTree::new(&[2, 3, 4], &[3, 2]).unwrap(), |port| port / 2);
    is_connected(&Dragonfly::new(5, 2, 2, 2).unwrap(), |port| port / 2);
    is_connected(&Dragonfly::new(3, 4, 1, 2).unwrap(), |port| port);
}

#[test]
fn a_fat_tree_goes_up_to_the_common_level_and_a_shift_meets_nobody() {
    let tree = FatTree::new(&[2, 2, 2, 2, 2], &[2, 2, 2, 2]).unwrap();
    assert_eq!([tree.hops(0, 1), tree.hops(0, 2), tree.hops(0, 7), tree.hops(5, 31)], [0, 2, 4, 8]);
    for (down, up) in [(vec![2, 2, 2, 2, 2], vec![2, 2, 2, 2]), (vec![4, 4, 4], vec![4, 4]), (vec![18, 36], vec![18])] {
        let tree = FatTree::new(&down, &up).unwrap();
        for shift in 1..tree.ports() {
            let mut load = vec![0; tree.links() as usize];
            for from in 0..tree.ports() {
                tree.route(from, (from + shift) % tree.ports(), |link, _| load[link as usize] += 1);
            }
            assert!(load.iter().all(|n| *n <= 1), "{down:?}, shift {shift}");
        }
    }
}

#[test]
fn a_dragonfly_takes_at_most_one_long_link() {
    for routes in [Dragonfly::new(9, 4, 2, 2).unwrap(), Dragonfly::new(3, 4, 1, 2).unwrap()] {
        let group = routes.ports() / if routes.ports() == 72 { 9 } else { 3 };
        let mut load = vec![0; routes.links() as usize];
        for from in 0..routes.ports() {
            for to in 0..routes.ports() {
                let (mut local, mut long) = (0, 0);
                routes.route(from, to, |link, kind| {
                    load[link as usize] += kind;
                    if kind == 1 {
                        long += 1;
                    } else {
                        local += 1;
                    }
                });
                assert!(local <= 2 && long == u32::from(from / group != to / group));
            }
        }
        // All long links that join groups evenly have an equal part in a complete exchange.
        let used: Vec<usize> = load.into_iter().filter(|n| *n > 0).collect();
        assert!(used.iter().all(|n| *n == used[0]), "{used:?}");
    }
}

fn described(figures: &str) -> Result<Box<dyn Carries>, String> {
    let text = format!("[simulated]\nabout = \"a network\"\nnetwork = {{ {figures} }}\n");
    build(&Description::of_file(&text)?.expect("a description"))
}

/// A figure of a cluster that nobody has built.
fn figure(name: &str, value: &str) -> String {
    format!("{name} = {{ value = {value}, other = \"chosen\" }}")
}

#[test]
fn a_cluster_is_one_line() {
    let links = [figure("rate", "\"10 GB/s\""), figure("hop", "\"100 ns\"")].join(", ");
    for (kind, nodes) in [
        ("kind = \"torus\", shape = { value = \"4 x 3 x 2\", other = \"chosen\" }", 24),
        ("kind = \"mesh\", shape = { value = 5, other = \"chosen\" }", 5),
        ("kind = \"ring\", ports = { value = 8, other = \"chosen\" }", 8),
        ("kind = \"ring\", one_way = { value = true, other = \"chosen\" }, ports = { value = 8, other = \"chosen\" }", 8),
        ("kind = \"fat-tree\", down = { value = \"4 x 8\", other = \"chosen\" }, up = { value = \"2\", other = \"chosen\" }", 32),
    ] {
        assert_eq!(described(&format!("{kind}, {links}")).unwrap().nodes(), nodes, "{kind}");
    }
    let dragonfly: Vec<String> =
        [("groups", "9"), ("routers", "4"), ("ports", "2"), ("global", "2"), ("long_hop", "\"500 ns\"")]
            .map(|(name, value)| figure(name, value))
            .to_vec();
    let mut network = described(&format!("kind = \"dragonfly\", {}, {links}", dragonfly.join(", "))).unwrap();
    assert_eq!(network.nodes(), 72);
    // From group 0 to group 8 the last router has the long link, which ends at the first of the other.
    assert_eq!(network.carry(0, 0, 71, 1000), Flight { sent: 100_000, head: 700_000, tail: 800_000, late: 0 });
    let crossbar = [figure("ports", "6"), figure("rate", "\"1 GB/s\""), figure("enter", "\"5 ns\"")].join(", ");
    assert_eq!(described(&format!("kind = \"crossbar\", {crossbar}")).unwrap().nodes(), 6);
    let loggp = ["ports", "L", "o_send", "o_recv", "g", "G", "from_2", "L_2"]
        .iter()
        .zip(["4", "\"2 us\"", "\"1 us\"", "\"3 us\"", "\"10 ns\"", "\"1 ns / 1 B\"", "\"1 KB\"", "\"5 us\""])
        .map(|(name, value)| figure(name, value));
    let loggp = loggp.collect::<Vec<_>>().join(", ");
    let mut network = described(&format!("kind = \"loggp\", {loggp}")).unwrap();
    assert_eq!([network.send_overhead(8), network.receive_overhead(8)], [1_000_000, 3_000_000]);
    assert_eq!(network.carry(0, 0, 1, 1).head, 2_000_000);
    assert_eq!(network.carry(0, 2, 3, 1024), Flight { sent: 1_023_000, head: 5_000_000, tail: 6_023_000, late: 0 });
}

proptest! {
    /// A message is late by what others' messages cost it: in a network with those of its own sender it is earlier by
    /// that.
    #[test]
    fn a_message_is_late_by_what_others_cost_it(
        mut messages in prop::collection::vec((0..400_000u64, 0..24u32, 0..24u32, 1..400u64), 1..40),
    ) {
        messages.sort_by_key(|m| m.0);
        for (which, mut network) in every_topology().into_iter().enumerate() {
            let mut alone: Vec<_> = (0..24).map(|_| every_topology().remove(which)).collect();
            for &(now, from, to, bytes) in &messages {
                // Long messages with another latency than short ones overtake them.
                let bytes = if which == 7 { bytes.min(63) } else { bytes };
                let flight = network.carry(now, from, to, bytes);
                let own = alone[from as usize].carry(now, from, to, bytes);
                prop_assert_eq!(own.late, 0, "topology {}: {} to {} at {}", which, from, to, now);
                prop_assert_eq!(flight.late, flight.tail.saturating_sub(own.tail), "topology {}", which);
            }
        }
    }

    /// Replies that a node has asked for wait for each other where they come in, and are not late by that.
    #[test]
    fn replies_to_one_node_are_not_late(
        mut messages in prop::collection::vec((0..400_000u64, 1..400u64), 1..40),
        from in 0..24u32,
    ) {
        messages.sort_unstable();
        for (which, mut network) in every_topology().into_iter().enumerate() {
            for &(now, bytes) in &messages {
                let bytes = if which == 7 { bytes.min(63) } else { bytes };
                prop_assert_eq!(network.carry_back(now, from, 0, bytes).late, 0, "topology {}", which);
            }
        }
    }
}

#[test]
fn mistakes_in_a_network_are_named() {
    let rate = figure("rate", "\"1 GB/s\"");
    let hop = figure("hop", "\"1 ns\"");
    for (wrong, why) in [
        ("kind = \"tours\"".into(), "there is no kind of network `tours`; the kinds are torus, mesh"),
        (format!("kind = \"torus\", {rate}, {hop}"), "there is no figure `network.shape`"),
        (format!("kind = \"torus\", {}, {rate}, {hop}", figure("shape", "\"4 by 4\"")), "must be whole numbers"),
        (format!("kind = \"torus\", {}, {rate}, {hop}", figure("shape", "\"9999 x 9999\"")), "from 1 to 16777216"),
        (
            format!("kind = \"mesh\", {}, {rate}, {hop}, {}", figure("shape", "4"), figure("hops", "3")),
            "`network` has no figure `hops`",
        ),
        (
            format!("kind = \"mesh\", {}, {rate}, {hop}, {}", figure("shape", "4"), figure("long_hop", "\"3 ns\"")),
            "`network` has no figure `long_hop`",
        ),
        (
            format!("kind = \"mesh\", {}, {}, {hop}", figure("shape", "4"), figure("rate", "\"1 ns\"")),
            "`network.rate` must be a rate",
        ),
        (
            format!("kind = \"mesh\", {}, {}, {hop}", figure("shape", "4"), figure("rate", "\"0 B/s\"")),
            "must be a rate from 0.01 MB/s",
        ),
        (
            format!("kind = \"fat-tree\", {}, {rate}, {hop}", figure("down", "\"2 x 2\"")),
            "2 levels of switches need links up from the first 1, not from 0",
        ),
        (
            format!(
                "kind = \"dragonfly\", {}, {}, {}, {}, {rate}, {hop}",
                figure("groups", "9"),
                figure("routers", "2"),
                figure("ports", "1"),
                figure("global", "2")
            ),
            "a group has 4 long links, but there are 8 other groups",
        ),
        (
            format!("kind = \"crossbar\", {}, {rate}, {}", figure("ports", "4"), figure("share", "16777216")),
            "from 1 to 16777216 ports, links and nodes",
        ),
        (
            format!(
                "kind = \"loggp\", {}, {}, {}",
                figure("ports", "16777216"),
                figure("share", "2"),
                figure("L", "\"1 us\"")
            ),
            "from 1 to 16777216 ports, links and nodes",
        ),
        ("kind = \"mesh\", next = \"dram\"".into(), "a network asks no part"),
        (format!("kind = \"loggp\", {}", figure("ports", "2")), "there is no figure `network.L`"),
        ("kind = \"mesh\", hop = { value = \"1 ns\" }".into(), "figure `network.hop` needs one of printed"),
    ] {
        let said = described(&wrong).err().unwrap_or_else(|| panic!("{wrong} was accepted"));
        assert!(said.contains(why), "{wrong}: {said}");
    }
}

#[test]
fn a_machine_without_a_node_says_so() {
    let text = "[simulated]\nabout = \"x\"\nnetwork = { kind = \"crossbar\" }";
    let only_network = Description::of_file(text).unwrap().unwrap();
    let said = fathom_machine::node::<()>(&only_network).err().unwrap();
    assert_eq!(said, "the machine has no node: its description has a network only");
    assert_eq!(only_network.without("network").unwrap_err(), "the network cannot be left out");
    assert!(Description::of_file("[simulated]\nabout = \"x\"").unwrap_err().contains("neither a node"));
    let half = Description::of_file("[simulated]\nabout = \"x\"\nmemory = \"dram\"").unwrap_err();
    assert_eq!(half, "the description of a node lacks processor and parts");
}

/// Messages with rising times: pauses, and both ends and the bytes.
fn streams(nodes: u32, most: usize) -> impl Strategy<Value = Vec<(Time, u32, u32, u64)>> {
    let message = (0..200_000u64, 0..nodes, 0..nodes, prop_oneof![0..64u64, 0..5_000u64]);
    prop::collection::vec(message, 1..most).prop_map(|mut messages| {
        let mut now = 0;
        for message in &mut messages {
            now += message.0;
            message.0 = now;
        }
        messages
    })
}

proptest! {
    #[test]
    fn moments_are_in_order_and_depend_on_the_messages_only(stream in streams(24, 60)) {
        for (mut one, mut other) in every_topology().into_iter().zip(every_topology()) {
            for &(now, from, to, bytes) in &stream {
                let flight = one.carry(now, from, to, bytes);
                prop_assert!(now <= flight.sent && now <= flight.head);
                prop_assert!(flight.head <= flight.tail && flight.sent <= flight.tail);
                prop_assert_eq!(other.carry(now, from, to, bytes), flight);
            }
        }
    }

    #[test]
    fn a_delay_makes_nothing_on_one_way_earlier(
        stream in streams(24, 40), delayed in any::<prop::sample::Index>(), by in 0..1_000_000u64,
    ) {
        // The last network has two latencies, so that a short message overtakes a long one even on one way.
        for (mut prompt, mut late) in every_topology().into_iter().zip(every_topology()).take(7) {
            let (_, from, to, _) = stream[0];
            let after = delayed.index(stream.len());
            let until = stream[after].0 + by;
            for (i, &(now, _, _, bytes)) in stream.iter().enumerate() {
                let then = if i < after { now } else { now.max(until) };
                let (a, b) = (prompt.carry(now, from, to, bytes), late.carry(then, from, to, bytes));
                prop_assert!(a.sent <= b.sent && a.head <= b.head && a.tail <= b.tail);
            }
        }
    }
}

#[test]
fn a_figure_can_have_another_value() {
    let text = r#"
        [simulated]
        about = "A network for tests."
        [simulated.network]
        kind = "loggp"
        serve = { value = true, other = "the test" }
        ports = { value = 4, assumed = "enough", range = [1, 4] }
        L = { value = "5 us", assumed = "round", range = ["1 us", "9 us"] }
        o_send = { value = "300 ns", other = "round" }
        o_recv = { value = "2 * network.o_send", derived = "the test" }
        G = { value = "1 / 38 MB/s", other = "round" }
    "#;
    let machine = Description::of_file(text).unwrap().unwrap();
    let of = |machine: &Description, name: &str| machine.quantity(name).unwrap().value;
    let changed = machine.with_value("network.o_send", "1 us").unwrap();
    // What follows from it follows; the rest stays, and so does the machine itself.
    assert_eq!((of(&changed, "network.o_send"), of(&changed, "network.o_recv")), (1e6, 2e6));
    assert_eq!((of(&changed, "network.L"), of(&machine, "network.o_send")), (5e6, 3e5));
    assert_eq!(fathom_machine::network::build(&changed).unwrap().receive_overhead(8), 2_000_000);
    // A value may be a formula; it replaces an earlier change.
    let doubled = machine.with_factor("network.L", 2.0).unwrap();
    assert_eq!(of(&doubled.with_value("network.L", "3 * network.o_send").unwrap(), "network.L"), 9e5);
    let alone = machine.with_value("network.serve", "false").unwrap();
    assert_eq!((machine.serves(), alone.serves()), (Ok(Serves::Processor), Ok(Serves::Network)));
    assert_eq!(alone.with_value("network.serve", "true").unwrap().serves(), Ok(Serves::Processor));
    assert_eq!(machine.without("network.serve").unwrap().serves(), Ok(Serves::Network));
    for (name, value, why) in [
        ("network.l", "5 us", "there is no figure `network.l`; there are network.G, network.L,"),
        ("L", "5 us", "figures are called PART.NAME, not `L`; the parts with figures are network"),
        ("wire.L", "5 us", "there is no part `wire`; the parts with figures are network"),
        ("network.L", "5 B", "must be a time, not a size in bytes"),
        ("network.L", "5", "must be a time, not a number without a unit"),
        ("network.L", "5 parsecs", "figure `network.L`"),
        ("network.L", "-5 us", "figure `network.L`"),
        ("network.L", "network.L", "figure `network.L` is derived from itself"),
        ("network.o_send", "network.o_recv", "is derived from itself"),
        ("network.serve", "5 us", "is a switch: true or false, not `5 us`"),
    ] {
        let found = machine.with_value(name, value).map(|_| ()).unwrap_err();
        assert!(found.contains(why), "{name}={value}: {found}");
    }
}
