//! A profile in the terminal: its values, with how sure they are.

use fathom_probe::{Profile, Value};

/// Prints the values of a profile, area by area.
pub fn print(profile: &Profile) {
    println!("{}", profile.about.machine);
    let width = profile.values.iter().map(|v| v.name.len()).max().unwrap_or(0);
    for value in &profile.values {
        println!("  {:width$}  {}", value.name, line(value));
    }
    for missing in &profile.missing {
        println!("  {:width$}  missing: {}", missing.what, missing.why);
    }
}

fn line(value: &Value) -> String {
    let Some(v) = value.value else { return format!("unknown: {}", value.rule) };
    format!("{v} {}  ({:.0} % sure)", value.unit, value.confidence * 100.0)
}
