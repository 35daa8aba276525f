//! Arrays whose elements are mostly used by other threads than their own: another block size.
//!
//! The accesses to other threads with another block size are computed from the sampled elements. If iterations follow
//! an array (`upc_forall` with the affinity `&x[i]`) they would move with it, so that only the distance from the
//! iteration's own element matters.

use super::{number, percent, time, Advice};
use crate::costs::Costs;
use crate::file::Sample;
use crate::job::{Job, Share, Site};
use std::collections::BTreeSet;

const LEAST: f64 = 256.0;
const LEAST_SAMPLES: usize = 16;
/// The share of accesses to own memory must increase by at least the first value, and to at least the second.
const BETTER_BY: f64 = 0.25;
const AT_LEAST: f64 = 0.6;

struct Array<'a> {
    name: &'a str,
    block: u64,
    elem_bytes: u64,
    /// The number of elements; 0 if unknown.
    count: u64,
    row: u64,
    /// Offset of the first element in each thread's segment.
    start: u64,
    declared: Option<(String, u32)>,
    sites: Vec<&'a Site>,
}

pub fn advise(job: &Job, costs: &Costs) -> Vec<Advice> {
    arrays(job).iter().filter_map(|a| array(job, a, costs)).collect()
}

fn arrays(job: &Job) -> Vec<Array<'_>> {
    let mut out: Vec<Array> = vec![];
    for s in job.sites.iter().filter(|s| s.about.is_access() && s.accesses().all() > 0.0) {
        let a = &s.about;
        let (Some(block), Some(first)) = (a.block.filter(|b| *b > 0), s.of.first()) else { continue };
        let threads = job.threads as u64;
        let (start, count, declared) = match a.count {
            Some((n, per_thread)) => {
                let start = s.of.iter().map(|x| x.record.object).find(|o| *o > 0).unwrap_or(0);
                (start, n * if per_thread { threads } else { 1 }, None)
            }
            None => {
                let Some(o) = heap_object(job, s) else { continue };
                let place = job.sites.get(o.site).map(|s| (s.about.file.clone(), s.about.line));
                (o.offset, o.nblocks * o.nbytes / a.elem_bytes.max(1), place)
            }
        };
        let _ = first;
        if start == 0 && a.count.is_none() {
            continue;
        }
        match out.iter_mut().find(|x| {
            (x.start, x.block, x.name) == (start, block, a.object.as_str()) || (start > 0 && x.start == start)
        }) {
            Some(x) => x.sites.push(s),
            None => out.push(Array {
                name: &a.object,
                block,
                elem_bytes: a.elem_bytes.max(1),
                count,
                row: a.row,
                start,
                declared,
                sites: vec![s],
            }),
        }
    }
    out
}

/// The allocation that contains most of a site's samples.
fn heap_object<'a>(job: &'a Job, s: &Site) -> Option<&'a crate::file::Object> {
    let share = |o: &crate::file::Object| {
        let bytes = o.nblocks.div_ceil(job.threads as u64).max(1) * o.nbytes;
        let inside = |p: &&crate::file::Sample| p.offset >= o.offset && p.offset < o.offset + bytes;
        s.of.iter().flat_map(|x| x.record.samples.iter()).filter(inside).count()
    };
    job.objects
        .iter()
        .filter(|o| o.nblocks > 1)
        .map(|o| (share(o), o))
        .filter(|(n, _)| *n > 0)
        .max_by_key(|(n, _)| *n)
        .map(|(_, o)| o)
}

impl Array<'_> {
    fn index(&self, thread: usize, offset: u64, threads: u64) -> Option<u64> {
        let local = offset.checked_sub(self.start)? / self.elem_bytes;
        let index = (local / self.block * threads + thread as u64) * self.block + local % self.block;
        (self.count == 0 || index < self.count).then_some(index)
    }

    /// The accesses of each thread at each site that give evidence.
    fn uses(&self, job: &Job) -> Vec<Use> {
        let shares = self.sites.iter().flat_map(|s| s.of.iter().map(move |x| (*s, x)));
        shares.filter_map(|(s, x)| self.uses_of(job, s, x)).collect()
    }

    fn uses_of(&self, job: &Job, s: &Site, x: &Share) -> Option<Use> {
        let n = x.accesses().all();
        if n == 0.0 {
            return None;
        }
        if let (Some(d), false) = (s.about.follows, s.about.affinity.is_empty()) {
            return Some(Use { thread: x.thread as u64, n, of: Of::Iteration(d.unsigned_abs()) });
        }
        let mut elements = vec![];
        for (t, list) in x.samples_by_thread() {
            let weight = x.record.hits.get(t).copied().unwrap_or(0) as f64 / list.len() as f64;
            let index = |p: &&Sample| Some((self.index(t, p.offset, job.threads as u64)?, weight));
            elements.extend(list.iter().filter_map(index));
        }
        let enough = x.record.samples.len() >= LEAST_SAMPLES.min(n as usize) && !elements.is_empty();
        enough.then_some(Use { thread: x.thread as u64, n, of: Of::Elements(elements) })
    }
}

