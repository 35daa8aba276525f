//! Loops that wait for another thread: `while (!flag) ;`. Nothing in the language says that such a loop ends where what it waits for is relaxed:
//! the C compiler may read that once and for all, but no program is meant so. So a loop that waits gives others their turn in each iteration.
//!
//! A loop waits if a condition that ends it follows from shared memory, and there is a way through an iteration that makes no progress: it changes
//! no variable from which the condition follows, so that the next iteration goes the same way unless another thread writes. `n` of
//! `if (ready[n]) n++;` changes where the thread has not waited. Loops that count something else to an end wait only if they do nothing but look.
//!
//! * A function of the unit that reads shared memory is looked at as if its text stood in the loop: the C compiler may put it there.
//! * What a pointer-to-local leads to is shared memory if the pointer comes from a pointer-to-shared.
//! * A `goto` back to a label makes a loop of what stands between.

use super::effects::{is_known_library, visit};
use super::facts::Facts;
use super::library::library_name;
use super::pure::PureFunctions;
use super::translated::Translated;
use super::waiting_round::Round;
use fathom_sema::{Sema, SymId, SymKind, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::Name;
use fathom_syntax::visit::{walk, walk_fn_children, walk_item, Child};
use fathom_syntax::Parsed;
use std::collections::{HashMap, HashSet};

/// The statements of a unit at which a thread that waits gives others their turn.
#[derive(Default)]
pub(crate) struct Waiting(HashSet<StmtId>);

impl Waiting {
    pub fn new(p: &Parsed, s: &Sema) -> Waiting {
        let (translated, pure, waiting) = (Translated::default(), PureFunctions::default(), Waiting::default());
        let facts = Facts { p, u: &p.unit, s, translated: &translated, pure: &pure, waiting: &waiting };
        let known = Known::new(facts);
        let mut found = HashSet::new();
        for item in &p.unit.items {
            walk_item(item, &mut |n| {
                walk(&p.unit, n, |n| {
                    if let Child::Stmt(s) = n {
                        known.find(s, &mut found);
                    }
                    true
                })
            });
        }
        Waiting(found)
    }

    pub fn has(&self, s: StmtId) -> bool {
        self.0.contains(&s)
    }
}

impl Facts<'_> {
    /// Is it a loop that waits for another thread, or a `goto` that makes one?
    pub fn waits(&self, s: StmtId) -> bool {
        self.waiting.has(s)
    }
}

/// Statements that are gone through again and again.
pub(super) struct Cycle<'a> {
    pub parts: Vec<Child<'a>>,
    pub cond: Option<ExprId>,
    pub step: Option<ExprId>,
    /// The label to which a `goto` makes it go back.
    pub label: Option<Name>,
}

impl Cycle<'_> {
    /// What stands in the head: each iteration evaluates it.
    pub fn conds(&self) -> impl Iterator<Item = ExprId> {
        self.step.into_iter().chain(self.cond)
    }
}

/// What a function of the unit does, by itself or by others.
#[derive(Default)]
pub(super) struct Function {
    pub reads_shared: bool,
    /// Objects that are not its own.
    pub sets: HashSet<SymId>,
    calls: Vec<SymId>,
}

/// What is known of a unit before its loops are looked at.
pub(super) struct Known<'a> {
    pub(super) facts: Facts<'a>,
    functions: HashMap<SymId, Function>,
    /// Pointers-to-local that may lead to shared memory.
    leading_there: HashSet<SymId>,
}

