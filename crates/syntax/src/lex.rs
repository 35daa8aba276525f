//! Preprocessed text to tokens.
//!
//! One pass over the bytes, driven by a table of byte classes. Everything that is not a token stays in the text:
//! white space, comments, line markers, pragmas that are not UPC's. So the tokens' spellings with the text between
//! them are always the input, byte for byte, whatever the input was.
//!
//! Only here is it known whether text came from a system header (flag 3 of a line marker). There `shared`, `strict`
//! and `relaxed` are ordinary identifiers: the C library's headers were not written for UPC. A user's header
//! requests the same with `#pragma upc c_code`; that line, which means nothing to a C compiler, becomes spaces.

mod directive;
mod promise;

use crate::diag::Diag;
use crate::keyword::{self, Kw};
use crate::token::{LineMark, Name, Names, Promise, Source, TokKind, TokRange, Token};
use std::collections::HashMap;

/// Punctuators; digraphs are folded into what they stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Punct {
    LBracket,
    RBracket,
    LParen,
    RParen,
    LBrace,
    RBrace,
    Dot,
    Arrow,
    PlusPlus,
    MinusMinus,
    Amp,
    Star,
    Plus,
    Minus,
    Tilde,
    Bang,
    Slash,
    Percent,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    EqEq,
    Ne,
    Caret,
    Pipe,
    AndAnd,
    OrOr,
    Question,
    Colon,
    Semi,
    Ellipsis,
    Assign,
    StarAssign,
    SlashAssign,
    PercentAssign,
    PlusAssign,
    MinusAssign,
    ShlAssign,
    ShrAssign,
    AmpAssign,
    CaretAssign,
    PipeAssign,
    Comma,
}

/// The lexer and the parser each keep at most this number of diagnostics for a unit.
pub(crate) const MAX_DIAGS: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Space,
    Ident,
    Digit,
    Punct,
    Quote,
    Hash,
    Backslash,
    High,
}

const CLASS: [Class; 256] = {
    let mut t = [Class::Other; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        t[i] = match b {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Class::Ident,
            b'0'..=b'9' => Class::Digit,
            b'"' | b'\'' => Class::Quote,
            b'#' => Class::Hash,
            b'\\' => Class::Backslash,
            b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'.' | b'-' | b'+' | b'&' | b'*' | b'~' | b'!' | b'/' | b'%'
            | b'<' | b'>' | b'=' | b'^' | b'|' | b'?' | b':' | b';' | b',' => Class::Punct,
            0x80..=0xff => Class::High,
            _ => Class::Other,
        };
        i += 1;
    }
    t
};

/// Bytes that continue an identifier, without thinking about characters outside ASCII.
const IDENT_CONT: [bool; 256] = {
    let mut t = [false; 256];
    let mut i = 0;
    while i < 256 {
        t[i] = matches!(CLASS[i], Class::Ident | Class::Digit);
        i += 1;
    }
    t
};

pub(crate) struct Lexer<'a> {
    text: &'a str,
    b: &'a [u8],
    pos: usize,
    tokens: Vec<Token>,
    names: Names,
    dialect: crate::Dialect,
    files: Vec<String>,
    file_index: HashMap<String, u32>,
    marks: Vec<LineMark>,
    /// The text at hand comes from a system header.
    system: bool,
    /// What the file at hand says by `#pragma upc c_code` (true) or `upc_code`, and what those that include it say.
    c_code: Option<bool>,
    includers: Vec<Option<bool>>,
    /// Text that becomes spaces.
    blanks: Vec<std::ops::Range<usize>>,
    promises: Vec<Promise>,
    /// Nothing but white space has been seen on this line.
    line_start: bool,
    /// A string literal was not closed by the end of the text: from then on newlines end them, so that many
    /// unclosed ones do not each search the whole text.
    unclosed: bool,
    split_strings: Vec<u32>,
    has_neon: bool,
    diags: Vec<Diag>,
}

/// Splits preprocessed text into tokens. The last token is `Eof`.
pub fn lex(text: String, options: crate::Options) -> (Source, Vec<Diag>) {
    // Offsets are 32-bit numbers; a larger unit is refused whole.
    let too_large = text.len() >= u32::MAX as usize;
    let text = if too_large { String::new() } else { text };
    let mut lx = Lexer {
        text: &text,
        b: text.as_bytes(),
        pos: 0,
        tokens: Vec::with_capacity(text.len() / 5 + 16),
        names: Names::default(),
        dialect: options.dialect,
        files: vec![],
        file_index: HashMap::new(),
        marks: vec![],
        system: false,
        c_code: None,
        includers: vec![],
        blanks: vec![],
        promises: vec![],
        line_start: true,
        unclosed: false,
        split_strings: vec![],
        has_neon: false,
        diags: vec![],
    };
    lx.run();
    if too_large {
        lx.diags.push(Diag::error("S0009", TokRange::new(0, 1), "a translation unit of 4 GiB or more"));
    }
    if lx.files.is_empty() {
        lx.files.push("<input>".into());
    }
    let Lexer { tokens, names, files, marks, split_strings, has_neon, blanks, promises, diags, .. } = lx;
    let line_starts = line_starts(text.as_bytes());
    let text = blanked(text, &blanks);
    (Source { text, tokens, names, files, marks, line_starts, split_strings, has_neon, promises }, diags)
}

