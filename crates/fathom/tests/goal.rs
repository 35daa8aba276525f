//! Traces as schedules of GOAL: what is written is a schedule (every message has its receiver, every label its
//! operation), work and bytes are those of the run, and LogGOPSim, where it is at hand, computes the same times.

use crate::support;
use fathom_machine::{Description, Time};
use fathom_simulate::program::stops::{Done, Ended, Message, Record, Stop, Stopped, Threads, Turn};
use fathom_simulate::program::{charges, simulate};
use fathom_simulate::trace::{goal, Head, Recorder, Trace};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{fathom, root, run, Outcome};

const LIMIT: Duration = Duration::from_secs(120);

/// LogGP's parameters, in picoseconds.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    l: Time,
    o: Time,
    g: Time,
    per_byte: Time,
}

/// ATLAHS (SC'25), configuration of LogGOPSim for Alps.
const ALPS: Parameters = Parameters { l: 3_700_000, o: 200_000, g: 5_000, per_byte: 40 };
/// The defaults of LogGOPSim.
const ETHERNET: Parameters = Parameters { l: 2_500_000, o: 1_500_000, g: 1_000_000, per_byte: 6_000 };
/// The same, and bytes take no time: what differs then is not that LogGOPSim keeps a receiving processor busy for them.
const NO_BYTES: Parameters = Parameters { per_byte: 0, ..ETHERNET };

impl Parameters {
    fn file(&self) -> String {
        let Parameters { l, o, g, per_byte } = self;
        let work = "integer = 1\nmultiply = 2\ndivide = 9\nfloat = 1\nfloat_divide = 5\nload = 1\nstore = 1\nbranch = 1\ncall = 5\nshared = 2";
        let work: String = work
            .lines()
            .filter_map(|line| line.split_once(" = "))
            .map(|(name, ns)| format!("{name} = {{ value = \"{ns} ns\", assumed = \"for a test\", range = [\"{ns} ns\", \"{ns} ns\"] }}\n"))
            .collect();
        format!(
            r#"name = "LogGP"
[simulated]
about = "A network for tests."
[simulated.network]
kind = "loggp"
ports = {{ value = 64, assumed = "enough", range = [1, 64] }}
L = {{ value = "{l} ps", other = "for a test" }}
o_send = {{ value = "{o} ps", other = "for a test" }}
o_recv = {{ value = "{o} ps", other = "for a test" }}
g = {{ value = "{g} ps", other = "for a test" }}
G = {{ value = "{per_byte} ps / (1 B)", other = "for a test" }}
[simulated.work]
{work}"#
        )
    }

    fn machine(&self) -> Description {
        Description::of_file(&self.file()).unwrap().unwrap()
    }
}

// ---- reading schedules ----------------------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    Calc(u64),
    Send { bytes: u64, to: u32, tag: u64 },
    Receive { bytes: u64, from: u32, tag: u64 },
}

/// The operations of each rank by their labels, each with what it requires.
type Schedule = Vec<HashMap<String, (Operation, Vec<String>)>>;

/// Reads a schedule as txt2bin does: a label that is required stands before.
fn read(text: &str) -> Schedule {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
    let ranks: usize = lines.next().and_then(|line| line.strip_prefix("num_ranks ")).unwrap().parse().unwrap();
    let mut schedule: Schedule = vec![];
    let mut is_open = false;
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |text: &str| text.parse::<u64>().unwrap();
        let rank = |text: &str| text.parse::<u32>().unwrap();
        let operation = match words[..] {
            ["rank", n, "{"] => {
                assert!(!is_open && number(n) as usize == schedule.len(), "{line}");
                schedule.push(HashMap::new());
                is_open = true;
                continue;
            }
            ["}"] => {
                is_open = false;
                continue;
            }
            [label, "requires", other] => {
                let own = schedule.last_mut().unwrap();
                assert!(own.contains_key(other), "{line}");
                own.get_mut(label).unwrap().1.push(other.into());
                continue;
            }
            [_, "calc", time] => Operation::Calc(number(time)),
            [_, "send", bytes, "to", to, "tag", tag] => {
                Operation::Send { bytes: number(bytes.strip_suffix('b').unwrap()), to: rank(to), tag: number(tag) }
            }
            [_, "recv", bytes, "from", from, "tag", tag] => Operation::Receive {
                bytes: number(bytes.strip_suffix('b').unwrap()),
                from: rank(from),
                tag: number(tag),
            },
            _ => panic!("{line}"),
        };
        let label = words[0].strip_suffix(':').unwrap();
        assert!(schedule.last_mut().unwrap().insert(label.into(), (operation, vec![])).is_none(), "{line}");
    }
    assert!(!is_open && schedule.len() == ranks);
    schedule
}

