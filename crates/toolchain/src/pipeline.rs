//! The map: everything that happens between a command line and a program, in order.

use crate::args::{CommandLine, Goal, Input, Language};
use crate::failure::{Failure, OrIo, Result};
use crate::render::{render, Style};
use crate::steps::{unique_stem, Session};
use crate::text::{self, Text};
use crate::workers;
use fathom_sema::rules::{is_of_dynamic_threads, is_of_missing_casts};
use fathom_syntax::{Diag, Severity};
use std::io::Write;
use std::path::{Path, PathBuf};

/// `fathom cc`: performs the command line `job`.
pub fn run(job: &CommandLine) -> Result<()> {
    check(job)?;
    let session = Session::open(job)?;
    let units = for_each_input(job, |input, log| unit(&session, input, log))?;
    if job.goal == Goal::Link {
        let mut log = String::new();
        let linked = session.link(&units, &output(job), &mut log);
        eprint!("{log}");
        linked?;
    }
    Ok(())
}

/// One translation unit, from its source to the goal; the path of the result.
fn unit(session: &Session, input: &Input, log: &mut String) -> Result<PathBuf> {
    let job = session.job;
    let object = object_path(session, input);
    if job.goal == Goal::Preprocess {
        session.show_preprocessed(input, log)?;
    } else if input.language == Language::Foreign {
        session.compile_foreign(input, &object, log)?;
    } else {
        let text = match input.language {
            Language::Preprocessed => std::fs::read(&input.path).or_io("read", &input.path)?,
            _ => session.preprocess(input, &[], &object, log)?,
        };
        if !job.dry_run {
            unit_of_text(session, input, text, &object, log)?;
        }
    }
    Ok(object)
}

/// The part of [`unit`] that comes after the preprocessor.
pub(crate) fn unit_of_text(
    session: &Session,
    input: &Input,
    text: Vec<u8>,
    object: &Path,
    log: &mut String,
) -> Result<()> {
    let c = with_headers(session, input, text, object, log)?;
    if session.job.goal == Goal::Plan {
        return print_plan(session.job, &c);
    }
    let c_file = keep_generated(session, input, object, &c)?;
    match session.job.goal {
        Goal::Translate => Ok(()),
        _ => session.compile(input, &c_file, object, log),
    }
}

/// The front end, and the preprocessor again as long as the text uses a library of UPC without its header: with it.
fn with_headers(
    session: &Session,
    input: &Input,
    mut text: Vec<u8>,
    object: &Path,
    log: &mut String,
) -> Result<Vec<u8>> {
    let mut headers = vec![];
    loop {
        match translate(session, input, text, &headers, log)? {
            Translated::C(c) => return Ok(c),
            Translated::Lacks(more) => headers.extend(more),
        }
        // The preprocessor has given its messages in the first run.
        let mut said = String::new();
        let again = session.preprocess(input, &headers, object, &mut said);
        if again.is_err() || session.job.verbose {
            log.push_str(&said);
        }
        text = again?;
    }
}

