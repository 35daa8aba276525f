//! A job under a launcher: starts it, passes signals on to it, and finds the status that it ended with.
//!
//! A launcher computes a job's status from those of its processes, and MPICH's launcher does so too late: if one
//! process has ended with 3, it kills the others and then reports 9, which is its own signal. So the thread that ends a
//! job also writes the job's status into a file (`runtime/conduit/mpi/end.c`). This file has precedence. If the thread
//! runs on another computer, where it cannot write the file, the launcher's status is used.

use crate::command::Cmd;
use crate::failure::Result;
use crate::scratch::{is_ignored, Scratch};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

/// The runtime's variable for the file.
pub const STATUS: &str = "FATHOM_STATUS_FILE";

/// Signals that the system or a user may send to the process that runs the job.
const PASSED_ON: [i32; 6] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

/// The launcher's process; 0 before it is there.
static LAUNCHER: AtomicI32 = AtomicI32::new(0);
/// A signal that came before the launcher was there.
static EARLY: AtomicI32 = AtomicI32::new(0);

/// The file for the job's status.
pub struct JobStatus {
    folder: Scratch,
}

impl JobStatus {
    pub fn new() -> Result<JobStatus> {
        let job = JobStatus { folder: Scratch::new()? };
        let file = job.file();
        std::fs::write(&file, "").map_err(|e| crate::Failure::io("write", &file, &e))?;
        Ok(job)
    }

    pub fn file(&self) -> std::path::PathBuf {
        self.folder.join("status")
    }

    /// Runs the launcher to its end, with this process's own input and output. The job's status; where a signal ended
    /// the launcher, this process ends by the same.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(self, launcher: &Cmd, env: &[(String, String)]) -> Result<i32> {
        let mut command = launcher.command();
        command.envs(env.iter().map(|(k, v)| (k, v)));
        // SAFETY: between fork and exec only system calls are made.
        unsafe {
            let us = libc::getpid();
            command.pre_exec(move || {
                // Otherwise it would go on if this process is killed.
                if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) != 0 || libc::getppid() != us {
                    return Err(std::io::Error::last_os_error());
                }
                Ok(())
            });
        }
        for signal in PASSED_ON.into_iter().filter(|&signal| !is_ignored(signal)) {
            handle(signal, pass_on as *const () as usize);
        }
        let started = command.spawn().map_err(|e| launcher.cannot_start(&e));
        let waited = started.and_then(|mut child| {
            LAUNCHER.store(child.id() as i32, SeqCst);
            match EARLY.swap(0, SeqCst) {
                0 => {}
                // SAFETY: kill() takes numbers; the child has not been waited for.
                signal => _ = unsafe { libc::kill(child.id() as i32, signal) },
            }
            child.wait().map_err(|e| launcher.cannot_start(&e))
        });
        LAUNCHER.store(0, SeqCst);
        let said = std::fs::read(self.file()).unwrap_or_default().first().copied();
        drop(self); // the folder goes, whatever comes
        Ok(status(said, waited?))
    }
}

/// The status from the thread that ended the job; else the launcher's status.
fn status(said: Option<u8>, launcher: ExitStatus) -> i32 {
    if let Some(status) = said {
        return status.into();
    }
    if let Some(signal) = launcher.signal() {
        handle(signal, libc::SIG_DFL);
        // SAFETY: raise() takes a number.
        unsafe { libc::raise(signal) };
    }
    launcher.code().unwrap_or(128 + launcher.signal().unwrap_or(0))
}

fn handle(signal: i32, handler: usize) {
    // SAFETY: sigaction reads `action`, for which zeros are a value; the handler is one, or SIG_DFL.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}

/// A terminal sends its signals to the launcher as well. If the launcher got one twice, it would not wait for the job's
/// end.
extern "C" fn pass_on(signal: i32, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the system gives a handler with SA_SIGINFO an `info`; kill() may be called in one.
    unsafe {
        let is_of_terminal = !info.is_null() && (*info).si_code > 0;
        match LAUNCHER.load(SeqCst) {
            0 => EARLY.store(signal, SeqCst),
            _ if is_of_terminal => {}
            launcher => _ = libc::kill(launcher, signal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(script: &str) -> i32 {
        let job = JobStatus::new().unwrap();
        let file = job.file().display().to_string();
        let status = job.run(&Cmd::new(["sh", "-c", script]), &[(STATUS.into(), file.clone())]).unwrap();
        assert!(!std::path::Path::new(&file).exists(), "the folder is left");
        status
    }

    #[test]
    fn who_ends_the_job_is_believed_and_else_the_launcher_is() {
        assert_eq!(ended("printf '\\003' >> $FATHOM_STATUS_FILE; exit 9"), 3);
        assert_eq!(ended("printf '\\000' >> $FATHOM_STATUS_FILE; exit 9"), 0);
        assert_eq!(ended("printf '\\003\\004' >> $FATHOM_STATUS_FILE; exit 0"), 3);
        assert_eq!(ended("exit 9"), 9);
        assert_eq!(ended("exit 0"), 0);
        // A signal to the waiting process is passed on to the launcher.
        let script = "trap 'exit 5' USR1; kill -USR1 $PPID; while :; do sleep 0.01; done";
        assert_eq!(ended(script), 5);
    }
}
