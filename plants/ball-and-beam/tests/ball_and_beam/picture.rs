//! The picture: the ball is on the beam at r, and a positive torque lifts the end where it is drawn.

use bitloop_ball_and_beam::BallAndBeam;
use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_ball_touches_the_beam_at_its_place() {
    let handle = handle(bitloop_ball_and_beam::open);
    let parameters = defaults::<BallAndBeam>();
    for [r, theta] in [[0.0, 0.0], [0.3, 0.2], [-0.4, -0.6]] {
        let state = [r, theta, 0.0, 0.0];
        let values =
            Values { state: &state, observation: &state, control: &[0.2], parameters: &parameters };
        let (sin, cos) = Real::sin_cos(theta);
        let ball = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle));
        let [x, y] = ball.points[0];
        let (along, across) = (x * cos + y * sin, y * cos - x * sin);
        assert!((along - r).abs() < 1e-12, "{along} {r}");
        assert!((across - ball.size.expect("a radius")).abs() < 1e-12, "{across}");
        let beam = placed_shape(&handle, values, (Role::Body, ShapeKind::Line)).points;
        assert!((beam[1][0] - parameters[5] * cos).abs() < 1e-12);
        // The cross product of lever and arrow is positive, as theta grows by a positive torque.
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        let (dx, dy) = (arrow[1][0] - arrow[0][0], arrow[1][1] - arrow[0][1]);
        assert!(arrow[0][0] * dy - arrow[0][1] * dx > 0.0, "{arrow:?}");
    }
}
