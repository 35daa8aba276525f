//! Folders that only the caller can change, for files that are run later: the cache.
//!
//! A program in a folder is only as safe as every folder above it: a user who can write in one of them can put another
//! folder in the place of the next. So the path is walked from the root, one component at a time, with descriptors
//! (`openat`; links are resolved here, not by the kernel), and each folder is checked before the next one is opened or
//! made:
//!
//! - The last folder belongs to the caller, and no other user can write in it.
//! - The folders above belong to the caller or to root, and no other user can write in them, unless they are sticky
//!   (`/tmp`): in a sticky folder, a user cannot rename or remove the files of another user.
//! - Links belong to the caller or to root.
//! - Below a folder that only its owner can enter, the modes do not matter.
//!
//! If there is an access control list, the mode's bits for the group are the list's mask, so lists are covered. A group
//! whose only member is the caller, as many systems create it, is not another user.

use crate::failure::Failure;
use std::collections::VecDeque;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// A folder of the caller's.
#[derive(Clone, Debug)]
pub struct Folder {
    /// No other user can enter it, so that the modes below it do not matter.
    pub secluded: bool,
}

/// Why a folder cannot be used.
#[derive(Debug)]
pub enum Refusal {
    /// It cannot be made, or it is not a folder.
    Io(PathBuf, io::Error),
    /// Another user could change its content.
    Shared(Shared),
}

/// The folder or link on the path through which another user could do so, and which user.
#[derive(Debug)]
pub struct Shared {
    pub path: PathBuf,
    mode: u32,
    owner: u32,
    why: Why,
}

#[derive(Debug)]
enum Why {
    Owner,
    Group(u32),
    Everybody,
}

impl Shared {
    /// What to do about it.
    pub fn remedy(&self) -> String {
        let path = self.path.display();
        match self.why {
            Why::Owner => "name a folder of your own in FATHOM_CACHE".into(),
            Why::Group(_) => format!("`chmod g-w {path}`, or name a folder of your own in FATHOM_CACHE"),
            Why::Everybody => format!("`chmod go-w {path}`, or name a folder of your own in FATHOM_CACHE"),
        }
    }
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.why {
            Why::Owner => write!(f, "{path} belongs to the user {}", user_name(self.owner)),
            Why::Group(gid) => write!(f, "the group {} can write in {path} (mode {:o})", group_name(gid), self.mode),
            Why::Everybody => write!(f, "everybody can write in {path} (mode {:o})", self.mode),
        }
    }
}

impl Refusal {
    pub fn into_failure(self) -> Failure {
        match self {
            Refusal::Io(path, error) => Failure::io("make the cache folder", &path, &error),
            Refusal::Shared(shared) => {
                Failure::new(format!("{shared} and could exchange programs in the cache")).hint(shared.remedy())
            }
        }
    }
}

/// A folder on the way, open.
struct Level {
    fd: OwnedFd,
    path: PathBuf,
    secluded: bool,
}

/// Opens the folder, or makes it and missing folders above it, for the caller alone.
///
/// # Errors
/// As [`Refusal`]; nothing has been made below a folder that another user can change.
pub fn folder(path: &Path) -> Result<Folder, Refusal> {
    let io_at = |path: &Path| {
        let path = path.to_path_buf();
        move |error| Refusal::Io(path, error)
    };
    let path = std::path::absolute(path).map_err(io_at(path))?;
    let root = Level { fd: open(None, OsStr::new("/")).map_err(io_at(&path))?, path: "/".into(), secluded: false };
    let mut levels = vec![above(root)?];
    let mut todo: VecDeque<OsString> = names(&path);
    let mut links = 0;
    while let Some(name) = todo.pop_front() {
        if name == ".." {
            levels.truncate((levels.len() - 1).max(1));
            continue;
        }
        let here = &levels[levels.len() - 1];
        let next = here.path.join(&name);
        let at = stat(&here.fd, &name);
        match at {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                make(&here.fd, &name).map_err(io_at(&next))?;
                todo.push_front(name);
            }
            Err(e) => return Err(Refusal::Io(next, e)),
            Ok(s) if s.st_mode & libc::S_IFMT == libc::S_IFLNK => {
                links += 1;
                if links > 40 {
                    return Err(Refusal::Io(next, io::Error::from_raw_os_error(libc::ELOOP)));
                }
                if ![0, caller()].contains(&s.st_uid) {
                    let shared = Shared { path: next, mode: s.st_mode & 0o7777, owner: s.st_uid, why: Why::Owner };
                    return Err(Refusal::Shared(shared));
                }
                let target = read_link(&here.fd, &name).map_err(io_at(&next))?;
                if target.is_absolute() {
                    levels.truncate(1);
                }
                names(&target).into_iter().rev().for_each(|n| todo.push_front(n));
            }
            Ok(_) => {
                let fd = open(Some(&here.fd), &name).map_err(io_at(&next))?;
                levels.push(above(Level { fd, path: next, secluded: here.secluded })?);
            }
        }
    }
    let end = last(levels.pop().expect("the root at least"))?;
    Ok(Folder { secluded: end.secluded })
}

