//! Whether the episodes of a plant that owns its state can be moved and kept.

use bitloop_plant::{PlantHandle, PlantLanes};

use crate::episodes::{Episodes, Manner, Trace, first_difference};
use crate::finding::{Checked, Finding};

/// Halfway, episodes change places, and where the plant gives its states, another worker is put into them: they continue as if
/// nothing had happened.
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

        if let Some(states) = plant.slot_states(&mut lanes, episodes.len())? {
            gives_states = true;
            let mut restored = plant.lanes(episodes.len());
            episodes.load(&mut restored, &order);
            restored.state.clone_from(&lanes.state);
            restored.cost.clone_from(&lanes.cost);
            plant.set_slot_states(&mut restored, &states)?;
            let mut found = traces.clone();
            let rest = (&order[..], half..n_periods);
            episodes.advance(plant, &mut restored, rest, manner, &mut found)?;
            if let Some(difference) = without_ends(plant, &expected, &found) {
                let reason = format!("from states that it gave halfway, {difference}");
                return Ok(Finding::fail(reason));
            }
        }

        reverse(&mut lanes, episodes.len());
        traces.reverse();
        let rest = (&reversed[..], half..n_periods);
        episodes.advance(plant, &mut lanes, rest, manner, &mut traces)?;
        traces.reverse();
        if let Some(difference) = without_ends(plant, &expected, &traces) {
            return Ok(Finding::fail(format!("after episodes changed places, {difference}")));
        }
    }
    Ok(Finding::pass(if gives_states { "" } else { "it gives no states; episodes move" }))
}

/// Differences of what came before the ends of episodes, whose costs the second run has not asked for.
fn without_ends(plant: &PlantHandle, expected: &[Trace], found: &[Trace]) -> Option<String> {
    let expected: Vec<Trace> = expected.iter().map(Trace::without_end).collect();
    first_difference(plant, &expected, found)
}

/// The first lanes, in the reverse order.
fn reverse(lanes: &mut PlantLanes, n_lanes: usize) {
    for lane in 0..n_lanes / 2 {
        let other = n_lanes - 1 - lane;
        for matrix in [&mut lanes.state, &mut lanes.parameters, &mut lanes.cost] {
            for row in 0..matrix.n_rows() {
                matrix.row_mut(row).swap(lane, other);
            }
        }
        lanes.seeds.swap(lane, other);
        lanes.move_instance(lane, other);
    }
}
