//! The engine with threads that are scripts: times are those of LogGP's closed forms, to the picosecond, and threads go on
//! in the order of time.

use fathom_machine::{Description, Time};
use fathom_simulate::program::explain_time::{explain_time, near_and_far, Operation};
use fathom_simulate::program::shared::{NUMBERS, RECORDS, STOPS};
use fathom_simulate::program::stops::{
    Access, Ballot, Done, Ended, Message, Piece, Record, Stop, Stopped, Threads, Transfer, Turn, NOTES,
};
use fathom_simulate::program::{charges, simulate, At, Failure, Line, Outcome, Part};
use std::collections::VecDeque;

const L: Time = 5_000_000;
const O_SEND: Time = 300_000;
const O_RECV: Time = 200_000;
const PER_BYTE: Time = 40;
const GAP: Time = 100_000;

fn network() -> Description {
    let text = r#"
        [simulated]
        about = "A network for tests."
        [simulated.network]
        kind = "loggp"
        ports = { value = 64, assumed = "enough", range = [1, 64] }
        L = { value = "5 us", other = "round" }
        o_send = { value = "300 ns", other = "round" }
        o_recv = { value = "200 ns", other = "round" }
        g = { value = "100 ns", other = "round" }
        G = { value = "40 ps / (1 B)", other = "round" }
    "#;
    Description::of_file(text).unwrap().unwrap()
}

/// What the threads do between their stops.
struct Scripts {
    threads: Vec<VecDeque<Stopped>>,
    at: Vec<Stopped>,
    /// The threads in the order of their turns; with a message, the sender.
    seen: Vec<(u32, Option<u32>)>,
    answers: Vec<u64>,
}

impl Threads for Scripts {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        match turn {
            Turn::Serve(from, _) => {
                self.seen.push((t, Some(*from)));
                Ok(Stopped { records: vec![], ..self.at[t as usize].clone() })
            }
            Turn::Run { answer, .. } => {
                self.seen.push((t, None));
                self.answers.push(*answer);
                let next = self.threads[t as usize].pop_front().unwrap_or_else(|| stop(vec![], Stop::End));
                self.at[t as usize] = next.clone();
                Ok(next)
            }
        }
    }
}

fn stop(records: Vec<Record>, stop: Stop) -> Stopped {
    Stopped { records, stop, work: 0, may_serve: true, place: 0 }
}

fn record(work: Time, what: Done) -> Record {
    Record { work, what, place: 0 }
}

fn sent(to: u32, bytes: u64) -> Record {
    record(0, Done::Sent(Message { to, is_reply: false, bytes, tag: 0, image: vec![] }))
}

fn transfer(is_put: bool, with: u32, bytes: u64) -> Transfer {
    Transfer { is_put, with, bytes, offset: 0, piece: Piece::default() }
}

fn run(threads: Vec<Vec<Stopped>>) -> (Result<Outcome, Failure>, Scripts) {
    run_on(&network(), threads)
}

fn run_on(machine: &Description, threads: Vec<Vec<Stopped>>) -> (Result<Outcome, Failure>, Scripts) {
    let count = threads.len() as u32;
    let at = vec![stop(vec![], Stop::Start); threads.len()];
    let mut scripts =
        Scripts { threads: threads.into_iter().map(VecDeque::from).collect(), at, seen: vec![], answers: vec![] };
    let mut machine = charges(machine, count).unwrap();
    (simulate(&mut scripts, &mut *machine, count), scripts)
}

/// A message's way from the sender's decision to the end of the receiver's work.
fn way(bytes: u64) -> Time {
    O_SEND + L + (bytes - 1) * PER_BYTE + O_RECV
}

#[test]
fn a_token_goes_round_a_ring_in_the_sum_of_its_ways() {
    for n in [2, 3, 8, 64] {
        let next = |t: u32| (t + 1) % n;
        let mut threads = vec![vec![stop(vec![sent(1, 64)], Stop::Wait(0))]];
        threads.extend((1..n).map(|t| vec![stop(vec![], Stop::Wait(0)), stop(vec![sent(next(t), 64)], Stop::End)]));
        let outcome = run(threads).0.unwrap();
        assert_eq!(outcome.time(), Time::from(n) * way(64));
    }
}

