//! Claims that whole programs show, on the study's simulated machine: examples of this repository, whose sources are in the
//! binary. They need a C compiler, as `fathom simulate` does.

use super::now;
use crate::simulate::{self, Charged};
use fathom_machine::description::Content;
use fathom_machine::Description;
use fathom_simulate::program::Outcome;
use fathom_simulate::reproduce::{shown, By, Changed, Results, WITHOUT};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::scratch::Scratch;
use fathom_toolchain::{Failure, Result};

const SOURCES: &[(&str, &str)] = &[
    ("em3d.sc", include_str!("../../../../examples/em3d/em3d.sc")),
    ("em3d.h", include_str!("../../../../examples/em3d/em3d.h")),
    ("cg_fine.upc", include_str!("../../../../examples/nas/cg_fine.upc")),
    ("cg_bulk.upc", include_str!("../../../../examples/nas/cg_bulk.upc")),
    ("cg.h", include_str!("../../../../examples/nas/cg.h")),
    ("radix.sc", include_str!("../../../../examples/sorts/radix.sc")),
    ("sample.sc", include_str!("../../../../examples/sorts/sample.sc")),
    ("sorts.h", include_str!("../../../../examples/sorts/sorts.h")),
    ("connect.sc", include_str!("../../../../examples/connect/connect.sc")),
    ("nas.h", include_str!("../../../../examples/nas/nas.h")),
];

/// The results of those of a study's programs that are wanted, by the numbers of their claims. The machine has a name and
/// a description.
pub fn results(study: &str, machine: (&str, &Description), wanted: &dyn Fn(&str) -> bool) -> Result<Results> {
    let mut found = Results::new();
    let ids: Vec<&str> = shown(study)
        .iter()
        .filter(|s| matches!(s.by, By::Programs(_)) && wanted(s.claim.id))
        .map(|s| s.claim.id)
        .collect();
    if ids.is_empty() {
        return Ok(found);
    }
    let partition = close_together(machine.1);
    let scratch = Scratch::new()?;
    for (name, text) in SOURCES {
        let path = scratch.join(name);
        std::fs::write(&path, text).or_io("write", &path)?;
    }
    if study == "now" {
        let run = |description: &Description, threads: u32, arguments: &[&str]| {
            let (threads, mut all) = (threads.to_string(), vec!["-n", "", "-O3"]);
            all[1] = &threads;
            let all: Vec<String> =
                all.into_iter().chain(arguments.iter().copied()).map(|a| in_scratch(a, &scratch)).collect();
            simulate::outcome((machine.0, description), &Charged::Counted, &all)
        };
        let mut found = now::results(machine.1, &run, &|id| ids.contains(&id))?;
        found.retain(|id, _| ids.contains(id));
        return Ok(found);
    }
    let run_on = |on: &Description,
                  charged: Charged,
                  threads: u32,
                  name: &str,
                  options: &[&str],
                  args: &[&str]|
     -> Result<(Outcome, String)> {
        let (threads, file) = (threads.to_string(), scratch.join(name).display().to_string());
        let all = [&["-n", &threads, "-O3"], options, &[&file], args].concat();
        simulate::outcome((machine.0, on), &charged, &all.into_iter().map(String::from).collect::<Vec<_>>())
    };
    let run = |charged: Charged, threads: u32, name: &str, options: &[&str], args: &[&str]| {
        run_on(&partition, charged, threads, name, options, args)
    };
    let is_wanted = |of: &[&str]| of.iter().any(|id| ids.contains(id));
    // Each program is performed once, whatever claims it shows.
    let em3d = |on: &Description, charged: Charged, version: &str, percent: &str, steps: &str, graph: Graph| {
        let [degree, others] = graph;
        run_on(on, charged, PROCESSORS, "em3d.sc", &[], &[version, "500", degree, percent, steps, SEED, others])
    };
    let times_on = |on: &Description, versions: &str, percent: &str| {
        times(&em3d(on, Charged::Accesses, versions, percent, STEPS, GRAPH)?.1, versions)
    };
    let all = |percent: &str| times_on(&partition, ALL, percent);
    let order = |ns: &[f64; 6]| match ns.iter().any(|ns| ns.is_nan()) {
        true => f64::NAN,
        false => f64::from(u8::from(ns.is_sorted_by(|a, b| a > b))),
    };
    if is_wanted(&["T67"]) {
        found.insert("T67", all("0")?[2]);
    }
    let at_twenty = |id: &str, ns: &[f64; 6]| match id {
        "T68a" => order(ns),
        "T70a" => ns[3] / ns[1],
        _ => ns[4] / ns[3],
    };
    if is_wanted(&["T68a", "T70a", "T70b"]) {
        let ns = all("20")?;
        ["T68a", "T70a", "T70b"].into_iter().for_each(|id| _ = found.insert(id, at_twenty(id, &ns)));
    }
    // What they rest on: a machine may have no such figure. Claims with the same change share its run, if that has what
    // they compare.
    let mut ran: Vec<(Changed, &str, [f64; 6])> = vec![];
    for without in WITHOUT.iter().filter(|without| ids.contains(&without.id)) {
        let Changed::Figure(figure, factor) = without.changed else { continue };
        let Ok(changed) = partition.with_factor(figure, factor) else { continue };
        let percent = if without.id == "T68b" { "50" } else { "20" };
        let value = |ns: &[f64; 6]| if percent == "50" { order(ns) } else { at_twenty(without.id, ns) };
        let versions = match without.id {
            "T70a" => "bundle,get",
            "T70b" => "get,put",
            _ => ALL,
        };
        let known = ran.iter().find(|(of, at, ns)| (*of, *at) == (without.changed, percent) && !value(ns).is_nan());
        let ns = match known {
            Some((.., ns)) => *ns,
            None => times_on(&changed, versions, percent)?,
        };
        ran.push((without.changed, percent, ns));
        found.insert(without.result, value(&ns));
    }
    if is_wanted(&["T68b"]) {
        found.insert("T68b", order(&all("50")?));
    }
    if is_wanted(&["T69"]) {
        // What a step more reads: Simple for each edge, Bundle for each value.
        let reads = |version, graph| -> Result<f64> {
            let gets = |steps| -> Result<u64> {
                let (outcome, _) = em3d(&partition, Charged::Not, version, "20", steps, graph)?;
                Ok(outcome.threads.iter().map(|thread| thread.gets).sum())
            };
            Ok(gets("2")? as f64 - gets("1")? as f64)
        };
        found.insert("T69", reads("simple", GRAPH)? / reads("bundle", GRAPH)?);
        found.insert("T69 with degree 1", reads("simple", SPARSE)? / reads("bundle", SPARSE)?);
    }
    if is_wanted(&["X15"]) {
        let time = |name: &str| Ok::<f64, Failure>(run(Charged::Not, 8, name, &["-DCLASS=S"], &[])?.0.time() as f64);
        found.insert("X15", time("cg_bulk.upc")? / time("cg_fine.upc")?);
    }
    found.retain(|id, _| ids.contains(id) || WITHOUT.iter().any(|w| w.result == *id && ids.contains(&w.id)));
    Ok(found)
}

