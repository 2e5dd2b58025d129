//! [`Candidate`]: the rows that changed weights reach, computed anew.

use bitloop_plant::LaneMatrix;

use super::loss_sum::BLOCK;
use super::place::{Place, PlacedChange};

/// Exact sums and outputs of the neurons that some changes reach, and what the changed network costs.
///
/// Rows: first the touched neurons of the first changed layer, then every neuron of the layers after it.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The changes, sorted by weight; empty where nothing is known.
    pub changes: Vec<PlacedChange>,
    pub first_layer: usize,
    /// The neurons of the first changed layer that have changed weights, ascending.
    pub touched: Vec<usize>,
    pub sums: LaneMatrix,
    pub outputs: LaneMatrix,
    /// The values of the output layer in a few lanes, where only some of them changed.
    pub finals: LaneMatrix,
    pub block_losses: Vec<f64>,
    pub cost: f64,
}

impl Candidate {
    pub fn new(n_outputs: usize, n_lanes: usize, n_blocks: usize) -> Self {
        Self {
            changes: Vec::new(),
            first_layer: 0,
            touched: Vec::new(),
            sums: LaneMatrix::zeros(0, n_lanes),
            outputs: LaneMatrix::zeros(0, n_lanes),
            finals: LaneMatrix::zeros(n_outputs, BLOCK),
            block_losses: vec![0.0; n_blocks],
            cost: f64::NAN,
        }
    }

    /// Forgets what was computed, and turns to other changes, sorted by weight and at least one.
    pub fn turn_to(&mut self, changes: &[PlacedChange]) {
        self.changes.clear();
        self.changes.extend_from_slice(changes);
        touched_by(changes, &mut self.first_layer, &mut self.touched);
    }

    /// Turns to a network that is new as a whole.
    pub fn turn_to_all(&mut self, places: &[Place]) {
        self.changes.clear();
        self.first_layer = 0;
        self.touched.clear();
        self.touched.extend(0..places[0].n_neurons);
    }

    /// Makes room for the rows that the changes reach.
    pub fn make_room(&mut self, places: &[Place]) {
        let later = &places[self.first_layer + 1..];
        let n_rows = self.touched.len() + later.iter().map(|place| place.n_neurons).sum::<usize>();
        if self.sums.n_rows() < n_rows {
            let n_lanes = self.sums.n_lanes();
            self.sums = LaneMatrix::zeros(n_rows, n_lanes);
            self.outputs = LaneMatrix::zeros(n_rows, n_lanes);
        }
    }

    /// The row here of the first neuron of a layer after the first changed one.
    pub fn first_row(&self, places: &[Place], layer: usize) -> usize {
        self.touched.len() + places[layer].first_row - places[self.first_layer + 1].first_row
    }
}

/// The first changed layer, and which of its neurons have changed weights.
pub(super) fn touched_by(
    changes: &[PlacedChange],
    first_layer: &mut usize,
    touched: &mut Vec<usize>,
) {
    touched.clear();
    *first_layer = changes.first().map_or(0, |change| change.layer);
    for change in changes.iter().take_while(|change| change.layer == *first_layer) {
        if touched.last() != Some(&change.neuron) {
            touched.push(change.neuron);
        }
    }
}
