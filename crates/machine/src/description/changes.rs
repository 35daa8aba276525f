//! Other machines from a description: with another value of a figure, without a mechanism, with one that is off.

use super::{Content, Description, Figure, CODE, NEAR, NETWORK, OPERATIONS, PROCESSOR};
use crate::parts::DEVICES;
use crate::similar::did_you_mean;

impl Description {
    /// The same machine with one figure multiplied by `factor`: figures that are derived from it follow.
    ///
    /// # Errors
    /// There is no such figure, or it is not a number.
    pub fn with_factor(&self, name: &str, factor: f64) -> Result<Self, String> {
        match self.figure(name)?.value {
            Content::Switch(_) => return Err(format!("figure `{name}` is a switch")),
            _ => drop(self.quantity(name)?),
        }
        let mut changed = self.clone();
        *changed.changed.entry(name.into()).or_insert(1.0) *= factor;
        Ok(changed)
    }

    /// The same machine with another value of one figure, `PART.NAME`: figures that are derived from it follow. The value
    /// is written as in a machine file, and must be of the same kind.
    ///
    /// # Errors
    /// There is no such figure, or the value is of another kind.
    pub fn with_value(&self, name: &str, value: &str) -> Result<Self, String> {
        let old = self.figure(name).map_err(|why| format!("{why}; {}", self.names_like(name)))?;
        let value = match (&old.value, value.trim(), value.trim().parse()) {
            (Content::Switch(_), "true" | "yes", _) => Content::Switch(true),
            (Content::Switch(_), "false" | "no", _) => Content::Switch(false),
            (Content::Switch(_), other, _) => {
                return Err(format!("figure `{name}` is a switch: true or false, not `{other}`"))
            }
            (_, _, Ok(number)) => Content::Number(number),
            (_, text, Err(_)) => Content::Text(text.into()),
        };
        let said = format!("set to {value}, instead of {}", old.value);
        let is_quantity = self.quantity(name);
        let mut changed = self.clone();
        changed.changed.remove(name);
        changed.without.remove(name);
        changed.with.remove(name);
        let figure = changed.figure_mut(name).ok_or_else(|| format!("there is no figure `{name}`"))?;
        *figure = Figure {
            value,
            printed: None,
            derived: None,
            assumed: None,
            other: Some(said),
            measured: None,
            range: None,
            seen: vec![],
        };
        if let Ok(old) = is_quantity {
            let new = changed.quantity(name)?;
            if new.unit != old.unit {
                return Err(format!("figure `{name}` must be {}, not {}", old.unit, new.unit));
            }
            if !(new.value.is_finite() && new.value >= 0.0) {
                return Err(format!("figure `{name}` cannot be negative or infinite"));
            }
        }
        Ok(changed)
    }

    /// A sentence that names the figures among which somebody has looked for `name`.
    fn names_like(&self, name: &str) -> String {
        let part = name.split_once('.').map_or("", |(part, _)| part);
        let like = self.figure_like(name);
        let of_part: Vec<String> = self
            .figures()
            .map(|(name, _)| name)
            .filter(|n| n.split_once('.').is_some_and(|(p, _)| p == part))
            .collect();
        if !of_part.is_empty() {
            return format!("there are {}{like}", of_part.join(", "));
        }
        let mut parts: Vec<String> =
            self.figures().filter_map(|(n, _)| n.split_once('.').map(|(p, _)| p.to_string())).collect();
        parts.sort();
        parts.dedup();
        format!("the parts with figures are {}{like}", parts.join(", "))
    }

    /// The end of a message about a figure that is not there: which one may be meant.
    pub(super) fn figure_like(&self, name: &str) -> String {
        let names: Vec<String> = self.figures().map(|(name, _)| name).collect();
        did_you_mean(name, names.iter().map(String::as_str))
    }

    /// The same of a switch.
    fn switch(&self, name: &str) -> Result<&Figure, String> {
        let is_switch = |figure: &Figure| matches!(figure.value, Content::Switch(_));
        let like = || {
            let all: Vec<String> = self.figures().filter(|(_, f)| is_switch(f)).map(|(name, _)| name).collect();
            did_you_mean(name, all.iter().map(String::as_str))
        };
        let figure = self.figure(name).map_err(|why| why + &like())?;
        match is_switch(figure) {
            true => Ok(figure),
            false => Err(format!("figure `{name}` is not a switch{}", like())),
        }
    }

    /// The same machine without a mechanism: `part.switch` turns a switch off, `part` leaves the part out.
    ///
    /// # Errors
    /// There is no such mechanism.
    pub fn without(&self, mechanism: &str) -> Result<Self, String> {
        let mut changed = self.clone();
        if mechanism.contains('.') {
            self.switch(mechanism)?;
            changed.without.insert(mechanism.into());
            return Ok(changed);
        }
        if mechanism == NETWORK {
            return Err("the network cannot be left out".into());
        }
        let part = self.parts.get(mechanism).ok_or_else(|| {
            format!("there is no part `{mechanism}`{}", did_you_mean(mechanism, self.parts.keys().map(String::as_str)))
        })?;
        if DEVICES.contains(&part.kind.as_str()) {
            changed.removed.extend(changed.parts.remove_entry(mechanism));
            return Ok(changed);
        }
        let next = part.next.clone().ok_or_else(|| format!("nothing is behind the part `{mechanism}`"))?;
        let askers = changed.parts.values_mut().filter_map(|p| p.next.as_mut()).chain([&mut changed.memory]);
        askers.filter(|n| *n == mechanism).for_each(|n| n.clone_from(&next));
        changed.removed.extend(changed.parts.remove_entry(mechanism));
        Ok(changed)
    }

    /// The same machine with a switch on that its file has off: `part.switch`.
    ///
    /// # Errors
    /// There is no such switch.
    pub fn with(&self, switch: &str) -> Result<Self, String> {
        self.switch(switch)?;
        let mut changed = self.clone();
        changed.with.insert(switch.into());
        Ok(changed)
    }

    fn figure_mut(&mut self, name: &str) -> Option<&mut Figure> {
        let (part, key) = name.split_once('.')?;
        let figures = match part {
            PROCESSOR => &mut self.processor,
            CODE => &mut self.code,
            OPERATIONS => &mut self.work,
            NETWORK => &mut self.network.as_mut()?.figures,
            NEAR => &mut self.near,
            _ => match self.parts.get_mut(part) {
                Some(part) => &mut part.figures,
                None => &mut self.engines.get_mut(part)?.figures,
            },
        };
        figures.get_mut(key)
    }
}
