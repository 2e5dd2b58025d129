//! The picture: the mass is where sine and cosine have it.

use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::placed_shape;

use crate::{FREE, handle};

#[test]
fn the_mass_is_at_the_end_of_the_rod_and_the_force_points_along_the_rail() {
    let handle = handle();
    let at = |state: [f64; 4], force: f64, shape| {
        let (control, parameters) = ([force], FREE);
        let values = Values {
            state: &state,
            observation: &state,
            control: &control,
            parameters: &parameters,
        };
        placed_shape(&handle, values, shape).points
    };
    let length = FREE[2];
    for theta in [0.0, 0.3, -1.0, 3.0] {
        let (sin, cos) = Real::sin_cos(theta);
        // The view follows the cart, wherever that is.
        let [x, y] = at([7.0, theta, 0.0, 0.0], 0.0, (Role::Moving, ShapeKind::Circle))[0];
        assert!((x + length * sin).abs() < 1e-12 && (y - length * cos).abs() < 1e-12, "{theta}");
    }
    // A force to the right moves the cart to the right, and the mass, left behind, to positive angles.
    let arrow = at([0.0; 4], 4.0, (Role::Force, ShapeKind::Line));
    assert!(arrow[1][0] > arrow[0][0] && arrow[1][1] == arrow[0][1]);
    let mut lanes = crate::lanes([0.0; 4], 4.0, FREE);
    crate::advance(&mut lanes, crate::INTEGRATORS[2], 0.01, 10);
    let [x, theta, ..] = crate::first_lane(&lanes);
    assert!(x > 0.0 && theta > 0.0, "{x} {theta}");
}
