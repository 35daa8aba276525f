//! Structs, unions and enumerations.

use super::decl::{DeclContext, Specs};
use super::scope::NameKind;
use super::Parser;
use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::Kw;
use crate::lex::Punct::*;
use crate::token::{TokKind, TokRange};

impl Parser<'_> {
    /// At `struct` or `union`.
    pub(super) fn record_spec(&mut self) -> SpecKind {
        let lo = self.pos;
        let is_union = self.at_kw(Kw::Union);
        self.bump();
        let mut attrs = self.attrs();
        let tag = self.ident().map(|(n, _)| n);
        let mut members = None;
        if self.at(LBrace) {
            let open = self.pos;
            match self.enter() {
                Some(saved) => {
                    self.bump();
                    members = Some(self.members());
                    self.expect_close(RBrace, "}", open);
                    self.leave(saved);
                }
                None => members = Some(vec![]),
            }
            if self.at_attr() {
                attrs.extend(self.attrs());
            }
        } else if tag.is_none() {
            self.expected("S0101", "a tag or `{`");
        }
        let id = RecordSpecId(self.unit.records.len() as u32);
        let toks = self.since(lo);
        self.unit.records.push(RecordSpec { is_union, tag, members, attrs, toks });
        SpecKind::Record(id)
    }

    fn members(&mut self) -> Vec<Member> {
        let mut v = vec![];
        loop {
            self.no_pragma();
            let lo = self.pos;
            match self.kind {
                TokKind::Punct(RBrace) | TokKind::Eof => return v,
                TokKind::Punct(Semi) => {
                    self.bump();
                    v.push(Member::Empty(self.since(lo)));
                }
                _ if self.kw_after_extensions() == Kw::StaticAssert => {
                    let e = self.static_assert();
                    v.push(Member::StaticAssert(e, self.since(lo)));
                }
                _ => {
                    if let Some(f) = self.field_decl() {
                        v.push(Member::Field(f));
                    }
                }
            }
            if self.pos == lo {
                self.bump();
            }
        }
    }

    fn field_decl(&mut self) -> Option<FieldDecl> {
        let lo = self.pos;
        let Specs { specs, typed, .. } = self.decl_specs(DeclContext::Member);
        if specs.items.is_empty() {
            self.expected("S0101", "a member");
            self.skip_statement();
            return None;
        }
        let mut declarators = vec![];
        while !self.at(Semi) && !self.at(RBrace) {
            let dlo = self.pos;
            let mut attrs = self.attrs();
            let declarator = if self.at(Colon) {
                let id = DeclaratorId(self.unit.declarators.len() as u32);
                let toks = TokRange { lo: dlo, hi: dlo };
                self.unit.declarators.push(Declarator { name: None, derivs: vec![], toks });
                id
            } else {
                self.declarator()
            };
            if !typed {
                self.warn_implicit_int(declarator);
            }
            let width = if self.eat(Colon) { Some(self.cond()) } else { None };
            attrs.extend(self.attrs());
            declarators.push(FieldDeclarator { declarator, width, attrs, toks: self.since(dlo) });
            if !self.eat(Comma) {
                break;
            }
        }
        if self.at(RBrace) && self.error_pos != self.pos {
            let d =
                Diag::warning("S0116", self.before(), "no `;` at the end of a struct or union").hint("add `;` here");
            self.report(d);
        } else {
            self.semi("a member");
        }
        Some(FieldDecl { specs, declarators, toks: self.since(lo) })
    }

    /// At `enum`.
    pub(super) fn enum_spec(&mut self) -> SpecKind {
        let lo = self.pos;
        self.bump();
        let mut attrs = self.attrs();
        let tag = self.ident().map(|(n, _)| n);
        let mut enumerators = None;
        if self.at(LBrace) {
            let open = self.pos;
            self.bump();
            enumerators = Some(self.enumerators());
            self.expect_close(RBrace, "}", open);
            attrs.extend(self.attrs());
        } else if tag.is_none() {
            self.expected("S0101", "a tag or `{`");
        }
        let id = EnumSpecId(self.unit.enums.len() as u32);
        let toks = self.since(lo);
        self.unit.enums.push(EnumSpec { tag, enumerators, attrs, toks });
        SpecKind::Enum(id)
    }

    fn enumerators(&mut self) -> Vec<Enumerator> {
        let mut v = vec![];
        loop {
            self.no_pragma();
            if self.at(RBrace) || self.kind == TokKind::Eof {
                return v;
            }
            let lo = self.pos;
            match self.ident() {
                Some((name, _)) => {
                    self.attrs();
                    let value = if self.eat(Assign) { Some(self.cond()) } else { None };
                    self.scopes.declare(name, NameKind::Other);
                    v.push(Enumerator { name, value, toks: self.since(lo) });
                }
                None => self.expected("S0101", "the name of an enumeration constant"),
            }
            if !self.eat(Comma) && !self.at(RBrace) {
                self.expected("S0101", "`,` or `}`");
                self.skip_item();
                if self.at(Semi) && !self.punct_at(self.ahead(1), RBrace) {
                    return v;
                }
                if self.at(RParen) || self.at(RBracket) || self.at(Semi) || self.at(Comma) {
                    self.bump();
                }
            }
        }
    }
}
