//! Calls. Arguments are converted to the parameters' types; the library functions that are a few instructions on this
//! conduit are called by their inline twins (`fathom_upc_…`, runtime/lang/inline.h).

use crate::code::Code;
use crate::plan::library::library_name;
use crate::plan::updates::Update;
use crate::write::Writer;
use fathom_syntax::ast::*;

/// Functions of upc.h with an inline twin of the same signature.
const INLINE: [&str; 8] = [
    "upc_memcpy",
    "upc_memget",
    "upc_memput",
    "upc_memset",
    "upc_threadof",
    "upc_phaseof",
    "upc_addrfield",
    "upc_resetphase",
];

impl Writer<'_> {
    pub(crate) fn call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Code {
        if let Some(code) = self.explained_call(e, callee, args) {
            return self.fetched_call(e, code);
        }
        if let Some(code) = self.place_call(e, callee, args) {
            return code;
        }
        let code = match self.plan.atomic(e) {
            Some(update) => self.atomic_update("fathom_atomic_update(", callee, args, update),
            None => self.plain_call(e, callee, args),
        };
        let code = self.call_here(e, callee, code);
        self.fetched_call(e, code)
    }

    /// `bupc_atomicX_fetchOP_relaxed(p, x)` where the result is not used.
    pub(crate) fn atomic_update(&mut self, call: &str, callee: ExprId, args: &[ExprId], update: Update) -> Code {
        let params = self.callee_type(callee).map_or(vec![], |f| f.params);
        let [to, operand] = params[..] else { return Code::new() };
        let p = self.converted(args[0]);
        let word = self.word(p, to);
        let Update { object, op, .. } = update;
        code![
            call,
            word,
            format!(", FATHOM_UPDATE_{object}, FATHOM_UPDATE_{op}, (unsigned long)({})(", self.c_cast(operand)),
            self.expr(args[1]),
            "))"
        ]
    }

    fn plain_call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Code {
        let f = self.callee_type(callee);
        let mut parts = vec![];
        if let Some(name) = library_name(self.p, self.s, callee).filter(|n| INLINE.contains(n)) {
            parts.push((self.u[callee].toks, format!("fathom_{name}").into()));
        } else if self.translated.expr(callee) {
            parts.push((self.u[callee].toks, self.expr(callee)));
        }
        for (i, a) in args.iter().enumerate() {
            let param = f.as_ref().and_then(|f| f.params.get(i).copied());
            let code = match param {
                Some(t) if self.crosses(*a, t) => self.converted(*a),
                _ if self.translated.expr(*a) => self.expr(*a),
                _ => continue,
            };
            parts.push((self.u[*a].toks, code));
        }
        self.splice(self.u[e].toks, parts)
    }
}
