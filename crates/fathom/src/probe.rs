//! `fathom probe`: measures this computer and writes a profile.

mod as_machine;
mod checked;
mod host;
mod near_machine;
pub mod output;
mod page;
mod simulated;
mod summary;

pub use summary::width;

use clap::Args;
use fathom_probe::area::AREAS;
use fathom_probe::computer::disturbance::Watch;
use fathom_probe::computer::presence::Presence;
use fathom_probe::computer::{self, claims};
use fathom_probe::measure::{self, Event, Plan};
use fathom_probe::{Area, Effort};
use fathom_profile::repeat::combine;
use fathom_profile::Profile;
use fathom_toolchain::probe::Prober;
use fathom_toolchain::progress::Progress;
use fathom_toolchain::{Failure, Result};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Measure this computer: caches, memory, communication, synchronisation.
///
/// Writes a profile, which `fathom model` and `fathom tune` read, and a report for people. This takes about two
/// minutes, during which the computer should do no other work.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Fifteen seconds instead of two minutes: fewer points, wider intervals
    #[arg(long, conflicts_with = "thorough")]
    quick: bool,
    /// Without a time limit: about half an hour
    #[arg(long)]
    thorough: bool,
    /// Only these areas; --list names them
    #[arg(long, value_name = "AREA,...", value_delimiter = ',')]
    only: Vec<String>,
    /// The conduit whose communication is measured: smp, mpi, template
    #[arg(long, value_name = "NAME")]
    conduit: Option<String>,
    /// Measure a simulated machine instead of this computer: its name, or a machine file
    #[arg(long, value_name = "MACHINE", conflicts_with_all = ["conduit", "threads", "repeat", "ask"])]
    machine: Option<String>,
    /// Threads that take part (default: the processors of this computer, and at least 2)
    #[arg(short = 'n', long = "threads", value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// The profile's file
    #[arg(short, long, value_name = "FILE", default_value = "profile.toml")]
    output: PathBuf,
    /// The report's file (default: beside the profile, with the ending .html); with --check PROFILE, that profile's
    /// report
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Measure this number of times, and report the spread of each value
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Compare the profile with the system's claims (sysfs, cpuid); with a PROFILE, compare that one and measure
    /// nothing
    #[arg(long, value_name = "PROFILE", num_args = 0..=1)]
    check: Option<Option<PathBuf>>,
    /// Write the measured network as a machine file, for `fathom simulate --machine FILE`: of two threads that do not
    /// share memory; of threads that do, what threads on one node share
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "ask"])]
    as_machine: Option<PathBuf>,
    /// With --as-machine: the number of nodes that the simulated machine has
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "as_machine",
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    ports: u32,
    /// With --as-machine: what operations of programs cost there, as `fathom simulate --calibrate FILE` wrote it
    #[arg(long, value_name = "FILE", requires = "as_machine")]
    costs: Option<PathBuf>,
    /// With --as-machine: take the figures from this profile, and measure nothing; from two, one of threads that share
    /// memory and one of threads that do not, both parts
    #[arg(long, value_name = "PROFILE", requires = "as_machine",
          conflicts_with_all = ["machine", "conduit", "threads", "repeat", "quick", "thorough", "only", "html"])]
    from: Vec<PathBuf>,
    /// Name the areas, and stop
    #[arg(long)]
    list: bool,
    /// Perform one stimulus, such as 'clock' or 'frequency sample_us=100', and print the prober's answer; with '-', one
    /// for each line of the standard input
    #[arg(long, value_name = "STIMULUS", conflicts_with_all = ["only", "list"])]
    ask: Option<String>,
}

/// The least interval between two lines of progress: writing takes time of a measured processor.
const SHOWN: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  fathom probe                         two minutes: profile.toml, profile.html
  fathom probe --quick --only memory   caches and memory, at a glance
  fathom probe --conduit mpi -n 4      communication over MPI
  fathom probe --conduit mpi -n 2 --only communication --as-machine mine.toml
                                       a network, for fathom simulate --machine mine.toml
  fathom probe --machine t3d --check   a simulated machine, beside what its file says";

