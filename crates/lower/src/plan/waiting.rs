//! Loops that wait for another thread: `while (!flag) ;`. Nothing in the language says that such a loop ends where what it waits for is relaxed:
//! the C compiler may read that once and for all, but no program is meant so. So a loop that waits gives others their turn in each iteration.
//!
//! A loop waits if a condition that ends it follows from shared memory, and there is a way through an iteration that makes no progress: it changes
//! no variable from which the condition follows, so that the next iteration goes the same way unless another thread writes. `n` of
//! `if (ready[n]) n++;` changes where the thread has not waited. Loops that count something else to an end wait only if they do nothing but look.
//!
//! * A function of the unit that reads shared memory is looked at as if its text stood in the loop: the C compiler may put it there.
//! * What a pointer-to-local leads to is shared memory if the pointer comes from a pointer-to-shared, also through members and parameters.
//! * A `goto` back to a label makes a loop of what stands between.
//! * A loop without a way out that looks at shared memory is left by a function that does not come back. So it waits.

use super::effects::{is_known_library, visit};
use super::facts::Facts;
use super::leaving::never_returning;
use super::library::library_name;
use super::pure::{PureFunctions, ENDS};
use super::translated::Translated;
use super::waiting_round::Round;
use fathom_sema::{RecordId, Sema, SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::Name;
use fathom_syntax::visit::{walk, walk_fn_children, walk_item, Child};
use fathom_syntax::Parsed;
use std::cell::OnceCell;
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
                    !matches!(n, Child::Fn(f) if known.is_of_runtime(s.declarator_sym[f.declarator.index()]))
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

/// Where a pointer is kept: in a variable, or in members of this name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Variable(SymId),
    Member(RecordId, Name),
}

/// What is known of a unit before its loops are looked at.
pub(super) struct Known<'a> {
    pub(super) facts: Facts<'a>,
    functions: HashMap<SymId, Function>,
    /// Pointers-to-local that may lead to shared memory.
    leading_there: HashSet<Place>,
    never_returning: OnceCell<HashSet<SymId>>,
    has_labels: bool,
}

/// Functions that leave without coming back, and are not declared so everywhere.
const LEAVES: [&str; 3] = ["abort", "_exit", "pthread_exit"];
const JUMPS: [&str; 3] = ["longjmp", "_longjmp", "siglongjmp"];

