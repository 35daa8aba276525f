//! Programs that mean harm, at the broker's socket: garbage, parts of packets, floods, silence. Whatever they do, another program
//! is served meanwhile, and the broker keeps no descriptor of theirs.

use fathom_broker::client::Broker;
use fathom_broker::config::Config;
use fathom_broker::wire::{Kind, Packet, PROTOCOL};
use fathom_broker::{listen, server};
use rustix::net::{
    connect, recv, sendmsg, socket_with, AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketAddrUnix, SocketFlags, SocketType,
};
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

/// After which something that should have happened never will.
const NEVER: Duration = Duration::from_secs(600);

/// A broker in a thread of its own, until the test ends.
fn broker(config: &str) -> (tempfile::TempDir, PathBuf) {
    broker_for(config, false)
}

fn broker_for(config: &str, for_all: bool) -> (tempfile::TempDir, PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let mode = std::fs::Permissions::from_mode(if for_all { 0o755 } else { 0o700 });
    std::fs::set_permissions(dir.path(), mode).expect("its mode");
    let path = dir.path().join("broker.sock");
    let config = Config::parse(config).expect("valid");
    let (ready, is_ready) = channel();
    let at = path.clone();
    std::thread::spawn(move || {
        let listening = listen(&at, for_all).expect("it listens");
        server::serve(&listening, config, || ready.send(()).expect("awaited")).expect("it serves");
    });
    is_ready.recv_timeout(NEVER).expect("it begins");
    (dir, path)
}

fn connected(path: &Path) -> OwnedFd {
    let fd = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).expect("a socket");
    connect(&fd, &SocketAddrUnix::new(path).expect("short")).expect("a connection");
    rustix::net::sockopt::set_socket_timeout(&fd, rustix::net::sockopt::Timeout::Recv, Some(NEVER)).expect("a limit");
    fd
}

fn send(fd: &OwnedFd, bytes: &[u8], fds: &[BorrowedFd]) -> bool {
    let mut space = vec![MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(253))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() {
        assert!(control.push(SendAncillaryMessage::ScmRights(fds)));
    }
    sendmsg(fd, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL).is_ok()
}

/// The next packet; `None`: the broker has closed the connection.
fn next(fd: &OwnedFd) -> Option<Packet> {
    let mut bytes = [0; 1024];
    match recv(fd, &mut bytes[..], RecvFlags::empty()) {
        Ok((_, 0)) | Err(rustix::io::Errno::CONNRESET) => None,
        Ok((_, n)) => Some(Packet::decode(&bytes[..n]).expect("a packet")),
        Err(e) => panic!("the broker neither answers nor closes: {e}"),
    }
}

fn hello(fd: &OwnedFd) {
    let mut hello = Packet::new(Kind::Hello);
    hello.request = PROTOCOL;
    assert!(send(fd, &hello.encode(), &[]));
    assert_eq!(next(fd).expect("an answer").kind, Kind::Welcome);
}

/// It is told why, and disconnected.
#[track_caller]
fn is_thrown_out(fd: &OwnedFd, words: &str) {
    let mut told = String::new();
    while let Some(packet) = next(fd) {
        if packet.kind == Kind::Refused {
            told = packet.text();
        }
    }
    assert!(told.contains(words), "told '{told}' instead of '{words}'");
}

#[test]
fn garbage_and_parts_of_packets_end_the_connection_that_sends_them() {
    let (_dir, path) = broker("");
    let other = Broker::connect(&path).expect("welcome");
    let whole = Packet::new(Kind::Hello).encode();
    for (bytes, words) in [
        (&[0u8][..], "1 bytes"),
        (&whole[..391], "391 bytes"),
        (&[0x55; 392][..], "none of the broker's protocol"),
        (&[7; 100_000][..], "393 bytes"),
    ] {
        let fd = connected(&path);
        assert!(send(&fd, bytes, &[]));
        is_thrown_out(&fd, words);
        assert!(other.list().expect("served").is_empty());
    }
    // Packets at the wrong time, and kinds that only the broker sends.
    let fd = connected(&path);
    assert!(send(&fd, &Packet::new(Kind::List).encode(), &[]));
    is_thrown_out(&fd, "has not said hello");
    for kind in [Kind::Welcome, Kind::Wanted, Kind::Opening, Kind::Entry, Kind::End, Kind::Registered, Kind::Refused] {
        let fd = connected(&path);
        hello(&fd);
        assert!(send(&fd, &Packet::new(kind).encode(), &[]));
        is_thrown_out(&fd, "which only the broker sends");
    }
}

#[test]
fn another_version_is_told_which_side_is_the_older() {
    let (_dir, path) = broker("");
    for (version, words) in [(PROTOCOL + 1, "the program is newer"), (0, "the broker is newer")] {
        let fd = connected(&path);
        let mut packet = Packet::new(Kind::Hello);
        packet.request = version;
        assert!(send(&fd, &packet.encode(), &[]));
        let refused = next(&fd).expect("an answer");
        assert!(refused.text().contains("version mismatch") && refused.text().contains(words), "{}", refused.text());
    }
}

