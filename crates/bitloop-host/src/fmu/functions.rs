//! The functions of an FMU's library, of both versions, as the standard declares them.

#![allow(unsafe_code, reason = "looks functions up in foreign code")]

use std::ffi::{c_char, c_int, c_uint, c_void};

use bitloop_fmu::{InterfaceType, Version};
use libloading::os::unix::Library;

/// An instance of a model, as its library knows it.
pub(super) type Component = *mut c_void;

/// A status: 0 or 1 are good, 2 is a call that is refused with these values, 3 an error, 4 the end of the model.
pub(super) type Status = c_int;

/// The message function of FMI 2.0, which is variadic there. The caller of a variadic function passes its fixed arguments as
/// to any other one on this system; the others, for the placeholders of the message, are not read.
pub(super) type Log2 =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char);

/// The message function of FMI 3.0.
pub(super) type Log3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// What an instance of FMI 2.0 may call.
#[repr(C)]
pub(super) struct Callbacks {
    pub log: Log2,
    pub allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    pub free: unsafe extern "C" fn(*mut c_void),
    /// Null: steps are not asynchronous.
    pub step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    pub environment: *mut c_void,
}

/// What FMI 2.0 says of discrete states.
#[derive(Default)]
#[repr(C)]
pub(super) struct EventInfo {
    pub needs_update: c_int,
    pub terminates: c_int,
    pub nominals_changed: c_int,
    pub states_changed: c_int,
    pub has_next_event: c_int,
    pub next_event_s: f64,
}

/// Functions that take an instance alone.
type Simple = unsafe extern "C" fn(Component) -> Status;

/// Functions that read numbers into a list.
type Read = unsafe extern "C" fn(Component, *mut f64, usize) -> Status;

/// The functions of FMI 2.0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fmi2 {
    pub instantiate: unsafe extern "C" fn(
        *const c_char,
        c_int,
        *const c_char,
        *const c_char,
        *const Callbacks,
        c_int,
        c_int,
    ) -> Component,
    pub set_up: unsafe extern "C" fn(Component, c_int, f64, f64, c_int, f64) -> Status,
    pub enter_initialization: Simple,
    pub get: unsafe extern "C" fn(Component, *const c_uint, usize, *mut f64) -> Status,
    pub set: unsafe extern "C" fn(Component, *const c_uint, usize, *const f64) -> Status,
}

/// The functions of FMI 3.0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fmi3 {
    pub instantiate: Instantiate3,
    pub enter_initialization: unsafe extern "C" fn(Component, bool, f64, f64, bool, f64) -> Status,
    pub get: unsafe extern "C" fn(Component, *const c_uint, usize, *mut f64, usize) -> Status,
    pub set: unsafe extern "C" fn(Component, *const c_uint, usize, *const f64, usize) -> Status,
}

/// How FMI 3.0 makes an instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instantiate3 {
    Exchange(
        unsafe extern "C" fn(
            *const c_char,
            *const c_char,
            *const c_char,
            bool,
            bool,
            *mut c_void,
            Log3,
        ) -> Component,
    ),
    Steps(
        unsafe extern "C" fn(
            *const c_char,
            *const c_char,
            *const c_char,
            bool,
            bool,
            bool,
            bool,
            *const c_uint,
            usize,
            *mut c_void,
            Log3,
            Option<Intermediate>,
        ) -> Component,
    ),
}

/// What a model of FMI 3.0 may call within a step, if that was allowed.
pub(super) type Intermediate =
    unsafe extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, bool, *mut bool, *mut f64);

/// Functions that differ in more than their names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Own {
    Fmi2(Fmi2),
    Fmi3(Fmi3),
}

/// How discrete states are updated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Discrete {
    Fmi2(unsafe extern "C" fn(Component, *mut EventInfo) -> Status),
    /// The flags are `bool` in C, and bytes here, since a wrong value must not be taken for one.
    Fmi3(
        unsafe extern "C" fn(
            Component,
            *mut u8,
            *mut u8,
            *mut u8,
            *mut u8,
            *mut u8,
            *mut f64,
        ) -> Status,
    ),
}

/// What Model Exchange is run by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub update_discrete_states: Discrete,
    pub enter_continuous_time: Simple,
    pub set_time: unsafe extern "C" fn(Component, f64) -> Status,
    pub set_states: unsafe extern "C" fn(Component, *const f64, usize) -> Status,
    pub get_states: Read,
    pub get_derivatives: Read,
}

