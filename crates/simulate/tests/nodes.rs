//! Several threads on a node: transfers, messages and barriers take what their closed forms say, to the picosecond, and
//! threads that share a port or a memory wait for each other.

use crate::tables;
use fathom_machine::{Description, Placement, Time};
use fathom_simulate::program::explain_time::{explain_time, Operation};
use fathom_simulate::program::stops::{
    Ballot, Done, Ended, Message, Piece, Record, Stop, Stopped, Threads, Transfer, Turn,
};
use fathom_simulate::program::{charges, simulate, Outcome};
use std::collections::VecDeque;
use tables::NEAR;

const L: Time = 5_000_000;
const O: Time = 300_000;
const PER_BYTE: Time = 40;
const GAP: Time = 100_000;

const PUT: Time = 60_000;
const GET: Time = 80_000;
/// Picoseconds a byte: of one thread's copying, and of a node's memory.
const COPY: Time = 100;
const MEMORY: Time = 25;
const NOTICE: Time = 150_000;
const NEAR_O: Time = 40_000;

const NETWORK: &str = r#"
    [simulated.network]
    kind = "loggp"
    ports = { value = 8, assumed = "enough", range = [1, 8] }
    L = { value = "5 us", other = "round" }
    o_send = { value = "300 ns", other = "round" }
    o_recv = { value = "300 ns", other = "round" }
    g = { value = "100 ns", other = "round" }
    G = { value = "40 ps / (1 B)", other = "round" }
"#;

fn described(tables: &[&str]) -> Description {
    let text = format!("[simulated]\nabout = \"A machine for tests.\"\n{}", tables.concat());
    Description::of_file(&text).unwrap().unwrap()
}

fn on(per_node: u32) -> Description {
    described(&[NETWORK, NEAR]).with_threads_per_node(per_node, Placement::Blocks).unwrap()
}

/// Threads that each do one thing after the other.
struct Scripts(Vec<VecDeque<Stopped>>);

impl Threads for Scripts {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let nothing = |stop| Stopped { records: vec![], stop, work: 0, may_serve: true, place: 0 };
        Ok(match turn {
            Turn::Serve(..) => nothing(Stop::Served),
            Turn::Run { .. } => self.0[t as usize].pop_front().unwrap_or_else(|| nothing(Stop::End)),
        })
    }
}

/// Runs threads whose operations `of` gives, with the stop after them.
fn run(machine: &Description, threads: u32, of: impl Fn(u32) -> (Vec<Done>, Stop)) -> Outcome {
    let one = |t| {
        let (all, stop) = of(t);
        let records = all.into_iter().map(|what| Record { work: 0, what, place: 0 }).collect();
        VecDeque::from([Stopped { records, stop, work: 0, may_serve: true, place: 0 }])
    };
    let mut scripts = Scripts((0..threads).map(one).collect());
    simulate(&mut scripts, &mut *charges(machine, threads).unwrap(), threads).unwrap()
}

fn transfer(is_put: bool, with: u32, bytes: u64) -> Transfer {
    Transfer { is_put, with, bytes, offset: 0, piece: Piece::default() }
}

/// When each of the threads has finished these.
fn ends(machine: &Description, threads: u32, of: impl Fn(u32) -> Vec<Done>) -> Vec<Time> {
    run(machine, threads, |t| (of(t), Stop::End)).threads.iter().map(|t| t.end).collect()
}

fn barrier(machine: &Description, threads: u32) -> Time {
    run(machine, threads, |_| (vec![Done::Notified(Ballot::default())], Stop::Wait(0))).time()
}

fn far_way(there: u64, back: u64) -> Time {
    O + 2 * L + (there + back - 2) * PER_BYTE + O
}

