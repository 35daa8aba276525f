//! What the machine's own compiler has: its headers are typed without a finding, and its layouts are ours.

use crate::common;
use common::*;
use fathom_syntax::Target;
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

/// Structs and unions of all sorts, `probe_0` and so on, each with a last member `mark`.
fn many_records(many: usize) -> String {
    let mut dice = Dice(fastrand::Rng::with_seed(0x9e37_79b9_7f4a_7c15));
    let mut decls = String::from(
        "enum E { A, B }; enum P { C } __attribute__((packed)); typedef int v4 __attribute__((vector_size(16)));
         typedef int under __attribute__((aligned(2))); typedef struct { char c; } over __attribute__((aligned(8)));
         struct In { char a; short b; char c; }; union Un { char a[5]; int b; };\n",
    );
    for i in 0..many {
        let pack =
            dice.pick(&["", "", "", "#pragma pack(push, 1)\n", "#pragma pack(push, 2)\n", "#pragma pack(push, 4)\n"]);
        let mut names = 0;
        let members: String = (0..1 + dice.roll(6)).map(|_| member(&mut dice, &mut names, true)).collect();
        let kind = dice.pick(&["struct", "struct", "union"]);
        let attr = dice.pick(&["", "", " __attribute__((packed))", " __attribute__((packed, aligned(2)))"]);
        let pop = if pack.is_empty() { "" } else { "#pragma pack(pop)\n" };
        let _ = writeln!(decls, "{pack}{kind} {{ {members} char mark; }}{attr} probe_{i};\n{pop}");
    }
    decls
}

/// Asserts that a C compiler for `target` finds the sizes, alignments, signs and offsets that `sema` finds.
fn assert_layouts(compiler: &[&str], target: Target, name: &str) {
    const MANY: usize = 300;
    const BASIC: [&str; 7] = [
        "__builtin_va_list",
        "long double",
        "_Complex long double",
        "__int128",
        "void *",
        "__typeof__(L'a')",
        "struct { char c; int x __attribute__((aligned)); }",
    ];
    let mut text = many_records(MANY);
    for (i, ty) in BASIC.iter().enumerate() {
        let _ = writeln!(text, "{ty} basic_{i};");
    }
    for (i, value) in ["(char)200", "'\\310'", "(__typeof__(L'a'))-1 > 0"].iter().enumerate() {
        let _ = writeln!(text, "enum {{ value_{i} = {value} }};");
    }
    let (p, s, d) = analyse(&text, fathom_syntax::Options { target, ..dynamic() });
    assert!(d.is_empty());
    let mark = p.source.names.get("mark").expect("a member's name");
    let ours = |name: &str| {
        let t = symbol_ty(&s, &p, name);
        let offset = s.types.record_of(t).and_then(|r| s.field(r, mark)).map(|f| f.1);
        (s.size_of(t).map_or(0, |s| s.bytes), s.align_of(t), offset)
    };
    let names = (0..MANY).map(|i| format!("probe_{i}")).chain((0..BASIC.len()).map(|i| format!("basic_{i}")));
    for name in names {
        let (size, align, offset) = ours(&name);
        let offset =
            offset.map_or(String::new(), |o| format!("&& __builtin_offsetof(__typeof__({name}), mark) == {o}"));
        let _ = writeln!(
            text,
            "_Static_assert(sizeof {name} == {size} && _Alignof(__typeof__({name})) == {align} {offset}, \"{name}\");"
        );
    }
    for i in 0..3 {
        let name = p.source.names.get(&format!("value_{i}")).expect("an enumerator");
        let kind = s.symbols.iter().find(|s| s.name == name).expect("a symbol").kind;
        let fathom_sema::SymKind::EnumConst(v) = kind else { panic!("{kind:?}") };
        let _ = writeln!(text, "_Static_assert(value_{i} == {v}, \"value_{i}\");");
    }
    let source = scratch(name);
    std::fs::write(&source, text).expect("can be written");
    run(Command::new(compiler[0]).args(&compiler[1..]).args(["-w", "-fsyntax-only"]).arg(&source));
}

#[test]
fn layouts_are_those_of_the_c_compiler() {
    assert_layouts(&["cc"], Target::default(), "layouts.c");
}

/// With each C compiler for a target that is installed here; there need not be any.
#[test]
fn layouts_of_every_target_are_those_of_its_compilers() {
    let compilers = [
        (&["x86_64-linux-gnu-gcc"][..], Target::X86_64),
        (&["clang", "--target=x86_64-linux-gnu"], Target::X86_64),
        (&["aarch64-linux-gnu-gcc"], Target::AARCH64),
        (&["clang", "--target=aarch64-linux-gnu"], Target::AARCH64),
    ];
    for (n, (compiler, target)) in compilers.into_iter().enumerate() {
        let there = Command::new(compiler[0]).arg("--version").output().is_ok_and(|o| o.status.success());
        if there {
            assert_layouts(compiler, target, &format!("layouts_{n}.c"));
        }
    }
}

/// The types of `arm_neon.h` that gcc has built in, with the sizes that they have there.
#[test]
fn vectors_of_arm() {
    let text = "#pragma GCC aarch64 \"arm_neon.h\"\n\
        typedef __Float32x4_t float32x4_t; typedef __Poly128_t poly128_t;\n\
        _Static_assert(sizeof(__Int8x8_t) == 8 && sizeof(float32x4_t) == 16 && sizeof(poly128_t) == 16, \"\");\n\
        _Static_assert(sizeof(float32x4x3_t) == 48 && _Alignof(float32x4x3_t) == 16 && sizeof(int8x8x2_t) == 16, \"\");\n\
        float second(float32x4x3_t t) { t.val[1] = t.val[0] + t.val[2]; return t.val[1][3]; }\n";
    let options = fathom_syntax::Options { target: Target::AARCH64, ..dynamic() };
    let (_, _, findings) = analyse(text, options);
    assert!(findings.is_empty(), "{findings:?}");
    // Without the pragma the structs' names are anybody's.
    assert_clean("a name", "int int8x8x2_t = 1; float __attribute__((unused)) float32x4x3_t(void) { return 0; }");
}
