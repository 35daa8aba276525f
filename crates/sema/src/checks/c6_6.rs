//! 6.6 Statements: barrier values, affinity, and ways out of a upc_forall.

use crate::rules;
use crate::scope::{Checker, Enclosing};
use crate::*;

/// 6.6.1 p2: the value of a barrier may be assigned to an int.
pub(crate) fn barrier_value(c: &mut Checker<'_>, e: ExprId, t: Ty) {
    if !c.s.types.is_arithmetic(t) && !c.s.types.is_error(t) {
        let text = format!("the value of a barrier has type `{}`", c.show(t));
        c.report(&rules::BARRIER_VALUE, c.u[e].toks, text);
    }
}

/// 6.6.2 p4: an integer or a pointer-to-shared; p8: not negative.
pub(crate) fn affinity(c: &mut Checker<'_>, e: ExprId, t: Ty) {
    let at = c.u[e].toks;
    if c.s.types.is_integer(t) {
        if let Some(n) = c.s.const_int(c.p, e).filter(|&n| n < 0) {
            c.report(&rules::AFFINITY_NEGATIVE, at, format!("the affinity is {n}"));
        }
    } else if c.s.types.shared_pointee(t).is_none() && !c.s.types.is_error(t) {
        let text = format!("the affinity has type `{}`", c.show(t));
        c.report(&rules::AFFINITY_TYPE, at, text);
    }
}

/// 6.6.2 p13: `break` out of a upc_forall.
pub(crate) fn break_statement(c: &mut Checker<'_>, at: TokRange) {
    if c.body.enclosing.last() == Some(&Enclosing::Forall) {
        c.report(&rules::LEAVES_FORALL, at, "`break` ends a upc_forall");
    }
}

/// 6.6.2 p13: `return` out of a upc_forall.
pub(crate) fn return_statement(c: &mut Checker<'_>, at: TokRange) {
    if c.body.forall != 0 {
        c.report(&rules::LEAVES_FORALL, at, "`return` ends a upc_forall");
    }
}

/// 6.6.2 p13: a collective operation where only some threads come.
pub(crate) fn collective(c: &mut Checker<'_>, what: &str, at: TokRange) {
    if c.body.forall != 0 {
        c.report(&rules::COLLECTIVE_IN_FORALL, at, format!("`{what}` inside a upc_forall"));
    }
}

/// `goto` into or out of the body of a upc_forall (6.6.2 p13), or into the scope of a spread array of Split-C, once a
/// function's labels are known.
pub(crate) fn gotos(c: &mut Checker<'_>) {
    let body = std::mem::take(&mut c.body);
    for &(name, from, at) in &body.gotos {
        let Some(&(_, to)) = body.labels.iter().find(|l| l.0 == name) else {
            continue;
        };
        let inside = |parents: &[u32], mut f: u32, outer: u32| loop {
            if f == outer {
                return true;
            }
            if f == 0 {
                return false;
            }
            f = parents.get(f as usize - 1).copied().unwrap_or(0);
        };
        if !inside(&body.spread_parent, from.spread, to.spread) {
            c.report(&rules::SPREAD_JUMP, at, "`goto` enters the scope of a spread array");
        }
        if !inside(&body.forall_parent, from.forall, to.forall) {
            c.report(&rules::ENTERS_FORALL, at, "`goto` enters the body of a upc_forall");
        } else if from.forall != to.forall {
            c.report(&rules::LEAVES_FORALL, at, "`goto` ends a upc_forall");
        }
    }
    c.body = body;
}
