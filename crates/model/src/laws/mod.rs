//! Laws of a machine, each with its range: fitted curves ([`Law`]), the time of an access to an array around the size
//! of the cache ([`Memory`]), mechanisms with a start and a time per byte ([`Mechanism`]), and accesses to data that
//! another processor wrote ([`Sharing`]).

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

/// Checks that a value is above 0; `what` names it in the error.
fn positive(what: &str, value: f64) -> Result<(), String> {
    match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(format!("{what} is {value}; it must be above 0")),
    }
}
