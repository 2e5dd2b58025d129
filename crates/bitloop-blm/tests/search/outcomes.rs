//! How searches go and end: telescoping, ties, NaN, work counts, refusals.

use crate::landscape::{Landscape, all_options, options, rugged, run_to_end, scramble};
use bitloop_blm::{
    BlmError, Change, Coding, Freezing, Growth, LocalSearch, Objective, Probe, ProbeControl,
    SearchOptions, Sequential, Step,
};

#[test]
fn a_constant_objective_is_a_local_minimum_at_once() {
    for options in all_options(4, 2) {
        let explorer = &mut Sequential::new(Landscape::new(3, |_| 1.0));
        let mut search = LocalSearch::begin(options, 1, 0, explorer).expect("valid");
        run_to_end(&mut search, explorer, u64::MAX);
        let n_probes = if options.growth == Growth::Fixed { 6 } else { 6 + 9 + 12 };
        assert_eq!((search.state().n_moves, search.state().n_evaluations), (0, 1 + n_probes));
    }
}

#[test]
fn nan_never_improves_and_never_is_the_current_cost() {
    let nan_above =
        |level: u64| move |w: &[f64]| if scramble(w) % 8 < level { f64::NAN } else { rugged(w) };
    for level in 0..=8 {
        for seed in 0..20 {
            let explorer = &mut Sequential::new(Landscape::new(3, nan_above(level)));
            let mut search = LocalSearch::begin(options(4, 2), seed, 0, explorer).expect("valid");
            let first = search.state().current_cost;
            assert!(!first.is_nan() && (level < 8 || first == f64::INFINITY));
            for (_, state) in run_to_end(&mut search, explorer, u64::MAX) {
                assert!(state.current_cost <= first);
            }
            assert!(level > 0 || search.state().current_cost.is_finite());
        }
    }
}

#[test]
fn infinite_costs_are_left_for_any_finite_one() {
    let wall = |w: &[f64]| if w[0] > -0.5 { f64::INFINITY } else { w[1] };
    let explorer = &mut Sequential::new(Landscape::new(2, wall));
    let codes = vec![3, 3];
    let mut search = LocalSearch::begin_at(options(4, 4), codes, 0, 0, explorer).expect("valid");
    assert_eq!(search.state().current_cost, f64::INFINITY);
    run_to_end(&mut search, explorer, u64::MAX);
    assert_eq!(search.weights()[1], options(4, 4).grid.weight(-8));
}

/// Claims that everything improves, by nothing or by NaN.
struct Liar(f64);

impl Objective for Liar {
    type Scratch = ();
    fn n_weights(&self) -> usize {
        2
    }
    fn scratch(&self) {}
    fn set(&mut self, _: &[f64]) -> Option<f64> {
        Some(1.0)
    }
    fn probe(&self, (): &mut (), _: &[Change], _: ProbeControl<'_>) -> Probe {
        Probe::Below(self.0)
    }
    fn commit(&mut self, _: &[Change], _: f64) {
        panic!("nothing improves");
    }
}

#[test]
fn an_objective_that_calls_a_tie_or_nan_below_is_not_believed() {
    for lie in [1.0, 2.0, f64::NAN] {
        let explorer = &mut Sequential::new(Liar(lie));
        let mut search = LocalSearch::begin(options(3, 3), 0, 0, explorer).expect("valid");
        assert_eq!(search.step(explorer, u64::MAX), Step::LocalMinimum);
    }
}

#[test]
fn locked_bits_stay_as_they_were() {
    let base = SearchOptions { growth: Growth::Fixed, ..options(8, 3) };
    for seed in 0..10 {
        let explorer = &mut Sequential::new(Landscape::new(3, rugged));
        let mut search = LocalSearch::begin(base, seed, 0, explorer).expect("valid");
        let low_bits = |codes: &[i32]| codes.iter().map(|h| h & 0b1_1111).collect::<Vec<_>>();
        let before = low_bits(&search.state().codes);
        run_to_end(&mut search, explorer, u64::MAX);
        assert_eq!(low_bits(&search.state().codes), before);
        assert_eq!(search.state().unlocked_bits, 3);
    }
}

#[test]
fn at_the_largest_fraction_each_accepted_move_unlocks_a_bit() {
    let growth = Growth::Threshold { phi: 1.0, eta: 0.5 };
    let slope = |w: &[f64]| w.iter().sum();
    let explorer = &mut Sequential::new(Landscape::new(2, slope));
    let options = SearchOptions { growth, ..options(6, 2) };
    let mut search = LocalSearch::begin_at(options, vec![31, 31], 0, 0, explorer).expect("valid");
    for unlocked_bits in 3..=6 {
        assert!(matches!(search.step(explorer, u64::MAX), Step::Moved { .. }));
        assert_eq!(search.step(explorer, u64::MAX), Step::BitUnlocked { unlocked_bits });
        assert_eq!(search.state().mean_failures, 0.0);
    }
    run_to_end(&mut search, explorer, u64::MAX);
    assert_eq!(search.state().codes, [-32, -32]);
}

/// Evaluations, moves, neighborhoods, unlocked bits: a silent change of the search shows here.
#[test]
fn work_counts_of_seeded_runs_stay() {
    let threshold = Growth::Threshold { phi: 0.3, eta: 0.5 };
    let base = SearchOptions { growth: threshold, ..options(12, 2) };
    let counts = [
        base,
        SearchOptions { freezing: Freezing::GrayBits, ..base },
        SearchOptions { coding: Coding::Binary, ..base },
        SearchOptions { growth: Growth::AtLocalMinimum, ..base },
    ]
    .map(|options| {
        let smooth = |w: &[f64]| {
            let [a, b, c] = *w else { panic!("three weights") };
            (a - 0.3) * (a - 0.3) + (b - a * c) * (b - a * c) + 0.1 * (c + b) * (c + b)
        };
        let explorer = &mut Sequential::new(Landscape::new(3, smooth));
        let mut search = LocalSearch::begin(options, 1, 2, explorer).expect("valid");
        run_to_end(&mut search, explorer, u64::MAX);
        let state = search.state();
        (state.n_evaluations, state.n_moves, state.neighborhood_index, state.unlocked_bits)
    });
    assert_eq!(
        counts,
        [(335, 32, 42, 12), (275, 29, 39, 12), (194, 19, 29, 12), (394, 23, 33, 12)]
    );
}

#[test]
fn impossible_requests_are_refused() {
    let begin = |options, n_weights| {
        LocalSearch::begin(options, 0, 0, &mut Sequential::new(Landscape::new(n_weights, rugged)))
            .map(|_| ())
    };
    assert_eq!(begin(options(4, 2), 0), Err(BlmError::NoWeights));
    for start_bits in [0, 5] {
        let refused = begin(options(4, start_bits), 2);
        assert_eq!(refused, Err(BlmError::StartBits { found: start_bits, bits_per_weight: 4 }));
    }
    let begin_at = |codes| {
        let explorer = &mut Sequential::new(Landscape::new(2, rugged));
        LocalSearch::begin_at(options(4, 2), codes, 0, 0, explorer).map(|_| ())
    };
    assert_eq!(begin_at(vec![0; 3]), Err(BlmError::CodeCount { expected: 2, found: 3 }));
    assert!(matches!(begin_at(vec![0, 8]), Err(BlmError::CodeOutOfRange { weight_index: 1, .. })));
}
