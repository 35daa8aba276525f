//! The machine files: those of machines/, which are inside the binary, and the user's own; and profiles, which hold the
//! figures of a machine beside the measurements from which they follow.

use fathom_model::MachineFile;
use fathom_profile::{read_machine, NoMachine};
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

fn read(name: &str, text: &str) -> Result<MachineFile> {
    read_machine(name, text).map_err(|why| match why {
        NoMachine::NoMachineFile(why) => Failure::new(format!("{name} is not a valid machine file: {why}")),
        NoMachine::NoProfile(why) => Failure::new(format!("{name} is not a valid profile: {why}")),
        NoMachine::OtherFormat(other) => {
            let hint = "`fathom probe` writes a profile that this version of fathom understands";
            Failure::new(format!("{name} has the format `{other}`, which this version does not know")).hint(hint)
        }
        NoMachine::Senseless(why) => Failure::new(format!("the machine file {name} is not valid: {why}")),
    })
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
