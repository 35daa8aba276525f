//! The description of a simulated machine: parts, wired by name, and figures, each with its source.
//!
//! A part is a table with its `kind`, the part that it asks (`next`), and figures. The network is a table `network` with
//! its `kind` and figures. A figure is a table with its `value` and one word for its status:
//!
//! ```toml
//! on_page = { value = "145 ns", printed = "T3D study, section 2.2" }
//! busy = { value = "264 ns - memory.on_page - memory.off_page", derived = "T3D study, section 2.2" }
//! hop = { value = "2.5 cycles", assumed = "the middle of what is printed", range = ["13 ns", "20 ns"] }
//! entries = { value = 32, other = "Alpha 21064 manual" }
//! ```
//!
//! Figures are asked for by name while the machine is built. Names that nothing has asked for are errors.

mod changes;
mod wanted;

pub use wanted::Wanted;

use crate::nodes::{Nodes, Placement};
use crate::quantity::{self, Quantity};
use crate::similar::did_you_mean;
use crate::Time;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A simulated machine: a node, a network, or both.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// What is modelled and what not, in a few sentences.
    pub about: String,
    /// The part that the processor asks; empty if no node is described.
    #[serde(default)]
    pub memory: String,
    /// The processor's figures.
    #[serde(default)]
    pub processor: BTreeMap<String, Figure>,
    #[serde(default)]
    pub parts: BTreeMap<String, Part>,
    /// What moves data to and from the network beside the parts that the processor asks, each by its kind.
    #[serde(default)]
    pub engines: BTreeMap<String, Part>,
    /// What compiled code costs besides its accesses.
    #[serde(default)]
    pub code: BTreeMap<String, Figure>,
    /// What the operations of a program's own code cost, by their class: all of [`WORK`], or nothing.
    #[serde(default)]
    pub work: BTreeMap<String, Figure>,
    /// What carries messages between the nodes.
    pub network: Option<Part>,
    /// What threads on one node share; empty if nothing is said of it.
    #[serde(default)]
    pub near: BTreeMap<String, Figure>,
    /// The most threads of a node, and how threads are dealt to nodes; None: nobody has said.
    #[serde(skip)]
    per_node: Option<(u32, Placement)>,
    /// Figures that were changed: factors by name.
    #[serde(skip)]
    changed: BTreeMap<String, f64>,
    #[serde(skip)]
    without: BTreeSet<String>,
    #[serde(skip)]
    with: BTreeSet<String>,
    /// Parts that were left out: other figures may follow from theirs.
    #[serde(skip)]
    removed: BTreeMap<String, Part>,
}

/// A part, or the network, as described.
#[derive(Clone, Debug, Deserialize)]
pub struct Part {
    pub kind: String,
    /// The part that this one asks; None for the last.
    pub next: Option<String>,
    #[serde(flatten)]
    pub figures: BTreeMap<String, Figure>,
}

/// A figure: a value and where it comes from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub value: Content,
    pub printed: Option<String>,
    pub derived: Option<String>,
    pub assumed: Option<String>,
    pub other: Option<String>,
    /// When, on which computer and how it was measured.
    pub measured: Option<String>,
    /// The least and the greatest value that an assumed figure may have, that other sources give, or between which a
    /// measured one lies.
    pub range: Option<[Content; 2]>,
    /// The names of the values by which probes should find it.
    #[serde(default)]
    pub seen: Vec<String>,
}

/// How a formula leads to another one: the names of the figures, and how many were asked for. Both are bounded, so that no
/// file takes the stack or the day.
#[derive(Default)]
struct Way {
    names: Vec<String>,
    asked: u32,
}

impl Way {
    const LONGEST: usize = 32;
    const MOST: u32 = 10_000;
}

/// A value as written.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Content {
    Switch(bool),
    Number(f64),
    /// A formula, or a word.
    Text(String),
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Content::Switch(true) => f.write_str("yes"),
            Content::Switch(false) => f.write_str("no"),
            Content::Number(number) => write!(f, "{number}"),
            Content::Text(text) => f.write_str(text),
        }
    }
}

/// Who answers another thread's puts and gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serves {
    /// The network's interface, at once.
    Network,
    /// Something beside the thread's processor, such as a progress thread: for so long, one request after the other.
    Beside(Time),
    /// The thread's processor: a transfer is a message and its answer, each with its overheads.
    Processor,
}

