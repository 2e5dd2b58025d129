//! [`FmuSimulator`]: the equations of a model, by its instances and the expressions beside it.

use std::sync::Arc;

use bitloop_fmu::{Plan, Source};
use bitloop_plant::{Equations, Simulator};

use super::error::FmuPlantFault;
use super::expressions::{Expression, Expressions, Memory, Point, finite_cost};
use super::instance::{Computed, Instance};
use super::load::Loaded;

/// A model whose instances are made when threads need them.
pub(super) struct FmuSimulator {
    loaded: Loaded,
    plan: Arc<Plan>,
    max_instances: usize,
}

impl FmuSimulator {
    pub fn new(loaded: Loaded, plan: Plan, max_instances: usize) -> Self {
        Self { loaded, plan: Arc::new(plan), max_instances }
    }
}

impl Simulator for FmuSimulator {
    fn equations(&self) -> Result<Box<dyn Equations>, String> {
        Ok(Box::new(FmuEquations::new(&self.loaded, Arc::clone(&self.plan))?))
    }

    fn max_equations(&self) -> usize {
        self.max_instances
    }
}

/// Asks the model where its states start, and makes sure that what a controller sees does not depend on its own control.
pub(super) fn complete(loaded: &Loaded, plan: &mut Plan) -> Result<(), FmuPlantFault> {
    let start = FmuPlantFault::Start;
    let parameters: Vec<f64> = plan.description.parameters.iter().map(|p| p.default).collect();
    let mut equations = FmuEquations::new(loaded, Arc::new(plan.clone())).map_err(start)?;
    let mut x = vec![0.0; plan.description.states.len()];
    let resting = plan.rest.clone();
    equations.initialize(&resting, &parameters).map_err(start)?;
    let computed = equations.instance.states(&mut x).map_err(start)?;
    if computed == Computed::No || x.iter().any(|value| !value.is_finite()) {
        return Err(start("its states have no finite values at the start".to_owned()));
    }
    for ((state, start), has_start) in
        plan.description.states.iter_mut().zip(&mut x).zip(&plan.has_start)
    {
        if *has_start {
            *start = state.default;
        } else {
            state.default = *start;
        }
    }
    equations.find_feedthrough(&x, &parameters)
}

/// One instance, and what the expressions need.
struct FmuEquations {
    instance: Instance,
    plan: Arc<Plan>,
    expressions: Arc<Expressions>,
    /// References of what is set before the start: parameters first, then start values.
    before_start: Vec<u32>,
    /// The bits of the values of the parameters that the instance was started with; empty before.
    started_with: Vec<u64>,
    inputs: Vec<u32>,
    numbers: Vec<f64>,
    memory: Memory,
}

impl FmuEquations {
    fn new(loaded: &Loaded, plan: Arc<Plan>) -> Result<Self, String> {
        let instance = Instance::new(loaded, plan.description.states.len())?;
        let parameters = plan.parameters.iter().map(|(_, reference)| *reference);
        let starts = plan.starts.iter().map(|(reference, _)| *reference);
        Ok(Self {
            instance,
            expressions: Arc::new(Expressions::new(&plan)),
            before_start: parameters.chain(starts).collect(),
            started_with: Vec::new(),
            inputs: plan.inputs.iter().map(|(_, reference)| *reference).collect(),
            numbers: Vec::new(),
            memory: Memory::new(&plan),
            plan,
        })
    }

    /// Starts the instance unless it runs with these parameters already.
    fn initialize(&mut self, u: &[f64], p: &[f64]) -> Result<(), String> {
        let plan = &self.plan;
        let value = |&(source, _): &(Source, u32)| source.value(u, p);
        let is_same = self.started_with.len() == plan.parameters.len() + 1
            && plan
                .parameters
                .iter()
                .zip(&self.started_with)
                .all(|(parameter, bits)| value(parameter).to_bits() == *bits);
        if is_same {
            return Ok(());
        }
        self.numbers.clear();
        self.numbers.extend(plan.parameters.iter().map(value));
        self.started_with.clear();
        self.numbers.extend(plan.starts.iter().map(|(_, start)| start));
        self.instance.start(&self.before_start, &self.numbers)?;
        self.started_with.extend(plan.parameters.iter().map(|p| value(p).to_bits()));
        // A model without parameters is started once, too.
        self.started_with.push(0);
        Ok(())
    }

