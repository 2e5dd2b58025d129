//! The picture: the mass is at x, and spring and damper reach from the wall to it.

use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{handle, placed_shape};

use crate::PARAMETERS;

#[test]
fn spring_and_damper_end_at_the_left_side_of_the_mass() {
    let handle = handle(bitloop_mass_spring_damper::open);
    for x in [-1.0, 0.0, 1.5] {
        let values = Values {
            state: &[x, 0.0],
            observation: &[x, 0.0],
            control: &[0.0],
            parameters: &PARAMETERS,
        };
        let mass = placed_shape(&handle, values, (Role::Moving, ShapeKind::Rect)).points;
        let (left, right) = (mass[0][0], mass[1][0]);
        assert!((0.5 * (left + right) - x).abs() < 1e-12, "{mass:?}");
        let spring = placed_shape(&handle, values, (Role::Body, ShapeKind::Polyline)).points;
        assert!((spring[0][0] + 2.0).abs() < 1e-12);
        assert!((spring[spring.len() - 1][0] - left).abs() < 1e-12, "{spring:?} {left}");
        assert!(spring.windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }
}
