//! The contenders: their sources, how they are built, and how they are started. Those that need a library which is not
//! installed fail to build, and are left out: `apt install libnng-dev libzmq3-dev libopenmpi-dev openmpi-bin`; the Rust crates
//! need the crates' registry. Aeron is built by its own CMake (targets `aeron_static`, `aeron_driver_static`, installed) and named by `AERON`.

use crate::build::{output, run, Builder, Failure, FAST};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy)]
enum Kind {
    /// A C file with these flags and libraries.
    C(&'static [&'static str]),
    /// The same, with `runtime/msg`.
    Ours(&'static [&'static str]),
    /// The contender of this name in `queues/rust`.
    Rust(&'static str),
    /// A C file for MPI.
    Mpi,
    /// A C file for Aeron, which `AERON` says where it is installed (the prefix of `cmake --install`).
    Aeron,
}

#[derive(Clone, Copy)]
pub struct Program {
    /// Of the executable.
    pub name: &'static str,
    /// In `bench/queues`.
    source: &'static str,
    kind: Kind,
}

/// What several programs are linked with: built once, when the first needs it.
#[derive(Default)]
pub struct Shared {
    ours: Option<Result<Vec<PathBuf>, Failure>>,
    rust: Option<Result<PathBuf, Failure>>,
}

/// Where a loop of two instructions happens to lie is not what is measured.
const ALIGNED: &[&str] = &["-falign-functions=64", "-falign-loops=64", "-std=gnu17"];

/// Neighbours are measured one directly after the other, so what is compared stands together.
pub fn all() -> Vec<Program> {
    use Kind::*;
    let c = |name, source, kind| Program { name, source, kind };
    vec![
        c("fetch-and-add", "atomics.c", C(&[])),
        c("compare-and-swap", "atomics.c", C(&["-DSWAP"])),
        c("express-one-row", "express_threads.c", Ours(&[])),
        c("express", "express.c", Ours(&[])),
        c("express-long", "express.c", Ours(&["-DLONG"])),
        c("slots", "slots.c", C(&["-mcx16"])),
        c("line", "line.c", C(&[])),
        c("one-line", "line.c", C(&["-DONE_LINE"])),
        c("express-single", "express.c", Ours(&["-DSINGLE"])),
        c("express-poll", "express.c", Ours(&["-DBY_POLL"])),
        c("send", "send.c", Ours(&[])),
        c("tag-on", "tag_on.c", Ours(&[])),
        c("basic", "basic.c", Ours(&[])),
        c("basic-single", "basic.c", Ours(&["-DSINGLE"])),
        c("iceoryx2", "", Rust("contender_iceoryx2")),
        c("tag-on-single", "tag_on.c", Ours(&["-DSINGLE"])),
        c("iceoryx2-queue", "", Rust("contender_spsc")),
        c("disruptor", "", Rust("contender_disruptor")),
        c("disruptor-many", "", Rust("contender_disruptor_many")),
        c("bulk", "bulk.c", Ours(&[])),
        c("copy", "copy.c", C(&[])),
        c("futex", "futex.c", C(&[])),
        c("pipe", "pipe.c", C(&[])),
        c("socket-stream", "pipe.c", C(&["-DSOCKETS"])),
        c("socket-packets", "seqpacket.c", C(&[])),
        c("mq", "mq.c", C(&["-lrt"])),
        c("nng", "nng.c", C(&["-lnng"])),
        c("zmq", "zmq.c", C(&["-lzmq"])),
        c("mpi", "mpi.c", Mpi),
        c("aeron", "aeron.c", Aeron),
    ]
}

