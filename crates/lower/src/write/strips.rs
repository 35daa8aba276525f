//! Writes counting C loops in strips, on landed data: `runtime/lang/strip.h` has the functions.

use crate::code::Code;
use crate::plan::accesses::Use;
use crate::plan::counting::{Counting, Stepping};
use crate::plan::gathers::{Source, Step};
use crate::plan::strips::{Shift, Strips, Write};
use crate::plan::views::Kind;
use crate::plan::walks::Walk;
use crate::plan::{Form, Loop, Proof, ViewId};
use crate::write::explain::c_string;
use crate::write::far::Access;
use crate::write::views::{simd, Made};
use crate::write::Writer;
use fathom_sema::{Block, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;

/// The iterations of a `upc_forall` that are this thread's.
pub(crate) enum Own {
    /// Iteration i is that of the thread (i + shift) / block mod THREADS.
    Known(Code, u64),
    /// Each iteration's thread is computed from the loop's variable; and what follows the loop then.
    Tested(Code, String),
}

impl Writer<'_> {
    /// The loop in strips where the runtime says that something far is read and nothing is written there; else `otherwise`.
    pub(crate) fn strips_or(&mut self, planned: &Loop, strips: &Strips, otherwise: Code) -> Code {
        if let Some(stepping) = &planned.stepping {
            return self.stepped_or(planned, strips, stepping, otherwise);
        }
        let otherwise = match &strips.instead {
            Some(instead) => self.strips_or(planned, instead, otherwise),
            None => otherwise,
        };
        if let Some(kept) = &strips.kept {
            return self.list_or(planned, strips, kept, otherwise);
        }
        if let Some(inner) = &strips.nest {
            return self.nest_or(planned, strips, inner, otherwise);
        }
        let Some(c) = &planned.counting else { return otherwise };
        let Some(last) = strips.versions.last() else { return otherwise };
        let (s, lo, trips) = (self.temp("strip"), self.temp("lo"), self.temp("trips"));
        let ty = self.c_cast(self.s.symbols[c.var.0 as usize].ty);
        let counts = self.counts_as_numbers(c, &lo, &format!("{lo} + {trips}"));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer = std::mem::replace(&mut self.strip_at, at);
        let question = self.within(last.region, |l| {
            let (from, to) = (l.expr(c.lo), l.expr(c.hi));
            let inclusive = if c.inclusive { " + 1" } else { "" };
            let least = if strips.gathers.is_empty() { "fathom_strips_from" } else { "fathom_gathers_from" };
            let questions = l.silently(|l| l.questions(strips, &s, [&lo, &trips]));
            code![
                format!("const long {lo} = (long)({ty})("),
                from,
                format!("), {trips} = (long)("),
                to,
                format!("){inclusive} - {lo}; struct fathom_strip {s}; if ({trips} >= {least} && {counts}("),
                questions,
                ")) { "
            ]
        });
        let outer_unchecked = std::mem::replace(&mut self.unchecked, strips.unchecked);
        let in_strips = self.in_strips(planned, strips, &s);
        let in_strips = if strips.gathers.is_empty() { in_strips } else { quietly(in_strips) };
        self.unchecked = outer_unchecked;
        self.strip_at = outer;
        let copy = strips.copies_to.map(|to| self.within(last.region, |l| l.copy_or(to, c, &s, [&lo, &trips])));
        code!["{ ", question, copy.unwrap_or_default(), in_strips, " } else { ", otherwise, " } }"]
    }

    /// The beginning of a statement that copies all that the loop does, if that is much, and otherwise does what follows.
    fn copy_or(&mut self, (to, offset): (ExprId, i64), c: &Counting, s: &str, [lo, trips]: [&str; 2]) -> Code {
        let to = self.expr(to);
        let begin = format!("if (fathom_strip_copy(&{s}, (char *)(");
        let ends = match c.declares {
            Some(_) => String::new(),
            None => {
                let var = self.name_of(c.var).to_owned();
                format!("{var} = ({})({lo} + {trips}); ", self.c_cast(self.s.symbols[c.var.0 as usize].ty))
            }
        };
        code![begin, to, format!(" + ({lo} + {offset}l)))) {{ {ends}}} else ")]
    }

    /// Declarations of the bounds of a loop with strips that reads them from shared memory: they are read once.
    pub(crate) fn known_bounds(&mut self, planned: &Loop) -> Code {
        let mut out = Code::new();
        let (Some(Ok(_)), Some(c)) = (&planned.strips, &planned.counting) else { return out };
        for e in [c.lo, c.hi] {
            if self.reads_shared(e) {
                let name = self.temp("bound");
                out.push(format!("const __auto_type {name} = +(")).push(self.expr(e)).push("); ");
                self.known.insert(e, name);
            }
        }
        out
    }

    pub(crate) fn with_known_bounds(&mut self, planned: &Loop, bounds: Code, code: Code) -> Code {
        if bounds.is_empty() {
            return code;
        }
        let c = planned.counting.as_ref().expect("a counting loop");
        [c.lo, c.hi].iter().for_each(|e| _ = self.known.remove(e));
        code!["{ ", bounds, code, " }"]
    }

    /// A `upc_forall` in strips of this thread's iterations; else `otherwise`.
    pub(crate) fn own_strips_or(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        [lo, hi]: [&str; 2],
        whose: Own,
        body: StmtId,
        otherwise: Code,
    ) -> Code {
        if let (Some(kept), Own::Known(shift, block)) = (&strips.kept, &whose) {
            return self.own_list_or(planned, (strips, kept), [lo, hi], (shift.clone(), *block), body, otherwise);
        }
        if let (false, Own::Known(shift, block)) = (strips.slots.is_empty(), &whose) {
            return self.own_blocks_or(planned, strips, [lo, hi], (shift.clone(), *block), body, otherwise);
        }
        let Some(last) = strips.versions.last() else { return otherwise };
        let [s, trips, own] = ["strip", "trips", "own"].map(|what| self.temp(what));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer = std::mem::replace(&mut self.strip_at, at);
        let questions = self.within(last.region, |l| l.silently(|l| l.questions(strips, &s, [lo, &trips])));
        self.strip_at = outer;
        let (shift, block, next, after) = match whose {
            Own::Known(shift, block) => (shift, block, format!("fathom_own_next(&{s}, &{own})").into(), String::new()),
            Own::Tested(owner, after) => ("0".into(), 0, self.next_tested(planned, owner, [&s, &own]), after),
        };
        let loops = self.listed(planned, strips, [&s, &own], next, body);
        code![
            format!("const long {trips} = {hi} - {lo}; struct fathom_strip {s}; "),
            format!("if ({trips} >= fathom_gathers_from && !fathom_forall_depth && ("),
            questions,
            format!(")) {{ struct fathom_own {own} = {{{lo}, {hi}, "),
            shift,
            format!(", {block}l, 0}}; "),
            loops,
            after,
            " } else { ",
            otherwise,
            "}"
        ]
    }

    /// A `upc_forall` whose blocks on this thread run on what they read of the blocks beside them; else `otherwise`.
    fn own_blocks_or(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        [lo, hi]: [&str; 2],
        (shift, block): (Code, u64),
        body: StmtId,
        otherwise: Code,
    ) -> Code {
        let Some(last) = strips.versions.last() else { return otherwise };
        let [s, own, trips, first] = ["strip", "own", "trips", "first"].map(|what| self.temp(what));
        let [left, done, n, k] = ["left", "done", "n", "k"].map(|what| self.temp(what));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer = std::mem::replace(&mut self.strip_at, at);
        let outer_unchecked = std::mem::replace(&mut self.unchecked, strips.unchecked);
        let made = Made { counter: k.clone(), first: first.clone(), ..Made::default() };
        let (questions, run) = self.within(last.region, |l| {
            let questions = l.silently(|l| l.questions_about(strips, &s, [lo, &trips], Some(&own)));
            let begins = l.run_begins(&strips.before_run, &made, &n);
            let landed = l.landed_views(&strips.slots, &s, Some(&done), &k);
            (questions, code![begins, format!("{n}++; "), landed, l.make_views(&strips.before_run, &made)])
        });
        let own_var = self.own_var(planned, &format!("{first} + (long){k}"));
        let loops = self.versions(&strips.versions, |l, v| {
            let header = format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}");
            code![simd(v), header, l.placed(body), " } "]
        });
        self.strip_at = outer;
        self.unchecked = outer_unchecked;
        let next = self.fetched("own_run", planned.stmt);
        code![
            format!(
                "const long {trips} = {hi} - {lo}; struct fathom_strip {s}; struct fathom_own {own} = {{{lo}, {hi}, "
            ),
            shift,
            format!(", {block}l, 0}}; if ({trips} >= fathom_strips_from && !fathom_forall_depth && ("),
            questions,
            format!(")) for (long {first}, {left}; ({left} = {next}&{s}, &{first})) != 0;) "),
            format!("for (unsigned long {n}, {done} = 0; {left} > 0; "),
            format!("{done} += {n}, {first} += (long){n}, {left} -= (long){n}) {{ {n} = (unsigned long){left} - 1; "),
            run,
            loops,
            "} else { ",
            otherwise,
            "}"
        ]
    }

    /// Strips of iterations that a list has; `next` lists the next ones, and is their number.
    fn listed(&mut self, planned: &Loop, strips: &Strips, [s, own]: [&str; 2], next: Code, body: StmtId) -> Code {
        let last = strips.versions.last().expect("strips have a version");
        let [n, k] = ["n", "k"].map(|what| self.temp(what));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer = std::mem::replace(&mut self.strip_at, at);
        let outer_unchecked = std::mem::replace(&mut self.unchecked, strips.unchecked);
        let own_var = self.own_var(planned, &format!("{own}.at[{k}]"));
        let fetch = self.fetched("gather_fetch", planned.stmt);
        let gathered = self.within(last.region, |l| l.gathered_views(&own_var, &strips.gathers, (s, &fetch), [&n, &k]));
        let loops = self.versions(&strips.versions, |l, _| {
            code![format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}"), l.placed(body), " } "]
        });
        self.strip_at = outer;
        self.unchecked = outer_unchecked;
        code![format!("for (unsigned long {n}; ({n} = "), next, ") != 0;) { ", gathered, quietly(loops), "}"]
    }

    /// A C loop that counts in steps, in strips; else `otherwise`. Its iterations have numbers from 0 on.
    pub(crate) fn stepped_or(&mut self, planned: &Loop, strips: &Strips, x: &Stepping, otherwise: Code) -> Code {
        let StmtKind::For { body, .. } = self.u[planned.stmt].kind else { return otherwise };
        let (Some(last), c) = (strips.versions.last(), &x.counting) else { return otherwise };
        let [s, own, first, bound, by, count, low, span, behind] =
            ["strip", "own", "first", "bound", "by", "count", "low", "span", "behind"].map(|what| self.temp(what));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer = std::mem::replace(&mut self.strip_at, at);
        let (from, to, step, questions) = self.within(last.region, |l| {
            let step = x.by.map_or("1".into(), |by| l.expr(by));
            (l.expr(c.lo), l.expr(c.hi), step, l.silently(|l| l.questions(strips, &s, [&low, &span])))
        });
        self.strip_at = outer;
        let (way, distance, sign) = match x.is_down {
            true => ("-", format!("{first} - {bound}"), ">"),
            false => ("", format!("{bound} - {first}"), "<"),
        };
        let next = self.next_listed([&s, &own], Code::new(), &format!("{first} + {own}.next * {way}{by}"));
        let loops = self.listed(planned, strips, [&s, &own], next, body);
        let ty = self.c_cast(self.s.symbols[c.var.0 as usize].ty);
        let counts = self.is_not_large(c, &first) + &self.stays_in_type(self.s.symbols[c.var.0 as usize].ty, &behind);
        let inclusive = match (c.inclusive, x.is_down) {
            (false, _) => "",
            (true, true) => " - 1",
            (true, false) => " + 1",
        };
        let after = match c.declares {
            Some(_) => String::new(),
            None => format!(" {} = ({ty}){behind};", self.name_of(c.var)),
        };
        let smallest = if x.is_down { format!("{first} - {span} + 1") } else { first.clone() };
        code![
            format!("{{ const long {first} = (long)({ty})("),
            from,
            format!("), {bound} = (long)("),
            to,
            // The step of a loop without iterations is not computed.
            format!("){inclusive}, {by} = {first} {sign} {bound} ? (long)("),
            step,
            format!(") : 0, {count} = {by} > 0 ? ({distance} - 1) / {by} + 1 : 0, "),
            format!("{span} = ({count} - 1) * {by} + 1; __attribute__((unused)) const long {low} = {smallest}, "),
            format!("{behind} = {first} + {count} * {way}{by}; "),
            format!("struct fathom_strip {s}; if ({count} >= fathom_gathers_from && {counts}("),
            questions,
            format!(")) {{ struct fathom_own {own} = {{0, {count}, 0, 0, 0}}; "),
            loops,
            after,
            " } else { ",
            otherwise,
            " } }"
        ]
    }

    /// The condition, with `&&` behind it, that a variable of this type has the value: what it counts to does not wrap.
    fn stays_in_type(&self, ty: Ty, value: &str) -> String {
        let (TyKind::Int(kind), Some(size)) = (self.s.types.kind(ty), self.s.size_of(ty)) else { return String::new() };
        let is_signed = self.s.types.is_signed(*kind);
        let bits = 8 * size.bytes - u64::from(is_signed);
        let least = match is_signed {
            true if bits < 63 => format!("{value} >= -{}l - 1 && ", (1u64 << bits) - 1),
            true => String::new(),
            false => format!("{value} >= 0 && "),
        };
        let most = if bits < 63 { format!("{value} <= {}l && ", (1u64 << bits) - 1) } else { String::new() };
        least + &most
    }

    /// Lists this thread's next iterations, and has their number.
    fn next_tested(&mut self, planned: &Loop, owner: Code, names: [&str; 2]) -> Code {
        let next = format!("{}.next", names[1]);
        let own_var = self.own_var(planned, &next);
        self.next_listed(names, code![own_var, "if (", owner, " == fathom_mythread) "], &next)
    }

    /// Lists the next iterations, in each of which `condition` comes before its variable's `value` is noted; and has their number.
    fn next_listed(&mut self, [s, own]: [&str; 2], condition: Code, value: &str) -> Code {
        let (at, n) = (self.temp("at"), self.temp("n"));
        code![
            format!("__extension__ ({{ long *const {at} = fathom_own_list(&{s}, &{own}); unsigned long {n} = 0; "),
            format!("for (; {own}.next < {own}.hi && {n} < (unsigned long){s}.step; {own}.next++) {{ "),
            condition,
            format!("{at}[{n}++] = {value}; }} {n}; }})")
        ]
    }

    /// A loop that walks, in strips; else `otherwise`. What steps the pointer stays as it is.
    pub(crate) fn walk_or(&mut self, planned: &Loop, walk: &Walk, otherwise: Code) -> Code {
        let Some(last) = walk.strips.versions.last() else { return otherwise };
        let [s, trips, left, n, k] = ["strip", "trips", "left", "n", "k"].map(|what| self.temp(what));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer = std::mem::replace(&mut self.strip_at, at);
        let u = self.u;
        let begin = match &u[planned.stmt].kind {
            StmtKind::For { init: ForInit::Expr(e), .. } => code![self.expr(*e), "; "],
            StmtKind::For { init: ForInit::Decl(d), .. } if self.translated.decl(*d) => code![self.decl(*d, true), " "],
            StmtKind::For { init: ForInit::Decl(d), .. } => code![u[*d].toks, " "],
            _ => Code::new(),
        };
        let t = self.s.rvalue_ty(walk.pointer);
        let in_strips = self.within(last.region, |l| {
            let (p, end) = (l.expr(walk.pointer), l.expr(walk.end));
            let long = l.diff(end.clone(), p.clone(), t);
            let behind = l.add(p, trips.clone().into(), t);
            let (behind, end) = (l.word(behind, t), l.word(end, l.s.rvalue_ty(walk.end)));
            let questions = l.silently(|l| l.questions(&walk.strips, &s, ["0l", &trips]));
            let next = l.fetched("strip_next", planned.stmt);
            let landed = l.landed_views(&walk.strips.slots, &s, None, &k);
            let mut step = Code::new();
            if let Some(e) = walk.step {
                step.push(", ").push(l.expr(e));
            }
            code![
                format!("const long {trips} = "),
                long,
                format!("; struct fathom_strip {s}; if ({trips} >= fathom_strips_from && "),
                behind,
                " == ",
                end,
                " && (",
                questions,
                format!(")) {{ for (unsigned long {left} = (unsigned long){trips}; {left} > 0;) {{ "),
                format!("const unsigned long {n} = {next}&{s}, {left}); {left} -= {n}; "),
                landed,
                format!("unsigned long {k} = 0; for (; {k} < {n}; {k}++"),
                step,
                ") { ",
                l.placed(walk.body),
                format!(" }} if ({k} < {n}) break; }} }} else {{ ")
            ]
        });
        self.strip_at = outer;
        code!["{ ", begin, in_strips, otherwise, " } }"]
    }

    /// The declaration of the loop's variable as it is in an iteration; not `const`, which `typeof` would see.
    pub(crate) fn own_var(&self, planned: &Loop, value: &str) -> String {
        let var = planned.counter().expect("a counting loop");
        iteration_variable(
            self.options.hiding,
            self.name_of(var),
            &self.c_cast(self.s.symbols[var.0 as usize].ty),
            value,
        )
    }

    /// The questions to the runtime before the loop, the last of which has the answer. `lo` is the loop's first iteration, `trips` the
    /// number of all.
    pub(crate) fn questions(&mut self, strips: &Strips, s: &str, bounds: [&str; 2]) -> Code {
        self.questions_about(strips, s, bounds, None)
    }

    /// The same of the blocks of the iterations `own`.
    fn questions_about(&mut self, strips: &Strips, s: &str, [lo, trips]: [&str; 2], own: Option<&str>) -> Code {
        let mut ranges = Code::from(format!("fathom_strip_begin(&{s}, {trips})"));
        if strips.may_be_left {
            ranges.push(format!(", {s}.may_be_left = 1"));
        }
        for v in &strips.slots {
            ranges.push(self.range_of(*v, s, lo));
        }
        self.asked(strips, s, [lo, trips], ranges, own)
    }

    /// The same behind the expression that says what the slots read.
    pub(crate) fn asked(
        &mut self,
        strips: &Strips,
        s: &str,
        [lo, trips]: [&str; 2],
        ranges: Code,
        own: Option<&str>,
    ) -> Code {
        let (l, mut out) = (self, ranges);
        for v in &strips.gathers {
            out.push(l.gathered_from(*v, s));
        }
        for x in &strips.sources {
            out.push(format!(", fathom_strip_source(&{s}, (const volatile char *)"));
            out.push(match x {
                Source::Elements { root, shift, offset, bytes } => {
                    let index = l.shifted(format!("{lo} + {offset}l"), shift);
                    code![l.expr(*root), " + (", index, format!(") * {bytes}l, {trips} * {bytes}l)")]
                }
                Source::Variable { root } => {
                    let x = l.expr(*root);
                    code!["&", x.clone(), ", (long)sizeof ", x, ")"]
                }
            });
        }
        for w in &strips.writes {
            out.push(match w {
                Write::Elements { root, prefix, shift, offset } => {
                    let index = l.shifted(format!("{lo} + {offset}l"), shift);
                    let range = l.elements_at(*root, prefix, index);
                    code![format!(", fathom_strip_writes(&{s}, "), range, ", 0l)"]
                }
                Write::Array { root } => {
                    let bytes = l.s.local_size(l.s.ty(*root)).unwrap_or(0);
                    code![format!(", fathom_strip_writes_array(&{s}, "), l.address(*root), format!(", {bytes}l)")]
                }
                Write::Whole { root } => {
                    let (start, bytes) = match l.is_array(*root) {
                        true => (l.address(*root), l.s.local_size(l.s.ty(*root)).unwrap_or(0)),
                        false => (l.word_of(*root), 0),
                    };
                    let block = match l.layout_of_root(l.s.ty(*root)) {
                        Some(Block::Of(block)) => block,
                        _ => 0,
                    };
                    code![format!(", fathom_strip_writes_object(&{s}, "), start, format!(", {bytes}l, {block}ul)")]
                }
                Write::Anything => format!(", fathom_strip_writes_anything(&{s})").into(),
                Write::Local { root, offset, bytes } => {
                    let p = l.expr(*root);
                    code![
                        format!(", fathom_strip_stores(&{s}, (const volatile char *)"),
                        p,
                        format!(" + ({lo} + {offset}l) * {bytes}l, {trips} * {bytes}l)")
                    ]
                }
                Write::Object { root } => {
                    let p = l.expr(*root);
                    code![format!(", fathom_strip_stores(&{s}, (const volatile char *)"), p, ", -1l)"]
                }
                Write::Variable { root } => {
                    let x = l.expr(*root);
                    let stores = format!(", fathom_strip_stores(&{s}, (const volatile char *)&");
                    code![stores, x.clone(), ", (long)sizeof ", x, ")"]
                }
            });
        }
        out.push(match own {
            Some(own) => format!(", fathom_strip_open_blocks(&{s}, &{own})"),
            None if l.options.check => format!(", fathom_strip_open_to_check(&{s})"),
            None => format!(", fathom_strip_open(&{s})"),
        });
        match &strips.assumed {
            Some(assumed) => code![l.only_compute(assumed), "(", out, ")"],
            None => out,
        }
    }

    /// The argument of the question about a loop that describes a slot, from the iteration `lo` on.
    pub(crate) fn range_of(&mut self, v: ViewId, s: &str, lo: &str) -> Code {
        let view = self.view(v);
        let (index, low, high) = match view.kind {
            Kind::Landed { ref shift, low, high, .. } | Kind::Pointed { ref shift, low, high, .. } => {
                (self.shifted(format!("{lo} + {low}l"), shift), low, high)
            }
            Kind::Walked { low, high, .. } => (format!("{low}l").into(), low, high),
            _ => return Code::new(),
        };
        let range = self.elements_at(view.root, &view.prefix, index);
        code![format!(", fathom_strip_range(&{s}, "), range, format!(", {}l)", high - low)]
    }

    /// The argument of the question about a loop that describes a table.
    fn gathered_from(&mut self, v: ViewId, s: &str) -> Code {
        let view = self.view(v);
        let t = self.s.ty(view.root);
        let block = match self.layout_of_root(t) {
            Some(Block::Of(block)) => block,
            _ => 0,
        };
        let size = self.s.elem_size(view.elem).max(1);
        let (start, bytes) = match self.is_array(view.root) {
            true => (self.address(view.root), self.s.local_size(t).unwrap_or(0)),
            false => (self.word_of(view.root), 0),
        };
        code![format!(", fathom_strip_gather(&{s}, "), start, format!(", {bytes}ul, {block}ul, {size}ul)")]
    }

    /// Gathers what the next n iterations read, and declares the pointers to it; `own_var` declares the loop's variable as it is
    /// in iteration k.
    fn gathered_views(
        &mut self,
        own_var: &str,
        gathers: &[ViewId],
        (s, fetch): (&str, &str),
        [n, k]: [&str; 2],
    ) -> Code {
        let mut out = Code::new();
        let level = |v: ViewId| match self.plan.view(v).kind {
            Kind::Gathered { level, .. } => level,
            _ => 0,
        };
        let mut from = 0;
        while from < gathers.len() {
            let behind = from + gathers[from..].iter().take_while(|v| level(**v) == level(gathers[from])).count();
            let places: Vec<String> = (from..behind).map(|_| self.temp("places")).collect();
            for (g, name) in (from..behind).zip(&places) {
                out.push(format!("fathom_ptr *const {name} = fathom_gather_places({g}, {n}); "));
            }
            out.push(format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}"));
            for (v, name) in gathers[from..behind].iter().zip(&places) {
                let Kind::Gathered { ref elements, ref steps, .. } = self.view(*v).kind else { continue };
                if steps.iter().any(|s| matches!(s, Step::When(..))) {
                    out.push(format!("{name}[{k}] = 0; "));
                }
                out.push(self.silently(|l| l.steps_of_place(steps)));
                let place = self.silently(|l| l.address(elements[0]));
                out.push(code![format!("{name}[{k}] = "), place, "; ", "} ".repeat(steps.len())]);
            }
            out.push(format!("}} {fetch}&{s}, {from}, {behind}, {n}); "));
            for (g, v) in (from..behind).zip(&gathers[from..behind]) {
                let declared = self.declared_view(*v, k);
                out.push(format!("__attribute__((unused)) {declared} = {s}.gather[{g}].at; "));
            }
            from = behind;
        }
        out
    }

    /// The beginnings of blocks, one for each step, in which the steps have been made.
    pub(crate) fn steps_of_place(&mut self, steps: &[Step]) -> Code {
        steps.iter().fold(Code::new(), |code, s| code![code, self.step_of_place(*s)])
    }

    /// The beginning of a block in which the step has been made.
    fn step_of_place(&mut self, s: Step) -> Code {
        match s {
            Step::Set(sym, value) => {
                let symbol = &self.s.symbols[sym.0 as usize];
                let (ty, name) = (self.unqualified(symbol.ty), self.name_of(sym).to_owned());
                let declared = self.c_type(ty, &name);
                code![format!("{{ __attribute__((unused)) {declared} = "), self.expr(value), "; "]
            }
            Step::When(x, true) => code!["if (", self.cond(x), ") { "],
            Step::When(x, false) => code!["if (!(", self.cond(x), ")) { "],
        }
    }

    /// An index to which a shift is added.
    fn shifted(&mut self, index: String, shift: &Shift) -> Code {
        let mut out = Code::from(index);
        for (minus, x) in shift {
            let sign = if *minus { "-" } else { "+" };
            out.push(format!(" {sign} (long)(")).push(self.expr(*x)).push(")");
        }
        out
    }

    /// The arguments that say where elements are: the first of the array, its phase, the index of the one wanted, the
    /// block size and the element's.
    fn elements_at(&mut self, root: ExprId, prefix: &[ExprId], index: Code) -> Code {
        let t = self.s.ty(root);
        let elem = self.elem_ty(root);
        let block = match self.layout_of_root(t) {
            Some(Block::Of(block)) => block,
            _ => 0,
        };
        let size = self.s.elem_size(elem).max(1);
        let index = code![self.linear(root, prefix), index];
        let (start, phase) = match self.is_array(root) {
            true => (self.address(root), Code::from("0ul")),
            // The variable is mentioned twice, and evaluated without effects.
            false if self.is_phased(t) => {
                let p = self.expr(root);
                (code!["fathom_word_of(", p.clone(), ")"], code!["(", p, ").phase"])
            }
            false => (self.word_of(root), Code::from("0ul")),
        };
        code![start, ", ", phase, ", ", index, format!(", {block}ul, {size}ul")]
    }

    /// In runs whose length the runtime says.
    fn in_strips(&mut self, planned: &Loop, strips: &Strips, s: &str) -> Code {
        let c = planned.counting.as_ref().expect("a counting loop");
        let first = self.name_of(c.var).to_owned();
        let [n, k] = ["n", "k"].map(|what| self.temp(what));
        let made = Made { counter: k.clone(), first, ..Made::default() };
        let begin = |l: &mut Self| {
            let next = format!("{n} = {}&{s}, {n} + 1); ", l.fetched("strip_next", planned.stmt));
            let landed = l.landed_views(&strips.slots, s, None, &k);
            if strips.gathers.is_empty() {
                return code![next, landed];
            }
            let (first, ty) = (l.temp("first"), l.c_cast(l.s.symbols[c.var.0 as usize].ty));
            let from = format!("const {ty} {first} = {}; ", l.name_of(c.var));
            let own_var = l.own_var(planned, &format!("{first} + (long){k}"));
            let fetch = l.fetched("gather_fetch", planned.stmt);
            code![next, landed, from, l.gathered_views(&own_var, &strips.gathers, (s, &fetch), [&n, &k])]
        };
        self.in_runs(planned, (&strips.before_run, &strips.versions), &made, &n, begin, |l, _, step, body| {
            l.run([&k, &n], step, body)
        })
    }

    /// A read of what has landed, compared with what is at its place: `e` in the loop's ordinary form has the address.
    pub(crate) fn checked_read(&mut self, e: ExprId) -> Option<Code> {
        let is_landed = matches!(self.form(e), Form::Near { proof: Proof::Landed | Proof::Gathered, .. });
        let element = self.element_in(e).filter(|_| self.options.check && is_landed && !self.unchecked)?;
        let lvalue = match self.access(e, Use::Read) {
            Access::Direct(lvalue) => lvalue,
            Access::Far(_) => return None,
        };
        let place = self.place(element).lvalue;
        // Nothing is known about places in code outside of functions.
        let word = self.within(self.plan.file, |l| l.silently(|l| l.address(element)));
        let (file, line) = self.file_and_line(self.u[e].toks);
        let from = self.strip_at.1;
        let seen = |object: Code, skip: u64, bytes: String| {
            code![
                format!("fathom_strip_use(&"),
                object,
                format!(", {skip}ul, {bytes}, &"),
                place.clone(),
                ", ",
                word.clone(),
                format!(", {}, {from}, {line})", c_string(&file))
            ]
        };
        if let Some((record, skip, bytes)) = self.bit_field_bytes(e) {
            return Some(code!["(", seen(record, skip, format!("{bytes}ul")), ", ", lvalue, ")"]);
        }
        let ty = self.unqualified(self.s.ty(e));
        let star = self.c_type(ty, "*");
        let bytes = format!("sizeof({})", self.c_type(ty, ""));
        Some(code![format!("(*({star})"), seen(lvalue, 0, bytes), ")"])
    }

    pub(crate) fn file_and_line(&self, toks: TokRange) -> (String, u32) {
        let place = self.p.source.place(self.p.source.tokens[toks.lo as usize].lo);
        let file = self.p.source.files.get(place.file as usize).map_or(String::new(), |f| f.to_string());
        (file, place.line)
    }

    /// The pointers to what has landed, from iteration `done` of the run on.
    fn landed_views(&mut self, slots: &[ViewId], s: &str, done: Option<&str>, counter: &str) -> Code {
        let mut out = Code::new();
        for (i, v) in slots.iter().enumerate() {
            let declared = self.declared_view(*v, counter);
            let at = match done {
                Some(done) => {
                    format!(
                        "(const void *)((const char *){s}.slot[{i}].at + {done} * (unsigned long){s}.slot[{i}].size)"
                    )
                }
                None => format!("{s}.slot[{i}].at"),
            };
            out.push(format!("__attribute__((unused)) {declared} = {at}; "));
        }
        out
    }
}

