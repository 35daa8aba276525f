//! The area on machines whose times are known.
use super::*;
use crate::synthetic::{measured, Noise};
use crate::{Effort, Runner, Samples, Stimulus};
use fathom_profile::{Reason, Value};
use std::time::Duration;

/// ns of a part of a message: measure, mechanism, bytes, may several threads use the queue, flushed.
type Law = fn(&str, &str, f64, bool, bool) -> f64;

struct Synthetic {
    law: Law,
    noise: Noise,
    /// A quarter of the looks, at random, take longer by this factor.
    disturbance: f64,
    random: fastrand::Rng,
}

impl Runner for Synthetic {
    fn threads(&self) -> usize {
        2
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        assert_eq!(stimulus.kernel(), Kernel::Queue);
        let bytes = stimulus.number("bytes").unwrap() as f64;
        let (measure, how) = (stimulus.chosen("measure").unwrap(), stimulus.chosen("mechanism").unwrap());
        let (many, flush) = (stimulus.chosen("threads") == Some("many"), stimulus.number("flush") == Some(1));
        if how == "bulk" && bytes > 300_000.0 {
            return Err(Failure::Impossible(Reason::Size, "too long here".into()));
        }
        let factor = if self.random.u8(..) < 64 { self.disturbance } else { 1.0 };
        let ns = factor * (self.law)(measure, how, bytes, many, flush);
        Ok(Samples {
            ns: self.noise.samples(ns, repetitions),
            facts: [(Fact::Bytes, 8.0)].into(),
            ..Samples::default()
        })
    }
}

/// As the study has it.
fn as_studied(measure: &str, how: &str, bytes: f64, many: bool, flush: bool) -> f64 {
    let flushed = if flush { 50.0 + bytes } else { 0.0 };
    let once = match how {
        "express" => 20.0 * bytes / 8.0,
        "basic" if many => 130.0 + bytes,
        "basic" => 31.0 + bytes,
        "bulk" => 1000.0 + bytes / 10.0,
        _ => 30.0 + bytes,
    };
    flushed + if measure == "latency" { 3.0 * once } else { once }
}

/// Nothing of it.
fn otherwise(measure: &str, how: &str, bytes: f64, _: bool, flush: bool) -> f64 {
    let once = match how {
        "express" => 100.0 + 40.0 * (bytes / 8.0 - 1.0),
        "basic" => 50.0 + bytes / 8.0,
        _ => 200.0 + bytes / 8.0,
    };
    let once = if flush { 0.9 * once } else { once };
    if measure == "latency" {
        3.0 * once
    } else {
        once
    }
}

fn found(law: Law, effort: Effort) -> Findings {
    disturbed(law, effort, 1.0, 0)
}

fn disturbed(law: Law, effort: Effort, disturbance: f64, seed: u64) -> Findings {
    let random = fastrand::Rng::with_seed(seed);
    let mut machine = Synthetic { law, noise: Noise::default(), disturbance, random };
    measured(&mut machine, effort, 5, probe).unwrap()
}

fn statement<'a>(findings: &'a Findings, id: &str) -> &'a Value {
    let name = format!("{}{id}", names::STATEMENT);
    findings.values.iter().find(|v| v.name.starts_with(&name)).unwrap_or_else(|| panic!("no statement {id}"))
}

const ALL: [&str; 6] = ["07", "08", "09", "10", "11", "12"];

#[test]
fn the_statements_hold_where_they_do_and_not_where_they_do_not() {
    let (yes, no) = (found(as_studied, Effort::Normal), found(otherwise, Effort::Normal));
    for id in ALL {
        let (holds, fails) = (statement(&yes, id), statement(&no, id));
        assert!(holds.rule.contains("holds here") && holds.confidence > 0.9, "{holds:?}");
        assert!(fails.rule.contains("does not hold here"), "{fails:?}");
    }
    // Express 40 ns a word, sending and receiving; Tag-On 60 + 2 x 8 ns a word.
    assert_eq!(statement(&yes, "10").value, Some(24.0));
    // 130 + x over 30 + x, in the mean over 16, 24, 32, 64 and 160 bytes.
    let mean = [16.0, 24.0, 32.0, 64.0, 160.0].map(|x| (130.0 + x) / (30.0 + x)).iter().sum::<f64>() / 5.0;
    assert!((statement(&yes, "08").value.unwrap() / mean - 1.0).abs() < 0.02);
}

/// The promise of a confidence of 0.9: at most one in twenty is wrong.
#[test]
fn disturbance_makes_statements_doubtful_and_seldom_wrong() {
    let (mut sure, mut wrong, mut doubtful) = (0, 0, 0);
    for seed in 0..8 {
        for (law, holds) in [(as_studied as Law, true), (otherwise, false)] {
            let findings = disturbed(law, Effort::Normal, 1.7, seed);
            for value in ALL.map(|id| statement(&findings, id)) {
                let says_so = value.rule.contains(" holds here");
                let is_known = value.value.is_some() && value.confidence >= 0.9;
                sure += u32::from(is_known);
                wrong += u32::from(is_known && says_so != holds);
                doubtful += u32::from(value.value.is_some() && !is_known);
            }
        }
    }
    assert!(wrong * 20 <= sure, "{wrong} of {sure} are wrong");
    assert!(doubtful > 10, "{doubtful} are doubtful, of {sure} that are not");
}

#[test]
fn curves_are_those_of_the_figures_and_a_hurry_has_the_statements_too() {
    let findings = found(as_studied, Effort::Normal);
    let curve = |name: &str| findings.curves.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}"));
    for threads in ["many", "one"] {
        for what in ["overhead", "latency", "gap", "bandwidth"] {
            let all = curve(&format!("queues.{threads}.{what}"));
            for series in ["Express", "Tag-On", "Tag-On, in place", "Basic", "Tag-On, flushed", "Basic, flushed"] {
                assert!(all.series(series).is_some(), "{threads} {what}: {series}");
            }
        }
    }
    let at = |name: &str, x: f64| {
        let series = curve(name).series("Tag-On").unwrap();
        series.points.iter().find(|p| p.x == x).unwrap().y
    };
    assert!((at("queues.many.overhead", 64.0) / 188.0 - 1.0).abs() < 0.02);
    assert!((at("queues.many.bandwidth", 64.0) / (64e3 / 94.0) - 1.0).abs() < 0.02);
    // Blocks of 256 KiB are the largest that this machine has.
    let bulk = findings.values.iter().find(|v| v.name == "queues.bulk.mb_s").unwrap();
    assert!((bulk.value.unwrap() / (262144e3 / 27214.4) - 1.0).abs() < 0.02, "{bulk:?}");
    assert!(findings.missing.iter().any(|m| m.what.contains("queues.bulk") && m.why == "too long here"));
    let quick = found(as_studied, Effort::Quick);
    for id in ALL.iter().filter(|id| **id != "09") {
        assert!(statement(&quick, id).rule.contains("holds here"), "{id}");
    }
}

#[test]
fn a_machine_without_queues_says_so_once() {
    struct Without;
    impl Runner for Without {
        fn threads(&self) -> usize {
            2
        }
        fn run(&mut self, _: &Stimulus, _: usize, _: Duration) -> Result<Samples, Failure> {
            Err(Failure::Impossible(Reason::Apart, "the threads share no memory".into()))
        }
    }
    let findings = measured(&mut Without, Effort::Quick, 1, probe).unwrap();
    assert!(findings.values.is_empty() && findings.curves.is_empty());
    assert_eq!(findings.missing.len(), 1);
    assert_eq!(findings.missing[0].why, "the threads share no memory");
}
