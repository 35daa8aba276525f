//! Quantities with units, and the formulas from which a description's derived figures follow.
//!
//! A formula is numbers with units, names of other figures, `+ - * /`, parentheses, and `max(a, b)`. Units are checked:
//! a time is not added to a size.
//!
//! ```text
//! 264 ns - memory.on_page - memory.off_page
//! 8 B / 115 ns
//! ```

use std::fmt;

/// A quantity in base units: picoseconds, bytes, and their products.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    pub value: f64,
    pub unit: Unit,
}

impl Quantity {
    /// As a machine file has it: a formula whose value and unit these are.
    pub fn written(&self) -> String {
        let power = |unit: &str, n: i8| match n {
            0 => String::new(),
            n if n > 0 => format!(" * 1 {unit}").repeat(n as usize),
            n => format!(" / (1 {unit})").repeat(n.unsigned_abs().into()),
        };
        format!("{}{}{}", self.value, power("ps", self.unit.time), power("B", self.unit.bytes))
    }
}

/// Powers of time and of bytes: a rate is bytes to the power of 1 and time to the power of -1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    pub time: i8,
    pub bytes: i8,
}

pub const COUNT: Unit = Unit { time: 0, bytes: 0 };
pub const TIME: Unit = Unit { time: 1, bytes: 0 };
pub const BYTES: Unit = Unit { time: 0, bytes: 1 };
pub const RATE: Unit = Unit { time: -1, bytes: 1 };
pub const TIME_PER_BYTE: Unit = Unit { time: 1, bytes: -1 };
pub const FREQUENCY: Unit = Unit { time: -1, bytes: 0 };

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            COUNT => f.write_str("a number without a unit"),
            TIME => f.write_str("a time"),
            BYTES => f.write_str("a size in bytes"),
            RATE => f.write_str("a rate in bytes per time"),
            TIME_PER_BYTE => f.write_str("a time per byte"),
            FREQUENCY => f.write_str("a frequency"),
            Unit { time, bytes } => write!(f, "time^{time} bytes^{bytes}"),
        }
    }
}

/// The units, in base units. A cycle is the one unit that depends on the machine.
const UNITS: [(&str, f64, Unit); 15] = [
    ("ps", 1.0, TIME),
    ("ns", 1e3, TIME),
    ("us", 1e6, TIME),
    ("ms", 1e9, TIME),
    ("s", 1e12, TIME),
    ("B", 1.0, BYTES),
    ("KB", 1024.0, BYTES),
    ("MB", 1048576.0, BYTES),
    ("GB", 1073741824.0, BYTES),
    // Rates are decimal, as the studies print them: 1 MB/s is 10^6 bytes per second.
    ("B/s", 1e-12, RATE),
    ("MB/s", 1e-6, RATE),
    ("GB/s", 1e-3, RATE),
    ("kHz", 1e-9, FREQUENCY),
    ("MHz", 1e-6, FREQUENCY),
    ("GHz", 1e-3, FREQUENCY),
];

/// Between which values a figure of this unit makes sense, and that in words. Sums and products of figures within these
/// bounds stay far below the 2^64 ps and 2^64 bytes with which the simulation computes.
pub fn bounds(unit: Unit) -> Option<(f64, f64, &'static str)> {
    match unit {
        COUNT => Some((0.0, 16_777_216.0, "a number from 0 to 16,777,216")),
        TIME => Some((0.0, 1e15, "a time from 0 to 1,000 s")),
        BYTES => Some((0.0, (1u64 << 50) as f64, "a size from 0 to 1,048,576 GB")),
        RATE => Some((1e-8, 1e3, "a rate from 0.01 MB/s to 1,000,000 GB/s")),
        TIME_PER_BYTE => Some((0.0, 1e8, "a time per byte from 0 to 100 us / (1 B)")),
        FREQUENCY => Some((1e-9, 1.0, "a frequency from 1 kHz to 1,000 GHz")),
        _ => None,
    }
}

