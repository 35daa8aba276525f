//! 6.5 Declarations: qualifiers, block sizes, where shared may stand, and the dimensions of shared arrays.

use super::split_c;
use crate::consteval::ThreadsForm;
use crate::rules;
use crate::scope::Checker;
use crate::specs::Specified;
use crate::*;

/// 6.5 p2 for specifiers, 6.5.2 p7 for the list after `*`.
pub(crate) fn strict_and_relaxed(c: &mut Checker<'_>, at: TokRange, pointer: bool) {
    let rule = if pointer { &rules::POINTER_STRICT_AND_RELAXED } else { &rules::STRICT_AND_RELAXED };
    c.report(rule, at, "a type cannot be both strict and relaxed");
}

/// 6.5 p3, 6.5.2 p6
pub(crate) fn two_block_sizes(c: &mut Checker<'_>, at: TokRange, pointer: bool) {
    let rule = if pointer { &rules::POINTER_TWO_BLOCK_SIZES } else { &rules::TWO_BLOCK_SIZES };
    c.report(rule, at, "a shared type cannot have two block sizes");
}

/// The value of the expression in a layout qualifier (6.5.1.1 p3, p11; 6.3.3), if it is constant.
pub(crate) fn block_size(c: &mut Checker<'_>, e: ExprId, value: Option<i128>) {
    let at = c.u[e].toks;
    match value {
        Some(n) if n < 0 => _ = c.report(&rules::BLOCK_NEGATIVE, at, format!("the block size is {n}")),
        Some(n) if n > MAX_BLOCK_SIZE as i128 => {
            let text = format!("the block size is {n}; UPC_MAX_BLOCK_SIZE is {MAX_BLOCK_SIZE}");
            c.report(&rules::BLOCK_TOO_LARGE, at, text);
        }
        Some(_) => {}
        None => _ = c.report(&rules::BLOCK_NOT_CONSTANT, at, "a block size must be an integer constant expression"),
    }
}

/// The type that a pointer is about to refer to: no `[*]` (6.5.1.1 p6), no layout on void (6.5.1.1 p8). True if it is
/// right.
pub(crate) fn referenced(c: &mut Checker<'_>, ty: Ty, layout: Option<TokRange>, at: TokRange) -> bool {
    let Some(block) = c.s.types.shared(ty) else { return true };
    let at = layout.unwrap_or(at);
    if block == Block::Star {
        c.report(&rules::STAR_POINTER, at, "`[*]` in the declaration of a pointer");
        return false;
    }
    if c.s.types.is_void(ty) && (layout.is_some() || block != Block::Of(1)) {
        c.report(&rules::LAYOUT_VOID, at, "a layout qualifier on void");
        return false;
    }
    true
}

/// 6.5.2 p8: a function's result is an automatic object, as its parameters are.
pub(crate) fn result(c: &mut Checker<'_>, at: TokRange) {
    c.report(&rules::SHARED_RESULT, at, "a function returns a shared-qualified type");
}

/// 6.5.1.1 p5: a member is not shared, nor does it point to an array of variable length (C11 6.7.2.1 p9). True if it is
/// not shared.
pub(crate) fn member(c: &mut Checker<'_>, ty: Ty, at: TokRange) -> bool {
    if !split_c::is_on(c) {
        constant_sizes(c, ty, true, at);
    }
    let shared = c.s.types.mentions_shared(ty) && c.s.types.is_shared(ty);
    if shared && split_c::is_on(c) {
        c.report(&rules::SPREAD_MEMBER, at, "a member of a struct or union cannot be a spread array");
    } else if shared {
        c.report(&rules::SHARED_MEMBER, at, "a member of a struct or union cannot be shared");
    }
    !shared
}

/// 6.5.2 p8: a parameter is an automatic object. True if it is not shared.
pub(crate) fn parameter(c: &mut Checker<'_>, ty: Ty, at: TokRange) -> bool {
    let shared = c.s.types.is_shared(ty);
    if shared {
        c.report(&rules::PARAMETER_SHARED, at, "a parameter cannot be shared");
    }
    !shared
}

/// 6.5.1.1 p7: no `[*]` in a typedef.
pub(crate) fn typedef(c: &mut Checker<'_>, ty: Ty, layout: Option<TokRange>) {
    let star = layout.filter(|&at| c.text(at).ends_with("*]") || c.text(at).ends_with("* ]"));
    if let (Some(at), true) = (star, c.s.types.is_shared(ty)) {
        c.report(&rules::STAR_TYPEDEF, at, "`[*]` in a typedef");
    }
}

