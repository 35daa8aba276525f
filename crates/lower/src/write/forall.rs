//! Writes `upc_forall` (UPC 1.3, 6.6.2) according to the plan.
//!
//! The general form tests the affinity of every iteration. If this thread's iterations are known, they are THREADS
//! apart (`strided`), or they come in ranges, in blocks (`blocked`). Both forms keep a copy of the general body: for
//! the elements at a block's ends whose neighbours are on another thread, and for a loop that turns out not to be
//! controlling (nested through a call, 6.6.2 p10). Long blocks are cut into pieces, for which one body suffices
//! (`pieces`).

use crate::code::Code;
use crate::plan::affinity::{Margins, Owner, Start};
use crate::plan::counting::Counting;
use crate::plan::strips::Strips;
use crate::plan::views::Kind;
use crate::plan::{Action, Loop, Sharing, Version};
use crate::write::batches::Head;
use crate::write::strips::{iteration_variable, silence, Own};
use crate::write::views::{simd, Made};
use crate::write::Writer;
use fathom_syntax::ast::*;

/// Names in the generated code of a counting loop.
struct Names {
    /// The program's own variable, and its C type.
    var: String,
    ty: String,
    lo: String,
    hi: String,
}

impl Names {
    /// Sets the variable to its value after the loop.
    fn last_value(&self) -> String {
        let Names { var, ty, lo, hi } = self;
        format!(" {var} = ({ty})({hi} > {lo} ? {hi} : {lo});")
    }
}

