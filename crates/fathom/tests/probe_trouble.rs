//! `fathom probe` when things go wrong: it is interrupted, its terminal is closed, there is no room for what it found,
//! another one measures at the same time. Nothing here asserts how long measuring takes.

use crate::support;
use fathom_profile::Profile;
use std::collections::BTreeSet;
use std::fs::File;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{fathom, marked, run};

/// On a computer that has much else to do.
const LIMIT: Duration = Duration::from_secs(240);

/// A probe that measures until it is ended, with its mark; returns when its prober is there.
fn measuring(dir: &Path, mark: &str, arrange: impl FnOnce(&mut Command)) -> Child {
    let mut command = fathom();
    command.args(["probe", "--ask", "clock"]);
    assert_eq!(run(command, LIMIT).status, 0); // the prober is built
    let mut command = fathom();
    command.current_dir(dir).args(["probe", "--only", "communication,sharing", "-n", "2"]);
    command.env(support::MARK, mark).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Who runs the tests may have had signals ignored, and then they are ignored for good.
    // SAFETY: system calls only.
    unsafe {
        command.pre_exec(|| {
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                libc::signal(signal, libc::SIG_DFL);
            }
            Ok(())
        });
    }
    arrange(&mut command);
    let child = command.spawn().unwrap();
    let started = Instant::now();
    while marked(mark).len() < 3 && started.elapsed() < LIMIT {
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// It ends by that signal, before it has measured, and leaves nothing.
fn ends_by(signal: i32, mut child: Child, dir: &Path, mark: &str) {
    assert_eq!(child.wait().unwrap().signal(), Some(signal));
    let ended = Instant::now();
    while !marked(mark).is_empty() && ended.elapsed() < support::GONE {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(marked(mark).is_empty(), "a process is left");
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0, "a file is left");
}

#[test]
fn a_signal_ends_it_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let mark = format!("ended-by-{signal}-{}", std::process::id());
        let child = measuring(dir.path(), &mark, |_| {});
        // SAFETY: kill() takes numbers; the child has not been waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        ends_by(signal, child, dir.path(), &mark);
    }
}

/// Its progress cannot be shown any more then: that must not keep it from ending.
#[test]
fn a_terminal_that_is_closed_ends_it_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mark = format!("closed-{}", std::process::id());
    let (mut near, mut far) = (-1, -1);
    // SAFETY: openpty() writes two descriptors, which nobody else owns.
    let (near, far) = unsafe {
        let nothing = std::ptr::null_mut();
        assert_eq!(libc::openpty(&mut near, &mut far, nothing, nothing.cast(), nothing.cast()), 0);
        // A child of a test beside this one would keep the terminal open.
        for fd in [near, far] {
            libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
        }
        (OwnedFd::from_raw_fd(near), OwnedFd::from_raw_fd(far))
    };
    // SAFETY: system calls only; the terminal becomes that of the child's own session.
    let child = measuring(dir.path(), &mark, |command| unsafe {
        command.stderr(File::from(far)).env("TERM", "xterm").pre_exec(|| {
            libc::setsid();
            match libc::ioctl(2, libc::TIOCSCTTY, 0) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    });
    drop(near);
    ends_by(libc::SIGHUP, child, dir.path(), &mark);
}

#[test]
fn a_full_disk_and_a_second_probe_are_told_and_what_was_measured_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let address = SocketAddr::from_abstract_name("fathom-probe").unwrap();
    let started = Instant::now();
    let other = loop {
        match UnixListener::bind_addr(&address) {
            Ok(other) => break other,
            Err(_) if started.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(10)), // a test beside this one
            Err(e) => panic!("{e}"),
        }
    };
    let mut command = fathom();
    command.current_dir(dir.path()).env("TMPDIR", dir.path());
    command.args([
        "probe",
        "--quick",
        "--only",
        "synchronisation",
        "-n",
        "2",
        "-o",
        "/dev/full",
        "--html",
        "page.html",
    ]);
    let outcome = run(command, LIMIT);
    drop(other);
    let transcript = outcome.transcript();
    assert!(outcome.status == 1 && !outcome.left_behind, "{transcript}");
    assert!(outcome.stderr.contains(&format!("another fathom probe (process {})", std::process::id())), "{transcript}");
    assert!(outcome.stderr.contains("cannot write /dev/full: No space left"), "{transcript}");
    assert!(outcome.stderr.contains("barrier"), "what was measured is not told: {transcript}");
    let files: BTreeSet<String> =
        std::fs::read_dir(dir.path()).unwrap().flatten().filter_map(|e| e.file_name().into_string().ok()).collect();
    assert!(files.len() == 1, "{files:?}");
    let kept = dir.path().join(files.first().unwrap());
    assert!(outcome.stderr.contains(&kept.display().to_string()), "{transcript}");
    let disturbances = Profile::read(&kept).unwrap().about.disturbances;
    assert!(disturbances.iter().any(|d| d.starts_with("another fathom probe")), "{disturbances:?}");
}
