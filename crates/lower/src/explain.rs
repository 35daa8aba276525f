//! Instrumentation for `--explain`: what generated code counts, and what the compiler knows about each place that it
//! counts. Nothing here does anything unless `Options::explain` is set.
//!
//! A *site* is an expression that accesses shared memory, in one of the forms that the compiler gives it, or a call that
//! communicates. It becomes a `struct fathom_site` (runtime/lang/explain.h) in the generated unit, whose text says where it
//! is, what it is, and which form was chosen and why; `crates/explain` reads it back from the trace. Accesses by views
//! and rows, which are plain C, are counted in variables that live as long as the view or the row does: the C compiler
//! makes of them what it makes of any counter, so that vector loops stay vector loops.

use crate::code::Code;
use crate::explain_walk::Walk;
use crate::far::{Place, Reach};
use crate::views::View;
use crate::walk::{effects, visit};
use crate::Lower;
use fathom_sema::{Block, Linkage, Sema, SymId, SymKind, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::visit::Child;
use fathom_syntax::Parsed;
use std::collections::HashMap;

/// What an access does with the object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    Read,
    Write,
    Update,
}

/// Which C pointer an access goes through: it was computed outside the innermost loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Through {
    /// Its name in the generated code.
    pub name: String,
    pub kind: ThroughKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ThroughKind {
    /// The part of a block-cyclic array that the iterations of this thread reach.
    OwnBlock,
    OwnRows,
    /// Elements THREADS apart, all on one thread.
    Cyclic,
    Row,
}

/// Where the code at hand stands with respect to `upc_forall`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Around {
    #[default]
    None,
    /// Every thread tests the affinity of every iteration.
    Tested,
    /// The iterations of this thread only, on views.
    Shared,
    /// Those of them at the ends of a block, or of a loop that is not controlling.
    Ends,
}

#[derive(Default)]
pub(crate) struct Explain {
    sites: HashMap<(TokRange, String), u32>,
    /// Of the place that was made last.
    pub through: Option<Through>,
    counters: Vec<(String, Code)>,
    pub around: Around,
    /// Variable, offset and text of the affinity `&x[i + offset]` around.
    pub affinity: Option<(SymId, i64, String)>,
    pub loops: Vec<u32>,
    /// For each of them the name of the counters that stand before it or one around; none if it calls something.
    tallies: Vec<Option<String>>,
    /// For each of them itself, and the name of the counters of the walks in it.
    walks: Vec<(StmtId, String)>,
    pub function: String,
}

impl Explain {
    /// The innermost loop around.
    pub(crate) fn innermost(&self) -> Option<StmtId> {
        self.walks.last().map(|(id, _)| *id)
    }
}

/// What a site's text says besides its place.
#[derive(Default)]
struct About {
    construct: String,
    strict: bool,
    text: String,
    object: String,
    block: String,
    elem_bytes: u64,
    count: String,
    row: u64,
    how: &'static str,
    why: &'static str,
    follows: Option<i64>,
    bytes: u64,
    symbol: Option<String>,
}

/// Calls that have a counterpart in runtime/lang/explain.h, which takes the site and then the arguments.
const COUNTED: &[&str] = &[
    "upc_memcpy",
    "upc_memget",
    "upc_memput",
    "upc_memset",
    "upc_memcpy_nb",
    "upc_memget_nb",
    "upc_memput_nb",
    "upc_memset_nb",
    "upc_memcpy_nbi",
    "upc_memget_nbi",
    "upc_memput_nbi",
    "upc_memset_nbi",
    "upc_lock",
    "upc_lock_attempt",
    "upc_unlock",
    "upc_alloc",
    "upc_local_alloc",
    "upc_all_alloc",
    "upc_global_alloc",
    "upc_atomic_strict",
    "upc_atomic_relaxed",
    "upc_all_broadcast",
    "upc_all_scatter",
    "upc_all_gather",
    "upc_all_gather_all",
    "upc_all_exchange",
    "bupc_memget_fstrided",
    "bupc_memput_fstrided",
    "bupc_memget_ilist",
    "bupc_memput_ilist",
];

/// Those of them that have a form for sizes that are constant.
const FIXED: &[&str] = &["upc_memcpy", "upc_memget", "upc_memput", "upc_memset"];

