//! Sharing a loop: the cost of entering and leaving a parallel loop by number of threads (PLSO), for upc_forall and for
//! OpenMP, and the serial time from which a parallel loop pays: computed from the cost, and measured.

use crate::passes::{thread_counts, wanted, Case, Passes};
use crate::synchronisation::by_threads::fit_by_threads;
use crate::{Effort, Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_model::laws::Law;
use fathom_profile::{names, Evidence, Missing, Reading, Reason, Series, Value};
use std::time::{Duration, Instant};

const LOOP: &str = "scheduling.loop";
const WORTH: &str = "scheduling.loop_worth";
const SERIAL: &str = "serial";
const PARALLEL: &str = "upc_forall";

/// The series, and the name and subject of its law.
const FORALL: [(&str, Option<(&str, &str)>); 3] = [
    ("upc_forall", Some(("loop", "entering and leaving a upc_forall with a barrier behind it"))),
    ("upc_forall, blocks", None),
    ("upc_forall, no barrier", None),
];
const OPENMP: [(&str, &str, (&str, &str)); 3] = [
    ("OpenMP static", "static", ("openmp-static", "an OpenMP parallel for, schedule static")),
    ("OpenMP dynamic", "dynamic", ("openmp-dynamic", "an OpenMP parallel for, schedule dynamic")),
    ("OpenMP guided", "guided", ("openmp-guided", "an OpenMP parallel for, schedule guided")),
];
/// Iterations per thread of the loop that is compared with a serial one: few, because each costs a mispredicted branch
/// in addition to its work.
const EACH: u64 = 2;
/// Its serial times, relative to the time at which the cost predicts that it pays.
const AROUND: [f64; 7] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0];

/// The most threads that are started only to be measured.
const MOST_THREADS: usize = 128;

pub fn measure(
    session: &mut Session,
    passes: &mut Passes,
    until: Instant,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let processors = processors(session)?;
    let counts = thread_counts(processors, session.effort, MOST_THREADS.max(processors));
    let times = wanted(session.effort);
    let is_brief = session.effort == Effort::Quick;
    let case = |series, threads: usize, stimulus| Case { curve: LOOP, series, x: threads as f64, stimulus };
    // OpenMP's threads belong to one process and are measured last, because its pool stays.
    let parts = counts.len() as u32 + 2;
    let end_of = |session: &Session, part: u32| session.now() + session.left_until(until) / (parts - part);
    for (i, &threads) in counts.iter().enumerate() {
        let mut cases = vec![
            case(FORALL[0].0, threads, Stimulus::new(Kernel::Forall)),
            case(
                FORALL[1].0,
                threads,
                Stimulus::new(Kernel::Forall).with("block", 4).with("iterations", 4 * threads as u64),
            ),
            case(FORALL[2].0, threads, Stimulus::new(Kernel::Forall).with("barrier", 0)),
        ];
        cases.truncate(if is_brief { 1 } else { 3 });
        let end = end_of(session, i as u32);
        if let Err(failure) = session.with_threads(threads, |s| passes.measure(s, &cases, times, end)) {
            findings.note_missing(&format!("{LOOP} of {threads} threads"), failure)?;
        }
    }
    if processors > 1 {
        let end = end_of(session, counts.len() as u32);
        let cost = passes.value("", LOOP, PARALLEL, processors as f64, "").and_then(|v| v.value);
        if let Some(cost) = cost.filter(|c| *c > 0.0) {
            let cases = worth_cases(cost, processors);
            let measured = session.with_threads(processors, |s| passes.measure(s, &cases, times, end));
            measured.or_else(|failure| findings.note_missing(WORTH, failure))?;
        }
    }
    let mut cases = vec![];
    for &(series, schedule, _) in if is_brief { &OPENMP[..1] } else { &OPENMP[..] } {
        let openmp =
            |threads: usize| Stimulus::new(Kernel::Openmp).word("schedule", schedule).with("count", threads as u64);
        cases.extend(counts.iter().map(|threads| case(series, *threads, openmp(*threads))));
    }
    let end = end_of(session, counts.len() as u32 + 1);
    // If OpenMP is missing, this is noted once and not for every point.
    let first = Stimulus::new(Kernel::Openmp).word("schedule", "static").with("count", 1);
    let measured = session.with_threads(1, |s| {
        s.glance(&first, Duration::from_millis(30))?;
        passes.measure(s, &cases, times, end)
    });
    measured.or_else(|failure| findings.note_missing("scheduling.loop of OpenMP", failure))
}

fn processors(session: &mut Session) -> Result<usize, Failure> {
    let samples = session.runner.run(&Stimulus::new(Kernel::Forall), 1, Duration::from_millis(20))?;
    Ok(samples.facts.get(&Fact::Processors).map_or(session.runner.threads(), |p| (*p as usize).max(1)))
}

/// The serial time from which a loop pays at this cost.
fn break_even(cost: f64, processors: usize) -> f64 {
    cost / (1.0 - 1.0 / processors as f64)
}

