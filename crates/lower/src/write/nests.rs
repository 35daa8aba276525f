//! Writes loops around a loop in strips whose rows are fetched for many iterations: `runtime/lang/strip.h` has the functions.

use crate::code::Code;
use crate::plan::kept::Inner;
use crate::plan::strips::Strips;
use crate::plan::Loop;
use crate::write::Writer;
use fathom_syntax::ast::*;

impl Writer<'_> {
    /// The loop whose iterations find their rows; else `otherwise`.
    pub(crate) fn nest_or(&mut self, planned: &Loop, strips: &Strips, inner: &Inner, otherwise: Code) -> Code {
        let (Some(c), Some(last)) = (&planned.counting, strips.versions.last()) else { return otherwise };
        let StmtKind::For { body, .. } = self.u[planned.stmt].kind else { return otherwise };
        let [s, nest, lo, trips, from] = ["strip", "nest", "lo", "trips", "from"].map(|what| self.temp(what));
        let [done, n, k] = ["done", "n", "k"].map(|what| self.temp(what));
        let own_ty = self.s.symbols[c.var.0 as usize].ty;
        let ty = self.c_cast(own_ty);
        let counts = self.counts_as_numbers(c, &lo, &format!("{lo} + {trips}"));
        let inclusive = if c.inclusive { " + 1" } else { "" };
        let at = self.file_and_line(self.u[planned.stmt].toks);
        let outer_at = std::mem::replace(&mut self.strip_at, at);
        let outer_unchecked = std::mem::replace(&mut self.unchecked, strips.unchecked);
        let question = self.within(last.region, |l| {
            let (lo_of, hi_of) = (l.expr(c.lo), l.expr(c.hi));
            let question = l.silently(|l| l.nest_question(planned, strips, inner, [&s, &nest, &lo, &trips, &from]));
            code![
                format!("const long {lo} = (long)({ty})("),
                lo_of,
                format!("), {trips} = (long)("),
                hi_of,
                format!("){inclusive} - {lo}; long {from} = 0; struct fathom_strip {s}; struct fathom_nest {nest}; "),
                format!("if ({trips} > 1 && {trips} >= fathom_strips_from && {counts}("),
                question,
                ")) { "
            ]
        });
        let mut views = String::new();
        let counter = format!("(long){} - {from}", self.name_of(inner.counting.var));
        for (i, v) in strips.slots.iter().enumerate() {
            let declared = self.declared_view(*v, &counter);
            views += &format!("__attribute__((unused)) {declared} = {nest}.row[{k}][{i}]; ");
        }
        let own_var = self.own_var(planned, &format!("{lo} + {done} + {k}"));
        let loops = self.versions(&strips.versions, |l, _| {
            code![format!("for (long {k} = 0; {k} < {n}; {k}++) {{ {own_var}{views}"), l.placed(body), " } "]
        });
        self.strip_at = outer_at;
        self.unchecked = outer_unchecked;
        let next = self.fetched("nest_next", planned.stmt);
        let var = match c.declares {
            Some(_) => String::new(),
            None => format!("{} = ({ty})({lo} + {trips}); ", self.name_of(c.var)),
        };
        code![
            "{ ",
            question,
            format!("for (long {done} = 0, {n}; {done} < {trips}; {done} += {n}) {{ {n} = {next}&{nest}); "),
            loops,
            format!("}} {var}}} else {{ "),
            otherwise,
            " } }"
        ]
    }

    /// The rows of the first two iterations, what the nest writes, and the answer.
    fn nest_question(
        &mut self,
        planned: &Loop,
        strips: &Strips,
        inner: &Inner,
        [s, nest, lo, trips, from]: [&str; 5],
    ) -> Code {
        let [count, first, next, opens] = ["count", "first", "next", "opens"].map(|what| self.temp(what));
        let c = &inner.counting;
        let ty = self.c_cast(self.s.symbols[c.var.0 as usize].ty);
        let inclusive = if c.inclusive { " + 1" } else { "" };
        let (lo_of, hi_of) = (self.expr(c.lo), self.expr(c.hi));
        let mut out = code![
            format!("__extension__ ({{ {from} = (long)({ty})("),
            lo_of,
            format!("); const long {count} = (long)("),
            hi_of,
            format!("){inclusive} - {from}; int {opens} = 0; "),
            format!("if ({count} >= fathom_strips_from) {{ struct fathom_strip {first}, {next}; ")
        ];
        for (strip, value) in [(&first, lo.to_owned()), (&next, format!("{lo} + 1"))] {
            out.push(format!("{{ {}fathom_strip_begin(&{strip}, {count})", self.own_var(planned, &value)));
            for v in &strips.slots {
                out.push(self.range_of(*v, strip, from));
            }
            out.push("; } ");
        }
        let begin = format!("fathom_strip_begin(&{s}, {trips}), fathom_nest_begin(&{nest}, &{s}, &{first}, &{next})");
        let questions = self.asked(strips, s, [lo, trips], begin.into(), None);
        code![out, format!("{opens} = ("), questions, format!(") && fathom_nest_open(&{nest}); }} {opens}; }})")]
    }
}
