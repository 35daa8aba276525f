//! The program that writes archives of OTF2: made of `runtime/otf2` by the user's own C compiler against the OTF2 that is
//! installed, and kept in the cache. Fathom itself does not link that library.

use crate::cache::{Cache, Key};
use crate::compiler::{which, Compiler};
use crate::failure::{Failure, OrIo, Result};
use crate::runtime;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "otf2/main.c";
const NAME: &str = "fathom-otf2";
const HINT: &str =
    "install OTF2 3.0 or newer with its headers (Debian and Ubuntu: apt install libopen-trace-format2-dev \
                    pkg-config), or put its otf2-config into PATH";

/// Finds or builds the writer. It takes the folder of an archive that does not exist yet, and commands on its standard input.
///
/// # Errors
/// OTF2 or a C compiler is missing, or the one is too old for the other.
pub fn writer() -> Result<PathBuf> {
    let flags = flags()?;
    let (cc, cache) = (Compiler::find()?, Cache::open()?);
    let source = runtime::one_source(Path::new(SOURCE))?
        .ok_or_else(|| Failure::new(format!("the runtime's sources have no {SOURCE}")))?;
    let key = Key::new("writer of OTF2").with(&source).with(&cc.identity).with(cc.version(Some(&cache))?);
    let path = cache.get_or_build("otf2", &key.with_all(&flags).hex(), |dir| {
        let file = dir.join("main.c");
        std::fs::write(&file, &source).or_io("write", &file)?;
        let cmd = cc.cmd().temporaries_in(dir).args(["-O2", "-std=gnu17"]).arg(&file).arg("-o").arg(dir.join(NAME));
        let cmd = cmd.args(&flags);
        let ended = cmd.run()?;
        if ended.status == 0 {
            return Ok(());
        }
        eprint!("{}", String::from_utf8_lossy(&ended.stderr));
        let hint = format!("{HINT}; the command was: {}", cmd.line());
        Err(Failure::new("the C compiler could not compile the writer of OTF2").hint(hint))
    })?;
    Ok(path.join(NAME))
}

/// What the C compiler needs to find OTF2: `otf2-config` of an installation in PATH knows it, or pkg-config.
fn flags() -> Result<Vec<String>> {
    let said = |program: &str, args: &[&str]| -> Option<Vec<String>> {
        let out = Command::new(which(program)?).args(args).output().ok().filter(|out| out.status.success())?;
        shlex::split(&String::from_utf8_lossy(&out.stdout))
    };
    let own = || {
        let parts = ["--cflags", "--ldflags", "--libs"].map(|what| said("otf2-config", &[what]));
        let all: Vec<String> = parts.into_iter().collect::<Option<Vec<_>>>()?.concat();
        // An installation in a folder of its own is found again when the program runs.
        let places = all.iter().filter_map(|flag| flag.strip_prefix("-L")).map(|dir| format!("-Wl,-rpath,{dir}"));
        let places: Vec<String> = places.collect();
        Some([all, places].concat())
    };
    own()
        .or_else(|| said("pkg-config", &["--cflags", "--libs", "otf2"]))
        .ok_or_else(|| Failure::new("OTF2 was not found: neither otf2-config nor pkg-config knows it").hint(HINT))
}