/// Is an entry of a folder of the caller such a folder, too? A link is not.
pub fn is_own(parent: &Folder, path: &Path) -> bool {
    std::fs::symlink_metadata(path)
        .is_ok_and(|m| m.is_dir() && m.uid() == caller() && (parent.secluded || writers(m.mode(), m.gid()).is_none()))
}

/// A folder above the one that is wanted.
fn above(level: Level) -> Result<Level, Refusal> {
    let s = stat(&level.fd, OsStr::new("")).map_err(|e| Refusal::Io(level.path.clone(), e))?;
    let sticky = s.st_mode & libc::S_ISVTX != 0;
    let owner = [0, caller()].contains(&s.st_uid) || is_foreign_root(s.st_uid);
    check(level, &s, owner, sticky)
}

/// The folder that is wanted.
fn last(level: Level) -> Result<Level, Refusal> {
    let s = stat(&level.fd, OsStr::new("")).map_err(|e| Refusal::Io(level.path.clone(), e))?;
    check(level, &s, s.st_uid == caller(), false)
}

fn check(level: Level, s: &libc::stat, is_owner_good: bool, sticky: bool) -> Result<Level, Refusal> {
    let refuse = |why| {
        let (mode, owner) = (s.st_mode & 0o7777, s.st_uid);
        Err(Refusal::Shared(Shared { path: level.path.clone(), mode, owner, why }))
    };
    if !is_owner_good {
        return refuse(Why::Owner);
    }
    let secluded = level.secluded || s.st_mode & 0o011 == 0;
    match writers(s.st_mode, s.st_gid) {
        Some(why) if !secluded && !sticky => refuse(why),
        _ => Ok(Level { secluded, ..level }),
    }
}

/// Who can write besides the owner?
fn writers(mode: u32, group: u32) -> Option<Why> {
    match mode {
        m if m & 0o002 != 0 => Some(Why::Everybody),
        m if m & 0o020 != 0 && !is_private(group) => Some(Why::Group(group)),
        _ => None,
    }
}

fn names(path: &Path) -> VecDeque<OsString> {
    let kept = |c: &Component| matches!(c, Component::Normal(_) | Component::ParentDir);
    path.components().filter(kept).map(|c| c.as_os_str().to_os_string()).collect()
}

// ---- users and groups -------------------------------------------------------------------------------------------

pub fn caller() -> u32 {
    // SAFETY: geteuid cannot fail.
    unsafe { libc::geteuid() }
}

/// In a container of an ordinary user, the files of the computer's root belong to the overflow user, as whom nobody in
/// the container can act: its folders are as safe as root's. Elsewhere the overflow user is an ordinary one.
fn is_foreign_root(uid: u32) -> bool {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let all_users = read("/proc/self/uid_map").split_whitespace().eq(["0", "0", "4294967295"]);
    !all_users && read("/proc/sys/kernel/overflowuid").trim().parse() == Ok(uid)
}

/// Is it the caller's own group: named like the caller, with no other member?
fn is_private(group: u32) -> bool {
    let Some((name, primary)) = user(caller()) else { return false };
    let name = name.as_c_str();
    let is_private = |group: &CStr, members: &[&CStr]| group == name && members.iter().all(|m| *m == name);
    primary == group && with_group(group, is_private) == Some(true)
}

fn user_name(uid: u32) -> String {
    user(uid).map_or(uid.to_string(), |(name, _)| name.to_string_lossy().into_owned())
}

