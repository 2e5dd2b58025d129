//! Every kind of plant through the whole loop, bit for bit against the same episodes run one by one in plain `f64`.

use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::{Integrator, Isa, Plant, PlantHandle, Scalar};
use bitloop_sim::{
    ClosedLoop, Distribution, End, EpisodeEnd, EpisodeRanges, EpisodeResult, EpisodeSet, Interface,
    LinearFeedback, Query, Recorder, Timing,
};

use crate::plants::{Ball, Chain, Population, Reactor};
use crate::reference::{Span, Start, assert_same_bits, episode, mean};
use crate::support::{GAINS, default_parameters, draw, pendulum, record, tilted};

const N: usize = 27;

/// Runs `N` episodes both ways, under u = -K y held to `bounds` after scaling by hand.
fn compare<P: Plant>(
    closed_loop: &ClosedLoop,
    plant: &P,
    ranges: &EpisodeRanges,
    gains: &[f64],
) -> Vec<EpisodeResult> {
    let timing = closed_loop.timing();
    let span = Span {
        horizon: timing.ticks("horizon", ranges.horizon_s).unwrap(),
        transient: timing.ticks("transient", ranges.transient_s).unwrap(),
        failure_cost: closed_loop.failure_cost(),
    };
    let Interface { inputs, outputs } = closed_loop.interface();
    let output = &outputs[0];
    let expected: Vec<EpisodeResult> = (0..N as u64)
        .map(|index| {
            let start = Start::draw(closed_loop, ranges, 21, index);
            episode(closed_loop, plant, &start, span, |y| {
                let mut command = 0.0;
                for (input, gain) in inputs.iter().zip(gains) {
                    let seen = (y[input.index] - input.center) / input.scale;
                    command = seen.mul_add(-gain, command);
                }
                let u = output.center + output.scale * command;
                vec![u.max(output.bounds.0).min(output.bounds.1)]
            })
        })
        .collect();
    let set = draw(closed_loop, N, ranges, 21);
    let controller = LinearFeedback::new(inputs.len(), gains.to_vec());
    for isa in Isa::available() {
        let evaluation = closed_loop.evaluate(isa, &controller, &set, 2).unwrap();
        assert_same_bits(&evaluation.episodes, &expected);
        assert_eq!(evaluation.error.to_bits(), mean(&expected).to_bits());
        let steps = expected.iter().map(|episode| match episode.end {
            EpisodeEnd::Horizon => span.horizon,
            EpisodeEnd::Failed { tick } | EpisodeEnd::Fault { tick } => tick,
        });
        assert_eq!(evaluation.plant_steps, steps.sum());
    }
    expected
}

fn n_failed(results: &[EpisodeResult]) -> usize {
    results.iter().filter(|result| matches!(result.end, EpisodeEnd::Failed { .. })).count()
}

fn around<P: Plant>(
    structure: Option<&[u64]>,
    integrator: Integrator,
    step_s: f64,
    sample_time_s: f64,
) -> ClosedLoop {
    let plant = PlantHandle::linked::<P>(structure).unwrap();
    let interface = Interface::of(plant.description());
    let timing = Timing::new(step_s, sample_time_s).unwrap();
    ClosedLoop::new(plant, timing, integrator, interface, None).unwrap()
}

fn ranges(
    closed_loop: &ClosedLoop,
    initial: Vec<Distribution>,
    horizon_s: f64,
    transient_s: f64,
) -> EpisodeRanges {
    let parameters = default_parameters(closed_loop.plant().description());
    EpisodeRanges { initial, parameters, horizon_s, transient_s }
}

#[test]
fn the_pendulum_with_other_parameters_in_each_episode() {
    let closed_loop = pendulum();
    let mut ranges = tilted(7.03, 0.8);
    // Neither horizon nor transient is a whole number of control periods.
    ranges.transient_s = 0.57;
    ranges.parameters[0] = Distribution::Uniform { low: 0.5, high: 2.0 };
    ranges.parameters[1] = Distribution::Normal { mean: 1.0, standard_deviation: 0.2 };
    ranges.parameters[5] = Distribution::Uniform { low: 0.9, high: 1.3 };
    let results = compare(&closed_loop, &InvertedPendulum, &ranges, &GAINS);
    assert!((1..N).contains(&n_failed(&results)), "{}", n_failed(&results));
}

