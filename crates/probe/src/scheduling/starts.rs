//! Starting n processes, POSIX threads or threads of a job that do nothing, and waiting until all have ended.

use crate::fits::{self, About};
use crate::passes::{Case, Passes};
use crate::{Effort, Failure, Findings, Kernel, Session, Stimulus};
use fathom_model::answer::Unit;
use fathom_model::fit::Form;
use fathom_model::laws::Law;
use fathom_profile::{Evidence, Missing, Reason, Value};
use std::time::Instant;

const START: &str = "scheduling.start";

/// The kernel, and the method of starting.
type How = (Kernel, Option<&'static str>);

/// The series, its kernel, and the name and subject of its law.
const KINDS: [(&str, How, (&str, &str)); 6] = [
    ("job", (Kernel::Job, None), ("start", "starting and ending a job of threads that do nothing")),
    ("POSIX thread", (Kernel::Thread, None), ("pthread", "starting and joining POSIX threads that do nothing")),
    ("fork", (Kernel::Process, Some("fork")), ("fork", "forking processes that end at once, and waiting for them")),
    ("fork and exec", (Kernel::Process, Some("exec")), ("fork-exec", "running /bin/true, by fork and exec")),
    ("vfork and exec", (Kernel::Process, Some("vfork")), ("vfork-exec", "running /bin/true, by vfork and exec")),
    ("posix_spawn", (Kernel::Process, Some("spawn")), ("spawn", "running /bin/true, by posix_spawn")),
];

pub fn measure(session: &mut Session, passes: &mut Passes, until: Instant, _: &mut Findings) -> Result<(), Failure> {
    let (counts, times): (&[u64], usize) = match session.effort {
        Effort::Quick => (&[1, 2, 4, 8], 2),
        Effort::Normal => (&[1, 2, 3, 4, 6, 8, 12, 16], 2),
        Effort::Thorough => (&[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64], 3),
    };
    let mut cases = vec![];
    for &count in counts {
        for (series, (kernel, how), _) in KINDS {
            let stimulus = Stimulus::new(kernel).with("count", count);
            let stimulus = how.map_or(stimulus.clone(), |how| stimulus.word("how", how));
            cases.push(Case { curve: START, series, x: count as f64, stimulus });
        }
    }
    passes.measure(session, &cases, times, until)
}

pub fn conclude(passes: &Passes, findings: &mut Findings, laws: &mut Vec<Law>) {
    let title = "Starting so many, and waiting until all have ended";
    findings.curves.extend(passes.curve(START, title, "count", "ns", (true, true)));
    // The study's form, and its two special cases; other effects (the system's limits) are not extrapolated.
    let forms = [Form::Constant, Form::Linear, Form::Affine];
    for (series, _, (name, what)) in KINDS {
        let points = passes.points(START, series);
        if points.is_empty() {
            continue;
        }
        let plan = fits::Plan { forms: &forms, ..fits::Plan::new(START, series) };
        let of = if name == "start" || name == "pthread" { "threads" } else { "processes" };
        let about = About { name, what, of, unit: Unit::Nanoseconds, source: "measured on this machine", note: None };
        match plan.fit(&points) {
            Ok(fitted) => {
                findings.fits.push(fitted.curve.clone());
                laws.extend(fits::law(&about, &[fitted]));
            }
            Err(why) => findings.missing.push(Missing::new(format!("fit of {START} ({series})"), Reason::Other, why)),
        }
        let rule = format!("one: {what}");
        let value = passes.value(&format!("scheduling.{}.ns", name.replace('-', "_")), START, series, 1.0, &rule);
        findings.values.extend(value);
    }
    findings.values.extend(each_more(findings, "start", "job"));
    findings.values.extend(each_more(findings, "pthread", "POSIX thread"));
}

/// The cost of one more: the slope of the fit.
fn each_more(findings: &Findings, name: &str, series: &str) -> Option<Value> {
    let fit = findings.fits.iter().find(|f| f.curve == START && f.series == series)?;
    let slope = fit.coefficients.iter().find(|c| c.name == "b")?;
    let rule = format!("the slope of {}, fitted to {} points", fit.formula, fit.points);
    let evidence = Evidence { curve: START.into(), series: series.into(), at: vec![fit.from, fit.to] };
    let value = Value::known(format!("scheduling.{name}_each.ns"), slope.value, "ns", 0.95, rule);
    Some(value.between(slope.low, slope.high).resting_on(vec![evidence]))
}
