//! EM3D's computation on one processor, without remote edges: the accesses of an unrolled loop on a simulated node, and
//! between them operations at their costs (`work` of the machine file).
//!
//! A program under `fathom simulate` is charged for its operations and not for misses in caches; here are the misses, too.
//! They rest on where nodes and edges lie ([`Layout`]), which the T3D study does not print.

use fathom_machine::description::WORK;
use fathom_machine::{node, Description, Node, Time};

/// Nodes of each kind on a processor, and the edges of each.
const NODES: u64 = 500;
const DEGREE: u64 = 20;
/// Half steps: the first fills the cache, the others count.
const HALVES: u64 = 4;
const WORD: u64 = 8;
/// Nodes that are computed side by side.
const SIDE_BY_SIDE: u64 = 4;

/// How the graph lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes from one node's value to the next: 8 in an array of values, more where a node is a structure.
    pub node: u64,
    /// Bytes of a reference to a neighbour: 8 of a pointer, 4 of an index.
    pub neighbour: u64,
}

impl Layout {
    /// Arrays of values, weights and indices, as in examples/em3d.
    pub const ARRAYS: Layout = Layout { node: 8, neighbour: 4 };
}

/// Where the pieces of a kind begin, one after the other, as an allocator gives them out: weights, neighbours, nodes.
struct Part {
    weight: u64,
    neighbour: u64,
    value: u64,
}

impl Part {
    /// The pieces from `base` on, and the first address after them.
    fn new(base: u64, layout: Layout) -> (Self, u64) {
        // An allocator's own words stand before each piece.
        let own = 16;
        let weight = base + own;
        let neighbour = weight + WORD * NODES * DEGREE + own;
        let value = neighbour + layout.neighbour * NODES * DEGREE + own;
        (Part { weight, neighbour, value }, value + layout.node * NODES)
    }
}

/// A processor that computes.
struct Computes {
    node: Node<()>,
    now: Time,
    costs: Costs,
}

/// Picoseconds of what is no access.
struct Costs {
    /// An edge's multiplication and addition, the address of the neighbour's value, and its share of the loop.
    edge: Time,
    /// A load that hits, as instructions go.
    load: Time,
    store: Time,
}

impl Computes {
    /// A load costs its instruction, and the wait for a line that is not there.
    fn load(&mut self, at: u64) {
        let hit = self.now + self.costs.load;
        self.now = self.node.processor.load(&mut self.node.memory, self.now, at & !7).free.max(hit);
    }

    fn store(&mut self, at: u64) {
        let free = self.node.processor.store(&mut self.node.memory, self.now, at, ());
        self.now = free.max(self.now + self.costs.store);
    }
}

/// ns for an edge.
///
/// # Errors
/// The description describes no node, or does not say what operations cost.
pub fn local_edge(description: &Description, layout: Layout) -> Result<f64, String> {
    let costs = description.work_costs()?.ok_or("it has no table `work`")?;
    let of = |class: &str| WORK.iter().position(|c| *c == class).map_or(0.0, |i| costs[i]);
    // Two operations of floating point; a scaled addition for the address, if there is an index; of the loop over four
    // nodes at a time a count, two addresses and a branch.
    let address = if layout.neighbour < WORD { of("integer") } else { 0.0 };
    let edge = 2.0 * of("float") + address + (3.0 * of("integer") + of("branch")) / SIDE_BY_SIDE as f64;
    let costs = Costs { edge: edge.round() as Time, load: of("load") as Time, store: of("store") as Time };
    let mut p = Computes { node: node(description)?, now: 0, costs };
    let (one, next) = Part::new(1 << 16, layout);
    let parts = [one, Part::new(next, layout).0];
    let mut random = fastrand::Rng::with_seed(1);
    let neighbours: Vec<u64> = (0..2 * NODES * DEGREE).map(|_| random.u64(0..NODES)).collect();
    let mut began = 0;
    for half in 0..HALVES {
        if half == 2 {
            began = p.now;
        }
        let kind = half % 2;
        let (mine, other) = (&parts[kind as usize], &parts[1 - kind as usize]);
        for first in (0..NODES).step_by(SIDE_BY_SIDE as usize) {
            for k in 0..DEGREE {
                for node in first..first + SIDE_BY_SIDE {
                    let edge = node * DEGREE + k;
                    p.load(mine.weight + WORD * edge);
                    p.load(mine.neighbour + layout.neighbour * edge);
                    p.load(other.value + layout.node * neighbours[(kind * NODES * DEGREE + edge) as usize]);
                    p.now += p.costs.edge;
                }
            }
            (first..first + SIDE_BY_SIDE).for_each(|node| p.store(mine.value + layout.node * node));
        }
    }
    Ok((p.now - began) as f64 / 1000.0 / ((HALVES - 2) * NODES * DEGREE) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t3d() -> Description {
        Description::of_file(include_str!("../../../machines/t3d.toml")).unwrap().unwrap()
    }

    #[test]
    fn misses_are_most_of_it_and_grow_with_the_nodes() {
        let t3d = t3d();
        let of = |node, neighbour| local_edge(&t3d, Layout { node, neighbour }).unwrap();
        let [arrays, pointers, structures] = [local_edge(&t3d, Layout::ARRAYS).unwrap(), of(8, 8), of(64, 8)];
        // Where everything is in the cache there are the operations alone: about 17 cycles.
        let all = local_edge(&t3d.with_factor("cache.size", 128.0).unwrap(), Layout::ARRAYS).unwrap();
        assert!((80.0..130.0).contains(&all), "{all}");
        assert!(
            arrays > 1.5 * all && pointers > arrays && structures > 1.3 * pointers,
            "{arrays} {pointers} {structures}"
        );
    }
}
