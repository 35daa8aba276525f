//! The command line of a C driver: the inputs, the goal, and the options of each step.
//!
//! Nothing here knows what most options mean. An option is sorted by the step that needs it (preprocess, compile,
//! link); one that is not in the tables goes to every step, as the C compiler would take it. The order of what is
//! linked is kept, because it matters to the linker. Besides the C compiler's options it takes those that UPC users
//! know from `upcc` (`-T 4`, `-network=smp`, `-pthreads`, `-Wc,…`), from GUPC (`-fupc-threads-4`) and from Cray's and IBM's
//! compilers (`-h upc -X 4`, `-qupc=threads=4`).

use crate::conduit::Conduit;
use crate::failure::{Failure, OrIo, Result};
use std::path::{Path, PathBuf};

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    #[default]
    Link,
    /// `-c`
    Object,
    /// `-S`
    Assembly,
    /// `-E`, `-M`, `-MM`
    Preprocess,
    /// `-trans`: stop at the generated C.
    Translate,
    /// `-fsyntax-only`
    Check,
    /// `--print plan`: the plan for shared accesses and loops, as text; the C compiler is not run.
    Plan,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// `.upc`, `.c`: preprocess, then the front end.
    Upc,
    /// `.sc`: the same, for Split-C.
    SplitC,
    /// `.i`: the front end without preprocessing.
    Preprocessed,
    /// Assembler, C++, Fortran, …: the C compiler alone makes the object.
    Foreign,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    pub path: PathBuf,
    pub language: Language,
    /// The argument of the `-x` in force, for foreign languages.
    pub dash_x: Option<String>,
}

