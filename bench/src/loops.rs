//! What loops over shared arrays cost the C compiler: many stencils in one function, beside the same loops over plain
//! arrays. Times are processor time of the whole commands, `fathom cc` and the C compiler's own; text is what both
//! objects hold in sections `.text*`.

use crate::build::{output, Builder, Failure, PLAIN};
use crate::frontend::{save, seconds, spread};
use crate::result::{Measured, Target};
use std::path::Path;
use std::process::Command;

const REPEAT: usize = 5;
/// For the static environment, and for the length of the plain arrays.
const THREADS: u32 = 4;

pub fn measure(builder: &Builder) -> Result<Vec<Measured>, Failure> {
    let mut lines = Vec::new();
    for static_threads in [false, true] {
        for block in [1024, 1 << 16] {
            for loops in [25, 200] {
                lines.extend(pair(builder, static_threads, block, loops)?);
            }
        }
    }
    Ok(lines)
}

/// The time and the text of this many loops.
fn pair(builder: &Builder, static_threads: bool, block: u64, loops: usize) -> Result<[Measured; 2], Failure> {
    let upc = save(builder, "loops.upc", &source(&upc_head(block), "upc_forall", "; &a[i]", loops))?;
    let c = save(builder, "loops.c", &source(&c_head(static_threads, block), "for", "", loops))?;
    let [of_upc, of_c] = ["loops_upc.o", "loops_c.o"].map(|o| builder.work.join(o));
    let path = |p: &Path| p.display().to_string();
    let mut args: Vec<String> = PLAIN.iter().map(|f| f.to_string()).collect();
    if static_threads {
        args.extend(["-T".into(), THREADS.to_string()]);
    }
    args.extend(["-c".into(), path(&upc), "-o".into(), path(&of_upc)]);
    // In turn, and the ratio is taken of neighbours. The first run fills the caches of both.
    let mut ratios = Vec::new();
    let mut times = [Vec::new(), Vec::new()];
    for repetition in 0..=REPEAT {
        let ours = seconds(|| builder.fathom_cc(&args))?;
        let theirs = seconds(|| builder.cc(&of_c, &c, PLAIN))?;
        if repetition > 0 {
            ratios.push(ours / theirs);
            times[0].push(ours);
            times[1].push(theirs);
        }
    }
    let [ours, theirs] = [text_bytes(&of_upc)?, text_bytes(&of_c)?];
    let entry = |row: &str, (lowest, median, highest): (f64, f64, f64), target, note| Measured {
        row: row.into(),
        variant: format!("{loops} stencils in a function, blocks of {block}"),
        flags: PLAIN.join(" "),
        environment: if static_threads { "static" } else { "dynamic" },
        threads: if static_threads { THREADS } else { 1 },
        median,
        lowest,
        highest,
        target: Target::AtMost(target),
        note,
    };
    let text = ours as f64 / theirs as f64;
    let [upc_s, c_s] = [0, 1].map(|side| spread(&times[side]).1);
    Ok([
        entry("compile time", spread(&ratios), 5.0, format!("fathom cc {upc_s:.3} s, cc {c_s:.3} s")),
        entry("text", (text, text, text), 4.0, format!("fathom cc {ours} bytes, cc {theirs} bytes")),
    ])
}

fn upc_head(block: u64) -> String {
    format!("#include <upc_relaxed.h>\n#define N ({block} * 8 * THREADS)\nshared [{block}] double a[N], b[N], c[N];\n")
}

/// Plain arrays as long, whose loops end where a variable or a constant says, as those over the shared ones do.
fn c_head(static_threads: bool, block: u64) -> String {
    let threads = if static_threads { THREADS.to_string() } else { "threads".into() };
    format!(
        "extern int threads;\n#define N ({block} * 8 * {threads})\n\
         double a[{block} * 8 * {THREADS}], b[{block} * 8 * {THREADS}], c[{block} * 8 * {THREADS}];\n"
    )
}

fn source(head: &str, keyword: &str, affinity: &str, loops: usize) -> String {
    let one =
        format!("    {keyword} (i = 1; i < N - 1; i++{affinity}) a[i] = b[i] * k + s * c[i] + b[i - 1] + b[i + 1];\n");
    format!("{head}void stencils(double k, double s) {{\n    int i;\n{}}}\n", one.repeat(loops))
}

/// Bytes in the object's sections of code.
fn text_bytes(object: &Path) -> Result<u64, Failure> {
    let sections = output(Command::new("size").arg("-A").arg(object))?;
    let of_text = sections.lines().filter(|l| l.starts_with(".text"));
    of_text
        .map(|l| l.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()))
        .sum::<Option<u64>>()
        .ok_or_else(|| format!("size says something else than sections of {}: {sections}", object.display()))
}
