//! From a description to a machine.

use crate::access::Data;
use crate::description::{Description, Part};
use crate::network::{self, near::Near};
use crate::parts::barrier::Barrier;
use crate::parts::block_transfer::BlockTransfer;
use crate::parts::bus::{Bus, Master};
use crate::parts::coherent::CoherentCache;
use crate::parts::hypernode::{self, Port, System};
use crate::parts::messages::Messages;
use crate::parts::registers::Registers;
use crate::parts::shell::{Around, Own, Shared, Shell};
use crate::parts::{self, Next};
use crate::processor::Processor;
use crate::{prefetch_all, Time};
use std::cell::RefCell;
use std::rc::Rc;

/// One processor and its memory.
pub struct Node<D> {
    pub processor: Processor,
    pub memory: Next<D>,
    /// What makes memory of other processors reachable, if the machine has it.
    pub shell: Option<Rc<RefCell<Shell<D>>>>,
    /// What the processor shares with others of its node.
    pub bus: Option<Rc<RefCell<Bus<D>>>>,
}

/// Processors, their memories, and what connects them.
pub struct Machine<D> {
    pub nodes: Vec<Node<D>>,
    pub devices: Devices,
    pub(crate) around: Option<Rc<RefCell<Around<D>>>>,
}

/// What stands beside the memories, as far as the machine has it.
#[derive(Default)]
pub struct Devices {
    pub registers: Option<Registers>,
    pub transfers: Option<BlockTransfer>,
    pub messages: Option<Messages>,
    pub barrier: Option<Barrier>,
}

/// Builds once what is described, a node of it, so that each mistake in a figure is found.
///
/// # Errors
/// A sentence that names the figure.
pub fn check(description: &Description) -> Result<(), String> {
    if description.network.is_some() {
        network::build(description)?;
    }
    if !description.near.is_empty() {
        Near::new(description, 1)?;
    }
    match description.check_node() {
        Ok(()) => node::<()>(description).map(drop),
        Err(_) => Ok(()), // a network only
    }
}

/// Builds the node that is described.
///
/// # Errors
/// A sentence that names the part and the figure.
pub fn node<D: Data>(description: &Description) -> Result<Node<D>, String> {
    machine(description, 1)?.nodes.pop().ok_or_else(|| "the machine has no node".into())
}

/// Builds a machine with this many processors.
///
/// # Errors
/// A sentence that names the part and the figure.
pub fn machine<D: Data>(description: &Description, processors: u32) -> Result<Machine<D>, String> {
    description.check_node()?;
    // From the first part to the last: the description has no cycle.
    let mut chain = vec![description.memory.as_str()];
    while let Some(next) = chain.last().and_then(|name| description.parts.get(*name)?.next.as_deref()) {
        chain.push(next);
    }
    let is_beside = |kind: &str| parts::DEVICES.contains(&kind);
    let in_chain = |(name, part): &(&String, &Part)| chain.contains(&name.as_str()) || is_beside(&part.kind);
    if let Some((unused, _)) = description.parts.iter().find(|part| !in_chain(part)) {
        return Err(format!("nothing asks the part `{unused}`"));
    }
    let has_shell = chain.iter().any(|name| description.parts.get(*name).is_some_and(|p| p.kind == SHELL));
    let around = match has_shell {
        true => {
            let network = network::build(description)?;
            if network.nodes() < processors {
                return Err(format!("the network joins {} processors, not {processors}", network.nodes()));
            }
            let driven_out = vec![vec![]; processors as usize];
            Some(Rc::new(RefCell::new(Around { network, memories: vec![], driven_out })))
        }
        false => None,
    };
    // From a hypernode on, all processors share what is behind their caches.
    let kind_of = |name: &&str| description.parts.get(*name).map(|p| p.kind.as_str());
    let own = chain.iter().position(|name| kind_of(name) == Some(hypernode::KINDS[0])).unwrap_or(chain.len());
    let system = match &chain[own..] {
        [] => None,
        parts => Some(Rc::new(RefCell::new(System::new(description, parts, processors)?))),
    };
    let mut trip: Box<Trip> = match has_shell {
        true => Box::new(one_hop_trip(description)?),
        false => Box::new(|_, _| 0),
    };
    let mut nodes = vec![];
    let mut figures_of_shells = None;
    for me in 0..processors {
        let figures = description.of_processor();
        let processor = Processor::new(&figures)?;
        figures.finish()?;
        let mut memory = system.as_ref().map(|system| Box::new(Port::new(me, system)) as Next<D>);
        let (mut shell, mut bus) = (None, None);
        for name in chain[..own].iter().rev() {
            let part = description.parts.get(*name).ok_or_else(|| format!("there is no part `{name}`"))?;
            let behind = memory.take();
            let built = match &around {
                Some(around) if part.kind == SHELL => {
                    shell_of(description, name, me, behind, around, &mut figures_of_shells, &mut trip).map(
                        |(next, new)| {
                            shell = Some(new);
                            next
                        },
                    )
                }
                _ if part.kind == BUS => bus_of(description, name, behind).map(|new| {
                    bus = Some(new.clone());
                    Box::new(Master::new(new, 0)) as Next<D>
                }),
                _ => match &system {
                    Some(system) if part.kind == COHERENT => cache_of(description, name, behind, system),
                    _ => parts::build(&part.kind, description.of_part(name), behind),
                },
            };
            memory = Some(built.map_err(|why| format!("part `{name}`: {why}"))?);
        }
        nodes.push(Node { processor, memory: memory.ok_or("the machine has no memory")?, shell, bus });
    }
    let devices = devices(description, processors, &mut trip)?;
    Ok(Machine { nodes, devices, around })
}

