//! Initialisers: lists, designators, and the GNU forms `field: x` and `[3] x`.

use super::Parser;
use crate::ast::*;
use crate::lex::Punct::*;
use crate::token::TokKind;

impl Parser<'_> {
    pub(super) fn init(&mut self) -> InitId {
        let lo = self.pos;
        let kind = if self.at(LBrace) {
            match self.enter() {
                Some(saved) => {
                    let items = self.init_list();
                    self.leave(saved);
                    InitKind::List(items)
                }
                None => InitKind::Expr(self.error_expr()),
            }
        } else {
            InitKind::Expr(self.assign())
        };
        let id = InitId(self.unit.inits.len() as u32);
        let toks = self.since(lo);
        self.unit.inits.push(Init { kind, toks });
        id
    }

    /// `{ … }`
    fn init_list(&mut self) -> Vec<InitItem> {
        let open = self.pos;
        self.bump();
        let mut items = vec![];
        loop {
            self.no_pragma();
            if self.at(RBrace) || self.kind == TokKind::Eof {
                break;
            }
            let designators = self.designation();
            self.no_pragma();
            let init = self.init();
            items.push(InitItem { designators, init });
            self.no_pragma();
            if self.eat(Comma) {
                continue;
            }
            if !self.at(RBrace) {
                self.expected("S0107", "`,` or `}`");
                self.skip_item();
                if !self.eat(Comma) {
                    break;
                }
            }
        }
        self.expect_close(RBrace, "}", open);
        items
    }

    /// Designators with their `=`, if any.
    fn designation(&mut self) -> Vec<Designator> {
        let mut v = vec![];
        if self.kind == TokKind::Ident && self.punct_at(self.ahead(1), Colon) {
            v.push(Designator::Field(self.tok().name)); // GNU, before C99
            self.bump();
            self.bump();
            return v;
        }
        if !self.at(Dot) && !self.at(LBracket) {
            return v;
        }
        self.designators(&mut v);
        self.eat(Assign); // GNU: may be left out after an index
        v
    }

    /// `.a[1].b[2 ... 3]`
    pub(super) fn designators(&mut self, v: &mut Vec<Designator>) {
        loop {
            match self.kind {
                TokKind::Punct(Dot | Arrow) => {
                    self.bump();
                    match self.ident() {
                        Some((n, _)) => v.push(Designator::Field(n)),
                        None => return self.expected("S0101", "the name of a member"),
                    }
                }
                TokKind::Punct(LBracket) => {
                    let open = self.pos;
                    self.bump();
                    let lo = self.expr();
                    let d = if self.eat(Ellipsis) { Designator::Range(lo, self.cond()) } else { Designator::Index(lo) };
                    v.push(d);
                    if !self.expect_close(RBracket, "]", open) {
                        return;
                    }
                }
                _ => return,
            }
        }
    }
}