/// How a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The study prints it.
    Printed,
    /// It follows from printed figures.
    Derived,
    /// `fathom probe` measured it.
    Measured,
    /// Another source gives it.
    Other,
    /// The study does not give it.
    Assumed,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Status::Printed => "printed",
            Status::Derived => "derived",
            Status::Measured => "measured",
            Status::Other => "another source",
            Status::Assumed => "assumed",
        }
    }
}

impl Figure {
    /// The status and the source, which for an assumption is its reason.
    pub fn origin(&self) -> (Status, &str) {
        let kinds = [
            (Status::Printed, &self.printed),
            (Status::Derived, &self.derived),
            (Status::Measured, &self.measured),
            (Status::Other, &self.other),
            (Status::Assumed, &self.assumed),
        ];
        kinds.iter().find_map(|(status, source)| Some((*status, source.as_deref()?))).unwrap_or((Status::Assumed, ""))
    }

    fn check(&self, name: &str) -> Result<(), String> {
        let said = [&self.printed, &self.derived, &self.measured, &self.assumed, &self.other].into_iter().flatten();
        match said.map(|s| !s.trim().is_empty()).collect::<Vec<bool>>()[..] {
            [true] => {}
            _ => {
                return Err(format!(
                    "figure `{name}` needs one of printed, derived, measured, assumed, other, with the source"
                ))
            }
        }
        match (&self.assumed, &self.range) {
            (None, Some(_)) if self.other.is_none() && self.measured.is_none() => {
                Err(format!("figure `{name}` has a range, but the study itself gives it"))
            }
            _ => Ok(()),
        }
    }
}

/// The parts of names that stand for the processor, for code, for a program's own operations, and for the network.
const PROCESSOR: &str = "processor";
const CODE: &str = "code";
const OPERATIONS: &str = "work";
const NETWORK: &str = "network";
/// And for what threads on one node share.
const NEAR: &str = "near";

/// The classes of a program's own operations, in the order in which compiled programs count them
/// (runtime/conduit/work.h).
pub const WORK: [&str; 10] =
    ["integer", "multiply", "divide", "float", "float_divide", "load", "store", "branch", "call", "shared"];

impl Description {
    /// The description in a machine file's table `simulated`; None if there is none.
    ///
    /// # Errors
    /// A sentence about the first mistake.
    pub fn of_file(text: &str) -> Result<Option<Self>, String> {
        #[derive(Deserialize)]
        struct File {
            simulated: Option<Description>,
        }
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        if let Some(description) = &file.simulated {
            description.check()?;
        }
        Ok(file.simulated)
    }

    fn check(&self) -> Result<(), String> {
        for (name, figure) in self.figures() {
            figure.check(&name)?;
            if figure.assumed.is_some() && figure.range.is_none() && self.quantity(&name).is_ok() {
                return Err(format!("figure `{name}` is assumed: it needs a range"));
            }
            self.check_range(&name)?;
        }
        if self.network.as_ref().is_some_and(|network| network.next.is_some()) {
            return Err("a network asks no part: `next` has no meaning".into());
        }
        let has_node = !(self.memory.is_empty() && self.processor.is_empty() && self.parts.is_empty());
        if has_node {
            self.check_node()?;
        } else if self.network.is_none() && self.near.is_empty() {
            return Err("the machine has neither a node (memory, processor, parts) nor a network".into());
        }
        let asked = self.parts.iter().filter_map(|(name, part)| Some((name.as_str(), part.next.as_deref()?)));
        for (asker, next) in asked.chain(has_node.then_some((PROCESSOR, self.memory.as_str()))) {
            if !self.parts.contains_key(next) {
                return Err(format!("`{asker}` asks `{next}`, which is not a part"));
            }
        }
        if !self.work.is_empty() {
            self.work_costs()?;
        }
        if let Some(name) =
            [PROCESSOR, CODE, OPERATIONS, NETWORK, NEAR].into_iter().find(|name| self.parts.contains_key(*name))
        {
            return Err(format!("a part cannot be called `{name}`"));
        }
        let is_taken = |name: &str| [PROCESSOR, NETWORK, NEAR].contains(&name) || self.parts.contains_key(name);
        if let Some(name) = self.engines.keys().find(|name| is_taken(name)) {
            return Err(format!("an engine cannot be called `{name}`, which is the name of something else"));
        }
        for name in self.parts.keys() {
            let mut at = name;
            for _ in 0..self.parts.len() {
                match &self.parts[at].next {
                    Some(next) => at = next,
                    None => break,
                }
            }
            if self.parts[at].next.is_some() {
                return Err(format!("the part `{name}` asks itself, over others: there must be a last part"));
            }
        }
        Ok(())
    }

