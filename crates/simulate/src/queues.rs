//! The kernel of message queues on a simulated StarT-Voyager: messages of the study's four mechanisms, between two sites.
//!
//! What `runtime/probe/queues.c` measures with real threads, [`crate::voyager`] computes. Its endpoint keeps messages and
//! caches coherent (Reclaim) unless the stimulus says that software flushes.

use crate::voyager::code::Mechanism;
use crate::voyager::measured::{gap, times, transfer, Way, MOST};
use fathom_machine::parts::nes::KIND;
use fathom_machine::Description;
use fathom_probe::{Fact, Failure, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::BTreeMap;

/// Bytes of a word, which an Express message carries.
const WORD: u64 = 4;
/// So many Express messages find room in a queue.
const MOST_EXPRESS: u64 = 8;

/// Has the machine an endpoint with message queues?
pub fn has_queues(description: &Description) -> bool {
    description.engine(KIND).is_some()
}

/// # Errors
/// The machine has no message queues, or no such message.
pub fn message(description: &Description, stimulus: &Stimulus) -> Result<Samples, Failure> {
    let impossible = |reason, why: String| Err(Failure::Impossible(reason, why));
    if !has_queues(description) {
        let why = "this machine has no message queues: its file describes no network endpoint with queues";
        return impossible(Reason::Operation, why.into());
    }
    let bytes = stimulus.number("bytes").unwrap_or(WORD);
    let measure = stimulus.chosen("measure").unwrap_or_default();
    let facts = BTreeMap::from([(Fact::Bytes, WORD as f64)]);
    let one = |ns: f64| Ok(Samples { ns: vec![ns], facts: facts.clone(), ..Samples::default() });
    let how = match stimulus.chosen("mechanism").unwrap_or_default() {
        "express" => Mechanism::Express,
        "tag_on" => Mechanism::TagOn,
        "in_place" => Mechanism::TagOnInPlace,
        "basic" => Mechanism::Basic,
        "bulk" if matches!(measure, "latency" | "gap") => {
            // The endpoint performs one block transfer after the other.
            let (mb_s, is_right) = transfer(description, bytes).map_err(Failure::Broken)?;
            if !is_right {
                return Err(Failure::Broken(format!("`{stimulus}`: what came is not what was sent")));
            }
            return one(bytes as f64 / mb_s * 1e3);
        }
        other => return impossible(Reason::Operation, format!("this machine has no messages by `{other}`")),
    };
    let reclaims = stimulus.number("flush") != Some(1) && how != Mechanism::TagOnInPlace;
    let way = Way { how, reclaims, threads: stimulus.chosen("threads") != Some("one") };
    let words = bytes / WORD;
    let most = if how == Mechanism::Express { MOST_EXPRESS } else { MOST };
    if !bytes.is_multiple_of(WORD) || !(way.least()..=most).contains(&words) {
        let (least, most) = (way.least() * WORD, most * WORD);
        return impossible(Reason::Size, format!("such messages have {least} to {most} bytes here, a word is {WORD}"));
    }
    let found = times(description, way, words).map_err(Failure::Broken)?;
    match measure {
        "send" => one(found.send),
        "receive" => one(found.receive),
        "latency" => one(found.latency),
        "gap" => {
            let alone = gap(description, way, words).map_err(Failure::Broken)?;
            one(alone.max(found.send).max(found.receive))
        }
        other => Err(Failure::Broken(format!("`{other}` is not a measure of messages"))),
    }
}
