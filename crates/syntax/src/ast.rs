//! The syntax tree.
//!
//! Every node lives in an arena of [`Unit`] and is named by a small index. A node knows the range of tokens it
//! was parsed from (`toks`); the text between two tokens (white space, comments, line markers, pragmas that are
//! not UPC's) stays in the source buffer, so that a node which no pass touches can be printed exactly as it came.
//!
//! The tree knows no types. The parser keeps a table of typedef names, because C cannot be parsed without one,
//! and nothing more.
//!
//! Declarators are flattened: `derivs[0]` is the derivation nearest to the name. `int *(*f[3])(char)` has the
//! specifier `int`, the name `f` and the derivations `Array(3), Pointer, Function(char), Pointer`. The type of a
//! declarator is built by applying the derivations to the specifiers' type from the last to the first.

use crate::token::{Name, TokRange};

macro_rules! ids {
    ($($(#[$m:meta])* $id:ident),*) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $id(pub u32);
        impl $id { pub fn index(self) -> usize { self.0 as usize } }
    )*};
}
ids!(
    /// Index into [`Unit::exprs`].
    ExprId,
    /// Index into [`Unit::stmts`].
    StmtId,
    /// Index into [`Unit::decls`].
    DeclId,
    /// Index into [`Unit::declarators`].
    DeclaratorId,
    /// Index into [`Unit::type_names`].
    TypeNameId,
    /// Index into [`Unit::records`].
    RecordSpecId,
    /// Index into [`Unit::enums`].
    EnumSpecId,
    /// Index into [`Unit::inits`].
    InitId
);

/// A translation unit: the arenas and the list of external declarations.
#[derive(Default, Debug)]
pub struct Unit {
    pub items: Vec<Item>,
    pub exprs: Vec<Expr>,
    pub stmts: Vec<Stmt>,
    pub decls: Vec<Decl>,
    pub declarators: Vec<Declarator>,
    pub type_names: Vec<TypeName>,
    pub records: Vec<RecordSpec>,
    pub enums: Vec<EnumSpec>,
    pub inits: Vec<Init>,
}

macro_rules! arena {
    ($($id:ident $t:ty, $field:ident);* $(;)?) => {$(
        impl std::ops::Index<$id> for Unit {
            type Output = $t;
            fn index(&self, id: $id) -> &$t { &self.$field[id.index()] }
        }
        impl std::ops::IndexMut<$id> for Unit {
            fn index_mut(&mut self, id: $id) -> &mut $t { &mut self.$field[id.index()] }
        }
    )*};
}
arena!(ExprId Expr, exprs; StmtId Stmt, stmts; DeclId Decl, decls; DeclaratorId Declarator, declarators;
       TypeNameId TypeName, type_names; RecordSpecId RecordSpec, records; EnumSpecId EnumSpec, enums; InitId Init, inits);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpcPragma {
    Strict,
    Relaxed,
}

#[derive(Debug)]
pub enum Item {
    Fn(FnDef),
    Decl(DeclId),
    /// `#pragma upc …` outside external declarations; the token is the pragma.
    Pragma(UpcPragma, TokRange),
    /// File-scope `asm("…");`
    Asm(TokRange),
    StaticAssert(ExprId, TokRange),
    /// A stray `;`.
    Empty(TokRange),
    /// Tokens that could not be parsed; an error has been reported.
    Error(TokRange),
}

#[derive(Debug)]
pub struct FnDef {
    pub specs: DeclSpecs,
    /// `derivs[0]` is the `Function` derivation of the definition itself.
    pub declarator: DeclaratorId,
    /// Parameter declarations of a K&R definition.
    pub kr_decls: Vec<DeclId>,
    /// Always a `Compound`.
    pub body: StmtId,
    pub toks: TokRange,
}

/// `specs declarator = init, declarator = init;`
#[derive(Debug)]
pub struct Decl {
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
    /// Includes the `;`.
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: DeclaratorId,
    /// `asm("name")` and attributes after the declarator, before `=`; empty range if none.
    pub trailer: TokRange,
    pub attrs: Vec<Attr>,
    pub init: Option<InitId>,
    /// Declarator, trailer and initialiser, without the comma.
    pub toks: TokRange,
}

/// Declaration specifiers (or specifier-qualifier list), in source order.
#[derive(Default, Debug, Clone)]
pub struct DeclSpecs {
    pub items: Vec<Spec>,
    pub toks: TokRange,
}

#[derive(Debug, Clone)]
pub struct Spec {
    pub kind: SpecKind,
    pub toks: TokRange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
    ThreadLocal,
}

/// Type keywords, all spellings folded (`__signed__` is `Signed`). `Word` is any other built-in type name
/// (`__int128`, `_Float128`, `__builtin_va_list`, …), identified by its spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKw {
    Void,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Bool,
    Complex,
    Imaginary,
    /// `__auto_type`
    AutoType,
    Word(Name),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Qual {
    Const,
    Volatile,
    Restrict,
    Atomic,
    Strict,
    Relaxed,
    /// Split-C: after `*`.
    Global,
    Spread,
}

/// The assignments of Split-C that do not wait for their data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitOp {
    /// `:=`, a get or put, complete after `sync()`.
    Start,
    /// `:-`, a store, which the receiver can wait for.
    Store,
}

