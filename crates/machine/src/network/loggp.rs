//! LogGP: latency, overheads and gaps by the size of a message, and contention at the ends only.
//!
//! A message of n bytes leaves its sender a byte every `G`, and spends `L` on the way. A port sends or receives the next
//! message `g` after the last byte of the one before. The overheads are the caller's: a message that a processor begins
//! to send at t is given to the network at t + o_send, and is received at tail + o_recv.
//!
//! Puts and gets that are begun one after the other and waited for later can have an overhead and a gap of their own
//! ([`Stream`]): software that carries them over messages puts several into one.
//!
//! Parameters are piecewise constant: a piece holds for messages from its size on. Sources: Culler et al., LogP (1993);
//! Alexandrov et al., LogGP (1995). With one piece the times are those of `fathom model`.

use super::{Carries, Flight, Stream, Streamed, REQUEST};
use crate::contention::Ports;
use crate::Time;

/// The parameters for messages of `from` bytes and more.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub from: u64,
    pub latency: Time,
    pub o_send: Time,
    pub o_recv: Time,
    /// From the last byte of a message to the first of the next, at either end.
    pub gap: Time,
    /// The time between two bytes, in picoseconds.
    pub gap_per_byte: f64,
}

impl Piece {
    /// From the first byte of a message to its last.
    fn rest(&self, bytes: u64) -> Time {
        (bytes.saturating_sub(1) as f64 * self.gap_per_byte).round() as Time
    }
}

#[derive(Clone, Debug)]
pub struct LogGp {
    /// In the order of sizes; the first from 0 on.
    pieces: Vec<Piece>,
    /// As [`Streamed::ALL`].
    streams: [Option<Stream>; 3],
    share: u32,
    out: Ports,
    into: Ports,
    /// For each node its port as sender and as receiver, if there were no messages but its own.
    alone: [Ports; 2],
}

impl LogGp {
    /// `ports`, each shared by `share` nodes.
    ///
    /// # Errors
    /// There is no piece from 0 on, or the sizes do not rise.
    pub fn new(pieces: Vec<Piece>, ports: u32, share: u32) -> Result<Self, String> {
        if pieces.first().is_none_or(|p| p.from != 0) {
            return Err("the first piece must hold from 0 bytes on".into());
        }
        if !pieces.windows(2).all(|two| two[0].from < two[1].from) {
            return Err("each piece must hold from a greater size than the one before".into());
        }
        let (servers, alone) = (Ports::new(ports as usize), Ports::new((ports * share) as usize));
        Ok(LogGp {
            pieces,
            streams: [None; 3],
            share,
            out: servers.clone(),
            into: servers,
            alone: [alone.clone(), alone],
        })
    }

    /// The same where such transfers that are under way together have an overhead and a gap of their own.
    #[must_use]
    pub fn streaming(mut self, of: Streamed, stream: Option<Stream>) -> Self {
        self.streams[of as usize] = stream;
        self
    }

    fn piece(&self, bytes: u64) -> &Piece {
        let after = self.pieces.iter().position(|p| p.from > bytes).unwrap_or(self.pieces.len());
        &self.pieces[after - 1]
    }

    /// Carries a message of node `from`, or a reply to node `to`; with the gap of its size, or one of a stream's.
    fn fly(&mut self, now: Time, from: u32, to: u32, bytes: u64, is_reply: bool, gap: Option<Time>) -> Flight {
        let piece = self.piece(bytes);
        let holds = piece.rest(bytes) + gap.unwrap_or(piece.gap);
        self.fly_holding(now, from, to, bytes, is_reply, holds)
    }

    /// The same; it holds each of the two ports for so long.
    #[inline(always)]
    fn fly_holding(&mut self, now: Time, from: u32, to: u32, bytes: u64, is_reply: bool, holds: Time) -> Flight {
        let piece = self.piece(bytes);
        let (latency, rest) = (piece.latency, piece.rest(bytes));
        let begin = self.out.take(from / self.share, now, holds);
        let head = self.into.take(to / self.share, begin + latency, holds);
        let reaches = if is_reply { now + latency } else { now };
        let alone = &mut self.alone[usize::from(is_reply)];
        let waits = alone.take(if is_reply { to } else { from }, reaches, holds) - reaches;
        let idle = now + latency + waits;
        Flight { sent: begin + rest, head, tail: head + rest, late: head.saturating_sub(idle) }
    }
}

impl Carries for LogGp {
    fn nodes(&self) -> u32 {
        self.out.len() as u32 * self.share
    }

    fn carry(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight {
        self.fly(now, from, to, bytes, false, None)
    }

    fn carry_back(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight {
        self.fly(now, from, to, bytes, true, None)
    }

    fn steps(&self, _: u32, _: u32, bytes: u64) -> Vec<(String, Time)> {
        let piece = self.piece(bytes);
        let rest = piece.rest(bytes);
        let mut steps =
            vec![("latency".to_string(), piece.latency), ("its bytes, at the gap of a byte".to_string(), rest)];
        steps.retain(|(_, time)| *time > 0);
        steps
    }

    fn send_overhead(&self, bytes: u64) -> Time {
        self.piece(bytes).o_send
    }

    fn receive_overhead(&self, bytes: u64) -> Time {
        self.piece(bytes).o_recv
    }

    fn stream(&self, of: Streamed) -> Option<Stream> {
        self.streams[of as usize]
    }

    fn carry_streamed(&mut self, now: Time, from: u32, to: u32, bytes: u64, of: Streamed) -> Flight {
        let gap = self.stream(of).map(|stream| stream.gap);
        // The data of a get are one of its receiver's messages.
        self.fly(now, from, to, bytes, !of.is_put(), gap)
    }

    fn carry_against(&mut self, now: Time, from: u32, to: u32, of: Streamed) -> Flight {
        let holds = self.stream(of).map_or(0, |stream| stream.back);
        self.fly_holding(now, from, to, REQUEST, of.is_put(), holds)
    }

    fn time_alone(&self, bytes: u64) -> Time {
        let piece = self.piece(bytes);
        piece.latency + piece.rest(bytes)
    }
}
