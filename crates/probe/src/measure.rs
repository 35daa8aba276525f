//! Measures a profile: runs the areas one after the other, each with its share of the time, and collects their
//! findings. Most areas are measured in rounds, with the other areas between them: see [`crate::rounds`].
//!
//! Nothing here depends on the machine: the caller starts the runners. An area that fails is reported as missing, and
//! the others are still measured.

use crate::rounds::Rounds;
use crate::session::Tally;
use crate::{contradictions, cycle, doubt, Area, Clock, Effort, Failure, Findings, Runner, Session};
use fathom_profile::{About, Claim, Missing, Profile, Value};
use std::time::{Duration, Instant};

/// The areas to measure, and the effort.
pub struct Plan {
    pub areas: Vec<&'static Area>,
    pub effort: Effort,
    /// The time for all areas together.
    pub budget: Duration,
    /// The number of processors to measure with; the areas derive numbers of threads from it.
    pub processors: usize,
    /// The cycle that times of a core are converted to; None: the most frequent cycle at the start.
    pub cycle_ns: Option<f64>,
    /// The system's claims about the machine.
    pub claims: Vec<Claim>,
}

/// Starts a runner with this many threads.
pub type Start<'a> = dyn FnMut(usize) -> Result<Box<dyn Runner>, Failure> + 'a;

/// Progress of the measurement.
pub enum Event<'a> {
    /// An area begins; its runner has started.
    Begins(&'static Area),
    /// A point was measured.
    Measured { area: &'static Area, stimulus: &'a str },
    /// An area has ended: the state of its samples, and the change of the processor's frequency during it, as a share,
    /// if the runner can measure it.
    Ends { area: &'static Area, tally: &'a Tally, frequency_change: Option<f64> },
}

/// A visit to an area: the number of the area, and of the round.
type Visit = (usize, usize);

/// In rounds many probers start, one for each number of threads in each round. If starting takes longer than this, as
/// with an MPI launcher, each area has one round.
const SLOW_START: Duration = Duration::from_millis(200);

/// The number of rounds of an area.
fn rounds(area: &Area, has_rounds: bool) -> usize {
    if has_rounds {
        area.rounds
    } else {
        1
    }
}

/// The visits of each round in turn, with the areas that have that round.
fn visits(plan: &Plan, has_rounds: bool) -> Vec<Visit> {
    let most = plan.areas.iter().map(|a| rounds(a, has_rounds)).max().unwrap_or(0);
    let all = (0..most).flat_map(|round| (0..plan.areas.len()).map(move |i| (i, round)));
    all.filter(|(i, round)| *round < rounds(plan.areas[*i], has_rounds)).collect()
}

/// A visit's part of its area's share of the time.
fn part(area: &Area, has_rounds: bool) -> f64 {
    f64::from(area.share) / rounds(area, has_rounds) as f64
}

