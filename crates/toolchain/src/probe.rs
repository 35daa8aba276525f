//! The prober: the program that `fathom probe` measures with, made of `runtime/probe` by the user's own C compiler for
//! one conduit, and kept in the cache like everything that is compiled here.

use crate::args::thread_count;
use crate::cache::{Cache, Key};
use crate::command::Cmd;
use crate::compiler::Compiler;
use crate::conduit::{wanted, Conduit, Recipe};
use crate::failure::{Failure, Result};
use crate::launch::{Launch, Launcher};
use crate::program::{from_user, THREADS};
use crate::runtime::{Compiled, Sources};
use std::path::PathBuf;

const NAME: &str = "fathom-prober";
/// For the kernels that measure parallel loops. With a compiler that lacks it, the prober has no such kernels.
const OPENMP: &str = "-fopenmp";

/// A prober in the cache.
#[derive(Clone)]
pub struct Prober {
    pub path: PathBuf,
    pub conduit: String,
    /// The compiler, as it names itself.
    pub compiler: String,
    recipe: Recipe,
}

impl Prober {
    /// Finds or builds the one for a conduit: the one that is named, else that of FATHOM_CONDUIT, else `smp`.
    pub fn find(conduit: Option<&str>) -> Result<Prober> {
        let (cc, cache, sources) = (Compiler::find()?, Cache::open()?, Sources::load()?);
        let name = conduit.map_or_else(|| wanted(&crate::args::CommandLine::default()), str::to_string);
        let recipe = Recipe::new(&Conduit::named(&name, false, &sources)?, &[])?;
        let compiler = cc.version(Some(&cache))?;
        let key = Key::new("prober").with(&sources.key).with(sources.library_key(&cc, &compiler, &recipe)).hex();
        let path = cache.get_or_build("prober", &key, |dir| {
            let library = sources.library(&cache, &cc, &recipe, false)?;
            let queues = sources.queues(&cache, &cc, &recipe, false)?;
            let root = sources.unpacked(&cache)?;
            let units = sources.prober_units();
            let title = format!("building the prober for {name} with {compiler} (once)");
            let scratch = crate::scratch::Scratch::new()?;
            let made = |flags: &[&str]| {
                let dir = scratch.path();
                let flags = recipe.options().into_iter().chain(flags.iter().map(|f| f.to_string())).collect::<Vec<_>>();
                Compiled { dir, root: &root, cc: &cc, flags: &flags, show: false }.all(&title, &units)
            };
            let openmp: &[&str] = if has_openmp(&cc)? { &[OPENMP] } else { &[] };
            let link = cc.cmd().args(openmp).args(&recipe.flags).args(made(openmp)?).arg(queues).arg(library);
            let link = link.args(recipe.link()).arg("-o").arg(dir.join(NAME));
            let ended = link.run()?;
            if ended.status != 0 {
                eprint!("{}", String::from_utf8_lossy(&ended.stderr));
                let hint = format!("the command was: {}", link.line());
                return Err(Failure::new("the C compiler could not link the prober").hint(hint));
            }
            Ok(())
        })?;
        Ok(Prober { path: path.join(NAME), conduit: name, compiler, recipe })
    }

    /// The command that starts it on a number of threads, and the environment of that command; `more` is in the environment
    /// of each thread.
    pub fn command(&self, threads: usize, more: &[(String, String)]) -> Result<(Cmd, Vec<(String, String)>)> {
        let count = thread_count(&threads.to_string())?;
        let env = [&[(THREADS.to_string(), count.to_string())], more].concat();
        let program = Cmd::new([&self.path]);
        let Some(mpi) = &self.recipe.mpi else { return Ok((program, env)) };
        let forwarded = [from_user(&env), env.clone()].concat();
        let launch = Launch { threads: count, hosts: &[], env: &forwarded };
        Ok((Launcher::find(Some(&mpi.wrapper))?.command(&launch, &program)?, env))
    }
}

/// Can a program with OpenMP be made? A compiler may know the option and lack the library.
fn has_openmp(cc: &Compiler) -> Result<bool> {
    let scratch = crate::scratch::Scratch::new()?;
    let source = scratch.join("openmp.c");
    let text = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n";
    if std::fs::write(&source, text).is_err() {
        return Ok(false);
    }
    let ended = cc.cmd().arg(OPENMP).arg(&source).arg("-o").arg(scratch.join("openmp")).run()?;
    Ok(ended.status == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prober_is_no_part_of_the_library() {
        let sources = Sources::load().unwrap();
        assert!(sources.prober_units().iter().any(|p| p.ends_with("probe/main.c")));
        assert!(sources.prober_units().iter().all(|p| p.starts_with(crate::runtime::PROBER)));
    }
}
