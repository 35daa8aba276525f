//! The table of shared accesses: what the program's text says about each, wherever it is written.

use super::facts::Facts;
use fathom_sema::{SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk_children, Child};
use std::collections::BTreeMap;

/// An access to a shared object, or the computation of its address.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub use_: Use,
    pub strict: bool,
    /// The shared object, or the variable that the pointer-to-shared is computed from.
    pub base: Option<SymId>,
    /// The subscripts, where the access is `base[…]…`; each as an affine form where it has one.
    pub index: Vec<Option<Affine>>,
    /// The conditions under which an iteration makes the access, outermost first.
    pub conditions: Vec<Condition>,
}

/// The operation on the object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    Read,
    Write,
    /// Read, and then written.
    Update,
    /// Its address is computed; it is not accessed.
    Address,
}

/// A sum of multiples of private variables and a constant.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Affine {
    pub terms: BTreeMap<SymId, i64>,
    pub constant: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    Holds(ExprId),
    Fails(ExprId),
    /// One of the cases of a `switch` over this value.
    Case(ExprId),
}

impl Facts<'_> {
    /// The expression as an affine form of private integer variables.
    pub fn affine(&self, e: ExprId) -> Option<Affine> {
        if let Some(c) = self.s.const_int(self.p, e) {
            return Some(Affine { constant: i64::try_from(c).ok()?, ..Affine::default() });
        }
        match self.u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Plus, x) => self.affine(x),
            ExprKind::Unary(UnOp::Neg, x) => self.affine(x)?.times(-1),
            ExprKind::Binary(BinOp::Add, l, r) => self.affine(l)?.plus(self.affine(r)?),
            ExprKind::Binary(BinOp::Sub, l, r) => self.affine(l)?.plus(self.affine(r)?.times(-1)?),
            ExprKind::Binary(BinOp::Mul, l, r) => match (self.affine(l)?, self.affine(r)?) {
                (a, b) if b.terms.is_empty() => a.times(b.constant),
                (a, b) if a.terms.is_empty() => b.times(a.constant),
                _ => None,
            },
            ExprKind::Ident(_) => {
                let sym = self.s.expr_sym[e.index()]?;
                let t = self.s.ty(e);
                let q = self.s.types.quals(t);
                let plain = matches!(self.s.types.kind(t), TyKind::Int(_)) && !self.s.types.is_shared(t);
                (plain && !q.is_volatile && !q.is_atomic)
                    .then(|| Affine { terms: [(sym, 1)].into(), ..Affine::default() })
            }
            _ => None,
        }
    }
}

impl Affine {
    fn plus(mut self, other: Affine) -> Option<Affine> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (sym, n) in other.terms {
            let term = self.terms.entry(sym).or_default();
            *term = term.checked_add(n)?;
        }
        self.terms.retain(|_, n| *n != 0);
        Some(self)
    }
    fn times(mut self, n: i64) -> Option<Affine> {
        self.constant = self.constant.checked_mul(n)?;
        for term in self.terms.values_mut() {
            *term = term.checked_mul(n)?;
        }
        self.terms.retain(|_, n| *n != 0);
        Some(self)
    }
}

/// Collects the accesses below `root`, by expression.
pub(crate) fn collect<'a>(facts: Facts<'a>, root: Child<'a>, found: &mut BTreeMap<ExprId, Access>) {
    Collector { f: facts, found, conditions: vec![], unevaluated: vec![], wanted: None, at_wanted: None }.node(root);
}

/// The conditions under which the statement `root` evaluates this expression of it, outermost first.
pub(crate) fn conditions_of(facts: Facts, root: StmtId, wanted: ExprId) -> Option<Vec<Condition>> {
    let found = &mut BTreeMap::new();
    let wanted = Some(wanted);
    let mut c = Collector { f: facts, found, conditions: vec![], unevaluated: vec![], wanted, at_wanted: None };
    c.stmt(root);
    c.at_wanted
}

struct Collector<'a, 'b> {
    f: Facts<'a>,
    found: &'b mut BTreeMap<ExprId, Access>,
    conditions: Vec<Condition>,
    /// Operands of `typeof`.
    unevaluated: Vec<ExprId>,
    /// An expression whose conditions are asked for, and these; no access is.
    wanted: Option<ExprId>,
    at_wanted: Option<Vec<Condition>>,
}

