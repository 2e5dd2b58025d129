//! Gains against those of value iteration, and plants and loops that are refused.

use bitloop_lqr::{Lqr, LqrError, Rest, short_number};
use bitloop_plant::{
    Description, Integrator, Isa, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};
use bitloop_random::{Purpose, Stream};
use bitloop_sim::{
    ClosedLoop, Controller as _, Distribution, EpisodeRanges, EpisodeSet, Interface, Timing,
};

/// A mass pushed by a force in a constant wind, its cost c'x^2 about a goal: by a step of its own, exact for held force.
#[derive(Default)]
struct Mass;

impl Plant for Mass {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        let states = vec![Variable::new("x", "m"), Variable::new("v", "m/s")];
        Description {
            name: "mass".to_owned(),
            version: "1".to_owned(),
            summary: "A mass on a rail.".to_owned(),
            observations: states.iter().cloned().map(|state| state.scaled(0.0, 4.0)).collect(),
            states,
            controls: vec![Variable::new("force", "N").scaled(0.0, 2.0)],
            parameters: vec![
                Parameter::new("wind", "N", 0.0, "a force that does not cease"),
                Parameter::new("goal", "m", 0.0, "where the mass shall be"),
                Parameter::new("grip", "", 1.0, "share of the force that arrives"),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.5,
            sample_time_s: 0.5,
        }
    }
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 3 }
    }
    fn step<R: Real>(&self, _t_s: f64, h: f64, x: &mut [R], u: &[R], p: &[R]) {
        let force = p[2] * u[0] + p[0];
        x[0] = x[0] + R::splat(h) * x[1] + R::splat(0.5 * h * h) * force;
        x[1] += R::splat(h) * force;
    }
    fn derivative<R: Real>(&self, _t_s: f64, _x: &[R], _u: &[R], _p: &[R], dx: &mut [R]) {
        dx.fill(R::splat(f64::NAN));
    }
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], p: &[R]) -> R {
        let off = x[0] - p[1];
        off * off
    }
}

fn mass_loop() -> ClosedLoop {
    let plant = PlantHandle::linked::<Mass>(None).expect("a plant");
    let interface = Interface::of(plant.description());
    let timing = Timing::new(0.5, 0.5).expect("a multiple");
    ClosedLoop::new(plant, timing, Integrator::PlantStep, interface, None).expect("a loop")
}

/// The gains of the mass by value iteration in plain numbers: sum of the x^2 after each step, plus r u^2.
fn gains_by_iteration(h: f64, r: f64) -> [f64; 2] {
    let a = [[1.0, h], [0.0, 1.0]];
    let b = [0.5 * h * h, h];
    // M is the cost of where a step leads: itself, and all after it.
    let mut p = [[0.0; 2]; 2];
    let mut gains = [0.0; 2];
    for _ in 0..2000 {
        let mut m = p;
        m[0][0] += 1.0;
        let times =
            |v: [f64; 2]| [m[0][0] * v[0] + m[0][1] * v[1], m[1][0] * v[0] + m[1][1] * v[1]];
        let dot = |v: [f64; 2], w: [f64; 2]| v[0] * w[0] + v[1] * w[1];
        let columns = [[a[0][0], a[1][0]], [a[0][1], a[1][1]]];
        let weight = r + dot(b, times(b));
        gains = columns.map(|column| dot(times(b), column) / weight);
        for i in 0..2 {
            for j in 0..2 {
                p[i][j] = dot(columns[i], times(columns[j])) - gains[i] * gains[j] * weight;
            }
        }
    }
    gains
}

#[test]
fn gains_of_a_double_integrator_are_those_of_value_iteration() {
    let control_weight = 0.1;
    let lqr = Lqr::new(&mass_loop(), &[0.0, 0.0, 1.0], control_weight).expect("gains");
    // The scale of the control is 2, and the weight is per squared scale.
    let expected = gains_by_iteration(0.5, control_weight / 4.0);
    for (found, expected) in lqr.gains.iter().zip(expected) {
        // What finite differences leave.
        assert!((found - expected).abs() < 1e-6 * expected.abs(), "{found} {expected}");
    }
    assert!(lqr.spectral_radius < 1.0);
}

#[test]
fn plants_that_do_not_rest_at_their_goal_or_do_not_obey_are_refused() {
    let refused = |parameters: [f64; 3]| Lqr::new(&mass_loop(), &parameters, 0.1).unwrap_err();
    let windy = refused([1.0, 0.0, 1.0]);
    assert!(matches!(windy, LqrError::NoEquilibrium { ref state, .. } if state == "x"), "{windy}");
    // What the control is held at, what moves by how much, and how much it may.
    for part in ["with force = 0:", "`x` moves by 0.125", "by more than 1e-6"] {
        assert!(windy.to_string().contains(part), "{windy}");
    }
    let sloping = refused([0.0, 1.0, 1.0]);
    assert!(matches!(sloping, LqrError::CostSlope { ref state, .. } if state == "x"), "{sloping}");
    assert_eq!(refused([0.0, 0.0, 0.0]), LqrError::NotStabilizable);
    let weightless = Lqr::new(&mass_loop(), &[0.0, 0.0, 1.0], 0.0).unwrap_err();
    assert_eq!(weightless, LqrError::ControlWeight { found: 0.0 });
}

