//! Least squares by orthogonalisation (QR), and the quantiles of Student's t.
//!
//! The decomposition is written by hand: the systems have one or two unknowns, and the same few lines also give
//! covariance and leverages. They are shorter than conversions to and from a library of matrices.

use super::points::{weight, Point};
use super::{Deviations, Form};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Coefficients, the (weighted) residual sum of squares, the coefficients' covariance divided by the variance, and the
/// leverage of each point.
#[derive(Clone, Debug)]
pub struct Solution {
    pub values: Vec<f64>,
    pub rss: f64,
    pub covariance: Vec<Vec<f64>>,
    pub leverages: Vec<f64>,
}

/// Fits a form other than two-piece to all the points.
pub fn solve(form: Form, points: &[Point], deviations: Deviations) -> Result<Solution, String> {
    if form.needs_positive_x() && points.iter().any(|p| p.x <= 0.0) {
        return Err("it needs x above 0".into());
    }
    if points.len() <= form.names().len() {
        return Err(format!("it needs {} points, but there are {}", form.names().len() + 3, points.len()));
    }
    if form == Form::Power {
        return power(points, deviations);
    }
    let rows = points.iter().map(|p| (form.gradient(&[], p.x), p.y, weight(p, deviations)));
    linear(rows.map(|(g, y, w)| (g.into_iter().map(|v| v * w).collect(), y * w)).collect())
}

/// Rows of weighted basis functions and weighted values.
fn linear(rows: Vec<(Vec<f64>, f64)>) -> Result<Solution, String> {
    let (n, k) = (rows.len(), rows[0].0.len());
    // Columns of length 1, so that the size of x does not matter.
    let scale: Vec<f64> = (0..k).map(|j| rows.iter().map(|r| r.0[j] * r.0[j]).sum::<f64>().sqrt()).collect();
    if scale.iter().any(|s| *s == 0.0 || !s.is_finite()) {
        return Err("the x of the points do not determine it".into());
    }
    let mut q: Vec<Vec<f64>> = (0..k).map(|j| rows.iter().map(|r| r.0[j] / scale[j]).collect()).collect();
    let y: Vec<f64> = rows.iter().map(|r| r.1).collect();
    let mut r = vec![vec![0.0; k]; k];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for j in 0..k {
        // Twice, so that rounding leaves the columns orthogonal.
        for _ in 0..2 {
            for i in 0..j {
                let along = dot(&q[i], &q[j]);
                r[i][j] += along;
                let (done, rest) = q.split_at_mut(j);
                rest[0].iter_mut().zip(&done[i]).for_each(|(a, b)| *a -= along * b);
            }
        }
        r[j][j] = dot(&q[j], &q[j]).sqrt();
        if r[j][j] < 1e-10 {
            return Err("the x of the points do not determine it".into());
        }
        let length = r[j][j];
        q[j].iter_mut().for_each(|a| *a /= length);
    }
    let mut left = y;
    let mut projected = vec![0.0; k];
    for j in 0..k {
        projected[j] = dot(&q[j], &left);
        let along = projected[j];
        left.iter_mut().zip(&q[j]).for_each(|(a, b)| *a -= along * b);
    }
    let inverse = invert_upper(&r);
    let product = |i: usize, v: &dyn Fn(usize) -> f64| (0..k).map(|j| inverse[i][j] * v(j)).sum::<f64>();
    let values = (0..k).map(|i| product(i, &|j| projected[j]) / scale[i]).collect();
    let covariance =
        (0..k).map(|a| (0..k).map(|b| product(a, &|j| inverse[b][j]) / (scale[a] * scale[b])).collect()).collect();
    let leverages = (0..n).map(|i| q.iter().map(|column| column[i] * column[i]).sum()).collect();
    Ok(Solution { values, rss: dot(&left, &left), covariance, leverages })
}

fn invert_upper(r: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let k = r.len();
    let mut inverse = vec![vec![0.0; k]; k];
    for j in 0..k {
        inverse[j][j] = 1.0 / r[j][j];
        for i in (0..j).rev() {
            let sum: f64 = (i + 1..=j).map(|m| r[i][m] * inverse[m][j]).sum();
            inverse[i][j] = -sum / r[i][i];
        }
    }
    inverse
}

/// Exponents beyond this are rejected.
const STEEPEST: f64 = 10.0;

