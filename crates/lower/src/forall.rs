//! `upc_forall` (UPC 1.3, 6.6.2).
//!
//! The general form tests the affinity of every iteration. A loop that counts, `for (i = lo; i < hi; i++)`, with an
//! affinity that is i plus a constant, directly or as the subscript of a shared array, needs no tests: this thread's
//! iterations are known. With block size 1 they are THREADS apart (`cyclic`); else they come in blocks (`blocked`),
//! and what the body reaches in arrays of the same distribution is a C array there.
//!
//! Both keep a copy of the general body: for the elements at a block's ends whose neighbours are on another thread,
//! and for a loop that turns out not to be controlling (nested through a call, 6.6.2 p10).

use crate::code::Code;
use crate::walk::{effects, visit, Effects, Node};
use crate::Lower;
use fathom_sema::{Block, SymId, TyKind};
use fathom_syntax::ast::*;
use std::collections::BTreeMap;

/// A local view of a shared array (or of what a pointer-to-shared points to) in the loop being lowered.
pub(crate) struct Alias {
    sym: SymId,
    /// The subscripts before the last one; the loop leaves them alone.
    prefix: Vec<ExprId>,
    var: SymId,
    kind: View,
}

enum View {
    /// Subscripted with the program's own index, which may be `reach` away from the loop variable + `offset`.
    Blocked { name: String, offset: i64, reach: u64 },
    /// By offset from the loop variable: the name, subscripted with the counter.
    Cyclic(i64, String, String),
}

/// A counting loop.
struct Counting {
    var: SymId,
    lo: ExprId,
    hi: ExprId,
    inclusive: bool,
    declares: Option<DeclId>,
    /// C type of the variable.
    ty: String,
    /// Signed variable, unsigned comparison.
    mixed_sign: bool,
}

/// Who runs iteration i.
enum Owner {
    /// Thread (i + shift) mod THREADS; `shift` is C.
    Cyclic { shift: Code },
    /// Thread ((i + offset + lead) / block) mod THREADS; `lead` is what the affinity's pointer, or the subscripts before
    /// the last one (`prefix`), add.
    Blocked { offset: i64, block: u64, lead: Option<Code>, prefix: Vec<ExprId> },
}

/// An element `x[prefix]…[i + offset]` in the body that a view can serve.
struct Ref {
    sym: SymId,
    root: ExprId,
    prefix: Vec<ExprId>,
    offset: i64,
    block: u64,
}

