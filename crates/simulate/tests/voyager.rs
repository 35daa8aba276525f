//! Sites of the simulated StarT-Voyager: what messages carry, what holds processors back, and random schedules.

use fathom_machine::parts::nes::table::Entry;
use fathom_machine::{Description, Time};
use fathom_simulate::voyager::code::{Mechanism, Step, Thread};
use fathom_simulate::voyager::explored::{self, Residency};
use fathom_simulate::voyager::measured::{gap, multicast, times, transfer, Way};
use fathom_simulate::voyager::{At, Voyager};

fn description() -> Description {
    let path = format!("{}/../../machines/voyager.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

const PAUSE: Time = 100_000_000;
const BASIC: u32 = 8;
const US: Time = 1_000_000;

/// Two sites, of which the first reaches the same queues of the second.
fn pair(description: &Description) -> Voyager {
    let mut machine = Voyager::new(description, 2).unwrap();
    for queue in 0..machine.figures.queues {
        machine.sites[0].nes.table.set(queue, 1, Some(Entry { site: 1, queue, source: 5 }));
    }
    machine
}

/// What a receiver reads of messages that are sent one after the other, without the steps that `drops` names.
fn read(reclaims: bool, how: Mechanism, drops: fn(&Step) -> bool, messages: u32) -> Vec<Vec<u32>> {
    let mut machine = pair(&description());
    machine.reclaims = reclaims;
    let queue = if how == Mechanism::Basic { BASIC } else { 0 };
    let [mut sender, mut receiver] = [0, 1].map(|site| Thread::new(site, 0, 0));
    let mut all = vec![];
    for i in 0..messages {
        let words: Vec<u32> = (0..9).map(|word| 100 * (i + 1) + word).collect();
        let mut steps = machine.to_send(how, false, queue, 1, &words);
        steps.retain(|step| !drops(step));
        (sender.now, sender.steps) = (PAUSE * u64::from(i + 1), steps.into());
        sender.run(&mut machine).unwrap();
        receiver.now = machine.settle().max(sender.now);
        let mut steps = machine.to_receive(how, false, queue, 9);
        steps.retain(|step| !drops(step));
        (receiver.steps, receiver.got) = (steps.into(), vec![]);
        receiver.run(&mut machine).unwrap();
        let arrived = receiver.arrived(&machine);
        let first: Vec<u32> =
            arrived.filter(|_| how != Mechanism::Basic).map(|a| a.payload as u32).into_iter().collect();
        let skipped = if how == Mechanism::Basic { 2 } else { 0 };
        all.push([&first[..], &receiver.got[skipped..]].concat());
    }
    all
}

#[test]
fn messages_carry_their_words_however_buffers_and_caches_are_kept_in_step() {
    // Twice around the queue, so that slots are used again.
    for how in [Mechanism::Basic, Mechanism::TagOn] {
        for reclaims in [true, false] {
            let found = read(reclaims, how, |_| false, 40);
            for (i, words) in found.iter().enumerate() {
                let sent: Vec<u32> = (0..9).map(|word| 100 * (i as u32 + 1) + word).collect();
                assert_eq!(*words, sent, "{how:?}, {reclaims}, message {i}");
            }
        }
    }
}

#[test]
fn without_flushes_and_reclaim_old_words_are_sent_and_read() {
    let sends = read(false, Mechanism::TagOn, |step| matches!(step, Step::Flush(..)), 1);
    assert_eq!(sends[0], [100, 0, 0, 0, 0, 0, 0, 0, 0], "the header alone: the data are in the cache");
    let depth = pair(&description()).figures.depth as usize;
    let reads = read(false, Mechanism::Basic, |step| matches!(step, Step::FlushReceived(..)), depth as u32 + 1);
    assert_eq!(reads[depth][0], 100, "the receiver's cache has the message that was in this slot before");
    assert_eq!(reads[depth - 1][0], 100 * depth as u32);
}

#[test]
fn a_transmit_queue_that_is_full_holds_the_processor_back() {
    let mut machine = pair(&description());
    (machine.sinks, machine.reclaims) = (true, false);
    let mut sender = Thread::new(0, 0, 0);
    let mut ends = vec![];
    for _ in 0..60 {
        sender.steps = machine.to_send(Mechanism::TagOnInPlace, true, 0, 1, &[7; 20]).into();
        sender.run(&mut machine).unwrap();
        ends.push(sender.now);
    }
    let takes = |i: usize| ends[i] - ends[i - 1];
    // Then a message leaves when the link has taken one: 96 bytes at 160 MB/s.
    assert!(takes(5) < 200_000 && takes(59) == 600_000, "{} {}", takes(5), takes(59));
}

#[test]
fn a_queue_that_is_not_resident_answers_by_the_service_processor() {
    let mut machine = pair(&description());
    let far = 100;
    assert!(!machine.sites[1].nes.is_resident(far));
    let (at, data) = machine.figures.format.store(far, 1, None, 77);
    machine.store(0, 0, At::Send(at), u64::from(data));
    let now = machine.settle();
    // One service to send it, one to take it from the miss queue.
    assert!(now > 8 * US, "{now}");
    let (word, after) = machine.load(now, 1, At::Receive(far));
    assert_eq!(machine.figures.format.of_word(word).map(|a| (a.payload, a.source)), Some((77, 5)));
    assert!(after - now > 4 * US && machine.load(after, 1, At::Receive(0)).1 - after < US);
}

#[test]
fn a_full_miss_queue_stops_messages_and_loses_none() {
    // 8 of 32 places, and 64 messages for one queue.
    let small = description().with_factor("nes.miss_places", 0.125).unwrap();
    for seed in 0..4 {
        let outcome = explored::stress(&small, 2, Residency::Never, seed).unwrap();
        assert!(outcome.is_complete && outcome.is_in_order, "{seed}");
    }
}

#[test]
fn a_block_transfer_reads_caches_and_drops_old_lines() {
    let (rate, is_right) = transfer(&description(), 16 << 10).unwrap();
    assert!(is_right && rate < 160.0 * 80.0 / 96.0, "{rate}");
    // Data that are no whole packets.
    assert!(transfer(&description(), 8).unwrap().1 && transfer(&description(), 104).unwrap().1);
}

#[test]
fn another_destination_costs_the_sender_one_store() {
    let stores: Vec<(u64, u64)> = (1..4).map(|n| multicast(&description(), n).unwrap()).collect();
    assert_eq!(stores, [(1, 0), (2, 0), (3, 0)]);
}

#[test]
fn names_that_a_row_does_not_have_are_refused() {
    let mut machine = pair(&description());
    let (at, data) = machine.figures.format.store(3, 2, None, 1);
    machine.store(0, 0, At::Send(at), u64::from(data));
    machine.settle();
    assert_eq!((machine.sites[0].refused, machine.arrivals.len()), (1, 0));
}

#[test]
fn locks_cost_and_are_needed_by_basic_messages_alone() {
    let of = |how, threads| {
        let times = times(&description(), Way { how, reclaims: true, threads }, 4).unwrap();
        times.send + times.receive
    };
    assert!(of(Mechanism::Basic, true) > of(Mechanism::Basic, false) + 500.0);
    for how in [Mechanism::Express, Mechanism::TagOn] {
        assert_eq!(of(how, true), of(how, false));
    }
}

#[test]
fn reclaim_is_faster_where_no_line_is_empty() {
    let of = |how, reclaims, words| times(&description(), Way { how, reclaims, threads: true }, words).unwrap();
    for (how, words) in [(Mechanism::TagOn, 12), (Mechanism::TagOn, 20), (Mechanism::Basic, 2), (Mechanism::Basic, 20)]
    {
        let (with, without) = (of(how, true, words), of(how, false, words));
        assert!(with.latency < without.latency && with.send < without.send && with.receive < without.receive);
    }
}

#[test]
fn the_gap_of_large_messages_is_the_link() {
    let way = |how| Way { how, reclaims: true, threads: true };
    for how in [Mechanism::TagOn, Mechanism::Basic] {
        // 88 bytes and a header of 8 at 160 MB/s.
        assert_eq!(gap(&description(), way(how), 20).unwrap(), 600.0);
    }
    assert_eq!(gap(&description(), way(Mechanism::Express), 1).unwrap(), 100.0);
}

#[test]
fn many_schedules_lose_nothing_and_keep_the_order() {
    let description = description();
    let mut corrupted = 0;
    for seed in 100..140 {
        assert!(explored::express_is_whole(&description, seed).unwrap(), "Express, {seed}");
        assert!(explored::basic_is_whole(&description, true, seed).unwrap(), "Basic with locks, {seed}");
        assert!(explored::is_protected(&description, seed).unwrap(), "protection, {seed}");
        assert!(explored::polls_by_priority(&description, seed).unwrap(), "OnePoll, {seed}");
        let (is_right, came) = explored::swapped_out(&description, seed).unwrap();
        assert!(is_right && came > 0, "swapped out, {seed}: {came}");
        let outcome = explored::stress(&description, 2, Residency::Changing, seed).unwrap();
        assert!(outcome.is_complete && outcome.is_in_order && outcome.missed > 0, "stress, {seed}");
        corrupted += u32::from(!explored::basic_is_whole(&description, false, seed).unwrap());
    }
    assert!(corrupted > 0, "no schedule without locks went wrong");
}

#[test]
fn each_schedule_rests_on_its_mechanism() {
    let without = |what: &str| description().without(what).unwrap();
    let any_wrong = |of: &dyn Fn(u64) -> bool| (0..10).any(|seed| !of(seed));
    let halves = without("nes.one_access");
    assert!(any_wrong(&|seed| explored::express_is_whole(&halves, seed).unwrap()));
    let mixed = without("nes.diverts");
    assert!(any_wrong(&|seed| explored::stress(&mixed, 2, Residency::Changing, seed).unwrap().is_in_order));
    let losing = without("nes.miss_queue");
    assert!(any_wrong(&|seed| explored::stress(&losing, 2, Residency::Changing, seed).unwrap().is_complete));
    let open = without("nes.translates");
    assert!(any_wrong(&|seed| explored::is_protected(&open, seed).unwrap()));
    let alone = without("code.locks");
    assert!(any_wrong(&|seed| explored::basic_is_whole(&alone, true, seed).unwrap()));
}
