//! Builds the C library of the message queues (`runtime/msg`) with the C compiler of this computer.
use std::path::Path;

fn main() {
    let runtime = Path::new("../../runtime");
    let sources = std::fs::read_dir(runtime.join("msg")).expect("runtime/msg, which is part of this repository");
    let mut sources: Vec<_> = sources.map(|entry| entry.expect("a readable folder").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|e| e == "c"));
    sources.sort();
    let mut build = cc::Build::new();
    build.files(&sources).file("src/layout.c").include(runtime).include(runtime.join("include"));
    build.std("gnu17").flag("-pthread").compile("fathom-msg");
    println!("cargo:rerun-if-changed=../../runtime/msg");
    println!("cargo:rerun-if-changed=../../runtime/include/msg.h");
    println!("cargo:rerun-if-changed=src/layout.c");
}