    /// Sets everything that the model's answers depend on.
    fn set(&mut self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> Result<Computed, String> {
        self.initialize(u, p)?;
        if self.instance.set_state(t_s, x)? == Computed::No {
            return Ok(Computed::No);
        }
        self.numbers.clear();
        self.numbers.extend(self.plan.inputs.iter().map(|&(source, _)| source.value(u, p)));
        self.instance.set(&self.inputs, &self.numbers)
    }

    /// The value of an expression; NaN where the model cannot compute what it needs.
    fn value(
        &mut self,
        expression: &Expression,
        t_s: f64,
        x: &[f64],
        u: &[f64],
        p: &[f64],
    ) -> Result<f64, String> {
        if !expression.outputs.is_empty() && self.set(t_s, x, u, p)? == Computed::No {
            return Ok(f64::NAN);
        }
        let Self { instance, plan, memory, .. } = self;
        expression.read(instance, plan, Point { t_s, x, u, p }, memory)
    }

    /// The values of the expressions that may depend on the state alone.
    fn of_state(&mut self, x: &[f64], u: &[f64], p: &[f64]) -> Result<Vec<(String, f64)>, String> {
        let (plan, expressions) = (Arc::clone(&self.plan), Arc::clone(&self.expressions));
        let mut values = Vec::new();
        for (expression, variable) in
            expressions.observations.iter().zip(&plan.description.observations)
        {
            let what = format!("the observation `{}`", variable.name);
            values.push((what, self.value(expression, 0.0, x, u, p)?));
        }
        let others = [
            (&expressions.failure, "the failure"),
            (&expressions.terminal_cost, "the terminal cost"),
        ];
        for (expression, what) in others {
            // A condition may not change although what it compares does: each of these is looked at.
            for &reference in expression.iter().flat_map(|expression| &expression.outputs) {
                let is_set = self.set(0.0, x, u, p)?;
                let mut value = [f64::NAN];
                let is_read = self.instance.get(&[reference], &mut value)?;
                let is_there = is_set == Computed::Yes && is_read == Computed::Yes;
                values.push((what.to_owned(), if is_there { value[0] } else { f64::NAN }));
            }
        }
        Ok(values)
    }

    /// Refuses a model that shows what its control is at once.
    fn find_feedthrough(&mut self, x: &[f64], p: &[f64]) -> Result<(), FmuPlantFault> {
        let plan = Arc::clone(&self.plan);
        let at_rest = self.of_state(x, &plan.rest, p).map_err(FmuPlantFault::Start)?;
        for (index, control) in plan.description.controls.iter().enumerate() {
            let mut u = plan.rest.clone();
            let ends = [control.max, control.min, control.center + control.scale];
            let other = ends.into_iter().find(|end| end.is_finite() && *end != u[index]);
            u[index] = other.unwrap_or(u[index]);
            let moved = self.of_state(x, &u, p).map_err(FmuPlantFault::Start)?;
            let differs = |((_, a), (_, b)): &(&(String, f64), &(String, f64))| {
                a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan())
            };
            if let Some(((what, _), _)) = at_rest.iter().zip(&moved).find(differs) {
                let (what, control) = (what.clone(), control.name.clone());
                return Err(FmuPlantFault::Feedthrough { what, control });
            }
        }
        Ok(())
    }
}

impl Equations for FmuEquations {
    fn derivative(
        &mut self,
        t_s: f64,
        x: &[f64],
        u: &[f64],
        p: &[f64],
        dx: &mut [f64],
    ) -> Result<(), String> {
        let is_set = self.set(t_s, x, u, p)?;
        if is_set == Computed::No || self.instance.derivatives(dx)? == Computed::No {
            dx.fill(f64::NAN);
        }
        Ok(())
    }

    fn observe(&mut self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) -> Result<(), String> {
        let (plan, expressions) = (Arc::clone(&self.plan), Arc::clone(&self.expressions));
        // All observations are of one state, which is set once.
        let needs_model = expressions.observations.iter().any(|it| !it.outputs.is_empty());
        let is_set = !needs_model || self.set(t_s, x, &plan.rest, p)? == Computed::Yes;
        let point = Point { t_s, x, u: &plan.rest, p };
        for (expression, y) in expressions.observations.iter().zip(y) {
            *y = if is_set || expression.outputs.is_empty() {
                expression.read(&mut self.instance, &plan, point, &mut self.memory)?
            } else {
                f64::NAN
            };
        }
        Ok(())
    }

    fn stage_cost(&mut self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> Result<f64, String> {
        // A state that is lost is a fault, whether or not the cost has it; and so is a division by zero.
        if x.iter().any(|value| !value.is_finite()) {
            return Ok(f64::NAN);
        }
        let expressions = Arc::clone(&self.expressions);
        let cost = self.value(&expressions.cost, t_s, x, u, p)?;
        Ok(finite_cost(cost))
    }

    fn terminal_cost(&mut self, x: &[f64], p: &[f64]) -> Result<f64, String> {
        let (plan, expressions) = (Arc::clone(&self.plan), Arc::clone(&self.expressions));
        let Some(expression) = &expressions.terminal_cost else { return Ok(0.0) };
        let cost = self.value(expression, 0.0, x, &plan.rest, p)?;
        Ok(finite_cost(cost))
    }

    fn failed(&mut self, t_s: f64, x: &[f64], p: &[f64]) -> Result<bool, String> {
        let (plan, expressions) = (Arc::clone(&self.plan), Arc::clone(&self.expressions));
        let Some(expression) = &expressions.failure else { return Ok(false) };
        // What the model cannot compute is a fault of the cost, and no failure.
        Ok(self.value(expression, t_s, x, &plan.rest, p)? == 1.0)
    }

    fn failure_cost(&mut self, _p: &[f64]) -> Result<f64, String> {
        Ok(self.plan.failure_cost)
    }
}