pub fn main(options: &Options) -> Result<()> {
    if options.list {
        list();
        return Ok(());
    }
    if let Some(Some(path)) = &options.check {
        let profile = read(path)?;
        if let Some(page) = &options.html {
            output::write(page, page::html(&profile).as_bytes())?;
        }
        output::say(&checked::text(&profile));
        return Ok(());
    }
    let costs = options.costs.as_deref().map(crate::simulate::calibrate::read).transpose()?;
    let machine = options.as_machine.as_ref().map(|path| as_machine::Wanted { path, ports: options.ports, costs });
    if let Some(machine) = &machine {
        output::check_writable(machine.path)?;
        if !options.from.is_empty() {
            let profiles = options.from.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
            machine.write(&profiles)?;
            output::say(&format!("written: {}\n", machine.path.display()));
            return Ok(());
        }
    }
    let areas = chosen(&options.only, options.machine.is_some())?;
    let page = place_of_page(options)?;
    if let Some(name) = &options.machine {
        output::check_writable(&options.output)?;
        page.as_deref().map_or(Ok(()), output::check_writable)?;
        return written(options, page, &simulated::measure(name, areas, effort(options))?, machine.as_ref());
    }
    if options.ask.is_none() {
        output::check_writable(&options.output)?;
        page.as_deref().map_or(Ok(()), output::check_writable)?;
    }
    let prober = Prober::find(options.conduit.as_deref())?;
    let processors = options.threads.unwrap_or_else(computer::processors);
    if let Some(stimulus) = &options.ask {
        return ask(&prober, processors, stimulus, effort(options));
    }
    let mut plan = plan(areas, effort(options), processors);
    if options.as_machine.is_some() {
        plan.budget *= LONGER_FOR_A_MACHINE;
    }
    let mut presence = Presence::of_this_computer();
    if let Some(other) = presence.other() {
        eprintln!(
            "fathom: warning: another fathom probe ({other}) is measuring this computer now: the two disturb each other"
        );
    }
    let progress = Progress::bar();
    let mut runs = vec![];
    for run in 0..options.repeat {
        let profile = measure(&plan, &prober, &progress, &mut presence, (run, options.repeat));
        plan.cycle_ns = profile.about.cycle_ns; // one for all
        runs.push(profile);
    }
    let profile = combine(runs).ok_or_else(|| Failure::new("nothing was measured"))?;
    drop(progress);
    written(options, page, &profile, machine.as_ref())
}

/// Writes the profile and its page, and prints the summary.
fn written(
    options: &Options,
    page: Option<PathBuf>,
    profile: &Profile,
    machine: Option<&as_machine::Wanted>,
) -> Result<()> {
    if profile.values.is_empty() && profile.curves.is_empty() {
        let why: Vec<String> = profile.missing.iter().map(|m| format!("{}: {}", m.what, m.why)).collect();
        let nothing = Failure::new("nothing could be measured");
        return Err(if why.is_empty() { nothing } else { nothing.hint(why.join("\n  help: ")) });
    }
    let text = profile.to_toml().map_err(Failure::new)?;
    let written = output::write(&options.output, text.as_bytes()).map_err(|failure| rescued(failure, &text));
    let written = written.and_then(|()| match &page {
        Some(page) => output::write(page, page::html(profile).as_bytes()),
        None => Ok(()),
    });
    // The results of minutes are printed even if the disk is full.
    let mut said = summary::text(profile);
    if options.check.is_some() {
        said += &format!("\n{}", checked::text(profile));
    }
    if written.is_ok() {
        said += &format!("\nwritten: {} (for fathom model and fathom tune)", options.output.display());
        said += &page.map_or("\n".into(), |page| format!(", {} (for people)\n", page.display()));
    }
    if output::is_device(&options.output) {
        eprint!("{said}"); // the profile may have gone where this would go
    } else {
        output::say(&said);
    }
    written?;
    if let Some(machine) = machine {
        machine.write(std::slice::from_ref(profile))?;
        output::say(&format!("written: {} (for fathom simulate --machine)\n", machine.path.display()));
    }
    Ok(())
}

/// The report's file; None if the profile is written to something that is not a regular file, and the user named no
/// report.
fn place_of_page(options: &Options) -> Result<Option<PathBuf>> {
    if options.html.is_none() && output::is_device(&options.output) {
        return Ok(None);
    }
    let page = options.html.clone().unwrap_or_else(|| options.output.with_extension("html"));
    if page == options.output {
        return Err(Failure::new(format!("profile and report would both be {}", page.display()))
            .hint("give them different names with --output and --html"));
    }
    Ok(Some(page))
}

/// Keeps the results of minutes in the temporary folder, if possible, when they cannot be written to their file.
fn rescued(failure: Failure, profile: &str) -> Failure {
    match output::rescue(&std::env::temp_dir(), "fathom-profile-", ".toml", profile.as_bytes()) {
        Some(place) => failure.hint(format!("the profile is in {}", place.display())),
        None => failure,
    }
}

/// The profile of a file, for all subcommands that read one.
pub fn read(path: &Path) -> Result<Profile> {
    Profile::read(path).map_err(|why| Failure::new(why).hint("`fathom probe` writes one"))
}

