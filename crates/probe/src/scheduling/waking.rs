//! Giving up the processor, and getting it back: a context switch, a yield, and the time until a sleeper runs again.
//!
//! The last decides how long to look before sleeping. A thread does not know how long it will wait. If it looks for as
//! long as sleeping would cost, and then sleeps, it loses at most as much again as the best choice would (the ski
//! rental argument; Karlin et al. 1991). The cost of sleeping is the time from the waker's write until the sleeper runs
//! again.

use crate::passes::{wanted, Case, Passes};
use crate::{Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::Value;
use std::time::Instant;

const SWITCH: &str = "scheduling.switch";
const WAKE: &str = "scheduling.wake";
/// The time the sleeper has slept: the longer an idle processor waits, the deeper its idle state.
const IDLE_US: [u64; 5] = [20, 50, 200, 1000, 5000];
/// Long enough to be asleep, short enough for a wait that a program might have spent looking.
const USUAL_US: u64 = 50;

pub fn measure(session: &mut Session, passes: &mut Passes, until: Instant, _: &mut Findings) -> Result<(), Failure> {
    let case = |curve, series, x: u64, stimulus| Case { curve, series, x: x as f64, stimulus };
    let mut cases = vec![
        case(SWITCH, "a switch between processes", 1, Stimulus::new(Kernel::Switch)),
        case(SWITCH, "yield, alone", 0, Stimulus::new(Kernel::Yield)),
        case(SWITCH, "yield, to another process", 1, Stimulus::new(Kernel::Yield).with("others", 1)),
    ];
    for idle in IDLE_US {
        let wake = Stimulus::new(Kernel::Wake).with("idle_us", idle);
        cases.push(case(WAKE, "another processor", idle, wake.clone()));
        if idle == USUAL_US {
            cases.push(case(WAKE, "the same processor", idle, wake.with("same", 1)));
        }
    }
    passes.measure(session, &cases, wanted(session.effort), until)
}

pub fn conclude(passes: &Passes, findings: &mut Findings) {
    let curves = [
        passes.curve(SWITCH, "A switch between two processes, and yields", "others", "ns", (false, false)),
        passes.curve(
            WAKE,
            "From the waking of a process to its running again, by how long it has slept",
            "idle_us",
            "ns",
            (true, true),
        ),
    ];
    findings.curves.extend(curves.into_iter().flatten());
    let usual = USUAL_US as f64;
    let rule = format!(
        "from the write of a futex to the sleeper's reading the clock on another processor, {USUAL_US} us asleep"
    );
    let wake = passes.value("scheduling.wake.ns", WAKE, "another processor", usual, &rule).or_else(|| {
        passes.value(
            "scheduling.wake.ns",
            WAKE,
            "the same processor",
            usual,
            "as before, on the one processor there is",
        )
    });
    let values = [
        passes.value(
            "scheduling.switch.ns",
            SWITCH,
            "a switch between processes",
            1.0,
            "from a process to another on its processor, by pipes, without their cost",
        ),
        passes.value(
            "scheduling.yield.ns",
            SWITCH,
            "yield, alone",
            0.0,
            "sched_yield where nobody else wants the processor",
        ),
        passes.value(
            "scheduling.yield_switch.ns",
            SWITCH,
            "yield, to another process",
            1.0,
            "sched_yield beside another process that yields",
        ),
        wake.as_ref().and_then(|wake| wake_call(passes, wake)),
        wake.as_ref().map(spin),
        wake.clone(),
    ];
    findings.values.extend(values.into_iter().flatten());
}

/// The waker's cost.
fn wake_call(passes: &Passes, wake: &Value) -> Option<Value> {
    let series =
        if wake.evidence.first()?.series.starts_with("another") { "another processor" } else { "the same processor" };
    let ns = passes.fact(WAKE, series, USUAL_US as f64, Fact::CallNs)?;
    let rule = "the time of the system call that wakes a sleeper, mean of each look, median of all";
    let value = Value::known("scheduling.wake_call.ns", ns, "ns", wake.confidence, rule);
    Some(value.resting_on(wake.evidence.clone()))
}

fn spin(wake: &Value) -> Value {
    let rule = format!(
        "who looks for as long as being woken takes ({:.0} ns), and sleeps then, never waits more than twice as long as the better of the two",
        wake.value.unwrap_or(f64::NAN)
    );
    wake.clone().renamed("scheduling.spin.ns", rule)
}
