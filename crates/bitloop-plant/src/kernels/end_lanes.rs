//! The kernel for blocks in which a lane ended.

use super::{Block, Lanes, LanesSource, ends, time_s};
use crate::bits::Mask;
use crate::dispatch::Kernel;
use crate::integrator::Integrator;
use crate::plant::Plant;
use crate::real::Real;
use crate::room::{load_rows, room, store_rows, zeros};
use crate::scheme::{Euler, PlantStep, RungeKutta4, Scheme, SemiImplicitEuler};

/// Takes a block in which a lane ended to the end of the call, ended lanes held still.
pub(crate) struct EndLanes<'a, P, L> {
    pub plant: &'a P,
    pub integrator: Integrator,
    pub lanes: &'a mut L,
    pub block: Block,
}

impl<P: Plant, L: LanesSource> Kernel for EndLanes<'_, P, L> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        if P::VECTORIZED { self.with_integrator::<R>() } else { self.with_integrator::<f64>() }
    }
}

impl<P: Plant, L: LanesSource> EndLanes<'_, P, L> {
    #[inline(always)]
    fn with_integrator<R: Real>(self) {
        match self.integrator {
            Integrator::Euler if const { Integrator::Euler.is_in(P::INTEGRATORS) } => {
                self.by_halves::<R, Euler>();
            }
            Integrator::SemiImplicitEuler
                if const { Integrator::SemiImplicitEuler.is_in(P::INTEGRATORS) } =>
            {
                self.by_halves::<R, SemiImplicitEuler>();
            }
            Integrator::RungeKutta4 if const { Integrator::RungeKutta4.is_in(P::INTEGRATORS) } => {
                self.by_halves::<R, RungeKutta4>();
            }
            Integrator::PlantStep if const { Integrator::PlantStep.is_in(P::INTEGRATORS) } => {
                self.by_halves::<R, PlantStep>();
            }
            _ => unreachable!("the table refuses integrators that are not compiled"),
        }
    }

    #[inline(always)]
    fn by_halves<R: Real, S: Scheme>(self) {
        // The block may be several vectors, the last of them a half: go through it by halves.
        let Self { plant, lanes, block, .. } = self;
        let lanes = &mut lanes.lanes();
        let step = R::Half::LANES;
        for first_lane in (block.first_lane..block.first_lane + block.n_lanes).step_by(step) {
            let block = Block { first_lane, ..block };
            end_lanes::<R::Half, P, S>(plant, lanes, block);
        }
    }
}

#[inline(always)]
fn end_lanes<R: Real, P: Plant, S: Scheme>(plant: &P, lanes: &mut Lanes<'_>, block: Block) {
    let (sizes, stride, first_lane) = (plant.sizes(), lanes.stride, block.first_lane);
    let (tick, step_s, n_steps) = (lanes.tick, lanes.step_s, lanes.n_steps);
    let (mut p, mut u, mut x, mut before) = (room::<R>(), room::<R>(), room::<R>(), room::<R>());
    let p = load_rows(&mut p, lanes.parameters, stride, first_lane, sizes.n_parameters);
    let u = load_rows(&mut u, lanes.control, stride, first_lane, sizes.n_controls);
    let x = load_rows(&mut x, lanes.state, stride, first_lane, sizes.n_states);
    let before = zeros(&mut before, sizes.n_states);
    let mut cost = R::load(&lanes.cost[first_lane..]);
    let mut ended = R::splat(0.0).lt(R::splat(0.0));

    let mut done = block.n_steps_done;
    loop {
        // The first round looks again at the step at which the hot kernel stopped.
        let t_s = time_s(tick + u64::from(done), step_s);
        let stage_cost = plant.stage_cost(t_s, x, u, p);
        let ends_now = ends(plant, t_s, x, p, stage_cost) & !ended;
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
        before.copy_from_slice(x);
        S::step(plant, t_s, step_s, x, u, p);
        for (x, before) in x.iter_mut().zip(before.iter()) {
            *x = R::select(ended, *before, *x);
        }
        done += 1;
    }
    store_rows(x, lanes.state, stride, first_lane);
    cost.store(&mut lanes.cost[first_lane..]);
}
