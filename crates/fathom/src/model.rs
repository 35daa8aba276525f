//! `fathom model`: predictions for a machine, from its file alone, with every step.

mod fit;
mod print;

use crate::machines;
use clap::{Args, Subcommand};
use fathom_model::answer::Complaint;
use fathom_model::query;
use fathom_toolchain::{Failure, Result};

/// Ask the models about a machine: a prediction, and the steps that lead to it.
///
/// A question is MACHINE: QUESTION, in quotes. MACHINE is one of 'fathom model --list', a machine file, or a profile
/// that 'fathom probe' wrote.
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    other: Option<Other>,
    /// MACHINE: QUESTION; with --list, a machine or nothing
    question: Vec<String>,
    /// The load on a link of the network, as a multiple of what it can carry
    #[arg(long, value_name = "FACTOR")]
    congestion: Option<f64>,
    /// Change or add a figure (1C64=80, Nd@2=100, L=2.5, barrier.b=5); the answer also gives the value without the
    /// change
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Show the machines; with a machine, its figures and their sources
    #[arg(long)]
    list: bool,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Other {
    Fit(fit::Options),
}

const EXAMPLES: &str = "\
Examples:
  fathom model 't3d: Q(1,64)'                           every way to move data, fastest first
  fathom model 't3d: 1C1 o (1S0 || Nd || 0D1) o 1C64'   one way, step by step
  fathom model --congestion 4 't3d: Q(1,64)'
  fathom model 'profile.toml: Q(1,64) of 64KiB'         on a profile; the data in the cache that holds them
  fathom model --set 1C64=80 --set Nd@2=100 't3d: Q(1,64)'
  fathom model --set g=4 'cm5: broadcast 8 on 64'       LogGP
  fathom model 'spp1000: barrier 16'                    a law that was fitted to the machine
  fathom model fit barrier.csv                          curves through your own measurements
  fathom model --list paragon

docs/models.md describes the questions.";

pub fn main(options: &Options) -> Result<()> {
    if let Some(Other::Fit(options)) = &options.other {
        return fit::main(options);
    }
    let text = options.question.join(" ");
    if options.list {
        return list(text.trim(), options.json);
    }
    let Some((name, question)) = text.split_once(':') else {
        return Err(Failure::new(match text.trim() {
            "" => "the question is missing".to_string(),
            text => format!("`{text}` is not a valid question"),
        })
        .hint(format!("write MACHINE: QUESTION, as in 't3d: Q(1,64)'; the machines are {}", machines::names())));
    };
    let asked = query::Options { congestion: checked(options.congestion)? };
    let machine = machines::load(name.trim())?;
    let changed = change(&machine, &options.set)?;
    let complain = |c: Complaint| pointed(&text, name.len() + 1, c);
    let answer = query::ask(question, &changed, asked).map_err(complain)?;
    let before = match options.set.is_empty() {
        true => None,
        // If the figure that was set is missing in the file, there was no answer before.
        false => query::ask(question, &machine, asked).ok(),
    };
    if options.json {
        print::json(name.trim(), &answer, before.as_ref());
    } else {
        print::text(name.trim(), &answer, (!options.set.is_empty()).then_some(before.as_ref()));
    }
    Ok(())
}

fn checked(congestion: Option<f64>) -> Result<Option<f64>> {
    match congestion {
        Some(c) if !(c > 0.0 && c.is_finite()) => {
            Err(Failure::new(format!("--congestion is a factor above 0, not {c}")))
        }
        c => Ok(c),
    }
}

fn change(machine: &fathom_model::MachineFile, settings: &[String]) -> Result<fathom_model::MachineFile> {
    let mut changed = machine.clone();
    for setting in settings {
        let form = "a setting is NAME=VALUE, as in --set 1C64=80; `fathom model --list MACHINE` shows the names";
        let bad = |what: String| Failure::new(format!("--set {setting}: {what}")).hint(form);
        let (name, value) = setting.split_once('=').ok_or_else(|| bad("the `=` is missing".into()))?;
        let value: f64 = value.trim().parse().map_err(|_| bad(format!("`{value}` is not a number")))?;
        changed.set(name.trim(), value).map_err(bad)?;
    }
    Ok(changed)
}

/// An error message with marks below the part of the question that it concerns.
fn pointed(text: &str, offset: usize, complaint: Complaint) -> Failure {
    let (from, to) = (complaint.at.start + offset, complaint.at.end + offset);
    let blanks = text.get(..from).map_or(0, |t| t.chars().count());
    let marks = text.get(from..to).map_or(1, |t| t.chars().count()).max(1);
    let what = format!("{}\n    {text}\n    {}{}", complaint.message, " ".repeat(blanks), "^".repeat(marks));
    let failure = Failure::new(what);
    match complaint.hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn list(name: &str, json: bool) -> Result<()> {
    if name.is_empty() {
        print::machines(&machines::all()?, json);
    } else {
        let name = name.trim_end_matches(':');
        print::figures(&machines::load(name)?, machines::simulated_figures(name)?, json);
    }
    Ok(())
}
