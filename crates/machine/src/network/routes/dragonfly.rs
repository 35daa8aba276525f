//! A dragonfly: groups of routers; within a group each router has a link to each other, and each group has links to every
//! other (kind 1). Messages take the shortest way: a local link to the router that has the long one, the long link, and a
//! local link, where each is needed.
//!
//! A router has `global` long links. Those of a group, in the order of its routers, lead to the other groups in their
//! order, and again from the first until they are used up. Where several lead to one group, the destination's router
//! decides. Source: Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology (2008).

use super::{product, Routes};

#[derive(Clone, Debug)]
pub struct Dragonfly {
    groups: u32,
    routers: u32,
    per_router: u32,
    global: u32,
    /// Long links from one group to one other.
    parallel: u32,
    ports: u32,
}

impl Dragonfly {
    /// `groups` of `routers`, each with `per_router` ports and `global` long links.
    ///
    /// # Errors
    /// It is empty or too large, or there are too few long links.
    pub fn new(groups: u32, routers: u32, per_router: u32, global: u32) -> Result<Self, String> {
        let ports = product(&[groups, routers, per_router])?;
        product(&[groups, routers, routers.saturating_add(global)])?;
        let others = groups - 1;
        let long = routers * global;
        if long < others {
            return Err(format!("a group has {long} long links, but there are {others} other groups"));
        }
        let parallel = long.checked_div(others).unwrap_or(0);
        Ok(Dragonfly { groups, routers, per_router, global, parallel, ports })
    }

    /// Local links are numbered by group, from and to; a place of a router to itself stays unused.
    fn local(&self, group: u32, from: u32, to: u32) -> u32 {
        (group * self.routers + from) * self.routers + to
    }

    /// The number of the long link, within its group, that is the `nth` to group `to`.
    fn long(&self, group: u32, to: u32, nth: u32) -> u32 {
        let place = if to < group { to } else { to - 1 };
        nth * (self.groups - 1) + place
    }
}

impl Routes for Dragonfly {
    const HAS_LONG_LINKS: bool = true;

    fn ports(&self) -> u32 {
        self.ports
    }

    fn links(&self) -> u32 {
        self.groups * self.routers * (self.routers + self.global)
    }

    fn route(&self, from: u32, to: u32, mut over: impl FnMut(u32, usize)) {
        let (from, to) = (from / self.per_router, to / self.per_router);
        let (from_group, to_group) = (from / self.routers, to / self.routers);
        let (mut at, goal) = (from % self.routers, to % self.routers);
        if from_group != to_group {
            let nth = goal % self.parallel;
            let long = self.long(from_group, to_group, nth);
            let gate = long / self.global;
            if at != gate {
                over(self.local(from_group, at, gate), 0);
            }
            let first = self.groups * self.routers * self.routers;
            over(first + from_group * self.routers * self.global + long, 1);
            at = self.long(to_group, from_group, nth) / self.global;
        }
        if at != goal {
            over(self.local(to_group, at, goal), 0);
        }
    }
}
