//! Text in markup: code between backticks, links and their anchors, names cut short.

use maud::{html, Markup};

/// A text in which what stands between `backticks` is set as code.
pub fn inline(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    html! {
        @for (i, piece) in pieces.iter().enumerate() {
            @match (i % 2 == 1, i + 1 < pieces.len()) {
                (true, true) => code { (piece) },
                (true, false) => { "`" (piece) }
                (false, _) => (piece),
            }
        }
    }
}

/// A link to an anchor of the page.
pub fn link(anchor: &str, text: &str) -> Markup {
    html! { a href={ "#" (anchor) } { (inline(text)) } }
}

/// A sentence under the title of a picture; nothing if it is empty.
pub fn note_line(text: &str) -> Markup {
    html! { @if !text.is_empty() { p.note-line { (inline(text)) } } }
}

/// A place in a picture: a share of its width or height.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}

/// A name for an anchor, made of letters, digits and dashes: `memory.l1d.bytes` becomes `memory-l1d-bytes`. Different
/// texts may have the same; a slug is its own.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().take(80) {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    let letter = out.starts_with(|c: char| c.is_ascii_alphabetic());
    format!("{}{out}", if letter { "" } else { "p" })
}

/// The beginning of a text that is too long for a picture.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stands_between_backticks() {
        assert_eq!(inline("a `b<c` d").into_string(), "a <code>b&lt;c</code> d");
        assert_eq!(inline("a `b").into_string(), "a `b");
    }

    #[test]
    fn a_slug_is_an_anchor() {
        assert_eq!(slug("memory.l1d (bytes)!"), "memory-l1d-bytes");
        assert_eq!(slug("<>"), "p");
        assert_eq!(slug("3 in flight"), "p3-in-flight");
        assert_eq!(slug(&slug("3 in flight")), "p3-in-flight");
    }
}
