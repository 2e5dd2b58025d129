//! Iterated local search and candidates of several flips.

use crate::landscape::{Landscape, all_kicking_options, options, rugged, run_to_end};
use bitloop_blm::{BlmError, Candidates, Kicks, LocalSearch, SearchOptions, Sequential, Step};

#[test]
fn a_search_that_kicks_ends_in_its_best_minimum_after_so_many_failures() {
    for options in all_kicking_options(4, 2) {
        for seed in 0..10 {
            let explorer = &mut Sequential::new(Landscape::new(3, rugged));
            let mut search = LocalSearch::begin(options, seed, 0, explorer).expect("valid");
            let events = run_to_end(&mut search, explorer, u64::MAX);
            let minima: Vec<f64> = events
                .iter()
                .filter(|(step, _)| *step == Step::KickDue)
                .map(|(_, state)| state.current_cost)
                .collect();
            let lowest = minima.iter().copied().fold(f64::INFINITY, f64::min);
            let state = search.state();
            assert_eq!(state.current_cost, lowest);
            assert_eq!(rugged(&search.weights()), lowest, "the weights are those of the minimum");
            assert_eq!(state.n_failed_kicks, 5);
            assert_eq!(state.n_kicks, minima.len() as u64);
            assert_eq!(search.step(explorer, 100), Step::LocalMinimum, "it stays so");
        }
    }
}

#[test]
fn kicks_find_lower_minima_than_a_single_run() {
    let mean_cost = |options: SearchOptions| {
        let costs = (0..100).map(|seed| {
            let explorer = &mut Sequential::new(Landscape::new(4, rugged));
            let mut search = LocalSearch::begin(options, seed, 0, explorer).expect("valid");
            run_to_end(&mut search, explorer, u64::MAX);
            search.state().current_cost
        });
        costs.sum::<f64>() / 100.0
    };
    let plain = mean_cost(options(4, 2));
    let kicking =
        mean_cost(SearchOptions { kicks: Some(Kicks { count: 20, flips: 2 }), ..options(4, 2) });
    assert!(kicking < plain, "{kicking} against {plain}");
}

#[test]
fn a_changed_objective_is_evaluated_anew() {
    let explorer = &mut Sequential::new(Landscape::new(3, rugged));
    let mut search = LocalSearch::begin(options(4, 2), 1, 0, explorer).expect("valid");
    run_to_end(&mut search, explorer, u64::MAX);
    let (codes, n_evaluations) = (search.state().codes.clone(), search.state().n_evaluations);
    let mut negative = Sequential::new(Landscape::new(3, |w| -rugged(w)));
    search.reevaluate(&mut negative).expect("it can be evaluated");
    assert_eq!(search.state().current_cost, -rugged(&search.weights()));
    assert_eq!((&search.state().codes, search.state().n_evaluations), (&codes, n_evaluations + 1));
    assert!(matches!(search.step(&mut negative, 1000), Step::Moved { .. }));
}

#[test]
fn kicks_and_flips_that_mean_nothing_are_refused() {
    for (count, flips) in [(0, 1), (1, 0)] {
        let options = SearchOptions { kicks: Some(Kicks { count, flips }), ..options(4, 2) };
        assert_eq!(options.check(), Err(BlmError::NoKicks));
    }
    for extra in [0.0, 1.0, -0.5, f64::NAN] {
        let candidates = Candidates::SeveralFlips { extra };
        let refused = SearchOptions { candidates, ..options(4, 2) }.check();
        assert!(matches!(refused, Err(BlmError::ExtraFlips { .. })), "{extra}");
    }
}
