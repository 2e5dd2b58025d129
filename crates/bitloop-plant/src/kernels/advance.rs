//! The hot kernel: advances lanes as long as none of them ends.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::{Block, Lanes, LanesSource, ends, time_s};
use crate::bits::Mask;
use crate::blocks::{LaneWork, for_each_block_within};
use crate::description::Sizes;
use crate::dispatch::Kernel;
use crate::integrator::Integrator;
use crate::plant::Plant;
use crate::real::Real;
use crate::room::{load_rows, room, store_rows};
use crate::scheme::{Euler, PlantStep, RungeKutta4, Scheme, SemiImplicitEuler};

/// Advances block after block from `first_lane` on, up to the first block in which a lane ends.
pub(crate) struct Advance<'a, P, L> {
    pub plant: &'a P,
    pub integrator: Integrator,
    pub lanes: &'a mut L,
    pub first_lane: usize,
}

impl<P: Plant, L: LanesSource> Kernel for Advance<'_, P, L> {
    type Output = Option<Block>;

    #[inline(always)]
    fn run<R: Real>(self) -> Option<Block> {
        if P::VECTORIZED { self.with_integrator::<R>() } else { self.with_integrator::<f64>() }
    }
}

impl<P: Plant, L: LanesSource> Advance<'_, P, L> {
    #[inline(always)]
    fn with_integrator<R: Real>(self) -> Option<Block> {
        match self.integrator {
            Integrator::Euler if const { Integrator::Euler.is_in(P::INTEGRATORS) } => {
                self.blocks::<R, Euler>()
            }
            Integrator::SemiImplicitEuler
                if const { Integrator::SemiImplicitEuler.is_in(P::INTEGRATORS) } =>
            {
                self.blocks::<R, SemiImplicitEuler>()
            }
            Integrator::RungeKutta4 if const { Integrator::RungeKutta4.is_in(P::INTEGRATORS) } => {
                self.blocks::<R, RungeKutta4>()
            }
            Integrator::PlantStep if const { Integrator::PlantStep.is_in(P::INTEGRATORS) } => {
                self.blocks::<R, PlantStep>()
            }
            _ => unreachable!("the table refuses integrators that are not compiled"),
        }
    }

    #[inline(always)]
    fn blocks<R: Real, S: Scheme>(self) -> Option<Block> {
        let Self { plant, lanes, first_lane, .. } = self;
        let lanes = &mut lanes.lanes();
        let all = first_lane..lanes.n_lanes;
        let most = most_lanes::<S>(plant.sizes());
        let in_threes = S::N_VECTORS * plant.sizes().n_states <= MOST_NUMBERS_IN_THREES;
        let mut steps = Steps::<P, S> { plant, lanes, ended: None, scheme: PhantomData };
        let flow = if P::VECTORIZED {
            for_each_block_within::<R>(&mut steps, all, most, in_threes)
        } else {
            all.into_iter().try_for_each(|lane| steps.block::<f64>(lane))
        };
        debug_assert_eq!(flow.is_break(), steps.ended.is_some());
        steps.ended
    }
}

/// Bytes of a block that are worked on again and again in a call: half of the smallest first-level cache of data that is
/// common.
const BLOCK_BYTES: usize = 16 << 10;

/// The most numbers that an integrator works on in a lane, for blocks of three vectors.
const MOST_NUMBERS_IN_THREES: usize = 8;

/// The most lanes of a block whose values stay in the cache for all steps of a call. With 256 states, the pairs of vectors
/// that few states are advanced in would be loaded from further away in each step.
#[inline(always)]
const fn most_lanes<S: Scheme>(sizes: Sizes) -> usize {
    let n_numbers = S::N_VECTORS * sizes.n_states + sizes.n_parameters + sizes.n_controls;
    BLOCK_BYTES / (size_of::<f64>() * n_numbers)
}

/// The steps of one call, in one block after the other.
struct Steps<'a, 'b, P, S> {
    plant: &'a P,
    lanes: &'a mut Lanes<'b>,
    ended: Option<Block>,
    scheme: PhantomData<S>,
}

impl<P: Plant, S: Scheme> LaneWork for Steps<'_, '_, P, S> {
    #[inline(always)]
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
        let Self { plant, lanes, .. } = self;
        let (sizes, stride) = (plant.sizes(), lanes.stride);
        let (tick, step_s, n_steps) = (lanes.tick, lanes.step_s, lanes.n_steps);
        let (mut p, mut u, mut x) = (room::<R>(), room::<R>(), room::<R>());
        let p = load_rows(&mut p, lanes.parameters, stride, first_lane, sizes.n_parameters);
        let u = load_rows(&mut u, lanes.control, stride, first_lane, sizes.n_controls);
        let x = load_rows(&mut x, lanes.state, stride, first_lane, sizes.n_states);
        let mut cost = R::load(&lanes.cost[first_lane..]);

        let mut flow = ControlFlow::Continue(());
        for done in 0..n_steps {
            S::step(*plant, time_s(tick + u64::from(done), step_s), step_s, x, u, p);
            let t_s = time_s(tick + u64::from(done) + 1, step_s);
            let stage_cost = plant.stage_cost(t_s, x, u, p);
            if ends(*plant, t_s, x, p, stage_cost).any() {
                self.ended = Some(Block { first_lane, n_lanes: R::LANES, n_steps_done: done + 1 });
                flow = ControlFlow::Break(());
                break;
            }
            if lanes.counts_cost {
                cost += stage_cost;
            }
        }
        store_rows(x, lanes.state, stride, first_lane);
        cost.store(&mut lanes.cost[first_lane..]);
        flow
    }
}
