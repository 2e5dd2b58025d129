//! Functions of state and parameters that fill rows of an output.

use std::ops::ControlFlow;

use super::{Lanes, LanesSource, time_s};
use crate::blocks::{LaneWork, for_each_block};
use crate::dispatch::Kernel;
use crate::plant::Plant;
use crate::real::Real;
use crate::room::{load_rows, room, store_rows, zeros};

/// Writes the observations.
pub(crate) struct Observe<'a, P, L> {
    pub plant: &'a P,
    pub lanes: &'a mut L,
}

/// Writes the terminal costs.
pub(crate) struct TerminalCost<'a, P, L> {
    pub plant: &'a P,
    pub lanes: &'a mut L,
}

/// Writes the failure costs.
pub(crate) struct FailureCost<'a, P, L> {
    pub plant: &'a P,
    pub lanes: &'a mut L,
}

/// A function of state and parameters that fills rows of an output, block by block.
macro_rules! map_blocks {
    ($kernel:ident, |$plant:ident, $lanes:ident, $lane:ident, $t_s:ident, $x:ident, $p:ident| $body:block) => {
        impl<P: Plant, L: LanesSource> Kernel for $kernel<'_, P, L> {
            type Output = ();

            #[inline(always)]
            fn run<R: Real>(self) {
                let lanes = &mut self.lanes.lanes();
                let all = 0..lanes.n_lanes;
                let mut work = $kernel { plant: self.plant, lanes };
                if P::VECTORIZED {
                    let _ = for_each_block::<R>(&mut work, all);
                } else {
                    let _ = all.into_iter().try_for_each(|lane| work.block::<f64>(lane));
                }
            }
        }

        impl<P: Plant> LaneWork for $kernel<'_, P, Lanes<'_>> {
            #[inline(always)]
            fn block<R: Real>(&mut self, $lane: usize) -> ControlFlow<()> {
                let Self { plant: $plant, lanes: $lanes } = self;
                let (sizes, stride) = ($plant.sizes(), $lanes.stride);
                let $t_s = time_s($lanes.tick, $lanes.step_s);
                let (mut p, mut x) = (room::<R>(), room::<R>());
                let $p: &[R] = load_rows(&mut p, $lanes.parameters, stride, $lane, sizes.n_parameters);
                let $x: &[R] = load_rows(&mut x, $lanes.state, stride, $lane, sizes.n_states);
                $body
                ControlFlow::Continue(())
            }
        }
    };
}

map_blocks!(Observe, |plant, lanes, lane, t_s, x, p| {
    let mut y = room::<R>();
    let y = zeros(&mut y, plant.sizes().n_observations);
    plant.observe(t_s, x, p, y);
    store_rows(y, lanes.observation, lanes.stride, lane);
});
map_blocks!(TerminalCost, |plant, lanes, lane, _t_s, x, p| {
    plant.terminal_cost(x, p).store(&mut lanes.end_cost[lane..]);
});
map_blocks!(FailureCost, |plant, lanes, lane, _t_s, _x, p| {
    plant.failure_cost(p).store(&mut lanes.end_cost[lane..]);
});
