//! Coherence between hypernodes: the states of a line at its home, and the rings that carry requests (SPP-1000 study,
//! sections 1 and 4).
//!
//! The home of a line is the hypernode whose memory has it. It knows the list of the other hypernodes whose
//! interconnect caches have copies, in the manner of SCI: the newest is the head, and a writer removes the copies one
//! after the other. What happens is a table:
//!
//! | state at home | who asks | to read | to own |
//! |---|---|---|---|
//! | home: no copies elsewhere | home | nothing | nothing |
//! | | another | fetch, shared | fetch, gone |
//! | shared: copies elsewhere | home | nothing | purge the copies, home |
//! | | one with a copy | nothing | fetch, purge the other copies, gone |
//! | | another | fetch, shared | fetch, purge the copies, gone |
//! | gone: one other hypernode owns it | home | fetch from the owner, shared | fetch from the owner, home |
//! | | the owner | nothing | nothing |
//! | | another | fetch over home from the owner, shared | fetch over home from the owner, gone |

use crate::contention::Server;
use crate::description::{Description, Wanted};
use crate::network::{self, Carries};
use crate::Time;

/// The state of a line at its home.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// No other hypernode has a copy.
    #[default]
    Home,
    /// Others have copies, and memory is right.
    Shared,
    /// One other hypernode owns the line, and memory may be old.
    Gone,
}

/// Which hypernode asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    Home,
    /// One that is on the list of copies.
    Listed,
    Other,
}

/// What an access to a line needs from other hypernodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Round trips of a ring before the line is there.
    pub fetches: u32,
    /// Whether copies of hypernodes other than the asker's are removed by a walk of the list.
    pub purges: bool,
    pub state: State,
}

/// The table above.
pub fn steps(state: State, asker: Asker, owns: bool) -> Steps {
    let to = |fetches, purges, state| Steps { fetches, purges, state };
    match (state, asker, owns) {
        (State::Home, Asker::Home, _) => to(0, false, State::Home),
        (State::Home, _, false) => to(1, false, State::Shared),
        (State::Home, _, true) => to(1, false, State::Gone),
        (State::Shared, Asker::Home | Asker::Listed, false) => to(0, false, State::Shared),
        (State::Shared, Asker::Home, true) => to(0, true, State::Home),
        (State::Shared, Asker::Other, false) => to(1, false, State::Shared),
        (State::Shared, _, true) => to(1, true, State::Gone),
        (State::Gone, Asker::Home, false) => to(1, false, State::Shared),
        (State::Gone, Asker::Home, true) => to(1, false, State::Home),
        (State::Gone, Asker::Listed, _) => to(0, false, State::Gone),
        (State::Gone, Asker::Other, false) => to(2, false, State::Shared),
        (State::Gone, Asker::Other, true) => to(2, false, State::Gone),
    }
}

/// The rings, and the controllers by which hypernodes use them: each hypernode has one for each ring, with its part of
/// the memory.
pub struct Rings {
    networks: Vec<Box<dyn Carries>>,
    /// By hypernode and ring.
    controllers: Vec<Vec<Controller>>,
    line: u64,
    /// Whether consecutive lines go by different rings.
    interleaved: bool,
    /// What of a trip is not the ring's.
    fetch: Time,
    purge: Time,
    /// How long a controller is busy after an asker that owns the line may go on.
    settle: Time,
    /// How long the controller at the other end is busy with a request.
    serve: Time,
    /// What a trip takes more if the controller's last trip ended less than `recent` before.
    again: Time,
    recent: Time,
    /// Whether a writer goes on when the first copy is removed.
    early: bool,
}

#[derive(Clone, Default)]
struct Controller {
    busy: Server,
    ended: Option<Time>,
}

/// The bytes of a request, and of an answer without data.
const REQUEST: u64 = 16;

