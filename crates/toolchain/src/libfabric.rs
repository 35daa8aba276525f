//! The libfabric under conduits that need one: where its headers and library are. FATHOM_LIBFABRIC names the folder
//! that it is installed in; else pkg-config knows it, or it is where the C compiler looks.

use crate::command::Cmd;
use crate::compiler::{file_identity, which};
use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};

/// A header of every version, below an `include` folder.
const HEADER: &str = "rdma/fabric.h";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Libfabric {
    /// `-I…`.
    pub compile: Vec<String>,
    /// `-L…`, `-lfabric`.
    pub link: Vec<String>,
    /// Changes when the header does.
    pub identity: String,
    /// How it was found, for people.
    pub place: String,
}

impl Libfabric {
    /// # Errors
    /// There is none, or FATHOM_LIBFABRIC does not name one.
    pub fn find() -> Result<Libfabric> {
        match std::env::var_os("FATHOM_LIBFABRIC").filter(|v| !v.is_empty()) {
            Some(folder) => Libfabric::below(Path::new(&folder)),
            None => by_pkg_config().or_else(usual).ok_or_else(|| {
                Failure::new("this conduit needs libfabric, and its header rdma/fabric.h was not found").hint(
                    "install it (Debian and Ubuntu: apt install libfabric-dev; Fedora: dnf install libfabric-devel), or \
                     name the folder that yours is installed in with FATHOM_LIBFABRIC",
                )
            }),
        }
    }

    /// What is installed with this prefix.
    fn below(prefix: &Path) -> Result<Libfabric> {
        let folder = std::path::absolute(prefix).unwrap_or_else(|_| prefix.to_path_buf());
        let include = folder.join("include");
        let library = ["lib", "lib64"].map(|l| folder.join(l)).into_iter().find(|l| {
            let files = ["libfabric.so", "libfabric.so.1", "libfabric.a"];
            files.iter().any(|f| l.join(f).exists())
        });
        match library {
            Some(library) if include.join(HEADER).exists() => Ok(Libfabric {
                compile: vec!["-I".to_string() + &include.to_string_lossy()],
                link: vec![
                    format!("-L{}", library.display()),
                    format!("-Wl,-rpath,{}", library.display()),
                    "-lfabric".into(),
                ],
                identity: file_identity(&include.join(HEADER)),
                place: folder.display().to_string(),
            }),
            _ => Err(Failure::new(format!(
                "FATHOM_LIBFABRIC is {}, but there is no libfabric in it: include/{HEADER} and lib/libfabric.so",
                prefix.display()
            ))
            .hint("name the folder that libfabric was installed in (its --prefix), or unset FATHOM_LIBFABRIC")),
        }
    }
}

fn by_pkg_config() -> Option<Libfabric> {
    let ask = |what: &[&str]| {
        let ended = Cmd::new([which("pkg-config")?]).args(what).arg("libfabric").run().ok()?;
        let words = shlex::split(String::from_utf8_lossy(&ended.stdout).trim())?;
        (ended.status == 0).then_some(words)
    };
    let (compile, link, version) = (ask(&["--cflags"])?, ask(&["--libs"])?, ask(&["--modversion"])?);
    let include = ask(&["--variable=includedir"])?.concat();
    let identity = file_identity(&PathBuf::from(include).join(HEADER));
    Some(Libfabric { compile, link, identity, place: format!("{} (pkg-config)", version.concat()) })
}

/// Where C compilers look by themselves.
fn usual() -> Option<Libfabric> {
    let include = ["/usr/local/include", "/usr/include"].into_iter().find(|f| Path::new(f).join(HEADER).exists())?;
    let identity = file_identity(&Path::new(include).join(HEADER));
    Some(Libfabric { compile: vec![], link: vec!["-lfabric".into()], identity, place: include.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_taken_if_it_has_both_header_and_library() {
        let folder = crate::scratch::Scratch::new().unwrap();
        assert!(Libfabric::below(&folder.join("")).unwrap_err().what.contains("there is no libfabric in it"));
        std::fs::create_dir_all(folder.join("include/rdma")).unwrap();
        std::fs::write(folder.join("include/rdma/fabric.h"), "").unwrap();
        assert!(Libfabric::below(&folder.join("")).is_err());
        std::fs::create_dir(folder.join("lib64")).unwrap();
        std::fs::write(folder.join("lib64/libfabric.so"), "").unwrap();
        let found = Libfabric::below(&folder.join("")).unwrap();
        assert!(found.compile[0].ends_with("/include") && found.link[0].ends_with("/lib64"), "{found:?}");
        assert_eq!(found.link[2], "-lfabric");
    }
}
