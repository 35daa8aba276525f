//! A fat tree: levels of switches, each with links down and up, and routing by the destination (d-mod-k).
//!
//! A switch of level i has `down[i]` links down, and each leads to a port (level 0) or a switch of level i - 1. It has
//! `up[i]` links up, each to a different switch; the last level has none. A k-ary n-tree has k everywhere; less above than
//! below makes a tree that is narrower toward the root.
//!
//! A message goes up to the first level that has both ends below it, and down. Of the links up it takes the one with the
//! destination's number, divided by the number of switches that the levels below offered, modulo the links. So all
//! messages to one port come down one way, and those of a shift by any distance do not meet in a k-ary n-tree (Zahavi,
//! Fat-trees routing and node ordering providing contention free traffic for MPI global collectives, 2011).
//!
//! The link between a port and its switch is the port itself.

use super::{product, Routes};

#[derive(Clone, Debug)]
pub struct FatTree {
    ports: u32,
    levels: Vec<Level>,
    links: u32,
}

/// The links between this level of switches and the next.
#[derive(Clone, Debug)]
struct Level {
    /// The number of ports below a switch of this level.
    below: u32,
    /// The number of such sets of ports.
    sets: u32,
    /// The number of switches above one set of ports.
    width: u32,
    /// The links up of a switch.
    up: u32,
    /// The number of the first link up; as many links down follow.
    first: u32,
    count: u32,
}

impl FatTree {
    /// `up` has one entry less than `down`.
    ///
    /// # Errors
    /// The tree is empty, too large, or has another number of levels above than below.
    pub fn new(down: &[u32], up: &[u32]) -> Result<Self, String> {
        let ports = product(down)?;
        if down.len() != up.len() + 1 {
            let (below, above) = (down.len(), up.len());
            return Err(format!(
                "{below} levels of switches need links up from the first {}, not from {above}",
                below.saturating_sub(1)
            ));
        }
        let mut levels: Vec<Level> = vec![];
        let mut links = 0;
        for (i, up_links) in up.iter().copied().enumerate() {
            let below = product(&down[..=i])?;
            let width = product(&up[..i])?;
            let count = product(&[ports / below, width, up_links])?;
            product(&[links + 2 * count])?;
            levels.push(Level { below, sets: ports / below, width, up: up_links, first: links, count });
            links += 2 * count;
        }
        Ok(FatTree { ports, levels, links })
    }
}

impl Routes for FatTree {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn links(&self) -> u32 {
        self.links
    }

    fn route(&self, from: u32, to: u32, mut over: impl FnMut(u32, usize)) {
        // The choices so far, which name the switch among those above one set of ports.
        let mut switch = 0;
        let mut climbed = 0;
        for level in self.levels.iter().take_while(|l| from / l.below != to / l.below) {
            let choice = to / level.width % level.up;
            over(level.first + (switch * level.sets + from / level.below) * level.up + choice, 0);
            switch += choice * level.width;
            climbed += 1;
        }
        for level in self.levels[..climbed].iter().rev() {
            let choice = switch / level.width;
            switch %= level.width;
            over(level.first + level.count + (switch * level.sets + to / level.below) * level.up + choice, 0);
        }
    }
}
