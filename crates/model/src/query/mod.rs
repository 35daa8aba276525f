//! Parses questions about a machine and answers them.
//!
//! A composition in the copy-transfer notation gives its throughput, `Q(x,y)` every composition that moves data from
//! pattern x to pattern y, `Q'(x,y)` those without copies. Everything else begins with a word: an operation of LogGP
//! (`send 1024`, `broadcast 8 on 64`), one of the machine's laws (`barrier 16`), or a question about its memory and
//! mechanisms.

mod transfers;
mod words;

use crate::answer::{Answer, Complaint};
use crate::MachineFile;

/// Words that questions begin with. A law of a machine cannot have one of them as its name.
pub const WORDS: [&str; 10] =
    ["send", "broadcast", "exchange", "reduce", "scan", "load", "store", "pass", "crossover", "break-even"];

/// Options that are not part of the query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The network's congestion; None: the machine's own.
    pub congestion: Option<f64>,
}

/// Answers a query.
///
/// # Errors
/// The text is not a query, or the machine lacks figures for it; the complaint has the place in the text.
pub fn ask(text: &str, file: &MachineFile, options: Options) -> Result<Answer, Complaint> {
    let start = text.len() - text.trim_start().len();
    let query = text.trim();
    let shift = |mut c: Complaint| {
        c.at = c.at.start + start..c.at.end + start;
        c
    };
    if query.is_empty() {
        return Err(Complaint::new(start..start, "there is no question after the machine's name").hint(format!(
            "questions that {} answers: {}",
            file.name,
            words::possible(file)
        )));
    }
    if query.starts_with('Q') {
        return transfers::whole_transfer(query, file, options).map_err(shift);
    }
    // The shortest word has three letters, and no transfer in the notation begins with as many small ones.
    let small = query.len() - query.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '-').len();
    if small >= 3 {
        return words::ask(query, file).map_err(shift);
    }
    transfers::composition(query, file, options).map_err(shift)
}
