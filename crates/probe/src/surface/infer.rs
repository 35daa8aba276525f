//! What a sawtooth surface tells: the rules of the T3D Split-C study, sections 2.2 and 2.3, as pure functions.
//!
//! | observation | conclusion |
//! |---|---|
//! | a plateau at the least time for arrays up to C | the time of a hit, and the size C of the first cache |
//! | the stride from which the time no longer grows, for arrays beyond C | the line |
//! | n addresses C apart or more that hit, n + 1 that do not | n ways |
//! | plateaus between hit and memory | further caches |
//! | a further rise at a stride S, even with two or three addresses | pages of memory of S bytes: too few for translation |
//! | a further rise at a stride S only with many addresses | pages of translation of S bytes |
//! | many addresses slower than few, at a stride from which few are slower, too | both: few show the pages of memory |
//! | a second rise at a stride S, however few addresses | the same bank of memory |
//! | stores far faster than memory | a write buffer; its depth is the time of memory divided by that of a store in a row |
//! | a store's time grows up to a stride S, and such a store takes less than a load | stores merge within S bytes |
//! | such a store takes as long as a load | none: the line is read into the cache before it is written |

/// ns per access by stride, for each size of the array; both in bytes, rising.
pub type Surface = Vec<(f64, Vec<(f64, f64)>)>;

/// An inferred value.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Without the area.
    pub name: &'static str,
    /// None if there is no such thing, or it cannot be known: the rule says why.
    pub value: Option<f64>,
    pub unit: &'static str,
    pub interval: (f64, f64),
    pub rule: String,
    /// The surface on which it rests: read or write.
    pub series: &'static str,
}

/// Times that differ by less are one plateau.
const SAME: f64 = 1.015;

/// Levels differ by more. Within one, a translation may add its share.
const LEVEL: f64 = 1.5;

fn is_same(a: f64, b: f64) -> bool {
    a / b < SAME && b / a < SAME
}

fn at(surface: &Surface, bytes: f64, stride: f64) -> Option<f64> {
    let (_, row) = surface.iter().find(|(b, _)| *b == bytes)?;
    row.iter().find(|(s, _)| *s == stride).map(|(_, ns)| *ns)
}

/// All that the two surfaces tell.
pub fn inferred(reads: &Surface, writes: &Surface) -> Vec<Found> {
    let mut found = vec![];
    let known = of_reads(reads, &mut found);
    if let Some(known) = known {
        of_writes(writes, &known, &mut found);
    }
    found
}

/// What the inference of stores needs of that of loads.
struct Known {
    /// The time of what is behind the first cache.
    behind_ns: f64,
    line: f64,
    /// An array that is too large for the first cache, and small enough for everything else.
    bytes: f64,
}

