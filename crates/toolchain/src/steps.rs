//! The steps that the C compiler does: preprocess, compile, link. Each is one command line, which `-v` shows.

use crate::args::{CommandLine, Goal, Input, Language, LinkItem};
use crate::beside::{searched, Beside};
use crate::cache::Cache;
use crate::command::Cmd;
use crate::compiler::Compiler;
use crate::conduit::{Conduit, Recipe};
use crate::depend;
use crate::failure::{Failure, OrIo, Result};
use crate::locate::without_far_columns;
use crate::runtime::Sources;
use crate::scratch::{BeingWritten, Scratch};
use fathom_syntax::{Dialect, Options, Target};
use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// The data that all steps of one command share.
pub struct Session<'a> {
    pub job: &'a CommandLine,
    pub cc: Compiler,
    pub cache: Cache,
    pub sources: Sources,
    pub conduit: Conduit,
    /// The runtime's sources and headers, unpacked.
    pub headers: PathBuf,
    pub scratch: Scratch,
    pub colour: bool,
    pub is_clang: bool,
    /// The language, the target and the number of threads, for the preprocessor and for every pass of the front end.
    pub options: Options,
}

/// What `lower` writes before a loop whose iterations it knows to be independent.
const SIMD: &[u8] = b"\n#pragma omp simd\n";

/// What `lower` writes for the storage of static shared objects: assembly at file scope.
const STORAGE: &[u8] = b"__asm__(\".pushsection ";

/// Warnings about the generated code or about Fathom's command line, which do not concern the user's program.
const QUIET_GENERATED: &[&str] = &[
    "-Wno-unused-value",
    "-Wno-parentheses",
    "-Wno-pointer-to-int-cast",
    "-Wno-implicit-int",
    "-Wno-implicit-function-declaration",
];

