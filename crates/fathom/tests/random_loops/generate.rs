//! Makes UPC programs out of random numbers: phases between barriers, in each of them loops over shared arrays of random block
//! sizes and types, with random subscripts, conditions and exits. No program has a race: in a phase
//!
//! * nobody writes (`Phase::Read`);
//! * one thread writes one array, wherever and however it likes, and nobody else reads it (`Phase::One`);
//! * each thread writes, and reads, its own range of one array, whoever has affinity to it (`Phase::Own`); or, in a
//!   `upc_forall`, its own elements, which it does not read otherwise (`Phase::Forall`).
//!
//! Loops of a phase in which nobody writes also walk along an array by a pointer. Some loops of the others do nothing but update elements at computed places.
//!
//! Besides, loops read elements whose subscripts they compute (docs/decisions/0014): from the private array `pick`, which some of
//! them also change, and from shared arrays; by way of variables, too, and from `wild`, most of whose values lead out of all
//! arrays: a condition is before each of them.
//!
//! So what a program computes follows from its text and THREADS, whatever moves the data and when. It prints a number for
//! each thread and phase, and one for each array.

use std::fmt::Write as _;

/// Elements of each thread's range, for every array; and how far subscripts reach beside the loop's variable.
const RANGE: u64 = 150;
const REACH: i64 = 9;
/// Phases and arrays of a program that is compiled alone, and of one among many.
const PHASES: usize = 14;
const ARRAYS: usize = 6;
const PHASES_OF_MANY: usize = 2;
const ARRAYS_OF_MANY: usize = 3;

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
    fn near(&mut self) -> i64 {
        self.below(2 * REACH as u64 + 1) as i64 - REACH
    }
}

/// A shared array of RANGE * THREADS elements.
#[derive(Clone)]
struct Array {
    name: String,
    element: &'static str,
    /// The layout qualifier's block size; empty: all on one thread, reached by a pointer; `*`.
    block: String,
    is_pointer: bool,
    /// `x[t][i]`, with THREADS rows.
    has_rows: bool,
}

const ELEMENTS: [&str; 6] = ["char", "short", "int", "long", "double", "struct rec"];

impl Array {
    fn random(r: &mut Random, prefix: &str, number: usize) -> Array {
        let kind = r.below(6);
        let block = match kind {
            0 => "*".to_owned(),
            1 => String::new(),
            2 => RANGE.to_string(),
            _ => r.of(&[1u64, 1, 2, 3, 5, 7, 16, 33, 64, 75]).to_string(),
        };
        let name = format!("{prefix}a{number}");
        Array { name, element: r.of(&ELEMENTS), block, is_pointer: kind == 1, has_rows: kind == 2 }
    }
    /// The type that a pointer to an element leads to.
    fn layout(&self) -> String {
        let block = if self.block == "*" { "RANGE" } else { &self.block };
        format!("shared [{block}] {}", self.element)
    }
    fn declared(&self) -> String {
        let (name, layout) = (&self.name, self.layout());
        match (self.is_pointer, self.has_rows) {
            (true, _) => format!("{layout} *{name};\n"),
            (_, true) => format!("{layout} {name}[THREADS][RANGE];\n"),
            _ => format!("shared [{}] {} {name}[RANGE * THREADS];\n", self.block, self.element),
        }
    }
    /// A value made of an element.
    fn value(&self, r: &mut Random, element: &str) -> String {
        match self.element {
            "struct rec" => format!("(U){element}.{}", r.of(&["n", "low[1]", "v", "f", "g"])),
            "double" => format!("(U)(long){element}"),
            _ => format!("(U){element}"),
        }
    }
    /// A statement that writes the element.
    fn write(&self, r: &mut Random, element: &str, value: &str) -> String {
        let member = match self.element {
            "struct rec" => r.of(&[".n", ".low[1]", ".v", ".f", ".g"]),
            _ => "",
        };
        let mask = if matches!(member, ".f" | ".g") { 31 } else { 127 };
        match (r.one_in(4), self.element) {
            (true, "double") => format!("{element} += (double)(({value}) & 7);"),
            (true, _) if mask == 127 => format!("{element}{member} ^= (int)(({value}) & {mask});"),
            _ => format!("{element}{member} = ({value}) & {mask};"),
        }
    }
}

