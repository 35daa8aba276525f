//! Locks: alone, and wanted by all threads all the time; the time of the hand-over by how long the lock is held; and
//! whether every thread gets its turn.

use super::by_threads::{fit_by_threads, is_brief};
use crate::passes::{Case, Passes};
use crate::{Effort, Fact, Findings, Kernel, Stimulus};
use fathom_model::laws::Law;
use fathom_profile::{names, Curve, Evidence, Reading, Series, Value};

const ALONE: &str = "synchronisation.lock_alone";
const CONTENDED: &str = "synchronisation.lock";
const HELD: &str = "synchronisation.lock_held";
const FAIRNESS: &str = "synchronisation.lock_fairness";

/// The runtime's lock, and two to compare it with: pthread_mutex and test-and-set, neither of which is fair.
const KINDS: [&str; 3] = ["gas", "posix", "spin"];
/// The times for which the lock is held, in addition to the shortest possible time.
const HOLD_NS: [u64; 3] = [100, 1000, 10_000];

/// The cases with this many threads.
pub fn cases(threads: usize, processors: usize, effort: Effort) -> Vec<Case> {
    let brief = is_brief(effort);
    let case = |curve, series, x: f64, stimulus| Case { curve, series, x, stimulus };
    let lock = |kernel, kind| Stimulus::new(kernel).word("kind", kind);
    let mut cases = vec![];
    if threads == processors {
        let alone = |kind| case(ALONE, kind, 0.0, lock(Kernel::LockAlone, kind));
        cases.extend(["gas", "upc", "posix", "spin"].map(alone));
        if threads > 1 {
            cases.push(case(ALONE, "gas", 1.0, lock(Kernel::LockAlone, "gas").with("owner", 1)));
        }
    }
    if threads > 1 {
        let kinds = if brief { &KINDS[..1] } else { &KINDS[..] };
        cases.extend(kinds.iter().map(|kind| case(CONTENDED, kind, threads as f64, lock(Kernel::Lock, kind))));
    }
    let series = if threads == processors { "a processor each" } else { "crowded" };
    if threads > 1 && (threads == processors || threads == 2 * processors) {
        let held = if brief { &HOLD_NS[1..2] } else { &HOLD_NS[..] };
        cases.extend(
            held.iter().map(|&ns| case(HELD, series, ns as f64, lock(Kernel::Lock, "gas").with("hold_ns", ns))),
        );
    }
    cases
}

pub fn conclude(passes: &Passes, counts: &[usize], processors: usize, findings: &mut Findings, laws: &mut Vec<Law>) {
    let curves = [
        passes.curve(
            ALONE,
            "Taking and releasing a lock that nobody else wants: on thread 0 (the own one) and on thread 1",
            "owner",
            "ns",
            (false, false),
        ),
        passes.curve(
            CONTENDED,
            "From one entry to the next, of a lock that all threads want all the time",
            "threads",
            "ns",
            (true, true),
        ),
        passes
            .curve(
                HELD,
                "From one entry to the next, less the time for which the lock is held",
                "hold_ns",
                "ns",
                (true, true),
            )
            .map(|curve| less_hold(passes, curve)),
        fairness(passes, counts),
    ];
    findings.curves.extend(curves.into_iter().flatten());
    for kind in KINDS {
        let about =
            (kind == "gas").then_some(("lock", "a passage of a lock that all want, held for as short as can be"));
        laws.extend(fit_by_threads(passes, (CONTENDED, kind), processors, about, findings));
    }
    let all = processors as f64;
    let values = [
        passes.value(names::LOCK_NS, ALONE, "gas", 0.0, "taking and releasing a lock of its own that nobody wants"),
        passes.value(names::UPC_LOCK_NS, ALONE, "upc", 0.0, "upc_lock and upc_unlock of a lock that nobody wants"),
        passes.value(
            "synchronisation.lock_passage.ns",
            CONTENDED,
            "gas",
            all,
            "from one entry to the next, all processors",
        ),
        hand_over(passes),
        fair(passes, all),
    ];
    findings.values.extend(values.into_iter().flatten());
}

/// The time of the work inside according to the kernel, which differs by some nanoseconds from the requested time.
fn hold_ns(passes: &Passes, series: &'static str, x: f64) -> f64 {
    passes.fact(HELD, series, x, Fact::HoldNs).unwrap_or(x)
}

fn series_named(name: &str) -> &'static str {
    if name == "crowded" {
        "crowded"
    } else {
        "a processor each"
    }
}

fn less_hold(passes: &Passes, mut curve: Curve) -> Curve {
    for series in &mut curve.series {
        let name = series_named(&series.name);
        for point in &mut series.points {
            let hold = hold_ns(passes, name, point.x);
            (point.y, point.low, point.high) = (point.y - hold, point.low - hold, point.high - hold);
        }
    }
    curve
}

/// The time from a release to the next thread's entry, when the lock is held for a while: the time of a passage minus
/// the hold.
fn hand_over(passes: &Passes) -> Option<Value> {
    let (series, x) = ("a processor each", HOLD_NS[1] as f64);
    let rule =
        format!("from a release to the next thread's entry, the lock being held for {x} ns: a passage less the hold");
    let whole = passes.value(names::LOCK_HANDOVER_NS, HELD, series, x, &rule)?;
    let hold = hold_ns(passes, series, x);
    Some(whole.map("ns", |v| (v - hold).max(0.0)))
}

/// The fairness index of Jain, by number of threads: 1 if all enter equally often, 1/threads if one thread enters alone.
fn fairness(passes: &Passes, counts: &[usize]) -> Option<Curve> {
    let of = |kind: &'static str| {
        let point = |n: &usize| {
            let y = passes.fact(CONTENDED, kind, *n as f64, Fact::Jain)?;
            Some(Reading { x: *n as f64, y, low: y, high: y, samples: 1, outliers: 0 })
        };
        Series::new(kind, counts.iter().filter_map(point).collect())
    };
    let series: Vec<Series> = KINDS.map(of).into_iter().filter(|s| !s.points.is_empty()).collect();
    (!series.is_empty()).then(|| Curve {
        name: FAIRNESS.into(),
        title: "Fairness of a lock that all threads want all the time (1: equal turns; 1/threads: one has them all)"
            .into(),
        x: "threads".into(),
        y: "index".into(),
        log_x: true,
        log_y: false,
        series,
    })
}

fn fair(passes: &Passes, processors: f64) -> Option<Value> {
    let jain = passes.fact(CONTENDED, "gas", processors, Fact::Jain)?;
    let least = passes.fact(CONTENDED, "gas", processors, Fact::LeastShare)?;
    let rule = format!(
        "Jain's index of the entries of {processors} threads; who entered least often had {:.0} % of a fair share",
        100.0 * least
    );
    let evidence = Evidence { curve: CONTENDED.into(), series: "gas".into(), at: vec![processors] };
    Some(Value::known("synchronisation.lock_fairness", jain, "", 0.9, rule).resting_on(vec![evidence]))
}
