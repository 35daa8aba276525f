//! What the broker knows and decides, without a socket: packets of connections go in, packets to connections come out. Nothing
//! that a client says of itself is believed; the kernel says who it is.

use crate::aside::Foreign;
use crate::config::{Asker, Config, Right};
use crate::gauge::Gauge;
use crate::memory::{self, Memory};
use crate::names::{self, Life};
use crate::wire::{is_name, Kind, Packet, ANSWERS, BACK, LANE, PROTOCOL, SERVER, UNKNOWN};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

pub type Connection = u64;

/// Channels of one connection that are being made: each holds descriptors.
const MOST_OPENING: usize = 64;

/// Another process, as the kernel says.
#[derive(Clone, Debug, Default)]
pub struct Peer {
    pub asker: Asker,
    /// 0: it cannot be seen from here.
    pub pid: u32,
    /// When the process began.
    pub began: u64,
    pub program: String,
}

impl Peer {
    fn life(&self) -> Life {
        names::life(self.pid, self.began)
    }
    fn described(&self) -> String {
        format!("process {} ({}) of user {}", self.pid, self.program, names::user(self.asker.uid))
    }
}

struct Client {
    peer: Peer,
    /// Of the memories that it maps; `None` before it has said hello.
    layout: Option<u64>,
    names: BTreeSet<String>,
    channels: BTreeSet<u64>,
}

struct Queue {
    owner: Connection,
    slots: u64,
    answers: u64,
    basic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Opening,
    Open,
    /// The client has gone, and the server still receives what it had sent.
    Draining,
}

/// Ends of a channel.
const CLIENT: usize = 0;
const AT_SERVER: usize = 1;

struct Channel {
    name: String,
    source: u32,
    phase: Phase,
    answers: bool,
    /// The client's call.
    request: u32,
    /// `None`: not connected, or not yet, after the broker was restarted.
    ends: [Option<Connection>; 2],
    peers: [Peer; 2],
    /// The client's user is charged for a lane.
    charged: bool,
    /// Who is charged for which memory.
    memory: Vec<(u32, Memory)>,
    /// To the server, and back.
    gauges: [Gauge; 2],
}

#[derive(Default)]
struct User {
    connections: u64,
    queues: u64,
    lanes: u64,
    bytes: u64,
    memory: HashMap<(u64, u64), u64>,
}

/// What is to be sent.
pub struct Outgoing {
    pub to: Connection,
    pub packet: Packet,
    pub fds: Vec<Foreign>,
}

pub struct State {
    config: Config,
    clients: BTreeMap<Connection, Client>,
    queues: BTreeMap<String, Queue>,
    channels: BTreeMap<u64, Channel>,
    users: HashMap<u32, User>,
    pub out: Vec<Outgoing>,
    /// Numbers of channels cannot be guessed: whoever names one is one of its ends.
    random: Box<dyn FnMut() -> u64>,
}

impl State {
    pub fn new(config: Config, random: Box<dyn FnMut() -> u64>) -> Self {
        Self {
            config,
            clients: BTreeMap::new(),
            queues: BTreeMap::new(),
            channels: BTreeMap::new(),
            users: HashMap::new(),
            out: vec![],
            random,
        }
    }

    fn send(&mut self, to: Connection, packet: Packet) {
        self.out.push(Outgoing { to, packet, fds: vec![] });
    }

    fn refuse(&mut self, to: Connection, request: u32, why: &str) {
        let mut packet = Packet::new(Kind::Refused).with_text(why);
        packet.request = request;
        self.send(to, packet);
    }

    // ---- connections ------------------------------------------------------------------------------------------------

    /// A program has connected; the error is for it.
    pub fn connect(&mut self, id: Connection, peer: Peer) -> Result<(), String> {
        let uid = peer.asker.uid;
        let most = self.config.limits(uid).connections;
        let user = self.users.entry(uid).or_default();
        if user.connections >= most {
            return Err(format!(
                "user {} has {most} programs connected to the broker, the most that its configuration allows \
                 (limits.connections)",
                names::user(uid)
            ));
        }
        user.connections += 1;
        self.clients.insert(id, Client { peer, layout: None, names: BTreeSet::new(), channels: BTreeSet::new() });
        Ok(())
    }