/// The loop that is being written.
struct Loop<'a> {
    r: &'a mut Random,
    arrays: &'a [Array],
    /// What stands before the loop.
    before: String,
    /// What stands before the statement that is being written.
    first: String,
    var: &'static str,
    /// What the variable is behind its place in the array: subscripts add it.
    from: Option<String>,
    names: usize,
    is_unsigned: bool,
    /// The array of which only this thread's own range may be read.
    own: Option<usize>,
}

impl<'a> Loop<'a> {
    fn new(r: &'a mut Random, arrays: &'a [Array]) -> Loop<'a> {
        Loop {
            r,
            arrays,
            before: String::new(),
            first: String::new(),
            var: "i",
            from: None,
            names: 0,
            is_unsigned: false,
            own: None,
        }
    }

    fn name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// The loop's variable, moved by a constant and by what the loop starts from.
    fn subscript(&mut self, at: i64) -> String {
        let var = self.var;
        let at = match at {
            0 => var.to_owned(),
            1.. if self.r.one_in(3) => format!("{at} + {var}"),
            1.. => format!("{var} + {at}"),
            _ => format!("{var} - {}", -at),
        };
        match self.from.clone() {
            None => at,
            Some(from) if self.r.one_in(2) => format!("{from} + {at}"),
            Some(from) => format!("{at} + {from}"),
        }
    }

    /// An element of the array, by one of the ways to it.
    fn element(&mut self, a: &Array, at: i64) -> String {
        if a.has_rows && !self.is_unsigned && self.from.is_none() && self.r.one_in(2) {
            // As one array: a pointer to its first element.
            let p = self.name("p");
            let _ = write!(self.before, "{} *{p} = &{}[0][0]; ", a.layout(), a.name);
            return format!("{p}[{}]", self.subscript(at));
        }
        if a.has_rows {
            let index = self.subscript(at);
            return format!("{}[({index}) / RANGE][({index}) % RANGE]", a.name);
        }
        if self.r.one_in(3) && !self.is_unsigned {
            let (p, off) = (self.name("p"), self.r.below(REACH as u64) as i64);
            let _ = write!(self.before, "{} *{p} = &{}[{off}]; ", a.layout(), a.name);
            return format!("{p}[{}]", self.subscript(at - off));
        }
        format!("{}[{}]", a.name, self.subscript(at))
    }

    /// A number from 0 to RANGE - 1 that is read from `pick`, or from a shared array.
    fn picked(&mut self, among: &[usize]) -> String {
        let at = self.r.near();
        let integers: Vec<usize> = among
            .iter()
            .copied()
            .filter(|i| matches!(self.arrays[*i].element, "int" | "long" | "struct rec"))
            .collect();
        match self.r.below(4) {
            0 if !integers.is_empty() => {
                let a = &self.arrays[self.r.of(&integers)];
                let element = self.element(a, at);
                format!("{} % RANGE", a.value(self.r, &element))
            }
            1 if !self.is_unsigned => {
                let (p, off) = (self.name("p"), self.r.below(REACH as u64) as i64);
                let _ = write!(self.before, "int *{p} = pick + {off}; ");
                format!("{p}[{}]", self.subscript(at - off))
            }
            2 if self.r.one_in(2) => format!("(RANGE - 1 - pick[{}] / 2)", self.subscript(at)),
            _ => format!("pick[{}]", self.subscript(at)),
        }
    }

    /// An element whose subscript is computed.
    fn gathered(&mut self, among: &[usize]) -> String {
        let x = self.r.of(among);
        let a = &self.arrays[x];
        let picked = self.picked(among);
        let row = match self.own == Some(x) {
            true => "MYTHREAD".to_owned(),
            false if self.r.one_in(2) => format!("({} % THREADS)", self.var),
            false => format!("((U)({picked}) * 7 % THREADS)"),
        };
        let picked = self.by_way_of_a_variable(picked);
        let element = match a.has_rows {
            true => format!("{}[{row}][{picked}]", a.name),
            false => format!("{}[{row} * RANGE + {picked}]", a.name),
        };
        a.value(self.r, &element)
    }

    /// The value, perhaps set to a variable before the statement.
    fn by_way_of_a_variable(&mut self, value: String) -> String {
        let name = self.name("way");
        let ty = self.r.of(&["int", "long", "short", "U"]);
        let _ = match self.r.below(6) {
            0 => write!(self.first, "{ty} {name} = {value}; "),
            1 => write!(self.first, "const {ty} {name} = {value}; "),
            2 => write!(self.first, "{ty} {name}; {name} = {value}; "),
            3 => write!(self.before, "{ty} {name}; ").and(write!(self.first, "{name} = {value}; ")),
            _ => return value,
        };
        name
    }

    fn read(&mut self, among: &[usize]) -> String {
        if self.r.one_in(3) {
            return self.gathered(among);
        }
        let a = &self.arrays[self.r.of(among)];
        let at = self.r.near();
        let element = self.element(a, at);
        a.value(self.r, &element)
    }

    fn statement(&mut self, among: &[usize], written: Option<usize>, depth: u32) -> String {
        let outer = std::mem::take(&mut self.first);
        let text = self.bare_statement(among, written, depth);
        match std::mem::replace(&mut self.first, outer) {
            first if first.is_empty() => text,
            first => format!("{{ {first}{text} }}"),
        }
    }

    fn bare_statement(&mut self, among: &[usize], written: Option<usize>, depth: u32) -> String {
        let var = self.var;
        match self.r.below(if depth > 0 { 15 } else { 11 }) {
            0..=3 if written.is_some() => {
                let a = &self.arrays[written.unwrap_or(0)];
                let at = self.r.near();
                let element = self.element(a, at);
                let value = format!("{} + {var}", self.read(among));
                a.write(self.r, &element, &value)
            }
            0..=5 => format!("h = h * 31 + {};", self.read(among)),
            6 => format!("tmp[{var} & 63] += {};", self.read(among)),
            7 => format!("h += {} > {} ? {} : 5;", self.read(among), self.r.below(60), self.read(among)),
            8 => {
                let walk = self.name("walk");
                let _ = write!(self.before, "U *{walk} = buffer + {}; ", self.r.below(70));
                format!("*{walk}++ = {};", self.read(among))
            }
            9 if !self.is_unsigned => {
                let (to, base) = (self.name("to"), self.r.of(&["spare", "spare", "pick"]));
                let _ = write!(self.before, "int *{to} = {base} + {}; ", self.r.below(REACH as u64));
                format!("{to}[{}] = (int)(({}) % RANGE);", self.subscript(REACH), self.read(among))
            }
            9 => format!("other[{var} % 64] = (int)({});", self.read(among)),
            10 => {
                let x = self.r.of(among);
                let a = &self.arrays[x];
                let row = if self.own == Some(x) { "MYTHREAD".to_owned() } else { format!("({var} % THREADS)") };
                let wild = format!("wild[{}]", self.subscript(0));
                let element = match a.has_rows {
                    true => format!("{}[{row}][{wild}]", a.name),
                    false => format!("{}[{row} * RANGE + {wild}]", a.name),
                };
                let value = a.value(self.r, &element);
                match self.r.below(3) {
                    0 => format!("if ({wild} >= 0) h = h * 31 + {value};"),
                    1 => format!("h += {wild} >= 0 && ({value}) % 3 == 1;"),
                    _ => format!("if ({wild} < 0) continue; h += {value};"),
                }
            }
            11 | 12 => {
                let condition = match self.r.below(4) {
                    3 => format!("pick[{}] > {}", self.subscript(0), self.r.below(RANGE)),
                    0 => format!("{var} % {} == 1", 2 + self.r.below(5)),
                    1 => format!("({}) & 1", self.read(among)),
                    _ => format!("{var} > {}", self.r.below(RANGE)),
                };
                let inner = self.statement(among, written, depth - 1);
                format!("if ({condition}) {{ {inner} }}")
            }
            13 => format!("if (({}) % 23 == 3) continue;", self.read(among)),
            _ if self.r.one_in(2) => format!("if ({var} == {}) break;", self.r.below(2 * RANGE)),
            _ => format!("if (({} + {var}) % 97 == 13) break;", self.read(among)),
        }
    }
}

