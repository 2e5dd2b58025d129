//! [`threefry`]: random words without a state, by their place alone.
//!
//! Threefry-2x64 with 13 rounds, the fewest that pass all test batteries in its paper (Salmon, Moraes, Dror and Shaw,
//! "Parallel random numbers: as easy as 1, 2, 3", SC 2011, doi 10.1145/2063384.2063405). It takes sums, rotations and
//! exclusive ors of 64-bit words only, so that many places are computed side by side in vectors.

/// Rounds between two injections of the key.
const ROUNDS_PER_KEY: usize = 4;

/// The rotations of eight rounds, which repeat.
const ROTATIONS: [u32; 8] = [16, 42, 12, 31, 16, 32, 24, 21];

/// Makes the last word of the key schedule depend on more than the key.
pub const THREEFRY_PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

const N_ROUNDS: usize = 13;

/// Two random words: those at place `counter` of the sequence under `key`. Words at other places, and under other keys, are
/// independent of them.
#[inline(always)]
#[must_use]
pub fn threefry(key: [u64; 2], counter: [u64; 2]) -> [u64; 2] {
    let keys = [key[0], key[1], THREEFRY_PARITY ^ key[0] ^ key[1]];
    let (mut a, mut b) = (counter[0].wrapping_add(keys[0]), counter[1].wrapping_add(keys[1]));
    let mut round = 0;
    while round < N_ROUNDS {
        a = a.wrapping_add(b);
        b = b.rotate_left(ROTATIONS[round % ROTATIONS.len()]) ^ a;
        round += 1;
        if round.is_multiple_of(ROUNDS_PER_KEY) {
            let injection = round / ROUNDS_PER_KEY;
            a = a.wrapping_add(keys[injection % 3]);
            b = b.wrapping_add(keys[(injection + 1) % 3]).wrapping_add(injection as u64);
        }
    }
    [a, b]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers that the authors publish with their implementation.
    #[test]
    fn known_answers_are_given() {
        for (key, counter, words) in [
            ([0, 0], [0, 0], [0xf167_b032_c3b4_80bd, 0xe91f_9fee_4b7a_6fb5]),
            ([u64::MAX; 2], [u64::MAX; 2], [0xccde_c5c9_17a8_74b1, 0x4df5_3abc_a26c_eb01]),
            (
                [0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89],
                [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344],
                [0xc3aa_c715_6104_2993, 0x3fe7_ae88_01af_f316],
            ),
        ] {
            assert_eq!(threefry(key, counter), words);
        }
    }
}
