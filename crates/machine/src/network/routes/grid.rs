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
    /// The coordinates of each port, one port's after the other's; none of a grid that is too large.
    coordinates: Vec<u16>,
}

/// The most ports of which the coordinates are kept, instead of being divided out for each message.
const KEPT: u32 = 1 << 16;

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
        let mut coordinates = vec![];
        for mut rest in 0..if ports <= KEPT { ports } else { 0 } {
            for n in shape {
                coordinates.push((rest % n) as u16);
                rest /= n;
            }
        }
        Ok(Grid { shape: shape.to_vec(), ports, wraps, coordinates })
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
        let dimensions = self.shape.len();
        let of = |port: u32| self.coordinates.get(port as usize * dimensions..).unwrap_or_default();
        let (kept_from, kept_to) = (of(from), of(to));
        let (mut at, mut stride, mut rest_from, mut rest_to) = (from, 1, from, to);
        for (dimension, n) in self.shape.iter().copied().enumerate() {
            let (x, goal) = match (kept_from.get(dimension), kept_to.get(dimension)) {
                (Some(x), Some(goal)) => (u32::from(*x), u32::from(*goal)),
                _ => {
                    let both = (rest_from % n, rest_to % n);
                    (rest_from, rest_to) = (rest_from / n, rest_to / n);
                    both
                }
            };
            let ahead = if goal >= x { goal - x } else { goal + n - x };
            let forward = match self.wraps {
                true => 2 * ahead < n || 2 * ahead == n && x % 2 == 0,
                false => goal >= x,
            };
            // From a router's link to the same one of the next router, and from the last router's to the first's.
            let links = 2 * dimensions as u32;
            let (next, around) = (stride * links, stride * links * (n - 1));
            let mut link = at * links + 2 * dimension as u32 + u32::from(!forward);
            let mut place = x;
            if forward {
                for _ in 0..ahead {
                    over(link, 0);
                    place += 1;
                    link = if place == n { link - around } else { link + next };
                    place = if place == n { 0 } else { place };
                }
            } else {
                for _ in 0..n - ahead {
                    over(link, 0);
                    link = if place == 0 { link + around } else { link - next };
                    place = if place == 0 { n - 1 } else { place - 1 };
                }
            }
            at = at + goal * stride - x * stride;
            stride *= n;
        }
    }
}
