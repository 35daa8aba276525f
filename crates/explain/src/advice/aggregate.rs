//! Many single accesses to another thread's memory at a constant distance from each other: one transfer instead.

use super::{number, percent, time, Advice};
use crate::costs::Costs;
use crate::job::{Job, Share, Site};
use crate::site::Kind;

/// The share of its far accesses that a mechanism serves from which on a place needs no aggregation by the program.
pub(super) const SERVED: f64 = 0.9;
/// The least number of accesses to other threads that are worth aggregating.
const LEAST: f64 = 64.0;
/// The least number of pairs of successive accesses, and the least share of them at the same distance.
const LEAST_PAIRS: usize = 8;
const SAME: f64 = 0.8;

/// The sequence of a thread's accesses to another thread's memory.
pub(crate) struct AccessSequence {
    pub stride: i64,
    /// Share of the pairs that have this stride.
    pub same: f64,
    pub pairs: usize,
    /// Bytes between the lowest and the highest sampled address on a thread, on average over the accessed threads.
    pub span: f64,
    pub targets: usize,
}

/// The sequence of a thread's sampled accesses to others; None if there are too few successive ones.
pub(crate) fn access_sequence(x: &Share) -> Option<AccessSequence> {
    let mut strides: Vec<i64> = vec![];
    let (mut span, mut targets) = (0.0, 0);
    for (_, mut list) in x.samples_by_thread().into_iter().filter(|(t, _)| *t != x.thread) {
        list.retain(|s| s.weight == 1);
        let next = list.windows(2).filter(|w| w[1].number == w[0].number + 1);
        strides.extend(next.map(|w| w[1].offset as i64 - w[0].offset as i64));
        if let (Some(lo), Some(hi)) = (list.iter().map(|s| s.offset).min(), list.iter().map(|s| s.offset).max()) {
            span += (hi - lo) as f64 + x.record.bytes as f64;
            targets += 1;
        }
    }
    if strides.len() < LEAST_PAIRS || targets == 0 {
        return None;
    }
    let pairs = strides.len();
    strides.sort_unstable();
    let most = strides.chunk_by(|a, b| a == b).max_by_key(|c| c.len())?;
    Some(AccessSequence {
        stride: most[0],
        same: most.len() as f64 / pairs as f64,
        pairs,
        span: span / targets as f64,
        targets,
    })
}

pub fn advise(job: &Job, costs: &Costs) -> Vec<Advice> {
    job.sites.iter().filter_map(|s| site(s, costs)).filter(|a| !waits_in_between(job, a)).collect()
}

/// Does the loop wait for other threads, or order its accesses with theirs? Then the data that it reads may not exist
/// before it begins, and other threads may need the data that it writes before it ends.
fn waits_in_between(job: &Job, a: &Advice) -> bool {
    let Some(of) = job.sites.iter().find(|s| (&s.about.file, s.about.line) == (&a.file, a.line)) else { return false };
    let (from, function) = (of.about.loop_line, &of.about.function);
    let inside = |s: &&Site| {
        let b = &s.about;
        let here = b.file == a.file && b.function == *function && from > 0;
        here && (b.loop_line == from || (from..=a.line).contains(&b.line))
    };
    let orders = |s: &Site| {
        let used = s.of.iter().any(|x| x.record.calls > 0 || x.accesses().all() > 0.0);
        let spins = s.about.kind() == Kind::Read && s.of.iter().any(|x| x.accesses().all() >= LEAST && x.stays_put());
        let b = &s.about;
        used && (b.strict || spins || matches!(b.kind(), Kind::Lock | Kind::Atomic | Kind::Barrier | Kind::Fence))
    };
    job.sites.iter().filter(inside).any(orders)
}

fn site(s: &Site, costs: &Costs) -> Option<Advice> {
    let a = &s.about;
    if !matches!(a.kind(), Kind::Read | Kind::Write) || a.is_private() || a.strict {
        return None;
    }
    let (mut now, mut then, mut accesses, mut measured) = (0.0, 0.0, 0.0, true);
    let (mut best, mut far_any) = (None::<AccessSequence>, false);
    for x in &s.of {
        let by = x.accesses();
        let service = x.service(a);
        let far_alone = match service.share() {
            Some(share) if share >= SERVED => 0.0,
            _ => by.far - service.served(),
        };
        if by.near + far_alone < LEAST {
            continue;
        }
        let Some(w) = access_sequence(x).filter(|w| w.same >= SAME && w.stride != 0) else { continue };
        let far = far_alone > by.near;
        let single = if far { x.timed_ns / by.far } else { x.near_load_ns? };
        let n = if far { far_alone } else { by.near };
        // One pass over the span, as often as there are accesses for it.
        let elements = (w.span / w.stride.unsigned_abs() as f64).max(1.0) * w.targets as f64;
        let rounds = (n / elements).max(1.0);
        let block =
            costs.transfer(far, a.kind() == Kind::Read, elements / w.targets as f64 * x.record.bytes as f64, single);
        now += single * n;
        then += rounds * w.targets as f64 * block.ns;
        accesses += n;
        measured &= block.measured;
        far_any |= far;
        if best.as_ref().is_none_or(|b| w.pairs > b.pairs) {
            best = Some(w);
        }
    }
    let w = best?;
    let bytes = s.of.first()?.record.bytes;
    let contiguous = w.stride.unsigned_abs() == bytes;
    let whose = if far_any { "a far thread's" } else { "another thread's" };
    let from_loop = if a.loop_line > 0 { format!("the loop of line {}", a.loop_line) } else { "this".into() };
    let call = match (a.kind(), contiguous) {
        (Kind::Read, true) if a.is_split_c => format!("bulk_read of about {} bytes before it", number(w.span)),
        (_, true) if a.is_split_c => format!("bulk_write of about {} bytes after it", number(w.span)),
        (Kind::Read, false) if a.is_split_c => "bulk_read of all elements and those between them before it".into(),
        (_, false) if a.is_split_c => "bulk_write to a buffer there, which its processor spreads,".into(),
        (Kind::Read, true) => format!("upc_memget of about {} bytes before it", number(w.span)),
        (_, true) => format!("upc_memput of about {} bytes after it", number(w.span)),
        (Kind::Read, false) => "bupc_memget_fstrided before it".to_string(),
        _ => "bupc_memput_fstrided after it".to_string(),
    };
    let verb = if a.kind() == Kind::Read { "reads" } else { "writes" };
    let mut evidence = vec![
        format!(
            "{} single {verb} of {whose} memory by `{}`, {} each: {}",
            number(accesses),
            a.text,
            time(now / accesses),
            time(now)
        ),
        format!("{} of {} pairs of successive accesses were {} bytes apart", percent(w.same), w.pairs, w.stride),
        format!("as blocks: {}", time(then)),
    ];
    if far_any && !a.missed.is_empty() {
        evidence.push(format!("no mechanism served them: {}", a.missed));
    }
    if !measured {
        evidence.push(Costs::assumption(far_any));
    }
    Some(Advice {
        rule: "aggregate",
        file: a.file.clone(),
        line: a.line,
        what: format!("aggregate {from_loop}: a private buffer and one {call}, instead of an access for each element"),
        evidence,
        gain_ns: now - then,
        gain_share: 0.0,
        confidence: w.same * if measured { 0.9 } else { 0.6 } * (1.0 - 4.0 / (w.pairs as f64 + 4.0)),
    })
}
