//! Advice on jobs whose truth is known, and what putting traces together must get right whatever the threads' clocks.

use fathom_explain::file::{Clock, Event, Lock, Record, Sample, Trace};
use fathom_explain::site::{About, Form};
use fathom_explain::{advise, lines, Advice, Costs, Job};

const MS: u64 = 1_000_000;

fn about(construct: &str, object: &str, extra: impl FnOnce(&mut About)) -> About {
    let mut a = About {
        file: "p.upc".into(),
        line: 10,
        construct: construct.into(),
        text: format!("{object}[i]"),
        object: object.into(),
        block: Some(1),
        elem_bytes: 8,
        form: Form::Tested,
        loop_line: 9,
        ..About::default()
    };
    extra(&mut a);
    a
}

/// A trace of `ms` milliseconds, a tick a nanosecond; every thread far from every other one.
fn trace(thread: usize, threads: usize, ms: u64, sites: Vec<Record>) -> Trace {
    Trace {
        thread,
        threads,
        near: thread..thread + 1,
        ended: true,
        clock: Clock { start_ticks: 0, start_ns: 5, last_ticks: ms * MS, last_ns: ms * MS + 5 },
        started_unix_ns: 1,
        conduit: "template".into(),
        processors: 64,
        sites,
        ..Trace::default()
    }
}

fn walk(to: usize, n: u64, stride: u64, times: u64) -> Vec<Sample> {
    let round = n / times;
    // Groups of 8 that follow each other, all over the walk.
    let at = |i: u64| Sample { thread: to, offset: 4096 + i % round * stride, number: i, weight: 1, epoch: 0 };
    (0..16).flat_map(|g| (0..8).map(move |i| g * n / 16 + i)).take(n as usize).map(at).collect()
}

/// Thread `me` of `threads` reads n words of the next one, a µs each.
fn reader(me: usize, threads: usize, n: u64, stride: u64, times: u64) -> Record {
    let mut hits = vec![0; threads];
    hits[(me + 1) % threads] = n;
    Record {
        about: about("read", "a", |a| a.block = Some(1 << 20)),
        hits,
        moved: vec![0; threads],
        timed: n,
        ticks: n * 1000,
        bytes: 8,
        samples: walk((me + 1) % threads, n, stride, times),
        ..Record::default()
    }
}

fn advice(traces: Vec<Trace>) -> Vec<Advice> {
    advise(&Job::new(traces).expect("a job"), &Costs::default())
}

fn rules(list: &[Advice]) -> Vec<&str> {
    list.iter().map(|a| a.rule).collect()
}

#[test]
fn a_walk_of_single_reads_is_to_be_aggregated_and_the_gain_is_what_it_costs_less_a_block() {
    let found = advice((0..2).map(|t| trace(t, 2, 2, vec![reader(t, 2, 1000, 8, 1)])).collect());
    assert_eq!(rules(&found), ["aggregate"]);
    let a = &found[0];
    assert_eq!((a.file.as_str(), a.line), ("p.upc", 10));
    assert!(a.what.contains("upc_memget") && a.what.contains("line 9"), "{}", a.what);
    // 2 ms of single reads; a block of a µs and 8 bytes each 16 ns instead, on each thread.
    assert!(a.gain_ns > 1.9e6 && a.gain_ns < 2e6, "{}", a.gain_ns);
    assert!((a.gain_share - a.gain_ns / 4e6).abs() < 0.01, "{}", a.gain_share);
}

#[test]
fn reads_without_a_pattern_or_without_weight_get_no_advice() {
    // At random: no two distances alike.
    let mut random = reader(0, 2, 1000, 8, 1);
    for (i, s) in random.samples.iter_mut().enumerate() {
        s.offset = 4096 + (i as u64 * i as u64 * 7919) % 100_003 * 8;
    }
    assert!(advice(vec![trace(0, 2, 2, vec![random]), trace(1, 2, 2, vec![])]).is_empty());
    // A millisecond of a second.
    let little = |t| trace(t, 2, 1000, vec![reader(t, 2, 1000, 8, 1)]);
    assert!(advice((0..2).map(little).collect()).is_empty());
}

#[test]
fn what_is_read_over_and_over_is_to_be_copied_and_a_writer_is_named() {
    let mut write = reader(0, 2, 1, 8, 1);
    write.about = about("write", "a", |a| a.line = 20);
    let meanwhile = trace(0, 2, 8, vec![reader(0, 2, 6400, 8, 100), write.clone()]);
    assert!(!rules(&advice(vec![meanwhile, trace(1, 2, 8, vec![])])).contains(&"cache"), "between the same barriers");
    write.samples.iter_mut().for_each(|s| s.epoch = 7);
    let found = advice(vec![trace(0, 2, 8, vec![reader(0, 2, 6400, 8, 100), write]), trace(1, 2, 8, vec![])]);
    assert_eq!(rules(&found), ["cache"], "{found:?}");
    assert!(found[0].evidence.iter().any(|e| e.contains("each was read 1")), "{:?}", found[0].evidence);
    assert!(found[0].evidence.iter().any(|e| e.contains("line 20")), "{:?}", found[0].evidence);
}

