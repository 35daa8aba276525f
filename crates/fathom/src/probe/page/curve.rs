//! A curve as a plot: its fits, the values that lie on its axes, and the points that values rest on.

use super::{words, MANY_POINTS};
use fathom_model::fit::Form;
use fathom_profile::Profile;
use fathom_profile::{Curve, FittedCurve, Series, Value};
use fathom_report::{slug, Axis, Plot, Point, Unit};

/// The greatest number of marks on an axis: more would hide the curve.
const MARKS: usize = 8;
/// The greatest number of ringed points of a value.
const RINGS: usize = 200;

pub fn plot(profile: &Profile, curve: &Curve) -> Plot {
    let axis = |name: &str, log: bool| {
        let (label, unit) = words::axis(name);
        Axis::new(label.replace('_', " ")).unit(unit).log_if(log)
    };
    let mut x = axis(&curve.x, curve.log_x);
    let all = || curve.series.iter().flat_map(|s| &s.points);
    let powers = |v: f64| v.log2().fract() == 0.0;
    if curve.log_x && all().all(|p| powers(p.x)) {
        x = x.powers_of_two();
    }
    let counted = matches!(Unit::named(&curve.x), Unit::None | Unit::Named(_));
    if counted && all().all(|p| p.x.fract() == 0.0) {
        x = x.whole();
    }
    let title = words::or(&curve.title, &curve.name);
    let mut plot = Plot::new(title, x, axis(&curve.y, curve.log_y)).anchor(&curve.name);
    let names: Vec<&str> = curve.series.iter().map(|s| s.name.as_str()).collect();
    if words::steps(&names) {
        plot = plot.ordered();
    }
    if profile.curves.iter().flat_map(|c| &c.series).map(|s| s.points.len()).sum::<usize>() > MANY_POINTS {
        plot = plot.light(format!("The numbers are in profile.toml, curve `{}`.", curve.name));
    }
    for series in &curve.series {
        plot = plot.series(drawn(profile, curve, series));
    }
    let (left, right) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, r), p| (l.min(p.x), r.max(p.x)));
    // If x and y have the same unit, a value is more likely one of y.
    let other = Unit::named(&curve.x) != Unit::named(&curve.y);
    for (at, label) in marks(profile, curve, &Unit::named(&curve.x), 1) {
        if other && (left..=right).contains(&at) {
            plot = plot.mark_x(at, label);
        }
    }
    // A level with several points is marked by a line; a single point is visible already.
    for (at, label) in marks(profile, curve, &Unit::named(&curve.y), 2) {
        plot = plot.mark_y(at, label);
    }
    for value in profile.values.iter().filter(|v| curves_of(profile, v).contains(&&*curve.name)) {
        let unit = Unit::named(&value.unit);
        let text = value.value.map_or("unknown".to_string(), |v| unit.text(v));
        let label = format!("Evidence of `{}`, {text}: {}", value.name, value.rule);
        plot = plot.evidence(&anchor(value, &curve.name), label, points(curve, value));
    }
    plot
}

/// The existing curves with a value's evidence, each once.
pub fn curves_of<'a>(profile: &'a Profile, value: &'a Value) -> Vec<&'a str> {
    let mut found: Vec<&str> = vec![];
    for evidence in &value.evidence {
        let there = profile.curve(&evidence.curve).is_some();
        if there && !found.contains(&&*evidence.curve) {
            found.push(&evidence.curve);
        }
    }
    found
}

/// The anchor of a value's evidence on a curve. Names of values that differ only in characters that a slug omits are so
/// rare that a second one's link may lead to the first's.
pub fn anchor(value: &Value, curve: &str) -> String {
    slug(&format!("of {} {}", value.name, curve))
}

fn points(curve: &Curve, value: &Value) -> Vec<(f64, f64)> {
    let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
    let evidence = value.evidence.iter().filter(|e| e.curve == curve.name);
    let found = evidence.flat_map(|e| {
        let series = curve.series.iter().filter(|s| s.name == e.series);
        series.flat_map(|s| &s.points).filter(|p| e.at.iter().any(|x| near(*x, p.x)))
    });
    found.take(RINGS).map(|p| (p.x, p.y)).collect()
}

fn drawn(profile: &Profile, curve: &Curve, series: &Series) -> fathom_report::Series {
    let points = series.points.iter().map(|p| Point { x: p.x, y: p.y, low: p.low, high: p.high });
    // Very many points are drawn as a cloud, without a line.
    let mut drawn = match series.points.len() {
        0..=500 => fathom_report::Series::line(&series.name, points),
        _ => fathom_report::Series::scatter(&series.name, points),
    };
    for fit in profile.fits.iter().filter(|f| f.curve == curve.name && f.series == series.name && f.from < f.to) {
        if let Some(formula) = formula(fit) {
            drawn = drawn.fit(&fit.formula, fit.from, fit.to, formula);
        }
    }
    drawn
}

/// A fit as a function; None if its form cannot be drawn.
fn formula(fit: &FittedCurve) -> Option<impl Fn(f64) -> f64 + 'static> {
    let form = Form::ALL.into_iter().find(|f| f.name() == fit.form && f.names().len() == fit.coefficients.len())?;
    let values: Vec<f64> = fit.coefficients.iter().map(|c| c.value).collect();
    Some(move |x| form.value(&values, x))
}

/// Values that lie on an axis of this unit and rest on at least `points` points of this curve. Those at the same place
/// are one mark.
fn marks(profile: &Profile, curve: &Curve, unit: &Unit, points: usize) -> Vec<(f64, String)> {
    let mut found: Vec<(f64, Vec<String>)> = vec![];
    if matches!(unit, Unit::None) {
        return vec![];
    }
    for value in &profile.values {
        let here = value.evidence.iter().filter(|e| e.curve == curve.name).map(|e| e.at.len()).sum::<usize>() >= points;
        let Some(at) = value.value.filter(|v| here && v.is_finite() && Unit::named(&value.unit) == *unit) else {
            continue;
        };
        let name = words::short(&value.name, &value.unit);
        match found.iter_mut().find(|(v, _)| (*v - at).abs() <= 0.01 * at.abs()) {
            Some((_, names)) => names.push(name),
            None => found.push((at, vec![name])),
        }
    }
    found.truncate(MARKS);
    found.into_iter().map(|(at, names)| (at, format!("{} {}", names.join(", "), unit.text(at)))).collect()
}
