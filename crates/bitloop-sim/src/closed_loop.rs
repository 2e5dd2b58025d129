//! [`ClosedLoop`]: a plant with its timing, its integrator, and the interface to a controller.

use bitloop_plant::{Integrator, PlantHandle};

use crate::controller::Controller;
use crate::error::SimError;
use crate::failure_charge::FailureCharge;
use crate::interface::{Channel, Interface};
use crate::penalty::{Penalties, PenaltyTerms};
use crate::timing::Timing;
use crate::uncertainty::Uncertainty;

/// A closed loop without its controller and its episodes.
///
/// Once per control period the loop goes through these stages: disturbances of parameters and states, observe, sensors, scale,
/// controller, unscale, saturate, actuators, disturbances of controls, hold. The plant then advances over the period under the
/// held control. Sensors and actuators are perfect, and nothing disturbs, unless there is an [`Uncertainty`]; a reference
/// belongs to the plant.
#[derive(Clone, Debug)]
pub struct ClosedLoop {
    plant: PlantHandle,
    timing: Timing,
    integrator: Integrator,
    interface: Interface,
    failure_cost: Option<f64>,
    pub(crate) failure_charge: FailureCharge,
    uncertainty: Uncertainty,
    /// The steps within a control period at which delayed commands arrive.
    pub(crate) switches: Vec<u64>,
    /// What is charged beside the plant's own cost.
    pub(crate) penalties: PenaltyTerms,
    /// Whether a controller's inputs are the plant's states, and not its observations.
    feeds_back_states: bool,
    /// Whether observations are a controller's inputs as they are.
    pub(crate) passes_observations: bool,
    /// Whether a controller's outputs are the controls as they are.
    pub(crate) passes_outputs: bool,
}

impl ClosedLoop {
    /// A loop around `plant`. `failure_cost` replaces the plant's own.
    ///
    /// # Errors
    /// [`SimError`] if the plant does not serve `integrator`, or the interface does not fit the plant or has a scale or
    /// bounds out of range.
    pub fn new(
        plant: PlantHandle,
        timing: Timing,
        integrator: Integrator,
        interface: Interface,
        failure_cost: Option<f64>,
    ) -> Result<Self, SimError> {
        let description = plant.description();
        if !description.integrators.contains(&integrator) {
            let known: Vec<_> = description.integrators.iter().map(|known| known.name()).collect();
            return Err(SimError::Integrator(format!(
                "plant `{}` cannot be run with {}: use {}",
                description.name,
                integrator.name(),
                known.join(" or ")
            )));
        }
        let n_controls = description.controls.len();
        if interface.outputs.len() != n_controls {
            return Err(SimError::ControllerMismatch {
                what: "outputs",
                expected: n_controls,
                found: interface.outputs.len(),
            });
        }
        if interface.inputs.is_empty() {
            return Err(SimError::ControllerMismatch {
                what: "inputs",
                expected: description.observations.len(),
                found: 0,
            });
        }
        interface.check(description)?;
        Ok(Self {
            passes_observations: interface.is_all_observations(description.observations.len()),
            passes_outputs: interface.is_all_controls(description.controls.len()),
            feeds_back_states: false,
            plant,
            timing,
            integrator,
            interface,
            failure_cost,
            failure_charge: FailureCharge::default(),
            uncertainty: Uncertainty::default(),
            switches: Vec::new(),
            penalties: PenaltyTerms::default(),
        })
    }

    /// The same loop with these sensors, actuators and disturbances.
    ///
    /// # Errors
    /// [`SimError::BadUncertainty`] for one that is none of the plant's or has invalid numbers, [`SimError::TooLarge`] for
    /// delays that take too much memory.
    pub fn with_uncertainty(self, uncertainty: Uncertainty) -> Result<Self, SimError> {
        uncertainty.check(self.plant.description(), self.timing)?;
        if self.plant.owns_state() {
            uncertainty.check_owned_state(self.plant.description())?;
        }
        let switches = uncertainty.switches(self.timing);
        Ok(Self { uncertainty, switches, ..self })
    }