/// Descriptors of this process, in which the broker runs, too.
fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("/proc").count()
}

#[test]
fn descriptors_that_nobody_asked_for_are_closed() {
    let (_dir, path) = broker("");
    let other = Broker::connect(&path).expect("welcome");
    let null = std::fs::File::open("/dev/null").expect("it exists");
    let flood = vec![null.as_fd(); 253];
    let mut before = None;
    for _ in 0..50 {
        for (kind, count, words) in [
            (Kind::List, 1, "1 descriptors"),
            (Kind::Open, 253, "more descriptors than any"),
            (Kind::Offer, 253, "more descriptors than any"),
            (Kind::Accept, 3, "3 descriptors"),
        ] {
            let fd = connected(&path);
            hello(&fd);
            assert!(send(&fd, &Packet::new(kind).encode(), &flood[..count]));
            is_thrown_out(&fd, words);
        }
        assert!(other.list().expect("served").is_empty());
        // Other tests of this program open some, too; a leak of 250 a round cannot hide behind them. They are closed soon.
        let (most, begun) = (*before.get_or_insert_with(descriptors) + 200, std::time::Instant::now());
        while descriptors() >= most {
            assert!(begun.elapsed() < NEVER, "{} descriptors", descriptors());
            std::thread::yield_now();
        }
    }
}

/// A connection over TCP whose data nobody takes: to close it takes an hour.
fn slow_to_close() -> (OwnedFd, (std::net::TcpListener, std::net::TcpStream)) {
    use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};
    use std::io::Write;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    // Little memory, because there are many: connections have what their listener has.
    set_socket_recv_buffer_size(&listener, 4096).expect("an option");
    let mut slow = std::net::TcpStream::connect(listener.local_addr().expect("bound")).expect("a connection");
    let (other, _) = listener.accept().expect("it has connected");
    set_socket_send_buffer_size(&slow, 4096).expect("an option");
    slow.set_nonblocking(true).expect("a flag");
    while slow.write(&[0; 1 << 16]).is_ok() {}
    rustix::net::sockopt::set_socket_linger(&slow, Some(Duration::from_secs(3600))).expect("an option");
    (slow.into(), (listener, other))
}

/// Whoever closes it last takes long: the test as well, if it is the test.
fn drop_aside(slow: OwnedFd) {
    std::thread::spawn(move || drop(slow));
}

/// What takes long to be closed stops nobody: with a packet that is right, one that is wrong, with very many others, or in packets that are
/// never read because the connection ends before.
#[test]
fn descriptors_that_take_long_to_be_closed_stop_nobody() {
    let (_dir, path) = broker("");
    let other = Broker::connect(&path).expect("welcome");
    let mut ends = vec![];
    for (kind, count) in [(Kind::Accept, 2), (Kind::List, 1), (Kind::Offer, 253)] {
        let fd = connected(&path);
        hello(&fd);
        let (slow, end) = slow_to_close();
        assert!(send(&fd, &Packet::new(kind).encode(), &vec![slow.as_fd(); count]));
        drop_aside(slow);
        assert!(other.list().expect("served").is_empty());
        ends.push((fd, end));
    }
    for _ in 0..3 {
        let fd = connected(&path);
        for _ in 0..3 {
            let (slow, end) = slow_to_close();
            let _ = send(&fd, &Packet::new(Kind::List).encode(), &[slow.as_fd()]); // it may be closed already
            drop_aside(slow);
            ends.push((connected(&path), end));
        }
    }
    for _ in 0..10 {
        assert!(other.list().expect("served").is_empty());
        assert!(Broker::connect(&path).is_ok());
    }
}

/// More of them than the broker has threads for, of one user: another's are closed, and of the first the broker keeps a limited number.
#[test]
fn a_user_whose_descriptors_are_never_closed_keeps_no_other_users_open() {
    const SENT: usize = 400;
    const OTHERS: usize = 3000;
    // SAFETY: it only answers.
    if unsafe { libc::geteuid() } != 0 {
        eprintln!("not tested: only root can be several users");
        return;
    }
    let (_dir, path) = broker_for("", true);
    let other = Broker::connect(&path).expect("welcome");
    let at = path.clone();
    let ends = std::thread::spawn(move || {
        // SAFETY: the call by itself changes this thread alone.
        assert_eq!(unsafe { libc::syscall(libc::SYS_setresuid, -1, 12345, -1) }, 0);
        let mut hello = Packet::new(Kind::Hello);
        hello.request = PROTOCOL;
        let one = |_| {
            let (fd, (slow, end)) = (connected(&at), slow_to_close());
            // What is not read any more takes no more packets; or it is closed already.
            for (kind, fds) in [(&hello, &[][..]), (&Packet::new(Kind::List), &[slow.as_fd()][..])] {
                let _ = send(&fd, &kind.encode(), fds);
            }
            drop_aside(slow);
            end
        };
        (0..SENT).map(one).collect::<Vec<_>>()
    });
    let ends = ends.join().expect("it does what it can");
    // These have gone when the broker has read that they ended; their descriptors are closed a moment later.
    let before = descriptors();
    for _ in 0..OTHERS {
        assert!(Broker::connect(&path).is_ok());
    }
    assert!(other.list().expect("served").is_empty());
    let begun = std::time::Instant::now();
    while descriptors() >= before + OTHERS / 2 {
        assert!(begun.elapsed() < NEVER, "{} descriptors, {before} before", descriptors());
        std::thread::yield_now();
    }
    drop(ends);
}

