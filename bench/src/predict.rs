//! The error of prediction: whole transfers measured, and composed by the copy-transfer model of basic transfers that were
//! measured by themselves.
//!
//! `fathom probe` takes the basic transfers, as for a user; the grid's sizes lie between those that it measures. Each cell
//! is then measured by the prober's kernel `whole`: a block from one thread's memory to the other's, straight to its place,
//! packed, or in messages, and within one thread's memory through a buffer. The error is |predicted - measured| / measured.

mod cells;
mod results;

use crate::build::{output, run, Builder, Failure};
use cells::{Cell, Way};
use fathom_model::copy_transfer::{self, Composition, Figure, Machine, Pattern, Transfer};
use fathom_probe::Profile;
use std::io::Write as _;
use std::process::Command;

/// The target: median of the errors.
const MEDIAN: f64 = 0.15;

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
    let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let machine = Profile::from_toml(&text)?.machine.copy_transfer.ok_or("the profile has no basic transfers")?;
    let mut lines = vec![];
    let mut lost = vec![];
    for cell in cells::all(quick) {
        match of_cell(builder, &machine, &cell) {
            Ok(line) => lines.push(line),
            Err(why) => lost.push(format!("{cell}: {}", why.lines().next().unwrap_or_default())),
        }
        eprint!(".");
        let _ = std::io::stderr().flush();
    }
    eprintln!();
    results::print(&lines, &lost);
    if !quick {
        results::write(builder, &lines, &lost)?;
    }
    Ok(())
}

fn of_cell(builder: &Builder, machine: &Machine, cell: &Cell) -> Result<Line, Failure> {
    let text = output(Command::new(&builder.fathom).args(["probe", "--ask"]).arg(cell.stimulus()))?;
    let (samples, facts) = read(&text).ok_or_else(|| text.clone())?;
    let ns = median(samples).ok_or("no samples")?;
    let fact = |name: &str| facts.iter().find(|f| f.0 == name).map(|f| f.1);
    let piece = fact("piece_bytes").unwrap_or(cell.bytes as f64);
    let (composition, predicted) = predict(machine, cell, piece)?;
    Ok(Line { cell: cell.clone(), composition, measured: cell.bytes as f64 * 1000.0 / ns, predicted })
}

type Reply = (Vec<f64>, Vec<(String, f64)>);

/// `samples 1 2 3 ; bytes=8`
fn read(text: &str) -> Option<Reply> {
    let (samples, facts) = text.trim().strip_prefix("samples ")?.split_once(';')?;
    let facts = facts
        .split_whitespace()
        .filter_map(|f| f.split_once('='))
        .filter_map(|(n, v)| Some((n.into(), v.parse().ok()?)));
    Some((samples.split_whitespace().filter_map(|s| s.parse().ok()).collect(), facts.collect()))
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
    // The last piece is scattered when nothing is left to be sent beside it.
    let in_turn = evaluate(machine, &format!("{x}C1 o 1S0 o 0R{y}"), &[block, piece, block])?;
    let share = piece / block;
    Ok((text, 1.0 / (share / in_turn + (1.0 - share) / side_by_side)))
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

/// Evaluates on a machine that has nothing but these transfers, each at its size.
fn evaluate(machine: &Machine, text: &str, sizes: &[f64]) -> Result<f64, Failure> {
    let composition: Composition = copy_transfer::parse(text).map_err(|e| e.to_string())?;
    let mut at = Machine { figures: vec![], by_size: vec![], ..machine.clone() };
    let transfers: Vec<Transfer> = composition.transfers();
    for (transfer, bytes) in transfers.iter().zip(sizes).filter(|(t, _)| !t.kind.is_network()) {
        let sized = Machine { block_bytes: Some(*bytes), ..machine.clone() };
        let found = sized.throughput(*transfer, machine.congestion);
        let found = found.ok_or_else(|| format!("the profile has no {transfer}"))?;
        at.figures.push(Figure { transfer: transfer.to_string(), mb_s: found.mb_s, source: found.source });
    }
    copy_transfer::evaluate(&composition, &at, machine.congestion).map(|d| d.mb_s).map_err(|e| e.to_string())
}
