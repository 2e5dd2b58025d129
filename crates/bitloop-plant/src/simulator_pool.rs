//! [`SimulatorPool`]: the equations of a simulator, lent to the threads that call it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::description::{Description, Sizes};
use crate::dispatch::dispatch;
use crate::function::Function;
use crate::integrator::Integrator;
use crate::isa::Isa;
use crate::kernels::{FailureCost, Lanes, Observe, TerminalCost, advance_lanes};
use crate::plant_lanes::{PlantLanes, Stretch};
use crate::scalar_plant::{Scalar, ScalarPlant};
use crate::simulator::{Equations, Simulator};

/// A simulator and its equations that no thread uses.
pub(crate) struct SimulatorPool {
    simulator: Arc<dyn Simulator>,
    sizes: Sizes,
    state: Mutex<PoolState>,
    is_returned: Condvar,
}

#[derive(Default)]
struct PoolState {
    idle: Vec<Shared>,
    /// Idle ones, and those that are lent.
    n_made: usize,
}

/// Equations as the kernels need them, which borrow a plant and share it: nobody else holds the lock meanwhile.
type Shared = Arc<Mutex<Running>>;

/// Equations, and the first error since they were lent.
struct Running {
    equations: Box<dyn Equations>,
    error: Option<String>,
}

impl SimulatorPool {
    /// The integrators that kernels are compiled for.
    pub const INTEGRATORS: &'static [Integrator] = <Borrowed as ScalarPlant>::INTEGRATORS;

    pub fn new(simulator: Arc<dyn Simulator>, sizes: Sizes) -> Self {
        Self { simulator, sizes, state: Mutex::default(), is_returned: Condvar::new() }
    }

    /// Calls a function for the first lanes. The error is in words.
    pub fn call(
        &self,
        function: Function,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
        stretch: Stretch,
    ) -> Result<(), String> {
        let shared = self.lend()?;
        let result = self.run(&shared, function, isa, lanes, n_lanes, stretch);
        self.give_back(shared, result.is_ok());
        result
    }

    fn run(
        &self,
        shared: &Shared,
        function: Function,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
        stretch: Stretch,
    ) -> Result<(), String> {
        let plant = &Scalar::of(Borrowed { running: Some(Arc::clone(shared)), sizes: self.sizes });
        let integrator = stretch.integrator;
        let lanes = &mut Lanes {
            n_lanes,
            stride: lanes.n_lanes(),
            parameters: lanes.parameters.as_slice(),
            state: lanes.state.as_mut_slice(),
            control: lanes.control.as_slice(),
            observation: lanes.observation.as_mut_slice(),
            cost: lanes.cost.as_mut_slice(),
            end_step: &mut lanes.end_step,
            end_cost: lanes.end_cost.as_mut_slice(),
            tick: stretch.tick,
            n_steps: stretch.n_steps,
            step_s: stretch.step_s,
            counts_cost: stretch.counts_cost,
        };
        match function {
            Function::Advance if integrator.is_in(Self::INTEGRATORS) => {
                advance_lanes(plant, isa, integrator, lanes);
            }
            Function::Advance => return Err(format!("it cannot be run by {}", integrator.name())),
            Function::Observe => dispatch(isa, Observe { plant, lanes }),
            Function::TerminalCost => dispatch(isa, TerminalCost { plant, lanes }),
            Function::FailureCost => dispatch(isa, FailureCost { plant, lanes }),
        }
        lock(shared).error.take().map_or(Ok(()), Err)
    }

    fn lend(&self) -> Result<Shared, String> {
        let mut state = lock(&self.state);
        loop {
            if let Some(shared) = state.idle.pop() {
                return Ok(shared);
            }
            if state.n_made < self.simulator.max_equations().max(1) {
                state.n_made += 1;
                break;
            }
            state = self.is_returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        match self.simulator.equations() {
            Ok(equations) => Ok(Arc::new(Mutex::new(Running { equations, error: None }))),
            Err(error) => {
                lock(&self.state).n_made -= 1;
                self.is_returned.notify_one();
                Err(error)
            }
        }
    }

    /// Takes equations back; those that broke are dropped.
    fn give_back(&self, shared: Shared, is_sound: bool) {
        if is_sound {
            lock(&self.state).idle.push(shared);
        } else {
            // Before others may be made: a model may allow one at a time.
            drop(shared);
            lock(&self.state).n_made -= 1;
        }
        self.is_returned.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lent equations as a plant for the kernels.
struct Borrowed {
    running: Option<Shared>,
    sizes: Sizes,
}

impl Default for Borrowed {
    /// A plant without equations, which no kernel runs.
    fn default() -> Self {
        let sizes = Sizes { n_states: 0, n_controls: 0, n_observations: 0, n_parameters: 0 };
        Self { running: None, sizes }
    }
}

impl Borrowed {
    /// What the equations answer, or NaN once they broke.
    fn ask(&self, ask: impl FnOnce(&mut dyn Equations) -> Result<f64, String>) -> f64 {
        let Some(running) = &self.running else { return f64::NAN };
        let Running { equations, error } = &mut *lock(running);
        if error.is_some() {
            return f64::NAN;
        }
        ask(&mut **equations).unwrap_or_else(|message| {
            *error = Some(message);
            f64::NAN
        })
    }
}

impl ScalarPlant for Borrowed {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler, Integrator::RungeKutta4];

    /// Only plants that are types describe themselves; the handle has the description of this one.
    fn description(&self) -> Description {
        Description {
            name: String::new(),
            version: String::new(),
            summary: String::new(),
            states: Vec::new(),
            controls: Vec::new(),
            observations: Vec::new(),
            parameters: Vec::new(),
            structure: Vec::new(),
            integrators: Vec::new(),
            step_s: 0.0,
            sample_time_s: 0.0,
        }
    }

    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn derivative(&self, t_s: f64, x: &[f64], u: &[f64], p: &[f64], dx: &mut [f64]) {
        let done = self.ask(|equations| equations.derivative(t_s, x, u, p, dx).map(|()| 0.0));
        if done.is_nan() {
            dx.fill(f64::NAN);
        }
    }

    fn observe(&self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) {
        let done = self.ask(|equations| equations.observe(t_s, x, p, y).map(|()| 0.0));
        if done.is_nan() {
            y.fill(f64::NAN);
        }
    }

    fn stage_cost(&self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> f64 {
        self.ask(|equations| equations.stage_cost(t_s, x, u, p))
    }

    fn terminal_cost(&self, x: &[f64], p: &[f64]) -> f64 {
        self.ask(|equations| equations.terminal_cost(x, p))
    }

    fn failed(&self, t_s: f64, x: &[f64], p: &[f64]) -> bool {
        self.ask(|equations| equations.failed(t_s, x, p).map(|failed| f64::from(u8::from(failed))))
            > 0.0
    }

    fn failure_cost(&self, p: &[f64]) -> f64 {
        self.ask(|equations| equations.failure_cost(p))
    }
}
