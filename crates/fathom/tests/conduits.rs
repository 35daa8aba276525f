//! Programs for each conduit: building, starting and ending them.

use crate::support;
use std::fs;
use std::process::Command;
use std::time::Duration;
use support::command::{eventually, f, not_ignored, ok, start, HELLO, PART_DATA, PART_MAIN};
use support::{fathom, folder, run, Outcome};
use tempfile::TempDir;

/// The conduits but smp that programs can be built for here, with an MPI's compiler wrapper.
fn far_conduits() -> Vec<(&'static str, Option<String>)> {
    let mpis = support::conduits::mpiccs().into_iter().map(|wrapper| ("mpi", Some(wrapper)));
    [("template", None)].into_iter().chain(mpis).collect()
}

/// `fathom` with an MPI chosen.
fn with_mpi(dir: &TempDir, mpicc: &Option<String>, line: &str) -> Outcome {
    let mut command = fathom();
    command.current_dir(dir.path()).args(line.split_whitespace());
    if let Some(mpicc) = mpicc {
        command.env("FATHOM_MPICC", mpicc);
    }
    run(command, Duration::from_secs(120))
}

#[test]
fn every_conduit_builds_and_an_executable_knows_its_own() {
    let dir = folder(&[("hello.upc", HELLO)]);
    for (conduit, mpicc) in far_conduits() {
        let direct = with_mpi(&dir, &mpicc, &format!("run --conduit {conduit} -n 3 hello.upc"));
        assert_eq!(direct.stdout, "threads 3 sum 6 args 0\n", "{conduit}: {}", direct.transcript());
        let made = with_mpi(&dir, &mpicc, &format!("cc -network={conduit} -O1 -o hello hello.upc"));
        assert_eq!((made.status, made.stderr.as_str()), (0, ""), "{}", made.transcript());
        // Without a word about the conduit, and whatever MPI is the default now.
        let started = ok(&dir, "run -v -n 2 ./hello a b");
        assert_eq!(started.stdout, "threads 2 sum 3 args 2\n", "{}", started.transcript());
        assert_eq!(started.stderr.contains("mpi"), conduit == "mpi", "{}", started.transcript());
        let seven = f(&dir, "run -n 2 ./hello x");
        assert_eq!(seven.status, 7, "{}", seven.transcript());
        let wrong = f(&dir, "run --conduit smp -n 2 ./hello");
        assert!(
            wrong.status == 1 && wrong.stderr.contains(&format!("made for the conduit {conduit}")),
            "{}",
            wrong.stderr
        );
    }
}

#[test]
fn plain_mpirun_starts_a_program_and_one_mpis_launcher_is_not_anothers() {
    let dir = folder(&[("hello.upc", HELLO)]);
    let mpiccs = support::conduits::mpiccs();
    for mpicc in &mpiccs {
        let made = with_mpi(&dir, &Some(mpicc.clone()), "cc --conduit mpi -o hello hello.upc");
        assert_eq!(made.status, 0, "{}", made.transcript());
        let start = |launcher: &str, arguments: &str| {
            let mut command = Command::new(launcher.replace("mpicc", "mpirun"));
            for permission in
                ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"]
            {
                command.env(permission, "1");
            }
            command.current_dir(dir.path()).args(arguments.split(' ')).env_remove("FATHOM_THREADS");
            run(command, Duration::from_secs(60))
        };
        // A number that only some of the processes are told.
        for arguments in
            ["-n 1 env FATHOM_THREADS=3 ./hello : -n 1 ./hello", "-n 1 ./hello : -n 1 env FATHOM_THREADS=3 ./hello"]
        {
            let outcome = start(mpicc, arguments);
            assert!(!outcome.timed_out && outcome.status == 1, "{}", outcome.transcript());
            assert_eq!(outcome.stderr.matches("3 threads are wanted").count(), 1, "{}", outcome.transcript());
        }
        for launcher in &mpiccs {
            let outcome = start(launcher, "-n 3 ./hello");
            if launcher == mpicc {
                assert_eq!(outcome.stdout, "threads 3 sum 6 args 0\n", "{mpicc}: {}", outcome.transcript());
            } else {
                assert!(outcome.status != 0 && outcome.stdout.is_empty(), "{}", outcome.transcript());
                assert_eq!(
                    outcome.stderr.matches("mpirun has started 3 processes").count(),
                    1,
                    "{}",
                    outcome.transcript()
                );
            }
        }
    }
}

/// Computes for ever; each thread says once that it is there.
const ENDLESS: &str = r#"
#include <upc.h>
#include <stdio.h>
shared int word[THREADS];
int main(void) {
    upc_barrier;
    printf("here\n");
    fflush(stdout);
    for (;;) word[(MYTHREAD + 1) % THREADS]++;
}
"#;

