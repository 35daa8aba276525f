//! The first section, with the most important values, and the last one, with the disturbances.

use super::words;
use fathom_profile::highlights::is_like;
use fathom_profile::names;
use fathom_profile::Profile;
use fathom_profile::{Reading, Value};
use fathom_report::{significant, Cell, Figures, Heading, Note, Section, Table, Text, Tone, Unit};

pub fn subtitle(profile: &Profile) -> String {
    let about = &profile.about;
    let effort = words::or(&about.effort, "unknown");
    let taken = format!("{effort} effort, {} s, {}", significant(about.seconds, 3), words::date(about.taken_unix_s));
    match about.machine.split_once(',') {
        Some((_, rest)) => format!("{} · {taken}", rest.trim()),
        None => format!("{} processors · {taken}", about.processors),
    }
}

/// Values with a card: the form of the name, where `*` stands for the rest of a part, and the card's label. In the
/// order of the cards; `{}` is the value's own name.
const KEY: &[(&str, &str)] = &[
    ("memory.line.bytes", "cache line"),
    ("memory.l*.bytes", "{} as built"),
    ("memory.*.usable.bytes", "{}: 95 % of loads hit"),
    ("memory.l*.line.bytes", "{}"),
    ("memory.page.bytes", "page"),
    ("memory.l*.ns", "{} load"),
    ("memory.l*.hit.ns", "{}, a load"),
    (names::RANDOM_NS, "memory, random loads with translation"),
    (names::IDLE_LATENCY_NS, "memory, a load while others sleep"),
    (names::LOADED_LATENCY_NS, "memory, a load while others load"),
    ("memory.bandwidth.memory.load.mb_s", "bandwidth of loads, 1 thread"),
    ("memory.bandwidth.all.memory.load.mb_s", "bandwidth of loads, all threads"),
    ("memory.bandwidth.all.memory.copy.mb_s", "bandwidth of copying, all threads"),
    ("transfers.1C1.mb_s", "copy of a large block"),
    ("communication.put.ns", "put of 8 bytes"),
    ("communication.get.ns", "get of 8 bytes"),
    ("communication.one_way.ns", "message, one way"),
    ("communication.fetch_add.near.ns", "fetch and add"),
    ("sharing.near.cached.latency.ns", "data passed on"),
    ("synchronisation.barrier.ns", "barrier"),
    ("synchronisation.lock.ns", "free lock"),
    ("synchronisation.lock_handover.ns", "lock handed over"),
    ("scheduling.spawn.ns", "process started"),
    ("scheduling.pthread.ns", "thread started"),
    ("scheduling.wake.ns", "thread woken"),
    ("scheduling.break_even.ns", "parallel loop pays from"),
];

/// The greatest number of cards.
const CARDS: usize = 24;

pub fn section(profile: &Profile) -> Section {
    let mut section = Section::new("Overview");
    let mut cards = Figures::new();
    let mut chosen: Vec<&str> = vec![];
    for (form, label) in KEY {
        let known = profile.values.iter().filter(|v| v.value.is_some_and(f64::is_finite) && is_like(&v.name, form));
        for value in known.filter(|v| v.confidence >= 0.5).take(4) {
            if chosen.len() < CARDS && !chosen.contains(&value.name.as_str()) {
                chosen.push(&value.name);
                cards = card(cards, value, label);
            }
        }
    }
    if !cards.is_empty() {
        section.push(cards);
    }
    let about = &profile.about;
    let share = about.outliers as f64 / about.samples.max(1) as f64;
    let spread = Unit::Share.text(about.median_spread);
    section.push(Text::new(format!(
        "{} values, {} curves with {} points. Half the points are known to ±{spread} or better (95 % confidence). Of {} samples \
         {} ({}) were disturbed and do not count; they are listed at the end.",
        profile.values.len(),
        profile.curves.len(),
        profile.curves.iter().flat_map(|c| &c.series).map(|s| s.points.len()).sum::<usize>(),
        about.samples,
        about.outliers,
        format_args!("{:.1} %", share * 100.0),
    )));
    if let Some(spread) = about.repeatability {
        section.push(Text::new(format!(
            "Taken {} times: half the values lie within ±{} in all of them. This is the run nearest to all others.",
            about.runs,
            Unit::Share.text(spread)
        )));
    }
    let mut built = vec![];
    if !about.compiler.is_empty() {
        built.push(format!("Kernels compiled by {}", about.compiler));
    }
    if !about.conduit.is_empty() {
        built.push(format!("communication over the conduit `{}`", about.conduit));
    }
    if !built.is_empty() {
        section.push(Text::new(format!("{}.", built.join("; "))));
    }
    if !about.disturbances.is_empty() {
        section.push(Note::new(
            Tone::Warning,
            "The computer was not quiet.",
            format!("{}.", about.disturbances.join("; ")),
        ));
    }
    section
}

fn card(cards: Figures, value: &Value, label: &str) -> Figures {
    let unit = Unit::named(&value.unit);
    let label = label.replace("{}", &words::short(&value.name, &value.unit));
    cards.card(label, unit.text(value.value.unwrap_or(f64::NAN)), interval(value, &unit))
}

/// The interval of a value, empty if there is none or it is too narrow to show.
pub fn interval(value: &Value, unit: &Unit) -> String {
    let Some((low, high)) = value.low.zip(value.high).filter(|(l, h)| l.is_finite() && h.is_finite() && l < h) else {
        return String::new();
    };
    unit.range(low, high)
}

/// Points with more disturbed samples than this are listed.
const DISTURBED_SHARE: f64 = 0.1;
/// The greatest length of the list.
const LISTED: usize = 40;

/// The points of which more than a tenth of the samples were disturbed.
pub fn disturbed(profile: &Profile) -> Section {
    let mut section = Section::new("Disturbed samples");
    let points =
        profile.curves.iter().flat_map(|c| c.series.iter().flat_map(move |s| s.points.iter().map(move |p| (c, s, p))));
    let share = |p: &Reading| p.outliers as f64 / p.samples.max(1) as f64;
    let mut found: Vec<_> = points.filter(|(_, _, p)| share(p) > DISTURBED_SHARE).collect();
    let about = &profile.about;
    if about.samples == 0 {
        return section;
    }
    section.push(Text::new(format!(
        "Interrupts, changes of frequency and busy neighbours only make operations slower. Samples far from the \
         others of their point count as disturbed: {} of {} here. They are not part of the values.",
        about.outliers, about.samples
    )));
    if found.is_empty() {
        return section;
    }
    // The most disturbed first.
    found.sort_by(|a, b| share(b.2).total_cmp(&share(a.2)));
    section.push(Heading::new("Points with the most"));
    let mut table = Table::new(["curve", "series", "at", "disturbed", "samples"]);
    for (curve, series, p) in found.iter().take(LISTED) {
        table.push([
            Cell::from(&*curve.title).link(&curve.name),
            Cell::from(&*series.name),
            Cell::number(p.x, words::axis(&curve.x).1.text(p.x)),
            Cell::number(share(p), Unit::Share.text(share(p))),
            Cell::number(p.samples as f64, p.samples.to_string()),
        ]);
    }
    section.push(table);
    if found.len() > LISTED {
        section.push(Text::new(format!("and {} more.", found.len() - LISTED)));
    }
    section
}
