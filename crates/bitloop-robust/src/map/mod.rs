//! [`Map`]: failure, error and settling time over a grid of starts or parameters.
//!
//! All else that is drawn is at the middle of its distribution; each cell has noise of its own. Cells are run in chunks, in
//! order, so that a map that was interrupted can be continued; no bit depends on where a chunk ends.

mod axis;
mod kept;

use bitloop_sim::{EpisodeEnd, EpisodeResult, Figure, FixedEpisode};
use serde::{Deserialize, Serialize};

pub use axis::Axis;

use crate::error::{AxisError, RobustError};
use crate::tested::{Running, Tested};

/// The most cells of a map.
pub const MAX_CELLS: usize = 4_000_000;

/// Cells that are run at once.
pub const CHUNK: usize = 4096;

/// How the episode of a cell ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellEnd {
    /// It reached its horizon.
    Horizon,
    /// It failed.
    Failed,
    /// The plant gave a cost that is none.
    Fault,
}

/// The result of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The error; infinite after a fault.
    pub error: f64,
    /// How it ended.
    pub end: CellEnd,
    /// The time after which the stage cost stays low; infinite where it does not.
    pub settling_s: f64,
}

/// A grid of episodes, and the results so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// Row by row from the bottom, each from left to right; as far as it was run.
    pub cells: Vec<Cell>,
}

impl Map {
    /// A map without results.
    ///
    /// # Errors
    /// If both axes are the same, or there are too many cells.
    pub fn new(x: Axis, y: Axis) -> Result<Self, AxisError> {
        let fault = |message: &str, hint: &str| {
            let (axis, message, hint) = (y.name.clone(), message.to_owned(), hint.to_owned());
            Err(AxisError { axis, message, hint })
        };
        if x.name == y.name {
            return fault("it is the other axis too", "name two that differ");
        }
        if x.n.saturating_mul(y.n) > MAX_CELLS {
            return fault("there are more than 4 million cells", "use a coarser grid");
        }
        Ok(Self { x, y, cells: Vec::new() })
    }

    /// How many cells there are in all.
    #[must_use]
    pub const fn n_cells(&self) -> usize {
        self.x.n * self.y.n
    }

    /// Whether all cells have their results.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.cells.len() == self.n_cells()
    }

    /// Where a cell is: x and y.
    #[must_use]
    pub fn place(&self, cell: usize) -> (f64, f64) {
        (self.x.value(cell % self.x.n), self.y.value(cell / self.x.n))
    }

    /// How many cells did not reach their horizon.
    #[must_use]
    pub fn n_failed(&self) -> usize {
        self.cells.iter().filter(|cell| cell.end != CellEnd::Horizon).count()
    }

    /// Runs the next chunk of cells; says whether there are more. A chunk that is called off leaves the map as it was.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn advance(&mut self, tested: &Tested, running: Running<'_>) -> Result<bool, RobustError> {
        let first = self.cells.len();
        let chunk: Vec<usize> = (first..(first + CHUNK).min(self.n_cells())).collect();
        if chunk.is_empty() {
            return Ok(false);
        }
        let Some(cells) = self.run(&chunk, tested, running)? else { return Ok(true) };
        self.cells.extend(cells);
        Ok(!self.is_whole())
    }

    /// Runs some of the cells, wherever they are; none if they are called off.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn run(
        &self,
        cells: &[usize],
        tested: &Tested,
        running: Running<'_>,
    ) -> Result<Option<Vec<Cell>>, RobustError> {
        let episodes = cells.iter().map(|&cell| self.episode(tested, cell));
        let set = tested.set(&episodes.collect::<Vec<FixedEpisode>>())?;
        let Some(evaluation) = tested.run(&set, running, true)? else { return Ok(None) };
        let behaviors = evaluation.behaviors.as_ref();
        let cell = |(position, result): (usize, &EpisodeResult)| {
            let settling = behaviors
                .and_then(|all| all.figure(position, Figure::SettlingTime).first().copied());
            Cell {
                error: result.error,
                end: match result.end {
                    EpisodeEnd::Horizon => CellEnd::Horizon,
                    EpisodeEnd::Failed { .. } => CellEnd::Failed,
                    EpisodeEnd::Fault { .. } => CellEnd::Fault,
                },
                settling_s: settling.unwrap_or(f64::NAN),
            }
        };
        Ok(Some(evaluation.episodes.iter().enumerate().map(cell).collect()))
    }

    fn episode(&self, tested: &Tested, cell: usize) -> FixedEpisode {
        let mut episode = tested.typical(cell as u64);
        self.x.set(&mut episode, cell % self.x.n);
        self.y.set(&mut episode, cell / self.x.n);
        episode
    }
}