/// Builds what stands beside the memories.
fn devices(description: &Description, processors: u32, trip: &mut Trip) -> Result<Devices, String> {
    let mut built = Devices::default();
    for (name, part) in description.parts.iter().filter(|(_, part)| parts::DEVICES.contains(&part.kind.as_str())) {
        let figures = description.of_part(name);
        let mut build = || -> Result<(), String> {
            match part.kind.as_str() {
                "registers" => built.registers = Some(Registers::new(&figures, processors, trip)?),
                "block-transfer" => {
                    built.transfers = Some(BlockTransfer::new(&figures, processors, share(description)?)?);
                }
                "messages" => built.messages = Some(Messages::new(&figures, processors)?),
                _ => built.barrier = Some(Barrier::new(&figures, processors)?),
            }
            match part.next {
                Some(_) => Err("it asks no part: `next` has no meaning".into()),
                None => Ok(()),
            }
        };
        build().and_then(|()| figures.finish()).map_err(|why| format!("part `{name}`: {why}"))?;
    }
    Ok(built)
}

/// The kind of part that needs to know the whole machine.
pub const SHELL: &str = "t3d-shell";

/// The kind of part that others of the node share.
const BUS: &str = "bus";

fn bus_of<D: Data>(
    description: &Description,
    name: &str,
    behind: Option<Next<D>>,
) -> Result<Rc<RefCell<Bus<D>>>, String> {
    let figures = description.of_part(name);
    let bus = Bus::new(&figures, behind.ok_or("it needs a part behind it: `next`")?)?;
    figures.finish()?;
    Ok(Rc::new(RefCell::new(bus)))
}

impl<D: Data> Node<D> {
    /// What another processor of this node asks: its own parts, as described, up to the bus that all share. `number`
    /// tells the masters of the bus apart; 0 is the first processor.
    ///
    /// # Errors
    /// The node has no bus.
    pub fn beside(&self, description: &Description, number: usize) -> Result<Next<D>, String> {
        let bus = self.bus.clone().ok_or("the node has no bus that processors share")?;
        let mut own = vec![];
        let mut name = description.memory.as_str();
        while let Some(part) = description.parts.get(name).filter(|part| part.kind != BUS) {
            own.push((name, part));
            name = part.next.as_deref().unwrap_or_default();
        }
        let mut next: Next<D> = Box::new(Master::new(bus, number));
        for (name, part) in own.into_iter().rev() {
            next = parts::build(&part.kind, description.of_part(name), Some(next))?;
        }
        Ok(next)
    }
}

