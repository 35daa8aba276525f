//! The whole area on a synthetic machine whose truth is known.

use crate::runner::{Failure, Runner};
use crate::{Effort, Fact, Findings, Kernel, Samples, Session, Stimulus};
use fathom_model::MachineFile;
use fathom_profile::{Reading, Reason, Value};
use std::time::Duration;

/// Times in ns; a byte costs `per_byte`. Transfers under way overlap except for `each`.
struct Machine {
    threads: usize,
    cores: usize,
    l: f64,
    o_send: f64,
    o_recv: f64,
    gap: f64,
    per_byte: f64,
    each: f64,
    noise: fastrand::Rng,
    first_far: u64,
    broken: bool,
}

impl Machine {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            cores: threads,
            l: 900.0,
            o_send: 60.0,
            o_recv: 140.0,
            gap: 210.0,
            per_byte: 0.5,
            each: 25.0,
            noise: fastrand::Rng::with_seed(7),
            first_far: 1,
            broken: false,
        }
    }

    fn ns(&self, s: &Stimulus) -> f64 {
        let number = |name: &str, otherwise: u64| s.number(name).unwrap_or(otherwise) as f64;
        let trip = 2.0 * (self.o_send + self.l + self.o_recv);
        let (bytes, group) = (number("bytes", 0), number("group", 1));
        // Near operations cost almost nothing.
        let is_near = s.number("with").unwrap_or(1) < self.first_far;
        let trip = if is_near { trip / 100.0 } else { trip };
        let transfer = trip + bytes * self.per_byte;
        match (s.kernel().word(), s.chosen("way").unwrap_or("")) {
            ("round_trip", _) => trip + 2.0 * (bytes - 1.0).max(0.0) * self.per_byte,
            ("flood" | "funnel", _) => self.gap + bytes * self.per_byte,
            ("send_overhead", _) => {
                let n = number("burst", 1);
                n * self.o_send + (n - 4.0).max(0.0) * (self.gap - self.o_send)
            }
            ("receive_overhead", _) => self.o_recv,
            ("put" | "get", "value") => trip,
            ("put" | "get", _) => self.each.max((transfer - self.each) / group) + bytes * self.per_byte,
            ("block_put" | "block_get", "whole") => trip + bytes * 1.0,
            ("block_put" | "block_get", "pieces") => 3.0 * trip + bytes * 0.25,
            ("block_put" | "block_get", _) => 2.0 * trip + bytes * 2.0,
            ("scatter", way) => trip + bytes * if way == "packed" { 0.3 } else { 3.0 },
            ("fetch_add", _) if s.number("with") == Some(0) => 5.0,
            ("fetch_add", _) => trip * (1.0 + number("others", 0)),
            (kernel, _) => panic!("no kernel is called {kernel}"),
        }
    }
}

impl Runner for Machine {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&mut self, s: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        if self.broken {
            return Err(Failure::Broken("gone".into()));
        }
        let needed = 1 + s.number("senders").or(s.number("others")).unwrap_or(0).max(s.number("with").unwrap_or(1));
        if needed > self.cores.min(self.threads) as u64 {
            return Err(Failure::Impossible(Reason::Threads, "there is one thread only".into()));
        }
        let mut samples = Samples::default();
        if s.kernel() == Kernel::Place {
            samples.ns.push(0.0);
            let near = if s.number("with").unwrap_or(1) < self.first_far { 1.0 } else { 0.0 };
            for (name, value) in
                [(Fact::Near, near), (Fact::MaxMedium, 16384.0), (Fact::Cores, 2.0), (Fact::Core(0), 0.0)]
            {
                samples.facts.insert(name, value);
            }
            return Ok(samples);
        }
        let late = s.number("delay_ns").is_some_and(|d| (d as f64) < 2.0 * (self.l + self.o_send + self.o_recv));
        samples.facts.insert(Fact::Late, if late { 0.9 } else { 0.0 });
        let ns = self.ns(s);
        samples.ns = (0..repetitions).map(|_| ns * (1.0 + 0.004 * self.noise.f64())).collect();
        Ok(samples)
    }
}

fn probed(machine: &mut Machine) -> Result<Findings, Failure> {
    let mut session = Session::new(machine, Effort::Quick, Duration::from_secs(60));
    super::probe(&mut session)
}

fn value<'a>(found: &'a Findings, name: &str) -> &'a Value {
    found.values.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no {name} among {:?}", found.values))
}

fn file(found: Findings) -> MachineFile {
    let mut machine: MachineFile = toml::from_str("name = \"it\"").unwrap();
    found.figures.expect("figures")(&mut machine);
    machine.check().unwrap();
    machine
}

#[test]
fn the_parameters_of_loggp_come_back_and_predict() {
    let found = probed(&mut Machine::new(4)).unwrap();
    let truths = [("o_send.ns", 60.0), ("o_recv.ns", 140.0), ("g.ns", 210.0), ("L.ns", 900.0), ("G.ns_byte", 0.5)];
    for (name, truth) in truths {
        let v = value(&found, &format!("communication.loggp.{name}")).value.unwrap();
        assert!((v / truth - 1.0).abs() < 0.02, "{name}: {v}, truth {truth}");
    }
    assert!(value(&found, "communication.loggp.error").value.unwrap() < 0.02);
    let machine = file(found);
    let answer = fathom_model::query::ask("send 1024", &machine, fathom_model::query::Options::default()).unwrap();
    let truth_us = (60.0 + 900.0 + 140.0 + 1023.0 * 0.5) / 1000.0;
    assert!((answer.results[0].value / truth_us - 1.0).abs() < 0.02, "{answer:?}");
}

