//! The addresses that a chase visits, in order: those of `runtime/probe/memory.c`.

use fathom_probe::Stimulus;

/// The addresses of one lap. Every machine and every run has the same.
pub fn of(stimulus: &Stimulus) -> Vec<u64> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let (bytes, stride) = (number("bytes", 0), number("stride", 64).max(8));
    let (jitter, pair, skip) = (number("jitter", 0), number("pair", 0), number("skip", 0));
    // A pair needs both of its places: the bit of a place that a pair differs by.
    let bit = if pair >= stride { pair / stride } else { 0 };
    let all = (bytes / stride).max(1);
    let places = if bit > 0 { all - all % (2 * bit) } else { all };
    let piece = (number("within", 4096) / stride).max(1);
    let mut random = fastrand::Rng::with_seed(7);
    let mut walk = vec![];
    for place in in_order(places, stimulus.chosen("order").unwrap_or("random"), piece, &mut random) {
        if place & bit != 0 {
            continue;
        }
        let moved = if jitter > 0 && stride > jitter { jitter * random.u64(..stride / jitter) } else { 0 };
        let address = skip + place * stride + moved;
        if pair > 0 {
            walk.push(address + pair);
        }
        walk.push(address);
    }
    walk
}

/// The places 0 to `n` - 1 in an order; `piece` neighbours belong together.
fn in_order(n: u64, order: &str, piece: u64, random: &mut fastrand::Rng) -> Vec<u64> {
    let mut places: Vec<u64> = (0..n).collect();
    match order {
        "random" => random.shuffle(&mut places),
        "reverse" => places.reverse(),
        "local" | "runs" => {
            let mut pieces: Vec<u64> = (0..n.div_ceil(piece)).collect();
            random.shuffle(&mut pieces);
            places.clear();
            for first in pieces.into_iter().map(|p| p * piece) {
                let from = places.len();
                places.extend(first..(first + piece).min(n));
                if order == "local" {
                    random.shuffle(&mut places[from..]);
                }
            }
        }
        // In each turn another place of every piece: no piece comes again before all others.
        "pages" => {
            let mut pieces: Vec<u64> = (0..n.div_ceil(piece)).collect();
            let mut inside: Vec<u64> = (0..piece).collect();
            random.shuffle(&mut pieces);
            random.shuffle(&mut inside);
            let turns = (0..piece as usize).flat_map(|turn| pieces.iter().enumerate().map(move |(i, p)| (turn + i, p)));
            places = turns.map(|(k, p)| p * piece + inside[k % piece as usize]).filter(|p| *p < n).collect();
        }
        _ => {}
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_probe::Kernel;

    #[test]
    fn every_order_visits_every_place_once() {
        for order in ["random", "reverse", "local", "runs", "pages", "linear"] {
            let chase = Stimulus::new(Kernel::Chase).with("bytes", 40_000).with("stride", 64).word("order", order);
            let mut walk = of(&chase);
            walk.sort_unstable();
            assert_eq!(walk, (0..625).map(|i| i * 64).collect::<Vec<u64>>(), "{order}");
        }
    }

    #[test]
    fn a_pair_is_two_addresses_one_after_the_other() {
        let chase = Stimulus::new(Kernel::Chase).with("bytes", 4096).with("stride", 64).with("pair", 256);
        let walk = of(&chase);
        assert_eq!(walk.len(), 64);
        assert!(walk.chunks(2).all(|two| two[0] == two[1] + 256 && two[1] & 256 == 0), "{walk:?}");
    }
}
