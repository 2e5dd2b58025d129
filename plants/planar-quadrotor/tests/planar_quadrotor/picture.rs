//! The picture: the body is where the state has it, and thrusts point along its axis.

use bitloop_planar_quadrotor::PlanarQuadrotor;
use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_arm_spans_the_rotors_and_the_thrust_is_square_to_it() {
    let handle = handle(bitloop_planar_quadrotor::open);
    let parameters = defaults::<PlanarQuadrotor>();
    for theta in [0.0, 0.4, -1.2] {
        let state = [0.3, -0.2, theta, 0.0, 0.0, 0.0];
        let values = Values {
            state: &state,
            observation: &state,
            control: &[3.0, 1.0],
            parameters: &parameters,
        };
        let (sin, cos) = Real::sin_cos(theta);
        let arm = placed_shape(&handle, values, (Role::Moving, ShapeKind::Rect)).points;
        for side in 0..2 {
            let middle: f64 = arm.iter().map(|point| point[side]).sum::<f64>() / 4.0;
            assert!((middle - state[side]).abs() < 1e-12, "{arm:?}");
        }
        // The first arrow is that of the right rotor.
        let thrust = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        let (dx, dy) = (thrust[1][0] - thrust[0][0], thrust[1][1] - thrust[0][1]);
        assert!((dx + 0.15 * sin).abs() < 1e-12 && (dy - 0.15 * cos).abs() < 1e-12, "{thrust:?}");
        let right = (thrust[0][0] - state[0]) * cos + (thrust[0][1] - state[1]) * sin;
        assert!((right - parameters[1]).abs() < 1e-12, "{right}");
    }
}
