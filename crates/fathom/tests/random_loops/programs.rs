//! Makes UPC programs out of random numbers: phases between barriers, in each of them loops over shared arrays of random block
//! sizes and types, with random subscripts, conditions and exits. No program has a race: in a phase
//!
//! * nobody writes (`Phase::Read`);
//! * one thread writes one array, wherever and however it likes, and nobody else reads it (`Phase::One`);
//! * each thread writes, and reads, its own range of one array, whoever has affinity to it (`Phase::Own`); or, in a
//!   `upc_forall`, its own elements, which it does not read otherwise (`Phase::Forall`).
//!
//! Others use the results of atomic operations on them, which they make themselves or have made by functions. Loops call functions, some of which only compute, and which another file
//! defines in some programs.
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
#[path = "fetched.rs"]
mod fetched;
#[path = "loops.rs"]
mod loops;

use arrays::{Array, Random, MOST, REACH};
use computed::{by_local_pointer, by_own_index, counts, own_counts, sparse};
use fetched::{fetched, own_fetched};
use loops::{a_forall, a_loop, a_nest, a_walk, repeated, Bounds};
use std::fmt::Write as _;

/// What a program has: phases, arrays, and RANGE.
struct Size {
    phases: usize,
    arrays: usize,
    range: u64,
}

/// A program that is compiled alone.
const LARGE: Size = Size { phases: 14, arrays: 6, range: MOST };
/// One among many: what takes most time there is each access to a far thread. The ranges are those of many.
const SMALL: Size = Size { phases: 2, arrays: 3, range: 0 };
const RANGES: [u64; 7] = [32, 36, 40, 40, 50, 64, 100];

/// The second file of a program, `p.upc`, whose functions are there.
pub const FUNCTIONS: &str = "#define FUNCTIONS\n#include \"p.upc\"\n";

/// One program, which prints a number for each thread and phase, and one for each array. It has its functions [elsewhere](FUNCTIONS), or not.
pub fn program(seed: u64, elsewhere: bool) -> String {
    let mut r = Random::new(seed);
    let text = beginning(&format!("seed {seed}"), elsewhere) + &one(&mut r, "", &LARGE, true);
    let end = if elsewhere { "#endif\n" } else { "" };
    text + "int main(void) {\n    make_domains();\n    run();\n    report();\n    return 0;\n}\n" + end
}

/// Small programs of many seeds, one after the other in one file, each with arrays of its own. They print a line for each
/// seed when it begins and, at the end, one with a number; a single seed's program prints what [`program`] does.
pub fn many(seeds: std::ops::Range<u64>, elsewhere: bool) -> String {
    let mut out = beginning(&format!("seeds {} to {}", seeds.start, seeds.end - 1), elsewhere);
    let _ = writeln!(out, "shared [{0}] U sums[THREADS][{0}];", seeds.end - seeds.start);
    let mut calls = String::new();
    let is_alone = seeds.end - seeds.start == 1;
    for seed in seeds.clone() {
        let mut r = Random::new(seed);
        let size = Size { range: r.of(&RANGES), ..SMALL };
        let prefix = format!("s{seed}_");
        out += &one(&mut r, &prefix, &size, is_alone);
        let _ = writeln!(calls, "    begins({seed}); sums[MYTHREAD][{}] = {prefix}run();", seed - seeds.start);
        if is_alone {
            let _ = writeln!(calls, "    {prefix}report();");
        }
    }
    let (first, number) = (seeds.start, seeds.end - seeds.start);
    let _ = write!(
        out,
        "static void begins(int seed) {{\n    if (MYTHREAD) return;\n    printf(\"begins %d\\n\", seed);\n    fflush(stdout);\n}}\n\
         int main(void) {{\n    make_domains();\n{calls}    upc_barrier;\n    if (MYTHREAD) return 0;\n    for (int k = 0; k < {number}; k++) {{\n        U s = 0;\n\
         \x20       for (int t = 0; t < THREADS; t++) s = s * 31 + sums[t][k];\n        printf(\"seed %d: %lx\\n\", {first} + k, s);\n    }}\n    return 0;\n}}\n"
    );
    if elsewhere {
        out += "#endif\n";
    }
    out
}

