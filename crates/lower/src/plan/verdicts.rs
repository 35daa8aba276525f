//! What became of each far access: `fathom cc -Rcomm` and `-Rcomm-missed`.

use super::accesses::{Access, Use};
use super::effects::visit;
use super::facts::Facts;
use super::fetches::Operation;
use super::strips::Missed;
use super::views::Kind;
use super::{Form, Loop, Plan, Proof};
use fathom_sema::Sema;
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::visit::Child;
use fathom_syntax::Parsed;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The verdict on an access that may be far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub at: TokRange,
    /// Is the access served by a mechanism?
    pub served: bool,
    /// Is it the loop around the access that serves it?
    pub is_of_loop: bool,
    pub text: String,
    pub hint: Option<&'static str>,
}

/// As `LEAST_BYTES` of runtime/gas/outbox.c, without a record's header.
const MOST_GATHERED: u64 = 4088;
const AS_WRITTEN: &str =
    "the loop ran as it is written: FATHOM_COMM has no strips, or the loop was short, or may write what it reads";
const AS_WRITTEN_IF_CALLS: &str = "the loop ran as it is written: FATHOM_COMM has no strips, or the loop was short, or may write what it reads, or a function of another file may do more than compute";
const IS_ELSEWHERE: &str =
    "it is known of functions in files that fathom compiles with -O1 or more for the same conduit";
const WAITS: &str = "each operation waits for its result";
const UNKNOWN_AFFINITY: &str = "the upc_forall's affinity does not say ahead which iterations are this thread's";
const TELL_AFFINITY: &str =
    "compute the affinity from the loop's variable, which counts up by one, and what the loop does not change";
const ASK_FOR_UPDATES: &str = "-fcomm-opt with -O1 or more writes it so";
const ASK_FOR_GETS: &str = "-fcomm-opt with -O1 or more writes them so";
const ASK: &str = "-fcomm-opt with -O1 or more writes the loop so";

impl Plan {
    /// The verdicts on relaxed accesses, in the order of the text. `is_written`: are the strips of this plan also written?
    pub fn verdicts(&self, parsed: &Parsed, sema: &Sema, is_written: bool) -> Vec<Verdict> {
        let f = self.facts(parsed, sema);
        let mut all = [self.of_accesses(f, is_written), self.alone(f)].concat();
        all.sort_by_key(|v| (v.at.lo, v.at.hi));
        all
    }

