//! [`FirstScenario`]: a scenario for a plant of which nothing is known but its description.
//!
//! Where episodes start and how long they last follow from the description by rules of thumb. What signals come to is
//! measured by short rollouts, and what linear feedback comes to by LQR, where controls are found that hold the default state:
//! then signals are scaled by their motion under it.
//! All of it is written into the text as numbers, to be read and changed, so that the scenario means the same ever after.

mod draft;
mod scales;
mod starts;

use std::num::NonZeroUsize;

use bitloop_host::Registry;
use bitloop_lqr::{Lqr, Rest};
use bitloop_plant::Isa;
use bitloop_random::Purpose;
use bitloop_scenario::{PlantChoice, Scenario, ScenarioFile, whole_ratio};
use bitloop_sim::{Distribution, EpisodeSet, Timing};

use crate::closed_loop::ClosedLoopSetup;
use crate::error::TrainError;
use crate::lqr_sweep::{LqrSweep, Reach};
use draft::{Draft, Given};
use starts::Start;

/// Control periods of a training episode.
const N_PERIODS: f64 = 200.0;

/// Episodes that the best regulator is chosen on for a target, and its error measured. That of 50 training episodes differs by
/// 6 to 26 % from draw to draw, on plants where few starts cost most by a factor of two.
const N_EPISODES_OF_TARGET: u32 = 1000;

/// The error to be reached, in errors of the best linear-quadratic regulator on episodes like those of the training.
const TARGET_IN_LQR_ERRORS: f64 = 1.75;

/// The same where the regulator sees states that are not observed, so that its error is out of reach: linear laws of a few queries
/// of positions reach ten times it on six plants from any of eight seeds, and five times late or not at all on one.
const TARGET_WHERE_STATES_ARE_HIDDEN: f64 = 10.0;

/// Of the error of a regulator, the share that moved goals and loads have from which on it is no measure.
const MOVED: f64 = 0.5;

/// Times that the starts of episodes are halved while any of them fails in its first control period.
const MOST_HALVINGS: u32 = 10;

/// Times that they are halved while linear feedback lets any of them fail.
const MOST_HALVINGS_FOR_LQR: u32 = 6;

/// A scenario for a plant.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstScenario {
    draft: Draft,
}

impl FirstScenario {
    /// The scenario for a plant. It draws from the streams of seed 1, which is that of the scenario.
    ///
    /// # Errors
    /// If the plant cannot be opened, or breaks.
    pub fn new(
        plant: &PlantChoice,
        registry: &Registry,
        isa: Isa,
        n_threads: NonZeroUsize,
    ) -> Result<Self, TrainError> {
        let setup = ClosedLoopSetup::new(&Draft::of(plant).file()?, registry)?;
        let starts = starts::starts(setup.closed_loop.plant().description());
        Self::complete(Draft::of(plant), starts, Maker { setup: &setup, isa, n_threads })
    }

    /// The scenario for a plant with the observations, starts, parameters, simulation and uncertainty of a file, which are no guess:
    /// scales, controller and target are found for them. All else in the file is left out.
    ///
    /// # Errors
    /// As [`FirstScenario::new`]; also what the plant does not have, at its place in the file.
    pub fn with_starts_of(
        file: &ScenarioFile,
        plant: &PlantChoice,
        registry: &Registry,
        isa: Isa,
        n_threads: NonZeroUsize,
    ) -> Result<Self, TrainError> {
        let Scenario { observations, initial, parameters, simulation, uncertainty, .. } =
            file.value.clone();
        let mut draft = Draft::of(plant);
        let mut checked = file.clone();
        checked.value = Scenario {
            observations: observations.clone(),
            initial: initial.clone(),
            parameters: parameters.clone(),
            simulation: simulation.clone(),
            uncertainty: uncertainty.clone(),
            ..draft.file()?.value
        };
        let setup = ClosedLoopSetup::new(&checked, registry)?;
        draft.take(Given { observations, parameters, simulation, uncertainty });
        let starts = starts::given(setup.closed_loop.plant().description(), &initial);
        Self::complete(draft, starts, Maker { setup: &setup, isa, n_threads })
    }

