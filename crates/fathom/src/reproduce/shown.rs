//! The table of claims that programs or tests show, below the results of parts.

use super::number;
use fathom_report::Table;
use fathom_simulate::reproduce::{why_programs_differ, By, Expected, Results, Shown};

/// The claims, with what the programs that ran have given.
pub fn text(all: &[&Shown], found: &Results) -> String {
    let mut table = Table::new(["", "", "printed", "ours", "", "shown by", "where"]);
    for one in all {
        let ours = match (one.by, found.get(one.claim.id)) {
            (By::Test(_), _) => "a test".into(),
            (By::Programs(_), None) => "not run".into(),
            (By::Programs(_), Some(value)) => match one.claim.expected {
                Expected::Holds(_) => if *value == 1.0 { "holds" } else { "does not hold" }.into(),
                Expected::Near(_, unit, _) | Expected::Between(_, _, unit) => format!("{} {unit}", number(*value)),
                Expected::Most(..) => number(*value),
            },
        };
        let printed = match one.claim.expected {
            Expected::Near(value, unit, _) => format!("{} {unit}", number(value)),
            Expected::Between(low, high, unit) => format!("{} to {} {unit}", number(low), number(high)),
            Expected::Holds(_) | Expected::Most(..) => "holds".into(),
        };
        let by = match (one.by, one.rests_on(found)) {
            (By::Test(by) | By::Programs(by), None) => by.to_string(),
            (By::Test(by) | By::Programs(by), Some(figure)) => format!("{by}; emergent: {figure}"),
        };
        let mark = if one.passes(found) == Some(false) { "DIFFERS" } else { "" };
        let cells = [one.claim.id, one.claim.what, &printed, &ours, mark, &by, one.claim.source];
        table.push(cells.map(str::trim_end));
    }
    let ran: Vec<bool> = all.iter().filter_map(|one| one.passes(found)).collect();
    let good = ran.iter().filter(|passes| **passes).count();
    let tests = all.iter().filter(|one| matches!(one.by, By::Test(_))).count();
    let open = all.len() - tests - ran.len();
    let mut counts = vec![];
    if !ran.is_empty() {
        counts.push(format!("{good} of {} by whole programs are as printed", ran.len()));
    }
    if open > 0 {
        counts.push(format!("{open} by whole programs, which --programs runs"));
    }
    if tests > 0 {
        counts.push(format!("{tests} by tests of this repository"));
    }
    let differs = all.iter().filter(|one| one.passes(found) == Some(false));
    let why: String = differs
        .filter_map(|one| Some((one.claim.id, why_programs_differ(one.claim.id)?)))
        .map(|(id, why)| format!("  {id} differs: {why}\n"))
        .collect();
    format!(
        "\nNot by parts of the machine, but by what runs:\n\n{}\n{}\n{why}",
        table.text(crate::probe::width()),
        counts.join("; ")
    )
}
