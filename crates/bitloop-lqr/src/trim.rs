//! [`Rest`]: controls that hold a plant at its default state.

use bitloop_sim::{Channel, ClosedLoop};
use nalgebra::{DMatrix, DVector, Dyn, SVD};

use crate::error::LqrError;
use crate::linearize::{Advanced, Point, TOLERANCE};

/// Steps of Gauss and Newton from a start. Each doubles the digits near a solution; a few lead there.
const MOST_STEPS: usize = 20;
/// Sweeps of a singular value decomposition, of which a few for each singular value lead to the last digit.
const MOST_ROTATIONS: usize = 10_000;
/// Times that a step is halved before it is given up.
const MOST_HALVINGS: usize = 10;
/// Half the width of the differences, in scales of a control.
const STEP: f64 = 1e-4;
/// Singular values below this share of the largest count as 0: controls that do the same share their work.
const SINGULAR: f64 = 1e-9;
/// What rounding may change, in scales of a control: a tenth of what an equilibrium may be off.
const ROUNDING: f64 = 1e-7;

/// A plant that rests at its default state.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// The controls that hold it there: `[n_controls]`.
    pub controls: Vec<f64>,
    /// What is observed there: `[n_observations]`, of the plant's own.
    pub observations: Vec<f64>,
}

impl Rest {
    /// Finds controls within their bounds that hold the plant at its default state for a control period, with
    /// `parameters: [n_parameters]`. Those that a controller commands as 0 are kept where they do; others have few digits.
    ///
    /// The search starts from the centers of the controls, from their own starts and from the middle of their bounds. It finds
    /// the least squares of what the states move, each over its scale.
    ///
    /// # Errors
    /// What is amiss with the controls that come nearest, where none are found that [`Lqr::new`](crate::Lqr::new) takes for
    /// those of an equilibrium.
    ///
    /// # Panics
    /// If the number of parameters is not the plant's.
    pub fn new(closed_loop: &ClosedLoop, parameters: &[f64]) -> Result<Self, LqrError> {
        let channels = &closed_loop.interface().outputs;
        let search = Search { point: Point::new(closed_loop, parameters), channels };
        let variables = &closed_loop.plant().description().controls;
        let centers: Vec<f64> = channels.iter().map(|channel| channel.center).collect();
        if search.clipped(&centers) == centers && search.holds(&centers) {
            return search.rest(centers);
        }
        let starts = channels.iter().map(|channel| variables[channel.index].default).collect();
        let middles = channels.iter().map(|channel| middle(channel).unwrap_or(channel.center));
        let all = [centers.clone(), starts, middles.collect()];
        let mut least = None;
        for start in all {
            let Some((controls, moved)) = search.nearest(search.clipped(&start)) else { continue };
            if search.holds(&controls) {
                return search.rest(controls);
            }
            if least.as_ref().is_none_or(|(_, least)| moved < *least) {
                least = Some((controls, moved));
            }
        }
        Err(search.reason(&least.map_or_else(|| search.clipped(&centers), |(least, _)| least)))
    }
}

/// The singular value decomposition of a matrix; `None` if there are numbers in it that are not finite, for which nalgebra's
/// would never end, or if it takes too long.
pub(crate) fn decomposed(matrix: DMatrix<f64>) -> Option<SVD<f64, Dyn, Dyn>> {
    let is_finite = matrix.iter().all(|number| number.is_finite());
    is_finite.then(|| matrix.try_svd(true, true, 5.0 * f64::EPSILON, MOST_ROTATIONS)).flatten()
}

/// The number of fewest digits that is within `tolerance` of a value.
#[must_use]
pub fn short_number(value: f64, tolerance: f64) -> f64 {
    let with_digits = (0..16).filter_map(|digits| format!("{value:.digits$e}").parse().ok());
    let mut all = std::iter::once(0.0).chain(with_digits);
    all.find(|short: &f64| (short - value).abs() <= tolerance).unwrap_or(value)
}

/// The middle of the bounds, if there are two.
fn middle(channel: &Channel) -> Option<f64> {
    let (low, high) = channel.bounds;
    Some(low / 2.0 + high / 2.0).filter(|middle| middle.is_finite())
}

/// A size of the control: its scale or, where it has none, half the width of its bounds.
fn size(channel: &Channel) -> f64 {
    let (low, high) = channel.bounds;
    let half = high / 2.0 - low / 2.0;
    if channel.scale == 1.0 && half > 0.0 && half.is_finite() { half } else { channel.scale }
}

struct Search<'a> {
    point: Point<'a>,
    channels: &'a [Channel],
}