/// Whoever ends the command ends the whole job, on every conduit; the kernel sees to it where nobody is told (SIGKILL).
#[test]
fn a_killed_job_leaves_no_process() {
    let dir = folder(&[("endless.upc", ENDLESS)]);
    let conduits = [("smp", None)].into_iter().chain(far_conduits());
    for (conduit, mpicc) in conduits {
        let made = with_mpi(&dir, &mpicc, &format!("cc --conduit {conduit} -o endless endless.upc"));
        assert_eq!(made.status, 0, "{}", made.transcript());
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGKILL] {
            let mark = format!("{}-{conduit}-{signal}", std::process::id());
            let output = fs::File::create(dir.path().join("output")).expect("a file");
            let mut command = fathom();
            command.current_dir(dir.path()).args(["run", "-n", "3", "./endless"]).env(support::MARK, &mark);
            not_ignored(&mut command, libc::SIGINT);
            let mut child = command.stdout(output).stderr(std::process::Stdio::null()).spawn().expect("fathom");
            let wait_until = |what: &str, done: &dyn Fn() -> bool| {
                if !eventually(done) {
                    support::kill_marked(&mark);
                    panic!("{conduit} {mpicc:?}, signal {signal}: {what}");
                }
            };
            let lines = || fs::read_to_string(dir.path().join("output")).unwrap_or_default().lines().count();
            wait_until("the threads do not start", &|| lines() == 3);
            // SAFETY: the child is ours and was not waited for.
            unsafe { libc::kill(child.id() as i32, signal) };
            let status = child.wait().expect("an end");
            assert!(!status.success() || conduit == "mpi", "{conduit} {mpicc:?}, signal {signal}: {status}");
            wait_until("processes are left", &|| support::marked(&mark).is_empty());
        }
    }
}

#[test]
fn the_conduit_comes_from_the_environment_where_no_option_says_it() {
    let dir = folder(&[("hello.upc", HELLO)]);
    let c = |conduit: &str, option: &str| {
        let mut command = fathom();
        let line = format!("cc {option} -trans -o out.c hello.upc");
        command.current_dir(dir.path()).args(line.split_whitespace()).env("FATHOM_CONDUIT", conduit);
        let outcome = run(command, Duration::from_secs(60));
        (outcome.status, fs::read_to_string(dir.path().join("out.c")).unwrap_or_default(), outcome.stderr)
    };
    let (far, near) = (c("template", ""), c("template", "--conduit smp"));
    assert!(far.0 == 0 && far.1.contains("distributed.h"), "{}", far.2);
    assert!(near.0 == 0 && !near.1.contains("distributed.h"), "{}", near.2);
    let unknown = c("carrier-pigeon", "");
    assert!(unknown.0 == 1 && unknown.2.contains("carrier-pigeon") && unknown.2.contains("template"), "{}", unknown.2);
}

#[test]
fn units_for_different_kinds_of_conduit_do_not_run_together() {
    let dir = folder(&[("main.upc", PART_MAIN), ("data.upc", PART_DATA)]);
    ok(&dir, "cc --conduit smp -c main.upc");
    ok(&dir, "cc --conduit template -c data.upc");
    let linked = f(&dir, "cc --conduit smp -o bad main.o data.o");
    let failed = if linked.status == 0 { start(&dir, "bad", Some(2), &[]) } else { linked };
    assert!(
        failed.status != 0 && failed.stderr.contains("data.upc was compiled for a conduit"),
        "{}",
        failed.transcript()
    );
}

#[test]
fn a_missing_mpi_is_explained() {
    let dir = folder(&[("a.upc", HELLO)]);
    let with = |variable: &str, value: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "--conduit", "mpi", "-o", "a", "a.upc"]).env(variable, value);
        run(command, Duration::from_secs(60))
    };
    let outcome = with("FATHOM_MPICC", "no-such-mpicc");
    assert!(outcome.status == 1 && outcome.stderr.contains("FATHOM_MPICC"), "{}", outcome.transcript());
    let outcome = with("FATHOM_MPICC", "true");
    assert!(outcome.status == 1 && outcome.stderr.contains("does not say how to link"), "{}", outcome.transcript());
    // A PATH with a C compiler and no MPI.
    let tools = folder(&[]);
    for tool in ["cc", "gcc", "ld", "as", "ar", "objcopy"] {
        if let Some(path) = fathom_toolchain::compiler::which(tool) {
            std::os::unix::fs::symlink(path, tools.path().join(tool)).expect("a link");
        }
    }
    let mut command = fathom();
    command.current_dir(dir.path()).args(["cc", "--conduit", "mpi", "-o", "a", "a.upc"]);
    command.env("PATH", tools.path()).env_remove("FATHOM_MPICC").env_remove("CC").env_remove("FATHOM_CC");
    let outcome = run(command, Duration::from_secs(60));
    assert!(outcome.status == 1 && outcome.stderr.contains("libopenmpi-dev"), "{}", outcome.transcript());
}
