//! Fits curves to measured points: a series becomes a [`FittedCurve`] of the profile, and a law that the models answer
//! from.
//!
//! [`fathom_model::fit`] has the forms and chooses among them. Where the machine's topology changes (more threads than
//! processors, the first processor of another node), no form holds on both sides: each side gets its own fit, and the
//! boundary is known in advance. A side often has few different x (1 and 2 threads of a computer with two processors),
//! and a single value for each of them does not show how far another measurement would deviate. So one x may have
//! several points, measured in passes at different times.

use fathom_model::answer::Unit;
use fathom_model::fit::{self, Deviations, Fit, Form, Point, Selection, TriedResult};
use fathom_model::laws::{Law, Piece};
use fathom_profile::{Coefficient, FittedCurve, Reading, Series};

/// A fit, for the models and for the profile.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub fit: Fit,
    pub curve: FittedCurve,
}

/// The points, and how to fit them.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The curve's and the series' names in the profile.
    pub curve: &'a str,
    pub series: &'a str,
    pub forms: &'a [Form],
    /// Times of machines usually deviate in proportion to the value.
    pub deviations: Deviations,
}

impl<'a> Plan<'a> {
    /// All forms, deviations in proportion to the value.
    pub fn new(curve: &'a str, series: &'a str) -> Self {
        Self { curve, series, forms: &Form::ALL, deviations: Deviations::Relative }
    }

    /// Chooses a form for the points and fits it.
    ///
    /// # Errors
    /// Too few points for any form; the error is a sentence.
    pub fn fit(&self, points: &[Point]) -> Result<Fitted, String> {
        let mut xs: Vec<f64> = points.iter().map(|p| p.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        // Two different x cannot distinguish curved forms, and one x distinguishes no forms at all.
        let straight = [Form::Constant, Form::Linear, Form::Affine];
        let enough = match xs.len() {
            1 => &straight[..1],
            2 => &straight[..],
            _ => &Form::ALL[..],
        };
        let forms: Vec<Form> = self.forms.iter().copied().filter(|f| enough.contains(f)).collect();
        let selection = fit::select(&forms, points, self.deviations)?;
        let curve = self.fitted_curve(&selection);
        Ok(Fitted { fit: selection.chosen, curve })
    }

    fn fitted_curve(&self, selection: &Selection) -> FittedCurve {
        let chosen = &selection.chosen;
        let coefficient =
            |c: &fit::Coefficient| Coefficient { name: c.name.into(), value: c.value, low: c.low, high: c.high };
        let tried = selection.tried.iter().filter_map(|t| match &t.result {
            TriedResult::Fit(fit) => Some((t.form.name().to_string(), fit.aicc)),
            TriedResult::NotFitted(_) => None,
        });
        FittedCurve {
            curve: self.curve.into(),
            series: self.series.into(),
            form: chosen.form.name().into(),
            formula: chosen.formula.clone(),
            coefficients: chosen.coefficients.iter().map(coefficient).collect(),
            residual_sd: chosen.residual_sd,
            relative: self.deviations == Deviations::Relative,
            from: chosen.from,
            to: chosen.to,
            points: chosen.points,
            left_out: chosen.left_out.iter().map(|p| (p.x, p.y)).collect(),
            reason: selection.reason.clone(),
            tried: tried.collect(),
        }
    }
}

/// Divides the points at the boundaries of x; stretches without points are left out.
pub fn stretches(points: &[Point], boundaries: &[f64]) -> Vec<Vec<Point>> {
    let mut edges = vec![f64::NEG_INFINITY];
    edges.extend_from_slice(boundaries);
    edges.push(f64::INFINITY);
    let stretch = |e: &[f64]| points.iter().copied().filter(|p| p.x > e[0] && p.x <= e[1]).collect();
    edges.windows(2).map(stretch).filter(|points: &Vec<Point>| !points.is_empty()).collect()
}

/// The name and the subject of a law; see [`Law`].
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The word that a query uses.
    pub name: &'a str,
    pub what: &'a str,
    /// The meaning of x.
    pub of: &'a str,
    pub unit: Unit,
    pub source: &'a str,
    pub note: Option<&'a str>,
}

