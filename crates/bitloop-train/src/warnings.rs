//! What is allowed in a scenario, and is probably not meant.
//!
//! Each warning says what was found and what to change. None of them is an error: a scenario with all of them runs.

use bitloop_plant::Isa;
use bitloop_random::Purpose;
use bitloop_scenario::{ScenarioFile, number};

use crate::closed_loop::{ClosedLoopSetup, ClosedLoopTraining};
use crate::error::TrainError;
use crate::training::Training;

/// What is probably not meant in a scenario that can be run; `training` is nothing for a test alone.
///
/// # Errors
/// If the plant breaks.
pub fn warnings(
    file: &ScenarioFile,
    setup: &ClosedLoopSetup,
    training: Option<&ClosedLoopTraining>,
) -> Result<Vec<String>, TrainError> {
    let mut warnings = cut_off_draws(setup);
    warnings.extend(centers_out_of_bounds(setup));
    if let Some(training) = training {
        warnings.extend(unreachable_controls(training));
    }
    let episodes = &file.value.episodes;
    let sets = [
        ("training", episodes.training.filter(|_| training.is_some()), Purpose::TrainingEpisodes),
        ("test", episodes.test, Purpose::TestEpisodes),
    ];
    for (name, set, purpose) in sets {
        let Some(set) = set else { continue };
        let drawn = setup.episodes(file, name, set, purpose)?;
        if setup.closed_loop.fails_at_once(Isa::best(), &drawn)? {
            warnings.push(format!(
                "all {} {name} episodes start in states that count as failed: are the initial states in the plant's \
                 units, angles in radians?",
                set.count
            ));
            break;
        }
    }
    Ok(warnings)
}

/// Normal distributions whose tails are held to the plant's bounds.
fn cut_off_draws(setup: &ClosedLoopSetup) -> Vec<String> {
    let description = setup.closed_loop.plant().description();
    let states = description.states.iter().map(|state| (&state.name, state.min, state.max));
    let parameters = description.parameters.iter().map(|p| (&p.name, p.min, p.max));
    let variables = states.zip(setup.initial()).chain(parameters.zip(setup.parameters()));
    variables
        .filter(|((_, min, max), distribution)| distribution.is_cut_off_by(*min, *max))
        .map(|((name, min, max), distribution)| {
            format!(
                "draws of `{name}` from {distribution} are held to the plant's bounds, {} to {}: narrow the distribution, \
                 or choose a uniform one",
                number(min),
                number(max)
            )
        })
        .collect()
}

/// Controls that a network which answers 0, as one with small weights nearly does, commands beyond their bounds.
fn centers_out_of_bounds(setup: &ClosedLoopSetup) -> Vec<String> {
    let controls = &setup.closed_loop.plant().description().controls;
    let outputs = setup.closed_loop.interface().outputs.iter();
    outputs
        .filter(|channel| channel.center < channel.bounds.0 || channel.center > channel.bounds.1)
        .map(|channel| {
            let (name, (min, max)) = (&controls[channel.index].name, channel.bounds);
            format!(
                "the center of `{name}`, {}, is outside {} to {}, to which the plant's bounds hold it: write a center between \
                 them",
                number(channel.center),
                number(min),
                number(max)
            )
        })
        .collect()
}

/// Controls whose bounds no weights reach.
fn unreachable_controls(training: &ClosedLoopTraining) -> Vec<String> {
    let Some(max_weight) = training.grid().map(|grid| grid.weight_range()) else {
        return Vec::new();
    };
    let Some((least, most)) = training.network().output_bounds(max_weight) else {
        return Vec::new();
    };
    let closed_loop = &training.task.setup.closed_loop;
    let controls = &closed_loop.plant().description().controls;
    let ranges = closed_loop.interface().outputs.iter().map(|channel| {
        let reached =
            (channel.center + channel.scale * least, channel.center + channel.scale * most);
        (&controls[channel.index].name, reached, channel.bounds)
    });
    ranges
        .filter(|(_, (low, high), (min, max))| {
            (min.is_finite() && low > min) || (max.is_finite() && high < max)
        })
        .map(|(name, (low, high), (min, max))| {
            format!(
                "no weights up to {} command `{name}` outside {} to {}, of the {} to {} that the plant allows: raise \
                 max_weight, or the scale of `{name}`",
                number(max_weight),
                number(low),
                number(high),
                number(min),
                number(max)
            )
        })
        .collect()
}
