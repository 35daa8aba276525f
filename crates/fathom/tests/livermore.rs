//! What compiling as UPC costs private C: the 24 Livermore loops through the whole front end have the machine code that the C
//! compiler makes of them directly. And what a compiler makes of a loop that calls a function for each element.

use crate::support;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{fathom, folder, root, run};

/// The C compiler of these tests.
fn cc() -> String {
    std::env::var("FATHOM_CC").unwrap_or_else(|_| "cc".into())
}

/// What objdump says of an object's code, with its relocations, without what names the file.
fn code(object: &Path) -> String {
    let output = Command::new("objdump").args(["-dr", "--no-show-raw-insn"]).arg(object).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter(|line| !line.contains("file format")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_loops_have_the_machine_code_of_c() {
    let home = root().join("bench/livermore");
    let dir = folder(&[]);
    let include = format!("-I{}", home.display());
    let mut kernels = 0;
    for group in ["k01_06", "k07_12", "k13_18", "k19_24"] {
        let text = std::fs::read_to_string(home.join(format!("{group}.c"))).unwrap();
        kernels += text.lines().filter(|line| line.starts_with("KERNEL(")).count();
        let objects = ["c", "upc"].map(|extension| {
            let source = dir.path().join(format!("{group}.{extension}"));
            std::fs::write(&source, &text).unwrap();
            let object = dir.path().join(format!("{group}.{extension}.o"));
            let mut command = if extension == "c" { Command::new(cc()) } else { fathom() };
            if extension == "upc" {
                command.arg("cc");
            }
            command.args(["-O2", "-std=gnu17", "-DLFK_SIDE=side_", &include, "-c"]);
            command.arg(&source).arg("-o").arg(&object);
            let outcome = run(command, Duration::from_secs(120));
            assert_eq!(outcome.status, 0, "{}", outcome.transcript());
            object
        });
        let [c, upc] = objects.map(|object| code(&object));
        assert!(c.len() > 1000, "{c}");
        assert!(c == upc, "{group}: the code differs");
    }
    assert_eq!(kernels, 24);
}

#[test]
fn a_loop_that_calls_a_function_for_each_element_is_not_vectorised() {
    // By stores, and by a function of a library that puts an element.
    let source = "void put(double *, double, int);\n\
        void by_stores(double *restrict to, const double *restrict from, int n) {\n\
            for (int i = 0; i < n; i++) to[i] = 3 * from[i];\n\
        }\n\
        void by_calls(double *restrict to, const double *restrict from, int n) {\n\
            for (int i = 0; i < n; i++) put(to, 3 * from[i], i);\n\
        }\n";
    let dir = folder(&[("loops.upc", source)]);
    let object = dir.path().join("loops.o");
    let mut command = fathom();
    command.args(["cc", "-O3", "-c"]).arg(dir.path().join("loops.upc")).arg("-o").arg(&object);
    let outcome = run(command, Duration::from_secs(60));
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let all = code(&object);
    let of = |name: &str| {
        let body = all.split(&format!("<{name}>:")).nth(1).unwrap_or_else(|| panic!("no {name}: {all}"));
        body.split(">:\n").next().unwrap().to_string()
    };
    // Multiplications of several doubles at once, and of one.
    assert!(of("by_stores").contains("mulpd"), "{all}");
    let calls = of("by_calls");
    assert!(!calls.contains("mulpd") && calls.contains("mulsd"), "{all}");
}
