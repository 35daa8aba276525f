//! A profile as a file: TOML that a person can read, a point a line.

use crate::profile::{Profile, FORMAT};
use std::fmt::Write;
use toml::{Table, Value};

const HEADER: &str = "\
# A profile of a machine, taken by `fathom probe`. What was measured (curves), what follows from it (values, each with its
# rule and its evidence), and the same as figures of a machine file (machine): `fathom model` takes it like one.
# Format: docs/probing.md.
";
/// Significant digits of what was measured: more than measuring gives. Whole numbers keep all of theirs.
const DIGITS: usize = 6;

impl Profile {
    /// The profile's text.
    ///
    /// # Errors
    /// A sentence: something in it has no form in TOML.
    pub fn to_toml(&self) -> Result<String, String> {
        let whole = Table::try_from(self).map_err(|e| format!("the profile cannot be written down: {e}"))?;
        let mut text = HEADER.to_string();
        section(&mut text, "", whole);
        Ok(text)
    }

    /// Reads a profile's text.
    ///
    /// # Errors
    /// A sentence: it is none, or is of another version.
    pub fn from_toml(text: &str) -> Result<Profile, String> {
        let whole: Table = text.parse().map_err(|e: toml::de::Error| e.to_string().trim_end().to_string())?;
        match whole.get("format").and_then(Value::as_str) {
            Some(FORMAT) => Profile::deserialize_table(whole),
            Some(other) => Err(format!("its format is `{other}`, and `{FORMAT}` is known: take it again")),
            None => Err(format!("a profile has the line `format = \"{FORMAT}\"`")),
        }
    }

    fn deserialize_table(whole: Table) -> Result<Profile, String> {
        whole.try_into().map_err(|e: toml::de::Error| e.to_string().trim_end().to_string())
    }
}

/// A table: first what is short, then the tables below it, each with its own heading.
fn section(text: &mut String, path: &str, table: Table) {
    let (below, plain): (Vec<_>, Vec<_>) = table.into_iter().partition(|(_, v)| has_heading(v));
    for (key, value) in plain {
        let _ = writeln!(text, "{} = {}", word(&key), inline(rounded(value)));
    }
    for (key, value) in below {
        let path = if path.is_empty() { word(&key) } else { format!("{path}.{}", word(&key)) };
        match value {
            Value::Table(table) => {
                let _ = writeln!(text, "\n[{path}]");
                section(text, &path, table);
            }
            Value::Array(tables) => {
                for table in tables {
                    if let Value::Table(table) = table {
                        let _ = writeln!(text, "\n[[{path}]]");
                        section(text, &path, table);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Tables and lists of tables have headings, but for the smallest: points, coefficients, evidence.
fn has_heading(value: &Value) -> bool {
    let is_small =
        |t: &Table| t.values().all(|v| !v.is_table() && !v.as_array().is_some_and(|a| a.iter().any(Value::is_table)));
    match value {
        Value::Table(_) => true,
        Value::Array(list) => {
            let tables: Vec<&Table> = list.iter().filter_map(Value::as_table).collect();
            !tables.is_empty() && !(tables.iter().all(|t| is_small(t)) && tables.iter().all(|t| is_a_point(t)))
        }
        _ => false,
    }
}

/// Written on one line.
fn is_a_point(table: &Table) -> bool {
    let keys = ["x", "at", "low"];
    keys.iter().any(|k| table.contains_key(*k)) && !table.contains_key("rule")
}

/// A list of tables takes a line for each.
fn inline(value: Value) -> String {
    match value {
        Value::Array(list) if list.iter().any(Value::is_table) => {
            let lines: Vec<String> = list.into_iter().map(|v| format!("    {},\n", one_line(v))).collect();
            format!("[\n{}]", lines.concat())
        }
        other => one_line(other),
    }
}

fn one_line(value: Value) -> String {
    match value {
        Value::Table(table) => {
            let pairs: Vec<String> =
                table.into_iter().map(|(k, v)| format!("{} = {}", word(&k), one_line(v))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::Array(list) => format!("[{}]", list.into_iter().map(one_line).collect::<Vec<_>>().join(", ")),
        plain => plain.to_string(),
    }
}

fn word(key: &str) -> String {
    match !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-') {
        true => key.to_string(),
        false => Value::String(key.to_string()).to_string(),
    }
}

fn rounded(value: Value) -> Value {
    match value {
        Value::Float(v) if v.is_finite() && v.fract() != 0.0 => {
            Value::Float(format!("{v:.*e}", DIGITS - 1).parse().unwrap_or(v))
        }
        Value::Array(list) => Value::Array(list.into_iter().map(rounded).collect()),
        Value::Table(table) => Value::Table(table.into_iter().map(|(k, v)| (k, rounded(v))).collect()),
        other => other,
    }
}
