//! Specifiers, declarators, typedef names and their scopes, records, initialisers, old-style definitions.

use crate::common;
use common::{clean, declared, describe, found, init, one, parsed};
use fathom_syntax::ast::*;

#[test]
fn declarators_read_from_the_name_outwards() {
    assert_eq!(one("int *(*f[3])(char);"), "f: array(3) of pointer to function(char) returning pointer to int");
    assert_eq!(one("int *const *volatile p;"), "p: volatile pointer to const pointer to int");
    assert_eq!(
        one("char (*(*x[3])())[5];"),
        "x: array(3) of pointer to function() returning pointer to array(5) of char"
    );
    assert_eq!(one("void (*signal(int, void (*)(int)))(int);"),
        "signal: function(int, pointer to function(int) returning void) returning pointer to function(int) returning void");
    assert_eq!(one("int a[2][3];"), "a: array(2) of array(3) of int");
    assert_eq!(
        one("int f(int a[static const 3], int b[*], int n, int c[const n]);"),
        "f: function(array(static const 3) of int, array(*) of int, int, array(const n) of int) returning int"
    );
    assert_eq!(one("int printf(const char *, ...);"), "printf: function(pointer to const char, ...) returning int");
    assert_eq!(one("int f(void);"), "f: function(void) returning int");
    assert_eq!(one("int f();"), "f: function() returning int");
}

#[test]
fn specifiers_in_any_order_and_spelling() {
    for t in [
        "unsigned long long int",
        "long unsigned",
        "int typedef",
        "__signed__ char",
        "unsigned __int128",
        "_Complex double",
        "__complex__ float",
        "_Float128",
        "_Complex _Float64",
        "__builtin_va_list",
        "_Bool",
        "__const int",
        "volatile __volatile__ int",
        "_Atomic(int)",
        "_Atomic int",
        "extern __inline int",
        "_Thread_local static int",
        "__thread int",
        "_Alignas(16) int",
        "_Alignas(double) char",
        "_Noreturn void",
        "__attribute__((aligned(8), packed)) int",
        "int __attribute__((vector_size(16)))",
        "typeof(1 + 1)",
        "__typeof__(int *)",
        "__extension__ long long",
        "enum E",
        "struct S",
        "union U",
        "const struct { int x; }",
    ] {
        let p = clean(&format!("{t} x;"));
        assert_eq!(declared(&p).len(), 1, "{t}");
    }
    clean("typedef float _Float32; _Float32 x; typedef int __int128_t; __int128_t y;");
    clean("__auto_type x = 1;");
}

