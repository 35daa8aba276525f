//! 6.4.2 to 6.4.4: operators, casts, conversions and addresses where pointers-to-shared and shared objects take part.
//!
//! The C compiler reports what private C forbids. It never sees shared types, so their errors are reported here.

use super::{c6_3, split_c};
use crate::rules;
use crate::scope::Checker;
use crate::*;

fn incomplete(c: &Checker<'_>, t: Ty) -> bool {
    let u = c.s.types.ultimate(t);
    !c.s.types.is_error(u)
        && (c.s.types.is_void(u)
            || c.s.size_of(u).is_none()
            || matches!(c.s.types.kind(t), TyKind::Array(_, Len::Unknown)))
}

/// The operand of `*`, which refers to type `to`. True if it can be accessed.
pub(crate) fn dereference(c: &mut Checker<'_>, to: Ty, at: TokRange) -> bool {
    if c.s.types.is_shared(to) && c.s.types.is_void(to) {
        c.report(&rules::DEREFERENCE_VOID, at, "a generic pointer-to-shared cannot be dereferenced");
        return false;
    }
    true
}

/// `a[i]` of a shared array or pointer-to-shared. True if it designates an object.
pub(crate) fn subscript(c: &mut Checker<'_>, to: Ty, int: Ty, index: ExprId, at: TokRange) -> bool {
    if c.s.types.is_void(to) {
        c.report(&rules::DEREFERENCE_VOID, at, "a generic pointer-to-shared cannot be subscripted");
        return false;
    }
    if incomplete(c, to) {
        let text = format!("a subscript of a pointer to the incomplete type `{}`", c.show(to));
        arithmetic_incomplete(c, to, at, text);
        return false;
    }
    if !c.s.types.is_integer(int) && !c.s.types.is_error(int) {
        let text = format!("the subscript has type `{}`", c.show(int));
        c.report(&rules::SHARED_INDEX, c.u[index].toks, text);
    }
    true
}

/// `s.m` where `s` is not a struct: reported if `s` is shared.
pub(crate) fn no_record(c: &mut Checker<'_>, t: Ty, at: TokRange) {
    if c.s.types.is_shared(t) && !c.s.types.is_error(t) {
        let text = format!("`{}` is not a struct or union", c.show(t));
        c.report(&rules::NO_MEMBER, at, text);
    }
}

/// The operand of unary `&` (6.3.1, 6.3.2, 6.4.4).
pub(crate) fn address_of(c: &mut Checker<'_>, e: ExprId, t: Ty, at: TokRange) {
    if c6_3::predefined(c, e, "has no address") {
        return;
    }
    if c.s.types.is_shared(t) && c.s.bit_field(e).is_some() {
        c.report(&rules::BIT_FIELD_ADDRESS, at, "a bit-field has no address");
    }
}

/// The left operand of an assignment, or the operand of `++` and `--`.
pub(crate) fn modified(c: &mut Checker<'_>, e: ExprId, t: Ty, at: TokRange) {
    if c6_3::predefined(c, e, "cannot be assigned to") || !c.s.types.is_shared(t) {
        return;
    }
    if matches!(c.s.types.kind(t), TyKind::Record(_)) && c.s.size_of(t).is_none() {
        incomplete_access(c, t, at);
    } else if c.s.types.quals(c.s.types.ultimate(t)).is_const {
        c.report(&rules::READ_ONLY, at, format!("`{}` is const", c.text(c.u[e].toks)));
    } else if c.s.types.is_array(t) {
        c.report(&rules::NOT_SCALAR, at, "a shared array cannot be assigned to");
    }
}

/// The operand of `*` or `[]` is not a pointer: reported if it is a shared object. True if it is private.
pub(crate) fn operand(c: &mut Checker<'_>, e: ExprId, t: Ty, at: TokRange) -> bool {
    if !c.s.types.is_shared(c.s.expr_ty[e.index()]) || c.s.types.is_error(t) {
        return true;
    }
    let text = format!("`{}` has type `{}`, which is not a pointer", c.text(c.u[e].toks), c.show(t));
    c.report(&rules::OPERANDS, at, text);
    false
}

