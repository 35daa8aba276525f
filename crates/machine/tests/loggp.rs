//! Schedules over LogGP: their ends are the closed forms of the literature, to the picosecond.
//!
//! The processors are simulated here: each performs its sends and receives in order, and the one whose next operation
//! begins first goes first.

use fathom_machine::network::loggp::{LogGp, Piece};
use fathom_machine::{Carries, Time};
use proptest::prelude::*;
use std::collections::{HashMap, VecDeque};

#[derive(Clone, Copy, Debug)]
enum Op {
    Send(u32, u64),
    Receive(u32),
}
use Op::{Receive, Send};

/// The time at which each processor has performed its operations.
fn run(network: &mut dyn Carries, programs: &[Vec<Op>]) -> Vec<Time> {
    let mut clock = vec![0; programs.len()];
    let mut next = vec![0; programs.len()];
    let mut arrived: HashMap<(u32, u32), VecDeque<(Time, u64)>> = HashMap::new();
    loop {
        let begins = |me: usize| match programs[me].get(next[me])? {
            Send(..) => Some(clock[me]),
            Receive(from) => Some(arrived.get(&(*from, me as u32))?.front()?.0.max(clock[me])),
        };
        let Some((now, me)) = (0..programs.len()).filter_map(|me| Some((begins(me)?, me))).min() else { break };
        match programs[me][next[me]] {
            Send(to, bytes) => {
                clock[me] = now + network.send_overhead(bytes);
                let tail = network.carry(clock[me], me as u32, to, bytes).tail;
                arrived.entry((me as u32, to)).or_default().push_back((tail, bytes));
            }
            Receive(from) => {
                let (_, bytes) = arrived.get_mut(&(from, me as u32)).and_then(VecDeque::pop_front).unwrap();
                clock[me] = now + network.receive_overhead(bytes);
            }
        }
        next[me] += 1;
    }
    assert!(next.iter().zip(programs).all(|(n, program)| *n == program.len()), "a processor waits for ever");
    clock
}

fn last(network: &LogGp, programs: &[Vec<Op>]) -> Time {
    run(&mut network.clone(), programs).into_iter().max().unwrap()
}

/// One piece, in picoseconds.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    l: Time,
    o_send: Time,
    o_recv: Time,
    g: Time,
    per_byte: Time,
}

impl Parameters {
    fn network(&self, ports: u32) -> LogGp {
        let &Parameters { l: latency, o_send, o_recv, g: gap, per_byte } = self;
        LogGp::new(vec![Piece { from: 0, latency, o_send, o_recv, gap, gap_per_byte: per_byte as f64 }], ports, 1)
            .unwrap()
    }

    /// From the begin of a send to the end of its reception.
    fn message(&self, bytes: u64) -> Time {
        self.o_send + (bytes - 1) * self.per_byte + self.l + self.o_recv
    }

    /// Between messages of one sender.
    fn interval(&self, bytes: u64) -> Time {
        self.o_send.max((bytes - 1) * self.per_byte + self.g)
    }
}

const SLINGSHOT: Parameters = Parameters { l: 3_700_000, o_send: 200_000, o_recv: 200_000, g: 5_000, per_byte: 40 };

fn any_parameters() -> impl Strategy<Value = Parameters> {
    (0..10_000u64, 0..3_000u64, 0..3_000u64, 0..5_000u64, 0..50u64)
        .prop_map(|(l, o_send, o_recv, g, per_byte)| Parameters { l, o_send, o_recv, g, per_byte })
}

/// The schedule of a tree: processor 0 sends to each child in order, which sends on.
fn binomial(p: u32, bytes: u64) -> Vec<Vec<Op>> {
    let mut programs = vec![vec![]; p as usize];
    let mut reach = p.next_power_of_two() / 2;
    while reach > 0 {
        for from in (0..p).step_by(2 * reach as usize).filter(|from| from + reach < p) {
            programs[from as usize].push(Send(from + reach, bytes));
            programs[(from + reach) as usize].push(Receive(from));
        }
        reach /= 2;
    }
    programs
}

