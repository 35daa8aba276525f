//! `fathom replay --export-otf2`: the run as an archive of OTF2, which a program of its own writes through the OTF2 library.

use fathom_simulate::program::Outcome;
use fathom_simulate::trace::otf2::{self, About};
use fathom_simulate::trace::Trace;
use fathom_toolchain::{Failure, Result};
use std::io::{BufWriter, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// The file of an archive that readers open.
const ANCHOR: &str = "traces.otf2";

/// Refuses a folder that has something in it: an archive is written into an empty one, or one that is made for it. The folder
/// around it is not made.
///
/// # Errors
/// That it has.
pub fn check(folder: &Path) -> Result<()> {
    let is_free = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    let around = folder.parent().filter(|around| !around.as_os_str().is_empty());
    if let Some(around) = around.filter(|around| !around.is_dir()) {
        return Err(Failure::new(format!(
            "cannot write {}: there is no folder {}",
            folder.display(),
            around.display()
        )));
    }
    match is_free {
        true => Ok(()),
        false => Err(Failure::new(format!("{} is not an empty folder: an archive of OTF2 is one", folder.display()))
            .hint("give --export-otf2 the name of a folder that does not exist yet")),
    }
}

/// Whether the disk of this folder, or of the one around it, has no room: OTF2's messages do not say that.
fn is_full(folder: &Path) -> bool {
    let there = if folder.exists() { folder } else { folder.parent().unwrap_or(folder) };
    std::ffi::CString::new(there.as_os_str().as_bytes()).is_ok_and(|name| {
        // SAFETY: the name ends with a zero, and the result is on the stack.
        unsafe {
            let mut room: libc::statvfs = std::mem::zeroed();
            libc::statvfs(name.as_ptr(), &raw mut room) == 0 && room.f_bavail == 0
        }
    })
}

/// Writes the archive, and says what is in it. `outcome`: a replay with its history.
///
/// # Errors
/// OTF2 is missing, or the archive cannot be written.
pub fn export(trace: &Trace, machine: &str, outcome: &Outcome, folder: &Path) -> Result<String> {
    let failed = |why: String| Failure::new(format!("cannot write the archive {}: {why}", folder.display()));
    let history = outcome.history.as_ref().ok_or_else(|| failed("the run was not noted".into()))?;
    let writer = fathom_toolchain::otf2::writer()?;
    let head = &trace.head;
    let description = format!("{}, {} threads, simulated on {machine}. {}", head.program, head.threads, head.basis);
    let creator = format!("fathom {}", env!("CARGO_PKG_VERSION"));
    let program = head.program.rsplit('/').next().unwrap_or(&head.program);
    let about = About { creator: &creator, description: &description, program, machine };
    let mut child = Command::new(&writer)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::io("run", &writer, &error))?;
    let Some(pipe) = child.stdin.take() else { return Err(failed("no pipe".into())) };
    let mut to = BufWriter::with_capacity(1 << 16, pipe);
    let written = otf2::write(history, &about, &mut to)
        .and_then(|written| to.into_inner().map(|_| written).map_err(|e| e.into_error()));
    // What it says is short: it ends with its first failure.
    let ended = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !ended.status.success() && is_full(folder) {
        return Err(Failure::io("write", folder, &ErrorKind::StorageFull.into()));
    }
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(failed(said.trim().lines().last().unwrap_or("the writer has failed").to_string()));
    }
    let written = written.map_err(|error| failed(error.to_string()))?;
    Ok(format!(
        "\n{} has {} events of {} locations, in {} regions: otf2-print, Vampir and python3-otf2 read it.\n",
        folder.join(ANCHOR).display(),
        written.events,
        written.locations,
        written.regions
    ))
}
