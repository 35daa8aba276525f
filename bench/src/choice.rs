//! The regret of the choice: over two grids, every mechanism by force and the tuning table's choice, in turn in one process.
//!
//! A table is made first, by `fathom probe` and `fathom tune`, as a user would. Then several processes, each with memory in
//! other places, time every cell; cells that may lie on either side of the target are timed in more of them.
//! `fathom_model::regret` says what that means. `-- choice:gather` is one pattern alone.

mod page;

use crate::build::{run, Builder, Failure, FAST};
use crate::grid::{self, Cell};
use fathom_model::regret::{regret, Regret, Round};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The targets: geometric mean, and worst.
const MEAN: f64 = 1.03;
const WORST: f64 = 1.25;

/// Processes that time every cell, and rounds of each; processes more for cells of which these do not say enough.
const RUNS: usize = 4;
const ROUNDS: usize = 3;
const MORE_RUNS: usize = 8;

/// What the drawn grid is drawn from. A table is never made with this grid in view: who has looked at its cells, and
/// changed the choice for it, takes another seed before the figures are published.
const SEED: u64 = 1_795_346_029;
const DRAWN: usize = 240;

/// A cell, and the times that were measured of it.
#[derive(Clone)]
struct Timed {
    cell: Cell,
    chosen: String,
    mechanisms: Vec<String>,
    runs: Vec<Vec<Round>>,
}

/// A cell, and what was found.
struct Line {
    cell: Cell,
    chosen: String,
    fastest: String,
    fastest_ns: f64,
    regret: Regret,
    /// Of what serves without a table.
    without: f64,
    runs: usize,
}

