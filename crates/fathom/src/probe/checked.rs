//! `fathom probe --check`: the system's claims beside the measured values.

use super::summary::width;
use fathom_profile::check::{check, Row, Verdict};
use fathom_profile::Profile;
use fathom_report::{Cell, Table, Unit};

pub fn text(profile: &Profile) -> String {
    let rows = check(profile);
    if rows.is_empty() {
        return "the profile has no claims to check\n".into();
    }
    let mut table = Table::new(["what", "claimed", "by", "measured", "", "why"]);
    for row in &rows {
        table.push(cells(row));
    }
    let count = |verdict| rows.iter().filter(|r| r.verdict == verdict).count();
    format!(
        "{}\n{} of {} claims agree, {} differ, {} are open\n",
        table.text(width()),
        count(Verdict::Agrees),
        rows.len(),
        count(Verdict::Differs),
        count(Verdict::Open)
    )
}

/// The units of claims.
const KNOWN: [&str; 3] = ["bytes", "ns", "mb_s"];

fn cells(row: &Row) -> [Cell; 6] {
    // A number of something has no unit that a table knows.
    let unit = Unit::named(row.claim.name.rsplit('.').next().filter(|u| KNOWN.contains(u)).unwrap_or(""));
    let verdict = match row.verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "DIFFERS",
        Verdict::Open => "open",
    };
    let name = row.claim.name.strip_prefix("memory.").unwrap_or(&row.claim.name);
    let measured = row.measured.map_or(String::new(), |m| unit.text(m));
    [
        name.into(),
        unit.text(row.claim.value).into(),
        row.claim.source.as_str().into(),
        measured.into(),
        verdict.into(),
        row.note.as_str().into(),
    ]
}