/// Checks that every message has one sender and one receiver; returns the messages.
fn messages(schedule: &Schedule) -> HashSet<(u32, u32, u64, u64)> {
    let (mut sent, mut received) = (HashSet::new(), HashSet::new());
    for (me, rank) in schedule.iter().enumerate() {
        let me = me as u32;
        for (operation, _) in rank.values() {
            assert!(match *operation {
                Operation::Calc(_) => true,
                Operation::Send { bytes, to, tag } => bytes > 0 && sent.insert((me, to, tag, bytes)),
                Operation::Receive { bytes, from, tag } => received.insert((from, me, tag, bytes)),
            });
        }
    }
    assert_eq!(sent, received);
    sent
}

/// Performs a schedule whose messages take no time: the time of the longest chain. None: it waits for ever.
fn longest(schedule: &Schedule) -> Option<u64> {
    let mut done: HashMap<(usize, &str), u64> = HashMap::new();
    let mut arrived: HashMap<(u32, u32, u64), u64> = HashMap::new();
    let count: usize = schedule.iter().map(HashMap::len).sum();
    loop {
        let before = done.len();
        for (me, rank) in schedule.iter().enumerate() {
            for (label, (operation, after)) in rank {
                let times: Option<Vec<u64>> = after.iter().map(|l| done.get(&(me, l.as_str())).copied()).collect();
                let Some(begin) = times.map(|times| times.into_iter().max().unwrap_or(0)) else { continue };
                let end = match *operation {
                    Operation::Calc(time) => begin + time,
                    Operation::Send { to, tag, .. } => {
                        arrived.insert((me as u32, to, tag), begin);
                        begin
                    }
                    Operation::Receive { from, tag, .. } => match arrived.get(&(from, me as u32, tag)) {
                        Some(at) => begin.max(*at),
                        None => continue,
                    },
                };
                done.insert((me, label), end);
            }
        }
        if done.len() == count {
            return done.into_values().max();
        }
        if done.len() == before {
            return None;
        }
    }
}

// ---- schedules that we perform --------------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug)]
enum Op {
    Work(Time),
    Send(u32, u64),
    Receive(u32),
}

/// A program whose threads perform operations, each after the one before.
struct Program {
    threads: Vec<VecDeque<Op>>,
    /// Messages that have come and were not waited for, by receiver and sender.
    came: HashMap<(u32, u32), u32>,
    sent: Vec<u64>,
}

impl Program {
    fn new(threads: &[Vec<Op>]) -> Self {
        let sent = vec![0; threads.len()];
        Program {
            threads: threads.iter().map(|ops| ops.iter().copied().collect()).collect(),
            came: HashMap::new(),
            sent,
        }
    }
}

impl Threads for Program {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let stopped = |records, work, stop| Ok(Stopped { records, stop, work, may_serve: true, place: 0 });
        if let Turn::Serve(from, _) = turn {
            *self.came.entry((t, *from)).or_default() += 1;
            return stopped(vec![], 0, Stop::Served);
        }
        let (mut records, mut work) = (vec![], 0);
        loop {
            match self.threads[t as usize].front() {
                None => return stopped(records, work, Stop::End),
                Some(Op::Work(time)) => work += time,
                Some(&Op::Send(to, bytes)) => {
                    let tag = self.sent[t as usize];
                    self.sent[t as usize] += 1;
                    let what = Done::Sent(Message { to, is_reply: false, bytes, tag, image: vec![] });
                    records.push(Record { work: std::mem::take(&mut work), place: 0, what });
                }
                Some(_) if work > 0 || !records.is_empty() => return stopped(records, work, Stop::Full),
                Some(Op::Receive(from)) => match self.came.get_mut(&(t, *from)) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => return stopped(records, work, Stop::Wait(0)),
                },
            }
            self.threads[t as usize].pop_front();
        }
    }
}

