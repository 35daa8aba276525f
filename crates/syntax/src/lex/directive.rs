//! Lines that begin with `#` in preprocessed text: line markers and pragmas.
//!
//! All of them stay in the text as white space, but promises (`promise`), and `#pragma upc strict` and `#pragma upc relaxed`, which become
//! tokens (UPC 1.3, 6.7.1). Berkeley UPC and GUPC have two more, for headers that C and UPC programs share: `#pragma upc
//! c_code`, from where `shared`, `strict` and `relaxed` are names, and `#pragma upc upc_code`, from where they are
//! keywords. Each holds to the end of its file, and `c_code` in the files that are included there. `gcc -E` turns
//! `_Pragma("…")` into such a line in the middle of a statement, so a pragma token can turn up anywhere; the parser
//! judges where.

use super::Lexer;
use crate::diag::Diag;
use crate::token::{LineMark, Name, TokKind};

/// The next word of a directive and what follows it.
pub(super) fn word(s: &str) -> (&str, &str) {
    let s = s.trim_start();
    let n = s.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(s.len());
    s.split_at(n)
}

impl Lexer<'_> {
    /// At the `#` (or `%:`) of a directive: takes the whole line.
    pub(super) fn directive(&mut self) {
        let lo = self.pos;
        let rest = &self.text[lo..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.pos = lo + line.len();
        let body = line.trim_end_matches('\r');
        let body = body.strip_prefix('#').or_else(|| body.strip_prefix("%:")).unwrap_or(body);
        let (first, tail) = word(body);
        match first {
            "pragma" => {
                self.pragma(lo, tail);
            }
            "line" => self.marker(lo, tail.trim_start()),
            // What `cc -E` leaves beside line markers: `-dD` and `-g3` keep definitions.
            "" | "ident" | "sccs" | "define" | "undef" | "include" | "include_next" | "import" | "assert"
            | "unassert" => {}
            _ if first.as_bytes()[0].is_ascii_digit() => self.marker(lo, body.trim_start()),
            _ => self.bad_directive(lo, first),
        }
    }

    fn bad_directive(&mut self, lo: usize, first: &str) {
        let message = format!("`#{first}` in preprocessed text");
        self.push(TokKind::Unknown, lo, Name(0));
        self.report(|at| Diag::error("S0007", at, message).hint("run the file through the preprocessor first"));
    }

    /// `12 "file" 1 3`
    fn marker(&mut self, lo: usize, s: &str) {
        let (number, tail) = word(s);
        let Ok(line) = number.parse::<u64>() else {
            self.push(TokKind::Unknown, lo, Name(0));
            return self.report(|at| Diag::error("S0007", at, "line marker without a line number"));
        };
        let tail = tail.trim_start();
        let (mut file, mut flags) = (None, tail);
        if let Some(quoted) = tail.strip_prefix('"') {
            let (name, after) = unescape(quoted);
            file = Some(self.file(name));
            flags = after;
        }
        let file = file.or(self.marks.last().map(|m| m.file)).unwrap_or_else(|| self.file("<input>".into()));
        // Without a file name it is `#line 12` and says nothing about where the text is from.
        let system = if tail.is_empty() { self.system } else { flags.split_ascii_whitespace().any(|f| f == "3") };
        self.system = system;
        match flags.split_ascii_whitespace().next() {
            Some("1") => {
                self.includers.push(self.c_code);
                self.c_code = self.c_code.filter(|&c| c);
            }
            Some("2") => self.c_code = self.includers.pop().flatten(),
            _ => {}
        }
        let offset = (self.pos + 1).min(self.b.len()) as u32;
        self.marks.push(LineMark { offset, line: line.min(u32::MAX as u64) as u32, file, system });
    }

    fn file(&mut self, name: String) -> u32 {
        if let Some(&n) = self.file_index.get(&name) {
            return n;
        }
        let n = self.files.len() as u32;
        self.files.push(name.clone());
        self.file_index.insert(name, n);
        n
    }

    /// The text after `#pragma`. What is neither UPC's nor a promise is another compiler's business.
    fn pragma(&mut self, lo: usize, text: &str) {
        match word(text) {
            ("upc", what) => self.upc_pragma(lo, what),
            (whose @ ("fathom" | "bupc" | "pgas"), what) => self.promise(lo, whose, what),
            ("GCC", what) if what.trim() == "aarch64 \"arm_neon.h\"" => self.has_neon = true,
            _ => {}
        }
    }

    /// The text after `#pragma upc`; the line starts at `lo` and ends at `self.pos`.
    fn upc_pragma(&mut self, lo: usize, what: &str) {
        let (which, after) = word(what);
        let after = after.trim_start();
        let clean = after.is_empty() || after.starts_with("//") || after.starts_with("/*");
        match which {
            "strict" if clean => self.push(TokKind::PragmaStrict, lo, Name(0)),
            "relaxed" if clean => self.push(TokKind::PragmaRelaxed, lo, Name(0)),
            "c_code" | "upc_code" if clean => {
                self.c_code = Some(which == "c_code");
                self.blanks.push(lo..self.pos);
            }
            // Berkeley UPC's, around headers: which language they are in. Here what they declare decides.
            "upc_code" | "c_code" if clean => {}
            _ => {
                let message = format!("unknown pragma `upc {}`", what.trim());
                self.push(TokKind::Unknown, lo, Name(0));
                self.report(|at| {
                    Diag::error("S0005", at, message)
                        .label("not a UPC pragma")
                        .hint("write `#pragma upc strict` or `#pragma upc relaxed`")
                        .clause("UPC 1.3, 6.7.1 p1")
                });
            }
        }
    }

    /// After the word `_Pragma` that starts at `lo`: takes `("…")` if it is there. Other compilers' pragmas stay in
    /// the text as white space.
    pub(super) fn pragma_operator(&mut self, lo: usize) -> bool {
        let rest = &self.text[self.pos..];
        let Some(s) = rest.trim_start().strip_prefix('(') else {
            return false;
        };
        let s = s.trim_start();
        let s = s.strip_prefix('L').unwrap_or(s);
        let Some(s) = s.strip_prefix('"') else { return false };
        let (body, after) = unescape(s);
        let Some(after) = after.trim_start().strip_prefix(')') else {
            return false;
        };
        self.pos = self.text.len() - after.len();
        self.pragma(lo, &body);
        true
    }
}

/// Reads up to the closing quote, undoing `\\`, `\"` and octal escapes; returns the rest as well.
fn unescape(s: &str) -> (String, &str) {
    let b = s.as_bytes();
    let mut out = Vec::with_capacity(64);
    let mut i = 0;
    while i < b.len() && b[i] != b'"' && b[i] != b'\n' {
        if b[i] != b'\\' {
            out.push(b[i]);
            i += 1;
            continue;
        }
        i += 1;
        let digits = b[i..].iter().take(3).take_while(|c| matches!(c, b'0'..=b'7')).count();
        if digits > 0 {
            let value = b[i..i + digits].iter().fold(0u32, |v, c| v * 8 + (c - b'0') as u32);
            out.push(value as u8);
            i += digits;
        } else if i < b.len() {
            out.push(b[i]);
            i += 1;
        }
    }
    let end = (i + 1).min(b.len());
    let rest = s.get(end..).unwrap_or("");
    (String::from_utf8_lossy(&out).into_owned(), rest)
}