/// A call of something that is not a function: reported if it is a shared object.
pub(crate) fn called(c: &mut Checker<'_>, callee: ExprId, t: Ty) {
    if c.s.types.is_shared(c.s.expr_ty[callee.index()]) && !c.s.types.is_error(t) {
        let at = c.u[callee].toks;
        let text = format!("`{}` has type `{}`, which is not a function", c.text(at), c.show(t));
        c.report(&rules::NOT_CALLED, at, text);
    }
}

/// A value stored in a shared object of type `to`: the C compiler does not see how structs are stored. [`assignable`]
/// checks pointers.
pub(crate) fn stored(c: &mut Checker<'_>, to: Ty, e: ExprId, from: Ty) {
    let t = &c.s.types;
    if to == from || t.is_error(to) || t.is_error(from) {
        return;
    }
    let fits = match (t.kind(to), t.kind(from)) {
        (TyKind::Record(a), TyKind::Record(b)) => a == b,
        (TyKind::Record(_), _) | (_, TyKind::Record(_) | TyKind::Void) => false,
        _ => true,
    };
    if !fits {
        let text = format!("a value of type `{}` is stored in a shared object of type `{}`", c.show(from), c.show(to));
        c.report(&rules::ASSIGNED_TYPE, c.u[e].toks, text);
    }
}

/// An access to a shared object of incomplete type.
pub(crate) fn incomplete_access(c: &mut Checker<'_>, t: Ty, at: TokRange) {
    let text = format!("`{}` is incomplete", c.show(t));
    let rule = c.opaque_rule(t).unwrap_or(&rules::DEREFERENCE_VOID);
    c.report(rule, at, text);
}

/// `+ - ~`, subscripts and `switch` do not accept pointers-to-shared. True if the operand is one.
pub(crate) fn no_pointer(c: &mut Checker<'_>, t: Ty, e: ExprId, at: TokRange) -> bool {
    if c.s.types.shared_pointee(t).is_none() {
        return false;
    }
    let text = format!("`{}` is a pointer-to-shared, which cannot be used as a number", c.text(c.u[e].toks));
    c.report(&rules::POINTER_OPERATOR, at, text);
    true
}

/// Arithmetic on a pointer to the incomplete type `to`.
fn arithmetic_incomplete(c: &mut Checker<'_>, to: Ty, at: TokRange, text: String) {
    let rule = c.opaque_rule(to).unwrap_or(&rules::ARITHMETIC_INCOMPLETE);
    let spread = split_c::is_on(c);
    let d = c.report(rule, at, text);
    if spread {
        d.hint = Some("cast it first, for example to `int *spread`".into());
    }
}

/// `p++` and similar operations need the size of the object that `p` points to.
pub(crate) fn complete_pointer(c: &mut Checker<'_>, t: Ty, at: TokRange) {
    if let Some(to) = c.s.types.shared_pointee(t) {
        if incomplete(c, to) {
            let text = format!("arithmetic on a pointer to `{}`", c.show(to));
            arithmetic_incomplete(c, to, at, text);
        }
    }
}

/// A value tested for zero. Only shared operands are checked.
pub(crate) fn scalar(c: &mut Checker<'_>, e: ExprId, t: Ty) {
    if matches!(c.s.types.kind(t), TyKind::Record(_)) && c.s.types.is_shared(c.s.expr_ty[e.index()]) {
        c.report(&rules::NOT_SCALAR, c.u[e].toks, "a shared struct or union is used as a truth value");
    }
}