/// One thing on the linker's command line, in the user's order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkItem {
    /// The object made of `inputs[i]`.
    Unit(usize),
    /// An object, an archive, `-lm`, `-Wl,…`.
    Arg(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DiagFormat {
    #[default]
    Full,
    /// One line each: `file:line:col: error[U0101]: message [clause]`.
    Short,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

/// A scanned command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CommandLine {
    pub goal: Goal,
    pub inputs: Vec<Input>,
    pub link: Vec<LinkItem>,
    pub output: Option<PathBuf>,
    /// `--conduit`; if it is none, FATHOM_CONDUIT decides.
    pub conduit: Option<String>,
    /// `--reference`: the conduit's reference build.
    pub reference: bool,
    /// `--explain`: the program counts and times its communication.
    pub explain: bool,
    /// `-fcomm-opt`, `-fno-comm-opt`: loops are also written so that they can fetch far data ahead, or not.
    pub comm_opt: Option<bool>,
    /// `-fcomm-check`: what they have fetched is compared, at its use, with what is there.
    pub comm_check: bool,
    /// `-Rcomm`, `-Rcomm-missed`: say what became of each access that may be far.
    pub remarks_served: bool,
    pub remarks_missed: bool,
    /// `--accesses`: the program tells a simulated machine where it accesses memory.
    pub accesses: bool,
    /// THREADS of the static environment.
    pub threads: Option<u32>,
    /// Options for the preprocessor alone.
    pub preprocess: Vec<String>,
    /// `-MD`, `-MMD` and their companions, for the preprocessor when an object is made.
    pub depend: Vec<String>,
    /// Options for every step.
    pub common: Vec<String>,
    /// The user asked for position in a shared object or a relocatable: no program, so no runtime.
    pub no_runtime: bool,
    pub keep_c: bool,
    pub save_temps: bool,
    pub verbose: bool,
    /// `-###`: show the steps, run none.
    pub dry_run: bool,
    pub diag_format: DiagFormat,
    /// `-fpermissive`: conversions of pointers-to-shared that need a cast are warnings.
    pub permissive: bool,
    pub colour: Colour,
    pub max_errors: Option<usize>,
    pub werror: bool,
    pub no_warnings: bool,
    /// A question to the C compiler that needs no input: `-dumpversion`, `-print-…`.
    pub question: bool,
    pub show_version: bool,
    pub show_help: bool,
    /// Options that were understood and change nothing here, with the reason.
    pub notes: Vec<String>,
}

/// Options whose value is the next argument, sorted by the step that they belong to.
const PREPROCESS_WITH_VALUE: &str = "\
    -I -D -U -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot \
    -Xpreprocessor -A";
const DEPEND_WITH_VALUE: &str = "-MF -MT -MQ";
const LINK_WITH_VALUE: &str = "-L -l -Xlinker -u -z -e";
const COMMON_WITH_VALUE: &str = "--param -B -target -arch -Xassembler -Xclang -aux-info -mllvm";

/// Options of the link step by their whole name.
const LINK_FLAGS: &str = "\
    -static -static-pie -rdynamic -s -pie -no-pie -nostdlib -nodefaultlibs -nostartfiles -nolibc -static-libgcc \
    -shared-libgcc -static-libasan -symbolic";
/// Options of `upcc` that need nothing here: threads are processes.
const UPCC_IGNORED: &str = "\
    -pthreads -nopthreads -inline -noinline -opt -noopt -lines -nolines -uses-mpi -uses-threads -tv -norc -size-warn \
    -nosize-warn -require-size -norequire-size -link-cache -nolink-cache -checks -nochecks -ansi-alias -smart-output \
    -inst -inst-local -inst-functions -fast-symptr -nofast-symptr -at-remote-ssh -at-remote-http -stable -nightly \
    -show-sizes";
const UPCC_IGNORED_WITH_VALUE: &str = "\
    -shared-heap -shared-heap-max -heap-offset -opt-enable -opt-disable -inst-toolname -translator -sizes-file \
    -compress -arch-size";

/// THREADS of the static environment, as upcc, GUPC and IBM's xlupc spell it.
const THREADS_PREFIXES: &[&str] =
    &["-fupc-threads-", "-fupc-threads=", "-fthreads-", "-fthreads=", "-T=", "--T=", "-qupc=threads="];

/// `-network` is upcc's name for it.
const CONDUIT_PREFIXES: &[&str] = &["--conduit=", "-conduit=", "-network=", "--network="];

/// The most threads that any conduit allows: `CONDUIT_MAX_FAR` (`runtime/conduit/conduit.h`). If a conduit allows
/// fewer, as `smp` does, the program reports it when it starts.
pub const MAX_THREADS: u32 = 1 << 20;

impl CommandLine {
    /// Scans a command line (without the program's name). Response files (`@file`) are expanded first.
    pub fn scan(args: &[String]) -> Result<CommandLine> {
        let mut job = CommandLine::default();
        let args = expand(args, 0)?;
        let mut at = 0;
        let mut state = State::default();
        while at < args.len() {
            at += job.one(&args[at], args.get(at + 1), &mut state)?;
        }
        Ok(job)
    }

    /// Are loops also to be written on landed data (decision 0012)? Where the C compiler optimises, and, unless the command line
    /// says it, where threads may be on other computers that exist.
    pub fn strips(&self, conduit: &Conduit) -> bool {
        let level = self.common.iter().rev().find(|a| a.starts_with("-O"));
        let optimises = level.is_some_and(|l| l != "-O0" && l != "-Og");
        let is_small = level.is_some_and(|l| l == "-Os" || l == "-Oz");
        optimises && self.comm_opt.unwrap_or(!is_small && !conduit.direct() && !conduit.description.counts)
    }

    /// The warnings about names that hide others which the command line may have switched on. Clang knows only the first.
    pub fn hiding(&self) -> &'static [&'static str] {
        let asks = |start: &str| self.common.iter().any(|arg| arg.starts_with(start));
        match (asks("-Wshadow="), asks("-Wshadow") || asks("-Weverything")) {
            (true, _) => &["-Wshadow", "-Wshadow=local", "-Wshadow=compatible-local"],
            (false, true) => &["-Wshadow"],
            (false, false) => &[],
        }
    }

    /// Takes the argument `arg` (followed by `next`); the number of arguments used.
    pub fn one(&mut self, arg: &str, next: Option<&String>, state: &mut State) -> Result<usize> {
        let value = || next.cloned().ok_or_else(|| Failure::new(format!("the option '{arg}' needs a value after it")));
        if state.only_files || !arg.starts_with('-') || arg == "-" {
            self.file(arg, state);
            return Ok(1);
        }
        match arg {
            "--" => state.only_files = true,
            "-c" => self.aim(Goal::Object),
            "-S" => self.aim(Goal::Assembly),
            "-E" => self.aim(Goal::Preprocess),
            "-trans" | "--trans" => self.aim(Goal::Translate),
            "-fsyntax-only" => self.aim(Goal::Check),
            "-M" | "-MM" => {
                self.aim(Goal::Preprocess);
                self.preprocess.push(arg.into());
            }
            "-MD" | "-MMD" | "-MP" | "-MG" => self.depend.push(arg.into()),
            "-v" | "--verbose" => self.verbose = true,
            "-###" => {
                self.verbose = true;
                self.dry_run = true;
            }
            // Cray's `cc -h upc`; the job's number of threads is its -X.
            "-h" if next.is_some_and(|n| n == "upc") => {
                self.ignore("-h upc");
                return Ok(2);
            }
            "-hupc" => self.ignore(arg),
            "-X" | "-fupc-threads" | "-fthreads" if next.is_some_and(|n| is_number(n)) => {
                self.threads = Some(thread_count(&value()?)?);
                return Ok(2);
            }
            "-h" | "--help" => self.show_help = true,
            "-V" | "--version" | "-version" => self.show_version = true,
            "-w" => {
                self.no_warnings = true;
                self.common.push(arg.into());
            }
            "-Werror" => {
                self.werror = true;
                self.common.push(arg.into());
            }
            "--keep-c" | "-keep-c" => self.keep_c = true,
            "-save-temps" | "--save-temps" | "-save-all-temps" => {
                self.keep_c = true;
                self.save_temps = true;
            }
            "-shared" | "-r" => {
                self.no_runtime = true;
                self.link.push(LinkItem::Arg(arg.into()));
            }
            "--print" => {
                match value()?.as_str() {
                    "plan" => self.aim(Goal::Plan),
                    what => {
                        return Err(Failure::new(format!("'{what}' is not a valid thing to print")).hint("--print plan"))
                    }
                }
                return Ok(2);
            }
            "-o" => {
                self.output = Some(value()?.into());
                return Ok(2);
            }
            "-x" => {
                state.language(&value()?);
                return Ok(2);
            }
            "-T" => {
                let v = value()?;
                self.threads_or_script(&v)?;
                return Ok(2);
            }
            "--reference" => self.reference = true,
            "--explain" => self.explain = true,
            "--accesses" => self.accesses = true,
            "-Rcomm" => self.remarks_served = true,
            "-Rcomm-missed" => self.remarks_missed = true,
            _ if arg.starts_with("-Rcom") => {
                return Err(Failure::new(format!("unknown option {arg}"))
                    .hint("-Rcomm says what was done for far accesses, -Rcomm-missed why nothing was"));
            }
            "-fno-comm-check" => self.comm_check = false,
            "-fpermissive" => self.permissive = true,
            "-fno-permissive" => self.permissive = false,
            "-fcomm-opt" => self.comm_opt = Some(true),
            "-fno-comm-opt" => (self.comm_opt, self.comm_check) = (Some(false), false),
            "-fcomm-check" => (self.comm_opt, self.comm_check) = (Some(true), true),
            "--diag-format" => {
                self.show_diags(&value()?)?;
                return Ok(2);
            }
            "--conduit" | "-conduit" | "-network" | "--network" => {
                self.conduit = Some(value()?);
                return Ok(2);
            }
            _ if listed(PREPROCESS_WITH_VALUE, arg) => {
                self.preprocess.extend([arg.to_string(), value()?]);
                return Ok(2);
            }
            _ if listed(DEPEND_WITH_VALUE, arg) => {
                self.depend.extend([arg.to_string(), value()?]);
                return Ok(2);
            }
            _ if listed(LINK_WITH_VALUE, arg) => {
                let value = value()?;
                self.link.extend([LinkItem::Arg(arg.into()), LinkItem::Arg(value)]);
                return Ok(2);
            }
            _ if listed(COMMON_WITH_VALUE, arg) => {
                self.common.extend([arg.to_string(), value()?]);
                return Ok(2);
            }
            _ if listed(LINK_FLAGS, arg) => self.link.push(LinkItem::Arg(arg.into())),
            "-link-with" | "--link-with" => {
                self.link_with(&value()?);
                return Ok(2);
            }
            "-extern-main" | "--extern-main" => return Err(no_extern_main(arg)),
            "-pthreads" | "--pthreads" if next.is_some_and(|n| is_number(n)) => {
                self.ignore(arg);
                return Ok(2);
            }
            _ if listed(UPCC_IGNORED, one_dash(arg)) => self.ignore(arg),
            _ if listed(UPCC_IGNORED_WITH_VALUE, one_dash(arg)) => {
                let _ = value()?;
                self.ignore(arg);
                return Ok(2);
            }
            _ => self.joined(arg, state)?,
        }
        Ok(1)
    }

    fn show_diags(&mut self, format: &str) -> Result<()> {
        self.diag_format = match format {
            "short" => DiagFormat::Short,
            "full" => DiagFormat::Full,
            _ => {
                return Err(
                    Failure::new(format!("unknown format '{format}' of --diag-format")).hint("formats: full, short")
                )
            }
        };
        Ok(())
    }

    /// Options with their value in the same word, and every word that no table has.
    fn joined(&mut self, arg: &str, state: &mut State) -> Result<()> {
        let after = |prefix: &str| arg.strip_prefix(prefix).map(str::to_string);
        if let Some(v) = after("-o") {
            self.output = Some(v.into());
        } else if let Some(v) = THREADS_PREFIXES.iter().find_map(|p| after(p)) {
            self.threads = Some(thread_count(&v)?);
        } else if let Some(v) = after("-X").filter(|v| is_number(v)) {
            self.threads = Some(thread_count(&v)?);
        } else if let Some(v) = after("-link-with=").or_else(|| after("--link-with=")) {
            self.link_with(&v);
        } else if ["-fupc", "-fno-upc", "-Wu,", "-Ww,"].iter().any(|p| arg.starts_with(p)) {
            self.ignore(arg);
        } else if let Some(v) = after("-T") {
            self.threads_or_script(&v)?;
        } else if let Some(v) = CONDUIT_PREFIXES.iter().find_map(|p| after(p)) {
            self.conduit = Some(v);
        } else if UPCC_IGNORED
            .split(' ')
            .chain(UPCC_IGNORED_WITH_VALUE.split(' '))
            .any(|o| one_dash(arg).strip_prefix(o).is_some_and(|v| v.starts_with('=')))
        {
            self.ignore(arg);
        } else if let Some(v) = after("--diag-format=") {
            self.show_diags(&v)?;
        } else if let Some(v) = after("-fdiagnostics-color=") {
            self.colour = match v.as_str() {
                "always" => Colour::Always,
                "never" => Colour::Never,
                _ => Colour::Auto,
            };
            self.common.push(arg.into());
        } else if let Some(v) = after("-fmax-errors=").or_else(|| after("-ferror-limit=")) {
            let n = v.parse().map_err(|_| Failure::new(format!("'{arg}' needs a number")))?;
            self.max_errors = Some(n);
            self.common.push(arg.into());
        } else if let Some(v) = after("-x") {
            state.language(&v);
        } else if let Some(v) = after("-Wc,") {
            self.common.extend(v.split(',').map(String::from));
        } else if arg.starts_with("-Wp,") {
            self.wp(arg);
        } else if ["-MF", "-MT", "-MQ"].iter().any(|p| arg.starts_with(p)) {
            self.depend.push(arg.into());
        } else if ["-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter"]
            .iter()
            .any(|p| arg.starts_with(p))
        {
            self.preprocess.push(arg.into());
        } else if ["-L", "-l", "-Wl,", "-fuse-ld=", "-z"].iter().any(|p| arg.starts_with(p)) {
            self.link.push(LinkItem::Arg(arg.into()));
        } else {
            if arg.starts_with("-dump") || arg.starts_with("-print-") || arg.starts_with("--print-") {
                self.question = true;
            }
            self.common.push(arg.into());
        }
        Ok(())
    }

    /// `-Wp,-MD,file` is how build systems ask for dependencies; the rest is for the preprocessor.
    fn wp(&mut self, arg: &str) {
        let words: Vec<&str> = arg.split(',').skip(1).collect();
        let mut at = 0;
        while at < words.len() {
            match words[at] {
                w @ ("-MD" | "-MMD") => {
                    self.depend.push(w.into());
                    if let Some(file) = words.get(at + 1) {
                        self.depend.extend(["-MF".into(), file.to_string()]);
                        at += 1;
                    }
                }
                w => self.preprocess.push(w.into()),
            }
            at += 1;
        }
    }

    fn aim(&mut self, goal: Goal) {
        // As in a C driver, the option that stops earliest wins.
        let rank = |g| match g {
            Goal::Preprocess => 0,
            Goal::Plan => 1,
            Goal::Check => 2,
            Goal::Translate => 3,
            Goal::Assembly => 4,
            Goal::Object => 5,
            Goal::Link => 6,
        };
        if rank(goal) < rank(self.goal) {
            self.goal = goal;
        }
    }

    fn ignore(&mut self, arg: &str) {
        self.notes.push(format!("'{arg}' has no effect: threads are processes here"));
    }

    /// upcc's `-link-with=mpicxx` links with another compiler, for the sake of its language's library. Here the C compiler
    /// links, and a C++ compiler's name says that the program needs that library.
    fn link_with(&mut self, compiler: &str) {
        let name =
            Path::new(compiler.split(' ').next().unwrap_or("")).file_name().and_then(|n| n.to_str()).unwrap_or("");
        if name.contains("++") || name.contains("cxx") || name.contains("CC") {
            self.link.push(LinkItem::Arg("-lstdc++".into()));
        }
        self.notes.push(format!("'-link-with={compiler}': the C compiler links, with the libraries of that language"));
    }

    /// `-T 4` is THREADS; `-T script.ld` keeps the meaning that it has for a C driver.
    fn threads_or_script(&mut self, v: &str) -> Result<()> {
        if is_number(v) {
            self.threads = Some(thread_count(v)?);
        } else {
            self.link.push(LinkItem::Arg(format!("-T{v}")));
        }
        Ok(())
    }

    fn file(&mut self, arg: &str, state: &State) {
        let path = PathBuf::from(arg);
        let language = match &state.dash_x {
            Some(x) => language_of_name(x),
            None => match language_of_path(&path) {
                Some(l) => l,
                None => return self.link.push(LinkItem::Arg(arg.into())),
            },
        };
        self.link.push(LinkItem::Unit(self.inputs.len()));
        self.inputs.push(Input { path, language, dash_x: state.dash_x.clone() });
    }

    /// Something to do: a source, an object, an archive.
    pub fn has_input(&self) -> bool {
        !self.inputs.is_empty() || self.link.iter().any(|l| matches!(l, LinkItem::Arg(a) if !a.starts_with('-')))
    }
}

