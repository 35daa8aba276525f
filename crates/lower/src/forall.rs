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
use crate::counting::Counting;
use crate::explain::Around;
use crate::far::Reach;
use crate::views::{Alias, Ref, View};
use crate::walk::{effects, Effects};
use crate::Lower;
use fathom_sema::{Block, SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;
use std::collections::BTreeMap;

/// Who runs iteration i.
enum Owner {
    /// Thread (i + shift) mod THREADS; `shift` is C.
    Cyclic { shift: Code, home: Home },
    /// Thread ((i + offset + lead) / block) mod THREADS; `lead` is what the affinity's pointer, or the subscripts before
    /// the last one (`prefix`), add.
    Blocked { offset: i64, block: u64, lead: Option<Code>, prefix: Vec<ExprId> },
}

/// What iteration i's thread holds: element i + offset of this cyclic pointer, or of every static cyclic array, in the row
/// that the prefix names.
struct Home {
    pointer: Option<SymId>,
    prefix: Vec<ExprId>,
    offset: i64,
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
        let fx = effects(u, self.s, Child::Stmt(body));
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
        let around = std::mem::replace(&mut self.explain.around, Around::Tested);
        let body = self.placed(body);
        self.explain.around = around;
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
        let offset = match &owner {
            Owner::Cyclic { home, .. } => home.offset,
            Owner::Blocked { offset, .. } => *offset,
        };
        let follows = self.affinity_follows(affinity, c.var, offset);
        let outer = std::mem::replace(&mut self.explain.affinity, follows);
        let around = std::mem::replace(&mut self.explain.around, Around::Ends);
        let general = self.placed(body);
        self.explain.around = Around::Shared;
        out.push(match owner {
            Owner::Cyclic { shift, home } => self.cyclic(&c, shift, &home, body, general, &var, &lo_name, &hi_name, fx),
            Owner::Blocked { offset, block, lead, prefix } => {
                self.blocked(&c, offset, block, lead, &prefix, body, general, &var, &lo_name, &hi_name, fx)
            }
        });
        self.explain.affinity = outer;
        self.explain.around = around;
        out.push(format!(" {var} = ({ty})({hi_name} > {lo_name} ? {hi_name} : {lo_name}); }}"));
        Some(out)
    }

    fn is_at_home(&self, home: &Home, r: &Ref) -> bool {
        let is_array = matches!(self.s.types.kind(self.s.ty(r.root)), TyKind::Array(..));
        let root = if is_array { home.pointer.is_none() } else { home.pointer == Some(r.sym) };
        root && r.offset == home.offset && self.same_all(&r.prefix, &home.prefix)
    }

    #[allow(clippy::too_many_arguments)]
    fn cyclic(
        &mut self,
        c: &Counting,
        shift: Code,
        home: &Home,
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
                    && matches!(a.kind, View::Cyclic { offset, .. } if offset == r.offset)
                    && self.same_all(&a.prefix, &r.prefix)
            };
            if r.block != 1 || self.aliases[mark..].iter().any(known) {
                continue;
            }
            let name = self.temp("view");
            let elem = self.elem_ty(&r);
            let index = code![self.linear(&r), format!("{first} + {}l", r.offset)];
            let start = self.start_of(&r, index);
            let declared = self.c_type(elem, &format!("*const {name}"));
            let reach = if self.options.direct || self.is_at_home(home, &r) {
                Reach::Near
            } else {
                Reach::If(format!("{name}_near"))
            };
            let address = self.reached(&mut views, &name, &reach, start);
            views.push(code!["__attribute__((unused)) ", declared, " = ", address, "; "]);
            self.aliases.push(Alias {
                sym: r.sym,
                prefix: r.prefix,
                var: c.var,
                kind: View::Cyclic { offset: r.offset, name, counter: k.clone(), reach },
            });
        }
        let ty = &c.ty;
        let threads = self.threads();
        let fast = self.versions(body, 0, |l| {
            code![
                l.simd(body, c.var, fx),
                format!("for (long {k} = 0; {k} < {n}; {k}++) {{ "),
                format!("__attribute__((unused)) {ty} {var} = ({ty})({first} + {k} * {threads}); "),
                l.placed(body),
                "} "
            ]
        });
        let counters = self.counters_of_views(mark);
        self.aliases.truncate(mark);
        let (enter, leave) = self.depth(fx);
        code![
            format!("if (__builtin_expect(fathom_forall_depth, 0)) for (; {var} < {hi}; {var}++) "),
            general,
            format!(" else {{ const long {first} = fathom_cyclic_first({lo}, "),
            shift,
            format!("); const long {n} = fathom_cyclic_count({first}, {hi}); "),
            views,
            counters,
            enter,
            fast,
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
                "__attribute__((unused)) ",
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
        // Rows of arrays of several dimensions, where whole rows make up a block.
        let rows = if lead.is_none() { self.row_refs(body, c.var, block) } else { vec![] };
        for r in rows {
            let distance = r.offset.saturating_sub(offset);
            if distance.unsigned_abs() > block / 2 {
                continue;
            }
            left = left.max(-distance);
            right = right.max(distance);
            if seen.insert(r.sym.0, ()).is_some() {
                continue;
            }
            let name = self.temp("view");
            let bytes = self.s.elem_size(r.row) * self.const_count(r.row).unwrap_or(1);
            let origin = self.address(r.root);
            views.push(code![
                "__attribute__((unused)) ",
                self.c_type(r.row, &format!("(*const {name})")),
                " = fathom_block_view(",
                origin,
                format!(", &{ranges}, {lead_name}, {bytes}ul); ")
            ]);
            self.aliases.push(Alias {
                sym: r.sym,
                prefix: vec![],
                var: c.var,
                kind: View::Rows { name, offset, reach: block / 2 },
            });
        }
        let (to, from) = (self.temp("to"), self.temp("from"));
        let fast = self.versions(body, 0, |l| {
            code![l.simd(body, c.var, fx), format!("for ({var} = {from}; {var} < {to}; {var}++) "), l.placed(body)]
        });
        let counters = self.counters_of_views(mark);
        self.aliases.truncate(mark);
        let (enter, leave) = self.depth(fx);
        let nested = self.temp("nested");
        let ty = &c.ty;
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
            counters,
            fast,
            format!(" }} else for ({var} = {from}; {var} < {to}; {var}++) "),
            general,
            " } ",
            leave
        ]
    }

    fn depth(&self, fx: &Effects) -> (&'static str, &'static str) {
        if fx.calls {
            ("fathom_forall_depth = 1; ", "fathom_forall_depth = 0; ")
        } else {
            ("", "")
        }
    }

    fn owner(&mut self, affinity: ExprId, c: &Counting, fx: &Effects) -> Option<Owner> {
        if let Some(offset) = self.affine(affinity, c.var) {
            let home = Home { pointer: None, prefix: vec![], offset };
            return Some(Owner::Cyclic { shift: format!("{offset}l").into(), home });
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
            let home = Home { pointer: is_pointer.then_some(sym), prefix: vec![], offset };
            return Some(Owner::Cyclic { shift, home });
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
            let home = Home { pointer: None, prefix, offset };
            return Some(Owner::Cyclic { shift: code![lead, format!("{offset}l")], home });
        }
        Some(Owner::Blocked { offset, block, lead: Some(code![lead, "0"]), prefix })
    }

    pub(crate) fn layout_of_root(&self, t: fathom_sema::Ty) -> Option<Block> {
        match *self.s.types.kind(t) {
            TyKind::Pointer(p) => self.s.types.shared(p),
            _ => self.s.types.shared(t),
        }
    }
}
