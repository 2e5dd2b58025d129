//! The loops over blocks of lanes behind each entry of the plant table.
//!
//! A block is a vector, or a pair of them as long as enough lanes are left. Within a block the state stays in registers for
//! the whole call.

use crate::description::Integrator;
use crate::dispatch::Kernel;
use crate::lanes::Pair;
use crate::plant::Plant;
use crate::real::{Mask, Real};
use crate::scheme::{Euler, PlantStep, RungeKutta4, Scheme, SemiImplicitEuler};
use crate::table::{Lanes, MAX_VARIABLES};

/// Plants of up to this many variables of each kind are advanced in arrays that fit in registers or close by.
const SMALL: usize = 16;

/// A block of lanes in which one ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub first_lane: usize,
    pub n_lanes: usize,
    /// Steps of this call that the block has taken; a lane ended at the last.
    pub n_steps_done: u32,
}

/// Advances block after block from `first_lane` on, up to the first block in which a lane ends.
pub(crate) struct Advance<'a, 'b, P> {
    pub plant: &'a P,
    pub integrator: Integrator,
    pub lanes: &'a mut Lanes<'b>,
    pub first_lane: usize,
}

/// Takes a block in which a lane ended to the end of the call, ended lanes held still.
pub(crate) struct EndLanes<'a, 'b, P> {
    pub plant: &'a P,
    pub integrator: Integrator,
    pub lanes: &'a mut Lanes<'b>,
    pub block: Block,
}

/// Writes the observations.
pub(crate) struct Observe<'a, 'b, P> {
    pub plant: &'a P,
    pub lanes: &'a mut Lanes<'b>,
}

/// Writes the terminal costs.
pub(crate) struct TerminalCost<'a, 'b, P> {
    pub plant: &'a P,
    pub lanes: &'a mut Lanes<'b>,
}

/// Writes the failure costs.
pub(crate) struct FailureCost<'a, 'b, P> {
    pub plant: &'a P,
    pub lanes: &'a mut Lanes<'b>,
}

/// The first `n` rows of a matrix, at one block of lanes.
#[inline(always)]
fn load_rows<R: Real, const CAP: usize>(
    matrix: &[f64],
    stride: usize,
    first_lane: usize,
    n: usize,
) -> [R; CAP] {
    let mut rows = [R::splat(0.0); CAP];
    for (index, row) in rows[..n].iter_mut().enumerate() {
        *row = R::load(&matrix[index * stride + first_lane..]);
    }
    rows
}

#[inline(always)]
fn store_rows<R: Real>(rows: &[R], matrix: &mut [f64], stride: usize, first_lane: usize) {
    for (index, row) in rows.iter().enumerate() {
        row.store(&mut matrix[index * stride + first_lane..]);
    }
}

/// Where a lane ends: in the failure set, or at a stage cost that is negative or NaN.
#[inline(always)]
fn ends<R: Real, P: Plant>(plant: &P, t_s: f64, x: &[R], p: &[R], cost: R) -> R::Mask {
    plant.failed(t_s, x, p) | !cost.ge(R::splat(0.0))
}

/// Time of an integration step, in seconds. Ticks are far below 2^53.
#[inline(always)]
fn time_s(tick: u64, step_s: f64) -> f64 {
    tick as f64 * step_s
}

impl<P: Plant> Kernel for Advance<'_, '_, P> {
    type Output = Option<Block>;

    #[inline(always)]
    fn run<R: Real>(self) -> Option<Block> {
        if P::VECTORIZED { self.with_integrator::<R>() } else { self.with_integrator::<f64>() }
    }
}

impl<P: Plant> Advance<'_, '_, P> {
    #[inline(always)]
    fn with_integrator<R: Real>(self) -> Option<Block> {
        match self.integrator {
            Integrator::Euler => self.with_capacity::<R, Euler>(),
            Integrator::SemiImplicitEuler => self.with_capacity::<R, SemiImplicitEuler>(),
            Integrator::RungeKutta4 => self.with_capacity::<R, RungeKutta4>(),
            Integrator::PlantStep => self.with_capacity::<R, PlantStep>(),
        }
    }

