//! Which thread runs which iterations of a counting `upc_forall` (UPC 1.3, 6.6.2). If the affinity is i plus a
//! constant, directly or as the subscript of a shared array, this thread's iterations are known: with block size 1 they
//! are THREADS apart, otherwise they come in blocks.

use super::counting::Counting;
use super::effects::Effects;
use super::facts::Facts;
use fathom_sema::{Block, Len, SymId, TyKind};
use fathom_syntax::ast::*;

/// Which thread runs iteration i.
#[derive(Clone, Debug)]
pub(crate) enum Owner {
    /// Thread (i + offset + start) mod THREADS.
    Cyclic { home: Home, start: Start },
    /// Thread ((i + offset + start) / block) mod THREADS.
    Blocked { offset: i64, block: u64, start: Start, margins: Margins },
    /// Thread ((i + offset) / block) mod THREADS. A block is cut into pieces: within a piece every element that a view
    /// serves stays in one block, on whichever thread, so that one body serves all iterations. `uses_var` if the body
    /// may use the loop's variable for more than those elements.
    Pieces { offset: i64, block: u64, margins: Margins, uses_var: bool },
}

/// What the affinity's array or pointer adds to the subscript.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    Zero,
    /// The place that this pointer leads to.
    Pointer(ExprId),
    /// The elements before the row that these subscripts of the array name.
    Row(ExprId, Vec<ExprId>),
}

impl Start {
    pub fn prefix(&self) -> &[ExprId] {
        match self {
            Start::Row(_, prefix) => prefix,
            _ => &[],
        }
    }
}

/// How far before and after its own element an iteration reaches by views.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Margins {
    pub left: i64,
    pub right: i64,
}

/// The thread of iteration i holds element i + offset of this cyclic pointer, or of every static cyclic array, in the
/// row that the prefix names.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub pointer: Option<SymId>,
    pub prefix: Vec<ExprId>,
    /// The lengths of what the subscripts of `prefix` count: rows of another length are on other threads.
    pub rows: Vec<Len>,
    pub offset: i64,
}

impl Margins {
    /// Widens the margins for an element at this distance from the iteration's own.
    pub fn widen(&mut self, distance: i64) {
        self.left = self.left.max(-distance);
        self.right = self.right.max(distance);
    }
}

/// The number of elements from which a block takes so long that the work between blocks need not be inlined. Calls take
/// 13 ns a block, and 28 ns where neighbours are read; 8,192 elements of a stencil in a cache take 4,000 ns.
const LONG: u64 = 8192;

/// The number of elements from which a block is cut into pieces. The calls take 6 ns a block longer than the code that
/// they replace, and 10 to 20 ns where neighbours are read; 1,024 elements of a stencil in a cache take 380 to 460 ns.
/// With 512 elements the extra time is up to a tenth.
pub(crate) const CUT: u64 = 1024;
/// The maximal number of views of a loop that is cut into pieces: `FATHOM_PIECE_VIEWS` of forall.h.
pub(crate) const MOST_VIEWS: usize = 12;

impl Owner {
    /// Do the iterations come in long blocks?
    pub fn has_long_blocks(&self) -> bool {
        matches!(self, Owner::Blocked { block, .. } if *block >= LONG)
    }

    pub fn offset(&self) -> i64 {
        match self {
            Owner::Cyclic { home, .. } => home.offset,
            Owner::Blocked { offset, .. } | Owner::Pieces { offset, .. } => *offset,
        }
    }
}