#[test]
fn a_scalar_plant_that_branches_wildly() {
    let closed_loop = around::<Scalar<Ball>>(None, Integrator::PlantStep, 0.05, 0.2);
    let heights = Distribution::Uniform { low: 0.0, high: 2.5 };
    let speeds = Distribution::Normal { mean: 0.0, standard_deviation: 5.0 };
    let ranges = ranges(&closed_loop, vec![heights, speeds], 6.0, 1.0);
    let results = compare(&closed_loop, &Scalar::<Ball>::default(), &ranges, &[3.0, 0.5]);
    assert!((1..N).contains(&n_failed(&results)), "{}", n_failed(&results));
}

#[test]
fn a_plant_with_a_step_of_its_own() {
    let closed_loop = around::<Population>(None, Integrator::PlantStep, 1.0, 3.0);
    let mut ranges =
        ranges(&closed_loop, vec![Distribution::Uniform { low: 0.1, high: 0.9 }], 100.0, 5.0);
    ranges.parameters = vec![Distribution::Uniform { low: 3.0, high: 4.0 }];
    let results = compare(&closed_loop, &Population, &ranges, &[0.05]);
    assert!((1..N).contains(&n_failed(&results)), "{}", n_failed(&results));
}

#[test]
fn a_plant_of_any_size_up_to_the_limit() {
    // Up to 16 variables go through the small kernels, more through the large ones; 128 masses are 256 states.
    for n_masses in [1, 3, 8, 9, 20, 128] {
        let closed_loop = around::<Chain>(Some(&[n_masses as u64]), Integrator::Euler, 0.01, 0.1);
        let mut initial = vec![Distribution::Uniform { low: -1.0, high: 1.0 }; n_masses];
        initial.resize(2 * n_masses, Distribution::Fixed(0.0));
        let ranges = ranges(&closed_loop, initial, 2.0, 0.5);
        let plant = Chain::with_structure(&[n_masses as u64]);
        let gains = vec![0.25; 2 * n_masses];
        let results = compare(&closed_loop, &plant, &ranges, &gains);
        assert!(results[0].error > 0.0 && results[0].error != results[1].error);
    }
    let too_large = PlantHandle::linked::<Chain>(Some(&[129])).unwrap_err();
    assert!(too_large.to_string().contains("at most 256"), "{too_large}");
}

/// Every control that was applied.
struct Heaters(Vec<f64>);

impl Recorder for Heaters {
    fn query(&mut self, query: &Query<'_>) {
        self.0.extend_from_slice(&query.control.row(0)[..query.episodes.len()]);
    }
    fn end(&mut self, _episode: usize, _end: &End<'_>) {}
}

#[test]
fn centers_scales_and_bounds_are_those_of_the_plant() {
    let closed_loop = around::<Reactor>(None, Integrator::Euler, 1.0, 4.0);
    let initial = vec![Distribution::Uniform { low: 260.0, high: 480.0 }];
    let ranges = ranges(&closed_loop, initial, 60.0, 8.0);
    compare(&closed_loop, &Reactor, &ranges, &[4.0]);

    let set = draw(&closed_loop, N, &ranges, 21);
    let mut heaters = Heaters(Vec::new());
    let controller = LinearFeedback::new(1, vec![4.0]);
    record(&closed_loop, Isa::best(), &controller, &set, &mut heaters);
    assert!(heaters.0.contains(&0.0) && heaters.0.contains(&10.0), "both bounds are reached");
    assert!(heaters.0.iter().any(|&u| u > 0.0 && u < 10.0));
    assert!(heaters.0.iter().all(|u| (0.0..=10.0).contains(u)));
}

#[test]
fn inputs_may_be_some_observations_in_another_order() {
    let plant = bitloop_inverted_pendulum::open(None).unwrap();
    let mut interface = Interface::of(plant.description());
    interface.inputs.swap(1, 3);
    interface.inputs.remove(0);
    let timing = Timing::new(0.01, 0.1).unwrap();
    let closed_loop = ClosedLoop::new(plant, timing, Integrator::Euler, interface, None).unwrap();
    compare(&closed_loop, &InvertedPendulum, &tilted(2.0, 0.3), &[11.0, -2.5, 35.0]);
}

#[test]
fn a_controller_that_answers_nan_faults_the_episode() {
    let closed_loop = pendulum();
    let set: EpisodeSet = draw(&closed_loop, 9, &tilted(2.0, 0.3), 21);
    let broken = LinearFeedback::new(4, vec![f64::NAN; 4]);
    let evaluation = closed_loop.evaluate(Isa::best(), &broken, &set, 1).unwrap();
    // Speeds are NaN after the first step, and the cost sees them after the second.
    for episode in evaluation.episodes {
        assert_eq!(episode.end, EpisodeEnd::Fault { tick: 2 });
    }
}
