//! The picture: the end of the rod is where sine and cosine have it, and the torque pushes where it is drawn.

use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{handle, placed_shape};

use crate::PARAMETERS;

#[test]
fn the_rod_stands_up_at_zero_and_a_positive_torque_turns_it_counterclockwise() {
    let handle = handle(bitloop_pendulum_swing_up::open);
    let length = PARAMETERS[1];
    for theta in [0.0, 0.5, std::f64::consts::PI, -2.0] {
        let (sin, cos) = Real::sin_cos(theta);
        let values = Values {
            state: &[theta, 0.0],
            observation: &[cos, sin, 0.0],
            control: &[1.0],
            parameters: &PARAMETERS,
        };
        let [x, y] = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle)).points[0];
        assert!((x + length * sin).abs() < 1e-12 && (y - length * cos).abs() < 1e-12, "{theta}");
        // Counterclockwise: the cross product of arm and arrow is positive, as theta grows by a positive torque.
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        let (dx, dy) = (arrow[1][0] - arrow[0][0], arrow[1][1] - arrow[0][1]);
        assert!(x * dy - y * dx > 0.0, "{theta}: {arrow:?}");
    }
}
