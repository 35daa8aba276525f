//! Writes what comes before a `upc_forall` over rows: `runtime/lang/strip.h` has the function.

use crate::code::Code;
use crate::plan::halos::Halo;
use crate::plan::Loop;
use crate::write::Writer;

impl Writer<'_> {
    /// The rows that the loops of the body will read of far threads are fetched. The variable has its first value.
    pub(crate) fn halos(&mut self, planned: &Loop, [lo, hi]: [&str; 2], shift: &Code, block: u64) -> Code {
        let mut out = Code::new();
        let Some(var) = planned.counter().filter(|_| !planned.halos.is_empty()) else { return out };
        let var = self.name_of(var).to_owned();
        for halo in &planned.halos {
            out.push(self.within(halo.region, |l| l.silently(|l| l.halo(halo, &var, [lo, hi], shift, block))));
        }
        code![
            format!("if ({hi} - {lo} > 1 && {hi} - {lo} >= fathom_strips_from && !fathom_forall_depth) {{ "),
            out,
            "} "
        ]
    }

    fn halo(&mut self, halo: &Halo, var: &str, [lo, hi]: [&str; 2], shift: &Code, block: u64) -> Code {
        let [s, next, own, from, trips] = ["strip", "next", "own", "from", "trips"].map(|what| self.temp(what));
        let inclusive = if halo.inclusive { " + 1" } else { "" };
        let ranges = |l: &mut Self, s: &str| {
            let mut out = Code::from(format!("fathom_strip_begin(&{s}, {trips})"));
            for v in &halo.slots {
                out.push(l.range_of(*v, s, &from));
            }
            out
        };
        code![
            format!("const long {from} = (long)("),
            self.expr(halo.lo),
            format!("), {trips} = (long)("),
            self.expr(halo.hi),
            format!("){inclusive} - {from}; if ({trips} >= fathom_strips_from) {{ struct fathom_strip {s}, {next}; "),
            ranges(self, &s),
            format!("; {var}++; "),
            ranges(self, &next),
            format!("; {var}--; const struct fathom_own {own} = {{{lo}, {hi}, "),
            shift.clone(),
            format!(", {block}l, 0}}; fathom_rows_fetch(&{s}, &{next}, &{own}); }} ")
        ]
    }
}