    fn complete(
        mut draft: Draft,
        starts: Vec<Start>,
        maker: Maker<'_>,
    ) -> Result<Self, TrainError> {
        let closed_loop = &maker.setup.closed_loop;
        draft.describe(closed_loop.plant().description());
        draft.starts = starts;
        draft.horizon_s = horizon_s(closed_loop.timing());
        maker.complete(&mut draft)?;
        // What is written can be read: otherwise this module is at fault.
        draft.file()?;
        Ok(Self { draft })
    }

    /// The name of the plant.
    #[must_use]
    pub fn plant_name(&self) -> &str {
        self.draft.plant_name()
    }

    /// The text of the file, with the plant written as `plant`: the path of a library starts at the folder of the file.
    #[must_use]
    pub fn text(&self, plant: &PlantChoice) -> String {
        self.draft.text(plant)
    }

    /// What was assumed, a line each.
    #[must_use]
    pub fn assumed(&self) -> Vec<String> {
        self.draft.assumed()
    }
}

/// What finds the numbers of a draft.
#[derive(Clone, Copy)]
struct Maker<'a> {
    /// The plant with its own scales.
    setup: &'a ClosedLoopSetup,
    isa: Isa,
    n_threads: NonZeroUsize,
}

/// A draft whose signals are scaled for linear feedback, and the best regulator from its starts.
struct Regulated {
    draft: Draft,
    sweep: LqrSweep,
}