/// Our time for a program, and its trace.
fn performed(program: &[Vec<Op>], parameters: Parameters) -> (Time, Trace) {
    let machine = parameters.machine();
    let threads = program.len() as u32;
    let mut job = Program::new(program);
    let mut bytes = vec![];
    let head = Head { program: "schedule".into(), threads, machine: "a test".into(), file: 0, basis: String::new() };
    let mut recorder = Recorder::new(&mut job, &mut bytes, &head);
    let outcome = simulate(&mut recorder, &mut *charges(&machine, threads).unwrap(), threads).unwrap();
    recorder.finish(|_| 0).unwrap();
    (outcome.time(), Trace::read(&bytes).unwrap())
}

/// The schedule as such: o is not in it.
fn plain(program: &[Vec<Op>]) -> String {
    let mut text = format!("num_ranks {}\n", program.len());
    let mut sent: HashMap<(u32, u32), u64> = HashMap::new();
    let mut received: HashMap<(u32, u32), u64> = HashMap::new();
    let mut sizes: HashMap<(u32, u32), Vec<u64>> = HashMap::new();
    for (me, ops) in program.iter().enumerate() {
        for op in ops {
            if let Op::Send(to, bytes) = op {
                sizes.entry((me as u32, *to)).or_default().push(*bytes);
            }
        }
    }
    let next = |of: &mut HashMap<(u32, u32), u64>, pair| {
        let n = of.entry(pair).or_insert(0);
        *n += 1;
        *n - 1
    };
    for (me, ops) in program.iter().enumerate() {
        let me = me as u32;
        text.push_str(&format!("\nrank {me} {{\n"));
        for (i, op) in ops.iter().enumerate() {
            let what = match *op {
                Op::Work(time) => format!("calc {time}"),
                Op::Send(to, bytes) => format!("send {bytes}b to {to} tag {}", next(&mut sent, (me, to))),
                Op::Receive(from) => {
                    let n = next(&mut received, (from, me));
                    format!("recv {}b from {from} tag {n}", sizes[&(from, me)][n as usize])
                }
            };
            text.push_str(&format!("l{i}: {what}\n"));
            if i > 0 {
                text.push_str(&format!("l{i} requires l{}\n", i - 1));
            }
        }
        text.push_str("}\n");
    }
    text
}

