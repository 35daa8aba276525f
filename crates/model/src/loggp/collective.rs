//! Operations of P processors together, each by several algorithms, fastest first.

use super::{Message, Missing, Parameters};
use crate::answer::{number, Outcome};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

type Outcomes = Result<Vec<Outcome>, Missing>;

/// An algorithm's result, which begins with the steps for the machine's figures: `f` adds these, and returns label,
/// value and notes.
fn algorithm(
    parameters: &Parameters,
    bytes: u64,
    f: impl FnOnce(&mut Message) -> (&'static str, f64, Vec<String>),
) -> Result<Outcome, Missing> {
    let mut m = Message::new(parameters, bytes);
    let (label, us, notes) = f(&mut m);
    m.finish(label, us, notes)
}

fn ranked(all: Vec<Result<Outcome, Missing>>) -> Outcomes {
    let mut names = vec![];
    let mut outcomes = vec![];
    for outcome in all {
        match outcome {
            Ok(outcome) => outcomes.push(outcome),
            Err(missing) => names.extend(missing.0),
        }
    }
    if !names.is_empty() {
        let known = ["L", "o_send", "o_recv", "g", "G", "P"];
        return Err(Missing(known.into_iter().filter(|n| names.contains(n)).collect()));
    }
    outcomes.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(outcomes)
}

#[derive(Clone, Copy)]
enum Tree {
    Greedy,
    Binomial,
    Flat,
}

impl Tree {
    const ALL: [Tree; 3] = [Tree::Greedy, Tree::Binomial, Tree::Flat];

    fn label(self) -> &'static str {
        match self {
            Tree::Greedy => "optimal tree",
            Tree::Binomial => "binomial tree",
            Tree::Flat => "one after the other",
        }
    }

    /// The time when the last of `p` processors is reached, if a message takes `message` and a processor sends every
    /// `interval`.
    fn time(self, p: u64, message: f64, interval: f64) -> (f64, String) {
        match self {
            Tree::Greedy => {
                let (us, root, depth) = greedy(p, message, interval);
                (
                    us,
                    format!(
                        "each processor that has the data sends it on at once: the root {root} times, at most {depth} \
                         messages deep"
                    ),
                )
            }
            Tree::Binomial => {
                let us = binomial(p, message, interval, &mut HashMap::new());
                (us, format!("halves, halves of halves, …: {} messages deep", p.next_power_of_two().ilog2()))
            }
            Tree::Flat => {
                let us = (p - 2) as f64 * interval + message;
                (us, format!("{} x {} + {}", p - 2, number(interval), number(message)))
            }
        }
    }
}

/// Each new processor is reached at the earliest moment at which any processor can reach it (Karp et al., 1993).
/// Time, messages of the root, depth.
fn greedy(p: u64, message: f64, interval: f64) -> (f64, u64, u64) {
    /// The next processor that a sender could reach.
    #[derive(PartialEq)]
    struct Next {
        at: f64,
        depth: u64,
        root: bool,
    }
    impl Eq for Next {}
    impl Ord for Next {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            self.at.total_cmp(&other.at).then(self.depth.cmp(&other.depth)).then(self.root.cmp(&other.root))
        }
    }
    impl PartialOrd for Next {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    let mut next = BinaryHeap::from([Reverse(Next { at: message, depth: 1, root: true })]);
    let (mut last, mut root, mut deepest) = (0.0, 0, 0);
    for _ in 1..p {
        let Some(Reverse(reached)) = next.pop() else { break };
        last = reached.at;
        root += u64::from(reached.root);
        deepest = deepest.max(reached.depth);
        next.push(Reverse(Next { at: last + message, depth: reached.depth + 1, root: false }));
        next.push(Reverse(Next { at: last + interval, ..reached }));
    }
    (last, root, deepest)
}

/// The sender passes half of its processors to the first that it reaches, and continues with the rest.
fn binomial(p: u64, message: f64, interval: f64, known: &mut HashMap<u64, f64>) -> f64 {
    if p < 2 {
        return 0.0;
    }
    if let Some(us) = known.get(&p) {
        return *us;
    }
    let (handed, kept) = (p / 2, p - p / 2);
    let theirs = message + binomial(handed, message, interval, known);
    let own = if kept > 1 { interval + binomial(kept, message, interval, known) } else { 0.0 };
    known.insert(p, theirs.max(own));
    theirs.max(own)
}

/// All processors get the same bytes from one.
///
/// # Errors
/// The missing parameters.
pub fn broadcast(parameters: &Parameters, bytes: u64) -> Outcomes {
    let outcomes = Tree::ALL.map(|tree| {
        algorithm(parameters, bytes, |m| {
            let p = m.processors();
            let message = m.time(1);
            let busy = m.value("o_send");
            let interval = if p > 2 { m.interval(1, busy, "o_send") } else { message };
            let (us, how) = tree.time(p, message, interval);
            (tree.label(), m.step(0, format!("broadcast to {p} processors"), us, how), vec![])
        })
    });
    ranked(outcomes.into())
}

