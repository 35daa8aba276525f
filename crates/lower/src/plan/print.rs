//! A plan as text: `fathom cc --print plan`, and the golden files of crates/lower/tests/plan.

use super::accesses::{Access, Affine, Condition, Use};
use super::affinity::{Owner, Start};
use super::effects::{Effects, Stop, Written};
use super::facts::Facts;
use super::gathers::Source;
use super::strips::{Shift, Strips, Write as Target};
use super::views::{Kind, View};
use super::{Action, Form, Function, Loop, Plan, Proof, RegionId, Sharing, ViewId, When};
use fathom_sema::{Sema, SymId};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::Parsed;
use std::fmt::Write;

impl Plan {
    /// The plan as text: for each function its accesses, and its loops with their versions.
    pub fn print(&self, parsed: &Parsed, sema: &Sema) -> String {
        let facts = self.facts(parsed, sema);
        let mut p = Printer { plan: self, f: facts, out: String::new() };
        for item in &parsed.unit.items {
            let Item::Fn(f) = item else { continue };
            let Some(Function { region, effects }) = self.functions.get(&f.declarator) else { continue };
            let name = facts.u[f.declarator].name.map_or("", |(n, _)| parsed.source.name(n));
            p.line(0, &format!("function {name}"));
            let effects = p.effects(effects);
            p.line(1, &effects);
            p.accesses(f.toks);
            p.region(1, *region);
        }
        if !self.region(self.file).forms.is_empty() {
            p.line(0, "outside of functions");
            p.region(1, self.file);
        }
        p.out
    }
}

