//! `bitloop plant list` and `bitloop plant info`.

use std::path::Path;

use bitloop_host::{FmuPlant, HostError, PlantLibrary};
use bitloop_plant::{PlantHandle, Variable};
use bitloop_scenario::PlantChoice;
use serde::Serialize;
use serde_json::Value;

use crate::describe;
use crate::failure::Failure;
use crate::output::number::plain;
use crate::output::table::{Facts, Table};
use crate::output::{json, print, print_note};
use crate::plant_json::{Described, PlantJson, description_json};
use crate::registry::registry;
use crate::sandbox;

/// Lists the plants. A library whose plant cannot be described is reported on standard error.
pub fn list(no_sandbox: bool, as_json: bool) -> Result<(), Failure> {
    let registry = registry();
    let mut plants = Vec::new();
    for name in registry.names() {
        plants.push(description_json(registry.open(name, None)?.description()));
    }
    let mut has_libraries = false;
    for library in registry.libraries() {
        let described = library.as_ref().map_err(ToString::to_string).and_then(|found| {
            let path = found.path();
            let is_sandboxed = sandbox::by_default(no_sandbox);
            let mut plant = describe::describe(path, is_sandboxed)
                .map_err(|fault| format!("plant library {}: {fault}", path.display()))?;
            plant.insert("library".to_owned(), path.display().to_string().into());
            Ok(plant)
        });
        match described {
            Ok(plant) => {
                has_libraries = true;
                plants.push(plant);
            }
            Err(fault) => print_note(&format!("note: BITLOOP_PLANT_PATH: {fault}")),
        }
    }
    plants.sort_by(|a, b| text_of(a, "name").cmp(text_of(b, "name")));
    if as_json {
        return json::print_object(&ListJson { plants });
    }
    let mut titles = vec!["plant", "states", "controls", "observations", "what it is"];
    titles.extend(has_libraries.then_some("library"));
    let mut table = Table::new(&titles);
    for plant in &plants {
        let count = |key: &str| plant[key].as_array().map_or(0, Vec::len).to_string();
        let mut row = vec![text_of(plant, "name").to_owned()];
        row.extend(["states", "controls", "observations"].map(count));
        row.push(text_of(plant, "summary").to_owned());
        row.extend(has_libraries.then(|| text_of(plant, "library").to_owned()));
        table.row(row);
    }
    print(&table.text())
}

/// A text of a description, empty where there is none.
fn text_of<'a>(plant: &'a Described, key: &str) -> &'a str {
    plant.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Opens a plant that the command line names.
pub fn open(plant: &PlantChoice) -> Result<PlantHandle, Failure> {
    Ok(match plant {
        PlantChoice::Named(name) => registry().open(name, None)?,
        PlantChoice::Library(path) => PlantLibrary::open(Path::new(path))
            .and_then(|library| library.plant(None))
            .map_err(HostError::from)?,
        PlantChoice::Fmu(path) => {
            FmuPlant::open(Path::new(path)).map_err(HostError::from)?.plant().clone()
        }
    })
}

/// Explains a plant.
pub fn info(plant: &PlantChoice, as_json: bool) -> Result<(), Failure> {
    let plant = open(plant)?;
    let description = plant.description();
    if as_json {
        json::print_object(&PlantJson::of(description).with_plant(&plant))
    } else {
        print(&text(&plant))
    }
}

fn text(plant: &PlantHandle) -> String {
    let picture =
        plant.picture().map_or("none; reports show a bar for each state".to_owned(), |picture| {
            let (n_shapes, n_frames) = (picture.shapes.len(), picture.frames.len());
            format!("{n_shapes} shapes in {n_frames} frames")
        });
    let bits = plant.has_machine_bits().then_some("hold on one machine alone, as the plant says");
    let owns_state = plant.owns_state();
    let plant = plant.description();
    let mut facts = Facts::default();
    facts.add("version", plant.version.clone());
    if owns_state {
        facts.add("state", "owned by the plant, which shows a copy".to_owned());
    }
    if let Some(bits) = bits {
        facts.add("bits", bits.to_owned());
    }
    let integrators: Vec<_> =
        plant.integrators.iter().map(|integrator| integrator.name()).collect();
    facts.add("integrators", format!("{} (the first by default)", integrators.join(", ")));
    facts.add("step", format!("{} s", plain(plant.step_s)));
    facts.add("sample time", format!("{} s", plain(plant.sample_time_s)));
    facts.add("picture", picture);
    let mut sections = vec![format!("{}: {}\n{}", plant.name, plant.summary, facts.text())];

    let mut table = Table::new(&["state", "unit", "start", "min", "max"]);
    for state in &plant.states {
        let numbers = [state.default, state.min, state.max].map(bound);
        table.row([state.name.clone(), state.unit.clone()].into_iter().chain(numbers).collect());
    }
    sections.push(table.text());
    for (what, variables) in [("control", &plant.controls), ("observation", &plant.observations)] {
        let mut table = Table::new(&[what, "unit", "min", "max", "center", "scale"]);
        for variable in variables {
            let Variable { min, max, center, scale, .. } = *variable;
            let numbers = [min, max, center, scale].map(bound);
            let words = [variable.name.clone(), variable.unit.clone()];
            table.row(words.into_iter().chain(numbers).collect());
        }
        sections.push(table.text());
    }
    if !plant.parameters.is_empty() {
        let mut table = Table::new(&["parameter", "unit", "default", "min", "max", "meaning"]);
        for parameter in &plant.parameters {
            let numbers = [parameter.default, parameter.min, parameter.max].map(bound);
            let words = [parameter.name.clone(), parameter.unit.clone()].into_iter();
            table.row(words.chain(numbers).chain([parameter.meaning.clone()]).collect());
        }
        sections.push(table.text());
    }
    if !plant.structure.is_empty() {
        let mut table = Table::new(&["structure", "default", "min", "max", "meaning"]);
        for parameter in &plant.structure {
            let numbers = [parameter.default, parameter.min, parameter.max].map(|n| n.to_string());
            let words = [parameter.name.clone()].into_iter();
            table.row(words.chain(numbers).chain([parameter.meaning.clone()]).collect());
        }
        sections.push(table.text());
    }
    sections.join("\n")
}

/// A number, or a dash for no bound.
fn bound(value: f64) -> String {
    if value.is_infinite() { "-".to_owned() } else { plain(value) }
}

#[derive(Serialize)]
struct ListJson {
    plants: Vec<Described>,
}
