//! The [`Plant`] trait: the equations of a controlled system.

use crate::description::{Description, Sizes};
use crate::integrator::Integrator;
use crate::picture::Picture;
use crate::real::Real;

/// A controlled system: a state, a step, and an error functional.
///
/// The equations are written once, generic over [`Real`]: `R` is one `f64` or a vector of them, one lane an episode.
/// Slices have the lengths that [`sizes`](Plant::sizes) states: `x: [n_states]`, `u: [n_controls]`, `p: [n_parameters]`,
/// `y: [n_observations]`. Mark every method `#[inline(always)]`, so that it is compiled for each instruction set (see
/// [`Kernel`](crate::Kernel)).
///
/// A plant has no hidden state: each method is a pure function of its arguments, callable from any thread. Nothing of the
/// past is kept but the state vector, which the host owns.
///
/// A plant gives [`derivative`](Plant::derivative), or [`step`](Plant::step), or both, and lists the
/// integrators that it can serve in its description. A plant whose equations branch wildly implements
/// [`ScalarPlant`](crate::ScalarPlant) instead.
pub trait Plant: Default + Send + Sync + 'static {
    /// Whether the equations are compiled for vectors; false for plants that go lane by lane.
    const VECTORIZED: bool = true;

    /// Whether the plant's bits hold on one machine alone: it calls functions of the system in place of [`Real`]'s, or has
    /// threads of its own. Programs then say so, and promise no bits elsewhere.
    const MACHINE_BITS: bool = false;

    /// The integrators that the plant is compiled for: those that its description lists, or more. By default all, which
    /// makes the compiler work for what is never called.
    const INTEGRATORS: &'static [Integrator] = &Integrator::ALL;

    /// The plant with these structural parameters, in the order of the description's. The host has checked their number
    /// and ranges against the description of the default plant.
    #[inline(always)]
    #[must_use]
    fn with_structure(structure: &[u64]) -> Self {
        let _ = structure;
        Self::default()
    }

    /// Names, units, bounds, parameters.
    fn description(&self) -> Description;

    /// The lengths of the vectors, equal to those of the description. Let it return constants where they are: the
    /// kernels' loops are unrolled by them.
    fn sizes(&self) -> Sizes;

    /// What the plant looks like, for reports; no equation depends on it. By default there is none, and reports show a bar
    /// for each state.
    fn picture(&self) -> Option<Picture> {
        None
    }

    /// Writes dx/dt = f(t, x, u, p) to `dx`: `[n_states]`, in units of the state per second.
    ///
    /// Left out by a plant that lists [`Integrator::PlantStep`] alone; the default writes NaN.
    #[inline(always)]
    fn derivative<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let _ = (t_s, x, u, p);
        dx.fill(R::splat(f64::NAN));
    }

    /// Advances `x` from `t_s` by the plant's own discrete step of `step_s` seconds.
    ///
    /// Left out by a plant that does not list [`Integrator::PlantStep`]; the default writes NaN.
    #[inline(always)]
    fn step<R: Real>(&self, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let _ = (t_s, step_s, u, p);
        x.fill(R::splat(f64::NAN));
    }

    /// The order of accuracy of [`step`](Plant::step), which a checker measures: the error of a stretch of time falls as
    /// `step_s` to this power. By default it is unknown.
    fn step_order(&self) -> Option<u32> {
        None
    }

    /// The state that is the time derivative of state `state_index`, if that is a position: what
    /// [`Integrator::SemiImplicitEuler`] needs.
    #[inline(always)]
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        let _ = state_index;
        None
    }

    /// Writes what a controller may see, y = h(t, x, p), to `y`: `[n_observations]`. By default the whole state.
    #[inline(always)]
    fn observe<R: Real>(&self, t_s: f64, x: &[R], p: &[R], y: &mut [R]) {
        let _ = (t_s, p);
        y.copy_from_slice(x);
    }

    /// The cost of being at `x` at time `t_s`, `u` having been applied over the step that led there; at least 0. It is
    /// sampled after each integration step, and an episode's error is the mean of these samples. A negative or NaN value is a
    /// fault of the plant, which ends the episode.
    fn stage_cost<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R]) -> R;

    /// The cost of ending at `x`, at the horizon or at a failure, at least 0; added to the mean of the stage costs. By
    /// default 0.
    #[inline(always)]
    fn terminal_cost<R: Real>(&self, x: &[R], p: &[R]) -> R {
        let _ = (x, p);
        R::splat(0.0)
    }

    /// Where `x` lies in the failure set, which ends the episode. By default nowhere.
    #[inline(always)]
    fn failed<R: Real>(&self, t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        let _ = (t_s, x, p);
        R::splat(0.0).lt(R::splat(0.0))
    }

    /// The stage cost charged from the failure to the end of the horizon, at least 0, where it exceeds the stage cost
    /// at the failure. By default 0, so that the latter is charged.
    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        let _ = p;
        R::splat(0.0)
    }
}
