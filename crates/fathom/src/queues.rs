//! `fathom queues`: what is registered with a broker, and how full it is.

use clap::Args;
use fathom_broker::client::{Broker, Lane, Process, Queue};
use fathom_broker::{default_socket, names};
use fathom_report::{Cell, Table};
use fathom_toolchain::{Failure, Result};
use serde_json::{json, Value};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// List message queues: who serves them and sends to them, how full they are, how fast they are emptied.
///
/// A line for each name that is registered with the broker and that you may see, and one for each client. Clients report how full their
/// queues are once a second (sample_ms of the broker's configuration); the age of the oldest message that waits is at least
/// what is shown.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The broker's socket (default: FATHOM_BROKER, this user's, or the computer's)
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// The broker of all users, at /run/fathom/broker.sock
    #[arg(long, conflicts_with = "socket")]
    system: bool,
    /// Only names in which one of these occurs
    names: Vec<String>,
    /// Print JSON: one object, with --watch one for each look, a line each
    #[arg(long)]
    json: bool,
    /// Look again every so many seconds, until it is interrupted
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "1", value_parser = interval)]
    watch: Option<f64>,
}

const EXAMPLES: &str = "\
Examples:
  fathom queues                 all names that you may see
  fathom queues sums --watch    the names with 'sums' in them, every second
  fathom queues --json          for programs

A process 'stopped' has got SIGSTOP; one that has 'ended' has left messages that are still to be received.";

fn interval(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.05..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0.05 to 86400".into()),
    }
}

/// The same as the library's (runtime/msg/broker.c).
fn socket(options: &Options) -> PathBuf {
    let of_computer = PathBuf::from("/run/fathom/broker.sock");
    if options.system {
        return of_computer;
    }
    let named = std::env::var_os("FATHOM_BROKER").filter(|p| !p.is_empty()).map(PathBuf::from);
    options.socket.clone().or(named).unwrap_or_else(|| match default_socket(false) {
        Ok(own) if own.exists() || !of_computer.exists() => own,
        _ => of_computer,
    })
}

pub fn main(options: &Options) -> Result<()> {
    let path = socket(options);
    let mut broker = Broker::connect(&path).map_err(Failure::new)?;
    loop {
        let mut queues = match (broker.list(), options.watch) {
            (Ok(queues), _) => queues,
            (Err(why), None) => return Err(Failure::new(why)),
            // It may be restarted.
            (Err(why), Some(seconds)) => {
                eprintln!("fathom: {why}");
                loop {
                    std::thread::sleep(Duration::from_secs_f64(seconds));
                    if let Ok(again) = Broker::connect(&path) {
                        broker = again;
                        break;
                    }
                }
                continue;
            }
        };
        queues.retain(|q| options.names.is_empty() || options.names.iter().any(|n| q.name.contains(n.as_str())));
        if options.json {
            println!("{}", as_json(&queues));
        } else {
            if options.watch.is_some() && std::io::stdout().is_terminal() {
                print!("\x1b[H\x1b[2J");
            }
            print!("{}", as_text(&queues, &options.names));
        }
        let _ = std::io::stdout().flush();
        match options.watch {
            Some(seconds) => std::thread::sleep(Duration::from_secs_f64(seconds)),
            None => return Ok(()),
        }
    }
}

fn as_text(queues: &[Queue], names: &[String]) -> String {
    if queues.is_empty() {
        let with =
            if names.is_empty() { String::new() } else { format!(" with '{}' in its name", names.join("' or '")) };
        return format!("No queue is registered{with} that you may see.\n");
    }
    let mut table =
        Table::new(["queue", "source", "process", "user", "state", "waiting", "of", "rate", "oldest", "moves"])
            .in_order();
    for q in queues {
        let clients = format!("{} client{}", q.clients, if q.clients == 1 { "" } else { "s" });
        table.push(
            process(&q.name, clients.into(), &q.server)
                .into_iter()
                .chain(std::array::from_fn::<Cell, 5, _>(|_| "".into())),
        );
        for lane in &q.lanes {
            let name = if lane.back { "  answers to" } else { "  from" };
            table.push(process(name, number(lane.source.into()), &lane.client).into_iter().chain(gauge(q, lane)));
        }
    }
    table.text(120)
}

fn number(n: u64) -> Cell {
    Cell::number(n as f64, n.to_string())
}

fn process(name: &str, source: Cell, p: &Process) -> [Cell; 5] {
    let of = format!("{} {}", p.pid, p.program);
    [name.into(), source, of.into(), names::user(p.uid).into(), p.state.as_str().into()]
}

fn gauge(queue: &Queue, lane: &Lane) -> [Cell; 5] {
    let Some(seen) = lane.gauge else { return ["?".into(), "".into(), "".into(), "".into(), "".into()] };
    let unit = if queue.basic && !lane.back { " B" } else { "" };
    let with_unit = |n: u64| Cell::number(n as f64, format!("{n}{unit}"));
    let rate = if seen.per_second == 0.0 {
        Cell::number(0.0, "0/s")
    } else {
        let digits = usize::from(seen.per_second < 10.0);
        let text = format!("{:.digits$}{unit}/s", seen.per_second);
        Cell::number(seen.per_second, text)
    };
    let age = match seen.oldest_ns {
        0 => "".into(),
        ns => Cell::number(ns as f64, age(ns)),
    };
    [with_unit(seen.waiting), with_unit(seen.room), rate, age, number(seen.moves)]
}

/// In seconds, of a young message in milliseconds.
fn age(ns: u64) -> String {
    let age = Duration::from_nanos(ns);
    let whole =
        if age.as_secs() > 0 { Duration::from_secs(age.as_secs()) } else { Duration::from_millis(ns / 1_000_000) };
    humantime::format_duration(whole).to_string()
}

fn as_json(queues: &[Queue]) -> Value {
    let of = |p: &Process| json!({"pid": p.pid, "uid": p.uid, "user": names::user(p.uid), "program": p.program, "state": p.state});
    let lane = |l: &Lane| {
        json!({
            "source": l.source,
            "direction": if l.back { "answers" } else { "requests" },
            "client": of(&l.client),
            "waiting": l.gauge.map(|g| g.waiting),
            "room": l.gauge.map(|g| g.room),
            "per_second": l.gauge.map(|g| g.per_second),
            "moves": l.gauge.map(|g| g.moves),
            "oldest_ns": l.gauge.filter(|g| g.waiting > 0).map(|g| g.oldest_ns),
        })
    };
    let queue = |q: &Queue| {
        json!({
            "name": q.name,
            "server": of(&q.server),
            "unit": if q.basic { "bytes" } else { "messages" },
            "slots": q.slots,
            "clients": q.clients,
            "lanes": q.lanes.iter().map(lane).collect::<Vec<_>>(),
        })
    };
    json!({ "queues": queues.iter().map(queue).collect::<Vec<_>>() })
}
