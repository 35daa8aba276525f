//! The nodes that are translated because they have a meaning that C lacks: a node that mentions a shared type, reads
//! THREADS or MYTHREAD, before which work is charged, at which a thread waits, or that contains such a node. Other nodes leave as ranges of the source.

use super::waiting::Waiting;
use super::work::Work;
use fathom_sema::{EnumId, RecordId, Sema, Ty, TyKind, Types};
use fathom_syntax::ast::*;
use fathom_syntax::{Dialect, Parsed};
use std::collections::HashSet;

#[derive(Default)]
pub(crate) struct Translated {
    exprs: Vec<bool>,
    stmts: Vec<bool>,
    decls: Vec<bool>,
    declarators: Vec<bool>,
    type_names: Vec<bool>,
    inits: Vec<bool>,
    records: Vec<bool>,
    enums: Vec<bool>,
    /// Does a type contain a shared type (outside records: those are printed by name)?
    types: Vec<bool>,
    /// Types without a name of which shared objects are: generated code declares temporaries of them.
    named_records: HashSet<RecordId>,
    named_enums: HashSet<EnumId>,
}

impl Translated {
    pub fn new(p: &Parsed, s: &Sema, work: &Work, waiting: &Waiting, times_calls: bool) -> Translated {
        let u = &p.unit;
        let mut t = Translated {
            exprs: vec![false; u.exprs.len()],
            stmts: vec![false; u.stmts.len()],
            decls: vec![false; u.decls.len()],
            declarators: vec![false; u.declarators.len()],
            type_names: vec![false; u.type_names.len()],
            inits: vec![false; u.inits.len()],
            records: vec![false; u.records.len()],
            enums: vec![false; u.enums.len()],
            types: vec![],
            named_records: HashSet::new(),
            named_enums: HashSet::new(),
        };
        for e in 0..u.exprs.len() {
            t.name_type(s, s.expr_ty[e]);
        }
        let mut w = Walk { ret: false, p, u, s, t: &mut t, work, waiting, times_calls };
        for item in &u.items {
            match item {
                Item::Fn(f) => _ = w.function(f),
                Item::Decl(d) => _ = w.decl(*d),
                Item::StaticAssert(e, _) => _ = w.expr(*e),
                Item::Pragma(..) | Item::Asm(_) | Item::Empty(_) | Item::Error(_) => {}
            }
        }
        t
    }
    pub fn expr(&self, e: ExprId) -> bool {
        self.exprs[e.index()]
    }
    pub fn stmt(&self, s: StmtId) -> bool {
        self.stmts[s.index()]
    }
    pub fn decl(&self, d: DeclId) -> bool {
        self.decls[d.index()]
    }
    pub fn declarator(&self, d: DeclaratorId) -> bool {
        self.declarators[d.index()]
    }
    pub fn type_name(&self, t: TypeNameId) -> bool {
        self.type_names[t.index()]
    }
    pub fn init(&self, i: InitId) -> bool {
        self.inits[i.index()]
    }
    pub fn record(&self, r: RecordSpecId) -> bool {
        self.records[r.index()]
    }
    /// Does generated code use the type that the specifier defines without a tag?
    pub fn names_record(&self, s: &Sema, r: RecordSpecId) -> bool {
        s.record_of_spec[r.index()].is_some_and(|r| self.named_records.contains(&r))
    }
    pub fn names_enum(&self, s: &Sema, e: EnumSpecId) -> bool {
        s.enum_of_spec[e.index()].is_some_and(|e| self.named_enums.contains(&e))
    }
    /// If `t` leads to shared objects of a type without a name, that type needs one.
    fn name_type(&mut self, s: &Sema, mut t: Ty) {
        if !mentions_shared(&s.types, t) {
            return;
        }
        while let TyKind::Pointer(to) | TyKind::Array(to, _) = s.types.kind(t) {
            t = *to;
        }
        match s.types.kind(t) {
            TyKind::Record(r) if s.types.record(*r).invented => _ = self.named_records.insert(*r),
            TyKind::Enum(e) if s.types.enums[e.0 as usize].invented => _ = self.named_enums.insert(*e),
            _ => {}
        }
    }
    pub fn function(&self, f: &FnDef) -> bool {
        self.stmt(f.body)
            || self.declarator(f.declarator)
            || self.specs(&f.specs)
            || f.kr_decls.iter().any(|d| self.decl(*d))
    }
    pub fn specs(&self, specs: &DeclSpecs) -> bool {
        specs.items.iter().any(|s| match &s.kind {
            SpecKind::Shared(_) | SpecKind::Qual(Qual::Strict | Qual::Relaxed) => true,
            SpecKind::Record(r) => self.records[r.index()],
            SpecKind::Enum(e) => self.enums[e.index()],
            SpecKind::TypeofExpr(e) | SpecKind::AlignasExpr(e) => self.expr(*e),
            SpecKind::TypeofType(t) | SpecKind::AtomicType(t) | SpecKind::AlignasType(t) => self.type_name(*t),
            SpecKind::Attr(attrs) => self.attrs(attrs),
            _ => false,
        })
    }
    /// No expression of the initialiser is translated (though the object's type may be): C sees constants.
    pub fn expr_free(&self, u: &Unit, i: InitId) -> bool {
        match &u[i].kind {
            InitKind::Expr(e) => !self.expr(*e),
            InitKind::List(items) => items.iter().all(|i| self.expr_free(u, i.init)),
        }
    }
    fn attrs(&self, attrs: &[Attr]) -> bool {
        attrs.iter().flat_map(|a| &a.args).any(|e| self.expr(*e))
    }
}

