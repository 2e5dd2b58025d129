//! [`Restarts`]: the runs of one training, done apart.
//!
//! A training is runs from random starts, one after the other, until one meets the target or there have been enough. Run r depends on
//! the seed and r alone, so that runs can be done anywhere, in any order. The winner is found as one machine finds it: runs
//! count from 0 up to the first that meets the target, and of these the one whose worse error of validation and confirmation is the
//! lowest wins, the first of equals. Runs behind that one are not looked at, whether they were done or not.
//!
//! So a run that met the target makes all later ones needless, and no earlier one: an earlier one may have met it too, and would
//! be the winner.

mod error;
mod record;
mod work;

pub use error::RestartsError;
pub use record::RestartRecord;
pub use work::{RestartFinished, RestartWork};

use std::collections::BTreeMap;
use std::path::PathBuf;

use bitloop_host::Registry;
use bitloop_scenario::{AnyScenario, SupervisedTraining, Training as Trainer};
use bitloop_train::{
    Candidate, Execution, Outcome, PlantAccess, Reached, Spent, StopReason, Training, Weights,
    open_training,
};

use crate::cost_file;
use crate::machine::machine_bits;
use crate::portable::{inputs_digest, portable_digest};
use crate::records::{Gathered, InFolder, Origin, Record, read_folder};
use crate::search_checkpoint::Source;
use crate::shard::Shard;

/// The most runs of a training that is done apart.
const MOST_RUNS: u32 = 1_000_000;

/// The runs of a training that can be done apart.
#[derive(Debug)]
pub struct Restarts {
    scenario: AnyScenario,
    registry: Registry,
    bitloop_version: String,
    scenario_digest: String,
    plant_digest: Option<String>,
    has_machine_bits: bool,
    /// How many runs there are at most.
    limit: u32,
}

/// Runs that are finished, by their number, from 0.
pub type FinishedRuns = BTreeMap<u32, RestartRecord>;

/// The end of a training whose runs were done apart.
#[derive(Debug)]
pub struct RestartsEnd {
    /// The training.
    pub training: Box<dyn Training>,
    /// Its outcome, as one machine has it but for times and plant steps; none if it was interrupted.
    pub outcome: Option<Outcome>,
}

impl Restarts {
    /// Checks that the runs of a scenario's training do not depend on each other.
    ///
    /// # Errors
    /// A scenario that cannot be trained, or whose runs depend on each other or on the clock.
    pub fn new(
        scenario: AnyScenario,
        bitloop_version: String,
        registry: Registry,
    ) -> Result<Self, RestartsError> {
        check(&scenario)?;
        let training = open_training(&scenario, &PlantAccess::Here(&registry))?;
        let plant_digest = training.library().map(|library| library.digest.clone());
        let has_machine_bits = training.has_machine_bits();
        let inputs = inputs_digest(&scenario).map_err(RestartsError::Inputs)?;
        let scenario_digest = portable_digest(&scenario, inputs.as_deref());
        let limit = training.stop().runs.unwrap_or(MOST_RUNS).min(MOST_RUNS);
        Ok(Self {
            scenario,
            registry,
            bitloop_version,
            scenario_digest,
            plant_digest,
            has_machine_bits,
            limit,
        })
    }

    /// Whether the plant's bits hold on one machine alone.
    #[must_use]
    pub const fn has_machine_bits(&self) -> bool {
        self.has_machine_bits
    }

    /// The scenario.
    #[must_use]
    pub const fn scenario(&self) -> &AnyScenario {
        &self.scenario
    }

    /// The runs that are finished in these folders, and the records that are damaged, so that their runs are done again.
    ///
    /// # Errors
    /// A record of another training, or two of one run that differ.
    pub fn finished(
        &self,
        folders: &[PathBuf],
    ) -> Result<(FinishedRuns, Vec<PathBuf>), RestartsError> {
        let mut damaged = Vec::new();
        let mut gathered = Gathered::new(RestartRecord::NOUN);
        for folder in folders {
            let costs = cost_file::read(folder);
            for found in read_folder(folder, |_| true, |_| self.origin(), &mut damaged)? {
                let InFolder { number, record, bits, path } = found;
                if !gathered.has(number, &bits, &path)? {
                    let cost = costs.get(&number).copied();
                    gathered.add(number, RestartRecord { cost, ..record }, bits, path.into());
                }
            }
        }
        Ok((gathered.into_values().collect(), damaged))
    }

