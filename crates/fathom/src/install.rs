//! `fathom install`: the binary and its other names, man pages, and the C API.

use crate::{broker, man};
use clap::Args;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{sdk, Result};
use std::fmt::Display;
use std::io::Write;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};

/// Put fathom, upcc, splitc and upcrun into a folder of programs, and man pages, the C API and systemd's units beside it.
///
/// For UPC, one binary is the whole installation: it carries the runtime's sources and headers. `upcc`, `splitc` and `upcrun` are
/// links to it. For programs in C and C++ that use fathom.h there are headers, a library for each conduit that can be
/// built here (mpi among them if there is an MPI), and files for pkg-config and CMake.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Install into DIR/bin, DIR/share/man, DIR/include and DIR/lib
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
    /// The programs only, without man pages, the C API and systemd's units
    #[arg(long)]
    bin_only: bool,
}

const EXAMPLES: &str = "\
Examples:
  fathom install --prefix ~/.local    (then ~/.local/bin belongs on PATH)
  man fathom-run
  export PKG_CONFIG_PATH=~/.local/lib/pkgconfig
  cc prog.c $(pkg-config --cflags --libs fathom) -o prog && FATHOM_THREADS=4 ./prog
  cc prog.c $(pkg-config --cflags --libs fathom-mpi) -o prog && mpirun -n 4 ./prog
  cmake -DCMAKE_PREFIX_PATH=~/.local …    find_package(fathom), target fathom::fathom or fathom::mpi";

const OTHER_NAMES: &[&str] = &["upcc", "splitc", "upcrun"];

pub fn main(options: &Options) -> Result<()> {
    let bin = options.prefix.join("bin");
    std::fs::create_dir_all(&bin).or_io("make", &bin)?;
    let own = std::env::current_exe().or_io("find", Path::new("the running program"))?;
    let target = bin.join("fathom");
    // Written beside and renamed: a running fathom keeps its file, and no process sees half of the new one.
    let fresh = bin.join(format!(".fathom-{}", std::process::id()));
    let copied = std::fs::copy(&own, &fresh)
        .and_then(|_| std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o755)))
        .and_then(|()| std::fs::rename(&fresh, &target));
    if copied.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    copied.or_io("install", &target)?;
    say(target.display());
    for name in OTHER_NAMES {
        let link = bin.join(name);
        if link.symlink_metadata().is_ok() {
            std::fs::remove_file(&link).or_io("replace", &link)?;
        }
        symlink("fathom", &link).or_io("make the link", &link)?;
        say(format_args!("{} -> fathom", link.display()));
    }
    if !options.bin_only {
        man_pages(&options.prefix.join("share/man/man1"))?;
        let (files, missing) = sdk::install(&options.prefix)?;
        for file in files {
            say(file.display());
        }
        for why in missing {
            eprintln!("fathom: note: not installed: {why}");
        }
        units(&options.prefix)?;
    }
    Ok(())
}

fn man_pages(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).or_io("make", folder)?;
    for page in man::pages() {
        let path = folder.join(page.file);
        std::fs::write(&path, page.text).or_io("write", &path)?;
        say(path.display());
    }
    Ok(())
}

/// Those of the user's broker, and of the computer's: systemd looks at both places in ~/.local and in /usr/local.
fn units(prefix: &Path) -> Result<()> {
    let prefix = std::path::absolute(prefix).or_io("find", prefix)?;
    for (file, text) in broker::units(&prefix) {
        let path = prefix.join(file);
        let folder = path.parent().unwrap_or(&prefix);
        std::fs::create_dir_all(folder).or_io("make", folder)?;
        std::fs::write(&path, text).or_io("write", &path)?;
        say(path.display());
    }
    Ok(())
}

/// An installation is completed whether or not its list is read.
fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
