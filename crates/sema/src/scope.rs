//! The checker's state: scopes of ordinary identifiers and tags, symbols, and the pragma in force.
//!
//! Bindings are vectors indexed by [`Name`], so a lookup is an array access; an undo log restores them at the end of
//! a scope. Nothing is cloned on the way in or out.

use crate::rules::Rule;
use crate::*;
use fathom_syntax::Dialect;

/// What a tag names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// A binding and the depth of the scope that it was made in.
type Bound<T> = Option<(T, u32)>;

#[derive(Clone, Copy)]
enum Undo {
    Sym(Name, Bound<SymId>),
    Tag(Name, Bound<Tag>),
}

/// The bindings of a prototype scope, kept for the body of the function that it begins.
pub(crate) struct Saved(Vec<Undo>);

/// A loop or switch that `break` and `continue` can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Enclosing {
    Loop,
    Switch,
    Forall,
}

/// What a function body is being checked in; replaced for GNU nested functions.
#[derive(Default)]
pub(crate) struct Body {
    pub ret: Option<Ty>,
    pub name: Option<Name>,
    /// The number of symbols before the function's own: the local ones among them belong to enclosing functions.
    pub symbols_before: u32,
    pub enclosing: Vec<Enclosing>,
    /// Number of the innermost upc_forall (0 outside), and the parent of each.
    pub forall: u32,
    pub forall_parent: Vec<u32>,
    /// Number of the spread array that was declared last in the blocks around (0: none), and the one before each.
    pub spread: u32,
    pub spread_parent: Vec<u32>,
    /// That number where each switch around began.
    pub switches: Vec<u32>,
    pub labels: Vec<(Name, Place)>,
    pub gotos: Vec<(Name, Place, TokRange)>,
}

/// Where a label or a goto stands: the innermost upc_forall, and the spread arrays in scope.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub forall: u32,
    pub spread: u32,
}

impl Body {
    pub fn here(&self) -> Place {
        Place { forall: self.forall, spread: self.spread }
    }
}

pub(crate) struct Checker<'a> {
    pub p: &'a Parsed,
    pub u: &'a Unit,
    pub s: Sema,
    pub diags: Vec<Diag>,
    syms: Vec<Bound<SymId>>,
    tags: Vec<Bound<Tag>>,
    /// Symbols with linkage, whatever scope declared them.
    globals: Vec<Option<SymId>>,
    serials: Vec<u32>,
    log: Vec<Undo>,
    marks: Vec<usize>,
    /// `#pragma upc strict` is in force.
    pub strict: bool,
    pub body: Body,
    /// Nesting of expressions and statements in the checker, see [`Checker::enter`].
    pub depth: u32,
    /// Tokens known to be in, or not in, system headers: the line mark found last.
    sys: (u32, u32, bool),
    /// Inside the operand of `sizeof` and the like.
    pub unevaluated: u32,
    /// Names of libraries whose header is missing, already reported.
    pub without_header: Vec<Name>,
    /// Shared arrays with `[*]` whose block size is not known, already reported.
    pub star_reported: Vec<SymId>,
    /// `#pragma pack`: from this byte of the text on, this alignment at most (0: no limit).
    packs: Vec<(u32, u64)>,
}

/// Deeper nesting is typed [`Ty::ERROR`]; the parser makes no tree that is higher.
const MAX_NEST: u32 = fathom_syntax::parse::MAX_HEIGHT;

/// The `#pragma pack` lines of a text, as gcc and clang read them: `(n)`, `()`, `(push)`, `(push, n)`, `(pop)`.
fn packs(text: &str) -> Vec<(u32, u64)> {
    let (mut out, mut stack, mut now) = (vec![], vec![], 0u64);
    let mut from = 0;
    while let Some(found) = text[from..].find("#pragma") {
        let at = from + found;
        from = at + "#pragma".len();
        let line = text[from..].lines().next().unwrap_or("");
        let Some(args) = line.trim_start().strip_prefix("pack").map(str::trim) else {
            continue;
        };
        let Some(args) = args.strip_prefix('(').and_then(|a| a.split(')').next()) else {
            continue;
        };
        for arg in args.split(',').map(str::trim) {
            match arg {
                "" => now = 0,
                "push" => stack.push(now),
                "pop" => now = stack.pop().unwrap_or(0),
                n => now = n.parse().ok().filter(|n: &u64| n.is_power_of_two() && *n <= 16).unwrap_or(now),
            }
        }
        out.push((at as u32, now));
    }
    out
}

