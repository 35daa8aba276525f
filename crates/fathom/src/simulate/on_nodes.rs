//! Several threads on each node of a simulated machine: the options, which become part of the machine's name, so that
//! reports and traces say it: `ib-edr:32` has 32 threads on a node, `ib-edr:32:round-robin` deals them out in turn.

use fathom_machine::Placement;
use fathom_toolchain::{Failure, Result};

const ROUND_ROBIN: &str = "round-robin";
const MOST: u32 = 1 << 20;

/// What the options say.
#[derive(Clone, Debug, Default)]
pub struct OnNodes {
    pub per_node: Option<u32>,
    pub nodes: Option<u32>,
    pub placement: Option<Placement>,
}

impl OnNodes {
    /// Takes one of these options: `value` is what stands behind it. False: it is none of them.
    ///
    /// # Errors
    /// The value is not valid.
    pub fn take(&mut self, option: &str, value: impl FnOnce() -> Result<String>) -> Result<bool> {
        match option {
            "--threads-per-node" => self.per_node = Some(count(option, &value()?)?),
            "--nodes" => self.nodes = Some(count(option, &value()?)?),
            "--placement" => self.placement = Some(placement(&value()?)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The number of threads of a job for which nobody has given it; None: these options do not say it.
    pub fn threads(&self) -> Option<u32> {
        self.nodes?.checked_mul(self.per_node?).filter(|n| *n <= MOST)
    }

    /// The machines' names with what these options say. `threads`: of the job, if it is known.
    ///
    /// # Errors
    /// The numbers do not fit together, or a name says something already.
    pub fn apply(&self, machines: &mut [String], threads: Option<u32>) -> Result<()> {
        let per_node = match (self.per_node, self.nodes, threads) {
            (None, None, _) if self.placement.is_some() => {
                return Err(Failure::new("--placement needs a number of threads on a node")
                    .hint("give --threads-per-node, or --nodes with -n"))
            }
            (None, None, _) => return Ok(()),
            (None, Some(_), None) => {
                return Err(Failure::new("--nodes alone does not say how many threads there are")
                    .hint("give -n, the number of threads, or --threads-per-node"))
            }
            (None, Some(nodes), Some(threads)) => threads.div_ceil(nodes),
            (Some(per_node), Some(nodes), Some(threads)) if threads.div_ceil(per_node) > nodes => {
                return Err(Failure::new(format!(
                    "{threads} threads, {per_node} on a node, need {} nodes, not {nodes}",
                    threads.div_ceil(per_node)
                ))
                .hint("leave one of -n, --nodes and --threads-per-node out"))
            }
            (Some(per_node), ..) => per_node,
        };
        let dealt =
            if self.placement == Some(Placement::RoundRobin) { format!(":{ROUND_ROBIN}") } else { String::new() };
        for name in machines {
            if split(name)?.1.is_some() {
                return Err(Failure::new(format!(
                    "the machine `{name}` has a number of threads on a node in its name"
                ))
                .hint("leave --threads-per-node, --nodes and --placement out"));
            }
            *name = format!("{name}:{per_node}{dealt}");
        }
        Ok(())
    }
}

/// A machine's own name, and what follows it: the threads of a node, and how they are dealt.
///
/// # Errors
/// What follows is not valid.
pub fn split(name: &str) -> Result<(&str, Option<(u32, Placement)>)> {
    let (rest, dealt) = match name.rsplit_once(':') {
        Some((rest, ROUND_ROBIN)) => (rest, Placement::RoundRobin),
        _ => (name, Placement::Blocks),
    };
    match rest.rsplit_once(':') {
        Some((own, number)) if number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty() => {
            Ok((own, Some((count("the number of threads on a node", number)?, dealt))))
        }
        _ if dealt == Placement::RoundRobin => Err(Failure::new(format!("`{name}`: how many threads are on a node?"))
            .hint(format!("for example {rest}:32:{ROUND_ROBIN}"))),
        _ => Ok((name, None)),
    }
}

fn count(what: &str, text: &str) -> Result<u32> {
    let valid = text.parse().ok().filter(|n| (1..=MOST).contains(n));
    valid.ok_or_else(|| Failure::new(format!("'{text}' is not valid for {what}: give 1 to {MOST}")))
}

/// How threads are dealt to nodes.
///
/// # Errors
/// The word is unknown.
fn placement(word: &str) -> Result<Placement> {
    match word {
        "blocks" => Ok(Placement::Blocks),
        ROUND_ROBIN => Ok(Placement::RoundRobin),
        _ => Err(Failure::new(format!("'{word}' is not a placement")).hint("blocks, or round-robin")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(on: &OnNodes, threads: Option<u32>) -> std::result::Result<String, String> {
        let mut machines = ["ib-edr".to_string()];
        on.apply(&mut machines, threads).map(|()| machines[0].clone()).map_err(|e| e.what)
    }

    #[test]
    fn options_become_part_of_the_name() {
        let on = |per_node, nodes| OnNodes { per_node, nodes, placement: None };
        assert_eq!(named(&on(None, None), Some(8)).unwrap(), "ib-edr");
        assert_eq!(named(&on(Some(4), None), None).unwrap(), "ib-edr:4");
        assert_eq!(named(&on(None, Some(3)), Some(8)).unwrap(), "ib-edr:3");
        assert_eq!(named(&on(Some(4), Some(2)), Some(8)).unwrap(), "ib-edr:4");
        assert_eq!((on(Some(128), Some(8)).threads(), on(None, Some(8)).threads()), (Some(1024), None));
        assert!(named(&on(Some(4), Some(2)), Some(9)).unwrap_err().contains("need 3 nodes, not 2"));
        assert!(named(&on(None, Some(2)), None).is_err());
        let turns = OnNodes { placement: Some(Placement::RoundRobin), ..on(Some(2), None) };
        assert_eq!(named(&turns, None).unwrap(), "ib-edr:2:round-robin");
        assert!(named(&OnNodes { per_node: None, ..turns.clone() }, None).is_err());
        assert!(turns.apply(&mut ["ib-edr:4".to_string()], None).is_err());
    }

    #[test]
    fn names_say_how_many_threads_a_node_has() {
        assert_eq!(split("t3d").unwrap(), ("t3d", None));
        assert_eq!(split("a/b.toml:12").unwrap(), ("a/b.toml", Some((12, Placement::Blocks))));
        assert_eq!(split("ib:2:round-robin").unwrap(), ("ib", Some((2, Placement::RoundRobin))));
        assert_eq!(split("odd:name").unwrap(), ("odd:name", None));
        for wrong in ["ib:0", "ib:round-robin", "ib:99999999999"] {
            assert!(split(wrong).is_err(), "{wrong}");
        }
        assert!(placement("cyclic").is_err());
    }
}
