//! [`SteppedPlant`]: a plant under a held control, step by step.

use bitloop_plant::{DescriptionError, Integrator, Isa, Plant, PlantHandle, PlantLanes, Stretch};

/// As few lanes as a host would use.
const N_LANES: usize = 8;

/// The function by which a plant's crate opens its plant. It stands for the plant's type, so that a test compiles no kernels.
pub type Opener = fn(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError>;

/// A plant that is linked in.
///
/// # Panics
/// If its description is faulty.
#[must_use]
pub fn handle(open: Opener) -> PlantHandle {
    open(None).unwrap_or_else(|error| panic!("{error}"))
}

/// The defaults of a plant's parameters.
#[must_use]
pub fn defaults<P: Plant>() -> Vec<f64> {
    P::default().description().parameters.iter().map(|parameter| parameter.default).collect()
}

/// Lanes of a plant that all hold the same numbers, advanced through the plant table.
#[derive(Clone, Debug)]
pub struct SteppedPlant {
    handle: PlantHandle,
    lanes: PlantLanes,
    isa: Isa,
    integrator: Integrator,
    step_s: f64,
    tick: u64,
}

impl SteppedPlant {
    /// A plant at `state: [n_states]` with `parameters: [n_parameters]`, its controls at 0.
    ///
    /// # Panics
    /// If the lengths are not the plant's.
    #[must_use]
    pub fn new(
        open: Opener,
        integrator: Integrator,
        step_s: f64,
        state: &[f64],
        parameters: &[f64],
    ) -> Self {
        let handle = handle(open);
        let mut lanes = handle.lanes(N_LANES);
        fill(&mut lanes.state, state);
        fill(&mut lanes.parameters, parameters);
        Self { handle, lanes, isa: Isa::best(), integrator, step_s, tick: 0 }
    }

    /// The same lane on another instruction set.
    #[must_use]
    pub fn on(self, isa: Isa) -> Self {
        Self { isa, ..self }
    }

    /// Holds `control: [n_controls]` from now on.
    ///
    /// # Panics
    /// If the length is not the plant's.
    pub fn hold(&mut self, control: &[f64]) -> &mut Self {
        fill(&mut self.lanes.control, control);
        self
    }

    /// Takes so many steps, in which no lane may end.
    ///
    /// # Panics
    /// If a lane ends or the plant breaks.
    pub fn advance(&mut self, n_steps: u32) -> &mut Self {
        assert_eq!(self.end_within(n_steps), None, "the plant ended");
        self
    }

    /// Takes up to so many steps: the step of this call at which the plant ended, and the stage cost there.
    ///
    /// # Panics
    /// If the plant breaks.
    pub fn end_within(&mut self, n_steps: u32) -> Option<(u32, f64)> {
        let stretch = self.stretch(n_steps);
        let n_ended = self.handle.advance(self.isa, &mut self.lanes, N_LANES, stretch);
        self.tick += u64::from(n_steps);
        match n_ended.unwrap_or_else(|error| panic!("{error}")) {
            0 => None,
            n_ended => {
                assert_eq!(n_ended as usize, N_LANES, "lanes that are alike end together");
                let step = (0..N_LANES).map(|lane| self.lanes.take_end_step(lane)).max();
                step.map(|step| (step, self.lanes.end_cost.row(0)[0]))
            }
        }
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        (0..self.lanes.state.n_rows()).map(|row| self.lanes.state.row(row)[0]).collect()
    }

    /// The sum of the stage costs so far.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.lanes.cost.row(0)[0]
    }

    /// What a controller may see.
    ///
    /// # Panics
    /// If the plant breaks.
    pub fn observation(&mut self) -> Vec<f64> {
        let stretch = self.stretch(0);
        self.handle
            .observe(self.isa, &mut self.lanes, N_LANES, stretch)
            .unwrap_or_else(|error| panic!("{error}"));
        let rows = 0..self.lanes.observation.n_rows();
        rows.map(|row| self.lanes.observation.row(row)[0]).collect()
    }

    /// What a failure is charged for each step.
    ///
    /// # Panics
    /// If the plant breaks.
    pub fn failure_cost(&mut self) -> f64 {
        self.handle
            .failure_cost(self.isa, &mut self.lanes, N_LANES)
            .unwrap_or_else(|error| panic!("{error}"));
        self.lanes.end_cost.row(0)[0]
    }

    fn stretch(&self, n_steps: u32) -> Stretch {
        let Self { tick, step_s, integrator, .. } = *self;
        Stretch { tick, n_steps, step_s, integrator, counts_cost: true }
    }
}

fn fill(matrix: &mut bitloop_plant::LaneMatrix, values: &[f64]) {
    assert_eq!(matrix.n_rows(), values.len(), "a value for each variable");
    for (row, &value) in values.iter().enumerate() {
        matrix.row_mut(row).fill(value);
    }
}
