//! Costs of operations that fit one program on this computer: those of a machine file, times one factor.
//!
//! A run measures the program's work and counts its operations at once; the factor is the ratio. So the program's whole
//! work takes as long as it took here, and a part of it its share by the counts. Runs with these costs are repeatable.

use fathom_machine::description::WORK;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Costs of the classes of operations, in picoseconds.
pub type Costs = [f64; WORK.len()];

/// Writes the costs with which `counted` picoseconds of work become `measured` ones. `what` says of which program, and where.
///
/// # Errors
/// Nothing was counted or measured, or the file cannot be written.
pub fn write(path: &Path, what: &str, costs: &Costs, counted: u64, measured: u64) -> Result<()> {
    if counted == 0 || measured == 0 {
        return Err(Failure::new("there is nothing to calibrate by: the program has done no work that is counted")
            .hint("give it more to do, and compile it by fathom"));
    }
    let factor = measured as f64 / counted as f64;
    let mut text = format!("# What operations cost in {what}: `fathom simulate --work calibrated:FILE`.\n[work]\n");
    for (class, cost) in WORK.iter().zip(costs) {
        let _ = writeln!(text, "{class}_ns = {:?}", cost * factor / 1000.0);
    }
    std::fs::write(path, text).or_io("write", path)
}

/// Work of a thread that is too little to calibrate by, in picoseconds: its first faults of pages and misses in caches, and the
/// runtime's own time, are a large part of it.
const SHORT: u64 = 10_000_000_000;

/// What to say of costs that rest on so little: `measured` picoseconds of work of all threads.
pub fn warning(measured: u64, threads: u32) -> Option<String> {
    let each = measured / u64::from(threads.max(1));
    (each < SHORT).then(|| {
        format!(
            "warning: the costs rest on {:.3} ms of work on each thread, less than {} ms: too little to tell what operations cost.\n\
             Give the program more to do, and calibrate again.\n",
            each as f64 / 1e9,
            SHORT / 1_000_000_000
        )
    })
}

/// The costs in such a file.
///
/// # Errors
/// It cannot be read, or is no such file.
pub fn read(path: &Path) -> Result<Costs> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        work: BTreeMap<String, f64>,
    }
    let text = std::fs::read_to_string(path).or_io("read", path)?;
    let invalid = |why: &str| {
        Failure::new(format!("{} has no costs of operations: {why}", path.display()))
            .hint("fathom simulate --calibrate FILE writes such a file")
    };
    let file: File = toml::from_str(&text).map_err(|e| invalid(e.message()))?;
    let mut costs = Costs::default();
    for (class, cost) in WORK.iter().zip(&mut costs) {
        let ns = *file.work.get(&format!("{class}_ns")).ok_or_else(|| invalid(&format!("`{class}_ns` is missing")))?;
        if !(0.0..=1e6).contains(&ns) {
            return Err(invalid(&format!("`{class}_ns` must be between 0 and 1000000")));
        }
        *cost = ns * 1000.0;
    }
    match file.work.len() == WORK.len() {
        true => Ok(costs),
        false => Err(invalid(&format!("it must have {}, and nothing else", WORK.join("_ns, ") + "_ns"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_come_back_times_the_factor() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("costs.toml");
        let costs = std::array::from_fn(|i| 100.0 * (i + 1) as f64);
        write(&path, "a test", &costs, 2000, 3000).unwrap();
        let again = read(&path).unwrap();
        for (before, after) in costs.iter().zip(again) {
            assert!((after / before - 1.5).abs() < 1e-9);
        }
        assert!(write(&path, "a test", &costs, 0, 5).is_err());
        std::fs::write(&path, "[work]\ninteger_ns = 1\n").unwrap();
        assert!(read(&path).unwrap_err().what.contains("`multiply_ns` is missing"));
        std::fs::write(&path, "work = 3\n").unwrap();
        assert!(read(&path).is_err());
    }
}
