//! Ways and sets of the caches behind the first, from groups of lines that do not fit together.
//!
//! A line's set is chosen by addresses that programs cannot see: the system spreads pages over memory, and so does the
//! host of a virtual machine. So nothing is assumed about sets. The kernel (`runtime/probe/memory_conflicts.c`) finds
//! smallest groups of lines that do not fit, one line more than there are ways, and counts how many other lines could
//! replace a member: one in as many as there are sets that lines a stride apart can fall into. The product of ways and
//! sets is a size that does not depend on the pages.

use super::series::{Recorder, System};
use crate::infer::levels::Levels;
use crate::infer::ways;
use crate::{Effort, Fact, Failure, Kernel, Samples, Session, Stimulus};
use std::time::Duration;

/// What groups show of a cache.
#[derive(Clone, Debug)]
pub struct Sets {
    pub ways: f64,
    pub bytes: f64,
    pub low: f64,
    pub high: f64,
    /// The share of groups that agree on the ways.
    pub agreed: f64,
    /// The rule that gives the size.
    pub rule: String,
}

/// Candidates should fall into at least this many sets, as far as pages are large enough.
const SETS: f64 = 4.0;
/// The number of ways assumed until it is known.
const USUAL_WAYS: f64 = 16.0;
/// Candidates and fresh lines per line of the capacity in the curve: enough even if the curve shows too little.
const TIMES: f64 = 5.0;

/// Lines for all searches together per line of one search: where chance spread some pages unevenly, other pages help.
const OTHERS: f64 = 4.0;
/// The kernel's limit.
const MOST_LINES: f64 = 100_000.0;
/// Groups and a curve belong to the same level if the ratio of their sizes is in this range.
const OF_ONE_LEVEL: std::ops::Range<f64> = 0.6..2.2;

/// The sets of each level, if they can be known; those of the first level only if its ways are not known yet.
///
/// # Errors
/// The runner is broken.
pub fn probe(
    session: &mut Session,
    recorder: &mut Recorder,
    found: &Levels,
    system: &System,
    first_ways: Option<f64>,
) -> Result<Vec<Option<Sets>>, Failure> {
    let mut all: Vec<Option<Sets>> = vec![];
    for level in 0..found.caches.len() {
        if level == 0 && first_ways.is_some() {
            all.push(None);
            continue;
        }
        let known = |i: usize| all.get(i).and_then(|s: &Option<Sets>| s.as_ref()).map(|s| s.ways);
        let ways = [first_ways.or(known(0)), known(1)].map(|ways| ways.unwrap_or(USUAL_WAYS));
        let name = format!("{}.usable.ways", fathom_profile::names::cache(level));
        let mut asked = ask(session, found, system, level, ways)?;
        if let (Ok(first), true) = (&asked, level < 2) {
            if let Some(claim) = refused(session, level, first.ways) {
                // A second look comes before a claim is called wrong.
                asked = Ok(second_look(first, ask(session, found, system, level, ways)?.ok(), claim));
            }
        }
        let sets = match asked {
            Ok(sets) => {
                let share = sets.agreed.min(found.caches[level].confidence);
                let rule = sets.rule.clone();
                recorder.value(&name, sets.ways, "ways", (sets.ways, sets.ways), share, rule, &[]);
                Some(sets)
            }
            Err(why) => {
                recorder.unknowable(&name, "ways", why, &[]);
                None
            }
        };
        all.push(sets);
    }
    Ok(all)
}

/// The system's claim about the ways of a level, if it differs from these.
fn refused(session: &Session, level: usize, ways: f64) -> Option<f64> {
    let name = fathom_profile::names::claim_of_cache(level as u32 + 1, "ways");
    let claim = session.claims.iter().find(|c| c.name == name).map(|c| c.value);
    claim.filter(|claim| *claim != ways && !session.is_exact())
}

/// The highest agreement of two looks whose results differ.
const TWO_LOOKS: f64 = 0.8;

/// The result of two looks together, where the first contradicts a claim.
fn second_look(first: &Sets, second: Option<Sets>, claim: f64) -> Sets {
    let said = format!("the system claims {claim} ways");
    match second {
        Some(second) if second.ways == first.ways => {
            let rule = format!("{}; {said}, and a second look says the same", first.rule);
            Sets { agreed: first.agreed.max(second.agreed), rule, ..first.clone() }
        }
        Some(second) if second.ways == claim => {
            let rule = format!("{}; {said}, and a first look had said {}", second.rule, first.ways);
            Sets { agreed: second.agreed.min(TWO_LOOKS), rule, ..second }
        }
        _ => {
            let rule = format!("{}; {said}, and a second look says neither", first.rule);
            Sets { agreed: first.agreed.min(0.5), rule, ..first.clone() }
        }
    }
}

