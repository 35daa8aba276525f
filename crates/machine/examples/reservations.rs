//! How many reservations of a port or link a second networks make, on one core: random puts of 64 bytes. The best and the
//! median of several runs.
//!
//!     cargo run --release -p fathom-machine --example reservations

use fathom_machine::network::fabric::{Fabric, Figures, Format, Wire};
use fathom_machine::network::loggp::{LogGp, Piece};
use fathom_machine::network::routes::{Crossbar, Dragonfly, FatTree, Grid, Routes};
use fathom_machine::Carries;
use std::time::Instant;

const PUTS: u64 = 2_000_000;

fn figures() -> Figures {
    let format = Format { packet: 32, header: 9.0, word: 8, word_control: 4.75 };
    let wire = Wire::new(&format, 0.0003, 16_667);
    Figures { format, links: [wire, wire], port: wire, share: 1, gap: 0, enter: 0, leave: 0, o_send: 0, o_recv: 0 }
}

/// Numbers that look random (splitmix64).
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = (*seed ^ (*seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn measure<R: Routes + Clone + 'static>(name: &str, routes: R, pause: u64) {
    let fabric = || -> Box<dyn Carries> { Box::new(Fabric::new(routes.clone(), figures())) };
    random_puts(name, fabric, |from, to| u64::from(routes.hops(from, to)) + 2, pause);
}

fn random_puts(name: &str, new: impl Fn() -> Box<dyn Carries>, reserved: impl Fn(u32, u32) -> u64, pause: u64) {
    let nodes = new().nodes();
    let mut seed = 1;
    let puts: Vec<(u32, u32)> =
        (0..PUTS).map(|_| (random(&mut seed) as u32 % nodes, random(&mut seed) as u32 % nodes)).collect();
    let links: u64 = puts.iter().map(|&(from, to)| reserved(from, to)).sum();
    let mut seconds: Vec<f64> = (0..7)
        .map(|_| {
            let mut network = new();
            let begin = Instant::now();
            let last =
                puts.iter().zip(0u64..).map(|(&(from, to), i)| network.carry(i * pause, from, to, 64).tail).max();
            assert!(last.is_some());
            begin.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let per_second = |s: f64| links as f64 / s / 1e6;
    println!(
        "{name:>32}: {:5.1} a put; {:6.1} M reservations/s (median {:.1}), {:5.1} M puts/s",
        links as f64 / PUTS as f64,
        per_second(seconds[0]),
        per_second(seconds[3]),
        PUTS as f64 / seconds[0] / 1e6
    );
}

fn main() {
    // A put takes 463 ns of a link: of 2,048 nodes one begins every `pause` ps.
    for (load, pause) in [("idle", 50_000), ("busy", 1_500)] {
        measure(&format!("torus of 2,048, {load}"), Grid::torus(&[16, 16, 8]).expect("a torus"), pause);
    }
    measure("fat tree of 2,048", FatTree::new(&[16, 16, 8], &[16, 16]).expect("a fat tree"), 1_500);
    measure("dragonfly of 8,192", Dragonfly::new(16, 32, 16, 17).expect("a dragonfly"), 1_500);
    let piece = Piece { from: 0, latency: 3_700_000, o_send: 0, o_recv: 0, gap: 5_000, gap_per_byte: 40.0 };
    let loggp = || -> Box<dyn Carries> { Box::new(LogGp::new(vec![piece], 2_048, 1).expect("a network")) };
    random_puts("LogGP of 2,048", loggp, |_, _| 2, 1_500);
    measure("crossbar of 64", Crossbar::new(64).expect("a crossbar"), 10_000);
}
