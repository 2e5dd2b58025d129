//! Whether lanes are episodes on their own, on any instruction set.

use bitloop_plant::{Isa, PlantCallError, PlantHandle, PlantLanes};

use crate::episodes::{Episodes, Manner, first_difference};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

const N_EPISODES: usize = 24;
const N_PERIODS: usize = 4;

fn draw(plant: &PlantHandle, numbers: &mut Numbers) -> Episodes {
    Episodes::draw(plant, (N_EPISODES, N_PERIODS), 1.5, numbers)
}

fn failed(manner: Manner, difference: &str) -> Finding {
    Finding::fail(format!("{}: {difference}", manner.integrator.name()))
}

/// Each episode of a batch gives the bits that it gives alone.
pub(super) fn batch_is_scalar(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = draw(plant, numbers);
    for manner in Manner::all(plant) {
        let batch = episodes.run(plant, &episodes.in_order(), manner)?;
        for (episode, in_batch) in batch.iter().enumerate() {
            let alone = episodes.run(plant, &[episode], manner)?;
            if let Some(difference) = in_batch.difference(&alone[0], plant) {
                let reason = format!("lane {episode} of a batch, against it alone: {difference}");
                return Ok(failed(manner, &reason));
            }
        }
    }
    Ok(Finding::pass(""))
}

/// The steps of a call of the check of sizes.
const FEW_STEPS: u32 = 4;

/// About how many lanes the check of sizes makes for the first integrator, each for one episode.
pub(super) const N_FRESH_LANES: usize = 12_000;

/// An episode gives the bits that it gives alone in batches of all sizes that trainings have, and of some that only long
/// replays have.
pub(super) fn batch_sizes(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, 1), 1.5, numbers);
    let sizes = (4_usize..=256).step_by(4).chain([512, 1000, 2048]);
    for (index, manner) in Manner::all(plant).enumerate() {
        let manner = Manner { n_steps: manner.n_steps.min(FEW_STEPS), ..manner };
        let alone: Vec<_> = (0..N_EPISODES)
            .map(|episode| Ok(episodes.run(plant, &[episode], manner)?.remove(0)))
            .collect::<Result<_, PlantCallError>>()?;
        for n_lanes in sizes.clone() {
            // Integrators share the loop over lanes; the first one is tried with all sizes.
            if index > 0 && !n_lanes.is_power_of_two() {
                continue;
            }
            let order: Vec<usize> = (0..n_lanes).map(|lane| lane % N_EPISODES).collect();
            let batch = episodes.run(plant, &order, manner)?;
            for (lane, trace) in batch.iter().enumerate() {
                if let Some(difference) = trace.difference(&alone[lane % N_EPISODES], plant) {
                    let reason =
                        format!("lane {lane} of {n_lanes}, against it alone: {difference}");
                    return Ok(failed(manner, &reason));
                }
            }
        }
    }
    Ok(Finding::pass(""))
}

/// Lanes in another order give the same answers in that order.
pub(super) fn lane_order(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = draw(plant, numbers);
    let order: Vec<usize> = (0..N_EPISODES).map(|lane| (lane * 7 + 3) % N_EPISODES).collect();
    for manner in Manner::all(plant) {
        let straight = episodes.run(plant, &episodes.in_order(), manner)?;
        let expected: Vec<_> = order.iter().map(|&episode| straight[episode].clone()).collect();
        let mixed = episodes.run(plant, &order, manner)?;
        if let Some(difference) = first_difference(plant, &expected, &mixed) {
            return Ok(failed(manner, &format!("in another order, {difference}")));
        }
    }
    Ok(Finding::pass(""))
}

