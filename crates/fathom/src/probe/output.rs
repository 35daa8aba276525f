//! Files that are written whole or not at all; and output to a reader that may have gone.
//!
//! They may be written to a folder that everybody can write in, such as /tmp. So a predictable name is never opened
//! there, and a link is followed only under the rule of the kernel's `fs.protected_symlinks`, which does not apply to
//! links that a program reads and follows itself.

use fathom_toolchain::failure::OrIo;
use fathom_toolchain::scratch::Unfinished;
use fathom_toolchain::{Failure, Result};
use std::fs;
use std::io::{Error, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The size that is enough for a profile and its report.
const ROOM_BYTES: usize = 8_000_000;

/// Fails if [`write`] would fail: called before two minutes of measurement.
pub fn check_writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(Failure::io("write", path, &ErrorKind::IsADirectory.into()));
    }
    if is_device(path) {
        return Ok(());
    }
    let name = final_name(path)?;
    written(path, beside(&name, &vec![0; ROOM_BYTES]).map(drop))
}

/// Writes the file in one step: a reader sees the old one or the new one. Something that is not a regular file
/// (`/dev/null`) is written to directly.
pub fn write(path: &Path, content: &[u8]) -> Result<()> {
    let name = final_name(path)?;
    if is_device(path) {
        return fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut f| f.write_all(content))
            .or_io("write", path);
    }
    written(path, beside(&name, content).and_then(|(file, _guard)| Ok(file.persist(name).map(drop)?)))
}

/// Writes content that cannot be written to its own file into `folder`, under a new name, which is returned.
pub fn rescue(folder: &Path, prefix: &str, suffix: &str, content: &[u8]) -> Option<PathBuf> {
    let mut file = tempfile::Builder::new().prefix(prefix).suffix(suffix).tempfile_in(folder).ok()?;
    file.write_all(content).ok()?;
    Some(file.keep().ok()?.1)
}

/// Is there something that is not a regular file, and must not be replaced by one?
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Prints. The reader may have closed the pipe (`fathom probe | head`): then the rest is dropped, without an error.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The target of a link, which stays a link. In a folder that everybody can write in, a link that belongs neither to
/// the caller nor to the folder's owner is refused, because another user chose its target.
fn final_name(path: &Path) -> Result<PathBuf> {
    // SAFETY: geteuid cannot fail.
    let caller = unsafe { libc::geteuid() };
    let mut name = path.to_path_buf();
    for _ in 0..40 {
        let link = match fs::symlink_metadata(&name) {
            Ok(m) if m.is_symlink() => m,
            _ => return Ok(name),
        };
        let folder = folder_of(&name);
        let place = fs::metadata(folder).or_io("write", path)?;
        let is_open = place.mode() & 0o1002 == 0o1002;
        if is_open && ![caller, place.uid()].contains(&link.uid()) {
            return Err(Failure::new(format!(
                "cannot write {}: {} is a link of another user (number {}), in a folder that everybody can write in",
                path.display(),
                name.display(),
                link.uid()
            ))
            .hint("name another place (-o, --html)"));
        }
        name = folder.join(fs::read_link(&name).or_io("write", path)?);
    }
    Err(Failure::io("write", path, &Error::from_raw_os_error(libc::ELOOP)))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file in the same folder, so that a rename stays within a file system. It is deleted if it is not renamed.
fn beside(path: &Path, content: &[u8]) -> std::io::Result<(NamedTempFile, Unfinished)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut file = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .permissions(fs::Permissions::from_mode(0o666)) // less the umask, as any file
        .tempfile_in(folder_of(path))?;
    let guard = Unfinished::new(file.path().to_path_buf());
    file.write_all(content)?;
    Ok((file, guard))
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

    /// A file of the caller's, and a link to it that another user has created in a folder that everybody can write in.
    #[test]
    fn a_strangers_link_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let open = dir.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o1777)).unwrap();
        let (victim, link) = (dir.path().join("victim"), open.join("profile.toml"));
        fs::write(&victim, "precious").unwrap();
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        write(&link, b"the caller's own link is followed").unwrap();
        fs::write(&victim, "precious").unwrap();
        // Only root can give a link away.
        if std::os::unix::fs::lchown(&link, Some(65534), None).is_err() {
            return;
        }
        let failure = write(&link, b"new").unwrap_err();
        assert!(failure.what.contains("a link of another user"), "{failure}");
        assert!(check_writable(&link).is_err());
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read_dir(&open).unwrap().count(), 1, "something was left");
        // If no other user can write, the owner of the link does not matter.
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"new");
    }

    #[test]
    fn a_rescued_file_has_a_name_that_nobody_could_know_and_is_the_callers_alone() {
        let dir = tempfile::tempdir().unwrap();
        let places: Vec<PathBuf> = (0..2).map(|_| rescue(dir.path(), "profile-", ".toml", b"text").unwrap()).collect();
        assert_ne!(places[0], places[1]);
        for place in &places {
            assert_eq!(fs::read(place).unwrap(), b"text");
            assert_eq!(fs::metadata(place).unwrap().mode() & 0o777, 0o600);
            assert!(!place.display().to_string().contains(&std::process::id().to_string()), "{place:?}");
        }
        assert!(rescue(&dir.path().join("absent"), "", "", b"").is_none());
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