/// The same number of reads of each element, but after a barrier each: what was read may have been written anew.
#[test]
fn what_is_read_once_after_each_barrier_need_not_be_copied() {
    let times = 100;
    let job = |barriers: u64| {
        let wait = Record {
            about: about("upc_barrier", "", |a| a.line = 30),
            hits: vec![0; 2],
            moved: vec![0; 2],
            calls: barriers,
            ..Record::default()
        };
        let mut read = reader(0, 2, 6400, 8, times);
        read.samples.iter_mut().for_each(|s| s.epoch = (s.number * barriers / 6400) as u32);
        advice(vec![trace(0, 2, 8, vec![read, wait]), trace(1, 2, 8, vec![])])
    };
    assert!(job(5)[0].what.contains("once after a barrier"), "{:?}", job(5));
    assert!(job(0)[0].what.contains("memory once (upc_memget)"), "{:?}", job(0));
    assert!(!rules(&job(times)).contains(&"cache"), "{:?}", job(times));
}

/// A loop that waits for the other thread between its reads cannot read everything before.
#[test]
fn reads_that_wait_for_their_writer_are_not_to_be_aggregated() {
    let job = |strict: bool| {
        let mut flag = reader(0, 2, 1000, 0, 1000);
        flag.about = about("read", "flag", |a| (a.line, a.strict) = (11, strict));
        flag.timed = 0;
        flag.ticks = 0;
        flag.samples.iter_mut().for_each(|s| s.offset = 8 * (s.number % 2));
        advice(vec![trace(0, 2, 2, vec![reader(0, 2, 1000, 8, 1), flag]), trace(1, 2, 2, vec![])])
    };
    assert!(rules(&job(false)).contains(&"aggregate"), "{:?}", job(false));
    assert!(!rules(&job(true)).contains(&"aggregate"), "{:?}", job(true));
}

/// Each thread writes to words of its own, `apart` bytes from the next thread's; or all write to the same one.
#[test]
fn neighbours_in_a_line_are_false_sharing_if_they_are_slow_and_each_has_its_own() {
    let job = |apart: u64, ticks: u64| {
        let record = |me: usize| {
            let at = |i: u64| Sample { thread: 0, offset: 4096 + me as u64 * apart, number: i, weight: 1, epoch: 0 };
            let mut hits = vec![0; 4];
            hits[0] = 10_000;
            Record {
                about: about("update", "count", |a| a.form = Form::Subscript),
                hits,
                moved: vec![0; 4],
                bytes: 8,
                own_loads: 10,
                own_ticks: ticks,
                near_loads: 10,
                near_ticks: ticks,
                samples: (0..64).map(at).collect(),
                ..Record::default()
            }
        };
        let near = |me: usize| Trace { near: 0..4, ..trace(me, 4, 1, vec![record(me)]) };
        advice((0..4).map(near).collect())
    };
    let found = job(8, 500);
    assert_eq!(rules(&found), ["sharing"], "{found:?}");
    assert!(
        (found[0].gain_share - 0.5).abs() < 0.01,
        "4 times 10 000 writes of 50 ns in 4 ms: {}",
        found[0].gain_share
    );
    assert!(job(8, 0).is_empty(), "the lines stay where they are");
    assert!(job(64, 500).is_empty(), "each has a line");
    assert!(job(0, 500).is_empty(), "one object: that is not false");
}

/// A cyclic array of which each thread uses a quarter that lies together.
#[test]
fn an_array_used_in_blocks_is_to_be_laid_out_in_blocks() {
    let threads = 4;
    let n = 4000u64;
    let record = |me: usize| {
        let (mut hits, mut samples) = (vec![0; threads], vec![]);
        for k in 0..n / 4 {
            let i = me as u64 * n / 4 + k;
            let (t, local) = ((i % 4) as usize, i / 4);
            if k % 8 == 0 || k % 8 == 3 {
                samples.push(Sample { thread: t, offset: 64 + local * 8, number: hits[t], weight: 1, epoch: 0 });
            }
            hits[t] += 1;
        }
        Record {
            about: about("update", "a", |a| a.count = Some((1000, true))),
            timed: n / 4 * 3 / 4,
            ticks: n / 4 * 3 / 4 * 1000,
            hits,
            moved: vec![0; threads],
            bytes: 8,
            object: 64,
            samples,
            ..Record::default()
        }
    };
    let found = advice((0..threads).map(|t| trace(t, threads, 1, vec![record(t)])).collect());
    assert_eq!(rules(&found), ["block"], "{found:?}");
    assert!(found[0].what.contains("`a` by 1000") && found[0].what.contains("shared [*]"), "{}", found[0].what);
}

