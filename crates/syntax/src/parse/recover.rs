//! Findings, and how parsing goes on after an error: at most one error per place, then on to the next `;` or to the
//! end of the enclosing brackets.

use super::Parser;
use crate::diag::{Diag, Severity};
use crate::keyword::Kw;
use crate::lex::{Punct, MAX_DIAGS};
use crate::token::{TokKind, TokRange};

impl Parser<'_> {
    /// The token at hand.
    pub(super) fn here(&self) -> TokRange {
        TokRange { lo: self.pos, hi: self.pos + 1 }
    }

    /// The token taken last.
    pub(super) fn before(&self) -> TokRange {
        TokRange { lo: self.pos.saturating_sub(1), hi: self.pos.max(1) }
    }

    /// Keeps a finding, unless it is an error and the token at hand has had one.
    #[cold]
    pub(super) fn report(&mut self, d: Diag) {
        if d.severity == Severity::Error {
            if self.error_pos == self.pos {
                return;
            }
            self.error_pos = self.pos;
        }
        if self.found.len() < MAX_DIAGS {
            self.found.push(d);
        } else if self.found.len() == MAX_DIAGS {
            let at = d.span;
            self.found.push(Diag::error(
                "S0010",
                at,
                format!("more than {MAX_DIAGS} errors and warnings: the others are not shown"),
            ));
        }
    }

    /// How a message names the token at hand.
    pub(super) fn found_text(&self) -> String {
        match self.kind {
            TokKind::Eof => "the end of the file".into(),
            TokKind::Str => "a string literal".into(),
            _ => {
                let t = self.tok();
                let s = &self.text[t.lo as usize..t.hi as usize];
                match s.char_indices().nth(40) {
                    Some((n, _)) => format!("`{}…`", &s[..n]),
                    None => format!("`{s}`"),
                }
            }
        }
    }

    /// "expected …, found …" at the token at hand.
    #[cold]
    pub(super) fn expected(&mut self, code: &'static str, what: &str) {
        let d = Diag::error(code, self.here(), format!("expected {what}, found {}", self.found_text()));
        self.report(d.label(format!("expected {what}")));
    }

    /// Takes `p`, or reports that it is missing.
    #[inline]
    pub(super) fn expect(&mut self, p: Punct, spelling: &str) -> bool {
        if self.eat(p) {
            return true;
        }
        self.expected("S0101", &format!("`{spelling}`"));
        false
    }

    /// Takes the bracket that closes what `open` opened, or reports that it is missing.
    #[inline]
    pub(super) fn expect_close(&mut self, p: Punct, spelling: &str, open: u32) -> bool {
        if self.eat(p) {
            return true;
        }
        self.missing_close(spelling, open);
        false
    }

    #[cold]
    fn missing_close(&mut self, spelling: &str, open: u32) {
        let d = Diag::error("S0107", self.here(), format!("expected `{spelling}`, found {}", self.found_text()))
            .label(format!("expected `{spelling}`"))
            .note(TokRange { lo: open, hi: open + 1 }, "opened here");
        self.report(d);
    }

    /// Takes the `;` that ends something, or reports it missing after the last token and goes on: at once if what
    /// follows stands on a line of its own or ends a block, else after the next `;`.
    #[inline]
    pub(super) fn semi(&mut self, after: &str) {
        if !self.eat(Punct::Semi) {
            self.missing_semi(after);
        }
    }

    #[cold]
    fn missing_semi(&mut self, after: &str) {
        if self.error_pos != self.pos {
            let at = self.before();
            let message = format!("expected `;` after {after}, found {}", self.found_text());
            let mut d = Diag::error("S0106", at, message).label("`;` missing after this").hint("add `;` here");
            d.after = true;
            self.report(d);
            let (a, b) = (self.toks[at.lo as usize].hi as usize, self.tok().lo as usize);
            let new_line = self.text[a.min(b)..b].contains('\n');
            if new_line && !self.at(Punct::RParen) && !self.at(Punct::RBracket) {
                return;
            }
        }
        self.skip_statement();
    }

    /// Goes on after the next `;` outside braces, or before the `}` that ends the block.
    #[cold]
    pub(super) fn skip_statement(&mut self) {
        loop {
            match self.kind {
                TokKind::Eof | TokKind::Punct(Punct::RBrace) => return,
                TokKind::Punct(Punct::Semi) => return self.bump(),
                TokKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    return;
                }
                TokKind::PragmaStrict | TokKind::PragmaRelaxed => return,
                _ => self.bump(),
            }
        }
    }

    /// From an opening bracket to after the one that closes it.
    #[cold]
    pub(super) fn skip_balanced(&mut self) {
        let mut depth = 0u32;
        loop {
            self.no_pragma();
            match self.kind {
                TokKind::Eof => return,
                TokKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
                TokKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Before the bracket that closes what is open here, or the `;` that ends it.
    #[cold]
    pub(super) fn skip_to_close(&mut self) {
        let mut depth = 0u32;
        loop {
            self.no_pragma();
            match self.kind {
                TokKind::Eof => return,
                TokKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
                TokKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) if depth == 0 => return,
                TokKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket) => depth -= 1,
                TokKind::Punct(Punct::Semi) if depth == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// The `)` of a statement's head, `(` at `open`. If it is missing, goes on after the next one, but not beyond a
    /// brace and, unless the head has clauses, not beyond a `;`.
    pub(super) fn close_head(&mut self, open: u32, clauses: bool) {
        if self.expect_close(Punct::RParen, ")", open) {
            return;
        }
        loop {
            self.no_pragma();
            match self.kind {
                TokKind::Eof | TokKind::Punct(Punct::LBrace | Punct::RBrace) => return,
                TokKind::Punct(Punct::RParen) => return self.bump(),
                TokKind::Punct(Punct::Semi) if !clauses => return,
                TokKind::Punct(Punct::LParen | Punct::LBracket) => self.skip_balanced(),
                _ => self.bump(),
            }
        }
    }

    /// Goes on before the next `,` or closing bracket of the list at hand.
    #[cold]
    pub(super) fn skip_item(&mut self) {
        loop {
            match self.kind {
                TokKind::Eof
                | TokKind::Punct(Punct::RBrace | Punct::RParen | Punct::RBracket | Punct::Comma | Punct::Semi) => {
                    return
                }
                TokKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => self.skip_balanced(),
                _ => self.bump(),
            }
            self.no_pragma();
        }
    }

    /// Outside all functions: goes on at what looks like the start of the next external declaration.
    #[cold]
    pub(super) fn skip_external(&mut self) {
        loop {
            match self.kind {
                TokKind::Eof | TokKind::PragmaStrict | TokKind::PragmaRelaxed => return,
                TokKind::Punct(Punct::Semi | Punct::RBrace) => return self.bump(),
                TokKind::Punct(Punct::LBrace) => {
                    self.skip_balanced();
                    self.eat(Punct::Semi);
                    return;
                }
                TokKind::Keyword if matches!(self.kw(), Kw::Typedef | Kw::Extern | Kw::Static) => return,
                _ => self.bump(),
            }
        }
    }

    #[cold]
    pub(super) fn warn_misplaced_pragma(&mut self) {
        let d = Diag::warning("S0111", self.here(), "`#pragma upc` inside a declaration or statement")
            .label("no effect here")
            .hint("put it outside external declarations, or first in a block")
            .clause("UPC 1.3, 6.7.1 p4");
        self.report(d);
    }
}
