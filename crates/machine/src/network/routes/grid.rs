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
            // Up to the last router of the row, or back to the first one; then those beyond.
            let hops = if forward { ahead } else { n - ahead };
            let before = hops.min(if forward { n - x } else { x + 1 });
            if forward {
                for _ in 0..before {
                    over(link, 0);
                    link += next;
                }
                link = if before < hops { link - next - around } else { link };
                for _ in before..hops {
                    over(link, 0);
                    link += next;
                }
            } else {
                for _ in 0..before {
                    over(link, 0);
                    link = link.wrapping_sub(next);
                }
                link = if before < hops { link.wrapping_add(next).wrapping_add(around) } else { link };
                for _ in before..hops {
                    over(link, 0);
                    link = link.wrapping_sub(next);
                }
            }
            at = at + goal * stride - x * stride;
            stride *= n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_the_links_of_the_routers_that_it_passes_one_by_one() {
        for shape in [vec![1, 5], vec![2, 3], vec![4, 4], vec![5, 2, 3], vec![6]] {
            for grid in [Grid::torus(&shape).unwrap(), Grid::mesh(&shape).unwrap()] {
                for (from, to) in (0..grid.ports).flat_map(|from| (0..grid.ports).map(move |to| (from, to))) {
                    let mut links = vec![];
                    grid.route(from, to, |link, kind| links.push((link, kind)));
                    let mut passed = vec![];
                    let (mut at, mut stride) = (from, 1);
                    for (dimension, &n) in (0..).zip(&shape) {
                        let (x, goal) = (from / stride % n, to / stride % n);
                        let ahead = (goal + n - x) % n;
                        let forward =
                            if grid.wraps { 2 * ahead < n || 2 * ahead == n && x % 2 == 0 } else { x <= goal };
                        while at / stride % n != goal {
                            passed.push((at * 2 * shape.len() as u32 + 2 * dimension + u32::from(!forward), 0));
                            let (here, step) = (at / stride % n, if forward { 1 } else { n - 1 });
                            at = at - here * stride + (here + step) % n * stride;
                        }
                        stride *= n;
                    }
                    assert_eq!(links, passed, "{shape:?}, {from} to {to}");
                }
            }
        }
    }
}
