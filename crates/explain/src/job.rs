//! The joined traces of a job's threads: a site is the same for all threads, times are nanoseconds since the job's
//! start on one clock, and remarks name missing parts.

use crate::file::{Clock, Lock, Object, Record, Sample, Trace};
use crate::site::About;
use std::collections::HashMap;

#[derive(Clone, Debug, Default)]
pub struct Job {
    pub threads: usize,
    pub conduit: String,
    pub program: String,
    pub hosts: Vec<String>,
    /// Of the first thread's computer.
    pub processors: usize,
    /// Do the threads of one computer outnumber its processors?
    pub crowded: bool,
    pub sites: Vec<Site>,
    /// By thread; 0 for a thread without a trace.
    pub run_ns: Vec<f64>,
    /// By thread: the time for which another process had its processor while it was not in a call that waits; 0 if
    /// unknown.
    pub displaced_ns: Vec<f64>,
    /// By thread: the time without a processor, for any reason; 0 if unknown.
    pub absent_ns: Vec<f64>,
    /// From the first start to the last recorded time.
    pub wall_ns: f64,
    pub locks: Vec<LockUse>,
    pub objects: Vec<Object>,
    pub events: Vec<Event>,
    pub events_lost: u64,
    pub events_lost_ns: f64,
    pub fence_ns: f64,
    /// The start of its last thread.
    pub started_unix_ns: u64,
    /// The tuning table that was read; empty if the built-in defaults were used.
    pub table: String,
    /// Problems: threads without a trace, threads that did not end.
    pub remarks: Vec<String>,
}

/// A site, with each thread's counts and times.
#[derive(Clone, Debug, Default)]
pub struct Site {
    pub about: About,
    pub of: Vec<Share>,
}

/// The counts and times of one thread at a site. Times are nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Share {
    pub record: Record,
    pub near: std::ops::Range<usize>,
    pub thread: usize,
    pub timed_ns: f64,
    /// The time of a call that was not timed, estimated from those that represent it; None if there are none.
    pub untimed_ns: Option<f64>,
    /// The time of a load of own memory and of a near thread's, beyond a hit in the first cache; None if none was
    /// timed.
    pub own_load_ns: Option<f64>,
    pub near_load_ns: Option<f64>,
    /// The thread was in the call when its trace ended.
    pub is_inside: bool,
}

/// The distance of an object from the thread that accesses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    Own,
    Near,
    Far,
}

/// Accesses (or bytes) by distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct ByDistance {
    pub own: f64,
    pub near: f64,
    pub far: f64,
}

impl ByDistance {
    pub fn all(&self) -> f64 {
        self.own + self.near + self.far
    }
    pub fn remote(&self) -> f64 {
        self.near + self.far
    }
    fn at(&mut self, d: Distance) -> &mut f64 {
        match d {
            Distance::Own => &mut self.own,
            Distance::Near => &mut self.near,
            Distance::Far => &mut self.far,
        }
    }
    pub fn add(&mut self, other: ByDistance) {
        self.own += other.own;
        self.near += other.near;
        self.far += other.far;
    }
}

/// A lock, with the counts and times of all threads.
#[derive(Clone, Debug, Default)]
pub struct LockUse {
    pub address: u64,
    pub taken: u64,
    /// Threads that took it.
    pub by: usize,
    pub waited_ns: f64,
    pub held_ns: f64,
    pub longest_ns: f64,
    pub shortest_ns: f64,
    /// Index of the site of the last `upc_lock`.
    pub site: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub thread: usize,
    pub start_ns: f64,
    pub end_ns: f64,
    /// Index into the job's sites.
    pub site: usize,
    pub other: Option<usize>,
    /// The number of the barrier at its site, from 0.
    pub barrier: Option<u64>,
}

/// Traces of one job begin within this time of each other.
const SAME_JOB_NS: u64 = 60_000_000_000;
/// Nanoseconds per tick if no thread ran long enough to measure it: 2.5 GHz.
const USUAL_RATE: f64 = 0.4;