    /// Rows of the key of each episode's noise.
    pub(crate) fn n_noise_keys(&self) -> usize {
        if self.plant.takes_seeds() { 2 } else { self.uncertainty.n_noise_keys() }
    }

    /// The same loop with the share `scale` of the noise, from 0 to 1, for [milder](crate::EpisodeSet::milder) episodes. A workspace of
    /// this loop serves that one too.
    #[must_use]
    pub fn milder(&self, scale: f64) -> Self {
        Self { uncertainty: self.uncertainty.milder(scale), ..self.clone() }
    }

    /// The same loop with other channels between plant and controller.
    ///
    /// # Errors
    /// As [`ClosedLoop::new`].
    pub fn with_interface(&self, interface: Interface) -> Result<Self, SimError> {
        let Self { plant, timing, integrator, failure_cost, uncertainty, .. } = self.clone();
        let closed_loop = Self::new(plant, timing, integrator, interface, failure_cost)?
            .with_failure_charge(self.failure_charge);
        Ok(closed_loop.with_uncertainty(uncertainty)?.with_penalties_of(self))
    }

    /// The same loop for a controller that sees all states of the plant at each query, exact and at once, whatever is observed:
    /// x is (state - default) / scale of each. No controller that is saved has such inputs; it is for baselines.
    #[must_use]
    pub fn with_state_feedback(&self) -> Self {
        let states = self.plant.description().states.iter().enumerate();
        let inputs = states.map(|(index, state)| {
            let bounds = (f64::NEG_INFINITY, f64::INFINITY);
            Channel { index, center: state.default, scale: state.scale, bounds }
        });
        let interface =
            Interface { inputs: inputs.collect(), outputs: self.interface.outputs.clone() };
        Self { interface, feeds_back_states: true, passes_observations: false, ..self.clone() }
    }

    /// Whether a controller's inputs are the plant's states, and not its observations.
    #[must_use]
    pub const fn feeds_back_states(&self) -> bool {
        self.feeds_back_states
    }

    /// The same loop, in which failed episodes are charged like this.
    #[must_use]
    pub fn with_failure_charge(self, failure_charge: FailureCharge) -> Self {
        Self { failure_charge, ..self }
    }

    /// The same loop, which charges penalties on the controls as its interface scales and bounds them.
    #[must_use]
    pub fn with_penalties(mut self, penalties: Penalties) -> Self {
        self.penalties = PenaltyTerms::new(penalties, &self.interface);
        self
    }

    /// The same loop with the penalties of another one, on the controls as that one scales and bounds them.
    #[must_use]
    pub fn with_penalties_of(mut self, other: &Self) -> Self {
        self.penalties = other.penalties.clone();
        self
    }

    /// What is charged beside the plant's own cost.
    #[must_use]
    pub const fn penalties(&self) -> Penalties {
        self.penalties.penalties
    }

    /// The plant.
    #[must_use]
    pub fn plant(&self) -> &PlantHandle {
        &self.plant
    }

    /// The integration step and the control period.
    #[must_use]
    pub const fn timing(&self) -> Timing {
        self.timing
    }

    /// The integration method.
    #[must_use]
    pub const fn integrator(&self) -> Integrator {
        self.integrator
    }

    /// The inputs and outputs of a controller.
    #[must_use]
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The sensors and actuators that are not perfect, and the disturbances.
    #[must_use]
    pub const fn uncertainty(&self) -> &Uncertainty {
        &self.uncertainty
    }

    /// The failure cost that replaces the plant's own.
    #[must_use]
    pub const fn failure_cost(&self) -> Option<f64> {
        self.failure_cost
    }

    /// Checks that a controller fits the loop.
    ///
    /// # Errors
    /// [`SimError::ControllerMismatch`] if it does not.
    pub fn check_controller(&self, controller: &dyn Controller) -> Result<(), SimError> {
        let (n_inputs, n_outputs) = (self.interface.inputs.len(), self.interface.outputs.len());
        for (what, expected, found) in [
            ("inputs", n_inputs, controller.n_inputs()),
            ("outputs", n_outputs, controller.n_outputs()),
        ] {
            if expected != found {
                return Err(SimError::ControllerMismatch { what, expected, found });
            }
        }
        Ok(())
    }
}
