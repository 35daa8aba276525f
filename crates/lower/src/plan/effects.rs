//! The possible effects of a piece of code, as far as its text says: what it assigns and writes, and what prevents
//! accesses from being moved across it. A call counts as everything that the called function might do.

use super::facts::Facts;
use super::library::library_name;
use super::pure::Purity;
use fathom_sema::{IntKind, Linkage, SymId, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, Child};

/// Calls `f` on every node of the subtree, parents first, but not on the operands of `sizeof` and its like.
pub(crate) fn visit<'a>(u: &'a Unit, root: Child<'a>, mut f: impl FnMut(Child<'a>)) {
    walk(u, root, |n| {
        f(n);
        !matches!(n, Child::Expr(e) if matches!(u[e].kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..)))
    });
}

/// The possible effects of the body of a loop, as far as its text says.
#[derive(Clone, Default, Debug)]
pub(crate) struct Effects {
    /// Variables that are assigned or stepped, or whose address is taken.
    pub assigned: Vec<SymId>,
    /// Any call: it may read and change objects that are not local to the function, and may contain a `upc_forall`.
    pub calls: bool,
    /// A call that may change such objects for iterations that come after it.
    pub changes: bool,
    /// The same without a call: the size of an array of variable length is computed, or `_Generic` chooses what is written.
    pub hides: bool,
    /// Labels, static objects, nested functions, assembly: the text cannot be written twice.
    pub once_only: bool,
    /// The shared memory that this thread may write, each once.
    pub written: Vec<Written>,
    /// The operations across which shared accesses must not be moved, each once.
    pub stops: Vec<Stop>,
    /// The types of the private objects that are read or written through pointers, each once.
    pub pointed: Vec<Ty>,
    /// Those that are written so.
    pub pointed_written: Vec<Ty>,
    /// The types of the shared objects that are written, each once.
    pub shared_written: Vec<Ty>,
    /// The types of the elements of named private arrays that are written, each once.
    pub elements_written: Vec<Ty>,
}

impl Effects {
    /// Something that is not looked at may have any effect.
    fn hide(&mut self) {
        (self.calls, self.changes, self.hides) = (true, true, true);
        self.stops.push(Stop::Call);
    }

    /// Those of code whose calls are known to have no effect but one that is looked at apart.
    pub fn without_calls(&self) -> Effects {
        if self.hides {
            return self.clone();
        }
        let stops = self.stops.iter().copied().filter(|s| *s != Stop::Call).collect();
        Effects { calls: false, changes: false, stops, ..self.clone() }
    }
}

/// Memory that may hold shared objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Written {
    /// A static shared object.
    Object(SymId),
    /// The objects that a pointer-to-shared variable leads to.
    Target(SymId),
    /// The objects that another pointer-to-shared leads to.
    Anything,
    /// The objects that a pointer-to-local leads to: they may be shared memory of this thread.
    Local,
}

/// An operation that orders accesses, or may do so. Other threads may write any object there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stop {
    Strict,
    Fence,
    Barrier,
    Lock,
    /// A function of the program, or one of the library that moves data or synchronises.
    Call,
    Assembly,
    /// A loop that [waits](Facts::waits) for another thread.
    Wait,
}

/// Library functions that neither access shared memory nor order accesses.
const HARMLESS: [&str; 6] =
    ["upc_threadof", "upc_phaseof", "upc_addrfield", "upc_resetphase", "upc_affinitysize", "upc_ticks_now"];
/// Functions of the C library that write to a stream, and to no other memory; with the place of their format among the arguments.
const OUTPUT: [(&str, Option<usize>); 10] = [
    ("printf", Some(0)),
    ("fprintf", Some(1)),
    ("puts", None),
    ("fputs", None),
    ("putchar", None),
    ("fputc", None),
    ("putc", None),
    ("fwrite", None),
    ("fflush", None),
    ("perror", None),
];
const LOCKS: [&str; 3] = ["upc_lock", "upc_lock_attempt", "upc_unlock"];

/// Is it a function of the libraries, whether or not their headers declare it?
pub(crate) fn is_known_library(name: &str) -> bool {
    OUTPUT.iter().any(|(known, _)| *known == name) || ["upc_", "bupc_"].iter().any(|begin| name.starts_with(begin))
}

impl<'a> Facts<'a> {
    pub fn effects(&self, root: Child<'a>) -> Effects {
        self.effects_but(root, &[])
    }

