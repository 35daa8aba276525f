//! Topologies: the links that a message takes from one port to another, one file each. A route depends on its two ends
//! only; no topology here adapts to traffic.

mod dragonfly;
mod fat_tree;
mod grid;
mod ring;

pub use dragonfly::Dragonfly;
pub use fat_tree::FatTree;
pub use grid::Grid;
pub use ring::{Crossbar, Ring};

/// A topology over directed links.
pub trait Routes {
    /// Whether there are links of kind 1.
    const HAS_LONG_LINKS: bool = false;

    /// The number of ports; they are numbered from 0.
    fn ports(&self) -> u32;

    /// The number of directed links between routers.
    fn links(&self) -> u32;

    /// Calls `over` with the number of each link from port `from` to port `to`, in order, and with its kind: 0, or 1 for
    /// the long links of a topology that has two kinds.
    fn route(&self, from: u32, to: u32, over: impl FnMut(u32, usize));

    /// The number of links from one port to another.
    fn hops(&self, from: u32, to: u32) -> u32 {
        let mut hops = 0;
        self.route(from, to, |_, _| hops += 1);
        hops
    }
}

/// The greatest number of ports, links or nodes, so that a wrong size is an error and not a lack of memory.
const MOST: u64 = 1 << 24;

/// The product of these numbers, each at least 1.
pub(super) fn product(numbers: &[u32]) -> Result<u32, String> {
    let found =
        numbers.iter().try_fold(1u64, |all, n| Some(all * u64::from(*n)).filter(|all| (1..=MOST).contains(all)));
    match found {
        Some(all) => Ok(all as u32),
        None => Err(format!("the network must have from 1 to {MOST} ports, links and nodes")),
    }
}
