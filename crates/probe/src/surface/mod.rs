//! Sawtooth surfaces: the mean time of independent loads and stores over arrays of every size, by every stride; and what
//! they tell of a machine that performs one access after the other.
//!
//! This is the stimulus of the T3D Split-C study, section 2, whose rules `infer` holds. A processor of today, which
//! overlaps loads and fetches lines ahead, hides from independent accesses what these rules look for; the area `memory`
//! infers the same with dependent loads. So this area measures simulated machines only.

pub mod infer;

use crate::{Effort, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::{Curve, Evidence, Missing, Reason, Series, Value};
use infer::{Found, Surface};

/// # Errors
/// The machine is not simulated, or the runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    if !session.is_exact() {
        let why = "independent accesses overlap on this computer; the area `memory` measures with dependent ones";
        return Err(Failure::Impossible(Reason::Operation, why.into()));
    }
    let mut found = Findings::default();
    let reads = surface(session, "read", &mut found)?;
    let writes = surface(session, "write", &mut found)?;
    let inferred = infer::inferred(&reads, &writes);
    found.values.extend(inferred.into_iter().map(|Found { name, value, unit, interval, rule, series }| {
        let name = format!("surface.{name}");
        let evidence = Evidence { curve: format!("surface.{series}"), series: String::new(), at: vec![] };
        let value = match value {
            Some(value) => Value::known(name, value, unit, 0.95, rule).between(interval.0, interval.1),
            None => Value::unknown(name, unit, rule),
        };
        value.resting_on(vec![evidence])
    }));
    Ok(found)
}

/// The least array, and the bound of the largest.
const LEAST_BYTES: u64 = 4 << 10;
const MOST_BYTES: u64 = 8 << 20;

fn surface(session: &mut Session, op: &'static str, found: &mut Findings) -> Result<Surface, Failure> {
    let most = match session.effort {
        Effort::Quick => MOST_BYTES / 4,
        _ => MOST_BYTES,
    };
    let mut surface: Surface = vec![];
    let mut series = vec![];
    let sizes = std::iter::successors(Some(LEAST_BYTES), |b| Some(b * 2)).take_while(|b| *b < most);
    'sizes: for bytes in sizes {
        let mut points = vec![];
        for stride in std::iter::successors(Some(8), |s| Some(s * 2)).take_while(|s| *s <= bytes / 2) {
            let stimulus = Stimulus::new(Kernel::Strides).word("op", op).with("bytes", bytes).with("stride", stride);
            match session.point(stride as f64, &stimulus) {
                Ok(reading) => points.push(reading),
                Err(broken @ Failure::Broken(_)) => return Err(broken),
                Err(why) => {
                    let missing = Missing { ..why.missing(format!("surface: {op} from {bytes} bytes on")) };
                    found.missing.push(missing);
                    break 'sizes;
                }
            }
        }
        surface.push((bytes as f64, points.iter().map(|p| (p.x, p.y)).collect()));
        series.push(Series::new(fathom_report::Unit::named("bytes").text(bytes as f64), points));
    }
    found.curves.push(Curve {
        name: format!("surface.{op}"),
        title: format!("Independent {op}s by stride and by size of the array"),
        x: "stride_bytes".into(),
        y: "ns".into(),
        log_x: true,
        log_y: true,
        series,
    });
    Ok(surface)
}
