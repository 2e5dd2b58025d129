//! The picture: water is as high as its level, and meets the line of the set point where it is there.

use bitloop_coupled_tanks::CoupledTanks;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn the_water_of_the_lower_tank_meets_the_line_at_the_set_point_and_the_walls_at_the_rim() {
    let handle = handle(bitloop_coupled_tanks::open);
    let mut parameters = defaults::<CoupledTanks>();
    parameters[6] = 12.0;
    let placed = |levels: [f64; 2], shape| {
        let values = Values {
            state: &levels,
            observation: &levels,
            control: &[3.0],
            parameters: &parameters,
        };
        placed_shape(&handle, values, shape).points
    };
    let water = |level: f64| placed([7.0, level], (Role::Moving, ShapeKind::Rect))[2][1];
    let line = placed([7.0, 7.0], (Role::Target, ShapeKind::Line));
    assert_eq!(water(12.0), line[0][1]);
    assert!(water(11.0) < line[0][1]);
    // The first walls are those of the upper tank.
    let upper = |level: f64| placed([level, 7.0], (Role::Body, ShapeKind::Rect))[2][1];
    let walls = placed([7.0, 7.0], (Role::Ground, ShapeKind::Polyline));
    assert!((upper(20.0) - walls[0][1]).abs() < 1e-12, "{walls:?}");
    // The flow points downward.
    let flow = placed([7.0, 7.0], (Role::Force, ShapeKind::Line));
    assert!(flow[1][1] < flow[0][1] && flow[1][0] == flow[0][0], "{flow:?}");
}
