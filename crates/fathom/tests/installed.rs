//! What `fathom install` puts into place: the commands, the library with its headers, the man pages.

use crate::support;
use std::fs;
use std::process::Command;
use std::time::Duration;
use support::command::{has, names, ok, HELLO};
use support::{folder, run};

#[test]
fn install_puts_one_binary_and_its_names_and_they_work() {
    let dir = folder(&[("hello.upc", HELLO)]);
    ok(&dir, "install --bin-only --prefix here");
    ok(&dir, "install --bin-only --prefix here");
    let bin = dir.path().join("here/bin");
    assert_eq!(names(&bin), ["fathom", "splitc", "upcc", "upcrun"]);
    let as_name = |name: &str, args: &[&str]| {
        let mut command = Command::new(bin.join(name));
        command.current_dir(dir.path()).env("FATHOM_CACHE", support::cache()).env_remove("FATHOM_THREADS").args(args);
        run(command, Duration::from_secs(60))
    };
    let made = as_name("upcc", &["-T", "4", "-pthreads", "-network=smp", "-o", "hello", "hello.upc"]);
    assert_eq!(made.status, 0, "{}", made.transcript());
    assert_eq!(as_name("upcrun", &["-q", "-n", "4", "./hello", "a"]).stdout, "threads 4 sum 10 args 1\n");
    let others =
        "-N 1 -c=2 --cpus-per-node 2 -nobacktrace -freeze=1 -pthreads --localhost -shared-heap=8MB -pthreads=2";
    let many: Vec<&str> = others.split(' ').chain(["-n", "4", "-pthreads", "./hello", "-p", "2"]).collect();
    assert_eq!(as_name("upcrun", &many).stdout, "threads 4 sum 10 args 2\n");
    assert!(as_name("upcc", &["--version"]).stdout.contains("UPC 1.3"));
    assert!(as_name("upcrun", &["--help"]).stdout.contains("Usage: upcrun"));
    assert_ne!(as_name("upcrun", &["--nonsense", "./hello"]).status, 0);
}

/// Each thread tells the next; C11 and C++17.
const RING: &str = r#"
#include <fathom.h>
#include <stdio.h>
int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    fathom_ptr box = fathom_alloc_all(sizeof(long));
    long mine = fathom_me();
    fathom_put(fathom_on((fathom_me() + 1) % fathom_count(), box), &mine, sizeof mine);
    fathom_barrier_all();
    long sum = 0;
    for (int t = 0; t < fathom_count(); t++) sum += (long)fathom_get_value(fathom_on(t, box), sizeof(long));
    if (fathom_me() == 0) printf("%s: %d threads, sum %ld\n", fathom_conduit_name(), fathom_count(), sum);
    fathom_finalize();
    return 0;
}
"#;

const RING_CMAKE: &str = "\
cmake_minimum_required(VERSION 3.13)
project(ring C)
find_package(fathom REQUIRED COMPONENTS smp template)
add_executable(ring ring.c)
target_link_libraries(ring fathom::fathom)
add_executable(ring-template ring.c)
target_link_libraries(ring-template fathom::template)
";

/// A program over the message queues alone.
const QUEUES: &str = r#"
#include <msg.h>
#include <stdio.h>
int main(void) {
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = e ? msg_queue_create(e, 0, 0, 0) : NULL;
    msg_transmit *t = e ? msg_transmit_create(e, 0, 1, 0) : NULL;
    msg_message m;
    if (!q || !t || msg_connect(t, 0, q, 7) != MSG_OK || msg_express(t, 0, 3, 42) != MSG_OK || !msg_receive(q, &m)) {
        puts(msg_error());
        return 1;
    }
    printf("word %d from %u\n", (int)m.word, m.source);
    return 0;
}
"#;

/// The program of docs/queues.md for threads of a job, which C and C++ compile.
fn queues_ring() -> String {
    let page = include_str!("../../../docs/queues.md");
    let begin = page.find("```c\n/* ring.c").expect("the program") + "```c\n".len();
    page[begin..].split("```").next().expect("it ends").into()
}

