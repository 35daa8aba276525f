//! Calls. Arguments are converted to the parameters' types; the library functions that are a few instructions on this
//! conduit are called by their inline twins (`fathom_upc_…`, runtime/lang/inline.h).

use crate::code::Code;
use crate::Lower;
use fathom_sema::{Linkage, SymKind};
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

impl Lower<'_> {
    pub(crate) fn call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Code {
        if let Some(code) = self.explained_call(e, callee, args) {
            return code;
        }
        let f = self.callee_type(callee);
        let mut parts = vec![];
        if let Some(name) = self.library_name(callee).filter(|n| INLINE.contains(&n.as_str())) {
            parts.push((self.u[callee].toks, format!("fathom_{name}").into()));
        } else if self.touch.expr(callee) {
            parts.push((self.u[callee].toks, self.expr(callee)));
        }
        for (i, a) in args.iter().enumerate() {
            let param = f.as_ref().and_then(|f| f.params.get(i).copied());
            let code = match param {
                Some(t) if self.mentions_ty(t) => self.converted(*a),
                _ if self.touch.expr(*a) => self.expr(*a),
                _ => continue,
            };
            parts.push((self.u[*a].toks, code));
        }
        self.splice(self.u[e].toks, parts)
    }

    /// The name of a library function that is called directly.
    fn library_name(&self, callee: ExprId) -> Option<String> {
        let ExprKind::Ident(name) = self.u[callee].kind else {
            return None;
        };
        let sym = &self.s.symbols[self.s.expr_sym[callee.index()]?.0 as usize];
        (sym.kind == SymKind::Function && sym.linkage == Linkage::External && !sym.defined)
            .then(|| self.p.source.name(name).to_owned())
    }
}
