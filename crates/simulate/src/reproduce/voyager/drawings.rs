//! The figures of the StarT-Voyager study: overhead and latency, gap and bandwidth by size, with threads and without,
//! and the table of Figure 8.

use super::super::drawing::{Curve, Curves, Drawing, Picture, Scale};
use super::super::parallel;
use super::{active_message, way, Results, MOST_EXPRESS};
use crate::voyager::code::Mechanism;
use crate::voyager::measured::{as_measured, bandwidth, gap, times, Way, MOST};
use fathom_machine::Description;

const WORDS: Scale = Scale::linear("words of 4 bytes", "");

/// The six curves of each graph.
fn ways(threads: bool) -> [(&'static str, Way); 6] {
    [
        ("Express", way(Mechanism::Express, true, threads)),
        ("Tag-On", way(Mechanism::TagOn, false, threads)),
        ("Tag-On, Reclaim", way(Mechanism::TagOn, true, threads)),
        ("Tag-On, data in the endpoint", way(Mechanism::TagOnInPlace, false, threads)),
        ("Basic", way(Mechanism::Basic, false, threads)),
        ("Basic, Reclaim", way(Mechanism::Basic, true, threads)),
    ]
}

fn family(threads: bool, value: impl Fn(Way, u64) -> Result<f64, String> + Sync) -> Result<Vec<Curve>, String> {
    let curve = |(name, way): &(&'static str, Way)| -> Result<Curve, String> {
        let most = if way.how == Mechanism::Express { MOST_EXPRESS } else { MOST };
        let points = (way.least()..=most).map(|words| Ok((words as f64, value(*way, words)?)));
        Ok(Curve::ours(*name, points.collect::<Result<_, String>>()?))
    };
    parallel::map(&ways(threads), curve).into_iter().collect()
}

pub fn drawings(description: &Description) -> Result<Vec<Drawing>, String> {
    let mut all = vec![figure_8(description)?];
    let measured = as_measured(description)?;
    for (threads, whose, first, second) in [
        (true, "several threads use a queue", "Figure 4", "Figure 5"),
        (false, "one thread uses a queue", "Figure 6", "Figure 7"),
    ] {
        let time = |of: &str, title: &str, curves| {
            let y = Scale::linear("time", "ns");
            let note = "By the study's own way to measure overheads (`code.imitated`). The points of its curves are not known here.".to_string();
            let picture = Picture::Curves(Curves { x: WORDS, y, curves, levels: vec![], is_ordered: false });
            Drawing { of: of.into(), title: format!("{title}; {whose}"), note, picture }
        };
        let overhead = family(threads, |way, words| {
            let times = times(&measured, way, words)?;
            Ok(times.send + times.receive)
        })?;
        all.push(time(first, "Overhead of sending and receiving", overhead));
        let latency = family(threads, |way, words| Ok(times(&measured, way, words)?.latency))?;
        all.push(time(first, "Latency from end to end", latency));
        let gaps = family(threads, |way, words| {
            let times = times(&measured, way, words)?;
            Ok(gap(description, way, words)?.max(times.send).max(times.receive))
        })?;
        all.push(time(second, "Gap between messages", gaps));
        let rates = family(threads, |way, words| bandwidth(description, way, words, 4 * words))?;
        let y = Scale::linear("bandwidth", "MB/s");
        let levels = vec![(100.0, "printed: exceeded at 88 bytes".to_string())];
        let picture = Picture::Curves(Curves { x: WORDS, y, curves: rates, levels, is_ordered: false });
        let note = "A message's size over its gap.".to_string();
        all.push(Drawing { of: second.into(), title: format!("Bandwidth; {whose}"), note, picture });
    }
    Ok(all)
}

/// The row of StarT-Voyager in the table of machines.
fn figure_8(description: &Description) -> Result<Drawing, String> {
    let mut found = Results::new();
    active_message(description, &mut found)?;
    let bar = |name: &str, printed: f64, id: &str| (name.to_string(), printed, found[id]);
    let bars = vec![
        bar("latency", 1250.0, "V01"),
        bar("overhead of sending", 130.0, "V02"),
        bar("overhead of receiving", 510.0, "V03"),
    ];
    Ok(Drawing {
        of: "Figure 8".into(),
        title: "An active message by Express".into(),
        note: format!("Peak bandwidth: printed 140 MB/s, here {:.0} MB/s.", found["V04"]),
        picture: Picture::Bars { unit: "ns", bars },
    })
}
