//! The display on a terminal: an empty line and three lines that are drawn over again, and what is worth keeping above them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bitloop_scenario::Stop;
use bitloop_train::{Progress, TrainingState};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::train::rate::Rate;
use crate::train::sparkline::Sparkline;
use crate::train::watch::{News, Watch, left, position, work, work_count};

/// Drawings per second.
const REFRESH_HZ: u8 = 15;
/// Letters of a line that any terminal has.
const WIDTH: usize = 76;
/// Parts of the bar.
const PARTS: u64 = 1000;

/// Draws on the terminal.
#[derive(Debug)]
pub struct Live {
    stop: Stop,
    drawn: Option<Instant>,
    rate: Rate,
    news: News,
    errors: Sparkline,
    /// What the best controller does.
    doing: Arc<Mutex<String>>,
    bar: ProgressBar,
}

impl Live {
    /// Nothing is drawn yet.
    pub fn start(stop: Stop, before: &TrainingState) -> Self {
        let bar = ProgressBar::with_draw_target(
            Some(PARTS),
            ProgressDrawTarget::stderr_with_hz(REFRESH_HZ),
        );
        // The last line is filled up, so that the ^C of a terminal begins a new one, and one line too few is drawn over: the
        // first one stays, and is empty for that. Lines are cut and not wrapped, for the same reason. The template is a
        // constant; should a future version refuse it, its default style does.
        let doing: Arc<Mutex<String>> = Arc::default();
        let shown = Arc::clone(&doing);
        let push = move |_: &ProgressState, line: &mut dyn std::fmt::Write| {
            let doing = shown.lock().unwrap_or_else(PoisonError::into_inner);
            // A line that cannot be written is not shown.
            let _ = write!(line, "{doing}");
        };
        if let Ok(style) =
            ProgressStyle::with_template("\n[{bar:16}] {wide_msg}\n{doing}\n{prefix:70!}")
        {
            bar.set_style(style.with_key("doing", push).progress_chars("=> "));
        }
        let rate = Rate::from(work_count(before).0);
        let (news, errors) = (News::default(), Sparkline::new());
        Self { stop, drawn: None, rate, news, errors, doing, bar }
    }
}

impl Watch for Live {
    fn say(&mut self, line: &str) {
        self.bar.println(line);
    }

    fn show(&mut self, progress: &Progress<'_>) {
        let news = self.news.of_target(&self.stop, progress);
        if let Some(line) = news.or_else(|| self.news.of_best(progress)) {
            self.bar.println(format!("{:8.1} s  {line}", progress.state.spent.wall_s));
        }
        let period = Duration::from_secs(1) / u32::from(REFRESH_HZ);
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < period) {
            return;
        }
        self.drawn = Some(Instant::now());
        let work = work(progress, &mut self.rate);
        let (used, left) = left(&self.stop, progress).unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        self.bar.set_position((used * PARTS as f64) as u64);
        self.errors.push(progress.current_error);
        self.bar.set_message(format!("{}  {left}  {work}", self.errors.text()));
        self.bar.set_prefix(position(progress));
    }

    fn show_doing(&mut self, doing: &str) {
        let line: String = format!("best now: {doing}").chars().take(WIDTH).collect();
        *self.doing.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }

    fn finish(&mut self) {
        self.bar.finish_and_clear();
    }
}