#[test]
fn c_programs_find_the_installed_library_by_pkg_config_and_by_cmake() {
    let messages = queues_ring();
    let dir = folder(&[
        ("ring.c", RING),
        ("ring.cc", RING),
        ("queues.c", QUEUES),
        ("messages.c", &messages),
        ("messages.cc", &messages),
        ("CMakeLists.txt", RING_CMAKE),
    ]);
    ok(&dir, "install --prefix first");
    // Nothing in the tree depends on where it is.
    fs::rename(dir.path().join("first"), dir.path().join("moved")).expect("a new name");
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command
            .current_dir(dir.path())
            .args(["-ec", line])
            .env("PKG_CONFIG_PATH", dir.path().join("moved/lib/pkgconfig"));
        command.env_remove("FATHOM_THREADS");
        let outcome = run(command, Duration::from_secs(120));
        assert_eq!(outcome.status, 0, "{line}: {}", outcome.transcript());
        outcome.stdout
    };
    if has("pkg-config") {
        for (package, conduit) in [("fathom", "smp"), ("fathom-smp", "smp"), ("fathom-template", "template")] {
            shell(&format!(
                "cc -std=gnu11 -Wall -Wextra -Werror ring.c $(pkg-config --cflags --libs {package}) -o ring"
            ));
            assert_eq!(shell("./ring"), format!("{conduit}: 1 threads, sum 0\n"));
            assert_eq!(shell("FATHOM_THREADS=3 ./ring"), format!("{conduit}: 3 threads, sum 3\n"));
        }
        shell("cc -std=c11 -Wall -Wextra -Werror queues.c $(pkg-config --cflags --libs fathom-msg) -o queues");
        assert_eq!(shell("./queues"), "word 42 from 7\n");
        // libfathom has the queues, too, and gives way to the library of their own, whichever comes first.
        for packages in ["fathom", "fathom-msg fathom", "fathom fathom-msg"] {
            shell(&format!("cc -std=gnu11 queues.c $(pkg-config --cflags --libs {packages}) -o queues"));
            assert_eq!(shell("./queues"), "word 42 from 7\n");
        }
        let warnings = "-Wall -Wextra -Wconversion -Werror";
        let mut compilers = vec![format!("cc -std=c11 {warnings} messages.c")];
        if has("c++") {
            compilers.push(format!("c++ -std=c++17 {warnings} messages.cc"));
        }
        for compiler in compilers {
            shell(&format!("{compiler} $(pkg-config --cflags --libs fathom) -o messages"));
            let said = shell("FATHOM_THREADS=3 ./messages | sort");
            assert_eq!(said, "thread 0: 42 from 2\nthread 1: 42 from 0\nthread 2: 42 from 1\n", "{compiler}");
        }
        if has("c++") {
            shell("c++ -std=gnu++17 -Wall -Wextra -Werror ring.cc $(pkg-config --cflags --libs fathom) -o ring");
            assert_eq!(shell("FATHOM_THREADS=4 ./ring"), "smp: 4 threads, sum 6\n");
        }
        if !support::conduits::mpiccs().is_empty() && fathom_toolchain::mpi::wrapper().is_ok() {
            shell("cc -O2 ring.c $(pkg-config --cflags --libs fathom-mpi) -o ring");
            assert_eq!(ok(&dir, "run -n 3 ./ring").stdout, "mpi: 3 threads, sum 3\n");
        }
    }
    if has("cmake") {
        shell("cmake -S . -B build -DCMAKE_PREFIX_PATH=$PWD/moved >&2 && cmake --build build >&2");
        assert_eq!(shell("FATHOM_THREADS=3 build/ring"), "smp: 3 threads, sum 3\n");
        assert_eq!(shell("FATHOM_THREADS=2 build/ring-template"), "template: 2 threads, sum 1\n");
    }
}

/// The text of a man page, as a reader sees its characters.
fn page_text(troff: &str) -> String {
    let mut text = String::new();
    for line in troff.lines().filter(|l| !l.starts_with(".\\\"")) {
        text.push_str(line);
        text.push('\n');
    }
    for (escape, plain) in [
        ("\\fB", ""),
        ("\\fI", ""),
        ("\\fR", ""),
        ("\\&", ""),
        ("\\-", "-"),
        ("\\(dq", "\""),
        ("\\(aq", "'"),
        ("\\*(Aq", "'"),
        ("\\[u2026]", "…"),
        ("\\e", "\\"),
        ("\\\\", "\\"),
    ] {
        text = text.replace(escape, plain);
    }
    text.to_lowercase()
}

#[test]
fn man_pages_say_what_help_says() {
    let dir = folder(&[]);
    ok(&dir, "install --prefix here");
    let man = dir.path().join("here/share/man/man1");
    let pages = names(&man);
    let subcommands: Vec<&str> = pages.iter().filter_map(|p| p.strip_prefix("fathom-")?.strip_suffix(".1")).collect();
    assert!(subcommands.len() >= 10 && subcommands.contains(&"cc") && subcommands.contains(&"tune"), "{pages:?}");
    let help_of = |program: &str, args: &[&str]| {
        let mut command = Command::new(dir.path().join("here/bin").join(program));
        command.args(args);
        run(command, Duration::from_secs(60)).stdout
    };
    let mut compared = vec![("fathom.1".to_string(), help_of("fathom", &["--help"]))];
    compared.push(("upcrun.1".to_string(), help_of("upcrun", &["--help"])));
    for name in subcommands {
        let words: Vec<&str> = name.split('-').chain(["--help"]).collect();
        compared.push((format!("fathom-{name}.1"), help_of("fathom", &words)));
    }
    for (page, help) in &compared {
        let text = page_text(&fs::read_to_string(man.join(page)).expect("a page"));
        let of_layout = ["Usage:", "Commands:", "Arguments:", "Options:", "  help "];
        let words = help.lines().filter(|line| !of_layout.iter().any(|start| line.starts_with(start)));
        for word in words.flat_map(str::split_whitespace) {
            let word = word.to_lowercase();
            // clap puts a default and the possible values in brackets, the page puts the latter in a list.
            assert!(
                text.contains(word.trim_matches(|c| "[]<>,:.".contains(c))),
                "{page} lacks '{word}' of --help:\n{text}"
            );
        }
    }
    assert!(fs::read_to_string(man.join("upcc.1")).expect("a page").contains("fathom-cc.1"));
    if has("groff") {
        for page in &pages {
            let mut command = Command::new("groff");
            command.current_dir(man.parent().expect("a folder")).args(["-man", "-ww", "-Tutf8", "-s"]);
            let shown = run(
                {
                    command.arg(format!("man1/{page}"));
                    command
                },
                Duration::from_secs(60),
            );
            assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{page}");
        }
    }
}
