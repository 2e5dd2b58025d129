/// `x * y + z`, rounded once, by integers: `core` has no fused product.
fn fused(x: f64, y: f64, z: f64) -> f64 {
    const TOP: u64 = 1 << 63;
    let (wx, wy, wz) = (x.to_bits(), y.to_bits(), z.to_bits());
    let is_finite = |word: u64| (word >> 52) & 0x7ff != 0x7ff;
    if x == 0.0 || y == 0.0 || !is_finite(wx) || !is_finite(wy) {
        return x * y + z; // the product is exact, or not finite
    }
    if !is_finite(wz) {
        return z; // whatever the product is
    }
    if z == 0.0 {
        return x * y;
    }
    let ((fx, ex), (fy, ey), (fz, ez)) = (fraction(wx), fraction(wy), fraction(wz));
    // Both terms with their top bit at 124 or 125, in units of 2^e.
    let sign_of_product = (wx ^ wy) & TOP;
    let (mut product, mut e) = ((fx as u128 * fy as u128) << 20, ex + ey - 2150 - 20);
    let (mut addend, e_addend) = ((fz as u128) << 72, ez - 1075 - 72);
    if e_addend > e {
        product = moved_right_marked(product, e_addend - e);
        e = e_addend;
    } else {
        addend = moved_right_marked(addend, e - e_addend);
    }
    let (sign, sum) = if wz & TOP == sign_of_product {
        (sign_of_product, product + addend)
    } else if product >= addend {
        (sign_of_product, product - addend)
    } else {
        (sign_of_product ^ TOP, addend - product)
    };
    if sum == 0 {
        return 0.0;
    }
    let shift = sum.leading_zeros() as i32;
    let mut sum = sum << shift;
    // The sum is 1.f * 2^(e + 127 - shift).
    let mut field = e - shift + 127 + 1023;
    if field >= 0x7ff {
        return f64::from_bits(sign | 0x7ff << 52);
    }
    if field < 1 {
        sum = moved_right_marked(sum, 1 - field);
        field = 1;
    }
    let mut word = (sum >> 75) as u64;
    let rest = sum & ((1 << 75) - 1);
    if rest > 1 << 74 || (rest == 1 << 74 && word & 1 == 1) {
        word += 1;
    }
    // The leading one of the fraction adds itself to the exponent; below it there is none.
    f64::from_bits(sign | (word + ((field as u64 - 1) << 52)))
}

/// A magnitude as fraction * 2^(exponent - 1075), with 2^52 <= fraction < 2^53. Not for 0.
fn fraction(word: u64) -> (u64, i32) {
    let (fraction, field) = (word & 0xf_ffff_ffff_ffff, (word >> 52 & 0x7ff) as i32);
    if field > 0 {
        return (fraction | 1 << 52, field);
    }
    let shift = fraction.leading_zeros() as i32 - 11;
    (fraction << shift, 1 - shift)
}

/// `value >> by`; a bit that falls off the end leaves its mark in the last one.
fn moved_right_marked(value: u128, by: i32) -> u128 {
    if by >= 128 {
        return (value != 0) as u128;
    }
    let moved = value >> by;
    moved | (moved << by != value) as u128
}
