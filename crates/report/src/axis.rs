//! Axes: the mapping from values to positions, and readable ticks.

use crate::unit::{significant, Unit};

/// The meaning of one direction of a plot.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    unit: Unit,
    log: bool,
    base_two: bool,
    from_zero: bool,
    whole: bool,
}

impl Axis {
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), unit: Unit::None, log: false, base_two: false, from_zero: false, whole: false }
    }

    #[must_use]
    pub fn unit(mut self, unit: Unit) -> Self {
        self.base_two |= unit.binary();
        self.unit = unit;
        self
    }

    /// Logarithmic. Values at or below 0 are not shown, which a note in the plot states.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// Logarithmic if the argument is true.
    #[must_use]
    pub fn log_if(self, log: bool) -> Self {
        if log {
            self.log()
        } else {
            self
        }
    }

    /// Ticks at powers of two, as for threads. Bytes have them anyway.
    #[must_use]
    pub fn powers_of_two(mut self) -> Self {
        self.base_two = true;
        self
    }

    /// Counts: the ticks are whole numbers.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// A linear axis begins at 0, whatever the values.
    #[must_use]
    pub fn from_zero(mut self) -> Self {
        self.from_zero = true;
        self
    }

    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    pub(crate) fn text(&self, value: f64) -> String {
        self.unit.text(value)
    }

    pub(crate) fn range(&self, low: f64, high: f64) -> String {
        self.unit.range(low, high)
    }

    /// Can the axis show this value?
    pub(crate) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    /// The scale that contains these values, all of which the axis can show.
    pub(crate) fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (1.0, 10.0) };
        if self.log {
            let (a, b) = (low.log2(), high.log2());
            let room = if b - a < 1.0 { (1.0 - (b - a)) / 2.0 + 0.05 } else { (b - a) * 0.025 };
            return Scale { log: true, low: a - room, high: b + room };
        }
        let zero = self.from_zero || (low >= 0.0 && low < 0.6 * high);
        let low = if zero { low.min(0.0) } else { low };
        let size = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
        let range = if high - low > 1e-9 * size { high - low } else { size };
        let bottom = if zero && low == 0.0 { 0.0 } else { low - 0.04 * range };
        Scale { log: false, low: bottom, high: high + 0.04 * range }
    }

    /// The linear scale from exactly one value to another.
    pub(crate) fn scale_exactly(&self, low: f64, high: f64) -> Scale {
        Scale { log: false, low, high: if high > low { high } else { low + 1.0 } }
    }

    /// The text beside the axis: its label, and the unit if the ticks do not have it.
    pub(crate) fn title(&self, scale: &Scale) -> String {
        let unit =
            if self.log && !matches!(self.unit, Unit::Named(_)) { "" } else { self.unit.multiple(scale.reach()).1 };
        // "threads (threads)" says it twice.
        match unit {
            "" => self.label.clone(),
            unit if self.label.contains(unit) => self.label.clone(),
            "%" if self.label.contains("percent") => self.label.clone(),
            unit => format!("{} ({unit})", self.label),
        }
    }

    pub(crate) fn ticks(&self, scale: &Scale) -> Vec<Tick> {
        let mut ticks = match (self.log, self.base_two) {
            (true, true) => powers_of_two(scale),
            (true, false) => decades(scale),
            (false, _) => vec![],
        };
        if self.whole {
            ticks = counts(scale, ticks);
        }
        let labels = ticks.iter().filter(|t| t.labelled).count();
        if labels < if self.whole { 1 } else { 3 } {
            ticks = nice(
                scale,
                if self.log { 1.0 } else { self.unit.multiple(scale.reach()).0 },
                self.base_two && self.log,
            );
        }
        if self.whole {
            ticks.retain(|t| (t.value - t.value.round()).abs() < 1e-6);
        }
        for tick in &mut ticks {
            tick.label = match (tick.labelled, self.log) {
                (false, _) => String::new(),
                (true, true) if !matches!(self.unit, Unit::Named(_)) => self.unit.text(tick.value),
                (true, true) => significant(tick.value, 4),
                (true, false) => significant(tick.value / self.unit.multiple(scale.reach()).0, 6),
            };
        }
        ticks
    }
}

/// A line of the grid, with or without a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub value: f64,
    pub labelled: bool,
    pub label: String,
}

fn tick(value: f64, labelled: bool) -> Tick {
    Tick { value, labelled, label: String::new() }
}

/// The greatest number of labels of an axis.
const MOST: usize = 9;

fn powers_of_two(scale: &Scale) -> Vec<Tick> {
    let (from, to) = (scale.low.ceil() as i32, scale.high.floor() as i32);
    let count = (to - from + 1).max(0) as usize;
    let step = (1..).find(|s| count.div_ceil(*s) <= MOST).unwrap_or(1) as i32;
    // 1, 4, 16, …: multiples of the step, so that KiB and MiB are among them.
    (from..=to).map(|e| tick(f64::from(e).exp2(), e.rem_euclid(step) == 0)).collect()
}

fn decades(scale: &Scale) -> Vec<Tick> {
    let ten = std::f64::consts::LOG2_10;
    let (from, to) = ((scale.low / ten).floor() as i32, (scale.high / ten).ceil() as i32);
    let whole = (scale.high - scale.low) / ten;
    let step = (1..).find(|s| whole / f64::from(*s) <= MOST as f64).unwrap_or(1);
    let mut ticks = vec![];
    for decade in from..=to {
        for digit in 1..10 {
            let value = f64::from(digit) * 10f64.powi(decade);
            let between = match digit {
                1 => decade.rem_euclid(step) == 0,
                2 | 5 => whole <= 2.6,
                3 | 4 | 6 | 7 | 8 => whole <= 0.8 && digit != 7,
                _ => false,
            };
            if scale.holds(value) && (between || digit == 1 || whole <= 4.0) {
                ticks.push(tick(value, between));
            }
        }
    }
    ticks
}