#[test]
fn the_root_of_a_broadcast_sends_one_message_after_the_other() {
    let n = 16;
    let mut threads = vec![vec![stop((1..n).map(|t| sent(t, 1000)).collect(), Stop::End)]];
    threads.extend((1..n).map(|_| vec![stop(vec![], Stop::Wait(0))]));
    let outcome = run(threads).0.unwrap();
    let each = (999 * PER_BYTE + GAP).max(O_SEND);
    assert_eq!(outcome.threads[0].end, Time::from(n - 1) * O_SEND);
    for t in 1..n {
        assert_eq!(outcome.threads[t as usize].end, way(1000) + Time::from(t - 1) * each);
    }
}

#[test]
fn a_barrier_takes_a_message_for_each_bit_of_the_number_of_threads() {
    for n in [1_u32, 2, 3, 4, 5, 16, 33] {
        let notified = || record(0, Done::Notified(Ballot { kinds: 1, first: 0, other: 0 }));
        let threads = (0..n).map(|_| vec![stop(vec![notified()], Stop::Wait(0))]).collect();
        let outcome = run(threads).0.unwrap();
        let rounds = Time::from(n.next_power_of_two().trailing_zeros());
        assert_eq!(outcome.time(), rounds * way(8), "{n}");
    }
}

#[test]
fn nobody_leaves_a_barrier_before_the_last_has_come() {
    let notified = |work| record(work, Done::Notified(Ballot::default()));
    let threads = (0..5).map(|t| vec![stop(vec![notified(t * 1_000_000_000)], Stop::Wait(0))]).collect();
    let outcome = run(threads).0.unwrap();
    let least = outcome.threads.iter().map(|t| t.end).min().unwrap();
    assert!(least > 4_000_000_000, "{least}");
    assert!(outcome.time() <= 4_000_000_000 + 3 * way(8));
}

#[test]
fn transfers_take_a_way_and_the_way_back() {
    let there_and_back = |there: u64, back: u64| O_SEND + 2 * L + (there - 1 + back - 1) * PER_BYTE + O_RECV;
    let end = |records: Vec<Record>| run(vec![vec![stop(records, Stop::End)], vec![]]).0.unwrap().threads[0].end;
    let blocking = |put, bytes| record(1000, Done::Blocking(transfer(put, 1, bytes)));
    assert_eq!(end(vec![blocking(true, 4096)]), 1000 + there_and_back(4096, 8));
    assert_eq!(end(vec![blocking(false, 4096)]), 1000 + there_and_back(8, 4096));
    // A relaxed put is waited for by the fence, and a begun one by its own wait; work in between costs nothing more.
    let relaxed = record(0, Done::Relaxed(transfer(true, 1, 8)));
    assert_eq!(end(vec![relaxed.clone()]), O_SEND);
    assert_eq!(end(vec![relaxed.clone(), record(0, Done::Settle)]), there_and_back(8, 8));
    assert_eq!(end(vec![relaxed, record(1_000_000, Done::Settle)]), there_and_back(8, 8));
    let begun = record(0, Done::Begun(transfer(false, 1, 8), 7));
    assert_eq!(end(vec![begun.clone(), record(50_000_000, Done::Await(7))]), O_SEND + 50_000_000);
    assert_eq!(end(vec![begun, record(0, Done::Await(7))]), there_and_back(8, 8));
}

/// The answers to requests take their time at a port in advance, and do not delay what goes out before them.
#[test]
fn requests_go_out_while_answers_to_others_are_under_way() {
    let gets: u64 = 200;
    let begin = |t: u32| (0..gets).map(move |i| record(0, Done::Begun(transfer(false, 1 - t, 8), i)));
    let awaited = || (0..gets).map(|i| record(0, Done::Await(i)));
    let threads = (0..2).map(|t| vec![stop(begin(t).chain(awaited()).collect(), Stop::End)]).collect();
    let end = run(threads).0.unwrap().time();
    // A port has a request and an answer in the time of an overhead.
    let port = 7 * PER_BYTE + GAP;
    assert!(2 * port < O_SEND);
    let alone = gets * O_SEND + 2 * (L + 7 * PER_BYTE) + O_RECV;
    assert!((alone..=alone + 4 * port).contains(&end), "{end}, {alone}");
}

