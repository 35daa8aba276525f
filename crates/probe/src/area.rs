//! The areas that a profile is made of. An area measures with a session, infers, and hands over its findings.

use crate::profile::{Curve, FittedCurve, Missing, Value};
use crate::{Failure, Session};
use fathom_model::MachineFile;

/// An area of a profile.
pub struct Area {
    /// The word for `--only`.
    pub name: &'static str,
    /// What it finds out, for people.
    pub what: &'static str,
    /// Its part of the whole time, in shares.
    pub share: u32,
    /// How many threads its runner needs; 1 for what a processor does alone.
    pub threads: fn(processors: usize) -> usize,
    pub probe: fn(&mut Session) -> Result<Findings, Failure>,
}

/// What an area found.
#[derive(Default)]
pub struct Findings {
    pub values: Vec<Value>,
    pub curves: Vec<Curve>,
    pub fits: Vec<FittedCurve>,
    pub missing: Vec<Missing>,
    /// Puts the area's figures where the models find them.
    pub figures: Option<Box<dyn FnOnce(&mut MachineFile)>>,
}

/// All areas, in the order in which they are measured. Areas add themselves here.
pub const AREAS: &[Area] = &[];
