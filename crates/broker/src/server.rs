//! The broker's loop: one thread, and nothing in it waits for a client. A connection has packets of its own that wait until its
//! program reads them, and of each that has sent something a few packets are handled before it is the next one's turn.

use crate::aside::{self, Foreign};
use crate::config::Config;
use crate::socket::{self, Listening, Received, Sent};
use crate::state::{Connection, Outgoing, State};
use rustix::event::{epoll, poll, PollFd, PollFlags, Timespec};
use rustix::net::{accept_with, SocketFlags};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// Packets of one connection in a turn.
const TURN: usize = 16;
/// Packets that wait for a program that does not read them, at most: more than any that is only stopped can be sent.
const MOST_WAITING: usize = 1 << 16;
/// How long a program may be connected without saying hello.
const GREETING: Duration = Duration::from_secs(10);
/// How often processes are looked at, where one may have ended unseen.
const LOOK: Duration = Duration::from_millis(200);
/// Lines about misbehaving programs in LOG_SPAN.
const LOG_LINES: u32 = 20;
const LOG_SPAN: Duration = Duration::from_secs(10);
/// How often it is said that there are no descriptors.
const DEAF_SPAN: Duration = Duration::from_secs(60);

const LISTENER: Connection = 0;
const SIGNALS: Connection = 1;
const FIRST: Connection = 2;

struct Client {
    fd: Foreign,
    /// The user's number.
    of: u32,
    /// Not waited for, because its user is held up (aside.rs).
    paused: bool,
    waiting: VecDeque<Outgoing>,
    /// It is woken when there is room.
    watched_for_room: bool,
    since: Instant,
    described: String,
}

struct Server {
    state: State,
    epoll: OwnedFd,
    clients: BTreeMap<Connection, Client>,
    next: Connection,
    /// Not listening now: there are no descriptors left.
    deaf: bool,
    /// When that was last said.
    said_deaf: Option<Instant>,
    late: BTreeSet<Connection>,
    log: Log,
}

struct Log {
    began: Instant,
    lines: u32,
}

impl Log {
    /// A flood of bad packets is no flood of lines.
    fn say(&mut self, line: &str) {
        if self.began.elapsed() > LOG_SPAN {
            if self.lines > LOG_LINES {
                log(&format!("and {} such lines more", self.lines - LOG_LINES));
            }
            *self = Self { began: Instant::now(), lines: 0 };
        }
        self.lines += 1;
        if self.lines <= LOG_LINES {
            log(line);
        }
    }
}

/// A line on standard error. It is left out if that is full or closed, or if nobody reads it: clients do not wait for readers of a log.
pub fn log(line: &str) {
    let log = std::io::stderr();
    let mut wait = [PollFd::new(&log, PollFlags::OUT)];
    let has_room = poll(&mut wait, Some(&Timespec::default())).is_ok_and(|n| n > 0);
    if has_room && wait[0].revents().contains(PollFlags::OUT) {
        // One call, so that a pipe takes all of it.
        let _ = log.lock().write_all(format!("fathom broker: {line}\n").as_bytes());
    }
}

fn random() -> Result<Box<dyn FnMut() -> u64>, String> {
    let why = |e: std::io::Error| format!("cannot read /dev/urandom: {e}");
    let mut source = File::open("/dev/urandom").map_err(why)?;
    Ok(Box::new(move || {
        let mut bytes = [0; 8];
        // It never fails once it is open; 0 is not taken for a number of a channel.
        source.read_exact(&mut bytes).map_or(0, |()| u64::from_ne_bytes(bytes))
    }))
}

/// As many descriptors as the system permits: each client has one.
fn raise_limit() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls get a struct of the right kind. If they fail, the limit stays what it was.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) == 0 {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
        }
    }
}

