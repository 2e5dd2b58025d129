//! Passes over the chunks: a probe, which writes nothing and stops early, and a commit.

use std::ops::Range;

use bitloop_plant::{Kernel, LaneMatrix, Pair, Real};

use super::loss_sum::CostScale;
use super::measure::Partial;
use super::reach::{ChunkReach, ChunkRows, Neurons, Reach, Setting};

/// How many chunks before its turn one is fetched: long enough for far memory, short enough to still be there.
const AHEAD: usize = 3;

/// Asks whether the cost of the other network is below a bound, and writes nothing but working memory. As soon as it is
/// certainly not below, it stops.
pub(super) struct ProbeKernel<'a, C> {
    pub setting: Setting<'a>,
    pub reach: Reach<'a>,
    pub current: &'a Neurons,
    pub scale: CostScale,
    pub bound: f64,
    /// The blocks of each chunk, in the order in which chunks are looked at.
    pub chunks: &'a [Range<usize>],
    pub aborts: bool,
    /// Whether the answer is no longer needed.
    pub is_canceled: C,
    pub rows: &'a mut ChunkRows,
    pub block_sums: &'a mut [f64],
    pub partial: &'a mut Partial,
}

impl<C: Fn() -> bool> Kernel for ProbeKernel<'_, C> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<R: Real>(self) -> Option<f64> {
        let Self { setting, reach, current, rows, block_sums, partial, .. } = self;
        partial.clear();
        let enough = self.scale.sum_of_cost(self.bound);
        for (index, blocks) in self.chunks.iter().enumerate() {
            fetch_ahead(setting, reach, current, self.chunks, index);
            ChunkReach::new(setting, reach, current, blocks).compute::<Pair<R>>(rows);
            setting.sum_blocks::<R>(blocks, rows, block_sums, partial);
            let is_hopeless = || {
                let sum_of_some = partial.lower_bound(setting.measure);
                sum_of_some >= enough && self.scale.is_hopeless(sum_of_some, self.bound)
            };
            if self.aborts && is_hopeless() || (self.is_canceled)() {
                return None;
            }
        }
        Some(self.scale.cost_of_sum(setting.total(block_sums))).filter(|&cost| cost < self.bound)
    }
}

/// Makes the other network the current one; gives its cost.
pub(super) struct CommitKernel<'a> {
    pub setting: Setting<'a>,
    pub reach: Reach<'a>,
    pub current: &'a mut Neurons,
    pub scale: CostScale,
    pub chunks: &'a [Range<usize>],
    pub rows: &'a mut ChunkRows,
    pub block_sums: &'a mut [f64],
    pub partial: &'a mut Partial,
}

impl Kernel for CommitKernel<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<R: Real>(self) -> f64 {
        let Self { setting, reach, current, rows, block_sums, partial, .. } = self;
        partial.clear();
        let first_layer = reach.first.first().map_or(0, |change| change.layer);
        let place = &setting.places[first_layer];
        let n_rows = current.sums.n_rows();
        let later = if reach.first.is_empty() { 0 } else { place.first_row + place.n_neurons };
        for (index, blocks) in self.chunks.iter().enumerate() {
            fetch_ahead(setting, reach, current, self.chunks, index);
            let chunk = ChunkReach::new(setting, reach, current, blocks);
            let lanes = chunk.lanes.clone();
            chunk.compute::<Pair<R>>(rows);
            let touched = reach.touched.iter().map(|neuron| place.first_row + neuron);
            for row in touched.chain(later..n_rows) {
                keep(&rows.neurons.sums, &mut current.sums, row, &lanes);
                keep(&rows.neurons.outputs, &mut current.outputs, row, &lanes);
            }
            setting.sum_blocks::<R>(blocks, rows, block_sums, partial);
        }
        self.scale.cost_of_sum(setting.total(block_sums))
    }
}

/// Fetches the chunk whose turn comes [`AHEAD`] after that of `index`.
#[inline(always)]
fn fetch_ahead(
    setting: Setting<'_>,
    reach: Reach<'_>,
    current: &Neurons,
    chunks: &[Range<usize>],
    index: usize,
) {
    if let Some(blocks) = chunks.get(index + AHEAD) {
        ChunkReach::new(setting, reach, current, blocks).prefetch();
    }
}

#[inline(always)]
fn keep(rows: &LaneMatrix, kept: &mut LaneMatrix, row: usize, lanes: &Range<usize>) {
    kept.row_mut(row)[lanes.clone()].copy_from_slice(&rows.row(row)[..lanes.len()]);
}
