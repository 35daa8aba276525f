//! Random schedules of threads on the machine, with the words of their messages: what must hold for each of them
//! (StarT-Voyager study, sections 2.2, 4 and 5). A seed gives a schedule.

use super::code::{Mechanism, Step, Thread};
use super::{At, Voyager};
use fastrand::Rng;
use fathom_machine::parts::nes::format::{self, Arrived, EMPTY};
use fathom_machine::parts::nes::queue::Class;
use fathom_machine::parts::nes::table::Entry;
use fathom_machine::{Description, Time};
use std::collections::BTreeMap;

/// Steps after which a schedule in which a thread waits in vain is given up.
const PATIENCE: usize = 60_000;
const US: Time = 1_000_000;

/// Threads take turns in the order of time, after each step some of them with a pause.
fn shuffled(machine: &mut Voyager, threads: &mut [Thread], random: &mut Rng) -> bool {
    for _ in 0..PATIENCE {
        let Some(next) = threads.iter_mut().filter(|t| !t.steps.is_empty()).min_by_key(|t| t.now) else { return true };
        machine.step(next);
        if random.bool() {
            next.now += random.u64(0..400_000);
        }
    }
    false
}

/// Lets transmit queue `queue` of one site name the same queue of another.
fn connect(machine: &mut Voyager, from: usize, to: usize, queue: u32) {
    let entry = Entry { site: to as u32, queue, source: from as u32 };
    machine.sites[from].nes.table.set(queue, to as u32, Some(entry));
}

/// Several threads of a site send Express messages from one queue without locks, several threads of another read one
/// queue. Whether each message arrives once and whole.
///
/// # Errors
/// The description has a mistake. This holds for all functions here.
pub fn express_is_whole(description: &Description, seed: u64) -> Result<bool, String> {
    let mut random = Rng::with_seed(seed);
    let mut machine = Voyager::new(description, 2)?;
    connect(&mut machine, 0, 1, 0);
    let (senders, each) = (3, 8);
    let mut threads = vec![];
    let mut sent = vec![];
    for number in 0..senders {
        let mut thread = Thread::new(0, number, random.u64(0..US));
        for i in 0..each {
            // Both parts of the payload belong to the message: the one in the address, and the one in the data.
            let payload = u64::from(i) << 32 | u64::from(number) << 16 | u64::from(i);
            sent.push(payload);
            thread.steps.push_back(Step::Work(random.u64(0..300_000)));
            if !machine.figures.one_access() {
                thread.steps.push_back(Step::ExpressHalf { queue: 0, destination: 1, payload });
            }
            thread.steps.push_back(Step::Express { queue: 0, destination: 1, payload, tag: None });
        }
        threads.push(thread);
    }
    for number in 0..2 {
        let mut thread = Thread::new(1, number, 0);
        thread.steps = (0..senders * each / 2).map(|_| Step::Poll(0)).collect();
        threads.push(thread);
    }
    let ended = shuffled(&mut machine, &mut threads, &mut random);
    let words = threads.iter().flat_map(|t| &t.words);
    let mut got: Vec<u64> = words.filter_map(|w| Some(machine.figures.format.of_word(*w)?.payload)).collect();
    got.sort_unstable();
    sent.sort_unstable();
    Ok(ended && got == sent)
}

/// Two threads of a site send Basic messages from one queue. Whether each message arrives once and whole.
pub fn basic_is_whole(description: &Description, locks: bool, seed: u64) -> Result<bool, String> {
    let mut random = Rng::with_seed(seed);
    let mut machine = Voyager::new(description, 2)?;
    machine.reclaims = random.bool();
    let queue = machine.figures.resident[0];
    connect(&mut machine, 0, 1, queue);
    let (mut threads, mut sent) = (vec![], vec![]);
    let each = (machine.figures.depth as u32 / 2).min(6);
    for number in 0..2 {
        let mut thread = Thread::new(0, number, random.u64(0..US));
        for i in 0..each {
            let word = 1000 * (number + 1) + i;
            sent.push(word);
            thread.steps.push_back(Step::Work(random.u64(0..600_000)));
            thread.steps.extend(machine.to_send(Mechanism::Basic, locks, queue, 1, &[word; 4]));
        }
        threads.push(thread);
    }
    shuffled(&mut machine, &mut threads, &mut random);
    let mut now = machine.settle().max(threads.iter().map(|t| t.now).max().unwrap_or(0)) + US;
    // What the queue has is read when all is over.
    let (count, _) = machine.load(now, 1, At::ReceiveProducer(queue));
    let mut reader = Thread::new(1, 0, now);
    let mut got = vec![];
    for _ in 0..count {
        reader.got.clear();
        reader.steps = machine.to_receive(Mechanism::Basic, false, queue, 4).into();
        reader.run(&mut machine)?;
        now = reader.now;
        let words = &reader.got[2..];
        if words.iter().any(|w| *w != words[0]) {
            return Ok(false);
        }
        got.push(words[0]);
    }
    let _ = now;
    got.sort_unstable();
    sent.sort_unstable();
    Ok(got == sent)
}

