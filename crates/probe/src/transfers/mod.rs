//! The basic transfers of the copy-transfer model on this machine: C, S, R, D and N for each pattern, over blocks from
//! a kilobyte, which fits into every cache, to many megabytes, which fit into none.
//!
//! A computer with shared memory has no network interface, but each term still has a meaning there. The port is a piece
//! of memory that passes between two processors' caches: S fills it, R empties it, and N crosses from cache to cache.
//! The hardware that keeps caches coherent deposits stores to another thread's memory without that thread's help: D.
//! Fetching (F) would take a separate processor for copies, which these computers do not have. Where threads do not
//! share memory, S, R and N are whole puts whose other side is contiguous and therefore costs little.

mod plan;

use crate::findings::Findings;
use crate::memory::bandwidth::{self, Known};
use crate::samples::surety;
use crate::{rounds, Estimate, Fact, Failure, Kernel, Session, Stimulus};
use fathom_model::copy_transfer::{
    CongestionPoint, Deposit, Kind, Machine, NetworkFigures, Pattern, Processors, SizePoint, SizedFigures, Start,
    Transfer,
};
use fathom_model::MachineFile;
use fathom_profile::{Curve, Evidence, Missing, Reading, Reason, Series, Value};
use plan::Plan;
use std::time::{Duration, Instant};

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut found = Findings::default();
    let plan = Plan::new(session)?;
    let mut budget = Budget { until: session.until, points: plan.points() };
    // The measurements with all threads come last, and need a quarter of the time.
    budget.until -= session.left_until(session.until) / 4;
    let mut measured = copies(session, &plan, &mut budget, &mut found)?;
    let shared = across(session, &plan, &mut budget, &mut measured, &mut found)?;
    if session.has_rounds() {
        again(session, &mut measured)?;
    }
    found.missing.push(Missing::new(
        "transfers of kind F",
        Reason::Operation,
        "nothing beside the processor fetches data from memory for a transfer here",
    ));
    report(&measured, &mut found);
    let starts = starts(session, shared, &mut found)?;
    let machine = figures(&measured, shared).map(|m| Machine { starts, ..m });
    found.figures = machine.map(|mut m| -> crate::findings::Figures {
        Box::new(move |file: &mut MachineFile| {
            m.line_bytes = file.memory.as_ref().map(|memory| memory.line_bytes);
            file.copy_transfer = Some(m);
        })
    });
    // The area memory has one thread; this area measures the bandwidth of all threads.
    found.add(bandwidth::probe_together(session, &Known::default())?);
    Ok(found)
}

/// MB/s of payload by the size of the block.
struct Measured {
    transfer: Transfer,
    points: Vec<Reading>,
    /// The stimulus of the last point, and the payload of its operation.
    largest: Option<(Stimulus, f64)>,
}

/// Whether threads 0 and 1 are near. None: there are no transfers between two threads here.
type Shared = Option<bool>;

/// The word of a pattern in a stimulus.
fn with_pattern(stimulus: Stimulus, side: &'static str, pattern: Pattern) -> Stimulus {
    match pattern {
        Pattern::Indexed => stimulus.word(side, "w"),
        Pattern::Strided(n) => stimulus.with(side, u64::from(n)),
        Pattern::Contiguous | Pattern::Fixed => stimulus.with(side, 1),
    }
}

/// The remaining time, divided among the remaining points.
struct Budget {
    until: Instant,
    points: usize,
}

impl Budget {
    fn next(&mut self, session: &Session) -> Duration {
        let left = session.left_until(self.until);
        let share = left / self.points.max(1) as u32;
        self.points = self.points.saturating_sub(1);
        // Short enough that a disturbed point does not take the time of the others, and long enough for a sample.
        (share * 3).max(Duration::from_millis(6))
    }
}

/// `is_largest`: a value depends on this point, so every round measures it. Other points are not measured again if
/// earlier rounds already agree.
fn rate(
    session: &mut Session,
    stimulus: &Stimulus,
    (bytes, is_largest): (f64, bool),
    limit: Duration,
) -> Result<Reading, Failure> {
    let earlier = session.earlier(stimulus);
    let settled = rounds::median(&earlier.iter().map(|l| l.0).collect::<Vec<_>>());
    let settled = settled.filter(|e| !is_largest && e.spread() <= session.effort.tight());
    let (estimate, facts) = match settled.zip(earlier.last()) {
        Some((e, (_, samples))) => (e, samples.facts.clone()),
        None => session.measure_within(stimulus, limit).map(|(e, samples)| (e, samples.facts))?,
    };
    let moved = facts.get(&Fact::Bytes).copied();
    let moved = moved.ok_or_else(|| Failure::Broken(format!("`{stimulus}` did not say its bytes")))?;
    Ok(reading(estimate, bytes, moved))
}