#[test]
fn contention_is_what_others_cost() {
    let get = |bytes| record(0, Done::Blocking(transfer(false, 0, bytes)));
    let getters = |n: usize, bytes| {
        let mut threads = vec![vec![]];
        threads.extend((0..n).map(|_| vec![stop(vec![get(bytes)], Stop::End)]));
        run(threads).0.unwrap().threads
    };
    let alone = getters(1, 4096)[1];
    assert_eq!((alone.contention, alone.transfers, alone.overhead), (0, alone.end - O_SEND, O_SEND));
    // Requests come to thread 0's port one gap after the other, and its replies leave one after the other.
    let three = getters(3, 4096);
    let each = 4095 * PER_BYTE + GAP;
    for (t, late) in [(1, 0), (2, each), (3, 2 * each)] {
        let spent = three[t];
        assert_eq!((spent.transfers, spent.overhead, spent.contention), (alone.transfers, O_SEND, late), "{t}");
        assert_eq!(spent.end, alone.end + late);
    }
    // A thread that has to wait for its own messages before waits for the network, and not for others.
    let puts = (0..9).map(|_| record(0, Done::Relaxed(transfer(true, 1, 4096))));
    let outcome = run(vec![vec![stop(puts.chain([record(0, Done::Settle)]).collect(), Stop::End)], vec![]]).0.unwrap();
    assert_eq!((outcome.threads[0].contention, outcome.threads[0].sum()), (0, outcome.threads[0].end));
    assert!(outcome.threads[0].transfers > 8 * 4095 * PER_BYTE);
    // A wait that others made longer, of which the thread has worked through a part.
    let begun = |work| vec![record(0, Done::Begun(transfer(false, 0, 4096), 7)), record(work, Done::Await(7))];
    let first = vec![stop(vec![get(4096)], Stop::End)];
    let second = vec![stop(begun(alone.end - O_SEND + each / 4), Stop::End)];
    let spent = run(vec![vec![], first, second]).0.unwrap().threads[2];
    assert_eq!((spent.contention, spent.transfers, spent.sum()), (each - each / 4, 0, spent.end));
}

#[test]
fn lines_have_what_was_spent_at_their_places() {
    let at = |place, record: Record| Record { place, ..record };
    let names = ["a.upc:3\nb/c.upc:7\n", "a.upc:9\n"].map(|text| record(0, Done::Places(text.into())));
    let get = |work| record(work, Done::Blocking(transfer(false, 1, 8)));
    let of = |line: &Line| (line.at.clone(), line.operations, line.bytes, line.part(Part::Work), line.sum());
    let named = |file: &str, line| At::Line(file.into(), line);
    let took = u128::from(O_SEND + 2 * L + 14 * PER_BYTE + O_RECV);
    let ends = |records| Stopped { work: 400, place: 3, ..stop(records, Stop::End) };
    // Places that have the same line are one.
    let records = vec![names[0].clone(), names[1].clone(), at(1, get(100)), at(2, get(20)), at(1, get(3))];
    let outcome = run(vec![vec![ends(records.clone())], vec![]]).0.unwrap();
    let expected = [
        (named("a.upc", 3), 2, 16, 103, 2 * took + 103),
        (named("b/c.upc", 7), 1, 8, 20, took + 20),
        (named("a.upc", 9), 0, 0, 400, 400),
    ];
    assert_eq!(outcome.lines.iter().map(of).collect::<Vec<_>>(), expected);
    // If the program says where its work was, that counts.
    let worked = at(1, record(0, Done::Worked(vec![(3, 120), (2, 300)])));
    let outcome = run(vec![vec![ends([records, vec![worked]].concat())], vec![]]).0.unwrap();
    let expected = [
        (named("a.upc", 3), 2, 16, 0, 2 * took),
        (named("b/c.upc", 7), 1, 8, 300, took + 300),
        (named("a.upc", 9), 0, 0, 120, 120),
        (At::Elsewhere, 0, 0, 103, 103),
    ];
    assert_eq!(outcome.lines.iter().map(of).collect::<Vec<_>>(), expected);
    // Serving others has no line.
    let works = vec![Stopped { place: 1, ..stop(vec![record(20_000_000, Done::Settle)], Stop::End) }];
    let outcome = run(vec![vec![stop(vec![sent(1, 8)], Stop::End)], works]).0.unwrap();
    assert!(
        outcome.lines.iter().any(|l| (&l.at, l.sum()) == (&At::Serving, u128::from(O_RECV))),
        "{:?}",
        outcome.lines
    );
}

