//! The programs of the table: where their sources are, how they are built, and how two processes of each are started.
//!
//! A room is a set of programs that take the same road between two processes, so that comparing them makes sense. Peers
//! are found in the environment (`BENCH_GASNET`: an installation of GASNet-EX with its conduits smp and mpi, built for
//! Open MPI) or in the PATH (`mpicc.openmpi`, `mpicc.mpich`, `oshcc` and their `mpirun`s; `BENCH_MPICC`,
//! `BENCH_MPIRUN`, `BENCH_OSHCC` name others).

use crate::build::{output, run, Builder, Failure, FAST};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Room {
    pub name: &'static str,
    pub title: &'static str,
    /// What is said above the table.
    pub about: &'static str,
    pub programs: &'static [Program],
    /// The rows that are measured here; none: all.
    pub rows: &'static [&'static str],
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Smp,
    Mpi,
}

#[derive(Clone, Copy, PartialEq)]
enum Peer {
    Ours(&'static str),
    Gasnet(&'static str),
    Mpi,
    Shmem,
}

/// Which MPI a program is compiled and started with.
#[derive(Clone, Copy, PartialEq)]
enum Launch {
    /// Starts its processes itself.
    Itself,
    OpenMpi(&'static [&'static str]),
    Mpich,
}

pub struct Program {
    pub name: &'static str,
    peer: Peer,
    launch: Launch,
}

pub struct Built {
    executable: PathBuf,
}

/// The faster form of RMA where both are there, and the one that the conduit mpi uses, too.
const NO_UCX: &[&str] = &["--mca", "osc", "^ucx"];
/// As if the two processes were on two computers: everything crosses a socket, and no window is shared memory.
const TCP: &[&str] = &["--mca", "osc", "^ucx,sm", "--mca", "pml", "ob1", "--mca", "btl", "tcp,self"];

/// Where a loop of two instructions happens to lie is not what is measured.
const ALIGNED: &[&str] = &["-falign-functions=64", "-falign-loops=64"];

const MPI_ROWS: &[&str] = &["round trip*", "flood*", "barrier", "all-reduce*", "broadcast*", "bulk*", "stream*"];

pub fn all() -> Vec<Room> {
    use Launch::*;
    use Peer::*;
    vec![
        Room {
            name: "smp",
            title: "smp",
            about: "Two processes on one computer that share memory.",
            programs: &[
                Program { name: "fathom", peer: Ours("smp"), launch: Itself },
                Program { name: "GASNet-EX smp", peer: Gasnet("smp"), launch: Itself },
                Program { name: "Open MPI", peer: Mpi, launch: OpenMpi(NO_UCX) },
                Program { name: "OpenSHMEM", peer: Shmem, launch: OpenMpi(&[]) },
            ],
            rows: &[],
            kind: Kind::Smp,
        },
        Room {
            name: "mpi",
            title: "mpi",
            about: "Two processes of Open MPI that are told not to share memory, on the road that MPI itself finds \
                    between them; MPI's RMA through windows over the processes' own memory.",
            programs: &[
                Program { name: "fathom", peer: Ours("mpi"), launch: OpenMpi(NO_UCX) },
                Program { name: "GASNet-EX mpi", peer: Gasnet("mpi"), launch: OpenMpi(NO_UCX) },
                Program { name: "Open MPI", peer: Mpi, launch: OpenMpi(NO_UCX) },
            ],
            rows: MPI_ROWS,
            kind: Kind::Mpi,
        },
        Room {
            name: "tcp",
            title: "mpi over TCP",
            about: "The same, and everything crosses TCP sockets, as between two computers without a better network.",
            programs: &[
                Program { name: "fathom", peer: Ours("mpi"), launch: OpenMpi(TCP) },
                Program { name: "GASNet-EX mpi", peer: Gasnet("mpi"), launch: OpenMpi(TCP) },
                Program { name: "Open MPI", peer: Mpi, launch: OpenMpi(TCP) },
            ],
            rows: MPI_ROWS,
            kind: Kind::Mpi,
        },
        Room {
            name: "mpich",
            title: "mpi, MPICH",
            about: "The same with MPICH, on the road that it finds.",
            programs: &[
                Program { name: "fathom", peer: Ours("mpi"), launch: Mpich },
                Program { name: "MPICH", peer: Mpi, launch: Mpich },
            ],
            rows: MPI_ROWS,
            kind: Kind::Mpi,
        },
    ]
}

impl Room {
    /// Does a program of this room print rows of this side?
    pub fn has(&self, side: &str) -> bool {
        self.programs.iter().any(|p| match p.peer {
            Peer::Ours(_) => side.starts_with("c") || side.starts_with("fathom"),
            Peer::Gasnet(_) => side.starts_with("gasnet"),
            Peer::Mpi => side.starts_with("mpi"),
            Peer::Shmem => side == "shmem",
        })
    }
}

const OURS: &[&str] = &["ours", "ours_data", "ours_pieces", "ours_messages", "ours_together"];

impl Program {
    pub fn build(&self, builder: &Builder, work: &Path) -> Result<Built, Failure> {
        let sources = builder.home.join("comm");
        let mpi = match self.launch {
            Launch::Mpich => "-mpich",
            _ => "",
        };
        let flags = [FAST, ALIGNED, &["-std=gnu17", "-D_GNU_SOURCE"]].concat();
        match self.peer {
            Peer::Ours(conduit) => {
                let executable = work.join(format!("ours-{conduit}{mpi}"));
                self.build_ours(builder, work, conduit, &flags, &executable)?;
                Ok(Built { executable })
            }
            Peer::Gasnet(conduit) => {
                let executable = work.join(format!("gasnet-{conduit}"));
                build_gasnet(&sources.join("gasnet.c"), work, conduit, &executable)?;
                Ok(Built { executable })
            }
            Peer::Mpi => {
                let executable = work.join(format!("mpi{mpi}"));
                let mut cc = Command::new(self.mpicc());
                run(cc.args(&flags).arg(sources.join("mpi.c")).arg("-o").arg(&executable))?;
                Ok(Built { executable })
            }
            Peer::Shmem => {
                let executable = work.join("shmem");
                let mut cc = Command::new(env_or("BENCH_OSHCC", "oshcc"));
                run(cc.args(&flags).arg(sources.join("shmem.c")).arg("-o").arg(&executable))?;
                Ok(Built { executable })
            }
        }
    }

