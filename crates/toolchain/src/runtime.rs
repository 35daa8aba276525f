//! The runtime: its sources travel in this binary, and the user's own C compiler makes a library of them on first use.
//!
//! The headers are enough to compile; the library is built only when a program is linked. Both live in the cache, keyed
//! by content, compiler, the flags that change the generated code's interface (`-m…`, `-fsanitize…`) and the conduit,
//! with the MPI that it may need.

use crate::cache::{Cache, Key};
use crate::command::Cmd;
use crate::compiler::Compiler;
use crate::conduit::Recipe;
use crate::failure::{Failure, OrIo, Result};
use crate::progress::Progress;
use crate::scratch::uninterrupted;
use crate::workers;
use include_dir::{include_dir, Dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../runtime");

/// The folders whose C files are compiled, besides the conduit's. Of a conduit they know its header alone: their objects are
/// the same for all conduits that have the same one.
const ROOMS: [&str; 6] = ["core", "gas", "lang", "msg", "queues", "conduit/check"];
/// The file among them that each conduit has of its own.
const NOTE: &str = "core/note.c";
/// The folder of the message queues, which are also a library of their own.
const QUEUES: &str = "msg";
/// The folder of the prober, a program over the library.
pub const PROBER: &str = "probe";
/// The folder of the writer of OTF2, a program beside the library.
const OTF2: &str = "otf2";
/// The first include of generated C. It is found through the system folders, so that compilers treat it as a system
/// header.
const BEGIN: &str = "include/fathom_begin.h";
/// The same for programs that are to be explained.
const BEGIN_EXPLAINED: &str = "include/fathom_explain.h";

/// The runtime's sources: path relative to `runtime/`, content.
pub struct Sources {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Of all files.
    pub key: String,
    /// Of those that determine `libfathom.a`.
    library_key: String,
}

impl Sources {
    /// The embedded sources; those of the folder FATHOM_RUNTIME where a developer of the runtime says so.
    pub fn load() -> Result<Sources> {
        let mut files = vec![];
        match replaced_by() {
            Some(dir) => read_tree(Path::new(&dir), Path::new(""), &mut files)?,
            None => embedded(&EMBEDDED, &mut files),
        }
        files.retain(|(path, _)| path.extension().is_some_and(|e| e == "c" || e == "h" || e == "hpp" || e == "toml"));
        files.push((
            BEGIN.into(),
            b"/* The first include of every generated file. */\n#include \"../lang/prelude.h\"\n".to_vec(),
        ));
        files.push((
            BEGIN_EXPLAINED.into(),
            b"/* The first include of a file to be explained. */\n#include \"../lang/explain.h\"\n".to_vec(),
        ));
        files.sort();
        let (mut key, mut library_key) = (Key::new("runtime sources"), Key::new("sources of libfathom"));
        for (path, content) in &files {
            key = key.with(path.as_os_str().as_encoded_bytes()).with(content);
            if ![PROBER, OTF2].iter().any(|room| path.starts_with(room)) {
                library_key = library_key.with(path.as_os_str().as_encoded_bytes()).with(content);
            }
        }
        Ok(Sources { files, key: key.hex(), library_key: library_key.hex() })
    }

    pub fn has(&self, path: &Path) -> bool {
        self.files.iter().any(|(p, _)| p == path)
    }

    pub fn content(&self, path: &Path) -> Option<&[u8]> {
        self.files.iter().find(|(p, _)| p == path).map(|(_, content)| content.as_slice())
    }

    /// Does one of the files in a folder contain a text?
    #[cfg(test)]
    pub fn any_contains(&self, folder: &Path, text: &str) -> bool {
        let contains = |content: &[u8]| String::from_utf8_lossy(content).contains(text);
        self.files.iter().any(|(p, content)| p.parent() == Some(folder) && contains(content))
    }

    /// The names of the folders directly below `parent` that have a file of that name.
    pub fn folders_with(&self, parent: &Path, file: &str) -> Vec<String> {
        let folders = self.files.iter().filter(|(p, _)| p.ends_with(file)).filter_map(|(p, _)| p.parent());
        let below = folders.filter(|f| f.parent() == Some(parent)).filter_map(|f| f.file_name());
        let names: BTreeSet<String> = below.map(|n| n.to_string_lossy().into_owned()).collect();
        names.into_iter().collect()
    }

    /// The C files that are directly in one of the folders.
    fn units(&self, folders: &[PathBuf]) -> Vec<&Path> {
        let wanted = |p: &Path| is_c(p) && folders.iter().any(|f| p.parent() == Some(f));
        self.files.iter().map(|(p, _)| p.as_path()).filter(|p| wanted(p)).collect()
    }

    /// The folder of the cache with the sources and headers in it.
    pub fn unpacked(&self, cache: &Cache) -> Result<PathBuf> {
        cache.get_or_build("source", &self.key, |dir| {
            for (path, content) in &self.files {
                let to = dir.join(path);
                let parent = to.parent().unwrap_or(dir);
                uninterrupted(|| {
                    std::fs::create_dir_all(parent).or_io("make", parent)?;
                    std::fs::write(&to, content).or_io("write", &to)
                })?;
            }
            Ok(())
        })
    }

    /// `libfathom.a` for this compiler, conduit and flags.
    pub fn library(&self, cache: &Cache, cc: &Compiler, recipe: &Recipe, show: bool) -> Result<PathBuf> {
        let version = cc.version(Some(cache))?;
        let key = self.library_key(cc, &version, recipe);
        let dir = cache.get_or_build("runtime", &key, |dir| self.build(dir, cache, cc, &version, recipe, show))?;
        Ok(dir.join("libfathom.a"))
    }

    pub fn library_key(&self, cc: &Compiler, version: &str, recipe: &Recipe) -> String {
        Key::new("libfathom of one object")
            .with(&self.library_key)
            .with(&cc.identity)
            .with(version)
            .with(recipe.identity())
            .hex()
    }

    fn build(
        &self,
        dir: &Path,
        cache: &Cache,
        cc: &Compiler,
        version: &str,
        recipe: &Recipe,
        show: bool,
    ) -> Result<()> {
        let root = self.unpacked(cache)?;
        let rooms = self.rooms(&root, cache, cc, version, recipe, show)?;
        let mut units = self.units(&recipe.conduit.folders());
        units.push(Path::new(NOTE));
        let title = format!("building the runtime's conduit {} with {version} (once)", recipe.conduit.name);
        let own = Compiled { dir, root: &root, cc, flags: &recipe.options(), show }.all(&title, &units)?;
        archive(
            (cc, &recipe.flags),
            dir,
            &[rooms, own].concat(),
            &recipe.conduit.description.replaces,
            &["msg_*"],
            show,
        )
    }

    /// The objects of the rooms, built once for all conduits with the same header.
    fn rooms(
        &self,
        root: &Path,
        cache: &Cache,
        cc: &Compiler,
        version: &str,
        recipe: &Recipe,
        show: bool,
    ) -> Result<Vec<PathBuf>> {
        let flags = [recipe.interface.clone(), recipe.conduit.defines()].concat();
        let mut units = self.units(&ROOMS.map(PathBuf::from));
        units.retain(|unit| *unit != Path::new(NOTE));
        let mut key = Key::new("objects of rooms").with(&self.library_key).with(&cc.identity).with(version);
        for flag in &flags {
            key = key.with(flag);
        }
        let title = format!("building the runtime with {version} (once)");
        let dir = cache.get_or_build("rooms", &key.hex(), |dir| {
            Compiled { dir, root, cc, flags: &flags, show }.all(&title, &units).map(drop)
        })?;
        Ok(units.iter().map(|unit| object(&dir, unit)).collect())
    }

    /// `libfathom-msg.a`, the message queues: it has no conduit, and so the recipe gives the flags alone. Its path.
    pub fn queues(&self, cache: &Cache, cc: &Compiler, recipe: &Recipe, show: bool) -> Result<PathBuf> {
        let version = cc.version(Some(cache))?;
        let key = Key::new("libfathom-msg").with(&self.key).with(&cc.identity).with(&version).with(recipe.identity());
        let dir = cache.get_or_build("queues", &key.hex(), |dir| {
            let root = self.unpacked(cache)?;
            let units: Vec<&Path> =
                self.files.iter().map(|(p, _)| p.as_path()).filter(|p| is_c(p) && p.starts_with(QUEUES)).collect();
            let flags = [recipe.options(), vec!["-pthread".into()]].concat();
            let compiled = Compiled { dir, root: &root, cc, flags: &flags, show };
            archive(
                (cc, &recipe.flags),
                dir,
                &compiled.all("building the message queues (once)", &units)?,
                &[],
                &[],
                show,
            )
        })?;
        Ok(dir.join("libfathom.a"))
    }

    /// The C files of the prober.
    pub fn prober_units(&self) -> Vec<&Path> {
        self.files.iter().map(|(p, _)| p.as_path()).filter(|p| is_c(p) && p.starts_with(PROBER)).collect()
    }
}

/// How files of the runtime are compiled to objects, on all processors.
pub struct Compiled<'a> {
    /// Where the objects go.
    pub dir: &'a Path,
    /// The unpacked sources.
    pub root: &'a Path,
    pub cc: &'a Compiler,
    /// Options besides the usual ones.
    pub flags: &'a [String],
    pub show: bool,
}

