//! A transmit queue and a receive queue (StarT-Voyager study, sections 2.2, 2.3 and 4.2).
//!
//! An Express queue is a first-in-first-out memory without addresses. A Basic queue is a circle of slots, a producer
//! pointer and a consumer pointer, which count on and are taken modulo the depth. A Tag-On message takes a place in an
//! Express queue and a slot of data, which software frees.

use super::format::Format;
use super::{word_of, Body, Packet};
use std::collections::VecDeque;

/// What kind of messages a queue has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Express and Tag-On.
    Express,
    Basic,
}

/// A transmit queue's state beside its messages, which leave in order as they are sent.
#[derive(Clone, Debug)]
pub struct Transmit {
    pub is_resident: bool,
    /// Basic messages that software has made ready, and that have left their slots: counts.
    pub producer: u64,
    pub consumer: u64,
}

impl Transmit {
    pub fn new(is_resident: bool) -> Self {
        Transmit { is_resident, producer: 0, consumer: 0 }
    }
}

#[derive(Clone, Debug)]
pub struct Receive {
    pub class: Class,
    pub is_resident: bool,
    depth: u64,
    /// Words of Express and Tag-On messages.
    words: VecDeque<u64>,
    producer: u64,
    consumer: u64,
    /// Which slots of Tag-On data are in use, and the one that is next.
    used: Vec<bool>,
    next_slot: usize,
    /// Messages that the service processor keeps in memory, and how many are in the miss queue.
    pub kept: VecDeque<Packet>,
    pub missed: usize,
}

impl Receive {
    pub fn new(class: Class, is_resident: bool, depth: u64) -> Self {
        Receive {
            class,
            is_resident,
            depth,
            words: VecDeque::new(),
            producer: 0,
            consumer: 0,
            used: vec![false; depth as usize],
            next_slot: 0,
            kept: VecDeque::new(),
            missed: 0,
        }
    }

    /// Whether older messages are elsewhere.
    pub fn is_diverted(&self) -> bool {
        self.missed > 0 || !self.kept.is_empty()
    }

    /// Puts a message into the queue; the slot of its data. None if there is no room.
    pub fn put(&mut self, packet: &Packet, format: Format) -> Option<u64> {
        if self.class == Class::Basic {
            if self.producer - self.consumer >= self.depth {
                return None;
            }
            self.producer += 1;
            return Some((self.producer - 1) % self.depth);
        }
        if self.words.len() as u64 >= self.depth {
            return None;
        }
        let mut slot = 0;
        if let Body::TagOn { .. } = packet.body {
            if self.used[self.next_slot] {
                return None;
            }
            slot = self.next_slot as u64;
            self.used[self.next_slot] = true;
            self.next_slot = (self.next_slot + 1) % self.used.len();
        }
        self.words.push_back(word_of(packet, slot, format));
        Some(slot)
    }

    pub fn pop(&mut self) -> Option<u64> {
        self.words.pop_front()
    }

    /// A pointer that is ahead of the messages, or behind what it was, has no effect.
    pub fn consume(&mut self, consumer: u64) {
        if (self.consumer..=self.producer).contains(&consumer) {
            self.consumer = consumer;
        }
    }

    pub fn free_slot(&mut self, slot: u32) {
        if let Some(used) = self.used.get_mut(slot as usize) {
            *used = false;
        }
    }

    pub fn producer(&self) -> u64 {
        self.producer
    }

    pub fn consumer(&self) -> u64 {
        self.consumer
    }

    /// Whether software finds a message.
    pub fn is_waiting(&self) -> bool {
        !self.words.is_empty() || self.producer > self.consumer
    }

    /// Messages in the queue and in memory; not those in the miss queue.
    pub fn held(&self) -> usize {
        self.words.len() + (self.producer - self.consumer) as usize + self.kept.len()
    }
}
