//! Plants that break their promises: each fault is a result or an error, never a panic of the host.

use bitloop_blm::ProbeControl;
use bitloop_plant::{Integrator, Isa, STATUS_PANIC};
use bitloop_sim::{
    ClosedLoop, Distribution, EpisodeEnd, EpisodeRanges, EpisodeSet, LinearFeedback, Rollout,
    SimError, Workspace,
};

use crate::plants::{Spoiled, mischief};
use crate::support::{WHOLE, loop_around, with_values};

fn spoiled(what: &[u64]) -> (ClosedLoop, EpisodeSet, LinearFeedback) {
    let closed_loop = loop_around::<Spoiled>(Integrator::PlantStep);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![WHOLE],
        horizon_s: 10.0,
        transient_s: 2.0,
    };
    let set = with_values(&closed_loop, &ranges, what);
    (closed_loop, set, LinearFeedback::new(1, vec![1.0]))
}

#[test]
fn each_fault_ends_its_own_episode() {
    let fault = |tick| (f64::INFINITY, EpisodeEnd::Fault { tick });
    // The mischief begins at 6 s, after 600 steps; a sound second costs 1, and ending costs 0.25.
    let cases = [
        (mischief::NONE, (1.25, EpisodeEnd::Horizon)),
        (mischief::NAN_COST, fault(600)),
        (mischief::NEGATIVE_COST, fault(600)),
        (mischief::NEGATIVE_INFINITE_COST, fault(600)),
        (mischief::NAN_STATE, fault(600)),
        (mischief::INFINITE_STATE, fault(600)),
        (mischief::INFINITE_COST, (f64::INFINITY, EpisodeEnd::Horizon)),
        (mischief::NEGATIVE_ZERO_COST, (399.0 / 800.0 + 0.25, EpisodeEnd::Horizon)),
        (mischief::NAN_TERMINAL_COST, fault(1000)),
        (mischief::NEGATIVE_TERMINAL_COST, fault(1000)),
        (mischief::FAILS, (1.25, EpisodeEnd::Failed { tick: 600 })),
        (mischief::FAILS_AT_INFINITE_COST, (f64::INFINITY, EpisodeEnd::Failed { tick: 600 })),
        (mischief::FAILS_WITH_NAN_TERMINAL_COST, fault(600)),
        (mischief::NONE, (1.25, EpisodeEnd::Horizon)),
    ];
    let what: Vec<u64> = cases.iter().map(|case| case.0).collect();
    let (closed_loop, set, controller) = spoiled(&what);
    for isa in Isa::available() {
        for n_threads in [1, 2] {
            let evaluation = closed_loop.evaluate(isa, &controller, &set, n_threads).unwrap();
            for ((what, expected), episode) in cases.iter().zip(&evaluation.episodes) {
                assert_eq!((episode.error, episode.end), *expected, "mischief {what}");
            }
            assert_eq!(evaluation.error, f64::INFINITY);
        }
    }
}

#[test]
fn a_faulty_candidate_is_worst() {
    let (closed_loop, set, controller) = spoiled(&[0, 0, mischief::NEGATIVE_COST, 0]);
    let mut work = Workspace::new(&closed_loop, &controller, 4);
    let mut probe = || {
        let bound = f64::INFINITY;
        closed_loop.probe(
            Isa::best(),
            &controller,
            &set,
            &mut work,
            ProbeControl::alone(bound),
            None,
        )
    };
    assert_eq!(probe(), Rollout::Faulty);
    // And the work ends there.
    assert!(work.plant_steps < 4 * 700, "{}", work.plant_steps);
}

#[test]
fn a_plant_that_panics_is_an_error_with_its_words() {
    for position in [0, 12, 40] {
        let mut what = vec![0; 41];
        what[position] = mischief::PANIC;
        let (closed_loop, set, controller) = spoiled(&what);
        for isa in Isa::available() {
            for n_threads in [1, 3] {
                let error = closed_loop.evaluate(isa, &controller, &set, n_threads).unwrap_err();
                let SimError::Plant(call) = &error else { panic!("{error}") };
                assert_eq!((call.plant.as_str(), call.function), ("spoiled", "advance"));
                assert_eq!(call.status, STATUS_PANIC);
                assert_eq!(
                    error.to_string(),
                    "plant `spoiled` broke in `advance` (status 2): the plant fell apart at 5.99 s"
                );
            }
        }
    }
}

#[test]
fn a_workspace_is_as_new_after_a_plant_panicked_in_it() {
    // Lanes 0 to 15 fail in the very call in which lane 20, of a later block, panics.
    let mut what = vec![mischief::FAILS; 16];
    what.extend([0, 0, 0, 0, mischief::PANIC]);
    let (closed_loop, broken, controller) = spoiled(&what);
    // Afterwards, in the same workspace, lane 18 fails and nothing else.
    let mut what = vec![0; 21];
    what[18] = mischief::FAILS;
    let (_, sound, _) = spoiled(&what);
    let full = closed_loop.evaluate(Isa::best(), &controller, &sound, 1).unwrap();
    let mut work = Workspace::new(&closed_loop, &controller, 21);
    let bound = f64::INFINITY;
    let isa = Isa::best();
    let first =
        closed_loop.probe(isa, &controller, &broken, &mut work, ProbeControl::alone(bound), None);
    assert_eq!(first, Rollout::Faulty);
    let before = work.plant_steps;
    let second =
        closed_loop.probe(isa, &controller, &sound, &mut work, ProbeControl::alone(bound), None);
    assert_eq!(second, Rollout::Below(full.error));
    assert_eq!(work.plant_steps - before, full.plant_steps);
}