    /// Its socket is closed: the program has ended, crashed, or closed the connection.
    pub fn disconnect(&mut self, id: Connection) {
        let Some(client) = self.clients.remove(&id) else { return };
        let why = format!("{} has ended or closed its connection to the broker", client.peer.described());
        for name in &client.names {
            self.queues.remove(name);
            self.user(client.peer.asker.uid, |u| u.queues -= 1);
        }
        for channel in &client.channels {
            self.end(*channel, id, &why);
        }
        self.user(client.peer.asker.uid, |u| u.connections -= 1);
    }

    fn user(&mut self, uid: u32, change: impl FnOnce(&mut User)) {
        let user = self.users.entry(uid).or_default();
        change(user);
        if user.connections + user.queues + user.lanes + user.bytes == 0 {
            self.users.remove(&uid);
        }
    }

    pub fn has_said_hello(&self, id: Connection) -> bool {
        self.clients.get(&id).is_some_and(|c| c.layout.is_some())
    }

    /// A packet of a connection; the error is what it did wrong, and ends the connection.
    pub fn handle(&mut self, from: Connection, packet: &Packet, fds: Vec<Foreign>) -> Result<(), String> {
        let Some(client) = self.clients.get(&from) else { return Ok(()) };
        if client.layout.is_none() && packet.kind != Kind::Hello {
            return Err("it has not said hello".into());
        }
        let most = match packet.kind {
            Kind::Offer => 4,
            Kind::Accept => 2,
            _ => 0,
        };
        // Fewer than were sent: the broker has no descriptors left, which is no fault of the client.
        if fds.len() > most {
            return Err(format!("{} descriptors with a packet {:?}", fds.len(), packet.kind));
        }
        match packet.kind {
            Kind::Hello => self.hello(from, packet),
            Kind::Register => self.register(from, packet),
            Kind::Withdraw => self.withdraw(from, &packet.name()),
            Kind::Open => self.open(from, packet),
            Kind::Offer | Kind::Accept | Kind::Done => self.relay(from, packet, fds),
            Kind::Gone => self.gone(from, packet),
            Kind::Retired => self.retired(from, packet.channel),
            Kind::Report => self.report(from, packet),
            Kind::Sample => self.sample(from, packet),
            Kind::List => self.list(from, packet.request),
            _ => return Err(format!("a packet {:?}, which only the broker sends", packet.kind)),
        }
        Ok(())
    }

    fn hello(&mut self, from: Connection, packet: &Packet) {
        if packet.request != PROTOCOL {
            let (newer, older) = if packet.request > PROTOCOL { ("program", "broker") } else { ("broker", "program") };
            let why = format!(
                "version mismatch: the program's library speaks version {} of the broker's protocol, the broker {PROTOCOL}: \
                 the {newer} is newer; install the same Fathom for the {older}",
                packet.request
            );
            return self.refuse(from, 0, &why);
        }
        if let Some(client) = self.clients.get_mut(&from) {
            client.layout = Some(packet.number[0]);
        }
        let mut welcome = Packet::new(Kind::Welcome);
        welcome.number[0] = self.config.sample_ms;
        self.send(from, welcome);
    }

    // ---- names ------------------------------------------------------------------------------------------------------

    fn register(&mut self, from: Connection, packet: &Packet) {
        if let Err(why) = self.try_register(from, packet) {
            return self.refuse(from, packet.request, &why);
        }
        let mut answer = Packet::new(Kind::Registered);
        answer.request = packet.request;
        self.send(from, answer);
    }

