//! `fathom simulate --explain-time`: what the time of one operation consists of.

use super::report;
use fathom_machine::{network, Description, Time};
use fathom_report::{Cell, Table};
use fathom_simulate::program::explain_time::{explain_time, near_and_far, Explained, Operation};
use fathom_toolchain::{Failure, Result};

/// Threads among which the other one is chosen, if nobody says how many there are.
const THREADS: u32 = 64;

/// What each operation consists of on each machine, with the thread that is nearest in time and the one that is
/// farthest.
pub fn text(
    names: &[String],
    described: &[Description],
    operations: &[Operation],
    threads: Option<u32>,
) -> Result<String> {
    let mut out = String::new();
    for (name, machine) in names.iter().zip(described) {
        let cannot = |why: String| Failure::new(format!("the machine `{name}` cannot run this operation: {why}"));
        let nodes = network::build(machine).map_or(THREADS, |network| network.nodes());
        let threads = threads.unwrap_or(THREADS.min(nodes));
        for operation in operations {
            let mut compared = String::new();
            let explained = |with| explain_time(machine, threads, *operation, with).map_err(cannot);
            let columns = match operation {
                Operation::Barrier => {
                    let s = if threads == 1 { "" } else { "s" };
                    vec![(format!("{threads} thread{s}"), explained(0)?)]
                }
                _ => {
                    let (near, far) = near_and_far(machine, threads, *operation).map_err(cannot)?;
                    compared = format!("Thread {near} is the nearest in time to thread 0, and thread {far} the farthest, of all {threads}.\n");
                    let mut columns = vec![(format!("thread 0 and {near}"), explained(near)?)];
                    if near != far {
                        columns.push((format!("thread 0 and {far}"), explained(far)?));
                    }
                    columns
                }
            };
            if !out.is_empty() {
                out.push('\n');
            }
            let table = table(&columns).text(report::WIDTH);
            out += &format!("{} on {name}\n\n{table}{compared}", title(*operation));
        }
    }
    Ok(out)
}

fn title(operation: Operation) -> String {
    match operation {
        Operation::Get(bytes) => format!("get {bytes}"),
        Operation::Put(bytes) => format!("put {bytes}"),
        Operation::Message(bytes) => format!("message {bytes}"),
        Operation::Barrier => "barrier".into(),
    }
}

/// A row for each step of any of them, and the sum.
fn table(columns: &[(String, Explained)]) -> Table {
    let mut table = Table::new(std::iter::once("").chain(columns.iter().map(|(name, _)| name.as_str())));
    let mut names: Vec<&str> = vec![];
    let mut longest: Vec<_> = columns.iter().collect();
    longest.sort_by_key(|(_, explained)| std::cmp::Reverse(explained.steps.len()));
    for (_, explained) in longest {
        for (what, _) in &explained.steps {
            if !names.contains(&what.as_str()) {
                names.push(what);
            }
        }
    }
    let shown = |time: Time, total: Time| {
        let percent = report::percent(time as f64, total as f64);
        Cell::number(time as f64, format!("{} ({percent})", report::time(time as f64)))
    };
    let row = |what: &str, of: &dyn Fn(&Explained) -> Option<Time>| -> Vec<Cell> {
        let cells = columns.iter().map(|(_, e)| of(e).map_or_else(Cell::default, |time| shown(time, e.total)));
        std::iter::once(Cell::from(what)).chain(cells).collect()
    };
    for what in names {
        table.push(row(what, &|e| e.steps.iter().find(|(name, _)| name == what).map(|(_, time)| *time)));
    }
    table.push(row("all", &|e| Some(e.total)));
    table
}
