//! Sockets: where the broker listens, who has connected, packets with descriptors.

use crate::aside::{self, Foreign};
use crate::config::Asker;
use crate::names;
use crate::state::Peer;
use crate::wire::{Kind, Packet, BYTES, FDS};
use rustix::fs::{flock, FlockOperation};
use rustix::io::Errno;
use rustix::net::{
    recvmsg, sendmsg, socket_with, AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType,
};
use std::fs::File;
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Descriptors of one packet, at most (the kernel's SCM_MAX_FD).
const MOST_SENT: usize = 253;
/// The socket that systemd passes, the first of its descriptors.
const FIRST_PASSED: i32 = 3;

/// A socket that listens.
pub struct Listening {
    pub fd: OwnedFd,
    pub path: PathBuf,
    /// Whose file it is, to be removed at the end: device and number. `None`: systemd's.
    made: Option<(u64, u64)>,
}

impl Listening {
    /// Is the broker started by systemd, which has the socket?
    pub fn is_passed(&self) -> bool {
        self.made.is_none()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let is_ours = |made| std::fs::symlink_metadata(&self.path).is_ok_and(|m| (m.dev(), m.ino()) == made);
        if self.made.is_some_and(is_ours) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Where a user's broker listens, and the computer's.
pub fn default_socket(of_computer: bool) -> Result<PathBuf, String> {
    if of_computer {
        return Ok("/run/fathom/broker.sock".into());
    }
    match std::env::var_os("XDG_RUNTIME_DIR").filter(|d| !d.is_empty()) {
        Some(folder) => Ok(Path::new(&folder).join("fathom/broker.sock")),
        None => Err(
            "XDG_RUNTIME_DIR is not set, so this user has no place for a socket: use --socket PATH, and set FATHOM_BROKER=PATH for \
             the programs; or use --system as root"
                .into(),
        ),
    }
}

/// The socket that systemd passed to this process, if it did.
fn passed() -> Result<Option<OwnedFd>, String> {
    let own = std::process::id().to_string();
    if std::env::var("LISTEN_PID").as_deref() != Ok(own.as_str()) {
        return Ok(None);
    }
    match std::env::var("LISTEN_FDS").as_deref() {
        Ok("1") => {}
        Ok(count) => return Err(format!("systemd passes {count} sockets (LISTEN_FDS), and the broker has one")),
        Err(_) => return Ok(None),
    }
    // SAFETY: by the protocol of LISTEN_FDS, this descriptor is for this process, and nothing else here takes it.
    let fd = unsafe { OwnedFd::from_raw_fd(FIRST_PASSED) };
    rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::CLOEXEC)
        .map_err(|e| format!("LISTEN_FDS is set, and descriptor 3 is not open: {e}"))?;
    match rustix::net::sockopt::socket_type(&fd) {
        Ok(SocketType::SEQPACKET) => Ok(Some(fd)),
        _ => Err("the socket that systemd passes is not of the kind that the broker needs: use ListenSequentialPacket= in the \
                  unit"
            .into()),
    }
}

/// What is at a path where a broker is to listen.
enum At {
    Nothing,
    /// The socket of a broker that has ended.
    Left,
    /// A broker listens: its process, in brackets, if it can be seen.
    Broker(String),
}

fn address(path: &Path) -> Result<SocketAddrUnix, String> {
    SocketAddrUnix::new(path).map_err(|_| {
        format!(
            "the path of the socket is too long (107 bytes are the most): choose another (--socket): {}",
            path.display()
        )
    })
}

fn new_socket() -> Result<OwnedFd, String> {
    socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)
        .map_err(|e| format!("cannot make a socket: {e}"))
}

fn at(path: &Path, address: &SocketAddrUnix) -> Result<At, String> {
    let shown = path.display();
    let Ok(is) = std::fs::symlink_metadata(path) else { return Ok(At::Nothing) };
    if !is.file_type().is_socket() {
        return Err(format!("{shown} exists and is no socket: remove it, or choose another path (--socket)"));
    }
    let other = new_socket()?;
    match rustix::net::connect(&other, address) {
        Ok(()) | Err(Errno::AGAIN) => {
            let (_, _, pid) = credentials(other.as_fd());
            Ok(At::Broker(if pid == 0 { String::new() } else { format!(" (process {pid})") }))
        }
        Err(Errno::CONNREFUSED) => Ok(At::Left),
        Err(Errno::PROTOTYPE) => {
            Err(format!("{shown} is the socket of another program: choose another path (--socket)"))
        }
        Err(e) => Err(format!("{shown} exists, and whether a broker listens there cannot be found out: {e}")),
    }
}

/// What `listen` would find at the path, in words; an error is one that it would end with. Nothing is made. That a broker runs there is
/// none: its configuration may be what has been changed.
pub fn look(path: &Path) -> Result<String, String> {
    let shown = path.display();
    if let At::Broker(who) = at(path, &address(path)?)? {
        return Ok(format!("a broker{who} listens at {shown} now, and reads the file when it is started again"));
    }
    let folder = folder_of(path);
    let there = folder.ancestors().find(|f| f.as_os_str().is_empty() || f.symlink_metadata().is_ok());
    let there = there.filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !there.is_dir() {
        return Err(format!(
            "{} is no folder, so no socket can be at {shown}: choose another path (--socket)",
            there.display()
        ));
    }
    rustix::fs::access(there, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
        .map_err(|e| format!("cannot make a socket at {shown}: the folder {}: {e}", there.display()))?;
    Ok(format!("the broker would listen at {shown}"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Listens at the path, or on systemd's socket. `for_all`: other users may connect, too.
pub fn listen(path: &Path, for_all: bool) -> Result<Listening, String> {
    if let Some(fd) = passed()? {
        rustix::io::ioctl_fionbio(&fd, true).map_err(|e| format!("systemd's socket cannot be used: {e}"))?;
        return Ok(Listening { fd, path: path.into(), made: None });
    }
    let shown = path.display();
    let folder = folder_of(path);
    let is_new = !folder.exists();
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make the folder {}: {e}", folder.display()))?;
    if is_new {
        let mode = std::fs::Permissions::from_mode(if for_all { 0o755 } else { 0o700 });
        let _ = std::fs::set_permissions(folder, mode);
    }
    // Of two brokers that start at once, one waits here until the other listens. The lock ends with this function.
    let lock = File::open(folder).map_err(|e| format!("cannot open the folder {}: {e}", folder.display()))?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|e| format!("cannot lock {}: {e}", folder.display()))?;
    let address = address(path)?;
    match at(path, &address)? {
        At::Nothing => {}
        At::Broker(who) => {
            return Err(format!("a broker runs already: {shown} answers{who}. Two brokers need two sockets (--socket)"))
        }
        At::Left => std::fs::remove_file(path)
            .map_err(|e| format!("cannot remove the socket {shown} of a broker that ended: {e}"))?,
    }
    let fd = new_socket()?;
    rustix::net::bind(&fd, &address).map_err(|e| format!("cannot listen at {shown}: {e}"))?;
    let is = std::fs::symlink_metadata(path).map_err(|e| format!("cannot look at {shown}: {e}"))?;
    let listening = Listening { fd, path: path.into(), made: Some((is.dev(), is.ino())) };
    let mode = std::fs::Permissions::from_mode(if for_all { 0o666 } else { 0o600 });
    std::fs::set_permissions(path, mode).map_err(|e| format!("cannot permit others to use {shown}: {e}"))?;
    rustix::net::listen(&listening.fd, 128).map_err(|e| format!("cannot listen at {shown}: {e}"))?;
    Ok(listening)
}

/// Connects to a broker; the error is the kernel's.
pub fn connect(path: &Path) -> rustix::io::Result<OwnedFd> {
    let fd =
        socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)?;
    rustix::net::connect(&fd, &SocketAddrUnix::new(path)?)?;
    Ok(fd)
}

/// User, group and process at the other end; the process is 0 if it is in another namespace (for which rustix has no value).
fn credentials(fd: BorrowedFd) -> (u32, u32, u32) {
    let mut is = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the option writes at most `length` bytes, and the struct has them.
    unsafe {
        libc::getsockopt(fd.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut is).cast(), &raw mut length)
    };
    (is.uid, is.gid, u32::try_from(is.pid).unwrap_or(0))
}

/// The other groups of the process at the other end.
fn groups(fd: BorrowedFd) -> Vec<u32> {
    let mut groups = vec![0u32; 1024];
    let mut length = (groups.len() * size_of::<u32>()) as libc::socklen_t;
    // SAFETY: as above.
    let failed = unsafe {
        libc::getsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERGROUPS,
            groups.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    groups.truncate(if failed == 0 { length as usize / size_of::<u32>() } else { 0 });
    groups
}

pub fn peer(fd: BorrowedFd) -> Peer {
    let (uid, gid, pid) = credentials(fd);
    let (program, began) = names::process(pid);
    Peer { asker: Asker { uid, gid, groups: groups(fd) }, pid, began, program }
}

pub enum Received {
    Packet(Box<Packet>, Vec<Foreign>),
    Nothing,
    Closed,
    /// What the other side did wrong.
    Wrong(String),
}

/// Of a program of user `of`.
pub fn receive(fd: BorrowedFd, of: u32) -> Received {
    // One more, to see that a packet is too long. And room for as many descriptors as a packet can have: those for which there is
    // none the kernel closes, in this thread.
    let mut bytes = [0; BYTES + 1];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_SENT))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let got = loop {
        match recvmsg(fd, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags) {
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Received::Nothing,
            Err(_) => return Received::Closed,
            Ok(got) => break got,
        }
    };
    let mut fds: Vec<Foreign> = vec![];
    for part in control.drain() {
        if let RecvAncillaryMessage::ScmRights(sent) = part {
            fds.extend(sent.map(|fd| Foreign::sent(fd, of)));
        }
    }
    if got.bytes == 0 && fds.is_empty() {
        return Received::Closed;
    }
    // (Fewer than were sent, because of the broker's own limit: see memory.rs.)
    if fds.len() > FDS {
        return Received::Wrong("a packet with more descriptors than any has".into());
    }
    match Packet::decode(&bytes[..got.bytes]) {
        Ok(packet) => Received::Packet(Box::new(packet), fds),
        Err(why) => Received::Wrong(why),
    }
}

pub enum Sent {
    Done,
    /// Not now.
    Full,
    /// Not before the other side has received descriptors: nothing will say when.
    Later,
    Closed,
}

pub fn send(fd: BorrowedFd, packet: &Packet, fds: &[Foreign]) -> Sent {
    let bytes = packet.encode();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let borrowed: Vec<BorrowedFd> = fds.iter().map(AsFd::as_fd).collect();
    if !borrowed.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(&borrowed));
    }
    loop {
        match sendmsg(fd, &[IoSlice::new(&bytes)], &mut control, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
            Ok(_) => return Sent::Done,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Sent::Full,
            Err(Errno::TOOMANYREFS | Errno::NOBUFS | Errno::NOMEM) => return Sent::Later,
            Err(_) => return Sent::Closed,
        }
    }
}

/// Says why, before the connection is closed. What the other side has sent is taken first: closing with it unread would be an error
/// at the other side, which would never read why.
pub fn refuse(fd: BorrowedFd, of: u32, why: &str) {
    let _ = send(fd, &Packet::new(Kind::Refused).with_text(why), &[]);
    if rustix::net::shutdown(fd, rustix::net::Shutdown::Both).is_ok() {
        while !aside::is_held_up(of) && matches!(receive(fd, of), Received::Packet(..) | Received::Wrong(_)) {}
    }
}
