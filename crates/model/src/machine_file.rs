//! A machine file: measured figures of a machine, by model. This is a value, independent of the file's format (mostly
//! TOML).

use crate::laws::{Law, Mechanism, Memory, Sharing};
use crate::{copy_transfer, loggp};
use serde::{Deserialize, Serialize};

/// The figures of a machine. A model without figures in the file cannot be used.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineFile {
    pub name: String,
    pub copy_transfer: Option<copy_transfer::Machine>,
    pub loggp: Option<loggp::Parameters>,
    #[serde(default)]
    pub laws: Vec<Law>,
    pub memory: Option<Memory>,
    #[serde(default)]
    pub mechanisms: Vec<Mechanism>,
    pub sharing: Option<Sharing>,
    /// The description of a simulated machine, which crate `machine` reads from the same file.
    #[serde(default, skip_serializing)]
    pub simulated: serde::de::IgnoredAny,
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
    /// Checks the figures.
    ///
    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        self.copy_transfer.as_ref().map_or(Ok(()), copy_transfer::Machine::check)?;
        self.loggp.as_ref().map_or(Ok(()), loggp::Parameters::check)?;
        self.laws.iter().try_for_each(Law::check)?;
        self.memory.as_ref().map_or(Ok(()), Memory::check)?;
        self.mechanisms.iter().try_for_each(Mechanism::check)?;
        self.sharing.as_ref().map_or(Ok(()), Sharing::check)?;
        let names: Vec<&str> = self.laws.iter().map(|l| l.name.as_str()).collect();
        let again = names.iter().enumerate().find(|(i, n)| names[..*i].contains(n) || crate::query::WORDS.contains(n));
        match again {
            Some((_, name)) => {
                Err(format!("a law cannot be called `{name}`: this word has another meaning in questions"))
            }
            None => Ok(()),
        }
    }

    /// The available models, in words.
    pub fn models(&self) -> Vec<String> {
        let models = [
            (self.copy_transfer.is_some(), "copy-transfer"),
            (self.loggp.is_some(), "LogGP"),
            (self.memory.is_some(), "load and store"),
            (self.sharing.is_some(), "pass"),
            (self.mechanisms.len() > 1, "crossover"),
        ];
        let known = models.into_iter().filter(|m| m.0).map(|m| m.1.to_string());
        known.chain(self.laws.iter().map(|l| l.name.clone())).collect()
    }

    /// Every figure, with its source.
    pub fn list(&self) -> Vec<Listed> {
        let mut list = self.copy_transfer.as_ref().map(copy_transfer::Machine::list).unwrap_or_default();
        list.extend(self.loggp.as_ref().map(loggp::Parameters::list).unwrap_or_default());
        list.extend(self.laws.iter().flat_map(Law::list));
        list.extend(self.memory.as_ref().map(Memory::list).unwrap_or_default());
        list.extend(self.mechanisms.iter().flat_map(Mechanism::list));
        list.extend(self.sharing.as_ref().map(Sharing::list).unwrap_or_default());
        list
    }

    /// Changes a figure, or adds one. Returns the old value.
    ///
    /// # Errors
    /// A sentence: there is no such figure, or the value is not valid.
    pub fn set(&mut self, name: &str, value: f64) -> Result<Option<f64>, String> {
        if loggp::Parameters::is_name(name) {
            return self.loggp.get_or_insert_default().set(name, value);
        }
        if let Some(memory) = self.memory.as_mut().filter(|m| m.is_name(name)) {
            return memory.set(name, value);
        }
        if let Some((owner, figure)) = name.split_once('.') {
            if let Some(law) = self.laws.iter_mut().find(|l| l.name == owner) {
                return law.set(figure, value);
            }
            if let Some(mechanism) = self.mechanisms.iter_mut().find(|m| m.name == owner) {
                return mechanism.set(figure, value);
            }
        }
        match &mut self.copy_transfer {
            Some(machine) => machine.set(name, value),
            None => Err(format!("{} has no figure `{name}`", self.name)),
        }
    }
}
