//! Rows of shared arrays in inner loops. In `for (j…) u[i-1][j]` the row `u[i-1]` is fixed; where the block size is a
//! multiple of the row's length the row lies on one thread, in one piece, so its address is computed once before the
//! loop and the subscript inside is C's own. (A subscript beyond the row is undefined: C11 6.5.6 p8.) An element whose
//! subscripts are all fixed, `sum[MYTHREAD]`, is a row of one: C compilers leave such address arithmetic in the loop.

use crate::code::Code;
use crate::explain::{Through, ThroughKind};
use crate::far::{Place, Reach};
use crate::walk::{effects, visit, Effects};
use crate::Lower;
use fathom_sema::{Block, Len, SymId, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// A name for a row, in force inside the loop at hand.
pub(crate) struct Row {
    pub sym: SymId,
    /// The fixed subscripts.
    pub prefix: Vec<ExprId>,
    name: String,
    /// Rows lie on one thread: all of one is near, or none of it.
    pub reach: Reach,
}

/// The subscripts of `x[i][j]…`, where `x` is a variable.
pub(crate) struct Subscripts {
    pub sym: SymId,
    pub root: ExprId,
    pub indices: Vec<ExprId>,
}

impl Lower<'_> {
    /// Takes a subscript chain apart whose root is a static shared array or a private pointer-to-shared variable. All
    /// subscripts are of one object: in `p[i][j]` where `p[i]` is itself a pointer, `[j]` begins at another one.
    pub(crate) fn subscripts(&self, e: ExprId) -> Option<Subscripts> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.subscripts(x),
            ExprKind::Ident(_) => {
                let sym = self.s.expr_sym[e.index()]?;
                Some(Subscripts { sym, root: e, indices: vec![] })
            }
            ExprKind::Index(a, i) => {
                // `p[i][j]` through a pointer that is an element itself is not one object.
                let is_array = matches!(self.s.types.kind(self.s.ty(a)), TyKind::Array(..));
                if !is_array && !matches!(self.u[self.unparen(a)].kind, ExprKind::Ident(_)) {
                    return None;
                }
                let mut s = self.subscripts(a)?;
                if !s.indices.is_empty() && !matches!(self.s.types.kind(self.s.ty(a)), TyKind::Array(..)) {
                    return None;
                }
                s.indices.push(i);
                Some(s)
            }
            _ => None,
        }
    }

    /// Variables that keep their value through the loop as far as its text says.
    pub(crate) fn invariant(&self, e: ExprId, fx: &Effects) -> bool {
        match &self.u[e].kind {
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::SizeofType(..) | ExprKind::SizeofExpr(..) => true,
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot, x) => self.invariant(*x, fx),
            ExprKind::Cast(t, x) => !self.touch.type_name(*t) && self.invariant(*x, fx),
            ExprKind::Binary(op, a, b) => {
                // No division: the address is computed even if the loop runs no iteration.
                !matches!(op, BinOp::Div | BinOp::Rem) && self.invariant(*a, fx) && self.invariant(*b, fx)
            }
            ExprKind::Ident(_) => self.s.expr_sym[e.index()].is_some_and(|sym| self.is_fixed(sym, fx)),
            _ => false,
        }
    }

    /// A private scalar that nothing in the loop changes.
    pub(crate) fn is_fixed(&self, sym: SymId, fx: &Effects) -> bool {
        let s = &self.s.symbols[sym.0 as usize];
        let q = self.s.types.quals(s.ty);
        if matches!(s.kind, fathom_sema::SymKind::EnumConst(_)) {
            return true;
        }
        if self.s.types.is_shared(s.ty) || q.is_volatile || q.is_atomic || fx.assigned.contains(&sym) {
            return false;
        }
        let private_to_function = s.local && !s.is_static && !s.address_taken;
        private_to_function || (!fx.calls && !s.address_taken)
    }

    /// Names for the rows that loop `id` walks along, in force until `with_rows`; their definitions.
    pub(crate) fn hoist_rows(&mut self, id: StmtId) -> (usize, Code) {
        self.enter_loop(id);
        let mark = self.rows.len();
        let mut decls = Code::new();
        let u = self.u;
        let mut refs = vec![];
        visit(u, Child::Stmt(id), |n| {
            if let Child::Expr(e) = n {
                if matches!(u[e].kind, ExprKind::Index(..)) {
                    refs.push(e);
                }
            }
        });
        if refs.is_empty() {
            return (mark, decls);
        }
        // The head's own variable changes; so does everything that its clauses or the body assign.
        let fx = effects(u, self.s, Child::Stmt(id));
        if self.entered_sideways(id) {
            return (mark, decls);
        }
        for e in refs {
            let Some((sub, fixed, elem)) = self.row_of(e, &fx) else {
                continue;
            };
            let prefix = sub.indices[..fixed].to_vec();
            let known = |r: &Row| r.sym == sub.sym && r.prefix.len() == fixed && self.same_all(&r.prefix, &prefix);
            if self.rows.iter().any(known) {
                continue;
            }
            let name = self.temp("row");
            let row_expr = self.row_expr(e, sub.indices.len() - fixed);
            let view = self.in_row_view(row_expr);
            let reach =
                if view.is_some() || self.options.direct { Reach::Near } else { Reach::If(format!("{name}_near")) };
            let word = match view {
                Some(_) => Code::new(),
                None if sub.indices.len() > fixed && self.is_shared_ptr(self.s.ty(sub.root)) => self.word_of(sub.root),
                None => self.address(row_expr),
            };
            let address = match (view, &reach) {
                (Some(row), _) if fixed < sub.indices.len() => row,
                (Some(element), _) => code!["&", element],
                (None, reach) => self.reached(&mut decls, &name, reach, word),
            };
            let declarator = if let TyKind::Array(..) = self.s.types.kind(elem) {
                self.c_type(elem, &format!("(*const {name})"))
            } else {
                self.c_type(elem, &format!("*const {name}"))
            };
            decls.push(code!["__attribute__((unused)) ", declarator, " = ", address, "; "]);
            self.rows.push(Row { sym: sub.sym, prefix, name, reach });
        }
        (mark, decls)
    }

    /// The address of the object that `word` names, if it is near, else as for a `Place`; for the pointer `name`. Pushes
    /// what has to be declared before.
    pub(crate) fn reached(&self, decls: &mut Code, name: &str, reach: &Reach, word: Code) -> Code {
        let Reach::If(near) = reach else { return code!["fathom_local(", word, ")"] };
        decls.push(code![
            format!("const fathom_ptr {name}_word = "),
            word,
            format!("; __attribute__((unused)) const int {near} = fathom_is_near({name}_word); ")
        ]);
        format!("fathom_place_if({near}, {name}_word)").into()
    }

    /// Can control come into the loop without passing its head? Then nothing may stand before it.
    pub(crate) fn entered_sideways(&self, id: StmtId) -> bool {
        let (mut cases, mut switches, mut labels) = (false, false, false);
        visit(self.u, Child::Stmt(id), |n| {
            if let Child::Stmt(s) = n {
                match self.u[s].kind {
                    StmtKind::Case(..) | StmtKind::Default(_) => cases = true,
                    StmtKind::Switch { .. } => switches = true,
                    StmtKind::Label(..) => labels = true,
                    _ => {}
                }
            }
        });
        labels || (cases && !switches)
    }

    pub(crate) fn with_rows(&mut self, (mark, decls): (usize, Code), loop_code: Code) -> Code {
        let names: Vec<String> = self.rows[mark..].iter().map(|r| r.name.clone()).collect();
        self.rows.truncate(mark);
        let tallies = self.leave_loop();
        if decls.is_empty() && tallies.is_empty() {
            return loop_code;
        }
        let counters = self.counters_of(&names);
        code!["{ ", decls, counters, tallies, loop_code, " }"]
    }

    /// If `e` is an element in a row that the loop keeps: its subscripts, how many of them fix the row, and the type
    /// that the row's pointer points to.
    fn row_of(&self, e: ExprId, fx: &Effects) -> Option<(Subscripts, usize, Ty)> {
        let t = self.s.ty(e);
        if !self.s.types.is_shared(t) || matches!(self.s.types.kind(t), TyKind::Array(..)) {
            return None;
        }
        let sub = self.subscripts(e)?;
        let n = sub.indices.len();
        let block = self.s.types.shared(t)?;
        if block == Block::Indefinite && (!self.options.direct || self.options.explain) {
            // The whole object is on one thread: a row, if it takes asking to know whether it is near.
            return match *self.s.types.kind(self.s.ty(sub.root)) {
                TyKind::Array(elem, _) => Some((sub, 0, elem)),
                TyKind::Pointer(elem) if self.is_fixed(sub.sym, fx) => Some((sub, 0, elem)),
                _ => None,
            };
        }
        let Block::Of(block) = block else {
            return None;
        };
        // The type after k subscripts; a pointer's first subscript is not a dimension.
        let mut ty = self.s.ty(sub.root);
        let is_array = matches!(self.s.types.kind(ty), TyKind::Array(..));
        let root_fixed = is_array || (self.is_shared_ptr(ty) && self.is_fixed(sub.sym, fx));
        if root_fixed && n > 0 && sub.indices.iter().all(|i| self.invariant(*i, fx)) {
            return Some((sub, n, t));
        }
        if !is_array || n < 2 {
            return None;
        }
        for fixed in 1..n {
            let TyKind::Array(row, _) = *self.s.types.kind(ty) else {
                return None;
            };
            ty = row;
            if !sub.indices[..fixed].iter().all(|i| self.invariant(*i, fx)) {
                return None;
            }
            let elements = self.const_count(row)?;
            let TyKind::Array(elem, _) = *self.s.types.kind(row) else {
                return None;
            };
            if elements > 0 && block % elements == 0 {
                return Some((sub, fixed, elem));
            }
        }
        None
    }

    /// The number of ultimate elements of a type with constant dimensions.
    pub(crate) fn const_count(&self, mut t: Ty) -> Option<u64> {
        let mut n = 1u64;
        while let TyKind::Array(e, len) = *self.s.types.kind(t) {
            let Len::Const(c) = len else { return None };
            n = n.checked_mul(c)?;
            t = e;
        }
        Some(n)
    }

    /// The expression `up` subscripts up from `e`.
    fn row_expr(&self, e: ExprId, up: usize) -> ExprId {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.row_expr(x, up),
            ExprKind::Index(a, _) if up > 0 => self.row_expr(a, up - 1),
            _ => e,
        }
    }

    pub(crate) fn same_all(&self, a: &[ExprId], b: &[ExprId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(*a, *b))
    }

    /// Two invariant expressions that are written alike and name the same variables.
    fn same(&self, a: ExprId, b: ExprId) -> bool {
        use ExprKind::*;
        match (&self.u[a].kind, &self.u[b].kind) {
            (Paren(a), _) => self.same(*a, b),
            (_, Paren(b)) => self.same(a, *b),
            (Ident(_), Ident(_)) => self.s.expr_sym[a.index()] == self.s.expr_sym[b.index()],
            (Number | Char, Number | Char) => {
                self.p.source.range_text(self.u[a].toks) == self.p.source.range_text(self.u[b].toks)
            }
            (Threads, Threads) | (MyThread, MyThread) => true,
            (Unary(o, a), Unary(p, b)) => o == p && self.same(*a, *b),
            (Binary(o, a, c), Binary(p, b, d)) => o == p && self.same(*a, *b) && self.same(*c, *d),
            _ => false,
        }
    }

    /// Is `e` an element that a row in force consists of?
    pub(crate) fn is_fixed_element(&self, e: ExprId) -> bool {
        self.subscripts(e).is_some_and(|s| {
            let is_row = |r: &Row| r.sym == s.sym && self.same_all(&r.prefix, &s.indices);
            self.rows.iter().any(|r| is_row(r) && self.settled(&r.reach) == Reach::Near)
        }) && !self.is_strict(e)
    }

    /// The lvalue for an element whose row has a name.
    pub(crate) fn row_place(&mut self, e: ExprId) -> Option<Place> {
        if self.rows.is_empty() {
            return None;
        }
        let sub = self.subscripts(e)?;
        let row = self.rows.iter().rev().find_map(|r| {
            let k = r.prefix.len();
            (r.sym == sub.sym && sub.indices.len() >= k && self.same_all(&sub.indices[..k], &r.prefix))
                .then(|| (r.name.clone(), k, self.settled(&r.reach)))
        });
        let (name, k, reach) = row?;
        let through = Some(Through { name: name.clone(), kind: ThroughKind::Row });
        if k == sub.indices.len() {
            self.explain.through = through;
            return Some(Place { lvalue: format!("(*{name})").into(), reach });
        }
        let mut out = Code::from(name);
        for i in &sub.indices[k..] {
            out.push("[").push(self.expr(*i)).push("]");
        }
        self.explain.through = through;
        Some(Place { lvalue: out, reach })
    }
}
