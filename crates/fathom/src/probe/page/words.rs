//! Names for people, on axes, marks and cards.

use fathom_report::Unit;
use std::time::{Duration, UNIX_EPOCH};

/// The part of a name with the area.
pub fn area(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// A text, or another if it is empty.
pub fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.trim().is_empty() {
        otherwise
    } else {
        text
    }
}

/// A value's name without its area and its unit, as words: `memory.l1d.line.bytes` is "L1d line".
pub fn short(name: &str, unit: &str) -> String {
    let rest = name.split_once('.').map_or(name, |(_, rest)| rest);
    let rest = rest.strip_suffix(unit).filter(|_| !unit.is_empty()).map_or(rest, |r| r.trim_end_matches(['.', '_']));
    let word = |w: &str| {
        let mut letters = w.chars();
        match (letters.next(), letters.next()) {
            (Some('l'), Some('1'..='9')) => format!("L{}", &w[1..]),
            _ if matches!(w, "tlb" | "dtlb" | "stlb" | "raw" | "war" | "waw") => w.to_uppercase(),
            _ => w.to_string(),
        }
    };
    let words: Vec<String> = rest.split(['.', '_']).filter(|w| !w.is_empty()).map(word).collect();
    if words.is_empty() {
        area(name).to_string()
    } else {
        words.join(" ")
    }
}

/// The label of an axis, and its unit: `stride_bytes` is a stride in bytes.
pub fn axis(name: &str) -> (String, Unit) {
    let unit = Unit::named(name);
    let word = match &unit {
        Unit::Bytes => ("bytes", "size"),
        Unit::Ns => ("ns", "time"),
        Unit::MbS => ("mb_s", "bandwidth"),
        Unit::Share => ("share", "share"),
        _ => ("", name),
    };
    let label = match name.strip_suffix(word.0).map(|rest| rest.trim_end_matches(['_', '.'])) {
        Some(rest) if !rest.is_empty() => rest.replace(['_', '.'], " "),
        _ => word.1.replace(['_', '.'], " "),
    };
    (label, unit)
}

/// Do the names differ only in one number, which increases? Then they are steps of a quantity, and not kinds.
pub fn steps(names: &[&str]) -> bool {
    let number = |name: &str| -> (String, f64) {
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        let rest: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
        (rest, digits.parse().unwrap_or(f64::NAN))
    };
    let found: Vec<(String, f64)> = names.iter().map(|n| number(n)).collect();
    let of_bytes = |text: &str| text.replace("KiB", "").replace("MiB", "").replace("GiB", "").replace('B', "");
    let alike = found.windows(2).all(|w| of_bytes(&w[0].0) == of_bytes(&w[1].0));
    let rising = found.windows(2).all(|w| w[0].1 < w[1].1) || found.windows(2).any(|w| w[0].0 != w[1].0);
    names.len() > 3 && alike && rising && found.iter().all(|f| f.1.is_finite())
}

/// A day and a time of day from seconds since 1970, UTC.
pub fn date(unix_s: u64) -> String {
    // Dates end with the year 9999.
    let at = UNIX_EPOCH + Duration::from_secs(unix_s.min(253_402_300_799));
    let text = humantime::format_rfc3339_seconds(at).to_string();
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{day} {} UTC", time.get(..5).unwrap_or(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_people() {
        assert_eq!(short("memory.l1d.line.bytes", "bytes"), "L1d line");
        assert_eq!(short("communication.put_near.ns", "ns"), "put near");
        assert_eq!(short("memory.dtlb.entries", "entries"), "DTLB");
        assert_eq!(axis("stride_bytes"), ("stride".into(), Unit::Bytes));
        assert_eq!(axis("ns"), ("time".into(), Unit::Ns));
        assert_eq!(axis("in_flight"), ("in flight".into(), Unit::named("in_flight")));
    }

    #[test]
    fn strides_are_steps_and_operations_are_not() {
        assert!(steps(&["stride 8", "stride 16", "stride 32", "stride 64"]));
        assert!(steps(&["512 B", "1 KiB", "2 KiB", "4 KiB"]));
        assert!(!steps(&["load", "store", "copy", "triad"]));
        assert!(!steps(&["1C1", "1C64", "64C1", "wC1"]));
    }

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_735_689_599), "2024-12-31 23:59 UTC");
        assert_eq!(date(u64::MAX), "9999-12-31 23:59 UTC");
    }
}
