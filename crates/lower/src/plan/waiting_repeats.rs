//! Loops that wait and whose iterations all do the same: a simulated thread need not run each of them.

use super::effects::{visit, Effects, Stop};
use super::facts::Facts;
use super::library::library_name;
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

/// A loop that nothing ends but other threads.
struct Repeating {
    /// What each of its parts does, but for calls that only serve messages.
    effects: Vec<Effects>,
    /// The value of a variable depends on what variables were in the iteration before.
    depends: bool,
}

/// A loop whose iterations all do the same.
pub(crate) struct Repeats {
    /// It sets no variables. Else the first iteration may do something else.
    pub is_simple: bool,
}

/// Library functions that do nothing but serve messages.
const POLLS: [&str; 2] = ["upc_poll", "bupc_poll"];

impl<'a> Facts<'a> {
    /// Does each iteration of a loop that waits do what the one before has done, as long as the shared objects that it reads have the same values?
    pub fn repeats(&self, s: StmtId) -> Option<Repeats> {
        let only_orders = |fx: &Effects| {
            !fx.once_only && fx.stops.iter().all(|stop| matches!(stop, Stop::Strict | Stop::Fence | Stop::Wait))
        };
        let repeats = |w: &Repeating| !w.depends && w.effects.iter().all(only_orders);
        self.repeating(s)
            .filter(repeats)
            .map(|w| Repeats { is_simple: w.effects.iter().all(|fx| fx.assigned.is_empty()) })
    }

    fn repeating(&self, s: StmtId) -> Option<Repeating> {
        let (cond, step, body) = match &self.u[s].kind {
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (Some(*cond), None, *body),
            StmtKind::For { cond, step, body, .. } => (*cond, *step, *body),
            _ => return None,
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
            return None;
        }
        let polls: Vec<ExprId> = parts.iter().flatten().flat_map(|part| self.polls(*part)).collect();
        let effects: Vec<Effects> = parts.iter().flatten().map(|part| self.effects_but(*part, &polls)).collect();
        let is_idle = |fx: &Effects| {
            let writes = !(fx.written.is_empty() && fx.pointed_written.is_empty() && fx.elements_written.is_empty());
            !fx.changes && !writes
        };
        let is_waiting = effects.iter().all(is_idle);
        let depends = set.iter().any(|(_, value)| value.is_none_or(|e| set.iter().any(|(v, _)| self.uses(e, *v))));
        is_waiting.then_some(Repeating { effects, depends })
    }

    /// The calls in a piece of code that only serve messages.
    fn polls(&self, root: Child<'a>) -> Vec<ExprId> {
        let mut calls = vec![];
        visit(self.u, root, |n| {
            let Child::Expr(e) = n else { return };
            let ExprKind::Call { callee, .. } = self.u[e].kind else { return };
            if library_name(self.p, self.s, callee).is_some_and(|name| POLLS.contains(&name)) {
                calls.push(e);
            }
        });
        calls
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
