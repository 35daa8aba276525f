//! The part of `fathom probe --as-machine` about threads that share a node's memory: the table `simulated.near`.
//!
//! What the prober measures of a put is a store into the thread's own cache, since nobody else looks at the word; what it
//! measures of a get likewise. Programs communicate: they read what others have written. So the value of a get is the time
//! until a word that another thread writes is seen, and the range leads from the one to the other.

use super::as_machine::{date, figure, number, parameter, quoted, Measured};
use fathom_profile::{Profile, Value};

/// STREAM counts what a copy reads and what it writes.
const COUNTED: f64 = 2.0;
const WORDS: f64 = 8.0;

/// Whether the threads that were measured share memory: all have, on conduit smp.
pub fn is_near(profile: &Profile) -> bool {
    let has =
        |word: &str| profile.values.iter().any(|v| v.value.is_some() && v.name.split('.').any(|part| part == word));
    !has("far") && (has("near") || profile.about.conduit == "smp")
}

/// The table of a machine file.
///
/// # Errors
/// What the profile lacks.
pub fn table(profile: &Profile) -> Result<String, String> {
    let about = &profile.about;
    let source = format!("{}, {}, conduit {}", date(about.taken_unix_s), about.machine, about.conduit);
    let value = |name: &str| -> Result<Measured, String> {
        let known = |v: &Value| v.value.map(|value| Measured::new(value, v.low, v.high));
        profile.value(name).and_then(known).ok_or_else(|| format!("the profile has no `{name}`"))
    };
    let (put, get, flag) =
        (value("communication.put.ns")?, value("communication.get.ns")?, value("synchronisation.flag.ns")?);
    let byte = parameter(profile, "G.ns_byte")?;
    if byte.value <= 0.0 {
        return Err("a byte takes no time in `communication.loggp.G.ns_byte`: measure again".into());
    }
    let rate = |m: Measured, peak: Measured| {
        let own = 1.0 / m.value;
        Measured::new(own, Some(own.min(1.0 / m.high.max(m.value))), Some(own.max(peak.high / 1000.0)))
    };
    let (puts, gets) = (value("communication.put.peak.mb_s")?, value("communication.get.peak.mb_s")?);
    let memory = value("memory.bandwidth.all.memory.copy.mb_s")?.times(1.0 / 1000.0 / COUNTED);
    let to_flag =
        |m: Measured, value: f64| Measured::new(value, Some(m.low.min(flag.low)), Some(m.high.max(flag.high)));
    let base = |m: Measured, rate: Measured| Measured::new((m.value - WORDS / rate.high).max(0.0), None, None);
    let (put_rate, get_rate) = (rate(byte, puts), rate(byte, gets));
    let rows = [
        (
            "put",
            to_flag(base(put, put_rate), base(put, put_rate).value),
            " ns",
            "puts of a word that nobody else looks at; the range reaches to a flag's time",
        ),
        (
            "get",
            to_flag(base(get, get_rate), flag.value),
            " ns",
            "a word that another thread has just written; the range begins with a word of its own cache",
        ),
        (
            "put_rate",
            put_rate,
            " GB/s",
            "messages by size, whose bytes pass from cache to cache; the range reaches to the peak of puts",
        ),
        ("get_rate", get_rate, " GB/s", "as put_rate; the range reaches to the peak of gets"),
        ("memory_rate", memory, " GB/s", "what all processors copy in memory together, which counts a byte once"),
        ("notice", flag, " ns", "from a thread's store until another one sees it (flag)"),
        ("o_send", parameter(profile, "o_send.ns")?, " ns", "short messages in bursts"),
        ("o_recv", parameter(profile, "o_recv.ns")?, " ns", "the poll that takes a reply which is there"),
    ];
    let mut text = format!(
        "\n# Threads on one node: `fathom simulate --threads-per-node`.\n[simulated.near]\nthreads = {{ value = {}, measured = {} }}\n",
        number(about.processors as f64),
        quoted(&format!("{source}: its processors"))
    );
    for (name, what, unit, how) in rows {
        text += &figure(name, what, unit, &format!("{source}: {how}"));
        text.push('\n');
    }
    Ok(text)
}
