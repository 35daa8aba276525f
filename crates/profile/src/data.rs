//! A profile: measurements on a machine (curves), inferred values, each with its evidence, and the figures of a machine
//! file, so that every model can be applied to it. `profile.toml` is its file.

use crate::mechanism::Subject;
use crate::names;
use crate::reason::Reason;
use fathom_model::MachineFile;
use serde::{Deserialize, Serialize};

/// The first line of a profile, which distinguishes it from a machine file.
pub const FORMAT: &str = "fathom-profile-1";

/// The effort of a probe without a time limit; see [`About::effort`].
pub const THOROUGH: &str = "thorough";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Profile {
    pub format: String,
    pub about: About,
    #[serde(default)]
    pub values: Vec<Value>,
    #[serde(default)]
    pub curves: Vec<Curve>,
    #[serde(default)]
    pub fits: Vec<FittedCurve>,
    /// The measurements that were not possible, with the reasons.
    #[serde(default)]
    pub missing: Vec<Missing>,
    /// The system's claims about the machine: see [`crate::check`](mod@crate::check).
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// The figures for the models.
    pub machine: MachineFile,
}

/// A claim of a system about its machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The name of the value that it is about.
    pub name: String,
    pub value: f64,
    /// The source of the claim.
    pub source: String,
}

/// When, where and how thoroughly a profile was taken.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct About {
    /// The machine in words, as its system names it.
    pub machine: String,
    /// Seconds since 1970 (UTC).
    pub taken_unix_s: u64,
    pub fathom: String,
    /// quick, normal or thorough.
    pub effort: String,
    pub seconds: f64,
    /// Logical processors that the probes could use.
    pub processors: usize,
    pub compiler: String,
    /// The conduit of the communication.
    #[serde(default)]
    pub conduit: String,
    /// Median over all points of (half the confidence interval / value).
    pub median_spread: f64,
    /// Samples taken, and those of them that were outliers.
    pub samples: usize,
    pub outliers: usize,
    /// The cycle, in ns, to which times of a core are converted, because its frequency changes.
    #[serde(default)]
    pub cycle_ns: Option<f64>,
    /// The share of the processors' time that the host took from the computer during the measurement.
    #[serde(default)]
    pub steal: f64,
    /// The disturbances of the measurement, area by area, in sentences; empty on a quiet computer.
    #[serde(default)]
    pub disturbances: Vec<String>,
    /// The number of runs. If there is more than one, this is the run nearest to all others.
    #[serde(default)]
    pub runs: usize,
    /// Of several runs: the median over the values of their relative spread, (greatest - least) / 2 divided by the
    /// median of the runs.
    #[serde(default)]
    pub repeatability: Option<f64>,
    /// Of several runs: the spread of each value.
    #[serde(default)]
    pub repeats: Vec<Repeat>,
}

/// The results of several runs for a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    pub name: String,
    /// In the order of the runs; runs without a result are left out.
    pub values: Vec<f64>,
    /// (greatest - least) / 2 divided by the median; None if fewer than two runs have a result.
    pub spread: Option<f64>,
}

/// An inferred value, or one that cannot be known here. Made by [`Value::known`] and [`Value::unknown`] alone.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// `memory.l1d.bytes`: the area, then the subject. The last part is the unit, if the value has one.
    pub name: String,
    /// None if it cannot be known here; `rule` then says why.
    pub value: Option<f64>,
    /// bytes, ns, mb_s, ways, …; empty for a plain number.
    #[serde(default)]
    pub unit: String,
    /// The bounds of the true value, if the rule is right.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// From 0 to 1: how clearly the evidence supports the value.
    pub confidence: f64,
    /// The rule that gave the value, in a sentence with its figures.
    pub rule: String,
    /// The points of the evidence.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// The points that a value rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    pub curve: String,
    pub series: String,
    /// The points' x.
    pub at: Vec<f64>,
}

/// Measured points: y against x, a series for each of several settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// `memory.chase`: the area, then the operation.
    pub name: String,
    /// A heading for people.
    pub title: String,
    /// The unit of x: bytes, stride_bytes, threads, …
    pub x: String,
    /// The unit of y: ns, mb_s, …
    pub y: String,
    #[serde(default)]
    pub log_x: bool,
    #[serde(default)]
    pub log_y: bool,
    pub series: Vec<Series>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    pub name: String,
    /// The subject of the measurement, if programs decide by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Subject>,
    /// By increasing x.
    pub points: Vec<Reading>,
}

/// A measured point. In the file: `{ x, y, low, high, samples, outliers }`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    pub x: f64,
    pub y: f64,
    pub low: f64,
    pub high: f64,
    pub samples: usize,
    #[serde(default)]
    pub outliers: usize,
}

