//! The gains of a linear-quadratic regulator, as the weights that a training starts from.

use std::num::NonZeroUsize;

use bitloop_blm::WeightGrid;
use bitloop_net::{Activation, Feedback, Network};
use bitloop_plant::Isa;
use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{FileError, ScenarioFile, TrainingPlan, number};
use bitloop_sim::{Channel, Controller as _};

use super::setup::ClosedLoopSetup;
use crate::error::TrainError;
use crate::lqr_sweep::{LqrSweep, Reach};

/// Bound of the weights of hidden units beside a direct path.
const HIDDEN_RANGE: f64 = 0.5;

/// The weights of a network that commands what the regulator does which is best on the training episodes. Hidden units are
/// drawn from the stream (seed, Initialization, 0, 0), and their weights to the outputs are 0.
///
/// # Errors
/// A network that is not linear in the present observations, observations that are left out, gains beyond the grid, or no
/// regulator.
pub(super) fn lqr_start(
    file: &ScenarioFile,
    plan: &TrainingPlan<'_>,
    setup: &ClosedLoopSetup,
    network: &Network,
    grid: WeightGrid,
) -> Result<Vec<f64>, TrainError> {
    let refused = |message: &str, hint: &str| file.error_at("start", message, hint);
    check_network(network).map_err(|message| {
        refused(message, "write `controller: Linear`, or FeedForward(hidden: [5], direct: true)")
    })?;
    let weights = linear_weights(file, plan, setup)?;
    let largest = weights.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    if largest > grid.weight_range() + 0.5 * grid.epsilon() {
        let message = format!(
            "the gains of LQR need weights up to {}, beyond max_weight = {}",
            number(largest),
            number(grid.weight_range())
        );
        return Err(refused(&message, "raise max_weight, or the scale of the control").into());
    }
    Ok(beside_hidden(network, &weights, file.value.seed))
}

/// Whether the outputs can be linear in the present observations.
fn check_network(network: &Network) -> Result<(), &'static str> {
    let [.., output] = network.layers() else { return Err("there is no network") };
    let is_direct = network.layers().len() == 1 || network.n_direct() > 0;
    if !is_direct {
        Err("the gains of LQR go from inputs to outputs, between which there are hidden units")
    } else if output.activation != Activation::Linear || output.feedback != Feedback::None {
        Err("the gains of LQR need linear outputs")
    } else if network.window() > 1 {
        Err("the gains of LQR are for the present observations, not for a window of them")
    } else {
        Ok(())
    }
}

/// The weights of a linear layer: of each output its bias, then those of the inputs.
fn linear_weights(
    file: &ScenarioFile,
    plan: &TrainingPlan<'_>,
    setup: &ClosedLoopSetup,
) -> Result<Vec<f64>, TrainError> {
    let full = setup.with_full_feedback()?;
    let purpose = Purpose::TrainingEpisodes;
    let training = full.episodes(file, "training", plan.training_episodes, purpose)?;
    let sweep = LqrSweep::new(
        &full.closed_loop,
        &full.nominal_parameters(),
        &training,
        Isa::best(),
        NonZeroUsize::MIN,
        Reach::Few,
    )?;
    let all = full.closed_loop.interface();
    let own = setup.closed_loop.interface();
    let (mut gains, mut offsets) = (Vec::new(), Vec::new());
    for (output, row) in
        all.outputs.iter().zip(sweep.lqr.controller.parameters().chunks(all.inputs.len()))
    {
        // output = -sum_j P_j (y_j - c_j) / s_j, and u = C + S output.
        let in_units = |(gain, input): (&f64, &Channel)| gain * output.scale / input.scale;
        let row: Vec<f64> = row.iter().zip(&all.inputs).map(in_units).collect();
        let at_center: f64 =
            row.iter().zip(&all.inputs).map(|(gain, input)| gain * input.center).sum();
        offsets.push(output.center + at_center);
        let unseen = all.inputs.iter().zip(&row).find(|(input, gain)| {
            **gain != 0.0 && own.inputs.iter().all(|own| own.index != input.index)
        });
        if let Some((input, _)) = unseen {
            return Err(left_out(
                file,
                &full.closed_loop.plant().description().observations[input.index].name,
            )
            .into());
        }
        let gain_of = |index: usize| {
            all.inputs
                .iter()
                .zip(&row)
                .find(|(input, _)| input.index == index)
                .map_or(0.0, |(_, gain)| *gain)
        };
        gains.extend(own.inputs.iter().map(|input| gain_of(input.index)));
    }
    Ok(own.linear_weights(&gains, &offsets))
}

fn left_out(file: &ScenarioFile, name: &str) -> FileError {
    let message = format!(
        "the gains of LQR need the observation `{name}`, which the controller does not see"
    );
    file.error_at("start", message, "add it to `observations`, or leave that out for all")
}

/// The weights of the whole network: hidden units that count nothing, and the linear layer.
fn beside_hidden(network: &Network, linear: &[f64], seed: u64) -> Vec<f64> {
    let n_outputs = network.n_outputs();
    let n_linear = linear.len() / n_outputs;
    let [hidden @ .., _] = network.layers() else { return linear.to_vec() };
    let n_before = hidden.last().map_or(0, |layer| layer.n_neurons);
    let n_hidden = network.n_weights() - n_outputs * (n_linear + n_before);
    let mut stream = Stream::new(seed, Purpose::Initialization, 0, 0);
    let mut weights: Vec<f64> =
        (0..n_hidden).map(|_| HIDDEN_RANGE * (2.0 * stream.uniform_f64() - 1.0)).collect();
    for neuron in linear.chunks(n_linear) {
        weights.push(neuron[0]);
        weights.extend(std::iter::repeat_n(0.0, n_before));
        weights.extend_from_slice(&neuron[1..]);
    }
    weights
}
