//! Temporary files and child processes, and their end: whatever way this process ends (a signal too, `SIGKILL` apart),
//! its temporary folder goes and its children are told to stop.

use crate::failure::{Failure, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

/// What a signal must clean up: folders to remove, processes to stop.
static LIVE: Mutex<Live> = Mutex::new(Live { folders: BTreeSet::new(), children: BTreeSet::new() });
static WATCH: Once = Once::new();

struct Live {
    folders: BTreeSet<PathBuf>,
    children: BTreeSet<u32>,
}

fn live() -> std::sync::MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(|e| e.into_inner())
}

/// A temporary folder, removed when dropped or when a signal ends the process.
pub struct Scratch {
    dir: Option<tempfile::TempDir>,
    path: PathBuf,
}

impl Scratch {
    /// In TMPDIR (or /tmp).
    pub fn new() -> Result<Scratch> {
        Self::within(&std::env::temp_dir())
    }

    /// In `parent`, so that a rename out of it stays within one file system.
    pub fn within(parent: &Path) -> Result<Scratch> {
        watch_signals();
        let dir = tempfile::Builder::new().prefix("fathom-").tempdir_in(parent).map_err(|e| {
            let mut failure = Failure::io("make a temporary folder in", parent, &e);
            if failure.hint.is_none() {
                failure = failure.hint("set TMPDIR to a folder that exists and can be written");
            }
            failure
        })?;
        let path = dir.path().to_path_buf();
        live().folders.insert(path.clone());
        Ok(Scratch { dir: Some(dir), path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        live().folders.remove(&self.path);
        drop(self.dir.take());
    }
}

/// A child that runs now, so that a signal to this process reaches it as well.
pub struct ChildGuard(u32);

impl ChildGuard {
    pub fn new(id: u32) -> Self {
        watch_signals();
        live().children.insert(id);
        Self(id)
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        live().children.remove(&self.0);
    }
}

fn watch_signals() {
    WATCH.call_once(|| {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        // Without the thread, a signal ends this process as it always does, and a folder stays.
        let _ = std::thread::Builder::new().spawn(move || {
            if let Some(signal) = signals.forever().next() {
                let live = live();
                for &child in &live.children {
                    // SAFETY: kill() takes numbers. A child is unregistered as soon as it is reaped.
                    unsafe { libc::kill(child as libc::pid_t, libc::SIGTERM) };
                }
                for folder in &live.folders {
                    let _ = std::fs::remove_dir_all(folder);
                }
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_folder_goes_with_its_owner() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.path().to_path_buf();
        std::fs::write(scratch.join("x"), "x").unwrap();
        assert!(path.is_dir());
        drop(scratch);
        assert!(!path.exists());
    }
}
