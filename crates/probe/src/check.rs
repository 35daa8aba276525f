//! What the system claims about the machine (sysfs, cpuid), and a profile beside it.
//!
//! The claims are kept in the profile, so that a profile can be checked anywhere. A claim may well be false: a virtual machine
//! shows the caches of the whole computer, of which it has a part. The measured value is what programs get.

use crate::profile::{Claim, Profile, Value};
use std::path::Path;

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    Differs,
    /// It was not measured, or cannot be known here.
    Open,
}

/// A claim beside what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub claim: Claim,
    pub measured: Option<f64>,
    pub verdict: Verdict,
    /// What the difference means, or why nothing was measured.
    pub note: String,
}

/// Sizes may deviate by this share: a cache is shared with code, tables, the system.
const TOLERANCE: f64 = 0.15;

/// Every claim of the profile, with what was measured.
pub fn check(profile: &Profile) -> Vec<Row> {
    profile.claims.iter().map(|claim| row(claim, measured(&profile.values, &claim.name))).collect()
}

/// The value of this name. Caches are numbered (`l1`), and the first may be named for its data (`l1d`); the line that is
/// measured is the first's, and is called the line.
fn measured<'a>(values: &'a [Value], name: &str) -> Option<&'a Value> {
    [name, &name.replacen(".l1.", ".l1d.", 1), &name.replacen(".l1.line.", ".line.", 1)]
        .into_iter()
        .find_map(|name| values.iter().find(|v| v.name == name))
}

fn row(claim: &Claim, value: Option<&Value>) -> Row {
    let measured = value.and_then(|v| v.value);
    let (verdict, note) = match (value, measured) {
        (None, _) => (Verdict::Open, "not measured".to_string()),
        (Some(v), None) => (Verdict::Open, v.rule.clone()),
        (Some(v), Some(m)) if agrees(claim, v, m) => (Verdict::Agrees, String::new()),
        (_, Some(m)) => (Verdict::Differs, meaning(claim, m)),
    };
    Row { claim: claim.clone(), measured, verdict, note }
}

/// Lines, pages and ways are exact; sizes are near, or the claim lies where the truth is said to lie.
fn agrees(claim: &Claim, value: &Value, measured: f64) -> bool {
    let exact =
        !claim.name.ends_with(".bytes") || claim.name.ends_with("line.bytes") || claim.name.ends_with("page.bytes");
    let near = (measured - claim.value).abs() <= TOLERANCE * claim.value;
    let within = value.low.zip(value.high).is_some_and(|(low, high)| low <= claim.value && claim.value <= high);
    match exact {
        true => measured.round() == claim.value,
        false => near || within,
    }
}

fn meaning(claim: &Claim, measured: f64) -> String {
    let times = claim.value / measured;
    if claim.name.ends_with(".bytes") && times > 1.0 {
        format!(
            "a program has {:.0} % of what is claimed: the rest belongs to others (a partition of the cache, other processors, \
             the host of a virtual machine)",
            100.0 / times
        )
    } else if claim.name.ends_with(".bytes") {
        "more than is claimed: what lies behind may serve it, or the claim is of a part".into()
    } else {
        "the measurement and the claim exclude each other".into()
    }
}

// ---- what this computer claims -----------------------------------------------------------------------------------------

/// The claims of the computer that this runs on. Empty where nobody claims anything.
pub fn claims() -> Vec<Claim> {
    let mut claims = sysfs(Path::new("/sys/devices/system/cpu/cpu0/cache"));
    let known: Vec<String> = claims.iter().map(|c| c.name.clone()).collect();
    claims.extend(cpuid().into_iter().filter(|c| !known.contains(&c.name)));
    let auxv = std::fs::read("/proc/self/auxv").unwrap_or_default();
    claims.extend(page_bytes(&auxv).map(|bytes| claim("memory.page.bytes".into(), bytes, "the kernel (AT_PAGESZ)")));
    claims
}

fn claim(name: String, value: f64, source: &str) -> Claim {
    Claim { name, value, source: source.into() }
}

