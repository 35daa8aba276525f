//! Source text to tokens to tree: C11 with the GNU extensions that system headers and old programs use, plus UPC 1.3 or Split-C.
//!
//! Input is the output of the C preprocessor, line markers included. The result keeps the text, so that everything
//! that later passes leave alone can be printed byte for byte. `syntax` knows no types (typedef names apart), does no
//! I/O, reports many errors in one run and never panics, whatever the input.

pub mod ast;
pub mod diag;
pub mod keyword;
pub mod lex;
pub mod library;
pub mod neon;
pub mod parse;
mod promises;
pub mod target;
pub mod token;
pub mod verify;
pub mod visit;

pub use diag::{Diag, Severity};
pub use target::Target;
pub use token::Source;

/// The language of a translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// UPC 1.3 over C11 and GNU C.
    #[default]
    Upc,
    /// Split-C over C11 and GNU C (docs/split-c.md).
    SplitC,
}

/// Options that determine the meaning of a text. Every pass of the front end receives them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    pub dialect: Dialect,
    pub target: Target,
    /// The number of threads in the static THREADS environment; `None` in the dynamic one.
    pub threads: Option<u32>,
    /// `inline` has the meaning of GNU C89 (`-fgnu89-inline`, `-std=gnu89`), not that of C99.
    pub gnu_inline: bool,
    /// An object may be accessed by any type (`-fno-strict-aliasing`), not only by those of C17 6.5 p7.
    pub any_type: bool,
    /// A variable may have two names (`__attribute__((alias("n")))`).
    pub aliases: bool,
}

/// A parsed translation unit.
pub struct Parsed {
    pub source: Source,
    pub unit: ast::Unit,
    pub diags: Vec<Diag>,
}

/// Lexes and parses preprocessed text. Never fails: text that it does not understand becomes an `Error` node and a
/// [`Diag`].
pub fn parse(text: String, options: Options) -> Parsed {
    let (mut source, mut diags) = lex::lex(text, options);
    let unit = parse::parse_unit(&mut source, options, &mut diags);
    promises::check(&source, &unit, &mut diags);
    Parsed { source, unit, diags }
}

/// Stack that is enough for recursion over a tree of height [`parse::MAX_HEIGHT`], at 64 KiB a level.
const DEEP_STACK: usize = 256 << 20;

/// Runs `f` on a thread whose stack suffices for the deepest tree that the parser accepts. Unused pages of the stack
/// are never touched. If no such thread can be created, `f` runs on the calling thread.
pub fn on_deep_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    let f = std::sync::Mutex::new(Some(f));
    let run = || f.lock().ok().and_then(|mut f| f.take()).map(|f| f());
    let there = std::thread::scope(|s| {
        let t = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(s, run).ok()?;
        match t.join() {
            Ok(r) => r,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match there.or_else(run) {
        Some(r) => r,
        None => unreachable!("the function is still here, or it has run and returned"),
    }
}