/// What all programs of a file have in common.
fn beginning(seeds: &str, elsewhere: bool) -> String {
    let atomic = |ty: &str, letter: &str, domain: &str| {
        let made = |object: &str| {
            format!("{{ {ty} was; upc_atomic_relaxed({domain}, &was, UPC_ADD, {object}, &by, 0); return was; }}")
        };
        [
            format!("{ty} add_{ty}(shared {ty} *p, {ty} by) {}", made("p")),
            format!("{ty} add_{ty}_at(shared {ty} *p, long i, {ty} by) {}", made("&p[i]")),
            format!("{ty} next_{ty}(shared {ty} *p) {{ return bupc_atomic{letter}_fetchadd_relaxed(p, 3); }}"),
        ]
    };
    let atomic =
        [atomic("int", "I", "ints"), atomic("long", "L", "longs"), atomic("double", "D", "of_doubles")].concat();
    let functions = [
        "U mix(U x) {\n    for (int k = 0; k < 2; k++) x = x * 5 + k;\n    return x & 1 ? x : ~x;\n}",
        "U with_pick(U x) { return x + pick[x % MOST]; }",
        "U counted(U x) { return x + other[x % 64]++; }",
        "int spread(int x, int n) { return n < 2 ? 0 : (int)(((unsigned)x * 7u + 3u) % (unsigned)n); }",
    ];
    let functions = functions.into_iter().chain(atomic.iter().map(String::as_str)).collect::<Vec<_>>();
    let functions = match elsewhere {
        true => {
            let declared = functions.iter().map(|f| f.split_once(" {").expect("a body").0.to_owned() + ";\n");
            let declared = declared.collect::<String>();
            format!(
                "{declared}extern int pick[], other[];\nextern upc_atomicdomain_t *ints, *longs, *of_doubles;\n\
                 #ifdef FUNCTIONS\n{}\n#else\nint pick[MOST * 9], other[64];\nupc_atomicdomain_t *ints, *longs, *of_doubles;\n",
                functions.join("\n")
            )
        }
        false => {
            let defined = functions.iter().map(|f| format!("static {f}\n")).collect::<String>();
            format!(
                "static int pick[MOST * 9], other[64];\nstatic upc_atomicdomain_t *ints, *longs, *of_doubles;\n{defined}"
            )
        }
    };
    format!(
        "/* Made by crates/fathom/tests/random_loops.rs, {seeds}. */\n#include <stdio.h>\n#include <string.h>\n#include <upc_relaxed.h>\n#include <upc_atomic.h>\n#include <bupc_extensions.h>\n\
         #define MOST {MOST}\n#define PHASES {}\ntypedef unsigned long U;\n\
         struct rec {{ int n; short low[3]; long v; unsigned f : 5; unsigned g : 9; }};\n\
         {functions}shared [PHASES] U marks[THREADS][PHASES];\nstatic U h, tmp[64], buffer[4096];\n\
         static int wild[MOST * 9], spare[MOST * 9], starts[MOST * 9], fixed[MOST * 9], bounds[80];\n\
         shared int firsts[(MOST + 1) * THREADS];\n\
         static void make_domains(void) {{\n    upc_op_t all = UPC_ADD | UPC_INC | UPC_SET | UPC_GET;\n\
         \x20   ints = upc_all_atomicdomain_alloc(UPC_INT, all | UPC_XOR, 0);\n\
         \x20   longs = upc_all_atomicdomain_alloc(UPC_LONG, all | UPC_XOR, 0);\n\
         \x20   of_doubles = upc_all_atomicdomain_alloc(UPC_DOUBLE, all, 0);\n}}\n",
        LARGE.phases
    )
}

