//! Times for people.

/// A time for people.
pub fn nanoseconds(ns: f64) -> String {
    match ns {
        n if n < 1e3 => format!("{n:.3} ns").replace(".000", ""),
        n if n < 1e6 => format!("{:.3} us", n / 1e3),
        n => format!("{:.3} ms", n / 1e6),
    }
}
