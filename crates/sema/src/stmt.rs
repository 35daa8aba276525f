//! Statements: scopes, the pragma in force, and what encloses what.

use crate::checks::{c6_4, c6_6, split_c};
use crate::scope::{Checker, Enclosing};
use crate::*;

/// UPC library functions that all threads call together (7.2.2, 7.2.4, 7.3, and the optional libraries).
fn is_collective(name: &str) -> bool {
    name.starts_with("upc_all_")
}

impl<'a> Checker<'a> {
    /// The items of a compound statement, in the scope that the caller opened. Gives the type of the last item, if
    /// it is an expression statement.
    pub fn block(&mut self, items: &'a [BlockItem]) -> Ty {
        let (strict, spread) = (self.strict, self.body.spread);
        let mut last = Ty::VOID;
        for item in items {
            last = Ty::VOID;
            match item {
                BlockItem::Stmt(s) => last = self.stmt(*s),
                BlockItem::Decl(d) => self.decl(*d),
                BlockItem::Fn(f) => self.fn_def(f),
                // That it stands first (6.7.1 p4) is the parser's business.
                BlockItem::Pragma(p, _) => self.strict = *p == UpcPragma::Strict,
                BlockItem::LocalLabels(..) => {}
                BlockItem::StaticAssert(e, _) => self.static_assert(*e),
            }
        }
        self.strict = strict;
        self.body.spread = spread;
        last
    }

    /// `({ … })`: the type of the last expression statement.
    pub fn stmt_expr(&mut self, s: StmtId) -> Ty {
        let StmtKind::Compound(items) = &self.u[s].kind else {
            return Ty::VOID;
        };
        self.push_scope();
        let t = self.block(items);
        self.pop_scope();
        t
    }

    /// Checks a statement; gives the type of an expression statement's value, else void.
    pub fn stmt(&mut self, s: StmtId) -> Ty {
        if !self.enter() {
            return Ty::VOID;
        }
        let t = self.stmt_kind(s);
        self.leave();
        t
    }

    fn stmt_kind(&mut self, id: StmtId) -> Ty {
        let s = &self.u[id];
        match &s.kind {
            StmtKind::Expr(Some(e)) => return self.value(*e),
            StmtKind::Compound(items) => {
                self.push_scope();
                self.block(items);
                self.pop_scope();
            }
            StmtKind::If { cond, then, els } => {
                self.condition(*cond);
                self.stmt(*then);
                if let Some(e) = els {
                    self.stmt(*e);
                }
            }
            StmtKind::Switch { cond, body } => {
                let t = self.value(*cond);
                if !crate::checks::c6_4::no_pointer(self, t, *cond, self.u[*cond].toks) {
                    self.promote(*cond, t);
                }
                self.body.switches.push(self.body.spread);
                self.inside(Enclosing::Switch, *body);
                self.body.switches.pop();
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.condition(*cond);
                self.inside(Enclosing::Loop, *body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.push_scope();
                self.for_head(init, *cond, *step);
                self.inside(Enclosing::Loop, *body);
                self.pop_scope();
            }
            StmtKind::Forall { init, cond, step, affinity, body } => {
                self.push_scope();
                self.for_head(init, *cond, *step);
                if let Affinity::Expr(e) = affinity {
                    let t = self.value(*e);
                    c6_6::affinity(self, *e, t);
                }
                let outer = self.body.forall;
                self.body.forall_parent.push(outer);
                self.body.forall = self.body.forall_parent.len() as u32;
                self.inside(Enclosing::Forall, *body);
                self.body.forall = outer;
                self.pop_scope();
            }
            StmtKind::Goto(n) => {
                let from = self.body.here();
                self.body.gotos.push((*n, from, s.toks));
            }
            StmtKind::GotoComputed(e) => drop(self.value(*e)),
            StmtKind::Break => c6_6::break_statement(self, s.toks),
            StmtKind::Return(e) => {
                if let Some(e) = e {
                    let t = self.value(*e);
                    if let Some(ret) = self.body.ret {
                        self.convert(*e, Conversion::Assignment, ret);
                        crate::checks::c6_4::assignable(self, ret, *e, t, "return");
                    }
                }
                c6_6::return_statement(self, s.toks);
            }
            StmtKind::Label(n, inner) => {
                let here = self.body.here();
                self.body.labels.push((*n, here));
                return self.stmt(*inner);
            }
            StmtKind::Case(lo, hi, inner) => {
                self.static_assert(*lo);
                if let Some(hi) = hi {
                    self.static_assert(*hi);
                }
                split_c::case(self, s.toks);
                return self.stmt(*inner);
            }
            StmtKind::Default(inner) => {
                split_c::case(self, s.toks);
                return self.stmt(*inner);
            }
            StmtKind::Asm(operands) => {
                for o in operands {
                    if o.by_value {
                        self.value(o.expr);
                        continue;
                    }
                    self.expr(o.expr);
                    self.take_address(o.expr);
                    c6_4::asm_object(self, o.expr);
                }
            }
            StmtKind::Notify(e) | StmtKind::Wait(e) | StmtKind::Barrier(e) => {
                let what = match s.kind {
                    StmtKind::Notify(_) => "upc_notify",
                    StmtKind::Wait(_) => "upc_wait",
                    _ => "upc_barrier",
                };
                c6_6::collective(self, what, s.toks);
                if let Some(e) = e {
                    let t = self.value(*e);
                    c6_6::barrier_value(self, *e, t);
                    // As if by assignment (6.6.1 p2).
                    self.convert(*e, Conversion::Assignment, Ty::INT);
                }
            }
            StmtKind::Decl(d) => self.decl(*d),
            StmtKind::Expr(None) | StmtKind::Continue | StmtKind::Fence | StmtKind::Error => {}
        }
        Ty::VOID
    }

    /// An expression that must be constant: a case, an assertion.
    pub fn static_assert(&mut self, e: ExprId) {
        self.value(e);
        crate::checks::c6_3::constant(self, e);
    }

    fn inside(&mut self, what: Enclosing, body: StmtId) {
        self.body.enclosing.push(what);
        // The body of a loop or switch is a block of its own (C 6.8.5 p5).
        self.push_scope();
        self.stmt(body);
        self.pop_scope();
        self.body.enclosing.pop();
    }

    fn for_head(&mut self, init: &'a ForInit, cond: Option<ExprId>, step: Option<ExprId>) {
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => drop(self.value(*e)),
            ForInit::Decl(d) => self.decl(*d),
        }
        if let Some(c) = cond {
            self.condition(c);
        }
        if let Some(s) = step {
            self.value(s);
        }
    }

    /// A call to a collective library function inside upc_forall.
    pub fn collective_call(&mut self, callee: ExprId, call: ExprId) {
        if self.body.forall == 0 {
            return;
        }
        if let ExprKind::Ident(n) = self.u[callee].kind {
            let name = self.name(n);
            if is_collective(name) {
                c6_6::collective(self, name, self.u[call].toks);
            }
        }
    }

    pub fn end_of_function(&mut self) {
        let scopes = !self.body.forall_parent.is_empty() || !self.body.spread_parent.is_empty();
        if scopes && !self.body.gotos.is_empty() {
            c6_6::gotos(self);
        }
    }
}
