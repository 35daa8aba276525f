//! `fathom reproduce --claims`: every claim of the list with what became of it.

use super::Done;
use fathom_report::Table;
use fathom_simulate::reproduce::{count, verdicts, Classes, Entry, Report, Results, Study, Verdict};

/// A line for each claim whose number begins with one of these letters, and the counts.
pub fn text(all: &[Done], programs: &[Results], letters: &[char]) -> String {
    let reports: Vec<(&'static Study, &Report)> = all.iter().map(|done| (done.study, &done.report)).collect();
    let found: Results = programs.iter().flatten().map(|(id, ours)| (*id, *ours)).collect();
    let mut entries = verdicts(&reports, &found);
    entries.retain(|entry| entry.listed.id.starts_with(letters));
    let mut table = Table::new(["", "claim", "kind", "", "how", "shown by, or why not"]);
    for entry in &entries {
        let by = if entry.why.is_empty() { entry.by.join(", ") } else { entry.why.join("; ") };
        let verdict = entry.verdict.words();
        let cells = [entry.listed.id, entry.listed.what, entry.listed.kind.word(), verdict, &how(&entry.classes), &by];
        table.push(cells.map(String::from));
    }
    format!("{}\n{}\n", table.text(crate::probe::width()), sentences(&entries))
}

fn how(classes: &Classes) -> String {
    let one = |(n, word): (usize, &str)| if n == 1 { word.to_string() } else { format!("{n} {word}") };
    classes.words().into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The counts.
fn sentences(entries: &[Entry]) -> String {
    let counts: Vec<String> = Verdict::ALL
        .into_iter()
        .filter_map(|verdict| {
            let n = count(entries, verdict);
            (n > 0).then(|| format!("{n} {}", verdict.words()))
        })
        .collect();
    let mut text = format!("{} claims: {}", entries.len(), counts.join(", "));
    let marked: Vec<&Entry> = entries.iter().filter(|entry| entry.listed.should_emerge).collect();
    if !marked.is_empty() {
        let of = |is: fn(&Entry) -> bool| marked.iter().filter(|entry| is(entry)).count();
        text += &format!(
            "\nof {} that should follow from other figures, {} are emergent, and {} are sizes that inferences find from times",
            marked.len(),
            of(Entry::is_emergent),
            of(Entry::is_inferred)
        );
        let others: Vec<&str> =
            marked.iter().filter(|e| !e.is_emergent() && !e.is_inferred()).map(|e| e.listed.id).collect();
        if !others.is_empty() {
            text += &format!("; not so: {}", others.join(", "));
        }
    }
    text + "\n"
}
