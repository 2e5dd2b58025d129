//! A small plant with one of everything, whose parts can be spoiled.

use bitloop_plant::{
    Description, Integrator, Parameter, Plant, Real, Sizes, StructuralParameter, Variable,
};

/// Tanks in a row, the first filled at rate u, each draining into the next.
pub struct Tank {
    n_tanks: usize,
}

impl Default for Tank {
    fn default() -> Self {
        Self { n_tanks: 2 }
    }
}

pub fn description(n_tanks: usize) -> Description {
    let levels: Vec<Variable> = (0..n_tanks)
        .map(|i| Variable::new(&format!("level_{i}"), "m").bounded(0.0, 10.0).starting_at(1.0))
        .collect();
    Description {
        name: "tanks".to_owned(),
        version: "1".to_owned(),
        summary: "Tanks that drain into each other.".to_owned(),
        observations: levels.clone(),
        states: levels,
        controls: vec![Variable::new("inflow", "m/s").bounded(0.0, 1.0).scaled(0.5, 0.5)],
        parameters: vec![
            Parameter::new("drain", "1/s", 0.5, "share that drains a second").bounded(0.0, 10.0),
        ],
        structure: vec![StructuralParameter {
            name: "n_tanks".to_owned(),
            meaning: "how many tanks".to_owned(),
            default: 2,
            min: 1,
            max: 1000,
        }],
        integrators: Tank::INTEGRATORS.to_vec(),
        step_s: 0.1,
        sample_time_s: 0.5,
    }
}

impl Plant for Tank {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler, Integrator::RungeKutta4];

    fn with_structure(structure: &[u64]) -> Self {
        Self { n_tanks: usize::try_from(structure[0]).unwrap() }
    }
    fn description(&self) -> Description {
        description(self.n_tanks)
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        let n = self.n_tanks;
        Sizes { n_states: n, n_controls: 1, n_observations: n, n_parameters: 1 }
    }
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let mut inflow = u[0];
        for (dx, &level) in dx.iter_mut().zip(x) {
            let outflow = p[0] * level;
            *dx = inflow - outflow;
            inflow = outflow;
        }
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[self.n_tanks - 1].abs()
    }
    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
        x[0].gt(R::splat(10.0))
    }
    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        p[0] + 1.0
    }
    #[inline(always)]
    fn terminal_cost<R: Real>(&self, x: &[R], _p: &[R]) -> R {
        x[0] * 2.0
    }
}
