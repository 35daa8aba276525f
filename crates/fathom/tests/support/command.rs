//! The command in a folder of its own, and programs for it.

use super::{fathom_in, run, Outcome};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Prints who it is; its sum of shared data needs every thread.
pub const HELLO: &str = r#"
#include <upc.h>
#include <stdio.h>
shared int ticket[THREADS];
int main(int argc, char **argv) {
    ticket[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < THREADS; i++) sum += ticket[i];
    if (MYTHREAD == 0) printf("threads %d sum %d args %d\n", THREADS, sum, argc - 1);
    return argc > 1 && argv[1][0] == 'x' ? 7 : 0;
}
"#;

/// Two units that share an array.
pub const PART_MAIN: &str = r#"
#include <upc.h>
#include <stdio.h>
extern shared int data[THREADS];
int total(void);
int main(void) {
    data[MYTHREAD] = 10;
    upc_barrier;
    if (MYTHREAD == 0) printf("total %d\n", total());
    return 0;
}
"#;
pub const PART_DATA: &str = r#"
#include <upc.h>
shared int data[THREADS];
int total(void) {
    int sum = 0;
    for (int i = 0; i < THREADS; i++) sum += data[i];
    return sum;
}
"#;

/// `fathom` with a line of arguments.
pub fn f(dir: &TempDir, line: &str) -> Outcome {
    fathom_in(dir.path(), line.split_whitespace())
}

/// The same, which must work.
pub fn ok(dir: &TempDir, line: &str) -> Outcome {
    let outcome = f(dir, line);
    assert_eq!(outcome.status, 0, "fathom {line}: {}", outcome.transcript());
    outcome
}

/// A program that was made, on some threads.
pub fn start(dir: &TempDir, program: &str, threads: Option<u32>, args: &[&str]) -> Outcome {
    let mut command = Command::new(dir.path().join(program));
    command.current_dir(dir.path()).args(args).env_remove("FATHOM_THREADS");
    if let Some(n) = threads {
        command.env("FATHOM_THREADS", n.to_string());
    }
    run(command, Duration::from_secs(60))
}

pub fn names(dir: &Path) -> Vec<String> {
    let mut list: Vec<String> =
        fs::read_dir(dir).expect("a folder").flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    list.sort();
    list
}

/// Does it become true within ten minutes? The computer may be busy, and only what hangs takes that long.
pub fn eventually(done: impl Fn() -> bool) -> bool {
    (0..30_000).any(|_| {
        let is_done = done();
        if !is_done {
            std::thread::sleep(Duration::from_millis(20));
        }
        is_done
    })
}

/// What runs in the background of a shell without job control is started with SIGINT and SIGQUIT ignored.
pub fn not_ignored(command: &mut std::process::Command, signal: i32) {
    // SAFETY: signal may be called between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::signal(signal, libc::SIG_DFL);
            Ok(())
        })
    };
}

/// Is the program here? In CI it has to be.
pub fn has(program: &str) -> bool {
    let found = fathom_toolchain::compiler::which(program).is_some();
    assert!(found || std::env::var("CI").is_err(), "{program} is needed for this test");
    found
}
