//! `--sandbox`: each right that a plant's process has given up, tried by a plant in its constructor and in a call.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::plant_check::workshop::{Report, faulty_cart};
use crate::support::{Bench, Outcome};

const SCENARIO: &str = r#"Scenario(
    plant: Library("cart.so"),
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 5, horizon_s: 1)),
    training: TelescopicBlm(bits: 8, initialization: Full),
    stop: (evaluations: 30),
)
"#;

/// Faults that end the process, and what is said of each.
const STOPPED: [(&str, &str); 8] = [
    ("WRITE_FILE", "stopped by the sandbox: it tried to open a file for writing"),
    ("SOCKET", "stopped by the sandbox: it tried to open a socket"),
    ("RUN", "stopped by the sandbox: it tried to run a program"),
    ("FORK", "stopped by the sandbox: it tried to start a process"),
    ("SIGNAL_HOST", "stopped by the sandbox: it tried to send a signal to another process"),
    ("OWN_FILE", "stopped by the sandbox: it tried to send a signal to another process"),
    ("TRUNCATE", "stopped by the sandbox: it tried to open a file for writing"),
    ("MEMORY", "abort: out of memory"),
];

/// Faults that find nothing: the plant aborts if it reads a file or a variable that it has no business with.
const BLIND: [&str; 2] = ["READ_FILE", "READ_ENV"];

fn is_supported() -> bool {
    let is_supported = bitloop_host::Sandbox::missing().is_empty();
    if !is_supported {
        eprintln!("skipped: this system has no sandbox");
    }
    is_supported
}

#[test]
fn a_check_takes_all_rights_by_default() {
    if !is_supported() {
        return;
    }
    let bench = Bench::new();
    bench.write("secret", "secret");
    for (when, check) in [("", "answers"), ("_AT_LOAD", "opens")] {
        for (fault, words) in STOPPED {
            let target = bench.path(fault).display().to_string();
            let fault = format!("{fault}{when}");
            let report = Report::of_cart_near(&bench, &fault, &target, &["--only", "units"]);
            report.assert_fails(check, words);
            assert!(!bench.path(&target).exists(), "{fault}");
        }
        for fault in BLIND {
            let target = bench.path("secret").display().to_string();
            let fault = format!("{fault}{when}");
            let report = Report::of_cart_near(&bench, &fault, &target, &["--only", "units"]);
            assert_eq!(report.code, Some(0), "{fault}: {report:?}");
            let note = format!("note: the sandbox kept the plant from reading {target}\n");
            assert_eq!(report.stderr.contains(&note), fault.contains("FILE"), "{report:?}");
            // The plant does what it is said to do.
            let args = ["--only", "units", "--no-sandbox"];
            let free = Report::of_cart_near(&bench, &fault, &target, &args);
            free.assert_fails(check, "abort");
            assert!(!free.stderr.contains("note"), "{free:?}");
        }
    }
}

/// The library and a scenario for it.
fn study(fault: &str, target: &str) -> Bench {
    let bench = Bench::new();
    faulty_cart(&bench, fault, target);
    bench.write("any.ron", SCENARIO);
    bench
}

#[test]
fn trainings_and_replays_in_the_sandbox_give_the_same_bits() {
    if !is_supported() {
        return;
    }
    let bench = study("NONE", "");
    let digest = |args: &[&str], key: &str| {
        let args = [args, &["--json"]].concat();
        bench.run(&args).json()[key].clone()
    };
    let train = |out: &str, more: &[&str]| {
        digest(&[&["train", "any.ron", "--out", out], more].concat(), "controller_digest")
    };
    let plain = train("plain", &[]);
    assert_eq!(train("boxed", &["--sandbox"]), plain);
    assert_eq!(train("threads", &["--sandbox", "--threads", "2", "--isolate=50"]), plain);
    let replay = |csv: &str, more: &[&str]| {
        let args = ["replay", "plain/controller.ron", "--csv", csv];
        digest(&[&args[..], more].concat(), "trajectory_digest")
    };
    bench.write("b.csv", "a file that was there before, and is longer than what comes after it");
    assert_eq!(replay("a.csv", &[]), replay("b.csv", &["--sandbox"]));
    assert_eq!(bench.read("a.csv"), bench.read("b.csv"));
    // What the plant may not read is named, also where it continues without.
    bench.write("secret", "secret");
    let secret = bench.path("secret").display().to_string();
    faulty_cart(&bench, "READ_FILE_AT_LOAD", &secret);
    let denied = bench.run(&["train", "any.ron", "--out", "denied", "--sandbox"]);
    assert_eq!(denied.code, Some(0), "{denied:?}");
    let note = format!("note: the sandbox kept the plant from reading {secret}\n");
    assert_eq!(denied.stderr.matches(&note).count(), 1, "{denied:?}");
    faulty_cart(&bench, "NONE", "");
    // By name.
    let mut command = bench.command(&["train", "any.ron", "--plant", "cart", "--sandbox"]);
    command.args(["--out", "named", "--json"]).env("BITLOOP_PLANT_PATH", bench.path(""));
    assert_eq!(Outcome::of(&mut command).json()["controller_digest"], plain);
}

