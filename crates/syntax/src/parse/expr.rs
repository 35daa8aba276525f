//! Operators, by precedence climbing; casts and the `sizeof` family.

use super::Parser;
use crate::ast::*;
use crate::keyword::Kw;
use crate::lex::Punct::{self, *};
use crate::token::{TokKind, TokRange};
use crate::Dialect;
use std::mem::{replace, take};

/// The binary operator that a token is, with its precedence.
#[inline]
fn binary_op(k: TokKind) -> Option<(BinOp, u8)> {
    let TokKind::Punct(p) = k else { return None };
    Some(match p {
        Star => (BinOp::Mul, 10),
        Slash => (BinOp::Div, 10),
        Percent => (BinOp::Rem, 10),
        Plus => (BinOp::Add, 9),
        Minus => (BinOp::Sub, 9),
        Shl => (BinOp::Shl, 8),
        Shr => (BinOp::Shr, 8),
        Lt => (BinOp::Lt, 7),
        Gt => (BinOp::Gt, 7),
        Le => (BinOp::Le, 7),
        Ge => (BinOp::Ge, 7),
        EqEq => (BinOp::Eq, 6),
        Ne => (BinOp::Ne, 6),
        Amp => (BinOp::BitAnd, 5),
        Caret => (BinOp::BitXor, 4),
        Pipe => (BinOp::BitOr, 3),
        AndAnd => (BinOp::And, 2),
        OrOr => (BinOp::Or, 1),
        _ => return None,
    })
}

/// `Some(None)` for `=`.
#[inline]
fn assign_op(k: TokKind) -> Option<Option<BinOp>> {
    let TokKind::Punct(p) = k else { return None };
    Some(match p {
        Assign => None,
        StarAssign => Some(BinOp::Mul),
        SlashAssign => Some(BinOp::Div),
        PercentAssign => Some(BinOp::Rem),
        PlusAssign => Some(BinOp::Add),
        MinusAssign => Some(BinOp::Sub),
        ShlAssign => Some(BinOp::Shl),
        ShrAssign => Some(BinOp::Shr),
        AmpAssign => Some(BinOp::BitAnd),
        CaretAssign => Some(BinOp::BitXor),
        PipeAssign => Some(BinOp::BitOr),
        _ => return None,
    })
}

fn prefix_op(p: Punct) -> Option<UnOp> {
    Some(match p {
        Plus => UnOp::Plus,
        Minus => UnOp::Neg,
        Tilde => UnOp::BitNot,
        Bang => UnOp::Not,
        Star => UnOp::Deref,
        Amp => UnOp::AddrOf,
        PlusPlus => UnOp::PreInc,
        MinusMinus => UnOp::PreDec,
        _ => return None,
    })
}

