//! [`Tested`]: a saved controller in a test, of which episodes are run as they are asked for.

use std::num::NonZeroUsize;

use bitloop_blm::ProbeControl;
use bitloop_plant::{Description, Isa};
use bitloop_random::{Purpose, Stream};
use bitloop_replay::Replay;
use bitloop_sim::{
    ClosedLoop, Controller, Distribution, EpisodeSet, Evaluation, FixedEpisode, Interface,
    LinearFeedback,
};

use crate::error::RobustError;

/// How episodes are run. Nothing of it changes a result.
#[derive(Clone, Copy)]
pub struct Running<'a> {
    /// Instruction set.
    pub isa: Isa,
    /// Number of threads.
    pub n_threads: NonZeroUsize,
    /// Calls everything off once it answers true.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for Running<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("n_threads", &self.n_threads).finish_non_exhaustive()
    }
}

/// Linear feedback, and the channels that it is connected by.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearLoop {
    /// The feedback, in the scales of its channels.
    pub feedback: LinearFeedback,
    /// The channels.
    pub interface: Interface,
}

/// A saved controller in a test, or linear feedback in its place.
#[derive(Debug)]
pub struct Tested {
    replay: Replay,
    /// What is in the place of the saved controller, with its loop.
    linear: Option<(ClosedLoop, LinearFeedback)>,
}

impl Tested {
    /// A controller in a test that was made ready.
    #[must_use]
    pub const fn of(replay: Replay) -> Self {
        Self { replay, linear: None }
    }

    /// The same test of linear feedback.
    ///
    /// # Errors
    /// If the plant has no such loop.
    pub fn with_linear(self, linear: &LinearLoop) -> Result<Self, RobustError> {
        let LinearLoop { feedback, interface } = linear.clone();
        let closed_loop = self.replay.closed_loop().with_interface(interface)?;
        closed_loop.check_controller(&feedback)?;
        Ok(Self { linear: Some((closed_loop, feedback)), ..self })
    }

    /// The plant.
    #[must_use]
    pub fn plant(&self) -> &Description {
        self.replay.plant()
    }

    /// The closed loop.
    #[must_use]
    pub fn closed_loop(&self) -> &ClosedLoop {
        self.linear.as_ref().map_or(self.replay.closed_loop(), |(closed_loop, _)| closed_loop)
    }

    /// The test with what was changed of it.
    #[must_use]
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The distribution of a state at the start, or else of a parameter, by its name.
    pub(crate) fn distribution(&self, name: &str) -> Option<&Distribution> {
        let plant = self.plant();
        let state = plant.states.iter().position(|state| state.name == name);
        let parameter = || plant.parameters.iter().position(|parameter| parameter.name == name);
        match state {
            Some(index) => self.replay.initial().get(index),
            None => self.replay.parameters().get(parameter()?),
        }
    }

    /// An episode with all that is drawn at the middle of its distribution, and noise of its own for each index.
    pub(crate) fn typical(&self, index: u64) -> FixedEpisode {
        let middles = |values: &[Distribution]| values.iter().map(Distribution::middle).collect();
        let uncertainty = self.closed_loop().uncertainty();
        let mut stream = Stream::new(self.replay.seed(), Purpose::ReplayEpisodes, 0, index);
        FixedEpisode {
            initial: middles(self.replay.initial()),
            parameters: middles(self.replay.parameters()),
            uncertain: uncertainty.distributions().map(Distribution::middle).collect(),
            noise_key: [stream.next_u64(), stream.next_u64()],
        }
    }

    /// A set of the given episodes, as long as those of the test.
    pub(crate) fn set(&self, episodes: &[FixedEpisode]) -> Result<EpisodeSet, RobustError> {
        let test = self.replay.test();
        Ok(EpisodeSet::of(self.closed_loop(), episodes, test.horizon_s, test.transient_s)?)
    }

    /// Runs all episodes of a set, with their behavior if it `is_observed`; none if they are called off.
    pub(crate) fn run(
        &self,
        set: &EpisodeSet,
        running: Running<'_>,
        is_observed: bool,
    ) -> Result<Option<Evaluation>, RobustError> {
        let Running { isa, n_threads, stop } = running;
        let (closed_loop, saved) = (self.closed_loop(), self.replay.controller());
        let controller: &dyn Controller =
            self.linear.as_ref().map_or(&saved, |(_, feedback)| feedback);
        let control = ProbeControl::alone(f64::INFINITY).stopped_by(stop);
        let n_threads = n_threads.get();
        Ok(if is_observed {
            closed_loop.observe_until(isa, controller, set, n_threads, control)?
        } else {
            closed_loop.evaluate_until(isa, controller, set, n_threads, control)?
        })
    }
}
