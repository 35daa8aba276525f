//! The machine files are embedded in the binary: build it again when one of them changes or a new one appears.
fn main() {
    println!("cargo:rerun-if-changed=../../machines");
}
