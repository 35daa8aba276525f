//! Lowers the typed tree to C in two steps: `plan` decides how every shared access, loop and affinity is translated, as
//! tables that can be printed; `write` prints source ranges and text from them.
//!
//! The result is [`Code`], source ranges and text, not another tree: a tree would have to be printed, and DESIGN.md
//! forbids printing private C again.
//!
//! A shared access on a conduit with direct memory is a C lvalue, `*(T *)address`: so relaxed reads, writes, compound
//! assignments, members and bit-fields need no code of their own, and the C compiler optimises them like private
//! accesses.

#[macro_use]
pub mod code;
pub mod plan;
mod write;

use code::Code;
use fathom_sema::Sema;
use fathom_syntax::Parsed;
use plan::Plan;

/// What lowering must know about the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Loads and stores reach every thread's memory (conduit `smp`). Otherwise an object may be *far*, and is moved by
    /// calls (`runtime/conduit/distributed.h`).
    pub direct: bool,
    /// Generated code counts its shared accesses and times what communicates (`explain`).
    pub explain: bool,
    /// Generated code counts the program's own operations (simulated machines; `runtime/conduit/work.h`).
    pub count: bool,
    /// Loops that may read far data are also written to run in strips (`plan::strips`), and owners compute updates
    /// (`plan::updates`), if the program is run so.
    pub strips: bool,
    /// In such loops each value is compared, at its use, with what is at its place (FATHOM_COMM_CHECK).
    pub check: bool,
    /// The C compiler's warnings about names that hide others, as far as the user asks for them: generated code, which declares
    /// the variables of loops anew, is silent about that.
    pub hiding: &'static [&'static str],
}

impl Default for Options {
    fn default() -> Self {
        Options { direct: true, explain: false, count: false, strips: false, check: false, hiding: &[] }
    }
}

/// A lowered translation unit.
pub struct Lowered {
    pub unit: Code,
}

/// Lowers a unit in which `sema` found no errors. The result for a unit with errors is meaningless but harmless.
pub fn lower(parsed: &Parsed, sema: &Sema, options: Options) -> Lowered {
    let plan = Plan::new(parsed, sema, options);
    Lowered { unit: write::unit(parsed, sema, &plan, options) }
}
