//! The findings for a terminal.

use super::Findings;
use fathom_explain::job::ByDistance;
use fathom_explain::{Advice, Job, Line, Service, UsedMechanism};
use fathom_report::{significant, Cell, Table, Unit};
use std::collections::BTreeMap;

const WIDTH: usize = 118;
/// From this share of the time on, a note says that threads had no processor.
const DISPLACED: f64 = 0.05;

pub fn print(job: &Job, f: &Findings, most: usize) {
    let name = f.program.rsplit('/').next().unwrap_or("");
    let computers = match job.hosts.len() {
        0 | 1 => String::new(),
        n => format!(" on {n} computers"),
    };
    println!("{name}: {} threads by {}{computers}, {}", f.threads, f.conduit, Unit::Ns.text(f.wall_ns));
    for r in f.remarks {
        println!("note: {r}");
    }
    if job.crowded {
        println!(
            "note: {} threads share {} processors: waits include waiting for a processor",
            f.threads, job.processors
        );
    }
    let displaced: f64 = job.displaced_ns.iter().sum();
    if !job.crowded && displaced > DISPLACED * job.thread_ns() {
        println!(
            "note: threads ready to run had no processor for {:.0} % of the time: other programs or the system used it",
            displaced / job.thread_ns() * 100.0
        );
    }
    print_lines(job, f.lines, most);
    println!("{}", f.prediction);
    print_service(f, most);
    print_mechanisms(&f.lines[..if most == 0 { f.lines.len() } else { most.min(f.lines.len()) }]);
    print_advice(f.advice);
}

pub fn count(n: f64) -> String {
    match n {
        0.0 => "·".into(),
        n if n < 1e5 => format!("{n:.0}"),
        n => significant(n, 3),
    }
}

pub fn time(ns: Option<f64>) -> String {
    ns.map_or("·".into(), |ns| Unit::Ns.text(significant(ns, 3).parse().unwrap_or(ns)))
}

/// `1.5 µs to 41 µs`: for data in the thread's own caches, and for data that another thread has just written.
pub fn predicted(l: &Line) -> String {
    match (l.predicted_ns, l.predicted_fresh_ns) {
        (Some(own), Some(fresh)) if fresh > 1.2 * own => format!("{} to {}", time(Some(own)), time(Some(fresh))),
        (own, _) => time(own),
    }
}

fn print_lines(job: &Job, lines: &[Line], most: usize) {
    let shown = if most == 0 { lines.len() } else { most.min(lines.len()) };
    let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let total = job.thread_ns();
    let mut table = Table::new([
        "line",
        "source",
        "own",
        "near",
        "far",
        "bytes",
        "calls",
        "measured",
        "share",
        "predicted",
        "form",
    ]);
    for l in &lines[..shown] {
        let text = source_line(&mut sources, l);
        let number = |n: f64| Cell::number(n, count(n));
        let bytes = l.bytes.all();
        let share = l.measured_ns.filter(|_| total > 0.0).map_or(f64::NAN, |ns| ns / total);
        table.push([
            Cell::from(format!("{}:{}", short(&l.file), l.line)),
            Cell::from(shortened(text.trim(), 44)),
            number(l.accesses.own),
            number(l.accesses.near),
            number(l.accesses.far),
            Cell::number(bytes, if bytes > 0.0 { Unit::Bytes.text(bytes) } else { "·".into() }),
            number(l.calls),
            Cell::number(l.measured_ns.unwrap_or(0.0), time(l.measured_ns)),
            Cell::number(share, if share.is_nan() { "·".into() } else { format!("{:.0} %", share * 100.0) }),
            Cell::number(l.predicted_ns.unwrap_or(0.0), predicted(l)),
            Cell::from(forms(l)),
        ]);
    }
    println!(
        "\nLines by the time that was measured there, of all threads together (a trace counts every access, and \
    times calls and"
    );
    println!(
        "far accesses; of near and own ones it samples what a load takes, which the processor may overlap with \
    others):\n"
    );
    println!("{}", table.text(WIDTH + 40));
    if shown < lines.len() {
        println!("{} more lines: --lines 0 shows all", lines.len() - shown);
    }
}

/// The forms that the accesses of a line take, those used most first.
pub fn forms(l: &Line) -> String {
    let mut by: Vec<(&str, f64)> = vec![];
    for p in &l.places {
        let n = p.accesses.all().max(p.calls);
        match by.iter_mut().find(|(how, _)| *how == p.how) {
            Some(x) => x.1 += n,
            None => by.push((&p.how, n)),
        }
    }
    by.sort_by(|a, b| b.1.total_cmp(&a.1));
    by.iter().map(|(how, _)| *how).collect::<Vec<_>>().join("; ")
}

/// `99 %`; what is not all or nothing never looks like it.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        p if p <= 0.0 || p >= 100.0 => format!("{p:.0} %"),
        p => format!("{} %", significant(p.clamp(0.1, 99.9), if p >= 99.0 { 3 } else { 2 })),
    }
}

/// `strips 95 %, outbox 2 %`
pub fn shares(s: &Service) -> String {
    let used = s.mechanisms().into_iter().filter(|(_, n)| *n > 0.0);
    let parts: Vec<String> = used.map(|(name, n)| format!("{name} {}", percent(n / s.accesses))).collect();
    parts.join(", ")
}

