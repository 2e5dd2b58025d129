//! Plants of libraries that own their state: the part that a library hands out, and calls whose answers are any bytes.
//!
//! The contract promises that functions which are not null can be called, and that they keep to their buffers; all else is
//! drawn from the data, zeros being a sound plant.

#![allow(unsafe_code, reason = "the boundary itself is what is tested")]

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use bitloop_plant::abi::{
    ABI_VERSION, CAPABILITY_PORTABLE, Descriptor, INSTANCES_PART, InstancesPart, RawDescription,
    RawVariable,
};
use bitloop_plant::{
    Batch, INTEGRATOR_PLANT_STEP, Integrator, Isa, PlantHandle, PlantLanes, Stretch,
};

/// Lanes of a call.
const N_LANES: usize = 8;

thread_local! {
    /// What the functions of the plant take their answers from.
    static DATA: RefCell<VecDeque<u8>> = const { RefCell::new(VecDeque::new()) };
    /// What `optional_part` returns.
    static PART: Cell<*const InstancesPart> = const { Cell::new(ptr::null()) };
    /// Workers that were made, and not dropped yet.
    static N_WORKERS: Cell<i32> = const { Cell::new(0) };
}

/// The next byte; 0 once they are used up.
fn byte() -> u8 {
    DATA.with_borrow_mut(|data| data.pop_front().unwrap_or(0))
}

fn number() -> f64 {
    match byte() {
        0 => 0.5,
        1 => f64::NAN,
        2 => f64::INFINITY,
        3 => f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| byte()))),
        small => f64::from(small) - 128.0,
    }
}

