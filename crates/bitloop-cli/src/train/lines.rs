//! Plain lines on standard error, for logs: one per second at most, one for each end of a run, one for each best.

use std::time::{Duration, Instant};

use bitloop_scenario::Stop;
use bitloop_train::{Event, Progress, TrainingState};

use crate::output::print_note;
use crate::train::rate::Rate;
use crate::train::watch::{News, Watch, left, position, work, work_count};

/// The least time between two lines that only say how far it is.
const PERIOD: Duration = Duration::from_secs(1);

/// Writes plain lines.
#[derive(Debug)]
pub struct Lines {
    stop: Stop,
    last: Option<Instant>,
    rate: Rate,
    news: News,
}

impl Lines {
    /// Nothing is shown yet.
    pub fn start(stop: Stop, before: &TrainingState) -> Self {
        let rate = Rate::from(work_count(before).0);
        Self { stop, last: None, rate, news: News::default() }
    }
}

impl Watch for Lines {
    fn say(&mut self, line: &str) {
        print_note(line);
    }

    fn show(&mut self, progress: &Progress<'_>) {
        let elapsed = progress.state.spent.wall_s;
        let news = self.news.of_target(&self.stop, progress);
        let news = news.or_else(|| self.news.of_best(progress)).or_else(|| News::of_end(progress));
        if let Some(line) = news {
            print_note(&format!("{elapsed:8.1} s  {line}"));
            return;
        }
        // The very first costs say nothing yet; the first improvement comes at once.
        let is_early = progress.event == Event::RunStarted || progress.state.n_moves() == 0;
        let is_due = match self.last {
            None => !is_early,
            Some(last) => last.elapsed() >= PERIOD,
        };
        if is_due {
            self.last = Some(Instant::now());
            let work = work(progress, &mut self.rate);
            let left = left(&self.stop, progress);
            let left = left.map_or(String::new(), |(_, text)| format!("  {text}"));
            print_note(&format!("{elapsed:8.1} s  {}  {work}{left}", position(progress)));
        }
    }

    fn finish(&mut self) {}
}