/// How many no mechanism served, and why: what the compiler says about the places where they are.
pub fn alone(l: &Line) -> String {
    let s = &l.far;
    let mut parts = vec![];
    if s.strict > 0.0 {
        parts.push(format!("{} strict", count(s.strict)));
    }
    if s.split_phase > 0.0 {
        parts.push(format!("{} split-phase", count(s.split_phase)));
    }
    if s.alone > 0.0 {
        let mut whys: Vec<&str> = vec![];
        for p in l.places.iter().filter(|p| p.far.alone > 0.0 && !p.missed.is_empty()) {
            if !whys.contains(&p.missed.as_str()) {
                whys.push(&p.missed);
            }
        }
        let why = if whys.is_empty() { String::new() } else { format!(": {}", whys.join("; ")) };
        parts.push(format!("{} alone{why}", count(s.alone)));
    }
    parts.join(", ")
}

/// `Of 8 000 far accesses a mechanism served 99 %: outbox 99 %; in 6 messages`
pub fn total(s: &Service) -> Option<String> {
    let share = s.share()?;
    let served = match s.served() > 0.0 {
        true => format!(" ({}), in {} messages", shares(s), count(s.messages)),
        false => String::new(),
    };
    Some(format!("Of {} far accesses a mechanism served {}{served}.", count(s.accesses), percent(share)))
}

/// How far accesses were served, by line, those with the most that were not first.
fn print_service(f: &Findings, most: usize) {
    let Some(total) = total(&f.far) else { return };
    println!("\n{total}\n");
    let mut lines: Vec<&Line> = f.lines.iter().filter(|l| l.far.accesses > 0.0 || l.far.messages > 0.0).collect();
    let left = |l: &Line| l.far.accesses - l.far.served();
    lines.sort_by(|a, b| left(b).total_cmp(&left(a)).then(b.far.accesses.total_cmp(&a.far.accesses)));
    let mut table = Table::new(["line", "far", "served", "by", "messages", "not served"]);
    for l in lines.iter().take(if most == 0 { usize::MAX } else { most }) {
        table.push([
            Cell::from(format!("{}:{}", short(&l.file), l.line)),
            Cell::number(l.far.accesses, count(l.far.accesses)),
            Cell::from(l.far.share().map_or("·".into(), percent)),
            Cell::from(shares(&l.far)),
            Cell::number(l.far.messages, count(l.far.messages)),
            Cell::from(alone(l)),
        ]);
    }
    println!("{}", table.text(WIDTH + 40));
}

/// The mechanisms that the runtime chose for the calls of these lines, and why.
fn print_mechanisms(lines: &[Line]) {
    let mut table = Table::new(["line", "call", "mechanism", "why", "by the profile"]);
    for l in lines {
        for p in &l.places {
            for t in &p.mechanisms {
                table.push([
                    Cell::from(format!("{}:{}", short(&l.file), l.line)),
                    Cell::from(p.construct.clone()),
                    Cell::from(format!("{}, {}", t.mechanism, sizes(t.bytes))),
                    Cell::from(reason(t)),
                    Cell::from(comparison(t)),
                ]);
            }
        }
    }
    if !table.is_empty() {
        println!("\nHow the runtime moved the data (docs/tuning.md describes the mechanisms):\n");
        println!("{}", table.text(WIDTH + 40));
    }
}

fn sizes((least, most): (u64, u64)) -> String {
    match least == most {
        true => format!("{most} B"),
        false => format!("{least} to {most} B"),
    }
}

/// `contiguous: in-place < 17, library (built in)`
pub fn reason(t: &UsedMechanism) -> String {
    let shape = if t.shape.is_empty() { String::new() } else { format!(" of {}", t.shape) };
    format!("{}{shape}; {}", t.decision, t.because)
}

/// The mechanism's time by the profile, and that of the best other one.
pub fn comparison(t: &UsedMechanism) -> String {
    let own = t.predicted_ns.iter().find(|p| p.0 == t.mechanism);
    let other = t.predicted_ns.iter().find(|p| p.0 != t.mechanism);
    match (own, other) {
        (Some(own), Some(other)) => format!("{}; {} {}", time(Some(own.1)), other.0, time(Some(other.1))),
        (Some(own), None) => time(Some(own.1)),
        _ => "·".into(),
    }
}

fn print_advice(advice: &[Advice]) {
    if advice.is_empty() {
        println!("\nNo advice: nothing was found that would save more than 2 % of the time.");
        return;
    }
    println!("\nAdvice:");
    for (i, a) in advice.iter().enumerate() {
        println!("\n{:2}. {}:{}: {}", i + 1, short(&a.file), a.line, a.what);
        for e in &a.evidence {
            println!("      {e}");
        }
        let (gain, share) =
            (Unit::Ns.text(significant(a.gain_ns, 2).parse().unwrap_or(a.gain_ns)), a.gain_share * 100.0);
        println!("      may save {gain} of thread time ({share:.0} %); confidence {:.0} %", a.confidence * 100.0);
    }
}

pub fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

/// The line of the source, if the file is where it was when the program was compiled.
pub fn source_line(sources: &mut BTreeMap<String, Vec<String>>, l: &Line) -> String {
    let lines = sources.entry(l.file.clone()).or_insert_with(|| read_source(&l.file));
    let at = (l.line as usize).wrapping_sub(1);
    lines.get(at).cloned().unwrap_or_else(|| l.places.first().map_or(String::new(), |p| p.text.clone()))
}

pub fn read_source(file: &str) -> Vec<String> {
    let bytes = std::fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
}

pub fn distances(d: ByDistance) -> String {
    let part = |n: f64, word: &str| (n > 0.0).then(|| format!("{} {word}", count(n)));
    let parts: Vec<String> =
        [part(d.own, "own"), part(d.near, "near"), part(d.far, "far")].into_iter().flatten().collect();
    parts.join(", ")
}
