//! Builds the plan: goes through a unit, region by region, with the views that are in force.

use super::accesses::{self, Access};
use super::affinity::{Home, Margins, Owner, Start, CUT, MOST_VIEWS};
use super::counting::Counting;
use super::effects::{Effects, Written};
use super::facts::{Facts, Subscripts};
use super::leaving::never_returning;
use super::pure::{PureFunctions, Purity};
use super::strips::Missed;
use super::together::Together;
use super::translated::Translated;
use super::updates::{self, Updates};
use super::views::{Kind, Ref, View};
use super::waiting::Waiting;
use super::work::Work;
use super::{
    Action, Around, Following, Form, Function, Loop, LoopId, Plan, Proof, Region, RegionId, Sharing, Version, ViewId,
    When,
};
use crate::Options;
use fathom_sema::{Block, Sema};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, walk_item, Child};
use fathom_syntax::Parsed;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;

/// A C loop is cut where a block ends only if a block has this many elements for each view: a view costs as much as it
/// saves in about three elements, at each end of a block.
const RUN_FOR_A_VIEW: u64 = 4;
/// Accesses to shorter blocks keep their general form, in a loop that is cut, too.
const SHORTEST_RUN: u64 = 8;

/// The plan of a unit under construction.
pub(crate) struct Planner<'a> {
    facts: Facts<'a>,
    /// Functions of other files are assumed to be pure: to read private memory; to compute.
    pub(super) if_pure: [&'a PureFunctions; 2],
    pub(super) options: Options,
    pub(super) regions: Vec<Region>,
    pub(super) loops: Vec<Loop>,
    made: Vec<View>,
    functions: HashMap<DeclaratorId, Function>,
    /// Rows, and views of other kinds, that are in force here.
    pub rows: Vec<ViewId>,
    pub views: Vec<ViewId>,
    /// Views that are known to be near in the current version, because they have been asked.
    pub assumed: Vec<ViewId>,
    /// Views of landed data that are in force here.
    pub landed: Vec<ViewId>,
    pub accesses: &'a BTreeMap<ExprId, Access>,
    /// The access that concerns an element, by the element.
    pub accesses_of: HashMap<ExprId, ExprId>,
    pub updates: &'a Updates,
    /// The loop that is written with the list of the loop around it.
    pub inner_of_list: Option<StmtId>,
    /// The loops here are inside one that is being planned in strips: what they read has landed.
    pub is_inside_strips: bool,
    /// The loops here belong to the pragma of a loop around them (OpenMP's `collapse` and `ordered`), and keep their form.
    collapsed: bool,
    /// The number of enclosing `upc_forall` statements with affinity.
    forall_depth: u32,
    pub(super) around: Around,
    following: Option<Following>,
}

impl<'a> Deref for Planner<'a> {
    type Target = Facts<'a>;
    fn deref(&self) -> &Facts<'a> {
        &self.facts
    }
}

