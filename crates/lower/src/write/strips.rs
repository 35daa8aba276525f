//! Writes counting C loops in strips, on landed data: `runtime/lang/strip.h` has the functions.

use crate::code::Code;
use crate::plan::strips::{Strips, Write};
use crate::plan::views::Kind;
use crate::plan::{Loop, ViewId};
use crate::write::views::Made;
use crate::write::Writer;
use fathom_sema::Block;
use fathom_syntax::ast::*;

impl Writer<'_> {
    /// The loop in strips where the runtime says that something far is read and nothing is written there; else `otherwise`.
    pub(crate) fn strips_or(&mut self, planned: &Loop, strips: &Strips, otherwise: Code) -> Code {
        let Some(c) = &planned.counting else { return otherwise };
        let Some(last) = strips.versions.last() else { return otherwise };
        let (s, lo, trips) = (self.temp("strip"), self.temp("lo"), self.temp("trips"));
        let question = self.within(last.region, |l| {
            let (from, to) = (l.expr(c.lo), l.expr(c.hi));
            let inclusive = if c.inclusive { " + 1" } else { "" };
            let mut out = code![
                format!("const long {lo} = (long)("),
                from,
                format!("), {trips} = (long)("),
                to,
                format!("){inclusive} - {lo}; struct fathom_strip {s}; if ({trips} >= fathom_strips_from && "),
                format!("(fathom_strip_begin(&{s}, {trips})")
            ];
            for v in &strips.slots {
                let view = l.view(*v);
                let Kind::Landed { low, high, .. } = view.kind else { continue };
                let range = l.elements_at(view.root, &view.prefix, &format!("{lo} + {low}l"));
                out.push(format!(", fathom_strip_range(&{s}, ")).push(range).push(format!(", {}l)", high - low));
            }
            for w in &strips.writes {
                out.push(match w {
                    Write::Elements { root, prefix, offset } => {
                        let range = l.elements_at(*root, prefix, &format!("{lo} + {offset}l"));
                        code![format!(", fathom_strip_writes(&{s}, "), range, ", 0l)"]
                    }
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
                });
            }
            out.push(format!(", fathom_strip_open(&{s}))) {{ "));
            out
        });
        let in_strips = self.in_strips(planned, strips, &s);
        code!["{ ", question, in_strips, " } else { ", otherwise, " } }"]
    }

    /// The arguments that say where elements are: the first of the array, its phase, the index of the one wanted, the
    /// block size and the element's.
    fn elements_at(&mut self, root: ExprId, prefix: &[ExprId], index: &str) -> Code {
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
            let next = format!("{n} = fathom_strip_next(&{s}, {n} + 1); ");
            code![next, l.landed_views(&strips.slots, s, &k)]
        };
        self.in_runs(planned, (&strips.before_run, &strips.versions), &made, &n, begin, |l, _, step, body| {
            l.run([&k, &n], step, body)
        })
    }

    fn landed_views(&mut self, slots: &[ViewId], s: &str, counter: &str) -> Code {
        let mut out = Code::new();
        for (i, v) in slots.iter().enumerate() {
            let declared = self.declared_view(*v, counter);
            out.push(format!("__attribute__((unused)) {declared} = {s}.slot[{i}].at; "));
        }
        out
    }
}
