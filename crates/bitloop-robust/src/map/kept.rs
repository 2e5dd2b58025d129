//! What is kept of a map that was interrupted.

use serde::{Deserialize, Serialize};

use super::Map;
use crate::error::RobustError;
use crate::tested::Tested;

/// A map, and what it is of.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// See [`identity`].
    identity: String,
    map: Map,
}

/// All that a cell depends on beside the axes, the plant's own code aside.
fn identity(tested: &Tested, controller: &str) -> String {
    let replay = tested.replay();
    let (test, seed) = (replay.test(), replay.seed());
    let (scenario, library) = (&replay.scenario().value, replay.library_digest());
    format!("{controller} {library:?} {test:?} {seed} {scenario:?}")
}

impl Map {
    /// The map as bytes, to be continued by [`resume`](Self::resume). `controller` says which
    /// controller it is of, and which version of the program made it.
    ///
    /// # Panics
    /// Never: all that a map holds can be written.
    #[must_use]
    pub fn to_bytes(&self, tested: &Tested, controller: &str) -> Vec<u8> {
        let kept = Kept { identity: identity(tested, controller), map: self.clone() };
        postcard::to_allocvec(&kept).expect("numbers and texts")
    }

    /// This map with the cells of one that was interrupted.
    ///
    /// # Errors
    /// [`RobustError::Kept`] if the bytes are none of these, or those of another map.
    pub fn resume(
        self,
        bytes: &[u8],
        tested: &Tested,
        controller: &str,
    ) -> Result<Self, RobustError> {
        let kept: Kept = postcard::from_bytes(bytes)
            .map_err(|_| RobustError::Kept("it is damaged, or no map that was interrupted"))?;
        let is_same = kept.identity == identity(tested, controller)
            && (&kept.map.x, &kept.map.y) == (&self.x, &self.y)
            && kept.map.cells.len() <= self.n_cells();
        if is_same {
            Ok(kept.map)
        } else {
            Err(RobustError::Kept("it is that of another map: other options, controller or test"))
        }
    }
}