/// Calls a plant whose part and answers are drawn from any bytes.
pub fn read(data: &[u8]) {
    DATA.set(data.iter().copied().collect());
    N_WORKERS.set(0);
    let part = part();
    PART.set(&raw const part);
    let variables = [RawVariable {
        name: c"x".as_ptr(),
        unit: c"m".as_ptr(),
        min: f64::NEG_INFINITY,
        max: f64::INFINITY,
        center: 0.0,
        scale: 1.0,
        start: 0.0,
    }];
    let integrators = [if byte() == 255 { 0 } else { INTEGRATOR_PLANT_STEP }];
    let description = RawDescription {
        struct_size: u32_of(size_of::<RawDescription>()),
        n_states: 1,
        n_controls: 1,
        n_observations: 1,
        n_parameters: 0,
        n_structure: 0,
        n_integrators: 1,
        step_order: 0,
        name: c"plant".as_ptr(),
        version: c"1".as_ptr(),
        summary: c"What it is.".as_ptr(),
        states: variables.as_ptr(),
        controls: variables.as_ptr(),
        observations: variables.as_ptr(),
        parameters: ptr::null(),
        structure: ptr::null(),
        integrators: integrators.as_ptr(),
        step_s: 0.1,
        sample_time_s: 0.2,
        scratch_size: 0,
    };
    DESCRIPTION.set(&raw const description);
    let descriptor = Descriptor {
        abi_version: ABI_VERSION,
        struct_size: u32_of(size_of::<Descriptor>()),
        batch_size: u32_of(size_of::<Batch>()),
        capabilities: CAPABILITY_PORTABLE,
        describe: Some(describe),
        release_description: None,
        optional_part: Some(optional_part),
        advance: Some(refuse),
        observe: Some(refuse),
        terminal_cost: Some(refuse),
        failure_cost: Some(refuse),
    };
    // SAFETY: the descriptor is whole, its functions keep the contract, and nothing of it is used after this function.
    match unsafe { PlantHandle::from_descriptor(&raw const descriptor, None) } {
        Ok(plant) => {
            assert!(plant.owns_state());
            run(&plant);
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
    assert_eq!(N_WORKERS.get(), 0, "each worker is dropped once");
    PART.set(ptr::null());
    DESCRIPTION.set(ptr::null());
}

/// Calls in an order that is drawn, right or wrong.
fn run(plant: &PlantHandle) {
    let mut lanes = plant.lanes(N_LANES);
    let mut tick = 0;
    for _ in 0..16 {
        let n_steps = u32::from(byte() % 3);
        let stretch = Stretch {
            tick,
            n_steps,
            step_s: 0.1,
            integrator: Integrator::PlantStep,
            counts_cost: true,
        };
        let isa = Isa::PORTABLE;
        let called = match byte() % 8 {
            0 | 1 => plant.advance(isa, &mut lanes, N_LANES, stretch).map(|n_ended| {
                tick += u64::from(n_steps);
                assert!(n_ended as usize <= N_LANES);
                let latest = (0..N_LANES).map(|lane| lanes.take_end_step(lane)).max();
                assert!(latest <= Some(n_steps));
            }),
            2 => plant.observe(isa, &mut lanes, N_LANES, stretch),
            3 => plant.terminal_cost(isa, &mut lanes, N_LANES),
            4 => {
                tick = u64::from(byte() % 2);
                Ok(())
            }
            5 => {
                lanes.set_live(usize::from(byte()) % (N_LANES + 2));
                Ok(())
            }
            6 => {
                let (from, to) = (usize::from(byte()) % N_LANES, usize::from(byte()) % N_LANES);
                lanes.copy_lane(from, to);
                lanes.move_instance(from, to);
                Ok(())
            }
            _ => copy(plant, &mut lanes),
        };
        if let Err(error) = called {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Continues in another worker, put into the states of this one.
fn copy(plant: &PlantHandle, lanes: &mut PlantLanes) -> Result<(), bitloop_plant::PlantCallError> {
    let Some(states) = plant.slot_states(lanes, N_LANES)? else { return Ok(()) };
    let mut other = lanes.clone();
    plant.set_slot_states(&mut other, &states)?;
    *lanes = other;
    Ok(())
}

fn part() -> InstancesPart {
    let is_there = || byte() < 250;
    InstancesPart {
        make_worker: is_there().then_some(make_worker as _),
        drop_worker: is_there().then_some(drop_worker as _),
        begin: is_there().then_some(begin as _),
        observe: is_there().then_some(observe as _),
        advance: is_there().then_some(advance as _),
        terminal_cost: is_there().then_some(terminal_cost as _),
        state_size: is_there().then_some(state_size as _),
        get_state: is_there().then_some(get_state as _),
        set_state: is_there().then_some(set_state as _),
        struct_size: match byte() {
            0 => u32_of(size_of::<InstancesPart>()),
            other => u32::from(other) * 800,
        },
        reserved: 0,
    }
}

thread_local! {
    static DESCRIPTION: Cell<*const RawDescription> = const { Cell::new(ptr::null()) };
}

fn u32_of(size: usize) -> u32 {
    u32::try_from(size).expect("some hundreds")
}

unsafe extern "C" fn describe(
    _structure: *const u64,
    _n_structure: u32,
    _message: *mut c_char,
    _message_size: u32,
) -> *const RawDescription {
    DESCRIPTION.get()
}

unsafe extern "C" fn optional_part(id: *const c_char) -> *const c_void {
    // SAFETY: the host lends a text ended by 0.
    let is_meant = unsafe { CStr::from_ptr(id) } == INSTANCES_PART;
    if is_meant { PART.get().cast() } else { ptr::null() }
}

unsafe extern "C" fn refuse(_batch: *mut Batch) -> i32 {
    1
}

unsafe extern "C" fn make_worker(
    _structure: *const u64,
    _n_structure: u32,
    n_slots: u32,
    message: *mut c_char,
    message_size: u32,
) -> *mut c_void {
    if byte() == 255 {
        // SAFETY: the host lends so many bytes.
        unsafe { message.cast::<u8>().write_bytes(byte(), message_size as usize) };
        return ptr::null_mut();
    }
    N_WORKERS.set(N_WORKERS.get() + 1);
    // A number for each slot: the step of its episode.
    Box::into_raw(Box::new(vec![0_u64; n_slots as usize])).cast()
}

unsafe extern "C" fn drop_worker(worker: *mut c_void) {
    N_WORKERS.set(N_WORKERS.get() - 1);
    // SAFETY: it came from `make_worker`, and is dropped once.
    drop(unsafe { Box::from_raw(worker.cast::<Vec<u64>>()) });
}

/// Looks at the slots of a call, which must be within the worker and differ, and draws a status.
unsafe fn status(worker: *mut c_void, slots: *const u32, batch: &mut Batch) -> i32 {
    // SAFETY: the host passes a worker, and a slot for each lane.
    let (all, slots) = unsafe {
        let all = &mut *worker.cast::<Vec<u64>>();
        (all, std::slice::from_raw_parts(slots, batch.n_lanes as usize))
    };
    for (lane, &slot) in slots.iter().enumerate() {
        assert!((slot as usize) < all.len() && !slots[..lane].contains(&slot), "{slots:?}");
        all[slot as usize] += 1;
    }
    match byte() {
        254 => 1,
        255 => {
            // SAFETY: the host lends so many bytes.
            unsafe { batch.message.cast::<u8>().write_bytes(byte(), batch.message_size as usize) };
            i32::from(byte())
        }
        _ => 0,
    }
}

/// Writes a drawn number for each lane.
unsafe fn fill(to: *mut f64, n_lanes: u32) {
    for lane in 0..n_lanes as usize {
        // SAFETY: the host lends a row of at least so many numbers.
        unsafe { to.add(lane).write(number()) };
    }
}

unsafe extern "C" fn begin(
    worker: *mut c_void,
    slots: *const u32,
    seeds: *const u64,
    batch: *mut Batch,
) -> i32 {
    // SAFETY: the host lends a batch with these buffers.
    unsafe {
        let batch = &mut *batch;
        let _ = (0..batch.n_lanes as usize).map(|lane| seeds.add(lane).read()).max();
        fill(batch.state, batch.n_lanes);
        status(worker, slots, batch)
    }
}

unsafe extern "C" fn observe(worker: *mut c_void, slots: *const u32, batch: *mut Batch) -> i32 {
    // SAFETY: the host lends a batch with these buffers.
    unsafe {
        let batch = &mut *batch;
        fill(batch.observation, batch.n_lanes);
        status(worker, slots, batch)
    }
}

unsafe extern "C" fn advance(worker: *mut c_void, slots: *const u32, batch: *mut Batch) -> i32 {
    // SAFETY: the host lends a batch with these buffers.
    unsafe {
        let batch = &mut *batch;
        fill(batch.state, batch.n_lanes);
        fill(batch.cost, batch.n_lanes);
        for lane in 0..batch.n_lanes as usize {
            batch.end_step.add(lane).write(u32::from(byte() / 64));
        }
        fill(batch.end_cost, batch.n_lanes);
        status(worker, slots, batch)
    }
}

unsafe extern "C" fn terminal_cost(
    worker: *mut c_void,
    slots: *const u32,
    batch: *mut Batch,
) -> i32 {
    // SAFETY: the host lends a batch with these buffers.
    unsafe {
        let batch = &mut *batch;
        fill(batch.end_cost, batch.n_lanes);
        status(worker, slots, batch)
    }
}

unsafe extern "C" fn state_size(_worker: *mut c_void) -> u64 {
    match byte() {
        255 => u64::MAX,
        254 => 1 << 27,
        // What is written is at most this.
        _ => 8,
    }
}

unsafe extern "C" fn get_state(worker: *mut c_void, slot: u32, state: *mut c_void) -> i32 {
    // SAFETY: the host passes a worker, and lends as many bytes as `state_size` says, 8 wherever it is called.
    unsafe { state.cast::<u64>().write((&*worker.cast::<Vec<u64>>())[slot as usize]) };
    i32::from(byte() / 255)
}

unsafe extern "C" fn set_state(worker: *mut c_void, slot: u32, state: *const c_void) -> i32 {
    // SAFETY: as above.
    unsafe { (&mut *worker.cast::<Vec<u64>>())[slot as usize] = state.cast::<u64>().read() };
    i32::from(byte() / 255)
}