#[test]
fn a_transfer_within_a_node_is_a_copy_and_one_between_nodes_a_way_and_the_way_back() {
    let machine = on(4);
    let first = |what: Done| ends(&machine, 8, |t| if t == 0 { vec![what.clone()] } else { vec![] })[0];
    for bytes in [1, 8, 1000, 1 << 20] {
        for (is_put, base) in [(true, PUT), (false, GET)] {
            let blocking = |with| first(Done::Blocking(transfer(is_put, with, bytes)));
            assert_eq!(blocking(3), base + bytes * COPY);
            assert_eq!(blocking(4), if is_put { far_way(bytes, 8) } else { far_way(8, bytes) });
            // The processor copies, whether the thread waits or not.
            assert_eq!(first(Done::Begun(transfer(is_put, 3, bytes), 1)), base + bytes * COPY);
        }
    }
    assert_eq!(first(Done::Begun(transfer(true, 4, 8), 1)), O);
}

#[test]
fn a_message_within_a_node_takes_the_overheads_a_copy_and_the_notice() {
    let sent = |to| Done::Sent(Message { to, is_reply: false, bytes: 64, tag: 0, image: vec![] });
    for (to, expected) in [(3, NEAR_O + PUT + 64 * COPY + NOTICE + NEAR_O), (4, O + L + 63 * PER_BYTE + O)] {
        let outcome = run(&on(4), 8, |t| match t {
            0 => (vec![sent(to)], Stop::End),
            t if t == to => (vec![], Stop::Wait(0)),
            _ => (vec![], Stop::End),
        });
        assert_eq!(outcome.threads[to as usize].end, expected);
    }
}

/// k threads that copy n bytes each: the memory's rate, or their own.
#[test]
fn threads_of_a_node_share_its_memory() {
    let bytes = 1 << 20;
    for k in [2, 4, 5, 8, 16] {
        let of = |t| vec![Done::Blocking(transfer(true, (t + 1) % k, bytes))];
        let all = ends(&on(16), k, of);
        let own = |i: u32| (PUT + bytes * COPY).max(Time::from(i + 1) * bytes * MEMORY);
        assert_eq!(all, (0..k).map(own).collect::<Vec<_>>(), "{k}");
    }
    // Nodes do not share it with each other.
    let all = ends(&on(4), 16, |t| vec![Done::Blocking(transfer(true, t ^ 1, bytes))]);
    assert!(all.iter().all(|end| *end <= PUT + bytes * COPY));
}

/// k threads of a node that put n bytes each to another node: the port sends one after the other.
#[test]
fn threads_of_a_node_share_its_port() {
    let bytes = 4096;
    let held = (bytes - 1) * PER_BYTE + GAP;
    for per_node in [1, 2, 8] {
        let of = |t| if t < per_node { vec![Done::Blocking(transfer(true, t + per_node, bytes))] } else { vec![] };
        let all = ends(&on(per_node), 2 * per_node, of);
        // The answers are shorter than the puts, and do not wait for each other.
        let end = |t: u32| far_way(bytes, 8) + Time::from(t) * held;
        assert_eq!(all[..per_node as usize], (0..per_node).map(end).collect::<Vec<_>>());
    }
    // Two ports for eight threads: four at each.
    let near = format!("{NEAR}\nnics = {{ value = 2, other = \"a test\" }}");
    let machine = described(&[NETWORK, &near]).with_threads_per_node(8, Placement::Blocks).unwrap();
    let all = ends(&machine, 16, |t| if t < 8 { vec![Done::Blocking(transfer(true, t + 8, bytes))] } else { vec![] });
    let end = |t: u32| far_way(bytes, 8) + Time::from(t % 4) * held;
    assert_eq!(all[..8], (0..8).map(end).collect::<Vec<_>>());
}

#[test]
fn contention_is_what_other_threads_of_the_node_cost() {
    let bytes = 1 << 20;
    let outcome = run(&on(8), 8, |t| (vec![Done::Blocking(transfer(true, (t + 1) % 8, bytes))], Stop::End));
    let own = PUT + bytes * COPY;
    for (t, spent) in outcome.threads.iter().enumerate() {
        assert_eq!(spent.contention, spent.end - own, "{t}");
    }
    assert!(outcome.threads[7].contention > 0);
}