    #[inline(always)]
    fn with_capacity<R: Real, S: Scheme>(mut self) -> Option<Block> {
        if self.plant.sizes().all_at_most(SMALL) {
            self.blocks::<R, S, SMALL>()
        } else {
            self.blocks::<R, S, MAX_VARIABLES>()
        }
    }

    #[inline(always)]
    fn blocks<R: Real, S: Scheme, const CAP: usize>(&mut self) -> Option<Block> {
        let mut lane = self.first_lane;
        while P::VECTORIZED && lane + Pair::<R>::LANES <= self.lanes.n_lanes {
            if let Some(block) = self.block::<Pair<R>, S, CAP>(lane) {
                return Some(block);
            }
            lane += Pair::<R>::LANES;
        }
        while lane + R::LANES <= self.lanes.n_lanes {
            if let Some(block) = self.block::<R, S, CAP>(lane) {
                return Some(block);
            }
            lane += R::LANES;
        }
        None
    }

    #[inline(always)]
    fn block<R: Real, S: Scheme, const CAP: usize>(&mut self, first_lane: usize) -> Option<Block> {
        let Self { plant, lanes, .. } = self;
        let (sizes, stride) = (plant.sizes(), lanes.stride);
        let (tick, step_s, n_steps) = (lanes.tick, lanes.step_s, lanes.n_steps);
        let p: [R; CAP] = load_rows(lanes.parameters, stride, first_lane, sizes.n_parameters);
        let u: [R; CAP] = load_rows(lanes.control, stride, first_lane, sizes.n_controls);
        let mut x: [R; CAP] = load_rows(lanes.state, stride, first_lane, sizes.n_states);
        let (p, u) = (&p[..sizes.n_parameters], &u[..sizes.n_controls]);
        let mut cost = R::load(&lanes.cost[first_lane..]);

        let mut ended = None;
        for done in 0..n_steps {
            let x = &mut x[..sizes.n_states];
            S::step::<R, P, CAP>(plant, time_s(tick + u64::from(done), step_s), step_s, x, u, p);
            let t_s = time_s(tick + u64::from(done) + 1, step_s);
            let stage_cost = plant.stage_cost(t_s, x, u, p);
            if ends(*plant, t_s, x, p, stage_cost).any() {
                ended = Some(Block { first_lane, n_lanes: R::LANES, n_steps_done: done + 1 });
                break;
            }
            if lanes.counts_cost {
                cost += stage_cost;
            }
        }
        store_rows(&x[..sizes.n_states], lanes.state, stride, first_lane);
        cost.store(&mut lanes.cost[first_lane..]);
        ended
    }
}

impl<P: Plant> Kernel for EndLanes<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        if P::VECTORIZED { self.with_integrator::<R>() } else { self.with_integrator::<f64>() }
    }
}

impl<P: Plant> EndLanes<'_, '_, P> {
    #[inline(always)]
    fn with_integrator<R: Real>(self) {
        match self.integrator {
            Integrator::Euler => self.with_capacity::<R, Euler>(),
            Integrator::SemiImplicitEuler => self.with_capacity::<R, SemiImplicitEuler>(),
            Integrator::RungeKutta4 => self.with_capacity::<R, RungeKutta4>(),
            Integrator::PlantStep => self.with_capacity::<R, PlantStep>(),
        }
    }

    #[inline(always)]
    fn with_capacity<R: Real, S: Scheme>(self) {
        // The block may be a pair of vectors: go through it one vector at a time.
        let Self { plant, lanes, block, .. } = self;
        for first_lane in (block.first_lane..block.first_lane + block.n_lanes).step_by(R::LANES) {
            let block = Block { first_lane, ..block };
            if plant.sizes().all_at_most(SMALL) {
                end_lanes::<R, P, S, SMALL>(plant, lanes, block);
            } else {
                end_lanes::<R, P, S, MAX_VARIABLES>(plant, lanes, block);
            }
        }
    }
}

