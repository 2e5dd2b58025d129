//! The numbers of the plant boundary that Rust and C share: limits, statuses, integrators.

/// The most states, controls, observations or parameters that a plant of the SDK may have, each.
pub const MAX_VARIABLES: usize = 256;

/// Status: the call went well.
pub const STATUS_OK: i32 = 0;
/// Status: the arguments do not fit the plant: an unknown integrator, a wrong size.
pub const STATUS_BAD_CALL: i32 = 1;
/// Status: the plant broke, a Rust one by a panic; the reason is in `BitloopBatch.message`.
pub const STATUS_PANIC: i32 = 2;

/// Integrator: `x += h f(t, x, u)`.
pub const INTEGRATOR_EULER: u32 = 0;
/// Integrator: rates first, then positions with the new rates.
pub const INTEGRATOR_SEMI_IMPLICIT_EULER: u32 = 1;
/// Integrator: the classical method of fourth order.
pub const INTEGRATOR_RUNGE_KUTTA_4: u32 = 2;
/// Integrator: the plant's own discrete step.
pub const INTEGRATOR_PLANT_STEP: u32 = 3;
