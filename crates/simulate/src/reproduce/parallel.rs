//! Independent programs on all processors of this computer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// The results of a function of each input, in the order of the inputs.
pub fn map<T: Sync, R: Send>(inputs: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(vec![]);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(inputs.len());
    let work = || {
        while let Some((i, input)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, inputs.get(i)?)))
        {
            let result = of(input);
            if let Ok(mut done) = done.lock() {
                done.push((i, result));
            }
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_inputs() {
        let inputs: Vec<u64> = (0..1000).collect();
        assert_eq!(super::map(&inputs, |n| n * n), inputs.iter().map(|n| n * n).collect::<Vec<_>>());
        assert_eq!(super::map(&[], |n: &u64| *n), []);
    }
}