    /// The effects of a loop's body on the iterations that come after one.
    pub fn effects_of_iteration(&self, body: StmtId) -> Effects {
        self.effects_but(Child::Stmt(body), &self.parting_calls(body))
    }

    /// `parting`: calls after which none of what counts comes.
    pub(super) fn effects_but(&self, root: Child<'a>, parting: &[ExprId]) -> Effects {
        let mut fx = Effects::default();
        visit(self.u, root, |n| match n {
            Child::Expr(e) if parting.contains(&e) => fx.calls = true,
            Child::Expr(e) => self.effects_of_expr(e, &mut fx),
            Child::Stmt(st) => match &self.u[st].kind {
                StmtKind::Label(..) | StmtKind::Goto(_) | StmtKind::GotoComputed(_) => fx.once_only = true,
                StmtKind::Asm(_) => {
                    fx.once_only = true;
                    fx.stops.push(Stop::Assembly);
                }
                StmtKind::Compound(items) => {
                    fx.once_only |= items.iter().any(|i| matches!(i, BlockItem::Fn(_) | BlockItem::LocalLabels(..)));
                }
                // A barrier lets other threads write; loop-invariant values in private memory stay so.
                StmtKind::Notify(_) | StmtKind::Wait(_) | StmtKind::Barrier(_) => fx.stops.push(Stop::Barrier),
                StmtKind::Fence => fx.stops.push(Stop::Fence),
                _ if self.waits(st) => fx.stops.push(Stop::Wait),
                _ => {}
            },
            Child::Decl(d) => {
                // A type that is defined here would be another one in the second text; one that is only named is the same.
                let is_static = |k: &Spec| match k.kind {
                    SpecKind::Storage(Storage::Static | Storage::Extern | Storage::Typedef) => true,
                    SpecKind::Record(r) => self.u[r].members.is_some(),
                    SpecKind::Enum(e) => self.u[e].enumerators.is_some(),
                    _ => false,
                };
                fx.once_only |= self.u[d].specs.items.iter().any(is_static);
                // A function is called where such a variable ends.
                fx.once_only |= self.p.source.range_text(self.u[d].toks).contains("cleanup");
                for x in &self.u[d].declarators {
                    fx.assigned.extend(self.s.declarator_sym[x.declarator.index()]);
                }
            }
            Child::Fn(_) => fx.once_only = true,
            Child::Init(_) | Child::TypeName(_) => {}
        });
        fx.written.sort();
        fx.written.dedup();
        fx.stops.sort();
        fx.stops.dedup();
        for types in [&mut fx.pointed, &mut fx.pointed_written, &mut fx.shared_written, &mut fx.elements_written] {
            types.sort();
            types.dedup();
        }
        fx
    }

    fn effects_of_expr(&self, e: ExprId, fx: &mut Effects) {
        match &self.u[e].kind {
            ExprKind::Assign(_, l, _)
            | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => {
                fx.assigned.extend(self.variable(*l));
                fx.written.extend(self.written(*l));
                let t = self.lvalue_type(*l);
                if self.is_shared_lvalue(*l) {
                    fx.shared_written.push(t);
                } else if self.is_pointed(*l) {
                    fx.pointed_written.push(t);
                } else if self.variable(*l).is_none() {
                    fx.elements_written.push(t);
                }
                if self.is_chosen(*l) {
                    fx.hide();
                }
            }
            // It moves data until the next `sync()`, wherever that is.
            ExprKind::Split(_, l, _) => {
                fx.assigned.extend(self.variable(*l));
                fx.written.extend(self.written(*l));
                (fx.calls, fx.changes) = (true, true);
                fx.stops.push(Stop::Call);
            }
            ExprKind::Unary(UnOp::AddrOf, l) => {
                fx.assigned.extend(self.variable(*l));
                if self.is_chosen(*l) {
                    fx.hide();
                }
            }
            ExprKind::Call { callee, args } if self.is_value(*callee, args) => {}
            ExprKind::Call { callee, args } => {
                let purity = self.purity(*callee);
                fx.calls |= purity != Some(Purity::Computes);
                fx.changes |= purity.is_none();
                match library_name(self.p, self.s, *callee) {
                    _ if purity.is_some() => {}
                    Some(name) if HARMLESS.contains(&name) => {}
                    Some(name) if self.only_prints(name, args) => {}
                    Some(name) if LOCKS.contains(&name) => fx.stops.push(Stop::Lock),
                    _ => fx.stops.push(Stop::Call),
                }
            }
            ExprKind::LabelAddr(_) => fx.once_only = true,
            // What computes the size is evaluated, whatever it does.
            ExprKind::SizeofType(..) | ExprKind::SizeofExpr(..) if self.sizes_vla(e) => fx.hide(),
            _ => {}
        }
        if self.is_strict(e) && !self.is_array(e) {
            fx.stops.push(Stop::Strict);
        }
        if self.is_pointed(e) {
            fx.pointed.push(self.s.types.unqual(self.s.ty(e)));
        }
    }