/// Iterations that follow the array move with it: neighbours are far in a cyclic array, near in blocks.
#[test]
fn neighbours_of_own_elements_want_blocks_too_but_own_elements_do_not() {
    let record = |me: usize, distance: i64| {
        let mut hits = vec![0; 4];
        hits[(me as i64 + distance).rem_euclid(4) as usize] = 1000;
        let far = if distance == 0 { 0 } else { 1000 };
        let extra = |a: &mut About| {
            a.count = Some((1000, true));
            a.follows = Some(distance);
            a.affinity = "&a[i]".into();
            a.column = distance.unsigned_abs() as u32;
        };
        Record {
            about: about("read", "a", extra),
            timed: far,
            ticks: far * 1000,
            hits,
            moved: vec![0; 4],
            bytes: 8,
            object: 64,
            ..Record::default()
        }
    };
    let found = advice((0..4).map(|t| trace(t, 4, 1, vec![record(t, 0), record(t, 1)])).collect());
    assert_eq!(rules(&found), ["block"], "{found:?}");
    assert!(advice((0..4).map(|t| trace(t, 4, 1, vec![record(t, 0)])).collect()).is_empty());
}

fn barriers(thread: usize, waits: &[u64], late_ms: u64) -> Trace {
    let ticks = waits.iter().sum();
    let record = Record {
        about: about("upc_barrier", "", |a| a.line = 30),
        hits: vec![0; 2],
        moved: vec![0; 2],
        calls: waits.len() as u64,
        timed: waits.len() as u64,
        ticks,
        ..Record::default()
    };
    let mut t = trace(thread, 2, late_ms, vec![record]);
    let event = |(i, w): (usize, &u64)| Event {
        begin: (i as u64 + 1) * MS - w,
        end: (i as u64 + 1) * MS,
        site: 0,
        other: None,
        barrier: Some(i as u64),
    };
    t.events = waits.iter().enumerate().map(event).collect();
    t
}

#[test]
fn a_thread_that_is_always_late_is_named_and_one_that_is_late_by_turns_is_not() {
    let late = MS / 2;
    let found = advice(vec![barriers(0, &[late; 8], 9), barriers(1, &[100; 8], 9)]);
    assert_eq!(rules(&found), ["imbalance"], "{found:?}");
    assert!(found[0].what.starts_with("thread 1 comes to this barrier later"), "{}", found[0].what);
    let busy = |thread: usize, n: u64| {
        let mut t = barriers(thread, &[if thread == 0 { late } else { 100 }; 8], 9);
        let hits = (0..2).map(|to| if to == thread { n } else { 0 }).collect();
        t.sites.push(Record { about: about("read", "a", |_| {}), hits, moved: vec![0; 2], ..Record::default() });
        t
    };
    let found = advice(vec![busy(0, 1000), busy(1, 3000)]);
    assert!(found[0].what.starts_with("thread 1 has more to do"), "{}", found[0].what);
    // Once in a while something else comes in between.
    let once = |w: u64| [1000, 1000, 1000, w, 1000, 1000, 1000, 1000];
    assert!(advice(vec![barriers(0, &once(4 * MS), 9), barriers(1, &[100; 8], 9)]).is_empty());
    let turns = |odd: bool| (0..8).map(|i| if (i % 2 == 1) == odd { late } else { 100 }).collect::<Vec<_>>();
    let found = advice(vec![barriers(0, &turns(true), 9), barriers(1, &turns(false), 9)]);
    assert_eq!(rules(&found), ["imbalance"], "{found:?}");
    assert!(found[0].what.contains("varies"), "{}", found[0].what);
    // Threads without a processor each: a wait says nothing about the work.
    let mut crowded = [barriers(0, &[late; 8], 9), barriers(1, &[100; 8], 9)];
    for t in &mut crowded {
        (t.processors, t.near) = (1, 0..2);
    }
    assert!(advice(crowded.to_vec()).is_empty());
    // Short waits.
    assert!(advice(vec![barriers(0, &[1000; 8], 9), barriers(1, &[100; 8], 9)]).is_empty());
}