fn of_reads(reads: &Surface, found: &mut Vec<Found>) -> Option<Known> {
    let (least, first) = reads.first()?;
    let (largest, last) = reads.last()?;
    let hit = first.first()?.1;
    let mut push = |name, value: f64, unit, interval, rule: String| {
        found.push(Found { name, value: Some(value), unit, interval, rule, series: "read" });
    };
    let exactly = |value: f64| (value, value);
    // The largest array that hits whatever the stride.
    let fits = |row: &[(f64, f64)]| row.iter().all(|(_, ns)| is_same(*ns, hit));
    let cache = reads.iter().take_while(|(_, row)| fits(row)).map(|(bytes, _)| *bytes).last()?;
    if cache == *largest {
        return None;
    }
    // A large array by words: a cache misses once for each line of it, at least.
    if is_same(last.first()?.1, hit) {
        push(
            "memory.ns",
            hit,
            "ns",
            exactly(hit),
            "arrays of every size take this time, by words, too: no cache".into(),
        );
        return None;
    }
    push("hit.ns", hit, "ns", exactly(hit), format!("the time of arrays up to {least} bytes, whatever the stride"));
    let rule = format!("arrays of {cache} bytes hit at every stride, those of {} bytes do not", 2.0 * cache);
    push("l1.bytes", cache, "bytes", (cache, 2.0 * cache), rule);
    // The line: from it on, the time does not grow. Twice the cache is few enough pages for a translation.
    let (_, beyond) = reads.iter().find(|(bytes, _)| *bytes == 2.0 * cache)?;
    let line = beyond.windows(2).find(|two| is_same(two[0].1, two[1].1)).map(|two| two[0])?;
    let rule = format!("from strides of {} bytes on, every access of an array of {} bytes misses", line.0, 2.0 * cache);
    push("line.bytes", line.0, "bytes", exactly(line.0), rule);
    let behind_ns = line.1;
    let line = *last.iter().find(|(stride, _)| *stride == line.0)?;
    let ways = ways(reads, cache, hit);
    let rule = format!("{ways} addresses {cache} bytes apart hit, {} do not", ways + 1);
    push("l1.ways", f64::from(ways), "ways", exactly(f64::from(ways)), rule);
    levels(reads, (cache, hit, line.0), &mut push);
    let few = Few { reads, cache, ways, line };
    let mut translated_ns = 0.0;
    let mut rises = rises(last, line);
    // Where both have pages, the rise of the one may be part of that of the other.
    if let Some(hidden) = few.translation(last) {
        let Hidden { page, ns, addresses, of_memory } = hidden;
        let rule = format!(
            "strides from {page} bytes on are slower with {addresses} addresses or more, by more than few addresses are: those show \
             the pages of memory alone"
        );
        push("translation.page.bytes", page, "bytes", exactly(page), rule);
        push("translation.ns", ns, "ns", exactly(ns), "by how much they are slower".into());
        let entries = (addresses / 2.0, addresses);
        let rule = format!("{} pages are translated at once, {addresses} are not", addresses / 2.0);
        push("translation.entries", addresses / 2.0, "pages", entries, rule);
        translated_ns = line.1 - few.time(line.0).unwrap_or(line.1);
        rises = of_memory;
    }
    let mut name = ["page.bytes", "bank.bytes"].into_iter();
    for (i, &(stride, before, after)) in rises.iter().enumerate() {
        // The least number of addresses by this stride or a longer one that are slower than lines of the same array in
        // a row.
        let next = rises.get(i + 1).map_or(f64::INFINITY, |r| r.0);
        let slow = reads.iter().filter(|(b, _)| *b > cache).flat_map(|(b, row)| {
            let by_lines = at(reads, *b, line.0).unwrap_or(f64::INFINITY);
            let longer = row.iter().filter(move |(s, ns)| (stride..next).contains(s) && *ns > SAME * by_lines);
            longer.map(move |(s, _)| b / s)
        });
        let addresses = slow.min_by(f64::total_cmp).unwrap_or(f64::INFINITY);
        if addresses > few.most() {
            let rule = format!("strides from {stride} bytes on are slower only with {addresses} addresses or more");
            push("translation.page.bytes", stride, "bytes", exactly(stride), rule);
            // Lines in a row share the cost of their page.
            translated_ns = (after - before) / (stride / line.0 - 1.0);
            push("translation.ns", after - before, "ns", exactly(after - before), "the rise at that stride".into());
            let entries = (addresses / 2.0, addresses);
            let rule = format!("{} pages are translated at once, {addresses} are not", addresses / 2.0);
            push("translation.entries", addresses / 2.0, "pages", entries, rule);
        } else if let Some(name) = name.next() {
            let what = if i == 0 { "another page of memory" } else { "the same bank of memory" };
            let rule = format!(
                "strides from {stride} bytes on are slower even with {addresses} addresses, too few for translation: {what}"
            );
            push(name, stride, "bytes", exactly(stride), rule);
            let unit = if name == "page.bytes" { "another_page.ns" } else { "same_bank.ns" };
            push(unit, after, "ns", exactly(after), format!("the time from strides of {stride} bytes on"));
        }
    }
    let memory_ns = line.1 - translated_ns;
    let rule = format!("the time of a large array by strides of {} bytes, without translation", line.0);
    push("memory.ns", memory_ns, "ns", exactly(memory_ns), rule);
    let rate = line.0 / line.1 * 1000.0;
    push("streaming.mb_s", rate, "MB/s", exactly(rate), "a line in the time of such an access".into());
    Some(Known { behind_ns, line: line.0, bytes: 2.0 * cache })
}

/// What few addresses tell: as many as miss the first cache, and no more pages than any translation holds.
struct Few<'a> {
    reads: &'a Surface,
    cache: f64,
    ways: u32,
    /// The stride of a line, and the time of the largest array by it.
    line: (f64, f64),
}

