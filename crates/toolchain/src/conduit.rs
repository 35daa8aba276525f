//! The conduit for which a program is built, and its consequences: the header that generated code begins with, the
//! folders of the runtime that are compiled, the libraries that must be found, and the launcher that starts the
//! program.
//!
//! A conduit is a folder below `runtime/conduit/` with a description in it, `conduit.toml`, which this file reads. No
//! other code depends on the name of a conduit. Generated code uses loads and stores alone if every thread is near
//! every other one; else it takes `conduit/distributed.h`, and so does the reference build of any conduit.

use crate::args::CommandLine;
use crate::failure::{Failure, Result};
use crate::libfabric::Libfabric;
use crate::mpi::Mpi;
use crate::runtime::{interface_flags, one_source, Sources};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The conduit of a job for which neither the command line nor FATHOM_CONDUIT names one.
pub(crate) const DEFAULT: &str = "smp";
/// A conduit's description, in its folder.
const DESCRIPTION: &str = "conduit.toml";

/// What `conduit.toml` says.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Which threads reach each other's memory by loads and stores.
    pub near: Near,
    pub launcher: Launcher,
    /// The program starts its threads on other computers, too: on those that FATHOM_HOSTS names.
    #[serde(default)]
    pub hosts: bool,
    /// What must be on the computer besides a C compiler.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// Folders below `conduit/` that are not conduits, and that are compiled with this one.
    #[serde(default)]
    pub parts: Vec<String>,
    /// Programs count their own operations (`conduit/work.h`).
    #[serde(default)]
    pub counts: bool,
    /// Functions of libc that it has for programs.
    #[serde(default)]
    pub replaces: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Near {
    /// All threads of a job: the conduit has an inline header of its own, `fathom_conduit.h`.
    All,
    /// The threads of one computer.
    Computer,
    /// No thread reaches the memory of another one.
    None,
}

/// How the threads of a program are started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Launcher {
    /// The program starts them itself, on this computer.
    Program,
    /// `mpirun` or its equivalent starts them, on one computer or several.
    Mpi,
    /// `fathom simulate`, which computes their times.
    Simulation,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// An MPI's compiler wrapper, with its options for the command lines.
    Mpi,
    /// A libfabric.
    Libfabric,
}

impl Description {
    /// The description of a conduit; none if there is no conduit of that name.
    ///
    /// # Errors
    /// The file cannot be read, or contains something that this version does not know.
    pub fn of(name: &str) -> Result<Option<Description>> {
        match one_source(&file(name))? {
            Some(text) => Description::parse(name, &text).map(Some),
            None => Ok(None),
        }
    }

    fn parse(name: &str, text: &[u8]) -> Result<Description> {
        toml::from_str(&String::from_utf8_lossy(text)).map_err(|why| {
            let why = why.to_string();
            Failure::new(format!(
                "the description of the conduit '{name}' ({}) is not valid: {why}",
                file(name).display()
            ))
        })
    }

    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }
}

