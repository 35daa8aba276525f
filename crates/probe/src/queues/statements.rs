//! Which statements of the StarT-Voyager study (V07 to V12 of its list) hold on this machine. Each is a number that the
//! study bounds; the rule says whether the bound holds, and which measured parts make it so.
//!
//! A number is a ratio of times, or the size at which one exceeds the other. A statement holds or does not if all looks agree,
//! and is undecided if half of them leave it open: disturbance widens what looks allow, so it makes statements undecided
//! and not wrong.

use super::plan::Threads::{self, Many, One};
use super::plan::{BASIC, BASIC_FLUSHED, EXPRESS, LATENCY, RECEIVE, SEND, TAG_ON, TAG_ON_FLUSHED};
use crate::passes::Passes;
use fathom_profile::{names, Evidence, Value};

/// A time or a ratio of times: the median; the range of half of the looks, and that of all with their intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figure {
    y: f64,
    half: (f64, f64),
    all: (f64, f64),
}

impl Figure {
    fn both(self, other: Figure, f: impl Fn(f64, f64) -> f64, is_ratio: bool) -> Figure {
        let range = |a: (f64, f64), b: (f64, f64)| {
            let (low, high) = if is_ratio { (b.1, b.0) } else { b };
            (f(a.0, low), f(a.1, high))
        };
        Figure { y: f(self.y, other.y), half: range(self.half, other.half), all: range(self.all, other.all) }
    }

    fn plus(self, other: Figure) -> Figure {
        self.both(other, |a, b| a + b, false)
    }

    /// No time is shorter than a clock can see.
    fn over(self, other: Figure) -> Figure {
        self.both(other, |a, b| a / b.max(1e-3), true)
    }

    /// The greater in each bound: of the greatest of several.
    fn greatest(self, other: Figure) -> Figure {
        self.both(other, f64::max, false)
    }

    fn least(self, other: Figure) -> Figure {
        self.both(other, f64::min, false)
    }
}

/// How sure a statement can be where all looks agree; where half of them do; where neither.
const ALL_AGREE: f64 = 0.95;
const HALF_AGREE: f64 = 0.7;
const UNDECIDED: f64 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Holds,
    Fails,
    Undecided,
}

/// Is the figure within the bounds?
fn verdict(figure: &Figure, from: f64, to: f64) -> (Verdict, f64) {
    let inside = |(low, high): (f64, f64)| low >= from && high <= to;
    let outside = |(low, high): (f64, f64)| high < from || low > to;
    for (range, sure) in [(figure.all, ALL_AGREE), (figure.half, HALF_AGREE)] {
        if inside(range) {
            return (Verdict::Holds, sure);
        }
        if outside(range) {
            return (Verdict::Fails, sure);
        }
    }
    (Verdict::Undecided, UNDECIDED)
}

fn says(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds here",
        Verdict::Fails => "does not hold here",
        Verdict::Undecided => "is undecided here, because looks at it differ",
    }
}

/// The measured times, and what has been used of them.
struct Times<'a> {
    passes: &'a Passes,
    word: f64,
}

impl Times<'_> {
    fn point(&self, curve: &'static str, series: &'static str, x: f64) -> Option<Figure> {
        let half = self.passes.value("", curve, series, x, "")?;
        let all = self.passes.series(curve);
        let all = all.iter().find(|s| s.name == series)?.points.iter().find(|p| p.x == x)?.to_owned();
        let (low, high) = (half.low?, half.high?);
        Some(Figure { y: half.value?, half: (low, high), all: (all.low.min(low), all.high.max(high)) })
    }

    fn overhead(&self, threads: Threads, series: &'static str, x: f64) -> Option<Figure> {
        Some(self.point(SEND.curve(threads), series, x)?.plus(self.point(RECEIVE.curve(threads), series, x)?))
    }

    fn latency(&self, threads: Threads, series: &'static str, x: f64) -> Option<Figure> {
        self.point(LATENCY.curve(threads), series, x)
    }

    /// The sizes at which both series have been sent and received.
    fn sizes(&self, threads: Threads, one: &'static str, other: &'static str) -> Vec<f64> {
        let all = self.passes.series(SEND.curve(threads));
        let of = |name| all.iter().find(|s| s.name == name);
        let (Some(a), Some(b)) = (of(one), of(other)) else { return vec![] };
        a.points.iter().map(|p| p.x).filter(|x| b.points.iter().any(|q| q.x == *x)).collect()
    }

    /// "Basic takes 100.1 ns to send and 40.2 ns to receive"
    fn parts(&self, threads: Threads, series: &'static str, x: f64) -> String {
        let of = |curve| self.point(curve, series, x).map_or("?".into(), |f| format!("{:.1}", f.y));
        let (send, receive) = (of(SEND.curve(threads)), of(RECEIVE.curve(threads)));
        format!("{series} takes {send} ns to send and {receive} ns to receive")
    }

    /// By how much a mechanism costs more where several threads may use a queue.
    fn for_threads(&self, series: &'static str, x: f64) -> Option<f64> {
        Some(self.overhead(Many, series, x)?.y - self.overhead(One, series, x)?.y)
    }

    /// Of `threads`, what was used at these sizes.
    fn evidence(&self, threads: Threads, series: &[&str], at: &[f64]) -> Vec<Evidence> {
        let of = |curve: &str, name: &&str| Evidence { curve: curve.into(), series: (*name).into(), at: at.to_vec() };
        series.iter().flat_map(|s| [SEND, RECEIVE].map(|m| of(m.curve(threads), s))).collect()
    }
}

