//! Linear feedback as a network without hidden layers.

use bitloop_sim::Interface;

/// The weights of u = -K y, with u and y in the plant's units and `gains: [n_outputs][n_inputs]`.
///
/// ```text
/// the network sees (y - c) / s and gives (u - C) / S
/// weight of input j:  -K_ij s_j / S_i
/// bias:               (-sum_j K_ij c_j - C_i) / S_i
/// ```
pub(super) fn weights(gains: &[f64], interface: &Interface) -> Vec<f64> {
    let mut weights = Vec::new();
    for (output, row) in interface.outputs.iter().zip(gains.chunks(interface.inputs.len())) {
        let inputs = || interface.inputs.iter().zip(row);
        let at_center: f64 = inputs().map(|(input, gain)| -gain * input.center).sum();
        weights.push((at_center - output.center) / output.scale);
        weights.extend(inputs().map(|(input, gain)| -gain * input.scale / output.scale));
    }
    weights
}