/// Serves until a signal ends it (SIGTERM, SIGINT, SIGHUP). `ready` is called once clients can connect.
pub fn serve(listening: &Listening, config: Config, ready: impl FnOnce()) -> Result<(), String> {
    raise_limit();
    let system = |e: rustix::io::Errno| format!("cannot wait for clients: {e}");
    let (end, signalled) = UnixStream::pair().map_err(|e| format!("cannot make a socket: {e}"))?;
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let end = end.try_clone().map_err(|e| format!("cannot copy a socket: {e}"))?;
        signal_hook::low_level::pipe::register(signal, end).map_err(|e| format!("cannot catch signals: {e}"))?;
    }
    let poll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(system)?;
    epoll::add(&poll, &listening.fd, epoll::EventData::new_u64(LISTENER), epoll::EventFlags::IN).map_err(system)?;
    epoll::add(&poll, &signalled, epoll::EventData::new_u64(SIGNALS), epoll::EventFlags::IN).map_err(system)?;
    let mut server = Server {
        state: State::new(config, random()?),
        epoll: poll,
        clients: BTreeMap::new(),
        next: FIRST,
        deaf: false,
        said_deaf: None,
        late: BTreeSet::new(),
        log: Log { began: Instant::now(), lines: 0 },
    };
    ready();
    let mut looked = Instant::now();
    loop {
        let mut events = Vec::with_capacity(64);
        let must_look = server.must_look();
        let limit = Timespec { tv_sec: 0, tv_nsec: LOOK.as_nanos() as i64 };
        match epoll::wait(&server.epoll, rustix::buffer::spare_capacity(&mut events), must_look.then_some(&limit)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(system(e)),
        }
        for event in &events {
            match event.data.u64() {
                LISTENER => server.accept(listening),
                SIGNALS => return Ok(()),
                id => server.serve(id, event.flags),
            }
            server.pass_on();
        }
        if must_look && looked.elapsed() >= LOOK {
            looked = Instant::now();
            server.look(listening);
            server.pass_on();
        }
    }
}

impl Server {
    fn must_look(&self) -> bool {
        self.deaf
            || self.clients.values().any(|c| c.paused)
            || !self.late.is_empty()
            || self.state.has_halves()
            || self.clients.keys().any(|id| !self.state.has_said_hello(*id))
    }

    fn look(&mut self, listening: &Listening) {
        self.state.end_halves();
        for (id, client) in self.clients.iter_mut().filter(|(_, c)| c.paused && !aside::is_held_up(c.of)) {
            client.watched_for_room = !client.waiting.is_empty();
            let room = if client.watched_for_room { epoll::EventFlags::OUT } else { epoll::EventFlags::empty() };
            let data = epoll::EventData::new_u64(*id);
            client.paused = epoll::add(&self.epoll, &client.fd, data, epoll::EventFlags::IN | room).is_err();
        }
        for id in std::mem::take(&mut self.late) {
            self.flush(id);
        }
        let silent: Vec<_> = (self.clients.iter())
            .filter(|(id, c)| !self.state.has_said_hello(**id) && c.since.elapsed() > GREETING)
            .map(|(id, _)| *id)
            .collect();
        for id in silent {
            self.end(id, Some("it has not said hello"));
        }
        if self.deaf {
            let again = epoll::EventFlags::IN;
            self.deaf = epoll::modify(&self.epoll, &listening.fd, epoll::EventData::new_u64(LISTENER), again).is_err();
        }
    }

