//! Writes the plan as C: every UPC construct becomes plain C over the runtime's interface, and everything else stays a
//! range of the source. Nothing is decided here.
//!
//! * `decl`, `record` declarations, whose types change; `object` shared objects, their storage and initialisers;
//! * `expr` the dispatcher; `access` reading and writing shared objects, `far` where that takes calls; `pointer` arithmetic
//!   and conversions; `call` calls and the library functions that are inlined;
//! * `stmt` statements and synchronisation; `forall` work sharing; `runs` C loops that are cut; `strips` those on landed data, `halos` rows that they will read, `kept` those with a list of what they gather, `nests` those around rows; `together` calls of `upc_memget` that are under way together; `rows`, `views` the C pointers that a loop makes before
//!   it, elements by them, and the versions of loops;
//! * `computes` what is asked of functions of other files, and said of this one's;
//! * `explain` the counters of programs that are to be explained; `work` the charges of programs whose operations are counted.

mod access;
mod batches;
mod call;
mod computes;
mod decl;
mod explain;
mod expr;
mod far;
mod fetches;
mod forall;
mod halos;
mod kept;
mod nests;
mod object;
mod pointer;
mod record;
mod rows;
mod runs;
mod split;
mod stmt;
mod strips;
mod together;
mod views;
mod work;

use crate::code::{self, Code};
use crate::plan::facts::Facts;
use crate::plan::{Plan, RegionId, ViewId};
use crate::Options;
use fathom_sema::{Sema, SymId, Ty};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::Parsed;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;

/// The current place in the plan, and the code that is to be written outside the current code.
pub(crate) struct Writer<'a> {
    facts: Facts<'a>,
    options: Options,
    plan: &'a Plan,
    /// The region of the current code in the plan.
    region: RegionId,
    /// Names of the views' pointers, and of the counters that subscript them.
    views: HashMap<ViewId, (String, String)>,
    /// Return type of the function being lowered.
    ret: Option<Ty>,
    /// File-scope code to be written before the current external declaration.
    hoisted: Code,
    /// Bodies of the unit's initialisation function.
    inits: Vec<Code>,
    /// Names of shared objects in the generated code.
    object_names: HashMap<SymId, String>,
    /// Static arrays that have a description (`struct fathom_array`).
    described: HashSet<SymId>,
    /// Names of the descriptions of loops that are cut into pieces (`struct fathom_cut`), by their contents.
    cuts: HashMap<String, String>,
    explain: explain::Explain,
    places: work::Places,
    /// Functions of other files of which the unit asks, or says, whether they only compute.
    asked: HashSet<(SymId, &'static str)>,
    /// File and line of the loop that is written in strips.
    strip_at: (String, u32),
    /// What is read ahead in the loop at hand is not to be compared at its use.
    unchecked: bool,
    /// The loop whose iterations count what they read of a list, and the variable that does.
    list_reads: Option<(StmtId, String)>,
    /// How the loop whose table is there as a whole reads it.
    whole: Option<views::Whole>,
    /// The call in the loop at hand that finds its result.
    fetched: Option<fetches::Fetched>,
    /// Variables with the values of expressions that are evaluated only once.
    known: HashMap<ExprId, String>,
    temps: u32,
}

/// The C of a unit, according to the plan.
pub(crate) fn unit(parsed: &Parsed, sema: &Sema, plan: &Plan, options: Options) -> Code {
    let mut w = Writer {
        facts: plan.facts(parsed, sema),
        options,
        plan,
        region: plan.file,
        views: HashMap::new(),
        ret: None,
        hoisted: Code::new(),
        inits: vec![],
        object_names: HashMap::new(),
        described: HashSet::new(),
        cuts: HashMap::new(),
        explain: explain::Explain::default(),
        places: work::Places::default(),
        asked: HashSet::new(),
        strip_at: Default::default(),
        unchecked: false,
        list_reads: None,
        whole: None,
        fetched: None,
        known: HashMap::new(),
        temps: 0,
    };
    if options.explain && options.strips && !options.direct {
        w.explain.missed = plan.reasons(parsed, sema);
    }
    w.unit()
}

/// Questions about the program's expressions.
impl<'a> Deref for Writer<'a> {
    type Target = Facts<'a>;
    fn deref(&self) -> &Facts<'a> {
        &self.facts
    }
}

