//! Loops in strips (docs/decisions/0012): a counting loop whose relaxed reads `x[i + c]` may be far, where `c` is whatever the
//! loop does not change, is written once more, on landed data. What a strip of iterations reads is fetched before it (`runtime/gas/strip.c`).
//!
//! That is allowed where nothing in the loop may order accesses, and no write of the loop may reach what a slot reads. Of
//! two static arrays that is known. Otherwise the ranges of both are compared before the loop (UPC 1.3, B: relaxed accesses
//! of one thread to different locations have no order; those to the same location have).
//! `gathers` has the reads whose subscripts are computed otherwise, `listed` the loops whose iterations do not follow each other.

use super::accesses::Use;
use super::build::Planner;
use super::counting::Counting;
use super::effects::{visit, Effects, Stop};
use super::facts::{Facts, Subscripts};
use super::gathers::{Gather, Source};
use super::kept::{Inner, Kept};
use super::promises::Promises;
use super::pure::PureFunctions;
use super::slots::{Slot, MOST_SLOTS};
use super::views::{Kind, View};
use super::{Action, Around, Proof, Version, ViewId};
use fathom_sema::{SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// Summands of a subscript that the loop does not change, besides constants; true: it is subtracted.
pub(crate) type Shift = Vec<(bool, ExprId)>;

/// The version of a loop on landed data.
pub(crate) struct Strips {
    pub slots: Vec<ViewId>,
    /// Views of elements that are gathered, each behind those that it needs.
    pub gathers: Vec<ViewId>,
    /// Private memory from which places are computed and that the loop may write.
    pub sources: Vec<Source>,
    /// The reason why other reads of the loop stay as they are.
    pub others: Missed,
    /// What the loop writes and must be compared with what the slots read.
    pub writes: Vec<Write>,
    pub before_run: Vec<Action>,
    pub versions: Vec<Version>,
    /// The one gather has a list for many iterations.
    pub kept: Option<Kept>,
    /// The body has a jump out of the loop.
    pub may_be_left: bool,
    /// The version is right if these functions of other files are pure.
    pub assumed: Option<Assumed>,
    /// What is read early may differ from what would be read later: the program does not mind.
    pub unchecked: bool,
    /// All that the loop does is to copy what the slot has to elements of this array or pointer, so far from the loop's variable.
    pub copies_to: Option<(ExprId, i64)>,
    /// Rows of the loop inside, whose slots these are, are fetched for many iterations.
    pub nest: Option<Inner>,
    /// The version for when this one may not run: the slots alone, where gathers are not wanted or a write prevents them; or that of a nest without its rows.
    pub instead: Option<Box<Strips>>,
}

impl Strips {
    /// The questions about a loop that uses tables, whose text stays as it is.
    pub(super) fn of_tables(tables: Vec<ViewId>, sources: Vec<Source>, writes: Vec<Write>) -> Strips {
        Strips {
            slots: vec![],
            gathers: tables,
            sources,
            others: Missed::Index,
            writes,
            before_run: vec![],
            versions: vec![],
            kept: None,
            may_be_left: false,
            assumed: None,
            unchecked: false,
            copies_to: None,
            instead: None,
            nest: None,
        }
    }

    /// How many arrays and tables are served.
    fn served(&self) -> usize {
        self.slots.len() + self.gathers.len()
    }

    fn assume(&mut self, assumed: &Assumed) {
        self.assumed = Some(assumed.clone());
        if let Some(alone) = &mut self.instead {
            alone.assume(assumed);
        }
    }
}

/// Functions of other files of which a version of a loop assumes that they are pure.
#[derive(Clone, Debug)]
pub(crate) struct Assumed {
    pub functions: Vec<SymId>,
    /// They may read private memory.
    pub may_read: bool,
}

/// Memory that a loop writes.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Elements `x[prefix]…[var + shift + offset]` of a shared array, or by a pointer-to-shared.
    Elements { root: ExprId, prefix: Vec<ExprId>, shift: Shift, offset: i64 },
    /// Elements of a shared array, whichever; only sources are compared with them.
    Array { root: ExprId },
    /// Elements of a shared array, or of the object that a pointer-to-shared leads to, whichever.
    Whole { root: ExprId },
    /// Shared objects that a pointer-to-shared leads to, whichever.
    Anything,
    /// `p[var + offset]` by a pointer-to-local, whose elements have this many bytes.
    Local { root: ExprId, offset: i64, bytes: u64 },
    /// Objects that a pointer-to-local variable leads to.
    Object { root: ExprId },
    /// A private variable.
    Variable { root: ExprId },
}

