//! The runner for this computer: a prober (see `runtime/probe`) that receives one stimulus per line.
//!
//! The prober is a separate process, or a group of processes, so that a kernel that hangs or dies cannot harm its
//! caller. If the prober is late, it is killed, and the next stimulus starts a new one. The caller supplies the command
//! that starts it.

use crate::{Fact, Failure, Runner, Samples, Stimulus};
use fathom_profile::Reason;
use std::any::Any;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How a prober is started.
#[derive(Clone)]
pub struct Launch {
    pub command: Vec<OsString>,
    pub env: Vec<(String, String)>,
    pub threads: usize,
    /// Called with the number of each started process; its result is dropped when the process has ended.
    pub guard: fn(u32) -> Box<dyn Any + Send>,
}

/// How to start a prober with another number of threads.
pub type Others = Rc<dyn Fn(usize) -> Result<Launch, Failure>>;

/// The time a prober may take to start (an MPI launcher may have much to do).
const START: Duration = Duration::from_secs(60);
/// The time a kernel may take beyond its limit, to prepare memory and where the computer is busy.
const GRACE: Duration = Duration::from_secs(10);
/// The time a prober may take to end, after its last request or when asked to.
const LEAVE: Duration = Duration::from_millis(if cfg!(test) { 500 } else { 3000 });
/// The number of bytes kept of a prober's error stream.
const SAID_BYTES: usize = 4000;

pub struct Host {
    launch: Launch,
    grace: Duration,
    process: Option<Process>,
    /// Starts probers with other numbers of threads.
    others: Option<Others>,
}

impl Host {
    /// Starts a prober.
    ///
    /// # Errors
    /// The prober cannot be started, or the process is not a prober.
    pub fn start(launch: Launch) -> Result<Host, Failure> {
        let mut host = Host { launch, grace: GRACE, process: None, others: None };
        host.ready()?;
        Ok(host)
    }

    /// Sets the time that a kernel may take beyond its limit.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> Host {
        Host { grace, ..self }
    }

    /// Adds launches with other numbers of threads.
    #[must_use]
    pub fn with_others(self, others: Others) -> Host {
        Host { others: Some(others), ..self }
    }

    /// Sends the prober a stimulus as text and returns its answer unchanged.
    ///
    /// # Errors The prober is late, or has ended. The next stimulus starts another.
    pub fn ask(&mut self, stimulus: &str, repetitions: usize, limit: Duration) -> Result<String, Failure> {
        let grace = self.grace;
        let process = self.ready()?;
        let asked = process.ask(&format!("{stimulus} samples={repetitions} limit_ms={}", limit.as_millis().max(1)));
        asked.and_then(|()| process.answer(limit + grace)).map_err(|failure| {
            if let Some(process) = self.process.take() {
                process.end();
            }
            match failure {
                Failure::Late { .. } => Failure::Late { stimulus: stimulus.to_string(), limit },
                Failure::Broken(why) => Failure::Broken(format!("at `{stimulus}`: {why}")),
                other @ Failure::Impossible(..) => other,
            }
        })
    }

    /// The running prober, or a new one.
    fn ready(&mut self) -> Result<&mut Process, Failure> {
        if self.process.is_none() {
            let mut process = Process::start(&self.launch)?;
            let greeting = process.answer(START)?;
            if greeting.split(' ').next() != Some("ready") {
                return Err(Failure::Broken(format!("the prober began with `{greeting}`")));
            }
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| Failure::Broken("there is no prober".into()))
    }
}

impl Runner for Host {
    fn threads(&self) -> usize {
        self.launch.threads
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, limit: Duration) -> Result<Samples, Failure> {
        samples(&self.ask(&stimulus.to_string(), repetitions, limit)?, stimulus)
    }

