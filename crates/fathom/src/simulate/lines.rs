//! The program's own lines among the calls on a thread's stack, by the debugging information of the executable.

use addr2line::Loader;
use fathom_simulate::program::Job;
use fathom_toolchain::runtime;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// What a call belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of the program, or of a library with debugging information: `file:line`.
    Line {
        file: String,
        line: u32,
    },
    Runtime,
    /// Code without debugging information.
    Unknown,
}

/// An executable.
pub struct Lines(Loader);

/// Has a job's places in a program that our front end has not compiled named. The executable is read when there is one.
pub fn find(job: &mut Job, program: &Path) {
    let (program, lines): (PathBuf, OnceCell<Option<Lines>>) = (program.to_path_buf(), OnceCell::new());
    job.find_lines(Box::new(move |calls| lines.get_or_init(|| Lines::of(&program)).as_ref()?.find(calls)));
}

/// How the names of the runtime's functions begin: those that a program may call, and those that are inlined in it.
/// runtime/core/where.c has them, too.
const RUNTIME: &[&str] =
    &["fathom_", "gas_", "core_", "conduit_", "blocks_", "upc_", "bupc_", "mutex_", "sim_", "__wrap_", "_start"];

impl Lines {
    /// None: the file is not an executable that can be read.
    pub fn of(program: &Path) -> Option<Lines> {
        Loader::new(program).ok().map(Lines)
    }

    /// What a call belongs to: that of the innermost function that is inlined there first. Files have their names as seen
    /// from the current folder, as in the lines that our front end names.
    pub fn places(&self, call: u64) -> Vec<Place> {
        let mut places = vec![];
        let here = std::env::current_dir().unwrap_or_default();
        let plain =
            |file: &str| Path::new(file).strip_prefix(&here).map_or(file, |f| f.to_str().unwrap_or(file)).to_string();
        let Ok(mut frames) = self.0.find_frames(call) else { return vec![Place::Unknown] };
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let place = frame.location.and_then(|at| Some((plain(at.file?), at.line.filter(|line| *line > 0)?)));
            let is_runtime = name.is_some_and(|name| RUNTIME.iter().any(|begin| name.starts_with(begin)));
            places.push(match place {
                _ if is_runtime => Place::Runtime,
                Some((file, _)) if runtime::is_source(&file) => Place::Runtime,
                Some((file, line)) => Place::Line { file, line },
                None => Place::Unknown,
            });
        }
        if places.is_empty() {
            let name = self.0.find_symbol(call);
            let is_runtime = name.is_some_and(|name| RUNTIME.iter().any(|begin| name.starts_with(begin)));
            places.push(if is_runtime { Place::Runtime } else { Place::Unknown });
        }
        places
    }

    /// The first line of the program, the innermost call first: `file:line`.
    pub fn find(&self, calls: &[u64]) -> Option<String> {
        calls.iter().flat_map(|call| self.places(*call)).find_map(|place| match place {
            Place::Line { file, line } => Some(format!("{file}:{line}")),
            Place::Runtime | Place::Unknown => None,
        })
    }
}
