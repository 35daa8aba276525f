//! The note in an executable (`runtime/core/note.c`): the conduit and the MPI that it was linked with.

use object::elf::{FileHeader64, ProgramHeader64, PT_LOAD};
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader};
use object::{LittleEndian, ReadCache};
use std::fs::File;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub conduit: String,
    /// The path of the compiler wrapper of the MPI that the program was linked with.
    pub wrapper: Option<PathBuf>,
}

type Header = FileHeader64<LittleEndian>;

impl Note {
    /// None if the file is not an executable made by Fathom.
    pub fn of(program: &Path) -> Option<Note> {
        let file = ReadCache::new(File::open(program).ok()?);
        program_headers(&file)?.iter().find_map(|h| find(h.notes(LittleEndian, &file).ok()??))
    }
}

/// Bytes of the largest part that the kernel loads, static data among them; none if the file is not an executable.
pub fn largest_part_bytes(program: &Path) -> Option<u64> {
    let file = ReadCache::new(File::open(program).ok()?);
    let parts = program_headers(&file)?.iter().filter(|h| h.p_type(LittleEndian) == PT_LOAD);
    parts.map(|h| h.p_memsz(LittleEndian)).max()
}

/// The program headers of a 64-bit ELF file.
fn program_headers(file: &ReadCache<File>) -> Option<&[ProgramHeader64<LittleEndian>]> {
    let header = Header::parse(file).ok()?;
    header.program_headers(header.endian().ok()?, file).ok()
}

/// Fathom's note among those of a segment.
fn find(mut notes: NoteIterator<Header>) -> Option<Note> {
    while let Some(note) = notes.next().ok()? {
        if note.name() == b"Fathom" {
            return parse(note.desc());
        }
    }
    None
}

/// `smp`, or `mpi /usr/bin/mpicc.mpich`.
fn parse(text: &[u8]) -> Option<Note> {
    let text = std::str::from_utf8(text).ok()?.trim_end_matches('\0');
    let (conduit, wrapper) = text.split_once(' ').map_or((text, None), |(c, w)| (c, Some(w)));
    Some(Note { conduit: conduit.into(), wrapper: wrapper.map(PathBuf::from) })
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
        let all = [note(b"GNU\0", b"12345678901234567890"), note(b"Fathom\0", b"mpi /usr/bin/mpicc.mpich\0")].concat();
        let find = |notes: &[u8]| find(NoteIterator::new(LittleEndian, 4, notes).ok()?);
        let found = find(&all).unwrap();
        assert_eq!((found.conduit.as_str(), found.wrapper), ("mpi", Some("/usr/bin/mpicc.mpich".into())));
        assert_eq!(find(&note(b"Fathom\0", b"smp\0")), Some(Note { conduit: "smp".into(), wrapper: None }));
        for cut in 1..all.len() {
            let whole = cut + 3 >= all.len(); // padding may be missing
            assert!(find(&all[..cut]).is_none() || whole, "{cut}");
        }
        assert_eq!(find(&[0xff; 40]), None);
    }

    #[test]
    fn a_file_that_fathom_has_not_made_has_none() {
        assert_eq!(Note::of(&std::env::current_exe().unwrap()), None);
        assert_eq!(Note::of(Path::new("/etc/passwd")), None);
        assert_eq!(Note::of(Path::new("/no/such/file")), None);
    }
}
