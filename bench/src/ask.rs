//! Single stimuli, asked of the prober (`fathom probe --ask`).

use crate::build::{output, Failure};
use std::process::Command;

/// What it answered: nanoseconds of an operation, one for each sample, rising; and the facts beside them.
pub struct Answer {
    pub ns: Vec<f64>,
    facts: Vec<(String, f64)>,
}

/// `probe` is `fathom probe` with its options.
pub fn ask(probe: &mut Command, stimulus: &str) -> Result<Answer, Failure> {
    let said = output(probe.args(["--ask", stimulus]))?;
    let no = || format!("{stimulus}: {said}");
    let answer = said.lines().find_map(|l| l.strip_prefix("samples ")).ok_or_else(no)?;
    let (samples, facts) = answer.split_once(';').unwrap_or((answer, ""));
    let mut ns: Vec<f64> = samples.split_whitespace().filter_map(|s| s.split('@').next()?.parse().ok()).collect();
    if ns.is_empty() {
        return Err(no());
    }
    ns.sort_by(f64::total_cmp);
    let fact = |word: &str| word.split_once('=').and_then(|(name, value)| Some((name.into(), value.parse().ok()?)));
    Ok(Answer { ns, facts: facts.split_whitespace().filter_map(fact).collect() })
}

impl Answer {
    pub fn median_ns(&self) -> f64 {
        self.ns[self.ns.len() / 2]
    }

    pub fn fact(&self, name: &str) -> Option<f64> {
        self.facts.iter().find(|f| f.0 == name).map(|f| f.1)
    }
}
