//! Descriptions of plants as JSON.

use bitloop_plant::{Description, PlantHandle, Variable};
use serde::Serialize;
use serde_json::{Map, Value};

/// The object that `plant info --json` prints.
pub type Described = Map<String, Value>;

/// A description as such an object.
pub fn description_json(description: &Description) -> Described {
    match serde_json::to_value(PlantJson::of(description)) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

/// A description as `plant info --json` prints it.
#[derive(Serialize)]
pub struct PlantJson<'a> {
    name: &'a str,
    version: &'a str,
    summary: &'a str,
    integrators: Vec<&'static str>,
    step_s: f64,
    sample_time_s: f64,
    states: Vec<VariableJson<'a>>,
    controls: Vec<VariableJson<'a>>,
    observations: Vec<VariableJson<'a>>,
    parameters: Vec<ParameterJson<'a>>,
    structure: Vec<StructureJson<'a>>,
    /// Left out where it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<PictureJson>,
    /// Whether the bits hold on one machine alone; left out where they hold on any.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    machine_bits: bool,
    /// Whether the plant owns its state; left out where the host has it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    owns_state: bool,
}

/// How much there is to see.
#[derive(Serialize)]
struct PictureJson {
    frames: usize,
    shapes: usize,
}

/// Bounds that are not there are null.
#[derive(Serialize)]
struct VariableJson<'a> {
    name: &'a str,
    unit: &'a str,
    min: f64,
    max: f64,
    center: f64,
    scale: f64,
    default: f64,
}

#[derive(Serialize)]
struct ParameterJson<'a> {
    name: &'a str,
    unit: &'a str,
    meaning: &'a str,
    default: f64,
    min: f64,
    max: f64,
}

#[derive(Serialize)]
struct StructureJson<'a> {
    name: &'a str,
    meaning: &'a str,
    default: u64,
    min: u64,
    max: u64,
}

impl<'a> PlantJson<'a> {
    /// Of a description.
    pub fn of(plant: &'a Description) -> Self {
        let variables = |list: &'a [Variable]| list.iter().map(VariableJson::of).collect();
        Self {
            name: &plant.name,
            version: &plant.version,
            summary: &plant.summary,
            integrators: plant.integrators.iter().map(|integrator| integrator.name()).collect(),
            step_s: plant.step_s,
            sample_time_s: plant.sample_time_s,
            states: variables(&plant.states),
            controls: variables(&plant.controls),
            observations: variables(&plant.observations),
            parameters: plant
                .parameters
                .iter()
                .map(|p| ParameterJson {
                    name: &p.name,
                    unit: &p.unit,
                    meaning: &p.meaning,
                    default: p.default,
                    min: p.min,
                    max: p.max,
                })
                .collect(),
            structure: plant
                .structure
                .iter()
                .map(|p| StructureJson {
                    name: &p.name,
                    meaning: &p.meaning,
                    default: p.default,
                    min: p.min,
                    max: p.max,
                })
                .collect(),
            picture: None,
            machine_bits: false,
            owns_state: false,
        }
    }

    /// With what is known of the open plant: its picture, whose bits it gives, and who has its state.
    pub fn with_plant(self, plant: &PlantHandle) -> Self {
        let picture = plant.picture().map(|picture| PictureJson {
            frames: picture.frames.len(),
            shapes: picture.shapes.len(),
        });
        let (machine_bits, owns_state) = (plant.has_machine_bits(), plant.owns_state());
        Self { picture, machine_bits, owns_state, ..self }
    }
}

impl<'a> VariableJson<'a> {
    fn of(variable: &'a Variable) -> Self {
        let Variable { min, max, center, scale, default, .. } = *variable;
        Self { name: &variable.name, unit: &variable.unit, min, max, center, scale, default }
    }
}
