//! Other users of the computer: what they may have put where `fathom` looks.

use crate::support;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{fathom, folder, run, Outcome};

const HELLO: &str = r#"
#include <upc.h>
#include <stdio.h>
int main(void) {
    if (MYTHREAD == 0) printf("threads %d\n", THREADS);
    return 0;
}
"#;

fn names(dir: &Path) -> Vec<String> {
    let mut list: Vec<String> =
        fs::read_dir(dir).expect("a folder").flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    list.sort();
    list
}

/// A folder that everybody can write in, as /tmp is.
fn sticky() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in("/tmp").expect("a temporary folder");
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o1777)).expect("its mode");
    folder
}

/// `fathom run` without HOME, with a cache in this temporary folder.
fn run_without_home(tmp: &Path) -> Outcome {
    let dir = folder(&[("a.upc", HELLO)]);
    let mut command = fathom();
    command.current_dir(dir.path()).args(["run", "-n", "2", "a.upc"]).env("TMPDIR", tmp);
    command.env("FATHOM_CC", support::fast_compiler());
    command.env_remove("FATHOM_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
    run(command, Duration::from_secs(120))
}

/// In a folder that everybody can write in, anybody may have made the folder of the cache before, in order to have his
/// programs run by somebody else: by root, for example, whose services have no HOME.
#[test]
fn a_cache_that_a_stranger_made_is_never_used() {
    // SAFETY: geteuid cannot fail.
    let me = unsafe { libc::geteuid() };
    let tmp = sticky();
    let trap = tmp.path().join(format!("fathom-cache-{me}"));
    let theirs = me == 0;
    if theirs {
        // The attack as it was: nobody makes the folders, and waits for something to appear in them.
        let mut stranger = Command::new("mkdir");
        stranger.arg(&trap).arg(trap.join("tmp")).arg(trap.join("lock")).uid(65534).gid(65534);
        assert!(stranger.status().unwrap().success(), "mkdir as nobody");
    } else {
        // Where nobody else can be had, everybody will do.
        fs::create_dir(&trap).unwrap();
        fs::set_permissions(&trap, PermissionsExt::from_mode(0o777)).unwrap();
    }
    let before = names(&trap);
    let outcome = run_without_home(tmp.path());
    assert!(outcome.status == 0 && outcome.stdout == "threads 2\n", "{}", outcome.transcript());
    assert_eq!(names(&trap), before, "something was put into the stranger's folder");
    let expected = if theirs { "belongs to the user nobody" } else { "everybody can write in" };
    let said = &outcome.stderr;
    assert!(said.contains(expected) && said.contains("FATHOM_CACHE"), "{}", outcome.transcript());
    // The folder that serves instead is this user's alone, and the next run finds it again.
    let own = || -> Vec<String> { names(tmp.path()).into_iter().filter(|n| !trap.ends_with(n)).collect() };
    let made = own();
    assert!(made.len() == 1 && made[0].starts_with(&format!("fathom-cache-{me}-")), "{made:?}");
    assert_eq!(fs::metadata(tmp.path().join(&made[0])).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(run_without_home(tmp.path()).status, 0);
    assert_eq!(own(), made);
}

/// The folder that a user names is not replaced by another, but it is not trusted either.
#[test]
fn a_cache_that_others_can_change_is_refused_wherever_it_is_named() {
    let dir = folder(&[("a.upc", HELLO)]);
    let open = tempfile::tempdir_in("/tmp").expect("a temporary folder");
    fs::set_permissions(open.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let tmp = sticky();
    for variable in ["FATHOM_CACHE", "XDG_CACHE_HOME", "HOME"] {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "-fsyntax-only", "a.upc"]).env("TMPDIR", tmp.path());
        command.env_remove("FATHOM_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
        command.env(variable, open.path());
        let outcome = run(command, Duration::from_secs(60));
        assert_eq!(outcome.status, i32::from(variable == "FATHOM_CACHE"), "{}", outcome.transcript());
        assert!(outcome.stderr.contains("everybody can write in"), "{variable}: {}", outcome.transcript());
        assert!(outcome.stderr.contains("chmod go-w"), "{variable}: {}", outcome.transcript());
        assert_eq!(names(open.path()), [""; 0], "{variable}");
    }
}
