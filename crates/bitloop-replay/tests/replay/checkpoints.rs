//! Replays whose state is kept, and that are resumed from it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bitloop_net::SignalLanes;
use bitloop_plant::Isa;
use bitloop_replay::{
    CheckpointError, Checkpoints, Replay, ReplayExecution, ReplayOptions, ReplayOutcome,
    ReplayState,
};
use bitloop_scenario::ScenarioFile;
use bitloop_sim::{Controller, NetworkController};

use crate::replays::{replay, saved};

/// A controller that interrupts its replay after so many queries.
struct Interrupting<'a> {
    inner: NetworkController<'a>,
    interrupt: AtomicBool,
    n_left: AtomicU64,
}

impl<'a> Interrupting<'a> {
    fn after(n_queries: u64, replay: &'a Replay) -> Self {
        let (interrupt, n_left) = (AtomicBool::new(false), AtomicU64::new(n_queries));
        Self { inner: replay.controller(), interrupt, n_left }
    }
}

impl Controller for Interrupting<'_> {
    fn n_inputs(&self) -> usize {
        self.inner.n_inputs()
    }
    fn n_outputs(&self) -> usize {
        self.inner.n_outputs()
    }
    fn parameters(&self) -> &[f64] {
        self.inner.parameters()
    }
    fn signals(&self, n_lanes: usize) -> SignalLanes {
        self.inner.signals(n_lanes)
    }
    fn act(&self, isa: Isa, n_lanes: usize, signals: &mut SignalLanes) {
        if self.n_left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        self.inner.act(isa, n_lanes, signals);
    }
}

fn execution<'a>(controller: &'a Interrupting<'_>, n_threads: usize) -> ReplayExecution<'a> {
    ReplayExecution {
        has_behavior: true,
        interrupt: &controller.interrupt,
        controller: Some(controller),
        ..ReplayExecution::new(Isa::best(), n_threads)
    }
}

/// Runs a replay from a state until so many queries are done, or the end, with the state that was kept last, as bytes.
fn attempt(
    replay: &Replay,
    state: ReplayState,
    (n_queries, n_threads): (u64, usize),
    every: Duration,
) -> Result<(ReplayOutcome, Vec<u8>), CheckpointError> {
    let controller = Interrupting::after(n_queries, replay);
    let mut kept = Vec::new();
    let save = &mut |state: &ReplayState| {
        kept = state.to_bytes();
        Ok(())
    };
    let checkpoints = Checkpoints { state, every, save };
    let execution = execution(&controller, n_threads);
    let outcome = replay.run_with_checkpoints(execution, checkpoints, &mut |progress| {
        assert!((0.0..=1.0).contains(&progress.part), "{progress:?}");
    })?;
    Ok((outcome, kept))
}

/// A scenario of a plant that never fails.
fn never_failing(controller: &str, more: &str) -> ScenarioFile {
    let text = format!(
        r#"Scenario(
        plant: "mass-spring-damper",
        initial: {{"x": Uniform(-1, 1)}},
        controller: {controller},
        episodes: (training: (count: 5, horizon_s: 2), test: (horizon_s: 2)),
        training: TelescopicBlm(),
        stop: (evaluations: 50),
        {more}
    )"#
    );
    ScenarioFile::parse(&text, "small.ron").unwrap_or_else(|e| panic!("{e}"))
}

fn options(n_episodes: u32, horizon_s: f64) -> ReplayOptions {
    ReplayOptions {
        n_episodes: Some(n_episodes),
        horizon_s: Some(horizon_s),
        ..ReplayOptions::default()
    }
}