/// The rate of an operation with this time that moves this many bytes.
fn reading(estimate: Estimate, x: f64, moved: f64) -> Reading {
    let e = estimate.map(|ns| moved * 1000.0 / ns);
    Reading { x, y: e.value, low: e.low, high: e.high, samples: e.samples, outliers: e.outliers }
}

/// Looks once more at the largest blocks where looks differ, because values depend on them, and other users of the
/// memory change them from one moment to the next. This comes some time after the first look, as briefly as possible,
/// and only if there is time.
fn again(session: &mut Session, measured: &mut [Measured]) -> Result<(), Failure> {
    const LOOK: Duration = Duration::from_millis(20);
    session.tally.rounds.next_round();
    let tight = session.effort.tight();
    let differs = |m: &&Measured| m.points.last().is_some_and(|r| (r.high - r.low) / 2.0 / r.y > tight);
    for (stimulus, _) in measured.iter().filter(differs).filter_map(|m| m.largest.as_ref()) {
        if !session.time_left() {
            break;
        }
        if let Err(broken @ Failure::Broken(_)) = session.glance(stimulus, LOOK) {
            return Err(broken);
        }
    }
    session.tally.rounds.next_round();
    for m in measured {
        let (Some((stimulus, moved)), Some(last)) = (&m.largest, m.points.last_mut()) else { continue };
        let looks: Vec<Estimate> = session.earlier(stimulus).into_iter().map(|l| l.0).collect();
        if let Some(e) = rounds::median(&looks) {
            *last = reading(e, last.x, *moved);
        }
    }
    Ok(())
}

/// One transfer at each of the plan's sizes, and at more sizes between two whose times per byte differ: the edges of
/// caches. `kernel` makes the stimulus for a block of this many bytes.
fn by_size(
    session: &mut Session,
    plan: &Plan,
    budget: &mut Budget,
    transfer: Transfer,
    kernel: impl Fn(u64) -> Stimulus,
) -> Result<Measured, Failure> {
    let mut points: Vec<Reading> = vec![];
    let sizes = plan.sizes(&transfer);
    for &bytes in &sizes {
        let is_largest = sizes.last() == Some(&bytes);
        match rate(session, &kernel(bytes as u64), (bytes, is_largest), budget.next(session)) {
            Ok(point) => points.push(point),
            // Larger blocks are not possible.
            Err(Failure::Impossible(..) | Failure::Late { .. }) if !points.is_empty() => break,
            Err(failure) => return Err(failure),
        }
    }
    for _ in 0..plan.more {
        let between = points.windows(2).enumerate().filter(|(_, w)| w[1].x / w[0].x >= plan.closest);
        let steps = between.map(|(i, w)| (i, (w[0].y / w[1].y).ln().abs()));
        let Some((i, step)) = steps.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        let limit = budget.next(session);
        if step < plan.step.ln() {
            continue;
        }
        // Whole lines, and therefore whole words.
        let bytes = ((points[i].x * points[i + 1].x).sqrt() / 64.0).round() * 64.0;
        points.insert(i + 1, rate(session, &kernel(bytes as u64), (bytes, false), limit)?);
    }
    let largest = points.last().map(|last| kernel(last.x as u64)).and_then(|stimulus| {
        let moved = session.last(&stimulus)?.facts.get(&Fact::Bytes).copied()?;
        Some((stimulus, moved))
    });
    Ok(Measured { transfer, points, largest })
}

/// C by one thread.
fn copies(
    session: &mut Session,
    plan: &Plan,
    budget: &mut Budget,
    found: &mut Findings,
) -> Result<Vec<Measured>, Failure> {
    let mut measured = vec![];
    for (from, to) in plan.pairs() {
        let transfer = Transfer { kind: Kind::Copy, from, to };
        let kernel = |bytes| {
            with_pattern(with_pattern(Stimulus::new(Kernel::Copy), "from", from), "to", to).with("bytes", bytes)
        };
        match by_size(session, plan, budget, transfer, kernel) {
            Ok(m) => measured.push(m),
            Err(failure) => found.note_missing(&format!("transfers.{transfer}"), failure)?,
        }
    }
    Ok(measured)
}

