//! Declarators to types, parameters, declarations and function definitions.

use crate::checks::{c6_3, c6_5};
use crate::consteval::ThreadsForm;
use crate::rules;
use crate::scope::{Body, Checker, Saved};
use crate::specs::{QualList, Specified, Tagged};
use crate::*;

impl<'a> Checker<'a> {
    /// The type of a declarator. `[*]` is resolved if the declarator gives the size.
    pub fn declarator(&mut self, specs: &Specified, d: DeclaratorId) -> Ty {
        self.declarator_keeping(specs, d, false).0
    }

    /// The same, with the scope of the outermost parameter list, for a function definition.
    fn declarator_keeping(&mut self, specs: &Specified, d: DeclaratorId, keep: bool) -> (Ty, Option<Saved>) {
        let decl = &self.u[d];
        let mut ty = specs.ty;
        let mut kept = None;
        let mut arrays = specs.shared.is_some();
        for (i, deriv) in decl.derivs.iter().enumerate().rev() {
            match deriv {
                Deriv::Pointer { quals, toks } => {
                    let layout = if i + 1 == decl.derivs.len() { specs.layout } else { None };
                    ty = self.referenced(ty, layout, *toks);
                    let mut list = QualList::default();
                    for q in quals {
                        self.qualifier(&mut list, q, true);
                    }
                    if let Some((q, at)) = list.reach {
                        ty = self.referenced_by(ty, q, at);
                    }
                    ty = self.s.types.pointer(ty);
                    ty = self.qualify(ty, list, true);
                }
                Deriv::Array { size, toks, .. } => {
                    arrays = true;
                    if let (TyKind::Array(elem, Len::Unknown), true) =
                        (self.s.types.kind(ty).clone(), self.s.types.is_shared(ty))
                    {
                        // The C compiler, which would say it of a private array, does not see this one.
                        c6_5::array_size(self, *toks, "only the first dimension of a shared array can be left out");
                        ty = self.s.types.array(elem, Len::Const(1));
                    }
                    let len = self.array_len(ty, *size, *toks);
                    ty = self.s.types.array(ty, len);
                }
                Deriv::Spread { toks } => {
                    arrays = true;
                    ty = self.referenced_by(ty, Qual::Spread, *toks);
                }
                Deriv::Function { params, toks } => {
                    if self.s.types.is_shared(ty) {
                        c6_5::result(self, *toks);
                        ty = self.unshare(ty);
                    }
                    let (f, saved) = self.function(ty, params, keep && i == 0);
                    ty = f;
                    if i == 0 {
                        kept = Some(saved);
                    }
                }
            }
        }
        if arrays && self.s.types.mentions_shared(ty) {
            let at = if decl.toks.is_empty() { specs.shared.unwrap_or(decl.toks) } else { decl.toks };
            c6_5::array_types(self, ty, at);
            ty = self.resolve_star(ty);
        }
        self.s.declarator_ty[d.index()] = ty;
        (ty, kept)
    }

    fn array_len(&mut self, elem: Ty, size: ArraySize, toks: TokRange) -> Len {
        let ArraySize::Expr(e) = size else { return Len::Unknown };
        let vt = self.value(e);
        let shared = self.s.types.is_shared(elem);
        if let Some(n) = self.s.const_int(self.p, e) {
            if shared && n <= 0 {
                c6_5::array_size(self, self.u[e].toks, "the size of a shared array must be positive");
                return Len::Const(1);
            }
            return Len::Const(u64::try_from(n).unwrap_or(0));
        }
        if self.s.options.threads.is_none() {
            if let ThreadsForm::Times { n, plain } = self.s.threads_form(self.p, e) {
                if let (1.., Ok(n)) = (n, u64::try_from(n)) {
                    if shared && !plain {
                        let at = self.u[e].toks;
                        self.report(
                            &rules::THREADS_PRODUCT,
                            at,
                            "THREADS is multiplied by more than one constant in the size of a shared array",
                        );
                    }
                    return Len::Threads(n);
                }
                if shared {
                    let at = self.u[e].toks;
                    self.report(
                        &rules::THREADS_MULTIPLIER,
                        at,
                        "THREADS is multiplied by a value that is not positive",
                    );
                    return Len::Threads(1);
                }
            }
        }
        if shared && self.s.types.is_error(vt) {
            // Names something undeclared: the C compiler will not see this declaration, so say it here.
            c6_5::array_size(self, toks, "the size of a shared array must be an integer constant expression");
            return Len::Const(1);
        }
        Len::Vla(e)
    }

