//! Declarators, parameter lists and type names. The tree has declarators flattened, from the name outwards.

use super::decl::{DeclContext, Specs};
use super::scope::NameKind;
use super::{Parser, MAX_NESTING};
use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::Kw;
use crate::lex::Punct::*;
use crate::token::{Name, TokKind, TokRange};
use crate::Dialect;

/// Whether a declarator must, may or must not have a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Named,
    Either,
    Abstract,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> DeclaratorId {
        self.declarator_of(Form::Named)
    }

    fn declarator_of(&mut self, form: Form) -> DeclaratorId {
        let lo = self.pos;
        let (mut name, mut derivs) = (None, vec![]);
        self.declarator_part(form, &mut name, &mut derivs);
        if derivs.len() > MAX_NESTING as usize {
            derivs.truncate(MAX_NESTING as usize);
            let at = self.since(lo);
            self.report(Diag::error("S0108", at, format!("a declarator of more than {MAX_NESTING} derivations")));
        }
        let toks = if self.pos > lo { self.since(lo) } else { TokRange { lo, hi: lo } };
        self.declarator_node(Declarator { name, derivs, toks })
    }

    fn declarator_node(&mut self, d: Declarator) -> DeclaratorId {
        let id = DeclaratorId(self.unit.declarators.len() as u32);
        self.unit.declarators.push(d);
        id
    }

    fn declarator_part(&mut self, form: Form, name: &mut Option<(Name, u32)>, derivs: &mut Vec<Deriv>) {
        let mut pointers = vec![];
        while self.at(Star) {
            let lo = self.pos;
            self.bump();
            let quals = self.qualifiers();
            pointers.push(Deriv::Pointer { quals, toks: self.since(lo) });
        }
        match self.kind {
            TokKind::Ident if form != Form::Abstract => *name = self.ident(),
            TokKind::Punct(LParen) if form == Form::Named || !self.paren_is_params() => {
                if let Some(saved) = self.enter() {
                    let open = self.pos;
                    self.bump();
                    self.attrs();
                    self.declarator_part(form, name, derivs);
                    if !self.at(RParen) {
                        self.missing_paren(open);
                        self.skip_to_close();
                    }
                    self.expect_close(RParen, ")", open);
                    self.leave(saved);
                }
            }
            _ if form == Form::Named => self.missing_name(),
            _ => {}
        }
        if self.at_std_attr() {
            self.attrs();
        }
        loop {
            let d = match self.kind {
                TokKind::Punct(LBracket) => self.array(),
                TokKind::Punct(LParen) => self.params(),
                TokKind::Punct(Colon) if self.at_spread(derivs) => {
                    let lo = self.pos;
                    self.bump();
                    self.bump();
                    Deriv::Spread { toks: self.since(lo) }
                }
                _ => break,
            };
            derivs.push(d);
        }
        derivs.extend(pointers.into_iter().rev());
    }

    /// At a `:`: is it Split-C's `::` after dimensions? An array has one.
    fn at_spread(&self, derivs: &[Deriv]) -> bool {
        let mut dimensions =
            derivs.iter().rev().take_while(|d| matches!(d, Deriv::Array { .. } | Deriv::Spread { .. }));
        self.dialect == Dialect::SplitC
            && self.adjoins(self.pos)
            && self.punct_at(self.pos + 1, Colon)
            && matches!(derivs.last(), Some(Deriv::Array { .. }))
            && !dimensions.any(|d| matches!(d, Deriv::Spread { .. }))
    }

    #[cold]
    fn missing_paren(&mut self, open: u32) {
        let d = Diag::error("S0107", self.here(), format!("expected `)` in a declarator, found {}", self.found_text()))
            .note(TokRange { lo: open, hi: open + 1 }, "opened here");
        self.report(d);
    }

    #[cold]
    fn missing_name(&mut self) {
        let d = Diag::error("S0101", self.here(), format!("expected a name, found {}", self.found_text()))
            .label("expected the name that is declared");
        let d = match self.kw() {
            Kw::Threads | Kw::MyThread if self.dialect == Dialect::SplitC => d.hint("this is a keyword of Split-C"),
            Kw::Threads | Kw::MyThread => d.hint("this is a keyword of UPC").clause("UPC 1.3, 6.2 p3"),
            Kw::Shared | Kw::Strict | Kw::Relaxed => d.hint("this is a keyword of UPC").clause("UPC 1.3, 6.2 p3"),
            Kw::Global | Kw::Spread => d.hint("this is a keyword of Split-C"),
            Kw::None => d,
            _ => d.hint("a keyword cannot be a name"),
        };
        self.report(d);
    }

    /// At `(` where no name is needed: a parameter list, not a declarator in parentheses (C11 6.7.6.3 p11).
    fn paren_is_params(&self) -> bool {
        let i = self.past_attrs(self.ahead(1));
        match self.kind_at(i) {
            TokKind::Punct(RParen | Ellipsis) => true,
            _ => self.starts_decl_at(i),
        }
    }

    /// Type qualifiers and attributes.
    fn qualifiers(&mut self) -> Vec<Spec> {
        let mut v = vec![];
        while self.kind == TokKind::Keyword {
            let lo = self.pos;
            match self.qualifier() {
                Some(kind) => v.push(Spec { kind, toks: self.since(lo) }),
                None => break,
            }
        }
        v
    }

    /// `[ … ]`
    fn array(&mut self) -> Deriv {
        let lo = self.pos;
        self.bump();
        let mut is_static = self.eat_kw(Kw::Static);
        let quals = self.qualifiers();
        is_static |= self.eat_kw(Kw::Static);
        let size = if self.at(RBracket) {
            ArraySize::None
        } else if self.at(Star) && self.punct_at(self.ahead(1), RBracket) {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(self.assign())
        };
        if !self.at(RBracket) {
            self.expected("S0107", "`]`");
            self.skip_to_close();
        }
        self.expect_close(RBracket, "]", lo);
        Deriv::Array { quals, is_static, size, toks: self.since(lo) }
    }

    /// `( … )` after a declarator.
    fn params(&mut self) -> Deriv {
        let lo = self.pos;
        self.bump();
        let params = self.param_list(lo);
        Deriv::Function { params, toks: self.since(lo) }
    }

    fn param_list(&mut self, open: u32) -> Params {
        if self.eat(RParen) {
            return Params::Empty;
        }
        if self.at_kw(Kw::Void) && self.punct_at(self.ahead(1), RParen) {
            self.bump();
            self.bump();
            return Params::Proto { params: vec![], variadic: false };
        }
        if self.kind == TokKind::Ident
            && self.scopes.kind(self.tok().name) == NameKind::Other
            && matches!(self.kind_at(self.ahead(1)), TokKind::Punct(Comma | RParen))
            && !crate::library::is_type(self.names.str(self.tok().name))
        {
            return self.identifier_list(open);
        }
        let Some(saved) = self.enter() else {
            self.expect_close(RParen, ")", open);
            return Params::Empty;
        };
        let mark = self.scopes.open();
        let (mut params, mut variadic) = (vec![], false);
        loop {
            if self.eat(Ellipsis) {
                variadic = true;
                break;
            }
            let at = self.pos;
            match self.param() {
                Some(p) => params.push(p),
                None if self.at(LBrace) => break, // the `)` is missing, here is the body
                None => self.skip_item(),
            }
            match self.kind {
                TokKind::Punct(Comma) => self.bump(),
                // GNU: `(int n; int a[n])` declares `n` early.
                TokKind::Punct(Semi) if self.starts_decl_at(self.ahead(1)) && self.pos > at => {
                    self.bump();
                    params.clear();
                }
                _ => break,
            }
        }
        if !self.at(RParen) {
            self.missing_close_in_params(open);
        }
        self.expect_close(RParen, ")", open);
        self.scopes.close(mark);
        self.leave(saved);
        Params::Proto { params, variadic }
    }

    #[cold]
    fn missing_close_in_params(&mut self, open: u32) {
        let d = Diag::error("S0107", self.here(), format!("expected `,` or `)`, found {}", self.found_text()))
            .label("expected `,` or `)`")
            .note(TokRange { lo: open, hi: open + 1 }, "opened here");
        self.report(d);
        if !self.at(LBrace) {
            self.skip_to_close();
        }
    }

    fn identifier_list(&mut self, open: u32) -> Params {
        let mut names = vec![];
        while let Some(n) = self.ident() {
            names.push(n);
            if !self.eat(Comma) {
                break;
            }
        }
        if !self.at(RParen) {
            self.missing_close_in_params(open);
        }
        self.expect_close(RParen, ")", open);
        Params::Kr(names)
    }

    fn param(&mut self) -> Option<Param> {
        let lo = self.pos;
        let Specs { specs, typed, .. } = self.decl_specs(DeclContext::Param);
        if specs.items.is_empty() {
            self.expected("S0101", "a parameter");
            return None;
        }
        let declarator = self.declarator_of(Form::Either);
        if !typed {
            self.warn_implicit_int(declarator);
        }
        let attrs = self.attrs();
        self.declare(declarator, false);
        Some(Param { specs, declarator, attrs, toks: self.since(lo) })
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> TypeNameId {
        let lo = self.pos;
        let (specs, declarator) = match self.enter() {
            Some(saved) => {
                let Specs { specs, .. } = self.decl_specs(DeclContext::TypeName);
                if specs.items.is_empty() {
                    self.expected("S0101", "a type");
                }
                let d = self.declarator_of(Form::Abstract);
                self.leave(saved);
                (specs, d)
            }
            None => {
                let at = self.nothing();
                let d = self.declarator_node(Declarator { name: None, derivs: vec![], toks: at });
                (DeclSpecs { items: vec![], toks: at }, d)
            }
        };
        let id = TypeNameId(self.unit.type_names.len() as u32);
        let toks = self.since(lo);
        self.unit.type_names.push(TypeName { specs, declarator, toks });
        id
    }
}
