//! [`Instance`]: one instance of a model.

#![allow(unsafe_code, reason = "calls foreign code")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use super::functions::{
    Callbacks, Component, Discrete, EventInfo, Exchange, Functions, Instantiate3, Own, Run, Status,
};
use super::load::Loaded;

/// How often discrete states may be updated at the start before that is taken for a loop without end.
const MAX_UPDATES: usize = 1000;

/// The longest message of a model that is kept, in bytes.
const MAX_MESSAGE: usize = 400;

/// The call is refused with these values; statuses below it are success.
const DISCARD: Status = 2;
/// From here on, no function of the instance may be called.
const FATAL: Status = 4;

thread_local! {
    /// The last thing that a model said on this thread.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// An instance of a model. Only the thread that has it may call it, as `&mut` makes sure.
#[derive(Debug)]
pub(super) struct Instance {
    functions: Functions,
    component: Component,
    n_states: usize,
    /// Whether it was initialized since it was made or reset.
    is_running: bool,
    /// After a fatal error, no function may be called.
    is_lost: bool,
}

// SAFETY: the standard lets an instance move between threads, as long as one at a time calls it.
unsafe impl Send for Instance {}

/// Whether values could be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computed {
    Yes,
    /// The model refuses these values.
    No,
}

impl Instance {
    /// Makes an instance. The error is in words.
    pub fn new(loaded: &Loaded, n_states: usize) -> Result<Self, String> {
        SAID.with(|said| said.borrow_mut().clear());
        let text = |text: &str| {
            CString::new(text).map_err(|_| "its description holds a character 0".to_owned())
        };
        let (name, token) = (text("bitloop")?, text(&loaded.token)?);
        let resources = text(&loaded.resources)?;
        let component = match loaded.functions.own {
            // SAFETY: the texts end in 0 and outlive the call, the callbacks the program; 0 is Model Exchange, 1 Co-Simulation.
            Own::Fmi2(functions) => unsafe {
                (functions.instantiate)(
                    name.as_ptr(),
                    c_int::from(!matches!(loaded.functions.run, Run::Exchange(_))),
                    token.as_ptr(),
                    resources.as_ptr(),
                    &raw const CALLBACKS.0,
                    0,
                    0,
                )
            },
            Own::Fmi3(functions) => {
                let none = std::ptr::null();
                let resources = if loaded.resources.is_empty() { none } else { resources.as_ptr() };
                let environment = std::ptr::null_mut();
                match functions.instantiate {
                    // SAFETY: as above; no resources are a null pointer.
                    Instantiate3::Exchange(make) => unsafe {
                        let (name, token) = (name.as_ptr(), token.as_ptr());
                        make(name, token, resources, false, false, environment, log3)
                    },
                    // SAFETY: as above; events, early returns and intermediate values are not allowed.
                    Instantiate3::Steps(make) => unsafe {
                        let (name, token) = (name.as_ptr(), token.as_ptr());
                        let no_list = std::ptr::null();
                        make(
                            name,
                            token,
                            resources,
                            false,
                            false,
                            false,
                            false,
                            no_list,
                            0,
                            environment,
                            log3,
                            None,
                        )
                    },
                }
            }
        };
        if component.is_null() {
            return Err(format!("it makes no instance{}", said()));
        }
        let functions = loaded.functions;
        Ok(Self { functions, component, n_states, is_running: false, is_lost: false })
    }

    /// Sets these start values and parameters and initializes the model, at the time 0.
    pub fn start(&mut self, references: &[u32], values: &[f64]) -> Result<(), String> {
        if self.is_running {
            // SAFETY: the instance is good for calls.
            let status = unsafe { (self.functions.reset)(self.component) };
            self.expect("be reset", status)?;
            self.is_running = false;
        }
        if let Own::Fmi2(functions) = self.functions.own {
            // SAFETY: as above.
            let status = unsafe { (functions.set_up)(self.component, 0, 0.0, 0.0, 0, 0.0) };
            self.expect("be set up", status)?;
        }
        if self.set(references, values)? == Computed::No {
            return Err("it refuses the values of its parameters".to_owned());
        }
        let status = match self.functions.own {
            // SAFETY: as above.
            Own::Fmi2(functions) => unsafe { (functions.enter_initialization)(self.component) },
            // SAFETY: as above.
            Own::Fmi3(functions) => unsafe {
                (functions.enter_initialization)(self.component, false, 0.0, 0.0, false, 0.0)
            },
        };
        self.expect("be initialized", status)?;
        // SAFETY: as above.
        let status = unsafe { (self.functions.exit_initialization)(self.component) };
        self.expect("be initialized", status)?;
        if let Run::Exchange(exchange) = self.functions.run {
            self.update_discrete_states(&exchange)?;
            // SAFETY: as above.
            let status = unsafe { (exchange.enter_continuous_time)(self.component) };
            self.expect("run in continuous time", status)?;
        }
        self.is_running = true;
        Ok(())
    }