impl Maker<'_> {
    /// Finds starts, scales and a target for a draft that has starts to begin with.
    fn complete(&self, draft: &mut Draft) -> Result<(), TrainError> {
        let description = self.setup.closed_loop.plant().description();
        let found = Rest::new(&self.setup.closed_loop, &self.setup.nominal_parameters());
        let rest = found.as_ref().ok();
        draft.scaling = scales::of_controls(description, rest);
        self.narrow(draft)?;
        let regulated = match &found {
            Ok(rest) => self.regulated(draft, rest),
            Err(reason) => Err(reason.clone().into()),
        };
        match regulated {
            Ok(Regulated { draft: scaled, sweep }) => {
                *draft = scaled;
                let (_, training) = self.episodes(draft)?;
                if sweep.is_of_use(training.n_episodes()) {
                    self.learn_target(draft)?;
                    if draft.penalize_changes() {
                        // The target is that of the error with the penalty.
                        self.learn_target(draft)?;
                    }
                } else {
                    draft.learn_that_it_fails(sweep.best.n_failed, training.n_episodes());
                }
            }
            // Its error is what a target would be compared with, and no reason to give up.
            Err(TrainError::Lqr(reason)) => {
                let mut rest = rest.cloned();
                if let Some(rest) = rest.as_mut().filter(|_| !reason.is_of_feedback()) {
                    // The default state may be no goal. Where a control is as free to one side as to the other, 0 stays.
                    scales::keep_even(description, &mut rest.controls);
                }
                draft.scaling = scales::of_controls(description, rest.as_ref());
                let (setup, training) = self.episodes(draft)?;
                draft.scaling.extend(scales::of_observations(&setup, &training, None, self.isa)?);
                draft.learn_that_there_is_none(&reason);
            }
            Err(error) => return Err(error),
        }
        let (setup, many) = self.many_episodes(&draft.file()?)?;
        let n_threads = self.n_threads.get();
        let nothing = setup.closed_loop.without_control(self.isa, &many, n_threads)?;
        draft.learn_without_control(nothing.error);
        Ok(())
    }

    /// The closed loop and the training episodes of a draft.
    fn episodes(&self, draft: &Draft) -> Result<(ClosedLoopSetup, EpisodeSet), TrainError> {
        self.episodes_of(&draft.file()?, |count| count)
    }

    /// The closed loop of a file, and as many episodes like those of its training as a target is from.
    fn many_episodes(
        &self,
        file: &ScenarioFile,
    ) -> Result<(ClosedLoopSetup, EpisodeSet), TrainError> {
        self.episodes_of(file, |_| N_EPISODES_OF_TARGET)
    }

    fn episodes_of(
        &self,
        file: &ScenarioFile,
        count: fn(u32) -> u32,
    ) -> Result<(ClosedLoopSetup, EpisodeSet), TrainError> {
        let setup = ClosedLoopSetup::of(file, self.setup.opened())?;
        let mut set = file.value.episodes.training.expect("the draft has training episodes");
        set.count = count(set.count);
        let training = setup.episodes(file, "training", set, Purpose::TrainingEpisodes)?;
        Ok((setup, training))
    }

    /// Has a draft take over a target from the regulator that is best on many episodes.
    fn learn_target(&self, draft: &mut Draft) -> Result<(), TrainError> {
        let sweep = self.sweep_over(self.many_episodes(&draft.file()?)?)?;
        let n_episodes = N_EPISODES_OF_TARGET as usize;
        if !sweep.is_of_use(n_episodes) {
            draft.learn_that_it_fails(sweep.best.n_failed, n_episodes);
            return Ok(());
        }
        draft.learn_from(&sweep);
        if self.is_goal_moved(draft, &sweep)? {
            draft.learn_that_the_goal_moves();
        }
        Ok(())
    }

    /// Whether most of a regulator's error comes from what moves the goal, as a set point, or the plant, as a load: drawn parameters,
    /// references and disturbances. That is what it comes to from the default state with them, beyond what without them.
    fn is_goal_moved(&self, draft: &Draft, sweep: &LqrSweep) -> Result<bool, TrainError> {
        let file = draft.file()?;
        let setup = ClosedLoopSetup::of(&file, self.setup.opened())?;
        let mut still = file.clone();
        let parameters = &setup.closed_loop.plant().description().parameters;
        let names = parameters.iter().map(|parameter| parameter.name.clone());
        let nominal = setup.nominal_parameters().into_iter().map(Distribution::Fixed);
        still.value.parameters = names.zip(nominal).collect();
        still.value.uncertainty.references.clear();
        still.value.uncertainty.disturbances.clear();
        let is_fixed = |drawn: &Distribution| matches!(drawn, Distribution::Fixed(_));
        let is_still = still.value.uncertainty == file.value.uncertainty;
        if is_still && setup.parameters().iter().all(is_fixed) {
            return Ok(false);
        }
        let error = |file: &ScenarioFile| {
            let (setup, many) = self.many_episodes(file)?;
            let states = &setup.closed_loop.plant().description().states;
            let defaults: Vec<f64> = states.iter().map(|state| state.default).collect();
            let at_default = many.eased(many.horizon(), 0.0, &defaults);
            let closed_loop =
                Lqr::loop_with_all_states(&setup.closed_loop, &setup.nominal_parameters());
            let (controller, n_threads) = (&sweep.lqr.controller, self.n_threads.get());
            let evaluation = closed_loop.evaluate(self.isa, controller, &at_default, n_threads)?;
            Ok::<f64, TrainError>(evaluation.error)
        };
        let moved = error(&file)? - error(&still)?;
        Ok(moved > MOVED * (sweep.best.error - sweep.lqr.rest_cost))
    }

    /// Halves the starts of a draft, if they are a guess, until no episode fails in its first control period without control.
    /// Where halving does not do, the default state is all that is left.
    fn narrow(&self, draft: &mut Draft) -> Result<(), TrainError> {
        if !draft.is_guess() {
            return Ok(());
        }
        let states = &self.setup.closed_loop.plant().description().states;
        let defaults: Vec<f64> = states.iter().map(|state| state.default).collect();
        for _ in 0..MOST_HALVINGS {
            let (setup, training) = self.episodes(draft)?;
            let n_steps = u64::from(setup.closed_loop.timing().steps_per_period());
            let period = training.eased(n_steps, 1.0, &defaults);
            if setup.closed_loop.without_control(self.isa, &period, 1)?.n_failed() == 0 {
                return Ok(());
            }
            draft.starts = starts::halved(&draft.starts);
        }
        draft.starts.clear();
        Ok(())
    }

    /// The best regulator of a draft around what holds its default state, from its starts or, where these are a guess and it
    /// lets episodes fail from there but from none of narrower ones, from those.
    fn regulated(&self, draft: &Draft, rest: &Rest) -> Result<Regulated, TrainError> {
        let first = self.regulated_from_here(draft, rest)?;
        let (mut starts, mut n_failed) = (draft.starts.clone(), first.sweep.best.n_failed);
        for _ in 0..MOST_HALVINGS_FOR_LQR {
            starts = starts::halved(&starts);
            if n_failed == 0 || starts.is_empty() || !draft.is_guess() {
                break;
            }
            let mut narrower = draft.clone();
            narrower.starts.clone_from(&starts);
            let regulated = match self.regulated_from_here(&narrower, rest) {
                // What hardly moves has no scale.
                Err(TrainError::Lqr(_)) => break,
                regulated => regulated?,
            };
            n_failed = regulated.sweep.best.n_failed;
            if n_failed == 0 {
                return Ok(regulated);
            }
        }
        Ok(first)
    }

    /// The best regulator of a draft whose controls are scaled, from its own starts.
    fn regulated_from_here(&self, draft: &Draft, rest: &Rest) -> Result<Regulated, TrainError> {
        let mut draft = draft.clone();
        let description = self.setup.closed_loop.plant().description();
        let (setup, training) = self.episodes(&draft)?;
        let observations = scales::of_observations(&setup, &training, Some(rest), self.isa)?;
        draft.scaling.extend(observations);
        let mut sweep = self.sweep(&draft)?;
        if draft.scale_unbounded(&sweep) {
            // The weights that are tried are relative to the scales.
            sweep = self.sweep(&draft)?;
        }
        let (setup, training) = self.episodes(&draft)?;
        if sweep.is_of_use(training.n_episodes()) {
            let observations =
                scales::of_motion(&setup, &training, &sweep, &draft.scaling, self.isa)?;
            let controls = &description.controls;
            let is_of_control =
                |name: &String| controls.iter().any(|control| control.name == *name);
            draft.scaling.retain(|affine| is_of_control(&affine.signal));
            draft.scaling.extend(observations);
            // The same regulator, of signals that are scaled otherwise.
            sweep = self.sweep(&draft)?;
        }
        Ok(Regulated { draft, sweep })
    }

    /// The best regulator on the training episodes of a draft.
    fn sweep(&self, draft: &Draft) -> Result<LqrSweep, TrainError> {
        self.sweep_over(self.episodes(draft)?)
    }

    /// The best regulator on some episodes of a closed loop.
    fn sweep_over(
        &self,
        (setup, training): (ClosedLoopSetup, EpisodeSet),
    ) -> Result<LqrSweep, TrainError> {
        let parameters = setup.nominal_parameters();
        let closed_loop = Lqr::loop_with_all_states(&setup.closed_loop, &parameters);
        let reach = Reach::AsFarAsBetter;
        LqrSweep::new(&closed_loop, &parameters, &training, self.isa, self.n_threads, reach)
    }
}

/// Some 200 control periods, rounded where that is a whole number of integration steps.
fn horizon_s(timing: Timing) -> f64 {
    let seconds = N_PERIODS * timing.sample_time_s();
    let round = scales::rounded(seconds);
    if whole_ratio(round, timing.step_s()).is_some() { round } else { seconds }
}
