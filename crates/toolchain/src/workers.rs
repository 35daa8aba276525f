//! Independent pieces of work, as many at once as there are processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Does `work` for the numbers below `count`; the results in the order of the numbers. The calling thread takes part.
pub fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let body = || loop {
        let i = next.fetch_add(1, Ordering::Relaxed);
        let Some(slot) = results.get(i) else { return };
        let result = work(i);
        *slot.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
    };
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(count);
    std::thread::scope(|s| {
        for _ in 1..workers {
            s.spawn(body);
        }
        body();
    });
    results.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(|e| e.into_inner())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_each_is_made_once() {
        let made = AtomicUsize::new(0);
        let squares = each(100, |i| {
            made.fetch_add(1, Ordering::Relaxed);
            i * i
        });
        assert_eq!(squares, (0..100).map(|i| i * i).collect::<Vec<_>>());
        assert_eq!(made.into_inner(), 100);
        assert!(each(0, |i| i).is_empty());
    }
}
