//! Starting a parallel loop and awaiting its end, as section 2 describes it: processor 0 is always active, activates the
//! others, and they are idle again afterwards. How the library does it is not printed; here processor 0 sets a flag of which
//! the others hold copies, and each counts itself down when it is done. So the factor of the study's law has no counterpart
//! here, and what is looked at is what a further processor adds.

use super::World;
use fathom_machine::{Description, Thread};

const FLAG: u64 = 0;
const COUNTER: u64 = 128;

/// Cycles of an empty loop on so many processors.
fn overhead(description: &Description, processors: usize) -> Result<f64, String> {
    let mut world = World::new(description, processors as u32)?;
    let (mut began, mut end) = (0, 0);
    // The first loop finds nothing in the caches.
    for _ in 0..3 {
        // Long after the loop before.
        began = end + 1_000_000_000;
        let m = &mut world.machine;
        let mut master = Thread { me: 0, now: began };
        m.store(&mut master, FLAG, ());
        m.barrier(&mut master);
        // The counter passes from one processor to the next.
        let mut counted = master.now;
        for me in 1..processors {
            let mut t = Thread { me, now: master.now };
            m.load(&mut t, FLAG);
            t.now = t.now.max(counted);
            m.load(&mut t, COUNTER);
            m.store(&mut t, COUNTER, ());
            m.barrier(&mut t);
            counted = t.now;
        }
        master.now = master.now.max(counted);
        m.load(&mut master, COUNTER);
        end = master.now;
    }
    Ok((end - began) as f64 / world.cycle)
}

/// Whether the first processor of each further hypernode of eight adds more than any other processor does.
pub fn jumps(description: &Description) -> Result<bool, String> {
    let times = (2..=32).map(|n| overhead(description, n)).collect::<Result<Vec<f64>, String>>()?;
    // What the third processor adds, and so on.
    let added = |processor: usize| times[processor - 2] - times[processor - 3];
    let (first, others): (Vec<usize>, Vec<usize>) = (3..=32).partition(|n| n % 8 == 1);
    let most = others.into_iter().map(added).fold(0.0, f64::max);
    Ok(first.into_iter().all(|processor| added(processor) > 1.5 * most))
}