/// What receivers read: payloads by queue, in order.
pub type Read = BTreeMap<u32, Vec<u32>>;

/// Which queues are resident while messages arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residency {
    Always,
    Never,
    /// Changed at random, and some are resident at first.
    Changing,
}

/// What a run with many messages came to.
pub struct Outcome {
    pub read: Read,
    /// Whether all that was sent was read.
    pub is_complete: bool,
    /// Whether each sender's messages of a queue came in order.
    pub is_in_order: bool,
    /// Messages that passed the service processor.
    pub missed: u64,
}

/// Two queues of each class: the first is resident at first, the second is not. The second one has Tag-On messages.
fn queues(machine: &Voyager) -> [u32; 4] {
    let [express, basic] = machine.figures.resident;
    let first = express + basic;
    [0, first, express, machine.figures.queues - 1]
}

/// Bursts of messages from `senders` sites to queues of one site, whose readers begin late and pause, so that queues
/// overflow.
pub fn stress(description: &Description, senders: usize, residency: Residency, seed: u64) -> Result<Outcome, String> {
    let mut random = Rng::with_seed(seed);
    let mut machine = Voyager::new(description, senders + 1)?;
    machine.reclaims = random.bool();
    let to = senders;
    let used = queues(&machine);
    let each = 2 * machine.figures.depth as u32;
    let is_basic = |machine: &Voyager, queue: u32| machine.sites[to].nes.receive(queue).class == Class::Basic;
    let how = |machine: &Voyager, queue: u32| match queue {
        _ if is_basic(machine, queue) => Mechanism::Basic,
        _ if queue == used[1] => Mechanism::TagOn,
        _ => Mechanism::Express,
    };
    // A number again and again, so that mixed messages are seen.
    let words = |how: Mechanism| if how == Mechanism::Express { 1 } else { 3 };
    for queue in used {
        let is_resident = match residency {
            Residency::Always => true,
            Residency::Never => false,
            Residency::Changing => random.bool(),
        };
        machine.sites[to].nes.set_resident(queue, false)?;
        // A place may have to be freed first.
        if is_resident {
            let class_first = if is_basic(&machine, queue) { machine.figures.resident[0] } else { 0 };
            machine.sites[to].nes.set_resident(class_first + 1, false)?;
            machine.sites[to].nes.set_resident(queue, true)?;
        }
    }
    let mut threads = vec![];
    for from in 0..senders {
        for queue in used {
            connect(&mut machine, from, to, queue);
            let mut thread = Thread::new(from, threads.len() as u32 % 4, random.u64(0..US));
            let how = how(&machine, queue);
            for i in 0..each {
                thread.steps.push_back(Step::Work(random.u64(0..200_000)));
                let message = vec![(from as u32) << 16 | i; words(how)];
                thread.steps.extend(machine.to_send(how, false, queue, to as u32, &message));
            }
            threads.push(thread);
        }
    }
    let first_reader = threads.len();
    for queue in used {
        let mut thread = Thread::new(to, 0, random.u64(0..300 * US));
        let how = how(&machine, queue);
        for _ in 0..each * senders as u32 {
            thread.steps.push_back(Step::Work(random.u64(0..2 * US)));
            thread.steps.extend(machine.to_receive(how, false, queue, words(how) as u64));
        }
        threads.push(thread);
    }
    if residency == Residency::Changing {
        for i in 0..12 {
            let queue = used[random.usize(0..used.len())];
            machine.migrate(i * 40 * US + random.u64(0..40 * US), to, queue, random.bool());
        }
    }
    // The service processors' requests above were made before the threads began; they come when it is their time.
    let ended = shuffled(&mut machine, &mut threads, &mut random);
    let mut read = Read::new();
    for (queue, thread) in used.iter().zip(&threads[first_reader..]) {
        let of = |w: &u64| Some(machine.figures.format.of_word(*w)?.payload as u32);
        let express: Vec<u32> = thread.words.iter().filter_map(of).collect();
        let whole = |words: &[u32]| if words.iter().all(|w| *w == words[0]) { words[0] } else { u32::MAX };
        let payloads: Vec<u32> = match how(&machine, *queue) {
            Mechanism::Basic => thread.got.chunks_exact(5).map(|m| whole(&m[2..])).collect(),
            Mechanism::TagOn => {
                let data = express.iter().zip(thread.got.chunks_exact(2));
                data.map(|(first, rest)| whole(&[*first, rest[0], rest[1]])).collect()
            }
            _ => express,
        };
        read.insert(*queue, payloads);
    }
    let in_order = |payloads: &Vec<u32>| {
        (0..senders as u32).all(|from| {
            let own: Vec<u32> = payloads.iter().filter(|p| **p >> 16 == from).map(|p| p & 0xffff).collect();
            own.is_sorted_by(|a, b| a < b)
        })
    };
    let is_complete = read.values().all(|payloads| {
        let mut sorted = payloads.clone();
        sorted.sort_unstable();
        let wanted: Vec<u32> = (0..senders as u32).flat_map(|from| (0..each).map(move |i| from << 16 | i)).collect();
        sorted == wanted
    });
    let missed = machine.sites[to].missed;
    Ok(Outcome { is_complete: is_complete && ended, is_in_order: read.values().all(in_order), read, missed })
}

