//! Values that cannot be true together, found when all of them are known: see [`settle`].
//!
//! Each value follows from its own points by its own rule. If two exclude each other, at least one is wrong, and it is
//! unknown which: both lose confidence, and both report the reason. If one of them was doubtful before, it alone is
//! withdrawn. A difference that a third value explains stays, with its explanation.

use fathom_profile::names::{self, built, usable};
use fathom_profile::Value;

/// The most confidence of a value that contradicts another.
pub const CONTRADICTED: f64 = 0.3;
/// A value with less confidence than this is not evidence against a more certain one.
const DOUBTFUL: f64 = 0.5;
/// The number of levels examined.
const LEVELS: usize = 5;

/// The first value is at most this many times the second.
struct Order {
    less: String,
    more: String,
    times: f64,
    why: &'static str,
}

fn order(less: impl Into<String>, more: impl Into<String>, times: f64, why: &'static str) -> Order {
    Order { less: less.into(), more: more.into(), times, why }
}

/// All pairs whose order is known.
fn orders() -> Vec<Order> {
    let hit = |level| format!("{}.{}.hit.ns", names::MEMORY, names::cache(level));
    let of = |what: &str| format!("{}.{what}", names::MEMORY);
    let mut all = vec![
        order(names::IDLE_LATENCY_NS, names::LOADED_LATENCY_NS, 1.05, "memory answers no faster while others load it"),
        order(names::IDLE_LATENCY_NS, names::RANDOM_NS, 1.15, "a load of memory takes no less time in random order"),
        order(names::DRAM_NS, names::RANDOM_NS, 1.02, "translation is a part of the one and not of the other"),
        order(of("random.p50.ns"), of("random.p99.ns"), 1.0, "half of the loads take no longer than nearly all"),
        order(
            of("random.p99.ns"),
            of("random.p999.ns"),
            1.0,
            "nearly all loads take no longer than all but one in a thousand",
        ),
        order(names::LINE_BYTES, names::PAGE_BYTES, 1.0, "a line lies within a page"),
        order(
            of("bandwidth.memory.load.mb_s"),
            of("bandwidth.all.memory.load.mb_s"),
            1.15,
            "all threads together load no less than one",
        ),
    ];
    for level in 0..LEVELS {
        for (what, times) in [("bytes", 1.15), ("ways", 1.0)] {
            all.push(order(usable(level, what), built(level, what), times, "no more can be used than is built"));
        }
        all.push(order(built(level, "bytes"), built(level + 1, "bytes"), 1.0, "a level is larger than the one before"));
        all.push(order(hit(level), hit(level + 1), 1.02, "a level takes longer than the one before"));
        all.push(order(hit(level), names::RANDOM_NS, 1.02, "memory takes longer than a cache"));
    }
    all
}

/// Values that exclude each other, and the reason.
struct Found {
    names: Vec<String>,
    why: String,
}

/// Looks for contradictions and withdraws the values concerned: they keep their numbers and lose confidence, and their
/// rules give the reason.
pub fn settle(values: &mut [Value]) {
    let mut found: Vec<Found> = orders().iter().filter_map(|order| breaks(values, order)).collect();
    found.extend((0..LEVELS).filter_map(|level| not_whole(values, level)));
    found.extend(miscounted(values));
    found.extend(unit_and_line(values));
    match latency(values) {
        Some(Latency::Explained(why)) => say(values, names::IDLE_LATENCY_NS, &why),
        Some(Latency::Contradicts(more)) => found.push(more),
        None => {}
    }
    // All contradictions are found before the first value is withdrawn, so that their order does not matter.
    let sure: Vec<(String, f64)> = values.iter().map(|v| (v.name.clone(), v.confidence)).collect();
    for Found { names, why } in found {
        let sure_of = |name: &String| sure.iter().find(|s| s.0 == *name).map_or(0.0, |s| s.1);
        let (doubtful, others): (Vec<&String>, Vec<&String>) = names.iter().partition(|n| sure_of(n) < DOUBTFUL);
        let give_way = if others.len() < names.len() { doubtful } else { others };
        for name in give_way {
            let against: Vec<&str> = names.iter().filter(|n| *n != name).map(String::as_str).collect();
            let why = format!("withdrawn, because it contradicts {}: {why}", against.join(" and "));
            say(values, name, &why);
            values.iter_mut().filter(|v| v.name == *name).for_each(|v| v.confidence = v.confidence.min(CONTRADICTED));
        }
    }
}

