//! How far accesses were served: each alone, or by a mechanism of `FATHOM_COMM` (docs/mpi.md). The runtime counts what
//! outboxes, owners and lines take; what ran in a strip or was gathered is a form of its own.

use crate::job::{Job, Share, Site};
use crate::site::{About, Form, Kind};
use serde::Serialize;

/// Far accesses by how they were served. Every one is in one number, but for `accesses`, which is all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Service {
    pub accesses: f64,
    /// Writes that were gathered in messages.
    pub outbox: f64,
    /// Updates and atomic operations that the object's thread computes, gathered in messages.
    pub owner: f64,
    /// Reads from a line that was there already.
    pub line: f64,
    /// Reads of what had been fetched for a strip of iterations.
    pub strip: f64,
    /// Reads of what had been gathered from computed places.
    pub gather: f64,
    /// Strict ones: their order asks for a message each.
    pub strict: f64,
    /// Gets, puts and stores of Split-C, which the program itself lets overlap.
    pub split_phase: f64,
    /// By a message of their own.
    pub alone: f64,
    /// Messages that the mechanisms sent for these accesses. A message that several places fill counts where it was begun, one
    /// that is fetched for a strip or a gather at the loop.
    pub messages: f64,
}

impl Service {
    pub fn add(&mut self, o: Service) {
        let pairs = [
            (&mut self.accesses, o.accesses),
            (&mut self.outbox, o.outbox),
            (&mut self.owner, o.owner),
            (&mut self.line, o.line),
            (&mut self.strip, o.strip),
            (&mut self.gather, o.gather),
            (&mut self.strict, o.strict),
            (&mut self.split_phase, o.split_phase),
            (&mut self.alone, o.alone),
            (&mut self.messages, o.messages),
        ];
        pairs.into_iter().for_each(|(a, b)| *a += b);
    }

    /// Those that a mechanism served.
    pub fn served(&self) -> f64 {
        self.outbox + self.owner + self.line + self.strip + self.gather
    }

    /// Their share; none if there are no far accesses.
    pub fn share(&self) -> Option<f64> {
        (self.accesses > 0.0).then(|| self.served() / self.accesses)
    }

    /// The mechanisms' numbers, with their names for users.
    pub fn mechanisms(&self) -> [(&'static str, f64); 5] {
        [
            ("strips", self.strip),
            ("gathers", self.gather),
            ("outbox", self.outbox),
            ("owners", self.owner),
            ("lines", self.line),
        ]
    }
}

impl Share {
    /// Nothing for what is neither an access nor an atomic operation, apart from messages.
    pub fn service(&self, about: &About) -> Service {
        let counted = self.record.served;
        let messages = counted.messages as f64;
        if !about.is_access() && about.kind() != Kind::Atomic {
            return Service { messages, ..Service::default() };
        }
        let mut s = Service { accesses: self.accesses().far, messages, ..Service::default() };
        match about.form {
            Form::Landed => s.strip = s.accesses,
            Form::Gathered => s.gather = s.accesses,
            Form::SplitPhase => s.split_phase = s.accesses,
            _ => {
                (s.outbox, s.owner) = (counted.by_outbox as f64, counted.by_owner as f64);
                s.line = counted.by_line as f64;
                let rest = (s.accesses - s.served()).max(0.0);
                *(if about.strict { &mut s.strict } else { &mut s.alone }) = rest;
            }
        }
        s
    }
}

impl Site {
    pub fn service(&self) -> Service {
        let mut sum = Service::default();
        self.of.iter().for_each(|x| sum.add(x.service(&self.about)));
        sum
    }
}

impl Job {
    /// Of the whole program.
    pub fn service(&self) -> Service {
        let mut sum = Service::default();
        self.sites.iter().for_each(|s| sum.add(s.service()));
        sum
    }
}
