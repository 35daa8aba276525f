//! The workstation with which the T3D Split-C study compares the T3D (sections 2.2 and 4.2): the same probes and inferences.

use super::t3d::values_of_surfaces;
use super::{claim, Claim, Expected, Results, Study};
use fathom_machine::description::{Content, Part};
use fathom_machine::parts::shell::{join, Read};
use fathom_machine::{machine, Description, Figure, Machine, Thread};
use Expected::Near;

pub const STUDY: Study = Study {
    id: "workstation",
    machine: "alpha-workstation",
    name: "Split-C on the CRAY T3D: the workstation",
    claims: CLAIMS,
    measure,
    predictions: None,
    differs: &[],
    added: &[],
    readings: &[],
    left_out: &[],
};

// T13: "about half" of the T3D's 220 MB/s.
#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("T11a", "the first cache's size, inferred", Near(8192.0, "bytes", 0.0), "section 2.2"),
    claim("T11b", "the second one's, inferred", Near(524_288.0, "bytes", 0.0), "section 2.2"),
    claim("T11c", "a load from memory", Near(300.0, "ns", 0.03), "section 2.2"),
    claim("T12", "pages of translation, inferred", Near(8192.0, "bytes", 0.0), "section 2.2"),
    claim("T13", "streaming loads: half of the T3D's", Near(110.0, "MB/s", 0.1), "section 2.2"),
    claim("T31", "the T3D's remote load, more than its slowest local one", Near(80.0, "ns", 0.15), "section 4.2"),
];

const T3D: &str = include_str!("../../../../machines/t3d.toml");
const OWN: &str = include_str!("../../../../machines/alpha-workstation.toml");

/// A part of the workstation, which may be put into another machine.
pub fn part(name: &str) -> Result<Part, String> {
    let description = Description::of_file(OWN)?.ok_or("the workstation is not described")?;
    description.parts.get(name).cloned().ok_or_else(|| format!("the workstation has no part `{name}`"))
}

/// A figure for a machine that is changed to break a statement.
pub fn figure(value: &str) -> Figure {
    Figure {
        value: Content::Text(value.into()),
        printed: None,
        derived: None,
        assumed: Some("a machine that a statement must not hold of".into()),
        other: None,
        measured: None,
        range: None,
        seen: vec![],
    }
}

fn measure(description: &Description) -> Result<Results, String> {
    let values = values_of_surfaces(description)?;
    let value = |name: &str| values.get(name).copied().unwrap_or(f64::NAN);
    let mut found = Results::new();
    found.insert("T11a", value("l1.bytes"));
    found.insert("T11b", value("l2.bytes"));
    found.insert("T11c", value("memory.ns"));
    found.insert("T12", value("translation.page.bytes"));
    // A line in the time of a load from memory, the pages being translated.
    found.insert("T13", value("line.bytes") / value("memory.ns") * 1000.0);
    found.insert("T31", remote_ns()? - slowest_ns(description)?);
    Ok(found)
}

/// A load from memory of a page that is not translated.
fn slowest_ns(description: &Description) -> Result<f64, String> {
    let mut machine: Machine<()> = machine(description, 1)?;
    let mut t = Thread::new(0);
    machine.load(&mut t, 1 << 22);
    Ok(t.now as f64 / 1000.0)
}

/// An uncached load of the T3D from the next node, whose page is open.
fn remote_ns() -> Result<f64, String> {
    let t3d = Description::of_file(T3D)?.ok_or("the T3D is not described")?;
    let mut machine: Machine<()> = machine(&t3d, 3)?;
    let mut t = Thread::new(0);
    machine.set_segment(&mut t, 1, 2, Read::Uncached);
    machine.load(&mut t, join(1, 0));
    let before = t.now;
    machine.load(&mut t, join(1, 32));
    Ok((t.now - before) as f64 / 1000.0)
}
