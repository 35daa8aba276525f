//! Views: in a shared loop, the part of a shared array that this thread's iterations reach is a C array. Here is which
//! elements a view serves, and what follows for the loop as a whole: whether its iterations are independent.

use crate::code::Code;
use crate::explain::{Through, ThroughKind};
use crate::far::{Place, Reach};
use crate::rows::Row;
use crate::walk::{effects, visit, Effects};
use crate::Lower;
use fathom_sema::{Block, SymId, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// A local view of a shared array (or of what a pointer-to-shared points to) in the loop being lowered.
pub(crate) struct Alias {
    pub sym: SymId,
    /// The subscripts before the last one; the loop leaves them alone.
    pub prefix: Vec<ExprId>,
    pub var: SymId,
    pub kind: View,
}

pub(crate) enum View {
    /// Subscripted with the program's own index, which may be `reach` away from the loop variable + `offset`.
    Blocked { name: String, offset: i64, reach: u64 },
    /// Rows of an array of several dimensions, subscripted with the program's own first index.
    Rows { name: String, offset: i64, reach: u64 },
    /// By offset from the loop variable: the name, subscripted with the counter. All of it is on one thread.
    Cyclic { offset: i64, name: String, counter: String, reach: Reach },
}

/// An element `x[prefix]…[i + offset]` in the body that a view can serve.
pub(crate) struct Ref {
    pub sym: SymId,
    pub root: ExprId,
    pub prefix: Vec<ExprId>,
    pub offset: i64,
    pub block: u64,
}

/// A subscript `x[i + offset]…` in the body whose value is in a row of `x`.
pub(crate) struct RowRef {
    pub sym: SymId,
    pub root: ExprId,
    pub offset: i64,
    pub row: Ty,
}

impl Lower<'_> {
    /// The pragma that tells the C compiler what is known here: that no iteration of the loop over the views touches what
    /// another one writes. Everything written is an element of a shared array, reached by one view at one offset only,
    /// or a variable of the body's own; distinct arrays do not overlap; nothing is reached through other pointers.
    pub(crate) fn simd(&self, body: StmtId, var: SymId, fx: &Effects) -> &'static str {
        if fx.calls {
            return "";
        }
        let u = self.u;
        let mut ok = true;
        let (mut own, mut written, mut read) = (vec![], vec![], vec![]);
        let (mut targets, mut fixed) = (vec![], vec![]);
        visit(u, Child::Stmt(body), |n| match n {
            Child::Stmt(s) => {
                ok &= matches!(
                    u[s].kind,
                    StmtKind::Expr(_) | StmtKind::Compound(_) | StmtKind::If { .. } | StmtKind::Decl(_)
                );
            }
            Child::Decl(d) => {
                own.extend(u[d].declarators.iter().filter_map(|x| self.s.declarator_sym[x.declarator.index()]))
            }
            Child::Init(_) | Child::TypeName(_) | Child::Fn(_) => {}
            Child::Expr(e) => match u[e].kind {
                ExprKind::Assign(_, l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => {
                    let l = self.unparen(l);
                    targets.push(l);
                    match u[l].kind {
                        ExprKind::Ident(_) => ok &= self.bare(l).is_some_and(|v| own.contains(&v)),
                        ExprKind::Index(..) => match self.served(l, var) {
                            Some(at) => written.push(at),
                            None => ok = false,
                        },
                        _ => ok = false,
                    }
                }
                // The subscripts on the way to an element.
                ExprKind::Index(..) if matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..)) => {}
                ExprKind::Index(a, _) if !targets.contains(&e) => match self.served(e, var) {
                    Some(at) => read.push(at),
                    None if self.is_fixed_element(e) => fixed.extend(self.subscripts(e).map(|s| s.sym)),
                    None => {
                        ok &= matches!(self.s.types.kind(self.s.ty(a)), TyKind::Array(..))
                            && !self.s.types.is_shared(self.s.ty(a))
                    }
                },
                ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, _) | ExprKind::Member { .. } | ExprKind::StmtExpr(_) => {
                    ok = false
                }
                ExprKind::Ident(_) => {
                    ok &= !self.s.types.is_shared(self.s.ty(e))
                        || matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..))
                }
                _ => ok &= !self.is_strict(e),
            },
        });
        let object = |sym: SymId| matches!(self.s.types.kind(self.s.symbols[sym.0 as usize].ty), TyKind::Array(..));
        ok &= !written.is_empty() && written.iter().chain(&read).all(|(sym, ..)| object(*sym));
        ok &= written.iter().all(|(w, row, at)| {
            written.iter().chain(&read).all(|(r, other, o)| w != r || (at == o && self.same_all(row, other)))
        });
        ok &= fixed.iter().all(|sym| object(*sym) && written.iter().all(|(w, ..)| w != sym));
        if ok {
            "\n#pragma omp simd\n"
        } else {
            ""
        }
    }

    /// The array, row and offset from `var` of an element that a view in force, or a named row, serves.
    pub(crate) fn served(&self, e: ExprId, var: SymId) -> Option<(SymId, Vec<ExprId>, i64)> {
        let s = self.subscripts(e)?;
        let (&index, prefix) = s.indices.split_last()?;
        if self.is_strict(e) {
            return None;
        }
        let is_row =
            |r: &Row| r.sym == s.sym && self.same_all(&r.prefix, prefix) && self.settled(&r.reach) == Reach::Near;
        let row = self.rows.iter().any(is_row);
        if let Some(offset) = self.affine(index, var).filter(|_| row) {
            return Some((s.sym, prefix.to_vec(), offset));
        }
        let views = self.aliases.iter().rev().filter(|a| a.sym == s.sym && a.var == var);
        views.filter(|a| self.same_all(&a.prefix, prefix)).find_map(|a| {
            let offset = self.affine(index, a.var)?;
            let fits = match &a.kind {
                View::Blocked { offset: at, reach, .. } => offset.saturating_sub(*at).unsigned_abs() <= *reach,
                View::Cyclic { offset: at, reach, .. } => *at == offset && self.settled(reach) == Reach::Near,
                View::Rows { .. } => false,
            };
            fits.then(|| (s.sym, prefix.to_vec(), offset))
        })
    }

    /// The same pragma for a C loop along rows of shared arrays.
    pub(crate) fn simd_for(&self, id: StmtId) -> &'static str {
        let StmtKind::For { init, cond: Some(cond), step: Some(step), body } = &self.u[id].kind else { return "" };
        if self.rows.is_empty() {
            return "";
        }
        let fx = effects(self.u, self.s, Child::Stmt(*body));
        match self.counting(init, *cond, *step, &fx) {
            Some(c) if self.invariant(c.hi, &fx) && self.invariant(c.lo, &fx) => self.simd(*body, c.var, &fx),
            _ => "",
        }
    }

    /// Subscripts in the body that a local view can replace: `x[i + c]` of a one-dimensional array, or of a pointer that
    /// the loop leaves alone, with a definite block size.
    pub(crate) fn refs(&mut self, body: StmtId, var: SymId, fx: &Effects) -> Vec<Ref> {
        let u = self.u;
        let mut found = vec![];
        visit(u, Child::Stmt(body), |n| {
            if let Child::Expr(e) = n {
                if matches!(u[e].kind, ExprKind::Index(..)) {
                    found.push(e);
                }
            }
        });
        let mut out = vec![];
        for e in found {
            let Some(s) = self.subscripts(e) else { continue };
            let Some((&index, prefix)) = s.indices.split_last() else { continue };
            let t = self.s.ty(s.root);
            let fits = match *self.s.types.kind(t) {
                TyKind::Array(..) => self.s.types.is_shared(t) && self.count_is_one(self.s.ty(e)),
                TyKind::Pointer(elem) => {
                    prefix.is_empty()
                        && self.count_is_one(elem)
                        && self.is_fixed(s.sym, fx)
                        && !self.s.types.is_shared(t)
                }
                _ => false,
            };
            if !fits || !prefix.iter().all(|i| self.invariant(*i, fx) && !self.uses(*i, var)) {
                continue;
            }
            let (Some(offset), Some(Block::Of(block))) = (self.affine(index, var), self.layout_of_root(t)) else {
                continue;
            };
            out.push(Ref { sym: s.sym, root: s.root, prefix: prefix.to_vec(), offset, block });
        }
        out
    }

    /// The type of the element, arrays peeled off.
    pub(crate) fn elem_ty(&self, r: &Ref) -> fathom_sema::Ty {
        let t = self.s.ty(r.root);
        match *self.s.types.kind(t) {
            TyKind::Pointer(e) => e,
            _ => self.s.types.ultimate(t),
        }
    }

    /// Elements before the row that the prefix of a reference names, as the beginning of a sum.
    pub(crate) fn linear(&mut self, r: &Ref) -> Code {
        self.linear_prefix(r.root, &r.prefix)
    }

    pub(crate) fn linear_prefix(&mut self, root: ExprId, prefix: &[ExprId]) -> Code {
        let mut out = Code::new();
        let mut ty = self.s.ty(root);
        for i in prefix {
            let TyKind::Array(row, _) = *self.s.types.kind(ty) else { break };
            let index = self.expr(*i);
            out.push(self.scaled(index, row)).push(" + ");
            ty = row;
        }
        out
    }

    /// The address of element `index` of a cyclic array or pointer.
    pub(crate) fn start_of(&mut self, r: &Ref, index: Code) -> Code {
        let t = self.s.ty(r.root);
        if let TyKind::Array(..) = self.s.types.kind(t) {
            let start = self.address(r.root);
            let l = self.layout(t);
            return self.elem_address(start, index, l);
        }
        let p = self.expr(r.root);
        self.add(p, index, t)
    }

    /// The lvalue for an element that a view or a named row serves.
    pub(crate) fn alias_place(&mut self, e: ExprId) -> Option<Place> {
        if !matches!(self.u[e].kind, ExprKind::Index(..)) {
            return None;
        }
        if self.aliases.is_empty() {
            return self.row_place(e);
        }
        if !matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..)) {
            if let Some(place) = self.row_place(e) {
                return Some(place);
            }
            if let Some(lvalue) = self.in_row_view(e) {
                return Some(Place { lvalue, reach: Reach::Near });
            }
        }
        let s = self.subscripts(e)?;
        let (&index, prefix) = s.indices.split_last()?;
        let mut blocked = None;
        for a in self.aliases.iter().rev().filter(|a| a.sym == s.sym && self.same_all(&a.prefix, prefix)) {
            let offset = self.affine(index, a.var);
            match &a.kind {
                View::Blocked { name, offset: at, reach }
                    if offset.is_some_and(|o| o.saturating_sub(*at).unsigned_abs() <= *reach) =>
                {
                    blocked = Some(name.clone());
                    break;
                }
                View::Cyclic { offset: at, name, counter, reach } if offset == Some(*at) => {
                    self.explain.through = Some(Through { name: name.clone(), kind: ThroughKind::Cyclic });
                    return Some(Place { lvalue: format!("{name}[{counter}]").into(), reach: self.settled(reach) });
                }
                _ => {}
            }
        }
        let name = blocked?;
        let lvalue = code![name.clone(), "[", self.expr(index), "]"];
        self.explain.through = Some(Through { name, kind: ThroughKind::OwnBlock });
        Some(Place { lvalue, reach: Reach::Near })
    }

    /// `x[i + c][j]…`, or the row `x[i + c]` itself, by the view of whole rows that is in force.
    pub(crate) fn in_row_view(&mut self, e: ExprId) -> Option<Code> {
        let s = self.subscripts(e)?;
        let first = *s.indices.first()?;
        let name = self.aliases.iter().rev().filter(|a| a.sym == s.sym).find_map(|a| match &a.kind {
            View::Rows { name, offset, reach } => {
                let at = self.affine(first, a.var)?;
                (at.saturating_sub(*offset).unsigned_abs() <= *reach).then(|| name.clone())
            }
            _ => None,
        })?;
        let mut out = Code::from(name.clone());
        for i in &s.indices {
            out.push("[").push(self.expr(*i)).push("]");
        }
        self.explain.through = Some(Through { name, kind: ThroughKind::OwnRows });
        Some(out)
    }

    /// Subscripts in the body of static arrays of several dimensions of which `block` whole rows make up a block.
    pub(crate) fn row_refs(&mut self, body: StmtId, var: SymId, block: u64) -> Vec<RowRef> {
        let u = self.u;
        let mut out = vec![];
        visit(u, Child::Stmt(body), |n| {
            let Child::Expr(e) = n else { return };
            if !matches!(u[e].kind, ExprKind::Index(..)) {
                return;
            }
            let Some(s) = self.subscripts(e) else { return };
            let TyKind::Array(row, _) = *self.s.types.kind(self.s.ty(s.root)) else { return };
            let whole = !self.count_is_one(row)
                && self.const_count(row).is_some_and(|n| {
                    n > 0 && self.s.types.shared(row).is_some_and(|b| matches!(b, Block::Of(b) if b == n * block))
                });
            if let (true, Some(offset)) = (whole, self.affine(s.indices[0], var)) {
                out.push(RowRef { sym: s.sym, root: s.root, offset, row });
            }
        });
        out
    }
}
