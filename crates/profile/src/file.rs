//! A profile as a file: TOML that a person can read, with one point per line.

use crate::{Profile, FORMAT};
use fathom_model::MachineFile;
use serde::Deserialize;
use std::fmt::Write;
use std::io::ErrorKind;
use std::path::Path;
use toml::{Table, Value};

const HEADER: &str = "\
# A profile of a machine, taken by `fathom probe`. What was measured (curves), what follows from it (values, each with its
# rule and its evidence), and the same as figures of a machine file (machine): `fathom model` takes it like one.
# Format: docs/probing.md.
";
/// Significant digits of measured numbers, more than a measurement gives. Integers keep all their digits.
const DIGITS: usize = 6;
/// The length from which a text has a line of its own in a list.
const LONG: usize = 40;
/// Lists of small tables.
const LINES: [&str; 5] = ["points", "coefficients", "evidence", "repeats", "claims"];

impl Profile {
    /// The profile's text.
    ///
    /// # Errors
    /// A sentence: a part of it has no form in TOML.
    pub fn to_toml(&self) -> Result<String, String> {
        let whole = Table::try_from(self).map_err(|e| format!("cannot write the profile: {e}"))?;
        let mut text = HEADER.to_string();
        section(&mut text, "", whole);
        Ok(text)
    }

    /// Reads a profile's file.
    ///
    /// # Errors
    /// A sentence that names the file: it does not exist, cannot be read, or is not a valid profile.
    pub fn read(path: &Path) -> Result<Profile, String> {
        let text = std::fs::read_to_string(path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => format!("there is no profile {}", path.display()),
            _ => format!("cannot read the profile {}: {e}", path.display()),
        })?;
        Profile::from_toml(&text).map_err(|why| format!("{} is not a valid profile: {why}", path.display()))
    }

    /// Reads a profile's text.
    ///
    /// # Errors
    /// A sentence: the text is not a profile, or has another version.
    pub fn from_toml(text: &str) -> Result<Profile, String> {
        let whole: Table = text.parse().map_err(|e: toml::de::Error| e.to_string().trim_end().to_string())?;
        match whole.get("format").and_then(Value::as_str) {
            Some(FORMAT) => Profile::deserialize_table(whole),
            Some(other) => {
                Err(format!("its format is `{other}`, but this version reads `{FORMAT}`: run `fathom probe` again"))
            }
            None => Err(format!("a profile has the line `format = \"{FORMAT}\"`")),
        }
    }

    fn deserialize_table(whole: Table) -> Result<Profile, String> {
        whole.try_into().map_err(|e: toml::de::Error| e.to_string().trim_end().to_string())
    }
}

/// The reason why a text is not the description of a machine.
#[derive(Clone, Debug, PartialEq)]
pub enum NoMachine {
    /// It is neither a machine file nor a profile.
    NoMachineFile(String),
    NoProfile(String),
    /// A file of a format that is not known here.
    OtherFormat(String),
    /// The figures contradict each other.
    Senseless(String),
}

/// The figures of a machine, from the text of a machine file or of a profile. A profile gets `name`, which the user
/// gave: the name in its file is that of a computer.
///
/// # Errors
/// It is neither.
pub fn read_machine(name: &str, text: &str) -> Result<MachineFile, NoMachine> {
    #[derive(Deserialize)]
    struct Kind {
        format: Option<String>,
    }
    let said = |e: toml::de::Error| e.to_string().trim_end().to_string();
    let kind = toml::from_str::<Kind>(text).map_err(|e| NoMachine::NoMachineFile(said(e)))?;
    let machine = match kind.format.as_deref() {
        None => toml::from_str(text).map_err(|e| NoMachine::NoMachineFile(said(e)))?,
        Some(FORMAT) => {
            let machine = Profile::from_toml(text).map_err(NoMachine::NoProfile)?.machine;
            MachineFile { name: name.into(), ..machine }
        }
        Some(other) => return Err(NoMachine::OtherFormat(other.into())),
    };
    machine.check().map_err(NoMachine::Senseless)?;
    Ok(machine)
}