/// The caches for data below a folder like `/sys/devices/system/cpu/cpu0/cache`.
fn sysfs(folder: &Path) -> Vec<Claim> {
    let mut claims = vec![];
    for index in 0.. {
        let folder = folder.join(format!("index{index}"));
        if !folder.is_dir() {
            return claims;
        }
        let read = |what: &str| std::fs::read_to_string(folder.join(what)).ok().map(|t| t.trim().to_string());
        let number = |what: &str| read(what).and_then(|t| t.parse::<f64>().ok()).filter(|v| *v > 0.0);
        let (Some(level), Some(kind)) = (number("level"), read("type")) else { continue };
        if kind == "Instruction" {
            continue;
        }
        let mut add = |what: &str, value: Option<f64>| {
            claims.extend(value.map(|v| claim(format!("memory.l{level}.{what}"), v, "sysfs")));
        };
        add("bytes", read("size").and_then(|t| size(&t)));
        add("line.bytes", number("coherency_line_size"));
        add("ways", number("ways_of_associativity"));
    }
    claims
}

/// `48K`, `2048K`, `1M`.
fn size(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "K" => 1024.0,
        "M" => 1048576.0,
        "G" => 1073741824.0,
        _ => return None,
    };
    digits.parse::<f64>().ok().map(|n| n * factor).filter(|n| *n > 0.0)
}

/// The caches for data that the processor names itself (leaf 4 of cpuid, or 0x8000001D, which have one form).
#[cfg(target_arch = "x86_64")]
fn cpuid() -> Vec<Claim> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // Present on every x86-64 processor; a leaf that is not known answers with zeros or with another leaf's content, so
    // the highest leaf is asked first.
    let (basic, extended) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    let leaf = match (basic >= 4 && __cpuid_count(4, 0).eax & 31 != 0, extended >= 0x8000_001d) {
        (true, _) => 4,
        (false, true) => 0x8000_001d,
        (false, false) => return vec![],
    };
    let mut claims = vec![];
    for index in 0..16 {
        let found = __cpuid_count(leaf, index);
        let (kind, level) = (found.eax & 31, found.eax >> 5 & 7);
        match kind {
            0 => break,
            1 | 3 => {} // data, unified
            _ => continue,
        }
        let line = f64::from((found.ebx & 0xfff) + 1);
        let partitions = f64::from((found.ebx >> 12 & 0x3ff) + 1);
        let ways = f64::from((found.ebx >> 22) + 1);
        let bytes = line * partitions * ways * (f64::from(found.ecx) + 1.0);
        for (what, value) in [("bytes", bytes), ("line.bytes", line), ("ways", ways)] {
            claims.push(claim(format!("memory.l{level}.{what}"), value, "cpuid"));
        }
    }
    claims
}

#[cfg(not(target_arch = "x86_64"))]
fn cpuid() -> Vec<Claim> {
    vec![]
}

