//! Private C: types of expressions, constant expressions, layouts.

use crate::common;
use common::*;

#[test]
fn usual_arithmetic_conversions() {
    let d = "char c; short s; unsigned u; long l; unsigned long ul; float f; double d; _Bool b; enum E { A, B = 2 } e;
             enum N { M = -1 } n; long long ll; _Complex float z; struct { unsigned w : 3; unsigned q : 32; } bf;";
    for (e, t) in [
        ("c + s", "int"),
        ("c", "char"),
        ("+c", "int"),
        ("u + l", "long"),
        ("l + ul", "unsigned long"),
        ("ll + ul", "unsigned long long"),
        ("u + 1", "unsigned int"),
        ("f + 1", "float"),
        ("f + d", "double"),
        ("z + d", "_Complex double"),
        ("b + b", "int"),
        ("e + 1", "unsigned int"),
        ("n + 1", "int"),
        ("A", "int"),
        ("s << ul", "int"),
        ("l < ul", "int"),
        ("bf.w + 1", "int"),
        ("bf.q + 1", "unsigned int"),
        ("1 ? c : c", "int"),
        ("1 ? s : d", "double"),
        ("!d", "int"),
        ("~c", "int"),
        ("c += d", "char"),
        ("c, d", "double"),
        ("sizeof c", "unsigned long"),
    ] {
        assert_eq!(ty_of(d, e), t, "{e}");
    }
}

#[test]
fn constants_have_the_type_that_they_fit() {
    for (e, t) in [
        ("1", "int"),
        ("2147483648", "long"),
        ("0x80000000", "unsigned int"),
        ("0xffffffffffffffff", "unsigned long"),
        ("1u", "unsigned int"),
        ("1ull", "unsigned long long"),
        ("1ll", "long long"),
        ("0b101", "int"),
        ("1.0", "double"),
        ("1.0f", "float"),
        ("0x1.8p3f", "float"),
        ("1e3L", "long double"),
        ("'a'", "int"),
        ("L'a'", "int"),
        ("u'a'", "unsigned short"),
        ("\"abc\"", "char [4]"),
        ("\"a\\n\\x41\" \"b\"", "char [5]"),
        ("L\"ab\"", "int [3]"),
    ] {
        assert_eq!(ty_of("", e), t, "{e}");
    }
}

#[test]
fn pointers_arrays_functions() {
    let d = "int a[10], m[3][4], *p; const char *s; void *v; int f(double), (*fp)(double); struct S *sp;
             struct S { int x, arr[5]; struct { short inner; }; } t; const struct S cs; int g();";
    for (e, t) in [
        ("a", "int [10]"),
        ("a + 1", "int *"),
        ("&a", "int (*)[10]"),
        ("m[1]", "int [4]"),
        ("*m", "int [4]"),
        ("m + 1", "int (*)[4]"),
        ("p - a", "long"),
        ("s[0]", "const char"),
        ("&s", "const char **"),
        ("f", "int (double)"),
        ("*f", "int (double)"),
        ("f(1)", "int"),
        ("fp(1)", "int"),
        ("(*fp)(1)", "int"),
        ("1 ? v : p", "void *"),
        ("1 ? 0 : p", "int *"),
        ("p ?: p", "int *"),
        ("sp->arr", "int [5]"),
        ("t.inner", "short"),
        ("cs.x", "const int"),
        ("&cs.arr", "const int (*)[5]"),
        ("1[a]", "int"),
        ("(char)1", "char"),
        ("(struct S){1}", "struct S"),
        ("(int[]){1, 2, 3}", "int [3]"),
        ("({ int q = 1; q + 1.0; })", "double"),
        ("({ ; })", "void"),
        ("&&l", "void *"),
        ("g(1, 2)", "int"),
        ("g(3)", "int"),
        ("__builtin_expect(1, 2)", "long"),
        ("__builtin_huge_val()", "double"),
        ("__builtin_memcpy(p, a, 4)", "void *"),
        ("__builtin_sqrtf(2)", "float"),
        ("__sync_fetch_and_add(p, 1)", "int"),
        ("__builtin_bswap64(1)", "unsigned long"),
        ("_Generic(1.0, int: a, double: s, default: v)", "const char *"),
        ("_Generic(a, int *: 1, default: 2.0)", "int"),
        ("__func__", "const char [6]"),
    ] {
        let label = if e.contains("&&") { "l: ;" } else { "" };
        assert_eq!(ty_of(d, e), t, "{e} {label}");
    }
}

