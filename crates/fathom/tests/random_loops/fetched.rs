//! Loops that use the results of atomic operations (docs/decisions/0019).

use super::arrays::{Array, Random, REACH};

/// A loop that makes an operation on a computed element of a row in each iteration, or in some, and uses what the element held; nothing for arrays
/// of other types than atomic operations have. Some loops read or write the array in other ways, too, or what the place is computed from.
pub fn fetched(r: &mut Random, a: &Array, rows: &[&str]) -> String {
    let Some((ty, letter, domain, member)) = object(r, a) else { return String::new() };
    let (mut before, mut inner) = (String::new(), String::new());
    let is_own = a.has_rows && matches!(a.element, "int" | "long");
    if is_own {
        before += &format!("{0} *own = ({0} *)&{1}[MYTHREAD][0]; ", a.element, a.name);
    }
    let mut n = 1 + r.below(a.range * 9 - REACH as u64);
    let picked = match r.below(5) {
        0 if is_own => {
            n = n.min(a.range - REACH as u64);
            format!("(U)own[k + {}] % RANGE", r.below(REACH as u64))
        }
        1 => {
            before += &format!("int *list = pick + {}; ", r.below(REACH as u64));
            "list[k]".to_owned()
        }
        2 => {
            inner += &format!("int at = pick[k]; at += 0; long to = (fixed[k] + {}) % RANGE; ", r.below(9));
            "to".to_owned()
        }
        3 => format!("(pick[k] * 3 + fixed[k + {}]) % RANGE", r.below(REACH as u64)),
        _ if r.one_in(3) => format!("spread(pick[k + {}], RANGE)", r.below(REACH as u64)),
        _ => format!("pick[k + {}]", r.below(REACH as u64)),
    };
    let row = r.of(rows);
    let element = |at: &str| match a.has_rows {
        true => format!("{}[{row}][{at}]{member}", a.name),
        false => format!("{}[{row} * RANGE + {at}]{member}", a.name),
    };
    let object = element(&picked);
    // The operand is a value or an object, which the loop may change.
    let operand = match r.below(5) {
        0 => {
            before += &format!("{ty} by = {}; ", r.below(7));
            "by"
        }
        1 => {
            inner += &format!("{ty} each = k % {} + pick[0]; ", 1 + r.below(4));
            "each"
        }
        2 => {
            before += &format!("{ty} by = 1; ");
            inner += &format!("by = k % {}; ", 1 + r.below(4));
            "by"
        }
        3 if is_own => "own[1]",
        _ => {
            before += &format!("static {ty} weights[MOST * 9]; ");
            inner += &format!("if (k % {} == 0) weights[k + 1] = k & 3; ", 1 + r.below(3));
            "weights[k]"
        }
    };
    let call = if member.is_empty() && r.one_in(4) {
        let place = format!("(shared {ty} *)&{object}");
        match r.below(3) {
            0 => format!("got = next_{ty}({place});"),
            1 if !a.has_rows && a.block == "1" => {
                format!("got = add_{ty}_at({}, {row} * RANGE + {picked}, {operand});", a.name)
            }
            _ => format!("got = add_{ty}({place}, {operand});"),
        }
    } else if r.one_in(2) {
        let (op, operands) = match r.below(if ty == "double" { 3 } else { 5 }) {
            0 => ("UPC_ADD", format!("&{operand}, 0")),
            1 => ("UPC_INC", "0, 0".to_owned()),
            2 => ("UPC_SET", format!("&{operand}, 0")),
            3 => ("UPC_XOR", format!("&{operand}, 0")),
            _ => ("UPC_GET", "0, 0".to_owned()),
        };
        let result = r.of(&["&got", "&got", "&gots[k]", "&gots[k % 7]"]);
        before += &format!("static {ty} gots[MOST * 9]; ");
        let read = if result == "&got" { String::new() } else { format!(" got = {};", &result[1..]) };
        format!("upc_atomic_relaxed({domain}, {result}, {op}, &{object}, {operands});{read}")
    } else {
        let function = r.of(&["fetchadd", "fetchadd", "swap"]);
        format!("got = bupc_atomic{letter}_{function}_relaxed(&{object}, {operand});")
    };
    let condition = match r.below(5) {
        0 => format!("if (fixed[k] % {} == 1) continue; ", 2 + r.below(4)),
        1 => format!("if (fixed[k + 1] % {} != 1) ", 2 + r.below(4)),
        2 if is_own && n < a.range => format!("if (own[k] & {}) ", 1 + r.below(6)),
        _ => String::new(),
    };
    let value = "(U)(long)got";
    let used = match r.below(12) {
        0 => format!("spare[k] = {value} % 50;"),
        1 => format!("pick[k + {}] = {value} % RANGE;", r.below(REACH as u64)),
        2 => format!("buffer[{value} % 4096] ^= k;"),
        3 => format!("tmp[k % 64] += {value};"),
        4 if is_own && n < a.range => format!("own[k + {}] = {value} & 127;", r.below(REACH as u64)),
        5 if is_own && n < a.range => "h += own[k];".to_owned(),
        6 => {
            before += &format!("U *to_buffer = buffer + {}; ", r.below(50));
            format!("to_buffer[k] = {value};")
        }
        7 => format!("{} = {value} & 63;", element("fixed[k]")),
        8 => format!("h = h * 5 + (U)(long){};", element("fixed[k]")),
        9 => format!("if ({value} % 13 == 12) break;"),
        _ => format!("h = h * 3 + {value};"),
    };
    let counter = r.of(&["int", "long", "unsigned", "short"]);
    format!(
        "{{ {ty} got = 0; {before}for ({counter} k = 0; k < {n}; k++) {{ {inner}{condition}{{ {call} }} h = h * 3 + {value}; {used} }} }}"
    )
}

