//! Several profiles of one machine: the spread of each value, and the run that represents all.
//!
//! The run that is nearest to the medians of all is kept whole, so that its values still rest on its own points.

use crate::statistics::{median, quantile, sorted};
use crate::{Profile, Repeat};
use std::collections::BTreeMap;

/// The run that represents all, with the runs' results for each value. None if there are no profiles.
pub fn combine(runs: Vec<Profile>) -> Option<Profile> {
    let repeats = repeats(&runs);
    let medians: BTreeMap<&str, f64> = repeats.iter().map(|r| (r.name.as_str(), median(r.values.clone()))).collect();
    let count = runs.len();
    let seconds: f64 = runs.iter().map(|r| r.about.seconds).sum();
    let steal = runs.iter().map(|r| r.about.steal).fold(0.0, f64::max);
    let mut disturbances: Vec<String> = vec![];
    for (i, run) in runs.iter().enumerate() {
        disturbances.extend(run.about.disturbances.iter().map(|d| format!("run {}: {d}", i + 1)));
    }
    let mut kept = runs.into_iter().min_by(|a, b| distance(a, &medians).total_cmp(&distance(b, &medians)))?;
    if count > 1 {
        let spreads = sorted(repeats.iter().filter_map(|r| r.spread));
        let about = &mut kept.about;
        (about.seconds, about.steal, about.disturbances) = (seconds, steal, disturbances);
        about.repeatability = (!spreads.is_empty()).then(|| quantile(&spreads, 0.5));
        about.repeats = repeats;
    }
    kept.about.runs = count;
    Some(kept)
}

/// Every value that a run has, in the order in which they first appear.
fn repeats(runs: &[Profile]) -> Vec<Repeat> {
    let mut list: Vec<Repeat> = vec![];
    for value in runs.iter().flat_map(|r| &r.values) {
        let Some(v) = value.value else { continue };
        match list.iter_mut().find(|r| r.name == value.name) {
            Some(repeat) => repeat.values.push(v),
            None => list.push(Repeat { name: value.name.clone(), values: vec![v], spread: None }),
        }
    }
    for repeat in &mut list {
        repeat.spread = spread(&repeat.values);
    }
    list
}

/// (greatest - least) / 2 divided by the median.
fn spread(values: &[f64]) -> Option<f64> {
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let greatest = values.iter().copied().max_by(f64::total_cmp)?;
    let median = median(values.iter().copied());
    match values.len() {
        0 | 1 => None,
        _ if greatest == least => Some(0.0),
        _ => Some((greatest - least) / 2.0 / median.abs()).filter(|s| s.is_finite()),
    }
}

/// The mean relative deviation of a run from the medians; a missing value counts as a deviation of 1.
fn distance(run: &Profile, medians: &BTreeMap<&str, f64>) -> f64 {
    let of = |(name, median): (&&str, &f64)| match run.value(name).and_then(|v| v.value) {
        Some(v) if v == *median => 0.0,
        Some(v) => ((v - median) / median).abs().min(1.0),
        None => 1.0,
    };
    medians.iter().map(of).sum::<f64>() / medians.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{About, Value};

    fn run(values: &[(&str, Option<f64>)]) -> Profile {
        let value = |(name, value): &(&str, Option<f64>)| match value {
            Some(v) => Value::known(*name, *v, "", 1.0, ""),
            None => Value::unknown(*name, "", ""),
        };
        let about = About { seconds: 1.0, ..About::default() };
        Profile { about, values: values.iter().map(value).collect(), ..Profile::empty("m") }
    }

    #[test]
    fn the_run_in_the_middle_stands_for_all_and_the_spread_is_told() {
        let runs = [90.0, 100.0, 104.0].map(|ns| run(&[("memory.l1d.bytes", Some(32768.0)), ("memory.ns", Some(ns))]));
        let one = combine(runs.to_vec()).unwrap();
        assert_eq!(one.value("memory.ns").unwrap().value, Some(100.0));
        let spreads: Vec<_> = one.about.repeats.iter().map(|r| (r.name.as_str(), r.spread.unwrap())).collect();
        assert_eq!(spreads, [("memory.l1d.bytes", 0.0), ("memory.ns", 0.07)]);
        assert_eq!((one.about.repeatability, one.about.runs, one.about.seconds), (Some(0.035), 3, 3.0));
    }

    #[test]
    fn what_one_run_alone_could_tell_has_no_spread() {
        let one =
            combine(vec![run(&[("a", Some(1.0)), ("b", None)]), run(&[("a", Some(1.0)), ("b", Some(5.0))])]).unwrap();
        assert_eq!(one.about.repeats[1], Repeat { name: "b".into(), values: vec![5.0], spread: None });
        assert_eq!(one.about.repeatability, Some(0.0));
    }

    #[test]
    fn a_single_run_stays_as_it_is() {
        let one = combine(vec![run(&[("a", Some(1.0))])]).unwrap();
        assert_eq!((one.about.runs, one.about.repeatability, one.about.repeats.len()), (1, None, 0));
        assert!(combine(vec![]).is_none());
    }
}
