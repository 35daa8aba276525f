//! What UPC 1.3 adds to the grammar: the shared qualifier with its layout (6.5.1.1), synchronisation statements
//! (6.6.1), `upc_forall` (6.6.2) and the pragmas (6.7.1). The `sizeof` family (6.4.1) is in `expr`.

use super::Parser;
use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::Kw;
use crate::lex::Punct::*;
use crate::token::TokKind;

impl Parser<'_> {
    /// `shared`, `shared []`, `shared [*]`, `shared [expr]`
    pub(super) fn shared_qualifier(&mut self) -> SpecKind {
        self.bump();
        if !self.at(LBracket) {
            return SpecKind::Shared(Layout::None);
        }
        let open = self.pos;
        self.bump();
        let layout = if self.at(RBracket) {
            Layout::Empty
        } else if self.at(Star) && self.punct_at(self.ahead(1), RBracket) {
            self.bump();
            Layout::Star
        } else {
            Layout::Expr(self.cond())
        };
        if !self.at(RBracket) {
            self.expect_close(RBracket, "]", open);
            self.skip_to_close();
        }
        self.eat(RBracket);
        SpecKind::Shared(layout)
    }

    /// At the keyword: the optional value and the `;`.
    pub(super) fn sync_value(&mut self, what: &str) -> Option<ExprId> {
        self.bump();
        let e = if self.at(Semi) || self.called(what) { None } else { Some(self.expr()) };
        self.semi(what);
        e
    }

    /// `upc_barrier();`: takes the parentheses, and reports them.
    pub(super) fn called(&mut self, what: &str) -> bool {
        let called = self.at(LParen) && self.punct_at(self.ahead(1), RParen);
        if called {
            let d = Diag::error("S0102", self.here(), format!("{what} is a statement, not a function"))
                .label("parentheses with nothing in them")
                .hint(format!("write {what} and a semicolon"))
                .clause("UPC 1.3, 6.6.1 p1");
            self.report(d);
            self.bump();
            self.bump();
        }
        called
    }

    pub(super) fn take_pragma(&mut self) -> UpcPragma {
        let p = if self.kind == TokKind::PragmaStrict { UpcPragma::Strict } else { UpcPragma::Relaxed };
        // Nothing taken before a pragma makes the next one misplaced.
        self.pos += 1;
        self.kind = self.toks[self.pos as usize].kind;
        if self.kind == TokKind::Unknown {
            self.skip_odd(None);
        }
        p
    }

    /// `upc_forall (init; cond; step; affinity) body`
    pub(super) fn forall(&mut self) -> StmtKind {
        let keyword = self.here();
        self.bump();
        let open = self.pos;
        let mark = self.scopes.open();
        let (mut init, mut cond, mut step, mut affinity) = (ForInit::None, None, None, Affinity::None);
        if self.expect(LParen, "(") {
            init = self.for_init();
            cond = self.for_clause();
            self.no_pragma();
            step = if self.at(Semi) || self.at(RParen) { None } else { Some(self.expr()) };
            if self.at(RParen) {
                let d = Diag::error("S0109", self.here(), "`upc_forall` needs four clauses, and this one has three")
                    .label("`; affinity` is missing before this")
                    .note(keyword, "this loop")
                    .hint("add the affinity, as in `; &a[i])`, or an empty one: `;)`; or write `for`")
                    .clause("UPC 1.3, 6.6.2 p2");
                self.report(d);
            } else if self.expect(Semi, ";") {
                affinity = self.affinity();
            }
            self.close_head(open, true);
        }
        let body = self.statement();
        self.scopes.close(mark);
        StmtKind::Forall { init, cond, step, affinity, body }
    }

    /// At an identifier: `barrier;` or `forall (…; …) …`, as UPC 1.0 spelled the statements.
    pub(super) fn old_statement(&mut self) -> Option<StmtKind> {
        let kw = self.scopes.old_statement(self.tok().name);
        let (here, new) = match kw {
            Kw::UpcForall => (self.at_loop_head(), "upc_forall"),
            Kw::UpcBarrier => (self.punct_at(self.ahead(1), Semi), "upc_barrier"),
            Kw::UpcNotify => (self.punct_at(self.ahead(1), Semi), "upc_notify"),
            Kw::UpcWait => (self.punct_at(self.ahead(1), Semi), "upc_wait"),
            Kw::UpcFence => (self.punct_at(self.ahead(1), Semi), "upc_fence"),
            _ => return None,
        };
        if !here {
            return None;
        }
        let name = self.names.str(self.tok().name);
        let d = Diag::warning("S0118", self.here(), format!("`{name}` is read as `{new}`"))
            .label("the spelling of UPC 1.0")
            .hint(format!("write `{new}`"))
            .clause("UPC 1.3, 6.6");
        self.report(d);
        Some(match kw {
            Kw::UpcForall => self.forall(),
            Kw::UpcBarrier => StmtKind::Barrier(self.sync_value("`barrier`")),
            Kw::UpcNotify => StmtKind::Notify(self.sync_value("`barrier_notify`")),
            Kw::UpcWait => StmtKind::Wait(self.sync_value("`barrier_wait`")),
            _ => {
                self.sync_value("`fence`");
                StmtKind::Fence
            }
        })
    }

    /// Whether parentheses with a `;` follow the token at hand: no call has that.
    fn at_loop_head(&self) -> bool {
        let mut i = self.ahead(1);
        if !self.punct_at(i, LParen) {
            return false;
        }
        let mut depth = 0u32;
        loop {
            match self.kind_at(i) {
                TokKind::Punct(LParen | LBrace) => depth += 1,
                TokKind::Punct(RParen | RBrace) => depth -= 1,
                TokKind::Punct(Semi) if depth == 1 => return true,
                TokKind::Eof => return false,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
            i = self.next_index(i);
        }
    }

    fn affinity(&mut self) -> Affinity {
        self.no_pragma();
        if self.at(RParen) {
            return Affinity::None;
        }
        let at = self.here();
        if self.eat_kw(Kw::Continue) {
            return Affinity::Continue(at);
        }
        Affinity::Expr(self.expr())
    }
}
