//! Which threads of a program are on one node.

/// How threads are dealt to nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Threads of consecutive numbers are on one node.
    #[default]
    Blocks,
    /// One after the other to each node in turn.
    RoundRobin,
}

/// The threads of a program on nodes of equal size; the last nodes may have fewer threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    threads: u32,
    per_node: u32,
    placement: Placement,
}

impl Nodes {
    /// # Panics
    /// One of the numbers is 0.
    pub fn new(threads: u32, per_node: u32, placement: Placement) -> Self {
        assert!(threads > 0 && per_node > 0, "a node has threads");
        Nodes { threads, per_node, placement }
    }

    /// Every thread is alone on its node.
    pub fn single(threads: u32) -> Self {
        Nodes::new(threads, 1, Placement::Blocks)
    }

    /// The number of nodes.
    pub fn count(&self) -> u32 {
        self.threads.div_ceil(self.per_node)
    }

    /// The most threads of a node.
    pub fn per_node(&self) -> u32 {
        self.per_node.min(self.threads)
    }

    pub fn node_of(&self, thread: u32) -> u32 {
        match self.placement {
            Placement::Blocks => thread / self.per_node,
            Placement::RoundRobin => thread % self.count(),
        }
    }

    /// The thread's number among those of its node.
    pub fn index_of(&self, thread: u32) -> u32 {
        match self.placement {
            Placement::Blocks => thread % self.per_node,
            Placement::RoundRobin => thread / self.count(),
        }
    }

    /// The threads of a node, in the order of their numbers.
    pub fn members(&self, node: u32) -> impl Iterator<Item = u32> {
        let (first, end, step) = match self.placement {
            Placement::Blocks => (node * self.per_node, (node * self.per_node + self.per_node).min(self.threads), 1),
            Placement::RoundRobin => (node, self.threads, self.count()),
        };
        (first..end).step_by(step as usize)
    }

    /// How many these are.
    pub fn size(&self, node: u32) -> u32 {
        self.members(node).count() as u32
    }

    /// The first of these, which speaks with other nodes.
    pub fn leader(&self, node: u32) -> u32 {
        match self.placement {
            Placement::Blocks => node * self.per_node,
            Placement::RoundRobin => node,
        }
    }

    pub fn are_near(&self, a: u32, b: u32) -> bool {
        self.node_of(a) == self.node_of(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_is_on_one_node_at_a_place_of_its_own() {
        for placement in [Placement::Blocks, Placement::RoundRobin] {
            for (threads, per_node) in [(1, 1), (1, 4), (7, 3), (8, 4), (10, 4), (9, 16)] {
                let nodes = Nodes::new(threads, per_node, placement);
                let mut seen = vec![];
                for node in 0..nodes.count() {
                    assert_eq!(nodes.members(node).next(), Some(nodes.leader(node)));
                    assert!((1..=per_node).contains(&nodes.size(node)));
                    for (index, thread) in nodes.members(node).enumerate() {
                        assert_eq!((nodes.node_of(thread), nodes.index_of(thread)), (node, index as u32));
                        seen.push(thread);
                    }
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..threads).collect::<Vec<_>>(), "{nodes:?}");
            }
        }
    }

    #[test]
    fn neighbours_are_together_in_blocks_and_apart_in_turns() {
        let (blocks, turns) = (Nodes::new(8, 4, Placement::Blocks), Nodes::new(8, 4, Placement::RoundRobin));
        assert_eq!((blocks.are_near(0, 1), blocks.are_near(3, 4)), (true, false));
        assert_eq!((turns.are_near(0, 1), turns.are_near(0, 2)), (false, true));
    }
}
