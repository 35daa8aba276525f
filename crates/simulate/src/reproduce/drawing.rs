//! The curves and bars of a study's figures, drawn anew from its simulated machine. This module holds data only; a
//! caller makes pictures of it. The points of the studies' own figures are not known here: what is printed beside ours
//! comes from the text and the tables.

use super::{copy_transfer, measured, spp1000, t3d, voyager, Expected, Study};
use fathom_machine::Description;

/// A picture, with the number of the figure that it draws anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The figure or table of the study: `Figure 1, left`.
    pub of: String,
    pub title: String,
    /// What to see, or what is assumed; may be empty.
    pub note: String,
    pub picture: Picture,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    Curves(Curves),
    /// Figures that are printed, each beside ours: name, printed, ours.
    Bars {
        unit: &'static str,
        bars: Vec<(String, f64, f64)>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    pub x: Scale,
    pub y: Scale,
    pub curves: Vec<Curve>,
    /// Printed values of y, with their names.
    pub levels: Vec<(f64, String)>,
    /// Whether the curves are steps of a quantity, such as sizes.
    pub is_ordered: bool,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    pub label: &'static str,
    /// `ns`, `bytes`, `MB/s`, `cycles`, …; empty for a number.
    pub unit: &'static str,
    pub is_log: bool,
}

impl Scale {
    pub const fn linear(label: &'static str, unit: &'static str) -> Self {
        Scale { label, unit, is_log: false }
    }

    pub const fn log(label: &'static str, unit: &'static str) -> Self {
        Scale { label, unit, is_log: true }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// Whether the study prints these points; else they are ours.
    pub is_printed: bool,
}

impl Curve {
    pub fn ours(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Curve { name: name.into(), points, is_printed: false }
    }

    pub fn printed(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Curve { name: name.into(), points, is_printed: true }
    }
}

/// The drawings of a study: those of its figures, then a chart for each table of at least three figures of a unit.
///
/// # Errors
/// The description has a mistake.
pub fn drawings(study: &Study, description: &Description) -> Result<Vec<Drawing>, String> {
    let mut all = match (study.id, study.machine) {
        ("t3d", _) => t3d::drawings(description)?,
        ("spp1000", _) => spp1000::drawings(description)?,
        ("copy-transfer", "t3d") => copy_transfer::drawings_t3d(description)?,
        ("copy-transfer", "paragon") => copy_transfer::drawings_paragon(description)?,
        ("voyager", _) => voyager::drawings(description)?,
        // A study without figures of its own has its tables.
        _ => vec![],
    };
    all.extend(tables(study, description)?);
    Ok(all)
}

/// Figures of a source, in a unit: name, printed, ours.
type Group<'a> = (&'a str, &'static str, Vec<(String, f64, f64)>);

/// Bars whose lengths differ by more are no picture.
const SPAN: f64 = 100.0;
/// A chart needs as many bars.
const LEAST: usize = 3;

/// Printed figures of one source and unit beside ours.
fn tables(study: &Study, description: &Description) -> Result<Vec<Drawing>, String> {
    let found = measured(study, description)?;
    let ours = |id: &str| found.get(id).copied().unwrap_or(f64::NAN);
    let mut groups: Vec<Group> = vec![];
    for claim in study.claims {
        match claim.expected {
            Expected::Near(value, unit, _) if value > 0.0 => {
                let bar = (claim.what.to_string(), value, ours(claim.id));
                match groups.iter_mut().find(|(source, of, _)| (*source, *of) == (claim.source, unit)) {
                    Some((.., bars)) => bars.push(bar),
                    None => groups.push((claim.source, unit, vec![bar])),
                }
            }
            Expected::Most(_, all, unit, _) if !unit.is_empty() => {
                let name = |id: &str| id.trim_start_matches(claim.id).trim_start().to_string();
                groups.push((claim.source, unit, all.iter().map(|(id, v)| (name(id), *v, ours(id))).collect()));
            }
            _ => {}
        }
    }
    let is_picture = |bars: &[(String, f64, f64)]| {
        let of = |combine: fn(f64, f64) -> f64, first| bars.iter().map(|(_, printed, _)| *printed).fold(first, combine);
        bars.len() >= LEAST && of(f64::max, 0.0) < SPAN * of(f64::min, f64::INFINITY)
    };
    let of_group = |(source, unit, bars): Group| Drawing {
        of: source.into(),
        title: format!("{source}, {unit}"),
        note: String::new(),
        picture: Picture::Bars { unit, bars },
    };
    Ok(groups.into_iter().filter(|(.., bars)| is_picture(bars)).map(of_group).collect())
}