enum Translated {
    /// Or the plan, where that is the goal.
    C(Vec<u8>),
    /// Headers of libraries that the text uses without them.
    Lacks(Vec<&'static str>),
}

/// The front end: preprocessed text to C. Every pass, in order; errors end it after `sema`, all of them reported.
/// `included` are headers that the text has although the source does not include them.
fn translate(
    session: &Session,
    input: &Input,
    text: Vec<u8>,
    included: &[&str],
    log: &mut String,
) -> Result<Translated> {
    let Text { text, latin1 } = text::decode(text, &input.path)?;
    let options = session.options_of(input);
    text::on_deep_stack(&input.path, || {
        let parsed = fathom_syntax::parse(text, options);
        let (sema, mut found) = fathom_sema::check(&parsed, options);
        if session.job.permissive {
            for d in found.iter_mut().filter(|d| is_of_missing_casts(d.code)) {
                d.severity = Severity::Warning;
            }
        }
        let mut report = |diags: &[Diag]| {
            let (said, errors) = render(&parsed.source, diags, style(session));
            log.push_str(&said);
            if errors > 0 {
                let mut faults = diags.iter().filter(|d| d.severity == Severity::Error);
                let only_dynamic_threads = faults.all(|d| is_of_dynamic_threads(d.code));
                Err(Failure { only_dynamic_threads, ..Failure::reported(1) })
            } else {
                Ok(())
            }
        };
        let mut lacks = fathom_sema::missing_headers(&parsed, &sema, &found);
        lacks.retain(|(header, _)| !included.contains(header));
        if !lacks.is_empty() && input.language != Language::Preprocessed {
            let (headers, said): (Vec<_>, Vec<_>) = lacks.into_iter().unzip();
            report(&said)?;
            return Ok(Translated::Lacks(headers));
        }
        report(&[&parsed.diags[..], &found[..]].concat())?;
        let lowering = fathom_lower::Options {
            direct: session.conduit.direct(),
            explain: session.job.explain,
            count: session.conduit.description.counts,
            strips: session.job.strips(&session.conduit),
            check: session.job.comm_check,
            hiding: session.job.hiding(),
        };
        if session.job.goal == Goal::Plan {
            let plan = fathom_lower::plan::Plan::new(&parsed, &sema, lowering);
            return Ok(Translated::C(plan.print(&parsed, &sema).into()));
        }
        remark(session.job, &parsed, &sema, lowering, log);
        let lowered = fathom_lower::lower(&parsed, &sema, lowering);
        let c = text::hush_own_headers(&fathom_emit::emit(&parsed, &lowered), &session.headers);
        Ok(Translated::C(text::encode(c, latin1)))
    })
}

/// What became of each access that may be far, as far as the user asks.
fn remark(
    job: &CommandLine,
    parsed: &fathom_syntax::Parsed,
    sema: &fathom_sema::Sema,
    lowering: fathom_lower::Options,
    log: &mut String,
) {
    if !job.remarks_served && !job.remarks_missed {
        return;
    }
    let planned = fathom_lower::Options { strips: true, ..lowering };
    for v in fathom_lower::plan::Plan::new(parsed, sema, planned).verdicts(parsed, sema, lowering.strips) {
        if !(if v.served { job.remarks_served } else { job.remarks_missed }) {
            continue;
        }
        let place = parsed.source.place(parsed.source.tokens[v.at.lo as usize].lo);
        let option = if v.served { "-Rcomm" } else { "-Rcomm-missed" };
        let file = parsed.source.files.get(place.file as usize).map_or("", |f| f);
        log.push_str(&format!("{file}:{}:{}: note: {} [{option}]\n", place.line, place.col, v.text));
        if let Some(hint) = v.hint {
            log.push_str(&format!("  hint: {hint}\n"));
        }
    }
}

fn style(session: &Session) -> Style {
    let job = session.job;
    Style {
        format: job.diag_format,
        colour: session.colour,
        max_errors: job.max_errors.map_or(50, |n| if n == 0 { usize::MAX } else { n }),
        warnings: !job.no_warnings,
        warnings_are_errors: job.werror,
    }
}

/// Errors in the command line that a C driver reports before it starts.
fn check(job: &CommandLine) -> Result<()> {
    if !job.has_input() {
        return Err(Failure::new("no input files").hint("for example: fathom cc -O2 -o heat heat.upc"));
    }
    if job.goal != Goal::Link && job.output.is_some() && job.inputs.len() > 1 {
        return Err(Failure::new("one -o cannot name the results of several inputs")
            .hint("leave -o out, or compile one file at a time"));
    }
    if let Some(out) = &job.output {
        let same = |i: &Input| std::fs::canonicalize(&i.path).ok() == std::fs::canonicalize(out).ok() && out.exists();
        if job.inputs.iter().any(same) {
            return Err(Failure::new(format!("the output {} is an input as well", out.display())));
        }
    }
    Ok(())
}

fn output(job: &CommandLine) -> PathBuf {
    job.output.clone().unwrap_or_else(|| "a.out".into())
}

/// The path of the object (or assembler text) of an input.
fn object_path(session: &Session, input: &Input) -> PathBuf {
    let job = session.job;
    let stem = input.path.file_stem().unwrap_or_default().to_string_lossy();
    match job.goal {
        Goal::Assembly => job.output.clone().unwrap_or_else(|| format!("{stem}.s").into()),
        Goal::Object => job.output.clone().unwrap_or_else(|| format!("{stem}.o").into()),
        _ if job.save_temps => format!("{stem}.o").into(),
        _ => session.scratch.join(format!("{}.o", unique_stem(&input.path))),
    }
}

/// `--print plan`, to standard output or where `-o` says.
fn print_plan(job: &CommandLine, plan: &[u8]) -> Result<()> {
    match &job.output {
        Some(path) => std::fs::write(path, plan).or_io("write", path),
        None => std::io::stdout().write_all(plan).or_io("write", Path::new("standard output")),
    }
}

/// Writes the generated C where the C compiler reads it: a temporary file, or `x.trans.c` that stays (`--keep-c`).
fn keep_generated(session: &Session, input: &Input, object: &Path, c: &[u8]) -> Result<PathBuf> {
    let job = session.job;
    let name = format!("{}.trans.c", input.path.file_stem().unwrap_or_default().to_string_lossy());
    let path = match job.goal {
        Goal::Translate => job.output.clone().unwrap_or_else(|| name.into()),
        _ if !job.keep_c => session.scratch.join(format!("{}.c", unique_stem(&input.path))),
        Goal::Object | Goal::Assembly => object.with_file_name(name),
        _ => output(job).with_file_name(name),
    };
    std::fs::write(&path, c).or_io("write", &path)?;
    Ok(path)
}

/// Does `work` for every input, as many at once as there are cores. The messages appear in the order of the inputs.
fn for_each_input<T: Send>(
    job: &CommandLine,
    work: impl Fn(&Input, &mut String) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let results = workers::each(job.inputs.len(), |i| {
        let mut log = String::new();
        let result = work(&job.inputs[i], &mut log);
        (log, result)
    });
    let mut made = vec![];
    let mut failure: Option<Failure> = None;
    for (log, result) in results {
        eprint!("{log}");
        match result {
            Ok(t) => made.push(t),
            Err(f) => {
                if !f.what.is_empty() {
                    crate::scratch::stop_if_signalled();
                    eprintln!("fathom: error: {f}");
                }
                failure.get_or_insert(Failure::reported(f.status));
            }
        }
    }
    failure.map_or(Ok(made), Err)
}
