//! The plan: how every shared access, loop and affinity of a unit is translated, decided before anything is written.
//!
//! `Plan::new` reads the typed tree and makes tables; it prints nothing, and `write` decides nothing. Facts about the
//! program's text stand once: its [`Access`]es. Facts that depend on the place stand in [`Region`]s. A region is a
//! piece of code that is written in one way: a function's body, or one version of a loop. A loop has its views (C
//! pointers that are made before it, with the proof that the elements they lead to are near), its effects, and its
//! versions; a version has its region, and in it each access has a [`Form`].
//!
//! * `facts` questions about expressions; `effects` what code may do; `translated` which nodes are not copied as they are;
//! * `accesses` the table of accesses; `counting`, `affinity` what kind of loop it is;
//! * `views` which elements a C pointer can serve; `strips` which loops run on landed data, `listed` those whose iterations are listed or come in blocks,
//!   `nests` those around one whose rows are known, `gathers` those with computed subscripts, `walks` those that step a pointer;
//! * `updates` what owners compute; `batches` those of many iterations that are made together, `fetches` atomic operations with results, `atomic_functions`
//!   which functions of other files are one; `aheads` near memory that is prefetched; `together` which calls of `upc_memget` are under way together;
//! * `work` counts the program's own operations; `build` puts the
//!   plan together; `print` shows it, `verdicts` say what became of each far access.

pub(crate) mod accesses;
pub(crate) mod affinity;
pub(crate) mod aheads;
pub(crate) mod atomic_functions;
pub(crate) mod batches;
mod build;
mod copies;
pub(crate) mod counting;
pub(crate) mod effects;
pub(crate) mod facts;
pub(crate) mod fetches;
pub(crate) mod gathers;
pub(crate) mod halos;
pub(crate) mod kept;
mod leaving;
pub(crate) mod library;
mod listed;
mod nests;
mod print;
pub(crate) mod promises;
pub(crate) mod pure;
pub(crate) mod sequences;
mod slots;
pub(crate) mod strips;
pub(crate) mod together;
pub(crate) mod translated;
pub(crate) mod updates;
pub mod verdicts;
pub(crate) mod views;
pub(crate) mod waiting;
pub(crate) mod waiting_repeats;
mod waiting_round;
mod waiting_sets;
mod waiting_ways;
pub(crate) mod walks;
pub mod work;

use accesses::Access;
use affinity::Owner;
use aheads::Ahead;
use atomic_functions::AtomicFunction;
use batches::Batch;
use counting::{Counting, Stepping};
use effects::Effects;
use facts::Facts;
use fathom_sema::{Sema, SymId};
use fathom_syntax::ast::*;
use fathom_syntax::Parsed;
use fetches::Fetch;
use halos::Halo;
use pure::{PureFunctions, Said};
use std::collections::{BTreeMap, HashMap};
use strips::{Missed, Strips};
use together::Together;
use translated::Translated;
use updates::{Update, Updates};
use views::View;
use waiting::Waiting;
use walks::Walk;
use work::Work;

/// An index into [`Plan::regions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RegionId(u32);
/// An index into [`Plan::loops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LoopId(u32);
/// An index into [`Plan::views`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ViewId(u32);

pub struct Plan {
    pub(crate) translated: Translated,
    pub(crate) pure: PureFunctions,
    pub(crate) waiting: Waiting,
    /// What this unit's object file says of its functions.
    pub(crate) said: Vec<Said>,
    /// Functions that are one atomic operation, of which the object file says so.
    pub(crate) atomic_functions: Vec<AtomicFunction>,
    pub(crate) accesses: BTreeMap<ExprId, Access>,
    /// Relaxed updates, if they may be computed by the objects' owners.
    updates: Updates,
    /// Calls of `upc_memget` that are under way together.
    pub(crate) together: Together,
    regions: Vec<Region>,
    loops: Vec<Loop>,
    views: Vec<View>,
    /// The form of an access about which nothing is known.
    general: Form,
    /// Code outside of functions.
    pub(crate) file: RegionId,
    functions: HashMap<DeclaratorId, Function>,
    /// What is charged where; nothing if operations are not counted.
    pub(crate) work: Work,
}

/// A function's definition.
pub(crate) struct Function {
    pub region: RegionId,
    pub effects: Effects,
}

/// Code that is written in one way.
#[derive(Default)]
pub(crate) struct Region {
    pub around: Around,
    /// The affinity of the enclosing `upc_forall`, if this thread knows its iterations and they follow an array.
    pub following: Option<Following>,
    /// Few of a loop's iterations run here: the code should be small rather than fast.
    pub seldom: bool,
    /// Subscript expressions that are written as elements of a view.
    pub served: HashMap<ExprId, ViewId>,
    pub forms: HashMap<ExprId, Form>,
    /// The loops of this region, without those inside another of its loops.
    pub loops: BTreeMap<StmtId, LoopId>,
}

/// The position of code with respect to `upc_forall`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Around {
    #[default]
    None,
    /// Every thread tests the affinity of every iteration.
    Tested,
    /// The iterations of this thread only, on views.
    Own,
    /// This thread's iterations at the ends of a block, or of a loop that is not controlling.
    Ends,
}

/// Iterations go to the owner of the element `var` + `offset` of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Following {
    pub var: SymId,
    pub offset: i64,
    pub affinity: ExprId,
}

/// How an access is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// By loads and stores: by a view, or by an address that is computed for the access.
    Near { by: Option<ViewId>, proof: Proof },
    /// The elements of the view are near or far as a whole, and the view was asked before the loop.
    Tested(ViewId),
    /// By its address, which is asked at every access; far objects are moved by calls.
    Far,
}

