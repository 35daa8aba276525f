//! The T3D Split-C study, sections 4.4 and 5.4 to 7: Split-C's operations, bulk transfers, messages, and the barrier.

use super::super::Results;
use super::AWAY;
use crate::split_c::{Bulk, Global, SplitC, What, GETS, REGISTER};
use fathom_machine::parts::shell::join;
use fathom_machine::{Data, Description, Thread, Time, Words};

fn start<D: Data>(description: &Description) -> Result<(SplitC<D>, Thread), String> {
    Ok((SplitC::new(description, AWAY + 1)?, Thread::new(0)))
}

pub fn measure(description: &Description, found: &mut Results) -> Result<(), String> {
    operations(description, found)?;
    gets(description, found)?;
    bulk(description, found)?;
    messages(description, found)?;
    found.insert("T52", f64::from(u8::from(only_gets_are_limited(description)?)));
    found.insert("T65", f64::from(u8::from(handles_in_barrier(description)?)));
    Ok(())
}

/// How often an operation is repeated. The first is not counted.
const TIMES: u64 = 100;

/// Mean ns of an operation on words of another processor, by a stride of a line, as in the probes of section 4.
fn mean<D: Data>(
    description: &Description,
    operation: &mut dyn FnMut(&mut SplitC<D>, &mut Thread, Global),
) -> Result<f64, String> {
    let (mut s, mut t) = start(description)?;
    operation(&mut s, &mut t, Global::new(AWAY, 0));
    let began = t.now;
    (1..=TIMES).for_each(|i| operation(&mut s, &mut t, Global::new(AWAY, 32 * i)));
    Ok((t.now - began) as f64 / 1000.0 / TIMES as f64)
}

fn operations(description: &Description, found: &mut Results) -> Result<(), String> {
    found.insert("T32", mean::<()>(description, &mut |s, t, p| s.read(t, p))?);
    found.insert("T35", mean::<()>(description, &mut |s, t, p| s.write(t, p, ()))?);
    found.insert("T51", mean::<()>(description, &mut |s, t, p| s.put(t, p, ()))?);
    Ok(())
}

fn gets(description: &Description, found: &mut Results) -> Result<(), String> {
    // The compiler knows that all come from one processor, whose segment is set once.
    let from = |i: u64| Global::new(AWAY, 8 * i);
    let group = |has_table: bool, pause: Time| -> Result<f64, String> {
        let (mut s, mut t) = start::<()>(description)?;
        s.get(&mut t, 4096, from(0));
        s.sync(&mut t);
        let began = t.now;
        for i in 0..GETS as u64 {
            match has_table {
                true => s.get_again(&mut t, 4096 + 8 * i, from(i)),
                false => s.machine.prefetch(&mut t, join(REGISTER, 8 * i)),
            }
        }
        t.now += pause;
        match has_table {
            true => s.take_gets(&mut t),
            // The compiler knows all targets.
            false => {
                s.machine.barrier(&mut t);
                for i in 0..GETS as u64 {
                    s.machine.pop(&mut t);
                    s.machine.store(&mut t, 4096 + 8 * i, ());
                }
            }
        }
        Ok((t.now - began) as f64 / 1000.0 / GETS as f64)
    };
    found.insert("T47", group(true, 0)?);
    // After a pause, so that the words are there, and what the table takes is not hidden behind their way.
    let pause = 10_000_000;
    let cycle_ns = start::<()>(description)?.0.machine.nodes[0].processor.cycle as f64 / 1000.0;
    found.insert("T48", (group(true, pause)? - group(false, pause)?) / cycle_ns);
    Ok(())
}

/// Whether one get more than a program may have outstanding loses a word, and four times as many puts lose none: nobody
/// takes anything in between.
fn only_gets_are_limited(description: &Description) -> Result<bool, String> {
    let word = |i: u64| Words::one(8 * i, 100 + i);
    let (mut s, mut t) = start::<Words>(description)?;
    let puts = 4 * GETS as u64;
    (0..puts).for_each(|i| s.put(&mut t, Global::new(AWAY, 8 * i), word(i)));
    s.sync(&mut t);
    let mut owner = Thread { me: AWAY as usize, now: t.now };
    let all_came = (0..puts).all(|i| s.machine.load(&mut owner, 8 * i).at(8 * i) == 100 + i);
    // So many prefetches, and then all of them are taken.
    let mut comes = |gets: u64| {
        (0..gets).for_each(|i| s.machine.prefetch(&mut t, join(REGISTER, 8 * i)));
        s.machine.barrier(&mut t);
        (0..gets).all(|i| s.machine.pop(&mut t).is_some_and(|x| x.at(8 * i) == 100 + i))
    };
    Ok(all_came && comes(GETS as u64) && !comes(GETS as u64 + 1))
}

/// The time of a bulk read, or `limit` if it is not less; none if the machine cannot do it this way.
pub fn bulk_read(description: &Description, how: Bulk, bytes: u64, limit: Time) -> Result<Option<Time>, String> {
    let (mut s, mut t) = start::<()>(description)?;
    let from = Global::new(AWAY, 0);
    Ok(s.bulk_read(&mut t, how, 1 << 23, from, bytes, limit).map(|_| t.now.min(limit)))
}

