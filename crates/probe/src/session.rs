//! A session of measuring: repeats a stimulus until its confidence interval is tight or its time is spent, keeps count of
//! what was disturbed, and says how far it is.

use crate::cycle::{self, Cycles};
use crate::rounds::{self, Rounds};
use crate::{Clock, Estimate, Failure, Runner, Samples, Stimulus};
use fathom_profile::{Claim, Reading};
use std::time::{Duration, Instant};

/// How much time a profile may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// About fifteen seconds in all.
    Quick,
    /// About two minutes.
    Normal,
    /// As long as it takes.
    Thorough,
}

impl Effort {
    /// Half the confidence interval over the value, below which a point is good.
    pub fn tight(self) -> f64 {
        match self {
            Effort::Quick => 0.02,
            Effort::Normal => 0.01,
            Effort::Thorough => 0.005,
        }
    }

    /// Samples that a point has at least, and at most.
    pub fn samples(self) -> (usize, usize) {
        match self {
            Effort::Quick => (5, 11),
            Effort::Normal => (7, 45),
            Effort::Thorough => (15, 201),
        }
    }

    /// No point takes longer.
    pub fn limit_of_a_point(self) -> Duration {
        match self {
            Effort::Quick => Duration::from_millis(150),
            Effort::Normal => Duration::from_millis(800),
            Effort::Thorough => Duration::from_secs(20),
        }
    }

    /// How long a point waits for the processor's frequency to change, where that would tell what its time depends on.
    fn patience(self) -> Duration {
        Duration::from_millis(match self {
            Effort::Quick => 10,
            Effort::Normal => 40,
            Effort::Thorough => 500,
        })
    }

    /// What a whole profile takes.
    pub fn budget(self) -> Duration {
        Duration::from_secs(match self {
            Effort::Quick => 14,
            Effort::Normal => 120,
            Effort::Thorough => 1200,
        })
    }

    /// Is there time to look at things again, at moments that lie apart?
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
    /// When the area should be done. Probes with time left refine, others thin out their grids; none overruns by more than
    /// a point.
    pub until: Instant,
    /// Called after each point with what is being measured.
    pub progress: &'a mut dyn FnMut(&str),
    pub tally: Tally,
    /// What the machine's system says of it, where a probe must begin somewhere.
    pub claims: &'a [Claim],
}

/// What a session has seen.
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
    /// A session of so long with a machine that claims nothing of itself.
    pub fn new(runner: &'a mut dyn Runner, effort: Effort, time: Duration) -> Self {
        let until = runner.clock().now() + time;
        // A closure without a state takes no memory.
        let progress = Box::leak(Box::new(|_: &str| {}));
        Self { runner, effort, until, progress, tally: Tally::default(), claims: &[] }
    }
}

impl Session<'_> {
    /// The machine's time.
    pub fn now(&self) -> Instant {
        self.runner.clock().now()
    }

    /// The machine's time from now to then.
    pub fn left_until(&self, then: Instant) -> Duration {
        then.saturating_duration_since(self.now())
    }

    /// Is every look the same, so that a single sample says all?
    pub fn is_exact(&self) -> bool {
        matches!(self.runner.clock(), Clock::Virtual(_))
    }

    /// Is there time to look at things again, at moments that lie apart, and any sense in it?
    pub fn has_rounds(&self) -> bool {
        self.effort.has_rounds() && !self.is_exact()
    }

    /// How many samples a stimulus has at least, and at most.
    fn samples(&self) -> (usize, usize) {
        if self.is_exact() {
            (1, 1)
        } else {
            self.effort.samples()
        }
    }

    /// Measures until the interval is tight. A point is the median of this round's look and those of the rounds before.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn measure(&mut self, stimulus: &Stimulus) -> Result<Estimate, Failure> {
        self.measure_with_facts(stimulus).map(|(estimate, _)| estimate)
    }

    /// The same, with all samples and what else the kernel says.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn measure_with_facts(&mut self, stimulus: &Stimulus) -> Result<(Estimate, Samples), Failure> {
        self.measure_within(stimulus, self.effort.limit_of_a_point())
    }

    /// The same, in no more than about `limit`.
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

    /// With what was seen in earlier rounds.
    fn with_earlier(&self, stimulus: &Stimulus, now: Estimate) -> Estimate {
        let earlier = self.tally.rounds.earlier(self.runner.threads(), stimulus);
        rounds::together(&self.tally.cycles, stimulus, &earlier, now)
    }

    /// What was seen of a stimulus last, as it was measured.
    pub fn last(&self, stimulus: &Stimulus) -> Option<&Samples> {
        self.tally.rounds.last(self.runner.threads(), stimulus)
    }

    /// What each of the earlier rounds saw of a stimulus, with what else the kernel said.
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

    /// Takes the least number of samples, in no more than about `limit`: for what is measured in several passes, because it
    /// differs more from time to time than within a moment.
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

    /// Measures with another number of threads; until it is done, this session's runner sleeps.
    ///
    /// # Errors
    /// There is no such runner, or `measure` fails.
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

    /// Is there time for more?
    pub fn time_left(&self) -> bool {
        self.now() < self.until
    }
}
