//! The costs of accesses and transfers: from a profile of `fathom probe` if there is one; else from the traced run,
//! with an assumed bandwidth, which the advice states.

use crate::job::Job;
use serde::Serialize;

/// Points of time (ns) against size (bytes), by increasing size.
pub type Times = Vec<(f64, f64)>;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Costs {
    /// Blocking transfers between the two threads of the probe, by size.
    pub get: Times,
    pub put: Times,
    /// An access to a near thread's memory that this thread has just written (that two threads have written in turn),
    /// one of many that are under way together: ns by stride in bytes.
    pub fresh_read: Times,
    pub fresh_write: Times,
    /// Such a read without overlap.
    pub fresh_latency_ns: Option<f64>,
    /// Were those threads near?
    pub near: bool,
    /// A load of own memory beyond the first cache's hit, as an estimate without knowledge of the program.
    pub barrier_ns: Option<f64>,
    pub lock_ns: Option<f64>,
    pub atomic_near_ns: Option<f64>,
    pub atomic_far_ns: Option<f64>,
    /// The time of each mechanism, by the measured shape.
    pub mechanisms: Vec<Mechanism>,
    /// The source of the figures.
    pub source: String,
}

/// A mechanism that a decision of the tuning table may choose, for one shape.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mechanism {
    pub decision: String,
    pub mechanism: String,
    /// The shapes that were measured or that this one represents, both ends included; empty: all. Elements, in bytes,
    /// or threads; strides, in bytes.
    pub first: Vec<(u64, u64)>,
    pub stride: Vec<(u64, u64)>,
    /// `stride` are powers of two; the shape has strides that are multiples of these and reach few sets of a cache
    /// (docs/tuning.md).
    pub is_crowded: bool,
    pub times: Times,
}

/// The largest power of two that divides a stride, if the stride reaches an eighth of the sets of a cache or less.
fn crowded(element: u64, stride: u64) -> Option<u64> {
    let aligned = (stride & stride.wrapping_neg()).min(4096);
    (aligned >= 8 * element.max(64)).then_some(aligned)
}

/// The assumed bandwidth of transfers of a near and of a far thread's memory without a measurement, MB/s.
const ASSUMED_NEAR_MB_S: f64 = 4000.0;
const ASSUMED_FAR_MB_S: f64 = 500.0;

/// The value at `x` of points with increasing x: linear between two points, in proportion beyond the last.
pub fn at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    if x <= first.0 {
        return Some(first.1);
    }
    if x >= last.0 {
        return Some(last.1 * x / last.0);
    }
    let i = points.partition_point(|p| p.0 < x);
    let ((x0, y0), (x1, y1)) = (points[i - 1], points[i]);
    Some(if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y1 })
}

/// A transfer of `bytes` to or from another thread at this distance, ns, and whether it rests on a measurement.
pub struct Transfer {
    pub ns: f64,
    pub measured: bool,
}

impl Costs {
    pub fn has_profile(&self) -> bool {
        !self.get.is_empty()
    }

    /// The times of a decision's mechanisms for this number of bytes of a shape, fastest first; only measured ones.
    pub fn of_mechanisms(&self, decision: &str, first: u64, stride: u64, bytes: f64) -> Vec<(String, f64)> {
        let within = |ranges: &[(u64, u64)], value: u64| {
            ranges.is_empty() || ranges.iter().any(|r| r.0 <= value && value <= r.1)
        };
        let aligned = crowded(first, stride);
        let fits = |m: &&Mechanism| {
            let is_shape = m.stride.is_empty()
                || (m.is_crowded == aligned.is_some() && within(&m.stride, aligned.unwrap_or(stride)));
            m.decision == decision && within(&m.first, first) && is_shape
        };
        let known = |t: &Times| t.first().is_some_and(|p| p.0 <= bytes) && t.last().is_some_and(|p| bytes <= p.0);
        let of = self.mechanisms.iter().filter(fits).filter(|m| known(&m.times));
        let mut all: Vec<(String, f64)> =
            of.filter_map(|m| Some((m.mechanism.clone(), at(&m.times, bytes)?))).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all
    }

    /// The profile's time of one access to another thread's memory.
    pub fn access_ns(&self, far: bool, is_read: bool, bytes: f64) -> Option<f64> {
        if far == self.near {
            return None; // measured at another distance
        }
        at(if is_read { &self.get } else { &self.put }, bytes)
    }

    /// The time of `bytes` of a near thread's memory that are in its cache and not in the accessing thread's, `stride`
    /// bytes from one access to the next.
    pub fn fresh_ns(&self, is_read: bool, bytes: f64, stride: f64) -> Option<f64> {
        let points = if is_read { &self.fresh_read } else { &self.fresh_write };
        // Beyond the last stride every access is to another line, as at the last stride.
        let last = points.last()?;
        let each = if stride >= last.0 { last.1 } else { at(points, stride)? };
        Some(each * (bytes / 8.0).max(1.0))
    }

    /// One transfer. Without a profile: the time of an access of this run (`single_ns`) as latency, and the bytes at an
    /// assumed bandwidth.
    pub fn transfer(&self, far: bool, is_read: bool, bytes: f64, single_ns: f64) -> Transfer {
        if let Some(ns) = self.access_ns(far, is_read, bytes) {
            return Transfer { ns, measured: true };
        }
        let rate = if far { ASSUMED_FAR_MB_S } else { ASSUMED_NEAR_MB_S };
        Transfer { ns: single_ns + bytes * 1000.0 / rate, measured: false }
    }

    pub fn assumption(far: bool) -> String {
        let rate = if far { ASSUMED_FAR_MB_S } else { ASSUMED_NEAR_MB_S };
        format!("{rate} MB/s assumed; `fathom probe` measures it")
    }

    /// Whether the job's threads are at the distance of the profile's.
    pub fn fits(&self, job: &Job) -> bool {
        self.has_profile() && (job.conduit == "smp") == self.near
    }
}
