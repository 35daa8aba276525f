//! The machine files: those of machines/, which are inside the binary, and the user's own; and profiles, which hold the
//! figures of a machine beside the measurements from which they follow.

use crate::simulate::on_nodes;
use fathom_machine::similar::did_you_mean;
use fathom_machine::Description;
use fathom_model::Listed;
use fathom_model::MachineFile;
use fathom_profile::{read_machine, NoMachine};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use include_dir::{include_dir, Dir};
use std::fs::File;
use std::io::{ErrorKind, Read};
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
    let is_ours = EMBEDDED.contains(format!("{name}.toml"));
    let checked = |described: &Description| if is_ours { Ok(()) } else { fathom_machine::check(described) };
    let described = Description::of_file(&text)
        .and_then(|described| described.as_ref().map_or(Ok(()), checked).map(|()| described))
        .map_err(|why| invalid(name, &text, &why))?;
    let described = described.ok_or_else(|| {
        let hint = match text.lines().any(|line| line.starts_with("format = \"fathom-profile-")) {
            true => {
                format!("this is a profile: `fathom probe --from {name} --as-machine FILE` makes a machine file of it")
            }
            false => simulated_names(),
        };
        Failure::new(format!("the machine `{name}` cannot be simulated: its file has no table `simulated`")).hint(hint)
    })?;
    let Some((per_node, placement)) = nodes else { return Ok(described) };
    described
        .with_threads_per_node(per_node, placement)
        .map_err(|why| Failure::new(format!("the machine `{name}` cannot have {per_node} threads on a node: {why}")))
}

/// What tells the file of this machine from what it was earlier, and from others.
pub fn fingerprint(full: &str) -> Result<u64> {
    Ok(fathom_simulate::trace::fingerprint(&text(on_nodes::split(full)?.0, "")?))
}

/// A sentence that names the machines that can be simulated.
pub fn simulated_names() -> String {
    let all: Vec<String> = stems().filter(|n| matches!(description_within(n), Some(Ok(Some(_))))).collect();
    format!("the machines that can be simulated are {}", sorted(all))
}

/// The figures that describe the machine for simulation; none if it cannot be simulated.
pub fn simulated_figures(name: &str) -> Result<Vec<Listed>> {
    let text = text(name, "")?;
    let described = Description::of_file(&text).map_err(|why| invalid(name, &text, &why))?;
    let figures = described.iter().flat_map(|d| d.figures());
    let listed = figures.map(|(what, figure)| {
        let (status, source) = figure.origin();
        Listed::new(what, figure.value.to_string(), &format!("{}: {source}", status.word()))
    });
    Ok(listed.collect())
}

/// What is wrong with a machine file, and where, if the sentence names a figure or a part.
fn invalid(name: &str, text: &str, why: &str) -> Failure {
    let line = line_of(text, why).map_or_else(String::new, |line| format!("line {line}: "));
    Failure::new(format!("{name} is not a valid machine file: {line}{}", why.trim_end()))
        .hint("docs/machines.md tells what a machine file holds")
}

/// The line of the first figure, or of the table, that the sentence names, `PART.NAME` or `PART`.
fn line_of(text: &str, why: &str) -> Option<usize> {
    // For each line its table's last name, and its key.
    let mut table = "";
    let places: Vec<(&str, &str)> = text
        .lines()
        .map(|line| match line.trim().strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, _)) if !line.contains('=') => {
                table = if name.starts_with("simulated") { name.rsplit('.').next().unwrap_or(name).trim() } else { "" };
                (table, "")
            }
            _ => (table, line.split_once('=').map_or("=", |(key, _)| key.trim())),
        })
        .collect();
    let line = |part: &str, key: &str| places.iter().position(|place| *place == (part, key)).map(|at| at + 1);
    let named = why.split('`').skip(1).step_by(2);
    let mut found = named.filter_map(|name| match name.split_once('.') {
        Some((part, key)) => line(part, key).or_else(|| line(part, "")).or_else(|| line("simulated", part)),
        None => line(name, ""),
    });
    found.next()
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
        return match read_text(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let hint = format!("{}the machines within are {}", how.replace("{name}", name), names());
                Err(error).or_io("read", path).map_err(|e| e.hint(hint))
            }
            Err(error) => Err(Failure::new(format!("cannot read the machine file {name}: {error}"))
                .hint("a machine file is text in TOML: docs/machines.md tells what it holds")),
            Ok(text) => Ok(text),
        };
    }
    let all = names();
    let like = did_you_mean(name, all.split(", "));
    let hint = format!("the machines are {all}; a machine file is named by its path{like}");
    Err(Failure::new(format!("there is no machine `{name}`")).hint(hint))
}

/// A file of a size that a machine file, or a profile, may have: what has no end is read no further.
fn read_text(path: &Path) -> std::io::Result<String> {
    const MOST: u64 = 64 << 20;
    let mut text = String::new();
    match File::open(path)?.take(MOST).read_to_string(&mut text)? {
        bytes if bytes as u64 == MOST => Err(std::io::Error::other("it is larger than 64 MB")),
        _ => Ok(text),
    }
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
