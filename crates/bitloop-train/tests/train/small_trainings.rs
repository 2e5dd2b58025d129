//! Small trainings that take a fraction of a second; tests of replays use them too.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{
    ClosedLoopTask, ClosedLoopTraining, Event, Execution, Outcome, Score, Training, TrainingState,
};

/// The pendulum in few and short episodes; `more` are further fields of the scenario.
pub fn scenario(controller: &str, search: &str, stop: &str, more: &str) -> ScenarioFile {
    let text = format!(
        r#"Scenario(
            plant: "inverted-pendulum",
            initial: {{"theta": Uniform(-0.4, 0.4)}},
            controller: {controller},
            episodes: (
                training: (count: 11, horizon_s: 6, transient_s: 0.5),
                confirmation: (count: 5, horizon_s: 12),
                test: (count: 9, horizon_s: 12),
            ),
            training: TelescopicBlm({search}),
            stop: ({stop}),
            {more}
        )"#
    );
    ScenarioFile::parse(&text, "small.ron").unwrap_or_else(|error| panic!("{error}"))
}

/// A search that fits its two training episodes several times before it meets the target on others too.
pub fn missing(training: &str, more: &str) -> ScenarioFile {
    missing_until(training, "target: 0.1, evaluations: 3000", more)
}

/// The same with another end.
pub fn missing_until(training: &str, stop: &str, more: &str) -> ScenarioFile {
    let text = format!(
        r#"Scenario(
            plant: "inverted-pendulum",
            initial: {{"theta": Uniform(-0.4, 0.4)}},
            controller: FeedForward(hidden: [3], direct: true),
            episodes: (
                training: (count: 2, horizon_s: 3),
                confirmation: (count: 40, horizon_s: 12),
                test: (count: 9, horizon_s: 12),
            ),
            training: {training},
            stop: ({stop}),
            {more}
        )"#
    );
    ScenarioFile::parse(&text, "missing.ron").unwrap_or_else(|error| panic!("{error}"))
}

/// A few kinds of search that together use every mechanism.
pub fn kinds() -> [ScenarioFile; 10] {
    let several = "start_bits: 4, initialization: Bounded(0.5), moves: BestOf(7), \
                   candidates: SeveralFlips(extra: 0.5), validate_every: 5";
    let kicking =
        "preset: Paper, bits: 2, growth: Fixed, initialization: Full, kicks: (count: 3, flips: 3)";
    let curriculum = "curriculum: (horizon_s: 1.5, initial_scale: 0.25, advance_below: 0.4),";
    [
        scenario(
            "FeedForward(hidden: [5])",
            "preset: Paper, validate_every: 10",
            "evaluations: 700",
            "",
        ),
        scenario("Recurrent(hidden: [3])", several, "evaluations: 700", curriculum),
        scenario("FeedForward(hidden: [4])", kicking, "evaluations: 900", curriculum),
        scenario(
            "TappedDelay(window: 2, hidden: [3])",
            "preset: Paper, start_bits: 3, moves: BestImproving, growth: AtLocalMinimum",
            "evaluations: 600, patience: (evaluations: 200)",
            "",
        ),
        scenario(
            "FeedForward(hidden: [3])",
            "validate_every: 10",
            "evaluations: 700",
            "penalties: (effort: 1e-4, rate: 1e-3, saturation: 0.1),",
        ),
        scenario("FeedForward(hidden: [3])", "", "evaluations: 700", "aggregate: Worst,"),
        scenario(
            "Recurrent(hidden: [2])",
            "validate_every: 10",
            "evaluations: 700",
            r#"aggregate: CVaR(0.3),
            curriculum: (horizon_s: 3, uncertainty_scale: 0, advance_below: 0.6),
            parameters: {"length": Uniform(0.8, 1.2)},
            uncertainty: (
                sensors: {"theta": (noise: Normal(0.01), noise_time_constant_s: 0.2, jitter_s: 0.05, delay_s: Uniform(0, 0.1))},
                actuators: {"force": (gain: Uniform(0.8, 1.2), delay_s: Uniform(0, 0.05), stuck_at_s: Uniform(4, 20))},
                disturbances: {
                    "force": [Impulse(at_s: Uniform(0.5, 4), area: Normal(mean: 0, sd: 0.2))],
                    "length": [Step(at_s: 2, to: 1.1)],
                },
            ),"#,
        ),
        scenario(
            "FeedForward(hidden: [3])",
            "kicks: (count: 3, flips: 3), bits: 3, validate_every: 10",
            "evaluations: 700, run_evaluations: 400",
            &format!("fresh_every: 120, {curriculum}"),
        ),
        missing("TelescopicBlm()", "curriculum: (horizon_s: 1.5, advance_below: 0.4),"),
        missing_until("TelescopicBlm()", "target: 0.1, refine: 300, evaluations: 3000", ""),
    ]
}

pub fn training(scenario: &ScenarioFile) -> ClosedLoopTraining {
    ClosedLoopTask::prepare(scenario, &Registry::built_in())
        .unwrap_or_else(|error| panic!("{error}"))
}

pub fn run_from(
    training: &ClosedLoopTraining,
    state: TrainingState,
    isa: Isa,
    n_threads: usize,
    mut watch: impl FnMut(&TrainingState, Event),
    interrupt: &AtomicBool,
) -> Outcome {
    let n_threads = NonZeroUsize::new(n_threads).expect("at least one");
    let execution = Execution::new(isa, n_threads, interrupt);
    training
        .train(state, execution, &mut |progress| watch(progress.state, progress.event))
        .unwrap_or_else(|error| panic!("{error}"))
        .expect("weights are found")
}

pub fn run(training: &ClosedLoopTraining, isa: Isa, n_threads: usize) -> Outcome {
    let interrupt = AtomicBool::new(false);
    run_from(training, TrainingState::new(), isa, n_threads, |_, _| {}, &interrupt)
}

/// The score of an outcome on the test episodes.
pub fn test_score(outcome: &Outcome) -> &Score {
    outcome.scores.test.as_ref().expect("a closed loop reports its test")
}
