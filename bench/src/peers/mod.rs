//! The probe beside the tools that people know: latencies beside multichase and lmbench, bandwidths beside STREAM, and what those
//! say where they are known to go wrong.
//!
//! `tools.rs` says where the tools are and how they are asked; `page.rs` writes `peers/RESULTS.md`. Ours are the stimuli that
//! profiles are made of, each in a prober of its own, with memory of its own, in turn with theirs; a profile is taken in the same
//! run, and what it says of the same size stands beside.

mod page;
mod tools;

use crate::ask::ask;
use crate::build::{run, Builder, Failure};
use fathom_profile::Profile;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tools::{Said, Tools};

/// How far off is within the target, for latencies and for bandwidths.
const LATENCY: f64 = 0.05;
const BANDWIDTH: f64 = 0.03;

const MIB: u64 = 1 << 20;
/// Sizes and pages of the latencies. The largest takes lat_mem_rd a minute: it has fewer rounds.
const PLACES: [(u64, bool); 5] =
    [(16 << 10, false), (MIB, false), (64 * MIB, false), (64 * MIB, true), (256 * MIB, false)];
const LARGE: u64 = 256 * MIB;
/// Where the rounds are kept, by which a later run can add to them.
const KEPT: &str = "rounds.tsv";

/// Ours and theirs in each round, in ns or in MB/s.
#[derive(Default)]
struct Pairs {
    rounds: Vec<(f64, f64)>,
}

impl Pairs {
    fn ours(&self) -> f64 {
        median(self.rounds.iter().map(|r| r.0).collect())
    }

    fn theirs(&self) -> f64 {
        median(self.rounds.iter().map(|r| r.1).collect())
    }

    /// Median, least and greatest of the ratios within a round.
    fn ratio(&self) -> (f64, f64, f64) {
        let ratios: Vec<f64> = self.rounds.iter().map(|r| r.0 / r.1).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = ratios.iter().copied().fold(0.0, f64::max);
        (median(ratios), least, greatest)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n => (values[(n - 1) / 2] + values[n / 2]) / 2.0,
    }
}

/// A load's time, by one of our orders and by one of their tools.
struct Latency {
    bytes: u64,
    huge: bool,
    order: String,
    tool: String,
    pairs: Pairs,
    /// What the profile says of this size and order.
    profile_ns: Option<f64>,
}

impl Latency {
    /// Do both visit in the same order?
    fn is_alike(&self) -> bool {
        self.order == ANOTHER_PAGE || self.tool == MULTICHASE
    }
}

/// A stream's rate, in MB/s.
struct Rate {
    operation: String,
    /// Of a vector; 0 where the compiler chose.
    bits: u32,
    pairs: Pairs,
}

/// A question to a tool at which it is known to go wrong, what it said, and what the profile says.
struct Answer {
    asked: String,
    said: String,
    profile: String,
}

struct Results {
    tools: Tools,
    latencies: Vec<Latency>,
    rates: Vec<Rate>,
    answers: Vec<Answer>,
    notes: Vec<String>,
    kept: PathBuf,
}