/// The trips that an access to a line makes.
#[derive(Clone, Copy, Debug)]
pub struct Trips<'a> {
    pub from: u32,
    pub to: u32,
    pub fetches: u32,
    /// The hypernodes whose copies are removed afterwards.
    pub purged: &'a [u32],
    /// Whether the asker owns the line then.
    pub owns: bool,
}

impl Rings {
    /// `line` is the length of the lines that they carry.
    ///
    /// # Errors
    /// A figure is missing or wrong, or a trip is longer than what is described for the whole.
    pub fn new(description: &Description, figures: &Wanted, line: u64) -> Result<Self, String> {
        let mut idle = network::build(description)?;
        if idle.nodes() < 2 {
            return Err("a ring joins at least two hypernodes".into());
        }
        let mut now = 0;
        let mut rest = |name: &str, there: u64, back: u64| {
            now += 1_000_000_000; // long enough after the last one for everything to be idle
            let out = idle.carry(now, 0, 1, there);
            let trip = idle.carry(out.tail, 1, 0, back).tail - now;
            let whole = figures.time(name)?;
            whole.checked_sub(trip).ok_or_else(|| format!("figure `{name}` is less than what a ring takes"))
        };
        let (fetch, purge) = (rest("fetch", REQUEST, line)?, rest("purge", REQUEST, REQUEST)?);
        let rings = figures.places("rings")?;
        let networks = (0..rings).map(|_| network::build(description)).collect::<Result<Vec<_>, String>>()?;
        Ok(Rings {
            controllers: vec![vec![Controller::default(); rings]; idle.nodes() as usize],
            networks,
            line,
            interleaved: figures.switch("interleaved")?,
            fetch,
            purge,
            settle: figures.time("settle")?,
            serve: figures.time("serve")?,
            again: figures.time("again")?,
            recent: figures.time("recent")?,
            early: figures.switch("early")?,
        })
    }

    /// The number of hypernodes.
    pub fn hypernodes(&self) -> u32 {
        self.controllers.len() as u32
    }

    /// The ring of a line.
    fn ring(&self, at: u64) -> usize {
        if self.interleaved {
            (at / self.line) as usize % self.networks.len()
        } else {
            0
        }
    }

    /// When a hypernode's controller takes an access to a line that comes at `now`.
    pub fn begin(&mut self, now: Time, hypernode: u32, at: u64) -> Time {
        let ring = self.ring(at);
        self.controllers[hypernode as usize][ring].busy.take(now, 0)
    }

