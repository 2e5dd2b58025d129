//! [`Expressions`]: what the file beside an FMU computes of a model's variables.

use bitloop_fmu::{Plan, Program, Slot};

use super::instance::{Computed, Instance};

/// What is computed of a state.
pub(super) struct Expressions {
    pub cost: Expression,
    pub terminal_cost: Option<Expression>,
    pub failure: Option<Expression>,
    pub observations: Vec<Expression>,
}

/// A program, and the variables of the model that it needs.
pub(super) struct Expression {
    program: Program,
    /// Positions of the names.
    names: Vec<usize>,
    /// References of those that the model computes, in the order of their positions.
    pub outputs: Vec<u32>,
}

/// Time, state, controls and parameters.
#[derive(Clone, Copy)]
pub(super) struct Point<'a> {
    pub t_s: f64,
    pub x: &'a [f64],
    pub u: &'a [f64],
    pub p: &'a [f64],
}

/// Working memory.
pub(super) struct Memory {
    /// A value for each name.
    values: Vec<f64>,
    /// What the model computed for an expression, in its order.
    outputs: Vec<f64>,
    stack: Vec<f64>,
}

impl Memory {
    pub fn new(plan: &Plan) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        Self {
            values: zeros(plan.slots.len()),
            outputs: zeros(plan.outputs.len()),
            stack: Vec::new(),
        }
    }
}

impl Expressions {
    pub fn new(plan: &Plan) -> Self {
        let of = |program: &Program| Expression::new(program, plan);
        Self {
            cost: of(&plan.cost),
            terminal_cost: plan.terminal_cost.as_ref().map(of),
            failure: plan.failure.as_ref().map(of),
            observations: plan.observations.iter().map(of).collect(),
        }
    }
}

impl Expression {
    fn new(program: &Program, plan: &Plan) -> Self {
        let names = program.names();
        let output = |name: &usize| match plan.slots[*name] {
            Slot::Output(at) => Some(plan.outputs[at]),
            _ => None,
        };
        let outputs = names.iter().filter_map(output).collect();
        Self { program: program.clone(), names, outputs }
    }

    /// Its value at the state that the model is in; NaN where the model cannot compute what it needs.
    pub fn read(
        &self,
        instance: &mut Instance,
        plan: &Plan,
        point: Point<'_>,
        memory: &mut Memory,
    ) -> Result<f64, String> {
        let outputs = &mut memory.outputs[..self.outputs.len()];
        if instance.get(&self.outputs, outputs)? == Computed::No {
            return Ok(f64::NAN);
        }
        Ok(self.value(plan, point, memory))
    }

    /// Its value, once the outputs that it needs are in memory.
    fn value(&self, plan: &Plan, point: Point<'_>, memory: &mut Memory) -> f64 {
        let Memory { values, outputs, stack } = memory;
        let mut outputs = outputs.iter();
        for &name in &self.names {
            values[name] = match plan.slots[name] {
                Slot::State(index) => point.x[index],
                Slot::Control(index) => point.u[index],
                Slot::Parameter(index) => point.p[index],
                Slot::Time => point.t_s,
                Slot::Output(_) => outputs.next().copied().unwrap_or(f64::NAN),
            };
        }
        self.program.value(values, stack)
    }
}

/// A cost that is no finite number is a fault.
pub(super) const fn finite_cost(cost: f64) -> f64 {
    if cost.is_finite() { cost } else { f64::NAN }
}
