//! The interconnect cache of a hypernode: copies of lines whose memory is in other hypernodes. It is direct-mapped,
//! lies in the hypernode's memory, and answers in that memory's time (SPP-1000 study, section 4.1). What it does when
//! it has no copy is part `rings`' business.

use crate::description::Wanted;

pub struct InterconnectCache {
    shift: u32,
    sets: u64,
    /// For each set the line's number divided by that of the sets, and 1; 0 for none. They come in pieces when they are
    /// written: the sizes are those of main memories, of which most programs use little.
    pieces: Vec<Option<Box<[u32; PIECE]>>>,
}

const PIECE: usize = 1024;

/// The size of a line, and of the cache.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub line: u64,
    pub bytes: u64,
}

impl Sizes {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        let line = figures.power_of_two("line", figures.bytes("line")?)?;
        let bytes = figures.power_of_two("size", figures.cache_bytes("size", line)?)?;
        match bytes >= line {
            true => Ok(Sizes { line, bytes }),
            false => Err("the size is less than a line".into()),
        }
    }
}

impl InterconnectCache {
    pub fn new(sizes: Sizes) -> Self {
        let sets = sizes.bytes / sizes.line;
        let pieces = vec![None; (sets as usize).div_ceil(PIECE)];
        InterconnectCache { shift: sizes.line.trailing_zeros(), sets, pieces }
    }

    fn set(&self, at: u64) -> (usize, u32) {
        let line = at >> self.shift;
        ((line & (self.sets - 1)) as usize, (line / self.sets) as u32 + 1)
    }

    pub fn has(&self, at: u64) -> bool {
        let (set, tag) = self.set(at);
        self.pieces[set / PIECE].as_ref().is_some_and(|piece| piece[set % PIECE] == tag)
    }

    fn tag(&mut self, set: usize) -> &mut u32 {
        &mut self.pieces[set / PIECE].get_or_insert_with(|| Box::new([0; PIECE]))[set % PIECE]
    }

    /// Takes a line; the address of the one that it displaces.
    pub fn put(&mut self, at: u64) -> Option<u64> {
        let (set, tag) = self.set(at);
        let before = std::mem::replace(self.tag(set), tag);
        let line = |tag: u32| (u64::from(tag) - 1) * self.sets + set as u64;
        (before != 0 && before != tag).then(|| line(before) << self.shift)
    }

    pub fn drop_line(&mut self, at: u64) {
        if self.has(at) {
            let (set, _) = self.set(at);
            *self.tag(set) = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_direct_mapped() {
        let mut cache = InterconnectCache::new(Sizes { line: 64, bytes: 1024 });
        assert_eq!([cache.put(64), cache.put(127), cache.put(128)], [None; 3]);
        assert!(cache.has(100) && !cache.has(64 + 1024) && !cache.has(0));
        assert_eq!(cache.put(5 * 1024 + 70), Some(64));
        assert!(!cache.has(64));
        assert_eq!(cache.put(64), Some(5 * 1024 + 64));
        cache.drop_line(5 * 1024 + 64);
        assert!(cache.has(64), "another line's end drops nothing");
        cache.drop_line(64);
        assert!(!cache.has(64));
    }
}
