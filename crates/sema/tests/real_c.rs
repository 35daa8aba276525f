//! What the machine's own compiler has: its headers are typed without a finding, and its layouts are ours.

mod common;
use common::*;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sema");
    std::fs::create_dir_all(&dir).expect("a scratch folder");
    dir.join(name)
}

fn run(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn preprocess(name: &str, text: &str, flags: &[&str]) -> String {
    let path = scratch(name);
    std::fs::write(&path, text).expect("can be written");
    run(Command::new("cc").args(["-E", "-x", "c"]).args(flags).arg(&path))
}

fn assert_clean(what: &str, text: &str) -> usize {
    let (p, s, d) = analyse(text, dynamic());
    let all: Vec<_> =
        d.iter().map(|d| format!("{:?} {} {}", p.source.tok_place(d.span.lo), d.code, d.message)).collect();
    assert!(all.is_empty(), "{what}: {all:#?}");
    s.symbols.len()
}

#[test]
fn system_headers_together() {
    let names = "aio arpa/inet assert complex ctype dirent dlfcn errno fcntl fenv float fnmatch ftw getopt glob grp iconv \
        inttypes langinfo libgen limits locale math mqueue net/if netdb netinet/in netinet/tcp poll pthread pwd regex sched \
        search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string \
        strings sys/epoll sys/ioctl sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat \
        sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog termios tgmath threads time uchar \
        unistd utime wchar wctype wordexp";
    for flags in [&["-D_GNU_SOURCE"][..], &["-D_GNU_SOURCE", "-O2", "-D_FORTIFY_SOURCE=2"], &["-std=c99"]] {
        let mut text = String::new();
        for n in names.split_whitespace() {
            let _ = writeln!(text, "#if __has_include(<{n}.h>)\n#include <{n}.h>\n#endif");
        }
        if cfg!(target_arch = "x86_64") {
            text.push_str("#include <immintrin.h>\n");
        }
        let symbols = assert_clean("system headers", &preprocess("headers.c", &text, flags));
        assert!(symbols > 3000, "{symbols} symbols");
    }
}

/// The runtime's own C, as far as its files are independent of how they are built.
#[test]
fn sources_of_the_runtime() {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let mut seen = 0;
    for folder in ["core", "gas", "conduit/smp"] {
        for path in std::fs::read_dir(runtime.join(folder)).expect("the runtime").flatten().map(|e| e.path()) {
            if path.extension().is_none_or(|e| e != "c") {
                continue;
            }
            let mut cc = Command::new("cc");
            cc.args(["-E", "-D_GNU_SOURCE", "-DFATHOM_CONDUIT_HEADER=\"../conduit/smp/fathom_conduit.h\""]);
            for include in ["", "include", "lang", "core", "gas", "conduit", "conduit/smp"] {
                cc.arg("-I").arg(runtime.join(include));
            }
            let out = cc.arg(&path).output().expect("cc runs");
            if out.status.success() {
                assert_clean(&path.display().to_string(), &String::from_utf8_lossy(&out.stdout));
                seen += 1;
            }
        }
    }
    assert!(seen >= 5, "{seen} files were preprocessed");
}

/// Numbers that look random but are the same in every run.
struct Dice(fastrand::Rng);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.roll(list.len())]
    }
}

const TYPES: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "long double",
    "_Bool",
    "__int128",
    "void *",
    "enum E",
    "enum P",
    "v4",
    "under",
    "over",
    "struct In",
    "union Un",
    "_Complex float",
];

fn member(dice: &mut Dice, name: &mut u32, deep: bool) -> String {
    *name += 1;
    let n = *name;
    match dice.roll(10) {
        0..=3 => {
            let (ty, max) =
                [("char", 8), ("short", 16), ("int", 32), ("long", 64), ("_Bool", 1), ("enum E", 32)][dice.roll(6)];
            match dice.roll(6) {
                0 => format!("{ty} : 0;"),
                1 => format!("{ty} : {};", 1 + dice.roll(max)),
                _ => format!("{ty} f{n} : {};", 1 + dice.roll(max)),
            }
        }
        4 if deep => {
            let inside: String = (0..1 + dice.roll(3)).map(|_| member(dice, name, false)).collect();
            let packed = dice.pick(&["", "", " __attribute__((packed))"]);
            let called = if dice.roll(2) == 0 { String::new() } else { format!(" g{n}") };
            format!("{} {{ {inside} }}{packed}{called};", dice.pick(&["struct", "union"]))
        }
        _ => {
            let ty = dice.pick(TYPES);
            let plain = !matches!(ty, "v4" | "under" | "over");
            let array = if plain { dice.pick(&["", "", "", "[3]", "[1]"]) } else { "" };
            let attr = dice.pick(&["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(8)))"]);
            format!("{ty} f{n}{array}{attr};")
        }
    }
}

#[test]
fn layouts_are_those_of_the_c_compiler() {
    let mut dice = Dice(fastrand::Rng::with_seed(0x9e37_79b9_7f4a_7c15));
    let mut decls = String::from(
        "enum E { A, B }; enum P { C } __attribute__((packed)); typedef int v4 __attribute__((vector_size(16)));
         typedef int under __attribute__((aligned(2))); typedef struct { char c; } over __attribute__((aligned(8)));
         struct In { char a; short b; char c; }; union Un { char a[5]; int b; };\n",
    );
    const MANY: usize = 300;
    for i in 0..MANY {
        let pack =
            dice.pick(&["", "", "", "#pragma pack(push, 1)\n", "#pragma pack(push, 2)\n", "#pragma pack(push, 4)\n"]);
        let mut names = 0;
        let members: String = (0..1 + dice.roll(6)).map(|_| member(&mut dice, &mut names, true)).collect();
        let kind = dice.pick(&["struct", "struct", "union"]);
        let attr = dice.pick(&["", "", " __attribute__((packed))", " __attribute__((packed, aligned(2)))"]);
        let pop = if pack.is_empty() { "" } else { "#pragma pack(pop)\n" };
        let _ = writeln!(decls, "{pack}{kind} {{ {members} char mark; }}{attr} probe_{i};\n{pop}");
    }
    let mut main = format!("#include <stdio.h>\n#include <stddef.h>\n{decls}int main(void) {{\n");
    for i in 0..MANY {
        let t = format!("probe_{i}");
        let _ =
            writeln!(main, "printf(\"%zu %zu %zu\\n\", sizeof {t}, _Alignof({t}), offsetof(__typeof__({t}), mark));");
    }
    main.push_str("}\n");
    let (source, program) = (scratch("layouts.c"), scratch("layouts"));
    std::fs::write(&source, main).expect("can be written");
    run(Command::new("cc").arg("-w").arg(&source).arg("-o").arg(&program));
    let theirs = run(&mut Command::new(&program));
    let (p, s, d) = analyse(&preprocess("layouts_only.c", &decls, &[]), dynamic());
    assert!(d.is_empty());
    let mark = p.source.names.get("mark").expect("a member's name");
    for (i, want) in theirs.lines().enumerate() {
        let t = symbol_ty(&s, &p, &format!("probe_{i}"));
        let offset = s.types.record_of(t).and_then(|r| s.field(r, mark)).map_or(0, |f| f.1);
        let ours = format!("{} {} {offset}", s.size_of(t).map_or(0, |s| s.bytes), s.align_of(t));
        let text = decls.lines().find(|l| l.ends_with(&format!(" probe_{i};"))).unwrap_or("");
        assert_eq!(ours, want, "size, alignment, offset of the mark: {text}");
    }
    assert_eq!(theirs.lines().count(), MANY);
}
