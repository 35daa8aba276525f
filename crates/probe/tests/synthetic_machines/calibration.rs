//! Whether values with high confidence are right. On machines whose properties are known, most of them disturbed, the
//! test counts the values of each confidence, and how many of them are wrong.
//!
//! The built hardware and its usable part are two truths. If another user always holds ways or sets, the usable part is
//! the rest; if a neighbour comes and goes, it lies between the rest and the whole.
//!
//! The ordinary test uses few machines with small caches. `FATHOM_CALIBRATION=600 cargo test --release -p fathom-probe
//! --test synthetic_machines -- --ignored --nocapture` uses the given number of machines, with up to 16 MiB, from
//! FATHOM_CALIBRATION_FIRST on, and prints the values that were sure and wrong.

use super::machine::{Chance, Disturbance, Machine, CYCLE_NS};
use fathom_probe::memory::{caches, memory_time, translation, Recorder, System};
use fathom_probe::{contradictions, doubt, Effort, Findings, Kernel, Session, Stimulus};
use fathom_profile::{Claim, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// A value is sure if its confidence is at least this.
const SURE: f64 = 0.9;
/// At most this share of the sure values may be wrong.
const MOST_WRONG: f64 = 0.05;
/// The number of machines in the ordinary test.
const MACHINES: u64 = 54;
/// Sizes within this share of the truth are right; times, and numbers of translations, within theirs.
const NEAR_BYTES: f64 = 0.15;
const NEAR_NS: f64 = 0.1;
const NEAR_ENTRIES: f64 = 0.3;
/// A size whose interval holds the truth is also right, if it is off by at most this share.
const FAR_BYTES: f64 = 0.3;
/// Loads of a usable array hit at least this often.
const HITS: f64 = 0.95;

/// The truth: a value is right between these bounds, and beyond them by at most the share `near`.
#[derive(Clone, Copy)]
struct Truth {
    low: f64,
    high: f64,
    near: f64,
}

impl Truth {
    fn exact(value: f64) -> Truth {
        Truth { low: value, high: value, near: 0.0 }
    }

    fn near(value: f64, near: f64) -> Truth {
        Truth { low: value, high: value, near }
    }

    fn between(a: f64, b: f64, near: f64) -> Truth {
        Truth { low: a.min(b), high: a.max(b), near }
    }

    fn allows(&self, value: &Value) -> bool {
        let Some(v) = value.value else { return true };
        let within = |near: f64| v >= self.low * (1.0 - near) - 1e-6 && v <= self.high * (1.0 + near) + 1e-6;
        let held = value.low.is_some_and(|low| low <= 1.005 * self.high)
            && value.high.is_some_and(|high| self.low <= 1.005 * high);
        within(self.near) || (self.near == NEAR_BYTES && held && within(FAR_BYTES))
    }
}

fn disturbance(seed: u64) -> Disturbance {
    let mut chance = Chance::new(seed ^ 0xD157);
    let level = chance.below(3) as usize;
    match seed % 9 {
        0 | 1 => Disturbance::Usual,
        2 => Disturbance::Ways,
        3 => Disturbance::Colours,
        4 => Disturbance::Neighbour { level, every: chance.one_of(&[2, 4, 8, 16]), often: 1.0 },
        5 => Disturbance::Neighbour {
            level,
            every: chance.one_of(&[1, 2, 4, 8]),
            often: chance.one_of(&[0.1, 0.3, 0.6]),
        },
        6 => Disturbance::Steal,
        7 => Disturbance::Steps { is_told: chance.below(2) == 0 },
        _ => Disturbance::Noise,
    }
}

/// The name of a level: `l1d`, `l2`, …
fn name(level: usize) -> String {
    if level == 0 {
        "l1d".into()
    } else {
        format!("l{}", level + 1)
    }
}

/// A system's claims about the machine: none, true ones, or those of another machine.
fn claims(machine: &Machine) -> Vec<Claim> {
    let mut chance = Chance::new(machine.seed ^ 0xC1A1);
    let says = chance.below(20);
    let mut claims = vec![];
    if says < 8 {
        return claims;
    }
    let wrong = (says < 11).then(|| chance.below(machine.caches.len() as u64) as usize);
    for (i, cache) in machine.caches.iter().enumerate() {
        let (mut ways, mut sets) = (cache.store.ways as f64, cache.store.sets as f64);
        if wrong == Some(i) {
            match chance.below(3) {
                0 => sets *= chance.one_of(&[0.5, 2.0, 4.0, 16.0]),
                1 => ways = (ways * chance.one_of(&[0.5, 0.75, 1.5, 2.0])).round(),
                _ => (ways, sets) = (chance.one_of(&[8.0, 11.0, 12.0, 16.0, 20.0]), sets * chance.one_of(&[0.5, 2.0])),
            }
        }
        let line = machine.line as f64;
        for (what, value) in [("bytes", ways * sets * line), ("line.bytes", line), ("ways", ways)] {
            let name = format!("memory.l{}.{what}", i + 1);
            claims.push(Claim { name, value, source: "the system".into() });
        }
    }
    claims
}

fn truths(machine: &mut Machine) -> BTreeMap<String, Truth> {
    let mut all = BTreeMap::new();
    let mut add = |name: String, truth: Truth| _ = all.insert(format!("memory.{name}"), truth);
    let (line, page) = (machine.line as f64, machine.page as f64);
    add("line.bytes".into(), Truth::exact(line));
    add("page.bytes".into(), Truth::exact(page));
    let entries = machine.translation.sets as f64 * machine.translation.ways as f64;
    add("tlb1.entries".into(), Truth::near(entries, NEAR_ENTRIES));
    add("cache_levels".into(), Truth::exact(machine.caches.len() as f64));
    // If a neighbour comes and goes, the truth lies between these; the frequency lies between the highest and the
    // lowest.
    let (beside, alone) = match machine.disturbance {
        Disturbance::Neighbour { often, .. } => (true, often >= 1.0),
        _ => (false, false),
    };
    let slowest = match machine.disturbance {
        Disturbance::Steps { .. } => 1.2,
        Disturbance::Noise => 1.05,
        _ => 1.0,
    };
    for level in 0..machine.caches.len() {
        let (bytes, ways) = (machine.caches[level].bytes(line as u64), machine.caches[level].store.ways as f64);
        let hit_ns = machine.caches[level].hit_ns;
        add(format!("{}.bytes", name(level)), Truth::near(bytes, 0.01));
        add(format!("{}.ways", name(level)), Truth::exact(ways));
        let usable = [beside, alone].map(|is_beside| machine.ways_of(level, is_beside) as f64);
        add(format!("{}.usable.ways", name(level)), Truth::between(usable[0], usable[1], 0.0));
        // The lines that stay depend on the pages: measured at two places of memory.
        let mut sizes = vec![];
        for is_beside in if beside == alone { vec![beside] } else { vec![beside, alone] } {
            for skip in [0, machine.most_bytes / 2] {
                sizes.push(usable_bytes(machine, level, is_beside, skip));
            }
        }
        let (low, high) = sizes.iter().fold((f64::INFINITY, 0.0f64), |(l, h), s| (l.min(*s), h.max(*s)));
        add(format!("{}.usable.bytes", name(level)), Truth::between(low, high, NEAR_BYTES));
        add(format!("{}.hit.ns", name(level)), Truth::between(hit_ns, hit_ns * slowest, NEAR_NS));
    }
    let random =
        Stimulus::new(Kernel::Chase).with("bytes", machine.most_bytes).with("stride", 64).word("order", "random");
    let ns = [beside, alone].map(|is_beside| machine.mean_of(&random, is_beside));
    add("random.ns".into(), Truth::between(ns[0].min(ns[1]), ns[0].max(ns[1]) * slowest, NEAR_NS));
    let memory_ns = machine.memory_ns;
    add("dram.ns".into(), Truth::between(memory_ns, memory_ns * slowest, 1.5 * NEAR_NS));
    machine.begin();
    all
}

/// The largest array with enough hits, in walks within the reach of translation.
fn usable_bytes(machine: &mut Machine, level: usize, is_beside: bool, skip: u64) -> f64 {
    let within = 8 * machine.page;
    let hits = |machine: &mut Machine, bytes: f64| {
        let walk = Stimulus::new(Kernel::Chase).with("bytes", bytes as u64).with("stride", 64);
        let walk = walk.word("order", "local").with("within", within).with("skip", skip);
        machine.hits_of(&walk, level, is_beside)
    };
    let most = machine.caches[level].bytes(machine.line) * 1.2;
    // Downwards until enough loads hit, then in smaller steps.
    let mut high = most;
    let mut low = most * 0.8;
    while low > 2048.0 && hits(machine, low) < HITS {
        (low, high) = (low * 0.8, low);
    }
    for _ in 0..3 {
        let middle = (low + high) / 2.0;
        if hits(machine, middle) >= HITS {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// A reported value: its machine, and whether it is right.
struct Judged {
    seed: u64,
    disturbance: Disturbance,
    value: Value,
    is_right: bool,
    truth: Option<Truth>,
}

/// Probes a machine, and judges the findings.
fn judged(seed: u64, most_bytes: u64) -> Vec<Judged> {
    let disturbance = disturbance(seed);
    let mut machine = Machine::of_family(seed, most_bytes, disturbance);
    let truths = truths(&mut machine);
    let claims = claims(&machine);
    let system = System { page_bytes: machine.page as f64, most_bytes: machine.most_bytes as f64 };
    let mut found = Findings::default();
    let mut session = Session::new(&mut machine, Effort::Quick, Duration::from_secs(3600));
    session.claims = &claims;
    session.tally.cycles.reference_ns = Some(CYCLE_NS);
    let until = session.until;
    let mut walk = Recorder { found: &mut found, until };
    let reach = translation::probe(&mut session, &mut walk, &system).unwrap();
    let caches = caches::probe(&mut session, &mut walk, &system, reach).unwrap();
    memory_time::probe(&mut session, &mut walk, &system, reach, &caches).unwrap();
    let (samples, outliers) = (session.tally.samples, session.tally.outliers);
    doubt::lower(&mut found.values, "memory", doubt::of_outliers(samples, outliers));
    contradictions::settle(&mut found.values);
    let given = found.values.into_iter().filter(|v| v.value.is_some());
    // A value for a part that the machine does not have is wrong.
    let is_judged = |name: &str| {
        truths.contains_key(name)
            || (name.starts_with("memory.l") && !name.ends_with("missed_by_one_more"))
            || name.contains("tlb2")
    };
    given
        .filter(|v| is_judged(&v.name))
        .map(|value| {
            let truth = truths.get(&value.name).copied();
            let is_right = truth.is_some_and(|t| t.allows(&value));
            Judged { seed, disturbance, value, is_right, truth }
        })
        .collect()
}

/// The values of this many machines, by their seeds.
fn of_machines(first: u64, machines: u64, most_bytes: impl Fn(u64) -> u64 + Sync) -> Vec<Judged> {
    super::of_seeds(first, machines, |seed| judged(seed, most_bytes(seed))).into_iter().flatten().collect()
}

/// A row of the table: its subject, the number of sure values and of wrong ones among them, and the share of all values
/// that are right.
fn row(what: &str, these: &[&Judged]) -> (usize, usize) {
    let is_sure = |j: &&&Judged| j.value.confidence >= SURE;
    let sure = these.iter().filter(is_sure).count();
    let wrong = these.iter().filter(is_sure).filter(|j| !j.is_right).count();
    let right = these.iter().filter(|j| j.is_right).count();
    let share = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    println!(
        "{what:<26} {:>6} values {:>5.1} % right {sure:>6} sure {wrong:>4} of these wrong ({:.1} %)",
        these.len(),
        share(right, these.len()),
        share(wrong, sure)
    );
    (sure, wrong)
}

/// Prints the table, and returns the number of sure values and of wrong ones among them.
fn table(all: &[Judged]) -> (usize, usize) {
    let bins = [0.0, 0.5, 0.7, 0.8, SURE, 0.95, 1.01];
    for bin in bins.windows(2) {
        let these: Vec<&Judged> =
            all.iter().filter(|j| j.value.confidence >= bin[0] && j.value.confidence < bin[1]).collect();
        let wrong = these.iter().filter(|j| !j.is_right).count();
        let share = 100.0 * wrong as f64 / these.len().max(1) as f64;
        println!(
            "confidence {:.2} to {:.2}: {} values, {wrong} wrong ({share:.1} %)",
            bin[0],
            bin[1].min(1.0),
            these.len()
        );
    }
    let groups = |of: &dyn Fn(&Judged) -> String| {
        let mut groups: BTreeMap<String, Vec<&Judged>> = BTreeMap::new();
        all.iter().for_each(|j| groups.entry(of(j)).or_default().push(j));
        groups.iter().for_each(|(what, these)| _ = row(what, these));
    };
    groups(&|j| j.disturbance.name().to_string());
    groups(&|j| j.value.name.trim_start_matches("memory.").to_string());
    row("all", &all.iter().collect::<Vec<_>>())
}

/// The findings of these machines are the same in every run: the seeds are fixed, and the clock is the machine's own.
#[test]
fn of_values_that_are_sure_few_are_wrong_whatever_disturbs() {
    let all = of_machines(0, MACHINES, |_| 320 << 10);
    said(&all);
    let (sure, wrong) = table(&all);
    assert!(sure as u64 > 4 * MACHINES, "little is sure: {sure} values of {MACHINES} machines");
    assert!(wrong as f64 <= MOST_WRONG * sure as f64, "{wrong} of {sure} values that are sure are wrong");
}

/// Prints the values that were sure and wrong.
fn said(all: &[Judged]) {
    for j in all.iter().filter(|j| j.value.confidence >= SURE && !j.is_right) {
        let truth = j.truth.map_or("nothing".to_string(), |t| format!("{:.6} to {:.6}", t.low, t.high));
        let of = |v: Option<f64>| v.unwrap_or(f64::NAN);
        println!(
            "machine {} ({:?}): {} = {:.6} ({:.6} to {:.6}, {:.2}), in truth {truth}\n      {}",
            j.seed,
            j.disturbance,
            j.value.name,
            of(j.value.value),
            of(j.value.low),
            of(j.value.high),
            j.value.confidence,
            j.value.rule
        );
    }
}

#[test]
#[ignore = "takes minutes: FATHOM_CALIBRATION says how many machines"]
fn of_many_machines_values_that_are_sure_are_right() {
    let number = |name: &str, other| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(other);
    let (machines, first) = (number("FATHOM_CALIBRATION", 600), number("FATHOM_CALIBRATION_FIRST", 1000));
    // Few are large, because each of their loads is simulated.
    let most = |seed: u64| if seed % 40 == 17 { 16 << 20 } else { 3 << 19 };
    let all = of_machines(first, machines, most);
    said(&all);
    let (sure, wrong) = table(&all);
    assert!(wrong as f64 <= MOST_WRONG * sure as f64, "{wrong} of {sure} values that are sure are wrong");
}
