//! How far a replay is: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use bitloop_replay::ReplayProgress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::number::{counted, span};
use super::print_note;

/// What takes less needs no display.
const QUIET: Duration = Duration::from_secs(1);

/// The least time between two plain lines.
const PERIOD: Duration = Duration::from_secs(5);

/// Parts of the bar.
const PARTS: f64 = 1000.0;

/// Shows how far a replay is.
#[derive(Debug)]
pub struct Display {
    n: usize,
    what: &'static str,
    started: Instant,
    last: Option<Instant>,
    /// How far it was.
    part: f64,
    bar: Option<ProgressBar>,
}

impl Display {
    /// For a replay of so many episodes that begins now.
    pub fn start(n_episodes: usize) -> Self {
        Self::of(n_episodes, "episode")
    }

    /// For so many of something else.
    pub fn of(n: usize, what: &'static str) -> Self {
        Self { n, what, started: Instant::now(), last: None, part: 0.0, bar: None }
    }

    /// Shows how far it is, if it is time for that.
    pub fn show(&mut self, progress: ReplayProgress) {
        if progress.part < self.part {
            // Another replay has begun.
            self.started = Instant::now();
        }
        self.part = progress.part;
        if self.started.elapsed() < QUIET {
            return;
        }
        let text = self.text(progress, self.started.elapsed());
        if stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(bar);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1")]
            bar.set_position((progress.part * PARTS) as u64);
            bar.set_message(text);
        } else if self.last.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.last = Some(Instant::now());
            print_note(&format!("{:8.1} s  {text}", self.started.elapsed().as_secs_f64()));
        }
    }

    /// Leaves the screen tidy.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn text(&self, progress: ReplayProgress, elapsed: Duration) -> String {
        let ReplayProgress { n_finished, part } = progress;
        let all = counted(self.n as u64, self.what);
        let left = if part > 0.0 {
            let left = elapsed.as_secs_f64() * (1.0 - part) / part;
            format!(", {} left", span(left))
        } else {
            String::new()
        };
        if self.what != "episode" {
            return format!("{n_finished} of {all} done{left}");
        }
        format!("{n_finished} of {all} ended, {:.1} % of the time simulated{left}", 100.0 * part)
    }
}

fn bar() -> ProgressBar {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a constant")]
    let bar =
        ProgressBar::with_draw_target(Some(PARTS as u64), ProgressDrawTarget::stderr_with_hz(5));
    // The template is a constant; should a future version refuse it, its default style does.
    if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {wide_msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_what_is_done() {
        let display = Display::start(50);
        let text = |n_finished, part| {
            display.text(ReplayProgress { n_finished, part }, Duration::from_secs(30))
        };
        assert_eq!(text(0, 0.0), "0 of 50 episodes ended, 0.0 % of the time simulated");
        let expected = "12 of 50 episodes ended, 25.0 % of the time simulated, 90 s left";
        assert_eq!(text(12, 0.25), expected);
    }
}
