//! Curves through measured points: the form, its coefficients with their confidence, and the range in which it holds.
//!
//! Every form is fitted by least squares, and the corrected Akaike criterion (AICc) selects the one that describes the
//! data without describing the noise. A point far off a form may be left out of its fit, by a rule: it is reported, and
//! costs the form as much as three coefficients. The fits of the SPP-1000 study have these forms.

mod forms;
mod least_squares;
mod outliers;
mod points;
mod select;
mod two_piece;

pub use forms::Form;
pub use points::{read, Point};
pub use select::{select, Selection, Tried, TriedResult};

use least_squares::{student_t, Solution};
use serde::Serialize;

/// The assumption about the deviations of the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deviations {
    /// Equally large for all values.
    #[default]
    Absolute,
    /// In proportion to the value.
    Relative,
}

/// A fitted coefficient.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coefficient {
    pub name: &'static str,
    pub value: f64,
    /// None for a breakpoint, which lies somewhere between two points.
    pub standard_error: Option<f64>,
    /// The 95 % confidence interval; for a breakpoint the points on both sides of it.
    pub low: f64,
    pub high: f64,
}

/// A form fitted to points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    pub form: Form,
    pub formula: String,
    pub coefficients: Vec<Coefficient>,
    /// Standard deviation of the residuals; a share of the value if deviations are relative.
    pub residual_sd: f64,
    pub aicc: f64,
    /// The parameters that AICc counts: coefficients, the deviation, the choice of a breakpoint, points left out.
    pub parameters: usize,
    /// Points that the form was fitted to.
    pub points: usize,
    pub left_out: Vec<Point>,
    /// The form holds from here …
    pub from: f64,
    /// … to here.
    pub to: f64,
    #[serde(skip)]
    uncertainty: Uncertainty,
}

/// For predictions: the coefficients' covariance divided by the variance of a deviation, row by row.
#[derive(Clone, Debug, PartialEq)]
struct Uncertainty {
    covariance: Vec<Vec<f64>>,
    degrees: usize,
    deviations: Deviations,
}

/// A fit's prediction for another point, with the interval that holds 95 % of such measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    pub x: f64,
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// Is x where the fit holds?
    pub inside: bool,
}

impl Fit {
    pub fn values(&self) -> Vec<f64> {
        self.coefficients.iter().map(|c| c.value).collect()
    }

    pub fn predict(&self, x: f64) -> Prediction {
        let values = self.values();
        let value = self.form.value(&values, x);
        let gradient = self.form.gradient(&values, x);
        let Uncertainty { covariance, degrees, deviations } = &self.uncertainty;
        let own: f64 = (0..gradient.len())
            .flat_map(|i| (0..gradient.len()).map(move |j| (i, j)))
            .map(|(i, j)| gradient[i] * covariance[i][j] * gradient[j])
            .sum();
        let scale = if *deviations == Deviations::Relative { value } else { 1.0 };
        let half = student_t(0.975, *degrees) * self.residual_sd * (scale * scale + own).sqrt();
        Prediction { x, value, low: value - half, high: value + half, inside: (self.from..=self.to).contains(&x) }
    }
}

/// Fits one form.
///
/// # Errors
/// A sentence: why the form cannot be fitted to these points.
pub fn fit(form: Form, points: &[Point], deviations: Deviations) -> Result<Fit, String> {
    points::check(points, deviations)?;
    if form == Form::TwoPiece {
        return two_piece::fit(points, deviations);
    }
    let (solution, left_out) = outliers::fit(form, points, deviations)?;
    let kept: Vec<Point> = points.iter().filter(|p| !left_out.contains(p)).copied().collect();
    let parameters = form.names().len() + 1 + outliers::COST * left_out.len();
    finish(form, &kept, deviations, solution, left_out, parameters)
}

/// A solution with its statistics.
fn finish(
    form: Form,
    kept: &[Point],
    deviations: Deviations,
    solution: Solution,
    left_out: Vec<Point>,
    parameters: usize,
) -> Result<Fit, String> {
    let n = kept.len() + left_out.len();
    if n < parameters + 2 {
        return Err(format!("it needs {} points, but there are {n}", parameters + 2));
    }
    let degrees = kept.len() - solution.values.len();
    let floor = kept.len() as f64 * (points::EXACT * points::size(kept, deviations)).powi(2);
    let residual_sd = (solution.rss / degrees as f64).sqrt();
    let t = student_t(0.975, degrees);
    let coefficients = (form.names().iter().zip(&solution.values).enumerate())
        .map(|(i, (name, value))| {
            let error = residual_sd * solution.covariance[i][i].sqrt();
            Coefficient {
                name,
                value: *value,
                standard_error: Some(error),
                low: value - t * error,
                high: value + t * error,
            }
        })
        .collect();
    let ends = kept.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |e, p| (e.0.min(p.x), e.1.max(p.x)));
    Ok(Fit {
        form,
        formula: form.formula(&solution.values),
        coefficients,
        residual_sd,
        aicc: aicc(solution.rss.max(floor), n, parameters),
        parameters,
        points: kept.len(),
        left_out,
        from: ends.0,
        to: ends.1,
        uncertainty: Uncertainty { covariance: solution.covariance, degrees, deviations },
    })
}

/// Hurvich and Tsai (1989).
fn aicc(rss: f64, n: usize, parameters: usize) -> f64 {
    let (n, k) = (n as f64, parameters as f64);
    n * (rss / n).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0)
}
