//! A machine as the model sees it: a table of measured throughputs, and the bandwidths that stages share. The lookup of
//! a transfer in the table is in `figures`.

use super::{notation, Kind, Transfer};
use crate::answer::number;
use crate::Listed;
use serde::{Deserialize, Serialize};

/// The table of a machine, as it appears in a machine file under `[copy_transfer]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The congestion of the machine in normal use: the demand on a link divided by its capacity.
    pub congestion: f64,
    /// Whether a second processor can serve a transfer while the first works.
    #[serde(default)]
    pub processors: Processors,
    /// The patterns that the depositing hardware (`D`) can write.
    #[serde(default)]
    pub deposit: Deposit,
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// Transfers that were measured with blocks of several sizes, in caches and beyond.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_size: Vec<SizedFigures>,
    /// The size of the block, bytes of payload; None: the largest that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<f64>,
    /// A line of the cache, bytes; None: that of most machines (see `strides`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_bytes: Option<f64>,
    #[serde(default)]
    pub network: Vec<NetworkFigures>,
    /// The time of a transfer of a kind before its first byte moves, if it is known. The study's machines have none,
    /// because it treats large transfers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<Start>,
    #[serde(default)]
    pub limits: Vec<Limit>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Processors {
    /// Two stages that need the processor follow each other.
    #[default]
    One,
    /// A co-processor may receive while the processor computes and sends.
    WithCoProcessor,
    /// Data go from one processor to another, which only receives: one sends while the other receives.
    Each,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deposit {
    /// Words, each to the address that comes with it.
    #[default]
    Words,
    /// Contiguous blocks only.
    Blocks,
}

/// The throughput of one basic transfer, over large blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// In the notation: `1C64`, `wS0`, `0D1`.
    pub transfer: String,
    /// Payload.
    pub mb_s: f64,
    pub source: String,
}

/// The throughput of one basic transfer by the size of a block that is moved repeatedly: a block that fits in a cache
/// is found there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizedFigures {
    pub transfer: String,
    /// By increasing size.
    pub points: Vec<SizePoint>,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizePoint {
    /// Payload of a block.
    pub bytes: f64,
    pub mb_s: f64,
}

/// The throughput of a network term by congestion.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkFigures {
    /// `Nd` or `Nadp`.
    pub transfer: String,
    pub points: Vec<CongestionPoint>,
    pub source: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CongestionPoint {
    pub congestion: f64,
    pub mb_s: f64,
}

/// The start of every transfer of a kind: if it is part of a composition, the time of a block is the start plus bytes /
/// throughput.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Its letters: `R`, `Nd`.
    pub kind: String,
    pub ns: f64,
    pub source: String,
}

/// A bandwidth that all stages of a transfer share: `times` x the throughput of the whole is at most `mb_s`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// What it limits, in words: "memory stores".
    pub what: String,
    pub times: f64,
    pub mb_s: f64,
    pub source: String,
}

