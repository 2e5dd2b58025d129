//! [`Batch`]: the results of a few items, as a record.
//!
//! There may be millions of items of a few numbers each, so that a batch is bytes, and not text. Its digest finds every change.

use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::records::{Origin, Record, verified, with_digest};

/// The results of a few items with their numbers, in order.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Batch<T> {
    bitloop_version: String,
    work_digest: String,
    plant_digest: Option<String>,
    pub items: Vec<(u32, T)>,
}

impl<T> Batch<T> {
    /// Of these items, of which there is at least one.
    pub fn new(origin: Origin, items: Vec<(u32, T)>) -> Self {
        let Origin { bitloop_version, work_digest, plant_digest } = origin;
        Self { bitloop_version, work_digest, plant_digest, items }
    }
}

/// The digest of a result.
pub(super) fn bits(result: &impl Serialize) -> blake3::Hash {
    // What was read or is to be written can be written.
    blake3::hash(&postcard::to_allocvec(result).unwrap_or_default())
}

impl<T: Serialize + DeserializeOwned> Record for Batch<T> {
    const WHAT: &'static str = "A batch of results of bitloop";
    const NOUN: &'static str = "batch";
    const ENDING: &'static str = ".bin";
    const OTHER: &'static str = "a batch of another command, controller, test or seed";
    const FORMAT: u32 = 1;
    const LIMIT_BYTES: u64 = 1 << 28;

    fn number(&self) -> u32 {
        self.items.first().map_or(u32::MAX, |(item, _)| *item)
    }

    fn origin(&self) -> Origin {
        Origin {
            bitloop_version: self.bitloop_version.clone(),
            work_digest: self.work_digest.clone(),
            plant_digest: self.plant_digest.clone(),
        }
    }

    fn to_body(&self) -> io::Result<Vec<u8>> {
        let bytes = postcard::to_allocvec(self).map_err(io::Error::other)?;
        Ok(with_digest(&bytes))
    }

    fn from_body(body: &[u8]) -> Option<Self> {
        postcard::from_bytes(verified(body)?).ok()
    }
}