    /// Takes a step of Co-Simulation.
    pub fn step(&mut self, t_s: f64, step_s: f64) -> Result<Computed, String> {
        let status = match self.functions.run {
            // SAFETY: the instance is good for calls.
            Run::Steps2(step) => unsafe { step(self.component, t_s, step_s, 1) },
            Run::Steps3(step) => {
                let mut flags = [0_u8; 3];
                let mut until_s = t_s;
                let [event, terminates, early] = &mut flags;
                // SAFETY: as above, with one place for each answer.
                let status = unsafe {
                    let (component, until) = (self.component, &raw mut until_s);
                    step(component, t_s, step_s, true, event, terminates, early, until)
                };
                if status < DISCARD && flags[1] != 0 {
                    return Err("it ends the simulation".to_owned());
                }
                status
            }
            Run::Exchange(_) => return Err("it takes no steps of its own".to_owned()),
        };
        self.computed("take a step", status)
    }

    /// What Model Exchange is run by.
    fn exchange(&self) -> Result<Exchange, String> {
        match self.functions.run {
            Run::Exchange(exchange) => Ok(exchange),
            Run::Steps2(_) | Run::Steps3(_) => Err("it gives no derivatives".to_owned()),
        }
    }

    fn update_discrete_states(&mut self, exchange: &Exchange) -> Result<(), String> {
        for _ in 0..MAX_UPDATES {
            let mut info = EventInfo::default();
            let status = match exchange.update_discrete_states {
                // SAFETY: the instance is good for calls, and the structure is written.
                Discrete::Fmi2(update) => unsafe { update(self.component, &raw mut info) },
                Discrete::Fmi3(update_states) => {
                    let mut flags = [0_u8; 5];
                    let [update, terminates, nominals, states, next] = &mut flags;
                    // SAFETY: as above, with one place for each flag.
                    let status = unsafe {
                        update_states(
                            self.component,
                            update,
                            terminates,
                            nominals,
                            states,
                            next,
                            &raw mut info.next_event_s,
                        )
                    };
                    let [update, terminates, .., next] = flags.map(c_int::from);
                    (info.needs_update, info.terminates, info.has_next_event) =
                        (update, terminates, next);
                    status
                }
            };
            self.expect("update its discrete states", status)?;
            if info.terminates != 0 {
                return Err("it ends the simulation at its start".to_owned());
            }
            if info.needs_update == 0 {
                let has_event = info.has_next_event != 0;
                let message = "it has events in time, and a plant has none".to_owned();
                return if has_event { Err(message) } else { Ok(()) };
            }
        }
        Err(format!("its discrete states do not settle in {MAX_UPDATES} updates"))
    }

    /// Sets time and state.
    pub fn set_state(&mut self, t_s: f64, x: &[f64]) -> Result<Computed, String> {
        debug_assert_eq!(x.len(), self.n_states);
        let exchange = self.exchange()?;
        // SAFETY: the instance is good for calls.
        let status = unsafe { (exchange.set_time)(self.component, t_s) };
        if self.computed("take the time", status)? == Computed::No {
            return Ok(Computed::No);
        }
        // SAFETY: as above, and the list has as many numbers as it says.
        let status = unsafe { (exchange.set_states)(self.component, x.as_ptr(), x.len()) };
        self.computed("take the state", status)
    }