#[test]
fn the_parts_of_threads_are_their_times() {
    let t3d = Description::of_file(include_str!("../../../machines/t3d.toml")).unwrap().unwrap();
    let notified = || record(0, Done::Notified(Ballot::default()));
    let n = 32;
    // All with thread 0, or every other one with a thread that does nothing.
    let program = |to: &dyn Fn(u32) -> u32| -> Vec<Vec<Stopped>> {
        let of = |t: u32| {
            let with = |is_put, bytes| Transfer { with: to(t), ..transfer(is_put, 0, bytes) };
            let mut records = vec![];
            if to(t) == t {
                return vec![stop(vec![notified()], Stop::Wait(0))];
            }
            for bytes in [8, 64, 1000, 20_000] {
                records.push(record(Time::from(t), Done::Blocking(with(false, bytes))));
                records.push(record(500, Done::Blocking(with(true, bytes))));
                records.push(record(0, Done::Relaxed(with(true, bytes))));
                records.push(record(70_000, Done::Begun(with(false, bytes), bytes)));
                records.push(record(0, Done::Settle));
                records.push(record(9, Done::Await(bytes)));
            }
            records.push(sent(to(t), 100));
            let sleeps = stop(vec![], Stop::Sleep(1_000_000_000));
            vec![stop(records, Stop::Clock), sleeps, stop(vec![notified()], Stop::Wait(0))]
        };
        (0..n).map(of).collect()
    };
    for machine in [&network(), &t3d] {
        for (is_busy, to) in [(true, &(|_| 0u32) as &dyn Fn(u32) -> u32), (false, &|t| t | 1)] {
            let outcome = run_on(machine, program(to)).0.unwrap();
            for (t, spent) in outcome.threads.iter().enumerate() {
                assert_eq!(spent.sum(), spent.end, "{t}: {spent:?}");
            }
            let of_lines: u128 = outcome.lines.iter().map(Line::sum).sum();
            assert_eq!(of_lines, outcome.threads.iter().map(|s| u128::from(s.end)).sum());
            let contention: Time = outcome.threads.iter().map(|s| s.contention).sum();
            let transfers: Time = outcome.threads.iter().map(|s| s.transfers).sum();
            assert_eq!(contention > transfers / 10, is_busy, "{contention} beside {transfers}");
        }
        // With a thread on another node, whose port is another one.
        let mut alone = vec![program(&|_| 2).remove(0), vec![], vec![]];
        alone[0].pop();
        let outcome = run_on(machine, alone).0.unwrap();
        assert_eq!((outcome.threads[0].contention, outcome.threads[0].sum()), (0, outcome.threads[0].end));
    }
}

