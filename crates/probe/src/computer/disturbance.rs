//! Disturbance of measurements: other programs on the same processors, another probe, a host that gives its guest less
//! than a whole processor, a frequency that changes. It is reported and not corrected: the samples show its effect.

use super::others::Others;
use super::presence::Presence;
use crate::doubt;
use crate::session::Tally;
use std::time::{Duration, Instant};

/// How long the computer is observed before an area, while no process of ours runs.
const LOOK: Duration = Duration::from_millis(100);
/// Processors that others keep busy before it is reported; a desktop at rest uses about a hundredth of one.
const OTHERS: f64 = 0.1;
/// The share of time lost to the host.
const STEAL: f64 = 0.01;
/// A change of the processor's frequency.
const FREQUENCY: f64 = 0.03;
/// Outliers among the samples.
const OUTLIERS: f64 = 0.1;

/// The total times of all processors at a moment.
#[derive(Clone, Copy)]
struct Times {
    at: Instant,
    /// In seconds since the start of the computer.
    busy: f64,
    stolen: f64,
}

/// Observes the computer during measurements.
pub struct Watch<'a> {
    processors: f64,
    patience: Duration,
    began: Option<Times>,
    /// The number of processors that others used when the area began, if it was above the limit; and the time they had
    /// used until then.
    busy: Option<f64>,
    others: Others,
    presence: &'a mut Presence,
    /// The sums over all areas.
    stolen: f64,
    seconds: f64,
    /// The disturbances: for each kind its areas, each with the greatest amount in any of its rounds.
    seen: Vec<(&'static str, Vec<Much>)>,
}

/// An area, the amount, and the amount as text.
type Much = (String, f64, String);

const BUSY: &str = "other programs kept processors busy when it began";
const MEANWHILE: &str = "other programs kept processors busy";
const SECOND: &str = "another fathom probe measured this computer at the same time";
const TAKEN: &str = "the computer's host took its time";
const CHANGED: &str = "the processor's frequency was another at the end";
const OUTLYING: &str = "samples were disturbed";

impl Watch<'_> {
    /// All areas together may wait for `patience` until other programs leave the computer alone.
    pub fn new(processors: usize, patience: Duration, presence: &mut Presence) -> Watch<'_> {
        Watch {
            processors: processors as f64,
            patience,
            began: None,
            busy: None,
            others: Others::default(),
            presence,
            stolen: 0.0,
            seconds: 0.0,
            seen: vec![],
        }
    }

    /// Observes other programs before an area, and waits a while for them.
    pub fn begins(&mut self, mut waits: impl FnMut()) {
        self.presence.other();
        loop {
            let before = times();
            std::thread::sleep(LOOK);
            self.began = times();
            let busy = before.zip(self.began).map(|(b, a)| (a.busy - b.busy) / a.at.duration_since(b.at).as_secs_f64());
            self.busy = busy.filter(|b| *b > OTHERS);
            if self.busy.is_none() || self.patience < LOOK {
                break;
            }
            self.patience -= LOOK;
            waits();
        }
        self.others = Others::now();
    }

    pub fn ends(&mut self, area: &str, tally: &Tally, frequency_change: Option<f64>) {
        if let Some((before, after)) = self.began.take().zip(times()) {
            let wall_s = after.at.duration_since(before.at).as_secs_f64();
            let (stolen, seconds) = (after.stolen - before.stolen, wall_s * self.processors);
            self.stolen += stolen;
            self.seconds += seconds;
            let share = stolen / seconds;
            if share > STEAL {
                self.note(TAKEN, area, share, format!("{:.1} %", share * 100.0));
            }
            let (others_s, name) = Others::now().since(&self.others);
            let others = others_s / wall_s;
            if others > OTHERS {
                let name = name.map_or(String::new(), |name| format!(" ({name})"));
                self.note(MEANWHILE, area, others, format!("{others:.1}{name}"));
            } else if let Some(busy) = self.busy {
                self.note(BUSY, area, busy, format!("{busy:.1}"));
            }
        }
        if self.presence.was_disturbed() {
            self.note(SECOND, area, 1.0, String::new());
        }
        if let Some(change) = frequency_change.filter(|c| c.abs() > FREQUENCY) {
            self.note(CHANGED, area, change.abs(), format!("{:+.1} %", change * 100.0));
        }
        let share = tally.outliers as f64 / tally.samples.max(1) as f64;
        if share > OUTLIERS {
            self.note(OUTLYING, area, share, format!("{:.0} %", share * 100.0));
        }
    }

    fn note(&mut self, what: &'static str, area: &str, much: f64, text: String) {
        let at = self.seen.iter().position(|(known, _)| *known == what).unwrap_or_else(|| {
            self.seen.push((what, vec![]));
            self.seen.len() - 1
        });
        let areas = &mut self.seen[at].1;
        match areas.iter_mut().find(|(known, ..)| known == area) {
            Some((_, most, said)) if *most < much => (*most, *said) = (much, text),
            Some(_) => {}
            None => areas.push((area.to_string(), much, text)),
        }
    }

    /// A sentence for each kind of disturbance, with its areas.
    pub fn told(&self) -> Vec<String> {
        let text = |areas: &[Much]| {
            areas.iter().map(|(area, _, said)| format!("{area} {said}").trim_end().to_string()).collect::<Vec<_>>()
        };
        self.seen.iter().map(|(what, areas)| format!("{what}: {}", text(areas).join(", "))).collect()
    }

    /// The factor of confidence that the host and other programs leave, for each area that they took time from.
    pub fn left(&self) -> Vec<(String, f64)> {
        let taken = self.seen.iter().filter(|(what, _)| matches!(*what, TAKEN | MEANWHILE | BUSY | SECOND));
        let of = |what: &str, much: f64| match what {
            TAKEN => doubt::of_time_taken(much),
            SECOND => doubt::of_time_taken(1.0 / self.processors),
            _ => doubt::of_time_taken(much / self.processors),
        };
        taken
            .flat_map(|(what, areas)| areas.iter().map(move |(area, much, _)| (area.clone(), of(what, *much))))
            .collect()
    }

    /// The share of all processors' time that the host took.
    pub fn steal(&self) -> f64 {
        if self.seconds > 0.0 {
            self.stolen / self.seconds
        } else {
            0.0
        }
    }
}

