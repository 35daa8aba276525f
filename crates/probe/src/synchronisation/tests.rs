//! The area on machines whose laws are known.
use super::*;
use crate::synthetic::{measured, with_file, Noise};
use crate::{Effort, Fact, Runner, Samples, Stimulus};
use fathom_model::MachineFile;
use fathom_profile::Reason;
use std::time::Duration;

/// A machine with this many processors whose barrier costs `barrier`, with deviations of about a percent.
#[derive(Clone)]
struct Synthetic {
    threads: usize,
    processors: usize,
    barrier: fn(f64, f64) -> f64,
    noise: Noise,
    most: usize,
}

impl Runner for Synthetic {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        let (n, p) = (self.threads as f64, self.processors as f64);
        let hold = stimulus.number("hold_ns").unwrap_or(0) as f64;
        let ns = match (stimulus.kernel().word(), stimulus.chosen("kind")) {
            ("barrier", Some("posix")) => return Err(Failure::Impossible(Reason::Apart, "no memory is shared".into())),
            ("barrier", Some("split")) if stimulus.number("work_ns").is_some() => {
                ((self.barrier)(n, p) - stimulus.number("work_ns").unwrap() as f64).max(25.0)
            }
            ("barrier", Some("team")) => (self.barrier)(stimulus.number("members").map_or(n, |m| m as f64), p),
            ("barrier", _) => (self.barrier)(n, p),
            ("flag", _) => 80.0,
            ("lock_alone", _) => 15.0,
            ("lock", _) => hold + 60.0 * n,
            (kernel, _) => return Err(Failure::Broken(format!("no kernel is called `{kernel}`"))),
        };
        let samples = self.noise.samples(ns, repetitions);
        let facts = [(Fact::Processors, p), (Fact::HoldNs, hold), (Fact::Jain, 1.0), (Fact::LeastShare, 0.98)];
        Ok(Samples { ns: samples, facts: facts.into(), ..Samples::default() })
    }

    fn with_threads(&mut self, threads: usize) -> Result<Box<dyn Runner>, Failure> {
        match threads <= self.most {
            true => Ok(Box::new(Self { threads, ..self.clone() })),
            false => Err(Failure::Impossible(Reason::System, "the system starts no more".into())),
        }
    }
}

fn found(machine: &mut Synthetic, effort: Effort) -> (Findings, MachineFile) {
    with_file(measured(machine, effort, 5, probe).unwrap())
}

fn dissemination(n: f64, processors: f64) -> f64 {
    match n {
        1.0 => 8.0,
        _ if n <= processors => 70.0 + 45.0 * n.log2(),
        _ => 900.0 * n,
    }
}

fn machine(processors: usize) -> Synthetic {
    Synthetic { threads: processors.max(2), processors, barrier: dissemination, noise: Noise::default(), most: 1000 }
}

fn ask(file: &MachineFile, text: &str) -> fathom_model::answer::Outcome {
    fathom_model::query::ask(text, file, fathom_model::query::Options::default()).unwrap().results.remove(0)
}

#[test]
fn the_laws_of_a_machine_come_back_on_both_sides_of_its_processors() {
    for effort in [Effort::Quick, Effort::Normal] {
        let (findings, file) = found(&mut machine(32), effort);
        assert_eq!(file.check(), Ok(()));
        for n in [2.0, 8.0, 24.0, 32.0, 33.0, 50.0, 64.0] {
            let answer = ask(&file, &format!("barrier {n}"));
            assert!((answer.value / dissemination(n, 32.0) - 1.0).abs() < 0.02, "{n}: {answer:?}");
            assert!(!answer.notes.iter().any(|note| note.contains("do not trust")), "{answer:?}");
        }
        let forms: Vec<&str> = findings.fits.iter().filter(|f| f.series == "world").map(|f| f.form.as_str()).collect();
        assert_eq!(forms, ["constant", "logarithm", "linear"]);
        assert!((ask(&file, "lock 32").value / 1920.0 - 1.0).abs() < 0.02);
    }
}

#[test]
fn two_processors_have_laws_too() {
    let (findings, file) = found(&mut machine(2), Effort::Quick);
    for n in [1.0, 2.0, 3.0, 8.0] {
        let answer = ask(&file, &format!("barrier {n}"));
        assert!((answer.value / dissemination(n, 2.0) - 1.0).abs() < 0.02, "{n}: {answer:?}");
    }
    let value = |name: &str| findings.values.iter().find(|v| v.name == name).and_then(|v| v.value).unwrap();
    assert!((value("synchronisation.barrier.ns") / 115.0 - 1.0).abs() < 0.02);
    assert!((value("synchronisation.crowded_barrier.ns") / 3600.0 - 1.0).abs() < 0.02);
    assert!((value("synchronisation.lock_handover.ns") - 120.0).abs() < 12.0);
    // The longest work leaves 25 ns of 115; the rest is hidden.
    assert!((value("synchronisation.split_hidden") - 0.78).abs() < 0.02);
    assert_eq!(value("synchronisation.lock_fairness"), 1.0);
}

#[test]
fn what_is_impossible_is_missing_once_and_nothing_else_is() {
    let (findings, file) = found(&mut Synthetic { most: 3, ..machine(2) }, Effort::Normal);
    let of_barrier = findings.missing.iter().filter(|m| m.what.contains("(posix)")).count();
    assert_eq!(of_barrier, 3, "for each number of threads that there is: {:?}", findings.missing);
    assert!(findings.missing.iter().any(|m| m.what.contains("4 threads") && m.why.contains("no more")));
    let curve = findings.curves.iter().find(|c| c.name == barriers::BARRIER).unwrap();
    assert!(curve.series("posix").is_none() && curve.series("world").is_some());
    assert!(ask(&file, "barrier 2").value > 0.0);
}

#[test]
fn one_processor_has_crowds_only() {
    let (findings, file) = found(&mut machine(1), Effort::Quick);
    assert!(findings.values.iter().all(|v| v.name != "synchronisation.barrier.ns"));
    assert!((ask(&file, "barrier 2").value / 1800.0 - 1.0).abs() < 0.02);
}

#[test]
fn a_broken_runner_is_told() {
    struct Broken;
    impl Runner for Broken {
        fn threads(&self) -> usize {
            2
        }
        fn run(&mut self, _: &Stimulus, _: usize, _: Duration) -> Result<Samples, Failure> {
            Err(Failure::Broken("it has died".into()))
        }
    }
    let answer = measured(&mut Broken, Effort::Quick, 0, probe);
    assert!(matches!(answer, Err(Failure::Broken(_))));
}
