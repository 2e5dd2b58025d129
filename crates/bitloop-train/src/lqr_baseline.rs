//! [`LqrBaseline`]: full state feedback by LQR on the test of a scenario.

use std::num::NonZeroUsize;

use bitloop_host::Registry;
use bitloop_lqr::Lqr;
use bitloop_plant::Isa;
use bitloop_random::Purpose;
use bitloop_scenario::ScenarioFile;
use bitloop_sim::{Evaluation, Interface};

use crate::closed_loop::ClosedLoopSetup;
use crate::error::TrainError;
use crate::lqr_sweep::{LqrSweep, LqrTrial, Reach, RefusedWeights};

/// An LQR and its result over the test episodes of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct LqrBaseline {
    /// The regulator.
    pub lqr: Lqr,
    /// The weight of the controls that it is for.
    pub control_weight: f64,
    /// The weights that were tried on the training episodes to choose that one; none if it was given.
    pub trials: Vec<LqrTrial>,
    /// The weights among them that there is no regulator for.
    pub refused: Option<RefusedWeights>,
    /// Names of the states that its gains are for, in order.
    pub states: Vec<String>,
    /// Names of the controls that they command.
    pub controls: Vec<String>,
    /// Its result over the test set.
    pub test: Evaluation,
    /// The length of a test episode in seconds.
    pub horizon_s: f64,
    /// The channels between the plant and the regulator, in whose scales its controller is; none where the states themselves are
    /// fed back, exact and at once, since the plant's observations do not determine them.
    pub interface: Option<Interface>,
}

impl LqrBaseline {
    /// The regulator for the plant, timing and parameters of a scenario, run over the episodes that a training in that
    /// scenario is tested on. All observations of the plant are fed back, not only those of the scenario's controller, or the
    /// states themselves where those do not determine them.
    /// `control_weight` is that of [`Lqr::new`]; without one, that with the lowest error on the training episodes is chosen,
    /// or, in a scenario that is a test alone, on as many and as long ones as those of the test.
    ///
    /// # Errors
    /// An invalid value, with its place in the scenario; [`TrainError::Lqr`] where the plant has no such regulator.
    pub fn new(
        scenario: &ScenarioFile,
        registry: &Registry,
        control_weight: Option<f64>,
        isa: Isa,
        n_threads: NonZeroUsize,
    ) -> Result<Self, TrainError> {
        let mut scenario = scenario.clone();
        scenario.value.observations = None;
        let test = scenario.require_test()?;
        let setup = ClosedLoopSetup::new(&scenario, registry)?;
        let set = setup.episodes(&scenario, "test", test, Purpose::TestEpisodes)?;
        let parameters = setup.nominal_parameters();
        let closed_loop = Lqr::loop_with_all_states(&setup.closed_loop, &parameters);
        let (lqr, control_weight, trials, refused) = if let Some(weight) = control_weight {
            let lqr = Lqr::new(&closed_loop, &parameters, weight)?;
            (lqr, weight, Vec::new(), None)
        } else {
            let training = scenario.value.episodes.training.unwrap_or(test);
            let purpose = Purpose::TrainingEpisodes;
            let training = setup.episodes(&scenario, "training", training, purpose)?;
            let sweep = LqrSweep::new(
                &closed_loop,
                &parameters,
                &training,
                isa,
                n_threads,
                Reach::AsFarAsBetter,
            )?;
            (sweep.lqr, sweep.best.control_weight, sweep.trials, sweep.refused)
        };
        let description = closed_loop.plant().description();
        Ok(Self {
            control_weight,
            trials,
            refused,
            states: description.states.iter().map(|state| state.name.clone()).collect(),
            controls: description.controls.iter().map(|control| control.name.clone()).collect(),
            test: closed_loop.evaluate(isa, &lqr.controller, &set, n_threads.get())?,
            horizon_s: test.horizon_s,
            interface: (!closed_loop.feeds_back_states()).then(|| closed_loop.interface().clone()),
            lqr,
        })
    }
}