/// A translation beside pages of memory.
struct Hidden {
    page: f64,
    ns: f64,
    /// The least number of addresses that are slower.
    addresses: f64,
    /// The rises that few addresses show.
    of_memory: Vec<(f64, f64, f64)>,
}

impl Few<'_> {
    /// As many addresses as the cache has ways hit, whatever the stride.
    fn most(&self) -> f64 {
        f64::from(4.max(2 * self.ways))
    }

    /// The time of few addresses by this stride; None if they fit into a further cache, or the surface has no such array.
    fn time(&self, stride: f64) -> Option<f64> {
        let bytes = (2.0 * self.cache).max(2.0 * f64::from(self.ways) * stride);
        let is_behind_all = LEVEL * at(self.reads, bytes, self.line.0)? > self.line.1;
        at(self.reads, bytes, stride).filter(|_| is_behind_all)
    }

    /// What the largest array shows beyond what few addresses do, if these show pages of memory.
    fn translation(&self, last: &[(f64, f64)]) -> Option<Hidden> {
        let own: Vec<(f64, f64)> = last.iter().map_while(|(s, _)| Some((*s, self.time(*s)?))).collect();
        let line = *own.iter().find(|(s, _)| *s == self.line.0)?;
        let of_memory = rises(&own, line);
        let &(first, _, another_page) = of_memory.first()?;
        // Up to the page of memory, an access closes it the more often the longer the stride.
        let memory = |stride: f64| match stride < first {
            true => Some(line.1 + (another_page - line.1) * stride / first),
            false => own.iter().find(|(s, _)| *s == stride).map(|(_, ns)| *ns),
        };
        let more = |s: f64, t: f64| memory(s).filter(|ns| t > SAME * ns).map(|ns| t - ns);
        let beyond = last.iter().filter(|(s, _)| *s > line.0).filter_map(|(s, t)| Some((*s, more(*s, *t)?)));
        let beyond: Vec<(f64, f64)> = beyond.collect();
        let ns = beyond.iter().map(|(_, more)| *more).max_by(f64::total_cmp)?;
        // Strides of half of its page have half of it.
        let page = beyond.iter().find(|(_, more)| *more > 0.75 * ns)?.0;
        let slower = self.reads.iter().filter(|(b, _)| *b > self.cache).flat_map(|(b, row)| {
            let longer = row.iter().filter(|(s, t)| *s >= page && more(*s, *t).is_some());
            longer.map(move |(s, _)| b / s)
        });
        let addresses = slower.min_by(f64::total_cmp)?;
        (addresses > self.most()).then_some(Hidden { page, ns, addresses, of_memory })
    }
}

/// The greatest number of addresses of one set that hit.
fn ways(reads: &Surface, cache: f64, hit: f64) -> u32 {
    let hits = |n: u32| {
        // n addresses, a multiple of the cache's size apart.
        let strides = reads.iter().filter(|(bytes, _)| bytes / f64::from(n) >= cache);
        let all: Vec<f64> = strides.filter_map(|(b, _)| at(reads, *b, b / f64::from(n))).collect();
        !all.is_empty() && all.iter().all(|ns| is_same(*ns, hit))
    };
    // Strides are powers of two.
    [2, 4, 8, 16, 32].into_iter().take_while(|n| hits(*n)).last().unwrap_or(1)
}

/// The caches behind the first: plateaus by size, at the stride of a line.
fn levels(
    reads: &Surface,
    (cache, hit, line): (f64, f64, f64),
    push: &mut impl FnMut(&'static str, f64, &'static str, (f64, f64), String),
) {
    let by_size: Vec<(f64, f64)> =
        reads.iter().filter(|(b, _)| *b > cache).filter_map(|(b, _)| Some((*b, at(reads, *b, line)?))).collect();
    let Some(&(_, memory)) = by_size.last() else { return };
    let mut names = [("l2.bytes", "l2.hit.ns"), ("l3.bytes", "l3.hit.ns")].into_iter();
    let mut from = 0;
    while from < by_size.len() {
        let ns = by_size[from].1;
        let n = by_size[from..].iter().take_while(|(_, t)| *t < LEVEL * ns).count();
        let bytes = by_size[from + n - 1].0;
        if n >= 2 && memory > LEVEL * ns && ns > SAME * hit {
            if let Some((size, time)) = names.next() {
                let rule = format!("a plateau of arrays up to {bytes} bytes, between the first cache and memory");
                push(size, bytes, "bytes", (bytes, 2.0 * bytes), rule);
                push(time, ns, "ns", (ns, ns), "the time on this plateau".into());
            }
        }
        from += n;
    }
}