/// A use of an object with `[*]` whose size is not known: the block size would follow from it (6.5.1.1 p16).
pub(crate) fn star_unknown(c: &mut Checker<'_>, s: SymId, at: TokRange) {
    if !c.star_reported.contains(&s) && c.unevaluated == 0 {
        c.star_reported.push(s);
        let place = c.s.symbols[s.0 as usize].decl;
        let text = format!("the size of `{}`, and so its block size, is not known", c.text(at));
        c.report(&rules::STAR_UNKNOWN, at, text).notes.push((place, "declared here without a dimension".into()));
    }
}

const NOT_CONSTANT: &str = "the size of a shared array must be an integer constant expression";

/// Reports a shared array whose size is not constant: `t` itself, or also one that `t` points to.
fn constant_sizes(c: &mut Checker<'_>, mut t: Ty, through_pointers: bool, at: TokRange) {
    loop {
        t = match *c.s.types.kind(t) {
            TyKind::Array(..) if c.s.types.is_shared(t) && c.s.types.has_vla(t) => {
                return array_size(c, at, NOT_CONSTANT);
            }
            TyKind::Array(elem, _) => elem,
            TyKind::Pointer(to) if through_pointers => to,
            _ => return,
        }
    }
}

pub(crate) fn array_size(c: &mut Checker<'_>, at: TokRange, text: &str) {
    c.report(&rules::SHARED_SIZE, at, text);
}

/// 6.5.2.1 p2, p3, for every array type inside a type: THREADS at most once, only multiplied by a constant, and not
/// at all with indefinite block size.
pub(crate) fn array_types(c: &mut Checker<'_>, mut t: Ty, at: TokRange) {
    loop {
        t = match *c.s.types.kind(t) {
            TyKind::Pointer(p) => p,
            TyKind::Function(ref f) => f.ret,
            TyKind::Array(..) => {
                if let Some(block) = c.s.types.shared(t) {
                    shared_array(c, t, block, at);
                }
                c.s.types.ultimate(t)
            }
            _ => return,
        }
    }
}

fn shared_array(c: &mut Checker<'_>, ty: Ty, block: Block, at: TokRange) {
    if split_c::is_on(c) {
        // `object` knows whether the size of a spread array matters; behind pointers there are C's arrays.
        return;
    }
    let mut t = ty;
    let mut threads = 0;
    while let TyKind::Array(e, len) = *c.s.types.kind(t) {
        match len {
            Len::Threads(_) => threads += 1,
            Len::Vla(size) => {
                let at = c.u[size].toks;
                let dynamic = c.s.options.threads.is_none();
                match c.s.threads_form(c.p, size) {
                    ThreadsForm::Twice if dynamic => {
                        c.report(
                            &rules::THREADS_TWICE,
                            at,
                            "THREADS occurs more than once in the size of a shared array",
                        );
                    }
                    ThreadsForm::Times { .. } | ThreadsForm::Other if dynamic => {
                        c.report(
                            &rules::THREADS_FORM,
                            at,
                            "the size of a shared array is not a constant multiple of THREADS",
                        );
                    }
                    // Elsewhere, a pointer may refer to such an array (C11 6.7.6.2 p2), and `object` sees the others.
                    _ if c.file_scope() => array_size(c, at, NOT_CONSTANT),
                    _ => {}
                }
            }
            _ => {}
        }
        t = e;
    }
    if threads > 0 && block == Block::Indefinite {
        c.report(
            &rules::THREADS_INDEFINITE,
            at,
            "in the dynamic THREADS environment, a shared array with indefinite block size cannot have a THREADS dimension",
        );
    } else if threads > 1 {
        c.report(&rules::THREADS_TWICE, at, "THREADS occurs in more than one dimension of a shared array");
    }
}