/// A number of threads that a job can have.
fn threads(text: &str) -> std::result::Result<usize, String> {
    use fathom_toolchain::args::{thread_count, MAX_THREADS};
    thread_count(text).map(|n| n as usize).map_err(|_| format!("give 1 to {MAX_THREADS}"))
}

fn effort(options: &Options) -> Effort {
    match (options.quick, options.thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Normal,
    }
}

fn list() {
    let lines: Vec<String> = AREAS.iter().map(|area| format!("{:16} {}\n", area.name, area.what)).collect();
    output::say(&lines.concat());
}

/// The named areas, in their own order; if none is named, all that measure such a machine.
fn chosen(names: &[String], is_simulated: bool) -> Result<Vec<&'static Area>> {
    if let Some(unknown) = names.iter().find(|n| !AREAS.iter().any(|a| a.name == **n)) {
        let known: Vec<&str> = AREAS.iter().map(|a| a.name).collect();
        return Err(
            Failure::new(format!("there is no area `{unknown}`")).hint(format!("the areas are {}", known.join(", ")))
        );
    }
    let is_chosen = |area: &Area| match names {
        [] => is_simulated || !area.needs_exact_clock,
        _ => names.iter().any(|n| n == area.name),
    };
    Ok(AREAS.iter().filter(|a| is_chosen(a)).collect())
}

/// A machine file needs all curves of the network, and networks for which it is wanted may be slow.
const LONGER_FOR_A_MACHINE: u32 = 3;

/// Selected areas get the time that they would have among all.
fn plan(areas: Vec<&'static Area>, effort: Effort, processors: usize) -> Plan {
    let shares = |areas: &mut dyn Iterator<Item = &Area>| areas.map(|a| a.share).sum::<u32>();
    let (part, all) = (shares(&mut areas.iter().copied()), shares(&mut AREAS.iter().filter(|a| !a.needs_exact_clock)));
    Plan { budget: effort.budget() * part / all, areas, effort, processors, cycle_ns: None, claims: claims::claims() }
}

/// One run of several.
fn measure(
    plan: &Plan,
    prober: &Prober,
    progress: &Progress,
    presence: &mut Presence,
    (run, runs): (u32, u32),
) -> Profile {
    let began = Instant::now();
    let mut last = began;
    let mut disturbances = Watch::new(computer::processors(), plan.budget / 10, presence);
    let which = if runs > 1 { format!("{} of {runs}: ", run + 1) } else { String::new() };
    let mut watch = |event: Event| {
        let share = (began.elapsed().as_secs_f64() / plan.budget.as_secs_f64()).min(1.0);
        let show = |text: &str| progress.at((f64::from(run) + share) / f64::from(runs), format!("{which}{text}"));
        match event {
            Event::Begins(area) => {
                show(area.what);
                disturbances.begins(|| show(&format!("{}: other programs are busy; waits", area.name)));
            }
            Event::Measured { area, stimulus } if last.elapsed() > SHOWN => {
                last = Instant::now();
                show(&format!("{}: {stimulus}", area.name));
            }
            Event::Measured { .. } => {}
            Event::Ends { area, tally, frequency_change } => disturbances.ends(area.name, tally, frequency_change),
        }
    };
    let mut profile =
        measure::profile(plan, &computer::name(), &mut |threads| host::start(prober, threads), &mut watch);
    let about = &mut profile.about;
    about.machine = computer::description();
    about.taken_unix_s = computer::now_unix_s();
    about.fathom = env!("CARGO_PKG_VERSION").into();
    about.compiler.clone_from(&prober.compiler);
    about.steal = disturbances.steal();
    about.disturbances = disturbances.told();
    for (area, left) in disturbances.left() {
        fathom_probe::doubt::lower(&mut profile.values, &area, left);
    }
    let about = &mut profile.about;
    about.conduit.clone_from(&prober.conduit);
    profile
}

fn ask(prober: &Prober, threads: usize, stimulus: &str, effort: Effort) -> Result<()> {
    let broken = |e: fathom_probe::Failure| Failure::new(e.to_string());
    let mut host = host::launch(prober, threads).map_err(broken)?;
    let mut answer = |stimulus: &str| -> Result<()> {
        let answer = host.ask(stimulus, effort.samples().0, effort.limit_of_a_point()).map_err(broken)?;
        output::say(&format!("{answer}\n"));
        Ok(())
    };
    if stimulus != "-" {
        return answer(stimulus);
    }
    for line in std::io::stdin().lines() {
        answer(&line.map_err(|e| Failure::new(format!("cannot read the stimuli: {e}")))?)?;
    }
    Ok(())
}