#[test]
fn shared_layouts_stand_where_qualifiers_stand() {
    let layout = |text: &str| {
        let p = clean(text);
        let Item::Decl(d) = p.unit.items[p.unit.items.len() - 1] else { panic!() };
        let specs = p.unit[d].specs.items.iter();
        specs
            .filter_map(|s| if let SpecKind::Shared(l) = s.kind { Some(format!("{l:?}")) } else { None })
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(layout("shared int x;"), "None");
    assert_eq!(layout("shared [] int x;"), "Empty");
    assert_eq!(layout("int shared [*] x[4*THREADS];"), "Star");
    assert!(layout("strict shared [4*2] int x[4];").starts_with("Expr"));
    assert_eq!(
        one("shared [B] int *shared [C] *shared q;"),
        "q: shared pointer to shared [C] pointer to shared [B] int"
    );
    assert_eq!(
        one("int f(int a[shared [4] const 10]);"),
        "f: function(array(shared [4] const 10) of int) returning int"
    );
    assert_eq!(one("relaxed shared void *p;"), "p: pointer to relaxed shared void");
    assert_eq!(one("shared [2] int a[3][THREADS];"), "a: array(3) of array(THREADS) of shared [2] int");
    // `shared` alone: implicit int.
    let p = parsed("shared x; static shared [] y[10];");
    assert_eq!(declared(&p), ["x: shared", "y: array(10) of static shared []"]);
    assert_eq!(found("shared x;"), "WS0112");
}

#[test]
fn shared_is_a_plain_name_in_system_headers() {
    clean("# 1 \"sys.h\" 1 3 4\nint shared, strict; struct S { int relaxed; };\n# 2 \"f.c\" 2\nshared int x;");
    assert_eq!(found("# 1 \"own.h\" 1\nint shared = 1;"), "S0101");
    assert_eq!(found("int THREADS;"), "S0101");
}

#[test]
fn shared_is_a_plain_name_in_what_says_that_it_is_c() {
    clean("# 1 \"f.c\"\n# 1 \"own.h\" 1\n#pragma upc c_code\nint shared;\n# 2 \"f.c\" 2\nshared int x;");
    // It holds in what is included there, for the rest of the file, and until `upc_code`.
    clean("# 1 \"a.h\" 1\n#pragma upc c_code\n# 1 \"b.h\" 1\nint shared;\n# 2 \"a.h\" 2\nint strict;\n# 1 \"f.c\" 2\nstrict shared int x;");
    clean("#pragma upc c_code\ntypedef struct shared { int strict; } T;\n#pragma upc upc_code\nshared T *p;");
    // A header found by -isystem can be UPC; the C headers that it includes are C still.
    clean("# 1 \"sys.h\" 1 3\n#pragma upc upc_code\nshared int x;\n# 1 \"c.h\" 1 3\nint shared;\n# 3 \"sys.h\" 2 3\nshared int y;");
    assert_eq!(found("#pragma upc c_code\nint THREADS;"), "S0101");
    assert_eq!(found("#pragma upc c_code now"), "S0005");
}

#[test]
fn typedef_names_have_scopes() {
    // Hidden by a variable, a parameter, an enumeration constant, a function; visible again after.
    clean("typedef int T; void f(void) { { T T; T = 1; T * T; } T x; (T)x; }");
    clean("typedef int T; void f(int T) { T = T * T; } T g(T);");
    clean("typedef int T; void f(void) { enum { T }; int x = T * 2; } T y;");
    clean("typedef int T; void f(T T, int y) { T * y; }");
    clean("typedef int T; void f(void) { for (T T = 0; T < 3; T++) ; T x; }");
    clean("typedef int T; void f(void) { int T(int); T(1); } T x;");
    clean("typedef int T; int g(int (T), T x);");
    // Labels, tags and members have name spaces of their own.
    clean("typedef int T; struct T { T T; const T : 3; T *p; }; void f(struct T *s) { T: s->T = 1; goto T; }");
    clean("typedef int T; struct S { unsigned T : 3; }; struct S s = { .T = 1 };");
    // A block-scope typedef ends with its block.
    assert_eq!(found("void f(void) { { typedef int U; U x; } U y; }"), "S0104");
    // The scope of a name begins right after its declarator.
    clean("typedef int T; void f(void) { T T = sizeof T, y = T * T; }");
    clean("typedef int T; T (x), (*y), (f)(T);");
    assert_eq!(one("typedef int T; int f(int (T));"), "f: function(function(T) returning int) returning int");
    assert_eq!(one("typedef int T; int f(int T);"), "f: function(int) returning int");
    clean("typedef struct S S; struct S { S *next; }; S *head;");
}

#[test]
fn old_style_definitions() {
    let p = clean("int f(a, b, p) int a; char b, *p; { return a + b; }");
    let Item::Fn(f) = &p.unit.items[0] else { panic!() };
    assert_eq!(describe(&p, &f.specs, f.declarator), "function(a, b, p) returning int");
    assert_eq!(f.kr_decls.len(), 2);
    clean("typedef int T; int f(x) T x; { return x; }");
    assert_eq!(found("main() { return 0; }"), "WS0112");
    assert_eq!(found("f(a, b) int a; { return a; }"), "WS0112");
    assert_eq!(found("int f(a, b);"), "WS0117");
    assert_eq!(found("static x; extern y = 1; z; const w;"), "WS0112 WS0112 WS0112 WS0112");
    clean("int f(int, char *) { return 0; }");
}

#[test]
fn attributes_and_asm_names() {
    let p =
        clean("int x __asm__(\"y\") __attribute__((__aligned__(16), section(\"s\"))) = 3, __attribute__((unused)) z;");
    let Item::Decl(d) = p.unit.items[0] else { panic!() };
    let first = &p.unit[d].declarators[0];
    let names: Vec<&str> = first.attrs.iter().map(|a| p.source.name(a.name)).collect();
    assert_eq!(names, ["aligned", "section"]);
    assert_eq!(first.attrs[0].args.len(), 1);
    assert_eq!(p.source.range_text(first.trailer), "__asm__(\"y\") __attribute__((__aligned__(16), section(\"s\")))");
    assert_eq!(p.source.name(p.unit[d].declarators[1].attrs[0].name), "unused");
    clean("struct __attribute__((packed)) S { int x __attribute__((aligned(4))), z : 3 __attribute__((packed)), y; } __attribute__((aligned(8))) s;");
    clean("enum { A __attribute__((deprecated)) = 1, B } __attribute__((packed));");
    clean("int (__attribute__((noinline)) f)(void); void (__attribute__((x)) *p)(int);");
    clean("int *__attribute__((may_alias)) p; int f(int x __attribute__((unused)), int __attribute__((unused)) y);");
    clean("void f(void) __attribute__((format(printf, 1, 2), const, noreturn)), g(void) __attribute__((mode(DI)));");
    clean("int x __attribute__((iv(int *), access (read_only, 1), weird(a b c, 1 +)));");
    clean("[[nodiscard]] int f(void); [[deprecated(\"x\")]] static int y;");
    clean("__attribute__((constructor)) static void f(void) { }");
    clean(
        "static void f(int a) __attribute__((unused)); __extension__ typedef struct { int x; } T; __extension__ T t;",
    );
    clean("asm(\".globl x\"); __asm__ volatile (\"nop\"); _Static_assert(1, \"x\"); _Static_assert(sizeof(int) == 4);");
}

#[test]
fn records_and_enumerations() {
    clean("struct S { int a, *b, c : 3, : 0; struct { int d; union { int e; float f; }; }; int tail[]; } s, *p;");
    clean("struct {} e; struct S { int x[0]; _Static_assert(1, \"\"); ; }; enum E { A, B = 3, C, }; enum E x;");
    clean("struct S { __extension__ struct { int x; }; __extension__ union { int y; }; };");
    assert_eq!(found("struct S { int x };"), "WS0116");
    assert_eq!(found("struct S { int x int y; int z; };"), "S0106");
    assert_eq!(found("struct { foo_t x; int y; };"), "S0104");
    assert_eq!(found("enum { A B, C };"), "S0101");
    assert_eq!(found("struct S { shared int *p; }; struct ;"), "S0101");
}

#[test]
fn initialisers() {
    let i = |text: &str| {
        let p = clean(text);
        let Item::Decl(d) = p.unit.items[p.unit.items.len() - 1] else { panic!() };
        init(&p, p.unit[d].declarators[0].init.unwrap())
    };
    assert_eq!(i("int x = 1 + 2;"), "[Add 1 2]");
    assert_eq!(i("int x[] = { 1, { 2, }, };"), "{1, {2}}");
    assert_eq!(i("struct S s = { .a.b[3] = 1, [2] = 5, [1 ... 3] = 7 };"), "{.a .b [3] = 1, [2] = 5, [1 ... 3] = 7}");
    assert_eq!(i("struct S s = { a: 1, b: { 2 } };"), "{.a = 1, .b = {2}}");
    assert_eq!(i("int x[] = { [3] 4, [5] = 6 };"), "{[3] = 4, [5] = 6}");
    assert_eq!(i("struct S s = {};"), "{}");
    assert_eq!(found("int x[] = { 1 2, 3 }; int y;"), "S0107");
    assert_eq!(found("int x[] = { , 3 }; int y;"), "S0102");
}

#[test]
fn unknown_types_have_one_error_each() {
    assert_eq!(
        found("foo_t x; foo_t *y; static foo_t z; int f(foo_t a, int b, bar_t c);"),
        "S0104 S0104 S0104 S0104 S0104"
    );
    let p = parsed("size_t n;");
    assert_eq!(p.diags[0].hint.as_deref(), Some("`#include <stddef.h>` declares it"));
    assert_eq!(found("EXPORT int f(void) { return 0; }"), "S0104");
}

#[test]
fn errors_between_declarations() {
    assert_eq!(found("int x\nint y;"), "S0106");
    assert_eq!(found("int 5; int y;"), "S0101");
    assert_eq!(found("} int y;"), "S0113");
    assert_eq!(found("int f( { return 1; } int g(void) { return 2; }"), "S0101");
    assert_eq!(found("int a[3; int b;"), "S0107");
    assert_eq!(found("+ int x; int y;"), "S0103");
    assert_eq!(found("int f(void) { return 1; "), "S0107");
    assert_eq!(found("int f(int x, , int y); int z;"), "S0101");
    let p = parsed("int x\nint y;");
    assert_eq!(p.source.range_text(p.diags[0].span), "x");
    assert!(p.diags[0].after);
}

#[test]
fn ranges_cover_declarations() {
    let text = "static const int x = 3, *y __attribute__((unused)) ; int f(int a) { return a; }";
    let p = clean(text);
    let Item::Decl(d) = p.unit.items[0] else { panic!() };
    let t = |r| p.source.range_text(r);
    assert_eq!(t(p.unit[d].toks), "static const int x = 3, *y __attribute__((unused)) ;");
    assert_eq!(t(p.unit[d].specs.toks), "static const int");
    let inits: Vec<&str> = p.unit[d].declarators.iter().map(|i| t(i.toks)).collect();
    assert_eq!(inits, ["x = 3", "*y __attribute__((unused))"]);
    let Item::Fn(f) = &p.unit.items[1] else { panic!() };
    assert_eq!(t(f.toks), "int f(int a) { return a; }");
    assert_eq!(t(p.unit[f.declarator].toks), "f(int a)");
    assert_eq!(t(p.unit[f.body].toks), "{ return a; }");
}
