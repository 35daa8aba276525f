//! How many accesses a second the parts of an SPP-1000 answer on one core: `cargo run --release -p fathom-machine --example
//! accesses`.

use fathom_machine::{machine, Description, Machine, Thread};
use std::time::Instant;

const MB: u64 = 1 << 20;

fn main() -> Result<(), String> {
    let text = include_str!("../../../machines/spp1000.toml");
    let description = Description::of_file(text)?.ok_or("the machine cannot be simulated")?;
    // What, how many processors take turns at which array, bytes and stride, whether they store.
    let streams: [(&str, &[usize], u64, u64, bool); 5] = [
        ("hits", &[0], MB / 4, 8, false),
        ("misses", &[0], 8 * MB, 32, false),
        ("misses, one of two processors", &[0, 0], 8 * MB, 32, true),
        ("written by one, read by another of its hypernode", &[0, 1], MB / 4, 32, true),
        ("written by one, read by one of another hypernode", &[0, 8], MB / 4, 32, true),
    ];
    for (what, processors, bytes, stride, stores) in streams {
        let last = processors.iter().max().copied().unwrap_or(0);
        let mut world: Machine<()> = machine(&description, last as u32 + processors.len() as u32)?;
        let (mut now, mut accesses, began) = (0, 0u64, Instant::now());
        while began.elapsed().as_secs_f64() < 1.0 {
            for (turn, me) in processors.iter().enumerate() {
                let mut t = Thread { me: *me, now };
                for at in (0..bytes).step_by(stride as usize) {
                    if stores && turn == 0 {
                        world.store(&mut t, at, ());
                    } else {
                        world.load(&mut t, at);
                    }
                }
                accesses += bytes / stride;
                now = t.now;
            }
        }
        println!("{:6.1} million/s  {what}", accesses as f64 / began.elapsed().as_secs_f64() / 1e6);
    }
    Ok(())
}
