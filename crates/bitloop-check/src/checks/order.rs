//! Whether halving the step lowers the error as the integrator promises.

use bitloop_plant::{Integrator, PlantCallError, PlantHandle, Real};

use crate::episodes::{Episodes, Manner, get};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

const N_EPISODES: usize = 24;

/// How often the step is halved.
const N_HALVINGS: u32 = 6;

/// Steps of the coarsest run.
const COARSEST: u32 = 4;

/// By how much a measured order may fall short: the next term of the error is still there at any finite step.
const SLACK: f64 = 0.3;

/// Rounding of this much, relative to the state, hides the error of the method.
const ROUNDING: f64 = 1e-12;

/// The order of accuracy that an integrator promises for this plant.
fn declared(plant: &PlantHandle, integrator: Integrator) -> Option<u32> {
    match integrator {
        Integrator::Euler | Integrator::SemiImplicitEuler => Some(1),
        Integrator::RungeKutta4 => Some(4),
        Integrator::PlantStep => plant.step_order(),
    }
}

/// The same stretch of time is run with ever shorter steps. If the error is `C h^p`, differences of successive results fall
/// by `2^p`; p is the median over episodes, so that a wall or a wrapped angle that some meet does not count.
pub(super) fn convergence_order(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let mut measured = Vec::new();
    for &integrator in &plant.description().integrators {
        let name = integrator.name();
        let Some(declared) = declared(plant, integrator) else {
            measured.push(format!("{name}: its order is not declared"));
            continue;
        };
        match order(plant, integrator, numbers)? {
            None => measured.push(format!("{name}: no error to be seen")),
            Some(order) if order < f64::from(declared) - SLACK => {
                let reason = format!("{name}: order {order:.2} where {declared} is declared");
                return Ok(Finding::fail(reason));
            }
            Some(order) => measured.push(format!("{name}: {order:.2}")),
        }
    }
    let is_told = plant.description().integrators.iter().any(|i| declared(plant, *i).is_some());
    let reason = measured.join(", ");
    Ok(if is_told { Finding::pass(reason) } else { Finding::skip(reason) })
}

/// The measured order, unless errors drown in rounding.
fn order(
    plant: &PlantHandle,
    integrator: Integrator,
    numbers: &mut Numbers,
) -> Result<Option<f64>, PlantCallError> {
    // A stretch as short as the steps at first, so that even stiff plants are smooth in it; longer ones if nothing is seen.
    for stretch in [4.0, 16.0, 64.0] {
        let episodes = Episodes::draw(plant, (N_EPISODES, 1), 0.5, numbers);
        let time_s = stretch * plant.description().step_s;
        let mut runs = Vec::new();
        for halving in 0..=N_HALVINGS {
            runs.push(end_states(plant, &episodes, integrator, (time_s, COARSEST << halving))?);
        }
        let mut orders: Vec<f64> =
            (0..N_EPISODES).filter_map(|episode| order_of(plant, &runs, episode)).collect();
        if orders.len() * 4 >= N_EPISODES {
            orders.sort_by(f64::total_cmp);
            return Ok(Some(orders[orders.len() / 2]));
        }
    }
    Ok(None)
}

/// The order seen in one episode at the shortest steps whose differences are more than rounding.
fn order_of(plant: &PlantHandle, runs: &[Vec<Option<Vec<f64>>>], episode: usize) -> Option<f64> {
    let states: Vec<&Vec<f64>> =
        runs.iter().map(|run| run[episode].as_ref()).collect::<Option<_>>()?;
    let scales: Vec<f64> = plant.description().states.iter().map(|state| state.scale).collect();
    let distance = |a: &[f64], b: &[f64]| {
        let terms = a.iter().zip(b).zip(&scales).map(|((a, b), scale)| ((a - b) / scale).abs());
        terms.fold(0.0, f64::max)
    };
    let size = states[0]
        .iter()
        .zip(&scales)
        .fold(1.0, |size, (x, scale)| f64::max(size, (x / scale).abs()));
    let differences: Vec<f64> = states.windows(2).map(|pair| distance(pair[0], pair[1])).collect();
    let n_clear = differences.iter().take_while(|d| **d > ROUNDING * size).count();
    let [.., coarse, fine] = differences[..n_clear] else { return None };
    Some(Real::ln(coarse / fine) / std::f64::consts::LN_2).filter(|order| order.is_finite())
}

/// Where each episode is after `time_s`, in so many steps; nothing for those that ended.
fn end_states(
    plant: &PlantHandle,
    episodes: &Episodes,
    integrator: Integrator,
    (time_s, n_steps): (f64, u32),
) -> Result<Vec<Option<Vec<f64>>>, PlantCallError> {
    let manner = Manner { step_s: time_s / f64::from(n_steps), ..Manner::usual(plant, integrator) };
    let mut lanes = plant.lanes(N_EPISODES);
    episodes.load(&mut lanes, &episodes.in_order());
    episodes.hold(&mut lanes, &episodes.in_order(), 0);
    plant.advance(manner.isa, &mut lanes, N_EPISODES, manner.stretch(0, n_steps))?;
    Ok((0..N_EPISODES)
        .map(|lane| {
            let runs = lanes.take_end_step(lane) == 0;
            runs.then(|| get(&lanes.state, plant.sizes().n_states, lane))
        })
        .collect())
}
