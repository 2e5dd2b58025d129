//! A checkpoint as bytes.
//!
//! Four lines of text: what it is, the digest of all that follows, the head, the state. Head and state are RON. The
//! digest is verified before anything else is looked at, and version and scenario before the state is.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::folder::bounded::read_bounded;

/// First line.
const MAGIC: &str = "bitloop checkpoint 1";

/// The largest checkpoint that is read, in bytes.
const LIMIT_BYTES: u64 = 256 << 20;

/// What a search was begun with; the same for all checkpoints of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Version of bitloop.
    pub bitloop_version: String,
    /// Digest of all of the scenario that bears on the search.
    pub scenario_digest: String,
    /// Digest of the plant's library, if it comes from one: another build may have other equations.
    pub plant_digest: Option<String>,
    /// Name of the scenario's file, without folders.
    pub scenario_name: String,
    /// The command, as one would type it.
    pub command: String,
}

/// What stands before the state.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub origin: Origin,
    /// How many bytes of the log belong to the time before.
    pub log_bytes: u64,
}

/// A checkpoint whose digest is right.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub head: Head,
    state: String,
}

/// Why bytes are no checkpoint, in words.
pub(crate) type Fault = String;

/// The bytes of a checkpoint.
pub(crate) fn to_bytes<S: Serialize>(head: &Head, state: &S) -> Result<Vec<u8>, ron::Error> {
    let body = format!("{}\n{}\n", ron::to_string(head)?, ron::to_string(state)?);
    let digest = blake3::hash(body.as_bytes()).to_hex();
    Ok(format!("{MAGIC}\n{digest}\n{body}").into_bytes())
}

/// Reads a checkpoint, and verifies its digest.
pub(crate) fn read(path: &Path) -> io::Result<Result<Sealed, Fault>> {
    match read_bounded(path, LIMIT_BYTES) {
        Ok(bytes) => Ok(Sealed::open(bytes)),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

impl Sealed {
    /// Verifies the bytes of a checkpoint.
    pub fn open(bytes: Vec<u8>) -> Result<Self, Fault> {
        let is_no_checkpoint = || "this is no checkpoint, or its beginning is damaged".to_owned();
        let text = String::from_utf8(bytes).map_err(|_| "it is damaged: not text".to_owned())?;
        let rest = text.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix('\n'));
        let (digest, body) =
            rest.and_then(|rest| rest.split_once('\n')).ok_or_else(is_no_checkpoint)?;
        if *digest != *blake3::hash(body.as_bytes()).to_hex() {
            return Err("it is damaged: its digest does not match its contents".to_owned());
        }
        let (head, state) = body.split_once('\n').ok_or_else(is_no_checkpoint)?;
        let head = ron::from_str(head).map_err(|error| format!("its head: {error}"))?;
        Ok(Self { head, state: state.to_owned() })
    }

    /// The state.
    pub fn state<S: DeserializeOwned>(&self) -> Result<S, Fault> {
        ron::from_str(&self.state).map_err(|error| format!("its state: {error}"))
    }
}