fn blanked(text: String, blanks: &[std::ops::Range<usize>]) -> String {
    if blanks.is_empty() {
        return text;
    }
    let mut b = text.into_bytes();
    for range in blanks {
        b[range.clone()].iter_mut().filter(|c| **c != b'\n').for_each(|c| *c = b' ');
    }
    // The ranges begin and end beside ASCII, so whole characters have gone.
    String::from_utf8(b).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

fn line_starts(b: &[u8]) -> Vec<u32> {
    let mut v = Vec::with_capacity(b.len() / 24 + 1);
    v.push(0);
    v.extend(b.iter().enumerate().filter(|(_, &c)| c == b'\n').map(|(i, _)| i as u32 + 1));
    v
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.b.starts_with(b"\xef\xbb\xbf") {
            self.pos = 3; // byte order mark
        }
        while let Some(&c) = self.b.get(self.pos) {
            match CLASS[c as usize] {
                Class::Space => {
                    self.line_start |= c == b'\n';
                    self.pos += 1;
                    continue;
                }
                Class::Ident => self.ident(),
                Class::Digit => self.number(),
                Class::Punct => {
                    if c == b'/' && matches!(self.at(1), b'/' | b'*') {
                        self.comment();
                        continue;
                    }
                    self.punct(c)
                }
                Class::Quote => self.quoted(self.pos, c),
                Class::Hash => {
                    if self.line_start {
                        self.directive();
                        continue;
                    }
                    self.unknown()
                }
                Class::Backslash => self.backslash(),
                Class::High => self.high(),
                Class::Other => self.unknown(),
            }
            self.line_start = false;
        }
        let end = self.b.len() as u32;
        self.tokens.push(Token { kind: TokKind::Eof, lo: end, hi: end, name: Name(0) });
    }

    /// The byte `n` places ahead, or 0.
    #[inline]
    fn at(&self, n: usize) -> u8 {
        self.b.get(self.pos + n).copied().unwrap_or(0)
    }

    #[inline]
    fn push(&mut self, kind: TokKind, lo: usize, name: Name) {
        self.tokens.push(Token { kind, lo: lo as u32, hi: self.pos as u32, name });
    }

    /// A diagnostic about the token pushed last.
    fn report(&mut self, make: impl FnOnce(TokRange) -> Diag) {
        if self.diags.len() < MAX_DIAGS {
            let n = self.tokens.len() as u32;
            self.diags.push(make(TokRange::new(n.saturating_sub(1), n.max(1))));
        }
    }

    #[inline]
    fn ident(&mut self) {
        let lo = self.pos;
        let mut p = lo + 1;
        while p < self.b.len() && IDENT_CONT[self.b[p] as usize] {
            p += 1;
        }
        self.pos = p;
        match self.b.get(p) {
            Some(b'"' | b'\'') if matches!(&self.b[lo..p], b"L" | b"u" | b"U" | b"u8") => {
                return self.quoted(lo, self.b[p]);
            }
            Some(&c) if c >= 0x80 || c == b'\\' => self.ident_tail(),
            _ => {}
        }
        self.ident_done(lo);
    }

    #[inline]
    fn ident_done(&mut self, lo: usize) {
        let spelling = &self.text[lo..self.pos];
        let name = self.names.intern(spelling);
        let is_keyword = keyword::is_keyword(name.0, self.dialect) && !self.is_plain_here(name);
        let kind = if is_keyword { TokKind::Keyword } else { TokKind::Ident };
        if spelling == "_Pragma" && self.pragma_operator(lo) {
            return;
        }
        self.push(kind, lo, name);
    }

    /// A type qualifier of the dialect in a system header, or in one that says that it is C.
    #[inline]
    fn is_plain_here(&self, name: Name) -> bool {
        self.c_code.unwrap_or(self.system)
            && matches!(keyword::keyword(name.0), Kw::Shared | Kw::Strict | Kw::Relaxed | Kw::Global | Kw::Spread)
    }

    /// Continues an identifier over universal character names and characters outside ASCII.
    fn ident_tail(&mut self) {
        while let Some(&c) = self.b.get(self.pos) {
            if IDENT_CONT[c as usize] {
                self.pos += 1;
            } else if c >= 0x80 {
                match self.text[self.pos..].chars().next() {
                    Some(ch) if is_ident_char(ch) => self.pos += ch.len_utf8(),
                    _ => break,
                }
            } else if c == b'\\' {
                match self.universal() {
                    0 => break,
                    n => self.pos += n,
                }
            } else {
                break;
            }
        }
    }

    /// The length of the universal character name here, or 0.
    fn universal(&self) -> usize {
        let digits = match self.at(1) {
            b'u' => 4,
            b'U' => 8,
            _ => return 0,
        };
        if (0..digits).all(|i| self.at(2 + i).is_ascii_hexdigit()) {
            2 + digits
        } else {
            0
        }
    }

    fn backslash(&mut self) {
        let lo = self.pos;
        if self.universal() > 0 {
            self.ident_tail();
            return self.ident_done(lo);
        }
        let rest = &self.b[lo + 1..];
        let eol = rest.iter().take_while(|c| matches!(c, b' ' | b'\t' | b'\r')).count();
        if rest.get(eol) == Some(&b'\n') {
            self.pos += eol + 2; // a line continued
            return;
        }
        self.unknown();
    }

    fn high(&mut self) {
        let lo = self.pos;
        match self.text[lo..].chars().next() {
            Some(c) if is_ident_char(c) => {
                self.ident_tail();
                self.ident_done(lo);
            }
            _ => self.unknown(),
        }
    }

    /// A run of unexpected characters makes one `Unknown`.
    fn unknown(&mut self) {
        let lo = self.pos;
        for c in self.text[lo..].chars() {
            let starts = match CLASS[(c as u32).min(0x80) as usize] {
                Class::Other => false,
                Class::Hash | Class::Backslash => self.pos > lo,
                Class::High => is_ident_char(c),
                _ => true,
            };
            if starts {
                break;
            }
            self.pos += c.len_utf8();
        }
        if self.pos == lo {
            self.pos += 1;
        }
        let first = self.text[lo..].chars().next().unwrap_or(' ');
        self.push(TokKind::Unknown, lo, Name(0));
        self.report(|at| {
            let d = Diag::error("S0001", at, format!("unexpected character `{}`", first.escape_debug()))
                .label("not part of C");
            match first {
                '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => d.hint("write straight quotes: ' or \""),
                '#' => d.hint("a directive must be the first thing on its line"),
                c if c.is_whitespace() => d.hint("C does not accept this white-space character: write a space"),
                _ => d,
            }
        });
    }

    /// A preprocessing number (C11 6.4.8): hexadecimal floats, binary constants and imaginary suffixes included.
    fn number(&mut self) {
        let lo = self.pos;
        let mut p = lo + 1;
        while p < self.b.len() {
            let c = self.b[p];
            let sign = matches!(c, b'+' | b'-') && matches!(self.b[p - 1], b'e' | b'E' | b'p' | b'P');
            if !(IDENT_CONT[c as usize] || c == b'.' || sign) {
                break;
            }
            p += 1;
        }
        self.pos = p;
        self.push(TokKind::Number, lo, Name(0));
    }

    #[inline]
    fn punct(&mut self, c: u8) {
        use Punct::*;
        let lo = self.pos;
        let (c1, c2) = (self.at(1), self.at(2));
        if c == b'.' && c1.is_ascii_digit() {
            return self.number();
        }
        let (p, len) = match (c, c1) {
            (b'(', _) => (LParen, 1),
            (b')', _) => (RParen, 1),
            (b',', _) => (Comma, 1),
            (b';', _) => (Semi, 1),
            (b'[', _) => (LBracket, 1),
            (b']', _) => (RBracket, 1),
            (b'{', _) => (LBrace, 1),
            (b'}', _) => (RBrace, 1),
            (b'.', b'.') if c2 == b'.' => (Ellipsis, 3),
            (b'.', _) => (Dot, 1),
            (b'-', b'>') => (Arrow, 2),
            (b'-', b'-') => (MinusMinus, 2),
            (b'-', b'=') => (MinusAssign, 2),
            (b'-', _) => (Minus, 1),
            (b'+', b'+') => (PlusPlus, 2),
            (b'+', b'=') => (PlusAssign, 2),
            (b'+', _) => (Plus, 1),
            (b'&', b'&') => (AndAnd, 2),
            (b'&', b'=') => (AmpAssign, 2),
            (b'&', _) => (Amp, 1),
            (b'*', b'=') => (StarAssign, 2),
            (b'*', _) => (Star, 1),
            (b'~', _) => (Tilde, 1),
            (b'!', b'=') => (Ne, 2),
            (b'!', _) => (Bang, 1),
            (b'/', b'=') => (SlashAssign, 2),
            (b'/', _) => (Slash, 1),
            (b'%', b'=') => (PercentAssign, 2),
            (b'%', b'>') => (RBrace, 2),
            (b'%', b':') if self.line_start => return self.directive(),
            (b'%', _) => (Percent, 1),
            (b'<', b'<') if c2 == b'=' => (ShlAssign, 3),
            (b'<', b'<') => (Shl, 2),
            (b'<', b'=') => (Le, 2),
            (b'<', b':') => (LBracket, 2),
            (b'<', b'%') => (LBrace, 2),
            (b'<', _) => (Lt, 1),
            (b'>', b'>') if c2 == b'=' => (ShrAssign, 3),
            (b'>', b'>') => (Shr, 2),
            (b'>', b'=') => (Ge, 2),
            (b'>', _) => (Gt, 1),
            (b'=', b'=') => (EqEq, 2),
            (b'=', _) => (Assign, 1),
            (b'^', b'=') => (CaretAssign, 2),
            (b'^', _) => (Caret, 1),
            (b'|', b'|') => (OrOr, 2),
            (b'|', b'=') => (PipeAssign, 2),
            (b'|', _) => (Pipe, 1),
            (b'?', _) => (Question, 1),
            (b':', b'>') => (RBracket, 2),
            _ => (Colon, 1),
        };
        self.pos += len;
        self.push(TokKind::Punct(p), lo, Name(0));
    }

    fn comment(&mut self) {
        let rest = &self.b[self.pos + 2..];
        if self.at(1) == b'/' {
            self.pos += 2 + rest.iter().position(|&c| c == b'\n').unwrap_or(rest.len());
            return;
        }
        match rest.windows(2).position(|w| w == b"*/") {
            Some(n) => self.pos += n + 4,
            None => {
                self.pos = self.b.len();
                self.diags.push(
                    // The token after the last one so far will be `Eof`.
                    Diag::error(
                        "S0004",
                        TokRange::new(self.tokens.len() as u32, self.tokens.len() as u32 + 1),
                        "comment without an end",
                    )
                    .hint("close it with `*/`"),
                );
            }
        }
    }

    /// A string literal or character constant; `lo` is where its prefix starts, `self.pos` the quote.
    fn quoted(&mut self, lo: usize, quote: u8) {
        self.pos = self.b[lo..].iter().position(|&c| c == quote).map_or(self.b.len(), |n| lo + n);
        let open = self.pos;
        let mut p = open + 1;
        let mut first_newline = None;
        let closed = loop {
            match self.b.get(p) {
                None => {
                    self.unclosed = true;
                    break false;
                }
                Some(b'\\') => {
                    if self.b.get(p + 1) == Some(&b'\n') && first_newline.is_none() && quote == b'\'' {
                        first_newline = Some(p + 1);
                    }
                    p += 2
                }
                Some(b'\n') => {
                    first_newline = first_newline.or(Some(p));
                    // Where a line marker follows, the string did not mean to go on.
                    if quote == b'\'' || self.unclosed || self.b.get(p + 1) == Some(&b'#') {
                        break false;
                    }
                    p += 1;
                }
                Some(&c) if c == quote => break true,
                Some(_) => p += 1,
            }
        };
        let kind = if quote == b'"' { TokKind::Str } else { TokKind::Char };
        if closed {
            self.pos = p + 1;
            self.push(kind, lo, Name(0));
            if first_newline.is_some() {
                self.split_strings.push(self.tokens.len() as u32 - 1);
                self.report(|at| {
                    Diag::warning("S0006", at, "newline inside a string literal")
                        .label("continues past the end of the line")
                        .hint("end each line with `\\n\"` and begin the next with `\"`")
                });
            } else if p == open + 1 && quote == b'\'' {
                self.report(|at| Diag::error("S0003", at, "empty character constant"));
            }
            return;
        }
        self.pos = first_newline.unwrap_or(self.b.len()).min(self.b.len());
        self.push(kind, lo, Name(0));
        let what = if quote == b'"' { "string literal" } else { "character constant" };
        let code = if quote == b'"' { "S0002" } else { "S0003" };
        self.report(|at| {
            Diag::error(code, at, format!("{what} without an end")).hint(format!("close it with `{}`", quote as char))
        });
    }
}

/// Whether a character outside ASCII may stand in an identifier: all but spaces and punctuation are accepted.
fn is_ident_char(c: char) -> bool {
    let punctuation = matches!(c, '\u{80}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2000}'..='\u{206f}' | '\u{2190}'..='\u{2bff}' | '\u{3000}'..='\u{3003}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}');
    c.is_alphanumeric() || !(punctuation || c.is_whitespace() || c.is_control())
}
