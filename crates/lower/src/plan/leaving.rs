//! Blocks after which a loop is left for good: `if (bad) { report(i); exit(1); }`, `if (found) { tell(i); break; }`. What they call can
//! change nothing for the loop, because no iteration comes after it.

use super::effects::visit;
use super::facts::Facts;
use super::pure::Purity;
use fathom_sema::{Linkage, Sema, SymId};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, walk_item, Child};
use fathom_syntax::Parsed;
use std::collections::HashSet;

/// The functions that are declared so that they never return, and those of this unit that end by calling such a one.
pub(super) fn never_returning(p: &Parsed, s: &Sema) -> HashSet<SymId> {
    let u = &p.unit;
    let is_said = |attrs: &[Attr]| attrs.iter().any(|a| p.source.name(a.name) == "noreturn");
    let is_spec = |specs: &DeclSpecs| {
        let mut specs = specs.items.iter();
        specs.any(|k| match &k.kind {
            SpecKind::Noreturn => true,
            SpecKind::Attr(attrs) => is_said(attrs),
            _ => false,
        })
    };
    let mut found = HashSet::new();
    for item in &u.items {
        match item {
            Item::Fn(f) if is_spec(&f.specs) => found.extend(s.declarator_sym[f.declarator.index()]),
            _ => {}
        }
        walk_item(item, &mut |n| {
            walk(u, n, |n| {
                let Child::Decl(d) = n else { return true };
                let all = is_spec(&u[d].specs);
                let declared = u[d].declarators.iter().filter(|x| all || is_said(&x.attrs));
                found.extend(declared.filter_map(|x| s.declarator_sym[x.declarator.index()]));
                true
            });
        });
    }
    let mut open: Vec<&FnDef> =
        u.items.iter().filter_map(|i| if let Item::Fn(f) = i { Some(f) } else { None }).collect();
    let has_weak = p.source.text.contains("weak");
    loop {
        let before = found.len();
        open.retain(|f| {
            let Some(sym) = s.declarator_sym[f.declarator.index()] else { return false };
            // Another definition may take the place of a weak one.
            if has_weak && s.symbols[sym.0 as usize].linkage == Linkage::External {
                return false;
            }
            let ends = matches!(&u[f.body].kind, StmtKind::Compound(items)
                if matches!(items.last(), Some(BlockItem::Stmt(last)) if is_call_of(u, s, *last, &found)));
            let mut returns = false;
            visit(u, Child::Stmt(f.body), |n| {
                returns |= matches!(n, Child::Stmt(x) if matches!(u[x].kind, StmtKind::Return(_)));
            });
            if ends && !returns {
                found.insert(sym);
            }
            !ends && !returns
        });
        if found.len() == before {
            return found;
        }
    }
}

fn is_call_of(u: &Unit, s: &Sema, stmt: StmtId, functions: &HashSet<SymId>) -> bool {
    let StmtKind::Expr(Some(e)) = u[stmt].kind else { return false };
    matches!(u[e].kind, ExprKind::Call { callee, .. } if is_one_of(u, s, callee, functions))
}

fn is_one_of(u: &Unit, s: &Sema, callee: ExprId, functions: &HashSet<SymId>) -> bool {
    let is_direct = matches!(u[callee].kind, ExprKind::Ident(_));
    is_direct && s.expr_sym[callee.index()].is_some_and(|sym| functions.contains(&sym))
}

impl<'a> Facts<'a> {
    /// May a call end the program, or never come back? What gives up because something is wrong is not asked.
    pub(super) fn may_end(&self, callee: ExprId) -> bool {
        match self.purity(callee) {
            Some(purity) => purity == Purity::Ends,
            None => is_one_of(self.u, self.s, callee, self.pure.never_returning()),
        }
    }

    /// The calls of a loop's body in blocks after which the loop is left for good. None of a block that accesses
    /// shared memory behind a call: it would have to find what is there then.
    pub(super) fn parting_calls(&self, body: StmtId) -> Vec<ExprId> {
        let mut found = vec![];
        self.parting_calls_in(body, true, &mut found);
        found
    }

