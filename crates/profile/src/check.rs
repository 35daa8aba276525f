//! The system's claims about the machine (sysfs, cpuid), beside the measured values.
//!
//! The claims are kept in the profile, so that a profile can be checked anywhere. A claim may not hold for a program: a
//! virtual machine reports the caches of the whole computer, but can use only a part of them. A program gets the usable
//! part: if it differs from the claim, and no measured value supports the claim, the claim differs.

use crate::names::{measured_as, usable_of};
use crate::{Claim, Profile, Value};

/// The result of comparing a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    Differs,
    /// The value was not measured, or cannot be known here.
    Open,
}

/// A claim beside the measured value.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub claim: Claim,
    pub measured: Option<f64>,
    pub verdict: Verdict,
    /// The meaning of the difference, or the reason why nothing was measured.
    pub note: String,
}

/// Sizes may deviate by this share: a cache is shared with code, tables, the system.
const TOLERANCE: f64 = 0.15;

/// Every claim of the profile, with the measured value.
pub fn check(profile: &Profile) -> Vec<Row> {
    let of = |claim: &Claim| {
        let built = measured(&profile.values, &claim.name);
        let usable = built.and_then(|b| usable_of(&b.name)).and_then(|name| profile.value(&name));
        row(claim, built, usable)
    };
    profile.claims.iter().map(of).collect()
}

fn measured<'a>(values: &'a [Value], claim: &str) -> Option<&'a Value> {
    measured_as(claim).iter().find_map(|name| values.iter().find(|v| v.name == *name))
}

/// A value of what is built that is no surer than this rests on the claim alone.
const CLAIMED_ONLY: f64 = 0.5;

/// `built` may follow from the claim; `usable` was measured.
fn row(claim: &Claim, built: Option<&Value>, usable: Option<&Value>) -> Row {
    let measured = built.and_then(|v| v.value);
    let less = usable.and_then(|u| Some((u, u.value?))).filter(|(u, v)| *v < claim.value && !agrees(claim, u, *v));
    let (measured, verdict, note) = match (built, measured) {
        (None, _) => (None, Verdict::Open, "not measured".to_string()),
        (Some(v), None) => (None, Verdict::Open, v.rule.clone()),
        // The claim itself stands there: measuring could not tell.
        (Some(v), Some(_)) if v.confidence <= CLAIMED_ONLY && usable.is_some_and(|u| u.value.is_none()) => {
            (None, Verdict::Open, usable.map_or(String::new(), |u| u.rule.clone()))
        }
        (Some(v), Some(_)) if v.confidence <= CLAIMED_ONLY && less.is_some() => {
            let found = less.map_or(f64::NAN, |(_, found)| found);
            (Some(found), Verdict::Differs, meaning(claim, found))
        }
        (Some(v), Some(m)) if agrees(claim, v, m) => {
            let note = less.map_or(String::new(), |(_, found)| used(claim, found));
            (Some(m), Verdict::Agrees, note)
        }
        (_, Some(m)) => (Some(m), Verdict::Differs, meaning(claim, m)),
    };
    Row { claim: claim.clone(), measured, verdict, note }
}

/// The note for a cache that is built as claimed, and of which a program can use less.
fn used(claim: &Claim, found: f64) -> String {
    match claim.name.ends_with(".bytes") {
        true => format!("nearly all loads of arrays up to {:.0} % of it hit", 100.0 * found / claim.value),
        false => format!("a program can use {found} of them"),
    }
}

/// Times may deviate by this share.
const TOLERANCE_OF_TIMES: f64 = 0.05;

/// Lines, pages and ways must be equal; a size, a time or a number of pages may deviate by its tolerance, or the claim
/// lies in the value's interval.
fn agrees(claim: &Claim, value: &Value, measured: f64) -> bool {
    let ends = |ends: &str| claim.name.ends_with(ends);
    let is_time = ends(".ns");
    let exact = !(ends(".bytes") || is_time || ends("tlb1.entries")) || ends("line.bytes") || ends("page.bytes");
    let tolerance = if is_time { TOLERANCE_OF_TIMES } else { TOLERANCE };
    let near = (measured - claim.value).abs() <= tolerance * claim.value;
    let within = value.low.zip(value.high).is_some_and(|(low, high)| low <= claim.value && claim.value <= high);
    match exact {
        true => measured.round() == claim.value,
        false => near || within,
    }
}

