//! From a description to a machine.

use crate::access::Data;
use crate::description::Description;
use crate::parts::{self, Next};
use crate::processor::Processor;

/// One processor and its memory.
pub struct Node<D> {
    pub processor: Processor,
    pub memory: Next<D>,
}

/// Builds the node that is described.
///
/// # Errors
/// A sentence that names the part and the figure.
pub fn node<D: Data>(description: &Description) -> Result<Node<D>, String> {
    description.check_node()?;
    let figures = description.of_processor();
    let processor = Processor::new(&figures)?;
    figures.finish()?;
    // From the last part to the first: the description has no cycle.
    let mut chain = vec![description.memory.as_str()];
    while let Some(next) = chain.last().and_then(|name| description.parts.get(*name)?.next.as_deref()) {
        chain.push(next);
    }
    if let Some(unused) = description.parts.keys().find(|name| !chain.contains(&name.as_str())) {
        return Err(format!("nothing asks the part `{unused}`"));
    }
    let mut memory: Option<Next<D>> = None;
    for name in chain.into_iter().rev() {
        let part = description.parts.get(name).ok_or_else(|| format!("there is no part `{name}`"))?;
        let built = parts::build(&part.kind, description.of_part(name), memory);
        memory = Some(built.map_err(|why| format!("part `{name}`: {why}"))?);
    }
    let memory = memory.ok_or("the machine has no memory")?;
    Ok(Node { processor, memory })
}
