//! A checkpoint as bytes.
//!
//! Four lines of text: what it is, the digest of all that follows, the head, the state. Head and state are RON. Format and
//! digest are verified before anything else is looked at, and version and scenario before the state is.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::beginning::Beginning;
use crate::bounded::read_bounded;

/// The format that is written and read.
pub(crate) const FORMAT: u64 = 2;

/// What the first line begins with; the format's number follows.
const MAGIC: &str = "bitloop checkpoint ";

/// The largest checkpoint that is read, in bytes.
const LIMIT_BYTES: u64 = 256 << 20;

/// Where a training comes from; the same for all checkpoints of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Version of bitloop.
    pub bitloop_version: String,
    /// Digest of all of the scenario that bears on the search.
    pub scenario_digest: String,
    /// Digest of the plant's library, if it comes from one: another build may have other equations.
    pub plant_digest: Option<String>,
    /// Digests of other data that it learns from, by the name of each part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, String>,
    /// Name of the scenario's file, without folders.
    pub scenario_name: String,
    /// The command, as one would type it.
    pub command: String,
}

/// What stands before the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub provenance: Provenance,
    /// How many bytes of the log belong to the time before.
    pub log_bytes: u64,
    /// Of the first checkpoint: what else belongs to the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<Beginning>,
}

/// A checkpoint whose digest is right.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub head: Head,
    state: String,
}

/// Why bytes are no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Fault {
    /// Of another format.
    #[error("it is of format {0}, and this is bitloop with format {FORMAT}")]
    OtherFormat(u64),
    /// In words.
    #[error("{0}")]
    Damaged(String),
}

/// The bytes of a checkpoint.
pub(crate) fn to_bytes<S: Serialize>(head: &Head, state: &S) -> Result<Vec<u8>, ron::Error> {
    let body = format!("{}\n{}\n", ron::to_string(head)?, ron::to_string(state)?);
    let digest = blake3::hash(body.as_bytes()).to_hex();
    Ok(format!("{MAGIC}{FORMAT}\n{digest}\n{body}").into_bytes())
}

/// Reads a checkpoint, and verifies its digest.
pub(crate) fn read(path: &Path) -> io::Result<Result<Sealed, Fault>> {
    match read_bounded(path, LIMIT_BYTES) {
        Ok(bytes) => Ok(Sealed::open(bytes)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Ok(Err(Fault::Damaged(error.to_string())))
        }
        Err(error) => Err(error),
    }
}

impl Sealed {
    /// Verifies the bytes of a checkpoint.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Fault> {
        let damaged = |message: &str| Fault::Damaged(message.to_owned());
        let no_checkpoint = || damaged("this is no checkpoint, or its beginning is damaged");
        let text = String::from_utf8(bytes).map_err(|_| damaged("it is damaged: not text"))?;
        let (format, rest) = text
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.split_once('\n'))
            .ok_or_else(no_checkpoint)?;
        let format: u64 = format.parse().map_err(|_| no_checkpoint())?;
        if format != FORMAT {
            return Err(Fault::OtherFormat(format));
        }
        let (digest, body) = rest.split_once('\n').ok_or_else(no_checkpoint)?;
        if *digest != *blake3::hash(body.as_bytes()).to_hex() {
            return Err(damaged("it is damaged: its digest does not match its contents"));
        }
        let (head, state) = body.split_once('\n').ok_or_else(no_checkpoint)?;
        let head =
            ron::from_str(head).map_err(|error| Fault::Damaged(format!("its head: {error}")))?;
        Ok(Self { head, state: state.to_owned() })
    }

    /// The state.
    pub fn state<S: DeserializeOwned>(&self) -> Result<S, Fault> {
        ron::from_str(&self.state).map_err(|error| Fault::Damaged(format!("its state: {error}")))
    }
}
