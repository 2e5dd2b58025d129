//! Whether several threads can run a plant at once.

use std::sync::Mutex;

use bitloop_host::interleave;
use bitloop_plant::{PlantCallError, PlantHandle, PlantLanes};

use super::purity::compare;
use crate::episodes::{Episodes, Manner, first_difference, get};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Enough lanes for whole vectors and a part.
const N_EPISODES: usize = 20;
const N_PERIODS: usize = 6;

/// The same episodes give the same bits on four other threads at once.
pub(super) fn threads(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, N_PERIODS), 1.0, numbers);
    compare(plant, &episodes, |manner, expected| {
        let run = || {
            for _ in 0..4 {
                let found = episodes.run(plant, &episodes.in_order(), manner)?;
                if let Some(difference) = first_difference(plant, expected, &found) {
                    return Ok(Some(difference));
                }
            }
            Ok(None)
        };
        std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(run));
            let mut first = Ok(None);
            for thread in threads {
                let found = thread.join().expect("a check does not panic");
                if matches!(first, Ok(None)) {
                    first = found;
                }
            }
            first
        })
    })
}

/// Lanes and steps of a call that another one interrupts: few, since each instruction takes a microsecond or more.
const N_LANES: usize = 4;
const N_STEPS: u32 = 1;

/// Instructions from one interruption to the next: few for the lines of an equation, and no divisor of a loop's length.
const STRIDE: u64 = 7;

/// A call gives the same bits while another thread makes the same call, on other episodes, between its instructions: what
/// the one leaves in static memory, the other must not read. The instructions are the same each time, so that chance has no
/// part in the answer. Of long calls, the beginning is interrupted.
pub(super) fn interleaved(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let [own, others] = [(); 2].map(|()| Episodes::draw(plant, (N_LANES, 1), 1.0, numbers));
    for manner in Manner::all(plant) {
        // The first call on lanes may set up what all later ones use, such as the worker of a plant that owns its state.
        let mut lanes = called(plant, &own, manner)?;
        let expected = bits(plant, &lanes);
        load(&mut lanes, &own);
        let mut other_lanes = called(plant, &others, manner)?;
        load(&mut other_lanes, &others);
        let other_lanes = Mutex::new(other_lanes);
        let other = || {
            if let Ok(mut lanes) = other_lanes.lock() {
                // What it finds is not looked at: the other way round is the same.
                let _ = call(plant, &mut lanes, manner);
            }
        };
        let mut result = Ok(());
        let n_instructions =
            interleave(&mut || result = call(plant, &mut lanes, manner), &other, STRIDE);
        result?;
        if n_instructions == 0 {
            return Ok(Finding::skip("this machine cannot be stopped between two instructions"));
        }
        let found = bits(plant, &lanes);
        if let Some(lane) = (0..N_LANES).find(|&lane| found[lane] != expected[lane]) {
            let integrator = manner.integrator.name();
            return Ok(Finding::fail(format!(
                "{integrator}: lane {lane} gets other bits while another thread runs the same code (static variables, or a derivative that is not written?)"
            )));
        }
    }
    Ok(Finding::pass(""))
}

fn load(lanes: &mut PlantLanes, episodes: &Episodes) {
    episodes.load(lanes, &episodes.in_order());
    episodes.hold(lanes, &episodes.in_order(), 0);
}

/// Fresh lanes after a call.
fn called(
    plant: &PlantHandle,
    episodes: &Episodes,
    manner: Manner,
) -> Result<PlantLanes, PlantCallError> {
    let mut lanes = plant.lanes(N_LANES);
    load(&mut lanes, episodes);
    call(plant, &mut lanes, manner)?;
    Ok(lanes)
}

/// Observes and advances.
fn call(plant: &PlantHandle, lanes: &mut PlantLanes, manner: Manner) -> Result<(), PlantCallError> {
    plant.observe(manner.isa, lanes, N_LANES, manner.stretch(0, N_STEPS))?;
    plant.advance(manner.isa, lanes, N_LANES, manner.stretch(0, N_STEPS))?;
    Ok(())
}

/// The bits of each lane.
fn bits(plant: &PlantHandle, lanes: &PlantLanes) -> Vec<Vec<u64>> {
    let sizes = plant.sizes();
    let bits = |lane: usize| {
        let mut numbers = get(&lanes.observation, sizes.n_observations, lane);
        numbers.extend(get(&lanes.state, sizes.n_states, lane));
        numbers.push(lanes.cost.row(0)[lane]);
        numbers.into_iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect()
    };
    (0..N_LANES).map(bits).collect()
}