/// The strides from which the time rises to another plateau, with the times before and after.
fn rises(row: &[(f64, f64)], line: (f64, f64)) -> Vec<(f64, f64, f64)> {
    let mut rises = vec![];
    let mut level = line.1;
    let beyond: Vec<&(f64, f64)> = row.iter().filter(|(stride, _)| *stride > line.0).collect();
    for two in beyond.windows(2) {
        // On a ramp, the next stride takes longer.
        if two[0].1 > SAME * level && two[1].1 < SAME * two[0].1 {
            rises.push((two[0].0, level, two[0].1));
            level = two[0].1;
        }
    }
    rises
}

fn of_writes(writes: &Surface, known: &Known, found: &mut Vec<Found>) {
    let Some((largest, last)) = writes.last() else { return };
    // Of the largest array, stores may wait for more than the buffer.
    let close = writes.iter().find(|(bytes, _)| *bytes == known.bytes).map(|(_, row)| row);
    let Some(&(_, merged)) = close.unwrap_or(last).first() else { return };
    let mut push = |name, value: Option<f64>, unit, rule: String| {
        let at = value.unwrap_or(f64::NAN);
        found.push(Found { name, value, unit, interval: (at, at), rule, series: "write" });
    };
    push("store.ns", Some(merged), "ns", "the time of a store by strides of a word".into());
    // Stores to a line each, before pages matter.
    let Some(row) = close else { return };
    let beyond = row.iter().filter(|(stride, _)| *stride >= known.line).collect::<Vec<_>>();
    let Some(plateau) = beyond.windows(2).find(|two| is_same(two[0].1, two[1].1)).map(|two| two[0].1) else {
        return;
    };
    push("store.line.ns", Some(plateau), "ns", "the time of stores to a line each".into());
    // Where each store to a line takes as long as a load of it, the line is read first: a cache takes it in, and no buffer
    // merges.
    let is_buffered = SAME * plateau < known.behind_ns;
    if plateau > SAME * merged && is_buffered {
        let grows = row.iter().find(|(_, ns)| is_same(*ns, plateau)).map_or(0.0, |(stride, _)| *stride);
        push("merging.bytes", Some(grows), "bytes", format!("stores become slower up to strides of {grows} bytes"));
    } else if plateau > SAME * merged {
        let rule = format!(
            "a store to a line of its own takes {plateau:.1} ns, no less than the {:.1} ns of a load: the line is read into the \
             cache first, and stores to it hit there",
            known.behind_ns
        );
        push("merging.bytes", None, "bytes", rule);
    }
    // If a store itself takes as long, the buffer is never full.
    let depth = (known.behind_ns / plateau).round();
    if depth >= 2.0 && plateau > SAME * merged {
        let rule = format!("a load from behind the cache takes {:.1} times as long", known.behind_ns / plateau);
        push("write_buffer.entries", Some(depth), "lines", rule);
    }
    // Where lines of the largest array are not stored in the same time, it is not pages that make them slower.
    if !at(writes, *largest, known.line).is_some_and(|ns| is_same(ns, plateau)) {
        return;
    }
    let first =
        last.windows(2).find(|two| two[0].1 > SAME * plateau && is_same(two[0].1, two[1].1)).map(|two| two[0].0);
    if let Some(stride) = first {
        let rule = format!("stores by strides from {stride} bytes on are slower again");
        push("store.page.bytes", Some(stride), "bytes", rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The surface of a direct-mapped cache of 8 KB with lines of 32 B before memory with pages of 16 KB in four banks.
    fn t3d(ns: impl Fn(f64, f64) -> f64) -> Surface {
        let strides = |bytes: f64| (3..23).map(|k| f64::from(1 << k)).filter(move |s| *s <= bytes / 2.0);
        let sizes = (12..22).map(|k| f64::from(1 << k));
        sizes.map(|b| (b, strides(b).map(|s| (s, ns(b, s))).collect())).collect()
    }

    fn read(bytes: f64, stride: f64) -> f64 {
        match (bytes <= 8192.0, stride) {
            (true, _) => 6.67,
            (_, s) if s < 32.0 => (145.0 + (32.0 / s - 1.0) * 6.67) / (32.0 / s),
            (_, s) if s < 16384.0 => 145.0,
            (_, s) if s < 65536.0 => 205.0,
            _ => 264.0,
        }
    }

    fn write(_: f64, stride: f64) -> f64 {
        match stride {
            s if s < 32.0 => 20.0,
            s if s < 16384.0 => 36.25,
            _ => 51.25,
        }
    }

    #[test]
    fn the_t3d_is_inferred_as_in_the_study() {
        let found = inferred(&t3d(read), &t3d(write));
        let value = |name: &str| found.iter().find(|f| f.name == name).and_then(|f| f.value);
        for (name, expected) in [
            ("hit.ns", 6.67),
            ("l1.bytes", 8192.0),
            ("line.bytes", 32.0),
            ("l1.ways", 1.0),
            ("memory.ns", 145.0),
            ("page.bytes", 16384.0),
            ("another_page.ns", 205.0),
            ("bank.bytes", 65536.0),
            ("same_bank.ns", 264.0),
            ("store.ns", 20.0),
            ("store.line.ns", 36.25),
            ("merging.bytes", 32.0),
            ("write_buffer.entries", 4.0),
            ("store.page.bytes", 16384.0),
        ] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
        assert_eq!([value("l2.bytes"), value("translation.page.bytes")], [None, None]);
    }

    #[test]
    fn stores_that_read_their_line_first_merge_nowhere() {
        // A cache takes lines in before they are written: a miss for each line, and hits for its other words.
        let write = |_: f64, stride: f64| if stride < 32.0 { 150.0 / (32.0 / stride) + 10.0 } else { 150.0 };
        let found = inferred(&t3d(read), &t3d(write));
        let merging = found.iter().find(|f| f.name == "merging.bytes").unwrap();
        assert!(merging.value.is_none() && merging.rule.contains("read into the cache first"), "{merging:?}");
        assert!(!found.iter().any(|f| f.name == "write_buffer.entries"));
    }

    #[test]
    fn pages_of_translation_need_many_addresses() {
        let many = |bytes: f64, stride: f64| match (bytes <= 8192.0, stride >= 8192.0 && bytes / stride > 32.0) {
            (true, _) => 6.67,
            (_, true) => 530.0,
            _ if stride < 32.0 => read(bytes, stride),
            _ => 300.0,
        };
        let found = inferred(&t3d(many), &t3d(write));
        let value = |name: &str| found.iter().find(|f| f.name == name).and_then(|f| f.value);
        assert_eq!(value("translation.page.bytes"), Some(8192.0));
        assert_eq!(value("translation.entries"), Some(32.0));
        assert_eq!([value("page.bytes"), value("bank.bytes")], [None, None]);
    }

    #[test]
    fn few_addresses_tell_pages_of_memory_from_those_of_translation() {
        // 4 pages of 8 KB are translated at once; the pages of memory, of 16 KB, rise at the next stride.
        let both = |bytes: f64, stride: f64| {
            let pages = (bytes / stride).min(bytes / 8192.0);
            let misses = if bytes > 8192.0 && pages > 4.0 { 230.0 * (stride / 8192.0).min(1.0) } else { 0.0 };
            // An access in every so many closes the page of memory.
            let closes = if bytes > 16384.0 && stride < 16384.0 { 60.0 * stride / 16384.0 } else { 0.0 };
            read(bytes, stride) + misses + if bytes > 8192.0 && stride >= 32.0 { closes } else { 0.0 }
        };
        let found = inferred(&t3d(both), &t3d(write));
        let value = |name: &str| found.iter().find(|f| f.name == name).and_then(|f| f.value);
        for (name, expected) in [
            ("translation.page.bytes", 8192.0),
            ("translation.ns", 230.0),
            ("translation.entries", 4.0),
            ("page.bytes", 16384.0),
            ("another_page.ns", 205.0),
            ("bank.bytes", 65536.0),
            ("same_bank.ns", 264.0),
            ("memory.ns", 145.0),
        ] {
            assert_eq!(value(name), Some(expected), "{name}");
        }
    }
}
