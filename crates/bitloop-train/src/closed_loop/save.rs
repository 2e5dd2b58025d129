//! A trained controller as a file that can be replayed without any other file but a plant's library.

use bitloop_scenario::{
    Codes, Errors, InputSignal, MadeBy, OutputSignal, PlantIdentity, SavedController,
    SavedSimulation, ScenarioKind as _, Weights,
};
use bitloop_sim::Channel;

use super::rollouts::Rollouts;
use super::task::ClosedLoopTask;
use crate::outcome::Outcome;
use crate::product::SaveInfo;
use crate::state::Candidate;
use crate::task::Task;

/// The file of a training's best controller.
#[must_use]
pub fn save_controller<R: Rollouts>(
    task: &ClosedLoopTask<R>,
    outcome: &Outcome,
    info: SaveInfo,
) -> SavedController {
    let Candidate {
        codes,
        weights: _,
        run,
        training_error,
        unrounded_training_error,
        validation_error,
        confirmation_error,
        confirmation_failures: _,
    } = &outcome.best;
    let grid = task.grid();
    let closed_loop = &task.setup.closed_loop;
    let description = closed_loop.plant().description();
    let library = task.setup.library.as_ref();
    let interface = closed_loop.interface();
    let finite = |value: f64| value.is_finite().then_some(value);
    let input = |channel: &Channel| {
        let variable = &description.observations[channel.index];
        InputSignal {
            name: variable.name.clone(),
            unit: variable.unit.clone(),
            center: channel.center,
            scale: channel.scale,
        }
    };
    let output = |channel: &Channel| {
        let variable = &description.controls[channel.index];
        OutputSignal {
            name: variable.name.clone(),
            unit: variable.unit.clone(),
            center: channel.center,
            scale: channel.scale,
            min: finite(channel.bounds.0),
            max: finite(channel.bounds.1),
        }
    };
    let timing = closed_loop.timing();
    let mut saved = SavedController {
        format: SavedController::FORMAT_NUMBER,
        plant: PlantIdentity {
            name: description.name.clone(),
            version: description.version.clone(),
            digest: library.map(|library| library.digest.clone()),
            machine_bits: closed_loop.plant().has_machine_bits(),
            library: library.and_then(|library| {
                Some(std::path::absolute(&library.path).ok()?.to_str()?.to_owned())
            }),
        },
        simulation: SavedSimulation {
            integrator: closed_loop.integrator(),
            step_s: timing.step_s(),
            sample_time_s: timing.sample_time_s(),
        },
        inputs: interface.inputs.iter().map(input).collect(),
        outputs: interface.outputs.iter().map(output).collect(),
        network: task.shape().clone(),
        weights: Weights::Codes(Codes {
            bits: grid.bits_per_weight(),
            max_weight: grid.weight_range(),
            codes: codes.clone(),
        }),
        errors: Errors {
            training: training_error.and_then(finite),
            unrounded_training: unrounded_training_error.and_then(finite),
            validation: finite(*validation_error),
            confirmation: confirmation_error.and_then(finite),
            test: outcome.scores.test.as_ref().and_then(|score| finite(score.error)),
        },
        made_by: MadeBy {
            command: info.command,
            scenario: info.scenario_name,
            scenario_digest: task.scenario.digest(),
            seed: task.scenario.seed,
            run: u32::try_from(*run).unwrap_or(u32::MAX),
            bitloop_version: info.bitloop_version,
        },
        scenario: task.scenario.clone(),
        digest: String::new(),
        content_digest: String::new(),
    };
    saved.digest = saved.computed_digest();
    saved.content_digest = saved.computed_content_digest();
    saved
}