impl<'a> Session<'a> {
    pub fn open(job: &'a CommandLine) -> Result<Session<'a>> {
        let cc = Compiler::find()?;
        let cache = Cache::open()?;
        let sources = Sources::load()?;
        let conduit = Conduit::choose(job, &sources)?;
        if conduit.description.counts && job.common.iter().any(|flag| flag == "-fsanitize=thread") {
            return Err(Failure::new(
                "on simulated machines one thread at a time runs: -fsanitize=thread finds nothing",
            )
            .hint("leave -fsanitize=thread out"));
        }
        if job.accesses && !conduit.description.counts {
            return Err(Failure::new("--accesses has a meaning on simulated machines only").hint("add --conduit sim"));
        }
        let headers = sources.unpacked(&cache)?;
        let is_clang = cc.version(Some(&cache))?.contains("clang");
        let words = cc.words.iter().chain(&job.common);
        let options = Options {
            dialect: Dialect::Upc,
            target: target(&cc, &cache, &job.common)?,
            threads: job.threads,
            gnu_inline: gnu_inline(words.clone()),
            any_type: any_type(words),
            ..Options::default()
        };
        let colour = match job.colour {
            crate::args::Colour::Always => true,
            crate::args::Colour::Never => false,
            crate::args::Colour::Auto => {
                std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        Ok(Session { job, cc, cache, sources, conduit, headers, scratch: Scratch::new()?, colour, is_clang, options })
    }

    /// The front end's options for a source.
    pub fn options_of(&self, input: &Input) -> Options {
        let dialect = dialect(input);
        let gnu_inline = self.options.gnu_inline || gnu_c89(dialect).is_some();
        Options { dialect, gnu_inline, ..self.options }
    }

    /// `cc` with the options of every step, and those that keep it from talking about our own command line.
    fn cmd(&self) -> Cmd {
        let mut cmd = self.cc.cmd().temporaries_in(self.scratch.path()).arg("-fcommon").args(&self.job.common);
        if self.is_clang {
            cmd = cmd.arg("-Wno-unused-command-line-argument");
        }
        if self.colour && self.job.colour == crate::args::Colour::Auto {
            cmd = cmd.arg("-fdiagnostics-color=always");
        }
        cmd
    }

    /// The preprocessor for a source of the front end's, without input and output.
    fn preprocessor(&self, input: &Input) -> Cmd {
        let mut cmd = self.cc.cmd().temporaries_in(self.scratch.path());
        cmd = cmd.args(["-E", "-x", "c", "-imacros"]).arg(self.headers.join(predefined(dialect(input))));
        cmd = match self.options.threads {
            None => cmd.arg("-D__UPC_DYNAMIC_THREADS__=1"),
            Some(n) => cmd.args([
                format!("-D{}={n}", threads_name(dialect(input))),
                format!("-DFATHOM_STATIC_THREADS={n}"),
                "-D__UPC_STATIC_THREADS__=1".into(),
            ]),
        };
        // As the prelude, in lang/, finds it.
        cmd = cmd.arg(format!("-DFATHOM_CONDUIT_HEADER=\"../{}\"", self.conduit.header()));
        // -g3 would put every macro into the output.
        let common = self.job.common.iter().map(|f| match f.as_str() {
            "-g3" | "-ggdb3" | "-gdwarf-3" => "-g",
            f => f,
        });
        let begin = if self.job.explain { "fathom_explain.h" } else { "fathom_begin.h" };
        cmd = cmd.args(["-include", begin]).args(common).args(&self.job.preprocess);
        if self.is_clang {
            cmd = cmd.arg("-Wno-unused-command-line-argument");
        }
        if self.colour && self.job.colour == crate::args::Colour::Auto {
            cmd = cmd.arg("-fdiagnostics-color=always");
        }
        // Not -isystem: in system headers `shared` is not a keyword. Headers that fathom.h includes name their folders.
        cmd.arg("-I").arg(self.headers.join("include")).arg("-idirafter").arg(&self.headers)
    }

    /// Shows the command with `-v`; runs it unless this is a dry run. Its output goes to `log`.
    fn execute(&self, cmd: &Cmd, log: &mut String) -> Result<i32> {
        if self.job.verbose {
            log.push_str(&cmd.line());
            log.push('\n');
        }
        if self.job.dry_run {
            return Ok(0);
        }
        let ended = cmd.run()?;
        log.push_str(&String::from_utf8_lossy(&ended.stdout));
        log.push_str(&String::from_utf8_lossy(&ended.stderr));
        Ok(ended.status)
    }

    /// `cc -E`: the preprocessed text, bytes as the user wrote them, with some of Fathom's `headers` before the first
    /// line.
    pub fn preprocess(&self, input: &Input, headers: &[&str], object: &Path, log: &mut String) -> Result<Vec<u8>> {
        readable_source(&input.path)?;
        let out = self.scratch.join(format!("{}.i", unique_stem(&input.path)));
        let depend = self.depend_options(object);
        let mut cmd = self.preprocessor(input);
        for header in headers {
            cmd = cmd.arg("-include").arg(self.headers.join("include").join(header));
        }
        let beside = self.beside(input);
        let options = beside.iter().flat_map(|b| b.options(self.is_clang));
        let cmd = cmd.args(&depend).args(options).arg(&input.path).arg("-o").arg(&out);
        let mut said = String::new();
        let status = self.execute(&cmd, &mut said)?;
        log.push_str(&without_open_quotes(&said));
        if status != 0 {
            log.push_str(&format!("fathom: error: preprocessing {} failed (status {status})\n", input.path.display()));
            return Err(Failure::reported(status));
        }
        if self.job.dry_run {
            return Ok(vec![]);
        }
        let text = std::fs::read(&out).or_io("read", &out)?;
        let (text, found) = match &beside {
            Some(beside) => beside.mend_text(text),
            None => (text, vec![]),
        };
        if let Some(at) = depend.iter().rposition(|a| a == "-MF") {
            if let Some(file) = depend.get(at + 1).map(Path::new) {
                let mut rule = std::fs::read_to_string(file).or_io("read", file)?;
                if let Some(beside) = &beside {
                    rule = beside.mend_rules(&rule);
                    // To the preprocessor they are system headers, which -MMD leaves out.
                    if depend.iter().any(|a| a == "-MMD") {
                        rule = depend::with(&rule, &found, depend.iter().any(|a| a == "-MP"));
                    }
                }
                std::fs::write(file, depend::without(&rule, &self.headers)).or_io("write", file)?;
            }
        }
        Ok(text)
    }

    /// The source's folder, where it is to be searched last.
    fn beside(&self, input: &Input) -> Option<Beside> {
        let options = self.cc.words.iter().chain(&self.job.common).chain(&self.job.preprocess);
        Beside::new(&input.path, &searched(options))
    }

    /// The `-M…` options, with the names that the compiler would choose by itself if it made the object in one step.
    fn depend_options(&self, object: &Path) -> Vec<String> {
        let mut list: Vec<String> = vec![];
        for arg in &self.job.depend {
            // `-MFfile` in one word becomes two, so that it can be found.
            match arg.strip_prefix("-MF").filter(|v| !v.is_empty()) {
                Some(v) => list.extend(["-MF".into(), v.into()]),
                None => list.push(arg.clone()),
            }
        }
        if !list.iter().any(|a| a == "-MD" || a == "-MMD") {
            return vec![];
        }
        if !list.iter().any(|a| a == "-MF") {
            list.extend(["-MF".into(), object.with_extension("d").display().to_string()]);
        }
        if !list.iter().any(|a| a.starts_with("-MT") || a.starts_with("-MQ")) {
            list.extend(["-MT".into(), object.display().to_string()]);
        }
        list
    }

    /// `-E`, `-M`, `-MM`: to the output or to standard output.
    pub fn show_preprocessed(&self, input: &Input, log: &mut String) -> Result<()> {
        readable_source(&input.path)?;
        let beside = self.beside(input);
        let options = beside.iter().flat_map(|b| b.options(self.is_clang));
        let cmd = self.preprocessor(input).args(&self.job.depend).args(options).arg(&input.path);
        if self.job.verbose {
            log.push_str(&(cmd.line() + "\n"));
        }
        if self.job.dry_run {
            return Ok(());
        }
        let rules = self.job.preprocess.iter().any(|a| a == "-M" || a == "-MM");
        if input.path.as_os_str() == "-" {
            return match cmd.run_through()? {
                0 => Ok(()),
                status => Err(Failure::reported(status)),
            };
        }
        let ended = cmd.run()?;
        log.push_str(&String::from_utf8_lossy(&ended.stderr));
        let text = match (rules, &beside) {
            (true, _) => {
                let rules = String::from_utf8_lossy(&ended.stdout);
                let mut rules = beside.as_ref().map_or(rules.to_string(), |b| b.mend_rules(&rules));
                if let Some(beside) = beside.filter(|_| self.job.preprocess.iter().any(|a| a == "-MM")) {
                    // To the preprocessor they are system headers, which -MM leaves out.
                    let without =
                        |a: &OsString| a != "-M" && a != "-MM" && !self.job.depend.iter().any(|d| a == d.as_str());
                    let text =
                        Cmd::new(cmd.words.iter().filter(|w| without(w))).temporaries_in(self.scratch.path()).run()?;
                    rules = depend::with(
                        &rules,
                        &beside.mend_text(text.stdout).1,
                        self.job.depend.iter().any(|a| a == "-MP"),
                    );
                }
                depend::without(&rules, &self.headers).into_bytes()
            }
            (false, Some(beside)) => beside.mend_text(ended.stdout).0,
            (false, None) => ended.stdout,
        };
        write_out(self.job.output.as_deref(), &text)?;
        match ended.status {
            0 => Ok(()),
            status => Err(Failure::reported(status)),
        }
    }

    /// `cc -x cpp-output -c`: from the generated C to an object, to assembler with `-S`, to nothing with
    /// `-fsyntax-only`.
    pub fn compile(&self, input: &Input, c: &Path, object: &Path, log: &mut String) -> Result<()> {
        let text = std::fs::read(c).unwrap_or_default();
        let marked = |mark: &[u8]| text.windows(mark.len()).any(|w| w == mark);
        let simd = marked(SIMD).then_some("-fopenmp-simd");
        let words = self.cc.words.iter().chain(&self.job.common);
        let no_lto = (optimises_links(words) && marked(STORAGE)).then_some("-fno-lto");
        // The mark permits vectorisation. If clang declines, the program is not at fault.
        let quiet = self.is_clang.then_some("-Wno-pass-failed");
        let cmd = self
            .cmd()
            .args(gnu_c89(dialect(input)))
            .args(QUIET_GENERATED)
            .args(quiet_returns(dialect(input), &self.job.common))
            .args(simd)
            .args(no_lto)
            .args(quiet)
            .args(self.tells_accesses())
            .args(["-x", "cpp-output"])
            .arg(c);
        let cmd = match self.job.goal {
            Goal::Check => cmd.arg("-fsyntax-only"),
            Goal::Assembly => cmd.arg("-S").arg("-o").arg(object),
            _ => cmd.arg("-c").arg("-o").arg(object),
        };
        let before = log.len();
        let status = self.execute(&cmd, log)?;
        let said = without_far_columns(&log.split_off(before), |file, row| {
            let text = std::fs::read(file).ok()?;
            Some(String::from_utf8_lossy(text.split(|&b| b == b'\n').nth(row.checked_sub(1)?)?).into_owned())
        });
        log.push_str(&said);
        match status {
            0 => Ok(()),
            status => {
                let name = input.path.display();
                log.push_str(&format!(
                    "fathom: error: the C compiler rejected the C generated from {name} (status {status})\n"
                ));
                if !self.job.keep_c {
                    log.push_str("  help: its lines are those of your source; --keep-c keeps the generated C\n");
                }
                Err(Failure::reported(status))
            }
        }
    }

    /// The C compiler's options with which generated code calls the conduit at each access to memory: those of the thread
    /// sanitizer, whose library is not linked.
    fn tells_accesses(&self) -> &'static [&'static str] {
        match (self.job.accesses && self.conduit.description.counts, self.is_clang) {
            (false, _) => &[],
            (true, false) => &["-fsanitize=thread", "--param=tsan-distinguish-volatile=0", "-Wno-tsan"],
            (true, true) => &["-fsanitize=thread", "-mllvm", "-tsan-instrument-func-entry-exit=0"],
        }
    }

    /// Sources that are not the front end's.
    pub fn compile_foreign(&self, input: &Input, object: &Path, log: &mut String) -> Result<()> {
        readable_source(&input.path)?;
        let mut cmd = self.cmd().args(&self.job.preprocess).args(&self.job.depend);
        if let Some(x) = &input.dash_x {
            cmd = cmd.args(["-x", x]);
        }
        let cmd = match self.job.goal {
            Goal::Check => cmd.arg("-fsyntax-only").arg(&input.path),
            Goal::Assembly => cmd.arg("-S").arg(&input.path).arg("-o").arg(object),
            _ => cmd.arg("-c").arg(&input.path).arg("-o").arg(object),
        };
        match self.execute(&cmd, log)? {
            0 => Ok(()),
            status => Err(Failure::reported(status)),
        }
    }

    /// What the runtime of this job's programs is made with.
    pub fn recipe(&self) -> Result<Recipe> {
        Recipe::new(&self.conduit, &self.job.common)
    }

    /// Links the objects, the user's libraries, and the runtime, whose `main` runs before the program's.
    pub fn link(&self, objects: &[PathBuf], out: &Path, log: &mut String) -> Result<()> {
        let mut cmd = self.cmd().arg("-o").arg(out);
        for item in &self.job.link {
            cmd = match item {
                LinkItem::Unit(i) => cmd.arg(&objects[*i]),
                LinkItem::Arg(a) => {
                    if !a.starts_with('-') && !Path::new(a).exists() && self.looks_like_file(a) {
                        readable(Path::new(a))?;
                    }
                    cmd.arg(a)
                }
            };
        }
        if !self.job.no_runtime {
            let recipe = self.recipe()?;
            let library = match self.job.dry_run {
                true => PathBuf::from("libfathom.a"),
                // Built now if it is not in the cache.
                false => self.sources.library(&self.cache, &self.cc, &recipe, self.job.verbose)?,
            };
            // The runtime's reference to `main` is a weak one, which would neither fetch it from an archive nor complain.
            cmd = cmd.args(["-Wl,--wrap=main", "-Wl,-u,main"]).args(self.split_c_options(objects));
            cmd = cmd.arg(library).args(recipe.link());
        }
        let said_before = log.len();
        let _written = (!self.job.dry_run).then(|| BeingWritten::new(out));
        match self.execute(&cmd, log)? {
            0 => Ok(()),
            status => {
                let too_far = out_of_reach(&log[said_before..]);
                let without_main = lacks_main(&log[said_before..]);
                log.push_str(&format!("fathom: error: linking {} failed (status {status})\n", out.display()));
                if too_far {
                    log.push_str(OUT_OF_REACH_HELP);
                }
                if without_main {
                    log.push_str("help: a program needs a function `main`, in Split-C `splitc_main`; none of these files defines it\n");
                }
                Err(Failure::reported(status))
            }
        }
    }

    /// In a program with a part in Split-C, `malloc` and its like take memory of the segment
    /// (runtime/lang/split_c_start.c). Pointers to functions and local addresses of variables mean the same on all
    /// processors, which processes that are started one by one have only where the program lies at a fixed address.
    fn split_c_options(&self, objects: &[PathBuf]) -> Vec<String> {
        let is_marked =
            |path: &Path| std::fs::read(path).is_ok_and(|object| memchr::memmem::find(&object, SPLIT_C_MARK).is_some());
        let is_split_c = |item: &LinkItem| match item {
            LinkItem::Arg(a) => !a.starts_with('-') && is_marked(Path::new(a)),
            LinkItem::Unit(i) => match self.job.inputs[*i].language {
                Language::SplitC => true,
                Language::Upc | Language::Preprocessed => false,
                Language::Foreign => is_marked(&objects[*i]),
            },
        };
        if !self.job.link.iter().any(is_split_c) {
            return vec![];
        }
        let places = |w: &String| matches!(w.as_str(), "-pie" | "-no-pie" | "-static" | "-static-pie");
        let words = self.job.common.iter().chain(self.job.link.iter().filter_map(|item| match item {
            LinkItem::Arg(a) => Some(a),
            LinkItem::Unit(_) => None,
        }));
        let fixed = (!words.into_iter().any(places)).then(|| "-no-pie".to_owned());
        // Constants are to lie in pages without code, which can be moved into the segment: for 64-bit ARM, GNU ld does not
        // separate them by itself.
        let apart = (self.options.target.name == Target::AARCH64.name).then(|| "-Wl,-z,separate-code".to_owned());
        HEAP.iter().map(|function| format!("-Wl,--wrap={function}")).chain(fixed).chain(apart).collect()
    }

    /// Not the value of an option that the linker was given in two words.
    fn looks_like_file(&self, arg: &str) -> bool {
        let mut before = None;
        for item in &self.job.link {
            match item {
                LinkItem::Arg(a) if a == arg => {
                    return !matches!(before, Some("-L" | "-l" | "-Xlinker" | "-u" | "-z" | "-e"))
                }
                LinkItem::Arg(a) => before = Some(a.as_str()),
                LinkItem::Unit(_) => before = None,
            }
        }
        false
    }
}

/// Does the linker complain about static shared data that lies farther away than code reaches? Each linker has words of
/// its own: GNU ld, gold, lld and mold.
fn out_of_reach(said: &str) -> bool {
    let complains = ["relocation truncated to fit", "relocation overflow", "out of range"];
    complains.iter().any(|c| said.contains(c))
}

/// A symbol that every object made from Split-C has.
const SPLIT_C_MARK: &[u8] = b"fathom_split_unit";
const HEAP: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "strdup",
    "strndup",
    "reallocarray",
    "getline",
    "getdelim",
    "__getdelim",
];

/// As GNU ld, gold and lld say it.
fn lacks_main(said: &str) -> bool {
    ["reference to `main'", "reference to 'main'", "undefined symbol: main\n"].iter().any(|c| said.contains(c))
}

const OUT_OF_REACH_HELP: &str = "\
help: code can address 2 GiB of static data. Private objects and static shared objects below 16 MiB per thread count;
  larger shared ones do not if the program is linked dynamically (without -static) by GNU ld, gold or lld: allocate some
  of the objects (upc_all_alloc, malloc), or compile with -mcmodel=large
";

/// The target of the C compiler with the user's options: the result of `-dumpmachine`, and whether `char` is signed.
fn target(cc: &Compiler, cache: &Cache, options: &[String]) -> Result<Target> {
    let chosen: Vec<&String> = options.iter().filter(|o| o.starts_with("--target=")).collect();
    let triple = cc.triple(&chosen, cache)?;
    let mut target = Target::of_triple(&triple).ok_or_else(|| {
        Failure::new(format!("Fathom does not know the C types of '{triple}', for which the C compiler compiles"))
            .hint("it knows those of x86-64 and of 64-bit ARM on Linux; FATHOM_CC names the C compiler")
    })?;
    for option in cc.words.iter().chain(options) {
        match option.as_str() {
            "-fsigned-char" | "-fno-unsigned-char" => target.char_is_signed = true,
            "-funsigned-char" | "-fno-signed-char" => target.char_is_signed = false,
            _ => {}
        }
    }
    Ok(target)
}

/// What `-imacros` defines before the first line of a unit.
fn predefined(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Upc => "include/fathom_predefined.h",
        Dialect::SplitC => "include/fathom_predefined_split_c.h",
    }
}

