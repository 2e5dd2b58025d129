//! The picture: columns are as high as what they show.

use bitloop_cstr::Cstr;
use bitloop_plant::picture::{Role, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle, placed_shape};

#[test]
fn concentration_meets_the_line_of_its_set_point_where_it_is_there() {
    let handle = handle(bitloop_cstr::open);
    let mut parameters = defaults::<Cstr>();
    parameters[10] = 0.6;
    // The height of the last corner of a rectangle, or of the end of a line.
    let height = |role, kind, state: [f64; 2]| {
        let values = Values {
            state: &state,
            observation: &[0.0; 4],
            control: &[300.0],
            parameters: &parameters,
        };
        placed_shape(&handle, values, (role, kind)).points.last().expect("points")[1]
    };
    let column = |state| height(Role::Moving, ShapeKind::Rect, state);
    let line = height(Role::Target, ShapeKind::Line, [0.6, 350.0]);
    assert_eq!(column([0.6, 350.0]), line);
    assert!(column([0.2, 350.0]) < line);
    let heat = |state| height(Role::Body, ShapeKind::Rect, state);
    let higher = heat([0.6, 360.0]) - heat([0.6, 350.0]);
    assert!((higher - 0.1).abs() < 1e-12, "10 K are a tenth: {higher}");
}