const HOW: [Bulk; 4] = [Bulk::Uncached, Bulk::Cached, Bulk::Prefetch, Bulk::Engine];

/// The fastest way to read a block.
fn fastest(description: &Description, bytes: u64) -> Result<Bulk, String> {
    let mut best = (Bulk::Uncached, Time::MAX);
    // Those that are fast for large blocks come first, so that the others need not finish.
    for how in HOW.into_iter().rev() {
        // A way that is late by a factor of two at a sixteenth of a large block is not tried for the whole.
        let part = bytes / 16;
        if part >= 4096 && bulk_read(description, how, part, best.1 / 8)? == Some(best.1 / 8) {
            continue;
        }
        if let Some(time) = bulk_read(description, how, bytes, best.1)?.filter(|time| *time < best.1) {
            best = (how, time);
        }
    }
    Ok(best.0)
}

/// The ways that section 6.2 names for a size. It puts the change to the engine at 16 KB, a size that was measured.
fn printed(bytes: u64) -> &'static [Bulk] {
    match bytes {
        8 => &[Bulk::Uncached],
        16 => &HOW, // not printed
        32 | 64 => &[Bulk::Cached],
        16384 => &[Bulk::Prefetch, Bulk::Engine],
        _ if bytes < 16384 => &[Bulk::Prefetch],
        _ => &[Bulk::Engine],
    }
}

fn bulk(description: &Description, found: &mut Results) -> Result<(), String> {
    // 8 B to 64 KB by doubling, and 1 MB: what is between takes as long for each byte.
    let sizes: Vec<u64> = (3..=16).chain([20]).map(|power| 1 << power).collect();
    let mut is_printed = true;
    for bytes in &sizes {
        is_printed = is_printed && printed(*bytes).contains(&fastest(description, *bytes)?);
    }
    found.insert("T55", f64::from(u8::from(is_printed)));

    let time = |how, bytes| bulk_read(description, how, bytes, Time::MAX);
    let ns = |time: Time| time as f64 / 1000.0;
    let (small, large) = (time(Bulk::Engine, 8)?, time(Bulk::Engine, 1 << 16)?);
    let (Some(small), Some(large)) = (small, large) else {
        ["T53", "T54", "T58", "T59", "T60"].iter().for_each(|id| _ = found.insert(id, f64::NAN));
        return cached_and_stores(description, found, None);
    };
    found.insert("T53", f64::from((1 << 16) - 8) / ns(large - small) * 1000.0);
    found.insert("T54", ns(small));

    // What is moved in the time in which the engine starts.
    let start = SplitC::<()>::new(description, 1)?.machine.devices.transfers.map_or(0, |engine| engine.start());
    let (mut s, mut t) = self::start::<()>(description)?;
    let moved = s.bulk_read(&mut t, Bulk::Prefetch, 1 << 23, Global::new(AWAY, 0), ENOUGH, start);
    found.insert("T58", moved.map_or(f64::NAN, |bytes| bytes as f64));
    // Both are lines from 8 KB on: where they cross.
    let (low, high) = (8192, 16384);
    let ahead = |bytes| -> Result<f64, String> {
        let [engine, prefetch] =
            [time(Bulk::Engine, bytes)?, time(Bulk::Prefetch, bytes)?].map(|t| t.map_or(f64::NAN, ns));
        Ok(engine - prefetch)
    };
    let (at_low, at_high) = (ahead(low)?, ahead(high)?);
    found.insert("T60", low as f64 + (high - low) as f64 * at_low / (at_low - at_high));
    cached_and_stores(description, found, Some(start))
}

/// More bytes than anything moves while the engine starts.
const ENOUGH: u64 = 1 << 17;

/// Bulk reads by the cache, and bulk writes. `start` is how long the engine takes to start.
fn cached_and_stores(description: &Description, found: &mut Results, start: Option<Time>) -> Result<(), String> {
    // The first doubling of the size by which the time of a byte falls again, after the fixed costs are spread out.
    let mut falls = f64::NAN;
    let mut before = f64::INFINITY;
    for bytes in (9..=16).map(|power| 1u64 << power) {
        let Some(time) = bulk_read(description, Bulk::Cached, bytes, Time::MAX)? else { break };
        let each = time as f64 / bytes as f64;
        if bytes > 1024 && each < 0.95 * before {
            falls = bytes as f64;
            break;
        }
        before = each;
    }
    found.insert("T57", f64::from(u8::from(falls == 8192.0)));

    let put = |bytes: u64| -> Result<Time, String> {
        let (mut s, mut t) = self::start::<()>(description)?;
        s.bulk_put(&mut t, Global::new(AWAY, 0), 1 << 23, bytes);
        s.sync(&mut t);
        Ok(t.now)
    };
    let (half, whole) = (put(1 << 14)?, put(1 << 15)?);
    found.insert("T56", f64::from(1 << 14) / ((whole - half) as f64 / 1000.0) * 1000.0);
    if let Some(start) = start {
        let (mut s, mut t) = self::start::<()>(description)?;
        let (line, mut moved) = (32, 32);
        s.bulk_put(&mut t, Global::new(AWAY, 0), 1 << 23, line);
        while t.now < start && moved < ENOUGH {
            s.bulk_put_more(&mut t, Global::new(AWAY, moved), (1 << 23) + moved, line);
            moved += line;
        }
        found.insert("T59", moved as f64);
    }
    Ok(())
}

