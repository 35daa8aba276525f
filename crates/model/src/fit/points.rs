//! The points: read from text, and checked.

use super::Deviations;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// Deviations below this share of the values are rounding errors.
pub(super) const EXACT: f64 = 1e-9;

/// Reads points, one per line: two numbers separated by a comma, semicolon or blanks. Lines that begin with # are
/// ignored, and so is a first line without numbers, which names the columns.
///
/// # Errors
/// A sentence that names the line.
pub fn read(text: &str) -> Result<Vec<Point>, String> {
    let mut points = vec![];
    let mut first = true;
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = match line.contains([',', ';']) {
            true => line.split([',', ';']).map(str::trim).collect(),
            false => line.split_whitespace().collect(),
        };
        let numbers: Vec<Option<f64>> = fields.iter().map(|f| f.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let header = std::mem::replace(&mut first, false) && numbers.iter().all(Option::is_none);
        match numbers[..] {
            _ if header => {}
            [Some(x), Some(y)] => points.push(Point { x, y }),
            [_, _] => return Err(format!("line {}: `{line}` is not two numbers", i + 1)),
            _ => return Err(format!("line {}: there are {} columns, not two (x, y)", i + 1, fields.len())),
        }
    }
    Ok(points)
}

/// Can anything be fitted to these?
pub(super) fn check(points: &[Point], deviations: Deviations) -> Result<(), String> {
    if points.iter().any(|p| !p.x.is_finite() || !p.y.is_finite()) {
        return Err("a coordinate is not a finite number".into());
    }
    if deviations == Deviations::Relative && points.iter().any(|p| p.y == 0.0) {
        return Err("deviations in proportion to the value need values other than 0".into());
    }
    Ok(())
}

/// The factor for a deviation of a point.
pub(super) fn weight(p: &Point, deviations: Deviations) -> f64 {
    match deviations {
        Deviations::Absolute => 1.0,
        Deviations::Relative => 1.0 / p.y.abs(),
    }
}

/// The quadratic mean of the weighted values; above 0.
pub(super) fn size(points: &[Point], deviations: Deviations) -> f64 {
    let squares: f64 = points.iter().map(|p| (p.y * weight(p, deviations)).powi(2)).sum();
    (squares / points.len().max(1) as f64).sqrt().max(f64::MIN_POSITIVE.sqrt())
}
