//! A profile as a page for people: the machine in a few figures, then area by area every value with the points it rests
//! on and every curve, then unknown values, and disturbances of the measurements.
//!
//! A value links to the plots that hold its evidence, where those points are then ringed. The page draws the profile
//! and infers nothing.

mod area;
mod claims;
mod curve;
mod overview;
mod words;

use fathom_probe::area::AREAS;
use fathom_profile::highlights;
use fathom_profile::Profile;
use fathom_report::{Page, Section, Table, Text};

/// With more points than this in all, plots are drawn without tooltips and tables, so that the page stays below 2 MB.
const MANY_POINTS: usize = 8000;

/// One self-contained HTML file.
pub fn html(profile: &Profile) -> String {
    let machine = words::or(&profile.about.machine, "a machine");
    let mut page = Page::new(format!("Profile of {}", machine.split(',').next().unwrap_or(machine)))
        .subtitle(overview::subtitle(profile))
        .footer(format!("fathom {} · the numbers are in profile.toml", profile.about.fathom))
        .section(overview::section(profile));
    page = add(page, claims::section(profile));
    for area in AREAS {
        page = add(page, area::section(profile, area.name, area.what));
    }
    for name in others(profile) {
        page = add(page, area::section(profile, &name, ""));
    }
    page = add(page, figures(profile));
    page = add(page, missing(profile));
    page = add(page, overview::disturbed(profile));
    page.html()
}

fn add(page: Page, section: Section) -> Page {
    if section.is_empty() {
        page
    } else {
        page.section(section)
    }
}

/// Areas with unknown names: the page may be of a profile of another version.
fn others(profile: &Profile) -> Vec<String> {
    let names = profile.values.iter().map(|v| &v.name).chain(profile.curves.iter().map(|c| &c.name));
    let mut found: Vec<String> = names.map(|n| words::area(n).to_string()).collect();
    found.retain(|n| AREAS.iter().all(|a| a.name != n));
    found.sort();
    found.dedup();
    found
}

/// The figures for the models, by the names that `fathom model --set` uses.
fn figures(profile: &Profile) -> Section {
    let mut section = Section::new("For the models");
    let list = profile.machine.list();
    if !list.is_empty() {
        let mut table = Table::new(["figure", "value", "source"]).stacked();
        list.into_iter().for_each(|l| table.push([l.what, l.value, l.source]));
        section.push(Text::new("The figures for `fathom model profile.toml: …`."));
        section.push(table);
    }
    section
}

fn missing(profile: &Profile) -> Section {
    let mut section = Section::new("Not known");
    let mut table = Table::new(["what", "why"]).stacked();
    highlights::gaps(profile).iter().for_each(|gap| table.push([&gap.what.join(", "), &gap.why]));
    profile.values.iter().filter(|v| v.value.is_none()).for_each(|v| table.push([&v.name, &v.rule]));
    if !table.is_empty() {
        section.push(Text::new(
            "Values that could not be measured on this machine, or not inferred from the measurements.",
        ));
        section.push(table);
    }
    section
}