impl Lower<'_> {
    pub(crate) fn forall(&mut self, id: StmtId) -> Code {
        let u = self.u;
        let StmtKind::Forall { init, cond, step, affinity, body } = &u[id].kind else { unreachable!() };
        let (cond, step, affinity, body) = (*cond, *step, *affinity, *body);
        // Without affinity, or inside a upc_forall that has one, every thread runs every iteration.
        let rows = self.hoist_rows(id);
        let affinity = match affinity {
            Affinity::Expr(e) if self.forall_depth == 0 => e,
            _ => {
                let code = self.plain_loop(init, cond, step, body);
                return self.with_rows(rows, code);
            }
        };
        let fx = effects(u, self.s, Node::Stmt(body));
        self.forall_depth += 1;
        let code = self.special(init, cond, step, affinity, body, &fx);
        let code = code.unwrap_or_else(|| self.general(init, cond, step, affinity, body, &fx));
        self.forall_depth -= 1;
        self.with_rows(rows, code)
    }

    fn clauses(&mut self, init: &ForInit, cond: Option<ExprId>, step: Option<ExprId>, leave: &str) -> (Code, Code) {
        let mut before = Code::new();
        let mut head = code!["for ("];
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => {
                head.push(self.expr(*e));
            }
            ForInit::Decl(d) => {
                before = if self.touch.decl(*d) { self.decl(*d, true) } else { self.u[*d].toks.into() };
                before.push(" ");
            }
        }
        head.push("; ");
        if let Some(c) = cond {
            head.push(self.cond(c));
        }
        head.push("; ");
        head.push(leave);
        if let Some(s) = step {
            if !leave.is_empty() {
                head.push(", ");
            }
            head.push(self.expr(s));
        }
        head.push(") ");
        (before, head)
    }

    fn plain_loop(&mut self, init: &ForInit, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) -> Code {
        let (before, head) = self.clauses(init, cond, step, "");
        let body = self.placed(body);
        code!["{ ", before, head, body, " }"]
    }

    /// A statement's code, anchored to its line.
    fn placed(&mut self, s: StmtId) -> Code {
        let mut out = Code::new();
        let code = self.stmt(s);
        out.push_in_place(self.u[s].toks, code);
        out
    }

    #[allow(clippy::too_many_arguments)]
    fn general(
        &mut self,
        init: &ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: ExprId,
        body: StmtId,
        fx: &Effects,
    ) -> Code {
        let nested = self.temp("nested");
        // Only the body is inside the statement (6.6.2 p10): the depth is restored before the clauses run again.
        let leave = if fx.calls { format!("fathom_forall_depth = {nested}") } else { String::new() };
        let (before, head) = self.clauses(init, cond, step, &leave);
        let t = self.s.rvalue_ty(affinity);
        let owner = if self.is_shared_ptr(t) {
            code!["fathom_affinity(", self.word_of(affinity), ")"]
        } else {
            code!["fathom_mod_threads((long)(", self.expr(affinity), "))"]
        };
        let body = self.placed(body);
        let enter = if fx.calls { "fathom_forall_depth = 1; " } else { "" };
        // The affinity is evaluated in every iteration (6.6.2 p11).
        code![
            format!("{{ const int {nested} = fathom_forall_depth; "),
            before,
            head,
            "if (",
            owner,
            format!(" == fathom_mythread || {nested}) {{ {enter}"),
            body,
            " } }"
        ]
    }

    /// The loop without affinity tests, if it is one that counts.
    fn special(
        &mut self,
        init: &ForInit,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        affinity: ExprId,
        body: StmtId,
        fx: &Effects,
    ) -> Option<Code> {
        let c = self.counting(init, cond?, step?, fx)?;
        if fx.once_only {
            return None;
        }
        let owner = self.owner(affinity, &c, fx)?;
        let lo = self.expr(c.lo);
        let hi = self.expr(c.hi);
        let (lo_name, hi_name) = (self.temp("lo"), self.temp("hi"));
        let var = self.p.source.name(self.s.symbols[c.var.0 as usize].name).to_owned();
        let ty = &c.ty;
        let mut out = code!["{ "];
        if c.declares.is_some() {
            out.push(format!("{ty} {var}; "));
        }
        // The variable takes the first value before the bound is computed, as in a C loop.
        out.push(format!("{var} = "))
            .push(lo)
            .push(format!("; const long {lo_name} = (long){var}; const long {hi_name} = "));
        let inclusive = if c.inclusive { " + 1" } else { "" };
        if c.mixed_sign {
            out.push(format!("{lo_name} < 0 ? {lo_name} : "));
        }
        out.push("(long)(").push(hi).push(format!("){inclusive}; "));
        let general = self.placed(body);
        out.push(match owner {
            Owner::Cyclic { shift } => self.cyclic(&c, shift, body, general, &var, &lo_name, &hi_name, fx),
            Owner::Blocked { offset, block, lead, prefix } => {
                self.blocked(&c, offset, block, lead, &prefix, body, general, &var, &lo_name, &hi_name, fx)
            }
        });
        out.push(format!(" {var} = ({ty})({hi_name} > {lo_name} ? {hi_name} : {lo_name}); }}"));
        Some(out)
    }

    #[allow(clippy::too_many_arguments)]
    fn cyclic(
        &mut self,
        c: &Counting,
        shift: Code,
        body: StmtId,
        general: Code,
        var: &str,
        lo: &str,
        hi: &str,
        fx: &Effects,
    ) -> Code {
        let (first, k, n) = (self.temp("first"), self.temp("k"), self.temp("n"));
        let mut views = Code::new();
        let mark = self.aliases.len();
        for r in self.refs(body, c.var, fx) {
            let known = |a: &Alias| {
                a.sym == r.sym
                    && matches!(a.kind, View::Cyclic(o, ..) if o == r.offset)
                    && self.same_all(&a.prefix, &r.prefix)
            };
            if r.block != 1 || self.aliases[mark..].iter().any(known) {
                continue;
            }
            let name = self.temp("view");
            let elem = self.elem_ty(&r);
            let index = code![self.linear(&r), format!("{first} + {}l", r.offset)];
            let start = self.start_of(&r, index);
            views.push(code![self.c_type(elem, &format!("*const {name}")), " = fathom_local(", start, "); "]);
            self.aliases.push(Alias {
                sym: r.sym,
                prefix: r.prefix,
                var: c.var,
                kind: View::Cyclic(r.offset, name, k.clone()),
            });
        }
        let simd = self.simd(body, c.var, fx);
        let fast = self.placed(body);
        self.aliases.truncate(mark);
        let (enter, leave) = self.depth(fx);
        let ty = &c.ty;
        code![
            format!("if (__builtin_expect(fathom_forall_depth, 0)) for (; {var} < {hi}; {var}++) "),
            general,
            format!(" else {{ const long {first} = fathom_cyclic_first({lo}, "),
            shift,
            format!("); const long {n} = fathom_cyclic_count({first}, {hi}); "),
            views,
            enter,
            simd,
            format!(
                "for (long {k} = 0; {k} < {n}; {k}++) {{ __attribute__((unused)) {ty} {var} = ({ty})({first} + {k} * {}); ",
                self.threads()
            ),
            fast,
            "} ",
            leave,
            "} "
        ]
    }

    #[allow(clippy::too_many_arguments)]
    fn blocked(
        &mut self,
        c: &Counting,
        offset: i64,
        block: u64,
        lead: Option<Code>,
        prefix: &[ExprId],
        body: StmtId,
        general: Code,
        var: &str,
        lo: &str,
        hi: &str,
        fx: &Effects,
    ) -> Code {
        let (ranges, lead_name) = (self.temp("ranges"), self.temp("lead"));
        let mut aligned = code!["1"];
        let (mut left, mut right) = (0i64, 0i64);
        let mut views = Code::new();
        let mark = self.aliases.len();
        let mut seen: BTreeMap<u32, ()> = BTreeMap::new();
        for r in self.refs(body, c.var, fx) {
            // An element further away than half a block is no neighbour.
            let distance = r.offset.saturating_sub(offset);
            if r.block != block || distance.unsigned_abs() > block / 2 || !self.same_all(&r.prefix, prefix) {
                continue;
            }
            left = left.max(-distance);
            right = right.max(distance);
            if seen.insert(r.sym.0, ()).is_some() {
                continue;
            }
            let elem = self.elem_ty(&r);
            let size = self.s.elem_size(elem);
            let name = self.temp("view");
            let (origin, own_lead) = if matches!(self.s.types.kind(self.s.ty(r.root)), TyKind::Array(..)) {
                (self.address(r.root), code![self.linear(&r), "0"])
            } else {
                let p = self.expr(r.root);
                let own = code!["fathom_block_lead(", p.clone(), format!(", {block}ul)")];
                (code!["fathom_block_origin(", p, format!(", {size}ul)")], own)
            };
            aligned.push(code![" && ", own_lead.clone(), format!(" == {lead_name}")]);
            views.push(code![
                self.c_type(elem, &format!("*const {name}")),
                " = fathom_block_view(",
                origin,
                format!(", &{ranges}, {lead_name}, {size}ul); ")
            ]);
            self.aliases.push(Alias {
                sym: r.sym,
                prefix: r.prefix,
                var: c.var,
                kind: View::Blocked { name, offset, reach: block / 2 },
            });
        }
        let simd = self.simd(body, c.var, fx);
        let fast = self.placed(body);
        self.aliases.truncate(mark);
        let (enter, leave) = self.depth(fx);
        let nested = self.temp("nested");
        let ty = &c.ty;
        let (to, from) = (self.temp("to"), self.temp("from"));
        let lead = lead.unwrap_or_else(|| "0".into());
        let (save, leave) = if leave.is_empty() {
            (String::new(), String::new())
        } else {
            (format!("const int {nested} = fathom_forall_depth; "), format!("fathom_forall_depth = {nested}; "))
        };
        code![
            format!("const long {lead_name} = "),
            lead,
            format!("; struct fathom_ranges {ranges}; {save}"),
            format!("fathom_ranges_init(&{ranges}, {lo}, {hi}, {offset}l + {lead_name}, {block}l, {left}l, {right}l, "),
            aligned,
            "); ",
            enter,
            format!("while (fathom_ranges_next(&{ranges})) {{ "),
            format!("const {ty} {from} = ({ty}){ranges}.from, {to} = ({ty}){ranges}.to; "),
            format!("if (__builtin_expect({ranges}.fast, 1)) {{ "),
            views,
            simd,
            format!("for ({var} = {from}; {var} < {to}; {var}++) "),
            fast,
            format!(" }} else for ({var} = {from}; {var} < {to}; {var}++) "),
            general,
            " } ",
            leave
        ]
    }

    /// The pragma that tells the C compiler what is known here: that no iteration of the loop over the views touches what
    /// another one writes. Everything written is an element of a shared array, reached by one view at one offset only,
    /// or a variable of the body's own; distinct arrays do not overlap; nothing is reached through other pointers.
    fn simd(&self, body: StmtId, var: SymId, fx: &Effects) -> &'static str {
        if fx.calls {
            return "";
        }
        let u = self.u;
        let mut ok = true;
        let (mut own, mut written, mut read) = (vec![], vec![], vec![]);
        let mut targets = vec![];
        visit(u, Node::Stmt(body), &mut |n| match n {
            Node::Stmt(s) => {
                ok &= matches!(
                    u[s].kind,
                    StmtKind::Expr(_) | StmtKind::Compound(_) | StmtKind::If { .. } | StmtKind::Decl(_)
                );
            }
            Node::Decl(d) => {
                own.extend(u[d].declarators.iter().filter_map(|x| self.s.declarator_sym[x.declarator.index()]))
            }
            Node::Init(_) => {}
            Node::Expr(e) => match u[e].kind {
                ExprKind::Assign(_, l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => {
                    let l = self.unparen(l);
                    targets.push(l);
                    match u[l].kind {
                        ExprKind::Ident(_) => ok &= self.bare(l).is_some_and(|v| own.contains(&v)),
                        ExprKind::Index(..) => match self.served(l, var) {
                            Some(at) => written.push(at),
                            None => ok = false,
                        },
                        _ => ok = false,
                    }
                }
                // The subscripts on the way to an element.
                ExprKind::Index(..) if matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..)) => {}
                ExprKind::Index(a, _) if !targets.contains(&e) => match self.served(e, var) {
                    Some(at) => read.push(at),
                    None => {
                        ok &= matches!(self.s.types.kind(self.s.ty(a)), TyKind::Array(..))
                            && !self.s.types.is_shared(self.s.ty(a))
                    }
                },
                ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, _) | ExprKind::Member { .. } | ExprKind::StmtExpr(_) => {
                    ok = false
                }
                ExprKind::Ident(_) => {
                    ok &= !self.s.types.is_shared(self.s.ty(e))
                        || matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..))
                }
                _ => ok &= !self.is_strict(e),
            },
        });
        let object = |sym: SymId| matches!(self.s.types.kind(self.s.symbols[sym.0 as usize].ty), TyKind::Array(..));
        ok &= !written.is_empty() && written.iter().chain(&read).all(|(sym, ..)| object(*sym));
        ok &= written.iter().all(|(w, row, at)| {
            written.iter().chain(&read).all(|(r, other, o)| w != r || (at == o && self.same_all(row, other)))
        });
        if ok {
            "\n#pragma omp simd\n"
        } else {
            ""
        }
    }

    /// The array, row and offset from `var` of an element that a view in force, or a named row, serves.
    fn served(&self, e: ExprId, var: SymId) -> Option<(SymId, Vec<ExprId>, i64)> {
        let s = self.subscripts(e)?;
        let (&index, prefix) = s.indices.split_last()?;
        if self.is_strict(e) {
            return None;
        }
        let row = self.rows.iter().any(|r| r.sym == s.sym && self.same_all(&r.prefix, prefix));
        if let Some(offset) = self.affine(index, var).filter(|_| row) {
            return Some((s.sym, prefix.to_vec(), offset));
        }
        let views = self.aliases.iter().rev().filter(|a| a.sym == s.sym && a.var == var);
        views.filter(|a| self.same_all(&a.prefix, prefix)).find_map(|a| {
            let offset = self.affine(index, a.var)?;
            let fits = match a.kind {
                View::Blocked { offset: at, reach, .. } => offset.saturating_sub(at).unsigned_abs() <= reach,
                View::Cyclic(o, ..) => o == offset,
            };
            fits.then(|| (s.sym, prefix.to_vec(), offset))
        })
    }

    /// The same pragma for a C loop along rows of shared arrays.
    pub(crate) fn simd_for(&self, id: StmtId) -> &'static str {
        let StmtKind::For { init, cond: Some(cond), step: Some(step), body } = &self.u[id].kind else { return "" };
        if self.rows.is_empty() {
            return "";
        }
        let fx = effects(self.u, self.s, Node::Stmt(*body));
        match self.counting(init, *cond, *step, &fx) {
            Some(c) if self.invariant(c.hi, &fx) && self.invariant(c.lo, &fx) => self.simd(*body, c.var, &fx),
            _ => "",
        }
    }

    fn depth(&self, fx: &Effects) -> (&'static str, &'static str) {
        if fx.calls {
            ("fathom_forall_depth = 1; ", "fathom_forall_depth = 0; ")
        } else {
            ("", "")
        }
    }

    /// Is the loop one that counts up by one over a private variable that its body leaves alone?
    fn counting(&self, init: &ForInit, cond: ExprId, step: ExprId, fx: &Effects) -> Option<Counting> {
        let (var, lo, declares) = match init {
            ForInit::Expr(e) => {
                let ExprKind::Assign(None, l, r) = self.u[*e].kind else {
                    return None;
                };
                (self.bare(l)?, r, None)
            }
            ForInit::Decl(d) => {
                let [x] = self.u[*d].declarators.as_slice() else {
                    return None;
                };
                let InitKind::Expr(lo) = self.u[x.init?].kind else {
                    return None;
                };
                (self.s.declarator_sym[x.declarator.index()]?, lo, Some(*d))
            }
            ForInit::None => return None,
        };
        let symbol = &self.s.symbols[var.0 as usize];
        let q = self.s.types.quals(symbol.ty);
        let TyKind::Int(kind) = *self.s.types.kind(symbol.ty) else {
            return None;
        };
        use fathom_sema::IntKind::*;
        if matches!(kind, Bool | Int128 | UInt128) || q.shared.is_some() || q.is_volatile || q.is_atomic || q.is_const {
            return None;
        }
        // A variable that a call could change, or whose address something holds.
        if fx.assigned.contains(&var) || symbol.address_taken || (!symbol.local && fx.calls) {
            return None;
        }
        let (hi, inclusive) = match self.u[self.unparen(cond)].kind {
            ExprKind::Binary(op @ (BinOp::Lt | BinOp::Le), l, r) if self.bare(l) == Some(var) => (r, op == BinOp::Le),
            ExprKind::Binary(op @ (BinOp::Gt | BinOp::Ge), l, r) if self.bare(r) == Some(var) => (l, op == BinOp::Ge),
            _ => return None,
        };
        let steps = match self.u[self.unparen(step)].kind {
            ExprKind::Unary(UnOp::PreInc | UnOp::PostInc, x) => self.bare(x) == Some(var),
            ExprKind::Assign(Some(BinOp::Add), l, r) => {
                self.bare(l) == Some(var) && self.s.const_int(self.p, r) == Some(1)
            }
            ExprKind::Assign(None, l, r) => self.bare(l) == Some(var) && self.affine(r, var) == Some(1),
            _ => false,
        };
        let TyKind::Int(hi_kind) = *self.s.types.kind(self.s.ty(hi)) else {
            return None;
        };
        if matches!(hi_kind, Int128 | UInt128) || !steps || !self.pure(lo, var) || !self.pure(hi, var) {
            return None;
        }
        if fx.assigned.iter().any(|a| self.uses(hi, *a)) {
            return None;
        }
        let unsigned = |k| matches!(k, UInt | ULong | ULongLong);
        Some(Counting {
            var,
            lo,
            hi,
            inclusive,
            declares,
            ty: self.c_cast(symbol.ty),
            mixed_sign: unsigned(hi_kind) && !unsigned(kind),
        })
    }

    pub(crate) fn unparen(&self, e: ExprId) -> ExprId {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.unparen(x),
            _ => e,
        }
    }

    /// The variable that an expression names.
    fn bare(&self, e: ExprId) -> Option<SymId> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.bare(x),
            ExprKind::Ident(_) => self.s.expr_sym[e.index()],
            _ => None,
        }
    }

    /// No side effect, no call, no strict access, no use of `var`: evaluated once or in every iteration is the same,
    /// because the clauses are single-valued (6.6.2 p6).
    fn pure(&self, e: ExprId, var: SymId) -> bool {
        let mut ok = true;
        visit(self.u, Node::Expr(e), &mut |n| match n {
            Node::Expr(x) => match &self.u[x].kind {
                ExprKind::Call { .. } | ExprKind::Assign(..) | ExprKind::StmtExpr(_) | ExprKind::CompoundLit(..) => {
                    ok = false
                }
                ExprKind::VaArg(..) => ok = false,
                ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, _) => ok = false,
                ExprKind::Ident(_) => {
                    let q = self.s.types.quals(self.s.ty(x));
                    ok &= self.s.expr_sym[x.index()] != Some(var) && !q.is_volatile && !self.is_strict(x);
                }
                _ => ok &= !self.is_strict(x),
            },
            _ => ok = false,
        });
        ok
    }

    fn uses(&self, e: ExprId, sym: SymId) -> bool {
        let mut found = false;
        visit(self.u, Node::Expr(e), &mut |n| {
            if let Node::Expr(x) = n {
                found |= self.s.expr_sym[x.index()] == Some(sym);
            }
        });
        found
    }

    /// c, if the expression is `var + c`.
    fn affine(&self, e: ExprId, var: SymId) -> Option<i64> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.affine(x, var),
            ExprKind::Ident(_) => (self.s.expr_sym[e.index()] == Some(var)).then_some(0),
            ExprKind::Binary(BinOp::Add, l, r) => match self.affine(l, var) {
                Some(a) => a.checked_add(i64::try_from(self.s.const_int(self.p, r)?).ok()?),
                None => self.affine(r, var)?.checked_add(i64::try_from(self.s.const_int(self.p, l)?).ok()?),
            },
            ExprKind::Binary(BinOp::Sub, l, r) => {
                self.affine(l, var)?.checked_sub(i64::try_from(self.s.const_int(self.p, r)?).ok()?)
            }
            _ => None,
        }
    }

    fn owner(&mut self, affinity: ExprId, c: &Counting, fx: &Effects) -> Option<Owner> {
        if let Some(offset) = self.affine(affinity, c.var) {
            return Some(Owner::Cyclic { shift: format!("{offset}l").into() });
        }
        // &x[i + c][consts], x[i + c] (an array), or x + (i + c).
        let e = self.unparen(affinity);
        let (root, index, rest) = match self.u[e].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => {
                let s = self.subscripts(x)?;
                (s.root, *s.indices.first()?, s.indices[1..].to_vec())
            }
            ExprKind::Index(..) if matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..)) => {
                let s = self.subscripts(e)?;
                (s.root, *s.indices.first()?, s.indices[1..].to_vec())
            }
            ExprKind::Binary(BinOp::Add, l, r) => (self.unparen(l), r, vec![]),
            _ => return None,
        };
        let Some(offset) = self.affine(index, c.var) else { return self.owner_by_last(root, index, &rest, c, fx) };
        let t = self.s.ty(root);
        let sym = match self.u[root].kind {
            ExprKind::Ident(_) => self.s.expr_sym[root.index()]?,
            _ => return None,
        };
        let Block::Of(block) = self.layout_of_root(t)? else {
            return None;
        };
        let elem = match *self.s.types.kind(t) {
            TyKind::Array(e, _) => e,
            TyKind::Pointer(e) if self.is_fixed(sym, fx) => e,
            _ => return None,
        };
        // Further subscripts stay in the row if they are constants within it.
        let row = self.const_count(elem)?;
        let mut dims = elem;
        for i in rest {
            let TyKind::Array(next, fathom_sema::Len::Const(n)) = *self.s.types.kind(dims) else {
                return None;
            };
            let i = self.s.const_int(self.p, i)?;
            if i < 0 || i >= i128::from(n) {
                return None;
            }
            dims = next;
        }
        let is_pointer = matches!(self.s.types.kind(t), TyKind::Pointer(_));
        if row == 0 || block % row != 0 || (is_pointer && row != 1) {
            return None;
        }
        if block / row == 1 {
            let shift = if is_pointer {
                code![format!("{offset}l + fathom_thread_of("), self.word_of(root), ")"]
            } else {
                format!("{offset}l").into()
            };
            return Some(Owner::Cyclic { shift });
        }
        let lead = is_pointer.then(|| code!["fathom_block_lead(", self.expr(root), format!(", {block}ul)")]);
        Some(Owner::Blocked { offset, block: block / row, lead, prefix: vec![] })
    }

    /// `&x[first]…[i + c]`: the loop runs along a row, whose number it leaves alone.
    fn owner_by_last(
        &mut self,
        root: ExprId,
        first: ExprId,
        rest: &[ExprId],
        c: &Counting,
        fx: &Effects,
    ) -> Option<Owner> {
        let (&last, middle) = rest.split_last()?;
        let prefix: Vec<ExprId> = [first].into_iter().chain(middle.iter().copied()).collect();
        let offset = self.affine(last, c.var)?;
        let mut ty = self.s.ty(root);
        let Block::Of(block) = self.s.types.shared(ty)? else { return None };
        for i in prefix.iter().chain([&last]) {
            let TyKind::Array(elem, _) = *self.s.types.kind(ty) else { return None };
            if *i != last && (!self.invariant(*i, fx) || self.uses(*i, c.var)) {
                return None;
            }
            ty = elem;
        }
        if !self.count_is_one(ty) {
            return None;
        }
        let lead = self.linear_prefix(root, &prefix);
        if block == 1 {
            return Some(Owner::Cyclic { shift: code![lead, format!("{offset}l")] });
        }
        Some(Owner::Blocked { offset, block, lead: Some(code![lead, "0"]), prefix })
    }

    fn layout_of_root(&self, t: fathom_sema::Ty) -> Option<Block> {
        match *self.s.types.kind(t) {
            TyKind::Pointer(p) => self.s.types.shared(p),
            _ => self.s.types.shared(t),
        }
    }

    /// Subscripts in the body that a local view can replace: `x[i + c]` of a one-dimensional array, or of a pointer that
    /// the loop leaves alone, with a definite block size.
    fn refs(&mut self, body: StmtId, var: SymId, fx: &Effects) -> Vec<Ref> {
        let u = self.u;
        let mut found = vec![];
        visit(u, Node::Stmt(body), &mut |n| {
            if let Node::Expr(e) = n {
                if matches!(u[e].kind, ExprKind::Index(..)) {
                    found.push(e);
                }
            }
        });
        let mut out = vec![];
        for e in found {
            let Some(s) = self.subscripts(e) else { continue };
            let Some((&index, prefix)) = s.indices.split_last() else { continue };
            let t = self.s.ty(s.root);
            let fits = match *self.s.types.kind(t) {
                TyKind::Array(..) => self.s.types.is_shared(t) && self.count_is_one(self.s.ty(e)),
                TyKind::Pointer(elem) => {
                    prefix.is_empty()
                        && self.count_is_one(elem)
                        && self.is_fixed(s.sym, fx)
                        && !self.s.types.is_shared(t)
                }
                _ => false,
            };
            if !fits || !prefix.iter().all(|i| self.invariant(*i, fx) && !self.uses(*i, var)) {
                continue;
            }
            let (Some(offset), Some(Block::Of(block))) = (self.affine(index, var), self.layout_of_root(t)) else {
                continue;
            };
            out.push(Ref { sym: s.sym, root: s.root, prefix: prefix.to_vec(), offset, block });
        }
        out
    }

    /// The type of the element, arrays peeled off.
    fn elem_ty(&self, r: &Ref) -> fathom_sema::Ty {
        let t = self.s.ty(r.root);
        match *self.s.types.kind(t) {
            TyKind::Pointer(e) => e,
            _ => self.s.types.ultimate(t),
        }
    }

    /// Elements before the row that the prefix of a reference names, as the beginning of a sum.
    fn linear(&mut self, r: &Ref) -> Code {
        self.linear_prefix(r.root, &r.prefix)
    }

    fn linear_prefix(&mut self, root: ExprId, prefix: &[ExprId]) -> Code {
        let mut out = Code::new();
        let mut ty = self.s.ty(root);
        for i in prefix {
            let TyKind::Array(row, _) = *self.s.types.kind(ty) else { break };
            let index = self.expr(*i);
            out.push(self.scaled(index, row)).push(" + ");
            ty = row;
        }
        out
    }

    /// The address of element `index` of a cyclic array or pointer.
    fn start_of(&mut self, r: &Ref, index: Code) -> Code {
        let t = self.s.ty(r.root);
        if let TyKind::Array(..) = self.s.types.kind(t) {
            let start = self.address(r.root);
            let l = self.layout(t);
            return self.elem_address(start, index, l);
        }
        let p = self.expr(r.root);
        self.add(p, index, t)
    }

    /// The lvalue for an element that a view or a named row serves.
    pub(crate) fn alias_lvalue(&mut self, e: ExprId) -> Option<Code> {
        if !matches!(self.u[e].kind, ExprKind::Index(..)) {
            return None;
        }
        if self.aliases.is_empty() {
            return self.row_lvalue(e);
        }
        let s = self.subscripts(e)?;
        let (&index, prefix) = s.indices.split_last()?;
        let mut blocked = None;
        for a in self.aliases.iter().rev().filter(|a| a.sym == s.sym && self.same_all(&a.prefix, prefix)) {
            let offset = self.affine(index, a.var);
            match &a.kind {
                View::Blocked { name, offset: at, reach }
                    if offset.is_some_and(|o| o.saturating_sub(*at).unsigned_abs() <= *reach) =>
                {
                    blocked = Some(name.clone());
                    break;
                }
                View::Cyclic(o, name, k) if offset == Some(*o) => return Some(format!("{name}[{k}]").into()),
                _ => {}
            }
        }
        if blocked.is_none() {
            return self.row_lvalue(e);
        }
        let name = blocked?;
        Some(code![name, "[", self.expr(index), "]"])
    }
}
