//! The facts of `fathom doctor`: the parts of this computer that Fathom uses, and the consequences of those that
//! are missing. The command prints them.

use crate::args::CommandLine;
use crate::cache::Cache;
use crate::compiler::{which, Compiler};
use crate::conduit::{conduits, Conduit, Recipe};
use crate::launch::Launcher;
use crate::libfabric::Libfabric;
use crate::mpi::Mpi;
use crate::runtime::Sources;
use fathom_sema::segments::BASE;
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Good,
    /// Works, but something is lost.
    Lacking,
    /// UPC programs cannot be built or run.
    Broken,
}

/// One line of the report.
#[derive(Debug)]
pub struct Fact {
    pub name: &'static str,
    pub state: State,
    pub found: String,
    /// The consequence, and what to do about it; empty if everything works.
    pub advice: String,
}

fn fact(name: &'static str, state: State, found: impl Into<String>, advice: impl Into<String>) -> Fact {
    let advice = if state == State::Good { String::new() } else { advice.into() };
    Fact { name, state, found: found.into(), advice }
}

/// Everything, in the order in which it matters.
pub fn examine() -> Vec<Fact> {
    let mut facts = vec![compiler(), archiver(), system(), cache()];
    facts.extend([
        cores(),
        nodes(Path::new("/sys/devices/system/node")),
        memory(),
        segments(),
        overcommit(),
        limits(),
        huge_pages(),
        shared_files(),
    ]);
    facts.extend([source_lines(), debugger(), perf(), tuning(), conduits_here(), mpi(), libfabric()]);
    facts
}

/// The first line of a file of /proc or /sys.
fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok().map(|t| t.lines().next().unwrap_or("").trim().to_string())
}

pub(crate) fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64)
}

fn compiler() -> Fact {
    match Compiler::find() {
        Err(f) => fact("C compiler", State::Broken, f.what, f.hint.unwrap_or_default()),
        Ok(cc) => match cc.version(None) {
            Err(f) => fact("C compiler", State::Broken, f.what, f.hint.unwrap_or_default()),
            Ok(version) => {
                let path = cc.paths.first().map_or(String::new(), |p| p.display().to_string());
                match compiles(&cc, PROBE, &[], &[]) {
                    Ok(()) => fact("C compiler", State::Good, format!("{version} ({path})"), ""),
                    Err(why) => fact(
                        "C compiler",
                        State::Broken,
                        format!("{version} ({path}) cannot build a program"),
                        format!("install the C library's headers (Debian and Ubuntu: apt install libc6-dev). It said: {why}"),
                    ),
                }
            }
        },
    }
}

const PROBE: &str = "#include <stdio.h>\nint main(void) { return 0; }\n";
const MPI_PROBE: &str = "#include <mpi.h>\nint main(int c, char **v) { return MPI_Init(&c, &v); }\n";

const LIBFABRIC_PROBE: &str =
    "#include <rdma/fabric.h>\n#include <stdio.h>\nint main(void) { printf(\"%u\\n\", fi_version()); return 0; }\n";

/// A compiler without headers or linker is found here, not in the middle of a user's build.
fn compiles(cc: &Compiler, text: &str, flags: &[String], libraries: &[String]) -> Result<(), String> {
    let scratch = crate::scratch::Scratch::new().map_err(|f| f.what)?;
    let source = scratch.join("probe.c");
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let cmd = cc.cmd().args(["-std=gnu17", "-o"]).arg(scratch.join("probe")).args(flags).arg(&source).args(libraries);
    let ended = cmd.run().map_err(|f| f.what)?;
    match ended.status {
        0 => Ok(()),
        _ => Err(String::from_utf8_lossy(&ended.stderr).lines().next().unwrap_or("nothing").to_string()),
    }
}

fn archiver() -> Fact {
    match which("ar") {
        Some(path) => fact("ar", State::Good, path.display().to_string(), ""),
        None => fact("ar", State::Broken, "not found", "the runtime's library needs it: install binutils"),
    }
}

