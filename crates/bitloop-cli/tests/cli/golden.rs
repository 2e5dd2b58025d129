//! One arithmetic everywhere: whole trainings and replays of three scenarios have one digest each, on every instruction set,
//! for any number of threads, and also where glibc is kept from the processor's vector instructions, which changes the bits
//! of the system's functions.
//!
//! A digest moves only when the bits of the search, the plant, the loop or the streams move; a change that is meant to do
//! that writes the new one here, and says why in its commit.

use crate::support::{Bench, Outcome};

/// What is not the same in the three scenarios, and what they come to.
struct Golden {
    name: &'static str,
    observations: &'static str,
    controller: &'static str,
    training: &'static str,
    controller_digest: &'static str,
    trajectory_digest: &'static str,
}

const GOLDEN: [Golden; 3] = [
    Golden {
        name: "first improving flips, growing by the threshold",
        observations: r#"["x", "theta", "x_dot", "theta_dot"]"#,
        controller: "FeedForward(hidden: [5])",
        training: "TelescopicBlm(preset: Paper, bits: 16, validate_every: 10)",
        controller_digest: "5b14255f2a586c2654b3f76c1cd3645fda0966ffbed13f3d517aa16c4fb6f0ea",
        trajectory_digest: "d435b5ae1e87c6198b99f0985cd4f11fae41de588d73b6dc39f2cd0a8f4279ad",
    },
    Golden {
        name: "kicks at local minima of two bits",
        observations: r#"["x", "theta", "x_dot", "theta_dot"]"#,
        controller: "TappedDelay(hidden: [3], window: 2)",
        training: "TelescopicBlm(preset: Paper, bits: 2, max_weight: 10, initialization: Full, growth: Fixed, kicks: (count: 5, flips: 3))",
        controller_digest: "805a3eddbab61e10c5db16249f1c47e305390ab34d785c03f58be652d9223e7f",
        trajectory_digest: "2869ec3883d591ac08db6995d60f25ea88671b7914d7562284e6fa45b960268d",
    },
    Golden {
        name: "best of several flips, recurrent",
        observations: r#"["x", "theta"]"#,
        controller: "Recurrent(hidden: [4])",
        training: "TelescopicBlm(preset: Paper, bits: 16, start_bits: 4, initialization: Bounded(0.5), moves: BestOf(20), \
                   candidates: SeveralFlips(extra: 0.5))",
        controller_digest: "b8090f3c59a983f5185af75c830ff583c201dba4877e0bdf3893a3b1efbb76f7",
        trajectory_digest: "b517c088dd8a3410ee5a1fe015bde13249b7f6605b2f03fda3ccafe42143541f",
    },
];

impl Golden {
    /// Three hundred evaluations, short enough for the portable path without fused products in hardware.
    fn scenario(&self) -> String {
        let Self { observations, controller, training, .. } = self;
        format!(
            r#"Scenario(
    plant: "inverted-pendulum",
    observations: {observations},
    initial: {{"theta": Uniform(-0.4, 0.4)}},
    controller: {controller},
    episodes: (
        training: (count: 11, horizon_s: 3, transient_s: 1),
        test: (count: 9, horizon_s: 6),
    ),
    curriculum: (horizon_s: 1.5, initial_scale: 0.5, advance_below: 0.5),
    training: {training},
    stop: (evaluations: 300),
    seed: 3,
)
"#
        )
    }

    /// Digests of a training and of the replay of what it gives; none where the processor lacks the instruction set.
    fn digests(&self, threads: &str, environment: &[(&str, &str)]) -> Option<(String, String)> {
        let bench = Bench::new();
        bench.write("golden.ron", &self.scenario());
        let run =
            |args: &[&str]| Outcome::of(bench.command(args).envs(environment.iter().copied()));
        let training =
            run(&["train", "golden.ron", "--json", "--threads", threads, "--out", "run"]);
        if training.code == Some(2) && training.stderr.contains("this processor lacks") {
            return None;
        }
        let training = training.json();
        let replay = run(&["replay", "run/controller.ron", "--json"]).json();
        let digest = |object: &serde_json::Map<_, serde_json::Value>, key: &str| {
            object[key].as_str().expect("a digest").to_owned()
        };
        assert_eq!(replay["mean_error"], training["test_error"], "{}", self.name);
        Some((digest(&training, "controller_digest"), digest(&replay, "trajectory_digest")))
    }
}

#[test]
fn trainings_and_replays_have_one_digest_everywhere() {
    let mut n_compared = 0;
    for golden in &GOLDEN {
        for isa in ["avx512", "avx2", "portable"] {
            for hardware in ["", "glibc.cpu.hwcaps=-FMA,-AVX2"] {
                for threads in ["1", "2", "3", "8"] {
                    let environment = [("BITLOOP_ISA", isa), ("GLIBC_TUNABLES", hardware)];
                    let Some(digests) = golden.digests(threads, &environment) else { continue };
                    let expected = (golden.controller_digest, golden.trajectory_digest);
                    let found = (&*digests.0, &*digests.1);
                    assert_eq!(found, expected, "{}: {environment:?} {threads}", golden.name);
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared >= 24, "the portable path runs everywhere");
}
