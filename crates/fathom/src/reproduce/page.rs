//! Studies as a page: what went in and what came out, every result with its source, reasons for what differs and for
//! what has no program, the figures drawn anew, and every figure of the machine file.

use super::{class, depends, number, values, Done, Verdicts};
use fathom_report::{Axis, Bars, Cell, Figures, Heading, Note, Page, Plot, Section, Series, Table, Text, Tone, Unit};
use fathom_simulate::reproduce::drawing::{drawings, Curves, Picture, Scale};
use fathom_simulate::reproduce::{why_differs, Class, Expected, Ledger, Row};

/// At most this many figures on which a result rests are named.
const NAMED: usize = 6;

/// One self-contained HTML file.
///
/// # Errors
/// A machine cannot be simulated.
pub fn html(all: &[Done]) -> Result<String, String> {
    let title = match all {
        [one] => one.study.name.to_string(),
        _ => "Printed results, and those of simulated machines".into(),
    };
    let mut page = Page::new(title)
        .subtitle("What a study prints, beside the results of its simulated machine")
        .footer(format!("fathom {} · fathom reproduce", env!("CARGO_PKG_VERSION")));
    for done in all {
        let named = |what: &str| if all.len() == 1 { what.to_string() } else { format!("{}: {what}", done.study.name) };
        page = page.section(ledger(named("in and out"), done)).section(results(named("results"), done));
        for section in [differing(named("what differs"), done), left_out(named("without a program"), done)] {
            page = if section.is_empty() { page } else { page.section(section) };
        }
        page = page.section(drawn(named("figures, drawn anew"), done)?).section(inputs(named("the machine"), done));
    }
    Ok(page.html())
}

