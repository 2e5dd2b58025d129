//! [`Plan`]: a plant's description, and which variable of the model is set or read where.

use bitloop_plant::{Description, Integrator, MAX_NAME_BYTES, MAX_TEXT_BYTES, Variable};
use bitloop_text::{ErrorKind, FileError, Source as Text};

use crate::binding::{Slot, Source};
use crate::expression::{Kind, Program};
use crate::model::{Model, ModelVariable};
use crate::resolver::{Resolver, clipped};
use crate::settings::{InterfaceType, Settings};

/// The integration step where neither the settings nor the model have one, in seconds.
pub(crate) const USUAL_STEP_S: f64 = 0.01;

/// Integration steps in a control period, where the settings have none.
pub(crate) const USUAL_STEPS: f64 = 10.0;

/// How a model is run as a plant.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The plant. States that are calculated by the model at its start begin with 0 here.
    pub description: Description,
    /// The references of the states.
    pub state_references: Vec<u32>,
    /// Of each state, whether the settings say where it starts.
    pub has_start: Vec<bool>,
    /// What each name in the expressions is.
    pub slots: Vec<Slot>,
    /// The references of variables that the model computes for the expressions.
    pub outputs: Vec<u32>,
    /// Inputs that are set before each evaluation.
    pub inputs: Vec<(Source, u32)>,
    /// Parameters, which a model takes before it is initialized alone.
    pub parameters: Vec<(Source, u32)>,
    /// Start values by reference.
    pub starts: Vec<(u32, f64)>,
    /// The controls while observations and failures are computed, which do not depend on them.
    pub rest: Vec<f64>,
    /// The stage cost.
    pub cost: Program,
    /// The cost of the last state.
    pub terminal_cost: Option<Program>,
    /// Where an episode fails.
    pub failure: Option<Program>,
    /// What is charged after a failure.
    pub failure_cost: f64,
    /// The observations.
    pub observations: Vec<Program>,
}

impl Plan {
    /// Resolves the names of the settings.
    ///
    /// # Errors
    /// [`FileError`] shows the first name or expression that does not fit the model.
    pub(crate) fn new(
        model: &Model,
        interface: InterfaceType,
        settings: &Settings,
        text: &Text,
        name: &str,
    ) -> Result<Self, FileError> {
        let is_stepped = interface == InterfaceType::CoSimulation;
        let mut resolver = Resolver::new(model, text, is_stepped);
        let controls = resolver.controls(&settings.controls.0)?;
        let parameters = resolver.parameters(&settings.parameters.0)?;
        let starts = resolver.starts(&settings.starts.0)?;
        if is_stepped {
            resolver.states = resolver.shown_states(&starts)?;
        }
        let (observations, programs) = resolver.observations(&settings.observations.0)?;
        let cost = resolver.expression(&["cost"], &settings.cost, Kind::Number, true)?;
        let mut optional = |field: &'static str, text: Option<&String>, kind| {
            text.map(|text| resolver.expression(&[field], text, kind, false)).transpose()
        };
        let terminal_cost =
            optional("terminal_cost", settings.terminal_cost.as_ref(), Kind::Number)?;
        let failure = optional("failure", settings.failure.as_ref(), Kind::Truth)?;
        let has_time = |at: usize| resolver.slots[at].1 == Slot::Time;
        if terminal_cost.as_ref().is_some_and(|program| program.names().into_iter().any(has_time)) {
            let message = "`terminal_cost` depends on the time, which it is not given".to_owned();
            let hint = "use variables that follow from the state";
            return Err(text.error_at("terminal_cost", message, hint));
        }
        let failure_cost = settings.failure_cost.unwrap_or(0.0);
        if failure_cost < 0.0 {
            let message = format!("a failure cost of {failure_cost} is negative");
            return Err(text.error_at("failure_cost", message, "costs are 0 or more"));
        }
        let step_s = settings.step_s.or(model.step_s).unwrap_or(USUAL_STEP_S);
        let start_of = |reference| starts.iter().find(|(of, _)| *of == reference).map(|s| s.1);
        let states: Vec<&ModelVariable> =
            resolver.states.iter().map(|&at| &model.variables[at]).collect();
        let description = Description {
            name: settings.name.clone().unwrap_or_else(|| name.to_owned()),
            version: clipped(model.token.trim_matches(['{', '}']), MAX_NAME_BYTES),
            summary: clipped(summary(model), MAX_TEXT_BYTES),
            states: state_variables(&states, start_of),
            controls,
            observations,
            parameters,
            structure: Vec::new(),
            integrators: if is_stepped {
                vec![Integrator::PlantStep]
            } else {
                vec![Integrator::RungeKutta4, Integrator::Euler]
            },
            step_s,
            sample_time_s: settings.sample_time_s.unwrap_or(USUAL_STEPS * step_s),
        };
        description.check().map_err(|error| {
            text.error(
                ErrorKind::Value,
                None,
                error.to_string(),
                Some("correct it here".to_owned()),
            )
        })?;
        Ok(Self {
            description,
            state_references: states.iter().map(|state| state.reference).collect(),
            has_start: states.iter().map(|state| start_of(state.reference).is_some()).collect(),
            starts: starts
                .into_iter()
                .filter(|(reference, _)| resolver.is_settable(*reference))
                .collect(),
            slots: resolver.slots.into_iter().map(|(_, slot)| slot).collect(),
            outputs: resolver.outputs,
            inputs: resolver.inputs,
            parameters: resolver.before_start,
            rest: resolver.rest,
            cost,
            terminal_cost,
            failure,
            failure_cost,
            observations: programs,
        })
    }
}

pub(crate) fn summary(model: &Model) -> &str {
    if model.description.is_empty() { &model.name } else { &model.description }
}

/// Names of models may be longer than those of plants: then the last part is kept, with a number if it is there already.
fn state_variables(
    states: &[&ModelVariable],
    start_of: impl Fn(u32) -> Option<f64>,
) -> Vec<Variable> {
    let mut names: Vec<String> = Vec::new();
    states
        .iter()
        .map(|state| {
            let tail =
                state.name.ceil_char_boundary(state.name.len().saturating_sub(MAX_NAME_BYTES - 8));
            let is_long = state.name.len() > MAX_NAME_BYTES;
            let base = if is_long { &state.name[tail..] } else { &state.name };
            let mut name = base.to_owned();
            let mut number = 2;
            while names.contains(&name) {
                name = format!("{base} {number}");
                number += 1;
            }
            names.push(name.clone());
            let start = start_of(state.reference).or(state.start).unwrap_or(0.0);
            Variable::new(&name, &clipped(&state.unit, MAX_NAME_BYTES)).starting_at(start)
        })
        .collect()
}
