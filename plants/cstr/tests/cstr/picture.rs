//! The picture: columns are as high as what they show.

use bitloop_cstr::Cstr;
use bitloop_plant::picture::{Role, Shape, ShapeKind, Values};
use bitloop_plant_testing::{defaults, handle};

#[test]
fn concentration_meets_the_line_of_its_set_point_where_it_is_there() {
    let handle = handle(bitloop_cstr::open);
    let picture = handle.picture().unwrap();
    let mut parameters = defaults::<Cstr>();
    parameters[10] = 0.6;
    let placed = |concentration: f64, temperature: f64| {
        picture.place(Values {
            state: &[concentration, temperature],
            observation: &[0.0; 4],
            control: &[300.0],
            parameters: &parameters,
        })
    };
    let find = |role, kind| {
        let is_it = |shape: &Shape| (shape.role, shape.kind) == (role, kind);
        picture.shapes.iter().position(is_it).unwrap()
    };
    let column = find(Role::Moving, ShapeKind::Rect);
    let line = find(Role::Target, ShapeKind::Line);
    let (at, below) = (placed(0.6, 350.0), placed(0.2, 350.0));
    assert_eq!(at[column].points[2][1], at[line].points[0][1]);
    assert!(below[column].points[2][1] < below[line].points[0][1]);
    let heat = find(Role::Body, ShapeKind::Rect);
    let higher = placed(0.6, 360.0)[heat].points[2][1] - at[heat].points[2][1];
    assert!((higher - 0.1).abs() < 1e-12, "10 K are a tenth: {higher}");
}
