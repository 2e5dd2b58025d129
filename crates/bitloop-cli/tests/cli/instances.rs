//! A plant in C that owns its state: checked, trained whatever runs it, killed and resumed, replayed.

use std::fs;
use std::process::Command;

use crate::kills::{Killer, train_and_kill_in};
use crate::support::{Bench, workspace};

const SCENARIO: &str = r#"Scenario(
    plant: Library("shower.so"),
    initial: {"outlet": Uniform(12, 45), "valve": Uniform(0, 1)},
    parameters: {"target": Uniform(35, 40)},
    controller: FeedForward(hidden: [3]),
    episodes: (training: (count: 21, horizon_s: 20), test: (count: 9, horizon_s: 30)),
    training: TelescopicBlm(bits: 12, initialization: Bounded(0.1), validate_every: 10),
    stop: (evaluations: 2000),
)
"#;

/// The source of the shower that ships.
fn source() -> String {
    fs::read_to_string(workspace().join("plants/shower-instances-c/shower.c")).unwrap()
}

/// Compiles a plant in C.
fn compile(bench: &Bench, text: &str, library: &str) {
    bench.write("plant.c", text);
    let output = Command::new("cc")
        .args([
            "-std=c99",
            "-O1",
            "-ffp-contract=off",
            "-fPIC",
            "-shared",
            "-Wall",
            "-Werror",
            "-I",
        ])
        .arg(workspace().join("crates/bitloop-plant/include"))
        .arg("-o")
        .args([bench.path(library), bench.path("plant.c")])
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A folder with the shower, compiled, and the scenario `shower.ron`.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("shower.ron", SCENARIO);
    compile(&bench, &source(), "shower.so");
    bench
}

/// The digest of the controller of a training.
fn digest(bench: &Bench, out: &str, options: &[&str]) -> String {
    let args = [&["train", "shower.ron", "--out", out, "--json"], options].concat();
    bench.run(&args).json()["controller_digest"].as_str().unwrap().to_owned()
}

#[test]
fn a_plant_that_owns_its_state_passes_the_checks_that_apply() {
    let bench = bench();
    let info = bench.run(&["plant", "info", "./shower.so"]);
    assert!(info.stdout.contains("owned by the plant, which shows a copy"), "{info:?}");
    assert_eq!(bench.run(&["plant", "info", "./shower.so", "--json"]).json()["owns_state"], true);
    for seed in ["1", "2", "3"] {
        let outcome = bench.run(&["plant", "check", "./shower.so", "--json", "--seed", seed]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let checks = outcome.json()["checks"].as_array().unwrap().clone();
        let of = |name: &str| checks.iter().find(|c| c["name"] == name).unwrap().clone();
        assert_eq!(of("save-restore")["outcome"], "pass");
        assert_eq!(of("history")["outcome"], "pass");
        for check in ["bounds", "finite-values"] {
            assert_eq!(of(check)["outcome"], "pass");
        }
        let skipped = checks.iter().filter(|c| c["outcome"] == "skip");
        let names: Vec<_> = skipped
            .filter(|c| c["reason"].to_string().contains("in the middle"))
            .map(|c| c["name"].as_str().unwrap())
            .collect();
        let expected = ["steps-split", "lane-leaks", "instruction-sets", "costs-not-negative"];
        assert_eq!(names, expected);
    }
}

const END_COST: &str = "static double terminal_cost(void *slot) {
    static double n_ended;
    (void)slot;
    return n_ended += 1.0;
}

static double failure_cost";

