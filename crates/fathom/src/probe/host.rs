//! A prober that runs on this computer, built and launched by the toolchain.

use fathom_probe::computer::JOB;
use fathom_probe::host::{Host, Launch};
use fathom_probe::{Failure, Runner};
use fathom_toolchain::probe::Prober;
use fathom_toolchain::scratch::ChildGuard;
use std::rc::Rc;

/// A runner for the areas.
pub fn start(prober: &Prober, threads: usize) -> Result<Box<dyn Runner>, Failure> {
    Ok(Box::new(launch(prober, threads)?))
}

pub fn launch(prober: &Prober, threads: usize) -> Result<Host, Failure> {
    let launch_of = |prober: &Prober, threads: usize| {
        let job = (JOB.to_string(), std::process::id().to_string());
        let (command, env) = prober.command(threads, &[job]).map_err(|e| Failure::Broken(e.to_string()))?;
        Ok(Launch { command: command.words, env, threads, guard: |process| Box::new(ChildGuard::new(process)) })
    };
    let prober = prober.clone();
    let host = Host::start(launch_of(&prober, threads)?)?;
    Ok(host.with_others(Rc::new(move |threads| launch_of(&prober, threads))))
}
