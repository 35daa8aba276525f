//! Random loops whose variable counts, over arrays at subscripts that follow it or that they compute: what stands in
//! them ([`Loop`]), loops, nests, pointers that walk, and `upc_forall`.

use super::arrays::{Array, Random, REACH};
use std::fmt::Write as _;

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
        match self.r.below(if depth > 0 { 17 } else { 11 }) {
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
                    3 => format!("pick[{}] > {}", self.subscript(0), self.r.below(self.arrays[0].range)),
                    0 => format!("{var} % {} == 1", 2 + self.r.below(5)),
                    1 => format!("({}) & 1", self.read(among)),
                    _ => format!("{var} > {}", self.r.below(self.arrays[0].range)),
                };
                let inner = self.statement(among, written, depth - 1);
                format!("if ({condition}) {{ {inner} }}")
            }
            13 => format!("if (({}) % 23 == 3) continue;", self.read(among)),
            14 | 15 => self.inner_loop(among, written),
            _ if self.r.one_in(2) => format!("if ({var} == {}) break;", self.r.below(2 * self.arrays[0].range)),
            _ => format!("if (({} + {var}) % 97 == 13) break;", self.read(among)),
        }
    }

    /// A loop of another variable, which reads what the loop around it reads.
    fn inner_loop(&mut self, among: &[usize], written: Option<usize>) -> String {
        let (var, inner) = (self.var, self.name("inner"));
        let read = self.read(among);
        let statement = match self.r.below(5) {
            0 if written.is_some() => {
                let a = &self.arrays[written.unwrap_or(0)];
                let at = self.r.near();
                let element = self.element(a, at);
                a.write(self.r, &element, &format!("{read} + {inner}"))
            }
            0 | 1 => format!("h = h * 31 + {read} * {inner};"),
            2 => format!("tmp[({var} + {inner}) & 63] += {read};"),
            3 => format!("if (({read} + {inner}) % 5 == 1) break; h += {inner};"),
            _ => format!("if (({read}) % 3 == {inner} % 3) continue; h += {};", self.read(among)),
        };
        let times = 1 + self.r.below(4);
        match self.r.below(3) {
            0 => format!("{{ int {inner} = {times}; while ({inner}-- > 0) {{ {statement} }} }}"),
            1 => format!("for (long {inner} = {times}; {inner} > 0; {inner}--) {{ {statement} }}"),
            _ => format!("for (int {inner} = 0; {inner} < {times}; {inner}++) {{ {statement} }}"),
        }
    }
}

/// The bounds of a loop, as text: the first and the one behind the last element that it names at offset 0.
pub struct Bounds {
    pub low: String,
    pub high: String,
}

/// A loop within the bounds that reads `among` and writes `written`.
pub fn a_loop(
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
                high = format!("({low} + {})", l.r.below(l.arrays[0].range / 4));
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
    let mut step = l.r.of(&["i++", "++i", "i += 1", "i = i + 1"]);
    if l.r.one_in(4) {
        step = l.r.of(&["i += 2", "i += THREADS", "i = i + 3", "i += by"]);
    }
    let mut head = format!("for ({ty} i = {start}; {condition}; {step})");
    if l.r.one_in(8) && !l.is_unsigned {
        let (step, inclusive) = l.r.of(&[("i--", true), ("i -= 2", true), ("--i", false), ("i = i - by", false)]);
        let relation = if inclusive { ">=" } else { ">" };
        head = format!("for ({ty} i = ({ty})({high} - 1); i {relation} {start}; {step})");
    }
    if head.contains("by") {
        let _ = write!(l.before, "const int by = {}; ", 1 + l.r.below(5));
    }
    // An inclusive bound of an empty unsigned range would be a large one.
    let guard = if inclusive { format!("if ({high} > {start}) ") } else { String::new() };
    let before = l.before.clone() + &hoisted.unwrap_or_default();
    format!("{{ {before}{guard}{head} {{ {} }} }}", statements.join(" "))
}