/// NaN, infinities and huge numbers in every other lane move no bit beside them.
pub(super) fn lane_leaks(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const POISONS: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300];
    let plant = &subject.plant;
    let sound = draw(plant, numbers);
    let mut poisoned = sound.clone();
    for episode in (1..N_EPISODES).step_by(2) {
        let poison = POISONS[episode / 2 % POISONS.len()];
        poisoned.initial[episode].fill(poison);
        poisoned.parameters[episode].fill(poison);
        for period in &mut poisoned.controls {
            period[episode].fill(poison);
        }
    }
    for manner in Manner::all(plant) {
        let expected = sound.run(plant, &sound.in_order(), manner)?;
        let found = poisoned.run(plant, &sound.in_order(), manner)?;
        for episode in (0..N_EPISODES).step_by(2) {
            if let Some(difference) = found[episode].difference(&expected[episode], plant) {
                let reason = format!("beside NaN and infinities, lane {episode}, {difference}");
                return Ok(failed(manner, &reason));
            }
        }
    }
    Ok(Finding::pass(""))
}

/// Lanes after those that a call is about are left alone.
pub(super) fn unused_lanes(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = draw(plant, numbers);
    for manner in Manner::all(plant) {
        for n_lanes in [0, 4, 8, 12, 16, 20] {
            let mut lanes = plant.lanes(N_EPISODES);
            episodes.load(&mut lanes, &episodes.in_order());
            episodes.hold(&mut lanes, &episodes.in_order(), 0);
            let before = lanes.clone();
            let stretch = manner.stretch(0, manner.n_steps);
            plant.observe(manner.isa, &mut lanes, n_lanes, stretch)?;
            plant.advance(manner.isa, &mut lanes, n_lanes, stretch)?;
            plant.terminal_cost(manner.isa, &mut lanes, n_lanes)?;
            plant.failure_cost(manner.isa, &mut lanes, n_lanes)?;
            if let Some(buffer) = written_after(n_lanes, &before, &mut lanes) {
                let reason = format!("a call on {n_lanes} lanes writes `{buffer}` of others");
                return Ok(failed(manner, &reason));
            }
        }
    }
    Ok(Finding::pass(""))
}

/// The buffer that was written in lanes from `first` on.
fn written_after(
    first: usize,
    before: &PlantLanes,
    after: &mut PlantLanes,
) -> Option<&'static str> {
    if (first..after.n_lanes()).any(|lane| after.take_end_step(lane) > 0) {
        return Some("end_step");
    }
    let buffers = [
        ("state", &before.state, &after.state),
        ("observation", &before.observation, &after.observation),
        ("cost", &before.cost, &after.cost),
        ("end_cost", &before.end_cost, &after.end_cost),
    ];
    buffers.into_iter().find_map(|(name, before, after)| {
        let is_written = (0..before.n_rows()).any(|row| {
            let pairs = before.row(row)[first..].iter().zip(&after.row(row)[first..]);
            pairs.into_iter().any(|(a, b)| a.to_bits() != b.to_bits())
        });
        is_written.then_some(name)
    })
}

/// Every instruction set of this machine gives the same bits, with lanes that end, and with NaN in some.
pub(super) fn instruction_sets(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let names: Vec<_> = Isa::available().map(Isa::name).collect();
    if names.len() < 2 {
        return Ok(Finding::skip("this machine has the portable path alone"));
    }
    let [mut episodes, wide] =
        [1.0, 6.0].map(|spread| Episodes::draw(plant, (N_EPISODES, N_PERIODS), spread, numbers));
    episodes.initial[5].fill(f64::NAN);
    for set in [&episodes, &wide] {
        for manner in Manner::all(plant) {
            let portable = Manner { isa: Isa::PORTABLE, ..manner };
            let expected = set.run(plant, &set.in_order(), portable)?;
            for isa in Isa::available() {
                let found = set.run(plant, &set.in_order(), Manner { isa, ..manner })?;
                if let Some(difference) = first_difference(plant, &expected, &found) {
                    let reason = format!("{} against portable, {difference}", isa.name());
                    return Ok(failed(manner, &reason));
                }
            }
        }
    }
    Ok(Finding::pass(names.join(", ")))
}
