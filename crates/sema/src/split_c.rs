//! The types of Split-C (docs/split-c.md). A pointer that other processors' objects can have is a pointer-to-shared:
//! `T *global` has the type of UPC's `shared [] T *`, and `T *spread` that of a pointer to [`Block::Spread`]. Shared
//! types stand behind pointers and in spread arrays only: an object in `T x;` is private, however global pointers reach
//! it.

use crate::checks::{c6_4, c6_5, split_c};
use crate::scope::Checker;
use crate::*;

impl Sema {
    /// The most blocks of a spread array that one processor holds; all of them where PROCS is not known.
    pub(crate) fn blocks_here(&self, t: Ty, block: Ty) -> Option<u64> {
        let (mut blocks, mut each) = (1u64, false);
        let mut t = t;
        while t != block {
            let TyKind::Array(elem, len) = *self.types.kind(t) else { return None };
            match len {
                Len::Const(n) => blocks = blocks.checked_mul(n)?,
                Len::Threads(n) if !each => {
                    blocks = blocks.checked_mul(n)?;
                    each = true;
                }
                _ => return None,
            }
            t = elem;
        }
        Some(match self.options.threads {
            Some(threads) if !each => blocks.div_ceil(u64::from(threads.max(1))),
            _ => blocks,
        })
    }
}

impl<'a> Checker<'a> {
    /// The type that a pointer with the qualifier `global` or `spread` refers to; with `spread`, also a spread array's block
    /// as the array's processor dimensions see it.
    pub(crate) fn referenced_by(&mut self, ty: Ty, q: Qual, at: TokRange) -> Ty {
        if self.s.types.is_function(ty) {
            split_c::function(self, at);
            return ty;
        }
        if q == Qual::Spread && self.has_empty_dimension(ty) {
            c6_5::array_size(self, at, "the dimensions of a block must be positive");
        }
        let dims = u8::try_from(self.s.types.dimensions(ty)).unwrap_or(u8::MAX);
        let block = if q == Qual::Spread { Block::Spread { dims } } else { Block::Indefinite };
        self.set_block(ty, block)
    }

    /// Is there a dimension that is not positive?
    fn has_empty_dimension(&self, mut ty: Ty) -> bool {
        while let TyKind::Array(elem, len) = *self.s.types.kind(ty) {
            if matches!(len, Len::Const(0)) {
                return true;
            }
            ty = elem;
        }
        false
    }

    /// The type of the object that `*p` or `p[i]` designates: a block of a spread array is a whole on its processor.
    pub(crate) fn designated(&mut self, to: Ty) -> Ty {
        match self.s.types.shared(to) {
            Some(Block::Spread { dims }) if self.s.types.dimensions(to) <= usize::from(dims) => {
                self.set_block(to, Block::Indefinite)
            }
            _ => to,
        }
    }

    /// The private type of what a pointer leads to: of a spread one, that of a block.
    pub(crate) fn pointed_block(&mut self, t: Ty) -> Ty {
        let to = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
        let block = self.s.types.spread_block(to).unwrap_or(to);
        self.unshare(block)
    }

    /// `l := r` and `l :- r`.
    pub(crate) fn split(&mut self, e: ExprId, op: SplitOp, l: ExprId, r: ExprId) -> Ty {
        let lt = self.expr(l);
        let rt = self.value(r);
        let at = self.u[e].toks;
        if rt != Ty::ERROR {
            c6_4::modified(self, l, lt, at);
        }
        let to = self.s.types.unqual(lt);
        let is_global = self.s.types.is_shared(lt);
        if is_global {
            c6_4::stored(self, to, r, rt);
        }
        self.convert(r, Conversion::Assignment, to);
        split_c::assignable(self, to, r, rt, "assignment");
        if !is_global && rt != Ty::ERROR && lt != Ty::ERROR {
            split_c::sides(self, op, l, r, at);
        }
        Ty::VOID
    }

    /// The type of `__fathom_tolocal(p)` and `__fathom_toglobal(processor, p)`, by which the headers write `tolocal` and
    /// `toglobal`.
    pub(crate) fn place_of(&mut self, name: &str, args: &[ExprId], types: &[Ty]) -> Option<Ty> {
        if !split_c::is_on(self) {
            return None;
        }
        let (at, to_global) = match (name, types) {
            ("__fathom_tolocal", [_]) => (0, false),
            ("__fathom_toglobal", [_, _]) => (1, true),
            _ => return None,
        };
        let to = match self.s.types.pointee(types[at]) {
            Some(to) => to,
            // Old programs also write `tolocal(a[i])` for the element's own address.
            None if self.s.designates_shared(args[at]) => self.s.ty(args[at]),
            None => {
                split_c::no_pointer(self, args[at], types[at]);
                return Some(Ty::ERROR);
            }
        };
        let to = match to_global {
            true => self.set_block(to, Block::Indefinite),
            false => self.unshare(to),
        };
        Some(self.s.types.pointer(to))
    }
}