fn capital(title: String) -> String {
    let mut letters = title.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn section(title: String) -> Section {
    Section::new(capital(title))
}

/// What went in and what came out.
fn ledger(title: String, done: &Done) -> Section {
    let (ledger, rows) = (&done.report.ledger, &done.report.rows);
    let verdicts = Verdicts::of(done.study, rows);
    let figures: usize = ledger.figures.iter().map(|(_, all, _)| all).sum();
    let of = |is: fn(&Class) -> bool| rows.iter().filter(|r| r.passes && is(&r.class)).count().to_string();
    let assumed = rows.iter().filter(|r| depends(r, ledger)).count();
    let mut section = section(title).part(
        Figures::new()
            .card("In", figures.to_string(), format!("figures of the machine `{}`", done.study.machine))
            .card("As printed", format!("{} of {}", verdicts.as_printed, rows.len()), "results")
            .card("Emergent", of(|c| matches!(c, Class::Emergent(_))), "follow from other figures, or a mechanism")
            .card("Inferred", of(|c| matches!(c, Class::Inferred(_))), "found again from times alone")
            .card("Calibrations", of(|c| matches!(c, Class::Calibration(_))), "the printed figure is put in")
            .card("Rest on an assumption", assumed.to_string(), "as printed in less than half of the samples"),
    );
    let (tone, what) = match verdicts.unexpected.as_slice() {
        [] => (Tone::Good, "Nothing unexpected"),
        _ => (Tone::Warning, "Unexpected"),
    };
    section.push(Note::new(tone, what, format!("{}.", verdicts.sentence())));
    let mut table = Table::new(["figures that went in", "all", "matter to a result"]).in_order();
    for (status, all, used) in &ledger.figures {
        let count = |n: usize| Cell::number(n as f64, n.to_string());
        table.push([status.word().into(), count(*all), count(*used)]);
    }
    section.push(table);
    section.push(Text::new(format!(
        "Every figure is changed by 5 % up and down, or doubled and halved if it is a whole number, and mechanisms are left \
         out: so the class of a result is computed. What is assumed with a range is drawn anew {} times, each at its least, \
         its own, or its greatest value.",
        ledger.samples
    )));
    section
}

fn results(title: String, done: &Done) -> Section {
    let columns =
        ["", "result", "printed", "ours", "deviation", "tolerance", "", "how it comes about", "samples", "source"];
    let mut table = Table::new(columns);
    done.report.rows.iter().for_each(|row| table.push(cells(row, done)));
    section(title).part(table)
}

fn cells(row: &Row, done: &Done) -> [Cell; 10] {
    let (printed, ours) = values(row);
    let (deviation, tolerance) = match row.claim.expected {
        Expected::Near(value, _, tolerance) => {
            let percent = 100.0 * (row.ours / value - 1.0);
            let text = if percent.is_finite() { format!("{percent:+.1} %") } else { String::new() };
            let exact = if tolerance == 0.0 { "exact".into() } else { format!("{} %", number(100.0 * tolerance)) };
            (Cell::number(percent.abs(), text), exact)
        }
        Expected::Between(..) => (Cell::default(), "range".into()),
        Expected::Holds(_) => (Cell::default(), String::new()),
        Expected::Most(_, _, _, tolerance) => (Cell::default(), format!("{} %", number(100.0 * tolerance))),
    };
    let verdict = match (row.passes, why_differs(done.study, row.claim.id)) {
        (true, _) => "",
        (false, Some(_)) => "differs",
        (false, None) => "DIFFERS",
    };
    let how = class(row, NAMED);
    [
        Cell::from(row.claim.id).tight(),
        row.claim.what.into(),
        printed.into(),
        ours.into(),
        deviation,
        tolerance.into(),
        verdict.into(),
        if how.is_empty() { "a statement that nothing here could break".into() } else { how.into() },
        samples(row, &done.report.ledger).into(),
        row.claim.source.into(),
    ]
}

/// In how many samples a result is as printed, and on what it rests.
fn samples(row: &Row, ledger: &Ledger) -> String {
    let rests = match depends(row, ledger) {
        true => format!(", rests on {}", row.rests_on.as_deref().unwrap_or("several assumptions")),
        false => String::new(),
    };
    format!("{} of {}{rests}", row.held, ledger.samples)
}

fn differing(title: String, done: &Done) -> Section {
    let mut section = section(title);
    let mut table = Table::new(["", "result", "printed", "ours", "why"]).stacked().in_order();
    for row in done.report.rows.iter().filter(|r| !r.passes) {
        let (printed, ours) = values(row);
        let why = why_differs(done.study, row.claim.id).unwrap_or("no reason is known");
        table.push([Cell::from(row.claim.id).tight(), row.claim.what.into(), printed.into(), ours.into(), why.into()]);
    }
    if !table.is_empty() {
        section.push(table);
    }
    for row in done.report.rows.iter().filter(|r| !r.differing.is_empty()) {
        section.push(Heading::new(format!("{}: figures of the table that differ", row.claim.id)));
        let mut table = Table::new(["figure", "printed", "ours", "deviation"]);
        for (id, printed, ours) in &row.differing {
            let percent = 100.0 * (ours / printed - 1.0);
            table.push([
                id.trim_start_matches(row.claim.id).trim_start().into(),
                Cell::number(*printed, number(*printed)),
                Cell::number(*ours, number(*ours)),
                Cell::number(percent, format!("{percent:+.1} %")),
            ]);
        }
        section.push(table);
    }
    section
}

fn left_out(title: String, done: &Done) -> Section {
    let mut section = section(title);
    if !done.study.left_out.is_empty() {
        let mut table = Table::new(["results", "why they have no program here"]).stacked().in_order();
        done.study.left_out.iter().for_each(|(ids, why)| table.push([ids.join(", ").as_str(), *why]));
        section.push(table);
    }
    section
}

fn drawn(title: String, done: &Done) -> Result<Section, String> {
    let mut section = section(title).part(Text::new(
        "Curves are those of the simulated machine, or what is named as printed. The points of the study's own figures are \
         not known: the printed values are those of its text and tables.",
    ));
    for drawing in drawings(done.study, &done.description)? {
        let title = format!("{}: {}", drawing.of, drawing.title);
        // A table's title names its source already.
        let title = if drawing.title.starts_with(&drawing.of) { drawing.title.clone() } else { title };
        match &drawing.picture {
            Picture::Bars { unit, bars } => section.push(chart(title, unit, bars)),
            Picture::Curves(curves) => section.push(plot(title, curves, &drawing.note)),
        }
    }
    Ok(section)
}

fn unit(name: &str) -> Unit {
    match name {
        "MB/s" => Unit::MbS,
        "" | "bytes" | "ns" => Unit::named(name),
        other => Unit::Named(other.into()),
    }
}

fn axis(scale: &Scale) -> Axis {
    let axis = Axis::new(scale.label).unit(unit(scale.unit)).log_if(scale.is_log);
    match (scale.is_log, scale.unit) {
        (true, "") => axis.powers_of_two(),
        (false, "") => axis.whole(),
        _ => axis,
    }
}

fn chart(title: String, name: &str, bars: &[(String, f64, f64)]) -> Bars {
    let empty = Bars::new(title, unit(name)).series(["printed", "ours"]);
    bars.iter().fold(empty, |chart, (what, printed, ours)| chart.bar(what, [*printed, *ours]))
}

fn plot(title: String, curves: &Curves, note: &str) -> Plot {
    let mut plot = Plot::new(title, axis(&curves.x), axis(&curves.y)).note(note);
    plot = if curves.is_ordered { plot.ordered() } else { plot };
    for curve in &curves.curves {
        let points = curve.points.iter().copied();
        // Two or three printed values are no curve.
        plot = plot.series(match curve.is_printed && curve.points.len() < LEAST_CURVE {
            true => Series::scatter(&curve.name, points),
            false => Series::line(&curve.name, points),
        });
    }
    curves.levels.iter().fold(plot, |plot, (at, name)| plot.mark_y(*at, name))
}

/// Fewer printed points are not joined.
const LEAST_CURVE: usize = 5;

/// Every figure of the machine file.
fn inputs(title: String, done: &Done) -> Section {
    let mut table = Table::new(["figure", "value", "status", "source"]).stacked();
    for (name, figure) in done.description.figures() {
        let (status, source) = figure.origin();
        table.push([name.as_str(), figure.value.to_string().as_str(), status.word(), source]);
    }
    section(title).part(Text::new(done.description.about.clone())).part(table)
}
