//! The outputs of a network for rows.

use bitloop_net::{Network, OutputFit, apply_fits};
use bitloop_plant::Isa;

/// Rows that are evaluated together.
const CHUNK: usize = 256;

/// What a network answers, with what becomes of its outputs: `[n_outputs][n_rows]`, for scaled inputs `[n_inputs][n_rows]` or longer.
pub(super) fn outputs(
    isa: Isa,
    (network, weights, fits): (&Network, &[f64], &[OutputFit]),
    inputs: &[impl AsRef<[f64]>],
    n_rows: usize,
) -> Vec<Vec<f64>> {
    let mut outputs = vec![Vec::with_capacity(n_rows); network.n_outputs()];
    let mut lanes = network.signals(CHUNK);
    for start in (0..n_rows).step_by(CHUNK) {
        let n = CHUNK.min(n_rows - start);
        for (row, input) in inputs.iter().enumerate() {
            lanes.input.row_mut(row)[..n].copy_from_slice(&input.as_ref()[start..start + n]);
        }
        network.forward(isa, weights, n, &mut lanes);
        apply_fits(fits, &mut lanes.output, n);
        for (row, output) in outputs.iter_mut().enumerate() {
            output.extend_from_slice(&lanes.output.row(row)[..n]);
        }
    }
    outputs
}