    /// C against gas.h: compiled by the C compiler alone, linked with the runtime by `fathom cc`.
    fn build_ours(
        &self,
        builder: &Builder,
        work: &Path,
        conduit: &str,
        flags: &[&str],
        executable: &Path,
    ) -> Result<(), Failure> {
        let sources = builder.home.join("comm");
        let runtime = builder.home.join("../runtime");
        let header = match conduit {
            "smp" => "conduit/smp/fathom_conduit.h",
            _ => "conduit/distributed.h",
        };
        let mut objects = Vec::new();
        for name in OURS.iter().chain(&["plain"]) {
            let object = work.join(format!("{name}-{conduit}.o"));
            let mut cc = Command::new(&builder.cc);
            cc.args(flags).arg(format!("-DFATHOM_CONDUIT_HEADER=\"{header}\""));
            for folder in ["", "include", "lang"] {
                cc.arg("-I").arg(runtime.join(folder));
            }
            run(cc.arg("-c").arg(sources.join(format!("{name}.c"))).arg("-o").arg(&object))?;
            objects.push(object);
        }
        let mut link = Command::new(&builder.fathom);
        link.args(["cc", "-march=native", "--conduit", conduit]).args(&objects).arg("-o").arg(executable);
        link.env("FATHOM_CC", &builder.cc);
        if self.launch != Launch::Itself {
            link.env("FATHOM_MPICC", self.mpicc());
        }
        run(&mut link)
    }

