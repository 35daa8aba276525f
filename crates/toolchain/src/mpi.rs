//! The MPI under the conduit `mpi`, as its compiler wrapper describes it: `mpicc`, or the one that FATHOM_MPICC names.
//!
//! The wrapper does not compile: it is asked which options it would add (`-show`, which Open MPI, MPICH and their
//! relatives know), and the user's own C compiler gets them.

use crate::command::Cmd;
use crate::compiler::{file_identity, which};
use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};

/// The wrapper's name if FATHOM_MPICC is not set.
const WRAPPER: &str = "mpicc";

#[derive(Clone, Debug)]
pub struct Mpi {
    pub wrapper: PathBuf,
    /// `-I…` and other options for compiling.
    pub compile: Vec<String>,
    /// `-L…`, `-l…`, `-Wl,…`.
    pub link: Vec<String>,
    /// Changes when the wrapper's file does.
    pub identity: String,
}

impl Mpi {
    pub fn find() -> Result<Mpi> {
        let wrapper = wrapper()?;
        let ended = Cmd::new([&wrapper]).arg("-show").run()?;
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        let words = shlex::split(said.lines().next().unwrap_or("")).unwrap_or_default();
        let (compile, link) = sort(&words);
        if ended.status != 0 || link.is_empty() {
            let complaint = String::from_utf8_lossy(&ended.stderr).trim().to_string();
            return Err(Failure::new(format!(
                "'{} -show' does not say how to link with MPI {complaint}",
                wrapper.display()
            ))
            .hint("FATHOM_MPICC names the MPI's wrapper for C compilers, such as mpicc.openmpi or mpicc.mpich"));
        }
        let identity = file_identity(&wrapper);
        Ok(Mpi { wrapper, compile, link, identity })
    }
}

/// The compiler wrapper's path.
pub fn wrapper() -> Result<PathBuf> {
    let named = std::env::var("FATHOM_MPICC").ok().filter(|v| !v.is_empty());
    let name = named.clone().unwrap_or_else(|| WRAPPER.into());
    which(&name).map(|p| behind_alternatives(&p)).ok_or_else(|| match named {
        Some(v) => Failure::new(format!("the MPI compiler wrapper '{v}' named by FATHOM_MPICC was not found"))
            .hint("set FATHOM_MPICC to one on your PATH, such as mpicc.openmpi or mpicc.mpich, or unset it"),
        None => Failure::new("the conduit 'mpi' needs an MPI, and its compiler wrapper 'mpicc' was not found").hint(
            "install one (Debian and Ubuntu: apt install libopenmpi-dev, or libmpich-dev; Fedora: dnf install openmpi-devel), \
             or name yours in FATHOM_MPICC",
        ),
    })
}

/// `/usr/bin/mpicc` may be a link, through other links, to `/usr/bin/mpicc.openmpi`. The last link in the chain whose
/// name is that of a wrapper for C identifies the MPI, even after the links have changed.
fn behind_alternatives(wrapper: &Path) -> PathBuf {
    let mut at = std::path::absolute(wrapper).unwrap_or_else(|_| wrapper.to_path_buf());
    let mut last = at.clone();
    for _ in 0..16 {
        let Ok(target) = std::fs::read_link(&at) else { break };
        at = at.parent().unwrap_or(Path::new("/")).join(target);
        if at.file_name().is_some_and(|n| n.to_string_lossy().starts_with(WRAPPER)) {
            last = at.clone();
        }
    }
    last
}

/// Sorts the words of a wrapper's command line, which begins with the compiler's name, into options for compiling and
/// options for linking.
fn sort(words: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut compile, mut link) = (vec![], vec![]);
    let mut words = words.iter().skip(1).peekable();
    while let Some(word) = words.next() {
        let is = |prefixes: &[&str]| prefixes.iter().any(|p| word.starts_with(p));
        // `-I dir` in two words.
        let value = match word.as_str() {
            "-I" | "-isystem" | "-L" | "-l" | "-Xlinker" | "-D" => words.next(),
            _ => None,
        };
        let parts = || std::iter::once(word).chain(value).cloned();
        if word == "-pthread" {
            compile.extend(parts());
            link.extend(parts());
        } else if is(&["-I", "-isystem", "-D"]) {
            compile.extend(parts());
        } else if is(&["-L", "-l", "-Wl,", "-Xlinker"]) || (!word.starts_with('-') && Path::new(word).is_absolute()) {
            link.extend(parts());
        }
    }
    (compile, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_as_long_as_they_name_a_wrapper() {
        use std::os::unix::fs::symlink;
        let folder = crate::scratch::Scratch::new().unwrap();
        std::fs::create_dir(folder.join("etc")).unwrap();
        std::fs::write(folder.join("opal_wrapper"), "").unwrap();
        symlink("opal_wrapper", folder.join("mpicc.openmpi")).unwrap();
        symlink(folder.join("mpicc.openmpi"), folder.join("etc/mpi")).unwrap();
        symlink("etc/mpi", folder.join("mpicc")).unwrap();
        assert_eq!(behind_alternatives(&folder.join("mpicc")), folder.join("mpicc.openmpi"));
        assert_eq!(behind_alternatives(&folder.join("opal_wrapper")), folder.join("opal_wrapper"));
    }

    #[test]
    fn a_wrappers_options_are_sorted_and_its_optimisation_is_not_taken() {
        let line = "gcc -O2 -g -Wl,-z,relro -I/m/include -I /n -pthread -fPIC -L/m/lib -Wl,-rpath -Wl,/m/lib -lmpi /m/lib/libx.a";
        let (compile, link) = sort(&shlex::split(line).unwrap());
        assert_eq!(compile, ["-I/m/include", "-I", "/n", "-pthread"]);
        assert_eq!(
            link,
            ["-Wl,-z,relro", "-pthread", "-L/m/lib", "-Wl,-rpath", "-Wl,/m/lib", "-lmpi", "/m/lib/libx.a"]
        );
    }
}
