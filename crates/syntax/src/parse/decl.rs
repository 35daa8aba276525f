//! External declarations, function definitions, declaration specifiers.

use super::scope::NameKind;
use super::Parser;
use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::{keyword, Kw};
use crate::lex::Punct::*;
use crate::token::{Name, TokKind, TokRange};
use crate::Dialect;

/// Where specifiers stand, which decides what a name without a type may mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclContext {
    External,
    Block,
    /// The declarations of an old-style definition's parameters.
    KrParam,
    Param,
    Member,
    TypeName,
}

/// Declaration specifiers, and what the parser must know of them.
pub(super) struct Specs {
    pub specs: DeclSpecs,
    /// There is a type specifier.
    pub typed: bool,
    pub typedef: bool,
}

pub(super) enum DeclOrFn {
    Decl(DeclId),
    Fn(FnDef),
    /// Not a declaration; reported and skipped.
    Bad(TokRange),
}

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) {
        while self.kind != TokKind::Eof {
            let lo = self.pos;
            self.deep_reported = false;
            self.height = 0;
            let item = self.external();
            self.unit.items.push(item);
            if self.pos == lo {
                self.bump(); // never twice at the same place
            }
        }
    }

    fn external(&mut self) -> Item {
        let lo = self.pos;
        match self.kind {
            TokKind::PragmaStrict | TokKind::PragmaRelaxed => {
                let p = self.take_pragma();
                return Item::Pragma(p, self.since(lo));
            }
            TokKind::Punct(Semi) => {
                self.bump();
                return Item::Empty(self.since(lo));
            }
            TokKind::Punct(RBrace) => {
                let d = Diag::error("S0113", self.here(), "`}` without a `{` before it").label("no `{` to close");
                self.report(d);
                self.bump();
                return Item::Error(self.since(lo));
            }
            TokKind::Keyword => match self.kw_after_extensions() {
                Kw::Asm => {
                    while self.eat_kw(Kw::Extension) {}
                    self.asm();
                    return Item::Asm(self.since(lo));
                }
                Kw::StaticAssert => {
                    let e = self.static_assert();
                    return Item::StaticAssert(e, self.since(lo));
                }
                _ => {}
            },
            _ => {}
        }
        match self.decl_or_fn(DeclContext::External) {
            DeclOrFn::Decl(d) => Item::Decl(d),
            DeclOrFn::Fn(f) => Item::Fn(f),
            DeclOrFn::Bad(r) => Item::Error(r),
        }
    }

    /// The first keyword here that is not `__extension__`.
    pub(super) fn kw_after_extensions(&self) -> Kw {
        let mut i = self.pos;
        while self.kw_at(i) == Kw::Extension {
            i = self.next_index(i);
        }
        self.kw_at(i)
    }

    /// `_Static_assert(e, "…");`
    pub(super) fn static_assert(&mut self) -> ExprId {
        while self.eat_kw(Kw::Extension) {}
        self.bump();
        let open = self.pos;
        let mut e = None;
        if self.expect(LParen, "(") {
            e = Some(self.cond());
            if self.eat(Comma) {
                while self.kind == TokKind::Str {
                    self.bump();
                }
            }
            self.expect_close(RParen, ")", open);
        }
        self.semi("a static assertion");
        e.unwrap_or_else(|| self.error_expr())
    }

    /// A declaration with its `;`, or a function definition.
    pub(super) fn decl_or_fn(&mut self, context: DeclContext) -> DeclOrFn {
        let lo = self.pos;
        let Specs { specs, typed, typedef } = self.decl_specs(context);
        let mut declarators = vec![];
        if self.at(Semi) && !specs.items.is_empty() {
            self.bump();
            return DeclOrFn::Decl(self.decl_node(Decl { specs, declarators, toks: self.since(lo) }));
        }
        if specs.items.is_empty() && !(self.kind == TokKind::Ident || self.at(Star) || self.at(LParen)) {
            self.expected("S0103", "a declaration");
            self.skip_external();
            return DeclOrFn::Bad(self.since(lo));
        }
        if self.at(RBrace) || self.kind == TokKind::Eof {
            self.semi("a declaration");
            return DeclOrFn::Decl(self.decl_node(Decl { specs, declarators, toks: self.since(lo) }));
        }
        loop {
            let dlo = self.pos;
            let mut attrs = if declarators.is_empty() { vec![] } else { self.attrs() };
            let declarator = self.declarator();
            if !typed {
                self.warn_implicit_int(declarator);
            }
            let (trailer, more) = self.trailer();
            attrs.extend(more);
            if let Some(Deriv::Function { params, .. }) = self.unit[declarator].derivs.first() {
                let kr = matches!(params, Params::Kr(_));
                if declarators.is_empty() && (self.at(LBrace) || kr && self.starts_decl()) {
                    return DeclOrFn::Fn(self.fn_def(lo, specs, declarator));
                }
                if kr {
                    self.warn_identifier_list(declarator);
                }
            }
            self.declare(declarator, typedef);
            let init = if self.at(Assign) {
                self.bump();
                Some(self.init())
            } else {
                None
            };
            declarators.push(InitDeclarator { declarator, trailer, attrs, init, toks: self.since(dlo) });
            if !self.eat(Comma) {
                break;
            }
        }
        self.semi("a declaration");
        DeclOrFn::Decl(self.decl_node(Decl { specs, declarators, toks: self.since(lo) }))
    }

    /// From after the declarator on: parameter declarations of an old-style definition, and the body.
    fn fn_def(&mut self, lo: u32, specs: DeclSpecs, declarator: DeclaratorId) -> FnDef {
        self.declare(declarator, false);
        let mark = self.scopes.open();
        if let Some(Deriv::Function { params, .. }) = self.unit.declarators[declarator.index()].derivs.first() {
            match params {
                Params::Proto { params, .. } => {
                    for p in params {
                        if let Some((n, _)) = self.unit.declarators[p.declarator.index()].name {
                            self.scopes.declare(n, NameKind::Other);
                        }
                    }
                }
                Params::Kr(names) => {
                    for &(n, _) in names {
                        self.scopes.declare(n, NameKind::Other);
                    }
                }
                Params::Empty => {}
            }
        }
        let mut kr_decls = vec![];
        while !self.at(LBrace) && self.kind != TokKind::Eof {
            self.no_pragma();
            let at = self.pos;
            if !self.starts_decl() {
                self.expected("S0101", "the function's body");
                self.skip_statement();
                break;
            }
            if let DeclOrFn::Decl(d) = self.decl_or_fn(DeclContext::KrParam) {
                kr_decls.push(d);
            }
            if self.pos == at {
                break;
            }
        }
        let body = self.compound();
        self.scopes.close(mark);
        FnDef { specs, declarator, kr_decls, body, toks: self.since(lo) }
    }

    /// Enters the declarator's name into the scope at hand.
    pub(super) fn declare(&mut self, d: DeclaratorId, typedef: bool) {
        if let Some((n, _)) = self.unit.declarators[d.index()].name {
            self.scopes.declare(n, if typedef { NameKind::Typedef } else { NameKind::Other });
        }
    }

    #[cold]
    pub(super) fn warn_implicit_int(&mut self, d: DeclaratorId) {
        let d = &self.unit[d];
        let Some((n, tok)) = d.name else { return };
        // Split-C leaves the type of its result open.
        if self.dialect == Dialect::SplitC && self.names.str(n) == "splitc_main" {
            return;
        }
        let what = match d.derivs.first() {
            Some(Deriv::Function { .. }) => "return type of",
            _ => "type of",
        };
        let message = format!("{what} `{}` defaults to `int`", self.names.str(n));
        let at = TokRange { lo: tok, hi: tok + 1 };
        self.report(Diag::warning("S0112", at, message).hint("write the type"));
    }

    #[cold]
    fn warn_identifier_list(&mut self, d: DeclaratorId) {
        let at = self.unit[d].toks;
        self.report(
            Diag::warning("S0117", at, "parameter names without types in a function declaration")
                .hint("write the parameters' types; if these names are types, declare them before"),
        );
    }

    // ---- specifiers ----

    /// Whether a declaration starts at the token at hand.
    #[inline]
    pub(super) fn starts_decl(&self) -> bool {
        self.starts_decl_at(self.pos)
    }

    pub(super) fn starts_decl_at(&self, i: u32) -> bool {
        match self.kw_at(i) {
            Kw::Auto | Kw::Extern | Kw::Register | Kw::Static | Kw::Typedef | Kw::Inline | Kw::Noreturn => true,
            Kw::Alignas | Kw::ThreadLocal | Kw::StaticAssert => true,
            Kw::Extension => {
                let mut j = i;
                while self.kw_at(j) == Kw::Extension {
                    j = self.next_index(j);
                }
                self.starts_decl_at(j)
            }
            _ => self.starts_type_at(i),
        }
    }

    /// Whether a type name starts at the token at hand.
    #[inline]
    pub(super) fn starts_type(&self) -> bool {
        self.starts_type_at(self.pos)
    }

    #[inline]
    pub(super) fn starts_type_at(&self, i: u32) -> bool {
        let t = &self.toks[i as usize];
        match t.kind {
            TokKind::Ident => self.scopes.kind(t.name) != NameKind::Other,
            TokKind::Keyword => keyword(t.name.0).starts_type(),
            _ => false,
        }
    }

    /// Declaration specifiers, or the specifiers and qualifiers of a member or a type name.
    pub(super) fn decl_specs(&mut self, context: DeclContext) -> Specs {
        let lo = self.pos;
        let mut items = Vec::with_capacity(2);
        let (mut typed, mut typedef) = (false, false);
        loop {
            let at = self.pos;
            let kind = match self.kind {
                TokKind::Ident if typed => break,
                TokKind::Ident => {
                    let n = self.tok().name;
                    match self.scopes.kind(n) {
                        NameKind::Typedef => {
                            self.bump();
                            typed = true;
                            SpecKind::TypedefName(n)
                        }
                        NameKind::Builtin => {
                            self.bump();
                            typed = true;
                            SpecKind::Type(TypeKw::Word(n))
                        }
                        NameKind::Other => {
                            if !self.is_unknown_type(context, items.is_empty()) {
                                break;
                            }
                            self.unknown_type(n);
                            typed = true;
                            SpecKind::Type(TypeKw::Int)
                        }
                    }
                }
                TokKind::Keyword => match self.keyword_spec(&mut typed, &mut typedef) {
                    Some(k) => k,
                    None => break,
                },
                TokKind::Punct(LBracket) if items.is_empty() && self.at_std_attr() => {
                    self.skip_balanced();
                    SpecKind::Attr(vec![])
                }
                _ => break,
            };
            items.push(Spec { kind, toks: self.since(at) });
        }
        let toks = if items.is_empty() { TokRange { lo, hi: lo } } else { self.since(lo) };
        Specs { specs: DeclSpecs { items, toks }, typed, typedef }
    }

    /// The specifier that the keyword at hand makes, if it makes one.
    fn keyword_spec(&mut self, typed: &mut bool, typedef: &mut bool) -> Option<SpecKind> {
        let ty = |t| (SpecKind::Type(t), true);
        let st = |s| (SpecKind::Storage(s), false);
        let (kind, is_type) = match self.kw() {
            Kw::Typedef => {
                *typedef = true;
                st(Storage::Typedef)
            }
            Kw::Extern => st(Storage::Extern),
            Kw::Static => st(Storage::Static),
            Kw::Auto => st(Storage::Auto),
            Kw::Register => st(Storage::Register),
            Kw::ThreadLocal => st(Storage::ThreadLocal),
            Kw::Inline => (SpecKind::Inline, false),
            Kw::Noreturn => (SpecKind::Noreturn, false),
            Kw::Extension => (SpecKind::Extension, false),
            Kw::Void => ty(TypeKw::Void),
            Kw::Char => ty(TypeKw::Char),
            Kw::Short => ty(TypeKw::Short),
            Kw::Int => ty(TypeKw::Int),
            Kw::Long => ty(TypeKw::Long),
            Kw::Float => ty(TypeKw::Float),
            Kw::Double => ty(TypeKw::Double),
            Kw::Signed => ty(TypeKw::Signed),
            Kw::Unsigned => ty(TypeKw::Unsigned),
            Kw::Bool => ty(TypeKw::Bool),
            Kw::Int128 => ty(TypeKw::Word(self.tok().name)),
            Kw::AutoType => ty(TypeKw::AutoType),
            // `_Complex _Float64`: a type may follow that is not a keyword.
            Kw::Complex => (SpecKind::Type(TypeKw::Complex), self.complex_is_alone()),
            Kw::Imaginary => (SpecKind::Type(TypeKw::Imaginary), self.complex_is_alone()),
            Kw::Struct | Kw::Union => {
                *typed = true;
                return Some(self.record_spec());
            }
            Kw::Enum => {
                *typed = true;
                return Some(self.enum_spec());
            }
            Kw::Typeof => {
                *typed = true;
                return Some(self.typeof_spec());
            }
            Kw::Alignas => return Some(self.alignas_spec()),
            Kw::Atomic if self.punct_at(self.ahead(1), LParen) => {
                *typed = true;
                self.bump();
                let open = self.pos;
                self.bump();
                let t = self.type_name();
                self.expect_close(RParen, ")", open);
                return Some(SpecKind::AtomicType(t));
            }
            _ => return self.qualifier(),
        };
        self.bump();
        *typed |= is_type;
        Some(kind)
    }

    /// `_Complex` not followed by a built-in type name.
    fn complex_is_alone(&self) -> bool {
        let t = &self.toks[self.ahead(1) as usize];
        !(t.kind == TokKind::Ident && self.scopes.kind(t.name) != NameKind::Other)
    }

    /// A type qualifier or an attribute: what may stand after `*`, inside `[ ]`, and among specifiers.
    pub(super) fn qualifier(&mut self) -> Option<SpecKind> {
        let q = match self.kw() {
            Kw::Const => Qual::Const,
            Kw::Volatile => Qual::Volatile,
            Kw::Restrict => Qual::Restrict,
            Kw::Atomic => Qual::Atomic,
            Kw::Strict => Qual::Strict,
            Kw::Relaxed => Qual::Relaxed,
            Kw::Global => Qual::Global,
            Kw::Spread => Qual::Spread,
            Kw::Shared => return Some(self.shared_qualifier()),
            Kw::Attribute => {
                let mut v = vec![];
                self.attr_group(&mut v);
                return Some(SpecKind::Attr(v));
            }
            _ => return None,
        };
        self.bump();
        Some(SpecKind::Qual(q))
    }

    fn typeof_spec(&mut self) -> SpecKind {
        self.bump();
        let open = self.pos;
        let Some(saved) = self.enter() else {
            return SpecKind::TypeofExpr(self.error_expr());
        };
        let mut kind = None;
        if self.expect(LParen, "(") {
            kind = Some(if self.starts_type() {
                SpecKind::TypeofType(self.type_name())
            } else {
                SpecKind::TypeofExpr(self.expr())
            });
            self.expect_close(RParen, ")", open);
        }
        self.leave(saved);
        kind.unwrap_or_else(|| SpecKind::TypeofExpr(self.error_expr()))
    }

    fn alignas_spec(&mut self) -> SpecKind {
        self.bump();
        let open = self.pos;
        if !self.expect(LParen, "(") {
            return SpecKind::AlignasExpr(self.error_expr());
        }
        let kind = if self.starts_type() {
            SpecKind::AlignasType(self.type_name())
        } else {
            SpecKind::AlignasExpr(self.cond())
        };
        self.expect_close(RParen, ")", open);
        kind
    }

    /// Whether the identifier at hand, which does not name a type, stands where only a type can.
    fn is_unknown_type(&self, context: DeclContext, first: bool) -> bool {
        let next = self.ahead(1);
        match self.kind_at(next) {
            TokKind::Ident => true,
            TokKind::Punct(Star) => context != DeclContext::TypeName,
            TokKind::Keyword => {
                self.starts_decl_at(next) && self.kw_at(next) != Kw::Attribute && context != DeclContext::TypeName
            }
            _ => context == DeclContext::Param && first,
        }
    }

    #[cold]
    fn unknown_type(&mut self, n: Name) {
        let s = self.names.str(n);
        let header = match s {
            "size_t" | "ptrdiff_t" | "wchar_t" => "stddef.h",
            "bool" => "stdbool.h",
            "FILE" => "stdio.h",
            "va_list" => "stdarg.h",
            "ssize_t" | "off_t" | "pid_t" => "sys/types.h",
            "upc_lock_t" | "upc_flag_t" => "upc.h",
            "upc_op_t" => "upc_types.h",
            _ if s.ends_with("_t") && (s.starts_with("int") || s.starts_with("uint")) => "stdint.h",
            _ => crate::library::header_of(s).unwrap_or(""),
        };
        let hint = match header {
            "" => "declare it with `typedef` before".to_string(),
            h => format!("`#include <{h}>` declares it"),
        };
        let d = Diag::error(crate::diag::UNKNOWN_TYPE, self.here(), format!("unknown type name `{s}`"))
            .label("not a type")
            .hint(hint);
        self.report(d);
        self.bump();
    }
}
