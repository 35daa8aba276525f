//! What became of each claim of the project's list ([`LISTED`]): as printed, different, in part, or not reproduced, always
//! with the reason. Nothing is decided here: the results of the studies, the claims that programs and tests show, and the
//! reasons in the studies' lists are put together by number.

use super::listed::{claim_of, Listed, LISTED};
use super::{shown, why_differs, why_programs_differ, By, Class, Report, Results, Row, Study, STUDIES};

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every result of it is as printed.
    AsPrinted,
    /// What there is of it is as printed, and another part of it has no program.
    InPart,
    /// A result of it differs from what is printed.
    Differs,
    /// Nothing shows it.
    NotReproduced,
    /// Whole programs show it, which did not run.
    NotRun,
}

impl Verdict {
    pub const ALL: [Verdict; 5] =
        [Verdict::AsPrinted, Verdict::InPart, Verdict::Differs, Verdict::NotReproduced, Verdict::NotRun];

    pub fn words(self) -> &'static str {
        match self {
            Verdict::AsPrinted => "as printed",
            Verdict::InPart => "in part",
            Verdict::Differs => "differs",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotRun => "not run",
        }
    }
}

/// How the results of a claim come about that are as printed: how many of each class. A table counts by its figures'
/// classes, as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    pub emergent: usize,
    pub inferred: usize,
    pub calibrations: usize,
    /// Tables with figures of both classes.
    pub mixed: usize,
    /// Statements that nothing could break.
    pub open: usize,
    pub programs: usize,
    pub tests: usize,
}

impl Classes {
    fn add(&mut self, class: &Class) {
        *match class {
            Class::Emergent(_) | Class::Table { calibrations: 0, .. } => &mut self.emergent,
            Class::Inferred(_) => &mut self.inferred,
            Class::Calibration(_) | Class::Table { emergent: 0, .. } => &mut self.calibrations,
            Class::Table { .. } => &mut self.mixed,
            Class::Open => &mut self.open,
        } += 1;
    }

    /// Each class with its number.
    pub fn words(&self) -> Vec<(usize, &'static str)> {
        let all = [
            (self.emergent, "emergent"),
            (self.inferred, "inferred"),
            (self.calibrations, "calibration"),
            (self.mixed, "emergent and calibrations"),
            (self.open, "holds"),
            (self.programs, "by programs"),
            (self.tests, "by a test"),
        ];
        all.into_iter().filter(|(n, _)| *n > 0).collect()
    }

    fn is_only(&self, emergent: usize, inferred: usize) -> bool {
        *self == Classes { emergent, inferred, ..Classes::default() } && emergent + inferred > 0
    }
}

/// A claim with what became of it.
pub struct Entry {
    pub listed: &'static Listed,
    pub verdict: Verdict,
    pub classes: Classes,
    /// Where it is shown: the machines whose results have its number, programs, tests.
    pub by: Vec<String>,
    /// Why it differs, or is not reproduced.
    pub why: Vec<&'static str>,
}

impl Entry {
    /// Whether all of it follows from other figures or from mechanisms.
    pub fn is_emergent(&self) -> bool {
        self.verdict == Verdict::AsPrinted && self.classes.is_only(self.classes.emergent, 0)
    }

    /// Whether it is one or several sizes that inferences find from times alone, beside what is emergent.
    pub fn is_inferred(&self) -> bool {
        let Classes { emergent, inferred, .. } = self.classes;
        self.verdict == Verdict::AsPrinted && inferred > 0 && self.classes.is_only(emergent, inferred)
    }
}

/// All claims of the list, with what became of them in these reports and in the programs that ran.
pub fn verdicts(reports: &[(&'static Study, &Report)], found: &Results) -> Vec<Entry> {
    LISTED.iter().map(|listed| entry(listed, reports, found)).collect()
}

fn entry(listed: &'static Listed, reports: &[(&'static Study, &Report)], found: &Results) -> Entry {
    let mut entry =
        Entry { listed, verdict: Verdict::NotReproduced, classes: Classes::default(), by: vec![], why: vec![] };
    let (mut differs, mut open) = (false, false);
    for (study, report) in reports {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| claim_of(row.claim.id) == listed.id).collect();
        if !rows.is_empty() {
            entry.by.push(format!("machine {}", study.machine));
        }
        for row in &rows {
            if row.passes {
                entry.classes.add(&row.class);
            } else if !is_read_otherwise(study, row, &rows) {
                differs = true;
                entry.why.extend(why_differs(study, row.claim.id));
            }
        }
    }
    let mut studies: Vec<&str> = reports.iter().map(|(study, _)| study.id).collect();
    studies.dedup();
    for one in studies.iter().flat_map(|study| shown(study)).filter(|one| claim_of(one.claim.id) == listed.id) {
        match (one.by, one.passes(found)) {
            (By::Test(_), _) => entry.classes.tests += 1,
            (By::Programs(_), None) => open = true,
            (By::Programs(_), Some(true)) => entry.classes.programs += 1,
            (By::Programs(_), Some(false)) => {
                differs = true;
                entry.why.extend(why_programs_differ(one.claim.id));
            }
        }
        let (By::Test(by) | By::Programs(by)) = one.by;
        entry.by.push(by.into());
    }
    let reasons = reports.iter().flat_map(|(study, _)| study.left_out).filter(|(ids, _)| ids.contains(&listed.id));
    let mut reasons: Vec<&'static str> = reasons.map(|(_, why)| *why).collect();
    reasons.dedup();
    entry.verdict = match () {
        () if entry.by.is_empty() => Verdict::NotReproduced,
        () if differs => Verdict::Differs,
        () if open => Verdict::NotRun,
        () if reasons.is_empty() => Verdict::AsPrinted,
        () => Verdict::InPart,
    };
    entry.why.extend(reasons);
    entry.why.dedup();
    entry.by.dedup();
    entry
}

/// Whether another reading of the same printed figure is as printed: some of the studies' labels are doubtful.
fn is_read_otherwise(study: &Study, row: &Row, rows: &[&Row]) -> bool {
    let readings = study.readings.iter().find(|of| of.contains(&row.claim.id));
    readings.is_some_and(|of| rows.iter().any(|other| other.passes && of.contains(&other.claim.id)))
}

/// How many claims came to this.
pub fn count(entries: &[Entry], verdict: Verdict) -> usize {
    entries.iter().filter(|entry| entry.verdict == verdict).count()
}

/// Whether something of the studies has this claim: a result, a program, a test, or the reason why there is none.
pub fn is_covered(id: &str) -> bool {
    STUDIES.iter().any(|study| {
        study.claims.iter().any(|c| claim_of(c.id) == id)
            || shown(study.id).iter().any(|s| claim_of(s.claim.id) == id)
            || study.left_out.iter().any(|(ids, _)| ids.contains(&id))
    })
}
