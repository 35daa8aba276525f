//! Puts and gets: by size, by stride, and by the number under way.

use super::gather::{at, certainty, evidence, mapped, powers, reading, within, Axes, Gathered};
use super::infer::group_size;
use super::partners::sizes;
use crate::fits::Plan;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_model::fit::Form;
use fathom_profile::{names, Curve, Reason, Series, Value};

const LARGEST: u64 = 4 << 20;
/// The most bytes under way at once.
const MOST_UNDER_WAY: u64 = 4 << 20;
const UNDER_WAY: u64 = 16;

/// Both directions: the kernel, the name of its curve, a heading.
const DIRECTIONS: [(Kernel, &str, &str); 2] =
    [(Kernel::Put, names::PUT, "Put by size"), (Kernel::Get, names::GET, "Get by size")];

fn transfer(kernel: Kernel, bytes: u64) -> Stimulus {
    Stimulus::new(kernel).with("bytes", bytes)
}

fn grouped(kernel: Kernel, bytes: u64, group: u64) -> Stimulus {
    transfer(kernel, bytes).word("way", "explicit").with("group", group)
}

/// How many transfers are under way in each direction: what more of them add is free of how they begin.
const BOTH_WAYS: [u64; 3] = [16, 64, 256];

pub fn by_size(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    let sizes = sizes(session.effort, LARGEST);
    let some: Vec<u64> = sizes.iter().copied().filter(|b| b * UNDER_WAY <= MOST_UNDER_WAY).collect();
    let mut rates = vec![];
    // Models and machine files rest on the blocking transfers of both directions: on a slow network they must not find that
    // all time has gone.
    let mut alone = vec![];
    for ((kernel, ..), share) in DIRECTIONS.into_iter().zip([0.3, 0.45]) {
        let what = format!("{kernel} by size: blocking");
        alone.push(within(session, share, |s| g.series(s, &what, &sizes, |b| transfer(kernel, b)))?);
    }
    for (((kernel, curve, title), share), blocking) in DIRECTIONS.into_iter().zip([0.5, 1.0]).zip(alone) {
        let what = format!("{kernel} by size: {UNDER_WAY} under way");
        let pipelined = within(session, share, |s| g.series(s, &what, &some, |b| grouped(kernel, b, UNDER_WAY)))?;
        if let Some(r) = reading(&blocking, 8.0) {
            let rule = format!("a blocking {kernel} of 8 bytes, complete when it returns");
            g.measured(&format!("{curve}.ns"), "ns", &r, &rule, at(curve, &blocking, vec![8.0]));
        }
        let name = format!("{curve}_value.ns");
        let by_value = transfer(kernel, 8).word("way", "value");
        g.single(session, &name, &by_value, &format!("a {kernel} of 8 bytes by value"))?;
        peak(g, kernel, curve, &[&blocking, &pipelined]);
        match Plan::new(curve, names::BLOCKING).fit(&crate::fits::points(&blocking)) {
            Ok(fitted) => g.findings.fits.push(fitted.curve),
            Err(why) => g.missing(&format!("a fit of {kernel} by size"), Reason::Other, &why),
        }
        for s in [&blocking, &pipelined] {
            let points = s.points.iter().map(|r| mapped(r, |ns| r.x * 1000.0 / ns)).collect();
            rates.push(Series::new(format!("{kernel}, {}", s.name), points));
        }
        let axes = Axes { curve, title, x: "bytes", y: "ns", log_x: true };
        g.curve(axes, vec![blocking, pipelined]);
    }
    let title = "Bandwidth of put and get";
    g.curve(Axes { curve: "communication.bandwidth", title, x: "bytes", y: "mb_s", log_x: true }, rates);
    Ok(())
}

/// The greatest bandwidth, and the size that has half of it.
fn peak(g: &mut Gathered, kernel: Kernel, curve: &str, series: &[&Series]) {
    let rate = |r: &fathom_profile::Reading| r.x * 1000.0 / r.y;
    let all = series.iter().flat_map(|s| s.points.iter().map(move |p| (*s, p)));
    let Some((best, point)) = all.max_by(|a, b| rate(a.1).total_cmp(&rate(b.1))) else {
        return;
    };
    let r = mapped(point, |ns| point.x * 1000.0 / ns);
    let rule = format!("the greatest bandwidth of any size: {} bytes, {}", point.x, best.name);
    g.measured(&format!("{curve}.peak.mb_s"), "mb_s", &r, &rule, at(curve, best, vec![point.x]));
    let Some(half) = series[0].points.iter().position(|p| rate(p) >= r.y / 2.0) else {
        return;
    };
    let (high, low) = (&series[0].points[half], &series[0].points[half.saturating_sub(1)]);
    let rule = format!("the smallest size measured at which a blocking {kernel} has half of the peak bandwidth");
    let value = Value::known(format!("{curve}.half_peak.bytes"), high.x, "bytes", certainty(high), rule);
    let evidence = at(curve, series[0], vec![low.x, high.x]);
    g.findings.values.push(value.between(low.x, high.x).resting_on(evidence));
}

