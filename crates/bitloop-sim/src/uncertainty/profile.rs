//! [`Profile`]: values over time that are given.

use std::sync::Arc;

/// The most points of a profile.
pub const MAX_POINTS: usize = 10_000;

/// Values at given times, and straight lines between them. Nothing acts before the first; the last one stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Times in seconds, ascending, each with its value.
    points: Arc<[(f64, f64)]>,
}

impl Profile {
    /// The profile of these times in seconds and values.
    ///
    /// # Errors
    /// The position of the first point that is not after the one before, before 0, or no number; 0 if there are none; and
    /// [`MAX_POINTS`] if there are more than that.
    pub fn new(points: Vec<(f64, f64)>) -> Result<Self, usize> {
        if points.is_empty() || points.len() > MAX_POINTS {
            return Err(points.len().min(MAX_POINTS));
        }
        let mut before = f64::NEG_INFINITY;
        for (position, &(time_s, value)) in points.iter().enumerate() {
            if !(time_s >= 0.0 && time_s > before && time_s.is_finite() && value.is_finite()) {
                return Err(position);
            }
            before = time_s;
        }
        Ok(Self { points: points.into() })
    }

    /// Times in seconds and values.
    #[must_use]
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The value at a time; none before the first point.
    #[must_use]
    pub fn at(&self, time_s: f64) -> Option<f64> {
        let n_before = self.points.partition_point(|point| point.0 <= time_s);
        let &(from_s, from) = self.points.get(n_before.checked_sub(1)?)?;
        let Some(&(to_s, to)) = self.points.get(n_before) else { return Some(from) };
        let share = (time_s - from_s) / (to_s - from_s);
        Some(from * (1.0 - share) + to * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_on_straight_lines_between_the_points() {
        let profile = Profile::new(vec![(1.0, 2.0), (2.0, 4.0), (4.0, 0.0)]).unwrap();
        for (time_s, value) in
            [(0.5, None), (1.0, Some(2.0)), (1.5, Some(3.0)), (3.0, Some(2.0)), (9.0, Some(0.0))]
        {
            assert_eq!(profile.at(time_s), value, "{time_s}");
        }
    }

    #[test]
    fn what_is_no_profile_is_refused_at_its_point() {
        for (points, position) in [
            (vec![], 0),
            (vec![(-1.0, 0.0)], 0),
            (vec![(0.0, 0.0), (1.0, 1.0), (1.0, 2.0)], 2),
            (vec![(0.0, 0.0), (2.0, 1.0), (1.0, 2.0)], 2),
            (vec![(0.0, 0.0), (f64::NAN, 1.0)], 1),
            (vec![(0.0, f64::INFINITY)], 0),
        ] {
            assert_eq!(Profile::new(points), Err(position));
        }
        let many = (0..=MAX_POINTS).map(|at| (at as f64, 0.0)).collect();
        assert_eq!(Profile::new(many), Err(MAX_POINTS));
    }
}
