//! A simulated machine under the probes.

use crate::machines;
use fathom_machine::description::WORK;
use fathom_probe::host::{Host, Launch};
use fathom_probe::measure::{self, Plan};
use fathom_probe::{Area, Clock, Effort, Failure as NoRunner, Kernel, Runner, Samples, Stimulus};
use fathom_profile::{Claim, Profile, Reason};
use fathom_simulate::Simulated;
use fathom_toolchain::conduit;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::probe::Prober;
use fathom_toolchain::scratch::ChildGuard;
use fathom_toolchain::{Failure, Result};
use std::time::{Duration, Instant};

/// The profile of a simulated machine.
pub fn measure(machine: &str, areas: Vec<&'static Area>, effort: Effort) -> Result<Profile> {
    let description = machines::simulated(machine)?;
    let invalid = |why: String| Failure::new(format!("the machine `{machine}` cannot be simulated: {why}"));
    if description.check_node().is_err() {
        return network(machine, areas, effort, description.lateness().map_err(invalid)? == 0);
    }
    Simulated::new(description.clone()).map_err(&invalid)?;
    // Simulated time costs nothing that a user waits for: an area ends when all is measured.
    let plan = Plan { budget: effort.budget() * 100, areas, effort, processors: 1, cycle_ns: None, claims: vec![] };
    let mut start = |threads: usize| -> std::result::Result<Box<dyn Runner>, NoRunner> {
        if threads > 1 {
            if !fathom_simulate::has_queues(&description) {
                return Err(NoRunner::Impossible(Reason::Threads, ONE_THREAD.into()));
            }
            let sites = Simulated::new(description.clone()).map_err(NoRunner::Broken)?;
            return Ok(Box::new(Sites(sites)));
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

const ONE_THREAD: &str = "a machine whose file describes a node is measured with one thread; one with message queues \
                          (voyager) also with two, for the area queues";

/// Two sites of a machine whose endpoints have message queues: messages between them, and nothing else that threads do
/// together.
struct Sites(Simulated);

impl Runner for Sites {
    fn threads(&self) -> usize {
        2
    }

    fn clock(&self) -> Clock {
        self.0.clock()
    }

    fn run(&mut self, stimulus: &Stimulus, count: usize, limit: Duration) -> std::result::Result<Samples, NoRunner> {
        if stimulus.kernel() != Kernel::Queue {
            return Err(NoRunner::Impossible(Reason::Threads, ONE_THREAD.into()));
        }
        self.0.run(stimulus, count, limit)
    }
}

/// The profile of a network: the prober is a program that runs on the machine, as any other.
fn network(machine: &str, areas: Vec<&'static Area>, effort: Effort, is_exact: bool) -> Result<Profile> {
    let prober = Prober::find(Some(&conduit::simulated()?))?;
    let fathom = std::env::current_exe().map_err(|e| Failure::new(format!("cannot find fathom itself: {e}")))?;
    let plan = Plan { budget: effort.budget() * 10, areas, effort, processors: 2, cycle_ns: None, claims: vec![] };
    // A delay between a request and its reply is declared work, whose operations take 1 ns; nothing else is charged.
    let scratch = fathom_toolchain::scratch::Scratch::new()?;
    let costs = scratch.path().join("costs.toml");
    let of = |class: &str| format!("{class}_ns = {}\n", if class == "float" { 1.0 } else { 0.0 });
    let text = WORK.iter().map(|class| of(class)).collect::<String>();
    std::fs::write(&costs, format!("[work]\n{text}")).or_io("write", &costs)?;
    let work = format!("calibrated:{}", costs.display());
    let now = Instant::now();
    let mut start = |threads: usize| -> std::result::Result<Box<dyn Runner>, NoRunner> {
        let count = threads.to_string();
        let mut command = vec![fathom.clone().into_os_string()];
        command.extend(
            ["simulate", "--machine", machine, "-n", &count, "--work", &work, "-o", "/dev/null"].map(Into::into),
        );
        command.push(prober.path.clone().into());
        let guard = |process| Box::new(ChildGuard::new(process)) as Box<_>;
        let host = Host::start(Launch { command, env: vec![], threads, guard })?.with_grace(PATIENCE);
        Ok(Box::new(Network { host, now, is_exact }))
    };
    let mut profile = measure::profile(&plan, machine, &mut start, &mut |_| {});
    profile.about.machine = format!("simulated: {machine}");
    profile.about.fathom = env!("CARGO_PKG_VERSION").into();
    profile.about.taken_unix_s = fathom_probe::computer::now_unix_s();
    profile.about.conduit.clone_from(&prober.conduit);
    Ok(profile)
}

/// How long this computer may take for what lasts some milliseconds on the machine: what is late would be missing from the profile, and the
/// profile may not depend on what else this computer does.
const PATIENCE: Duration = Duration::from_secs(600);

/// A network under the probes: what threads do together has times there, what one does alone takes none.
struct Network {
    host: Host,
    /// Nothing is measured twice, and all of it is.
    now: Instant,
    /// Nobody is late at random there. Otherwise samples deviate, and are taken as on a computer.
    is_exact: bool,
}

impl Runner for Network {
    fn threads(&self) -> usize {
        self.host.threads()
    }

    fn clock(&self) -> Clock {
        if self.is_exact {
            Clock::Virtual(self.now)
        } else {
            Clock::Uneven(self.now)
        }
    }

    fn run(
        &mut self,
        stimulus: &Stimulus,
        repetitions: usize,
        limit: Duration,
    ) -> std::result::Result<Samples, NoRunner> {
        const BETWEEN_THREADS: [Kernel; 8] = [
            Kernel::Place,
            Kernel::Put,
            Kernel::Get,
            Kernel::RoundTrip,
            Kernel::Flood,
            Kernel::SendOverhead,
            Kernel::ReceiveOverhead,
            Kernel::FetchAdd,
        ];
        if !BETWEEN_THREADS.contains(&stimulus.kernel()) {
            let why = "the machine file describes a network, without nodes".to_string();
            return Err(NoRunner::Impossible(Reason::Operation, why));
        }
        let mut samples = self.host.run(stimulus, if self.is_exact { 1 } else { repetitions }, limit)?;
        if self.is_exact {
            samples.ns = vec![samples.ns[0]; repetitions.max(1)];
        }
        samples.cycles_ns.clear();
        Ok(samples)
    }
}