struct Printer<'a> {
    plan: &'a Plan,
    f: Facts<'a>,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn at(&self, r: TokRange) -> String {
        let place = self.f.p.source.place(self.f.p.source.tokens[r.lo as usize].lo);
        format!("{}:{}", place.line, place.col)
    }

    fn name(&self, sym: SymId) -> &str {
        self.f.p.source.name(self.f.s.symbols[sym.0 as usize].name)
    }

    /// Source text in one line.
    fn text(&self, e: ExprId) -> String {
        self.f.p.source.words(self.f.u[e].toks)
    }

    fn list<T>(&self, items: &[T], one: impl Fn(&T) -> String) -> String {
        items.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn accesses(&mut self, within: TokRange) {
        let inside = |e: &ExprId| {
            let t = self.f.u[*e].toks;
            within.lo <= t.lo && t.hi <= within.hi
        };
        let all: Vec<_> = self.plan.accesses.iter().filter(|(e, _)| inside(e)).map(|(e, a)| (*e, a.clone())).collect();
        for (e, a) in self.in_source_order(all) {
            let text = self.access(e, &a);
            self.line(1, &text);
        }
    }

    fn in_source_order<T>(&self, mut all: Vec<(ExprId, T)>) -> Vec<(ExprId, T)> {
        all.sort_by_key(|(e, _)| (self.f.u[*e].toks.lo, self.f.u[*e].toks.hi, *e));
        all
    }

    fn access(&self, e: ExprId, a: &Access) -> String {
        let strict = if a.strict { "strict " } else { "" };
        let mut out = format!("{} {strict}{} {}", self.at(self.f.u[e].toks), use_word(a.use_), self.text(e));
        match self.plan.updates.objects.get(&e) {
            Some(Ok(u)) => _ = write!(out, " by its owner ({} {})", u.object, u.op),
            Some(Err(why)) => _ = write!(out, " here ({})", why.text()),
            None => {}
        }
        if let Some(base) = a.base {
            let _ = write!(out, ": {}", self.name(base));
            for i in &a.index {
                let _ = match i {
                    Some(i) => write!(out, "[{}]", self.affine(i)),
                    None => write!(out, "[?]"),
                };
            }
        }
        for c in &a.conditions {
            let _ = match c {
                Condition::Holds(e) => write!(out, ", if {}", self.text(*e)),
                Condition::Fails(e) => write!(out, ", unless {}", self.text(*e)),
                Condition::Case(e) => write!(out, ", in a case of {}", self.text(*e)),
            };
        }
        out
    }

    fn affine(&self, a: &Affine) -> String {
        let mut out = String::new();
        for (sym, n) in &a.terms {
            let sign = match (n < &0, out.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            let times = if n.unsigned_abs() == 1 { String::new() } else { format!("{} ", n.unsigned_abs()) };
            let _ = write!(out, "{sign}{times}{}", self.name(*sym));
        }
        let c = a.constant;
        let _ = match (out.is_empty(), c) {
            (true, _) => write!(out, "{c}"),
            (_, 0) => Ok(()),
            (_, c) if c < 0 => write!(out, " - {}", c.unsigned_abs()),
            _ => write!(out, " + {c}"),
        };
        out
    }

    /// The accesses of a region by form, and its loops.
    fn region(&mut self, depth: usize, id: RegionId) {
        let region = self.plan.region(id);
        let all = region.forms.iter().filter_map(|(e, form)| Some((*e, (self.plan.accesses.get(e)?.use_, *form))));
        let mut lines: Vec<(Form, Vec<String>)> = vec![];
        for (e, (use_, form)) in self.in_source_order(all.collect()) {
            if use_ == Use::Address {
                continue;
            }
            let what = format!("{} {}", use_word(use_), self.text(e));
            match lines.iter_mut().find(|(f, _)| *f == form) {
                Some((_, list)) => list.push(what),
                None => lines.push((form, vec![what])),
            }
        }
        for (form, list) in lines {
            let text = format!("{}: {}", self.form(form), list.join(", "));
            self.line(depth, &text);
        }
        let loops: Vec<_> = region.loops.values().map(|l| &self.plan.loops[l.0 as usize]).collect();
        for l in loops {
            self.a_loop(depth, l);
        }
    }

    fn form(&self, form: Form) -> String {
        match form {
            Form::Near { by: None, .. } => "near, by address".into(),
            Form::Near { by: Some(v), proof } => format!("near, by {}{}", view_name(v), proof_words(proof)),
            Form::Tested(v) => format!("tested with {}", view_name(v)),
            Form::Far => "far, asked each time".into(),
        }
    }

    fn a_loop(&mut self, depth: usize, l: &Loop) {
        let (kind, affinity) = match &self.f.u[l.stmt].kind {
            StmtKind::While { .. } => ("while", None),
            StmtKind::DoWhile { .. } => ("do", None),
            StmtKind::Forall { affinity: Affinity::Expr(e), .. } => ("upc_forall", Some(*e)),
            StmtKind::Forall { .. } => ("upc_forall", None),
            _ => ("for", None),
        };
        let mut head = format!("{} {kind}", self.at(self.f.u[l.stmt].toks));
        if let Some(c) = &l.counting {
            let relation = if c.inclusive { "to" } else { "below" };
            let _ = write!(head, ", {} from {} {relation} {}", self.name(c.var), self.text(c.lo), self.text(c.hi));
        }
        if let Some(super::Stepping { counting: c, by, is_down }) = &l.stepping {
            let way = if *is_down { "down by" } else { "by" };
            let by = by.map_or("1".into(), |by| self.text(by).to_string());
            let (from, to) = (self.text(c.lo), self.text(c.hi));
            let _ = write!(head, ", {} from {from} {way} {by} to {to}", self.name(c.var));
        }
        self.line(depth, &head);
        if let Some(words) = self.sharing(&l.sharing, affinity) {
            self.line(depth + 1, &words);
        }
        let effects = self.effects(&l.effects);
        self.line(depth + 1, &effects);
        self.actions(depth + 1, "before", &l.before);
        if !matches!(l.sharing, Sharing::C | Sharing::Runs) {
            let from = self.out.len();
            self.line(depth + 1, "clauses");
            let empty = self.out.len();
            self.region(depth + 2, l.head);
            if self.out.len() == empty {
                self.out.truncate(from);
            }
        }
        let before_run = if matches!(l.sharing, Sharing::Runs) { "before a run" } else { "before own iterations" };
        self.actions(depth + 1, before_run, &l.before_run);
        if let Some(ends) = l.ends {
            let seldom = if self.plan.region(ends).seldom { "; seldom" } else { "" };
            self.line(depth + 1, &format!("version: at the ends of blocks, or not controlling{seldom}"));
            self.region(depth + 2, ends);
        }
        for (i, v) in l.versions.iter().enumerate() {
            let when = match &v.when {
                When::Always if i > 0 => "otherwise".to_owned(),
                When::Always if matches!(l.sharing, Sharing::Owned(_)) => "own iterations".to_owned(),
                When::Always => "each iteration".to_owned(),
                When::AllNear(views) => format!("if near: {}", self.list(views, |v| view_name(*v))),
            };
            let independent = if v.independent { "; they are independent" } else { "" };
            self.line(depth + 1, &format!("version: {when}{independent}"));
            self.region(depth + 2, v.region);
        }
        match l.walk.as_ref().map(|w| w.as_ref().map(|w| &w.strips)) {
            Some(Ok(s)) => self.strips(depth + 1, s),
            Some(Err(why)) => self.line(depth + 1, &format!("not in strips: {}", why.text())),
            None => {}
        }
        match &l.strips {
            Some(Ok(s)) => self.strips(depth + 1, s),
            Some(Err(why)) => self.line(depth + 1, &format!("not in strips: {}", why.text())),
            None => {}
        }
        if let Some(b) = &l.batch {
            self.line(depth + 1, &format!("for many iterations together: {}", self.text(b.object)));
        } else if let Some(Ok(f)) = &l.fetch {
            self.line(depth + 1, &format!("results for many iterations together: {}", self.text(f.call)));
        } else if let Some(a) = &l.ahead {
            self.line(depth + 1, &format!("asked for ahead, where near: {}", self.text(a.element)));
        }
        self.actions(depth + 1, "after", &l.after);
    }

    fn strips(&mut self, depth: usize, s: &Strips) {
        let how = match &s.kept {
            None if s.nest.is_some() => "with the rows of many iterations",
            None => "in strips",
            Some(k) if k.key.is_some() => "with a list of what is gathered, which is kept",
            Some(_) => "with a list of what is gathered for many iterations",
        };
        self.line(depth, &format!("version: {how}, if something far is read"));
        if let Some(assumed) = &s.assumed {
            let do_nothing_else =
                if assumed.may_read { "only compute, and read private memory" } else { "only compute" };
            let names = self.list(&assumed.functions, |sym| self.name(*sym).to_owned());
            self.line(depth + 1, &format!("if functions of other files {do_nothing_else}: {names}"));
        }
        for w in &s.writes {
            let text = match w {
                Target::Elements { root, prefix, shift, offset } => {
                    format!(
                        "if apart from what is written: {}{} at {}{offset}",
                        self.text(*root),
                        self.subscripts(prefix),
                        self.shift(shift)
                    )
                }
                Target::Array { root } => format!("if apart from what is written: any of {}", self.text(*root)),
                Target::Whole { root } => format!("if apart from what is written: all of {}", self.text(*root)),
                Target::Anything => "if nothing of it is shared: anything may be written".to_owned(),
                Target::Local { root, offset, .. } => {
                    format!("if apart from what is stored: {} at {offset}", self.text(*root))
                }
                Target::Object { root } => format!("if apart from what is stored: the object of {}", self.text(*root)),
                Target::Variable { root } => format!("if apart from what is stored: {}", self.text(*root)),
            };
            self.line(depth + 1, &text);
        }
        for v in &s.slots {
            let text = format!("before a strip: {} = {}", view_name(*v), self.view(self.plan.view(*v)));
            self.line(depth + 1, &text);
        }
        for x in &s.sources {
            let text = match x {
                Source::Elements { root, shift, offset, .. } => {
                    format!("places are computed from: {} at {}{offset}", self.text(*root), self.shift(shift))
                }
                Source::Variable { root } => format!("places are computed from: {}", self.text(*root)),
            };
            self.line(depth + 1, &text);
        }
        for v in &s.gathers {
            let text = format!("before a run: {} = {}", view_name(*v), self.view(self.plan.view(*v)));
            self.line(depth + 1, &text);
        }
        self.actions(depth + 1, "before a run", &s.before_run);
        for v in &s.versions {
            let when = match &v.when {
                When::Always => "each iteration".to_owned(),
                When::AllNear(views) => format!("if near: {}", self.list(views, |v| view_name(*v))),
            };
            self.line(depth + 1, &format!("version: {when}"));
            self.region(depth + 2, v.region);
        }
    }

    fn shift(&self, shift: &Shift) -> String {
        shift.iter().map(|(minus, x)| format!("{}{} + ", if *minus { "-" } else { "" }, self.text(*x))).collect()
    }

    fn sharing(&self, s: &Sharing, affinity: Option<ExprId>) -> Option<String> {
        let by = affinity.map_or(String::new(), |e| format!(" by {}", self.text(e)));
        Some(match s {
            Sharing::C => return None,
            Sharing::Runs => "cut into runs, where a block of a view ends".to_owned(),
            Sharing::Every => "every thread runs every iteration".to_owned(),
            Sharing::Tested => format!("each iteration's affinity is tested{by}"),
            Sharing::Owned(Owner::Cyclic { home, start }) => {
                format!("shared{by}: iterations THREADS apart, offset {}{}", home.offset, self.start(start))
            }
            Sharing::Owned(Owner::Pieces { offset, block, uses_var, .. }) => {
                let subscripts = if *uses_var { ", subscripted with the variable" } else { "" };
                format!("shared{by}: blocks of {block}, offset {offset}, cut into pieces{subscripts}")
            }
            Sharing::Owned(Owner::Blocked { offset, block, start, margins }) => format!(
                "shared{by}: blocks of {block}, offset {offset}{}, reaching {} before and {} after",
                self.start(start),
                margins.left,
                margins.right
            ),
        })
    }

    fn start(&self, s: &Start) -> String {
        match s {
            Start::Zero => String::new(),
            Start::Pointer(p) => format!(" from {}", self.text(*p)),
            Start::Row(root, prefix) => format!(" in row {}{}", self.text(*root), self.subscripts(prefix)),
        }
    }

    fn subscripts(&self, indices: &[ExprId]) -> String {
        indices.iter().map(|i| format!("[{}]", self.text(*i))).collect()
    }

    fn effects(&self, fx: &Effects) -> String {
        let written = self.list(&fx.written, |w| match w {
            Written::Object(s) => self.name(*s).to_owned(),
            Written::Target(s) => format!("*{}", self.name(*s)),
            Written::Anything => "anything shared".to_owned(),
            Written::Local => "own memory by a private pointer".to_owned(),
        });
        let stops = self.list(&fx.stops, |s| {
            let word = match s {
                Stop::Strict => "strict accesses",
                Stop::Fence => "fences",
                Stop::Barrier => "barriers",
                Stop::Lock => "locks",
                Stop::Call => "calls",
                Stop::Assembly => "assembly",
                Stop::Wait => "waits",
            };
            word.to_owned()
        });
        let or_nothing = |s: String| if s.is_empty() { "nothing".to_owned() } else { s };
        format!("writes {}; motion stops at {}", or_nothing(written), or_nothing(stops))
    }

    fn actions(&mut self, depth: usize, when: &str, actions: &[Action]) {
        for a in actions {
            let text = match a {
                Action::Make(v) => format!("{when}: {} = {}", view_name(*v), self.view(self.plan.view(*v))),
                Action::Ask(v) => format!("{when}: ask whether {} is near", view_name(*v)),
                Action::Enter => format!("{when}: enter a controlling loop"),
                Action::Leave => format!("{when}: leave it"),
            };
            self.line(depth, &text);
        }
    }

    fn view(&self, v: &View) -> String {
        let name = self.name(v.sym);
        let prefix = self.subscripts(&v.prefix);
        let what = match v.kind {
            Kind::Piece { var, offset, rows } => {
                let index = Affine { terms: [(var, 1)].into(), constant: offset };
                format!("{}{name}[{}] in a piece", if rows { "rows " } else { "" }, self.affine(&index))
            }
            Kind::Blocks { .. } => format!("own block of {name}{prefix}"),
            Kind::Rows { .. } => format!("own rows of {name}"),
            Kind::Run { var, offset, block } => {
                let index = Affine { terms: [(var, 1)].into(), constant: offset };
                format!("{name}{prefix}[{}] in a run, blocks of {block}", self.affine(&index))
            }
            Kind::Strided { var, offset } => {
                let index = Affine { terms: [(var, 1)].into(), constant: offset };
                format!("{name}{prefix}[{}], THREADS apart", self.affine(&index))
            }
            Kind::Landed { ref shift, low, high, .. } => {
                format!("{name}{prefix}, landed, offsets {}{low} to {high}", self.shift(shift))
            }
            Kind::Pointed { ref shift, low, high, .. } => {
                format!("{}, landed, offsets {}{low} to {high}", self.text(v.root), self.shift(shift))
            }
            Kind::Walked { low, high, .. } => format!("{low} to {high} from {name}, landed"),
            Kind::Gathered { ref elements, .. } => format!("{}, gathered", self.text(elements[0])),
            Kind::Row { has_more: true, .. } => format!("row {name}{prefix}"),
            Kind::Row { has_more: false, .. } => format!("element {name}{prefix}"),
        };
        match v.proof {
            Some(p) => format!("{what}{}", proof_words(p)),
            None => what,
        }
    }
}

fn view_name(v: ViewId) -> String {
    format!("v{}", v.0)
}

fn use_word(u: Use) -> &'static str {
    match u {
        Use::Read => "read",
        Use::Write => "write",
        Use::Update => "update",
        Use::Address => "address of",
    }
}

fn proof_words(p: Proof) -> String {
    match p {
        Proof::Private => ", as it is private".into(),
        Proof::AllReachable => ", as all memory is".into(),
        Proof::Affinity => ", by the affinity".into(),
        Proof::Within(v) => format!(", within {}", view_name(v)),
        Proof::Asked(_) => ", which was asked".into(),
        Proof::Landed => ", as it has landed".into(),
        Proof::Gathered => ", as it is a copy".into(),
    }
}