impl Compiled<'_> {
    /// Compiles them; the objects, in the order of the files.
    pub fn all(&self, title: &str, units: &[&Path]) -> Result<Vec<PathBuf>> {
        let progress = Progress::start(title, units.len());
        let failed = AtomicBool::new(false);
        let compiled = workers::each(units.len(), |i| {
            // After a failure the rest is not worth compiling.
            if failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let result = self.one(units[i], &object(self.dir, units[i]));
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            progress.step();
            result
        });
        compiled.into_iter().collect::<Result<()>>()?;
        Ok(units.iter().map(|unit| object(self.dir, unit)).collect())
    }

    fn one(&self, unit: &Path, object: &Path) -> Result<()> {
        let root = self.root;
        let cmd = self
            .cc
            .cmd()
            .temporaries_in(self.dir)
            .args(["-O2", "-g", "-std=gnu17"])
            .args(self.flags)
            .args([Path::new("-I"), root, Path::new("-I"), &root.join("include"), Path::new("-I"), &root.join("lang")])
            .arg("-c")
            .arg(root.join(unit))
            .arg("-o")
            .arg(object);
        if self.show {
            eprintln!("{}", cmd.line());
        }
        let ended = cmd.run()?;
        if ended.status == 0 {
            return Ok(());
        }
        eprint!("{}", String::from_utf8_lossy(&ended.stderr));
        Err(Failure::new(format!("the C compiler could not compile the runtime's {}", unit.display()))
            .hint(format!("Fathom needs gcc 9 or clang 11 at least, on 64-bit Linux; the command was: {}", cmd.line())))
    }
}

