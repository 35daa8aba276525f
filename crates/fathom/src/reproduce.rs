//! `fathom reproduce`: the printed results of the studies beside those of their simulated machines.

use crate::machines;
use crate::probe::output;
use clap::Args;
use fathom_report::{Cell, Table};
use fathom_simulate::reproduce::{reproduce, Class, Expected, Row, Study, STUDIES};
use fathom_toolchain::{Failure, Result};

/// Compare a study's printed results with those of its simulated machine.
///
/// Each line is a result that the study prints, ours, and how ours comes about: `calibration` if the printed figure
/// stands in the machine file and a program finds it again; `inferred` if an inference finds it by times alone;
/// `emergent` if it follows from other figures, or from a mechanism. This is computed: each figure is changed by 5 %,
/// and mechanisms are left out.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The study: t3d or copy-transfer
    #[arg(value_name = "STUDY")]
    study: Option<String>,
    /// Only these results
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave a mechanism out, such as buffer.merges (a switch) or cache (a part); may be repeated
    #[arg(long, value_name = "MECHANISM")]
    without: Vec<String>,
    /// Use this machine file instead of the study's own
    #[arg(long, value_name = "FILE")]
    machine: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  fathom reproduce                                the results of all studies
  fathom reproduce t3d --without buffer.merges    what rests on merging stores?";

pub fn main(options: &Options) -> Result<()> {
    let mut failed = 0;
    for study in chosen(options)? {
        let name = options.machine.as_deref().unwrap_or(study.machine);
        let mut description = machines::simulated(name)?;
        let invalid = |why: String| Failure::new(format!("the machine `{name}` cannot be simulated: {why}"));
        for mechanism in &options.without {
            let hint = "a mechanism is a part, or a switch of a part; `fathom model --list NAME` prints them";
            description = description.without(mechanism).map_err(|why| Failure::new(why).hint(hint))?;
        }
        let mut rows = reproduce(study, &description).map_err(invalid)?;
        if let Some(unknown) = options.only.iter().find(|id| !rows.iter().any(|r| r.claim.id == **id)) {
            return Err(Failure::new(format!("there is no program for `{unknown}`")).hint(without_program(study)));
        }
        rows.retain(|r| options.only.is_empty() || options.only.iter().any(|id| id == r.claim.id));
        failed += rows.iter().filter(|r| !r.passes && r.differs.is_none()).count();
        output::say(&text(study, &rows));
    }
    match failed {
        0 => Ok(()),
        1 => Err(Failure::new("one result differs from what is printed")),
        n => Err(Failure::new(format!("{n} results differ from what is printed"))),
    }
}

fn chosen(options: &Options) -> Result<Vec<&'static Study>> {
    let Some(name) = &options.study else { return Ok(STUDIES.iter().collect()) };
    let found: Vec<&Study> = STUDIES.iter().filter(|s| s.id == name).collect();
    if found.is_empty() {
        let mut known: Vec<&str> = STUDIES.iter().map(|s| s.id).collect();
        known.dedup();
        return Err(
            Failure::new(format!("there is no study `{name}`")).hint(format!("the studies are {}", known.join(", ")))
        );
    }
    Ok(found)
}

fn text(study: &Study, rows: &[Row]) -> String {
    let mut table = Table::new(["", "", "printed", "ours", "", "how", "where"]);
    for row in rows {
        table.push(cells(row));
    }
    let passes = rows.iter().filter(|r| r.passes).count();
    let of = |wanted: fn(&Class) -> bool| rows.iter().filter(|r| r.passes && wanted(&r.class)).count();
    format!(
        "{}\n\n{}\n{passes} of {} results are as printed: {} calibrations, {} inferred, {} emergent, {} neither shown\n\n{}",
        study.name,
        table.text(crate::probe::width()),
        rows.len(),
        of(|c| matches!(c, Class::Calibration(_))),
        of(|c| matches!(c, Class::Inferred(_))),
        of(|c| matches!(c, Class::Emergent(_))),
        of(|c| matches!(c, Class::Open)),
        differs(rows) + &without_program(study) + "\n",
    )
}

/// The reasons that are known for results that differ.
fn differs(rows: &[Row]) -> String {
    let lines: Vec<String> = rows.iter().filter_map(|r| Some(format!("\n  {}: {}", r.claim.id, r.differs?))).collect();
    match lines[..] {
        [] => String::new(),
        _ => format!("known to differ:{}\n", lines.concat()),
    }
}

fn without_program(study: &Study) -> String {
    let lines: Vec<String> = study.left_out.iter().map(|(ids, why)| format!("{ids}: {why}")).collect();
    format!("without a program here:\n  {}", lines.join("\n  "))
}

/// At most this many figures are named.
const NAMED: usize = 3;

fn cells(row: &Row) -> [Cell; 7] {
    let number = |value: f64| {
        let text = if value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.3}") };
        let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        if value.is_nan() {
            "not found".into()
        } else {
            short.to_string()
        }
    };
    let holds = |is: bool| if is { "holds" } else { "does not hold" };
    let (printed, ours) = match row.claim.expected {
        Expected::Near(value, unit, _) => (format!("{} {unit}", number(value)), format!("{} {unit}", number(row.ours))),
        Expected::Between(low, high, unit) => {
            (format!("{} to {} {unit}", number(low), number(high)), format!("{} {unit}", number(row.ours)))
        }
        Expected::Holds(_) => (holds(true).into(), holds(row.ours == 1.0).into()),
    };
    let how = match &row.class {
        Class::Calibration(figure) => format!("calibration: {figure}"),
        Class::Inferred(figure) => format!("inferred: {figure}"),
        Class::Emergent(from) => {
            let named = from.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("emergent: {named}{}", if from.len() > NAMED { ", …" } else { "" })
        }
        Class::Open => String::new(),
    };
    [
        row.claim.id.into(),
        row.claim.what.into(),
        printed.trim_end().into(),
        ours.trim_end().into(),
        match (row.passes, row.differs) {
            (true, _) => "",
            (false, None) => "DIFFERS",
            (false, Some(_)) => "differs",
        }
        .into(),
        how.as_str().into(),
        row.claim.source.into(),
    ]
}