impl Parser<'_> {
    /// `a, b, …`
    pub(super) fn expr(&mut self) -> ExprId {
        let outer = take(&mut self.height);
        let mut e = self.assign();
        while self.at(Comma) {
            self.bump();
            let left = take(&mut self.height);
            let r = self.assign();
            self.height = self.height.max(left);
            e = self.linked(ExprKind::Comma(e, r), e);
        }
        self.height = self.height.max(outer);
        e
    }

    /// A link of a chain whose left end is `first`; an `Error` if the chain has become too long.
    #[inline]
    pub(super) fn linked(&mut self, kind: ExprKind, first: ExprId) -> ExprId {
        let toks = self.since(self.lo_of(first));
        let kind = if self.link() { kind } else { ExprKind::Error };
        self.expr_node(kind, toks)
    }

    /// An assignment expression.
    pub(super) fn assign(&mut self) -> ExprId {
        let l = self.cond();
        let split = self.split_op(self.pos).filter(|_| !self.in_middle);
        let op = match split {
            // The `:`; what follows it is the token that all assignments take next.
            Some(_) => {
                self.bump();
                None
            }
            None => match assign_op(self.kind) {
                Some(op) => op,
                None => return l,
            },
        };
        self.bump();
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        let r = self.assign();
        self.leave(saved);
        let toks = self.since(self.lo_of(l));
        let kind = match split {
            Some(split) => ExprKind::Split(split, l, r),
            None => ExprKind::Assign(op, l, r),
        };
        self.expr_node(kind, toks)
    }

    /// Split-C: `:=` or `:-` at token `i`, written as one word. They are two tokens each, because C has `x ? y :-1`.
    pub(super) fn split_op(&self, i: u32) -> Option<SplitOp> {
        if self.dialect != Dialect::SplitC || !self.punct_at(i, Colon) || !self.adjoins(i) {
            return None;
        }
        match self.kind_at(i + 1) {
            TokKind::Punct(Assign) => Some(SplitOp::Start),
            TokKind::Punct(Minus) => Some(SplitOp::Store),
            _ => None,
        }
    }

    /// Nothing separates the token from the next one.
    pub(super) fn adjoins(&self, i: u32) -> bool {
        let next = self.toks.get(i as usize + 1);
        next.is_some_and(|next| next.lo == self.toks[i as usize].hi)
    }

    /// Parses what stands between brackets, where a `:` has no meaning for the expression around them.
    pub(super) fn bracketed<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let around = take(&mut self.in_middle);
        let parsed = parse(self);
        self.in_middle = around;
        parsed
    }

    /// A conditional expression; also where the grammar says constant expression.
    pub(super) fn cond(&mut self) -> ExprId {
        let c = self.binary(0);
        if !self.at(Question) {
            return c;
        }
        self.bump();
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        let around = replace(&mut self.in_middle, true);
        let then = if self.at(Colon) { None } else { Some(self.expr()) };
        self.in_middle = around;
        self.expect(Colon, ":");
        let els = self.cond();
        self.leave(saved);
        let toks = self.since(self.lo_of(c));
        self.expr_node(ExprKind::Cond(c, then, els), toks)
    }

    fn binary(&mut self, min: u8) -> ExprId {
        let outer = take(&mut self.height);
        let mut l = self.unary();
        while let Some((op, prec)) = binary_op(self.kind) {
            if prec <= min {
                break;
            }
            self.bump();
            let left = take(&mut self.height);
            let r = self.binary(prec);
            self.height = self.height.max(left);
            l = self.linked(ExprKind::Binary(op, l, r), l);
        }
        self.height = self.height.max(outer);
        l
    }

    /// A cast expression, which is also every operand of a prefix operator.
    fn unary(&mut self) -> ExprId {
        let lo = self.pos;
        match self.kind {
            TokKind::Punct(LParen) if self.starts_type_at(self.ahead(1)) => self.cast(),
            TokKind::Punct(AndAnd) => {
                self.bump();
                match self.ident() {
                    Some((n, _)) => {
                        let toks = self.since(lo);
                        self.expr_node(ExprKind::LabelAddr(n), toks)
                    }
                    None => {
                        self.expected("S0101", "a label after `&&`");
                        self.error_expr()
                    }
                }
            }
            TokKind::Punct(p) => match prefix_op(p) {
                Some(op) => self.prefix(op),
                None => self.postfix(),
            },
            TokKind::Keyword => match self.kw() {
                Kw::Real => self.prefix(UnOp::Real),
                Kw::Imag => self.prefix(UnOp::Imag),
                Kw::Extension => self.prefix(UnOp::Extension),
                Kw::Sizeof => self.sizeof(SizeofKind::Sizeof),
                Kw::Alignof => self.sizeof(SizeofKind::Alignof),
                Kw::UpcLocalsizeof => self.sizeof(SizeofKind::UpcLocalsizeof),
                Kw::UpcBlocksizeof => self.sizeof(SizeofKind::UpcBlocksizeof),
                Kw::UpcElemsizeof => self.sizeof(SizeofKind::UpcElemsizeof),
                _ => self.postfix(),
            },
            _ => self.postfix(),
        }
    }

    fn prefix(&mut self, op: UnOp) -> ExprId {
        let lo = self.pos;
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        self.bump();
        let e = self.unary();
        self.leave(saved);
        let toks = self.since(lo);
        self.expr_node(ExprKind::Unary(op, e), toks)
    }

    /// At the `(` before a type: a cast or a compound literal.
    fn cast(&mut self) -> ExprId {
        let lo = self.pos;
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        let t = self.paren_type();
        let (kind, literal) = if self.at(LBrace) {
            (ExprKind::CompoundLit(t, self.init()), true)
        } else {
            (ExprKind::Cast(t, self.unary()), false)
        };
        self.leave(saved);
        let toks = self.since(lo);
        let e = self.expr_node(kind, toks);
        if literal {
            self.suffixes(e)
        } else {
            e
        }
    }

    /// `( type )`
    fn paren_type(&mut self) -> TypeNameId {
        let open = self.pos;
        self.bump();
        let t = self.type_name();
        if !self.at(RParen) {
            self.expected("S0107", "`)`");
            self.skip_to_close();
        }
        self.expect_close(RParen, ")", open);
        t
    }

    fn sizeof(&mut self, kind: SizeofKind) -> ExprId {
        let lo = self.pos;
        let Some(saved) = self.enter() else {
            return self.error_expr();
        };
        self.bump();
        let k = if self.at(LParen) && self.starts_type_at(self.ahead(1)) {
            let at = self.pos;
            let t = self.paren_type();
            if self.at(LBrace) {
                let init = self.init();
                let toks = self.since(at);
                let e = self.expr_node(ExprKind::CompoundLit(t, init), toks);
                ExprKind::SizeofExpr(kind, self.suffixes(e))
            } else {
                ExprKind::SizeofType(kind, t)
            }
        } else {
            ExprKind::SizeofExpr(kind, self.unary())
        };
        self.leave(saved);
        let toks = self.since(lo);
        self.expr_node(k, toks)
    }

    fn postfix(&mut self) -> ExprId {
        let outer = take(&mut self.height);
        let e = self.primary();
        let e = self.suffixes(e);
        self.height = self.height.max(outer);
        e
    }

    /// Subscripts, calls, members, `++` and `--` after an operand.
    fn suffixes(&mut self, mut e: ExprId) -> ExprId {
        loop {
            let TokKind::Punct(p) = self.kind else { return e };
            let kind = match p {
                LBracket => {
                    let open = self.pos;
                    let Some(saved) = self.enter() else {
                        return self.error_expr();
                    };
                    self.bump();
                    let i = self.bracketed(Self::expr);
                    self.close_suffix(RBracket, "]", open);
                    self.leave(saved);
                    ExprKind::Index(e, i)
                }
                LParen => {
                    let open = self.pos;
                    let Some(saved) = self.enter() else {
                        return self.error_expr();
                    };
                    self.bump();
                    let args = self.bracketed(Self::args);
                    self.close_suffix(RParen, ")", open);
                    self.leave(saved);
                    ExprKind::Call { callee: e, args }
                }
                Dot | Arrow => {
                    self.bump();
                    let Some((name, _)) = self.ident() else {
                        self.expected("S0101", "the name of a member");
                        return e;
                    };
                    ExprKind::Member { base: e, name, arrow: p == Arrow }
                }
                PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnOp::PostInc, e)
                }
                MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnOp::PostDec, e)
                }
                _ => return e,
            };
            e = self.linked(kind, e);
        }
    }

    /// The closing bracket of a suffix, after skipping unexpected tokens before it.
    #[inline]
    fn close_suffix(&mut self, p: Punct, spelling: &str, open: u32) {
        if !self.eat(p) {
            self.expect_close(p, spelling, open);
            self.skip_to_close();
            self.eat(p);
        }
    }

    /// The arguments of a call, up to `)`.
    fn args(&mut self) -> Vec<ExprId> {
        let mut args = vec![];
        if self.at(RParen) {
            return args;
        }
        loop {
            let left = take(&mut self.height);
            args.push(self.assign());
            self.height = self.height.max(left);
            if !self.eat(Comma) {
                return args;
            }
        }
    }

    /// From token `lo` on.
    pub(super) fn node_since(&mut self, kind: ExprKind, lo: u32) -> ExprId {
        let toks = TokRange { lo, hi: self.pos };
        self.expr_node(kind, toks)
    }
}
