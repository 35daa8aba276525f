//! A prediction's range: each figure at its ends is a machine of its own, samples lie between, and come again.

use fathom_machine::{Description, Time};
use fathom_simulate::program::stops::{Done, Ended, Piece, Record, Stop, Stopped, Threads, Transfer, Turn};
use fathom_simulate::program::{charges, simulate};
use fathom_simulate::trace::ranges::{ranged, Runs};
use fathom_simulate::trace::{Head, Recorder, Trace};

const MACHINE: &str = r#"
    [simulated]
    about = "A network for tests."
    [simulated.network]
    kind = "loggp"
    ports = { value = 4, assumed = "enough", range = [1, 4] }
    L = { value = "5 us", assumed = "a test", range = ["1 us", "9 us"] }
    o_send = { value = "300 ns", assumed = "a test", range = ["0 ns", "400 ns"] }
    o_recv = { value = "300 ns", other = "a test" }
    G = { value = "40 ps / (1 B)", other = "a test" }
"#;

/// Thread 0 works, and puts 8 bytes.
struct Puts {
    work: Time,
    has_put: bool,
}

impl Threads for Puts {
    fn go_on(&mut self, t: u32, _: &Turn) -> Result<Stopped, Ended> {
        let mut stopped = Stopped { records: vec![], stop: Stop::End, work: 0, may_serve: true, place: 0 };
        if t == 0 && !std::mem::replace(&mut self.has_put, true) {
            let what = Done::Blocking(Transfer { is_put: true, with: 1, bytes: 8, offset: 0, piece: Piece::default() });
            stopped.records.push(Record { work: self.work, what, place: 0 });
        }
        Ok(stopped)
    }
}

fn recorded(machine: &Description, work: Time) -> Trace {
    let head = Head { program: "a test".into(), threads: 2, machine: "a test".into(), file: 0, basis: String::new() };
    let mut bytes = vec![];
    let mut job = Puts { work, has_put: false };
    let mut recorder = Recorder::new(&mut job, &mut bytes, &head);
    simulate(&mut recorder, &mut *charges(machine, 2).unwrap(), 2).unwrap();
    recorder.finish(|_| 0).unwrap();
    Trace::read(&bytes).unwrap()
}

#[test]
fn the_ends_of_ranges_are_times_of_their_own_and_samples_lie_between() {
    let machine = Description::of_file(MACHINE).unwrap().unwrap();
    let time = |work: Time, latency: Time, send: Time| work + send + 2 * (latency + 7 * 40) + 300_000;
    let (l, o) = (5_000_000, 300_000);
    let [own, least, greatest] = [1_000_000, 500_000, 100_000_000].map(|work| recorded(&machine, work));
    let found = ranged(&Runs { own: &own, work: Some([&least, &greatest]) }, &machine, 40, &|_, _| {}).unwrap();
    assert_eq!(found.own, time(1_000_000, l, o));
    let figures: Vec<_> = found.figures.iter().map(|f| (f.name.as_str(), f.times)).collect();
    // One port is too few for two threads, and the greatest number is that of the file.
    let expected = [
        ("work", [Some(time(500_000, l, o)), Some(time(100_000_000, l, o))]),
        ("network.L", [Some(time(1_000_000, 1_000_000, o)), Some(time(1_000_000, 9_000_000, o))]),
        ("network.o_send", [Some(time(1_000_000, l, 0)), Some(time(1_000_000, l, 400_000))]),
        ("network.ports", [None, Some(found.own)]),
    ];
    assert_eq!(figures, expected);
    assert_eq!((found.samples.len(), found.failed), (40, 0));
    let ends = [time(500_000, 1_000_000, 0), time(100_000_000, 9_000_000, 400_000)];
    assert!(found.samples.iter().all(|s| (ends[0]..=ends[1]).contains(s)));
    assert!(found.samples[0] < found.own && found.own < found.samples[39]);
    assert_eq!(ranged(&Runs { own: &own, work: Some([&least, &greatest]) }, &machine, 40, &|_, _| {}).unwrap(), found);
    // Without ranges there is one time.
    let exact = Description::of_file(
        &MACHINE
            .replace("assumed", "other")
            .replace(", range = [\"1 us\", \"9 us\"]", "")
            .replace(", range = [\"0 ns\", \"400 ns\"]", "")
            .replace(", range = [1, 4]", ""),
    )
    .unwrap()
    .unwrap();
    let found = ranged(&Runs { own: &own, work: None }, &exact, 5, &|_, _| {}).unwrap();
    assert_eq!((found.figures.len(), found.samples), (0, vec![found.own; 5]));
}
