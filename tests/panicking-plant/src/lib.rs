//! A belt that comes off at its first step: a plant written in Rust that panics, for tests of hosts.

#![forbid(unsafe_code)]

use bitloop_plant::{Description, Integrator, Scalar, ScalarPlant, Sizes, Variable};

/// The plant.
#[derive(Debug, Default)]
pub struct Belt;

impl ScalarPlant for Belt {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler];

    fn description(&self) -> Description {
        let speed = Variable::new("speed", "m/s");
        Description {
            name: "belt".to_owned(),
            version: "1".to_owned(),
            summary: "A belt that comes off at its first step.".to_owned(),
            states: vec![speed.clone()],
            observations: vec![speed],
            controls: vec![Variable::new("acceleration", "m/s^2")],
            parameters: Vec::new(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.1,
            sample_time_s: 0.1,
        }
    }

    fn sizes(&self) -> Sizes {
        Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 0 }
    }

    fn derivative(&self, _t_s: f64, _x: &[f64], _u: &[f64], _p: &[f64], _dx: &mut [f64]) {
        panic!("the belt came off");
    }

    fn stage_cost(&self, _t_s: f64, x: &[f64], _u: &[f64], _p: &[f64]) -> f64 {
        x[0] * x[0]
    }
}

bitloop_plant::export_plant!(Scalar<Belt>, name: "belt");