impl<'a> Known<'a> {
    fn new(facts: Facts<'a>) -> Known<'a> {
        let mut known = Known { facts, functions: HashMap::new(), leading_there: HashSet::new() };
        let mut defined = vec![];
        for item in &facts.u.items {
            walk_item(item, &mut |n| {
                walk(facts.u, n, |n| {
                    let Child::Fn(f) = n else { return true };
                    defined.extend(facts.s.declarator_sym[f.declarator.index()].map(|sym| (sym, f)));
                    true
                })
            });
        }
        known.follow_pointers(&defined);
        for (sym, f) in defined {
            let function = known.function(f);
            known.functions.insert(sym, function);
        }
        loop {
            let mut more = vec![];
            for (sym, f) in &known.functions {
                for g in f.calls.iter().filter_map(|g| known.functions.get(g)) {
                    let sets: Vec<SymId> = g.sets.difference(&f.sets).copied().collect();
                    if (g.reads_shared && !f.reads_shared) || !sets.is_empty() {
                        more.push((*sym, g.reads_shared, sets));
                    }
                }
            }
            if more.is_empty() {
                return known;
            }
            for (sym, reads, sets) in more {
                let f = known.functions.entry(sym).or_default();
                f.reads_shared |= reads;
                f.sets.extend(sets);
            }
        }
    }

    /// `p = (int *)&a[MYTHREAD]`, `q = p + 1`, `wait(q)`, `return q`.
    fn follow_pointers(&mut self, defined: &[(SymId, &'a FnDef)]) {
        let (u, s) = (self.facts.u, self.facts.s);
        let mut set: Vec<(SymId, ExprId)> = vec![];
        let defined: HashMap<SymId, &FnDef> = defined.iter().copied().collect();
        for item in &u.items {
            walk_item(item, &mut |n| {
                visit(u, n, |n| match n {
                    Child::Expr(e) => match &u[e].kind {
                        ExprKind::Assign(None, l, value) => set.extend(self.root(*l).map(|v| (v, *value))),
                        ExprKind::Call { callee, args } => {
                            let f = self.direct(*callee).and_then(|sym| defined.get(&sym));
                            let params = f.map_or(vec![], |f| self.params(f));
                            set.extend(params.into_iter().zip(args).filter_map(|(v, arg)| Some((v?, *arg))));
                        }
                        _ => {}
                    },
                    Child::Decl(d) => {
                        for x in &u[d].declarators {
                            if let Some(InitKind::Expr(value)) = x.init.map(|i| &u[i].kind) {
                                set.extend(s.declarator_sym[x.declarator.index()].map(|v| (v, *value)));
                            }
                        }
                    }
                    _ => {}
                })
            });
        }
        for (sym, f) in &defined {
            visit(u, Child::Stmt(f.body), |n| {
                let Child::Stmt(s) = n else { return };
                set.extend(if let StmtKind::Return(Some(e)) = u[s].kind { Some((*sym, e)) } else { None });
            });
        }
        set.retain(|(v, _)| !self.facts.is_shared_ptr(s.symbols[v.0 as usize].ty));
        loop {
            let before = self.leading_there.len();
            set.retain(|(v, value)| {
                let leads = self.leads_there(*value);
                if leads {
                    self.leading_there.insert(*v);
                }
                !leads
            });
            if self.leading_there.len() == before {
                return;
            }
        }
    }

    fn params(&self, f: &FnDef) -> Vec<Option<SymId>> {
        let derivs = &self.facts.u[f.declarator].derivs;
        let params = derivs.iter().find_map(|d| match d {
            Deriv::Function { params: Params::Proto { params, .. }, .. } => Some(params),
            _ => None,
        });
        params
            .map_or(vec![], |params| params.iter().map(|p| self.facts.s.declarator_sym[p.declarator.index()]).collect())
    }

    /// The function that is called by its name.
    fn direct(&self, callee: ExprId) -> Option<SymId> {
        let sym = self.facts.s.expr_sym[callee.index()]
            .filter(|_| matches!(self.facts.u[callee].kind, ExprKind::Ident(_)))?;
        matches!(self.facts.s.symbols[sym.0 as usize].kind, SymKind::Function).then_some(sym)
    }

    /// Is it computed from a pointer-to-shared, or from a pointer that leads to shared memory?
    fn leads_there(&self, e: ExprId) -> bool {
        let (u, s) = (self.facts.u, self.facts.s);
        let mut leads = false;
        visit(u, Child::Expr(e), |n| {
            let Child::Expr(x) = n else { return };
            leads |= match u[x].kind {
                ExprKind::Ident(_) => s.expr_sym[x.index()].is_some_and(|v| self.leading_there.contains(&v)),
                ExprKind::Cast(_, p) => self.facts.is_shared_ptr(s.rvalue_ty(p)) && !self.facts.is_shared_ptr(s.ty(x)),
                ExprKind::Call { callee, .. } => {
                    matches!(library_name(self.facts.p, s, callee), Some("upc_cast" | "bupc_cast"))
                }
                _ => false,
            };
        });
        leads && s.types.pointee(s.rvalue_ty(e)).is_some()
    }

    fn function(&self, f: &'a FnDef) -> Function {
        let (u, s) = (self.facts.u, self.facts.s);
        let mut found = Function::default();
        let mut look = |n: Child<'a>| {
            let Child::Expr(e) = n else { return };
            found.reads_shared |= self.is_shared_here(e);
            match u[e].kind {
                ExprKind::Call { callee, .. } => found.calls.extend(self.direct(callee)),
                ExprKind::Assign(_, l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => {
                    let is_own = |v: &SymId| {
                        let symbol = &s.symbols[v.0 as usize];
                        symbol.local && !symbol.is_static
                    };
                    found.sets.extend(self.root(l).filter(|v| !is_own(v)));
                }
                _ => {}
            }
        };
        walk_fn_children(u, f, &mut |part| visit(u, part, &mut look));
        found
    }

    /// Does the node itself, without what is below, read memory that other threads may write?
    fn is_shared_here(&self, e: ExprId) -> bool {
        let (u, s) = (self.facts.u, self.facts.s);
        match u[e].kind {
            ExprKind::Ident(_) if s.expr_sym[e.index()].is_some_and(|v| self.leading_there.contains(&v)) => true,
            ExprKind::Call { callee, .. } => self.call_reads(callee),
            _ => s.types.is_shared(s.ty(e)),
        }
    }

    /// Does the function read shared memory where the C compiler may see it?
    pub fn call_reads(&self, callee: ExprId) -> bool {
        if matches!(library_name(self.facts.p, self.facts.s, callee), Some("upc_memget" | "upc_memcpy")) {
            return true;
        }
        match self.direct(callee) {
            Some(sym) => match self.functions.get(&sym) {
                Some(f) => f.reads_shared,
                None => self.may_read_elsewhere(callee),
            },
            // It may be any of the unit.
            None => self.functions.values().any(|f| f.reads_shared),
        }
    }

    /// Is it a function of another file that is given a pointer-to-shared? With -flto the C compiler sees its text, too.
    fn may_read_elsewhere(&self, callee: ExprId) -> bool {
        let s = self.facts.s;
        let is_library = library_name(self.facts.p, s, callee).is_some_and(is_known_library);
        let params = match s.types.kind(s.ty(callee)) {
            TyKind::Function(f) => &f.params[..],
            _ => &[],
        };
        !is_library && params.iter().any(|t| self.facts.is_shared_ptr(*t))
    }

    pub(super) fn called(&self, callee: ExprId) -> Option<&Function> {
        self.functions.get(&self.direct(callee)?)
    }

    /// Does it read memory that other threads may write?
    pub fn is_shared(&self, e: ExprId) -> bool {
        let mut found = false;
        visit(self.facts.u, Child::Expr(e), |n| found |= matches!(n, Child::Expr(x) if self.is_shared_here(x)));
        found
    }

    /// The variable from which an lvalue is found: `x` of `x.m`, `x[i]`, `*x` and `x->m`.
    pub fn root(&self, l: ExprId) -> Option<SymId> {
        use ExprKind::*;
        let s = self.facts.s;
        match self.facts.u[l].kind {
            Ident(_) => s.expr_sym[l.index()],
            Paren(x) | Member { base: x, .. } | Cast(_, x) => self.root(x),
            Unary(UnOp::Deref | UnOp::AddrOf | UnOp::Extension | UnOp::Real | UnOp::Imag, x) => self.root(x),
            Index(a, b) | Binary(BinOp::Add | BinOp::Sub, a, b) => {
                let is_place = |x: ExprId| s.types.pointee(s.rvalue_ty(x)).is_some();
                self.root(if is_place(a) { a } else { b })
            }
            _ => None,
        }
    }

    /// The cycles that begin at a statement, and what waits if they do.
    fn find(&self, at: StmtId, found: &mut HashSet<StmtId>) {
        let cycle = |cond, step, body| Cycle { parts: vec![Child::Stmt(body)], cond, step, label: None };
        let cycle = match &self.facts.u[at].kind {
            StmtKind::While { cond, body } => cycle(Some(*cond), None, *body),
            StmtKind::DoWhile { body, cond } => cycle(Some(*cond), None, *body),
            StmtKind::For { cond, step, body, .. } => cycle(*cond, *step, *body),
            StmtKind::Compound(items) => return self.find_labels(items, found),
            _ => return,
        };
        let is_once = cycle.cond.is_some_and(|cond| self.facts.s.const_int(self.facts.p, cond) == Some(0));
        if !is_once && self.waits(cycle) {
            found.insert(at);
        }
    }

    fn waits(&self, cycle: Cycle<'a>) -> bool {
        let mut looks = false;
        for part in cycle.parts.iter().copied().chain(cycle.conds().map(Child::Expr)) {
            visit(self.facts.u, part, |n| looks |= matches!(n, Child::Expr(e) if self.is_shared_here(e)));
        }
        looks && Round::new(self, cycle).waits()
    }

    fn find_labels(&self, items: &'a [BlockItem], found: &mut HashSet<StmtId>) {
        let u = self.facts.u;
        for (from, item) in items.iter().enumerate() {
            let BlockItem::Stmt(mut s) = item else { continue };
            while let StmtKind::Label(label, next) = u[s].kind {
                s = next;
                let mut gotos = vec![];
                let mut to = from;
                for (at, item) in items.iter().enumerate().skip(from) {
                    let BlockItem::Stmt(s) = item else { continue };
                    walk(u, Child::Stmt(*s), |n| {
                        if matches!(n, Child::Stmt(s) if matches!(u[s].kind, StmtKind::Goto(name) if name == label)) {
                            gotos.extend(if let Child::Stmt(s) = n { Some(s) } else { None });
                            to = at;
                        }
                        !matches!(n, Child::Fn(_))
                    });
                }
                let parts = items[from..=to].iter().filter_map(|item| match item {
                    BlockItem::Stmt(s) => Some(Child::Stmt(*s)),
                    BlockItem::Decl(d) => Some(Child::Decl(*d)),
                    _ => None,
                });
                let cycle = Cycle { parts: parts.collect(), cond: None, step: None, label: Some(label) };
                if !gotos.is_empty() && self.waits(cycle) {
                    found.extend(gotos);
                }
            }
        }
    }
}
