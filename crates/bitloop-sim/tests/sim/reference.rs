//! One episode at a time in plain `f64`, as written in the equations: what the batched loop must equal bit for bit.

use bitloop_plant::{Integrator, Plant};
use bitloop_sim::{ClosedLoop, EpisodeEnd, EpisodeRanges, EpisodeResult};

use crate::support::words;

/// What an episode is made of.
#[derive(Clone)]
pub struct Start {
    pub state: Vec<f64>,
    pub parameters: Vec<f64>,
}

impl Start {
    /// The start of episode `index` of stream `seed`: states before parameters, held to the plant's bounds.
    pub fn draw(closed_loop: &ClosedLoop, ranges: &EpisodeRanges, seed: u64, index: u64) -> Self {
        let description = closed_loop.plant().description();
        let mut words = words(seed, index);
        let state = ranges.initial.iter().zip(&description.states);
        let state = state.map(|(d, s)| d.draw(&mut words).max(s.min).min(s.max)).collect();
        let parameters = ranges.parameters.iter().zip(&description.parameters);
        let parameters = parameters.map(|(d, p)| d.draw(&mut words).max(p.min).min(p.max));
        Self { state, parameters: parameters.collect() }
    }
}

/// How long it lasts.
#[derive(Clone, Copy)]
pub struct Span {
    pub horizon: u64,
    pub transient: u64,
    pub failure_cost: Option<f64>,
}

/// Runs `plant` by explicit Euler or its own step under `control`, which maps observations to applied controls.
pub fn episode<P: Plant>(
    closed_loop: &ClosedLoop,
    plant: &P,
    start: &Start,
    span: Span,
    mut control: impl FnMut(&[f64]) -> Vec<f64>,
) -> EpisodeResult {
    let mut held = Vec::new();
    episode_with(closed_loop, plant, start, span, |observation, _| {
        if let Some(observation) = observation {
            held = control(observation);
        }
        held.clone()
    })
}

/// The same under `control`, which is asked for the applied controls of each tick, and given the observations of a query.
pub fn episode_with<P: Plant>(
    closed_loop: &ClosedLoop,
    plant: &P,
    start: &Start,
    span: Span,
    control: impl FnMut(Option<&[f64]>, u64) -> Vec<f64>,
) -> EpisodeResult {
    plant_episode(closed_loop, plant, start, span, |_, _, _| {}, control)
}

/// The same, where `disturb` changes states and parameters at the tick of each query, before the observation.
pub fn plant_episode<P: Plant>(
    closed_loop: &ClosedLoop,
    plant: &P,
    start: &Start,
    span: Span,
    mut disturb: impl FnMut(u64, &mut [f64], &mut [f64]),
    mut control: impl FnMut(Option<&[f64]>, u64) -> Vec<f64>,
) -> EpisodeResult {
    let Span { horizon, transient, .. } = span;
    let mut disturbed = start.parameters.clone();
    let mut x = start.state.clone();
    let step_s = closed_loop.timing().step_s();
    let period = u64::from(closed_loop.timing().steps_per_period());
    let failure_cost = span.failure_cost.unwrap_or_else(|| plant.failure_cost::<f64>(&disturbed));
    let n_counted = (horizon - transient) as f64;
    let mut sum = 0.0;
    for tick in 0..horizon {
        let t_s = tick as f64 * step_s;
        if tick % period == 0 {
            disturb(tick, &mut x, &mut disturbed);
        }
        let p = &disturbed[..];
        let query = (tick % period == 0).then(|| {
            let mut y = vec![0.0; plant.sizes().n_observations];
            plant.observe(t_s, &x, p, &mut y);
            y
        });
        let u = control(query.as_deref(), tick);
        match closed_loop.integrator() {
            Integrator::Euler => {
                let mut dx = vec![0.0; x.len()];
                plant.derivative(t_s, &x, &u, p, &mut dx);
                for (x, dx) in x.iter_mut().zip(dx) {
                    *x = dx.mul_add(step_s, *x);
                }
            }
            Integrator::PlantStep => plant.step(t_s, step_s, &mut x, &u, p),
            other => panic!("no reference for {other:?}"),
        }
        let end = tick + 1;
        let t_s = end as f64 * step_s;
        let cost: f64 = plant.stage_cost(t_s, &x, &u, p);
        let terminal: f64 = plant.terminal_cost(&x, p);
        if cost.is_nan() || cost < 0.0 {
            return fault(end);
        }
        if plant.failed(t_s, &x, p) {
            if terminal.is_nan() || terminal < 0.0 {
                return fault(end);
            }
            let rest = horizon - tick.max(transient);
            let charge = rest as f64 * f64::max(failure_cost, cost);
            let error = (sum + charge) / n_counted + terminal;
            return EpisodeResult { error, end: EpisodeEnd::Failed { tick: end } };
        }
        if tick >= transient {
            sum += cost;
        }
    }
    let terminal: f64 = plant.terminal_cost(&x, &disturbed);
    if terminal.is_nan() || terminal < 0.0 {
        return fault(horizon);
    }
    EpisodeResult { error: sum / n_counted + terminal, end: EpisodeEnd::Horizon }
}

fn fault(tick: u64) -> EpisodeResult {
    EpisodeResult { error: f64::INFINITY, end: EpisodeEnd::Fault { tick } }
}

/// The mean, summed in order.
pub fn mean(episodes: &[EpisodeResult]) -> f64 {
    let mut sum = 0.0;
    for episode in episodes {
        sum += episode.error;
    }
    sum / episodes.len() as f64
}

/// Ends and errors agree, bit for bit.
pub fn assert_same_bits(found: &[EpisodeResult], expected: &[EpisodeResult]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.end, expected.end, "episode {index}");
        assert_eq!(
            found.error.to_bits(),
            expected.error.to_bits(),
            "episode {index}: {found:?} {expected:?}"
        );
    }
}
