//! What the library and the broker say to each other: `runtime/msg/broker_wire.h` in Rust, where the kinds are described.
//! Every packet has the same size, so that there is no half of one.

pub const BYTES: usize = 392;
pub const MAGIC: u32 = 0x6b72_6266;
pub const PROTOCOL: u32 = 1;
pub const NAME: usize = 64;
pub const TEXT: usize = 256;
/// Descriptors that a packet brings at most.
pub const FDS: usize = 4;

macro_rules! kinds {
    ($($kind:ident = $number:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub enum Kind { $($kind = $number),* }

        impl Kind {
            fn of(number: u16) -> Option<Self> {
                match number { $($number => Some(Self::$kind),)* _ => None }
            }
        }
    };
}
kinds! {
    Hello = 1, Welcome = 2, Refused = 3, Register = 4, Registered = 5, Withdraw = 6, Open = 7, Opening = 8, Wanted = 9,
    Offer = 10, Accept = 11, Done = 12, Gone = 13, Retired = 14, Report = 15, Sample = 16, List = 17, Entry = 18, End = 19,
}

/// From server to client.
pub const BACK: u16 = 1;
/// The client has an inbox.
pub const ANSWERS: u16 = 2;
/// From the server's end.
pub const SERVER: u16 = 4;
/// `Entry`: a lane, not a queue.
pub const LANE: u16 = 8;
/// `Entry`: neither end has reported how full the lane is.
pub const UNKNOWN: u16 = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    pub kind: Kind,
    pub flags: u16,
    pub channel: u64,
    pub request: u32,
    pub source: u32,
    pub uid: u32,
    pub gid: u32,
    pub pid: u32,
    pub number: [u64; 4],
    pub name: [u8; NAME],
    pub text: [u8; TEXT],
}

impl Packet {
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            flags: 0,
            channel: 0,
            request: 0,
            source: 0,
            uid: 0,
            gid: 0,
            pid: 0,
            number: [0; 4],
            name: [0; NAME],
            text: [0; TEXT],
        }
    }

    pub fn with_name(mut self, name: &str) -> Self {
        put(&mut self.name, name);
        self
    }

    pub fn with_text(mut self, text: &str) -> Self {
        put(&mut self.text, text);
        self
    }

    pub fn encode(&self) -> [u8; BYTES] {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend(MAGIC.to_ne_bytes());
        bytes.extend((self.kind as u16).to_ne_bytes());
        bytes.extend(self.flags.to_ne_bytes());
        bytes.extend(self.channel.to_ne_bytes());
        for word in [self.request, self.source, self.uid, self.gid, self.pid, 0] {
            bytes.extend(word.to_ne_bytes());
        }
        for number in self.number {
            bytes.extend(number.to_ne_bytes());
        }
        bytes.extend(self.name);
        bytes.extend(self.text);
        let mut whole = [0; BYTES];
        whole.copy_from_slice(&bytes);
        whole
    }

    /// What is wrong with it is for the broker's log and the sender.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() != BYTES {
            return Err(format!("a packet of {} bytes instead of {BYTES}", bytes.len()));
        }
        let word = |at: usize| u32::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let half = |at: usize| u16::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let long = |at: usize| u64::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        if word(0) != MAGIC {
            return Err("a packet that is none of the broker's protocol".into());
        }
        let kind = Kind::of(half(4)).ok_or_else(|| format!("a packet of the unknown kind {}", half(4)))?;
        Ok(Self {
            kind,
            flags: half(6),
            channel: long(8),
            request: word(16),
            source: word(20),
            uid: word(24),
            gid: word(28),
            pid: word(32),
            number: std::array::from_fn(|i| long(40 + 8 * i)),
            name: std::array::from_fn(|i| bytes[72 + i]),
            text: std::array::from_fn(|i| bytes[72 + NAME + i]),
        })
    }

    pub fn name(&self) -> String {
        until_zero(&self.name)
    }

    pub fn text(&self) -> String {
        until_zero(&self.text)
    }
}

/// As much as fits with a zero behind it, in whole characters.
fn put(field: &mut [u8], text: &str) {
    let mut length = text.len().min(field.len() - 1);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    field.fill(0);
    field[..length].copy_from_slice(&text.as_bytes()[..length]);
}

fn until_zero(field: &[u8]) -> String {
    let end = field.iter().position(|b| *b == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

/// 1 to 63 letters, digits, and `. _ - /`.
pub fn is_name(name: &str) -> bool {
    let good = |b: u8| b.is_ascii_alphanumeric() || b"._-/".contains(&b);
    (1..NAME).contains(&name.len()) && name.bytes().all(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_comes_back_as_it_went() {
        let mut p = Packet::new(Kind::Wanted).with_name("sums").with_text(&"é".repeat(200));
        (p.flags, p.channel, p.request, p.source, p.uid, p.gid, p.pid) = (3, 1 << 60, 7, 8, 9, 10, 11);
        p.number = [1, 2, 3, u64::MAX];
        assert_eq!(Packet::decode(&p.encode()), Ok(p.clone()));
        assert_eq!(p.text(), "é".repeat(127), "cut between characters");
    }

    #[test]
    fn what_is_no_packet_is_refused_with_a_reason() {
        let good = Packet::new(Kind::Hello).encode();
        assert!(Packet::decode(&good[1..]).unwrap_err().contains("391 bytes"));
        assert!(Packet::decode(&[0; BYTES]).unwrap_err().contains("none of the broker's"));
        let mut unknown = good;
        unknown[4] = 99;
        assert!(Packet::decode(&unknown).unwrap_err().contains("unknown kind 99"));
    }

    #[test]
    fn the_header_of_the_library_has_the_same_numbers() {
        let header = include_str!("../../../runtime/msg/broker_wire.h");
        for (index, name) in [
            "HELLO",
            "WELCOME",
            "REFUSED",
            "REGISTER",
            "REGISTERED",
            "WITHDRAW",
            "OPEN",
            "OPENING",
            "WANTED",
            "OFFER",
            "ACCEPT",
            "DONE",
            "GONE",
            "RETIRED",
            "REPORT",
            "SAMPLE",
            "LIST",
            "ENTRY",
            "END",
        ]
        .iter()
        .enumerate()
        {
            let position = header.lines().filter(|l| l.trim_start().starts_with("MSG_P_")).nth(index);
            assert!(position.is_some_and(|l| l.trim().starts_with(&format!("MSG_P_{name}"))), "{name}: {position:?}");
            assert!(Kind::of(index as u16 + 1).is_some_and(|k| format!("{k:?}").to_uppercase() == *name));
        }
        for (name, value) in [("BACK", BACK), ("ANSWERS", ANSWERS), ("SERVER", SERVER)] {
            assert!(header.contains(&format!("MSG_F_{name} = {value}")), "{name}");
        }
        assert!(header.contains(&format!("MSG_PACKET_MAGIC {MAGIC:#x}u")));
        let public = include_str!("../../../runtime/include/msg_broker.h");
        assert!(public.contains(&format!("MSG_BROKER_PROTOCOL = {PROTOCOL}")));
    }
}
