//! The error of prediction: whole transfers measured, and composed by the copy-transfer model of basic transfers that were
//! measured by themselves.
//!
//! `fathom probe` takes the basic transfers, as for a user, some sizes and strides of the grid among them. Each cell is then measured by the prober's kernel `whole`: a block from one thread's memory to the other's, straight to its place,
//! packed, or in messages, and within one thread's memory through a buffer. The error is |predicted - measured| / measured.

mod cells;
mod results;

use crate::build::{run, Builder, Failure};
use cells::{Cell, Way};
use fathom_model::copy_transfer::{self, Composition, Figure, Kind, Machine, Pattern, Transfer};
use fathom_profile::Profile;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The target: median of the errors.
const MEDIAN: f64 = 0.15;
/// Cells that are drawn, beside the grid.
const DRAWN: usize = 400;

/// A cell, and what was found, in MB/s.
pub struct Line {
    cell: Cell,
    composition: String,
    measured: f64,
    predicted: f64,
}

impl Line {
    /// Of the throughput, as a share of what was measured; above 0: promised too much.
    fn error(&self) -> f64 {
        self.predicted / self.measured - 1.0
    }
}

pub fn measure(builder: &Builder, quick: bool) -> Result<(), Failure> {
    let work = builder.work.join("predict");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;
    let path = match std::env::var_os("BENCH_PROFILE") {
        Some(path) => path.into(),
        None => {
            let path = work.join("profile.toml");
            run(Command::new(&builder.fathom).args(["probe", "--only", "transfers", "-o"]).arg(&path))?;
            path
        }
    };
    let machine = Profile::read(&path)?.machine.copy_transfer.ok_or("the profile has no basic transfers")?;
    let step = if quick { 5 } else { 1 };
    let grid = set(builder, &machine, "grid", cells::grid().into_iter().step_by(step).collect())?;
    let drawn = set(builder, &machine, "held out", cells::drawn(DRAWN).into_iter().step_by(step).collect())?;
    results::print(&[&grid, &drawn]);
    if !quick {
        results::write(builder, &[&grid, &drawn])?;
    }
    Ok(())
}

/// Cells that are measured and reported together.
pub struct Set {
    name: &'static str,
    lines: Vec<Line>,
    /// Cells that could not be measured, and why.
    lost: Vec<String>,
}

fn set(builder: &Builder, machine: &Machine, name: &'static str, cells: Vec<Cell>) -> Result<Set, Failure> {
    let replies = ask(builder, &cells)?;
    let mut set = Set { name, lines: vec![], lost: vec![] };
    for (cell, reply) in cells.into_iter().zip(&replies) {
        match of_cell(machine, &cell, reply) {
            Ok(line) => set.lines.push(line),
            Err(why) => set.lost.push(format!("{cell}: {why}")),
        }
    }
    Ok(set)
}