/// The mass with a center and bounds of its force.
fn mass_at(center: f64, bounds: (f64, f64)) -> ClosedLoop {
    let all = mass_loop();
    let mut interface = all.interface().clone();
    interface.outputs[0].center = center;
    interface.outputs[0].bounds = bounds;
    all.with_interface(interface).expect("an interface")
}

#[test]
fn a_force_against_the_wind_is_found_within_its_bounds() {
    let wind = [1.5, 0.0, 0.5];
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let held = |center, bounds, parameters: [f64; 3]| {
        Rest::new(&mass_at(center, bounds), &parameters).map(|rest| rest.controls)
    };
    // Half of the force arrives.
    assert_eq!(held(0.0, free, wind), Ok(vec![-3.0]));
    assert_eq!(held(0.0, (-3.0, 10.0), wind), Ok(vec![-3.0]));
    let weak = held(0.0, (-2.9, 10.0), wind).unwrap_err();
    assert!(matches!(weak, LqrError::NoEquilibrium { .. }), "{weak}");
    // The message names the force with which the mass moves least.
    let short = weak.in_short();
    assert!(short.contains("with force = -2.9 `v` moves by 0.025 in a control period"), "{short}");
    // Around it there are the gains that there are without wind.
    let gains = |center, wind| {
        Lqr::new(&mass_at(center, free), &[wind, 0.0, 0.5], 0.1).expect("gains").gains
    };
    for (windy, still) in gains(-3.0, 1.5).iter().zip(gains(0.0, 0.0)) {
        assert!((windy - still).abs() < 1e-6 * still.abs(), "{windy} {still}");
    }
    // A center that holds the state is kept to the last bit, even beside a rounder number.
    assert_eq!(held(1e-8, free, [0.0, 0.0, 1.0]), Ok(vec![1e-8]));
    // One that is not legal is none.
    assert!(held(0.0, (1.0, 2.0), [0.0, 0.0, 1.0]).is_err());
}

#[test]
fn thrusts_that_hover_are_found_from_none() {
    let plant = bitloop_planar_quadrotor::open(None).expect("a plant");
    let parameters: Vec<f64> = plant.description().parameters.iter().map(|p| p.default).collect();
    let mut interface = Interface::of(plant.description());
    let own: Vec<f64> = interface.outputs.iter().map(|channel| channel.center).collect();
    for channel in &mut interface.outputs {
        (channel.center, channel.scale) = (0.0, 1.0);
    }
    let timing = Timing::new(plant.description().step_s, plant.description().sample_time_s);
    let integrator = plant.description().integrators[0];
    let free = ClosedLoop::new(plant, timing.expect("a multiple"), integrator, interface, None);
    let found = Rest::new(&free.expect("a loop"), &parameters).expect("hovers");
    for (found, own) in found.controls.iter().zip(own) {
        assert!((found - own).abs() < 1e-5 * own, "{found} {own}");
        assert!(found.to_string().len() < 10, "{found}");
    }
    assert_eq!(found.observations, vec![0.0; 6]);
}

#[test]
fn a_short_number_is_the_first_that_is_near() {
    for (value, tolerance, short) in [
        (0.199_999_999_8, 1e-7, 0.2),
        (41.666_666_666_666_664, 1e-6, 41.666_667),
        (-1.0 / 3.0, 0.0, -1.0 / 3.0),
        (3e-9, 1e-7, 0.0),
    ] {
        assert_eq!(short_number(value, tolerance), short, "{value}");
    }
}

#[test]
fn a_loop_that_does_not_feed_back_all_states_is_refused() {
    let plant = bitloop_inverted_pendulum::open(None).expect("a plant");
    let mut interface = Interface::of(plant.description());
    interface.inputs.truncate(2);
    let parameters: Vec<f64> = plant.description().parameters.iter().map(|p| p.default).collect();
    let timing = Timing::new(0.01, 0.1).expect("a multiple");
    let positions = ClosedLoop::new(plant, timing, Integrator::Euler, interface, None);
    let error = Lqr::new(&positions.expect("a loop"), &parameters, 1e-3).unwrap_err();
    assert_eq!(error, LqrError::ObservationCount { n_observations: 2, n_states: 4 });
    assert!(error.to_string().contains("2 of 4 states"), "{error}");
}

