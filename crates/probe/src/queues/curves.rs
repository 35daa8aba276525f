//! The curves of the area, as the study's Figures 4 to 7 have them, the values that are points of them, and the curves by
//! which a table chooses for `msg_send`.

use super::plan::{Threads, BASIC, BULK, BULK_SERIES, COPY, EXPRESS, GAP, IN_PLACE, LATENCY, RECEIVE, SEND, TAG_ON};
use crate::passes::Passes;
use crate::Findings;
use fathom_profile::mechanism::{Direction, Shape, Subject};
use fathom_profile::{names, Curve, Reading, Series};

/// Curves of queues that several threads may use, and that one uses: the figure of each pair, and its name.
const OVERHEAD: [&str; 2] = ["queues.many.overhead", "queues.one.overhead"];
const BANDWIDTH: [&str; 2] = ["queues.many.bandwidth", "queues.one.bandwidth"];

/// Bytes that x counts; both axes are logarithmic where sizes span three powers of ten.
fn curve(name: &str, title: String, y: &str, series: Vec<Series>) -> Option<Curve> {
    let series: Vec<Series> = series.into_iter().filter(|s| !s.points.is_empty()).collect();
    let (name, x, y) = (name.into(), "bytes".into(), y.into());
    (!series.is_empty()).then_some(Curve { name, title, x, y, log_x: true, log_y: true, series })
}

/// The sum of two series, at the sizes that both have.
pub fn sum(a: &Series, b: &Series) -> Series {
    let point = |p: &Reading| {
        let q = b.points.iter().find(|q| q.x == p.x)?;
        let (y, low, high) = (p.y + q.y, p.low + q.low, p.high + q.high);
        Some(Reading { x: p.x, y, low, high, samples: p.samples.min(q.samples), outliers: p.outliers + q.outliers })
    };
    Series::new(a.name.clone(), a.points.iter().filter_map(point).collect())
}

/// Bytes over time: of 8 bytes in 4 ns 2000 MB/s.
fn rate(times: &Series) -> Series {
    let point = |p: &Reading| {
        let of = |ns: f64| p.x / ns.max(1e-3) * 1e3;
        Reading { y: of(p.y), low: of(p.high), high: of(p.low), ..*p }
    };
    Series::new(times.name.clone(), times.points.iter().map(point).collect())
}

pub fn conclude(passes: &Passes, word: f64, findings: &mut Findings) {
    for (i, threads) in [Threads::Many, Threads::One].into_iter().enumerate() {
        let whose = ["several threads may use a queue", "one thread uses a queue"][i];
        let (first, second) = [("Figure 4", "Figure 5"), ("Figure 6", "Figure 7")][i];
        let of = |measure: &super::plan::Measure| passes.series(measure.curve(threads));
        let (send, receive, gap) = (of(&SEND), of(&RECEIVE), of(&GAP));
        let overhead = send.iter().filter_map(|s| Some(sum(s, receive.iter().find(|r| r.name == s.name)?))).collect();
        let title = |what: &str, figure: &str| format!("{what}; {whose} (the study's {figure})");
        let rates = gap.iter().map(rate).collect();
        let all = [
            curve(OVERHEAD[i], title("Overhead of sending and receiving a message", first), "ns", overhead),
            curve(LATENCY.curve(threads), title("Latency from end to end", first), "ns", of(&LATENCY)),
            curve(GAP.curve(threads), title("Gap between messages of a stream", second), "ns", gap),
            curve(BANDWIDTH[i], title("Bandwidth: size over gap", second), "mb_s", rates),
            curve(SEND.curve(threads), format!("Overhead of sending a message; {whose}"), "ns", send),
            curve(RECEIVE.curve(threads), format!("Overhead of receiving a message; {whose}"), "ns", receive),
        ];
        findings.curves.extend(all.into_iter().flatten());
    }
    let bulk = passes.series(BULK);
    let title = "Large blocks: the time of a block in a stream, and from end to end".to_string();
    findings.curves.extend(curve(BULK, title, "ns", bulk));
    findings.curves.extend(choices(passes));
    values(passes, word, findings);
}

fn values(passes: &Passes, word: f64, findings: &mut Findings) {
    let one = |name: &str, measure: &super::plan::Measure, series: &'static str, words: f64, what: &str| {
        let rule = format!("{what}, several threads may use the queues");
        passes.value(name, measure.curve(Threads::Many), series, words * word, &rule)
    };
    let (eight, w) = (8.0, word);
    let of = |how: &str| format!("a message of {} bytes by {how}, from end to end", eight * w);
    let values = [
        one(names::EXPRESS_LATENCY_NS, &LATENCY, EXPRESS, 1.0, "a word by Express, from end to end"),
        one("queues.express.send.ns", &SEND, EXPRESS, 1.0, "sending a word by Express"),
        one("queues.express.receive.ns", &RECEIVE, EXPRESS, 1.0, "receiving a word by Express"),
        one("queues.express.gap.ns", &GAP, EXPRESS, 1.0, "the interval of words by Express in a stream"),
        one("queues.tag_on.latency.ns", &LATENCY, TAG_ON, eight, &of("Tag-On, copied to the region first")),
        one("queues.in_place.latency.ns", &LATENCY, IN_PLACE, eight, &of("Tag-On, whose data lie in the region")),
        one("queues.basic.latency.ns", &LATENCY, BASIC, eight, &of("Basic")),
        bulk(passes),
    ];
    findings.values.extend(values.into_iter().flatten());
}

fn bulk(passes: &Passes) -> Option<fathom_profile::Value> {
    let gap = BULK_SERIES[0];
    let all = passes.series(BULK);
    let largest = all.iter().find(|s| s.name == gap)?.points.last()?.x;
    let rule = format!("Bulk in a stream of blocks of {largest} bytes, from {largest} bytes over the gap");
    Some(passes.value("queues.bulk.mb_s", BULK, gap, largest, &rule)?.map("mb_s", |ns| largest / ns.max(1e-3) * 1e3))
}

/// The decision's name in a tuning table.
const MSG_SEND: &str = "msg-send";

/// What `msg_send` can do with data that lie in the queue's region, if its caller takes a ticket: send them as they lie, or
/// a copy, which occupies the region no longer. A table is made of these curves as of those of the area `mechanisms`.
fn choices(passes: &Passes) -> Vec<Curve> {
    let latencies = passes.series(LATENCY.curve(Threads::Many));
    let of = |mechanism: &str, series: &str| {
        let points: Vec<Reading> = latencies.iter().find(|s| s.name == series)?.points.clone();
        // A word goes by Express whatever a table says.
        let points: Vec<Reading> = points.into_iter().filter(|p| p.x > 8.0).collect();
        let shape = Shape { element: 1, stride: None, direction: Direction::Put };
        let title = format!("msg_send of data in the region, by {mechanism}: latency from end to end");
        let series = vec![Series::of(Subject::Shape(shape), points)];
        curve(&names::mechanism_curve(MSG_SEND, mechanism), title, "ns", series)
    };
    let both = [of("tag-on", IN_PLACE), of("copy", COPY)];
    // One without the other is no choice.
    both.into_iter().collect::<Option<Vec<Curve>>>().unwrap_or_default()
}
