//! The tables that `em3d/run.sh` prints, and what they show. Without anything of the harness, so that tests can include
//! it (bench/tests/em3d.rs).

use fathom_report::Point;

/// The study's versions, the slowest first.
const STUDY: [&str; 6] = ["simple", "bundle", "unroll", "get", "put", "bulk"];
/// Means that differ by less are called equal.
const EQUAL: f64 = 1.05;

/// A table of one language: the percentages, and each version's points.
pub struct Measured {
    pub language: String,
    pub versions: Vec<(String, Vec<Point>)>,
}

/// What a table shows of the versions' order, from that percentage of remote edges on: each version's time as a multiple
/// of Bulk's, the geometric mean over the percentages; and where neighbours in the study's order stand otherwise.
pub fn findings(table: &Measured, from: f64) -> String {
    let at = |version: &str| {
        let points = table.versions.iter().find(|(name, _)| name == version).map(|(_, points)| points);
        points.map(|p| p.iter().filter(|p| p.x >= from).map(|p| p.y).collect::<Vec<_>>()).unwrap_or_default()
    };
    let bulk = at("bulk");
    let mean = |version: &str| {
        let logs: Vec<f64> = at(version).iter().zip(&bulk).map(|(t, b)| (t / b).ln()).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    };
    let measured: Vec<(&str, f64)> = STUDY.iter().filter_map(|v| Some((*v, mean(v)?))).collect();
    let mut order = measured.clone();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let list: Vec<String> = order.iter().map(|(v, x)| format!("{v} {x:.2}")).collect();
    let mut text = format!(
        "{}, this run, from {from} % of remote edges on: time as a multiple of Bulk's, geometric mean over the percentages, \
         the slowest first: {}.",
        table.language,
        list.join(", ")
    );
    let simple: Vec<f64> = at("simple").iter().zip(&bulk).map(|(t, b)| t / b).collect();
    if let (Some(least), Some(most)) =
        (simple.iter().copied().reduce(f64::min), simple.iter().copied().reduce(f64::max))
    {
        text += &format!(" Simple takes {least:.2} to {most:.2} times as long as Bulk.");
    }
    let mut other = vec![];
    for pair in measured.windows(2) {
        let ((a, slow), (b, fast)) = (pair[0], pair[1]);
        if slow / fast < 1.0 / EQUAL {
            other.push(format!("{a} is {:.2} times as fast as {b}", fast / slow));
        } else if slow / fast < EQUAL {
            other.push(format!("{a} and {b} are equal to within {:.0} %", 100.0 * (EQUAL - 1.0)));
        }
    }
    match other.is_empty() {
        true => text + " This is the study's order.",
        false => text + " Unlike in the study, " + &other.join("; ") + ".",
    }
}

/// The tables in what `run.sh` prints.
pub fn tables(text: &str) -> Result<Vec<Measured>, String> {
    let mut found: Vec<(Vec<f64>, Measured)> = vec![];
    for line in text.lines().filter(|l| l.starts_with("| ")) {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().unwrap_or_default().to_owned();
        let wrong = || format!("em3d/run.sh printed a line that is not a row of its tables: {line}");
        if line.contains(" % |") {
            let percents = cells.map(|c| c.trim_end_matches(" %").parse().ok()).collect::<Option<Vec<f64>>>();
            found.push((percents.ok_or_else(wrong)?, Measured { language: name, versions: vec![] }));
        } else {
            let (percents, table) = found.last_mut().ok_or_else(wrong)?;
            let point = |(x, cell): (&f64, &str)| {
                let (y, range) = cell.trim_end_matches(')').split_once(" (")?;
                let (low, high) = range.split_once(" to ")?;
                Some(Point { x: *x, y: y.parse().ok()?, low: low.parse().ok()?, high: high.parse().ok()? })
            };
            let points = percents.iter().zip(cells).map(point).collect::<Option<Vec<_>>>();
            table.versions.push((name, points.ok_or_else(wrong)?));
        }
    }
    match found.is_empty() {
        true => Err("em3d/run.sh printed no table".into()),
        false => Ok(found.into_iter().map(|(_, table)| table).collect()),
    }
}