impl Plan {
    /// The plan of a unit in which `sema` found no errors.
    pub fn new(parsed: &Parsed, sema: &Sema, options: Options) -> Plan {
        let work = if options.count { Work::new(parsed, sema) } else { Work::default() };
        let waiting = Waiting::new(parsed, sema);
        let translated = Translated::new(parsed, sema, &work, &waiting, options.explain || options.count);
        // What the program computes is counted in its functions, too.
        let may_strip = options.strips && !options.count;
        let never_returning = Rc::new(if may_strip { never_returning(parsed, sema) } else { HashSet::new() });
        let pure_if = |assumed| match may_strip {
            true => PureFunctions::new(parsed, sema, assumed, &never_returning),
            false => PureFunctions::default(),
        };
        let [pure, reading, computing] = [None, Some(Purity::Reads), Some(Purity::Computes)].map(pure_if);
        let facts =
            Facts { p: parsed, u: &parsed.unit, s: sema, translated: &translated, pure: &pure, waiting: &waiting };
        let mut accesses = BTreeMap::new();
        for item in &facts.u.items {
            walk_item(item, &mut |n| accesses::collect(facts, n, &mut accesses));
        }
        let mut by_owners = Updates::default();
        if options.strips && !options.direct && !options.count {
            for item in &facts.u.items {
                walk_item(item, &mut |n| updates::collect(facts, n, &mut by_owners));
            }
        }
        let accesses_of = match options.strips {
            true => accesses.keys().filter_map(|e| Some((facts.element_in(*e)?, *e))).collect(),
            false => HashMap::new(),
        };
        let mut p = Planner {
            facts,
            if_pure: [&reading, &computing],
            options,
            landed: vec![],
            accesses: &accesses,
            accesses_of,
            updates: &by_owners,
            regions: vec![],
            loops: vec![],
            made: vec![],
            functions: HashMap::new(),
            rows: vec![],
            views: vec![],
            assumed: vec![],
            inner_of_list: None,
            is_inside_strips: false,
            collapsed: false,
            forall_depth: 0,
            around: Around::None,
            following: None,
        };
        let general = p.general();
        let file = p.new_region();
        for item in &facts.u.items {
            match item {
                Item::Fn(f) if translated.function(f) => {
                    let region = p.region(&[Child::Fn(f)]);
                    let effects = p.effects(Child::Stmt(f.body));
                    p.functions.insert(f.declarator, Function { region, effects });
                }
                Item::Fn(_) => {}
                _ => walk_item(item, &mut |n| p.fill(file, n, None)),
            }
        }
        let together = match p.strips_are_wanted() && !options.explain {
            true => Together::new(facts),
            false => Together::default(),
        };
        let Planner { regions, loops, made, functions, .. } = p;
        let said = if options.direct || facts.is_split_c() { vec![] } else { computing.said(parsed, sema) };
        let is_asked = may_strip && !options.direct && !options.check && !facts.is_split_c();
        let atomic_functions = if is_asked { facts.atomic_functions() } else { vec![] };
        Plan {
            translated,
            pure,
            waiting,
            said,
            atomic_functions,
            accesses,
            updates: by_owners,
            together,
            regions,
            loops,
            views: made,
            general,
            file,
            functions,
            work,
        }
    }
}

impl<'a> Planner<'a> {
    pub fn view(&self, v: ViewId) -> &View {
        &self.made[v.0 as usize]
    }

    /// From here on this is what is known of functions.
    pub(super) fn assume(&mut self, pure: &'a PureFunctions) {
        self.facts.pure = pure;
    }

    /// How much has been planned.
    pub(super) fn mark(&self) -> [usize; 3] {
        [self.regions.len(), self.loops.len(), self.made.len()]
    }

    /// Forgets what has been planned since.
    pub(super) fn back_to(&mut self, [regions, loops, made]: [usize; 3]) {
        self.regions.truncate(regions);
        self.loops.truncate(loops);
        self.made.truncate(made);
    }

    fn new_region(&mut self) -> RegionId {
        self.regions.push(Region { around: self.around, following: self.following, ..Region::default() });
        RegionId(self.regions.len() as u32 - 1)
    }

