//! This computer, as `fathom probe` sees it: its name, its processors, and a prober that runs on it.

use fathom_probe::host::{Host, Launch};
use fathom_probe::{Failure, Runner};
use fathom_toolchain::probe::Prober;
use fathom_toolchain::scratch::ChildGuard;
use std::rc::Rc;
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
    let count = std::thread::available_parallelism().map_or(1, |n| n.get());
    let release = read("/proc/sys/kernel/osrelease");
    format!("{model}, {count} processors{memory}, Linux {} ({})", release.trim(), std::env::consts::ARCH)
}

pub fn now_unix_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// A runner for the areas.
pub fn start(prober: &Prober, threads: usize) -> Result<Box<dyn Runner>, Failure> {
    Ok(Box::new(launch(prober, threads)?))
}

pub fn launch(prober: &Prober, threads: usize) -> Result<Host, Failure> {
    let launch_of = |prober: &Prober, threads: usize| {
        let (command, env) = prober.command(threads).map_err(|e| Failure::Broken(e.to_string()))?;
        Ok(Launch { command: command.words, env, threads, guard: |process| Box::new(ChildGuard::new(process)) })
    };
    let prober = prober.clone();
    let host = Host::start(launch_of(&prober, threads)?)?;
    Ok(host.with_others(Rc::new(move |threads| launch_of(&prober, threads))))
}
