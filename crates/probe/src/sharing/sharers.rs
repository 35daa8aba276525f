//! Many readers of one writer's data: the cost of invalidating their copies, and the cost of reading for the first, the
//! second, …

use crate::communication::gather::{at, reading, Axes, Gathered};
use crate::communication::partners::Partner;
use crate::{Failure, Kernel, Session, Stimulus};
use fathom_profile::{Reason, Series};

pub fn probe(session: &mut Session, g: &mut Gathered, unit: Option<f64>, place: &Partner) -> Result<(), Failure> {
    const INVALIDATE: &str = "sharing.invalidate";
    const READ: &str = "sharing.nth_read";
    // Without its own core a reader's time would include waiting for one.
    let most = (session.runner.threads().min(place.cores.len()) as u64).saturating_sub(1);
    let apart = (unit.unwrap_or(64.0) / 8.0) as u64;
    let mut invalidations = vec![];
    let mut reads = vec![];
    for stride in [1, apart] {
        let of = |what: &'static str, n: u64| {
            Stimulus::new(Kernel::Sharers).word("what", what).with("sharers", n).with("stride", stride)
        };
        let all: Vec<u64> = (0..=most).collect();
        let what = format!("writing what so many have read: stride {stride}");
        invalidations.push(g.series(session, &what, &all, |n| of("invalidate", n))?);
        let what = format!("reading as the n-th: stride {stride}");
        reads.push(g.series(session, &what, &all[1..], |n| of("read", n))?);
    }
    let mut say = |series: &Series, curve: &str, x: f64, name: &str, rule: &str| {
        if let Some(r) = reading(series, x) {
            g.measured(name, "ns", &r, rule, at(curve, series, vec![x]));
        }
    };
    let wide = &invalidations[1];
    let rule = "writing a line that one other thread has read since: a pass of writes, each to another line";
    say(wide, INVALIDATE, 1.0, "sharing.invalidate.one.ns", rule);
    if most > 1 {
        let rule = format!("writing a line that {most} other threads have read since");
        say(wide, INVALIDATE, most as f64, "sharing.invalidate.all.ns", &rule);
    }
    say(&reads[1], READ, 1.0, "sharing.nth_read.first.ns", "reading a line as the first after it was written");
    if most > 1 {
        say(&reads[1], READ, 2.0, "sharing.nth_read.second.ns", "reading a line as the second after it was written");
    } else {
        g.missing(
            "sharing.nth_read beyond the first",
            Reason::Processors,
            "it takes three threads on cores of their own",
        );
    }
    let title = "Writing what others have read";
    g.curve(Axes { curve: INVALIDATE, title, x: "sharers", y: "ns", log_x: false }, invalidations);
    let title = "Reading what was written, as the n-th reader";
    g.curve(Axes { curve: READ, title, x: "reader", y: "ns", log_x: false }, reads);
    Ok(())
}
