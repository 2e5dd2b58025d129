//! The numbers of the command line: what they must be, said where they are not.

use std::any::TypeId;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Command;

/// The most threads that can be asked for.
const MAX_THREADS: u64 = 256;

/// The longest time that can be asked for, three thousand years.
const MAX_SECONDS: f64 = 1e11;

/// Reads a whole number of a range, which may be written with an exponent: `200000`, `2e5`.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let value = text.parse().ok().or_else(|| whole_with_exponent(text));
        let value = value.filter(|value| range.contains(value)).and_then(|n| T::try_from(n).ok());
        value.ok_or_else(|| match (*range.start(), *range.end()) {
            (low, u64::MAX) => {
                format!("it must be a whole number of at least {low} and below 2^64")
            }
            (low, high) => format!("it must be a whole number from {low} to {high}"),
        })
    }
}

/// The whole number that is written with an exponent, if it is one.
fn whole_with_exponent(text: &str) -> Option<u64> {
    const END: f64 = 18_446_744_073_709_551_616.0;
    let is_one = |value: &f64| value.fract() == 0.0 && (0.0..END).contains(value);
    let value = text.contains(['e', 'E']).then(|| text.parse::<f64>().ok())??;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below END")]
    Some(value).filter(is_one).map(|value| value as u64)
}

pub fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let n_threads = whole::<usize>(1..=MAX_THREADS)(text)?;
    NonZeroUsize::try_from(n_threads).map_err(|error| error.to_string())
}

/// Reads a moment, in seconds from the start.
pub fn parse_moment(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds >= 0.0 && seconds.is_finite())
        .ok_or_else(|| "it must be a number of seconds of at least 0".to_owned())
}

pub fn parse_level(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|level| *level > 0.0 && level.is_finite())
        .ok_or_else(|| "it must be a positive number".to_owned())
}

pub fn parse_budget(text: &str) -> Result<f64, String> {
    parse_seconds(text)
        .ok()
        .filter(|seconds| *seconds <= MAX_SECONDS)
        .ok_or_else(|| format!("it must be a positive number of seconds, at most {MAX_SECONDS:e}"))
}

pub fn parse_seconds(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0 && seconds.is_finite())
        .ok_or_else(|| "it must be a positive number of seconds".to_owned())
}

/// Lets the options of a command and of all below it have negative numbers as their values, so that one that must not be
/// negative is refused with what it must be, and not taken for an unknown option.
pub fn with_negative_values(command: Command) -> Command {
    command
        .mut_args(|arg| {
            let is_option = !arg.is_positional() && arg.get_action().takes_values();
            let kind = arg.get_value_parser().type_id();
            let is_text = kind == TypeId::of::<PathBuf>() || kind == TypeId::of::<String>();
            if is_option && !is_text { arg.allow_negative_numbers(true) } else { arg }
        })
        .mut_subcommands(with_negative_values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_exponents_and_say_their_range() {
        let count = whole::<u64>(1..=u64::MAX);
        assert_eq!(count("200000"), Ok(200_000));
        assert_eq!(count("2e5"), Ok(200_000));
        assert_eq!(count("1.5E3"), Ok(1500));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(count("1e17"), Ok(100_000_000_000_000_000));
        for text in ["0", "-1", "0e0", "1.5", "1e-1", "-1e6", "2e19", "1e999", "NaN", "e", ""] {
            let expected = "it must be a whole number of at least 1 and below 2^64".to_owned();
            assert_eq!(count(text), Err(expected), "{text}");
        }
        let runs = whole::<u32>(1..=10_000);
        assert_eq!(runs("1e4"), Ok(10_000));
        let expected = "it must be a whole number from 1 to 10000".to_owned();
        assert_eq!(runs("10001"), Err(expected));
    }
}
