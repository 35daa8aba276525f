//! Precedence, operands, and the expressions that GNU C and UPC add.

use crate::common;
use common::{clean, expr, expr_after, found};

#[test]
fn precedence_and_associativity() {
    assert_eq!(expr("a + b * c - d"), "[Sub [Add a [Mul b c]] d]");
    assert_eq!(
        expr("a << 1 < b == c & d ^ e | f && g || h"),
        "[Or [And [BitOr [BitXor [BitAnd [Eq [Lt [Shl a 1] b] c] d] e] f] g] h]"
    );
    assert_eq!(expr("a = b += c"), "[= a [Add= b c]]");
    assert_eq!(expr("a ? b : c ? d : e"), "[? a b [? c d e]]");
    assert_eq!(expr("a ? b, c : d"), "[? a [, b c] d]");
    assert_eq!(expr("a, b, c"), "[, [, a b] c]");
    assert_eq!(expr("(a, b) % -c"), "[Rem ([, a b]) [Neg c]]");
    assert_eq!(expr("a || b && c"), "[Or a [And b c]]");
    assert_eq!(expr("a - b - c"), "[Sub [Sub a b] c]");
    assert_eq!(expr("x >>= 1, y <<= 2"), "[, [Shr= x 1] [Shl= y 2]]");
}

#[test]
fn prefix_and_suffix() {
    assert_eq!(expr("*p++"), "[Deref [PostInc p]]");
    assert_eq!(expr("-~!x"), "[Neg [BitNot [Not x]]]");
    assert_eq!(expr("&a[1].b->c"), "[AddrOf [-> [. [index a 1] b] c]]");
    assert_eq!(expr("f(1, (2, 3))(g)"), "[call [call f 1 ([, 2 3])] g]");
    assert_eq!(expr("- --x + +x"), "[Add [Neg [PreDec x]] [Plus x]]");
    assert_eq!(expr("a<:1:>"), "[index a 1]");
    assert_eq!(expr("__real__ z + __imag z"), "[Add [Real z] [Imag z]]");
    assert_eq!(expr("__extension__ (1)"), "[Extension (1)]");
}

#[test]
fn casts_and_compound_literals() {
    assert_eq!(expr("(int)x"), "[cast <int> x]");
    assert_eq!(expr("(x)(y)"), "[call (x) y]");
    assert_eq!(expr_after("typedef int T;", "(T)(y)"), "[cast <T> (y)]");
    assert_eq!(expr_after("typedef int T;", "(T)-y"), "[cast <T> [Neg y]]");
    assert_eq!(
        expr("(int *[3]){0, [2] = &x}[1]"),
        "[index [lit <array(3) of pointer to int> {0, [2] = [AddrOf x]}] 1]"
    );
    assert_eq!(expr("&(struct S){.a = 1}"), "[AddrOf [lit <struct S> {.a = 1}]]");
    assert_eq!(expr("(shared [4] int *)p"), "[cast <pointer to shared [4] int> p]");
    assert_eq!(expr("(void (*)(int))p"), "[cast <pointer to function(int) returning void> p]");
}

#[test]
fn sizeof_family() {
    assert_eq!(expr("sizeof x + 1"), "[Add [Sizeof x] 1]");
    assert_eq!(expr("sizeof (int) + 1"), "[Add [Sizeof <int>] 1]");
    assert_eq!(expr("sizeof (x)[0]"), "[Sizeof [index (x) 0]]");
    assert_eq!(expr("sizeof (int){1}.a"), "[Sizeof [. [lit <int> {1}] a]]");
    assert_eq!(expr("sizeof (int) * p"), "[Mul [Sizeof <int>] p]");
    assert_eq!(expr("__alignof__(double)"), "[Alignof <double>]");
    assert_eq!(expr("_Alignof(x)"), "[Alignof (x)]");
    // UPC 1.3, 6.4.1
    assert_eq!(expr("upc_localsizeof(shared [2] int[9])"), "[UpcLocalsizeof <array(9) of shared [2] int>]");
    assert_eq!(expr("upc_blocksizeof a + upc_elemsizeof *a"), "[Add [UpcBlocksizeof a] [UpcElemsizeof [Deref a]]]");
}

