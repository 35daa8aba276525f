//! Tokens to tree: recursive descent, one file per area of the grammar.
//!
//! * `decl` external declarations, specifiers; `declarator`; `record` structs, unions, enumerations; `init`
//! * `expr` operators by precedence climbing; `primary` operands and suffixes; `builtin` what has a syntax of its own
//! * `stmt` statements; `upc` what UPC 1.3 adds; `attr` attributes and inline assembly
//! * `scope` which names are types; `recover` diagnostics, and how parsing continues after one
//!
//! C needs to know whether a name is a type to be parsed at all; `scope` keeps that and nothing more.
//!
//! **Depth.** Everything that recurses passes [`Parser::enter`], which refuses more than [`MAX_NESTING`] levels; what
//! repeats without nesting (`a + a + …`, `else if`, `case` after `case`) is parsed by loops and refused beyond
//! [`MAX_CHAIN`] links. So no path from a node down to a leaf is longer than [`MAX_HEIGHT`], and later passes may
//! recurse over the tree, on a stack of the size of [`crate::on_deep_stack`]'s.

mod attr;
mod builtin;
mod decl;
mod declarator;
mod expr;
mod init;
mod primary;
mod record;
mod recover;
mod scope;
mod stmt;
mod upc;

use crate::ast::*;
use crate::diag::Diag;
use crate::keyword::{keyword, Kw};
use crate::lex::Punct;
use crate::token::{Name, Names, Source, TokKind, TokRange, Token};
use crate::{Dialect, Options};
use scope::Scopes;

/// Levels of nesting (parentheses, blocks, declarators, initialisers, prefix operators) that are accepted.
pub const MAX_NESTING: u32 = 400;
/// Links that are accepted in a chain of operators, suffixes, `else if`s or labels.
pub const MAX_CHAIN: u32 = 2500;
/// No path from a node of the tree to a leaf is longer.
pub const MAX_HEIGHT: u32 = MAX_CHAIN + 4 * MAX_NESTING;

/// Parses a translation unit. Interns the names of attributes without their underscores.
pub fn parse_unit(source: &mut Source, options: Options, diags: &mut Vec<Diag>) -> Unit {
    let n = source.tokens.len();
    let mut unit = Unit::default();
    unit.exprs.reserve(n / 4);
    unit.declarators.reserve(n / 10);
    let mut p = Parser {
        text: &source.text,
        toks: &source.tokens,
        scopes: Scopes::new(source, options.dialect),
        names: &mut source.names,
        unit,
        found: vec![],
        pos: 0,
        kind: source.tokens[0].kind,
        depth: 0,
        height: 0,
        error_pos: u32::MAX,
        deep_reported: false,
        dialect: options.dialect,
        in_middle: false,
    };
    p.skip_odd(None);
    p.translation_unit();
    let Parser { unit, found, .. } = p;
    diags.extend(found);
    unit
}

struct Parser<'a> {
    text: &'a str,
    toks: &'a [Token],
    names: &'a mut Names,
    unit: Unit,
    found: Vec<Diag>,
    scopes: Scopes,
    /// Index and kind of the token at hand.
    pos: u32,
    kind: TokKind,
    /// Levels of nesting now open.
    depth: u32,
    /// Height of the tallest tree finished since the innermost [`Parser::enter`].
    height: u32,
    /// Where the last error was reported: one error per place.
    error_pos: u32,
    /// Too deep nesting has been reported in this external declaration.
    deep_reported: bool,
    dialect: Dialect,
    /// A `:` ends the middle operand of a conditional expression: Split-C's `:=` and `:-` are not meant.
    in_middle: bool,
}

/// What [`Parser::enter`] saved for [`Parser::leave`].
#[derive(Clone, Copy)]
struct Saved(u32);

