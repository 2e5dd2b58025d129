//! The picture of a plant.

use bitloop_plant::Description;
use bitloop_plant::picture::{Picture, Placed, Values, View};

use crate::episodes::Manner;
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Something of it is in view at the default state, and something moves with states, observations or controls. That it is
/// sound was checked when the plant was opened.
pub(super) fn picture(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let Some(picture) = plant.picture() else {
        return Ok(Finding::skip("it has no picture; reports show a bar for each state"));
    };
    let Description { states, controls, parameters, .. } = plant.description();
    let parameters: Vec<f64> = parameters.iter().map(|parameter| parameter.default).collect();
    let start: Vec<f64> = states.iter().map(|state| state.default).collect();
    let center: Vec<f64> = controls.iter().map(|control| control.center).collect();
    let moved = |value: f64, scale: f64, numbers: &mut Numbers| {
        value + scale * (0.1 + 0.4 * numbers.share())
    };
    let other = states.iter().map(|state| moved(state.default, state.scale, numbers)).collect();
    let push =
        controls.iter().map(|control| moved(control.center, control.scale, numbers)).collect();
    let manner = Manner::first(plant);
    let mut placed = Vec::new();
    for (state, control) in [(start, center), (other, push)] {
        let mut lanes = plant.lanes(1);
        for (row, &value) in state.iter().enumerate() {
            lanes.state.row_mut(row).fill(value);
        }
        for (row, &value) in parameters.iter().enumerate() {
            lanes.parameters.row_mut(row).fill(value);
        }
        plant.observe(manner.isa, &mut lanes, 4, manner.stretch(0, 1))?;
        let n_observations = plant.sizes().n_observations;
        let observation: Vec<f64> =
            (0..n_observations).map(|row| lanes.observation.row(row)[0]).collect();
        placed.push(picture.place(Values {
            state: &state,
            observation: &observation,
            control: &control,
            parameters: &parameters,
        }));
    }
    if !placed[0].iter().any(|shape| is_in_view(picture, shape)) {
        return Ok(Finding::fail("at the default state, nothing of the picture is in its view"));
    }
    if placed[0] == placed[1] {
        return Ok(Finding::fail(
            "nothing of the picture moves with state, observation or control",
        ));
    }
    let (n_frames, n_shapes) = (picture.frames.len(), picture.shapes.len());
    Ok(Finding::pass(format!("frames: {n_frames}, shapes: {n_shapes}")))
}

fn is_in_view(picture: &Picture, shape: &Placed) -> bool {
    let View { left, right, bottom, top } = picture.view;
    let is_inside = |&[x, y]: &[f64; 2]| (left..=right).contains(&x) && (bottom..=top).contains(&y);
    shape.points.iter().any(is_inside)
}