fn threads_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Upc => "THREADS",
        Dialect::SplitC => "PROCS",
    }
}

/// Split-C's `inline` is that of its time.
fn gnu_c89(dialect: Dialect) -> Option<&'static str> {
    (dialect == Dialect::SplitC).then_some("-fgnu89-inline")
}

/// Functions of old Split-C programs have the type `int` by default and return nothing, which clang rejects. Whoever asks
/// for warnings gets those.
fn quiet_returns(dialect: Dialect, words: &[String]) -> Option<&'static str> {
    let asks = |w: &String| ["-Wall", "-Wextra", "-W"].contains(&w.as_str()) || w.ends_with("return-type");
    match words.iter().any(asks) {
        _ if dialect != Dialect::SplitC => None,
        false => Some("-Wno-return-type"),
        true if words.iter().any(|w| w.ends_with("=return-type")) => None,
        true => Some("-Wno-error=return-type"),
    }
}

/// The language that the front end takes a source for.
fn dialect(input: &Input) -> Dialect {
    match input.language {
        Language::SplitC => Dialect::SplitC,
        _ => Dialect::Upc,
    }
}

/// `inline` has its meaning of GNU C89: the C compiler's words and the user's options say so, as gcc and clang read
/// them (`-std=` counts only where no `-fgnu89-inline` or its opposite does).
fn gnu_inline<'a>(options: impl Iterator<Item = &'a String>) -> bool {
    let (mut asked, mut c89) = (None, false);
    for option in options {
        match option.as_str() {
            "-fgnu89-inline" => asked = Some(true),
            "-fno-gnu89-inline" => asked = Some(false),
            "-ansi" => c89 = true,
            _ => {
                if let Some(standard) = option.strip_prefix("-std=").or_else(|| option.strip_prefix("--std=")) {
                    c89 = ["c89", "gnu89", "c90", "gnu90", "iso9899:1990", "iso9899:199409"].contains(&standard);
                }
            }
        }
    }
    asked.unwrap_or(c89)
}

