//! What numbers come out: finite ones from legal states, NaN from NaN, anything but a crash from extreme ones.

use bitloop_plant::{Description, PlantCallError, PlantHandle, PlantLanes};

use crate::episodes::{Episodes, Manner, advance_running, get, put};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// The first number of a lane that is not finite, by name.
fn not_finite(plant: &PlantHandle, lanes: &PlantLanes, lane: usize) -> Option<String> {
    let Description { states, observations, .. } = plant.description();
    let kinds =
        [("state", states, &lanes.state), ("observation", observations, &lanes.observation)];
    kinds.into_iter().find_map(|(kind, variables, matrix)| {
        let row = (0..variables.len()).find(|&row| !matrix.row(row)[lane].is_finite())?;
        Some(format!("{kind} `{}` is {}", variables[row].name, matrix.row(row)[lane]))
    })
}

/// From legal starts, under legal controls, states and observations are finite, and so is a cost that ends an episode.
pub(super) fn finite_values(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const N_EPISODES: usize = 48;
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, 10), 1.0, numbers);
    let order = episodes.in_order();
    for manner in Manner::all(plant) {
        let mut lanes = plant.lanes(N_EPISODES);
        let mut runs = [true; N_EPISODES];
        episodes.load(&mut lanes, &order);
        for period in 0..episodes.n_periods() {
            let tick = period as u64 * u64::from(manner.n_steps);
            episodes.hold(&mut lanes, &order, period);
            let was_running = runs;
            advance_running(plant, &mut lanes, &mut runs, manner, tick)?;
            for lane in (0..N_EPISODES).filter(|&lane| was_running[lane]) {
                let ended = !runs[lane];
                let fault = not_finite(plant, &lanes, lane).or_else(|| {
                    let cost = lanes.end_cost.row(0)[lane];
                    (ended && !cost.is_finite()).then(|| format!("the stage cost is {cost}"))
                });
                if let Some(fault) = fault {
                    let integrator = manner.integrator.name();
                    let start = &episodes.initial[lane];
                    return Ok(Finding::fail(format!(
                        "{integrator}: {fault} in period {period} from the legal state {start:?}"
                    )));
                }
            }
        }
    }
    Ok(Finding::pass(""))
}

/// At the corners of the parameters' bounds, a step too short to go anywhere leaves numbers finite, and costs are finite
/// and not negative.
pub(super) fn parameter_corners(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const N_CORNERS: usize = 256;
    let plant = &subject.plant;
    let description = plant.description();
    let parameters = &description.parameters;
    let bound = |bound: f64, default: f64| if bound.is_finite() { bound } else { default };
    if parameters.iter().all(|p| p.min.is_infinite() && p.max.is_infinite()) {
        return Ok(Finding::skip("no parameter has bounds"));
    }
    let is_whole = parameters.len() < 8;
    let mut episodes = Episodes::draw(plant, (N_CORNERS, 1), 0.0, numbers);
    for (corner, values) in episodes.parameters.iter_mut().enumerate() {
        for (index, (value, p)) in values.iter_mut().zip(parameters).enumerate() {
            let is_high = if is_whole { corner >> index & 1 == 1 } else { numbers.coin() };
            *value = if is_high { bound(p.max, p.default) } else { bound(p.min, p.default) };
        }
    }
    let order = episodes.in_order();
    for manner in Manner::all(plant) {
        let manner = Manner { step_s: 1e-6 * manner.step_s, n_steps: 1, ..manner };
        let mut lanes = plant.lanes(N_CORNERS);
        episodes.load(&mut lanes, &order);
        episodes.hold(&mut lanes, &order, 0);
        let mut runs = [true; N_CORNERS];
        advance_running(plant, &mut lanes, &mut runs, manner, 0)?;
        for (lane, runs) in runs.into_iter().enumerate() {
            let cost = if runs { 0.0 } else { lanes.end_cost.row(0)[lane] };
            let fault = not_finite(plant, &lanes, lane)
                .or_else(|| (!legal(cost)).then(|| format!("the stage cost is {cost}")));
            if let Some(fault) = fault {
                return Ok(at_corner(plant, &episodes.parameters[lane], &fault));
            }
        }
        plant.failure_cost(manner.isa, &mut lanes, N_CORNERS)?;
        for lane in 0..N_CORNERS {
            let cost = lanes.end_cost.row(0)[lane];
            if !legal(cost) {
                let fault = format!("the failure cost is {cost}");
                return Ok(at_corner(plant, &episodes.parameters[lane], &fault));
            }
        }
    }
    Ok(Finding::pass(""))
}

