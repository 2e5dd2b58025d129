//! Whether the episodes of a plant that owns its state can be moved and kept.

use bitloop_plant::{PlantHandle, PlantLanes};

use crate::episodes::{Episodes, Manner, ask_for_ends, first_difference};
use crate::finding::{Checked, Finding};

/// Halfway, episodes change places, and where the plant gives its states, other slots of another worker are put into them: they
/// continue, and end, as if nothing had happened.
pub(super) fn continue_elsewhere(plant: &PlantHandle, episodes: &Episodes) -> Checked {
    let order = episodes.in_order();
    let reversed: Vec<usize> = order.iter().rev().copied().collect();
    let (half, n_periods) = (episodes.n_periods() / 2, episodes.n_periods());
    let mut gives_states = false;
    for manner in Manner::all(plant) {
        let expected = episodes.run(plant, &order, manner)?;
        let mut lanes = plant.lanes(episodes.len());
        episodes.load(&mut lanes, &order);
        let mut traces = Vec::new();
        episodes.advance(plant, &mut lanes, (&order, 0..half), manner, &mut traces)?;

        if let Some(mut states) = plant.slot_states(&mut lanes, episodes.len())? {
            gives_states = true;
            let mut restored = lanes.clone();
            reverse(&mut restored, episodes.len());
            states.reverse();
            plant.set_slot_states(&mut restored, &states)?;
            let mut found = traces.clone();
            found.reverse();
            let rest = (&reversed[..], half..n_periods);
            episodes.advance(plant, &mut restored, rest, manner, &mut found)?;
            ask_for_ends(plant, &mut restored, manner, &mut found)?;
            found.reverse();
            if let Some(difference) = first_difference(plant, &expected, &found) {
                let reason = format!("from states that it gave halfway, {difference}");
                return Ok(Finding::fail(reason));
            }
        }

        reverse(&mut lanes, episodes.len());
        traces.reverse();
        let rest = (&reversed[..], half..n_periods);
        episodes.advance(plant, &mut lanes, rest, manner, &mut traces)?;
        ask_for_ends(plant, &mut lanes, manner, &mut traces)?;
        traces.reverse();
        if let Some(difference) = first_difference(plant, &expected, &traces) {
            return Ok(Finding::fail(format!("after episodes changed places, {difference}")));
        }
    }
    Ok(Finding::pass(if gives_states { "" } else { "it gives no states; episodes move" }))
}

/// The first lanes, in the reverse order.
fn reverse(lanes: &mut PlantLanes, n_lanes: usize) {
    for lane in 0..n_lanes / 2 {
        lanes.swap_lanes(lane, n_lanes - 1 - lane);
    }
}