/// The stride of candidates, and the size of the memory that contains them.
fn places(found: &Levels, system: &System, level: usize) -> (f64, f64) {
    let bytes = found.caches[level].bytes;
    let apart = (bytes / USUAL_WAYS / SETS).log2().floor().exp2();
    let stride = apart.min(system.page_bytes).max(512.0);
    // Sweeping the level before needs lines of each of its sets.
    let before = match level {
        0 => 0.0,
        1 => 2.5 * found.caches[0].bytes,
        _ => 3.0 * found.caches[level - 1].bytes,
    };
    (stride, before + TIMES * bytes)
}

/// Returns the reason if the sets cannot be known. `ways`: of the first two levels.
fn ask(
    session: &mut Session,
    found: &Levels,
    system: &System,
    level: usize,
    ways: [f64; 2],
) -> Result<Result<Sets, String>, Failure> {
    let quick = session.effort == Effort::Quick;
    if level > 2 {
        return Ok(Err("three caches lie before it, and lines that sweep all of them are not sought".into()));
    }
    let (stride, bytes) = places(found, system, level);
    // A load that takes longer than this misses the level.
    let longer = |i: usize| (found.caches[i].hit_ns * found.caches[i].next_ns).sqrt() * 1000.0;
    // For each set of the first cache more than twice as many lines as it has ways; for one set of the second, which is
    // also one of the first, more than either has ways.
    let first = 2.5 * (found.caches[0].bytes / stride).max(ways[0]);
    let first = first.ceil().clamp(2.0, 256.0);
    let broom = match level {
        0 => 0.0,
        1 => first,
        _ => (2.5 * ways[0].max(ways[1])).ceil().min(256.0),
    };
    let most = MOST_LINES * stride;
    let stimulus = |bytes: f64| {
        let (bytes, pool) = (bytes.min(most), (bytes * OTHERS).min(system.most_bytes.max(bytes)).min(most));
        let of_level = Stimulus::new(Kernel::Conflicts)
            .with("bytes", (pool / stride).ceil() as u64 * stride as u64)
            .with("lines", (bytes / stride).ceil() as u64)
            .with("stride", stride as u64)
            .with("threshold_ps", longer(level) as u64)
            .with("broom", broom as u64);
        if level > 1 {
            of_level
                .with("inner_ps", longer(1) as u64)
                .with("inner_broom", first as u64)
                .with("inner_bytes", (TIMES * found.caches[1].bytes) as u64)
        } else {
            of_level
        }
    };
    let (wanted, limit_ms) = match (session.effort, level) {
        (Effort::Quick, 0 | 1) => (7, 900),
        (Effort::Quick, _) => (3, 600),
        (Effort::Normal, 0 | 1) => (15, 2500),
        (Effort::Normal, _) => (7, 1000),
        (Effort::Thorough, _) => (25, 20_000),
    };
    let limit = Duration::from_millis(limit_ms);
    // The curve may show less than there is: then all candidates fit, and twice as many may not. Other users of the
    // cache may also have gone a little later.
    let (factors, most) =
        if level < 2 { (&[1.0, 2.0, 1.0][..], limit.mul_f64(1.5)) } else { (&[1.0, 2.0][..], limit / 2) };
    let mut why = String::new();
    let started = session.now();
    for factor in factors {
        if session.now() - started > most {
            break;
        }
        let stimulus = stimulus(bytes * factor);
        let lines = stimulus.number("bytes").unwrap_or(0) as f64 / stride;
        let found = match session.runner.run(&stimulus, wanted, limit) {
            Ok(samples) => inferred(&samples, lines, stride, quick, level, found.caches[level].bytes),
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(other) => Err(other.to_string()),
        };
        match found {
            Ok(sets) => return Ok(Ok(sets)),
            Err(reason) => why = reason,
        }
    }
    Ok(Err(why))
}