/// The reason why far reads of a loop stay one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missed {
    NotCounted,
    NotInnermost,
    Jumps,
    Strict,
    Synchronises,
    Calls,
    Assembly,
    Bound,
    Index,
    Volatile,
    Address,
    Written,
    WritesUnknown,
    TooMany,
    TooLarge,
    Conditional,
    IndexWritten,
    NotConstant,
    TableUsed,
    Operation,
    NotAlone,
}

impl Missed {
    pub fn text(self) -> &'static str {
        match self {
            Missed::NotCounted => "the loop does not count a variable up by one to a fixed bound",
            Missed::NotInnermost => "there is a loop inside this loop",
            Missed::Jumps => "the loop has labels, static objects or a pragma",
            Missed::Strict => "the loop makes strict accesses",
            Missed::Synchronises => "the loop synchronises",
            Missed::Calls => "the loop calls a function that may synchronise or write",
            Missed::Assembly => "the loop has assembly",
            Missed::Bound => "the loop's bounds may change in it",
            Missed::Index => "the subscript is not computed from the loop's variable and what the loop does not change",
            Missed::Volatile => "the object is volatile or atomic",
            Missed::Address => "the element's address is taken in the loop",
            Missed::Written => "the loop writes the same array",
            Missed::WritesUnknown => "the loop writes through a pointer whose range is not known before it",
            Missed::TooMany => "the loop reads too many arrays",
            Missed::TooLarge => "the table's elements are large",
            Missed::Conditional => {
                "it is not known ahead whether an iteration reads the element, whose place is computed"
            }
            Missed::IndexWritten => "the loop may write what the element's place is computed from",
            Missed::NotConstant => "its places are computed from what `constant` does not name",
            Missed::TableUsed => "the loop may read the same data in another way",
            Missed::Operation => "its operand, domain or kind is not known before the loop",
            Missed::NotAlone => "the loop makes several such operations, or calls functions that do more than compute",
        }
    }

    pub fn hint(self) -> Option<&'static str> {
        Some(match self {
            Missed::NotCounted => "write it as `for (i = lo; i < hi; i++)`, and do not change `i` and `hi` in it",
            Missed::NotInnermost => "move the access to a loop of its own",
            Missed::Strict => "make the accesses relaxed, or move the strict one out of the loop",
            Missed::Synchronises => "move the synchronisation out of the loop",
            Missed::Calls => "move the call out of the loop, unless the function only computes",
            Missed::Bound => "copy the bound into a local variable before the loop",
            Missed::Written => "write the results to another array",
            Missed::WritesUnknown => "write by a subscript of a pointer that the loop does not change",
            Missed::TooMany => "split the loop",
            Missed::NotAlone => "move the operation to a loop of its own",
            Missed::Conditional => {
                "compute the condition from what the loop does not change, and do not leave the loop early"
            }
            Missed::IndexWritten => {
                "write to memory of another type, or by `p[i]` of a pointer that the loop does not change"
            }
            _ => return None,
        })
    }
}

