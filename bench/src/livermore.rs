//! The Livermore loops. First the same C source by the C compiler, and through `fathom cc`: are the two objects' machine
//! code the same, and are they as fast? Then the same kernels on shared arrays: what does C's code lose?

use crate::build::{output, run, Builder, Failure, FAST, PLAIN};
use crate::result::{parse, Measured};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Found {
    pub lines: Vec<Measured>,
    pub notes: Vec<String>,
}

const GROUPS: [&str; 4] = ["k01_06", "k07_12", "k13_18", "k19_24"];

pub fn measure(builder: &Builder) -> Result<Found, Failure> {
    let mut found = Found { lines: Vec::new(), notes: Vec::new() };
    for flags in [FAST, PLAIN] {
        let home = builder.home.join("livermore");
        let mut objects = Vec::new();
        let (mut same, mut bytes) = (0, 0);
        // Functions at the same alignment on both sides: where a loop lies in a cache line should not count.
        let aligned = [flags, &["-falign-functions=64"]].concat();
        for group in GROUPS {
            let source = home.join(format!("{group}.c"));
            let cc = c_side(builder, group, &aligned)?;
            let fathom = builder.work.join(format!("fathom_{group}.o"));
            let include = format!("-I{}", home.display());
            // Without a C file's extension nothing can take a short cut: the text goes through the whole front end.
            let as_upc = builder.work.join(format!("{group}.upc"));
            std::fs::copy(&source, &as_upc).map_err(|e| format!("cannot copy {}: {e}", source.display()))?;
            let paths = [as_upc.display().to_string(), fathom.display().to_string()];
            let rest = ["-DLFK_SIDE=fathom_", "-std=gnu17", &include, "-c", &paths[0], "-o", &paths[1]];
            builder.fathom_cc(&[&aligned[..], &rest].concat())?;
            let (a, b) = (code(&cc)?, code(&fathom)?);
            bytes += a.len();
            same += usize::from(a == b);
            objects.extend([cc, fathom]);
        }
        found.notes.push(format!(
            "Livermore loops, {}: the machine code (.text, {bytes} characters of it disassembled, symbols' prefixes aside) is \
             identical in {same} of {} objects",
            flags.join(" "),
            GROUPS.len()
        ));
        for part in ["main", "data"] {
            objects.push(c_part(builder, part)?);
        }
        let executable = builder.work.join("livermore");
        let mut args: Vec<String> = objects.iter().map(|o| o.display().to_string()).collect();
        args.extend(["-lm".into(), "-o".into(), executable.display().to_string()]);
        // Objects with no UPC in them, so that the C compiler itself can link them, unless they hold unit records.
        if run(Command::new(&builder.cc).args(&args)).is_err() {
            builder.fathom_cc(&args)?;
        }
        let mut lines = parse(&output(Command::new(&executable).env("FATHOM_THREADS", "1"))?)?;
        for line in &mut lines {
            line.flags = flags.join(" ");
        }
        found.lines.extend(lines);
    }
    Ok(found)
}

/// C on private arrays beside UPC on shared ones (`livermore/shared.upc` says which), with the number of threads fixed
/// and not; the results are compared on several threads, too.
pub fn measure_shared(builder: &Builder) -> Result<Found, Failure> {
    let mut found = Found { lines: Vec::new(), notes: Vec::new() };
    for (flags, environment) in [(FAST, "dynamic"), (FAST, "static"), (PLAIN, "dynamic")] {
        // Which products are fused to sums is the compiler's choice, from loop to loop; the results are to be the same.
        let flags = [flags, &["-ffp-contract=off"]].concat();
        let fixed: &[&str] = if environment == "static" { &["-T", "1"] } else { &[] };
        let executable = build_shared(builder, &flags, fixed)?;
        let mut lines = parse(&output(Command::new(&executable).env("FATHOM_THREADS", "1"))?)?;
        for line in &mut lines {
            line.flags = flags.join(" ");
            line.environment = environment;
        }
        found.lines.extend(lines);
        for threads in ["2", "3"].iter().filter(|_| fixed.is_empty()) {
            let said = output(Command::new(&executable).env("FATHOM_THREADS", threads))?;
            found.notes.push(format!("Livermore loops on shared arrays, {}: {}", flags.join(" "), said.trim()));
        }
    }
    Ok(found)
}

/// Builds the program with all sides.
fn build_shared(builder: &Builder, flags: &[&str], fixed: &[&str]) -> Result<PathBuf, Failure> {
    let home = builder.home.join("livermore");
    let include = format!("-I{}", home.display());
    let aligned = [flags, &["-falign-functions=64"]].concat();
    let mut objects = Vec::new();
    let mut compile = |name: &str, source: &Path, options: &[&str]| {
        let object = builder.work.join(format!("{name}.o"));
        let paths = [source.display().to_string(), object.display().to_string()];
        objects.push(paths[1].clone());
        builder.fathom_cc(&[fixed, options, &["-std=gnu17", &include, "-c", &paths[0], "-o", &paths[1]]].concat())
    };
    for group in GROUPS {
        let source = home.join(format!("{group}.c"));
        for (arrays, prefix) in [("LFK_SHARED", "shared_kernel_"), ("LFK_CAST", "cast_")] {
            let (define, side) = (format!("-D{arrays}"), format!("-DLFK_SIDE={prefix}"));
            compile(&format!("{prefix}{group}"), &source, &[&aligned[..], &[&define, &side, "-x", "upc"]].concat())?;
        }
    }
    compile("livermore_forall", &home.join("forall.upc"), &aligned)?;
    compile("livermore_shared", &home.join("shared.upc"), &["-O2"])?;
    for group in GROUPS {
        objects.push(c_side(builder, group, &aligned)?.display().to_string());
    }
    let data = c_part(builder, "data")?;
    let executable = builder.work.join("livermore-shared");
    let result = [data.display().to_string(), "-lm".into(), "-o".into(), executable.display().to_string()];
    let fixed: Vec<String> = fixed.iter().map(|s| s.to_string()).collect();
    builder.fathom_cc(&[fixed, objects, result.to_vec()].concat())?;
    Ok(executable)
}

/// The kernels of a group by the C compiler.
fn c_side(builder: &Builder, group: &str, flags: &[&str]) -> Result<PathBuf, Failure> {
    let object = builder.work.join(format!("cc_{group}.o"));
    let source = builder.home.join("livermore").join(format!("{group}.c"));
    builder.cc(&object, &source, &[flags, &["-DLFK_SIDE=cc_"]].concat())?;
    Ok(object)
}

/// What the sides share, in C.
fn c_part(builder: &Builder, part: &str) -> Result<PathBuf, Failure> {
    let object = builder.work.join(format!("livermore_{part}.o"));
    builder.cc(&object, &builder.home.join("livermore").join(format!("{part}.c")), &["-O2"])?;
    Ok(object)
}

/// The disassembled code of an object with its relocations, without what names the file or the side.
fn code(object: &Path) -> Result<String, Failure> {
    let text = output(Command::new("objdump").args(["-dr", "--section=.text", "--no-show-raw-insn"]).arg(object))?;
    let lines = text.lines().filter(|l| !l.contains("file format"));
    Ok(lines.map(|l| l.replace("<fathom_", "<").replace("<cc_", "<")).collect::<Vec<_>>().join("\n"))
}
