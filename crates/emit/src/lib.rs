//! Lowered code to C text. Source ranges are copied byte for byte; where the text of the passes has shifted the
//! lines, a line marker brings the C compiler, the debugger and the profiler back to the user's file and line.

use fathom_lower::code::{Code, Part};
use fathom_lower::Lowered;
use fathom_syntax::Parsed;

/// Prints a translation unit. A unit in which `lower` changed nothing comes out as it went in.
pub fn emit(parsed: &Parsed, lowered: &Lowered) -> String {
    let mut p = Printer {
        parsed,
        out: String::with_capacity(parsed.source.text.len() + parsed.source.text.len() / 4),
        file: u32::MAX,
        line: 1,
        synced_by_source: true,
        name: "",
        includers: vec![],
    };
    p.code(&lowered.unit);
    p.out
}

struct Printer<'a> {
    parsed: &'a Parsed,
    out: String,
    /// The place that a compiler reading the output assigns to the next byte.
    file: u32,
    line: u32,
    /// Nothing has been printed but source text from the start on: the place needs no check.
    synced_by_source: bool,
    /// What the C compiler takes for the current file, and for those that include it.
    name: &'a str,
    includers: Vec<&'a str>,
}

impl<'a> Printer<'a> {
    fn code(&mut self, code: &Code) {
        for part in &code.0 {
            match part {
                Part::Src(r) => {
                    let toks = &self.parsed.source.tokens;
                    let (lo, hi) = (toks[r.lo as usize].lo, toks[r.hi as usize - 1].hi);
                    self.sync(lo);
                    self.source(lo, hi);
                }
                Part::Gap(tok) => {
                    let toks = &self.parsed.source.tokens;
                    let lo = if *tok == 0 { 0 } else { toks[*tok as usize - 1].hi };
                    let hi = toks[*tok as usize].lo;
                    if lo < hi {
                        let text = &self.parsed.source.text[lo as usize..hi as usize];
                        // A gap that is mere white space only separates; one with lines of its own is kept.
                        if text.contains('#') || self.synced_by_source {
                            self.sync(lo);
                            self.source(lo, hi);
                        } else if !self.out.ends_with([' ', '\n']) {
                            self.out.push(' ');
                        }
                    }
                }
                Part::Line(tok) => {
                    let lo = self.parsed.source.tokens[*tok as usize].lo;
                    self.sync(lo);
                }
                Part::Text(t) => {
                    self.synced_by_source = false;
                    self.separate(t);
                    self.line += t.bytes().filter(|&b| b == b'\n').count() as u32;
                    self.out.push_str(t);
                }
            }
        }
    }

    /// Keeps two pieces from growing together into one token.
    fn separate(&mut self, next: &str) {
        let (Some(a), Some(b)) = (self.out.bytes().last(), next.bytes().next()) else {
            return;
        };
        let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'"' || c == b'\'' || c == b'.' || c >= 0x80;
        let op = |c: u8| b"+-&|<>=*/%^!#:".contains(&c);
        if (word(a) && word(b)) || (op(a) && op(b)) {
            self.out.push(' ');
        }
    }

    fn source(&mut self, lo: u32, hi: u32) {
        let text = &self.parsed.source.text[lo as usize..hi as usize];
        self.separate(text);
        self.copy(lo, hi);
        let end = self.parsed.source.place(hi);
        self.file = end.file;
        self.line = end.line;
    }

    /// Copies source text; a string literal that goes on over the end of a line becomes a literal for each line.
    fn copy(&mut self, mut lo: u32, hi: u32) {
        let source = &self.parsed.source;
        let first = source.split_strings.partition_point(|&t| source.tokens[t as usize].lo < lo);
        for &t in &source.split_strings[first..] {
            let tok = source.tokens[t as usize];
            if tok.hi > hi {
                break;
            }
            self.copy_lines(&source.text[lo as usize..tok.lo as usize]);
            let literal = &source.text[tok.lo as usize..tok.hi as usize];
            // A backslash before the line end joined the lines already.
            let lines: Vec<&str> = literal.split('\n').collect();
            for (i, line) in lines.iter().enumerate() {
                let joined = line.ends_with('\\') && !line.ends_with("\\\\");
                self.out.push_str(line);
                if i + 1 < lines.len() {
                    self.out.push_str(if joined { "\n" } else { "\\n\"\n\"" });
                }
            }
            lo = tok.hi;
        }
        self.copy_lines(&source.text[lo as usize..hi as usize]);
    }

    /// Copies text with its line markers. One that returns from a file (flag 2) to one that the C compiler does not
    /// see as the includer, because the marker that entered it (flag 1) stood in text that was written anew, loses
    /// its flag: the C compiler would ignore it and take the lines that follow for another file's.
    fn copy_lines(&mut self, text: &'a str) {
        let mut done = 0;
        let mut from = 0;
        while let Some(at) = text[from..].find('#').map(|i| from + i) {
            let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
            from = end;
            let starts_line = if at == 0 { self.out.ends_with('\n') } else { text.as_bytes()[at - 1] == b'\n' };
            let Some((name, flags)) = marker(&text[at..end]).filter(|_| starts_line) else { continue };
            match flags.bytes().next() {
                Some(b'1') => self.includers.push(self.name),
                Some(b'2') if self.includers.last() == Some(&name) => _ = self.includers.pop(),
                Some(b'2') if !self.synced_by_source => {
                    let flag = at + text[at..end].len() - flags.len();
                    self.out.push_str(&text[done..flag]);
                    done = flag + 1;
                }
                _ => {}
            }
            self.name = name;
        }
        self.out.push_str(&text[done..]);
    }

    /// Makes the next byte stand on the line of source byte `offset`.
    fn sync(&mut self, offset: u32) {
        if self.synced_by_source {
            return;
        }
        let at = self.parsed.source.place(offset);
        if at.file == self.file && at.line == self.line {
            return;
        }
        if at.file == self.file && at.line > self.line && at.line - self.line <= 4 {
            for _ in self.line..at.line {
                self.out.push('\n');
            }
        } else {
            if !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            let name = self.parsed.source.files.get(at.file as usize).map_or("", |s| s.as_str());
            self.out.push_str(&format!("# {} {:?}{}\n", at.line, name, if at.system { " 3" } else { "" }));
            self.name = name;
        }
        self.file = at.file;
        self.line = at.line;
    }
}

/// The name (its escapes as they are) of the line marker `# 12 "name" 1 3`, and its flags.
fn marker(line: &str) -> Option<(&str, &str)> {
    let tail = line.strip_prefix("# ")?.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(' ')?;
    let bytes = tail.strip_prefix('"')?.bytes();
    let mut escaped = false;
    for (i, b) in bytes.enumerate() {
        if b == b'"' && !escaped {
            return Some((&tail[1..=i], tail[i + 2..].trim_start()));
        }
        escaped = b == b'\\' && !escaped;
    }
    None
}
