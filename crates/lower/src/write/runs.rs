//! Writes counting C loops that are cut into runs of iterations, where an array's block ends.

use crate::code::Code;
use crate::plan::counting::Counting;
use crate::plan::{Action, Loop, Version};
use crate::write::stmt::behind;
use crate::write::views::{simd, Made};
use crate::write::Writer;
use fathom_sema::{IntKind, Ty, TyKind};
use fathom_syntax::ast::*;

impl Writer<'_> {
    /// A C loop that is cut into runs of iterations.
    pub(crate) fn runs(&mut self, planned: &Loop) -> Code {
        let c = planned.counting.as_ref().expect("a counting loop");
        let (var, ty) = (self.name_of(c.var).to_owned(), self.c_cast(self.s.symbols[c.var.0 as usize].ty));
        let [n, k, first] = ["n", "k", "first"].map(|what| self.temp(what));
        let made = Made { counter: k.clone(), first: var.clone(), ..Made::default() };
        let begin = |_: &mut Self| format!("{n}++; ").into();
        self.in_runs(planned, (&planned.before_run, &planned.versions), &made, &n, begin, |l, v, step, body| {
            match v.independent {
                // Nothing leaves such a loop, and the pragma asks for a head that counts one variable.
                true => code![
                    format!("__attribute__((unused)) const {ty} {first} = {var}; "),
                    simd(v),
                    format!("for (unsigned long {k} = 0; {k} < {n}; {k}++) {{ "),
                    l.own_var(planned, &format!("{first} + {k}")),
                    l.placed(body),
                    format!("}} {var} += {n}; ")
                ],
                false => l.run([&k, &n], step, body),
            }
        })
    }

    /// A counting loop that itself counts runs, with a second one for the iterations of a run in its body, as `inner` writes
    /// it for each version; a `break` leaves both. `begin` follows where `n` is the number of iterations that are left after
    /// the one at hand, and makes it that of the run.
    pub(crate) fn in_runs(
        &mut self,
        planned: &Loop,
        (before_run, versions): (&[Action], &[Version]),
        made: &Made,
        n: &str,
        begin: impl FnOnce(&mut Self) -> Code,
        mut inner: impl FnMut(&mut Self, &Version, ExprId, StmtId) -> Code,
    ) -> Code {
        let u = self.u;
        let (StmtKind::For { init, cond: Some(cond), step: Some(step), body }, Some(c), Some(general)) =
            (&u[planned.stmt].kind, &planned.counting, versions.last())
        else {
            unreachable!("no counting loop")
        };
        let (step, body) = (*step, *body);
        let mut parts = vec![];
        let (before, run) = self.within(general.region, |l| {
            let before = l.for_init_part(init, &mut parts);
            l.cond_part(*cond, &mut parts);
            let (bound, more) = l.iterations_left(c, &made.first);
            let begins = l.run_begins(before_run, made, n);
            let begin = begin(l);
            let views = l.make_views(before_run, made);
            (before, code![bound, format!("unsigned long {n} = "), more, "; ", begins, begin, views])
        });
        let loops = self.versions(versions, |l, v| inner(l, v, step, body));
        parts.push((u[step].toks, Code::new()));
        parts.push((u[body].toks, code!["{ ", run, loops, " }"]));
        behind(before, self.splice(u[planned.stmt].toks, parts))
    }

    /// The iterations of a run, as the program wrote them.
    pub(crate) fn run(&mut self, [k, n]: [&str; 2], step: ExprId, body: StmtId) -> Code {
        let step = self.expr(step);
        code![
            format!("unsigned long {k} = 0; for (; {k} < {n}; {k}++, "),
            step,
            ") { ",
            self.placed(body),
            format!(" }} if ({k} < {n}) break; ")
        ]
    }

    /// A cast of a loop's bound to what the comparison sees: an unsigned variable of its size makes it unsigned.
    pub(crate) fn bound_as_compared(&self, c: &Counting) -> String {
        let (own, bound) = (self.s.symbols[c.var.0 as usize].ty, self.s.rvalue_ty(c.hi));
        let [own_is_wide, bound_is_wide] = [own, bound].map(|t| self.s.size_of(t).is_some_and(|s| s.bytes > 4));
        match self.unsigned(own) && (own_is_wide || !bound_is_wide) {
            true => format!("({})", self.c_cast(own)),
            false => String::new(),
        }
    }

    /// C for the number of iterations after the one at hand, and code before it.
    pub(crate) fn iterations_left(&mut self, c: &Counting, var: &str) -> (Code, Code) {
        let (own, bound) = (self.s.symbols[c.var.0 as usize].ty, self.s.rvalue_ty(c.hi));
        let mut hi = self.expr(c.hi);
        let mut before = Code::new();
        let [own_is_wide, bound_is_wide] = [own, bound].map(|t| self.s.size_of(t).is_some_and(|s| s.bytes > 4));
        let cast = self.bound_as_compared(c);
        // Another thread may change a bound in shared memory between the loop's own comparison and this one.
        let mut still = String::new();
        if self.reads_shared(c.hi) && !self.known.contains_key(&c.hi) {
            let name = self.temp("bound");
            before = code![format!("const __auto_type {name} = +("), hi, "); "];
            let unsigned = (own_is_wide && self.unsigned(own)) || (bound_is_wide && self.unsigned(bound));
            let common = match unsigned {
                true => "unsigned long",
                false => "long",
            };
            let less = if c.inclusive { "<=" } else { "<" };
            still = format!("({common}){var} {less} ({common}){cast}{name} ? ");
            hi = name.into();
        }
        let last = if c.inclusive { "" } else { " - 1" };
        let mut left = code![format!("(unsigned long){cast}("), hi, format!(") - (unsigned long){var}{last}")];
        if let Some(most) = self.wraps_after(own, c.hi, false) {
            left = code!["fathom_fewer(", left, format!(", {most}ul - (unsigned long){var})")];
        }
        if !still.is_empty() {
            left = code![still, left, " : 0"];
        }
        // The comparison takes a negative value for a large one.
        match c.mixed_sign {
            true => (before, code![format!("{var} < 0 ? 0 : "), left]),
            false => (before, left),
        }
    }

    /// An unsigned type whose values `long` does not have.
    pub(crate) fn is_large_unsigned(&self, t: Ty) -> bool {
        self.unsigned(t) && self.s.size_of(t).is_none_or(|s| s.bytes > 4)
    }

    /// The condition, with `&&` behind it, that a loop's first value is not negative, where C takes that for a large one.
    pub(crate) fn is_not_large(&self, c: &Counting, lo: &str) -> String {
        match c.mixed_sign || self.is_large_unsigned(self.s.symbols[c.var.0 as usize].ty) {
            true => format!("{lo} >= 0 && "),
            false => String::new(),
        }
    }

    /// The same, and that the counter's type has the value `behind` the last one, at which C compares once more: so the loop counts as numbers do.
    pub(crate) fn counts_as_numbers(&self, c: &Counting, lo: &str, behind: &str) -> String {
        let wraps = self.wraps_after(self.s.symbols[c.var.0 as usize].ty, c.hi, c.inclusive);
        let stays = wraps.map_or(String::new(), |most| format!("{behind} <= {most}l && "));
        self.is_not_large(c, lo) + &stays
    }

    /// The largest value of a counter that continues with its smallest one if the bound may be larger. Plain `char` may
    /// be signed or not.
    pub(crate) fn wraps_after(&self, own: Ty, hi: ExprId, inclusive: bool) -> Option<u64> {
        let TyKind::Int(kind) = *self.s.types.kind(own) else { return None };
        let bytes = self.s.size_of(own)?.bytes;
        let hi_bytes = self.s.size_of(self.s.rvalue_ty(hi))?.bytes;
        let is_unsigned = !self.s.types.is_signed(kind) && kind != IntKind::Char;
        // Arithmetic of `int` and wider signed types does not wrap (C17 6.5 p5), but conversions to narrower ones do.
        if bytes > 4 || (bytes == 4 && (!is_unsigned || (hi_bytes <= 4 && !inclusive))) {
            return None;
        }
        let most = (1u64 << (8 * bytes - u64::from(!is_unsigned))) - 1;
        let hi = self.s.const_int(self.p, hi);
        hi.is_none_or(|hi| hi + i128::from(inclusive) > i128::from(most)).then_some(most)
    }
}
