//! `fathom install`: the binary, and its other names beside it.

use clap::Args;
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::Result;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};

/// Put fathom, upcc and upcrun into a folder of programs.
///
/// One binary is the whole installation: it carries the runtime's sources and headers. `upcc` and `upcrun` are links to
/// it.
#[derive(Args)]
#[command(after_help = "Example:\n  fathom install --prefix ~/.local    (then ~/.local/bin belongs on PATH)")]
pub struct Options {
    /// Install into DIR/bin
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
}

const OTHER_NAMES: &[&str] = &["upcc", "upcrun"];

pub fn main(options: &Options) -> Result<()> {
    let bin = options.prefix.join("bin");
    std::fs::create_dir_all(&bin).or_io("make", &bin)?;
    let own = std::env::current_exe().or_io("find", Path::new("the running program"))?;
    let target = bin.join("fathom");
    // Written beside and renamed: a fathom that runs now keeps its file, and nobody sees half of the new one.
    let fresh = bin.join(format!(".fathom-{}", std::process::id()));
    let copied = std::fs::copy(&own, &fresh)
        .and_then(|_| std::fs::set_permissions(&fresh, std::fs::Permissions::from_mode(0o755)))
        .and_then(|()| std::fs::rename(&fresh, &target));
    if copied.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    copied.or_io("install", &target)?;
    println!("{}", target.display());
    for name in OTHER_NAMES {
        let link = bin.join(name);
        if link.symlink_metadata().is_ok() {
            std::fs::remove_file(&link).or_io("replace", &link)?;
        }
        symlink("fathom", &link).or_io("make the link", &link)?;
        println!("{} -> fathom", link.display());
    }
    Ok(())
}