    fn try_register(&mut self, from: Connection, packet: &Packet) -> Result<(), String> {
        let name = packet.name();
        let peer = self.clients[&from].peer.clone();
        let (uid, user) = (peer.asker.uid, names::user(peer.asker.uid));
        if !is_name(&name) {
            return Err(format!("'{name}' is not a valid name (1 to 63 letters, digits, and . _ - /)"));
        }
        if !self.config.may(Right::Create, &peer.asker, &name, uid) {
            return Err(format!(
                "not permitted: user {user} may not register '{name}'; the broker's configuration says who may (create)"
            ));
        }
        if let Some(queue) = self.queues.get(&name) {
            let owner = &self.clients[&queue.owner].peer;
            return Err(format!("the name '{name}' is taken, by {}", owner.described()));
        }
        let most = self.config.limits(uid).queues;
        if self.users.get(&uid).map_or(0, |u| u.queues) >= most {
            return Err(format!(
                "limit reached: user {user} has {most} names, the most that the broker's configuration allows (limits.queues)"
            ));
        }
        let [slots, answers, basic, _] = packet.number;
        self.queues.insert(name.clone(), Queue { owner: from, slots, answers, basic: basic != 0 });
        self.user(uid, |u| u.queues += 1);
        self.clients.get_mut(&from).expect("it is there").names.insert(name);
        Ok(())
    }

    fn withdraw(&mut self, from: Connection, name: &str) {
        let Some(client) = self.clients.get_mut(&from) else { return };
        if client.names.remove(name) {
            let uid = client.peer.asker.uid;
            self.queues.remove(name);
            self.user(uid, |u| u.queues -= 1);
        }
    }

    // ---- channels ---------------------------------------------------------------------------------------------------

    fn open(&mut self, from: Connection, packet: &Packet) {
        if let Err(why) = self.try_open(from, packet) {
            self.refuse(from, packet.request, &why);
        }
    }

    fn try_open(&mut self, from: Connection, packet: &Packet) -> Result<(), String> {
        let name = packet.name();
        let answers = packet.flags & ANSWERS != 0;
        let client = &self.clients[&from];
        let (uid, user) = (client.peer.asker.uid, names::user(client.peer.asker.uid));
        let Some(queue) = self.queues.get(&name) else {
            return Err(format!("nobody has registered the name '{name}'"));
        };
        let server = &self.clients[&queue.owner];
        let owner = server.peer.asker.uid;
        if queue.owner == from {
            return Err(format!("'{name}' is this program's own queue: connect it by msg_connect"));
        }
        if !self.config.may(Right::Send, &client.peer.asker, &name, owner) {
            return Err(format!(
                "not permitted: '{name}' belongs to user {}, and user {user} may not send to it; the broker's configuration \
                 says who may (send)",
                names::user(owner)
            ));
        }
        if client.layout != server.layout {
            return Err(format!(
                "version mismatch: the server of '{name}' has another version of the library ({}) than this program ({})",
                server.layout.unwrap_or(0),
                client.layout.unwrap_or(0)
            ));
        }
        if answers && queue.answers == 0 {
            return Err(format!("the server of '{name}' gives no answers: open it without an inbox"));
        }
        let of_queue: BTreeSet<u32> = (self.channels.values())
            .filter(|c| c.name == name && c.ends[AT_SERVER] == Some(queue.owner))
            .map(|c| c.source)
            .collect();
        let most = self.config.lanes_of(&name, owner);
        if of_queue.len() as u64 >= most {
            return Err(format!(
                "limit reached: '{name}' has {most} clients, the most that the broker's configuration allows (lanes_per_queue)"
            ));
        }
        let source = (0..).find(|s| !of_queue.contains(s)).unwrap_or(0);
        if answers && u64::from(source) >= queue.answers {
            return Err(format!("'{name}' has {} clients, and no further answers", of_queue.len()));
        }
        let most = self.config.limits(uid).lanes;
        if self.users.get(&uid).map_or(0, |u| u.lanes) >= most {
            return Err(format!(
                "limit reached: user {user} has {most} rows opened, the most that the broker's configuration allows \
                 (limits.lanes)"
            ));
        }
        let opening =
            |c: &&u64| self.channels[c].phase == Phase::Opening && self.channels[c].ends[CLIENT] == Some(from);
        if client.channels.iter().filter(opening).count() >= MOST_OPENING {
            return Err(format!("this program is opening {MOST_OPENING} rows already, and no server has answered"));
        }
        let server_end = queue.owner;
        let peers = [client.peer.clone(), server.peer.clone()];
        let id = self.new_channel();
        let channel = Channel {
            name,
            source,
            phase: Phase::Opening,
            answers,
            request: packet.request,
            ends: [Some(from), Some(server_end)],
            peers,
            charged: true,
            memory: vec![],
            gauges: Default::default(),
        };
        self.send(from, told(Kind::Opening, id, &channel, AT_SERVER));
        let mut wanted = told(Kind::Wanted, id, &channel, CLIENT);
        wanted.number[1] = u64::from(packet.source);
        self.send(server_end, wanted);
        self.channels.insert(id, channel);
        for end in [from, server_end] {
            self.clients.get_mut(&end).expect("it is there").channels.insert(id);
        }
        self.user(uid, |u| u.lanes += 1);
        Ok(())
    }

