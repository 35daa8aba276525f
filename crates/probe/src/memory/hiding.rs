//! What hides the time of memory: parallel chains and the store buffer; and the sawtooth of the literature, size by
//! stride.

use super::caches::Caches;
use super::series::{chase, Recorder, System};
use crate::infer::stores;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::{Reason, Series};

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System, caches: &Caches) -> Result<(), Failure> {
    parallel(session, recorder, system)?;
    buffer(session, recorder, caches)?;
    sawtooth(session, recorder, system, caches)
}

/// The number of misses under way at once.
fn parallel(session: &mut Session, recorder: &mut Recorder, system: &System) -> Result<(), Failure> {
    let bytes = system.most_bytes / 2.0;
    let points: Vec<_> =
        [1, 2, 4, 8, 12, 16].map(|k| (f64::from(k), chase(bytes, 64.0, "random").with("chains", k as u64))).into();
    let series = recorder.series(session, "memory", &points)?;
    if let (Some(one), Some(most)) = (series.points.first(), series.points.iter().map(|p| p.y).min_by(f64::total_cmp)) {
        let rule = format!("one chain of loads: {:.1} ns each; the best of up to 16 side by side: {most:.1} ns", one.y);
        recorder.value(
            "misses_at_once",
            one.y / most,
            "",
            (one.low / most, one.high / most),
            0.9,
            rule,
            &["chains/memory"],
        );
    }
    recorder.curve("chains", "Chains of loads side by side", ("chains", "ns"), (false, false), vec![series]);
    Ok(())
}

/// The size of an array whose loads miss in all but the last cache: the time of memory itself varies too much.
pub fn bytes_of_misses(caches: &Caches) -> f64 {
    caches.levels.get(1).map_or(1e6, |l| l.bytes * 2.0).max(caches.levels.first().map_or(0.0, |l| l.bytes * 8.0))
}

/// Two loads that miss, with `count` stores between them.
pub fn stores_between(count: u64, bytes: f64) -> Stimulus {
    let s = Stimulus::new(Kernel::Stores).with("count", count).with("bytes", (bytes / 64.0) as u64 * 64);
    s.with("stride", 64).word("order", "random").with("chains", 2)
}

/// The number of stores that wait.
fn buffer(session: &mut Session, recorder: &mut Recorder, caches: &Caches) -> Result<(), Failure> {
    let bytes = bytes_of_misses(caches);
    let step = if session.effort == Effort::Quick { 8 } else { 4 };
    let points: Vec<_> =
        (0..=160 / step).map(|i| i * step).map(|n| (f64::from(n), stores_between(n as u64, bytes))).collect();
    let series = recorder.series(session, "stores between", &points)?;
    let at: Vec<(f64, f64)> = series.points.iter().map(|p| (p.x, p.y)).collect();
    match stores::depth(&at) {
        Some(d) => {
            let rule = format!(
                "two loads that miss with stores between: {:.1} ns while they overlap, {:.1} ns from {:.0} stores on, when the second \
                 must wait until a store has left",
                d.together_ns, d.apart_ns, d.stores
            );
            let half = f64::from(step) / 2.0;
            recorder.value(
                "store_buffer.stores",
                d.stores,
                "stores",
                (d.stores - half, d.stores + half),
                d.confidence,
                rule,
                &["stores/stores between"],
            );
        }
        None => recorder.unknowable(
            "store_buffer.stores",
            "stores",
            "two misses overlap, or do not, whatever number of stores stands between".into(),
            &["stores/stores between"],
        ),
    }
    recorder.curve("stores", "Two misses with stores between", ("stores", "ns"), (false, false), vec![series]);
    Ok(())
}

/// Independent loads and stores by stride, an array in each level and in memory.
fn sawtooth(session: &mut Session, recorder: &mut Recorder, system: &System, caches: &Caches) -> Result<(), Failure> {
    let mut places: Vec<(String, f64)> =
        caches.levels.iter().enumerate().map(|(i, l)| (format!("level {}", i + 1), l.bytes * 0.5)).collect();
    places.push(("memory".into(), system.most_bytes / 2.0));
    for (op, title) in [("read", "Sweeps of loads, by stride"), ("write", "Sweeps of stores, by stride")] {
        let mut series: Vec<Series> = vec![];
        for (name, bytes) in &places {
            if session.now() > recorder.until && session.effort == Effort::Quick {
                recorder.missing(title, Reason::Time, "no time was left for it; a probe that is not --quick has more");
                return Ok(());
            }
            let bytes = (bytes / 64.0).floor() * 64.0;
            let points: Vec<_> = (3..=12)
                .map(|k| 2f64.powi(k))
                .filter(|s| *s <= bytes / 4.0)
                .map(|s| {
                    (
                        s,
                        Stimulus::new(Kernel::Strides)
                            .word("op", op)
                            .with("bytes", bytes as u64)
                            .with("stride", s as u64),
                    )
                })
                .collect();
            series.push(recorder.series(session, name, &points)?);
        }
        if op == "write" {
            merging(recorder, &series);
        }
        recorder.curve(&format!("strides_{op}"), title, ("stride_bytes", "ns"), (true, true), series);
    }
    Ok(())
}

/// Whether stores to one line are merged. Then a store's cost is proportional to the stride, up to the line.
fn merging(recorder: &mut Recorder, series: &[Series]) {
    let Some(memory) = series.last() else { return };
    let at = |x: f64| memory.points.iter().find(|p| p.x == x).map(|p| p.y);
    if let (Some(word), Some(line)) = (at(8.0), at(64.0)) {
        let rule = format!("stores to every word of memory take {word:.2} ns each, to every eighth {line:.2} ns");
        recorder.value(
            "store_merging.factor",
            line / word,
            "",
            (0.9 * line / word, 1.1 * line / word),
            0.8,
            rule,
            &["strides_write/memory"],
        );
    }
}
