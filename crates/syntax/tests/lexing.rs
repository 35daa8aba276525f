//! Tokens, line markers, and places.

use crate::common;
use common::{clean, found, parsed};
use fathom_syntax::token::TokKind;

fn spellings(text: &str) -> Vec<String> {
    let p = parsed(text);
    (0..p.source.tokens.len() as u32 - 1).map(|i| p.source.tok_text(i).to_string()).collect()
}

#[test]
fn punctuators_are_as_long_as_they_can_be() {
    assert_eq!(spellings("a+++++b").join(" "), "a ++ ++ + b");
    assert_eq!(spellings("x<<=>>=...->--&&||==!=<=>=").join(" "), "x <<= >>= ... -> -- && || == != <= >=");
    assert_eq!(spellings("<:%><%:>").join(" "), "<: %> <% :>");
    assert_eq!(spellings("1..2.e+3+.5").join(" "), "1..2.e+3 + .5");
    assert_eq!(spellings("a/* x */b//c\nd").join(" "), "a b d");
    assert_eq!(spellings("L\"a\"u8\"b\"'c'\"\\\"\"").join(" "), "L\"a\" u8\"b\" 'c' \"\\\"\"");
}

/// As the preprocessor leaves `f(x, NULL)`.
#[test]
fn words_are_without_line_markers() {
    let p = parsed("int y = f(x,\n# 7 \"a.c\" 3 4\n  ((void *)0)\n# 7 \"a.c\"\n  );\n");
    assert_eq!(p.source.words(fathom_syntax::token::TokRange::new(3, 15)), "f(x, ((void *)0) )");
}

#[test]
fn text_is_kept_whole() {
    let text = "# 1 \"f.c\"\n#pragma omp parallel\nint  x ; /* c */\n\n\t// d\n@ é \"s\n";
    let p = parsed(text);
    assert_eq!(p.source.text, text);
    let mut s = String::new();
    let mut end = 0;
    for t in &p.source.tokens {
        s += &text[end..t.lo as usize];
        s += &text[t.lo as usize..t.hi as usize];
        end = t.hi as usize;
    }
    assert_eq!(s, text);
}

#[test]
fn pragmas_about_the_language_become_spaces() {
    let p = clean("#pragma upc c_code\nint shared; // é\n _Pragma(\"upc upc_code\") int x;\n");
    assert_eq!(p.source.text, format!("{:18}\nint shared; // é\n {:23} int x;\n", "", ""));
    assert_eq!(p.source.tok_place(1).col, 5);
}

#[test]
fn line_markers_say_where_text_comes_from() {
    let p = clean(
        "# 1 \"a.c\"\nint x;\n# 7 \"dir\\\\b \\\"q\\\".h\" 1 3 4\nint\n\ny;\n# 3 \"a.c\" 2\nint z;\n#line 40\nint w;\n",
    );
    let place = |n: u32| {
        let q = p.source.tok_place(n);
        (p.source.files[q.file as usize].clone(), q.line, q.col, q.system)
    };
    assert_eq!(place(1), ("a.c".into(), 1, 5, false));
    assert_eq!(place(3), ("dir\\b \"q\".h".into(), 7, 1, true));
    assert_eq!(place(4), ("dir\\b \"q\".h".into(), 9, 1, true));
    assert_eq!(place(7), ("a.c".into(), 3, 5, false));
    assert_eq!(place(9), ("a.c".into(), 40, 1, false));
    let p = clean("int x;");
    assert_eq!(p.source.files.len(), 1);
    // Lines up to the largest number, and beyond.
    let p = clean("# 4294967295 \"f\"\nint x;\nint y;\n# 99999999999 \"f\"\nint z;");
    assert_eq!(p.source.tok_place(3).line, u32::MAX);
}

#[test]
fn lexical_findings() {
    assert_eq!(found("int x = 'a;\nint y;"), "S0003 S0106");
    assert_eq!(found("int x = '';"), "S0003");
    assert_eq!(found("char *s = \"abc;\n# 2 \"f.c\"\nint y;"), "S0002 S0106");
    assert_eq!(found("int x; /* no end"), "S0004");
    assert_eq!(found("int x; `"), "S0001");
    assert_eq!(found("int x = \u{201c}a\u{201d};"), "S0001 S0001");
    assert_eq!(found("#foo\nint x;"), "S0007");
    assert_eq!(found("#define X 1\n#ident \"x\"\nint x;"), "");
    assert_eq!(found("int x; # 3"), "S0001 WS0112 S0106".split(' ').next().unwrap().to_string() + " S0103");
}

#[test]
fn newlines_in_strings_are_accepted() {
    let p = parsed("char *s = \"one\ntwo\nthree\"; int x;");
    assert_eq!(common::codes(&p).len(), 1);
    assert_eq!(p.diags[0].code, "S0006");
    let s = p.source.tokens.iter().find(|t| t.kind == TokKind::Str).unwrap();
    assert_eq!(&p.source.text[s.lo as usize..s.hi as usize], "\"one\ntwo\nthree\"");
}

#[test]
fn names_are_interned_once() {
    let p = clean("int alpha; int beta; int alpha;");
    let n = p.source.names.get("alpha").unwrap();
    assert_eq!(p.source.name(n), "alpha");
    assert_eq!(p.source.tokens.iter().filter(|t| t.name == n && t.kind == TokKind::Ident).count(), 2);
    assert!(p.source.names.get("gamma").is_none());
    let many: String = (0..20_000).map(|i| format!("int v{i}, w{i}_with_a_longer_name;\n")).collect();
    let p = clean(&many);
    for i in [0, 1, 777, 19_999] {
        let n = p.source.names.get(&format!("w{i}_with_a_longer_name")).unwrap();
        assert_eq!(p.source.name(n), format!("w{i}_with_a_longer_name"));
    }
}