    fn new_channel(&mut self) -> u64 {
        loop {
            let id = (self.random)();
            if id != 0 && !self.channels.contains_key(&id) {
                return id;
            }
        }
    }

    /// Which end of the channel the connection is.
    fn end_of(&self, channel: u64, from: Connection) -> Option<usize> {
        self.channels.get(&channel)?.ends.iter().position(|e| *e == Some(from))
    }

    /// A step of the making of a channel: looked at from outside, charged, and passed on. Packets of channels that are gone are late, not wrong.
    fn relay(&mut self, from: Connection, packet: &Packet, fds: Vec<Foreign>) {
        let id = packet.channel;
        let Some(end) = self.end_of(id, from) else { return };
        let channel = &self.channels[&id];
        let Some(to) = channel.ends[1 - end].filter(|_| channel.phase == Phase::Opening) else { return };
        let uid = channel.peers[end].asker.uid;
        let made = match packet.kind {
            Kind::Offer => memory::of_offer(&fds),
            Kind::Accept => memory::of_accept(&fds),
            _ => Ok(vec![]),
        };
        let made = made.and_then(|made| self.charge(id, uid, made));
        if let Err(why) = made {
            return self.fail(id, &why);
        }
        let Some(channel) = self.channels.get_mut(&id) else { return };
        if packet.kind == Kind::Done && end == AT_SERVER && packet.flags & BACK == 0 {
            channel.phase = Phase::Open;
        }
        let mut passed = packet.clone();
        (passed.uid, passed.gid, passed.pid) = (0, 0, 0);
        self.out.push(Outgoing { to, packet: passed, fds });
    }

    fn charge(&mut self, channel: u64, uid: u32, made: Vec<Memory>) -> Result<(), String> {
        let most = self.config.limits(uid).bytes;
        let user = self.users.entry(uid).or_default();
        for memory in made {
            let uses = user.memory.get(&memory.file).copied().unwrap_or(0);
            // The bell and the region are the same file in many channels.
            let bytes = if uses == 0 { memory.bytes } else { 0 };
            if user.bytes.saturating_add(bytes) > most {
                return Err(format!(
                    "limit reached: user {} has {} bytes of shared memory and needs {bytes} more; the broker's configuration \
                     allows {most} (limits.bytes)",
                    names::user(uid),
                    user.bytes
                ));
            }
            user.memory.insert(memory.file, uses + 1);
            user.bytes += bytes;
            self.channels.get_mut(&channel).expect("it is there").memory.push((uid, memory));
        }
        Ok(())
    }

    fn uncharge(&mut self, memory: &[(u32, Memory)]) {
        for (uid, memory) in memory {
            self.user(*uid, |user| match user.memory.get_mut(&memory.file) {
                Some(1) => {
                    user.memory.remove(&memory.file);
                    user.bytes -= memory.bytes;
                }
                Some(uses) => *uses -= 1,
                None => {}
            });
        }
    }

    /// Both ends hear that it does not come to be.
    fn fail(&mut self, id: u64, why: &str) {
        let Some(channel) = self.remove(id) else { return };
        for end in channel.ends.into_iter().flatten() {
            let mut gone = Packet::new(Kind::Gone).with_text(why);
            gone.channel = id;
            self.send(end, gone);
        }
    }

    fn remove(&mut self, id: u64) -> Option<Channel> {
        let channel = self.channels.remove(&id)?;
        for end in channel.ends.into_iter().flatten() {
            if let Some(client) = self.clients.get_mut(&end) {
                client.channels.remove(&id);
            }
        }
        if channel.charged {
            self.user(channel.peers[CLIENT].asker.uid, |u| u.lanes -= 1);
        }
        self.uncharge(&channel.memory);
        Some(channel)
    }