/// The bounds of a loop, as text: the first and the one behind the last element that it names at offset 0.
struct Bounds {
    low: String,
    high: String,
}

/// A loop within the bounds that reads `among` and writes `written`.
fn a_loop(
    r: &mut Random,
    arrays: &[Array],
    among: &[usize],
    (written, own): (Option<usize>, Option<usize>),
    b: &Bounds,
) -> String {
    let mut ty = r.of(&["int", "int", "long", "unsigned", "unsigned long", "short", "unsigned char"]);
    // From 0, with what it starts from added by the subscripts; or from the bound.
    let shape = if matches!(ty, "unsigned") { 0 } else { r.below(3) };
    if shape == 0 && ty == "unsigned char" {
        ty = "int";
    }
    let mut l = Loop { is_unsigned: ty.starts_with("unsigned"), own, ..Loop::new(r, arrays) };
    let (low, mut high) = (&b.low, format!("({})", b.high));
    let start = match shape {
        0 => {
            if l.r.one_in(3) {
                high = format!("({low} + {})", l.r.below(40));
            }
            low.clone()
        }
        1 => {
            let ty = l.r.of(&["int", "long"]);
            let _ = write!(l.before, "const {ty} from = {low}; ");
            l.from = Some("from".into());
            high = format!("({high} - from)");
            "0".into()
        }
        // What it starts from is no variable.
        _ => {
            l.from = Some(format!("({low})"));
            high = format!("({high} - ({low}))");
            "0".into()
        }
    };
    if ty == "unsigned char" || ty == "short" {
        high = format!("({high} < 120 ? {high} : 120)");
    }
    let statements: Vec<String> = (0..1 + l.r.below(4)).map(|_| l.statement(among, written, 2)).collect();
    let inclusive = l.r.one_in(4);
    let condition = match inclusive {
        true => format!("i <= ({ty})({high} - 1)"),
        false => format!("i < ({ty}){high}"),
    };
    let hoisted = (ty == "unsigned char" || ty == "short" || l.r.one_in(3))
        .then(|| format!("const {ty} stop = ({ty})({high} - {}); ", u8::from(inclusive)));
    let condition = match &hoisted {
        Some(_) => format!("i {} stop", if inclusive { "<=" } else { "<" }),
        None => condition,
    };
    let step = l.r.of(&["i++", "++i", "i += 1", "i = i + 1"]);
    let head = format!("for ({ty} i = {start}; {condition}; {step})");
    // An inclusive bound of an empty unsigned range would be a large one.
    let guard = if inclusive { format!("if ({high} > {start}) ") } else { String::new() };
    let before = l.before.clone() + &hoisted.unwrap_or_default();
    format!("{{ {before}{guard}{head} {{ {} }} }}", statements.join(" "))
}

