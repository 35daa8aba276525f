//! The cache on disk: the runtime built for a compiler, and the programs that `fathom run` compiled.
//!
//! An entry is a folder named by the hash of everything it depends on. It is built in `tmp/` and renamed into place, so
//! it is either whole or absent, whenever its builder is killed. Builders of the same entry take a lock, so that it is
//! built once; the system releases the lock of a killed builder. The entries that were not used for longest make room.
//! Programs in the cache are run, so it is used only where no other user can change anything ([`own`]).
//!
//! ```text
//! <cache>/source/<key>/    the runtime's sources and headers
//! <cache>/rooms/<key>/     objects of the runtime that several conduits have
//! <cache>/runtime/<key>/   libfathom.a
//! <cache>/queues/<key>/    libfathom-msg.a
//! <cache>/program/<key>/   a program of `fathom run`
//! <cache>/prober/<key>/    the program that `fathom probe` measures with
//! <cache>/start/<key>      what a program was made of, to start it again without the preprocessor
//! <cache>/compilers/       `--version` of compilers
//! <cache>/lock/, tmp/
//! ```

use crate::failure::{Failure, OrIo, Result};
use crate::own::{self, Refusal};
use crate::scratch::Scratch;
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, SystemTime};

/// The most entries of each kind that stay; the oldest unused go first.
const LIMITS: &[(&str, usize)] = &[
    ("source", 8),
    ("rooms", 12),
    ("runtime", 24),
    ("queues", 12),
    ("program", 128),
    ("prober", 12),
    ("start", 256),
    ("compilers", 32),
];
/// Entries used within this time stay whatever their number: another process may be about to use them.
const YOUNG: Duration = Duration::from_secs(3600);

#[derive(Clone, Debug)]
pub struct Cache {
    root: PathBuf,
    folder: own::Folder,
}

impl Cache {
    /// FATHOM_CACHE; else XDG_CACHE_HOME/fathom; else HOME/.cache/fathom. If that folder cannot be written, or another
    /// user can change its content, the cache is a folder of this user in the temporary folder.
    pub fn open() -> Result<Cache> {
        if let Some(dir) = std::env::var_os("FATHOM_CACHE").filter(|d| !d.is_empty()) {
            let root = std::path::absolute(&dir).or_io("use FATHOM_CACHE", Path::new(&dir))?;
            return Self::at(&root).map_err(|refusal| {
                let failure = refusal.into_failure();
                Failure {
                    what: format!("FATHOM_CACHE={}: {}", dir.display(), failure.what),
                    hint: failure.hint.or(Some("set FATHOM_CACHE to a folder that can be written".into())),
                    ..failure
                }
            });
        }
        let mut candidates = vec![];
        if let Some(dir) = std::env::var_os("XDG_CACHE_HOME").filter(|d| Path::new(d).is_absolute()) {
            candidates.push(Path::new(&dir).join("fathom"));
        }
        if let Some(home) = std::env::var_os("HOME").filter(|d| Path::new(d).is_absolute()) {
            candidates.push(Path::new(&home).join(".cache/fathom"));
        }
        candidates.extend(temporary(&std::env::temp_dir()));
        let (cache, refused) = Self::first_of(&candidates)?;
        static SAID: Once = Once::new();
        SAID.call_once(|| refused.iter().for_each(|(root, shared)| warn(root, shared, &cache.root)));
        Ok(cache)
    }

    /// The folders before it in that order which another user can change.
    fn first_of(candidates: &[PathBuf]) -> Result<(Cache, Vec<(PathBuf, own::Shared)>)> {
        let (mut refused, mut tried) = (vec![], vec![]);
        for root in candidates {
            match Self::at(root) {
                Ok(cache) => return Ok((cache, refused)),
                Err(Refusal::Shared(shared)) => {
                    tried.push(shared.to_string());
                    refused.push((root.clone(), shared));
                }
                Err(other) => tried.push(other.into_failure().what),
            }
        }
        Err(Failure::new(format!("no folder for the cache: {}", tried.join("; ")))
            .hint("set FATHOM_CACHE to a folder of your own that nobody else can write in"))
    }

