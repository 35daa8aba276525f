//! A machine file: what somebody measured on a machine, by model. A value, however it was written down (TOML, mostly).

use crate::copy_transfer;
use serde::{Deserialize, Serialize};

/// The figures of a machine. A model that the file has no figures for cannot be asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineFile {
    pub name: String,
    pub copy_transfer: Option<copy_transfer::Machine>,
}

/// A figure of a machine for a reader.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Listed {
    pub what: String,
    pub value: String,
    pub source: String,
}

impl Listed {
    pub fn new(what: impl Into<String>, value: impl Into<String>, source: &str) -> Self {
        Self { what: what.into(), value: value.into(), source: source.into() }
    }
}

impl MachineFile {
    /// Do the figures make sense?
    ///
    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        self.copy_transfer.as_ref().map_or(Ok(()), copy_transfer::Machine::check)
    }

    /// The models that can be asked.
    pub fn models(&self) -> Vec<&'static str> {
        let mut models = vec![];
        if self.copy_transfer.is_some() {
            models.push("copy-transfer");
        }
        models
    }

    /// Every figure, with its source.
    pub fn list(&self) -> Vec<Listed> {
        self.copy_transfer.as_ref().map(copy_transfer::Machine::list).unwrap_or_default()
    }

    /// Changes a figure, or adds one. Says what it was before.
    ///
    /// # Errors
    /// A sentence: there is no such figure, or the value makes no sense.
    pub fn set(&mut self, name: &str, value: f64) -> Result<Option<f64>, String> {
        match &mut self.copy_transfer {
            Some(machine) => machine.set(name, value),
            None => Err(format!("{} has no figure `{name}`", self.name)),
        }
    }
}
