//! Barriers: the program's own, in two halves, of teams, the version with messages, and some that the runtime does not
//! have.

use super::by_threads::{fit_by_threads, is_brief};
use crate::passes::{Case, Passes};
use crate::{Effort, Findings, Kernel, Stimulus};
use fathom_model::laws::Law;
use fathom_profile::Value;

pub const BARRIER: &str = "synchronisation.barrier";
const TEAM: &str = "synchronisation.team";
const SPLIT: &str = "synchronisation.split";
const FLAG: &str = "synchronisation.flag";

/// The series' name, which is the kernel's word; the name and subject of its law.
const KINDS: [(&str, Option<(&str, &str)>); 7] = [
    ("world", Some(("barrier", "a barrier at which all arrive together"))),
    ("split", None),
    ("team", Some(("team-barrier", "a barrier of a team at which all arrive together"))),
    ("messages", Some(("message-barrier", "a barrier over active messages at which all arrive together"))),
    ("dissemination", None),
    ("central", None),
    ("posix", None),
];

/// ns of work between notify and wait.
const WORK_NS: [u64; 6] = [50, 100, 200, 500, 1000, 5000];

/// The cases with this many threads.
pub fn cases(threads: usize, processors: usize, effort: Effort) -> Vec<Case> {
    let case = |curve, series, x: usize, stimulus| Case { curve, series, x: x as f64, stimulus };
    let barrier = |kind| Stimulus::new(Kernel::Barrier).word("kind", kind);
    let kinds = if is_brief(effort) { &KINDS[..4] } else { &KINDS[..] };
    let mut cases: Vec<Case> = kinds.iter().map(|(kind, _)| case(BARRIER, kind, threads, barrier(kind))).collect();
    if threads >= 2 && (threads == 2 || threads == 2 * processors) {
        let series = if threads > processors { "crowded, sleeping" } else { "sleeping" };
        cases.push(case(FLAG, series, threads, Stimulus::new(Kernel::Flag).word("wait", "gas")));
    }
    if threads == 2 && processors >= 2 {
        cases.push(case(FLAG, "looking", 2, Stimulus::new(Kernel::Flag)));
    }
    // Work of the barrier's length, and longer, shows how much of the barrier a program can hide.
    if threads == processors && threads > 1 {
        let work = if is_brief(effort) { &WORK_NS[3..5] } else { &WORK_NS[..] };
        cases.extend(
            work.iter().map(|ns| case(SPLIT, "left over", *ns as usize, barrier("split").with("work_ns", *ns))),
        );
        let members = crate::passes::thread_counts(processors, effort, processors);
        let team = |n: &usize| case(TEAM, "members", *n, barrier("team").with("members", *n as u64));
        cases.extend(members.iter().filter(|n| **n > 1).map(team));
    }
    cases
}

pub fn conclude(passes: &Passes, counts: &[usize], processors: usize, findings: &mut Findings, laws: &mut Vec<Law>) {
    let curves = [
        passes.curve(BARRIER, "A barrier, by the number of threads", "threads", "ns", (true, true)),
        passes.curve(TEAM, "A barrier of some of the threads, while the others sleep", "members", "ns", (true, true)),
        passes.curve(
            SPLIT,
            "What is left of a barrier in two halves with work between them",
            "work_ns",
            "ns",
            (true, true),
        ),
        passes.curve(
            FLAG,
            "From one thread's write of a flag to another's having seen it",
            "threads",
            "ns",
            (false, true),
        ),
    ];
    findings.curves.extend(curves.into_iter().flatten());
    for (kind, about) in KINDS {
        laws.extend(fit_by_threads(passes, (BARRIER, kind), processors, about, findings));
    }
    fit_by_threads(passes, (TEAM, "members"), processors, None, findings);

    let all = processors as f64;
    let beyond = counts.iter().copied().filter(|n| *n >= 2 * processors && *n > processors).min();
    let mut value = |name: &str, curve, series, x, rule: &str| {
        findings.values.extend(passes.value(name, curve, series, x, rule));
    };
    if processors > 1 {
        value("synchronisation.barrier.ns", BARRIER, "world", all, "a barrier with a thread on each processor");
        value(
            "synchronisation.team_barrier.ns",
            BARRIER,
            "team",
            all,
            "a team's barrier with a thread on each processor",
        );
        value("synchronisation.message_barrier.ns", BARRIER, "messages", all, "a barrier over active messages");
    }
    if let Some(beyond) = beyond.map(|n| n as f64) {
        let rule = format!("a barrier of {beyond} threads on {processors} processors");
        value("synchronisation.crowded_barrier.ns", BARRIER, "world", beyond, &rule);
    }
    value("synchronisation.flag.ns", FLAG, "looking", 2.0, "from one thread's write to another's having read it");
    findings.values.extend(hidden(passes, all));
    findings.values.extend(best(passes, all));
}

/// The greatest share of a barrier that can be hidden behind work: the remainder after the longest work, compared with
/// the whole.
fn hidden(passes: &Passes, processors: f64) -> Option<Value> {
    let whole = passes.value("", BARRIER, "split", processors, "")?.value?;
    let series = passes.series(SPLIT);
    let longest = series.first()?.points.iter().max_by(|a, b| a.x.total_cmp(&b.x))?;
    let left = passes.value("", SPLIT, "left over", longest.x, "")?;
    let share = |ns: f64| (1.0 - ns / whole).clamp(0.0, 1.0);
    let rule = format!(
        "of {whole:.0} ns for notify and wait, {:.0} ns are left over when {} ns of work stand between them",
        left.value.unwrap_or(f64::NAN),
        longest.x
    );
    Some(left.renamed("synchronisation.split_hidden", rule).map("", share))
}

/// The runtime's barrier, compared with the fastest measured barrier.
fn best(passes: &Passes, processors: f64) -> Option<Value> {
    let of = |kind| passes.value("", BARRIER, kind, processors, "").filter(|_| processors > 1.0);
    let own = of("world")?;
    let all = KINDS.iter().filter_map(|(kind, _)| Some((*kind, of(kind)?.value?)));
    let (kind, ns) = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let rule = format!("the barrier's time over that of the fastest kind, `{kind}` with {ns:.0} ns");
    Some(own.renamed("synchronisation.barrier_over_best", rule).map("", |v| v / ns))
}