/// A nest over rows: `a[row * n + j]`, or of an array of rows `a[row][j]`.
fn a_nest(r: &mut Random, arrays: &[Array], among: &[usize]) -> String {
    let a = &arrays[r.of(among)];
    let (rows, columns) = (1 + r.below(6), 1 + r.below(20));
    let at = r.below(REACH as u64);
    let element = match a.has_rows {
        true => format!("{}[row % THREADS][j + {at}]", a.name),
        false => format!("{}[row * {columns} + j + {at}]", a.name),
    };
    let value = a.value(r, &element);
    format!(
        "for (int row = 0; row < {rows}; row++) for (int j = 0; j < {columns}; j++) {{ if (j % 7 == 5) continue; h = h * 17 + {value}; }}"
    )
}

/// Rows of subscripts, run several times. Perhaps they never change, and are promised to be so; otherwise some, or the rows' bounds, change in between.
fn sparse(r: &mut Random, arrays: &[Array], among: &[usize]) -> String {
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
fn by_local_pointer(r: &mut Random, a: &Array) -> String {
    let element =
        if a.has_rows { format!("{}[MYTHREAD][i + {}]", a.name, r.below(REACH as u64)) } else { return String::new() };
    let value = a.value(r, &element);
    let target = format!("own[i + {}]", r.below(2 * REACH as u64));
    let write = a.write(r, &target, &value);
    let ty = a.element;
    format!(
        "{{ {ty} *own = ({ty} *)&{}[MYTHREAD][0]; for (int i = 0; i < {}; i++) {{ {write} }} }}",
        a.name,
        RANGE - 20
    )
}

/// Subscripts from this thread's own elements, read by a private pointer while they are written as shared ones.
fn by_own_index(r: &mut Random, a: &Array, table: &Array) -> String {
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
        RANGE - 20
    )
}