    /// Checks that a figure's range, if it has one, is of its unit, and that the figure lies within.
    fn check_range(&self, name: &str) -> Result<(), String> {
        let Some([low, high]) = self.range(name)? else { return Ok(()) };
        // A shape has no unit, and what is wrong with a value is said when the machine is built.
        let Ok(own) = self.quantity(name) else { return Ok(()) };
        if let Some(other) = [low, high].iter().find(|end| end.unit != own.unit) {
            return Err(format!("figure `{name}` is {}, and its range {}", own.unit, other.unit));
        }
        // Probes write what they found, rounded, and a value that follows from two others can lie beside its interval.
        let slack = if self.figure(name)?.measured.is_some() { f64::INFINITY } else { 1e-9 * own.value.abs() };
        let is_within = low.value <= own.value + slack && own.value - slack <= high.value;
        match is_within && low.value <= high.value {
            true => Ok(()),
            false => Err(format!("figure `{name}` is not within its range, which is [least, greatest]")),
        }
    }

    /// Checks that a node is described.
    ///
    /// # Errors
    /// What is missing.
    pub fn check_node(&self) -> Result<(), String> {
        let missing: Vec<&str> = [
            ("memory", self.memory.is_empty()),
            ("processor", self.processor.is_empty()),
            ("parts", self.parts.is_empty()),
        ]
        .iter()
        .filter_map(|(name, is_missing)| is_missing.then_some(*name))
        .collect();
        match missing[..] {
            [] => Ok(()),
            [_, _, _] => Err("the machine has no node: its description has a network only".into()),
            _ => Err(format!("the description of a node lacks {}", missing.join(" and "))),
        }
    }

    /// All figures with their full names, `part.figure`.
    pub fn figures(&self) -> impl Iterator<Item = (String, &Figure)> {
        let own = self.processor.iter().map(|(name, figure)| (format!("{PROCESSOR}.{name}"), figure));
        let network = self
            .network
            .iter()
            .flat_map(|network| network.figures.iter().map(|(name, figure)| (format!("{NETWORK}.{name}"), figure)));
        let near = self.near.iter().map(|(name, figure)| (format!("{NEAR}.{name}"), figure));
        let parts = self.parts.iter().flat_map(|(part, described)| {
            described.figures.iter().map(move |(name, figure)| (format!("{part}.{name}"), figure))
        });
        let engines = self.engines.iter().flat_map(|(engine, described)| {
            described.figures.iter().map(move |(name, figure)| (format!("{engine}.{name}"), figure))
        });
        let code = self.code.iter().map(|(name, figure)| (format!("{CODE}.{name}"), figure));
        let work = self.work.iter().map(|(name, figure)| (format!("{OPERATIONS}.{name}"), figure));
        own.chain(parts).chain(engines).chain(code).chain(work).chain(network).chain(near)
    }

    fn figure(&self, name: &str) -> Result<&Figure, String> {
        let (part, key) = name.split_once('.').ok_or_else(|| format!("figures are called PART.NAME, not `{name}`"))?;
        let figures = self.figures_of(part).ok_or_else(|| format!("there is no part `{part}`"))?;
        figures.get(key).ok_or_else(|| format!("there is no figure `{name}`"))
    }

    /// The figures of a part, of an engine, of the processor, of code, or of the network.
    fn figures_of(&self, part: &str) -> Option<&BTreeMap<String, Figure>> {
        match part {
            PROCESSOR => Some(&self.processor),
            CODE => Some(&self.code),
            OPERATIONS => Some(&self.work),
            NETWORK => self.network.as_ref().map(|network| &network.figures),
            NEAR => Some(&self.near),
            _ => {
                let of_part = self.parts.get(part).or_else(|| self.removed.get(part));
                of_part.or_else(|| self.engines.get(part)).map(|p| &p.figures)
            }
        }
    }

    /// The value of a figure by its full name.
    ///
    /// # Errors
    /// There is none, it is not a quantity, or its formula has a mistake.
    pub fn quantity(&self, name: &str) -> Result<Quantity, String> {
        self.value_of(name, &mut Way::default())
    }