proptest! {
    #[test]
    fn a_ring_takes_a_message_for_each_processor(m in any_parameters(), p in 2..20u32, bytes in 1..2_000u64) {
        let (left, right) = (|me: u32| (me + p - 1) % p, |me: u32| (me + 1) % p);
        let mut token: Vec<Vec<Op>> = (0..p).map(|me| vec![Receive(left(me)), Send(right(me), bytes)]).collect();
        token[0].reverse();
        prop_assert_eq!(last(&m.network(p), &token), u64::from(p) * m.message(bytes));
        // All at once, in rounds: every processor is as far as its neighbours. A round is a message, unless the port
        // is not yet ready for the next.
        let rounds = 5;
        let shift: Vec<Vec<Op>> =
            (0..p).map(|me| (0..rounds).flat_map(|_| [Send(right(me), bytes), Receive(left(me))]).collect()).collect();
        let port = (bytes - 1) * m.per_byte + m.g;
        prop_assert_eq!(last(&m.network(p), &shift), m.message(bytes) + (rounds - 1) * m.message(bytes).max(port));
    }

    #[test]
    fn a_binomial_broadcast_follows_its_recurrence(m in any_parameters(), p in 2..70u32, bytes in 1..300u64) {
        // The root's time for `p` processors: the far half begins a message later, the near half an interval later.
        fn time(p: u32, message: Time, interval: Time) -> Time {
            if p < 2 {
                return 0;
            }
            let kept = p.next_power_of_two() / 2;
            let near = if kept > 1 { interval + time(kept, message, interval) } else { 0 };
            near.max(message + time(p - kept, message, interval))
        }
        let (message, interval) = (m.message(bytes), m.interval(bytes));
        prop_assert_eq!(last(&m.network(p), &binomial(p, bytes)), time(p, message, interval));
        if p.is_power_of_two() && interval <= message {
            prop_assert_eq!(time(p, message, interval), u64::from(p.ilog2()) * message);
        }
    }

    #[test]
    fn an_optimal_broadcast_reaches_as_many_as_the_recurrence_says(m in any_parameters(), p in 2..60u32) {
        let (message, interval) = (m.message(1), m.interval(1));
        prop_assume!(interval > 0);
        // Karp et al., Optimal broadcast and summation in the LogP model (1993): whom anybody can reach first is next.
        let mut programs = vec![vec![]; p as usize];
        let mut ready: Vec<(Time, u32)> = vec![(message, 0)];
        for reached in 1..p {
            let first = (0..ready.len()).min_by_key(|i| ready[*i]).unwrap();
            let (at, from) = ready[first];
            programs[from as usize].push(Send(reached, 1));
            programs[reached as usize].push(Receive(from));
            ready[first].0 = at + interval;
            ready.push((at + message, reached));
        }
        // R(t) = R(t - interval) + R(t - message) processors are reached until t.
        fn reached(t: i64, message: i64, interval: i64) -> u64 {
            let mut count = 1;
            let mut at = message;
            while at <= t && count < 1_000 {
                count += reached(t - at, message, interval);
                at += interval;
            }
            count
        }
        let end = last(&m.network(p), &programs);
        prop_assert!(reached(end as i64, message as i64, interval as i64) >= u64::from(p));
        prop_assert!(reached(end as i64 - 1, message as i64, interval as i64) < u64::from(p));
    }

    #[test]
    fn an_exchange_of_all_with_all_sends_without_a_pause(m in any_parameters(), p in 2..20u32, bytes in 1..300u64) {
        let programs: Vec<Vec<Op>> = (0..p)
            .map(|me| {
                let sends = (1..p).map(|d| Send((me + d) % p, bytes));
                sends.chain((1..p).map(|d| Receive((me + p - d) % p))).collect()
            })
            .collect();
        // A receiver begins when it has sent all, and takes each message when it is there.
        let (message, interval) = (m.message(bytes) - m.o_recv, m.interval(bytes));
        let end = (0..u64::from(p) - 1).fold((u64::from(p) - 1) * m.o_send, |now, i| now.max(message + i * interval) + m.o_recv);
        prop_assert_eq!(last(&m.network(p), &programs), end);
        if m.o_recv <= interval && u64::from(p - 1) * m.o_send <= message {
            prop_assert_eq!(end, u64::from(p - 2) * interval + m.message(bytes));
        }
    }

    #[test]
    fn barriers_take_a_message_for_each_level(m in any_parameters(), levels in 1..7u32) {
        let p = 1 << levels;
        prop_assume!(m.g <= m.message(1));
        let dissemination: Vec<Vec<Op>> = (0..p)
            .map(|me| (0..levels).flat_map(|l| [Send((me + (1 << l)) % p, 1), Receive((me + p - (1 << l)) % p)]).collect())
            .collect();
        prop_assert_eq!(last(&m.network(p), &dissemination), u64::from(levels) * m.message(1));
        // Up the tree that the broadcast goes down: the reverse of each step.
        let down = binomial(p, 1);
        let reversed = |me: usize| {
            down[me].iter().rev().map(|op| match *op {
                Send(to, _) => Receive(to),
                Receive(from) => Send(from, 1),
            })
        };
        let both: Vec<Vec<Op>> = (0..p as usize).map(|me| reversed(me).chain(down[me].iter().copied()).collect()).collect();
        prop_assert_eq!(last(&m.network(p), &both), 2 * u64::from(levels) * m.message(1));
    }
}

