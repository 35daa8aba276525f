//! Whatever the text, typing it ends, soon, without a panic.

use fathom_sema::check;
use fathom_syntax::{on_deep_stack, parse, Dialect, Options};
use std::path::Path;

fn survive(text: &str) {
    let split_c = Options { dialect: Dialect::SplitC, ..Options::default() };
    for options in [Options::default(), Options { threads: Some(3), ..Options::default() }, split_c] {
        let p = parse(text.to_string(), options);
        on_deep_stack(|| {
            let (s, diags) = check(&p, options);
            for d in &diags {
                assert!((d.span.hi as usize) <= p.source.tokens.len(), "a span outside of the text");
            }
            // What lower may ask of any node.
            for e in 0..p.unit.exprs.len() {
                let e = fathom_syntax::ast::ExprId(e as u32);
                let t = s.rvalue_ty(e);
                let _ = (s.size_of(t), s.align_of(t), s.elem_size(t), s.local_size(t), s.const_int(&p, e));
            }
            for i in 0..s.symbols.len() {
                s.c_type(&p, s.symbols[i].ty, "x");
            }
        });
    }
}

#[test]
fn sizes_beyond_64_bits() {
    survive("shared [] char a[0xffffffffffffffff][0xffffffff]; int b[9223372036854775807][9223372036854775807]; int c = sizeof b;");
    survive("struct s { char a[0xffffffffffffffff]; char b[0xffffffffffffffff]; long c; } x; int n = sizeof x;");
    survive("shared [*] double d[0x7fffffffffffffff*THREADS]; int n = upc_localsizeof(d);");
    survive("shared [0xfffffffff] char d[0xffffffffffffffff*THREADS]; int n = upc_localsizeof(d);");
    survive("struct s { int a : 99999999999999999999; int b : -5; int c[-3]; } __attribute__((aligned(1ul << 60))) x;");
    survive("enum { A = 0xffffffffffffffff, B, C = -0x7fffffffffffffff - 1, D = C - 1, E = 1 << 200, F = 1 / 0, G = (-1 - C) % 0 };");
    survive("__int128 v = (__int128)1 << 127; enum { X = ((__int128)1 << 126) * 16, Y = -((__int128)1 << 127) / -1 };");
    survive("int a[] = {[0xffffffffffffffff] = 1, 2, 3}; int b[] = {[5 ... 3] = 1}; int c[2] = {[-1] = 3};");
    survive("int f(void) { return __builtin_offsetof(struct { int a[4]; }, a[0xffffffffffffffff]); }");
    survive("int x = 99999999999999999999999999999999999999999999999999999; float y = 0x1p99999999999; int z = 0x;");
}

#[test]
fn pointers_and_arrays_of_split_c() {
    survive("int a[0xffffffffffffffff]::[0xffffffff], b[PROCS]::[PROCS], c[]::[], d[-1]::[0]; int n = sizeof a; void f(void) { a[1][2] = b[3][4]; }");
    survive("int *global *spread *global p; void *spread *global q; void f(void) { p = q; **p := ***p; q + 1; p - q; *q :- 1; }");
    survive("struct s { struct s *global n; int x[3]::; } v; int (*spread m)[4]::[5]; void f(void) { v.n->n->n := v; m[1][2] := m; }");
    survive("typedef int T[3]; T *spread p; T x[2]::; T y[]::; void f(int n, int m, T z[n]::[m]) { int w[n]::[n] = 1; p = z; x = y; __fathom_tolocal(z); __fathom_toglobal(1); }");
    survive(
        "global spread int x; int global y; int *spread global z; int (*global f)(int *global); int g()::; int :: h;",
    );
}

#[test]
fn types_that_contain_themselves() {
    survive("struct s { struct s a; struct s *b; struct s c[3]; } x; int n = sizeof x; int m = x.a.a.c[1].b->a.a;");
    survive("struct s { struct { struct s; }; struct t { struct s u; } v; } x = {1, {2}}; int n = x.v.u.v.u.nothing;");
    survive("typedef typeof(x) x; x x; typedef struct x x; typeof(y) y = y; __auto_type z = z; int n[sizeof n];");
    survive("enum e { A = sizeof(enum e), B = A } x = A; struct s { int a[sizeof(struct s)]; };");
    survive("shared struct s { shared struct s *next; } x = {&x}; shared void *p = &x.next->next->next;");
}