/// The cost of combining, and a remark if it is unknown.
fn combining(m: &mut Message) -> (f64, Vec<String>) {
    match m.parameters.get("combine") {
        Some(given) => {
            let how = format!("{} bytes x {} us ({})", m.bytes, number(given.value), given.source);
            (m.step(1, "combining", m.bytes as f64 * given.value, how), vec![])
        }
        None => (0.0, vec!["combining is assumed to take no time; --set combine=US_PER_BYTE sets its time".into()]),
    }
}

/// One processor gets the combination of all processors' bytes: a broadcast in reverse, in which the senders receive
/// and combine.
///
/// # Errors
/// The missing parameters.
pub fn reduce(parameters: &Parameters, bytes: u64) -> Outcomes {
    let outcomes = Tree::ALL.map(|tree| {
        algorithm(parameters, bytes, |m| {
            let p = m.processors();
            let message = m.time(1);
            let (combine, notes) = combining(m);
            let busy = m.value("o_recv") + combine;
            let named = if combine > 0.0 { "o_recv + combining" } else { "o_recv" };
            let interval = if p > 2 { m.interval(1, busy, named) } else { message };
            let (us, how) = tree.time(p, message + combine, interval);
            (tree.label(), m.step(0, format!("reduction of {p} processors"), us, format!("backwards: {how}")), notes)
        })
    });
    ranked(outcomes.into())
}

/// Each processor gets the combination of its own bytes and those of all before it.
///
/// # Errors
/// The missing parameters.
pub fn scan(parameters: &Parameters, bytes: u64) -> Outcomes {
    let doubling = algorithm(parameters, bytes, |m| {
        let p = m.processors();
        let message = m.time(1);
        let (combine, notes) = combining(m);
        let rounds = p.next_power_of_two().ilog2();
        let busy = m.value("o_send") + m.value("o_recv") + combine;
        let interval = if p > 2 { m.interval(1, busy, "both overheads and combining") } else { message };
        let round = m.step(1, "a round", (message + combine).max(interval), "message and combining, or the interval");
        let how = format!("{rounds} rounds: to the processor 1, 2, 4, … further on");
        ("doubling", m.step(0, format!("scan over {p} processors"), f64::from(rounds) * round, how), notes)
    });
    let chain = algorithm(parameters, bytes, |m| {
        let p = m.processors();
        let message = m.time(1);
        let (combine, notes) = combining(m);
        let how = format!("{} x (message and combining), each after the one before", p - 1);
        let us = m.step(0, format!("scan over {p} processors"), (p - 1) as f64 * (message + combine), how);
        ("one after the other", us, notes)
    });
    ranked(vec![doubling, chain])
}

/// Each processor has different bytes for every other: all-to-all.
///
/// # Errors
/// The missing parameters.
pub fn exchange(parameters: &Parameters, bytes: u64) -> Outcomes {
    let direct = algorithm(parameters, bytes, |m| {
        let p = m.processors();
        let message = m.time(1);
        let busy = m.value("o_send") + m.value("o_recv");
        let interval = if p > 2 { m.interval(1, busy, "o_send + o_recv") } else { message };
        let us = (p - 2) as f64 * interval + message;
        let how = format!("{} x {} + {}", p - 2, number(interval), number(message));
        ("direct", m.step(0, format!("exchange of {p} processors"), us, how), vec![])
    });
    let gathered = algorithm(parameters, bytes, |m| {
        let p = m.processors();
        let mut us = 0.0;
        for round in 0..p.next_power_of_two().ilog2() {
            // Each processor passes on the blocks for those whose distance has this bit.
            let blocks = (1..p).filter(|distance| distance >> round & 1 == 1).count() as u64;
            let mut part = Message::new(m.parameters, bytes.saturating_mul(blocks));
            let time = part.time(0);
            m.missing.extend(part.missing);
            us += m.step(1, format!("round {}: {blocks} blocks", round + 1), time, "o_send + (n-1) G + L + o_recv");
        }
        let notes = vec!["`in rounds` does not include the time to gather blocks in memory".to_string()];
        (
            "in rounds, blocks gathered",
            m.step(0, format!("exchange of {p} processors"), us, "the sum of the rounds"),
            notes,
        )
    });
    ranked(vec![direct, gathered])
}

#[cfg(test)]
mod tests {
    use super::{binomial, greedy};
    use std::collections::HashMap;

    /// The example of the LogP paper: P = 8, L = 6, g = 4, o = 2 (a message takes 10) reaches the last at 24.
    #[test]
    fn the_optimal_tree_of_the_logp_paper() {
        assert_eq!(greedy(8, 10.0, 4.0), (24.0, 4, 2));
        let arrivals: Vec<f64> = (2..=8).map(|p| greedy(p, 10.0, 4.0).0).collect();
        assert_eq!(arrivals, [10.0, 14.0, 18.0, 20.0, 22.0, 24.0, 24.0]);
    }

    #[test]
    fn a_binomial_tree_is_optimal_when_a_message_takes_as_long_as_the_interval() {
        for p in 2..200_u64 {
            let rounds = f64::from(p.next_power_of_two().ilog2());
            assert_eq!(binomial(p, 3.0, 3.0, &mut HashMap::new()), 3.0 * rounds, "{p}");
            assert_eq!(greedy(p, 3.0, 3.0).0, 3.0 * rounds, "{p}");
        }
    }
}
