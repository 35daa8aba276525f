//! Progress of long work: a spinner on a terminal, nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Of a whole.
const PARTS: u64 = 1000;

/// How many are shown.
static SHOWN: AtomicUsize = AtomicUsize::new(0);

/// Shown until dropped.
pub struct Progress(ProgressBar);

/// Ends a line that is half drawn, so that the next output begins a new one. The terminal may be gone.
pub(crate) fn leave_line() {
    if SHOWN.load(Ordering::SeqCst) > 0 {
        let _ = std::io::stderr().write_all(b"\n");
    }
}

impl Progress {
    /// `steps` is the number of calls of [`Progress::step`]; 0 if it is not known.
    pub fn start(message: &str, steps: usize) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
        let template = if steps > 0 { "{spinner} {msg}: {pos}/{len}" } else { "{spinner} {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(message.to_string());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self::visible(bar)
    }

    fn visible(bar: ProgressBar) -> Progress {
        SHOWN.fetch_add(usize::from(!bar.is_hidden()), Ordering::SeqCst);
        Progress(bar)
    }

    pub fn step(&self) {
        self.0.inc(1);
    }

    /// A bar for work whose end is known in time: filled by [`Progress::at`].
    pub fn bar() -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {bar:20} {elapsed:>4} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self::visible(bar)
    }

    /// The present activity, and the share of the work that is done.
    pub fn at(&self, share: f64, message: String) {
        self.0.set_position((share.clamp(0.0, 1.0) * PARTS as f64) as u64);
        self.0.set_message(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        SHOWN.fetch_sub(usize::from(!self.0.is_hidden()), Ordering::SeqCst);
        self.0.finish_and_clear();
    }
}
