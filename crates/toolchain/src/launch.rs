//! Starting a program whose threads a launcher makes: the choice of the launcher, and its options.
//!
//! Launchers agree on `-n N` and on few other options. The launcher must belong to the MPI of the program: under the
//! launcher of another MPI, each process of the program would be a job of one process.

use crate::command::Cmd;
use crate::compiler::which;
use crate::failure::{Failure, Result};
use crate::mpi;
use std::path::{Path, PathBuf};

/// What is asked of a launcher.
pub struct Launch<'a> {
    pub threads: u32,
    pub hosts: &'a [String],
    /// Variables of the environment that programs on other computers need as well.
    pub env: &'a [(String, String)],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    OpenMpi,
    /// The launcher of MPICH and its relatives.
    Hydra,
    /// Takes `-n N`, as all do.
    Other,
}

pub struct Launcher {
    /// The command: a path, and options that FATHOM_MPIRUN has behind it.
    words: Vec<String>,
    pub kind: Kind,
}

impl Launcher {
    /// FATHOM_MPIRUN; else the launcher in the folder of the compiler wrapper that the program was made with; else the
    /// one in the folder of the wrapper that is found now; else `mpirun` or `mpiexec` on PATH.
    pub fn find(made_with: Option<&Path>) -> Result<Launcher> {
        if let Some(value) = std::env::var("FATHOM_MPIRUN").ok().filter(|v| !v.is_empty()) {
            let words = shlex::split(&value).unwrap_or_default();
            let path = words.first().and_then(|w| which(w)).ok_or_else(|| {
                Failure::new(format!("the launcher '{value}' named by FATHOM_MPIRUN was not found"))
                    .hint("set FATHOM_MPIRUN to one on your PATH, such as mpirun.openmpi or mpiexec.mpich, or unset it")
            })?;
            return Ok(Launcher { kind: kind(&path), words });
        }
        let wrapper_now = mpi::wrapper().ok();
        let beside_wrapper = made_with.and_then(beside).or_else(|| wrapper_now.as_deref().and_then(beside));
        let path = beside_wrapper.or_else(|| NAMES.iter().find_map(|n| which(n))).ok_or_else(|| {
            Failure::new("the program needs an MPI launcher, and neither 'mpirun' nor 'mpiexec' was found").hint(
                "install one (Debian and Ubuntu: apt install openmpi-bin, or mpich), or name yours in FATHOM_MPIRUN",
            )
        })?;
        Ok(Launcher { kind: kind(&path), words: vec![path.display().to_string()] })
    }

    pub fn name(&self) -> String {
        self.words.join(" ")
    }

    /// "Open MPI 4.1.4".
    pub fn describe(&self) -> String {
        let said = version(Path::new(&self.words[0]));
        let number = said.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("?");
        match self.kind {
            Kind::OpenMpi => format!("Open MPI {number}"),
            Kind::Hydra => format!("MPICH's Hydra {number}"),
            Kind::Other => said.lines().next().unwrap_or("a launcher without a name").to_string(),
        }
    }

    /// The command line that starts `program`.
    pub fn command(&self, launch: &Launch, program: &Cmd) -> Result<Cmd> {
        // SAFETY: getuid cannot fail.
        let is_root = unsafe { libc::getuid() } == 0;
        self.command_as(launch, program, is_root)
    }

    fn command_as(&self, launch: &Launch, program: &Cmd, is_root: bool) -> Result<Cmd> {
        let mut cmd = Cmd::new(&self.words);
        let hosts = slots(launch.hosts, launch.threads);
        match self.kind {
            Kind::OpenMpi => {
                // More threads than cores is normal here.
                cmd = cmd.arg("--oversubscribe").args(is_root.then_some("--allow-run-as-root"));
                if !hosts.is_empty() {
                    cmd = cmd.args(["--host", &hosts]).args(NOTICE_LOST_HOSTS);
                }
                for (name, _) in launch.env {
                    cmd = cmd.args(["-x", name]);
                }
            }
            Kind::Hydra => {
                if !hosts.is_empty() {
                    cmd = cmd.args(["-hosts", &hosts]);
                }
                for (name, value) in launch.env {
                    cmd = cmd.args(["-genv", name, value]);
                }
            }
            Kind::Other if !hosts.is_empty() => {
                return Err(Failure::new(format!("the option for hosts of '{}' is not known", self.words.join(" ")))
                    .hint("put its own options into FATHOM_MPIRUN, or start the program with it yourself"));
            }
            Kind::Other => {}
        }
        Ok(cmd.args(["-n", &launch.threads.to_string()]).args(&program.words))
    }
}

/// Open MPI's daemons notice within seconds, not minutes, that a computer has dropped off the network.
const NOTICE_LOST_HOSTS: [&str; 9] = [
    "--mca",
    "oob_tcp_keepalive_time",
    "3",
    "--mca",
    "oob_tcp_keepalive_intvl",
    "1",
    "--mca",
    "oob_tcp_keepalive_probes",
    "5",
];
const NAMES: [&str; 2] = ["mpirun", "mpiexec"];

