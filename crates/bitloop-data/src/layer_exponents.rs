//! The power of two of each layer, from bits, fan-in and data.

use bitloop_blm::WeightGrid;
use bitloop_net::{Activation, LayerScaling, Loss, Network, Samples};

/// Root mean square that the sums of a layer should have at weights drawn from all of the grid, by what they are for. The sums of
/// a short grid can hardly be larger than that, and rarely much smaller, so that it decides what a network can be.
///
/// Chosen on the data of EXPERIMENTS.md, which has what other sizes do. Classes need larger sums in hidden units than numbers, to
/// change steeply at their boundaries; regularization keeps small what need not be steep.
const OF_HIDDEN_FOR_CLASSES: f64 = 3.0;
const OF_HIDDEN_FOR_NUMBERS: f64 = 1.7;
const OF_PROBABILITY: f64 = 4.0;
const OF_NUMBER: f64 = 1.0;

/// The powers of two for the sums of each layer of `network`: those that bring their root mean square nearest to what the layer
/// is for, at independent weights that are uniform on `grid`, over samples whose inputs have the mean square that these have.
#[must_use]
pub fn layer_exponents(
    network: &Network,
    samples: &Samples,
    loss: Loss,
    grid: &WeightGrid,
) -> Vec<i32> {
    let weight_square = mean_square_of_weights(grid);
    let n_samples = samples.n_samples();
    let mut fed_square: f64 = (0..network.n_inputs())
        .map(|input| {
            let row = &samples.inputs().row(input)[..n_samples];
            row.iter().map(|x| x * x).sum::<f64>() / n_samples as f64
        })
        .sum();
    let n_layers = network.layers().len();
    let exponents = network.layers().iter().enumerate().map(|(index, layer)| {
        let wanted = match (index + 1 == n_layers, loss) {
            (false, Loss::SquaredError) => OF_HIDDEN_FOR_NUMBERS,
            (false, _) => OF_HIDDEN_FOR_CLASSES,
            (true, Loss::SquaredError) if layer.activation != Activation::Logistic => OF_NUMBER,
            (true, _) => OF_PROBABILITY,
        };
        // The bias is fed 1.
        let sum_square = weight_square * (1.0 + fed_square);
        let exponent = nearest_exponent(wanted * wanted / sum_square);
        // An output of a hidden unit is at most 1.
        fed_square = layer.n_neurons as f64;
        exponent
    });
    exponents.collect()
}

/// The mean of w^2 over all weights of a grid: over codes from -m to m - 1, that of c^2 is (2 m^2 + 1) / 6.
fn mean_square_of_weights(grid: &WeightGrid) -> f64 {
    let most = f64::from(grid.min_code().unsigned_abs());
    grid.epsilon() * grid.epsilon() * (2.0 * most * most + 1.0) / 6.0
}

/// The power of two that is nearest, on a scale of logarithms, to the root of a square.
fn nearest_exponent(square: f64) -> i32 {
    let (mut rest, mut exponent) = (square, 0);
    while rest >= 2.0 && exponent < LayerScaling::MOST {
        (rest, exponent) = (rest / 4.0, exponent + 1);
    }
    while rest < 0.5 && exponent > -LayerScaling::MOST {
        (rest, exponent) = (rest * 4.0, exponent - 1);
    }
    exponent
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitloop_net::Layer;

    #[test]
    fn the_nearest_power_of_two_on_a_scale_of_logarithms() {
        for (root, exponent) in [(1.0, 0), (1.41, 0), (1.42, 1), (0.71, 0), (0.70, -1), (6.0, 3)] {
            assert_eq!(nearest_exponent(root * root), exponent, "{root}");
        }
        assert_eq!(nearest_exponent(f64::INFINITY), LayerScaling::MOST);
        assert_eq!(nearest_exponent(0.0), -LayerScaling::MOST);
    }

    #[test]
    fn more_inputs_and_longer_weights_make_smaller_steps() {
        let of = |bits, n_inputs: usize| {
            let layers = vec![Layer::new(20, Activation::Tanh), Layer::new(1, Activation::Linear)];
            let network = Network::new(n_inputs, 1, layers).unwrap();
            let inputs = vec![vec![1.0, -1.0]; n_inputs];
            let samples = Samples::new(&inputs, &[vec![0.0, 1.0]]).unwrap();
            let grid = WeightGrid::new(bits, 1.0).unwrap();
            layer_exponents(&network, &samples, Loss::SquaredError, &grid)
        };
        // At 2 bits the root mean square of a weight is 1.22, at 16 bits 0.58; 11 and 65 terms, 21 in the output.
        assert_eq!(of(2, 10), [-1, -2]);
        assert_eq!(of(16, 10), [0, -1]);
        assert_eq!(of(2, 64), [-3, -2]);
    }
}
