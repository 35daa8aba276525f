//! The time of a load from memory: in random order as in programs; and without translation, on huge pages.

use super::caches::Caches;
use super::series::{chase, merged, Recorder, System};
use super::translation::Reach;
use crate::{Failure, Session};
use fathom_profile::{Reading, Series};

/// Lines of a page that are visited together, in an order that no prefetcher can foresee.
const LINES_A_PAGE: f64 = 8.0;
/// The last cache holds little of an array this many times its size.
const LARGE: f64 = 4.0;

/// Two looks that differ by more than this factor do not agree.
const AGREE: f64 = 1.05;
/// The confidence in the time without translation: on synthetic machines nine in ten are right.
const WITHOUT_TRANSLATION: f64 = 0.85;

/// # Errors
/// The runner is broken.
pub fn probe(
    session: &mut Session,
    recorder: &mut Recorder,
    system: &System,
    reach: Reach,
    caches: &Caches,
) -> Result<(), Failure> {
    let bytes = system.most_bytes;
    let stride = reach.page_bytes / LINES_A_PAGE;
    let dense = chase(bytes, 64.0, "random");
    let apart = chase(bytes, stride, "random").with("jitter", 64);
    let together = chase(bytes, stride, "local").with("within", reach.page_bytes as u64).with("jitter", 64);
    let huge = chase(bytes, 64.0, "random").word("pages", "huge");
    let mut points: Vec<(&str, Reading)> = vec![];
    let all = [
        ("random", dense),
        ("a few lines of each page, random", apart),
        ("page by page", together),
        ("huge pages, random", huge),
    ];
    for (name, stimulus) in all {
        match session.point(bytes, &stimulus) {
            Ok(p) => points.push((name, p)),
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(why) => recorder.note(name, &why),
        }
    }
    // All samples of one look may be disturbed: a second look follows some time later.
    let mut apart = 1.0;
    if let Some(first) = points.iter_mut().find(|p| p.0 == "random").filter(|_| !session.is_exact()) {
        match session.point(bytes, &chase(bytes, 64.0, "random")) {
            Ok(again) => {
                apart = (first.1.y / again.y).ln().abs().exp();
                first.1 = merged(first.1, again);
            }
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(_) => {}
        }
    }
    let sure = if apart > AGREE { 0.7 } else { 0.95 };
    let get = |name: &str| points.iter().find(|p| p.0 == name).map(|p| p.1);
    if let Some(p) = get("random") {
        let rule = format!(
            "a load in random order from {bytes} bytes on pages of {} bytes, translation included; the less of two looks, which \
             differ by {:.1} %",
            system.page_bytes,
            (apart - 1.0) * 100.0
        );
        recorder.value("random.ns", p.y, "ns", (p.low, p.high), sure, rule, &["memory_time/random"]);
    }
    if let (Some(r), Some(a), Some(t)) = (get("random"), get("a few lines of each page, random"), get("page by page")) {
        without_translation(recorder, bytes, caches, r, (a, t));
    }
    if let (Some(n), Some(h)) = (get("random"), get("huge pages, random")) {
        let rule = format!("random order on huge pages, {:.1} ns, against {:.1} ns on normal ones", h.y, n.y);
        recorder.value(
            "huge_pages.gain",
            n.y / h.y,
            "",
            (n.low / h.high, n.high / h.low),
            0.9,
            rule,
            &["memory_time/huge pages, random", "memory_time/random"],
        );
    }
    let series = points.into_iter().map(|(name, p)| Series::new(name, vec![p])).collect();
    recorder.curve("memory_time", "A load from memory", ("bytes", "ns"), (true, false), series);
    Ok(())
}

/// Random order without the translations, and without the loads that the last cache still serves.
fn without_translation(
    recorder: &mut Recorder,
    bytes: f64,
    caches: &Caches,
    random: Reading,
    (apart, together): (Reading, Reading),
) {
    let k = LINES_A_PAGE;
    let translation = |a: f64, t: f64| ((a - t) * k / (k - 1.0)).max(0.0);
    let part = translation(apart.y, together.y);
    let (least, most) = (translation(apart.low, together.high), translation(apart.high, together.low));
    let evidence = ["memory_time/page by page", "memory_time/a few lines of each page, random", "memory_time/random"];
    let rule = format!(
        "{k} lines of a page, at places that no prefetcher foresees, visited together cost {:.1} ns each, one of {k} with a \
         translation; in random order {:.1} ns each, all with one: ({:.1} - {:.1}) x {k} / {}",
        together.y,
        apart.y,
        apart.y,
        together.y,
        k - 1.0
    );
    recorder.value("translation.ns", part, "ns", (least, most), 0.7, rule, &evidence[..2]);

    let last = caches.levels.last();
    let held = last.map_or(0.0, |l| l.high / bytes);
    if held > 1.0 / LARGE {
        let why = format!(
            "the largest array that was measured, {bytes:.0} bytes, is less than {LARGE} times the last cache, of up to {:.0}: it \
             serves too many of the loads; a more thorough probe takes larger arrays",
            held * bytes
        );
        recorder.unknowable("dram.ns", "ns", why, &evidence);
        return;
    }
    // Under any replacement rule the cache serves at most its share of the array; replacement by age serves nothing.
    let hit_ns = last.map_or(0.0, |l| l.hit_ns);
    let missed = |ns: f64, share: f64| (ns - share * hit_ns) / (1.0 - share);
    let ns = missed(random.y - part, held / 2.0);
    let interval = (random.low - most, missed(random.high - least, held));
    let rule = format!(
        "random order from {bytes:.0} bytes, {:.1} ns, less the translation, {part:.1} ns; of the loads none to {:.1} % hit the last cache, in \
         {hit_ns:.1} ns: between {:.1} and {:.1} ns",
        random.y,
        held * 100.0,
        random.y - part,
        missed(random.y - part, held)
    );
    recorder.value("dram.ns", ns, "ns", interval, WITHOUT_TRANSLATION, rule, &evidence);
}