/// A statement with the figure that it bounds.
struct Statement<'a> {
    name: &'static str,
    /// In the study's sense, with where it stands.
    text: &'a str,
    unit: &'static str,
    figure: Figure,
    bounds: (f64, f64),
    because: String,
    evidence: Vec<Evidence>,
}

impl Statement<'_> {
    fn value(self) -> Value {
        let (verdict, sure) = verdict(&self.figure, self.bounds.0, self.bounds.1);
        let rule = format!("{} {}: {}", self.text, says(verdict), self.because);
        let (low, high) = self.figure.all;
        let name = format!("{}{}", names::STATEMENT, self.name);
        Value::known(name, self.figure.y, self.unit, sure, rule).between(low, high).resting_on(self.evidence).within()
    }
}

/// All of them that have been measured.
pub fn all(passes: &Passes, word: f64) -> Vec<Value> {
    let times = Times { passes, word };
    let found = [
        tag_on_everywhere(&times),
        basic_twice(&times),
        coherent(&times),
        express_crosses(&times),
        alone_alike(&times),
        alone_express(&times),
    ];
    found.into_iter().flatten().collect()
}

/// What a lock and atomic operations add, in words.
fn threads_cost(times: &Times, x: f64) -> String {
    match (times.for_threads(BASIC, x), times.for_threads(TAG_ON, x)) {
        (Some(basic), Some(tag)) => format!(
            "; that several threads may use the queues adds {basic:.1} ns to Basic (its lock) and {tag:.1} ns to Tag-On \
             (atomic operations)"
        ),
        _ => String::new(),
    }
}

