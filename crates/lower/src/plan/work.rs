//! The work of a program, for simulated machines: how often each operation of the source is performed.
//!
//! A *block* is code that is performed as a whole or not at all. Each has a vector of counts, one for each class of
//! operations, and a statement before which the generated code adds the block's cost to the thread's work. A machine
//! gives the costs of the classes; runtime/conduit/work.h is the other side.
//!
//! What is counted are operations of the source, as a simple optimizing compiler of an in-order processor would emit
//! them: local variables whose address is not taken are in registers, constants cost nothing, what is computed from
//! registers alone is computed once in a block, and before a loop that does not change it. Every access to memory counts.
//! Of `a && b` both sides count, of `c ? a : b` the more expensive one of each class.

use crate::plan::effects::visit;
use fathom_sema::{Sema, SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;
use fathom_syntax::Parsed;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Classes of operations. The numbers are those of `enum fathom_work_class` in runtime/conduit/work.h.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Sums, comparisons, logic and shifts of integers and of pointers.
    Integer,
    Multiply,
    /// Division and remainder of integers.
    Divide,
    /// Sums, products, comparisons and conversions of floating-point numbers.
    Float,
    /// Divisions and square roots of floating-point numbers.
    FloatDivide,
    Load,
    Store,
    Branch,
    Call,
    /// A pointer-to-shared is computed with, or an access to a shared object finds its thread.
    Shared,
}

/// The classes' names in machine files, in order.
pub const CLASSES: [&str; 10] =
    ["integer", "multiply", "divide", "float", "float_divide", "load", "store", "branch", "call", "shared"];

/// How often a block performs the operations of each class.
pub type Counts = [u32; CLASSES.len()];

/// What is charged before a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Charge {
    /// A number in [`Work::costs`].
    pub cost: u32,
    /// The statement may be the body of a loop that waits for another thread: it must be left now and then.
    pub ticks: bool,
}

/// All charges of a unit.
#[derive(Default)]
pub(crate) struct Work {
    /// The different vectors of counts.
    pub costs: Vec<Counts>,
    charges: BTreeMap<StmtId, Charge>,
}

impl Work {
    pub fn at(&self, s: StmtId) -> Option<Charge> {
        self.charges.get(&s).copied()
    }

    /// The charges of the unit's functions, those of system headers and of the runtime excepted.
    pub fn new(p: &Parsed, s: &Sema) -> Work {
        let mut c = Counter {
            p,
            u: &p.unit,
            s,
            work: Work::default(),
            known: HashMap::new(),
            values: Values::default(),
            loops: vec![],
            inlined: HashSet::new(),
            in_nest: false,
        };
        for item in &p.unit.items {
            c.note_inline(item);
        }
        for item in &p.unit.items {
            if let Item::Fn(f) = item {
                c.function(f);
            }
        }
        c.work
    }
}

/// Code from one place to the next to which control may jump, or from which it may leave.
#[derive(Clone, Copy, Default)]
struct Block {
    counts: Counts,
    /// Where it is charged. None: nowhere yet; the next statement will do.
    at: Option<StmtId>,
    ticks: bool,
    /// The statements of an expression: it is charged with the expression.
    is_inner: bool,
}

struct Counter<'a> {
    p: &'a Parsed,
    u: &'a Unit,
    s: &'a Sema,
    work: Work,
    known: HashMap<Counts, u32>,
    values: Values,
    /// The loops around the current code, the innermost last.
    loops: Vec<Around>,
    /// Functions that this unit defines as `inline`: a call of them costs nothing.
    inlined: HashSet<SymId>,
    /// A pragma speaks of several loops, one directly inside the other: nothing may come between them.
    in_nest: bool,
}

/// A loop around the current code.
#[derive(Default)]
struct Around {
    /// The variables that it changes.
    changes: HashSet<SymId>,
    /// What is computed before it.
    before: HashSet<ValueId>,
    counts: Counts,
}

/// A value that is computed from registers alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ValueId(u32);

