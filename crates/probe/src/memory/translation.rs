//! The cost of address translation: the page's size, the number of pages translated at no cost, and the cost of more.

use super::series::{chase, Recorder, System};
use crate::infer::{levels, tlb};
use crate::{Effort, Failure, Session};

/// The result that the caches' probe uses: how many bytes are translated at no cost.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub page_bytes: f64,
    pub bytes: f64,
}

/// The most confidence in a page that differs from the system's.
const ANOTHER_PAGE: f64 = 0.6;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System) -> Result<Reach, Failure> {
    let per_octave = 5.0;
    let counts = super::series::sizes(16.0, 512.0, per_octave, 1.0);
    // Eight lines in a page: few translations, and as randomly spread over the caches' sets as lines far apart.
    let near = (system.page_bytes / 8.0).max(128.0);
    let packed: Vec<_> = counts.iter().map(|&n| (n, chase(n * near, near, "random").with("jitter", 64))).collect();
    let packed = recorder.series(session, "eight to a page", &packed)?;
    let (mut series, mut walks) = (vec![], vec![]);
    for k in [-2, -1, 0, 1, 2, 3] {
        let apart = system.page_bytes * 2f64.powi(k);
        let points: Vec<_> =
            counts.iter().map(|&n| (n, chase(n * apart, apart, "random").with("jitter", 64))).collect();
        let spread = recorder.series(session, &format!("{apart} apart"), &points)?;
        let both = spread.points.iter().zip(&packed.points).map(|(s, p)| (s.x, s.y, p.y)).collect();
        walks.push((apart, both));
        series.push(spread);
    }
    let found = tlb::translation(&walks);
    let name = format!("{} apart", system.page_bytes);
    series.push(packed);
    recorder.curve("translation", "Lines spread over pages", ("lines", "ns"), (true, true), series);
    let evidence = format!("translation/{name}");
    let evidence = [evidence.as_str(), "translation/eight to a page"];
    match found {
        Some(t) => {
            let rule = format!(
                "lines spread S bytes apart cost more than eight to a page from a number of lines on that falls with S up to {} and \
                 no further: beyond, each has a page of its own",
                t.page_bytes
            );
            // Sets of the translation that overflow early look like a larger page, of which half as many are held.
            let (sure, rule) = match t.page_bytes == system.page_bytes {
                true => (t.confidence, rule),
                false => (
                    t.confidence.min(ANOTHER_PAGE),
                    format!("{rule}. The system maps pages of {} bytes: either the translation joins neighbours, or its sets overflow early", system.page_bytes),
                ),
            };
            let page = t.page_bytes;
            recorder.value(
                "page.bytes",
                page,
                "bytes",
                (page.min(system.page_bytes), page.max(system.page_bytes)),
                sure,
                rule,
                &evidence,
            );
            let rule =
                format!("{:.0} lines on pages of their own cost no more than eight to a page; more do", t.entries);
            // Between the last number of lines that cost no more, and the first that does.
            let low = counts.iter().copied().filter(|n| *n <= t.entries).fold(t.entries / 2.0, f64::max);
            let high = counts.iter().copied().filter(|n| *n >= t.entries).fold(2.0 * t.entries, f64::min);
            let interval = (low, high);
            recorder.value("tlb1.entries", t.entries, "pages", interval, sure, rule, &evidence);
        }
        None => {
            let why = "lines spread over pages do not become slower at a number that says what a page is: translation is free \
                       as far as was tried, or hidden";
            recorder.unknowable("page.bytes", "bytes", why.into(), &evidence);
        }
    }
    let reach = Reach {
        page_bytes: found.map_or(system.page_bytes, |t| t.page_bytes),
        bytes: found.map_or(16.0 * system.page_bytes, |t| t.page_bytes * t.entries),
    };
    second_level(session, recorder, system, &reach)?;
    Ok(reach)
}

/// One line on each of very many pages: the cost of a miss in the first level, the reach of the second, and the cost of
/// a walk through the page tables.
fn second_level(session: &mut Session, recorder: &mut Recorder, system: &System, reach: &Reach) -> Result<(), Failure> {
    let page = reach.page_bytes;
    let last = (system.most_bytes / page).min(32768.0);
    let counts = super::series::sizes(16.0, last, if session.effort == Effort::Quick { 2.0 } else { 4.0 }, 1.0);
    let spread: Vec<_> = counts.iter().map(|&n| (n, chase(n * page, page, "random").with("jitter", 64))).collect();
    let packed: Vec<_> = counts.iter().map(|&n| (n, chase(n * 64.0, 64.0, "random"))).collect();
    let spread = recorder.series(session, "a page each", &spread)?;
    let packed = recorder.series(session, "packed", &packed)?;
    let excess: Vec<(f64, f64)> = spread
        .points
        .iter()
        .zip(&packed.points)
        .map(|(s, p)| (s.x, (s.y - p.y).max(0.0) + packed.points[0].y))
        .collect();
    if let Some(found) = levels::levels(&excess) {
        let base = packed.points[0].y;
        if let Some(first) = found.caches.first() {
            let rule = format!(
                "loads from many pages less loads of as many packed lines: {:.2} ns more",
                first.next_ns - base
            );
            let cost = first.next_ns - base;
            recorder.value(
                "tlb1.miss.ns",
                cost,
                "ns",
                (cost * 0.8, cost * 1.2),
                first.confidence,
                rule,
                &["pages/a page each", "pages/packed"],
            );
        }
        if let Some(second) = found.caches.get(1) {
            let rule = "the next rise of what pages cost, fitted; the tables themselves lie in caches, so that its height grows on".to_string();
            recorder.value(
                "tlb2.entries",
                second.bytes,
                "pages",
                (second.low, second.high),
                second.confidence * 0.7,
                rule,
                &["pages/a page each", "pages/packed"],
            );
        }
    }
    recorder.curve("pages", "One line on each page", ("lines", "ns"), (true, true), vec![spread, packed]);
    Ok(())
}
