//! A ring whose links go one way, as those of SCI do, and a full crossbar, which has ports only. A ring with links in both
//! directions is a torus of one dimension.

use super::{product, Routes};

#[derive(Clone, Debug)]
pub struct Ring {
    ports: u32,
}

impl Ring {
    /// # Errors
    /// The ring is empty or too large.
    pub fn new(ports: u32) -> Result<Self, String> {
        Ok(Ring { ports: product(&[ports])? })
    }
}

impl Routes for Ring {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn links(&self) -> u32 {
        self.ports
    }

    fn route(&self, from: u32, to: u32, mut over: impl FnMut(u32, usize)) {
        let mut at = from;
        while at != to {
            over(at, 0);
            at = if at + 1 == self.ports { 0 } else { at + 1 };
        }
    }
}

#[derive(Clone, Debug)]
pub struct Crossbar {
    ports: u32,
}

impl Crossbar {
    /// # Errors
    /// The crossbar is empty or too large.
    pub fn new(ports: u32) -> Result<Self, String> {
        Ok(Crossbar { ports: product(&[ports])? })
    }
}

impl Routes for Crossbar {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn links(&self) -> u32 {
        0
    }

    fn route(&self, _: u32, _: u32, _: impl FnMut(u32, usize)) {}
}