impl Job {
    /// Joins traces; fails with a sentence if there is none.
    pub fn new(mut traces: Vec<Trace>) -> Result<Job, String> {
        traces.sort_by_key(|t| t.thread);
        let first = traces.iter().max_by_key(|t| t.started_unix_ns).ok_or("there is no trace")?;
        let (newest, threads) = (first.started_unix_ns, first.threads);
        let old = traces.len();
        traces.retain(|t| newest - t.started_unix_ns < SAME_JOB_NS && t.threads == threads);
        let mut job = Job { threads, started_unix_ns: newest, ..Job::default() };
        if traces.len() < old {
            job.remarks.push(format!("{} traces are of an earlier job and were left out", old - traces.len()));
        }
        job.describe(&traces);
        let rate = traces.iter().filter_map(|t| t.clock.rate().map(|r| (t.clock.last_ns - t.clock.start_ns, r)));
        let common = rate.max_by_key(|(ns, _)| *ns).map_or(USUAL_RATE, |(_, r)| r);
        let offsets = offsets(&traces, common);
        let start = traces.iter().zip(&offsets).map(|(t, o)| t.clock.start_ns as f64 + o).fold(f64::MAX, f64::min);
        job.run_ns = vec![0.0; threads];
        job.absent_ns = vec![0.0; threads];
        let mut index: HashMap<About, usize> = HashMap::new();
        for (t, offset) in traces.iter_mut().zip(&offsets) {
            let records = std::mem::take(&mut t.sites);
            let rate = t.clock.rate().unwrap_or(common);
            let at = |ticks: u64| time(&t.clock, rate, ticks) + offset - start;
            let mut last = at(t.clock.last_ticks);
            let mut of_thread = vec![];
            for record in records {
                let site = match index.get(&record.about) {
                    Some(site) => *site,
                    None => {
                        job.sites.push(Site { about: record.about.clone(), of: vec![] });
                        index.insert(record.about.clone(), job.sites.len() - 1);
                        job.sites.len() - 1
                    }
                };
                of_thread.push(site);
                job.sites[site].add(t, record, rate);
            }
            for e in &t.events {
                let (start_ns, end_ns) = (at(e.begin), at(e.end));
                last = last.max(end_ns);
                let site = of_thread[e.site];
                job.events.push(Event { thread: t.thread, start_ns, end_ns, site, other: e.other, barrier: e.barrier });
            }
            job.events_lost += t.events_lost;
            job.events_lost_ns += t.events_lost_ticks as f64 * rate;
            job.run_ns[t.thread] = last - at(t.clock.start_ticks);
            job.wall_ns = job.wall_ns.max(last);
            if t.processor_ns > 0 {
                job.absent_ns[t.thread] = (job.run_ns[t.thread] - t.processor_ns as f64).max(0.0);
            }
            job.fence_ns = job.fence_ns.max(t.fence_ticks as f64 * rate);
            for l in &t.locks {
                let site = of_thread.get(l.site).copied().unwrap_or(0);
                job.add_lock(l, site, rate);
            }
            let of = |o: &Object| Object { site: of_thread.get(o.site).copied().unwrap_or(0), ..*o };
            for o in t.objects.iter().map(of) {
                // A collective allocation of all threads is one object.
                let same = |x: &Object| (x.thread, x.offset, x.nbytes) == (o.thread, o.offset, o.nbytes);
                if !job.objects.iter().any(same) {
                    job.objects.push(o);
                }
            }
        }
        job.events.sort_by(|a, b| a.start_ns.total_cmp(&b.start_ns));
        job.overlap();
        job.displaced();
        Ok(job)
    }