/// A loop that updates elements of an array at computed places, and does nothing else: in rows that only this thread writes, or in all of them.
fn counts(r: &mut Random, a: &Array, rows: &[&str]) -> String {
    let (mut before, mut inner) = (String::new(), String::new());
    // What is read by a private pointer may be what is updated.
    let is_own = a.has_rows && matches!(a.element, "int" | "long");
    if is_own {
        let _ = write!(before, "{0} *own = ({0} *)&{1}[MYTHREAD][0]; ", a.element, a.name);
    }
    let mut n = 1 + r.below(RANGE * 9 - REACH as u64);
    let picked = match r.below(4) {
        0 if is_own => {
            n = n.min(RANGE - REACH as u64);
            format!("(U)own[k + {}] % RANGE", r.below(REACH as u64))
        }
        1 => {
            let _ = write!(before, "const int *list = pick + {}; ", r.below(REACH as u64));
            "list[k]".to_owned()
        }
        2 => format!("(pick[k] * 3 + fixed[k + {}]) % RANGE", r.below(REACH as u64)),
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
            let _ = write!(before, "{} *by = own + {}; ", a.element, r.below(RANGE));
            "(*by & 7)".to_owned()
        }
        1 => {
            let _ = write!(before, "long by = pick[{}] % 5; ", r.below(RANGE));
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
        1 if is_own && n < RANGE => format!("if (own[k] & {}) ", 1 + r.below(6)),
        _ => String::new(),
    };
    let ty = r.of(&["int", "long", "unsigned", "short"]);
    format!("{{ {before}for ({ty} k = 0; k < {n}; k++) {{ {inner}{condition}{change} }} }}")
}

/// A `upc_forall` that does the same in this thread's row, at places that elements of another array say.
fn own_counts(r: &mut Random, a: &Array, table: &Array) -> String {
    let at =
        |a: &Array| if a.has_rows { format!("{}[i / RANGE][i % RANGE]", a.name) } else { format!("{}[i]", a.name) };
    let picked = table.value(r, &at(table));
    let member = if a.element == "struct rec" { r.of(&[".n", ".v"]) } else { "" };
    let element = match a.has_rows {
        true => format!("{}[MYTHREAD][{picked} % RANGE]{member}", a.name),
        false => format!("{}[MYTHREAD * RANGE + {picked} % RANGE]{member}", a.name),
    };
    let condition = if r.one_in(3) { format!("if ({picked} % 3) ") } else { String::new() };
    let (low, high, by) = (r.below(20), r.below(20), r.below(5));
    format!(
        "upc_forall (int i = {low}; i < RANGE * THREADS - {high}; i++; &{}) {{ {condition}{element} += {by}; }}",
        at(table)
    )
}

/// A loop that reads an array by a pointer that it steps.
fn a_walk(r: &mut Random, a: &Array, b: &Bounds) -> String {
    let layout = a.layout();
    let at = |i: &str| match a.has_rows {
        true => format!("(&{}[0][0] + ({i}))", a.name),
        false => format!("&{}[{i}]", a.name),
    };
    let (low, high) = match r.below(3) {
        0 => (b.low.clone(), b.high.clone()),
        1 => (format!("({}) + {}", b.low, r.below(20)), format!("({}) + {}", b.low, 20 + r.below(40))),
        _ => (format!("({}) - {}", b.high, 60 + r.below(9)), format!("({}) - {}", b.high, r.below(40))),
    };
    let element = |r: &mut Random| {
        let e = match r.below(4) {
            0 => format!("w[{}]", r.near()),
            1 if a.element == "struct rec" => return a.value(r, "w").replace("w.", "w->"),
            _ => "(*w)".to_owned(),
        };
        a.value(r, &e)
    };
    let store = format!("U *to = buffer + {}; ", r.below(70));
    let mut statements = String::new();
    for _ in 0..1 + r.below(3) {
        let _ = match r.below(4) {
            0 => write!(statements, "*to++ = {}; ", element(r)),
            1 => write!(statements, "if (({}) % 97 == 13) break; ", element(r)),
            2 => write!(statements, "if (({}) & 1) h += {}; ", element(r), element(r)),
            _ => write!(statements, "h = h * 31 + {}; ", element(r)),
        };
    }
    let step = r.of(&["w++", "++w", "w += 1"]);
    let (from, to) = (at(&low), at(&high));
    let text = match r.below(5) {
        0 => {
            let value = a.value(r, "(*w++)");
            format!("w = {from}; {layout} *e = {to}; while (w != e) h = h * 31 + {value};")
        }
        1 => {
            let value = a.value(r, "(*w++)");
            format!("w = {from}; {layout} *e = {to}; while (w < e) {{ if (h % 1009 == 5) break; *to++ = {value}; }}")
        }
        2 => format!("w = {from}; {layout} *e = {to}; while (e > w) {{ {statements} {step}; }}"),
        3 => format!(
            "{layout} *e = {to}; for (w = {from}; w != e; {step}, to++) {{ {statements} if (h % 3) continue; h++; }}"
        ),
        _ => format!("for (w = {from}; w < {to}; {step}) {{ {statements} }}"),
    };
    let behind = at("0");
    format!("{{ {layout} *w; {store}{text} h = h * 5 + (w - {behind}) + upc_threadof(w) + upc_phaseof(w) + (to - buffer); }}")
}

