//! Checkpoints.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use bitloop_folder::Loaded;
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{ClosedLoopTask, ClosedLoopTraining, Execution, Training, TrainingState};

/// The least that can be trained.
const SCENARIO: &str = r#"Scenario(
    plant: "inverted-pendulum",
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 2, horizon_s: 0.2), test: (count: 1, horizon_s: 0.2)),
    training: TelescopicBlm(bits: 8, initialization: Full, kicks: (count: 2, flips: 2)),
    stop: (evaluations: 50),
)"#;

static TRAINING: LazyLock<ClosedLoopTraining> = LazyLock::new(|| {
    let scenario = ScenarioFile::parse(SCENARIO, "fuzz.ron").expect("a scenario");
    ClosedLoopTask::prepare(&scenario, &Registry::built_in()).expect("a training")
});

/// Reads any bytes as a checkpoint: as they are, and as what stands after the digest. A training is gone on with from
/// whatever state is read, for one look at the clock.
pub fn read(data: &[u8]) {
    let _ = Loaded::<TrainingState>::from_bytes(data.to_vec());
    let digest = blake3::hash(data).to_hex();
    let bytes = [format!("bitloop checkpoint 2\n{digest}\n").as_bytes(), data].concat();
    let Ok(loaded) = Loaded::<TrainingState>::from_bytes(bytes) else { return };
    let interrupt = AtomicBool::new(true);
    let execution = Execution::new(Isa::PORTABLE, NonZeroUsize::MIN, &interrupt);
    if let Err(error) = TRAINING.train(loaded.state, execution, &mut |_| {}) {
        assert!(!error.to_string().is_empty());
    }
}
