//! Getting arbitrary bytes through a front end that reads `str`, on a stack that deep nesting does not exhaust.

use crate::failure::{Failure, Result};
use std::path::Path;

/// Text for the front end.
pub struct Text {
    pub text: String,
    /// The bytes were no UTF-8: every byte became the character of the same number, and goes back to it in [`encode`].
    pub latin1: bool,
}

/// The front end counts bytes in 32 bits.
const MAX_BYTES: usize = u32::MAX as usize / 2;
/// Address space only: pages are used when nesting reaches them.
const STACK_BYTES: usize = 256 << 20;

pub fn decode(bytes: Vec<u8>, path: &Path) -> Result<Text> {
    if bytes.len() > MAX_BYTES {
        return Err(Failure::new(format!(
            "{} has {} MB after preprocessing; the front end takes {} MB at most",
            path.display(),
            bytes.len() / 1_000_000,
            MAX_BYTES / 1_000_000
        )));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Text { text, latin1: false },
        Err(e) => Text { text: e.into_bytes().iter().map(|&b| b as char).collect(), latin1: true },
    })
}

pub fn encode(c: String, latin1: bool) -> Vec<u8> {
    match latin1 {
        false => c.into_bytes(),
        true => c.chars().map(|c| u8::try_from(c as u32).unwrap_or(b'?')).collect(),
    }
}

/// Runs the front end on a stack of its own. A panic, which is a bug of ours, ends as an error about `path`.
pub fn on_deep_stack<T: Send>(path: &Path, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(s, work);
        let Ok(thread) = thread else { return Err(Failure::new("there is no memory for the front end's stack")) };
        thread.join().unwrap_or_else(|_| {
            Err(Failure::new(format!("the front end failed on {}: this is a bug in Fathom", path.display()))
                .hint("please report it with the file, or with what 'fathom cc -E' makes of it"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_whatever_their_encoding() {
        for bytes in [&b"plain"[..], "é €".as_bytes(), b"caf\xe9 \xff\x80"] {
            let Text { text, latin1 } = decode(bytes.to_vec(), Path::new("x")).unwrap();
            assert_eq!(encode(text, latin1), bytes);
        }
    }

    #[test]
    fn a_panic_is_an_error_about_the_file() {
        let result: Result<()> = on_deep_stack(Path::new("x.upc"), || panic!("on purpose"));
        assert!(result.unwrap_err().what.contains("x.upc"));
    }
}