fn system() -> Fact {
    let release = read("/proc/sys/kernel/osrelease").unwrap_or_else(|| "unknown".into());
    let found = format!("{} {} {release}", std::env::consts::OS, std::env::consts::ARCH);
    let state =
        if std::env::consts::OS == "linux" && cfg!(target_pointer_width = "64") { State::Good } else { State::Broken };
    fact("system", state, found, "Fathom needs 64-bit Linux")
}

fn cache() -> Fact {
    match Cache::open() {
        Err(f) => fact("cache", State::Broken, f.what, f.hint.unwrap_or_default()),
        Ok(cache) => {
            let ready = Sources::load().and_then(|s| {
                let cc = Compiler::find()?;
                let recipe = Recipe::new(&Conduit::choose(&CommandLine::default(), &s)?, &[])?;
                Ok(cache.get("runtime", &s.library_key(&cc, &cc.version(Some(&cache))?, &recipe)).is_some())
            });
            let built = match ready {
                Ok(true) => "runtime built",
                _ => "runtime not built yet: the first program does it",
            };
            fact("cache", State::Good, format!("{} ({built})", cache.root().display()), "")
        }
    }
}

fn cores() -> Fact {
    let allowed = std::thread::available_parallelism().map_or(1, |n| n.get());
    // SAFETY: sysconf takes a number.
    let online = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    let limit = read("/sys/fs/cgroup/cpu.max").filter(|t| !t.starts_with("max")).map_or(String::new(), |quota| {
        let mut parts = quota.split_whitespace().filter_map(|p| p.parse::<f64>().ok());
        match (parts.next(), parts.next()) {
            (Some(quota), Some(period)) if period > 0.0 => format!(", cgroup limit {:.1}", quota / period),
            _ => String::new(),
        }
    });
    let found = format!("{allowed} usable of {online}{limit}");
    fact("cores", State::Good, found, "")
}

/// The NUMA nodes below a folder of /sys: which processors each has, and how much memory.
fn nodes(folder: &Path) -> Fact {
    let mut nodes: Vec<(u32, String)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.strip_prefix("node")?.parse().ok()?;
            let text = |name| std::fs::read_to_string(entry.path().join(name)).unwrap_or_default();
            let memory = text("meminfo");
            // "Node 0 MemTotal:       16316412 kB"
            let bytes = |name: &str| {
                let line = memory.lines().find(|l| l.split_whitespace().nth(2) == Some(name))?;
                Some(line.split_whitespace().nth(3)?.parse::<u64>().ok()? * 1024)
            };
            let mut found = match text("cpulist").trim() {
                "" => format!("node {number}: no processors"),
                list => format!("node {number}: processors {list}"),
            };
            if let (Some(total), Some(free)) = (bytes("MemTotal:"), bytes("MemFree:")) {
                found += &format!(", {}, {} free", gib(total), gib(free));
            }
            Some((number, found))
        })
        .collect();
    nodes.sort();
    let list = nodes.iter().map(|(_, found)| found.as_str()).collect::<Vec<_>>().join("; ");
    let found = match nodes.len() {
        0 => "unknown (no /sys/devices/system/node): threads are not bound".to_string(),
        1 => list,
        _ => format!("{list}; threads are bound to them, FATHOM_BIND=report says how"),
    };
    fact("NUMA nodes", State::Good, found, "")
}

/// A `/proc/meminfo` line in bytes.
pub(crate) fn meminfo(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with(name) && l[name.len()..].starts_with(':'))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// The memory limit of this process's control group and of those around it.
fn memory_limit() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let path = text.lines().find_map(|l| l.strip_prefix("0::")).unwrap_or("/");
    let root = Path::new("/sys/fs/cgroup");
    let mut dir = root.join(path.trim_start_matches('/'));
    let mut least = read("/sys/fs/cgroup/memory/memory.limit_in_bytes").and_then(|t| t.parse::<u64>().ok());
    loop {
        let here = std::fs::read_to_string(dir.join("memory.max")).ok().and_then(|t| t.trim().parse::<u64>().ok());
        least = [least, here].into_iter().flatten().min();
        if dir == root || !dir.pop() || !dir.starts_with(root) {
            return least.filter(|&b| b < 1 << 60);
        }
    }
}

