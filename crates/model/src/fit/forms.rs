//! The forms of curves, for the times and throughputs of machines by a number of processors or a size.

use crate::answer::number;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// y = a
    Constant,
    /// y = b x
    Linear,
    /// y = a + b x
    Affine,
    /// y = a x^b
    Power,
    /// y = a + b log2 x
    Logarithm,
    /// y = b x log2 x
    PLogP,
    /// y = b x^2
    Square,
    /// y = a1 + b1 x up to c, a2 + b2 x beyond
    TwoPiece,
}

impl Form {
    pub const ALL: [Form; 8] = [
        Form::Constant,
        Form::Linear,
        Form::Affine,
        Form::Power,
        Form::Logarithm,
        Form::PLogP,
        Form::Square,
        Form::TwoPiece,
    ];

    /// The name in machine files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Constant => "constant",
            Form::Linear => "linear",
            Form::Affine => "affine",
            Form::Power => "power",
            Form::Logarithm => "logarithm",
            Form::PLogP => "p-log-p",
            Form::Square => "square",
            Form::TwoPiece => "two-piece",
        }
    }

    /// The names of the coefficients, in their order.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Form::Constant => &["a"],
            Form::Linear | Form::PLogP | Form::Square => &["b"],
            Form::Affine | Form::Power | Form::Logarithm => &["a", "b"],
            Form::TwoPiece => &["c", "a1", "b1", "a2", "b2"],
        }
    }

    /// Is the form defined for x above 0 only?
    pub fn needs_positive_x(self) -> bool {
        matches!(self, Form::Power | Form::Logarithm | Form::PLogP)
    }

    pub fn value(self, c: &[f64], x: f64) -> f64 {
        match self {
            Form::Constant => c[0],
            Form::Linear => c[0] * x,
            Form::Affine => c[0] + c[1] * x,
            Form::Power => c[0] * x.powf(c[1]),
            Form::Logarithm => c[0] + c[1] * x.log2(),
            Form::PLogP => c[0] * x * x.log2(),
            Form::Square => c[0] * x * x,
            Form::TwoPiece if x <= c[0] => c[1] + c[2] * x,
            Form::TwoPiece => c[3] + c[4] * x,
        }
    }

    /// The derivatives of the value by the coefficients. A breakpoint has none.
    pub(super) fn gradient(self, c: &[f64], x: f64) -> Vec<f64> {
        match self {
            Form::Constant => vec![1.0],
            Form::Linear => vec![x],
            Form::Affine => vec![1.0, x],
            Form::Power => vec![x.powf(c[1]), c[0] * x.powf(c[1]) * x.ln()],
            Form::Logarithm => vec![1.0, x.log2()],
            Form::PLogP => vec![x * x.log2()],
            Form::Square => vec![x * x],
            Form::TwoPiece if x <= c[0] => vec![0.0, 1.0, x, 0.0, 0.0],
            Form::TwoPiece => vec![0.0, 0.0, 0.0, 1.0, x],
        }
    }

    /// The formula with numbers; x is the variable.
    pub fn formula(self, c: &[f64]) -> String {
        let plus = |c: f64| format!("{} {}", if c < 0.0 { "-" } else { "+" }, number(c.abs()));
        match self {
            Form::Constant => number(c[0]),
            Form::Linear => format!("{} x", number(c[0])),
            Form::Affine => format!("{} {} x", number(c[0]), plus(c[1])),
            Form::Power => format!("{} x^{}", number(c[0]), number(c[1])),
            Form::Logarithm => format!("{} {} log2 x", number(c[0]), plus(c[1])),
            Form::PLogP => format!("{} x log2 x", number(c[0])),
            Form::Square => format!("{} x^2", number(c[0])),
            Form::TwoPiece => format!(
                "{} {} x up to {}, {} {} x beyond",
                number(c[1]),
                plus(c[2]),
                number(c[0]),
                number(c[3]),
                plus(c[4])
            ),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
