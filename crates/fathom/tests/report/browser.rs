//! A headless Chromium, asked over its debugging pipe: messages of JSON that end in a zero byte, on descriptors 3 and 4. No
//! port, no web socket. Every answer is waited for a bounded time; in the end the browser, its children and its files go.

use serde_json::{json, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A loaded computer needs many seconds to start a browser.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Browser {
    child: Child,
    to: File,
    from: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// Events that came while an answer was waited for.
    events: Vec<Value>,
    _files: TempDir,
}

/// How the reader sees a page.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    pub print: bool,
}

/// The browser's command, if it is installed.
pub fn installed() -> Option<&'static str> {
    let there = |name: &&str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
    };
    ["chromium", "chromium-browser", "google-chrome", "chrome"].into_iter().find(there)
}

impl Browser {
    pub fn start(command: &str) -> Self {
        let files = tempfile::tempdir().expect("a folder for the browser");
        let (their_in, our_out) = pipe();
        let (our_in, their_out) = pipe();
        let mut start = Command::new(command);
        start.args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        // Memory files in its own folder, no reports of crashes, nothing fetched of its own accord.
        start.args(["--disable-dev-shm-usage", "--disable-breakpad", "--disable-extensions", "--disable-sync"]);
        start.args(["--disable-background-networking", "--disable-component-update", "--hide-scrollbars"]);
        start.arg("--force-color-profile=srgb").arg(format!("--user-data-dir={}", files.path().display()));
        start.env("HOME", files.path()).env("TMPDIR", files.path()).env("XDG_CONFIG_HOME", files.path());
        start.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let ends = [their_in.as_raw_fd(), their_out.as_raw_fd()];
        // SAFETY: only calls that may be made between fork and exec; the descriptors are open until then.
        unsafe {
            start.pre_exec(move || {
                // First out of the way of 3 and 4, where they must not overwrite each other.
                let high = [libc::fcntl(ends[0], libc::F_DUPFD, 10), libc::fcntl(ends[1], libc::F_DUPFD, 10)];
                if high[0] < 0 || high[1] < 0 || libc::dup2(high[0], 3) < 0 || libc::dup2(high[1], 4) < 0 {
                    return Err(std::io::Error::last_os_error());
                }
                libc::close(high[0]);
                libc::close(high[1]);
                Ok(())
            });
        }
        let child = start.process_group(0).spawn().unwrap_or_else(|e| panic!("{command} does not start: {e}"));
        drop((their_in, their_out));
        let (send, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(File::from(our_in)).split(0) {
                let Ok(message) = message else { break };
                let parsed = serde_json::from_slice(&message).unwrap_or(Value::Null);
                if send.send(parsed).is_err() {
                    break;
                }
            }
        });
        let to = File::from(our_out);
        let mut browser = Self { child, to, from, session: None, last: 0, events: vec![], _files: files };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.ask("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_string);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Asks and waits for the answer.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut message = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.next(until).unwrap_or_else(|| panic!("the browser does not answer {method}"));
            if message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn next(&self, until: Instant) -> Option<Value> {
        self.from.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }

    /// Opens a page as `view` says, waits until it has been laid out, and gives all events until then.
    pub fn open(&mut self, page: &Path, view: View) -> Vec<Value> {
        let phone = view.width < 600;
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": view.width, "height": view.height, "deviceScaleFactor": if phone { 2 } else { 1 }, "mobile": phone }),
        );
        let scheme = if view.dark { "dark" } else { "light" };
        let media = if view.print { "print" } else { "screen" };
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "media": media, "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
        self.events.clear();
        self.ask("Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
        let until = Instant::now() + PATIENCE;
        while !self.events.iter().any(|e| e["method"] == "Page.loadEventFired") {
            let event = self.next(until).expect("the page loads");
            self.events.push(event);
        }
        // Two frames later everything has its place.
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
        std::mem::take(&mut self.events)
    }

    /// The value of an expression in the page, awaited if it is a promise.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// What came since the page was opened.
    pub fn events(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.events)
    }

    /// A picture of the page down to a height, as PNG in base 64.
    pub fn picture(&mut self, height: f64) -> String {
        let width = self.value("innerWidth");
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 });
        let parameters = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        self.ask("Page.captureScreenshot", parameters)["data"].as_str().unwrap_or_default().to_string()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let group = self.child.id() as libc::pid_t;
        // SAFETY: plain calls; the child has not been waited for, so the group is still its own.
        unsafe { libc::kill(-group, libc::SIGKILL) };
        let _ = self.child.wait();
    }
}

fn pipe() -> (OwnedFd, OwnedFd) {
    let mut ends = [0; 2];
    // SAFETY: the call fills both, which are ours alone then.
    unsafe {
        assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC), 0, "a pipe");
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    }
}
