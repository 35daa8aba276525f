//! `fathom doctor`: the parts that were found, and what does not work without the missing ones.

use fathom_toolchain::doctor::{examine, State};
use fathom_toolchain::{Failure, Result};

pub fn main() -> Result<()> {
    let facts = examine();
    let width = facts.iter().map(|f| f.name.len()).max().unwrap_or(0);
    println!("fathom {} ({})", env!("CARGO_PKG_VERSION"), std::env::current_exe().unwrap_or_default().display());
    for f in &facts {
        let mark = match f.state {
            State::Good => "ok     ",
            State::Lacking => "lacking",
            State::Broken => "BROKEN ",
        };
        println!("{mark}  {:width$}  {}", f.name, f.found);
        if !f.advice.is_empty() {
            println!("         {:width$}  -> {}", "", f.advice);
        }
    }
    match facts.iter().any(|f| f.state == State::Broken) {
        false => {
            println!("UPC programs can be built and run here.");
            Ok(())
        }
        true => {
            Err(Failure::new("UPC programs cannot be built and run here until the parts marked BROKEN are repaired"))
        }
    }
}