/// Of a file of the runtime. No two have the same name, wherever they are.
fn object(dir: &Path, unit: &Path) -> PathBuf {
    dir.join(unit.with_extension("o").to_string_lossy().replace('/', "-"))
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "c")
}

/// The names that programs and generated code may refer to. The runtime's other names are local to it: a program may
/// define a `mutex_lock`, and the runtime does not call it. A conduit may have some functions of libc besides.
const PUBLIC: &[&str] = &["upc_*", "bupc_*", "fathom_*", "gas_*", "msg_*", "__wrap_*"];

/// Makes `libfathom.a` of the objects and removes those that are beside it. The `weak` names give way to others of the same name: a program
/// may have functions of its own called `msg_…`, and may link with the library of the queues, too.
/// The programs are those of the compiler, whose objects may be for another processor than this computer's.
fn archive(
    (cc, flags): (&Compiler, &[String]),
    dir: &Path,
    units: &[PathBuf],
    also: &[String],
    weak: &[&str],
    show: bool,
) -> Result<()> {
    let ar = cc.tool("ar", flags).ok_or_else(|| {
        Failure::new("the archiver 'ar' was not found")
            .hint("install binutils (Debian and Ubuntu: apt install binutils)")
    })?;
    let mut objects = units.to_vec();
    if let (Some(ld), Some(objcopy)) = (cc.tool("ld", flags), cc.tool("objcopy", flags)) {
        let whole = dir.join("whole.o");
        step(&Cmd::new([ld.as_os_str()]).arg("-r").arg("-o").arg(&whole).args(&objects), show)?;
        let names = PUBLIC.iter().copied().chain(also.iter().map(String::as_str));
        let keep = names.map(|name| format!("--keep-global-symbol={name}"));
        let weaken = weak.iter().map(|name| format!("--weaken-symbol={name}"));
        step(&Cmd::new([objcopy.as_os_str()]).arg("--wildcard").args(keep).args(weaken).arg(&whole), show)?;
        objects.push(whole);
    }
    let parts = if objects.len() > units.len() { &objects[units.len()..] } else { &objects[..] };
    step(&Cmd::new([ar.as_os_str()]).arg("rcs").arg(dir.join("libfathom.a")).args(parts), show)?;
    for object in objects.iter().filter(|object| object.parent() == Some(dir)) {
        std::fs::remove_file(object).or_io("remove", object)?;
    }
    Ok(())
}

