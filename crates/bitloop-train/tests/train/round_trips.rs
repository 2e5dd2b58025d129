//! A checkpoint that is written and read again holds the same state, bit for bit.

use bitloop_blm::{Finding, Home, Phase, SearchState};
use bitloop_folder::{Provenance, RunFolder, Texts};
use bitloop_train::{
    Candidate, Mark, Reached, RestartState, Sample, SamplingState, Spent, TrainingState,
};
use proptest::option;
use proptest::prelude::*;

/// Any number but NaN, whose payloads are not kept.
fn number() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |value| !value.is_nan())
}

fn candidate() -> impl Strategy<Value = Candidate> {
    let codes = prop::collection::vec(any::<i32>(), 0..40);
    let others = (option::of(number()), option::of(number()));
    (codes, any::<u64>(), number(), number(), others, any::<usize>()).prop_map(
        |(codes, run, training_error, validation_error, others, n_failed)| Candidate {
            weights: codes.iter().map(|&code| f64::from(code) / 3.0).collect(),
            codes,
            run,
            training_error: Some(training_error),
            unrounded_training_error: others.0,
            validation_error,
            confirmation_error: others.1,
            confirmation_failures: others.1.map(|_| n_failed),
        },
    )
}

fn search() -> impl Strategy<Value = SearchState> {
    let codes = || prop::collection::vec(any::<i32>(), 0..40);
    let phase = prop::sample::select(vec![
        Phase::Exploring,
        Phase::UnlockDue,
        Phase::KickDue,
        Phase::LocalMinimum,
    ]);
    let home = option::of((codes(), number()).prop_map(|(codes, cost)| Home { codes, cost }));
    let counts = any::<[u64; 6]>();
    (codes(), number(), number(), counts, phase, home).prop_map(
        |(codes, current_cost, mean_failures, counts, phase, home)| SearchState {
            seed: counts[0],
            run: counts[1],
            codes,
            current_cost,
            unlocked_bits: 7,
            mean_failures,
            n_evaluations: counts[2],
            n_faulty: counts[5],
            n_moves: counts[3],
            neighborhood_index: counts[4],
            position: 3,
            finding: Finding::default(),
            phase,
            home,
            n_kicks: 5,
            n_failed_kicks: 1,
        },
    )
}

fn sampling() -> impl Strategy<Value = SamplingState> {
    let weights = prop::collection::vec(number(), 0..40);
    let best = option::of((weights, number()).prop_map(|(weights, cost)| Sample { weights, cost }));
    (any::<u64>(), any::<u64>(), best, any::<bool>()).prop_map(
        |(n_evaluations, n_moves, best, is_validated)| SamplingState {
            n_evaluations,
            n_moves,
            best,
            is_validated,
        },
    )
}

fn state() -> impl Strategy<Value = TrainingState> {
    let searches = (option::of(search()), option::of(sampling()));
    let candidates = (option::of(candidate()), option::of(candidate()));
    let progress = option::of((number(), any::<u64>()));
    (searches, candidates, progress, any::<[u64; 6]>(), number()).prop_map(
        |(searches, candidates, progress, counts, wall_s)| TrainingState {
            run: counts[0],
            search: searches.0,
            sampling: searches.1,
            restarts: RestartState { large_evaluations: counts[1], ..RestartState::default() },
            draw: 3,
            was_validated_at_target: true,
            stage: 2,
            progress: progress.map(|(error, n_evaluations)| Mark { error, n_evaluations }),
            best_of_run: candidates.0,
            incumbent: candidates.1,
            evaluations_before: counts[2],
            moves_before: counts[3],
            spent: Spent { wall_s, plant_steps: counts[4], n_faults: counts[5] },
            reached: Some(Reached {
                n_evaluations: counts[2],
                spent: Spent { wall_s, plant_steps: counts[5], n_faults: counts[4] },
            }),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_checkpoint_reads_back(state in state(), texts in any::<[String; 4]>(), digest in option::of(any::<String>())) {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::open(folder.path()).unwrap().unwrap();
        let [bitloop_version, scenario_digest, scenario_name, command] = texts;
        let provenance = Provenance {
            data: std::collections::BTreeMap::new(),
            bitloop_version,
            scenario_digest,
            plant_digest: digest,
            scenario_name,
            command,
        };
        let texts = Texts { given: "given", resolved: "resolved" };
        run.begin(texts, &provenance, &state, false).unwrap();
        let loaded =
            run.load::<TrainingState>(&provenance.bitloop_version, &provenance.scenario_digest).unwrap();
        prop_assert_eq!(&loaded.provenance, &provenance);
        // Equal numbers may differ in the sign of a zero, which is written too.
        prop_assert_eq!(format!("{:?}", loaded.state), format!("{state:?}"));
        prop_assert_eq!(loaded.state, state);
    }
}
