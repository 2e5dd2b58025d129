//! Numbers as decimal text: the shortest that reads back as the same bits, as `{:?}` prints it, but faster; and times.
//!
//! Long trajectories are mostly numbers, so that this crate is compiled at full optimization, which its callers need not be.

#![forbid(unsafe_code)]

use std::io::Write;

/// Appends the shortest text that reads back as the same bits, in the form of `{:?}`.
#[inline]
pub fn push_number(text: &mut Vec<u8>, value: f64) {
    match value.abs() {
        // Here `zmij` alone writes no exponent.
        1e-5..1e-4 => push_with_exponent(text, value),
        // Sizes at which the two differ in the sign of an exponent, or in which of two nearest digits is last; and what is no
        // number.
        1e14.. => push_slowly(text, value),
        size if size.is_nan() => push_slowly(text, value),
        _ => text.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes()),
    }
}

/// A number from 1e-5 to 1e-4.
fn push_with_exponent(text: &mut Vec<u8>, value: f64) {
    let mut buffer = zmij::Buffer::new();
    let without = buffer.format_finite(value.abs());
    let Some((first, rest)) =
        without.strip_prefix("0.0000").and_then(|all| all.split_at_checked(1))
    else {
        return push_slowly(text, value);
    };
    if value < 0.0 {
        text.push(b'-');
    }
    text.extend_from_slice(first.as_bytes());
    if !rest.is_empty() {
        text.push(b'.');
        text.extend_from_slice(rest.as_bytes());
    }
    text.extend_from_slice(b"e-5");
}

#[cold]
fn push_slowly(text: &mut Vec<u8>, value: f64) {
    // Writing to a vector cannot fail.
    let _ = write!(text, "{value:?}");
}

/// Appends a comma and a number; see [`push_number`].
#[inline]
pub fn push_cell(text: &mut Vec<u8>, value: f64) {
    text.push(b',');
    push_number(text, value);
}

/// Appends a count. Each row begins with one, which the formatting of `std` takes as long for as for two numbers.
pub fn push_count(text: &mut Vec<u8>, count: usize) {
    push_digits(text, count as u64, 1);
}

/// Appends a whole number, with zeros before it where it has fewer than `n_least` digits, of which there are 1 to 20.
fn push_digits(text: &mut Vec<u8>, number: u64, n_least: usize) {
    let mut digits = [b'0'; 20];
    let (mut first, mut rest) = (digits.len(), number);
    while rest > 0 {
        first -= 1;
        digits[first] = b"0123456789"[(rest % 10) as usize];
        rest /= 10;
    }
    text.extend_from_slice(&digits[first.min(digits.len() - n_least)..]);
}

const POWERS_OF_TEN: [u64; 10] =
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// From here on numbers have an exponent.
const MOST_WITHOUT_EXPONENT: u64 = 10_000_000_000_000_000;

/// Ticks as times: exact multiples of the step as it was written, so that no two ticks have the same text, and none has the
/// tail of a rounded product.
#[derive(Clone, Copy, Debug)]
pub struct TickTime {
    /// The step is `digits * 10^exponent` seconds.
    digits: u128,
    exponent: i32,
}

impl TickTime {
    /// Times in steps of a positive number of seconds.
    pub fn new(step_s: f64) -> Self {
        let text = format!("{step_s:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}").parse().unwrap_or_default();
        let places = i32::try_from(fraction.len()).unwrap_or_default();
        Self { digits, exponent: exponent.parse().unwrap_or(0) - places }
    }

    /// The time of a tick in seconds: the number nearest to the exact one, which is printed without the tail of a product.
    #[must_use]
    pub fn seconds(self, tick: u64) -> f64 {
        let mut text = Vec::new();
        self.push(&mut text, tick);
        str::from_utf8(&text).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
    }

    /// Appends the time of a tick in seconds, in the form of `{:?}` for numbers of its size.
    pub fn push(self, text: &mut Vec<u8>, tick: u64) {
        if !self.push_with_few_places(text, tick) {
            self.push_any(text, tick);
        }
    }

    /// Appends a time that has 1 to 9 places behind the point and is neither so small nor so large that it has an exponent; false
    /// if it is another one. These are nearly all, and a lone episode has one for each row.
    fn push_with_few_places(self, text: &mut Vec<u8>, tick: u64) -> bool {
        let Some(n_places @ 1..=9) = usize::try_from(-i64::from(self.exponent)).ok() else {
            return false;
        };
        let product = u64::try_from(self.digits).ok().and_then(|digits| digits.checked_mul(tick));
        // The least that has no exponent is 1e-4.
        let (unit, least) = (POWERS_OF_TEN[n_places], POWERS_OF_TEN[n_places.saturating_sub(4)]);
        let Some(product) = product.filter(|&product| product >= least) else { return false };
        let (whole, mut rest) = (product / unit, product % unit);
        if whole >= MOST_WITHOUT_EXPONENT {
            return false;
        }
        push_digits(text, whole, 1);
        text.push(b'.');
        let mut n_shown = n_places;
        while n_shown > 1 && rest.is_multiple_of(10) {
            rest /= 10;
            n_shown -= 1;
        }
        push_digits(text, rest, n_shown);
        true
    }