    /// Two processes of the program; its own arguments follow.
    pub fn command(&self, built: &Built) -> Command {
        let mut command = match self.launch {
            Launch::Itself => Command::new(&built.executable),
            Launch::OpenMpi(options) => {
                let mut mpirun = Command::new(env_or("BENCH_MPIRUN", "mpirun.openmpi"));
                // Processes bind themselves (side.h).
                mpirun.args(["--oversubscribe", "--bind-to", "none", "-np", "2"]).args(options).arg(&built.executable);
                mpirun.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
                // Never yield the processor: each has its own.
                mpirun.env("OMPI_MCA_mpi_yield_when_idle", "0");
                mpirun
            }
            Launch::Mpich => {
                let mut mpirun = Command::new("mpirun.mpich");
                mpirun.args(["-n", "2"]).arg(&built.executable);
                mpirun
            }
        };
        match self.peer {
            Peer::Ours("smp") => command.env("FATHOM_THREADS", "2"),
            Peer::Ours(_) => command.env("FATHOM_NODE_MAX", "1"),
            Peer::Gasnet("smp") => command.env("GASNET_PSHM_NODES", "2"),
            Peer::Gasnet(_) => command.env("GASNET_SUPERNODE_MAXSIZE", "1").env("GASNET_QUIET", "1"),
            Peer::Shmem => command.env("SHMEM_SYMMETRIC_SIZE", "128M"),
            Peer::Mpi => &mut command,
        };
        command
    }

    fn mpicc(&self) -> String {
        match self.launch {
            Launch::Mpich => "mpicc.mpich".into(),
            _ => env_or("BENCH_MPICC", "mpicc.openmpi"),
        }
    }
}

/// By the flags that GASNet's own fragment of a makefile gives; pkg-config knows them, too.
fn build_gasnet(source: &Path, work: &Path, conduit: &str, executable: &Path) -> Result<(), Failure> {
    let prefix = std::env::var("BENCH_GASNET").map_err(|_| "BENCH_GASNET does not say where it is installed")?;
    let fragment = format!("{prefix}/include/{conduit}-conduit/{conduit}-seq.mak");
    if !Path::new(&fragment).exists() {
        return Err(format!("there is no {fragment}"));
    }
    let object = work.join(format!("gasnet-{conduit}.o"));
    let makefile = work.join(format!("gasnet-{conduit}.mk"));
    let text = format!(
        "include {fragment}\nall:\n\t$(GASNET_CC) $(GASNET_CPPFLAGS) $(GASNET_CFLAGS) {flags} -c {source} -o {object}\n\
         \t$(GASNET_LD) $(GASNET_LDFLAGS) -o {executable} {object} $(GASNET_LIBS)\n",
        flags = [FAST, ALIGNED].concat().join(" "),
        source = source.display(),
        object = object.display(),
        executable = executable.display(),
    );
    std::fs::write(&makefile, text).map_err(|e| format!("cannot write {}: {e}", makefile.display()))?;
    run(Command::new("make").arg("-s").arg("-f").arg(&makefile).arg("all"))
}

/// What the peers are, for the head of the report.
pub fn versions() -> Vec<String> {
    let first = |mut command: Command| {
        let text = output(&mut command).unwrap_or_default();
        text.lines().find(|l| !l.trim().is_empty()).map(|l| l.trim().to_string())
    };
    let mut found = Vec::new();
    if let Ok(prefix) = std::env::var("BENCH_GASNET") {
        let header = std::fs::read_to_string(format!("{prefix}/include/gasnet_config.h")).unwrap_or_default();
        let version = header.lines().find_map(|l| l.strip_prefix("#define GASNETI_RELEASE_VERSION "));
        found.push(format!("GASNet-EX {}", version.unwrap_or("of an unknown version")));
    }
    let mut openmpi = Command::new(env_or("BENCH_MPIRUN", "mpirun.openmpi"));
    openmpi.arg("--version").env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    found.extend(first(openmpi));
    let mut mpich = Command::new("mpichversion");
    mpich.arg("-v");
    found.extend(first(mpich).map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")));
    found
}

fn env_or(name: &str, default: &str) -> String {
    std::env::var(name).ok().filter(|s| !s.is_empty()).unwrap_or_else(|| default.into())
}
