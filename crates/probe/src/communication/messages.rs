//! Active messages, queues with many senders, and atomics.

use super::gather::{at, mapped, powers, reading, Axes, Gathered};
use super::partners::Partner;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::Series;

fn short(kernel: Kernel) -> Stimulus {
    Stimulus::new(kernel).word("kind", "short")
}

fn with_payload(kernel: Kernel, kind: &'static str, bytes: u64) -> Stimulus {
    Stimulus::new(kernel).word("kind", kind).with("bytes", bytes)
}

pub fn probe(session: &mut Session, g: &mut Gathered, partner: &Partner) -> Result<(), Failure> {
    const TRIPS: &str = "communication.round_trip";
    const FLOODS: &str = "communication.flood";
    let rule = "a short request and its reply, both sides looking out for them";
    if let Some(r) = g.single(session, &format!("{TRIPS}.ns"), &short(Kernel::RoundTrip), rule)? {
        let rule = format!("half of the round trip of {:.1} ns, which is the same there and back", r.y);
        g.measured("communication.one_way.ns", "ns", &mapped(&r, |ns| ns / 2.0), &rule, vec![]);
    }
    let rule = "from a short request to the next, when one follows the other as fast as they are taken";
    if let Some(r) = g.single(session, &format!("{FLOODS}.ns"), &short(Kernel::Flood), rule)? {
        let rate = mapped(&r, |ns| 1e9 / ns);
        g.measured(&format!("{FLOODS}.messages_s"), "messages_s", &rate, "10^9 ns / the interval of a flood", vec![]);
    }
    let step = if session.effort == Effort::Quick { 8 } else { 2 };
    let medium = powers(8, partner.max_medium, step);
    let long = powers(64, 1 << 20, step);
    for (kernel, curve, title) in [
        (Kernel::RoundTrip, TRIPS, "Round trip of a message by size"),
        (Kernel::Flood, FLOODS, "Interval of messages by size"),
    ] {
        let what = format!("{kernel} by size: medium");
        let mediums = g.series(session, &what, &medium, |b| with_payload(kernel, "medium", b))?;
        let what = format!("{kernel} by size: long");
        let longs = g.series(session, &what, &long, |b| with_payload(kernel, "long", b))?;
        if kernel == Kernel::Flood {
            peak(g, curve, &[&mediums, &longs]);
        }
        if let Some(r) = reading(&mediums, 64.0) {
            let rule = "medium messages of 64 bytes";
            g.measured(&format!("{curve}.medium_64.ns"), "ns", &r, rule, at(curve, &mediums, vec![r.x]));
        }
        g.curve(Axes { curve, title, x: "bytes", y: "ns", log_x: true }, vec![mediums, longs]);
    }
    funnel(session, g)
}

fn peak(g: &mut Gathered, curve: &str, series: &[&Series]) {
    let all = series.iter().flat_map(|s| s.points.iter().map(move |p| (*s, p)));
    let rate = |r: &fathom_profile::Reading| r.x * 1000.0 / r.y;
    if let Some((best, point)) = all.max_by(|a, b| rate(a.1).total_cmp(&rate(b.1))) {
        let r = mapped(point, |ns| point.x * 1000.0 / ns);
        let rule = format!("the greatest bandwidth of a flood: {} messages of {} bytes", best.name, point.x);
        g.measured(&format!("{curve}.peak.mb_s"), "mb_s", &r, &rule, at(curve, best, vec![point.x]));
    }
}

/// Many senders, one receiver.
fn funnel(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    const CURVE: &str = "communication.funnel";
    let most = session.runner.threads().saturating_sub(1) as u64;
    let mut senders: Vec<u64> = powers(1, most, 2);
    if most > 0 && senders.last() != Some(&most) {
        senders.push(most);
    }
    let mut all = vec![];
    for bytes in [0, 64] {
        let name = if bytes == 0 { "short".to_string() } else { format!("medium of {bytes} bytes") };
        let what = format!("messages from many to one: {name}");
        let one = |n| Stimulus::new(Kernel::Funnel).with("senders", n).with("bytes", bytes);
        all.push(g.series(session, &what, &senders, one)?);
    }
    if let Some(last) = all[0].points.last() {
        let rate = mapped(last, |ns| 1e9 / ns);
        let rule = format!("short messages that one thread takes while {} send", last.x);
        g.measured(&format!("{CURVE}.messages_s"), "messages_s", &rate, &rule, at(CURVE, &all[0], vec![last.x]));
    }
    let title = "Messages from many to one";
    g.curve(Axes { curve: CURVE, title, x: "senders", y: "ns", log_x: false }, all);
    Ok(())
}

pub fn atomics(session: &mut Session, g: &mut Gathered, partner: &Partner) -> Result<(), Failure> {
    const CURVE: &str = "communication.fetch_add";
    let on = |thread: u64| Stimulus::new(Kernel::FetchAdd).with("with", thread);
    g.single(session, "communication.fetch_add.own.ns", &on(0), "fetch-and-add of an own word")?;
    let (name, rule) = if partner.is_near {
        ("communication.fetch_add.near.ns", "fetch-and-add of a near thread's word that nobody else wants")
    } else {
        ("communication.fetch_add.far.ns", "fetch-and-add of a far thread's word that nobody else wants")
    };
    g.single(session, name, &on(g.partner), rule)?;
    let most = session.runner.threads() as u64;
    let adding: Vec<u64> = powers(1, most, 2);
    let what = "fetch-and-add of one word by many: a word of thread 1";
    let by_many = |n| on(1).with("others", n - 1);
    let series = g.series(session, what, &adding, by_many)?;
    if let Some(last) = series.points.last().filter(|p| p.x > 1.0) {
        let rule = format!("fetch-and-add, as one of {} threads sees it that all add to one word", last.x);
        g.measured(&format!("{CURVE}.contended.ns"), "ns", last, &rule, at(CURVE, &series, vec![last.x]));
    }
    let title = "Fetch-and-add of one word by many threads";
    g.curve(Axes { curve: CURVE, title, x: "threads", y: "ns", log_x: false }, vec![series]);
    Ok(())
}
