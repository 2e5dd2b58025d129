//! Whether a call is a pure function of its batch: nothing of the past, of the process, or of how time is cut.

use bitloop_plant::{PlantCallError, PlantHandle, Stretch};

use super::slots::continue_elsewhere;
use crate::episodes::{Episodes, Manner, Trace, first_difference, get};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Enough lanes for whole vectors and a part.
const N_EPISODES: usize = 20;
const N_PERIODS: usize = 6;

/// Compares two ways to run the same episodes, with each integrator.
pub(super) fn compare(
    plant: &PlantHandle,
    episodes: &Episodes,
    other: impl Fn(Manner, &[Trace]) -> Result<Option<String>, PlantCallError>,
) -> Checked {
    for manner in Manner::all(plant) {
        let expected = episodes.run(plant, &episodes.in_order(), manner)?;
        if let Some(difference) = other(manner, &expected)? {
            let integrator = manner.integrator.name();
            return Ok(Finding::fail(format!("{integrator}: {difference}")));
        }
    }
    Ok(Finding::pass(""))
}

/// The same episodes from a reset, in fresh buffers, give the same bits.
pub(super) fn reset_repeats(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, N_PERIODS), 1.0, numbers);
    compare(plant, &episodes, |manner, expected| {
        let found = episodes.run(plant, &episodes.in_order(), manner)?;
        Ok(first_difference(plant, expected, &found))
    })
}

/// The same episodes give the same bits after others, in the buffers that those left.
pub(super) fn history(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let [episodes, others] =
        [1.0, 3.0].map(|spread| Episodes::draw(plant, (N_EPISODES, N_PERIODS), spread, numbers));
    let order = episodes.in_order();
    compare(plant, &episodes, |manner, expected| {
        let mut lanes = plant.lanes(N_EPISODES);
        for integrator in Manner::all(plant) {
            others.run_in(plant, &mut lanes, &order, integrator)?;
        }
        let found = episodes.run_in(plant, &mut lanes, &order, manner)?;
        Ok(first_difference(plant, expected, &found))
    })
}

/// A digest of all answers to the same episodes. The host asks two processes for it.
pub(super) fn other_process(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, N_PERIODS), 1.0, numbers);
    let mut digest = Digest::default();
    for manner in Manner::all(plant) {
        for trace in episodes.run(plant, &episodes.in_order(), manner)? {
            trace.bits().for_each(|bits| digest.add(bits));
        }
    }
    Ok(Finding::pass(format!("{:016x}", digest.0)))
}

/// FNV-1a over numbers: a difference of two processes is no attack.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn add(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// State and cost copied into fresh buffers halfway continue as if nothing had happened; so do episodes of a plant that owns its
/// state in other slots.
pub(super) fn save_restore(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, N_PERIODS), 1.0, numbers);
    if plant.owns_state() {
        return continue_elsewhere(plant, &episodes);
    }
    let order = episodes.in_order();
    let half = N_PERIODS / 2;
    for manner in Manner::all(plant) {
        let mut whole = Vec::new();
        let mut lanes = plant.lanes(N_EPISODES);
        episodes.load(&mut lanes, &order);
        episodes.advance(plant, &mut lanes, (&order, 0..half), manner, &mut whole)?;
        let mut restored = plant.lanes(N_EPISODES);
        episodes.load(&mut restored, &order);
        restored.state.clone_from(&lanes.state);
        restored.cost.clone_from(&lanes.cost);
        let mut parts = whole.clone();
        episodes.advance(plant, &mut lanes, (&order, half..N_PERIODS), manner, &mut whole)?;
        episodes.advance(plant, &mut restored, (&order, half..N_PERIODS), manner, &mut parts)?;
        if let Some(difference) = first_difference(plant, &whole, &parts) {
            let integrator = manner.integrator.name();
            return Ok(Finding::fail(format!("{integrator}: {difference}")));
        }
    }
    Ok(Finding::pass(""))
}

/// Ten steps are twice five, ten times one, and three and seven: states and the sum of the costs, in order of time.
pub(super) fn steps_split(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const CUTS: [&[u32]; 4] = [&[10], &[5, 5], &[3, 7], &[1; 10]];
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (8, 1), 1.0, numbers);
    for manner in Manner::all(plant) {
        let mut results: Vec<Vec<Vec<u64>>> = Vec::new();
        for cut in CUTS {
            let mut lanes = plant.lanes(8);
            episodes.load(&mut lanes, &episodes.in_order());
            episodes.hold(&mut lanes, &episodes.in_order(), 0);
            // A sum that is under way already.
            lanes.cost.fill(0.1);
            let mut ends = [0; 8];
            let mut tick = 1000;
            let mut kept = lanes.clone();
            for &n_steps in cut {
                let stretch: Stretch = manner.stretch(tick, n_steps);
                plant.advance(manner.isa, &mut lanes, 8, stretch)?;
                tick += u64::from(n_steps);
                for (lane, end) in ends.iter_mut().enumerate() {
                    let step = lanes.take_end_step(lane);
                    if *end > 0 {
                        // A lane that ended is not called any more.
                        for row in 0..plant.sizes().n_states {
                            lanes.state.row_mut(row)[lane] = kept.state.row(row)[lane];
                        }
                        lanes.cost.row_mut(0)[lane] = kept.cost.row(0)[lane];
                    } else if step > 0 {
                        *end = tick - u64::from(n_steps) + u64::from(step);
                    }
                }
                kept.clone_from(&lanes);
            }
            let result = |lane: usize| {
                let mut numbers = get(&lanes.state, plant.sizes().n_states, lane);
                numbers.push(lanes.cost.row(0)[lane]);
                let bits = numbers.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() });
                bits.chain([ends[lane]]).collect()
            };
            results.push((0..8).map(result).collect());
        }
        for (cut, result) in CUTS.iter().zip(&results) {
            if let Some(lane) = (0..8).find(|&lane| result[lane] != results[0][lane]) {
                let integrator = manner.integrator.name();
                return Ok(Finding::fail(format!(
                    "{integrator}: 10 steps and steps cut as {cut:?} give other bits in lane {lane}"
                )));
            }
        }
    }
    Ok(Finding::pass(""))
}
