//! Syntax tree to typed tree: scopes, C types, shared types, and one check per constraint of the UPC specification.
//!
//! The typed tree is the syntax tree plus the side tables of [`Sema`], indexed by the tree's own ids. What they say:
//!
//! * `expr_ty[e]` is the type of expression `e` **before** lvalue, array and function conversions, qualifiers
//!   included: for `shared [4] int a[4*THREADS]`, `a` has the array type, `a[i]` has type `shared [4] int`, and
//!   `a + 1` has type `shared [4] int *`. The type of the value after the conversions is [`Sema::rvalue_ty`].
//! * An expression that designates a shared object has a shared `expr_ty`; reading or writing it is a shared access,
//!   strict if `expr_strict` holds the expression.
//! * [`Sema::conversion`] is what the expression, call, declaration or statement around `e` makes of that value, and
//!   [`Sema::used_ty`] the type after it; [`Sema::stands_for`] is `e` without its parentheses and the like.
//! * `expr_sym[e]` is the symbol of an `Ident`. `declarator_sym` and `declarator_ty` are those of declarators.
//! * `s.m` of a shared struct has a type `shared []` T (6.4.4 p1: `&s.m` is a pointer with indefinite block size).
//! * Unknown types (of rare built-ins) are `Ty::ERROR`, without a diagnostic: the C compiler checks private C.
//!
//! `sema` does no I/O, changes no tree, never panics.

mod builtins;
mod call;
mod checks;
mod compat;
mod consteval;
mod conversions;
mod decl;
mod expr;
mod init;
mod layout;
mod literal;
mod print;
mod records;
pub mod rules;
mod scope;
pub mod segments;
mod specs;
mod split_c;
mod stmt;
pub mod types;

pub use conversions::Conversion;
use fathom_syntax::ast::*;
use fathom_syntax::token::{Name, TokRange};
use fathom_syntax::{Diag, Options, Parsed, Source, Target};
pub use init::string_chars;
pub use segments::MAX_BLOCK_SIZE;
use std::collections::{HashMap, HashSet};
pub use types::*;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymKind {
    Object,
    Function,
    Typedef,
    EnumConst(i128),
    /// A name used without a declaration (implicit function declaration or a built-in).
    Implicit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Automatic variables, parameters, typedefs, enumeration constants, block-scope statics.
    None,
    Internal,
    External,
}

#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: Name,
    pub kind: SymKind,
    /// The composite type of all its declarations seen by the end of the unit.
    pub ty: Ty,
    pub linkage: Linkage,
    /// Declared at block scope (or in a prototype).
    pub local: bool,
    /// Static storage duration.
    pub is_static: bool,
    pub is_param: bool,
    /// `&x` occurs somewhere, or an array `x` decays anywhere but under `[]`; asm operands count too, and variables that
    /// a nested function uses.
    pub address_taken: bool,
    /// A definition with an initialiser, or a function body, is in this unit.
    pub defined: bool,
    /// At least one file-scope declaration without `extern` (a tentative definition) is in this unit.
    pub tentative: bool,
    /// A function: every declaration at file scope (there may be none yet) says `inline`, and none says `extern`, as in
    /// an inline definition (C11 6.7.4 p7); and it may be made `static`.
    pub inline_only: bool,
    /// The alignment asked for by attribute or `_Alignas`, else 0.
    pub align: u64,
    /// Unique among the symbols of the unit that share this name (0 for the first): `lower` uses it to name
    /// block-scope statics that it moves to file scope.
    pub serial: u32,
    pub decl: TokRange,
    /// A function: `asm("name")` and attributes of its first declaration that has a symbol, or else some; empty if none has.
    pub trailer: TokRange,
    /// The name comes from a system header or from Fathom's own headers.
    pub in_system_header: bool,
}

impl Symbol {
    /// An inline definition without an external one in this unit. C leaves calls of it to the external definition that
    /// another unit must have; here it serves its own unit, as if it were `static`.
    pub fn is_inline_definition(&self) -> bool {
        self.kind == SymKind::Function && self.inline_only && self.defined
    }
}

/// The typed tree's side tables.
pub struct Sema {
    pub types: Types,
    pub symbols: Vec<Symbol>,
    pub expr_ty: Vec<Ty>,
    pub expr_sym: Vec<Option<SymId>>,
    /// For expressions that designate shared objects: the access is strict.
    pub expr_strict: Vec<bool>,
    pub declarator_sym: Vec<Option<SymId>>,
    pub declarator_ty: Vec<Ty>,
    /// Dimensions of variable length behind pointers-to-shared, and of spread arrays: C that has only the pointer's word
    /// evaluates them where the pointer is declared (C11 6.7.6.2 p5). Ask [`Sema::dimensions_of`].
    kept_dimensions: HashSet<ExprId>,
    pub type_name_ty: Vec<Ty>,
    pub record_of_spec: Vec<Option<RecordId>>,
    pub enum_of_spec: Vec<Option<EnumId>>,
    /// For `_Generic` and `__builtin_choose_expr`: the chosen expression.
    pub chosen: HashMap<ExprId, ExprId>,
    /// Width in bits of the bit-fields that `Member` expressions name; ask [`Sema::bit_field`].
    bit_fields: HashMap<ExprId, u32>,
    /// By [`ExprId`]; ask [`Sema::stands_for`].
    stands_for: Vec<ExprId>,
    /// By [`ExprId`]; ask [`Sema::conversion`].
    conversions: Vec<conversions::Steps>,
    /// Type of the object that an initialiser list (or expression) initialises.
    pub init_ty: Vec<Ty>,
    /// By [`InitId`]: an expression in a list that initializes a part of an aggregate whose own braces were left out.
    pub init_unbraced: Vec<bool>,
    pub options: Options,
}