/// AT_PAGESZ of an auxiliary vector.
fn page_bytes(auxv: &[u8]) -> Option<f64> {
    const AT_PAGESZ: u64 = 6;
    let word = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_ne_bytes);
    let pair = auxv.chunks_exact(16).find(|pair| word(&pair[..8]) == Some(AT_PAGESZ))?;
    word(&pair[8..]).map(|bytes| bytes as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, value: Option<f64>) -> Value {
        let (low, high) = (value.map(|v| 0.97 * v), value.map(|v| 1.03 * v));
        let rule = "pages are scattered".into();
        Value { name: name.into(), value, unit: String::new(), low, high, confidence: 0.9, rule, evidence: vec![] }
    }

    fn verdict(name: &str, claimed: f64, measured: Option<Value>) -> Verdict {
        row(&claim(name.into(), claimed, "test"), measured.as_ref()).verdict
    }

    #[test]
    fn the_first_cache_goes_by_two_names_and_its_line_by_a_third() {
        let values = [
            value("memory.l1d.ways", Some(12.0)),
            value("memory.line.bytes", Some(64.0)),
            value("memory.l2.ways", Some(16.0)),
        ];
        let found = |name: &str| measured(&values, name).and_then(|v| v.value);
        assert_eq!(found("memory.l1.ways"), Some(12.0));
        assert_eq!(found("memory.l2.ways"), Some(16.0));
        assert_eq!(found("memory.l1.line.bytes"), Some(64.0));
        assert_eq!(found("memory.l2.line.bytes"), None, "the line that is measured is the first level's");
    }

    #[test]
    fn sizes_may_deviate_and_lines_may_not() {
        let of = |name: &str, claimed: f64, found: f64| verdict(name, claimed, Some(value(name, Some(found))));
        assert_eq!(of("memory.l2.bytes", 2097152.0, 1900000.0), Verdict::Agrees);
        assert_eq!(of("memory.l2.bytes", 2097152.0, 1500000.0), Verdict::Differs);
        assert_eq!(of("memory.l1.line.bytes", 64.0, 64.0), Verdict::Agrees);
        assert_eq!(of("memory.l1.line.bytes", 64.0, 128.0), Verdict::Differs);
        assert_eq!(of("memory.l1.ways", 12.0, 11.0), Verdict::Differs);
        assert_eq!(of("memory.page.bytes", 4096.0, 4096.0), Verdict::Agrees);
    }

    #[test]
    fn a_wide_interval_does_not_exclude_the_claim() {
        let wide = Value { low: Some(20e6), high: Some(60e6), ..value("memory.l3.bytes", Some(30e6)) };
        assert_eq!(verdict("memory.l3.bytes", 55e6, Some(wide)), Verdict::Agrees);
    }

    #[test]
    fn a_part_of_a_cache_is_told() {
        let found = row(&claim("memory.l3.bytes".into(), 105e6, "sysfs"), Some(&value("memory.l3.bytes", Some(6.5e6))));
        assert_eq!(found.verdict, Verdict::Differs);
        assert!(found.note.contains("6 % of what is claimed"), "{}", found.note);
    }

    #[test]
    fn what_cannot_be_known_stays_open_and_says_why() {
        let found = row(&claim("memory.l2.ways".into(), 16.0, "cpuid"), Some(&value("memory.l2.ways", None)));
        assert_eq!((found.verdict, found.note.as_str()), (Verdict::Open, "pages are scattered"));
        assert_eq!(verdict("memory.l2.ways", 16.0, None), Verdict::Open);
    }

    #[test]
    fn the_system_is_read() {
        let folder = tempfile::tempdir().unwrap();
        for (index, level, kind, bytes, ways) in [
            (0, 1, "Data", "48K", 12),
            (1, 1, "Instruction", "64K", 8),
            (2, 2, "Unified", "2048K", 16),
            (3, 3, "Unified", "1M", 0),
        ] {
            let folder = folder.path().join(format!("index{index}"));
            std::fs::create_dir(&folder).unwrap();
            let write = |name: &str, text: String| std::fs::write(folder.join(name), text + "\n").unwrap();
            write("level", level.to_string());
            write("type", kind.into());
            write("size", bytes.into());
            write("coherency_line_size", "64".into());
            write("ways_of_associativity", ways.to_string());
        }
        let found: Vec<(String, f64)> = sysfs(folder.path()).into_iter().map(|c| (c.name, c.value)).collect();
        let expected = [
            ("memory.l1.bytes", 49152.0),
            ("memory.l1.line.bytes", 64.0),
            ("memory.l1.ways", 12.0),
            ("memory.l2.bytes", 2097152.0),
            ("memory.l2.line.bytes", 64.0),
            ("memory.l2.ways", 16.0),
            ("memory.l3.bytes", 1048576.0),
            ("memory.l3.line.bytes", 64.0), // 0 ways: nobody knows
        ];
        assert_eq!(found, expected.map(|(name, value)| (name.to_string(), value)));
        assert_eq!(sysfs(Path::new("/nowhere")), vec![]);
    }

    #[test]
    fn this_computer_has_pages() {
        let page = claims().into_iter().find(|c| c.name == "memory.page.bytes").unwrap();
        assert!(page.value >= 4096.0 && (page.value as u64).is_power_of_two());
    }

    #[test]
    fn what_two_sources_claim_is_said_once() {
        let mut names: Vec<String> = claims().into_iter().map(|c| c.name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