#[test]
fn a_lock_that_threads_wait_for_is_contended_and_one_that_they_take_freely_is_not() {
    let job = |waited: u64| {
        let of = |thread| {
            let record = Record {
                about: about("upc_lock", "l", |_| {}),
                hits: vec![100, 0],
                moved: vec![0; 2],
                calls: 100,
                timed: 100,
                ticks: waited,
                ..Record::default()
            };
            let mut t = trace(thread, 2, 1, vec![record]);
            let lock = Lock {
                address: 4096,
                taken: 100,
                waited,
                held: 20_000,
                held_timed: 100,
                longest: 9000,
                shortest: 50,
                site: 0,
            };
            t.locks = vec![lock];
            t
        };
        advice(vec![of(0), of(1)])
    };
    let found = job(400_000);
    assert_eq!(rules(&found), ["contention"], "{found:?}");
    assert!(found[0].evidence[0].contains("taken 200 times by 2 threads"), "{:?}", found[0].evidence);
    assert!(job(6_000).is_empty());
}

#[test]
fn threads_of_different_computers_are_put_on_one_clock_by_their_barriers() {
    let mut traces = vec![barriers(0, &[1000; 8], 9), barriers(1, &[2000; 8], 9)];
    traces[1].host = "other".into();
    traces[1].clock.start_ns += 3_600_000_000_000;
    traces[1].clock.last_ns += 3_600_000_000_000;
    let job = Job::new(traces).expect("a job");
    let ends: Vec<f64> = job.events.iter().map(|e| (e.end_ns / 1e6).round()).collect();
    assert_eq!(ends, (1..=8).flat_map(|i| [f64::from(i); 2]).collect::<Vec<_>>());
    assert!(job.wall_ns < 10e6, "{}", job.wall_ns);
}

#[test]
fn threads_that_are_missing_or_did_not_end_are_said_and_old_traces_are_left_out() {
    let mut open = trace(2, 4, 1, vec![]);
    open.ended = false;
    let mut old = trace(1, 4, 1, vec![]);
    open.started_unix_ns = 3_600_000_000_000;
    old.started_unix_ns = 1;
    let job = Job::new(vec![open, old]).expect("a job");
    let said = job.remarks.join("\n");
    for part in [
        "1 traces are of an earlier job",
        "no trace of thread 0, 1, 3",
        "did not end normally (killed, crashed, or still running): thread 2;",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(Job::new(vec![]).is_err());
}

#[test]
fn loads_that_overlapped_are_scaled_to_the_time_there_was() {
    let record = Record {
        about: about("read", "a", |_| {}),
        hits: vec![10_000, 0],
        moved: vec![0; 2],
        own_loads: 10,
        own_ticks: 3000,
        bytes: 8,
        ..Record::default()
    };
    let job = Job::new(vec![trace(0, 2, 1, vec![record]), trace(1, 2, 1, vec![])]).expect("a job");
    let all = lines(&job, &Costs::default());
    let ns = all[0].measured_ns.expect("sampled");
    assert!((ns - 1e6).abs() < 1.0, "{ns}");
}

/// What a file can be cut to, or filled with, never is a panic.
#[test]
fn damaged_files_are_errors() {
    let mut bytes = b"FATHOMX\n".to_vec();
    for n in 0..400 {
        assert!(Trace::parse(&bytes).is_err(), "{n}");
        bytes.push((n * 37 % 251) as u8);
    }
    for word in [0u64, 1, u64::MAX, 1 << 40, 4096] {
        let mut header = b"FATHOMX\n".to_vec();
        header.extend(1u64.to_le_bytes());
        for _ in 0..200 {
            header.extend(word.to_le_bytes());
        }
        let _ = Trace::parse(&header);
    }
}

#[test]
fn mechanisms_are_compared_by_the_profile_where_their_shape_and_size_were_measured() {
    let mechanism = |name: &str, stride, ns: f64| fathom_explain::Mechanism {
        decision: "gather".into(),
        mechanism: name.into(),
        first: vec![(8, 15)],
        stride: vec![stride],
        is_crowded: false,
        times: vec![(64.0, ns), (4096.0, 64.0 * ns)],
    };
    let near = (0, 127);
    let costs = Costs {
        mechanisms: vec![
            mechanism("loop", near, 10.0),
            mechanism("vector", near, 5.0),
            mechanism("wide", (128, 999), 1.0),
        ],
        ..Costs::default()
    };
    let at = |first, stride, bytes| costs.of_mechanisms("gather", first, stride, bytes);
    assert_eq!(at(8, 64, 4096.0), [("vector".to_string(), 320.0), ("loop".to_string(), 640.0)]);
    assert_eq!(at(8, 256, 64.0), [("wide".to_string(), 1.0)]);
    assert!(at(8, 64, 8192.0).is_empty() && at(16, 64, 64.0).is_empty(), "nothing is said where nothing was measured");
}
