//! Users and groups by name, as the system's own lookup has them, and what the kernel says of processes.

use std::ffi::{CStr, CString};

/// The number that a name stands for: itself, if it is one, or what the system finds, which is given room for its answer.
fn number(name: &str, look_up: impl FnOnce(&CStr, &mut [libc::c_char]) -> Option<u32>) -> Option<u32> {
    if let Ok(number) = name.parse() {
        return Some(number);
    }
    look_up(&CString::new(name).ok()?, &mut vec![0; 1 << 16])
}

/// A user's number; a number stands for itself.
pub fn uid_of(name: &str) -> Option<u32> {
    number(name, |name, buffer| {
        let mut found = std::ptr::null_mut();
        // SAFETY: zeroes are a valid passwd; the buffer and both results outlive the call.
        unsafe {
            let mut user: libc::passwd = std::mem::zeroed();
            libc::getpwnam_r(name.as_ptr(), &raw mut user, buffer.as_mut_ptr(), buffer.len(), &raw mut found);
            (!found.is_null()).then_some(user.pw_uid)
        }
    })
}

/// A group's number; a number stands for itself.
pub fn gid_of(name: &str) -> Option<u32> {
    number(name, |name, buffer| {
        let mut found = std::ptr::null_mut();
        // SAFETY: as above.
        unsafe {
            let mut group: libc::group = std::mem::zeroed();
            libc::getgrnam_r(name.as_ptr(), &raw mut group, buffer.as_mut_ptr(), buffer.len(), &raw mut found);
            (!found.is_null()).then_some(group.gr_gid)
        }
    })
}

/// A user's name, or the number of one that has none.
pub fn user(uid: u32) -> String {
    let mut buffer = vec![0; 1 << 16];
    let mut found = std::ptr::null_mut();
    // SAFETY: as above; the name points into the buffer.
    let name = unsafe {
        let mut user: libc::passwd = std::mem::zeroed();
        libc::getpwuid_r(uid, &raw mut user, buffer.as_mut_ptr(), buffer.len(), &raw mut found);
        (!found.is_null()).then(|| CStr::from_ptr(user.pw_name).to_string_lossy().into_owned())
    };
    name.unwrap_or_else(|| uid.to_string())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Runs,
    Stopped,
    Ended,
    /// In another namespace, or hidden from the broker.
    Unseen,
}

impl Life {
    pub fn word(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Stopped => "stopped",
            Self::Ended => "ended",
            Self::Unseen => "unseen",
        }
    }
}

/// What /proc says of a process: its program's name, its state's letter, and when it began (ticks since the computer started).
fn stat(pid: u32) -> Option<(String, char, u64)> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    // The name may have spaces and parentheses in it.
    let (before, after) = text.rsplit_once(')')?;
    let name = before.split_once('(')?.1.to_string();
    let mut fields = after.split_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((name, state, fields.nth(18)?.parse().ok()?))
}

/// The program's name, and when the process began; 0 if it cannot be seen.
pub fn process(pid: u32) -> (String, u64) {
    stat(pid).map_or_else(|| ("?".into(), 0), |(name, _, began)| (printable(&name), began))
}

/// What a program says of itself, without what a terminal would obey.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Is the process that began then still there, and does it run?
pub fn life(pid: u32, began: u64) -> Life {
    if pid == 0 || began == 0 {
        return Life::Unseen;
    }
    match stat(pid) {
        Some((_, state, now)) if now == began => match state {
            'T' | 't' => Life::Stopped,
            'Z' | 'X' => Life::Ended,
            _ => Life::Runs,
        },
        _ => Life::Ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_and_numbers_are_known_everywhere() {
        assert_eq!((uid_of("root"), gid_of("root"), user(0).as_str()), (Some(0), Some(0), "root"));
        assert_eq!((uid_of("12345678"), gid_of("12345678")), (Some(12_345_678), Some(12_345_678)));
        assert_eq!((uid_of("no such user"), gid_of("no such group")), (None, None));
        assert_eq!(user(4_000_000_000), "4000000000");
    }

    #[test]
    fn a_process_is_the_one_that_began_then() {
        let (_, began) = process(std::process::id());
        assert_eq!(life(std::process::id(), began), Life::Runs);
        assert_eq!(life(std::process::id(), began + 1), Life::Ended);
        assert_eq!(life(0, 0), Life::Unseen);
        assert_eq!(printable("a\x1b[2Jb\n"), "a?[2Jb?");
    }
}
