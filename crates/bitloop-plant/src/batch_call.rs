//! [`BatchCall`]: one call of a function of a library or of a plant that is linked in, on the buffers of lanes.

#![allow(unsafe_code, reason = "calls through the plant table")]

use crate::codes::STATUS_OK;
use crate::contract::{Batch, InstancesTable, MathTable, PlantTable, message_text, u32_of};
use crate::function::Function;
use crate::isa::Isa;
use crate::plant_lanes::{PlantLanes, Stretch};
use crate::slot_worker::{Broken, SlotWorker};

/// The arguments of a call beside the buffers.
pub(crate) struct BatchCall<'a> {
    pub structure: &'a [u64],
    pub has_scratch: bool,
    pub isa: Isa,
    pub n_lanes: usize,
    pub stretch: Stretch,
}

impl BatchCall<'_> {
    /// Calls a function through a table.
    #[inline(always)]
    pub fn of_table(
        &self,
        table: &PlantTable,
        function: Function,
        lanes: &mut PlantLanes,
    ) -> Result<(), Broken> {
        let entry = match function {
            Function::Advance => table.advance,
            Function::Observe => table.observe,
            Function::TerminalCost => table.terminal_cost,
            Function::FailureCost => table.failure_cost,
        };
        // SAFETY: the function keeps the contract of `Batch`.
        self.with_batch(lanes, |batch, _| unsafe { entry(batch) })
    }

    /// Calls a function of a plant that owns its state for the lanes that have an episode, which begin it where they have to. The
    /// worker is made if there is none, and dropped after an error.
    pub fn of_slots(
        &self,
        table: &InstancesTable,
        function: Function,
        lanes: &mut PlantLanes,
    ) -> Result<(), Broken> {
        let n_lanes = self.n_lanes.min(lanes.n_live);
        if n_lanes == 0 {
            return Ok(());
        }
        let call = BatchCall { n_lanes, ..*self };
        let worker = match lanes.instances.worker.take() {
            Some(worker) => Ok(worker),
            None => SlotWorker::new(*table, self.structure, lanes.n_lanes()),
        };
        let mut worker = worker.map_err(|message| (STATUS_OK, message))?;
        call.run(&mut worker, function, lanes)?;
        lanes.instances.worker = Some(worker);
        Ok(())
    }

    fn run(
        &self,
        worker: &mut SlotWorker,
        function: Function,
        lanes: &mut PlantLanes,
    ) -> Result<(), Broken> {
        let (tick, n_lanes) = (self.stretch.tick, self.n_lanes);
        let begins = worker.begins(function, tick, n_lanes, |lane| start_bits(lanes, lane));
        if begins.map_err(|message| (STATUS_OK, message))? {
            // SAFETY: the batch has a lane for each of these slots.
            self.with_batch(lanes, |batch, seeds| unsafe { worker.begin(seeds, batch) })?;
            worker.have_begun(n_lanes, |lane| start_bits(lanes, lane));
        }
        // SAFETY: as above.
        self.with_batch(lanes, |batch, _| unsafe { worker.call(function, batch) })?;
        if matches!(function, Function::Advance) {
            worker.are_at(tick + u64::from(self.stretch.n_steps), n_lanes);
        }
        Ok(())
    }

    /// Lends the buffers of lanes, and their seeds, to a call that returns a status.
    #[inline(always)]
    fn with_batch(
        &self,
        lanes: &mut PlantLanes,
        call: impl FnOnce(*mut Batch, &[u64]) -> i32,
    ) -> Result<(), Broken> {
        let stride = lanes.n_lanes();
        let Self { stretch, structure, isa, .. } = *self;
        // What an earlier call has left behind the first 0 is not read.
        lanes.message[0] = 0;
        let scratch = lanes.scratch.as_mut_slice().as_mut_ptr().cast();
        let mut batch = Batch {
            struct_size: u32_of(size_of::<Batch>()),
            isa: isa.code(),
            n_lanes: u32_of(self.n_lanes),
            stride: u32_of(stride),
            structure: structure.as_ptr(),
            n_structure: u32_of(structure.len()),
            n_steps: stretch.n_steps,
            parameters: lanes.parameters.as_slice().as_ptr(),
            state: lanes.state.as_mut_slice().as_mut_ptr(),
            control: lanes.control.as_slice().as_ptr(),
            observation: lanes.observation.as_mut_slice().as_mut_ptr(),
            cost: lanes.cost.as_mut_slice().as_mut_ptr(),
            end_step: lanes.end_step.as_mut_ptr(),
            end_cost: lanes.end_cost.as_mut_slice().as_mut_ptr(),
            scratch: if self.has_scratch { scratch } else { std::ptr::null_mut() },
            message: lanes.message.as_mut_ptr().cast(),
            math: MathTable::of(isa),
            tick: stretch.tick,
            step_s: stretch.step_s,
            message_size: u32_of(lanes.message.len()),
            integrator: stretch.integrator.code(),
            counts_cost: u32::from(stretch.counts_cost),
            reserved: 0,
        };
        // The buffers were made by `lanes` for a plant of these sizes, have `stride` lanes a row, and are lent exclusively.
        let status = call(&raw mut batch, &lanes.seeds);
        if status == STATUS_OK { Ok(()) } else { Err((status, message_text(&lanes.message))) }
    }
}

/// What an episode begins from, as bits.
fn start_bits(lanes: &PlantLanes, lane: usize) -> impl Iterator<Item = u64> {
    let rows = [&lanes.state, &lanes.parameters]
        .into_iter()
        .flat_map(|matrix| (0..matrix.n_rows()).map(|row| matrix.row(row)));
    rows.map(move |row| row[lane].to_bits()).chain([lanes.seeds[lane]])
}