/// A binary operator with at least one pointer-to-shared operand (6.4.2). True if it applies to its operands.
pub(crate) fn binary(c: &mut Checker<'_>, op: BinOp, e: ExprId, (l, lt): (ExprId, Ty), (r, rt): (ExprId, Ty)) -> bool {
    use BinOp::*;
    let at = c.u[e].toks;
    let (sl, sr) = (c.s.types.shared_pointee(lt), c.s.types.shared_pointee(rt));
    let reported = c.diags.len();
    let null =
        |c: &Checker<'_>| matches!(op, Eq | Ne) && (sl.is_none() && c.s.is_null(l) || sr.is_none() && c.s.is_null(r));
    match (sl, sr) {
        (Some(_), Some(_)) if split_c::is_on(c) && is_comparison(op) => split_c::two_pointers(c, op, lt, rt, at),
        (Some(a), Some(b)) => two_pointers(c, op, a, b, at),
        // A null pointer constant converts to the other operand's type.
        _ if null(c) => {}
        _ if c.s.types.pointee(lt).is_some() && c.s.types.pointee(rt).is_some() => {
            let text = format!("operands are `{}` and `{}`", c.show(lt), c.show(rt));
            let rule = if split_c::is_on(c) { &rules::DIFFERENT_KINDS } else { &rules::MIXED_BINARY };
            c.report(rule, at, text);
        }
        _ => {
            let (pointer, other, to) = match sl {
                Some(to) => (lt, rt, to),
                None => (rt, lt, sr.unwrap_or(Ty::ERROR)),
            };
            let applies = op == Add || op == Sub && sl.is_some();
            if !applies || !c.s.types.is_integer(other) {
                let text = format!("operands are `{}` and `{}`", c.show(lt), c.show(rt));
                c.report(&rules::POINTER_OPERATOR, at, text);
            } else if incomplete(c, to) {
                let text = format!("arithmetic on `{}`", c.show(pointer));
                arithmetic_incomplete(c, to, at, text);
            }
        }
    }
    c.diags.len() == reported
}

fn is_comparison(op: BinOp) -> bool {
    use BinOp::*;
    matches!(op, Lt | Gt | Le | Ge | Eq | Ne | Sub)
}

/// Two pointers-to-shared: comparison or difference.
fn two_pointers(c: &mut Checker<'_>, op: BinOp, a: Ty, b: Ty, at: TokRange) {
    use BinOp::*;
    if !is_comparison(op) {
        c.report(&rules::POINTER_OPERATOR, at, "this operator does not apply to two pointers-to-shared");
        return;
    }
    let bad = if incomplete(c, a) { Some(a) } else { Some(b).filter(|&b| incomplete(c, b)) };
    if let (Some(bad), false) = (bad, matches!(op, Eq | Ne)) {
        let text = format!("`{}` is incomplete", c.show(bad));
        let rule = if op == Sub { &rules::ARITHMETIC_INCOMPLETE } else { &rules::RELATIONAL_INCOMPLETE };
        c.report(rule, at, text);
        return;
    }
    // == and != take a generic pointer with any other (C 6.5.9 p2).
    let generic = c.s.types.is_void(a) || c.s.types.is_void(b);
    if !generic && !c.s.types.like(a, b) {
        let text = format!("operands point to `{}` and `{}`", c.show(a), c.show(b));
        // C compilers compare `int *` with `unsigned *`, but do not subtract them.
        if op != Sub && c.s.types.like_but_for_sign(a, b) {
            c.report(&rules::DIFFERENT_SIGNS, at, text);
            return;
        }
        let same_block = c.s.types.same_block(a, b);
        let d = c.report(&rules::DIFFERENT_POINTERS, at, text);
        if same_block {
            d.label = ELEMENTS_DIFFER.into();
        }
    }
}

/// What is wrong with two pointers-to-shared whose block sizes are equal.
const ELEMENTS_DIFFER: &str = "the types of the elements differ";

/// Pointers-to-local whose referenced types differ in pointers-to-shared: C cannot tell them apart.
pub(crate) fn nested_pointers(c: &mut Checker<'_>, a: Ty, b: Ty, at: TokRange) {
    let t = &c.s.types;
    if a == b || !(t.mentions_shared(a) || t.mentions_shared(b)) || t.is_void(a) || t.is_void(b) {
        return;
    }
    if !c.s.types.like_shape(a, b) {
        let text = format!("operands point to `{}` and `{}`", c.show(a), c.show(b));
        c.report(&rules::DIFFERENT_POINTERS, at, text);
    }
}

