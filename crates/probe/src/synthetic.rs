//! What tests on synthetic machines share: samples with deviations, a session, and the machine file from an area's
//! findings.

use crate::{Effort, Failure, Findings, Runner, Session};
use fathom_model::MachineFile;
use std::time::Duration;

/// Deviations of about a percent, the same in every run of a test.
#[derive(Clone, Debug, Default)]
pub struct Noise(usize);

impl Noise {
    /// `count` samples of an operation that takes `ns`.
    pub fn samples(&mut self, ns: f64, count: usize) -> Vec<f64> {
        const PERCENT: [f64; 10] = [0.4, -0.9, 1.1, -0.2, 0.7, -1.2, 0.1, -0.6, 0.9, -0.3];
        let first = self.0;
        self.0 += 3;
        (first..first + count).map(|i| ns * (1.0 + PERCENT[i % PERCENT.len()] / 100.0)).collect()
    }
}

/// Measures an area with this runner in at most this many seconds.
pub fn measured<T>(
    runner: &mut dyn Runner,
    effort: Effort,
    seconds: u64,
    probe: impl FnOnce(&mut Session) -> Result<T, Failure>,
) -> Result<T, Failure> {
    probe(&mut Session::new(runner, effort, Duration::from_secs(seconds)))
}

/// The findings, and the machine file with their figures.
pub fn with_file(mut findings: Findings) -> (Findings, MachineFile) {
    let mut file: MachineFile = toml::from_str("name = \"synthetic\"").unwrap();
    findings.figures.take().unwrap()(&mut file);
    assert_eq!(file.check(), Ok(()));
    (findings, file)
}
