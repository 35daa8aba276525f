//! Puts and gets that the other processor serves: times by closed forms, to the picosecond, and the paper's model of
//! how a program slows down as overhead and gap grow (Martin, Vahdat, Culler and Anderson, ISCA'97): 2 us for each
//! message that the busiest processor sends and each us of overhead, 1 us for each us of gap.

use crate::tables;
use fathom_machine::{Description, Time};
use fathom_simulate::program::stops::{
    Ballot, Done, Ended, Message, Piece, Record, Stop, Stopped, Threads, Transfer, Turn,
};
use fathom_simulate::program::{charges, simulate, Outcome};
use std::collections::VecDeque;
use tables::NEAR;

const L: Time = 5_000_000;
const O: Time = 2_900_000;
const G: Time = 5_800_000;

fn text(serve: &str) -> String {
    format!(
        r#"
        [simulated]
        about = "A network for tests."
        [simulated.network]
        kind = "loggp"
        serve = {{ value = {serve}, other = "the test" }}
        ports = {{ value = 64, assumed = "enough", range = [1, 64] }}
        L = {{ value = "5 us", other = "round" }}
        o_send = {{ value = "2.9 us", other = "round" }}
        o_recv = {{ value = "network.o_send", derived = "the same" }}
        g = {{ value = "5.8 us", other = "round" }}
    "#
    )
}

fn network(served: bool) -> Description {
    Description::of_file(&text(if served { "true" } else { "false" })).unwrap().unwrap()
}

/// Threads that perform records, then stop as they are told, and end.
struct Scripts(Vec<VecDeque<Stopped>>, Vec<(u32, Time)>);

impl Threads for Scripts {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let end = || stop(vec![], Stop::End);
        Ok(match turn {
            Turn::Run { now, .. } => {
                self.1.push((t, *now));
                self.0[t as usize].pop_front().unwrap_or_else(end)
            }
            Turn::Serve(..) => stop(vec![], Stop::Served),
        })
    }
}

fn stop(records: Vec<Record>, stop: Stop) -> Stopped {
    Stopped { records, stop, work: 0, may_serve: true, place: 0 }
}

fn record(work: Time, what: Done) -> Record {
    Record { work, what, place: 0 }
}

fn transfer(is_put: bool, with: u32) -> Transfer {
    Transfer { is_put, with, bytes: 8, offset: 0, piece: Piece::default() }
}

fn perform(machine: &Description, threads: Vec<Vec<Record>>) -> Outcome {
    let scripts = threads.into_iter().map(|records| VecDeque::from([stop(records, Stop::End)])).collect();
    turns(machine, scripts).0
}

/// The outcome, and at which times the threads had their turns.
fn turns(machine: &Description, scripts: Vec<VecDeque<Stopped>>) -> (Outcome, Vec<(u32, Time)>) {
    let count = scripts.len() as u32;
    let mut scripts = Scripts(scripts, vec![]);
    let outcome = simulate(&mut scripts, &mut *charges(machine, count).unwrap(), count).unwrap();
    for thread in &outcome.threads {
        assert_eq!(thread.sum(), thread.end, "{thread:?}");
    }
    (outcome, scripts.1)
}

fn with(name: &str, us: u64) -> Description {
    network(true).with_value(name, &format!("{us} us")).unwrap()
}

/// Each of `n` threads reads `m` words of the next one.
fn reads(n: u32, m: usize) -> Vec<Vec<Record>> {
    let read = |t: u32| record(0, Done::Blocking(transfer(false, (t + 1) % n)));
    (0..n).map(|t| vec![read(t); m]).collect()
}

/// Each of `n` threads begins `m` transfers with the others in turn, and then waits for them.
fn begun(n: u32, m: u32, is_put: bool) -> Vec<Vec<Record>> {
    let of = |t: u32| {
        let begin = move |i: u32| record(0, Done::Begun(transfer(is_put, (t + 1 + i % (n - 1)) % n), u64::from(i) + 1));
        (0..m).map(begin).chain((1..=m).map(|i| record(0, Done::Await(u64::from(i))))).collect()
    };
    (0..n).map(of).collect()
}

#[test]
fn a_transfer_takes_two_ways_with_both_overheads_each() {
    for is_put in [false, true] {
        let one = vec![vec![record(0, Done::Blocking(transfer(is_put, 1)))], vec![]];
        assert_eq!(perform(&network(true), one.clone()).threads[0].end, 2 * (O + L + O));
        assert_eq!(perform(&network(false), one).threads[0].end, O + 2 * L + O);
    }
}