/// The second and third operands of `?:`, which have no common type; at least one is a pointer-to-shared.
pub(crate) fn conditional(c: &mut Checker<'_>, ta: Ty, tb: Ty, at: TokRange) {
    let (pa, pb) = (c.s.types.shared_pointee(ta), c.s.types.shared_pointee(tb));
    let text = format!("`{}` or `{}`", c.show(ta), c.show(tb));
    let pointers = c.s.types.pointee(ta).is_some() && c.s.types.pointee(tb).is_some();
    let rule = match (pa, pb) {
        (Some(_), Some(_)) => &rules::CONDITIONAL_POINTERS,
        _ if pointers => &rules::CONDITIONAL_MIXED,
        _ => &rules::CONDITIONAL_VALUE,
    };
    c.report(rule, at, text);
}

/// An object that inline assembly reaches by its address, which is a C pointer: no far object has one.
pub(crate) fn asm_object(c: &mut Checker<'_>, e: ExprId) {
    if c.s.designates_shared(e) {
        c.report(&rules::ASM_OBJECT, c.u[e].toks, "a shared object is an operand of inline assembly");
    }
}

/// `(to)e` (6.4.3 p1), its conversion recorded. False if it is wrong.
pub(crate) fn cast(c: &mut Checker<'_>, to: Ty, e: ExprId, from: Ty) -> bool {
    if split_c::is_on(c) {
        return split_c::cast(c, to, e, from);
    }
    let at = c.u[c.s.stands_for(e)].toks;
    let t = &c.s.types;
    if !t.mentions_shared(to) && !t.mentions_shared(from) || t.is_error(from) || t.is_error(to) || t.is_void(to) {
        return true;
    }
    let to_shared = t.shared_pointee(to).is_some();
    let from_shared = t.shared_pointee(from).is_some();
    if to_shared && !from_shared {
        if c.s.is_null(e) {
            return true;
        }
        let (rule, what) = if c.s.types.pointee(from).is_some() {
            (&rules::CAST_TO_SHARED, "a pointer-to-local")
        } else if c.s.types.is_integer(from) {
            (&rules::CAST_INTEGER, "an integer")
        } else {
            (&rules::CAST_TYPE, "a value that is not a pointer")
        };
        let text = format!("{what} is cast to `{}`", c.show(to));
        c.report(rule, at, text);
        return false;
    }
    if from_shared && !to_shared && t.pointee(to).is_none() && !t.is_integer(to) {
        let text = format!("a pointer-to-shared is cast to `{}`", c.show(to));
        let union = t.record_of(to).is_some_and(|r| t.record(r).is_union);
        let hint = union
            .then(|| format!("write a compound literal with the member's name: `({}){{.member = …}}`", c.show(to)));
        let d = c.report(&rules::CAST_TYPE, at, text);
        d.hint = hint.or(d.hint.take());
        return false;
    }
    // Further components: `int **` does not become `shared int **`.
    let (mut a, mut b) = (to, from);
    loop {
        let (Some(x), Some(y)) = (c.s.types.pointee(a), c.s.types.pointee(b)) else {
            return true;
        };
        if c.s.types.is_shared(x) && !c.s.types.is_shared(y) {
            let text = format!("`{}` is cast to `{}`", c.show(from), c.show(to));
            c.report(&rules::CAST_TO_SHARED, at, text);
            return false;
        }
        (a, b) = (x, y);
    }
}