fn is_number(v: &str) -> bool {
    !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit())
}

/// upcc takes its long options with one dash or two.
fn one_dash(arg: &str) -> &str {
    arg.strip_prefix('-').filter(|rest| rest.starts_with('-')).unwrap_or(arg)
}

fn no_extern_main(arg: &str) -> Failure {
    Failure::new(format!("'{arg}': a program's main must be in UPC, because the threads start before it"))
        .hint("write main in UPC and call the C or C++ code from it")
}

/// Is the option one of the words of a list?
fn listed(list: &str, arg: &str) -> bool {
    list.split(' ').any(|w| w == arg)
}

/// What an earlier argument says about later ones.
#[derive(Clone, Default, Debug)]
pub struct State {
    only_files: bool,
    dash_x: Option<String>,
}

impl State {
    fn language(&mut self, name: &str) {
        self.dash_x = (name != "none").then(|| name.to_string());
    }
}

/// A number of threads that a job can have.
///
/// # Errors
/// It is not a number from 1 to [`MAX_THREADS`].
pub fn thread_count(v: &str) -> Result<u32> {
    match v.parse::<u32>() {
        Ok(n) if (1..=MAX_THREADS).contains(&n) => Ok(n),
        _ => {
            Err(Failure::new(format!("'{v}' is not a valid number of threads"))
                .hint(format!("give 1 to {MAX_THREADS}")))
        }
    }
}

