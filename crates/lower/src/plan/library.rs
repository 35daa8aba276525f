//! The library functions that an explained program counts or times (runtime/lang/explain.h).

use fathom_sema::{Linkage, Sema, SymKind};
use fathom_syntax::ast::*;
use fathom_syntax::Parsed;

/// Calls that have a counterpart in runtime/lang/explain.h, which takes the site and then the arguments.
pub(crate) const COUNTED: &[&str] = &[
    "upc_memcpy",
    "upc_memget",
    "upc_memput",
    "upc_memset",
    "upc_memcpy_nb",
    "upc_memget_nb",
    "upc_memput_nb",
    "upc_memset_nb",
    "upc_memcpy_nbi",
    "upc_memget_nbi",
    "upc_memput_nbi",
    "upc_memset_nbi",
    "upc_lock",
    "upc_lock_attempt",
    "upc_unlock",
    "upc_alloc",
    "upc_local_alloc",
    "upc_all_alloc",
    "upc_global_alloc",
    "upc_atomic_strict",
    "upc_atomic_relaxed",
    "upc_all_broadcast",
    "upc_all_scatter",
    "upc_all_gather",
    "upc_all_gather_all",
    "upc_all_exchange",
    "bupc_memget_fstrided",
    "bupc_memput_fstrided",
    "bupc_memget_ilist",
    "bupc_memput_ilist",
];

/// Those calls that have a form for constant sizes.
pub(crate) const FIXED: &[&str] = &["upc_memcpy", "upc_memget", "upc_memput", "upc_memset"];

/// Other calls that are timed as a whole.
const TIMED: &[&str] = &[
    "upc_sync",
    "upc_sync_attempt",
    "upc_synci",
    "upc_synci_attempt",
    "upc_free",
    "upc_global_lock_alloc",
    "upc_lock_free",
    "upc_poll",
];
const TIMED_PREFIXES: &[&str] =
    &["upc_all_", "bupc_all", "bupc_mem", "bupc_wait", "bupc_try", "bupc_sem", "bupc_atomic", "bupc_poll"];

/// The name of a library function that is called directly: one that the unit declares and does not define.
pub(crate) fn library_name<'a>(p: &'a Parsed, s: &Sema, callee: ExprId) -> Option<&'a str> {
    let ExprKind::Ident(name) = p.unit[callee].kind else { return None };
    let sym = &s.symbols[s.expr_sym[callee.index()]?.0 as usize];
    (sym.kind == SymKind::Function && sym.linkage == Linkage::External && !sym.defined).then(|| p.source.name(name))
}

/// The library function that a call names, if it is one to count or time.
pub(crate) fn counted_call<'a>(p: &'a Parsed, s: &Sema, callee: ExprId) -> Option<&'a str> {
    let is = |n: &str| COUNTED.contains(&n) || TIMED.contains(&n) || TIMED_PREFIXES.iter().any(|p| n.starts_with(p));
    library_name(p, s, callee).filter(|n| is(n))
}
