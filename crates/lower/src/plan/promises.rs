//! What pragmas before a loop promise (docs/decisions/0017), and what the plan need not compare or refuse for that.

use super::effects::visit;
use super::facts::Facts;
use fathom_syntax::ast::*;
use fathom_syntax::token::{Promised, TokRange};
use fathom_syntax::visit::Child;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Promises {
    /// No iteration touches what another one writes.
    pub independent: bool,
    /// Relaxed accesses of the loop may be made in any order.
    pub unordered: bool,
    /// The arrays, and the pointers to what, keeps its values; as `Promised::Constant` has them.
    pub constant: Vec<String>,
}

impl Promises {
    pub fn is_none(&self) -> bool {
        *self == Promises::default()
    }
}

impl Facts<'_> {
    /// A loop's body.
    pub fn body_of(&self, id: StmtId) -> Option<StmtId> {
        use StmtKind::*;
        match self.u[id].kind {
            For { body, .. } | While { body, .. } | DoWhile { body, .. } | Forall { body, .. } => Some(body),
            _ => None,
        }
    }

    /// The promises about the loop `id`; of another compiler's, those before its body, too.
    pub fn promises(&self, id: StmtId, body: StmtId) -> Promises {
        let mut found = Promises::default();
        let source = &self.p.source;
        let of_body =
            source.promises_before(self.u[body].toks.lo).iter().filter(|p| p.is_foreign && !self.is_loop(body));
        for p in source.promises_before(self.u[id].toks.lo).iter().chain(of_body) {
            match &p.promised {
                Promised::Independent => found.independent = true,
                Promised::Unordered => found.unordered = true,
                Promised::Constant(names) => found.constant.extend(names.iter().cloned()),
            }
        }
        found
    }

    /// What the loop assigns or steps, but for what need not be compared with these reads. If iterations are independent, that is
    /// what an iteration writes after it has made them all: it is innermost, so the order is that of the text.
    pub fn compared_writes(&self, body: StmtId, promises: &Promises, reads: &[ExprId]) -> Vec<ExprId> {
        let mut found = vec![];
        let behind = reads.iter().map(|r| self.u[*r].toks.hi).max().unwrap_or(0);
        visit(self.u, Child::Stmt(body), |n| {
            let Child::Expr(e) = n else { return };
            let at: TokRange = self.u[e].toks;
            match self.u[e].kind {
                ExprKind::Assign(_, l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l)
                    if !promises.independent || at.hi < behind =>
                {
                    found.push(l)
                }
                _ => {}
            }
        });
        found
    }
}
