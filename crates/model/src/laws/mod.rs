//! What somebody found a machine to obey, each with where it holds: fitted curves ([`Law`]), the time of an access to an
//! array around the size of the cache ([`Memory`]), mechanisms that cost a start and then so much a byte ([`Mechanism`]),
//! and accesses to what another processor wrote ([`Sharing`]).

mod law;
mod mechanism;
mod memory;
mod sharing;

pub use law::{Exception, Law, Piece};
pub use mechanism::{crossover, Mechanism};
pub use memory::{Access, Memory};
pub use sharing::{Row, Sharing};

use crate::answer::{Step, Unit};

fn step(depth: usize, what: impl Into<String>, value: f64, unit: Unit, how: impl Into<String>) -> Step {
    Step { depth, what: what.into(), value, unit, how: how.into() }
}

/// A value that must be above 0, for the sentence that says it is not.
fn positive(what: &str, value: f64) -> Result<(), String> {
    match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(format!("{what} is {value}; it must be above 0")),
    }
}