#[test]
fn a_plant_that_wants_more_ends_the_training_alone() {
    if !is_supported() {
        return;
    }
    for (fault, words) in STOPPED {
        for when in ["", "_AT_LOAD"] {
            let bench = study("NONE", "");
            let trained = bench.run(&["train", "any.ron", "--out", "sound"]);
            assert_eq!(trained.code, Some(0), "{trained:?}");
            let target = bench.path("target");
            faulty_cart(&bench, &format!("{fault}{when}"), &target.display().to_string());
            for args in [
                &["train", "any.ron", "--out", "run", "--sandbox"][..],
                &["replay", "sound/controller.ron", "--sandbox"],
            ] {
                let outcome = bench.run(args);
                assert_eq!(outcome.code, Some(1), "{fault}{when}: {outcome:?}");
                assert!(outcome.stderr.contains(words), "{fault}{when}: {outcome:?}");
                // The program itself reads nothing that the sandbox keeps from it.
                assert!(!outcome.stderr.contains("note: "), "{fault}{when}: {outcome:?}");
                assert!(!target.exists(), "{fault}");
            }
            assert_eq!(bench.path("run/checkpoint").exists(), when.is_empty(), "{fault}{when}");
        }
    }
}

/// Makes a program that runs another one on a system that seems not to have a call, by its number.
fn without_a_call(bench: &Bench) -> PathBuf {
    const PROGRAM: &str = r"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argc < 3 ? 0 : atoi(argv[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 99;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 98;
    execv(argv[2], argv + 2);
    return 97;
}
";
    bench.write("wrapper.c", PROGRAM);
    let wrapper = bench.path("wrapper");
    let output = Command::new("cc").arg("-o").arg(&wrapper).arg(bench.path("wrapper.c")).output();
    assert!(output.unwrap().status.success());
    wrapper
}

#[test]
fn a_part_that_the_system_lacks_is_named_and_refused_where_the_sandbox_was_asked_for() {
    if !is_supported() {
        return;
    }
    let bench = study("NONE", "");
    let wrapper = without_a_call(&bench);
    let written = bench.path("written").display().to_string();
    // Each part stops alone what it can.
    for (call, part, fault, target, words) in [
        ("444", "Landlock", "SOCKET", "", "it tried to open a socket"),
        ("317", "seccomp filters", "WRITE_FILE", &*written, "3 passed"),
    ] {
        faulty_cart(&bench, "NONE", "");
        let run = |args: &[&str]| {
            let plain = bench.command(args);
            let mut command = Command::new(&wrapper);
            command.arg(call).arg(plain.get_program()).args(args).current_dir(bench.path(""));
            Outcome::of(&mut command)
        };
        let check = ["plant", "check", "./cart.so", "--only", "units"];
        for args in [
            &["train", "any.ron", "--out", "run", "--sandbox"][..],
            &[&check[..], &["--sandbox"]].concat(),
        ] {
            let refusal = format!("--sandbox: this system lacks {part}");
            run(args).assert_refused(1, &[&refusal, "hint"]);
        }
        assert!(!bench.path("run").exists());
        let checked = run(&check);
        assert_eq!(checked.code, Some(0), "{checked:?}");
        let warning =
            format!("warning: the plant's process keeps rights, since this system lacks {part}");
        assert!(checked.stderr.contains(&warning), "{checked:?}");
        let free = run(&[&check[..], &["--no-sandbox"]].concat());
        assert!(!free.stderr.contains("warning"), "{free:?}");
        faulty_cart(&bench, fault, target);
        let tried = run(&check);
        assert!(tried.stdout.contains(words), "{tried:?}");
        assert!(!bench.path("written").exists(), "{tried:?}");
    }
}

/// Processor time of the processes that this one has started and that have ended, and of those that they have, in seconds.
fn cpu_s_of_children() -> f64 {
    const TICKS_PER_S: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    // The name, in parentheses, may hold blanks; user and system time of children are numbers 16 and 17.
    let (_, after_name) = text.rsplit_once(')').unwrap();
    let numbers: Vec<&str> = after_name.split_whitespace().collect();
    numbers[13..15].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / TICKS_PER_S
}

/// Prints what a training costs in the sandbox, and isolated alone, in turn; run it by itself.
#[test]
#[ignore = "it takes minutes, and is for reading"]
fn cost_of_the_sandbox() {
    const N_ROUNDS: usize = 30;
    let bench = Bench::with_scenario();
    let text = bench.read("quick.ron");
    bench.write("long.ron", &text.replace("evaluations: 600", "evaluations: 20000"));
    let mut digests = Vec::new();
    let mut speed = |kind: &str| {
        let args = ["train", "long.ron", "--out", "run", "--threads", "1", "--json", kind];
        let before = cpu_s_of_children();
        let result = bench.run(&args).json();
        digests.push(result["controller_digest"].clone());
        result["plant_steps"].as_f64().unwrap() / (cpu_s_of_children() - before)
    };
    let mut rounds = Vec::new();
    for round in 0..N_ROUNDS {
        // Each is the first one in every other round.
        let (first, second) = if round % 2 == 0 { (0, 1) } else { (1, 0) };
        let mut speeds = [0.0; 2];
        for kind in [first, second] {
            speeds[kind] = speed(["--sandbox", "--isolate"][kind]);
        }
        rounds.push(speeds);
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]));
    let quartiles = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        [1, 2, 3].map(|quarter| all[quarter * all.len() / 4])
    };
    let [_, sandboxed, _] = quartiles(rounds.iter().map(|of| 1e-6 * of[0]).collect());
    let [_, isolated, _] = quartiles(rounds.iter().map(|of| 1e-6 * of[1]).collect());
    let [low, middle, high] = quartiles(rounds.iter().map(|of| of[0] / of[1]).collect());
    eprintln!("medians of {N_ROUNDS} rounds, million plant steps per second of processor time:");
    eprintln!("  --sandbox {sandboxed:.1}, --isolate {isolated:.1}");
    eprintln!("  the one over the other {middle:.3}, quartiles {low:.3} and {high:.3}");
}