#[test]
fn reads_slow_down_by_twice_the_overhead_for_each_message() {
    let (n, m) = (8, 20);
    let time = |o| perform(&with("network.o_send", o), reads(n, m)).time();
    // Each reads and is read: 2 m messages of its own, requests and answers.
    let messages = 2 * m as Time;
    assert_eq!(perform(&network(true), reads(n, m)).time(), m as Time * (4 * O + 2 * L));
    // The gap of 5.8 us is no limit: a processor sends twice in a read.
    assert_eq!(time(103) - time(3), 2 * messages * 100_000_000);
    // Latency counts twice a read, whatever the processors do.
    let late = |l| perform(&with("network.L", l), reads(n, m)).time();
    assert_eq!(late(105) - late(5), 2 * m as Time * 100_000_000);
    // Where the other processor takes no part, half of the overheads are missing.
    let alone = |o| {
        let machine = network(false).with_value("network.o_send", &format!("{o} us")).unwrap();
        let machine = machine.with_value("network.g", "0 us").unwrap();
        perform(&machine, reads(n, m)).time()
    };
    assert_eq!(alone(103) - alone(3), messages * 100_000_000);
}

#[test]
fn transfers_under_way_slow_down_by_the_model_within_what_a_way_takes() {
    let (n, m) = (8, 200);
    let messages = 2 * m as Time;
    for is_put in [false, true] {
        let time = |o| perform(&with("network.o_send", o), begun(n, m, is_put)).time();
        let slope = (time(103) - time(3)) as f64 / 100e6;
        assert!((slope / (2 * messages) as f64 - 1.0).abs() < 0.02, "{slope} for {messages} messages");
        // Latency is hidden: there and back once, instead of m times.
        let late = |l| perform(&with("network.L", l), begun(n, m, is_put)).time();
        let slope = (late(105) - late(5)) as f64 / 100e6;
        assert!((0.0..=4.0).contains(&slope), "{slope}");
        // A burst of messages leaves one a gap.
        let wide = |g| perform(&with("network.g", g), begun(n, m, is_put)).time();
        let slope = (wide(205) - wide(105)) as f64 / 100e6;
        assert!((slope / messages as f64 - 1.0).abs() < 0.02, "{slope} for {messages} messages");
    }
}

#[test]
fn a_thread_at_work_is_later_by_what_its_processor_serves() {
    let (n, m) = (5_u64, 7);
    let work = 10_000_000_000;
    let settle = record(work, Done::Settle);
    let mut threads = vec![vec![settle]];
    threads.extend((1..n).map(|_| vec![record(0, Done::Blocking(transfer(false, 0))); m as usize]));
    assert_eq!(perform(&network(true), threads.clone()).threads[0].end, work + (n - 1) * m * 2 * O);
    assert_eq!(perform(&network(false), threads).threads[0].end, work);
}

#[test]
fn requests_wait_for_the_processor_that_serves_others() {
    // All at once: the last is served after the others.
    let n = 6;
    let mut threads = vec![vec![]];
    threads.extend((1..n).map(|_| vec![record(0, Done::Blocking(transfer(true, 0)))]));
    let outcome = perform(&network(true).with_value("network.g", "0 us").unwrap(), threads);
    for t in 1..n {
        assert_eq!(outcome.threads[t].end, 2 * (O + L + O) + (t as Time - 1) * 2 * O, "{t}");
        assert_eq!(outcome.threads[t].contention, (t as Time - 1) * 2 * O, "{t}");
    }
}

#[test]
fn a_fence_waits_for_the_acknowledgements_of_all_puts() {
    let m = 3;
    let put = record(0, Done::Relaxed(transfer(true, 1)));
    let mut records = vec![put; m];
    let unfenced = perform(&network(true), vec![records.clone(), vec![]]).threads[0].end;
    records.push(record(0, Done::Settle));
    let fenced = perform(&network(true), vec![records.clone(), vec![]]).threads[0].end;
    // The last message leaves after two gaps; without a fence nothing but sending takes time.
    assert_eq!(unfenced, m as Time * O);
    assert_eq!(fenced, O + (m as Time - 1) * G + L + 2 * O + L + O);
    // A second fence has nothing to wait for.
    records.push(record(0, Done::Settle));
    assert_eq!(perform(&network(true), vec![records, vec![]]).threads[0].end, fenced);
}

#[test]
fn work_hides_the_way_of_a_transfer_that_was_begun() {
    let at_work = |work| {
        let records = vec![record(0, Done::Begun(transfer(false, 1), 1)), record(work, Done::Await(1))];
        perform(&network(true), vec![records, vec![]]).threads[0].end
    };
    assert_eq!(at_work(0), 2 * (O + L + O));
    assert_eq!(at_work(L), 2 * (O + L + O));
    // Taking the answer costs the processor, whenever it comes.
    assert_eq!(at_work(100 * L), O + 100 * L + O);
}

