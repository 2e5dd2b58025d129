//! What the plant says of itself, and that README.md says the same.

use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::Plant;

use crate::handle;

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    let readme = include_str!("../../README.md");
    let handle = handle();
    let description = handle.description();
    let bounds = |min: f64, max: f64| {
        if min == f64::NEG_INFINITY && max == f64::INFINITY {
            "none".to_owned()
        } else {
            format!("[{min}, {max}]")
        }
    };
    let mut rows = Vec::new();
    for variable in description.states.iter().chain(&description.controls) {
        rows.push(format!(
            "| `{}` | {} | {} |",
            variable.name,
            variable.unit,
            bounds(variable.min, variable.max)
        ));
    }
    for parameter in &description.parameters {
        rows.push(format!(
            "| `{}` | {} | {} | {} |",
            parameter.name,
            parameter.unit,
            parameter.default,
            bounds(parameter.min, parameter.max)
        ));
    }
    for row in rows {
        assert!(readme.contains(&row), "README.md has no row that starts with\n{row}");
    }
    for integrator in &description.integrators {
        assert!(readme.contains(&format!("`{}`", integrator.name())));
    }
    assert!(readme.contains(&format!("{} s", description.step_s)));
    assert!(readme.contains(&format!("{} s", description.sample_time_s)));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    let handle = handle();
    let parameters = &handle.description().parameters;
    for corner in 0..1_u32 << parameters.len() {
        let p: Vec<f64> = (0..parameters.len())
            .map(|i| if corner >> i & 1 == 0 { parameters[i].min } else { parameters[i].max })
            .collect();
        let state = [0.3, 0.4, -0.5, 0.6];
        let mut dx = [0.0; 4];
        InvertedPendulum.derivative(0.0, &state, &[1.0], &p, &mut dx);
        assert!(dx.iter().all(|dx: &f64| dx.is_finite()), "{p:?}: {dx:?}");
        let cost: f64 = InvertedPendulum.stage_cost(0.0, &state, &[1.0], &p);
        let failure_cost: f64 = InvertedPendulum.failure_cost(&p);
        assert!(cost >= 0.0 && cost.is_finite() && failure_cost >= 0.0 && failure_cost.is_finite());
    }
}
