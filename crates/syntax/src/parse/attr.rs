//! Attributes, GNU and C23, and inline assembly.
//!
//! The text of an attribute reaches the C compiler as it came; the tree keeps names and arguments because some
//! attributes make types (`vector_size`, `mode`) or lay them out (`packed`, `aligned`). An argument that is not an
//! expression is skipped without a diagnostic: the C compiler checks attributes.

use super::Parser;
use crate::ast::*;
use crate::keyword::Kw;
use crate::lex::Punct::*;
use crate::token::{Name, TokKind};

impl Parser<'_> {
    /// At `__attribute__` or `[[`.
    #[inline]
    pub(super) fn at_attr(&self) -> bool {
        self.at_kw(Kw::Attribute) || self.at_std_attr()
    }

    /// At `[[` of a C23 attribute.
    #[inline]
    pub(super) fn at_std_attr(&self) -> bool {
        self.at(LBracket) && self.punct_at(self.ahead(1), LBracket)
    }

    /// All attributes here.
    #[inline]
    pub(super) fn attrs(&mut self) -> Vec<Attr> {
        let mut v = vec![];
        while self.at_attr() {
            self.attr_group(&mut v);
        }
        v
    }

    /// One `__attribute__((…))`, or a `[[…]]`, which is skipped.
    pub(super) fn attr_group(&mut self, out: &mut Vec<Attr>) {
        if self.at(LBracket) {
            return self.skip_balanced();
        }
        self.bump();
        let open = self.pos;
        if !self.expect(LParen, "((") {
            return;
        }
        let inner = self.pos;
        if !self.expect(LParen, "((") {
            self.skip_to_close();
            self.expect_close(RParen, ")", open);
            return;
        }
        while !self.at(RParen) && self.kind != TokKind::Eof {
            if self.eat(Comma) {
                continue;
            }
            if !matches!(self.kind, TokKind::Ident | TokKind::Keyword) {
                self.expected("S0101", "the name of an attribute");
                self.skip_to_close();
                break;
            }
            let lo = self.pos;
            let name = self.plain_name(self.tok().name);
            self.bump();
            let args = if self.at(LParen) { self.attr_args() } else { vec![] };
            out.push(Attr { name, args, toks: self.since(lo) });
            if !self.at(Comma) && !self.at(RParen) {
                self.expected("S0101", "`,` or `)`");
                self.skip_to_close();
            }
            if self.at(Semi) || self.at(RBrace) {
                break;
            }
        }
        self.expect_close(RParen, ")", inner);
        self.expect_close(RParen, ")", open);
    }

    /// `__packed__` is `packed`.
    fn plain_name(&mut self, n: Name) -> Name {
        let s = self.names.str(n);
        match s.strip_prefix("__").and_then(|s| s.strip_suffix("__")) {
            Some(plain) if !plain.is_empty() => {
                let plain = plain.to_string();
                self.names.intern(&plain)
            }
            _ => n,
        }
    }

    fn attr_args(&mut self) -> Vec<ExprId> {
        let mut v = vec![];
        let open = self.pos;
        self.bump();
        while !self.at(RParen) && !self.at(Semi) && self.kind != TokKind::Eof {
            if !self.starts_type() {
                let (found, error_pos, deep) = (self.found.len(), self.error_pos, self.deep_reported);
                let e = self.assign();
                if self.found.len() > found {
                    self.found.truncate(found);
                    self.error_pos = error_pos;
                    self.deep_reported = deep;
                } else {
                    v.push(e);
                }
            }
            self.skip_item();
            if !self.eat(Comma) {
                break;
            }
        }
        self.expect_close(RParen, ")", open);
        v
    }

    /// `asm("name")` and attributes after a declarator.
    pub(super) fn trailer(&mut self) -> (crate::token::TokRange, Vec<Attr>) {
        if !self.at_kw(Kw::Asm) && !self.at_attr() {
            return (self.nothing(), vec![]);
        }
        let lo = self.pos;
        let mut attrs = vec![];
        loop {
            if self.at_kw(Kw::Asm) {
                self.bump();
                let open = self.pos;
                if self.expect(LParen, "(") {
                    self.asm_text();
                    self.expect_close(RParen, ")", open);
                }
            } else if self.at_attr() {
                self.attr_group(&mut attrs);
            } else {
                break;
            }
        }
        (self.since(lo), attrs)
    }

    /// One or more string literals. Is there more in them than the letters and modifiers of constraints that ask for
    /// memory?
    fn asm_text(&mut self) -> bool {
        if self.kind != TokKind::Str {
            self.expected("S0101", "a string literal");
            self.skip_to_close();
            return false;
        }
        let mut more = false;
        while self.kind == TokKind::Str {
            let t = self.tok();
            more |= self.text[t.lo as usize..t.hi as usize].contains(|c| !"\"moV<>=+&%*#?!,".contains(c));
            self.bump();
        }
        more
    }

    /// At `asm`: up to and with the `;`. The operands in order.
    pub(super) fn asm(&mut self) -> Vec<AsmOperand> {
        let mut operands = vec![];
        self.bump();
        while matches!(self.kw(), Kw::Volatile | Kw::Const | Kw::Inline | Kw::Goto) {
            self.bump();
        }
        let open = self.pos;
        if self.expect(LParen, "(") {
            self.asm_text();
            // outputs, inputs, clobbers, labels
            for section in 0..4 {
                if !self.eat(Colon) {
                    break;
                }
                self.asm_operands(section == 1, &mut operands);
            }
            if !self.at(RParen) {
                self.expected("S0107", "`)`");
                self.skip_to_close();
            }
            self.expect_close(RParen, ")", open);
        }
        self.semi("inline assembly");
        operands
    }

    /// `[name] "constraint" (expr), …` or clobbers or labels.
    fn asm_operands(&mut self, inputs: bool, out: &mut Vec<AsmOperand>) {
        while !self.at(Colon) && !self.at(RParen) {
            if self.at(LBracket) {
                self.skip_balanced();
            }
            match self.kind {
                TokKind::Str => {
                    let by_value = self.asm_text() && inputs;
                    if self.at(LParen) {
                        let open = self.pos;
                        self.bump();
                        let expr = self.expr();
                        out.push(AsmOperand { expr, by_value });
                        self.expect_close(RParen, ")", open);
                    }
                }
                TokKind::Ident | TokKind::Keyword => self.bump(), // a label of asm goto
                _ => {
                    self.expected("S0101", "an operand");
                    return self.skip_to_close();
                }
            }
            if !self.eat(Comma) {
                return;
            }
        }
    }
}
