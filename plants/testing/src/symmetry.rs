//! The symmetry of a plant about the origin.

use crate::support::SteppedPlant;

/// Checks that from the state `-x` under the control `-u`, the plant moves through the mirror image of the states that it
/// moves through from `x` under `u`, to the bit and at the same cost. `plant_at` makes it at a state.
///
/// # Panics
/// If it does not, or ends or breaks.
pub fn check_mirror_image(
    plant_at: impl Fn(&[f64]) -> SteppedPlant,
    state: &[f64],
    control: &[f64],
    n_steps: u32,
) {
    let negated = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| -value).collect() };
    let (mut one, mut other) = (plant_at(state), plant_at(&negated(state)));
    one.hold(control).advance(n_steps);
    other.hold(&negated(control)).advance(n_steps);
    assert_eq!(one.state(), negated(&other.state()));
    assert_eq!(one.cost().to_bits(), other.cost().to_bits());
}
