//! Computes the costs of accesses from a profile.

use fathom_explain::{Costs, Mechanism};
use fathom_model::choice::{Rules, TimeLaw};
use fathom_profile::{names, Curve, Profile};
use fathom_toolchain::Result;
use fathom_tune::{table, Decision, Span};
use std::path::Path;

const USUAL: &str = "profile.toml";

/// The costs by the profile that the user named, or by the one that is here, or none.
pub fn costs(named: Option<&Path>) -> Result<Costs> {
    let path = named.unwrap_or(Path::new(USUAL));
    if named.is_none() && !path.exists() {
        let source = "no prediction: there is no profile here (fathom probe makes one, --profile names one)";
        return Ok(Costs { source: source.into(), ..Costs::default() });
    }
    Ok(of(&crate::probe::read(path)?, path))
}

fn of(p: &Profile, path: &Path) -> Costs {
    let points = |name: &str| p.curve(name).map(blocking).unwrap_or_default();
    let value = |name: &str| p.value(name).and_then(|v| v.value);
    let by_stride = |series: &str| -> Vec<(f64, f64)> {
        let curve = p.curve(names::NEAR_CACHED);
        let series = curve.and_then(|c| c.series.iter().find(|s| s.name == series));
        series.map(|s| s.points.iter().map(|r| (r.x * 8.0, r.y)).collect()).unwrap_or_default()
    };
    let atomic_near_ns = value(names::FETCH_ADD_NEAR_NS);
    let atomic_far_ns = value(names::FETCH_ADD_FAR_NS);
    Costs {
        get: points(names::GET),
        put: points(names::PUT),
        fresh_read: by_stride(names::READ_AFTER_WRITE),
        fresh_write: by_stride(names::WRITE_AFTER_WRITE),
        fresh_latency_ns: value(names::NEAR_CACHED_READ_NS),
        near: atomic_far_ns.is_none(),
        barrier_ns: value(names::BARRIER_NS),
        lock_ns: value(names::UPC_LOCK_NS).or(value(names::LOCK_NS)),
        atomic_near_ns,
        atomic_far_ns,
        mechanisms: mechanisms(p),
        source: match p.curve(names::GET) {
            Some(_) => format!("predicted by {}", path.display()),
            None => format!("no prediction of transfers: {} has no area 'communication'", path.display()),
        },
    }
}

/// The laws that `fathom tune` chooses by.
fn mechanisms(p: &Profile) -> Vec<Mechanism> {
    let range = |(from, to): &Span| (*from, to.unwrap_or(u64::MAX));
    let of = |d: Decision| -> Vec<Mechanism> {
        // The payload names the transfer that is predicted.
        let payload = d.payload_share();
        let one = |l: &TimeLaw| Mechanism {
            decision: d.name.clone(),
            mechanism: l.mechanism.clone(),
            first: d.elements.iter().map(range).collect(),
            stride: d.strides.iter().map(range).collect(),
            is_crowded: d.is_crowded,
            times: l.points().iter().map(|(size, ns)| (size * payload, *ns)).collect(),
        };
        d.laws.iter().map(one).collect()
    };
    table(p, Rules::default()).decisions.into_iter().flat_map(of).collect()
}

/// Time against size, of blocking transfers.
fn blocking(c: &Curve) -> Vec<(f64, f64)> {
    let series = c.series(names::BLOCKING).or(c.series.first());
    series.map(|s| s.points.iter().map(|r| (r.x, r.y)).collect()).unwrap_or_default()
}
