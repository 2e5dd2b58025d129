//! The picture: the point is at its place in the phase plane, and the input points where it moves it.

use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};
use bitloop_van_der_pol::VanDerPol;

#[test]
fn the_point_is_at_its_state_and_the_arrow_along_v() {
    let handle = handle(bitloop_van_der_pol::open);
    let parameters = defaults::<VanDerPol>();
    for state in [[0.0, 0.0], [1.5, -2.0]] {
        let values = Values {
            state: &state,
            observation: &state,
            control: &[-0.8],
            parameters: &parameters,
        };
        let point = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle)).points[0];
        assert_eq!(point, state);
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        assert_eq!(arrow, [state, [state[0], state[1] - 0.8]]);
    }
}