#[test]
fn the_broadcast_of_the_logp_paper_takes_24() {
    // Culler et al. (1993), figure 3: P = 8, L = 6, g = 4, o = 2. A message has one byte, so that G has no effect.
    let m = Parameters { l: 6, o_send: 2, o_recv: 2, g: 4, per_byte: 0 };
    let programs = [
        vec![Send(1, 1), Send(2, 1), Send(3, 1), Send(5, 1)],
        vec![Receive(0), Send(4, 1), Send(6, 1)],
        vec![Receive(0), Send(7, 1)],
        vec![Receive(0)],
        vec![Receive(1)],
        vec![Receive(0)],
        vec![Receive(1)],
        vec![Receive(2)],
    ];
    assert_eq!(run(&mut m.network(8), &programs)[3..], [18, 20, 22, 24, 24], "those that only receive");
}

#[test]
fn all_send_to_one_and_its_port_decides() {
    let (p, bytes) = (64, 1024);
    let mut programs: Vec<Vec<Op>> = (1..p).map(|_| vec![Send(0, bytes)]).collect();
    programs.insert(0, (1..p).map(Receive).collect());
    let m = SLINGSHOT;
    let port = (bytes - 1) * m.per_byte + m.g;
    let end = m.o_send + m.l + 62 * port.max(m.o_recv) + (bytes - 1) * m.per_byte + m.o_recv;
    assert_eq!(last(&m.network(p), &programs), end);
}

#[test]
fn a_piece_holds_from_its_size_on() {
    let piece =
        |from, latency, gap_per_byte| Piece { from, latency, o_send: from, o_recv: 2 * from, gap: 1, gap_per_byte };
    let network =
        LogGp::new(vec![piece(0, 1_000, 10.0), piece(100, 5_000, 2.5), piece(4096, 9_000, 1.0)], 2, 1).unwrap();
    for (bytes, tail, o_send) in [(0, 1_000, 0), (1, 1_000, 0), (99, 1_980, 0), (100, 5_248, 100), (4096, 13_095, 4096)]
    {
        assert_eq!(network.clone().carry(0, 0, 1, bytes).tail, tail, "{bytes}");
        assert_eq!([network.send_overhead(bytes), network.receive_overhead(bytes)], [o_send, 2 * o_send]);
    }
    assert!(LogGp::new(vec![piece(1, 1, 1.0)], 2, 1).is_err() && LogGp::new(vec![], 2, 1).is_err());
    assert!(LogGp::new(vec![piece(0, 1, 1.0), piece(8, 1, 1.0), piece(8, 1, 1.0)], 2, 1).is_err());
}
