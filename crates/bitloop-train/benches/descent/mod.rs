//! A descent through the curriculum of a scenario that ships, as of a training, without validation.

use bitloop_blm::{Explorer, LocalSearch, Step};
use bitloop_host::Registry;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{ClosedLoopObjective, Training};

/// A scenario that ships, made ready.
pub struct Task {
    /// What trains.
    pub training: Training,
    advance_below: f64,
}

/// What came of a descent.
#[derive(Debug, PartialEq)]
pub struct Descent {
    /// Accepted moves.
    pub moves: u64,
    /// Error over the training episodes of the stage that it got to.
    pub error: f64,
}

impl Task {
    /// Reads `scenarios/NAME.ron`.
    pub fn named(name: &str) -> Self {
        let path = format!("{}/../../scenarios/{name}.ron", env!("CARGO_MANIFEST_DIR"));
        let scenario = ScenarioFile::read(&path).expect("a scenario that ships");
        let training = Training::new(&scenario, &Registry::built_in()).expect("it trains");
        let advance_below = scenario.value.curriculum.unwrap_or_default().advance_below;
        Self { training, advance_below }
    }

    /// A descent of `n_evaluations` evaluations, or to a local minimum; `closed_loop` finds the loop in the explorer's
    /// objective.
    pub fn descend<'a, E: Explorer>(
        &self,
        seed: u64,
        n_evaluations: u64,
        explorer: &mut E,
        closed_loop: impl Fn(&mut E::Objective) -> &mut ClosedLoopObjective<'a>,
    ) -> Descent {
        let options = *self.training.blm().expect("telescopic BLM");
        let mut search = LocalSearch::begin(options, seed, 0, explorer).expect("valid options");
        let mut stage = 0;
        while search.state().n_evaluations < n_evaluations {
            while stage + 1 < self.training.n_stages()
                && search.state().current_cost < self.advance_below
            {
                stage += 1;
                explorer.with_objective(|objective| closed_loop(objective).enter(stage));
                search.reevaluate(explorer);
            }
            let limit = n_evaluations - search.state().n_evaluations;
            if search.step(explorer, limit) == Step::LocalMinimum {
                break;
            }
        }
        Descent { moves: search.state().n_moves, error: search.state().current_cost }
    }
}
