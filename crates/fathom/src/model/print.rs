//! Writes answers, for the terminal and as JSON.

use fathom_model::answer::{number, Answer, Outcome};
use fathom_model::{Listed, MachineFile};
use serde_json::{json, Value};

/// An answer for a reader. `before` is there if figures were changed, and holds the answer without the changes if
/// there was one.
pub fn text(machine: &str, answer: &Answer, before: Option<Option<&Answer>>) {
    if answer.are_alternatives && answer.results.len() > 1 {
        println!("{machine}: {}\n", answer.query);
        let width = answer.results.iter().map(|r| number(r.value).len()).max().unwrap_or(0);
        for r in &answer.results {
            println!("  {:>width$} {}   {}{}", number(r.value), r.unit, r.label, was(r, before));
        }
        println!("\nThe first, step by step:\n");
        answer.results.first().into_iter().for_each(steps);
    } else {
        for (i, r) in answer.results.iter().enumerate() {
            let gap = if i > 0 { "\n" } else { "" };
            println!("{gap}{machine}: {} = {} {}{}\n", r.label, number(r.value), r.unit, was(r, before));
            steps(r);
        }
    }
    let mut notes: Vec<&String> = vec![];
    for note in answer.results.iter().flat_map(|r| &r.notes) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    if !notes.is_empty() {
        println!();
    }
    for note in notes {
        println!("note: {note}");
    }
}

fn was(now: &Outcome, before: Option<Option<&Answer>>) -> String {
    let Some(before) = before else { return String::new() };
    match before.and_then(|b| b.results.iter().find(|r| r.label == now.label)) {
        Some(old) if old.value == now.value => "   (as before)".into(),
        Some(old) => {
            format!("   (before: {}, {:+.1} %)", number(old.value), 100.0 * (now.value - old.value) / old.value)
        }
        None => "   (not possible before)".into(),
    }
}

fn steps(outcome: &Outcome) {
    let what: Vec<String> = outcome.steps.iter().map(|s| format!("{}{}", "  ".repeat(s.depth), s.what)).collect();
    let values: Vec<String> = outcome.steps.iter().map(|s| number(s.value)).collect();
    let wide = |list: &[String]| list.iter().map(|s| s.chars().count()).max().unwrap_or(0);
    let (first, second) = (wide(&what), wide(&values));
    for (i, s) in outcome.steps.iter().enumerate() {
        println!("  {:<first$}   {:>second$} {}   {}", what[i], values[i], s.unit, s.how);
    }
}

/// An answer for a program.
pub fn json(machine: &str, answer: &Answer, before: Option<&Answer>) {
    let mut value = json!({ "machine": machine, "query": answer.query, "results": answer.results });
    if let Some(before) = before {
        value["before"] = json!(before.results);
    }
    print_json(&value);
}

fn print_json(value: &Value) {
    println!("{value:#}");
}

pub fn machines(all: &[(String, MachineFile)], as_json: bool) {
    if as_json {
        let list: Vec<Value> =
            all.iter().map(|(id, m)| json!({ "machine": id, "name": m.name, "models": m.models() })).collect();
        return print_json(&json!(list));
    }
    let width = all.iter().map(|(id, _)| id.len()).max().unwrap_or(0);
    for (id, m) in all {
        println!("{id:width$}  {}: {}", m.name, m.models().join(", "));
    }
}

/// The figures of a machine and where they come from.
pub fn figures(machine: &MachineFile, simulated: Vec<Listed>, as_json: bool) {
    let list = [machine.list(), simulated].concat();
    if as_json {
        return print_json(&json!({ "name": machine.name, "figures": list }));
    }
    println!("{}\n", machine.name);
    let what = list.iter().map(|l| l.what.chars().count()).max().unwrap_or(0);
    let value = list.iter().map(|l| l.value.chars().count()).max().unwrap_or(0);
    for l in list {
        println!("  {:<what$}   {:>value$}   {}", l.what, l.value, l.source);
    }
}
