//! Tokens, names, and where they stand in the file that the user wrote.

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
    pub fn contains(self, part: Self) -> bool {
        self.lo <= part.lo && part.hi <= self.hi
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
    /// Unexpected characters.
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

/// Identifier spellings, interned: one buffer of text and an open-addressed table over it. The keywords and the
/// built-in type names of [`crate::keyword`] come first.
#[derive(Debug)]
pub struct Names {
    text: String,
    /// Start and length in `text`, and the hash.
    list: Vec<(u32, u32, u32)>,
    /// Number of the name + 1, or 0; the length is a power of two, at most half full.
    table: Vec<u32>,
}

/// Multiply and rotate, eight bytes at a time.
#[inline]
fn hash(s: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = s.len() as u64;
    let mut chunks = s.chunks_exact(8);
    for c in &mut chunks {
        let w = u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
        h = (h.rotate_left(5) ^ w).wrapping_mul(K);
    }
    let mut w = 0u64;
    for &b in chunks.remainder() {
        w = w << 8 | b as u64;
    }
    h = (h.rotate_left(5) ^ w).wrapping_mul(K);
    (h >> 32) as u32
}

/// The keywords, then the built-in types.
impl Default for Names {
    fn default() -> Self {
        let mut n = Names { text: String::new(), list: vec![], table: vec![0; 1 << 12] };
        for (s, _) in crate::keyword::KEYWORDS {
            n.intern(s);
        }
        for s in crate::keyword::BUILTIN_TYPES {
            n.intern(s);
        }
        n
    }
}

impl Names {
    pub fn intern(&mut self, s: &str) -> Name {
        let h = hash(s.as_bytes());
        let slot = match self.find(s, h) {
            Ok(n) => return n,
            Err(slot) => slot,
        };
        let n = self.list.len() as u32;
        self.list.push((self.text.len() as u32, s.len() as u32, h));
        self.text.push_str(s);
        self.table[slot] = n + 1;
        if self.list.len() * 2 > self.table.len() {
            self.grow();
        }
        Name(n)
    }
    pub fn get(&self, s: &str) -> Option<Name> {
        self.find(s, hash(s.as_bytes())).ok()
    }
    pub fn str(&self, n: Name) -> &str {
        let (start, len, _) = self.list[n.0 as usize];
        &self.text[start as usize..(start + len) as usize]
    }
    /// How many names there are; they are numbered from 0.
    pub fn len(&self) -> usize {
        self.list.len()
    }
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// The name, or the free slot where it belongs.
    #[inline]
    fn find(&self, s: &str, h: u32) -> Result<Name, usize> {
        let mask = self.table.len() - 1;
        let mut slot = h as usize & mask;
        loop {
            let n = self.table[slot];
            if n == 0 {
                return Err(slot);
            }
            let (start, len, nh) = self.list[n as usize - 1];
            if nh == h && self.text.as_bytes()[start as usize..(start + len) as usize] == *s.as_bytes() {
                return Ok(Name(n - 1));
            }
            slot = (slot + 1) & mask;
        }
    }
    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        self.table = vec![0; mask + 1];
        for (i, &(_, _, h)) in self.list.iter().enumerate() {
            let mut slot = h as usize & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = i as u32 + 1;
        }
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

/// What a pragma before a loop promises (docs/decisions/0017).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Promised {
    /// No iteration touches what another one writes.
    Independent,
    /// Relaxed accesses of the loop may be made in any order.
    Unordered,
    /// These arrays, and what these pointers lead to, keep their values; `p->q` is written without white space.
    Constant(Vec<String>),
}

/// A promise, and its (unknown) token.
#[derive(Clone, Debug)]
pub struct Promise {
    pub token: u32,
    pub promised: Promised,
    /// It is another compiler's, which has more places for it.
    pub is_foreign: bool,
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
    /// String literals with a line end in them, which C compilers refuse; in order.
    pub split_strings: Vec<u32>,
    /// In order.
    pub promises: Vec<Promise>,
    /// Offsets of the first byte of every line of `text`.
    pub line_starts: Vec<u32>,
    /// `#pragma GCC aarch64 "arm_neon.h"` was there, which declares structs (neon.rs).
    pub has_neon: bool,
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
    /// The text in one line, without the line markers that macros leave in it.
    pub fn words(&self, r: TokRange) -> String {
        let lines = self.range_text(r).lines().enumerate().filter(|(i, l)| *i == 0 || !l.starts_with("# "));
        lines.flat_map(|(_, l)| l.split_whitespace()).collect::<Vec<_>>().join(" ")
    }
    /// The text between a token and the one before it; promises are none.
    pub fn text_before(&self, i: u32) -> &str {
        let before = self.tokens[..i as usize].iter().rposition(|t| t.kind != TokKind::Unknown);
        let lo = before.map_or(0, |before| self.tokens[before].hi as usize);
        &self.text[lo..self.tokens[i as usize].lo as usize]
    }
    pub fn name(&self, n: Name) -> &str {
        self.names.str(n)
    }
    /// The promises directly before a token.
    pub fn promises_before(&self, i: u32) -> &[Promise] {
        let behind = self.promises.partition_point(|p| p.token < i);
        let unknown = self.tokens[..i as usize].iter().rev().take_while(|t| t.kind == TokKind::Unknown).count();
        let first = self.promises.partition_point(|p| p.token < i - unknown as u32);
        &self.promises[first..behind]
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
            line: mark.line.saturating_add((row - mark_row) as u32),
            col: offset - start + 1,
            system: mark.system,
        }
    }
    pub fn tok_place(&self, tok: u32) -> Place {
        self.place(self.tokens[tok as usize].lo)
    }
}
