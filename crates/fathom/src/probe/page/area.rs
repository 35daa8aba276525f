//! The section of an area: its values, its curves, its fits.

use super::overview::interval;
use super::{curve, words};
use fathom_profile::Profile;
use fathom_profile::{Curve, FittedCurve, Value};
use fathom_report::{significant, Cell, Heading, Links, Section, Table, Text, Unit};

pub fn section(profile: &Profile, area: &str, what: &str) -> Section {
    let of_area = |name: &str| words::area(name) == area;
    let mut title = area.to_string();
    title.get_mut(..1).map(str::make_ascii_uppercase).unwrap_or_default();
    let mut section = Section::new(title);
    let values: Vec<&Value> = profile.values.iter().filter(|v| of_area(&v.name)).collect();
    let curves: Vec<&Curve> = profile.curves.iter().filter(|c| of_area(&c.name)).collect();
    let fits: Vec<&FittedCurve> = profile.fits.iter().filter(|f| of_area(&f.curve)).collect();
    if values.is_empty() && curves.is_empty() && fits.is_empty() {
        return section;
    }
    if !what.is_empty() {
        section.push(Text::new(format!("{}{}.", what[..1].to_uppercase(), &what[1..])));
    }
    if curves.len() > 2 {
        section.push(Links::new(curves.iter().map(|c| (words::or(&c.title, &c.name), c.name.as_str()))));
    }
    if !values.is_empty() {
        section.push(Heading::new("Values"));
        section.push(table(profile, &values));
    }
    for c in curves {
        section.push(curve::plot(profile, c));
    }
    if !fits.is_empty() {
        section.push(Heading::new("Fitted curves"));
        section.push(fitted(profile, &fits));
    }
    section
}

fn table(profile: &Profile, values: &[&Value]) -> Table {
    let mut table = Table::new(["name", "value", "interval", "confidence", "rule"]).stacked();
    for value in values {
        let unit = Unit::named(&value.unit);
        let number = match value.value {
            Some(v) => Cell::number(v, unit.text(v)),
            None => Cell::number(f64::NAN, "unknown"),
        };
        let mut rule = Cell::from(&*value.rule);
        for (i, c) in curve::curves_of(profile, value).iter().enumerate() {
            let text = if i == 0 { "evidence" } else { "more" };
            rule = rule.and_link(text, &curve::anchor(value, c));
        }
        let rest = value.name.split_once('.').map_or(&*value.name, |(_, rest)| rest);
        let confidence = if value.value.is_some() { Cell::bar(value.confidence) } else { Cell::default() };
        table.push([
            Cell::from(format!("`{rest}`")),
            number,
            Cell::from(interval(value, &unit)).tight(),
            confidence,
            rule,
        ]);
    }
    table
}

fn fitted(profile: &Profile, fits: &[&FittedCurve]) -> Table {
    let mut table = Table::new([
        "curve",
        "series",
        "y =",
        "coefficients (95 % interval)",
        "residuals",
        "holds for x",
        "why this form",
    ])
    .stacked();
    for fit in fits {
        let curve = profile.curve(&fit.curve);
        let title = curve.map_or(&*fit.curve, |c| &*c.title);
        let (x, y) = curve.map_or((Unit::None, Unit::None), |c| (Unit::named(&c.x), Unit::named(&c.y)));
        let coefficient = |c: &fathom_profile::Coefficient| {
            format!(
                "{} = {} ({} to {})",
                c.name,
                significant(c.value, 4),
                significant(c.low, 3),
                significant(c.high, 3)
            )
        };
        let coefficients: Vec<String> = fit.coefficients.iter().map(coefficient).collect();
        let residuals = if fit.relative { Unit::Share.text(fit.residual_sd) } else { y.text(fit.residual_sd) };
        table.push([
            Cell::from(title).link(&fit.curve),
            Cell::from(&*fit.series),
            Cell::from(format!("`{}`", fit.formula)).tight(),
            Cell::from(coefficients.join("; ")),
            Cell::number(fit.residual_sd, residuals),
            Cell::from(if fit.from == fit.to { x.text(fit.from) } else { x.range(fit.from, fit.to) }).tight(),
            Cell::from(&*fit.reason),
        ]);
    }
    table
}
