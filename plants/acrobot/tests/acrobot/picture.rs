//! The picture: the free end is where the goal's formula has it.

use bitloop_acrobot::Acrobot;
use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_free_end_is_at_the_height_that_is_compared_with_the_goal() {
    let handle = handle(bitloop_acrobot::open);
    let mut parameters = defaults::<Acrobot>();
    (parameters[2], parameters[8], parameters[9]) = (1.2, 0.7, 1.5);
    for [first, second] in [[0.0, 0.0], [0.4, -1.0], [3.0, 2.0]] {
        let values = Values {
            state: &[first, second, 0.0, 0.0, 0.0],
            observation: &[0.0; 6],
            control: &[0.0],
            parameters: &parameters,
        };
        let [x, y] = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle)).points[0];
        let (sin_1, cos_1) = Real::sin_cos(first);
        let (sin, cos) = Real::sin_cos(first + second);
        assert!((x - 1.2 * sin_1 - 0.7 * sin).abs() < 1e-12);
        assert!((y + 1.2 * cos_1 + 0.7 * cos).abs() < 1e-12);
        let goal = placed_shape(&handle, values, (Role::Target, ShapeKind::Line)).points;
        assert!(goal.iter().all(|point| point[1] == 1.5));
    }
}
