//! No input makes the front end panic, overflow its stack or hang, and every tree keeps the rules of `verify`.

use crate::common;
use common::{found, parsed, parsed_split_c};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const MANY: usize = 100_000;

/// On 2 MiB, less than any thread that the tools use.
fn on_small_stack(f: impl FnOnce() + Send + 'static) {
    let t = std::thread::Builder::new().stack_size(2 << 20).spawn(f).unwrap();
    t.join().unwrap();
}

/// Nesting beyond all limits is an error with one finding, at the place where it goes too deep.
#[test]
fn deep_nesting_is_an_error() {
    on_small_stack(|| {
        for open in ["(", "{", "[", "f(", "({", "-", "sizeof(", "if (1) {", "struct {", "(int)", "a ? ", "int f(", "[["]
        {
            found(&open.repeat(MANY));
            found(&format!("void f(void) {{ {}", open.repeat(MANY)));
            found(&format!("int x = {}", open.repeat(MANY)));
        }
        let wrapped = |head: &str, open: &str, middle: &str, close: &str, tail: &str| {
            let s = found(&format!("{head}{}{middle}{}{tail}", open.repeat(MANY), close.repeat(MANY)));
            assert_eq!(s, "S0108", "{head}{open}{middle}{close}{tail}");
        };
        wrapped("int x = ", "(", "1", ")", ";");
        wrapped("int x = ", "- ", "1", "", ";");
        wrapped("int x = ", "*", "p", "", ";");
        wrapped("int x = ", "(int)", "1", "", ";");
        wrapped("int x = ", "sizeof ", "1", "", ";");
        wrapped("int x = ", "sizeof(", "int", ")", ";");
        wrapped("int x = ", "a[", "1", "]", ";");
        wrapped("int x = ", "f(", "1", ")", ";");
        wrapped("int x = ", "a = ", "1", "", ";");
        wrapped("int x = ", "a ? b : ", "1", "", ";");
        wrapped("int x = ", "a ? ", "1", ": b", ";");
        wrapped("int x = ", "{", "1", "}", ";");
        wrapped("int x = ", "(int[]){", "1", "}", ";");
        wrapped("int x = ", "_Generic(1, int: ", "1", ")", ";");
        wrapped("int x = ", "({ ", "1;", "; })", ";");
        wrapped("void f(void) { ", "{", ";", "}", "}");
        wrapped("void f(void) { ", "if (1) {", ";", "}", "}");
        wrapped("void f(void) { ", "while (1) ", ";", "", "}");
        wrapped("void f(void) { ", "upc_forall (;;;) ", ";", "", "}");
        wrapped("void f(void) { ", "if (1) ; else { ", ";", "}", "}");
        wrapped("void f(void) { ", "void g(void) { ", ";", "}", "}");
        wrapped("int ", "(", "x", ")", ";");
        wrapped("int ", "*", "x", "", ";");
        wrapped("int x", "[1]", "", "", ";");
        wrapped("int f", "(int g", "", ")", ";");
        wrapped("int f", "(int (*)", "(void)", ")", ";");
        wrapped("", "struct { ", "int x;", "} y;", "");
        wrapped("", "struct S { union { ", "int x;", "}; } y;", "");
        wrapped("", "typeof(", "1", ")", " x;");
        wrapped("", "_Atomic(", "int", ")", " x;");
    });
}

/// What repeats without nesting may be long, but not longer than later passes can recurse.
#[test]
fn long_chains() {
    on_small_stack(|| {
        let chain = |head: &str, link: &str, tail: &str| {
            assert_eq!(found(&format!("{head}{}{tail}", link.repeat(2000))), "", "{head}{link}{tail}");
            assert_eq!(found(&format!("{head}{}{tail}", link.repeat(MANY))), "S0108", "{head}{link}{tail}");
        };
        chain("int x = a", " + a", ";");
        chain("int x = a", " && a", ";");
        chain("int x = (a", ", a", ");");
        chain("int x = a", ".b", ";");
        chain("int x = a", "[1]", ";");
        chain("int x = a", "(1)", ";");
        chain("int x = a", "++", ";");
        chain("void f(void) { ", "if (1) ; else ", ";}");
        chain("void f(void) { switch (1) { ", "case 1: ", ";}}");
        chain("void f(void) { ", "l: ", ";}");
        // A chain at the end of a chain, over and over.
        let nested = (0..300).fold("a".to_string(), |s, _| format!("({s}){}", " * a".repeat(50)));
        assert_eq!(found(&format!("int x = {nested};")), "S0108");
        // These have no height.
        let flat = |head: &str, link: &str, tail: &str| {
            assert_eq!(found(&format!("{head}{}{tail}", link.repeat(MANY))), "", "{head}{link}{tail}");
        };
        flat("int x[] = {", "1, ", "};");
        flat("int y", ", y", ";");
        flat("char *x = ", "\"a\" ", ";");
        flat("void f(void) { ", "x; ", "}");
        flat("int x = f(1", ", 1", ");");
        flat("int f(int", ", int", ");");
        flat("int ", "const ", "x;");
        flat("enum { a", ", a", "};");
        flat("struct S { ", "int x; ", "};");
    });
}