#[test]
fn a_strict_access_takes_effect_when_it_is_served() {
    let first = stop(vec![], Stop::Arrival(transfer(false, 1)));
    let (outcome, turns) = turns(&network(true), vec![VecDeque::from([first]), VecDeque::new()]);
    assert_eq!(outcome.threads[0].end, 2 * (O + L + O));
    assert!(turns.contains(&(0, 2 * (O + L + O))), "{turns:?}");
}

#[test]
fn threads_that_wait_at_a_barrier_serve_others() {
    let notified = |work| record(work, Done::Notified(Ballot::default()));
    let early = stop(vec![notified(0)], Stop::Wait(0));
    let reads = (0..4).map(|_| record(0, Done::Blocking(transfer(false, 0)))).chain([notified(0)]).collect();
    let late = stop(reads, Stop::Wait(0));
    let (outcome, _) = turns(&network(true), vec![VecDeque::from([early]), VecDeque::from([late])]);
    assert_eq!(outcome.time(), 4 * 2 * (O + L + O) + (O + L + O));
}

#[test]
fn stores_of_all_to_all_slow_down_by_twice_the_overhead_for_each() {
    // Each sends to the others in turn, and waits at a barrier until all has come.
    let (n, m) = (8, 200);
    let sent = |t: u32, i: u32| {
        let to = (t + 1 + i % (n - 1)) % n;
        record(0, Done::Sent(Message { to, is_reply: false, bytes: 28, tag: 0, image: vec![] }))
    };
    let threads = |t: u32| {
        let records = (0..m).map(|i| sent(t, i)).chain([record(0, Done::Notified(Ballot::default()))]);
        VecDeque::from([stop(records.collect(), Stop::Wait(0))])
    };
    let time = |o| turns(&with("network.o_send", o), (0..n).map(threads).collect()).0.time();
    let slope = (time(103) - time(3)) as f64 / 100e6;
    assert!((slope / f64::from(2 * m) - 1.0).abs() < 0.05, "{slope}");
}

#[test]
fn a_processor_takes_messages_and_requests_one_after_the_other() {
    // Both come at once, and the second waits for the first.
    let message = record(0, Done::Sent(Message { to: 0, is_reply: false, bytes: 8, tag: 0, image: vec![] }));
    let read = record(0, Done::Blocking(transfer(false, 0)));
    let first = VecDeque::from([stop(vec![], Stop::Wait(0))]);
    let machine = network(true).with_value("network.g", "0 us").unwrap();
    let others = [message, read].map(|record| VecDeque::from([stop(vec![record], Stop::End)]));
    let (outcome, _) = turns(&machine, std::iter::once(first).chain(others).collect());
    assert_eq!(outcome.threads[2].end, 2 * (O + L + O) + O);
}

#[test]
fn a_thread_that_waits_leaves_its_processor_to_messages() {
    // Three come while thread 0 is at work, and one more when it waits for it: nothing that the three left to the
    // thread's work keeps the fourth waiting.
    for served in [false, true] {
        let wait = |work| Stopped { work, ..stop(vec![], Stop::Wait(0)) };
        let at_work = VecDeque::from([wait(8_000_000), wait(0), wait(0)]);
        let sent = |work| record(work, Done::Sent(Message { to: 0, is_reply: false, bytes: 8, tag: 0, image: vec![] }));
        let others = [0, 0, 0, 8_900_000].map(|work| VecDeque::from([stop(vec![sent(work)], Stop::End)]));
        let machine = network(served).with_value("network.g", "0 us").unwrap();
        let (outcome, _) = turns(&machine, std::iter::once(at_work).chain(others).collect());
        assert_eq!(outcome.threads[0].end, 8_900_000 + O + L + O);
    }
}

#[test]
fn wrong_uses_of_serve_have_one_error() {
    let of = |serve: &str, more: &str| {
        let text = text(serve) + more;
        Description::of_file(&text).unwrap().unwrap()
    };
    let on_nodes = |serve: &str| {
        let machine = of(serve, NEAR).with_threads_per_node(2, fathom_machine::Placement::Blocks).unwrap();
        charges(&machine, 4).map(|_| ())
    };
    let why = on_nodes("true").unwrap_err();
    assert!(why.starts_with("`network.serve` has no meaning with several threads on a node"), "{why}");
    assert_eq!((on_nodes("false"), on_nodes("\"30 us\"")), (Ok(()), Ok(())));
    let why = charges(&of("\"30 B\"", ""), 4).map(|_| ()).unwrap_err();
    assert!(why.contains("figure `network.serve` must be a time") && why.contains("or true"), "{why}");
    // What it was called once.
    let old = text("true").replace("serve = ", "served = ");
    let why = charges(&Description::of_file(&old).unwrap().unwrap(), 4).map(|_| ()).unwrap_err();
    assert!(why.contains("`network` has no figure `served`; it has") && why.contains("serve"), "{why}");
}