fn language_of_name(x: &str) -> Language {
    match x {
        "c" | "upc" | "c-header" => Language::Upc,
        "split-c" | "splitc" => Language::SplitC,
        "cpp-output" | "c-cpp-output" | "upc-cpp-output" => Language::Preprocessed,
        _ => Language::Foreign,
    }
}

/// By extension; `None` for inputs of the linker.
fn language_of_path(path: &Path) -> Option<Language> {
    if path.as_os_str() == "-" {
        return Some(Language::Upc);
    }
    match path.extension().and_then(|e| e.to_str()).unwrap_or("") {
        "upc" | "c" | "h" | "uph" => Some(Language::Upc),
        "sc" => Some(Language::SplitC),
        "i" | "upci" => Some(Language::Preprocessed),
        "s" | "S" | "sx" | "cc" | "cpp" | "cxx" | "C" | "ii" | "f" | "F" | "f90" | "F90" => Some(Language::Foreign),
        _ => None,
    }
}

/// Does the name say that the front end compiles this file?
pub fn is_source(path: &Path) -> bool {
    matches!(language_of_path(path), Some(Language::Upc | Language::SplitC | Language::Preprocessed))
}

/// Replaces `@file` by the words in the file, split as a shell would. `@` before a name that is not a file stays.
fn expand(args: &[String], depth: usize) -> Result<Vec<String>> {
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        let path = match arg.strip_prefix('@') {
            Some(p) if Path::new(p).is_file() => Path::new(p),
            _ => {
                out.push(arg.clone());
                continue;
            }
        };
        if depth > 20 {
            return Err(Failure::new(format!("response files include each other: {}", path.display())));
        }
        let text = std::fs::read_to_string(path).or_io("read the response file", path)?;
        let words = shlex::split(&text)
            .ok_or_else(|| Failure::new(format!("a quote is not closed in the response file {}", path.display())))?;
        out.extend(expand(&words, depth + 1)?);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(line: &str) -> CommandLine {
        CommandLine::scan(&shlex::split(line).unwrap()).unwrap()
    }

    #[test]
    fn options_go_to_the_step_that_needs_them() {
        let j = scan("-O2 -Iinc -D N=4 -Wall -c a.upc -o a.o -L/x -march=native");
        assert_eq!(j.goal, Goal::Object);
        assert_eq!(j.common, ["-O2", "-Wall", "-march=native"]);
        assert_eq!(j.preprocess, ["-Iinc", "-D", "N=4"]);
        assert_eq!(j.output, Some("a.o".into()));
        assert_eq!(j.link, [LinkItem::Unit(0), LinkItem::Arg("-L/x".into())]);
    }

    #[test]
    fn the_order_of_what_is_linked_stays() {
        let j = scan("a.upc -lx b.o c.c -Wl,-z,now lib.a -lm");
        let a = |s: &str| LinkItem::Arg(s.into());
        assert_eq!(
            j.link,
            [LinkItem::Unit(0), a("-lx"), a("b.o"), LinkItem::Unit(1), a("-Wl,-z,now"), a("lib.a"), a("-lm")]
        );
    }

    #[test]
    fn every_spelling_of_the_number_of_threads() {
        for line in ["-T 4 x.upc", "-T4 x.upc", "-T=4 x.upc", "-fupc-threads-4 x.upc", "-fupc-threads=4 x.upc"] {
            assert_eq!(scan(line).threads, Some(4), "{line}");
        }
        for line in [
            "-h upc -X 4 x.upc",
            "-hupc -X4 x.upc",
            "-qupc=threads=4 x.upc",
            "-fthreads-4 x.upc",
            "-fupc-threads 4 x.upc",
            "-pthreads 2 --T=4 x.upc",
        ] {
            let j = scan(line);
            assert_eq!((j.threads, j.inputs.len(), j.show_help), (Some(4), 1, false), "{line}");
            assert!(j.common.is_empty(), "{line}");
        }
        assert!(scan("-h").show_help && scan("-h x.upc").show_help);
        assert_eq!(scan("-Xlinker -s x.upc").threads, None);
        assert_eq!(scan("-T script.ld x.upc").threads, None);
        assert!(CommandLine::scan(&["-T0".to_string()]).is_err());
        assert!(CommandLine::scan(&["-T".to_string()]).is_err());
    }

    #[test]
    fn dependency_options_stay_together() {
        let j = scan("-MD -MF a.d -MTa.o -c a.upc");
        assert_eq!(j.depend, ["-MD", "-MF", "a.d", "-MTa.o"]);
        assert_eq!(scan("-Wp,-MMD,x.d a.upc").depend, ["-MMD", "-MF", "x.d"]);
        assert_eq!(scan("-MM a.upc").goal, Goal::Preprocess);
    }

    #[test]
    fn dash_x_names_the_language_of_what_follows() {
        let j = scan("-x c odd.txt -x none lib.a -x cpp-output y -xassembler z");
        let languages: Vec<_> = j.inputs.iter().map(|i| i.language).collect();
        assert_eq!(languages, [Language::Upc, Language::Preprocessed, Language::Foreign]);
        assert!(j.link.contains(&LinkItem::Arg("lib.a".into())));
    }

    #[test]
    fn options_of_upcc_that_mean_nothing_here_are_noted() {
        let j = scan("-pthreads=4 -network=smp -shared-heap=64MB -Wc,-O3,-g x.upc");
        assert_eq!(j.notes.len(), 2);
        assert_eq!(j.common, ["-O3", "-g"]);
        let j = scan("-norc -uses-threads -translator=/x -heap-offset 4M -Ww,-O2 -nosize-warn -o prog x.upc");
        assert_eq!((j.notes.len(), j.inputs.len(), j.output), (6, 1, Some("prog".into())));
        assert!(j.common.is_empty() && j.link.len() == 1);
        let j = scan("--shared-heap=64MB --pthreads --shared-heap-max 1GB --uses-mpi x.upc");
        assert_eq!((j.notes.len(), j.inputs.len(), j.common.len()), (4, 1, 0));
    }

    #[test]
    fn linking_with_a_cxx_compiler_brings_its_library() {
        let library = LinkItem::Arg("-lstdc++".into());
        for line in ["-link-with=g++ x.upc y.o", "-link-with mpicxx x.upc", "--link-with='/opt/bin/CC -O2' x.upc"] {
            assert!(scan(line).link.contains(&library), "{line}");
        }
        let j = scan("-link-with=mpicc x.upc");
        assert_eq!((j.link.len(), j.notes.len()), (1, 1));
        let error = CommandLine::scan(&["-extern-main".to_string()]).unwrap_err().to_string();
        assert!(error.contains("main must be in UPC"), "{error}");
    }

    #[test]
    fn every_spelling_of_the_conduit() {
        for line in ["--conduit mpi x.upc", "--conduit=mpi x.upc", "-network=mpi x.upc", "-network mpi x.upc"] {
            let j = scan(line);
            assert_eq!((j.conduit.as_deref(), j.reference, j.inputs.len()), (Some("mpi"), false, 1), "{line}");
        }
        assert!(scan("--reference x.upc").reference);
    }

    #[test]
    fn response_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("args");
        std::fs::write(&file, "-O3 '-DNAME=a b'\n x.upc").unwrap();
        let j = CommandLine::scan(&[format!("@{}", file.display()), "-c".into()]).unwrap();
        assert_eq!(j.common, ["-O3"]);
        assert_eq!(j.preprocess, ["-DNAME=a b"]);
        assert_eq!(j.inputs.len(), 1);
    }

    #[test]
    fn the_earliest_stop_wins() {
        assert_eq!(scan("-E -c x.upc").goal, Goal::Preprocess);
        assert_eq!(scan("-c -fsyntax-only x.upc").goal, Goal::Check);
        assert_eq!(scan("-c --print plan x.upc").goal, Goal::Plan);
    }
}
