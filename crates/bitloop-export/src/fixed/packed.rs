//! Codes of 2 to 24 bits, packed.

use crate::portable::Codes;

/// The codes one after the other, the low bits first.
pub fn packed(codes: &Codes) -> Vec<u8> {
    let mask = (1_u64 << codes.bits) - 1;
    let mut bytes = Vec::with_capacity((codes.codes.len() * codes.bits as usize).div_ceil(8));
    let (mut open, mut n_open) = (0_u64, 0);
    for code in &codes.codes {
        open |= (u64::from(code.cast_unsigned()) & mask) << n_open;
        n_open += codes.bits;
        while n_open >= 8 {
            bytes.push(open.to_le_bytes()[0]);
            open >>= 8;
            n_open -= 8;
        }
    }
    if n_open > 0 {
        bytes.push(open.to_le_bytes()[0]);
    }
    bytes
}