fn say(values: &mut [Value], name: &str, why: &str) {
    values.iter_mut().filter(|v| v.name == name).for_each(|v| v.rule = format!("{}. {}", v.rule, why));
}

fn known<'a>(values: &'a [Value], name: &str) -> Option<(&'a Value, f64)> {
    let value = values.iter().find(|v| v.name == name)?;
    Some((value, value.value?))
}

/// The bounds of a value's interval.
fn low(value: &Value, v: f64) -> f64 {
    value.low.filter(|low| low.is_finite()).map_or(v, |low| low.min(v))
}

fn high(value: &Value, v: f64) -> f64 {
    value.high.filter(|high| high.is_finite()).map_or(v, |high| high.max(v))
}

fn breaks(values: &[Value], order: &Order) -> Option<Found> {
    let ((a, less), (b, more)) = (known(values, &order.less)?, known(values, &order.more)?);
    let why = format!("{less} and {more}, but {}", order.why);
    (low(a, less) > order.times * high(b, more)).then(|| Found { names: vec![a.name.clone(), b.name.clone()], why })
}

/// A cache is a whole number of sets, and each set is a number of ways of one line.
fn not_whole(values: &[Value], level: usize) -> Option<Found> {
    let ((size, bytes), (of_set, ways)) =
        (known(values, &built(level, "bytes"))?, known(values, &built(level, "ways"))?);
    let (_, line_bytes) = known(values, names::LINE_BYTES)?;
    let set = ways * line_bytes;
    // A size with a wide interval may be a whole number of sets.
    let (first, last) = (low(size, bytes) / set, high(size, bytes) / set);
    let off = (first * 0.999).ceil() > last * 1.001;
    off.then(|| Found {
        // The line is measured separately, and a line of twice the length would rarely help.
        names: [size, of_set].map(|v| v.name.clone()).to_vec(),
        why: format!("{bytes} bytes are no whole number of sets of {ways} ways of {line_bytes} bytes"),
    })
}

/// The number of levels must equal the number of levels with sizes.
fn miscounted(values: &[Value]) -> Option<Found> {
    let count = format!("{}.cache_levels", names::MEMORY);
    let (_, n) = known(values, &count)?;
    let sizes: Vec<String> =
        (0..=LEVELS).map(|level| built(level, "bytes")).filter(|name| known(values, name).is_some()).collect();
    (sizes.len() as f64 != n).then(|| Found {
        why: format!("{n} levels, and {} sizes", sizes.len()),
        names: std::iter::once(count).chain(sizes).collect(),
    })
}

/// The unit that processors exchange is one line, or several.
fn unit_and_line(values: &[Value]) -> Option<Found> {
    let ((unit, bytes), (line, of_line)) =
        (known(values, names::SHARING_UNIT_BYTES)?, known(values, names::LINE_BYTES)?);
    let off = bytes % of_line != 0.0;
    off.then(|| Found {
        names: vec![unit.name.clone(), line.name.clone()],
        why: format!("{bytes} bytes are passed on together, which is no whole number of lines of {of_line}"),
    })
}

enum Latency {
    Explained(String),
    Contradicts(Found),
}