/// Passes that recurse can run over the tallest tree that parses.
#[test]
fn a_deep_stack_is_deep_enough() {
    fn height(p: &fathom_syntax::Parsed, e: fathom_syntax::ast::ExprId) -> u32 {
        let padding = std::hint::black_box([0u8; 16 << 10]);
        let mut h = padding[0] as u32;
        fathom_syntax::visit::walk_expr_children(&p.unit, e, &mut |c| {
            if let fathom_syntax::visit::Child::Expr(e) = c {
                h = h.max(height(p, e));
            }
        });
        h + 1
    }
    let p = parsed(&format!("int x = a{};", " + a".repeat(2400)));
    let h = fathom_syntax::on_deep_stack(|| {
        let last = p.unit.exprs.len() as u32 - 1;
        height(&p, fathom_syntax::ast::ExprId(last))
    });
    assert_eq!(h, 2401);
}

fn sources() -> Vec<PathBuf> {
    fn gather(dir: &Path, out: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(dir) else { return };
        for e in entries.flatten() {
            let p = e.path();
            match p.extension().and_then(|e| e.to_str()) {
                _ if p.is_dir() => gather(&p, out),
                Some("upc" | "c" | "h") => out.push(p),
                _ => {}
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut v = vec![];
    for d in ["examples", "tests", "runtime", "crates/syntax/tests/c"] {
        gather(&root.join(d), &mut v);
    }
    v.sort();
    assert!(!v.is_empty());
    v
}

fn texts() -> Vec<String> {
    sources().iter().filter_map(|p| std::fs::read(p).ok()).map(|b| String::from_utf8_lossy(&b).into_owned()).collect()
}

/// Sources cut off anywhere, not preprocessed even.
#[test]
fn truncated_sources() {
    let texts = texts();
    for (n, t) in texts.iter().enumerate() {
        for k in 0..12 {
            let mut cut = (t.len() * k / 12 + n * 7 + k).min(t.len());
            while !t.is_char_boundary(cut) {
                cut -= 1;
            }
            parsed(&t[..cut]);
            parsed(&t[cut..]);
        }
    }
}

/// What grammars are made of; soup of it reaches every production.
const WORDS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "=",
    "*",
    "&",
    "&&",
    "+",
    "-",
    "++",
    ".",
    "->",
    "...",
    "<",
    "int",
    "char",
    "void",
    "long",
    "unsigned",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "sizeof",
    "typeof",
    "_Generic",
    "_Alignas",
    "_Atomic",
    "__attribute__",
    "((",
    "))",
    "__extension__",
    "asm",
    "goto",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "return",
    "break",
    "continue",
    "T",
    "T",
    "x",
    "y",
    "f",
    "S",
    "1",
    "0x1p-3",
    "'c'",
    "\"s\"",
    "shared",
    "strict",
    "relaxed",
    "upc_forall",
    "upc_barrier",
    "upc_wait",
    "THREADS",
    "MYTHREAD",
    "upc_localsizeof",
    "__label__",
    "_Static_assert",
    "__builtin_va_arg",
    "__builtin_offsetof",
    "__builtin_choose_expr",
    "__auto_type",
    "_Complex",
    "__real__",
    "[[",
    "]]",
    "int x;",
    "typedef int T;",
    "({",
    "})",
    "void f(void) {",
    "\n#pragma upc strict\n",
    "\n# 1 \"h\" 3\n",
    "@",
    "\\",
    "\"",
    "'",
    "\n",
    "inline",
    "global",
    "spread",
    "PROCS",
    "::",
    ":=",
    ":-",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        for text in [words.join(" "), format!("typedef int T; void f(void) {{ {} }}", words.join(" "))] {
            parsed(&text);
            parsed_split_c(&text);
        }
    }

    #[test]
    fn any_text(s in ".{0,80}") {
        parsed(&s);
    }
}

/// Real sources with bytes changed, tokens removed, doubled or swapped.
#[test]
fn mutated_sources() {
    let texts = texts();
    let mut numbers = fastrand::Rng::with_seed(1);
    let mut random = move |n: usize| numbers.usize(..n.max(1));
    for t in &texts {
        for _ in 0..6 {
            let mut b = t.clone().into_bytes();
            for _ in 0..1 + random(6) {
                let at = random(b.len());
                match random(4) {
                    0 if !b.is_empty() => b[at] = random(256) as u8,
                    1 if !b.is_empty() => drop(b.drain(at..(at + random(20)).min(b.len()))),
                    2 => {
                        let end = (at + random(40)).min(b.len());
                        let part = b[at.min(end)..end].to_vec();
                        let to = random(b.len());
                        b.splice(to..to, part);
                    }
                    _ => {
                        let w = WORDS[random(WORDS.len())].as_bytes().to_vec();
                        b.splice(at..at, w);
                    }
                }
            }
            parsed(&String::from_utf8_lossy(&b));
            parsed_split_c(&String::from_utf8_lossy(&b));
        }
    }
}

/// Errors are counted, not collected without end.
#[test]
fn findings_are_bounded() {
    let p = parsed(&"int x x; ".repeat(MANY));
    assert!(p.diags.len() <= 1001, "{}", p.diags.len());
    let p = parsed(&"@ ;".repeat(MANY));
    assert!(p.diags.len() <= 2002, "{}", p.diags.len());
}

/// Unclosed quotes do not each search the rest of the file.
#[test]
fn many_unclosed_strings_take_linear_time() {
    let start = std::time::Instant::now();
    found(&format!("\"\n{}", "\\\"\n".repeat(300_000)));
    found(&"'\n".repeat(300_000));
    found(&"/".repeat(1_000_000));
    found(&"# 1\n".repeat(300_000));
    found(&"__attribute__((".repeat(100_000));
    found(&"[[".repeat(200_000));
    found(&format!("void f(void) {{ {}", "__attribute__((x)) ".repeat(100_000)));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
