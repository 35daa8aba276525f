//! Charges in C: before a statement, the cost of its block is added to the thread's work (runtime/conduit/work.h).
//!
//! A cost is a variable of the unit whose address nobody takes, so that the C compiler knows that the program's own
//! stores do not change it, and adds up the charges of a loop behind it. The machine gives the costs before `main`.
//!
//! So that a report can say which lines of the program take the time, a *place* stands before what communicates, and a
//! variable of the unit counts how often each block was performed.

use crate::code::Code;
use crate::plan::library::has_place;
use crate::plan::work::Charge;
use crate::write::Writer;
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use std::collections::HashMap;
use std::fmt::Write;

/// What generated code uses of runtime/conduit/work.h.
const INTERFACE: &str = "\
extern struct fathom_picosecond { char is_one; } *fathom_work, *fathom_work_limit;
unsigned long fathom_work_cost(const unsigned *);
void fathom_work_tick(void);
void fathom_wait_begins(void);
void fathom_waits(int);
";
/// What only counts: caches of simulated machines do not see it (`FATHOM_COUNTED`).
const COUNTED: &str = "__attribute__((section(\"fathom_counted\")))";
const PLACE: &str = "\
struct fathom_place { const char *file; unsigned line; };
extern const struct fathom_place *fathom_here;
";

/// Places of the program's text that a report may name.
#[derive(Default)]
pub(crate) struct Places {
    /// File and line.
    list: Vec<(u32, u32)>,
    known: HashMap<(u32, u32), usize>,
    /// A block's place and cost: how often it was performed is counted.
    performed: Vec<(usize, u32)>,
    counters: HashMap<(usize, u32), usize>,
}

impl Places {
    fn number(&mut self, file: u32, line: u32) -> usize {
        let next = self.list.len();
        let number = *self.known.entry((file, line)).or_insert(next);
        if number == next {
            self.list.push((file, line));
        }
        number
    }

    fn counter(&mut self, place: usize, cost: u32) -> usize {
        let next = self.performed.len();
        let counter = *self.counters.entry((place, cost)).or_insert(next);
        if counter == next {
            self.performed.push((place, cost));
        }
        counter
    }
}

impl Writer<'_> {
    /// A statement behind its charge.
    pub(crate) fn charged(
        &mut self,
        toks: TokRange,
        charge: Charge,
        statement: impl FnOnce(&mut Self) -> Code,
    ) -> Code {
        let Charge { cost, ticks } = charge;
        let place = self.place_of(toks);
        let performed = self.places.counter(place, cost);
        let add = format!("fathom_work += fathom_cost{cost}");
        let charge = match ticks {
            true => format!("if (__builtin_expect(({add}) > fathom_work_limit, 0)) fathom_work_tick();"),
            false => format!("{add};"),
        };
        code![format!("{{ fathom_performed{performed}++; {charge} "), statement(self), " }"]
    }

    /// An assignment, to stand before what communicates: where that is. Nothing, unless a report may ask for it.
    pub(crate) fn here(&mut self, toks: TokRange, end: &str) -> String {
        if !self.options.count {
            return String::new();
        }
        let place = self.place_of(toks);
        format!("fathom_here = &fathom_place_table[{place}]{end}")
    }

    /// A call of a function of the library that communicates, behind its place.
    pub(crate) fn call_here(&mut self, e: ExprId, callee: ExprId, call: Code) -> Code {
        match self.options.count && has_place(self.p, self.s, callee) {
            true => code!["(", self.here(self.u[e].toks, ", "), call, ")"],
            false => call,
        }
    }

    fn place_of(&mut self, toks: TokRange) -> usize {
        let place = self.p.source.place(self.p.source.tokens[toks.lo as usize].lo);
        self.places.number(place.file, place.line)
    }

    /// The variables of the costs, the counters and the places, before everything that is charged.
    pub(crate) fn declared_costs(&self) -> Option<String> {
        if self.places.list.is_empty() {
            return None;
        }
        let variables = |name: &str, count: usize| {
            let names: Vec<String> = (0..count).map(|i| format!("{name}{i}")).collect();
            match count {
                0 => String::new(),
                _ => format!("static {COUNTED} unsigned long {};\n", names.join(", ")),
            }
        };
        let costs = variables("fathom_cost", self.plan.work.costs.len());
        let performed = variables("fathom_performed", self.places.performed.len());
        let places = self.table();
        Some(format!("{INTERFACE}{PLACE}{costs}{performed}{places};\n"))
    }

    /// The declaration of the table of places. It is aligned as a place is, so that the tables of all units are one.
    fn table(&self) -> String {
        let count = self.places.list.len();
        format!(
            "static const struct fathom_place fathom_place_table[{count}] \
             __attribute__((section(\"fathom_places\"), used, aligned(8)))"
        )
    }

    /// The table of places, and the functions that ask for the costs and tell what the work of each place was.
    pub(crate) fn known_costs(&self) -> String {
        let mut out = String::new();
        if self.places.list.is_empty() {
            return out;
        }
        let _ = writeln!(out, "{} = {{", self.table());
        for (file, line) in &self.places.list {
            let _ = writeln!(out, "{{{:?}, {line}}},", self.p.source.files[*file as usize]);
        }
        out += "};\n";
        let costs = &self.plan.work.costs;
        if !costs.is_empty() {
            out += "__attribute__((constructor(101))) static void fathom_costs(void) {\n";
            for (i, counts) in costs.iter().enumerate() {
                let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
                let _ =
                    writeln!(out, "fathom_cost{i} = fathom_work_cost((const unsigned[]){{{}}});", counts.join(", "));
            }
            out += "}\n";
        }
        if !self.places.performed.is_empty() {
            out += "static void fathom_performed_by_place(void (*say)(const struct fathom_place *, unsigned long)) {\n";
            for (i, (place, cost)) in self.places.performed.iter().enumerate() {
                let _ = writeln!(out, "say(&fathom_place_table[{place}], fathom_performed{i} * fathom_cost{cost});");
            }
            out +=
                "}\nstatic void (*const fathom_performed_here)(void (*)(const struct fathom_place *, unsigned long)) \
                    __attribute__((section(\"fathom_performed\"), used)) = fathom_performed_by_place;\n";
        }
        out
    }
}
