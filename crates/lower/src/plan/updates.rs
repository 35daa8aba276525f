//! Updates by owners (docs/decisions/0013): `x op= y;` of a relaxed object that may be far is carried out by the thread that has
//! the object. A compound assignment is a relaxed read and a relaxed write of one place; if nobody wants the value, both may be
//! made late, and there (UPC 1.3, B).
//!
//! The same holds for atomic operations of Berkeley UPC whose result is not used.
//!
//! Only where the result has the same bits: the runtime's operations (`runtime/gas/update.c`) are those of C for these types.

use super::facts::Facts;
use super::library::library_name;
use fathom_sema::{FloatKind, IntKind, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk_children, Child};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What owners do.
#[derive(Default)]
pub(crate) struct Updates {
    /// Relaxed updates, by the expression that designates the object.
    pub objects: BTreeMap<ExprId, Result<Update, Missed>>,
    /// Calls of `bupc_atomicX_fetchOP_relaxed` whose result is not used.
    pub atomics: BTreeMap<ExprId, Update>,
    /// Calls of relaxed atomic operations whose result is used.
    pub with_results: BTreeSet<ExprId>,
}

/// The object's type and the operation, as `enum fathom_update_object` and `enum fathom_update_op` of runtime/lang/update.h
/// name them, and the type in which the operand travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Update {
    pub object: &'static str,
    pub op: &'static str,
    pub operand: Operand,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    Integer,
    Float,
    Double,
}

/// The reason why an update is made by reading and writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missed {
    Used,
    Volatile,
    Operation,
    Type,
}

impl Missed {
    pub fn text(self) -> &'static str {
        match self {
            Missed::Used => "its value is used",
            Missed::Volatile => "the object is volatile or atomic",
            Missed::Operation => "the operation is none of + - * & | ^ << >>",
            Missed::Type => "the owner does not compute with these types",
        }
    }

    pub fn hint(self) -> Option<&'static str> {
        match self {
            Missed::Used => Some("make the update a statement of its own"),
            Missed::Type => Some("integers with integer operands, float and double are computed by their owners"),
            _ => None,
        }
    }
}

/// Collects the updates below `root`.
pub(crate) fn collect<'a>(facts: Facts<'a>, root: Child<'a>, found: &mut Updates) {
    Collector { f: facts, found, unused: HashSet::new(), valued: HashSet::new() }.node(root);
}

struct Collector<'a, 'b> {
    f: Facts<'a>,
    found: &'b mut Updates,
    /// Expressions whose value nobody wants.
    unused: HashSet<ExprId>,
    /// The last statements of statement expressions: their value is the whole's.
    valued: HashSet<StmtId>,
}

impl<'a> Collector<'a, '_> {
    /// Parents come first.
    fn node(&mut self, n: Child<'a>) {
        match n {
            Child::Stmt(s) => self.stmt(s),
            Child::Expr(e) => self.expr(e),
            _ => {}
        }
        walk_children(self.f.u, n, &mut |c| self.node(c));
    }

    fn stmt(&mut self, s: StmtId) {
        match &self.f.u[s].kind {
            StmtKind::Expr(Some(e)) if !self.valued.contains(&s) => self.drop_value(*e),
            StmtKind::Label(_, inner) if self.valued.contains(&s) => _ = self.valued.insert(*inner),
            StmtKind::For { init, step, .. } | StmtKind::Forall { init, step, .. } => {
                if let ForInit::Expr(e) = init {
                    self.drop_value(*e);
                }
                step.iter().for_each(|e| self.drop_value(*e));
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: ExprId) {
        match self.f.u[e].kind {
            ExprKind::StmtExpr(s) => {
                let StmtKind::Compound(items) = &self.f.u[s].kind else { return };
                if let Some(BlockItem::Stmt(last)) = items.last() {
                    self.valued.insert(*last);
                }
            }
            ExprKind::Comma(a, _) => self.drop_value(a),
            ExprKind::Cast(t, x) if self.f.s.types.is_void(self.f.s.type_name_ty[t.index()]) => self.drop_value(x),
            ExprKind::Call { callee, ref args } => {
                let Some(name) = library_name(self.f.p, self.f.s, callee) else { return };
                let update = atomic(name).filter(|_| self.unused.contains(&e) && args.len() == 2);
                let has_result = match args[..] {
                    [_, result, ..] if name == "upc_atomic_relaxed" => !self.f.is_null(result),
                    _ => update.is_none() && bupc_atomic(name).is_some(),
                };
                self.found.atomics.extend(update.map(|u| (e, u)));
                self.found.with_results.extend(has_result.then_some(e));
            }
            ExprKind::Assign(Some(op), l, r) => self.update(e, l, op, Some(r)),
            ExprKind::Unary(UnOp::PreInc | UnOp::PostInc, l) => self.update(e, l, BinOp::Add, None),
            ExprKind::Unary(UnOp::PreDec | UnOp::PostDec, l) => self.update(e, l, BinOp::Sub, None),
            _ => {}
        }
    }

    fn drop_value(&mut self, e: ExprId) {
        self.unused.insert(e);
        match self.f.u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Extension, x) | ExprKind::Comma(_, x) => self.drop_value(x),
            _ => {}
        }
    }

    fn update(&mut self, e: ExprId, l: ExprId, op: BinOp, r: Option<ExprId>) {
        let f = self.f;
        if !f.is_shared_lvalue(l) || f.is_strict(l) {
            return;
        }
        let q = f.s.types.quals(f.s.ty(l));
        let verdict = match () {
            _ if !self.unused.contains(&e) => Err(Missed::Used),
            _ if q.is_volatile || q.is_atomic => Err(Missed::Volatile),
            _ => f.computed(l, op, r),
        };
        self.found.objects.insert(l, verdict);
    }
}

