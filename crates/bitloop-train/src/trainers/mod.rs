//! The search methods. Each does one run at a time; [`Session`](crate::session::Session) does the rest of a training.

mod cma_es;
mod extreme_learning;
mod gradient_descent;
mod random_search;
mod restarts;
mod sampling;
mod telescopic_blm;

pub use cma_es::CmaEs;
pub use extreme_learning::ExtremeLearningMachine;
pub use gradient_descent::GradientDescent;
pub use random_search::RandomSearch;
pub use restarts::{CmaEsOptions, Restarts};
pub use telescopic_blm::TelescopicBlm;
