//! Tokens, names, and where they stand in the file that the user wrote.

use std::collections::HashMap;
use std::sync::Arc;

/// An interned identifier or keyword spelling; see [`Names`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub u32);

/// A half-open range of token indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TokRange {
    pub lo: u32,
    pub hi: u32,
}

impl TokRange {
    pub fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi }
    }
    pub fn is_empty(self) -> bool {
        self.lo >= self.hi
    }
    /// The smallest range that covers both.
    pub fn to(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// What a token is. Keywords carry no payload of their own: the parser reads [`Token::name`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokKind {
    Ident,
    /// A C, GNU or UPC keyword.
    Keyword,
    Number,
    Char,
    Str,
    Punct(crate::lex::Punct),
    /// `#pragma upc strict`
    PragmaStrict,
    /// `#pragma upc relaxed`
    PragmaRelaxed,
    /// A character that starts no token.
    Unknown,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokKind,
    /// Byte offset in the preprocessed source.
    pub lo: u32,
    pub hi: u32,
    /// For `Ident` and `Keyword`.
    pub name: Name,
}

/// Identifier spellings, interned.
#[derive(Default, Debug)]
pub struct Names {
    map: HashMap<Arc<str>, Name>,
    list: Vec<Arc<str>>,
}

impl Names {
    pub fn intern(&mut self, s: &str) -> Name {
        if let Some(&n) = self.map.get(s) {
            return n;
        }
        let n = Name(self.list.len() as u32);
        let s: Arc<str> = s.into();
        self.list.push(s.clone());
        self.map.insert(s, n);
        n
    }
    pub fn get(&self, s: &str) -> Option<Name> {
        self.map.get(s).copied()
    }
    pub fn str(&self, n: Name) -> &str {
        &self.list[n.0 as usize]
    }
}

/// A line marker `# line "file" flags` in the preprocessed source: the text from `offset` on is `line` of `file`.
#[derive(Clone, Copy, Debug)]
pub struct LineMark {
    /// Offset of the first byte after the marker's own line.
    pub offset: u32,
    pub line: u32,
    /// Index into [`Source::files`].
    pub file: u32,
    /// The marker says that the text comes from a system header (flag 3).
    pub system: bool,
}

/// A place in a file that the user can open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub col: u32,
    pub system: bool,
}

/// The preprocessed text of one translation unit with its tokens and line markers.
#[derive(Debug)]
pub struct Source {
    pub text: String,
    /// The last token is `Eof`.
    pub tokens: Vec<Token>,
    pub names: Names,
    pub files: Vec<String>,
    /// In order of `offset`.
    pub marks: Vec<LineMark>,
    /// Offsets of the first byte of every line of `text`.
    pub line_starts: Vec<u32>,
}

impl Source {
    /// The spelling of one token.
    pub fn tok_text(&self, i: u32) -> &str {
        let t = &self.tokens[i as usize];
        &self.text[t.lo as usize..t.hi as usize]
    }
    /// The text from the first to the last token of a range, with everything between them.
    pub fn range_text(&self, r: TokRange) -> &str {
        if r.is_empty() {
            return "";
        }
        let lo = self.tokens[r.lo as usize].lo as usize;
        let hi = self.tokens[r.hi as usize - 1].hi as usize;
        &self.text[lo..hi]
    }
    pub fn name(&self, n: Name) -> &str {
        self.names.str(n)
    }
    /// Where byte `offset` of the preprocessed text came from.
    pub fn place(&self, offset: u32) -> Place {
        let row = self.line_starts.partition_point(|&s| s <= offset).saturating_sub(1);
        let start = self.line_starts.get(row).copied().unwrap_or(0);
        let m = self.marks.partition_point(|m| m.offset <= offset);
        if m == 0 {
            return Place { file: 0, line: row as u32 + 1, col: offset - start + 1, system: false };
        }
        let mark = self.marks[m - 1];
        let mark_row = self.line_starts.partition_point(|&s| s <= mark.offset).saturating_sub(1);
        Place {
            file: mark.file,
            line: mark.line + (row - mark_row) as u32,
            col: offset - start + 1,
            system: mark.system,
        }
    }
    pub fn tok_place(&self, tok: u32) -> Place {
        self.place(self.tokens[tok as usize].lo)
    }
}