/// A table: first the short entries, then the tables below it, each with its own heading.
fn section(text: &mut String, path: &str, table: Table) {
    let (below, plain): (Vec<_>, Vec<_>) = table.into_iter().partition(|(k, v)| has_heading(k, v));
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

/// Tables and lists of tables have headings, except for the smallest, which take a line each, and for a series'
/// subject.
fn has_heading(key: &str, value: &Value) -> bool {
    match value {
        Value::Table(_) => key != "of",
        Value::Array(list) => !LINES.contains(&key) && !list.is_empty() && list.iter().all(Value::is_table),
        _ => false,
    }
}

/// A list of tables or of sentences takes a line for each.
fn inline(value: Value) -> String {
    match value {
        Value::Array(list) if list.iter().any(|v| v.is_table() || v.as_str().is_some_and(|s| s.len() > LONG)) => {
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

#[cfg(test)]
mod tests {
    use super::NoMachine;
    use crate::mechanism::Subject;
    use crate::*;
    use proptest::prelude::*;

    fn of(values: Vec<Value>, curves: Vec<Curve>, fits: Vec<FittedCurve>) -> Profile {
        Profile {
            about: About {
                machine: "a \"machine\"\nwith = signs".into(),
                disturbances: vec!["memory: 3 %".into()],
                repeats: vec![Repeat { name: "a.b".into(), values: vec![1.0, 2.0], spread: Some(0.5) }],
                ..About::default()
            },
            values,
            curves,
            fits,
            missing: Reason::ALL.iter().map(|reason| Missing::new("sharing", *reason, "no, 'really'")).collect(),
            claims: vec![Claim { name: "memory.page.bytes".into(), value: 4096.0, source: "the system".into() }],
            ..Profile::empty("m")
        }
    }

    fn again(profile: &Profile) -> Profile {
        let text = profile.to_toml().unwrap();
        Profile::from_toml(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![any::<i32>().prop_map(f64::from), (-1e12..1e12f64), Just(1073741825.0), Just(1e-9), Just(0.0)]
    }

    fn near(a: f64, b: f64) -> bool {
        a == b || ((a - b) / a).abs() < 1e-5
    }

    proptest! {
        #[test]
        fn a_profile_is_read_as_it_was_written(
            name in "\\PC{0,12}", at in proptest::collection::vec(number(), 0..4), v in proptest::option::of(number()), tried in any::<bool>()
        ) {
            let point = |x: f64| Reading { x, y: x / 3.0, low: x, high: f64::INFINITY, samples: 7, outliers: 1 };
            let evidence = vec![Evidence { curve: name.clone(), series: name.clone(), at: at.clone() }];
            let value = Value { name: name.clone(), value: v, unit: "ns".into(), low: v, high: None, confidence: 0.5, rule: name.clone(), evidence };
            let series = vec![Series::new(name.clone(), at.iter().map(|x| point(*x)).collect()), Series::of(Subject::Threads(3), vec![])];
            let curve = Curve { name: name.clone(), title: "t".into(), x: "bytes".into(), y: "ns".into(), log_x: true, log_y: false, series };
            let coefficients = vec![Coefficient { name: name.clone(), value: 1.0, low: 0.5, high: 2.0 }];
            let tried = if tried { vec![(name.clone(), 1.5), ("b".into(), 2.0)] } else { vec![] };
            let fit = FittedCurve { curve: name.clone(), series: name.clone(), form: name.clone(), reason: name.clone(), points: 3, left_out: vec![(1.0, 2.5)], formula: name.clone(), coefficients, residual_sd: 0.1, relative: true, from: 1.0, to: 2.0, tried };
            let profile = of(vec![value.clone(), value], vec![curve.clone(), curve], vec![fit]);
            let read = again(&profile);
            prop_assert_eq!(&read.missing, &profile.missing);
            prop_assert_eq!(&read.claims, &profile.claims);
            prop_assert_eq!(&read.fits, &profile.fits);
            prop_assert_eq!(&read.about.machine, &profile.about.machine);
            prop_assert_eq!(&read.about.repeats, &profile.about.repeats);
            prop_assert_eq!(read.values.len(), 2);
            prop_assert_eq!(&read.values[1].name, &name);
            prop_assert_eq!(read.values[1].value.is_some(), v.is_some());
            for (x, point) in at.iter().zip(&read.curves[1].series[0].points) {
                prop_assert!(near(*x, point.x) && near(x / 3.0, point.y) && point.high == f64::INFINITY, "{:?}", point);
            }
            prop_assert_eq!(read.curves[1].series[0].points.len(), at.len());
            prop_assert_eq!(&read.curves[1].series[1].of, &Some(Subject::Threads(3)));
        }
    }

    #[test]
    fn whole_numbers_keep_all_their_digits() {
        let point = Reading { x: 1234567891.0, y: 1.23456789, low: 1.0, high: 2.0, samples: 1, outliers: 0 };
        let series = vec![Series::new("s", vec![point])];
        let curve = Curve {
            name: "c".into(),
            title: String::new(),
            x: "bytes".into(),
            y: "ns".into(),
            log_x: false,
            log_y: false,
            series,
        };
        let text = of(vec![], vec![curve], vec![]).to_toml().unwrap();
        assert!(
            text.contains("{ x = 1234567891.0, y = 1.23457, low = 1.0, high = 2.0, samples = 1, outliers = 0 },"),
            "{text}"
        );
    }

    #[test]
    fn what_is_no_profile_is_told() {
        for (text, part) in [
            ("x = 1", "format = "),
            ("format = \"fathom-profile-0\"", "fathom probe"),
            ("= 1", "1"),
            ("format = \"fathom-profile-1\"", "about"),
        ] {
            let why = Profile::from_toml(text).unwrap_err();
            assert!(why.contains(part), "{text}: {why}");
        }
    }
    #[test]
    fn a_machine_is_read_from_its_file_and_from_a_profile() {
        let profile = of(vec![], vec![], vec![]).to_toml().unwrap();
        for (text, name) in [("name = \"m\"", "m"), (&profile, "file")] {
            assert_eq!(read_machine("file", text).unwrap().name, name);
        }
        assert!(matches!(read_machine("", "x = 1"), Err(NoMachine::NoMachineFile(_))));
        assert!(matches!(read_machine("", "format = \"fathom-profile-1\""), Err(NoMachine::NoProfile(_))));
        assert_eq!(read_machine("", "format = \"z\"").unwrap_err(), NoMachine::OtherFormat("z".into()));
    }

    #[test]
    fn what_was_missing_before_reasons_had_codes_is_read() {
        let text = of(vec![], vec![], vec![]).to_toml().unwrap().replace("reason = ", "reasons = ");
        assert!(Profile::from_toml(&text).unwrap().missing.iter().all(|m| m.reason == Reason::Other));
    }
}
