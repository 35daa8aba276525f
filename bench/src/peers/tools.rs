//! The tools that measure what the probe measures: where they are, how they are asked, how their answers are read.
//!
//! lmbench and multichase are run as they were built (`BENCH_LMBENCH`: the folder with lmbench's programs; `BENCH_MULTICHASE`: the
//! program; else in the PATH). STREAM is a source (`BENCH_STREAM`) that is compiled here, as its users do. All run on one processor,
//! each ends in bounded time, and lmbench's calibration, which does not end on every computer, is replaced by its own settings.

use crate::build::{run, Builder, Failure, FAST};
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What can be had of a tool, or what is missing.
pub type Found<T> = Result<T, Failure>;

pub struct Tools {
    pub lmbench: Found<PathBuf>,
    pub multichase: Found<PathBuf>,
    /// (bits of a vector, program).
    pub stream: Found<Vec<(u32, PathBuf)>>,
}

/// Bytes of each of STREAM's arrays; they are far larger than what a processor has of any cache.
pub const ARRAY_BYTES: u64 = 160_000_000;
/// STREAM passes over its arrays so often, and keeps the best.
pub const PASSES: usize = 10;

impl Tools {
    pub fn find(builder: &Builder, work: &Path) -> Tools {
        let lmbench = from("BENCH_LMBENCH")
            .map(|folder| folder.join("lat_mem_rd"))
            .or_else(|| in_path("lat_mem_rd"))
            .filter(|p| p.exists())
            .and_then(|p| p.parent().map(Path::to_path_buf))
            .ok_or(
                "lmbench is left out: BENCH_LMBENCH is to be the folder with its programs (lat_mem_rd, line, cache)"
                    .into(),
            );
        let multichase = from("BENCH_MULTICHASE")
            .or_else(|| in_path("multichase"))
            .filter(|p| p.exists())
            .ok_or("multichase is left out: BENCH_MULTICHASE is to be the program".into());
        let stream = from("BENCH_STREAM")
            .ok_or("STREAM is left out: BENCH_STREAM is to be its source, stream.c".into())
            .and_then(|source| build_stream(builder, &source, work));
        Tools { lmbench, multichase, stream }
    }

    /// What is missing.
    pub fn notes(&self) -> Vec<String> {
        let all = [self.lmbench.as_ref().err(), self.multichase.as_ref().err(), self.stream.as_ref().err()];
        all.into_iter().flatten().cloned().collect()
    }

    /// ns of a load by `lat_mem_rd`, the last line of its table, which is for the whole array. `options`: `-t` for its random order.
    pub fn lat_mem_rd(&self, options: &[&str], bytes: u64, stride: Option<u32>, huge: bool) -> Result<f64, Failure> {
        let mut command = bound(&self.lmbench.clone()?.join("lat_mem_rd"));
        settings(&mut command).args(["-N", "1"]).args(options).arg((bytes >> 20).max(1).to_string());
        command.args(stride.map(|s| s.to_string()));
        if huge {
            command.env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
        }
        let said = within(&mut command, Duration::from_secs(240))?.text;
        let megabytes = bytes as f64 / f64::from(1 << 20);
        let mut table = said.lines().filter_map(|l| {
            let (size, ns) = l.split_once(' ')?;
            Some((size.parse::<f64>().ok()?, ns.parse::<f64>().ok()?))
        });
        let near = table.rfind(|(size, _)| (size / megabytes - 1.0).abs() < 0.001);
        near.map(|(_, ns)| ns).ok_or_else(|| format!("lat_mem_rd said nothing of {megabytes} MiB: {said}"))
    }

    /// A program of lmbench, in no more than about `limit`: what it printed, and whether it ended.
    pub fn lmbench(&self, program: &str, arguments: &[&str], limit: Duration) -> Result<Said, Failure> {
        let mut command = bound(&self.lmbench.clone()?.join(program));
        within(settings(&mut command).args(arguments), limit)
    }

    /// ns of a load by multichase.
    pub fn multichase(&self, arguments: &[String]) -> Result<f64, Failure> {
        let said = within(bound(&self.multichase.clone()?).args(arguments), Duration::from_secs(60))?.text;
        let last = said.split_whitespace().last().and_then(|w| w.parse().ok());
        last.ok_or_else(|| format!("multichase said no time: {said}"))
    }
}

