//! Syntax tree to typed tree: scopes, C types, shared types, and one check per constraint of the UPC specification.
//!
//! The typed tree is the syntax tree plus the side tables of [`Sema`], indexed by the tree's own ids. What they say:
//!
//! * `expr_ty[e]` is the type of expression `e` **before** lvalue, array and function conversions, qualifiers
//!   included: for `shared [4] int a[4*THREADS]`, `a` has the array type, `a[i]` has type `shared [4] int`, and
//!   `a + 1` has type `shared [4] int *`. The type of the value after the conversions is [`Sema::rvalue_ty`].
//! * An expression that designates a shared object has a shared `expr_ty`; reading or writing it is a shared access,
//!   strict if `expr_strict` holds the expression.
//! * `expr_sym[e]` is the symbol of an `Ident`. `declarator_sym` and `declarator_ty` are those of declarators.
//! * `s.m` of a shared struct has a type `shared []` T (6.4.4 p1: `&s.m` is a pointer with indefinite block size).
//! * Types it does not know (exotic built-ins) are `Ty::ERROR`, silently: private C is judged by the C compiler.
//!
//! `sema` does no I/O, changes no tree, never panics.

pub mod types;

use fathom_syntax::ast::*;
use fathom_syntax::token::{Name, TokRange};
use fathom_syntax::{Diag, Options, Source};
use std::collections::HashMap;
pub use types::*;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// `&x` occurs somewhere, or an array `x` decays anywhere but under `[]`; asm operands count too.
    pub address_taken: bool,
    /// A definition with an initialiser, or a function body, is in this unit.
    pub defined: bool,
    /// At least one file-scope declaration without `extern` (a tentative definition) is in this unit.
    pub tentative: bool,
    /// The alignment asked for by attribute or `_Alignas`, else 0.
    pub align: u64,
    /// Unique among the symbols of the unit that share this name (0 for the first): `lower` uses it to name
    /// block-scope statics that it moves to file scope.
    pub serial: u32,
    pub decl: TokRange,
    /// The name comes from a system header or from Fathom's own headers.
    pub in_system_header: bool,
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
    pub type_name_ty: Vec<Ty>,
    pub record_of_spec: Vec<Option<RecordId>>,
    pub enum_of_spec: Vec<Option<EnumId>>,
    /// For `_Generic`: the chosen association's expression.
    pub generic_choice: HashMap<ExprId, ExprId>,
    /// Type of the object that an initialiser list (or expression) initialises.
    pub init_ty: Vec<Ty>,
    pub options: Options,
}

/// A size that may depend on THREADS in the dynamic environment: `bytes` or `bytes * THREADS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub bytes: u64,
    pub times_threads: bool,
}

// The functions below are the whole of what later passes ask; each is documented where it is written.
//
// impl Sema {
//     pub fn ty(&self, e: ExprId) -> Ty;                      // expr_ty
//     pub fn rvalue_ty(&mut self, e: ExprId) -> Ty;           // after lvalue, array and function conversion
//     pub fn size_of(&self, t: Ty) -> Option<Size>;           // None: incomplete, VLA or unknown
//     pub fn align_of(&self, t: Ty) -> u64;
//     pub fn elem_size(&self, t: Ty) -> u64;                  // bytes of the ultimate element type; 1 for void
//     pub fn local_size(&self, t: Ty) -> Option<u64>;         // upc_localsizeof: bytes per thread, an upper bound
//     pub fn const_int(&self, p: &Parsed, e: ExprId) -> Option<i128>;   // integer constant expression
//     pub fn is_null_constant(&self, p: &Parsed, e: ExprId) -> bool;
//     pub fn field(&self, r: RecordId, name: Name) -> Option<(Field, u64)>; // through anonymous members: field, offset
//     pub fn c_type(&self, p: &Parsed, t: Ty, name: &str) -> String;    // C declaration text, see below
// }
//
// `c_type(t, "x")` prints the C declaration of `x` with type `t` **as the generated code has it**: a pointer-to-shared
// prints as `fathom_ptr` (phaseless) or `fathom_pptr`, shared/strict/relaxed vanish, const/volatile/restrict stay where
// they are not on a shared type. `c_type(t, "")` is the abstract form, for casts. Arrays of Threads(n) never reach it.
//
// pub fn check(parsed: &Parsed, options: Options) -> (Sema, Vec<Diag>);
#[allow(unused_imports)]
use Diag as _;
#[allow(unused_imports)]
use Source as _;
