//! How long Fathom's own work takes: preprocessed text to C, in lines per second and as a share of the time that the C
//! compiler then needs at -O2.

use crate::build::{output, Builder, Failure};
use crate::result::{Measured, Target};
use std::path::{Path, PathBuf};
use std::process::Command;

const REPEAT: usize = 3;

pub fn measure(builder: &Builder) -> Result<Vec<Measured>, Failure> {
    let mut lines = Vec::new();
    let sources = [
        ("C: the Livermore loops, 40 times over", livermore(builder)?),
        ("UPC: many small functions", upc(builder)?),
        ("UPC: examples/heat.upc, mostly headers", builder.home.join("../examples/heat.upc")),
    ];
    for (what, source) in sources {
        let text = builder.work.join("front.i");
        let c = builder.work.join("front.trans.c");
        let path = |p: &Path| p.display().to_string();
        let home = format!("-I{}", builder.home.join("livermore").display());
        // Only the preprocessor: what the front end reads.
        let preprocessed = output(Command::new(&builder.fathom).args(["cc", "-E", &home]).arg(&source))?;
        std::fs::write(&text, &preprocessed).map_err(|e| format!("cannot write {}: {e}", text.display()))?;
        let count = preprocessed.lines().count();

        let mut front = Vec::new();
        let mut cc = Vec::new();
        for _ in 0..REPEAT {
            front.push(seconds(|| {
                builder.fathom_cc(&["-x", "upc-cpp-output", "-trans", &path(&text), "-o", &path(&c)])
            })?);
            let object = builder.work.join("front.o");
            let args = ["-std=gnu17", "-O2", "-w", "-x", "cpp-output", "-c"];
            cc.push(seconds(|| {
                output(Command::new(&builder.cc).args(args).arg(&c).arg("-o").arg(&object)).map(|_| ())
            })?);
        }
        let [f, rate, share] = [
            spread(&front),
            spread(&front.iter().map(|s| count as f64 / s).collect::<Vec<_>>()),
            spread(&front.iter().zip(&cc).map(|(f, c)| f / c).collect::<Vec<_>>()),
        ];
        let note = format!("{count} lines, fathom {:.1} ms, cc -O2 {:.1} ms", f.1 * 1e3, spread(&cc).1 * 1e3);
        let entry = |row: &str, (lowest, median, highest): (f64, f64, f64), target| Measured {
            row: row.into(),
            variant: what.into(),
            flags: "-O2".into(),
            environment: "dynamic",
            threads: 1,
            median,
            lowest,
            highest,
            target,
            note: note.clone(),
        };
        lines.push(entry("lines/s", rate, Target::AtLeast(300_000.0)));
        lines.push(entry("share of cc", share, Target::AtMost(0.25)));
    }
    Ok(lines)
}

/// Processor time of the commands that `work` runs and waits for: what else the computer does is not theirs.
pub fn seconds(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let start = children_seconds();
    work()?;
    Ok(children_seconds() - start)
}

fn children_seconds() -> f64 {
    // SAFETY: rusage is plain numbers, for which zero is a value, and getrusage only writes to it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime].iter().map(|t| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6).sum()
}

/// Lowest, median, highest.
pub fn spread(values: &[f64]) -> (f64, f64, f64) {
    let mut v = values.to_vec();
    v.sort_by(f64::total_cmp);
    (v[0], v[v.len() / 2], v[v.len() - 1])
}

/// Real C, much of it: every kernel forty times, under other names.
fn livermore(builder: &Builder) -> Result<PathBuf, Failure> {
    let mut text = String::new();
    for copy in 0..40 {
        text += &format!("#undef LFK_SIDE\n#define LFK_SIDE copy{copy}_\n");
        text += "#define larger LFK_JOIN(LFK_SIDE, larger)\n";
        for group in ["k01_06", "k07_12", "k13_18", "k19_24"] {
            text += &format!("#include \"{group}.c\"\n");
        }
        text += "#undef larger\n";
    }
    save(builder, "front_c.upc", &text)
}

/// Shared arrays, pointers, loops and accesses of every kind, in functions as programs have them.
fn upc(builder: &Builder) -> Result<PathBuf, Failure> {
    let mut text = String::from("#include <stdio.h>\n#include <upc_relaxed.h>\n");
    for n in 0..150 {
        text += &format!(
            "shared double a{n}[100 * THREADS], b{n}[100 * THREADS];
shared [10] int c{n}[50][10 * THREADS];
struct node{n} {{ int value; shared struct node{n} *next; shared [] char *name; }};
shared struct node{n} *shared head{n};
static double dot{n}(void) {{
    double sum = 0;
    int i;
    upc_forall (i = 0; i < 100 * THREADS; i++; &a{n}[i])
        sum += a{n}[i] * b{n}[i];
    return sum;
}}
static int rows{n}(shared [10] int *from, int n) {{
    int best = 0;
    for (int i = 0; i < n; i++) {{
        if (from[i] > c{n}[i % 50][i]) best = i;
        c{n}[i % 50][i] += from[i] + 1;
    }}
    upc_barrier {n};
    return best;
}}
static shared struct node{n} *find{n}(int value) {{
    for (shared struct node{n} *p = head{n}; p != NULL; p = p->next)
        if (p->value == value && upc_threadof(p) == MYTHREAD) return p;
    return NULL;
}}
int use{n}(void) {{
    if (find{n}(3)) printf(\"%g %d\\n\", dot{n}(), rows{n}(&c{n}[0][0], 10 * THREADS));
    return 0;
}}
"
        );
    }
    save(builder, "front_upc.upc", &text)
}

pub fn save(builder: &Builder, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = builder.work.join(name);
    std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    Ok(path)
}