    /// The continuous states.
    pub fn states(&mut self, x: &mut [f64]) -> Result<Computed, String> {
        let exchange = self.exchange()?;
        // SAFETY: the instance is good for calls, and the list has room for as many numbers as it says.
        let status = unsafe { (exchange.get_states)(self.component, x.as_mut_ptr(), x.len()) };
        self.computed("give its states", status)
    }

    /// The derivatives of the state that was set.
    pub fn derivatives(&mut self, dx: &mut [f64]) -> Result<Computed, String> {
        let exchange = self.exchange()?;
        // SAFETY: as above.
        let status =
            unsafe { (exchange.get_derivatives)(self.component, dx.as_mut_ptr(), dx.len()) };
        self.computed("compute its derivatives", status)
    }

    /// Sets variables.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<Computed, String> {
        let n = references.len().min(values.len());
        if n == 0 {
            return Ok(Computed::Yes);
        }
        let (references, values) = (references.as_ptr(), values.as_ptr());
        let status = match self.functions.own {
            // SAFETY: as above; both lists have at least n elements.
            Own::Fmi2(functions) => unsafe {
                (functions.set)(self.component, references, n, values)
            },
            // SAFETY: as above.
            Own::Fmi3(functions) => unsafe {
                (functions.set)(self.component, references, n, values, n)
            },
        };
        self.computed("take values", status)
    }

    /// Reads variables.
    pub fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<Computed, String> {
        let n = references.len().min(values.len());
        if n == 0 {
            return Ok(Computed::Yes);
        }
        let (references, values) = (references.as_ptr(), values.as_mut_ptr());
        let status = match self.functions.own {
            // SAFETY: as above.
            Own::Fmi2(functions) => unsafe {
                (functions.get)(self.component, references, n, values)
            },
            // SAFETY: as above.
            Own::Fmi3(functions) => unsafe {
                (functions.get)(self.component, references, n, values, n)
            },
        };
        self.computed("give values", status)
    }

    /// The outcome of a call that may be refused with these values.
    fn computed(&mut self, what: &str, status: Status) -> Result<Computed, String> {
        if status == DISCARD {
            return Ok(Computed::No);
        }
        self.expect(what, status).map(|()| Computed::Yes)
    }

    /// The outcome of a call that must succeed.
    fn expect(&mut self, what: &str, status: Status) -> Result<(), String> {
        self.is_lost |= status >= FATAL;
        if status < DISCARD {
            // What it said meanwhile is not why another call fails.
            SAID.with(|said| said.borrow_mut().clear());
            return Ok(());
        }
        Err(format!("it does not {what} (status {status}){}", said()))
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if !self.is_lost {
            // SAFETY: the instance is good for calls, and this is the last one.
            unsafe { (self.functions.free)(self.component) };
        }
    }
}

/// What a model said last, with what comes before it in a message.
fn said() -> String {
    let said = SAID.with(|said| std::mem::take(&mut *said.borrow_mut()));
    if said.is_empty() { said } else { format!(": {said}") }
}

/// Callbacks hold pointers, and are never written to.
struct Shared(Callbacks);

// SAFETY: nobody writes to it.
unsafe impl Sync for Shared {}

static CALLBACKS: Shared = Shared(Callbacks {
    log: log2,
    allocate,
    free,
    step_finished: None,
    environment: std::ptr::null_mut(),
});

/// Keeps a message of a model.
fn keep(status: c_int, message: *const c_char) {
    if message.is_null() || status == 0 {
        return;
    }
    // SAFETY: the model passes a text that ends in 0.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let end = plain.floor_char_boundary(MAX_MESSAGE);
    // A model that logs while a message is read is not heard.
    SAID.with(|said| {
        if let Ok(mut said) = said.try_borrow_mut() {
            plain[..end].trim().clone_into(&mut said);
        }
    });
}

unsafe extern "C" fn log2(
    _environment: *mut c_void,
    _name: *const c_char,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    keep(status, message);
}

unsafe extern "C" fn log3(
    _environment: *mut c_void,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    keep(status, message);
}

unsafe extern "C" fn allocate(n: usize, size: usize) -> *mut c_void {
    // SAFETY: `calloc` checks the product.
    unsafe { libc::calloc(n, size) }
}

unsafe extern "C" fn free(memory: *mut c_void) {
    // SAFETY: the model passes what `allocate` gave it, or null.
    unsafe { libc::free(memory) }
}
