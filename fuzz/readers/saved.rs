//! Saved files with a digest that does not fit, as almost all are that a fuzzer makes.

use ron::Options;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

/// What a text says, its digest and the rules unchecked: for texts that were refused for their digest alone.
pub fn whatever_its_digest<T: DeserializeOwned>(text: &str) -> T {
    Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
        .from_str(text)
        .expect("all but the digest was right")
}
