//! A broker, and puppets that do what a test says.

use crate::support::{root, FATHOM};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// After which something that should have happened never will.
pub const NEVER: Duration = Duration::from_secs(60);
/// The same for a puppet's calls, in ms.
pub const NEVER_MS: &str = "60000";

fn puppet_program() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("broker-puppet-{}", std::process::id()));
        let runtime = root().join("runtime");
        let msg = std::fs::read_dir(runtime.join("msg")).expect("runtime/msg").flatten().map(|f| f.path());
        let sources = msg.filter(|p| p.extension().is_some_and(|e| e == "c"));
        let status = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()))
            // CFLAGS: sanitizers.
            .args(std::env::var("CFLAGS").unwrap_or_default().split_whitespace())
            .args(["-std=gnu17", "-O1", "-g", "-pthread", "-I"])
            .args([&runtime, Path::new("-I"), &runtime.join("include"), Path::new("-o"), &program])
            .arg(root().join("tests/runtime/broker_puppet.c"))
            .args(sources)
            .status()
            .expect("a C compiler");
        assert!(status.success(), "the puppet does not compile");
        program
    };
    BUILT.get_or_init(build).clone()
}

/// A folder for a broker's socket; other users may pass through it.
pub struct Place {
    pub dir: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::Builder::new().prefix("fathom-broker-").tempdir_in("/tmp").expect("a folder");
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).expect("its mode");
        Self { dir }
    }
    pub fn socket(&self) -> PathBuf {
        self.dir.path().join("broker.sock")
    }
    /// The command, with nothing of this computer's own broker or configuration.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(FATHOM);
        command.args(arguments).env_remove("FATHOM_BROKER").env("XDG_RUNTIME_DIR", self.dir.path());
        command.env("XDG_CONFIG_HOME", self.dir.path());
        command
    }
    /// Starts a broker with this configuration, and waits until it listens.
    pub fn broker(&self, config: &str) -> Broker {
        let file = self.dir.path().join("config.toml");
        // Often, so that tests that look until they see something see it soon.
        std::fs::write(&file, format!("sample_ms = 20\n{config}")).expect("a file");
        let socket = self.socket();
        // --system: other users may connect.
        let arguments = ["broker", "--system", "--socket", socket.to_str().expect("UTF-8"), "--config"];
        let mut child = (self.command(&arguments).arg(&file).stderr(Stdio::piped()).spawn()).expect("the command");
        let mut log = BufReader::new(child.stderr.take().expect("piped"));
        let mut line = String::new();
        log.read_line(&mut line).expect("readable");
        assert!(line.contains("listening"), "{line}");
        Broker { child: Running(child), log: Some(log) }
    }
    pub fn queues(&self) -> Value {
        let socket = self.socket();
        let out = self.command(&["queues", "--json", "--socket", socket.to_str().expect("UTF-8")]).output();
        let out = out.expect("the command");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).expect("JSON")
    }
    /// Looks until it is so.
    pub fn until(&self, what: &str, good: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let seen = self.queues();
            if good(&seen) {
                return seen;
            }
            assert!(begun.elapsed() < NEVER, "never {what}: {seen:#}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    pub fn puppet(&self) -> Puppet {
        let mut child = Command::new(puppet_program())
            .env("FATHOM_BROKER", self.socket())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the puppet");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Puppet { child: Running(child), to: Some(to), from: BufReader::new(from) }
    }
    /// A server of `name` with an answering transmit queue.
    pub fn server(&self, name: &str) -> Puppet {
        let mut p = self.puppet();
        p.ok("queue 0 16 0");
        p.ok("transmit 1 64");
        p.ok("connect");
        p.ok(&format!("register {name} 0 1"));
        p
    }
    /// A client that has opened it as row 3, with an inbox.
    pub fn client(&self, name: &str) -> Puppet {
        let mut p = self.puppet();
        p.ok("queue 0 16 0");
        p.ok("transmit 0 8");
        p.ok("connect");
        p.ok(&format!("open {name} 0 3 0 {NEVER_MS}"));
        p
    }
}

/// A broker without a configuration, a server of `name`, and clients that have opened it.
pub fn met<const CLIENTS: usize>(name: &str) -> (Place, Broker, Puppet, [Puppet; CLIENTS]) {
    let place = Place::new();
    let broker = place.broker("");
    let server = place.server(name);
    let clients = std::array::from_fn(|_| place.client(name));
    (place, broker, server, clients)
}

/// A process that ends with its owner.
pub struct Running(pub Child);

impl Running {
    fn signal(&self, signal: i32) {
        // SAFETY: a signal to a child that has not been waited for.
        unsafe { libc::kill(self.id() as i32, signal) };
    }
}

impl Deref for Running {
    type Target = Child;
    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.kill();
        let _ = self.wait();
    }
}

pub struct Broker {
    pub child: Running,
    pub log: Option<BufReader<std::process::ChildStderr>>,
}

impl Broker {
    pub fn signal(&self, signal: i32) {
        self.child.signal(signal);
    }
    /// Ends it and returns what it said.
    pub fn end(mut self, signal: i32) -> String {
        self.signal(signal);
        let mut text = String::new();
        let mut log = self.log.take().expect("once");
        std::io::Read::read_to_string(&mut log, &mut text).expect("readable");
        self.child.wait().expect("a child");
        text
    }
}

pub struct Puppet {
    pub child: Running,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Puppet {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
    pub fn begin(&mut self, line: &str) {
        writeln!(self.to.as_mut().expect("open"), "{line}").expect("it listens");
    }
    pub fn answer(&mut self) -> String {
        let mut answer = String::new();
        self.from.read_line(&mut answer).expect("it answers");
        answer.trim_end().to_string()
    }
    pub fn say(&mut self, line: &str) -> String {
        self.begin(line);
        self.answer()
    }
    #[track_caller]
    pub fn ok(&mut self, line: &str) {
        let answer = self.say(line);
        assert!(answer == "ok", "{line}: {answer}");
    }
    /// It must fail, with these words in the reason.
    #[track_caller]
    pub fn fails(&mut self, line: &str, words: &[&str]) {
        let answer = self.say(line);
        assert!(answer.starts_with("error ") && words.iter().all(|w| answer.contains(w)), "{line}: {answer}");
    }
    #[track_caller]
    pub fn receives(&mut self, queue: u32, message: &str) {
        assert_eq!(self.say(&format!("wait {queue} {NEVER_MS}")), message);
    }
    #[track_caller]
    pub fn event(&mut self, begins: &str) -> String {
        let event = self.say(&format!("next {NEVER_MS}"));
        assert!(event.starts_with(begins), "{event} instead of {begins}");
        event
    }
    pub fn signal(&self, signal: i32) {
        self.child.signal(signal);
    }
    pub fn kill(mut self) -> u32 {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
        self.pid()
    }
}

impl Drop for Puppet {
    fn drop(&mut self) {
        self.to = None;
    }
}

pub fn am_root() -> bool {
    // SAFETY: it cannot fail.
    unsafe { libc::geteuid() == 0 }
}

/// Permissions need two users.
pub fn only_as_root() -> bool {
    if !am_root() {
        eprintln!("NOT TESTED: permissions between users; run this test as root");
    }
    am_root()
}

pub const NOBODY: u32 = 65534;
