//! [`ScalarPlant`]: equations in plain `f64`, for plants whose branches no lane can share.

use crate::codes::MAX_VARIABLES;
use crate::description::{Description, Sizes};
use crate::integrator::Integrator;
use crate::picture::Picture;
use crate::plant::Plant;
use crate::real::Real;

/// A [`Plant`] written in plain `f64`, with `if`, loops that end when they converge, and tables.
///
/// [`Scalar`] makes it a [`Plant`] whose lanes are run one after the other. The elementary functions must still be those of
/// [`Real`] (`Real::sin_cos(x)` and so on): those of the standard library change bits with the machine.
///
/// Methods and contracts are those of [`Plant`]. `#[inline(always)]` on them pays where they fuse products and sums
/// ([`Real::mul_add`]): compiled for no instruction set in particular, each such step is a call of a function.
#[allow(missing_docs, reason = "each method is documented in `Plant`")]
pub trait ScalarPlant: Default + Send + Sync + 'static {
    const MACHINE_BITS: bool = false;
    const INTEGRATORS: &'static [Integrator] = &Integrator::ALL;
    #[must_use]
    fn with_structure(structure: &[u64]) -> Self {
        let _ = structure;
        Self::default()
    }
    fn description(&self) -> Description;
    fn sizes(&self) -> Sizes;
    fn picture(&self) -> Option<Picture> {
        None
    }
    fn derivative(&self, t_s: f64, x: &[f64], u: &[f64], p: &[f64], dx: &mut [f64]) {
        let _ = (t_s, x, u, p);
        dx.fill(f64::NAN);
    }
    fn step(&self, t_s: f64, step_s: f64, x: &mut [f64], u: &[f64], p: &[f64]) {
        let _ = (t_s, step_s, u, p);
        x.fill(f64::NAN);
    }
    fn step_order(&self) -> Option<u32> {
        None
    }
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        let _ = state_index;
        None
    }
    fn observe(&self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) {
        let _ = (t_s, p);
        y.copy_from_slice(x);
    }
    fn stage_cost(&self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> f64;
    fn terminal_cost(&self, x: &[f64], p: &[f64]) -> f64 {
        let _ = (x, p);
        0.0
    }
    fn failed(&self, t_s: f64, x: &[f64], p: &[f64]) -> bool {
        let _ = (t_s, x, p);
        false
    }
    fn failure_cost(&self, p: &[f64]) -> f64 {
        let _ = p;
        0.0
    }
}

/// A [`ScalarPlant`] as a [`Plant`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Scalar<P>(P);

impl<P: ScalarPlant> Scalar<P> {
    /// Equations that are made when the program runs.
    pub(crate) const fn of(plant: P) -> Self {
        Self(plant)
    }
}

/// The most lanes of any vector: a pair of AVX-512 registers.
const MAX_LANES: usize = 16;

/// Room for the vectors of one lane, of which the first few numbers are used.
type Lane = [f64; MAX_VARIABLES];

/// Lane `index` of each of `values`, written to `lane`.
#[inline(always)]
fn gather<'a, R: Real>(values: &[R], index: usize, lane: &'a mut Lane) -> &'a mut [f64] {
    let lane = &mut lane[..values.len()];
    for (number, value) in lane.iter_mut().zip(values) {
        let mut lanes = [0.0; MAX_LANES];
        value.store(&mut lanes);
        *number = lanes[index];
    }
    lane
}

/// Writes `numbers` to lane `index` of each of `values`.
#[inline(always)]
fn scatter<R: Real>(values: &mut [R], index: usize, numbers: &[f64]) {
    for (value, &number) in values.iter_mut().zip(numbers) {
        let mut lanes = [0.0; MAX_LANES];
        value.store(&mut lanes);
        lanes[index] = number;
        *value = R::load(&lanes);
    }
}

/// `function` of `x`, `u` and `p`, lane by lane.
#[inline(always)]
fn map<R: Real>(x: &[R], u: &[R], p: &[R], function: impl Fn(&[f64], &[f64], &[f64]) -> f64) -> R {
    if let (Some(x), Some(u), Some(p)) = (R::as_numbers(x), R::as_numbers(u), R::as_numbers(p)) {
        return R::splat(function(x, u, p));
    }
    let mut lanes = [0.0; MAX_LANES];
    let mut room = [[0.0; MAX_VARIABLES]; 3];
    for (index, lane) in lanes[..R::LANES].iter_mut().enumerate() {
        let [room_x, room_u, room_p] = &mut room;
        *lane =
            function(gather(x, index, room_x), gather(u, index, room_u), gather(p, index, room_p));
    }
    R::load(&lanes)
}

/// `function` of `x`, `u` and `p`, which changes `changed`, lane by lane.
#[inline(always)]
fn change<R: Real>(
    changed: &mut [R],
    x: &[R],
    u: &[R],
    p: &[R],
    function: impl Fn(&mut [f64], &[f64], &[f64], &[f64]),
) {
    if let (Some(x), Some(u), Some(p)) = (R::as_numbers(x), R::as_numbers(u), R::as_numbers(p))
        && let Some(changed) = R::as_mut_numbers(changed)
    {
        return function(changed, x, u, p);
    }
    let mut room = [[0.0; MAX_VARIABLES]; 4];
    for index in 0..R::LANES {
        let [room, room_x, room_u, room_p] = &mut room;
        let numbers = gather(changed, index, room);
        function(
            numbers,
            gather(x, index, room_x),
            gather(u, index, room_u),
            gather(p, index, room_p),
        );
        scatter(changed, index, numbers);
    }
}

/// Kernels run plants that are not vectorized on `f64`, where every method is a plain call; vectors are split into
/// their lanes.
impl<P: ScalarPlant> Plant for Scalar<P> {
    const VECTORIZED: bool = false;
    const MACHINE_BITS: bool = P::MACHINE_BITS;
    const INTEGRATORS: &'static [Integrator] = P::INTEGRATORS;

    fn with_structure(structure: &[u64]) -> Self {
        Self(P::with_structure(structure))
    }

    fn description(&self) -> Description {
        self.0.description()
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }

    fn picture(&self) -> Option<Picture> {
        self.0.picture()
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        change(dx, x, u, p, |dx, x, u, p| self.0.derivative(t_s, x, u, p, dx));
    }

    #[inline(always)]
    fn step<R: Real>(&self, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        change(x, &[], u, p, |x, _, u, p| self.0.step(t_s, step_s, x, u, p));
    }

    fn step_order(&self) -> Option<u32> {
        self.0.step_order()
    }

    #[inline(always)]
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        self.0.rate_of(state_index)
    }

    #[inline(always)]
    fn observe<R: Real>(&self, t_s: f64, x: &[R], p: &[R], y: &mut [R]) {
        change(y, x, &[], p, |y, x, _, p| self.0.observe(t_s, x, p, y));
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        map(x, u, p, |x, u, p| self.0.stage_cost(t_s, x, u, p))
    }

    #[inline(always)]
    fn terminal_cost<R: Real>(&self, x: &[R], p: &[R]) -> R {
        map(x, &[], p, |x, _, p| self.0.terminal_cost(x, p))
    }

    #[inline(always)]
    fn failed<R: Real>(&self, t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        let failed: R = map(x, &[], p, |x, _, p| f64::from(u8::from(self.0.failed(t_s, x, p))));
        failed.gt(R::splat(0.0))
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        map(&[], &[], p, |_, _, p| self.0.failure_cost(p))
    }
}
