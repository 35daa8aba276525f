//! What must be true of every parse, whatever the input. Tests and the fuzzers call this; it costs a walk of the tree.
//!
//! * The tokens are in order, do not overlap, and end with `Eof`; every line is where [`Source::place`] says.
//! * A node's tokens lie inside its parent's, and siblings do not overlap.
//! * The external declarations cover all tokens but pragmas that stand in the wrong place and unknown characters.
//! * Every expression and statement stands in the tree at most once, and no path is longer than [`MAX_HEIGHT`].
//! * If a tree contains an `Error`, there is a diagnostic of an error; diagnostics point at tokens.

use crate::ast::*;
use crate::parse::MAX_HEIGHT;
use crate::token::{TokKind, TokRange};
use crate::visit::{walk_children, walk_item, Child};
use crate::{Parsed, Severity, Source};

/// The first rule that `p` breaks, in words.
pub fn verify(p: &Parsed) -> Result<(), String> {
    tokens(&p.source)?;
    items(p)?;
    let has_error = p.diags.iter().any(|d| d.severity == Severity::Error);
    let errors = tree(p)?;
    if errors && !has_error {
        return Err("an `Error` in the tree and no error found".into());
    }
    let n = p.source.tokens.len() as u32;
    for d in &p.diags {
        let spans = std::iter::once(d.span).chain(d.notes.iter().map(|n| n.0));
        for s in spans {
            if s.is_empty() || s.hi > n {
                return Err(format!("{}: span {}..{} of {n} tokens", d.code, s.lo, s.hi));
            }
            p.source.tok_place(s.lo);
        }
    }
    Ok(())
}

fn tokens(s: &Source) -> Result<(), String> {
    let mut end = 0;
    for (i, t) in s.tokens.iter().enumerate() {
        let is_last = i + 1 == s.tokens.len();
        if t.lo < end || t.hi < t.lo || (t.kind == TokKind::Eof) != is_last || (t.hi == t.lo) != is_last {
            return Err(format!("token {i}: {t:?} after offset {end}"));
        }
        if s.text.get(t.lo as usize..t.hi as usize).is_none() {
            return Err(format!("token {i} splits a character"));
        }
        end = t.hi;
    }
    match s.tokens.last() {
        Some(t) if t.hi as usize == s.text.len() => Ok(()),
        _ => Err("the last token does not end the text".into()),
    }
}

fn item_range(u: &Unit, item: &Item) -> TokRange {
    match item {
        Item::Fn(d) => d.toks,
        Item::Decl(d) => u[*d].toks,
        Item::Pragma(_, r) | Item::Asm(r) | Item::StaticAssert(_, r) | Item::Empty(r) | Item::Error(r) => *r,
    }
}

fn items(p: &Parsed) -> Result<(), String> {
    let mut next = 0;
    let odd = |k| matches!(k, TokKind::Unknown | TokKind::PragmaStrict | TokKind::PragmaRelaxed | TokKind::Eof);
    let toks = &p.source.tokens;
    let has_error = p.diags.iter().any(|d| d.severity == Severity::Error);
    let end = TokRange { lo: toks.len() as u32 - 1, hi: toks.len() as u32 };
    for r in p.unit.items.iter().map(|i| item_range(&p.unit, i)).chain([end]) {
        if r.lo < next || r.hi < r.lo || r.hi as usize > toks.len() {
            return Err(format!("external declaration {}..{} after token {next}", r.lo, r.hi));
        }
        if !has_error && (next..r.lo).any(|t| !odd(toks[t as usize].kind)) {
            return Err(format!("tokens {next}..{} belong to no external declaration", r.lo));
        }
        next = r.hi;
    }
    Ok(())
}

fn range(u: &Unit, c: Child) -> TokRange {
    match c {
        Child::Expr(e) => u[e].toks,
        Child::Stmt(s) => u[s].toks,
        Child::Decl(d) => u[d].toks,
        Child::TypeName(t) => u[t].toks,
        Child::Init(i) => u[i].toks,
        Child::Fn(d) => d.toks,
    }
}

/// Whether there is an `Error` in the tree.
fn tree(p: &Parsed) -> Result<bool, String> {
    let u = &p.unit;
    let mut todo = vec![];
    let mut errors = false;
    for i in &u.items {
        errors |= matches!(i, Item::Error(_));
        walk_item(i, &mut |c| todo.push((c, item_range(u, i), 1u32)));
    }
    let (mut seen_exprs, mut seen_stmts) = (vec![false; u.exprs.len()], vec![false; u.stmts.len()]);
    while let Some((c, within, depth)) = todo.pop() {
        let r = range(u, c);
        if r.hi < r.lo || r.lo < within.lo || r.hi > within.hi {
            return Err(format!("{c:?} has tokens {}..{}, its parent {}..{}", r.lo, r.hi, within.lo, within.hi));
        }
        if depth > MAX_HEIGHT {
            return Err(format!("{c:?} stands {depth} deep"));
        }
        let again = match c {
            Child::Expr(e) => {
                errors |= matches!(u[e].kind, ExprKind::Error);
                std::mem::replace(&mut seen_exprs[e.index()], true)
            }
            Child::Stmt(s) => {
                errors |= matches!(u[s].kind, StmtKind::Error);
                std::mem::replace(&mut seen_stmts[s.index()], true)
            }
            _ => false,
        };
        if again {
            return Err(format!("{c:?} stands in the tree twice"));
        }
        let from = todo.len();
        walk_children(u, c, &mut |child| todo.push((child, r, depth + 1)));
        // Derivations are listed from the name outwards, and attributes last.
        let in_order = !matches!(c, Child::Decl(_) | Child::Fn(_) | Child::TypeName(_));
        for pair in todo[from..].windows(2) {
            let (a, b) = (range(u, pair[0].0), range(u, pair[1].0));
            if in_order && a.hi > b.lo && !a.is_empty() && !b.is_empty() {
                return Err(format!("{:?} and {:?} overlap below {c:?}", pair[0].0, pair[1].0));
            }
        }
    }
    Ok(errors)
}