/// `is_near`: the other thread shares memory with thread 0, which then has nothing on a line between them.
pub fn groups(session: &mut Session, g: &mut Gathered, is_near: bool) -> Result<(), Failure> {
    const CURVE: &str = "communication.group";
    let counts = powers(1, 64, 2);
    let cases: &[(Kernel, u64)] = match session.effort {
        Effort::Quick => &[(Kernel::Put, 8), (Kernel::Get, 8)],
        _ => &[(Kernel::Put, 8), (Kernel::Get, 8), (Kernel::Put, 4096), (Kernel::Get, 4096)],
    };
    // Requests and acknowledgements then share their direction with the other thread's data. Machine files rest on that: it
    // comes before what takes long on a slow network.
    let mut both_ways = vec![];
    for kernel in [Kernel::Put, Kernel::Get].into_iter().filter(|_| !is_near) {
        let what = format!("group size: {kernel} of 8 bytes, both ways");
        both_ways.push(g.series(session, &what, &BOTH_WAYS, |n| grouped(kernel, 8, n).with("both", 1))?);
    }
    // The single words that a program writes without waiting need not travel as puts do that are begun.
    for (ending, both) in [("", 0), (", both ways", 1)].into_iter().filter(|_| !is_near) {
        let what = format!("group size: relaxed put of 8 bytes{ending}");
        let relaxed = |n| transfer(Kernel::Put, 8).word("way", "relaxed").with("group", n);
        both_ways.push(g.series(session, &what, &BOTH_WAYS, |n| match both {
            0 => relaxed(n),
            both => relaxed(n).with("both", both),
        })?);
    }
    let mut all = vec![];
    for (kernel, bytes) in cases {
        let what = format!("group size: {kernel} of {bytes} bytes");
        // A group of one needs no handle.
        let group = |n| if n == 1 { transfer(*kernel, *bytes) } else { grouped(*kernel, *bytes, n) };
        let mut series = g.series(session, &what, &counts, group)?;
        for n in [128, 256, 512, 1024] {
            // Larger numbers follow only where these still do not hide the latency.
            if group_size(&series.points).is_none_or(|found| found.is_flat) {
                break;
            }
            series.points.extend(g.point(session, &what, n as f64, &group(n))?);
        }
        let size = if *bytes == 8 { String::new() } else { format!("_{bytes}") };
        match group_size(&series.points) {
            Some(found) => {
                let single = series.points[0].y;
                let rest = match (found.size, found.is_flat) {
                    (1.0, _) => ": there is no latency to hide",
                    (_, true) => "",
                    (_, false) => "; the curve still falls: larger groups may be better",
                };
                let rule = format!(
                    "the smallest group of {kernel}s of {bytes} bytes whose time, each, is within 5 % of the plateau of \
                     {:.3} ns; one alone, blocking, takes {single:.3} ns{rest}",
                    found.plateau_ns
                );
                let sure = if found.is_flat { certainty(&series.points[0]) } else { 0.3 };
                let group = Value::known(format!("communication.{kernel}{size}.group"), found.size, "", sure, rule);
                let rule =
                    "the share of a blocking transfer's time that goes when many are under way: 1 - plateau / single";
                let share = (1.0 - found.plateau_ns / single).max(0.0);
                let (name, sure) = (format!("communication.{kernel}{size}.hidden"), certainty(&series.points[0]));
                let hidden = Value::known(name, share, "", sure, rule);
                let group = group.between(found.low, found.high);
                g.findings.values.extend([group, hidden].map(|v| v.resting_on(evidence(CURVE, &series))));
            }
            None => g.missing(
                &format!("communication.{kernel}{size}.group"),
                Reason::Other,
                "fewer than four groups were measured",
            ),
        }
        all.push(series);
    }
    all.extend(both_ways);
    let title = "Transfers under way at once";
    g.curve(Axes { curve: CURVE, title, x: "transfers under way", y: "ns", log_x: true }, all);
    Ok(())
}

/// Words of 8 bytes, one at a time, at this distance from each other.
pub fn by_stride(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    const AREA: u64 = 1 << 20;
    let strides = powers(8, 1 << 16, if session.effort == Effort::Quick { 8 } else { 2 });
    let mut all: Vec<Series> = vec![];
    for kernel in [Kernel::Put, Kernel::Get] {
        let walk = |stride| transfer(kernel, 8).with("stride", stride).with("area", AREA);
        all.push(g.series(session, &format!("transfers by stride: {kernel}"), &strides, walk)?);
    }
    let title = "Blocking put and get of 8 bytes by stride, over 1 MiB";
    g.curve(Axes { curve: "communication.stride", title, x: "stride_bytes", y: "ns", log_x: true }, all);
    Ok(())
}

/// The fit of a mechanism, for the profile; None if there is none.
pub fn affine_fit(curve: &Curve, series: &Series) -> Option<fathom_profile::FittedCurve> {
    let plan = Plan { forms: &[Form::Affine], ..Plan::new(&curve.name, &series.name) };
    plan.fit(&crate::fits::points(series)).ok().map(|f| f.curve)
}