    /// What probes should find: the name of a value, the figure in the unit that the name ends with (`ns`, `bytes`,
    /// `mb_s`, or a number), and its origin in words.
    ///
    /// # Errors
    /// The mistake in a formula.
    pub fn seen(&self) -> Result<Vec<(String, f64, String)>, String> {
        let mut all = vec![];
        for (figure, described) in self.figures() {
            for name in &described.seen {
                let value = match (&described.value, figure.split_once('.')) {
                    (Content::Text(word), Some((part, "page"))) if word == wanted::TABLES => {
                        self.of_part(part).page()? as f64
                    }
                    _ => self.quantity(&figure)?.value,
                };
                let value = match name.rsplit('.').next() {
                    Some("ns") => value / 1000.0,
                    Some("mb_s") => value * 1e6,
                    _ => value,
                };
                let (status, source) = described.origin();
                all.push((name.clone(), value, format!("{}: {source}", status.word())));
            }
        }
        Ok(all)
    }

    /// The quantities that stand in a figure's formula as such.
    pub fn constants(&self, name: &str) -> Vec<Quantity> {
        let Ok(Figure { value: Content::Text(formula), .. }) = self.figure(name) else { return vec![] };
        let cycle = || self.quantity("processor.clock").ok().map(|clock| 1.0 / clock.value);
        quantity::constants(formula, cycle().unwrap_or(f64::NAN))
    }

    /// The least and the greatest value of a figure that has a range.
    ///
    /// # Errors
    /// There is no such figure, or its range has a mistake.
    pub fn range(&self, name: &str) -> Result<Option<[Quantity; 2]>, String> {
        let Some([low, high]) = &self.figure(name)?.range else { return Ok(None) };
        let within = &mut Way { names: vec![name.to_string()], asked: 0 };
        Ok(Some([self.content(low, name, within)?, self.content(high, name, within)?]))
    }

    /// `within` is the way that leads here.
    fn value_of(&self, name: &str, within: &mut Way) -> Result<Quantity, String> {
        if within.names.iter().any(|n| n == name) {
            return Err(format!("figure `{name}` is derived from itself"));
        }
        within.asked += 1;
        if within.names.len() == Way::LONGEST || within.asked == Way::MOST {
            return Err(format!("figure `{name}`: too many figures are derived from each other"));
        }
        within.names.push(name.into());
        let value = self.content(&self.figure(name)?.value, name, within);
        within.names.pop();
        let factor = self.changed.get(name).copied().unwrap_or(1.0);
        value.map(|q| Quantity { value: q.value * factor, ..q })
    }

    fn content(&self, content: &Content, name: &str, within: &mut Way) -> Result<Quantity, String> {
        match content {
            Content::Number(value) => Ok(Quantity { value: *value, unit: quantity::COUNT }),
            Content::Switch(_) => Err(format!("figure `{name}` is a switch, not a quantity")),
            Content::Text(formula) => quantity::evaluate(formula, &mut |other| {
                if other != "cycle" {
                    return self.value_of(other, within);
                }
                let clock = self.value_of("processor.clock", within)?;
                match clock.unit {
                    quantity::FREQUENCY => Ok(Quantity { value: 1.0 / clock.value, unit: quantity::TIME }),
                    unit => Err(format!("figure `processor.clock` must be a frequency, not {unit}")),
                }
            })
            .map_err(|why| format!("figure `{name}`: {why}")),
        }
    }

    /// What an operation of each class of [`WORK`] costs, in picoseconds; None if the file does not say.
    ///
    /// # Errors
    /// A class is missing or unknown, or its figure is no time.
    pub fn work_costs(&self) -> Result<Option<[f64; WORK.len()]>, String> {
        if self.work.is_empty() {
            return Ok(None);
        }
        if let Some(name) = self.work.keys().find(|name| !WORK.contains(&name.as_str())) {
            let like = did_you_mean(name, WORK);
            return Err(format!("`work` has no class `{name}`; the classes are {}{like}", WORK.join(", ")));
        }
        let mut costs = [0.0; WORK.len()];
        for (class, cost) in WORK.iter().zip(&mut costs) {
            if !self.work.contains_key(*class) {
                return Err(format!("`work` lacks the class `{class}`: it needs all of {}", WORK.join(", ")));
            }
            let name = format!("{OPERATIONS}.{class}");
            let quantity = self.quantity(&name)?;
            if quantity.unit != quantity::TIME {
                return Err(format!("figure `{name}` must be a time, not {}", quantity.unit));
            }
            if !(0.0..=1e9).contains(&quantity.value) {
                return Err(format!("figure `{name}` must be between 0 and 1 ms"));
            }
            *cost = quantity.value;
        }
        Ok(Some(costs))
    }