fn times() -> Option<Times> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    let (busy, stolen) = of_line(text.lines().next()?)?;
    // SAFETY: sysconf takes a number.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as f64;
    Some(Times { at: Instant::now(), busy: busy / ticks, stolen: stolen / ticks })
}

/// Ticks that were busy, and that were stolen: `cpu user nice system idle iowait irq softirq steal …` (proc(5)).
fn of_line(line: &str) -> Option<(f64, f64)> {
    let mut words = line.split_whitespace();
    let ticks: Vec<f64> = (words.next()? == "cpu").then(|| words.map_while(|w| w.parse().ok()).collect())?;
    let busy: f64 = [0, 1, 2, 5, 6].iter().filter_map(|i| ticks.get(*i)).sum();
    (ticks.len() >= 4).then(|| (busy, ticks.get(7).copied().unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_and_waiting_are_not_busy() {
        assert_eq!(of_line("cpu  100 1 20 5000 300 4 5 7 0 0"), Some((130.0, 7.0)));
        assert_eq!(of_line("cpu  100 1 20 5000"), Some((121.0, 0.0)));
        assert_eq!(of_line("cpu0 1 2 3 4"), None);
    }

    #[test]
    fn only_what_is_much_is_told() {
        let mut presence = Presence::named(&format!("fathom-disturbance-{}", std::process::id())); // another probe may run now
        let mut watch = Watch::new(2, Duration::ZERO, &mut presence);
        watch.ends("memory", &Tally { samples: 100, outliers: 5, ..Tally::default() }, Some(-0.01));
        assert!(watch.told().is_empty() && watch.steal() == 0.0);
        watch.ends("memory", &Tally { samples: 100, outliers: 25, ..Tally::default() }, Some(-0.2));
        assert!(watch.left().is_empty(), "what the samples show, they lower");
        watch.note(TAKEN, "sharing", 0.2, String::new());
        assert_eq!(watch.left(), [("sharing".to_string(), 0.8)]);
        watch.seen.pop();
        watch.ends("sharing", &Tally::default(), Some(0.1));
        watch.ends("memory", &Tally { samples: 100, outliers: 15, ..Tally::default() }, Some(0.04)); // another round
        let told = watch.told();
        assert!(told[0].ends_with("memory -20.0 %, sharing +10.0 %") && told[1].ends_with("memory 25 %"), "{told:?}");
    }
}