    fn at(root: &Path) -> std::result::Result<Cache, Refusal> {
        let cache = Cache { root: root.to_path_buf(), folder: own::folder(root)? };
        for dir in ["tmp", "lock"] {
            own::folder(&root.join(dir))?;
        }
        for (kind, _) in LIMITS {
            let dir = root.join(kind);
            if fs::symlink_metadata(&dir).is_ok() {
                own::folder(&dir)?;
            }
        }
        let tmp = root.join("tmp");
        // Being there is not enough: a read-only cache must be noticed before work is done for it.
        tempfile::tempfile_in(&tmp).map_err(|e| Refusal::Io(tmp, e))?;
        Ok(cache)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of an entry, if it is there. Marks it as used.
    pub fn get(&self, kind: &str, key: &str) -> Option<PathBuf> {
        let path = self.root.join(kind).join(key);
        (own::is_own(&self.folder, &path) && touch(&path)).then_some(path)
    }

    /// The folder of an entry, built by `build` in an empty folder if it is not there yet.
    pub fn get_or_build(&self, kind: &str, key: &str, build: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        if let Some(path) = self.get(kind, key) {
            return Ok(path);
        }
        let _lock = self.lock(&format!("{kind}-{key}"))?;
        if let Some(path) = self.get(kind, key) {
            return Ok(path);
        }
        let scratch = Scratch::within(&self.root.join("tmp"))?;
        let made = scratch.join("entry");
        make(&made)?;
        build(&made)?;
        let parent = self.root.join(kind);
        make(&parent)?;
        let path = parent.join(key);
        match fs::rename(&made, &path) {
            Ok(()) => {}
            // A process without our lock (another version of Fathom, a network file system) was faster.
            Err(_) if own::is_own(&self.folder, &path) => {}
            Err(e) => return Err(Failure::io("put into the cache", &path, &e)),
        }
        self.make_room();
        Ok(path)
    }

    /// Writes a small file in one step.
    pub fn publish_file(&self, path: &Path, content: &[u8]) -> Result<()> {
        let parent = path.parent().unwrap_or(&self.root);
        make(parent)?;
        let tmp = self.root.join("tmp");
        let mut file = tempfile::NamedTempFile::new_in(&tmp).or_io("write in the cache folder", &tmp)?;
        std::io::Write::write_all(&mut file, content).or_io("write", path)?;
        file.persist(path).map_err(|e| Failure::io("write", path, &e.error))?;
        Ok(())
    }

    /// Held until the file is dropped, or the process ends.
    fn lock(&self, name: &str) -> Result<File> {
        let path = self.root.join("lock").join(name);
        let file = File::create(&path).or_io("write the lock", &path)?;
        // A file system without locks costs double work at worst: the rename decides.
        let _ = file.lock();
        Ok(file)
    }

    /// Removes the entries that have not been used for longest if there are too many, and the files of killed builders.
    fn make_room(&self) {
        for (kind, limit) in LIMITS {
            evict(&self.root.join(kind), *limit, YOUNG);
        }
        evict(&self.root.join("tmp"), 0, Duration::from_secs(24 * 3600));
        evict(&self.root.join("lock"), 64, Duration::from_secs(24 * 3600));
    }
}

fn warn(root: &Path, shared: &own::Shared, instead: &Path) {
    eprintln!(
        "fathom: warning: the cache is not in {}, because {shared} and could exchange programs there; it is in {}\n  \
         help: {}",
        root.display(),
        instead.display(),
        shared.remedy()
    );
}

/// Folders of this user in the temporary folder: the usual name, which another user may have taken before; the folders
/// that earlier runs made for that reason; and a new one.
fn temporary(parent: &Path) -> Vec<PathBuf> {
    let name = format!("fathom-cache-{}", own::caller());
    let made_before = |e: &fs::DirEntry| {
        e.file_name().to_string_lossy().starts_with(&format!("{name}-"))
            && e.metadata().is_ok_and(|m| m.is_dir() && m.uid() == own::caller())
    };
    let mut list: Vec<PathBuf> =
        fs::read_dir(parent).into_iter().flatten().flatten().filter(made_before).map(|e| e.path()).collect();
    list.sort();
    list.insert(0, parent.join(&name));
    list.push(parent.join(format!("{name}-{}", random())));
    list
}

/// A part of a name that cannot be guessed.
fn random() -> String {
    use std::hash::{BuildHasher, RandomState};
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// For this user alone, if it is not there.
fn make(dir: &Path) -> Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(dir).or_io("make", dir)
}

/// Removes the longest unused entries of `dir` beyond `limit`, but none used within `young`.
fn evict(dir: &Path, limit: usize, young: Duration) {
    let Ok(list) = fs::read_dir(dir) else { return };
    let mut entries: Vec<(SystemTime, PathBuf)> =
        list.flatten().filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path()))).collect();
    if entries.len() <= limit {
        return;
    }
    entries.sort();
    let excess = entries.len() - limit;
    let now = SystemTime::now();
    for (used, path) in entries.into_iter().take(excess) {
        if now.duration_since(used).unwrap_or_default() < young {
            break;
        }
        // A folder disappears in one step, so that no process sees half of it.
        let gone = path.with_extension("gone");
        let _ = match path.is_dir() {
            true => fs::rename(&path, &gone).and_then(|()| fs::remove_dir_all(&gone)),
            false => fs::remove_file(&path),
        };
    }
}