/// The layout qualifier after `shared`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// `shared`
    None,
    /// `shared []`
    Empty,
    /// `shared [*]`
    Star,
    /// `shared [expr]`
    Expr(ExprId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum SpecKind {
    Storage(Storage),
    Type(TypeKw),
    TypedefName(Name),
    Record(RecordSpecId),
    Enum(EnumSpecId),
    TypeofExpr(ExprId),
    TypeofType(TypeNameId),
    /// `_Atomic(type)`
    AtomicType(TypeNameId),
    Qual(Qual),
    Shared(Layout),
    Inline,
    Noreturn,
    Extension,
    AlignasExpr(ExprId),
    AlignasType(TypeNameId),
    Attr(Vec<Attr>),
}

/// One attribute of an `__attribute__((…))` list.
#[derive(Clone, PartialEq, Debug)]
pub struct Attr {
    /// Without the surrounding underscores: `__packed__` is `packed`.
    pub name: Name,
    /// Arguments that parse as expressions (`aligned(16)`, `vector_size(16)`, `mode(DI)` as an identifier).
    pub args: Vec<ExprId>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct Declarator {
    /// `None` in an abstract declarator. The second field is the index of the name's token.
    pub name: Option<(Name, u32)>,
    /// From the name outwards.
    pub derivs: Vec<Deriv>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub enum Deriv {
    /// `* quals`
    Pointer {
        quals: Vec<Spec>,
        toks: TokRange,
    },
    /// `[static quals size]`
    Array {
        quals: Vec<Spec>,
        is_static: bool,
        size: ArraySize,
        toks: TokRange,
    },
    /// Split-C: `::`, between the dimensions over processors and those of a block.
    Spread {
        toks: TokRange,
    },
    Function {
        params: Params,
        toks: TokRange,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(ExprId),
}

#[derive(Debug)]
pub enum Params {
    /// `()`
    Empty,
    /// `(void)` is `Proto` with no parameters.
    Proto { params: Vec<Param>, variadic: bool },
    /// `(a, b, c)` of an old-style definition.
    Kr(Vec<(Name, u32)>),
}

#[derive(Debug)]
pub struct Param {
    pub specs: DeclSpecs,
    pub declarator: DeclaratorId,
    pub attrs: Vec<Attr>,
    pub toks: TokRange,
}

/// A type name, as in a cast.
#[derive(Debug)]
pub struct TypeName {
    pub specs: DeclSpecs,
    pub declarator: DeclaratorId,
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Name>,
    /// `None` for a mere reference `struct S`.
    pub members: Option<Vec<Member>>,
    pub attrs: Vec<Attr>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub enum Member {
    Field(FieldDecl),
    StaticAssert(ExprId, TokRange),
    Empty(TokRange),
}

#[derive(Debug)]
pub struct FieldDecl {
    pub specs: DeclSpecs,
    /// Empty for an anonymous struct or union member.
    pub declarators: Vec<FieldDeclarator>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct FieldDeclarator {
    pub declarator: DeclaratorId,
    pub width: Option<ExprId>,
    pub attrs: Vec<Attr>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Name>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attrs: Vec<Attr>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Name,
    pub value: Option<ExprId>,
    pub toks: TokRange,
}

#[derive(Debug)]
pub struct Init {
    pub kind: InitKind,
    pub toks: TokRange,
}

#[derive(Debug)]
pub enum InitKind {
    Expr(ExprId),
    List(Vec<InitItem>),
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub init: InitId,
}

#[derive(Clone, Copy, Debug)]
pub enum Designator {
    Field(Name),
    Index(ExprId),
    /// `[lo ... hi]`
    Range(ExprId, ExprId),
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub toks: TokRange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    Real,
    Imag,
    /// `__extension__ e`
    Extension,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeofKind {
    Sizeof,
    Alignof,
    UpcLocalsizeof,
    UpcBlocksizeof,
    UpcElemsizeof,
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Name),
    Threads,
    MyThread,
    /// Integer or floating constant; the spelling is the token's.
    Number,
    Char,
    /// One or more adjacent string literals (and `__func__`-like names are `Ident`).
    Str,
    Paren(ExprId),
    Index(ExprId, ExprId),
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    Member {
        base: ExprId,
        name: Name,
        arrow: bool,
    },
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    /// `l = r`, or `l op= r`.
    Assign(Option<BinOp>, ExprId, ExprId),
    /// Split-C: `l := r`, `l :- r`.
    Split(SplitOp, ExprId, ExprId),
    /// The middle operand is absent in GNU `a ?: b`.
    Cond(ExprId, Option<ExprId>, ExprId),
    Comma(ExprId, ExprId),
    Cast(TypeNameId, ExprId),
    CompoundLit(TypeNameId, InitId),
    SizeofExpr(SizeofKind, ExprId),
    SizeofType(SizeofKind, TypeNameId),
    Generic {
        control: ExprId,
        assocs: Vec<(Option<TypeNameId>, ExprId)>,
    },
    /// `({ … })`
    StmtExpr(StmtId),
    /// `&&label`
    LabelAddr(Name),
    VaArg(ExprId, TypeNameId),
    Offsetof(TypeNameId, Vec<Designator>),
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(ExprId, ExprId, ExprId),
    /// `__builtin_convertvector(e, type)`, and clang's `__builtin_bit_cast(type, e)`: the value has the type.
    ConvertVector(ExprId, TypeNameId),
    /// Could not be parsed; an error has been reported.
    Error,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub toks: TokRange,
}

#[derive(Debug)]
pub enum BlockItem {
    Stmt(StmtId),
    Decl(DeclId),
    /// GNU nested function.
    Fn(Box<FnDef>),
    /// `#pragma upc …` inside a compound statement.
    Pragma(UpcPragma, TokRange),
    /// `__label__ a, b;`
    LocalLabels(Vec<Name>, TokRange),
    StaticAssert(ExprId, TokRange),
}

#[derive(Debug)]
pub enum ForInit {
    None,
    Expr(ExprId),
    Decl(DeclId),
}

#[derive(Clone, Copy, Debug)]
pub enum Affinity {
    /// No affinity field: `upc_forall (a; b; c;)`.
    None,
    Continue(TokRange),
    Expr(ExprId),
}

/// An operand of inline assembly.
#[derive(Debug)]
pub struct AsmOperand {
    pub expr: ExprId,
    /// An input that its constraint lets stand in a register or in the instruction: only its value is needed. The
    /// others are objects, which the assembly reaches by their addresses.
    pub by_value: bool,
}

#[derive(Debug)]
pub enum StmtKind {
    /// `expr;` or `;`
    Expr(Option<ExprId>),
    Compound(Vec<BlockItem>),
    If {
        cond: ExprId,
        then: StmtId,
        els: Option<StmtId>,
    },
    Switch {
        cond: ExprId,
        body: StmtId,
    },
    While {
        cond: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    For {
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    Forall {
        init: ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: Affinity,
        body: StmtId,
    },
    Goto(Name),
    /// `goto *e;`
    GotoComputed(ExprId),
    Continue,
    Break,
    Return(Option<ExprId>),
    Label(Name, StmtId),
    /// `case lo:` or `case lo ... hi:`
    Case(ExprId, Option<ExprId>, StmtId),
    Default(StmtId),
    /// Inline assembly; the operands in order.
    Asm(Vec<AsmOperand>),
    Notify(Option<ExprId>),
    Wait(Option<ExprId>),
    Barrier(Option<ExprId>),
    Fence,
    /// A declaration where only a statement may stand (after a label or `case`, as C23 and gcc allow).
    Decl(DeclId),
    Error,
}
