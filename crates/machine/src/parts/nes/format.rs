//! What Express and Tag-On messages look like: the address and data of the store that sends one, and the word that is
//! read when it has arrived (StarT-Voyager study, sections 5.1 and 5.2). The study gives the bits of payload, 5 of the
//! address and 32 of data; where they and the other fields stand is assumed.

use crate::description::Wanted;

/// The bits of a number among the queues of a site, and among the destinations of a queue.
pub const QUEUE_BITS: u32 = 9;
pub const DESTINATION_BITS: u32 = 8;
const SLOT_BITS: u32 = 6;
/// Lines of the endpoint's memory: from its base 4 Mi lines are reached.
const OFFSET_BITS: u32 = 22;

/// How the payload is divided between the address and the data of a store.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    address_bits: u32,
    data_bits: u32,
}

/// What is added to an Express message: lines of the endpoint's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The first line, from the base of the endpoint's memory; at the receiver, the slot of its data queue.
    pub place: u32,
    /// 2.5 lines instead of 1.5.
    pub is_long: bool,
}

/// What the address of a store says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub queue: u32,
    pub destination: u32,
    pub tag: Option<Tag>,
    /// The part of the payload that the address carries.
    pub bits: u32,
}

/// What the receiver reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    pub payload: u64,
    /// The sender, as a destination of the receiver's own queue.
    pub source: u32,
    pub tag: Option<Tag>,
}

/// What a read of an empty queue returns, unless software chose another word: no message has all bits.
pub const EMPTY: u64 = u64::MAX;

/// What a poll returns of a Basic queue that has messages.
const BASIC_READY: u64 = 1 << 62;

const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

impl Format {
    /// # Errors
    /// A figure is missing, or a message would not fit into a word.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        let bits = |name: &str, most: u64| match figures.count(name)? {
            bits if bits <= most => Ok(bits as u32),
            _ => Err(format!("figure `nes.{name}` must be at most {most}")),
        };
        Ok(Format { address_bits: bits("address_bits", 10)?, data_bits: bits("data_bits", 32)? })
    }

    /// The address, without the base of its region, and the data of the store that sends this payload.
    pub fn store(&self, queue: u32, destination: u32, tag: Option<Tag>, payload: u64) -> (u64, u32) {
        let bits = (payload >> self.data_bits & mask(self.address_bits)) as u32;
        let sent = Sent { queue, destination, tag, bits };
        (self.address(&sent), (payload & mask(self.data_bits)) as u32)
    }

    /// Addresses are those of whole words.
    pub fn address(&self, sent: &Sent) -> u64 {
        let tag = sent.tag.map_or(0, |t| (u64::from(t.place) & mask(OFFSET_BITS)) << 2 | u64::from(t.is_long) << 1 | 1);
        let fields = [
            (u64::from(sent.bits), self.address_bits),
            (u64::from(sent.destination), DESTINATION_BITS),
            (u64::from(sent.queue), QUEUE_BITS),
            (tag, OFFSET_BITS + 2),
        ];
        let joined = fields.iter().rev().fold(0, |all, (field, bits)| all << bits | field & mask(*bits));
        joined << 2
    }

    pub fn of_address(&self, at: u64) -> Sent {
        let mut rest = at >> 2;
        let mut take = |bits: u32| {
            let field = rest & mask(bits);
            rest >>= bits;
            field
        };
        let (bits, destination, queue) = (take(self.address_bits), take(DESTINATION_BITS), take(QUEUE_BITS));
        let tag = take(OFFSET_BITS + 2);
        let place = (tag >> 2) as u32;
        Sent {
            queue: queue as u32,
            destination: destination as u32,
            tag: (tag & 1 != 0).then_some(Tag { place, is_long: tag & 2 != 0 }),
            bits: bits as u32,
        }
    }

    /// The payload of a store.
    pub fn payload(&self, sent: &Sent, data: u32) -> u64 {
        u64::from(sent.bits) << self.data_bits | u64::from(data) & mask(self.data_bits)
    }

    fn payload_bits(&self) -> u32 {
        self.address_bits + self.data_bits
    }

    /// The word of an arrived message: the lowest bits are the payload.
    pub fn word(&self, arrived: &Arrived) -> u64 {
        let tag = arrived.tag.map_or(0, |t| u64::from(t.place) << 2 | u64::from(t.is_long) << 1 | 1);
        let rest = tag << DESTINATION_BITS | u64::from(arrived.source) & mask(DESTINATION_BITS);
        rest << self.payload_bits() | arrived.payload & mask(self.payload_bits())
    }

    /// What a word says; None if it is [`EMPTY`] or tells of a Basic queue.
    pub fn of_word(&self, word: u64) -> Option<Arrived> {
        if word == EMPTY || basic_ready(word).is_some() {
            return None;
        }
        let rest = word >> self.payload_bits();
        let tag = rest >> DESTINATION_BITS;
        let place = (tag >> 2 & mask(SLOT_BITS)) as u32;
        Some(Arrived {
            payload: word & mask(self.payload_bits()),
            source: (rest & mask(DESTINATION_BITS)) as u32,
            tag: (tag & 1 != 0).then_some(Tag { place, is_long: tag & 2 != 0 }),
        })
    }
}

/// The word that tells of a Basic queue with messages: the queue, its producer and consumer pointers.
pub fn basic_word(queue: u32, producer: u64, consumer: u64) -> u64 {
    BASIC_READY | u64::from(queue) << 32 | (producer & 0xffff) << 16 | consumer & 0xffff
}

/// The queue and the pointers of such a word.
pub fn basic_ready(word: u64) -> Option<(u32, u64, u64)> {
    let is_it = word != EMPTY && word & BASIC_READY != 0;
    is_it.then_some(((word >> 32 & mask(QUEUE_BITS)) as u32, word >> 16 & 0xffff, word & 0xffff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FORMAT: Format = Format { address_bits: 5, data_bits: 32 };

    fn tag(slot: u32, is_long: bool, has: bool) -> Option<Tag> {
        has.then_some(Tag { place: slot, is_long })
    }

    proptest! {
        #[test]
        fn a_store_says_what_it_was_made_of(
            queue in 0..512u32, destination in 0..256u32, payload in 0..1u64 << 37, line in 0..1u32 << 22,
            is_long: bool, has: bool,
        ) {
            let (at, data) = FORMAT.store(queue, destination, tag(line, is_long, has), payload);
            prop_assert_eq!(at % 4, 0);
            let sent = FORMAT.of_address(at);
            prop_assert_eq!((sent.queue, sent.destination, sent.tag), (queue, destination, tag(line, is_long, has)));
            prop_assert_eq!(FORMAT.payload(&sent, data), payload);
        }

        #[test]
        fn a_word_says_what_has_arrived(
            payload in 0..1u64 << 37, source in 0..256u32, slot in 0..64u32, is_long: bool, has: bool,
        ) {
            let arrived = Arrived { payload, source, tag: tag(slot, is_long, has) };
            let word = FORMAT.word(&arrived);
            prop_assert_eq!(FORMAT.of_word(word), Some(arrived));
        }
    }

    #[test]
    fn no_message_is_empty_and_a_basic_queue_is_none() {
        assert_eq!(FORMAT.of_word(EMPTY), None);
        let word = basic_word(300, 70_000, 5);
        assert_eq!((basic_ready(word), FORMAT.of_word(word)), (Some((300, 70_000 & 0xffff, 5)), None));
        assert_eq!(basic_ready(EMPTY), None);
    }
}