/// Measures the profile. The caller later adds other knowledge of the machine to `about`.
pub fn profile(plan: &Plan, name: &str, start: &mut Start, watch: &mut dyn FnMut(Event)) -> Profile {
    let began = Instant::now();
    let mut profile = empty(name, plan);
    // If this start fails, it is tried once more below, which reports the failure.
    let mut runner = plan.areas.first().and_then(|a| start((a.threads)(plan.processors)).ok());
    let is_exact = runner.as_ref().is_some_and(|r| r.clock() != Clock::Real);
    let has_rounds = plan.effort.has_rounds() && !is_exact && began.elapsed() < SLOW_START;
    // The time to divide is the machine's time.
    let mut spent = Duration::ZERO;
    let mut tally = Tally::default();
    let mut found: Vec<Option<Result<Findings, Failure>>> = plan.areas.iter().map(|_| None).collect();
    let mut rounds_of: Vec<Rounds> = plan.areas.iter().map(|_| Rounds::default()).collect();
    // For each area, its number of samples and of outliers.
    let mut disturbed = vec![(0, 0); plan.areas.len()];
    let visits = visits(plan, has_rounds);
    let all: f64 = visits.iter().map(|(i, _)| part(plan.areas[*i], has_rounds)).sum();
    let mut parts = all;
    let mut last_round = 0;
    for &(i, round) in &visits {
        let area = plan.areas[i];
        let left = plan.budget.saturating_sub(if is_exact { spent } else { began.elapsed() });
        let mine = part(area, has_rounds);
        let time = time_of(mine, plan.effort, plan.budget.div_f64(all), left.div_f64(parts.max(mine)));
        parts -= mine;
        let threads = (area.threads)(plan.processors);
        // Each round has a new prober, so that memory consists of other pages.
        if round != last_round || runner.as_ref().is_some_and(|r| r.threads() != threads) {
            runner = None; // it must end before another starts
        }
        last_round = round;
        let there = match &mut runner {
            Some(there) => there,
            none => match start(threads) {
                Ok(new) => none.insert(new),
                Err(failure) => {
                    found[i].get_or_insert(Err(failure));
                    continue;
                }
            },
        };
        watch(Event::Begins(area));
        let started = there.clock().now();
        if tally.cycles.reference_ns.is_none() {
            tally.cycles.reference_ns = plan.cycle_ns.or_else(|| cycle::usual_ns(there.as_mut()));
        }
        let before = cycle::now_ns(there.as_mut());
        let known = Tally {
            cycles: std::mem::take(&mut tally.cycles),
            rounds: std::mem::take(&mut rounds_of[i]),
            ..Tally::default()
        };
        let mut session = Session {
            runner: there.as_mut(),
            effort: plan.effort,
            until: started + time,
            progress: &mut |stimulus| watch(Event::Measured { area, stimulus }),
            tally: known,
            claims: &plan.claims,
        };
        let result = (area.probe)(&mut session);
        if result.is_ok() || !matches!(found[i], Some(Ok(_))) {
            found[i] = Some(result);
        }
        let mut seen = session.tally;
        spent += there.clock().now() - started;
        let after = cycle::now_ns(there.as_mut());
        let frequency_change = before.zip(after).map(|(before, after)| before / after - 1.0);
        watch(Event::Ends { area, tally: &seen, frequency_change });
        seen.rounds.next_round();
        (tally.cycles, rounds_of[i]) = (seen.cycles, seen.rounds);
        disturbed[i] = (disturbed[i].0 + seen.samples, disturbed[i].1 + seen.outliers);
        tally.samples += seen.samples;
        tally.outliers += seen.outliers;
        tally.spreads.append(&mut seen.spreads);
    }
    drop(runner);
    for (area, found) in plan.areas.iter().zip(found) {
        match found {
            Some(Ok(found)) => add(&mut profile, area, found),
            Some(Err(why)) => profile.missing.push(why.missing(area.name)),
            None => {}
        }
    }
    for (area, (samples, outliers)) in plan.areas.iter().zip(disturbed) {
        doubt::lower(&mut profile.values, area.name, doubt::of_outliers(samples, outliers));
    }
    contradictions::settle(&mut profile.values);
    tally.spreads.sort_by(f64::total_cmp);
    let about = &mut profile.about;
    about.cycle_ns = tally.cycles.reference_ns;
    (about.samples, about.outliers) = (tally.samples, tally.outliers);
    about.median_spread =
        if tally.spreads.is_empty() { 0.0 } else { fathom_profile::statistics::quantile(&tally.spreads, 0.5) };
    about.seconds = if is_exact { spent } else { began.elapsed() }.as_secs_f64();
    profile
}

/// An area's time from its `share`: `of_whole` is the planned time of one share, and `of_rest` the remaining time of
/// one share. Earlier areas may have left time over, or taken some of this area's time. They can take at most half of
/// it, because a late result is better than none, and nothing of it in a thorough probe, whose time has no limit.
fn time_of(share: f64, effort: Effort, of_whole: Duration, of_rest: Duration) -> Duration {
    let least = if effort == Effort::Thorough { 1.0 } else { 0.5 };
    of_rest.max(of_whole.mul_f64(least)).mul_f64(share)
}

fn add(profile: &mut Profile, area: &Area, found: Findings) {
    profile.values.extend(found.values.into_iter().map(Value::within));
    profile.curves.extend(found.curves);
    profile.fits.extend(found.fits);
    profile.missing.extend(found.missing.into_iter().map(|missing| named(area.name, missing)));
    if let Some(figures) = found.figures {
        figures(&mut profile.machine);
    }
}

/// Adds the name of the area to a missing item.
fn named(area: &str, missing: Missing) -> Missing {
    match missing.area() {
        Some(_) => missing,
        None => Missing { what: format!("{area}: {}", missing.what), ..missing },
    }
}