/// Finds the quantity of a name in a formula: `cycle`, or a figure.
pub type Names<'a> = dyn FnMut(&str) -> Result<Quantity, String> + 'a;

/// The value of a formula.
///
/// # Errors
/// A sentence about the formula.
pub fn evaluate(formula: &str, names: &mut Names) -> Result<Quantity, String> {
    let mut parser = Parser { rest: formula, names, depth: 0 };
    let value = parser.sum().and_then(|value| match parser.peek() {
        None => Ok(value),
        Some(c) => Err(format!("unexpected `{c}`")),
    });
    let shown = || match formula.char_indices().nth(100) {
        Some((end, _)) => format!("{} ...", &formula[..end]),
        None => formula.into(),
    };
    let value = value.map_err(|why| format!("`{}`: {why}", shown()))?;
    if value.value.is_finite() {
        Ok(value)
    } else {
        Err(format!("`{}`: the result is not finite", shown()))
    }
}

/// The quantities that stand in a formula as such; `cycle` is the length of a cycle.
pub fn constants(formula: &str, cycle: f64) -> Vec<Quantity> {
    let mut found = vec![];
    let mut rest = formula;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let is_part_of_name = rest[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        let names: &mut Names = &mut |_| Ok(Quantity { value: cycle, unit: TIME });
        let mut parser = Parser { rest: &rest[at..], names, depth: 0 };
        match parser.number() {
            Ok(number) if !is_part_of_name => found.push(number),
            _ => {}
        }
        let left = parser.rest.len().min(rest.len() - at - 1);
        rest = &rest[rest.len() - left..];
    }
    found
}

/// All units, for a sentence.
fn units() -> String {
    let known: Vec<&str> = UNITS.iter().map(|u| u.0).collect();
    format!("cycles, {}", known.join(", "))
}

struct Parser<'a, 'n, 'f> {
    rest: &'a str,
    names: &'n mut Names<'f>,
    /// Parentheses and signs around this place.
    depth: u32,
}

/// The most parentheses and signs around a place, which take this computer's stack.
const DEEPEST: u32 = 100;