fn tag_on_everywhere(times: &Times) -> Option<Value> {
    let sizes = times.sizes(Many, TAG_ON, BASIC);
    let of = |x: &f64| {
        let overhead = times.overhead(Many, TAG_ON, *x)?.over(times.overhead(Many, BASIC, *x)?);
        let latency = times.latency(Many, TAG_ON, *x)?.over(times.latency(Many, BASIC, *x)?);
        Some((*x, overhead, latency))
    };
    let all: Vec<(f64, Figure, Figure)> = sizes.iter().filter_map(of).collect();
    let figure = all.iter().map(|(_, o, l)| o.greatest(*l)).reduce(Figure::greatest)?;
    let worst = |of: fn(&(f64, Figure, Figure)) -> Figure| {
        all.iter().map(|one| (of(one).y, one.0)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let ((o, at_o), (l, at_l)) = (worst(|a| a.1), worst(|a| a.2));
    let because = format!(
        "at most {o:.2} times Basic's overhead, at {at_o} bytes, and {l:.2} times its latency, at {at_l} bytes; there {} and \
         {}{}",
        times.parts(Many, TAG_ON, at_o),
        times.parts(Many, BASIC, at_o),
        threads_cost(times, at_o)
    );
    let value = Statement {
        name: "07.tag_on_by_basic",
        text: "V07, with threads Tag-On costs no more than Basic at any size (6.1),",
        unit: "",
        figure,
        bounds: (0.0, 1.0),
        because,
        evidence: times.evidence(Many, &[TAG_ON, BASIC], &sizes),
    };
    Some(value.value())
}

/// The mean of ratios.
fn mean(all: &[Figure]) -> Option<Figure> {
    let sum = all.iter().copied().reduce(Figure::plus)?;
    let by = |v: f64| v / all.len() as f64;
    let range = |(low, high): (f64, f64)| (by(low), by(high));
    Some(Figure { y: by(sum.y), half: range(sum.half), all: range(sum.all) })
}

/// The sizes of the study's curves end at 20 words.
const STUDY_WORDS: f64 = 20.0;

fn basic_by_tag_on(times: &Times, threads: Threads) -> Option<(Figure, Vec<f64>)> {
    let sizes = times.sizes(threads, BASIC, TAG_ON);
    let sizes: Vec<f64> = sizes.into_iter().filter(|x| *x <= STUDY_WORDS * times.word).collect();
    let ratio = |x: &f64| Some(times.overhead(threads, BASIC, *x)?.over(times.overhead(threads, TAG_ON, *x)?));
    Some((mean(&sizes.iter().filter_map(ratio).collect::<Vec<_>>())?, sizes))
}

fn basic_twice(times: &Times) -> Option<Value> {
    let (figure, sizes) = basic_by_tag_on(times, Many)?;
    let middle = sizes[sizes.len() / 2];
    let because = format!(
        "{:.2} times in the mean of sizes up to {} bytes; at {middle} bytes {} and {}{}",
        figure.y,
        sizes.last()?,
        times.parts(Many, BASIC, middle),
        times.parts(Many, TAG_ON, middle),
        threads_cost(times, middle)
    );
    let value = Statement {
        name: "08.basic_by_tag_on",
        text: "V08, with threads Basic's overhead is more than twice Tag-On's (6.1),",
        unit: "",
        figure,
        bounds: (2.0, f64::INFINITY),
        because,
        evidence: times.evidence(Many, &[BASIC, TAG_ON], &sizes),
    };
    Some(value.value())
}

fn coherent(times: &Times) -> Option<Value> {
    let pairs = [(TAG_ON, TAG_ON_FLUSHED), (BASIC, BASIC_FLUSHED)];
    let mut figure: Option<Figure> = None;
    let mut because = vec![];
    let mut evidence = vec![];
    for (kept, flushed) in pairs {
        let sizes = times.sizes(Many, kept, flushed);
        for &x in &sizes {
            let overhead = times.overhead(Many, kept, x)?.over(times.overhead(Many, flushed, x)?);
            let latency = times.latency(Many, kept, x)?.over(times.latency(Many, flushed, x)?);
            let both = overhead.greatest(latency);
            figure = Some(figure.map_or(both, |f| f.greatest(both)));
        }
        if let Some(&x) = sizes.last() {
            let of = |series| Some((times.overhead(Many, series, x)?.y, times.latency(Many, series, x)?.y));
            let ((own, way), (other, other_way)) = (of(kept)?, of(flushed)?);
            because.push(format!(
                "of {x} bytes {kept} takes {own:.1} ns of processors' time and {way:.1} ns from end to end, and flushed by \
                 software {other:.1} and {other_way:.1} ns"
            ));
        }
        evidence.extend(times.evidence(Many, &[kept, flushed], &sizes));
    }
    let value = Statement {
        name: "09.coherent_by_flushed",
        text: "V09, messages that hardware keeps coherent cost less than flushed ones, also in latency (6.1),",
        unit: "",
        figure: figure?,
        bounds: (0.0, 0.999),
        because: because.join("; "),
        evidence,
    };
    Some(value.value())
}

/// The bounds in words, which both ends may reach.
const CROSSING_WORDS: (f64, f64) = (1.0, 3.0);

fn express_crosses(times: &Times) -> Option<Value> {
    let sizes = times.sizes(Many, EXPRESS, TAG_ON);
    let at = |x: f64| Some((times.overhead(Many, TAG_ON, x)?, times.overhead(Many, EXPRESS, x)?));
    let first = |is: &dyn Fn(&Figure, &Figure) -> bool| {
        sizes.iter().copied().find(|x| at(*x).is_some_and(|(tag, express)| is(&tag, &express)))
    };
    let smallest = *sizes.first()?;
    let last = *sizes.last()?;
    let (tag, express) = at(smallest)?;
    let text = "V10, from about two words on Tag-On costs less than several Express messages (6.1),";
    let Some(y) = first(&|tag, express| tag.y < express.y) else {
        let (tag, express) = at(last)?;
        let surely = tag.all.0 > express.all.1;
        let because = format!(
            "up to {last} bytes Express messages cost less: {:.1} ns at {last} bytes, and Tag-On {:.1} ns",
            express.y, tag.y
        );
        let how = if surely { Verdict::Fails } else { Verdict::Undecided };
        let name = format!("{}10.express_to_tag_on.bytes", names::STATEMENT);
        return Some(Value::unknown(name, "bytes", format!("{text} {}: {because}", says(how))));
    };
    let beyond = 2.0 * last;
    let find = |is: &dyn Fn(&Figure, &Figure) -> bool| first(is).unwrap_or(beyond);
    let figure = Figure {
        y,
        half: (find(&|t, e| t.half.0 < e.half.1), find(&|t, e| t.half.1 < e.half.0)),
        all: (find(&|t, e| t.all.0 < e.all.1), find(&|t, e| t.all.1 < e.all.0)),
    };
    let (tag_last, express_last) = at(last)?;
    let because = format!(
        "from {y} bytes on; an Express message of {} bytes more costs {:.1} ns more, and Tag-On begins with {:.1} ns at \
         {smallest} bytes, where Express takes {:.1} ns; at {last} bytes they take {:.1} and {:.1} ns",
        times.word,
        (express_last.y - express.y) / (last - smallest) * times.word,
        tag.y,
        express.y,
        tag_last.y,
        express_last.y
    );
    let value = Statement {
        name: "10.express_to_tag_on.bytes",
        text,
        unit: "bytes",
        figure,
        bounds: (CROSSING_WORDS.0 * times.word, CROSSING_WORDS.1 * times.word),
        because,
        evidence: times.evidence(Many, &[EXPRESS, TAG_ON], &sizes),
    };
    Some(value.value())
}

fn alone_alike(times: &Times) -> Option<Value> {
    let (figure, sizes) = basic_by_tag_on(times, One)?;
    let middle = sizes[sizes.len() / 2];
    let because = format!(
        "{:.2} times in the mean of sizes up to {} bytes; at {middle} bytes {} and {}",
        figure.y,
        sizes.last()?,
        times.parts(One, BASIC, middle),
        times.parts(One, TAG_ON, middle)
    );
    let value = Statement {
        name: "11.basic_by_tag_on",
        text: "V11, without threads Basic's overhead is Tag-On's within 15 % (6.2),",
        unit: "",
        figure,
        bounds: (0.85, 1.15),
        because,
        evidence: times.evidence(One, &[BASIC, TAG_ON], &sizes),
    };
    Some(value.value())
}

fn alone_express(times: &Times) -> Option<Value> {
    let x = times.word;
    let express = times.overhead(One, EXPRESS, x)?;
    // The smallest Tag-On message carries two words.
    let smallest = times.sizes(One, TAG_ON, TAG_ON).first().copied();
    let tag_on = smallest.and_then(|x| times.overhead(One, TAG_ON, x));
    let basic = times.overhead(One, BASIC, x);
    let best = [tag_on, basic].into_iter().flatten().reduce(Figure::least)?;
    let because = format!(
        "{:.2} times the best other; {}, {}, {}",
        express.over(best).y,
        times.parts(One, EXPRESS, x),
        times.parts(One, BASIC, x),
        times.parts(One, TAG_ON, smallest?)
    );
    let mut evidence = times.evidence(One, &[EXPRESS], &[x]);
    evidence.extend(basic.iter().flat_map(|_| times.evidence(One, &[BASIC], &[x])));
    evidence.extend(times.evidence(One, &[TAG_ON], &[smallest?]));
    let value = Statement {
        name: "12.express_by_best",
        text: "V12, without threads Express is the best way for one word (6.2),",
        unit: "",
        figure: express.over(best),
        bounds: (0.0, 0.999),
        because,
        evidence,
    };
    Some(value.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(y: f64, half: f64, all: f64) -> Figure {
        Figure { y, half: (y - half, y + half), all: (y - all, y + all) }
    }

    #[test]
    fn a_bound_is_decided_by_all_looks_or_by_half_or_not_at_all() {
        let of = |y, half, all| verdict(&figure(y, half, all), 0.0, 1.0);
        assert_eq!(of(0.8, 0.05, 0.1), (Verdict::Holds, ALL_AGREE));
        assert_eq!(of(0.8, 0.1, 0.3), (Verdict::Holds, HALF_AGREE));
        assert_eq!(of(0.8, 0.3, 0.4), (Verdict::Undecided, UNDECIDED));
        assert_eq!(of(1.2, 0.1, 0.3), (Verdict::Fails, HALF_AGREE));
        assert_eq!(of(1.5, 0.1, 0.3), (Verdict::Fails, ALL_AGREE));
        assert_eq!(verdict(&figure(2.5, 0.1, 0.2), 2.0, f64::INFINITY).0, Verdict::Holds);
    }

    #[test]
    fn the_range_of_a_ratio_takes_the_extremes_of_both() {
        let ratio = figure(10.0, 1.0, 2.0).over(figure(5.0, 1.0, 1.0));
        assert_eq!((ratio.y, ratio.half, ratio.all), (2.0, (9.0 / 6.0, 11.0 / 4.0), (8.0 / 6.0, 12.0 / 4.0)));
        let sum = figure(10.0, 1.0, 2.0).plus(figure(5.0, 1.0, 1.0));
        assert_eq!((sum.y, sum.half, sum.all), (15.0, (13.0, 17.0), (12.0, 18.0)));
    }
}
