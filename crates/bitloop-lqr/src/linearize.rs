//! [`Linearization`]: a plant near an operating point, seen once a control period.
//!
//! x is the state at a query, u the control held until the next one. By central differences of the simulated map over
//! one control period, with the loop's own integrator:
//! ```text
//! x' - x0 = A (x - x0) + B (u - u0)      y - y0 = C (x - x0)
//! mean stage cost of the period = c0 + 1/2 (x - x0)' Q (x - x0) + (x - x0)' N (u - u0) + 1/2 (u - u0)' R (u - u0)
//! ```
//! Slopes of the cost along u are left out: the default state is held, also where a state beside it would be cheaper.
//! The costs are those that the simulation adds up, at each integration step within the period: so the control has a weight
//! by what it does to the states even if the stage cost does not name it.

use bitloop_plant::{Isa, LaneMatrix, PlantHandle, Stretch, Variable};
use bitloop_sim::ClosedLoop;
use nalgebra::{DMatrix, DVector};

use crate::error::LqrError;

/// Step of the first differences, in scales of a variable: rounding errors stay near 1e-12, those of the next order
/// near 1e-8.
const FIRST_STEP: f64 = 1e-4;
/// Step of the second differences: 1e-10 and 1e-6.
const SECOND_STEP: f64 = 1e-3;
/// What a state may move in a control period at rest, how far the cost may slope there, and how far from its center an
/// observation may be, in scales.
pub(crate) const TOLERANCE: f64 = 1e-6;

/// A plant near an operating point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linearization {
    /// A: `[n_x][n_x]`.
    pub state_matrix: DMatrix<f64>,
    /// B: `[n_x][n_u]`.
    pub control_matrix: DMatrix<f64>,
    /// C: `[n_inputs][n_x]`, of what the controller sees, scaled as it sees it.
    pub input_matrix: DMatrix<f64>,
    /// What the controller sees at the operating point.
    pub input: DVector<f64>,
    /// Q: `[n_x][n_x]`.
    pub state_weight: DMatrix<f64>,
    /// N: `[n_x][n_u]`.
    pub cross_weight: DMatrix<f64>,
    /// R: `[n_u][n_u]`.
    pub control_weight: DMatrix<f64>,
    /// c0: the mean stage cost at the operating point.
    pub rest_cost: f64,
}

impl Linearization {
    /// Around the plant's default state and what its controller commands as 0, with `parameters: [n_parameters]`.
    ///
    /// # Errors
    /// [`LqrError`] if the plant breaks or fails there, does not rest, or has a cost with a slope.
    ///
    /// # Panics
    /// If the number of parameters is not the plant's.
    pub(crate) fn new(closed_loop: &ClosedLoop, parameters: &[f64]) -> Result<Self, LqrError> {
        let point = Point::new(closed_loop, parameters);
        let (n_x, n_z) = (point.states.len(), point.scales.len());
        let rest = point.advanced(&[point.along(&[])])?;
        for (row, state) in point.states.iter().enumerate() {
            let moved = (rest.state.row(row)[0] - state.default) / state.scale;
            // What is not finite was refused.
            if moved.abs() > TOLERANCE {
                let outputs = closed_loop.interface().outputs.iter();
                let centers: Vec<f64> = outputs.map(|channel| channel.center).collect();
                return Err(point.no_equilibrium(row, moved, &centers));
            }
        }
        let (jacobian, inputs) = point.first_differences()?;
        let hessian = point.second_differences()?;
        Ok(Self {
            state_matrix: jacobian.columns(0, n_x).into_owned(),
            control_matrix: jacobian.columns(n_x, n_z - n_x).into_owned(),
            input_matrix: inputs.columns(0, n_x).into_owned(),
            input: point.inputs(&rest, 0),
            state_weight: hessian.view((0, 0), (n_x, n_x)).into_owned(),
            cross_weight: hessian.view((0, n_x), (n_x, n_z - n_x)).into_owned(),
            control_weight: hessian.view((n_x, n_x), (n_z - n_x, n_z - n_x)).into_owned(),
            rest_cost: rest.cost[0],
        })
    }
}

