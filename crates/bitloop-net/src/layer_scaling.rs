//! [`LayerScaling`]: powers of two by which the sums of layers are multiplied.

use thiserror::Error;

use crate::shape::{Network, n_weights_of};

/// Powers of two by which the sums of a network's layers are multiplied, so that weights of a few bits can be large in one layer
/// and small in another, and a device computes with integers and shifts:
/// ```text
/// o_j = f(2^e_l s_j), for neuron j of layer l
/// ```
/// It is the same network as one whose weights are multiplied, to the last bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerScaling {
    /// e for each layer; none where all are 0.
    exponents: Vec<i32>,
}

/// Why sums cannot be multiplied so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayerScalingError {
    /// A list of another length than that of the layers.
    #[error("{found} powers of two for {expected} layers")]
    Count {
        /// The layers.
        expected: usize,
        /// The powers.
        found: usize,
    },
    /// A power beyond any use.
    #[error("a power of two must be from -{most} to {most}, found {found}", most = LayerScaling::MOST)]
    Range {
        /// The power.
        found: i32,
    },
}

impl LayerScaling {
    /// The largest power in magnitude: beyond use, and far from what a `f64` cannot hold.
    pub const MOST: i32 = 64;

    /// These powers for the layers of `network`; an empty list multiplies nothing.
    ///
    /// # Errors
    /// Another number of layers, or a power beyond any use.
    pub fn new(network: &Network, exponents: &[i32]) -> Result<Self, LayerScalingError> {
        let (expected, found) = (network.layers().len(), exponents.len());
        if found != 0 && found != expected {
            return Err(LayerScalingError::Count { expected, found });
        }
        if let Some(&found) =
            exponents.iter().find(|exponent| exponent.unsigned_abs() > Self::MOST.unsigned_abs())
        {
            return Err(LayerScalingError::Range { found });
        }
        let is_plain = exponents.iter().all(|&exponent| exponent == 0);
        Ok(Self { exponents: if is_plain { Vec::new() } else { exponents.to_vec() } })
    }

    /// 2^exponent, for exponents of up to [`LayerScaling::MOST`] in magnitude; those beyond count as that.
    #[must_use]
    pub fn power_of_two(exponent: i32) -> f64 {
        const BIAS: i32 = f64::MAX_EXP - 1;
        let exponent = exponent.clamp(-Self::MOST, Self::MOST);
        f64::from_bits(u64::from((BIAS + exponent).unsigned_abs()) << (f64::MANTISSA_DIGITS - 1))
    }

    /// e for each layer; none where all are 0.
    #[must_use]
    pub fn exponents(&self) -> &[i32] {
        &self.exponents
    }

    /// What the sums of a layer are multiplied by.
    #[must_use]
    pub fn factor(&self, layer_index: usize) -> f64 {
        self.exponents.get(layer_index).map_or(1.0, |&exponent| Self::power_of_two(exponent))
    }

    /// The weights of the same network whose sums are multiplied by nothing.
    ///
    /// # Panics
    /// If `weights` are those of another network.
    #[must_use]
    pub fn weights(&self, network: &Network, weights: &[f64]) -> Vec<f64> {
        assert_eq!(weights.len(), network.n_weights(), "weights of another network");
        let mut scaled = weights.to_vec();
        let mut rest = scaled.as_mut_slice();
        for (index, (n_fed, layer)) in network.fed_layers().enumerate() {
            let (own, others) = rest.split_at_mut(layer.n_neurons * n_weights_of(n_fed, layer));
            let factor = self.factor(index);
            for weight in own {
                *weight *= factor;
            }
            rest = others;
        }
        scaled
    }
}