#[test]
fn groups_and_crossovers_are_found_and_every_value_has_its_evidence() {
    let found = probed(&mut Machine::new(2)).unwrap();
    // 25 ns each, 2204 ns alone: 88 hide all of it; the nearest measured group is 128.
    let group = value(&found, "communication.put.group");
    assert_eq!((group.value, group.low), (Some(128.0), Some(64.0)), "{group:?}");
    let over = value(&found, "communication.block_put.put_pieces_over_put.bytes");
    let truth = 2.0 * 2200.0 / 0.75;
    let (low, high) = (over.low.unwrap(), over.high.unwrap());
    assert!(low < truth && truth <= high, "{over:?}, truth {truth}");
    assert_eq!(value(&found, "communication.block_put.put_long_over_put.bytes").value, None);
    for v in &found.values {
        for e in &v.evidence {
            let curve = found.curves.iter().find(|c| c.name == e.curve).unwrap_or_else(|| panic!("{v:?}"));
            let series = curve.series(&e.series).unwrap_or_else(|| panic!("{v:?}"));
            assert!(e.at.iter().all(|x| series.points.iter().any(|p: &Reading| p.x == *x)), "{v:?}");
        }
        assert!((0.0..=1.0).contains(&v.confidence) && v.rule.len() > 10, "{v:?}");
    }
    let machine = file(found);
    let answer = fathom_model::query::ask("crossover put put-pieces", &machine, Default::default()).unwrap();
    assert!((answer.results[0].value / truth - 1.0).abs() < 0.15, "{answer:?}");
}

#[test]
fn what_no_group_hides_is_said_to_fall_still() {
    let found = probed(&mut Machine { each: 0.5, ..Machine::new(2) }).unwrap();
    let group = value(&found, "communication.put.group");
    assert!(group.rule.contains("still falls") && group.confidence < 0.5, "{group:?}");
}

#[test]
fn a_group_that_hides_everything_is_found() {
    let found = probed(&mut Machine { each: 200.0, ..Machine::new(2) }).unwrap();
    let group = value(&found, "communication.get.group");
    assert_eq!((group.value, group.low), (Some(16.0), Some(8.0)), "{group:?}");
    assert!((value(&found, "communication.get.hidden").value.unwrap() - 0.91).abs() < 0.02);
}

/// A millisecond a kilobyte: a point may take 150 ms.
#[test]
fn sizes_that_would_take_all_the_time_are_left_out() {
    let found = probed(&mut Machine { per_byte: 1000.0, ..Machine::new(2) }).unwrap();
    let curve = found.curves.iter().find(|c| c.name == "communication.put").unwrap();
    let largest = |series: usize| curve.series[series].points.last().unwrap().x;
    // 131 ms alone. Of 16 under way, those of 8 KB together.
    assert_eq!((largest(0), largest(1)), (131_072.0, 8192.0));
    assert!(found.curves.iter().any(|c| c.name == "communication.get"));
    let noted = found.missing.iter().find(|m| m.what == "put by size: blocking").unwrap();
    assert!(noted.why.contains("more than 131072"), "{noted:?}");
}

#[test]
fn where_some_threads_are_far_the_first_of_them_is_measured_with() {
    let found = probed(&mut Machine { first_far: 3, ..Machine::new(6) }).unwrap();
    assert_eq!(value(&found, "communication.partner").value, Some(3.0));
    let (near, far) = ("communication.near.round_trip.ns", "communication.far.round_trip.ns");
    let ratio = value(&found, far).value.unwrap() / value(&found, near).value.unwrap();
    assert!((ratio / 100.0 - 1.0).abs() < 0.02, "{ratio}");
    let latency = value(&found, "communication.loggp.L.ns").value.unwrap();
    assert!((latency / 900.0 - 1.0).abs() < 0.02, "{latency}");
    let alike = probed(&mut Machine { first_far: 99, ..Machine::new(3) }).unwrap();
    assert_eq!(value(&alike, "communication.partner").value, Some(1.0));
}

#[test]
fn one_thread_has_no_communication_and_says_so() {
    let found = probed(&mut Machine { cores: 1, ..Machine::new(2) }).unwrap();
    assert!(found.values.is_empty() && found.curves.is_empty());
    assert_eq!(found.missing.len(), 1);
    assert!(found.missing[0].why.contains("one thread"));
}

#[test]
fn more_senders_than_cores_are_missing_not_measured() {
    let found = probed(&mut Machine { cores: 3, ..Machine::new(8) }).unwrap();
    let funnel = found.curves.iter().find(|c| c.name == "communication.funnel").unwrap();
    assert_eq!(funnel.series[0].points.iter().map(|p| p.x).collect::<Vec<_>>(), [1.0, 2.0]);
    assert!(found.missing.iter().any(|m| m.what.contains("from many to one")), "{:?}", found.missing);
}

#[test]
fn a_broken_runner_ends_the_area() {
    assert!(matches!(probed(&mut Machine { broken: true, ..Machine::new(2) }), Err(Failure::Broken(_))));
}
