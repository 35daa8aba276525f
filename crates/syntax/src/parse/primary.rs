//! Operands: names, constants, string literals, parentheses, statement expressions.

use super::scope::NameKind;
use super::Parser;
use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::Kw;
use crate::lex::Punct::*;
use crate::token::TokKind;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> ExprId {
        let lo = self.pos;
        let kind = match self.kind {
            TokKind::Ident => {
                let n = self.tok().name;
                if self.scopes.kind(n) != NameKind::Other {
                    return self.type_as_value();
                }
                self.bump();
                ExprKind::Ident(n)
            }
            TokKind::Number => {
                self.bump();
                ExprKind::Number
            }
            TokKind::Char => {
                self.bump();
                ExprKind::Char
            }
            TokKind::Str => {
                while self.kind == TokKind::Str {
                    self.bump();
                }
                ExprKind::Str
            }
            TokKind::Punct(LParen) => return self.paren(),
            TokKind::Keyword => match self.kw() {
                Kw::Threads => {
                    self.bump();
                    ExprKind::Threads
                }
                Kw::MyThread => {
                    self.bump();
                    ExprKind::MyThread
                }
                Kw::Generic
                | Kw::VaArg
                | Kw::Offsetof
                | Kw::TypesCompatible
                | Kw::ChooseExpr
                | Kw::ConvertVector
                | Kw::BitCast => {
                    return self.builtin();
                }
                _ => return self.no_expr(),
            },
            _ => return self.no_expr(),
        };
        self.height = 1;
        self.node_since(kind, lo)
    }

    #[cold]
    fn no_expr(&mut self) -> ExprId {
        if self.starts_type() || matches!(self.kw(), Kw::Static | Kw::Extern | Kw::Typedef | Kw::Register) {
            let d = Diag::error("S0105", self.here(), format!("expected an expression, found {}", self.found_text()));
            let d = match self.kw() {
                Kw::Shared | Kw::Strict | Kw::Relaxed => d
                    .label("a keyword of UPC")
                    .hint("a variable cannot have this name in UPC")
                    .clause("UPC 1.3, 6.2 p3"),
                _ => d
                    .label("this begins a declaration or a type")
                    .hint("a declaration cannot stand here; a type in an expression must be in parentheses"),
            };
            self.report(d);
        } else {
            self.expected("S0102", "an expression");
        }
        self.error_expr()
    }

    #[cold]
    fn type_as_value(&mut self) -> ExprId {
        let lo = self.pos;
        let d = Diag::error("S0105", self.here(), format!("{} is a type, not a value", self.found_text()))
            .label("a type")
            .hint("a type in an expression must be in parentheses, as a cast or after `sizeof`");
        self.report(d);
        self.bump();
        self.node_since(ExprKind::Error, lo)
    }

    /// `( … )` that is not a cast.
    fn paren(&mut self) -> ExprId {
        let open = self.pos;
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        self.bump();
        let kind = self.bracketed(|p| match p.at(LBrace) {
            true => ExprKind::StmtExpr(p.compound()),
            false => ExprKind::Paren(p.expr()),
        });
        if !self.at(RParen) {
            self.expect_close(RParen, ")", open);
            self.skip_to_close();
        }
        self.eat(RParen);
        self.leave(saved);
        self.node_since(kind, open)
    }
}
