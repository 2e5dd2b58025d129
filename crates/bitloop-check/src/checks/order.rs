//! Whether halving the step lowers the error as the integrator promises, and whether all integrators then agree.

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
    let size = plant
        .description()
        .states
        .iter()
        .zip(states[0])
        .fold(1.0, |size, (state, x)| f64::max(size, (x / state.scale).abs()));
    let differences: Vec<f64> =
        states.windows(2).map(|pair| distance(plant, pair[0], pair[1])).collect();
    let n_clear = differences.iter().take_while(|d| **d > ROUNDING * size).count();
    let [.., coarse, fine] = differences[..n_clear] else { return None };
    Some(Real::ln(coarse / fine) / std::f64::consts::LN_2).filter(|order| order.is_finite())
}

/// The largest difference of two states, over the states' scales.
fn distance(plant: &PlantHandle, a: &[f64], b: &[f64]) -> f64 {
    let scales = plant.description().states.iter().map(|state| state.scale);
    let terms = a.iter().zip(b).zip(scales).map(|((a, b), scale)| ((a - b) / scale).abs());
    terms.fold(0.0, f64::max)
}

/// Where an integrator comes to with the shortest step, and how far from there with the one before, which bounds its error.
struct Limit {
    integrator: Integrator,
    /// Nothing for episodes that ended.
    ends: Vec<Option<End>>,
}

struct End {
    state: Vec<f64>,
    error: f64,
}

/// Two integrators that solve the same equations agree as far as their errors allow. One that does not solves others: a state that is
/// named as the rate of another and is not, or a step of the plant that forgets a term. It counts in most episodes alone, since
/// a wall or friction may part two of them for good.
pub(super) fn integrators_agree(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let description = plant.description();
    let integrators = description.integrators.iter().copied();
    let solving: Vec<Integrator> = integrators.filter(|i| declared(plant, *i).is_some()).collect();
    if solving.len() < 2 {
        return Ok(Finding::skip("there is no other integrator to compare with"));
    }
    let episodes = Episodes::draw(plant, (N_EPISODES, 1), 0.5, numbers);
    let time_s = LIMIT_STEPS * description.step_s;
    let mut limits = Vec::new();
    for integrator in solving {
        let n_steps = COARSEST << N_HALVINGS;
        let coarse = end_states(plant, &episodes, integrator, (time_s, n_steps / 2))?;
        let fine = end_states(plant, &episodes, integrator, (time_s, n_steps))?;
        let pairs = coarse.into_iter().zip(fine);
        let end = |(coarse, fine): (Option<Vec<f64>>, Option<Vec<f64>>)| {
            let (coarse, fine) = coarse.zip(fine)?;
            let error = distance(plant, &coarse, &fine);
            Some(End { state: fine, error })
        };
        limits.push(Limit { integrator, ends: pairs.map(end).collect() });
    }
    // The most exact one is what others are compared with.
    limits.sort_by_key(|limit| declared(plant, limit.integrator));
    let Some((reference, others)) = limits.split_last() else { return Ok(Finding::pass("")) };
    let found = others.iter().find_map(|other| disagreement(plant, reference, other));
    Ok(Finding::unless(found))
}

/// Integration steps of the plant's usual length after which integrators are compared.
const LIMIT_STEPS: f64 = 16.0;

/// How much further apart two integrators may be than their errors say, and the least difference that counts, in scales of
/// the states.
const FACTOR: f64 = 10.0;
const LEAST: f64 = 1e-6;

/// The state in which two integrators differ most, if they do in most episodes.
fn disagreement(plant: &PlantHandle, reference: &Limit, other: &Limit) -> Option<String> {
    let both = || {
        let pairs = reference.ends.iter().zip(&other.ends);
        pairs.filter_map(|(a, b)| a.as_ref().zip(b.as_ref()))
    };
    let differs = |(a, b): &(&End, &End)| {
        distance(plant, &a.state, &b.state) > FACTOR * (a.error + b.error) + LEAST
    };
    let apart: Vec<_> = both().filter(differs).collect();
    if 2 * apart.len() <= both().count() {
        return None;
    }
    let (End { state: a, .. }, End { state: b, .. }) = apart.first()?;
    let states = &plant.description().states;
    let of = |index: usize| ((a[index] - b[index]) / states[index].scale).abs();
    let index = (0..states.len()).max_by(|&i, &j| of(i).total_cmp(&of(j)))?;
    let [name, other_name] = [reference, other].map(|limit| limit.integrator.name());
    let cause = match other.integrator {
        Integrator::SemiImplicitEuler => {
            "is its derivative, or that of another state, not the state that `rate_of` names?"
        }
        Integrator::PlantStep => "the plant's step solves other equations than its derivative?",
        Integrator::Euler | Integrator::RungeKutta4 => {
            "a derivative that is not a function of its arguments?"
        }
    };
    let state = &states[index].name;
    Some(format!(
        "state `{state}` comes to {} by {other_name} and to {} by {name}, however short the step ({cause})",
        b[index], a[index]
    ))
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
