//! Instrumentation for `--explain`: the events that generated code counts, and the compiler's knowledge about each
//! place that it counts. Nothing here has an effect unless `Options::explain` is set.
//!
//! A *site* is an expression that accesses shared memory, in one of the forms that the compiler gives it, or a call
//! that communicates. It becomes a `struct fathom_site` (runtime/lang/explain.h) in the generated unit, whose text says
//! where it is, what it is, and which form was chosen and why; `crates/explain` writes that record, and reads it from
//! the trace. Accesses by views and rows, which are plain C, are counted in variables that live as long as the view or
//! the row does: the C compiler treats them as any counter, so that vector loops stay vector loops.

use crate::code::Code;
use crate::plan::accesses::Use;
use crate::plan::effects::Stop;
use crate::plan::fetches::{Fetch, Operation};
use crate::plan::library::{explained_call, library_name, ExplainedCall, FIXED};
use crate::plan::sequences::{AccessSequence, Phase};
use crate::plan::views::Kind;
use crate::plan::{Action, Around, Form, Loop, ViewId};
use crate::write::far::ObjectLvalue;
use crate::write::Writer;
use fathom_explain::site::{self, Form as SiteForm, Reason};
use fathom_sema::{Block, SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct Explain {
    sites: HashMap<(TokRange, String), u32>,
    counters: Vec<Counter>,
    pub loops: Vec<Entered>,
    pub function: String,
    /// Why accesses may be far and alone.
    pub missed: HashMap<TokRange, String>,
    /// What is written here asks about the program's accesses, or makes them ahead: they are counted elsewhere.
    is_silent: bool,
}

/// A loop around the current code.
pub(crate) struct Entered {
    id: StmtId,
    line: u32,
    /// The name of the counters that stand before this loop or one around it, and which loop that is; none if the loop
    /// calls something.
    tally: Option<(String, StmtId)>,
    /// The name of the counters of its access sequences.
    counters: String,
}

/// A variable of the generated code that counts, and where it is declared.
struct Counter {
    at: Beside,
    name: String,
    declaration: Code,
}

/// Where a counter is declared: beside the pointer of a view, or before a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    View(ViewId),
    Loop(StmtId),
}

/// The contents of a site's text besides its place.
#[derive(Default)]
struct About {
    construct: String,
    strict: bool,
    text: String,
    object: String,
    block: Option<u64>,
    elem_bytes: u64,
    count: Option<(u64, bool)>,
    row: u64,
    form: SiteForm,
    reason: Reason,
    follows: Option<i64>,
    bytes: u64,
    symbol: Option<String>,
}