/// An implicit conversion, as if by assignment (C 6.5.16.1, UPC 6.4.3, 6.5.1.1 p14), recorded already.
pub(crate) fn assignable(c: &mut Checker<'_>, to: Ty, e: ExprId, from: Ty, what: &str) {
    if split_c::is_on(c) {
        return split_c::assignable(c, to, e, from, what);
    }
    let t = &c.s.types;
    if to == from || !t.mentions_shared(to) && !t.mentions_shared(from) || t.is_error(to) || t.is_error(from) {
        return;
    }
    let at = c.u[e].toks;
    match (t.shared_pointee(to), t.shared_pointee(from)) {
        (Some(a), Some(b)) => {
            let void = t.is_void(a) || t.is_void(b);
            if void || c.s.types.like(a, b) {
                discarded(c, a, b, at, what);
            } else if c.s.types.like_but_for_sign(a, b) {
                let text = format!("{what} of `{}` to `{}`", c.show(from), c.show(to));
                c.report(&rules::DIFFERENT_SIGNS, at, text);
                discarded(c, a, b, at, what);
            } else {
                let text = format!("{what} of `{}` to `{}`", c.show(from), c.show(to));
                let member = c.s.types.shared(b) == Some(Block::Indefinite) && points_to_member(c, e);
                let block = c.s.types.shared(a) != Some(Block::Indefinite) && c.s.types.like_shape(a, b);
                let same_block = c.s.types.same_block(a, b);
                let d = c.report(&rules::INCOMPATIBLE_SHARED, at, text);
                if same_block {
                    d.label = ELEMENTS_DIFFER.into();
                }
                if member && block {
                    // 6.4.4 p1
                    d.hint = Some("the address of a member is a `shared [] T *`: declare the pointer so".into());
                }
            }
        }
        (Some(_), None) => {
            if c.s.is_null(e) {
                return;
            }
            let rule = if t.pointee(from).is_some() { &rules::LOCAL_TO_SHARED } else { &rules::INTEGER_TO_SHARED };
            let text = format!("{what} of `{}` to `{}`", c.show(from), c.show(to));
            c.report(rule, at, text);
        }
        (None, Some(_)) => {
            if *t.kind(to) == TyKind::Int(IntKind::Bool) {
                return;
            }
            let rule = if t.pointee(to).is_some() { &rules::SHARED_TO_LOCAL } else { &rules::SHARED_TO_INTEGER };
            let text = format!("{what} of `{}` to `{}`", c.show(from), c.show(to));
            c.report(rule, at, text);
        }
        (None, None) => {
            let (Some(a), Some(b)) = (t.pointee(to), t.pointee(from)) else {
                return;
            };
            let void = t.is_void(a) || t.is_void(b);
            if !void && !c.s.types.like_shape(a, b) && !callable_as(c, a, b) {
                let text = format!("{what} of `{}` to `{}`", c.show(from), c.show(to));
                c.report(&rules::INCOMPATIBLE_SHARED, at, text);
            }
        }
    }
}

/// Functions that differ only in qualifiers of the shared types that parameters and results point to: const does
/// not change how a pointer-to-shared is passed, and the library's own declarations say more of it than the standard's.
fn callable_as(c: &Checker<'_>, a: Ty, b: Ty) -> bool {
    let (TyKind::Function(f), TyKind::Function(g)) = (c.s.types.kind(a), c.s.types.kind(b)) else {
        return false;
    };
    let same = |x: Ty, y: Ty| match (c.s.types.shared_pointee(x), c.s.types.shared_pointee(y)) {
        (Some(x), Some(y)) => c.s.types.like(x, y),
        _ => c.s.types.same_shape(x, y),
    };
    f.variadic == g.variadic
        && f.params.len() == g.params.len()
        && same(f.ret, g.ret)
        && f.params.iter().zip(&g.params).all(|(&x, &y)| same(x, y))
}

/// Is it `&s.m`, or an array member that decays?
fn points_to_member(c: &Checker<'_>, mut e: ExprId) -> bool {
    loop {
        e = match c.u[e].kind {
            ExprKind::Paren(i) | ExprKind::Unary(UnOp::AddrOf, i) | ExprKind::Index(i, _) => i,
            ExprKind::Member { .. } => return true,
            _ => return false,
        };
    }
}

/// Qualifiers of the referenced type that a conversion loses: the C compiler cannot warn of it.
fn discarded(c: &mut Checker<'_>, to: Ty, from: Ty, at: TokRange, what: &str) {
    let t = &c.s.types;
    let (a, b) = (t.quals(t.ultimate(to)), t.quals(t.ultimate(from)));
    let name = if b.is_const && !a.is_const {
        "const"
    } else if b.is_volatile && !a.is_volatile {
        "volatile"
    } else if b.access == Some(Access::Strict) && a.access != b.access && !t.is_void(to) {
        "strict"
    } else {
        return;
    };
    let text = format!("{what} drops `{name}` from the shared type that the pointer refers to");
    c.report(&rules::DISCARDS_QUALIFIER, at, text);
}

