//! The program's lines: the sums over their sites, and the predictions.

use crate::advice::access_sequence;
use crate::costs::Costs;
use crate::file::Choice;
use crate::job::{ByDistance, Job, Site};
use crate::served::Service;
use crate::site::Kind;
use serde::Serialize;
use std::collections::HashMap;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Line {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub accesses: ByDistance,
    pub bytes: ByDistance,
    /// How the far accesses were served.
    pub far: Service,
    /// Calls of the library.
    pub calls: f64,
    /// The sum over all threads; None if nothing was timed.
    pub measured_ns: Option<f64>,
    /// By the profile, for data in the thread's own caches; None without a profile, or if it has no figure.
    pub predicted_ns: Option<f64>,
    /// The same for data that another thread has just written.
    pub predicted_fresh_ns: Option<f64>,
    pub places: Vec<LineSite>,
}

/// A site of a line.
#[derive(Clone, Debug, Serialize)]
pub struct LineSite {
    pub column: u32,
    pub construct: String,
    pub text: String,
    pub strict: bool,
    pub how: String,
    pub why: String,
    pub accesses: ByDistance,
    pub bytes: ByDistance,
    pub far: Service,
    /// Why the compiler leaves accesses alone that no mechanism served; empty if there is no reason to name.
    pub missed: String,
    pub calls: f64,
    pub measured_ns: Option<f64>,
    pub predicted_ns: Option<f64>,
    pub predicted_fresh_ns: Option<f64>,
    /// The mechanisms that the runtime chose for its calls, the most frequent first.
    pub mechanisms: Vec<UsedMechanism>,
}

/// A mechanism that the runtime chose, and the reason.
#[derive(Clone, Debug, Serialize)]
pub struct UsedMechanism {
    pub decision: String,
    pub mechanism: String,
    /// The subject of the decision: "8-byte elements 64 bytes apart", "4 threads", "another computer"; or nothing.
    pub shape: String,
    /// The least and the greatest observed bytes of a call.
    pub bytes: (u64, u64),
    /// The rule of the table, or the built-in one, for the shape.
    pub because: String,
    /// The mechanisms' times by the profile, fastest first, for the greatest observed bytes.
    pub predicted_ns: Vec<(String, f64)>,
}

/// All lines with activity, those with the most time first, and of equal ones those with the most accesses.
pub fn lines(job: &Job, costs: &Costs) -> Vec<Line> {
    let mut out: Vec<Line> = vec![];
    let mut known: HashMap<(&str, u32), usize> = HashMap::new();
    for s in &job.sites {
        let (accesses, calls) = (s.accesses(), s.calls());
        if accesses.all() == 0.0 && calls == 0.0 {
            continue;
        }
        let a = &s.about;
        let at = *known.entry((&a.file, a.line)).or_insert_with(|| {
            let (file, function) = (a.file.clone(), a.function.clone());
            out.push(Line { file, line: a.line, function, ..Line::default() });
            out.len() - 1
        });
        let place = LineSite {
            column: a.column,
            construct: a.construct.clone(),
            text: a.text.clone(),
            strict: a.strict,
            how: a.form.text().into(),
            why: a.reason.text().into(),
            accesses,
            bytes: s.bytes(),
            far: s.service(),
            missed: a.missed.clone(),
            calls: if a.is_access() { 0.0 } else { calls },
            measured_ns: s.measured_ns(),
            predicted_ns: predicted(job, s, costs),
            predicted_fresh_ns: predicted_fresh(s, costs).or(predicted(job, s, costs)),
            mechanisms: used_mechanisms(job, s, costs),
        };
        let line = &mut out[at];
        line.accesses.add(place.accesses);
        line.bytes.add(place.bytes);
        line.far.add(place.far);
        line.calls += place.calls;
        line.measured_ns = add(line.measured_ns, place.measured_ns);
        line.predicted_ns = add(line.predicted_ns, place.predicted_ns);
        line.predicted_fresh_ns = add(line.predicted_fresh_ns, place.predicted_fresh_ns);
        line.places.push(place);
    }
    for l in &mut out {
        l.places.sort_by(|a, b| a.column.cmp(&b.column).then(b.accesses.all().total_cmp(&a.accesses.all())));
    }
    let weight = |l: &Line| (l.measured_ns.unwrap_or(0.0), l.accesses.all());
    out.sort_by(|a, b| weight(b).partial_cmp(&weight(a)).unwrap_or(std::cmp::Ordering::Equal));
    out
}

/// The joined records of the threads about a site's calls.
fn used_mechanisms(job: &Job, s: &Site, costs: &Costs) -> Vec<UsedMechanism> {
    let mut all: Vec<Choice> = vec![];
    for c in s.of.iter().flat_map(|x| &x.record.choices) {
        let same = |x: &&mut Choice| {
            (&x.decision, &x.mechanism, x.first, x.stride) == (&c.decision, &c.mechanism, c.first, c.stride)
        };
        match all.iter_mut().find(same) {
            Some(x) => (x.least, x.most, x.calls) = (x.least.min(c.least), x.most.max(c.most), x.calls + c.calls),
            None => all.push(c.clone()),
        }
    }
    all.sort_by_key(|c| std::cmp::Reverse(c.calls));
    let table = job.table.rsplit('/').next().unwrap_or("");
    let one = |c: &Choice| UsedMechanism {
        shape: shape(c),
        bytes: (c.least, c.most),
        because: because(c, table),
        predicted_ns: costs.of_mechanisms(&c.decision, c.first, c.stride, c.most as f64),
        decision: c.decision.clone(),
        mechanism: c.mechanism.clone(),
    };
    all.iter().map(one).collect()
}

