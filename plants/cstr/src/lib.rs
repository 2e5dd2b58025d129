//! A continuous stirred-tank reactor with an exothermic reaction, whose concentration is brought to a set point by the
//! temperature of its cooling jacket. The operating points of interest, in the middle, are unstable.

#![forbid(unsafe_code)]

use bitloop_plant::abi::{Descriptor, descriptor_of};
use bitloop_plant::picture::{Affine, Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State `[concentration, temperature]`, control `[coolant_temperature]`, observations
/// `[concentration, temperature, set_point, error]`, parameters `[flow, volume, feed_concentration, feed_temperature,
/// rate_constant, activation_temperature, density, heat_capacity, reaction_heat, heat_transfer, set_point,
/// failure_temperature]`.
///
/// With times in minutes:
/// ```text
/// r  = k0 exp(-E / T) C
/// C' = q / V (Cf - C) - r
/// T' = q / V (Tf - T) + H / (rho cp) r + UA / (V rho cp) (Tc - T)
/// ```
/// The stage cost is `(C - set_point)^2`; an episode fails where `T > failure_temperature`, and is then charged `Cf^2`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cstr;

/// The plant as a library hands it out. It is here so that the library's crate does not compile the kernels again.
pub static DESCRIPTOR: Descriptor = descriptor_of::<Cstr>();

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<Cstr>(structure)
}

/// Literature and parameters count in minutes, integrators in seconds.
const MINUTES_PER_SECOND: f64 = 1.0 / 60.0;

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("flow", "L/min", 100.0, "in and out, q").bounded(0.0, 1e4),
        Parameter::new("volume", "L", 100.0, "of the reactor, V").bounded(1.0, 1e6),
        Parameter::new("feed_concentration", "mol/L", 1.0, "of A, Cf").bounded(0.0, 100.0),
        Parameter::new("feed_temperature", "K", 350.0, "Tf").bounded(200.0, 600.0),
        Parameter::new("rate_constant", "1/min", 7.2e10, "k0").bounded(0.0, 1e14),
        Parameter::new("activation_temperature", "K", 8750.0, "activation energy over R, E")
            .bounded(0.0, 1e5),
        Parameter::new("density", "g/L", 1000.0, "rho").bounded(1.0, 1e5),
        Parameter::new("heat_capacity", "J/(g K)", 0.239, "cp").bounded(0.01, 100.0),
        Parameter::new("reaction_heat", "J/mol", 5e4, "set free by the reaction, H")
            .bounded(0.0, 1e7),
        Parameter::new("heat_transfer", "J/(min K)", 5e4, "coefficient times area, UA")
            .bounded(0.0, 1e8),
        Parameter::new("set_point", "mol/L", 0.5, "concentration to be kept").bounded(0.0, 100.0),
        Parameter::new("failure_temperature", "K", 400.0, "beyond which the reactor has run away")
            .bounded(200.0, 2000.0),
    ]
}

impl Plant for Cstr {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4, Integrator::Euler];

    fn description(&self) -> Description {
        let concentration = Variable::new("concentration", "mol/L").scaled(0.5, 0.1);
        let temperature = Variable::new("temperature", "K").scaled(350.0, 10.0);
        Description {
            name: "cstr".to_owned(),
            version: "1".to_owned(),
            summary:
                "A stirred-tank reactor kept at a concentration by the temperature of its jacket."
                    .to_owned(),
            states: vec![
                concentration.clone().starting_at(0.5),
                temperature.clone().starting_at(350.0),
            ],
            controls: vec![
                Variable::new("coolant_temperature", "K")
                    .bounded(280.0, 320.0)
                    .scaled(300.0, 20.0)
                    .starting_at(300.0),
            ],
            observations: vec![
                concentration,
                temperature,
                Variable::new("set_point", "mol/L").scaled(0.5, 0.1),
                Variable::new("error", "mol/L").scaled(0.0, 0.1),
            ],
            parameters: parameters(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 2.0,
            sample_time_s: 6.0,
        }
    }

    /// The vessel in its jacket: columns for concentration, from 0 to 1 mol/L, and temperatures, 50 K to a length of 0.5.
    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-0.3, 2.7, -0.35, 1.35);
        let kelvin = |value: Affine| (value - 280.0) * 0.01;
        picture.add(None, Shape::rect(Role::Ground, (-0.1, -0.1), (1.2, 1.3)));
        picture.add(None, Shape::rect(Role::Moving, (0.1, 0.0), (0.3, state(0))));
        let set_point = parameter(10);
        picture.add(None, Shape::line(Role::Target, (0.0, set_point.clone()), (0.5, set_point)));
        picture.add(None, Shape::rect(Role::Body, (0.6, 0.0), (0.3, kelvin(state(1)))));
        picture.add(None, Shape::rect(Role::Ground, (1.3, -0.1), (0.7, 1.3)));
        picture.add(None, Shape::rect(Role::Force, (1.5, 0.0), (0.3, kelvin(control(0)))));
        for (x, text) in [(0.25, "A"), (0.75, "T"), (1.65, "coolant")] {
            picture.add(None, Shape::text(Role::Ground, (x, -0.22), 0.13, text));
        }
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 4, n_parameters: 12 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [concentration, temperature, coolant] = [x[0], x[1], u[0]];
        let [flow, volume, feed_concentration, feed_temperature] = [p[0], p[1], p[2], p[3]];
        let [rate_constant, activation_temperature] = [p[4], p[5]];
        let [density, heat_capacity, reaction_heat, heat_transfer] = [p[6], p[7], p[8], p[9]];
        // Quotients of parameters do not change within a call.
        let dilution = flow / volume;
        let heat_per_kelvin = density * heat_capacity;
        let heating = reaction_heat / heat_per_kelvin;
        let cooling = heat_transfer / (volume * heat_per_kelvin);

        // A reactor that runs away may be thrown below absolute zero within a step, where the law would give infinity: the
        // episode is to end as a failure, and not with NaN.
        let above_zero = temperature.max(R::splat(1.0));
        let rate = rate_constant * (-activation_temperature / above_zero).exp() * concentration;
        let concentration_rate = dilution.mul_add(feed_concentration - concentration, -rate);
        let jacket = cooling * (coolant - temperature);
        let temperature_rate =
            dilution.mul_add(feed_temperature - temperature, heating.mul_add(rate, jacket));
        dx[0] = concentration_rate * MINUTES_PER_SECOND;
        dx[1] = temperature_rate * MINUTES_PER_SECOND;
    }

    #[inline(always)]
    fn observe<R: Real>(&self, _t_s: f64, x: &[R], p: &[R], y: &mut [R]) {
        let set_point = p[10];
        y.copy_from_slice(&[x[0], x[1], set_point, x[0] - set_point]);
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], p: &[R]) -> R {
        let error = x[0] - p[10];
        error * error
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        x[1].gt(p[11])
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        p[2] * p[2]
    }
}