/// The reason why loads and stores reach an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// It is private.
    Private,
    /// Loads and stores reach every thread's memory.
    AllReachable,
    /// The affinity gives the iteration to the thread that holds the object.
    Affinity,
    /// It lies among the elements of another view.
    Within(ViewId),
    /// This version runs only if the view has been asked and is near.
    Asked(ViewId),
    /// It is a copy, or near: the loop runs in strips.
    Landed,
    /// It is a copy.
    Gathered,
}

/// A loop in a region.
pub(crate) struct Loop {
    pub stmt: StmtId,
    pub counting: Option<Counting>,
    /// A C loop that counts in other steps than one, and has strips.
    pub stepping: Option<Stepping>,
    pub sharing: Sharing,
    /// The effects of the whole loop.
    pub effects: Effects,
    pub before: Vec<Action>,
    /// Actions before each run of consecutive iterations, or of iterations THREADS apart, that this thread owns; of a C
    /// loop, before each of its runs.
    pub before_run: Vec<Action>,
    pub after: Vec<Action>,
    /// Its clauses, and code before the versions. A C loop's clauses belong to each version.
    pub head: RegionId,
    /// The general body of a loop whose iterations this thread knows, which runs at the ends of blocks and where the loop
    /// is not controlling; none where pieces of blocks make it unnecessary.
    pub ends: Option<RegionId>,
    /// Each version is for the cases that the versions before it do not cover.
    pub versions: Vec<Version>,
    /// The loop as it is, which runs where its variable begins near 2^32.
    pub plain: Option<RegionId>,
    /// A version on landed data, which comes before the others; or why there is none, if there might have been one.
    pub strips: Option<Result<Strips, Missed>>,
    /// The same for a loop that steps a pointer-to-shared.
    pub walk: Option<Result<Walk, Missed>>,
    /// An update that is made for many iterations together; or near memory that is asked for before the iterations that update it. In
    /// versions that are not on landed data.
    pub batch: Option<Batch>,
    /// An atomic operation that is made for many iterations together, before they use its results.
    pub fetch: Option<Result<Fetch, (ExprId, Missed)>>,
    pub ahead: Option<Ahead>,
    /// What loops in the body of a `upc_forall` read of rows.
    pub halos: Vec<Halo>,
}

/// How a loop's iterations are shared among threads.
pub(crate) enum Sharing {
    /// A C loop.
    C,
    /// A C loop that is cut into runs of iterations: in each of them the elements of every view stay in one block.
    Runs,
    /// A `upc_forall` whose iterations every thread runs: without affinity, or inside another one.
    Every,
    /// Every thread evaluates the affinity of every iteration.
    Tested,
    /// This thread's iterations are known.
    Owned(Owner),
}

/// An action before or after a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// The view's pointer is made.
    Make(ViewId),
    /// The view is asked: are its elements near?
    Ask(ViewId),
    /// A `upc_forall` reached by a call runs every iteration on this thread until `Leave` (6.6.2 p10).
    Enter,
    Leave,
}

/// One way in which a loop's body is written.
pub(crate) struct Version {
    pub when: When,
    /// No iteration touches an object that another one writes.
    pub independent: bool,
    pub region: RegionId,
}

/// When a version runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum When {
    Always,
    /// If the elements of all these views are near.
    AllNear(Vec<ViewId>),
}

impl Loop {
    /// The variable that counts.
    pub fn counter(&self) -> Option<SymId> {
        self.counting.as_ref().or(self.stepping.as_ref().map(|s| &s.counting)).map(|c| c.var)
    }
}

impl Plan {
    /// What is known of the unit that was planned.
    pub(crate) fn facts<'a>(&'a self, parsed: &'a Parsed, sema: &'a Sema) -> Facts<'a> {
        Facts {
            p: parsed,
            u: &parsed.unit,
            s: sema,
            translated: &self.translated,
            pure: &self.pure,
            waiting: &self.waiting,
        }
    }

    pub(crate) fn region(&self, r: RegionId) -> &Region {
        &self.regions[r.0 as usize]
    }
    pub(crate) fn view(&self, v: ViewId) -> &View {
        &self.views[v.0 as usize]
    }
    /// The region of a function's definition; none for the parts that a nested function shares with the function around
    /// it.
    pub(crate) fn function(&self, f: &FnDef) -> Option<RegionId> {
        self.functions.get(&f.declarator).map(|f| f.region)
    }
    /// The form of an access to a shared object. An access that is not evaluated has the general form.
    pub(crate) fn form(&self, r: RegionId, e: ExprId) -> Form {
        self.region(r).forms.get(&e).copied().unwrap_or(self.general)
    }
    /// What the object's owner computes, if it is far.
    pub(crate) fn update(&self, e: ExprId) -> Option<Update> {
        self.updates.objects.get(&e).copied().and_then(Result::ok)
    }
    /// What a call does whose result is not used.
    pub(crate) fn atomic(&self, call: ExprId) -> Option<Update> {
        self.updates.atomics.get(&call).copied()
    }
    /// The view by which a subscript expression is written.
    pub(crate) fn served(&self, r: RegionId, e: ExprId) -> Option<ViewId> {
        self.region(r).served.get(&e).copied()
    }
    pub(crate) fn loop_in(&self, r: RegionId, id: StmtId) -> Option<&Loop> {
        self.region(r).loops.get(&id).map(|l| &self.loops[l.0 as usize])
    }
}
