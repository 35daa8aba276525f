//! Descriptors that pass through the broker: which files they are, and that they are what they should be. The broker does not map
//! them. The receiving library checks them once more, because it is the one that would suffer.

use crate::aside::Foreign;
use rustix::fs::{fcntl_get_seals, fstat, SealFlags};
use rustix::net::sockopt::{socket_domain, socket_type};
use rustix::net::{recv, AddressFamily, RecvFlags, SocketType};
use std::os::fd::{AsFd, AsRawFd};

/// A file in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Device and number: the same for all descriptors of it.
    pub file: (u64, u64),
    pub bytes: u64,
}

const TOO_FEW: &str = "descriptors are missing; perhaps the broker has none left: raise its limit (LimitNOFILE)";

/// in, bell, event, and perhaps a window.
pub fn of_offer(fds: &[Foreign]) -> Result<Vec<Memory>, String> {
    if fds.len() < 3 {
        return Err(TOO_FEW.into());
    }
    if !is_event(&fds[2]) {
        return Err("the server's event descriptor is something else".into());
    }
    [0, 1, 3].iter().filter_map(|i| fds.get(*i)).map(sealed).collect()
}

/// A datagram socket in which there is nothing, and into which no descriptors can be put from now on, which whoever closes it
/// would have to close (from Linux 6.16 on).
fn is_event(fd: &Foreign) -> bool {
    const SO_PASSRIGHTS: libc::c_int = 83;
    let (no, length) = (0, size_of::<libc::c_int>() as libc::socklen_t);
    let is = (socket_domain(fd), socket_type(fd));
    if !matches!(is, (Ok(AddressFamily::UNIX), Ok(SocketType::DGRAM))) {
        return false;
    }
    let raw = fd.as_fd().as_raw_fd();
    // SAFETY: the option is a number, of this length; if there is no such option nothing happens.
    unsafe { libc::setsockopt(raw, libc::SOL_SOCKET, SO_PASSRIGHTS, (&raw const no).cast(), length) };
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    recv(fd, &mut [0; 1][..], flags).is_err()
}

/// out, and perhaps a region.
pub fn of_accept(fds: &[Foreign]) -> Result<Vec<Memory>, String> {
    if fds.is_empty() {
        return Err(TOO_FEW.into());
    }
    fds.iter().map(sealed).collect()
}

fn sealed(fd: &Foreign) -> Result<Memory, String> {
    let needed = SealFlags::SHRINK | SealFlags::GROW;
    match fcntl_get_seals(fd) {
        Ok(seals) if seals.contains(needed) => {
            let is = fstat(fd).map_err(|e| format!("a descriptor cannot be looked at: {e}"))?;
            Ok(Memory { file: (is.st_dev, is.st_ino), bytes: u64::try_from(is.st_size).unwrap_or(0) })
        }
        _ => Err("a descriptor is no sealed file in memory".into()),
    }
}
