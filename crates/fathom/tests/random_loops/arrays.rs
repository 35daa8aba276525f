//! Random numbers, and the shared arrays of random programs.

/// The most elements of each thread's range; and how far subscripts reach beside the loop's variable.
pub const MOST: u64 = 150;
pub const REACH: i64 = 9;

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
    pub fn near(&mut self) -> i64 {
        self.below(2 * REACH as u64 + 1) as i64 - REACH
    }
}

/// A shared array of RANGE * THREADS elements; the program defines RANGE.
#[derive(Clone)]
pub struct Array {
    pub name: String,
    /// RANGE: as many are each thread's own.
    pub range: u64,
    pub element: &'static str,
    /// The layout qualifier's block size; empty: all on one thread, reached by a pointer; `*`.
    pub block: String,
    pub is_pointer: bool,
    /// `x[t][i]`, with THREADS rows.
    pub has_rows: bool,
}

const ELEMENTS: [&str; 6] = ["char", "short", "int", "long", "double", "struct rec"];

impl Array {
    pub fn random(r: &mut Random, prefix: &str, number: usize, range: u64) -> Array {
        let kind = r.below(6);
        let block = match kind {
            0 => "*".to_owned(),
            1 => String::new(),
            2 => range.to_string(),
            _ => r.of(&[1u64, 1, 2, 3, 5, 7, 16, 33, 64, 75]).to_string(),
        };
        let name = format!("{prefix}a{number}");
        Array { name, range, element: r.of(&ELEMENTS), block, is_pointer: kind == 1, has_rows: kind == 2 }
    }
    /// The type that a pointer to an element leads to.
    pub fn layout(&self) -> String {
        let block = if self.block == "*" { "RANGE" } else { &self.block };
        format!("shared [{block}] {}", self.element)
    }
    pub fn declared(&self) -> String {
        let (name, layout) = (&self.name, self.layout());
        match (self.is_pointer, self.has_rows) {
            (true, _) => format!("{layout} *{name};\n"),
            (_, true) => format!("{layout} {name}[THREADS][RANGE];\n"),
            _ => format!("shared [{}] {} {name}[RANGE * THREADS];\n", self.block, self.element),
        }
    }
    /// Element `i` of all.
    pub fn at_i(&self) -> String {
        match self.has_rows {
            true => format!("{}[i / RANGE][i % RANGE]", self.name),
            false => format!("{}[i]", self.name),
        }
    }
    /// The address of the element with this number.
    pub fn picked_at(&self, number: &str) -> String {
        match self.has_rows {
            true => format!("&{}[({number}) / RANGE][({number}) % RANGE]", self.name),
            false => format!("&{}[{number}]", self.name),
        }
    }
    /// A statement that adds all of an element to `s`.
    pub fn sum(&self, at: &str) -> String {
        match self.element {
            "struct rec" => format!("s = s * 31 + {at}.n + {at}.low[1] * 3 + {at}.v * 5 + {at}.f * 7 + {at}.g * 11;"),
            _ => format!("s = s * 31 + (U)(long){at};"),
        }
    }
    /// A value made of an element.
    pub fn value(&self, r: &mut Random, element: &str) -> String {
        let value = match self.element {
            "struct rec" => format!("(U){element}.{}", r.of(&["n", "low[1]", "v", "f", "g"])),
            "double" => format!("(U)(long){element}"),
            _ => format!("(U){element}"),
        };
        match r.below(30) {
            0..=3 => format!("mix({value})"),
            4 | 5 => format!("with_pick({value})"),
            6 => format!("counted({value})"),
            _ => value,
        }
    }
    /// A statement that writes the element.
    pub fn write(&self, r: &mut Random, element: &str, value: &str) -> String {
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