#[test]
fn vectors_and_modes() {
    let d = "typedef float v4 __attribute__((vector_size(16))); v4 a, b; typedef int di __attribute__((mode(__DI__))); di x;
             typedef unsigned ti __attribute__((__mode__(TI)));";
    assert_eq!(ty_of(d, "a + b"), "float __attribute__((vector_size(16)))");
    assert_eq!(ty_of(d, "a < b"), "int __attribute__((vector_size(16)))");
    assert_eq!(ty_of(d, "a[1]"), "float");
    assert_eq!(ty_of(d, "x"), "long");
    assert_eq!(value_of(d, "sizeof(ti)"), Some(16));
    assert_eq!(value_of(d, "sizeof a"), Some(16));
}

#[test]
fn typeof_and_auto_type() {
    let d = "const int c = 1; int arr[3]; typeof(c) d = 2; __auto_type e = 1.5f; __typeof__(arr) f; typeof(int *) g;";
    assert_eq!(ty_of(d, "d"), "const int");
    assert_eq!(ty_of(d, "e"), "float");
    assert_eq!(ty_of(d, "f"), "int [3]");
    assert_eq!(ty_of(d, "g"), "int *");
}

#[test]
fn integer_constant_expressions() {
    let d = "enum { A = 5, B, C = A << 2, D = -1 }; struct S { char c; double d; struct { int x[4]; } in; };
             int arr[7]; short m[2][3];";
    for (e, v) in [
        ("A + B * 2", 17),
        ("C", 20),
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("1 ? A : (1/0)", 5),
        ("0 && (1/0)", 0),
        ("(unsigned char)300", 44),
        ("(signed char)200", -56),
        ("-1 < 0u", 0),
        ("0u - 1", 4294967295),
        ("~0ul", u64::MAX as i128),
        ("(int)3.9", 3),
        ("(int)(2.5 * 2)", 5),
        ("'\\n'", 10),
        ("'ab'", 24930),
        ("'\\377'", -1),
        ("sizeof(struct S)", 32),
        ("sizeof arr / sizeof arr[0]", 7),
        ("sizeof m[0]", 6),
        ("__builtin_offsetof(struct S, in.x[2])", 24),
        ("_Alignof(double)", 8),
        ("sizeof(long double)", 16),
        ("1 << 31 >> 31", -1),
        ("1u << 31 >> 31", 1),
        ("!5 || 2", 1),
        ("sizeof \"hello\"", 6),
        ("__builtin_constant_p(3)", 1),
        ("__builtin_types_compatible_p(int, const int)", 1),
        ("__builtin_types_compatible_p(int, long)", 0),
        ("_Generic((char)1, char: 7, default: 8)", 7),
        ("__builtin_choose_expr(1, 3, 4.0)", 3),
    ] {
        assert_eq!(value_of(d, e), Some(v), "{e}");
    }
    for e in ["arr[0]", "1/0", "A ? arr[0] : 1"] {
        assert_eq!(value_of(d, e), None, "{e}");
    }
}

#[test]
fn layouts_are_those_of_the_c_compiler() {
    // Figures from gcc 12 and clang 14 on x86-64.
    for (decl, size, align) in [
        ("struct { char a; int b; }", 8, 4),
        ("struct { char a; long double b; }", 32, 16),
        ("struct { char a; int b; } __attribute__((packed))", 5, 1),
        ("struct { char a; int b __attribute__((packed)); char c; }", 6, 1),
        ("struct { int a : 3, b : 30; }", 8, 4),
        ("struct { char a; int b : 3; }", 4, 4),
        ("struct { int a : 3; char c; }", 4, 4),
        ("struct { long a : 40; int b : 24; }", 8, 8),
        ("struct { char a : 4; int : 0; char b; }", 5, 1),
        ("struct { char a; int : 3; }", 2, 1),
        ("struct { int a : 3, b : 30; } __attribute__((packed))", 5, 1),
        ("union { char a[5]; int b; }", 8, 4),
        ("struct { char a; _Alignas(16) char b; }", 32, 16),
        ("struct { char a; char b __attribute__((aligned(8))); }", 16, 8),
        ("struct { char a; } __attribute__((aligned))", 16, 16),
        ("struct { int n; char flex[]; }", 4, 4),
        ("struct { char n; double flex[0]; }", 8, 8),
        ("struct { }", 0, 1),
        ("struct { char c; struct { short s; union { int i; char d; }; }; }", 12, 4),
        ("enum { A = 1ul << 40 }", 8, 8),
        ("enum __attribute__((packed)) { A = 100 }", 1, 1),
        ("_Complex double", 16, 8),
        ("__int128", 16, 16),
        ("_Bool", 1, 1),
    ] {
        assert_eq!(value_of("", &format!("sizeof({decl})")), Some(size), "size of {decl}");
        assert_eq!(value_of("", &format!("_Alignof({decl})")), Some(align), "alignment of {decl}");
    }
}