impl Facts<'_> {
    /// The element that an access concerns, as a whole or in part.
    pub fn element_in(&self, access: ExprId) -> Option<ExprId> {
        use ExprKind::*;
        match self.u[access].kind {
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.element_in(x)
            }
            Index(a, i) if self.member_array(access) => self.element_in(self.array_and_index(a, i).0),
            Index(..) => Some(access),
            _ => None,
        }
    }
}

impl<'a> Planner<'a> {
    /// What `plan` finds for the loop `id`; if nothing, and the loop calls functions of other files, what it finds if these are assumed to be pure.
    pub(super) fn assuming<T>(
        &mut self,
        id: StmtId,
        mut plan: impl FnMut(&mut Self) -> Result<T, Missed>,
        strips: impl Fn(&mut T) -> &mut Strips,
    ) -> Result<T, Missed> {
        let found = plan(self);
        let [reading, computing] = self.if_pure;
        let functions = computing.assumed_in(self.p, self.s, Child::Stmt(id));
        if found.is_ok() || functions.is_empty() {
            return found;
        }
        let as_known = self.pure;
        let mut assume = |p: &mut Self, pure: &'a PureFunctions| {
            p.assume(pure);
            let mut found = plan(p).ok();
            let may_read = std::ptr::eq(pure, reading);
            if let Some(found) = &mut found {
                strips(found).assume(&Assumed { functions: functions.clone(), may_read });
            }
            let served = found.as_mut().map_or(0, |found| strips(found).served());
            (found, served)
        };
        // It is more often true that they may read memory.
        let mark = self.mark();
        let less = assume(self, reading).1;
        self.back_to(mark);
        let (mut better, more) = assume(self, computing);
        if more <= less {
            self.back_to(mark);
            better = assume(self, reading).0;
        }
        self.assume(as_known);
        better.ok_or(()).or(found)
    }
}

