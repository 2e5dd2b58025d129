//! [`PlantHandle`]: the safe interface through which a host calls a plant, linked in, from a library, or made when the program runs.

#![allow(unsafe_code, reason = "calls through the plant table")]

use std::fmt;
use std::panic::catch_unwind;
use std::sync::Arc;

use crate::batch_call::BatchCall;
use crate::blocks::LANE_STEP;
use crate::call_error::PlantCallError;
use crate::calls::Calls;
use crate::codes::STATUS_OK;
use crate::contract::{
    AbiError, CAPABILITY_MACHINE_BITS, Checked, Descriptor, PlantTable, read_header, u32_of,
};
use crate::described::{Described, described};
use crate::description::{Description, DescriptionError, Sizes};
use crate::export::capabilities_of;
use crate::float_mode::FloatMode;
use crate::function::Function;
use crate::instance_calls;
use crate::instances::InstanceMaker;
use crate::integrator::Integrator;
use crate::isa::Isa;
use crate::picture::Picture;
use crate::plant::Plant;
use crate::plant_lanes::{PlantLanes, Stretch};
use crate::simulator::Simulator;
use crate::simulator_pool::SimulatorPool;
use crate::slot_worker::{Broken, SlotState, SlotWorker};
use crate::table::panic_text;

/// A plant whose description was checked, ready to be called from any thread.
#[derive(Clone)]
pub struct PlantHandle {
    description: Arc<Description>,
    sizes: Sizes,
    picture: Option<Arc<Picture>>,
    structure: Arc<[u64]>,
    calls: Calls,
    capabilities: u32,
    step_order: Option<u32>,
    scratch_bytes: usize,
}

impl fmt::Debug for PlantHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlantHandle").field("name", &self.description.name).finish_non_exhaustive()
    }
}

impl PlantHandle {
    /// A plant that is linked into the program, with its default structure or the given one.
    ///
    /// # Errors
    /// [`DescriptionError`] if the plant's description is faulty, the structure does not fit it, or the plant panics
    /// while it describes itself.
    pub fn linked<P: Plant>(structure: Option<&[u64]>) -> Result<Self, DescriptionError> {
        let described = catch_unwind(|| described::<P>(structure)).unwrap_or_else(|panic| {
            let text = panic_text(&*panic);
            Err(DescriptionError(format!("the plant panicked while describing itself: {text}")))
        });
        let Described { description, structure, step_order, picture } = described?;
        Ok(Self {
            sizes: description.sizes(),
            picture: picture.map(Arc::new),
            description: description.into(),
            structure: structure.into(),
            calls: Calls::Linked(PlantTable::of::<P>()),
            capabilities: capabilities_of::<P>(),
            step_order,
            scratch_bytes: 0,
        })
    }

    /// A plant from a library, with its usual structure or the given one.
    ///
    /// # Errors
    /// [`AbiError`] if the library speaks another version of the ABI, or what it hands out is faulty, or the structure does
    /// not fit it.
    ///
    /// # Safety
    /// `descriptor` was returned by [`abi::SYMBOL`](crate::abi::SYMBOL) of a library that stays loaded as long as the
    /// program runs, and that keeps the contract of [`abi::Descriptor`](crate::abi::Descriptor).
    pub unsafe fn from_descriptor(
        descriptor: *const Descriptor,
        structure: Option<&[u64]>,
    ) -> Result<Self, AbiError> {
        // SAFETY: promised by the caller.
        let header = unsafe { read_header(descriptor)? };
        let usual = header.describe(None)?;
        let structure = usual.description.structure_of(structure)?;
        let described =
            if structure.is_empty() { usual } else { header.describe(Some(&structure))? };
        let Checked { description, step_order, scratch_bytes } = described;
        let asked = Some(&*structure).filter(|structure| !structure.is_empty());
        let picture = header.picture(asked, description.sizes())?;
        let table = header.table;
        let calls = match header.instances(&description.integrators)? {
            Some(instances) => Calls::Slots { table, instances },
            None => Calls::Table(table),
        };
        Ok(Self {
            sizes: description.sizes(),
            picture: picture.map(Arc::new),
            description: description.into(),
            structure: structure.into(),
            calls,
            capabilities: header.capabilities,
            step_order,
            scratch_bytes,
        })
    }

