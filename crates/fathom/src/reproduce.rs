//! `fathom reproduce`: the printed results of the studies beside those of their simulated machines.

mod claims;
mod now;
mod page;
mod programs;
mod shown;

use crate::machines;
use crate::probe::output;
use clap::Args;
use fathom_machine::description::Content;
use fathom_machine::{Description, Figure};
use fathom_report::{Cell, Table};
use fathom_simulate::reproduce::{
    claim_of, report, shown as shown_of, why_differs, why_programs_differ, Class, Expected, Ledger, Report, Results,
    Row, Shown, Study, SAMPLES, STUDIES,
};
use fathom_toolchain::{Failure, Result};
use std::path::PathBuf;

/// Compare a study's printed results with those of its simulated machine.
///
/// Each line is a result: what the study prints, ours, and how ours comes about.
///
/// Printed: a figure with its unit, for which the study's list here has a
/// tolerance; a range; `holds`, a statement that is true or not; `56 of 72 within
/// 10 %`, a table that says beforehand how many figures must agree. Where a label
/// of a study is doubtful, each reading has a line of its own (C05, C05.2), and
/// one that agrees is enough for the claim. DIFFERS marks a result outside of
/// that; below the table stands why.
///
/// How, which is computed and not asserted: each figure of the machine file is
/// changed by 5 % up and down (doubled and halved if it is a whole number), which
/// gives the elasticity, a result's relative change by the figure's. Each
/// statement is asked again without its mechanism (ablation), or with it if the
/// statement says that the machine has none.
///   calibration  the printed figure stands in the machine file, and a program
///                finds it again: this checks the program, not the machine
///   inferred     a size or a number stands in the file, and an inference finds
///                it from times alone
///   emergent     it follows from these figures, which differ from it (the
///                strongest first), or does not hold without this mechanism
///   (nothing)    no change here moves or breaks it; `holds` in --claims
///   in N of 50 samples
///                what is assumed was drawn anew within its ranges, and so often
///                the result was as printed; in less than half of them it
///                depends on an assumption, which is named
///
/// Verdicts of --claims, with a reason for each that is not as printed:
///   as printed      every result of the claim agrees
///   in part         what has a program agrees, something else of it has none
///   differs         a result differs
///   not reproduced  nothing shows it
///   not run         whole programs show it, which --programs runs
///
/// The exit status is 0 if every result is as printed or differs for a reason
/// that the study's list here names, and 1 if another result differs.
#[derive(Args)]
#[command(after_help = EXAMPLES, verbatim_doc_comment)]
pub struct Options {
    /// The study: t3d, workstation, spp1000, copy-transfer, x1, voyager or now
    #[arg(value_name = "STUDY")]
    study: Option<String>,
    /// Only these results: T64a, or T64 for T64a and T64b
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Print what became of each of the 171 claims of the studies: as printed, in part, different, or not reproduced, with
    /// class and reason. Those that whole programs show need --programs
    #[arg(long, conflicts_with_all = ["only", "html", "machine"])]
    claims: bool,
    /// Leave a mechanism out, such as buffer.merges (a switch) or cache (a part); may be repeated. What then differs rests on
    /// it. A name that the machine does not have is answered by those that it has
    #[arg(long, value_name = "MECHANISM")]
    without: Vec<String>,
    /// Run the whole programs that show some of the claims, on the simulated machine: they need a C compiler
    #[arg(long)]
    programs: bool,
    /// Use this machine file instead of the study's own
    #[arg(long, value_name = "FILE")]
    machine: Option<String>,
    /// Write an HTML page: all results with their sources, what went in, and the studies' figures drawn anew
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fathom reproduce                                the results of all studies
  fathom reproduce t3d --without buffer.merges    what rests on merging stores?
  fathom reproduce t3d --only T05,T17             two results
  fathom reproduce t3d --programs                 with EM3D on 32 processors
  fathom reproduce --claims --programs            every claim, and what became of it
  fathom reproduce spp1000 --html spp1000.html    a page with the figures of the study";

/// A study with the machine on which its programs ran.
struct Done {
    study: &'static Study,
    description: Description,
    report: Report,
}

pub fn main(options: &Options) -> Result<()> {
    let studies = chosen(options)?;
    let has = |study: &Study, id: &str| {
        study.claims.iter().any(|c| names(id, c.id)) || shown_of(study.id).iter().any(|s| names(id, s.claim.id))
    };
    if let Some(unknown) = options.only.iter().find(|id| !studies.iter().any(|study| has(study, id))) {
        let hints: Vec<String> = studies.iter().map(|study| without_program(study)).filter(|h| !h.is_empty()).collect();
        let hint =
            if hints.is_empty() { "`fathom reproduce STUDY` lists the results".into() } else { hints.join("\n") };
        return Err(Failure::new(format!("there is no program for `{unknown}`")).hint(hint));
    }
    // Without a study's name, `--only` chooses among the studies, too.
    let is_chosen = |id: &str| options.only.is_empty() || options.only.iter().any(|only| names(only, id));
    let is_wanted = |study: &&Study| options.only.is_empty() || options.only.iter().any(|id| has(study, id));
    options.html.as_deref().map_or(Ok(()), output::check_writable)?;
    let mut all = vec![];
    let mut programs = vec![];
    for study in studies.into_iter().filter(is_wanted) {
        let name = options.machine.as_deref().unwrap_or(study.machine);
        let mut description = machines::simulated(name)?;
        for mechanism in &options.without {
            description = description.without(mechanism).map_err(|why| {
                let message = format!("the machine `{name}` cannot be without `{mechanism}`: {why}");
                Failure::new(message).hint(mechanisms(&description, options.study.is_none().then_some(mechanism)))
            })?;
        }
        // Who names the number of a claim that a program shows wants the program.
        let runs = |id: &str| if options.only.is_empty() { options.programs } else { is_chosen(id) };
        programs.push(programs::results(study.id, (name, &description), &runs)?);
        let invalid = |why: String| {
            Failure::new(format!("the programs of the study `{}` cannot run on the machine `{name}`: {why}", study.id))
        };
        let report = match options.html.is_some() || study.claims.iter().any(|c| is_chosen(c.id)) {
            true => report(study, &description, SAMPLES).map_err(invalid)?,
            false => Report { ledger: Ledger { figures: vec![], samples: 0 }, rows: vec![] },
        };
        all.push(Done { study, description, report });
    }
    if options.claims {
        output::say(&claims::text(&all, &programs));
        return Ok(());
    }
    if options.study.is_none() {
        output::say(&summary(&all));
    }
    if let Some(file) = &options.html {
        let page = page::html(&all).map_err(|why| Failure::new(format!("the page cannot be drawn: {why}")))?;
        output::write(file, page.as_bytes())?;
    }
    let mut verdicts = Verdicts::default();
    let mut unexpected = vec![];
    // The sum of one study stands at the end.
    let has_sums = all.iter().filter(|done| done.report.rows.iter().any(|row| is_chosen(row.claim.id))).count() > 1;
    for (Done { study, report: Report { ledger, mut rows }, .. }, found) in all.into_iter().zip(programs) {
        let head = head(study, &ledger, &rows);
        rows.retain(|r| is_chosen(r.claim.id));
        rows.iter().for_each(|row| verdicts.add(study, row));
        if !rows.is_empty() {
            output::say(&text(study, &head, &ledger, &rows, has_sums));
        }
        unexpected.extend(say_shown(study, &found, &is_chosen));
    }
    if verdicts.all() > 0 {
        output::say(&format!("\n{}\n", verdicts.sentence()));
    }
    unexpected.splice(..0, verdicts.unexpected);
    if let Some(file) = &options.html {
        output::say(&format!("written: {} (for people)\n", file.display()));
    }
    match unexpected.as_slice() {
        [] => Ok(()),
        ids => {
            let hint = "an explained difference has its reason in the list `differs` of the study's file";
            Err(Failure::new(format!("not as printed, without a known reason: {}", ids.join(", "))).hint(hint))
        }
    }
}

/// Whether this is the number of the result, or of the claim of which it is a part: `T64` stands for T64a and T64b.
fn names(given: &str, id: &str) -> bool {
    given.eq_ignore_ascii_case(id) || given.eq_ignore_ascii_case(claim_of(id))
}

/// What a machine can be without; or, if the command names no study, the studies whose machines can be without this.
fn mechanisms(description: &Description, wanted: Option<&String>) -> String {
    let has = |study: &&Study, mechanism: &str| {
        machines::simulated(study.machine).is_ok_and(|description| description.without(mechanism).is_ok())
    };
    if let Some(mechanism) = wanted {
        let mut having: Vec<&str> =
            STUDIES.iter().filter(|study| has(study, mechanism)).map(|study| study.id).collect();
        having.dedup();
        if !having.is_empty() {
            return format!("name a study whose machine has it: {}", having.join(", "));
        }
    }
    let parts = description.parts.keys().filter(|part| description.without(part).is_ok()).cloned();
    let is_on = |figure: &Figure| matches!(figure.value, Content::Switch(true));
    let switches = description.figures().filter(|(_, figure)| is_on(figure)).map(|(name, _)| name);
    let all: Vec<String> = parts.chain(switches.filter(|name| description.without(name).is_ok())).collect();
    format!("a mechanism is a part, or a switch of a part: here {}", all.join(", "))
}

/// What became of results.
#[derive(Default)]
struct Verdicts {
    as_printed: usize,
    explained: usize,
    unexpected: Vec<&'static str>,
}

impl Verdicts {
    fn of(study: &Study, rows: &[Row]) -> Self {
        let mut verdicts = Verdicts::default();
        rows.iter().for_each(|row| verdicts.add(study, row));
        verdicts
    }

