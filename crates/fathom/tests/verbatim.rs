//! Private C goes through the front end token for token: real sources come out as they went in.
//!
//! The sources are the runtime's own, with every system header that they and the corpus below include, by each C
//! compiler that is installed; then everything that a C compiler takes must give the same bytes between the line markers.

use crate::support;
use fathom_toolchain::compiler::which;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{files, root};

/// Headers that a C library for Linux has, in one file; those missing here are left out by `__has_include`.
const HEADERS: &str = "\
    assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h \
    signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h \
    tgmath.h threads.h time.h uchar.h wchar.h wctype.h aio.h arpa/inet.h dirent.h dlfcn.h fcntl.h fnmatch.h \
    ftw.h getopt.h glob.h grp.h iconv.h langinfo.h libgen.h link.h mqueue.h netdb.h netinet/in.h netinet/tcp.h \
    poll.h pthread.h pwd.h regex.h resolv.h sched.h search.h semaphore.h spawn.h strings.h sys/epoll.h \
    sys/file.h sys/ioctl.h sys/ipc.h sys/mman.h sys/mount.h sys/prctl.h sys/ptrace.h sys/resource.h sys/sem.h \
    sys/shm.h sys/signalfd.h sys/socket.h sys/stat.h sys/statvfs.h sys/syscall.h sys/time.h sys/times.h \
    sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h termios.h ucontext.h unistd.h utime.h \
    x86intrin.h immintrin.h linux/futex.h linux/perf_event.h linux/io_uring.h obstack.h argp.h execinfo.h \
    error.h err.h fts.h";

/// C as programs have it that no header shows: old style, GNU style, and what is easily taken for something else.
const CORPUS: &str = r#"
#define _GNU_SOURCE 1
HEADERS_HERE
typedef int T;
int shadow(T) ; int shadow(int T) { return T * T; }
int old(a, b, c) int a; char *b; { return a + *b + c; }
struct { unsigned a : 3, : 0, b : 5; struct { int x, y; }; union { float f; int i; } u; } anonymous;
enum { RED, GREEN = 5, BLUE, } colour;
int table[][3] = { [1] = {1, 2} };
int designated[10] = { [2 ... 5] = 7, 1 };
struct point { int x, y; } origin = { .y = 1, .x = 2 }, *at = &(struct point){ 3, 4 };
static inline __attribute__((always_inline, unused)) int inlined(int x) { return x; }
__extension__ typedef long long wide __attribute__((aligned(16)));
int (*(*pointers(int n))[3])(void);
_Static_assert(sizeof(int) == 4, "int");
_Alignas(32) char aligned[64]; _Thread_local int per_thread; _Noreturn void gone(void);
char text[] = "a" "b\
c" L"" u8"" ; int wide_char = L'\x41' + u'\0';
double hex = 0x1.8p+3, small = .5e-3f; unsigned long long big = 0xFFull, octal = 0777u;
int f(int n, int m[static n]) {
    int vla[n][n + 1]; T * p = &n; typeof(n) q = ({ int z = n; z++; z; });
    __label__ local; void *labels[] = { &&local, &&other }; goto *labels[n & 1];
local: other:
    asm volatile ("nop" : "+r"(q) : "i"(3) : "memory", "cc");
    switch (n) { case 1 ... 5: n <<= 1; break; default: ; }
    for (int i = 0, j = n; i < j; i++, j--) if (i) continue; else { do n--; while (n > 0); }
    return _Generic(n, int: 1, default: 0) ?: n ? : sizeof (T) + sizeof n + _Alignof(int) + __builtin_offsetof(struct point, y) + (T) -1
        + __builtin_choose_expr(1, 2, "no") + __builtin_types_compatible_p(int, T) + *p++ + vla[0][0] + m[0];
}
_Complex double z = 1.0 + 2.0i; __int128 huge; _Float128 quad;
typedef float v4 __attribute__((vector_size(16))); v4 vec(v4 a, v4 b) { return a * b + (v4){1, 2, 3, 4}; }
#pragma GCC diagnostic push
#pragma pack(push, 1)
struct packed { char c; int i; } __attribute__((packed));
#pragma pack(pop)
#pragma GCC diagnostic pop
extern int renamed(void) __asm__("other_name");
implicit() { return undeclared_function(1); }
"#;

