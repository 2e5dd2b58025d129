//! Small sets of examples that several tests use.

use bitloop_data::{
    ClassWeights, ColumnChoice, Columns, DataSource, DataSpec, Examples, Limits, Missing, OwnFiles,
    Scaling, Spirals, Split, Targets,
};
use bitloop_net::{Activation, Layer, Network};
use bitloop_random::{Purpose, Stream};

/// Layers of tanh units under an output layer.
pub fn network(n_inputs: usize, hidden: &[usize], n_outputs: usize, output: Activation) -> Network {
    let mut layers: Vec<Layer> = hidden.iter().map(|&n| Layer::new(n, Activation::Tanh)).collect();
    layers.push(Layer::new(n_outputs, output));
    Network::new(n_inputs, 1, layers).expect("a network")
}

/// Random inputs in [-1, 1] and targets in [0, 1]; with several outputs the targets of a sample sum to 1.
pub fn random(n_samples: usize, n_inputs: usize, n_outputs: usize) -> Examples {
    let mut stream = Stream::new(3, Purpose::SyntheticData, 0, 0);
    let mut variables = |n: usize, low: f64| -> Vec<Vec<f64>> {
        let mut draw = || low + (1.0 - low) * stream.uniform_f64();
        (0..n).map(|_| (0..n_samples).map(|_| draw()).collect()).collect()
    };
    let (inputs, mut targets) = (variables(n_inputs, -1.0), variables(n_outputs, 0.0));
    if n_outputs > 1 {
        for k in 0..n_samples {
            let sum: f64 = targets.iter().map(|target| target[k]).sum();
            for target in &mut targets {
                target[k] /= sum;
            }
        }
    }
    Examples { n_samples, inputs, targets, weights: None }
}

/// The paper's 193 training points of the two spirals.
pub fn two_spirals() -> Examples {
    DataSpec {
        source: DataSource::Spirals(Spirals::Halves193),
        columns: Columns {
            inputs: None,
            ignored: vec![],
            nominal: vec![],
            targets: Targets::Classes(ColumnChoice::Number(3)),
        },
        scaling: Scaling { inputs: None, targets: None, ..Scaling::default() },
        own_files: OwnFiles::default(),
        missing: Missing::Refuse,
        class_weights: ClassWeights::Equal,
        split: Split::all(193),
        limits: Limits::default(),
    }
    .load()
    .expect("the spirals")
    .training
}
