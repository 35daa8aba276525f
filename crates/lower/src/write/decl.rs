//! Declarations. A declaration whose types do not mention shared keeps its text, with the expressions in it lowered. A
//! declaration whose types mention shared is written anew, one declaration for each declarator, from the types that
//! `sema` computed; a record defined in its specifiers is written first, on its own.

use crate::code::Code;
use crate::plan::translated;
use crate::write::Writer;
use fathom_sema::{SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;

type Parts = Vec<(TokRange, Code)>;

/// Stands before `inline` in an inline definition and its declarations. C compilers do not warn about an unused
/// function that is `inline` and not `static`, so they must not warn about this one.
const STATIC: &str = "static __attribute__((__unused__)) ";

/// `inline` with [`STATIC`] before it.
fn static_part(specs: &DeclSpecs) -> Option<(TokRange, Code)> {
    let inline = specs.items.iter().find(|s| matches!(s.kind, SpecKind::Inline))?;
    Some((inline.toks, code![STATIC, inline.toks]))
}

impl Writer<'_> {
    pub(crate) fn mentions_ty(&self, t: Ty) -> bool {
        translated::mentions_shared(&self.s.types, t)
    }
    /// Does the declarator's type mention a shared type?
    pub(crate) fn mentions(&self, d: DeclaratorId) -> bool {
        self.mentions_ty(self.s.declarator_ty[d.index()])
    }
    /// Must the specifiers be changed?
    pub(crate) fn retyped_specs(&self, specs: &DeclSpecs) -> bool {
        specs.items.iter().any(|s| match &s.kind {
            SpecKind::Shared(_) | SpecKind::Qual(Qual::Strict | Qual::Relaxed) => true,
            SpecKind::TypeofExpr(e) => self.translated.expr(*e),
            SpecKind::TypeofType(t) if !self.mentions_ty(self.s.type_name_ty[t.index()]) => false,
            SpecKind::TypeofType(t) | SpecKind::AtomicType(t) => self.translated.type_name(*t),
            _ => false,
        })
    }

    /// A declaration at file scope or, with `block`, in a block.
    pub(crate) fn decl(&mut self, id: DeclId, block: bool) -> Code {
        let u = self.u;
        let d = &u[id];
        let made_static = !block && d.declarators.iter().any(|x| self.made_static(x.declarator));
        if block {
            d.declarators.iter().for_each(|x| self.announce_static(x.declarator));
        }
        let retype = self.retyped_specs(&d.specs)
            || d.declarators.iter().any(|x| self.mentions(x.declarator))
            || d.declarators.iter().any(|x| self.must_defer(x))
            || d.declarators.iter().any(|x| made_static && !self.made_static(x.declarator))
            || (!block && d.declarators.iter().any(|x| self.depends_on_threads(x.declarator)));
        if !retype {
            let mut parts = vec![];
            self.specs_parts(&d.specs, &mut parts);
            if made_static {
                parts.extend(static_part(&d.specs));
            }
            for x in &d.declarators {
                self.init_declarator_parts(x, &mut parts);
            }
            return self.splice(d.toks, parts);
        }
        let mut out = self.definitions_in(&d.specs);
        for x in &d.declarators {
            let code = self.one_declarator(&d.specs, x, block);
            out.push(code);
        }
        if out.is_empty() {
            out.push(if block { ";" } else { "" });
        }
        out
    }

    /// An array type whose size is a multiple of THREADS, in the dynamic environment: at file scope C has no such type.
    fn depends_on_threads(&self, d: DeclaratorId) -> bool {
        let mut ty = self.s.declarator_ty[d.index()];
        while let TyKind::Array(elem, len) = *self.s.types.kind(ty) {
            if matches!(len, fathom_sema::Len::Threads(_) | fathom_sema::Len::Vla(_)) {
                return true;
            }
            ty = elem;
        }
        false
    }

    /// The records and enumerations that the specifiers define, as declarations of their own.
    pub(crate) fn definitions_in(&mut self, specs: &DeclSpecs) -> Code {
        let mut out = Code::new();
        for s in &specs.items {
            if let Some(definition) = self.definition_in(s) {
                out.push(definition).push("; ");
            }
        }
        out
    }

    /// The record or enumeration that a specifier defines.
    pub(crate) fn definition_in(&mut self, s: &Spec) -> Option<Code> {
        match s.kind {
            SpecKind::Record(r) if self.u[r].members.is_some() => Some(self.record_spec(r, true)),
            SpecKind::Enum(e) if self.u[e].enumerators.is_some() => Some(self.enum_spec(e, true)),
            _ => None,
        }
    }

    /// Is the declarator that of an inline definition, which C would leave to another unit?
    fn made_static(&self, d: DeclaratorId) -> bool {
        self.s.declarator_sym[d.index()].is_some_and(|s| self.s.symbols[s.0 as usize].is_inline_definition())
    }

    /// A declaration in a block that is the first declaration of an inline definition: the function is declared
    /// `static` before it, and the declaration in the block then follows that one (C11 6.2.2 p4).
    fn announce_static(&mut self, d: DeclaratorId) {
        let Some(sym) = self.s.declarator_sym[d.index()] else { return };
        let symbol = &self.s.symbols[sym.0 as usize];
        let first = self.u[d].name.is_some_and(|(_, token)| symbol.decl.lo == token);
        if first && symbol.is_inline_definition() {
            let name = self.p.source.name(symbol.name);
            let declared = self.c_type(self.s.declarator_ty[d.index()], name);
            self.hoisted.push(format!("{STATIC}inline {declared};\n"));
        }
    }

    /// Storage class, function specifiers and attributes, which a rewritten declaration keeps.
    fn kept_specs(&self, specs: &DeclSpecs, made_static: bool) -> Code {
        let mut out = Code::new();
        let mut before_inline = made_static.then_some(STATIC);
        for s in &specs.items {
            let keep = match &s.kind {
                SpecKind::Storage(_) | SpecKind::Inline | SpecKind::Noreturn | SpecKind::Extension => true,
                SpecKind::AlignasExpr(_) | SpecKind::AlignasType(_) => true,
                SpecKind::Attr(a) => !a.iter().any(|a| matches!(self.p.source.name(a.name), "vector_size" | "mode")),
                _ => false,
            };
            if keep {
                if let (SpecKind::Inline, Some(text)) = (&s.kind, before_inline) {
                    out.push(text);
                    before_inline = None;
                }
                out.push(Code::from(s.toks)).push(" ");
            }
        }
        out
    }

    /// One declarator of a declaration that is written anew.
    fn one_declarator(&mut self, specs: &DeclSpecs, x: &InitDeclarator, block: bool) -> Code {
        let u = self.u;
        let Some((name, _)) = u[x.declarator].name else {
            return Code::new();
        };
        let name = self.p.source.name(name).to_owned();
        let ty = self.s.declarator_ty[x.declarator.index()];
        let Some(sym) = self.s.declarator_sym[x.declarator.index()] else {
            return Code::new();
        };
        let trailer = Code::from(x.trailer);
        match self.s.symbols[sym.0 as usize].kind {
            SymKind::Typedef => {
                let dimensions = self.kept_dimensions(x.declarator);
                // What uses it prints the type that it stands for.
                if self.depends_on_threads(x.declarator) && (!block || self.s.types.is_shared(ty)) {
                    return dimensions;
                }
                let kept = self.kept_specs(specs, false);
                code![dimensions, kept, self.declare(x.declarator, &name), " ", trailer, "; "]
            }
            SymKind::Function => {
                let kept = self.kept_specs(specs, !block && self.made_static(x.declarator));
                code![kept, self.c_type(ty, &name), " ", trailer, "; "]
            }
            _ if self.is_automatic(sym) => code![self.kept_dimensions(x.declarator), self.spread_object(sym, &name)],
            _ if self.s.types.is_shared(self.s.symbols[sym.0 as usize].ty) => {
                self.shared_object(sym, x.init);
                Code::new()
            }
            // Those of an old-style definition's parameters are declared in its body.
            _ if self.s.symbols[sym.0 as usize].is_param => self.private_object(specs, x, sym, &name, block),
            _ => code![self.kept_dimensions(x.declarator), self.private_object(specs, x, sym, &name, block)],
        }
    }

    /// Variables for the dimensions that the types of this declarator's object have, evaluated once (C11 6.7.6.2 p5).
    fn kept_dimensions(&mut self, d: DeclaratorId) -> Code {
        let sizes: Vec<ExprId> = self.s.dimensions_of(self.u, d).collect();
        let mut out = Code::new();
        for e in sizes {
            let name = self.s.dimension(self.p, e);
            out.push(format!("const long {name} __attribute__((unused)) = ")).push(self.expr(e)).push("; ");
        }
        out
    }

    /// The same for the parameters of a definition.
    fn dimensions_of_parameters(&mut self, f: &FnDef) -> Code {
        let u = self.u;
        let mut all = vec![];
        if let Some(Deriv::Function { params: Params::Proto { params, .. }, .. }) = u[f.declarator].derivs.first() {
            all.extend(params.iter().map(|p| p.declarator));
        }
        all.extend(f.kr_decls.iter().flat_map(|d| u[*d].declarators.iter().map(|x| x.declarator)));
        let mut out = Code::new();
        for d in all {
            out.push(self.kept_dimensions(d));
        }
        out
    }

    fn private_object(&mut self, specs: &DeclSpecs, x: &InitDeclarator, sym: SymId, name: &str, block: bool) -> Code {
        let kept = self.kept_specs(specs, false);
        let trailer = Code::from(x.trailer);
        let symbol = self.s.symbols[sym.0 as usize].clone();
        if symbol.is_static && self.must_defer(x) {
            let init = x.init.expect("a deferred initialiser");
            let assign = self.assign_init(name, self.s.types.plain(symbol.ty), init);
            let decl = code![kept, self.s.c_type_assigned(self.p, symbol.ty, name), " ", trailer, "; "];
            if !block {
                self.inits.push(assign);
                return decl;
            }
            let flag = self.temp("once");
            return code![decl, format!("static char {flag}; if (!{flag}) {{ {flag} = 1; "), assign, "} "];
        }
        let declared =
            if symbol.is_static { Code::from(self.c_type(symbol.ty, name)) } else { self.declare(x.declarator, name) };
        let mut out = code![kept, declared, " ", trailer];
        if let Some(i) = x.init {
            out.push(" = ").push(self.init(i));
        }
        out.push("; ");
        out
    }

    /// `name = initialiser;` as a statement, for objects of any type.
    pub(crate) fn assign_init(&mut self, lvalue: &str, ty: Ty, init: InitId) -> Code {
        let value = self.init(init);
        if let TyKind::Array(..) = self.s.types.kind(ty) {
            let temp = self.temp("init");
            return code![
                "{ ",
                self.c_type(ty, &temp),
                " = ",
                value,
                "; ",
                format!("__builtin_memcpy({lvalue}, {temp}, sizeof {temp}); }} ")
            ];
        }
        let scalar_list = self.s.types.shared_pointee(ty).is_some();
        match self.u[init].kind {
            InitKind::List(_) if !scalar_list => code![lvalue, " = (", self.c_cast(ty), ")", value, "; "],
            _ if self.is_phased(ty) => code![lvalue, " = (fathom_pptr)", self.braced(value), "; "],
            _ => code![lvalue, " = ", value, "; "],
        }
    }

    /// A pointer with phase may have the form `{0, 0}` (which needs the type before it) or be an expression.
    fn braced(&self, value: Code) -> Code {
        match value.0.as_slice() {
            [crate::code::Part::Text(t)] if t == "{0, 0}" => value,
            _ => code!["(", value, ")"],
        }
    }

    /// A static object whose initialiser C cannot evaluate at translation: it holds the address of a shared object, or
    /// depends on THREADS in the dynamic environment.
    fn must_defer(&self, x: &InitDeclarator) -> bool {
        let Some(init) = x.init else { return false };
        let Some(sym) = self.s.declarator_sym[x.declarator.index()] else {
            return false;
        };
        let symbol = &self.s.symbols[sym.0 as usize];
        symbol.is_static
            && !self.s.types.is_shared(symbol.ty)
            && self.translated.init(init)
            && !self.constant_init(init)
    }

    fn constant_init(&self, id: InitId) -> bool {
        if !self.translated.init(id) {
            return true;
        }
        match &self.u[id].kind {
            InitKind::List(items) => items.iter().all(|i| self.constant_init(i.init)),
            InitKind::Expr(e) => {
                self.s.is_null_constant(self.p, *e)
                    || self.s.const_int(self.p, *e).is_some()
                    || !self.translated.expr(*e)
                    || matches!(self.s.types.kind(self.s.ty(*e)), TyKind::Function(_))
            }
        }
    }

    /// An initialiser, with its leaves converted to the types of the objects that they initialise.
    pub(crate) fn init(&mut self, id: InitId) -> Code {
        let scalar = self.s.types.shared_pointee(self.s.init_ty[id.index()]).is_some();
        match &self.u[id].kind {
            InitKind::List(items) if !scalar && self.is_zero_list(items) => self.u[id].toks.into(),
            _ => self.init_inside(id),
        }
    }

    fn init_inside(&mut self, id: InitId) -> Code {
        let u = self.u;
        if !self.translated.init(id) {
            return u[id].toks.into();
        }
        let ty = self.s.init_ty[id.index()];
        match &u[id].kind {
            InitKind::Expr(e) => {
                if self.is_phased(ty) && self.s.is_null(*e) {
                    // C would take braces here for those of the aggregate that has none.
                    return if self.s.init_unbraced[id.index()] { "0, 0".into() } else { "{0, 0}".into() };
                }
                self.converted(*e)
            }
            InitKind::List(items) => {
                if self.s.types.shared_pointee(ty).is_some() {
                    return match items.first() {
                        Some(i) => self.init(i.init),
                        None if self.is_phased(ty) => "{0, 0}".into(),
                        None => "0".into(),
                    };
                }
                let mut parts = vec![];
                for i in items {
                    for d in &i.designators {
                        match d {
                            Designator::Index(e) => self.part(*e, &mut parts),
                            Designator::Range(l, h) => {
                                self.part(*l, &mut parts);
                                self.part(*h, &mut parts);
                            }
                            Designator::Field(_) => {}
                        }
                    }
                    if self.translated.init(i.init) {
                        parts.push((u[i.init].toks, self.init_inside(i.init)));
                    }
                }
                self.splice(u[id].toks, parts)
            }
        }
    }

    /// `{0}`, the initialiser of any aggregate: C compilers know it and do not warn about missing braces, so it stays.
    fn is_zero_list(&self, items: &[InitItem]) -> bool {
        let [InitItem { designators, init, .. }] = items else { return false };
        let InitKind::Expr(e) = self.u[*init].kind else { return false };
        let zero = self.s.types.is_integer(self.s.ty(e)) && self.s.const_int(self.p, e) == Some(0);
        designators.is_empty() && zero && !self.translated.expr(e)
    }

    pub(crate) fn part(&mut self, e: ExprId, parts: &mut Parts) {
        if self.translated.expr(e) {
            parts.push((self.u[e].toks, self.expr(e)));
        }
    }

    fn init_declarator_parts(&mut self, x: &InitDeclarator, parts: &mut Parts) {
        // Of an old-style definition.
        let is_param =
            self.s.declarator_sym[x.declarator.index()].is_some_and(|sym| self.s.symbols[sym.0 as usize].is_param);
        match is_param {
            true => self.parameter_parts(x.declarator, true, parts),
            false => self.declarator_parts(x.declarator, parts),
        }
        for a in &x.attrs {
            for e in &a.args {
                self.part(*e, parts);
            }
        }
        if let Some(i) = x.init.filter(|i| self.translated.init(*i)) {
            parts.push((self.u[i].toks, self.init(i)));
        }
    }

    /// The parts to be replaced inside specifiers that otherwise stay.
    pub(crate) fn specs_parts(&mut self, specs: &DeclSpecs, parts: &mut Parts) {
        for s in &specs.items {
            match &s.kind {
                SpecKind::Record(r) if self.translated.record(*r) => parts.push((s.toks, self.record_spec(*r, false))),
                SpecKind::Enum(e) => {
                    let code = self.enum_spec(*e, false);
                    parts.push((s.toks, code));
                }
                // Outside of functions the expression might not be one that C accepts.
                SpecKind::TypeofExpr(e) if self.translated.expr(*e) && !self.is_computed(self.s.ty(*e)) => {
                    parts.push((self.u[*e].toks, self.c_cast(self.s.ty(*e)).into()));
                }
                SpecKind::TypeofExpr(e) | SpecKind::AlignasExpr(e) => self.part(*e, parts),
                SpecKind::TypeofType(t) => self.type_name_parts(*t, parts),
                SpecKind::Attr(a) => {
                    for e in a.iter().flat_map(|a| &a.args) {
                        self.part(*e, parts);
                    }
                }
                _ => {}
            }
        }
    }

    /// The parts to be replaced inside a declarator that otherwise stays: array sizes, and those in its parameters.
    pub(crate) fn declarator_parts(&mut self, id: DeclaratorId, parts: &mut Parts) {
        let u = self.u;
        for d in &u[id].derivs {
            match d {
                Deriv::Array { size: ArraySize::Expr(e), .. } => self.part(*e, parts),
                Deriv::Function { .. } => self.parameters_parts(d, false, parts),
                _ => {}
            }
        }
    }

    /// The same of a function definition.
    fn definition_parts(&mut self, id: DeclaratorId, parts: &mut Parts) {
        let u = self.u;
        for (i, d) in u[id].derivs.iter().enumerate() {
            match d {
                Deriv::Function { .. } => self.parameters_parts(d, i == 0, parts),
                Deriv::Array { size: ArraySize::Expr(e), .. } => self.part(*e, parts),
                _ => {}
            }
        }
    }

    /// The same inside parameters; those of a definition, or of a prototype.
    fn parameters_parts(&mut self, function: &Deriv, are_defined: bool, parts: &mut Parts) {
        let Deriv::Function { params: Params::Proto { params, .. }, .. } = function else { return };
        for p in params {
            self.specs_parts(&p.specs, parts);
            self.parameter_parts(p.declarator, are_defined, parts);
        }
    }

    /// The same inside the declarator of a parameter. It stands outside of functions, where C has no statement expressions, which read shared objects:
    /// a function computes an array size. That of the parameter itself says nothing, as it is a pointer (C17 6.7.6.3 p7), but may be the only use of
    /// another parameter; those in a prototype say nothing (6.7.6.2 p5).
    fn parameter_parts(&mut self, id: DeclaratorId, is_defined: bool, parts: &mut Parts) {
        let u = self.u;
        for (i, d) in u[id].derivs.iter().enumerate() {
            match d {
                Deriv::Array { size: ArraySize::Expr(e), quals, toks, .. } if self.translated.expr(*e) => {
                    let is_known = self.s.const_int(self.p, *e).is_some();
                    if i == 0 && !is_known && !self.names_in(*e).iter().any(|s| self.s.symbols[s.0 as usize].is_param) {
                        let quals = quals.iter().fold(Code::new(), |code, q| code![code, q.toks, " "]);
                        parts.push((*toks, code!["[", quals, "]"]));
                    } else if is_known || (is_defined && !self.computes_size(*e, parts)) {
                        self.part(*e, parts);
                    } else if !is_defined {
                        parts.push((u[*e].toks, "*".into()));
                    }
                }
                Deriv::Function { .. } => self.parameters_parts(d, false, parts),
                _ => {}
            }
        }
    }

    /// The size is a call of a function that computes it, of the parameters that it names. False: there is none.
    fn computes_size(&mut self, e: ExprId, parts: &mut Parts) -> bool {
        let (mut names, mut declared) = (vec![], vec![]);
        let mut used = self.names_in(e);
        used.sort();
        used.dedup();
        for sym in used {
            let symbol = &self.s.symbols[sym.0 as usize];
            if !symbol.is_param {
                continue;
            }
            if self.is_computed(symbol.ty) {
                return false;
            }
            let name = self.p.source.name(symbol.name);
            declared.push(self.c_type(self.unqualified(symbol.ty), name));
            names.push(name.to_owned());
        }
        let name = self.temp("size");
        let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        let value = self.expr(e);
        self.hoisted
            .push(format!("static inline long {name}({declared}) {{ return (long)("))
            .push(value)
            .push("); }\n");
        parts.push((self.u[e].toks, format!("{name}({})", names.join(", ")).into()));
        true
    }

    /// The C declaration of `name` by a declarator. Array sizes next to the name keep their expressions (they may be
    /// variable); the rest is printed from the type.
    pub(crate) fn declare(&mut self, id: DeclaratorId, name: &str) -> Code {
        let u = self.u;
        let mut ty = self.s.declarator_ty[id.index()];
        let mut inner = Code::from(name);
        for d in &u[id].derivs {
            let (Deriv::Array { size, .. }, TyKind::Array(elem, _)) = (d, self.s.types.kind(ty).clone()) else {
                break;
            };
            inner.push("[");
            if let ArraySize::Expr(e) = size {
                inner.push(self.expr(*e));
            }
            inner.push("]");
            ty = elem;
        }
        const HOLE: &str = "fathom_hole_";
        let text = self.c_type(ty, HOLE);
        match text.split_once(HOLE) {
            Some((before, after)) => code![before, inner, after],
            None => code![text, inner],
        }
    }

    /// A function definition.
    pub(crate) fn fn_def(&mut self, f: &FnDef) -> Code {
        let u = self.u;
        let fn_ty = match self.s.types.kind(self.s.declarator_ty[f.declarator.index()]).clone() {
            TyKind::Function(t) => Some(t),
            _ => None,
        };
        let body = u[f.body].toks;
        let outer = std::mem::replace(&mut self.ret, fn_ty.as_ref().map(|t| t.ret));
        let region = self.plan.function(f).unwrap_or(self.region);
        let around = std::mem::replace(&mut self.region, region);
        let retype = self.retyped_specs(&f.specs) || self.mentions(f.declarator);
        let mut out = self.definitions_in_parameters(f);
        out.push(match (&fn_ty, retype) {
            (Some(t), true) => {
                let mut out = self.definitions_in(&f.specs);
                out.push(self.kept_specs(&f.specs, self.made_static(f.declarator)));
                out.push(self.fn_header(f, t));
                for d in &f.kr_decls {
                    out.push(" ");
                    out.push(if self.translated.decl(*d) { self.old_parameters(*d) } else { u[*d].toks.into() });
                }
                out.push(" ");
                out
            }
            _ => {
                let mut parts = vec![];
                self.specs_parts(&f.specs, &mut parts);
                if self.made_static(f.declarator) {
                    parts.extend(static_part(&f.specs));
                }
                self.definition_parts(f.declarator, &mut parts);
                for d in f.kr_decls.iter().filter(|d| self.translated.decl(**d)).copied().collect::<Vec<_>>() {
                    parts.push((u[d].toks, self.old_parameters(d)));
                }
                self.splice(TokRange::new(f.toks.lo, body.lo), parts)
            }
        });
        if let Some(sym) = self.s.declarator_sym[f.declarator.index()].filter(|_| self.options.explain) {
            self.explain.function = self.p.source.name(self.s.symbols[sym.0 as usize].name).to_owned();
        }
        if self.translated.stmt(f.body) {
            let dimensions = self.dimensions_of_parameters(f);
            let code = self.stmt(f.body);
            let in_block = !dimensions.is_empty();
            if in_block {
                out.push("{ ").push(dimensions);
            }
            out.push_in_place(body, code);
            if in_block {
                out.push(" }");
            }
        } else {
            out.push_src(body);
        }
        self.ret = outer;
        self.region = around;
        out
    }

    /// The records and enumerations that the types of parameters which are written anew define. A tag in a prototype keeps
    /// its scope, the function, as [`Writer::parameter`] defines it there.
    fn definitions_in_parameters(&mut self, f: &FnDef) -> Code {
        let u = self.u;
        let mut out = Code::new();
        if let Some(Deriv::Function { params: Params::Proto { params, .. }, .. }) = u[f.declarator].derivs.first() {
            for p in params {
                if self.mentions(p.declarator) && !self.defines_tag(&p.specs) {
                    out.push(self.definitions_in(&p.specs));
                }
            }
        }
        for d in &f.kr_decls {
            if u[*d].declarators.iter().any(|x| self.mentions(x.declarator)) {
                out.push(self.definitions_in(&u[*d].specs));
            }
        }
        out
    }

    /// Whether the record or enumeration that a specifier defines has a tag; None: it defines none.
    fn defines(&self, s: &Spec) -> Option<bool> {
        match s.kind {
            SpecKind::Record(r) => self.u[r].members.is_some().then_some(self.u[r].tag.is_some()),
            SpecKind::Enum(e) => self.u[e].enumerators.is_some().then_some(self.u[e].tag.is_some()),
            _ => None,
        }
    }

    fn defines_tag(&self, specs: &DeclSpecs) -> bool {
        specs.items.iter().any(|s| self.defines(s) == Some(true))
    }

    /// The declaration of a parameter whose type mentions shared.
    fn parameter(&mut self, p: &Param, ty: Ty) -> Code {
        let name = self.u[p.declarator].name.map_or("", |(n, _)| self.p.source.name(n)).to_owned();
        if !self.defines_tag(&p.specs) {
            return self.c_type(ty, &name).into();
        }
        let definition = p.specs.items.iter().find_map(|s| self.definition_in(s));
        let ty = self.c_type(self.s.types.decay(ty), "");
        code!["__typeof__((void)sizeof(", definition.unwrap_or_default(), format!("), *({ty} *)0) {name}")]
    }

    /// A declaration of parameters in an old-style definition.
    fn old_parameters(&mut self, id: DeclId) -> Code {
        let u = self.u;
        let d = &u[id];
        let defines = d.specs.items.iter().any(|s| self.defines(s).is_some());
        if !defines || !d.declarators.iter().any(|x| self.mentions(x.declarator)) {
            return self.decl(id, true);
        }
        let mut out = Code::new();
        for x in &d.declarators {
            let name = u[x.declarator].name.map_or("", |(n, _)| self.p.source.name(n)).to_owned();
            out.push(self.kept_specs(&d.specs, false)).push(self.declare(x.declarator, &name)).push("; ");
        }
        out
    }

    /// `type name(parameters)` of a definition whose type mentions shared.
    fn fn_header(&mut self, f: &FnDef, t: &fathom_sema::FnTy) -> Code {
        let u = self.u;
        let d = &u[f.declarator];
        let name = d.name.map_or("", |(n, _)| self.p.source.name(n));
        let mut inner = code![name, "("];
        match d.derivs.first() {
            Some(Deriv::Function { params: Params::Proto { params, variadic }, .. }) => {
                for (i, p) in params.iter().enumerate() {
                    if i > 0 {
                        inner.push(", ");
                    }
                    let ty = t.params.get(i).copied().unwrap_or(self.s.declarator_ty[p.declarator.index()]);
                    if self.mentions_ty(ty) {
                        inner.push(self.parameter(p, ty));
                    } else {
                        let mut parts = vec![];
                        self.specs_parts(&p.specs, &mut parts);
                        self.parameter_parts(p.declarator, true, &mut parts);
                        inner.push(self.splice(p.toks, parts));
                    }
                }
                if *variadic {
                    inner.push(", ...");
                } else if params.is_empty() {
                    inner.push("void");
                }
            }
            Some(Deriv::Function { params: Params::Kr(names), .. }) => {
                for (i, (n, _)) in names.iter().enumerate() {
                    if i > 0 {
                        inner.push(", ");
                    }
                    inner.push(self.p.source.name(*n));
                }
            }
            _ => {}
        }
        inner.push(")");
        const HOLE: &str = "fathom_hole_";
        let text = self.c_type(t.ret, HOLE);
        match text.split_once(HOLE) {
            Some((before, after)) => code![before, inner, after],
            None => code![text, inner],
        }
    }
}