/// Others that are timed as a whole.
const TIMED: &[&str] = &[
    "upc_sync",
    "upc_sync_attempt",
    "upc_synci",
    "upc_synci_attempt",
    "upc_free",
    "upc_global_lock_alloc",
    "upc_lock_free",
    "upc_poll",
];
const TIMED_PREFIXES: &[&str] =
    &["upc_all_", "bupc_all", "bupc_mem", "bupc_wait", "bupc_try", "bupc_sem", "bupc_atomic", "bupc_poll"];

/// The library function that a call names, if it is one to count or time.
pub(crate) fn library_call<'a>(p: &'a Parsed, s: &Sema, callee: ExprId) -> Option<&'a str> {
    let ExprKind::Ident(name) = p.unit[callee].kind else {
        return None;
    };
    let sym = &s.symbols[s.expr_sym[callee.index()]?.0 as usize];
    let name = p.source.name(name);
    let is = |n: &str| COUNTED.contains(&n) || TIMED.contains(&n) || TIMED_PREFIXES.iter().any(|p| n.starts_with(p));
    (sym.kind == SymKind::Function && sym.linkage == Linkage::External && !sym.defined && is(name)).then_some(name)
}

impl Lower<'_> {
    /// Counts an access to `e` at `place`.
    pub(crate) fn counted(&mut self, e: ExprId, use_: Use, place: Place) -> Place {
        let through = self.explain.through.take().filter(|_| self.settled(&place.reach) == Reach::Near);
        let t = self.s.ty(e);
        if !self.options.explain || matches!(self.s.types.kind(t), TyKind::Array(..)) || self.s.types.is_void(t) {
            return place;
        }
        let about = self.about(e, use_, through.as_ref());
        let site = self.site(self.u[e].toks, about);
        let lvalue = match through {
            Some(t) => {
                let counter = format!("{}_at{site}", t.name);
                if !self.explain.counters.iter().any(|(name, _)| *name == counter) {
                    let base = match t.kind {
                        ThroughKind::OwnBlock | ThroughKind::OwnRows => {
                            "fathom_make((long)fathom_mythread, 0)".to_owned()
                        }
                        ThroughKind::Cyclic | ThroughKind::Row => format!("fathom_word({})", t.name),
                    };
                    let decl = format!(
                        "struct fathom_run {counter} __attribute__((cleanup(fathom_explain_run))) = \
                         {{&fathom_site_{site}, {base}, 0}}; "
                    );
                    self.explain.counters.push((counter.clone(), decl.into()));
                }
                code![format!("(*({counter}.n++, &"), place.lvalue, "))"]
            }
            None => {
                let (p, word) = (self.temp("p"), self.temp("word"));
                let counted = self.explain.tallies.last().cloned().flatten().filter(|_| !self.is_strict(e));
                let count = match (counted, self.walk_of(e)) {
                    (Some(_), Some(walk)) => self.walk(&walk, site, &word),
                    (Some(tally), None) => format!("{}, {word})", self.tally(&tally, site)),
                    _ => format!("fathom_explain_touch(&fathom_site_{site}, {word})"),
                };
                let whole = Place { lvalue: format!("*{p}").into(), reach: place.reach.clone() };
                code![
                    format!("(*__extension__ ({{ __auto_type {p} = &"),
                    place.lvalue,
                    format!("; const fathom_ptr {word} = "),
                    self.word_at(whole),
                    format!("; {count}; {p}; }}))")
                ]
            }
        };
        Place { lvalue, reach: place.reach }
    }

    /// The beginning of a call that counts in a register, which is declared before the loop.
    fn tally(&mut self, name: &str, site: u32) -> String {
        let counter = format!("{name}_at{site}");
        if !self.explain.counters.iter().any(|(known, _)| *known == counter) {
            let decl = format!(
                "struct fathom_tally {counter} __attribute__((cleanup(fathom_explain_tallied))) = \
                 {{&fathom_site_{site}, 0, fathom_site_{site}.left}}; "
            );
            self.explain.counters.push((counter.clone(), decl.into()));
        }
        format!("fathom_explain_tally(&{counter}")
    }

    /// The call that counts the access at `p`, which goes on where the last one of the loop was.
    fn walk(&mut self, walk: &Walk, site: u32, p: &str) -> String {
        let Some((_, name)) = self.explain.walks.last() else { return String::new() };
        let counter = format!("{name}_at{site}");
        if !self.explain.counters.iter().any(|(known, _)| *known == counter) {
            let decl = format!(
                "struct fathom_walk {counter} __attribute__((cleanup(fathom_explain_walk_end))) = \
                 {{&fathom_site_{site}, {}ul, fathom_site_{site}.left, fathom_site_{site}.left, 0, 0}}; ",
                walk.block
            );
            self.explain.counters.push((counter.clone(), decl.into()));
        }
        format!("fathom_explain_walk(&{counter}, {p}, {})", walk.phase)
    }

    /// The counters of accesses through the named pointers, to be declared beside these.
    pub(crate) fn counters_of(&mut self, names: &[String]) -> Code {
        let mut out = Code::new();
        self.explain.counters.retain(|(name, decl)| {
            let of = names.iter().any(|n| name.strip_prefix(n.as_str()).is_some_and(|rest| rest.starts_with("_at")));
            if of {
                out.push(decl.clone());
            }
            !of
        });
        out
    }

    pub(crate) fn counters_of_views(&mut self, mark: usize) -> Code {
        let name = |v: &View| match v {
            View::Blocked { name, .. } | View::Rows { name, .. } | View::Cyclic { name, .. } => name.clone(),
        };
        let names: Vec<String> = self.aliases[mark..].iter().map(|a| name(&a.kind)).collect();
        self.counters_of(&names)
    }

    /// A call of the library that is counted or timed, with its arguments; none if it is neither.
    pub(crate) fn explained_call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Option<Code> {
        if !self.options.explain {
            return None;
        }
        let name = library_call(self.p, self.s, callee)?.to_owned();
        let mut about = About { construct: name.clone(), how: "call", ..About::default() };
        about.text = self.text_of(self.u[e].toks);
        // A size that is written in the program need not be counted.
        let size = args.last().filter(|_| FIXED.contains(&name.as_str())).and_then(|n| self.s.const_int(self.p, *n));
        let is_fixed = size.is_some_and(|n| (1..1 << 20).contains(&n));
        about.bytes = size.filter(|_| is_fixed).map_or(0, |n| n as u64);
        let shared = args.iter().copied().find(|a| {
            let t = self.s.rvalue_ty(*a);
            self.is_shared_ptr(t)
        });
        if let Some(a) = shared {
            self.about_object(self.root_symbol(a), &mut about);
        }
        let site = self.site(self.u[e].toks, about);
        let f = self.callee_type(callee);
        let mut list = Code::new();
        for (i, a) in args.iter().enumerate() {
            let param = f.as_ref().and_then(|f| f.params.get(i).copied());
            let value = match param {
                Some(t) if self.mentions_ty(t) => self.converted(*a),
                _ => self.expr(*a),
            };
            list.push(if i == 0 { "" } else { ", " }).push(value);
        }
        if COUNTED.contains(&name.as_str()) {
            let comma = if args.is_empty() { "" } else { ", " };
            let fixed = if is_fixed { "fixed_" } else { "" };
            return Some(code![format!("fathom_explain_{fixed}{name}(&fathom_site_{site}{comma}"), list, ")"]);
        }
        let span = self.temp("span");
        Some(code![
            format!(
                "__extension__ ({{ __attribute__((cleanup(fathom_explain_end), unused)) struct fathom_span {span} = "
            ),
            format!("fathom_explain_begin(&fathom_site_{site}); {name}("),
            list,
            "); })"
        ])
    }

    /// The beginning of a call that stands for a statement of synchronisation; `what` is its name without `fathom_`.
    pub(crate) fn explained_sync(&mut self, id: StmtId, what: &str) -> String {
        let text = self.text_of(self.u[id].toks);
        let about = About { construct: format!("upc_{what}"), text, how: "call", ..About::default() };
        let site = self.site(self.u[id].toks, about);
        format!("fathom_explain_{what}(&fathom_site_{site}")
    }

    /// Enters a loop: its line is that of its keyword. Where neither it nor what it contains calls anything, nor is entered but
    /// by its head, its accesses are counted in registers.
    pub(crate) fn enter_loop(&mut self, id: StmtId) {
        if !self.options.explain {
            return;
        }
        let line = self.line_of(self.u[id].toks);
        self.explain.loops.push(line);
        let tally = self.explain.tallies.last().cloned().flatten().or_else(|| {
            let fx = effects(self.u, self.s, Child::Stmt(id));
            let plain = !fx.calls && !fx.once_only && !self.synchronises(id) && !self.entered_sideways(id);
            plain.then(|| self.temp("tally"))
        });
        self.explain.tallies.push(tally);
        let name = self.temp("walk");
        self.explain.walks.push((id, name));
    }

    /// Leaves a loop; the counters to be declared before it.
    pub(crate) fn leave_loop(&mut self) -> Code {
        self.explain.loops.pop();
        let mut names: Vec<String> = self.explain.walks.pop().map(|(_, name)| name).into_iter().collect();
        match self.explain.tallies.pop().flatten() {
            Some(name) if self.explain.tallies.last().is_none_or(|outer| outer.is_none()) => names.push(name),
            _ => {}
        }
        self.counters_of(&names)
    }

    fn synchronises(&self, id: StmtId) -> bool {
        let mut found = false;
        visit(self.u, Child::Stmt(id), |n| {
            if let Child::Stmt(s) = n {
                use StmtKind::*;
                found |= matches!(self.u[s].kind, Notify(_) | Wait(_) | Barrier(_));
            }
        });
        found
    }

    /// The affinity of a `upc_forall` whose iterations follow an array.
    pub(crate) fn affinity_follows(&self, affinity: ExprId, var: SymId, offset: i64) -> Option<(SymId, i64, String)> {
        let integer = self.affine(affinity, var).is_some();
        (self.options.explain && !integer).then(|| (var, offset, self.text_of(self.u[affinity].toks)))
    }

    fn line_of(&self, r: TokRange) -> u32 {
        self.p.source.place(self.p.source.tokens[r.lo as usize].lo).line
    }

    /// Source text in one line of bounded length.
    fn text_of(&self, r: TokRange) -> String {
        // Over the end of a line a macro's arguments have line markers in them.
        let lines = self.p.source.range_text(r).lines().enumerate().filter(|(i, l)| *i == 0 || !l.starts_with("# "));
        let text = lines.flat_map(|(_, l)| l.split_whitespace()).collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(60) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    fn about(&mut self, e: ExprId, use_: Use, through: Option<&Through>) -> About {
        let strict = self.is_strict(e);
        let construct = match use_ {
            Use::Read => "read",
            Use::Write => "write",
            Use::Update => "update",
        };
        let t = self.s.ty(e);
        let bytes = self.s.size_of(t).map_or(1, |s| s.bytes);
        let (how, why) = self.how_and_why(e, through, strict);
        let mut about = About { construct: construct.into(), strict, how, why, bytes, ..About::default() };
        about.text = self.text_of(self.u[e].toks);
        about.elem_bytes = self.s.elem_size(t);
        self.about_object(self.root_symbol(e), &mut about);
        if let (Some((var, offset, _)), Some(sub)) = (&self.explain.affinity, self.subscripts(e)) {
            let at = sub.indices.last().and_then(|i| self.affine(*i, *var));
            let first = sub.indices.first().and_then(|i| self.affine(*i, *var));
            about.follows = at.or(first).map(|a| a.saturating_sub(*offset));
        }
        about
    }

    fn about_object(&self, sym: Option<SymId>, about: &mut About) {
        let Some(sym) = sym else { return };
        let s = &self.s.symbols[sym.0 as usize];
        about.object = self.p.source.name(s.name).to_owned();
        let layout = self.layout_of_root(s.ty);
        about.block = match layout {
            Some(Block::Of(b)) => b.to_string(),
            Some(Block::Indefinite) => "0".into(),
            _ => String::new(),
        };
        let elem = match *self.s.types.kind(s.ty) {
            TyKind::Pointer(p) => p,
            _ => s.ty,
        };
        about.elem_bytes = self.s.elem_size(elem);
        if self.s.types.is_shared(s.ty) && !matches!(self.s.types.kind(s.ty), TyKind::Pointer(_)) {
            about.symbol = self.object_names.get(&sym).cloned();
            if let (TyKind::Array(row, _), Some(n)) = (self.s.types.kind(s.ty), self.s.elem_count(s.ty)) {
                about.count = format!("{}{}", n.bytes, if n.times_threads { "*T" } else { "" });
                about.row = self.const_count(*row).unwrap_or(0);
            }
        }
    }

    /// The variable at the root of an access or of a pointer expression.
    fn root_symbol(&self, e: ExprId) -> Option<SymId> {
        use ExprKind::*;
        match self.u[e].kind {
            Ident(_) => self.s.expr_sym[e.index()],
            Paren(x) | Unary(UnOp::Deref | UnOp::AddrOf | UnOp::Extension | UnOp::Real | UnOp::Imag, x) => {
                self.root_symbol(x)
            }
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, x) | Cast(_, x) => self.root_symbol(x),
            Member { base, .. } => self.root_symbol(base),
            Index(a, b) | Binary(BinOp::Add | BinOp::Sub, a, b) => {
                let shared = |x: ExprId| {
                    let t = self.s.ty(x);
                    self.is_shared_ptr(t) || self.s.types.is_shared(t)
                };
                if shared(a) {
                    self.root_symbol(a)
                } else {
                    self.root_symbol(b)
                }
            }
            _ => None,
        }
    }

    fn how_and_why(&self, e: ExprId, through: Option<&Through>, strict: bool) -> (&'static str, &'static str) {
        let direct = self.options.direct;
        if let Some(t) = through {
            return match t.kind {
                ThroughKind::OwnBlock => ("C array", "the affinity gives each iteration's block to this thread"),
                ThroughKind::OwnRows => {
                    ("C array", "whole rows make up a block, and the affinity gives it to this thread")
                }
                ThroughKind::Cyclic if self.explain.affinity.is_some() || self.explain.around == Around::Shared => {
                    ("C array", "iterations are THREADS apart: their elements are neighbours on one thread")
                }
                ThroughKind::Cyclic => ("C array", "elements THREADS apart are neighbours on one thread"),
                ThroughKind::Row => ("row pointer", "what the loop leaves alone was computed before it"),
            };
        }
        if strict {
            return ("strict", "strict: fences before and after, in program order");
        }
        let how = if direct { "address, load/store" } else { "address, near test" };
        let root = self.root_symbol(e).map(|s| self.s.symbols[s.0 as usize].ty);
        let indefinite = root.and_then(|t| self.layout_of_root(t)) == Some(Block::Indefinite);
        if indefinite && direct {
            return ("C subscript", "everything is on one thread: C's own address arithmetic");
        }
        let why = match self.explain.around {
            Around::None if self.explain.loops.is_empty() => "not in a loop",
            Around::None => "not in a upc_forall: whose element it is shows at run time only",
            Around::Tested => "the upc_forall does not count i by one with an affinity of i + c or &x[i + c]",
            Around::Ends => "at the ends of a block, where neighbours are on another thread",
            Around::Shared => "the subscript is not i + c of an array laid out as the affinity's",
        };
        (how, why)
    }

    /// The number of the site, which is written before the function at hand if it is new.
    fn site(&mut self, at: TokRange, about: About) -> u32 {
        let place = self.p.source.place(self.p.source.tokens[at.lo as usize].lo);
        let file = self.p.source.files.get(place.file as usize).map_or("", |f| f.as_str());
        let x = &self.explain;
        let affinity = x.affinity.as_ref().map_or("", |(_, _, text)| text);
        let follows = about.follows.map_or(String::new(), |d| d.to_string());
        let line_of_loop = x.loops.last().copied().unwrap_or(0);
        let fields: [String; 17] = [
            file.into(),
            place.line.to_string(),
            place.col.to_string(),
            x.function.clone(),
            about.construct,
            u8::from(about.strict).to_string(),
            about.text,
            about.object,
            about.block,
            about.elem_bytes.to_string(),
            about.count,
            about.row.to_string(),
            about.how.into(),
            about.why.into(),
            follows,
            affinity.into(),
            line_of_loop.to_string(),
        ];
        let text = fields.map(|f| f.replace(['\t', '\n'], " ")).join("\t");
        let next = x.sites.len() as u32;
        let site = *self.explain.sites.entry((at, text.clone())).or_insert(next);
        if site == next {
            let object = about.symbol.unwrap_or_else(|| "0".into());
            self.hoisted.push(format!(
                "static struct fathom_site fathom_site_{site} = {{fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, {}u, {}, {object}}};\n\
                 static struct fathom_site *const fathom_site_{site}_at \
                 __attribute__((section(\"fathom_sites\"), used)) = &fathom_site_{site};\n",
                about.bytes.min(u64::from(u32::MAX)),
                c_string(&text)
            ));
        }
        site
    }
}

/// A C string literal with these bytes.
fn c_string(text: &str) -> String {
    let mut out = String::from("\"");
    for b in text.bytes() {
        match b {
            b'"' | b'\\' => out.extend(['\\', b as char]),
            b' '..=b'~' if b != b'?' => out.push(b as char),
            _ => out += &format!("\\{b:03o}"),
        }
    }
    out + "\""
}
