//! Links and ports that several messages want: what of the copy-transfer study's Table 4, and of the other studies' figures
//! of networks, follows from the descriptions in `machines/`.

use fathom_machine::network::build;
use fathom_machine::{Carries, Description, Server, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

fn described(name: &str) -> Description {
    let path = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

/// Messages of one size, one after the other from each sender.
struct Traffic {
    /// The payload of a message, and the bytes that the network carries.
    payload: u64,
    bytes: u64,
    /// How long the sender's own path to its port needs for a message; 0 if it is no limit.
    issue: Time,
    /// Each message is answered by one without data.
    is_acknowledged: bool,
}

/// How many messages of a sender may be on the way if they are acknowledged: what buffers there are is finite.
const WINDOW: u32 = 8;

/// In the order of time, so that servers are asked in this order, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Send,
    Acknowledge,
    Acknowledged,
}

/// MB/s of payload for each of these ways, measured over many messages.
fn throughput(network: &mut dyn Carries, ways: &[(u32, u32)], traffic: &Traffic) -> f64 {
    const MESSAGES: u64 = 3000;
    let mut events: BinaryHeap<_> = (0..ways.len()).map(|way| Reverse((0, way, Event::Send))).collect();
    let mut issues = vec![Server::default(); ways.len()];
    let mut left = vec![MESSAGES; ways.len()];
    let mut under_way = vec![0; ways.len()];
    // When a sender could send, if it waits for an acknowledgement.
    let mut waits: Vec<Option<Time>> = vec![None; ways.len()];
    let mut end = 0;
    while let Some(Reverse((now, way, event))) = events.pop() {
        let (from, to) = ways[way];
        match event {
            Event::Acknowledge => {
                let tail = network.carry(now, to, from, 0).tail;
                events.push(Reverse((tail, way, Event::Acknowledged)));
            }
            Event::Acknowledged => {
                under_way[way] -= 1;
                if let Some(could) = waits[way].take() {
                    events.push(Reverse((now.max(could), way, Event::Send)));
                }
            }
            Event::Send if under_way[way] == WINDOW => waits[way] = Some(now),
            Event::Send => {
                let given = issues[way].take(now, traffic.issue) + traffic.issue;
                let flight = network.carry(given, from, to, traffic.bytes);
                end = end.max(flight.tail);
                left[way] -= 1;
                if traffic.is_acknowledged {
                    under_way[way] += 1;
                    events.push(Reverse((flight.tail, way, Event::Acknowledge)));
                }
                if left[way] > 0 {
                    // The sender's path works on the next message while the port sends this one.
                    events.push(Reverse((flight.sent.saturating_sub(traffic.issue).max(given), way, Event::Send)));
                }
            }
        }
    }
    (MESSAGES * traffic.payload) as f64 / end as f64 * 1e6
}

#[track_caller]
fn near(ours: f64, printed: f64, tolerance: f64) {
    assert!((ours / printed - 1.0).abs() <= tolerance, "{ours} instead of {printed}");
}

/// Ways between processors of the T3D of which `congestion` want each link, in both directions: one processor of a node,
/// both, and both of two neighbours in one row.
fn exchanges(congestion: u32) -> Vec<(u32, u32)> {
    let one_way: &[(u32, u32)] = match congestion {
        1 => &[(0, 6)],
        2 => &[(0, 6), (1, 7)],
        _ => &[(0, 4), (1, 5), (2, 6), (3, 7)],
    };
    one_way.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect()
}

/// C23, T3D. Inputs: the links' 300 MB/s, 160 MB/s to one receiver, 139 MB/s where blocks are exchanged, the processor's
/// 125 MB/s to its port. So the blocks' level is an input, and that it is halved and halved again follows from the shared
/// port and link. The three figures of address-data pairs follow from other inputs altogether: the first is the limit of
/// the processor's path (an address and a word for each word), the others are the links'.
///
/// What does not follow: the printed 142 at congestion 1 is the receiver's deposit (0D1), not the network, and here it
/// is 139.
#[test]
fn congestion_of_the_t3d_is_table_4() {
    let blocks = Traffic { payload: 32, bytes: 32, issue: 0, is_acknowledged: true };
    let issue = (16.0 / 125e6 * 1e12) as Time;
    let pairs = Traffic { payload: 8, bytes: 8, issue, is_acknowledged: true };
    for (congestion, nd, nadp) in [(1, 142.0, 62.0), (2, 69.0, 38.0), (4, 35.0, 20.0)] {
        let of = |traffic| throughput(&mut *build(&described("t3d")).unwrap(), &exchanges(congestion), traffic);
        println!("T3D, congestion {congestion}: Nd {:.1} ({nd}), Nadp {:.1} ({nadp})", of(&blocks), of(&pairs));
        near(of(&blocks), nd, 0.03);
        near(of(&pairs), nadp, 0.03);
    }
}

/// C26: many to one at 160 MB/s. Their acknowledgements return on other links.
#[test]
fn one_receiver_on_the_t3d_gets_160_mb_s() {
    let ways: Vec<(u32, u32)> = (1..9).map(|n| (4 * n, 0)).collect();
    let blocks = Traffic { payload: 32, bytes: 32, issue: 0, is_acknowledged: true };
    near(throughput(&mut *build(&described("t3d")).unwrap(), &ways, &blocks) * ways.len() as f64, 160.0, 0.02);
}

/// T29: a hop takes 13 to 20 ns.
#[test]
fn each_hop_on_the_t3d_takes_the_described_time() {
    let mut network = build(&described("t3d")).unwrap();
    let heads: Vec<Time> = (0..=8).map(|hops| network.carry(hops * 1_000_000, 0, 2 * hops as u32, 8).head).collect();
    for hops in 0..=8 {
        assert_eq!(heads[hops as usize], hops * 1_000_000 + hops * 16_667);
    }
}

/// C23, Paragon. Input: 176 MB/s at congestion 1. An address is as long as the word that it belongs to.
#[test]
fn congestion_of_the_paragon_is_table_4() {
    for (congestion, nd, nadp) in [(1, 176.0, 88.0), (2, 90.0, 45.0), (4, 44.0, 22.0)] {
        let ways: Vec<(u32, u32)> = (0..congestion).map(|i| (i, i + 4)).collect();
        let of = |payload| {
            let traffic = Traffic { payload, bytes: 4096, issue: 0, is_acknowledged: false };
            throughput(&mut *build(&described("paragon")).unwrap(), &ways, &traffic)
        };
        near(of(4096), nd, 0.03);
        near(of(2048), nadp, 0.03);
    }
}

/// V24: 160 MB/s a link, and more than 5 GB/s between the halves of 32 sites.
#[test]
fn the_halves_of_voyager_exchange_more_than_5_gb_s() {
    let bare = described("voyager").with_factor("network.header", 0.0).unwrap();
    let ways: Vec<(u32, u32)> = (0..32).map(|site| (site, (site + 16) % 32)).collect();
    let traffic = Traffic { payload: 88, bytes: 88, issue: 0, is_acknowledged: false };
    let one = throughput(&mut *build(&bare).unwrap(), &ways[..1], &traffic);
    near(one, 160.0, 0.01);
    near(throughput(&mut *build(&bare).unwrap(), &ways, &traffic) * 32.0, 5120.0, 0.01);
    // With headers, payload alone comes to less.
    near(throughput(&mut *build(&described("voyager")).unwrap(), &ways, &traffic) * 32.0, 5120.0 * 88.0 / 96.0, 0.01);
}

/// The published figures are the sums of what the files say.
#[test]
fn todays_networks_have_the_published_latencies() {
    let mut slingshot = build(&described("slingshot-11")).unwrap();
    // From the last router of a group to the last of another: local, long, local.
    assert_eq!(slingshot.nodes(), 16 * 512);
    assert_eq!(slingshot.carry(0, 511, 1023, 1).head, 3_700_000);
    assert_eq!(slingshot.carry(0, 16, 2048, 25_000).sent, 1_000_000, "25 GB/s");
    let mut edr = build(&described("ib-edr")).unwrap();
    assert_eq!(edr.nodes(), 648);
    assert_eq!([edr.carry(0, 0, 1, 1).head, edr.carry(0, 2, 20, 1).head], [610_000, 610_000 + 2 * 90_000]);
    assert_eq!([edr.send_overhead(8), edr.receive_overhead(8)], [105_000, 105_000]);
}

#[test]
fn every_network_in_the_machine_files_can_be_built_within_its_ranges() {
    let mut built = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../machines")).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        let text = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(text).unwrap();
        let Some(description) = Description::of_file(&text).unwrap_or_else(|e| panic!("{name}: {e}")) else { continue };
        if description.network.is_none() {
            continue;
        }
        built += 1;
        build(&description).unwrap_or_else(|e| panic!("{name}: {e}"));
        for (figure, _) in description.figures().filter(|(figure, _)| figure.starts_with("network.")) {
            // A factor of 0 is none.
            let Some(value) = description.quantity(&figure).ok().filter(|q| q.value != 0.0) else { continue };
            for end in description.range(&figure).unwrap_or_else(|e| panic!("{name}: {e}")).into_iter().flatten() {
                assert_eq!(end.unit, value.unit, "{name}: {figure}");
                let changed = description.with_factor(&figure, end.value / value.value).unwrap();
                build(&changed).unwrap_or_else(|e| panic!("{name}: {figure}: {e}"));
            }
        }
    }
    assert!(built >= 5);
}