/// The kind of cache into which others look.
const COHERENT: &str = "coherent-cache";

fn cache_of<D: Data>(
    description: &Description,
    name: &str,
    behind: Option<Next<D>>,
    system: &Rc<RefCell<System<D>>>,
) -> Result<Next<D>, String> {
    let figures = description.of_part(name);
    let cache = CoherentCache::new(&figures, behind.ok_or("it needs a part behind it: `next`")?)?;
    figures.finish()?;
    system.borrow_mut().join(cache.lines(), cache.line())?;
    Ok(Box::new(cache))
}

type BuiltShell<D> = (Next<D>, Rc<RefCell<Shell<D>>>);

/// The shell of a processor; `own` has the figures of all shells, once the first one is built.
fn shell_of<D: Data>(
    description: &Description,
    name: &str,
    me: u32,
    behind: Option<Next<D>>,
    around: &Rc<RefCell<Around<D>>>,
    own: &mut Option<Rc<Own>>,
    trip: &mut Trip,
) -> Result<BuiltShell<D>, String> {
    let behind = behind.ok_or("it needs a part behind it: `next`")?;
    let local: Shared<D> = Rc::new(RefCell::new(behind));
    around.borrow_mut().memories.push(local.clone());
    let own = match own {
        Some(own) => own.clone(),
        None => {
            let figures = description.of_part(name);
            let new = Rc::new(Own::new(&figures, trip)?);
            figures.finish()?;
            own.insert(new).clone()
        }
    };
    let shell = Rc::new(RefCell::new(Shell::new(own, me, local, around.clone())));
    Ok((Box::new(shell.clone()), shell))
}

/// How long a request of so many bytes and a reply of so many take over one hop of an idle network.
type Trip = dyn FnMut(u64, u64) -> Time;

/// The trip between processor 0 and the first that does not share its port.
fn one_hop_trip(description: &Description) -> Result<impl FnMut(u64, u64) -> Time + 'static, String> {
    let mut idle = network::build(description)?;
    let away = share(description)?;
    if idle.nodes() <= away {
        return Err("the network joins one node only: a shell needs others".into());
    }
    let mut now = 0;
    Ok(move |there: u64, back: u64| {
        now += 1_000_000_000; // long enough after the last one for everything to be idle
        let out = idle.carry(now, 0, away, there);
        idle.carry(out.tail, away, 0, back).tail - now
    })
}

/// The number of processors that share a port of the network.
fn share(description: &Description) -> Result<u32, String> {
    let figures = description.of_network();
    let share = if figures.has("share") { figures.count("share")? } else { 1 };
    u32::try_from(share).map_err(|_| "figure `network.share` is too large".into())
}

impl<D: Data> Machine<D> {
    /// The memory of a processor behind its shell, which others use, too. None without a shell.
    pub fn memory(&self, processor: usize) -> Option<Shared<D>> {
        self.around.as_ref()?.borrow().memories.get(processor).cloned()
    }

    /// Lets everything take effect that is due at `now`: stores that have arrived, and lines that they drive out of
    /// caches. Call it before an access of any processor, in the order of time.
    pub fn settle(&mut self, now: Time) {
        for me in 0..self.nodes.len() {
            // What some of the next nodes need, this computer's processor begins to read.
            if let Some(next) = self.nodes.get(me + 8) {
                prefetch_all(&*next.memory);
            }
            if let Some(next) = self.nodes.get(me + 4) {
                next.memory.expect();
            }
            self.nodes[me].memory.settle(now);
        }
        // Without contents nothing is driven out of caches.
        let Some(around) = self.around.as_ref().filter(|_| D::IS_CARRIED) else { return };
        for me in 0..self.nodes.len() {
            let mut due = vec![];
            around.borrow_mut().driven_out[me].retain(|&(when, at)| {
                if when <= now {
                    due.push(at);
                }
                when > now
            });
            due.into_iter().for_each(|at| self.nodes[me].memory.forget(at));
        }
    }
}