/// S, R, D and N between threads 0 and 1.
fn across(
    session: &mut Session,
    plan: &Plan,
    budget: &mut Budget,
    all: &mut Vec<Measured>,
    found: &mut Findings,
) -> Result<Shared, Failure> {
    let crossing = Transfer::network(Kind::NetworkData);
    let kernel = |bytes| Stimulus::new(Kernel::Cross).with("bytes", bytes);
    let near = by_size(session, plan, budget, crossing, kernel);
    let (shared, nd) = match near {
        Ok(nd) => (true, nd),
        Err(failure @ Failure::Impossible(Reason::Processors, _)) => {
            found.missing.push(failure.missing("transfers between threads"));
            return Ok(None);
        }
        Err(Failure::Impossible(..)) => {
            match by_size(session, plan, budget, crossing, |bytes| Stimulus::new(Kernel::Far).with("bytes", bytes)) {
                Ok(nd) => (false, nd),
                Err(failure) => {
                    found.note_missing("transfers between threads", failure)?;
                    return Ok(None);
                }
            }
        }
        Err(failure) => return Err(failure),
    };
    all.push(nd);
    if !shared {
        let why = "memory is not shared: the receiver's processor stores what arrives";
        found.missing.push(Missing::new("transfers of kind D", Reason::Other, why));
    }
    let kinds: &[(Kind, Kernel)] = match shared {
        true => &[
            (Kind::LoadSend, Kernel::Send),
            (Kind::ReceiveStore, Kernel::Receive),
            (Kind::ReceiveDeposit, Kernel::Deposit),
        ],
        false => &[(Kind::LoadSend, Kernel::Far), (Kind::ReceiveStore, Kernel::Far)],
    };
    for (kind, kernel) in kinds {
        for pattern in plan.patterns() {
            let (transfer, side) = match kind {
                Kind::LoadSend => (Transfer { kind: *kind, from: pattern, to: Pattern::Fixed }, "from"),
                _ => (Transfer { kind: *kind, from: Pattern::Fixed, to: pattern }, "to"),
            };
            let stimulus = |bytes| with_pattern(Stimulus::new(*kernel), side, pattern).with("bytes", bytes);
            match by_size(session, plan, budget, transfer, stimulus) {
                Ok(m) => all.push(m),
                Err(failure) => found.note_missing(&format!("transfers.{transfer}"), failure)?,
            }
        }
    }
    if !shared {
        // Every word carries its address.
        let addressed = Transfer::network(Kind::NetworkAddresses);
        let kernel = |bytes| Stimulus::new(Kernel::Far).word("to", "w").with("bytes", bytes);
        match by_size(session, plan, budget, addressed, kernel) {
            Ok(m) => all.push(m),
            Err(failure) => found.note_missing("transfers.Nadp", failure)?,
        }
    }
    Ok(Some(shared))
}

/// The start of a receive: the receiver's processor must learn that there is data to receive. Where memory is not
/// shared, S, R and N are whole puts, which include the start.
fn starts(session: &mut Session, shared: Shared, found: &mut Findings) -> Result<Vec<Start>, Failure> {
    if shared != Some(true) {
        return Ok(vec![]);
    }
    let stimulus = Stimulus::new(Kernel::RoundTrip).word("kind", "short").with("bytes", 0);
    match session.measure(&stimulus) {
        Ok(there_and_back) => {
            let e = there_and_back.map(|ns| ns / 2.0);
            let rule =
                "half of a message's way there and back, without payload: how the receiver's processor learns of it";
            let sure = surety(e.spread(), e.samples, 5.0);
            let value = Value::known("transfers.R.start.ns", e.value, "ns", sure, rule);
            found.values.push(value.between(e.low, e.high));
            Ok(vec![Start { kind: Kind::ReceiveStore.letters().into(), ns: e.value, source: "measured".into() }])
        }
        Err(failure) => found.note_missing("transfers.R.start", failure).map(|()| vec![]),
    }
}

