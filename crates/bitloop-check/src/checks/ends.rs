//! How episodes end: at the right step, and for good.

use bitloop_plant::{PlantCallError, PlantHandle};

use crate::episodes::{Episodes, Manner, get};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Lanes of a call are as many as these episodes.
const N_EPISODES: usize = 48;

/// How often a call on episodes that might fail is tried, each with starts that are farther out.
const SPREADS: [f64; 4] = [0.5, 1.0, 3.0, 10.0];

/// A call of `N_STEPS` in which a lane ended by a failure.
struct Failure {
    episodes: Episodes,
    manner: Manner,
    lane: usize,
    /// The step at which it ended.
    step: u32,
}

/// Enough steps for an end to come before the last one.
const N_STEPS: u32 = 40;

/// One call, from the start of the episodes, and what it left in a lane: end, state, sum of costs, cost at the end.
fn one_call(
    plant: &PlantHandle,
    episodes: &Episodes,
    manner: Manner,
    (lane, n_steps): (usize, u32),
) -> Result<(u32, Vec<f64>, f64, f64), PlantCallError> {
    let mut lanes = plant.lanes(N_EPISODES);
    episodes.load(&mut lanes, &episodes.in_order());
    episodes.hold(&mut lanes, &episodes.in_order(), 0);
    plant.advance(manner.isa, &mut lanes, N_EPISODES, manner.stretch(0, n_steps))?;
    let state = get(&lanes.state, plant.sizes().n_states, lane);
    let cost = lanes.cost.row(0)[lane];
    Ok((lanes.take_end_step(lane), state, cost, lanes.end_cost.row(0)[lane]))
}

/// Failures of legal episodes with each integrator, late ones rather than early ones.
fn failures(plant: &PlantHandle, numbers: &mut Numbers) -> Result<Vec<Failure>, PlantCallError> {
    let mut failures = Vec::new();
    for manner in Manner::all(plant) {
        let mut latest: Option<Failure> = None;
        for spread in SPREADS {
            let episodes = Episodes::draw(plant, (N_EPISODES, 1), spread, numbers);
            let mut lanes = plant.lanes(N_EPISODES);
            episodes.load(&mut lanes, &episodes.in_order());
            episodes.hold(&mut lanes, &episodes.in_order(), 0);
            plant.advance(manner.isa, &mut lanes, N_EPISODES, manner.stretch(0, N_STEPS))?;
            for lane in 0..N_EPISODES {
                let step = lanes.take_end_step(lane);
                let is_later = latest.as_ref().is_none_or(|latest| step > latest.step);
                if step > 0 && is_later && lanes.end_cost.row(0)[lane] >= 0.0 {
                    latest = Some(Failure { episodes: episodes.clone(), manner, lane, step });
                }
            }
        }
        failures.extend(latest);
    }
    Ok(failures)
}

fn nothing_fails() -> Finding {
    let n = SPREADS.len() * N_EPISODES;
    Finding::skip(format!("nothing failed in {n} episodes of {N_STEPS} steps"))
}

/// The step at which an episode ends lies within the call, and is the same for a call that is cut there.
pub(super) fn end_step(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let failures = failures(plant, numbers)?;
    if failures.is_empty() {
        return Ok(nothing_fails());
    }
    for Failure { episodes, manner, lane, step } in &failures {
        for (n_steps, expected) in [(step - 1, 0), (*step, *step)] {
            let (found, ..) = one_call(plant, episodes, *manner, (*lane, n_steps))?;
            if found != expected {
                let integrator = manner.integrator.name();
                return Ok(Finding::fail(format!(
                    "{integrator}: an episode ends at step {step} of {N_STEPS}, but of {n_steps} at {found}"
                )));
            }
        }
    }
    Ok(Finding::pass(format!("looked at {} failures", failures.len())))
}

/// An episode that ended keeps its state, and is charged neither for that step nor for later ones.
pub(super) fn failure_absorbs(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let failures = failures(plant, numbers)?;
    if failures.is_empty() {
        return Ok(nothing_fails());
    }
    for Failure { episodes, manner, lane, step } in &failures {
        let call = |n_steps| one_call(plant, episodes, *manner, (*lane, n_steps));
        let (_, state_then, cost_then, end_cost_then) = call(*step)?;
        let (_, state_later, cost_later, end_cost_later) = call(N_STEPS)?;
        let (_, _, cost_before, _) = call(step - 1)?;
        let integrator = manner.integrator.name();
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let reason = if bits(&state_then) != bits(&state_later) {
            "the state moves on"
        } else if cost_then.to_bits() != cost_later.to_bits() {
            "costs are added"
        } else if cost_then.to_bits() != cost_before.to_bits() {
            "the cost of that step is added"
        } else if end_cost_then.to_bits() != end_cost_later.to_bits() {
            "`end_cost` is not the stage cost of that moment"
        } else {
            continue;
        };
        return Ok(Finding::fail(format!(
            "{integrator}: after an episode ended at step {step} of {N_STEPS}, {reason}"
        )));
    }
    Ok(Finding::pass(format!("looked at {} failures", failures.len())))
}
