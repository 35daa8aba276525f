//! A line of result and what the project wants it to be.

use crate::build::Failure;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    AtLeast(f64),
    AtMost(f64),
    /// Shown for orientation.
    None,
}

#[derive(Clone, Debug)]
pub struct Measured {
    pub row: String,
    pub variant: String,
    pub flags: String,
    pub environment: &'static str,
    pub threads: u32,
    pub median: f64,
    pub lowest: f64,
    pub highest: f64,
    pub target: Target,
    pub note: String,
}

impl Measured {
    /// None where there is no target.
    pub fn met(&self) -> Option<bool> {
        match self.target {
            Target::AtLeast(t) => Some(self.median >= t),
            Target::AtMost(t) => Some(self.median <= t),
            Target::None => None,
        }
    }
}

/// Ratios that a row must reach; speeds are Fathom's over C's, costs are Fathom's time over C's.
pub fn target(row: &str, variant: &str) -> Target {
    match row {
        "triad" => Target::AtLeast(0.95),
        "stencil" => Target::AtLeast(0.85),
        "indefinite" => Target::AtLeast(0.9),
        "pointer" if variant.starts_with("indefinite") => Target::AtMost(1.2),
        "pointer" if variant.starts_with("cyclic") => Target::AtMost(2.0),
        "pointer" => Target::AtMost(4.0),
        "scalar" => Target::AtMost(2.0),
        "copy" => Target::AtLeast(0.97),
        "barrier" => Target::AtMost(1.5),
        "livermore" => Target::AtMost(1.02),
        // What the study of the Cray X1 found, for the same source.
        "livermore-shared" if !variant.ends_with("forall") => Target::AtMost(1.05),
        _ => Target::None,
    }
}

/// The lines of result among what a program printed.
pub fn parse(text: &str) -> Result<Vec<Measured>, Failure> {
    text.lines().filter(|l| l.starts_with("bench\t")).map(parse_line).collect()
}

fn parse_line(line: &str) -> Result<Measured, Failure> {
    let broken = || format!("not a line of result: {line}");
    let field: Vec<&str> = line.split('\t').collect();
    let [_, row, variant, threads, _, median, lowest, highest, note] = field[..] else {
        return Err(broken());
    };
    let number = |s: &str| s.parse::<f64>().map_err(|_| broken());
    Ok(Measured {
        row: row.into(),
        variant: variant.into(),
        flags: String::new(),
        environment: "dynamic",
        threads: threads.parse().map_err(|_| broken())?,
        median: number(median)?,
        lowest: number(lowest)?,
        highest: number(highest)?,
        target: target(row, variant),
        note: note.into(),
    })
}