impl Program {
    pub fn build(&self, builder: &Builder, work: &Path, shared: &mut Shared) -> Result<PathBuf, Failure> {
        let sources = builder.home.join("queues");
        let runtime = builder.home.join("../runtime");
        let executable = work.join(self.name);
        let mut cc = Command::new(&builder.cc);
        if let Kind::Mpi = self.kind {
            cc = Command::new(mpi("BENCH_MPICC", "mpicc.openmpi"));
        }
        cc.args(FAST).args(ALIGNED).arg("-o").arg(&executable).arg(sources.join("harness.c"));
        if !self.source.is_empty() {
            cc.arg(sources.join(self.source));
        }
        match self.kind {
            Kind::C(flags) => cc.args(flags),
            Kind::Ours(flags) => {
                for folder in ["", "include"] {
                    cc.arg("-I").arg(runtime.join(folder));
                }
                let objects = shared.ours.get_or_insert_with(|| build_ours(builder, &runtime, work)).clone()?;
                cc.args(flags).args(objects)
            }
            Kind::Rust(contender) => {
                let library = shared.rust.get_or_insert_with(|| build_rust(&sources, work)).clone()?;
                cc.arg(format!("-DCONTENDER={contender}")).arg(library).args(["-ldl", "-lm"])
            }
            Kind::Mpi => &mut cc,
            Kind::Aeron => {
                let prefix = aeron().ok_or("AERON is not set: the folder in which Aeron is installed")?;
                let libraries = ["libaeron_driver_static.a", "libaeron_static.a"].map(|l| prefix.join("lib").join(l));
                cc.arg("-I").arg(prefix.join("include")).args(libraries).args(["-ldl", "-lm", "-luuid"])
            }
        };
        run(cc.arg("-lpthread"))?;
        Ok(executable)
    }

    /// Its own arguments follow.
    pub fn command(&self, executable: &Path) -> Command {
        let Kind::Mpi = self.kind else { return Command::new(executable) };
        let mut command = Command::new(mpi("BENCH_MPIRUN", "mpirun.openmpi"));
        // Processes bind themselves (side.h), and never yield the processor: each has its own.
        command.args(["--oversubscribe", "--bind-to", "none", "-np", "2"]).arg(executable);
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.env("OMPI_MCA_mpi_yield_when_idle", "0");
        command
    }
}

/// `runtime/msg`, by the flags that it is installed with.
fn build_ours(builder: &Builder, runtime: &Path, work: &Path) -> Result<Vec<PathBuf>, Failure> {
    let folder = runtime.join("msg");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut sources: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    sources.retain(|p| p.extension().is_some_and(|e| e == "c"));
    sources.sort();
    let mut objects = Vec::new();
    for source in sources {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let object = work.join(format!("msg-{name}.o"));
        let mut cc = Command::new(&builder.cc);
        cc.args(["-O2", "-std=gnu17", "-c"]);
        if cfg!(target_arch = "x86_64") {
            cc.arg("-mcx16");
        }
        run(cc.arg("-I").arg(runtime).arg("-I").arg(runtime.join("include")).arg(&source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    Ok(objects)
}

/// The crates: a workspace of their own, so that nobody who builds Fathom builds them.
fn build_rust(sources: &Path, work: &Path) -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = work.join("rust");
    let mut command = Command::new(cargo);
    command.current_dir(sources.join("rust")).args(["build", "-q", "--release", "--locked"]);
    run(command.env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("release/libqueues_peers.a"))
}

fn aeron() -> Option<PathBuf> {
    std::env::var_os("AERON").filter(|s| !s.is_empty()).map(PathBuf::from)
}

fn mpi(variable: &str, otherwise: &str) -> String {
    std::env::var(variable).ok().filter(|s| !s.is_empty()).unwrap_or_else(|| otherwise.into())
}

/// What the peers are, for the head of the report.
pub fn versions(builder: &Builder) -> Vec<String> {
    let mut found = Vec::new();
    for (package, title) in [("nng", "nng"), ("libzmq", "ZeroMQ")] {
        let version = output(Command::new("pkg-config").args(["--modversion", package]));
        found.extend(version.ok().map(|v| format!("{title} {}", v.trim())));
    }
    let of_aeron = aeron().map(|prefix| prefix.join("lib/cmake/aeron/aeron-config-version.cmake"));
    let said = of_aeron.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    found.extend(
        said.split("set(PACKAGE_VERSION \"").nth(1).and_then(|v| v.split('"').next()).map(|v| format!("Aeron {v}")),
    );
    let mut openmpi = Command::new(mpi("BENCH_MPIRUN", "mpirun.openmpi"));
    let said = output(openmpi.arg("--version")).unwrap_or_default();
    found.extend(said.lines().next().map(str::to_string));
    let lock = std::fs::read_to_string(builder.home.join("queues/rust/Cargo.lock")).unwrap_or_default();
    for name in ["iceoryx2", "disruptor"] {
        let version = lock.split("[[package]]").find(|p| p.contains(&format!("name = \"{name}\"\n")));
        let version = version.and_then(|p| p.lines().find_map(|l| l.strip_prefix("version = ")));
        found.extend(version.map(|v| format!("{name} {}", v.trim_matches('"'))));
    }
    found
}
