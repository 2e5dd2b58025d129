//! A line search with few evaluations: learning-rate adaptation, backtracking and a parabola.

/// The share of the decrease that the slope promises which a step must bring (Dennis and Schnabel 1983, Sec. 6.3).
const SUFFICIENT: f64 = 1e-4;

/// The least and the most that one backtracking leaves of a step (likewise).
const BACKTRACKING: [f64; 2] = [0.1, 0.5];

/// The most that one step grows.
const GROWTH: f64 = 4.0;

/// Backtrackings before a direction is given up: 2^-40 of a step is a rounding of it.
const MAX_BACKTRACKINGS: u32 = 40;

/// A step along a direction, and the value there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    pub step: f64,
    pub value: f64,
}

/// A step along a direction of negative `slope` that lowers `value_at` enough, at the costs of backpropagation, where
/// a value takes half the time of a gradient (Battiti 1992, Sec. 4; Dennis and Schnabel 1983, A6.3.1):
///
/// Beginning with `first`, the learning rate of the steps before, steps go back to the minimum of the parabola through
/// the value here, the slope here and the value there, until the decrease is sufficient. If the first step is, the
/// parabola is asked once whether another step would have been better, and the lower of both is taken. `None` if no step
/// decreases the value.
pub(crate) fn line_search(
    here: f64,
    slope: f64,
    first: f64,
    mut value_at: impl FnMut(f64) -> f64,
) -> Option<Taken> {
    let mut step = first;
    for n_back in 0..MAX_BACKTRACKINGS {
        let value = value_at(step);
        let bend = value - here - slope * step;
        let minimum = -0.5 * slope * step * step / bend;
        if value < here + SUFFICIENT * slope * step {
            let taken = Taken { step, value };
            if n_back > 0 {
                return Some(taken);
            }
            // A parabola that bends down has its minimum nowhere.
            let other = if bend > 0.0 { minimum.min(GROWTH * step) } else { GROWTH * step };
            let other = Taken { step: other, value: value_at(other) };
            return Some(if other.value < value { other } else { taken });
        }
        let [least, most] = BACKTRACKING;
        // NaN, of a step to where nothing can be computed, goes back the furthest.
        step *= if minimum.is_finite() { (minimum / step).clamp(least, most) } else { least };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_solved_by_its_second_value() {
        let parabola = |x: f64| (x - 3.0) * (x - 3.0);
        for first in [1.0, 4.0] {
            let mut n_values = 0;
            let taken = line_search(9.0, -6.0, first, |step| {
                n_values += 1;
                parabola(step)
            });
            assert_eq!((taken.unwrap().step, n_values), (3.0, 2), "from {first}");
        }
    }

    #[test]
    fn a_step_too_far_goes_back_also_from_where_nothing_can_be_computed() {
        let wall = |x: f64| if x > 1.0 { f64::NAN } else { -x };
        let taken = line_search(0.0, -1.0, 1e6, wall).unwrap();
        assert!(taken.step <= 1.0 && taken.value < 0.0);
    }

    #[test]
    fn uphill_is_given_up() {
        assert_eq!(line_search(0.0, -1.0, 1.0, |step| step), None);
    }
}
