//! docs/machines/NAME.md: what is modelled of each simulated machine, and every figure with its value, status and source.
//!
//! `UPDATE_EXPECT=1 cargo test -p fathom-machine --test all pages` writes the pages anew.

use fathom_machine::description::Part;
use fathom_machine::{Description, Figure};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The name, and the description, of each machine file that has one.
fn machines() -> BTreeMap<String, (String, Description)> {
    let files = std::fs::read_dir(root().join("machines")).unwrap().map(|entry| entry.unwrap().path());
    let mut all = BTreeMap::new();
    for file in files.filter(|file| file.extension().is_some_and(|e| e == "toml")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let Some(description) = Description::of_file(&text).unwrap() else { continue };
        let table: toml::Table = toml::from_str(&text).unwrap();
        let name = table["name"].as_str().unwrap().to_string();
        all.insert(file.file_stem().unwrap().to_string_lossy().into_owned(), (name, description));
    }
    all
}

fn in_cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table(out: &mut String, title: &str, figures: &BTreeMap<String, Figure>) {
    let _ = writeln!(out, "\n## {title}\n");
    if figures.is_empty() {
        out.push_str("No figures.\n");
        return;
    }
    out.push_str("| figure | value | status | source, or why it is assumed |\n|---|---|---|---|\n");
    for (name, figure) in figures {
        let (status, source) = figure.origin();
        let range = figure.range.as_ref().map_or(String::new(), |[low, high]| format!(" ({low} to {high})"));
        let value = in_cell(&format!("{}{range}", figure.value));
        let _ = writeln!(out, "| `{name}` | {value} | {} | {} |", status.word(), in_cell(source));
    }
}

fn title_of(kind: &str, name: &str, part: &Part) -> String {
    let next = part.next.as_ref().map_or(String::new(), |next| format!(", which asks `{next}`"));
    format!("{kind} `{name}`: {}{next}", part.kind)
}

fn page(file: &str, name: &str, machine: &Description) -> String {
    let mut out = format!(
        "# {name}\n\nWritten from machines/{file}.toml, whose figures `fathom model --list {file}` prints. \
         [Machines](../machines.md) tells what the parts do.\n\n{}\n",
        machine.about.trim()
    );
    if !machine.processor.is_empty() {
        table(&mut out, &format!("Processor, which asks `{}`", machine.memory), &machine.processor);
    }
    let parts = machine.parts.iter().map(|(name, part)| ("Part", name, part));
    let engines = machine.engines.iter().map(|(name, part)| ("Engine", name, part));
    for (kind, name, part) in parts.chain(engines) {
        table(&mut out, &title_of(kind, name, part), &part.figures);
    }
    if let Some(network) = &machine.network {
        table(&mut out, &format!("Network: {}", network.kind), &network.figures);
    }
    if !machine.code.is_empty() {
        table(&mut out, "Compiled code between accesses", &machine.code);
    }
    if !machine.work.is_empty() {
        table(&mut out, "A program's own operations", &machine.work);
    }
    out
}

#[test]
fn each_machine_has_a_page() {
    let folder = root().join("docs/machines");
    let writes = std::env::var_os("UPDATE_EXPECT").is_some();
    if writes {
        std::fs::create_dir_all(&folder).unwrap();
    }
    let machines = machines();
    assert!(machines.len() > 5);
    for (file, (name, machine)) in &machines {
        let (path, wanted) = (folder.join(format!("{file}.md")), page(file, name, machine));
        if writes {
            std::fs::write(&path, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == wanted,
            "docs/machines/{file}.md is not what machines/{file}.toml says: UPDATE_EXPECT=1 writes it"
        );
    }
    let pages = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    for page in pages {
        let stem = page.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(machines.contains_key(&stem), "{} is the page of no machine", page.display());
    }
}
