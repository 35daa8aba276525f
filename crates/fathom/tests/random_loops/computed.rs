//! Random loops about computed places alone: rows of subscripts that are run again and again, a thread's own elements by
//! a private pointer, elements that are updated.

use super::arrays::{Array, Random, REACH};
use std::fmt::Write as _;

/// Rows of subscripts, run several times. Perhaps they never change, and are promised to be so; otherwise some, or the rows' bounds, change in between.
pub fn sparse(r: &mut Random, arrays: &[Array], among: &[usize]) -> String {
    let a = &arrays[r.of(among)];
    let (from, rows, by) = (r.below(4), 2 + r.below(60), r.below(9));
    let picked = format!("(U)(fixed[j] + {by}) % RANGE");
    let row = r.of(&["(row % THREADS)", "MYTHREAD", "(fixed[j] % THREADS)"]);
    let element = match a.has_rows {
        true => format!("{}[{row}][{picked}]", a.name),
        false => format!("{}[{row} * RANGE + {picked}]", a.name),
    };
    let value = a.value(r, &element);
    let constant = ["\n#pragma fathom constant(fixed, bounds)\n", "\n#pragma fathom constant(fixed)\n", ""];
    let independent = ["\n#pragma fathom independent\n", "\n#pragma pgas defer_sync\n", ""];
    let promises = r.of(&constant).to_owned() + r.of(&independent);
    let leaves_out = r.of(&["if (fixed[j] % 3 == 0) continue;", "if (fixed[j] % 3 == row % 3)", ""]);
    let (head, first) = match r.one_in(3) {
        true => ("int lo = bounds[row], hi = bounds[row + 1];", "for (int j = lo; j < hi; j++)"),
        false => ("", "for (int j = bounds[row]; j < bounds[row + 1]; j++)"),
    };
    let sum = format!("{leaves_out} s = s * 17 + {value};");
    let set = "buffer[row] = buffer[row] * 5 + s;";
    let way = r.below(6);
    let loops = match way {
        0 | 1 => {
            format!("for (int j = {from}; j < {rows}; j++) {{ int row = j; buffer[j] = buffer[j] * 5 + {value}; }}")
        }
        // Both counters have one name.
        2 => format!(
            "for (int j = {from}; j < {rows}; j++) {{ U s = 0; int row = j, lo = bounds[j], hi = bounds[j + 1]; \
             for (int j = lo; j < hi; j++) {{ {sum} }} {set} }}"
        ),
        // A variable has what the row before left.
        3 => format!(
            "{{ int j = {from}; {promises}for (int i = {from}; i < {rows}; i++) {{ U s = 0; int row = j % {rows}; \
             for (j = bounds[i]; j < bounds[i + 1]; j++) {{ {sum} }} {set} }} }}"
        ),
        _ => format!("for (int row = {from}; row < {rows}; row++) {{ U s = 0; {head} {first} {{ {sum} }} {set} }}"),
    };
    let changes = match promises.contains("constant") {
        true => "",
        false => r.of(&[
            "",
            "fixed[90] = fixed[100] = (fixed[100] + times) % RANGE;",
            "if (times > 1) fixed[95] = 0;",
            "if (times == 2) { int x = fixed[60]; fixed[60] = fixed[80]; fixed[80] = x; }",
            "for (int k = 0; k < 200; k++) fixed[k] = times % 3 == 2 ? k % 5 : (fixed[k] + 1) % RANGE;",
            "bounds[20] += times % 3; bounds[40] -= 1;",
        ]),
    };
    let number = 2 + r.below(4);
    let before = if way == 3 { "" } else { &promises };
    format!("for (int times = 0; times < {number}; times++) {{ {before}{loops} {changes} }}")
}

/// Loops over private pointers to this thread's own elements, which it also reads as shared ones.
pub fn by_local_pointer(r: &mut Random, a: &Array) -> String {
    let element =
        if a.has_rows { format!("{}[MYTHREAD][i + {}]", a.name, r.below(REACH as u64)) } else { return String::new() };
    let value = a.value(r, &element);
    let pointer = r.of(&["own", "own", "owns[1]", "in.it"]);
    let target = format!("{pointer}[i + {}]", r.below(2 * REACH as u64));
    let write = a.write(r, &target, &value);
    let ty = a.element;
    format!(
        "{{ {ty} *own = ({ty} *)&{}[MYTHREAD][0], *owns[2] = {{0, own}}; struct {{ {ty} *it; int n; }} in = {{own, 1}}; for (int i = 0; i < {}; i++) {{ {write} }} }}",
        a.name,
        a.range - 20
    )
}

