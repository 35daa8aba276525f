//! From the table `network` of a description to a network: the figures of each kind. docs/machines.md lists them.

use super::fabric::{Fabric, Figures, Format, Wire};
use super::loggp::{LogGp, Piece};
use super::routes::{product, Crossbar, Dragonfly, FatTree, Grid, Ring, Routes};
use super::{Carries, Stream, Streamed};
use crate::description::{Description, Wanted};

type Network = Box<dyn Carries>;

/// The kinds of networks.
pub const KINDS: [&str; 7] = ["torus", "mesh", "ring", "fat-tree", "dragonfly", "crossbar", "loggp"];

/// Builds the network that is described.
///
/// # Errors
/// There is none, its kind is unknown, or a figure is missing, wrong, or unknown.
pub fn build(description: &Description) -> Result<Network, String> {
    let network = description.network.as_ref().ok_or("the machine has no network")?;
    let figures = description.of_network();
    // For those who perform programs: Description::serves and Description::lateness.
    let _ = figures.has("serve");
    let _ = figures.has("late");
    let (threads, _) = description.sharing()?;
    let built = of_kind(&network.kind, &figures, threads).map_err(|why| format!("network: {why}"))?;
    figures.finish()?;
    Ok(built)
}

/// `threads`: how many threads of a node share one of its ports.
fn of_kind(kind: &str, figures: &Wanted, threads: u32) -> Result<Network, String> {
    match kind {
        "torus" => fabric(Grid::torus(&figures.shape("shape")?)?, figures, threads),
        "mesh" => fabric(Grid::mesh(&figures.shape("shape")?)?, figures, threads),
        "ring" if figures.has("one_way") && figures.switch("one_way")? => {
            fabric(Ring::new(number(figures, "ports")?)?, figures, threads)
        }
        "ring" => fabric(Grid::torus(&[number(figures, "ports")?])?, figures, threads),
        "fat-tree" => {
            let down = figures.shape("down")?;
            let up = if figures.has("up") { figures.shape("up")? } else { vec![] };
            fabric(FatTree::new(&down, &up)?, figures, threads)
        }
        "dragonfly" => {
            let [groups, routers, ports, global] =
                ["groups", "routers", "ports", "global"].map(|name| number(figures, name));
            fabric(Dragonfly::new(groups?, routers?, ports?, global?)?, figures, threads)
        }
        "crossbar" => fabric(Crossbar::new(number(figures, "ports")?)?, figures, threads),
        "loggp" => {
            let ports = number(figures, "ports")?;
            let mut network = LogGp::new(pieces(figures)?, ports, share(figures, ports, threads)?)?;
            for (of, name) in Streamed::ALL.into_iter().zip(["get", "put", "relaxed"]) {
                network = network.streaming(of, stream(figures, name)?);
            }
            Ok(Box::new(network))
        }
        other => Err(format!("there is no kind of network `{other}`; the kinds are {}", KINDS.join(", "))),
    }
}

fn number(figures: &Wanted, name: &str) -> Result<u32, String> {
    let found = figures.count(name)?;
    u32::try_from(found).map_err(|_| format!("figure `network.{name}` is too large"))
}

/// The number of nodes that share each of these ports, where each has this number of threads at a port.
fn share(figures: &Wanted, ports: u32, threads: u32) -> Result<u32, String> {
    let share = if figures.has("share") { number(figures, "share")? } else { 1 };
    product(&[ports, share, threads]).map(|_| share * threads)
}

fn fabric<R: Routes + 'static>(routes: R, figures: &Wanted, threads: u32) -> Result<Network, String> {
    let or = |name: &str, otherwise: f64| {
        if figures.has(name) {
            figures.fractional_bytes(name)
        } else {
            Ok(otherwise)
        }
    };
    let format = Format {
        packet: if figures.has("packet") { figures.bytes("packet")? } else { Format::BARE.packet },
        header: or("header", 0.0)?,
        word: or("word", 1.0)?.round().max(1.0) as u64,
        word_control: or("word_control", 0.0)?,
    };
    let usual = figures.rate("rate")?;
    let port = if figures.has("port_rate") { figures.rate("port_rate")? } else { usual };
    let hop = if routes.links() > 0 { figures.time("hop")? } else { 0 };
    let long_rate = if R::HAS_LONG_LINKS && figures.has("long_rate") { figures.rate("long_rate")? } else { usual };
    let long_hop = if R::HAS_LONG_LINKS && figures.has("long_hop") { figures.time("long_hop")? } else { hop };
    let figures = Figures {
        format,
        links: [Wire::new(&format, usual, hop), Wire::new(&format, long_rate, long_hop)],
        port: Wire::new(&format, port, 0),
        share: share(figures, routes.ports(), threads)?,
        gap: figures.time_or_zero("gap")?,
        enter: figures.time_or_zero("enter")?,
        leave: figures.time_or_zero("leave")?,
        o_send: figures.time_or_zero("o_send")?,
        o_recv: figures.time_or_zero("o_recv")?,
    };
    Ok(Box::new(Fabric::new(routes, figures)))
}

/// The figures `o_put`, `g_put` and perhaps `back_put` of puts that are under way together, or those of gets, or of relaxed puts.
fn stream(figures: &Wanted, of: &str) -> Result<Option<Stream>, String> {
    let [overhead, gap, back] = ["o", "g", "back"].map(|figure| format!("{figure}_{of}"));
    match (figures.has(&overhead), figures.has(&gap)) {
        (false, false) if figures.has(&back) => Err(format!(
            "the figure `network.{back}` comes with `network.{overhead}` and `network.{gap}`: give these, too, or leave it out"
        )),
        (false, false) => Ok(None),
        (true, true) => Ok(Some(Stream {
            overhead: figures.time(&overhead)?,
            gap: figures.time(&gap)?,
            back: figures.time_or_zero(&back)?,
        })),
        _ => Err(format!("the figures `network.{overhead}` and `network.{gap}` come together: give both or neither")),
    }
}

/// The figures of the first piece are called `L`, `o_send`, `o_recv`, `g`, `G`; those of the next have `_2`, and so on. A
/// piece that lacks one has that of the piece before.
fn pieces(figures: &Wanted) -> Result<Vec<Piece>, String> {
    let mut pieces = vec![Piece {
        from: 0,
        latency: figures.time("L")?,
        o_send: figures.time_or_zero("o_send")?,
        o_recv: figures.time_or_zero("o_recv")?,
        gap: figures.time_or_zero("g")?,
        gap_per_byte: if figures.has("G") { figures.time_per_byte("G")? } else { 0.0 },
    }];
    for n in 2.. {
        let from = format!("from_{n}");
        if !figures.has(&from) {
            break;
        }
        let mut piece = Piece { from: figures.bytes(&from)?, ..pieces[n - 2] };
        let times = [
            ("L", &mut piece.latency),
            ("o_send", &mut piece.o_send),
            ("o_recv", &mut piece.o_recv),
            ("g", &mut piece.gap),
        ];
        for (name, time) in times {
            let name = format!("{name}_{n}");
            if figures.has(&name) {
                *time = figures.time(&name)?;
            }
        }
        let name = format!("G_{n}");
        if figures.has(&name) {
            piece.gap_per_byte = figures.time_per_byte(&name)?;
        }
        pieces.push(piece);
    }
    Ok(pieces)
}