    fn with_threads(&mut self, threads: usize) -> Result<Box<dyn Runner>, Failure> {
        let none = || Failure::Impossible(Reason::Threads, format!("there is no prober with {threads} threads"));
        let others = self.others.clone().ok_or_else(none)?;
        let host = Host::start(others(threads)?)?;
        Ok(Box::new(Host { grace: self.grace, others: Some(others), ..host }))
    }
}

/// Reads the samples from an answer.
fn samples(line: &str, stimulus: &Stimulus) -> Result<Samples, Failure> {
    let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
    let broken = || Failure::Broken(format!("`{stimulus}` was answered by `{line}`"));
    match kind {
        "samples" => samples_of(rest).ok_or_else(broken),
        "impossible" => {
            let (code, why) = rest.split_once(' ').ok_or_else(broken)?;
            Err(Failure::Impossible(Reason::of_code(code).ok_or_else(broken)?, why.to_string()))
        }
        "error" => Err(Failure::Broken(format!("the prober refused `{stimulus}`: {rest}"))),
        _ => Err(broken()),
    }
}

/// `1.52@0.25 1.53@0.25 ; name=value`: samples, each with the cycle time around it, and facts. None if the text has
/// another form.
fn samples_of(text: &str) -> Option<Samples> {
    let (values, facts) = text.split_once(';').unwrap_or((text, ""));
    let mut samples = Samples::default();
    for word in values.split_whitespace() {
        let (ns, cycle) = word.split_once('@').map_or((word, None), |(ns, cycle)| (ns, Some(cycle)));
        samples.ns.push(number(ns)?);
        if let Some(cycle) = cycle {
            samples.cycles_ns.push(number(cycle)?);
        }
    }
    for fact in facts.split_whitespace() {
        let (name, value) = fact.split_once('=')?;
        samples.facts.insert(Fact::named(name)?, number(value)?);
    }
    (!samples.ns.is_empty()).then_some(samples)
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|v| v.is_finite())
}

/// A running prober. Dropping it ends the process.
struct Process {
    child: Child,
    requests: Option<ChildStdin>,
    answers: Receiver<String>,
    /// The end of its error stream.
    said: Arc<Mutex<Vec<u8>>>,
    is_buried: bool,
    _guard: Box<dyn Any + Send>,
}

