//! Makes UPC programs out of random numbers: phases between barriers, in each of them loops over shared arrays of random block
//! sizes and types, with random subscripts, conditions and exits. No program has a race: in a phase
//!
//! * nobody writes (`Phase::Read`);
//! * one thread writes one array, wherever and however it likes, and nobody else reads it (`Phase::One`);
//! * each thread writes, and reads, its own range of one array, whoever has affinity to it (`Phase::Own`); or, in a
//!   `upc_forall`, its own elements, which it does not read otherwise (`Phase::Forall`).
//!
//! Loops of a phase in which nobody writes also walk along an array by a pointer. Some loops of the others do nothing but update elements at computed places.
//!
//! Besides, loops read elements whose subscripts they compute (docs/decisions/0014): from the private array `pick`, which some of
//! them also change, and from shared arrays; by way of variables, too, and from `wild`, most of whose values lead out of all
//! arrays: a condition is before each of them.
//!
//! So what a program computes follows from its text and THREADS, whatever moves the data and when. It prints a number for
//! each thread and phase, and one for each array.

#[path = "arrays.rs"]
mod arrays;
#[path = "computed.rs"]
mod computed;
#[path = "loops.rs"]
mod loops;

use arrays::{Array, Random, RANGE, REACH};
use computed::{by_local_pointer, by_own_index, counts, own_counts, sparse};
use loops::{a_forall, a_loop, a_nest, a_walk, Bounds};
use std::fmt::Write as _;

/// Phases and arrays of a program that is compiled alone, and of one among many.
const PHASES: usize = 14;
const ARRAYS: usize = 6;
const PHASES_OF_MANY: usize = 2;
const ARRAYS_OF_MANY: usize = 3;

/// One program.
pub fn program(seed: u64) -> String {
    let text = beginning(&format!("seed {seed}"), PHASES) + &one(seed, "", PHASES, ARRAYS);
    text + "int main(void) {\n    run();\n    return 0;\n}\n"
}

/// Small programs of many seeds, one after the other in one file, each with arrays of its own.
pub fn many(seeds: std::ops::Range<u64>) -> String {
    let mut out = beginning(&format!("seeds {} to {}", seeds.start, seeds.end - 1), PHASES_OF_MANY);
    for seed in seeds.clone() {
        out += &one(seed, &format!("s{seed}_"), PHASES_OF_MANY, ARRAYS_OF_MANY);
    }
    out += "int main(void) {\n";
    for seed in seeds {
        let _ = writeln!(out, "    s{seed}_run();");
    }
    out + "    return 0;\n}\n"
}

/// What all programs of a file have in common.
fn beginning(seeds: &str, phases: usize) -> String {
    format!(
        "/* Made by crates/fathom/tests/random_loops.rs, {seeds}. */\n#include <stdio.h>\n#include <string.h>\n#include <upc_relaxed.h>\n\
         #define RANGE {RANGE}\n#define PHASES {phases}\ntypedef unsigned long U;\n\
         struct rec {{ int n; short low[3]; long v; unsigned f : 5; unsigned g : 9; }};\n\
         shared [PHASES] U marks[THREADS][PHASES];\nstatic U h, tmp[64], buffer[4096];\n\
         static int pick[RANGE * 9], wild[RANGE * 9], spare[RANGE * 9], other[64], starts[RANGE * 9], fixed[RANGE * 9], bounds[80];\n\
         shared int firsts[(RANGE + 1) * THREADS];\n"
    )
}

