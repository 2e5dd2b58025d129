//! Saved files with digests that do not fit, as almost all are that a fuzzer makes.

use ron::Options;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

/// What a text says, its digests, its format and the rules unchecked: for texts that were refused for one of these.
pub fn whatever_its_digests<T: DeserializeOwned>(text: &str) -> Option<T> {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
        .from_str(text)
        .ok()
}
