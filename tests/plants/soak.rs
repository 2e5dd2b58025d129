//! Training with a library and replay, again and again: memory, file handles and speed stay as they are.
//!
//! `BITLOOP_SOAK_MINUTES=30 cargo test -p bitloop-tests --test plants -- --ignored --nocapture soak`

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bitloop_folder::{CheckpointWriter, Provenance, RunFolder, Texts};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{ControllerFile, ScenarioFile, ScenarioKind as _};
use bitloop_train::{
    ClosedLoopTask, Event, Execution, SaveInfo, Training, TrainingState, log_line,
};

use crate::built::plugin;

const SCENARIO: &str = r#"Scenario(
    plant: Library("PATH"),
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [5]),
    episodes: (training: (count: 50, horizon_s: 100, transient_s: 1), test: (horizon_s: 1000)),
    training: TelescopicBlm(bits: 16),
    stop: (evaluations: 3000, run_evaluations: 1000),
    seed: SEED,
)"#;

/// Growth that is allowed after the first third of the time, in bytes.
const ALLOWED_GROWTH: u64 = 1 << 20;

/// Speed that must be left, of what it was in the first third: beside other work on a machine, it moves by itself.
const LEAST_SPEED: f64 = 0.8;

/// How the process stands after a round.
#[derive(Clone, Copy, Debug)]
struct Sample {
    resident_bytes: u64,
    n_handles: usize,
    /// Of training, per second of processor time.
    steps_per_s: f64,
}

/// Trains with checkpoints and a log, saves, and replays; gives the integration steps of the training.
fn round(folder: &Path, library: &Path, seed: u64) -> u64 {
    let library = library.display().to_string();
    let text = SCENARIO.replace("PATH", &library).replace("SEED", &seed.to_string());
    let scenario = ScenarioFile::parse(&text, "soak.ron").unwrap();
    let training = ClosedLoopTask::prepare(&scenario, &Registry::built_in()).unwrap();
    let provenance = Provenance {
        bitloop_version: "0".to_owned(),
        scenario_digest: scenario.value.search_digest(),
        plant_digest: training.library().map(|library| library.digest.clone()),
        data: BTreeMap::new(),
        scenario_name: "soak.ron".to_owned(),
        command: "soak".to_owned(),
    };
    let texts = Texts { given: &text, resolved: &scenario.value.to_text() };
    let run = RunFolder::create(&folder.join("run"), texts, &provenance, &TrainingState::new());
    let run = run.unwrap();
    let mut writer =
        CheckpointWriter::start(&run, provenance, 0, Duration::from_millis(100)).unwrap();
    let interrupt = AtomicBool::new(false);
    let n_threads = NonZeroUsize::new(2).unwrap();
    let execution = Execution::new(Isa::best(), n_threads, &interrupt);
    let outcome = training
        .train(TrainingState::new(), execution, &mut |progress| {
            if let Some(line) = log_line(progress) {
                writer.log(line);
            }
            if progress.event == Event::Probing {
                writer.offer(progress.state);
            }
        })
        .unwrap()
        .unwrap();
    writer.settle(None).unwrap();
    let info = SaveInfo {
        command: "soak".to_owned(),
        scenario_name: "soak.ron".to_owned(),
        bitloop_version: "0".to_owned(),
    };
    let product = training.product(&outcome, info).unwrap();
    run.write("controller.ron", product.text.as_bytes()).unwrap();
    run.finish("{}").unwrap();

    let controller = ControllerFile::read(run.path().join("controller.ron")).unwrap();
    let options = ReplayOptions::default();
    let replay = Replay::new(&controller, None, options, &Registry::built_in()).unwrap();
    let replayed = replay.run(Isa::best(), 1).unwrap().evaluation;
    assert_eq!(replayed.error.to_bits(), outcome.scores.test.unwrap().error.to_bits());
    outcome.plant_steps
}

/// Pages of this process in memory, from `/proc/self/statm`, whose second number it is.
fn resident_bytes() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap();
    4096 * text.split(' ').nth(1).unwrap().parse::<u64>().unwrap()
}

fn n_handles() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Processor time of all threads, dead ones included: the fields `utime` and `stime` of `/proc/self/stat`, in hundredths
/// of a second.
fn processor_s() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks = |index| fields.split_whitespace().nth(index).unwrap().parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / 100.0
}

#[test]
#[ignore = "takes as long as BITLOOP_SOAK_MINUTES says"]
fn soak() {
    let minutes = std::env::var("BITLOOP_SOAK_MINUTES").map_or(30.0, |text| text.parse().unwrap());
    let duration = Duration::from_secs_f64(60.0 * minutes);
    let folder = tempfile::tempdir().unwrap();
    // Built before the time begins.
    let library = plugin();
    let begun = Instant::now();
    let mut samples = Vec::new();
    let mut printed: Option<Instant> = None;
    for seed in 0.. {
        let before = processor_s();
        let steps = round(folder.path(), library, seed);
        let sample = Sample {
            resident_bytes: resident_bytes(),
            n_handles: n_handles(),
            steps_per_s: steps as f64 / (processor_s() - before).max(0.01),
        };
        samples.push(sample);
        let elapsed = begun.elapsed();
        if printed.is_none_or(|printed| printed.elapsed() >= duration / 10) {
            printed = Some(Instant::now());
            println!(
                "{:7.1} s  round {:5}  {:7.2} MiB  {} handles  {:6.1} M plant steps per processor second",
                elapsed.as_secs_f64(),
                samples.len(),
                sample.resident_bytes as f64 / f64::from(1 << 20),
                sample.n_handles,
                sample.steps_per_s / 1e6,
            );
        }
        if elapsed >= duration && samples.len() >= 9 {
            break;
        }
    }
    // Of each third, the first being the time to warm up in.
    let thirds: Vec<&[Sample]> = samples.chunks(samples.len().div_ceil(3)).collect();
    let most = |third: &[Sample]| third.iter().map(|s| s.resident_bytes).max().unwrap();
    let handles = |third: &[Sample]| third.iter().map(|s| s.n_handles).max().unwrap();
    let speed = |third: &[Sample]| {
        let mut speeds: Vec<f64> = third.iter().map(|s| s.steps_per_s).collect();
        speeds.sort_by(f64::total_cmp);
        speeds[speeds.len() / 2]
    };
    let growth = most(thirds[2]).saturating_sub(most(thirds[1]));
    let (before, after) = (speed(thirds[0]), speed(thirds[2]));
    println!(
        "{} rounds: memory grew by {growth} bytes from the second third to the last, handles {} to {}, speed {:.1} to {:.1} M plant steps per processor second",
        samples.len(),
        handles(thirds[0]),
        handles(thirds[2]),
        before / 1e6,
        after / 1e6,
    );
    assert!(growth <= ALLOWED_GROWTH, "memory grew by {growth} bytes");
    assert!(handles(thirds[2]) <= handles(thirds[0]), "file handles leak");
    assert!(after >= LEAST_SPEED * before, "from {before} to {after} steps per second");
}
