//! Names that somebody may have meant.

/// In how many letters two names differ, if they are alike: letters are missing, added, exchanged, or of the other case (which
/// does not count), and one in three of them at most, on each side of a dot.
fn difference(name: &str, other: &str) -> Option<usize> {
    let (parts, others): (Vec<&str>, Vec<&str>) = (name.split('.').collect(), other.split('.').collect());
    let of = |(part, other): (&&str, &&str)| {
        let letters = part.chars().count().max(other.chars().count());
        let far = strsim::damerau_levenshtein(&part.to_lowercase(), &other.to_lowercase());
        (far * 3 <= letters).then_some(far)
    };
    (parts.len() == others.len()).then(|| parts.iter().zip(&others).map(of).sum())?
}

/// The name among `known` that is most like `name`, if one is like it.
pub fn similar<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let alike = known.into_iter().filter(|other| *other != name).filter_map(|o| Some((difference(name, o)?, o)));
    alike.min_by_key(|(far, _)| *far).map(|(_, other)| other)
}

/// The end of a message about `name`, which is none of those that are `known`: "; did you mean `…`?", or nothing.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    similar(name, known).map_or_else(String::new, |like| format!("; did you mean `{like}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_slip_are_found_and_others_are_not() {
        let known = ["network.L", "network.o_send", "network.o_recv", "buffer.depth", "near.put"];
        for (name, like) in [
            ("network.l", Some("network.L")),
            ("netwrok.o_send", Some("network.o_send")),
            ("network.osend", Some("network.o_send")),
            ("bufer.deph", Some("buffer.depth")),
            ("cache.size", None),
            ("network.G", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(similar(name, known), like, "{name}");
        }
        assert_eq!(similar("l", ["L", "o"]), Some("L"));
        assert_eq!(did_you_mean("near.putt", known), "; did you mean `near.put`?");
        assert_eq!(did_you_mean("speed", known), "");
    }
}
