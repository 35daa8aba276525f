//! Loops that wait for another thread: `while (!flag) ;`.

use super::effects::visit;
use super::facts::Facts;
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// A variable that is set, and to what; none: in another way than by `=`.
type Set = (SymId, Option<ExprId>);

/// The variables of which `is_one` says so, given those that have been found before.
fn closure(set: &[Set], is_one: impl Fn(SymId, Option<ExprId>, &[SymId]) -> bool) -> Vec<SymId> {
    let mut found = vec![];
    while let Some((v, _)) = set.iter().find(|(v, value)| !found.contains(v) && is_one(*v, *value, &found)) {
        found.push(*v);
    }
    found
}

impl<'a> Facts<'a> {
    /// Does the loop wait for another thread? What ends it follows from shared objects that nothing in it changes. If they are relaxed, nothing
    /// else would prevent anybody from reading them once and for all.
    pub fn waits(&self, s: StmtId) -> bool {
        let (cond, step, body) = match &self.u[s].kind {
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (Some(*cond), None, *body),
            StmtKind::For { cond, step, body, .. } => (*cond, *step, *body),
            _ => return false,
        };
        let ends = match cond.filter(|c| !matches!(self.u[self.unparen(*c)].kind, ExprKind::Number)) {
            Some(cond) => vec![cond],
            None => self.conditions_of_breaks(body),
        };
        let parts = [cond.map(Child::Expr), step.map(Child::Expr), Some(Child::Stmt(body))];
        let set: Vec<_> = parts.iter().flatten().flat_map(|part| self.values_set(*part)).collect();
        let uses_any = |e: ExprId, of: &[SymId]| of.iter().any(|v| self.uses(e, *v));
        // Variables whose values depend on which iteration it is, and those that are set to what is in shared memory.
        let counts = closure(&set, |v, value, found| value.is_none_or(|e| self.uses(e, v) || uses_any(e, found)));
        let is_shared = |e: ExprId, found: &[SymId]| self.reads_shared(e) || uses_any(e, found);
        let shared = closure(&set, |_, value, found| value.is_some_and(|e| is_shared(e, found)));
        if !ends.iter().any(|e| is_shared(*e, &shared)) || ends.iter().any(|e| uses_any(*e, &counts)) {
            return false;
        }
        let is_idle = |part: &Child<'a>| {
            let fx = self.effects(*part);
            let writes = !(fx.written.is_empty() && fx.pointed_written.is_empty() && fx.elements_written.is_empty());
            !fx.changes && !writes && fx.stops.is_empty()
        };
        parts.iter().flatten().all(is_idle)
    }

    /// What is set in a piece of code.
    fn values_set(&self, root: Child<'a>) -> Vec<Set> {
        let mut set = vec![];
        visit(self.u, root, |n| match n {
            Child::Expr(e) => match self.u[e].kind {
                ExprKind::Assign(None, l, value) => set.extend(self.variable(l).map(|v| (v, Some(value)))),
                ExprKind::Assign(Some(_), l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec | UnOp::AddrOf, l) => {
                    set.extend(self.variable(l).map(|v| (v, None)))
                }
                _ => {}
            },
            Child::Decl(d) => {
                for x in &self.u[d].declarators {
                    let value = match x.init.map(|i| &self.u[i].kind) {
                        Some(InitKind::Expr(e)) => Some(*e),
                        Some(_) => None,
                        None => continue,
                    };
                    set.extend(self.s.declarator_sym[x.declarator.index()].map(|v| (v, value)));
                }
            }
            _ => {}
        });
        set
    }

    /// Of a body's own statements `if (…) break;`.
    fn conditions_of_breaks(&self, body: StmtId) -> Vec<ExprId> {
        let is_break = |s: StmtId| match &self.u[s].kind {
            StmtKind::Break => true,
            StmtKind::Compound(items) => {
                matches!(items.last(), Some(BlockItem::Stmt(s)) if matches!(self.u[*s].kind, StmtKind::Break))
            }
            _ => false,
        };
        let of = |s: StmtId| match self.u[s].kind {
            StmtKind::If { cond, then, .. } if is_break(then) => Some(cond),
            _ => None,
        };
        match &self.u[body].kind {
            StmtKind::Compound(items) => {
                let statements = items.iter().filter_map(|i| if let BlockItem::Stmt(s) = i { Some(*s) } else { None });
                statements.filter_map(of).collect()
            }
            _ => of(body).into_iter().collect(),
        }
    }
}
