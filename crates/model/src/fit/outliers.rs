//! Outliers: a point is left out of a form's fit if its deviation, studentised by a fit without it, would occur once in
//! a hundred sets of n good points (Bonferroni). Points are left out one at a time, at most a tenth of them and at most
//! twenty: beyond that the form is wrong.

use super::least_squares::{solve, student_t, Solution};
use super::points::{size, weight, Point, EXACT};
use super::{Deviations, Form};

/// The cost of a point that is left out in AICc: that of the choice of a breakpoint, because it too was selected among
/// all points.
pub const COST: usize = 3;

const LEVEL: f64 = 0.01;
const MOST: usize = 20;

pub fn fit(form: Form, points: &[Point], deviations: Deviations) -> Result<(Solution, Vec<Point>), String> {
    let mut kept = points.to_vec();
    let mut left_out = vec![];
    loop {
        let solution = solve(form, &kept, deviations)?;
        let room = (points.len() / 10).min(MOST) - left_out.len();
        let Some(i) = (room > 0).then(|| worst(form, &kept, deviations, &solution)).flatten() else {
            return Ok((solution, left_out));
        };
        // The same point measured twice stays or goes as one.
        let (same, others): (Vec<Point>, Vec<Point>) = kept.iter().partition(|p| **p == kept[i]);
        if same.len() > room {
            return Ok((solution, left_out));
        }
        left_out.extend(same);
        kept = others;
    }
}

fn worst(form: Form, points: &[Point], deviations: Deviations, solution: &Solution) -> Option<usize> {
    let (n, k) = (points.len(), solution.values.len());
    let floor = n as f64 * (EXACT * size(points, deviations)).powi(2);
    let degrees = n.checked_sub(k + 1).filter(|d| *d >= 2)?;
    if solution.rss <= floor {
        return None;
    }
    let studentised = |(i, p): (usize, &Point)| {
        let deviation = (p.y - form.value(&solution.values, p.x)) * weight(p, deviations);
        let room = (1.0 - solution.leverages[i]).max(1e-9);
        let without = (solution.rss - deviation * deviation / room).max(floor) / degrees as f64;
        (i, deviation.abs() / (without * room).sqrt())
    };
    let (i, t) = points.iter().enumerate().map(studentised).max_by(|a, b| a.1.total_cmp(&b.1))?;
    (t > student_t(1.0 - LEVEL / (2.0 * n as f64), degrees)).then_some(i)
}
