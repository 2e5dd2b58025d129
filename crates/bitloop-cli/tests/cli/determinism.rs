//! Same scenario and seed, same bits: again, with other numbers of threads, on each instruction set.

use crate::support::{Bench, Outcome};

/// Digest of the controller that `QUICK` gives on every machine. It moves only when the bits of the search, the plant or
/// the streams move; a change that is meant to do that writes the new digest here, and says why in its commit.
const GOLDEN: &str = "b8983937723cf4c664dd04fcad5284d60f5c19fb5d5ae3fc220b136b67a75e11";

/// What must not depend on how a training is carried out, as printed.
fn bits(outcome: &Outcome) -> Vec<String> {
    outcome.json();
    let keys = [
        "controller_digest",
        "training_error",
        "validation_error",
        "confirmation_error",
        "test_error",
        "runs",
        "moves",
        "evaluations",
        "stop_reason",
    ];
    keys.map(|key| format!("{key} {}", outcome.number(key))).to_vec()
}

fn train(threads: &str, seed: &str, environment: &[(&str, &str)]) -> Outcome {
    let bench = Bench::with_scenario();
    let args = ["train", "quick.ron", "--json", "--threads", threads, "--seed", seed];
    Outcome::of(bench.command(&args).envs(environment.iter().copied()))
}

#[test]
fn neither_repetition_nor_threads_nor_instruction_set_change_a_bit() {
    let reference = bits(&train("1", "1", &[]));
    for threads in ["1", "2", "5"] {
        assert_eq!(bits(&train(threads, "1", &[])), reference, "{threads} threads");
    }
    let mut n_compared = 0;
    for isa in ["avx512", "avx2", "portable"] {
        for hardware in ["", "glibc.cpu.hwcaps=-FMA,-AVX2"] {
            let environment = [("BITLOOP_ISA", isa), ("GLIBC_TUNABLES", hardware)];
            let outcome = train("2", "1", &environment);
            if outcome.code == Some(2) && outcome.stderr.contains("this processor lacks") {
                continue;
            }
            assert_eq!(bits(&outcome), reference, "{environment:?}");
            n_compared += 1;
        }
    }
    assert!(n_compared >= 2, "the portable path runs everywhere");
    assert_ne!(bits(&train("1", "2", &[])), reference, "another seed gives another controller");
}

#[test]
fn every_machine_gives_the_golden_digest() {
    let digest = train("2", "1", &[]).json()["controller_digest"].clone();
    assert_eq!(digest, GOLDEN, "if bits were meant to move, write this digest into the test");
}

#[test]
fn replays_are_the_same_on_each_instruction_set() {
    let (bench, _) = Bench::with_controller();
    let replay = |isa: &str| {
        let mut command = bench.command(&["replay", "run/controller.ron", "--json"]);
        Outcome::of(command.env("BITLOOP_ISA", isa))
    };
    let reference = replay("portable");
    for isa in ["avx2", "avx512"] {
        let outcome = replay(isa);
        if outcome.code == Some(2) {
            continue;
        }
        for key in ["mean_error", "max_error", "trajectory_digest"] {
            assert_eq!(outcome.number(key), reference.number(key), "{key} on {isa}");
        }
    }
}

#[test]
fn the_evaluations_at_which_seconds_ran_out_repeat_the_run() {
    let bench = Bench::with_scenario();
    let by_seconds = crate::support::QUICK.replace("evaluations: 600", "seconds: 600");
    bench.write("seconds.ron", &by_seconds);
    let timed = bench.train_for_seconds(&["train", "seconds.ron", "--json"], 0.2);
    assert_eq!(timed.json()["stop_reason"], "seconds");
    let evaluations = timed.number("evaluations");
    let by_evaluations = crate::support::QUICK.replace("600", evaluations);
    bench.write("evaluations.ron", &by_evaluations);
    let counted = bench.run(&["train", "evaluations.ron", "--json"]);
    for key in ["controller_digest", "test_error", "evaluations", "moves"] {
        assert_eq!(counted.number(key), timed.number(key), "{key} after {evaluations} evaluations");
    }
}
