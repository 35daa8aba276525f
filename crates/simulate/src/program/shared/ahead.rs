//! Turns that threads have while the engine computes.
//!
//! A thread whose room for records is full goes on in any case, with nothing but its own state. So it can have its next
//! turn at once, and write into its other room while the engine computes what it has written before. The engine says
//! which threads have such turns, and in which order; a helper gives them one after the other. No thread has another
//! turn while one is left, so that the order of turns is the same in each run.
//!
//! Threads' processes are on one processor, and so is the helper. Meanwhile the engine is on another one, if there is one.

use super::memory::Memory;
use super::{baton, head, RUN};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Some 100 us, of 20 to 50 processor cycles each.
const LOOKS: u32 = 10_000;

pub(super) struct Ahead {
    shared: Arc<Shared>,
    helper: Option<JoinHandle<()>>,
    /// Turns that were asked for.
    asked: u64,
    /// All of them have been had.
    is_idle: bool,
    places: Option<Places>,
}

struct Shared {
    memory: Arc<Memory>,
    state: Mutex<State>,
    changed: Condvar,
    /// Turns that have been had.
    done: AtomicU64,
}

#[derive(Default)]
struct State {
    threads: VecDeque<u32>,
    /// The engine sleeps until a turn has been had.
    sleeps: bool,
    ends: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        loop {
            let mut state = self.state();
            let t = loop {
                match state.threads.pop_front() {
                    _ if state.ends => return,
                    Some(t) => break t,
                    None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(state);
            self.give(t);
            self.done.fetch_add(1, Ordering::Release);
            if std::mem::take(&mut self.state().sleeps) {
                self.changed.notify_all();
            }
        }
    }

    /// Gives a thread the turn for which it is prepared, and waits until it has stopped, or is gone.
    fn give(&self, t: u32) {
        let memory = &self.memory;
        memory.word(head::ENGINE).store(0, Ordering::Relaxed);
        memory.wake(memory.baton(t) + baton::TURN, RUN);
        loop {
            if memory.wait_for_baton(100) {
                if !memory.fetch() {
                    return;
                }
            } else if memory.is_gone(t) || self.state().ends {
                return;
            }
        }
    }
}

impl Ahead {
    pub fn new(memory: &Arc<Memory>, places: Option<Places>) -> Ahead {
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { memory: memory.clone(), state, changed, done: AtomicU64::new(0) });
        Ahead { shared, helper: None, asked: 0, is_idle: true, places }
    }

    /// Has a thread that is prepared for it take its turn after those before. Returns the turn's number; None: the system
    /// gives no helper.
    pub fn ask(&mut self, t: u32) -> Option<u64> {
        if self.helper.is_none() {
            let shared = self.shared.clone();
            self.helper = std::thread::Builder::new().name("ahead".into()).spawn(move || shared.run()).ok();
            self.helper.as_ref()?;
        }
        self.shared.state().threads.push_back(t);
        self.shared.changed.notify_all();
        if let (true, Some(places)) = (std::mem::take(&mut self.is_idle), &self.places) {
            move_to(&places.beside);
        }
        self.asked += 1;
        Some(self.asked)
    }

    /// Waits for a turn, but not for long. Whether it has been had.
    ///
    /// A turn takes less time than to sleep and to be woken from another processor: first the engine looks again and again.
    pub fn wait_for(&self, number: u64) -> bool {
        let is_had = || self.shared.done.load(Ordering::Acquire) >= number;
        let looks = if self.places.is_some() { LOOKS } else { 0 };
        for _ in 0..looks {
            if is_had() {
                return true;
            }
            std::hint::spin_loop();
        }
        let mut state = self.shared.state();
        state.sleeps = true;
        let sleeps = |state: &mut State| state.sleeps && !is_had();
        let waited = self.shared.changed.wait_timeout_while(state, Duration::from_millis(100), sleeps);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        is_had()
    }

    /// The last turn that was asked for, if it may not have been had.
    pub fn last(&self) -> Option<u64> {
        (!self.is_idle).then_some(self.asked)
    }

    /// All turns have been had: the engine gives turns itself, from the processor of the threads.
    pub fn rest(&mut self) {
        self.is_idle = true;
        if let Some(places) = &self.places {
            move_to(&places.threads);
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.shared.state().ends = true;
        self.shared.changed.notify_all();
        if let Some(helper) = self.helper.take() {
            let _ = helper.join();
        }
    }
}

/// On which processors a job runs.
#[derive(Clone, Copy)]
pub struct Places {
    /// That of the threads, and of the engine while it gives them their turns.
    pub threads: libc::cpu_set_t,
    /// Those where the engine computes while threads have turns ahead.
    pub beside: libc::cpu_set_t,
}

/// Has the calling thread run there, if the system lets it.
fn move_to(set: &libc::cpu_set_t) {
    // SAFETY: a set of processors on the stack.
    unsafe { libc::sched_setaffinity(0, std::mem::size_of_val(set), set) };
}
