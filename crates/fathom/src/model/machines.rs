//! The machine files: those of machines/, which are inside the binary, and the user's own.

use fathom_model::MachineFile;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use include_dir::{include_dir, Dir};
use std::path::Path;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../machines");

/// The machine of that name, or the one in the file of that name.
pub fn load(name: &str) -> Result<MachineFile> {
    if let Some(file) = EMBEDDED.get_file(format!("{name}.toml")) {
        return read(name, file.contents_utf8().unwrap_or_default());
    }
    if name.contains('/') || name.ends_with(".toml") {
        let path = Path::new(name);
        return read(name, &std::fs::read_to_string(path).or_io("read", path)?);
    }
    let hint = format!("the machines are {}; a machine file is named by its path", names());
    Err(Failure::new(format!("there is no machine `{name}`")).hint(hint))
}

fn read(name: &str, text: &str) -> Result<MachineFile> {
    let machine: MachineFile = toml::from_str(text)
        .map_err(|e| Failure::new(format!("{name} is no machine file: {}", e.to_string().trim_end())))?;
    machine.check().map_err(|e| Failure::new(format!("the machine file {name} makes no sense: {e}")))?;
    Ok(machine)
}

/// Every machine inside the binary, by name.
pub fn all() -> Result<Vec<(String, MachineFile)>> {
    let mut names: Vec<String> = stems().collect();
    names.sort();
    names.into_iter().map(|n| load(&n).map(|m| (n, m))).collect()
}

pub fn names() -> String {
    let mut names: Vec<String> = stems().collect();
    names.sort();
    names.join(", ")
}

fn stems() -> impl Iterator<Item = String> {
    EMBEDDED.files().filter_map(|f| Some(f.path().to_str()?.strip_suffix(".toml")?.to_string()))
}