/// A nest over rows: `a[row * n + j]`, or of an array of rows `a[row][j]`.
pub fn a_nest(r: &mut Random, arrays: &[Array], among: &[usize]) -> String {
    let a = &arrays[r.of(among)];
    let rows = 1 + r.below(6);
    let columns = 1 + r.below(20.min((a.range - REACH as u64) / rows));
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

/// A loop that is executed again and again, and reads elsewhere each time, or the same; perhaps this thread writes in between, where it will read.
pub fn repeated(r: &mut Random, arrays: &[Array], among: &[usize], written: Option<usize>) -> String {
    let a = &arrays[r.of(among)];
    let room = a.range - 2 * REACH as u64;
    let stride = r.of(&[1, 1, 1, 2, 5]);
    let n = 1 + r.below(room / 2 / stride);
    let by = r.of(&[0, 1, 1, 2, stride, n * stride, 7]);
    let runs = match by {
        0 => 2 + r.below(9),
        by => 2 + r.below((room - (n - 1) * stride) / by),
    };
    let first = r.below(REACH as u64);
    let row = r.of(&["0", "MYTHREAD", "t % THREADS", "(THREADS - 1)"]);
    let element = |a: &Array, at: &str| match a.has_rows {
        true => format!("{}[{row}][({at}) % RANGE]", a.name),
        false => format!("{}[{row} * RANGE + {at}]", a.name),
    };
    let most = first + (runs - 1) * by + (n - 1) * stride;
    let moved = match r.of(&["", "", "", "% 50", "+ t / 9"]) {
        "+ t / 9" if most + (runs - 1) / 9 >= a.range => "",
        moved => moved,
    };
    assert!(most < a.range, "{most} of {}", a.range);
    let at = format!("{first} + t * {by} {moved} + j * {stride}");
    let value = a.value(r, &element(a, &at));
    let leaves_out = r.of(&["", "", "if (j % 7 == 5) continue; ", "if (h % 31 == 5) break; "]);
    let head = match r.below(5) {
        0 if written.is_none() => format!("upc_forall (int j = 0; j < {n}; j++; j / 3)"),
        1 => format!("for (int j = {}; j >= 0; j--)", n - 1),
        2 => format!("for (int j = 0; j < {n} - t % 2; j++)"),
        _ => format!("for (int j = 0; j < {n}; j++)"),
    };
    let leaves_out = if head.contains("forall") && leaves_out.contains("break") { "" } else { leaves_out };
    let between = match (r.below(5), written) {
        (0, _) => "if (t % 4 == 2) upc_fence; ".to_owned(),
        (1 | 2, Some(x)) => {
            let x = &arrays[x];
            let target = element(x, &format!("({first} + t * {by} + {}) % RANGE", r.below(20)));
            format!("if (t % {} == 1) {{ {} }} ", 2 + r.below(3), x.write(r, &target, "h + t"))
        }
        _ => String::new(),
    };
    format!(
        "for (int t = 0; t < {runs}; t++) {{ {between}{head} {{ {leaves_out}h = h * 17 + {value}; }} h = h * 3 + t; }}"
    )
}

/// A loop that reads an array by a pointer that it steps.
pub fn a_walk(r: &mut Random, a: &Array, b: &Bounds) -> String {
    let layout = a.layout();
    let at = |i: &str| match a.has_rows {
        true => format!("(&{}[0][0] + ({i}))", a.name),
        false => format!("&{}[{i}]", a.name),
    };
    // The whole range, or a part: it is there whatever THREADS is.
    let some = a.range / 8;
    let (low, high) = match r.below(3) {
        0 => (b.low.clone(), b.high.clone()),
        1 => (format!("({}) + {}", b.low, r.below(some)), format!("({}) + {}", b.low, some + r.below(2 * some))),
        _ => (format!("({}) - {}", b.high, 2 * some + r.below(some)), format!("({}) - {}", b.high, r.below(2 * some))),
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
pub fn a_forall(r: &mut Random, arrays: &[Array], written: usize, among: &[usize], b: &Bounds) -> String {
    let ty = r.of(&["int", "int", "long"]);
    let mut l = Loop::new(r, arrays);
    let a = &arrays[written];
    // Of what other threads write meanwhile, an iteration touches its own element.
    let affinity = match l.r.below(9) {
        0 => "i".to_owned(),
        1 => "i + 3".to_owned(),
        2 => "i / 7".to_owned(),
        6 => "i * THREADS / (RANGE * THREADS)".to_owned(),
        7 => "(int)spread(i, THREADS * 3)".to_owned(),
        8 => arrays[l.r.of(among)].picked_at("i * 7 % (RANGE * THREADS)"),
        3 => format!("&{}", arrays[l.r.of(among)].at_i()),
        _ => format!("&{}", a.at_i()),
    };
    let element = a.at_i();
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
