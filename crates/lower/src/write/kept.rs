//! Writes loops whose elements are gathered through one list: `runtime/lang/kept.h` has the functions.

use crate::code::Code;
use crate::plan::gathers::Step;
use crate::plan::kept::{Inner, Kept};
use crate::plan::strips::Strips;
use crate::plan::views::Kind;
use crate::plan::Loop;
use crate::write::explain::c_string;
use crate::write::strips::{quietly, silent};
use crate::write::views::Whole;
use crate::write::Writer;
use fathom_syntax::ast::*;

impl Writer<'_> {
    /// A C loop with a list; else `otherwise`.
    pub(crate) fn list_or(&mut self, planned: &Loop, strips: &Strips, kept: &Kept, otherwise: Code) -> Code {
        let (Some(c), Some(last)) = (&planned.counting, strips.versions.last()) else { return otherwise };
        let StmtKind::For { body, .. } = &self.u[planned.stmt].kind else { return otherwise };
        let (body, own_ty) = (*body, self.s.symbols[c.var.0 as usize].ty);
        let [lo, hi] = ["lo", "hi"].map(|what| self.temp(what));
        let ty = self.c_cast(own_ty);
        let counts = self.counts_as_numbers(c, &lo, &hi);
        let (from, to) = self.within(last.region, |l| (l.expr(c.lo), l.expr(c.hi)));
        let inclusive = if c.inclusive { " + 1" } else { "" };
        let var = match c.declares {
            Some(_) => String::new(),
            None => format!("{} = ({ty})({hi} > {lo} ? {hi} : {lo}); ", self.name_of(c.var)),
        };
        let bounds = code![
            format!("{{ const long {lo} = (long)({ty})("),
            from,
            format!("), {hi} = (long)("),
            to,
            format!("){inclusive}; ")
        ];
        let with_list = self.in_list(planned, strips, kept, [&lo, &hi], &counts, None, body);
        code![bounds, with_list, var, "} else { ", otherwise, "} }"]
    }

    /// A `upc_forall` with a list; else `otherwise`.
    pub(crate) fn own_list_or(
        &mut self,
        planned: &Loop,
        (strips, kept): (&Strips, &Kept),
        bounds: [&str; 2],
        own: (Code, u64),
        body: StmtId,
        otherwise: Code,
    ) -> Code {
        let with_list = self.in_list(planned, strips, kept, bounds, "!fathom_forall_depth && ", Some(own), body);
        code![with_list, "} else { ", otherwise, "}"]
    }

    /// The question, and the loop with a list up to the end of what follows a yes. `own` says which iterations this thread runs.
    #[allow(clippy::too_many_arguments)]
    fn in_list(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        kept: &Kept,
        [lo, hi]: [&str; 2],
        also: &str,
        own: Option<(Code, u64)>,
        body: StmtId,
    ) -> Code {
        let (Some(_), Some(last), [v]) = (&planned.counting, strips.versions.last(), &strips.gathers[..]) else {
            unreachable!("a counting loop with one gather")
        };
        let [s, list, trips, iterations, n, k, read, site] =
            ["strip", "list", "trips", "own", "n", "k", "read", "site"].map(|what| self.temp(what));
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let (file, line) = at.clone();
        let outer_at = std::mem::replace(&mut self.strip_at, at);
        let outer_unchecked = std::mem::replace(&mut self.unchecked, strips.unchecked);
        let is_c = own.is_none();
        let (shift, block) = own.unwrap_or((Code::from("0l"), 0));
        let begin = self.silently(|l| {
            l.within(last.region, |l| {
                let questions = l.questions(strips, &s, [lo, &trips]);
                let mut rows = Code::new();
                if let Some(i) = kept.inner.as_ref().filter(|i| i.is_fixed || is_c) {
                    rows.push(l.is_short_row(planned, i, lo));
                    if !i.is_fixed {
                        rows.push(l.is_short_row(planned, i, &format!("{hi} - 1")));
                    }
                }
                let mut key = code![format!("{lo}, (unsigned long){hi}, (unsigned long)("), shift.clone(), ")"];
                let mut count = 3;
                let mut phase = Code::from("0l");
                let root = l.view(*v).root;
                if !l.is_array(root) {
                    key.push(", ").push(l.word_of(root));
                    count += 1;
                    if l.is_phased(l.s.ty(root)) {
                        phase = code!["(long)(", l.expr(root), ").phase"];
                        key.push(", (").push(l.expr(root)).push(").phase");
                        count += 1;
                    }
                }
                for e in kept.key.iter().flatten() {
                    key.push(", (unsigned long)(").push(l.expr(*e)).push(")");
                    count += 1;
                }
                let count = if kept.key.is_some() { count } else { 0 };
                code![
                    format!("const long {trips} = {hi} - {lo}; struct fathom_strip {s}; struct fathom_kept {list}; "),
                    format!("if ({trips} >= fathom_gathers_from && {also}("),
                    questions,
                    ")",
                    rows,
                    // The object's address is a number that no other loop has, of other files either; with
                    // -fmerge-all-constants because its value is another one.
                    format!(") {{ static const unsigned long {site} = {}ul; ", l.number_of(planned.stmt)),
                    format!("fathom_kept_begin(&{list}, &{s}, (unsigned long)&{site}, {}, {line}, ", c_string(&file)),
                    phase,
                    ", (const unsigned long[]){ (unsigned long)",
                    key,
                    format!(" }}, {count}); struct fathom_own {iterations} = {{{lo}, {hi}, "),
                    shift,
                    format!(", {block}l, 0}}; ")
                ]
            })
        });
        let own_var = self.own_var(planned, &format!("{iterations}.at[{k}]"));
        let places =
            self.within(last.region, |l| l.silently(|l| l.places_of_list(strips, kept, &own_var, [&list, &k, &n])));
        let fetch = self.fetched("kept_fetch", planned.stmt);
        let counter = match kept.inner {
            Some(_) => read.clone(),
            None => k.clone(),
        };
        let declared = self.declared_view(*v, &format!("{list}.element[{counter}]"));
        let outer = std::mem::replace(&mut self.list_reads, kept.inner.as_ref().map(|i| (i.stmt, read.clone())));
        let reads = match kept.inner {
            Some(_) => format!("unsigned long {read} = {list}.first[{k}]; "),
            None => String::new(),
        };
        let loops = self.versions(&strips.versions, |l, _| {
            code![format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}{reads}"), l.placed(body), " } "]
        });
        self.list_reads = None;
        let in_whole = self.in_whole(planned, strips, kept, [&list, &iterations, &n, &k], body);
        self.list_reads = outer;
        self.strip_at = outer_at;
        self.unchecked = outer_unchecked;
        code![
            begin,
            format!("for (unsigned long {n}; ({n} = fathom_kept_next(&{list}, &{s}, &{iterations})) != 0;) {{ "),
            places,
            format!("{n} = {fetch}&{list}, &{s}, &{iterations}, {n}); "),
            format!("if ({list}.is_whole) {{ "),
            quietly(in_whole),
            format!("}} else {{ __attribute__((unused)) {declared} = {list}.at; "),
            quietly(loops),
            "} } "
        ]
    }

    /// The strip's iterations on a table that is there as a whole, as far as it serves them.
    fn in_whole(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        kept: &Kept,
        [list, iterations, n, k]: [&str; 4],
        body: StmtId,
    ) -> Code {
        let own_var = self.own_var(planned, &format!("{iterations}.at[{k}]"));
        let declared = self.declared_view(strips.gathers[0], k);
        let begin = format!("unsigned long {k} = 0; ");
        let rest = format!("if ({k} < {n}) {iterations}.next = {iterations}.at[{k}]; ");
        let Some(index) = kept.index else {
            let [low, many] = ["low", "many"].map(|what| self.temp(what));
            let outer = self.whole.replace(Whole::Tested([list.to_owned(), low.clone(), many.clone()]));
            let loops = self.versions(&strips.versions, |l, _| {
                let head = format!("for (; {k} < {n} && !{list}.stops; {k}++) {{ {own_var}");
                code![head, l.placed(body), " } "]
            });
            self.whole = outer;
            let names = format!("const unsigned long {low} = (unsigned long){list}.low, {many} = {list}.many; ");
            return code![
                format!("__attribute__((unused)) {declared} = {list}.at; __attribute__((unused)) {names}{begin}"),
                loops,
                rest
            ];
        };
        let to = self.temp("to");
        let looks = self.looks(planned, strips, kept, index, [list, iterations, &to]);
        let outer = self.whole.replace(Whole::Looked);
        let loops = self.versions(&strips.versions, |l, _| {
            code![format!("for (; {k} < {to}; {k}++) {{ {own_var}"), l.placed(body), " } "]
        });
        self.whole = outer;
        code![
            format!("{begin}while ({k} < {n}) {{ unsigned long {to} = {n}; if (!{list}.is_certain) {{ "),
            format!("for ({to} = {k}; {to} < {n} && fathom_kept_looks(&{list}); {to}++) {{ "),
            looks,
            format!(
                "}} if (!fathom_kept_looked(&{list})) break; }} __attribute__((unused)) {declared} = {list}.zero; "
            ),
            loops,
            format!("}} {rest}")
        ]
    }

    /// Looks at the indices of iteration `at`.
    fn looks(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        kept: &Kept,
        index: ExprId,
        [list, iterations, at]: [&str; 3],
    ) -> Code {
        let (Some(last), Kind::Gathered { steps, .. }) = (strips.versions.last(), &self.view(strips.gathers[0]).kind)
        else {
            unreachable!("a loop with one gather")
        };
        let own_var = self.own_var(planned, &format!("{iterations}.at[{at}]"));
        let ends = "} ".repeat(steps.len());
        let bytes = self.s.size_of(self.s.ty(index)).map_or(0, |s| s.bytes);
        let sign = if self.unsigned(self.s.ty(index)) && bytes < 8 { "-" } else { "" };
        self.within(last.region, |l| {
            l.silently(|l| {
                let one = |l: &mut Self, count: &str| {
                    let steps = l.steps_of_place(steps);
                    code![
                        steps,
                        format!("fathom_kept_look(&{list}, &("),
                        l.expr(index),
                        format!("), {count}, {sign}{bytes}); {ends}")
                    ]
                };
                let Some(inner) = &kept.inner else { return code![own_var, one(l, "1ul")] };
                let [first, count] = ["first", "count"].map(|what| l.temp(what));
                let head = l.row(inner, [&first, &count]);
                let counter = l.counter_of(inner, &first);
                let one = one(l, &format!("(unsigned long){count}"));
                let ends = "} ".repeat(inner.steps.len());
                code![own_var, head, format!("if ({count} > 0) {{ {counter}"), one, format!("}} {ends}")]
            })
        })
    }

    /// The first iteration of the loop inside, and how many there are.
    fn row(&mut self, inner: &Inner, [first, count]: [&str; 2]) -> Code {
        let bounds = self.steps_of_place(&inner.steps);
        let c = &inner.counting;
        let ty = self.c_cast(self.s.symbols[c.var.0 as usize].ty);
        let (from, to) = (self.expr(c.lo), self.expr(c.hi));
        let inclusive = if c.inclusive { " + 1" } else { "" };
        code![
            bounds,
            format!("const long {first} = (long)({ty})("),
            from,
            format!("), {count} = (long)("),
            to,
            format!("){inclusive} - {first}; ")
        ]
    }

    /// The declaration of its counter.
    fn counter_of(&self, inner: &Inner, value: &str) -> String {
        let var = inner.counting.var;
        let (ty, name) = (self.c_cast(self.s.symbols[var.0 as usize].ty), self.name_of(var));
        silent(self.options.hiding, format!("__attribute__((unused)) const {ty} {name} = ({ty})({value}); "))
    }

    /// A number that other loops have hardly.
    fn number_of(&self, s: StmtId) -> u64 {
        let file = self.p.source.files.first().map_or("", |f| f);
        let text = format!("{file}\0{}", self.u[s].toks.lo);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
    }

    /// And is the inner loop of the iteration `at` so short that a list of many is better than its own strips?
    fn is_short_row(&mut self, planned: &Loop, inner: &Inner, at: &str) -> Code {
        let row = self.temp("row");
        let c = &inner.counting;
        let most = match inner.reads_range {
            true => "fathom_kept_range",
            false => "fathom_kept_most",
        };
        let mut out = code![format!(" && (__extension__ ({{ long {row}; {{ "), self.own_var(planned, at)];
        out.push(self.steps_of_place(&inner.steps));
        let (from, to) = (self.expr(c.lo), self.expr(c.hi));
        let ends = "} ".repeat(inner.steps.len() + 1);
        out.push(code![format!("{row} = (long)("), to, ") - (long)(", from, format!("); {ends}{row} < {most}; }}))")]);
        out
    }

    /// Computes the places of the next n iterations, if they are not known.
    fn places_of_list(&mut self, strips: &Strips, kept: &Kept, own_var: &str, [list, k, n]: [&str; 3]) -> Code {
        let Kind::Gathered { ref elements, ref steps, .. } = self.view(strips.gathers[0]).kind else {
            unreachable!("no gather")
        };
        let [places, m] = ["places", "m"].map(|what| self.temp(what));
        let is_conditional = steps.iter().any(|s| matches!(s, Step::When(..)));
        // Reads that an iteration makes only if conditions hold are counted before the table is fetched.
        let counted =
            |l: &mut Self| code![l.steps_of_place(steps), format!("{list}.reads++; "), "} ".repeat(steps.len())];
        let one = |l: &mut Self, at: &str| {
            let mut out = Code::new();
            if is_conditional {
                out.push(format!("{places}[{at}] = 0; "));
            }
            out.push(l.steps_of_place(steps));
            let place = l.address(elements[0]);
            out.push(code![format!("{places}[{at}] = "), place, "; ", "} ".repeat(steps.len())]);
            out
        };
        let Some(inner) = &kept.inner else {
            let place = one(self, k);
            let mut count = Code::new();
            if is_conditional {
                count = code![
                    format!("if ({list}.is_whole && !{list}.at) {{ {list}.reads = 0; "),
                    format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}"),
                    counted(self),
                    "} } "
                ];
            }
            return code![
                count,
                format!("if (!{list}.is_known && !{list}.is_whole) {{ fathom_ptr *const {places} = fathom_kept_places(&{list}, {n}); "),
                format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ {own_var}"),
                place,
                format!("}} fathom_kept_add(&{list}, {n}); }} ")
            ];
        };
        let [first, count] = ["first", "count"].map(|what| self.temp(what));
        let row = self.row(inner, [&first, &count]);
        let own_counter = self.counter_of(inner, &format!("{first} + (long){m}"));
        let in_whole = match is_conditional {
            false => format!("{list}.reads += {count} > 0 ? (unsigned long){count} : 0; ").into(),
            true => {
                code![format!("{{ for (long {m} = 0; {m} < {count}; {m}++) {{ {own_counter}"), counted(self), "} } "]
            }
        };
        let place = one(self, &m);
        code![
            format!("if (!{list}.is_known) for (unsigned long {k} = 0; {k} < {n} && fathom_kept_more(&{list}, {k}); {k}++) {{ "),
            own_var.to_owned(),
            row,
            format!("if ({list}.is_whole) "),
            in_whole,
            format!("else if ({count} > 0) {{ "),
            format!("fathom_ptr *const {places} = fathom_kept_places(&{list}, (unsigned long){count}); "),
            format!("for (unsigned long {m} = 0; {m} < (unsigned long){count}; {m}++) {{ "),
            own_counter,
            place,
            format!("}} fathom_kept_add(&{list}, (unsigned long){count}); }} "),
            "} ".repeat(inner.steps.len()),
            "} "
        ]
    }
}
