//! [`Progress`]: where the episode of a lane is, in a plant that owns its state.

use crate::function::Function;

/// Where an episode is.
#[derive(Default)]
pub(crate) struct Progress {
    has_begun: bool,
    tick: u64,
    /// What an episode has begun from that was not advanced yet.
    at_start: Option<Vec<u64>>,
}

impl Progress {
    /// Whether an episode with these numbers, as bits, has to begin for this call; all other calls continue one.
    pub fn begins(
        &self,
        function: Function,
        tick: u64,
        numbers: impl Iterator<Item = u64>,
    ) -> Result<bool, String> {
        if let Function::TerminalCost = function {
            return if self.has_begun {
                Ok(false)
            } else {
                Err("it owns its state, and no episode has begun whose end has a cost".to_owned())
            };
        }
        if tick == 0 {
            // An episode is observed before it is advanced, and begins once for both.
            let has_begun = matches!(function, Function::Advance)
                && self.at_start.as_ref().is_some_and(|start| numbers.eq(start.iter().copied()));
            return Ok(!has_begun);
        }
        if tick == self.tick {
            return Ok(false);
        }
        Err(format!(
            "it owns its state, and its episode is at step {}: it cannot go on from step {tick}",
            self.tick
        ))
    }

    /// An episode has begun, and shows these numbers.
    pub fn has_begun(&mut self, numbers: impl Iterator<Item = u64>) {
        *self = Self { has_begun: true, tick: 0, at_start: Some(numbers.collect()) };
    }

    /// The episode is at this step.
    pub fn is_at(&mut self, tick: u64) {
        *self = Self { has_begun: true, tick, at_start: None };
    }

    /// The step that the episode is at.
    pub const fn tick(&self) -> u64 {
        self.tick
    }
}