#[test]
fn a_replay_that_is_interrupted_again_and_again_ends_with_the_same_bits() {
    // Memory of the controller, penalties, and uncertainty.
    let uncertain = r#"uncertainty: (
        sensors: {"x": (noise: Normal(0.01), delay_s: 0.1)},
        actuators: {"force": (gain: Uniform(0.8, 1.2))},
    ),"#;
    for (controller, more) in [
        ("Recurrent(hidden: [3])", ""),
        ("FeedForward(hidden: [])", "penalties: (effort: 1e-4, rate: 1e-3, saturation: 0.1),"),
        ("FeedForward(hidden: [2])", uncertain),
    ] {
        let (file, _) = saved(&never_failing(controller, more));
        let replay = replay(&file, None, options(70, 30.0));
        let never = Interrupting::after(u64::MAX, &replay);
        let whole = replay.run_watched(execution(&never, 1), &mut |_| {}).unwrap();
        let (mut state, mut n_attempts) = (ReplayState::default(), 0);
        let outcome = loop {
            n_attempts += 1;
            // Whatever the number of threads was before. Some checkpoints come while blocks are under way.
            let every = Duration::from_millis(if n_attempts % 2 == 0 { 0 } else { 1000 });
            let size = (101, 1 + n_attempts % 3);
            let (outcome, kept) = attempt(&replay, state, size, every).unwrap();
            if !outcome.is_part() {
                break outcome;
            }
            let n_known = outcome.indices.len() + outcome.unfinished.len();
            assert!(n_known <= 70 && outcome.trajectory_digest.is_none());
            assert_eq!(ReplayState::from_bytes(&kept[..kept.len() - 1]).map(drop), None);
            state = ReplayState::from_bytes(&kept).unwrap();
            assert!(n_attempts < 1000, "it goes on");
        };
        assert!(n_attempts > 3, "{n_attempts}");
        assert_eq!(outcome.trajectory_digest, whole.trajectory_digest);
        assert_eq!(outcome.evaluation, whole.evaluation);
        assert_eq!(outcome.indices, whole.indices);
    }
}

#[test]
fn blocks_pause_for_a_checkpoint_while_they_run() {
    let (file, _) = saved(&never_failing("Recurrent(hidden: [3])", ""));
    let replay = replay(&file, None, options(20, 1e6));
    // It is interrupted by the third checkpoint, however fast it runs, long before its end.
    let controller = Interrupting::after(u64::MAX, &replay);
    let mut kept = Vec::new();
    let save = &mut |state: &ReplayState| {
        kept.push(state.to_bytes());
        controller.interrupt.store(kept.len() >= 3, Ordering::Relaxed);
        Ok(())
    };
    let checkpoints = Checkpoints { state: ReplayState::default(), every: Duration::ZERO, save };
    let outcome =
        replay.run_with_checkpoints(execution(&controller, 2), checkpoints, &mut |_| {}).unwrap();
    assert!(outcome.is_part());
    // Later states are further on: no block was begun again.
    let lengths: Vec<usize> = kept.iter().map(Vec::len).collect();
    assert!(lengths[0] > 1000 && kept[0] != kept[1] && kept[1] != kept[2], "{lengths:?}");
}

#[test]
fn the_state_of_another_replay_and_a_full_disk_are_errors() {
    let (file, _) = saved(&never_failing("FeedForward(hidden: [2])", ""));
    let long = replay(&file, None, options(30, 40.0));
    let (_, kept) =
        attempt(&long, ReplayState::default(), (150, 1), Duration::from_secs(9)).unwrap();
    let state = ReplayState::from_bytes(&kept).unwrap();
    for other in [options(30, 5.0), options(5, 40.0)] {
        let other = replay(&file, None, other);
        let error =
            attempt(&other, state.clone(), (u64::MAX, 2), Duration::from_secs(9)).unwrap_err();
        assert!(error.to_string().contains("other"), "{error}");
    }
    // Without digests.
    let controller = Interrupting::after(u64::MAX, &long);
    let save = &mut |_: &ReplayState| Ok(());
    let checkpoints = Checkpoints { state, every: Duration::from_secs(9), save };
    let without = ReplayExecution { has_digest: false, ..execution(&controller, 1) };
    let error = long.run_with_checkpoints(without, checkpoints, &mut |_| {}).unwrap_err();
    assert!(matches!(error, CheckpointError::OtherState), "{error}");

    let endless = replay(&file, None, options(30, 1e7));
    let controller = Interrupting::after(u64::MAX, &endless);
    let save = &mut |_: &ReplayState| Err(io::Error::other("no space"));
    let checkpoints = Checkpoints { state: ReplayState::default(), every: Duration::ZERO, save };
    let error = endless
        .run_with_checkpoints(execution(&controller, 2), checkpoints, &mut |_| {})
        .unwrap_err();
    assert!(matches!(error, CheckpointError::Save(_)), "{error}");
}
