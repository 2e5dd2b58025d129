//! A run through the curriculum of a scenario that ships, as in a training, without validation.

use bitloop_blm::{Explorer, LocalSearch, SearchOptions, Step};
use bitloop_host::Registry;
use bitloop_scenario::{self as file, ScenarioFile};
use bitloop_train::{ClosedLoopTask, ClosedLoopTraining, Task as _, TaskObjective, TelescopicBlm};

/// A scenario that ships, ready to train.
pub struct Task {
    /// The training.
    pub training: ClosedLoopTraining,
    options: SearchOptions,
}

/// The result of a run.
#[derive(Debug, PartialEq)]
pub struct Run {
    /// Accepted moves.
    pub moves: u64,
    /// Error over the training episodes of the stage that it reached.
    pub error: f64,
}

impl Task {
    /// Reads `scenarios/NAME.ron`.
    pub fn named(name: &str) -> Self {
        let path = format!("{}/../../scenarios/{name}.ron", env!("CARGO_MANIFEST_DIR"));
        let scenario = ScenarioFile::read(&path).expect("a scenario that ships");
        let training =
            ClosedLoopTask::prepare(&scenario, &Registry::built_in()).expect("it trains");
        let Some(file::Training::TelescopicBlm(blm)) = &scenario.value.training else {
            panic!("it trains by telescopic BLM")
        };
        let options = TelescopicBlm::try_from(blm).expect("valid options").options;
        Self { training, options }
    }

    /// A run of `n_evaluations` evaluations, or to a local minimum; `closed_loop` finds the loop in the explorer's
    /// objective.
    pub fn run<E: Explorer, O: TaskObjective>(
        &self,
        seed: u64,
        n_evaluations: u64,
        explorer: &mut E,
        closed_loop: impl Fn(&mut E::Objective) -> &mut O,
    ) -> Run {
        let mut search =
            LocalSearch::begin(self.options, seed, 0, explorer).expect("valid options");
        let mut stage = 0;
        while search.state().n_evaluations < n_evaluations {
            while stage + 1 < self.training.task.n_stages()
                && search.state().current_cost < self.training.task.advance_below()
            {
                stage += 1;
                explorer.with_objective(|objective| closed_loop(objective).enter(stage));
                search.reevaluate(explorer).expect("the plant runs here");
            }
            let limit = n_evaluations - search.state().n_evaluations;
            if search.step(explorer, limit) == Step::LocalMinimum {
                break;
            }
        }
        Run { moves: search.state().n_moves, error: search.state().current_cost }
    }
}