#[inline(always)]
fn end_lanes<R: Real, P: Plant, S: Scheme, const CAP: usize>(
    plant: &P,
    lanes: &mut Lanes<'_>,
    block: Block,
) {
    let (sizes, stride, first_lane) = (plant.sizes(), lanes.stride, block.first_lane);
    let (tick, step_s, n_steps) = (lanes.tick, lanes.step_s, lanes.n_steps);
    let p: [R; CAP] = load_rows(lanes.parameters, stride, first_lane, sizes.n_parameters);
    let u: [R; CAP] = load_rows(lanes.control, stride, first_lane, sizes.n_controls);
    let mut x: [R; CAP] = load_rows(lanes.state, stride, first_lane, sizes.n_states);
    let (p, u) = (&p[..sizes.n_parameters], &u[..sizes.n_controls]);
    let mut cost = R::load(&lanes.cost[first_lane..]);
    let mut ended = R::splat(0.0).lt(R::splat(0.0));

    let mut done = block.n_steps_done;
    loop {
        // The first round looks again at the step at which the hot kernel stopped.
        let t_s = time_s(tick + u64::from(done), step_s);
        let stage_cost = plant.stage_cost(t_s, &x[..sizes.n_states], u, p);
        let ends_now = ends(plant, t_s, &x[..sizes.n_states], p, stage_cost) & !ended;
        if ends_now.any() {
            let mut costs = [0.0; 16];
            stage_cost.store(&mut costs);
            for lane in (0..R::LANES).filter(|&lane| ends_now.lane(lane)) {
                lanes.end_step[first_lane + lane] = done;
                lanes.end_cost[first_lane + lane] = costs[lane];
            }
            ended = ended | ends_now;
        }
        if lanes.counts_cost {
            cost = R::select(ended, cost, cost + stage_cost);
        }
        if done == n_steps {
            break;
        }
        let before = x;
        S::step::<R, P, CAP>(plant, t_s, step_s, &mut x[..sizes.n_states], u, p);
        for (x, before) in x[..sizes.n_states].iter_mut().zip(before) {
            *x = R::select(ended, before, *x);
        }
        done += 1;
    }
    store_rows(&x[..sizes.n_states], lanes.state, stride, first_lane);
    cost.store(&mut lanes.cost[first_lane..]);
}

/// A function of state and parameters that fills rows of an output, block by block.
macro_rules! map_blocks {
    ($kernel:ident, |$plant:ident, $lanes:ident, $lane:ident, $t_s:ident, $x:ident, $p:ident| $body:block) => {
        impl<P: Plant> Kernel for $kernel<'_, '_, P> {
            type Output = ();

            #[inline(always)]
            fn run<R: Real>(self) {
                if P::VECTORIZED { self.with_capacity::<R>() } else { self.with_capacity::<f64>() }
            }
        }

        impl<P: Plant> $kernel<'_, '_, P> {
            #[inline(always)]
            fn with_capacity<R: Real>(self) {
                if self.plant.sizes().all_at_most(SMALL) {
                    self.blocks::<R, SMALL>();
                } else {
                    self.blocks::<R, MAX_VARIABLES>();
                }
            }

            #[inline(always)]
            fn blocks<R: Real, const CAP: usize>(self) {
                let Self { plant: $plant, lanes: $lanes } = self;
                let (sizes, stride) = ($plant.sizes(), $lanes.stride);
                let $t_s = time_s($lanes.tick, $lanes.step_s);
                for $lane in (0..$lanes.n_lanes).step_by(R::LANES) {
                    let p: [R; CAP] =
                        load_rows($lanes.parameters, stride, $lane, sizes.n_parameters);
                    let x: [R; CAP] = load_rows($lanes.state, stride, $lane, sizes.n_states);
                    let ($x, $p) = (&x[..sizes.n_states], &p[..sizes.n_parameters]);
                    $body
                }
            }
        }
    };
}

map_blocks!(Observe, |plant, lanes, lane, t_s, x, p| {
    let n = plant.sizes().n_observations;
    let mut y = [R::splat(0.0); CAP];
    plant.observe(t_s, x, p, &mut y[..n]);
    store_rows(&y[..n], lanes.observation, lanes.stride, lane);
});
map_blocks!(TerminalCost, |plant, lanes, lane, _t_s, x, p| {
    plant.terminal_cost(x, p).store(&mut lanes.end_cost[lane..]);
});
map_blocks!(FailureCost, |plant, lanes, lane, _t_s, _x, p| {
    plant.failure_cost(p).store(&mut lanes.end_cost[lane..]);
});