impl<'a> Collector<'a, '_> {
    fn node(&mut self, n: Child<'a>) {
        match n {
            Child::Expr(e) => self.expr(e),
            Child::Stmt(s) => self.stmt(s),
            _ => self.children(n),
        }
    }

    fn children(&mut self, n: Child<'a>) {
        let specs = match n {
            Child::Decl(d) => &self.f.u[d].specs.items[..],
            Child::TypeName(t) => &self.f.u[t].specs.items[..],
            _ => &[],
        };
        self.unevaluated.extend(specs.iter().filter_map(|s| match s.kind {
            SpecKind::TypeofExpr(e) if !self.f.s.types.has_vla(self.f.s.ty(e)) => Some(e),
            _ => None,
        }));
        walk_children(self.f.u, n, &mut |c| self.node(c));
    }

    fn when(&mut self, c: Condition, inner: impl FnOnce(&mut Self)) {
        self.conditions.push(c);
        inner(self);
        self.conditions.pop();
    }

    fn stmt(&mut self, s: StmtId) {
        if self.wanted.is_none() && !self.f.translated.stmt(s) {
            return;
        }
        match &self.f.u[s].kind {
            StmtKind::If { cond, then, els } => {
                self.expr(*cond);
                self.when(Condition::Holds(*cond), |c| c.stmt(*then));
                if let Some(els) = els {
                    self.when(Condition::Fails(*cond), |c| c.stmt(*els));
                }
            }
            StmtKind::Switch { cond, body } => {
                self.expr(*cond);
                self.when(Condition::Case(*cond), |c| c.stmt(*body));
            }
            StmtKind::Asm(operands) => {
                for o in operands {
                    match self.f.is_shared_lvalue(o.expr) && !o.by_value {
                        true => self.access(o.expr, Use::Update),
                        false => self.expr(o.expr),
                    }
                }
            }
            _ => self.children(Child::Stmt(s)),
        }
    }

    fn expr(&mut self, e: ExprId) {
        use ExprKind::*;
        if (self.wanted.is_none() && !self.f.translated.expr(e)) || self.unevaluated.contains(&e) {
            return;
        }
        if self.wanted == Some(e) {
            self.at_wanted = Some(self.conditions.clone());
        }
        if self.f.is_shared_lvalue(e) {
            return self.access(e, if self.f.is_array(e) { Use::Address } else { Use::Read });
        }
        match self.f.u[e].kind {
            Unary(UnOp::AddrOf, x) if self.f.is_shared_lvalue(x) => self.access(x, Use::Address),
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, x) if self.f.is_shared_lvalue(x) => {
                self.access(x, Use::Update)
            }
            Assign(op, l, r) if self.f.is_shared_lvalue(l) => {
                self.access(l, if op.is_some() { Use::Update } else { Use::Write });
                self.expr(r);
            }
            Split(_, l, r) => {
                match self.f.is_shared_lvalue(l) {
                    true => self.access(l, Use::Write),
                    false => self.expr(l),
                }
                self.expr(r);
            }
            Binary(op @ (BinOp::And | BinOp::Or), l, r) => {
                self.expr(l);
                let when = if op == BinOp::And { Condition::Holds(l) } else { Condition::Fails(l) };
                self.when(when, |c| c.expr(r));
            }
            Cond(cond, then, els) => {
                self.expr(cond);
                if let Some(then) = then {
                    self.when(Condition::Holds(cond), |c| c.expr(then));
                }
                self.when(Condition::Fails(cond), |c| c.expr(els));
            }
            SizeofExpr(..) | SizeofType(..) => {}
            Generic { .. } | ChooseExpr(..) => self.f.s.chosen.get(&e).into_iter().for_each(|x| self.expr(*x)),
            _ => self.children(Child::Expr(e)),
        }
    }

    fn access(&mut self, e: ExprId, use_: Use) {
        let index = match self.f.subscripts(e) {
            Some(s) => s.indices.iter().map(|i| self.f.affine(*i)).collect(),
            None => vec![],
        };
        let strict = use_ != Use::Address && self.f.is_strict(e);
        let conditions = self.conditions.clone();
        self.found.insert(e, Access { use_, strict, base: self.f.root_symbol(e), index, conditions });
        self.way_to(e);
    }

    /// The operands that are evaluated to find the object. Neither the object itself nor the object that contains it is
    /// accessed.
    fn way_to(&mut self, e: ExprId) {
        use ExprKind::*;
        match self.f.u[e].kind {
            Ident(_) => {}
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                match self.f.is_shared_lvalue(x) {
                    true => self.way_to(x),
                    false => self.expr(x),
                }
            }
            Index(a, b) => {
                self.part(a);
                self.part(b);
            }
            Unary(UnOp::Deref, p) => match self.f.u[self.f.unparen(p)].kind {
                Binary(BinOp::Add | BinOp::Sub, a, b) => {
                    self.part(a);
                    self.part(b);
                }
                _ => self.part(p),
            },
            Generic { .. } | ChooseExpr(..) => self.f.s.chosen.get(&e).into_iter().for_each(|x| self.way_to(*x)),
            _ => self.children(Child::Expr(e)),
        }
    }

    /// `x` is an operand of a subscript: a value, or the array or vector that is subscripted.
    fn part(&mut self, x: ExprId) {
        match self.f.is_shared_lvalue(x) && self.f.is_array(x) || self.f.is_shared_vector(x) {
            true => self.way_to(x),
            false => self.expr(x),
        }
    }
}