fn meaning(claim: &Claim, measured: f64) -> String {
    let times = claim.value / measured;
    if claim.name.ends_with(".bytes") && times > 1.0 {
        format!(
            "a program can use {:.0} % of the claimed value: others use the rest (a partition of the cache, other \
             processors, \
             the host of a virtual machine)",
            100.0 / times
        )
    } else if claim.name.ends_with(".bytes") {
        "more than the claimed value: the next level may serve it, or the claim describes a part".into()
    } else {
        "the measurement and the claim contradict each other".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, value: Option<f64>) -> Value {
        match value {
            Some(v) => Value::known(name, v, "", 0.9, "pages are scattered").between(0.97 * v, 1.03 * v),
            None => Value::unknown(name, "", "pages are scattered"),
        }
    }

    fn claim(name: &str, value: f64) -> Claim {
        Claim { name: name.into(), value, source: "test".into() }
    }

    fn verdict(name: &str, claimed: f64, measured: Option<Value>) -> Verdict {
        row(&claim(name, claimed), measured.as_ref(), None).verdict
    }

    #[test]
    fn the_first_cache_goes_by_two_names_and_its_line_by_a_third() {
        let values = [
            value("memory.l1d.ways", Some(12.0)),
            value("memory.line.bytes", Some(64.0)),
            value("memory.l2.ways", Some(16.0)),
        ];
        let found = |name: &str| measured(&values, name).and_then(|v| v.value);
        assert_eq!(found("memory.l1.ways"), Some(12.0));
        assert_eq!(found("memory.l2.ways"), Some(16.0));
        assert_eq!(found("memory.l1.line.bytes"), Some(64.0));
        assert_eq!(found("memory.l2.line.bytes"), None, "the line that is measured is the first level's");
    }

    #[test]
    fn sizes_may_deviate_and_lines_may_not() {
        let of = |name: &str, claimed: f64, found: f64| verdict(name, claimed, Some(value(name, Some(found))));
        assert_eq!(of("memory.l2.bytes", 2097152.0, 1900000.0), Verdict::Agrees);
        assert_eq!(of("memory.l2.bytes", 2097152.0, 1500000.0), Verdict::Differs);
        assert_eq!(of("memory.l1.line.bytes", 64.0, 64.0), Verdict::Agrees);
        assert_eq!(of("memory.l1.line.bytes", 64.0, 128.0), Verdict::Differs);
        assert_eq!(of("memory.l1.ways", 12.0, 11.0), Verdict::Differs);
        assert_eq!(of("memory.page.bytes", 4096.0, 4096.0), Verdict::Agrees);
    }

    #[test]
    fn a_wide_interval_does_not_exclude_the_claim() {
        let wide = value("memory.l3.bytes", Some(30e6)).between(20e6, 60e6);
        assert_eq!(verdict("memory.l3.bytes", 55e6, Some(wide)), Verdict::Agrees);
    }

    #[test]
    fn what_is_built_agrees_though_a_neighbour_holds_some_of_it() {
        let (ways, usable) = (value("memory.l1d.ways", Some(12.0)), value("memory.l1d.usable.ways", Some(11.0)));
        let found = row(&claim("memory.l1.ways", 12.0), Some(&ways), Some(&usable));
        assert_eq!((found.verdict, found.measured), (Verdict::Agrees, Some(12.0)));
        assert!(found.note.contains("can use 11"), "{}", found.note);
        // A value that is the claim itself, which nothing confirms, is no evidence for it.
        let (size, usable) =
            (value("memory.l3.bytes", Some(503e6)).sure(0.5), value("memory.l3.usable.bytes", Some(14e6)));
        let found = row(&claim("memory.l3.bytes", 503e6), Some(&size), Some(&usable));
        assert_eq!((found.verdict, found.measured), (Verdict::Differs, Some(14e6)));
        assert!(found.note.contains("3 % of the claimed value"), "{}", found.note);
        let (ways, usable) = (value("memory.l2.ways", Some(16.0)).sure(0.5), value("memory.l2.usable.ways", None));
        let found = row(&claim("memory.l2.ways", 16.0), Some(&ways), Some(&usable));
        assert_eq!((found.verdict, found.measured), (Verdict::Open, None));
    }

    #[test]
    fn a_part_of_a_cache_is_told() {
        let found = row(&claim("memory.l3.bytes", 105e6), Some(&value("memory.l3.bytes", Some(6.5e6))), None);
        assert_eq!(found.verdict, Verdict::Differs);
        assert!(found.note.contains("6 % of the claimed value"), "{}", found.note);
    }

    #[test]
    fn what_cannot_be_known_stays_open_and_says_why() {
        let found = row(&claim("memory.l2.ways", 16.0), Some(&value("memory.l2.ways", None)), None);
        assert_eq!((found.verdict, found.note.as_str()), (Verdict::Open, "pages are scattered"));
        assert_eq!(verdict("memory.l2.ways", 16.0, None), Verdict::Open);
    }
}
