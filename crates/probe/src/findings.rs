//! The findings of an area: values, curves, fits, missing items, and figures for the models.

use crate::Failure;
use fathom_model::MachineFile;
use fathom_profile::{Curve, FittedCurve, Missing, Value};

/// Writes figures into a machine file.
pub type Figures = Box<dyn FnOnce(&mut MachineFile)>;

/// The findings of an area.
#[derive(Default)]
pub struct Findings {
    pub values: Vec<Value>,
    pub curves: Vec<Curve>,
    pub fits: Vec<FittedCurve>,
    pub missing: Vec<Missing>,
    /// Writes the area's figures where the models read them.
    pub figures: Option<Figures>,
}

impl Findings {
    /// Adds the findings of another part of the area.
    pub fn add(&mut self, other: Findings) {
        self.values.extend(other.values);
        self.curves.extend(other.curves);
        self.fits.extend(other.fits);
        self.missing.extend(other.missing);
        self.figures = match (self.figures.take(), other.figures) {
            (Some(own), Some(others)) => Some(Box::new(move |machine: &mut MachineFile| {
                own(machine);
                others(machine);
            })),
            (own, others) => own.or(others),
        };
    }

    /// Notes what cannot be measured here, with the reason. Any other failure is passed on.
    ///
    /// # Errors The failure, if the runner caused it and not the machine.
    pub fn note_missing(&mut self, what: &str, failure: Failure) -> Result<(), Failure> {
        match failure {
            broken @ Failure::Broken(_) => Err(broken),
            other => {
                self.missing.push(other.missing(what));
                Ok(())
            }
        }
    }
}
