//! The copy-transfer model: the throughput of moving data from one memory to another, composed of basic transfers.
//!
//! A basic transfer moves 64-bit words from one access pattern to another and has a measured throughput. Stages that
//! use the same resource follow each other (`o`): their times add. Stages on different resources run in parallel
//! (`||`): the slowest decides. Each stage reads the pattern that the one before it writes. The model has no latency:
//! it describes large transfers, where the accesses per byte decide. As an extension, a machine may have starts: then a
//! block takes the starts of all stages, because the first byte passes all of them, plus its bytes / throughput.
//!
//! Source: the copy-transfer study of the CRAY T3D and the Intel Paragon; notation and rules are its sections 2.2, 3.2
//! and 3.3. Written `xCy` here, as there: the pattern that is read, the transfer, the pattern that is written.

mod evaluate;
mod figures;
mod machine;
mod notation;
mod schemes;

pub use evaluate::{evaluate, Derivation, EvaluateError, Note, Problem, Rule};
pub use figures::Found;
pub use machine::{
    CongestionPoint, Deposit, Figure, Limit, Machine, NetworkFigures, Processors, SizePoint, SizedFigures, Start,
};
pub use notation::{parse, parse_located, pattern, ParseError};
pub use schemes::{rank, Ranked, Scheme};

use std::fmt;

/// The access pattern of one side of a transfer, in words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// `0`: always the same address, the port of a network interface.
    Fixed,
    /// `1`: word after word.
    Contiguous,
    /// `n`: every n-th word.
    Strided(u32),
    /// `w` (omega): through an array of indices, whose reading is part of the cost and not of the payload.
    Indexed,
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Fixed => f.write_str("0"),
            Pattern::Contiguous => f.write_str("1"),
            Pattern::Strided(n) => write!(f, "{n}"),
            Pattern::Indexed => f.write_str("w"),
        }
    }
}

/// The kind of a basic transfer: the hardware that performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `C`: memory to memory on one node, by the processor.
    Copy,
    /// `S`: memory to the network's port, by the processor.
    LoadSend,
    /// `F`: memory to the port, by hardware beside the processor.
    FetchSend,
    /// `R`: port to memory, by a processor.
    ReceiveStore,
    /// `D`: port to memory, by hardware beside the processor.
    ReceiveDeposit,
    /// `Nd`: the network, data only.
    NetworkData,
    /// `Nadp`: the network, an address with every word.
    NetworkAddresses,
}

/// A resource that two stages cannot use at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Resource {
    Processor,
    FetchEngine,
    DepositEngine,
    Network,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Processor => "the processor",
            Resource::FetchEngine => "the fetch engine",
            Resource::DepositEngine => "the deposit engine",
            Resource::Network => "the network",
        })
    }
}

impl Kind {
    pub fn letters(self) -> &'static str {
        match self {
            Kind::Copy => "C",
            Kind::LoadSend => "S",
            Kind::FetchSend => "F",
            Kind::ReceiveStore => "R",
            Kind::ReceiveDeposit => "D",
            Kind::NetworkData => "Nd",
            Kind::NetworkAddresses => "Nadp",
        }
    }

    pub fn resource(self) -> Resource {
        match self {
            Kind::Copy | Kind::LoadSend | Kind::ReceiveStore => Resource::Processor,
            Kind::FetchSend => Resource::FetchEngine,
            Kind::ReceiveDeposit => Resource::DepositEngine,
            Kind::NetworkData | Kind::NetworkAddresses => Resource::Network,
        }
    }

    pub fn is_network(self) -> bool {
        self.resource() == Resource::Network
    }
}

/// A basic transfer, which reads `from` and writes `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transfer {
    pub kind: Kind,
    pub from: Pattern,
    pub to: Pattern,
}

impl Transfer {
    /// The network: from port to port.
    pub fn network(kind: Kind) -> Transfer {
        Transfer { kind, from: Pattern::Fixed, to: Pattern::Fixed }
    }
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.is_network() {
            return f.write_str(self.kind.letters());
        }
        write!(f, "{}{}{}", self.from, self.kind.letters(), self.to)
    }
}

/// A composition of basic transfers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Composition {
    Basic(Transfer),
    /// `X o Y`: one after the other.
    Sequence(Vec<Composition>),
    /// `X || Y`: in parallel.
    Parallel(Vec<Composition>),
}

impl Composition {
    /// The pattern that the composition reads, and the one that it writes.
    pub fn patterns(&self) -> (Pattern, Pattern) {
        match self {
            Composition::Basic(t) => (t.from, t.to),
            Composition::Sequence(parts) | Composition::Parallel(parts) => {
                let first = parts.first().map_or(Pattern::Fixed, |p| p.patterns().0);
                let last = parts.last().map_or(Pattern::Fixed, |p| p.patterns().1);
                (first, last)
            }
        }
    }

    /// Every basic transfer in it, in order.
    pub fn transfers(&self) -> Vec<Transfer> {
        match self {
            Composition::Basic(t) => vec![*t],
            Composition::Sequence(parts) | Composition::Parallel(parts) => {
                parts.iter().flat_map(Composition::transfers).collect()
            }
        }
    }
}

impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, sign) = match self {
            Composition::Basic(t) => return t.fmt(f),
            Composition::Sequence(parts) => (parts, " o "),
            Composition::Parallel(parts) => (parts, " || "),
        };
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                f.write_str(sign)?;
            }
            match part {
                Composition::Basic(t) => t.fmt(f)?,
                _ => write!(f, "({part})")?,
            }
        }
        Ok(())
    }
}
