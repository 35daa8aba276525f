//! The machine files: those of machines/, which are inside the binary, and the user's own; and profiles, which hold the
//! figures of a machine beside the measurements from which they follow.

use crate::simulate::on_nodes;
use fathom_machine::Description;
use fathom_model::Listed;
use fathom_model::MachineFile;
use fathom_profile::{read_machine, NoMachine};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use include_dir::{include_dir, Dir};
use std::path::Path;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../machines");

/// The machine of that name, or the one in the file of that name.
pub fn load(name: &str) -> Result<MachineFile> {
    text(name, "`fathom probe -o {name}` writes a profile of this computer; ").and_then(|text| read(name, &text))
}

/// What the machine file describes for simulation. A number of threads on a node may follow the name
/// ([`on_nodes`]).
pub fn simulated(full: &str) -> Result<Description> {
    let (name, nodes) = on_nodes::split(full)?;
    let text = text(name, "")?;
    let described = Description::of_file(&text).map_err(|why| {
        Failure::new(format!("{name} is not a valid machine file: {}", why.trim_end()))
            .hint("docs/machines.md tells what a machine file holds")
    })?;
    let described = described.ok_or_else(|| {
        Failure::new(format!("the machine `{name}` cannot be simulated: its file has no table `simulated`"))
            .hint(simulated_names())
    })?;
    let Some((per_node, placement)) = nodes else { return Ok(described) };
    described
        .with_threads_per_node(per_node, placement)
        .map_err(|why| Failure::new(format!("the machine `{name}` cannot have {per_node} threads on a node: {why}")))
}

/// A sentence that names the machines that can be simulated.
pub fn simulated_names() -> String {
    let all: Vec<String> = stems().filter(|n| matches!(description_within(n), Some(Ok(Some(_))))).collect();
    format!("the machines that can be simulated are {}", sorted(all))
}

/// The figures that describe the machine for simulation; none if it cannot be simulated.
pub fn simulated_figures(name: &str) -> Result<Vec<Listed>> {
    let invalid = |why: String| Failure::new(format!("{name} is not a valid machine file: {}", why.trim_end()));
    let described = Description::of_file(&text(name, "")?).map_err(invalid)?;
    let figures = described.iter().flat_map(|d| d.figures());
    let listed = figures.map(|(what, figure)| {
        let (status, source) = figure.origin();
        Listed::new(what, figure.value.to_string(), &format!("{}: {source}", status.word()))
    });
    Ok(listed.collect())
}

fn description_within(name: &str) -> Option<std::result::Result<Option<Description>, String>> {
    let file = EMBEDDED.get_file(format!("{name}.toml"))?;
    Some(Description::of_file(file.contents_utf8()?))
}

/// The text of the machine file with this name or path.
fn text(name: &str, how: &str) -> Result<String> {
    if let Some(file) = EMBEDDED.get_file(format!("{name}.toml")) {
        return Ok(file.contents_utf8().unwrap_or_default().into());
    }
    if name.contains('/') || name.ends_with(".toml") {
        let path = Path::new(name);
        let hint = format!("{}the machines within are {}", how.replace("{name}", name), names());
        return std::fs::read_to_string(path).or_io("read", path).map_err(|e| e.hint(hint));
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
    sorted(stems().collect())
}

fn sorted(mut names: Vec<String>) -> String {
    names.sort();
    names.join(", ")
}

fn stems() -> impl Iterator<Item = String> {
    EMBEDDED.files().filter_map(|f| Some(f.path().to_str()?.strip_suffix(".toml")?.to_string()))
}