fn memory() -> Fact {
    let total = meminfo("MemTotal").unwrap_or(0);
    let free = meminfo("MemAvailable").unwrap_or(0);
    let mut found = format!("{}, {} available", gib(total), gib(free));
    let limit = memory_limit().filter(|&l| l < total);
    if let Some(limit) = limit {
        found += &format!(", cgroup limit {}", gib(limit));
    }
    let least = limit.unwrap_or(u64::MAX).min(free);
    let state = if least < 256 << 20 { State::Lacking } else { State::Good };
    fact("memory", state, found, "little memory: keep FATHOM_HEAP small, or raise the container's memory limit")
}

/// Segments are memory of `memfd_create`, mapped at addresses from [`BASE`] on.
fn segments() -> Fact {
    // SAFETY: plain system calls; the mapping is our own and is not used.
    unsafe {
        let fd = libc::memfd_create(c"fathom-doctor".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            let why = std::io::Error::last_os_error().to_string();
            let advice = "shared segments need memfd_create: a sandbox or a kernel before 3.17 forbids it";
            return fact("shared segments", State::Broken, format!("memfd_create: {why}"), advice);
        }
        let bytes = 1usize << 20;
        let sized = libc::ftruncate(fd, bytes as libc::off_t) == 0;
        let at = BASE as *mut libc::c_void;
        let flags = libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE;
        let map = libc::mmap(at, bytes, libc::PROT_READ | libc::PROT_WRITE, flags, fd, 0);
        let error = std::io::Error::last_os_error();
        libc::close(fd);
        if map == libc::MAP_FAILED || !sized {
            let advice = "the address space may be limited: see 'ulimit -v', and 5-level or 39-bit page tables";
            return fact(
                "shared segments",
                State::Broken,
                format!("no mapping at 2^{}: {error}", BASE.trailing_zeros()),
                advice,
            );
        }
        libc::munmap(map, bytes);
        if map != at {
            let advice = "the kernel is older than 4.17 and put the mapping elsewhere";
            return fact("shared segments", State::Broken, "MAP_FIXED_NOREPLACE is not supported", advice);
        }
    }
    let found = format!("memfd_create works, segments map at 2^{}", BASE.trailing_zeros());
    fact("shared segments", State::Good, found, "")
}

fn overcommit() -> Fact {
    let mode = read("/proc/sys/vm/overcommit_memory").unwrap_or_default();
    let found = match mode.as_str() {
        "0" => "heuristic (0)",
        "1" => "always (1)",
        "2" => "strict (2)",
        _ => "unknown",
    };
    let state = if mode == "2" { State::Lacking } else { State::Good };
    fact("overcommit", state, found, "every byte of the shared heaps is charged at the start: keep FATHOM_HEAP small, or sysctl vm.overcommit_memory=0")
}

fn limits() -> Fact {
    let of = |resource| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the structure is ours.
        unsafe { libc::getrlimit(resource, &mut limit) };
        limit.rlim_cur
    };
    let show = |n: u64, unit: &dyn Fn(u64) -> String| {
        if n == libc::RLIM_INFINITY {
            "unlimited".into()
        } else {
            unit(n)
        }
    };
    let (space, processes, files) = (of(libc::RLIMIT_AS), of(libc::RLIMIT_NPROC), of(libc::RLIMIT_NOFILE));
    let number = |n: u64| n.to_string();
    let found = format!(
        "address space {}, processes {}, open files {}, core files {}",
        show(space, &gib),
        show(processes, &number),
        show(files, &number),
        show(of(libc::RLIMIT_CORE), &gib)
    );
    let tight = space != libc::RLIM_INFINITY || processes < 256 || files < 256;
    let advice = "a limit may stop jobs with many threads: ulimit -v unlimited; ulimit -u 4096; ulimit -n 1024";
    fact("limits", if tight { State::Lacking } else { State::Good }, found, advice)
}

