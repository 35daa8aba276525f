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

/// Likewise for functions of Split-C, by their symbols without `fathom_`.
const SPLIT_COUNTED: &[&str] = &[
    "split_barrier",
    "split_all_store_sync",
    "split_bulk_read",
    "split_bulk_write",
    "split_bulk_get",
    "split_bulk_put",
    "split_bulk_store",
    "split_byte_write",
    "split_all_spread_malloc",
    "split_spread_malloc",
    "split_fetch_add",
    "split_exchange",
    "split_test_and_set",
    "split_cmp_and_swap",
    "split_atomic",
];

/// Functions of Split-C that neither communicate nor wait.
const SPLIT_UNTIMED: &[&str] = &["split_toproc", "split_exit", "split_seconds", "split_reset_store_sync"];

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

/// A call of the library that is counted or timed.
pub(crate) struct ExplainedCall<'a> {
    /// The function's name in the program.
    pub name: &'a str,
    /// The end of its counterpart's name in runtime/lang/explain.h, `fathom_explain_…`; if it has none it is only timed.
    pub counterpart: Option<&'a str>,
}

/// The library function that a call names, if it is one to count or time.
pub(crate) fn explained_call<'a>(p: &'a Parsed, s: &Sema, callee: ExprId) -> Option<ExplainedCall<'a>> {
    let name = library_name(p, s, callee)?;
    if let Some(function) = split_c_function(p, s, callee, name) {
        // The one that programs call by a macro has no other name.
        let name = name.strip_prefix("fathom_split_").unwrap_or(name);
        let counterpart = SPLIT_COUNTED.iter().copied().find(|f| *f == function);
        return (!SPLIT_UNTIMED.contains(&function.as_str())).then_some(ExplainedCall { name, counterpart });
    }
    let is_counted = COUNTED.contains(&name);
    let is = is_counted || TIMED.contains(&name) || TIMED_PREFIXES.iter().any(|p| name.starts_with(p));
    is.then(|| ExplainedCall { name, counterpart: is_counted.then_some(name) })
}

/// Whether a report of simulated runs says where this function is called: it communicates, or declares work.
pub(crate) fn has_place(p: &Parsed, s: &Sema, callee: ExprId) -> bool {
    // It is an inline function of a header.
    let declares = |name| p.source.name(name) == "fathom_declare_work";
    matches!(p.unit[callee].kind, ExprKind::Ident(name) if declares(name)) || explained_call(p, s, callee).is_some()
}

/// The symbol, without `fathom_`, of a function of Split-C's library, whose headers give it one that programs do not use.
fn split_c_function(p: &Parsed, s: &Sema, callee: ExprId, name: &str) -> Option<String> {
    if s.options.dialect != fathom_syntax::Dialect::SplitC {
        return None;
    }
    let sym = &s.symbols[s.expr_sym[callee.index()]?.0 as usize];
    // `__asm__("fathom_split_" "barrier")`
    let label: String = p.source.range_text(sym.trailer).split('"').skip(1).step_by(2).collect();
    let symbol = if name == "fathom_split_atomic" { name } else { &label };
    symbol.strip_prefix("fathom_").filter(|f| f.starts_with("split_")).map(str::to_owned)
}