/// Subscripts from this thread's own elements, read by a private pointer while they are written as shared ones.
pub fn by_own_index(r: &mut Random, a: &Array, table: &Array) -> String {
    if !a.has_rows || !matches!(a.element, "int" | "long") {
        return String::new();
    }
    let at = r.below(REACH as u64);
    let picked = format!("(U)own[i + {}] % RANGE", r.below(REACH as u64));
    let element = match table.has_rows {
        true => format!("{}[(MYTHREAD + 1) % THREADS][{picked}]", table.name),
        false => format!("{}[(MYTHREAD + 1) % THREADS * RANGE + {picked}]", table.name),
    };
    let value = table.value(r, &element);
    let write = a.write(r, &format!("{}[MYTHREAD][i + {at}]", a.name), &value);
    let ty = a.element;
    format!(
        "{{ {ty} *own = ({ty} *)&{}[MYTHREAD][0]; for (int i = 0; i < {}; i++) {{ {write} }} }}",
        a.name,
        a.range - 20
    )
}

/// A loop that updates elements of an array at computed places, and does nothing else: in rows that only this thread writes, or in all of them.
pub fn counts(r: &mut Random, a: &Array, rows: &[&str]) -> String {
    let (mut before, mut inner) = (String::new(), String::new());
    // What is read by a private pointer may be what is updated.
    let is_own = a.has_rows && matches!(a.element, "int" | "long");
    if is_own {
        let _ = write!(before, "{0} *own = ({0} *)&{1}[MYTHREAD][0]; ", a.element, a.name);
    }
    let mut n = 1 + r.below(a.range * 9 - REACH as u64);
    let picked = match r.below(4) {
        0 if is_own => {
            n = n.min(a.range - REACH as u64);
            format!("(U)own[k + {}] % RANGE", r.below(REACH as u64))
        }
        1 => {
            let _ = write!(before, "const int *list = pick + {}; ", r.below(REACH as u64));
            "list[k]".to_owned()
        }
        2 => format!("(pick[k] * 3 + fixed[k + {}]) % RANGE", r.below(REACH as u64)),
        _ if r.one_in(4) => format!("spread(pick[k + {}], RANGE)", r.below(REACH as u64)),
        _ => format!("pick[k + {}]", r.below(REACH as u64)),
    };
    let row = r.of(rows);
    let picked = match r.below(3) {
        0 => {
            let ty = r.of(&["int", "long", "U"]);
            let _ = write!(inner, "{ty} at = {picked}; ");
            "at".to_owned()
        }
        _ => picked,
    };
    let member = if a.element == "struct rec" { r.of(&[".n", ".v", ".low[2]"]) } else { "" };
    let element = match a.has_rows {
        true => format!("{}[{row}][{picked}]{member}", a.name),
        false => format!("{}[{row} * RANGE + {picked}]{member}", a.name),
    };
    let operand = match r.below(4) {
        0 if is_own => {
            let _ = write!(before, "{} *by = own + {}; ", a.element, r.below(a.range));
            "(*by & 7)".to_owned()
        }
        1 => {
            let _ = write!(before, "long by = pick[{}] % 5; ", r.below(a.range));
            "by".to_owned()
        }
        _ => format!("{}", r.below(6)),
    };
    let change = match r.below(if a.element == "double" { 3 } else { 5 }) {
        0 => format!("{element}++;"),
        1 => format!("{element} += {operand};"),
        2 => format!("{element} -= {operand};"),
        3 => format!("{element} ^= {operand};"),
        _ => format!("{element} |= {operand};"),
    };
    let condition = match r.below(4) {
        0 => format!("if (fixed[k] % {} != 1) ", 2 + r.below(4)),
        1 if is_own && n < a.range => format!("if (own[k] & {}) ", 1 + r.below(6)),
        _ => String::new(),
    };
    let ty = r.of(&["int", "long", "unsigned", "short"]);
    format!("{{ {before}for ({ty} k = 0; k < {n}; k++) {{ {inner}{condition}{change} }} }}")
}

/// A `upc_forall` that does the same in this thread's row, at places that elements of another array say.
pub fn own_counts(r: &mut Random, a: &Array, table: &Array) -> String {
    let picked = table.value(r, &table.at_i());
    let member = if a.element == "struct rec" { r.of(&[".n", ".v"]) } else { "" };
    let element = match a.has_rows {
        true => format!("{}[MYTHREAD][{picked} % RANGE]{member}", a.name),
        false => format!("{}[MYTHREAD * RANGE + {picked} % RANGE]{member}", a.name),
    };
    let condition = if r.one_in(3) { format!("if ({picked} % 3) ") } else { String::new() };
    let (low, high, by) = (r.below(20), r.below(20), r.below(5));
    format!(
        "upc_forall (int i = {low}; i < RANGE * THREADS - {high}; i++; &{}) {{ {condition}{element} += {by}; }}",
        table.at_i()
    )
}
