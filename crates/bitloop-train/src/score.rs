//! [`Score`]: how well weights do on a [set](SetName), and [`WorkCounter`]: the work that it took.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use bitloop_blm::Probe;
use bitloop_plant::Description;
use bitloop_scenario::{ErrorFigure, ErrorUnit, Fit};
use bitloop_sim::{Aggregate, Behaviors, Distribution, EpisodeResult, EpisodeSet, n_failed};
use serde::{Deserialize, Serialize};

/// A set of episodes or rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SetName {
    /// The set that the search minimizes over.
    Training,
    /// The set that selects within a run; examples without validation rows are selected by the training rows.
    Validation,
    /// The set that a target must be confirmed on, and that selects between runs.
    Confirmation,
    /// The set of the reported error, evaluated once.
    Test,
}

impl SetName {
    /// As messages name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::Validation => "validation",
            Self::Confirmation => "confirmation",
            Self::Test => "test",
        }
    }
}

/// How well weights do on one set.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The figure that selects: the scenario's aggregate of the errors of episodes, which of the test is the mean, or what a scenario's `select_by` has over rows.
    pub error: f64,
    /// Of a test in closed loop, the scenario's aggregate of its errors where that is not the mean.
    pub aggregate_error: Option<(Aggregate, f64)>,
    /// Episodes or rows.
    pub n_samples: usize,
    /// Episode by episode; none for rows.
    pub episodes: Vec<EpisodeResult>,
    /// Length of an episode in seconds.
    pub horizon_s: Option<f64>,
    /// Of rows, how well they are fitted.
    pub fit: Option<RowFit>,
    /// Of a test in closed loop with penalties, the error without them.
    pub own_error: Option<f64>,
    /// Of a test in closed loop, what the controller does.
    pub behaviors: Option<Behaviors>,
    /// Of a test in closed loop, the episode with the largest error.
    pub worst: Option<WorstEpisode>,
}

/// A score under a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedScore {
    /// The error, if it is below the bound.
    pub probe: Probe,
    /// Of a closed loop, how many episodes did not reach their horizon; known where the error is below the bound.
    pub n_failed: Option<usize>,
}

impl BoundedScore {
    /// That of an evaluation which was called off.
    pub const CALLED_OFF: Self = Self { probe: Probe::CalledOff, n_failed: None };

    /// That of an error, and of so many episodes that failed, or of an evaluation that was called off.
    #[must_use]
    pub fn of(evaluated: Option<(f64, usize)>, bound: f64) -> Self {
        let Some((error, n_failed)) = evaluated else { return Self::CALLED_OFF };
        let probe = Probe::from_cost(error, bound);
        Self { probe, n_failed: matches!(probe, Probe::Below(_)).then_some(n_failed) }
    }
}

/// How well a network fits rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowFit {
    /// Which figure the error is.
    pub figure: ErrorFigure,
    /// What it is measured in.
    pub unit: ErrorUnit,
    /// The error in the unit of the targets, where they are numbers that all have one scale.
    pub unscaled_error: Option<f64>,
    /// All figures.
    pub fit: Fit,
}

/// The episode with the largest error, the first of equals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstEpisode {
    /// Its index.
    pub episode: usize,
    /// Root seed of the episodes.
    pub seed: u64,
    /// Its error.
    pub error: f64,
    /// The initial states by their names.
    pub start: BTreeMap<String, f64>,
    /// The parameters that are drawn at random, by their names.
    pub parameters: BTreeMap<String, f64>,
}

impl WorstEpisode {
    /// The episode at `position` of a set with these distributions of parameters, which has this index and error.
    #[must_use]
    pub fn of(
        plant: &Description,
        parameters: &[Distribution],
        (set, position): (&EpisodeSet, usize),
        (episode, seed, error): (usize, u64, f64),
    ) -> Self {
        let start = plant.states.iter().map(|state| state.name.clone()).zip(set.start(position));
        let drawn = plant.parameters.iter().zip(parameters).zip(set.parameters(position));
        let drawn = drawn.filter(|((_, values), _)| !matches!(values, Distribution::Fixed(_)));
        let parameters = drawn.map(|((parameter, _), value)| (parameter.name.clone(), value));
        Self { episode, seed, error, start: start.collect(), parameters: parameters.collect() }
    }
}

impl Score {
    /// Share of the rows whose class is right, where targets are classes.
    #[must_use]
    pub fn classified(&self) -> Option<f64> {
        self.fit.and_then(|of_rows| of_rows.fit.classified)
    }

    /// The error that a target is about.
    #[must_use]
    pub fn target_error(&self) -> f64 {
        self.aggregate_error.map_or(self.error, |(_, error)| error)
    }

    /// Episodes that did not reach their horizon.
    #[must_use]
    pub fn n_failed(&self) -> usize {
        n_failed(&self.episodes)
    }
}

/// Work done, counted by all threads. None of it enters a decision.
#[derive(Debug, Default)]
pub struct WorkCounter {
    plant_steps: AtomicU64,
}

impl WorkCounter {
    /// Adds integration steps.
    pub fn add(&self, plant_steps: u64) {
        self.plant_steps.fetch_add(plant_steps, Ordering::Relaxed);
    }

    /// Integration steps simulated so far, those of dropped probes included.
    #[must_use]
    pub fn plant_steps(&self) -> u64 {
        self.plant_steps.load(Ordering::Relaxed)
    }
}
