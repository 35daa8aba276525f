//! The area on machines whose laws are known.
use super::*;
use crate::synthetic::{measured, with_file, Noise};
use crate::{Effort, Fact, Runner, Samples, Stimulus};
use fathom_model::query::{ask, Options};
use fathom_model::MachineFile;
use fathom_profile::Reason;
use std::time::Duration;

#[derive(Clone)]
struct Synthetic {
    threads: usize,
    processors: usize,
    has_openmp: bool,
    noise: Noise,
}

/// The cost of a loop on this many threads.
fn cost(threads: f64, processors: f64) -> f64 {
    match threads {
        1.0 => 10.0,
        _ if threads <= processors => 60.0 * threads,
        _ => 2500.0 * threads,
    }
}

impl Runner for Synthetic {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        let (n, p) = (self.threads as f64, self.processors as f64);
        let number = |name| stimulus.number(name).unwrap_or(0) as f64;
        let serial = number("iterations") * number("work_ns");
        let ns = match stimulus.kernel().word() {
            "forall" if stimulus.number("barrier") == Some(0) => 2.0,
            "forall" => serial / n.min(p) + cost(n, p),
            "serial" => serial,
            "openmp" if !self.has_openmp => {
                return Err(Failure::Impossible(Reason::Compiler, "the compiler has no OpenMP".into()))
            }
            "openmp" => 300.0 * number("count"),
            "process" => 30_000.0 + 400_000.0 * number("count"),
            "thread" => 9000.0 * number("count"),
            "job" => 1.2e6 + 0.22e6 * number("count"),
            "switch" => 1200.0,
            "yield" => 250.0 + 1000.0 * number("others"),
            "wake" => 20_000.0 + 4.0 * number("idle_us"),
            kernel => return Err(Failure::Broken(format!("no kernel is called `{kernel}`"))),
        };
        let samples = self.noise.samples(ns, repetitions);
        let facts = [(Fact::Processors, p), (Fact::CallNs, 9000.0)];
        Ok(Samples { ns: samples, facts: facts.into(), ..Samples::default() })
    }

    fn with_threads(&mut self, threads: usize) -> Result<Box<dyn Runner>, Failure> {
        Ok(Box::new(Self { threads, ..self.clone() }))
    }
}

fn found(processors: usize, has_openmp: bool, effort: Effort) -> (Findings, MachineFile) {
    let mut runner = Synthetic { threads: processors.max(2), processors, has_openmp, noise: Noise::default() };
    with_file(measured(&mut runner, effort, 5, probe).unwrap())
}

fn answer(file: &MachineFile, text: &str) -> f64 {
    ask(text, file, Options::default()).unwrap().results[0].value
}

fn close(value: f64, truth: f64, share: f64) {
    assert!((value / truth - 1.0).abs() < share, "{value}, truth {truth}");
}

#[test]
fn starting_a_job_is_a_plus_b_p() {
    let (findings, file) = found(8, true, Effort::Normal);
    for p in [1.0, 4.0, 16.0] {
        close(answer(&file, &format!("start {p}")), 1.2e6 + 0.22e6 * p, 0.02);
        close(answer(&file, &format!("pthread {p}")), 9000.0 * p, 0.02);
        close(answer(&file, &format!("spawn {p}")), 30_000.0 + 400_000.0 * p, 0.02);
    }
    let each = findings.values.iter().find(|v| v.name == "scheduling.start_each.ns").unwrap();
    close(each.value.unwrap(), 0.22e6, 0.01);
    assert!(each.low < each.value && each.value < each.high, "{each:?}");
}

#[test]
fn the_length_from_which_a_loop_pays_is_answered_from_the_profile_and_measured() {
    for (processors, effort) in [(2, Effort::Quick), (8, Effort::Normal), (32, Effort::Normal)] {
        let (findings, file) = found(processors, true, effort);
        let p = processors as f64;
        let truth = cost(p, p) / (1.0 - 1.0 / p);
        close(answer(&file, &format!("loop {p}")), cost(p, p), 0.02);
        close(answer(&file, &format!("break-even loop {p}")), truth, 0.02);
        close(answer(&file, &format!("break-even openmp-static {p}")), 300.0 * p / (1.0 - 1.0 / p), 0.02);
        let measured = findings.values.iter().find(|v| v.name == "scheduling.break_even.ns").unwrap();
        close(measured.value.unwrap(), truth, 0.1);
        assert!(measured.confidence > 0.8 && measured.rule.contains("takes"), "{measured:?}");
    }
}

#[test]
fn how_long_to_look_before_sleeping_is_what_waking_takes() {
    let (findings, _) = found(2, true, Effort::Quick);
    let value = |name: &str| findings.values.iter().find(|v| v.name == name).unwrap().value.unwrap();
    close(value("scheduling.wake.ns"), 20_200.0, 0.02);
    assert_eq!(value("scheduling.wake.ns"), value("scheduling.spin.ns"));
    close(value("scheduling.wake_call.ns"), 9000.0, 1e-9);
    close(value("scheduling.yield_switch.ns"), 1250.0, 0.02);
}

#[test]
fn a_compiler_without_openmp_is_said_once() {
    let (findings, file) = found(2, false, Effort::Quick);
    let of_openmp: Vec<_> = findings.missing.iter().filter(|m| m.why.contains("OpenMP")).collect();
    assert_eq!(of_openmp.len(), 1, "{:?}", findings.missing);
    assert!(file.laws.iter().any(|l| l.name == "loop") && file.laws.iter().all(|l| !l.name.contains("openmp")));
}

#[test]
fn on_one_processor_no_loop_wins() {
    let (findings, file) = found(1, true, Effort::Quick);
    assert!(findings.missing.iter().any(|m| m.what == "scheduling.break_even.ns"));
    assert!(answer(&file, "loop 2") > 0.0);
}
