//! The man pages that `fathom install` writes: one for the command, one for each subcommand, and one for each other
//! name of the binary. They say what `--help` says, because both are made from the same declarations; only the layout
//! is made here.

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fmt::Write;

/// A page: its name (`fathom-cc.1`) and its text in the man macros of troff.
pub struct Page {
    pub file: String,
    pub text: String,
}

/// Every page of section 1.
pub fn pages() -> Vec<Page> {
    let mut root = crate::Cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = vec![];
    with_subcommands(&root, &mut pages);
    pages.push(Page { file: "upcc.1".into(), text: ".so man1/fathom-cc.1\n".into() });
    pages.push(Page { file: "splitc.1".into(), text: ".so man1/fathom-cc.1\n".into() });
    pages.push(upcrun());
    pages
}

fn with_subcommands(command: &Command, pages: &mut Vec<Page>) {
    pages.push(page(command));
    for inner in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        with_subcommands(inner, pages);
    }
}

fn page(command: &Command) -> Page {
    let man = Man::new(command.clone());
    let mut text = vec![];
    let made = man
        .render_name_section(&mut text)
        .and_then(|()| man.render_synopsis_section(&mut text))
        .and_then(|()| man.render_description_section(&mut text))
        .and_then(|()| man.render_options_section(&mut text));
    let made = match command.has_subcommands() {
        true => made.and_then(|()| man.render_subcommands_section(&mut text)),
        false => made,
    };
    made.expect("writing to memory cannot fail");
    let file = man.get_filename();
    let mut text = title(file.trim_end_matches(".1")) + &String::from_utf8_lossy(&text);
    if let Some(after) = command.get_after_help() {
        sections(&mut text, &after.to_string());
    }
    if !command.has_subcommands() {
        text.push_str(".SH \"SEE ALSO\"\n.BR fathom (1)\n");
    }
    Page { file, text: ascii(&text) }
}

/// `upcrun` scans its own arguments, so that its help is a text.
fn upcrun() -> Page {
    let mut text = title("upcrun") + &format!(".SH NAME\nupcrun \\- {}\n", crate::run::UPCRUN_ABOUT);
    sections(&mut text, crate::run::UPCRUN_HELP);
    text.push_str(".SH \"SEE ALSO\"\n.BR fathom-run (1)\n");
    Page { file: "upcrun.1".into(), text: ascii(&text) }
}

/// The first line. It names no date, so that the same sources make the same page.
fn title(name: &str) -> String {
    format!(".TH {name} 1 \"\" \"fathom {}\" Fathom\n", env!("CARGO_PKG_VERSION"))
}

/// Text of a help page as sections: a line that ends in a colon is a heading, the indented lines below it are shown as
/// they are, and everything else is a paragraph.
fn sections(page: &mut String, help: &str) {
    let mut shown = false;
    for line in help.lines() {
        let indented = line.starts_with(' ');
        if shown && !indented && !line.is_empty() {
            page.push_str(".fi\n.PP\n");
            shown = false;
        }
        if indented {
            if !shown {
                page.push_str(".nf\n");
                shown = true;
            }
            let _ = writeln!(page, "{}", escaped(line.strip_prefix("  ").unwrap_or(line)));
        } else if let Some(heading) = line.strip_suffix(':') {
            let _ = writeln!(page, ".SH \"{}\"", escaped(&heading.to_uppercase()));
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            let _ = writeln!(page, ".SH SYNOPSIS\n{}", escaped(usage));
        } else if line.is_empty() {
            // A blank line between two paragraphs; before a heading it is not needed.
            page.push_str(if shown { "" } else { ".PP\n" });
        } else {
            let _ = writeln!(page, "{}", escaped(line));
        }
    }
    if shown {
        page.push_str(".fi\n");
    }
    // Paragraphs without text draw a warning.
    *page = page.replace(".PP\n.SH", ".SH");
}

/// A line that troff prints as it is.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-").replace('"', "\\(dq").replace('\'', "\\(aq");
    match text.starts_with('.') {
        true => format!("\\&{text}"),
        false => text,
    }
}

/// Characters outside ASCII by their numbers: not every troff reads UTF-8.
fn ascii(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c.is_ascii() {
            true => out.push(c),
            false => {
                let _ = write!(out, "\\[u{:04X}]", c as u32);
            }
        }
    }
    out
}