#[test]
fn literals() {
    assert_eq!(expr("\"a\" L\"b\" u8\"c\""), "\"a\" L\"b\" u8\"c\"");
    for n in ["0x1.8p-3", "0b101u", "1e+5", ".5f", "1.0i", "10ULL", "0x1p+4L", "1.e3", "5if", "1.5Q"] {
        assert_eq!(expr(n), n);
        assert_eq!(expr(&format!("{n}+1")), format!("[Add {n} 1]"));
    }
    for c in ["'a'", "L'\\''", "u'x'", "U'\\x41'", "'ab'", "u8'a'"] {
        assert_eq!(expr(c), c);
    }
    assert_eq!(expr("\\u00e9 + é$1"), "[Add \\u00e9 é$1]");
    assert_eq!(expr("L + u8"), "[Add L u8]");
}

#[test]
fn gnu_expressions() {
    assert_eq!(expr("a ?: b"), "[? a - b]");
    assert_eq!(expr("({ int x = 1; x; }) + 1"), "[Add [stmts { int x = 1; x; }] 1]");
    assert_eq!(expr("goto_table = &&here"), "[= goto_table [&& here]]");
    assert_eq!(expr("a && b"), "[And a b]");
    assert_eq!(expr("__builtin_va_arg(ap, int *)"), "[va_arg ap <pointer to int>]");
    assert_eq!(expr("__builtin_offsetof(struct S, a.b[3].c)"), "[offsetof <struct S> .a .b [3] .c]");
    assert_eq!(expr("__builtin_types_compatible_p(int, long)"), "[compatible <int> <long>]");
    assert_eq!(expr("__builtin_choose_expr(1, a, b)"), "[choose 1 a b]");
    assert_eq!(expr("__builtin_convertvector(v, int)"), "[convert v <int>]");
    assert_eq!(expr("__builtin_bit_cast(unsigned, f)"), "[convert f <unsigned>]");
    assert_eq!(expr("__builtin_expect(x, 1)"), "[call __builtin_expect x 1]");
    assert_eq!(expr("(__typeof__(x) *)p"), "[cast <pointer to __typeof__(x)> p]");
}

#[test]
fn generic_selection() {
    assert_eq!(
        expr("_Generic(x, int: 1, char *: f(2), default: 3)"),
        "[generic x int: 1 pointer to char: [call f 2] default: 3]"
    );
}

#[test]
fn threads_and_mythread() {
    assert_eq!(expr("MYTHREAD % THREADS"), "[Rem MYTHREAD THREADS]");
}

#[test]
fn ranges_leave_parentheses_out() {
    let p = clean("int x = ((a) + (b)) * c;");
    let spans: Vec<String> = p.unit.exprs.iter().map(|e| p.source.range_text(e.toks).to_string()).collect();
    assert_eq!(spans, ["a", "(a)", "b", "(b)", "(a) + (b)", "((a) + (b))", "c", "((a) + (b)) * c"]);
}

#[test]
fn errors_in_expressions() {
    assert_eq!(found("int x = ;"), "S0102");
    assert_eq!(found("int x = 1 + ;"), "S0102");
    assert_eq!(found("int x = (1 + 2;"), "S0107");
    assert_eq!(found("void f(void) { g(1, 2; }"), "S0107");
    assert_eq!(found("void f(void) { a[1; b; }"), "S0107");
    assert_eq!(found("typedef int T; int x = T;"), "S0105");
    assert_eq!(found("int x = int;"), "S0105");
    assert_eq!(found("int x = a.1;"), "S0106");
    assert_eq!(found("int x = a->;"), "S0101");
    assert_eq!(found("int x = @ 1; int y = ;"), "S0001 S0102");
}

/// Split-C: the operators are words of two characters; a `:` of C stays what it is.
#[test]
fn split_assignments() {
    use common::{codes, parsed_split_c, show_last};
    let tree = |e: &str| {
        let p = parsed_split_c(&format!("void f(void) {{ int x; {e}; }}"));
        assert!(p.diags.is_empty(), "{e}: {:?}", codes(&p));
        show_last(&p)
    };
    assert_eq!(tree("a := b"), "[Start a b]");
    assert_eq!(tree("*p :- q + 1"), "[Store [Deref p] [Add q 1]]");
    assert_eq!(tree("a := b := c"), "[Start a [Start b c]]");
    assert_eq!(tree("x ? y :-1"), "[? x y [Neg 1]]");
    assert_eq!(tree("x ? y = z :-1"), "[? x [= y z] [Neg 1]]");
    assert_eq!(tree("x ? (y :- z) : w"), "[? x ([Store y z]) w]");
    assert_eq!(tree("x ? a[i := j] :-k"), "[? x [index a [Start i j]] [Neg k]]");
    assert!(common::found("void f(int a, int b) { a := b; }").contains("S0"), "not in UPC");
}