/// The operating point of a loop, and excursions from it: z holds states, then controls.
pub(crate) struct Point<'a> {
    closed_loop: &'a ClosedLoop,
    plant: &'a PlantHandle,
    parameters: &'a [f64],
    pub states: &'a [Variable],
    /// Of states and controls.
    scales: Vec<f64>,
}

/// The plant after a control period from each excursion, a lane each.
pub(crate) struct Advanced {
    /// The states that it started from.
    start: LaneMatrix,
    pub state: LaneMatrix,
    pub observation: LaneMatrix,
    /// Mean stage cost.
    cost: Vec<f64>,
}

impl<'a> Point<'a> {
    pub fn new(closed_loop: &'a ClosedLoop, parameters: &'a [f64]) -> Self {
        let plant = closed_loop.plant();
        assert_eq!(parameters.len(), plant.sizes().n_parameters, "a value per parameter");
        let states = &plant.description().states;
        let controls = &closed_loop.interface().outputs;
        let scales = states.iter().map(|state| state.scale);
        let scales = scales.chain(controls.iter().map(|control| control.scale)).collect();
        Self { closed_loop, plant, parameters, states, scales }
    }

    /// That a state moves by `moved` of its scales with these controls.
    pub fn no_equilibrium(&self, row: usize, moved: f64, controls: &[f64]) -> LqrError {
        let Variable { name, scale, .. } = &self.states[row];
        let variables = self.plant.description().controls.iter();
        LqrError::NoEquilibrium {
            state: name.clone(),
            moved: moved * scale,
            tolerance: TOLERANCE * scale,
            controls: variables
                .map(|control| control.name.clone())
                .zip(controls.to_vec())
                .collect(),
        }
    }

    /// The plant over one control period, from each of some excursions.
    pub fn advanced(&self, excursions: &[Vec<f64>]) -> Result<Advanced, LqrError> {
        let n_lanes = LaneMatrix::padded(excursions.len());
        let mut lanes = self.plant.lanes(n_lanes);
        let n_x = self.states.len();
        for lane in 0..n_lanes {
            // Padding lanes hold copies of the first one.
            let z = &excursions[if lane < excursions.len() { lane } else { 0 }];
            for (row, state) in self.states.iter().enumerate() {
                lanes.state.row_mut(row)[lane] = state.default + z[row];
            }
            for (channel, z) in self.closed_loop.interface().outputs.iter().zip(&z[n_x..]) {
                lanes.control.row_mut(channel.index)[lane] = channel.center + z;
            }
            for (row, &parameter) in self.parameters.iter().enumerate() {
                lanes.parameters.row_mut(row)[lane] = parameter;
            }
        }
        let start = lanes.state.clone();
        let timing = self.closed_loop.timing();
        let n_steps = timing.steps_per_period();
        let stretch = Stretch {
            tick: 0,
            n_steps,
            step_s: timing.step_s(),
            integrator: self.closed_loop.integrator(),
            counts_cost: true,
        };
        self.plant.observe(Isa::PORTABLE, &mut lanes, n_lanes, stretch)?;
        let n_ended = self.plant.advance(Isa::PORTABLE, &mut lanes, n_lanes, stretch)?;
        if n_ended > 0 {
            return Err(LqrError::Fails);
        }
        let cost = lanes.cost.row(0)[..excursions.len()].iter();
        let cost: Vec<f64> = cost.map(|cost| cost / f64::from(n_steps)).collect();
        let numbers = lanes.state.as_slice().iter().chain(lanes.observation.as_slice());
        if numbers.chain(&cost).all(|number| number.is_finite()) {
            Ok(Advanced { start, state: lanes.state, observation: lanes.observation, cost })
        } else {
            Err(LqrError::NotFinite)
        }
    }