    fn gone(&mut self, from: Connection, packet: &Packet) {
        let id = match packet.channel {
            // A call that ended before it heard of its channel.
            0 => (self.channels.iter())
                .find(|(_, c)| c.ends[CLIENT] == Some(from) && c.request == packet.request && c.phase == Phase::Opening)
                .map_or(0, |(id, _)| *id),
            id => id,
        };
        if let Some(end) = self.end_of(id, from) {
            // It reaches another user's terminal.
            let text = names::printable(&packet.text());
            let why = if text.is_empty() { "it has hung up" } else { &text };
            self.end_at(id, end, why);
        }
    }

    /// A connection is no end of the channel any more.
    fn end(&mut self, id: u64, from: Connection, why: &str) {
        if let Some(end) = self.end_of(id, from) {
            self.end_at(id, end, why);
        }
    }

    fn end_at(&mut self, id: u64, end: usize, why: &str) {
        let Some(channel) = self.channels.get_mut(&id) else { return };
        let other = channel.ends[1 - end];
        let draining = channel.phase == Phase::Draining;
        if let Some(client) = channel.ends[end].take().and_then(|left| self.clients.get_mut(&left)) {
            client.channels.remove(&id);
        }
        match other {
            // Until the server has received what was sent: its source is in use, and the client is charged.
            Some(to) if end == CLIENT && !draining => {
                self.channels.get_mut(&id).expect("it is there").phase = Phase::Draining;
                let mut gone = Packet::new(Kind::Gone).with_text(why);
                gone.channel = id;
                self.send(to, gone);
            }
            Some(to) => {
                self.remove(id);
                let mut gone = Packet::new(Kind::Gone).with_text(why);
                gone.channel = id;
                self.send(to, gone);
            }
            None => {
                self.remove(id);
            }
        }
    }

    fn retired(&mut self, from: Connection, id: u64) {
        let is_server = self.channels.get(&id).is_some_and(|c| c.ends[AT_SERVER] == Some(from));
        if is_server && self.channels[&id].phase == Phase::Draining {
            self.remove(id);
        }
    }

    // ---- after a restart --------------------------------------------------------------------------------------------

    /// One end of a channel that was made before the broker was restarted.
    fn report(&mut self, from: Connection, packet: &Packet) {
        let id = packet.channel;
        let end = if packet.flags & SERVER != 0 { AT_SERVER } else { CLIENT };
        let peer = self.clients[&from].peer.clone();
        if id == 0 || !is_name(&packet.name()) {
            return;
        }
        if let Some(channel) = self.channels.get_mut(&id) {
            // The other end was here before, and has said which process this one is.
            let expected = &channel.peers[end];
            let good = channel.ends[end].is_none() && expected.pid == peer.pid && expected.began == peer.began;
            if !good {
                let mut gone =
                    Packet::new(Kind::Gone).with_text("the other end of this channel is not known to the broker");
                gone.channel = id;
                return self.send(from, gone);
            }
            channel.ends[end] = Some(from);
            channel.peers[end] = peer.clone();
            if channel.phase == Phase::Opening {
                channel.phase = Phase::Open;
            }
        } else {
            let other = Peer {
                pid: packet.pid,
                began: packet.number[0],
                program: names::process(packet.pid).0,
                ..Peer::default()
            };
            let mut channel = Channel {
                name: packet.name(),
                source: packet.source,
                // Half of it is known.
                phase: if packet.number[2] != 0 && end == AT_SERVER { Phase::Draining } else { Phase::Opening },
                answers: packet.flags & ANSWERS != 0,
                request: 0,
                ends: [None, None],
                peers: [other.clone(), other],
                charged: false,
                memory: vec![],
                gauges: Default::default(),
            };
            channel.ends[end] = Some(from);
            channel.peers[end] = peer.clone();
            self.channels.insert(id, channel);
        }
        if let Some(channel) = self.channels.get_mut(&id).filter(|_| end == CLIENT) {
            channel.charged = true;
            self.user(peer.asker.uid, |u| u.lanes += 1);
        }
        self.clients.get_mut(&from).expect("it is there").channels.insert(id);
    }

