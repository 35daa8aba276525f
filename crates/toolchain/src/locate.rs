//! From a range of preprocessed text to a range of the line that the user wrote.
//!
//! The preprocessor replaces macros and squeezes blanks, so a column of its output means nothing in the source file.
//! The words of the two lines are aligned instead (longest common subsequence): a word that is in both is found
//! exactly, and one that only the preprocessed line has comes from the macro between its neighbours, and that macro is
//! underlined.

use std::ops::Range;

/// The part of `original` that the bytes `range` of `preprocessed` came from. Both are single lines.
pub fn in_original(original: &str, preprocessed: &str, range: Range<usize>) -> Range<usize> {
    if original.trim_end() == preprocessed.trim_end() {
        return clip(original, range);
    }
    let from = words(preprocessed);
    let to = words(original);
    let partner = align(preprocessed, &from, original, &to);
    let touched: Vec<usize> =
        (0..from.len()).filter(|&i| from[i].start < range.end && from[i].end > range.start).collect();
    let (Some(&first), Some(&last)) = (touched.first(), touched.last()) else {
        return clip(original, text_of(original));
    };
    let start = match partner[first] {
        Some(j) => to[j].start,
        // From a macro: begin after the last word before it that is in both lines.
        None => {
            let before = partner[..first].iter().rev().flatten().next();
            let j = before.map_or(0, |&j| j + 1);
            to.get(j).map_or(0, |w| w.start)
        }
    };
    let end = match partner[last] {
        Some(j) => to[j].end,
        None => {
            let after = partner[last + 1..].iter().flatten().next();
            match after {
                Some(&j) if j > 0 => to[j - 1].end,
                _ => to.last().map_or(original.len(), |w| w.end),
            }
        }
    };
    if start < end {
        start..end
    } else {
        clip(original, text_of(original))
    }
}

/// A line without the blanks around it.
fn text_of(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}

/// `range` cut to the length of `line`, at character boundaries.
fn clip(line: &str, range: Range<usize>) -> Range<usize> {
    let fit = |mut at: usize| {
        at = at.min(line.len());
        while !line.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = fit(range.start);
    start..fit(range.end).max(start)
}

/// Identifiers and numbers are words, strings too; every other character that is not blank is one of its own.
fn words(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut out = vec![];
    let mut at = 0;
    let part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b if part(b) => {
                while at < bytes.len() && part(bytes[at]) {
                    at += 1;
                }
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at = (at + 1).min(bytes.len());
            }
            _ => at += 1,
        }
        out.push(start..at);
    }
    out
}

/// For every word of `a`, its partner among the words of `b`.
fn align(a: &str, a_words: &[Range<usize>], b: &str, b_words: &[Range<usize>]) -> Vec<Option<usize>> {
    let (n, m) = (a_words.len(), b_words.len());
    let mut partner = vec![None; n];
    if n * m > 1 << 22 {
        return partner; // A line of thousands of words: nobody can read its caret anyway.
    }
    let same = |i: usize, j: usize| a[a_words[i].clone()] == b[b_words[j].clone()];
    let mut longest = vec![0u32; (n + 1) * (m + 1)];
    let at = |i: usize, j: usize| i * (m + 1) + j;
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            longest[at(i, j)] = match same(i, j) {
                true => longest[at(i + 1, j + 1)] + 1,
                false => longest[at(i + 1, j)].max(longest[at(i, j + 1)]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < n && j < m {
        if same(i, j) {
            partner[i] = Some(j);
            i += 1;
            j += 1;
        } else if longest[at(i + 1, j)] >= longest[at(i, j + 1)] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partner
}

/// What the C compiler said of generated code, without the columns that lie beyond the end of the line that the user
/// wrote, and without the marks below such a line: they count in the generated one. `line_of` gives the user's lines.
pub fn without_far_columns(said: &str, mut line_of: impl FnMut(&str, usize) -> Option<String>) -> String {
    let mut kept = String::with_capacity(said.len());
    let mut far = false;
    for line in said.split_inclusive('\n') {
        let marks = |c: char| c.is_whitespace() || "|^~".contains(c);
        let mut place = line.splitn(4, ':');
        let (file, row, column, rest) = (place.next(), place.next(), place.next(), place.next());
        let place = row.and_then(|r| r.parse().ok()).zip(column.and_then(|c| c.parse::<usize>().ok()));
        if let (Some(file), Some((row, column)), Some(rest)) = (file, place, rest) {
            far = line_of(file, row).is_some_and(|l| column > l.len() + 1);
            match far {
                true => kept.push_str(&format!("{file}:{row}:{rest}")),
                false => kept.push_str(line),
            }
        } else if !far || !(line.trim_start().starts_with('|') || line.chars().all(marks)) {
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(original: &str, preprocessed: &str, what: &str) -> String {
        let at = preprocessed.find(what).unwrap();
        original[in_original(original, preprocessed, at..at + what.len())].to_string()
    }

    #[test]
    fn an_unchanged_line_keeps_its_columns() {
        assert_eq!(found("  int  x = y;", "  int  x = y;", "y"), "y");
    }

    #[test]
    fn squeezed_blanks_and_comments_do_not_matter() {
        assert_eq!(found("\tint\tx /* c */ =  yy;", "        int x = yy;", "yy"), "yy");
    }

    #[test]
    fn a_word_from_a_macro_is_the_macro() {
        assert_eq!(found("shared [BLK] int a[N];", "shared [4*1] int a[100];", "4*1"), "BLK");
        assert_eq!(found("f(MAX(a, b), c);", "f(((a)>(b)?(a):(b)), c);", "c"), "c");
        assert_eq!(found("x = HERE;", "x = (1 + 2);", "1"), "HERE");
    }

    #[test]
    fn nothing_panics_at_odd_places() {
        assert_eq!(in_original("", "abc", 0..3), 0..0);
        assert_eq!(in_original("é", "é", 0..1), 0..0);
        assert_eq!(in_original("abc", "", 0..0), 0..3);
        assert_eq!(in_original("\"open", "\"open \\", 3..9), 0..5);
    }

    #[test]
    fn columns_of_generated_lines_are_left_out() {
        let said = "a.upc: In function 'f':\n\
                    a.upc:1:40: error: invalid operands\n    1 | return d[0] % 2;\n      |           ~ ^\n      |           |\n\
                    a.upc:2:3: warning: unused\n    2 | int i;\n      |     ^\n";
        let lines = ["return d[0] % 2;", "int i;"];
        let kept = super::without_far_columns(said, |file, row| {
            assert_eq!(file, "a.upc");
            lines.get(row - 1).map(|l| l.to_string())
        });
        assert_eq!(
            kept,
            "a.upc: In function 'f':\n\
             a.upc:1: error: invalid operands\n    1 | return d[0] % 2;\n\
             a.upc:2:3: warning: unused\n    2 | int i;\n      |     ^\n"
        );
    }
}
