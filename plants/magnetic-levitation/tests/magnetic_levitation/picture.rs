//! The picture: the top of the ball is as far below the magnet as the gap says.

use bitloop_magnetic_levitation::MagneticLevitation;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_ball_hangs_below_the_magnet_by_the_gap_and_meets_the_line_at_the_set_point() {
    let handle = handle(bitloop_magnetic_levitation::open);
    let parameters = defaults::<MagneticLevitation>();
    for gap in [0.0, 0.05, 0.09] {
        let state = [gap, 0.0, 6.0];
        let values =
            Values { state: &state, observation: &state, control: &[5.0], parameters: &parameters };
        let magnet = placed_shape(&handle, values, (Role::Ground, ShapeKind::Rect)).points;
        let ball = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle));
        let top = ball.points[0][1] + ball.size.expect("a radius");
        assert!((magnet[0][1] - top - gap).abs() < 1e-15, "{top} {gap}");
        let target = placed_shape(&handle, values, (Role::Target, ShapeKind::Line)).points;
        assert_eq!((top - target[0][1]).abs() < 1e-15, gap == 0.05);
        // The magnet pulls upward.
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        assert!(arrow[1][1] > arrow[0][1] && arrow[1][0] == arrow[0][0], "{arrow:?}");
    }
}