/// A `upc_forall` in which each thread writes its own elements of an array and reads `among`, or only reads.
fn a_forall(r: &mut Random, arrays: &[Array], written: usize, among: &[usize], b: &Bounds) -> String {
    let ty = r.of(&["int", "int", "long"]);
    let mut l = Loop::new(r, arrays);
    let a = &arrays[written];
    // Of what other threads write meanwhile, an iteration touches its own element.
    let affinity = match l.r.below(6) {
        0 => "i".to_owned(),
        1 => "i + 3".to_owned(),
        2 => "i / 7".to_owned(),
        3 => format!("&{}[i]", arrays[l.r.of(among)].name),
        _ => format!("&{}[i]", a.name),
    };
    let affinity = match arrays.iter().find(|a| a.has_rows && affinity == format!("&{}[i]", a.name)) {
        Some(a) => format!("&{}[i / RANGE][i % RANGE]", a.name),
        None => affinity,
    };
    let element = match a.has_rows {
        true => format!("{}[i / RANGE][i % RANGE]", a.name),
        false => format!("{}[i]", a.name),
    };
    let mut statements = vec![];
    for _ in 0..1 + l.r.below(3) {
        let mut text = String::new();
        let outer = std::mem::take(&mut l.first);
        if l.r.one_in(4) {
            let _ = write!(text, "h = h * 31 + {};", a.value(l.r, &element));
        }
        match l.r.below(5) {
            0 | 1 => {
                let value = format!("{} + {}", l.read(among), l.read(among));
                text += &a.write(l.r, &element, &value);
            }
            // A sparse matrix's row.
            2 => {
                let (p, q) = (l.r.of(among), l.r.of(among));
                let (outer_var, row) = (std::mem::replace(&mut l.var, "k"), l.name("row"));
                let first = std::mem::take(&mut l.first);
                let x = &arrays[p];
                let element = match x.has_rows {
                    true => format!("{}[k % THREADS][pick[k]]", x.name),
                    false => format!("{}[k % THREADS * RANGE + pick[k]]", x.name),
                };
                let y = &arrays[q];
                let own = match y.has_rows {
                    true => format!("{}[k / RANGE][k % RANGE]", y.name),
                    false => format!("{}[k]", y.name),
                };
                let value = format!("{} * {}", x.value(l.r, &element), y.value(l.r, &own));
                let bound = l.r.of(&["starts[i + 1]", "firsts[i + 1]"]);
                let low = l.r.of(&["starts[i]", "firsts[i]"]);
                let _ = write!(
                    text,
                    "U {row} = 0; for (int k = {low}; k < {bound}; k++) {row} = {row} * 5 + {value}; h = h * 31 + {row};"
                );
                (l.var, l.first) = (outer_var, first);
            }
            _ => text += &l.bare_statement(among, None, 1),
        }
        let first = std::mem::replace(&mut l.first, outer);
        // Neither leaves the loop.
        if !text.contains("break;") {
            statements.push(format!("{{ {first}{text} }}"));
        }
    }
    let declared = if l.r.one_in(2) { format!("{ty} i = ") } else { "i = ".to_owned() };
    if declared == "i = " {
        let _ = write!(l.before, "{ty} i; ");
    }
    let before = l.before;
    let (low, high, statements) = (&b.low, &b.high, statements.join(" "));
    let behind = if declared == "i = " { "h = h * 3 + i;" } else { "" };
    format!("{{ {before}upc_forall ({declared}{low}; i < {high}; i++; {affinity}) {{ {statements} }} {behind} }}")
}