/// MB/s of each operation, the best of STREAM's passes.
pub fn stream(program: &Path) -> Result<Vec<(String, f64)>, Failure> {
    let said = within(&mut bound(program), Duration::from_secs(120))?.text;
    let line = |l: &str| {
        let (name, rest) = l.split_once(':')?;
        let best = rest.split_whitespace().next()?.parse().ok()?;
        let is_one = ["Copy", "Scale", "Add", "Triad"].contains(&name);
        is_one.then(|| (name.to_lowercase(), best))
    };
    let found: Vec<_> = said.lines().filter_map(line).collect();
    if found.is_empty() {
        return Err(format!("STREAM said no rates: {said}"));
    }
    Ok(found)
}

/// In both widths of vectors where the compiler knows them, else as it likes. Without calls of the library's copy, which is another
/// operation.
fn build_stream(builder: &Builder, source: &Path, work: &Path) -> Found<Vec<(u32, PathBuf)>> {
    let build = |name: &str, more: &[String]| {
        let program = work.join(name);
        let mut cc = Command::new(&builder.cc);
        cc.args(FAST).args(["-fno-tree-loop-distribute-patterns", "-mcmodel=medium"]).args(more);
        cc.arg(format!("-DSTREAM_ARRAY_SIZE={}", ARRAY_BYTES / 8)).arg(format!("-DNTIMES={PASSES}"));
        run(cc.arg(source).arg("-o").arg(&program)).map(|()| program)
    };
    let mut widths = vec![];
    for bits in [256, 512].into_iter().filter(|bits| has_vectors(*bits)) {
        widths.push((bits, build(&format!("stream{bits}"), &[format!("-mprefer-vector-width={bits}")])?));
    }
    if widths.is_empty() {
        widths.push((0, build("stream", &[])?));
    }
    Ok(widths)
}

fn has_vectors(bits: u32) -> bool {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = cpu.lines().find(|l| l.starts_with("flags")).unwrap_or_default();
    flags.split_whitespace().any(|f| f == if bits == 256 { "avx2" } else { "avx512f" })
}

fn from(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from)
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|p| p.is_file())
}

/// On the first processor that is allowed here, where the prober's only thread is, too.
pub fn bound(program: &Path) -> Command {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:")).unwrap_or("0").trim();
    let first = allowed.split([',', '-']).next().unwrap_or("0").to_string();
    let mut command = Command::new("taskset");
    command.args(["-c", &first]).arg(program);
    command
}

/// lmbench asks a calibration for these if they are not set: how long a sample is (us), and what the clock and a loop cost.
fn settings(command: &mut Command) -> &mut Command {
    command.env("ENOUGH", "50000").env("TIMING_O", "0").env("LOOP_O", "0.00001")
}

/// What a program printed, and whether it ended before it was stopped.
pub struct Said {
    pub text: String,
    pub ended: bool,
    pub seconds: f64,
}

/// Runs a program, which is ended, with all that it has started, when its time is over.
fn within(command: &mut Command, limit: Duration) -> Result<Said, Failure> {
    let name = format!("{command:?}");
    let started = Instant::now();
    let (mut reader, writer) = std::io::pipe().map_err(|e| e.to_string())?;
    let errors = writer.try_clone().map_err(|e| e.to_string())?;
    command.process_group(0).stdin(Stdio::null()).stdout(writer).stderr(errors);
    // SAFETY: one system call. In a group of its own an interrupt from the terminal does not reach it: it ends with us.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    let mut child = command.spawn().map_err(|e| format!("cannot run {name}: {e}"))?;
    command.stdout(Stdio::null()).stderr(Stdio::null()); // ours of the pipe's ends
    let (sender, text) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = vec![];
        let _ = reader.read_to_end(&mut bytes);
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    let mut status = None;
    while status.is_none() && started.elapsed() < limit {
        std::thread::sleep(Duration::from_millis(20));
        status = child.try_wait().map_err(|e| e.to_string())?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if status.is_none() {
        // SAFETY: the group of a child that has not been waited for.
        unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
        let _ = child.wait();
    }
    // Bounded, should a process that it left behind hold the pipe.
    let text = text.recv_timeout(Duration::from_secs(5)).unwrap_or_default();
    match status {
        Some(status) if !status.success() && text.is_empty() => Err(format!("{name} ended with {status}")),
        ended => Ok(Said { text, ended: ended.is_some(), seconds }),
    }
}

/// What a program says of its version (`$Id: …$`, `$Revision: …$`), as its licence wants it to be published with its figures.
pub fn version(program: &Path) -> Option<String> {
    let bytes = std::fs::read(program).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    ["$Id: ", "$Revision: "].iter().find_map(|mark| {
        let rest = &text[text.find(mark)? + mark.len()..];
        Some(rest[..rest.find('$')?].trim().to_string())
    })
}