impl Search<'_> {
    /// The controls with which the states move least, found from `controls`, and the square of what they move.
    fn nearest(&self, mut controls: Vec<f64>) -> Option<(Vec<f64>, f64)> {
        let mut moved = self.moved(&controls).ok()?;
        for _ in 0..MOST_STEPS {
            let Some(better) = self.better(&controls, &moved) else { break };
            (controls, moved) = better;
        }
        let rounded = controls.iter().zip(self.channels);
        let rounded = rounded.map(|(u, channel)| short_number(*u, ROUNDING * size(channel)));
        let rounded = self.clipped(&rounded.collect::<Vec<f64>>());
        // Where the last digits count, they stay.
        let controls =
            if self.holds(&rounded) || !self.holds(&controls) { rounded } else { controls };
        Some((controls, moved.norm_squared()))
    }

    /// What a step of Gauss and Newton leads to, halved until the states move less.
    fn better(&self, controls: &[f64], moved: &DVector<f64>) -> Option<(Vec<f64>, DVector<f64>)> {
        let step = self.step(controls, moved)?;
        let mut share = 1.0;
        for _ in 0..MOST_HALVINGS {
            let next: Vec<f64> = controls.iter().zip(&step).map(|(u, du)| u + share * du).collect();
            let next = self.clipped(&next);
            if let Ok(after) = self.moved(&next)
                && after.norm_squared() < moved.norm_squared()
            {
                return Some((next, after));
            }
            share *= 0.5;
        }
        None
    }

    /// The least step to the least squares, along controls that are free to take it.
    fn step(&self, controls: &[f64], moved: &DVector<f64>) -> Option<Vec<f64>> {
        let mut jacobian = self.jacobian(controls)?;
        // One that stands at a bound and would leave it stays, and the others are sought again.
        for _ in 0..=controls.len() {
            let svd = decomposed(jacobian.clone())?;
            let least = SINGULAR * svd.singular_values.amax();
            let step = svd.solve(&-moved, least).ok()?;
            let step: Vec<f64> =
                step.iter().zip(self.channels).map(|(du, channel)| du * size(channel)).collect();
            let blocked: Vec<usize> = (0..controls.len())
                .filter(|&index| {
                    let (low, high) = self.channels[index].bounds;
                    (step[index] < 0.0 && controls[index] <= low)
                        || (step[index] > 0.0 && controls[index] >= high)
                })
                .collect();
            if blocked.is_empty() {
                return Some(step);
            }
            for index in blocked {
                jacobian.column_mut(index).fill(0.0);
            }
        }
        None
    }

    /// How `moved` changes with each control over its size: `[n_states][n_controls]`. Nothing beyond bounds is asked for.
    fn jacobian(&self, controls: &[f64]) -> Option<DMatrix<f64>> {
        let mut jacobian = DMatrix::zeros(self.point.states.len(), controls.len());
        for (index, channel) in self.channels.iter().enumerate() {
            let aside = |sign: f64| {
                let mut aside = controls.to_vec();
                aside[index] += sign * STEP * size(channel);
                self.clipped(&aside)
            };
            let (up, down) = (aside(1.0), aside(-1.0));
            let width = (up[index] - down[index]) / size(channel);
            if width > 0.0 {
                let difference = self.moved(&up).ok()? - self.moved(&down).ok()?;
                jacobian.set_column(index, &(difference / width));
            }
        }
        Some(jacobian)
    }

    /// What each state moves in a control period, over its scale.
    fn moved(&self, controls: &[f64]) -> Result<DVector<f64>, LqrError> {
        let states = self.point.states;
        let advanced = self.advanced(controls)?;
        let moved = states
            .iter()
            .enumerate()
            .map(|(row, state)| (advanced.state.row(row)[0] - state.default) / state.scale);
        Ok(DVector::from_iterator(states.len(), moved))
    }

    /// The plant from its default state, in lane 0.
    fn advanced(&self, controls: &[f64]) -> Result<Advanced, LqrError> {
        let mut excursion = vec![0.0; self.point.states.len()];
        excursion.extend(controls.iter().zip(self.channels).map(|(u, channel)| u - channel.center));
        self.point.advanced(&[excursion])
    }

    fn holds(&self, controls: &[f64]) -> bool {
        self.moved(controls).is_ok_and(|moved| moved.amax() <= TOLERANCE)
    }

    fn rest(&self, controls: Vec<f64>) -> Result<Rest, LqrError> {
        let observation = self.advanced(&controls)?.observation;
        let observations = (0..observation.n_rows()).map(|row| observation.row(row)[0]).collect();
        Ok(Rest { controls, observations })
    }

    /// Why the default state is not held.
    fn reason(&self, controls: &[f64]) -> LqrError {
        match self.moved(controls) {
            Err(error) => error,
            Ok(moved) => self.point.no_equilibrium(moved.iamax(), moved[moved.iamax()], controls),
        }
    }

    fn clipped(&self, controls: &[f64]) -> Vec<f64> {
        let clipped = controls.iter().zip(self.channels);
        clipped.map(|(u, channel)| u.max(channel.bounds.0).min(channel.bounds.1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_not_decomposed() {
        for number in [f64::NAN, f64::INFINITY] {
            assert!(decomposed(DMatrix::from_row_slice(2, 2, &[1.0, number, 0.0, 1.0])).is_none());
        }
        let svd = decomposed(DMatrix::from_row_slice(2, 2, &[3.0, 0.0, 0.0, 2.0])).unwrap();
        assert_eq!(svd.singular_values.as_slice(), [3.0, 2.0]);
    }
}