/// The preprocessor's messages without its warnings about quotes that a line does not close (each with the lines of
/// source below it): only the front end knows whether they are literals over several lines, and it reports the others.
fn without_open_quotes(said: &str) -> String {
    let mut inside = false;
    let keep = |line: &&str| {
        let about = line.contains("missing terminating") && line.contains("warning");
        inside = about || (inside && line.starts_with(' '));
        !inside
    };
    said.split_inclusive('\n').filter(keep).collect()
}

/// Fails with a plain sentence if `path` cannot be read.
pub fn readable(path: &Path) -> Result<()> {
    opened(path).map(drop)
}

/// None: standard input.
fn opened(path: &Path) -> Result<Option<std::fs::File>> {
    if path.as_os_str() == "-" {
        return Ok(None);
    }
    let file = std::fs::File::open(path).or_io("read", path)?;
    match file.metadata().is_ok_and(|m| m.is_dir()) {
        true => Err(Failure::new(format!("cannot read {}: it is a folder", path.display()))),
        false => Ok(Some(file)),
    }
}

/// The same of a source, which is no program or object by the name of one: the C compiler would take minutes to say so.
fn readable_source(path: &Path) -> Result<()> {
    const ELF: [u8; 4] = *b"\x7fELF";
    let file = opened(path)?.filter(|file| file.metadata().is_ok_and(|m| m.is_file()));
    let mut first = [0; ELF.len()];
    let is_whole = file.is_some_and(|mut file| file.read_exact(&mut first).is_ok());
    match is_whole && first == ELF {
        true => Err(Failure::new(format!("{} is a program or an object, not a source", path.display()))
            .hint("its name ends as that of a source does: rename it")),
        false => Ok(()),
    }
}