/// Curves for a reader: each kind by size, and by stride at one size; and a value for each transfer over large blocks.
fn report(measured: &[Measured], found: &mut Findings) {
    let groups: [(&str, &str, &[Kind]); 4] = [
        ("transfers.copy", "Copies by one thread (xCy)", &[Kind::Copy]),
        ("transfers.send", "Memory to port (xS0)", &[Kind::LoadSend]),
        ("transfers.receive", "Port to memory (0Ry)", &[Kind::ReceiveStore]),
        (
            "transfers.cross",
            "From thread to thread (N), and deposited there (0Dy)",
            &[Kind::NetworkData, Kind::NetworkAddresses, Kind::ReceiveDeposit],
        ),
    ];
    for (name, title, kinds) in groups {
        let of_kind: Vec<&Measured> =
            measured.iter().filter(|m| kinds.contains(&m.transfer.kind) && !m.points.is_empty()).collect();
        if of_kind.is_empty() {
            continue;
        }
        for m in &of_kind {
            found.values.extend(m.points.last().map(|r| value(name, &m.transfer, r)));
        }
        let series = of_kind.iter().map(|m| Series::new(m.transfer.to_string(), m.points.clone())).collect();
        found.curves.push(Curve {
            name: name.into(),
            title: format!("{title}, by the size of the block"),
            x: "bytes".into(),
            y: "mb_s".into(),
            log_x: true,
            log_y: true,
            series,
        });
    }
}

fn value(curve: &str, transfer: &Transfer, r: &Reading) -> Value {
    let spread = (r.high - r.low) / 2.0 / r.y;
    let unsure = match r.samples {
        0..3 => "; there was time for few samples only".to_string(),
        n if spread > 0.05 => format!(
            "; {n} samples of several moments and pages differ, as they do where other programs or guests use the same cache or memory"
        ),
        _ => String::new(),
    };
    let rule = format!(
        "payload of blocks of {}, the largest measured, over their time, the median of all looks{unsure}",
        fathom_report::Unit::Bytes.text(r.x)
    );
    Value::known(format!("transfers.{transfer}.mb_s"), r.y, "mb_s", surety(spread, r.samples, 5.0), rule)
        .between(r.low, r.high)
        .resting_on(vec![Evidence { curve: curve.into(), series: transfer.to_string(), at: vec![r.x] }])
}

/// The machine for the model.
fn figures(measured: &[Measured], shared: Shared) -> Option<Machine> {
    let has_points = |m: &&Measured| !m.points.is_empty();
    let by_size: Vec<SizedFigures> = (measured.iter().filter(has_points))
        .filter(|m| !m.transfer.kind.is_network())
        .map(|m| SizedFigures {
            transfer: m.transfer.to_string(),
            points: m.points.iter().map(|r| SizePoint { bytes: r.x, mb_s: r.y }).collect(),
            source: "measured".into(),
        })
        .collect();
    let mut network = vec![];
    let mut term = |kind: Kind, mb_s: f64, source: &str| {
        let points = vec![CongestionPoint { congestion: 1.0, mb_s }];
        network.push(NetworkFigures { transfer: kind.letters().into(), points, source: source.into() });
    };
    for m in measured.iter().filter(has_points).filter(|m| m.transfer.kind.is_network()) {
        // Between caches: the best crossing rate, because S, R and D show by the block's size which caches are
        // involved.
        let mut rates = m.points.iter().map(|r| r.y);
        let Some(best) = (if shared == Some(true) { rates.max_by(f64::total_cmp) } else { rates.next_back() }) else {
            continue;
        };
        term(m.transfer.kind, best, "measured");
        if m.transfer.kind == Kind::NetworkData && shared == Some(true) {
            term(Kind::NetworkAddresses, best, "as Nd: what keeps caches coherent moves lines with their addresses");
        }
    }
    if by_size.is_empty() {
        return None;
    }
    // The receiver has its own processor, which no other stage at the sender needs.
    let processors = if shared.is_some() { Processors::Each } else { Processors::One };
    Some(Machine {
        congestion: 1.0,
        processors,
        deposit: Deposit::Words,
        figures: vec![],
        by_size,
        block_bytes: None,
        line_bytes: None,
        network,
        starts: vec![],
        limits: vec![],
    })
}

#[cfg(test)]
mod tests;