    /// A function type, and the scope of its parameters.
    fn function(&mut self, ret: Ty, params: &'a Params, definition: bool) -> (Ty, Saved) {
        self.push_scope();
        let mut list = vec![];
        let (mut vararg, mut proto) = (false, false);
        if let Params::Proto { params, variadic } = params {
            (vararg, proto) = (*variadic, true);
            list.reserve(params.len());
            if self.enter() {
                // Most headers are prototypes, whose parameters' names matter only to sizes and typeof.
                let named = definition || params.iter().any(|p| self.mentions_expr(p));
                for p in params {
                    let ty = self.param(p, named);
                    list.push(ty);
                }
                self.leave();
            }
        }
        let saved = self.pop_scope_saving();
        let f = FnTy { ret, params: list, variadic: vararg, proto };
        (self.s.types.intern(TyKind::Function(f), Quals::default()), saved)
    }

    fn mentions_expr(&self, p: &Param) -> bool {
        let sized = |d: &Deriv| matches!(d, Deriv::Array { size: ArraySize::Expr(_), .. } | Deriv::Function { .. });
        self.u[p.declarator].derivs.iter().any(sized)
            || p.specs.items.iter().any(|s| matches!(s.kind, SpecKind::TypeofExpr(_)))
    }

    fn param(&mut self, p: &'a Param, named: bool) -> Ty {
        let specs = self.specs(&p.specs);
        let ty = self.declarator(&specs, p.declarator);
        let attrs = self.attrs(&p.attrs);
        let ty = self.apply_attrs(ty, &attrs);
        let ty = self.adjust_param(ty, p.declarator, p.toks);
        self.s.declarator_ty[p.declarator.index()] = ty;
        self.keep_dimensions(p.declarator, ty);
        if let (Some((name, _)), true) = (self.u[p.declarator].name, named) {
            self.declare_param(name, ty, p.declarator, p.toks);
        }
        // The parameter's own qualifiers do not belong to the function's type (C 6.7.6.3 p15).
        self.s.types.unqual(ty)
    }

    fn declare_param(&mut self, name: Name, ty: Ty, d: DeclaratorId, at: TokRange) {
        let s = self.new_symbol(name, SymKind::Object, ty, at);
        let sym = self.sym(s);
        sym.is_param = true;
        sym.local = true;
        self.s.declarator_sym[d.index()] = Some(s);
        self.bind(name, s);
    }

    /// Arrays and functions become pointers (C 6.7.6.3 p7, p8), with the qualifiers between the brackets.
    fn adjust_param(&mut self, ty: Ty, d: DeclaratorId, at: TokRange) -> Ty {
        match *self.s.types.kind(ty) {
            TyKind::Array(elem, _) => {
                let elem = self.referenced(elem, None, at);
                let ptr = self.s.types.pointer(elem);
                let mut list = QualList::default();
                if let Some(Deriv::Array { quals, .. }) = self.u[d].derivs.first() {
                    for q in quals {
                        self.qualifier(&mut list, q, true);
                    }
                }
                let ptr = self.qualify(ptr, list, true);
                self.private_param(ptr, at)
            }
            TyKind::Function(_) => self.s.types.pointer(ty),
            _ => self.private_param(ty, at),
        }
    }

    fn private_param(&mut self, ty: Ty, at: TokRange) -> Ty {
        match c6_5::parameter(self, ty, at) {
            true => ty,
            false => self.unshare(ty),
        }
    }

