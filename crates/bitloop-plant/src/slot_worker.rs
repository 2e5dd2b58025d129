//! [`SlotWorker`]: the slots of a library whose plant owns its state, with an episode of a lane in each.

#![allow(unsafe_code, reason = "calls through the plant table")]

use std::ffi::c_void;

use crate::codes::STATUS_OK;
use crate::contract::{Batch, InstancesTable, MAX_SLOT_BYTES, MESSAGE_BYTES, message_text, u32_of};
use crate::float_mode::FloatMode;
use crate::function::Function;
use crate::progress::Progress;

/// A status other than 0, or 0 for a breach that the plant has not reported, and a message.
pub(crate) type Broken = (i32, String);

/// A worker of a library. It is dropped after a call that broke.
pub(crate) struct SlotWorker {
    table: InstancesTable,
    worker: *mut c_void,
    /// Of each lane, the slot that its episode is in: a permutation.
    slots: Vec<u32>,
    /// Of each lane.
    progress: Vec<Progress>,
}

// SAFETY: the contract lets a worker be called from any thread, by one at a time, which `&mut` makes sure.
unsafe impl Send for SlotWorker {}
// SAFETY: nothing is called through a shared reference.
unsafe impl Sync for SlotWorker {}

impl Drop for SlotWorker {
    fn drop(&mut self) {
        let mode = FloatMode::current();
        // SAFETY: the worker is dropped once, after its last call.
        unsafe { (self.table.drop_worker)(self.worker) };
        let _ = mode.restore();
    }
}

impl SlotWorker {
    /// Makes a worker with a slot for each lane. The error is in words.
    pub fn new(table: InstancesTable, structure: &[u64], n_slots: usize) -> Result<Self, String> {
        let n_slots = u32::try_from(n_slots).map_err(|_| "too many lanes".to_owned())?;
        let mut message = [0_u8; MESSAGE_BYTES];
        // SAFETY: the function is lent the buffers for the call.
        let worker = unsafe {
            let message = message.as_mut_ptr().cast();
            (table.make_worker)(
                structure.as_ptr(),
                u32_of(structure.len()),
                n_slots,
                message,
                u32_of(MESSAGE_BYTES),
            )
        };
        if worker.is_null() {
            let reason = message_text(&message);
            let colon = if reason.is_empty() { "" } else { ": " };
            return Err(format!("it makes no worker of {n_slots} slots{colon}{reason}"));
        }
        let progress = (0..n_slots).map(|_| Progress::default()).collect();
        Ok(Self { table, worker, slots: (0..n_slots).collect(), progress })
    }

    /// How many lanes have a slot.
    pub fn n_lanes(&self) -> usize {
        self.slots.len()
    }

    /// The episodes of two lanes change places.
    pub fn swap(&mut self, a: usize, b: usize) {
        self.slots.swap(a, b);
        self.progress.swap(a, b);
    }

    /// Whether episodes of the first lanes have to begin for this call: all of them then do, since those that have begun
    /// already begin the same way again. `start` gives what the episode of a lane begins from, as bits.
    pub fn begins<I: Iterator<Item = u64>>(
        &self,
        function: Function,
        tick: u64,
        n_live: usize,
        start: impl Fn(usize) -> I,
    ) -> Result<bool, String> {
        let mut begins = false;
        for (lane, progress) in self.progress[..n_live].iter().enumerate() {
            begins |= progress.begins(function, tick, start(lane))?;
        }
        Ok(begins)
    }

    /// Begins episodes; gives a status.
    ///
    /// # Safety
    /// `batch` keeps its contract for the first lanes of this worker, and there is a seed for each.
    pub unsafe fn begin(&mut self, seeds: &[u64], batch: *mut Batch) -> i32 {
        // SAFETY: promised by the caller.
        unsafe { (self.table.begin)(self.worker, self.slots.as_ptr(), seeds.as_ptr(), batch) }
    }

    /// Calls a function of episodes that have begun; gives a status.
    ///
    /// # Safety
    /// As [`begin`](Self::begin).
    pub unsafe fn call(&mut self, function: Function, batch: *mut Batch) -> i32 {
        let entry = match function {
            Function::Observe => self.table.observe,
            Function::Advance => self.table.advance,
            Function::TerminalCost | Function::FailureCost => self.table.terminal_cost,
        };
        // SAFETY: promised by the caller.
        unsafe { entry(self.worker, self.slots.as_ptr(), batch) }
    }

    /// The episodes of the first lanes have begun, and show these numbers.
    pub fn have_begun<I: Iterator<Item = u64>>(
        &mut self,
        n_live: usize,
        start: impl Fn(usize) -> I,
    ) {
        for (lane, progress) in self.progress[..n_live].iter_mut().enumerate() {
            progress.has_begun(start(lane));
        }
    }

    /// The episodes of the first lanes are at this step.
    pub fn are_at(&mut self, tick: u64, n_live: usize) {
        self.progress[..n_live].iter_mut().for_each(|progress| progress.is_at(tick));
    }

    /// The states of the slots of the first lanes; nothing if the plant does not give them.
    pub fn states(&mut self, n_live: usize) -> Result<Option<Vec<SlotState>>, Broken> {
        let Some(states) = self.table.states else { return Ok(None) };
        let n_bytes = self.state_bytes()?;
        let state = |lane: usize| {
            // Words, so that the plant may read numbers from it.
            let mut words = vec![0_u64; n_bytes.div_ceil(8)];
            // SAFETY: the worker is good for calls, and there is room for as many bytes as it wants.
            let status =
                unsafe { (states.get)(self.worker, self.slots[lane], words.as_mut_ptr().cast()) };
            let tick = self.progress[lane].tick();
            if status == STATUS_OK {
                Ok(SlotState { tick, words })
            } else {
                Err((status, "it does not give a state".to_owned()))
            }
        };
        (0..n_live).map(state).collect::<Result<_, _>>().map(Some)
    }

    /// Puts the slots of the first lanes into these states.
    pub fn set_states(&mut self, all: &[SlotState]) -> Result<(), Broken> {
        let Some(states) = self.table.states else {
            return Err((STATUS_OK, "it takes no states".to_owned()));
        };
        let n_words = self.state_bytes()?.div_ceil(8);
        for (lane, state) in all.iter().enumerate() {
            if state.words.len() != n_words || lane >= self.n_lanes() {
                return Err((STATUS_OK, "its states have another size now".to_owned()));
            }
            // SAFETY: the worker is good for calls, and the state has as many bytes as it wants.
            let status =
                unsafe { (states.set)(self.worker, self.slots[lane], state.words.as_ptr().cast()) };
            if status != STATUS_OK {
                return Err((status, "it does not take a state".to_owned()));
            }
            self.progress[lane].is_at(state.tick);
        }
        Ok(())
    }

    fn state_bytes(&self) -> Result<usize, Broken> {
        let Some(states) = self.table.states else { return Ok(0) };
        // SAFETY: the worker is good for calls.
        let size = unsafe { (states.size)(self.worker) };
        usize::try_from(size).ok().filter(|&size| size <= MAX_SLOT_BYTES).ok_or_else(|| {
            let message = format!(
                "the state of a slot has {size} bytes: at most {MAX_SLOT_BYTES} are allowed"
            );
            (STATUS_OK, message)
        })
    }
}

/// The state of a slot, as its plant gives it, and the step of the episode in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotState {
    tick: u64,
    words: Vec<u64>,
}
