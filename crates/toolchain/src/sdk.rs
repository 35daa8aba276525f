//! The part of `fathom install` for programs in C and C++: headers, a library for each conduit that can be built here,
//! and the files by which pkg-config and CMake find them.
//!
//! The headers are those that fathom.h and gas.h include, in one tree; beside it each conduit has a folder with a
//! fathom.h and a gas.h of two lines that say which conduit's inline part they take, so that `-I` is all that a program
//! needs (a macro with quotes in it does not survive pkg-config and a shell). Nothing in the files names the prefix:
//! the tree may be moved.

use crate::cache::Cache;
use crate::compiler::Compiler;
use crate::conduit::{conduits, Conduit, Recipe, DEFAULT};
use crate::failure::{OrIo, Result};
use crate::runtime::Sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The headers that programs include.
const PUBLIC: [&str; 3] = ["include/fathom.h", "include/fathom.hpp", "include/gas.h"];
/// The headers of the message queues, which are a library of their own: for C and C++, one for C++ alone, and one for threads of a
/// job.
const QUEUES: [&str; 4] = ["include/msg.h", "include/msg_broker.h", "include/msg.hpp", "include/fathom_queues.h"];
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A conduit whose library is installed.
struct Part {
    recipe: Recipe,
    /// `libfathom.a`, `libfathom-mpi.a`.
    library: String,
}

/// Installs below `prefix`. Returns the files, and the reason for each conduit that could not be installed.
pub fn install(prefix: &Path) -> Result<(Vec<PathBuf>, Vec<String>)> {
    let (cc, cache, sources) = (Compiler::find()?, Cache::open()?, Sources::load()?);
    let mut made = Files { prefix, list: vec![] };
    let (mut parts, mut missing) = (vec![], vec![]);
    for name in conduits(&sources) {
        let conduit = Conduit::named(&name, false, &sources)?;
        match Recipe::new(&conduit, &[]) {
            Err(why) if conduit.needs_mpi() || conduit.needs_libfabric() => missing.push(why.to_string()),
            Err(why) => return Err(why),
            Ok(recipe) => {
                let built = sources.library(&cache, &cc, &recipe, false)?;
                let suffix = if conduit.is_default() { String::new() } else { format!("-{name}") };
                let library = format!("libfathom{suffix}.a");
                let bytes = std::fs::read(&built).or_io("read", &built)?;
                made.write(&format!("lib/{library}"), &bytes)?;
                parts.push(Part { recipe, library });
            }
        }
    }
    let queues = sources.queues(&cache, &cc, &Recipe::new(&Conduit::named(DEFAULT, false, &sources)?, &[])?, false)?;
    made.write("lib/libfathom-msg.a", &std::fs::read(&queues).or_io("read", &queues)?)?;
    made.write("lib/pkgconfig/fathom-msg.pc", pkg_config_queues().as_bytes())?;
    headers(&mut made, &sources, &parts)?;
    for part in &parts {
        let name = &part.recipe.conduit.name;
        made.write(&format!("lib/pkgconfig/fathom-{name}.pc"), pkg_config(part).as_bytes())?;
        if part.recipe.conduit.is_default() {
            made.write("lib/pkgconfig/fathom.pc", pkg_config(part).as_bytes())?;
        }
    }
    made.write("lib/cmake/fathom/fathom-config.cmake", cmake(&parts).as_bytes())?;
    made.write("lib/cmake/fathom/fathom-config-version.cmake", cmake_version().as_bytes())?;
    Ok((made.list, missing))
}

struct Files<'a> {
    prefix: &'a Path,
    list: Vec<PathBuf>,
}

impl Files<'_> {
    fn write(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.prefix.join(name);
        let folder = path.parent().unwrap_or(self.prefix);
        std::fs::create_dir_all(folder).or_io("make", folder)?;
        std::fs::write(&path, content).or_io("write", &path)?;
        self.list.push(path);
        Ok(())
    }
}

/// Everything that the public headers include, and for each conduit the two that say which one it is.
fn headers(made: &mut Files, sources: &Sources, parts: &[Part]) -> Result<()> {
    let mut needed = BTreeSet::new();
    for name in QUEUES.into_iter().chain(PUBLIC) {
        closure(sources, Path::new(name), &mut needed);
    }
    for part in parts {
        let header = part.recipe.conduit.header();
        closure(sources, Path::new(&header), &mut needed);
        for public in PUBLIC {
            let plain = public.trim_start_matches("include/");
            let text = format!(
                "/* The conduit {}. */\n#define FATHOM_CONDUIT_HEADER \"{header}\"\n#include \"../{plain}\"\n",
                part.recipe.conduit.name
            );
            made.write(&format!("include/fathom/{}/{plain}", part.recipe.conduit.name), text.as_bytes())?;
        }
    }
    for path in needed {
        let plain = path.strip_prefix("include").unwrap_or(&path);
        made.write(&format!("include/fathom/{}", plain.display()), sources.content(&path).unwrap_or_default())?;
    }
    Ok(())
}