/// A form fitted to a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedCurve {
    pub curve: String,
    pub series: String,
    /// As in machine files: `affine`.
    pub form: String,
    pub formula: String,
    pub coefficients: Vec<Coefficient>,
    /// Standard deviation of the residuals, in the unit of y (or a share of y if `relative`).
    pub residual_sd: f64,
    pub relative: bool,
    /// The range in which it holds.
    pub from: f64,
    pub to: f64,
    /// The number of points of the fit, and the points (x, y) that it left out.
    pub points: usize,
    #[serde(default)]
    pub left_out: Vec<(f64, f64)>,
    /// Why this form.
    pub reason: String,
    /// The forms that were tried, best first, each with its AICc.
    #[serde(default)]
    pub tried: Vec<(String, f64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    pub name: String,
    pub value: f64,
    /// 95 % confidence interval.
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    pub what: String,
    /// The kind of reason, for programs.
    #[serde(default)]
    pub reason: Reason,
    /// The reason in a sentence, for people.
    pub why: String,
}

impl Missing {
    pub fn new(what: impl Into<String>, reason: Reason, why: impl Into<String>) -> Self {
        Self { what: what.into(), reason, why: why.into() }
    }

    /// The area that it begins with, if any.
    pub fn area(&self) -> Option<&'static str> {
        names::area_of(&self.what)
    }
}

impl Profile {
    /// The curves of mechanisms: decision, mechanism, and the series with the subject of each.
    pub fn mechanisms(&self) -> impl Iterator<Item = (&str, &str, &Subject, &Series)> {
        self.curves.iter().filter_map(|c| Some((names::of_mechanism_curve(&c.name)?, c))).flat_map(
            |((decision, mechanism), curve)| {
                curve.series.iter().filter_map(move |s| Some((decision, mechanism, s.of.as_ref()?, s)))
            },
        )
    }

    /// An empty profile of a machine of this name.
    pub fn empty(name: &str) -> Self {
        let machine = MachineFile {
            name: name.to_string(),
            copy_transfer: None,
            loggp: None,
            laws: vec![],
            memory: None,
            mechanisms: vec![],
            sharing: None,
            simulated: Default::default(),
        };
        Self {
            format: FORMAT.into(),
            about: About::default(),
            values: vec![],
            curves: vec![],
            fits: vec![],
            missing: vec![],
            claims: vec![],
            machine,
        }
    }

    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|v| v.name == name)
    }

    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|c| c.name == name)
    }
}

impl Value {
    /// An inferred value, in the unit that its name ends with, by a rule: a sentence with its figures.
    pub fn known(name: impl Into<String>, value: f64, unit: &str, confidence: f64, rule: impl Into<String>) -> Self {
        Self { value: Some(value), confidence, ..Self::unknown(name, unit, rule) }
    }

    /// A value that cannot be known here, and the reason.
    pub fn unknown(name: impl Into<String>, unit: &str, why: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: None,
            unit: unit.into(),
            low: None,
            high: None,
            confidence: 0.0,
            rule: why.into(),
            evidence: vec![],
        }
    }

    /// Sets the bounds of the true value, if the rule is right.
    #[must_use]
    pub fn between(self, low: impl Into<Option<f64>>, high: impl Into<Option<f64>>) -> Self {
        Self { low: low.into(), high: high.into(), ..self }
    }

    /// Sets the confidence.
    #[must_use]
    pub fn sure(self, confidence: f64) -> Self {
        Self { confidence, ..self }
    }

    #[must_use]
    pub fn resting_on(self, evidence: Vec<Evidence>) -> Self {
        Self { evidence, ..self }
    }

    /// The same figures, under another name and with another rule.
    #[must_use]
    pub fn renamed(self, name: impl Into<String>, rule: impl Into<String>) -> Self {
        Self { name: name.into(), rule: rule.into(), ..self }
    }

    /// The same in another unit: `f` must be monotonic (1 - x is).
    #[must_use]
    pub fn map(self, unit: &str, f: impl Fn(f64) -> f64) -> Self {
        let (a, b) = (self.low.map(&f), self.high.map(&f));
        let (low, high) = if a > b { (b, a) } else { (a, b) };
        Self { value: self.value.map(&f), low, high, unit: unit.into(), ..self }
    }

    /// Widens the interval to contain the value: of several medians the middle one may lie outside the interval of
    /// another.
    #[must_use]
    pub fn within(mut self) -> Self {
        if let Some(v) = self.value {
            (self.low, self.high) = (self.low.map(|low| low.min(v)), self.high.map(|high| high.max(v)));
        }
        self
    }
}

impl Curve {
    pub fn series(&self, name: &str) -> Option<&Series> {
        self.series.iter().find(|s| s.name == name)
    }
}

impl Series {
    /// Sorts the points by x.
    pub fn new(name: impl Into<String>, points: Vec<Reading>) -> Self {
        Self { name: name.into(), of: None, points }
    }

    /// The same with a subject by which programs decide, and which gives the name.
    pub fn of(subject: Subject, points: Vec<Reading>) -> Self {
        Self { name: subject.to_string(), of: Some(subject), points }
    }
}