/// A server and a client that are both these bytes: what the broker passes on, and what not.
#[test]
fn what_is_no_memory_is_not_passed_on_to_the_other_end() {
    let (_dir, path) = broker("");
    let (server, client) = (connected(&path), connected(&path));
    hello(&server);
    hello(&client);
    assert!(send(&server, &Packet::new(Kind::Register).with_name("bad").encode(), &[]));
    assert_eq!(next(&server).expect("an answer").kind, Kind::Registered);
    assert!(send(&client, &Packet::new(Kind::Open).with_name("bad").encode(), &[]));
    let wanted = next(&server).expect("an answer");
    assert_eq!((wanted.kind, next(&client).expect("an answer").kind), (Kind::Wanted, Kind::Opening));
    // The client pretends to be the server.
    let mut offer = Packet::new(Kind::Offer);
    offer.channel = wanted.channel + 1;
    let null = std::fs::File::open("/dev/null").expect("it exists");
    assert!(send(&client, &offer.encode(), &[null.as_fd(); 3]));
    // A stranger names the channel.
    let stranger = connected(&path);
    hello(&stranger);
    offer.channel = wanted.channel;
    assert!(send(&stranger, &offer.encode(), &[null.as_fd(); 3]));
    let mut gone = Packet::new(Kind::Gone);
    gone.channel = wanted.channel;
    assert!(send(&stranger, &gone.encode(), &[]));
    let mut report = Packet::new(Kind::Report).with_name("bad");
    report.channel = wanted.channel;
    assert!(send(&stranger, &report.encode(), &[]));
    assert!(next(&stranger).expect("an answer").text().contains("not known"));
    // The server hands over what is no memory, and as what wakes a sender its own end of the broker's socket, or what has something
    // in it that whoever closes it would have to close.
    let (full, other) = std::os::unix::net::UnixDatagram::pair().expect("two sockets");
    assert!(sendmsg(&other, &[IoSlice::new(b"x")], &mut SendAncillaryBuffer::default(), SendFlags::empty()).is_ok());
    for event in [server.as_fd(), full.as_fd()] {
        assert!(send(&server, &offer.encode(), &[null.as_fd(), null.as_fd(), event]));
        for end in [&server, &client] {
            let gone = next(end).expect("an answer");
            assert_eq!((gone.kind, gone.channel), (Kind::Gone, offer.channel));
            assert!(gone.text().contains("event descriptor"), "{}", gone.text());
        }
        assert!(send(&client, &Packet::new(Kind::Open).with_name("bad").encode(), &[]));
        let wanted = next(&server).expect("an answer");
        assert_eq!((wanted.kind, next(&client).expect("an answer").kind), (Kind::Wanted, Kind::Opening));
        offer.channel = wanted.channel;
    }
}

/// Connections that say nothing, and that do not read: others are served, and a user has a limited number.
#[test]
fn silence_and_deafness_stop_nobody() {
    let (_dir, path) = broker("[limits]\nconnections = 40\n");
    let other = Broker::connect(&path).expect("welcome");
    let silent: Vec<_> = (0..20).map(|_| connected(&path)).collect();
    // They ask and never read the answers, until the kernel takes no more.
    let deaf: Vec<_> = (0..10).map(|_| connected(&path)).collect();
    for fd in &deaf {
        hello(fd);
        for i in 0..2000 {
            let mut open = Packet::new(Kind::Open).with_name("nobody-has-this");
            open.request = i;
            let mut space = [];
            let mut control = SendAncillaryBuffer::new(&mut space);
            let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
            let _ = sendmsg(fd, &[IoSlice::new(&open.encode())], &mut control, flags);
        }
        assert!(other.list().expect("served").is_empty());
    }
    // Those that say nothing are thrown out after a while, which makes room: so many are tried until one is refused.
    let (mut more, mut told) = (vec![], String::new());
    while told.is_empty() && more.len() < 60 {
        let fd = connected(&path);
        let mut hello = Packet::new(Kind::Hello);
        hello.request = PROTOCOL;
        let _ = send(&fd, &hello.encode(), &[]); // it may be closed already
        match next(&fd) {
            Some(packet) if packet.kind == Kind::Welcome => more.push(fd),
            Some(packet) => told = packet.text(),
            None => panic!("closed without a word"),
        }
    }
    assert!(told.contains("limits.connections"), "{} more; {told}", more.len());
    drop((silent, deaf, more));
    // Their ends are noticed one after the other; then there is room again.
    let begun = std::time::Instant::now();
    while let Err(why) = Broker::connect(&path) {
        assert!(begun.elapsed() < NEVER, "{why}");
    }
    assert!(other.list().expect("served").is_empty());
}