/// Writes to a file, or to standard output if `to` is none or `-`.
pub fn write_out(to: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match to.filter(|p| p.as_os_str() != "-") {
        Some(path) => std::fs::write(path, bytes).or_io("write", path),
        None => match std::io::Write::write_all(&mut std::io::stdout(), bytes) {
            // A reader that stops reading (`| head`) is not an error.
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            r => r.or_io("write", Path::new("the standard output")),
        },
    }
}

/// Objects may be accessed by any type: the last option about it says so.
fn any_type<'a>(options: impl Iterator<Item = &'a String>) -> bool {
    options.filter(|o| o.ends_with("strict-aliasing")).last().is_some_and(|o| o == "-fno-strict-aliasing")
}

/// Do the linker's optimisations across units (`-flto`) rewrite the code? They put the assembly of several units into one
/// file, where names of two units' own objects are the same, or into another file than the functions that use it.
fn optimises_links<'a>(options: impl Iterator<Item = &'a String>) -> bool {
    options
        .filter(|o| *o == "-flto" || o.starts_with("-flto=") || *o == "-fno-lto")
        .last()
        .is_some_and(|o| o != "-fno-lto")
}

/// A file name for temporary files that tells inputs of the same name in different folders apart.
pub fn unique_stem(path: &Path) -> String {
    let stem = path.file_stem().map_or("input".into(), |s| s.to_string_lossy());
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    format!("{stem}-{}", &hash[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_has_the_meaning_that_the_options_give_it() {
        let asked = |line: &str| gnu_inline(line.split(' ').map(String::from).collect::<Vec<_>>().iter());
        for line in
            ["gcc -std=gnu89", "gcc -ansi -O2", "gcc -std=c99 -std=iso9899:199409", "gcc -fgnu89-inline -std=c11"]
        {
            assert!(asked(line), "{line}");
        }
        for line in ["gcc -O2", "gcc -std=c89 -std=c99", "gcc -fno-gnu89-inline -std=gnu89", "gcc -std=gnu17"] {
            assert!(!asked(line), "{line}");
        }
    }

    #[test]
    fn the_last_option_about_aliases_counts() {
        let asked = |line: &str| any_type(line.split(' ').map(String::from).collect::<Vec<_>>().iter());
        assert!(asked("gcc -fstrict-aliasing -O2 -fno-strict-aliasing"));
        assert!(!asked("gcc -O2") && !asked("gcc -fno-strict-aliasing -fstrict-aliasing"));
    }

    #[test]
    fn the_last_option_about_links_counts() {
        let asked = |line: &str| optimises_links(line.split(' ').map(String::from).collect::<Vec<_>>().iter());
        assert!(asked("gcc -flto -O2") && asked("clang -fno-lto -flto=thin") && asked("gcc -flto=2"));
        assert!(!asked("gcc -O2") && !asked("gcc -flto -fno-lto") && !asked("gcc -flto-partition=max -fno-lto"));
    }

    #[test]
    fn warnings_about_open_quotes_go_with_their_lines_of_source() {
        let said = "x.upc:6:12: warning: missing terminating \" character\n    6 |  \"a\n      |  ^\nx.upc:9: warning: other\n    9 | b\n";
        assert_eq!(without_open_quotes(said), "x.upc:9: warning: other\n    9 | b\n");
    }
}