/// Type, letter of the functions, domain and member of what atomic operations change in an array's elements.
fn object(r: &mut Random, a: &Array) -> Option<(&'static str, &'static str, &'static str, &'static str)> {
    match (a.element, r.below(2)) {
        ("int", _) => Some(("int", "I", "ints", "")),
        ("long", _) => Some(("long", "L", "longs", "")),
        ("double", _) => Some(("double", "D", "of_doubles", "")),
        ("struct rec", 0) => Some(("int", "I32", "ints", ".n")),
        ("struct rec", _) => Some(("long", "I64", "longs", ".v")),
        _ => None,
    }
}

/// A `upc_forall` that does so in this thread's row, at places that elements of another array say.
pub fn own_fetched(r: &mut Random, a: &Array, table: &Array) -> String {
    let Some((ty, letter, domain, member)) = object(r, a) else { return String::new() };
    let picked = table.value(r, &table.at_i());
    let element = match a.has_rows {
        true => format!("{}[MYTHREAD][{picked} % RANGE]{member}", a.name),
        false => format!("{}[MYTHREAD * RANGE + {picked} % RANGE]{member}", a.name),
    };
    let call = match r.below(3) {
        0 => format!("upc_atomic_relaxed({domain}, &got, UPC_ADD, &{element}, &by, 0);"),
        1 => format!("upc_atomic_relaxed({domain}, &got, UPC_INC, &{element}, 0, 0);"),
        _ => format!("got = bupc_atomic{letter}_fetchadd_relaxed(&{element}, i % {});", 1 + r.below(5)),
    };
    let condition = match r.below(4) {
        0 => format!("if ({picked} % 3) "),
        1 => "if (i % 7 == 3) continue; ".to_owned(),
        _ => String::new(),
    };
    let used = r.of(&[
        "h = h * 3 + (U)(long)got;",
        "tmp[(U)(long)got % 64] += i;",
        "spare[i] = (U)(long)got % 50;",
        "buffer[i] ^= (U)(long)got;",
    ]);
    let (low, high, by) = (r.below(20), r.below(20), r.below(5));
    let affinity = r.of(&["i", "element"]);
    let affinity = if affinity == "i" && table.block == "1" { "i".to_owned() } else { format!("&{}", table.at_i()) };
    format!(
        "{{ {ty} got = 0, by = {by}; upc_forall (int i = {low}; i < RANGE * THREADS - {high}; i++; {affinity}) {{ {condition}{call} {used} }} }}"
    )
}
