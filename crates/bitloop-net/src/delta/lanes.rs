//! Loops over the lanes of a chunk, by pairs of vectors. All slices of a call have the same length, a multiple of a pair.
//!
//! Slices are walked without `zip`, which is called and not inlined here: a tenth of the time of small probes.

use bitloop_plant::Real;

use super::place::Place;
use crate::activation::Activation;

/// Sums that grow term by term from those of the current network.
pub(super) struct Growing<'a> {
    /// Where they start, until the first term.
    start: Option<&'a [f64]>,
    sums: &'a mut [f64],
}

impl<'a> Growing<'a> {
    #[inline(always)]
    pub fn new(start: &'a [f64], sums: &'a mut [f64]) -> Self {
        Self { start: Some(start), sums }
    }

    /// `sums += factor * fed`
    #[inline(always)]
    pub fn add_product<V: Real>(&mut self, factor: f64, fed: &[f64]) {
        let factor = V::splat(factor);
        let mut fed = fed.chunks_exact(V::LANES);
        let sums = self.sums.chunks_exact_mut(V::LANES);
        if let Some(start) = self.start.take() {
            let mut start = start.chunks_exact(V::LANES);
            for sums in sums {
                let (Some(start), Some(fed)) = (start.next(), fed.next()) else { break };
                V::load(fed).mul_add(factor, V::load(start)).store(sums);
            }
        } else {
            for sums in sums {
                let Some(fed) = fed.next() else { break };
                V::load(fed).mul_add(factor, V::load(sums)).store(sums);
            }
        }
    }

    /// `sums += term`
    #[inline(always)]
    pub fn add_constant<V: Real>(&mut self, term: f64) {
        let sums = self.settled();
        for sums in sums.chunks_exact_mut(V::LANES) {
            (V::load(sums) + V::splat(term)).store(sums);
        }
    }

    #[inline(always)]
    fn settled(&mut self) -> &mut [f64] {
        if let Some(start) = self.start.take() {
            self.sums.copy_from_slice(start);
        }
        self.sums
    }

    /// The final sums.
    #[inline(always)]
    pub fn finish(mut self) -> &'a [f64] {
        self.settled();
        self.sums
    }
}

/// `differences = new - old`
#[inline(always)]
pub(super) fn subtract<V: Real>(new: &[f64], old: &[f64], differences: &mut [f64]) {
    let (mut new, mut old) = (new.chunks_exact(V::LANES), old.chunks_exact(V::LANES));
    for differences in differences.chunks_exact_mut(V::LANES) {
        let (Some(new), Some(old)) = (new.next(), old.next()) else { break };
        (V::load(new) - V::load(old)).store(differences);
    }
}

/// The outputs of a neuron of a layer, rounded to their quantum, from its sums in steps.
#[inline(always)]
pub(super) fn activate<V: Real>(place: &Place, sums: &[f64], outputs: &mut [f64]) {
    let Place { rounder, step, .. } = *place;
    // The match is outside of the loops, so that it is not made for each vector.
    match place.activation {
        Activation::Tanh => apply::<V>(Activation::Tanh, rounder, step, sums, outputs),
        Activation::Logistic => apply::<V>(Activation::Logistic, rounder, step, sums, outputs),
        Activation::Linear => apply::<V>(Activation::Linear, rounder, step, sums, outputs),
    }
}

#[inline(always)]
fn apply<V: Real>(
    activation: Activation,
    rounder: f64,
    step: f64,
    sums: &[f64],
    outputs: &mut [f64],
) {
    let (rounder, step) = (V::splat(rounder), V::splat(step));
    let mut sums = sums.chunks_exact(V::LANES);
    for outputs in outputs.chunks_exact_mut(V::LANES) {
        let Some(sums) = sums.next() else { break };
        let output = activation.apply(V::load(sums) * step);
        // Adding and taking away a large number rounds to the quantum.
        ((output + rounder) - rounder).store(outputs);
    }
}

/// `sums[j][k] = weights[j][0] + sum over i of weights[j][1 + i] * fed[i][k]`, in rows that are `stride` apart, each sum
/// kept in a register.
#[inline(always)]
pub(super) fn sum_anew<V: Real, const N: usize>(
    weights: [&[f64]; N],
    fed: &[f64],
    fed_stride: usize,
    sums: &mut [f64],
    stride: usize,
    n_lanes: usize,
) {
    for lane in (0..n_lanes).step_by(V::LANES) {
        let mut growing: [V; N] = std::array::from_fn(|j| V::splat(weights[j][0]));
        for input in 1..weights[0].len() {
            let signal = V::load(&fed[(input - 1) * fed_stride + lane..]);
            for (sum, weights) in growing.iter_mut().zip(weights) {
                *sum = signal.mul_add(V::splat(weights[input]), *sum);
            }
        }
        for (j, sum) in growing.into_iter().enumerate() {
            sum.store(&mut sums[j * stride + lane..]);
        }
    }
}
