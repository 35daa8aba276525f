//! The knobs of Martin, Vahdat, Culler and Anderson (ISCA'97), turned on a simulated Berkeley NOW: programs in Split-C
//! with more overhead, gap, latency, and less bandwidth of long messages.
//!
//! A slope is compared with the paper's model of it: 2 m for overhead and m for gap, where m is the number of messages
//! that the busiest processor sends: active messages, those of barriers, gets and puts, and the answers to these, of
//! which a processor is taken to send as many as it asks for.

use fathom_machine::Description;
use fathom_simulate::program::{Outcome, Spent};
use fathom_simulate::reproduce::Results;
use fathom_toolchain::{Failure, Result};
use std::collections::BTreeMap;

/// Runs a program on a machine with so many processors: what it cost, and what it printed.
pub type Run<'a> = &'a dyn Fn(&Description, u32, &[&str]) -> Result<(Outcome, String)>;

struct Program {
    /// The numbers of the claims about its slopes, by overhead and by gap.
    slopes: [&'static str; 2],
    arguments: &'static [&'static str],
    /// The line that has its time begins with this; the time is the number after it.
    line: &'static str,
    /// Of a processor: how often that time passes.
    times: f64,
    messages: Messages,
}

/// How the messages are counted of the busiest processor, in what is timed.
enum Messages {
    /// All active messages of the run, and barriers; outside of what is timed there are none but a few dozen.
    Active,
    /// What the program sends more with these arguments, which let pass what is timed once more.
    More(&'static [&'static str]),
}

/// Keys, and edges, of a processor.
const KEYS: f64 = 4000.0;
const SAMPLE_KEYS: f64 = 16000.0;
const EDGES: f64 = 2.0 * 100.0 * 10.0;

const PROGRAMS: [Program; 6] = [
    Program {
        slopes: ["N21", "N31"],
        arguments: &["-DREPETITIONS=1", "radix.sc", "fine", "4000", "random"],
        line: "fine   random",
        times: KEYS,
        messages: Messages::Active,
    },
    Program {
        slopes: ["N22", "N32"],
        arguments: &["-DREPETITIONS=1", "radix.sc", "bulk", "4000", "random"],
        line: "bulk   random",
        times: KEYS,
        messages: Messages::Active,
    },
    Program {
        slopes: ["N23", "N33"],
        arguments: &["-DREPETITIONS=1", "sample.sc", "fine", "16000", "random"],
        line: "fine   random",
        times: SAMPLE_KEYS,
        messages: Messages::Active,
    },
    Program {
        slopes: ["N24", "N34"],
        arguments: &["em3d.sc", "put", "100", "10", "40", "4"],
        line: "put",
        times: 4.0 * EDGES,
        messages: Messages::More(&["em3d.sc", "put", "100", "10", "40", "8"]),
    },
    Program {
        slopes: ["N25", "N35"],
        arguments: &["em3d.sc", "bundle", "100", "10", "40", "4"],
        line: "bundle",
        times: 4.0 * EDGES,
        messages: Messages::More(&["em3d.sc", "bundle", "100", "10", "40", "8"]),
    },
    Program {
        slopes: ["N26", "N36"],
        arguments: &["connect.sc", "40", "40", "60", "1"],
        line: "time:",
        times: 1.0,
        messages: Messages::More(&["connect.sc", "40", "40", "60", "2"]),
    },
];

/// The settings at which each program runs, by their names: a figure of the machine file, and its value.
const SETTINGS: [(&str, &[(&str, &str)]); 7] = [
    ("base", &[]),
    ("o / 2", &[("network.o_send", "52.9 us")]),
    ("o", &[("network.o_send", "102.9 us")]),
    ("g / 2", &[("network.g", "55.8 us")]),
    ("g", &[("network.g", "105.8 us")]),
    ("L", &[("network.L", "105 us")]),
    ("G", &[("network.G_2", "1 / 3.8 MB/s")]),
];
/// What is added at most, in ns.
const ADDED: f64 = 100e3;

/// A program's times in ns at the settings, and the messages of its busiest processor.
struct Turned {
    ns: BTreeMap<&'static str, f64>,
    messages: f64,
}

impl Turned {
    /// What a setting costs.
    fn more(&self, setting: &str) -> f64 {
        self.ns[setting] - self.ns["base"]
    }
}