    pub fn type_name(&mut self, t: TypeNameId) -> Ty {
        if !self.enter() {
            return Ty::ERROR;
        }
        let tn = &self.u[t];
        let specs = self.specs(&tn.specs);
        let ty = self.declarator(&specs, tn.declarator);
        self.s.type_name_ty[t.index()] = ty;
        self.leave();
        ty
    }

    pub fn decl(&mut self, id: DeclId) {
        let d = &self.u[id];
        let specs = self.specs(&d.specs);
        if d.declarators.is_empty() {
            // `struct S;` alone declares the tag anew in this scope.
            if let [Spec { kind: SpecKind::Record(r), .. }] = d.specs.items.as_slice() {
                self.redeclare_tag(*r);
            }
        }
        for i in &d.declarators {
            self.init_declarator(&specs, i);
        }
    }

    fn redeclare_tag(&mut self, r: RecordSpecId) {
        let spec = &self.u[r];
        if let (Some(tag), None) = (spec.tag, &spec.members) {
            if self.lookup_tag_here(tag).is_none() {
                let key = if spec.is_union { "union" } else { "struct" };
                let id = RecordId(self.s.types.records.len() as u32);
                self.s.types.records.push(Record {
                    is_union: spec.is_union,
                    tag: Some(tag),
                    c_name: format!("{key} {}", self.name(tag)),
                    align: 1,
                    ..Record::default()
                });
                self.s.record_of_spec[r.index()] = Some(id);
                self.bind_tag(tag, crate::scope::Tag::Record(id));
            }
        }
    }

    fn init_declarator(&mut self, specs: &Specified, i: &'a InitDeclarator) {
        let mut specs = *specs;
        let mut auto_init = false;
        if specs.auto_type {
            if let Some(InitKind::Expr(e)) = i.init.map(|i| &self.u[i].kind) {
                let t = self.value(*e);
                let q = self.s.types.quals(specs.ty);
                specs.ty = self.s.types.map_quals(t, |_| q);
                auto_init = true;
            }
        }
        let mut ty = self.declarator(&specs, i.declarator);
        let attrs = self.attrs(&i.attrs);
        ty = self.apply_attrs(ty, &attrs);
        let align = specs.align.max(attrs.align);
        specs.external |= attrs.external;
        let automatic = !self.file_scope() && matches!(specs.storage, None | Some(Storage::Auto | Storage::Register));
        if specs.of_expr && specs.shared.is_none() && automatic && self.u[i.declarator].derivs.is_empty() {
            // `typeof(x) copy = x;` in a macro: an automatic copy of a shared object is private.
            ty = self.unshare(ty);
        }
        let Some((name, tok)) = self.u[i.declarator].name else {
            return;
        };
        let at = TokRange::new(tok, tok + 1);
        let s = if specs.storage == Some(Storage::Typedef) {
            if let Some(t) = specs.defines {
                if self.u[i.declarator].derivs.is_empty() {
                    self.name_by_typedef(t, name);
                }
            }
            c6_5::typedef(self, ty, specs.layout);
            if self.s.types.shared(ty) == Some(Block::Star) && specs.layout.is_some() {
                ty = self.set_block(ty, Block::Of(1));
            }
            if let Some(h) = self.lookup_here(name) {
                let was = &self.s.symbols[h.0 as usize];
                let shared = self.s.types.mentions_shared(ty) || self.s.types.mentions_shared(was.ty);
                if was.kind == SymKind::Typedef && was.ty != ty && shared {
                    c6_5::redeclared(self, h, ty, at);
                }
            }
            let s = self.new_symbol(name, SymKind::Typedef, ty, at);
            let same = self.s.types.ultimate(ty) == self.s.types.ultimate(specs.ty);
            self.sym(s).align = if align == 0 && same { specs.type_align } else { align };
            self.bind(name, s);
            s
        } else if self.s.types.is_function(ty) {
            let s = self.declare(name, SymKind::Function, ty, &specs, false, at);
            if specs.storage == Some(Storage::Static) && !self.file_scope() {
                self.sym(s).linkage = Linkage::Internal;
            }
            let has_symbol = |sema: &Self, trailer| sema.p.source.range_text(trailer).contains("asm");
            let was = self.sym(s).trailer;
            if was.is_empty() || (!has_symbol(self, was) && has_symbol(self, i.trailer)) {
                self.sym(s).trailer = i.trailer;
            }
            s
        } else {
            let s = self.declare(name, SymKind::Object, ty, &specs, i.init.is_some(), at);
            let natural =
                if self.s.types.ultimate(ty) == self.s.types.ultimate(specs.ty) { specs.type_align } else { 0 };
            self.sym(s).align = self.sym(s).align.max(align).max(natural);
            self.s.declarator_sym[i.declarator.index()] = Some(s);
            if let Some(init) = i.init {
                if auto_init {
                    self.s.init_ty[init.index()] = ty;
                } else {
                    let full = self.init(ty, init);
                    let full = self.resolve_star(full);
                    c6_5::initializer(self, s, full, init);
                    if full != ty {
                        ty = full;
                        let old = self.sym(s).ty;
                        let t = self.s.types.composite(old, full);
                        self.sym(s).ty = t;
                    }
                }
            }
            c6_5::object(self, s, ty, &specs, i);
            if !automatic && self.s.types.varies(ty) {
                c6_3::constant_dimensions(self, i.declarator);
                c6_3::constant_typedef(self, i.declarator, ty);
            }
            s
        };
        self.s.declarator_ty[i.declarator.index()] = ty;
        self.s.declarator_sym[i.declarator.index()] = Some(s);
        if !self.file_scope() {
            self.keep_dimensions(i.declarator, ty);
        }
    }

