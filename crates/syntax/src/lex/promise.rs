//! The pragmas by which a program promises what the compiler cannot see (docs/decisions/0017): `#pragma fathom …` before a loop, and
//! other compilers' pragmas that mean the same. Each becomes an unknown token, which the parser passes over, and spaces in
//! the text; [`Source::promises`](crate::Source::promises) says what it promises.

use super::directive::word;
use super::Lexer;
use crate::diag::Diag;
use crate::token::{Name, Promise, Promised, TokKind};

const ALLOWED: &str = "`independent`, `unordered` and `constant(…)` are known";

impl Lexer<'_> {
    /// The text after `#pragma WHOSE`; the line starts at `lo` and ends at `self.pos`. Takes no pragma that is not known, unless it
    /// is ours.
    pub(super) fn promise(&mut self, lo: usize, whose: &str, what: &str) {
        let (which, after) = word(what);
        let promised = match (whose, which) {
            ("fathom", "independent") | ("bupc", "ivdep") if is_end(after) => Promised::Independent,
            ("fathom", "unordered") | ("pgas", "defer_sync") if is_end(after) => Promised::Unordered,
            ("fathom", "constant") => match arguments(after) {
                Some(list) => Promised::Constant(list),
                None => {
                    let hint =
                        "write `#pragma fathom constant(a, p->q)`: names of arrays and pointers, and members of them";
                    return self.bad_promise(lo, "the list of `#pragma fathom constant`".into(), hint);
                }
            },
            ("fathom", _) => {
                let message = format!("unknown pragma `fathom {}`", what.trim());
                return self.bad_promise(lo, message, ALLOWED);
            }
            _ => return,
        };
        self.push(TokKind::Unknown, lo, Name(0));
        self.blanks.push(lo..self.pos);
        let token = self.tokens.len() as u32 - 1;
        self.promises.push(Promise { token, promised, is_foreign: whose != "fathom" });
    }

    fn bad_promise(&mut self, lo: usize, message: String, hint: &str) {
        self.push(TokKind::Unknown, lo, Name(0));
        self.report(|at| Diag::error("S0011", at, message).hint(hint));
    }
}

fn is_end(s: &str) -> bool {
    let s = s.trim_start();
    s.is_empty() || s.starts_with("//") || s.starts_with("/*")
}

/// `(a, p->q, s.m)`, without its white space.
fn arguments(s: &str) -> Option<Vec<String>> {
    let (list, after) = s.trim_start().strip_prefix('(')?.split_once(')')?;
    let path = |x: &str| {
        let x: String = x.split_ascii_whitespace().collect();
        let is_name = |n: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
            n.starts_with(|c: char| is_part(c) && !c.is_ascii_digit()) && n.chars().all(is_part)
        };
        x.replace("->", ".").split('.').all(is_name).then_some(x)
    };
    let list: Option<Vec<String>> = list.split(',').map(path).collect();
    list.filter(|_| is_end(after))
}
