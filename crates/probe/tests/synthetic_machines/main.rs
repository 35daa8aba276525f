//! The area "memory" on thirty random machines whose properties are known: how often it finds caches, lines, ways and
//! pages. `FATHOM_SYNTHETIC=5000` tries more machines, and `-- --nocapture` prints the rates and the missed properties.

mod calibration;
mod conflicts;
mod machine;

use fathom_probe::memory::{caches, translation, Recorder, System};
use fathom_probe::{Effort, Findings, Session};
use machine::Machine;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::Duration;

/// The questions, and the number of machines in a hundred that must give the right answer.
const ASKED: [(&str, f64); 9] = [
    ("levels", 85.0),
    ("sizes", 77.0),
    ("line", 95.0),
    ("ways", 85.0),
    ("page", 67.0),
    ("translations", 67.0),
    ("second level's ways", 65.0),
    ("third level's ways", 15.0),
    ("sizes within their intervals", 78.0),
];

/// The answer to one question: right, reported as unknowable, or wrong; or not asked, if the machine has no such
/// property.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Unasked,
    Right,
    Unknown,
    Wrong,
}

fn judged(found: Option<f64>, truth: f64, within: f64) -> Answer {
    match found {
        None => Answer::Unknown,
        Some(found) if (found / truth - 1.0).abs() <= within => Answer::Right,
        Some(_) => Answer::Wrong,
    }
}

/// Probes the machine and compares the findings with the truth.
fn answers(seed: u64) -> ([Answer; ASKED.len()], bool, String) {
    let mut machine = Machine::random(seed);
    let truth: Vec<f64> = machine.caches.iter().map(|c| c.bytes(machine.line)).collect();
    let (line, ways) = (machine.line as f64, machine.caches[0].store.ways as f64);
    let (page, entries) = (machine.page as f64, (machine.translation.sets * machine.translation.ways as u64) as f64);
    let kinds: Vec<_> =
        machine.caches.iter().map(|c| (c.store.sets, c.store.ways, c.store.rule, c.physical, c.hit_ns)).collect();
    let mut what = format!(
        "line {line} page {page} translations {entries} ({} sets, {:.1} ns), {truth:?} {kinds:.1?} {:.1} noise {:.3}",
        machine.translation.sets, machine.translation_ns, machine.memory_ns, machine.noise
    );

    let spread = machine.caches.iter().any(|c| c.physical);
    let mut found = Findings::default();
    let system = System { page_bytes: page, most_bytes: machine.most_bytes as f64 };
    let mut session = Session::new(&mut machine, Effort::Quick, Duration::from_secs(3600));
    let until = session.until;
    let mut walk = Recorder { found: &mut found, until };
    let reach = translation::probe(&mut session, &mut walk, &system).unwrap();
    let caches = caches::probe(&mut session, &mut walk, &system, reach).unwrap();

    let value = |name: &str| found.values.iter().find(|v| v.name == format!("memory.{name}")).and_then(|v| v.value);
    let sizes: Vec<f64> = ["l1d", "l2", "l3", "l4", "l5"].iter().map_while(|l| value(&format!("{l}.bytes"))).collect();
    let number = judged(Some(sizes.len() as f64), truth.len() as f64, 0.0);
    let near = sizes.iter().zip(&truth).all(|(a, b)| judged(Some(*a), *b, 0.15) == Answer::Right);
    let all_sizes = if number == Answer::Right && near { Answer::Right } else { Answer::Wrong };
    let (found_line, found_ways) = (value("line.bytes"), value("l1d.ways"));
    let (found_page, found_entries) = (value("page.bytes"), value("tlb1.entries"));
    what += &format!(
        "\n   found line {found_line:?} ways {found_ways:?} page {found_page:?} translations {found_entries:.1?} {sizes:.0?} {:?}",
        caches.levels.iter().map(|l| l.law).collect::<Vec<_>>()
    );
    let ways_of = |level: usize| match machine.caches.get(level) {
        Some(cache) => judged(value(&format!("l{}.ways", level + 1)), cache.store.ways as f64, 0.0),
        None => Answer::Unasked,
    };
    let interval = |name: &str| {
        found
            .values
            .iter()
            .find(|v| v.name == format!("memory.{name}"))
            .map(|v| (v.low.unwrap_or(0.0), v.high.unwrap_or(0.0)))
    };
    let held = ["l1d", "l2", "l3"].iter().zip(&truth).all(|(l, t)| {
        interval(&format!("{l}.bytes")).is_some_and(|(low, high)| low <= 1.005 * t && *t <= 1.005 * high)
    });
    let held = match (number, held) {
        (Answer::Right, true) => Answer::Right,
        (Answer::Right, false) => Answer::Wrong,
        _ => Answer::Unasked,
    };
    what += &format!(
        " l2 {:?} l3 {:?} {:.0?}",
        value("l2.ways"),
        value("l3.ways"),
        ["l1d", "l2", "l3"].map(|l| interval(&format!("{l}.bytes")))
    );
    for name in ["l1d.ways", "l2.ways", "l3.ways"] {
        let value = found.values.iter().find(|v| v.name == format!("memory.{name}"));
        what += &value.filter(|v| v.value.is_none()).map_or(String::new(), |v| format!("\n   {name}: {}", v.rule));
    }
    let all = [
        number,
        all_sizes,
        judged(found_line, line, 0.0),
        judged(found_ways, ways, 0.0),
        judged(found_page, page, 0.0),
        judged(found_entries, entries, 0.3),
        ways_of(1),
        ways_of(2),
        held,
    ];
    (all, spread, what)
}

