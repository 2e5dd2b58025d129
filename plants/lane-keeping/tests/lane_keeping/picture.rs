//! The picture: the car is at its offset, to the left upward, and the arrow points where it steers.

use bitloop_lane_keeping::LaneKeeping;
use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_car_is_at_its_offset_and_points_along_its_heading() {
    let handle = handle(bitloop_lane_keeping::open);
    let parameters = defaults::<LaneKeeping>();
    for [offset, heading] in [[0.0, 0.0], [0.8, 0.05], [-1.2, -0.1]] {
        let state = [offset, 0.0, heading, 0.0];
        let values = Values {
            state: &state,
            observation: &state,
            control: &[0.05],
            parameters: &parameters,
        };
        let (sin, cos) = Real::sin_cos(heading);
        // The arrow starts at the front axle.
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        let front = parameters[2];
        assert!((arrow[0][0] - front * cos).abs() < 1e-12, "{arrow:?}");
        assert!((arrow[0][1] - offset - front * sin).abs() < 1e-12, "{arrow:?}");
        assert!((arrow[1][1] - arrow[0][1] - 0.5 * cos).abs() < 1e-12, "{arrow:?}");
        let body = placed_shape(&handle, values, (Role::Moving, ShapeKind::Rect)).points;
        let side = [body[1][0] - body[0][0], body[1][1] - body[0][1]];
        assert!((side[0] * sin - side[1] * cos).abs() < 1e-12, "{body:?}");
        let edge = placed_shape(&handle, values, (Role::Ground, ShapeKind::Line)).points;
        assert!(edge.iter().all(|point| point[1] == -parameters[10]), "{edge:?}");
    }
}
