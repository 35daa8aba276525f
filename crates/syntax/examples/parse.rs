//! Lexes and parses preprocessed files, prints what was found and how fast it went.
//!
//!     cc -E file.c > file.i && cargo run --release -p fathom-syntax --example parse -- file.i

use fathom_syntax::{parse, Options};
use std::time::Instant;

fn main() {
    let mut failed = false;
    for path in std::env::args().skip(1) {
        let bytes = match std::fs::read(&path) {
            Ok(b) => b,
            Err(e) => {
                eprintln!("{path}: {e}");
                failed = true;
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // The best of a few runs: the first one pays for the memory.
        let (mut best, mut lexing) = (f64::MAX, f64::MAX);
        for _ in 0..5 {
            let t = text.clone();
            let start = Instant::now();
            drop(fathom_syntax::lex::lex(t, Default::default()));
            lexing = lexing.min(start.elapsed().as_secs_f64());
            let t = text.clone();
            let start = Instant::now();
            drop(parse(t, Options::default()));
            best = best.min(start.elapsed().as_secs_f64());
        }
        let parsed = parse(text, Options::default());
        for d in parsed.diags.iter().take(50) {
            let p = parsed.source.tok_place(d.span.lo);
            let file = &parsed.source.files[p.file as usize];
            println!("{file}:{}:{}: {:?} {}: {}", p.line, p.col, d.severity, d.code, d.message);
            failed |= d.severity == fathom_syntax::Severity::Error;
        }
        let lines = parsed.source.line_starts.len() as f64;
        println!(
            "{path}: {lines} lines, {} tokens, {} expressions; lexing {:.2} M lines/s, with parsing {:.2} M lines/s ({:.0} MB/s)",
            parsed.source.tokens.len(),
            parsed.unit.exprs.len(),
            lines / lexing / 1e6,
            lines / best / 1e6,
            parsed.source.text.len() as f64 / best / 1e6,
        );
    }
    if failed {
        std::process::exit(1);
    }
}
