//! Errors of the tools: the failure, the input, the remedy, and the exit status.

use std::fmt;
use std::io;
use std::path::Path;

pub type Result<T> = std::result::Result<T, Failure>;

/// An error for the user of the command. An empty `what` means that the C compiler or the diagnostics renderer has
/// reported the error already, and only the exit status is left to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub what: String,
    pub hint: Option<String>,
    pub status: i32,
    /// The source has no errors but those against rules of the dynamic THREADS environment.
    pub only_dynamic_threads: bool,
}

impl Failure {
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None, status: 1, only_dynamic_threads: false }
    }
    /// What failed has been reported; only the exit status remains.
    pub fn reported(status: i32) -> Self {
        Self { status: if status == 0 { 1 } else { status }, ..Self::new("") }
    }
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    /// A failed system call on `path`: `doing` completes "cannot …".
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let failure = Self::new(format!("cannot {doing} {}: {}", path.display(), plain(error)));
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => failure
                .hint("the disk is full: free some space, write to another disk, or set FATHOM_CACHE and TMPDIR to folders on one"),
            io::ErrorKind::ReadOnlyFilesystem => {
                failure.hint("the file system is read-only: write elsewhere, or set FATHOM_CACHE and TMPDIR to folders that can be written")
            }
            _ => failure,
        }
    }
}

/// The system's message without Rust's "(os error N)".
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_string(),
        None => text,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  help: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// `result.or_io("read", path)?`
pub trait OrIo<T> {
    fn or_io(self, doing: &str, path: &Path) -> Result<T>;
}

impl<T> OrIo<T> for io::Result<T> {
    fn or_io(self, doing: &str, path: &Path) -> Result<T> {
        self.map_err(|e| Failure::io(doing, path, &e))
    }
}