impl Machine {
    /// Checks that the entries are in the notation, are positive, and occur once.
    ///
    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        let mut seen: Vec<Transfer> = vec![];
        let mut entry = |text: &str, network: bool| -> Result<(), String> {
            let t = transfer_of(text)?;
            if t.kind.is_network() != network {
                return Err(format!("`{text}` belongs under `{}`", if network { "figures" } else { "network" }));
            }
            if seen.contains(&t) {
                return Err(format!("`{text}` occurs twice"));
            }
            seen.push(t);
            Ok(())
        };
        let positive = |what: &str, x: f64| {
            if x > 0.0 && x.is_finite() {
                Ok(())
            } else {
                Err(format!("{what} is {x}; it must be above 0"))
            }
        };
        positive("congestion", self.congestion)?;
        for f in &self.figures {
            entry(&f.transfer, false)?;
            positive(&format!("mb_s of `{}`", f.transfer), f.mb_s)?;
        }
        for f in &self.by_size {
            entry(&f.transfer, false)?;
            if f.points.is_empty() || f.points.windows(2).any(|w| w[0].bytes >= w[1].bytes) {
                return Err(format!("the points of `{}` by size must have increasing sizes", f.transfer));
            }
            for p in &f.points {
                positive(&format!("bytes of `{}`", f.transfer), p.bytes)?;
                positive(&format!("mb_s of `{}`", f.transfer), p.mb_s)?;
            }
        }
        if let Some(bytes) = self.block_bytes {
            positive("block_bytes", bytes)?;
        }
        for n in &self.network {
            entry(&n.transfer, true)?;
            if n.points.is_empty() {
                return Err(format!("`{}` has no points", n.transfer));
            }
            for p in &n.points {
                positive(&format!("congestion of `{}`", n.transfer), p.congestion)?;
                positive(&format!("mb_s of `{}`", n.transfer), p.mb_s)?;
            }
        }
        if let Some(bytes) = self.line_bytes {
            positive("line_bytes", bytes)?;
        }
        for (i, s) in self.starts.iter().enumerate() {
            positive(&format!("ns of the start of `{}`", s.kind), s.ns)?;
            let kind = kind_of(&s.kind)
                .ok_or_else(|| format!("a start belongs to C, S, F, R, D, Nd or Nadp, not to `{}`", s.kind))?;
            if self.starts[..i].iter().any(|other| kind_of(&other.kind) == Some(kind)) {
                return Err(format!("the start of `{}` occurs twice", s.kind));
            }
        }
        for l in &self.limits {
            positive(&format!("times of the limit of {}", l.what), l.times)?;
            positive(&format!("mb_s of the limit of {}", l.what), l.mb_s)?;
        }
        Ok(())
    }

    /// The transfers with a figure, without the network's.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let sized = self.by_size.iter().map(|f| f.transfer.as_str());
        self.figures.iter().map(|f| f.transfer.as_str()).chain(sized)
    }

    /// Changes a figure, or adds one: a basic transfer at all sizes of blocks, a network term at a congestion (`Nd@2`), or a
    /// limit on a multiple of the whole (`2Q`), or a kind's start in ns (`R.start`). Returns the old value.
    ///
    /// # Errors
    /// A sentence: the name is not one of these, or the value is not above 0.
    pub fn set(&mut self, name: &str, mb_s: f64) -> Result<Option<f64>, String> {
        if !(mb_s > 0.0 && mb_s.is_finite()) {
            return Err(format!("a throughput or a start must be above 0, not {mb_s}"));
        }
        let source = "set by you".to_string();
        if let Some(kind) = name.strip_suffix(".start").and_then(kind_of) {
            let start = Start { kind: kind.letters().into(), ns: mb_s, source };
            return Ok(match self.starts.iter_mut().find(|s| kind_of(&s.kind) == Some(kind)) {
                Some(old) => Some(std::mem::replace(old, start).ns),
                None => {
                    self.starts.push(start);
                    None
                }
            });
        }
        if let Some(times) = name.strip_suffix('Q').and_then(|n| n.parse::<u32>().ok()).filter(|n| *n > 0) {
            let (what, times) = ("shared bandwidth".to_string(), f64::from(times));
            self.limits.push(Limit { what, times, mb_s, source });
            return Ok(None);
        }
        let (text, congestion) = match name.split_once('@') {
            Some((text, congestion)) => (text, Some(congestion)),
            None => (name, None),
        };
        let t = transfer_of(text)
            .map_err(|e| format!("there is no figure `{name}`, and it is not a basic transfer: {e}"))?;
        match (t.kind.is_network(), congestion) {
            (true, None) => Err(format!("the network's throughput depends on the congestion: write {t}@2={mb_s}")),
            (false, Some(_)) => Err(format!("only Nd and Nadp depend on the congestion, `{t}` does not")),
            (true, Some(c)) => {
                let congestion = (c.parse::<f64>().ok().filter(|c| *c > 0.0 && c.is_finite()))
                    .ok_or_else(|| format!("`{c}` is not a valid congestion: give a number above 0"))?;
                let point = CongestionPoint { congestion, mb_s };
                let Some(entry) = self.network.iter_mut().find(|n| transfer_of(&n.transfer) == Ok(t)) else {
                    self.network.push(NetworkFigures { transfer: t.to_string(), points: vec![point], source });
                    return Ok(None);
                };
                entry.source = format!("{}, changed by you", entry.source.trim_end_matches(", changed by you"));
                match entry.points.iter_mut().find(|p| p.congestion == congestion) {
                    Some(old) => Ok(Some(std::mem::replace(old, point).mb_s)),
                    None => {
                        entry.points.push(point);
                        Ok(None)
                    }
                }
            }
            (false, None) => match self.figures.iter_mut().find(|f| transfer_of(&f.transfer) == Ok(t)) {
                Some(old) => {
                    old.source = source;
                    Ok(Some(std::mem::replace(&mut old.mb_s, mb_s)))
                }
                None => {
                    let before = self.own(t, self.block_bytes).map(|found| found.mb_s);
                    self.by_size.retain(|f| transfer_of(&f.transfer) != Ok(t));
                    self.figures.push(Figure { transfer: t.to_string(), mb_s, source });
                    Ok(before)
                }
            },
        }
    }

    /// Every figure, with its source.
    pub fn list(&self) -> Vec<Listed> {
        let mb_s = |x: f64| format!("{} MB/s", number(x));
        let mut out: Vec<Listed> =
            self.figures.iter().map(|f| Listed::new(&f.transfer, mb_s(f.mb_s), &f.source)).collect();
        for f in &self.by_size {
            let what = |p: &SizePoint| format!("{}, blocks of {} bytes", f.transfer, number(p.bytes));
            out.extend(f.points.iter().map(|p| Listed::new(what(p), mb_s(p.mb_s), &f.source)));
        }
        for n in &self.network {
            let points = n.points.iter();
            out.extend(
                points.map(|p| Listed::new(format!("{}@{}", n.transfer, p.congestion), mb_s(p.mb_s), &n.source)),
            );
        }
        let starts = self.starts.iter();
        out.extend(starts.map(|s| Listed::new(format!("{}.start", s.kind), format!("{} ns", number(s.ns)), &s.source)));
        let limits = self.limits.iter();
        out.extend(
            limits.map(|l| Listed::new(format!("{}Q, {}", l.times, l.what), format!("<= {}", mb_s(l.mb_s)), &l.source)),
        );
        out
    }

    /// The congestions at which a network term is known.
    pub fn congestions(&self, t: Transfer) -> Vec<f64> {
        let entry = self.network.iter().find(|n| transfer_of(&n.transfer) == Ok(t));
        entry.map(|n| n.points.iter().map(|p| p.congestion).collect()).unwrap_or_default()
    }

    /// Does the machine have this kind of transfer at all?
    pub fn has(&self, kind: Kind) -> bool {
        let known = |text: &str| transfer_of(text).is_ok_and(|t| t.kind == kind);
        self.names().any(known) || self.network.iter().any(|n| known(&n.transfer))
    }
}

pub(super) fn transfer_of(text: &str) -> Result<Transfer, String> {
    match notation::parse(text) {
        Ok(super::Composition::Basic(t)) => Ok(t),
        Ok(_) => Err(format!("`{text}` is a composition, not a basic transfer")),
        Err(e) => Err(format!("`{text}`: {e}")),
    }
}

/// A kind by its letters.
pub(super) fn kind_of(letters: &str) -> Option<Kind> {
    use Kind::{Copy, FetchSend, LoadSend, NetworkAddresses, NetworkData, ReceiveDeposit, ReceiveStore};
    let all = [Copy, LoadSend, FetchSend, ReceiveStore, ReceiveDeposit, NetworkData, NetworkAddresses];
    all.into_iter().find(|k| k.letters() == letters)
}
