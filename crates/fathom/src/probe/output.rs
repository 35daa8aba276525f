//! Files that are written whole or not at all; and what is said to a reader who may have gone.

use fathom_toolchain::failure::OrIo;
use fathom_toolchain::scratch::Unfinished;
use fathom_toolchain::{Failure, Result};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What a profile and its report have room in, with much to spare.
const ROOM_BYTES: usize = 8_000_000;

/// Fails where [`write`] would: to be asked before two minutes of measuring.
pub fn check_writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(Failure::io("write", path, &ErrorKind::IsADirectory.into()));
    }
    if is_device(path) {
        return Ok(());
    }
    let beside = Unfinished::new(beside(&final_name(path)));
    written(path, fs::write(beside.path(), vec![0; ROOM_BYTES]))
}

/// Writes the file in one step: who reads it sees the old one or the new one. What is no file (`/dev/null`) is written to.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    if is_device(path) {
        return fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut f| f.write_all(content))
            .or_io("write", path);
    }
    let name = final_name(path);
    let beside = Unfinished::new(beside(&name));
    written(path, fs::write(beside.path(), content).and_then(|()| fs::rename(beside.path(), name)))
}

/// Is there something that is no file, and must not be replaced by one?
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Prints. Who reads it may have enough (`fathom probe | head`): then the rest is for nobody, and nothing is wrong.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Where a link leads to: it stays a link.
fn final_name(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// In the same folder, so that a rename stays within a file system.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

fn written(path: &Path, result: std::io::Result<()>) -> Result<()> {
    result.or_io("write", path).map_err(|failure| match failure.hint {
        Some(_) => failure.hint("free some space there, or name another place (-o, --html)"),
        None => failure,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_a_link_stays_one_and_a_device_stays_itself() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::os::unix::fs::symlink("file", &link).unwrap();
        for path in [&file, &link] {
            check_writable(path).unwrap();
            write(path, b"new").unwrap();
            assert_eq!(fs::read(&file).unwrap(), b"new");
            fs::write(&file, "old").unwrap();
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let null = Path::new("/dev/null");
        check_writable(null).unwrap();
        write(null, b"new").unwrap();
        assert!(is_device(null));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "something was left");
    }

    #[test]
    fn what_could_not_be_written_is_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::create_dir(&path).unwrap();
        assert!(check_writable(&path).is_err() && write(&path, b"new").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "something was left");
    }
}
