//! RON text in which each value keeps its place.
//!
//! Owns reading a file within a size limit, parsing it into serde types, finding the place of a field by its path
//! (`training.bits`), replacing a value in the text, and errors that show file, line, column, the text and a hint. Knows no
//! schema: which files there are, and what their fields mean, is for the crates above. It prints nothing and reads no
//! environment.
//!
//! The text is parsed by `ron` into plain serde types, which lose their places; [`Source`] keeps the text, and finds the
//! place of a field again by its path when an error needs it. That keeps the types free of spans, and lets a caller place
//! errors which only it can see, such as an observation that the plant lacks.
//!
//! ```
//! use bitloop_text::{Source, decode};
//!
//! #[derive(Debug, serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Speed {
//!     limit: u32,
//! }
//!
//! let source = Source::new("speed.ron", "Speed(\n    limit: 50,\n)");
//! let speed: Speed = decode(&source, &[])?;
//! assert_eq!(speed.limit, 50);
//! let error = source.error_at("limit", "the limit is not kept", "drive slower");
//! assert_eq!(error.place.as_ref().map(|place| (place.line, place.column)), Some((2, 12)));
//!
//! let typo = decode::<Speed>(&Source::new("speed.ron", "Speed(limits: 50)"), &[]);
//! assert!(typo.unwrap_err().to_string().contains("did you mean `limit`?"));
//! # Ok::<(), bitloop_text::FileError>(())
//! ```
#![forbid(unsafe_code)]

mod decode;
mod edit;
mod entries;
mod error;
mod number;
mod problem;
mod read;
mod source;
mod suggestion;
mod tokens;
mod translate;
mod wrap;

pub use decode::{RawField, decode, ron_options};
pub use error::{ErrorKind, FileError, FileErrorDetails, Place, printable};
pub use number::number;
pub use problem::{Checked, Problem};
pub use read::open_regular;
pub use source::{Located, Source};
pub use suggestion::suggestion;
pub use wrap::wrap_long_lines;