#[test]
fn incomplete_arrays_are_completed_by_initializers() {
    let d = "int a[] = {1, 2, [9] = 3, 4}; char s[] = \"abc\"; char t[] = {\"abcd\"}; struct P { int x, y; };
             struct P ps[] = {1, 2, 3, 4, 5}; int m[][2] = {{1}, 2, 3, 4}; struct P d[] = {[2].y = 1, {3, 4}};
             int r[] = {[1 ... 5] = 7};";
    for (e, t) in [
        ("a", "int [11]"),
        ("s", "char [4]"),
        ("t", "char [5]"),
        ("ps", "struct P [3]"),
        ("m", "int [3][2]"),
        ("d", "struct P [4]"),
        ("r", "int [6]"),
    ] {
        assert_eq!(ty_of(d, e), t, "{e}");
    }
}

#[test]
fn scopes_hide_and_restore() {
    let d = "int x; struct T { int a; }; typedef int N;";
    assert_eq!(ty_of(d, "{ double x; struct T { char c[9]; }; { float x; } } x"), "int");
    assert_eq!(ty_of(d, "{ struct T { char c[9]; } t; } sizeof(struct T)"), "unsigned long");
    assert_eq!(ty_of("int f(a, b) char a; { return a; } int k(n) double *n; { *n; return 0; }", "f"), "int ()");
}

#[test]
fn inline_definitions_are_told_from_external_ones() {
    let is = |text: &str, options| {
        let (p, s, _) = analyse(text, options);
        let name = p.source.names.get("f").expect("f");
        let found: Vec<bool> = s.symbols.iter().filter(|s| s.name == name).map(|s| s.is_inline_definition()).collect();
        found.contains(&true)
    };
    for text in [
        "inline int f(int x) { return x; }",
        "__inline__ __attribute__((always_inline)) int f(int x) { return x; }",
        "inline int f(int); inline int f(int x) { return x; } inline int f(int);",
        "inline int f(int x) { return x; } void g(void) { extern int f(int); int f(int); }",
        "inline int f(x) int x; { return x; }",
        "void g(void) { int f(int); } inline int f(int x) { return x; }",
        "void g(void) { extern int f(int); } void h(void) { int f(int); } inline int f(int); inline int f(int x) { return x; }",
        "inline int f(int), g(int); inline int f(int x) { return x; } int g(int x) { return x; }",
    ] {
        assert!(is(text, dynamic()), "{text}");
        assert!(!is(text, fathom_syntax::Options { gnu_inline: true, ..dynamic() }), "{text}");
    }
    for text in [
        "int f(int x) { return x; }",
        "static inline int f(int x) { return x; }",
        "extern inline int f(int x) { return x; }",
        "inline int f(int x) { return x; } extern inline int f(int);",
        "inline int f(int x) { return x; } int f(int);",
        "int f(int); inline int f(int x) { return x; }",
        "inline int f(int);",
        "void g(void) { int f(int); }",
        "void g(void) { int f(int); } int f(int); inline int f(int x) { return x; }",
        "void g(void) { int f(int); } extern inline int f(int x) { return x; }",
        "void g(void) { int f(int) __attribute__((weak)); } inline int f(int x) { return x; }",
        "inline __attribute__((gnu_inline)) int f(int x) { return x; }",
        "inline int f(int) __attribute__((__weak__)); inline int f(int x) { return x; }",
        "void g(void) { inline int f(int x) { return x; } }",
        "# 1 \"/usr/include/x.h\" 1 3\ninline int f(int x) { return x; }\n# 2 \"x.upc\" 2\nint y;",
    ] {
        assert!(!is(text, dynamic()), "{text}");
    }
    let (_, s, _) = analyse("void g(void) { f(1); } inline int f(int x) { return x; }", dynamic());
    assert!(s.symbols.iter().all(|s| !s.is_inline_definition()), "a call before any declaration");
}