#[test]
fn the_steps_of_an_operation_are_its_time() {
    let steps = |what| {
        let explained = explain_time(&network(), 4, what, 2).unwrap();
        (explained.total, explained.steps.iter().map(|(what, time)| (what.clone(), *time)).collect::<Vec<_>>())
    };
    let step = |what: &str, time| (what.to_string(), time);
    let get = vec![
        step("the processor sends", O_SEND),
        step("request: latency", L),
        step("request: its bytes, at the gap of a byte", 7 * PER_BYTE),
        step("answer: latency", L),
        step("answer: its bytes, at the gap of a byte", 999 * PER_BYTE),
        step("the processor receives", O_RECV),
    ];
    assert_eq!(steps(Operation::Get(1000)), (O_SEND + 2 * L + 1006 * PER_BYTE + O_RECV, get));
    let of = |n: Time, what: &[(&str, Time)]| what.iter().map(|(what, time)| step(what, n * time)).collect::<Vec<_>>();
    let barrier = [
        ("the processor receives", O_RECV),
        ("the processor sends", O_SEND),
        ("latency", L),
        ("its bytes, at the gap of a byte", 7 * PER_BYTE),
    ];
    assert_eq!(steps(Operation::Barrier), (2 * way(8), of(2, &barrier)));
    let machine = |text| Description::of_file(text).unwrap().unwrap();
    let t3d = machine(include_str!("../../../machines/t3d.toml"));
    let ib = machine(include_str!("../../../machines/ib-edr.toml"));
    for machine in [&t3d, &ib] {
        for bytes in [1, 8, 24, 64, 1000, 5000, 50_000] {
            for what in [Operation::Get(bytes), Operation::Put(bytes), Operation::Message(bytes), Operation::Barrier] {
                let explained = explain_time(machine, 40, what, 27).unwrap();
                let sum: Time = explained.steps.iter().map(|(_, time)| time).sum();
                assert!(sum == explained.total && sum > 0, "{what:?}: {explained:?}");
            }
        }
        // Also more than 64 threads, of which each counts.
        for (threads, what) in [(40, Operation::Get(8)), (150, Operation::Put(1000)), (150, Operation::Message(64))] {
            let (near, far) = near_and_far(machine, threads, what).unwrap();
            let times: Vec<Time> =
                (1..threads).map(|with| explain_time(machine, threads, what, with).unwrap().total).collect();
            let first = |time: Option<&Time>| times.iter().position(|t| Some(t) == time).unwrap() as u32 + 1;
            assert_eq!((near, far), (first(times.iter().min()), first(times.iter().max())), "{what:?}");
            assert!(near != far);
        }
    }
    // The words of the study: the other memory is read in 610 ns, over one hop (T3D study, section 4.2).
    let explained = explain_time(&t3d, 4, Operation::Get(8), 2).unwrap();
    let instructions = ["instructions", "sets the segment register"];
    let read = explained.steps.iter().filter(|(what, _)| !instructions.contains(&what.as_str()));
    assert_eq!(read.map(|(_, time)| time).sum::<Time>(), 610_000, "{explained:?}");
    assert_eq!(["get", "get 0", "put x", "barrier 8", "", "get 8 8"].map(Operation::parse), [None; 6]);
}

#[test]
fn a_message_takes_time_from_whom_it_finds_at_work() {
    let works = vec![stop(vec![record(20_000_000, Done::Settle)], Stop::End)];
    let outcome = run(vec![vec![stop(vec![sent(1, 8)], Stop::End)], works]).0.unwrap();
    assert_eq!(outcome.threads[1].end, 20_000_000 + O_RECV);
}

#[test]
fn threads_go_on_in_the_order_of_time() {
    // Thread 0 works for 3 us before it looks, thread 1 for 1 us, thread 2 for 2 us.
    let looks = |work| vec![Stopped { work, ..stop(vec![], Stop::Order) }];
    let (outcome, scripts) = run([3, 1, 2].map(|us| looks(us * 1_000_000)).to_vec());
    outcome.unwrap();
    let order: Vec<u32> = scripts.seen.iter().map(|(t, _)| *t).collect();
    assert_eq!(order, [0, 1, 2, 1, 1, 2, 2, 0, 0]);
}

#[test]
fn a_strict_access_takes_effect_when_it_arrives() {
    // Thread 0's access goes out first, and thread 1's look comes before it arrives.
    let arrives = vec![stop(vec![], Stop::Arrival(transfer(true, 2, 8)))];
    let looks = vec![Stopped { work: L / 2, ..stop(vec![], Stop::Order) }];
    let (outcome, scripts) = run(vec![arrives, looks, vec![]]);
    let order: Vec<u32> = scripts.seen.iter().skip(3).map(|(t, _)| *t).collect();
    assert_eq!(order, [2, 1, 1, 0, 0]);
    assert_eq!(outcome.unwrap().threads[0].end, O_SEND + 2 * L + 14 * PER_BYTE + O_RECV);
}

#[test]
fn a_clock_tells_the_time_and_never_stands_still() {
    let clock = |work| Stopped { work, ..stop(vec![], Stop::Clock) };
    let (outcome, scripts) = run(vec![vec![clock(5_000), clock(0), clock(0)]]);
    outcome.unwrap();
    assert_eq!(scripts.answers[1..4], [6_000, 7_000, 8_000]);
}