/// The launcher in the folder of a compiler wrapper, by the wrapper's suffix: `mpirun.openmpi` for `mpicc.openmpi`.
fn beside(wrapper: &Path) -> Option<PathBuf> {
    let (_, suffix) = wrapper.file_name()?.to_str()?.split_once("mpicc")?;
    let folder = wrapper.parent()?;
    NAMES.iter().find_map(|n| which(folder.join(format!("{n}{suffix}")).to_str()?))
}

/// The kind, from the output of `--version`.
fn kind(launcher: &Path) -> Kind {
    kind_of_version(&version(launcher))
}

fn kind_of_version(text: &str) -> Kind {
    match text {
        t if t.contains("Open MPI") || t.contains("OpenRTE") || t.contains("PRRTE") => Kind::OpenMpi,
        t if t.contains("HYDRA") || t.contains("Intel(R) MPI") => Kind::Hydra,
        _ => Kind::Other,
    }
}

/// The output of `--version`; empty if there is none.
fn version(launcher: &Path) -> String {
    let ended = Cmd::new([launcher]).arg("--version").run();
    ended.map_or(String::new(), |e| String::from_utf8_lossy(&e.stdout).trim().to_string())
}

/// `a:2,b:2`: the threads are spread evenly, and the first hosts take one more. A host named as `a:3` takes 3.
fn slots(hosts: &[String], threads: u32) -> String {
    let count = hosts.len() as u32;
    let share = |i: u32| threads / count + u32::from(i < threads % count);
    let with_share = |(i, host): (usize, &String)| match (host.contains(':'), share(i as u32)) {
        (true, _) => Some(host.clone()),
        (false, 0) => None,
        (false, n) => Some(format!("{host}:{n}")),
    };
    hosts.iter().enumerate().filter_map(with_share).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: Kind, hosts: &[&str], is_root: bool) -> Result<String> {
        let launcher = Launcher { words: vec!["mpirun".into()], kind };
        let hosts: Vec<String> = hosts.iter().map(|h| h.to_string()).collect();
        let env = [("FATHOM_HEAP".to_string(), "1G".to_string())];
        let launch = Launch { threads: 3, hosts: &hosts, env: &env };
        Ok(launcher.command_as(&launch, &Cmd::new(["./heat", "-n"]), is_root)?.line())
    }

    #[test]
    fn each_launcher_is_told_in_its_own_words() {
        let of = |kind, hosts: &[&str], is_root| line(kind, hosts, is_root).unwrap();
        assert_eq!(of(Kind::OpenMpi, &[], false), "mpirun --oversubscribe -x FATHOM_HEAP -n 3 ./heat -n");
        assert_eq!(
            of(Kind::OpenMpi, &["a", "b"], true),
            "mpirun --oversubscribe --allow-run-as-root --host 'a:2,b:1' --mca oob_tcp_keepalive_time 3 \
             --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 5 -x FATHOM_HEAP -n 3 ./heat -n"
        );
        assert_eq!(of(Kind::Hydra, &["a:3"], true), "mpirun -hosts a:3 -genv FATHOM_HEAP 1G -n 3 ./heat -n");
        assert_eq!(of(Kind::Other, &[], false), "mpirun -n 3 ./heat -n");
        assert!(line(Kind::Other, &["a"], false).is_err());
    }

    #[test]
    fn hosts_beyond_the_threads_get_none() {
        let hosts = ["a", "b", "c"].map(String::from);
        assert_eq!(slots(&hosts, 2), "a:1,b:1");
        assert_eq!(slots(&hosts, 7), "a:3,b:2,c:2");
        assert_eq!(slots(&[], 7), "");
    }

    #[test]
    fn launchers_are_known_by_their_version() {
        assert_eq!(kind_of_version("mpirun (Open MPI) 5.0.3"), Kind::OpenMpi);
        assert_eq!(kind_of_version("mpirun.openmpi (OpenRTE) 4.1.4"), Kind::OpenMpi);
        assert_eq!(kind_of_version("HYDRA build details:\n    Version: 4.0.2"), Kind::Hydra);
        assert_eq!(kind_of_version("slurm 22.05"), Kind::Other);
    }

    #[test]
    fn the_launcher_is_the_one_beside_the_wrapper() {
        let folder = crate::scratch::Scratch::new().unwrap();
        let script = |name: &str| {
            let path = folder.join(name);
            std::fs::write(&path, "#!/bin/sh\n").unwrap();
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            path
        };
        let (a, b) = (script("mpiexec.mpich"), script("mpirun.openmpi"));
        assert_eq!(beside(&folder.join("mpicc.mpich")), Some(a));
        assert_eq!(beside(&folder.join("mpicc.openmpi")), Some(b));
        assert_eq!(beside(&folder.join("mpicc")), None);
        assert_eq!(beside(&folder.join("cc")), None);
    }
}
