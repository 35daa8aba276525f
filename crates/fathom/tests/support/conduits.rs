//! On which conduits the programs under tests/run run: which are here, and how `fathom` is told.

use fathom_toolchain::compiler::which;
use libtest_mimic::{Failed, Trial};
use std::process::Command;

/// A conduit, or a variant of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct On {
    /// `smp`, `reference` (smp, with everything far), `template`, `mpi`, and `mpi-of-2`: mpi, where two threads share
    /// memory and others are far, so that a program meets both at once; `sim`, a simulated machine.
    pub label: String,
    /// The MPIs' compiler wrappers; the tests are dealt out to them.
    mpiccs: Vec<String>,
    /// Every number of threads in both environments, instead of a few.
    pub whole: bool,
}

pub const ALL: [&str; 6] = ["smp", "reference", "template", "mpi", "mpi-of-2", "sim"];

/// Those that need nothing but a C compiler for the other processor.
const EMULATED: [&str; 3] = ["smp", "reference", "template"];

/// What moves data, or depends on its order: what the programs that run on mpi-of-2 begin with. Those about files do not.
const MIXED: [&str; 4] = ["6.6.1-", "app-", "lib-", "litmus-"];

/// The conduits to test; what is wrong with the wish becomes a test that fails.
#[allow(dead_code)]
pub fn tested(trials: &mut Vec<Trial>) -> Vec<On> {
    conduits().unwrap_or_else(|why| {
        trials.push(Trial::test("conduits", move || Err(Failed::from(why))));
        vec![]
    })
}

/// What is to be tested, and what is wrong with that.
///
/// FATHOM_TEST_CONDUITS lists conduits to test wholly; without it smp is tested wholly, the others on a thin grid, and mpi
/// only where there is one, unless FATHOM_TEST_MPI=required or CI=true. FATHOM_TEST_MPICC lists compiler wrappers.
pub fn conduits() -> Result<Vec<On>, String> {
    let listed = std::env::var("FATHOM_TEST_CONDUITS").unwrap_or_default();
    let listed: Vec<&str> = listed.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let possible: &[&str] = if super::emulator().is_some() { &EMULATED } else { &ALL };
    if let Some(unknown) = listed.iter().find(|w| !possible.contains(w)) {
        return Err(format!("FATHOM_TEST_CONDUITS: '{unknown}' is none of {}", possible.join(", ")));
    }
    let everything = std::env::var_os("FATHOM_TEST_ALL").is_some();
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
    let mpi_required =
        listed.iter().any(|l| l.starts_with("mpi")) || is("FATHOM_TEST_MPI", "required") || is("CI", "true");
    let mut list = vec![];
    for label in possible.iter().filter(|l| listed.is_empty() || listed.contains(l)) {
        let is_mpi = label.starts_with("mpi");
        let mpiccs = if is_mpi { mpiccs() } else { vec![] };
        if is_mpi && mpiccs.is_empty() {
            if mpi_required {
                return Err("no MPI was found, and its tests are required".into());
            }
            continue;
        }
        let whole = *label == "smp" || !listed.is_empty() || everything;
        list.push(On { label: label.to_string(), mpiccs, whole });
    }
    Ok(list)
}

/// One of `n` (at least 1), always the same for a name.
pub fn pick(name: &str, n: usize) -> usize {
    name.bytes().fold(7usize, |h, b| h.wrapping_mul(31).wrapping_add(b as usize)) % n
}

/// Is more to be tested than there is time for at every change? CI does.
pub fn is_wide() -> bool {
    ["FATHOM_TEST_WIDE", "FATHOM_TEST_ALL", "FATHOM_TEST_CONDUITS"].iter().any(|v| std::env::var_os(v).is_some())
}

/// The compiler wrappers of the MPIs that are installed.
pub fn mpiccs() -> Vec<String> {
    for variable in ["FATHOM_TEST_MPICC", "FATHOM_MPICC"] {
        let named = std::env::var(variable).unwrap_or_default();
        if !named.trim().is_empty() {
            return named.split_whitespace().map(String::from).collect();
        }
    }
    let here = |names: &[&str]| names.iter().filter(|n| which(n).is_some()).map(|n| n.to_string()).collect::<Vec<_>>();
    match here(&["mpicc.openmpi", "mpicc.mpich"]) {
        both if !both.is_empty() => both,
        _ => here(&["mpicc"]),
    }
}

/// What `fathom` needs in its environment for the MPI of this compiler wrapper.
pub fn mpi_environment(command: &mut Command, mpicc: &str) {
    command.env("FATHOM_MPICC", mpicc).env_remove("FATHOM_MPIRUN");
    // Several jobs run at once: bound to cores, they would all have the same.
    command.env("OMPI_MCA_hwloc_base_binding_policy", "none");
    for permission in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
        command.env(permission, "1");
    }
}

impl On {
    /// Threads that are on the same computer need not share memory.
    pub fn is_far(&self) -> bool {
        self.label != "smp"
    }

    pub fn is_mpi(&self) -> bool {
        self.label.starts_with("mpi")
    }

    fn is_mixed(&self) -> bool {
        self.label == "mpi-of-2"
    }

    /// Does a program run here that allows so many threads, and names these conduits, if any?
    pub fn takes(&self, program: &str, threads: &[u32], named: Option<&str>) -> bool {
        let conduit = if self.is_mpi() { "mpi" } else { &self.label };
        let is_one = MIXED.iter().any(|group| program.starts_with(group)) && !program.starts_with("lib-io-");
        let is_suited = !self.is_mixed() || (is_one && self.counts(threads).iter().any(|&n| n > 2));
        is_suited && named.is_none_or(|list| list.split_whitespace().any(|c| c == conduit))
    }

    /// The options that choose it.
    pub fn options(&self) -> &[&str] {
        match self.label.as_str() {
            "smp" => &["--conduit", "smp"],
            "reference" => &["--conduit", "smp", "--reference"],
            "template" => &["--conduit", "template"],
            "sim" => &["--conduit", "sim"],
            _ => &["--conduit", "mpi"],
        }
    }

    /// The command that starts a program, with its options.
    pub fn start(&self) -> &[&str] {
        match self.label.as_str() {
            "sim" => &["simulate", "--machine", "ib-edr", "-o", "/dev/null"],
            _ => &["run"],
        }
    }

    /// What the command needs in its environment; `story` decides which MPI it gets.
    pub fn environment(&self, command: &mut Command, story: &str) {
        if !self.is_mpi() {
            return;
        }
        mpi_environment(command, &self.mpiccs[pick(story, self.mpiccs.len())]);
        command.envs(self.is_mixed().then_some(("FATHOM_NODE_MAX", "2")));
    }

    /// The numbers of threads to test of those that a program allows: all, or on the thin grid one, which is 3 where it
    /// may, and for the reference build 1 besides.
    pub fn counts(&self, all: &[u32]) -> Vec<u32> {
        if self.whole || all.is_empty() {
            return all.to_vec();
        }
        let small = all.iter().filter(|&&n| n <= 4).max().or(all.iter().min()).copied();
        let one = all.iter().find(|&&n| n == 3).copied().or(small);
        let mut counts: Vec<u32> = one.into_iter().collect();
        if self.label == "reference" && all.contains(&1) && !counts.contains(&1) {
            counts.insert(0, 1);
        }
        counts
    }
}
