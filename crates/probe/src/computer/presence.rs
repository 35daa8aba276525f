//! Other `fathom probe`s on this computer: two that measure at the same time disturb each other.
//!
//! The first probe listens at a name of the kernel's own (an abstract socket without a file: it ends with its process).
//! A later probe finds the name taken and connects to it; so both know.

use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

/// For all users of this network namespace.
const NAME: &str = "fathom-probe";

pub struct Presence {
    name: String,
    /// The socket, if this probe was the first.
    listener: Option<UnixListener>,
    was_disturbed: bool,
}

impl Presence {
    /// The presence for the probes on this computer.
    pub fn of_this_computer() -> Presence {
        Presence::named(NAME)
    }

    pub(crate) fn named(name: &str) -> Presence {
        Presence { name: name.into(), listener: None, was_disturbed: false }
    }

    /// The other process that measures now; None if there is none. The caller asks repeatedly, because others come and
    /// go.
    pub fn other(&mut self) -> Option<String> {
        let address = SocketAddr::from_abstract_name(&self.name).ok()?;
        if self.listener.is_none() {
            match UnixListener::bind_addr(&address) {
                Ok(listener) => self.listener = listener.set_nonblocking(true).is_ok().then_some(listener),
                Err(e) if e.kind() == ErrorKind::AddrInUse => {
                    let other = UnixStream::connect_addr(&address).ok()?;
                    self.was_disturbed = true;
                    return Some(peer(&other));
                }
                Err(_) => return None, // this system has no abstract sockets
            }
        }
        let listener = self.listener.as_ref()?;
        let (other, _) = std::iter::from_fn(|| listener.accept().ok()).last()?;
        self.was_disturbed = true;
        Some(peer(&other))
    }

    /// Whether another process has measured since the previous call.
    pub fn was_disturbed(&mut self) -> bool {
        self.other();
        std::mem::take(&mut self.was_disturbed)
    }
}

/// The process at the other end.
fn peer(socket: &UnixStream) -> String {
    // SAFETY: getsockopt() writes no more than `bytes` to `who`, for which zeros are a value.
    let (got, who) = unsafe {
        let mut who: libc::ucred = std::mem::zeroed();
        let mut bytes = size_of::<libc::ucred>() as libc::socklen_t;
        let to = std::ptr::from_mut(&mut who).cast();
        (libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, to, &mut bytes), who)
    };
    match who.pid {
        pid @ 1.. if got == 0 => format!("process {pid}"),
        _ => "of another container".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_at_once_know_of_each_other_and_a_third_takes_the_place_of_the_first() {
        let name = format!("fathom-presence-{}", std::process::id());
        let own = Some(format!("process {}", std::process::id()));
        let mut first = Presence::named(&name);
        assert_eq!((first.other(), first.was_disturbed()), (None, false));
        let mut second = Presence::named(&name);
        assert_eq!(second.other(), own);
        assert!(second.was_disturbed() && first.was_disturbed());
        assert!(!first.was_disturbed(), "the same one is told again");
        drop(first);
        assert_eq!(second.other(), None);
        let mut third = Presence::named(&name);
        assert!(third.other().is_some() && second.was_disturbed());
    }
}