fn worth_cases(cost: f64, processors: usize) -> Vec<Case> {
    let predicted = break_even(cost, processors);
    let iterations = EACH * processors as u64;
    let cases = AROUND.iter().flat_map(|share| {
        // At least a nanosecond each: the kernel takes whole nanoseconds.
        let each_ns = (predicted * share / iterations as f64).round().max(1.0) as u64;
        let stimulus = |kernel| Stimulus::new(kernel).with("iterations", iterations).with("work_ns", each_ns);
        let x = (each_ns * iterations) as f64;
        [
            Case { curve: WORTH, series: SERIAL, x, stimulus: stimulus(Kernel::Serial) },
            Case { curve: WORTH, series: PARALLEL, x, stimulus: stimulus(Kernel::Forall) },
        ]
    });
    let mut cases: Vec<Case> = cases.collect();
    cases.dedup_by(|a, b| a.x == b.x && a.series == b.series);
    cases
}

pub fn conclude(passes: &Passes, findings: &mut Findings, laws: &mut Vec<Law>) {
    let curves = [
        passes.curve(
            LOOP,
            "Entering and leaving a parallel loop, by the number of threads",
            "threads",
            "ns",
            (true, true),
        ),
        passes.curve(
            WORTH,
            "A loop by one thread and by all, around where they take as long",
            "work_ns",
            "ns",
            (true, true),
        ),
    ];
    findings.curves.extend(curves.into_iter().flatten());
    let Some(processors) = processors_of(passes) else { return };
    for (series, about) in FORALL {
        laws.extend(fit_by_threads(passes, (LOOP, series), processors, about, findings));
    }
    for (series, _, about) in OPENMP {
        laws.extend(fit_by_threads(passes, (LOOP, series), processors, Some(about), findings));
    }
    if processors < 2 {
        findings.missing.push(Missing::new(
            names::BREAK_EVEN_NS,
            Reason::Processors,
            "with one processor no parallel loop wins",
        ));
        return;
    }
    let all = processors as f64;
    let rule = format!("entering and leaving a upc_forall with a barrier, {processors} threads");
    findings.values.extend(passes.value("scheduling.loop.ns", LOOP, PARALLEL, all, &rule));
    let rule = format!("entering and leaving an OpenMP parallel for, schedule static, {processors} threads");
    findings.values.extend(passes.value("scheduling.openmp_loop.ns", LOOP, OPENMP[0].0, all, &rule));
    findings.values.extend(worth(passes, processors));
}

fn processors_of(passes: &Passes) -> Option<usize> {
    let series = passes.series(LOOP).into_iter().find(|s| s.name == PARALLEL)?;
    let x = series.points.first()?.x;
    passes.fact(LOOP, PARALLEL, x, Fact::Processors).map(|p| p as usize)
}

/// The serial time at which one thread and all threads are equally fast, compared with the prediction from the cost of
/// entering.
fn worth(passes: &Passes, processors: usize) -> Option<Value> {
    let cost = passes.value("", LOOP, PARALLEL, processors as f64, "")?.value?;
    let predicted = break_even(cost, processors);
    let series = passes.series(WORTH);
    let of = |name: &str| series.iter().find(|s| s.name == name);
    let crossing = crossing(of(SERIAL)?, of(PARALLEL)?);
    let around = crossing.map_or(vec![], |c| c.1.to_vec());
    let crossing = crossing.map(|c| c.0);
    let evidence = |name: &str| Evidence { curve: WORTH.into(), series: name.into(), at: around.clone() };
    let says = format!("the cost of entering it says {predicted:.0} ns ({cost:.0} / (1 - 1/{processors}))");
    let rule = match crossing {
        Some(ns) => format!("a loop of {ns:.0} ns takes {processors} threads as long as one; {says}"),
        None => format!("{says}; no crossing was measured around it"),
    };
    let sure = crossing.map_or(0.3, |c| (1.0 - (c / predicted).ln().abs()).clamp(0.2, 0.95));
    let low = crossing.map_or(predicted / 2.0, |c| c.min(predicted));
    let high = crossing.map_or(predicted * 2.0, |c| c.max(predicted));
    let value = Value::known(names::BREAK_EVEN_NS, crossing.unwrap_or(predicted), "ns", sure, rule);
    Some(value.between(low, high).resting_on(vec![evidence(SERIAL), evidence(PARALLEL)]))
}

/// The serial time from which the second series stays faster, interpolated between two points, and the two points.
fn crossing(serial: &Series, parallel: &Series) -> Option<(f64, [f64; 2])> {
    let at = |s: &Series, x: f64| s.points.iter().find(|p| p.x == x).copied();
    let both: Vec<(Reading, Reading)> = serial.points.iter().filter_map(|s| Some((*s, at(parallel, s.x)?))).collect();
    let lost = both.iter().rposition(|(s, p)| p.y >= s.y)?;
    let ((s0, p0), (s1, p1)) = (both.get(lost)?, both.get(lost + 1)?);
    let (before, after) = (p0.y - s0.y, s1.y - p1.y);
    let share = if before + after > 0.0 { before / (before + after) } else { 0.5 };
    Some((s0.y + (s1.y - s0.y) * share, [s0.x, s1.x]))
}
