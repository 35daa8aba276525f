//! Temporary files and child processes, and their end: however this process ends (by a signal other than `SIGKILL`,
//! too), the temporary files are removed, and the children get a signal to stop and are waited for.

use crate::failure::{Failure, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once};
use std::time::{Duration, Instant};

/// The files and folders to remove and the processes to stop when a signal arrives.
static LIVE: Mutex<Live> = Mutex::new(Live { paths: BTreeSet::new(), children: BTreeSet::new() });
static WATCH: Once = Once::new();
/// A signal has arrived that ends this process.
static SIGNALLED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The time that children have to end after the signal: an MPI's launcher first ends the processes that it has started,
/// and gives them one or two seconds.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time that they have at least, even if a second signal arrives: a launcher that is killed leaves files behind.
const LEAST: Duration = Duration::from_millis(1500);

struct Live {
    paths: BTreeSet<PathBuf>,
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
        let mut live = live(); // held until the folder is on the list: a signal must not find it made and unknown
        let dir = tempfile::Builder::new().prefix("fathom-").tempdir_in(parent).map_err(|e| {
            let mut failure = Failure::io("make a temporary folder in", parent, &e);
            if failure.hint.is_none() {
                failure = failure.hint("set TMPDIR to a folder that exists and can be written");
            }
            failure
        })?;
        let path = dir.path().to_path_buf();
        live.paths.insert(path.clone());
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
        let mut live = live(); // held until it is gone: else a signal would end the removal half-way
        live.paths.remove(&self.path);
        drop(self.dir.take());
    }
}

/// A file that is not finished: removed when dropped or when a signal ends the process, unless it was renamed.
pub struct Unfinished(PathBuf);