/// Argument `i` of a call with a prototype.
pub(crate) fn argument(c: &mut Checker<'_>, param: Ty, e: ExprId, from: Ty, i: usize) {
    let t = &c.s.types;
    if param == from || !t.mentions_shared(param) && !t.mentions_shared(from) {
        return;
    }
    // A union parameter may be transparent; records convert to nothing else anyway.
    if matches!(t.kind(param), TyKind::Record(_)) {
        return;
    }
    assignable(c, param, e, from, &format!("passing argument {}", i.saturating_add(1)));
}

/// An argument of C's printf, scanf and the functions like them, which know no pointers-to-shared.
pub(crate) fn formatted(c: &mut Checker<'_>, callee: ExprId, e: ExprId, t: Ty) {
    let callee = c.s.stands_for(callee);
    let (ExprKind::Ident(name), Some(sym)) = (&c.u[callee].kind, c.s.expr_sym[callee.index()]) else { return };
    let (name, s) = (*name, &c.s.symbols[sym.0 as usize]);
    // The program may have another function of the name.
    let is_library =
        s.kind == SymKind::Function && s.linkage == Linkage::External && (s.in_system_header || !s.defined);
    if c.s.types.shared_pointee(t).is_none() || split_c::is_on(c) || !is_library {
        return;
    }
    let name = c.name(name);
    let hint = match name {
        "scanf" | "fscanf" | "sscanf" => "read into a private variable, and assign it to the shared one",
        "printf" | "fprintf" | "dprintf" | "sprintf" | "snprintf" => {
            "print what it points to, or its upc_threadof and upc_addrfield; copy a shared string with upc_memget first"
        }
        _ => return,
    };
    let text = format!("passing a pointer-to-shared to `{name}`");
    let at = c.u[e].toks;
    c.report(&rules::SHARED_TO_FORMAT, at, text).hint = Some(hint.into());
}

/// An argument of an atomic operation. Of pointers-to-shared the library knows `shared void *` alone: it takes a pointer
/// without phase for one, although it has half the size.
pub(crate) fn atomic_operand(c: &mut Checker<'_>, callee: ExprId, e: ExprId, t: Ty) {
    let types = &c.s.types;
    let is_one_word = |&o: &Ty| types.shared_pointee(o).is_some_and(|to| types.phaseless_pointee(to));
    let Some(object) = types.pointee(t).filter(is_one_word) else { return };
    let callee = c.s.stands_for(callee);
    let ExprKind::Ident(name) = c.u[callee].kind else { return };
    let name = c.name(name);
    if !matches!(name, "upc_atomic_relaxed" | "upc_atomic_strict") || split_c::is_on(c) {
        return;
    }
    let text = format!("passing a pointer to a `{}` to `{name}`", c.show(object));
    c.report(&rules::ATOMIC_POINTER, c.u[e].toks, text);
}

/// `l op= r`: of pointers-to-shared only `p += i` and `p -= i`.
pub(crate) fn compound_assignment(
    c: &mut Checker<'_>,
    op: BinOp,
    (_l, lt): (ExprId, Ty),
    (_r, rt): (ExprId, Ty),
    at: TokRange,
) {
    let (sl, sr) = (c.s.types.shared_pointee(lt), c.s.types.shared_pointee(rt));
    if sl.is_none() && sr.is_none() || c.s.types.is_error(lt) || c.s.types.is_error(rt) {
        return;
    }
    if sl.is_some() && c.s.types.is_integer(rt) && matches!(op, BinOp::Add | BinOp::Sub) {
        complete_pointer(c, lt, at);
        return;
    }
    let rule = match (c.s.types.pointee(lt), c.s.types.pointee(rt)) {
        (Some(_), Some(_)) if sl.is_none() || sr.is_none() => &rules::MIXED_BINARY,
        _ => &rules::POINTER_OPERATOR,
    };
    let text = format!("operands are `{}` and `{}`", c.show(lt), c.show(rt));
    c.report(rule, at, text);
}
