//! The picture: the end of the second rod is where sine and cosine have it, and the force moves the cart where it points.

use bitloop_double_pendulum::DoublePendulum;
use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn rods_lean_clockwise_and_the_second_stands_on_the_first() {
    let handle = handle(bitloop_double_pendulum::open);
    let parameters = defaults::<DoublePendulum>();
    for [first, second] in [[0.0, 0.0], [0.3, -0.5], [-1.0, 0.8]] {
        let state = [0.6, first, second, 0.0, 0.0, 0.0];
        let values = Values {
            state: &state,
            observation: &state,
            control: &[10.0],
            parameters: &parameters,
        };
        // The first rod ends at the hinge between both, the first circle is at the end of the second.
        let hinge = placed_shape(&handle, values, (Role::Moving, ShapeKind::Line)).points[1];
        let end = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle)).points[0];
        for (from, to, length, angle) in
            [([0.6, 0.0], hinge, parameters[3], first), (hinge, end, parameters[4], second)]
        {
            let (sin, cos) = Real::sin_cos(angle);
            assert!((to[0] - from[0] - length * sin).abs() < 1e-12, "{to:?}");
            assert!((to[1] - from[1] - length * cos).abs() < 1e-12, "{to:?}");
        }
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        assert!(arrow[1][0] > arrow[0][0] && arrow[1][1] == arrow[0][1], "{arrow:?}");
    }
}