/// A program of `phases`, as a function `run`. What it declares at file scope begins with `prefix`.
fn one(seed: u64, prefix: &str, phases: usize, arrays: usize) -> String {
    let mut random = Random::new(seed);
    let r = &mut random;
    let arrays: Vec<Array> = (0..arrays).map(|i| Array::random(r, prefix, i)).collect();
    let mut out = String::new();
    arrays.iter().for_each(|a| out += &a.declared());
    let all: Vec<usize> = (0..arrays.len()).collect();
    let whole = Bounds { low: REACH.to_string(), high: format!("RANGE * THREADS - {REACH}") };
    let own = Bounds { low: format!("MYTHREAD * RANGE + {REACH}"), high: format!("(MYTHREAD + 1) * RANGE - {REACH}") };
    for phase in 0..phases {
        let _ = writeln!(out, "static void {prefix}phase{phase}(void) {{");
        let x = r.below(arrays.len() as u64) as usize;
        let others: Vec<usize> = all.iter().copied().filter(|i| *i != x).collect();
        match r.below(10) {
            0 | 1 => {
                for _ in 0..4 {
                    let text = if r.one_in(4) {
                        sparse(r, &arrays, &all)
                    } else if r.one_in(3) {
                        a_nest(r, &arrays, &all)
                    } else if r.one_in(2) {
                        let a = r.below(arrays.len() as u64) as usize;
                        a_walk(r, &arrays[a], &whole)
                    } else {
                        a_loop(r, &arrays, &all, (None, None), &whole)
                    };
                    let _ = writeln!(out, "    {text}");
                }
            }
            2..=4 => {
                let writer = r.below(4);
                let _ = writeln!(out, "    if (MYTHREAD == {writer} % THREADS) {{");
                for _ in 0..3 {
                    // Often the array that is written, and what else there is.
                    let among = [&others[..], &[x; 5]].concat();
                    let _ = writeln!(out, "    {}", a_loop(r, &arrays, &among, (Some(x), None), &whole));
                    let rows = ["(k % THREADS)", "MYTHREAD", "((U)pick[k] * 7 % THREADS)"];
                    let _ = writeln!(out, "    {}", counts(r, &arrays[x], &rows));
                }
                let _ =
                    writeln!(out, "    }} else {{\n    {}\n    }}", a_loop(r, &arrays, &others, (None, None), &whole));
            }
            5 | 6 => {
                for _ in 0..2 {
                    let among = [&others[..1], &[x; 2]].concat();
                    // Other arrays are read in the same range.
                    let _ = writeln!(out, "    {}", a_loop(r, &arrays, &among, (Some(x), Some(x)), &own));
                }
                let _ = writeln!(out, "    {}", counts(r, &arrays[x], &["MYTHREAD"]));
                let _ = writeln!(out, "    {}", by_local_pointer(r, &arrays[x]));
                let _ = writeln!(out, "    {}", by_own_index(r, &arrays[x], &arrays[others[1]]));
            }
            _ => {
                for _ in 0..2 {
                    // Another affinity may give an element to another thread.
                    let text = a_forall(r, &arrays, x, &others, &whole);
                    let _ = writeln!(out, "    {text}\n    upc_barrier;");
                }
                let _ = writeln!(out, "    {}", own_counts(r, &arrays[x], &arrays[others[0]]));
            }
        }
        let _ = writeln!(out, "    for (int k = 0; k < 64; k++) h = h * 3 + tmp[k] + other[k];");
        let _ = writeln!(out, "    for (int k = 0; k < RANGE * 9; k++) h = h * 3 + pick[k] + spare[k] * 7;");
        let _ = writeln!(out, "    for (int k = 0; k < 4096; k++) h = h * 3 + buffer[k];");
        let _ = write!(out, "    marks[MYTHREAD][{phase}] = h;\n}}\n");
    }
    let _ = writeln!(out, "static void {prefix}run(void) {{");
    if !prefix.is_empty() {
        // As if no other program had run before.
        let _ = writeln!(out, "    h = 0;");
        for name in ["tmp", "buffer", "spare", "other", "bounds"] {
            let _ = writeln!(out, "    memset({name}, 0, sizeof {name});");
        }
    }
    out += "    for (int k = 0; k < RANGE * 9; k++) {\n        pick[k] = (k * 89 + MYTHREAD) % RANGE;\n        wild[k] = k % 5 < 3 ? -2000000000 - k : (k * 61 + MYTHREAD) % RANGE;\n        starts[k] = k < 12 ? 0 : k - 12 + k % 4;\n        fixed[k] = (k * 53 + MYTHREAD * 7) % RANGE;\n    }\n    for (int k = 0; k < 79; k++) bounds[k + 1] = bounds[k] + k * 5 % 7;\n    for (int k = MYTHREAD; k <= RANGE * THREADS; k += THREADS) firsts[k] = k < 12 ? 0 : k - 12 + k % 4;\n";
    for a in &arrays {
        let (name, element) = (&a.name, a.element);
        if a.is_pointer {
            let _ = writeln!(out, "    {name} = upc_all_alloc(1, RANGE * THREADS * sizeof({element}));");
        }
        let at = if a.has_rows { format!("{name}[i / RANGE][i % RANGE]") } else { format!("{name}[i]") };
        let set = match element {
            "struct rec" => {
                format!("{at}.n = i % 91; {at}.low[1] = i % 77; {at}.v = i; {at}.f = i % 31; {at}.g = i % 400;")
            }
            _ => format!("{at} = i % 113;"),
        };
        let _ = writeln!(out, "    for (int i = MYTHREAD; i < RANGE * THREADS; i += THREADS) {{ {set} }}");
    }
    for phase in 0..phases {
        let _ = writeln!(out, "    upc_barrier; {prefix}phase{phase}();");
    }
    out += "    upc_barrier;\n    if (MYTHREAD) return;\n    U s;\n";
    let _ = writeln!(
        out,
        "    for (int t = 0; t < THREADS; t++) for (int k = 0; k < PHASES; k++) printf(\"{prefix}phase %d thread %d %lx\\n\", k, t, marks[t][k]);"
    );
    for a in &arrays {
        let name = &a.name;
        let at = if a.has_rows { format!("{name}[i / RANGE][i % RANGE]") } else { format!("{name}[i]") };
        let sum = match a.element {
            "struct rec" => format!("s = s * 31 + {at}.n + {at}.low[1] * 3 + {at}.v * 5 + {at}.f * 7 + {at}.g * 11;"),
            _ => format!("s = s * 31 + (U)(long){at};"),
        };
        let _ = writeln!(
            out,
            "    s = 0; {{ int i = 0; while (i < RANGE * THREADS) {{ {sum} i++; }} }} printf(\"{name} %lx\\n\", s);"
        );
    }
    out += "}\n";
    out
}
