//! Requests that cannot be carried out are refused, with a message that names the fix.

use bitloop_blm::ProbeControl;
use bitloop_net::{Activation, Layer, Network};
use bitloop_plant::{Integrator, Isa};
use bitloop_sim::{
    ClosedLoop, Distribution, EpisodeRanges, EpisodeSet, Interface, LinearFeedback,
    NetworkController, SimError, Timing, Workspace,
};

use crate::plants::Ramp;
use crate::support::{draw, linear, loop_around, pendulum, pendulum_ranges, words};

fn refused(closed_loop: &ClosedLoop, n_episodes: usize, ranges: &EpisodeRanges) -> String {
    EpisodeSet::draw(closed_loop, n_episodes, ranges, |e| words(0, e)).unwrap_err().to_string()
}

#[test]
fn too_many_episodes_are_refused_before_anything_is_allocated() {
    let closed_loop = pendulum();
    let ranges = pendulum_ranges(100.0);
    for n in [1_000_000_000_000, usize::MAX, (1 << 20) + 1, 0] {
        let error = refused(&closed_loop, n, &ranges);
        assert!(error.contains("at most 1048576 are allowed"), "{error}");
    }
}

#[test]
fn horizons_and_transients_that_make_no_sense_are_refused() {
    let closed_loop = pendulum();
    for (horizon_s, transient_s, expected) in [
        (0.0, 0.0, "leaves nothing"),
        (10.0, 10.0, "leaves nothing"),
        (10.0, 11.0, "leaves nothing"),
        (-1.0, 0.0, "must be a positive number"),
        (f64::NAN, 0.0, "must be a positive number"),
        (f64::INFINITY, 0.0, "must be a positive number"),
        (10.0, -1.0, "must be a positive number"),
        (10.0, f64::NAN, "must be a positive number"),
        (10.005, 0.0, "no multiple of the integration step"),
        (10.0, 0.005, "no multiple of the integration step"),
        (1e300, 0.0, "are allowed"),
    ] {
        let ranges = EpisodeRanges { transient_s, ..pendulum_ranges(horizon_s) };
        let error = refused(&closed_loop, 5, &ranges);
        assert!(error.contains(expected), "{horizon_s} {transient_s}: {error}");
    }
}

#[test]
fn distributions_that_make_no_sense_are_refused() {
    let closed_loop = pendulum();
    let normal = |mean, standard_deviation| Distribution::Normal { mean, standard_deviation };
    let uniform = |low, high| Distribution::Uniform { low, high };
    for bad in [
        Distribution::Fixed(f64::NAN),
        Distribution::Fixed(f64::INFINITY),
        uniform(1.0, 0.0),
        uniform(f64::NAN, 1.0),
        uniform(f64::NEG_INFINITY, 0.0),
        uniform(-f64::MAX, f64::MAX),
        normal(0.0, -1.0),
        normal(f64::NAN, 1.0),
        normal(0.0, f64::NAN),
        normal(0.0, f64::INFINITY),
        normal(0.0, f64::MAX),
    ] {
        let mut ranges = pendulum_ranges(10.0);
        ranges.initial[1] = bad;
        let error = refused(&closed_loop, 5, &ranges);
        assert!(error.starts_with("`theta`: "), "{bad:?}: {error}");
    }
    // A cart without a mass is outside the bounds that the plant states.
    for bad in [Distribution::Fixed(0.0), uniform(-1.0, 1.0), normal(-1.0, 1.0)] {
        let mut ranges = pendulum_ranges(10.0);
        ranges.parameters[0] = bad;
        let error = refused(&closed_loop, 5, &ranges);
        assert!(error.starts_with("`cart_mass`: "), "{error}");
    }
    let mut ranges = pendulum_ranges(10.0);
    ranges.initial.pop();
    assert_eq!(refused(&closed_loop, 5, &ranges), "`initial`: 3 distributions for 4 variables");
    let mut ranges = pendulum_ranges(10.0);
    ranges.parameters.pop();
    assert_eq!(refused(&closed_loop, 5, &ranges), "`parameters`: 5 distributions for 6 variables");
}

#[test]
fn failure_costs_that_make_no_sense_are_refused() {
    for cost in [f64::NAN, -1.0, f64::INFINITY] {
        let plant = bitloop_inverted_pendulum::open(None).unwrap();
        let interface = Interface::of(plant.description());
        let timing = Timing::new(0.01, 0.1).unwrap();
        let closed_loop =
            ClosedLoop::new(plant, timing, Integrator::Euler, interface, Some(cost)).unwrap();
        let error = refused(&closed_loop, 5, &pendulum_ranges(10.0));
        assert!(error.contains("failure cost"), "{error}");
    }
    let closed_loop = loop_around::<Ramp>(Integrator::Euler);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![
            Distribution::Fixed(1.0),
            Distribution::Fixed(-2.0),
            Distribution::Fixed(0.0),
        ],
        horizon_s: 1.0,
        transient_s: 0.0,
    };
    assert_eq!(
        refused(&closed_loop, 5, &ranges),
        "the failure cost is -2: it must be a number of at least 0"
    );
}

