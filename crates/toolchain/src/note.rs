//! The note in an executable (`runtime/core/note.c`): the conduit and the MPI that it was linked with.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub conduit: String,
    /// The path of the compiler wrapper of the MPI that the program was linked with.
    pub wrapper: Option<PathBuf>,
}

const OWNER: &[u8] = b"Fathom\0";
/// A file with more program headers, or more bytes of notes, is not a program.
const MAX_HEADERS: usize = 4096;
const MAX_BYTES: usize = 1 << 20;

impl Note {
    /// None if the file is not an executable made by Fathom.
    pub fn of(program: &Path) -> Option<Note> {
        let file = File::open(program).ok()?;
        program_headers(&file)?.iter().filter(|h| u32_at(h, 0) == Some(PT_NOTE)).find_map(|h| {
            let notes = bytes(&file, u64_at(h, 8)?, u64_at(h, 32)? as usize)?;
            find(&notes, if u64_at(h, 48)? == 8 { 8 } else { 4 })
        })
    }
}

/// Bytes of the largest part that the kernel loads, static data among them; none if the file is not an executable.
pub fn largest_part_bytes(program: &Path) -> Option<u64> {
    let headers = program_headers(&File::open(program).ok()?)?;
    headers.iter().filter(|h| u32_at(h, 0) == Some(PT_LOAD)).filter_map(|h| u64_at(h, 40)).max()
}

const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;

/// The program headers of a 64-bit ELF file.
fn program_headers(file: &File) -> Option<Vec<Vec<u8>>> {
    let header = bytes(file, 0, 64)?;
    let elf64_little_endian = header.starts_with(b"\x7fELF\x02\x01");
    if !elf64_little_endian {
        return None;
    }
    let (start, size, count) = (u64_at(&header, 32)?, u16_at(&header, 54)? as usize, u16_at(&header, 56)? as usize);
    if size < 56 || count > MAX_HEADERS {
        return None;
    }
    Some(bytes(file, start, size * count)?.chunks(size).map(<[u8]>::to_vec).collect())
}

/// Fathom's note among those of a segment.
fn find(mut notes: &[u8], align: usize) -> Option<Note> {
    let round = |n: usize| n.checked_next_multiple_of(align);
    while notes.len() >= 12 {
        let (name_bytes, text_bytes) = (u32_at(notes, 0)? as usize, u32_at(notes, 4)? as usize);
        let text_at = round(12 + name_bytes)?;
        if notes.get(12..12 + name_bytes)? == OWNER {
            return parse(notes.get(text_at..text_at + text_bytes)?);
        }
        notes = notes.get(round(text_at + text_bytes)?..)?;
    }
    None
}

/// `smp`, or `mpi /usr/bin/mpicc.mpich`.
fn parse(text: &[u8]) -> Option<Note> {
    let text = std::str::from_utf8(text).ok()?.trim_end_matches('\0');
    let (conduit, wrapper) = text.split_once(' ').map_or((text, None), |(c, w)| (c, Some(w)));
    Some(Note { conduit: conduit.into(), wrapper: wrapper.map(PathBuf::from) })
}

fn bytes(file: &File, at: u64, count: usize) -> Option<Vec<u8>> {
    let mut buffer = vec![0; Some(count).filter(|&c| c <= MAX_BYTES)?];
    file.read_exact_at(&mut buffer, at).ok()?;
    Some(buffer)
}

fn u16_at(b: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(b.get(at..at + 2)?.try_into().ok()?))
}
fn u32_at(b: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(b.get(at..at + 4)?.try_into().ok()?))
}
fn u64_at(b: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(b.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &[u8], text: &[u8]) -> Vec<u8> {
        let mut out = vec![];
        for n in [name.len(), text.len(), 1] {
            out.extend((n as u32).to_le_bytes());
        }
        for part in [name, text] {
            out.extend(part);
            out.resize(out.len().next_multiple_of(4), 0);
        }
        out
    }

    #[test]
    fn the_note_is_found_among_others_and_damage_is_none() {
        let all = [note(b"GNU\0", b"12345678901234567890"), note(OWNER, b"mpi /usr/bin/mpicc.mpich\0")].concat();
        let found = find(&all, 4).unwrap();
        assert_eq!((found.conduit.as_str(), found.wrapper), ("mpi", Some("/usr/bin/mpicc.mpich".into())));
        assert_eq!(find(&note(OWNER, b"smp\0"), 4), Some(Note { conduit: "smp".into(), wrapper: None }));
        for cut in 1..all.len() {
            let whole = cut + 3 >= all.len(); // padding may be missing
            assert!(find(&all[..cut], 4).is_none() || whole, "{cut}");
        }
        assert_eq!(find(&[0xff; 40], 4), None);
    }

    #[test]
    fn a_file_that_fathom_has_not_made_has_none() {
        assert_eq!(Note::of(&std::env::current_exe().unwrap()), None);
        assert_eq!(Note::of(Path::new("/etc/passwd")), None);
        assert_eq!(Note::of(Path::new("/no/such/file")), None);
    }
}