    /// Notes the dimensions of variable length that this declarator gives a shared type.
    fn keep_dimensions(&mut self, d: DeclaratorId, mut ty: Ty) {
        if !self.s.types.mentions_shared(ty) {
            return;
        }
        loop {
            match *self.s.types.kind(ty) {
                TyKind::Pointer(to) => ty = to,
                TyKind::Array(elem, len) => {
                    match len {
                        Len::Vla(e) if self.s.sizes(self.u, d).any(|size| size == e) => {
                            self.s.kept_dimensions.insert(e);
                        }
                        _ => {}
                    }
                    ty = elem;
                }
                _ => return,
            }
        }
    }

    /// `typedef struct { … } T;`: C can print the record as `T`.
    fn name_by_typedef(&mut self, t: Tagged, name: Name) {
        let text = self.name(name);
        match t {
            Tagged::Record(r) => {
                let r = &mut self.s.types.records[r.0 as usize];
                if r.invented {
                    (r.c_name, r.invented) = (text.into(), false);
                }
            }
            Tagged::Enum(e) => {
                let e = &mut self.s.types.enums[e.0 as usize];
                if e.invented {
                    (e.c_name, e.invented) = (text.into(), false);
                }
            }
        }
    }

    /// Declares an object or function: merges with an earlier declaration that it redeclares (C 6.2.2).
    fn declare(&mut self, name: Name, kind: SymKind, ty: Ty, specs: &Specified, has_init: bool, at: TokRange) -> SymId {
        let file = self.file_scope();
        let is_extern = specs.storage == Some(Storage::Extern);
        // A GNU nested function, defined (`has_init`) or announced with `auto`, belongs to its block.
        let nested = has_init || specs.storage == Some(Storage::Auto);
        let linked = file || is_extern || (kind == SymKind::Function && !nested);
        let here = self.lookup_here(name);
        let announced = here.filter(|h| kind == SymKind::Function && self.s.symbols[h.0 as usize].kind == kind);
        let old = if linked { self.global(name) } else { announced };
        if let Some(h) = here.filter(|&h| Some(h) != old) {
            // The same scope already has the name for something else.
            let other = self.s.symbols[h.0 as usize].ty;
            let same = self.s.symbols[h.0 as usize].kind == SymKind::Implicit;
            if !same && (self.s.types.mentions_shared(ty) || self.s.types.mentions_shared(other)) {
                c6_5::redeclared(self, h, ty, at);
            }
        }
        // `static` on a later declaration would contradict a call before any declaration.
        let first = self.global(name).is_none();
        // Of declarations in blocks, only an attribute counts (C11 6.7.4 p7).
        let inline_only = (!file || specs.inline && specs.storage.is_none())
            && kind == SymKind::Function
            && !specs.external
            && !self.s.options.gnu_inline
            && !self.in_system_header(at);
        let s = match old.filter(|&o| self.s.symbols[o.0 as usize].kind == kind) {
            Some(o) => {
                self.sym(o).inline_only &= inline_only;
                let was = self.s.symbols[o.0 as usize].ty;
                let shared = self.s.types.mentions_shared(was) || self.s.types.mentions_shared(ty);
                let agree = self.s.types.compatible(was, ty);
                if shared && !agree {
                    c6_5::redeclared(self, o, ty, at);
                } else if agree {
                    let t = self.s.types.composite(was, ty);
                    self.sym(o).ty = t;
                }
                o
            }
            None => {
                let s = self.new_symbol(name, kind, ty, at);
                if linked {
                    self.set_global(name, s);
                    self.sym(s).inline_only = first && inline_only;
                    let internal = specs.storage == Some(Storage::Static) && file;
                    self.sym(s).linkage = if internal { Linkage::Internal } else { Linkage::External };
                }
                s
            }
        };
        let is_static = linked || specs.storage == Some(Storage::Static) || specs.thread_local;
        let sym = self.sym(s);
        sym.is_static |= is_static;
        sym.defined |= has_init;
        sym.tentative |= file && !is_extern && kind == SymKind::Object && !has_init;
        if linked {
            sym.local &= !file;
        }
        self.bind(name, s);
        s
    }