    /// A plant whose equations are known only now that the program runs.
    ///
    /// # Errors
    /// [`DescriptionError`] if the description is faulty, has structural parameters, or lists other integrators than Euler's
    /// and that of Runge and Kutta.
    pub fn simulated(
        description: Description,
        simulator: Arc<dyn Simulator>,
        capabilities: u32,
    ) -> Result<Self, DescriptionError> {
        let is_served = |integrator: &Integrator| integrator.is_in(SimulatorPool::INTEGRATORS);
        if !description.structure.is_empty() || !description.integrators.iter().all(is_served) {
            let message =
                "a simulator has no structural parameters, and is run by Euler or RungeKutta4";
            return Err(DescriptionError(message.to_owned()));
        }
        let pool = SimulatorPool::new(simulator, description.sizes());
        Self::described_by(description, Calls::Simulator(Arc::new(pool)), capabilities)
    }

    /// A plant that owns its state, in an instance for each lane.
    ///
    /// # Errors
    /// [`DescriptionError`] if the description is faulty, has structural parameters, or lists another integrator than the
    /// plant's own step.
    pub fn with_instances(
        description: Description,
        maker: Arc<dyn InstanceMaker>,
        capabilities: u32,
    ) -> Result<Self, DescriptionError> {
        let is_served = |integrator: &Integrator| integrator.is_in(instance_calls::INTEGRATORS);
        if !description.structure.is_empty() || !description.integrators.iter().all(is_served) {
            let message =
                "a plant that owns its state has no structural parameters, and is run by PlantStep";
            return Err(DescriptionError(message.to_owned()));
        }
        Self::described_by(description, Calls::Instances(maker), capabilities)
    }

    /// A plant that runs in another process, of which this one knows the description and the capabilities alone: failure
    /// costs come out as 0, and all other calls are refused.
    ///
    /// # Errors
    /// [`DescriptionError`] if the description is faulty.
    pub fn elsewhere(
        description: Description,
        capabilities: u32,
    ) -> Result<Self, DescriptionError> {
        Self::described_by(description, Calls::Table(PlantTable::ELSEWHERE), capabilities)
    }

    /// A plant with this description, called in this way.
    fn described_by(
        description: Description,
        calls: Calls,
        capabilities: u32,
    ) -> Result<Self, DescriptionError> {
        description.check()?;
        Ok(Self {
            sizes: description.sizes(),
            picture: None,
            structure: description.structure.iter().map(|parameter| parameter.default).collect(),
            description: description.into(),
            calls,
            capabilities,
            step_order: None,
            scratch_bytes: 0,
        })
    }

