//! A pipeline of threads: each stage takes messages from its queue, works, and sends on; words as Express, lines of text
//! as bytes.
//!
//!     cargo run --release -p fathom-queue --example pipeline
//!
//! Every queue has one sender and one receiver, so it is `Single`: the compiler knows that no other thread uses it.
//! A stage that is slow fills its queue, and the one before waits: nothing is lost, and nothing grows.

use fathom_queue::{Endpoint, Error, Queue, Single, Transmit};
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

const DATA: u8 = 0;
const END: u8 = 1;

/// One end of a stage: sends, and sleeps while the next stage has no room.
fn send(out: &mut Transmit<Single>, tag: u8, data: &[u8]) -> Result<(), Error> {
    loop {
        match out.send(0, tag, data) {
            Err(Error::Full) => out.wait_for_room(0, Duration::from_secs(1)),
            other => return other,
        };
    }
}

/// The other end: works on every message until the last. After an error it only takes them, so that the stage before ends, too.
fn each(inbox: &mut Queue<Single>, mut work: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
    let mut so_far = Ok(());
    loop {
        match inbox.receive() {
            Some(message) if message.tag() == END => return so_far,
            Some(message) if so_far.is_ok() => so_far = work(&message.data()),
            Some(_) => {}
            None => thread::yield_now(),
        }
    }
}

/// The end of a stage, whatever became of it: the next one waits for it.
fn end(out: &mut Transmit<Single>, so_far: Result<(), Error>) -> Result<(), Error> {
    let sent = send(out, END, &[]);
    so_far.and(sent)
}

/// How often each word occurs in the lines: split, made lower case, counted, each by a thread.
///
/// # Errors
/// There is no memory for queues, or a word is longer than 1 KiB.
pub fn count<'t>(lines: impl Iterator<Item = &'t str> + Send) -> Result<BTreeMap<String, usize>, Error> {
    let endpoint = Endpoint::new()?;
    let stage = |number| -> Result<(Transmit<Single>, Queue<Single>), Error> {
        let (out, inbox) = (endpoint.single_transmit(number, 1)?, endpoint.single_queue(number, 64)?);
        out.connect(0, &inbox, number.into())?;
        Ok((out, inbox))
    };
    let ((mut to_split, mut split), (mut to_lower, mut lower), (mut to_count, mut counted)) =
        (stage(0)?, stage(1)?, stage(2)?);
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut lines = lines;
            let so_far = lines.try_for_each(|line| send(&mut to_split, DATA, line.as_bytes()));
            end(&mut to_split, so_far)
        });
        let splitter = scope.spawn(move || {
            let so_far = each(&mut split, |line| {
                let words = line.split(|c| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
                words.into_iter().try_for_each(|word| send(&mut to_lower, DATA, word))
            });
            end(&mut to_lower, so_far)
        });
        let folder = scope.spawn(move || {
            let so_far = each(&mut lower, |word| send(&mut to_count, DATA, &word.to_ascii_lowercase()));
            end(&mut to_count, so_far)
        });
        let mut counts = BTreeMap::new();
        each(&mut counted, |word| {
            *counts.entry(String::from_utf8_lossy(word).into_owned()).or_default() += 1;
            Ok(())
        })?;
        for stage in [reader, splitter, folder] {
            stage.join().expect("a stage does not panic")?;
        }
        Ok(counts)
    })
}

const TEXT: &str =
    "Get a buffer, process the message, release the buffer: a message that is not released keeps its buffer.";

#[allow(dead_code)] // tests include this file
fn main() -> Result<(), Error> {
    let counts = count(TEXT.lines().cycle().take(1000))?;
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    all.iter().take(4).for_each(|(word, n)| println!("{n:6} {word}"));
    Ok(())
}