/// A program as a function `run`, whose value is made of what this thread computed and of its elements. What the program
/// declares at file scope begins with `prefix`. If it `reports`, a function `report` prints what there is to see.
fn one(r: &mut Random, prefix: &str, size: &Size, reports: bool) -> String {
    let arrays: Vec<Array> = (0..size.arrays).map(|i| Array::random(r, prefix, i, size.range)).collect();
    let mut out = format!("#undef RANGE\n#define RANGE {}\n", size.range);
    arrays.iter().for_each(|a| out += &a.declared());
    let all: Vec<usize> = (0..arrays.len()).collect();
    let whole = Bounds { low: REACH.to_string(), high: format!("RANGE * THREADS - {REACH}") };
    let own = Bounds { low: format!("MYTHREAD * RANGE + {REACH}"), high: format!("(MYTHREAD + 1) * RANGE - {REACH}") };
    for phase in 0..size.phases {
        let _ = writeln!(out, "static void {prefix}phase{phase}(void) {{");
        let x = r.below(arrays.len() as u64) as usize;
        let others: Vec<usize> = all.iter().copied().filter(|i| *i != x).collect();
        match r.below(10) {
            0 | 1 => {
                for _ in 0..4 {
                    let text = if r.one_in(4) {
                        repeated(r, &arrays, &all, None)
                    } else if r.one_in(4) {
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
                    let _ = writeln!(out, "    {}", fetched(r, &arrays[x], &rows));
                    let _ = writeln!(out, "    {}", repeated(r, &arrays, &among, Some(x)));
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
                let _ = writeln!(out, "    {}", fetched(r, &arrays[x], &["MYTHREAD"]));
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
                let _ = writeln!(out, "    {}", own_fetched(r, &arrays[x], &arrays[others[0]]));
            }
        }
        let _ = writeln!(out, "    for (int k = 0; k < 64; k++) h = h * 3 + tmp[k] + other[k];");
        let _ = writeln!(out, "    for (int k = 0; k < RANGE * 9; k++) h = h * 3 + pick[k] + spare[k] * 7;");
        let _ = writeln!(out, "    for (int k = 0; k < 4096; k++) h = h * 3 + buffer[k];");
        let _ = write!(out, "    marks[MYTHREAD][{phase}] = h;\n}}\n");
    }
    let _ = writeln!(out, "static U {prefix}run(void) {{");
    if !prefix.is_empty() {
        // As if no other program had run before.
        let _ = writeln!(out, "    h = 0;");
        for name in ["tmp", "buffer", "spare", "other", "bounds"] {
            let _ = writeln!(out, "    memset({name}, 0, sizeof {name});");
        }
    }
    out += "    for (int k = 0; k < MOST * 9; k++) {\n        pick[k] = (k * 89 + MYTHREAD) % RANGE;\n        wild[k] = k % 5 < 3 ? -2000000000 - k : (k * 61 + MYTHREAD) % RANGE;\n        starts[k] = k < 12 ? 0 : k - 12 + k % 4;\n        fixed[k] = (k * 53 + MYTHREAD * 7) % RANGE;\n    }\n    for (int k = 0; k < 79; k++) bounds[k + 1] = bounds[k] + k * 5 % 7;\n    for (int k = MYTHREAD; k <= RANGE * THREADS; k += THREADS) firsts[k] = k < 12 ? 0 : k - 12 + k % 4;\n";
    for a in &arrays {
        let (name, element, at) = (&a.name, a.element, a.at_i());
        if a.is_pointer {
            let _ = writeln!(out, "    {name} = upc_all_alloc(1, RANGE * THREADS * sizeof({element}));");
        }
        let set = match element {
            "struct rec" => {
                format!("{at}.n = i % 91; {at}.low[1] = i % 77; {at}.v = i; {at}.f = i % 31; {at}.g = i % 400;")
            }
            _ => format!("{at} = i % 113;"),
        };
        let _ = writeln!(out, "    upc_forall (int i = 0; i < RANGE * THREADS; i++; &{at}) {{ {set} }}");
    }
    for phase in 0..size.phases {
        let _ = writeln!(out, "    upc_barrier; {prefix}phase{phase}();");
    }
    // Each thread looks at its own elements: no message is needed for that, and none can spoil it.
    let _ = writeln!(out, "    upc_barrier;\n    U s = h;");
    for a in &arrays {
        let at = a.at_i();
        let _ = writeln!(
            out,
            "    upc_forall (int i = 0; i < RANGE * THREADS; i++; &{at}) {{ {} s = s * 5 + i; }}",
            a.sum(&at)
        );
        if a.is_pointer && !reports {
            let _ = writeln!(out, "    upc_all_free({});", a.name);
        }
    }
    out += "    return s;\n}\n";
    if reports {
        out += &report(&arrays, prefix, size);
    }
    out
}

/// A function that prints a number for each thread and phase, and one for each array.
fn report(arrays: &[Array], prefix: &str, size: &Size) -> String {
    let mut out =
        format!("static void {prefix}report(void) {{\n    upc_barrier;\n    if (MYTHREAD) return;\n    U s;\n");
    let _ = writeln!(
        out,
        "    for (int t = 0; t < THREADS; t++) for (int k = 0; k < {}; k++) printf(\"phase %d thread %d %lx\\n\", k, t, marks[t][k]);",
        size.phases
    );
    for a in arrays {
        let (name, at) = (&a.name, a.at_i());
        let _ = writeln!(
            out,
            "    s = 0; {{ int i = 0; while (i < RANGE * THREADS) {{ {} i++; }} }} printf(\"{name} %lx\\n\", s);",
            a.sum(&at)
        );
    }
    out + "}\n"
}
