//! A profile in the terminal: the most important values, with their confidence; unknown values, and disturbances.

use fathom_probe::area::AREAS;
use fathom_profile::{highlights, names, Profile, Value};
use fathom_report::{Cell, Table, Unit};
use std::fmt::Write;

/// The width if no terminal gives one.
const COLUMNS: usize = 100;

pub fn text(profile: &Profile) -> String {
    let mut out = format!("{}\n\n", profile.about.machine);
    for area in AREAS {
        let (values, all) = highlights::values(profile, area.name);
        if values.is_empty() {
            continue;
        }
        let mut table = Table::new([area.name, "", "interval", "confidence"]);
        values.iter().for_each(|value| table.push(row(value)));
        out += &table.text(width());
        if all > values.len() {
            let _ = writeln!(out, "and {} more in the profile", all - values.len());
        }
        out.push('\n');
        if area.name == names::QUEUES {
            out += &statements(profile);
        }
    }
    out += &notes(profile);
    out
}

/// The statements of the study about message queues, and whether they hold: sentences say more than their numbers.
fn statements(profile: &Profile) -> String {
    let mut table = Table::new(["", ""]);
    let said = profile.values.iter().filter(|v| v.name.starts_with(names::STATEMENT) && v.value.is_some());
    said.for_each(|value| table.push(["statement", &value.rule]));
    let text = table.text(width());
    if text.trim().is_empty() {
        return String::new();
    }
    text + "\n"
}

/// Unknown values, disturbances, and the quality of the measurement.
fn notes(profile: &Profile) -> String {
    let mut table = Table::new(["", ""]);
    for gap in highlights::gaps(profile) {
        table.push(["missing".to_string(), format!("{}: {}", highlights::listed(&gap.what), gap.why)]);
    }
    let about = &profile.about;
    about.disturbances.iter().for_each(|d| table.push(["disturbed", d]));
    let mut out = table.text(width());
    if let Some(spread) = about.repeatability {
        let _ = writeln!(
            out,
            "{} runs: half of the {} values were repeated within {:.1} %",
            about.runs,
            about.repeats.iter().filter(|r| r.spread.is_some()).count(),
            spread * 100.0
        );
    }
    let outliers = 100.0 * about.outliers as f64 / about.samples.max(1) as f64;
    let _ = writeln!(
        out,
        "{:.0} s, {} samples, {outliers:.1} % of them outliers; half of the points are known within {:.1} %",
        about.seconds,
        about.samples,
        about.median_spread * 100.0
    );
    out
}

fn row(value: &Value) -> [Cell; 4] {
    let unit = Unit::named(&value.unit);
    let name = value.name.split_once('.').map_or(value.name.as_str(), |(_, rest)| rest);
    let Some(v) = value.value else {
        return [name.into(), "unknown".into(), value.rule.as_str().into(), Cell::default()];
    };
    let between = match (value.low, value.high) {
        (Some(low), Some(high)) if low != high => unit.range(low, high),
        _ => String::new(),
    };
    let sure = Cell::number(value.confidence, format!("{:.0} %", value.confidence * 100.0));
    [name.into(), unit.text(v).into(), between.into(), sure]
}

pub fn width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).filter(|c| *c >= 40).unwrap_or_else(|| {
        // SAFETY: ioctl writes to `size`, for which zeros are valid.
        let columns = unsafe {
            let mut size: libc::winsize = std::mem::zeroed();
            libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size);
            usize::from(size.ws_col)
        };
        if columns >= 40 {
            columns
        } else {
            COLUMNS
        }
    })
}
