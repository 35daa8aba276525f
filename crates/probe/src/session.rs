//! A session of measuring: repeats a stimulus until its confidence interval is tight or its time is spent, counts
//! disturbed samples, and reports progress.

use crate::cycle::{self, Cycles};
use crate::rounds::{self, Rounds};
use crate::{Clock, Estimate, Failure, Runner, Samples, Stimulus};
use fathom_profile::{Claim, Reading};
use std::time::{Duration, Instant};

/// The time that a profile may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// About fifteen seconds in all.
    Quick,
    /// About two minutes.
    Normal,
    /// As long as necessary.
    Thorough,
}

impl Effort {
    /// A point is good if half its confidence interval, divided by the value, is below this.
    pub fn tight(self) -> f64 {
        match self {
            Effort::Quick => 0.02,
            Effort::Normal => 0.01,
            Effort::Thorough => 0.005,
        }
    }

    /// The least and the greatest number of samples of a point.
    pub fn samples(self) -> (usize, usize) {
        match self {
            Effort::Quick => (5, 11),
            Effort::Normal => (7, 45),
            Effort::Thorough => (15, 201),
        }
    }

    /// The longest time of a point.
    pub fn limit_of_a_point(self) -> Duration {
        match self {
            Effort::Quick => Duration::from_millis(150),
            Effort::Normal => Duration::from_millis(800),
            Effort::Thorough => Duration::from_secs(20),
        }
    }

    /// The time a point waits for the processor's frequency to change, if a change would show the share of its time
    /// that is proportional to the cycle.
    fn patience(self) -> Duration {
        Duration::from_millis(match self {
            Effort::Quick => 10,
            Effort::Normal => 40,
            Effort::Thorough => 500,
        })
    }

    /// The time of a whole profile.
    pub fn budget(self) -> Duration {
        Duration::from_secs(match self {
            Effort::Quick => 14,
            Effort::Normal => 120,
            Effort::Thorough => 1200,
        })
    }

    /// Whether there is time to measure again at widely separated moments.
    pub fn has_rounds(self) -> bool {
        self != Effort::Quick
    }

    pub fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Normal => "normal",
            Effort::Thorough => "thorough",
        }
    }
}

/// What an area measures with.
pub struct Session<'a> {
    pub runner: &'a mut dyn Runner,
    pub effort: Effort,
    /// The time by which the area should be done. Some probes refine if time is left, others thin out their grids; none
    /// overruns by more than a point.
    pub until: Instant,
    /// Called after each point with the name of the current measurement.
    pub progress: &'a mut dyn FnMut(&str),
    pub tally: Tally,
    /// The system's claims about the machine, as starting values of probes.
    pub claims: &'a [Claim],
}

/// The session's measurements.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub samples: usize,
    pub outliers: usize,
    /// The spread of every point.
    pub spreads: Vec<f64>,
    pub cycles: Cycles,
    pub rounds: Rounds,
}

impl<'a> Session<'a> {
    /// A session of this length with a machine that makes no claims.
    pub fn new(runner: &'a mut dyn Runner, effort: Effort, time: Duration) -> Self {
        let until = runner.clock().now() + time;
        // A closure without state takes no memory.
        let progress = Box::leak(Box::new(|_: &str| {}));
        Self { runner, effort, until, progress, tally: Tally::default(), claims: &[] }
    }
}

