//! Numbers in a trace: seven bits a byte, the lowest first; differences with their sign in the lowest bit.

/// Appends a number.
pub fn put(to: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        to.push(n as u8 | 0x80);
        n >>= 7;
    }
    to.push(n as u8);
}

/// Appends what must be added to `from` to have `n`.
pub fn put_step(to: &mut Vec<u8>, from: u64, n: u64) {
    let step = n.wrapping_sub(from) as i64;
    put(to, ((step << 1) ^ (step >> 63)) as u64);
}

pub fn put_text(to: &mut Vec<u8>, text: &str) {
    put(to, text.len() as u64);
    to.extend_from_slice(text.as_bytes());
}

/// Reads what the functions above have written. None: the bytes end too early, or are no such thing.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Reader { bytes, at }
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    }

    pub fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub fn step(&mut self, from: u64) -> Option<u64> {
        let n = self.number()?;
        Some(from.wrapping_add((n >> 1) ^ (n & 1).wrapping_neg()))
    }

    pub fn slice(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }

    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.slice()?.to_vec()).ok()
    }
}

/// The check at the end of a file: FNV-1a (Fowler, Noll and Vo) of all bytes before.
#[derive(Clone, Copy, Debug)]
pub struct Check(pub u64);

impl Default for Check {
    fn default() -> Self {
        Check(0xcbf2_9ce4_8422_2325)
    }
}

impl Check {
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        for from in numbers {
            for n in numbers {
                let mut bytes = vec![];
                put(&mut bytes, n);
                put_step(&mut bytes, from, n);
                put_text(&mut bytes, "a, b");
                let mut r = Reader::new(&bytes, 0);
                assert_eq!((r.number(), r.step(from), r.text().as_deref()), (Some(n), Some(n), Some("a, b")));
                assert!(r.is_at_end() && r.byte().is_none() && r.number().is_none());
            }
        }
        assert_eq!(Reader::new(&[0xff; 12], 0).number(), None);
    }
}