/// The threads of a node meet in a tree of shared memory, the nodes in rounds over the network.
#[test]
fn a_barrier_meets_within_nodes_and_then_between_them() {
    let log = |n: u32| Time::from(n.next_power_of_two().trailing_zeros());
    let way = O + L + 7 * PER_BYTE + O;
    for placement in [Placement::Blocks, Placement::RoundRobin] {
        for (threads, per_node) in [(1, 4), (4, 4), (8, 4), (16, 4), (64, 8), (64, 16), (6, 1), (10, 2)] {
            let machine = described(&[NETWORK, NEAR]).with_threads_per_node(per_node, placement).unwrap();
            let expected = 2 * log(per_node.min(threads)) * NOTICE + log(threads.div_ceil(per_node)) * way;
            assert_eq!(barrier(&machine, threads), expected, "{threads} {per_node} {placement:?}");
        }
    }
    // On the last node there are fewer: 4, 4 and 1. The one does not gather; its news lets the first node begin the second
    // round as soon as it has come, so that it hears of all after two messages, which hide the others' gathering.
    let outcome = run(&on(4), 9, |_| (vec![Done::Notified(Ballot::default())], Stop::Wait(0)));
    assert_eq!(outcome.time(), 4 * NOTICE + 2 * way);
    assert_eq!(outcome.threads[8].end, 2 * way);
}

#[test]
fn one_thread_on_a_node_is_the_machine_without_nodes() {
    let of = |t: u32| {
        let with = (t * 5 + 3) % 8;
        let own = vec![
            Done::Blocking(transfer(t.is_multiple_of(2), if with == t { (t + 1) % 8 } else { with }, 100)),
            Done::Notified(Ballot::default()),
        ];
        (own, Stop::Wait(0))
    };
    let [with, without] = [on(1), described(&[NETWORK])].map(|machine| run(&machine, 8, of));
    assert_eq!(with, without);
}

#[test]
fn a_machine_may_be_one_node() {
    let machine = described(&[NEAR]);
    assert_eq!(barrier(&machine, 8), 6 * NOTICE);
    assert_eq!(barrier(&machine, 1), 0);
    assert!(charges(&machine, 17).err().unwrap().contains("16 cores"));
    assert_eq!(ends(&machine, 2, |t| vec![Done::Blocking(transfer(false, 1 - t, 8))])[0], GET + 8 * COPY);
    assert!(charges(&machine.with_threads_per_node(4, Placement::Blocks).unwrap(), 8)
        .err()
        .unwrap()
        .contains("1 node"));
}

#[test]
fn the_steps_of_an_operation_are_its_time() {
    let machine = on(4);
    for with in [1, 6] {
        for what in [Operation::Get(1000), Operation::Put(8), Operation::Message(64), Operation::Barrier] {
            let explained = explain_time(&machine, 9, what, with).unwrap();
            let sum: Time = explained.steps.iter().map(|(_, time)| time).sum();
            assert_eq!(sum, explained.total, "{what:?} {explained:?}");
            assert!(explained.steps.iter().all(|(what, _)| what != "instructions"), "{what:?} {explained:?}");
        }
    }
}

#[test]
fn mistakes_are_named() {
    let why = |machine: &Description, threads| charges(machine, threads).err().unwrap();
    let per_node = |machine: &Description, n| machine.with_threads_per_node(n, Placement::Blocks).err().unwrap();
    assert_eq!(why(&on(4), 40), "it has 8 nodes, and 10 are asked for, with 4 threads on each");
    assert!(per_node(&described(&[NETWORK]), 2).contains("add the table `simulated.near`"));
    assert!(per_node(&described(&[NETWORK, NEAR]), 17).contains("16 cores"));
    assert!(per_node(&described(&[NETWORK, NEAR]), 0).contains("at least one"));
    let t3d = Description::of_file(include_str!("../../../machines/t3d.toml")).unwrap().unwrap();
    assert!(t3d.with_threads_per_node(2, Placement::Blocks).is_err());
    let odd = format!("{NEAR}\nspeed = {{ value = 2, other = \"a test\" }}");
    let machine = described(&[NETWORK, &odd]).with_threads_per_node(2, Placement::Blocks).unwrap();
    assert!(why(&machine, 4).contains("`near` has no figure `speed`"));
    let machine = described(&[NETWORK, &NEAR.replace("40 GB/s", "0 GB/s")]);
    assert!(why(&machine.with_threads_per_node(2, Placement::Blocks).unwrap(), 4).contains("a rate from 0.01 MB/s"));
}