/// A header and the headers that it includes by `"…"`, directly or through others.
fn closure(sources: &Sources, path: &Path, found: &mut BTreeSet<PathBuf>) {
    let Some(content) = sources.content(path) else { return };
    if !found.insert(path.to_path_buf()) {
        return;
    }
    let text = String::from_utf8_lossy(content).into_owned();
    let beside = path.parent().unwrap_or(Path::new(""));
    for line in text.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(rest) = directive.and_then(|d| d.strip_prefix("include")) else { continue };
        let Some(name) = rest.trim_start().strip_prefix('"').and_then(|r| r.split('"').next()) else { continue };
        for folder in [beside, Path::new(""), Path::new("include"), Path::new("lang")] {
            let candidate = folder.join(name);
            if sources.has(&candidate) {
                closure(sources, &candidate, found);
                break;
            }
        }
    }
}

fn pkg_config(part: &Part) -> String {
    let conduit = &part.recipe.conduit;
    let library = part.library.trim_start_matches("lib").trim_end_matches(".a");
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         includedir=${{prefix}}/include/fathom\n\
         libdir=${{prefix}}/lib\n\n\
         Name: Fathom ({name})\n\
         Description: One address space over many processes, for C and C++; the conduit {name}\n\
         Version: {VERSION}\n\
         Cflags: -I${{includedir}}/{name} -I${{includedir}}\n\
         Libs: -L${{libdir}} -l{library} {others}\n",
        name = conduit.name,
        others = part.recipe.link().join(" "),
    )
}

fn pkg_config_queues() -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\n\
         includedir=${{prefix}}/include/fathom\n\
         libdir=${{prefix}}/lib\n\n\
         Name: Fathom's message queues\n\
         Description: Messages between threads and processes of a computer\n\
         Version: {VERSION}\n\
         Cflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -lfathom-msg -pthread\n"
    )
}

fn cmake(parts: &[Part]) -> String {
    let mut text = String::from(
        "# Imported targets: fathom::smp, and others by the names of their conduits; fathom::fathom is fathom::smp.\n\
         # fathom::msg are the message queues.\n\
         get_filename_component(_fathom_prefix \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n\
         if(NOT TARGET fathom::msg)\n  \
           add_library(fathom::msg STATIC IMPORTED)\n  \
           set_target_properties(fathom::msg PROPERTIES\n    \
             IMPORTED_LOCATION \"${_fathom_prefix}/lib/libfathom-msg.a\"\n    \
             INTERFACE_INCLUDE_DIRECTORIES \"${_fathom_prefix}/include/fathom\"\n    \
             INTERFACE_LINK_LIBRARIES \"-pthread\")\n\
         endif()\n\
         set(fathom_msg_FOUND TRUE)\n",
    );
    for part in parts {
        let name = &part.recipe.conduit.name;
        text += &format!(
            "if(NOT TARGET fathom::{name})\n  \
               add_library(fathom::{name} STATIC IMPORTED)\n  \
               set_target_properties(fathom::{name} PROPERTIES\n    \
                 IMPORTED_LOCATION \"${{_fathom_prefix}}/lib/{library}\"\n    \
                 INTERFACE_INCLUDE_DIRECTORIES \"${{_fathom_prefix}}/include/fathom/{name};${{_fathom_prefix}}/include/fathom\"\n    \
                 INTERFACE_LINK_LIBRARIES \"{others}\")\n\
             endif()\n\
             set(fathom_{name}_FOUND TRUE)\n",
            library = part.library,
            others = part.recipe.link().join(";"),
        );
        if part.recipe.conduit.is_default() {
            text += &format!(
                "if(NOT TARGET fathom::fathom)\n  \
                   add_library(fathom::fathom INTERFACE IMPORTED)\n  \
                   set_target_properties(fathom::fathom PROPERTIES INTERFACE_LINK_LIBRARIES fathom::{name})\n\
                 endif()\n"
            );
        }
    }
    text + "foreach(_fathom_part IN LISTS fathom_FIND_COMPONENTS)\n  \
              if(fathom_FIND_REQUIRED_${_fathom_part} AND NOT fathom_${_fathom_part}_FOUND)\n    \
                set(fathom_FOUND FALSE)\n    \
                set(fathom_NOT_FOUND_MESSAGE \"this installation of Fathom has no conduit ${_fathom_part}\")\n  \
              endif()\n\
            endforeach()\n"
}

/// Versions are compatible as long as the first number that is not 0 is the same.
fn cmake_version() -> String {
    format!(
        "set(PACKAGE_VERSION \"{VERSION}\")\n\
         if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)\n  \
           set(PACKAGE_VERSION_EXACT TRUE)\n\
         endif()\n\
         if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION AND \"{major}\" EQUAL \"${{PACKAGE_FIND_VERSION_MAJOR}}\")\n  \
           set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
         endif()\n",
        major = VERSION.split('.').next().unwrap_or("0"),
    )
}
