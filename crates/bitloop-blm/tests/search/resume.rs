//! A run that is stopped and resumed is the run that was never stopped.

use crate::landscape::{
    Landscape, all_kicking_options, all_options, all_sparse_options, options, rugged, run_to_end,
};
use bitloop_blm::{BlmError, Candidate, LocalSearch, SearchState, Sequential, Step};

const N_WEIGHTS: usize = 3;

#[test]
fn saved_and_resumed_after_every_probe_the_path_is_the_same() {
    for options in all_options(4, 2)
        .into_iter()
        .chain(all_kicking_options(4, 2))
        .chain(all_sparse_options(4, 2))
    {
        let explorer = &mut Sequential::new(Landscape::new(N_WEIGHTS, rugged));
        let mut search = LocalSearch::begin(options, 5, 1, explorer).expect("valid");
        let mut interrupted = search.clone();
        let events = run_to_end(&mut search, explorer, u64::MAX);

        let mut events_of_interrupted = Vec::new();
        let mut n_pauses = 0;
        loop {
            let saved = serde_json::to_string(interrupted.state()).expect("serializes");
            let state: SearchState = serde_json::from_str(&saved).expect("deserializes");
            let explorer = &mut Sequential::new(Landscape::new(N_WEIGHTS, rugged));
            interrupted = LocalSearch::resume(options, state, explorer).expect("fits");
            match interrupted.step(explorer, 1) {
                Step::Paused => n_pauses += 1,
                step => {
                    events_of_interrupted.push((step, interrupted.state().clone()));
                    if step == Step::LocalMinimum {
                        break;
                    }
                }
            }
        }
        assert_eq!(events, events_of_interrupted, "{options:?}");
        assert!(n_pauses > 0);
    }
}

#[test]
fn any_probe_limit_gives_the_same_path() {
    for options in all_options(5, 2)
        .into_iter()
        .chain(all_kicking_options(5, 2))
        .chain(all_sparse_options(5, 2))
    {
        let run = |probe_limit| {
            let explorer = &mut Sequential::new(Landscape::new(N_WEIGHTS, rugged));
            let mut search = LocalSearch::begin(options, 6, 0, explorer).expect("valid");
            run_to_end(&mut search, explorer, probe_limit)
        };
        let whole = run(u64::MAX);
        for probe_limit in [1, 2, 3, 7] {
            assert_eq!(run(probe_limit), whole, "{options:?}");
        }
    }
}

#[test]
fn no_probes_allowed_is_a_pause() {
    let explorer = &mut Sequential::new(Landscape::new(N_WEIGHTS, rugged));
    let mut search = LocalSearch::begin(options(4, 2), 5, 1, explorer).expect("valid");
    let before = search.state().clone();
    assert_eq!(search.step(explorer, 0), Step::Paused);
    assert_eq!(search.state(), &before);
}

#[test]
fn infinite_costs_survive_saving() {
    let explorer = &mut Sequential::new(Landscape::new(N_WEIGHTS, |_| f64::NAN));
    let search = LocalSearch::begin(options(4, 2), 5, 1, explorer).expect("valid");
    let saved = serde_json::to_string(search.state()).expect("serializes");
    let state: SearchState = serde_json::from_str(&saved).expect("deserializes");
    assert_eq!(state.current_cost, f64::INFINITY);
    LocalSearch::resume(options(4, 2), state, explorer).expect("fits");
}

/// Each case starts from a good state, and spoils one thing.
#[test]
fn states_that_do_not_fit_are_refused() {
    let refusal = |spoil: &dyn Fn(&mut SearchState)| {
        let explorer = &mut Sequential::new(Landscape::new(N_WEIGHTS, rugged));
        let search = LocalSearch::begin(options(4, 2), 5, 1, explorer).expect("valid");
        let mut state = search.state().clone();
        spoil(&mut state);
        LocalSearch::resume(options(4, 2), state, explorer).map(|_| ())
    };
    assert_eq!(refusal(&|_| ()), Ok(()));
    let expected = BlmError::CodeCount { expected: 3, found: 2 };
    assert_eq!(refusal(&|state| state.codes.truncate(2)), Err(expected));
    let spoiled = refusal(&|state| state.codes[2] = -9);
    assert!(matches!(spoiled, Err(BlmError::CodeOutOfRange { weight_index: 2, found: -9, .. })));
    for bits in [1, 5] {
        let spoiled = refusal(&|state| state.unlocked_bits = bits);
        assert!(matches!(spoiled, Err(BlmError::UnlockedBits { .. })));
    }
    let spoiled = refusal(&|state| state.current_cost += 1e-3);
    assert!(matches!(spoiled, Err(BlmError::CostMoved { .. })));
    let spoiled = refusal(&|state| state.current_cost = f64::NAN);
    assert!(matches!(spoiled, Err(BlmError::SavedNumber { .. })));
    let spoiled = refusal(&|state| state.mean_failures = f64::INFINITY);
    assert!(matches!(spoiled, Err(BlmError::SavedNumber { .. })));
    assert_eq!(
        refusal(&|state| state.position = 7),
        Err(BlmError::Position { found: 7, n_moves: 6 })
    );
    let spoiled = refusal(&|state| {
        state.position = 2;
        state.finding.first_improving = Some(1);
        state.finding.best = Some(Candidate { position: 1, move_index: 0, cost: -9.0 });
    });
    assert!(matches!(spoiled, Err(BlmError::Position { .. })), "first improving would have moved");
}
