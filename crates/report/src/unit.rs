//! Values for people: the number of digits, the multiple of the unit.

/// The unit of a number, which determines how it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A plain number.
    #[default]
    None,
    /// Bytes, in B, KiB, MiB, …
    Bytes,
    /// Nanoseconds, in ns, µs, ms, s.
    Ns,
    /// Millions of bytes per second, in MB/s, GB/s.
    MbS,
    /// From 0 to 1, in percent.
    Share,
    /// Anything else: its name follows the number.
    Named(String),
}

const KIB: f64 = 1024.0;
const BYTES: &[(f64, &str)] =
    &[(1.0, "B"), (KIB, "KiB"), (KIB * KIB, "MiB"), (KIB * KIB * KIB, "GiB"), (KIB * KIB * KIB * KIB, "TiB")];
const TIMES: &[(f64, &str)] = &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")];
const RATES: &[(f64, &str)] = &[(1.0, "MB/s"), (1e3, "GB/s"), (1e6, "TB/s")];
const SHARES: &[(f64, &str)] = &[(0.01, "%")];
const PLAIN: &[(f64, &str)] = &[(1.0, "")];

impl Unit {
    /// By the last part of a value's name: `bytes`, `ns`, `mb_s`, `share`, and names that end so
    /// (`stride_bytes`). Others are written as they are.
    pub fn named(name: &str) -> Self {
        let ends = |word: &str| name == word || name.strip_suffix(word).is_some_and(|rest| rest.ends_with(['_', '.']));
        match name {
            "" | "count" | "number" => Self::None,
            _ if ends("bytes") => Self::Bytes,
            _ if ends("ns") => Self::Ns,
            _ if ends("mb_s") => Self::MbS,
            _ if ends("share") => Self::Share,
            "percent" => Self::Named("%".into()),
            // `messages_s`, `ns_byte`: a rate, and a time of each.
            _ => match name.strip_suffix("_s").or_else(|| name.strip_suffix("_per_s")) {
                Some(what) => Self::Named(format!("{}/s", what.replace('_', " "))),
                None => Self::Named(name.replace("ns_byte", "ns/byte").replace('_', " ")),
            },
        }
    }

    /// The value with its unit, to four significant digits: `32 KiB`, `1.234 µs`.
    pub fn text(&self, value: f64) -> String {
        if !value.is_finite() {
            return if value.is_nan() { "–".into() } else { significant(value, 4) };
        }
        if let Self::Named(name) = self {
            let (multiple, many) = millions(name, value.abs());
            return format!("{} {many}{name}", significant(value / multiple, 4));
        }
        let (multiple, word) = self.multiple(value.abs());
        let number = significant(value / multiple, 4);
        match word {
            "" => number,
            "%" => format!("{number} %"),
            _ => format!("{number} {word}"),
        }
    }

    /// From one value to another, in the multiple that suits the greater: `1.2–1.3 µs`. Empty if one is not a number.
    pub fn range(&self, low: f64, high: f64) -> String {
        if !low.is_finite() || !high.is_finite() {
            return String::new();
        }
        let reach = low.abs().max(high.abs());
        let (multiple, word) = match self {
            Self::Named(name) => {
                let (multiple, many) = millions(name, reach);
                (multiple, format!("{many}{name}"))
            }
            _ => (self.multiple(reach).0, self.multiple(reach).1.to_string()),
        };
        let (low, high) = (significant(low / multiple, 4), significant(high / multiple, 4));
        let dash = if low.starts_with('-') || high.starts_with('-') { " to " } else { "–" };
        format!("{low}{dash}{high} {word}").trim_end().to_string()
    }

    /// The multiple of the unit that suits a value: the divisor, and its name.
    pub(crate) fn multiple(&self, value: f64) -> (f64, &str) {
        let table = match self {
            Self::None => PLAIN,
            Self::Bytes => BYTES,
            Self::Ns => TIMES,
            Self::MbS => RATES,
            Self::Share => SHARES,
            Self::Named(name) => return (1.0, name),
        };
        // 1023.96 KiB would be rounded to 1024, so the next multiple is used.
        *table.iter().rev().find(|(m, _)| value * 1.00005 >= *m).unwrap_or(&table[0])
    }

    /// Are powers of two the usual counts?
    pub(crate) fn binary(&self) -> bool {
        *self == Self::Bytes
    }
}

/// Rates without multiples of their own are counted in millions from a million on: the divisor, and its word.
fn millions(name: &str, value: f64) -> (f64, &'static str) {
    if name.ends_with("/s") && value >= 1e6 {
        (1e6, "million ")
    } else {
        (1.0, "")
    }
}

/// A number with this number of significant digits, without trailing zeros; all digits before the point are kept. Very
/// large and very small ones are written with a power of ten.
pub fn significant(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.into();
    }
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-4..=12).contains(&magnitude) {
        let text = format!("{:.*e}", digits.saturating_sub(1), value);
        return match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
            None => text,
        };
    }
    let places = (digits as i32 - 1 - magnitude).max(0) as usize;
    trimmed(&format!("{value:.places$}")).to_string()
}

fn trimmed(number: &str) -> &str {
    let short = if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    if short == "-0" {
        "0"
    } else {
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_people_write_them() {
        for (unit, value, text) in [
            (Unit::Bytes, 32768.0, "32 KiB"),
            (Unit::Bytes, 64.0, "64 B"),
            (Unit::Bytes, 1_048_570.0, "1 MiB"),
            (Unit::Ns, 1.25, "1.25 ns"),
            (Unit::Ns, 123_456.0, "123.5 µs"),
            (Unit::Ns, 0.0, "0 ns"),
            (Unit::Ns, 999.999, "1 µs"),
            (Unit::MbS, 12_345.0, "12.35 GB/s"),
            (Unit::Share, 0.375, "37.5 %"),
            (Unit::None, 1_234_567.0, "1234567"),
            (Unit::Named("ways".into()), 8.0, "8 ways"),
            (Unit::named("messages_s"), 35_840_413.0, "35.84 million messages/s"),
            (Unit::named("messages_s"), 840_413.0, "840413 messages/s"),
            (Unit::Ns, f64::NAN, "–"),
            (Unit::None, -0.00001, "-1e-5"),
        ] {
            assert_eq!(unit.text(value), text);
        }
    }

    #[test]
    fn a_range_has_one_unit() {
        assert_eq!(Unit::Ns.range(950.0, 1250.0), "0.95–1.25 µs");
        assert_eq!(Unit::None.range(-1.0, 2.0), "-1 to 2");
        assert_eq!(Unit::Bytes.range(f64::NAN, 2.0), "");
    }

    #[test]
    fn a_name_says_the_unit() {
        assert_eq!(Unit::named("stride_bytes"), Unit::Bytes);
        assert_eq!(Unit::named("ns"), Unit::Ns);
        assert_eq!(Unit::named("turns"), Unit::Named("turns".into()));
        assert_eq!(Unit::named("messages_s"), Unit::Named("messages/s".into()));
        assert_eq!(Unit::named("ns_byte"), Unit::Named("ns/byte".into()));
        assert_eq!(Unit::named("in_flight"), Unit::Named("in flight".into()));
    }
}