impl Parser<'_> {
    // ---- tokens ----

    #[inline]
    fn tok(&self) -> Token {
        self.toks[self.pos as usize]
    }

    /// The keyword at hand, or `Kw::None`.
    #[inline]
    fn kw(&self) -> Kw {
        match self.kind {
            TokKind::Keyword => keyword(self.tok().name.0),
            _ => Kw::None,
        }
    }

    #[inline]
    fn at(&self, p: Punct) -> bool {
        self.kind == TokKind::Punct(p)
    }

    #[inline]
    fn at_kw(&self, k: Kw) -> bool {
        self.kind == TokKind::Keyword && keyword(self.tok().name.0) == k
    }

    /// The index of the token `n` places ahead, over tokens that are skipped anyway.
    fn ahead(&self, n: u32) -> u32 {
        let mut i = self.pos;
        for _ in 0..n {
            i = self.next_index(i);
        }
        i
    }

    fn next_index(&self, i: u32) -> u32 {
        let last = self.toks.len() as u32 - 1;
        let mut i = (i + 1).min(last);
        while is_odd(self.toks[i as usize].kind) {
            i += 1;
        }
        i
    }

    fn kind_at(&self, i: u32) -> TokKind {
        self.toks[i as usize].kind
    }

    fn kw_at(&self, i: u32) -> Kw {
        let t = &self.toks[i as usize];
        if t.kind == TokKind::Keyword {
            keyword(t.name.0)
        } else {
            Kw::None
        }
    }

    fn punct_at(&self, i: u32, p: Punct) -> bool {
        self.kind_at(i) == TokKind::Punct(p)
    }

    /// Takes the token at hand; `Eof` is never passed.
    #[inline]
    fn bump(&mut self) {
        if self.kind == TokKind::Eof {
            return;
        }
        let taken = self.kind;
        self.pos += 1;
        self.kind = self.toks[self.pos as usize].kind;
        if is_odd(self.kind) {
            self.skip_odd(Some(taken));
        }
    }

    #[inline]
    fn eat(&mut self, p: Punct) -> bool {
        let yes = self.at(p);
        if yes {
            self.bump();
        }
        yes
    }

    #[inline]
    fn eat_kw(&mut self, k: Kw) -> bool {
        let yes = self.at_kw(k);
        if yes {
            self.bump();
        }
        yes
    }

    /// The identifier at hand and its token, taken.
    fn ident(&mut self) -> Option<(Name, u32)> {
        if self.kind != TokKind::Ident {
            return None;
        }
        let r = (self.tok().name, self.pos);
        self.bump();
        Some(r)
    }

    /// From token `lo` to the last token taken. What was passed over after it (see `skip_odd`) counts as part of it.
    #[inline]
    fn since(&self, lo: u32) -> TokRange {
        TokRange { lo, hi: self.pos }
    }

    /// No tokens, here.
    fn nothing(&self) -> TokRange {
        TokRange { lo: self.pos, hi: self.pos }
    }

    /// Passes over what the lexer reported (`Unknown`) and over pragmas that stand where no declaration or statement
    /// may. After `;`, `{`, `}` and `:` pragmas are left to the code that reads the next item.
    #[cold]
    fn skip_odd(&mut self, taken: Option<TokKind>) {
        use Punct::*;
        let between_items = matches!(taken, None | Some(TokKind::Punct(Semi | LBrace | RBrace)));
        loop {
            match self.kind {
                TokKind::Unknown => {}
                TokKind::PragmaStrict | TokKind::PragmaRelaxed if !between_items => self.warn_misplaced_pragma(),
                _ => return,
            }
            self.pos += 1;
            self.kind = self.toks[self.pos as usize].kind;
        }
    }

    /// Before something that is not an item of a block or of the unit: skips pragmas, with a warning.
    #[inline]
    fn no_pragma(&mut self) {
        if is_odd(self.kind) {
            self.skip_odd(Some(TokKind::Ident));
        }
    }

    // ---- depth ----

    /// One level deeper; `None`, reported, if there are too many.
    #[inline]
    fn enter(&mut self) -> Option<Saved> {
        if self.depth >= MAX_NESTING {
            self.too_deep();
            return None;
        }
        self.depth += 1;
        Some(Saved(std::mem::take(&mut self.height)))
    }

    #[inline]
    fn leave(&mut self, s: Saved) {
        self.depth -= 1;
        self.height = s.0.max(self.height + 1);
    }

    #[cold]
    fn too_deep(&mut self) {
        if !self.deep_reported {
            self.deep_reported = true;
            let at = self.here();
            self.report(
                Diag::error("S0108", at, format!("nested too deeply: more than {MAX_NESTING} levels"))
                    .hint("break it up: give the inner part a name or a function of its own"),
            );
        }
        self.error_pos = self.pos;
        self.skip_to_close();
        self.error_pos = self.pos;
    }

    /// A chain grows by a link. False, reported, if it is too long: the caller starts over with an `Error` node.
    #[inline]
    fn link(&mut self) -> bool {
        self.height += 1;
        if self.height <= MAX_CHAIN {
            return true;
        }
        self.too_long();
        false
    }

    #[cold]
    fn too_long(&mut self) {
        self.height = 1;
        if !self.deep_reported {
            self.deep_reported = true;
            let at = self.here();
            self.report(
                Diag::error("S0108", at, format!("too long: a chain of more than {MAX_CHAIN} operators or branches"))
                    .hint("break it up with parentheses, or into several statements"),
            );
        }
    }

    // ---- nodes ----

    #[inline]
    fn expr_node(&mut self, kind: ExprKind, toks: TokRange) -> ExprId {
        let id = ExprId(self.unit.exprs.len() as u32);
        self.unit.exprs.push(Expr { kind, toks });
        id
    }

    #[inline]
    fn stmt_node(&mut self, kind: StmtKind, toks: TokRange) -> StmtId {
        let id = StmtId(self.unit.stmts.len() as u32);
        self.unit.stmts.push(Stmt { kind, toks });
        id
    }

    fn decl_node(&mut self, d: Decl) -> DeclId {
        let id = DeclId(self.unit.decls.len() as u32);
        self.unit.decls.push(d);
        id
    }

    /// An `Error` that stands where nothing was found.
    fn error_expr(&mut self) -> ExprId {
        let at = self.nothing();
        self.expr_node(ExprKind::Error, at)
    }

    #[inline]
    fn lo_of(&self, e: ExprId) -> u32 {
        self.unit.exprs[e.index()].toks.lo
    }
}

#[inline]
fn is_odd(k: TokKind) -> bool {
    matches!(k, TokKind::PragmaStrict | TokKind::PragmaRelaxed | TokKind::Unknown)
}