    /// The region of this code, with the views that are in force.
    pub fn region(&mut self, parts: &[Child<'a>]) -> RegionId {
        let id = self.new_region();
        for part in parts {
            self.fill(id, *part, None);
        }
        id
    }

    /// Adds the accesses and loops in `root` to a region. A loop belongs to it as a whole, except for `of`, whose
    /// region it is.
    fn fill(&mut self, id: RegionId, root: Child<'a>, of: Option<StmtId>) {
        let (mut loops, mut exprs) = (vec![], vec![]);
        walk(self.u, root, |n| match n {
            Child::Stmt(s) if self.is_loop(s) && of != Some(s) => {
                loops.push(s);
                false
            }
            Child::Expr(e) => {
                exprs.push(e);
                true
            }
            _ => true,
        });
        for e in exprs {
            if !self.translated.expr(e) || !self.s.types.is_shared(self.s.ty(e)) {
                continue;
            }
            if let Some(v) = self.serves(e) {
                self.regions[id.0 as usize].served.insert(e, v);
            }
            if self.is_shared_lvalue(e) {
                let form = self.form(e);
                self.regions[id.0 as usize].forms.insert(e, form);
            }
        }
        for s in loops {
            if !self.translated.stmt(s) {
                continue;
            }
            let planned = self.a_loop(s);
            self.loops.push(planned);
            let l = LoopId(self.loops.len() as u32 - 1);
            self.regions[id.0 as usize].loops.insert(s, l);
        }
    }

    /// The form of an access about which nothing is known.
    fn general(&self) -> Form {
        match self.options.direct {
            true => Form::Near { by: None, proof: Proof::AllReachable },
            false => Form::Far,
        }
    }

    /// The form of an access to a shared object.
    fn form(&self, e: ExprId) -> Form {
        use ExprKind::*;
        let general = self.general();
        let shared = |x: ExprId| self.s.types.is_shared(self.s.ty(x));
        if !shared(e) {
            return Form::Near { by: None, proof: Proof::Private };
        }
        if let Some(v) = self.serves(e) {
            return self.by(v);
        }
        match &self.u[e].kind {
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.form(*x)
            }
            // C's own subscript: in a member of a record, or where the whole array is on one thread.
            Index(a, i) if self.member_array(e) => self.form(if shared(*a) { *a } else { *i }),
            Index(a, i) if self.s.types.shared(self.s.ty(e)) == Some(Block::Indefinite) => {
                let is_base = |x: ExprId| self.is_shared_ptr(self.s.ty(x)) || shared(x);
                let a = if is_base(*a) { *a } else { *i };
                if self.is_array(a) {
                    self.form(a)
                } else {
                    general
                }
            }
            Generic { .. } | ChooseExpr(..) => self.s.chosen.get(&e).map_or(general, |x| self.form(*x)),
            _ => general,
        }
    }

    pub fn make(&mut self, v: View) -> ViewId {
        self.made.push(v);
        ViewId(self.made.len() as u32 - 1)
    }

    /// A loop in the current region.
    fn a_loop(&mut self, id: StmtId) -> Loop {
        let outer = self.collapsed;
        let nests = |text: &str| ["collapse", "ordered", "tile"].iter().any(|clause| text.contains(clause));
        self.collapsed |= self.pragma_before(id).is_some_and(nests);
        let planned = self.planned(id);
        self.collapsed = outer;
        planned
    }

    /// May code stand before the loop, or the loop be written otherwise?
    pub fn may_change(&self, id: StmtId) -> bool {
        !self.collapsed && self.is_free(id)
    }

