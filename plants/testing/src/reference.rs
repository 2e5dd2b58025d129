//! [`Reference`]: the reference trajectory of a plant, exact to the bit.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use bitloop_plant::Isa;

use crate::support::{Opener, SteppedPlant, handle};

/// A trajectory with the default parameters, under feedback that is held for `n_steps` of the plant's default step.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Where it starts: `[n_states]`.
    pub state: &'a [f64],
    /// Integration steps in a control period.
    pub n_steps: u32,
    /// Control periods.
    pub n_periods: u32,
    /// Control periods between two rows of the file.
    pub every: u32,
    /// The state that is written once more in decimals, for people.
    pub shown: usize,
    /// Writes the control, `[n_controls]`, for a state. It may use nothing but correctly rounded operations.
    pub feedback: fn(state: &[f64], control: &mut [f64]),
}

impl Reference<'_> {
    /// The trajectory by each of the plant's integrators: states and summed cost, as the bits of their numbers.
    ///
    /// # Panics
    /// If the plant ends or breaks.
    fn text(&self, open: Opener, isa: Isa) -> String {
        let handle = handle(open);
        let description = handle.description();
        let names: Vec<&str> = description.states.iter().map(|state| state.name.as_str()).collect();
        let parameters: Vec<f64> = description.parameters.iter().map(|it| it.default).collect();
        let shown = names[self.shown];
        let mut text = format!("integrator,tick,{},cost,{shown} in decimals\n", names.join(","));
        for &integrator in &description.integrators {
            let lane =
                SteppedPlant::new(open, integrator, description.step_s, self.state, &parameters);
            let mut lane = lane.on(isa);
            let mut control = vec![0.0; description.controls.len()];
            for period in 0..=self.n_periods {
                let state = lane.state();
                if period % self.every == 0 {
                    let numbers = state.iter().copied().chain([lane.cost()]);
                    let bits: Vec<String> =
                        numbers.map(|x| format!("{:016x}", x.to_bits())).collect();
                    let (name, tick) = (integrator.name(), period * self.n_steps);
                    let decimals = state[self.shown];
                    writeln!(text, "{name},{tick},{},{decimals:.6}", bits.join(",")).unwrap();
                }
                (self.feedback)(&state, &mut control);
                lane.hold(&control).advance(self.n_steps);
            }
        }
        text
    }

    /// Writes the trajectory into a file: when the equations change on purpose, so that the difference is reviewed.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn write(&self, open: Opener, path: impl AsRef<Path>) {
        fs::write(path, self.text(open, Isa::PORTABLE)).unwrap();
    }

    /// Checks that every instruction set gives `expected` to the bit.
    ///
    /// # Panics
    /// If one does not.
    pub fn check(&self, open: Opener, expected: &str) {
        for isa in Isa::available() {
            let found = self.text(open, isa);
            for (found, expected) in found.lines().zip(expected.lines()) {
                assert_eq!(found, expected, "on {}", isa.name());
            }
            assert_eq!(found.len(), expected.len(), "the file's length");
        }
    }
}
