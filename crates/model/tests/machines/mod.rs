//! The machine files, for the tests that ask them.
#![allow(dead_code)]

use fathom_model::answer::{Answer, Complaint};
use fathom_model::query::{ask, Options};
use fathom_model::MachineFile;

pub fn machine(name: &str) -> MachineFile {
    let path = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a machine file");
    let file: MachineFile = toml::from_str(&text).expect("a machine file in TOML");
    file.check().expect("sensible figures");
    file
}

pub fn answer(file: &MachineFile, query: &str) -> Answer {
    ask(query, file, Options::default()).unwrap_or_else(|e| panic!("{query}: {e}"))
}

pub fn complaint(file: &MachineFile, query: &str) -> Complaint {
    ask(query, file, Options::default()).expect_err(query)
}

#[track_caller]
pub fn close(got: f64, printed: f64, percent: f64) {
    let off = 100.0 * (got - printed).abs() / printed.abs();
    assert!(off <= percent, "{got:.4} against {printed}: {off:.3} % off, {percent} % allowed");
}