/// A size that may depend on THREADS in the dynamic environment: `bytes` or `bytes * THREADS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub bytes: u64,
    pub times_threads: bool,
}

// The functions that later passes ask, each documented where it is written:
//
// * here: `ty`, `rvalue_ty`; `conversions.rs`: `conversion`, `used_ty`, `stands_for`, `bit_field`,
//   `designates_shared`; `layout.rs`: `size_of`, `align_of`, `elem_size`, `elem_count`, `local_size`, `star_block`,
//   `field`; `consteval.rs`: `const_int`, `is_null_constant`; `print.rs`: `c_type`, `show`; `init.rs`: `string_chars`.

/// Types a translation unit and checks it. Recurses over the tree, which may be as high as
/// `fathom_syntax::parse::MAX_HEIGHT`: call it inside `fathom_syntax::on_deep_stack`.
pub fn check(parsed: &Parsed, options: Options) -> (Sema, Vec<Diag>) {
    // Attributes of GNU C: an access of one type may reach an object of any, and one variable may have two names.
    let text = &parsed.source.text;
    // Those of this project's headers are on types that the program does not name.
    let any_type =
        options.any_type || text.lines().any(|line| line.contains("may_alias") && !line.contains(" fathom_"));
    let names = |after: &str| {
        after.trim_start_matches('_').trim_start().strip_prefix('(').is_some_and(|x| x.trim_start().starts_with('"'))
    };
    let aliases = options.aliases || text.match_indices("alias").any(|(at, word)| names(&text[at + word.len()..]));
    let options = Options { any_type, aliases, ..options };
    let mut c = scope::Checker::new(parsed, options);
    for item in &parsed.unit.items {
        match item {
            Item::Fn(f) => c.fn_def(f),
            Item::Decl(d) => c.decl(*d),
            Item::Pragma(p, _) => c.strict = *p == UpcPragma::Strict,
            Item::StaticAssert(e, _) => c.static_assert(*e),
            Item::Asm(_) | Item::Empty(_) | Item::Error(_) => {}
        }
    }
    checks::c6_5::tentative(&mut c);
    (c.s, c.diags)
}

/// The headers of UPC libraries whose names the unit uses without a declaration, or before it, each with a warning at the
/// first use.
/// `found` is what [`check`] found in the unit.
pub fn missing_headers(parsed: &Parsed, sema: &Sema, found: &[Diag]) -> Vec<(&'static str, Diag)> {
    let mut missing: Vec<(&'static str, Diag)> = vec![];
    let mut uses: Vec<&Diag> = parsed.diags.iter().filter(|d| d.code == fathom_syntax::diag::UNKNOWN_TYPE).collect();
    uses.extend(found.iter().filter(|d| d.code == rules::LIBRARY_HEADER.code));
    uses.sort_by_key(|d| d.span.lo);
    for used in uses {
        let name = parsed.source.range_text(used.span);
        let Some(header) = fathom_syntax::library::header_of(name) else { continue };
        let named = |s: &Symbol| s.kind != SymKind::Implicit && parsed.source.name(s.name) == name;
        // Not if the program declares the name itself, even later; if the header does so later, it comes too late.
        let (mut own, mut late) = (false, false);
        for s in sema.symbols.iter().filter(|s| named(s)) {
            *if in_header(parsed, s.decl, header) { &mut late } else { &mut own } = true;
        }
        if missing.iter().all(|(m, _)| *m != header) && !own {
            let mut warning = without_header(name, header, used.span);
            if late {
                warning.message = format!("`{name}` is used before <{header}> is included");
            }
            missing.push((header, warning));
        }
    }
    missing
}

/// Does the text come from a file of this name?
fn in_header(parsed: &Parsed, at: TokRange, header: &str) -> bool {
    let Some(token) = parsed.source.tokens.get(at.lo as usize) else { return false };
    let file = parsed.source.files.get(parsed.source.place(token.lo).file as usize);
    file.is_some_and(|path| path.rsplit('/').next() == Some(header))
}

pub(crate) fn without_header(name: &str, header: &str, at: TokRange) -> Diag {
    let mut d = rules::LIBRARY_HEADER.diag(at, format!("`{name}` is used, but <{header}> is not included"));
    d.hint = Some(format!("write `#include <{header}>`"));
    d
}

impl Sema {
    /// The type of an expression before conversions; see `expr_ty`.
    pub fn ty(&self, e: ExprId) -> Ty {
        self.expr_ty[e.index()]
    }
    /// The type of its value: arrays and functions have become pointers, qualifiers are gone.
    pub fn rvalue_ty(&self, e: ExprId) -> Ty {
        self.types.decay(self.expr_ty[e.index()])
    }
}
