//! Source text to tokens to tree: C11 with the GNU extensions that system headers and old programs use, plus UPC 1.3.
//!
//! Input is the output of the C preprocessor, line markers included. The result keeps the text, so that whatever no
//! later pass touches can be printed byte for byte. `syntax` knows no types (typedef names apart), does no I/O,
//! reports many errors in one run and never panics, whatever the input.

pub mod ast;
pub mod diag;
pub mod lex;
pub mod parse;
pub mod token;

pub use diag::{Diag, Severity};
pub use token::Source;

/// Options of the front end that change what the text means.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    /// The number of threads in the static THREADS environment.
    pub static_threads: Option<u32>,
}

/// A parsed translation unit.
pub struct Parsed {
    pub source: Source,
    pub unit: ast::Unit,
    pub diags: Vec<Diag>,
}

/// Lexes and parses preprocessed text. Never fails: what could not be understood is an `Error` node and a [`Diag`].
pub fn parse(text: String, options: Options) -> Parsed {
    let (source, mut diags) = lex::lex(text);
    let unit = parse::parse_unit(&source, options, &mut diags);
    Parsed { source, unit, diags }
}
