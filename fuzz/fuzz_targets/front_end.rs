//! Any bytes through the front end: parse, verify the tree, check, and, where no error was found, lower and emit.
//! The first byte chooses between the static and the dynamic THREADS environment, and between UPC and Split-C.

#![no_main]

use fathom_syntax::verify::verify;
use fathom_syntax::{parse, Dialect, Options, Severity};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let threads = match data.first() {
        Some(b) if b % 2 == 1 => Some(4),
        _ => None,
    };
    let dialect = match data.first() {
        Some(b) if b / 2 % 2 == 1 => Dialect::SplitC,
        _ => Dialect::Upc,
    };
    let text = String::from_utf8_lossy(data).into_owned();
    // On this thread: a deep stack for each input would cost more than the input. The shell gives one (see README).
    let options = Options { threads, dialect, ..Options::default() };
    let parsed = parse(text, options);
    if let Err(broken) = verify(&parsed) {
        panic!("{broken}");
    }
    let (sema, found) = fathom_sema::check(&parsed, options);
    let wrong = parsed.diags.iter().chain(&found).any(|d| d.severity == Severity::Error);
    if !wrong {
        let lowered = fathom_lower::lower(&parsed, &sema, fathom_lower::Options::default());
        fathom_emit::emit(&parsed, &lowered);
    }
});
