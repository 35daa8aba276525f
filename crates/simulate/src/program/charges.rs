//! What operations of a program cost on a machine.

use crate::program::stops::Transfer;
use fathom_machine::network::{self, Carries};
use fathom_machine::{Description, Time};

/// The times of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The thread may go on, if it does not wait.
    pub free: Time,
    /// The data are read, or written, at the other thread.
    pub arrives: Time,
    /// The thread can know that the operation is complete.
    pub complete: Time,
}

/// A machine, as a program's operations meet it. Calls come nearly in the order of `now`: see
/// [`Carries`](fathom_machine::network::Carries).
pub trait Charges {
    /// A transfer that thread `me` begins.
    fn transfer(&mut self, now: Time, me: u32, what: &Transfer) -> Times;

    /// A message; [`Times::complete`] has no meaning.
    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times;

    /// What a message costs the thread that it is for.
    fn receipt(&self, bytes: u64) -> Time;

    /// A look at messages that finds none.
    fn poll(&self) -> Time;
}

/// Threads one to a node of a network: a put is a message and its acknowledgement, a get a request and the data. The
/// other thread's processor takes no part.
struct OneSided {
    network: Box<dyn Carries>,
}

/// Bytes of a request for data, and of an acknowledgement.
const REQUEST: u64 = 8;
/// The time of a look at memory or a device: it keeps time from standing still.
const LOOK: Time = 100_000;

impl Charges for OneSided {
    fn transfer(&mut self, now: Time, me: u32, what: &Transfer) -> Times {
        let (there, back) = if what.is_put { (what.bytes, REQUEST) } else { (REQUEST, what.bytes) };
        let free = now + self.network.send_overhead(there);
        let arrives = self.network.carry(free, me, what.with, there).tail;
        let complete = self.network.carry(arrives, what.with, me, back).tail + self.network.receive_overhead(back);
        Times { free, arrives, complete }
    }

    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        let free = now + self.network.send_overhead(bytes);
        let arrives = self.network.carry(free, from, to, bytes).tail;
        Times { free, arrives, complete: arrives }
    }

    fn receipt(&self, bytes: u64) -> Time {
        self.network.receive_overhead(bytes)
    }

    fn poll(&self) -> Time {
        LOOK
    }
}

/// The machine that is described, with this number of threads.
///
/// # Errors
/// A sentence that says what the machine lacks.
pub fn charges(description: &Description, threads: u32) -> Result<Box<dyn Charges>, String> {
    let network = network::build(description)?;
    if network.nodes() < threads {
        return Err(format!("it has {} nodes, one for a thread, and {threads} are asked for", network.nodes()));
    }
    Ok(Box::new(OneSided { network }))
}