    /// Loads that were timed alone overlap otherwise: together they cannot take longer than their thread's time. The
    /// sampled times are scaled so that they fit beside the timed calls.
    fn overlap(&mut self) {
        let (mut timed, mut sampled) = (vec![0.0; self.threads], vec![0.0; self.threads]);
        for s in &self.sites {
            for x in &s.of {
                let loads = x.sampled_ns(&s.about).unwrap_or(0.0);
                timed[x.thread] += x.measured_ns(&s.about).unwrap_or(0.0) - loads;
                sampled[x.thread] += loads;
            }
        }
        for x in self.sites.iter_mut().flat_map(|s| &mut s.of) {
            let room = (self.run_ns[x.thread] - timed[x.thread]).max(0.0);
            if sampled[x.thread] <= room {
                continue;
            }
            for ns in [&mut x.own_load_ns, &mut x.near_load_ns].into_iter().flatten() {
                *ns *= room / sampled[x.thread];
            }
        }
    }

    /// A waiting thread gives its processor away; the rest of its absence was taken.
    fn displaced(&mut self) {
        self.displaced_ns = self.absent_ns.clone();
        for x in self.sites.iter().filter(|s| s.about.waits()).flat_map(|s| s.of.iter().map(move |x| (s, x))) {
            self.displaced_ns[x.1.thread] -= x.1.measured_ns(&x.0.about).unwrap_or(0.0);
        }
        self.displaced_ns.iter_mut().for_each(|ns| *ns = ns.max(0.0));
    }

    fn describe(&mut self, traces: &[Trace]) {
        let first = &traces[0];
        (self.conduit, self.program) = (first.conduit.clone(), first.program.clone());
        self.processors = first.processors;
        self.table = first.table.clone();
        self.crowded = first.processors > 0 && first.near.len() > first.processors;
        for t in traces {
            if !self.hosts.contains(&t.host) {
                self.hosts.push(t.host.clone());
            }
        }
        let list = |wanted: &dyn Fn(usize) -> bool| {
            let names: Vec<String> = (0..self.threads).filter(|t| wanted(*t)).map(|t| t.to_string()).collect();
            names.join(", ")
        };
        let missing = list(&|t| !traces.iter().any(|x| x.thread == t));
        if !missing.is_empty() {
            self.remarks.push(format!(
                "no trace of thread {missing}: it may be on another computer's disk, or there was no room for it"
            ));
        }
        let open = list(&|t| traces.iter().any(|x| x.thread == t && !x.ended));
        if !open.is_empty() {
            self.remarks.push(format!(
                "did not end normally (killed, crashed, or still running): thread {open}; counts are complete except \
                 for the loops in which that was"
            ));
        }
    }

    fn add_lock(&mut self, l: &Lock, site: usize, rate: f64) {
        let at = match self.locks.iter().position(|x| x.address == l.address) {
            Some(at) => at,
            None => {
                self.locks.push(LockUse { address: l.address, shortest_ns: f64::MAX, ..LockUse::default() });
                self.locks.len() - 1
            }
        };
        let u = &mut self.locks[at];
        if l.taken > 0 {
            u.by += 1;
            u.shortest_ns = u.shortest_ns.min(l.shortest as f64 * rate);
            u.site = site;
        }
        u.taken += l.taken;
        u.waited_ns += l.waited as f64 * rate;
        if l.held_timed > 0 {
            u.held_ns += l.held as f64 / l.held_timed as f64 * l.taken as f64 * rate;
        }
        u.longest_ns = u.longest_ns.max(l.longest as f64 * rate);
    }

    /// The number of barriers (or second halves of split ones) of a thread.
    pub fn barriers_of(&self, thread: usize) -> f64 {
        let ends = |s: &&Site| s.about.ends_barrier();
        let of = |s: &Site| s.of.iter().filter(|x| x.thread == thread).map(|x| x.record.calls as f64).sum::<f64>();
        self.sites.iter().filter(ends).map(of).sum()
    }

    /// Nanoseconds of all threads together.
    pub fn thread_ns(&self) -> f64 {
        self.run_ns.iter().sum()
    }

    /// Accesses and bytes from each thread to each.
    pub fn matrix(&self) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut accesses = vec![vec![0.0; self.threads]; self.threads];
        let mut bytes = accesses.clone();
        for s in &self.sites {
            for x in &s.of {
                for t in 0..self.threads {
                    accesses[x.thread][t] += x.record.hits.get(t).copied().unwrap_or(0) as f64;
                    bytes[x.thread][t] += x.bytes_to(t);
                }
            }
        }
        (accesses, bytes)
    }
}

