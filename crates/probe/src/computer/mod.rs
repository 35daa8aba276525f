//! The computer that runs the probe: its description, the claims of its system, and disturbances of measurements on it.
//!
//! Areas and inferences see nothing of this: they see a [`Runner`](crate::Runner) and the claims that they receive.

pub mod claims;
pub mod disturbance;
mod others;
pub mod presence;

pub use others::JOB;

use std::time::{SystemTime, UNIX_EPOCH};

/// Processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

pub fn name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() {
        "this computer".into()
    } else {
        name.to_string()
    }
}

/// `AMD EPYC 7763 64-Core Processor, 8 processors, 33.5 GB, Linux 6.1.0 (x86_64)`.
pub fn description() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|l| l.split(':').next().is_some_and(|n| n.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let model = field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "a processor without a name".into());
    let kilobytes = field(&read("/proc/meminfo"), "MemTotal").and_then(|v| v.split(' ').next()?.parse::<f64>().ok());
    let memory = kilobytes.map(|k| format!(", {:.1} GB", k * 1024.0 / 1e9)).unwrap_or_default();
    let count = processors();
    let release = read("/proc/sys/kernel/osrelease");
    format!("{model}, {count} processors{memory}, Linux {} ({})", release.trim(), std::env::consts::ARCH)
}

pub fn now_unix_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}
