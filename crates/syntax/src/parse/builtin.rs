//! `_Generic` and the built-in functions whose arguments are not all expressions.

use super::Parser;
use crate::ast::*;
use crate::keyword::Kw;
use crate::lex::Punct::*;

impl Parser<'_> {
    /// At the keyword.
    pub(super) fn builtin(&mut self) -> ExprId {
        let lo = self.pos;
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        let kw = self.kw();
        self.bump();
        let open = self.pos;
        let mut kind = ExprKind::Error;
        if self.expect(LParen, "(") {
            kind = match kw {
                Kw::Generic => self.generic(),
                Kw::VaArg => {
                    let e = self.assign();
                    self.comma();
                    ExprKind::VaArg(e, self.type_name())
                }
                Kw::ConvertVector => {
                    let e = self.assign();
                    self.comma();
                    ExprKind::ConvertVector(e, self.type_name())
                }
                // clang's, and in its headers; it has the same parts the other way round.
                Kw::BitCast => {
                    let t = self.type_name();
                    self.comma();
                    ExprKind::ConvertVector(self.assign(), t)
                }
                Kw::TypesCompatible => {
                    let a = self.type_name();
                    self.comma();
                    ExprKind::TypesCompatible(a, self.type_name())
                }
                Kw::ChooseExpr => {
                    let c = self.assign();
                    self.comma();
                    let a = self.assign();
                    self.comma();
                    ExprKind::ChooseExpr(c, a, self.assign())
                }
                _ => {
                    let t = self.type_name();
                    self.comma();
                    let mut path = vec![];
                    match self.ident() {
                        Some((n, _)) => {
                            path.push(Designator::Field(n));
                            self.designators(&mut path);
                        }
                        None => self.expected("S0101", "the name of a member"),
                    }
                    ExprKind::Offsetof(t, path)
                }
            };
            if !self.at(RParen) {
                self.expect_close(RParen, ")", open);
                self.skip_to_close();
            }
            self.eat(RParen);
        }
        self.leave(saved);
        self.node_since(kind, lo)
    }

    fn comma(&mut self) {
        self.expect(Comma, ",");
    }

    fn generic(&mut self) -> ExprKind {
        let control = self.assign();
        let mut assocs = vec![];
        while self.eat(Comma) {
            let t = if self.eat_kw(Kw::Default) { None } else { Some(self.type_name()) };
            self.expect(Colon, ":");
            assocs.push((t, self.assign()));
        }
        ExprKind::Generic { control, assocs }
    }
}
