//! The other end, for `fathom queues`: what is registered, and how full it is.

use crate::socket::{self, default_socket, Received, Sent};
use crate::wire::{Kind, Packet, BACK, LANE, PROTOCOL, UNKNOWN};
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// A queue that has been registered, and the lanes of its clients.
#[derive(Clone, Debug)]
pub struct Queue {
    pub name: String,
    pub server: Process,
    /// Messages of one client that it takes; of a Basic queue bytes.
    pub slots: u64,
    pub basic: bool,
    pub clients: u64,
    pub lanes: Vec<Lane>,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub pid: u32,
    pub uid: u32,
    pub program: String,
    /// runs, stopped, ended, unseen
    pub state: String,
}

/// From a client to the queue, or from the server back to that client.
#[derive(Clone, Debug)]
pub struct Lane {
    pub source: u32,
    pub back: bool,
    pub client: Process,
    /// `None`: neither end has reported yet.
    pub gauge: Option<Reading>,
}

#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub waiting: u64,
    pub room: u64,
    /// Messages (Basic: bytes) that were received.
    pub per_second: f64,
    /// The oldest that waits has waited for at least so long.
    pub oldest_ns: u64,
    /// Between the lane's small and large ring.
    pub moves: u64,
}

/// A connection that has been welcomed.
pub struct Broker {
    fd: OwnedFd,
    path: PathBuf,
}

/// Long enough for a broker that systemd starts.
const PATIENCE: Timespec = Timespec { tv_sec: 10, tv_nsec: 0 };

/// Why there is no connection, and what to do.
fn explained(path: &Path, error: Errno) -> String {
    let shown = path.display();
    let start = match default_socket(true) {
        Ok(of_computer) if of_computer == path => {
            "sudo fathom broker --system, or for this user alone: fathom broker --socket PATH, and set FATHOM_BROKER=PATH for \
             the programs"
                .into()
        }
        _ => format!("fathom broker --socket {shown}"),
    };
    match error {
        Errno::NOENT => format!("no broker runs: there is no {shown}. Start one: {start}"),
        Errno::CONNREFUSED if std::fs::metadata(path).is_ok_and(|m| !m.file_type().is_socket()) => {
            format!("{shown} is no socket: is it the right path? (--socket, or FATHOM_BROKER)")
        }
        Errno::CONNREFUSED => format!("no broker runs: {shown} was left by one that ended. Start one: {start}"),
        Errno::NAMETOOLONG => format!("the path of the socket is too long (107 bytes are the most): {shown}"),
        Errno::ACCESS => format!("not permitted: {shown} belongs to another user"),
        Errno::PROTOTYPE => format!("{shown} is the socket of another program, not of a broker"),
        Errno::AGAIN => format!("the broker of {shown} does not answer: is it stopped?"),
        other => format!("cannot connect to {shown}: {other}"),
    }
}

impl Broker {
    pub fn connect(path: &Path) -> Result<Self, String> {
        let fd = socket::connect(path).map_err(|e| explained(path, e))?;
        let broker = Self { fd, path: path.into() };
        let mut hello = Packet::new(Kind::Hello);
        hello.request = PROTOCOL;
        broker.ask(&hello)?;
        match broker.next()?.kind {
            Kind::Welcome => Ok(broker),
            _ => Err(format!("the broker of {} speaks another protocol", path.display())),
        }
    }

    fn ask(&self, packet: &Packet) -> Result<(), String> {
        match socket::send(self.fd.as_fd(), packet, &[]) {
            // A refusal may have come before it was closed.
            Sent::Done | Sent::Closed => Ok(()),
            _ => Err(format!("the broker of {} does not answer: is it stopped?", self.path.display())),
        }
    }

    fn next(&self) -> Result<Packet, String> {
        loop {
            match socket::receive(self.fd.as_fd(), 0) {
                Received::Packet(packet, _) if packet.kind == Kind::Refused => return Err(packet.text()),
                Received::Packet(packet, _) => return Ok(*packet),
                Received::Closed => return Err(format!("the broker of {} has ended", self.path.display())),
                Received::Wrong(why) => return Err(format!("{} is no broker: {why}", self.path.display())),
                Received::Nothing => {}
            }
            let mut wait = [PollFd::new(&self.fd, PollFlags::IN)];
            match poll(&mut wait, Some(&PATIENCE)) {
                Ok(0) => return Err(format!("the broker of {} does not answer: is it stopped?", self.path.display())),
                Ok(_) | Err(Errno::INTR) => {}
                Err(e) => return Err(format!("cannot wait for the broker: {e}")),
            }
        }
    }

    /// What this user may see, by name.
    pub fn list(&self) -> Result<Vec<Queue>, String> {
        self.ask(&Packet::new(Kind::List))?;
        let mut queues: Vec<Queue> = vec![];
        loop {
            let entry = self.next()?;
            match entry.kind {
                Kind::End => break,
                Kind::Entry if entry.flags & LANE == 0 => queues.push(Queue {
                    name: entry.name(),
                    server: process(&entry),
                    slots: entry.number[0],
                    basic: entry.number[2] != 0,
                    clients: u64::from(entry.source),
                    lanes: vec![],
                }),
                Kind::Entry => {
                    if let Some(queue) = queues.last_mut() {
                        queue.lanes.push(lane(&entry));
                    }
                }
                _ => {}
            }
        }
        for queue in &mut queues {
            queue.lanes.sort_by_key(|l| (l.source, l.back));
        }
        Ok(queues)
    }
}

fn process(entry: &Packet) -> Process {
    let text = entry.text();
    let (state, program) = text.split_once('\n').unwrap_or(("unseen", "?"));
    Process { pid: entry.pid, uid: entry.uid, program: program.into(), state: state.into() }
}

fn lane(entry: &Packet) -> Lane {
    let [waiting, room, thousandths, oldest_ns] = entry.number;
    let gauge = Reading { waiting, room, per_second: thousandths as f64 / 1000.0, oldest_ns, moves: entry.channel };
    Lane {
        source: entry.source,
        back: entry.flags & BACK != 0,
        client: process(entry),
        gauge: (entry.flags & UNKNOWN == 0).then_some(gauge),
    }
}
