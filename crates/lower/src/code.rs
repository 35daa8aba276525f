//! Generated code: a sequence of unchanged ranges of the source and of generated text.
//!
//! Keeping source ranges as ranges until the end lets untouched code leave byte for byte, and lets `emit` know which
//! line of the user's program each piece belongs to.

use fathom_syntax::token::TokRange;

#[derive(Clone, Debug)]
pub enum Part {
    /// Tokens with everything between them.
    Src(TokRange),
    /// The text between a token and the one before it: white space, line markers, foreign pragmas.
    Gap(u32),
    Text(String),
    /// What follows belongs to the line of this token.
    Line(u32),
}

/// A piece of the output.
#[derive(Clone, Debug, Default)]
pub struct Code(pub Vec<Part>);

impl Code {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn push(&mut self, x: impl Into<Code>) -> &mut Self {
        self.0.extend(x.into().0);
        self
    }
    /// Appends a source range together with the gap before it, merging with a range that ends where this one starts.
    pub fn push_src(&mut self, r: TokRange) {
        if r.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some(Part::Src(last)) if last.hi == r.lo => last.hi = r.hi,
            _ => self.0.extend([Part::Gap(r.lo), Part::Src(r)]),
        }
    }
    /// Appends the code that replaces the node at `r`, keeping the gap before it.
    pub fn push_in_place(&mut self, r: TokRange, code: Code) {
        self.0.push(Part::Gap(r.lo));
        self.0.push(Part::Line(r.lo));
        self.push(code);
    }
}

impl From<&str> for Code {
    fn from(s: &str) -> Self {
        Code(vec![Part::Text(s.to_owned())])
    }
}
impl From<String> for Code {
    fn from(s: String) -> Self {
        Code(vec![Part::Text(s)])
    }
}
impl From<&String> for Code {
    fn from(s: &String) -> Self {
        Code(vec![Part::Text(s.clone())])
    }
}
impl From<TokRange> for Code {
    fn from(r: TokRange) -> Self {
        if r.is_empty() {
            Code::new()
        } else {
            Code(vec![Part::Src(r)])
        }
    }
}
impl From<&Code> for Code {
    fn from(c: &Code) -> Self {
        c.clone()
    }
}

/// `code!["(", a, " + ", b, ")"]`
macro_rules! code {
    ($($x:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut c = crate::code::Code::new();
        $( c.push($x); )*
        c
    }};
}
