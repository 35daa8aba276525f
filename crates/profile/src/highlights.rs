//! The most important contents of a profile: the values that the terminal shows, and the missing measurements, joined
//! if they have one reason.

use crate::names::area_of;
use crate::{Missing, Profile, Reason, Value, THOROUGH};

/// The forms of the values that are shown for each area, in their order; a `*` stands for the rest of a part of a name.
/// An area that is not in the list shows its first dozen values.
const FIRST: &[(&str, &[&str])] = &[
    (
        "memory",
        &[
            "memory.page.bytes",
            "memory.line.bytes",
            "memory.l1d.bytes",
            "memory.l1d.usable.bytes",
            "memory.l1d.ways",
            "memory.l1d.usable.ways",
            "memory.l1d.hit.ns",
            "memory.l2.bytes",
            "memory.l2.usable.bytes",
            "memory.l2.ways",
            "memory.l2.usable.ways",
            "memory.l2.hit.ns",
            "memory.l3.bytes",
            "memory.l3.usable.bytes",
            "memory.l3.ways",
            "memory.l3.usable.ways",
            "memory.l3.hit.ns",
            "memory.l4.bytes",
            "memory.l4.hit.ns",
            "memory.dram.ns",
            "memory.random.ns",
            "memory.another_page.ns",
            "memory.latency.loaded.ns",
            "memory.tlb*.entries",
            "memory.bandwidth.memory.load.mb_s",
            "memory.bandwidth.memory.store.mb_s",
            "memory.bandwidth.memory.copy.mb_s",
            "memory.bandwidth.all.memory.load.mb_s",
            "memory.bandwidth.all.memory.copy.mb_s",
        ],
    ),
    (
        "transfers",
        &[
            "transfers.1C1.mb_s",
            "transfers.1C64.mb_s",
            "transfers.64C1.mb_s",
            "transfers.1Cw.mb_s",
            "transfers.wC1.mb_s",
            "transfers.1S0.mb_s",
            "transfers.64S0.mb_s",
            "transfers.0R1.mb_s",
            "transfers.0R64.mb_s",
            "transfers.0D1.mb_s",
            "transfers.0D64.mb_s",
            "transfers.N*.mb_s",
        ],
    ),
    (
        "communication",
        &[
            "communication.put.ns",
            "communication.get.ns",
            "communication.put.peak.mb_s",
            "communication.get.peak.mb_s",
            "communication.put.group",
            "communication.get.group",
            "communication.round_trip.ns",
            "communication.flood.messages_s",
            "communication.fetch_add.*.ns",
            "communication.loggp.L.ns",
            "communication.loggp.o_send.ns",
            "communication.loggp.o_recv.ns",
            "communication.loggp.g.ns",
            "communication.loggp.G.ns_byte",
        ],
    ),
];
/// The number of values of an area without such a list.
const DOZEN: usize = 12;

/// The most important values of an area, and the number of all its values.
pub fn values<'a>(profile: &'a Profile, area: &str) -> (Vec<&'a Value>, usize) {
    let all: Vec<&Value> = profile.values.iter().filter(|v| area_of(&v.name) == Some(area)).collect();
    let count = all.len();
    let Some((_, forms)) = FIRST.iter().find(|(name, _)| *name == area) else {
        return (all.into_iter().take(DOZEN).collect(), count);
    };
    let of_form = |form: &&str| all.iter().copied().filter(|v| is_like(&v.name, form)).collect::<Vec<_>>();
    let first: Vec<&Value> = forms.iter().flat_map(of_form).collect();
    (if first.is_empty() { all.into_iter().take(DOZEN).collect() } else { first }, count)
}

/// Has a name this form?
pub fn is_like(name: &str, form: &str) -> bool {
    let (names, forms): (Vec<&str>, Vec<&str>) = (name.split('.').collect(), form.split('.').collect());
    let part = |(name, form): (&&str, &&str)| match form.split_once('*') {
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
        None => name == form,
    };
    names.len() == forms.len() && names.iter().zip(&forms).all(part)
}

/// The measurements that are missing for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    pub what: Vec<String>,
    pub why: String,
}

