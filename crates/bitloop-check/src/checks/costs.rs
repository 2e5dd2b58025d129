//! Costs: never negative, added when asked for alone, and for a failure a function of the parameters.

use bitloop_plant::Stretch;

use crate::episodes::{Episodes, Manner, get};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

const N_EPISODES: usize = 48;

fn legal(cost: f64) -> bool {
    cost >= 0.0 && cost.is_finite()
}

/// Stage, terminal and failure costs of states near and far are 0 or more, and those at an end are finite.
pub(super) fn not_negative(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    for spread in [1.0, 5.0] {
        let episodes = Episodes::draw(plant, (N_EPISODES, 6), spread, numbers);
        let order = episodes.in_order();
        for manner in Manner::all(plant) {
            let mut lanes = plant.lanes(N_EPISODES);
            episodes.load(&mut lanes, &order);
            for period in 0..episodes.n_periods() {
                let tick = period as u64 * u64::from(manner.n_steps);
                episodes.hold(&mut lanes, &order, period);
                plant.advance(
                    manner.isa,
                    &mut lanes,
                    N_EPISODES,
                    manner.stretch(tick, manner.n_steps),
                )?;
                let ended: Vec<_> =
                    (0..N_EPISODES).filter(|&lane| lanes.take_end_step(lane) > 0).collect();
                let is_negative = |&&lane: &&usize| lanes.end_cost.row(0)[lane] < 0.0;
                if let Some(&lane) = ended.iter().find(is_negative) {
                    let cost = lanes.end_cost.row(0)[lane];
                    let state = get(&lanes.state, plant.sizes().n_states, lane);
                    return Ok(Finding::fail(format!("the stage cost is {cost} at {state:?}")));
                }
            }
            // What an exploding state costs is no question: the states are those of legal starts.
            episodes.load(&mut lanes, &order);
            plant.terminal_cost(manner.isa, &mut lanes, N_EPISODES)?;
            let terminal = lanes.end_cost.row(0).to_vec();
            plant.failure_cost(manner.isa, &mut lanes, N_EPISODES)?;
            let failure = lanes.end_cost.row(0).to_vec();
            for (what, costs) in [("terminal", terminal), ("failure", failure)] {
                if let Some(lane) = (0..N_EPISODES).find(|&lane| !legal(costs[lane])) {
                    let (cost, state) = (costs[lane], &episodes.initial[lane]);
                    return Ok(Finding::fail(format!("the {what} cost is {cost} at {state:?}")));
                }
            }
        }
    }
    Ok(Finding::pass(""))
}

/// Costs that are not asked for are not added, and asking for them moves nothing else.
pub(super) fn when_asked(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (8, 1), 1.0, numbers);
    for manner in Manner::all(plant) {
        let run = |counts_cost: bool| {
            let mut lanes = plant.lanes(8);
            episodes.load(&mut lanes, &episodes.in_order());
            episodes.hold(&mut lanes, &episodes.in_order(), 0);
            lanes.cost.fill(3.0);
            let stretch = Stretch { counts_cost, ..manner.stretch(0, manner.n_steps) };
            plant.advance(manner.isa, &mut lanes, 8, stretch)?;
            let ends: Vec<u32> = (0..8).map(|lane| lanes.take_end_step(lane)).collect();
            let states: Vec<u64> = lanes.state.as_slice().iter().map(|x| x.to_bits()).collect();
            Ok((lanes.cost.row(0).to_vec(), ends, states))
        };
        let (silent, counted) = (run(false)?, run(true)?);
        let integrator = manner.integrator.name();
        if silent.0.iter().any(|cost| *cost != 3.0) {
            let reason = format!("{integrator}: costs are added that were not asked for");
            return Ok(Finding::fail(reason));
        }
        if silent.1 != counted.1 || silent.2 != counted.2 {
            let reason = format!("{integrator}: counting costs moves states or ends");
            return Ok(Finding::fail(reason));
        }
        if counted.0.iter().any(|cost| *cost < 3.0) {
            let reason = format!("{integrator}: costs are not added to the sum so far");
            return Ok(Finding::fail(reason));
        }
    }
    Ok(Finding::pass(""))
}

/// The failure cost depends on parameters alone: not on the state, nor on the control.
pub(super) fn failure_cost(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let manner = Manner::first(plant);
    let [here, mut there] = [0.5, 5.0].map(|spread| Episodes::draw(plant, (8, 1), spread, numbers));
    there.parameters.clone_from(&here.parameters);
    let mut costs = Vec::new();
    for episodes in [&here, &there] {
        let mut lanes = plant.lanes(8);
        episodes.load(&mut lanes, &episodes.in_order());
        episodes.hold(&mut lanes, &episodes.in_order(), 0);
        plant.failure_cost(manner.isa, &mut lanes, 8)?;
        costs.push(lanes.end_cost.row(0).to_vec());
    }
    if costs.iter().flatten().all(|cost| *cost == 0.0) {
        let reason =
            "it is 0: for the rest of a failed episode, the stage cost at its failure is charged";
        return Ok(Finding::pass(reason));
    }
    let lane = (0..8).find(|&lane| costs[0][lane].to_bits() != costs[1][lane].to_bits());
    Ok(Finding::unless(lane.map(|lane| {
        let [a, b] = [costs[0][lane], costs[1][lane]];
        format!("{a} and {b} at two states, with the same parameters")
    })))
}
