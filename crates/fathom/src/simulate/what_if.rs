//! What the time of a run depends on, as `fathom simulate --what-if` and `fathom replay --what-if` tell it.

use super::page::Depends;
use super::report;
use fathom_machine::quantity::{Quantity, COUNT, RATE, TIME, TIME_PER_BYTE};
use fathom_machine::Description;
use fathom_report::{Cell, Table};
use fathom_simulate::program::Outcome;
use fathom_simulate::trace::{what_if, Trace};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

impl Depends {
    /// For a report, below that of the run.
    pub fn text(&self, machine: &str) -> String {
        let bounds: String = self.bounds.iter().map(|b| format!("{b}\n")).collect();
        format!("\nOn {machine}:\n\n{}\n{bounds}", self.table.text(report::WIDTH))
    }
}

/// Where a run is recorded: in the file that somebody asked for, or in one that is gone afterwards.
pub enum Recorded {
    Kept(PathBuf),
    Gone(TempPath),
}

impl Recorded {
    /// None: neither a trace is asked for, nor is one `needed` for what else the report says.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn new(asked: Option<&Path>, needed: bool) -> Result<Option<Recorded>> {
        Ok(match asked {
            Some(path) => Some(Recorded::Kept(path.to_path_buf())),
            None if needed => {
                let folder = std::env::temp_dir();
                Some(Recorded::Gone(tempfile::NamedTempFile::new().or_io("write in", &folder)?.into_temp_path()))
            }
            None => None,
        })
    }

    pub fn path(&self) -> &Path {
        match self {
            Recorded::Kept(path) => path,
            Recorded::Gone(path) => path,
        }
    }

    /// What the time of the run depends on.
    ///
    /// # Errors
    /// The trace cannot be read, or not be performed.
    pub fn depends(&self, name: &str, machine: &Description, outcome: &Outcome) -> Result<Depends> {
        let bytes = std::fs::read(self.path()).or_io("read", self.path())?;
        let invalid = |why: String| Failure::new(format!("{} {why}", self.path().display()));
        depends(&Trace::read(&bytes).map_err(invalid)?, name, machine, outcome)
    }
}

/// The most lines of what the time depends on.
const LINES: usize = 12;
/// What changes the time by less is left out, as a share of the figure's own change.
const LEAST: f64 = 0.0005;

/// What the time on a machine depends on. `outcome`: a replay there.
///
/// # Errors
/// The trace cannot be performed there.
pub fn depends(trace: &Trace, name: &str, machine: &Description, outcome: &Outcome) -> Result<Depends> {
    let failed = |why: String| Failure::new(format!("the machine `{name}` cannot run this program: {why}"));
    let all = what_if::sensitivities(trace, machine, outcome).map_err(failed)?;
    let mut table = Table::new(["10 % more of", "is", "costs", "of it in a row"]);
    for s in all.iter().filter(|s| s.elasticity.abs() >= LEAST).take(LINES) {
        let percent = format!("{:+.2} %", 10.0 * s.elasticity);
        let count = s.count.map_or(String::new(), |n| format!("{n:.0}"));
        let value = s.value.map_or(String::new(), |v| quantity(&v));
        table.push([Cell::from(s.name.clone()), value.into(), percent.into(), count.into()]);
    }
    let time = outcome.time() as f64;
    let bound = |what: &str, of: u64| {
        let percent = if time > 0.0 { 100.0 * of as f64 / time } else { 100.0 };
        format!("{what}: {} ({percent:.0} %)", report::time(of as f64))
    };
    let free = what_if::without_network(trace, machine).map_err(failed)?;
    let even = what_if::balanced(trace, machine, outcome).map_err(failed)?;
    let bounds = vec![bound("If communication took no time", free), bound("If all threads had the mean work", even)];
    Ok(Depends { table, bounds })
}

/// A figure with its unit.
pub fn quantity(q: &Quantity) -> String {
    match q.unit {
        TIME => report::time(q.value),
        RATE => format!("{:.0} MB/s", q.value * 1e6),
        TIME_PER_BYTE => format!("{:.4} ns/B", q.value / 1e3),
        COUNT => format!("{}", q.value),
        _ => format!("{} ({})", q.value, q.unit),
    }
}
