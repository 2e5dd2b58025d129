//! The picture: turned frames put the car on the slope, and the flag at the goal.

use bitloop_mountain_car::MountainCar;
use bitloop_plant::Real;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_car_is_on_the_slope_wherever_it_is() {
    let handle = handle(bitloop_mountain_car::open);
    let mut parameters = defaults::<MountainCar>();
    parameters[2] = 0.3;
    for position in [-1.2, -0.5, 0.0, 0.45] {
        let values = Values {
            state: &[position, 0.0, 0.0],
            observation: &[position, 0.0],
            control: &[0.6],
            parameters: &parameters,
        };
        let height = |position: f64| 0.45 * Real::sin(3.0 * position);
        let car = placed_shape(&handle, values, (Role::Moving, ShapeKind::Circle));
        let ([x, y], radius) = (car.points[0], car.size.expect("a radius"));
        assert!((x - position).abs() < 1e-12, "{position}: {x}");
        assert!((y - radius - height(position)).abs() < 1e-12, "{position}: {y}");
        let arrow = placed_shape(&handle, values, (Role::Force, ShapeKind::Line)).points;
        assert!((arrow[1][0] - arrow[0][0] - 0.15).abs() < 1e-12, "{arrow:?}");
        let flag = placed_shape(&handle, values, (Role::Target, ShapeKind::Line)).points;
        let [x, y] = flag[0];
        assert!((x - 0.3).abs() < 1e-12 && (y - height(0.3)).abs() < 1e-12, "{flag:?}");
    }
}
