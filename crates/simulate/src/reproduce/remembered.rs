//! What a program gives on one machine it gives on every machine with the same figures of the parts that it uses.
//! Elasticities change one figure of many, so such results are remembered by those figures.

use fathom_machine::Description;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Results by what they rest on.
pub struct Remembered<R>(Mutex<BTreeMap<Vec<String>, R>>);

impl<R: Clone> Remembered<R> {
    pub const fn new() -> Self {
        Remembered(Mutex::new(BTreeMap::new()))
    }

    /// The result that rests on this alone, computed where it is not known. Mistakes are not remembered.
    ///
    /// # Errors
    /// That of the computation.
    pub fn of(&self, rests_on: Vec<String>, compute: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
        let known = || self.0.lock().map_err(|e| e.to_string());
        if let Some(result) = known()?.get(&rests_on) {
            return Ok(result.clone());
        }
        let new = compute()?;
        known()?.insert(rests_on, new.clone());
        Ok(new)
    }
}

/// The figures of a machine with their values, except those that stand apart.
pub fn figures(description: &Description, is_apart: &dyn Fn(&str) -> bool) -> Vec<String> {
    let of = |(name, figure): (String, &fathom_machine::Figure)| {
        let value = description.quantity(&name).map_or(figure.value.to_string(), |q| q.value.to_string());
        let (part, key) = name.split_once('.').unwrap_or_default();
        let is_off = description.of_part(part).switch(key) == Ok(false);
        format!("{name} {value} {is_off}")
    };
    description.figures().filter(|(name, _)| !is_apart(name)).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::described;

    #[test]
    fn a_result_is_computed_again_if_something_else_is_changed_on_which_it_rests() {
        let t3d = described("t3d");
        let (remembered, computed) = (Remembered::new(), std::cell::Cell::new(0));
        let result = |description: &Description| {
            let rests_on = figures(description, &|name| name.starts_with("network."));
            let compute = || {
                computed.set(computed.get() + 1);
                Ok(computed.get())
            };
            remembered.of(rests_on, compute).unwrap()
        };
        let changed = |name, factor| t3d.with_factor(name, factor).unwrap();
        assert_eq!([result(&t3d), result(&t3d), result(&changed("network.hop", 2.0))], [1, 1, 1]);
        // A figure, one from which others follow, a switch, a part.
        assert_eq!(result(&changed("dram.busy", 2.0)), 2);
        assert_eq!(result(&changed("processor.clock", 1.05)), 3);
        assert_eq!(result(&t3d.with("read_ahead.on").unwrap()), 4);
        assert_eq!(result(&t3d.without("buffer.merges").unwrap()), 5);
        assert_eq!(result(&t3d.without("cache").unwrap()), 6);
        assert_eq!(result(&t3d), 1);
        assert!(remembered.of(vec![], || Err("a mistake".into())).is_err() && remembered.of(vec![], || Ok(7)) == Ok(7));
    }
}
