//! Questions that begin with a word.

use crate::answer::{Answer, Complaint, Outcome};
use crate::laws::{self, Access, Law};
use crate::loggp::{self, Missing, Parameters};
use crate::MachineFile;
use std::ops::Range;

/// A word of a query and its place.
#[derive(Clone)]
struct Word<'a> {
    text: &'a str,
    at: Range<usize>,
}

/// The words of a query, taken one after the other.
struct Words<'a> {
    query: &'a str,
    list: std::vec::IntoIter<Word<'a>>,
    form: &'static str,
}

impl<'a> Words<'a> {
    fn new(query: &'a str) -> Self {
        let start = query.as_ptr() as usize;
        let word = |text: &'a str| {
            let from = text.as_ptr() as usize - start;
            Word { text, at: from..from + text.len() }
        };
        Self { query, list: query.split_whitespace().map(word).collect::<Vec<_>>().into_iter(), form: "" }
    }

    fn complain(&self, at: Range<usize>, message: impl Into<String>) -> Complaint {
        Complaint::new(at, message).hint(format!("write {}", self.form))
    }

    fn next(&mut self, what: &str) -> Result<Word<'a>, Complaint> {
        let end = self.query.len();
        self.list.next().ok_or_else(|| self.complain(end..end, format!("expected {what}")))
    }

    /// Consumes the next word if it is this one.
    fn accept(&mut self, text: &str) -> bool {
        let there = self.list.as_slice().first().is_some_and(|w| w.text == text);
        if there {
            self.list.next();
        }
        there
    }

    fn end(&mut self) -> Result<(), Complaint> {
        match self.list.next() {
            Some(word) => Err(self.complain(word.at, format!("unexpected `{}`", word.text))),
            None => Ok(()),
        }
    }

    fn number(&mut self, what: &str) -> Result<f64, Complaint> {
        let word = self.next(what)?;
        let value = word.text.parse().ok().filter(|x: &f64| x.is_finite());
        value.ok_or_else(|| self.complain(word.at, format!("expected {what}, not `{}`", word.text)))
    }

    /// A number of bytes, with a unit or without, in one word or two.
    fn bytes(&mut self) -> Result<u64, Complaint> {
        let word = self.next("a number of bytes")?;
        let digits = word.text.len() - word.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let (number, mut unit) = word.text.split_at(digits);
        let units = ["B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB", "K", "M", "G"];
        if unit.is_empty() {
            unit = units.into_iter().find(|u| self.accept(u)).unwrap_or("B");
        }
        let factor = match unit {
            "B" => 1.0,
            "kB" | "KB" => 1e3,
            "MB" => 1e6,
            "GB" => 1e9,
            "KiB" | "K" => 1024.0,
            "MiB" | "M" => 1_048_576.0,
            "GiB" | "G" => 1_073_741_824.0,
            _ => f64::NAN,
        };
        let bytes = number.parse::<f64>().map_or(f64::NAN, |n| n * factor);
        if bytes >= 1.0 && bytes.fract() == 0.0 && bytes <= 1e15 {
            return Ok(bytes as u64);
        }
        let message = format!("`{}` is not a valid number of bytes (1024, 4 kB, 64KiB, 1M)", word.text);
        Err(self.complain(word.at, message))
    }
}

/// The number of bytes at the end of the query, from `at` on.
pub fn size(query: &str, at: usize) -> Result<u64, Complaint> {
    let mut words = Words::new(&query[at..]);
    words.form = "… of SIZE, the bytes of a block";
    let bytes = words.bytes().and_then(|bytes| words.end().map(|()| bytes));
    bytes.map_err(|mut c| {
        c.at = c.at.start + at..c.at.end + at;
        c
    })
}

/// Examples of questions that this machine answers, for a hint.
pub fn possible(file: &MachineFile) -> String {
    let mut list: Vec<String> = vec![];
    if let Some(machine) = &file.copy_transfer {
        list.extend(["Q(1,64)".to_string(), "1C1 o 1C64".to_string()]);
        if !machine.by_size.is_empty() {
            list.push("Q(1,64) of 64KiB".into());
        }
    }
    if file.loggp.is_some() {
        list.extend(["send 1024", "broadcast 1024 on 16", "exchange …", "reduce …", "scan …"].map(String::from));
    }
    if file.memory.is_some() {
        list.extend(["load 2MiB", "store 2MiB stride 4"].map(String::from));
    }
    if let Some(sharing) = &file.sharing {
        list.extend(sharing.names().iter().take(1).map(|n| format!("pass {n}")));
    }
    if let [first, .., last] = &file.mechanisms[..] {
        list.push(format!("crossover {} {}", first.name, last.name));
    }
    list.extend(file.laws.iter().map(|l| format!("{} {}", l.name, l.end())));
    list.join("; ")
}