/// The type and the operation of a function `bupc_atomicX_OP_relaxed`, as the runtime's enumerations name them.
pub(crate) fn bupc_atomic(name: &str) -> Option<(&'static str, &'static str)> {
    let (kind, op) = name.strip_prefix("bupc_atomic")?.strip_suffix("_relaxed")?.split_once('_')?;
    let ty = match kind {
        "I" | "I32" => "I32",
        "U" | "UI" | "U32" => "U32",
        "L" | "I64" => "I64",
        "UL" | "U64" => "U64",
        "F" => "F32",
        "D" => "F64",
        _ => return None,
    };
    let op = match op {
        "fetchadd" => "ADD",
        "fetchand" => "AND",
        "fetchor" => "OR",
        "fetchxor" => "XOR",
        "swap" => "SWAP",
        "read" => "GET",
        _ => return None,
    };
    Some((ty, op))
}

/// What the function does if its result is not used.
fn atomic(name: &str) -> Option<Update> {
    let (ty, op) = bupc_atomic(name)?;
    let object = match ty {
        "I32" | "U32" => "U32",
        "I64" | "U64" => "U64",
        _ => return None,
    };
    matches!(op, "ADD" | "AND" | "OR" | "XOR").then_some(Update { object, op, operand: Operand::Integer })
}

impl Facts<'_> {
    /// What the owner computes for `l op= r`; without `r`, by one.
    fn computed(&self, l: ExprId, op: BinOp, r: Option<ExprId>) -> Result<Update, Missed> {
        let name = match op {
            BinOp::Add => "ADD",
            BinOp::Sub => "SUB",
            BinOp::Mul => "MUL",
            BinOp::BitAnd => "AND",
            BinOp::BitOr => "OR",
            BinOp::BitXor => "XOR",
            BinOp::Shl => "SHL",
            BinOp::Shr => "SHR",
            _ => return Err(Missed::Operation),
        };
        let kind = |e: ExprId| self.s.types.kind(self.s.rvalue_ty(e));
        let is_integer = r.is_none_or(|r| matches!(kind(r), TyKind::Int(_) | TyKind::Enum(_)));
        let (object, operand) = match (kind(l), r.map(kind)) {
            _ if self.s.bit_field(l).is_some() => return Err(Missed::Type),
            (TyKind::Int(k), _) if *k != IntKind::Bool && is_integer => {
                let is_signed = op == BinOp::Shr && self.s.types.is_signed(*k);
                let object = match (self.s.types.bits(*k), is_signed) {
                    (8, false) => "U8",
                    (16, false) => "U16",
                    (32, false) => "U32",
                    (64, false) => "U64",
                    (8, true) => "I8",
                    (16, true) => "I16",
                    (32, true) => "I32",
                    (64, true) => "I64",
                    _ => return Err(Missed::Type),
                };
                (object, Operand::Integer)
            }
            (TyKind::Float(FloatKind::Float), Some(TyKind::Float(FloatKind::Double))) => {
                ("F32_BY_F64", Operand::Double)
            }
            (TyKind::Float(FloatKind::Float), other) if is_integer || is_number(other, &[FloatKind::Float]) => {
                ("F32", Operand::Float)
            }
            (TyKind::Float(FloatKind::Double), other)
                if is_integer || is_number(other, &[FloatKind::Float, FloatKind::Double]) =>
            {
                ("F64", Operand::Double)
            }
            _ => return Err(Missed::Type),
        };
        Ok(Update { object, op: name, operand })
    }
}

fn is_number(t: Option<&TyKind>, kinds: &[FloatKind]) -> bool {
    matches!(t, Some(TyKind::Float(k)) if kinds.contains(k))
}