impl Session<'_> {
    /// The machine's time.
    pub fn now(&self) -> Instant {
        self.runner.clock().now()
    }

    /// The machine's time from now until `then`.
    pub fn left_until(&self, then: Instant) -> Duration {
        then.saturating_duration_since(self.now())
    }

    /// Whether every look is the same, so that one sample is enough.
    pub fn is_exact(&self) -> bool {
        matches!(self.runner.clock(), Clock::Virtual(_))
    }

    /// Whether there is time, and reason, to measure again at widely separated moments.
    pub fn has_rounds(&self) -> bool {
        self.effort.has_rounds() && !self.is_exact()
    }

    /// The least and the greatest number of samples of a stimulus.
    fn samples(&self) -> (usize, usize) {
        if self.is_exact() {
            (1, 1)
        } else {
            self.effort.samples()
        }
    }

    /// Measures until the interval is tight. A point is the median of this round's look and those of earlier rounds.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn measure(&mut self, stimulus: &Stimulus) -> Result<Estimate, Failure> {
        self.measure_with_facts(stimulus).map(|(estimate, _)| estimate)
    }

    /// The same, with all samples and the kernel's facts.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn measure_with_facts(&mut self, stimulus: &Stimulus) -> Result<(Estimate, Samples), Failure> {
        self.measure_within(stimulus, self.effort.limit_of_a_point())
    }

    /// The same, within about `limit`.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn measure_within(&mut self, stimulus: &Stimulus, limit: Duration) -> Result<(Estimate, Samples), Failure> {
        let (least, most) = self.samples();
        let (started, limit) = (self.now(), limit.min(self.effort.limit_of_a_point()));
        let mut all = Samples::default();
        let mut waited = false;
        loop {
            let left = limit.saturating_sub(self.now() - started).max(Duration::from_millis(20));
            let more = if all.ns.is_empty() || waited { least } else { all.ns.len() };
            all.extend(self.runner.run(stimulus, more, left)?);
            let converted = Samples { ns: self.tally.cycles.samples(stimulus, &all), ..Samples::default() };
            let Some(estimate) = converted.estimate() else {
                return Err(Failure::Broken(format!("`{stimulus}` gave no samples")));
            };
            let tight = estimate.spread() <= self.effort.tight();
            if tight || all.ns.len() >= most || self.now() - started >= limit {
                if !waited && self.tally.cycles.is_open(stimulus, &all) && self.time_left() {
                    waited = true;
                    if self.frequency_changes(all.cycles_ns.last().copied()) {
                        continue;
                    }
                }
                self.tally.cycles.learn(stimulus, &all);
                self.count(stimulus, &estimate);
                self.tally.rounds.keep(self.runner.threads(), stimulus, &all);
                return Ok((self.with_earlier(stimulus, estimate), Samples { ns: converted.ns, ..all }));
            }
        }
    }

    /// Combines an estimate with those of earlier rounds.
    fn with_earlier(&self, stimulus: &Stimulus, now: Estimate) -> Estimate {
        let earlier = self.tally.rounds.earlier(self.runner.threads(), stimulus);
        rounds::together(&self.tally.cycles, stimulus, &earlier, now)
    }

    /// The latest samples of a stimulus, not converted.
    pub fn last(&self, stimulus: &Stimulus) -> Option<&Samples> {
        self.tally.rounds.last(self.runner.threads(), stimulus)
    }

    /// The estimate of a stimulus in each earlier round, with its samples and facts.
    pub fn earlier(&self, stimulus: &Stimulus) -> Vec<(Estimate, Samples)> {
        let of = |samples: &Samples| {
            let ns = self.tally.cycles.samples(stimulus, samples);
            let samples = Samples { ns, ..samples.clone() };
            samples.estimate().map(|e| (e, samples))
        };
        self.tally.rounds.earlier(self.runner.threads(), stimulus).into_iter().filter_map(of).collect()
    }

    /// Waits a little for the processor's frequency to change; false if it does not.
    fn frequency_changes(&mut self, from: Option<f64>) -> bool {
        if self.runner.clock() != Clock::Real {
            return false;
        }
        let until = Instant::now() + self.effort.patience();
        while let Some(from) = from.filter(|_| Instant::now() < until) {
            std::thread::sleep(Duration::from_millis(2));
            match cycle::now_ns(self.runner) {
                Some(now) if (now / from - 1.0).abs() > cycle::CHANGE => return true,
                Some(_) => {}
                None => return false,
            }
        }
        false
    }

    fn count(&mut self, stimulus: &Stimulus, estimate: &Estimate) {
        self.tally.samples += estimate.samples;
        self.tally.outliers += estimate.outliers;
        self.tally.spreads.push(estimate.spread());
        (self.progress)(&stimulus.to_string());
    }

    /// Measures a point of a curve, in ns per operation.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn point(&mut self, x: f64, stimulus: &Stimulus) -> Result<Reading, Failure> {
        let e = self.measure(stimulus)?;
        Ok(Reading { x, y: e.value, low: e.low, high: e.high, samples: e.samples, outliers: e.outliers })
    }

    /// Takes the least number of samples, within about `limit`: for operations measured in several passes, because they
    /// differ more from time to time than within a moment.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn glance(&mut self, stimulus: &Stimulus, limit: Duration) -> Result<(Estimate, Samples), Failure> {
        let limit = limit.min(self.effort.limit_of_a_point());
        let mut samples = self.runner.run(stimulus, self.samples().0, limit)?;
        self.tally.rounds.keep(self.runner.threads(), stimulus, &samples);
        let converted = self.tally.cycles.samples(stimulus, &samples);
        self.tally.cycles.learn(stimulus, &samples);
        samples.ns = converted;
        let Some(estimate) = samples.estimate() else {
            return Err(Failure::Broken(format!("`{stimulus}` gave no samples")));
        };
        self.count(stimulus, &estimate);
        Ok((estimate, samples))
    }

    /// Measures with another number of threads; meanwhile this session's runner sleeps.
    ///
    /// # Errors
    /// The runner does not exist, or `measure` fails.
    pub fn with_threads<T>(
        &mut self,
        threads: usize,
        measure: impl FnOnce(&mut Session) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if threads == self.runner.threads() {
            return measure(self);
        }
        let mut other = self.runner.with_threads(threads)?;
        let mut session = Session {
            runner: other.as_mut(),
            effort: self.effort,
            until: self.until,
            progress: &mut *self.progress,
            tally: std::mem::take(&mut self.tally),
            claims: self.claims,
        };
        let result = measure(&mut session);
        self.tally = session.tally;
        result
    }

    /// Whether there is time left.
    pub fn time_left(&self) -> bool {
        self.now() < self.until
    }
}