/// A load in random order may take longer than the latency of memory by the cost of translation, and by no more.
fn latency(values: &[Value]) -> Option<Latency> {
    const MORE: f64 = 1.3;
    let ((latency, idle), (random, all)) = (known(values, names::IDLE_LATENCY_NS)?, known(values, names::RANDOM_NS)?);
    if low(random, all) <= MORE * high(latency, idle) {
        return None;
    }
    let part = known(values, "memory.translation.ns").map_or(0.0, |(v, part)| high(v, part));
    if low(random, all) <= MORE * (high(latency, idle) + part) {
        let why =
            format!("Random order on ordinary pages takes {all:.1} ns, of which {part:.1} ns at most are translation");
        return Some(Latency::Explained(why));
    }
    let why =
        format!("{idle:.1} and {all:.1} ns, and translation, at most {part:.1} ns, does not explain the difference");
    Some(Latency::Contradicts(Found { names: vec![latency.name.clone(), random.name.clone()], why }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, v: f64, confidence: f64) -> Value {
        Value::known(name, v, "", confidence, "measured").between(v * 0.99, v * 1.01)
    }

    fn exact(name: &str, v: f64) -> Value {
        Value::known(name, v, "", 0.97, "counted").between(v, v)
    }

    fn settled(values: &[Value]) -> Vec<f64> {
        let mut values = values.to_vec();
        settle(&mut values);
        values.iter().map(|v| v.confidence).collect()
    }

    #[test]
    fn memory_that_is_faster_under_load_is_known_neither_way() {
        let values = [value(names::IDLE_LATENCY_NS, 74.0, 0.9), value(names::LOADED_LATENCY_NS, 58.6, 0.9)];
        assert_eq!(settled(&values), [CONTRADICTED; 2]);
        let mut both = values.to_vec();
        settle(&mut both);
        assert!(both.iter().all(|v| v.rule.contains("no faster while others load it")), "{both:?}");
        let usual = [value(names::IDLE_LATENCY_NS, 74.0, 0.9), value(names::LOADED_LATENCY_NS, 90.0, 0.9)];
        assert_eq!(settled(&usual), [0.9; 2]);
    }

    #[test]
    fn a_value_that_was_doubtful_gives_way_alone() {
        let values = [value(names::IDLE_LATENCY_NS, 74.0, 0.9), value(names::LOADED_LATENCY_NS, 58.6, 0.4)];
        assert_eq!(settled(&values), [0.9, CONTRADICTED]);
    }

    #[test]
    fn random_order_takes_longer_by_translation_alone() {
        let (idle, random) = (value(names::IDLE_LATENCY_NS, 74.0, 0.9), value(names::RANDOM_NS, 156.0, 0.95));
        assert_eq!(settled(&[idle.clone(), random.clone()]), [CONTRADICTED; 2]);
        let mut explained = vec![idle, random, value("memory.translation.ns", 60.0, 0.7)];
        settle(&mut explained);
        assert!(explained[0].confidence == 0.9 && explained[0].rule.contains("are translation"), "{explained:?}");
    }

    #[test]
    fn a_cache_is_a_whole_number_of_sets() {
        let line = exact(names::LINE_BYTES, 64.0);
        let of = |bytes: f64, ways: f64| {
            settled(&[exact("memory.l1d.bytes", bytes), exact("memory.l1d.ways", ways), line.clone()])
        };
        assert_eq!(of(49152.0, 12.0), [0.97; 3]);
        assert_eq!(of(49152.0, 11.0), [CONTRADICTED, CONTRADICTED, 0.97]);
        // A size with a wide interval.
        let wide = Value::known("memory.l1d.bytes", 34970.0, "bytes", 0.8, "fitted").between(33000.0, 36000.0);
        assert_eq!(settled(&[wide, exact("memory.l1d.ways", 11.0), line]), [0.8, 0.97, 0.97]);
    }

    #[test]
    fn no_more_can_be_used_than_is_built_and_levels_grow() {
        let more = [value("memory.l2.bytes", 1e6, 0.95), value("memory.l2.usable.bytes", 2e6, 0.95)];
        assert_eq!(settled(&more), [CONTRADICTED; 2]);
        let less = [value("memory.l1d.bytes", 1e6, 0.95), value("memory.l2.bytes", 0.5e6, 0.95)];
        assert_eq!(settled(&less), [CONTRADICTED; 2]);
        let held = [exact("memory.l1d.usable.ways", 12.0), exact("memory.l1d.ways", 11.0)];
        assert_eq!(settled(&held), [CONTRADICTED; 2]);
    }

    #[test]
    fn levels_are_counted_once() {
        let sizes = [value("memory.l1d.bytes", 32768.0, 0.95), value("memory.l2.bytes", 1e6, 0.95)];
        let with = |n: f64| settled(&[exact("memory.cache_levels", n), sizes[0].clone(), sizes[1].clone()]);
        assert_eq!((with(2.0)[1], with(3.0)[1]), (0.95, CONTRADICTED));
        let unit = [exact(names::SHARING_UNIT_BYTES, 96.0), exact(names::LINE_BYTES, 64.0)];
        assert_eq!(settled(&unit), [CONTRADICTED; 2]);
    }
}