impl Unfinished {
    pub fn new(path: PathBuf) -> Self {
        watch_signals();
        live().paths.insert(path.clone());
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut live = live();
        live.paths.remove(&self.0);
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The user's file that a command is about to write: removed when a signal ends the process meanwhile, as C compilers do.
/// What is not a file, `/dev/null` for instance, stays.
pub struct BeingWritten(PathBuf);

impl BeingWritten {
    pub fn new(path: &Path) -> Self {
        watch_signals();
        if path.symlink_metadata().map_or(true, |is| is.is_file()) {
            live().paths.insert(path.to_path_buf());
        }
        Self(path.to_path_buf())
    }
}

impl Drop for BeingWritten {
    fn drop(&mut self) {
        live().paths.remove(&self.0);
    }
}

/// A child that runs now, so that a signal to this process reaches it as well. If it leads a group of processes, so
/// does the whole group.
pub struct ChildGuard(u32);

impl ChildGuard {
    pub fn new(id: u32) -> Self {
        watch_signals();
        live().children.insert(id);
        Self(id)
    }

    /// Starts the command.
    ///
    /// # Errors
    /// As [`Command::spawn`].
    pub fn spawn(command: &mut Command) -> std::io::Result<(Child, Self)> {
        watch_signals();
        stop_if_signalled();
        let mut live = live(); // held until the child is on the list: a signal must not find it started and unknown
        let child = command.spawn()?;
        let id = child.id();
        live.children.insert(id);
        Ok((child, Self(id)))
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        live().children.remove(&self.0);
    }
}

/// Writes into a temporary folder. A signal that ends this process waits until that is done, and removes the folder;
/// nothing is written after that.
pub fn uninterrupted<T>(write: impl FnOnce() -> T) -> T {
    stop_if_signalled();
    let _live = live();
    write()
}

/// Does not return if this process is about to end by a signal. One from the terminal reaches the children as well,
/// and that they have ended by it is not a failure to report.
pub fn stop_if_signalled() {
    while SIGNALLED.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

fn watch_signals() {
    WATCH.call_once(|| {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let all = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
        let watched: Vec<i32> = all.into_iter().filter(|&signal| !is_ignored(signal)).collect();
        let Ok(mut signals) = signal_hook::iterator::Signals::new(&watched) else {
            return;
        };
        // Without the thread, a signal ends this process at once, and the temporary folder stays.
        let watch = std::thread::Builder::new().spawn(move || {
            if let Some(signal) = signals.forever().next() {
                crate::progress::leave_line();
                // Held to the end: other threads would go on without their children and files.
                let live = live();
                live.end(&mut || signals.pending().next().is_some());
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
        for signal in watched.into_iter().filter(|_| watch.is_ok()) {
            let _ = signal_hook::flag::register(signal, SIGNALLED.clone());
        }
    });
}

impl Live {
    /// Ends the children and removes the temporary files; a second signal shortens the wait.
    fn end(&self, hurries: &mut dyn FnMut() -> bool) {
        let mut until = Instant::now() + PATIENCE;
        let mut running: Vec<u32> = self.children.iter().copied().collect();
        running.iter().for_each(|&child| signal(child, libc::SIGTERM));
        loop {
            running.retain(|&child| is_running(child));
            if running.is_empty() {
                break;
            }
            if hurries() {
                until -= PATIENCE - LEAST;
            }
            if Instant::now() >= until {
                running.iter().for_each(|&child| signal(child, libc::SIGKILL));
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.paths.iter().for_each(|path| remove(path));
    }
}

/// Children of children may still be writing into a folder that is being removed: then it is tried again.
fn remove(path: &Path) {
    for _ in 0..20 {
        match if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) } {
            Err(e) if e.kind() == std::io::ErrorKind::DirectoryNotEmpty => {}
            _ => return,
        }
    }
}

/// Is the signal ignored, as under `nohup` and in shells without job control?
pub(crate) fn is_ignored(signal: i32) -> bool {
    // SAFETY: sigaction writes to `now`, for which zeros are a value.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
    }
}

fn signal(child: u32, signal: i32) {
    let id = child as libc::pid_t;
    // SAFETY: both take numbers. A child is unregistered as soon as it is reaped, and this one has not been.
    unsafe { libc::kill(if libc::getpgid(id) == id { -id } else { id }, signal) };
}

/// Waits without collecting the status, which another waiter needs.
fn is_running(child: u32) -> bool {
    // SAFETY: waitid() writes to `info`, for which zeros are a value.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        libc::waitid(libc::P_PID, child, &mut info, options) == 0 && info.si_pid() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command};

    #[test]
    fn a_scratch_folder_goes_with_its_owner() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.path().to_path_buf();
        std::fs::write(scratch.join("x"), "x").unwrap();
        assert!(path.is_dir());
        drop(scratch);
        assert!(!path.exists());
    }

    #[test]
    fn an_unfinished_file_goes_and_a_renamed_one_stays() {
        let scratch = Scratch::new().unwrap();
        let (first, second) = (Unfinished::new(scratch.join("a")), Unfinished::new(scratch.join("b")));
        std::fs::write(first.path(), "a").unwrap();
        std::fs::write(second.path(), "b").unwrap();
        std::fs::rename(second.path(), scratch.join("c")).unwrap();
        drop((first, second));
        assert!(!scratch.join("a").exists() && scratch.join("c").exists());
    }

    /// A child with a group of its own, which says that it is there by a file.
    fn child(scratch: &Scratch, name: &str, script: &str) -> Child {
        let there = scratch.join(name);
        let script = script.replace("THERE", &there.display().to_string());
        let child = Command::new("sh").args(["-c", &script]).process_group(0).spawn().unwrap();
        while !there.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }

    #[test]
    fn children_have_time_to_end_and_the_impatient_kill_them() {
        let scratch = Scratch::new().unwrap();
        let mut polite = child(
            &scratch,
            "p",
            "trap 'sleep 0.1; echo > THERE.saved; exit 7' TERM; echo > THERE; while :; do sleep 0.01; done",
        );
        let mut deaf = child(&scratch, "d", "trap '' TERM; echo > THERE; sleep 60 & wait; sleep 60");
        let live = |child: &Child| Live { paths: BTreeSet::new(), children: [child.id()].into() };
        live(&polite).end(&mut || false);
        assert!(scratch.join("p.saved").exists(), "it was not waited for");
        assert_eq!(polite.wait().unwrap().code(), Some(7));
        let mut asked = 0;
        live(&deaf).end(&mut || {
            asked += 1;
            asked == 1
        });
        assert!(asked > 2, "it had no time at all");
        assert_eq!(deaf.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
}