/// The description's place below `runtime/`.
fn file(name: &str) -> PathBuf {
    Path::new("conduit").join(name).join(DESCRIPTION)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conduit {
    pub name: String,
    pub description: Description,
    /// All threads far from each other, and every message's reference version in use: a test bed.
    pub reference: bool,
}

impl Conduit {
    /// What the job says, else FATHOM_CONDUIT, else `smp`.
    pub fn choose(job: &CommandLine, sources: &Sources) -> Result<Conduit> {
        Conduit::named(&wanted(job), job.reference, sources)
    }

    pub fn named(name: &str, reference: bool, sources: &Sources) -> Result<Conduit> {
        let Some(text) = sources.content(&file(name)) else {
            return Err(Failure::new(format!("there is no conduit '{name}' in this build of Fathom")).hint(format!(
                "the conduits (--conduit, -network=, FATHOM_CONDUIT): {}",
                conduits(sources).join(", ")
            )));
        };
        Ok(Conduit { name: name.into(), description: Description::parse(name, text)?, reference })
    }

    /// Every thread reaches all memory by loads and stores, and generated code does so.
    pub fn direct(&self) -> bool {
        self.description.near == Near::All && !self.reference
    }

    /// The inline header of generated code and of the runtime, below `runtime/`.
    pub fn header(&self) -> String {
        match self.direct() {
            true => format!("conduit/{}/fathom_conduit.h", self.name),
            false => "conduit/distributed.h".into(),
        }
    }

    /// The definitions that the runtime's sources are compiled with, but for the note in an executable.
    pub fn defines(&self) -> Vec<String> {
        let mut list = vec![format!("-DFATHOM_CONDUIT_HEADER=\"{}\"", self.header())];
        if self.reference {
            list.push("-DFATHOM_REFERENCE=1".into());
        }
        list
    }

    /// The folders of the runtime with this conduit's C files.
    pub fn folders(&self) -> Vec<PathBuf> {
        let names = std::iter::once(&self.name).chain(&self.description.parts);
        names.map(|n| Path::new("conduit").join(n)).collect()
    }

    pub fn is_default(&self) -> bool {
        self.name == DEFAULT
    }

    pub fn needs_mpi(&self) -> bool {
        self.description.needs(Need::Mpi)
    }

    pub fn needs_libfabric(&self) -> bool {
        self.description.needs(Need::Libfabric)
    }

    /// Is what it needs on this computer?
    pub fn is_possible(&self) -> bool {
        (!self.needs_mpi() || Mpi::find().is_ok()) && (!self.needs_libfabric() || Libfabric::find().is_ok())
    }
}

/// The name that a job asks for, whether there is such a conduit or not.
pub fn wanted(job: &CommandLine) -> String {
    let from_environment = || std::env::var("FATHOM_CONDUIT").ok().filter(|name| !name.is_empty());
    job.conduit.clone().or_else(from_environment).unwrap_or_else(|| DEFAULT.into())
}

/// The conduits that the sources have, the default one first.
pub fn conduits(sources: &Sources) -> Vec<String> {
    let mut names = sources.folders_with(Path::new("conduit"), DESCRIPTION);
    names.sort_by_key(|n| (n != DEFAULT, n.clone()));
    names
}

/// The conduit of simulated machines.
///
/// # Errors
/// This build has none.
pub fn simulated() -> Result<String> {
    let sources = Sources::load()?;
    for name in conduits(&sources) {
        if Conduit::named(&name, false, &sources)?.description.launcher == Launcher::Simulation {
            return Ok(name);
        }
    }
    Err(Failure::new("this build of Fathom has no conduit for simulated machines"))
}

/// The options of the runtime's library, besides the compiler: they determine the programs that can be linked with it.
#[derive(Clone)]
pub struct Recipe {
    pub conduit: Conduit,
    /// The user's options that change the interface.
    pub interface: Vec<String>,
    /// The same, and those of the MPI or libfabric.
    pub flags: Vec<String>,
    pub mpi: Option<Mpi>,
    pub libfabric: Option<Libfabric>,
}

impl Recipe {
    /// Finds what the conduit needs.
    pub fn new(conduit: &Conduit, common: &[String]) -> Result<Recipe> {
        let mpi = if conduit.needs_mpi() { Some(Mpi::find()?) } else { None };
        let libfabric = if conduit.needs_libfabric() { Some(Libfabric::find()?) } else { None };
        let interface = interface_flags(common);
        let mut flags = interface.clone();
        flags.extend(mpi.iter().flat_map(|m| m.compile.clone()));
        flags.extend(libfabric.iter().flat_map(|l| l.compile.clone()));
        Ok(Recipe { conduit: conduit.clone(), interface, flags, mpi, libfabric })
    }

    /// What the linker needs after `libfathom.a`.
    pub fn link(&self) -> Vec<String> {
        let mut list: Vec<String> = self.mpi.iter().flat_map(|m| m.link.clone()).collect();
        list.extend(self.libfabric.iter().flat_map(|l| l.link.clone()));
        list.extend(["-lm".into(), "-pthread".into()]);
        list
    }

    /// The options that the runtime's sources are compiled with.
    pub fn options(&self) -> Vec<String> {
        let note = format!("-DFATHOM_CONDUIT_NOTE=\"{}\"", self.note());
        [self.flags.clone(), self.conduit.defines(), vec![note]].concat()
    }

    /// The executable's own record: the conduit, and how to find the matching launcher.
    fn note(&self) -> String {
        let wrapper = self.mpi.iter().map(|m| format!(" {}", m.wrapper.display()));
        self.conduit.name.clone() + &wrapper.collect::<String>()
    }

    /// Everything that makes one library differ from another.
    pub fn identity(&self) -> String {
        let mpi = self.mpi.iter().map(|m| format!("{} {:?}", m.identity, m.link));
        let libfabric = self.libfabric.iter().map(|l| format!("{} {:?}", l.identity, l.link));
        let needed = mpi.chain(libfabric).collect::<String>();
        format!("{:?} {:?} {needed}", self.conduit, self.flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_description_agrees_with_its_folder() {
        let sources = Sources::load().unwrap();
        let names = conduits(&sources);
        assert_eq!(names[0], DEFAULT);
        for name in &names {
            let conduit = Conduit::named(name, false, &sources).unwrap();
            let folder = Path::new("conduit").join(name);
            let own_header = sources.has(&folder.join("fathom_conduit.h"));
            assert_eq!(conduit.direct(), own_header, "{name}: near = \"all\" and fathom_conduit.h go together");
            assert!(!Conduit::named(name, true, &sources).unwrap().direct(), "{name}");
            let mut folders = vec![folder]; // a part may need a later one
            for part in ["cluster", "launch", "queue"] {
                let header = format!("conduit/{part}/{part}.h");
                let included = folders.iter().any(|f| sources.any_contains(f, &header));
                folders.extend(included.then(|| Path::new("conduit").join(part)));
                assert_eq!(conduit.description.parts.iter().any(|p| p == part), included, "{name}: {part}");
            }
            assert_eq!(Description::of(name).unwrap(), Some(conduit.description));
        }
        assert_eq!(Description::of("no-such").unwrap(), None);
    }

    #[test]
    fn conduits_over_messages_share_the_objects_of_the_rooms() {
        let sources = Sources::load().unwrap();
        let defines = |name: &str, reference| Conduit::named(name, reference, &sources).unwrap().defines();
        for name in conduits(&sources).iter().filter(|name| *name != DEFAULT) {
            assert_eq!(defines(name, false), defines("template", false), "{name}");
        }
        assert_ne!(defines(DEFAULT, false), defines("template", false));
        assert_eq!(defines(DEFAULT, true), defines("template", true));
    }

    #[test]
    fn a_description_that_is_not_valid_is_named() {
        let bad = |text: &str| Description::parse("mine", text.as_bytes()).unwrap_err().what;
        for text in
            ["", "near = \"all\"", "near = \"some\"\nlauncher = \"mpi\"", "near = \"all\"\nlauncher = \"mpi\"\nx = 1"]
        {
            assert!(bad(text).contains("conduit/mine/conduit.toml"), "{}", bad(text));
        }
    }
}
