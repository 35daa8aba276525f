//! Torus and mesh of any number of dimensions, with routing in the order of the dimensions.
//!
//! Each router has one port and two links for each dimension, forward and backward. A port's number counts the first
//! dimension fastest. On a torus a message takes the shorter way around; where both are equally long, messages from even
//! coordinates go forward and the others backward, so that both directions have the same load.

use super::{product, Routes};

#[derive(Clone, Debug)]
pub struct Grid {
    shape: Vec<u32>,
    ports: u32,
    wraps: bool,
}

impl Grid {
    /// # Errors
    /// The grid is empty or too large.
    pub fn torus(shape: &[u32]) -> Result<Self, String> {
        Self::new(shape, true)
    }

    /// # Errors
    /// The grid is empty or too large.
    pub fn mesh(shape: &[u32]) -> Result<Self, String> {
        Self::new(shape, false)
    }

    fn new(shape: &[u32], wraps: bool) -> Result<Self, String> {
        let ports = product(shape)?;
        product(&[ports, 2, shape.len() as u32])?;
        Ok(Grid { shape: shape.to_vec(), ports, wraps })
    }
}

impl Routes for Grid {
    fn ports(&self) -> u32 {
        self.ports
    }

    fn links(&self) -> u32 {
        self.ports * 2 * self.shape.len() as u32
    }

    #[inline]
    fn route(&self, from: u32, to: u32, mut over: impl FnMut(u32, usize)) {
        let dimensions = self.shape.len() as u32;
        let (mut at, mut stride, mut rest_from, mut rest_to) = (from, 1, from, to);
        for (dimension, n) in (0..).zip(self.shape.iter().copied()) {
            let (mut x, goal) = (rest_from % n, rest_to % n);
            (rest_from, rest_to) = (rest_from / n, rest_to / n);
            let ahead = if goal >= x { goal - x } else { goal + n - x };
            let forward = match self.wraps {
                true => 2 * ahead < n || 2 * ahead == n && x % 2 == 0,
                false => goal >= x,
            };
            while x != goal {
                over((at * dimensions + dimension) * 2 + u32::from(!forward), 0);
                let next = match forward {
                    true if x + 1 == n => 0,
                    true => x + 1,
                    false if x == 0 => n - 1,
                    false => x - 1,
                };
                at = at + next * stride - x * stride;
                x = next;
            }
            stride *= n;
        }
    }
}
