//! The parts of a memory system, one file each. A part's constructor asks for its figures by name; docs/machines.md
//! lists them.

pub mod banks;
pub mod barrier;
pub mod block_transfer;
pub mod buffer;
pub mod bus;
pub mod cache;
pub mod coherent;
pub mod deposit;
pub mod dram;
pub mod global;
pub mod hypernode;
pub mod interconnect;
pub mod memory_bus;
pub mod messages;
pub mod nes;
pub mod read_ahead;
pub mod registers;
pub mod sci;
pub mod shell;
pub mod translation;
pub mod vector;

use crate::access::Data;
use crate::description::Wanted;
use crate::Serves;

/// What answers the accesses that a part cannot answer itself.
pub type Next<D> = Box<dyn Serves<D>>;

/// Builds a part of a memory system from its figures.
type Builder<D> = fn(&Wanted, Option<Next<D>>) -> Result<Next<D>, String>;

/// The kinds of parts.
pub const KINDS: [&str; 13] = [
    "cache",
    "write-buffer",
    "translation",
    "read-ahead",
    "bus",
    "dram",
    "banks",
    "global-memory",
    "t3d-shell",
    "coherent-cache",
    "hypernode",
    "interconnect-cache",
    "sci-rings",
];

/// The kinds of parts that stand beside the memories: no part asks them, and each serves all processors.
pub const DEVICES: [&str; 4] = ["registers", "block-transfer", "messages", "barrier"];

/// Builds a part of this kind.
///
/// # Errors
/// The kind is unknown, a figure is missing or wrong, or there is a part behind where there must be none.
pub fn build<D: Data>(kind: &str, figures: Wanted, next: Option<Next<D>>) -> Result<Next<D>, String> {
    let build: Builder<D> = match kind {
        "cache" => |f, next| Ok(Box::new(cache::Cache::new(f, needed(next)?)?)),
        "write-buffer" => |f, next| Ok(Box::new(buffer::WriteBuffer::new(f, needed(next)?)?)),
        "translation" => |f, next| Ok(Box::new(translation::Translation::new(f, needed(next)?)?)),
        "read-ahead" => |f, next| read_ahead::ReadAhead::in_front(f, needed(next)?),
        "global-memory" => |f, next| Ok(Box::new(global::Global::new(f, needed(next)?)?)),
        "dram" => |f, next| match next {
            None => Ok(Box::new(dram::Dram::new(f)?)),
            Some(_) => Err(LAST.into()),
        },
        "banks" => |f, next| match next {
            None => Ok(Box::new(banks::Banks::new(f)?)),
            Some(_) => Err(LAST.into()),
        },
        "coherent-cache" | "interconnect-cache" | "sci-rings" => {
            return Err("it needs a part of the kind `hypernode`: a cache in front of it, the others behind it".into())
        }
        other => {
            return Err(format!(
                "there is no kind of part `{other}`; the kinds are {}, {}",
                KINDS.join(", "),
                DEVICES.join(", ")
            ))
        }
    };
    let part = build(&figures, next)?;
    figures.finish()?;
    Ok(part)
}

const LAST: &str = "nothing is behind a memory: `next` has no meaning";

fn needed<D>(next: Option<Next<D>>) -> Result<Next<D>, String> {
    next.ok_or_else(|| "it needs a part behind it: `next`".into())
}

/// The memory behind a part under test: it answers after a fixed time and remembers what it was asked.
#[cfg(test)]
pub mod recorder {
    use crate::access::{Access, Data, Kind, Reply, Serves};
    use crate::description::{Description, Wanted};
    use crate::network::{Carries, Flight};
    use crate::Time;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[derive(Default)]
    pub struct Recorder {
        pub takes: Time,
        pub asked: Vec<(Time, Kind, u64, u32)>,
    }

    impl Recorder {
        pub fn new(takes: Time) -> Rc<RefCell<Self>> {
            Rc::new(RefCell::new(Recorder { takes, asked: vec![] }))
        }
    }

    impl<D: Data> Serves<D> for Recorder {
        fn access(&mut self, now: Time, a: &Access<D>) -> Reply<D> {
            self.asked.push((now, a.kind, a.at, a.bytes));
            Reply { free: now + self.takes, done: now + self.takes, data: D::default() }
        }
        fn drain(&mut self, now: Time) -> Time {
            now
        }
        fn place(&mut self, _: u64, _: u32, _: &D) {}
        fn settle(&mut self, _: Time) {}
    }

    /// A network without contention: every message takes the same time.
    pub struct Wire {
        takes: Time,
        /// From, to, bytes.
        pub carried: Vec<(u32, u32, u64)>,
    }

    impl Wire {
        pub fn new(takes: Time) -> Self {
            Wire { takes, carried: vec![] }
        }
    }

    impl Carries for Wire {
        fn nodes(&self) -> u32 {
            u32::MAX
        }
        fn carry(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight {
            self.carried.push((from, to, bytes));
            Flight { sent: now, head: now + self.takes, tail: now + self.takes, late: 0 }
        }
        fn steps(&self, _: u32, _: u32, _: u64) -> Vec<(String, Time)> {
            vec![("wire".into(), self.takes)]
        }
        fn send_overhead(&self, _: u64) -> Time {
            0
        }
        fn receive_overhead(&self, _: u64) -> Time {
            0
        }
    }

    /// Builds a part from figures written as in a machine file.
    pub fn figures<T>(text: &str, build: impl FnOnce(&Wanted) -> T) -> T {
        let file = format!(
            "[simulated]\nabout = 'a test'\n[simulated.network]\nkind = 'loggp'\n[simulated.parts.tested]\nkind = 'x'\n{text}"
        );
        #[derive(serde::Deserialize)]
        struct File {
            simulated: Description,
        }
        let file: File = toml::from_str(&file).unwrap();
        build(&file.simulated.of_part("tested"))
    }
}