#[test]
fn loops_that_do_not_fit_their_plant_are_refused() {
    type Spoil = fn(&mut Interface);
    fn build(integrator: Integrator, spoil: fn(&mut Interface)) -> Result<(), SimError> {
        let plant = bitloop_inverted_pendulum::open(None).unwrap();
        let mut interface = Interface::of(plant.description());
        spoil(&mut interface);
        let timing = Timing::new(0.01, 0.1).unwrap();
        ClosedLoop::new(plant, timing, integrator, interface, None).map(|_| ())
    }
    let euler = Integrator::Euler;
    build(euler, |_| ()).unwrap();
    let error = build(Integrator::PlantStep, |_| ()).unwrap_err().to_string();
    assert_eq!(
        error,
        "plant `inverted-pendulum` cannot be run with PlantStep: use Euler or SemiImplicitEuler or RungeKutta4"
    );
    let spoils: [(Spoil, &str); 11] = [
        (|i| i.inputs.clear(), "the controller has 0 inputs, but the loop has 4"),
        (|i| i.outputs.clear(), "the controller has 0 outputs, but the loop has 1"),
        (|i| i.outputs.push(i.outputs[0].clone()), "the controller has 2 outputs, but"),
        (|i| i.inputs[2].index = 4, "input 2: observation 4 of a plant with 4"),
        (|i| i.outputs[0].index = 1, "output 0: it is that of control 1"),
        (|i| i.inputs[0].scale = 0.0, "input 0: center 0 and scale 0"),
        (|i| i.inputs[0].scale = f64::INFINITY, "input 0: center 0 and scale inf"),
        (|i| i.outputs[0].scale = f64::NAN, "output 0: center 0 and scale NaN"),
        (|i| i.outputs[0].center = f64::NAN, "output 0: center NaN"),
        (|i| i.outputs[0].bounds = (1.0, -1.0), "output 0: its bounds [1, -1] are empty"),
        (|i| i.outputs[0].bounds.0 = f64::NAN, "output 0: its bounds [NaN, inf] are empty"),
    ];
    for (spoil, expected) in spoils {
        let error = build(euler, spoil).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn controllers_that_do_not_fit_the_loop_are_refused() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 5, &pendulum_ranges(2.0), 0);
    let isa = Isa::best();
    let narrow = LinearFeedback::new(2, vec![1.0, 1.0]);
    let wide = LinearFeedback::new(4, vec![1.0; 8]);
    let none = LinearFeedback::new(4, Vec::new());
    for (controller, what) in [(narrow, "inputs"), (wide, "outputs"), (none, "outputs")] {
        let error = closed_loop.evaluate(isa, &controller, &set, 1).unwrap_err();
        assert!(matches!(error, SimError::ControllerMismatch { what: w, .. } if w == what));
    }
    let network = Network::new(3, 1, vec![Layer::new(1, Activation::Linear)]).unwrap();
    let controller = NetworkController { network: &network, weights: &[0.0; 4] };
    let error = closed_loop.evaluate(isa, &controller, &set, 1).unwrap_err().to_string();
    assert_eq!(error, "the controller has 3 inputs, but the loop has 4");
}

#[test]
#[should_panic(expected = "the episodes were drawn for another plant")]
fn episodes_of_another_plant_are_refused() {
    let ramp = loop_around::<Ramp>(Integrator::Euler);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![Distribution::Fixed(1.0); 3],
        horizon_s: 1.0,
        transient_s: 0.0,
    };
    let set = draw(&ramp, 5, &ranges, 0);
    let _ = pendulum().evaluate(Isa::best(), &linear(), &set, 1);
}

#[test]
#[should_panic(expected = "the workspace was made for another loop")]
fn a_workspace_of_another_plant_is_refused() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 5, &pendulum_ranges(2.0), 0);
    let idle = LinearFeedback::new(1, vec![0.0]);
    let mut work = Workspace::new(&loop_around::<Ramp>(Integrator::Euler), &idle, 5);
    let _ =
        closed_loop.probe(Isa::best(), &linear(), &set, &mut work, ProbeControl::alone(1.0), None);
}

#[test]
fn errors_of_time_name_the_fix() {
    assert_eq!(
        Timing::new(-0.01, 0.1).unwrap_err().to_string(),
        "the integration step is -0.01 s: it must be a positive number of seconds"
    );
}
