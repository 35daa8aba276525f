//! Typed tree to C: every UPC construct becomes plain C over the runtime's interface, and everything else stays a
//! range of the source.
//!
//! The result is [`Code`], source ranges and text, not another tree: a tree would have to be printed, and printing
//! private C again is what DESIGN.md forbids. One file a transformation:
//!
//! * `touch` which nodes need any work;
//! * `decl`, `record` declarations, whose types change; `object` shared objects, their storage and initialisers;
//! * `expr` the dispatcher; `access` reading and writing shared objects, `far` where that takes calls; `pointer` arithmetic and conversions;
//!   `call` calls and the library functions that are inlined;
//! * `stmt` statements and synchronisation; `forall` work sharing, over loops that `counting` recognises, with the `views`
//!   of shared arrays that are C arrays there; `rows` hoisting of row addresses out of loops,
//!   `versions` for loops over what may be near;
//! * `explain` the counters of programs that are to be explained.
//!
//! A shared access on a conduit with direct memory is a C lvalue, `*(T *)address`: so relaxed reads, writes, compound
//! assignments, members and bit-fields need nothing of their own, and the C compiler optimises them like its own.

#[macro_use]
pub mod code;
pub mod plan;

mod access;
mod call;

mod decl;
mod explain;
mod expr;
mod far;
mod forall;
mod object;
mod pointer;
mod record;
mod rows;
mod stmt;

mod views;

use code::Code;
use fathom_sema::{Sema, SymId, Ty};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::Parsed;
use plan::facts::Facts;
use plan::{Plan, RegionId, ViewId};
use std::collections::HashMap;
use std::ops::Deref;

/// What lowering must know about the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Loads and stores reach every thread's memory (conduit `smp`). Otherwise an object may be *far*, and is moved by
    /// calls (`runtime/conduit/distributed.h`).
    pub direct: bool,
    /// Generated code counts its shared accesses and times what communicates (`explain`).
    pub explain: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { direct: true, explain: false }
    }
}

/// A lowered translation unit.
pub struct Lowered {
    pub unit: Code,
}

/// The state of the pass: what has been learnt about the unit and what is to be written outside the code at hand.
pub(crate) struct Lower<'a> {
    facts: Facts<'a>,
    options: Options,
    plan: &'a Plan,
    /// Where the code at hand stands in the plan.
    region: RegionId,
    /// Names of the views' pointers, and of the counters that subscript them.
    views: HashMap<ViewId, (String, String)>,
    /// Return type of the function being lowered.
    ret: Option<Ty>,
    /// File-scope code to be written before the external declaration at hand.
    hoisted: Code,
    /// Bodies of the unit's initialisation function.
    inits: Vec<Code>,
    /// Names of shared objects in the generated code.
    object_names: HashMap<SymId, String>,
    explain: explain::Explain,
    temps: u32,
}

/// Lowers a unit that `sema` found free of errors. Its result for a unit with errors is meaningless but harmless.
pub fn lower(parsed: &Parsed, sema: &Sema, options: Options) -> Lowered {
    let plan = Plan::new(parsed, sema, options);
    let mut l = Lower {
        facts: Facts { p: parsed, u: &parsed.unit, s: sema, touch: &plan.touch },
        options,
        plan: &plan,
        region: plan.file,
        views: HashMap::new(),
        ret: None,
        hoisted: Code::new(),
        inits: vec![],
        object_names: HashMap::new(),
        explain: explain::Explain::default(),
        temps: 0,
    };
    Lowered { unit: l.unit() }
}

/// Questions about the program's expressions.
impl<'a> Deref for Lower<'a> {
    type Target = Facts<'a>;
    fn deref(&self) -> &Facts<'a> {
        &self.facts
    }
}

impl<'a> Lower<'a> {
    fn unit(&mut self) -> Code {
        let mut out = Code::new();
        let u = self.u;
        let mut changed = false;
        for item in &u.items {
            let (range, code) = match item {
                Item::Fn(f) if self.touch.function(f) => (f.toks, self.fn_def(f)),
                Item::Fn(f) => {
                    out.push_src(f.toks);
                    continue;
                }
                Item::Decl(d) if self.touch.decl(*d) => (u[*d].toks, self.decl(*d, false)),
                Item::Decl(d) => {
                    out.push_src(u[*d].toks);
                    continue;
                }
                Item::StaticAssert(e, r) if self.touch.expr(*e) => (*r, self.splice_exprs(*r, &[*e])),
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
            let decl = "extern const int THREADS __asm__(\"fathom_threads\"), MYTHREAD __asm__(\"fathom_mythread\");\n";
            out.0.insert(at, code::Part::Text(decl.to_owned()));
        }
        let eof = self.p.source.tokens.len() as u32 - 1;
        out.0.push(code::Part::Gap(eof));
        if changed {
            let tail = self.unit_tail();
            out.push("\n").push(tail);
        }
        out
    }

    /// A name for a temporary that no user's identifier and no other temporary has.
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
        // The gap before the first token belongs to whoever places this code.
        if let Some(code::Part::Gap(_)) = out.0.first() {
            out.0.remove(0);
        }
        out
    }

    fn splice_exprs(&mut self, range: TokRange, exprs: &[ExprId]) -> Code {
        let parts = exprs.iter().filter(|e| self.touch.expr(**e)).copied().collect::<Vec<_>>();
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

    /// The type as `sizeof` and casts want it.
    fn c_cast(&self, t: Ty) -> String {
        self.s.c_type(self.p, t, "")
    }
}