    /// Does the function of the library nothing but print values, or find out what a pointer-to-shared has?
    pub(super) fn only_prints_values(&self, name: &str, args: &[ExprId]) -> bool {
        let is_known = |e: &ExprId| matches!(self.u[self.unparen(*e)].kind, ExprKind::Str) || self.is_number(*e);
        let printed = match name {
            "fprintf" => args.get(1..),
            "putc" | "fputc" | "fputs" => args.get(..1),
            "fflush" => Some(&[][..]),
            _ => Some(args),
        };
        let only_prints = || self.only_prints(name, args) && printed.is_some_and(|args| args.iter().all(is_known));
        HARMLESS.contains(&name) || only_prints()
    }

    fn is_number(&self, e: ExprId) -> bool {
        matches!(self.s.types.kind(self.s.rvalue_ty(e)), TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_))
    }

    /// Is what the function returns known as soon as its arguments are?
    pub(super) fn is_value(&self, callee: ExprId, args: &[ExprId]) -> bool {
        args.iter().all(|e| self.is_number(*e)) && self.purity(callee) == Some(Purity::Computes)
    }

    /// The purity of a function that is called directly.
    pub(super) fn purity(&self, callee: ExprId) -> Option<Purity> {
        self.pure.of_call(self.p, self.s, callee)
    }

    /// Is it a call of the library that writes to a stream alone? With `%n` it would write to other memory.
    fn only_prints(&self, name: &str, args: &[ExprId]) -> bool {
        let Some((_, format)) = OUTPUT.iter().find(|(known, _)| *known == name) else { return false };
        format.is_none_or(|at| {
            args.get(at).is_some_and(|e| {
                let text = self.p.source.range_text(self.u[*e].toks);
                matches!(self.u[self.unparen(*e)].kind, ExprKind::Str) && !writes_length(text)
            })
        })
    }

    /// The union that an lvalue is a part of: an assignment to one member of it changes the others.
    pub(super) fn union_around(&self, l: ExprId) -> Option<Ty> {
        match self.u[l].kind {
            ExprKind::Paren(x) => self.union_around(x),
            ExprKind::Index(a, i) => {
                [a, i].into_iter().filter(|x| self.is_array(*x)).find_map(|x| self.union_around(x))
            }
            ExprKind::Member { base, arrow, .. } => {
                let around = if arrow { None } else { self.union_around(base) };
                let t = self.s.rvalue_ty(base);
                let t = if arrow { self.s.types.pointee(t)? } else { t };
                let is_union = matches!(*self.s.types.kind(t), TyKind::Record(r) if self.s.types.record(r).is_union);
                around.or(is_union.then_some(t))
            }
            _ => None,
        }
    }

    /// The type by which an object is read or written.
    pub(super) fn lvalue_type(&self, l: ExprId) -> Ty {
        self.s.types.unqual(self.union_around(l).unwrap_or(self.s.ty(l)))
    }

    /// Is it a private object that is reached through a pointer?
    fn is_pointed(&self, e: ExprId) -> bool {
        let e = self.unparen(e);
        let through_pointer = match self.u[e].kind {
            ExprKind::Unary(UnOp::Real | UnOp::Imag, x) => return self.is_pointed(x),
            ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { arrow: true, .. } => true,
            // An element of a named array is no other object.
            ExprKind::Index(a, b) => ![a, b].iter().any(|x| self.is_array(*x) && self.bare(*x).is_some()),
            _ => false,
        };
        through_pointer && !self.is_array(e) && !self.is_shared_lvalue(e)
    }

    /// May an access to one of the types through a pointer concern the variable? The pointer may come from another
    /// file if the variable's name does.
    pub fn may_be_among(&self, pointed: &[Ty], sym: SymId) -> bool {
        let s = &self.s.symbols[sym.0 as usize];
        s.linkage == Linkage::External && pointed.iter().any(|t| self.may_overlap(*t, s.ty))
    }

    /// May an access of the one type read or write an object of the other (C17 6.5p7)? Yes if in doubt.
    pub fn may_overlap(&self, access: Ty, object: Ty) -> bool {
        if self.s.options.any_type {
            return true;
        }
        let kind = |t: Ty| self.s.types.kind(t);
        let has_parts = |k: &TyKind| {
            matches!(k, TyKind::Record(_) | TyKind::Vector(..) | TyKind::Opaque(_) | TyKind::Error | TyKind::Void)
        };
        let is_integer = |k: &TyKind| matches!(k, TyKind::Int(_) | TyKind::Enum(_));
        match (kind(access), kind(object)) {
            (TyKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar), _) => true,
            (a, b) if has_parts(a) || has_parts(b) => true,
            (a, b) if is_integer(a) || is_integer(b) => is_integer(a) && is_integer(b),
            // A complex number has two parts.
            (TyKind::Complex(_), TyKind::Float(_) | TyKind::Complex(_)) | (TyKind::Float(_), TyKind::Complex(_)) => {
                true
            }
            (a @ TyKind::Float(_), b) => a == b,
            (TyKind::Complex(_), _) => false,
            (TyKind::Pointer(_), TyKind::Pointer(_)) => true,
            (TyKind::Pointer(_), TyKind::Float(_) | TyKind::Complex(_)) => false,
            _ => true,
        }
    }

    /// The memory that an assignment to `l` writes, if it may be shared.
    fn written(&self, l: ExprId) -> Option<Written> {
        if !self.is_shared_lvalue(l) {
            return self.variable(l).is_none().then_some(Written::Local);
        }
        let Some(sym) = self.root_symbol(l) else { return Some(Written::Anything) };
        let t = self.s.symbols[sym.0 as usize].ty;
        let is_pointer = matches!(self.s.types.kind(t), TyKind::Pointer(_));
        Some(match (self.s.types.is_shared(t), is_pointer) {
            (true, false) => Written::Object(sym),
            (true, true) if self.is_plain(l) => Written::Object(sym),
            (false, true) => Written::Target(sym),
            _ => Written::Anything,
        })
    }

    /// Has the lvalue a part that the compiler chooses among several?
    fn is_chosen(&self, l: ExprId) -> bool {
        let mut found = false;
        visit(self.u, Child::Expr(l), |n| {
            found |= matches!(n, Child::Expr(x) if matches!(self.u[x].kind, ExprKind::Generic { .. } | ExprKind::ChooseExpr(..)));
        });
        found
    }

    /// The object's name alone.
    fn is_plain(&self, e: ExprId) -> bool {
        self.bare(e).is_some()
    }

    /// The variable that an lvalue is (part of): `x`, `x.m`, `__real__ x`.
    pub(super) fn variable(&self, e: ExprId) -> Option<SymId> {
        let e = self.unparen(e);
        match self.u[e].kind {
            ExprKind::Member { base, arrow: false, .. } => self.variable(base),
            ExprKind::Unary(UnOp::Real | UnOp::Imag, x) => self.variable(x),
            ExprKind::Ident(_) => self.s.expr_sym[e.index()],
            _ => None,
        }
    }
}

/// Does a format have a conversion `%n`, with whatever stands between?
fn writes_length(format: &str) -> bool {
    let conversions = format.replace("%%", "");
    let mut parts = conversions.split('%');
    parts.next();
    parts.any(|part| {
        part.trim_start_matches(|c: char| c.is_ascii_digit() || "+- #0.*'hlqjztL$".contains(c)).starts_with('n')
    })
}

#[cfg(test)]
mod tests {
    use super::writes_length;

    #[test]
    fn a_format_that_writes_to_memory_is_known() {
        for (format, expected) in [
            (r#""%d\n""#, false),
            (r#""%%n %5.2lf %s\n""#, false),
            (r#""%d%n""#, true),
            (r#""%ln %d""#, true),
            (r#""%5$hhn""#, true),
            (r#""%%%n""#, true),
        ] {
            assert_eq!(writes_length(format), expected, "{format}");
        }
    }
}
