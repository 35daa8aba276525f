//! What is built, from measurements and the system's claims.
//!
//! A measurement shows what can be used. A neighbour that is always there, or a host that gives only a part, looks the
//! same as a smaller cache, so no measurement alone proves what is built. A claim that the measurement confirms is
//! certain. A claim of more than was measured may be true, and the better the rest of the geometry agrees with it, the
//! higher its confidence; a claim of less is refuted.

/// The measurements of a level.
#[derive(Clone, Debug)]
pub struct Measured {
    pub bytes: f64,
    pub low: f64,
    pub high: f64,
    /// The confidence in the size as one that can be used.
    pub confidence: f64,
    /// The lines of a set that stay, and the confidence in their number.
    pub ways: Option<(f64, f64)>,
    /// Whether ways and sets give the size, and not the curve alone.
    pub is_counted: bool,
    pub rule: String,
}

/// The system's claims about a level.
#[derive(Clone, Debug, Default)]
pub struct Claimed {
    pub bytes: Option<f64>,
    pub ways: Option<f64>,
    /// The source of the claims.
    pub source: String,
}

/// A figure of the hardware as built.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub confidence: f64,
    pub rule: String,
}

/// Size and ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    pub bytes: Figure,
    pub ways: Option<Figure>,
}

/// Sizes that differ by at most this share are the same.
const SAME: f64 = 0.15;
/// The most confidence from measuring alone: see above.
pub const UNCLAIMED: f64 = 0.85;
/// The most if only the curve gives a size: another law may hold.
const BY_CURVE: f64 = 0.75;
/// A claim that measuring confirms, and one that it confirms except for a part that others hold.
const CONFIRMED: f64 = 0.97;
const HELD: f64 = 0.85;
/// A claim without other evidence. Readers that ask whether a value was measured require more.
pub const CLAIMED_ONLY: f64 = 0.5;

fn same(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() <= SAME
}

pub fn built(measured: &Measured, claimed: &Claimed) -> Built {
    Built { bytes: bytes(measured, claimed), ways: ways(measured, claimed) }
}

/// What ways and size together show of a claim of more than can be used.
enum Rest {
    /// As many sets as claimed, but fewer ways.
    Ways,
    /// As many ways as claimed, but fewer sets.
    Sets,
    Unknown,
}

fn rest(measured: &Measured, claimed_bytes: f64, claimed_ways: Option<f64>) -> Rest {
    let (Some((ways, sure)), Some(of)) = (measured.ways, claimed_ways) else { return Rest::Unknown };
    match () {
        () if sure < 0.5 => Rest::Unknown,
        () if ways < of && same(measured.bytes / ways, claimed_bytes / of) => Rest::Ways,
        () if ways == of && measured.bytes < claimed_bytes => Rest::Sets,
        () => Rest::Unknown,
    }
}

fn bytes(measured: &Measured, claimed: &Claimed) -> Figure {
    let source = &claimed.source;
    let most = if measured.is_counted { UNCLAIMED } else { BY_CURVE };
    let by_measuring = |confidence: f64, rule: String| Figure {
        value: measured.bytes,
        low: measured.low,
        high: measured.high,
        confidence: measured.confidence.min(confidence),
        rule,
    };
    let Some(claim) = claimed.bytes else {
        return by_measuring(
            most,
            format!(
                "{}; the system claims nothing, and what a neighbour holds all the time cannot be seen",
                measured.rule
            ),
        );
    };
    let by_claim = |confidence: f64, rule: String| Figure { value: claim, low: claim, high: claim, confidence, rule };
    let counts_differ = measured.ways.zip(claimed.ways).is_some_and(|((ways, sure), of)| sure >= 0.5 && ways > of);
    if same(measured.bytes, claim) && !counts_differ {
        let rule = format!("{source} claims it, and measuring agrees: {}", measured.rule);
        return by_claim(CONFIRMED.min(measured.confidence + 0.1), rule);
    }
    if measured.low > claim * (1.0 + SAME) || counts_differ {
        let rule = format!("{source} claims {claim}, which measuring refutes: {}", measured.rule);
        return by_measuring(most.min(0.7), rule);
    }
    let less = format!("{source} claims it; {:.0} bytes of it can be used", measured.bytes);
    match rest(measured, claim, claimed.ways) {
        Rest::Ways => by_claim(
            HELD.min(measured.confidence),
            format!("{less}, as many sets as claimed with fewer ways, so that somebody else holds the other ways"),
        ),
        Rest::Sets => by_claim(
            0.8f64.min(measured.confidence),
            format!(
                "{less}, as many ways as claimed of fewer sets, so that pages for this program lie in some of the sets"
            ),
        ),
        Rest::Unknown => by_claim(CLAIMED_ONLY, format!("{less}, and nothing that was measured speaks for the claim")),
    }
}