/// No check continues an episode that has ended, which a solver may refuse.
#[test]
fn episodes_that_have_ended_are_left_alone() {
    let bench = bench();
    let mut text = source();
    for (from, to) in [
        ("    uint32_t last;", "    uint32_t last;\n    int has_ended;"),
        (
            "    /* The valve follows",
            "    if (shower->has_ended) return \"it has ended\";\n    /* The valve follows",
        ),
        (
            "return ((Shower *)slot)->outlet_degc > 50.0;",
            "return ((Shower *)slot)->has_ended = ((Shower *)slot)->outlet_degc > 18.0;",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    compile(&bench, &text, "ends.so");
    let outcome = bench.run(&["plant", "check", "./ends.so", "--seed", "1"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("failure-absorbs     pass  looked at"), "{outcome:?}");
}

/// What an episode leaves in its slot, or in the library, must not be found by the next one.
#[test]
fn what_an_episode_leaves_behind_is_found() {
    let bench = bench();
    let zeros = "memset(shower, 0, sizeof *shower);";
    let water = "i < N_SLUGS; i++) shower->slug_degc[i]";
    // The pipe keeps all but one slug of the last episode; each episode finds warmer water than the one before.
    let pipe = source().replace(zeros, "").replace(water, "i < 1; i++) shower->slug_degc[i]");
    let warmer =
        "static double warmth; memset(shower, 0, sizeof *shower); x[OUTLET] += warmth += 1.0;";
    // What the end of an episode costs depends on how many have ended in this process.
    let dearer = source()
        .replace("static double failure_cost", END_COST)
        .replace(".failed = failed,", ".failed = failed,\n    .terminal_cost = terminal_cost,");
    // Which shower begins is kept where another thread finds it.
    let begin = "Shower *const shower = slot;\n    uint32_t i;";
    let shared_begin = "static Shower *volatile shower;\n    uint32_t i;\n    shower = slot;";
    let shared = source().replace(begin, shared_begin);
    for (text, check) in [
        (pipe, "history"),
        (source().replace(zeros, warmer), "reset-repeats"),
        (dearer, "save-restore"),
        (shared, "interleaved"),
    ] {
        assert_ne!(text, source());
        compile(&bench, &text, "bad.so");
        let outcome = bench.run(&["plant", "check", "./bad.so", "--only", check]);
        assert_eq!(outcome.code, Some(1), "{check}: {outcome:?}");
        assert!(outcome.stdout.contains(&format!("{check}  FAIL")), "{outcome:?}");
    }
}

/// A copy of a slot that is not the whole state is found by the check that restores it.
#[test]
fn a_state_that_is_not_all_of_it_is_found() {
    let bench = bench();
    let all = ".bytes = sizeof(Shower),\n    .is_plain = 1,";
    assert!(source().contains(all));
    // The slot is a pointer to the memory of each, which a copy shares.
    let text = source()
        .replace(all, ".bytes = sizeof(Shower *),\n    .is_plain = 1,\n    .make = make,")
        .replace("= slot;", "= *(Shower **)slot;")
        .replace("((Shower *)slot)", "(*(Shower **)slot)")
        .replace(
            "static const BitloopSlots slots",
            "static const char *make(void *slot) {\n    return *(Shower **)slot = calloc(1, sizeof(Shower)), NULL;\n}\n\nstatic const BitloopSlots slots",
        );
    compile(&bench, &text, "bad.so");
    let outcome = bench.run(&["plant", "check", "./bad.so", "--only", "save-restore"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stdout.contains("save-restore  FAIL"), "{outcome:?}");
}

#[test]
fn a_training_has_the_same_controller_whatever_runs_it() {
    let bench = bench();
    let expected = digest(&bench, "run", &[]);
    for (index, options) in [
        &["--threads", "1"][..],
        &["--threads", "2"],
        &["--threads", "3", "--isolate=30"],
        &["--threads", "1", "--isolate=30"],
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(digest(&bench, &format!("run{index}"), options), expected, "{options:?}");
    }
    let trajectories =
        |args: &[&str]| bench.run(args).json()["trajectory_digest"].as_str().unwrap().to_owned();
    let expected = trajectories(&["replay", "run/controller.ron", "--json", "--threads", "1"]);
    assert_eq!(
        trajectories(&["replay", "run/controller.ron", "--json", "--threads", "2"]),
        expected
    );
    assert_eq!(trajectories(&["replay", "run/controller.ron", "--json", "--isolate=30"]), expected);
    bench
        .run(&["replay", "run/controller.ron", "--checkpoint", "state"])
        .assert_refused(2, &["the plant owns its state", "--shard"]);
}

#[test]
fn a_training_that_is_killed_again_and_again_ends_with_the_same_bits() {
    let long = SCENARIO.replace("evaluations: 2000", "evaluations: 6000, run_evaluations: 2500");
    train_and_kill_in(&bench(), &mut Killer::new(5), &long, 4);
}