    fn accept(&mut self, listening: &Listening) {
        for _ in 0..TURN {
            let fd = match accept_with(&listening.fd, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
                Ok(fd) => fd,
                Err(rustix::io::Errno::MFILE | rustix::io::Errno::NFILE | rustix::io::Errno::NOBUFS) => {
                    if self.said_deaf.is_none_or(|said| said.elapsed() > DEAF_SPAN) {
                        self.said_deaf = Some(Instant::now());
                        self.log.say(
                            "there are no descriptors left for another client; raise LimitNOFILE (ulimit -n), or lower the \
                             limits. Clients wait until one ends",
                        );
                    }
                    let none = epoll::EventFlags::empty();
                    let data = epoll::EventData::new_u64(LISTENER);
                    self.deaf = epoll::modify(&self.epoll, &listening.fd, data, none).is_ok();
                    return;
                }
                Err(_) => return,
            };
            let peer = socket::peer(fd.as_fd());
            let of = peer.asker.uid;
            let fd = Foreign::connection(fd, of);
            let described = format!("process {} ({}) of user {}", peer.pid, peer.program, peer.asker.uid);
            let id = self.next;
            self.next += 1;
            if let Err(why) = self.state.connect(id, peer) {
                socket::refuse(fd.as_fd(), of, &why);
                continue;
            }
            let added = epoll::add(&self.epoll, &fd, epoll::EventData::new_u64(id), epoll::EventFlags::IN);
            let since = Instant::now();
            self.clients.insert(
                id,
                Client { fd, of, paused: false, waiting: VecDeque::new(), watched_for_room: false, since, described },
            );
            if added.is_err() {
                self.end(id, Some("it cannot be waited for"));
            }
        }
    }

    fn serve(&mut self, id: Connection, flags: epoll::EventFlags) {
        if flags.contains(epoll::EventFlags::OUT) {
            self.flush(id);
        }
        if !flags.intersects(epoll::EventFlags::IN | epoll::EventFlags::HUP | epoll::EventFlags::ERR) {
            return;
        }
        for _ in 0..TURN {
            let Some(client) = self.clients.get_mut(&id) else { return };
            if aside::is_held_up(client.of) {
                // (Whoever is not waited for is not woken for its end either.)
                client.paused = epoll::delete(&self.epoll, &client.fd).is_ok();
                return;
            }
            match socket::receive(client.fd.as_fd(), client.of) {
                Received::Nothing => return,
                Received::Closed => return self.end(id, None),
                Received::Wrong(why) => return self.end(id, Some(&why)),
                Received::Packet(packet, fds) => {
                    if let Err(why) = self.state.handle(id, &packet, fds) {
                        return self.end(id, Some(&why));
                    }
                    self.pass_on();
                }
            }
        }
    }

    /// `wrong`: what it did wrong, for it and for the log.
    fn end(&mut self, id: Connection, wrong: Option<&str>) {
        let Some(client) = self.clients.remove(&id) else { return };
        if let Some(why) = wrong {
            self.log.say(&format!("{} is disconnected: {why}", client.described));
            socket::refuse(client.fd.as_fd(), client.of, &format!("the broker has ended the connection: {why}"));
        }
        self.late.remove(&id);
        let _ = epoll::delete(&self.epoll, &client.fd);
        self.state.disconnect(id);
    }

    /// What the state wants to be sent.
    fn pass_on(&mut self) {
        while !self.state.out.is_empty() {
            let mut touched = BTreeMap::new();
            for outgoing in std::mem::take(&mut self.state.out) {
                if let Some(client) = self.clients.get_mut(&outgoing.to) {
                    // Before these: a listing may be longer than that, and is read.
                    touched.entry(outgoing.to).or_insert(client.waiting.len() > MOST_WAITING);
                    client.waiting.push_back(outgoing);
                }
            }
            for (id, is_deaf) in touched {
                match is_deaf {
                    true => self.end(id, Some("it does not read what it is sent")),
                    false => self.flush(id),
                }
            }
        }
    }

    fn flush(&mut self, id: Connection) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        while let Some(first) = client.waiting.front() {
            match socket::send(client.fd.as_fd(), &first.packet, &first.fds) {
                Sent::Done => _ = client.waiting.pop_front(),
                Sent::Full => break,
                Sent::Later => {
                    self.late.insert(id);
                    break;
                }
                Sent::Closed => return self.end(id, None),
            }
        }
        let wants_room = !client.waiting.is_empty() && !self.late.contains(&id);
        if wants_room != client.watched_for_room {
            let room = if wants_room { epoll::EventFlags::OUT } else { epoll::EventFlags::empty() };
            let data = epoll::EventData::new_u64(id);
            if epoll::modify(&self.epoll, &client.fd, data, epoll::EventFlags::IN | room).is_ok() {
                client.watched_for_room = wants_room;
            }
        }
    }
}