    fn planned(&mut self, id: StmtId) -> Loop {
        let u = self.u;
        let effects = self.effects(Child::Stmt(id));
        let mark = self.rows.len();
        let has_list = self.inner_of_list == Some(id);
        let before = if has_list { vec![] } else { self.hoist_rows(id, &effects) };
        let made = Loop {
            stmt: id,
            counting: None,
            stepping: None,
            sharing: Sharing::C,
            effects,
            before,
            before_run: vec![],
            after: vec![],
            head: RegionId(0),
            ends: None,
            versions: vec![],
            plain: None,
            strips: None,
            walk: None,
            batch: None,
            fetch: None,
            halos: vec![],
            ahead: None,
        };
        if has_list {
            let region = self.new_region();
            self.fill(region, Child::Stmt(id), Some(id));
            return Loop { versions: vec![Version { when: When::Always, independent: false, region }], ..made };
        }
        let planned = match &u[id].kind {
            StmtKind::Forall { .. } => self.forall(made),
            _ if self.waits(id) => {
                let strips = self.may_be_far(id).then_some(Err(Missed::Synchronises));
                Loop { versions: self.versions(id, 1, |_| false), strips, ..made }
            }
            StmtKind::For { init, cond: Some(cond), step: Some(step), body } => {
                let fx = self.effects_of_iteration(*body);
                let counting = self.counting(init, *cond, *step, &fx);
                let plain = counting
                    .as_ref()
                    .filter(|c| self.may_wrap(c, Child::Stmt(*body)))
                    .map(|c| self.plain(id, *body, c));
                let counting = counting.filter(|_| plain != Some(None));
                let mark = self.views.len();
                let fetches = self.strips_are_wanted() && !self.options.check;
                let fetch = counting.as_ref().filter(|_| fetches).and_then(|c| self.fetch(id, *body, c, &fx, false));
                let runs =
                    !matches!(fetch, Some(Ok(_))) && counting.as_ref().is_some_and(|c| self.runs(id, *body, c, &fx));
                let versions = self.versions(id, 1, |p| {
                    counting.as_ref().is_some_and(|c| match runs {
                        true => p.independent(*body, c.var, &fx),
                        false => p.independent_for(c, *body, &fx),
                    })
                });
                let before_run = self.actions(mark);
                self.views.truncate(mark);
                let sharing = if runs { Sharing::Runs } else { Sharing::C };
                let stepping = match counting {
                    None if self.may_be_far(id) => self.stepping(init, *cond, *step, &fx),
                    _ => None,
                };
                let stepping = stepping.filter(|s| !self.may_wrap(&s.counting, Child::Stmt(*body)));
                let plain = plain.flatten();
                let strips = self.may_be_far(id).then(|| {
                    let plan = |p: &mut Self| {
                        let fx = p.effects_of_iteration(*body);
                        match &stepping {
                            Some(stepping) => p.stepped_strips(id, *body, stepping, &fx),
                            None => p.strips(id, *body, counting.as_ref(), &fx),
                        }
                    };
                    self.assuming(id, plan, |s| s)
                });
                let wanted = counting.as_ref().filter(|_| !runs && self.strips_are_wanted());
                let batch = wanted.and_then(|c| self.batch(id, *body, c, &fx, false));
                let ahead = wanted.and_then(|c| self.ahead(id, *body, c, &fx));
                Loop { counting, stepping, sharing, before_run, versions, plain, strips, batch, fetch, ahead, ..made }
            }
            _ => Loop { versions: self.versions(id, 1, |_| false), ..made },
        };
        let planned = match planned.counter().is_none() && self.strips_are_wanted() && !self.waits(id) {
            true => {
                let walk = self.walk(id).map(|found| match found {
                    Err(_) => self.assuming(id, |p| p.walk(id).unwrap_or(Err(Missed::NotCounted)), |w| &mut w.strips),
                    found => found,
                });
                Loop { walk, ..planned }
            }
            false => planned,
        };
        self.rows.truncate(mark);
        planned
    }

    /// The loop as it is, for the case that its variable begins where a sum may start anew; none if it cannot be written twice.
    fn plain(&mut self, id: StmtId, body: StmtId, c: &Counting) -> Option<RegionId> {
        let may_be_twice = self.may_change(id) && !self.effects(Child::Stmt(id)).once_only;
        if !may_be_twice || !self.is_innermost(body) || self.reads_shared(c.lo) {
            return None;
        }
        let (views, landed) = (std::mem::take(&mut self.views), std::mem::take(&mut self.landed));
        let region = self.new_region();
        self.fill(region, Child::Stmt(id), Some(id));
        (self.views, self.landed) = (views, landed);
        Some(region)
    }

    fn strips_are_wanted(&self) -> bool {
        let o = self.options;
        o.strips && !o.direct && !o.count && !self.is_split_c() && !self.is_inside_strips
    }

    /// Does the loop read elements of shared arrays that may be far, and may it run in strips?
    fn may_be_far(&self, id: StmtId) -> bool {
        self.strips_are_wanted()
            && self.elements(Child::Stmt(id)).iter().any(|e| {
                self.s.types.is_shared(self.s.ty(*e)) && !self.is_array(*e) && self.is_read(*e) != Err(Missed::Written)
            })
    }

