//! A mass on a spring with a damper, brought to rest by a force: the plant for which the best controller is known.

#![forbid(unsafe_code)]

use bitloop_plant::abi::{Descriptor, descriptor_of};
use bitloop_plant::picture::{Affine, Picture, Role, Shape, control, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[x, v]`, control `[force]`, parameters
/// `[mass, damping, stiffness, velocity_weight, force_weight]`.
///
/// ```text
/// x' = v      m v' = F - c v - k x
/// ```
///
/// The stage cost is `x^2 + velocity_weight v^2 + force_weight F^2`. Nothing fails: the force is bounded, and spring and
/// damper hold the mass.
#[derive(Clone, Copy, Debug, Default)]
pub struct MassSpringDamper;

/// The plant as a library hands it out. It is here so that the library's crate does not compile the kernels again.
pub static DESCRIPTOR: Descriptor = descriptor_of::<MassSpringDamper>();

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<MassSpringDamper>(structure)
}

impl Plant for MassSpringDamper {
    const INTEGRATORS: &'static [Integrator] =
        &[Integrator::RungeKutta4, Integrator::Euler, Integrator::SemiImplicitEuler];

    fn description(&self) -> Description {
        let states = vec![Variable::new("x", "m"), Variable::new("v", "m/s")];
        Description {
            name: "mass-spring-damper".to_owned(),
            version: "1".to_owned(),
            summary: "A mass on a spring with a damper, brought to rest by a force.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("force", "N").bounded(-10.0, 10.0)],
            parameters: vec![
                Parameter::new("mass", "kg", 1.0, "m").bounded(1e-3, 1e3),
                Parameter::new("damping", "N s/m", 0.2, "force of the damper per speed, c")
                    .bounded(0.0, 1e3),
                Parameter::new("stiffness", "N/m", 1.0, "force of the spring per length, k")
                    .bounded(0.0, 1e3),
                Parameter::new("velocity_weight", "s^2", 0.0, "weight of v^2 against x^2")
                    .bounded(0.0, 1e3),
                Parameter::new("force_weight", "m^2/N^2", 0.1, "weight of F^2 against x^2")
                    .bounded(0.0, 1e3),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.02,
            sample_time_s: 0.1,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-2.2, 2.2, -0.8, 1.0);
        picture.add(None, Shape::line(Role::Ground, (-2.0, -0.5), (-2.0, 0.7)));
        picture.add(None, Shape::line(Role::Ground, (-2.0, -0.3), (2.2, -0.3)));
        picture.add(None, Shape::line(Role::Target, (0.0, -0.6), (0.0, -0.3)));
        // The left side of the mass is at x - 0.3: points of spring and damper divide the way from the wall to it.
        let along = |part: f64| (state(0) + 1.7) * part - 2.0;
        let coil = |index: u32| {
            let height = [0.5, 0.2][index as usize % 2];
            [along((f64::from(index) + 1.0) / 13.0), Affine::from(height)]
        };
        let mut spring = vec![[along(0.0), Affine::from(0.35)]];
        spring.extend((0..12).map(coil));
        spring.push([along(1.0), Affine::from(0.35)]);
        picture.add(None, Shape::polyline(Role::Body, spring));
        picture.add(None, Shape::line(Role::Body, (-2.0, -0.1), (-1.2, -0.1)));
        picture.add(None, Shape::rect(Role::Body, (-1.2, -0.2), (0.5, 0.2)));
        picture.add(None, Shape::line(Role::Body, (-0.95, -0.1), (along(1.0), -0.1)));
        let mass = picture.frame(None, state(0), 0.15, 0.0);
        picture.add(Some(mass), Shape::rect(Role::Moving, (-0.3, -0.45), (0.6, 0.9)));
        let push = control(0) * 0.2;
        picture.add(Some(mass), Shape::line(Role::Force, (0.0, 0.0), (push, 0.0)));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 5 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [mass, damping, stiffness] = [p[0], p[1], p[2]];
        let force = stiffness.mul_add(-x[0], damping.mul_add(-x[1], u[0]));
        // The inverse does not change within a call, and a multiplication is cheaper than a division.
        let inverse_mass = R::splat(1.0) / mass;
        dx[0] = x[1];
        dx[1] = force * inverse_mass;
    }

    #[inline(always)]
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        [Some(1), None][state_index]
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [velocity_weight, force_weight] = [p[3], p[4]];
        let rest = velocity_weight.mul_add(x[1] * x[1], force_weight * (u[0] * u[0]));
        x[0].mul_add(x[0], rest)
    }
}
