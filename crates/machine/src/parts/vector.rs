//! The vector unit of a processor (X1 study, section 2): a loop runs in strips of as many elements as a register holds.
//!
//! A strip begins `start` after the one before has been issued. Its loads, operations and stores follow one another
//! element by element (they are *chained*), so that it is issued in the time of whatever needs most: references at
//! `references` a cycle, or operations at `operations` a cycle. The memory decides when a reference is answered: words of
//! a line that lie side by side are one access. `under_way` strips may wait for memory at once.

use crate::access::{Access, Data, Serves};
use crate::description::{Description, Wanted};
use crate::Time;
use std::collections::VecDeque;

/// The kind of this engine.
pub const KIND: &str = "vector";

#[derive(Clone, Debug)]
pub struct Vector {
    /// Picoseconds of a reference and of an operation.
    reference: f64,
    operation: f64,
    /// Elements of a register.
    length: u64,
    start: Time,
    line: u64,
    under_way: usize,
}

/// The words that a loop accesses: one for each iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stream {
    pub at: u64,
    /// Bytes from one to the next.
    pub stride: u64,
    pub is_store: bool,
}

impl Stream {
    pub fn load(at: u64) -> Self {
        Stream { at, stride: WORD, is_store: false }
    }

    pub fn store(at: u64) -> Self {
        Stream { at, stride: WORD, is_store: true }
    }
}

const WORD: u64 = 8;

impl Vector {
    /// The unit that is described.
    ///
    /// # Errors
    /// There is none, or a figure is missing or wrong.
    pub fn of(description: &Description) -> Result<Self, String> {
        let name = description.engine(KIND).ok_or("the machine has no vector unit")?;
        let figures = description.of_part(name);
        let unit = Self::new(&figures)?;
        figures.finish()?;
        Ok(unit)
    }

    fn new(figures: &Wanted) -> Result<Self, String> {
        let cycle = 1.0 / figures.frequency("clock")?;
        let pipes = figures.count("pipes")? as f64;
        Ok(Vector {
            reference: cycle / figures.count("references")? as f64,
            operation: cycle / (pipes * figures.count("operations")? as f64),
            length: figures.count("length")?,
            start: figures.time("start")?,
            line: figures.power_of_two("line", figures.bytes("line")?)?,
            under_way: figures.places("under_way")?,
        })
    }

    /// When a strip's reference after `issued` others is issued.
    fn issue(&self, begin: Time, issued: u64) -> Time {
        begin + (issued as f64 * self.reference).round() as Time
    }

    /// A unit that is idle at `now`.
    pub fn at(&self, now: Time) -> Running<'_> {
        let under_way = VecDeque::with_capacity(self.under_way + 1);
        Running { unit: self, work: Loop::default(), next: 0, strip: None, now, end: now, under_way }
    }

    /// A loop alone: the time at which its last word is where it belongs.
    pub fn run<D: Data>(&self, memory: &mut dyn Serves<D>, now: Time, work: Loop) -> Time {
        let mut running = self.at(now);
        running.then(work);
        while running.step(memory) {}
        running.end
    }
}

/// A vector loop: in each iteration a word of each stream, loads first, and operations.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    pub streams: Vec<Stream>,
    pub iterations: u64,
    pub operations: u64,
}

/// Loops that are performed access by access, so that other processors may have their turns between.
#[derive(Clone, Debug)]
pub struct Running<'a> {
    unit: &'a Vector,
    work: Loop,
    /// The first iteration of the next strip.
    next: u64,
    strip: Option<Strip>,
    /// When the last strip was issued.
    now: Time,
    /// When the last word of all strips is where it belongs.
    end: Time,
    under_way: VecDeque<Time>,
}

/// A strip that is being issued.
#[derive(Clone, Debug)]
struct Strip {
    begin: Time,
    first: u64,
    elements: u64,
    /// The stream and the element of the next access, and the references before it.
    stream: usize,
    element: u64,
    issued: u64,
    /// When the next access is issued.
    at: Time,
    end: Time,
}

