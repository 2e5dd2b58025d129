//! The shower in C, which owns its state: early abort is lossless, and threads change no bit.

use bitloop_blm::ProbeControl;
use bitloop_host::PlantLibrary;
use bitloop_plant::{Integrator, Isa};
use bitloop_random::Stream;
use bitloop_sim::{
    ClosedLoop, Distribution, EpisodeRanges, EpisodeSet, Interface, LinearFeedback, Rollout,
    Timing, Workspace,
};

use crate::built::make;

fn closed_loop(folder: &std::path::Path) -> ClosedLoop {
    let plant = PlantLibrary::open(&folder.join("shower.so")).unwrap().plant(None).unwrap();
    let interface = Interface::of(plant.description());
    let timing = Timing::new(0.05, 0.2).unwrap();
    ClosedLoop::new(plant, timing, Integrator::PlantStep, interface, None).unwrap()
}

/// Showers that are warm or cold at the start.
fn episodes(closed_loop: &ClosedLoop) -> EpisodeSet {
    let parameters = &closed_loop.plant().description().parameters;
    let ranges = EpisodeRanges {
        initial: vec![
            Distribution::Uniform { low: 12.0, high: 48.0 },
            Distribution::Uniform { low: 0.0, high: 1.0 },
        ],
        parameters: parameters.iter().map(|p| Distribution::Fixed(p.default)).collect(),
        horizon_s: 20.0,
        transient_s: 1.0,
    };
    let words = |episode: u64| {
        let mut stream = Stream::named(episode, "showers");
        move || stream.next_u64()
    };
    EpisodeSet::draw(closed_loop, 21, &ranges, words).unwrap()
}

/// A controller that opens the valve where the water is cold, and may scald.
fn controller(seed: u64) -> LinearFeedback {
    let mut stream = Stream::named(seed, "valves");
    let mut gain = |scale: f64| scale * (2.0 * stream.uniform_f64() - 0.5);
    LinearFeedback::new(3, vec![gain(0.5), gain(1.0), gain(-2.0)])
}

#[test]
fn early_abort_is_lossless_for_a_plant_that_owns_its_state() {
    let folder = make("shower-instances-c", &["shower.c"]);
    let closed_loop = closed_loop(folder.path());
    let set = episodes(&closed_loop);
    let isa = Isa::best();
    let (mut n_mixed, mut full_steps, mut steps_at_half) = (0, 0, 0);
    for seed in 0..40 {
        let controller = controller(seed);
        let full = closed_loop.evaluate(isa, &controller, &set, 1).unwrap();
        assert_eq!(full, closed_loop.evaluate(isa, &controller, &set, 3).unwrap());
        n_mixed += u32::from((1..21).contains(&full.n_failed()));
        let e = full.error;
        // One workspace: slots of probes that were dropped are used again.
        let mut work = Workspace::new(&closed_loop, &controller, 21);
        for bound in [e * 0.5, e * 0.99, e.next_down(), e, e.next_up(), f64::INFINITY] {
            let before = work.plant_steps;
            let control = ProbeControl::alone(bound);
            let rollout = closed_loop.probe(isa, &controller, &set, &mut work, control, None);
            let expected = if e < bound { Rollout::Below(e) } else { Rollout::NotBelow };
            assert_eq!(rollout, expected, "seed {seed}, bound {bound}, error {e}");
            let on_threads =
                closed_loop.probe_on_threads(isa, &controller, &set, 3, control).unwrap();
            let found = (on_threads.rollout, on_threads.plant_steps);
            assert_eq!(found, (expected, full.plant_steps), "seed {seed}, {bound}");
            let n_failed = (e < bound).then(|| full.n_failed());
            assert_eq!(on_threads.n_failed, n_failed, "seed {seed}, {bound}");
            if bound == e * 0.5 {
                full_steps += full.plant_steps;
                steps_at_half += work.plant_steps - before;
            }
        }
    }
    assert!(n_mixed > 5, "{n_mixed} sets with both kinds of episodes: too few to prove much");
    assert!(steps_at_half < full_steps, "{steps_at_half} of {full_steps} steps");
}