    fn push_any(self, text: &mut Vec<u8>, tick: u64) {
        let (mut product, mut exponent) = (self.digits * u128::from(tick), self.exponent);
        if product == 0 {
            text.extend_from_slice(b"0.0");
            return;
        }
        while product.is_multiple_of(10) {
            product /= 10;
            exponent += 1;
        }
        let digits = product.to_string();
        let n_digits = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        // Of the first digit.
        let magnitude = n_digits - 1 + exponent;
        // Writing to a vector cannot fail.
        let _ = match usize::try_from(magnitude) {
            Ok(0..16) if exponent >= 0 => {
                let n_zeros = usize::try_from(exponent).unwrap_or_default();
                write!(text, "{digits}{:0<n_zeros$}.0", "")
            }
            Ok(whole @ 0..16) => {
                write!(text, "{}.{}", &digits[..=whole], &digits[whole + 1..])
            }
            Err(_) if magnitude >= -4 => {
                let n_zeros = usize::try_from(-1 - magnitude).unwrap_or_default();
                write!(text, "0.{:0<n_zeros$}{digits}", "")
            }
            _ => {
                let (first, rest) = digits.split_at(1);
                let point = if rest.is_empty() { "" } else { "." };
                write!(text, "{first}{point}{rest}e{magnitude}")
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(push: impl Fn(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        push(&mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_printed_as_debug_prints_them() {
        let mut values = vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324];
        values.extend([f64::MAX, f64::MIN_POSITIVE, 1e15, 1e16, 123_456_789_012_345_680.0]);
        for exponent in -330..310 {
            let power: f64 = format!("1e{exponent}").parse().unwrap();
            values.extend([power, -power, power.next_up(), power.next_down(), power * 1.25]);
        }
        // Bits without a pattern.
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            values.push(f64::from_bits(bits));
            values.push((bits >> 11) as f64 * 1e-9);
            values.push((bits >> 40) as f64 * 1e-9 - 1e-3);
            // To 9e-5, where the forms differ.
            values.push(1e-6 + (bits >> 11) as f64 * 1e-20);
        }
        for value in values {
            assert_eq!(text_of(|text| push_number(text, value)), format!("{value:?}"));
        }
    }

    #[test]
    fn counts_are_printed_in_full() {
        for count in [0, 7, 10, 99, 100, 1_048_575, usize::MAX] {
            assert_eq!(text_of(|text| push_count(text, count)), count.to_string());
        }
    }

    #[test]
    fn times_are_exact_multiples_of_the_step() {
        let time = |step_s, tick| text_of(|text| TickTime::new(step_s).push(text, tick));
        for (step_s, tick, expected) in [
            (0.1, 0, "0.0"),
            (0.1, 3, "0.3"),
            (0.01, 2_000_000, "20000.0"),
            (0.05, 1, "0.05"),
            (2.5e-10, 1, "2.5e-10"),
            (2.5e-10, 2, "5e-10"),
            (2.5e-10, 40_000_001, "0.01000000025"),
            (1e-4, 1, "0.0001"),
            (1e-5, 1, "1e-5"),
            (1e3, 7, "7000.0"),
            (1e15, 10, "1e16"),
            (1.0 / 3.0, 3, "0.9999999999999999"),
        ] {
            assert_eq!(time(step_s, tick), expected);
        }
        for (step_s, tick, expected) in [(0.05, 3427, 171.35), (0.1, 152, 15.2), (0.1, 0, 0.0)] {
            assert_eq!(TickTime::new(step_s).seconds(tick), expected);
        }
        // Both ways give the same text where both can be taken.
        for step_s in [0.01, 0.05, 1.0 / 64.0, 1e-4, 1e-7, 2.5e-9, 0.1, 12.5, 123_456.789] {
            for tick in (0..3000).chain([99_999, 12_345_678, 1 << 40, 1 << 60, u64::MAX]) {
                let time = TickTime::new(step_s);
                let any = text_of(|text| time.push_any(text, tick));
                assert_eq!(text_of(|text| time.push(text, tick)), any, "{tick} of {step_s}");
            }
        }
        // The forms are those of numbers.
        for step_s in [0.01, 0.002, 0.05, 1.0 / 64.0, 1e-4, 1e-7, 250.0] {
            for tick in [1, 2, 7, 10, 99, 100, 12_345, 1_000_000] {
                let found = time(step_s, tick);
                let value: f64 = found.parse().unwrap();
                assert_eq!(found, format!("{value:?}"));
                assert!((value - step_s * tick as f64).abs() <= 1e-15 * value);
            }
        }
    }
}