impl Running<'_> {
    /// The next loop, which begins when the one before has been issued.
    pub fn then(&mut self, work: Loop) {
        (self.work, self.next) = (work, 0);
    }

    /// When the next access is issued, or the next strip can be at the earliest.
    pub fn now(&self) -> Time {
        self.strip.as_ref().map_or(self.now, |strip| strip.at)
    }

    /// When the last word is where it belongs.
    pub fn end(&self) -> Time {
        self.end
    }

    /// Begins the next strip, or performs the next access of one. False if the loop has been issued.
    pub fn step<D: Data>(&mut self, memory: &mut dyn Serves<D>) -> bool {
        let Some(mut strip) = self.strip.take() else {
            self.strip = self.begin();
            return self.strip.is_some();
        };
        if let Some(stream) = self.work.streams.get(strip.stream) {
            let at = stream.at + stream.stride * (strip.first + strip.element);
            // As many words as lie side by side in this line.
            let room = if stream.stride == WORD { (self.unit.line - at % self.unit.line) / WORD } else { 1 };
            let words = room.clamp(1, strip.elements - strip.element);
            let bytes = (words * WORD) as u32;
            let access = match stream.is_store {
                true => Access::store(at, bytes, D::default()),
                false => Access::load(at, bytes),
            };
            strip.end = strip.end.max(memory.access(strip.at, &access).done);
            strip.issued += words;
            strip.at = self.unit.issue(strip.begin, strip.issued);
            strip.element += words;
            if strip.element == strip.elements {
                (strip.element, strip.stream) = (0, strip.stream + 1);
            }
        }
        if strip.stream < self.work.streams.len() {
            self.strip = Some(strip);
            return true;
        }
        let operations = (strip.elements * self.work.operations) as f64 * self.unit.operation;
        let issue = (strip.issued as f64 * self.unit.reference).max(operations);
        self.now = strip.begin + issue.round() as Time;
        self.under_way.push_back(strip.end.max(self.now));
        self.end = self.end.max(strip.end).max(self.now);
        true
    }

    fn begin(&mut self) -> Option<Strip> {
        let elements = self.unit.length.min(self.work.iterations - self.next);
        if elements == 0 {
            return None;
        }
        let mut begin = self.now + self.unit.start;
        if self.under_way.len() == self.unit.under_way {
            begin = begin.max(self.under_way.pop_front().unwrap_or(0));
        }
        let first = self.next;
        self.next += elements;
        Some(Strip { begin, first, elements, stream: 0, element: 0, issued: 0, at: begin, end: begin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Kind;
    use crate::parts::recorder::Recorder;

    fn unit() -> Vector {
        Vector { reference: 10.0, operation: 4.0, length: 8, start: 50, line: 32, under_way: 2 }
    }

    #[test]
    fn words_of_a_line_are_one_access_and_strips_follow_each_other() {
        let memory = Recorder::new(100);
        let streams = vec![Stream::load(1024), Stream { at: 4096, stride: 256, is_store: true }];
        // A strip of 8 and one of 2: 16 references and 4.
        let end = unit().run::<()>(&mut memory.clone(), 0, Loop { streams, iterations: 10, operations: 1 });
        let asked = memory.borrow().asked.clone();
        assert_eq!(asked[..3], [(50, Kind::Load, 1024, 32), (90, Kind::Load, 1056, 32), (130, Kind::Store, 4096, 8)]);
        assert_eq!(asked.len(), 2 + 8 + 1 + 2);
        assert_eq!(asked[10], (210 + 50, Kind::Load, 1088, 16));
        assert_eq!(end, 260 + 30 + 100);
    }

    #[test]
    fn operations_or_memory_may_take_longer_than_references() {
        let of = |stream, iterations, operations| Loop { streams: vec![stream], iterations, operations };
        let alone = |operations| unit().run::<()>(&mut Recorder::new(0), 0, of(Stream::load(0), 8, operations));
        assert_eq!([alone(1), alone(5)], [50 + 80, 50 + 160]);
        // Two strips wait for memory, the third for the first of them.
        let slow = Recorder::new(10_000);
        unit().run::<()>(&mut slow.clone(), 0, of(Stream { at: 0, stride: 64, is_store: false }, 24, 1));
        let begins: Vec<Time> = slow.borrow().asked.iter().step_by(8).map(|(now, ..)| *now).collect();
        assert_eq!(begins, [50, 180, 50 + 70 + 10_000]);
    }

    #[test]
    fn a_loop_without_iterations_takes_no_time() {
        assert_eq!(unit().run::<()>(&mut Recorder::new(5), 7, Loop::default()), 7);
    }

    #[test]
    fn a_loop_follows_another_before_its_words_have_come() {
        let unit = unit();
        let memory = Recorder::new(1000);
        let mut running = unit.at(0);
        for at in [0, 4096] {
            running.then(Loop { streams: vec![Stream::load(at)], iterations: 4, operations: 1 });
            while running.step::<()>(&mut memory.clone()) {}
        }
        let asked: Vec<(Time, u64)> = memory.borrow().asked.iter().map(|(now, _, at, _)| (*now, *at)).collect();
        assert_eq!((asked, running.now, running.end), (vec![(50, 0), (140, 4096)], 180, 1140));
    }
}