impl Planner<'_> {
    /// The version of the C loop `id` on landed data; or why there is none.
    pub fn strips(&mut self, id: StmtId, body: StmtId, c: Option<&Counting>, fx: &Effects) -> Result<Strips, Missed> {
        let is_innermost = self.is_innermost(body);
        if !is_innermost && c.is_none() {
            return Err(Missed::NotInnermost);
        }
        let c = c.ok_or(Missed::NotCounted)?;
        let has_list = self.each_iteration(c, fx).is_ok();
        let listed = if has_list { self.kept_strips(id, body, c, fx) } else { Err(Missed::NotInnermost) };
        if !is_innermost {
            // Where nothing is promised, the loop inside has the reason.
            let is_promised = !self.promises(id, body).is_none();
            let found = match listed {
                Err(why) if is_promised => Err(why),
                Err(_) => self.strips_around_loops(id, body, c, fx),
                listed => listed,
            };
            return match has_list.then(|| self.nest_strips(id, body, c, fx)) {
                Some(Ok(nest)) => Ok(Strips { instead: found.ok().map(Box::new), ..nest }),
                _ => found,
            };
        }
        let plain = self.plain_strips(id, body, c, fx);
        Ok(match (listed, plain) {
            (Ok(listed), plain) => Strips { instead: plain.ok().map(Box::new), ..listed },
            (Err(why), plain) => {
                let mut plain = plain?;
                if why == Missed::NotConstant && plain.others == Missed::Index {
                    plain.others = why;
                }
                plain
            }
        })
    }

    fn plain_strips(&mut self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects) -> Result<Strips, Missed> {
        self.may_strip(id, body, fx)?;
        let each_iteration = self.each_iteration(c, fx)?;
        let (mut slots, none) = match self.slots(body, c.var, fx) {
            Ok(slots) => (slots, Missed::Index),
            Err(why) => (vec![], why),
        };
        slots.extend(self.slots_by_pointers(body, c.var, &each_iteration));
        slots.truncate(MOST_SLOTS);
        let (gathers, others) = self.gathers(body, c.var, fx, &slots, |_| false);
        let needed = gathers.iter().any(|g| g.uses_slots);
        // All reads; if a write prevents that, gathers alone, or what the loop reads as x[i + c].
        let mut prevented = None;
        for (with_slots, with_gathers) in [(true, true), (false, true), (true, false)] {
            let nothing = (!with_slots || slots.is_empty()) && (!with_gathers || gathers.is_empty());
            if nothing || (with_gathers && !with_slots && needed) {
                continue;
            }
            let gathers = if with_gathers { &gathers[..] } else { &[] };
            let slots = if with_slots { &slots[..] } else { &[] };
            match self.compared(id, body, c.var, fx, slots, gathers) {
                Ok((writes, sources)) => {
                    let others = prevented.unwrap_or(others);
                    let mut strips = self.in_strips((id, 1), body, c, fx, (slots, gathers), (writes, sources), others);
                    if gathers.is_empty() && !self.options.explain && !self.options.check {
                        strips.copies_to = self.copy_to(body, c, fx, slots);
                    }
                    if !slots.is_empty() && !gathers.is_empty() {
                        let (writes, sources) = self.compared(id, body, c.var, fx, slots, &[])?;
                        let alone = self.in_strips((id, 1), body, c, fx, (slots, &[]), (writes, sources), others);
                        strips.instead = Some(Box::new(alone));
                    }
                    return Ok(strips);
                }
                Err(why) => prevented = prevented.or(Some(why)),
            }
        }
        Err(prevented.unwrap_or(if others == Missed::Index { none } else { others }))
    }

    /// The version of a loop with others inside, which read nothing of shared memory but what the slots of this one have.
    fn strips_around_loops(&mut self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects) -> Result<Strips, Missed> {
        self.may_fetch_ahead(id, body, fx)?;
        self.each_iteration(c, fx)?;
        let slots = self.slots(body, c.var, fx).map_err(|_| Missed::NotInnermost)?;
        if self.loops_in(body).iter().any(|s| !self.reads_only(*s, c.var, fx, &slots)) {
            return Err(Missed::NotInnermost);
        }
        let compared = self.compared(id, body, c.var, fx, &slots, &[])?;
        let outer = std::mem::replace(&mut self.is_inside_strips, true);
        let strips = self.in_strips((id, 1), body, c, fx, (&slots, &[]), compared, Missed::NotInnermost);
        self.is_inside_strips = outer;
        Ok(strips)
    }

    /// Does the loop `inside` another one, whose variable is `var`, read shared memory in that one's slots alone?
    pub(super) fn reads_only(&self, inside: StmtId, var: SymId, fx: &Effects, slots: &[Slot]) -> bool {
        let mut does = !matches!(self.u[inside].kind, StmtKind::Forall { .. });
        visit(self.u, Child::Stmt(inside), |n| {
            let Child::Expr(e) = n else { return };
            if self.accesses.get(&e).is_some_and(|a| matches!(a.use_, Use::Read | Use::Update)) {
                let element = self.element_in(e);
                does &= element.is_some_and(|e| self.slot_of(e, var, fx, slots).is_some());
            }
        });
        does
    }

    /// What is compared before the loop: what it writes, and private memory from which places are computed.
    pub(super) fn compared(
        &self,
        id: StmtId,
        body: StmtId,
        var: SymId,
        fx: &Effects,
        slots: &[Slot],
        gathers: &[Gather],
    ) -> Result<(Vec<Write>, Vec<Source>), Missed> {
        let promises = self.promises(id, body);
        let mut reads: Vec<ExprId> = gathers.iter().flat_map(|g| g.elements.iter().chain(&g.reads)).copied().collect();
        reads.extend(
            self.elements(Child::Stmt(body)).into_iter().filter(|e| self.slot_of(*e, var, fx, slots).is_some()),
        );
        reads.extend(slots.iter().flat_map(|s| &s.by_pointer).map(|(e, _)| *e));
        let written = self.compared_writes(body, &promises, &reads);
        let mut writes = self.writes((body, &written), var, fx, slots, &promises)?;
        let sources = match gathers {
            [] => vec![],
            _ => self.gather_writes((body, &written), var, fx, gathers, &mut writes, &promises)?,
        };
        Ok((writes, sources))
    }

    pub(super) fn loops_in(&self, body: StmtId) -> Vec<StmtId> {
        let mut found = vec![];
        visit(self.u, Child::Stmt(body), |n| {
            if let Child::Stmt(s) = n {
                found.extend(self.is_loop(s).then_some(s));
            }
        });
        found
    }

    pub(super) fn is_innermost(&self, body: StmtId) -> bool {
        self.loops_in(body).is_empty()
    }

    /// The effects of an iteration, among them that the loop counts; none if they may change its bound.
    pub(super) fn each_iteration(&self, c: &Counting, fx: &Effects) -> Result<Effects, Missed> {
        let mut each = fx.clone();
        each.assigned.push(c.var);
        match self.keeps_bound(c.hi, &each) {
            true => Ok(each),
            false => Err(Missed::Bound),
        }
    }

    /// May a loop's body be written once more, with its reads made ahead?
    pub(super) fn may_strip(&self, id: StmtId, body: StmtId, fx: &Effects) -> Result<(), Missed> {
        match self.is_innermost(body) {
            true => self.may_fetch_ahead(id, body, fx),
            false => Err(Missed::NotInnermost),
        }
    }

    /// The same where there may be a loop in it.
    pub(super) fn may_fetch_ahead(&self, id: StmtId, body: StmtId, fx: &Effects) -> Result<(), Missed> {
        if !self.may_change(id) || self.pragma_before(body).is_some() || self.effects(Child::Stmt(id)).once_only {
            return Err(Missed::Jumps);
        }
        match fx.stops.first() {
            None => Ok(()),
            Some(Stop::Strict) => Err(Missed::Strict),
            Some(Stop::Fence | Stop::Barrier | Stop::Lock | Stop::Wait) => Err(Missed::Synchronises),
            Some(Stop::Call) => Err(Missed::Calls),
            Some(Stop::Assembly) => Err(Missed::Assembly),
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn in_strips(
        &mut self,
        (id, innermost): (StmtId, usize),
        body: StmtId,
        c: &Counting,
        fx: &Effects,
        (slots, gathers): (&[Slot], &[Gather]),
        (writes, sources): (Vec<Write>, Vec<Source>),
        others: Missed,
    ) -> Strips {
        let outer = (self.landed.len(), self.views.len());
        let (mut landed, mut gathered) = (vec![], vec![]);
        for s in slots {
            let elem = self.elem_ty(s.root);
            let (shift, low, high) = (s.shift.clone(), s.low, s.high);
            let kind = match &s.by_pointer[..] {
                [] => Kind::Landed { var: c.var, shift, low, high },
                elements => Kind::Pointed { elements: elements.to_vec(), shift, low, high },
            };
            let proof = Some(Proof::Landed);
            let prefix = s.prefix.clone();
            landed.push(self.make(View { sym: s.sym, root: s.root, prefix, elem, kind, proof }));
        }
        for g in gathers {
            let elem = self.elem_ty(g.root);
            let kind = Kind::Gathered { elements: g.elements.clone(), level: g.level, steps: g.steps.clone() };
            let proof = Some(Proof::Gathered);
            gathered.push(self.make(View { sym: g.sym, root: g.root, prefix: vec![], elem, kind, proof }));
        }
        self.landed.extend(landed.iter().chain(&gathered));
        // Runs would end with each block of an array that the loop writes: too few elements would be gathered at once.
        if gathers.is_empty() {
            self.runs(id, body, c, fx);
        }
        let versions = self.versions(id, innermost, |_| false);
        let before_run = self.actions(outer.1);
        self.landed.truncate(outer.0);
        self.views.truncate(outer.1);
        let (kept, assumed, unchecked) = (None, None, self.body_of(id).is_some_and(|b| self.promises(id, b).unordered));
        let (slots, gathers) = (landed, gathered);
        Strips {
            slots,
            gathers,
            sources,
            others,
            writes,
            before_run,
            versions,
            kept,
            may_be_left: self.may_be_left(body, None),
            assumed,
            unchecked,
            copies_to: None,
            instead: None,
            nest: None,
        }
    }

    /// Is the element only read, and as any other may be?
    pub fn is_read(&self, e: ExprId) -> Result<(), Missed> {
        let Some(access) = self.accesses_of.get(&e) else { return Err(Missed::Address) };
        let a = &self.accesses[access];
        let special = |x: ExprId| {
            let q = self.s.types.quals(self.s.ty(x));
            q.is_volatile || q.is_atomic
        };
        match a.use_ {
            Use::Read if a.strict => Err(Missed::Strict),
            Use::Read if special(*access) || special(e) => Err(Missed::Volatile),
            Use::Read => Ok(()),
            Use::Write | Use::Update => Err(Missed::Written),
            Use::Address => Err(Missed::Address),
        }
    }

    /// What the loop assigns or steps.
    pub(super) fn written_lvalues(&self, body: StmtId) -> Vec<ExprId> {
        let mut targets = vec![];
        visit(self.u, Child::Stmt(body), |n| {
            let Child::Expr(e) = n else { return };
            match self.u[e].kind {
                ExprKind::Assign(_, l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => targets.push(l),
                _ => {}
            }
        });
        targets
    }

    /// The static shared object that an lvalue is a part of, if no pointer leads to it.
    pub(super) fn shared_object(&self, l: ExprId) -> Option<SymId> {
        self.root_symbol(l).filter(|sym| {
            let t = self.s.symbols[sym.0 as usize].ty;
            self.s.types.is_shared(t) && !self.through_pointer(l)
        })
    }

    /// What the loop writes and may be what a slot reads.
    pub(super) fn writes(
        &self,
        (body, written): (StmtId, &[ExprId]),
        var: SymId,
        fx: &Effects,
        slots: &[Slot],
        promises: &Promises,
    ) -> Result<Vec<Write>, Missed> {
        let is_static =
            |t: &Slot| t.by_pointer.is_empty() && (self.is_array(t.root) || self.s.types.is_shared(self.s.ty(t.root)));
        let mut writes = vec![];
        for &l in written {
            if !self.is_shared_lvalue(l) {
                writes.extend(self.private_write(l, body, var, fx)?);
                continue;
            }
            if promises.unordered || slots.is_empty() {
                continue;
            }
            let object = self.shared_object(l);
            // Distinct objects do not overlap.
            if let Some(sym) = object {
                if slots.iter().any(|t| t.sym == sym) {
                    return Err(Missed::Written);
                }
                if slots.iter().all(is_static) {
                    continue;
                }
            }
            let element = self.element_in(l).and_then(|e| self.strip_element(e, var, fx));
            writes.push(match element {
                Some(w) => Write::Elements { root: w.root, prefix: w.prefix, shift: w.shift, offset: w.low },
                None => Write::Whole { root: self.whole(l, body, fx)? },
            });
        }
        Ok(writes)
    }

    /// The shared array, or the pointer-to-shared, in whose object a shared lvalue of the loop is. It may be read before the loop.
    pub(super) fn whole(&self, l: ExprId, body: StmtId, fx: &Effects) -> Result<ExprId, Missed> {
        use ExprKind::*;
        match self.u[l].kind {
            Ident(_) if self.is_array(l) => Ok(l),
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.whole(x, body, fx)
            }
            Index(a, _) if self.is_array(a) => self.whole(a, body, fx),
            Index(p, _) | Unary(UnOp::Deref, p) | Member { base: p, arrow: true, .. } => {
                let root = self.pointer_root(p, body, fx)?;
                let outside = self.bare(root).is_some_and(|sym| !self.declared_in(body).contains(&sym));
                (outside && self.is_shared_ptr(self.s.ty(root))).then_some(root).ok_or(Missed::WritesUnknown)
            }
            _ => Err(Missed::WritesUnknown),
        }
    }

    /// Does the lvalue dereference a pointer on the way to the object?
    pub(super) fn through_pointer(&self, l: ExprId) -> bool {
        use ExprKind::*;
        match self.u[l].kind {
            Ident(_) => false,
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.through_pointer(x)
            }
            Index(a, _) if self.is_array(a) => self.through_pointer(a),
            _ => true,
        }
    }

    /// The landed view that serves the element.
    pub fn is_landed(&self, e: ExprId, s: &Subscripts) -> Option<ViewId> {
        let is_gathered =
            |v: &&ViewId| matches!(&self.view(**v).kind, Kind::Gathered { elements, .. } if elements.contains(&e));
        if let Some(v) = self.landed.iter().find(is_gathered) {
            return Some(*v);
        }
        let (&index, prefix) = s.indices.split_last()?;
        self.landed.iter().copied().find(|v| {
            let Kind::Landed { var, .. } = self.view(*v).kind else { return false };
            self.sum_from(index, var).is_some_and(|(at, shift)| self.landed_at(s.sym, prefix, &shift, at) == Some(*v))
        })
    }

    pub fn landed_at(&self, sym: SymId, prefix: &[ExprId], shift: &Shift, at: i64) -> Option<ViewId> {
        self.landed.iter().copied().find(|v| {
            let v = self.view(*v);
            let Kind::Landed { shift: ref own, low, high, .. } = v.kind else { return false };
            v.sym == sym && self.same_all(&v.prefix, prefix) && self.same_shift(own, shift) && low <= at && at <= high
        })
    }

    /// A write to private memory, if it may be shared memory of this thread.
    pub(super) fn private_write(
        &self,
        l: ExprId,
        body: StmtId,
        var: SymId,
        fx: &Effects,
    ) -> Result<Option<Write>, Missed> {
        self.private_range((l, &|l| self.is_always_assigned(l, body)), body, var, fx)
    }

    /// The same of private memory that is read or written; `is_always` says whether every iteration does.
    pub(super) fn private_range(
        &self,
        (l, is_always): (ExprId, &dyn Fn(ExprId) -> bool),
        body: StmtId,
        var: SymId,
        fx: &Effects,
    ) -> Result<Option<Write>, Missed> {
        if !self.through_pointer(l) {
            return Ok(None);
        }
        use ExprKind::*;
        match self.u[l].kind {
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.private_range((x, is_always), body, var, fx)
            }
            Index(a, _) if self.is_array(a) => self.private_range((a, is_always), body, var, fx),
            Index(p, i) => {
                let found = self.is_found_before(p, body, var, fx) && is_always(l);
                let root = if found { p } else { self.pointer_root(p, body, fx)? };
                let size = self.s.size_of(self.s.ty(l)).filter(|s| !s.times_threads).map(|s| s.bytes);
                let is_fixed = found || self.bare(p).is_some_and(|sym| self.is_fixed(sym, fx));
                Ok(Some(match (self.offset_from(i, var), size) {
                    (Some(offset), Some(bytes)) if is_fixed => Write::Local { root, offset, bytes },
                    _ => Write::Object { root },
                }))
            }
            Unary(UnOp::Deref, p) | Member { base: p, arrow: true, .. } => {
                let found = self.is_found_before(p, body, var, fx) && is_always(l);
                Ok(Some(Write::Object { root: if found { p } else { self.pointer_root(p, body, fx)? } }))
            }
            _ => Err(Missed::WritesUnknown),
        }
    }

    /// Is it a pointer in memory, `rows[k]` of `rows[k][i]`, that no write of the loop changes? If every iteration follows it, it may be read before the
    /// loop, if that has iterations: of a `upc_forall` this thread may have none.
    fn is_found_before(&self, p: ExprId, body: StmtId, var: SymId, fx: &Effects) -> bool {
        let t = self.s.ty(p);
        matches!(self.u[p].kind, ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _))
            && matches!(self.s.types.kind(t), TyKind::Pointer(_))
            && matches!(self.around, Around::None)
            && self.is_innermost(body)
            && !self.uses(p, var)
            && self.keeps_bound(p, fx)
    }

    /// Does the body, apart from breaks in the loop `inside`, have a jump out of it? (Any `break` in a switch or another loop is taken for one.)
    pub(super) fn may_be_left(&self, body: StmtId, inside: Option<StmtId>) -> bool {
        use StmtKind::*;
        let mut leaves = false;
        visit(self.u, Child::Stmt(body), |n| {
            let Child::Stmt(s) = n else { return };
            leaves |= match self.u[s].kind {
                Break => !inside.is_some_and(|inside| self.u[inside].toks.contains(self.u[s].toks)),
                Goto(_) | GotoComputed(_) | Return(_) => true,
                _ => false,
            };
        });
        leaves
    }

    /// Is it assigned by a statement that every iteration makes?
    fn is_always_assigned(&self, l: ExprId, body: StmtId) -> bool {
        use StmtKind::*;
        let assigns = |s: StmtId| match self.u[s].kind {
            Expr(Some(e)) => matches!(self.u[self.unparen(e)].kind, ExprKind::Assign(_, x, _) if x == l),
            _ => false,
        };
        let is_made = match &self.u[body].kind {
            Compound(items) => items.iter().any(|i| matches!(i, BlockItem::Stmt(s) if assigns(*s))),
            _ => assigns(body),
        };
        let mut leaves = false;
        visit(self.u, Child::Stmt(body), |n| match n {
            Child::Stmt(s) => {
                leaves |= matches!(self.u[s].kind, Break | Continue | Return(_) | Goto(_) | GotoComputed(_));
            }
            Child::Expr(x) => {
                leaves |= matches!(self.u[x].kind, ExprKind::Call { callee, .. } if self.may_end(callee));
            }
            _ => {}
        });
        is_made && !leaves
    }

    /// The pointer variable from which arithmetic computes the place: the loop may step it, which keeps it in its
    /// object (C17 6.5.6 p8), and not set it.
    fn pointer_root(&self, p: ExprId, body: StmtId, fx: &Effects) -> Result<ExprId, Missed> {
        use ExprKind::*;
        let is_pointer = |x: ExprId| matches!(self.s.types.kind(self.s.rvalue_ty(x)), TyKind::Pointer(_));
        match self.u[p].kind {
            Paren(x) => self.pointer_root(x, body, fx),
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, x) => self.pointer_root(x, body, fx),
            Binary(BinOp::Add | BinOp::Sub, a, b) => self.pointer_root(if is_pointer(a) { a } else { b }, body, fx),
            Ident(_) => {
                let sym = self.s.expr_sym[p.index()].ok_or(Missed::WritesUnknown)?;
                let symbol = &self.s.symbols[sym.0 as usize];
                let q = self.s.types.quals(symbol.ty);
                let ok = matches!(self.s.types.kind(symbol.ty), TyKind::Pointer(_))
                    && !self.s.types.is_shared(symbol.ty)
                    && !q.is_volatile
                    && !q.is_atomic
                    && (self.is_fixed(sym, fx)
                        || (symbol.local
                            && !symbol.is_static
                            && !symbol.address_taken
                            && self.never_set(sym, &[Child::Stmt(body)])));
                ok.then_some(p).ok_or(Missed::WritesUnknown)
            }
            _ => Err(Missed::WritesUnknown),
        }
    }
}