impl Writer<'_> {
    /// Counts an access to `e` at `place`.
    pub(crate) fn counted(&mut self, e: ExprId, use_: Use, place: ObjectLvalue) -> ObjectLvalue {
        let construct = match use_ {
            Use::Read | Use::Address => "read",
            Use::Write => "write",
            Use::Update => "update",
        };
        self.counted_as(e, construct, place)
    }

    /// Counts an access by this construct to `e` at `place`.
    pub(crate) fn counted_as(&mut self, e: ExprId, construct: &str, place: ObjectLvalue) -> ObjectLvalue {
        let by = match place.form {
            Form::Near { by, .. } => by,
            _ => None,
        };
        let t = self.s.ty(e);
        let is_counted = self.options.explain && !self.explain.is_silent;
        if !is_counted || matches!(self.s.types.kind(t), TyKind::Array(..)) || self.s.types.is_void(t) {
            return place;
        }
        let about = self.about(e, construct, by);
        let site = self.site(self.u[e].toks, about);
        let copied = by.and_then(|v| self.word_of_copy(v, e));
        let lvalue = match by {
            Some(_) if copied.is_some() => {
                let (p, word) = (self.temp("p"), self.temp("word"));
                let count = self.count_one(e, site, &word);
                code![
                    format!("(*__extension__ ({{ const fathom_ptr {word} = "),
                    copied.unwrap_or_default(),
                    format!("; {count}; __auto_type {p} = &"),
                    place.lvalue,
                    format!("; {p}; }}))")
                ]
            }
            Some(v) => {
                let name = self.name(v).to_owned();
                let base = match self.view(v).kind {
                    Kind::Blocks { .. } | Kind::Rows { .. } | Kind::Piece { .. } => {
                        "fathom_make((long)fathom_mythread, 0)".to_owned()
                    }
                    _ => format!("fathom_word({name})"),
                };
                let counter = format!("{name}_at{site}");
                self.counter(Beside::View(v), &counter, |counter| {
                    format!(
                        "struct fathom_run {counter} __attribute__((cleanup(fathom_explain_run))) = \
                         {{&fathom_site_{site}, {base}, 0}}; "
                    )
                });
                code![format!("(*({counter}.n++, &"), place.lvalue, "))"]
            }
            None => {
                let (p, word) = (self.temp("p"), self.temp("word"));
                let count = self.count_one(e, site, &word);
                let whole = ObjectLvalue { lvalue: format!("*{p}").into(), form: place.form };
                code![
                    format!("(*__extension__ ({{ __auto_type {p} = &"),
                    place.lvalue,
                    format!("; const fathom_ptr {word} = "),
                    self.word_at(whole),
                    format!("; {count}; {p}; }}))")
                ]
            }
        };
        ObjectLvalue { lvalue, form: place.form }
    }

    /// The call that counts an access to `e`, whose word is `word`.
    fn count_one(&mut self, e: ExprId, site: u32, word: &str) -> String {
        let innermost = self.explain.loops.last();
        let counted = innermost.and_then(|l| l.tally.clone()).filter(|_| !self.is_strict(e));
        // A far access must know its site.
        let sequence = innermost.filter(|_| self.options.direct).and_then(|l| self.facts.access_sequence(e, l.id));
        match (counted, sequence) {
            (Some(_), Some(sequence)) => self.count_sequence(&sequence, site, word),
            (Some(tally), None) => format!("{}, {word})", self.tally(&tally, site)),
            _ => format!("fathom_explain_touch(&fathom_site_{site}, {word})"),
        }
    }

    /// The word of the element of which `e` reads a copy by a view; none for other views. What its subscripts read counts here.
    fn word_of_copy(&mut self, v: ViewId, e: ExprId) -> Option<Code> {
        match self.view(v).kind {
            Kind::Landed { .. } | Kind::Gathered { .. } | Kind::Pointed { .. } => {
                let element = self.element_in(e)?;
                Some(self.address(element))
            }
            Kind::Walked { ref elements, .. } => {
                let element = self.walked_in(e, elements)?;
                // In `*p++` the pointer has not been stepped yet.
                let pointer = match self.u[element].kind {
                    ExprKind::Member { base, .. } => base,
                    ExprKind::Unary(UnOp::Deref, p) => match self.u[self.unparen(p)].kind {
                        ExprKind::Unary(UnOp::PostInc, x) => x,
                        _ => p,
                    },
                    _ => return Some(self.address(element)),
                };
                Some(self.word_of(pointer))
            }
            _ => None,
        }
    }

    /// The element of a walk that an access concerns, as a whole or in part.
    fn walked_in(&self, e: ExprId, elements: &[(ExprId, i64)]) -> Option<ExprId> {
        use ExprKind::*;
        if elements.iter().any(|(x, _)| *x == e) {
            return Some(e);
        }
        match self.u[e].kind {
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.walked_in(x, elements)
            }
            Index(a, i) if self.member_array(e) => self.walked_in(a, elements).or_else(|| self.walked_in(i, elements)),
            _ => None,
        }
    }

    /// Code whose accesses are counted elsewhere, or are none of the program's.
    pub(crate) fn silently<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.explain.is_silent, true);
        let out = write(self);
        self.explain.is_silent = outer;
        out
    }

    /// A call that fetches what this loop in strips reads: timed, for the loop.
    pub(crate) fn fetched(&mut self, function: &str, id: StmtId) -> String {
        if !self.options.explain {
            return format!("fathom_{function}(");
        }
        let construct = if matches!(function, "strip_next" | "own_run" | "nest_next") { "strip" } else { "gather" };
        let about = About { construct: construct.into(), text: self.text_of(self.u[id].toks), ..About::default() };
        let site = self.site(self.u[id].toks, about);
        format!("fathom_explain_{function}(&fathom_site_{site}, ")
    }

    /// A call that makes such operations for many iterations: they are counted, and the call is timed, for the operation.
    pub(crate) fn explained_fetch(&mut self, fetch: &Fetch) -> String {
        if !self.options.explain {
            return "fathom_fetch_all(".into();
        }
        let at = self.u[fetch.call].toks;
        let mut about = About { form: SiteForm::Gathered, text: self.text_of(at), ..About::default() };
        let ExprKind::Call { callee, ref args } = self.u[fetch.call].kind else {
            unreachable!("an operation is a call")
        };
        // Functions of other files that are operations have names of their own.
        about.construct = match fetch.operation {
            Operation::Elsewhere(..) => "atomic",
            _ => library_name(self.p, self.s, callee).unwrap_or_default(),
        }
        .to_owned();
        let shared = args.iter().copied().rfind(|a| self.is_shared_ptr(self.s.rvalue_ty(*a)));
        self.about_object(shared.and_then(|a| self.root_symbol(a)), &mut about);
        let site = self.site(at, about);
        format!("fathom_explain_fetch_all(&fathom_site_{site}, ")
    }

    /// Declares a counter by this name, if there is none yet.
    fn counter(&mut self, at: Beside, name: &str, declaration: impl FnOnce(&str) -> String) {
        if !self.explain.counters.iter().any(|c| c.name == name) {
            let declaration = declaration(name).into();
            self.explain.counters.push(Counter { at, name: name.to_owned(), declaration });
        }
    }

    /// The beginning of a call that counts in a register, which is declared before the loop.
    fn tally(&mut self, (name, before): &(String, StmtId), site: u32) -> String {
        let counter = format!("{name}_at{site}");
        self.counter(Beside::Loop(*before), &counter, |counter| {
            format!(
                "struct fathom_tally {counter} __attribute__((cleanup(fathom_explain_tallied))) = \
                 {{&fathom_site_{site}, 0, fathom_site_{site}.left}}; "
            )
        });
        format!("fathom_explain_tally(&{counter}")
    }

    /// The call that counts the access at `p`, which continues the sequence from the loop's last access.
    fn count_sequence(&mut self, sequence: &AccessSequence, site: u32, p: &str) -> String {
        let Some(around) = self.explain.loops.last() else { return String::new() };
        let (id, counter) = (around.id, format!("{}_at{site}", around.counters));
        self.counter(Beside::Loop(id), &counter, |counter| {
            format!(
                "struct fathom_walk {counter} __attribute__((cleanup(fathom_explain_walk_end))) = \
                 {{&fathom_site_{site}, {}ul, fathom_site_{site}.left, fathom_site_{site}.left, 0, 0}}; ",
                sequence.block
            )
        });
        let name = |sym: SymId| self.p.source.name(self.s.symbols[sym.0 as usize].name);
        let phase = match sequence.phase {
            Phase::Last => "0".to_owned(),
            Phase::Of(p) => format!("{}.phase", name(p)),
            Phase::After(p) => format!("{}.phase + 1", name(p)),
        };
        format!("fathom_explain_walk(&{counter}, {p}, {phase})")
    }

    /// The declarations of the counters that stand in one of these places.
    fn counters_at(&mut self, places: &[Beside]) -> Code {
        let mut out = Code::new();
        self.explain.counters.retain(|c| {
            let here = places.contains(&c.at);
            if here {
                out.push(&c.declaration);
            }
            !here
        });
        out
    }

    /// The counters of accesses by the views that are made, which are declared beside these views.
    pub(crate) fn counters_of_views(&mut self, made: &[Action]) -> Code {
        let view = |a: &Action| match a {
            Action::Make(v) => Some(Beside::View(*v)),
            _ => None,
        };
        self.counters_at(&made.iter().filter_map(view).collect::<Vec<_>>())
    }

    /// A call of the library that is counted or timed, with its arguments; none if it is neither.
    pub(crate) fn explained_call(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Option<Code> {
        if !self.options.explain {
            return None;
        }
        let ExplainedCall { name, counterpart } = explained_call(self.p, self.s, callee)?;
        let mut about = About { construct: name.to_owned(), ..About::default() };
        about.text = self.text_of(self.u[e].toks);
        // A size that is written in the program need not be counted.
        let size = args.last().filter(|_| FIXED.contains(&name)).and_then(|n| self.s.const_int(self.p, *n));
        let is_fixed = size.is_some_and(|n| (1..1 << 20).contains(&n));
        about.bytes = size.filter(|_| is_fixed).map_or(0, |n| n as u64);
        let shared = args.iter().copied().find(|a| {
            let t = self.s.rvalue_ty(*a);
            self.is_shared_ptr(t)
        });
        if let Some(a) = shared {
            self.about_object(self.root_symbol(a), &mut about);
        }
        let is_atomic = name.starts_with("bupc_atomic") && shared.is_some();
        if is_atomic {
            let kind = name["bupc_atomic".len()..].split('_').next().unwrap_or("");
            about.bytes = if matches!(kind, "L" | "UL" | "I64" | "U64" | "D") { 8 } else { 4 };
        }
        let site = self.site(self.u[e].toks, about);
        if let Some(update) = self.plan.atomic(e) {
            let call = format!("fathom_explain_atomic_update(&fathom_site_{site}, ");
            return Some(self.atomic_update(&call, callee, args, update));
        }
        let f = self.callee_type(callee);
        let mut list = Code::new();
        for (i, a) in args.iter().enumerate() {
            let param = f.as_ref().and_then(|f| f.params.get(i).copied());
            let value = match param {
                Some(t) if self.crosses(*a, t) => self.converted(*a),
                _ => self.expr(*a),
            };
            let value = match param {
                Some(t) if is_atomic && Some(*a) == shared => {
                    let p = self.temp("p");
                    let word = self.word(p.clone().into(), t);
                    let object = code![format!("__auto_type {p} = "), value, "; "];
                    let count = code![format!("fathom_explain_touch(&fathom_site_{site}, "), word, format!("); {p}; ")];
                    code!["__extension__ ({ ", object, count, "})"]
                }
                _ => value,
            };
            list.push(if i == 0 { "" } else { ", " }).push(value);
        }
        if let Some(function) = counterpart {
            let comma = if args.is_empty() { "" } else { ", " };
            let fixed = if is_fixed { "fixed_" } else { "" };
            return Some(code![format!("fathom_explain_{fixed}{function}(&fathom_site_{site}{comma}"), list, ")"]);
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
        let about = About { construct: format!("upc_{what}"), text, ..About::default() };
        let site = self.site(self.u[id].toks, about);
        format!("fathom_explain_{what}(&fathom_site_{site}")
    }

    /// Enters a loop: its line is that of its keyword. If neither the loop nor its contents call anything, and it is
    /// entered only by its head, its accesses are counted in registers.
    pub(crate) fn enter_loop(&mut self, planned: &Loop) {
        if !self.options.explain {
            return;
        }
        let id = planned.stmt;
        let line = self.line_of(self.u[id].toks);
        let outer = self.explain.loops.last().and_then(|l| l.tally.clone());
        let tally = outer.or_else(|| {
            let fx = &planned.effects;
            let plain = !fx.calls && !fx.once_only && !fx.stops.contains(&Stop::Barrier);
            (plain && self.facts.is_free(id)).then(|| (self.temp("tally"), id))
        });
        let counters = self.temp("walk");
        self.explain.loops.push(Entered { id, line, tally, counters });
    }

    /// Leaves a loop; returns the counters to be declared before it.
    pub(crate) fn leave_loop(&mut self) -> Code {
        match self.explain.loops.pop() {
            Some(l) => self.counters_at(&[Beside::Loop(l.id)]),
            None => Code::new(),
        }
    }

    fn line_of(&self, r: TokRange) -> u32 {
        self.p.source.place(self.p.source.tokens[r.lo as usize].lo).line
    }

    /// Source text in one line of bounded length.
    fn text_of(&self, r: TokRange) -> String {
        let text = self.p.source.words(r);
        match text.char_indices().nth(60) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None => text,
        }
    }

    fn about(&mut self, e: ExprId, construct: &str, by: Option<ViewId>) -> About {
        let strict = self.is_strict(e) && !self.is_split_c();
        let t = self.s.ty(e);
        let bytes = self.s.size_of(t).map_or(1, |s| s.bytes);
        let (form, reason) = self.form_and_reason(e, construct, by, strict);
        let mut about = About { construct: construct.into(), strict, form, reason, bytes, ..About::default() };
        about.text = self.text_of(self.u[e].toks);
        about.elem_bytes = self.s.elem_size(t);
        self.about_object(self.root_symbol(e), &mut about);
        if let (Some(f), Some(sub)) = (self.plan.region(self.region).following, self.subscripts(e)) {
            let at = sub.indices.last().and_then(|i| self.facts.offset_from(*i, f.var));
            let first = sub.indices.first().and_then(|i| self.facts.offset_from(*i, f.var));
            about.follows = at.or(first).map(|a| a.saturating_sub(f.offset));
        }
        about
    }

    fn about_object(&self, sym: Option<SymId>, about: &mut About) {
        let Some(sym) = sym else { return };
        let s = &self.s.symbols[sym.0 as usize];
        about.object = self.p.source.name(s.name).to_owned();
        let layout = self.layout_of_root(s.ty);
        about.block = match layout {
            Some(Block::Of(b)) => Some(b),
            Some(Block::Indefinite) => Some(0),
            // The elements of a block of a spread array, which lie on one processor.
            Some(Block::Spread { .. }) if self.s.types.is_array(s.ty) && self.s.elem_count(s.ty).is_some() => {
                let block = self.s.types.spread_block(s.ty).and_then(|b| self.s.elem_count(b));
                block.filter(|n| !n.times_threads).map(|n| n.bytes)
            }
            _ => None,
        };
        let elem = match *self.s.types.kind(s.ty) {
            TyKind::Pointer(p) => p,
            _ => s.ty,
        };
        about.elem_bytes = self.s.elem_size(elem);
        if self.s.types.is_shared(s.ty) && !matches!(self.s.types.kind(s.ty), TyKind::Pointer(_)) {
            about.symbol = self.object_symbol(sym);
            if let (TyKind::Array(row, _), Some(n)) = (self.s.types.kind(s.ty), self.s.elem_count(s.ty)) {
                about.count = Some((n.bytes, n.times_threads));
                about.row = self.const_count(*row).unwrap_or(0);
            }
        }
    }

    fn form_and_reason(&self, e: ExprId, construct: &str, by: Option<ViewId>, strict: bool) -> (SiteForm, Reason) {
        let direct = self.options.direct;
        let region = self.plan.region(self.region);
        if let Some(v) = by {
            return match self.view(v).kind {
                Kind::Blocks { .. } | Kind::Piece { .. } => (SiteForm::Array, Reason::OwnBlock),
                Kind::Rows { .. } => (SiteForm::Array, Reason::OwnRows),
                Kind::Strided { .. } if region.following.is_some() || region.around == Around::Own => {
                    (SiteForm::Array, Reason::CyclicIterations)
                }
                // An explained loop is not cut into runs.
                Kind::Strided { .. } | Kind::Run { .. } => (SiteForm::Array, Reason::CyclicElements),
                Kind::Landed { .. } | Kind::Walked { .. } | Kind::Pointed { .. } => (SiteForm::Landed, Reason::None),
                Kind::Gathered { .. } => (SiteForm::Gathered, Reason::None),
                Kind::Row { .. } => (SiteForm::RowPointer, Reason::Row),
            };
        }
        if strict {
            return (SiteForm::Strict, Reason::Strict);
        }
        if self.is_split_c() {
            return match construct {
                "get" | "put" => (SiteForm::SplitPhase, Reason::UntilSync),
                "store" => (SiteForm::SplitPhase, Reason::UntilStoreSync),
                _ => (SiteForm::Blocking, Reason::Blocking),
            };
        }
        let root = self.root_symbol(e).map(|s| self.s.symbols[s.0 as usize].ty);
        let indefinite = root.and_then(|t| self.layout_of_root(t)) == Some(Block::Indefinite);
        if indefinite && direct {
            return (SiteForm::Subscript, Reason::OneThread);
        }
        let reason = match region.around {
            Around::None if self.explain.loops.is_empty() => Reason::NoLoop,
            Around::None => Reason::NoForall,
            Around::Tested => Reason::NotCounting,
            Around::Ends => Reason::BlockEnds,
            Around::Own => Reason::OtherLayout,
        };
        (if direct { SiteForm::Address } else { SiteForm::Tested }, reason)
    }

    /// The number of the site, which is written before the current function if it is new.
    fn site(&mut self, at: TokRange, about: About) -> u32 {
        let place = self.p.source.place(self.p.source.tokens[at.lo as usize].lo);
        let file = self.p.source.files.get(place.file as usize).map_or("", |f| f.as_str());
        let x = &self.explain;
        let following = self.plan.region(self.region).following;
        let record = site::About {
            file: file.into(),
            line: place.line,
            column: place.col,
            function: x.function.clone(),
            is_split_c: self.is_split_c(),
            construct: about.construct,
            strict: about.strict,
            text: about.text,
            object: about.object,
            block: about.block,
            elem_bytes: about.elem_bytes,
            count: about.count,
            row: about.row,
            form: about.form,
            reason: about.reason,
            follows: about.follows,
            affinity: following.map_or(String::new(), |f| self.text_of(self.u[f.affinity].toks)),
            loop_line: x.loops.last().map_or(0, |l| l.line),
            missed: match about.form {
                SiteForm::Tested => x.missed.get(&at).cloned().unwrap_or_default(),
                _ => String::new(),
            },
        };
        let text = record.record();
        let next = x.sites.len() as u32;
        let site = *self.explain.sites.entry((at, text.clone())).or_insert(next);
        if site == next {
            let object = about.symbol.unwrap_or_else(|| "0".into());
            self.hoisted.push(format!(
                "static struct fathom_site fathom_site_{site} = {{fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, fathom_explain_nowhere, ~0ul, 0, 255, 0, 0, {}u, {}, {object}}};\n\
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
pub(crate) fn c_string(text: &str) -> String {
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
