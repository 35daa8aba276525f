//! Views: C pointers that are made before a loop and lead to the elements that it uses. The elements that one C pointer
//! can serve lie on one thread, in one piece:
//!
//! * in a `upc_forall` whose iterations come in blocks, the part of a shared array that belongs to such a block
//!   ([`Kind::Blocks`]), or the rows that make it up ([`Kind::Rows`]);
//! * in such a loop over long blocks, which is cut into pieces, one offset of an array: where a neighbour's block
//!   begins, another piece begins too ([`Kind::Piece`]);
//! * in a counting C loop, which is cut where an array's block ends, one offset of an array, or of a pointer
//!   ([`Kind::Run`]);
//! * where iterations are THREADS apart, the elements of a cyclic array THREADS apart ([`Kind::Strided`]);
//! * in any loop, a row: in `for (j…) u[i-1][j]` the row `u[i-1]` is fixed, and where the block size is a multiple of
//!   the row's length it lies on one thread (a subscript beyond the row is undefined: C11 6.5.6 p8). An element whose
//!   subscripts are all fixed, `sum[MYTHREAD]`, is a row of one: C compilers leave such address arithmetic in the loop.
//!
//! This file decides which elements a view serves, and what follows for the loop: whether its iterations are
//! independent.

use super::build::Planner;
use super::counting::Counting;
use super::effects::{visit, Effects};
use super::facts::{Facts, Subscripts};
use super::gathers::Step;
use super::strips::Shift;
use super::{Form, Proof, ViewId};
use fathom_sema::{Block, SymId, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// A C pointer that serves elements of `sym`, which is a shared array or a pointer-to-shared to them.
pub(crate) struct View {
    pub sym: SymId,
    /// An expression that names the array or the pointer.
    pub root: ExprId,
    /// The subscripts before the one that the view takes; the loop does not change them.
    pub prefix: Vec<ExprId>,
    /// The type that the C pointer points to.
    pub elem: Ty,
    pub kind: Kind,
    /// Why its elements are near; none if the view must be asked.
    pub proof: Option<Proof>,
}

impl View {
    /// The view of whole rows that contains this row.
    pub fn within(&self) -> Option<ViewId> {
        match self.proof {
            Some(Proof::Within(v)) => Some(v),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Subscripted with the program's own last index, which may be `reach` away from `var` + `offset`.
    Blocks { var: SymId, offset: i64, reach: u64 },
    /// Rows of an array of several dimensions, subscripted with the program's own indices.
    Rows { var: SymId, offset: i64, reach: u64 },
    /// Subscripted with the number of the iteration in its piece: elements at `var` + `offset`, or whole rows of an
    /// array of several dimensions.
    Piece { var: SymId, offset: i64, rows: bool },
    /// Subscripted with the number of the iteration in its run: elements at `var` + `offset`, which come in blocks.
    Run { var: SymId, offset: i64, block: u64 },
    /// Subscripted with the number of the iteration: elements at `var` + `offset`.
    Strided { var: SymId, offset: i64 },
    /// Subscripted with the number of the iteration in its run: elements at `var` + `shift` + `low` to `var` + `shift` + `high`,
    /// which have landed.
    Landed { var: SymId, shift: Shift, low: i64, high: i64 },
    /// Subscripted with the number of the iteration in its run: these elements, of which each iteration reads the same one, have been
    /// gathered, behind those of lower levels. Before the place of one is computed come these steps.
    Gathered { elements: Vec<ExprId>, level: u32, steps: Vec<Step> },
    /// Subscripted with the number of the iteration in its run: these elements, so far from the pointer that walks, which
    /// have landed from `low` to `high`.
    Walked { elements: Vec<(ExprId, i64)>, low: i64, high: i64 },
    /// Subscripted with the number of the iteration in its run: these elements, so far from the loop's variable + `shift`, behind a
    /// pointer that is found in memory; they have landed from `low` to `high`.
    Pointed { elements: Vec<(ExprId, i64)>, shift: Shift, low: i64, high: i64 },
    /// The object that the prefix fixes, named by `whole`: subscripted with the program's further indices, or one
    /// element if there are none.
    Row { whole: ExprId, has_more: bool },
}

/// An element `x[prefix]…[i + offset]` in a body that a view can serve.
pub(crate) struct Ref {
    pub sym: SymId,
    pub root: ExprId,
    pub prefix: Vec<ExprId>,
    pub offset: i64,
    pub block: u64,
}

/// A subscript `x[i + offset]…` in a body whose value is in a row of `x`.
pub(crate) struct RowRef {
    pub sym: SymId,
    pub root: ExprId,
    pub offset: i64,
    pub row: Ty,
}

impl Facts<'_> {
    /// Subscripts in the body that a view can replace: `x[i + c]` of a one-dimensional array, or of a pointer that the
    /// loop does not change, with a definite block size.
    pub fn refs(&self, body: StmtId, var: SymId, fx: &Effects) -> Vec<Ref> {
        let mut out = vec![];
        for e in self.elements(Child::Stmt(body)) {
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
            let (Some(offset), Some(Block::Of(block))) = (self.offset_from(index, var), self.layout_of_root(t)) else {
                continue;
            };
            out.push(Ref { sym: s.sym, root: s.root, prefix: prefix.to_vec(), offset, block });
        }
        out
    }

    /// The type of the element, arrays peeled off.
    pub fn elem_ty(&self, root: ExprId) -> Ty {
        let t = self.s.ty(root);
        match *self.s.types.kind(t) {
            TyKind::Pointer(e) => self.s.types.ultimate(e),
            _ => self.s.types.ultimate(t),
        }
    }

    /// Subscripts in the body of static arrays of several dimensions in which `block` whole rows make up a block.
    pub fn row_refs(&self, body: StmtId, var: SymId, block: u64) -> Vec<RowRef> {
        let mut out = vec![];
        for e in self.elements(Child::Stmt(body)) {
            let Some(s) = self.subscripts(e) else { continue };
            let TyKind::Array(row, _) = *self.s.types.kind(self.s.ty(s.root)) else { continue };
            let whole = !self.count_is_one(row)
                && self.const_count(row).is_some_and(|n| {
                    n > 0 && self.s.types.shared(row).is_some_and(|b| matches!(b, Block::Of(b) if b == n * block))
                });
            if let (true, Some(offset)) = (whole, self.offset_from(s.indices[0], var)) {
                out.push(RowRef { sym: s.sym, root: s.root, offset, row });
            }
        }
        out
    }

    /// If `e` is an element in a row that the loop keeps: its subscripts, how many of them fix the row, and the type
    /// that the row's pointer points to. `indefinite`: an object that is all on one thread counts as a row.
    pub fn row_of(&self, e: ExprId, fx: &Effects, indefinite: bool) -> Option<(Subscripts, usize, Ty)> {
        let t = self.s.ty(e);
        if !self.s.types.is_shared(t) || self.is_array(e) {
            return None;
        }
        let sub = self.subscripts(e)?;
        let n = sub.indices.len();
        let block = self.s.types.shared(t)?;
        if block == Block::Indefinite && indefinite {
            // Split-C: a block of a spread array is a whole on its processor, but the array is not.
            let whole = |elem| self.s.types.shared(elem) == Some(Block::Indefinite);
            return match *self.s.types.kind(self.s.ty(sub.root)) {
                TyKind::Array(elem, _) if whole(elem) => Some((sub, 0, elem)),
                TyKind::Pointer(elem) if whole(elem) && self.is_fixed(sub.sym, fx) => Some((sub, 0, elem)),
                _ => None,
            };
        }
        let Block::Of(block) = block else { return None };
        // The type after k subscripts; a pointer's first subscript is not a dimension.
        let mut ty = self.s.ty(sub.root);
        let is_array = self.is_array(sub.root);
        let root_fixed = is_array || (self.is_shared_ptr(ty) && self.is_fixed(sub.sym, fx));
        if root_fixed && n > 0 && sub.indices.iter().all(|i| self.invariant(*i, fx)) {
            return Some((sub, n, t));
        }
        if !is_array || n < 2 {
            return None;
        }
        for fixed in 1..n {
            let TyKind::Array(row, _) = *self.s.types.kind(ty) else { return None };
            ty = row;
            if !sub.indices[..fixed].iter().all(|i| self.invariant(*i, fx)) {
                return None;
            }
            let elements = self.const_count(row)?;
            let TyKind::Array(elem, _) = *self.s.types.kind(row) else { return None };
            if elements > 0 && block % elements == 0 {
                return Some((sub, fixed, elem));
            }
        }
        None
    }
}

impl Planner<'_> {
    /// The form of an access by a view in force.
    pub fn by(&self, v: ViewId) -> Form {
        match self.view(v).proof {
            Some(proof) => Form::Near { by: Some(v), proof },
            None if self.assumed.contains(&v) => Form::Near { by: Some(v), proof: Proof::Asked(v) },
            None => Form::Tested(v),
        }
    }

    fn is_near(&self, v: ViewId) -> bool {
        matches!(self.by(v), Form::Near { .. })
    }

    /// The view in force by which a subscript expression is written, if there is one.
    pub fn serves(&self, e: ExprId) -> Option<ViewId> {
        let is_walked = |v: &&ViewId| matches!(&self.view(**v).kind, Kind::Walked { elements, .. } | Kind::Pointed { elements, .. } if elements.iter().any(|(x, _)| *x == e));
        if let Some(v) = self.landed.iter().find(is_walked) {
            return Some(*v);
        }
        let none = self.rows.is_empty() && self.views.is_empty() && self.landed.is_empty();
        if none || !matches!(self.u[e].kind, ExprKind::Index(..)) {
            return None;
        }
        let s = self.subscripts(e)?;
        if !self.landed.is_empty() && !self.is_array(e) {
            if let Some(v) = self.is_landed(e, &s) {
                return Some(v);
            }
        }
        if self.views.is_empty() {
            return self.in_row(&s);
        }
        if !self.is_array(e) {
            if let Some(v) = self.in_row(&s).or_else(|| self.in_rows(&s)) {
                return Some(v);
            }
        }
        let (&index, prefix) = s.indices.split_last()?;
        let mut views = self.views.iter().rev().copied().filter(|v| {
            let v = self.view(*v);
            v.sym == s.sym && self.same_all(&v.prefix, prefix)
        });
        views.find(|v| match self.view(*v).kind {
            Kind::Blocks { var, offset, reach } => {
                self.offset_from(index, var).is_some_and(|o| o.saturating_sub(offset).unsigned_abs() <= reach)
            }
            Kind::Strided { var, offset }
            | Kind::Piece { var, offset, rows: false }
            | Kind::Run { var, offset, .. } => self.offset_from(index, var) == Some(offset),
            _ => false,
        })
    }

    /// The row in force that contains an element, or is it.
    pub fn in_row(&self, s: &Subscripts) -> Option<ViewId> {
        self.rows.iter().rev().copied().find(|r| {
            let r = self.view(*r);
            let k = r.prefix.len();
            r.sym == s.sym && s.indices.len() >= k && self.same_all(&s.indices[..k], &r.prefix)
        })
    }

    /// `x[i + c][j]…`, or the row `x[i + c]` itself, by the view of whole rows that is in force.
    pub fn in_rows(&self, s: &Subscripts) -> Option<ViewId> {
        let first = *s.indices.first()?;
        self.views.iter().rev().copied().find(|v| {
            let v = self.view(*v);
            match v.kind {
                Kind::Rows { var, offset, reach } if v.sym == s.sym => {
                    self.offset_from(first, var).is_some_and(|o| o.saturating_sub(offset).unsigned_abs() <= reach)
                }
                Kind::Piece { var, offset, rows: true } => {
                    v.sym == s.sym && self.offset_from(first, var) == Some(offset)
                }
                _ => false,
            }
        })
    }

    /// Is it known that no iteration of the loop over the views touches an object that another one writes? Every object
    /// written is an element of a shared array, reached by one view at one offset only, or a variable of the body's
    /// own; distinct arrays do not overlap; nothing is reached through other pointers.
    pub fn independent(&self, body: StmtId, var: SymId, fx: &Effects) -> bool {
        // A static variable of the body hands a value to the next iteration.
        if fx.calls || fx.once_only {
            return false;
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
                        ExprKind::Index(..) => match self.element_of(l, var) {
                            Some(at) => written.push(at),
                            None => ok = false,
                        },
                        _ => ok = false,
                    }
                }
                // The subscripts on the way to an element.
                ExprKind::Index(..) if self.is_array(e) => {}
                ExprKind::Index(a, _) if !targets.contains(&e) => match self.element_of(e, var) {
                    Some(at) => read.push(at),
                    None if self.is_fixed_element(e) => fixed.extend(self.subscripts(e).map(|s| s.sym)),
                    None => ok &= self.is_array(a) && !self.s.types.is_shared(self.s.ty(a)),
                },
                ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, _) | ExprKind::Member { .. } | ExprKind::StmtExpr(_) => {
                    ok = false
                }
                ExprKind::Ident(_) => ok &= !self.s.types.is_shared(self.s.ty(e)) || self.is_array(e),
                _ => ok &= !self.is_strict(e),
            },
        });
        let object = |sym: SymId| matches!(self.s.types.kind(self.s.symbols[sym.0 as usize].ty), TyKind::Array(..));
        ok &= !written.is_empty() && written.iter().chain(&read).all(|(sym, ..)| object(*sym));
        ok &= written.iter().all(|(w, row, at)| {
            written.iter().chain(&read).all(|(r, other, o)| w != r || (at == o && self.same_all(row, other)))
        });
        ok && fixed.iter().all(|sym| object(*sym) && written.iter().all(|(w, ..)| w != sym))
    }

    /// The same question for a C loop along rows of shared arrays.
    pub fn independent_for(&self, c: &Counting, body: StmtId, fx: &Effects) -> bool {
        !self.rows.is_empty()
            && self.invariant(c.hi, fx)
            && self.invariant(c.lo, fx)
            && self.independent(body, c.var, fx)
    }

    /// The array, row and offset from `var` of an element that a near view serves.
    fn element_of(&self, e: ExprId, var: SymId) -> Option<(SymId, Vec<ExprId>, i64)> {
        let s = self.subscripts(e)?;
        let (&index, prefix) = s.indices.split_last()?;
        if self.is_strict(e) {
            return None;
        }
        let is_row = |r: &ViewId| {
            let v = self.view(*r);
            v.sym == s.sym && self.same_all(&v.prefix, prefix) && self.is_near(*r)
        };
        let row = self.rows.iter().any(is_row);
        if let Some(offset) = self.offset_from(index, var).filter(|_| row) {
            return Some((s.sym, prefix.to_vec(), offset));
        }
        self.views.iter().rev().find_map(|id| {
            let v = self.view(*id);
            let at = self.offset_from(index, var)?;
            let fits = match v.kind {
                Kind::Blocks { var: own, offset, reach } => {
                    own == var && at.saturating_sub(offset).unsigned_abs() <= reach
                }
                Kind::Piece { var: own, offset, rows: false } => own == var && offset == at,
                Kind::Strided { var: own, offset } | Kind::Run { var: own, offset, .. } => {
                    own == var && offset == at && self.is_near(*id)
                }
                _ => false,
            };
            (fits && v.sym == s.sym && self.same_all(&v.prefix, prefix)).then(|| (s.sym, prefix.to_vec(), at))
        })
    }

    /// Is `e` an element that a near row consists of?
    fn is_fixed_element(&self, e: ExprId) -> bool {
        self.subscripts(e).is_some_and(|s| {
            let is_row = |r: &ViewId| {
                let v = self.view(*r);
                v.sym == s.sym && self.same_all(&v.prefix, &s.indices) && self.is_near(*r)
            };
            self.rows.iter().any(is_row)
        }) && !self.is_strict(e)
    }
}