/// One program.
pub fn program(seed: u64) -> String {
    let text = beginning(&format!("seed {seed}"), PHASES) + &one(seed, "", PHASES, ARRAYS);
    text + "int main(void) {\n    run();\n    return 0;\n}\n"
}

/// Small programs of many seeds, one after the other in one file, each with arrays of its own.
pub fn many(seeds: std::ops::Range<u64>) -> String {
    let mut out = beginning(&format!("seeds {} to {}", seeds.start, seeds.end - 1), PHASES_OF_MANY);
    for seed in seeds.clone() {
        out += &one(seed, &format!("s{seed}_"), PHASES_OF_MANY, ARRAYS_OF_MANY);
    }
    out += "int main(void) {\n";
    for seed in seeds {
        let _ = writeln!(out, "    s{seed}_run();");
    }
    out + "    return 0;\n}\n"
}

/// What all programs of a file have in common.
fn beginning(seeds: &str, phases: usize) -> String {
    format!(
        "/* Made by crates/fathom/tests/random_loops.rs, {seeds}. */\n#include <stdio.h>\n#include <string.h>\n#include <upc_relaxed.h>\n\
         #define RANGE {RANGE}\n#define PHASES {phases}\ntypedef unsigned long U;\n\
         struct rec {{ int n; short low[3]; long v; unsigned f : 5; unsigned g : 9; }};\n\
         shared [PHASES] U marks[THREADS][PHASES];\nstatic U h, tmp[64], buffer[4096];\n\
         static int pick[RANGE * 9], wild[RANGE * 9], spare[RANGE * 9], other[64], starts[RANGE * 9], fixed[RANGE * 9], bounds[80];\n\
         shared int firsts[(RANGE + 1) * THREADS];\n"
    )
}