/// An argument; of a source its path.
fn in_scratch(argument: &str, scratch: &Scratch) -> String {
    match SOURCES.iter().any(|(name, _)| *name == argument) {
        true => scratch.join(argument).display().to_string(),
        false => argument.into(),
    }
}

const PROCESSORS: u32 = 32;
const STEPS: &str = "3";
const SEED: &str = "1";

/// A graph: edges of a node, and processors to which remote edges lead.
type Graph = [&'static str; 2];
/// Remote edges lead to two processors, as in Olden's EM3D, which comes from the first Split-C program: the study's own graph
/// is not printed, and says that values are read several times.
const GRAPH: Graph = ["20", "2"];
/// One edge for each node, to any processor: hardly any two lead to one value.
const SPARSE: Graph = ["1", "31"];

/// EM3D's versions in the order of the study, slowest first.
const VERSIONS: [&str; 6] = ["simple", "bundle", "unroll", "get", "put", "bulk"];

/// What EM3D's settings call all of them.
const ALL: &str = "all";

/// What EM3D prints of each of these versions: ns for an edge. Of the others not a number.
fn times(said: &str, versions: &str) -> Result<[f64; 6]> {
    let mut ns = [f64::NAN; 6];
    let is_wanted = |version: &str| versions == ALL || versions.split(',').any(|wanted| wanted == version);
    for (ns, version) in ns.iter_mut().zip(VERSIONS).filter(|(_, version)| is_wanted(version)) {
        let line = said.lines().find_map(|line| line.strip_prefix(version));
        let number = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        *ns = number.ok_or_else(|| Failure::new(format!("EM3D has printed no time of its version `{version}`")))?;
    }
    Ok(ns)
}

/// The same machine with its processors close together: of a torus with two processors at a router, the 16 routers of a
/// partition for 32. Numbered through the whole machine, 32 processors would lie on a line.
fn close_together(machine: &Description) -> Description {
    let mut partition = machine.clone();
    let two = machine.quantity("network.share").is_ok_and(|share| share.value == 2.0);
    if let Some(torus) = partition.network.as_mut().filter(|network| two && network.kind == "torus") {
        if let Some(shape) = torus.figures.get_mut("shape") {
            shape.value = Content::Text("4 x 2 x 2".into());
        }
    }
    partition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_a_time() {
        let ns = [9.5, 8.0, 8.0, 5.0, 4.0, 3.0];
        let said: String =
            VERSIONS.iter().zip(ns).map(|(version, ns)| format!("{version:<7} {ns:10.3} ns an edge\n")).collect();
        assert_eq!(times(&said, ALL).unwrap(), ns);
        assert!(times("simple 3 ns an edge\n", ALL).is_err());
        let two = times("get 5.5 ns an edge\nput 4 ns an edge\n", "get,put").unwrap();
        assert!(two[3..5] == [5.5, 4.0] && two.iter().filter(|ns| ns.is_nan()).count() == 4, "{two:?}");
    }
}