    pub fn fn_def(&mut self, f: &'a FnDef) {
        let symbols_before = self.s.symbols.len() as u32;
        let specs = self.specs(&f.specs);
        let (ty, kept) = self.declarator_keeping(&specs, f.declarator, true);
        let Some((name, tok)) = self.u[f.declarator].name else {
            return;
        };
        let at = TokRange::new(tok, tok + 1);
        let s = self.declare(name, SymKind::Function, ty, &specs, true, at);
        self.s.declarator_sym[f.declarator.index()] = Some(s);
        let ret = match self.s.types.kind(ty) {
            TyKind::Function(g) => g.ret,
            _ => Ty::ERROR,
        };
        let body = Body { ret: Some(ret), name: Some(name), symbols_before, ..Body::default() };
        let outer = std::mem::replace(&mut self.body, body);
        self.push_scope();
        if let Some(saved) = kept {
            self.rebind(saved);
        }
        self.kr_params(f);
        if let StmtKind::Compound(items) = &self.u[f.body].kind {
            self.block(items);
        }
        self.pop_scope();
        self.end_of_function();
        self.body = outer;
    }

    /// Parameters of an old-style definition: declared after the list, `int` if not.
    fn kr_params(&mut self, f: &'a FnDef) {
        let Some(Deriv::Function { params: Params::Kr(names), .. }) = self.u[f.declarator].derivs.first() else {
            return;
        };
        for &d in &f.kr_decls {
            let d = &self.u[d];
            let specs = self.specs(&d.specs);
            for i in &d.declarators {
                let ty = self.declarator(&specs, i.declarator);
                let ty = self.adjust_param(ty, i.declarator, i.toks);
                self.s.declarator_ty[i.declarator.index()] = ty;
                self.keep_dimensions(i.declarator, ty);
                if let Some((name, _)) = self.u[i.declarator].name {
                    self.declare_param(name, ty, i.declarator, i.toks);
                }
            }
        }
        for &(name, tok) in names {
            if self.lookup_here(name).is_none() {
                let s = self.new_symbol(name, SymKind::Object, Ty::INT, TokRange::new(tok, tok + 1));
                let sym = self.sym(s);
                sym.is_param = true;
                sym.local = true;
                self.bind(name, s);
            }
        }
    }
}
