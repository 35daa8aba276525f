//! Which conduit a program is built for, and what that changes: the header that generated code begins with, the folders
//! of the runtime that are compiled, and whether an MPI must be found.
//!
//! A conduit is a folder below `runtime/conduit/`, and one that appears there is known here. It has direct memory (every
//! thread reaches every byte by loads and stores) if it brings an inline header of its own; else it takes
//! `conduit/distributed.h`, and so does the reference build of any.

use crate::args::Job;
use crate::failure::{Failure, Result};
use crate::mpi::Mpi;
use crate::runtime::{interface_flags, Sources};
use std::path::{Path, PathBuf};

/// Where neither the command line nor FATHOM_CONDUIT names one.
const DEFAULT: &str = "smp";
/// The folders below `conduit/` that are none, but parts of some: the processes of those that start their threads
/// themselves, and messages through shared memory. A conduit has a part if its sources include the part's header, which
/// bears the folder's name.
const PARTS: [&str; 2] = ["launch", "queue"];
/// The conduit whose threads another launcher starts.
pub const MPI: &str = "mpi";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conduit {
    pub name: String,
    /// Every thread reaches all memory by loads and stores, and generated code does so.
    pub direct: bool,
    /// All threads far from each other, and every message's reference version in use: a test bed.
    pub reference: bool,
    parts: Vec<&'static str>,
}

impl Conduit {
    /// What the job says, else FATHOM_CONDUIT, else `smp`.
    pub fn choose(job: &Job, sources: &Sources) -> Result<Conduit> {
        Conduit::named(&wanted(job), job.reference, sources)
    }

    pub fn named(name: &str, reference: bool, sources: &Sources) -> Result<Conduit> {
        let own_header = format!("conduit/{name}/fathom_conduit.h");
        if !conduits(sources).iter().any(|n| n == name) {
            return Err(Failure::new(format!("there is no conduit '{name}' in this build of Fathom")).hint(format!(
                "the conduits (--conduit, -network=, FATHOM_CONDUIT): {}",
                conduits(sources).join(", ")
            )));
        }
        let direct = sources.has(Path::new(&own_header)) && !reference;
        let folder = Path::new("conduit").join(name);
        let has = |part: &&str| sources.any_contains(&folder, &format!("conduit/{part}/{part}.h"));
        let parts = PARTS.into_iter().filter(has).collect();
        Ok(Conduit { name: name.into(), direct, reference, parts })
    }

    /// The inline header of generated code and of the runtime, below `runtime/`.
    pub fn header(&self) -> String {
        match self.direct {
            true => format!("conduit/{}/fathom_conduit.h", self.name),
            false => "conduit/distributed.h".into(),
        }
    }

    /// The folders of the runtime with this conduit's C files.
    pub fn folders(&self) -> Vec<PathBuf> {
        let names = std::iter::once(self.name.as_str()).chain(self.parts.iter().copied());
        names.map(|n| Path::new("conduit").join(n)).collect()
    }

    pub fn is_default(&self) -> bool {
        self.name == DEFAULT
    }

    pub fn is_mpi(&self) -> bool {
        self.name == MPI
    }
}

/// The name that a job asks for, whether there is such a conduit or not.
pub fn wanted(job: &Job) -> String {
    let from_environment = || std::env::var("FATHOM_CONDUIT").ok().filter(|name| !name.is_empty());
    job.conduit.clone().or_else(from_environment).unwrap_or_else(|| DEFAULT.into())
}

/// The conduits that the sources have, the default one first.
pub fn conduits(sources: &Sources) -> Vec<String> {
    let mut names: Vec<String> = sources.folders_with_c(Path::new("conduit"));
    names.retain(|n| !PARTS.contains(&n.as_str()));
    names.sort_by_key(|n| (n != DEFAULT, n.clone()));
    names
}

/// What the runtime's library is made with, besides the compiler: it decides what can be linked with it.
#[derive(Clone)]
pub struct Recipe {
    pub conduit: Conduit,
    /// Options that change the interface, of the user and of the MPI.
    pub flags: Vec<String>,
    pub mpi: Option<Mpi>,
}

impl Recipe {
    /// Finds the MPI if the conduit needs one.
    pub fn new(conduit: &Conduit, common: &[String]) -> Result<Recipe> {
        let mpi = if conduit.is_mpi() { Some(Mpi::find()?) } else { None };
        let mut flags = interface_flags(common);
        flags.extend(mpi.iter().flat_map(|m| m.compile.clone()));
        Ok(Recipe { conduit: conduit.clone(), flags, mpi })
    }

    /// What the linker needs after `libfathom.a`.
    pub fn link(&self) -> Vec<String> {
        let mut list: Vec<String> = self.mpi.iter().flat_map(|m| m.link.clone()).collect();
        list.extend(["-lm".into(), "-pthread".into()]);
        list
    }

    /// The definitions that the runtime's sources are compiled with.
    pub fn defines(&self) -> Vec<String> {
        let mut list = vec![format!("-DFATHOM_CONDUIT_HEADER=\"{}\"", self.conduit.header())];
        list.push(format!("-DFATHOM_CONDUIT_NOTE=\"{}\"", self.note()));
        if self.conduit.reference {
            list.push("-DFATHOM_REFERENCE=1".into());
        }
        list
    }

    /// What the executable says about itself: the conduit, and how to find the launcher that goes with it.
    fn note(&self) -> String {
        let wrapper = self.mpi.iter().map(|m| format!(" {}", m.wrapper.display()));
        self.conduit.name.clone() + &wrapper.collect::<String>()
    }

    /// Everything that makes one library differ from another.
    pub fn identity(&self) -> String {
        let mpi = self.mpi.iter().map(|m| format!("{} {:?}", m.identity, m.link));
        format!("{:?} {:?} {}", self.conduit, self.flags, mpi.collect::<String>())
    }
}
