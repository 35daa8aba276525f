//! Predicted against real time: programs between computers on a network of known delay and rate, beside what
//! `fathom simulate` says on a machine file that `fathom probe` has written there.
//!
//! `real/run.sh` builds, measures and predicts; this reads its lines, compares, and writes `real/RESULTS.md`. The targets are
//! those of the project (`real_table`). BENCH_ALONE names a command that is put before the part that measures, and which may
//! keep other work away.

use crate::build::{output, Builder, Failure};
use crate::real_table::{rows, table};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Computers, delay in microseconds each way, and Mbit/s of each port.
const NETWORKS: [(u32, u32, u32); 2] = [(2, 200, 10), (4, 1000, 100)];

/// `more`: what an earlier run has measured is predicted once more, and nothing is measured.
pub fn measure(builder: &Builder, quick: bool, more: bool) -> Result<(), Failure> {
    let folder = builder.work.join("real");
    let step = |alone: bool, args: &[&str]| -> Result<String, Failure> {
        let script = builder.home.join("real/run.sh");
        let before = std::env::var("BENCH_ALONE").ok().filter(|a| alone && !a.is_empty());
        let mut command = match before {
            Some(before) => {
                let mut command = Command::new(before);
                command.arg(script);
                command
            }
            None => Command::new(script),
        };
        command.arg(args[0]).arg(&folder).args(&args[1..]).env("FATHOM", &builder.fathom);
        output(&mut command)
    };
    step(false, &["build"])?;
    let mut text = head()?;
    for (computers, delay, rate) in NETWORKS {
        let _ = writeln!(text, "\n## {computers} computers, {delay} us each way, {rate} Mbit/s\n");
        let [n, delay, rate] = [computers, delay, rate].map(|number| number.to_string());
        // A network that fails leaves a line on the page, and the next one is measured.
        let measured = || -> Result<(), Failure> {
            if !more {
                step(true, &["probe", &n, &delay, &rate])?;
                // Each round by itself: a command that keeps other work away may limit how long it does.
                for _ in 0..if quick { 3 } else { 5 } {
                    step(true, &["measure", &n, &delay, &rate, "1"])?;
                }
            }
            step(false, &["predict", &n]).map(drop)
        };
        if let Err(why) = measured() {
            eprintln!("{why}");
            let _ = writeln!(text, "This network has no complete results: {}.\n", first_line(&why.to_string()));
        }
        let here = folder.join(&n);
        let lines = |name: &str| read(&here.join(name)).unwrap_or_default();
        let (rows, missing) = rows(&lines("real"), &lines("predicted"))?;
        text += &table(&rows);
        let failed: Vec<String> = lines("failed").lines().map(str::to_string).chain(missing).collect();
        if !failed.is_empty() {
            let _ = writeln!(text, "\nNot compared: {}.", failed.join("; "));
        }
        if let Some(wire) = lines("wire").lines().last() {
            let _ = writeln!(text, "\nThe network itself, in the last round: {}", wire.trim_start_matches("wire: "));
        }
    }
    println!("{text}");
    if quick {
        return Ok(());
    }
    let path = builder.home.join("real/RESULTS.md");
    std::fs::write(&path, &text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason is known").trim_end_matches('.')
}

fn head() -> Result<String, Failure> {
    let cpu = read(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model =
        cpu.lines().find_map(|l| l.strip_prefix("model name")).map_or("?", |l| l.trim_start_matches([' ', '\t', ':']));
    let processors = cpu.lines().filter(|l| l.starts_with("processor")).count();
    let date = output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    Ok(format!(
        "# Predicted against real time\n\nWritten by `cargo bench -p fathom-bench -- real`. {model} guest, {processors} processors, {}. Real times: \
         median, lowest and highest. A round of a pattern (`patterns.upc`), an edge of EM3D, all of other programs.\n",
        date.trim()
    ))
}
