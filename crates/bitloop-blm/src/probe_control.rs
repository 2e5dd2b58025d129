//! [`ProbeControl`]: what a probe heeds while it runs.

use crate::round::Round;

/// The control of one probe: the bound, which may fall while the probe runs; whether the probe is called off; whether other
/// threads would take a part of its work.
///
/// A probe has a position in the exploration order. It is called off once an earlier position has settled which move is
/// taken, and then its answer is not used; or by [`stopped_by`](Self::stopped_by), when time is over or the user interrupts.
/// All questions are cheap, a relaxed atomic load or two, so that a probe can ask them every few microseconds.
#[derive(Clone, Copy)]
pub struct ProbeControl<'a> {
    bound: f64,
    position: usize,
    round: &'a Round,
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl<'a> ProbeControl<'a> {
    /// The control of an evaluation on its own: `bound` stays, nothing calls it off, and no thread helps.
    #[inline]
    pub fn alone(bound: f64) -> ProbeControl<'static> {
        ProbeControl::at(0, bound)
    }

    /// Of the probe at a position, where probes run one after another.
    #[inline]
    pub(crate) fn at(position: usize, bound: f64) -> ProbeControl<'static> {
        static ALONE: Round = Round::of_one(0);
        ProbeControl { bound, position, round: &ALONE, stop: None }
    }

    pub(crate) fn of_round(position: usize, bound: f64, round: &'a Round) -> Self {
        Self { bound, position, round, stop: None }
    }

    /// The same for an evaluation on its own that other threads help with.
    #[must_use]
    pub fn helped(self) -> Self {
        static HELPED: Round = Round::of_one(1);
        Self { round: &HELPED, ..self }
    }

    /// Also called off once `stop` answers true. It must keep answering true from then on.
    #[must_use]
    pub fn stopped_by(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// The same control with another bound to begin with.
    #[must_use]
    pub fn with_bound(self, bound: f64) -> Self {
        Self { bound, ..self }
    }

    /// Whether the answer is no longer needed, or the evaluation is stopped. Once true, it stays true.
    #[inline]
    pub fn is_called_off(&self) -> bool {
        !self.is_needed() || self.stop.is_some_and(|stop| stop())
    }

    /// Whether the answer can still decide which move is taken.
    #[inline]
    pub(crate) fn is_needed(&self) -> bool {
        self.round.needs(self.position)
    }

    /// The bound as it is now. A cost that is not below it may be answered with `NotBelow`.
    ///
    /// Other probes lower it. Once an earlier position improves, this one matters only if its cost is the lowest, or ties
    /// with it, of all those that are probed in any case; what comes after those is called off. So the lowest cost is a
    /// bound whether its position is earlier or later. Up to and including the first position that improves, the bound
    /// is the current cost, with any number of threads.
    #[inline]
    pub fn bound(&self) -> f64 {
        self.round.lowered(self.position, self.bound)
    }

    /// Whether an idle thread would take a part of this probe's work: of the probes that run at once, the one with the
    /// earliest position is helped.
    #[inline]
    pub fn wants_help(&self) -> bool {
        self.round.offers_help(self.position)
    }
}