/// The results for `machines` seeds from `first` on, in their order, of several at the same time.
fn of_seeds<T: Send>(first: u64, machines: u64, of: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, all) = (AtomicU64::new(first), Mutex::new(vec![]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(4) {
            scope.spawn(|| loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= first + machines {
                    break;
                }
                let result = of(seed);
                all.lock().unwrap().push((seed, result));
            });
        }
    });
    let mut all = all.into_inner().unwrap();
    all.sort_by_key(|(seed, _)| *seed);
    all.into_iter().map(|(_, result)| result).collect()
}

#[test]
fn the_truth_comes_back_from_random_machines() {
    let machines: u64 = std::env::var("FATHOM_SYNTHETIC").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
    let first: u64 = std::env::var("FATHOM_SYNTHETIC_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let all = of_seeds(first, machines, |seed| {
        let (answers, spread, what) = answers(seed);
        let missed: Vec<&str> = (0..ASKED.len()).filter(|&i| answers[i] == Answer::Wrong).map(|i| ASKED[i].0).collect();
        if !missed.is_empty() {
            println!("machine {seed}: {missed:?} of {what}");
        }
        (answers, spread)
    });
    let mut failed = vec![];
    for (i, (name, least)) in ASKED.iter().enumerate() {
        let count = |a| all.iter().filter(|m| m.0[i] == a).count();
        let asked = all.len() - count(Answer::Unasked);
        let share = |a| 100.0 * count(a) as f64 / asked.max(1) as f64;
        let (right, unknown) = (share(Answer::Right), share(Answer::Unknown));
        println!("{name}: {right:.1} % right, {unknown:.1} % said to be unknowable, of {asked} machines");
        if right < *least {
            failed.push(format!("{name}: {right:.1} % of {asked} machines, not {least} %"));
        }
    }
    for (spread, what) in [(false, "lie in order"), (true, "are spread over some cache by chance")] {
        let these: Vec<_> = all.iter().filter(|m| m.1 == spread).collect();
        let right = these.iter().filter(|m| m.0[1] == Answer::Right).count();
        println!("sizes where pages {what}: {right} of {} machines", these.len());
    }
    assert!(failed.is_empty(), "{failed:?}");
}