pub fn ask(query: &str, file: &MachineFile) -> Result<Answer, Complaint> {
    let mut words = Words::new(query);
    let first = words.next("a word")?;
    let lacks = |what: &str, area: &str| {
        let hint = format!(
            "questions that it answers: {}; `fathom probe --only {area}` measures {what} for a profile",
            possible(file)
        );
        Complaint::new(first.at.clone(), format!("{} has no {what}", file.name)).hint(hint)
    };
    let (are_alternatives, results) = match first.text {
        "send" | "broadcast" | "exchange" | "reduce" | "scan" => {
            let parameters = file.loggp.as_ref().ok_or_else(|| lacks("parameters of LogGP", "communication"))?;
            (true, messages(&first, &mut words, parameters, &file.name)?)
        }
        "load" | "store" => {
            let memory = file.memory.as_ref().ok_or_else(|| lacks("figures of loads and stores", "memory"))?;
            words.form = "load BYTES [stride N] or store BYTES [stride N], N in elements of 8 bytes";
            let bytes = words.bytes()?;
            let stride = stride(&mut words)?.unwrap_or((memory.line_bytes / 8.0, first.at.clone()));
            words.end()?;
            let access = if first.text == "load" { Access::Load } else { Access::Store };
            let outcome = memory.time(access, bytes as f64, stride.0).map_err(|e| words.complain(stride.1, e))?;
            (false, vec![outcome])
        }
        "pass" => {
            let sharing = file.sharing.as_ref().ok_or_else(|| lacks("figures of shared data", "sharing"))?;
            words.form = "pass near or pass far, and cached if the data are in the other processor's cache";
            let distance = words.next("near or far")?;
            let cached = words.accept("cached");
            let _ = cached || words.accept("uncached");
            words.end()?;
            let results = sharing.pass(distance.text, cached).ok_or_else(|| {
                words.complain(
                    distance.at,
                    format!("{} has no such figures; it has {}", file.name, sharing.names().join(", ")),
                )
            })?;
            (false, results.into())
        }
        "crossover" => {
            words.form = "crossover SMALL LARGE, two mechanisms, and nonblocking if the processor has other work";
            let names: Vec<&str> = file.mechanisms.iter().map(|m| m.name.as_str()).collect();
            let has = if names.is_empty() { "none".into() } else { names.join(", ") };
            let mut mechanism = || {
                let word = words.next(&format!("a mechanism; {} has {has}", file.name))?;
                let found = file.mechanisms.iter().find(|m| m.name == word.text);
                let message = format!("{} has no mechanism `{}`; it has {has}", file.name, word.text);
                found.ok_or_else(|| words.complain(word.at, message))
            };
            let (small, large) = (mechanism()?, mechanism()?);
            let nonblocking = words.accept("nonblocking");
            words.end()?;
            let outcome = laws::crossover(small, large, nonblocking).map_err(|e| words.complain(0..query.len(), e))?;
            (false, vec![outcome])
        }
        "break-even" => {
            words.form = "break-even LAW P: LAW is the cost of entering a parallel loop on P processors";
            let word = words.next("a law")?;
            let law = file.laws.iter().find(|l| l.name == word.text);
            let law = law.ok_or_else(|| words.complain(word.at, no_law(word.text, file)))?;
            (false, vec![at(law, &mut words, Law::break_even)?])
        }
        name => {
            let Some(law) = file.laws.iter().find(|l| l.name == name) else {
                let hint = format!("questions that {} answers: {}", file.name, possible(file));
                return Err(Complaint::new(first.at, no_law(name, file)).hint(hint));
            };
            words.form = "LAW NUMBER";
            (false, vec![at(law, &mut words, Law::at)?])
        }
    };
    Ok(Answer { query: query.split_whitespace().collect::<Vec<_>>().join(" "), are_alternatives, results })
}

fn no_law(name: &str, file: &MachineFile) -> String {
    let names: Vec<&str> = file.laws.iter().map(|l| l.name.as_str()).collect();
    let has = if names.is_empty() { "none".into() } else { names.join(", ") };
    format!("{} has no law `{name}`; it has {has}", file.name)
}

fn at(law: &Law, words: &mut Words, f: fn(&Law, f64) -> Result<Outcome, String>) -> Result<Outcome, Complaint> {
    let place = words.list.as_slice().first().map(|w| w.at.clone());
    let x = words.number(&format!("a number of {}", law.of))?;
    words.end()?;
    f(law, x).map_err(|e| words.complain(place.unwrap_or(0..words.query.len()), e))
}

fn stride(words: &mut Words) -> Result<Option<(f64, Range<usize>)>, Complaint> {
    if !words.accept("stride") {
        return Ok(None);
    }
    let place = words.list.as_slice().first().map_or(0..0, |w| w.at.clone());
    let n = words.number("a stride")?;
    match n >= 1.0 && n.fract() == 0.0 {
        true => Ok(Some((n, place))),
        false => Err(words.complain(place, "a stride is a whole number of elements, at least 1")),
    }
}

fn messages(
    first: &Word,
    words: &mut Words,
    parameters: &Parameters,
    machine: &str,
) -> Result<Vec<Outcome>, Complaint> {
    words.form = "send BYTES, or broadcast, exchange, reduce or scan BYTES [on P]";
    let bytes = words.bytes()?;
    let mut parameters = parameters.clone();
    let together = first.text != "send";
    if together && words.accept("on") {
        let place = words.list.as_slice().first().map_or(0..0, |w| w.at.clone());
        let p = words.number("a number of processors")?;
        parameters.set("P", p).map_err(|e| words.complain(place, e))?;
    }
    words.end()?;
    let results = match first.text {
        "send" => loggp::send(&parameters, bytes).map(|outcome| vec![outcome]),
        "broadcast" => loggp::broadcast(&parameters, bytes),
        "exchange" => loggp::exchange(&parameters, bytes),
        "reduce" => loggp::reduce(&parameters, bytes),
        _ => loggp::scan(&parameters, bytes),
    };
    results.map_err(|Missing(names)| {
        let message = format!("{machine} has no {}, which `{}` needs", names.join(", "), first.text);
        let set = names.iter().filter(|n| **n != "P").map(|n| match *n {
            "G" => "--set G=US_PER_BYTE".to_string(),
            n => format!("--set {n}=US"),
        });
        let on = names.contains(&"P").then(|| "`on P` after the size".to_string());
        Complaint::new(first.at.clone(), message)
            .hint(format!("supply them: {}", set.chain(on).collect::<Vec<_>>().join(", ")))
    })
}