/// What the prober answers, cell by cell.
fn ask(builder: &Builder, cells: &[Cell]) -> Result<Vec<String>, Failure> {
    let mut fathom = Command::new(&builder.fathom);
    fathom.args(["probe", "--ask", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = fathom.spawn().map_err(|e| format!("cannot run {fathom:?}: {e}"))?;
    let stimuli: String = cells.iter().map(|cell| cell.stimulus() + "\n").collect();
    let mut stdin = child.stdin.take().ok_or("no pipe")?;
    // Beside the reading: both pipes are short.
    let writer = std::thread::spawn(move || stdin.write_all(stimuli.as_bytes()));
    let out = child.wait_with_output().map_err(|e| e.to_string())?;
    writer.join().map_err(|_| "the stimuli were not written")?.map_err(|e| e.to_string())?;
    let replies: Vec<String> = String::from_utf8_lossy(&out.stdout).lines().map(String::from).collect();
    match replies.len() == cells.len() {
        true => Ok(replies),
        false => Err(format!("{} answers to {} stimuli", replies.len(), cells.len())),
    }
}

fn of_cell(machine: &Machine, cell: &Cell, reply: &str) -> Result<Line, Failure> {
    let (samples, facts) = read(reply).ok_or(reply)?;
    let ns = median(samples).ok_or("no samples")?;
    let fact = |name: &str| facts.iter().find(|f| f.0 == name).map(|f| f.1);
    let piece = fact("piece_bytes").unwrap_or(cell.bytes as f64);
    let (composition, predicted) = predict(machine, cell, piece)?;
    Ok(Line { cell: cell.clone(), composition, measured: cell.bytes as f64 * 1000.0 / ns, predicted })
}

type Reply = (Vec<f64>, Vec<(String, f64)>);

/// `samples 1@0.25 2@0.25 3@0.25 ; bytes=8`; behind the `@` is what a cycle took.
fn read(text: &str) -> Option<Reply> {
    let (samples, facts) = text.trim().strip_prefix("samples ")?.split_once(';')?;
    let facts = facts
        .split_whitespace()
        .filter_map(|f| f.split_once('='))
        .filter_map(|(n, v)| Some((n.into(), v.parse().ok()?)));
    let ns = |s: &str| s.split('@').next()?.parse().ok();
    Some((samples.split_whitespace().filter_map(ns).collect(), facts.collect()))
}

fn median(mut list: Vec<f64>) -> Option<f64> {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied()
}

/// The composition of a cell, and its throughput. Every basic transfer is taken at the size of the block that it works on.
fn predict(machine: &Machine, cell: &Cell, piece: f64) -> Result<(String, f64), Failure> {
    let (x, y) = (cell.from, cell.to);
    let block = cell.bytes as f64;
    let piece = piece.min(block);
    let contiguous = x.to_string() == "1" && y.to_string() == "1";
    let network = if contiguous { "Nd" } else { "Nadp" };
    let (fx, fy) = (touched(x), touched(y));
    // A stage of several finds less of the cache than by itself: it is taken at the size at which it touches by itself as
    // much as all stages of its thread together.
    let (text, sizes) = match cell.way {
        Way::Alone => {
            let all = fx + 1.0 + fy;
            (format!("{x}C1 o 1C{y}"), vec![block * all / (fx + 1.0), block * all / (1.0 + fy)])
        }
        Way::Direct => {
            let all = fx + fy;
            (format!("{x}S0 || {network} || 0D{y}"), vec![block * all / (fx + 1.0), block, block * all / fy])
        }
        // The two threads take turns: nothing runs side by side.
        Way::Packing => {
            let all = fx + 2.0;
            (format!("{x}C1 o 1S0 o 0R{y}"), vec![block * all / (fx + 1.0), block * all / 2.0, block])
        }
        Way::Messages => (format!("({x}C1 o 1S0) || Nd || 0R{y}"), vec![block, piece, block, block]),
    };
    let side_by_side = evaluate(machine, &text, &sizes)?;
    if cell.way != Way::Messages {
        return Ok((text, side_by_side));
    }
    // The receiver learns of the first piece, and scatters the last when nothing is left to be sent beside it.
    let in_turn = evaluate(machine, &format!("{x}C1 o 1S0 o 0R{y}"), &[block, piece, block])?;
    let ns = machine.start_ns(Kind::ReceiveStore) + 1000.0 * (piece / in_turn + (block - piece) / side_by_side);
    Ok((text, 1000.0 * block / ns))
}

/// Bytes of lines that a side touches for each byte of payload: a line of 64 bytes for each word of a large stride, and the
/// address of each word of an indexed side.
fn touched(pattern: Pattern) -> f64 {
    match pattern {
        Pattern::Strided(n) => f64::from(n.min(8)),
        Pattern::Indexed => 2.0,
        Pattern::Contiguous | Pattern::Fixed => 1.0,
    }
}

/// Evaluates on a machine that has nothing but these transfers, each at its size, without starts: all but messages are timed
/// by the processors that work, when they do.
fn evaluate(machine: &Machine, text: &str, sizes: &[f64]) -> Result<f64, Failure> {
    let composition: Composition = copy_transfer::parse(text).map_err(|e| e.to_string())?;
    let mut at = Machine { figures: vec![], by_size: vec![], starts: vec![], ..machine.clone() };
    let transfers: Vec<Transfer> = composition.transfers();
    for (transfer, bytes) in transfers.iter().zip(sizes).filter(|(t, _)| !t.kind.is_network()) {
        let sized = Machine { block_bytes: Some(*bytes), ..machine.clone() };
        let found = sized.throughput(*transfer, machine.congestion);
        let found = found.ok_or_else(|| format!("the profile has no {transfer}"))?;
        at.figures.push(Figure { transfer: transfer.to_string(), mb_s: found.mb_s, source: found.source });
    }
    copy_transfer::evaluate(&composition, &at, machine.congestion).map(|d| d.mb_s).map_err(|e| e.to_string())
}
