//! [`Thinned`]: a long signal as its extremes within each column of pixels.

/// Columns of a picture.
const N_COLUMNS: usize = 700;

/// The least and the largest value of a signal in each of some hundred parts of its time. So no peak is lost, and the memory does not grow with the
/// number of samples. What is NaN or infinite is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinned {
    end: f64,
    /// `(least, largest)` of each part; least above largest where there is no value.
    columns: Vec<(f64, f64)>,
}

impl Thinned {
    /// No samples yet, from time 0 to `end`.
    #[must_use]
    pub fn new(end: f64) -> Self {
        Self { end, columns: vec![(f64::INFINITY, f64::NEG_INFINITY); N_COLUMNS] }
    }

    /// The end of the time.
    pub(crate) const fn end(&self) -> f64 {
        self.end
    }

    /// Adds a sample.
    pub fn add(&mut self, time: f64, value: f64) {
        let part = (time / self.end).clamp(0.0, 1.0) * N_COLUMNS as f64;
        if !value.is_finite() || part.is_nan() {
            return;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to N_COLUMNS"
        )]
        let column = (part as usize).min(N_COLUMNS - 1);
        let (least, most) = &mut self.columns[column];
        *least = least.min(value);
        *most = most.max(value);
    }

    /// Adds the last samples of parts of the signal, which lie between its other samples. There, what goes on has no sample, and
    /// still a range: the one between those before and after.
    pub fn add_ends(&mut self, ends: &Self) {
        let has_samples = |&(least, most): &(f64, f64)| least <= most;
        let before: Vec<(f64, f64)> = self.columns.clone();
        for (at, &(end_least, end_most)) in ends.columns.iter().enumerate() {
            if end_least > end_most {
                continue;
            }
            let (least, most) = &mut self.columns[at];
            if !has_samples(&before[at])
                && let Some(left) = before[..at].iter().rposition(has_samples)
                && let Some(right) = before[at..].iter().position(has_samples)
            {
                let (from, to) = (before[left], before[at + right]);
                let part = (at - left) as f64 / (at + right - left) as f64;
                *least = from.0 + part * (to.0 - from.0);
                *most = from.1 + part * (to.1 - from.1);
            }
            *least = least.min(end_least);
            *most = most.max(end_most);
        }
    }

    /// Whether there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.iter().all(|(least, most)| least > most)
    }

    /// `(time, least, largest)` of each part that has samples.
    #[must_use]
    pub fn bands(&self) -> Vec<(f64, f64, f64)> {
        let width = self.end / N_COLUMNS as f64;
        let columns = self.columns.iter().enumerate().filter(|(_, (least, most))| least <= most);
        columns.map(|(at, &(least, most))| ((at as f64 + 0.5) * width, least, most)).collect()
    }

    /// Least and largest value of each part, one after the other; NaN where there is none.
    #[must_use]
    pub fn extremes(&self) -> Vec<f64> {
        let of =
            |&(least, most): &(f64, f64)| if least <= most { [least, most] } else { [f64::NAN; 2] };
        self.columns.iter().flat_map(of).collect()
    }

    /// The same as a line that passes both extremes of each part.
    #[must_use]
    pub fn line(&self) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (time, least, most) in self.bands() {
            // The nearer one first.
            let is_near_most =
                points.last().is_some_and(|last| (most - last.1).abs() < (last.1 - least).abs());
            let (first, second) = if is_near_most { (most, least) } else { (least, most) };
            points.push((time, first));
            if first != second {
                points.push((time, second));
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_samples_keep_their_peaks_and_little_else() {
        let mut thinned = Thinned::new(1e6);
        for sample in 0..1_000_000 {
            let value = if sample == 123_456 { 99.0 } else { f64::from(sample % 7) };
            thinned.add(f64::from(sample), value);
        }
        thinned.add(5.0, f64::NAN);
        let line = thinned.line();
        assert!(line.len() <= 2 * N_COLUMNS, "{}", line.len());
        assert!(line.iter().any(|point| point.1 == 99.0));
        assert_eq!(line.iter().filter(|point| point.1 > 6.0).count(), 1);
        assert!(Thinned::new(1.0).is_empty() && Thinned::new(0.0).bands().is_empty());
    }

    #[test]
    fn the_range_goes_on_where_a_part_ends_between_samples() {
        // Columns are one second wide.
        let mut all = Thinned::new(N_COLUMNS as f64);
        for (time, least, most) in [(0.0, 0.0, 8.0), (4.0, 4.0, 8.0), (8.0, 4.0, 9.0)] {
            all.add(time, least);
            all.add(time, most);
        }
        let mut ends = Thinned::new(all.end());
        for (time, value) in [(1.0, 5.0), (2.0, 20.0), (4.0, 3.0), (9.0, 7.0)] {
            ends.add(time, value);
        }
        all.add_ends(&ends);
        let expected = [
            (0.5, 0.0, 8.0),
            (1.5, 1.0, 8.0),
            (2.5, 2.0, 20.0),
            (4.5, 3.0, 8.0),
            (8.5, 4.0, 9.0),
            (9.5, 7.0, 7.0),
        ];
        assert_eq!(all.bands(), expected);
    }
}
