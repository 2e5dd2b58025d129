// The arithmetic of fixed point. Exports to Rust carry this file as it is.

/// The nearest 32-bit integer.
pub const fn saturated(value: i64) -> i32 {
    if value > i32::MAX as i64 {
        i32::MAX
    } else if value < i32::MIN as i64 {
        i32::MIN
    } else {
        value as i32
    }
}

/// `value / 2^by`, rounded to the nearest integer, halves up.
pub const fn moved_right(value: i64, by: u32) -> i64 {
    if by == 0 { value } else { (value + (1 << (by - 1))) >> by }
}

/// `value * multiplier / 2^(before + after)`.
pub const fn scaled(value: i64, before: u32, multiplier: i32, after: u32) -> i32 {
    let narrow = saturated(moved_right(value, before));
    saturated(moved_right(narrow as i64 * multiplier as i64, after))
}

/// tanh of an argument in units of 2^-28, in units of 2^-30: cubics between nodes at 0, 1/8, ... 8 with the slopes
/// 1 - tanh^2.
pub const fn tanh(nodes: &[i32; 65], argument: i32) -> i32 {
    let magnitude = argument.unsigned_abs();
    let magnitude = if magnitude > i32::MAX as u32 { i32::MAX as u32 } else { magnitude };
    let interval = (magnitude >> 25) as usize;
    let t = (magnitude & 0x1ff_ffff) as i64;
    let (p0, p1) = (nodes[interval] as i64, nodes[interval + 1] as i64);
    // Slopes times the width of an interval.
    let d0 = ((1 << 60) - p0 * p0) >> 33;
    let d1 = ((1 << 60) - p1 * p1) >> 33;
    let rise = p1 - p0;
    let (c2, c3) = (3 * rise - 2 * d0 - d1, d0 + d1 - 2 * rise);
    let value = p0 + ((t * (d0 + ((t * (c2 + ((t * c3) >> 25))) >> 25))) >> 25);
    if argument < 0 { -value as i32 } else { value as i32 }
}