    /// Who answers puts and gets: the figure `network.serve`, a switch or a time. If it is absent or off, the network does.
    ///
    /// # Errors
    /// It is neither.
    pub fn serves(&self) -> Result<Serves, String> {
        let figures = self.of_network();
        let Ok(figure) = self.figure(&figures.full("serve")) else { return Ok(Serves::Network) };
        match figure.value {
            Content::Switch(_) if figures.switch("serve")? => Ok(Serves::Processor),
            Content::Switch(_) => Ok(Serves::Network),
            _ => match figures.time("serve").map_err(|why| {
                format!("{why}: a time for which something beside the processor answers, or true: the processor itself does")
            })? {
                0 => Ok(Serves::Network),
                time => Ok(Serves::Beside(time)),
            },
        }
    }

    /// By how much a thread that has waited goes on late, in the mean: the figure `network.late`. 0: never.
    ///
    /// # Errors
    /// It is not a time.
    pub fn lateness(&self) -> Result<Time, String> {
        self.of_network().time_or_zero("late")
    }

    /// The bytes of memory of one processor: the `size` of its memory.
    ///
    /// # Errors
    /// There is no memory, or it has no size.
    pub fn memory_bytes(&self) -> Result<u64, String> {
        let is_memory = |part: &Part| matches!(part.kind.as_str(), "dram" | "banks" | "hypernode");
        let memory = self.parts.iter().find(|(_, part)| is_memory(part)).ok_or("the machine has no memory")?;
        self.of_part(memory.0).bytes("size")
    }

    /// The figures of a part, for its construction.
    pub fn of_part(&self, part: &str) -> Wanted<'_> {
        Wanted::new(self, part)
    }

    /// The name of the engine of this kind; None if the machine has none.
    pub fn engine(&self, kind: &str) -> Option<&str> {
        self.engines.iter().find(|(_, engine)| engine.kind == kind).map(|(name, _)| name.as_str())
    }

    /// The figures of the processor.
    pub fn of_processor(&self) -> Wanted<'_> {
        self.of_part(PROCESSOR)
    }

    /// The figures of code.
    pub fn of_code(&self) -> Wanted<'_> {
        self.of_part(CODE)
    }

    /// The figures of what threads on one node share.
    pub fn of_near(&self) -> Wanted<'_> {
        self.of_part(NEAR)
    }

    /// The same machine with several threads on each node.
    ///
    /// # Errors
    /// The file does not say what they share, or a node has fewer cores.
    pub fn with_threads_per_node(&self, per_node: u32, placement: Placement) -> Result<Self, String> {
        if per_node == 0 {
            return Err("a node has at least one thread".into());
        }
        if per_node > 1 && self.near.is_empty() {
            return Err("its file does not say what threads on one node share: add the table `simulated.near`".into());
        }
        if !self.parts.is_empty() {
            return Err("its processors are described one by one, so that each is given one thread".into());
        }
        self.check_cores(per_node)?;
        Ok(Description { per_node: Some((per_node, placement)), ..self.clone() })
    }

    /// Checks that a node has a core for each of this number of threads, if the file says how many it has.
    ///
    /// # Errors
    /// It has fewer.
    pub fn check_cores(&self, per_node: u32) -> Result<(), String> {
        if !self.near.contains_key("threads") {
            return Ok(());
        }
        let most = self.of_near().count("threads")?;
        match u64::from(per_node) > most {
            true => Err(format!("a node has {most} cores, one for a thread, and {per_node} are asked for")),
            false => Ok(()),
        }
    }

    /// On which nodes this number of threads are: each on its own, unless
    /// [`with_threads_per_node`](Self::with_threads_per_node) says otherwise, or the machine has no network and so one
    /// node only.
    pub fn nodes(&self, threads: u32) -> Nodes {
        let otherwise = if self.network.is_none() && !self.near.is_empty() { threads } else { 1 };
        let (per_node, placement) = self.per_node.unwrap_or((otherwise, Placement::Blocks));
        Nodes::new(threads.max(1), per_node.max(1), placement)
    }

    /// How many threads of a node share each of its ports to the network, and the nearest number of threads that is a
    /// multiple of it: the threads of the next node begin there.
    ///
    /// # Errors
    /// The figure `near.nics` has a mistake.
    pub fn sharing(&self) -> Result<(u32, u32), String> {
        let per_node = self.per_node.map_or(1, |(per_node, _)| per_node);
        let nics = if self.near.contains_key("nics") { self.of_near().count("nics")? } else { 1 };
        let share = per_node.div_ceil(u32::try_from(nics).unwrap_or(u32::MAX));
        Ok((share, per_node.div_ceil(share) * share))
    }

    /// The figures of the network.
    pub fn of_network(&self) -> Wanted<'_> {
        self.of_part(NETWORK)
    }
}