    /// Are there channels of which one end is missing, which may have ended while there was no broker?
    pub fn has_halves(&self) -> bool {
        self.channels.values().any(|c| c.phase == Phase::Opening && c.ends.contains(&None))
    }

    /// Ends the halves whose other process has ended.
    pub fn end_halves(&mut self) {
        let ended: Vec<_> = (self.channels.iter())
            .filter(|(_, c)| c.phase == Phase::Opening)
            .filter_map(|(id, c)| Some((*id, c.ends.iter().position(Option::is_none)?)))
            .filter(|(id, end)| self.channels[id].peers[*end].life() == Life::Ended)
            .collect();
        for (id, end) in ended {
            let why = format!("process {} has ended", self.channels[&id].peers[end].pid);
            self.end_at(id, end, &why);
        }
    }

    // ---- looking ----------------------------------------------------------------------------------------------------

    fn sample(&mut self, from: Connection, packet: &Packet) {
        if self.end_of(packet.channel, from).is_none() {
            return;
        }
        if let Some(channel) = self.channels.get_mut(&packet.channel) {
            let gauge = &mut channel.gauges[usize::from(packet.flags & BACK != 0)];
            gauge.take(packet.number, Instant::now());
            gauge.moves = gauge.moves.max(packet.source);
        }
    }

    fn list(&mut self, to: Connection, request: u32) {
        let asker = self.clients[&to].peer.asker.clone();
        let now = Instant::now();
        let mut entries = vec![];
        for (name, queue) in &self.queues {
            let owner = &self.clients[&queue.owner].peer;
            if !self.config.may(Right::List, &asker, name, owner.asker.uid) {
                continue;
            }
            let of_queue =
                self.channels.iter().filter(|(_, c)| c.name == *name && c.ends[AT_SERVER] == Some(queue.owner));
            let lanes: Vec<_> = of_queue.filter(|(_, c)| c.phase != Phase::Opening).collect();
            let mut entry = described(owner, owner.life()).with_name(name);
            entry.source = lanes.len() as u32;
            entry.number = [queue.slots, queue.answers, u64::from(queue.basic), 0];
            entries.push(entry);
            for (_, channel) in lanes {
                for (way, gauge) in channel.gauges.iter().enumerate().filter(|(way, _)| *way == 0 || channel.answers) {
                    let life = match channel.phase {
                        Phase::Draining => Life::Ended,
                        _ => channel.peers[CLIENT].life(),
                    };
                    let mut entry = described(&channel.peers[CLIENT], life).with_name(name);
                    entry.flags = LANE | if way == 0 { 0 } else { BACK };
                    entry.source = channel.source;
                    entry.channel = gauge.moves.into();
                    match gauge.read(now, self.config.sample_ms) {
                        Some(seen) => entry.number = seen,
                        None => entry.flags |= UNKNOWN,
                    }
                    entries.push(entry);
                }
            }
        }
        entries.push(Packet::new(Kind::End));
        for mut entry in entries {
            entry.request = request;
            self.send(to, entry);
        }
    }
}

/// What one end of a channel hears of the other, `of`.
fn told(kind: Kind, id: u64, channel: &Channel, of: usize) -> Packet {
    let peer = &channel.peers[of];
    let mut packet = Packet::new(kind).with_name(&channel.name);
    packet.channel = id;
    packet.request = if kind == Kind::Opening { channel.request } else { 0 };
    packet.source = channel.source;
    packet.flags = if channel.answers { ANSWERS } else { 0 };
    (packet.uid, packet.gid, packet.pid) = (peer.asker.uid, peer.asker.gid, peer.pid);
    packet.number[0] = peer.began;
    packet
}

fn described(peer: &Peer, life: Life) -> Packet {
    let mut entry = Packet::new(Kind::Entry).with_text(&format!("{}\n{}", life.word(), peer.program));
    (entry.uid, entry.gid, entry.pid) = (peer.asker.uid, peer.asker.gid, peer.pid);
    entry
}