    /// `breaks`: does `break` leave the loop here?
    fn parting_calls_in(&self, s: StmtId, breaks: bool, found: &mut Vec<ExprId>) {
        use StmtKind::*;
        match &self.u[s].kind {
            If { then, els, .. } => {
                for branch in [Some(*then), *els].into_iter().flatten() {
                    // A statement of whatever kind may have others in its expressions.
                    let leaves = self.leaves(branch, breaks) && !self.stays_somewhere(branch, breaks);
                    match leaves && self.reads_before_calls(branch) {
                        true => found.extend(self.calls_in(branch)),
                        false => self.parting_calls_in(branch, breaks, found),
                    }
                }
            }
            Compound(items) => {
                for item in items {
                    if let BlockItem::Stmt(s) = item {
                        self.parting_calls_in(*s, breaks, found);
                    }
                }
            }
            Switch { body, .. } | While { body, .. } | DoWhile { body, .. } | For { body, .. } => {
                self.parting_calls_in(*body, false, found);
            }
            Case(.., s) | Default(s) => self.parting_calls_in(*s, breaks, found),
            _ => {}
        }
    }

    /// Does every way to the statement's end leave the loop?
    fn leaves(&self, s: StmtId, breaks: bool) -> bool {
        match &self.u[s].kind {
            StmtKind::Return(_) => true,
            StmtKind::Break => breaks,
            StmtKind::Expr(_) => is_call_of(self.u, self.s, s, self.pure.never_returning()),
            StmtKind::Compound(items) => {
                matches!(items.last(), Some(BlockItem::Stmt(last)) if self.leaves(*last, breaks))
            }
            StmtKind::If { then, els, .. } => self.leaves(*then, breaks) && els.is_some_and(|s| self.leaves(s, breaks)),
            _ => false,
        }
    }

    /// May another iteration come after some part of the statement?
    fn stays_somewhere(&self, s: StmtId, breaks: bool) -> bool {
        use StmtKind::*;
        let mut found = false;
        visit(self.u, Child::Stmt(s), |n| {
            let Child::Stmt(x) = n else { return };
            found |= match self.u[x].kind {
                Continue | Goto(_) | GotoComputed(_) | Label(..) => true,
                Break => !breaks,
                _ => false,
            };
        });
        found
    }

    fn calls_in(&self, s: StmtId) -> Vec<ExprId> {
        let mut found = vec![];
        visit(self.u, Child::Stmt(s), |n| match n {
            Child::Expr(e) if matches!(self.u[e].kind, ExprKind::Call { .. }) => found.push(e),
            _ => {}
        });
        found
    }

    /// Does the statement access shared memory only before it calls anything that may change it?
    fn reads_before_calls(&self, s: StmtId) -> bool {
        let mut calls = self.calls_in(s);
        calls.retain(|e| matches!(self.u[*e].kind, ExprKind::Call { callee, .. } if self.purity(callee).is_none()));
        let Some(first) = calls.iter().map(|e| self.u[*e].toks).min_by_key(|t| t.lo) else { return true };
        let has_another = calls.iter().any(|e| self.u[*e].toks != first && first.contains(self.u[*e].toks));
        let (mut accesses, mut has_loop, mut around) = (vec![], false, self.u[s].toks);
        visit(self.u, Child::Stmt(s), |n| match n {
            Child::Expr(e) if self.is_shared_lvalue(e) && !self.is_array(e) => accesses.push(self.u[e].toks),
            Child::Stmt(x) => {
                has_loop |= self.is_loop(x);
                if self.u[x].toks.contains(first) {
                    around = self.u[x].toks;
                }
            }
            Child::Decl(d) if self.u[d].toks.contains(first) => around = self.u[d].toks,
            _ => {}
        });
        // What a call is given is computed before it.
        accesses.iter().all(|at| !has_loop && (at.hi <= around.lo || (first.contains(*at) && !has_another)))
    }
}
