//! The location of the tuning table: the same rule as the runtime's (runtime/core/tuning_file.c).

use std::path::PathBuf;

/// The location of a program's tuning table.
#[derive(Debug, PartialEq, Eq)]
pub enum TableLocation {
    /// FATHOM_TUNING is empty: the built-in defaults.
    Nowhere,
    /// FATHOM_TUNING names it: the file must exist.
    Named(PathBuf),
    /// The usual location; the file may be absent.
    Usual(PathBuf),
}

/// The location by the environment.
pub fn location() -> TableLocation {
    match std::env::var_os("FATHOM_TUNING") {
        Some(named) if named.is_empty() => TableLocation::Nowhere,
        Some(named) => TableLocation::Named(named.into()),
        None => usual().map_or(TableLocation::Nowhere, TableLocation::Usual),
    }
}

/// `fathom/tuning` in XDG_CONFIG_HOME, or in ~/.config; None if neither variable is an absolute path.
pub fn usual() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|h| h.join(".config")));
    config.map(|c| c.join("fathom").join("tuning"))
}
