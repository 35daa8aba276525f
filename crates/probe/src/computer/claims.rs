//! The system's claims about this computer's caches and pages: from sysfs, and from the processor itself (cpuid).
//!
//! The caller that measures a profile passes claims on: a probe of another machine has that machine's claims, or none.

use fathom_profile::Claim;
use std::path::Path;

/// The claims about this computer. Empty if there are none.
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

/// The processor's own claims about its data caches (leaf 4 of cpuid, or 0x8000001D, which have the same form).
#[cfg(target_arch = "x86_64")]
fn cpuid() -> Vec<Claim> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // cpuid is present on every x86-64 processor. An unknown leaf answers with zeros or with another leaf's content, so
    // the highest leaf is read first.
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
            ("memory.l3.line.bytes", 64.0), // 0 ways: unknown
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