fn messages(description: &Description, found: &mut Results) -> Result<(), String> {
    let (mut s, mut t) = start::<Words>(description)?;
    s.machine.send(&mut t, AWAY, [1, 2, 3, 4]);
    found.insert("T61", t.now as f64 / 1000.0);
    interrupted(description, found)?;
    let (mut s, mut t) = start::<Words>(description)?;
    let has_registers = s.machine.fetch_and_increment(&mut t, AWAY, 1).is_some();
    found.insert("T63", if has_registers { t.now as f64 / 1000.0 } else { f64::NAN });

    // Ten messages, each taken after it has come: the first is not counted.
    let (mut there, mut taken) = (0, 0);
    let (mut s, mut t) = start::<Words>(description)?;
    let mut owner = Thread::new(AWAY as usize);
    const MESSAGES: u64 = 10;
    for i in 0..=MESSAGES {
        let began = t.now;
        s.send(&mut t, AWAY, What::Store, [4096 + 8 * i, i, 0, 0]);
        let shell = s.machine.nodes[0].shell.as_ref();
        let arrives = shell.and_then(|shell| shell.borrow().last_arrival()).unwrap_or(t.now);
        owner.now = arrives.max(t.now) + 10_000_000;
        let before = owner.now;
        let message = s.poll(&mut owner);
        if message.map(|m| m.words[1]) != Some(i) {
            ["T64a", "T64b", "T66"].iter().for_each(|id| _ = found.insert(id, f64::NAN));
            return Ok(());
        }
        if i > 0 {
            there += arrives - began;
            taken += owner.now - before;
        }
        t.now = owner.now;
    }
    let ns = |ps: Time| ps as f64 / 1000.0 / MESSAGES as f64;
    found.insert("T64a", ns(there));
    found.insert("T64b", ns(taken));
    // A store tells its receiver by a message.
    let mut owner = Thread::new(AWAY as usize);
    let store = mean::<Words>(description, &mut |s, t, p| {
        s.store(t, p, 1);
        owner.now = owner.now.max(t.now) + 1_000_000;
        s.poll(&mut owner);
    })?;
    found.insert("T66", store / found["T51"]);
    Ok(())
}

/// What a message takes from the processor that it comes to: with a handler, and without.
fn interrupted(description: &Description, found: &mut Results) -> Result<(), String> {
    let taken = |by_handler: bool| -> Result<f64, String> {
        let (mut s, mut t) = start::<Words>(description)?;
        s.machine.send(&mut t, AWAY, [1, 2, 3, 4]);
        // Long after it has come.
        let mut owner = Thread { me: AWAY as usize, now: t.now + 100_000_000 };
        let before = owner.now;
        let has_come = s.machine.receive(&mut owner, by_handler).is_some();
        Ok(if has_come { (owner.now - before) as f64 / 1000.0 } else { f64::NAN })
    };
    let (queued, handled) = (taken(false)?, taken(true)?);
    found.insert("T62a", queued);
    found.insert("T62b", handled - queued);
    Ok(())
}

/// Whether processor 0, which needs an answer before it comes to the barrier, gets it from one that waits there
/// already.
fn handles_in_barrier(description: &Description) -> Result<bool, String> {
    #[derive(Clone, Copy, PartialEq)]
    enum At {
        Sends,
        WaitsForAnswer,
        Begins,
        Waits,
        Done,
    }
    const ASKED: u64 = 1;
    let mut s: SplitC<Words> = SplitC::new(description, 4)?;
    let mut all: Vec<(Thread, At)> =
        (0..4).map(|me| (Thread::new(me), if me == 0 { At::Sends } else { At::Begins })).collect();
    // The other three are in the barrier long before.
    all[0].0.now = 20_000_000;
    const LIMIT: Time = 1_000_000_000;
    loop {
        let next = all.iter_mut().filter(|(_, at)| *at != At::Done).min_by_key(|(t, _)| t.now);
        let Some((t, at)) = next else { return Ok(true) };
        if t.now > LIMIT {
            return Ok(false);
        }
        *at = match *at {
            At::Sends => {
                s.send(t, AWAY, What::User, [ASKED, 0, 0, 0]);
                At::WaitsForAnswer
            }
            At::WaitsForAnswer if s.poll(t).is_some() => At::Begins,
            At::Begins if s.begin_barrier(t) => At::Waits,
            At::Begins => return Ok(false),
            At::Waits => {
                let (is_over, message) = s.try_barrier(t);
                if let Some(question) = message.filter(|m| m.words[0] == ASKED) {
                    s.send(t, question.from, What::User, [0; 4]);
                }
                if is_over {
                    At::Done
                } else {
                    At::Waits
                }
            }
            same => same,
        };
    }
}
