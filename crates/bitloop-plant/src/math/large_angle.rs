//! The reduction of angles that are too large for a few fused steps, after M. H. Payne and R. N. Hanek, "Radian reduction
//! for trigonometric functions", ACM SIGNUM Newsletter 18 (1983).
//!
//! |x| = m 2^e with an integer m. In m 2^e * 2/pi, the bits of 2/pi whose weight makes the product a multiple of 4 do not
//! matter, and 192 bits after those are enough: the nearest that a double comes to a multiple of pi/2 is about 2^-62
//! (J.-M. Muller, "Elementary Functions"), the bits left out add less than 2^-137. All in integers, so exact, and free of
//! anything that a machine could do differently.

/// 64 zeros, then the binary digits of 2/pi (by tests/math/coefficients.py).
const FRAC_2_PI_BITS: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// pi/2 * 2^63, rounded.
const FRAC_PI_2_FIXED: u64 = 0xc90f_daa2_2168_c235;

/// A reduced angle x = n pi/2 + r + `r_low`, with `r_low` below the last bit of r.
pub(super) struct LargeReduced {
    pub(super) r: f64,
    pub(super) r_low: f64,
    /// Its two lowest bits are those of n.
    pub(super) quadrant: u64,
}

/// Reduces any x of at least 1 in magnitude; infinity and NaN reduce to NaN.
pub(super) fn reduce(x: f64) -> LargeReduced {
    if !x.is_finite() {
        return LargeReduced { r: f64::NAN, r_low: f64::NAN, quadrant: 0 };
    }
    let bits = x.to_bits();
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    // The biased exponent is e + 1075. The window starts at the digit of 2/pi that has weight 2^-(e - 1), so that the top
    // bit of the product mod 2^192 has weight 2.
    let biased = usize::try_from(bits >> 52 & 0x7ff).expect("eleven bits");
    let first_bit = biased + 62 - 1075;
    let (word, shift) = (first_bit / 64, first_bit % 64);
    let window = [0, 1, 2].map(|offset| {
        let (high, low) = (FRAC_2_PI_BITS[word + offset], FRAC_2_PI_BITS[word + offset + 1]);
        high_word((u128::from(high) << 64 | u128::from(low)) << shift)
    });

    // m times the window mod 2^192, highest word first.
    let low = mantissa * u128::from(window[2]);
    let middle = mantissa * u128::from(window[1]) + (low >> 64);
    let high = mantissa * u128::from(window[0]) + (middle >> 64);
    let product = [low_word(high), low_word(middle), low_word(low)];

    // Two bits of n; the other bits are a fraction of a quarter turn, between -1/2 and 1/2 with its top bit as the sign.
    let fraction =
        [product[0] << 2 | product[1] >> 62, product[1] << 2 | product[2] >> 62, product[2] << 2];
    let negative = fraction[0] >> 63 == 1;
    let n = (product[0] >> 62) + u64::from(negative);
    let magnitude = if negative { negated(fraction) } else { fraction };

    // The leading 64 bits times pi/2, rounded to two doubles.
    let zeros = leading_zeros(magnitude);
    let leading = shifted_left(magnitude, zeros);
    let angle = u128::from(leading) * u128::from(FRAC_PI_2_FIXED);
    let rounded = angle as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "integer below 2^128"
    )]
    let rest = angle.wrapping_sub(rounded as u128).cast_signed() as f64;
    // The fraction is `leading` * 2^-(64 + zeros) quarter turns, and pi/2 is the constant * 2^-63.
    let unit = f64::from_bits(u64::from(1023 - 127 - zeros) << 52);
    let sign = if negative == x.is_sign_negative() { unit } else { -unit };
    LargeReduced {
        r: rounded * sign,
        r_low: rest * sign,
        quadrant: if x.is_sign_negative() { n.wrapping_neg() } else { n },
    }
}

/// Two's complement of a number of three words, highest first.
fn negated(words: [u64; 3]) -> [u64; 3] {
    let (low, carry) = (!words[2]).overflowing_add(1);
    let (middle, carry) = (!words[1]).overflowing_add(u64::from(carry));
    [(!words[0]).wrapping_add(u64::from(carry)), middle, low]
}

/// How many zeros lead the three words, highest first.
fn leading_zeros(words: [u64; 3]) -> u32 {
    match words {
        [0, 0, low] => 128 + low.leading_zeros(),
        [0, middle, _] => 64 + middle.leading_zeros(),
        [high, _, _] => high.leading_zeros(),
    }
}

/// The highest word of three, all shifted left by `by` bits.
fn shifted_left(words: [u64; 3], by: u32) -> u64 {
    let index = (by / 64) as usize;
    let next = words.get(index + 1).copied().unwrap_or(0);
    high_word((u128::from(words[index]) << 64 | u128::from(next)) << (by % 64))
}

fn high_word(value: u128) -> u64 {
    (value >> 64) as u64
}

#[expect(clippy::cast_possible_truncation, reason = "the other half is high_word")]
fn low_word(value: u128) -> u64 {
    value as u64
}
