//! The number of looks of a waiting thread before it yields its processor or sleeps.
//!
//! A thread does not know how long it will wait. If it looks for as long as a wake-up takes, and then sleeps, it loses
//! at most as much again as the best choice would (the ski rental argument; Karlin et al. 1991). So the number of looks
//! is the time of a wake-up divided by that of a look, both measured with the runtime's own wait.

use crate::{Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::names::SPINS;
use fathom_profile::{Reason, Value};

/// Long enough to be asleep, short enough for a wait that a program might have spent looking.
const ASLEEP_US: u64 = 50;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let (look, samples) = match session.measure_with_facts(&Stimulus::new(Kernel::Look)) {
        Ok(measured) => measured,
        Err(failure) => return findings.note_missing(SPINS, failure).map(|()| findings),
    };
    if samples.facts.get(&Fact::Crowded) == Some(&1.0) {
        let why = "threads share processors here: who waits yields at once".into();
        return findings.note_missing(SPINS, Failure::Impossible(Reason::Processors, why)).map(|()| findings);
    }
    // A launcher may have given each thread only one processor.
    let stimulus = Stimulus::new(Kernel::Wake).with("idle_us", ASLEEP_US);
    let wake = match session.measure(&stimulus) {
        Err(Failure::Impossible(..)) => session.measure(&stimulus.with("same", 1)),
        other => other,
    };
    let wake = match wake {
        Ok(wake) => wake,
        Err(failure) => return findings.note_missing(SPINS, failure).map(|()| findings),
    };
    let spread = look.spread() + wake.spread();
    let value = |name: &str, unit: &str, e: (f64, f64, f64), rule: String| {
        Value::known(name, e.0, unit, (1.0 - spread).clamp(0.1, 0.95), rule).between(e.1, e.2)
    };
    let looks = spins(wake.value, look.value);
    findings.values = vec![
        value(
            "mechanisms.look.ns",
            "ns",
            (look.value, look.low, look.high),
            "a turn of the runtime's waiting before it first yields: messages are looked for, then a pause".into(),
        ),
        value(
            "mechanisms.wake.ns",
            "ns",
            (wake.value, wake.low, wake.high),
            format!("from the write of a futex to the sleeper's running again, {ASLEEP_US} us asleep"),
        ),
        value(
            SPINS,
            "",
            (looks as f64, spins(wake.low, look.high) as f64, spins(wake.high, look.low) as f64),
            format!(
                "being woken takes {:.0} ns and a look {:.1} ns: who looks for as long, and sleeps then, never waits more than \
                 twice as long as the better of the two",
                wake.value, look.value
            ),
        ),
    ];
    Ok(findings)
}

/// Two digits are enough; never fewer looks than where threads share processors.
fn spins(wake_ns: f64, look_ns: f64) -> u64 {
    let looks = (wake_ns / look_ns.max(0.1)).clamp(20.0, 1e8);
    let step = 10f64.powi(looks.log10().floor() as i32 - 1);
    ((looks / step).round() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Runner, Samples};
    use std::time::Duration;

    /// A wake-up takes 30 us, a look 20 ns.
    struct Machine {
        is_crowded: bool,
    }

    impl Runner for Machine {
        fn threads(&self) -> usize {
            2
        }
        fn run(&mut self, stimulus: &Stimulus, n: usize, _limit: Duration) -> Result<Samples, Failure> {
            let ns = if stimulus.kernel() == Kernel::Wake { 30_000.0 } else { 20.0 };
            let facts = [(Fact::Crowded, f64::from(u8::from(self.is_crowded)))].into();
            Ok(Samples { ns: vec![ns; n], facts, ..Samples::default() })
        }
    }

    fn probed(is_crowded: bool) -> Findings {
        let mut machine = Machine { is_crowded };
        let mut session = Session::new(&mut machine, Effort::Quick, Duration::from_secs(60));
        probe(&mut session).unwrap()
    }

    #[test]
    fn a_thread_looks_for_as_long_as_being_woken_takes() {
        let findings = probed(false);
        let of = |name: &str| findings.values.iter().find(|v| v.name == name).unwrap().value;
        assert_eq!((of(SPINS), of("mechanisms.look.ns")), (Some(1500.0), Some(20.0)));
        assert_eq!((spins(1e3, 100.0), spins(123_456.0, 10.0), spins(1e15, 1.0)), (20, 12_000, 100_000_000));
    }

    #[test]
    fn where_threads_share_processors_nothing_is_decided() {
        let findings = probed(true);
        assert!(findings.values.is_empty() && findings.missing[0].why.contains("yields at once"));
    }
}
