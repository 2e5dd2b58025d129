//! The Van der Pol oscillator with a control input, brought to rest against its own limit cycle.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Picture, Role, Shape, control, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[x, v]`, control `[u]`, parameters `[mu, rate_weight, control_weight]`.
///
/// ```text
/// x' = v      v' = mu (1 - x^2) v - x + u
/// ```
///
/// The stage cost is `x^2 + rate_weight v^2 + control_weight u^2`. No state is a failure.
#[derive(Clone, Copy, Debug, Default)]
pub struct VanDerPol;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<VanDerPol>(structure)
}

impl Plant for VanDerPol {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        // The limit cycle has an amplitude of 2.
        let states =
            vec![Variable::new("x", "").scaled(0.0, 2.0), Variable::new("v", "").scaled(0.0, 2.0)];
        Description {
            name: "van-der-pol".to_owned(),
            version: "1".to_owned(),
            summary: "The Van der Pol oscillator, brought to rest by a bounded input.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("u", "").bounded(-1.0, 1.0)],
            parameters: vec![
                Parameter::new("mu", "", 1.0, "strength of the nonlinear damping")
                    .bounded(0.0, 100.0),
                Parameter::new("rate_weight", "", 1.0, "weight of v^2 against x^2")
                    .bounded(0.0, 1e3),
                Parameter::new("control_weight", "", 1.0, "weight of u^2 against x^2")
                    .bounded(0.0, 1e3),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.05,
            sample_time_s: 0.1,
        }
    }

    /// The phase plane, with the input as an arrow: it changes v.
    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-3.0, 3.0, -3.0, 3.0);
        picture.add(None, Shape::line(Role::Ground, (-2.8, 0.0), (2.8, 0.0)));
        picture.add(None, Shape::line(Role::Ground, (0.0, -2.8), (0.0, 2.8)));
        picture.add(None, Shape::text(Role::Ground, (2.8, -0.25), 0.25, "x"));
        picture.add(None, Shape::text(Role::Ground, (0.25, 2.75), 0.25, "v"));
        picture.add(None, Shape::circle(Role::Target, (0.0, 0.0), 0.1));
        picture.add(
            None,
            Shape::line(Role::Force, (state(0), state(1)), (state(0), state(1) + control(0))),
        );
        picture.add(None, Shape::circle(Role::Moving, (state(0), state(1)), 0.12));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 3 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [x, v, mu] = [x[0], x[1], p[0]];
        let damping = mu * (-x).mul_add(x, R::splat(1.0));
        dx[0] = v;
        dx[1] = damping.mul_add(v, u[0] - x);
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [rate_weight, control_weight] = [p[1], p[2]];
        let rest = rate_weight.mul_add(x[1] * x[1], control_weight * (u[0] * u[0]));
        x[0].mul_add(x[0], rest)
    }
}