fn time(clock: &Clock, rate: f64, ticks: u64) -> f64 {
    clock.start_ns as f64 + (ticks as f64 - clock.start_ticks as f64) * rate
}

/// The correction of each thread's nanoseconds that puts all on one clock: 0 on one computer; between computers the one
/// with which the ends of the same barriers coincide.
fn offsets(traces: &[Trace], common: f64) -> Vec<f64> {
    let ends = |t: &Trace| -> HashMap<(usize, u64), f64> {
        let rate = t.clock.rate().unwrap_or(common);
        let barrier = |site: usize| t.sites[site].about.is_barrier();
        let all = t.events.iter().filter(|e| barrier(e.site));
        all.filter_map(|e| Some(((e.site, e.barrier?), time(&t.clock, rate, e.end)))).collect()
    };
    let reference = &traces[0];
    let theirs = ends(reference);
    let offset = |t: &Trace| {
        if (&t.host, &t.boot) == (&reference.host, &reference.boot) {
            return 0.0;
        }
        let mut apart: Vec<f64> = ends(t).iter().filter_map(|(k, mine)| Some(theirs.get(k)? - mine)).collect();
        if apart.is_empty() {
            return reference.clock.start_ns as f64 - t.clock.start_ns as f64;
        }
        apart.sort_by(f64::total_cmp);
        apart[apart.len() / 2]
    };
    traces.iter().map(offset).collect()
}

/// The time of calls that were not timed. A single long call among those that represent them does not change it.
fn typical(r: &Record) -> Option<f64> {
    match r.sampled {
        0 => None,
        1 => Some(r.sampled_ticks as f64),
        n => Some((r.sampled_ticks - r.sampled_longest.min(r.sampled_ticks)) as f64 / (n - 1) as f64),
    }
}

impl Site {
    fn add(&mut self, t: &Trace, r: Record, rate: f64) {
        let mean = |ticks: u64, n: u64| (n > 0).then(|| ticks as f64 / n as f64 * rate);
        let share = Share {
            near: t.near.clone(),
            thread: t.thread,
            timed_ns: (r.ticks + r.sampled_ticks) as f64 * rate,
            untimed_ns: typical(&r).map(|ticks| ticks * rate),
            own_load_ns: mean(r.own_ticks, r.own_loads),
            near_load_ns: mean(r.near_ticks, r.near_loads),
            is_inside: r.began != 0 && !t.ended,
            record: r,
        };
        // Two sites of two objects may have the same record (an inline function in a header).
        match self.of.iter_mut().find(|x| x.thread == t.thread) {
            Some(x) => x.merge(share),
            None => self.of.push(share),
        }
    }

    pub fn accesses(&self) -> ByDistance {
        let mut sum = ByDistance::default();
        self.of.iter().for_each(|x| sum.add(x.accesses()));
        sum
    }

    pub fn bytes(&self) -> ByDistance {
        let mut sum = ByDistance::default();
        self.of.iter().for_each(|x| sum.add(x.bytes()));
        sum
    }

    pub fn calls(&self) -> f64 {
        self.of.iter().map(|x| x.calls(&self.about)).sum()
    }

    /// The measured or sampled time of the threads here; None without measurements.
    pub fn measured_ns(&self) -> Option<f64> {
        self.of.iter().filter_map(|x| x.measured_ns(&self.about)).reduce(|a, b| a + b)
    }
}

impl Share {
    fn merge(&mut self, other: Share) {
        let (r, o) = (&mut self.record, other.record);
        for (a, b) in [(&mut r.hits, &o.hits), (&mut r.moved, &o.moved)] {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        }
        r.calls += o.calls;
        r.served.messages += o.served.messages;
        r.served.by_outbox += o.served.by_outbox;
        r.served.by_owner += o.served.by_owner;
        r.served.by_line += o.served.by_line;
        r.timed += o.timed;
        r.sampled += o.sampled;
        r.samples.extend(o.samples);
        r.choices.extend(o.choices);
        self.timed_ns += other.timed_ns;
        self.untimed_ns = self.untimed_ns.or(other.untimed_ns);
        self.own_load_ns = self.own_load_ns.or(other.own_load_ns);
        self.near_load_ns = self.near_load_ns.or(other.near_load_ns);
    }