    /// What the controller sees in a lane.
    fn inputs(&self, advanced: &Advanced, lane: usize) -> DVector<f64> {
        let channels = &self.closed_loop.interface().inputs;
        let is_of_states = self.closed_loop.feeds_back_states();
        let fed_back = if is_of_states { &advanced.start } else { &advanced.observation };
        let scaled = channels
            .iter()
            .map(|channel| (fed_back.row(channel.index)[lane] - channel.center) / channel.scale);
        DVector::from_iterator(channels.len(), scaled)
    }

    /// d x' / d z: `[n_x][n_z]`, and d inputs / d z: `[n_inputs][n_z]`. Refuses a slope of the cost along a state. One along a
    /// control, as of the effort of what holds the plant, is no reason not to hold it.
    fn first_differences(&self) -> Result<(DMatrix<f64>, DMatrix<f64>), LqrError> {
        let n_z = self.scales.len();
        let step = |index: usize| FIRST_STEP * self.scales[index];
        let mut excursions: Vec<_> = (0..n_z)
            .flat_map(|index| [step(index), -step(index)].map(|dz| self.along(&[(index, dz)])))
            .collect();
        excursions.push(self.along(&[]));
        let advanced = self.advanced(&excursions)?;
        let n_x = self.states.len();
        let mut jacobian = DMatrix::zeros(n_x, n_z);
        let mut inputs = DMatrix::zeros(self.closed_loop.interface().inputs.len(), n_z);
        for index in 0..n_z {
            let (up, down, width) = (2 * index, 2 * index + 1, 2.0 * step(index));
            for row in 0..n_x {
                let state = advanced.state.row(row);
                jacobian[(row, index)] = (state[up] - state[down]) / width;
            }
            let difference = self.inputs(&advanced, up) - self.inputs(&advanced, down);
            inputs.set_column(index, &(difference / width));
            let cost = &advanced.cost;
            let slope = (cost[up] - cost[down]) / (2.0 * FIRST_STEP);
            let curvature =
                (cost[up] - 2.0 * cost[2 * n_z] + cost[down]) / (FIRST_STEP * FIRST_STEP);
            if index < n_x && slope.abs() > TOLERANCE * (1.0 + curvature.abs()) {
                let state = self.states[index].name.clone();
                return Err(LqrError::CostSlope { state, slope });
            }
        }
        Ok((jacobian, inputs))
    }

    /// The Hessian of the mean stage cost: `[n_z][n_z]`.
    fn second_differences(&self) -> Result<DMatrix<f64>, LqrError> {
        let n_z = self.scales.len();
        let step = |index: usize| SECOND_STEP * self.scales[index];
        let pairs: Vec<_> = (0..n_z).flat_map(|i| (0..=i).map(move |j| (i, j))).collect();
        // f(+,+) - f(+,-) - f(-,+) + f(-,-); where i = j these are f(2), f(0), f(0) and f(-2).
        let excursions: Vec<_> = pairs
            .iter()
            .flat_map(|&(i, j)| {
                [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
                    .map(|(a, b)| self.along(&[(i, a * step(i)), (j, b * step(j))]))
            })
            .collect();
        let cost = self.advanced(&excursions)?.cost;
        let mut hessian = DMatrix::zeros(n_z, n_z);
        for (&(i, j), f) in pairs.iter().zip(cost.chunks_exact(4)) {
            let second = (f[0] - f[1] - f[2] + f[3]) / (4.0 * step(i) * step(j));
            hessian[(i, j)] = second;
            hessian[(j, i)] = second;
        }
        if hessian.iter().any(|second| !second.is_finite()) {
            return Err(LqrError::NotFinite);
        }
        Ok(hessian)
    }

    /// An excursion.
    fn along(&self, parts: &[(usize, f64)]) -> Vec<f64> {
        let mut z = vec![0.0; self.scales.len()];
        for &(index, dz) in parts {
            z[index] += dz;
        }
        z
    }
}
