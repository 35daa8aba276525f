//! Two straight lines with a break between, for a change of the machine's topology, at the first processor of another
//! node, or for a full cache.

use super::least_squares::{solve, Solution};
use super::points::Point;
use super::{finish, Coefficient, Deviations, Fit, Form};

/// The least number of different x on each side of the break: two determine a line, the third tests it.
const LEAST: usize = 3;

/// The number of places for the break that are tried one by one.
const MANY: usize = 400;

/// The choice of a breakpoint counts as at least three parameters (Ninomiya 2015), because it is selected among all
/// points, and as ln n if that is more.
fn cost(n: usize) -> usize {
    3.max((n as f64).ln().ceil() as usize)
}

pub fn fit(points: &[Point], deviations: Deviations) -> Result<Fit, String> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut different: Vec<f64> = sorted.iter().map(|p| p.x).collect();
    different.dedup();
    if different.len() < 2 * LEAST {
        return Err(format!("it needs {} different x, but there are {}", 2 * LEAST, different.len()));
    }
    let mut best: Option<(usize, Solution, Solution)> = None;
    let mut consider = |i: usize| {
        let (first, second) = sorted.split_at(sorted.partition_point(|p| p.x < different[i]));
        let (Ok(first), Ok(second)) = (solve(Form::Affine, first, deviations), solve(Form::Affine, second, deviations))
        else {
            return best.as_ref().map_or(i, |b| b.0);
        };
        if best.as_ref().is_none_or(|(_, a, b)| first.rss + second.rss < a.rss + b.rss) {
            best = Some((i, first, second));
        }
        best.as_ref().map_or(i, |b| b.0)
    };
    // Every place between points; if there are very many, some of them first, and then all around the best.
    let (from, to) = (LEAST, different.len() - LEAST);
    let stride = (different.len() / MANY).max(1);
    let near = (from..=to).step_by(stride).map(&mut consider).last().unwrap_or(from);
    if stride > 1 {
        (from.max(near.saturating_sub(stride))..=to.min(near + stride)).for_each(|i| {
            consider(i);
        });
    }
    let (i, first, second) = best.ok_or("the x of the points do not determine it")?;
    let (below, above) = (different[i - 1], different[i]);
    let mut covariance = vec![vec![0.0; 5]; 5];
    for (offset, side) in [(1, &first), (3, &second)] {
        for i in 0..2 {
            for j in 0..2 {
                covariance[offset + i][offset + j] = side.covariance[i][j];
            }
        }
    }
    let break_at = (below + above) / 2.0;
    let values = [vec![break_at], first.values, second.values].concat();
    // Leverages are for outliers, which two-piece fits do not look for.
    let whole = Solution { values, rss: first.rss + second.rss, covariance, leverages: vec![] };
    let mut fit = finish(Form::TwoPiece, points, deviations, whole, vec![], 4 + 1 + cost(points.len()))?;
    fit.coefficients[0] = Coefficient { name: "c", value: break_at, standard_error: None, low: below, high: above };
    Ok(fit)
}
