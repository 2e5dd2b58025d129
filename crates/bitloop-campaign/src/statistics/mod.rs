//! Statistics of independent trainings: order statistics, success probability, costs to a success, and where to cut off.
//!
//! A training is known only as the numbers of [`TrainingFacts`]. A *cost* is an amount spent, such as evaluations; the
//! expected cost to a success is the cost of all trainings together over the number of successes, which is what independent
//! restarts of the same training cost on the mean until one succeeds (Hoos & Stützle, "Stochastic Local Search", Sec. 4.2;
//! the "expected running time" of Hansen et al., BBOB 2009).

mod bootstrap;
mod cutoff;
mod facts;
mod ratio;
mod summary;
mod wilson;

pub use bootstrap::ExpectedCost;
pub use cutoff::{Cutoff, best_cutoff};
pub use facts::TrainingFacts;
pub use ratio::geometric_mean;
pub use summary::Summary;
pub use wilson::{Interval, wilson};
