//! One arithmetic everywhere: the bits of whole simulations, on every instruction set, for any number of threads.

use bitloop_net::Feedback;
use bitloop_plant::Isa;
use bitloop_sim::{Controller, Evaluation, NetworkController};

use crate::support::{digest, draw, linear, pendulum, random_network, tilted};

/// The digest of the trajectories and the bits of Err.
fn golden(
    isa: Isa,
    controller: &impl Controller,
    n_episodes: usize,
    horizon_s: f64,
) -> (String, Evaluation) {
    let closed_loop = pendulum();
    // Some start too far out to be caught, so that lanes fail along the way.
    let set = draw(&closed_loop, n_episodes, &tilted(horizon_s, 0.9), 7);
    let (digest, recorded) = digest(&closed_loop, isa, controller, &set);
    for n_threads in [1, 2, 3, 8, 1_000_000] {
        let evaluation = closed_loop.evaluate(isa, controller, &set, n_threads).unwrap();
        assert_eq!(evaluation, recorded, "{n_threads} threads on {}", isa.name());
        assert_eq!(evaluation.error.to_bits(), recorded.error.to_bits());
    }
    (digest, recorded)
}

#[test]
fn fifty_episodes_of_100_s_have_the_same_bits_everywhere() {
    for isa in Isa::available() {
        let (digest, evaluation) = golden(isa, &linear(), 50, 100.0);
        assert!((1..40).contains(&evaluation.n_failed()), "{}", evaluation.n_failed());
        assert_eq!(
            (digest.as_str(), evaluation.error.to_bits()),
            (LINEAR_DIGEST, LINEAR_ERROR_BITS),
            "{}",
            isa.name()
        );
    }
}

#[test]
fn networks_have_the_same_bits_everywhere() {
    for (seed, n_hidden, feedback, expected) in [
        (6, 5, Feedback::None, FEED_FORWARD),
        (6, 7, Feedback::Full, RECURRENT),
        (6, 6, Feedback::SelfOnly, SELF_ONLY),
    ] {
        let (network, weights) = random_network(seed, n_hidden, feedback);
        let controller = NetworkController { network: &network, weights: &weights };
        for isa in Isa::available() {
            let (digest, evaluation) = golden(isa, &controller, 50, 10.0);
            let found = (&digest[..16], evaluation.error.to_bits(), evaluation.n_failed());
            assert_eq!(found, expected, "{feedback:?} on {}", isa.name());
        }
    }
}

/// Where glibc keeps from FMA and AVX2, its own functions change bits, and so would ours if any of them went through it.
/// The portable path then calls a slow emulation of fused products, and is given less to do.
#[test]
fn the_bits_do_not_follow_the_system_library() {
    const CHILD: &str = "BITLOOP_TEST_CHILD";
    let digests = || -> Vec<String> {
        Isa::available()
            .map(|isa| {
                let (network, weights) = random_network(6, 7, Feedback::Full);
                let controller = NetworkController { network: &network, weights: &weights };
                golden(isa, &controller, 10, 2.0).0
            })
            .collect()
    };
    if std::env::var_os(CHILD).is_some() {
        println!("digests {}", digests().join(" "));
        return;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "digests::the_bits_do_not_follow_the_system_library", "--nocapture"])
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-AVX2")
        .env(CHILD, "1")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = format!("digests {}", digests().join(" "));
    assert!(text.contains(&expected), "{text}\n{expected}");
}

const LINEAR_DIGEST: &str = "fe64c4091a229549aef0bd0af85fc1fafb8b4ab5a18f91e7c33d13da99c8d235";
const LINEAR_ERROR_BITS: u64 = 0x3fd8_ecf9_d9ac_a1f8;
const FEED_FORWARD: (&str, u64, usize) = ("d1f99ea276460149", 0x3fef_26e6_9129_e729, 27);
const RECURRENT: (&str, u64, usize) = ("78c1569c643831e7", 0x3fed_6cf1_a3fd_66ca, 25);
const SELF_ONLY: (&str, u64, usize) = ("4ffb8c32e5bacfce", 0x3fe3_f69e_485a_8caa, 19);