impl Writer<'_> {
    pub(crate) fn forall(&mut self, planned: &Loop) -> Code {
        let u = self.u;
        let StmtKind::Forall { init, cond, step, affinity, body } = &u[planned.stmt].kind else { unreachable!() };
        let made = self.make_rows(planned);
        let code = match (&planned.sharing, affinity, &planned.counting) {
            (Sharing::Owned(owner), _, Some(c)) => self.shared_loop(planned, owner, c, *body),
            (Sharing::Tested, Affinity::Expr(e), c) => {
                let listed = planned.strips.as_ref().and_then(|s| s.as_ref().ok()).zip(c.as_ref());
                // What is written around it has declared the variable.
                let hiding = if listed.is_some() { self.options.hiding } else { &[] };
                let tested = self.tested(planned, (init, *cond, *step), hiding, *e, *body);
                match listed {
                    Some((strips, c)) => self.tested_or_listed(planned, strips, c, *e, *body, tested),
                    None => tested,
                }
            }
            _ => {
                let (before, head) = self.within(planned.head, |l| l.clauses(init, *cond, *step, ""));
                let body = self.versions(&planned.versions, |l, _| l.placed(*body));
                code!["{ ", before, head, body, " }"]
            }
        };
        self.with_rows(planned, made, code)
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
                before = if self.translated.decl(*d) { self.decl(*d, true) } else { self.u[*d].toks.into() };
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

    /// A statement's code, anchored to its line.
    pub(crate) fn placed(&mut self, s: StmtId) -> Code {
        let mut out = Code::new();
        let code = self.stmt(s);
        out.push_in_place(self.u[s].toks, code);
        out
    }

    fn tested(
        &mut self,
        planned: &Loop,
        (init, cond, step): (&ForInit, Option<ExprId>, Option<ExprId>),
        hiding: &[&str],
        affinity: ExprId,
        body: StmtId,
    ) -> Code {
        let nested = self.temp("nested");
        let enters = planned.before.contains(&Action::Enter);
        // Only the body is inside the statement (6.6.2 p10): the depth is restored before the clauses run again.
        let leave = if enters { format!("fathom_forall_depth = {nested}") } else { String::new() };
        let (before, head, owner) = self.within(planned.head, |l| {
            let (before, head) = l.clauses(init, cond, step, &leave);
            (before, head, l.owner_of(affinity))
        });
        let body = self.versions(&planned.versions, |l, _| l.placed(body));
        let [silent, loud] = silence(hiding);
        let enter = if enters { "fathom_forall_depth = 1; " } else { "" };
        // The affinity is evaluated in every iteration (6.6.2 p11).
        code![
            format!("{{ const int {nested} = fathom_forall_depth; "),
            silent,
            before,
            loud,
            head,
            "if (",
            owner,
            format!(" == fathom_mythread || {nested}) {{ {enter}"),
            body,
            " } }"
        ]
    }

    /// The thread that an iteration with this affinity belongs to.
    fn owner_of(&mut self, affinity: ExprId) -> Code {
        let t = self.s.rvalue_ty(affinity);
        if self.is_shared_ptr(t) {
            code!["fathom_affinity(", self.word_of(affinity), ")"]
        } else if self.unsigned(t) {
            code!["fathom_mod_threads_unsigned(", self.expr(affinity), ")"]
        } else {
            code!["fathom_mod_threads((long)(", self.expr(affinity), "))"]
        }
    }

    /// The loop in strips of this thread's iterations, for each of which the affinity has been tested before; else `otherwise`.
    fn tested_or_listed(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        c: &Counting,
        affinity: ExprId,
        body: StmtId,
        otherwise: Code,
    ) -> Code {
        let (lo, hi) = self.within(planned.head, |l| (l.expr(c.lo), l.expr(c.hi)));
        let (n, begin) = self.bounds(c, lo, hi);
        let owner = self.within(planned.head, |l| l.silently(|l| l.owner_of(affinity)));
        // That loop leaves its variable as C does.
        let after = n.last_value();
        let loops = self.own_strips_or(planned, strips, [&n.lo, &n.hi], Own::Tested(owner, after), body, otherwise);
        code![begin, loops, " }"]
    }

    /// Declares the bounds of a loop that this thread runs in parts.
    fn bounds(&mut self, c: &Counting, lo: Code, hi: Code) -> (Names, Code) {
        let symbol = &self.s.symbols[c.var.0 as usize];
        let (var, symbol_ty) = (self.p.source.name(symbol.name).to_owned(), symbol.ty);
        let n = Names { var, ty: self.c_cast(symbol_ty), lo: self.temp("lo"), hi: self.temp("hi") };
        let Names { var, ty, lo: lo_name, hi: hi_name } = &n;
        let mut out = code!["{ "];
        if c.declares.is_some() {
            out.push(format!("{ty} {var}; "));
        }
        // The variable takes its first value before the bound is computed, as in a C loop.
        out.push(format!("{var} = "))
            .push(lo)
            .push(format!("; const long {lo_name} = (long){var}; const long {hi_name} = "));
        let inclusive = if c.inclusive { " + 1" } else { "" };
        if c.mixed_sign {
            out.push(format!("{lo_name} < 0 ? {lo_name} : "));
        }
        // What begins above all values of `long` is above those that the bound may have.
        let (from, end) = match self.is_large_unsigned(symbol_ty) {
            true => (format!("fathom_behind_large({lo_name}, "), ")"),
            false => (String::new(), ""),
        };
        out.push(format!("{from}(long){}(", self.bound_as_compared(c))).push(hi).push(format!("){inclusive}{end}; "));
        (n, out)
    }

    /// The loop without affinity tests.
    fn shared_loop(&mut self, planned: &Loop, owner: &Owner, c: &Counting, body: StmtId) -> Code {
        let (start, block) = match owner {
            Owner::Cyclic { start, .. } => (start, None),
            Owner::Blocked { block, start, .. } => (start, Some(*block)),
            Owner::Pieces { block, .. } => (&Start::Zero, Some(*block)),
        };
        let (start_code, lo, hi) = self.within(planned.head, |l| (l.start(start, block), l.expr(c.lo), l.expr(c.hi)));
        let (n, mut out) = self.bounds(c, lo, hi);
        let general = planned.ends.map_or(Code::new(), |ends| self.within(ends, |l| l.placed(body)));
        let shift = match start {
            Start::Pointer(_) => code![format!("{}l + ", owner.offset()), start_code.clone()],
            _ => code![start_code.clone(), format!("{}l", owner.offset())],
        };
        let by_tests = match owner {
            Owner::Cyclic { .. } => self.strided(planned, shift.clone(), body, general, &n),
            Owner::Pieces { uses_var, .. } => {
                let cut = self.cut(owner, &planned.before_run);
                self.pieces(planned, &cut, *uses_var, body, &n)
            }
            Owner::Blocked { offset, block, margins, .. } => {
                let lead = match start {
                    Start::Pointer(_) => start_code,
                    _ => code![start_code, "0"],
                };
                self.blocked(planned, owner, (*offset, *block, *margins), lead, body, general, &n)
            }
        };
        out.push(self.halos(planned, [&n.lo, &n.hi], &shift, block.unwrap_or(1)));
        out.push(match &planned.strips {
            Some(Ok(strips)) => {
                let own = Own::Known(shift, block.unwrap_or(1));
                self.own_strips_or(planned, strips, [&n.lo, &n.hi], own, body, by_tests)
            }
            _ => by_tests,
        });
        out.push(n.last_value()).push(" }");
        out
    }

    fn strided(&mut self, planned: &Loop, shift: Code, body: StmtId, general: Code, names: &Names) -> Code {
        let Names { var, ty, lo, hi } = names;
        let (first, k, n) = (self.temp("first"), self.temp("k"), self.temp("n"));
        let made = Made { counter: k.clone(), first: first.clone(), ..Made::default() };
        let views = self.make_views(&planned.before_run, &made);
        let threads = self.threads();
        let hiding = self.options.hiding;
        let of = |k: &str| iteration_variable(hiding, var, ty, &format!("{first} + {k} * {threads}"));
        let mut declared = String::new();
        let fast = self.versions(&planned.versions, |l, v| {
            let own = |value: &str| format!("const long {k} = {value}; {}", of(&k));
            let at = |k: &str| format!("{first} + {k} * {threads}");
            let begin = l.begins_own(planned, v, &mut declared, (&k, "long", &n), &own, (&at, &threads));
            let body = l.body_with_fetches(body);
            code![simd(v), format!("for (long {k} = 0; {k} < {n}; {k}++) {{ "), begin, of(&k), body, "} "]
        });
        let counters = self.counters_of_views(&planned.before_run);
        let (enter, leave) = depth(planned);
        code![
            // In braces: an `if` without `else` would take the one that follows.
            format!("if (__builtin_expect(fathom_forall_depth, 0)) for (; {var} < {hi}; {var}++) {{ "),
            general,
            format!(" }} else {{ const long {first} = fathom_cyclic_first({lo}, "),
            shift,
            format!("); const long {n} = fathom_cyclic_count({first}, {hi}); "),
            views,
            counters,
            enter,
            declared,
            fast,
            leave,
            "} "
        ]
    }

    /// What stands before the body of a version that does something for many iterations together. `declared` gets what stands before all loops; `at` is
    /// for [`Writer::fetches_ahead`].
    fn begins_own(
        &mut self,
        planned: &Loop,
        version: &Version,
        declared: &mut String,
        (counter, ty, end): (&str, &str, &str),
        own: &dyn Fn(&str) -> String,
        at: (&dyn Fn(&str) -> String, &str),
    ) -> Code {
        if version.independent {
            return Code::new();
        }
        let head = Head { counter, ty, end: end.into(), own };
        if let Some((before, begin)) = self.fetches_ahead(planned, head, at, None) {
            declared.push_str(&before);
            return begin;
        }
        let Some((name, begin)) = self.in_batches(planned, Head { counter, ty, end: end.into(), own }) else {
            return Code::new();
        };
        declared.push_str(&format!("long {name} = fathom_batch_first; "));
        begin
    }

    /// The body that such a beginning is for.
    fn body_with_fetches(&mut self, body: StmtId) -> Code {
        let code = self.placed(body);
        self.fetched = None;
        code
    }

    #[allow(clippy::too_many_arguments)]
    fn blocked(
        &mut self,
        planned: &Loop,
        owner: &Owner,
        (offset, block, margins): (i64, u64, Margins),
        lead: Code,
        body: StmtId,
        general: Code,
        names: &Names,
    ) -> Code {
        let Names { var, ty, lo, hi } = names;
        let (ranges, lead_name) = (self.temp("ranges"), self.temp("lead"));
        let made = Made { ranges: ranges.clone(), lead: lead_name.clone(), ..Made::default() };
        let views = self.make_views(&planned.before_run, &made);
        let mut aligned = code!["1"];
        for a in &planned.before_run {
            if let Action::Make(v) = a {
                aligned.push(self.aligned(*v, block, &lead_name).unwrap_or_default());
            }
        }
        let (to, from) = (self.temp("to"), self.temp("from"));
        let mut declared = String::new();
        let fast = self.versions(&planned.versions, |l, v| {
            let own = |value: &str| iteration_variable(l.options.hiding, var, ty, value);
            let at = (&str::to_owned as &dyn Fn(&str) -> String, "1");
            let begin = l.begins_own(planned, v, &mut declared, (var, ty, &to), &own, at);
            let (open, close) = if begin.is_empty() { ("", "") } else { ("{ ", " }") };
            let head = format!("for ({var} = {from}; {var} < {to}; {var}++) {open}");
            code![simd(v), head, begin, l.body_with_fetches(body), close]
        });
        let counters = self.counters_of_views(&planned.before_run);
        let (enter, leave) = depth(planned);
        let nested = self.temp("nested");
        let (save, leave) = if leave.is_empty() {
            (String::new(), String::new())
        } else {
            (format!("const int {nested} = fathom_forall_depth; "), format!("fathom_forall_depth = {nested}; "))
        };
        let Margins { left, right } = margins;
        // Between long blocks the time of a call does not matter, and calls keep the text small.
        let (begin, next) = match owner.has_long_blocks() {
            true => {
                let blocking = self.temp("blocking");
                let declared =
                    format!("static const struct fathom_blocking {blocking} = {{{block}l, {left}l, {right}l}}; ");
                (
                    format!(
                        "{declared}fathom_blocks_begin(&{ranges}, {lo}, {hi}, {offset}l + {lead_name}, &{blocking}, "
                    ),
                    "fathom_blocks_next",
                )
            }
            false => (
                format!(
                    "fathom_ranges_init(&{ranges}, {lo}, {hi}, {offset}l + {lead_name}, {block}l, {left}l, {right}l, "
                ),
                "fathom_ranges_next",
            ),
        };
        code![
            format!("const long {lead_name} = "),
            lead,
            format!("; struct fathom_ranges {ranges}; {save}"),
            begin,
            aligned,
            "); ",
            enter,
            declared,
            format!("while ({next}(&{ranges})) {{ "),
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
}

impl Writer<'_> {
    /// The loop cut into pieces, with one body: each call of the runtime says which iterations are next, and where the
    /// elements of the views lie in them.
    fn pieces(&mut self, planned: &Loop, cut: &str, uses_var: bool, body: StmtId, names: &Names) -> Code {
        let Names { var, ty, lo, hi } = names;
        let [pieces, n, from, to] = ["pieces", "n", "from", "to"].map(|what| self.temp(what));
        // Where the body uses the variable, the variable counts, and the views are subscripted with the program's own
        // index. Otherwise no variable is kept in step.
        let counter = if uses_var { String::new() } else { self.temp("k") };
        let made = Made { counter: counter.clone(), first: from.clone(), pieces: pieces.clone(), ..Made::default() };
        let views = self.make_views(&planned.before_run, &made);
        let hiding = self.options.hiding;
        let of_counter = || iteration_variable(hiding, var, ty, &format!("{from} + {counter}"));
        let head = match uses_var {
            true => format!("for ({var} = {from}; {var} < {to}; {var}++) {{ "),
            false => format!("for (long {counter} = 0; {counter} < {n}; {counter}++) {{ {}", of_counter()),
        };
        let mut declared = String::new();
        let body = self.versions(&planned.versions, |l, v| {
            let (counts, ty, end) = if uses_var { (var, ty.as_str(), &to) } else { (&counter, "long", &n) };
            let own = |value: &str| match uses_var {
                true => iteration_variable(hiding, var, &names.ty, value),
                false => format!("const long {counter} = {value}; {}", of_counter()),
            };
            let at = |value: &str| if uses_var { value.to_owned() } else { format!("{from} + {value}") };
            let begin = l.begins_own(planned, v, &mut declared, (counts, ty, end), &own, (&at, "1"));
            code![simd(v), head.as_str(), begin, l.body_with_fetches(body), "} "]
        });
        // The first call has read the depth before the body enters.
        let (enter, leave) = depth(planned);
        let nested = self.temp("nested");
        let (save, leave) = match leave {
            "" => (String::new(), String::new()),
            _ => (format!("const int {nested} = fathom_forall_depth; "), format!(" fathom_forall_depth = {nested};")),
        };
        code![
            declared,
            format!("struct fathom_pieces {pieces}; {pieces}.begun = 0; {save}for (long {n}; fathom_is_piece("),
            format!("{n} = fathom_next_piece(&{pieces}, {lo}, {hi}, &{cut})); ) {{ {enter}"),
            format!("__attribute__((unused)) const {ty} {from} = ({ty}){pieces}.from, "),
            format!("{to} = ({ty})({pieces}.from + {n}); "),
            views,
            body,
            "}",
            leave
        ]
    }

    /// The name of the description of how a loop is cut. Loops that are cut in the same way share one.
    fn cut(&mut self, owner: &Owner, views: &[Action]) -> String {
        let Owner::Pieces { offset, block, margins, .. } = owner else { return String::new() };
        let mut served = vec![];
        for a in views {
            let Action::Make(v) = *a else { continue };
            let view = self.view(v);
            let Kind::Piece { offset, .. } = view.kind else { continue };
            let bytes = self.bytes_of(view);
            let name = self.object_name(view.sym);
            let symbol = self.object_symbol(view.sym).unwrap_or(name);
            served.push(format!("{{{symbol}, {offset}l, {bytes}ul}}"));
        }
        let Margins { left, right } = margins;
        let (count, served) = (served.len(), served.join(", "));
        let text = format!("{{{block}l, {offset}l, {left}l, {right}l, {count}, {{{served}}}}}");
        if let Some(name) = self.cuts.get(&text) {
            return name.clone();
        }
        let name = self.temp("cut");
        self.hoisted.push(format!("static const struct fathom_cut {name} = {text};\n"));
        self.cuts.insert(text, name.clone());
        name
    }
}

/// C that enters and leaves a loop whose body calls something.
fn depth(planned: &Loop) -> (&'static str, &'static str) {
    if planned.before.contains(&Action::Enter) {
        ("fathom_forall_depth = 1; ", "fathom_forall_depth = 0; ")
    } else {
        ("", "")
    }
}
