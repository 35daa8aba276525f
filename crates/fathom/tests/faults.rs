//! Jobs that are broken at random moments (tests/faults): a few rounds on smp, always the same; with FATHOM_TEST_WIDE=1
//! more, and on mpi too. `.ci/run faults` has many, other ones each time.

use crate::support;
use std::process::Command;
use std::time::Duration;
use support::{root, run};

#[test]
fn broken_jobs_end_with_one_message_and_leave_nothing() {
    let mut command = Command::new(root().join("tests/faults/run.sh"));
    match support::conduits::is_wide() {
        true => command.args(["--rounds", "60", "--mpi-rounds", "6"]),
        false => command.args(["--rounds", "12", "--mpi-rounds", "0"]),
    };
    let outcome = run(command, Duration::from_secs(1800));
    assert!(outcome.status == 0 && !outcome.timed_out && !outcome.left_behind, "{}", outcome.transcript());
}