/// How a value is computed.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Computed {
    Register(SymId),
    /// A number as it is written, or a name that stands for one.
    Constant(String),
    /// An operation, as a number, on one or two values.
    From(u32, ValueId, Option<ValueId>),
}

#[derive(Default)]
struct Values {
    known: HashMap<Computed, ValueId>,
    /// The registers from which each value is computed.
    from: Vec<Vec<SymId>>,
    of: HashMap<ExprId, Option<ValueId>>,
    /// Computed in the current block, and valid still.
    here: HashSet<ValueId>,
}

/// A value that depends on more registers than these is taken to be a new one each time.
const MOST_REGISTERS: usize = 8;

fn one(class: Class) -> Counts {
    let mut counts = Counts::default();
    counts[class as usize] = 1;
    counts
}

fn add(to: &mut Counts, more: Counts) {
    to.iter_mut().zip(more).for_each(|(a, b)| *a = a.saturating_add(b));
}

fn sum<const N: usize>(parts: [Counts; N]) -> Counts {
    let mut all = Counts::default();
    parts.into_iter().for_each(|part| add(&mut all, part));
    all
}

const NOTHING: Counts = [0; CLASSES.len()];

// ---- statements -----------------------------------------------------------------------------------------------------

impl Counter<'_> {
    fn note_inline(&mut self, item: &Item) {
        let Item::Fn(f) = item else { return };
        if f.specs.items.iter().any(|spec| spec.kind == SpecKind::Inline) {
            self.inlined.extend(self.s.declarator_sym[f.declarator.index()]);
        }
    }

    fn function(&mut self, f: &FnDef) {
        let Some(sym) = self.s.declarator_sym[f.declarator.index()] else { return };
        let symbol = &self.s.symbols[sym.0 as usize];
        let name = self.p.source.name(symbol.name);
        // The classes of the program's operations cover what the runtime does for them.
        let is_runtime = ["fathom_", "gas_", "__"].iter().any(|prefix| name.starts_with(prefix));
        if !(symbol.in_system_header || is_runtime) {
            let around = std::mem::take(&mut self.loops);
            self.arm(f.body, NOTHING, false);
            self.loops = around;
        }
    }

    /// A statement that is a block of its own, with what else happens whenever it is performed.
    fn arm(&mut self, s: StmtId, more: Counts, ticks: bool) {
        let mut block = Block { counts: more, ticks, ..Block::default() };
        let here = self.values.here.clone();
        self.begin_at(s, &mut block);
        self.stmt(s, &mut block);
        self.end(&mut block);
        // What the statement has computed, or changed, is not there if it was not performed.
        self.values.here = here;
        self.forget(Child::Stmt(s));
    }

    /// A loop: `inside` counts what is performed in it; what it computes from registers that it does not change is
    /// performed before it.
    fn a_loop(&mut self, id: StmtId, block: &mut Block, inside: impl FnOnce(&mut Self, &mut Block)) {
        let mut changes = HashSet::new();
        self.changed(Child::Stmt(id), &mut |sym| _ = changes.insert(sym));
        self.loops.push(Around { changes, ..Around::default() });
        self.values.here.clear();
        let nests = |text: &str| ["collapse", "ordered", "tile"].iter().any(|clause| text.contains(clause));
        let was_in_nest = self.in_nest;
        self.in_nest |= nests(self.pragma_before(id));
        inside(self, block);
        self.in_nest = was_in_nest;
        self.values.here.clear();
        let around = self.loops.pop().unwrap_or_default();
        add(&mut block.counts, around.counts);
    }

    /// The variables that code changes.
    fn changed(&self, code: Child, found: &mut dyn FnMut(SymId)) {
        visit(self.u, code, |n| match n {
            Child::Expr(e) => match self.u[e].kind {
                ExprKind::Assign(_, x, _)
                | ExprKind::Split(_, x, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, x) => {
                    self.register(x).into_iter().for_each(&mut *found);
                }
                _ => {}
            },
            Child::Decl(d) => {
                let declared = self.u[d].declarators.iter();
                declared.filter_map(|x| self.s.declarator_sym[x.declarator.index()]).for_each(&mut *found);
            }
            _ => {}
        });
    }

    /// Values of registers that the code changes have to be computed again.
    fn forget(&mut self, code: Child) {
        let mut changes = HashSet::new();
        self.changed(code, &mut |sym| _ = changes.insert(sym));
        if !changes.is_empty() {
            let from = &self.values.from;
            self.values.here.retain(|v| from[v.0 as usize].iter().all(|sym| !changes.contains(sym)));
        }
    }

    /// Charges a block here, if nothing forbids that code stands before this statement.
    fn begin_at(&self, s: StmtId, block: &mut Block) {
        let is_place = match self.u[s].kind {
            StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) => false,
            StmtKind::Decl(_) | StmtKind::Error => false,
            _ => self.pragma_before(s).is_empty() && !(self.in_nest && self.is_loop(s)),
        };
        if is_place && block.at.is_none() && !block.is_inner {
            block.at = Some(s);
        }
    }

    /// The pragma before a statement, with the white space around it; or nothing.
    fn pragma_before(&self, s: StmtId) -> &str {
        let before = self.p.source.text_before(self.u[s].toks.lo);
        let is_pragma = (before.contains('#') || before.contains('_')) && before.contains("ragma");
        if is_pragma {
            before
        } else {
            ""
        }
    }

    /// A loop, or a block with nothing but a loop in it.
    fn is_loop(&self, s: StmtId) -> bool {
        match &self.u[s].kind {
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Forall { .. } => true,
            StmtKind::Compound(items) => matches!(items[..], [BlockItem::Stmt(s)] if self.is_loop(s)),
            _ => false,
        }
    }

    /// Ends a block, and begins the next one.
    fn end(&mut self, block: &mut Block) {
        if block.is_inner {
            return;
        }
        let Block { counts, at, ticks, .. } = std::mem::take(block);
        let Some(at) = at.filter(|_| counts != NOTHING || ticks) else { return };
        let next = self.work.costs.len() as u32;
        let cost = *self.known.entry(counts).or_insert(next);
        if cost == next {
            self.work.costs.push(counts);
        }
        self.work.charges.insert(at, Charge { cost, ticks });
    }

    fn stmt(&mut self, id: StmtId, block: &mut Block) {
        match &self.u[id].kind {
            StmtKind::Expr(e) => e.iter().for_each(|e| self.charge(*e, block)),
            StmtKind::Return(e) => e.iter().for_each(|e| self.charge(*e, block)),
            StmtKind::Decl(d) => self.decl(*d, block),
            StmtKind::Compound(items) => self.items(items, block),
            StmtKind::If { cond, then, els } => {
                self.charge(*cond, block);
                add(&mut block.counts, one(Class::Branch));
                self.arm(*then, NOTHING, false);
                if let Some(els) = els {
                    self.arm(*els, NOTHING, false);
                }
            }
            StmtKind::While { cond, body } => self.a_loop(id, block, |c, block| {
                let test = sum([c.value(*cond), one(Class::Branch)]);
                add(&mut block.counts, test);
                c.arm(*body, test, true);
            }),
            StmtKind::DoWhile { body, cond } => self.a_loop(id, block, |c, _| {
                let test = sum([c.value(*cond), one(Class::Branch)]);
                c.arm(*body, test, true);
            }),
            StmtKind::For { init, cond, step, body } | StmtKind::Forall { init, cond, step, body, .. } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.charge(*e, block),
                    ForInit::Decl(d) => self.decl(*d, block),
                }
                self.a_loop(id, block, |c, block| {
                    let test = sum([cond.map_or(NOTHING, |e| c.value(e)), one(Class::Branch)]);
                    add(&mut block.counts, test);
                    let step_costs = step.map_or(NOTHING, |s| c.value(s));
                    let counts = cond.zip(*step).is_some_and(|(cond, s)| c.counts(cond, s));
                    c.values.here.clear();
                    c.arm(*body, sum([test, step_costs]), !counts);
                });
            }
            StmtKind::Switch { cond, body } => {
                self.charge(*cond, block);
                add(&mut block.counts, sum([one(Class::Integer), one(Class::Branch)]));
                let mut inside = Block::default();
                self.stmt(*body, &mut inside);
                self.end(&mut inside);
            }
            StmtKind::Label(_, s) => {
                self.end(block);
                // Control may come back here for ever.
                block.ticks = !block.is_inner;
                self.values.here.clear();
                self.begin_at(*s, block);
                self.stmt(*s, block);
            }
            StmtKind::Case(_, _, s) | StmtKind::Default(s) => {
                self.end(block);
                self.values.here.clear();
                self.begin_at(*s, block);
                self.stmt(*s, block);
            }
            StmtKind::GotoComputed(e) => self.charge(*e, block),
            StmtKind::Asm(_) => add(&mut block.counts, one(Class::Integer)),
            StmtKind::Notify(_) | StmtKind::Wait(_) | StmtKind::Barrier(_) | StmtKind::Fence => {
                add(&mut block.counts, one(Class::Call));
            }
            StmtKind::Goto(_) => add(&mut block.counts, one(Class::Branch)),
            StmtKind::Continue | StmtKind::Break | StmtKind::Error => {}
        }
        if self.may_leave(id) {
            self.end(block);
        }
    }

    fn items(&mut self, items: &[BlockItem], block: &mut Block) {
        for item in items {
            match item {
                BlockItem::Stmt(s) => {
                    self.begin_at(*s, block);
                    self.stmt(*s, block);
                }
                BlockItem::Decl(d) => self.decl(*d, block),
                BlockItem::Fn(f) => self.function(f),
                BlockItem::Pragma(..) | BlockItem::LocalLabels(..) | BlockItem::StaticAssert(..) => {}
            }
        }
    }

    /// May control leave this statement for another place than the one behind it?
    fn may_leave(&self, id: StmtId) -> bool {
        self.jumps(id, true, true)
    }

    /// Does the statement jump: by `break` or `continue`, if these lead out of it, or otherwise?
    fn jumps(&self, id: StmtId, by_break: bool, by_continue: bool) -> bool {
        match &self.u[id].kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoComputed(_) => true,
            StmtKind::Break => by_break,
            StmtKind::Continue => by_continue,
            StmtKind::Compound(items) => {
                items.iter().any(|i| matches!(i, BlockItem::Stmt(s) if self.jumps(*s, by_break, by_continue)))
            }
            StmtKind::If { then, els, .. } => {
                self.jumps(*then, by_break, by_continue) || els.is_some_and(|s| self.jumps(s, by_break, by_continue))
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => self.jumps(*body, false, false),
            StmtKind::For { body, .. } | StmtKind::Forall { body, .. } => self.jumps(*body, false, false),
            StmtKind::Switch { body, .. } => self.jumps(*body, false, by_continue),
            StmtKind::Label(_, s) | StmtKind::Default(s) | StmtKind::Case(_, _, s) => {
                self.jumps(*s, by_break, by_continue)
            }
            _ => false,
        }
    }

    /// Does a loop with these clauses end by counting?
    fn counts(&self, cond: ExprId, step: ExprId) -> bool {
        use BinOp::*;
        let stepped = match self.u[self.s.stands_for(step)].kind {
            ExprKind::Unary(UnOp::PreInc | UnOp::PostInc | UnOp::PreDec | UnOp::PostDec, x) => x,
            ExprKind::Assign(Some(Add | Sub | Mul | Div | Shl | Shr), x, _) => x,
            ExprKind::Assign(None, x, _) => x,
            ExprKind::Comma(one, other) => return self.counts(cond, one) || self.counts(cond, other),
            _ => return false,
        };
        let Some(var) = self.register(stepped) else { return false };
        match self.u[self.s.stands_for(cond)].kind {
            ExprKind::Binary(Lt | Gt | Le | Ge | Ne, l, r) => [l, r].iter().any(|x| self.goes_along(*x, var)),
            ExprKind::Binary(And, l, r) => self.counts(l, step) || self.counts(r, step),
            _ => self.register(cond) == Some(var),
        }
    }

    /// Is a value a register, or that and a summand: `i + 4`?
    fn goes_along(&self, e: ExprId, var: SymId) -> bool {
        match self.u[self.s.stands_for(e)].kind {
            ExprKind::Binary(BinOp::Add | BinOp::Sub, l, r) => self.goes_along(l, var) || self.goes_along(r, var),
            _ => self.register(e) == Some(var),
        }
    }

    fn decl(&mut self, d: DeclId, block: &mut Block) {
        for x in &self.u[d].declarators {
            let Some(init) = x.init else { continue };
            let symbol = self.s.declarator_sym[x.declarator.index()].map(|sym| &self.s.symbols[sym.0 as usize]);
            let Some(symbol) = symbol.filter(|s| s.local && !s.is_static) else { continue };
            let values = self.init(init);
            add(&mut block.counts, values);
            if self.is_in_memory(symbol.ty) || symbol.address_taken {
                add(&mut block.counts, self.words(symbol.ty, Class::Store));
            }
        }
    }

    fn init(&mut self, i: InitId) -> Counts {
        match &self.u[i].kind {
            InitKind::Expr(e) => self.value(*e),
            InitKind::List(items) => {
                let mut all = NOTHING;
                for item in items {
                    add(&mut all, self.init(item.init));
                }
                all
            }
        }
    }

    fn charge(&mut self, e: ExprId, block: &mut Block) {
        let value = self.value(e);
        add(&mut block.counts, value);
        self.forget(Child::Expr(e));
    }
}