/// The missing measurements, each reason once. Those without time are one gap, area by area.
pub fn gaps(profile: &Profile) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = vec![];
    let mut late: Vec<(&str, Vec<String>)> = vec![];
    for missing in &profile.missing {
        if missing.reason == Reason::Time {
            let area = area_of(&missing.what).unwrap_or("others");
            let at = late.iter().position(|(a, _)| *a == area).unwrap_or(late.len());
            if at == late.len() {
                late.push((area, vec![]));
            }
            let what = series(missing);
            if !late[at].1.contains(&what) {
                late[at].1.push(what);
            }
            continue;
        }
        match gaps.iter_mut().find(|g| g.why == missing.why) {
            Some(gap) if gap.what.contains(&missing.what) => {}
            Some(gap) => gap.what.push(missing.what.clone()),
            None => gaps.push(Gap { what: vec![missing.what.clone()], why: missing.why.clone() }),
        }
    }
    if !late.is_empty() {
        let what = late.into_iter().map(|(area, what)| format!("{area} ({})", listed(&what))).collect();
        let why = match profile.about.effort == THOROUGH {
            true => "the time was over, so these curves are coarser or end early",
            false => "the time was over, so these curves are coarser or end early; --thorough has no time limit",
        };
        gaps.insert(0, Gap { what, why: why.into() });
    }
    gaps
}

/// The first few, and the number of the others.
pub fn listed(all: &[String]) -> String {
    const FEW: usize = 5;
    let first = all[..all.len().min(FEW)].join(", ");
    match all.len().saturating_sub(FEW) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// The missing series, without its area and without its first missing point: `memory: random from 4987904 on` is
/// "random".
fn series(missing: &Missing) -> String {
    let name = area_of(&missing.what)
        .and_then(|area| missing.what.strip_prefix(area))
        .map_or(missing.what.as_str(), |rest| rest.trim_start_matches([':', '.', ',', ' ']));
    let stem = name.strip_suffix(" on").and_then(|n| n.rsplit_once(" from ")).map_or(name, |(stem, _)| stem);
    stem.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(values: &[&str], missing: &[(&str, Reason, &str)]) -> Profile {
        Profile {
            values: values.iter().map(|name| Value::known(*name, 1.0, "", 1.0, "")).collect(),
            missing: missing.iter().map(|(what, reason, why)| Missing::new(*what, *reason, *why)).collect(),
            ..Profile::empty("m")
        }
    }

    #[test]
    fn what_readers_look_for_comes_first_and_the_rest_is_counted() {
        let names = [
            "memory.tlb1.entries",
            "memory.sweep.load_hit.ns",
            "memory.l2.bytes",
            "memory.page.bytes",
            "sharing.unit.bytes",
        ];
        let profile = profile(&names, &[]);
        let (first, all) = values(&profile, "memory");
        let first: Vec<&str> = first.iter().map(|v| v.name.as_str()).collect();
        assert_eq!((first, all), (vec!["memory.page.bytes", "memory.l2.bytes", "memory.tlb1.entries"], 4));
        assert_eq!(values(&profile, "sharing").1, 1);
        assert_eq!(values(&profile, "scheduling").1, 0);
    }

    #[test]
    fn an_area_without_its_usual_values_shows_those_that_it_has() {
        assert_eq!(values(&profile(&["memory.sweep.load_hit.ns"], &[]), "memory").0.len(), 1);
    }

    #[test]
    fn each_reason_is_told_once() {
        let profile = profile(
            &[],
            &[
                (
                    "memory: random from 4987904 on",
                    Reason::Time,
                    "no time was left for it; a more thorough probe has more",
                ),
                ("memory: random from 64 on", Reason::Time, "no time was left"),
                ("memory: memory from 8 on", Reason::Time, "no time was left for it"),
                ("mechanisms, finer", Reason::Time, "no time was left for 12 shapes"),
                ("sharing.far.cached", Reason::Processors, "one socket"),
                ("sharing.far.uncached", Reason::Processors, "one socket"),
            ],
        );
        let gaps = gaps(&profile);
        assert_eq!(gaps.len(), 2, "{gaps:?}");
        assert_eq!(gaps[0].what, ["memory (random, memory)", "mechanisms (finer)"]);
        assert_eq!(gaps[1].what, ["sharing.far.cached", "sharing.far.uncached"]);
    }
}