/// A process's queues are not resident for a while, and another's are. Messages for it keep arriving meanwhile: whether
/// it reads all of them in order when it is back, and how many came while it was away.
pub fn swapped_out(description: &Description, seed: u64) -> Result<(bool, usize), String> {
    let mut random = Rng::with_seed(seed);
    let mut machine = Voyager::new(description, 2)?;
    let own = [0, machine.figures.resident[0]];
    let depth = machine.figures.depth as u32;
    let mut threads = vec![];
    for queue in own {
        connect(&mut machine, 0, 1, queue);
        let how = if queue == 0 { Mechanism::Express } else { Mechanism::Basic };
        let mut thread = Thread::new(0, 0, random.u64(0..US));
        for i in 0..2 * depth {
            thread.steps.push_back(Step::Work(random.u64(0..3 * US)));
            thread.steps.extend(machine.to_send(how, false, queue, 1, &[i]));
        }
        threads.push(thread);
        machine.migrate(10 * US, 1, queue, false);
    }
    // Another process takes the places.
    for (queue, other) in own.into_iter().zip([machine.figures.resident.iter().sum(), machine.figures.queues - 1]) {
        machine.migrate(12 * US, 1, other, true);
        machine.migrate(400 * US, 1, other, false);
        machine.migrate(410 * US, 1, queue, true);
    }
    shuffled(&mut machine, &mut threads, &mut random);
    machine.advance(399 * US);
    let away = own.iter().all(|queue| !machine.sites[1].nes.is_resident(*queue));
    let came = machine.sites[1].nes.held();
    let mut now = machine.settle().max(500 * US);
    let back = own.iter().all(|queue| machine.sites[1].nes.is_resident(*queue));
    let mut is_right = away && back;
    for queue in own {
        let how = if queue == 0 { Mechanism::Express } else { Mechanism::Basic };
        let mut reader = [Thread::new(1, 0, now)];
        reader[0].steps = (0..2 * depth).flat_map(|_| machine.to_receive(how, false, queue, 1)).collect();
        is_right &= shuffled(&mut machine, &mut reader, &mut random);
        let read: Vec<u32> = match how {
            Mechanism::Basic => reader[0].got.chunks(3).filter_map(|m| m.get(2).copied()).collect(),
            _ => {
                let of = |w: &u64| Some(machine.figures.format.of_word(*w)?.payload as u32);
                reader[0].words.iter().filter_map(of).collect()
            }
        };
        is_right &= read == (0..2 * depth).collect::<Vec<_>>();
        now = reader[0].now;
    }
    Ok((is_right, came))
}

