//! `bitloop controller show`, and controllers in few words.

use std::path::Path;

use bitloop_scenario::{AnySaved, Codes, SavedController, Weights};

use super::show_json;
use crate::environment;
use crate::failure::Failure;
use crate::model::{self, add_provenance};
use crate::network_text::{grid_in_words, layers_in_short, packed_bytes, weights_in_short};
use crate::output::number::{counted, error_or_dash, plain};
use crate::output::table::{Facts, Table};
use crate::output::{print, shell};

/// Explains a saved controller or model.
pub fn show(path: &Path, is_json: bool) -> Result<(), Failure> {
    let saved = AnySaved::read(path)?;
    if is_json {
        return show_json::print(&saved);
    }
    let file = match saved {
        AnySaved::Controller(file) => file,
        AnySaved::Model(file) => return print(&model::text(path, &file.value)),
    };
    let saved = &file.value;
    let text = format!(
        "{} for {}\n{}\nInputs, each scaled as (value - center) / scale\n{}\nOutputs, each center + scale * output\n{}\n\
         Replay it:\n  {} replay {}\n",
        layers_in_short(saved.inputs.len(), &saved.network),
        saved.plant.name,
        facts(saved).text(),
        inputs(saved).text(),
        outputs(saved).text(),
        environment::program(),
        shell::quoted(path),
    );
    print(&text)
}

fn facts(saved: &SavedController) -> Facts {
    let Weights::Codes(Codes { bits, max_weight, codes }) = &saved.weights;
    let mut facts = Facts::default();
    facts.add(
        "weights",
        format!(
            "{}, {}; {} packed",
            weights_in_short(codes.len(), Some(*bits)),
            grid_in_words(*bits, *max_weight),
            counted(packed_bytes(codes.len(), *bits), "byte"),
        ),
    );
    facts.add("plant", format!("{}, version {}", saved.plant.name, saved.plant.version));
    if saved.plant.machine_bits {
        facts
            .add("bits", "of the machine of the training: elsewhere, errors may differ".to_owned());
    }
    let simulation = &saved.simulation;
    facts.add(
        "simulation",
        format!(
            "{:?}, step {} s, sample time {} s",
            simulation.integrator,
            plain(simulation.step_s),
            plain(simulation.sample_time_s),
        ),
    );
    let errors = &saved.errors;
    facts.add("training error", error_or_dash(errors.training));
    if errors.unrounded_training.is_some() {
        facts.add("before rounding", error_or_dash(errors.unrounded_training));
    }
    facts.add("validation error", error_or_dash(errors.validation));
    facts.add("confirmation error", error_or_dash(errors.confirmation));
    facts.add("test error", error_or_dash(errors.test));
    add_provenance(&mut facts, &saved.made_by, &saved.digest);
    facts
}

fn inputs(saved: &SavedController) -> Table {
    let mut table = Table::new(&["name", "unit", "center", "scale"]);
    for input in &saved.inputs {
        let numbers = [plain(input.center), plain(input.scale)];
        table.row([input.name.clone(), input.unit.clone()].into_iter().chain(numbers).collect());
    }
    table
}

fn outputs(saved: &SavedController) -> Table {
    let mut table = Table::new(&["name", "unit", "center", "scale", "min", "max"]);
    let bound = |bound: Option<f64>| bound.map_or("-".to_owned(), plain);
    for output in &saved.outputs {
        table.row(vec![
            output.name.clone(),
            output.unit.clone(),
            plain(output.center),
            plain(output.scale),
            bound(output.min),
            bound(output.max),
        ]);
    }
    table
}
