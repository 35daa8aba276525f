//! Statements and blocks. `else if`, labels and `case` after `case` repeat without nesting: loops parse them.

use super::decl::{DeclContext, DeclOrFn};
use super::Parser;
use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::Kw;
use crate::lex::Punct::*;
use crate::token::{Name, TokKind};

/// What may stand before a statement.
enum Prefix {
    Label(Name),
    Case(ExprId, Option<ExprId>),
    Default,
}

impl Parser<'_> {
    /// `{ … }`
    pub(super) fn compound(&mut self) -> StmtId {
        let open = self.pos;
        if !self.at(LBrace) {
            self.expected("S0101", "`{`");
            let at = self.nothing();
            return self.stmt_node(StmtKind::Compound(vec![]), at);
        }
        let mark = self.scopes.open();
        self.bump();
        let mut items = vec![];
        let mut pragmas_only = true;
        while !self.at(RBrace) && self.kind != TokKind::Eof {
            let lo = self.pos;
            if let Some(item) = self.block_item(&mut pragmas_only) {
                items.push(item);
            }
            if self.pos == lo {
                self.bump();
            }
        }
        self.expect_close(RBrace, "}", open);
        self.scopes.close(mark);
        let toks = self.since(open);
        self.stmt_node(StmtKind::Compound(items), toks)
    }

    fn block_item(&mut self, pragmas_only: &mut bool) -> Option<BlockItem> {
        let lo = self.pos;
        if matches!(self.kind, TokKind::PragmaStrict | TokKind::PragmaRelaxed) {
            if !*pragmas_only {
                let d =
                    Diag::warning("S0111", self.here(), "`#pragma upc` after a declaration or statement of the block")
                        .label(
                            "behaviour undefined by the language; Fathom applies it from here to the end of the block",
                        )
                        .hint("put it first in the block, or open a block for it")
                        .clause("UPC 1.3, 6.7.1 p4");
                self.report(d);
            }
            let p = self.take_pragma();
            return Some(BlockItem::Pragma(p, self.since(lo)));
        }
        *pragmas_only = false;
        if self.at_kw(Kw::Label) {
            return Some(self.local_labels());
        }
        if self.kind == TokKind::Keyword && self.kw_after_extensions() == Kw::StaticAssert {
            let e = self.static_assert();
            return Some(BlockItem::StaticAssert(e, self.since(lo)));
        }
        if !self.at_declaration() {
            return Some(BlockItem::Stmt(self.statement()));
        }
        let Some(saved) = self.enter() else {
            self.skip_statement();
            return None;
        };
        let item = match self.decl_or_fn(DeclContext::Block) {
            DeclOrFn::Decl(d) => Some(BlockItem::Decl(d)),
            DeclOrFn::Fn(f) => Some(BlockItem::Fn(Box::new(f))),
            DeclOrFn::Bad(_) => None,
        };
        self.leave(saved);
        item
    }

    /// Whether what follows in a block is a declaration rather than a statement.
    fn at_declaration(&self) -> bool {
        match self.kind {
            TokKind::Ident => {
                let next = self.ahead(1);
                match self.kind_at(next) {
                    TokKind::Punct(Colon) => false,
                    // `foo_t x`: two names in a row on one line are a declaration whose type is missing.
                    TokKind::Ident if !self.starts_type() => {
                        let (a, b) = (self.tok().hi as usize, self.toks[next as usize].lo as usize);
                        !self.text[a..b].contains('\n')
                    }
                    _ => self.starts_type(),
                }
            }
            TokKind::Keyword if self.kw() == Kw::Attribute => self.starts_decl_at(self.past_attrs(self.pos)),
            TokKind::Keyword => self.starts_decl(),
            TokKind::Punct(LBracket) if self.at_std_attr() => self.starts_decl_at(self.past_attrs(self.pos)),
            _ => false,
        }
    }

    /// The index after all attributes from token `i` on.
    pub(super) fn past_attrs(&self, mut i: u32) -> u32 {
        loop {
            let std = self.punct_at(i, LBracket) && self.punct_at(self.next_index(i), LBracket);
            if self.kw_at(i) == Kw::Attribute {
                i = self.next_index(i);
            } else if !std {
                return i;
            }
            let mut depth = 0u32;
            loop {
                match self.kind_at(i) {
                    TokKind::Punct(LParen | LBracket) => depth += 1,
                    TokKind::Punct(RParen | RBracket) => depth = depth.saturating_sub(1),
                    TokKind::Eof => return i,
                    _ => {}
                }
                i = self.next_index(i);
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> BlockItem {
        let lo = self.pos;
        self.bump();
        let mut v = vec![];
        loop {
            match self.ident() {
                Some((n, _)) => v.push(n),
                None => self.expected("S0101", "the name of a label"),
            }
            if !self.eat(Comma) {
                break;
            }
        }
        self.semi("a declaration of labels");
        BlockItem::LocalLabels(v, self.since(lo))
    }

    pub(super) fn statement(&mut self) -> StmtId {
        let lo = self.pos;
        let Some(saved) = self.enter() else {
            // `skip_to_close` stands before what ends the statement.
            self.eat(Semi);
            let toks = self.since(lo);
            return self.stmt_node(StmtKind::Error, toks);
        };
        let s = self.statement_here();
        self.leave(saved);
        s
    }

    fn statement_here(&mut self) -> StmtId {
        let lo = self.pos;
        if self.at_attr() {
            self.attrs(); // their text belongs to the statement
        }
        let kind = match self.kind {
            TokKind::Punct(LBrace) if lo == self.pos => return self.compound(),
            TokKind::Punct(LBrace) => {
                let inner = self.compound();
                std::mem::replace(&mut self.unit[inner].kind, StmtKind::Expr(None))
            }
            TokKind::Punct(Semi) => {
                self.bump();
                StmtKind::Expr(None)
            }
            TokKind::Punct(RBrace) | TokKind::Eof => {
                self.expected("S0115", "a statement");
                StmtKind::Error
            }
            TokKind::Ident if self.at_label() => return self.labelled(),
            TokKind::Ident => self.old_statement().unwrap_or_else(|| self.expr_stmt()),
            TokKind::Keyword => match self.keyword_stmt() {
                Ok(kind) => kind,
                Err(s) => return s,
            },
            _ => self.expr_stmt(),
        };
        let toks = self.since(lo);
        self.stmt_node(kind, toks)
    }

    fn expr_stmt(&mut self) -> StmtKind {
        let e = self.expr();
        self.semi("an expression");
        StmtKind::Expr(Some(e))
    }

    /// A statement that begins with a keyword: its kind, or the whole statement if it is not one node.
    fn keyword_stmt(&mut self) -> Result<StmtKind, StmtId> {
        Ok(match self.kw() {
            Kw::Case | Kw::Default => return Err(self.labelled()),
            Kw::If => return Err(self.if_stmt()),
            Kw::Switch => {
                self.bump();
                let mark = self.scopes.open();
                let cond = self.paren_expr();
                let body = self.statement();
                self.scopes.close(mark);
                StmtKind::Switch { cond, body }
            }
            Kw::While => {
                self.bump();
                let mark = self.scopes.open();
                let cond = self.paren_expr();
                let body = self.statement();
                self.scopes.close(mark);
                StmtKind::While { cond, body }
            }
            Kw::Do => {
                self.bump();
                let mark = self.scopes.open();
                let body = self.statement();
                let cond = if self.eat_kw(Kw::While) {
                    self.paren_expr()
                } else {
                    self.expected("S0101", "`while` after the body of `do`");
                    self.error_expr()
                };
                self.semi("`do … while (…)`");
                self.scopes.close(mark);
                StmtKind::DoWhile { body, cond }
            }
            Kw::For => self.for_stmt(),
            Kw::Goto => {
                self.bump();
                let kind = if self.eat(Star) {
                    StmtKind::GotoComputed(self.expr())
                } else if let Some((n, _)) = self.ident() {
                    StmtKind::Goto(n)
                } else {
                    self.expected("S0101", "a label");
                    StmtKind::Error
                };
                self.semi("`goto`");
                kind
            }
            Kw::Continue => {
                self.bump();
                self.semi("`continue`");
                StmtKind::Continue
            }
            Kw::Break => {
                self.bump();
                self.semi("`break`");
                StmtKind::Break
            }
            Kw::Return => {
                self.bump();
                let e = if self.at(Semi) { None } else { Some(self.expr()) };
                self.semi("`return`");
                StmtKind::Return(e)
            }
            Kw::Asm => StmtKind::Asm(self.asm()),
            Kw::UpcForall => self.forall(),
            Kw::UpcNotify => StmtKind::Notify(self.sync_value("`upc_notify`")),
            Kw::UpcWait => StmtKind::Wait(self.sync_value("`upc_wait`")),
            Kw::UpcBarrier => StmtKind::Barrier(self.sync_value("`upc_barrier`")),
            Kw::UpcFence => {
                self.bump();
                self.called("`upc_fence`");
                self.semi("`upc_fence`");
                StmtKind::Fence
            }
            Kw::Else => {
                let d = Diag::error("S0114", self.here(), "`else` without an `if` before it")
                    .label("no `if` before it")
                    .hint("remove an extra `;`, or put braces around the statements before it");
                self.report(d);
                self.bump();
                return Err(self.statement());
            }
            Kw::Extension if !self.starts_decl() => self.expr_stmt(),
            _ if self.starts_decl() => {
                let d = Diag::error("S0115", self.here(), "a declaration where a statement is required")
                    .hint("put it into a block: `{ … }`");
                self.report(d);
                match self.decl_or_fn(DeclContext::Block) {
                    DeclOrFn::Decl(d) => StmtKind::Decl(d),
                    _ => StmtKind::Error,
                }
            }
            _ => self.expr_stmt(),
        })
    }

    /// `( expr )` of `if`, `while`, `switch`.
    pub(super) fn paren_expr(&mut self) -> ExprId {
        let open = self.pos;
        if !self.expect(LParen, "(") {
            // `if b) …`: the expression is there, its parenthesis is not.
            if !matches!(self.kind, TokKind::Ident | TokKind::Number) {
                return self.error_expr();
            }
            let e = self.expr();
            self.eat(RParen);
            return e;
        }
        let e = self.expr();
        self.close_head(open, false);
        e
    }

    /// `if … else if … else …`, all links of the chain at once.
    fn if_stmt(&mut self) -> StmtId {
        let mark = self.scopes.open();
        let mut arms = vec![];
        let mut els = None;
        loop {
            let lo = self.pos;
            self.bump();
            let cond = self.paren_expr();
            let then = self.statement();
            arms.push((lo, cond, then));
            self.pragma_before_else();
            if !self.eat_kw(Kw::Else) {
                break;
            }
            if !self.at_kw(Kw::If) {
                els = Some(self.statement());
                break;
            }
        }
        self.scopes.close(mark);
        let mut whole = None;
        for (lo, cond, then) in arms.into_iter().rev() {
            let kind = if self.link() { StmtKind::If { cond, then, els } } else { StmtKind::Error };
            let toks = self.since(lo);
            let s = self.stmt_node(kind, toks);
            (whole, els) = (Some(s), Some(s));
        }
        match whole {
            Some(s) => s,
            None => self.stmt_node(StmtKind::Error, self.nothing()),
        }
    }

    /// A pragma between the `}` or `;` of a branch and its `else` stands in the middle of a statement.
    fn pragma_before_else(&mut self) {
        if matches!(self.kind, TokKind::PragmaStrict | TokKind::PragmaRelaxed)
            && self.kw_at(self.next_index(self.pos)) == Kw::Else
        {
            self.no_pragma();
        }
    }

    /// Labels, `case`s and `default`s with the statement after them.
    /// At an identifier: does its `:` make it a label?
    fn at_label(&self) -> bool {
        let next = self.ahead(1);
        self.punct_at(next, Colon) && self.split_op(next).is_none()
    }

    fn labelled(&mut self) -> StmtId {
        let mut prefixes = vec![];
        loop {
            let lo = self.pos;
            let p = match self.kw() {
                Kw::Case => {
                    self.bump();
                    let a = self.cond();
                    let b = if self.eat(Ellipsis) { Some(self.cond()) } else { None };
                    Prefix::Case(a, b)
                }
                Kw::Default => {
                    self.bump();
                    Prefix::Default
                }
                _ if self.kind == TokKind::Ident && self.at_label() => {
                    let n = self.tok().name;
                    self.bump();
                    Prefix::Label(n)
                }
                _ => break,
            };
            self.expect(Colon, ":");
            self.attrs_of_label();
            prefixes.push((lo, p));
        }
        let mut s = self.after_label();
        for (lo, p) in prefixes.into_iter().rev() {
            let kind = match p {
                _ if !self.link() => StmtKind::Error,
                Prefix::Label(n) => StmtKind::Label(n, s),
                Prefix::Case(a, b) => StmtKind::Case(a, b, s),
                Prefix::Default => StmtKind::Default(s),
            };
            let toks = self.since(lo);
            s = self.stmt_node(kind, toks);
        }
        s
    }

    /// Attributes right after a label belong to it, unless they begin a declaration or stand before `;`.
    fn attrs_of_label(&mut self) {
        if self.at_attr() {
            let next = self.past_attrs(self.pos);
            if !self.punct_at(next, Semi) && !self.starts_decl_at(next) {
                self.attrs();
            }
        }
    }

    /// What follows labels: a statement; also a declaration, or nothing before `}`, as C23 and gcc have it.
    fn after_label(&mut self) -> StmtId {
        let lo = self.pos;
        if self.at(RBrace) {
            let at = self.nothing();
            return self.stmt_node(StmtKind::Expr(None), at);
        }
        let kind = if self.kind == TokKind::Keyword && self.kw_after_extensions() == Kw::StaticAssert {
            self.static_assert();
            StmtKind::Expr(None)
        } else if self.at_declaration() {
            match self.decl_or_fn(DeclContext::Block) {
                DeclOrFn::Decl(d) => StmtKind::Decl(d),
                DeclOrFn::Fn(f) => {
                    self.report(Diag::error("S0115", f.toks, "a nested function right after a label"));
                    StmtKind::Error
                }
                DeclOrFn::Bad(_) => StmtKind::Error,
            }
        } else {
            return self.statement();
        };
        let toks = self.since(lo);
        self.stmt_node(kind, toks)
    }

    fn for_stmt(&mut self) -> StmtKind {
        self.bump();
        let open = self.pos;
        let mark = self.scopes.open();
        let (mut init, mut cond, mut step) = (ForInit::None, None, None);
        if self.expect(LParen, "(") {
            init = self.for_init();
            cond = self.for_clause();
            step = if self.at(RParen) { None } else { Some(self.expr()) };
            if self.at(Semi) {
                let d = Diag::error("S0110", self.here(), "a `for` has three clauses").label("a fourth begins here");
                self.report(d.hint("for an affinity clause write `upc_forall`"));
                self.bump();
                self.error_pos = self.pos;
            }
            self.close_head(open, true);
        }
        let body = self.statement();
        self.scopes.close(mark);
        StmtKind::For { init, cond, step, body }
    }

    /// The first clause with its `;`.
    pub(super) fn for_init(&mut self) -> ForInit {
        if self.at_declaration() {
            return match self.decl_or_fn(DeclContext::Block) {
                DeclOrFn::Decl(d) => ForInit::Decl(d),
                DeclOrFn::Fn(f) => {
                    self.report(Diag::error("S0115", f.toks, "a function definition in the head of a loop"));
                    ForInit::None
                }
                DeclOrFn::Bad(_) => ForInit::None,
            };
        }
        match self.for_clause() {
            Some(e) => ForInit::Expr(e),
            None => ForInit::None,
        }
    }

    /// An optional expression and `;`.
    pub(super) fn for_clause(&mut self) -> Option<ExprId> {
        self.no_pragma();
        let e = if self.at(Semi) { None } else { Some(self.expr()) };
        if !self.eat(Semi) {
            self.expected("S0101", "`;` in the head of a loop");
            if !self.at(RParen) && !self.at(LBrace) {
                self.skip_to_close();
                self.eat(Semi);
            }
        }
        self.no_pragma();
        e
    }
}
