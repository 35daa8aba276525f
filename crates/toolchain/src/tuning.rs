//! Where the tuning table is: the same rule as the runtime's (runtime/core/tuning_file.c).

use std::path::PathBuf;

/// Where a program looks for its tuning table.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// FATHOM_TUNING is empty: the built-in defaults.
    Nowhere,
    /// FATHOM_TUNING names it: it must be there.
    Named(PathBuf),
    /// The usual place; the file may be absent.
    Usual(PathBuf),
}

/// The place that the environment says.
pub fn place() -> Place {
    match std::env::var_os("FATHOM_TUNING") {
        Some(named) if named.is_empty() => Place::Nowhere,
        Some(named) => Place::Named(named.into()),
        None => usual().map_or(Place::Nowhere, Place::Usual),
    }
}

/// `fathom/tuning` in XDG_CONFIG_HOME, or in ~/.config; None where neither variable is an absolute path.
pub fn usual() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|h| h.join(".config")));
    config.map(|c| c.join("fathom").join("tuning"))
}
