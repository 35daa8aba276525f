//! Split-C: assignments that do not wait for their data, `tolocal` and `toglobal`, and the entry of a program
//! (runtime/lang/split_c.h).

use crate::code::Code;
use crate::write::Writer;
use fathom_sema::{Block, SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, Child};

impl Writer<'_> {
    /// `l := r` and `l :- r`.
    pub(crate) fn split(&mut self, op: SplitOp, l: ExprId, r: ExprId) -> Code {
        let to = self.unqualified(self.s.ty(l));
        if self.is_shared_lvalue(l) && !self.is_bit_field(l) {
            let (v, at) = (self.temp("v"), self.temp("at"));
            let start = match op {
                SplitOp::Start => "fathom_split_put",
                SplitOp::Store => "fathom_split_store",
            };
            let construct = match op {
                SplitOp::Start => "put",
                SplitOp::Store => "store",
            };
            let value = self.converted(r);
            let place = self.place(l);
            let place = self.counted_as(l, construct, place);
            let here = self.here(self.u[l].toks, "; ");
            return code![
                format!("__extension__ ({{ {} = ", self.c_type(to, &v)),
                value,
                format!("; const fathom_ptr {at} = "),
                self.word_at(place),
                format!("; {here}{start}({at}, &{v}, sizeof {v}); }})")
            ];
        }
        let same = self.unqualified(self.s.ty(r)) == to;
        if same && self.is_shared_lvalue(r) && !self.is_bit_field(l) && !self.is_bit_field(r) {
            let (p, at) = (self.temp("p"), self.temp("at"));
            let target = self.expr(l);
            let place = self.place(r);
            let place = self.counted_as(r, "get", place);
            let here = self.here(self.u[r].toks, "; ");
            return code![
                format!("__extension__ ({{ {} = &(", self.c_type(to, &format!("*{p}"))),
                target,
                format!("); const fathom_ptr {at} = "),
                self.word_at(place),
                format!("; {here}fathom_split_get({p}, {at}, sizeof *{p}); }})")
            ];
        }
        // A value that has to be converted, or part of a byte: the access completes at once.
        let value = self.converted(r);
        let assigned = match self.is_shared_lvalue(l) {
            true => self.write(l, value),
            false => code![self.expr(l), " = ", value],
        };
        code!["((void)(", assigned, "))"]
    }

    /// A spread array in a block. All processors that declare it have it at the same offset.
    pub(crate) fn is_automatic(&self, sym: SymId) -> bool {
        let s = &self.s.symbols[sym.0 as usize];
        !s.is_static && matches!(self.s.types.shared(s.ty), Some(Block::Spread { .. }))
    }

    pub(crate) fn spread_object(&mut self, sym: SymId, name: &str) -> Code {
        let t = self.s.symbols[sym.0 as usize].ty;
        format!(
            "fathom_ptr {name} __attribute__((unused, cleanup(fathom_split_leave))) = fathom_split_enter({}, {}); ",
            self.count(t),
            self.block_bytes(t)
        )
        .into()
    }

    /// `__fathom_tolocal(p)` and `__fathom_toglobal(processor, p)`.
    pub(crate) fn place_call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Option<Code> {
        let ExprKind::Ident(name) = self.u[callee].kind else { return None };
        if !self.is_split_c() || self.s.expr_sym[callee.index()].is_some() {
            return None;
        }
        match (self.p.source.name(name), args) {
            ("__fathom_tolocal", [p]) => {
                let star = self.c_cast(self.s.ty(e));
                Some(match self.reachable_word(*p) {
                    Some(word) => code![format!("(({star})fathom_split_local("), word, "))"],
                    None => self.expr(*p),
                })
            }
            ("__fathom_toglobal", [processor, p]) => {
                let processor = self.expr(*processor);
                let word = match self.reachable_word(*p) {
                    Some(word) => word,
                    None => code!["fathom_split_global(", self.expr(*p), ")"],
                };
                Some(code!["fathom_split_on(", processor, ", ", word, ")"])
            }
            _ => None,
        }
    }

    /// The word of a global pointer, or of an object that one leads to; none for a local pointer.
    fn reachable_word(&mut self, p: ExprId) -> Option<Code> {
        if self.is_shared_ptr(self.s.rvalue_ty(p)) {
            return Some(self.word_of(p));
        }
        let is_object = self.is_shared_lvalue(p) && self.s.types.pointee(self.s.rvalue_ty(p)).is_none();
        is_object.then(|| self.address(p))
    }

    /// `main`, in the unit that defines `splitc_main`.
    pub(crate) fn split_main(&mut self) -> Code {
        let named =
            |f: &&FnDef| self.u[f.declarator].name.is_some_and(|(name, _)| self.p.source.name(name) == "splitc_main");
        let mut functions = self.u.items.iter().filter_map(|i| if let Item::Fn(f) = i { Some(f) } else { None });
        let Some(main) = functions.find(named) else { return Code::new() };
        let parameters = match self.u[main.declarator].derivs.first() {
            Some(Deriv::Function { params: Params::Proto { params, .. }, .. }) => params.len(),
            Some(Deriv::Function { params: Params::Kr(names), .. }) => names.len(),
            _ => 0,
        };
        let arguments = ["", "argc", "argc, argv", "argc, argv, environ"][parameters.min(3)];
        // Old programs end without a `return`, also where the function has a type.
        let call = format!("splitc_main({arguments})");
        let body = match self.has_status(main) {
            true => format!("return {call};"),
            false => format!("{call}; return 0;"),
        };
        format!(
            "extern char **environ;\nstatic int fathom_split_entry(int argc, char **argv) {{ (void)argc, (void)argv; \
             {body} }}\nint main(int argc, char **argv) {{ return fathom_split_main(fathom_split_entry, argc, argv); \
             }}\n"
        )
        .into()
    }

    /// Does the function return an integer that its text gives?
    fn has_status(&self, main: &FnDef) -> bool {
        let ty = self.s.declarator_ty[main.declarator.index()];
        let TyKind::Function(f) = self.s.types.kind(ty) else { return false };
        let mut returns = false;
        walk(self.u, Child::Stmt(main.body), |n| {
            if let Child::Stmt(s) = n {
                returns |= matches!(self.u[s].kind, StmtKind::Return(Some(_)));
            }
            true
        });
        returns && self.s.types.is_integer(f.ret)
    }
}