/// What a model is run by.
#[derive(Clone, Copy, Debug)]
pub(super) enum Run {
    Exchange(Exchange),
    /// A step of Co-Simulation in FMI 2.0: time, step, and whether earlier states are not needed any more.
    Steps2(unsafe extern "C" fn(Component, f64, f64, c_int) -> Status),
    /// The same in FMI 3.0, which says whether it needs an event, ends the simulation, or returned early, and when.
    Steps3(
        unsafe extern "C" fn(
            Component,
            f64,
            f64,
            bool,
            *mut u8,
            *mut u8,
            *mut u8,
            *mut f64,
        ) -> Status,
    ),
}

/// The functions that are called, of libraries which are never unloaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    pub own: Own,
    pub run: Run,
    pub exit_initialization: Simple,
    pub reset: Simple,
    pub free: unsafe extern "C" fn(Component),
}

/// A function by its name.
fn find<T: Copy>(library: &Library, name: &'static str) -> Result<T, &'static str> {
    // SAFETY: the standard declares the function of this name with this type.
    unsafe { library.get::<T>(name) }.map(|symbol| *symbol).map_err(|_| name)
}

impl Functions {
    /// Looks the functions up; the error is the name of one that is missing.
    pub fn of(
        library: &Library,
        version: Version,
        interface: InterfaceType,
    ) -> Result<Self, &'static str> {
        match version {
            Version::Fmi2 => Ok(Self {
                own: Own::Fmi2(Fmi2 {
                    instantiate: find(library, "fmi2Instantiate")?,
                    set_up: find(library, "fmi2SetupExperiment")?,
                    enter_initialization: find(library, "fmi2EnterInitializationMode")?,
                    get: find(library, "fmi2GetReal")?,
                    set: find(library, "fmi2SetReal")?,
                }),
                run: match interface {
                    InterfaceType::ModelExchange => Run::Exchange(Exchange {
                        update_discrete_states: Discrete::Fmi2(find(
                            library,
                            "fmi2NewDiscreteStates",
                        )?),
                        enter_continuous_time: find(library, "fmi2EnterContinuousTimeMode")?,
                        set_time: find(library, "fmi2SetTime")?,
                        set_states: find(library, "fmi2SetContinuousStates")?,
                        get_states: find(library, "fmi2GetContinuousStates")?,
                        get_derivatives: find(library, "fmi2GetDerivatives")?,
                    }),
                    InterfaceType::CoSimulation => Run::Steps2(find(library, "fmi2DoStep")?),
                },
                exit_initialization: find(library, "fmi2ExitInitializationMode")?,
                reset: find(library, "fmi2Reset")?,
                free: find(library, "fmi2FreeInstance")?,
            }),
            Version::Fmi3 => Ok(Self {
                own: Own::Fmi3(Fmi3 {
                    instantiate: match interface {
                        InterfaceType::ModelExchange => {
                            Instantiate3::Exchange(find(library, "fmi3InstantiateModelExchange")?)
                        }
                        InterfaceType::CoSimulation => {
                            Instantiate3::Steps(find(library, "fmi3InstantiateCoSimulation")?)
                        }
                    },
                    enter_initialization: find(library, "fmi3EnterInitializationMode")?,
                    get: find(library, "fmi3GetFloat64")?,
                    set: find(library, "fmi3SetFloat64")?,
                }),
                run: match interface {
                    InterfaceType::ModelExchange => Run::Exchange(Exchange {
                        update_discrete_states: Discrete::Fmi3(find(
                            library,
                            "fmi3UpdateDiscreteStates",
                        )?),
                        enter_continuous_time: find(library, "fmi3EnterContinuousTimeMode")?,
                        set_time: find(library, "fmi3SetTime")?,
                        set_states: find(library, "fmi3SetContinuousStates")?,
                        get_states: find(library, "fmi3GetContinuousStates")?,
                        get_derivatives: find(library, "fmi3GetContinuousStateDerivatives")?,
                    }),
                    InterfaceType::CoSimulation => Run::Steps3(find(library, "fmi3DoStep")?),
                },
                exit_initialization: find(library, "fmi3ExitInitializationMode")?,
                reset: find(library, "fmi3Reset")?,
                free: find(library, "fmi3FreeInstance")?,
            }),
        }
    }
}
