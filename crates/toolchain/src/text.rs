//! Passes arbitrary bytes through a front end that reads `str`, on a stack that deep nesting does not exhaust.

use crate::failure::{Failure, Result};
use std::path::Path;

/// Text for the front end.
pub struct Text {
    pub text: String,
    /// The bytes were not UTF-8: every byte became the character of the same number, and [`encode`] reverses that.
    pub latin1: bool,
}

/// The front end counts bytes in 32 bits.
const MAX_BYTES: usize = u32::MAX as usize / 2;

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

/// Marks the lines that come from below `headers` as a system header's, so that a user's `-Wall -pedantic` concerns
/// only the user's code. (The preprocessor does not get the mark: in a system header `shared` would not be a keyword.)
pub fn hush_own_headers(c: &str, headers: &Path) -> String {
    let own = format!("\"{}/", headers.display());
    let mut out = String::with_capacity(c.len() + 1024);
    let mut done = 0;
    for (at, _) in c.match_indices(&own) {
        let line = c[..at].rfind('\n').map_or(0, |n| n + 1);
        let end = c[at..].find('\n').map_or(c.len(), |n| at + n);
        let marker = c[line..at].strip_prefix("# ").is_some_and(|n| n.trim_end().bytes().all(|b| b.is_ascii_digit()));
        let flagged = c[line..end].split(' ').next_back() == Some("3");
        if marker && !flagged {
            out += &c[done..end];
            out += " 3";
            done = end;
        }
    }
    out += &c[done..];
    out
}

/// Runs the front end on a stack of its own. A panic, which is a bug in Fathom, is reported as an error about `path`.
pub fn on_deep_stack<T: Send>(path: &Path, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let caught = || std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    fathom_syntax::on_deep_stack(caught).unwrap_or_else(|_| {
        Err(Failure::new(format!("the front end failed on {}: this is a bug in Fathom", path.display()))
            .hint("please report it with the file, or with the output of 'fathom cc -E'"))
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
    fn only_markers_of_own_headers_are_hushed() {
        let c = "# 1 \"/c/prelude.h\" 1\nint x;\n# 2 \"/c/a.h\" 1 3\n# 9 \"u.upc\" 2\nchar *s = \"/c/no\";\n# 4 \"/c/end.h\"";
        let hushed = "# 1 \"/c/prelude.h\" 1 3\nint x;\n# 2 \"/c/a.h\" 1 3\n# 9 \"u.upc\" 2\nchar *s = \"/c/no\";\n# 4 \"/c/end.h\" 3";
        assert_eq!(hush_own_headers(c, Path::new("/c")), hushed);
    }

    #[test]
    fn a_panic_is_an_error_about_the_file() {
        let result: Result<()> = on_deep_stack(Path::new("x.upc"), || panic!("on purpose"));
        assert!(result.unwrap_err().what.contains("x.upc"));
    }
}
