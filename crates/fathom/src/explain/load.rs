//! Finding and reading the traces.

use fathom_explain::{Job, Trace};
use fathom_toolchain::program::trace_folder;
use fathom_toolchain::{Failure, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

const HOW: &str = "a trace is made by: fathom run --explain -n 4 PROGRAM.upc";

/// The folder with the traces of the program that the user named.
pub fn folder(named: Option<&Path>) -> Result<PathBuf> {
    match named {
        Some(p) if has_traces(p) => Ok(p.to_path_buf()),
        Some(p) => {
            let beside = p.with_file_name(trace_folder(p));
            let here = trace_folder(p);
            [beside.clone(), here]
                .into_iter()
                .find(|f| has_traces(f))
                .ok_or_else(|| Failure::new(format!("there is no trace in {}", beside.display())).hint(HOW))
        }
        None => {
            let entries = std::fs::read_dir(".").map_err(|e| Failure::new(format!("cannot read this folder: {e}")))?;
            let mut found: Vec<PathBuf> = entries
                .flatten()
                .map(|e| e.path())
                .filter(|p| p.extension().is_some_and(|x| x == "explain") && has_traces(p))
                .collect();
            found.sort();
            match found.as_slice() {
                [] => Err(Failure::new("there is no trace in this folder").hint(HOW)),
                [one] => Ok(one.clone()),
                several => {
                    let names: Vec<String> = several.iter().map(|p| p.display().to_string()).collect();
                    Err(Failure::new("there are traces of several programs here")
                        .hint(format!("name one of them: {}", names.join(", "))))
                }
            }
        }
    }
}

fn has_traces(folder: &Path) -> bool {
    traces(folder).next().is_some()
}

fn traces(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|e| e.path()).filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("thread-")))
}

/// Reads the traces. A trace that cannot be read becomes a remark; if none can be read, that is an error.
pub fn job(folder: &Path) -> Result<Job> {
    let mut files: Vec<PathBuf> = traces(folder).collect();
    files.sort();
    let (mut read, mut bad) = (vec![], vec![]);
    for file in files {
        let trace = std::fs::read(&file).map_err(|e| e.to_string()).and_then(|bytes| Trace::parse(&bytes));
        match trace {
            Ok(t) => read.push(t),
            Err(why) => bad.push(format!("{} was left out: {why}", file.display())),
        }
    }
    let mut job = Job::new(read).map_err(|why| {
        let failure = Failure::new(format!("{}: {why}", folder.display()));
        failure.hint(bad.first().cloned().unwrap_or(HOW.into()))
    })?;
    job.remarks.extend(bad);
    Ok(job)
}

/// The sources of the job that have been written to since it began.
pub fn changed_since(job: &Job) -> Vec<String> {
    let start = UNIX_EPOCH + Duration::from_nanos(job.started_unix_ns);
    let files: BTreeSet<&str> = job.sites.iter().map(|s| s.about.file.as_str()).collect();
    let is_newer = |f: &&str| std::fs::metadata(f).and_then(|m| m.modified()).is_ok_and(|at| at > start);
    files.into_iter().filter(is_newer).map(|f| super::text::short(f).to_string()).collect()
}
