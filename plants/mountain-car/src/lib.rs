//! A car in a valley, too weak for the hill at once, so that it has to swing back and forth: the equations and defaults of
//! the environment `MountainCarContinuous-v0` of Gymnasium, with an error that leads to the goal.

#![forbid(unsafe_code)]

use std::f64::consts::PI;

use bitloop_plant::picture::{Affine, Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State `[position, velocity, reached]`, control `[force]`, observations `[position, velocity]`, parameters
/// `[power, gravity, goal_position, shortfall_weight, effort_weight]`.
///
/// A step of h seconds is that of the environment, whose steps are of 1 s:
/// ```text
/// velocity <- velocity + h (power force - gravity cos(3 position)), held to [-0.07, 0.07]
/// position <- position + h velocity, held to [-1.2, 0.6]; a car that meets the left wall stops
/// ```
/// From the step on that ends with `position >= goal_position` and `velocity >= 0`, `reached` is 1 and nothing moves.
///
/// The stage cost is `1 + shortfall_weight s^2 + effort_weight force^2` until then, and 0 from then on. s is the energy
/// that is missing for the goal, 1 at rest in the valley and 0 where the car could roll there. Nothing fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct MountainCar;

/// The walls.
const POSITIONS: [f64; 2] = [-1.2, 0.6];

/// The bound of the speed, in m/s.
const MAX_SPEED: f64 = 0.07;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<MountainCar>(structure)
}

/// Of the free motion.
#[inline(always)]
fn acceleration<R: Real>(position: R, force: R, p: &[R]) -> R {
    let [power, gravity] = [p[0], p[1]];
    power.mul_add(force, -(gravity * (position * 3.0).cos()))
}

/// The energy that is missing for the goal, in depths of the valley.
#[inline(always)]
fn shortfall<R: Real>(position: R, velocity: R, p: &[R]) -> R {
    let [gravity, goal_position] = [p[1], p[2]];
    // Energy over gravity / 3: the height of the hill is sin(3 position), its lowest -1.
    let goal = (goal_position * 3.0).sin();
    let motion = velocity * velocity * 1.5 / gravity;
    let missing = goal - (position * 3.0).sin() - motion;
    (missing / (goal + 1.0)).max(R::splat(0.0))
}

impl Plant for MountainCar {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        let observations = vec![
            Variable::new("position", "m").bounded(POSITIONS[0], POSITIONS[1]),
            Variable::new("velocity", "m/s").bounded(-MAX_SPEED, MAX_SPEED),
        ];
        let [position, velocity] = [observations[0].clone(), observations[1].clone()];
        Description {
            name: "mountain-car".to_owned(),
            version: "1".to_owned(),
            summary: "A car that must swing in a valley to get up the hill.".to_owned(),
            states: vec![
                position.starting_at(-0.5),
                velocity,
                Variable::new("reached", "").bounded(0.0, 1.0),
            ],
            controls: vec![Variable::new("force", "").bounded(-1.0, 1.0)],
            observations,
            parameters: vec![
                Parameter::new("power", "m/s^2", 0.0015, "acceleration by a force of 1")
                    .bounded(0.0, 1.0),
                Parameter::new("gravity", "m/s^2", 0.0025, "acceleration on the steepest slope")
                    .bounded(1e-6, 1.0),
                Parameter::new("goal_position", "m", 0.45, "where the goal begins")
                    .bounded(0.0, 0.6),
                Parameter::new(
                    "shortfall_weight",
                    "",
                    1.0,
                    "weight of the missing energy, squared",
                )
                .bounded(0.0, 1e3),
                Parameter::new("effort_weight", "", 0.1, "weight of force^2").bounded(0.0, 1e3),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 1.0,
            sample_time_s: 1.0,
        }
    }

    /// Heights are 0.45 sin(3 position), as the environment draws them.
    fn picture(&self) -> Option<Picture> {
        /// The radius of the car.
        const CAR: f64 = 0.06;
        let mut picture = Picture::new(-1.3, 0.7, -0.6, 0.8);
        let height = |position: f64| 0.45 * Real::sin(3.0 * position);
        let [left, right] = POSITIONS;
        let slope = (0..=36).map(|index| {
            let position = left + f64::from(index) / 36.0 * (right - left);
            [position.into(), height(position).into()]
        });
        picture.add(None, Shape::polyline(Role::Ground, slope.collect()));
        picture.add(None, Shape::line(Role::Ground, (left, height(left)), (left, 0.6)));
        // No picture has a sine, but turned frames do: two arms that turn against each other end at twice the height of
        // one, straight above or below where both start.
        let rising = |picture: &mut Picture, from, position: Affine| {
            let angle = position * 3.0;
            let up = picture.frame(None, from, 0.0, angle.clone());
            let across = picture.frame(Some(up), 0.225, 0.0, -angle.clone() * 2.0 + PI);
            picture.frame(Some(across), 0.225, 0.0, angle - PI)
        };
        let goal = rising(&mut picture, parameter(2), parameter(2));
        picture.add(Some(goal), Shape::line(Role::Target, (0.0, 0.0), (0.0, 0.25)));
        let car = rising(&mut picture, state(0), state(0));
        picture.add(Some(car), Shape::circle(Role::Moving, (0.0, CAR), CAR));
        picture.add(Some(car), Shape::line(Role::Force, (0.0, CAR), (control(0) * 0.25, CAR)));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 3, n_controls: 1, n_observations: 2, n_parameters: 5 }
    }

    /// The rates of the free motion; bounds, the wall and a goal that was reached belong to the plant's own step alone.
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        dx[0] = x[1];
        dx[1] = acceleration(x[0], u[0], p);
        dx[2] = R::splat(0.0);
    }

    #[inline(always)]
    fn step<R: Real>(&self, _t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let goal_position = p[2];
        let (h, zero, one) = (R::splat(step_s), R::splat(0.0), R::splat(1.0));
        let [left, right] = POSITIONS.map(R::splat);
        let free = acceleration(x[0], u[0], p).mul_add(h, x[1]);
        let velocity = free.clamp(R::splat(-MAX_SPEED), R::splat(MAX_SPEED));
        let position = velocity.mul_add(h, x[0]).clamp(left, right);
        let stops = position.le(left) & velocity.lt(zero);
        let velocity = R::select(stops, zero, velocity);

        let at_goal = x[2].gt(R::splat(0.5));
        x[0] = R::select(at_goal, x[0], position);
        x[1] = R::select(at_goal, x[1], velocity);
        let reached = at_goal | (x[0].ge(goal_position) & x[1].ge(zero));
        x[2] = R::select(reached, one, zero);
    }

    fn step_order(&self) -> Option<u32> {
        Some(1)
    }

    #[inline(always)]
    fn observe<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R], y: &mut [R]) {
        y.copy_from_slice(&x[..2]);
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [shortfall_weight, effort_weight] = [p[3], p[4]];
        let missing = shortfall(x[0], x[1], p);
        let way = shortfall_weight.mul_add(missing * missing, effort_weight * (u[0] * u[0])) + 1.0;
        R::select(x[2].gt(R::splat(0.5)), R::splat(0.0), way)
    }
}