/// A process that owns some queues names every destination: whether messages reach only what the rows of its queues
/// have.
pub fn is_protected(description: &Description, seed: u64) -> Result<bool, String> {
    let mut random = Rng::with_seed(seed);
    let mut machine = Voyager::new(description, 4)?;
    let mut wanted: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let own = [1, 2];
    for queue in own {
        for destination in 0..1 << format::DESTINATION_BITS {
            if random.u32(0..40) == 0 {
                let entry = Entry { site: random.u32(1..4), queue: random.u32(3..5), source: 9 };
                *wanted.entry((entry.site, entry.queue)).or_default() += 1;
                machine.sites[0].nes.table.set(queue, destination, Some(entry));
            }
        }
    }
    let mut now = 0;
    for queue in own {
        for destination in 0..1 << format::DESTINATION_BITS {
            let (at, data) = machine.figures.format.store(queue, destination, None, 5);
            now = machine.store(now, 0, At::Send(at), u64::from(data));
        }
    }
    machine.settle();
    let sites = machine.sites.len() as u32;
    let is_right = (0..sites).all(|site| {
        (0..machine.figures.queues).all(|queue| {
            let held = machine.sites[site as usize].nes.receive(queue).held();
            held == wanted.get(&(site, queue)).copied().unwrap_or(0)
        })
    });
    let refused = machine.sites[0].refused;
    let allowed: usize = wanted.values().sum();
    Ok(is_right && refused as usize == 2 * (1 << format::DESTINATION_BITS) - allowed)
}

/// A phantom queue over several queues, in random states: whether each poll gives the most important one's message, a
/// Basic queue's pointers, or Empty.
pub fn polls_by_priority(description: &Description, seed: u64) -> Result<bool, String> {
    let mut random = Rng::with_seed(seed);
    let mut machine = Voyager::new(description, 2)?;
    let [express, _] = machine.figures.resident;
    let mut covered = vec![0, 1, 2, express, express + 1];
    random.shuffle(&mut covered);
    let phantom = machine.sites[1].nes.phantom(covered.clone());
    covered.iter().for_each(|queue| connect(&mut machine, 0, 1, *queue));
    // What is in each queue, as far as this thread knows.
    let mut model: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    let (mut sender, mut number) = (Thread::new(0, 0, 0), 0);
    let mut consumed: BTreeMap<u32, u64> = BTreeMap::new();
    let mut now = 0;
    for _ in 0..60 {
        if random.u32(0..5) < 2 {
            let queue = covered[random.usize(0..covered.len())];
            if model.get(&queue).map_or(0, Vec::len) + 1 >= machine.figures.depth as usize {
                continue;
            }
            number += 1;
            let how = if queue >= express { Mechanism::Basic } else { Mechanism::Express };
            (sender.now, sender.steps) = (now, machine.to_send(how, false, queue, 1, &[number]).into());
            sender.run(&mut machine)?;
            model.entry(queue).or_default().push(u64::from(number));
            now = machine.settle().max(sender.now) + US;
            continue;
        }
        let (word, after) = machine.load(now, 1, At::Poll(phantom));
        now = after;
        let first = covered.iter().copied().find(|queue| model.get(queue).is_some_and(|m| !m.is_empty()));
        let is_right = match first {
            None => word == EMPTY,
            Some(queue) if queue >= express => {
                let consumer = consumed.entry(queue).or_default();
                let waiting = model[&queue].len() as u64;
                let said = format::basic_ready(word) == Some((queue, *consumer + waiting, *consumer));
                // Software may read it, or leave it.
                if random.bool() {
                    *consumer += 1;
                    now = machine.store(now, 1, At::ReceiveConsumer(queue), *consumer);
                    model.entry(queue).or_default().remove(0);
                }
                said
            }
            Some(queue) => {
                let payload = model.entry(queue).or_default().remove(0);
                machine.figures.format.of_word(word) == Some(Arrived { payload, source: 0, tag: None })
            }
        };
        if !is_right {
            return Ok(false);
        }
    }
    Ok(true)
}