impl Process {
    fn start(launch: &Launch) -> Result<Process, Failure> {
        let cannot = |e: std::io::Error| Failure::Broken(format!("cannot start the prober: {e}"));
        let Some((program, arguments)) = launch.command.split_first() else {
            return Err(Failure::Broken("no prober is named".into()));
        };
        let mut command = Command::new(program);
        command.args(arguments).envs(launch.env.iter().map(|(k, v)| (k, v)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: everything the prober starts ends with it, and only we receive the terminal's signals.
        command.process_group(0);
        let mut child = command.spawn().map_err(cannot)?;
        let guard = (launch.guard)(child.id());
        let (requests, out, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, answers) = channel();
        let said = Arc::new(Mutex::new(vec![]));
        let kept = Arc::clone(&said);
        let process = Process { child, requests, answers, said, is_buried: false, _guard: guard };
        let threads = std::thread::Builder::new;
        // These threads end when the last process that holds the other end of the pipe has ended; nobody waits for
        // them.
        threads().spawn(move || out.into_iter().for_each(|out| pass_on_lines(out, &send))).map_err(cannot)?;
        threads().spawn(move || errors.into_iter().for_each(|errors| keep_the_end(errors, &kept))).map_err(cannot)?;
        Ok(process)
    }

    fn ask(&mut self, line: &str) -> Result<(), Failure> {
        let written =
            self.requests.as_mut().map(|r| r.write_all(format!("{line}\n").as_bytes()).and_then(|()| r.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            _ => Err(self.gone()),
        }
    }

    fn answer(&mut self, limit: Duration) -> Result<String, Failure> {
        match self.answers.recv_timeout(limit) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Late { stimulus: String::new(), limit }),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    /// The prober has ended by itself: reports the reason, as far as its error stream gives one.
    fn gone(&mut self) -> Failure {
        let status = match self.ends_within(LEAVE) {
            true => self.bury().map_or("nobody knows how".to_string(), |status| status.to_string()),
            false => "it has closed its output".to_string(),
        };
        // Another thread reads its last output.
        std::thread::sleep(Duration::from_millis(20));
        let said = self.said.lock().map(|s| String::from_utf8_lossy(&s).trim().to_string()).unwrap_or_default();
        let colon = if said.is_empty() { "" } else { ": " };
        Failure::Broken(format!("the prober ended ({status}){colon}{said}"))
    }

    /// Whether it has ended, or ends in time. It is not reaped, so its process number stays its own, which makes
    /// [`Process::signal`] safe.
    fn ends_within(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        if self.is_buried {
            return true;
        }
        loop {
            // SAFETY: waitid() writes to `info`, for which zeros are a value.
            let ended = unsafe {
                let mut info: libc::siginfo_t = std::mem::zeroed();
                let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
                libc::waitid(libc::P_PID, self.child.id(), &mut info, options) != 0 || info.si_pid() != 0
            };
            match ended {
                true => return true,
                false if Instant::now() >= until => return false,
                false => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// Sends a signal to all processes of its group.
    fn signal(&self, signal: i32) {
        if !self.is_buried {
            // SAFETY: kill() takes numbers, and this one is the child's until it is buried.
            unsafe { libc::kill(-(self.child.id() as libc::pid_t), signal) };
        }
    }

    /// Kills the rest of its group, and reaps it.
    fn bury(&mut self) -> Option<ExitStatus> {
        self.signal(libc::SIGKILL);
        if !self.ends_within(LEAVE) {
            return None; // the process sleeps in the kernel, where signals do not reach it
        }
        self.is_buried = true;
        self.child.wait().ok()
    }

    /// Ends a prober that does not react to the end of its requests. SIGTERM comes first: a launcher that receives it
    /// ends the processes it has started, on other computers too; a killed launcher could not.
    fn end(mut self) {
        self.signal(libc::SIGTERM);
        self.ends_within(LEAVE);
        self.bury();
    }
}

impl Drop for Process {
    /// Closing the requests ends the prober; if not, it is killed.
    fn drop(&mut self) {
        self.requests = None;
        if !self.ends_within(LEAVE) {
            self.signal(libc::SIGTERM);
            self.ends_within(LEAVE);
        }
        self.bury();
    }
}

fn pass_on_lines(out: impl Read, to: &Sender<String>) {
    for line in BufReader::new(out).lines() {
        match line.map(|l| to.send(l)) {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

fn keep_the_end(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut piece = [0; 512];
    while let Ok(n @ 1..) = errors.read(&mut piece) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(&piece[..n]);
        let excess = kept.len().saturating_sub(SAID_BYTES);
        kept.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;

    /// A prober that is a shell script.
    fn host(script: &str) -> Result<Host, Failure> {
        let command = ["sh", "-c", script].map(OsString::from).into();
        let launch = Launch { command, env: vec![], threads: 1, guard: |_| Box::new(()) };
        Ok(Host::start(launch)?.with_grace(Duration::from_millis(200)))
    }

    fn ask(host: &mut Host) -> Result<Samples, Failure> {
        host.run(&Stimulus::new(Kernel::Chase).with("bytes", 64), 3, Duration::from_millis(100))
    }

    #[test]
    fn a_stimulus_is_a_line_and_so_is_its_answer() {
        let mut host = host(
            "echo ready bound=1; read a; [ \"$a\" = 'chase bytes=64 samples=3 limit_ms=100' ] && echo 'samples 1@0.25 2.5@0.3 ; accesses=4'",
        )
        .unwrap();
        let samples = ask(&mut host).unwrap();
        assert_eq!((samples.ns, samples.cycles_ns), (vec![1.0, 2.5], vec![0.25, 0.3]));
        assert_eq!(samples.facts[&Fact::Accesses], 4.0);
    }

    #[test]
    fn what_cannot_be_is_told_from_what_is_wrong() {
        let mut host = host("echo ready; for a in 'impossible system no huge pages' 'impossible magic x' 'error no kernel' samples 'samples x' '' 'samples 1;a=b' 'samples 1@x'; do read l; echo \"$a\"; done").unwrap();
        assert_eq!(ask(&mut host), Err(Failure::Impossible(Reason::System, "no huge pages".into())));
        for _ in 0..7 {
            assert!(matches!(ask(&mut host), Err(Failure::Broken(_))));
        }
    }

    #[test]
    fn who_is_late_is_ended_with_all_its_processes_and_the_next_one_is_new() {
        let folder = std::env::temp_dir().join(format!("fathom-late-{}", std::process::id()));
        let pids = folder.display();
        let script = format!(
            "echo ready; if [ -e {pids} ]; then read l; echo samples 7; else sleep 60 & echo $$ $! > {pids}; trap '' TERM; wait; wait; sleep 60; fi"
        );
        let mut host = host(&script).unwrap();
        let late = ask(&mut host).unwrap_err();
        let numbers = std::fs::read_to_string(&folder).unwrap();
        let answer = ask(&mut host);
        std::fs::remove_file(&folder).unwrap();
        assert!(matches!(&late, Failure::Late { stimulus, .. } if stimulus == "chase bytes=64"), "{late:?}");
        assert_eq!(answer.unwrap().ns, [7.0]);
        for pid in numbers.split_whitespace() {
            let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            assert!(state.is_empty() || state.contains(") Z"), "{pid} is left: {state}");
        }
    }

    #[test]
    fn a_death_is_told_with_the_last_words_and_is_not_the_end() {
        let mut host = host("echo ready; read l; echo no such luck >&2; exit 3").unwrap();
        for _ in 0..2 {
            let Err(Failure::Broken(why)) = ask(&mut host) else { panic!("no failure") };
            assert!(why.contains("chase bytes=64") && why.contains("no such luck") && why.contains('3'), "{why}");
        }
    }

    #[test]
    fn what_is_no_prober_is_found_out() {
        assert!(matches!(host("echo hello; cat"), Err(Failure::Broken(why)) if why.contains("hello")));
        assert!(matches!(host("exit 5"), Err(Failure::Broken(why)) if why.contains('5')));
        let launch = Launch { command: vec!["/no/such".into()], env: vec![], threads: 1, guard: |_| Box::new(()) };
        assert!(matches!(Host::start(launch), Err(Failure::Broken(why)) if why.contains("cannot start")));
    }

    #[test]
    fn another_number_of_threads_is_another_prober() {
        let others: Others = Rc::new(|threads| {
            let script = format!("echo ready; while read l; do echo samples {threads}; done");
            let command = ["sh", "-c", &script].map(OsString::from).into();
            Ok(Launch { command, env: vec![], threads, guard: |_| Box::new(()) })
        });
        let mut host = host("echo ready; cat > /dev/null").unwrap().with_others(others);
        let mut of_three = host.with_threads(3).unwrap();
        let clock = Stimulus::new(Kernel::Clock);
        assert_eq!((of_three.threads(), of_three.run(&clock, 1, LEAVE).unwrap().ns), (3, vec![3.0]));
        assert_eq!(of_three.with_threads(5).unwrap().run(&clock, 1, LEAVE).unwrap().ns, [5.0]);
    }

    #[test]
    fn the_end_of_requests_ends_a_prober() {
        let started = Instant::now();
        let host = host("echo ready; cat > /dev/null").unwrap();
        let pid = host.process.as_ref().unwrap().child.id();
        drop(host);
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
        assert!(started.elapsed() < LEAVE, "it had to be killed");
    }
}
