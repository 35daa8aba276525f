//! Types and checks preprocessed files; prints what was found and how fast it went.
//!
//!     cc -E -x c file.upc > file.i && cargo run --release -p fathom-sema --example check -- [-T n] file.i

use fathom_syntax::{parse, Diag, Options};
use std::time::Instant;

fn main() {
    let mut options = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(path) = args.next() {
        if path == "-T" {
            options.threads = args.next().and_then(|n| n.parse().ok());
            continue;
        }
        let text = match std::fs::read(&path) {
            Ok(b) => String::from_utf8_lossy(&b).into_owned(),
            Err(e) => {
                eprintln!("{path}: {e}");
                continue;
            }
        };
        let lines = text.lines().count();
        let start = Instant::now();
        let parsed = parse(text, options);
        let parsing = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let (sema, diags) = fathom_sema::check(&parsed, options);
        let checking = start.elapsed().as_secs_f64();
        let show = |d: &Diag| {
            let p = parsed.source.tok_place(d.span.lo);
            let file = parsed.source.files.get(p.file as usize).map_or("", |f| f.as_str());
            let clause = d.clause.unwrap_or("");
            println!(
                "{file}:{}:{}: {:?} {} [{clause}]: {} ({})",
                p.line, p.col, d.severity, d.code, d.message, d.label
            );
        };
        parsed.diags.iter().for_each(show);
        diags.iter().for_each(show);
        eprintln!(
            "{path}: {lines} lines, parsed in {:.1} ms, checked in {:.1} ms ({:.1} M lines/s), {} symbols, {} records",
            parsing * 1e3,
            checking * 1e3,
            lines as f64 / checking / 1e6,
            sema.symbols.len(),
            sema.types.records.len()
        );
    }
}
