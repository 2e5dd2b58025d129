//! The table that tanh and the logistic function are interpolated from, with an error below 3e-6.

use bitloop_plant::Real;

/// Nodes at 0, 1/8, ... 8.
const N_NODES: usize = 65;

/// The table: tanh at the nodes, in units of 2^-30.
#[expect(clippy::cast_possible_truncation, reason = "at most 2^30")]
pub fn nodes() -> [i32; N_NODES] {
    std::array::from_fn(|node| {
        let value = Real::tanh(node as f64 / 8.0);
        (value * f64::from(1 << 30)).round() as i32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::arithmetic::tanh;

    #[test]
    fn the_table_is_as_near_to_tanh_as_it_says() {
        let nodes = nodes();
        let mut worst: f64 = 0.0;
        for argument in (i32::MIN..=i32::MAX).step_by(9_973) {
            let exact = Real::tanh(f64::from(argument) / f64::from(1 << 28));
            let found = f64::from(tanh(&nodes, argument)) / f64::from(1 << 30);
            worst = worst.max((exact - found).abs());
        }
        assert!(worst < 3e-6, "{worst:e}");
        assert_eq!(tanh(&nodes, 0), 0);
        assert_eq!(tanh(&nodes, -12_345_678), -tanh(&nodes, 12_345_678));
        assert_eq!(tanh(&nodes, i32::MIN), -tanh(&nodes, i32::MAX));
    }
}