impl<'a> Parser<'a, '_, '_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.rest = &self.rest[wanted.len_utf8()..];
        }
        is_there
    }

    fn sum(&mut self) -> Result<Quantity, String> {
        let mut left = self.product()?;
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.eat(sign);
            let right = self.product()?;
            if left.unit != right.unit {
                return Err(format!("{} `{sign}` {} has no meaning", left.unit, right.unit));
            }
            left.value += if sign == '+' { right.value } else { -right.value };
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Quantity, String> {
        let mut left = self.factor()?;
        while let Some(sign @ ('*' | '/')) = self.peek() {
            self.eat(sign);
            let right = self.factor()?;
            left.value = if sign == '*' { left.value * right.value } else { left.value / right.value };
            let power = |left: i8, right: i8| {
                if sign == '*' { left.checked_add(right) } else { left.checked_sub(right) }.ok_or("too many products")
            };
            left.unit = Unit {
                time: power(left.unit.time, right.unit.time)?,
                bytes: power(left.unit.bytes, right.unit.bytes)?,
            };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Quantity, String> {
        if self.depth == DEEPEST {
            return Err("too many parentheses or signs in each other".into());
        }
        self.depth += 1;
        let found = self.factor_here();
        self.depth -= 1;
        found
    }

    fn factor_here(&mut self) -> Result<Quantity, String> {
        match self.peek() {
            Some('(') => {
                self.eat('(');
                let inner = self.sum()?;
                if self.eat(')') {
                    Ok(inner)
                } else {
                    Err("a `)` is missing".into())
                }
            }
            Some('-') => {
                self.eat('-');
                self.factor().map(|q| Quantity { value: -q.value, ..q })
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            Some(c) => Err(format!("unexpected `{c}`")),
            None => Err("it ends where a value is needed".into()),
        }
    }

    fn number(&mut self) -> Result<Quantity, String> {
        let digits = self.take(|c| c.is_ascii_digit() || matches!(c, '.' | '_'));
        let value: f64 = digits.replace('_', "").parse().map_err(|_| format!("`{digits}` is not a number"))?;
        if !self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            return Ok(Quantity { value, unit: COUNT });
        }
        let before = self.rest;
        let mut word = self.take(|c| c.is_ascii_alphabetic());
        // `MB/s` is one unit; `8 B / 115 ns` is a division.
        if self.rest.starts_with("/s") && !self.rest[2..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
            self.rest = &self.rest[2..];
            word = &before[..word.len() + 2];
        }
        if matches!(word, "cycle" | "cycles") {
            let cycle = (self.names)("cycle")?;
            return Ok(Quantity { value: value * cycle.value, ..cycle });
        }
        match UNITS.iter().find(|(name, ..)| *name == word) {
            Some((_, scale, unit)) => Ok(Quantity { value: value * scale, unit: *unit }),
            None => Err(format!("`{word}` is not a unit; units are {}", units())),
        }
    }

    fn name(&mut self) -> Result<Quantity, String> {
        let name = self.take(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        if name == "max" && self.eat('(') {
            let (a, comma, b) = (self.sum()?, self.eat(','), self.sum()?);
            if !comma || !self.eat(')') || a.unit != b.unit {
                return Err("write max(a, b) with two quantities of one unit".into());
            }
            return Ok(if a.value >= b.value { a } else { b });
        }
        (self.names)(name).map_err(|why| match name.contains('.') {
            true => why,
            false => {
                format!("`{name}` is neither a unit nor a figure; units are {}; figures are called PART.NAME", units())
            }
        })
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(formula: &str) -> Result<Quantity, String> {
        evaluate(formula, &mut |name| match name {
            "cycle" => Ok(Quantity { value: 1e12 / 150e6, unit: TIME }),
            "memory.on-page" => Ok(Quantity { value: 145_000.0, unit: TIME }),
            other => Err(format!("there is no figure `{other}`")),
        })
    }

    #[test]
    fn formulas_have_units() {
        let of = |formula: &str| value(formula).unwrap();
        assert_eq!(of("264 ns - memory.on-page - 60 ns"), Quantity { value: 59_000.0, unit: TIME });
        assert_eq!(of("23 cycles").value.round(), 153_333.0);
        assert_eq!(of("8 KB / 32 B"), Quantity { value: 256.0, unit: COUNT });
        assert_eq!(of("8 B/s"), of("8 B / 1 s"));
        assert_eq!(of("2 * (3 + 4) - -1").value, 15.0);
        let rate = of("90 MB/s");
        assert!((rate.value - 90e-6).abs() < 1e-12 && rate.unit == RATE, "90 bytes in a microsecond");
        assert_eq!(of("max(115 ns, 8 B / 142 MB/s)").value, 115_000.0);
    }

    #[test]
    fn the_constants_of_a_formula_are_found() {
        let found = constants("264 ns - memory.l2 - 23 cycles + 8 B / 115 ns", 1000.0);
        let values: Vec<f64> = found.iter().map(|q| q.value).collect();
        assert_eq!(values, [264_000.0, 23_000.0, 8.0, 115_000.0]);
    }

    #[test]
    fn mistakes_are_named() {
        for (formula, why) in [
            ("3 ns + 4 B", "a time `+` a size in bytes has no meaning"),
            ("3 parsecs", "`parsecs` is not a unit"),
            ("3 +", "it ends where a value is needed"),
            ("(3", "a `)` is missing"),
            ("speed", "`speed` is neither a unit nor a figure; units are cycles, ps"),
            ("1 ns / 0", "not finite"),
            ("1 2", "unexpected `2`"),
            (&"(".repeat(100_000), "too many parentheses or signs"),
            (&"-".repeat(100_000), "too many parentheses or signs"),
            (&format!("{}1 s", "1 s * ".repeat(200)), "too many products"),
            (&format!("1 s{}", " / 1 s".repeat(200)), "too many products"),
        ] {
            let said = value(formula).unwrap_err();
            assert!(said.contains(why), "{formula}: {said}");
        }
    }
}