/// A law from the fits of one curve, by rising x; None if there are no fits. Points that the fits left out become the
/// law's exceptions.
pub fn law(about: &About, fits: &[Fitted]) -> Option<Law> {
    let (first, beyond) = fits.split_first()?;
    let piece = |f: &Fitted| Piece { form: f.fit.form, coefficients: f.fit.values(), from: f.fit.from, to: f.fit.to };
    let exceptions = fits.iter().flat_map(|f| &f.fit.left_out).map(|p| fathom_model::laws::Exception {
        at: p.x,
        says: format!(
            "{} {} were measured once, which the fit leaves out",
            fathom_model::answer::number(p.y),
            about.unit
        ),
    });
    Some(Law {
        name: about.name.into(),
        what: about.what.into(),
        of: about.of.into(),
        form: first.fit.form,
        coefficients: first.fit.values(),
        unit: about.unit,
        from: first.fit.from,
        to: first.fit.to,
        beyond: beyond.iter().map(piece).collect(),
        source: about.source.into(),
        exceptions: exceptions.collect(),
        note: note(about, fits),
    })
}

/// The law's note, and the distance of the measurements from the law if it is large.
fn note(about: &About, fits: &[Fitted]) -> Option<String> {
    let far = fits.iter().filter(|f| f.curve.relative && f.fit.residual_sd > 0.2).map(|f| {
        let Fit { from, to, residual_sd, .. } = f.fit;
        format!("from {from} to {to} {} what was measured deviates by {:.0} %", about.of, 100.0 * residual_sd)
    });
    let notes: Vec<String> = about.note.map(Into::into).into_iter().chain(far).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// The points of a series.
pub fn points(series: &Series) -> Vec<Point> {
    series.points.iter().map(|r| Point { x: r.x, y: r.y }).collect()
}

/// Merges the readings of several passes into one series: for each x the median pass, and an interval that holds those
/// of all passes.
pub fn merge(name: &str, passes: &[Vec<Reading>]) -> Series {
    let mut all: Vec<Reading> = passes.iter().flatten().copied().collect();
    all.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let same_x = all.chunk_by(|a, b| a.x == b.x);
    let points = same_x.map(|same| {
        let middle = same[(same.len() - 1) / 2];
        Reading {
            low: same.iter().map(|r| r.low).fold(f64::INFINITY, f64::min),
            high: same.iter().map(|r| r.high).fold(f64::NEG_INFINITY, f64::max),
            samples: same.iter().map(|r| r.samples).sum(),
            outliers: same.iter().map(|r| r.outliers).sum(),
            ..middle
        }
    });
    Series::new(name, points.collect())
}
#[cfg(test)]
mod tests {
    use super::*;

    /// Deviations of about 1 %, always the same.
    fn noisy(y: f64, i: usize) -> f64 {
        let shares = [0.4, -0.9, 1.1, -0.2, 0.7, -1.2, 0.1, -0.6, 0.9, -0.3];
        y * (1.0 + shares[i % shares.len()] / 100.0)
    }

    fn curve_of(f: impl Fn(f64) -> f64, xs: &[f64]) -> Vec<Point> {
        xs.iter().enumerate().map(|(i, x)| Point { x: *x, y: noisy(f(*x), i) }).collect()
    }

    const MANY: [f64; 10] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0];

    #[test]
    fn each_form_is_recognised_and_its_coefficients_lie_in_their_intervals() {
        let cases: [(Form, &[f64]); 7] = [
            (Form::Constant, &[40.0]),
            (Form::Linear, &[14.3]),
            (Form::Affine, &[1200.0, 220.0]),
            (Form::Power, &[5.0, 1.4]),
            (Form::Logarithm, &[80.0, 60.0]),
            (Form::PLogP, &[9.0]),
            (Form::Square, &[7.1]),
        ];
        for (form, truth) in cases {
            // log2 1 = 0: a value of 0 has no proportional deviation.
            let points = curve_of(|x| form.value(truth, x), if form == Form::PLogP { &MANY[1..] } else { &MANY });
            let fitted = Plan::new("a.b", "s").fit(&points).unwrap().curve;
            assert_eq!(fitted.form, form.name(), "{fitted:?}");
            for (c, t) in fitted.coefficients.iter().zip(truth) {
                assert!(c.low <= *t && *t <= c.high, "{form}: {c:?}, truth {t}");
            }
            assert!(fitted.residual_sd < 0.02 && fitted.relative);
            assert_eq!(fitted.tried.iter().filter(|t| t.0 == fitted.form).count(), 1);
            assert!(fitted.tried.windows(2).all(|t| t[0].1 <= t[1].1), "best first: {:?}", fitted.tried);
        }
    }

    #[test]
    fn a_break_that_is_not_known_is_found() {
        let step = |x: f64| if x < 10.0 { 100.0 + x } else { 500.0 + 20.0 * x };
        let fitted = Plan::new("a.b", "s").fit(&curve_of(step, &MANY.repeat(2))).unwrap().curve;
        assert_eq!(fitted.form, "two-piece");
        assert!(fitted.coefficients[0].low == 8.0 && fitted.coefficients[0].high == 12.0, "{fitted:?}");
    }

    /// One fit on each side of a boundary.
    fn pieces(points: &[Point], boundary: f64) -> Vec<Fitted> {
        let parts = stretches(points, &[boundary]);
        parts.iter().map(|part| Plan::new("a.b", "s").fit(part).unwrap()).collect()
    }

    #[test]
    fn two_processors_measured_in_passes_have_a_fit_and_so_has_what_is_beyond() {
        let truth = |x: f64| if x <= 2.0 { 70.0 * x } else { 4000.0 * x };
        let xs = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0].repeat(3);
        let pieces = pieces(&curve_of(truth, &xs), 2.0);
        let forms: Vec<_> = pieces.iter().map(|p| (p.fit.form, p.fit.from, p.fit.to)).collect();
        assert_eq!(forms, [(Form::Linear, 1.0, 2.0), (Form::Linear, 3.0, 8.0)]);
    }

    #[test]
    fn a_law_of_pieces_answers_on_both_sides_and_survives_a_file() {
        let truth = |x: f64| if x <= 4.0 { 50.0 + 30.0 * x } else { 4000.0 * x };
        let xs = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0].repeat(2);
        let pieces = pieces(&curve_of(truth, &xs), 4.0);
        let about = About {
            name: "barrier",
            what: "a barrier",
            of: "threads",
            unit: Unit::Nanoseconds,
            source: "measured",
            note: None,
        };
        let law = law(&about, &pieces).unwrap();
        assert_eq!(law.check(), Ok(()));
        let law: Law = toml::from_str(&toml::to_string(&law).unwrap()).unwrap();
        for x in [2.0, 4.0, 6.0, 12.0] {
            let answer = law.at(x).unwrap();
            assert!((answer.value / truth(x) - 1.0).abs() < 0.02, "{x}: {answer:?}");
            assert!(answer.notes.is_empty(), "{answer:?}");
        }
        assert!(law.at(64.0).unwrap().notes[0].contains("outside"), "beyond what was measured");
    }

    #[test]
    fn a_point_far_off_is_left_out_and_said_so() {
        let mut points = curve_of(|x| 7.1 * x * x, &[9.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 28.0, 32.0]);
        points.push(Point { x: 8.0, y: 1540.0 });
        let fitted = Plan::new("a.b", "s").fit(&points).unwrap();
        assert_eq!((fitted.curve.form.as_str(), fitted.curve.left_out.as_slice()), ("square", &[(8.0, 1540.0)][..]));
        let about = About { name: "b", what: "b", of: "p", unit: Unit::Nanoseconds, source: "s", note: None };
        assert_eq!(law(&about, &[fitted]).unwrap().exceptions[0].at, 8.0);
    }

    #[test]
    fn too_few_points_are_no_fit() {
        let points = curve_of(|x| x, &[1.0, 2.0]);
        assert!(Plan::new("a.b", "s").fit(&points).is_err());
    }

    #[test]
    fn passes_become_one_series_that_hides_none_of_their_spread() {
        let reading = |x: f64, y: f64| Reading { x, y, low: y - 1.0, high: y + 1.0, samples: 7, outliers: 1 };
        let passes = [vec![reading(1.0, 10.0), reading(2.0, 20.0)], vec![reading(1.0, 14.0), reading(2.0, 21.0)]];
        let merged = merge("s", &[&passes[..], &[vec![reading(1.0, 11.0)]]].concat());
        let expected = Reading { x: 1.0, y: 11.0, low: 9.0, high: 15.0, samples: 21, outliers: 3 };
        assert_eq!(merged.points, [expected, Reading { samples: 14, outliers: 2, high: 22.0, ..reading(2.0, 20.0) }]);
    }
}