/// Episodes of the mass from anywhere near its goal.
fn episodes(closed_loop: &ClosedLoop) -> EpisodeSet {
    let within = |half: f64| Distribution::Uniform { low: -half, high: half };
    let ranges = EpisodeRanges {
        initial: vec![within(1.0), within(0.5)],
        parameters: [0.0, 0.0, 1.0].map(Distribution::Fixed).to_vec(),
        horizon_s: 10.0,
        transient_s: 0.0,
    };
    let words = |episode| {
        let mut stream = Stream::new(1, Purpose::TestEpisodes, 0, episode);
        move || stream.next_u64()
    };
    EpisodeSet::draw(closed_loop, 7, &ranges, words).expect("episodes")
}

#[test]
fn states_that_are_not_observed_are_fed_back_themselves() {
    let all = mass_loop();
    let parameters = [0.0, 0.0, 1.0];
    let full = Lqr::new(&all, &parameters, 0.1).expect("gains");
    let same = Lqr::loop_with_all_states(&all, &parameters);
    assert!(!same.feeds_back_states());
    let mut interface = all.interface().clone();
    interface.inputs.truncate(1);
    let position = all.with_interface(interface).expect("an interface");
    let states = Lqr::loop_with_all_states(&position, &parameters);
    assert!(states.feeds_back_states());
    let of_states = Lqr::new(&states, &parameters, 0.1).expect("gains");
    assert_eq!(of_states.gains, full.gains);
    // It commands the same, from the states as from what is observed of them: their scales are powers of two.
    let error = |closed_loop: &ClosedLoop, lqr: &Lqr| {
        let set = episodes(closed_loop);
        closed_loop.evaluate(Isa::best(), &lqr.controller, &set, 1).expect("a plant").error
    };
    let expected = error(&all, &full);
    assert!(expected > 0.0);
    assert!((error(&states, &of_states) / expected - 1.0).abs() < 1e-12);
}

#[test]
fn a_regulator_that_commands_nothing_is_none() {
    let plant = bitloop_acrobot::open(None).expect("a plant");
    let interface = Interface::of(plant.description());
    let parameters: Vec<f64> = plant.description().parameters.iter().map(|p| p.default).collect();
    let timing = Timing::new(0.2, 0.2).expect("a multiple");
    let hanging = ClosedLoop::new(plant, timing, Integrator::PlantStep, interface, None);
    let hanging = hanging.expect("a loop").with_state_feedback();
    assert_eq!(Lqr::new(&hanging, &parameters, 1.0), Err(LqrError::NotStabilizable));
}

#[test]
fn more_observations_than_states_are_used_together() {
    let all = mass_loop();
    let parameters = [0.0, 0.0, 1.0];
    let gains = Lqr::new(&all, &parameters, 0.1).expect("gains").gains;
    let with = |indices: &[usize]| {
        let mut interface = all.interface().clone();
        interface.inputs = indices.iter().map(|&index| interface.inputs[index].clone()).collect();
        let closed_loop = all.with_interface(interface).expect("an interface");
        Lqr::new(&closed_loop, &parameters, 0.1)
    };
    // The position twice: each of them has half of its weight.
    let lqr = with(&[0, 1, 0]).expect("gains");
    assert_eq!(lqr.gains, gains);
    let weights = lqr.controller.parameters();
    assert!((weights[0] / weights[2] - 1.0).abs() < 1e-9, "{weights:?}");
    let once = with(&[0, 1]).expect("gains");
    let sum = (weights[0] + weights[2]) / once.controller.parameters()[0];
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let thrice = with(&[0, 0, 0]).unwrap_err();
    assert_eq!(thrice, LqrError::DependentObservations { state: "v".to_owned() });
}

#[test]
fn observations_that_are_no_states_or_off_their_centers_are_named() {
    let refused = |change: &dyn Fn(&mut Interface)| {
        let all = mass_loop();
        let mut interface = all.interface().clone();
        change(&mut interface);
        let changed = all.with_interface(interface).expect("an interface");
        let error = Lqr::new(&changed, &[0.0, 0.0, 1.0], 0.1).unwrap_err();
        // A center can be mended in the scenario; what is not observed cannot.
        let sees_states = Lqr::loop_with_all_states(&changed, &[0.0, 0.0, 1.0]).feeds_back_states();
        assert_eq!(sees_states, !matches!(error, LqrError::OffCenter { .. }));
        error
    };
    // The position twice.
    let twice = refused(&|interface| interface.inputs[1] = interface.inputs[0].clone());
    assert_eq!(twice, LqrError::DependentObservations { state: "v".to_owned() });
    let off = refused(&|interface| interface.inputs[1].center = 0.5);
    let (observation, value, center) = ("v".to_owned(), 0.0, 0.5);
    assert_eq!(off, LqrError::OffCenter { observation, value, center });
    assert!(off.hint().is_some_and(|hint| hint.contains("\"v\": (center: 0,")), "{off:?}");
}
