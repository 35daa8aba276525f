//! Files that are written whole or not at all; and what is said to a reader who may have gone.

use fathom_toolchain::failure::OrIo;
use fathom_toolchain::Result;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Fails where [`write`] would: to be asked before two minutes of measuring.
pub fn check_writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
        return Err(fathom_toolchain::Failure::io("write", path, &error));
    }
    let beside = beside(path);
    fs::write(&beside, "").or_io("write", path)?;
    fs::remove_file(&beside).or_io("write", path)
}

/// Writes the file in one step: who reads it sees the old one or the new one.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    let beside = beside(path);
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.or_io("write", path)
}

/// Prints. Who reads it may have enough (`fathom probe | head`): then the rest is for nobody, and nothing is wrong.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// In the same folder, so that a rename stays within a file system.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}