    /// Performs the trips for a line; when the asker may go on.
    pub fn trips(&mut self, now: Time, at: u64, trips: &Trips) -> Time {
        let ring = self.ring(at);
        let ended = self.controllers[trips.from as usize][ring].ended;
        let mut done = now;
        if ended.is_some_and(|ended| now < ended + self.recent) {
            done += self.again;
        }
        let mut trip = |begin: Time, to: u32, back: u64, own: Time| {
            let (network, far) = (&mut self.networks[ring], &mut self.controllers[to as usize][ring]);
            let there = network.carry(begin, trips.from, to, REQUEST).tail;
            let served = far.busy.take(there, self.serve);
            network.carry(served + own, to, trips.from, back).tail
        };
        for _ in 0..trips.fetches {
            done = trip(done, trips.to, self.line, self.fetch);
        }
        let mut settled = done;
        for (i, to) in trips.purged.iter().enumerate() {
            settled = trip(settled, *to, REQUEST, self.purge);
            if i == 0 || !self.early {
                done = settled;
            }
        }
        if trips.owns {
            settled += self.settle;
        }
        let controller = &mut self.controllers[trips.from as usize][ring];
        controller.ended = Some(done);
        if settled > done {
            controller.busy.take(done, settled - done);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKERS: [Asker; 3] = [Asker::Home, Asker::Listed, Asker::Other];

    #[test]
    fn the_table_keeps_what_states_mean() {
        for state in [State::Home, State::Shared, State::Gone] {
            for asker in ASKERS {
                for owns in [false, true] {
                    if state == State::Home && asker == Asker::Listed {
                        continue;
                    }
                    let steps = steps(state, asker, owns);
                    let is_home = asker == Asker::Home;
                    // After an access to own, home has it, or one other.
                    assert!(!owns || (steps.state == State::Home) == is_home, "{state:?} {asker:?}");
                    assert!(owns || !steps.purges, "a reader removes no copy");
                    // Nobody reads an old copy: the owner's is the only one.
                    let needs = state == State::Gone && asker != Asker::Listed;
                    assert!(!needs || steps.fetches > 0, "{state:?} {asker:?}");
                    assert!(!(owns && state == State::Shared) || steps.purges, "{asker:?}");
                }
            }
        }
    }

    fn rings(early: bool) -> Rings {
        let figure = |name: &str, value: &str| format!("{name} = {{ value = {value}, printed = \"x\" }}\n");
        let mut text = "[simulated]\nabout = \"\"\nmemory = \"rings\"\n[simulated.processor]\n".to_string();
        text += &figure("clock", "\"100 MHz\"");
        text += "[simulated.parts.rings]\nkind = \"sci-rings\"\n";
        for (name, value) in [
            ("rings", "4"),
            ("interleaved", "true"),
            ("fetch", "\"3000 ns\""),
            ("purge", "\"4000 ns\""),
            ("again", "\"400 ns\""),
            ("recent", "\"8 us\""),
            ("settle", "\"600 ns\""),
            ("serve", "\"500 ns\""),
            ("early", if early { "true" } else { "false" }),
        ] {
            text += &figure(name, value);
        }
        text += "[simulated.network]\nkind = \"ring\"\n";
        for (name, value) in [("ports", "4"), ("one_way", "true"), ("rate", "\"600 MB/s\""), ("hop", "\"100 ns\"")] {
            text += &figure(name, value);
        }
        let description = Description::of_file(&text).unwrap().unwrap();
        Rings::new(&description, &description.of_part("rings"), 64).unwrap()
    }

    const FETCH: Trips = Trips { from: 0, to: 1, fetches: 1, purged: &[], owns: false };
    const OWN: Trips = Trips { owns: true, ..FETCH };

    #[test]
    fn a_trip_takes_what_is_described_to_whichever_hypernode() {
        for to in 1..4 {
            assert_eq!(rings(true).trips(1000, 0, &Trips { to, ..FETCH }), 3_001_000, "{to}");
            assert_eq!(rings(true).trips(0, 0, &Trips { from: to, to: 0, ..OWN }), 3_000_000);
        }
    }

    #[test]
    fn copies_are_removed_one_after_the_other_and_the_writer_may_go_on_after_the_first() {
        for (early, done) in [(true, 4_000_000), (false, 12_000_000)] {
            let mut rings = rings(early);
            let purge = Trips { fetches: 0, purged: &[1, 2, 3], ..OWN };
            assert_eq!(rings.trips(0, 0, &purge), done);
            assert_eq!(rings.begin(done, 0, 32), 12_600_000, "the controller has more to do");
            assert_eq!(rings.begin(done, 0, 64), done, "another one has not");
        }
    }

    #[test]
    fn a_controller_is_slower_soon_after_a_trip() {
        let mut rings = rings(true);
        assert_eq!(rings.trips(0, 0, &FETCH), 3_000_000);
        assert_eq!(rings.trips(3_000_000, 64, &FETCH), 6_000_000, "the next line, the next ring");
        assert_eq!(rings.trips(6_000_000, 256, &FETCH), 9_400_000, "the first ring again");
        assert_eq!(rings.trips(20_000_000, 512, &FETCH), 23_000_000);
    }

    #[test]
    fn requests_to_one_hypernode_wait_for_each_other() {
        let mut rings = rings(true);
        let done: Vec<Time> = [0, 2, 3].map(|from| rings.trips(0, 0, &Trips { from, ..FETCH })).to_vec();
        assert_eq!(done[0], 3_000_000);
        assert!(done[1] >= 3_300_000 && done[2] >= done[1] + 500_000, "{done:?}");
    }
}