/// `more`: what earlier runs have found counts, too; `BENCH_ROUNDS`: so many rounds.
pub fn measure(builder: &Builder, quick: bool, more: bool) -> Result<(), Failure> {
    let work = builder.work.join("peers");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;
    let tools = Tools::find(builder, &work);
    let notes = tools.notes();
    if tools.lmbench.is_err() && tools.multichase.is_err() && tools.stream.is_err() {
        return Err(format!("there is nothing to compare with:\n{}", notes.join("\n")));
    }
    let mut results =
        Results { tools, latencies: vec![], rates: vec![], answers: vec![], notes, kept: work.join(KEPT) };
    if more {
        results.read()?;
    } else {
        std::fs::write(&results.kept, "").map_err(|e| format!("cannot write {}: {e}", results.kept.display()))?;
    }
    let asked = std::env::var("BENCH_ROUNDS").ok().and_then(|n| n.parse().ok());
    let (rounds, few) = if quick { (asked.unwrap_or(2), 0) } else { (asked.unwrap_or(7), 3) };
    for round in 0..rounds {
        results.bandwidth(builder);
        for (bytes, huge) in PLACES.iter().filter(|(bytes, _)| *bytes < LARGE || round < few) {
            results.latency(builder, *bytes, *huge);
        }
        eprint!(".");
    }
    eprintln!();
    let profile = profile(builder, &work, quick)?;
    for l in &mut results.latencies {
        l.profile_ns = of_profile(&profile, l);
    }
    results.answers(&profile);
    let page = page::page(builder, &results);
    println!("{page}");
    if !quick {
        let path = builder.home.join("peers/RESULTS.md");
        std::fs::write(&path, page).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    Ok(())
}

/// What a user would get, of the area that the tools measure.
fn profile(builder: &Builder, work: &Path, quick: bool) -> Result<Profile, Failure> {
    let path = work.join("profile.toml");
    let mut probe = Command::new(&builder.fathom);
    probe.args(["probe", "--only", "memory", "-o"]).arg(&path);
    run(if quick { probe.arg("--quick") } else { &mut probe })?;
    let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    Profile::from_toml(&text)
}

/// The curve's point at this size, or the nearest one, not farther than a tenth.
fn of_profile(profile: &Profile, l: &Latency) -> Option<f64> {
    let series = profile.curve("memory.sizes").filter(|_| !l.huge)?.series(&l.order)?;
    let off = |x: f64| (x / l.bytes as f64).ln().abs();
    let nearest = series.points.iter().min_by(|a, b| off(a.x).total_cmp(&off(b.x)))?;
    (off(nearest.x) < 0.1).then_some(nearest.y)
}

const RANDOM: &str = "random";
const MULTICHASE: &str = "multichase";
const ANOTHER_PAGE: &str = "another page with every load";

impl Results {
    /// One round at one size.
    fn latency(&mut self, builder: &Builder, bytes: u64, huge: bool) {
        let pages = if huge { "huge" } else { "normal" };
        let chase = |more: &str| {
            let stimulus = format!("chase bytes={bytes} stride=64 {more} pages={pages} samples=7 limit_ms=1500");
            ask(tools::bound(&builder.fathom).args(["probe", "-n", "1"]), &stimulus).map(|a| a.median_ns())
        };
        // The last line of its table counts, and ours comes at once behind it.
        let lat_mem_rd = self.tools.lmbench.is_ok().then(|| self.tools.lat_mem_rd(&["-t"], bytes, Some(64), huge));
        let other = chase(&format!("order=pages within={} touch=visits", page_bytes()));
        let random = chase("order=random");
        let mut arguments = ["-m", "", "-T", "", "-s", "64", "-n", "1"].map(String::from).to_vec();
        (arguments[1], arguments[3]) = (bytes.to_string(), bytes.to_string());
        if huge {
            arguments.push("-H".into());
        }
        let multichase = self.tools.multichase.is_ok().then(|| self.tools.multichase(&arguments));
        for (order, ours, tool, theirs) in [
            (RANDOM, &random, MULTICHASE, &multichase),
            (ANOTHER_PAGE, &other, "lat_mem_rd -t", &lat_mem_rd),
            (RANDOM, &random, "lat_mem_rd -t", &lat_mem_rd),
        ] {
            match (ours, theirs) {
                (Ok(ours), Some(Ok(theirs))) => {
                    self.keep(&format!("latency\t{bytes}\t{huge}\t{order}\t{tool}\t{ours}\t{theirs}"));
                }
                (Err(why), _) | (_, Some(Err(why))) => self.note(why.clone()),
                (_, None) => {}
            }
        }
    }

    /// One round of all streams: the best of as many passes on both sides.
    fn bandwidth(&mut self, builder: &Builder) {
        let Ok(programs) = self.tools.stream.clone() else { return };
        for (bits, program) in programs {
            let theirs = match tools::stream(&program) {
                Ok(theirs) => theirs,
                Err(why) => return self.note(why),
            };
            for (operation, theirs) in theirs {
                match our_stream(builder, &operation, bits) {
                    Ok(ours) => self.keep(&format!("rate\t{operation}\t{bits}\t{ours}\t{theirs}")),
                    Err(why) => self.note(why),
                }
            }
        }
    }

    /// Takes the rounds that earlier runs have kept.
    fn read(&mut self) -> Result<(), Failure> {
        let text = std::fs::read_to_string(&self.kept)
            .map_err(|e| format!("there is no earlier run to add to: cannot read {}: {e}", self.kept.display()))?;
        text.lines().try_for_each(|line| self.add(line).ok_or_else(|| format!("not a round: {line}")))
    }

    /// Adds a round, here and to what is kept.
    fn keep(&mut self, line: &str) {
        let added = self.add(line).is_some();
        let kept = OpenOptions::new().append(true).create(true).open(&self.kept);
        let written = kept.and_then(|mut file| writeln!(file, "{line}"));
        if let (true, Err(why)) = (added, written) {
            self.note(format!("{} could not be added to: {why}", self.kept.display()));
        }
    }

    /// `latency`, bytes, huge, order, tool, ours, theirs; or `rate`, operation, bits, ours, theirs.
    fn add(&mut self, line: &str) -> Option<()> {
        let field: Vec<&str> = line.split('\t').collect();
        match field[..] {
            ["latency", bytes, huge, order, tool, ours, theirs] => {
                let (bytes, huge) = (bytes.parse().ok()?, huge.parse().ok()?);
                let pair = (ours.parse().ok()?, theirs.parse().ok()?);
                let same = |l: &&mut Latency| l.bytes == bytes && l.huge == huge && l.order == order && l.tool == tool;
                match self.latencies.iter_mut().find(same) {
                    Some(known) => known.pairs.rounds.push(pair),
                    None => self.latencies.push(Latency {
                        bytes,
                        huge,
                        order: order.into(),
                        tool: tool.into(),
                        pairs: Pairs { rounds: vec![pair] },
                        profile_ns: None,
                    }),
                }
            }
            ["rate", operation, bits, ours, theirs] => {
                let bits = bits.parse().ok()?;
                let pair = (ours.parse().ok()?, theirs.parse().ok()?);
                match self.rates.iter_mut().find(|r| r.operation == operation && r.bits == bits) {
                    Some(known) => known.pairs.rounds.push(pair),
                    None => {
                        let pairs = Pairs { rounds: vec![pair] };
                        self.rates.push(Rate { operation: operation.into(), bits, pairs });
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What the tools say where they are known to go wrong.
    fn answers(&mut self, profile: &Profile) {
        let value = |name: &str| {
            let found = profile.value(&format!("memory.{name}"));
            match found.map(|v| (v.value, v.unit.as_str())) {
                Some((Some(value), "ns")) => format!("{value:.1} ns"),
                Some((Some(value), unit)) => format!("{value} {unit}").trim().to_string(),
                Some((None, _)) => "unknowable".into(),
                None => "nothing".into(),
            }
        };
        let memory = format!(
            "`random.ns` {}, `another_page.ns` {}, `dram.ns` {} (without translation)",
            value("random.ns"),
            value("another_page.ns"),
            value("dram.ns")
        );
        if self.tools.multichase.is_ok() {
            let said = self.tools.multichase(&["-n".into(), "3".into()]);
            self.answer("multichase without options: memory's time", said.map(nanoseconds), &memory);
        }
        if self.tools.lmbench.is_err() {
            return;
        }
        for (stride, words) in [(Some(64), "a stride of 64"), (None, "its own stride")] {
            let said = self.tools.lat_mem_rd(&[], 64 * MIB, stride, false);
            self.answer(
                &format!("`lat_mem_rd` without `-t`, 64 MiB, {words}: memory's time"),
                said.map(nanoseconds),
                &memory,
            );
        }
        let said = self.tools.lmbench("line", &["-M", "64M"], Duration::from_secs(60)).map(words);
        self.answer("`line -M 64M`: the line", said, &value("line.bytes"));
        let said = self.tools.lmbench("cache", &["-M", "64M"], Duration::from_secs(30)).map(words);
        let level = |l: &str| format!("{l} {}, {}", value(&format!("{l}.bytes")), value(&format!("{l}.ways")));
        let caches: Vec<String> = ["l1d", "l2", "l3", "l4"]
            .into_iter()
            .filter(|l| value(&format!("{l}.bytes")) != "nothing")
            .map(level)
            .collect();
        self.answer("`cache -M 64M`: the caches", said, &caches.join("; "));
    }

    fn answer(&mut self, asked: &str, said: Result<String, Failure>, profile: &str) {
        match said {
            Ok(said) => self.answers.push(Answer { asked: asked.into(), said, profile: profile.into() }),
            Err(why) => self.note(why),
        }
    }

    fn note(&mut self, why: String) {
        let why = why.lines().next().unwrap_or_default().to_string();
        if !self.notes.contains(&why) {
            self.notes.push(why);
        }
    }
}

fn nanoseconds(ns: f64) -> String {
    format!("{ns:.1} ns")
}

fn page_bytes() -> i64 {
    // SAFETY: it only asks.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(512)
}

/// In one line.
fn words(said: Said) -> String {
    let text = said.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = if text.is_empty() { "nothing".into() } else { format!("`{text}`") };
    match said.ended {
        true => format!("{text}, after {:.0} s", said.seconds),
        false => format!("{text}; it had not ended after {:.0} s, and was stopped", said.seconds),
    }
}

/// MB/s of the best pass.
fn our_stream(builder: &Builder, operation: &str, bits: u32) -> Result<f64, Failure> {
    let arrays = if ["copy", "scale"].contains(&operation) { 2 } else { 3 };
    let width = if bits > 0 { format!("width={} ", bits / 8) } else { String::new() };
    let stimulus = format!(
        "stream op={operation} bytes={} {width}pages=normal samples={} limit_ms=5000",
        arrays * tools::ARRAY_BYTES,
        tools::PASSES
    );
    let answer = ask(tools::bound(&builder.fathom).args(["probe", "-n", "1"]), &stimulus)?;
    let bytes = answer.fact("bytes").ok_or_else(|| format!("`{stimulus}` did not say its bytes"))?;
    Ok(bytes / answer.ns[0] * 1e3)
}
