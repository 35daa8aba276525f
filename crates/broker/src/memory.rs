//! Descriptors that pass through the broker: which files they are, and that they are what they should be. The broker does not map
//! them. The receiving library checks them once more, because it is the one that would suffer.

use crate::aside::Foreign;
use rustix::fs::{fcntl_get_seals, fstat, SealFlags};
use rustix::net::sockopt::{socket_domain, socket_type};
use rustix::net::{AddressFamily, SocketType};

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
    if !matches!((socket_domain(&fds[2]), socket_type(&fds[2])), (Ok(AddressFamily::UNIX), Ok(SocketType::DGRAM))) {
        return Err("the server's event descriptor is something else".into());
    }
    [0, 1, 3].iter().filter_map(|i| fds.get(*i)).map(sealed).collect()
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