fn at<T: Copy>(v: &[Option<T>], n: Name) -> Option<T> {
    v.get(n.0 as usize).copied().flatten()
}

fn put<T: Copy>(v: &mut Vec<Option<T>>, n: Name, x: Option<T>) -> Option<T> {
    let i = n.0 as usize;
    if v.len() <= i {
        v.resize(i + 1, None);
    }
    std::mem::replace(&mut v[i], x)
}

impl<'a> Checker<'a> {
    pub fn new(p: &'a Parsed, options: Options) -> Self {
        let u = &p.unit;
        let s = Sema {
            types: Types::new(options.target),
            symbols: vec![],
            expr_ty: vec![Ty::ERROR; u.exprs.len()],
            expr_sym: vec![None; u.exprs.len()],
            expr_strict: vec![false; u.exprs.len()],
            declarator_sym: vec![None; u.declarators.len()],
            kept_dimensions: std::collections::HashSet::new(),
            declarator_ty: vec![Ty::ERROR; u.declarators.len()],
            type_name_ty: vec![Ty::ERROR; u.type_names.len()],
            record_of_spec: vec![None; u.records.len()],
            enum_of_spec: vec![None; u.enums.len()],
            chosen: HashMap::new(),
            bit_fields: HashMap::new(),
            stands_for: (0..u.exprs.len() as u32).map(ExprId).collect(),
            conversions: vec![Default::default(); u.exprs.len()],
            init_ty: vec![Ty::ERROR; u.inits.len()],
            init_unbraced: vec![false; u.inits.len()],
            options,
        };
        Checker {
            p,
            u,
            s,
            diags: vec![],
            syms: vec![],
            tags: vec![],
            globals: vec![],
            serials: vec![],
            log: vec![],
            marks: vec![],
            // Split-C's reads and writes are sequentially consistent.
            strict: options.dialect == fathom_syntax::Dialect::SplitC,
            body: Body::default(),
            depth: 0,
            sys: (0, 0, false),
            unevaluated: 0,
            without_header: vec![],
            star_reported: vec![],
            packs: packs(&p.source.text),
        }
    }

    /// What `#pragma pack` says at a place.
    pub fn pack_at(&self, r: TokRange) -> u64 {
        if self.packs.is_empty() {
            return 0;
        }
        let at = self.p.source.tokens.get(r.lo as usize).map_or(0, |t| t.lo);
        match self.packs.partition_point(|p| p.0 <= at) {
            0 => 0,
            n => self.packs[n - 1].1,
        }
    }

    /// Reports a breach of a rule, as an error or a warning as the rule says.
    pub fn report(&mut self, rule: &'static Rule, span: TokRange, message: impl Into<String>) -> &mut Diag {
        self.diags.push(rule.diag(span, message));
        let last = self.diags.len() - 1;
        if self.s.options.dialect == Dialect::SplitC {
            // Rules that both languages have are written in UPC's words.
            let words = |text: &str| {
                text.replace("pointers-to-shared", "global pointers").replace("pointer-to-shared", "global pointer")
            };
            let diag = &mut self.diags[last];
            diag.message = words(&diag.message);
            diag.label = words(&diag.label);
            diag.hint = diag.hint.as_deref().map(words);
        }
        &mut self.diags[last]
    }

