//! Real text: all the C library's headers, the compiler's own, the runtime's sources, the UPC programs of this
//! repository, each through whatever C compilers are here. Without a compiler there is nothing to test.

use fathom_syntax::verify::verify;
use fathom_syntax::{parse, Options, Severity};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn preprocess(cc: &str, args: &[&str], file: &Path) -> Option<String> {
    let out = Command::new(cc).arg("-E").args(args).arg(file).stderr(Stdio::null()).output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Parses, verifies, and returns what was found, as lines for a person.
fn findings(text: String) -> Vec<String> {
    let p = parse(text, Options::default());
    if let Err(e) = verify(&p) {
        return vec![format!("broken tree: {e}")];
    }
    p.diags
        .iter()
        .map(|d| {
            let q = p.source.tok_place(d.span.lo);
            let w = if d.severity == Severity::Warning { "warning " } else { "" };
            format!("{}:{}:{}: {w}{} {}", p.source.files[q.file as usize], q.line, q.col, d.code, d.message)
        })
        .collect()
}

/// Headers of glibc and of the compilers, as many as are installed. Some exclude each other, or need definitions.
const HEADERS: &[&str] = &[
    "aio.h",
    "aliases.h",
    "alloca.h",
    "ar.h",
    "argp.h",
    "argz.h",
    "arpa/inet.h",
    "assert.h",
    "byteswap.h",
    "complex.h",
    "cpio.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "elf.h",
    "endian.h",
    "envz.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "float.h",
    "fmtmsg.h",
    "fnmatch.h",
    "fstab.h",
    "fts.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "ifaddrs.h",
    "inttypes.h",
    "iso646.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "link.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mcheck.h",
    "memory.h",
    "mntent.h",
    "monetary.h",
    "mqueue.h",
    "netdb.h",
    "net/if.h",
    "netinet/in.h",
    "netinet/ip.h",
    "netinet/tcp.h",
    "netinet/udp.h",
    "nl_types.h",
    "obstack.h",
    "paths.h",
    "poll.h",
    "printf.h",
    "pthread.h",
    "pty.h",
    "pwd.h",
    "regex.h",
    "resolv.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "shadow.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdio_ext.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/acct.h",
    "sys/auxv.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/file.h",
    "sys/inotify.h",
    "sys/ioctl.h",
    "sys/ipc.h",
    "sys/mman.h",
    "sys/mount.h",
    "sys/msg.h",
    "sys/param.h",
    "sys/poll.h",
    "sys/prctl.h",
    "sys/ptrace.h",
    "sys/random.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sem.h",
    "sys/sendfile.h",
    "sys/shm.h",
    "sys/signalfd.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statvfs.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/times.h",
    "sys/types.h",
    "sys/ucontext.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/user.h",
    "sys/utsname.h",
    "sys/wait.h",
    "sys/xattr.h",
    "syslog.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "unistd.h",
    "utime.h",
    "utmp.h",
    "utmpx.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "cpuid.h",
    "immintrin.h",
    "x86intrin.h",
    "linux/perf_event.h",
    "linux/futex.h",
    "linux/io_uring.h",
];

#[test]
fn system_headers_have_no_findings() {
    let dir = tempdir("headers");
    for cc in ["cc", "gcc", "clang"] {
        for std in ["-std=gnu17", "-std=c11", "-std=gnu89"] {
            let mut text = "#define _GNU_SOURCE 1\n".to_string();
            for h in HEADERS {
                text += &format!("#if __has_include(<{h}>)\n#include <{h}>\n#endif\n");
            }
            text += "int main(void) { return errno + isalpha(1) + (int)sin(2.0); }\n";
            let file = dir.join("all.c");
            std::fs::write(&file, text).unwrap();
            let Some(text) = preprocess(cc, &[std], &file) else {
                continue;
            };
            assert!(text.len() > 100_000, "{cc} {std}: hardly any header was found");
            let found = findings(text);
            assert!(found.is_empty(), "{cc} {std}:\n{}", found.join("\n"));
        }
    }
}

fn tempdir(name: &str) -> PathBuf {
    let d = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&d).unwrap();
    d
}

fn gather(dir: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    for e in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let p = e.path();
        if p.is_dir() {
            gather(&p, extension, out);
        } else if p.extension().is_some_and(|e| e == extension) {
            out.push(p);
        }
    }
}

#[test]
fn the_runtime_is_c() {
    let root = root();
    let folders = ["", "include", "lang", "gas", "core", "conduit/smp"]
        .map(|d| format!("-I{}", root.join("runtime").join(d).display()));
    let mut args: Vec<&str> = folders.iter().map(String::as_str).collect();
    // It is C, so it may use UPC's words as names.
    args.extend(["-Dshared=shared_", "-Dstrict=strict_", "-Drelaxed=relaxed_", "-DTHREADS=THREADS_"]);
    args.push("-DFATHOM_CONDUIT_HEADER=\"fathom_conduit.h\"");
    let mut files = vec![];
    gather(&root.join("runtime"), "c", &mut files);
    for f in files {
        let Some(text) = preprocess("cc", &args, &f) else {
            continue;
        };
        let found = findings(text);
        assert!(found.is_empty(), "{}:\n{}", f.display(), found.join("\n"));
    }
}

#[test]
fn the_programs_of_this_repository_have_no_errors() {
    let root = root();
    let include = format!("-I{}", root.join("runtime/include").display());
    let args = [
        "-xc",
        &include,
        "-D__UPC__=1",
        "-D__UPC_VERSION__=201311L",
        "-D__UPC_DYNAMIC_THREADS__=1",
        "-DUPC_MAX_BLOCK_SIZE=1073741824",
    ];
    let mut files = vec![];
    gather(&root.join("examples"), "upc", &mut files);
    gather(&root.join("tests/run"), "upc", &mut files);
    for f in files {
        // A test may ask for options of its own in its first lines; the preprocessor's are those that matter here.
        let source = String::from_utf8_lossy(&std::fs::read(&f).unwrap()).into_owned();
        let asked = source.lines().take(12).filter_map(|l| l.strip_prefix("// flags:")).flat_map(str::split_whitespace);
        let own: Vec<&str> = asked.filter(|word| word.starts_with("-D")).collect();
        let Some(text) = preprocess("cc", &[&args[..], &own[..]].concat(), &f) else {
            continue;
        };
        // A program may leave out the header of a library: Fathom includes it and warns.
        let left_out =
            |l: &str| l.split('`').nth(1).is_some_and(|name| fathom_syntax::library::header_of(name).is_some());
        let found: Vec<String> =
            findings(text).into_iter().filter(|l| !l.contains(": warning ") && !left_out(l)).collect();
        assert!(found.is_empty(), "{}:\n{}", f.display(), found.join("\n"));
    }
}
