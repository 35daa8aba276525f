//! The rules of Split-C (docs/split-c.md).

use crate::rules;
use crate::scope::Checker;
use crate::specs::QualList;
use crate::*;
use fathom_syntax::Dialect;

/// `global` or `spread` in a list of qualifiers: after a `*`, and only one of them.
pub(crate) fn qualifier(c: &mut Checker<'_>, list: &mut QualList, q: Qual, at: TokRange, pointer: bool) {
    if !pointer {
        c.report(&rules::REACH_PLACE, at, format!("`{}` does not follow a `*`", c.text(at)));
    } else if list.reach.is_some_and(|(before, _)| before != q) {
        c.report(&rules::REACH_TWICE, at, "a pointer cannot be both global and spread");
    } else {
        list.reach = Some((q, at));
    }
}

pub(crate) fn function(c: &mut Checker<'_>, at: TokRange) {
    c.report(&rules::REACH_FUNCTION, at, "a global pointer to a function");
}

/// `:=` or `:-` into a local object.
pub(crate) fn sides(c: &mut Checker<'_>, op: SplitOp, l: ExprId, r: ExprId, at: TokRange) {
    match op {
        _ if !c.is_lvalue(l) => {
            let text = format!("`{}` is not an object", c.text(c.u[l].toks));
            c.report(&rules::SPLIT_TARGET, c.u[l].toks, text);
        }
        SplitOp::Store => _ = c.report(&rules::STORE_LOCAL, at, "`:-` stores through a global pointer"),
        SplitOp::Start if !c.s.designates_shared(r) => {
            c.report(&rules::SPLIT_LOCAL, at, "neither side of `:=` is reached through a global pointer");
        }
        SplitOp::Start => {}
    }
}

pub(crate) fn no_pointer(c: &mut Checker<'_>, e: ExprId, t: Ty) {
    if !c.s.types.is_error(t) {
        let text = format!("`{}` has type `{}`", c.text(c.u[e].toks), c.show(t));
        c.report(&rules::PLACE_OPERAND, c.u[e].toks, text);
    }
}

/// A spread array that is an object: the size of a static one must be known before the program runs.
pub(crate) fn object(c: &mut Checker<'_>, s: SymId, ty: Ty, at: TokRange, is_defined_here: bool, has_init: bool) {
    let sym = &c.s.symbols[s.0 as usize];
    let name = c.text(at);
    if has_init {
        c.report(&rules::SPREAD_INITIALIZER, at, format!("spread array `{name}` has an initializer"));
    } else if !sym.is_static && c.s.types.dimensions_known(ty) {
        // Its size is computed where the program meets the declaration.
        let before = c.body.spread;
        c.body.spread_parent.push(before);
        c.body.spread = c.body.spread_parent.len() as u32;
    } else if is_defined_here && c.s.local_size(ty).is_none() {
        c.report(&rules::SPREAD_SIZE, at, format!("the size of spread array `{name}` is not known"));
    } else if c.s.local_size(ty).is_some_and(|n| n > segments::SEGMENT_BYTES) {
        c.report(&rules::SHARED_OVERFLOW, at, format!("`{name}` does not fit in a processor's part of memory"));
    }
}

/// `case` or `default`: control comes from the switch.
pub(crate) fn case(c: &mut Checker<'_>, at: TokRange) {
    if c.body.switches.last().is_some_and(|&before| before != c.body.spread) {
        let at = TokRange::new(at.lo, at.lo + 1);
        c.report(&rules::SPREAD_JUMP, at, "`switch` enters the scope of a spread array");
    }
}

/// The kinds of pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Local,
    Global,
    Spread,
}

fn reach(c: &Checker<'_>, t: Ty) -> Option<Reach> {
    let to = c.s.types.pointee(t)?;
    Some(match c.s.types.shared(to) {
        None => Reach::Local,
        Some(Block::Spread { .. }) => Reach::Spread,
        Some(_) => Reach::Global,
    })
}

/// An implicit conversion. Spread pointers become global ones; all other changes of kind need a cast.
pub(crate) fn assignable(c: &mut Checker<'_>, to: Ty, e: ExprId, from: Ty, what: &str) {
    let t = &c.s.types;
    if to == from || t.is_error(to) || t.is_error(from) || c.s.is_null(e) {
        return;
    }
    let at = c.u[e].toks;
    let text = format!("{what} of `{}` to `{}`", c.show(from), c.show(to));
    let rule = match (reach(c, to), reach(c, from)) {
        (Some(Reach::Global | Reach::Spread), Some(Reach::Local)) => &rules::LOCAL_TO_GLOBAL,
        (Some(Reach::Local), Some(Reach::Global | Reach::Spread)) => &rules::GLOBAL_TO_LOCAL,
        (Some(Reach::Spread), Some(Reach::Global)) => &rules::GLOBAL_TO_SPREAD,
        (Some(Reach::Global | Reach::Spread), None) => &rules::NUMBER_TO_GLOBAL,
        (None, Some(Reach::Global | Reach::Spread)) if *t.kind(to) != TyKind::Int(IntKind::Bool) => {
            &rules::GLOBAL_TO_NUMBER
        }
        (Some(_), Some(_)) => {
            let mentions = t.mentions_shared(to) || t.mentions_shared(from);
            let (a, b) = (c.pointed_block(to), c.pointed_block(from));
            if !mentions || c.s.types.is_void(a) || c.s.types.is_void(b) || c.s.types.like_shape(a, b) {
                return;
            }
            // Old programs pass the blocks of a spread array for its elements.
            let (x, y) = (c.s.types.ultimate(a), c.s.types.ultimate(b));
            match c.s.types.like_shape(x, y) {
                true => &rules::GLOBAL_DIMENSIONS,
                false => &rules::GLOBAL_TYPES,
            }
        }
        _ => return,
    };
    c.report(rule, at, text);
}

/// `(to)e`. True if it is right.
pub(crate) fn cast(c: &mut Checker<'_>, to: Ty, e: ExprId, from: Ty) -> bool {
    let t = &c.s.types;
    if t.is_error(from) || t.is_error(to) || t.is_void(to) || c.s.is_null(e) {
        return true;
    }
    let rule = match (reach(c, to), reach(c, from)) {
        (Some(Reach::Global | Reach::Spread), None) => &rules::NUMBER_TO_GLOBAL,
        (None, Some(Reach::Global | Reach::Spread)) if !t.is_integer(to) => &rules::GLOBAL_TO_NUMBER,
        _ => return true,
    };
    let text = format!("a cast of `{}` to `{}`", c.show(from), c.show(to));
    c.report(rule, c.u[e].toks, text);
    false
}

/// Two pointers, global or spread, that are compared or subtracted.
pub(crate) fn two_pointers(c: &mut Checker<'_>, op: BinOp, l: Ty, r: Ty, at: TokRange) {
    let is_equality = matches!(op, BinOp::Eq | BinOp::Ne);
    let (a, b) = (c.pointed_block(l), c.pointed_block(r));
    let generic = c.s.types.is_void(a) || c.s.types.is_void(b);
    let rule = match is_equality || reach(c, l) == reach(c, r) {
        false => &rules::DIFFERENT_KINDS,
        true if !generic && !c.s.types.like_shape(a, b) => &rules::GLOBAL_TYPES,
        true => return,
    };
    let text = format!("operands are `{}` and `{}`", c.show(l), c.show(r));
    c.report(rule, at, text);
}

pub(crate) fn is_on(c: &Checker<'_>) -> bool {
    c.s.options.dialect == Dialect::SplitC
}
