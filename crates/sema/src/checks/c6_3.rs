//! 6.3 Predefined identifiers and 6.4.1 the sizeof operators.

use crate::rules;
use crate::scope::Checker;
use crate::*;

/// 6.3.1 p1, 6.3.2 p1: THREADS and MYTHREAD are values. True if `e` is one of them.
pub(crate) fn predefined(c: &mut Checker<'_>, e: ExprId, what: &str) -> bool {
    let inner = c.through_parens(e);
    let at = c.u[inner].toks;
    match c.u[inner].kind {
        ExprKind::Threads => c.error(&rules::THREADS_VALUE, at, format!("THREADS {what}")),
        ExprKind::MyThread => c.error(&rules::MYTHREAD_VALUE, at, format!("MYTHREAD {what}")),
        _ => return false,
    };
    true
}

/// 6.4.1.2 to 6.4.1.4: the operand is shared, and has a size.
pub(crate) fn sizeof_operand(c: &mut Checker<'_>, k: SizeofKind, t: Ty, e: Option<ExprId>, at: TokRange) {
    if *c.s.types.kind(t) == TyKind::Error {
        return;
    }
    let (name, rule) = match k {
        SizeofKind::Sizeof | SizeofKind::Alignof => ("sizeof", None),
        SizeofKind::UpcLocalsizeof => ("upc_localsizeof", Some(&rules::LOCALSIZEOF_SHARED)),
        SizeofKind::UpcBlocksizeof => ("upc_blocksizeof", Some(&rules::BLOCKSIZEOF_SHARED)),
        SizeofKind::UpcElemsizeof => ("upc_elemsizeof", Some(&rules::ELEMSIZEOF_SHARED)),
    };
    if !c.s.types.is_shared(t) {
        if let Some(rule) = rule {
            let text = format!("`{name}` applied to `{}`", c.show(t));
            c.error(rule, at, text);
        }
        return;
    }
    if k == SizeofKind::Alignof {
        return;
    }
    let bit_field = e.is_some_and(|e| c.s.bit_fields.contains_key(&c.through_parens(e)));
    let incomplete = match c.s.types.kind(t) {
        TyKind::Array(_, Len::Unknown) => true,
        _ => c.s.size_of(c.s.types.ultimate(t)).is_none() && !c.s.types.is_error(c.s.types.ultimate(t)),
    };
    if bit_field {
        c.error(&rules::SIZEOF_OPERAND, at, format!("`{name}` applied to a bit-field"));
    } else if incomplete {
        let text = format!("`{name}` applied to the incomplete type `{}`", c.show(t));
        c.error(&rules::SIZEOF_OPERAND, at, text);
    }
}
