//! Checks of a plant's description.

use bitloop_plant::Plant;

use crate::support::{Opener, handle};

/// Checks that a README has a row for each state, control and parameter, as
/// `` | `name` | unit | bounds | `` and `` | `name` | unit | default | bounds | ``, and names the integrators and times.
///
/// # Panics
/// If something is missing or says something else.
pub fn check_readme(open: Opener, readme: &str) {
    let handle = handle(open);
    let description = handle.description();
    let mut expected = Vec::new();
    for variable in description.states.iter().chain(&description.controls) {
        let bounds = bounds(variable.min, variable.max);
        expected.push(format!("| `{}` | {} | {bounds} |", variable.name, variable.unit));
    }
    for parameter in &description.parameters {
        let (name, unit, default) = (&parameter.name, &parameter.unit, parameter.default);
        let bounds = bounds(parameter.min, parameter.max);
        expected.push(format!("| `{name}` | {unit} | {default} | {bounds} |"));
    }
    for observation in &description.observations {
        expected.push(format!("`{}`", observation.name));
    }
    for integrator in &description.integrators {
        expected.push(format!("`{}`", integrator.name()));
    }
    expected.push(format!("{} s", description.step_s));
    expected.push(format!("{} s", description.sample_time_s));
    for text in expected {
        assert!(readme.contains(&text), "README.md does not say\n{text}");
    }
}

fn bounds(min: f64, max: f64) -> String {
    if min == f64::NEG_INFINITY && max == f64::INFINITY {
        "none".to_owned()
    } else {
        format!("[{min}, {max}]")
    }
}

/// Checks that rates, costs and observations at `state` under `control` are finite, and costs at least 0, at each corner
/// of the bounds of the parameters.
///
/// # Panics
/// If they are not.
pub fn check_corners<P: Plant>(state: &[f64], control: &[f64]) {
    let plant = P::default();
    let description = plant.description();
    let parameters = &description.parameters;
    for corner in 0..1_u32 << parameters.len() {
        let p: Vec<f64> = (0..parameters.len())
            .map(|i| if corner >> i & 1 == 0 { parameters[i].min } else { parameters[i].max })
            .collect();
        let mut dx = vec![0.0; state.len()];
        plant.derivative(0.0, state, control, &p, &mut dx);
        let mut y = vec![0.0; description.observations.len()];
        plant.observe(0.0, state, &p, &mut y);
        assert!(dx.iter().chain(&y).all(|number| number.is_finite()), "{p:?}: {dx:?} {y:?}");
        let costs: [f64; 3] = [
            plant.stage_cost(0.0, state, control, &p),
            plant.terminal_cost(state, &p),
            plant.failure_cost(&p),
        ];
        assert!(costs.iter().all(|cost| *cost >= 0.0 && cost.is_finite()), "{p:?}: {costs:?}");
    }
}
