//! The user's C compiler: how it is found, and how a change of it is noticed.

use crate::cache::Cache;
use crate::command::Cmd;
use crate::failure::{Failure, Result};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A C compiler that was found.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The words of the command: `cc`, or `ccache gcc-12`.
    pub words: Vec<String>,
    /// Where the command's programs are.
    pub paths: Vec<PathBuf>,
    /// Changes when the compiler does: paths, sizes, times of change.
    pub identity: String,
}

/// The names tried when neither FATHOM_CC nor CC says which.
const CANDIDATES: &[&str] = &["cc", "gcc", "clang"];

/// In the environment of every C compiler that we start.
pub const CALLED_AS_C_COMPILER: &str = "FATHOM_CALLS_CC";

impl Compiler {
    /// FATHOM_CC, else CC, else the first of `cc`, `gcc`, `clang` on PATH.
    ///
    /// `make CC='fathom cc'` passes CC to us. It then names Fathom itself and is ignored. If a wrapper nevertheless
    /// calls Fathom as the C compiler, the chain of calls ends here with an error.
    pub fn find() -> Result<Compiler> {
        if std::env::var_os(CALLED_AS_C_COMPILER).is_some() {
            return Err(Failure::new("fathom was called as the C compiler of fathom")
                .hint("FATHOM_CC names the C compiler that fathom calls: FATHOM_CC=gcc"));
        }
        for variable in ["FATHOM_CC", "CC"] {
            let Ok(value) = std::env::var(variable) else { continue };
            let words = shlex::split(&value).unwrap_or_default();
            if words.is_empty() {
                continue;
            }
            let found = Compiler::from_words(words).ok_or_else(|| {
                Failure::new(format!("the C compiler '{value}' named by {variable} was not found"))
                    .hint(format!("set {variable} to a compiler on your PATH, or unset it"))
            })?;
            if !found.paths.iter().any(|path| is_this_program(path)) {
                return Ok(found);
            }
            if variable == "FATHOM_CC" {
                return Err(Failure::new(format!("FATHOM_CC='{value}' is fathom itself"))
                    .hint("FATHOM_CC names the C compiler that fathom calls: FATHOM_CC=gcc"));
            }
        }
        CANDIDATES.iter().find_map(|c| Compiler::from_words(vec![c.to_string()])).ok_or_else(|| {
            Failure::new("no C compiler was found (looked for cc, gcc and clang on PATH)").hint(
                "install one (Debian and Ubuntu: apt install gcc; Fedora: dnf install gcc), or name yours in FATHOM_CC",
            )
        })
    }

    fn from_words(words: Vec<String>) -> Option<Compiler> {
        let first = which(&words[0])?;
        let mut paths = vec![first];
        paths.extend(words[1..].iter().filter(|w| !w.starts_with('-')).filter_map(|w| which(w)));
        let mut identity = words.join("\0");
        for path in &paths {
            identity += &format!("\n{}", file_identity(path));
        }
        Some(Compiler { words, paths, identity })
    }

    pub fn cmd(&self) -> Cmd {
        Cmd::new(&self.words)
    }

    /// The first line of `--version`. Asking costs a process, so the answer is kept in the cache.
    pub fn version(&self, cache: Option<&Cache>) -> Result<String> {
        self.first_line(&["--version"], cache)
    }

    /// The machine that it compiles for with these options, as `-dumpmachine` names it: `x86_64-linux-gnu`.
    pub fn triple(&self, options: &[&String], cache: &Cache) -> Result<String> {
        let mut words: Vec<&str> = options.iter().map(|o| o.as_str()).collect();
        words.push("-dumpmachine");
        self.first_line(&words, Some(cache))
    }

    /// The program of binutils (`ar`, `ld`, …) for the machine that it compiles for with these options: a cross compiler
    /// has its own.
    pub fn tool(&self, name: &str, options: &[String]) -> Option<PathBuf> {
        let ask = format!("-print-prog-name={name}");
        let words: Vec<&str> = options.iter().map(String::as_str).chain([ask.as_str()]).collect();
        let named = self.first_line(&words, None).ok();
        named.and_then(|path| which(&path)).or_else(|| which(name))
    }

    /// The first line that it prints when it is asked with these words. The answer is kept in the cache.
    fn first_line(&self, words: &[&str], cache: Option<&Cache>) -> Result<String> {
        let key = format!("{}\n{}", self.identity, words.join("\0"));
        let kept = cache.map(|c| c.root().join("compilers").join(blake3::hash(key.as_bytes()).to_hex().as_str()));
        if let Some(text) = kept.as_ref().and_then(|k| std::fs::read_to_string(k).ok()) {
            if !text.is_empty() {
                return Ok(text);
            }
        }
        let ended = words.iter().fold(self.cmd(), |cmd, word| cmd.arg(word)).run()?;
        if ended.status != 0 {
            let asked = format!("{} {}", self.words.join(" "), words.join(" "));
            return Err(Failure::new(format!("'{asked}' failed (status {})", ended.status))
                .hint("is it a C compiler that works? FATHOM_CC names another"));
        }
        let line = String::from_utf8_lossy(&ended.stdout).lines().next().unwrap_or("unknown").to_string();
        if let (Some(cache), Some(kept)) = (cache, kept) {
            // This only saves time: a cache that cannot be written is reported where it is needed.
            let _ = cache.publish_file(&kept, line.as_bytes());
        }
        Ok(line)
    }
}

/// Changes when the file does: where it is, its size, its times of change.
pub fn file_identity(path: &Path) -> String {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let stamp = std::fs::metadata(&real).map(|m| (m.len(), m.mtime(), m.mtime_nsec(), m.ino()));
    format!("{} {} {stamp:?}", path.display(), real.display())
}

/// Whether `path` leads to the file that runs now, by whatever name.
fn is_this_program(path: &Path) -> bool {
    let file = |p: &Path| p.metadata().ok().map(|m| (m.dev(), m.ino()));
    std::env::current_exe().is_ok_and(|this| file(&this).is_some() && file(&this) == file(path))
}

/// The program that a shell would run for `name`.
pub fn which(name: &str) -> Option<PathBuf> {
    let executable = |p: &Path| p.metadata().is_ok_and(|m| m.is_file() && m.mode() & 0o111 != 0);
    if name.contains('/') {
        return executable(Path::new(name)).then(|| name.into());
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(name)).find(|p| executable(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_is_known_by_every_name() {
        let this = std::env::current_exe().unwrap();
        let folder = crate::scratch::Scratch::new().unwrap();
        let link = folder.join("upcc");
        std::os::unix::fs::symlink(&this, &link).unwrap();
        assert!(is_this_program(&this) && is_this_program(&link));
        assert!(!is_this_program(&which("sh").unwrap()) && !is_this_program(Path::new("/no/such/program")));
    }

    #[test]
    fn which_finds_programs_and_only_programs() {
        assert!(which("sh").is_some_and(|p| p.ends_with("sh")));
        assert_eq!(which("no-such-program-anywhere"), None);
        assert_eq!(which("/etc/passwd"), None);
    }
}