/// The use of an array by a thread at a site, with the number of accesses.
struct Use {
    thread: u64,
    n: f64,
    of: Of,
}

enum Of {
    /// The element at this distance from that of its iteration, which moves with the array.
    Iteration(u64),
    /// These, with their weights.
    Elements(Vec<(u64, f64)>),
}

impl Use {
    /// Accesses to own memory if the block size were `block`.
    fn own(&self, block: u64, threads: u64) -> f64 {
        match &self.of {
            Of::Iteration(d) if *d >= block => 0.0,
            Of::Iteration(d) => self.n * (1.0 - *d as f64 / block as f64),
            Of::Elements(all) => {
                let own = all.iter().filter(|(i, _)| i / block % threads == self.thread);
                self.n * own.map(|e| e.1).sum::<f64>() / all.iter().map(|e| e.1).sum::<f64>()
            }
        }
    }
}

fn array(job: &Job, a: &Array, costs: &Costs) -> Option<Advice> {
    let threads = job.threads as u64;
    if threads < 2 || a.count < 2 * threads {
        return None;
    }
    let mut candidates: BTreeSet<u64> = (0..).map(|k| 1u64 << k).take_while(|b| *b < a.count).collect();
    candidates.insert(a.count.div_ceil(threads));
    if a.row > 1 {
        candidates.extend([a.row, (a.count / a.row).div_ceil(threads) * a.row]);
    }
    candidates.remove(&a.block);
    let uses = a.uses(job);
    let own = |block: u64| uses.iter().map(|u| u.own(block, threads)).sum::<f64>();
    let (own_now, all) = (own(a.block), uses.iter().map(|u| u.n).sum::<f64>());
    if all < LEAST {
        return None;
    }
    // Of equally good block sizes the one that divides the array evenly is preferred.
    let even = |b: u64| a.count.div_ceil(threads) == b;
    let best = candidates.iter().map(|b| (own(*b), even(*b), *b));
    let (own_then, _, block) = best.max_by(|x, y| {
        (x.0 + if x.1 { all * 0.01 } else { 0.0 }).total_cmp(&(y.0 + if y.1 { all * 0.01 } else { 0.0 }))
    })?;
    let (now, then) = (own_now / all, own_then / all);
    if then < now + BETTER_BY || then < AT_LEAST {
        return None;
    }
    // The difference between the cost of an access to another thread's memory and one to own memory, here.
    let (mut cost, mut remote) = (0.0, 0.0);
    for s in &a.sites {
        for x in &s.of {
            let by = x.accesses();
            if by.far > 0.0 {
                cost += x.timed_ns;
                remote += by.far;
            } else if let (true, Some(ns)) = (by.near > 0.0, x.near_load_ns) {
                cost += (ns - x.own_load_ns.unwrap_or(0.0)).max(0.0) * by.near;
                remote += by.near;
            }
        }
    }
    if remote == 0.0 {
        return None;
    }
    let each = cost / remote;
    let gain = (own_then - own_now) * each;
    let widest = a.sites.iter().max_by(|x, y| x.accesses().remote().total_cmp(&y.accesses().remote()))?;
    let (file, line) = a.declared.clone().unwrap_or((widest.about.file.clone(), widest.about.line));
    let _ = costs;
    let lines: BTreeSet<u32> = a.sites.iter().filter(|s| s.accesses().remote() > 0.0).map(|s| s.about.line).collect();
    let lines: Vec<String> = lines.iter().take(6).map(|l| l.to_string()).collect();
    let declaration = match widest.about.is_split_c {
        true => format!("`{}[{}]::[{block}]`", a.name, if even(block) { "PROCS" } else { "..." }),
        false => format!("shared [{block}]{}", if even(block) { ", as shared [*] does" } else { "" }),
    };
    Some(Advice {
        rule: "block",
        file,
        line,
        what: format!("block `{}` by {block} ({declaration}) instead of {}", a.name, a.block),
        evidence: vec![
            format!(
                "{} of {} accesses (line {}) are to other threads' memory",
                percent(1.0 - now),
                number(all),
                lines.join(", ")
            ),
            format!(
                "with blocks of {block}, by the elements that each thread was observed to use: {}",
                percent(1.0 - then)
            ),
            format!("an access to another thread's memory costs {} more than one to own memory", time(each)),
        ],
        gain_ns: gain,
        gain_share: 0.0,
        confidence: 0.7,
    })
}
