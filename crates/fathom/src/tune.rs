//! `fathom tune`: the tuning table that follows from a profile.

use crate::probe::output;
use clap::Args;
use fathom_model::choice::Rules;
use fathom_model::copy_transfer::{Kind, Machine, Pattern, Transfer};
use fathom_profile::Profile;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use fathom_tune::{joint_table, nanoseconds, table, Decision, JointTable, Table, HEADING};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Write the tuning table: the fastest mechanisms of this computer, by the shape and size of the data.
///
/// Programs read the table when they start; without one, built-in defaults serve. A table changes a program's speed,
/// never its results. It is made from a profile of 'fathom probe'.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// A profile that 'fathom probe' wrote
    #[arg(default_value = "profile.toml")]
    profile: PathBuf,
    /// The table's file (default: the file that programs read)
    #[arg(short, long, value_name = "FILE", conflicts_with = "print")]
    output: Option<PathBuf>,
    /// Print the table and write nothing
    #[arg(long)]
    print: bool,
    /// Show the reasons: the predicted times of the mechanisms, and the gain of each choice
    #[arg(long)]
    explain: bool,
}

const EXAMPLES: &str = "\
Examples:
  fathom probe && fathom tune          measure, choose, and write the table for all programs
  fathom tune --print --explain        show the choice and the reasons
  fathom tune -o table && FATHOM_TUNING=table ./heat

docs/tuning.md describes the lines. 'fathom doctor' names the table in use.";

pub fn main(options: &Options) -> Result<()> {
    let profile = crate::probe::read(&options.profile)?;
    let table = table(&profile, Rules::default());
    let ways = joint_table(&profile);
    if table.decisions.is_empty() && ways.is_empty() {
        let what = format!("{} has no measurements of mechanisms", options.profile.display());
        return Err(
            Failure::new(what).hint("take a profile with them: `fathom probe`, or `fathom probe --only mechanisms`")
        );
    }
    if options.explain {
        explain(&profile, &table);
        explain_ways(&ways);
    }
    if options.print {
        print!("{table}{ways}");
        return Ok(());
    }
    let path = match &options.output {
        Some(path) => path.clone(),
        None => usual_place()?,
    };
    let text = with_what_was_there(&path, &table.conduit, format!("{table}{ways}"))?;
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).or_io("make", folder)?;
    }
    output::write(&path, text.as_bytes())?;
    let (with, without) = worth(&table, &ways);
    let decisions = table.decisions.len() + ways.lines.len() + usize::from(ways.spins.is_some());
    println!("written: {} ({decisions} decisions for conduit {})", path.display(), table.conduit);
    println!("predicted mean time: {with:.3} times that of the fastest mechanisms; without a table {without:.3} times");
    Ok(())
}

fn usual_place() -> Result<PathBuf> {
    fathom_toolchain::tuning::usual().ok_or_else(|| {
        Failure::new("neither XDG_CONFIG_HOME nor HOME is set: there is no usual place for the table")
            .hint("name a file with -o FILE, and set FATHOM_TUNING=FILE when a program runs")
    })
}

/// The new part; then the lines of the file for this conduit that the new part does not replace (a profile of near
/// threads has no lines for far ones); then its lines for other conduits.
fn with_what_was_there(path: &Path, conduit: &str, mut text: String) -> Result<String> {
    let old = match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        other => other.or_io("read", path)?,
    };
    if old.lines().any(|line| line.starts_with("# fathom tuning table ") && line.trim_end() != HEADING) {
        return Ok(text); // its numbers mean other things
    }
    let decision = |line: &str| line.split([' ', '\t', ':', '#']).next().unwrap_or("").to_string();
    let new: BTreeSet<String> = text.lines().map(decision).collect();
    let (mut own, mut others) = (String::new(), String::new());
    let mut part: Option<bool> = None;
    for line in old.lines() {
        if line.split_whitespace().next() == Some("conduit") {
            part = Some(line.split_whitespace().nth(1) == Some(conduit));
        }
        match part {
            Some(false) => others += &format!("{line}\n"),
            Some(true) if !new.contains(&decision(line)) => own += &format!("{line}\n"),
            _ => {}
        }
    }
    if !own.is_empty() {
        text += "# From an earlier profile:\n";
        text += &own;
    }
    Ok(text + &others)
}

