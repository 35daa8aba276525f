//! The whole area on a synthetic machine whose truth is known.

use crate::{Effort, Fact, Failure, Findings, Kernel, Runner, Samples, Session, Stimulus};
use fathom_model::MachineFile;
use std::time::Duration;

/// The SPP-1000 according to its study's Table 3, near, with a cycle of 10 ns and lines of 32 bytes; eight cores.
struct Machine {
    threads: usize,
    packages: f64,
    is_near: bool,
}

const WAR: [f64; 6] = [18.0, 35.0, 70.0, 70.0, 70.0, 69.0];
const RAW: [f64; 6] = [34.0, 67.0, 132.0, 132.0, 134.0, 138.0];
const WAW: [f64; 6] = [31.0, 61.0, 116.0, 115.0, 115.0, 122.0];

impl Machine {
    fn ns(&self, s: &Stimulus) -> f64 {
        let stride = s.number("stride").unwrap_or(1).ilog2() as usize;
        let far = if s.chosen("distance") == Some("far") { 5.0 } else { 1.0 };
        let cycles = match (s.kernel().word(), s.chosen("what").unwrap_or("")) {
            ("frequency", _) => 1.0,
            ("pass", _) if s.chosen("way").is_some() => 200.0 * far,
            ("pass", "war") => WAR[stride] * far,
            ("pass", "raw") => RAW[stride] * far,
            ("pass", "waw") => WAW[stride] * far,
            ("sharers", "invalidate") => 20.0 + 54.0 * s.number("sharers").unwrap() as f64,
            ("sharers", "read") => {
                if s.number("sharers") == Some(1) {
                    133.0
                } else {
                    55.0
                }
            }
            ("ping_pong", _) => {
                let socket = |name| s.number(name).unwrap_or(0) / 4;
                if socket("processor") == socket("other_processor") {
                    100.0
                } else {
                    300.0
                }
            }
            ("false_sharing", _) => {
                if s.number("distance_bytes").unwrap() < 32 {
                    90.0
                } else {
                    9.0
                }
            }
            (kernel, what) => panic!("no kernel is called {kernel} {what}"),
        };
        cycles * 10.0
    }
}

impl Runner for Machine {
    fn threads(&self) -> usize {
        self.threads
    }

    fn run(&mut self, s: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        let mut samples = Samples::default();
        if s.kernel() == Kernel::Place {
            samples.ns.push(0.0);
            let near = f64::from(u8::from(self.is_near));
            for (name, value) in [(Fact::Near, near), (Fact::Cores, 8.0), (Fact::Packages, self.packages)] {
                samples.facts.insert(name, value);
            }
            samples.facts.extend((0..8).map(|i| (Fact::Core(i), f64::from(i))));
            return Ok(samples);
        }
        samples.ns = (0..repetitions).map(|i| self.ns(s) * (1.0 + 0.002 * (i % 3) as f64)).collect();
        Ok(samples)
    }
}

fn probed(mut machine: Machine) -> Findings {
    let mut session = Session::new(&mut machine, Effort::Quick, Duration::from_secs(60));
    super::probe(&mut session).unwrap()
}

fn value(found: &Findings, name: &str) -> f64 {
    let v = found.values.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("no {name}: {:?}", found.values));
    v.value.unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 0.01
}

#[test]
fn the_table_of_the_spp_1000_comes_back_and_answers() {
    let found = probed(Machine { threads: 4, packages: 2.0, is_near: true });
    assert_eq!(value(&found, "sharing.unit.bytes"), 32.0);
    assert!(near(value(&found, "sharing.near.cached.latency.ns"), 2020.0), "war + raw at stride 4: 70 + 132");
    assert!(near(value(&found, "sharing.near.cached.rate.mb_s"), 15.4));
    assert!(near(value(&found, "sharing.far.cached.latency.ns"), 5.0 * 2020.0));
    assert!(near(value(&found, "sharing.near.cached.read.ns"), 2000.0));
    assert!(near(value(&found, "sharing.nth_read.second.ns"), 550.0));
    assert!(near(value(&found, "sharing.invalidate.all.ns"), 10.0 * (20.0 + 3.0 * 54.0)));
    assert!(near(value(&found, "sharing.cores.nearest.ns"), 500.0));
    assert!(near(value(&found, "sharing.cores.farthest.ns"), 1500.0));
    let mut file: MachineFile = toml::from_str("name = \"it\"").unwrap();
    found.figures.unwrap()(&mut file);
    file.check().unwrap();
    let answer = fathom_model::query::ask("pass near cached", &file, Default::default()).unwrap();
    assert!(near(answer.results[0].value, 2.02) && near(answer.results[1].value, 15.4), "{answer:?}");
}

#[test]
fn every_value_rests_on_points_that_are_there() {
    let found = probed(Machine { threads: 3, packages: 2.0, is_near: true });
    for e in found.values.iter().flat_map(|v| &v.evidence) {
        let series = found.curves.iter().find(|c| c.name == e.curve).and_then(|c| c.series(&e.series));
        let series = series.unwrap_or_else(|| panic!("{e:?}"));
        assert!(e.at.iter().all(|x| series.points.iter().any(|p| p.x == *x)), "{e:?}");
    }
}

#[test]
fn one_socket_has_no_far_and_no_shared_memory_no_sharing() {
    let found = probed(Machine { threads: 2, packages: 1.0, is_near: true });
    assert!(found.missing.iter().any(|m| m.what == "sharing.far.cached" && m.why.contains("one socket")));
    assert!(found.missing.iter().any(|m| m.why.contains("three threads")));
    let found = probed(Machine { threads: 2, packages: 1.0, is_near: false });
    assert!(found.values.is_empty() && found.missing.len() == 1);
}