/// Sets the time of last use to now; false if there is nothing at `path`.
fn touch(path: &Path) -> bool {
    let Ok(c_path) = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()) else {
        return false;
    };
    // SAFETY: a null `times` means now; the path is a C string.
    let done = unsafe { libc::utimensat(libc::AT_FDCWD, c_path.as_ptr(), std::ptr::null(), 0) } == 0;
    done || path.exists()
}

/// Hashes words so that two different lists of words never have the same input to the hash.
#[derive(Default)]
pub struct Key(blake3::Hasher);

impl Key {
    pub fn new(what: &str) -> Self {
        Self::default().with(what.as_bytes())
    }
    pub fn with(mut self, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }
    pub fn with_all<B: AsRef<[u8]>>(mut self, list: impl IntoIterator<Item = B>) -> Self {
        let mut count = 0u64;
        for b in list {
            self = self.with(b);
            count += 1;
        }
        self.with(count.to_le_bytes())
    }
    /// 32 hexadecimal digits.
    pub fn hex(self) -> String {
        self.0.finalize().to_hex()[..32].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn cache() -> (tempfile::TempDir, Cache) {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path()).map_err(Refusal::into_failure).unwrap();
        (dir, cache)
    }

    #[test]
    fn concurrent_builders_build_once_and_all_see_a_whole_entry() {
        let (_dir, cache) = cache();
        let built = AtomicUsize::new(0);
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| {
                    let path = cache
                        .get_or_build("program", "k", |d| {
                            built.fetch_add(1, Ordering::SeqCst);
                            std::thread::sleep(Duration::from_millis(20));
                            fs::write(d.join("a"), "whole").or_io("write", d)
                        })
                        .unwrap();
                    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "whole");
                });
            }
        });
        assert_eq!(built.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_failed_build_leaves_nothing() {
        let (dir, cache) = cache();
        let failed = cache.get_or_build("program", "k", |d| {
            fs::write(d.join("half"), "").or_io("write", d)?;
            Err(Failure::new("no"))
        });
        assert!(failed.is_err());
        assert!(cache.get("program", "k").is_none());
        assert_eq!(fs::read_dir(dir.path().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn the_longest_unused_entries_go_first_and_young_ones_stay() {
        let (_dir, cache) = cache();
        let root = cache.root().join("program");
        for (name, age) in [("old", 300), ("older", 400), ("new", 10)] {
            fs::create_dir_all(root.join(name)).unwrap();
            let file = File::open(root.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        evict(&root, 2, Duration::from_secs(60));
        assert!(!root.join("older").exists() && root.join("old").exists() && root.join("new").exists());
        evict(&root, 0, Duration::from_secs(60));
        assert!(root.join("new").exists() && !root.join("old").exists());
    }

    #[test]
    fn keys_keep_words_apart() {
        assert_ne!(Key::new("x").with("ab").with("c").hex(), Key::new("x").with("a").with("bc").hex());
        assert_ne!(Key::new("x").with_all(["a"]).hex(), Key::new("x").with("a").hex());
    }
}