/// Predicted regret with the table and without: geometric means over the decisions.
fn worth(table: &Table, ways: &JointTable) -> (f64, f64) {
    let moved = table.decisions.iter().map(|d| (d.choice.regret, d.choice.regret_without));
    let all: Vec<(f64, f64)> = moved.chain(ways.lines.iter().map(|l| (l.regret, l.regret_without))).collect();
    let mean =
        |of: fn(&(f64, f64)) -> f64| (all.iter().map(|r| of(r).ln()).sum::<f64>() / all.len().max(1) as f64).exp();
    (mean(|r| r.0), mean(|r| r.1))
}

fn explain_ways(ways: &JointTable) {
    for l in &ways.lines {
        println!("{}", l.line());
        for r in &l.ranges {
            let below = r.below.map_or("on".to_string(), |b| format!("to {b} B"));
            println!("    {} from {} B {below}; at {} B:", r.mechanism, r.from, r.at);
            for (way, ns) in &r.predicted_ns {
                println!("        {way:10} {:>12}", nanoseconds(*ns));
            }
        }
        let why = match l.is_default {
            true => "the default remains: nothing was better by more than",
            false => "chosen because it is better by more than",
        };
        println!(
            "    over all sizes {:.3} times the fastest; without a table {:.3}; {why} passes differ, {:.1} %\n",
            l.regret,
            l.regret_without,
            l.doubt * 100.0
        );
    }
    if let (Some(line), Some(spins)) = (ways.spins_line(), &ways.spins) {
        println!("{line}\n    {}\n", spins.rule);
    }
}

fn explain(profile: &Profile, table: &Table) {
    for d in &table.decisions {
        d.lines().iter().for_each(|line| println!("{line}"));
        // The table may count the bytes that a cache must hold; readers expect the payload of the measured shape.
        let payload = |size: u64| size as f64 * d.payload_share();
        for r in &d.choice.ranges {
            let below = r.below.map_or("on".to_string(), |b| format!("to {:.0} B", payload(b)));
            let mut predicted = vec![];
            let own = r.predicted_ns.iter().find(|p| p.0 == r.mechanism).map_or(f64::NAN, |p| p.1);
            for (mechanism, ns) in r.predicted_ns.iter().filter(|p| p.0 != r.mechanism) {
                predicted.push(format!("{mechanism} {:.2} x", ns / own));
            }
            println!(
                "    {below:>14}  {:9} at {} B: {}, {:.0} MB/s; {}{}",
                r.mechanism,
                payload(r.at) as u64,
                nanoseconds(own),
                payload(r.at) * 1e3 / own,
                if predicted.is_empty() { "no other mechanism was measured".to_string() } else { predicted.join(", ") },
                copy_transfer(profile, d, payload(r.at)).unwrap_or_default()
            );
        }
        let c = &d.choice;
        println!(
            "    over all sizes {:.3} times the fastest, at worst {:.2}; without a table {:.3}\n",
            c.regret, c.worst, c.regret_without
        );
    }
}

/// The copy-transfer model's throughput of the basic transfer of a decision, for blocks of this size, if the profile
/// measured it and the elements are the model's words.
fn copy_transfer(profile: &Profile, d: &Decision, bytes: f64) -> Option<String> {
    const WORD: u64 = 8;
    let spread = match d.stride {
        Some(stride) => Pattern::Strided(u32::try_from(stride / WORD).ok()?),
        None => Pattern::Indexed,
    };
    let (from, to) = match d.name.as_str() {
        "contiguous" => (Pattern::Contiguous, Pattern::Contiguous),
        "gather" | "get-indexed" if d.element == WORD => (spread, Pattern::Contiguous),
        "scatter" | "put-indexed" if d.element == WORD => (Pattern::Contiguous, spread),
        _ => return None,
    };
    let transfer = Transfer { kind: Kind::Copy, from, to };
    let machine = Machine { block_bytes: Some(bytes), ..profile.machine.copy_transfer.clone()? };
    let found = machine.throughput(transfer, 1.0).filter(|found| found.stand_in.is_none())?;
    Some(format!("; the copy-transfer model has {transfer} at {:.0} MB/s", found.mb_s))
}
