//! Loops in two versions, where objects may be far. Rows and views lie on one thread each, so whether they are near is
//! known before the loop (`Reach::If`). Where all that an innermost loop uses are, it runs as on a conduit with direct
//! memory, on C pointers; else in the form that asks at every access. More than innermost loops would multiply the text.

use crate::code::Code;
use crate::far::Reach;
use crate::walk::{effects, visit};
use crate::Lower;
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

impl Lower<'_> {
    /// The code that `make` makes of a C loop, or of the body of a `upc_forall`, in one version or two;
    /// `loops` is how many loops are the whole of it.
    pub(crate) fn versions(&mut self, id: StmtId, loops: usize, mut make: impl FnMut(&mut Self) -> Code) -> Code {
        let open = self.undecided(id, loops);
        if open.is_empty() {
            return make(self);
        }
        let mark = self.known_near.len();
        let all = open.join(" & ");
        self.known_near.extend(open);
        let near = make(self);
        self.known_near.truncate(mark);
        let far = make(self);
        code![format!("if (__builtin_expect({all}, 1)) {{ "), near, " } else { ", far, " }"]
    }

    /// A nearness that the code at hand may rely on is no question any more.
    pub(crate) fn settled(&self, reach: &Reach) -> Reach {
        match reach {
            Reach::If(name) if self.known_near.contains(name) => Reach::Near,
            r => r.clone(),
        }
    }

    /// The variables that say whether what the loop uses is near; none if it is not to be written twice.
    fn undecided(&mut self, body: StmtId, innermost: usize) -> Vec<String> {
        if self.options.direct || self.entered_sideways(body) {
            return vec![];
        }
        let u = self.u;
        let (mut loops, mut elements) = (0, vec![]);
        visit(u, Child::Stmt(body), |n| match n {
            Child::Stmt(s) => {
                use StmtKind::*;
                let is_loop = matches!(u[s].kind, For { .. } | While { .. } | DoWhile { .. } | Forall { .. });
                loops += usize::from(is_loop);
            }
            Child::Expr(e) if matches!(u[e].kind, ExprKind::Index(..)) => elements.push(e),
            _ => {}
        });
        if loops > innermost || effects(u, self.s, Child::Stmt(body)).once_only {
            return vec![];
        }
        let mut open = vec![];
        for e in elements {
            if !self.s.types.is_shared(self.s.ty(e)) {
                continue;
            }
            if let Some(Reach::If(name)) = self.alias_place(e).map(|p| p.reach) {
                if !open.contains(&name) {
                    open.push(name);
                }
            }
        }
        open
    }
}