    /// Makes the rows that a loop walks along, which are in force from here on; returns the actions before the loop.
    fn hoist_rows(&mut self, id: StmtId, fx: &Effects) -> Vec<Action> {
        let mut before = vec![];
        let elements = self.elements(Child::Stmt(id));
        if elements.is_empty() || !self.may_change(id) {
            return before;
        }
        let indefinite = !self.options.direct || self.options.explain;
        for e in elements {
            let Some((sub, fixed, elem)) = self.row_of(e, fx, indefinite) else { continue };
            if self.is_landed(e, &sub).is_some() {
                continue;
            }
            let prefix = sub.indices[..fixed].to_vec();
            let known = |r: &ViewId| {
                let r = self.view(*r);
                r.sym == sub.sym && r.prefix.len() == fixed && self.same_all(&r.prefix, &prefix)
            };
            if self.rows.iter().any(known) {
                continue;
            }
            let has_more = fixed < sub.indices.len();
            let whole = self.above(e, sub.indices.len() - fixed);
            let within = self.subscripts(whole).and_then(|s| self.in_rows(&s));
            let proof = match within {
                Some(v) => Some(Proof::Within(v)),
                None => self.options.direct.then_some(Proof::AllReachable),
            };
            let kind = Kind::Row { whole, has_more };
            let v = self.make(View { sym: sub.sym, root: sub.root, prefix, elem, kind, proof });
            if proof.is_none() {
                before.push(Action::Ask(v));
            }
            before.push(Action::Make(v));
            self.rows.push(v);
        }
        before
    }

    /// The versions of a C loop, or of the body of a `upc_forall`; `innermost` is how many loops make up the whole of
    /// it. Where the views of an innermost loop have been asked before it, the loop runs on C pointers if all of them
    /// are near, otherwise in the form that asks at every access. Versions of other loops would multiply the text.
    pub fn versions(&mut self, id: StmtId, innermost: usize, independent: impl Fn(&Self) -> bool) -> Vec<Version> {
        let open = self.undecided(id, innermost);
        let version = |p: &mut Self, when| {
            // Each iteration adds to the work.
            let independent = !p.options.count && independent(p);
            let region = p.new_region();
            p.fill(region, Child::Stmt(id), (innermost > 0).then_some(id));
            Version { when, independent, region }
        };
        if open.is_empty() {
            return vec![version(self, When::Always)];
        }
        let mark = self.assumed.len();
        self.assumed.extend(&open);
        let near = version(self, When::AllNear(open));
        self.assumed.truncate(mark);
        vec![near, version(self, When::Always)]
    }