pub fn measure(builder: &Builder, quick: bool, patterns: &[&str]) -> Result<(), Failure> {
    let work = builder.work.join("choice");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;
    let program = build(builder, &work)?;
    let given = std::env::var_os("BENCH_TABLE").map(PathBuf::from);
    let table = match &given {
        Some(table) => table.clone(),
        None => make_table(builder, &work, quick)?,
    };
    let mut grids =
        [("by hand", grid::by_hand(quick)), ("drawn", grid::drawn(SEED, if quick { DRAWN / 3 } else { DRAWN }))];
    for (_, cells) in &mut grids {
        cells.retain(|c| patterns.is_empty() || patterns.contains(&c.pattern));
    }
    let mut text =
        String::from("# seed of the drawn grid, cell, chosen, times of each mechanism; runs one after the other\n");
    let mut judged = vec![];
    let mut notes = vec![];
    for (name, cells) in &grids {
        let timed = time(&program, &table, cells, &mut notes, &mut text)?;
        judged.push((*name, timed.iter().filter_map(judge).collect::<Vec<Line>>()));
    }
    let rounds = work.join("rounds");
    std::fs::write(&rounds, text).map_err(|e| format!("cannot write {}: {e}", rounds.display()))?;
    let page = page::page(builder, &judged, &notes);
    println!("{page}");
    if !quick && given.is_none() && patterns.is_empty() {
        let path = builder.home.join("choice/RESULTS.md");
        std::fs::write(&path, page).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    Ok(())
}

fn make_table(builder: &Builder, work: &Path, quick: bool) -> Result<PathBuf, Failure> {
    let (profile, table) = (work.join("profile.toml"), work.join("table"));
    let mut probe = Command::new(&builder.fathom);
    probe.args(["probe", "--only", "mechanisms", "-o"]).arg(&profile);
    if quick {
        probe.arg("--quick");
    }
    run(&mut probe)?;
    let _ = std::fs::remove_file(&table); // else it keeps what other conduits have there
    run(Command::new(&builder.fathom).arg("tune").arg(&profile).arg("-o").arg(&table))?;
    Ok(table)
}

fn build(builder: &Builder, work: &Path) -> Result<PathBuf, Failure> {
    let runtime = builder.home.join("../runtime");
    let program = work.join("choice");
    let mut objects = vec![];
    for source in [builder.home.join("choice/choice.c"), runtime.join("probe/movement.c")] {
        let object = work.join(source.with_extension("o").file_name().unwrap_or_default());
        let mut cc = Command::new(&builder.cc);
        cc.args(FAST).args(["-std=gnu17", "-D_GNU_SOURCE", "-DFATHOM_CONDUIT_HEADER=\"conduit/smp/fathom_conduit.h\""]);
        for folder in ["", "include", "lang"] {
            cc.arg("-I").arg(runtime.join(folder));
        }
        run(cc.arg("-c").arg(&source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    let mut link = Command::new(&builder.fathom);
    link.args(["cc", "--conduit", "smp"])
        .args(FAST)
        .args(&objects)
        .arg("-o")
        .arg(&program)
        .env("FATHOM_CC", &builder.cc);
    run(&mut link)?;
    Ok(program)
}

/// Times the cells in several processes, and those of which that does not say enough in more.
fn time(
    program: &Path,
    table: &Path,
    cells: &[Cell],
    notes: &mut Vec<String>,
    text: &mut String,
) -> Result<Vec<Timed>, Failure> {
    let mut timed: Vec<Timed> = vec![];
    for _ in 0..RUNS {
        add_run(program, table, cells, &mut timed, notes, text)?;
    }
    let open: Vec<Cell> = timed.iter().filter(|t| is_open(t)).map(|t| t.cell.clone()).collect();
    for _ in 0..if open.is_empty() { 0 } else { MORE_RUNS } {
        add_run(program, table, &open, &mut timed, notes, text)?;
    }
    Ok(timed)
}

/// May it lie on either side of the target?
fn is_open(timed: &Timed) -> bool {
    judge(timed).is_some_and(|l| l.regret.high > WORST && (l.regret.low < WORST || l.regret.value < WORST))
}

fn add_run(
    program: &Path,
    table: &Path,
    cells: &[Cell],
    timed: &mut Vec<Timed>,
    notes: &mut Vec<String>,
    text: &mut String,
) -> Result<(), Failure> {
    let mut child = Command::new(program)
        .arg(ROUNDS.to_string())
        .env("FATHOM_THREADS", "2")
        .env("FATHOM_TUNING", table)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
    let mut asks = child.stdin.take().ok_or("no standard input")?;
    let lines: String = cells.iter().map(ask).collect();
    // Longer than a pipe holds, and answered meanwhile.
    let writer = std::thread::spawn(move || asks.write_all(lines.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let _ = writer.join();
    if !output.status.success() {
        return Err(format!("{} ended with {}", program.display(), output.status));
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(note) = line.strip_prefix("left out\t") {
            if !notes.iter().any(|n| n == note) {
                notes.push(note.to_string());
            }
        } else if let Some(answer) = line.strip_prefix("choice\t") {
            read(answer, cells, timed).ok_or_else(|| format!("not a line of result: {line}"))?;
            text.push_str(answer);
            text.push('\n');
        }
    }
    Ok(())
}

fn name(c: &Cell) -> String {
    format!("{} {} {} {} {}", c.pattern, c.direction, c.element, c.stride, c.bytes)
}

fn ask(c: &Cell) -> String {
    format!("{} {}\n", name(c), c.mechanisms().join(" "))
}

/// Adds the run of a line to its cell.
fn read(answer: &str, cells: &[Cell], timed: &mut Vec<Timed>) -> Option<()> {
    let mut fields = answer.split('\t');
    let asked = fields.next()?;
    let cell = cells.iter().find(|c| name(c) == asked)?;
    let chosen = fields.next()?.to_string();
    let (mut mechanisms, mut times) = (vec![], vec![]);
    for field in fields {
        let mut words = field.split(' ');
        mechanisms.push(words.next()?.to_string());
        times.push(words.map(|w| w.parse().ok()).collect::<Option<Vec<f64>>>()?);
    }
    let rounds = times.iter().map(Vec::len).min()?;
    let run: Vec<Round> = (0..rounds).map(|r| times.iter().map(|t| t[r]).collect()).collect();
    match timed.iter_mut().find(|t| t.cell == *cell) {
        Some(known) if known.mechanisms == mechanisms => known.runs.push(run),
        Some(_) => return None,
        None => timed.push(Timed { cell: cell.clone(), chosen, mechanisms, runs: vec![run] }),
    }
    Some(())
}

fn judge(timed: &Timed) -> Option<Line> {
    let of = |mechanism: &str| timed.mechanisms.iter().position(|m| m == mechanism);
    let found = regret(of(&timed.chosen)?, &timed.runs)?;
    // What there would be without a table: the first of the mechanisms, or the vectors of 32 bytes.
    let is_wide = (32..256).contains(&timed.cell.element) && timed.cell.pattern != "contiguous";
    let default = of(if is_wide { "wide" } else { "" }).unwrap_or(0);
    let mut times: Vec<f64> = timed.runs.iter().flatten().map(|round| round[found.fastest]).collect();
    times.sort_by(f64::total_cmp);
    Some(Line {
        cell: timed.cell.clone(),
        chosen: timed.chosen.clone(),
        fastest: timed.mechanisms[found.fastest].clone(),
        fastest_ns: times[times.len() / 2],
        regret: found,
        without: regret(default, &timed.runs)?.value,
        runs: timed.runs.len(),
    })
}
