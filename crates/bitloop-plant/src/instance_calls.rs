//! Calls of a plant that owns its state, lane by lane.

use crate::description::Sizes;
use crate::function::Function;
use crate::instances::{InstanceMaker, Running};
use crate::integrator::Integrator;
use crate::lane_matrix::LaneMatrix;
use crate::plant_lanes::{PlantLanes, Stretch};

/// The integrators of a plant that owns its state: its own steps.
pub(crate) const INTEGRATORS: &[Integrator] = &[Integrator::PlantStep];

/// Calls a function for the live ones of the first lanes. The error is in words.
pub(crate) fn call(
    maker: &dyn InstanceMaker,
    function: Function,
    lanes: &mut PlantLanes,
    n_lanes: usize,
    stretch: Stretch,
) -> Result<(), String> {
    let mut instances = std::mem::take(&mut lanes.instances);
    let mut vectors = Vectors::zeros(lanes.sizes());
    let n_live = n_lanes.min(lanes.n_live);
    let result = (0..n_live).try_for_each(|lane| {
        vectors.load(lanes, lane);
        if let Function::FailureCost = function {
            lanes.end_cost.row_mut(0)[lane] = maker.failure_cost(&vectors.p);
            return Ok(());
        }
        let running = instances.of(lane, maker)?;
        let result = run(running, function, lanes, lane, stretch, &mut vectors);
        if result.is_err() {
            instances.forget(lane);
        }
        result
    });
    lanes.instances = instances;
    result
}

/// The vectors of one lane.
struct Vectors {
    x: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
    y: Vec<f64>,
}

impl Vectors {
    fn zeros(sizes: Sizes) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        let Sizes { n_states, n_controls, n_observations, n_parameters } = sizes;
        let (x, u) = (zeros(n_states), zeros(n_controls));
        Self { x, u, p: zeros(n_parameters), y: zeros(n_observations) }
    }

    fn load(&mut self, lanes: &PlantLanes, lane: usize) {
        let read = |matrix: &LaneMatrix, to: &mut [f64]| {
            to.iter_mut().enumerate().for_each(|(row, to)| *to = matrix.row(row)[lane]);
        };
        read(&lanes.state, &mut self.x);
        read(&lanes.control, &mut self.u);
        read(&lanes.parameters, &mut self.p);
    }
}

fn write(from: &[f64], matrix: &mut LaneMatrix, lane: usize) {
    from.iter().enumerate().for_each(|(row, from)| matrix.row_mut(row)[lane] = *from);
}

/// The bits of numbers.
fn bits<'a>(numbers: &'a [&[f64]]) -> impl Iterator<Item = u64> + 'a {
    numbers.iter().flat_map(|numbers| numbers.iter().map(|number| number.to_bits()))
}

/// One function for one lane.
fn run(
    running: &mut Running,
    function: Function,
    lanes: &mut PlantLanes,
    lane: usize,
    stretch: Stretch,
    vectors: &mut Vectors,
) -> Result<(), String> {
    let Running { instance, progress } = running;
    let Vectors { x, u, p, y } = vectors;
    if progress.begins(function, stretch.tick, bits(&[x, p]))? {
        instance.begin(x, p)?;
        progress.has_begun(bits(&[x, p]));
    }
    if let Function::TerminalCost = function {
        lanes.end_cost.row_mut(0)[lane] = instance.terminal_cost(x, p)?;
        return Ok(());
    }
    let step_s = stretch.step_s;
    let time_s = |tick: u64| tick as f64 * step_s;
    if let Function::Observe = function {
        instance.observe(time_s(stretch.tick), x, p, y)?;
        write(y, &mut lanes.observation, lane);
        write(x, &mut lanes.state, lane);
        return Ok(());
    }
    let mut cost = lanes.cost.row(0)[lane];
    for done in 1..=stretch.n_steps {
        let now = stretch.tick + u64::from(done);
        instance.step(time_s(now - 1), step_s, x, u)?;
        progress.is_at(now);
        let stage_cost = instance.stage_cost(time_s(now), x, u, p)?;
        let is_sound = stage_cost >= 0.0;
        if !is_sound || instance.failed(time_s(now), x, p)? {
            lanes.end_step[lane] = done;
            lanes.end_cost.row_mut(0)[lane] = stage_cost;
            break;
        }
        if stretch.counts_cost {
            cost += stage_cost;
        }
    }
    lanes.cost.row_mut(0)[lane] = cost;
    write(x, &mut lanes.state, lane);
    Ok(())
}
