//! How full a lane is and how fast it is emptied, from the samples that both of its ends send. If one of them is stopped, the
//! other's go on; and what neither has said does not age.

use std::time::{Duration, Instant};

#[derive(Clone, Debug, Default)]
pub struct Gauge {
    last: Option<Seen>,
    /// Where the rate is measured from.
    base: Option<(Instant, u64)>,
    per_second: f64,
    changed: Option<Instant>,
    /// Between the lane's rings, as the receiving end counts them; the other does not.
    pub moves: u32,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    taken: u64,
    sent: u64,
    room: u64,
    /// Since when the oldest message has been waiting, at least.
    since: Instant,
}

impl Gauge {
    /// A sample: messages taken, messages sent, age of the oldest in ns, room.
    pub fn take(&mut self, [taken, sent, age_ns, room]: [u64; 4], now: Instant) {
        // Numbers that make no sense harm nobody but the channel's own line in the listing.
        let sent = sent.max(taken);
        let mut since = now.checked_sub(Duration::from_nanos(age_ns)).unwrap_or(now);
        let (mut most_taken, mut most_sent) = (taken, sent);
        if let Some(last) = self.last {
            most_taken = most_taken.max(last.taken);
            most_sent = most_sent.max(last.sent);
            // The end that has looked for longer knows the higher age.
            if last.taken == most_taken && last.sent > last.taken {
                since = since.min(last.since);
            }
        }
        match self.base {
            None => self.base = Some((now, most_taken)),
            Some((at, before)) if now - at >= Duration::from_millis(5) => {
                self.per_second = (most_taken - before) as f64 / (now - at).as_secs_f64();
                self.base = Some((now, most_taken));
            }
            Some(_) => {}
        }
        if self.last.is_none_or(|l| l.taken != most_taken) {
            self.changed = Some(now);
        }
        self.last = Some(Seen { taken: most_taken, sent: most_sent, room, since });
    }

    /// Waiting, room, messages a second in thousandths, age of the oldest in ns; `None`: nothing is known.
    pub fn read(&self, now: Instant, sample_ms: u64) -> Option<[u64; 4]> {
        let seen = self.last?;
        let waiting = (seen.sent - seen.taken).min(seen.room);
        // What stands still is not reported again.
        let recent = self.changed.is_some_and(|at| now - at <= Duration::from_millis(3 * sample_ms));
        let rate = if recent { self.per_second * 1000.0 } else { 0.0 };
        let age = if waiting == 0 { 0 } else { u64::try_from((now - seen.since).as_nanos()).unwrap_or(u64::MAX) };
        Some([waiting, seen.room, rate as u64, age])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_rate_and_age_follow_the_samples_of_both_ends() {
        let start = Instant::now() + Duration::from_secs(100);
        let at = |ms| start + Duration::from_millis(ms);
        let mut g = Gauge::default();
        assert_eq!(g.read(at(0), 100), None);
        g.take([10, 15, 0, 256], at(0));
        assert_eq!(g.read(at(0), 100), Some([5, 256, 0, 0]));
        assert_eq!(g.read(at(70), 100), Some([5, 256, 0, 70_000_000]), "it grows older by itself");
        g.take([10, 20, 30_000_000, 256], at(80)); // the other end has looked for less long
        assert_eq!(g.read(at(80), 100), Some([10, 256, 0, 80_000_000]));
        g.take([20, 20, 0, 256], at(100)); // 10 in the 20 ms since the last look
        assert_eq!(g.read(at(100), 100), Some([0, 256, 500_000, 0]));
        assert_eq!(g.read(at(1000), 100), Some([0, 256, 0, 0]), "nothing has moved since");
    }

    #[test]
    fn numbers_that_make_no_sense_do_no_harm() {
        let now = Instant::now();
        let mut g = Gauge::default();
        g.take([u64::MAX, 0, u64::MAX, 4], now);
        g.take([0, u64::MAX, 7, 0], now + Duration::from_secs(1));
        assert_eq!(g.read(now + Duration::from_secs(1), 1).map(|r| r[0]), Some(0));
    }
}
