//! [`Fixed`]: a controller in fixed point, stepped in Rust, also in a closed loop.

use bitloop_net::{Activation, SignalLanes};
use bitloop_plant::Isa;
use bitloop_sim::Controller;

use super::arithmetic::{moved_right, saturated, tanh};
use super::factor::scaled;
use super::plan::{FixedInput, FixedLayer, FixedOutput, Plan, SIGNAL_BITS, in_units};
use super::sigmoid;
use crate::error::ExportError;
use crate::portable::Portable;

const ONE: i32 = 1 << SIGNAL_BITS;

/// A controller or model in fixed point. Its state is kept apart, `[n_memory]` integers, 0 at the start.
///
/// As a [`Controller`] it takes the place of network and scaling: it reads the plant's own values and gives the control
/// itself, so it belongs into a loop whose channels scale nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed {
    plan: Plan,
    nodes: [i32; 65],
}

impl Fixed {
    /// The controller with all its constants.
    ///
    /// # Errors
    /// Weights or scales that fixed point does not hold.
    pub fn new(portable: &Portable) -> Result<Self, ExportError> {
        portable.check()?;
        Ok(Self { plan: Plan::new(portable)?, nodes: sigmoid::nodes() })
    }

    pub(crate) const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What a user should know: units, and where signals saturate.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.plan.notes
    }

    /// Numbers of the state.
    #[must_use]
    pub const fn n_memory(&self) -> usize {
        self.plan.n_memory
    }

    /// Inputs in their units as [`Fixed::step`] reads them, rounded and held to 32 bits; NaN becomes 0.
    ///
    /// # Panics
    /// If there are more values than inputs.
    #[must_use]
    pub fn inputs(&self, values: &[f64]) -> Vec<i32> {
        let of = |(at, &value): (usize, &f64)| in_units(value, self.input_bits(at));
        values.iter().enumerate().map(of).collect()
    }

    /// Outputs of [`Fixed::step`] in their units.
    ///
    /// # Panics
    /// If there are more numbers than outputs.
    #[must_use]
    pub fn outputs(&self, numbers: &[i32]) -> Vec<f64> {
        let of = |(at, &number): (usize, &i32)| scaled(f64::from(number), -self.output_bits(at));
        numbers.iter().enumerate().map(of).collect()
    }

    pub(crate) fn input_bits(&self, input: usize) -> i32 {
        match self.plan.inputs[input] {
            FixedInput::Scaled { bits, .. } => bits,
            FixedInput::Constant(_) | FixedInput::Words(_) => 0,
        }
    }

    pub(crate) fn output_bits(&self, output: usize) -> i32 {
        match self.plan.outputs[output] {
            FixedOutput::Value { bits, .. } | FixedOutput::Constant { bits, .. } => bits,
            FixedOutput::OneOfTwo { .. } | FixedOutput::Largest { .. } => 0,
        }
    }

    /// One step: reads `inputs: [n_inputs]`, updates `memory: [n_memory]`, writes `outputs: [n_outputs]`.
    ///
    /// # Panics
    /// If a slice has another length.
    pub fn step(&self, memory: &mut [i32], inputs: &[i32], outputs: &mut [i32]) {
        let plan = &self.plan;
        assert_eq!(memory.len(), plan.n_memory, "the state of another network");
        let mut fed = self.encode(inputs);
        if plan.n_window > 0 {
            let n_kept = plan.n_window - fed.len();
            memory.copy_within(..n_kept, fed.len());
            memory[..fed.len()].copy_from_slice(&fed);
            fed = memory[..plan.n_window].to_vec();
        }
        let seen = fed.clone();
        let (last, hidden) = plan.layers.split_last().expect("a network has a layer");
        for layer in hidden {
            let past = self.past(layer, memory);
            let signals: Vec<i32> = (0..layer.call.n_neurons)
                .map(|neuron| self.signal(layer, self.sum(layer, neuron, &fed, past)))
                .collect();
            if let Some(at) = layer.call.memory {
                memory[plan.n_window + at..][..signals.len()].copy_from_slice(&signals);
            }
            fed = signals;
        }
        fed.extend(&seen[..last.call.n_direct]);
        let sums = (0..last.call.n_neurons).map(|neuron| {
            let sum = self.sum(last, neuron, &fed, &[]);
            match last.call.activation {
                Activation::Linear => sum,
                _ => i64::from(self.signal(last, sum)),
            }
        });
        self.decode(&sums.collect::<Vec<_>>(), outputs);
    }

    fn encode(&self, inputs: &[i32]) -> Vec<i32> {
        let mut signals = Vec::with_capacity(self.plan.n_fed);
        for (input, &value) in self.plan.inputs.iter().zip(inputs) {
            match *input {
                FixedInput::Scaled { center, factor, .. } => {
                    signals.push(factor.apply(i64::from(value) - i64::from(center)));
                }
                FixedInput::Constant(signal) => signals.push(signal),
                FixedInput::Words(n) => {
                    signals
                        .extend((0..).take(n).map(|word| if value == word { ONE } else { -ONE }));
                }
            }
        }
        signals
    }

    fn past<'m>(&self, layer: &FixedLayer, memory: &'m [i32]) -> &'m [i32] {
        let start = layer.call.memory.map(|at| self.plan.n_window + at);
        start.map_or(&[], |start| &memory[start..start + layer.call.n_neurons])
    }

    /// b + sum w fed + sum v past, in units of the weights' step and 2^-24.
    fn sum(&self, layer: &FixedLayer, neuron: usize, fed: &[i32], past: &[i32]) -> i64 {
        let call = &layer.call;
        let per_neuron = 1 + call.n_fed + call.n_back;
        let codes = &self.plan.codes.codes[call.first_weight + neuron * per_neuron..][..per_neuron];
        let past = if call.own { &past[neuron..=neuron] } else { past };
        let signals = std::iter::once(&ONE).chain(fed).chain(past);
        codes.iter().zip(signals).map(|(&code, &signal)| i64::from(code) * i64::from(signal)).sum()
    }

    /// A sum through the transfer function.
    #[expect(clippy::cast_possible_truncation, reason = "at most 2^24 in magnitude")]
    fn signal(&self, layer: &FixedLayer, sum: i64) -> i32 {
        let argument = layer.factor.apply(sum);
        match layer.call.activation {
            Activation::Linear => argument,
            Activation::Tanh => moved_right(i64::from(tanh(&self.nodes, argument)), 6) as i32,
            // (1 + tanh(s / 2)) / 2.
            Activation::Logistic => {
                moved_right((1 << 30) + i64::from(tanh(&self.nodes, argument)), 7) as i32
            }
        }
    }

    fn decode(&self, sums: &[i64], outputs: &mut [i32]) {
        let mut rest = sums;
        for (planned, output) in self.plan.outputs.iter().zip(outputs) {
            let n =
                if let FixedOutput::Largest { n_classes, .. } = planned { *n_classes } else { 1 };
            let (own, others) = rest.split_at(n);
            rest = others;
            *output = match *planned {
                FixedOutput::Value { center, factor, min, max, .. } => {
                    let value = i64::from(center) + i64::from(factor.apply(own[0]));
                    saturated(value).clamp(min, max)
                }
                FixedOutput::Constant { value, .. } => value,
                FixedOutput::OneOfTwo { factor, half } => i32::from(factor.apply(own[0]) >= half),
                FixedOutput::Largest { factor, .. } => {
                    let mut largest = (0, factor.apply(own[0]));
                    for (class, &sum) in (0..).zip(own) {
                        if factor.apply(sum) > largest.1 {
                            largest = (class, factor.apply(sum));
                        }
                    }
                    largest.0
                }
            };
        }
    }
}

