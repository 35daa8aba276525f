//! A second order of visits: every load goes to another page, as in `lat_mem_rd -t` of lmbench.
//!
//! Random order sometimes returns to a page whose translation is still held, as programs do. This order returns to a
//! page only after all others, on pages that were first touched in the order of the visits, like a list whose nodes
//! were allocated in sequence. The results can be compared with lmbench's, and the difference shows the effect of the
//! order.

use super::series::{chase, Recorder, System};
use crate::{Effort, Failure, Session};
use fathom_profile::{Reading, Series};

const NAME: &str = "another page with every load";
/// The smallest array: a few pages.
const LEAST_BYTES: f64 = 16384.0;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System) -> Result<(), Failure> {
    // Building a chain costs as much as loading from it, so there are few sizes; a quick probe has only the largest.
    let per_octave = if session.effort == Effort::Thorough { 1.0 } else { 0.5 };
    let mut sizes = super::series::sizes(LEAST_BYTES, system.most_bytes, per_octave, LEAST_BYTES);
    if session.effort == Effort::Quick {
        sizes.clear();
    }
    if sizes.last() != Some(&system.most_bytes) {
        sizes.push(system.most_bytes);
    }
    let points: Vec<_> = sizes
        .into_iter()
        .map(|b| (b, chase(b, 64.0, "pages").with("within", system.page_bytes as u64).word("touch", "visits")))
        .collect();
    let series = recorder.brief(session, NAME, &points)?;
    let at = |s: &Series| s.points.iter().find(|p| p.x == system.most_bytes).copied();
    let last = at(&series);
    let mut beside = None;
    match recorder.found.curves.iter_mut().find(|c| c.name == "memory.sizes") {
        Some(curve) => {
            beside = curve.series("random").and_then(at);
            curve.series.push(series);
        }
        None => recorder.curve(
            "sizes",
            "Time of a load by the size of the array",
            ("bytes", "ns"),
            (true, true),
            vec![series],
        ),
    }
    if let Some(last) = last {
        report(recorder, last, beside);
    }
    Ok(())
}

fn report(recorder: &mut Recorder, last: Reading, beside: Option<Reading>) {
    let more = beside.map_or(String::new(), |r| format!("; in random order {:.1} ns", r.y));
    let rule = format!(
        "a load from {:.0} bytes that goes to another page than the load before, and to each page again only after all others, on \
         pages first touched in that order: what lat_mem_rd -t of lmbench measures{more}",
        last.x
    );
    let evidence = format!("sizes/{NAME}");
    recorder.value("another_page.ns", last.y, "ns", (last.low, last.high), 0.95, rule, &[&evidence]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{measured, Noise};
    use crate::{Findings, Runner, Samples, Stimulus};
    use fathom_profile::Curve;
    use std::time::Duration;

    const MOST: f64 = (256 << 20) as f64;

    /// In this order a load takes 1 ns for each MiB.
    struct Machine(Noise);

    impl Runner for Machine {
        fn threads(&self) -> usize {
            1
        }

        fn run(&mut self, stimulus: &Stimulus, count: usize, _: Duration) -> Result<Samples, Failure> {
            assert_eq!((stimulus.chosen("order"), stimulus.chosen("touch")), (Some("pages"), Some("visits")));
            assert_eq!(stimulus.number("within"), Some(4096));
            let ns = stimulus.number("bytes").unwrap() as f64 / f64::from(1 << 20);
            Ok(Samples { ns: self.0.samples(ns, count), ..Samples::default() })
        }
    }

    fn findings(effort: Effort, curves: Vec<Curve>) -> Findings {
        let mut found = Findings { curves, ..Findings::default() };
        let system = System { page_bytes: 4096.0, most_bytes: MOST };
        measured(&mut Machine(Noise::default()), effort, 60, |session| {
            let until = session.until;
            probe(session, &mut Recorder { found: &mut found, until }, &system)
        })
        .unwrap();
        found
    }

    #[test]
    fn its_time_in_memory_is_a_value_and_its_curve_stands_beside_random_order() {
        let reading = Reading { x: MOST, y: 300.0, low: 299.0, high: 301.0, samples: 9, outliers: 0 };
        let sizes = Curve {
            name: "memory.sizes".into(),
            title: String::new(),
            x: "bytes".into(),
            y: "ns".into(),
            log_x: true,
            log_y: true,
            series: vec![Series::new("random", vec![reading])],
        };
        let found = findings(Effort::Normal, vec![sizes]);
        let value = &found.values[0];
        assert_eq!(value.name, "memory.another_page.ns");
        assert!((value.value.unwrap() / 256.0 - 1.0).abs() < 0.01, "{value:?}");
        assert!(value.rule.contains("300.0 ns"), "{}", value.rule);
        assert_eq!(found.curves.len(), 1);
        let series = found.curves[0].series(&value.evidence[0].series).unwrap();
        assert!(series.points.len() > 4 && series.points.windows(2).all(|p| p[0].x < p[1].x));
        assert_eq!(series.points.last().unwrap().x, MOST);
    }

    #[test]
    fn a_quick_probe_has_the_largest_size_alone() {
        let found = findings(Effort::Quick, vec![]);
        assert_eq!(found.curves[0].series[0].points.iter().map(|p| p.x).collect::<Vec<_>>(), [MOST]);
        assert!(found.values[0].value.is_some());
    }
}