    fn of_accesses(&self, f: Facts, is_written: bool) -> Vec<Verdict> {
        let (mut far, mut landed) = (HashSet::new(), HashSet::new());
        let (mut gathered, mut own) = (HashSet::new(), HashSet::new());
        for (e, form) in self.regions.iter().flat_map(|r| &r.forms) {
            match form {
                Form::Far | Form::Tested(_) => _ = far.insert(*e),
                Form::Near { proof: Proof::Landed, .. } => _ = landed.insert(*e),
                Form::Near { proof: Proof::Gathered, .. } => _ = gathered.insert(*e),
                Form::Near { proof: Proof::Affinity, .. } => _ = own.insert(*e),
                Form::Near { .. } => {}
            }
        }
        // The pointers by which what has landed is reached are read once.
        for v in &self.views {
            if let Kind::Pointed { elements, .. } = &v.kind {
                for (element, _) in elements {
                    visit(f.u, Child::Expr(*element), |n| match n {
                        Child::Expr(e) if self.accesses.contains_key(&e) => _ = landed.insert(e),
                        _ => {}
                    });
                }
            }
        }
        let mut found: Vec<Verdict> = self
            .accesses
            .iter()
            .filter(|(e, a)| far.contains(*e) && a.use_ != Use::Address && !a.strict)
            // In the iterations of a upc_forall that this thread runs, it has the object.
            .filter(|(e, _)| !own.contains(*e) || gathered.contains(*e) || landed.contains(*e))
            .map(|(e, a)| {
                let at = f.u[*e].toks;
                if landed.contains(e) || gathered.contains(e) {
                    let condition = self.condition(f, at);
                    let (are, hint) = match is_written {
                        true => ("are", (!condition.is_empty()).then_some(IS_ELSEWHERE)),
                        false => ("can be", Some(ASK)),
                    };
                    let how = match landed.contains(e) {
                        true => "fetched in strips",
                        false => "gathered: their places are computed ahead",
                    };
                    let text = format!("far reads of this loop {are} {how}{condition}");
                    return Verdict { at, served: true, is_of_loop: true, text, hint };
                }
                if self.update(*e).is_some() {
                    let (is, hint) = match is_written {
                        true => ("is", None),
                        false => ("can be", Some(ASK_FOR_UPDATES)),
                    };
                    return Verdict {
                        at,
                        served: true,
                        is_of_loop: false,
                        text: format!("this update {is} computed by the thread that has the object"),
                        hint,
                    };
                }
                if let Some(Err(why)) = self.updates.objects.get(e) {
                    let text = format!("each update reads and writes by messages of its own: {}", why.text());
                    return Verdict { at, served: false, is_of_loop: false, text, hint: why.hint() };
                }
                if a.use_ == Use::Write {
                    return self.write(f, *e, at);
                }
                let (what, why, hint) = self.missed(f, at, a);
                Verdict { at, served: false, is_of_loop: false, text: format!("{what}: {why}"), hint }
            })
            .collect();
        found.extend(self.updates.atomics.keys().map(|call| {
            let (is, hint) = match is_written {
                true => ("is", None),
                false => ("can be", Some(ASK_FOR_UPDATES)),
            };
            let text = format!("this atomic operation {is} gathered: its result is not used");
            Verdict { at: f.u[*call].toks, served: true, is_of_loop: false, text, hint }
        }));
        found.extend(self.loops.iter().filter_map(|l| l.fetch.as_ref()).map(|fetch| {
            let is_own = |e: &ExprId| own.contains(e);
            let made = fetch.as_ref().map_err(|(call, why)| (call, *why)).and_then(|fetch| {
                // Of other threads' elements places are not computed ahead.
                fetch.shared_reads.iter().all(is_own).then_some(fetch).ok_or((&fetch.call, Missed::Index))
            });
            let fetch = match made {
                Ok(fetch) => fetch,
                Err((call, why)) => {
                    let (at, text) = (f.u[*call].toks, format!("{WAITS}: {}", why.text()));
                    return Verdict { at, served: false, is_of_loop: false, text, hint: why.hint() };
                }
            };
            let (are, hint) = match is_written {
                true => ("are", None),
                false => ("can be", Some(ASK)),
            };
            let condition = match fetch.operation {
                Operation::Elsewhere(function, _) => {
                    let name = f.p.source.name(f.s.symbols[function.0 as usize].name);
                    format!(", if `{name}`, which is in another file, is one")
                }
                _ => String::new(),
            };
            let text = format!(
                "the results of this loop's atomic operations {are} fetched together{condition}: their places are computed ahead"
            );
            Verdict { at: f.u[fetch.call].toks, served: true, is_of_loop: true, text, hint }
        }));
        found.extend(self.together.groups.iter().map(|group| {
            let (are, hint) = match is_written {
                true => ("are", None),
                false => ("can be", Some(ASK_FOR_GETS)),
            };
            let text = match group.calls {
                1 => format!("the loop's calls of upc_memget {are} under way together"),
                n => format!("{n} calls of upc_memget {are} under way together"),
            };
            Verdict { at: f.u[group.call].toks, served: true, is_of_loop: false, text, hint }
        }));
        found.extend(self.vain_promises(f));
        found
    }

    /// Atomic operations whose result is used and that no loop was planned around.
    fn alone(&self, f: Facts) -> Vec<Verdict> {
        let in_loop = |call: &&ExprId| {
            let planned = self.loops.iter().filter_map(|l| l.fetch.as_ref());
            planned.map(|fetch| fetch.as_ref().map_or_else(|(call, _)| *call, |f| f.call)).any(|c| c == **call)
        };
        let alone = self.updates.with_results.iter().filter(|call| !in_loop(call));
        let verdict = |call: &ExprId| {
            let at = f.u[*call].toks;
            let (why, hint) = match self.innermost(f, at).map(|l| (&l.counting, &f.u[l.stmt].kind)) {
                None => ("it is not in a loop", None),
                Some((Some(_), _)) => (Missed::NotAlone.text(), Missed::NotAlone.hint()),
                Some((None, StmtKind::Forall { .. })) => (UNKNOWN_AFFINITY, Some(TELL_AFFINITY)),
                Some((None, _)) => (Missed::NotCounted.text(), Missed::NotCounted.hint()),
            };
            let text = format!("{WAITS}: {why}");
            Verdict { at, served: false, is_of_loop: false, text, hint }
        };
        alone.map(verdict).collect()
    }

    fn innermost(&self, f: Facts, at: TokRange) -> Option<&Loop> {
        let around = self.loops.iter().filter(|l| f.u[l.stmt].toks.contains(at));
        around.min_by_key(|l| f.u[l.stmt].toks.hi - f.u[l.stmt].toks.lo)
    }