    /// The samples by the thread to which the object has affinity, in the order of sampling.
    pub fn samples_by_thread(&self) -> Vec<(usize, Vec<&Sample>)> {
        let mut all: Vec<&Sample> = self.record.samples.iter().collect();
        all.sort_by_key(|s| s.thread);
        all.chunk_by(|a, b| a.thread == b.thread).map(|list| (list[0].thread, list.to_vec())).collect()
    }

    /// Does every access go to the same address, as those of a waiting thread?
    pub fn stays_put(&self) -> bool {
        let all = &self.record.samples;
        !all.is_empty() && all.windows(2).all(|w| (w[0].thread, w[0].offset) == (w[1].thread, w[1].offset))
    }

    pub fn distance(&self, to: usize) -> Distance {
        match to {
            t if t == self.thread => Distance::Own,
            t if self.near.contains(&t) => Distance::Near,
            _ => Distance::Far,
        }
    }

    pub fn accesses(&self) -> ByDistance {
        let mut sum = ByDistance::default();
        for (t, n) in self.record.hits.iter().enumerate() {
            *sum.at(self.distance(t)) += *n as f64;
        }
        sum
    }

    /// Bytes moved between this thread and another (or itself).
    pub fn bytes_to(&self, to: usize) -> f64 {
        let at = |v: &[u64]| v.get(to).copied().unwrap_or(0) as f64;
        at(&self.record.moved) + at(&self.record.hits) * self.record.bytes as f64
    }

    pub fn bytes(&self) -> ByDistance {
        let mut sum = ByDistance::default();
        for t in 0..self.record.hits.len() {
            *sum.at(self.distance(t)) += self.bytes_to(t);
        }
        sum
    }

    /// The number of calls, or of accesses.
    pub fn calls(&self, about: &About) -> f64 {
        let hits = || self.record.hits.iter().sum::<u64>() as f64;
        match about.construct.as_str() {
            // Short ones are not counted as calls.
            "upc_memget" | "upc_memput" | "upc_memset" => hits(),
            "upc_memget_nb" | "upc_memput_nb" | "upc_memset_nb" => hits(),
            "upc_memget_nbi" | "upc_memput_nbi" | "upc_memset_nbi" => hits(),
            _ if about.is_access() => hits(),
            _ => self.record.calls as f64,
        }
    }

    /// The time of its single near and own accesses beyond hits in the first cache; None if they are not timed.
    pub fn loads_ns(&self, about: &About) -> Option<f64> {
        self.sampled_ns(about)
    }

    pub fn measured_ns(&self, about: &About) -> Option<f64> {
        let r = &self.record;
        if !about.is_access() {
            let seen = (r.timed + r.sampled) as f64;
            let untimed = (self.calls(about) - seen).max(0.0);
            return (seen > 0.0).then(|| self.timed_ns + untimed * self.untimed_ns.unwrap_or(self.timed_ns / seen));
        }
        let far = (self.accesses().far > 0.0).then_some(self.timed_ns);
        [far, self.sampled_ns(about)].into_iter().flatten().reduce(|a, b| a + b)
    }

    /// The part of it that rests on individually timed loads.
    fn sampled_ns(&self, about: &About) -> Option<f64> {
        if about.is_private() || !about.is_access() {
            return None;
        }
        let by = self.accesses();
        let near = self.near_load_ns.filter(|_| by.near > 0.0).map(|ns| ns * by.near);
        let own = self.own_load_ns.filter(|_| by.own > 0.0).map(|ns| ns * by.own);
        [near, own].into_iter().flatten().reduce(|a, b| a + b)
    }
}
