//! A simulated machine under the probes.

use crate::machines;
use fathom_probe::measure::{self, Plan};
use fathom_probe::{Area, Effort, Failure as NoRunner, Runner};
use fathom_profile::{Claim, Profile, Reason};
use fathom_simulate::Simulated;
use fathom_toolchain::{Failure, Result};

/// The profile of a simulated machine.
pub fn measure(machine: &str, areas: Vec<&'static Area>, effort: Effort) -> Result<Profile> {
    let description = machines::simulated(machine)?;
    let invalid = |why: String| Failure::new(format!("the machine `{machine}` cannot be simulated: {why}"));
    Simulated::new(description.clone()).map_err(&invalid)?;
    // Simulated time costs nothing that a user waits for: an area ends when all is measured.
    let plan = Plan { budget: effort.budget() * 100, areas, effort, processors: 1, cycle_ns: None, claims: vec![] };
    let mut start = |threads: usize| -> std::result::Result<Box<dyn Runner>, NoRunner> {
        if threads > 1 {
            let why = "the machine file describes one node, without what connects it to others";
            return Err(NoRunner::Impossible(Reason::Threads, why.into()));
        }
        Simulated::new(description.clone()).map(|m| Box::new(m) as Box<dyn Runner>).map_err(NoRunner::Broken)
    };
    let mut profile = measure::profile(&plan, machine, &mut start, &mut |_| {});
    // Added afterwards: an inference must not know what it should find.
    let seen = description.seen().map_err(invalid)?;
    profile.claims = seen.into_iter().map(|(name, value, source)| Claim { name, value, source }).collect();
    profile.about.machine = format!("simulated: {machine}");
    profile.about.fathom = env!("CARGO_PKG_VERSION").into();
    Ok(profile)
}
