//! [`Examples`]: what a network is to answer to which inputs.

/// Examples, variable by variable: `inputs[i][k]` is input i of sample k, `targets[o][k]` the answer wanted of output o.
///
/// Every variable has `n_samples` finite values; what reads, generates or scales examples in this crate sees to that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    /// How many samples there are.
    pub n_samples: usize,
    /// Inputs: `[n_inputs][n_samples]`.
    pub inputs: Vec<Vec<f64>>,
    /// Targets: `[n_outputs][n_samples]`.
    pub targets: Vec<Vec<f64>>,
    /// How much each sample counts in a loss: `[n_samples]`; none where all count alike.
    pub weights: Option<Vec<f64>>,
}

impl Examples {
    /// How many inputs a sample has.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// How many outputs are wanted of a sample.
    #[must_use]
    pub fn n_outputs(&self) -> usize {
        self.targets.len()
    }

    /// The samples of these indices, in this order.
    ///
    /// # Panics
    /// If an index is not below `n_samples`.
    #[must_use]
    pub fn subset(&self, samples: &[usize]) -> Self {
        let pick = |variables: &[Vec<f64>]| {
            variables.iter().map(|of| samples.iter().map(|&k| of[k]).collect()).collect()
        };
        Self {
            n_samples: samples.len(),
            inputs: pick(&self.inputs),
            targets: pick(&self.targets),
            weights: self.weights.as_ref().map(|of| samples.iter().map(|&k| of[k]).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subset_keeps_the_order_asked_for_in_every_variable() {
        let all = Examples {
            n_samples: 3,
            inputs: vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]],
            targets: vec![vec![7.0, 8.0, 9.0]],
            weights: Some(vec![0.5, 1.0, 1.5]),
        };
        let some = all.subset(&[2, 0]);
        assert_eq!((some.n_samples, some.n_inputs(), some.n_outputs()), (2, 2, 1));
        assert_eq!(some.inputs, [[3.0, 1.0], [6.0, 4.0]]);
        assert_eq!(some.targets, [[9.0, 7.0]]);
        assert_eq!(some.weights, Some(vec![1.5, 0.5]));
    }
}