/// Every line makes the type twice as large, or a level deeper.
#[test]
fn types_that_grow() {
    let grow = |first: &str, line: &dyn Fn(usize) -> String| {
        let mut text = first.to_string();
        (1..2000).for_each(|i| text.push_str(&line(i)));
        text.push_str("T1999 x, y; int n = sizeof(T1999) + sizeof x; void f(void) { x = y; x == y; f(x); 1 ? x : y; }");
        survive(&text);
    };
    grow("typedef int T0;", &|i| format!("typedef T{} *T{i};\n", i - 1));
    grow("typedef shared int T0;", &|i| format!("typedef T{} *T{i};\n", i - 1));
    grow("typedef int T0;", &|i| format!("typedef T{} T{i}[2];\n", i - 1));
    grow("typedef int T0;", &|i| format!("typedef T{0} *T{i}(T{0} *, T{0} *);\n", i - 1));
    grow("typedef struct { int a; } T0;", &|i| format!("typedef struct {{ T{0} a, b; }} T{i};\n", i - 1));
    // Two families, compatible but not the same: comparing them must not double at every level.
    let mut text = "typedef int A0(int (*)[]); typedef int B0(int (*)[3]);\n".to_string();
    for i in 1..300 {
        let p = i - 1;
        text.push_str(&format!("typedef int A{i}(A{p} *, A{p} *); typedef int B{i}(B{p} *, B{p} *);\n"));
    }
    text.push_str("extern A299 f; extern B299 f; extern shared int *g(A299 *); extern shared int *g(B299 *);");
    survive(&text);
}

#[test]
fn long_chains() {
    let many = 2400;
    survive(&format!("int x = 1{};", " + 1".repeat(many)));
    survive(&format!("shared int x = 1{};", " * THREADS".repeat(many)));
    survive(&format!("shared int x[THREADS{}];", " * 2".repeat(many)));
    survive(&format!("int *p; int f(void) {{ return p{}; }}", "[0]".repeat(many)));
    survive(&format!("int f(int a) {{ return {}0; }}", "a ? 1 : ".repeat(380)));
    survive(&format!("int f(int a) {{ {} ; }}", "if (a) ; else ".repeat(many)));
    survive(&format!("int f(int a) {{ switch (a) {{ {} ; }} }}", "case 1: ".repeat(many)));
    survive(&format!("struct s {{ int a; {} int z; {} }} x; int y = x.z;", "struct { ".repeat(380), "};".repeat(380)));
    let ones = "1, ".repeat(1000);
    survive(&format!("int x{} = {{{{{ones}}}, 1}};", "[1]".repeat(380)));
}

/// Programs with pieces cut out, doubled and swapped: nearly right is where checkers assume too much.
#[test]
fn broken_programs() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut numbers = fastrand::Rng::with_seed(1);
    let mut random = move |n: usize| numbers.usize(..n.max(1));
    let mut seen = 0;
    for folder in ["compile", "run"] {
        let Ok(list) = std::fs::read_dir(tests.join(folder)) else {
            continue;
        };
        let mut paths: Vec<_> =
            list.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "upc")).collect();
        paths.sort();
        for path in paths {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            let text: String = text.lines().filter(|l| !l.starts_with('#')).map(|l| format!("{l}\n")).collect();
            let words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
            survive(&text);
            seen += 1;
            for _ in 0..6 {
                let mut w = words.clone();
                for _ in 0..1 + random(8) {
                    let (at, to) = (random(w.len()), random(w.len()));
                    match random(4) {
                        0 => drop(w.remove(at)),
                        1 => w.insert(to, words[random(words.len())]),
                        2 => w.swap(at, to),
                        _ => w.truncate(at.max(w.len() / 2)),
                    }
                    if w.is_empty() {
                        break;
                    }
                }
                survive(&w.concat());
            }
        }
    }
    assert!(seen > 50, "the programs under tests/ were not found");
}
