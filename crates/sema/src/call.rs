//! Calls, declared and not, and generic selection.

use crate::builtins;
use crate::checks::c6_4;
use crate::rules;
use crate::scope::Checker;
use crate::*;

impl<'a> Checker<'a> {
    pub fn call(&mut self, e: ExprId, callee: ExprId, args: &'a [ExprId]) -> Ty {
        if let ExprKind::Ident(n) = self.u[callee].kind {
            if self.lookup(n).is_none() {
                return self.call_undeclared(callee, n, args);
            }
        }
        let mut f = self.value(callee);
        if let Some(to) = self.s.types.pointee(f) {
            f = to;
        }
        let TyKind::Function(fty) = self.s.types.kind(f) else {
            c6_4::called(self, callee, f);
            for &a in args {
                self.value(a);
            }
            return Ty::ERROR;
        };
        let (ret, proto) = (fty.ret, fty.proto);
        // Parameter types are read one at a time: typing an argument may add types.
        for (i, &a) in args.iter().enumerate() {
            let t = self.value(a);
            let param = match self.s.types.kind(f) {
                TyKind::Function(fty) if proto => fty.params.get(i).copied(),
                _ => None,
            };
            match param {
                Some(param) => {
                    // A union parameter may be transparent; records convert to nothing else anyway.
                    if self.s.types.record_of(param).is_none() {
                        self.convert(a, Conversion::Assignment, param);
                    }
                    c6_4::argument(self, param, a, t, i);
                    c6_4::atomic_operand(self, callee, a, t);
                }
                None => {
                    self.promote_argument(a, t);
                    c6_4::formatted(self, callee, a, t);
                }
            }
        }
        self.collective_call(callee, e);
        self.s.types.unqual(ret)
    }

    fn call_undeclared(&mut self, callee: ExprId, n: Name, args: &'a [ExprId]) -> Ty {
        let types: Vec<Ty> = args.iter().map(|&a| self.value(a)).collect();
        let name = self.name(n);
        if let Some(t) = builtins::result(&mut self.s.types, name, &types) {
            return t;
        }
        if let Some(t) = self.place_of(name, args, &types) {
            return t;
        }
        if ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"].iter().any(|p| name.starts_with(p)) {
            return Ty::ERROR;
        }
        // Implicit declaration: int name(). One symbol and one warning for the whole unit.
        let known = self.global(n).filter(|&s| self.s.symbols[s.0 as usize].kind == SymKind::Implicit);
        let s = known.unwrap_or_else(|| self.declare_implicitly(n, self.u[callee].toks));
        self.s.expr_sym[callee.index()] = Some(s);
        let ty = self.s.symbols[s.0 as usize].ty;
        self.set_ty(callee, ty);
        for (&a, &t) in args.iter().zip(&types) {
            self.promote_argument(a, t);
        }
        match self.s.types.kind(ty) {
            TyKind::Function(f) => f.ret,
            _ => Ty::INT,
        }
    }

    fn declare_implicitly(&mut self, n: Name, at: TokRange) -> SymId {
        let name = self.name(n);
        let ret = builtins::library(&mut self.s.types, name).unwrap_or(Ty::INT);
        let f = FnTy { ret, params: vec![], variadic: false, proto: false };
        let ty = self.s.types.intern(TyKind::Function(f), Quals::default());
        let s = self.new_symbol(n, SymKind::Implicit, ty, at);
        self.sym(s).linkage = Linkage::External;
        if self.global(n).is_none() {
            self.set_global(n, s);
        }
        if !self.in_system_header(at) {
            let library = name.starts_with("upc_") || name.starts_with("bupc_");
            let rule = if library { &rules::UNDECLARED_LIBRARY } else { &rules::IMPLICIT_FUNCTION };
            match fathom_syntax::library::header_of(name) {
                Some(header) => self.diags.push(without_header(name, header, at)),
                None => {
                    let hint = library.then(|| self.similar_function(name)).flatten();
                    let d = self.report(rule, at, format!("`{name}` is called without a declaration"));
                    d.hint = hint.or(d.hint.take());
                }
            }
        }
        s
    }

    /// What to do about the library function `name` that no header declares, although <upc.h> is included.
    fn similar_function(&self, name: &str) -> Option<String> {
        let names = &self.p.source.names;
        names.get("upc_all_alloc").and_then(|n| self.global(n))?;
        if let Some(hint) = advice(name) {
            return Some(hint.into());
        }
        let functions = self.s.symbols.iter().filter(|s| s.kind == SymKind::Function && !s.local);
        let like = functions
            .map(|s| names.str(s.name))
            .filter(|known| known.starts_with("upc_") || known.starts_with("bupc_"))
            .map(|known| (strsim::damerau_levenshtein(name, known), known))
            .min()
            .filter(|&(far, _)| far <= 1 + name.len() / 4);
        let known = "the included headers declare no such function";
        Some(like.map_or(known.into(), |(_, like)| format!("{known}; did you mean `{like}`?")))
    }

    pub fn generic(&mut self, e: ExprId, control: ExprId, assocs: &'a [(Option<TypeNameId>, ExprId)]) -> Ty {
        let t = self.value(control);
        let (mut chosen, mut default) = (None, None);
        for &(name, x) in assocs {
            let xt = self.expr(x);
            match name {
                None => default = Some((x, xt)),
                Some(n) => {
                    let n = self.type_name(n);
                    if chosen.is_none() && !self.s.types.is_error(t) && self.s.types.compatible(n, t) {
                        chosen = Some((x, xt));
                    }
                }
            }
        }
        match chosen.or(default) {
            Some((x, xt)) => {
                self.s.chosen.insert(e, x);
                xt
            }
            None => Ty::ERROR,
        }
    }
}

/// What to do about names that programs for other compilers use.
fn advice(name: &str) -> Option<&'static str> {
    Some(match name {
        "upc_all_reduce" | "upc_all_prefix_reduce" => {
            "the name ends in the type: `upc_all_reduceI` for int, `L` for long, `F`, `D`, … (<upc_collective.h>)"
        }
        "bupc_assert_type" => "Fathom has no such check: leave it out",
        _ if name.starts_with("bupc_team") => {
            "Fathom has no teams in UPC; the functions of <upc_collective.h> are for all threads"
        }
        _ => return None,
    })
}