fn group_name(gid: u32) -> String {
    with_group(gid, |name, _| name.to_string_lossy().into_owned()).unwrap_or(gid.to_string())
}

/// Name and group.
fn user(uid: u32) -> Option<(CString, u32)> {
    let mut room = vec![0; 1 << 16];
    let mut found = std::ptr::null_mut();
    // SAFETY: zeros are valid for passwd; getpwuid_r writes there and to `room`, and its result points into both.
    unsafe {
        let mut entry: libc::passwd = std::mem::zeroed();
        let failed = libc::getpwuid_r(uid, &mut entry, room.as_mut_ptr(), room.len(), &mut found);
        (failed == 0 && !found.is_null()).then(|| (CStr::from_ptr(entry.pw_name).to_owned(), entry.pw_gid))
    }
}

/// Name and members.
fn with_group<T>(gid: u32, take: impl FnOnce(&CStr, &[&CStr]) -> T) -> Option<T> {
    let mut room = vec![0; 1 << 18];
    let mut found = std::ptr::null_mut();
    // SAFETY: as above; the members are an array that ends with a null pointer.
    unsafe {
        let mut entry: libc::group = std::mem::zeroed();
        let failed = libc::getgrgid_r(gid, &mut entry, room.as_mut_ptr(), room.len(), &mut found);
        if failed != 0 || found.is_null() {
            return None;
        }
        let count = (0..).take_while(|&i| !(*entry.gr_mem.add(i)).is_null()).count();
        let members: Vec<&CStr> = (0..count).map(|i| CStr::from_ptr(*entry.gr_mem.add(i))).collect();
        Some(take(CStr::from_ptr(entry.gr_name), &members))
    }
}

// ---- system calls -----------------------------------------------------------------------------------------------