fn empty(name: &str, plan: &Plan) -> Profile {
    let about = About { effort: plan.effort.name().into(), processors: plan.processors, ..About::default() };
    Profile { about, claims: plan.claims.clone(), ..Profile::empty(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fact;
    use crate::{Samples, Stimulus};
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    fn plan(effort: Effort) -> Plan {
        let areas = crate::area::AREAS.iter().collect();
        Plan { areas, effort, budget: effort.budget(), processors: 2, cycle_ns: None, claims: vec![] }
    }

    #[test]
    fn areas_take_turns_and_their_rounds_have_their_share_of_the_time() {
        let plan = plan(Effort::Normal);
        let visits = visits(&plan, true);
        assert!(visits.is_sorted_by_key(|(_, round)| *round), "{visits:?}");
        for (i, area) in plan.areas.iter().enumerate() {
            let mine: Vec<Visit> = visits.iter().copied().filter(|v| v.0 == i).collect();
            let time: f64 = mine.iter().map(|_| part(area, true)).sum();
            assert!(mine.len() == area.rounds && (time - f64::from(area.share)).abs() < 1e-9, "{mine:?}");
        }
    }

    #[test]
    fn a_quick_probe_and_one_whose_probers_start_slowly_go_to_each_area_once() {
        let plan = plan(Effort::Normal);
        assert!(!Effort::Quick.has_rounds());
        assert_eq!(visits(&plan, false), (0..plan.areas.len()).map(|i| (i, 0)).collect::<Vec<_>>());
    }

    /// A simulated machine: each stimulus takes a second of its time, and every operation takes 10 ns.
    struct Simulated {
        threads: usize,
        spent: Rc<Cell<Duration>>,
        began: Instant,
        asked: Rc<RefCell<Vec<(usize, String, usize)>>>,
    }

    impl Runner for Simulated {
        fn threads(&self) -> usize {
            self.threads
        }
        fn clock(&self) -> Clock {
            Clock::Virtual(self.began + self.spent.get())
        }
        fn run(&mut self, stimulus: &Stimulus, n: usize, _limit: Duration) -> Result<Samples, Failure> {
            self.spent.set(self.spent.get() + Duration::from_secs(1));
            self.asked.borrow_mut().push((self.threads, stimulus.to_string(), n));
            let facts = [(Fact::Processors, 2.0)].into();
            Ok(Samples { ns: vec![10.0; n], facts, ..Samples::default() })
        }
        fn with_threads(&mut self, threads: usize) -> Result<Box<dyn Runner>, Failure> {
            let (spent, asked) = (self.spent.clone(), self.asked.clone());
            Ok(Box::new(Simulated { threads, spent, began: self.began, asked }))
        }
    }

    #[test]
    fn a_machine_with_a_time_of_its_own_is_looked_at_once_and_takes_that_time() {
        let (spent, asked) = (Rc::new(Cell::new(Duration::ZERO)), Rc::new(RefCell::new(vec![])));
        let areas = crate::area::AREAS.iter().filter(|a| ["sharing", "synchronisation"].contains(&a.name)).collect();
        let plan =
            Plan { areas, effort: Effort::Normal, budget: Duration::from_secs(1_000_000), ..plan(Effort::Normal) };
        let began = Instant::now();
        let mut start = |threads| -> Result<Box<dyn Runner>, Failure> {
            Ok(Box::new(Simulated { threads, spent: spent.clone(), began, asked: asked.clone() }))
        };
        let mut begun = vec![];
        let mut watch = |event: Event| {
            if let Event::Begins(area) = event {
                begun.push(area.name);
            }
        };
        let profile = profile(&plan, "simulated", &mut start, &mut watch);
        assert_eq!(begun, ["sharing", "synchronisation"], "there are no rounds");
        // Except for the cycle, and the kernels' facts.
        let facts = ["frequency", "place", "barrier kind=world"];
        let is_fact = |stimulus: &str| facts.iter().any(|f| stimulus.starts_with(f));
        let mut asked: Vec<_> = asked.borrow().iter().filter(|a| !is_fact(&a.1)).cloned().collect();
        assert!(asked.iter().all(|(.., n)| *n == 1), "one sample says all: {asked:?}");
        let all = asked.len();
        asked.sort();
        asked.dedup();
        assert!(all > 20 && asked.len() == all, "no stimulus is performed twice: {} of {all}", asked.len());
        assert_eq!(profile.about.median_spread, 0.0);
        assert!(profile.about.seconds > 20.0 && profile.about.seconds <= spent.get().as_secs_f64());
    }

    #[test]
    fn what_is_missing_says_of_which_area_it_is() {
        let what = |what: &str| named("communication", Missing::new(what, fathom_profile::Reason::Other, "")).what;
        assert_eq!(what("put by size: blocking"), "communication: put by size: blocking");
        assert_eq!(what("communication.put.group"), "communication.put.group");
        assert_eq!(what("memory.bandwidth.all"), "memory.bandwidth.all");
    }

    #[test]
    fn an_area_has_its_part_of_the_rest_and_at_least_half_of_what_was_planned() {
        let of = |effort, rest| time_of(3.0, effort, Duration::from_secs(10), Duration::from_secs(rest)).as_secs();
        assert_eq!([12, 10, 6, 4, 0].map(|rest| of(Effort::Normal, rest)), [36, 30, 18, 15, 15]);
        assert_eq!([12, 10, 6, 0].map(|rest| of(Effort::Thorough, rest)), [36, 30, 30, 30]);
    }
}
