//! A saved controller behaves as it did in training.

use std::sync::atomic::{AtomicBool, Ordering};

use bitloop_host::Registry;
use bitloop_plant::{Integrator, Isa};
use bitloop_replay::{
    Replay, ReplayError, ReplayExecution, ReplayOptions, ReplayOutcome, TrajectoryFile,
    TrajectoryFormat,
};
use bitloop_scenario::{ControllerFile, ScenarioFile};
use bitloop_sim::{Distribution, Query};
use bitloop_train::{SaveInfo, Training};

use crate::small_trainings::{kinds, run, test_score, training};

/// The controller of a training, and its test error.
pub fn saved(scenario: &ScenarioFile) -> (ControllerFile, f64) {
    let training = training(scenario);
    let outcome = run(&training, Isa::best(), 1);
    let info = SaveInfo {
        command: "bitloop train small.ron".to_owned(),
        scenario_name: "small.ron".to_owned(),
        bitloop_version: "0.1.0".to_owned(),
    };
    let text = training.product(&outcome, info).expect("writes").text;
    let file = ControllerFile::parse(&text, "controller.ron").unwrap_or_else(|e| panic!("{e}"));
    (file, test_score(&outcome).error)
}

pub fn replay(
    file: &ControllerFile,
    scenario: Option<&ScenarioFile>,
    options: ReplayOptions,
) -> Replay {
    Replay::new(file, scenario, options, &Registry::built_in()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_replay_gives_the_test_error_to_the_last_bit() {
    for mut scenario in kinds() {
        scenario.value.seed = 5;
        let (file, test_error) = saved(&scenario);
        let alone = replay(&file, None, ReplayOptions::default());
        let outcome = alone.run(Isa::best(), 1).expect("runs");
        assert_eq!(outcome.evaluation.error, test_error);
        // The scenario's own file has another seed; it is still the same scenario.
        scenario.value.seed = 1;
        let again = replay(&file, Some(&scenario), ReplayOptions::default());
        let again = again.run(Isa::PORTABLE, 1).expect("runs");
        assert_eq!(again.evaluation, outcome.evaluation);
        assert_eq!(again.trajectory_digest, outcome.trajectory_digest);
    }
}

#[test]
fn episodes_horizon_and_seed_can_be_chosen() {
    let [scenario, ..] = kinds();
    let (file, test_error) = saved(&scenario);
    let options = ReplayOptions {
        n_episodes: Some(3),
        horizon_s: Some(2.0),
        seed: Some(9),
        ..ReplayOptions::default()
    };
    let outcome = replay(&file, None, options).run(Isa::best(), 1).expect("runs");
    assert_eq!((outcome.evaluation.episodes.len(), outcome.horizon_s, outcome.seed), (3, 2.0, 9));
    assert_ne!(outcome.evaluation.error, test_error);
}

#[test]
fn a_controller_for_another_plant_is_refused_at_its_place() {
    let [scenario, ..] = kinds();
    let (file, _) = saved(&scenario);
    let mut other = scenario.clone();
    other.value.plant = "acrobot".into();
    let error = Replay::new(&file, Some(&other), ReplayOptions::default(), &Registry::built_in())
        .unwrap_err();
    let message = error.to_string();
    assert!(message.contains("this controller is for plant `inverted-pendulum`"), "{message}");
    assert!(message.contains("controller.ron:"), "{message}");
}

#[test]
fn an_observation_that_the_plant_lacks_is_refused_at_its_place() {
    let [scenario, ..] = kinds();
    let (mut file, _) = saved(&scenario);
    file.value.inputs[1].name = "thta".to_owned();
    let error =
        Replay::new(&file, None, ReplayOptions::default(), &Registry::built_in()).unwrap_err();
    assert!(error.to_string().contains("did you mean `theta`?"), "{error}");
}

/// Ticks of an episode, in bytes as many as a test wants.
struct Ticks {
    bytes: u64,
}

impl TrajectoryFormat for Ticks {
    fn bytes_per_episode(&self, n_queries: u64) -> u64 {
        self.bytes * (n_queries + 1)
    }
    fn query(&self, first: usize, query: &Query<'_>, texts: &mut [Vec<u8>]) {
        for &episode in query.episodes {
            let cell = format!("{} {}", first + episode, query.tick);
            let width = usize::try_from(self.bytes).unwrap() - 1;
            texts[episode].extend(format!("{cell:width$}\n").bytes());
        }
    }
    fn end(&self, episode: usize, tick: u64, _state: &[f64], text: &mut Vec<u8>) {
        text.extend(format!("{episode} ends at {tick}\n").bytes());
    }
    fn pack(&self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

/// Short episodes are run side by side; long ones are handed to the writer before they end, and a lone one is formatted by another
/// thread than runs it.
#[test]
fn neither_results_nor_files_depend_on_the_number_of_threads() {
    let [scenario, ..] = kinds();
    let (file, _) = saved(&scenario);
    for (n_episodes, horizon_s, bytes) in [(150, 5.0, 20), (3, 20.0, 60_000), (1, 100.0, 6_000)] {
        let options = ReplayOptions {
            n_episodes: Some(n_episodes),
            horizon_s: Some(horizon_s),
            ..ReplayOptions::default()
        };
        let replay = replay(&file, None, options);
        let format = Ticks { bytes };
        let run = |n_threads| {
            let mut out = Vec::new();
            let trajectories = Some(TrajectoryFile { format: &format, out: &mut out });
            let isa = Isa::best();
            let execution =
                ReplayExecution { trajectories, ..ReplayExecution::new(isa, n_threads) };
            let mut n_finished = 0;
            let outcome = replay
                .run_watched(execution, &mut |progress| n_finished = progress.n_finished)
                .unwrap();
            assert_eq!(n_finished, n_episodes as usize);
            (outcome.evaluation, outcome.trajectory_digest, out)
        };
        let expected = run(1);
        let lines: Vec<&str> = std::str::from_utf8(&expected.2).unwrap().lines().collect();
        let ends = lines.iter().filter(|line| line.contains("ends at"));
        let ends: Vec<usize> =
            ends.map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
        assert_eq!(ends, (0..n_episodes as usize).collect::<Vec<_>>());
        for n_threads in [2, 3, 1000] {
            assert!(run(n_threads) == expected, "{n_threads} threads");
        }
    }
}

/// A disk with room for so many bytes.
struct Disk(usize);

impl std::io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_ends_a_replay_at_once() {
    let [scenario, ..] = kinds();
    let (file, _) = saved(&scenario);
    // Hours, if it went on.
    let options =
        ReplayOptions { n_episodes: Some(1000), horizon_s: Some(1e7), ..ReplayOptions::default() };
    let replay = replay(&file, None, options);
    let mut disk = Disk(10_000_000);
    let trajectories = Some(TrajectoryFile { format: &Ticks { bytes: 20 }, out: &mut disk });
    let execution = ReplayExecution { trajectories, ..ReplayExecution::new(Isa::best(), 2) };
    let error = replay.run_watched(execution, &mut |_| {}).unwrap_err();
    assert!(matches!(error, ReplayError::Trajectories(_)), "{error}");
}

/// A replay of a plant that never fails, interrupted once so many of its episodes have ended.
fn interrupted(n_episodes: u32, horizon_s: f64, n_ended: usize) -> ReplayOutcome {
    let text = r#"Scenario(
        plant: "mass-spring-damper",
        initial: {"x": Uniform(-1, 1)},
        controller: FeedForward(hidden: []),
        episodes: (training: (count: 5, horizon_s: 2)),
        training: TelescopicBlm(),
        stop: (evaluations: 50),
    )"#;
    let scenario = ScenarioFile::parse(text, "small.ron").unwrap_or_else(|e| panic!("{e}"));
    let (file, _) = saved(&scenario);
    let options = ReplayOptions {
        n_episodes: Some(n_episodes),
        horizon_s: Some(horizon_s),
        ..ReplayOptions::default()
    };
    let interrupt = AtomicBool::new(false);
    let execution =
        ReplayExecution { interrupt: &interrupt, ..ReplayExecution::new(Isa::best(), 2) };
    let outcome = replay(&file, None, options).run_watched(execution, &mut |progress| {
        assert!((0.0..=1.0).contains(&progress.part));
        interrupt.fetch_or(progress.n_finished >= n_ended, Ordering::Relaxed);
    });
    let outcome = outcome.unwrap();
    assert!(outcome.is_part() && outcome.trajectory_digest.is_none());
    let n_kept = outcome.evaluation.episodes.len();
    assert_eq!((outcome.n_episodes, outcome.indices.len()), (n_episodes as usize, n_kept));
    assert!(outcome.indices.is_sorted());
    outcome
}

#[test]
fn an_interrupted_replay_keeps_what_it_has() {
    let outcome = interrupted(1_000_000, 2.0, 100);
    assert!((100..1_000_000).contains(&outcome.indices.len()));
}

#[test]
fn episodes_that_never_end_are_interrupted_in_the_middle() {
    let outcome = interrupted(9, 1e6, 0);
    assert!(outcome.indices.is_empty());
    assert_eq!(outcome.unfinished.len(), 9);
    assert!(outcome.unfinished.iter().all(|episode| (0.0..1e6).contains(&episode.time_s)));
}

#[test]
fn an_episode_alone_is_that_of_the_whole() {
    let [scenario, ..] = kinds();
    let (file, _) = saved(&scenario);
    let options = ReplayOptions { n_episodes: Some(20), ..ReplayOptions::default() };
    let all = replay(&file, None, options.clone()).run(Isa::best(), 1).unwrap();
    for episode in [0, 7, 19] {
        let options = ReplayOptions { episode: Some(episode), ..options.clone() };
        let alone = replay(&file, None, options).run(Isa::best(), 2).unwrap();
        assert_eq!(alone.evaluation.episodes, all.evaluation.episodes[episode..=episode]);
        assert_eq!(alone.indices, [episode]);
    }
    let options = ReplayOptions { episode: Some(20), ..options };
    let error = Replay::new(&file, None, options, &Registry::built_in()).unwrap_err();
    assert!(error.to_string().contains("there is no episode 20: the last one is 19"), "{error}");
}

#[test]
fn differences_from_the_training_are_named() {
    let [scenario, ..] = kinds();
    let (mut file, _) = saved(&scenario);
    assert_eq!(replay(&file, None, ReplayOptions::default()).differences(), []);
    file.value.plant.version = "0".to_owned();
    let mut other = scenario.clone();
    other.value.simulation.sample_time_s = Some(0.2);
    other.value.simulation.step_s = Some(0.02);
    other.value.simulation.integrator = Some(Integrator::RungeKutta4);
    other.value.parameters.insert("cart_mass".to_owned(), Distribution::Fixed(2.0));
    let replay = replay(&file, Some(&other), ReplayOptions::default());
    let found: Vec<&str> = replay.differences().iter().map(|one| one.what.as_str()).collect();
    assert_eq!(
        found,
        [
            "plant version",
            "simulation.integrator",
            "simulation.step_s",
            "simulation.sample_time_s",
            "parameters.cart_mass",
        ]
    );
    assert_eq!(replay.differences()[3].training, "0.1 s");
    assert_eq!(replay.differences()[3].replay, "0.2 s");
}

#[test]
fn an_episode_of_too_many_steps_is_refused() {
    let [scenario, ..] = kinds();
    let (file, _) = saved(&scenario);
    let options = ReplayOptions { horizon_s: Some(1e8), ..ReplayOptions::default() };
    let error = Replay::new(&file, None, options.clone(), &Registry::built_in()).unwrap_err();
    assert!(error.to_string().contains("more than 1e9 integration steps"), "{error}");
    let allowed = ReplayOptions { allows_long: true, ..options };
    let replay = Replay::new(&file, None, allowed, &Registry::built_in()).unwrap();
    assert_eq!(replay.n_queries() * replay.steps_per_query(), 10_000_000_000);
}