fn ways(measured: &Measured, claimed: &Claimed) -> Option<Figure> {
    let source = &claimed.source;
    let figure =
        |value: f64, confidence: f64, rule: String| Figure { value, low: value, high: value, confidence, rule };
    match (measured.ways, claimed.ways) {
        (None, None) => None,
        (Some((ways, sure)), None) => {
            let rule = "as many lines of a set as stay; the system claims nothing, and what a neighbour holds all the time cannot be seen";
            Some(figure(ways, sure.min(UNCLAIMED), rule.into()))
        }
        (None, Some(of)) => Some(figure(of, CLAIMED_ONLY, format!("{source} claims it; measuring could not tell"))),
        (Some((ways, sure)), Some(of)) if ways == of => {
            Some(figure(of, CONFIRMED.min(sure), format!("{source} claims it, and as many lines of a set stay")))
        }
        (Some((ways, sure)), Some(of)) if ways < of => {
            let fits = claimed.bytes.is_some_and(|bytes| matches!(rest(measured, bytes, Some(of)), Rest::Ways));
            let rule = format!("{source} claims it; {ways} lines of a set stay");
            Some(match fits {
                true => figure(
                    of,
                    HELD.min(sure),
                    format!("{rule}, in as many sets as claimed: somebody else holds the other ways"),
                ),
                false => figure(of, CLAIMED_ONLY, format!("{rule}, and nothing else speaks for the claim")),
            })
        }
        (Some((ways, sure)), Some(of)) => Some(figure(
            ways,
            sure.min(0.7),
            format!("{ways} lines of a set stay, more than the {of} that {source} claims"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: f64 = 1024.0;

    fn measured(kib: f64, ways: Option<f64>) -> Measured {
        let bytes = kib * KIB;
        Measured {
            bytes,
            low: 0.97 * bytes,
            high: 1.03 * bytes,
            confidence: 0.97,
            ways: ways.map(|w| (w, 0.97)),
            is_counted: true,
            rule: "counted".into(),
        }
    }

    fn claimed(kib: f64, ways: f64) -> Claimed {
        Claimed { bytes: Some(kib * KIB), ways: Some(ways), source: "sysfs".into() }
    }

    #[test]
    fn what_a_neighbour_holds_is_built_all_the_same() {
        let built = built(&measured(44.0, Some(11.0)), &claimed(48.0, 12.0));
        assert_eq!((built.bytes.value, built.ways.as_ref().unwrap().value), (48.0 * KIB, 12.0));
        let held = super::built(&measured(36.0, Some(9.0)), &claimed(48.0, 12.0));
        assert_eq!(held.bytes.value, 48.0 * KIB);
        assert!(held.bytes.confidence >= 0.8 && held.bytes.rule.contains("holds the other ways"), "{held:?}");
    }

    #[test]
    fn measuring_alone_is_not_sure_of_what_is_built() {
        let built = built(&measured(44.0, Some(11.0)), &Claimed::default());
        assert_eq!(built.bytes.value, 44.0 * KIB);
        assert!(built.bytes.confidence < 0.9 && built.ways.unwrap().confidence < 0.9);
    }

    #[test]
    fn a_claim_of_another_computer_is_not_believed() {
        let part = built(&measured(6144.0, None), &claimed(515_072.0, 16.0)).bytes;
        assert_eq!((part.value, part.confidence), (515_072.0 * KIB, CLAIMED_ONLY));
        let more = built(&measured(48.0, Some(12.0)), &claimed(32.0, 8.0));
        assert_eq!((more.bytes.value, more.ways.unwrap().value), (48.0 * KIB, 12.0));
        assert!(more.bytes.confidence < 0.9 && more.bytes.rule.contains("refutes"));
    }

    #[test]
    fn fewer_sets_of_as_many_ways_are_pages_of_some_colours() {
        let built = built(&measured(512.0, Some(16.0)), &claimed(2048.0, 16.0));
        assert!(built.bytes.value == 2048.0 * KIB && built.bytes.rule.contains("some of the sets"));
        assert_eq!(built.ways.unwrap().value, 16.0);
    }
}
