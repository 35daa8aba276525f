//! Foreign text in HTML: every string that a caller gives passes through here.

/// Text for an element or a quoted attribute. Characters that HTML does not allow become U+FFFD, as do marks that would
/// change the direction of the following text.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c) => {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}

/// The same, with text between `backticks` set as code.
pub fn inline(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let mut out = String::new();
    for (i, piece) in pieces.iter().enumerate() {
        let closed = i + 1 < pieces.len();
        match (i % 2 == 1, closed) {
            (true, true) => out.push_str(&format!("<code>{}</code>", escape(piece))),
            (true, false) => out.push_str(&format!("`{}", escape(piece))),
            (false, _) => out.push_str(&escape(piece)),
        }
    }
    out
}

/// A name for an anchor, made of letters, digits and dashes: `memory.l1d.bytes` becomes `memory-l1d-bytes`. Different
/// texts may have the same slug; the slug of a slug is itself.
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
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escape("<script>a('\"&\u{0}\u{202e}')"), "&lt;script&gt;a(&#39;&quot;&amp;\u{fffd}\u{fffd}&#39;)");
    }

    #[test]
    fn code_stands_between_backticks() {
        assert_eq!(inline("a `b<c` d"), "a <code>b&lt;c</code> d");
        assert_eq!(inline("a `b"), "a `b");
    }

    #[test]
    fn a_slug_is_an_anchor() {
        assert_eq!(slug("memory.l1d (bytes)!"), "memory-l1d-bytes");
        assert_eq!(slug("<>"), "p");
        assert_eq!(slug("3 in flight"), "p3-in-flight");
        assert_eq!(slug(&slug("3 in flight")), "p3-in-flight");
    }
}