/// Ticks at each of a few whole numbers, or else the scale's usual ones. A logarithmic scale has 1, 2, 3, 4, 6, 8, 12,
/// …, if there is room.
fn counts(scale: &Scale, ticks: Vec<Tick>) -> Vec<Tick> {
    if !scale.log {
        return ticks;
    }
    let (from, to) = (scale.low.exp2().ceil(), scale.high.exp2().floor());
    if to > 64.0 {
        return ticks;
    }
    let mut last = f64::NEG_INFINITY;
    let mut found = vec![];
    for n in from as u32..=to as u32 {
        let round = n.is_power_of_two() || (n % 3 == 0 && (n / 3).is_power_of_two());
        let room = scale.place(f64::from(n)) - last > 0.06;
        if to - from < 6.0 || round {
            last = if room { scale.place(f64::from(n)) } else { last };
            found.push(tick(f64::from(n), room));
        }
    }
    found
}

/// Multiples of 1, 2 or 5 times a power of ten (of two if `binary`), counted in `multiple`s.
fn nice(scale: &Scale, multiple: f64, binary: bool) -> Vec<Tick> {
    let (low, high) = if scale.log { (scale.low.exp2(), scale.high.exp2()) } else { (scale.low, scale.high) };
    let least = (high - low) / multiple / 7.0;
    let step = if binary {
        least.log2().ceil().exp2()
    } else {
        let power = 10f64.powf(least.log10().floor());
        [1.0, 2.0, 5.0, 10.0].iter().map(|d| d * power).find(|s| *s >= least * 0.999).unwrap_or(power * 10.0)
    } * multiple;
    let (from, to) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    // At most eight, except where floating point cannot count.
    let count = (to - from).clamp(0.0, 20.0) as i32;
    (0..=count).map(|i| tick((from + f64::from(i)) * step, true)).filter(|t| scale.holds(t.value)).collect()
}

/// The mapping from values to positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    log: bool,
    /// The ends; of a logarithmic scale their logarithms.
    low: f64,
    high: f64,
}

impl Scale {
    /// The position of a value, from 0 to 1; less or more outside of the scale.
    pub fn place(&self, value: f64) -> f64 {
        let at = if self.log { value.log2() } else { value };
        (at - self.low) / (self.high - self.low)
    }

    pub fn holds(&self, value: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.place(value))
    }

    /// This number of values from end to end, at equal distances on the axis.
    pub fn steps(&self, from: f64, to: f64, count: usize) -> Vec<f64> {
        let through = |v: f64| if self.log { v.log2() } else { v };
        let (a, b) = (through(from).max(self.low), through(to).min(self.high));
        let last = count.max(2) - 1;
        let at = |i: usize| a + (b - a) * i as f64 / last as f64;
        (0..=last).map(at).map(|v| if self.log { v.exp2() } else { v }).collect()
    }

    fn reach(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> Vec<String> {
        let scale = axis.scale(values.iter().copied());
        axis.ticks(&scale).into_iter().filter(|t| t.labelled).map(|t| t.label).collect()
    }

    #[test]
    fn bytes_are_counted_in_powers_of_two() {
        let axis = Axis::new("size").unit(Unit::Bytes).log();
        assert_eq!(
            labels(&axis, &[1024.0, 65536.0]),
            ["1 KiB", "2 KiB", "4 KiB", "8 KiB", "16 KiB", "32 KiB", "64 KiB"]
        );
        let wide = labels(&axis, &[64.0, 256.0 * 1048576.0]);
        assert!(wide.len() <= MOST && wide.contains(&"32 KiB".to_string()), "{wide:?}");
    }

    #[test]
    fn any_range_has_some_ticks_and_not_too_many() {
        for log in [false, true] {
            for unit in [Unit::None, Unit::Bytes, Unit::Ns, Unit::Share] {
                for (a, b) in [(1.0, 1.0), (0.9, 1.1), (3.0, 7.0), (1.0, 12.0), (1.0, 1e3), (1e-6, 1e9), (1.0, 1e300)] {
                    let axis = Axis::new("v").unit(unit.clone()).log_if(log);
                    let found = labels(&axis, &[a, b]);
                    let count = found.iter().filter(|l| !l.is_empty()).count();
                    assert!((2..=12).contains(&count), "{unit:?} log {log} {a} to {b}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn there_are_no_halves_of_threads() {
        let of = |values: &[f64], log: bool| labels(&Axis::new("threads").log_if(log).whole(), values);
        assert_eq!(of(&[1.0, 8.0], true), ["1", "2", "3", "4", "6", "8"]);
        assert_eq!(of(&[2.0], true), ["2"]);
        assert_eq!(of(&[0.0, 1.0], false), ["0", "1"]);
        assert!(of(&[1.0, 4096.0], true).len() >= 4);
    }

    #[test]
    fn a_linear_axis_counts_in_one_unit() {
        let axis = Axis::new("time").unit(Unit::Ns);
        let scale = axis.scale([0.0, 2500.0].into_iter());
        assert_eq!(axis.title(&scale), "time (µs)");
        assert_eq!(labels(&axis, &[0.0, 2500.0]), ["0", "0.5", "1", "1.5", "2", "2.5"]);
    }
}