/// The results that are wanted, by the numbers of their claims.
pub fn results(machine: &Description, run: Run, is_wanted: &dyn Fn(&str) -> bool) -> Result<Results> {
    let mut found = Results::new();
    let statements = ["N11", "N13", "N14", "N15", "N16"];
    let all = statements.iter().any(|id| is_wanted(id));
    let mut turned = vec![];
    for program in &PROGRAMS {
        if !all && !program.slopes.iter().any(|id| is_wanted(id)) {
            continue;
        }
        let of = turn(program, machine, run)?;
        let per_message = |setting: &str| of.more(setting) / ADDED / of.messages;
        found.insert(program.slopes[0], per_message("o") / 2.0);
        found.insert(program.slopes[1], per_message("g"));
        turned.push(of);
    }
    if all {
        let most = |what: &dyn Fn(&Turned) -> bool| {
            let of = turned.iter().filter(|of| what(of)).count();
            f64::from(u8::from(2 * of > turned.len()))
        };
        let is_line = |of: &Turned, half: &str, whole: &str| (of.more(half) / of.more(whole) - 0.5).abs() <= 0.025;
        found.insert("N11", turned.iter().map(|of| of.ns["o"] / of.ns["base"]).fold(0.0, f64::max));
        found.insert("N13", most(&|of| is_line(of, "o / 2", "o")));
        found.insert("N14", most(&|of| is_line(of, "g / 2", "g")));
        found.insert("N15", most(&|of| of.more("L") < of.more("o") / 2.0));
        found.insert("N16", most(&|of| of.more("G") < of.ns["base"] / 5.0));
    }
    if is_wanted("N12") {
        let mut greatest = 0.0_f64;
        for program in &PROGRAMS {
            let at = |setting| time(program, &run(&set(machine, setting)?, 32, program.arguments)?.1);
            greatest = greatest.max(at("o")? / at("base")?);
        }
        found.insert("N12", greatest);
    }
    Ok(found)
}

/// The machine at one of the [`SETTINGS`].
fn set(machine: &Description, setting: &str) -> Result<Description> {
    let values = SETTINGS.iter().find(|(name, _)| *name == setting).map_or(&[][..], |(_, values)| values);
    let changed = values.iter().try_fold(machine.clone(), |machine, (name, value)| machine.with_value(name, value));
    changed.map_err(|why| {
        Failure::new(format!("the machine has not the parameters that the study turns: {why}"))
            .hint("the study's programs need a network of kind `loggp` with o_send, g, L and G_2, as machines/now.toml has it")
    })
}

/// A program at all settings, on 16 processors.
fn turn(program: &Program, machine: &Description, run: Run) -> Result<Turned> {
    let mut ns = BTreeMap::new();
    let mut messages = 0.0;
    for (setting, _) in SETTINGS {
        let (outcome, said) = run(&set(machine, setting)?, 16, program.arguments)?;
        ns.insert(setting, time(program, &said)?);
        if setting == "base" {
            let more = match program.messages {
                Messages::Active => None,
                Messages::More(more) => Some(run(&set(machine, "base")?, 16, more)?.0),
            };
            messages = count(&outcome, more.as_ref());
        }
    }
    Ok(Turned { ns, messages })
}

/// The messages of the busiest processor; of two runs, those that the second has more.
fn count(outcome: &Outcome, more: Option<&Outcome>) -> f64 {
    let rounds = u64::from(outcome.threads.len().next_power_of_two().trailing_zeros());
    let sent = |thread: &Spent| rounds * thread.barriers + 2 * (thread.gets + thread.puts);
    let of = |(t, thread): (usize, &Spent)| match more {
        Some(more) => {
            let more = &more.threads[t];
            (sent(more) + more.messages).saturating_sub(sent(thread) + thread.messages)
        }
        // Gets and puts are those of the program's checks.
        None => rounds * thread.barriers + thread.messages,
    };
    outcome.threads.iter().enumerate().map(of).max().unwrap_or(0) as f64
}

/// The time that a program has printed, in ns.
fn time(program: &Program, said: &str) -> Result<f64> {
    let line = said.lines().find_map(|line| line.strip_prefix(program.line));
    let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    let number = number.ok_or_else(|| {
        Failure::new(format!(
            "the program {} has printed no line with its time: `{} …`",
            program.arguments.join(" "),
            program.line
        ))
    })?;
    Ok(number * program.times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_stands_after_the_name() {
        let said = "radix sort\nfine   random    30533.63 (30533.63 to 30533.63) ns      1.00\n";
        assert_eq!(time(&PROGRAMS[0], said).unwrap(), 30533.63 * KEYS);
        assert!(time(&PROGRAMS[1], said).is_err());
    }

    #[test]
    fn the_messages_are_those_of_the_busiest_processor_in_what_is_timed() {
        let outcome = |gets: [u64; 2]| {
            let threads = gets.map(|gets| Spent { gets, ..Spent::default() }).to_vec();
            Outcome { threads, lines: vec![], pictures: None, history: None, turns: 0, events: 0 }
        };
        // The first has 1000 gets before what is timed.
        assert_eq!(count(&outcome([1010, 12]), Some(&outcome([1020, 24]))), 24.0);
    }
}