impl Facts<'_> {
    pub fn owner(&self, affinity: ExprId, c: &Counting, fx: &Effects) -> Option<Owner> {
        // Iterations are numbered as `long`, whose remainders are others beyond it.
        if self.s.const_int(self.p, c.lo).is_some_and(|lo| lo > i128::from(i64::MAX)) {
            return None;
        }
        if let Some(offset) = self.offset_from(affinity, c.var) {
            // In unsigned arithmetic, what would be negative wraps around, and has another remainder.
            let var = self.s.symbols[c.var.0 as usize].ty;
            let lo = self.s.const_int(self.p, c.lo);
            let may_wrap = lo.is_none_or(|lo| lo + i128::from(offset) < 0) && (offset < 0 || !self.unsigned(var));
            if self.unsigned(self.s.ty(affinity)) && may_wrap {
                return None;
            }
            let home = Home { pointer: None, prefix: vec![], rows: vec![], offset };
            return Some(Owner::Cyclic { home, start: Start::Zero });
        }
        // &x[i + c][consts], x[i + c] (an array), or x + (i + c).
        let e = self.unparen(affinity);
        let (root, index, rest) = match self.u[e].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => {
                let s = self.subscripts(x)?;
                (s.root, *s.indices.first()?, s.indices[1..].to_vec())
            }
            ExprKind::Index(..) if self.is_array(e) => {
                let s = self.subscripts(e)?;
                (s.root, *s.indices.first()?, s.indices[1..].to_vec())
            }
            ExprKind::Binary(BinOp::Add, l, r) => (self.unparen(l), r, vec![]),
            _ => return None,
        };
        let Some(offset) = self.offset_from(index, c.var) else {
            return self.owner_by_last(root, index, &rest, c, fx);
        };
        let t = self.s.ty(root);
        let sym = match self.u[root].kind {
            ExprKind::Ident(_) => self.s.expr_sym[root.index()]?,
            _ => return None,
        };
        let Block::Of(block) = self.layout_of_root(t)? else { return None };
        let (elem, is_pointer) = match *self.s.types.kind(t) {
            TyKind::Array(e, _) => (e, false),
            TyKind::Pointer(e) if self.is_fixed(sym, fx) => (e, true),
            _ => return None,
        };
        // Further subscripts stay in the row if they are constants within it.
        let row = self.const_count(elem)?;
        let mut dims = elem;
        for i in rest {
            let TyKind::Array(next, Len::Const(n)) = *self.s.types.kind(dims) else { return None };
            let i = self.s.const_int(self.p, i)?;
            if i < 0 || i >= i128::from(n) {
                return None;
            }
            dims = next;
        }
        if row == 0 || block % row != 0 || (is_pointer && row != 1) {
            return None;
        }
        let start = if is_pointer { Start::Pointer(root) } else { Start::Zero };
        if block / row == 1 {
            let home = Home { pointer: is_pointer.then_some(sym), prefix: vec![], rows: vec![], offset };
            return Some(Owner::Cyclic { home, start });
        }
        Some(Owner::Blocked { offset, block: block / row, start, margins: Margins::default() })
    }

    /// `&x[first]…[i + c]`: the loop runs along a row and does not change the row's number.
    fn owner_by_last(&self, root: ExprId, first: ExprId, rest: &[ExprId], c: &Counting, fx: &Effects) -> Option<Owner> {
        let (&last, middle) = rest.split_last()?;
        let prefix: Vec<ExprId> = [first].into_iter().chain(middle.iter().copied()).collect();
        let offset = self.offset_from(last, c.var)?;
        let mut ty = self.s.ty(root);
        let Block::Of(block) = self.s.types.shared(ty)? else { return None };
        for i in prefix.iter().chain([&last]) {
            let TyKind::Array(elem, _) = *self.s.types.kind(ty) else { return None };
            if *i != last && (!self.invariant(*i, fx) || self.uses(*i, c.var)) {
                return None;
            }
            ty = elem;
        }
        if !self.count_is_one(ty) {
            return None;
        }
        let start = Start::Row(root, prefix.clone());
        if block == 1 {
            let rows = self.rows(root, prefix.len());
            return Some(Owner::Cyclic { home: Home { pointer: None, prefix, rows, offset }, start });
        }
        Some(Owner::Blocked { offset, block, start, margins: Margins::default() })
    }

    /// The lengths of the dimensions of an array (or of what a pointer points to) behind the first, so many of them.
    pub fn rows(&self, root: ExprId, count: usize) -> Vec<Len> {
        let mut rows = vec![];
        let mut ty = self.s.ty(root);
        if let TyKind::Array(elem, _) | TyKind::Pointer(elem) = *self.s.types.kind(ty) {
            ty = elem;
        }
        while let TyKind::Array(elem, len) = *self.s.types.kind(ty) {
            if rows.len() == count {
                break;
            }
            rows.push(len);
            ty = elem;
        }
        rows
    }
}