fn legal(cost: f64) -> bool {
    cost >= 0.0 && cost.is_finite()
}

fn at_corner(plant: &PlantHandle, values: &[f64], fault: &str) -> Finding {
    let parameters = &plant.description().parameters;
    let named: Vec<String> =
        parameters.iter().zip(values).map(|(p, value)| format!("{} = {value}", p.name)).collect();
    Finding::fail(format!("{fault} at {}, which its bounds allow", named.join(", ")))
}

/// Where a state or all controls are NaN, that shows: a number is NaN, or the lane ends. It is not taken for a number by
/// a comparison that it fails.
pub(super) fn nan_in_nan_out(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    for manner in Manner::all(plant) {
        let mut episodes = Episodes::draw(plant, (8, 1), 0.5, numbers);
        episodes.initial[1].fill(f64::NAN);
        episodes.controls[0][2].fill(f64::NAN);
        let mut lanes = plant.lanes(8);
        let runs = advance_and_observe(plant, &episodes, &mut lanes, manner)?;
        for (lane, what) in [(1, "the state"), (2, "the control")] {
            let sizes = plant.sizes();
            let mut numbers = get(&lanes.state, sizes.n_states, lane);
            numbers.extend(get(&lanes.observation, sizes.n_observations, lane));
            if runs[lane] && !numbers.iter().any(|number| number.is_nan()) {
                let integrator = manner.integrator.name();
                return Ok(Finding::fail(format!(
                    "{integrator}: {what} is NaN, and after {} steps nothing shows it: a comparison took it for a number. \
                     Where min and max give their second argument if one is NaN, max(low, min(high, x)) keeps it",
                    manner.n_steps
                )));
            }
        }
    }
    Ok(Finding::pass(""))
}

/// NaN, infinities, huge and tiny numbers, in each place by itself: any answer will do.
pub(super) fn extreme_values(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const EXTREMES: [f64; 8] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308, 5e-324, -0.0, 1e19];
    let plant = &subject.plant;
    let sizes = plant.sizes();
    let sound = Episodes::draw(plant, (8, 1), 0.5, numbers);
    let n_places = sizes.n_states + sizes.n_parameters + sizes.n_controls;
    for manner in Manner::all(plant) {
        for place in 0..n_places {
            let mut episodes = sound.clone();
            for (episode, extreme) in EXTREMES.into_iter().enumerate() {
                if place < sizes.n_states {
                    episodes.initial[episode][place] = extreme;
                } else if place < sizes.n_states + sizes.n_parameters {
                    episodes.parameters[episode][place - sizes.n_states] = extreme;
                } else {
                    let index = place - sizes.n_states - sizes.n_parameters;
                    episodes.controls[0][episode][index] = extreme;
                }
            }
            let mut lanes = plant.lanes(8);
            advance_and_observe(plant, &episodes, &mut lanes, manner)?;
            for (lane, start) in episodes.initial.iter().enumerate() {
                put(&mut lanes.state, lane, start);
            }
            plant.terminal_cost(manner.isa, &mut lanes, 8)?;
            plant.failure_cost(manner.isa, &mut lanes, 8)?;
        }
    }
    Ok(Finding::pass(""))
}

/// One period of eight episodes, and which of them still run.
fn advance_and_observe(
    plant: &PlantHandle,
    episodes: &Episodes,
    lanes: &mut PlantLanes,
    manner: Manner,
) -> Result<[bool; 8], PlantCallError> {
    episodes.load(lanes, &episodes.in_order());
    episodes.hold(lanes, &episodes.in_order(), 0);
    let mut runs = [true; 8];
    advance_running(plant, lanes, &mut runs, manner, 0)?;
    Ok(runs)
}
