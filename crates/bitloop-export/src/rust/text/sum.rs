/// 1 as a signal.
const ONE: i32 = 1 << 24;

/// The codes, one after the other, of `CODE_BITS` bits each, the low ones first.
struct Reader {
    at: usize,
    bits: u32,
    n_bits: u32,
}

impl Reader {
    fn next(&mut self) -> i64 {
        while self.n_bits < CODE_BITS {
            self.bits |= (WEIGHTS[self.at] as u32) << self.n_bits;
            self.at += 1;
            self.n_bits += 8;
        }
        let sign = 1 << (CODE_BITS - 1);
        let code = self.bits & (2 * sign - 1);
        self.bits >>= CODE_BITS;
        self.n_bits -= CODE_BITS;
        (code ^ sign) as i64 - sign as i64
    }

    /// b + sum w fed + sum v past, signals in units of 2^-24, weights in units of their step.
    fn sum(&mut self, fed: &[i32], past: &[i32]) -> i64 {
        let mut sum = self.next() * ONE as i64;
        for &signal in fed.iter().chain(past) {
            sum += self.next() * signal as i64;
        }
        sum
    }
}
