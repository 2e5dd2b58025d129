//! Records: results that are kept as files, one for each piece of work that is finished.
//!
//! What is done apart, trainings of a campaign, runs of a training, episodes of a test, is kept and found again in one way. A
//! record says where it comes from, so that none of other work is taken for one of this; the same record in several folders
//! must be the same each time; one that was cut short counts as missing.

mod file;
mod gather;

#[cfg(test)]
pub(crate) use file::header;
pub(crate) use file::{Found, find, make_folder, verified, with_digest, write};
pub use gather::RecordError;
pub(crate) use gather::{Gathered, InFolder, read_folder};

use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a record must say to be one of this work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Origin {
    /// Version of bitloop that made it.
    pub bitloop_version: String,
    /// Digest of all that bears on the result, the plant's library aside.
    pub work_digest: String,
    /// Digest of the plant's library, if it came from one.
    pub plant_digest: Option<String>,
}

/// A result that is kept as a file.
pub(crate) trait Record: Sized + Serialize + DeserializeOwned {
    /// What its file begins with, without the format's number: `A training of a bitloop campaign`.
    const WHAT: &'static str;
    /// What it is of, in one word, which its file's name begins with.
    const NOUN: &'static str;
    /// What the file's name ends with.
    const ENDING: &'static str;
    /// What a record of this kind that belongs to other work is: `a training of another scenario`.
    const OTHER: &'static str;
    /// The format that is written and read.
    const FORMAT: u32;
    /// The largest file that is read, in bytes.
    const LIMIT_BYTES: u64;

    /// Which of all it is.
    fn number(&self) -> u32;

    /// Where it comes from.
    fn origin(&self) -> Origin;

    /// All of it as the bytes behind the first line of its file: text of several lines, unless a kind has another form.
    fn to_body(&self) -> io::Result<Vec<u8>> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::new());
        text.map(|text| format!("{text}\n").into_bytes()).map_err(io::Error::other)
    }

    /// The record of such bytes; none if they are damaged.
    fn from_body(body: &[u8]) -> Option<Self> {
        ron::de::from_bytes(body).ok()
    }

    /// The name of its file.
    fn name(number: u32) -> String {
        format!("{}-{number:04}{}", Self::NOUN, Self::ENDING)
    }

    /// Why it is not the record of this number and origin, if it is not.
    fn difference(&self, number: u32, expected: &Origin) -> Option<String> {
        let (found, noun) = (self.origin(), Self::NOUN);
        if found.bitloop_version != expected.bitloop_version {
            Some(format!("this {noun} was made by bitloop {}", found.bitloop_version))
        } else if self.number() != number || found.work_digest != expected.work_digest {
            Some(format!("this is {}", Self::OTHER))
        } else if found.plant_digest != expected.plant_digest {
            Some(format!("this {noun} was made with another build of the plant"))
        } else {
            None
        }
    }
}