    /// The first runs of a shard that are neither finished nor needless, in order; `met` is a run that met the target elsewhere.
    pub fn missing<'a>(
        &self,
        finished: &'a FinishedRuns,
        shard: Shard,
        met: Option<u32>,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let end = self.end(finished, met);
        (0..end).filter(move |&run| shard.holds(run.into()) && !finished.contains_key(&run))
    }

    /// The number of runs that count: up to the first that is known to have met the target.
    fn end(&self, finished: &FinishedRuns, met: Option<u32>) -> u32 {
        let own = first_success(finished);
        let first = own.into_iter().chain(met).min();
        first.map_or(self.limit, |run| run.saturating_add(1).min(self.limit))
    }

    /// The end of the training, from the runs that count.
    ///
    /// # Errors
    /// Runs that are missing, or a plant that breaks in the test.
    pub fn conclude(
        &self,
        finished: &FinishedRuns,
        execution: Execution<'_>,
    ) -> Result<RestartsEnd, RestartsError> {
        let end = self.end(finished, None);
        let missing: Vec<u32> =
            (0..end).filter(|run| !finished.contains_key(run)).take(MOST_NAMED).collect();
        if let Some(&first) = missing.first() {
            return Err(RestartsError::Missing { first, missing });
        }
        let training = open_training(&self.scenario, &PlantAccess::Here(&self.registry))?;
        let mut best: Option<&Candidate> = None;
        let (mut n_moves, mut n_evaluations) = (0, 0);
        let (mut spent, mut reached) = (Spent::default(), None);
        for record in finished.range(..end).map(|(_, record)| record) {
            let candidate = &record.candidate;
            if best.is_none_or(|best| training.rank(candidate) < training.rank(best)) {
                best = Some(candidate);
            }
            if let Some(n) = record.evaluations_to_target {
                let to_target = record.cost.and_then(|cost| cost.to_target);
                let of_run = to_target.map_or_else(Spent::default, |cost| Spent {
                    wall_s: cost.wall_s,
                    plant_steps: cost.plant_steps,
                    // Those of the run: until when they were is not kept.
                    n_faults: record.faults,
                });
                reached =
                    Some(Reached { n_evaluations: n_evaluations + n, spent: spent.and(of_run) });
            }
            n_moves += record.moves;
            n_evaluations += record.evaluations;
            let (wall_s, plant_steps) =
                record.cost.map_or((0.0, 0), |cost| (cost.wall_s, cost.plant_steps));
            spent = spent.and(Spent { wall_s, plant_steps, n_faults: record.faults });
        }
        let Some(best) = best.cloned() else {
            return Err(RestartsError::Missing { first: 0, missing: vec![0] });
        };
        let Some(scores) = training.report(&best, execution)? else {
            return Ok(RestartsEnd { training, outcome: None });
        };
        let stop_reason = match first_success(finished) {
            Some(_) => StopReason::Target,
            None => StopReason::Runs,
        };
        let outcome = Outcome {
            weights: Weights::of(&best, training.grid()),
            best,
            scores,
            stop_reason,
            reached,
            n_runs: end.into(),
            n_moves,
            n_evaluations,
            plant_steps: spent.plant_steps,
            n_faults: spent.n_faults,
            wall_s: spent.wall_s,
        };
        Ok(RestartsEnd { training, outcome: Some(outcome) })
    }

    /// What must be the same where a run is resumed.
    fn source(&self) -> Source {
        let machine = machine_bits(&self.scenario, self.has_machine_bits);
        Source { origin: self.origin(), machine }
    }

    /// Where the records of its runs come from.
    fn origin(&self) -> Origin {
        Origin {
            bitloop_version: self.bitloop_version.clone(),
            work_digest: self.scenario_digest.clone(),
            plant_digest: self.plant_digest.clone(),
        }
    }
}

/// The most runs that an error names.
const MOST_NAMED: usize = 10_000;

/// The first run that met the target.
fn first_success(finished: &FinishedRuns) -> Option<u32> {
    let met = finished.iter().find(|(_, record)| record.stop_reason == StopReason::Target);
    met.map(|(&run, _)| run)
}

/// Refuses a training whose runs depend on each other.
fn check(scenario: &AnyScenario) -> Result<(), RestartsError> {
    let depends = |field: &'static str, why: &'static str, hint: &'static str| {
        let error = scenario.source().error_at(field, why, hint);
        Err(RestartsError::Train(error.into()))
    };
    let has_memory = match scenario {
        AnyScenario::ClosedLoop(file) => matches!(file.value.training, Some(Trainer::CmaEs(_))),
        AnyScenario::Supervised(file) => {
            matches!(file.value.training, SupervisedTraining::CmaEs(_))
        }
    };
    let stop = scenario.stop();
    if has_memory {
        depends(
            "training",
            "the runs of CMA-ES depend on those before, so that they cannot be done apart",
            "use another trainer, or `bitloop campaign --shard` for independent trainings",
        )
    } else if stop.evaluations.is_some() {
        depends(
            "stop.evaluations",
            "with evaluations over all runs, each run depends on those before, and they cannot be done apart",
            "limit each run by `run_evaluations` or `patience`, and their number by `runs`",
        )
    } else if stop.seconds.is_some() {
        depends(
            "stop.seconds",
            "with a budget in seconds, runs that are done apart would depend on the clock",
            "limit each run by `run_evaluations` or `patience`, and their number by `runs`",
        )
    } else {
        Ok(())
    }
}