/// One of the steps that make the archive.
fn step(cmd: &Cmd, show: bool) -> Result<()> {
    if show {
        eprintln!("{}", cmd.line());
    }
    let ended = cmd.run()?;
    if ended.status == 0 {
        return Ok(());
    }
    eprint!("{}", String::from_utf8_lossy(&ended.stderr));
    Err(Failure::new("could not make libfathom.a").hint(format!("the command was: {}", cmd.line())))
}

/// The options that change the interface between the runtime and the objects linked with it.
pub fn interface_flags(common: &[String]) -> Vec<String> {
    let mut out = vec![];
    let mut at = 0;
    while at < common.len() {
        let flag = &common[at];
        if flag == "-target" || flag == "-arch" || flag == "-B" {
            out.extend(common[at..(at + 2).min(common.len())].iter().cloned());
            at += 1;
        } else if ["-fsanitize", "-m", "--target=", "--sysroot="].iter().any(|p| flag.starts_with(p))
            && flag != "-mllvm"
        {
            out.push(flag.clone());
        }
        at += 1;
    }
    out
}

/// The folder that a developer of the runtime has put in place of the embedded sources.
fn replaced_by() -> Option<std::ffi::OsString> {
    std::env::var_os("FATHOM_RUNTIME").filter(|d| !d.is_empty())
}

/// Whether a file with this path is one of the runtime's sources, wherever they were compiled.
pub fn is_source(path: &str) -> bool {
    fn has(dir: &Dir<'_>, path: &str) -> bool {
        let is_file = |file: &include_dir::File| {
            let own = file.path().to_str().unwrap_or_default();
            path.strip_suffix(own).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        dir.files().any(is_file) || dir.dirs().any(|sub| has(sub, path))
    }
    has(&EMBEDDED, path)
}

/// One file of the sources, without those around it; none if it is not there.
pub fn one_source(path: &Path) -> Result<Option<Vec<u8>>> {
    match replaced_by() {
        Some(dir) => {
            let full = Path::new(&dir).join(path);
            match std::fs::read(&full) {
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
                read => read.or_io("read", &full).map(Some),
            }
        }
        None => Ok(EMBEDDED.get_file(path).map(|f| f.contents().to_vec())),
    }
}

fn embedded(dir: &Dir<'_>, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    files.extend(dir.files().map(|f| (f.path().to_path_buf(), f.contents().to_vec())));
    for sub in dir.dirs() {
        embedded(sub, files);
    }
}

fn read_tree(root: &Path, below: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<()> {
    let dir = root.join(below);
    for entry in std::fs::read_dir(&dir).or_io("read FATHOM_RUNTIME's folder", &dir)?.flatten() {
        let path = below.join(entry.file_name());
        let full = root.join(&path);
        if full.is_dir() {
            read_tree(root, &path, files)?;
        } else {
            files.push((path, std::fs::read(&full).or_io("read", &full)?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_carries_the_runtime() {
        let sources = Sources::load().unwrap();
        let has = |name: &str| sources.has(Path::new(name));
        assert!(has("lang/prelude.h") && has("include/upc.h") && has("conduit/smp/fathom_conduit.h") && has(BEGIN));
    }

    #[test]
    fn flags_of_the_interface_are_part_of_the_key() {
        let flags: Vec<String> =
            ["-O3", "-march=native", "-Wall", "-fsanitize=address", "-mllvm", "-g"].map(String::from).into();
        assert_eq!(interface_flags(&flags), ["-march=native", "-fsanitize=address"]);
    }
}