// ---- expressions ----------------------------------------------------------------------------------------------------

impl Counter<'_> {
    fn value(&mut self, e: ExprId) -> Counts {
        use ExprKind::*;
        match &self.u[e].kind {
            Number | Char | Str | LabelAddr(_) | Error | Threads | MyThread => NOTHING,
            SizeofExpr(..) | SizeofType(..) | Offsetof(..) | TypesCompatible(..) => NOTHING,
            Paren(x) => self.value(*x),
            Ident(_) | Index(..) | Member { .. } | Unary(UnOp::Deref, _) => {
                let place = self.place(e);
                sum([place, self.access(e, Class::Load)])
            }
            Unary(UnOp::AddrOf, x) => self.place(*x),
            Unary(UnOp::Plus | UnOp::Extension | UnOp::Real | UnOp::Imag, x) => self.value(*x),
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, x) => {
                let place = self.place(*x);
                let sum_of = self.arithmetic(self.s.rvalue_ty(*x));
                sum([place, self.access(*x, Class::Load), sum_of, self.access(*x, Class::Store)])
            }
            Unary(UnOp::Neg | UnOp::BitNot | UnOp::Not, x) => {
                let value = self.value(*x);
                match self.is_constant(e, value) {
                    true => NOTHING,
                    false => sum([value, self.once(e, self.arithmetic(self.s.rvalue_ty(*x)))]),
                }
            }
            Binary(op, l, r) => {
                let values = sum([self.value(*l), self.value(*r)]);
                match self.is_constant(e, values) {
                    true => NOTHING,
                    false => sum([values, self.once(e, self.operation(*op, *l, *r))]),
                }
            }
            Assign(op, l, r) => {
                let values = sum([self.place(*l), self.value(*r)]);
                let change = match op {
                    Some(op) => sum([self.access(*l, Class::Load), self.operation(*op, *l, *r)]),
                    None => self.conversion(*r, self.s.rvalue_ty(*l)),
                };
                sum([values, change, self.access(*l, Class::Store)])
            }
            Split(_, l, r) => sum([self.place(*l), self.value(*r), one(Class::Shared)]),
            Call { callee, args } => {
                let mut all = self.call(*callee);
                for a in args {
                    add(&mut all, self.value(*a));
                }
                all
            }
            Cond(c, t, e) => {
                let cond = self.value(*c);
                let (t, e) = (t.map_or(NOTHING, |t| self.value(t)), self.value(*e));
                let mut most = t;
                most.iter_mut().zip(e).for_each(|(a, b)| *a = (*a).max(b));
                sum([cond, one(Class::Branch), most])
            }
            Comma(a, b) => sum([self.value(*a), self.value(*b)]),
            Cast(_, x) => {
                let value = self.value(*x);
                sum([value, self.once(e, self.conversion(*x, self.s.rvalue_ty(e)))])
            }
            CompoundLit(_, i) => {
                let value = self.init(*i);
                sum([value, self.words(self.s.ty(e), Class::Store)])
            }
            Generic { .. } | ChooseExpr(..) => self.s.chosen.get(&e).map_or(NOTHING, |x| self.value(*x)),
            StmtExpr(s) => {
                let mut inner = Block { is_inner: true, ..Block::default() };
                self.stmt(*s, &mut inner);
                inner.counts
            }
            VaArg(list, _) => {
                let list = self.value(*list);
                sum([list, one(Class::Integer), one(Class::Load)])
            }
            ConvertVector(x, _) => {
                let value = self.value(*x);
                sum([value, one(Class::Float)])
            }
        }
    }

    /// What an operation costs here: nothing if its value is there, or is computed before the loop.
    fn once(&mut self, e: ExprId, costs: Counts) -> Counts {
        if costs == NOTHING {
            return costs;
        }
        let Some(value) = self.known_value(e) else { return costs };
        let from = &self.values.from[value.0 as usize];
        let keeps = |around: &&mut Around| from.iter().all(|sym| !around.changes.contains(sym));
        // The outermost loop of those, from the innermost one on, that keep it.
        if let Some(around) = self.loops.iter_mut().rev().take_while(keeps).last() {
            if around.before.insert(value) {
                add(&mut around.counts, costs);
            }
            return NOTHING;
        }
        match self.values.here.insert(value) {
            true => costs,
            false => NOTHING,
        }
    }

    /// The value of an expression that is computed from registers alone.
    fn known_value(&mut self, e: ExprId) -> Option<ValueId> {
        if let Some(known) = self.values.of.get(&e) {
            return *known;
        }
        let computed = self.computed(e);
        let value = computed.and_then(|computed| self.value_of(computed));
        self.values.of.insert(e, value);
        value
    }

    fn computed(&mut self, e: ExprId) -> Option<Computed> {
        const UNARY: u32 = 1 << 8;
        const CAST: u32 = 1 << 9;
        match self.u[self.s.stands_for(e)].kind {
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => {
                Some(Computed::Constant(self.p.source.range_text(self.u[e].toks).to_string()))
            }
            ExprKind::Ident(_) => self.register(e).map(Computed::Register),
            ExprKind::Unary(op @ (UnOp::Neg | UnOp::BitNot | UnOp::Not), x) => {
                Some(Computed::From(UNARY + op as u32, self.known_value(x)?, None))
            }
            ExprKind::Cast(_, x) => Some(Computed::From(CAST + self.s.rvalue_ty(e).0, self.known_value(x)?, None)),
            ExprKind::Binary(op, l, r) if !matches!(op, BinOp::And | BinOp::Or) => {
                let (l, r) = (self.known_value(l)?, self.known_value(r)?);
                Some(Computed::From(op as u32, l, Some(r)))
            }
            _ => None,
        }
    }

    fn value_of(&mut self, computed: Computed) -> Option<ValueId> {
        if let Some(value) = self.values.known.get(&computed) {
            return Some(*value);
        }
        let of = |v: ValueId| self.values.from[v.0 as usize].iter().copied();
        let mut from: Vec<SymId> = match computed {
            Computed::Register(sym) => vec![sym],
            Computed::Constant(_) => vec![],
            Computed::From(_, a, b) => of(a).chain(b.into_iter().flat_map(of)).collect(),
        };
        from.sort_unstable_by_key(|sym| sym.0);
        from.dedup();
        if from.len() > MOST_REGISTERS {
            return None;
        }
        let value = ValueId(self.values.from.len() as u32);
        self.values.from.push(from);
        self.values.known.insert(computed, value);
        Some(value)
    }

    /// Nothing is computed for it when the program runs.
    fn is_constant(&self, e: ExprId, operands: Counts) -> bool {
        operands == NOTHING && self.s.const_int(self.p, e).is_some()
    }

    /// The address of an object.
    fn place(&mut self, e: ExprId) -> Counts {
        match &self.u[e].kind {
            ExprKind::Paren(x) => self.place(*x),
            ExprKind::Unary(UnOp::Deref, x) => self.value(*x),
            ExprKind::Member { base, arrow: true, .. } => self.value(*base),
            ExprKind::Member { base, .. } => self.place(*base),
            ExprKind::Index(a, i) => {
                // A constant part of the index is part of the instruction.
                let (a, i) = (self.without_constant(*a), self.without_constant(*i));
                let parts = sum([self.value(a), self.value(i)]);
                let is_fixed = [a, i].iter().any(|x| self.s.const_int(self.p, *x).is_some());
                sum([parts, if is_fixed { NOTHING } else { one(Class::Integer) }])
            }
            ExprKind::Ident(_) => NOTHING,
            _ => self.value(e),
        }
    }

    /// The expression without a constant that is added to it.
    fn without_constant(&self, e: ExprId) -> ExprId {
        match self.u[self.s.stands_for(e)].kind {
            ExprKind::Binary(BinOp::Add | BinOp::Sub, x, c) if self.s.const_int(self.p, c).is_some() => x,
            ExprKind::Binary(BinOp::Add, c, x) if self.s.const_int(self.p, c).is_some() => x,
            _ => e,
        }
    }

    /// Reading or writing the object that an expression designates.
    fn access(&self, e: ExprId, class: Class) -> Counts {
        let ty = self.s.ty(e);
        if matches!(self.s.types.kind(ty), TyKind::Array(..) | TyKind::Function(_)) || self.register(e).is_some() {
            return NOTHING;
        }
        let shared = if self.s.designates_shared(e) { one(Class::Shared) } else { NOTHING };
        sum([shared, self.words(ty, class)])
    }

    /// So many accesses as an object has words.
    fn words(&self, t: Ty, class: Class) -> Counts {
        const WORD: u64 = 8;
        let bytes = self.s.local_size(t).unwrap_or(WORD);
        let mut counts = NOTHING;
        counts[class as usize] = u32::try_from(bytes.div_ceil(WORD).max(1)).unwrap_or(u32::MAX);
        counts
    }

    /// An object of the type has a place in memory whatever happens to it.
    fn is_in_memory(&self, t: Ty) -> bool {
        matches!(self.s.types.kind(t), TyKind::Array(..)) || self.s.types.quals(t).is_volatile
    }

    /// The variable in a register, or that which the value in a register is a member of.
    fn register(&self, e: ExprId) -> Option<SymId> {
        match &self.u[e].kind {
            ExprKind::Paren(x) | ExprKind::Member { base: x, arrow: false, .. } => self.register(*x),
            ExprKind::Ident(_) => {
                let sym = self.s.expr_sym[e.index()]?;
                let symbol = &self.s.symbols[sym.0 as usize];
                let is_register = match symbol.kind {
                    SymKind::EnumConst(_) => true,
                    SymKind::Object => symbol.local && !symbol.is_static && !symbol.address_taken,
                    _ => false,
                };
                let is_shared = self.s.types.is_shared(symbol.ty);
                (is_register && !is_shared && !self.is_in_memory(symbol.ty)).then_some(sym)
            }
            _ => None,
        }
    }

    fn call(&mut self, callee: ExprId) -> Counts {
        let name = match self.u[self.s.stands_for(callee)].kind {
            ExprKind::Ident(name) => self.p.source.name(name),
            _ => return sum([self.value(callee), one(Class::Call)]),
        };
        if self.s.expr_sym[self.s.stands_for(callee).index()].is_some_and(|sym| self.inlined.contains(&sym)) {
            return NOTHING;
        }
        match name.strip_prefix("__builtin_").unwrap_or(name) {
            "sqrt" | "sqrtf" => one(Class::FloatDivide),
            "fabs" | "fabsf" | "fmax" | "fmin" | "fma" | "copysign" => one(Class::Float),
            "abs" | "labs" => one(Class::Integer),
            "expect" | "assume_aligned" | "constant_p" | "unreachable" | "prefetch" => NOTHING,
            _ => one(Class::Call),
        }
    }

    fn is_float(&self, t: Ty) -> bool {
        matches!(self.s.types.kind(t), TyKind::Float(_) | TyKind::Complex(_) | TyKind::Vector(..))
    }

    /// Real operations of a complex one, of about so many on real numbers.
    fn times(&self, t: Ty, counts: Counts, of_complex: u32) -> Counts {
        match self.s.types.kind(t) {
            TyKind::Complex(_) => counts.map(|n| n * of_complex),
            _ => counts,
        }
    }

    /// A sum, a comparison, or logic.
    fn arithmetic(&self, t: Ty) -> Counts {
        match t {
            t if self.s.types.shared_pointee(t).is_some() => one(Class::Shared),
            t if self.is_float(t) => self.times(t, one(Class::Float), 2),
            _ => one(Class::Integer),
        }
    }

    fn operation(&self, op: BinOp, l: ExprId, r: ExprId) -> Counts {
        let (left, right) = (self.s.rvalue_ty(l), self.s.rvalue_ty(r));
        let t = match (self.is_float(left), self.is_float(right)) {
            (false, true) => right,
            _ => left,
        };
        let is_pointer = |t: Ty| self.s.types.pointee(t).is_some();
        let t = if is_pointer(right) && !is_pointer(left) { right } else { t };
        if self.is_float(t) {
            let converted = sum([self.conversion(l, t), self.conversion(r, t)]);
            let operation = match op {
                BinOp::Div => self.times(t, one(Class::FloatDivide), 2),
                BinOp::Mul => self.times(t, one(Class::Float), 6),
                BinOp::And | BinOp::Or => sum([one(Class::Branch), one(Class::Float)]),
                _ => self.arithmetic(t),
            };
            return sum([converted, operation]);
        }
        let constant = self.s.const_int(self.p, r).or_else(|| match op {
            BinOp::Mul => self.s.const_int(self.p, l),
            _ => None,
        });
        let is_shift = constant.is_some_and(|c| u64::try_from(c).is_ok_and(u64::is_power_of_two));
        match op {
            BinOp::Mul | BinOp::Div | BinOp::Rem if is_shift => one(Class::Integer),
            BinOp::Mul => one(Class::Multiply),
            // By the inverse.
            BinOp::Div | BinOp::Rem if constant.is_some() => one(Class::Multiply),
            BinOp::Div | BinOp::Rem => one(Class::Divide),
            BinOp::And | BinOp::Or => one(Class::Branch),
            _ => self.arithmetic(t),
        }
    }

    /// A value as another type: between integers and floating-point numbers that is an operation.
    fn conversion(&self, e: ExprId, to: Ty) -> Counts {
        let from = self.s.rvalue_ty(e);
        let is_integer = |t: Ty| self.s.types.is_integer(t);
        let changes = (is_integer(from) && self.is_float(to)) || (self.is_float(from) && is_integer(to));
        match changes && self.s.const_int(self.p, e).is_none() {
            true => one(Class::Float),
            false => NOTHING,
        }
    }
}
