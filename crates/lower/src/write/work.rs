//! Charges in C: before a statement, the cost of its block is added to the thread's work (runtime/conduit/work.h).
//!
//! A cost is a variable of the unit whose address nobody takes, so that the C compiler knows that the program's own
//! stores do not change it, and adds up the charges of a loop behind it. The machine gives the costs before `main`.

use crate::code::Code;
use crate::plan::work::Charge;
use crate::write::Writer;
use std::fmt::Write;

/// What generated code uses of runtime/conduit/work.h.
const INTERFACE: &str = "\
extern struct fathom_picosecond { char is_one; } *fathom_work, *fathom_work_limit;
unsigned long fathom_work_cost(const unsigned *);
void fathom_work_tick(void);
";

impl Writer<'_> {
    /// A statement behind its charge.
    pub(crate) fn charged(&mut self, charge: Charge, statement: impl FnOnce(&mut Self) -> Code) -> Code {
        let Charge { cost, ticks } = charge;
        let add = format!("fathom_work += fathom_cost{cost}");
        let charge = match ticks {
            true => format!("if (__builtin_expect(({add}) > fathom_work_limit, 0)) fathom_work_tick();"),
            false => format!("{add};"),
        };
        code![format!("{{ {charge} "), statement(self), " }"]
    }

    /// The variables of the costs, before everything that is charged.
    pub(crate) fn declared_costs(&self) -> Option<String> {
        let names: Vec<String> = (0..self.plan.work.costs.len()).map(|i| format!("fathom_cost{i}")).collect();
        (!names.is_empty()).then(|| format!("{INTERFACE}static unsigned long {};\n", names.join(", ")))
    }

    /// The function that asks for the costs.
    pub(crate) fn known_costs(&self) -> String {
        let costs = &self.plan.work.costs;
        if costs.is_empty() {
            return String::new();
        }
        let mut out = "__attribute__((constructor(101))) static void fathom_costs(void) {\n".to_owned();
        for (i, counts) in costs.iter().enumerate() {
            let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
            let _ = writeln!(out, "fathom_cost{i} = fathom_work_cost((const unsigned[]){{{}}});", counts.join(", "));
        }
        out + "}\n"
    }
}
