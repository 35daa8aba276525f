//! The Livermore loops: the same C source by the C compiler, and through `fathom cc`; are the two objects' machine code
//! the same, and are they as fast?

use crate::build::{output, run, Builder, Failure, FAST, PLAIN};
use crate::result::{parse, Measured};
use std::path::Path;
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
            let [cc, fathom] = ["cc", "fathom"].map(|side| builder.work.join(format!("{side}_{group}.o")));
            builder.cc(&cc, &source, &[&aligned[..], &["-DLFK_SIDE=cc_"]].concat())?;
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
            let object = builder.work.join(format!("livermore_{part}.o"));
            builder.cc(&object, &home.join(format!("{part}.c")), &["-O2"])?;
            objects.push(object);
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

/// The disassembled code of an object with its relocations, without what names the file or the side.
fn code(object: &Path) -> Result<String, Failure> {
    let text = output(Command::new("objdump").args(["-dr", "--section=.text", "--no-show-raw-insn"]).arg(object))?;
    let lines = text.lines().filter(|l| !l.contains("file format"));
    Ok(lines.map(|l| l.replace("<fathom_", "<").replace("<cc_", "<")).collect::<Vec<_>>().join("\n"))
}
