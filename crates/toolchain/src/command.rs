//! Running the C compiler: `-v` shows the command, and its output is collected so that the outputs of parallel steps do
//! not mix.

use crate::compiler::CALLED_AS_C_COMPILER;
use crate::failure::{Failure, Result};
use crate::scratch::{stop_if_signalled, ChildGuard};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command line under construction.
#[derive(Clone, Debug)]
pub struct Cmd {
    pub words: Vec<OsString>,
    temporaries: Option<PathBuf>,
}

/// The status of a command, and its output.
pub struct Ended {
    /// The exit status, 128 + the signal's number if a signal ended it.
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Cmd {
    pub fn new<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> Self {
        Self { words: words.into_iter().map(|w| w.as_ref().to_os_string()).collect(), temporaries: None }
    }

    /// The folder for the command's own temporary files. A C compiler that a signal ends between making the name of a
    /// file and the process that writes it leaves that file behind.
    pub fn temporaries_in(self, folder: &Path) -> Self {
        Self { temporaries: Some(folder.to_path_buf()), ..self }
    }
    pub fn arg(mut self, word: impl AsRef<OsStr>) -> Self {
        self.words.push(word.as_ref().to_os_string());
        self
    }
    pub fn args<S: AsRef<OsStr>>(mut self, words: impl IntoIterator<Item = S>) -> Self {
        self.words.extend(words.into_iter().map(|w| w.as_ref().to_os_string()));
        self
    }

    /// As a line that a shell would take.
    pub fn line(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|w| quoted(&w.to_string_lossy())).collect();
        words.join(" ")
    }

    /// Runs the command to its end and collects its output.
    pub fn run(&self) -> Result<Ended> {
        let mut command = self.command();
        command.env(CALLED_AS_C_COMPILER, "1");
        // Only a source named `-` may read the user's standard input.
        let reads_ours = self.words.iter().any(|w| w == "-");
        let stdin = if reads_ours { Stdio::inherit() } else { Stdio::null() };
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !reads_ours {
            // A signal that ends this process then ends the processes that the compiler has started, too. A process that
            // reads the terminal must stay in the terminal's group.
            command.process_group(0);
        }
        let (child, guard) = ChildGuard::spawn(&mut command).map_err(|e| self.cannot_start(&e))?;
        let out = child.wait_with_output().map_err(|e| self.cannot_start(&e))?;
        drop(guard);
        stop_if_signalled();
        Ok(Ended { status: status_of(out.status), stdout: out.stdout, stderr: out.stderr })
    }

    /// Runs with this process's own input and output; the status.
    pub fn run_through(&self) -> Result<i32> {
        let mut command = self.command();
        command.env(CALLED_AS_C_COMPILER, "1");
        let (mut child, guard) = ChildGuard::spawn(&mut command).map_err(|e| self.cannot_start(&e))?;
        let status = child.wait().map_err(|e| self.cannot_start(&e))?;
        drop(guard);
        stop_if_signalled();
        Ok(status_of(status))
    }

    /// Replaces this process by the command, which then gets the signals and gives the exit status. Returns only on
    /// failure.
    pub fn exec(&self, env: &[(String, String)]) -> Failure {
        let mut command = self.command();
        command.envs(env.iter().map(|(k, v)| (k, v)));
        let error = command.exec();
        self.cannot_start(&error)
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        if let Some(folder) = &self.temporaries {
            command.env("TMPDIR", folder);
        }
        command
    }

    pub(crate) fn cannot_start(&self, error: &std::io::Error) -> Failure {
        let failure = Failure::io("run", Path::new(&self.words[0]), error);
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => Failure { status: 126, ..failure }.hint("is it an executable?"),
            std::io::ErrorKind::NotFound => Failure { status: 127, ..failure },
            _ => failure,
        }
    }
}

fn status_of(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// A word as a shell would need it.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map(|q| q.into_owned()).unwrap_or_else(|_| word.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_quoted_for_a_shell() {
        assert_eq!(Cmd::new(["cc", "-DX=a b", "x.c"]).line(), "cc '-DX=a b' x.c");
    }

    #[test]
    fn a_command_that_is_missing_says_so() {
        let failure = Cmd::new(["/no/such/program"]).run().err().unwrap();
        assert_eq!(failure.status, 127);
        assert!(failure.what.contains("/no/such/program"), "{}", failure.what);
    }

    #[test]
    fn output_and_status_are_collected() {
        let ended = Cmd::new(["sh", "-c", "echo out; echo err >&2; exit 3"]).run().unwrap();
        assert_eq!((ended.status, &ended.stdout[..], &ended.stderr[..]), (3, &b"out\n"[..], &b"err\n"[..]));
    }
}