/// y = a x^b. For each b the best a is known, so that only b is searched: by steps first, then between two of them.
fn power(points: &[Point], deviations: Deviations) -> Result<Solution, String> {
    // Around the geometric mean, where a and b are nearly independent.
    let centre = (points.iter().map(|p| p.x.ln()).sum::<f64>() / points.len() as f64).exp();
    if points.iter().all(|p| (p.x / centre).ln().abs() < 1e-9) {
        return Err("the x of the points do not determine it".into());
    }
    let at = |b: f64| {
        let (mut zy, mut zz) = (0.0, 0.0);
        for p in points {
            let (z, w) = ((p.x / centre).powf(b), weight(p, deviations));
            zy += z * p.y * w * w;
            zz += z * z * w * w;
        }
        let a = zy / zz;
        let rss: f64 =
            points.iter().map(|p| ((p.y - a * (p.x / centre).powf(b)) * weight(p, deviations)).powi(2)).sum();
        (a, rss)
    };
    const STEPS: i32 = 80;
    let b_of = |i: i32| -STEEPEST + 2.0 * STEEPEST * f64::from(i) / f64::from(STEPS);
    let left: Vec<(i32, f64)> = (0..=STEPS).map(|i| (i, at(b_of(i)).1)).collect();
    let best = left.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |a| a.0);
    if best == 0 || best == STEPS {
        return Err(format!("the exponent lies beyond {STEEPEST}"));
    }
    let (mut low, mut high) = (b_of(best - 1), b_of(best + 1));
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..50 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if at(left).1 < at(right).1 {
            high = right;
        } else {
            low = left;
        }
    }
    let b = (low + high) / 2.0;
    let (scaled, rss) = at(b);
    if scaled == 0.0 {
        return Err("the values do not determine it".into());
    }
    let rows = points.iter().map(|p| {
        let (z, w) = ((p.x / centre).powf(b), weight(p, deviations));
        (vec![z * w, scaled * z * (p.x / centre).ln() * w], 0.0)
    });
    let tangent = linear(rows.collect())?;
    // From the factor at the centre to that at 1: a = scaled centre^-b.
    let a = scaled * centre.powf(-b);
    let by = [centre.powf(-b), -a * centre.ln()];
    let c = &tangent.covariance;
    let aa = by[0] * by[0] * c[0][0] + 2.0 * by[0] * by[1] * c[0][1] + by[1] * by[1] * c[1][1];
    let ab = by[0] * c[0][1] + by[1] * c[1][1];
    let covariance = vec![vec![aa.max(0.0), ab], vec![ab, c[1][1]]];
    Ok(Solution { values: vec![a, b], rss, covariance, leverages: tangent.leverages })
}

/// The quantile of Student's t.
pub fn student_t(probability: f64, degrees: usize) -> f64 {
    StudentsT::new(0.0, 1.0, degrees.max(1) as f64).map_or(f64::NAN, |t| t.inverse_cdf(probability))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_student_t_are_those_of_the_tables() {
        for (probability, degrees, t) in [
            (0.975, 1, 12.7062),
            (0.975, 2, 4.30265),
            (0.975, 10, 2.22814),
            (0.975, 30, 2.04227),
            (0.995, 5, 4.03214),
            (0.9995, 8, 5.04131),
            (0.975, 100_000, 1.95999),
            (0.025, 10, -2.22814),
        ] {
            let got = student_t(probability, degrees);
            assert!((got / t - 1.0).abs() < 1e-5, "t({probability}, {degrees}) = {got}, not {t}");
        }
    }

    /// Worked by hand: y = 1, 3, 4 at x = 0, 1, 2 gives 7/6 + 3/2 x; the residual is 1/6; (X'X)^-1 = [[5/6, -1/2],
    /// [-1/2, 1/2]].
    #[test]
    fn a_straight_line_worked_by_hand() {
        let points = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0)].map(|(x, y)| Point { x, y });
        let s = solve(Form::Affine, &points, Deviations::Absolute).unwrap();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(s.values[0], 7.0 / 6.0);
        near(s.values[1], 1.5);
        near(s.rss, 1.0 / 6.0);
        near(s.covariance[0][0], 5.0 / 6.0);
        near(s.covariance[0][1], -0.5);
        near(s.covariance[1][1], 0.5);
        near(s.leverages[0], 5.0 / 6.0);
        near(s.leverages[1], 1.0 / 3.0);
    }
}
