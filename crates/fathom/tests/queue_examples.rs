//! The examples of message queues: built with the installed library by the command that each shows at its top, and run. Their
//! results are known.

use crate::support;
use std::process::Command;
use std::time::Duration;
use support::{fathom, root, run};

/// The examples with the whole of their standard output.
const EXAMPLES: &[(&str, &str)] = &[
    // There are 1862 primes below 16000.
    ("server.c", "16000 requests of 16 clients served, 1862 primes\n"),
    ("publisher.c", "100 updates of 576 bytes written, 10000 taken by 100 subscribers\n"),
    ("steal.cpp", "724 ways to place 10 queens\n"),
];

#[test]
fn examples_of_message_queues_are_built_as_they_say_and_give_their_results() {
    for tool in ["pkg-config", "c++"] {
        let found = fathom_toolchain::compiler::which(tool).is_some();
        assert!(found || std::env::var("CI").is_err(), "{tool} is needed for this test");
        if !found {
            return;
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let mut install = fathom();
    install.current_dir(dir.path()).args(["install", "--prefix", "prefix"]);
    let installed = run(install, Duration::from_secs(240));
    assert_eq!(installed.status, 0, "{}", installed.stderr);
    std::os::unix::fs::symlink(root().join("examples"), dir.path().join("examples")).unwrap();
    let folder = root().join("examples/queues");
    let sources = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let others: Vec<String> = sources.filter(|name| EXAMPLES.iter().all(|(known, _)| name != known)).collect();
    // The crate's own tests have this one.
    assert_eq!(others, ["pipeline.rs"], "an example without a test");
    for (name, expected) in EXAMPLES {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let shown = text.lines().filter_map(|line| line.strip_prefix(" *     "));
        let line = shown.into_iter().find(|line| line.contains("pkg-config")).expect("the command, indented");
        assert!(line.contains(&format!("examples/queues/{name}")) && line.contains(" && ./"), "{name}: {line}");
        let mut shell = Command::new("sh");
        shell.current_dir(dir.path()).args(["-ec", line]);
        shell.env("PKG_CONFIG_PATH", dir.path().join("prefix/lib/pkgconfig")).env_remove("FATHOM_TUNING");
        let outcome = run(shell, Duration::from_secs(120));
        assert_eq!((outcome.status, outcome.stdout.as_str()), (0, *expected), "{name}: {}", outcome.transcript());
    }
}
