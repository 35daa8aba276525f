//! `fathom tune`: the tuning table that follows from a profile.

use crate::probe::output;
use clap::Args;
use fathom_model::choice::Rules;
use fathom_probe::mechanisms::table::{nanoseconds, table, Decision, Table};
use fathom_probe::Profile;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use std::path::{Path, PathBuf};

/// Write the tuning table: which mechanism moves data, by what is moved, on this computer.
///
/// Programs read the table when they start; without one, built-in defaults serve. A table never changes what a program
/// does, only how fast. It is made from a profile of 'fathom probe'.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// A profile that 'fathom probe' wrote
    #[arg(default_value = "profile.toml")]
    profile: PathBuf,
    /// Where the table goes (default: where programs look for it)
    #[arg(short, long, value_name = "FILE", conflicts_with = "print")]
    output: Option<PathBuf>,
    /// Print the table and write nothing
    #[arg(long)]
    print: bool,
    /// Say why: what was predicted of each mechanism, and what the choice is worth
    #[arg(long)]
    explain: bool,
}

const EXAMPLES: &str = "\
Examples:
  fathom probe && fathom tune          measure, choose, and let every program profit
  fathom tune --print --explain        what would be chosen, and why
  fathom tune -o table && FATHOM_TUNING=table ./heat

What the lines mean: docs/tuning.md. 'fathom doctor' names the table in use.";

pub fn main(options: &Options) -> Result<()> {
    let profile = read(&options.profile)?;
    let table = table(&profile, Rules::default());
    if table.decisions.is_empty() {
        let what = format!("{} says nothing about mechanisms", options.profile.display());
        return Err(
            Failure::new(what).hint("take a profile with them: `fathom probe`, or `fathom probe --only mechanisms`")
        );
    }
    if options.explain {
        explain(&profile, &table);
    }
    if options.print {
        print!("{table}");
        return Ok(());
    }
    let path = match &options.output {
        Some(path) => path.clone(),
        None => usual_place()?,
    };
    let text = with_other_conduits(&path, &table)?;
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).or_io("make", folder)?;
    }
    output::write(&path, text.as_bytes())?;
    let (with, without) = worth(&table);
    println!("written: {} ({} decisions for conduit {})", path.display(), table.decisions.len(), table.conduit);
    println!("predicted over all that was measured: {with:.3} times the fastest; without a table {without:.3} times");
    Ok(())
}

fn read(path: &Path) -> Result<Profile> {
    let text = match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            let what = format!("there is no profile {}", path.display());
            return Err(Failure::new(what).hint("`fathom probe` takes one"));
        }
        other => other.or_io("read", path)?,
    };
    let not =
        |why: String| Failure::new(format!("{} is no profile: {why}", path.display())).hint("`fathom probe` takes one");
    let profile: Profile = toml::from_str(&text).map_err(|e| not(e.message().to_string()))?;
    if profile.format != fathom_probe::profile::FORMAT {
        return Err(not(format!("its format is `{}`", profile.format)));
    }
    Ok(profile)
}

fn usual_place() -> Result<PathBuf> {
    fathom_toolchain::tuning::usual().ok_or_else(|| {
        Failure::new("neither XDG_CONFIG_HOME nor HOME is set: there is no usual place for the table")
            .hint("say where it is to go: -o FILE, and FATHOM_TUNING=FILE when a program runs")
    })
}

/// The table, and what the file has for other conduits already.
fn with_other_conduits(path: &Path, table: &Table) -> Result<String> {
    let old = match std::fs::read_to_string(path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        other => other.or_io("read", path)?,
    };
    let mut text = table.to_string();
    let mut keeps = false;
    for line in old.lines() {
        let mut words = line.split_whitespace();
        if words.next() == Some("conduit") {
            keeps = words.next() != Some(table.conduit.as_str());
        }
        if keeps {
            text += line;
            text.push('\n');
        }
    }
    Ok(text)
}

/// Predicted regret with the table and without: geometric means over the decisions.
fn worth(table: &Table) -> (f64, f64) {
    let mean = |of: fn(&Decision) -> f64| {
        let sum: f64 = table.decisions.iter().map(|d| of(d).ln()).sum();
        (sum / table.decisions.len() as f64).exp()
    };
    (mean(|d| d.choice.regret), mean(|d| d.choice.regret_without))
}

fn explain(profile: &Profile, table: &Table) {
    for d in &table.decisions {
        d.lines().iter().for_each(|line| println!("{line}"));
        for r in &d.choice.ranges {
            let below = r.below.map_or("on".to_string(), |b| format!("to {b} B"));
            println!("    {} from {} B {below}; at {} B:", r.mechanism, r.from, r.at);
            for (mechanism, ns) in &r.predicted_ns {
                let law = d.laws.iter().find(|l| l.mechanism == *mechanism);
                let law = law.map_or(String::new(), |l| {
                    let (start, per_byte) = l.piece(r.at as f64);
                    format!("    about here {} + {per_byte:.4} ns a byte", nanoseconds(start))
                });
                println!("        {mechanism:10} {:>12} {:>8.0} MB/s{law}", nanoseconds(*ns), r.at as f64 * 1e3 / ns);
            }
            if let Some((transfer, mb_s, source)) = copy_transfer(profile, d) {
                println!("        the copy-transfer model has {transfer} = {mb_s:.0} MB/s ({source})");
            }
        }
        let c = &d.choice;
        println!(
            "    over all sizes {:.3} times the fastest, at worst {:.2}; without a table {:.3}\n",
            c.regret, c.worst, c.regret_without
        );
    }
}

/// The basic transfer of the copy-transfer model that a decision is about, if the profile has it.
fn copy_transfer(profile: &Profile, d: &Decision) -> Option<(String, f64, String)> {
    // Strides of the model are in words of 8 bytes.
    let words = d.stride.unwrap_or(8) / 8;
    let transfer = match d.name.as_str() {
        "contiguous" => "1C1".to_string(),
        "gather" => format!("{words}C1"),
        "scatter" => format!("1C{words}"),
        "indexed" => "wCw".to_string(),
        _ => return None,
    };
    let machine = profile.machine.copy_transfer.as_ref()?;
    let figure = machine.figures.iter().find(|f| f.transfer == transfer)?;
    Some((transfer, figure.mb_s, figure.source.clone()))
}