impl<'a> Writer<'a> {
    fn unit(&mut self) -> Code {
        let mut out = Code::new();
        let u = self.u;
        let mut changed = false;
        for item in &u.items {
            let (range, code) = match item {
                Item::Fn(f) if self.translated.function(f) => (f.toks, self.fn_def(f)),
                Item::Fn(f) => {
                    out.push_src(f.toks);
                    continue;
                }
                Item::Decl(d) if self.translated.decl(*d) => (u[*d].toks, self.decl(*d, false)),
                Item::Decl(d) => {
                    out.push_src(u[*d].toks);
                    continue;
                }
                Item::StaticAssert(e, r) if self.translated.expr(*e) => (*r, self.splice_exprs(*r, &[*e])),
                Item::Pragma(_, r) => (*r, Code::new()),
                Item::Asm(r) | Item::StaticAssert(_, r) | Item::Empty(r) | Item::Error(r) => {
                    out.push_src(*r);
                    continue;
                }
            };
            changed = true;
            let hoisted = std::mem::take(&mut self.hoisted);
            if !hoisted.is_empty() {
                out.push("\n").push(hoisted);
            }
            out.push_in_place(range, code);
        }
        // The program's own mentions of the two keywords stay as they are and become C identifiers. The declaration comes
        // after the first token, so that the text still begins with the line marker that names the file.
        if changed && u.exprs.iter().any(|e| matches!(e.kind, ExprKind::Threads | ExprKind::MyThread)) {
            let at = out.0.iter().position(|p| matches!(p, code::Part::Src(_))).map_or(0, |i| i);
            let (threads, mythread) = if self.is_split_c() { ("PROCS", "MYPROC") } else { ("THREADS", "MYTHREAD") };
            let decl = format!(
                "extern const int {threads} __asm__(\"fathom_threads\"), {mythread} __asm__(\"fathom_mythread\");\n"
            );
            out.0.insert(at, code::Part::Text(decl));
        }
        if let Some(costs) = self.declared_costs() {
            let at = out.0.iter().position(|p| matches!(p, code::Part::Src(_))).unwrap_or(0);
            out.0.insert(at, code::Part::Text(costs));
        }
        let eof = self.p.source.tokens.len() as u32 - 1;
        out.0.push(code::Part::Gap(eof));
        if changed || self.is_split_c() {
            let tail = self.unit_tail();
            out.push("\n").push(tail);
        }
        let said = self.said();
        if !said.is_empty() {
            out.push("\n").push(said);
        }
        out
    }

    /// A name for a temporary that differs from every identifier of the user and from all other temporaries.
    fn temp(&mut self, what: &str) -> String {
        self.temps += 1;
        format!("fathom_{what}{}", self.temps)
    }

    /// The source of `range` with the nodes at the given ranges replaced.
    fn splice(&self, range: TokRange, mut parts: Vec<(TokRange, Code)>) -> Code {
        parts.retain(|(r, _)| !r.is_empty());
        parts.sort_by_key(|(r, _)| r.lo);
        let mut out = Code::new();
        let mut at = range.lo;
        for (r, code) in parts {
            if r.lo < at {
                continue;
            }
            if at < r.lo {
                out.push_src(TokRange::new(at, r.lo));
            }
            out.push_in_place(r, code);
            at = r.hi;
        }
        if at < range.hi {
            out.push_src(TokRange::new(at, range.hi));
        }
        // The gap before the first token belongs to the code that places this code.
        if let Some(code::Part::Gap(_)) = out.0.first() {
            out.0.remove(0);
        }
        out
    }

    fn splice_exprs(&mut self, range: TokRange, exprs: &[ExprId]) -> Code {
        let parts = exprs.iter().filter(|e| self.translated.expr(**e)).copied().collect::<Vec<_>>();
        let parts = parts.into_iter().map(|e| (self.u[e].toks, self.expr(e))).collect();
        self.splice(range, parts)
    }

    /// THREADS, as generated code writes it: of type long.
    fn threads(&self) -> String {
        match self.s.options.threads {
            Some(n) => format!("{n}l"),
            None => "(long)fathom_threads".to_owned(),
        }
    }

    fn c_type(&self, t: Ty, name: &str) -> String {
        self.s.c_type(self.p, t, name)
    }

    /// The type as `sizeof` and casts require it.
    fn c_cast(&self, t: Ty) -> String {
        self.s.c_type(self.p, t, "")
    }
}
