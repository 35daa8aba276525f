//! What rests on assumptions: each figure that has a range gets its least, its own, or its greatest value at random,
//! and the programs run again. Three values, and not any between, since an effect is largest at the ends, and since
//! programs that depend on few of these figures then meet the same machine again.

use super::{measured, parallel, passes, Claim, Results, Study};
use fathom_machine::Description;

/// The results of a number of samples.
pub struct Drawn {
    /// The figures that vary.
    names: Vec<String>,
    /// For each sample, the place of each figure in its range, -1 to 1, and the results.
    samples: Vec<(Vec<f64>, Results)>,
}

/// Draws samples. Those that make an impossible machine do not count.
///
/// # Errors
/// A range has a mistake.
pub fn draw(study: &Study, description: &Description, count: usize) -> Result<Drawn, String> {
    let mut varied = vec![];
    for (name, _) in description.figures() {
        let (Ok(value), Some([low, high])) = (description.quantity(&name), description.range(&name)?) else { continue };
        let factors = [low.value / value.value, 1.0, high.value / value.value];
        if factors.iter().all(|f| f.is_finite()) {
            varied.push((name, factors));
        }
    }
    let mut random = fastrand::Rng::with_seed(7);
    let mut cases = vec![];
    for _ in 0..if varied.is_empty() { 0 } else { count } {
        let mut changed = description.clone();
        let mut places = vec![];
        for (name, factors) in &varied {
            let choice = random.usize(0..3);
            changed = changed.with_factor(name, factors[choice])?;
            places.push(choice as f64 - 1.0);
        }
        cases.push((changed, places));
    }
    let results = parallel::map(&cases, |(changed, _)| measured(study, changed).ok());
    let samples = cases.into_iter().zip(results).filter_map(|((_, places), r)| Some((places, r?))).collect();
    Ok(Drawn { names: varied.into_iter().map(|(name, _)| name).collect(), samples })
}

impl Drawn {
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// In how many samples a claim passes; and, if that is less than half of them, the figure with which our result
    /// goes up or down most.
    pub fn of(&self, claim: &Claim) -> (usize, Option<String>) {
        let value = |results: &Results| results.get(claim.id).copied().unwrap_or(f64::NAN);
        let held = self.samples.iter().filter(|(_, r)| passes(claim.expected, value(r))).count();
        if 2 * held >= self.samples.len() {
            return (held, None);
        }
        let values: Vec<f64> = self.samples.iter().map(|(_, r)| value(r)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let slope = |i: usize| -> f64 {
            self.samples.iter().zip(&values).map(|((places, _), v)| places[i] * (v - mean)).sum::<f64>().abs()
        };
        let strongest = (0..self.names.len()).max_by(|a, b| slope(*a).total_cmp(&slope(*b)));
        (held, strongest.filter(|i| slope(*i) > 0.0).map(|i| self.names[i].clone()))
    }
}
