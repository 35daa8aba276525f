//! The literature's notation, read: `1C1 o (1S0 || Nd || 0D1) o 1C64`.
//!
//! A basic transfer may also be written with its patterns after it: C(1,64), S(1), D(64). `o` binds more tightly than
//! `||`. A pattern is 0, 1, a stride, or w for omega (`ω` is understood); a network term has none. Blanks are ignored,
//! except for the one that separates `o` from a number.

use super::{Composition, Kind, Pattern, Transfer};
use std::ops::Range;

/// The reason why a text is not a composition, and the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// Byte in the text.
    pub at: usize,
    pub message: String,
}

/// Reads a composition. The patterns are not checked here.
///
/// # Errors
/// The text does not follow the notation; the error has the place.
pub fn parse(text: &str) -> Result<Composition, ParseError> {
    parse_located(text).map(|(composition, _)| composition)
}

/// Reads a composition, and returns the place of each of its basic transfers in the text, in their order.
///
/// # Errors
/// As [`parse`].
pub fn parse_located(text: &str) -> Result<(Composition, Vec<Range<usize>>), ParseError> {
    let mut p = Parser { text, at: 0, places: vec![], depth: 0 };
    let c = p.parallel()?;
    p.skip();
    if p.at < text.len() {
        return Err(p.error("expected `o`, `||` or the end"));
    }
    Ok((c, p.places))
}

/// The limit of nested parentheses, because the stack is finite.
const DEPTH: usize = 64;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    places: Vec<Range<usize>>,
    depth: usize,
}

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { at: self.at, message: message.into() }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn accept(&mut self, word: &str) -> bool {
        self.skip();
        let there = self.rest().starts_with(word);
        if there {
            self.at += word.len();
        }
        there
    }

    fn parallel(&mut self) -> Result<Composition, ParseError> {
        let mut parts = vec![self.sequence()?];
        while self.accept("||") || self.accept("∥") {
            parts.push(self.sequence()?);
        }
        Ok(one_or(parts, Composition::Parallel))
    }

    fn sequence(&mut self) -> Result<Composition, ParseError> {
        let mut parts = vec![self.part()?];
        while self.accept("o") || self.accept("∘") {
            parts.push(self.part()?);
        }
        Ok(one_or(parts, Composition::Sequence))
    }

    fn part(&mut self) -> Result<Composition, ParseError> {
        if self.accept("(") {
            self.depth += 1;
            if self.depth > DEPTH {
                return Err(self.error(format!("more than {DEPTH} nested parentheses")));
            }
            let inner = self.parallel()?;
            self.depth -= 1;
            if !self.accept(")") {
                return Err(self.error("expected `)`"));
            }
            return Ok(inner);
        }
        self.skip();
        let start = self.at;
        let transfer = self.transfer()?;
        self.places.push(start..self.at);
        Ok(Composition::Basic(transfer))
    }

    fn transfer(&mut self) -> Result<Transfer, ParseError> {
        self.skip();
        let start = self.at;
        for (word, kind) in [("Nadp", Kind::NetworkAddresses), ("Nd", Kind::NetworkData)] {
            if self.accept(word) {
                return Ok(Transfer::network(kind));
            }
        }
        let kinds = [
            ("C", Kind::Copy),
            ("S", Kind::LoadSend),
            ("F", Kind::FetchSend),
            ("R", Kind::ReceiveStore),
            ("D", Kind::ReceiveDeposit),
        ];
        if let Some((_, kind)) = kinds.into_iter().find(|(word, _)| self.accept(word)) {
            return self.arguments(kind);
        }
        let from = self.pattern()?;
        let Some((_, kind)) = kinds.into_iter().find(|(word, _)| self.accept(word)) else {
            return Err(self.error("expected C, S, F, R or D after the pattern that is read"));
        };
        let to = self.pattern()?;
        let complain = |message: &str| Err(ParseError { at: start, message: message.into() });
        match kind {
            Kind::LoadSend | Kind::FetchSend if to != Pattern::Fixed => {
                complain("S and F write to the network's port: the second pattern is 0")
            }
            Kind::ReceiveStore | Kind::ReceiveDeposit if from != Pattern::Fixed => {
                complain("R and D read from the network's port: the first pattern is 0")
            }
            _ => Ok(Transfer { kind, from, to }),
        }
    }

    /// The patterns after the letter, as in `C(1,64)`, `S(1)` and `D(64)`.
    fn arguments(&mut self, kind: Kind) -> Result<Transfer, ParseError> {
        let form = format!(
            "write {}",
            if kind == Kind::Copy { "1C64 or C(1,64)".into() } else { format!("{}(64)", kind.letters()) }
        );
        if !self.accept("(") {
            return Err(self.error(format!("expected `(` after the letter: {form}")));
        }
        let first = self.pattern()?;
        let (from, to) = match kind {
            Kind::Copy if !self.accept(",") => {
                return Err(self.error(format!("expected `,` and the pattern that is written: {form}")))
            }
            Kind::Copy => (first, self.pattern()?),
            Kind::LoadSend | Kind::FetchSend => (first, Pattern::Fixed),
            _ => (Pattern::Fixed, first),
        };
        match self.accept(")") {
            true => Ok(Transfer { kind, from, to }),
            false => Err(self.error(format!("expected `)`: {form}"))),
        }
    }

    fn pattern(&mut self) -> Result<Pattern, ParseError> {
        if self.accept("w") || self.accept("ω") {
            return Ok(Pattern::Indexed);
        }
        self.skip();
        let digits = self.rest().len() - self.rest().trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            return Err(self.error("expected a pattern (0, 1, a stride, or w) or Nd or Nadp"));
        }
        let Ok(n) = self.rest()[..digits].parse::<u32>() else {
            return Err(self.error("this stride is too large"));
        };
        self.at += digits;
        Ok(match n {
            0 => Pattern::Fixed,
            1 => Pattern::Contiguous,
            n => Pattern::Strided(n),
        })
    }
}

fn one_or(mut parts: Vec<Composition>, many: fn(Vec<Composition>) -> Composition) -> Composition {
    if parts.len() == 1 {
        parts.remove(0)
    } else {
        many(parts)
    }
}

/// A pattern by itself, as in the arguments of `Q(x,y)`.
///
/// # Errors
/// The text is something else.
pub fn pattern(text: &str) -> Result<Pattern, ParseError> {
    let mut p = Parser { text, at: 0, places: vec![], depth: 0 };
    let pattern = p.pattern()?;
    p.skip();
    if p.at < text.len() {
        return Err(p.error("expected one pattern: 0, 1, a stride, or w"));
    }
    Ok(pattern)
}
