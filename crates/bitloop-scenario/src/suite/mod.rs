//! Suites of tests for saved controllers: `Tests([(name: "...", ...), ...])`.
//!
//! A test says how the scenario that a controller was trained in is changed, and what must hold of the result. What it leaves
//! out is as in the training, so that one suite serves controllers of several scenarios of a plant.

mod check;

use std::collections::BTreeMap;

use bitloop_sim::Distribution;
use bitloop_text::{Checked, FileError, RawField, Source, decode};
use serde::{Deserialize, Serialize};

use crate::{
    distribution,
    episodes::EpisodeSet,
    file::{File, FileKind},
    scenario::Scenario,
    simulation::Simulation,
    uncertainty::Uncertainty,
};

/// A checked suite and the text it came from.
pub type SuiteFile = File<Suite>;

/// Tests, in the order in which they are run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Tests")]
pub struct Suite(pub Vec<Test>);

/// A test of a saved controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// Its name, which no other test of the suite has.
    pub name: String,
    /// Plant parameters by name, in place of those of the training.
    #[serde(default, with = "distribution::by_name")]
    pub parameters: BTreeMap<String, Distribution>,
    /// Initial states by name, in place of those of the training.
    #[serde(default, with = "distribution::by_name")]
    pub initial: BTreeMap<String, Distribution>,
    /// Integrator, step and control period, in place of those of the training.
    #[serde(default)]
    pub simulation: Simulation,
    /// Sensors and actuators that are not perfect, in place of those of the training. Default: as in the training.
    #[serde(default)]
    pub uncertainty: Option<Uncertainty>,
    /// What a failed episode is charged in place of its stage cost until its horizon. Default: as in the training.
    #[serde(default)]
    pub failure_cost: Option<f64>,
    /// Number of episodes. Default: that of the test at the end of the training.
    #[serde(default)]
    pub episodes: Option<u32>,
    /// Length of an episode in seconds. Default: that of the test at the end of the training.
    #[serde(default)]
    pub horizon_s: Option<f64>,
    /// Seconds at the start which do not count into the error. Default: those of the test at the end of the training.
    #[serde(default)]
    pub transient_s: Option<f64>,
    /// Root of the random streams of the episodes. Default: that of the training, so that a test which changes nothing
    /// gives the training's test error.
    #[serde(default)]
    pub seed: Option<u64>,
    /// What must hold of the result. Default: nothing.
    #[serde(default)]
    pub pass: Pass,
}

/// What must hold of the result of a test: the largest value of each figure. A figure that is left out may have any value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pass {
    /// The mean error over episodes.
    #[serde(default)]
    pub mean_error: Option<f64>,
    /// The median of the errors.
    #[serde(default)]
    pub median: Option<f64>,
    /// The 90 % quantile of the errors, interpolated between two episodes as `NumPy` does.
    #[serde(default)]
    pub p90: Option<f64>,
    /// The 99 % quantile of the errors, likewise.
    #[serde(default)]
    pub p99: Option<f64>,
    /// The largest error of an episode.
    #[serde(default)]
    pub worst: Option<f64>,
    /// How many episodes do not reach their horizon.
    #[serde(default)]
    pub failed: Option<u32>,
    /// The longest settling time of an episode, in seconds; infinite if one does not settle.
    #[serde(default)]
    pub settling_s: Option<f64>,
    /// The largest steady error of an episode; infinite if one does not reach its horizon.
    #[serde(default)]
    pub steady_error: Option<f64>,
}

impl Pass {
    /// Whether a criterion is on what is measured of behavior.
    #[must_use]
    pub const fn is_on_behavior(&self) -> bool {
        self.settling_s.is_some() || self.steady_error.is_some()
    }

    /// The criteria as they are written in a suite, without brackets.
    #[must_use]
    pub fn to_text(&self) -> String {
        let failed = self.failed.map(f64::from);
        let named = [
            ("mean_error", self.mean_error),
            ("median", self.median),
            ("p90", self.p90),
            ("p99", self.p99),
            ("worst", self.worst),
            ("failed", failed),
            ("settling_s", self.settling_s),
            ("steady_error", self.steady_error),
        ];
        let given = named.into_iter().filter_map(|(name, most)| Some(format!("{name}: {}", most?)));
        given.collect::<Vec<_>>().join(", ")
    }

    /// Reads criteria as they are written in a suite, `(mean_error: 1e-3, failed: 0)`; the brackets may be left out.
    ///
    /// # Errors
    /// What is wrong with the text, and a hint.
    pub fn parse(text: &str) -> Result<Self, (String, String)> {
        let text = text.trim();
        let text = if text.starts_with('(') { text.to_owned() } else { format!("({text})") };
        let in_test = format!("Tests([(name: \"test\", pass: {text})])");
        let file = SuiteFile::parse(&in_test, "--pass")
            .map_err(|error| (error.message.clone(), error.hint.clone().unwrap_or_default()))?;
        let pass = file.value.0.first().map(|test| test.pass).unwrap_or_default();
        if pass == Self::default() {
            let hint = "for instance mean_error: 1e-3, failed: 0";
            return Err(("there is no criterion".to_owned(), hint.to_owned()));
        }
        Ok(pass)
    }
}

impl Test {
    /// The fields whose values have several shapes.
    pub(crate) fn raw_fields() -> Vec<RawField> {
        let mut fields =
            vec![distribution::raw_field("parameters.*"), distribution::raw_field("initial.*")];
        fields
            .extend(Uncertainty::raw_fields().into_iter().map(|field| field.inside("uncertainty")));
        fields
    }

    /// The scenario that this test runs, for a controller that was trained in `training`.
    #[must_use]
    pub fn scenario(&self, training: &Scenario) -> Scenario {
        let mut scenario = training.clone();
        scenario.parameters.extend(self.parameters.clone());
        scenario.initial.extend(self.initial.clone());
        let Simulation { integrator, step_s, sample_time_s } = self.simulation;
        let simulation = &mut scenario.simulation;
        simulation.integrator = integrator.or(simulation.integrator);
        simulation.step_s = step_s.or(simulation.step_s);
        simulation.sample_time_s = sample_time_s.or(simulation.sample_time_s);
        if let Some(uncertainty) = &self.uncertainty {
            scenario.uncertainty.clone_from(uncertainty);
        }
        scenario.failure_cost = self.failure_cost.or(scenario.failure_cost);
        scenario.seed = self.seed.unwrap_or(scenario.seed);
        if let Some(test) = &mut scenario.episodes.test {
            test.count = self.episodes.unwrap_or(test.count);
            test.horizon_s = self.horizon_s.unwrap_or(test.horizon_s);
            test.transient_s = self.transient_s.unwrap_or(test.transient_s);
        } else if let Some(horizon_s) = self.horizon_s {
            let count = self.episodes.unwrap_or(EpisodeSet::DEFAULT_COUNT);
            let transient_s = self.transient_s.unwrap_or(0.0);
            scenario.episodes.test = Some(EpisodeSet { count, horizon_s, transient_s });
        }
        scenario
    }
}

impl FileKind for Suite {
    const NAME: &'static str = "Tests";
    const WHAT: &'static str = "suite of tests";
    const LIMIT_BYTES: u64 = 1 << 20;

    fn raw_fields() -> Vec<RawField> {
        Test::raw_fields().into_iter().map(|field| field.inside("*").inside("0")).collect()
    }

    fn decode(source: &Source) -> Result<Self, FileError> {
        decode(source, &Self::raw_fields())
    }

    fn check_rules(&self) -> Checked {
        check::check(&self.0)
    }
}