    /// The views that the loop uses and that must be asked; none if the loop is to be written only once.
    fn undecided(&self, id: StmtId, innermost: usize) -> Vec<ViewId> {
        let mut open = vec![];
        if self.options.direct || !self.may_change(id) {
            return open;
        }
        let mut loops = 0;
        walk(self.u, Child::Stmt(id), |n| {
            loops += usize::from(matches!(n, Child::Stmt(s) if self.is_loop(s)));
            !matches!(n, Child::Expr(e) if matches!(self.u[e].kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..)))
        });
        if loops > innermost || self.effects(Child::Stmt(id)).once_only {
            return open;
        }
        for e in self.elements(Child::Stmt(id)) {
            if !self.s.types.is_shared(self.s.ty(e)) {
                continue;
            }
            if let Some(Form::Tested(v)) = self.serves(e).map(|v| self.by(v)) {
                if !open.contains(&v) {
                    open.push(v);
                }
            }
        }
        open
    }

    fn forall(&mut self, planned: Loop) -> Loop {
        let u = self.u;
        let StmtKind::Forall { init, cond, step, affinity, body } = &u[planned.stmt].kind else { return planned };
        let mut clauses: Vec<Child<'a>> = match init {
            ForInit::None => vec![],
            ForInit::Expr(e) => vec![Child::Expr(*e)],
            ForInit::Decl(d) => vec![Child::Decl(*d)],
        };
        clauses.extend(cond.iter().chain(step).map(|e| Child::Expr(*e)));
        // Without affinity, or inside a upc_forall that has one, every thread runs every iteration.
        let affinity = match *affinity {
            Affinity::Expr(e) if self.forall_depth == 0 => e,
            _ => {
                let versions = vec![self.only(*body)];
                return Loop { sharing: Sharing::Every, head: self.region(&clauses), versions, ..planned };
            }
        };
        let head = self.region(&[&clauses[..], &[Child::Expr(affinity)]].concat());
        let fx = self.effects_of_iteration(*body);
        self.forall_depth += 1;
        let counting = cond.zip(*step).and_then(|(cond, step)| self.counting(init, cond, step, &fx));
        let counting = counting
            .filter(|c| ![Child::Stmt(*body), Child::Expr(affinity)].iter().any(|code| self.may_wrap(c, *code)));
        let owned = counting.clone().filter(|_| !fx.once_only);
        let owned = owned.and_then(|c| self.owner(affinity, &c, &fx).map(|owner| (c, owner)));
        let mut planned = Loop { counting, head, ..planned };
        match owned {
            Some((c, owner)) => self.owned(&mut planned, *body, affinity, &c, owner, &fx),
            None => {
                let around = std::mem::replace(&mut self.around, Around::Tested);
                planned.sharing = Sharing::Tested;
                planned.versions = vec![self.only(*body)];
                let counted = planned.counting.clone().filter(|_| !fx.once_only && self.may_be_far(*body));
                if let Some(c) = counted.filter(|c| self.has_known_owners(affinity, c.var, &fx)) {
                    let plan = |p: &mut Self| {
                        let fx = p.effects_of_iteration(*body);
                        p.tested_strips(planned.stmt, *body, &c, affinity, &fx)
                    };
                    planned.strips = Some(self.assuming(planned.stmt, plan, |s| s));
                }
                self.around = around;
            }
        }
        self.forall_depth -= 1;
        if fx.calls {
            planned.before.push(Action::Enter);
            planned.after.push(Action::Leave);
        }
        planned
    }

    fn only(&mut self, body: StmtId) -> Version {
        Version { when: When::Always, independent: false, region: self.region(&[Child::Stmt(body)]) }
    }

    /// The versions of a body whose iterations this thread knows.
    fn owned(
        &mut self,
        planned: &mut Loop,
        body: StmtId,
        affinity: ExprId,
        c: &Counting,
        mut owner: Owner,
        fx: &Effects,
    ) {
        let is_number = self.offset_from(affinity, c.var).is_some();
        let following = (!is_number).then_some(Following { var: c.var, offset: owner.offset(), affinity });
        let outer = (self.around, self.following);
        (self.around, self.following) = (Around::Own, following);
        let mark = self.views.len();
        if let Some(pieces) = self.pieces(body, c, &owner, fx) {
            owner = pieces;
        }
        match &mut owner {
            Owner::Cyclic { home, .. } => self.strided(body, c, home, fx),
            Owner::Blocked { .. } => self.blocks(body, c, &mut owner, fx),
            Owner::Pieces { .. } => {}
        }
        planned.before_run = self.actions(mark);
        planned.versions = self.versions(body, 0, |p| p.independent(body, c.var, fx));
        let long = owner.has_long_blocks();
        let one_body = matches!(owner, Owner::Pieces { .. });
        planned.sharing = Sharing::Owned(owner);
        // Where all arrays are always aligned, the general body serves only a block's ends, and loops that are not
        // controlling.
        let always_aligned = self.views[mark..].iter().all(|v| self.is_array(self.view(*v).root));
        self.views.truncate(mark);
        if self.strips_are_wanted() {
            planned.batch = self.batch(planned.stmt, body, c, fx, true);
            if !self.options.explain && !self.options.check {
                planned.fetch = self.fetch(planned.stmt, body, c, fx, true);
            }
        }
        if let Sharing::Owned(owner) = &planned.sharing {
            let plan = |p: &mut Self| {
                let fx = p.effects_of_iteration(body);
                p.own_strips(planned.stmt, body, c, owner, &fx)
            };
            planned.strips = self.may_be_far(body).then(|| self.assuming(planned.stmt, plan, |s| s));
        }
        let landed =
            planned.versions.last().map(|v| v.region).filter(|_| self.may_fetch_ahead(planned.stmt, body, fx).is_ok());
        planned.halos = landed.map_or(vec![], |region| self.halos(region, body, c, fx));
        if !one_body {
            self.around = Around::Ends;
            let ends = self.new_region();
            self.regions[ends.0 as usize].seldom = long && always_aligned;
            self.fill(ends, Child::Stmt(body), None);
            planned.ends = Some(ends);
        }
        (self.around, self.following) = outer;
    }

    /// The actions that make the views from this one on.
    pub fn actions(&self, mark: usize) -> Vec<Action> {
        let made = self.views[mark..].iter().flat_map(|v| {
            let ask = self.view(*v).proof.is_none().then_some(Action::Ask(*v));
            ask.into_iter().chain([Action::Make(*v)])
        });
        made.collect()
    }

    /// Puts the views of a C loop in force that is to be cut into runs, and says whether it is.
    pub fn runs(&mut self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects) -> bool {
        // A pragma before the body speaks of the body alone.
        let may_change = self.may_change(id) && self.pragma_before(body).is_none();
        if !self.is_innermost(body) || self.options.explain || !may_change {
            return false;
        }
        if self.each_iteration(c, fx).is_err() {
            return false;
        }
        let mut found: Vec<Ref> = vec![];
        for r in self.refs(body, c.var, fx) {
            let whole = Subscripts { sym: r.sym, root: r.root, indices: r.prefix.clone() };
            let known = |f: &Ref| f.sym == r.sym && f.offset == r.offset && self.same_all(&f.prefix, &r.prefix);
            let landed = |r: &Ref| self.landed_at(r.sym, &r.prefix, &vec![], r.offset).is_some();
            if r.block >= SHORTEST_RUN && self.in_row(&whole).is_none() && !found.iter().any(known) && !landed(&r) {
                found.push(r);
            }
        }
        let long = RUN_FOR_A_VIEW * found.len() as u64;
        if found.len() > MOST_VIEWS || found.iter().any(|r| r.block < long) {
            return false;
        }
        let proof = self.options.direct.then_some(Proof::AllReachable);
        let any = !found.is_empty();
        for r in found {
            let kind = Kind::Run { var: c.var, offset: r.offset, block: r.block };
            self.put_in_force(r, kind, proof);
        }
        any
    }

    /// Views of cyclic arrays, where iterations are THREADS apart.
    fn strided(&mut self, body: StmtId, c: &Counting, home: &Home, fx: &Effects) {
        let mark = self.views.len();
        for r in self.refs(body, c.var, fx) {
            let known = |v: &ViewId| {
                let v = self.view(*v);
                v.sym == r.sym
                    && matches!(v.kind, Kind::Strided { offset, .. } if offset == r.offset)
                    && self.same_all(&v.prefix, &r.prefix)
            };
            if r.block != 1 || self.views[mark..].iter().any(known) {
                continue;
            }
            let proof = match (self.options.direct, self.is_at_home(home, &r)) {
                (true, _) => Some(Proof::AllReachable),
                (_, true) => Some(Proof::Affinity),
                _ => None,
            };
            let kind = Kind::Strided { var: c.var, offset: r.offset };
            self.put_in_force(r, kind, proof);
        }
    }

    fn put_in_force(&mut self, r: Ref, kind: Kind, proof: Option<Proof>) {
        let elem = self.elem_ty(r.root);
        let v = self.make(View { sym: r.sym, root: r.root, prefix: r.prefix, elem, kind, proof });
        self.views.push(v);
    }

    pub fn is_at_home(&self, home: &Home, r: &Ref) -> bool {
        let root = if self.is_array(r.root) { home.pointer.is_none() } else { home.pointer == Some(r.sym) };
        let rows = || self.rows(r.root, r.prefix.len()) == home.rows;
        root && r.offset == home.offset && self.same_all(&r.prefix, &home.prefix) && rows()
    }

    /// The pieces of a loop whose iterations come in blocks, with a view for each array and offset in force; none if
    /// the loop is to have a body of its own for the ends of blocks. An array that the loop writes has at most one
    /// view: otherwise the C compiler would read a value from memory that it has in a register.
    fn pieces(&mut self, body: StmtId, c: &Counting, owner: &Owner, fx: &Effects) -> Option<Owner> {
        let Owner::Blocked { offset, block, start: Start::Zero, .. } = *owner else { return None };
        if block < CUT || !self.options.direct || self.options.explain {
            return None;
        }
        let refs = self.refs(body, c.var, fx).into_iter().filter(|r| r.block == block && r.prefix.is_empty());
        let refs: Vec<Ref> = refs.collect();
        if refs.iter().any(|r| !self.is_array(r.root)) {
            return None;
        }
        let reach = block / 2;
        let elements = refs.into_iter().map(|r| {
            let elem = self.elem_ty(r.root);
            (r.sym, r.root, elem, r.offset, false)
        });
        let rows = self.row_refs(body, c.var, block).into_iter().map(|r| (r.sym, r.root, r.row, r.offset, true));
        let mut found: Vec<(i64, View)> = vec![];
        for (sym, root, elem, at, rows) in elements.chain(rows) {
            let is_neighbour = at.saturating_sub(offset).unsigned_abs() <= reach;
            if is_neighbour && !found.iter().any(|(o, v)| v.sym == sym && *o == at) {
                let kind = Kind::Piece { var: c.var, offset: at, rows };
                let proof = Some(Proof::AllReachable);
                found.push((at, View { sym, root, prefix: vec![], elem, kind, proof }));
            }
        }
        let written = |sym| fx.written.contains(&Written::Object(sym));
        let twice = |sym| found.iter().filter(|(_, v)| v.sym == sym).count() > 1;
        if found.is_empty() || found.len() > MOST_VIEWS || found.iter().any(|(_, v)| written(v.sym) && twice(v.sym)) {
            return None;
        }
        // A view takes the iteration's number in the piece as its first subscript, so an element that it serves does
        // not need the variable; the address of an element does.
        let is_served = |s: &Subscripts| {
            let at = s.indices.first().and_then(|i| self.offset_from(*i, c.var));
            found.iter().any(|(o, v)| v.sym == s.sym && Some(*o) == at)
        };
        let mut uses_var = false;
        walk(self.u, Child::Stmt(body), |n| match n {
            Child::Expr(e) => match self.u[e].kind {
                ExprKind::Unary(UnOp::AddrOf, x) => {
                    uses_var |= self.uses(x, c.var);
                    false
                }
                ExprKind::Index(..) if !self.is_array(e) => match self.subscripts(e).filter(is_served) {
                    Some(s) => {
                        uses_var |= s.indices[1..].iter().any(|i| self.uses(*i, c.var));
                        false
                    }
                    None => true,
                },
                _ => {
                    uses_var |= self.s.expr_sym[e.index()] == Some(c.var);
                    true
                }
            },
            Child::Stmt(s) => {
                uses_var |= self.is_loop(s);
                true
            }
            _ => true,
        });
        let mut margins = Margins::default();
        for (at, view) in found {
            margins.widen(at - offset);
            let v = self.make(view);
            self.views.push(v);
        }
        Some(Owner::Pieces { offset, block, margins, uses_var })
    }

    /// Views of arrays that are distributed like the affinity's array, where iterations come in blocks.
    fn blocks(&mut self, body: StmtId, c: &Counting, owner: &mut Owner, fx: &Effects) {
        let Owner::Blocked { offset, block, start, margins } = owner else { return };
        let (offset, block) = (*offset, *block);
        let mut seen = vec![];
        // An element further away than half a block is not a neighbour.
        let reach = block / 2;
        for r in self.refs(body, c.var, fx) {
            let distance = r.offset.saturating_sub(offset);
            if r.block != block || distance.unsigned_abs() > reach || !self.same_all(&r.prefix, start.prefix()) {
                continue;
            }
            margins.widen(distance);
            if seen.contains(&r.sym) {
                continue;
            }
            seen.push(r.sym);
            self.put_in_force(r, Kind::Blocks { var: c.var, offset, reach }, Some(Proof::Affinity));
        }
        // Rows of arrays of several dimensions, where whole rows make up a block.
        let rows = if matches!(start, Start::Zero) { self.row_refs(body, c.var, block) } else { vec![] };
        for r in rows {
            let distance = r.offset.saturating_sub(offset);
            if distance.unsigned_abs() > reach {
                continue;
            }
            margins.widen(distance);
            if seen.contains(&r.sym) {
                continue;
            }
            seen.push(r.sym);
            let kind = Kind::Rows { var: c.var, offset, reach };
            let proof = Some(Proof::Affinity);
            let v = self.make(View { sym: r.sym, root: r.root, prefix: vec![], elem: r.row, kind, proof });
            self.views.push(v);
        }
    }
}