/// The choice in brackets: `always [madvise] never`.
fn chosen(path: &str) -> String {
    let text = read(path).unwrap_or_default();
    match (text.find('['), text.find(']')) {
        (Some(a), Some(b)) if a < b => text[a + 1..b].to_string(),
        _ => "not available".into(),
    }
}

fn huge_pages() -> Fact {
    let private = chosen("/sys/kernel/mm/transparent_hugepage/enabled");
    let shared = chosen("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
    let state = if matches!(shared.as_str(), "always" | "advise" | "within_size" | "force") {
        State::Good
    } else {
        State::Lacking
    };
    let advice = "shared arrays use small pages (more TLB misses on large ones): echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled";
    fact("huge pages", state, format!("private memory: {private}; shared memory: {shared}"), advice)
}

fn shared_files() -> Fact {
    // SAFETY: the structure is ours, the path a C string.
    let (done, fs) = unsafe {
        let mut fs: libc::statvfs = std::mem::zeroed();
        (libc::statvfs(c"/dev/shm".as_ptr(), &mut fs) == 0, fs)
    };
    let found = match done {
        true => format!(
            "{} free of {} (not used: segments are not files)",
            gib(fs.f_bavail * fs.f_frsize),
            gib(fs.f_blocks * fs.f_frsize)
        ),
        false => "not mounted (not needed: segments are not files)".to_string(),
    };
    fact("/dev/shm", State::Good, found, "")
}

fn tool(name: &'static str, programs: &[&str], advice: &str) -> Fact {
    let found: Vec<String> = programs.iter().filter_map(|p| which(p)).map(|p| p.display().to_string()).collect();
    match found.is_empty() {
        false => fact(name, State::Good, found.join(", "), ""),
        true => fact(name, State::Lacking, "not found", advice),
    }
}

fn source_lines() -> Fact {
    tool("addr2line", &["addr2line", "llvm-addr2line"], "a crash is reported without its source line: install binutils")
}

fn debugger() -> Fact {
    tool("debugger", &["gdb", "lldb"], "only needed to debug programs: install gdb")
}

fn perf() -> Fact {
    let paranoid = read("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    match which("perf") {
        Some(path) => fact("perf", State::Good, format!("{} (perf_event_paranoid {paranoid})", path.display()), ""),
        None => fact(
            "perf",
            State::Lacking,
            "not found",
            "only needed to profile programs: install linux-perf or linux-tools",
        ),
    }
}

/// The tuning table in use.
fn tuning() -> Fact {
    use crate::tuning::{location, TableLocation};
    const NAME: &str = "tuning table";
    let advice =
        "the built-in defaults are in use: `fathom probe && fathom tune` measures this computer and writes a table";
    let about = |path: &Path| {
        let text = std::fs::read_to_string(path)?;
        let conduits: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("conduit ")).map(str::trim).collect();
        Ok::<String, std::io::Error>(format!("{} (conduits: {})", path.display(), conduits.join(", ")))
    };
    match location() {
        TableLocation::Nowhere => fact(NAME, State::Lacking, "none", advice),
        TableLocation::Named(path) => match about(&path) {
            Ok(found) => fact(NAME, State::Good, found, ""),
            Err(e) => fact(
                NAME,
                State::Broken,
                format!("FATHOM_TUNING names {}: {e}", path.display()),
                "programs end at once: unset FATHOM_TUNING, or `fathom tune -o` writes the file",
            ),
        },
        TableLocation::Usual(path) => match about(&path) {
            Ok(found) => fact(NAME, State::Good, found, ""),
            Err(_) => fact(NAME, State::Lacking, format!("none at {}", path.display()), advice),
        },
    }
}