    fn add(&mut self, study: &Study, row: &Row) {
        match (row.passes, why_differs(study, row.claim.id)) {
            (true, _) => self.as_printed += 1,
            (false, Some(_)) => self.explained += 1,
            (false, None) => self.unexpected.push(row.claim.id),
        }
    }

    fn all(&self) -> usize {
        self.as_printed + self.explained + self.unexpected.len()
    }

    fn sentence(&self) -> String {
        format!(
            "{} of {} results are as printed, {} differ for a known reason, {} differ unexpectedly",
            self.as_printed,
            self.all(),
            self.explained,
            self.unexpected.len()
        )
    }
}

/// Prints the claims that programs and tests show; those that differ without a known reason.
fn say_shown(study: &Study, found: &Results, is_chosen: &dyn Fn(&str) -> bool) -> Vec<&'static str> {
    let all: Vec<&Shown> = shown_of(study.id).iter().filter(|s| is_chosen(s.claim.id)).collect();
    if !all.is_empty() {
        output::say(&shown::text(&all, found));
    }
    let differs = all.iter().filter(|one| one.passes(found) == Some(false)).map(|one| one.claim.id);
    differs.filter(|id| why_programs_differ(id).is_none()).collect()
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

/// All studies, a line each.
fn summary(all: &[Done]) -> String {
    let mut table =
        Table::new(["", "figures", "results", "as printed", "calibrations", "inferred", "emergent", "assumed"]);
    for Done { study, report: Report { ledger, rows }, .. } in all {
        let figures: usize = ledger.figures.iter().map(|(_, all, _)| all).sum();
        let passes: Vec<&Row> = rows.iter().filter(|r| r.passes).collect();
        let of = |wanted: fn(&Class) -> bool| passes.iter().filter(|r| wanted(&r.class)).count();
        let assumed = passes.iter().filter(|r| depends(r, ledger)).count();
        let numbers = [
            figures,
            rows.len(),
            passes.len(),
            of(|c| matches!(c, Class::Calibration(_))),
            of(|c| matches!(c, Class::Inferred(_))),
            of(|c| matches!(c, Class::Emergent(_))),
            assumed,
        ];
        let mut cells: Vec<Cell> = vec![study.name.into()];
        cells.extend(numbers.iter().map(|n| n.to_string().into()));
        table.push(cells);
    }
    table.text(crate::probe::width()) + "\n"
}

/// What went in and what came out.
fn head(study: &Study, ledger: &Ledger, rows: &[Row]) -> String {
    let all: usize = ledger.figures.iter().map(|(_, all, _)| all).sum();
    let of = |(status, all, used): &(_, usize, usize)| {
        let status: &fathom_machine::Status = status;
        format!(
            "{all} {}{}",
            status.word(),
            if used < all { format!(" ({used} of them matter)") } else { String::new() }
        )
    };
    let figures: Vec<String> = ledger.figures.iter().map(of).collect();
    let counts = |wanted: fn(&Class) -> bool| {
        let of: Vec<&Row> = rows.iter().filter(|r| wanted(&r.class)).collect();
        (of.iter().filter(|r| r.passes).count(), of.len())
    };
    let class = |name: &str, (passes, all): (usize, usize)| format!("{passes} of {all} {name}");
    let (passes, assumed) =
        (rows.iter().filter(|r| r.passes).count(), rows.iter().filter(|r| depends(r, ledger)).count());
    format!(
        "{}\n\nIn:  {all} figures: {}\nOut: {passes} of {} results as printed: {}, {}, {}, {}, {}\n     {assumed} of them depend on an assumption: \
         they pass in less than half of {} samples",
        study.name,
        figures.join(", "),
        rows.len(),
        class("calibrations", counts(|c| matches!(c, Class::Calibration(_)))),
        class("inferred", counts(|c| matches!(c, Class::Inferred(_)))),
        class("emergent", counts(|c| matches!(c, Class::Emergent(_)))),
        class("tables", counts(|c| matches!(c, Class::Table { .. }))),
        class("without a class", counts(|c| matches!(c, Class::Open))),
        ledger.samples,
    )
}

/// Whether a result is as printed only by what is assumed.
fn depends(row: &Row, ledger: &Ledger) -> bool {
    row.passes && 2 * row.held < ledger.samples
}

fn text(study: &Study, head: &str, ledger: &Ledger, rows: &[Row], has_sum: bool) -> String {
    let mut table = Table::new(["", "", "printed", "ours", "", "how", "where"]);
    for row in rows {
        table.push(cells(row, ledger));
    }
    let tables: String = rows
        .iter()
        .filter(|row| !row.differing.is_empty())
        .map(|row| {
            let figure = |(id, printed, ours): &(&str, f64, f64)| {
                format!(
                    "{} {} instead of {}",
                    id.trim_start_matches(row.claim.id).trim_start(),
                    number(*ours),
                    number(*printed)
                )
            };
            let all = row.differing.iter().map(figure).collect::<Vec<_>>();
            format!("{}, figures that differ:\n  {}\n\n", row.claim.id, all.join("\n  "))
        })
        .collect();
    let why = rows.iter().filter(|r| !r.passes).filter_map(|r| Some((r.claim.id, why_differs(study, r.claim.id)?)));
    let why: String = why.map(|(id, why)| format!("  {id} differs: {why}\n")).collect();
    let sum = if has_sum { Verdicts::of(study, rows).sentence() + "\n" } else { String::new() };
    let all =
        format!("{head}\n\n{}\n{tables}{sum}{why}\n{}", table.text(crate::probe::width()), without_program(study),);
    all.trim_end().to_string() + "\n"
}

fn without_program(study: &Study) -> String {
    if study.left_out.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = study.left_out.iter().map(|(ids, why)| format!("{}: {why}", ids.join(", "))).collect();
    format!("not reproduced, or not all of it:\n  {}", lines.join("\n  "))
}

/// At most this many figures are named.
const NAMED: usize = 3;

fn number(value: f64) -> String {
    let text = if value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if value.is_nan() {
        "not found".into()
    } else {
        short.to_string()
    }
}

/// The printed result, and ours.
fn values(row: &Row) -> (String, String) {
    let holds = |is: bool| if is { "holds" } else { "does not hold" };
    let (printed, ours) = match row.claim.expected {
        Expected::Near(value, unit, _) => (format!("{} {unit}", number(value)), format!("{} {unit}", number(row.ours))),
        Expected::Between(low, high, unit) => {
            (format!("{} to {} {unit}", number(low), number(high)), format!("{} {unit}", number(row.ours)))
        }
        Expected::Holds(_) => (holds(true).into(), holds(row.ours == 1.0).into()),
        Expected::Most(least, all, _, tolerance) => (
            format!("{least} of {} within {} %", all.len(), number(100.0 * tolerance)),
            format!("{} of {}", row.ours, all.len()),
        ),
    };
    (printed.trim_end().into(), ours.trim_end().into())
}

/// How a result comes about: its class, and at most `named` figures.
fn class(row: &Row, named: usize) -> String {
    match &row.class {
        Class::Calibration(figure) => format!("calibration: {figure}"),
        Class::Inferred(figure) => format!("inferred: {figure}"),
        Class::Emergent(from) => {
            let names = from.iter().take(named).map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("emergent: {names}{}", if from.len() > named { ", …" } else { "" })
        }
        Class::Table { emergent, calibrations } => format!("{emergent} emergent, {calibrations} calibrations"),
        Class::Open => String::new(),
    }
}

fn cells(row: &Row, ledger: &Ledger) -> [Cell; 7] {
    let (printed, ours) = values(row);
    let mut how = class(row, NAMED);
    if row.passes && row.held < ledger.samples {
        how += &format!("; in {} of {} samples", row.held, ledger.samples);
    }
    if depends(row, ledger) {
        how += &format!(", depends on an assumption: {}", row.rests_on.as_deref().unwrap_or("several"));
    }
    [
        row.claim.id.into(),
        row.claim.what.into(),
        printed.into(),
        ours.into(),
        if row.passes { "" } else { "DIFFERS" }.into(),
        how.into(),
        row.claim.source.into(),
    ]
}