/// The rule, and the mechanism that was used instead if the rule names another one, which the processor, the conduit,
/// the data or the circumstances do not allow.
fn because(c: &Choice, table: &str) -> String {
    let names = c.ranges.split(", ").map(|r| r.split(' ').next().unwrap_or(""));
    let instead = if names.into_iter().any(|name| name == c.mechanism || name == "auto") {
        String::new()
    } else {
        format!("; {} served instead", c.mechanism)
    };
    match (c.built_in, c.ranges == "auto") {
        (true, true) => "the conduit's own choice".into(),
        (true, false) => format!("built in: {}{instead}", c.ranges),
        (false, _) => format!("table {table}: {}{instead}", c.ranges),
    }
}

fn shape(c: &Choice) -> String {
    match c.decision.as_str() {
        "gather" | "scatter" | "strided" | "transpose" => {
            format!("{}-byte elements {} bytes apart", c.first, c.stride)
        }
        "put-indexed" | "get-indexed" => format!("{}-byte elements", c.first),
        "put" | "get" | "put-together" | "get-together" | "stream" if c.first == 0 => "this computer".into(),
        "put" | "get" | "put-together" | "get-together" | "stream" => "another computer".into(),
        "contiguous" | "put-pieces" | "get-pieces" | "atomic" => String::new(),
        _ => format!("{} threads", c.first),
    }
}

fn add(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

/// Bytes of a cache line, approximately.
const LINE: f64 = 64.0;

/// The time of a site if near threads have just written all data that it accesses there. Accesses with unknown
/// distances are assumed to be to another line each.
fn predicted_fresh(s: &Site, costs: &Costs) -> Option<f64> {
    let by = s.accesses();
    let kind = s.about.kind();
    if by.near == 0.0 || by.far > 0.0 || s.about.is_private() {
        return None;
    }
    let near = match kind {
        Kind::Transfer => {
            let writes = ["put", "set", "write", "store"].iter().any(|w| s.about.construct.contains(w));
            let is_read = !writes;
            costs.fresh_ns(is_read, s.bytes().near, 8.0)?
        }
        Kind::Read | Kind::Write | Kind::Update => {
            let strides = || s.of.iter().filter_map(access_sequence).filter(|w| w.same >= 0.5);
            let stride = strides().map(|w| w.stride.unsigned_abs() as f64).reduce(f64::max).unwrap_or(f64::MAX);
            let each = if stride == 0.0 { return None } else { stride };
            let overlapped = costs.fresh_ns(kind != Kind::Write, 8.0, each)?;
            // A read for which the next one has to wait: once per line.
            let alone = costs.fresh_latency_ns.filter(|_| kind != Kind::Write).unwrap_or(0.0) * (each / LINE).min(1.0);
            by.near * overlapped.max(alone)
        }
        _ => return None,
    };
    let own = costs.access_ns(false, true, s.bytes().own / by.own.max(1.0)).filter(|_| by.own > 0.0);
    Some(near + own.unwrap_or(0.0) * by.own)
}

/// The predicted time of a site, without waiting for others.
fn predicted(job: &Job, s: &Site, costs: &Costs) -> Option<f64> {
    let a = &s.about;
    if a.is_private() {
        return None;
    }
    let accesses = s.accesses();
    let calls = s.calls();
    let far = accesses.far > 0.0;
    let of_calls = |ns: Option<f64>| ns.filter(|_| costs.fits(job) && calls > 0.0).map(|ns| ns * calls);
    match a.kind() {
        Kind::Read | Kind::Write | Kind::Update => {
            let bytes = s.of.first().map_or(8, |x| x.record.bytes) as f64;
            let one = |far, n: f64| match a.kind() {
                _ if n == 0.0 => Some(0.0),
                Kind::Update => Some(n * (costs.access_ns(far, true, bytes)? + costs.access_ns(far, false, bytes)?)),
                k => Some(n * costs.access_ns(far, k == Kind::Read, bytes)?),
            };
            // The profile does not describe own memory; it is predicted only if there are remote accesses beside it.
            (accesses.remote() > 0.0 && costs.fits(job))
                .then(|| Some(one(false, accesses.near)? + one(true, accesses.far)?))
                .flatten()
        }
        Kind::Transfer => {
            let bytes = s.bytes().all() / calls.max(1.0);
            let is_read = a.fetches();
            costs.fits(job).then(|| costs.access_ns(far, is_read, bytes)).flatten().map(|ns| ns * calls)
        }
        Kind::Barrier if a.is_barrier() => of_calls(costs.barrier_ns),
        // A pair takes this time; each half gets half of it.
        Kind::Lock => of_calls(costs.lock_ns.map(|ns| ns / 2.0)),
        Kind::Atomic => of_calls(if far { costs.atomic_far_ns } else { costs.atomic_near_ns }),
        _ => None,
    }
}