    /// The description of the plant.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// What the plant looks like, if it says so.
    #[must_use]
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_deref()
    }

    /// The lengths of the plant's vectors.
    #[must_use]
    pub const fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// What the plant is compiled for: the flags [`abi::CAPABILITY_PORTABLE`](crate::abi::CAPABILITY_PORTABLE) and the
    /// like, added up.
    #[must_use]
    pub const fn capabilities(&self) -> u32 {
        self.capabilities
    }

    /// Whether the plant says that its bits hold on one machine alone.
    #[must_use]
    pub const fn has_machine_bits(&self) -> bool {
        self.capabilities & CAPABILITY_MACHINE_BITS != 0
    }

    /// Whether the plant owns its state: an episode then stays in the lanes that it began in, and nothing but its
    /// controls can be changed meanwhile.
    #[must_use]
    pub const fn owns_state(&self) -> bool {
        matches!(self.calls, Calls::Instances(_) | Calls::Slots { .. })
    }

    /// Whether episodes have a number that chance depends on ([`PlantLanes::seeds`]).
    #[must_use]
    pub const fn takes_seeds(&self) -> bool {
        matches!(self.calls, Calls::Slots { .. })
    }

    /// The states of the first `n_lanes` lanes, which have begun an episode, of a plant that owns them; `None` if it does not
    /// give them.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn slot_states(
        &self,
        lanes: &mut PlantLanes,
        n_lanes: usize,
    ) -> Result<Option<Vec<SlotState>>, PlantCallError> {
        // A worker that breaks is dropped.
        let Some(mut worker) = lanes.instances.worker.take() else { return Ok(None) };
        let states = self.in_float_mode("get_state", || {
            let n_lanes = n_lanes.min(worker.n_lanes());
            worker.states(n_lanes)
        })?;
        lanes.instances.worker = Some(worker);
        Ok(states)
    }

    /// Puts the first lanes into these states, which came from a plant of the same structure in this process. The numbers in
    /// `lanes`, such as what is shown of the state and the sum of costs, are for the caller to copy.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn set_slot_states(
        &self,
        lanes: &mut PlantLanes,
        states: &[SlotState],
    ) -> Result<(), PlantCallError> {
        let Calls::Slots { instances, .. } = &self.calls else {
            return Err(self.error("set_state", STATUS_OK, "it takes no states".to_owned()));
        };
        self.in_float_mode("set_state", || {
            let worker = match lanes.instances.worker.take() {
                Some(worker) => Ok(worker),
                None => SlotWorker::new(*instances, &self.structure, lanes.n_lanes())
                    .map_err(|message| (STATUS_OK, message)),
            };
            let mut worker = worker?;
            worker.set_states(states)?;
            lanes.instances.worker = Some(worker);
            Ok(())
        })
    }

    /// The order of accuracy that the plant declares for its own step.
    #[must_use]
    pub const fn step_order(&self) -> Option<u32> {
        self.step_order
    }

    /// Zeroed buffers for `n_lanes` lanes or a little more.
    #[must_use]
    pub fn lanes(&self, n_lanes: usize) -> PlantLanes {
        PlantLanes::zeros(self.sizes, self.scratch_bytes, n_lanes)
    }

    /// Advances lanes `0..n_lanes` over a stretch, adding up stage costs, and says how many lanes ended in it, padding
    /// included.
    ///
    /// # Errors
    /// [`PlantCallError`] if the plant panics or refuses the call, reports an end after the stretch, or changes the
    /// floating-point mode, which is put back. The lanes are then of no use until an episode is loaded again.
    ///
    /// # Panics
    /// If `lanes` was made for a plant of other sizes, or `n_lanes` is no multiple of 4 within it.
    pub fn advance(
        &self,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
        stretch: Stretch,
    ) -> Result<u32, PlantCallError> {
        let called = self.call(Function::Advance, isa, lanes, n_lanes, stretch);
        let end_steps = &mut lanes.end_step[..n_lanes];
        // Mostly none has ended, which a union of bits shows sooner than a maximum.
        if called.is_ok() && end_steps.iter().fold(0, |any, step| any | step) == 0 {
            return Ok(0);
        }
        let latest = end_steps.iter().copied().max().unwrap_or(0);
        if called.is_ok() && latest <= stretch.n_steps {
            let n_ended = end_steps.iter().filter(|&&step| step > 0).count();
            return Ok(u32_of(n_ended));
        }
        // What is left of a broken call must not be taken for ends of the next one.
        end_steps.fill(0);
        let n_steps = stretch.n_steps;
        called.and_then(|()| {
            let message = format!("a lane ended after step {latest} of {n_steps}");
            Err(self.error("advance", STATUS_OK, message))
        })
    }

    /// Writes the observations at the start of a stretch.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    ///
    /// # Panics
    /// As [`advance`](Self::advance).
    pub fn observe(
        &self,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
        stretch: Stretch,
    ) -> Result<(), PlantCallError> {
        self.call(Function::Observe, isa, lanes, n_lanes, stretch)
    }

    /// Writes the terminal costs of the states to `end_cost`.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    ///
    /// # Panics
    /// As [`advance`](Self::advance).
    pub fn terminal_cost(
        &self,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
    ) -> Result<(), PlantCallError> {
        self.call(Function::TerminalCost, isa, lanes, n_lanes, Stretch::NONE)
    }

    /// Writes the failure costs of the parameters to `end_cost`.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    ///
    /// # Panics
    /// As [`advance`](Self::advance).
    pub fn failure_cost(
        &self,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
    ) -> Result<(), PlantCallError> {
        self.call(Function::FailureCost, isa, lanes, n_lanes, Stretch::NONE)
    }

    /// From here on the floating-point mode is that of now: calls on these lanes do not read it before. Nor do they look at it
    /// afterwards if the plant is linked in, since a look waits for all arithmetic before it; [`look`](Self::look) and
    /// [`end_watch`](Self::end_watch) do, and what a call gives is of no use before.
    pub fn watch(&self, lanes: &mut PlantLanes) {
        lanes.watched_mode = Some(FloatMode::current());
    }

    /// Looks at the floating-point mode, which is put back if a call since [`watch`](Self::watch) has changed it.
    ///
    /// # Errors
    /// [`PlantCallError`] if one has.
    pub fn look(&self, lanes: &PlantLanes) -> Result<(), PlantCallError> {
        if lanes.watched_mode.is_some_and(FloatMode::restore) {
            return Err(self.changes_mode("observe` or `advance", STATUS_OK));
        }
        Ok(())
    }

    /// Looks a last time: from here on each call does again.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub fn end_watch(&self, lanes: &mut PlantLanes) -> Result<(), PlantCallError> {
        let looked = self.look(lanes);
        lanes.watched_mode = None;
        looked
    }

    /// Calls a function. It is compiled into each function, so that the stretch stays in registers: a copy in memory would be
    /// read before its parts have been written, which waits for all that was computed before.
    #[inline(always)]
    fn call(
        &self,
        function: Function,
        isa: Isa,
        lanes: &mut PlantLanes,
        n_lanes: usize,
        stretch: Stretch,
    ) -> Result<(), PlantCallError> {
        assert_eq!(lanes.sizes, self.sizes, "the lanes were made for another plant");
        let stride = lanes.n_lanes();
        assert!(n_lanes <= stride && n_lanes.is_multiple_of(LANE_STEP), "{n_lanes} lanes");
        let has_scratch = self.scratch_bytes > 0;
        let structure = &self.structure;
        let batch_call = BatchCall { structure, has_scratch, isa, n_lanes, stretch };
        let is_linked = matches!(self.calls, Calls::Linked(_));
        let mode = match lanes.watched_mode {
            // What a library changes, for one call perhaps, must not reach the arithmetic between two calls.
            Some(mode) => (!is_linked).then_some(mode),
            None => Some(FloatMode::current()),
        };
        let result = match &self.calls {
            Calls::Linked(table) | Calls::Table(table) => {
                batch_call.of_table(table, function, lanes)
            }
            other => other.call(function, &batch_call, lanes),
        };
        self.checked(function.name(), mode, result)
    }

    /// Calls a function of the plant, which must not change the floating-point mode; if it does, that is put back.
    fn in_float_mode<T>(
        &self,
        name: &'static str,
        call: impl FnOnce() -> Result<T, Broken>,
    ) -> Result<T, PlantCallError> {
        let mode = FloatMode::current();
        let result = call();
        self.checked(name, Some(mode), result)
    }

    /// The result of a call, before which this was the floating-point mode, if that is looked at.
    #[inline(always)]
    fn checked<T>(
        &self,
        name: &'static str,
        mode: Option<FloatMode>,
        result: Result<T, Broken>,
    ) -> Result<T, PlantCallError> {
        if mode.is_some_and(FloatMode::restore) {
            let status = result.map_or_else(|(status, _)| status, |_| STATUS_OK);
            return Err(self.changes_mode(name, status));
        }
        result.map_err(|(status, message)| self.error(name, status, message))
    }

    #[cold]
    fn changes_mode(&self, function: &'static str, status: i32) -> PlantCallError {
        let message = "it changes the floating-point mode (fast-math?)".to_owned();
        self.error(function, status, message)
    }

    #[cold]
    fn error(&self, function: &'static str, status: i32, message: String) -> PlantCallError {
        PlantCallError::counted(self.description.name.clone(), function, status, message)
    }
}