/// Which conduits programs can be built for here.
fn conduits_here() -> Fact {
    let Ok(sources) = Sources::load() else {
        return fact("conduits", State::Broken, "the runtime's sources cannot be read", "unset FATHOM_RUNTIME");
    };
    let (usable, not): (Vec<String>, Vec<String>) = conduits(&sources)
        .into_iter()
        .partition(|name| Conduit::named(name, false, &sources).is_ok_and(|c| c.is_possible()));
    let chosen = Conduit::choose(&CommandLine::default(), &sources);
    let default = match &chosen {
        Ok(conduit) => format!("; programs are built for {}", conduit.name),
        Err(failure) => format!("; {}", failure.what),
    };
    let found = usable.join(", ") + &default;
    match (chosen.is_err(), not.is_empty()) {
        (true, _) => fact("conduits", State::Broken, found, "FATHOM_CONDUIT names none of them: unset it"),
        (false, false) => fact("conduits", State::Lacking, found, format!("not {}: see below", not.join(", "))),
        (false, true) => fact("conduits", State::Good, found, ""),
    }
}

/// The MPI, for conduits that need one.
fn mpi() -> Fact {
    let lacking = |found: String, advice: String| fact("MPI", State::Lacking, found, advice);
    let clusters = "one computer needs none; a cluster does";
    let mpi = match Mpi::find() {
        Ok(mpi) => mpi,
        Err(f) => return lacking(f.what, format!("{clusters}: {}", f.hint.unwrap_or_default())),
    };
    if let Err(why) =
        Compiler::find().map_err(|f| f.what).and_then(|cc| compiles(&cc, MPI_PROBE, &mpi.compile, &mpi.link))
    {
        let found = format!("{} found, but an MPI program cannot be built", mpi.wrapper.display());
        return lacking(found, format!("install the MPI's development package. It said: {why}"));
    }
    match Launcher::find(Some(&mpi.wrapper)) {
        Err(f) => lacking(f.what, format!("{clusters}: {}", f.hint.unwrap_or_default())),
        Ok(launcher) => {
            let found = format!("{}, {} ({})", mpi.wrapper.display(), launcher.name(), launcher.describe());
            fact("MPI", State::Good, found, "")
        }
    }
}

/// The libfabric, for conduits that need one.
fn libfabric() -> Fact {
    const NAME: &str = "libfabric";
    let found = match Libfabric::find() {
        Ok(found) => found,
        Err(f) => {
            let advice = format!("only its conduit needs it: {}", f.hint.unwrap_or_default());
            return fact(NAME, State::Lacking, f.what, advice);
        }
    };
    let tried = Compiler::find().map_err(|f| f.what);
    match tried.and_then(|cc| compiles(&cc, LIBFABRIC_PROBE, &found.compile, &found.link)) {
        Ok(()) => fact(NAME, State::Good, found.place, ""),
        Err(why) => {
            let advice = format!("install its development package. The compiler said: {why}");
            fact(NAME, State::Lacking, format!("{}, but a program cannot be built", found.place), advice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_comes_with_advice() {
        let facts = examine();
        assert!(facts.iter().any(|f| f.name == "C compiler"));
        for f in facts {
            assert_eq!(f.advice.is_empty(), f.state == State::Good, "{f:?}");
            assert!(!f.found.is_empty(), "{f:?}");
        }
    }

    #[test]
    fn nodes_are_told_with_their_processors_and_memory() {
        let folder = tempfile::tempdir().unwrap();
        let made = [("node1", "4-7\n", 8u64 << 20), ("node0", "0-3\n", 16 << 20), ("node2", "\n", 4 << 20)];
        for (name, processors, kilobytes) in made {
            let at = folder.path().join(name);
            std::fs::create_dir_all(&at).unwrap();
            std::fs::write(at.join("cpulist"), processors).unwrap();
            let (number, free) = (&name[4..], kilobytes / 2);
            let memory = format!("Node {number} MemTotal: {kilobytes} kB\nNode {number} MemFree: {free} kB\n");
            std::fs::write(at.join("meminfo"), memory).unwrap();
        }
        std::fs::create_dir_all(folder.path().join("power")).unwrap();
        assert_eq!(
            nodes(folder.path()).found,
            "node 0: processors 0-3, 16.0 GiB, 8.0 GiB free; node 1: processors 4-7, 8.0 GiB, 4.0 GiB free; \
             node 2: no processors, 4.0 GiB, 2.0 GiB free; threads are bound to them, FATHOM_BIND=report says how"
        );
        assert!(nodes(Path::new("/nonexistent")).found.starts_with("unknown"));
    }
}