/// A program of `phases`, as a function `run`. What it declares at file scope begins with `prefix`.
fn one(seed: u64, prefix: &str, phases: usize, arrays: usize) -> String {
    let mut random = Random::new(seed);
    let r = &mut random;
    let arrays: Vec<Array> = (0..arrays).map(|i| Array::random(r, prefix, i)).collect();
    let mut out = String::new();
    arrays.iter().for_each(|a| out += &a.declared());
    let all: Vec<usize> = (0..arrays.len()).collect();
    let whole = Bounds { low: REACH.to_string(), high: format!("RANGE * THREADS - {REACH}") };
    let own = Bounds { low: format!("MYTHREAD * RANGE + {REACH}"), high: format!("(MYTHREAD + 1) * RANGE - {REACH}") };
    for phase in 0..phases {
        let _ = writeln!(out, "static void {prefix}phase{phase}(void) {{");
        let x = r.below(arrays.len() as u64) as usize;
        let others: Vec<usize> = all.iter().copied().filter(|i| *i != x).collect();
        match r.below(10) {
            0 | 1 => {
                for _ in 0..4 {
                    let text = if r.one_in(4) {
                        sparse(r, &arrays, &all)
                    } else if r.one_in(3) {
                        a_nest(r, &arrays, &all)
                    } else if r.one_in(2) {
                        let a = r.below(arrays.len() as u64) as usize;
                        a_walk(r, &arrays[a], &whole)
                    } else {
                        a_loop(r, &arrays, &all, (None, None), &whole)
                    };
                    let _ = writeln!(out, "    {text}");
                }
            }
            2..=4 => {
                let writer = r.below(4);
                let _ = writeln!(out, "    if (MYTHREAD == {writer} % THREADS) {{");
                for _ in 0..3 {
                    // Often the array that is written, and what else there is.
                    let among = [&others[..], &[x; 5]].concat();
                    let _ = writeln!(out, "    {}", a_loop(r, &arrays, &among, (Some(x), None), &whole));
                    let rows = ["(k % THREADS)", "MYTHREAD", "((U)pick[k] * 7 % THREADS)"];
                    let _ = writeln!(out, "    {}", counts(r, &arrays[x], &rows));
                }
                let _ =
                    writeln!(out, "    }} else {{\n    {}\n    }}", a_loop(r, &arrays, &others, (None, None), &whole));
            }
            5 | 6 => {
                for _ in 0..2 {
                    let among = [&others[..1], &[x; 2]].concat();
                    // Other arrays are read in the same range.
                    let _ = writeln!(out, "    {}", a_loop(r, &arrays, &among, (Some(x), Some(x)), &own));
                }
                let _ = writeln!(out, "    {}", counts(r, &arrays[x], &["MYTHREAD"]));
                let _ = writeln!(out, "    {}", by_local_pointer(r, &arrays[x]));
                let _ = writeln!(out, "    {}", by_own_index(r, &arrays[x], &arrays[others[1]]));
            }
            _ => {
                for _ in 0..2 {
                    // Another affinity may give an element to another thread.
                    let text = a_forall(r, &arrays, x, &others, &whole);
                    let _ = writeln!(out, "    {text}\n    upc_barrier;");
                }
                let _ = writeln!(out, "    {}", own_counts(r, &arrays[x], &arrays[others[0]]));
            }
        }
        let _ = writeln!(out, "    for (int k = 0; k < 64; k++) h = h * 3 + tmp[k] + other[k];");
        let _ = writeln!(out, "    for (int k = 0; k < RANGE * 9; k++) h = h * 3 + pick[k] + spare[k] * 7;");
        let _ = writeln!(out, "    for (int k = 0; k < 4096; k++) h = h * 3 + buffer[k];");
        let _ = write!(out, "    marks[MYTHREAD][{phase}] = h;\n}}\n");
    }
    let _ = writeln!(out, "static void {prefix}run(void) {{");
    if !prefix.is_empty() {
        // As if no other program had run before.
        let _ = writeln!(out, "    h = 0;");
        for name in ["tmp", "buffer", "spare", "other", "bounds"] {
            let _ = writeln!(out, "    memset({name}, 0, sizeof {name});");
        }
    }
    out += "    for (int k = 0; k < RANGE * 9; k++) {\n        pick[k] = (k * 89 + MYTHREAD) % RANGE;\n        wild[k] = k % 5 < 3 ? -2000000000 - k : (k * 61 + MYTHREAD) % RANGE;\n        starts[k] = k < 12 ? 0 : k - 12 + k % 4;\n        fixed[k] = (k * 53 + MYTHREAD * 7) % RANGE;\n    }\n    for (int k = 0; k < 79; k++) bounds[k + 1] = bounds[k] + k * 5 % 7;\n    for (int k = MYTHREAD; k <= RANGE * THREADS; k += THREADS) firsts[k] = k < 12 ? 0 : k - 12 + k % 4;\n";
    for a in &arrays {
        let (name, element) = (&a.name, a.element);
        if a.is_pointer {
            let _ = writeln!(out, "    {name} = upc_all_alloc(1, RANGE * THREADS * sizeof({element}));");
        }
        let at = if a.has_rows { format!("{name}[i / RANGE][i % RANGE]") } else { format!("{name}[i]") };
        let set = match element {
            "struct rec" => {
                format!("{at}.n = i % 91; {at}.low[1] = i % 77; {at}.v = i; {at}.f = i % 31; {at}.g = i % 400;")
            }
            _ => format!("{at} = i % 113;"),
        };
        let _ = writeln!(out, "    for (int i = MYTHREAD; i < RANGE * THREADS; i += THREADS) {{ {set} }}");
    }
    for phase in 0..phases {
        let _ = writeln!(out, "    upc_barrier; {prefix}phase{phase}();");
    }
    out += "    upc_barrier;\n    if (MYTHREAD) return;\n    U s;\n";
    let _ = writeln!(
        out,
        "    for (int t = 0; t < THREADS; t++) for (int k = 0; k < PHASES; k++) printf(\"{prefix}phase %d thread %d %lx\\n\", k, t, marks[t][k]);"
    );
    for a in &arrays {
        let name = &a.name;
        let at = if a.has_rows { format!("{name}[i / RANGE][i % RANGE]") } else { format!("{name}[i]") };
        let sum = match a.element {
            "struct rec" => format!("s = s * 31 + {at}.n + {at}.low[1] * 3 + {at}.v * 5 + {at}.f * 7 + {at}.g * 11;"),
            _ => format!("s = s * 31 + (U)(long){at};"),
        };
        let _ = writeln!(
            out,
            "    s = 0; {{ int i = 0; while (i < RANGE * THREADS) {{ {sum} i++; }} }} printf(\"{name} %lx\\n\", s);"
        );
    }
    out += "}\n";
    out
}
