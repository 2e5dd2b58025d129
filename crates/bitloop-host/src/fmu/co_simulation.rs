//! [`SteppedFmu`]: a model that takes its own steps, in an instance for each episode.

use std::sync::Arc;

use bitloop_fmu::{Plan, Source};
use bitloop_plant::{Instance as PlantInstance, InstanceMaker};

use super::error::FmuPlantFault;
use super::expressions::{Expressions, Memory, Point, finite_cost};
use super::instance::{Computed, Instance};
use super::load::Loaded;

/// A model whose instances are made when lanes need them.
pub(super) struct SteppedFmu {
    loaded: Loaded,
    plan: Arc<Plan>,
}

impl SteppedFmu {
    pub fn new(loaded: Loaded, plan: Plan) -> Self {
        Self { loaded, plan: Arc::new(plan) }
    }
}

impl InstanceMaker for SteppedFmu {
    fn instance(&self) -> Result<Box<dyn PlantInstance>, String> {
        Ok(Box::new(SteppedInstance::new(&self.loaded, Arc::clone(&self.plan))?))
    }

    fn failure_cost(&self, _p: &[f64]) -> f64 {
        self.plan.failure_cost
    }
}

/// Asks the model where its states start.
pub(super) fn complete(loaded: &Loaded, plan: &mut Plan) -> Result<(), FmuPlantFault> {
    let start = FmuPlantFault::Start;
    let parameters: Vec<f64> = plan.description.parameters.iter().map(|p| p.default).collect();
    let mut instance = SteppedInstance::new(loaded, Arc::new(plan.clone())).map_err(start)?;
    let mut x: Vec<f64> = plan.description.states.iter().map(|state| state.default).collect();
    instance.begin(&mut x, &parameters).map_err(start)?;
    if x.iter().any(|value| !value.is_finite()) {
        return Err(start("its states have no finite values at the start".to_owned()));
    }
    for (state, start) in plan.description.states.iter_mut().zip(&x) {
        state.default = *start;
    }
    Ok(())
}

/// An instance, and what the expressions need.
struct SteppedInstance {
    instance: Instance,
    plan: Arc<Plan>,
    expressions: Expressions,
    memory: Memory,
    /// References of what is set before the start: parameters, start values, states, inputs.
    before_start: Vec<u32>,
    /// Start values that are no states.
    starts: Vec<f64>,
    inputs: Vec<u32>,
    numbers: Vec<f64>,
    /// The controls of the last step.
    u: Vec<f64>,
    /// The parameters of the episode.
    p: Vec<f64>,
}

impl SteppedInstance {
    fn new(loaded: &Loaded, plan: Arc<Plan>) -> Result<Self, String> {
        let instance = Instance::new(loaded, plan.description.states.len())?;
        let is_no_state = |(reference, _): &&(u32, f64)| !plan.state_references.contains(reference);
        let starts: Vec<(u32, f64)> = plan.starts.iter().filter(is_no_state).copied().collect();
        let parameters = plan.parameters.iter().map(|(_, reference)| *reference);
        let of_starts = starts.iter().map(|(reference, _)| *reference);
        Ok(Self {
            instance,
            expressions: Expressions::new(&plan),
            memory: Memory::new(&plan),
            before_start: parameters
                .chain(of_starts)
                .chain(plan.state_references.iter().copied())
                .chain(plan.inputs.iter().map(|(_, reference)| *reference))
                .collect(),
            starts: starts.iter().map(|(_, start)| *start).collect(),
            inputs: plan.inputs.iter().map(|(_, reference)| *reference).collect(),
            numbers: Vec::new(),
            u: plan.rest.clone(),
            p: Vec::new(),
            plan,
        })
    }

    /// Writes what is shown of the state.
    fn show(&mut self, x: &mut [f64], is_computed: Computed) -> Result<(), String> {
        if is_computed == Computed::No
            || self.instance.get(&self.plan.state_references, x)? == Computed::No
        {
            x.fill(f64::NAN);
        }
        Ok(())
    }
}

impl PlantInstance for SteppedInstance {
    fn begin(&mut self, x: &mut [f64], p: &[f64]) -> Result<(), String> {
        self.u.clone_from(&self.plan.rest);
        self.p.clear();
        self.p.extend_from_slice(p);
        self.numbers.clear();
        let value = |&(source, _): &(Source, u32)| source.value(&self.u, p);
        self.numbers.extend(self.plan.parameters.iter().map(value));
        self.numbers.extend_from_slice(&self.starts);
        self.numbers.extend_from_slice(x);
        let value = |&(source, _): &(Source, u32)| source.value(&self.u, p);
        self.numbers.extend(self.plan.inputs.iter().map(value));
        self.instance.start(&self.before_start, &self.numbers)?;
        self.show(x, Computed::Yes)
    }

    fn step(&mut self, t_s: f64, step_s: f64, x: &mut [f64], u: &[f64]) -> Result<(), String> {
        self.u.copy_from_slice(u);
        self.numbers.clear();
        let value = |&(source, _): &(Source, u32)| source.value(u, &self.p);
        self.numbers.extend(self.plan.inputs.iter().map(value));
        let mut computed = self.instance.set(&self.inputs, &self.numbers)?;
        if computed == Computed::Yes {
            computed = self.instance.step(t_s, step_s)?;
        }
        self.show(x, computed)
    }

    fn observe(&mut self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) -> Result<(), String> {
        let Self { instance, plan, expressions, memory, u, .. } = self;
        for (expression, y) in expressions.observations.iter().zip(y) {
            *y = expression.read(instance, plan, Point { t_s, x, u, p }, memory)?;
        }
        Ok(())
    }

    fn stage_cost(&mut self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> Result<f64, String> {
        // A state that is lost is a fault, whether or not the cost has it.
        if x.iter().any(|value| !value.is_finite()) {
            return Ok(f64::NAN);
        }
        let Self { instance, plan, expressions, memory, .. } = self;
        Ok(finite_cost(expressions.cost.read(instance, plan, Point { t_s, x, u, p }, memory)?))
    }

    fn terminal_cost(&mut self, x: &[f64], p: &[f64]) -> Result<f64, String> {
        let Self { instance, plan, expressions, memory, .. } = self;
        let Some(expression) = &expressions.terminal_cost else { return Ok(0.0) };
        let point = Point { t_s: 0.0, x, u: &[], p };
        Ok(finite_cost(expression.read(instance, plan, point, memory)?))
    }

    fn failed(&mut self, t_s: f64, x: &[f64], p: &[f64]) -> Result<bool, String> {
        let Self { instance, plan, expressions, memory, .. } = self;
        let Some(expression) = &expressions.failure else { return Ok(false) };
        Ok(expression.read(instance, plan, Point { t_s, x, u: &[], p }, memory)? == 1.0)
    }
}
