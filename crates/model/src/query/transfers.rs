//! Questions to the copy-transfer model: compositions, and whole transfers by name.

use super::Options;
use crate::answer::{Answer, Complaint, Outcome, Unit};
use crate::copy_transfer::{self, Derivation, Kind, Pattern, Problem, Scheme, Transfer};
use crate::MachineFile;
use std::ops::Range;

fn model(file: &MachineFile, query: &str) -> Result<copy_transfer::Machine, Complaint> {
    file.copy_transfer.clone().ok_or_else(|| {
        Complaint::new(0..query.len(), format!("{} has no figures of the copy-transfer model", file.name)).hint(
            "`fathom model --list` shows the machines that have them; `fathom probe --only transfers` measures \
            them for a profile",
        )
    })
}

/// Removes ` of SIZE` from the end of a query: the size of the block.
fn block<'a>(query: &'a str, machine: &mut copy_transfer::Machine) -> Result<&'a str, Complaint> {
    let Some(at) = query.rfind(" of ") else { return Ok(query) };
    let size = super::words::size(query, at + 4)?;
    machine.block_bytes = Some(size as f64);
    Ok(query[..at].trim_end())
}

/// The query as it appears in the answer: with the size if there was one.
fn with_block(text: String, machine: &copy_transfer::Machine, given: bool) -> String {
    match machine.block_bytes.filter(|_| given) {
        Some(bytes) => format!("{text} of {bytes} bytes"),
        None => text,
    }
}

pub fn composition(query: &str, file: &MachineFile, options: Options) -> Result<Answer, Complaint> {
    let mut machine = model(file, query)?;
    let whole = query;
    let query = block(query, &mut machine)?;
    let (composition, places) = copy_transfer::parse_located(query).map_err(|e| notation(&e, query))?;
    let congestion = options.congestion.unwrap_or(machine.congestion);
    let derivation = copy_transfer::evaluate(&composition, &machine, congestion).map_err(|e| {
        let at = places.get(e.transfer).cloned().unwrap_or(0..query.len());
        Complaint { at, message: e.problem.to_string(), hint: advice(&e.problem, &machine) }
    })?;
    Ok(Answer {
        query: with_block(composition.to_string(), &machine, query != whole),
        are_alternatives: true,
        results: vec![outcome(composition.to_string(), &derivation)],
    })
}

fn outcome(label: String, derivation: &Derivation) -> Outcome {
    Outcome {
        label,
        value: derivation.mb_s,
        unit: Unit::MegabytesPerSecond,
        steps: derivation.steps(),
        notes: derivation.all_notes().into_iter().map(|n| n.0.clone()).collect(),
    }
}

/// A complaint about the notation, which marks one character.
fn notation(e: &copy_transfer::ParseError, query: &str) -> Complaint {
    let width = query[e.at..].chars().next().map_or(0, char::len_utf8);
    Complaint::new(e.at..e.at + width, &e.message)
        .hint("the notation is as in 1C1 o (1S0 || Nd || 0D1) o 1C64; or ask Q(1,64)")
}

fn advice(problem: &Problem, machine: &copy_transfer::Machine) -> Option<String> {
    let list = |items: Vec<String>| items.join(", ");
    Some(match problem {
        Problem::Mismatch { wrote: Pattern::Fixed, .. } | Problem::Mismatch { reads: Pattern::Fixed, .. } => {
            "0 is the network's port: S or F moves data to it, Nd or Nadp across the network, and R or D from it".into()
        }
        Problem::Mismatch { wrote, reads, .. } => {
            format!("put {wrote}C{reads} between the two, or change one of the patterns")
        }
        Problem::Shared { resource, .. } => {
            format!("stages that share {resource} run one after the other: compose them with `o`")
        }
        Problem::Unknown(t) => {
            let kind = t.kind.letters();
            let same: Vec<String> = machine.names().filter(|n| n.contains(kind)).map(String::from).collect();
            let known = match same.is_empty() {
                true => format!("it has no {} at all", t.kind.letters()),
                false => format!("it has {}", list(same)),
            };
            format!("{known}; --set {t}=MB/s supplies a figure")
        }
        Problem::Congestion(t, c) => {
            let known = machine.congestions(*t).iter().map(f64::to_string).collect();
            format!("it is known at {}; --set {t}@{c}=MB/s supplies a figure", list(known))
        }
    })
}

/// `Q(x,y)` and `Q'(x,y)`.
pub fn whole_transfer(query: &str, file: &MachineFile, options: Options) -> Result<Answer, Complaint> {
    let mut machine = model(file, query)?;
    let whole = query;
    let query = block(query, &mut machine)?;
    let (from, to, chained) = arguments(query)?;
    let congestion = options.congestion.unwrap_or(machine.congestion);
    let mut ways = copy_transfer::rank(from, to, &machine, congestion);
    ways.retain(|w| !chained || w.scheme == Scheme::Chained);
    if ways.is_empty() {
        let what = if chained { "without copies " } else { "" };
        let complaint = Complaint::new(
            0..query.len(),
            format!("{} has no composition {what}from pattern {from} to pattern {to}", file.name),
        );
        let network = [Kind::NetworkData, Kind::NetworkAddresses].map(|kind| {
            let known: Vec<String> = machine.congestions(Transfer::network(kind)).iter().map(f64::to_string).collect();
            format!(
                "{} is known at congestion {}",
                kind.letters(),
                if known.is_empty() { "none".into() } else { known.join(", ") }
            )
        });
        return Err(complaint.hint(format!(
            "a figure for one of the stages is missing (`fathom model --list MACHINE` shows the known ones), or the \
             network's: \
             {}; --set Nd@{congestion}=MB/s supplies one",
            network.join(", ")
        )));
    }
    let results = ways.iter().map(|w| outcome(format!("{}: {}", w.scheme, w.composition), &w.derivation)).collect();
    let text = format!("Q{}({from},{to})", if chained { "'" } else { "" });
    Ok(Answer { query: with_block(text, &machine, query != whole), are_alternatives: true, results })
}

fn arguments(query: &str) -> Result<(Pattern, Pattern, bool), Complaint> {
    let mut at = 1;
    let chained = query[at..].starts_with(['\'', '’', '′']);
    at += query[at..].chars().next().filter(|_| chained).map_or(0, char::len_utf8);
    let form =
        "write Q(x,y) or Q'(x,y), followed by `of 64KiB` for a block of that size; a pattern is 1, a stride, or w";
    let rest = &query[at..];
    let Some(inside) = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')) else {
        return Err(Complaint::new(at..query.len(), "expected two patterns in parentheses").hint(form));
    };
    let Some((x, y)) = inside.split_once(',') else {
        return Err(Complaint::new(at..query.len(), "expected two patterns with a comma between them").hint(form));
    };
    let pattern = |text: &str, range: Range<usize>| {
        let pattern = copy_transfer::pattern(text).map_err(|e| {
            let complaint = Complaint::new(range.clone(), e.message);
            complaint.hint(form)
        })?;
        match pattern {
            Pattern::Fixed => {
                Err(Complaint::new(range, "a whole transfer goes from memory to memory: 0 is the network's port")
                    .hint(form))
            }
            p => Ok(p),
        }
    };
    let (first, second) = (at + 1, at + 1 + x.len() + 1);
    Ok((pattern(x, first..first + x.len())?, pattern(y, second..second + y.len())?, chained))
}