fn c_string(name: &OsStr) -> io::Result<CString> {
    CString::new(name.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// A folder, not a link to one.
fn open(at: Option<&OwnedFd>, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    let name = c_string(name)?;
    // SAFETY: the name is a C string, and the descriptor is not owned yet.
    unsafe {
        match libc::openat(at.map_or(libc::AT_FDCWD, |fd| fd.as_raw_fd()), name.as_ptr(), flags) {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(OwnedFd::from_raw_fd(fd)),
        }
    }
}

/// The status of the entry of that name, or, without a name, of the folder itself.
fn stat(at: &OwnedFd, name: &OsStr) -> io::Result<libc::stat> {
    let name = c_string(name)?;
    let flags = libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH;
    // SAFETY: zeros are a value of stat, and fstatat writes there.
    unsafe {
        let mut s: libc::stat = std::mem::zeroed();
        match libc::fstatat(at.as_raw_fd(), name.as_ptr(), &mut s, flags) {
            0 => Ok(s),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

fn make(at: &OwnedFd, name: &OsStr) -> io::Result<()> {
    let name = c_string(name)?;
    // SAFETY: the name is a C string.
    match unsafe { libc::mkdirat(at.as_raw_fd(), name.as_ptr(), 0o700) } {
        0 => Ok(()),
        _ => match io::Error::last_os_error() {
            e if e.kind() == io::ErrorKind::AlreadyExists => Ok(()), // another process was faster
            e => Err(e),
        },
    }
}

fn read_link(at: &OwnedFd, name: &OsStr) -> io::Result<PathBuf> {
    let name = c_string(name)?;
    let mut text = vec![0u8; libc::PATH_MAX as usize];
    // SAFETY: readlinkat writes at most the given number of bytes.
    let n = unsafe { libc::readlinkat(at.as_raw_fd(), name.as_ptr(), text.as_mut_ptr().cast(), text.len()) };
    if n < 0 {
        return Err(io::Error::last_os_error());
    }
    text.truncate(n as usize);
    Ok(OsString::from_vec(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{symlink, PermissionsExt};

    /// A temporary folder with these folders in it, of these modes, whatever the umask is.
    fn tree(folders: &[(&str, u32)]) -> tempfile::TempDir {
        let top = tempfile::tempdir_in("/tmp").unwrap(); // nothing above it keeps others out
        fs::set_permissions(top.path(), Permissions::from_mode(0o755)).unwrap();
        for (name, mode) in folders {
            fs::create_dir(top.path().join(name)).unwrap();
            fs::set_permissions(top.path().join(name), Permissions::from_mode(*mode)).unwrap();
        }
        top
    }

    /// What is said of it; "" if it is good.
    fn said(top: &tempfile::TempDir, path: &str) -> String {
        match folder(&top.path().join(path)) {
            Ok(_) => String::new(),
            Err(refusal) => refusal.into_failure().to_string().replace(&top.path().display().to_string(), "TOP"),
        }
    }

    #[test]
    fn missing_folders_are_made_for_the_caller_alone() {
        let top = tree(&[]);
        assert_eq!(said(&top, "a/b/../c"), "");
        for made in ["a", "a/b", "a/c"] {
            assert_eq!(fs::metadata(top.path().join(made)).unwrap().mode() & 0o777, 0o700, "{made}");
        }
        fs::write(top.path().join("file"), "").unwrap();
        assert!(said(&top, "file/below").contains("TOP/file"));
    }

    #[test]
    fn whoever_can_write_above_can_exchange_what_is_below() {
        let top = tree(&[("open", 0o777), ("open/mine", 0o755), ("sticky", 0o1777), ("sticky/mine", 0o755)]);
        assert_eq!(said(&top, "sticky/mine"), "");
        assert_eq!(said(&top, "sticky/new/cache"), "");
        let text = said(&top, "open/mine");
        assert!(text.contains("everybody can write in TOP/open (mode 777)"), "{text}");
        assert!(text.contains("chmod go-w TOP/open"), "{text}");
        said(&top, "open/new/cache");
        assert!(!top.path().join("open/new").exists(), "something was made there");
    }

    #[test]
    fn the_folder_itself_is_not_shared_even_if_it_is_sticky() {
        let top = tree(&[("sticky", 0o1777), ("group", 0o775)]);
        assert!(said(&top, "sticky").contains("everybody can write in TOP/sticky (mode 1777)"));
        // A group that has its user's name and no other member does not count as others.
        let gid = fs::metadata(top.path()).unwrap().gid();
        let text = said(&top, "group");
        assert_eq!(text.is_empty(), is_private(gid), "{text}");
        assert!(text.is_empty() || text.contains("can write in TOP/group (mode 775)"), "{text}");
    }

    #[test]
    fn below_a_folder_that_only_its_owner_enters_modes_do_not_matter() {
        let top = tree(&[("own", 0o700), ("own/open", 0o777), ("own/open/cache", 0o777)]);
        assert_eq!(said(&top, "own/open/cache"), "");
        fs::set_permissions(top.path().join("own"), Permissions::from_mode(0o710)).unwrap();
        assert!(said(&top, "own/open/cache").contains("everybody can write in TOP/own/open"));
    }

    #[test]
    fn links_are_followed_to_where_the_same_is_asked() {
        let top = tree(&[("open", 0o777), ("open/mine", 0o755), ("good", 0o755)]);
        symlink(top.path().join("open/mine"), top.path().join("bad")).unwrap();
        symlink("../good/deep", top.path().join("good/link")).unwrap();
        symlink("round", top.path().join("round")).unwrap();
        assert!(said(&top, "bad").contains("TOP/open"), "the folder above the link's target was not looked at");
        assert_eq!(said(&top, "good/link"), "");
        assert!(top.path().join("good/deep").is_dir());
        assert!(said(&top, "round").contains("TOP/round"));
    }

    #[test]
    fn a_folder_of_somebody_else_is_not_used() {
        // Files of root, or, for root, of another user.
        let top = tree(&[("theirs", 0o755)]);
        let theirs = if caller() == 0 {
            std::os::unix::fs::chown(top.path().join("theirs"), Some(65534), None).unwrap();
            top.path().join("theirs")
        } else {
            PathBuf::from("/usr")
        };
        let text = folder(&theirs).unwrap_err().into_failure().to_string();
        assert!(text.contains("belongs to the user ") && text.contains("FATHOM_CACHE"), "{text}");
        if caller() == 0 {
            assert!(said(&top, "theirs/below").contains("TOP/theirs belongs to"));
            assert!(!theirs.join("below").exists());
            symlink(top.path(), theirs.join("link")).unwrap();
            std::os::unix::fs::lchown(theirs.join("link"), Some(65534), None).unwrap();
            fs::rename(theirs.join("link"), top.path().join("link")).unwrap();
            assert!(said(&top, "link/new").contains("TOP/link belongs to"));
        }
    }
}