fn written(trace: &Trace, parameters: Parameters) -> String {
    let mut text = vec![];
    goal::write(trace, &parameters.machine(), "", &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn ring(p: u32, rounds: u32, bytes: u64) -> Vec<Vec<Op>> {
    let around =
        |me: u32| (0..rounds).flat_map(move |_| [Op::Send((me + 1) % p, bytes), Op::Receive((me + p - 1) % p)]);
    let mut program: Vec<Vec<Op>> = (0..p).map(|me| around(me).collect()).collect();
    // A token: all but the first receive before they send.
    program[1..].iter_mut().for_each(|ops| ops.chunks_mut(2).for_each(|two| two.reverse()));
    program
}

fn broadcast(p: u32, bytes: u64) -> Vec<Vec<Op>> {
    let mut program = vec![vec![]; p as usize];
    let mut reach = p.next_power_of_two() / 2;
    while reach > 0 {
        for from in (0..p).step_by(2 * reach as usize).filter(|from| from + reach < p) {
            program[from as usize].push(Op::Send(from + reach, bytes));
            program[(from + reach) as usize].push(Op::Receive(from));
        }
        reach /= 2;
    }
    program
}

/// Up the tree of a broadcast, and down.
fn barrier(p: u32) -> Vec<Vec<Op>> {
    let down = broadcast(p, 8);
    let reversed = |me: u32| {
        down[me as usize].iter().rev().map(|op| match *op {
            Op::Receive(from) => Op::Send(from, 8),
            Op::Send(to, _) => Op::Receive(to),
            work => work,
        })
    };
    (0..p).map(|me| reversed(me).chain(down[me as usize].iter().copied()).collect()).collect()
}

fn all_to_all(p: u32, bytes: u64) -> Vec<Vec<Op>> {
    let sends = |me: u32| (1..p).map(move |d| Op::Send((me + d) % p, bytes));
    let receives = |me: u32| (1..p).map(move |d| Op::Receive((me + p - d) % p));
    (0..p).map(|me| sends(me).chain(receives(me)).collect()).collect()
}

/// Work and messages at random; a message is received after it was sent in the order in which they are drawn.
fn random(p: u32, count: u32, seed: u64) -> Vec<Vec<Op>> {
    let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = move |below: u64| {
        // xorshift64*, Vigna 2016.
        dice ^= dice >> 12;
        dice ^= dice << 25;
        dice ^= dice >> 27;
        (dice.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % below
    };
    let mut program = vec![vec![]; p as usize];
    for _ in 0..count {
        let (from, step) = (draw(p.into()) as u32, draw(u64::from(p) - 1) as u32);
        let to = (from + 1 + step) % p;
        program[from as usize].push(Op::Work(draw(4_000_000)));
        program[from as usize].push(Op::Send(to, 1 + draw(2000)));
        program[to as usize].push(Op::Receive(from));
    }
    program
}

fn schedules() -> Vec<(String, Vec<Vec<Op>>)> {
    let mut all = vec![];
    for p in [2, 7, 16, 64] {
        for bytes in [1, 8, 4096] {
            all.push((format!("ring, {p}, {bytes} B"), ring(p, 3, bytes)));
            all.push((format!("broadcast, {p}, {bytes} B"), broadcast(p, bytes)));
            all.push((format!("all to all, {p}, {bytes} B"), all_to_all(p, bytes)));
        }
        all.push((format!("barrier, {p}"), barrier(p)));
    }
    for seed in 1..=8 {
        all.push((format!("random, 16, number {seed}"), random(16, 600, seed)));
    }
    all
}

// ---- tests ----------------------------------------------------------------------------------------------------------

#[test]
fn schedules_have_the_messages_and_the_work_of_their_traces() {
    for (name, program) in schedules() {
        let (_, trace) = performed(&program, ALPS);
        let schedule = read(&written(&trace, ALPS));
        let (messages, expected) = (messages(&schedule), messages_of(&program));
        let bytes: u64 = messages.iter().map(|m| m.3).sum();
        assert_eq!((messages.len(), bytes), expected, "{name}");
        let calc: u64 = schedule
            .iter()
            .flat_map(HashMap::values)
            .map(|(op, _)| if let Operation::Calc(n) = op { *n } else { 0 })
            .sum();
        let work: u64 = program.iter().flatten().map(|op| if let Op::Work(n) = op { *n } else { 0 }).sum();
        assert_eq!(calc, work + 2 * ALPS.o * expected.0 as u64, "{name}");
        if schedule.len() <= 16 {
            assert!(longest(&schedule).is_some(), "{name} waits for ever");
        }
    }
}

fn messages_of(program: &[Vec<Op>]) -> (usize, u64) {
    let sizes: Vec<u64> =
        program.iter().flatten().filter_map(|op| if let Op::Send(_, n) = op { Some(*n) } else { None }).collect();
    (sizes.len(), sizes.iter().sum())
}

/// A chain has its overheads one after the other: those of a token's messages, and of a barrier's rounds.
#[test]
fn what_waits_for_each_other_is_a_chain() {
    let (time, trace) = performed(&ring(7, 3, 8), ALPS);
    let per_message = ALPS.l + 7 * ALPS.per_byte;
    assert_eq!(longest(&read(&written(&trace, ALPS))), Some(time - 21 * per_message));
    let (time, trace) = performed(&barrier(16), ALPS);
    assert_eq!(longest(&read(&written(&trace, ALPS))), Some(time - 8 * per_message));
}

const PROGRAM: &str = r#"
#include <upc.h>
#define N 50
shared [N] int a[N * THREADS];
shared int sum;
upc_lock_t *lock;
int main(void) {
    int next = (MYTHREAD + 1) % THREADS;
    lock = upc_all_lock_alloc();
    for (int i = 0; i < N; i++) a[next * N + i] = i;
    upc_barrier;
    int own = 0;
    for (int i = 0; i < N; i++) own += a[((next + 1) % THREADS) * N + i];
    upc_lock(lock);
    sum += own;
    upc_unlock(lock);
    upc_notify;
    own *= 2;
    upc_wait;
    return sum == 1225 * THREADS ? 0 : 3;
}
"#;

fn simulated(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).args(args);
    run(command, LIMIT)
}

#[test]
fn a_program_with_puts_gets_locks_and_barriers_is_exported() {
    let dir = support::folder(&[("p.upc", PROGRAM), ("m.toml", &ALPS.file())]);
    let ran = simulated(dir.path(), &["simulate", "--machine", "m.toml", "-n", "5", "--trace", "t", "p.upc"]);
    assert_eq!(ran.status, 0, "{}", ran.transcript());
    let out = simulated(dir.path(), &["replay", "t", "--export-goal", "p.goal"]);
    assert_eq!(out.status, 0, "{}", out.transcript());
    assert!(out.stderr.contains("LogGOPSim -f p.goal.bin -L 3700000 -g 5000 -G 40 -o 0"), "{}", out.stderr);
    let text = std::fs::read_to_string(dir.path().join("p.goal")).unwrap();
    let schedule = read(&text);
    let count = |what: &str| -> usize {
        let line = out.stderr.lines().find(|line| line.starts_with(what)).unwrap();
        line.split_whitespace().last().unwrap().parse().unwrap()
    };
    // Each transfer has its way back, and each of the barriers three rounds on 5 threads.
    let all = messages(&schedule);
    let rounds = count("barriers") * 5 * 3;
    assert_eq!(all.len(), 2 * (count("puts") + count("gets")) + count("messages") + rounds, "{}", out.stderr);
    assert!(longest(&schedule).is_some());
}

#[test]
fn what_goal_cannot_say_is_refused() {
    let dir = support::folder(&[("p.upc", PROGRAM), ("m.toml", &ALPS.file())]);
    let record = ["simulate", "--machine", "t3d", "-n", "4", "--work", "accesses", "--trace", "a", "p.upc"];
    assert_eq!(simulated(dir.path(), &record).status, 0);
    let record = ["simulate", "--machine", "t3d", "-n", "4", "--trace", "t", "p.upc"];
    assert_eq!(simulated(dir.path(), &record).status, 0);
    for (args, why) in [
        (&["t"][..], "the machine `t3d` has ways to communicate that GOAL lacks"),
        (&["a"], "a has accesses to memory, and GOAL has no caches"),
        (&["t", "--machine", "ib-edr", "--machine", "m.toml"], "give one --machine with --export-goal"),
    ] {
        let mut all = vec!["replay", "--export-goal", "x.goal"];
        all.extend(args);
        let refused = simulated(dir.path(), &all);
        assert!(refused.status == 1 && refused.stderr.contains(why), "{args:?}: {}", refused.transcript());
    }
    // Another network has no parameters of LogGP to name.
    let record = ["simulate", "--machine", "m.toml", "-n", "4", "--trace", "u", "p.upc"];
    assert_eq!(simulated(dir.path(), &record).status, 0);
    let other = simulated(dir.path(), &["replay", "u", "--machine", "ib-edr", "--export-goal", "x.goal"]);
    assert!(other.status == 0 && other.stderr.contains("ib-edr has another network"), "{}", other.transcript());
}

// ---- beside LogGOPSim -----------------------------------------------------------------------------------------------

/// LogGOPSim's time for a schedule.
fn loggopsim(folder: &Path, schedule: &str, parameters: Parameters, o: Time) -> Time {
    let simulator = PathBuf::from(std::env::var_os("LOGGOPSIM").expect("LOGGOPSIM names the binary"));
    std::fs::write(folder.join("s.goal"), schedule).unwrap();
    let convert = Command::new(simulator.with_file_name("txt2bin"))
        .current_dir(folder)
        .args(["-i", "s.goal", "-o", "s.bin"])
        .output();
    assert!(convert.unwrap().status.success());
    let Parameters { l, g, per_byte, .. } = parameters;
    let arguments = format!("-b -f s.bin -L {l} -o {o} -g {g} -G {per_byte} -S 2147483647");
    let out = Command::new(&simulator).current_dir(folder).args(arguments.split(' ')).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let time = text.lines().find_map(|line| line.strip_prefix("Maximum finishing time at host "));
    time.and_then(|rest| rest.split([' ', ':']).nth(2)?.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

fn percent(theirs: Time, ours: Time) -> f64 {
    100.0 * (theirs as f64 / ours as f64 - 1.0)
}

/// LOGGOPSIM names the simulator's binary; txt2bin lies beside it. docs/simulating.md has the results.
#[test]
#[ignore = "needs LogGOPSim: LOGGOPSIM=PATH cargo test -p fathom --test all goal:: -- --ignored --nocapture"]
fn loggopsim_has_the_same_times() {
    let dir = tempfile::tempdir().unwrap();
    let mut worst: f64 = 0.0;
    for (network, parameters) in [("Alps", ALPS), ("Ethernet", ETHERNET), ("G = 0", NO_BYTES)] {
        for (name, program) in schedules() {
            let (ours, trace) = performed(&program, parameters);
            let as_such = loggopsim(dir.path(), &plain(&program), parameters, parameters.o);
            let exported = loggopsim(dir.path(), &written(&trace, parameters), parameters, 0);
            let [a, b] = [as_such, exported].map(|theirs| percent(theirs, ours));
            println!("{network:9} {name:24} {ours:>12} ps; the schedule {a:+6.2} %, its trace {b:+6.2} %");
            // Receptions compete with other work for the processor, which the two give them in another order.
            let competes = name.starts_with("all to all") || (name.starts_with("random") && network != "Alps");
            if !competes {
                worst = worst.max(a.abs()).max(b.abs());
            }
        }
    }
    std::fs::write(dir.path().join("m.toml"), ALPS.file()).unwrap();
    for (name, file, args) in [
        ("sort", "sort.upc", &[][..]),
        ("life", "life.upc", &[]),
        ("is_bulk", "nas/is_bulk.upc", &[]),
        ("em3d simple", "em3d/em3d.sc", &["simple", "100", "8", "20", "4"]),
        ("em3d get", "em3d/em3d.sc", &["get", "100", "8", "20", "4"]),
        ("em3d put", "em3d/em3d.sc", &["put", "100", "8", "20", "4"]),
        ("em3d bulk", "em3d/em3d.sc", &["bulk", "100", "8", "20", "4"]),
    ] {
        let file = root().join("examples").join(file);
        let mut all = vec!["simulate", "--machine", "m.toml", "-n", "8", "--trace", "t", file.to_str().unwrap()];
        all.extend(args);
        assert_eq!(simulated(dir.path(), &all).status, 0, "{name}");
        let trace = Trace::read(&std::fs::read(dir.path().join("t")).unwrap()).unwrap();
        let ours = fathom_simulate::trace::what_if::replayed(&trace, &ALPS.machine()).unwrap().time();
        let difference = percent(loggopsim(dir.path(), &written(&trace, ALPS), ALPS, 0), ours);
        println!("Alps      {name:24} {ours:>12} ps; its trace {difference:+6.2} %");
        worst = worst.max(difference.abs());
    }
    assert!(worst <= 2.0, "{worst:.2} %");
}