/// Does the type have a shared type anywhere in it, records excepted?
pub(crate) fn mentions_shared(types: &Types, t: Ty) -> bool {
    if types.quals(t).shared.is_some() {
        return true;
    }
    match types.kind(t) {
        TyKind::Pointer(p) | TyKind::Array(p, _) => mentions_shared(types, *p),
        TyKind::Function(f) => mentions_shared(types, f.ret) || f.params.iter().any(|p| mentions_shared(types, *p)),
        _ => false,
    }
}

struct Walk<'a> {
    /// The enclosing function returns a pointer-to-shared, so that `return 0` must be translated.
    ret: bool,
    p: &'a Parsed,
    u: &'a Unit,
    s: &'a Sema,
    t: &'a mut Translated,
    work: &'a Work,
    waiting: &'a Waiting,
    /// Calls of the library are to be counted.
    /// Calls of the library that communicate are written anew.
    times_calls: bool,
}

impl Walk<'_> {
    fn function(&mut self, f: &FnDef) -> bool {
        let mut b = self.specs(&f.specs);
        b |= self.declarator(f.declarator);
        for d in &f.kr_decls {
            b |= self.decl(*d);
        }
        let ret = match self.s.types.kind(self.s.declarator_ty[f.declarator.index()]) {
            TyKind::Function(t) => mentions_shared(&self.s.types, t.ret),
            _ => false,
        };
        let outer = std::mem::replace(&mut self.ret, ret);
        b |= self.stmt(f.body);
        self.ret = outer;
        b
    }

    fn ty(&mut self, t: Ty) -> bool {
        // 0: unknown yet; the table is a memo over interned types.
        let i = t.0 as usize;
        if self.t.types.len() <= 2 * i + 1 {
            self.t.types.resize(2 * i + 2, false);
        }
        if !self.t.types[2 * i] {
            self.t.types[2 * i] = true;
            let b = match self.s.types.kind(t).clone() {
                _ if self.s.types.quals(t).shared.is_some() => true,
                TyKind::Pointer(p) | TyKind::Array(p, _) => self.ty(p),
                TyKind::Function(f) => self.ty(f.ret) | f.params.iter().fold(false, |b, p| b | self.ty(*p)),
                _ => false,
            };
            self.t.types[2 * i + 1] = b;
        }
        self.t.types[2 * i + 1]
    }

    fn decl(&mut self, id: DeclId) -> bool {
        let d = &self.u[id];
        let mut b = self.specs(&d.specs);
        for x in &d.declarators {
            b |= self.declarator(x.declarator);
            b |= self.attrs(&x.attrs);
            if let Some(i) = x.init {
                b |= self.init(i);
            }
        }
        self.t.decls[id.index()] = b;
        b
    }

    fn attrs(&mut self, attrs: &[Attr]) -> bool {
        attrs.iter().flat_map(|a| a.args.iter()).fold(false, |b, e| b | self.expr(*e))
    }

    fn specs(&mut self, specs: &DeclSpecs) -> bool {
        let mut b = false;
        for s in &specs.items {
            b |= match &s.kind {
                SpecKind::Shared(Layout::Expr(e)) => {
                    self.expr(*e);
                    true
                }
                SpecKind::Shared(_) | SpecKind::Qual(Qual::Strict | Qual::Relaxed) => true,
                SpecKind::Record(r) => self.record(*r),
                SpecKind::Enum(e) => {
                    let mut b = self.t.names_enum(self.s, *e);
                    for x in self.u[*e].enumerators.iter().flatten() {
                        if let Some(v) = x.value {
                            b |= self.expr(v);
                        }
                    }
                    self.t.enums[e.index()] = b;
                    b
                }
                SpecKind::TypeofExpr(e) | SpecKind::AlignasExpr(e) => self.expr(*e),
                SpecKind::TypeofType(t) | SpecKind::AtomicType(t) | SpecKind::AlignasType(t) => self.type_name(*t),
                SpecKind::Attr(a) => self.attrs(a),
                _ => false,
            };
        }
        b
    }

    fn record(&mut self, id: RecordSpecId) -> bool {
        let mut b = self.t.names_record(self.s, id) && self.u[id].members.is_some();
        for m in self.u[id].members.iter().flatten() {
            match m {
                Member::Field(f) => {
                    b |= self.specs(&f.specs);
                    for d in &f.declarators {
                        b |= self.declarator(d.declarator);
                        if let Some(w) = d.width {
                            b |= self.expr(w);
                        }
                        b |= self.attrs(&d.attrs);
                    }
                }
                Member::StaticAssert(e, _) => b |= self.expr(*e),
                Member::Empty(_) => {}
            }
        }
        self.t.records[id.index()] = b;
        b
    }

    fn declarator(&mut self, id: DeclaratorId) -> bool {
        let d = &self.u[id];
        let mut b = self.ty(self.s.declarator_ty[id.index()]);
        b |= self.s.size_of(self.s.declarator_ty[id.index()]).is_some_and(|size| size.times_threads);
        b |= self.s.declarator_sym[id.index()].is_some_and(|s| self.s.symbols[s.0 as usize].is_inline_definition());
        for x in &d.derivs {
            match x {
                Deriv::Pointer { quals, .. } => {
                    for q in quals {
                        b |= matches!(q.kind, SpecKind::Shared(_) | SpecKind::Qual(Qual::Strict | Qual::Relaxed));
                    }
                }
                Deriv::Spread { .. } => {}
                Deriv::Array { size, .. } => {
                    if let ArraySize::Expr(e) = size {
                        b |= self.expr(*e);
                    }
                }
                Deriv::Function { params, .. } => {
                    if let Params::Proto { params, .. } = params {
                        for p in params {
                            b |= self.specs(&p.specs);
                            b |= self.declarator(p.declarator);
                        }
                    }
                }
            }
        }
        self.t.declarators[id.index()] = b;
        b
    }

    fn type_name(&mut self, id: TypeNameId) -> bool {
        let t = &self.u[id];
        let mut b = self.ty(self.s.type_name_ty[id.index()]);
        b |= self.specs(&t.specs);
        b |= self.declarator(t.declarator);
        self.t.type_names[id.index()] = b;
        b
    }

    fn init(&mut self, id: InitId) -> bool {
        let mut b = self.ty(self.s.init_ty[id.index()]);
        match &self.u[id].kind {
            InitKind::Expr(e) => b |= self.expr(*e),
            InitKind::List(items) => {
                for i in items {
                    for d in &i.designators {
                        match d {
                            Designator::Index(e) => b |= self.expr(*e),
                            Designator::Range(l, h) => {
                                b |= self.expr(*l);
                                b |= self.expr(*h);
                            }
                            Designator::Field(_) => {}
                        }
                    }
                    b |= self.init(i.init);
                }
            }
        }
        self.t.inits[id.index()] = b;
        b
    }

    /// `tolocal` and `toglobal` of Split-C, also of a local pointer.
    fn is_place(&self, callee: ExprId) -> bool {
        let ExprKind::Ident(name) = self.u[callee].kind else { return false };
        self.s.options.dialect == Dialect::SplitC
            && self.s.expr_sym[callee.index()].is_none()
            && matches!(self.p.source.name(name), "__fathom_tolocal" | "__fathom_toglobal")
    }

    fn expr(&mut self, id: ExprId) -> bool {
        use ExprKind::*;
        let mut b = self.ty(self.s.ty(id));
        match &self.u[id].kind {
            Ident(_) => {
                // A function whose prototype mentions shared types is itself plain C: only the call must be translated.
                if let Some(sym) = self.s.expr_sym[id.index()] {
                    if matches!(self.s.types.kind(self.s.symbols[sym.0 as usize].ty), TyKind::Function(_)) {
                        b = false;
                    }
                }
            }
            Number | Char | Str | LabelAddr(_) | Error => {}
            Threads | MyThread => b = true,
            Paren(e) | Unary(_, e) | Member { base: e, .. } => b |= self.expr(*e),
            SizeofExpr(k, e) => b |= self.expr(*e) | !matches!(k, SizeofKind::Sizeof | SizeofKind::Alignof),
            SizeofType(k, t) => {
                let size = self.s.size_of(self.s.type_name_ty[t.index()]);
                b |= self.type_name(*t) | !matches!(k, SizeofKind::Sizeof | SizeofKind::Alignof);
                b |= size.is_some_and(|size| size.times_threads);
            }
            Split(_, x, y) => {
                self.expr(*x);
                self.expr(*y);
                b = true;
            }
            Index(x, y) | Binary(_, x, y) | Assign(_, x, y) | Comma(x, y) => {
                b |= self.expr(*x);
                b |= self.expr(*y);
            }
            Call { callee, args } => {
                b |= self.expr(*callee);
                let callee_ty = self.s.ty(*callee);
                b |= self.ty(callee_ty);
                b |= self.is_place(*callee);
                b |= self.times_calls && super::library::has_place(self.p, self.s, *callee);
                for a in args {
                    b |= self.expr(*a);
                }
            }
            Cond(c, t, e) => {
                b |= self.expr(*c);
                if let Some(t) = t {
                    b |= self.expr(*t);
                }
                b |= self.expr(*e);
            }
            Cast(t, e) | VaArg(e, t) | ConvertVector(e, t) => {
                b |= self.type_name(*t);
                b |= self.expr(*e);
            }
            CompoundLit(t, i) => {
                b |= self.type_name(*t);
                b |= self.init(*i);
            }
            Generic { control, assocs } => {
                b |= self.expr(*control);
                for (t, e) in assocs {
                    if let Some(t) = t {
                        b |= self.type_name(*t);
                    }
                    b |= self.expr(*e);
                }
            }
            StmtExpr(s) => b |= self.stmt(*s),
            Offsetof(t, ds) => {
                b |= self.type_name(*t);
                for d in ds {
                    if let Designator::Index(e) = d {
                        b |= self.expr(*e);
                    }
                }
            }
            TypesCompatible(x, y) => {
                b |= self.type_name(*x);
                b |= self.type_name(*y);
            }
            ChooseExpr(x, y, z) => {
                b |= self.expr(*x);
                b |= self.expr(*y);
                b |= self.expr(*z);
            }
        }
        self.t.exprs[id.index()] = b;
        b
    }

    fn stmt(&mut self, id: StmtId) -> bool {
        use StmtKind::*;
        let mut b = self.work.at(id).is_some() || self.waiting.has(id);
        match &self.u[id].kind {
            Expr(e) => b |= e.is_some_and(|e| self.expr(e)),
            Return(e) => b |= e.is_some_and(|e| self.expr(e) | self.ret),
            Compound(items) => {
                for i in items {
                    b |= match i {
                        BlockItem::Stmt(s) => self.stmt(*s),
                        BlockItem::Decl(d) => self.decl(*d),
                        BlockItem::Fn(f) => self.function(f),
                        BlockItem::Pragma(..) => true,
                        BlockItem::LocalLabels(..) => false,
                        BlockItem::StaticAssert(e, _) => self.expr(*e),
                    };
                }
            }
            If { cond, then, els } => {
                b |= self.expr(*cond);
                b |= self.stmt(*then);
                b |= els.is_some_and(|s| self.stmt(s));
            }
            Switch { cond, body } | While { cond, body } | DoWhile { body, cond } => {
                b |= self.expr(*cond);
                b |= self.stmt(*body);
            }
            For { init, cond, step, body } | Forall { init, cond, step, body, .. } => {
                b |= match init {
                    ForInit::None => false,
                    ForInit::Expr(e) => self.expr(*e),
                    ForInit::Decl(d) => self.decl(*d),
                };
                b |= cond.is_some_and(|e| self.expr(e));
                b |= step.is_some_and(|e| self.expr(e));
                b |= self.stmt(*body);
                if let Forall { affinity, .. } = &self.u[id].kind {
                    b = true;
                    if let Affinity::Expr(e) = affinity {
                        self.expr(*e);
                    }
                }
            }
            Goto(_) | Continue | Break | Error => {}
            GotoComputed(e) => b |= self.expr(*e),
            Label(_, s) | Default(s) => b |= self.stmt(*s),
            Case(lo, hi, s) => {
                b |= self.expr(*lo);
                b |= hi.is_some_and(|e| self.expr(e));
                b |= self.stmt(*s);
            }
            Asm(operands) => {
                for o in operands {
                    b |= self.expr(o.expr);
                }
            }
            Notify(e) | Wait(e) | Barrier(e) => {
                if let Some(e) = e {
                    self.expr(*e);
                }
                b = true;
            }
            Fence => b = true,
            Decl(d) => b |= self.decl(*d),
        }
        self.t.stmts[id.index()] = b;
        b
    }
}