    /// What the strips that serve a read assume of functions of other files: a condition behind the verdict.
    fn condition(&self, f: Facts, at: TokRange) -> String {
        let around = self.loops.iter().filter(|l| f.u[l.stmt].toks.contains(at));
        let strips = around.filter_map(|l| match (&l.strips, &l.walk) {
            (Some(Ok(strips)), _) => Some(strips),
            (_, Some(Ok(walk))) => Some(&walk.strips),
            _ => None,
        });
        let assumed: Option<Vec<_>> = strips.map(|s| s.assumed.as_ref()).collect();
        // One that assumes nothing serves it, too.
        let mut names: Vec<&str> = vec![];
        for sym in assumed.iter().flatten().flat_map(|a| &a.functions) {
            let name = f.p.source.name(f.s.symbols[sym.0 as usize].name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        match names[..] {
            [] => String::new(),
            [one] => format!(", if `{one}`, which is in another file, only computes"),
            _ => format!(", if `{}`, which are in other files, only compute", names.join("` and `")),
        }
    }

    /// Promises about loops that fetch nothing ahead.
    fn vain_promises(&self, f: Facts) -> Vec<Verdict> {
        let mut each = BTreeMap::<StmtId, Option<&Loop>>::new();
        for l in &self.loops {
            let is_promised = f.body_of(l.stmt).is_some_and(|body| !f.promises(l.stmt, body).is_none());
            if is_promised {
                let best = each.entry(l.stmt).or_default();
                let is_better = matches!(l.strips, Some(Ok(_))) || best.is_none_or(|b| b.strips.is_none());
                *best = if is_better { Some(l) } else { *best };
            }
        }
        let vain = each.into_iter().filter_map(|(s, l)| {
            let (why, hint) = match l?.strips.as_ref() {
                Some(Ok(_)) => return None,
                Some(Err(why)) => (why.text(), why.hint()),
                None => ("it reads no element of a shared array ahead", None),
            };
            let at = TokRange::new(f.u[s].toks.lo, f.u[s].toks.lo + 1);
            Some(Verdict {
                at,
                served: false,
                is_of_loop: false,
                text: format!("what is promised of this loop has no effect: {why}"),
                hint,
            })
        });
        vain.collect()
    }

    /// Writes need no loop: the runtime gathers them, whatever the program does between them.
    fn write(&self, f: Facts, e: ExprId, at: TokRange) -> Verdict {
        let is_large = f.s.size_of(f.s.ty(e)).is_some_and(|s| s.times_threads || s.bytes > MOST_GATHERED);
        let missed = |text: &str, hint| Verdict { at, served: false, is_of_loop: false, text: text.into(), hint };
        if f.s.bit_field(e).is_some() {
            let text = "each write reads and writes by messages of its own: the object is a bit-field";
            return missed(text, Some("make it a member of its own type"));
        }
        if is_large {
            return missed("each write is a message of its own: the object has 4 KB or more", None);
        }
        let text = "far writes are gathered at run time: many to one thread travel in one message".into();
        Verdict { at, served: true, is_of_loop: false, text, hint: None }
    }

    /// For each expression that is a far access, why it may be made alone at run time; nothing where only the runtime knows.
    pub(crate) fn reasons(&self, parsed: &Parsed, sema: &Sema) -> HashMap<TokRange, String> {
        let all = self.of_accesses(self.facts(parsed, sema), true).into_iter();
        let reason = |v: Verdict| match (v.served, v.is_of_loop) {
            (false, _) => Some((v.at, v.text)),
            (true, true) if v.hint == Some(IS_ELSEWHERE) => Some((v.at, AS_WRITTEN_IF_CALLS.into())),
            (true, true) => Some((v.at, AS_WRITTEN.into())),
            _ => None,
        };
        all.filter_map(reason).collect()
    }

    fn missed(&self, f: Facts, at: TokRange, a: &Access) -> (&'static str, &'static str, Option<&'static str>) {
        let what = "not fetched in strips";
        if a.use_ != Use::Read {
            return (what, "each update reads and writes by messages of its own", None);
        }
        let Some(l) = self.innermost(f, at) else {
            return (what, "the access is not in a loop", None);
        };
        let why = match (&l.strips, &f.u[l.stmt].kind) {
            _ if matches!(l.walk, Some(Err(_))) => {
                l.walk.as_ref().and_then(|w| w.as_ref().err()).map_or(Missed::NotCounted, |w| *w)
            }
            (Some(Err(why)), _) => *why,
            (_, StmtKind::Forall { .. }) => return (what, UNKNOWN_AFFINITY, Some(TELL_AFFINITY)),
            (None, _) => Missed::NotCounted,
            (Some(Ok(strips)), _) => strips.others,
        };
        (what, why.text(), why.hint())
    }
}
