//! The system's claims about the machine, beside the measured values.

use super::words;
use fathom_profile::check::{check, Row, Verdict};
use fathom_profile::Profile;
use fathom_report::{Cell, Note, Section, Table, Text, Tone, Unit};

pub fn section(profile: &Profile) -> Section {
    let mut section = Section::new("Claims");
    let rows = check(profile);
    if rows.is_empty() {
        return section;
    }
    section.push(Text::new(
        "The claims of the operating system and the processor, beside the measured values. A claim may not hold for a \
         program: a virtual machine reports the caches of the whole computer, but can use only a part of them.",
    ));
    for row in rows.iter().filter(|r| r.verdict == Verdict::Differs) {
        section.push(note(row));
    }
    let mut table = Table::new(["what", "claimed", "measured", "verdict", "by", "note"]).stacked();
    for row in &rows {
        let unit = unit(row);
        let verdict = match row.verdict {
            Verdict::Agrees => "✓ agrees",
            Verdict::Differs => "! differs",
            Verdict::Open => "open",
        };
        let measured = match row.measured {
            Some(value) => Cell::number(value, unit.text(value)),
            None => Cell::number(f64::NAN, "–"),
        };
        table.push([
            Cell::from(words::short(&row.claim.name, last(row))),
            Cell::number(row.claim.value, unit.text(row.claim.value)),
            measured,
            Cell::from(verdict).tight(),
            Cell::from(&*row.claim.source),
            Cell::from(&*row.note),
        ]);
    }
    section.push(table);
    section
}

fn note(row: &Row) -> Note {
    let unit = unit(row);
    let (what, claimed) = (words::short(&row.claim.name, last(row)), unit.text(row.claim.value));
    let measured = row.measured.map_or("unknown".into(), |v| unit.text(v));
    let title = format!("{what}: {claimed} claimed, {measured} measured.");
    Note::new(Tone::Warning, title, format!("Claimed by {}; {}.", row.claim.source, row.note))
}

/// A claim's unit is the last part of its name.
fn last(row: &Row) -> &str {
    let last = row.claim.name.rsplit('.').next().unwrap_or_default();
    if Unit::named(last) == Unit::Bytes {
        last
    } else {
        ""
    }
}

fn unit(row: &Row) -> Unit {
    Unit::named(last(row))
}
