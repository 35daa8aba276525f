//! Operations on a simulated Cray X1, as a compiler and libraries would write them: accesses of an MSP, and between them
//! instructions, whose cycles are figures `code` of the machine file.
//!
//! [`layers`] has puts and gets, blocking ones too, through the layers that the study compares; [`pointers`] what
//! arithmetic on pointers-to-shared takes; [`loops`] vector loops of one SSP, of an MSP, and of SSPs that share an
//! E-cache.

pub mod layers;
pub mod loops;
pub mod pointers;

use fathom_machine::parts::vector::Vector;
use fathom_machine::{node, Description, Node, Time};

/// The number of SSPs of an MSP (X1 study, section 2).
pub const SSPS: u64 = 4;

/// What instructions and libraries take.
#[derive(Clone, Debug)]
struct Code {
    /// An addition, a shift, a comparison.
    simple: Time,
    multiply: Time,
    divide: Time,
    /// Calls a function of a library and returns.
    call: Time,
    /// The least bytes for which the library's puts call the system's copy.
    copies_from: u64,
    /// What an operation of shmem takes besides its access.
    shmem: Time,
    /// MPI's side of a message: making or finding its envelope.
    matching: Time,
    /// The SSPs of an MSP begin and end a loop.
    streams: Time,
    /// Whether a pointer without phase is the machine's own.
    global_pointers: bool,
    /// Whether a block size is a constant and a power of two.
    power_of_two: bool,
}

/// An MSP.
pub struct X1 {
    pub node: Node<()>,
    pub vector: Vector,
    code: Code,
}

impl X1 {
    /// # Errors
    /// The description has a mistake. This holds for all functions here.
    pub fn new(description: &Description) -> Result<Self, String> {
        let figures = description.of_code();
        let time = |name: &str| figures.time(name);
        let code = Code {
            simple: time("simple")?,
            multiply: time("multiply")?,
            divide: time("divide")?,
            call: time("call")?,
            copies_from: figures.bytes("copies_from")?,
            shmem: time("shmem")?,
            matching: time("matching")?,
            streams: time("streams")?,
            global_pointers: figures.switch("global_pointers")?,
            power_of_two: figures.switch("power_of_two")?,
        };
        figures.finish()?;
        Ok(X1 { node: node(description)?, vector: Vector::of(description)?, code })
    }

    /// A load whose value is needed at once: the time after it.
    fn load(&mut self, now: Time, at: u64) -> Time {
        self.node.processor.load(&mut self.node.memory, now, at).done
    }

    /// A store: the time at which the next operation can begin.
    fn store(&mut self, now: Time, at: u64) -> Time {
        self.node.processor.store(&mut self.node.memory, now, at, ())
    }

    /// Waits until all stores have taken effect, whoever made them: there is no wait for a single one.
    fn gsync(&mut self, now: Time) -> Time {
        self.node.processor.barrier(&mut self.node.memory, now)
    }
}