/// Two threads with a stream of gets, or of puts, from each other: each direction carries the requests (acknowledgements) of the
/// one beside the data of the other, and is never idle between them.
#[test]
fn streams_both_ways_share_each_direction_between_data_and_what_goes_against_them() {
    const N: u32 = 400;
    let figure = |name: &str, us: f64| format!("{name} = {{ value = \"{us} us\", other = \"the test\" }}\n");
    let of = |more: &str| {
        let text = text("\"1 us\"") + &figure("o_get", 0.5) + &figure("g_get", 30.0) + &figure("o_put", 0.5);
        Description::of_file(&(text + &figure("g_put", 20.0) + more)).unwrap().unwrap()
    };
    let back = of(&(figure("back_get", 18.0) + &figure("back_put", 7.0)));
    let way = |first: bool, is_put: bool| {
        let both = begun(2, N, is_put);
        vec![both[0].clone(), if first { vec![] } else { both[1].clone() }]
    };
    let each = |machine: &Description, alone, is_put| {
        let us = perform(machine, way(alone, is_put)).time() as f64 / 1e6;
        // Without the first one's way there and back, with its overheads and the answering.
        (us - 0.5 - 2.0 * 5.0 - 1.0 - 2.9) / f64::from(N)
    };
    for (is_put, data, against) in [(false, 30.0, 18.0), (true, 20.0, 7.0)] {
        // One way, the data are what takes longest, and what goes against them is seen once.
        for machine in [&back, &of("")] {
            let alone = each(machine, true, is_put);
            assert!((alone - data).abs() < 0.1, "{alone} us each");
        }
        // Without a figure for it, it is in nobody's way.
        let free = each(&of(""), false, is_put);
        assert!((free - data).abs() < 0.1, "{free} us each");
        let shared = each(&back, false, is_put);
        assert!((shared - data - against).abs() < 0.1, "{shared} us each");
    }
    // A single one takes what it takes without the figure.
    for is_put in [false, true] {
        let one = |machine: &Description| perform(machine, vec![begun(2, 1, is_put)[0].clone(), vec![]]).time();
        assert_eq!(one(&back), one(&of("")));
    }
}

/// Three threads in a ring put to the next one, thread 1 a little later than thread 0. The acknowledgement of thread 0's put
/// waits at thread 1's port for what that thread has sent meanwhile; not thread 1 for a port that was reserved before it came.
#[test]
fn an_acknowledgement_waits_for_what_its_thread_has_sent_before() {
    let figure = |name: &str, us: u64| format!("{name} = {{ value = \"{us} us\", other = \"the test\" }}\n");
    let of = |back: u64| {
        let text = text("false") + &figure("o_get", 1) + &figure("g_get", 1) + &figure("back_get", back);
        Description::of_file(&(text + "G = { value = \"1 us / 1 B\", other = \"the test\" }\n")).unwrap().unwrap()
    };
    let put = |with: u32, late: Time, kind: fn(Transfer) -> Done| {
        vec![record(late, kind(Transfer { bytes: 101, ..transfer(true, with) })), record(0, Done::Settle)]
    };
    let late = 8_000_000;
    let ends = |machine: &Description, kind: fn(Transfer) -> Done| {
        let outcome = perform(machine, vec![put(1, 0, kind), put(2, late, kind), vec![]]);
        [0, 1].map(|t| outcome.threads[t].end)
    };
    let us = 1_000_000;
    // There with 101 bytes, back with 8.
    let alone = O + (L + 100 * us) + (L + 7 * us) + O;
    for kind in [Done::Blocking as fn(Transfer) -> Done, Done::Relaxed] {
        // Thread 1's port is free again 100 us of bytes and a gap after it has begun to send.
        let free = late + O + 100 * us + G;
        assert_eq!(ends(&of(1), kind), [free + L + 7 * us + O, late + alone]);
        // Where nothing was measured that goes against a stream, answers reserve their ports in advance.
        let [first, second] = ends(&of(0), kind);
        assert!(first == alone && second > late + alone, "{first} and {second}, {alone} alone");
    }
}
