//! The machine files: those of machines/, which are inside the binary, and the user's own; and profiles, which hold the
//! figures of a machine beside the measurements from which they follow.

use fathom_model::MachineFile;
use fathom_probe::profile::{Profile, FORMAT};
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
        let hint =
            format!("`fathom probe -o {name}` writes a profile of this computer; the machines within are {}", names());
        return read(name, &std::fs::read_to_string(path).or_io("read", path).map_err(|e| e.hint(hint))?);
    }
    let hint = format!("the machines are {}; a machine file is named by its path", names());
    Err(Failure::new(format!("there is no machine `{name}`")).hint(hint))
}

/// The part of a file that says which kind of file it is.
#[derive(serde::Deserialize)]
struct Kind {
    format: Option<String>,
}

fn read(name: &str, text: &str) -> Result<MachineFile> {
    let is_no = |what: &str, e: toml::de::Error| {
        Failure::new(format!("{name} is not a valid {what}: {}", e.to_string().trim_end()))
    };
    let format = toml::from_str::<Kind>(text).map_err(|e| is_no("machine file", e))?.format;
    let machine: MachineFile = match format.as_deref() {
        None => toml::from_str(text).map_err(|e| is_no("machine file", e))?,
        Some(FORMAT) => {
            let machine = toml::from_str::<Profile>(text).map_err(|e| is_no("profile", e))?.machine;
            // The user's name for it; the name inside is that of a computer.
            MachineFile { name: name.into(), ..machine }
        }
        Some(other) => {
            let hint = "`fathom probe` writes a profile that this version of fathom understands";
            return Err(
                Failure::new(format!("{name} has the format `{other}`, which this version does not know")).hint(hint)
            );
        }
    };
    machine.check().map_err(|e| Failure::new(format!("the machine file {name} is not valid: {e}")))?;
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