impl Controller for Fixed {
    fn n_inputs(&self) -> usize {
        self.plan.inputs.len()
    }

    fn n_outputs(&self) -> usize {
        self.plan.outputs.len()
    }

    /// None: it is replayed, never copied for a search.
    fn parameters(&self) -> &[f64] {
        &[]
    }

    fn signals(&self, n_lanes: usize) -> SignalLanes {
        SignalLanes::zeros(self.n_inputs(), self.n_outputs(), self.plan.n_memory, 0, n_lanes)
    }

    /// Memory is kept in doubles, which hold each 32-bit integer.
    #[expect(clippy::cast_possible_truncation, reason = "32-bit integers, held in doubles")]
    fn act(&self, _isa: Isa, n_lanes: usize, signals: &mut SignalLanes) {
        let mut memory = vec![0; self.plan.n_memory];
        let mut values = vec![0.0; self.n_inputs()];
        let mut outputs = vec![0; self.n_outputs()];
        for lane in 0..n_lanes {
            for (row, value) in values.iter_mut().enumerate() {
                *value = signals.input.row(row)[lane];
            }
            for (row, number) in memory.iter_mut().enumerate() {
                *number = signals.memory.row(row)[lane] as i32;
            }
            self.step(&mut memory, &self.inputs(&values), &mut outputs);
            for (row, &number) in memory.iter().enumerate() {
                signals.memory.row_mut(row)[lane] = f64::from(number);
            }
            for (row, value) in self.outputs(&outputs).into_iter().enumerate() {
                signals.output.row_mut(row)[lane] = value;
            }
        }
    }
}
