//! All that the author of a plant needs: lanes of numbers, elementary functions, the [`Plant`] trait, integrators, and
//! the table of functions through which a host calls a plant.
//!
//! This crate owns the arithmetic of bitloop: whatever the machine, [`Real`] gives the same bits. It must not know
//! controllers, episodes, errors averaged over episodes, or files: it advances batches of states and adds up costs,
//! nothing more. It depends on no other crate of the workspace.
//!
//! Equations are written once, generic over [`Real`], and compiled for every instruction set by [`dispatch()`]. Plain loops
//! over arrays would need no `unsafe`, but the optimizer does not vectorize them reliably; explicit vectors behind one
//! small trait do not depend on it.
//!
//! The [guide] goes from equations to a trained controller, step by step.
//!
//! # A whole plant
//!
//! ```
//! use bitloop_plant::{
//!     Description, Integrator, Isa, Parameter, Plant, PlantHandle, Real, Sizes, Stretch, Variable,
//! };
//!
//! /// A cup of tea on a hotplate: T' = k (room - T) + u, to be kept at 60 degrees.
//! #[derive(Default)]
//! struct Tea;
//!
//! impl Plant for Tea {
//!     fn description(&self) -> Description {
//!         let temperature =
//!             Variable::new("temperature", "degC").scaled(60.0, 10.0).starting_at(20.0);
//!         Description {
//!             name: "tea".to_owned(),
//!             version: "1".to_owned(),
//!             summary: "Tea kept warm by a hotplate.".to_owned(),
//!             states: vec![temperature.clone()],
//!             observations: vec![temperature],
//!             controls: vec![Variable::new("heat", "degC/s").bounded(0.0, 2.0).scaled(1.0, 1.0)],
//!             parameters: vec![
//!                 Parameter::new("k", "1/s", 0.01, "rate of cooling").bounded(0.0, 1.0),
//!                 Parameter::new("room", "degC", 20.0, "temperature of the room"),
//!             ],
//!             structure: vec![],
//!             integrators: vec![Integrator::Euler, Integrator::RungeKutta4],
//!             step_s: 0.5,
//!             sample_time_s: 1.0,
//!         }
//!     }
//!
//!     #[inline(always)]
//!     fn sizes(&self) -> Sizes {
//!         Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 2 }
//!     }
//!
//!     #[inline(always)]
//!     fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
//!         let [k, room] = [p[0], p[1]];
//!         dx[0] = k.mul_add(room - x[0], u[0]);
//!     }
//!
//!     #[inline(always)]
//!     fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
//!         let error = x[0] - 60.0;
//!         error * error
//!     }
//!
//!     // Tea that boils over has failed, and costs 40^2 from then on.
//!     #[inline(always)]
//!     fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
//!         x[0].gt(R::splat(100.0))
//!     }
//! }
//!
//! // A host checks the plant once, and advances eight cups at a time.
//! let tea = PlantHandle::linked::<Tea>(None)?;
//! let mut cups = tea.lanes(8);
//! cups.state.fill(20.0);
//! cups.control.fill(2.0);
//! cups.parameters.row_mut(0).fill(0.01);
//! cups.parameters.row_mut(1).fill(20.0);
//! let stretch = Stretch {
//!     tick: 0,
//!     n_steps: 100,
//!     step_s: 0.5,
//!     integrator: Integrator::Euler,
//!     counts_cost: true,
//! };
//! let n_boiled_over = tea.advance(Isa::best(), &mut cups, 8, stretch)?;
//! assert_eq!(n_boiled_over, 0);
//! // 20 + 200 (1 - e^(-0.01 * 50)), nearly.
//! assert!((cups.state.row(0)[0] - 98.7).abs() < 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

pub mod abi;
mod answer;
mod batch_call;
#[doc = include_str!("../GUIDE.md")]
pub mod guide {}
mod bits;
mod blocks;
mod call_error;
mod calls;
mod codes;
mod contract;
mod described;
mod description;
mod dispatch;
mod export;
mod export_picture;
mod float_mode;
mod function;
mod handle;
mod instance_calls;
mod instances;
mod integrator;
mod isa;
mod kernels;
mod lane_matrix;
mod lanes;
mod math;
pub mod picture;
mod plant;
mod plant_lanes;
mod progress;
mod real;
mod room;
mod scalar_plant;
mod scheme;
mod simulator;
mod simulator_pool;
mod slot_worker;
mod table;

pub use bits::Mask;
pub use blocks::{LANE_STEP, LaneWork, for_each_block};
pub use call_error::{PlantCallError, n_broken_calls};
pub use codes::{
    INTEGRATOR_EULER, INTEGRATOR_PLANT_STEP, INTEGRATOR_RUNGE_KUTTA_4,
    INTEGRATOR_SEMI_IMPLICIT_EULER, MAX_VARIABLES, STATUS_BAD_CALL, STATUS_OK, STATUS_PANIC,
};
pub use contract::{Batch, BatchFunction, PlantTable};
pub use description::{
    Description, DescriptionError, MAX_NAME_BYTES, MAX_TEXT_BYTES, Parameter, Sizes,
    StructuralParameter, Variable,
};
pub use dispatch::{Kernel, dispatch};
pub use float_mode::FloatMode;
pub use handle::PlantHandle;
pub use instances::{Instance, InstanceMaker};
pub use integrator::Integrator;
pub use isa::{Isa, IsaError};
pub use lane_matrix::{LANE_UNIT, LaneMatrix};
pub use lanes::Pair;
pub use plant::Plant;
pub use plant_lanes::{PlantLanes, Stretch};
pub use real::Real;
pub use scalar_plant::{Scalar, ScalarPlant};
pub use simulator::{Equations, Simulator};
pub use slot_worker::SlotState;
