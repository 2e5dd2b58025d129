//! [`Sparkline`]: the error of a training so far, as a line of small bars.

use bitloop_plant::Real;

/// Bars at most.
const WIDTH: usize = 16;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Errors from the beginning to now, on a logarithmic scale. What it keeps does not grow: of long trainings it keeps fewer
/// errors for the same time.
#[derive(Debug)]
pub struct Sparkline {
    kept: Vec<f64>,
    /// One of so many errors is kept.
    every: usize,
    n_seen: usize,
}

impl Sparkline {
    /// Without errors.
    pub fn new() -> Self {
        Self { kept: Vec::new(), every: 1, n_seen: 0 }
    }

    /// Adds the error of now; what is not a positive number is left out.
    pub fn push(&mut self, error: f64) {
        if !(error.is_finite() && error > 0.0) {
            return;
        }
        if self.n_seen.is_multiple_of(self.every) {
            if self.kept.len() == 2 * WIDTH {
                let mut at = 0;
                self.kept.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.every *= 2;
            }
            self.kept.push(error);
        }
        self.n_seen += 1;
    }

    /// The bars: a full one is the largest error, the lowest one the smallest.
    pub fn text(&self) -> String {
        let per_bar = self.kept.len().div_ceil(WIDTH).max(1);
        let levels: Vec<f64> = self
            .kept
            .chunks(per_bar)
            .filter_map(<[f64]>::last)
            .map(|error| Real::ln(*error))
            .collect();
        let lowest = levels.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let most = (BARS.len() - 1) as f64;
        let bar = |level: &f64| {
            let share = if highest > lowest { (level - lowest) / (highest - lowest) } else { 0.0 };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 0 to 1, times the last index"
            )]
            let index = (share * most).round() as usize;
            BARS[index.min(BARS.len() - 1)]
        };
        levels.iter().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_follow_the_logarithm_of_the_error() {
        let mut line = Sparkline::new();
        assert_eq!(line.text(), "");
        for error in [1e-1, f64::INFINITY, 1e-2, 0.0, 1e-8] {
            line.push(error);
        }
        assert_eq!(line.text(), "█▇▁");
    }

    #[test]
    fn a_long_training_is_shown_from_its_beginning() {
        let mut line = Sparkline::new();
        for step in 0..100_000 {
            line.push(1.0 / f64::from(1 + step));
        }
        let text = line.text();
        assert!(text.chars().count() <= WIDTH, "{text}");
        assert!(line.kept.len() <= 2 * WIDTH);
        assert!(text.starts_with('█') || text.starts_with('▇'), "{text}");
        assert!(text.ends_with('▁'), "{text}");
    }

    #[test]
    fn equal_errors_are_a_flat_line() {
        let mut line = Sparkline::new();
        line.push(0.5);
        line.push(0.5);
        assert_eq!(line.text(), "▁▁");
    }
}