/// Loops on what has been gathered: a variable from which an iteration computes a place may have no other use in their text. The
/// loop as it is written follows, and tells the user of variables without any.
pub(crate) fn quietly(loops: Code) -> Code {
    let ignored = |warning| format!("#pragma GCC diagnostic ignored \"-Wunused-{warning}variable\"\n");
    let push = "\n#pragma GCC diagnostic push\n";
    code![push, ignored(""), ignored("but-set-"), loops, "\n#pragma GCC diagnostic pop\n"]
}

/// The declaration of a loop's variable in an iteration, which hides the program's own and warns of it only if that is not among `hiding`.
pub(crate) fn iteration_variable(hiding: &[&str], var: &str, ty: &str, value: &str) -> String {
    silent(hiding, format!("__attribute__((unused)) {ty} {var} = ({ty})({value}); "))
}

/// A declaration without the warnings `hiding`.
pub(crate) fn silent(hiding: &[&str], declaration: String) -> String {
    let [before, behind] = silence(hiding);
    before + &declaration + &behind
}

/// What stands before and behind such declarations.
pub(crate) fn silence(hiding: &[&str]) -> [String; 2] {
    if hiding.is_empty() {
        return [String::new(), String::new()];
    }
    let ignored: String = hiding.iter().map(|w| format!("#pragma GCC diagnostic ignored \"{w}\"\n")).collect();
    [format!("\n#pragma GCC diagnostic push\n{ignored}"), "\n#pragma GCC diagnostic pop\n".into()]
}
