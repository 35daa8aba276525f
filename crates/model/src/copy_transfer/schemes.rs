//! The compositions that move data from a pattern on one node to a pattern on another with the machine's basic
//! transfers.
//!
//! A whole transfer sends (`S` by the processor, `F` by hardware), crosses the network, and receives (`R`, `D`). It may
//! gather into a buffer first and scatter from one at the end. *Buffer packing* makes both copies, whether needed or
//! not, as message-passing libraries do. *Chained* makes no copies: every word goes directly to its destination, with
//! its address unless both sides are contiguous. *Mixed* makes one of the copies.

use super::{evaluate, Composition, Deposit, Derivation, Kind, Machine, Pattern, Processors, Transfer};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    BufferPacking,
    /// As buffer packing, with the last copy made by the co-processor in parallel with the other stages.
    OverlappedPacking,
    Chained,
    Mixed,
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::BufferPacking => "buffer packing",
            Scheme::OverlappedPacking => "buffer packing, unpacked by the co-processor",
            Scheme::Chained => "chained",
            Scheme::Mixed => "mixed",
        })
    }
}

/// A composition, and its throughput.
#[derive(Clone, Debug)]
pub struct Ranked {
    pub scheme: Scheme,
    pub composition: Composition,
    pub derivation: Derivation,
}

/// Every composition that the machine can perform for `Q(from, to)`, fastest first.
pub fn rank(from: Pattern, to: Pattern, machine: &Machine, congestion: f64) -> Vec<Ranked> {
    let mut found: Vec<Ranked> = candidates(from, to, machine)
        .into_iter()
        .filter_map(|(scheme, composition)| {
            let derivation = evaluate(&composition, machine, congestion).ok()?;
            Some(Ranked { scheme, composition, derivation })
        })
        .collect();
    found.sort_by(|a, b| b.derivation.mb_s.total_cmp(&a.derivation.mb_s).then(a.scheme.cmp(&b.scheme)));
    found
}

fn candidates(from: Pattern, to: Pattern, machine: &Machine) -> Vec<(Scheme, Composition)> {
    let mut out = vec![];
    for send in [Kind::LoadSend, Kind::FetchSend] {
        for receive in [Kind::ReceiveStore, Kind::ReceiveDeposit] {
            for (packs, unpacks) in [(false, false), (true, false), (false, true), (true, true)] {
                let inner =
                    (if packs { Pattern::Contiguous } else { from }, if unpacks { Pattern::Contiguous } else { to });
                let Some(crossing) = crossing(send, receive, inner, machine) else { continue };
                let copy = |a, b| Composition::Basic(Transfer { kind: Kind::Copy, from: a, to: b });
                let mut stages = vec![];
                if packs {
                    stages.push(copy(from, Pattern::Contiguous));
                }
                stages.push(crossing);
                if packs && unpacks && machine.processors == Processors::WithCoProcessor {
                    let side_by_side = vec![Composition::Sequence(stages.clone()), copy(Pattern::Contiguous, to)];
                    out.push((Scheme::OverlappedPacking, Composition::Parallel(side_by_side)));
                }
                if unpacks {
                    stages.push(copy(Pattern::Contiguous, to));
                }
                let scheme = match (packs, unpacks) {
                    (true, true) => Scheme::BufferPacking,
                    (false, false) => Scheme::Chained,
                    _ => Scheme::Mixed,
                };
                let whole = if stages.len() == 1 { stages.remove(0) } else { Composition::Sequence(stages) };
                out.push((scheme, whole));
            }
        }
    }
    out
}

/// Sending, network and receiving in parallel. Unless both sides are contiguous an address travels with every word
/// (5.1.2, 5.1.4), which hardware that fetches blocks cannot add and hardware that deposits blocks cannot use.
fn crossing(send: Kind, receive: Kind, inner: (Pattern, Pattern), machine: &Machine) -> Option<Composition> {
    let (from, to) = inner;
    let bare = from == Pattern::Contiguous && to == Pattern::Contiguous;
    let blocks = send == Kind::FetchSend || (receive == Kind::ReceiveDeposit && machine.deposit == Deposit::Blocks);
    if !bare && blocks {
        return None;
    }
    let network = if bare { Kind::NetworkData } else { Kind::NetworkAddresses };
    Some(Composition::Parallel(vec![
        Composition::Basic(Transfer { kind: send, from, to: Pattern::Fixed }),
        Composition::Basic(Transfer::network(network)),
        Composition::Basic(Transfer { kind: receive, from: Pattern::Fixed, to }),
    ]))
}