impl<'a> Known<'a> {
    fn new(facts: Facts<'a>) -> Known<'a> {
        let mut known = Known {
            facts,
            functions: HashMap::new(),
            leading_there: HashSet::new(),
            never_returning: OnceCell::new(),
            has_labels: facts.u.stmts.iter().any(|s| matches!(s.kind, StmtKind::Label(..))),
        };
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

    /// `p = (int *)&a[MYTHREAD]`, `q = p + 1`, `wait(q)`, `return q`, `s.p = q`, `set(&p)`.
    fn follow_pointers(&mut self, defined: &[(SymId, &'a FnDef)]) {
        let (u, s) = (self.facts.u, self.facts.s);
        let mut set: Vec<(Place, ExprId)> = vec![];
        // What a function is given to keep pointers in, and its parameter.
        let mut results: Vec<(SymId, SymId)> = vec![];
        let params: HashMap<SymId, Vec<Option<SymId>>> =
            defined.iter().map(|(f, def)| (*f, self.params(def))).collect();
        for item in &u.items {
            walk_item(item, &mut |n| {
                visit(u, n, |n| match n {
                    Child::Expr(e) => match &u[e].kind {
                        ExprKind::Assign(None, l, value) => {
                            set.extend(self.root(*l).map(|v| (Place::Variable(v), *value)));
                            set.extend(self.member(*l).map(|m| (m, *value)));
                        }
                        ExprKind::Call { callee, args } => {
                            let direct = self.direct(*callee);
                            // A call by a pointer may be one of any function that takes as many arguments.
                            let called = params.iter().filter(|(f, params)| match direct {
                                Some(direct) => **f == direct,
                                None => params.len() == args.len() && !self.is_of_runtime(Some(**f)),
                            });
                            for (_, params) in called {
                                for (v, arg) in params.iter().zip(args).filter_map(|(v, arg)| Some(((*v)?, *arg))) {
                                    set.push((Place::Variable(v), arg));
                                    let keeps = s.types.pointee(s.symbols[v.0 as usize].ty);
                                    let keeps = keeps.is_some_and(|t| s.types.pointee(t).is_some());
                                    results.extend(self.root(arg).filter(|_| keeps).map(|to| (v, to)));
                                }
                            }
                        }
                        _ => {}
                    },
                    Child::Decl(d) => {
                        for x in &u[d].declarators {
                            let (Some(v), Some(init)) = (s.declarator_sym[x.declarator.index()], x.init) else {
                                continue;
                            };
                            visit(u, Child::Init(init), |n| {
                                let Child::Init(i) = n else { return };
                                let InitKind::Expr(value) = u[i].kind else { return };
                                set.push((Place::Variable(v), value));
                            });
                        }
                    }
                    _ => {}
                })
            });
        }
        for (sym, f) in defined {
            visit(u, Child::Stmt(f.body), |n| {
                let Child::Stmt(s) = n else { return };
                let StmtKind::Return(Some(e)) = u[s].kind else { return };
                set.push((Place::Variable(*sym), e));
            });
        }
        set.retain(|(place, _)| match place {
            Place::Variable(v) => !self.facts.is_shared_ptr(s.symbols[v.0 as usize].ty),
            Place::Member(..) => true,
        });
        loop {
            let before = self.leading_there.len();
            set.retain(|(place, value)| {
                let leads = self.leads_there(*value);
                if leads {
                    self.leading_there.insert(*place);
                }
                !leads
            });
            for (v, to) in &results {
                if self.leading_there.contains(&Place::Variable(*v)) {
                    self.leading_there.insert(Place::Variable(*to));
                }
            }
            if self.leading_there.len() == before {
                return;
            }
        }
    }

    /// The member that an lvalue is, or is an element of.
    fn member(&self, l: ExprId) -> Option<Place> {
        let s = self.facts.s;
        match self.facts.u[l].kind {
            ExprKind::Paren(x) => self.member(x),
            ExprKind::Index(a, _) if self.facts.is_array(a) => self.member(a),
            ExprKind::Member { base, name, arrow } => {
                let of = if arrow { s.types.pointee(s.rvalue_ty(base))? } else { s.ty(base) };
                match *s.types.kind(of) {
                    TyKind::Record(r) => Some(Place::Member(r, name)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Does the name, or the member, hold a pointer-to-local that may lead to shared memory?
    fn is_leading(&self, e: ExprId) -> bool {
        if self.leading_there.is_empty() {
            return false;
        }
        let place = match self.facts.u[e].kind {
            ExprKind::Ident(_) => self.facts.s.expr_sym[e.index()].map(Place::Variable),
            ExprKind::Member { .. } => self.member(e),
            _ => None,
        };
        place.is_some_and(|place| self.leading_there.contains(&place))
    }

    /// Does a value of the type hold pointers-to-local?
    fn holds_pointers(&self, t: Ty) -> bool {
        let types = &self.facts.s.types;
        let (mut open, mut seen) = (vec![t], HashSet::new());
        while let Some(t) = open.pop() {
            match types.kind(t) {
                TyKind::Pointer(_) if !self.facts.is_shared_ptr(t) => return true,
                TyKind::Array(t, _) => open.push(*t),
                TyKind::Record(r) if seen.insert(*r) => {
                    open.extend(types.records[r.0 as usize].fields.iter().flatten().map(|field| field.ty));
                }
                _ => {}
            }
        }
        false
    }

    /// Is it an inline function of the runtime? Its loops are as they must be, and the program has no pointer to it.
    fn is_of_runtime(&self, f: Option<SymId>) -> bool {
        let name = f.map(|f| self.facts.p.source.name(self.facts.s.symbols[f.0 as usize].name));
        name.is_some_and(|name| name.starts_with("fathom_"))
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
                ExprKind::Ident(_) | ExprKind::Member { .. } => self.is_leading(x),
                ExprKind::Cast(_, p) => self.facts.is_shared_ptr(s.rvalue_ty(p)) && !self.facts.is_shared_ptr(s.ty(x)),
                ExprKind::Call { callee, .. } => {
                    matches!(library_name(self.facts.p, s, callee), Some("upc_cast" | "bupc_cast"))
                }
                _ => false,
            };
        });
        leads && self.holds_pointers(s.rvalue_ty(e))
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
            ExprKind::Ident(_) | ExprKind::Member { .. } if self.is_leading(e) => true,
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

    /// Does the function leave, without coming back?
    pub(super) fn never_returns(&self, callee: ExprId) -> bool {
        let name = library_name(self.facts.p, self.facts.s, callee).unwrap_or("");
        let found = || self.never_returning.get_or_init(|| never_returning(self.facts.p, self.facts.s));
        let is_found = || self.direct(callee).is_some_and(|f| found().contains(&f));
        ENDS.contains(&name) || LEAVES.contains(&name) || self.jumps(callee) || is_found()
    }

    /// Does it leave the loop for something else than the end of the program?
    pub(super) fn jumps(&self, callee: ExprId) -> bool {
        library_name(self.facts.p, self.facts.s, callee).is_some_and(|name| JUMPS.contains(&name))
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
            StmtKind::Compound(items) if self.has_labels => return self.find_labels(items, found),
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

    /// What stands between a label and the `goto`s that lead back to it, of the statements of a block.
    fn find_labels(&self, items: &'a [BlockItem], found: &mut HashSet<StmtId>) {
        let u = self.facts.u;
        let look = |item: &'a BlockItem, f: &mut dyn FnMut(StmtId)| {
            let BlockItem::Stmt(s) = item else { return };
            walk(u, Child::Stmt(*s), |n| {
                if let Child::Stmt(s) = n {
                    f(s);
                }
                !matches!(n, Child::Fn(_))
            });
        };
        let (mut labels, mut gotos) = (vec![], vec![]);
        for (at, item) in items.iter().enumerate() {
            // A label and a `goto` of one statement are those of a block inside, but for the statement's own labels.
            let mut own = vec![];
            let mut next = if let BlockItem::Stmt(s) = item { Some(*s) } else { None };
            while let Some(StmtKind::Label(_, s)) = next.map(|s| &u[s].kind) {
                own.extend(next);
                next = Some(*s);
            }
            look(item, &mut |s| match u[s].kind {
                StmtKind::Label(label, _) => labels.push((label, if own.contains(&s) { at } else { at + 1 }, at)),
                StmtKind::Goto(label) => gotos.push((label, at, s)),
                _ => {}
            });
        }
        for (label, first, from) in labels {
            let back: Vec<_> = gotos.iter().filter(|(to, at, _)| *to == label && *at >= first).collect();
            let Some(to) = back.iter().map(|(_, at, _)| *at).max() else { continue };
            let mut parts = vec![];
            self.behind(label, &items[from..=to], &mut parts);
            let cycle = Cycle { parts, cond: None, step: None, label: Some(label) };
            if self.waits(cycle) {
                found.extend(back.iter().map(|(_, _, s)| *s));
            }
        }
    }

    /// What of a block's statements, which begin with the one of a label, comes behind the label.
    fn behind(&self, label: Name, items: &'a [BlockItem], parts: &mut Vec<Child<'a>>) {
        let u = self.facts.u;
        for (at, item) in items.iter().enumerate() {
            let inner = match item {
                BlockItem::Stmt(s) if at == 0 => match &u[*s].kind {
                    StmtKind::Compound(items) => Some(items),
                    _ => None,
                },
                _ => None,
            };
            let is_label = |n: Child| matches!(n, Child::Stmt(s) if matches!(u[s].kind, StmtKind::Label(name, _) if name == label));
            let has_label = |item: &BlockItem| {
                let mut has = false;
                if let BlockItem::Stmt(s) = item {
                    visit(u, Child::Stmt(*s), |n| has |= is_label(n));
                }
                has
            };
            match (inner, item) {
                (Some(inner), _) => {
                    let from = inner.iter().position(has_label).unwrap_or(0);
                    self.behind(label, &inner[from..], parts);
                }
                (None, BlockItem::Stmt(s)) => parts.push(Child::Stmt(*s)),
                (None, BlockItem::Decl(d)) => parts.push(Child::Decl(*d)),
                _ => {}
            }
        }
    }
}