/// A declared object: storage (6.5.2 p8), completeness, and exactly one THREADS dimension (6.5.2.1 p2).
pub(crate) fn object(c: &mut Checker<'_>, s: SymId, ty: Ty, specs: &Specified, i: &InitDeclarator) {
    if !c.s.types.mentions_shared(ty) {
        return;
    }
    let Some(block) = c.s.types.shared(ty) else { return };
    let at = c.u[i.declarator].name.map_or(i.toks, |(_, t)| TokRange::new(t, t + 1));
    if let Block::Spread { .. } = block {
        let is_defined_here = specs.storage != Some(Storage::Extern) || i.init.is_some();
        return split_c::object(c, s, ty, at, is_defined_here, i.init.is_some());
    }
    let name = c.text(at);
    if specs.thread_local {
        c.report(&rules::THREAD_LOCAL_SHARED, at, format!("`{name}` is shared and thread-local"));
    }
    let sym = &c.s.symbols[s.0 as usize];
    if !sym.is_static || specs.storage == Some(Storage::Register) {
        match c.opaque_rule(ty) {
            Some(rule) => c.report(rule, at, format!("`{name}` is defined with an incomplete type")),
            None => {
                c.report(&rules::AUTOMATIC_SHARED, at, format!("`{name}` is shared but has automatic storage duration"))
            }
        };
        return;
    }
    if !c.file_scope() {
        constant_sizes(c, ty, false, at);
    }
    let is_extern = specs.storage == Some(Storage::Extern) && i.init.is_none();
    let known = c.s.types.dimensions_known(ty);
    if block != Block::Indefinite
        && c.s.types.is_array(ty)
        && c.s.options.threads.is_none()
        && c.s.types.threads_dims(ty) == 0
        && !c.s.types.has_vla(ty)
    {
        if known || (i.init.is_some() && !is_extern) {
            let text = format!("shared array `{name}` has a definite block size but no THREADS dimension");
            c.report(&rules::THREADS_MISSING, at, text);
        } else if is_extern {
            c.report(
                &rules::EXTERN_THREADS,
                at,
                format!("this declaration of shared array `{name}` has no THREADS dimension"),
            );
        }
    }
    let elem = c.s.types.ultimate(ty);
    let sized = c.s.size_of(elem).is_some();
    if !sized && !c.s.types.is_error(elem) && (c.s.types.is_void(elem) || !is_extern && c.body.ret.is_some()) {
        let rule = c.opaque_rule(ty).unwrap_or(&rules::SHARED_INCOMPLETE);
        c.report(rule, at, format!("`{name}` has an incomplete type"));
    } else if sized && known && block != Block::Star && !c.s.types.has_vla(ty) {
        let local = match c.s.local_size(ty) {
            // Reported as an error of its own already: THREADS in an array with indefinite block size.
            None if c.s.types.threads_dims(ty) > 0 && block == Block::Indefinite => Some(0),
            None if c.s.types.threads_dims(ty) > 1 => Some(0),
            n => n,
        };
        if local.is_none_or(|n| n > segments::SEGMENT_BYTES) {
            c.report(&rules::SHARED_OVERFLOW, at, format!("`{name}` does not fit in a thread's part of shared memory"));
        }
        if let Block::Of(b) = block {
            if b > MAX_BLOCK_SIZE {
                let text = format!("`[*]` makes the block size {b}; UPC_MAX_BLOCK_SIZE is {MAX_BLOCK_SIZE}");
                c.report(&rules::BLOCK_TOO_LARGE, at, text);
            }
        }
    }
}

/// At the end of the unit, the type of a tentatively defined object must have a size.
pub(crate) fn tentative(c: &mut Checker<'_>) {
    for i in 0..c.s.symbols.len() {
        let s = &c.s.symbols[i];
        let at = s.decl;
        let star = s.kind == SymKind::Object && !s.tentative && c.s.types.shared(s.ty) == Some(Block::Star);
        // Without a THREADS dimension it has been reported already (EXTERN_THREADS).
        let threads = c.s.options.threads.is_some() || c.s.types.threads_dims(s.ty) > 0;
        if star && threads && s.linkage == Linkage::External && !c.star_reported.contains(&SymId(i as u32)) {
            c.report(&rules::STAR_INCOMPLETE, at, format!("the size of `{}` is not known", c.text(at)));
            continue;
        }
        let s = &c.s.symbols[i];
        if s.kind != SymKind::Object || !s.tentative || s.defined || !c.s.types.is_shared(s.ty) {
            continue;
        }
        let (ty, at) = (s.ty, s.decl);
        let elem = c.s.types.ultimate(ty);
        if !c.s.types.dimensions_known(ty)
            || c.s.size_of(elem).is_none() && !c.s.types.is_error(elem) && !c.s.types.is_void(elem)
        {
            let name = c.text(at);
            let rule = c.opaque_rule(ty).unwrap_or(&rules::SHARED_INCOMPLETE);
            c.report(rule, at, format!("`{name}` is defined with an incomplete type"));
        }
    }
}

/// Declarations of one identifier disagree where shared types are involved.
pub(crate) fn redeclared(c: &mut Checker<'_>, old: SymId, ty: Ty, at: TokRange) {
    let (was, place) = (c.s.symbols[old.0 as usize].ty, c.s.symbols[old.0 as usize].decl);
    let text = format!("`{}` is declared with different types", c.text(at));
    let (now, was) = (format!("`{}` here", c.show(ty)), format!("`{}` here", c.show(was)));
    let d = c.report(&rules::CONFLICTING_TYPES, at, text);
    d.label = now;
    d.notes.push((place, was));
}

/// The initializer of a shared object is constant, as for any static object (C 6.7.9 p4): the C compiler does not see
/// it.
pub(crate) fn initializer(c: &mut Checker<'_>, s: SymId, ty: Ty, init: InitId) {
    if c.s.types.is_shared(ty) && c.s.symbols[s.0 as usize].is_static {
        c.constant_init(init);
    }
}