/// `lines`: the number of lines, `stride` apart, among which searches are made; `by_curve`: the level's size according
/// to its curve.
fn inferred(
    samples: &Samples,
    lines: f64,
    stride: f64,
    quick: bool,
    level: usize,
    by_curve: f64,
) -> Result<Sets, String> {
    let fact = |fact: Fact| samples.facts.get(&fact).copied().unwrap_or(0.0);
    let Some((n, agreed)) = ways::agreed(&samples.ns) else {
        let list: Vec<String> = samples.ns.iter().map(f64::to_string).collect();
        let more = if quick { "; a more thorough probe finds more groups" } else { "" };
        return Err(format!(
            "the smallest groups of lines that do not fit differ ({} lines and one): something else uses this cache or drives \
             lines out of it meanwhile{more}",
            list.join(", ")
        ));
    };
    let groups = samples.ns.len();
    let mut rule =
        format!("{:.0} % of {groups} smallest groups of lines that do not fit have {n} lines and one", agreed * 100.0);
    // A few may agree by chance.
    let agreed = (agreed * groups as f64 + 0.5) / (groups as f64 + 1.0);
    let inner = if level > 1 { ways::classes(fact(Fact::InnerFresh), fact(Fact::InnerCongruent)) } else { None };
    let (fresh, congruent) = (fact(Fact::Fresh(n as u32)), fact(Fact::Congruent(n as u32)));
    // Trying a line again gives no new evidence: chance has placed it once.
    let different = lines / inner.map_or(1.0, |inner| inner.number);
    let new = (different / fresh).min(1.0);
    let own = ways::classes(fresh * new, congruent * new);
    let classes = match (own, inner, level) {
        (Some(own), _, 0 | 1) => own,
        (Some(own), Some(inner), _) => own.times(inner),
        _ => return Ok(Sets { ways: n, bytes: f64::NAN, low: f64::NAN, high: f64::NAN, agreed, rule }),
    };
    let off = |sets: &f64| (n * sets * stride / by_curve).ln().abs();
    let number = classes.powers_of_two().into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(classes.number);
    // If all or nearly all lines share a set, the only conclusion is that a way is no larger than the stride.
    let (bytes, low, high) = if number < 2.0 {
        (f64::NAN, f64::NAN, f64::NAN)
    } else {
        (n * number * stride, n * classes.low * stride, n * classes.high * stride)
    };
    let (least, most) = (n * classes.low * stride, n * classes.high * stride);
    if most < OF_ONE_LEVEL.start * by_curve || (number >= 2.0 && least > OF_ONE_LEVEL.end * by_curve) {
        return Err(format!(
            "{rule}, but {n} ways of as many sets as other lines say are {least:.0} to {most:.0} bytes, where the curve shows {by_curve:.0}: \
             something else uses this cache or drives lines out of it meanwhile"
        ));
    }
    rule = format!(
        "{rule}; {congruent} of {fresh} other lines {stride} bytes apart could take the place of a member{}: {number:.1} sets that \
         such lines can fall into",
        if level > 1 { " among those of one set of the cache before" } else { "" }
    );
    Ok(Sets { ways: n, bytes, low, high, agreed, rule })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(ways: &[f64], facts: &[(Fact, f64)]) -> Samples {
        Samples { ns: ways.to_vec(), facts: facts.iter().copied().collect(), ..Samples::default() }
    }

    #[test]
    fn ways_and_sets_are_a_size() {
        let found = samples(
            &[16.0, 16.0, 15.0, 16.0, 16.0],
            &[(Fact::Fresh(16), 4000.0), (Fact::Congruent(16), 118.0), (Fact::Fresh(15), 300.0)],
        );
        let sets = inferred(&found, 9000.0, 4096.0, false, 1, 1.8e6).unwrap();
        assert_eq!((sets.ways, sets.bytes, sets.agreed), (16.0, 2097152.0, 0.75));
        assert!(sets.low < sets.bytes && sets.bytes < sets.high);
        assert!(inferred(&found, 9000.0, 4096.0, false, 1, 14e6).unwrap_err().contains("where the curve shows"));
    }

    #[test]
    fn lines_that_are_tried_often_are_no_more_lines() {
        // By chance 29 of a thousand lines share a set instead of the expected 31: with ten thousand lines this can
        // happen.
        let found = samples(&[16.0; 25], &[(Fact::Fresh(16), 290_000.0), (Fact::Congruent(16), 9900.0)]);
        let bytes = |lines| inferred(&found, lines, 4096.0, false, 1, 1.9e6).unwrap().bytes;
        assert_eq!(bytes(9600.0), 2_097_152.0);
        assert!(bytes(290_000.0) < 2_000_000.0);
    }

    #[test]
    fn a_claim_is_refused_by_two_looks_that_agree() {
        let sets = |ways: f64| Sets { ways, bytes: 1e6, low: 9e5, high: 11e5, agreed: 0.95, rule: "found".into() };
        let both = second_look(&sets(11.0), Some(sets(11.0)), 12.0);
        assert_eq!((both.ways, both.agreed), (11.0, 0.95));
        let other = second_look(&sets(11.0), Some(sets(12.0)), 12.0);
        assert_eq!((other.ways, other.agreed), (12.0, TWO_LOOKS));
        let neither = second_look(&sets(11.0), Some(sets(7.0)), 12.0);
        assert!(neither.ways == 11.0 && neither.agreed <= 0.5 && neither.rule.contains("neither"));
        assert!(second_look(&sets(11.0), None, 12.0).agreed <= 0.5);
    }

    #[test]
    fn groups_that_differ_say_nothing() {
        let found = samples(&[113.0, 157.0, 53.0, 48.0], &[(Fact::Fresh(48), 4000.0), (Fact::Congruent(48), 118.0)]);
        assert!(inferred(&found, 9000.0, 4096.0, true, 1, 1.8e6).unwrap_err().contains("113, 157, 53, 48"));
    }

    #[test]
    fn one_set_for_all_lines_is_no_size() {
        let found = samples(&[8.0, 8.0, 8.0], &[(Fact::Fresh(8), 50.0), (Fact::Congruent(8), 50.0)]);
        let sets = inferred(&found, 9000.0, 4096.0, true, 1, 30e3).unwrap();
        assert!(sets.ways == 8.0 && sets.bytes.is_nan());
    }
}
