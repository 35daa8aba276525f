//! Predicted and real times as a table, with the targets, and which versions of a program come in the wrong order.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Kinds of programs, and the greatest errors that are aimed at: median, and of any.
const TARGETS: [(&str, f64, f64); 2] = [("communication", 0.05, 0.15), ("whole", 0.10, 0.25)];
/// Versions whose real times differ by less are equally fast.
const DIFFERENT: f64 = 0.10;

/// A program, or one of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub name: String,
    pub kind: String,
    /// Microseconds, in rising order.
    pub real: Vec<f64>,
    pub predicted: f64,
}

impl Row {
    pub fn median(&self) -> f64 {
        let n = self.real.len();
        (self.real[(n - 1) / 2] + self.real[n / 2]) / 2.0
    }

    /// Above 0: the prediction is too long.
    pub fn error(&self) -> f64 {
        self.predicted / self.median() - 1.0
    }
}

/// Joins both sides. Names that have only one, because a run failed, come back beside the rows, with what they lack.
///
/// # Errors
/// A line that is none.
pub fn rows(real: &str, predicted: &str) -> Result<(Vec<Row>, Vec<String>), String> {
    let mut by_name: BTreeMap<String, Row> = BTreeMap::new();
    let mut order = vec![];
    for (line, is_real) in real.lines().map(|l| (l, true)).chain(predicted.lines().map(|l| (l, false))) {
        let parts: Vec<&str> = line.split('\t').collect();
        let [kind, name, us] = parts[..] else { return Err(format!("'{line}' is not KIND, NAME and microseconds")) };
        let us: f64 = us.parse().map_err(|_| format!("'{us}' in '{line}' is not a number"))?;
        let row = by_name.entry(name.into()).or_insert_with(|| {
            order.push(name.to_string());
            Row { name: name.into(), kind: kind.into(), real: vec![], predicted: f64::NAN }
        });
        match is_real {
            true => row.real.push(us),
            false => row.predicted = us,
        }
    }
    let mut rows: Vec<Row> = order.iter().filter_map(|name| by_name.remove(name)).collect();
    let mut missing = vec![];
    rows.retain(|row| {
        if row.real.is_empty() {
            missing.push(format!("{} was not measured", row.name));
        } else if row.predicted.is_nan() {
            missing.push(format!("{} was not predicted", row.name));
        }
        !row.real.is_empty() && !row.predicted.is_nan()
    });
    for row in &mut rows {
        row.real.sort_by(f64::total_cmp);
    }
    Ok((rows, missing))
}

/// Pairs of versions of one program (EM3D simple, EM3D bulk): how many differ by more than [`DIFFERENT`], and those of
/// which the prediction has the other one faster.
pub fn orders(rows: &[Row]) -> (usize, Vec<String>) {
    let family = |row: &Row| row.name.split([' ', ',']).next().map(str::to_string);
    let versions: Vec<&Row> = rows.iter().filter(|r| r.kind == "whole" && r.name.contains(' ')).collect();
    let (mut all, mut wrong) = (0, vec![]);
    for (i, a) in versions.iter().enumerate() {
        for b in versions[i + 1..].iter().filter(|b| family(a) == family(b) && family(a).as_deref() != Some("NAS")) {
            let (fast, slow) = if a.median() < b.median() { (a, b) } else { (b, a) };
            if slow.median() / fast.median() > 1.0 + DIFFERENT {
                all += 1;
                if fast.predicted >= slow.predicted {
                    wrong.push(format!("{} before {}", fast.name, slow.name));
                }
            }
        }
    }
    (all, wrong)
}

fn shown(us: f64) -> String {
    match us {
        us if us >= 1e6 => format!("{:.3} s", us / 1e6),
        us if us >= 1e4 => format!("{:.1} ms", us / 1e3),
        us if us >= 100.0 => format!("{us:.0} us"),
        us => format!("{us:.2} us"),
    }
}

pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    for (kind, median, worst) in TARGETS {
        let of_kind: Vec<&Row> = rows.iter().filter(|r| r.kind == kind).collect();
        let mut errors: Vec<f64> = of_kind.iter().map(|r| r.error().abs()).collect();
        errors.sort_by(f64::total_cmp);
        let Some(most) = errors.last() else { continue };
        let title = if kind == "whole" { "Whole programs, calibrated work" } else { "Communication alone" };
        let _ = writeln!(
            text,
            "{title}: median error {:.1} % (target {:.0} %), worst {:.1} % (target {:.0} %), {} of {} within {:.0} %.\n",
            100.0 * errors[errors.len() / 2],
            100.0 * median,
            100.0 * most,
            100.0 * worst,
            errors.iter().filter(|e| **e <= worst).count(),
            errors.len(),
            100.0 * worst,
        );
        text += "| | real | from | to | predicted | error |\n|---|---|---|---|---|---|\n";
        for row in of_kind {
            let (low, high) = (row.real[0], row.real[row.real.len() - 1]);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {:+.1} % |",
                row.name,
                shown(row.median()),
                shown(low),
                shown(high),
                shown(row.predicted),
                100.0 * row.error()
            );
        }
        text.push('\n');
    }
    let (all, wrong) = orders(rows);
    let _ = writeln!(
        text,
        "Pairs of versions that differ by more than {:.0} %: {all}; in the wrong order: {}.",
        100.0 * DIFFERENT,
        if wrong.is_empty() { "none".to_string() } else { wrong.join(", ") }
    );
    text
}