/// The tokens of C text with their line markers' file and line left out; pragmas stay.
fn tokens(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|l| !l.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
        .flat_map(str::split_ascii_whitespace)
        .collect()
}

/// What the front end makes of preprocessed text.
fn through(text: &str, name: &str) -> String {
    let options = fathom_syntax::Options::default();
    let parsed = fathom_syntax::parse(text.to_string(), options);
    let (sema, found) = fathom_sema::check(&parsed, options);
    let errors: Vec<String> = parsed
        .diags
        .iter()
        .chain(&found)
        .filter(|d| d.severity == fathom_syntax::Severity::Error)
        .map(|d| format!("{:?}: {} {}", parsed.source.tok_place(d.span.lo), d.code, d.message))
        .collect();
    assert!(errors.is_empty(), "{name}: {} errors\n{}", errors.len(), errors[..errors.len().min(10)].join("\n"));
    let lowered = fathom_lower::lower(&parsed, &sema, fathom_lower::Options::default());
    fathom_emit::emit(&parsed, &lowered)
}

fn preprocess(compiler: &str, flags: &[String], path: &Path) -> String {
    let output = Command::new(compiler).args(["-E", "-x", "c"]).args(flags).arg(path).output().expect("a C compiler");
    assert!(output.status.success(), "{compiler} -E {}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Fails at the first token that differs. Fathom adds to a unit only the record that every unit has.
fn assert_verbatim(before: &str, name: &str) {
    let after = through(before, name);
    let (old, new) = (tokens(before), tokens(&after));
    let differs = old.iter().zip(&new).position(|(a, b)| a != b);
    if let Some(at) = differs {
        let window = |list: &[&str]| list[at.saturating_sub(5)..(at + 8).min(list.len())].join(" ");
        panic!("{name}: token {at} differs\n  before: {}\n  after:  {}", window(&old), window(&new));
    }
    assert!(new.len() >= old.len(), "{name}: {} tokens became {}", old.len(), new.len());
    let added = new[old.len()..].join(" ");
    assert!(added.is_empty() || added.contains("fathom_unit"), "{name}: added {added}");
    assert!(new.len() - old.len() < 100, "{name}: added {added}");
    assert!(old.len() > 20, "{name}: nothing was compared");
}

fn compilers() -> Vec<&'static str> {
    ["gcc", "clang", "cc"].into_iter().filter(|c| which(c).is_some()).collect()
}

#[test]
fn the_runtimes_own_sources_pass_unchanged() {
    let runtime = root().join("runtime");
    let include = |d: &str| format!("-I{}", runtime.join(d).display());
    let mut flags = vec![include(""), include("include"), include("lang"), "-std=gnu17".to_string(), "-O2".to_string()];
    flags.push("-DFATHOM_CONDUIT_HEADER=\"conduit/smp/fathom_conduit.h\"".into());
    flags.push("-DFATHOM_CONDUIT_NOTE=\"smp\"".into());
    // C may give these names to variables; UPC may not.
    flags.extend(["shared", "strict", "relaxed"].map(|w| format!("-D{w}={w}_")));
    let mut sources: Vec<PathBuf> = vec![];
    for room in ["core", "gas", "lang", "conduit/smp"] {
        sources.extend(files(&runtime.join(room), "c"));
    }
    assert!(sources.len() > 10);
    for compiler in compilers().into_iter().take(2) {
        for source in &sources {
            let text = preprocess(compiler, &flags, source);
            assert_verbatim(&text, &format!("{compiler} {}", source.display()));
        }
    }
}

#[test]
fn system_headers_and_c_of_every_style_pass_unchanged() {
    let includes: String =
        HEADERS.split(' ').map(|h| format!("#if __has_include(<{h}>)\n#include <{h}>\n#endif\n")).collect();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let source = dir.path().join("corpus.c");
    std::fs::write(&source, CORPUS.replace("HEADERS_HERE", &includes)).expect("a file");
    for compiler in compilers().into_iter().take(2) {
        for standard in ["-std=gnu17", "-std=c99", "-std=gnu89"] {
            let text = preprocess(compiler, &[standard.to_string(), "-O2".into()], &source);
            assert_verbatim(&text, &format!("{compiler} {standard} corpus.c"));
        }
    }
}
