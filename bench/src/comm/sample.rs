//! What the programs have printed: for each side and row one median for every repetition.

use crate::build::Failure;
use std::collections::HashMap;

/// Nanoseconds of one operation, by side and row and then by repetition.
#[derive(Default)]
pub struct Samples {
    of: HashMap<(String, String), Series>,
}

#[derive(Default, Clone)]
pub struct Series {
    /// Moved by one operation; 0 where that is not the point.
    pub bytes: f64,
    /// Repetition and nanoseconds.
    pub ns: Vec<(usize, f64)>,
}

impl Samples {
    /// The lines of result among what a program printed (`bench/comm/side.h`).
    pub fn read(&mut self, repetition: usize, text: &str) -> Result<(), Failure> {
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("comm\t")).collect();
        if lines.is_empty() {
            return Err("it printed no result".into());
        }
        for line in lines {
            let broken = || format!("not a line of result: {line}");
            let field: Vec<&str> = line.split('\t').collect();
            let [_, side, row, bytes, median, _, _] = field[..] else { return Err(broken()) };
            let number = |s: &str| s.parse::<f64>().map_err(|_| broken());
            let series = self.of.entry((side.to_string(), row.to_string())).or_default();
            series.bytes = number(bytes)?;
            series.ns.push((repetition, number(median)?));
        }
        Ok(())
    }

    pub fn get(&self, side: &str, row: &str) -> Option<&Series> {
        self.of.get(&(side.to_string(), row.to_string()))
    }
}

impl Series {
    pub fn median_ns(&self) -> f64 {
        let mut ns: Vec<f64> = self.ns.iter().map(|&(_, ns)| ns).collect();
        median(&mut ns)
    }

    /// Ours over theirs, in time: (median, lowest, highest) over the repetitions that both have.
    pub fn over(&self, theirs: &Series) -> Option<(f64, f64, f64)> {
        let at = |r: usize| theirs.ns.iter().find(|&&(q, _)| q == r).map(|&(_, ns)| ns);
        let mut ratios: Vec<f64> = self.ns.iter().filter_map(|&(r, ns)| at(r).map(|theirs| ns / theirs)).collect();
        if ratios.is_empty() {
            return None;
        }
        let middle = median(&mut ratios);
        Some((middle, ratios[0], ratios[ratios.len() - 1]))
    }
}

/// Sorts, and takes the one in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
