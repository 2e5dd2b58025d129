//! [`TestVectors`]: inputs and the outputs that they must give, which every export carries.
//!
//! Inputs are drawn around the centers of their channels, mostly within two scales, now and then far out, so that
//! activations and bounds saturate. They come from a fixed stream: the same controller has the same vectors.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::fixed::Fixed;
use crate::portable::{Encoding, Portable};
use crate::reference::Reference;

/// How many steps the test vectors have.
pub const VECTORS: usize = 48;

/// The step before which the memory is reset.
pub(crate) const RESET_AT: usize = 32;

/// Steps of a controller from its start, with a reset before step [`TestVectors::reset_at`].
#[derive(Clone, Debug, PartialEq)]
pub struct TestVectors {
    /// `[n_steps][n_inputs]`.
    pub inputs: Vec<Vec<f64>>,
    /// `[n_steps][n_outputs]`.
    pub outputs: Vec<Vec<f64>>,
    /// The step before which the memory is reset.
    pub reset_at: usize,
}

impl TestVectors {
    /// The vectors of a controller or model.
    #[must_use]
    pub fn of(portable: &Portable) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(0);
        let mut draw = || input_vector(portable, &mut generator);
        let inputs: Vec<Vec<f64>> = (0..VECTORS).map(|_| draw()).collect();
        let mut reference = Reference::new(portable);
        let answer = |(step, inputs): (usize, &Vec<f64>)| {
            if step == RESET_AT {
                reference.reset();
            }
            reference.step(inputs)
        };
        let outputs = inputs.iter().enumerate().map(answer).collect();
        Self { inputs, outputs, reset_at: RESET_AT }
    }
}

impl TestVectors {
    /// The same inputs in fixed point, and what comes out there.
    pub(crate) fn in_fixed_point(&self, fixed: &Fixed) -> (Vec<Vec<i32>>, Vec<Vec<i32>>) {
        let inputs: Vec<Vec<i32>> = self.inputs.iter().map(|row| fixed.inputs(row)).collect();
        let mut memory = vec![0; fixed.n_memory()];
        let answer = |(step, row): (usize, &Vec<i32>)| {
            if step == self.reset_at {
                memory.fill(0);
            }
            let mut outputs = vec![0; self.outputs[0].len()];
            fixed.step(&mut memory, row, &mut outputs);
            outputs
        };
        let outputs = inputs.iter().enumerate().map(answer).collect();
        (inputs, outputs)
    }
}

fn input_vector(portable: &Portable, generator: &mut ChaCha8Rng) -> Vec<f64> {
    // One step in eight is far out.
    let reach = if generator.next_u64() >> 61 == 0 { 40.0 } else { 2.0 };
    let draw = |input: &crate::portable::Input| {
        let share = symmetric(generator.next_u64());
        match &input.encoding {
            Encoding::Scaled { center, scale } => center + scale * (reach * share),
            Encoding::Range { min, max, .. } => {
                let half = 0.5 * (max - min);
                min + half + half * (reach * share)
            }
            Encoding::Words(words) => (generator.next_u64() % words.len() as u64) as f64,
        }
    };
    portable.inputs.iter().map(draw).collect()
}

/// A number in [-1, 1) of the upper 24 bits of a word: short to write down.
fn symmetric(word: u64) -> f64 {
    (word >> 40) as f64 / f64::from(1 << 23) - 1.0
}
