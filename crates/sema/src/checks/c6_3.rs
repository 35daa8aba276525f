//! 6.3 Predefined identifiers and 6.4.1 the sizeof operators.

use super::split_c;
use crate::rules;
use crate::scope::Checker;
use crate::*;

/// 6.3.1 p1, 6.3.2 p1: THREADS and MYTHREAD are values. True if `e` is one of them.
pub(crate) fn predefined(c: &mut Checker<'_>, e: ExprId, what: &str) -> bool {
    let inner = c.s.stands_for(e);
    let at = c.u[inner].toks;
    match c.u[inner].kind {
        ExprKind::Threads => c.report(&rules::THREADS_VALUE, at, format!("{} {what}", c.text(at))),
        ExprKind::MyThread => c.report(&rules::MYTHREAD_VALUE, at, format!("{} {what}", c.text(at))),
        _ => return false,
    };
    true
}

/// 6.4.1.2 to 6.4.1.4: the operand is shared, and has a size.
pub(crate) fn sizeof_operand(c: &mut Checker<'_>, k: SizeofKind, t: Ty, e: Option<ExprId>, at: TokRange) {
    if *c.s.types.kind(t) == TyKind::Error {
        return;
    }
    use rules::*;
    let (name, rule, unsized_rule) = match k {
        SizeofKind::Sizeof | SizeofKind::Alignof => ("sizeof", None, &SIZEOF_OPERAND),
        SizeofKind::UpcLocalsizeof => ("upc_localsizeof", Some(&LOCALSIZEOF_SHARED), &LOCALSIZEOF_OPERAND),
        SizeofKind::UpcBlocksizeof => ("upc_blocksizeof", Some(&BLOCKSIZEOF_SHARED), &BLOCKSIZEOF_OPERAND),
        SizeofKind::UpcElemsizeof => ("upc_elemsizeof", Some(&ELEMSIZEOF_SHARED), &ELEMSIZEOF_OPERAND),
    };
    if !c.s.types.is_shared(t) {
        if let Some(rule) = rule {
            let text = format!("`{name}` applied to `{}`", c.show(t));
            c.report(rule, at, text);
        }
        return;
    }
    if k == SizeofKind::Alignof {
        return;
    }
    let bit_field = e.is_some_and(|e| c.s.bit_field(e).is_some());
    let incomplete = match c.s.types.kind(t) {
        TyKind::Array(_, Len::Unknown) => true,
        _ => c.s.size_of(c.s.types.ultimate(t)).is_none() && !c.s.types.is_error(c.s.types.ultimate(t)),
    };
    if bit_field {
        c.report(unsized_rule, at, format!("`{name}` applied to a bit-field"));
    } else if incomplete {
        let text = format!("`{name}` applied to the incomplete type `{}`", c.show(t));
        let rule = if rule.is_none() { c.opaque_rule(t).unwrap_or(unsized_rule) } else { unsized_rule };
        c.report(rule, at, text);
    }
}

/// An expression that must be an integer constant but is not: reported if THREADS is the reason (6.3.1 p1, 6.4.1.1 p1).
/// The C compiler reports every other reason.
pub(crate) fn constant(c: &mut Checker<'_>, e: ExprId) {
    if c.s.options.threads.is_some() || c.s.const_int(c.p, e).is_some() {
        return;
    }
    match c.s.threads_reason(c.p, e, 0) {
        Some((at, true)) => {
            c.report(&rules::SIZEOF_NOT_CONSTANT, at, "the size of a shared array depends on THREADS");
        }
        Some((at, false)) => {
            let text = match split_c::is_on(c) {
                true => "PROCS is known only when the program runs",
                false => "THREADS is not a constant in the dynamic THREADS environment",
            };
            c.report(&rules::THREADS_NOT_CONSTANT, at, text);
        }
        None => {}
    }
}

/// The same for a private object that a typedef gives a dimension with THREADS: `typedef int T[THREADS]; T x;`.
pub(crate) fn constant_typedef(c: &mut Checker<'_>, d: DeclaratorId, mut t: Ty) {
    let Some((_, token)) = c.u[d].name.filter(|_| !c.s.types.is_shared(t) && c.s.options.threads.is_none()) else {
        return;
    };
    let own = c.u[d].derivs.iter().filter(|x| matches!(x, Deriv::Array { .. })).count();
    for _ in 0..own {
        let TyKind::Array(elem, _) = *c.s.types.kind(t) else { return };
        t = elem;
    }
    while let TyKind::Array(elem, len) = *c.s.types.kind(t) {
        if matches!(len, Len::Threads(_)) {
            let text =
                "THREADS is not a constant in the dynamic THREADS environment, and so not the size of a private object";
            c.report(&rules::THREADS_NOT_CONSTANT, TokRange::new(token, token + 1), text);
            return;
        }
        t = elem;
    }
}

/// The same for the dimensions of an array that must not vary: `Len::Threads`, or a size that reads THREADS.
pub(crate) fn constant_dimensions(c: &mut Checker<'_>, d: DeclaratorId) {
    for deriv in &c.u[d].derivs {
        if let Deriv::Array { size: ArraySize::Expr(e), .. } = deriv {
            constant(c, *e);
        }
    }
}

impl Checker<'_> {
    /// For upc_lock_t: the clause that makes it incomplete.
    pub fn opaque_rule(&self, t: Ty) -> Option<&'static rules::Rule> {
        let r = self.s.types.record_of(self.s.types.ultimate(t))?;
        let lock = self.name(self.s.types.record(r).tag?) == "fathom_lock_opaque";
        lock.then_some(&rules::LOCK_OBJECT)
    }
}
