//! Where things are, and how they are compiled: UPC by the `fathom` of this workspace, C by the C compiler that it uses.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

pub type Failure = String;

/// The flags that rows are measured with unless they say otherwise.
pub const FAST: &[&str] = &["-O3", "-march=native"];
pub const PLAIN: &[&str] = &["-O2"];

pub struct Builder {
    /// `bench/`.
    pub home: PathBuf,
    /// Where programs are built.
    pub work: PathBuf,
    pub fathom: PathBuf,
    pub cc: String,
}

impl Builder {
    pub fn new() -> Result<Builder, Failure> {
        let home = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let root = home.parent().ok_or("bench/ has no parent folder")?;
        let fathom = match std::env::var_os("FATHOM") {
            Some(path) => PathBuf::from(path),
            None => {
                let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
                run(Command::new(cargo).current_dir(root).args(["build", "-q", "--release", "-p", "fathom"]))?;
                let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
                target.join("release/fathom")
            }
        };
        // Inside the target folder, which git ignores and `cargo clean` empties.
        let work = fathom.parent().ok_or("fathom has no folder")?.join("bench");
        std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;
        let cc = ["FATHOM_CC", "CC"].iter().find_map(|v| std::env::var(v).ok().filter(|s| !s.is_empty()));
        Ok(Builder { home, work, fathom, cc: cc.unwrap_or_else(|| "cc".into()) })
    }

    /// Compiles one C file by the C compiler alone.
    pub fn cc<S: AsRef<OsStr>>(&self, object: &Path, source: &Path, flags: &[S]) -> Result<(), Failure> {
        run(Command::new(&self.cc).args(flags).args(["-std=gnu17", "-c", "-o"]).args([object, source]))
    }

    /// `fathom cc` with these arguments.
    pub fn fathom_cc<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<(), Failure> {
        run(Command::new(&self.fathom).arg("cc").args(args).env("FATHOM_CC", &self.cc))
    }
}

/// Runs a command to its end; its errors are the failure.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    output(command).map(|_| ())
}

/// What a command wrote to its standard output.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let out = command.output().map_err(|e| format!("cannot run {:?}: {e}", command.get_program()))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let last: Vec<&str> = said.lines().take(12).collect();
    Err(format!("{command:?} ended with {}\n{}", out.status, last.join("\n")))
}
