//! `fathom simulate --check-work`: what share of the program's time on this computer was spent in code that is not charged.
//!
//! Each thread is sampled while it runs (runtime/conduit/sim/samples.c). A sample belongs to code whose operations are
//! counted, to other code that was called from there (functions of libraries, C files that our front end has not seen), or to
//! the runtime, which is not the program's work. Samples differ from run to run; the simulated times do not depend on them.

use super::lines::{Lines, Place};
use super::report::percent;
use super::Charged;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Command;

/// The share from which on the report warns.
const MUCH: f64 = 0.05;
/// Fewer samples of the program's own time say nothing.
const FEWEST: u64 = 100;
/// Lines that are named.
const LINES: usize = 5;

/// Whether work is charged such that there may be some that is not.
///
/// # Errors
/// It is not.
pub fn check(charged: &Charged) -> Result<()> {
    match charged {
        Charged::Measured(_) | Charged::Not => Err(Failure::new("--check-work asks what counted work leaves out")
            .hint("give it with --work counted, accesses, or calibrated:FILE")),
        _ => Ok(()),
    }
}

/// Where the samples of a run go.
pub struct Samples(File);

/// To what the samples belong.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sorted {
    charged: u64,
    not: u64,
    runtime: u64,
    /// The lines of the program that called, or contain, code that is not charged.
    from: BTreeMap<String, u64>,
}

impl Samples {
    /// # Errors
    /// There is no place for temporary files.
    pub fn new() -> Result<Samples> {
        tempfile::tempfile().or_io("write in", &std::env::temp_dir()).map(Samples)
    }

    /// Has a program write its samples.
    pub fn ask(&self, command: &mut Command) {
        use std::os::unix::process::CommandExt;
        let fd = self.0.as_raw_fd();
        command.env("FATHOM_SIM_SAMPLES", fd.to_string());
        // SAFETY: a system call only. The descriptor, which lives as long as the command, stays open in the program; what
        // its threads write is appended.
        unsafe {
            command.pre_exec(move || {
                libc::fcntl(fd, libc::F_SETFL, libc::O_APPEND);
                libc::fcntl(fd, libc::F_SETFD, 0);
                Ok(())
            })
        };
    }

    /// What they say. `files`: those whose operations are counted.
    ///
    /// # Errors
    /// The program has no debugging information.
    pub fn text(mut self, program: &Path, files: &BTreeSet<String>) -> Result<String> {
        let mut text = String::new();
        self.0.rewind().and_then(|()| self.0.read_to_string(&mut text)).or_io("read", Path::new("samples"))?;
        let lines = Lines::of(program)
            .ok_or_else(|| Failure::new(format!("{} has no debugging information to read", program.display())))?;
        let sorted = sorted(&text, &|call| lines.places(call), files);
        if sorted.charged + sorted.not == 0 && sorted.runtime >= FEWEST {
            return Err(Failure::new("--check-work finds no lines of the program's source in the executable")
                .hint("compile it with -g"));
        }
        Ok(said(&sorted))
    }
}

fn sorted(text: &str, places: &dyn Fn(u64) -> Vec<Place>, files: &BTreeSet<String>) -> Sorted {
    let mut known: BTreeMap<u64, Vec<Place>> = BTreeMap::new();
    let mut sorted = Sorted::default();
    for line in text.lines() {
        let mut words = line.split(' ');
        let Some(count) = words.next().and_then(|word| word.parse::<u64>().ok()) else { continue };
        let calls: Vec<u64> = words.filter_map(|word| u64::from_str_radix(word, 16).ok()).collect();
        let mut is_inside = false;
        // The innermost call first.
        let mut found = None;
        'calls: for call in calls {
            let at = match call {
                0 => &vec![Place::Unknown],
                call => known.entry(call).or_insert_with(|| places(call)),
            };
            for place in at {
                match place {
                    Place::Unknown => is_inside = true,
                    Place::Runtime => break 'calls,
                    Place::Line { file, line } => {
                        let is_charged = files.iter().any(|own| is_same(file, own));
                        found = Some((is_charged && !is_inside, is_charged, format!("{file}:{line}")));
                        is_inside |= !is_charged;
                        if is_charged {
                            break 'calls;
                        }
                    }
                }
            }
        }
        match found {
            None => sorted.runtime += count,
            Some((true, ..)) => sorted.charged += count,
            Some((false, _, line)) => {
                sorted.not += count;
                *sorted.from.entry(line).or_insert(0) += count;
            }
        }
    }
    sorted
}

/// Whether a path of the debugging information, which is whole, is that of a file as the compiler's command line had it.
fn is_same(whole: &str, file: &str) -> bool {
    let mut file = file;
    while let Some(rest) = file.strip_prefix("./").or_else(|| file.strip_prefix("../")) {
        file = rest;
    }
    whole.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn said(sorted: &Sorted) -> String {
    let own = sorted.charged + sorted.not;
    let mut text = String::from(
        "\nMeasured in this run, on this computer; differs from run to run, and the times above do not depend on it:\n",
    );
    if own < FEWEST {
        text += &format!(
            "the program's own work took too little time here to say how much of it is charged ({own} samples of at least\n\
             {FEWEST}): give it more to do.\n"
        );
        return text;
    }
    let share = sorted.not as f64 / own as f64;
    text += &format!(
        "{} of the program's own time was in code that is not charged ({own} samples), such as functions of libraries.\n",
        percent(share, 1.0)
    );
    if share >= MUCH {
        let mut from: Vec<(&String, &u64)> = sorted.from.iter().collect();
        from.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        for (line, count) in from.into_iter().take(LINES) {
            let file = line.rsplit('/').next().unwrap_or(line);
            text += &format!("  {:>5}  {file}\n", percent(*count as f64, own as f64));
        }
        text += "warning: that is more than 5 %: the work in this report is too little. `fathom_declare_work` charges it.\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_belong_to_what_is_charged_or_not_or_to_the_runtime() {
        let line = |file: &str, line| Place::Line { file: file.into(), line };
        let places = |call| match call {
            1 => vec![line("/p.upc", 10)],
            2 => vec![line("/other.c", 3)],
            3 => vec![Place::Runtime],
            // An inline function of the runtime in the program, and one of another file.
            4 => vec![Place::Runtime, line("/p.upc", 11)],
            5 => vec![line("/usr/include/x.h", 1), line("/p.upc", 12)],
            _ => vec![Place::Unknown],
        };
        assert!(is_same("/a/p.upc", "../p.upc") && is_same("p.upc", "p.upc") && !is_same("/a/lp.upc", "p.upc"));
        let text = "5 1 9\n7 0 1\n11 2 1\n13 3 1\n17 0 3 1\n19 4\n23 5\n29 9 1\n31 2\n37 9 9\n";
        let of = sorted(text, &places, &BTreeSet::from(["/p.upc".to_string()]));
        assert_eq!((of.charged, of.not, of.runtime), (5, 7 + 11 + 23 + 29 + 31, 13 + 17 + 19 + 37));
        assert_eq!(of.from["/p.upc:10"], 7 + 11 + 29);
        assert!(said(&of).contains("95 % of the program's own time") && said(&of).contains("warning"));
        assert!(!said(&Sorted { charged: 96, not: 4, ..Sorted::default() }).contains("warning"));
        assert!(said(&Sorted { charged: 9, not: 4, ..Sorted::default() }).contains("too little time here"));
    }
}
