//! Writes groups of calls of `upc_memget` that are under way together (runtime/lang/together.h).

use crate::code::Code;
use crate::plan::together::Call;
use crate::write::Writer;
use fathom_syntax::ast::*;

impl Writer<'_> {
    /// A statement, with what comes before the first one of a group and behind the last one.
    pub(crate) fn in_group(&mut self, id: StmtId, code: Code) -> Code {
        let together = &self.plan.together;
        let (first, last) = (together.first.get(&id).copied(), together.last.get(&id).copied());
        let begin = first.map(|g| {
            let named = together.groups[g].named.clone();
            let extents: Vec<Code> = named.iter().map(|e| self.private_extent(*e)).collect();
            let mut begin = code![format!("struct fathom_together {0}; fathom_together_begin(&{0}); ", variable(g))];
            for extent in extents {
                begin.push(code![format!("fathom_together_named(&{}, ", variable(g)), extent, "); "]);
            }
            begin
        });
        let end = last.map(|g| format!(" fathom_together_end(&{});", variable(g)));
        match (begin, end) {
            (None, None) => code,
            (Some(begin), None) => code![begin, code],
            (None, Some(end)) => code![code, end],
            // It may be all that an `if` or a loop has.
            (Some(begin), Some(end)) => code!["{ ", begin, code, end, " }"],
        }
    }

    /// A call of a group, as a statement.
    pub(crate) fn call_together(&mut self, call: &Call) -> Code {
        let ExprKind::Call { callee, ref args } = self.u[call.expr].kind else { return self.u[call.expr].toks.into() };
        let params = self.callee_type(callee).map_or(vec![], |f| f.params);
        let mut given = code![format!("&{}", variable(call.group))];
        for (a, t) in args.iter().zip(params) {
            let arg = if self.crosses(*a, t) { self.converted(*a) } else { self.expr(*a) };
            given.push(code![", ", arg]);
        }
        let mut read: Vec<Code> = call.private.iter().map(|e| code!["{", self.private_extent(*e), "}"]).collect();
        read.extend(call.shared.iter().map(|e| self.shared_extent(*e)));
        if read.is_empty() {
            return code!["fathom_together_get(", given, ");"];
        }
        let count = read.len();
        let mut extents = Code::new();
        for extent in read {
            extents.push(code![extent, ", "]);
        }
        let extents = code!["__extension__ (const struct fathom_extent[]){", extents, "}"];
        let t = variable(call.group);
        code![
            format!("{{ if ({t}.transfer) fathom_together_read(&{t}, "),
            extents,
            format!(", {count}); fathom_together_get("),
            given,
            "); }"
        ]
    }

    fn private_extent(&mut self, e: ExprId) -> Code {
        code!["&(", self.expr(e), "), sizeof(", self.expr(e), ")"]
    }

    fn shared_extent(&mut self, e: ExprId) -> Code {
        let place = self.place(e);
        let bytes = self.s.size_of(self.s.ty(e)).map_or(1, |s| s.bytes);
        code!["fathom_shared_extent(", self.word_at(place), format!(", {bytes})")]
    }
}

/// The C variable of a group.
fn variable(group: usize) -> String {
    format!("fathom_together{group}")
}
