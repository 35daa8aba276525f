//! What the tests of `fathom simulate` and `fathom replay` share.
#![allow(dead_code)]

use super::{fathom, run, Outcome};
use std::path::Path;
use std::time::Duration;

pub const LIMIT: Duration = Duration::from_secs(240);
pub fn simulate(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).arg("simulate").args(args);
    run(command, LIMIT)
}
pub fn replay(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).arg("replay").args(args);
    run(command, LIMIT)
}
/// A folder with a program in it.
pub fn with(name: &str, text: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(name), text).unwrap();
    dir
}
pub const RING: &str = r#"
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>
shared int box[THREADS];
strict shared int token;
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_tick_t start = upc_ticks_now();
    box[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++) sum += box[t];
    for (int i = 0; i < 5; i++) {
        upc_lock(lock);
        token = token + 1;
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("sum %d, token %d, %lu ns\n", sum, token, (unsigned long)upc_ticks_to_ns(upc_ticks_now() - start));
    return 0;
}
"#;