    /// One level deeper into the tree; `false` if that is too deep to go on (then nothing was entered).
    pub fn enter(&mut self) -> bool {
        if self.depth >= MAX_NEST {
            return false;
        }
        self.depth += 1;
        true
    }
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    pub fn push_scope(&mut self) {
        self.marks.push(self.log.len());
    }
    pub fn pop_scope(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.log.len() > mark {
            self.undo();
        }
    }
    /// Ends a scope but keeps what was bound in it.
    pub fn pop_scope_saving(&mut self) -> Saved {
        let mark = self.marks.pop().unwrap_or(0);
        let mut saved = vec![];
        for i in mark..self.log.len() {
            saved.push(match self.log[i] {
                Undo::Sym(n, _) => Undo::Sym(n, at(&self.syms, n)),
                Undo::Tag(n, _) => Undo::Tag(n, at(&self.tags, n)),
            });
        }
        while self.log.len() > mark {
            self.undo();
        }
        Saved(saved)
    }
    /// Binds in the present scope what an earlier one held.
    pub fn rebind(&mut self, saved: Saved) {
        for b in saved.0 {
            match b {
                Undo::Sym(n, Some((s, _))) => self.bind(n, s),
                Undo::Tag(n, Some((t, _))) => self.bind_tag(n, t),
                _ => {}
            }
        }
    }
    fn undo(&mut self) {
        match self.log.pop() {
            Some(Undo::Sym(n, old)) => drop(put(&mut self.syms, n, old)),
            Some(Undo::Tag(n, old)) => drop(put(&mut self.tags, n, old)),
            None => {}
        }
    }
    pub fn file_scope(&self) -> bool {
        self.marks.is_empty()
    }
    fn level(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn bind(&mut self, n: Name, s: SymId) {
        let old = put(&mut self.syms, n, Some((s, self.marks.len() as u32)));
        if !self.marks.is_empty() {
            self.log.push(Undo::Sym(n, old));
        }
    }
    pub fn bind_tag(&mut self, n: Name, t: Tag) {
        let old = put(&mut self.tags, n, Some((t, self.marks.len() as u32)));
        if !self.marks.is_empty() {
            self.log.push(Undo::Tag(n, old));
        }
    }
    pub fn lookup(&self, n: Name) -> Option<SymId> {
        at(&self.syms, n).map(|b| b.0)
    }
    /// Bound in the innermost scope itself.
    pub fn lookup_here(&self, n: Name) -> Option<SymId> {
        at(&self.syms, n).filter(|b| b.1 == self.level()).map(|b| b.0)
    }
    pub fn lookup_tag(&self, n: Name) -> Option<Tag> {
        at(&self.tags, n).map(|b| b.0)
    }
    pub fn lookup_tag_here(&self, n: Name) -> Option<Tag> {
        at(&self.tags, n).filter(|b| b.1 == self.level()).map(|b| b.0)
    }
    /// The symbol with linkage of this name, in scope or not.
    pub fn global(&self, n: Name) -> Option<SymId> {
        at(&self.globals, n)
    }
    pub fn set_global(&mut self, n: Name, s: SymId) {
        put(&mut self.globals, n, Some(s));
    }
    pub fn sym(&mut self, id: SymId) -> &mut Symbol {
        &mut self.s.symbols[id.0 as usize]
    }

    /// A new symbol, not yet bound.
    pub fn new_symbol(&mut self, name: Name, kind: SymKind, ty: Ty, decl: TokRange) -> SymId {
        let i = name.0 as usize;
        if self.serials.len() <= i {
            self.serials.resize(i + 1, 0);
        }
        let serial = self.serials[i];
        self.serials[i] += 1;
        let local = !self.file_scope();
        let in_system_header = self.in_system_header(decl);
        self.s.symbols.push(Symbol {
            name,
            kind,
            ty,
            linkage: Linkage::None,
            local,
            is_static: false,
            is_param: false,
            address_taken: false,
            defined: false,
            tentative: false,
            inline_only: false,
            align: 0,
            serial,
            decl,
            trailer: TokRange::new(decl.hi, decl.hi),
            in_system_header,
        });
        SymId(self.s.symbols.len() as u32 - 1)
    }

    /// Do these tokens come from a system header?
    pub fn in_system_header(&mut self, r: TokRange) -> bool {
        let Some(tok) = self.p.source.tokens.get(r.lo as usize) else {
            return false;
        };
        let at = tok.lo;
        if at < self.sys.0 || at >= self.sys.1 {
            let marks = &self.p.source.marks;
            let m = marks.partition_point(|m| m.offset <= at);
            let lo = if m == 0 { 0 } else { marks[m - 1].offset };
            let hi = marks.get(m).map_or(u32::MAX, |m| m.offset);
            self.sys = (lo, hi, m > 0 && marks[m - 1].system);
        }
        self.sys.2
    }

    pub fn text(&self, r: TokRange) -> &'a str {
        self.p.source.range_text(r)
    }
    pub fn name(&self, n: Name) -> &'a str {
        self.p.source.name(n)
    }
    pub fn show(&self, t: Ty) -> String {
        self.s.show(self.p, t)
    }
}
