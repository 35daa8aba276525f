//! Progress of long work: a spinner on a terminal, nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// Of a whole.
const PARTS: u64 = 1000;

/// Shown until dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// `steps` is how many [`Progress::step`] will come; 0 if nobody knows.
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
        Progress(bar)
    }

    /// What is being done, and what share of all is done.
    pub fn at(&self, share: f64, message: String) {
        self.0.set_position((share.clamp(0.0, 1.0) * PARTS as f64) as u64);
        self.0.set_message(message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