#[test]
fn who_waits_for_ever_is_named() {
    let waits = || vec![stop(vec![], Stop::Wait(0))];
    let barrier = || vec![stop(vec![record(0, Done::Notified(Ballot::default()))], Stop::Wait(0))];
    let (outcome, _) = run(vec![barrier(), waits(), vec![], barrier()]);
    let Err(Failure::Deadlock(who)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(who, "threads 0, 3 wait at a barrier, thread 1 waits for a message, thread 2 has terminated");
}

#[test]
fn a_clock_that_is_at_its_end_ends_the_run() {
    // 2^64 ps are 213 days: without a limit the fifth piece of work leads back to the beginning.
    let work = |_| Stopped { work: 1 << 62, ..stop(vec![], Stop::Clock) };
    let (outcome, _) = run(vec![(0..6).map(work).collect(), vec![]]);
    assert_eq!(outcome.unwrap_err(), Failure::TooLong);
    // And bytes that arrive after it, which nobody waits for.
    let bytes = (1 << 62) / PER_BYTE;
    let put = Done::Relaxed(Transfer { is_put: true, with: 1, bytes, offset: 0, piece: Piece::default() });
    let (outcome, _) = run(vec![vec![stop(vec![record(0, put)], Stop::Clock)], vec![]]);
    assert_eq!(outcome.unwrap_err(), Failure::TooLong);
}

#[test]
fn the_machine_must_be_large_enough() {
    let why = charges(&network(), 65).err().unwrap();
    assert_eq!(why, "it has 64 nodes, one for a thread, and 65 are asked for");
}

/// The runtime's side of the shared memory has the same numbers.
#[test]
fn the_header_has_the_same_numbers() {
    let header = include_str!("../../../runtime/conduit/sim/engine.h");
    for (name, value) in NUMBERS {
        let defined = header.lines().any(|l| l.trim_start().starts_with(&format!("{name} = {value}")));
        assert!(defined, "{name} = {value}");
    }
    let members = |of: &str| -> Vec<String> {
        let body = header.split(&format!("enum {of} {{")).nth(1).unwrap().split("};").next().unwrap();
        let lines = body.lines().filter_map(|l| l.trim().strip_prefix("SIM_"));
        lines.map(|l| l.split([',', ' ']).next().unwrap().to_string()).collect()
    };
    assert_eq!(members("sim_stop"), STOPS);
    assert_eq!(members("sim_record"), RECORDS);
    let conduit = include_str!("../../../runtime/conduit/conduit.h");
    let notes = conduit.split("enum conduit_note {").nth(1).unwrap().split("};").next().unwrap();
    let notes: Vec<&str> =
        notes.lines().filter_map(|l| l.trim().strip_prefix("CONDUIT_")?.split([',', ' ']).next()).collect();
    assert_eq!(notes, NOTES);
}

/// Thread 0 reads lines of its own memory for half a millisecond, in one record; thread 2, on another node, reads a word of that
/// memory meanwhile. It waits for what is under way there, and not for what comes later.
#[test]
fn a_read_of_another_memory_does_not_wait_for_that_processors_later_accesses() {
    let t3d = Description::of_file(include_str!("../../../machines/t3d.toml")).unwrap().unwrap();
    let took = |accesses: u64| {
        let access = |i: u64| Access { work: 20_000, at: Some(32 * i), is_write: false };
        let busy = record(0, Done::Accesses((0..accesses).map(access).collect()));
        let read = record(1_000_000, Done::Blocking(transfer(false, 0, 8)));
        let threads = [vec![busy], vec![], vec![read]].map(|records| VecDeque::from([stop(records, Stop::End)]));
        let at = vec![stop(vec![], Stop::Start); threads.len()];
        let mut scripts = Scripts { threads: threads.into(), at, seen: vec![], answers: vec![] };
        let mut machine = charges(&t3d, 3).unwrap();
        machine.prepare_memory(&t3d, 3).unwrap();
        let outcome = simulate(&mut scripts, &mut *machine, 3).unwrap();
        let [own, other] = [0, 2].map(|t: usize| outcome.threads[t].end);
        assert!(own >= accesses * 160_000, "{own}: each misses");
        other - 1_000_000
    };
    let (alone, beside) = (took(0), took(3000));
    // Less than three of its accesses.
    assert!(beside < alone + 500_000, "{alone} alone, {beside} beside accesses");
}
