//! Make rules as the preprocessor writes them (`-MD`): reading them, and removing files that are not the user's.

use std::path::{Path, PathBuf};

/// The rules without the files below `own`: the headers in our cache come and go without the user's doing.
pub fn without(rules: &str, own: &Path) -> String {
    let own = escaped(&own.display().to_string());
    let mut out = String::new();
    for rule in rules.replace("\\\n", " ").lines() {
        let words = split(rule);
        let Some((target, files)) = words.split_first() else {
            continue;
        };
        if target.starts_with(&own) {
            continue; // A rule without prerequisites, of -MP.
        }
        out += target;
        for file in files.iter().filter(|f| !f.starts_with(&own)) {
            out += " \\\n ";
            out += file;
        }
        out.push('\n');
    }
    out
}

/// The rules with more `files` in the first one, and with `phony` a rule without prerequisites for each, as -MP has it.
pub fn with(rules: &str, files: &[String], phony: bool) -> String {
    let joined = rules.replace("\\\n", " ");
    let (rule, others) = joined.split_once('\n').unwrap_or((&joined, ""));
    let files: Vec<String> = files.iter().map(|f| escaped(f)).collect();
    let mut out = rule.to_string();
    for file in &files {
        out += &format!(" \\\n {file}");
    }
    out += &format!("\n{others}");
    for file in files.iter().filter(|_| phony) {
        out += &format!("{file}:\n");
    }
    out
}

/// The files after the colon of the first rule.
pub fn prerequisites(rules: &str) -> Vec<PathBuf> {
    let rules = rules.replace("\\\n", " ");
    let rule = rules.lines().next().unwrap_or("");
    split(rule).iter().skip_while(|w| !w.ends_with(':')).skip(1).map(|w| PathBuf::from(plain(w))).collect()
}

/// Words between blanks, escapes left in.
fn split(rule: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut chars = rule.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.push(String::new()),
            _ => {
                if let Some(word) = words.last_mut() {
                    word.push(c);
                    if c == '\\' {
                        word.extend(chars.next());
                    }
                }
            }
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

pub(crate) fn escaped(path: &str) -> String {
    path.replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ")
}

fn plain(word: &str) -> String {
    word.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prerequisites_are_read_with_their_escapes() {
        let files = prerequisites("x: a.upc \\\n dir/b\\ c.h \\\n  d$$.h\n\na.h:\n");
        assert_eq!(files, ["a.upc", "dir/b c.h", "d$.h"].map(PathBuf::from));
    }

    #[test]
    fn files_join_the_first_rule() {
        let rules = "x.o: a.upc \\\n b.h\n\nb.h:\n";
        assert_eq!(with(rules, &["c d.h".into()], false), "x.o: a.upc   b.h \\\n c\\ d.h\n\nb.h:\n");
        assert_eq!(with("x.o: a.upc\n", &["c.h".into()], true), "x.o: a.upc \\\n c.h\nc.h:\n");
    }

    #[test]
    fn own_headers_leave_the_rules() {
        let rules = "x.o: a.upc /my\\ cache/upc.h \\\n b.h \\\n /my\\ cache/c.h\n\nb.h:\n\n/my\\ cache/c.h:\n";
        assert_eq!(without(rules, Path::new("/my cache")), "x.o: \\\n a.upc \\\n b.h\nb.h:\n");
    }
}
