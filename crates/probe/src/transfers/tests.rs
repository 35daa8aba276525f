//! The area on a synthetic machine whose throughputs are known: it finds the figures, and the model accepts them.

use super::*;
use crate::{Effort, Fact, Kernel, Runner, Samples};
use fathom_model::copy_transfer::{parse, Composition};
use fathom_profile::Reason;

/// A machine with two threads and one cache: a strided side costs a line for each word.
struct Synthetic {
    near: bool,
}

const CACHE: f64 = 65536.0;

impl Synthetic {
    /// ns for a byte of payload.
    fn cost(kernel: &str, stride: f64, bytes: f64) -> f64 {
        let lines = stride.min(8.0);
        let level = if bytes * lines <= CACHE { 0.05 } else { 0.2 };
        match kernel {
            "cross" => 0.1,
            "far" => 1.0 + level * lines,
            "deposit" => 0.15 * lines,
            _ => level * lines,
        }
    }
}

impl Runner for Synthetic {
    fn threads(&self) -> usize {
        2
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        let mut samples = Samples::default();
        if stimulus.kernel() == Kernel::Room {
            samples.ns = vec![0.0];
            samples.facts.insert(Fact::AvailableBytes, 1e9);
            return Ok(samples);
        }
        if stimulus.kernel() == Kernel::RoundTrip {
            samples.ns = vec![800.0; repetitions];
            return Ok(samples);
        }
        let bytes = stimulus
            .number("bytes")
            .ok_or_else(|| Failure::Impossible(Reason::Operation, "no such kernel".into()))? as f64;
        if matches!(stimulus.kernel().word(), "cross" | "send" | "receive" | "deposit") && !self.near {
            return Err(Failure::Impossible(Reason::Apart, "threads 0 and 1 do not share memory".into()));
        }
        if !matches!(stimulus.kernel().word(), "copy" | "cross" | "send" | "receive" | "deposit" | "far") {
            return Err(Failure::Impossible(Reason::Operation, "no such kernel".into()));
        }
        let side = |name| match stimulus.chosen(name) {
            Some(_) => 8.0,
            None => stimulus.number(name).unwrap_or(1) as f64,
        };
        let ns = bytes * Self::cost(stimulus.kernel().word(), f64::max(side("from"), side("to")), bytes);
        samples.ns = vec![ns; repetitions];
        samples.facts.insert(Fact::Bytes, bytes);
        Ok(samples)
    }
}

fn machine(near: bool) -> (Findings, Machine) {
    let mut runner = Synthetic { near };
    let mut session = Session::new(&mut runner, Effort::Normal, Duration::from_secs(60));
    let mut found = probe(&mut session).unwrap();
    let mut file: MachineFile = toml::from_str("name = \"synthetic\"").unwrap();
    found.figures.take().unwrap()(&mut file);
    file.check().unwrap();
    (found, file.copy_transfer.unwrap())
}

fn mb_s(machine: &Machine, text: &str, bytes: f64) -> f64 {
    let Ok(Composition::Basic(t)) = parse(text) else { panic!("{text}") };
    let at = Machine { block_bytes: Some(bytes), ..machine.clone() };
    at.throughput(t, 1.0).unwrap().mb_s
}

#[test]
fn the_figures_of_the_machine_come_back_inside_of_the_cache_and_outside() {
    let (found, m) = machine(true);
    let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    close(mb_s(&m, "1C1", 8192.0), 1000.0 / 0.05);
    close(mb_s(&m, "1C1", 8e6), 1000.0 / 0.2);
    close(mb_s(&m, "1C64", 8192.0), 1000.0 / 0.4);
    close(mb_s(&m, "64C1", 524_288.0), 1000.0 / 1.6);
    close(mb_s(&m, "0D512", 8192.0), 1000.0 / 1.2);
    // A message informs the receiver, one way.
    close(m.start_ns(Kind::ReceiveStore), 400.0);
    // Between the sizes on both sides of the cache's size, the value lies between the two values. There are more sizes
    // here.
    let between = mb_s(&m, "1C1", 80_000.0);
    assert!((5000.0..20000.0).contains(&between), "{between}");
    let sizes = &m.by_size.iter().find(|f| f.transfer == "1C1").unwrap().points;
    let edge = sizes.windows(2).find(|w| w[0].mb_s != w[1].mb_s).unwrap();
    assert!(edge[1].bytes / edge[0].bytes < 2.1 && sizes[1].bytes / sizes[0].bytes > 3.9, "{sizes:?}");
    assert!(found.missing.iter().any(|m| m.what.contains("kind F")));
    assert!(found.curves.iter().all(|c| c.series.iter().all(|s| s.points.windows(2).all(|w| w[0].x < w[1].x))));
}

#[test]
fn whole_transfers_are_composed_of_what_was_measured() {
    let (_, m) = machine(true);
    let ways = fathom_model::copy_transfer::rank(Pattern::Contiguous, Pattern::Strided(64), &m, 1.0);
    let texts: Vec<String> = ways.iter().map(|w| w.composition.to_string()).collect();
    assert!(texts.contains(&"1S0 || Nadp || 0D64".to_string()), "{texts:?}");
    assert!(texts.iter().any(|t| t.contains("0R1") && t.ends_with("1C64")), "{texts:?}");
}

#[test]
fn without_shared_memory_whole_puts_stand_for_both_sides() {
    let (found, m) = machine(false);
    assert!((mb_s(&m, "Nd", 1e6) - 1000.0 / 1.2).abs() < 1e-6);
    assert!(mb_s(&m, "64S0", 8192.0) < mb_s(&m, "1S0", 8192.0));
    assert!(found.missing.iter().any(|m| m.what.contains("kind D")));
    assert_eq!(m.start_ns(Kind::ReceiveStore), 0.0, "it is in the puts");
    let ways = fathom_model::copy_transfer::rank(Pattern::Strided(64), Pattern::Contiguous, &m, 1.0);
    assert!(ways.iter().all(|w| !w.composition.to_string().contains('D')), "no hardware deposits");
    assert!(!ways.is_empty());
}
