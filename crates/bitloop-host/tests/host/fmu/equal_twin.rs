//! A model gives the bits of the same equations written in Rust.

use bitloop_plant::{
    Description, Integrator, Isa, Parameter, PlantHandle, PlantLanes, Scalar, ScalarPlant, Sizes,
    Stretch, Variable,
};

use super::{FMI2, FMI3, Model};

/// The model's equations, with the same products and sums.
#[derive(Default)]
pub struct Twin;

impl ScalarPlant for Twin {
    fn description(&self) -> Description {
        let states = vec![Variable::new("x0", "m"), Variable::new("x1", "m/s")];
        Description {
            name: "twin".to_owned(),
            version: "1".to_owned(),
            summary: String::new(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("u", "")],
            parameters: vec![Parameter::new("mu", "", 1.0, "")],
            structure: Vec::new(),
            integrators: vec![Integrator::Euler, Integrator::RungeKutta4, Integrator::PlantStep],
            step_s: 0.05,
            sample_time_s: 0.5,
        }
    }

    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 1 }
    }

    /// The step of the model by Co-Simulation, which is Euler's.
    fn step(&self, t_s: f64, step_s: f64, x: &mut [f64], u: &[f64], p: &[f64]) {
        let mut dx = [0.0; 2];
        self.derivative(t_s, x, u, p, &mut dx);
        x[0] += step_s * dx[0];
        x[1] += step_s * dx[1];
    }

    fn derivative(&self, _t_s: f64, x: &[f64], u: &[f64], p: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = p[0] * ((1.0 - x[0] * x[0]) * x[1]) - x[0] + u[0];
    }

    fn stage_cost(&self, _t_s: f64, x: &[f64], u: &[f64], _p: &[f64]) -> f64 {
        x[0] * x[0] + x[1] * x[1] + 0.1 * (u[0] * u[0])
    }

    fn failed(&self, _t_s: f64, x: &[f64], _p: &[f64]) -> bool {
        x[0].abs() > 10.0
    }

    fn failure_cost(&self, _p: &[f64]) -> f64 {
        300.0
    }
}

/// Lanes with states, controls and parameters of their own, some of which fail soon.
pub fn filled(plant: &PlantHandle) -> PlantLanes {
    let mut lanes = plant.lanes(16);
    for lane in 0..16 {
        let at = lane as f64;
        lanes.state.row_mut(0)[lane] = 0.7 * at - 3.0;
        lanes.state.row_mut(1)[lane] = 1.0 - 0.3 * at;
        lanes.control.row_mut(0)[lane] = 0.1 * at - 0.8;
        lanes.parameters.row_mut(0)[lane] = 1.0 + 0.25 * (at % 4.0);
    }
    lanes
}

/// What a plant makes of these lanes, bit by bit.
pub fn bits(plant: &PlantHandle, integrator: Integrator) -> Vec<u64> {
    let mut lanes = filled(plant);
    let mut all = Vec::new();
    for tick in [0, 10, 20] {
        let stretch = Stretch { tick, n_steps: 10, step_s: 0.05, integrator, counts_cost: true };
        plant.observe(Isa::best(), &mut lanes, 16, stretch).unwrap();
        plant.advance(Isa::best(), &mut lanes, 16, stretch).unwrap();
        for lane in 0..16 {
            all.push(u64::from(lanes.take_end_step(lane)));
        }
        for matrix in [&lanes.state, &lanes.observation, &lanes.cost, &lanes.end_cost] {
            all.extend(matrix.as_slice().iter().map(|value| value.to_bits()));
        }
    }
    plant.terminal_cost(Isa::best(), &mut lanes, 16).unwrap();
    all.extend(lanes.end_cost.row(0).iter().map(|value| value.to_bits()));
    plant.failure_cost(Isa::best(), &mut lanes, 16).unwrap();
    all.extend(lanes.end_cost.row(0).iter().map(|value| value.to_bits()));
    all
}

#[test]
fn both_versions_equal_the_twin_in_rust_to_the_last_bit() {
    let twin = PlantHandle::linked::<Scalar<Twin>>(None).unwrap();
    for version in [FMI2, FMI3] {
        let plant = Model::new(version).open();
        for integrator in [Integrator::Euler, Integrator::RungeKutta4] {
            let (found, expected) = (bits(plant.plant(), integrator), bits(&twin, integrator));
            assert_eq!(found, expected, "FMI {}, {integrator:?}", version.0);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for spoil in [0, 4] {
        // With 4, the model allows one instance in a process, and says so: threads wait for each other.
        let interface = "modelIdentifier=\"oscillator\"";
        let once = format!("{interface} canBeInstantiatedOnlyOncePerProcess=\"{}\"", spoil == 4);
        let plant = Model::new(FMI2).spoiled(spoil).described(interface, &once).open();
        let expected = bits(plant.plant(), Integrator::Euler);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        assert_eq!(bits(plant.plant(), Integrator::Euler), expected);
                    }
                });
            }
        });
    }
}

#[test]
fn a_plant_has_the_names_units_and_starts_of_its_model() {
    for version in [FMI2, FMI3] {
        let plant = Model::new(version).open();
        let description = plant.description();
        assert_eq!(description.name, "oscillator");
        assert_eq!(description.version, format!("0815-{}", version.0));
        assert_eq!(description.summary, "An oscillator with an input");
        let [x0, x1] = &description.states[..] else { panic!("{description:?}") };
        assert_eq!((x0.name.as_str(), x0.unit.as_str(), x0.default), ("x0", "m", 2.0));
        assert_eq!((x1.name.as_str(), x1.unit.as_str(), x1.default), ("x1", "m/s", 0.0));
        let u = &description.controls[0];
        assert_eq!((u.min, u.max, u.center, u.scale), (-1.0, 1.0, 0.0, 1.0));
        let mu = &description.parameters[0];
        assert_eq!((mu.default, mu.min, mu.max), (1.0, 0.0, 10.0));
        assert_eq!(mu.meaning, "the damping");
        assert_eq!((description.step_s, description.sample_time_s), (0.05, 0.5));
        assert_eq!(plant.digest().len(), 64);
    }
}

#[test]
fn aliases_and_starts_are_understood() {
    for version in [FMI2, FMI3] {
        let model = Model::new(version)
            .set("\"x0\": ()", "\"body.position\": (unit: \"m\")")
            .set("    cost", "    starts: {\"body.position\": 0.5},\n    cost");
        let plant = model.open();
        assert_eq!(plant.description().states[0].default, 0.5);
        let mut lanes = filled(plant.plant());
        plant.plant().observe(Isa::best(), &mut lanes, 16, NOW).unwrap();
        assert_eq!(lanes.observation.row(0), lanes.state.row(0));
    }
}

#[test]
fn a_start_value_of_a_parameter_is_set_before_the_start() {
    let twin = PlantHandle::linked::<Scalar<Twin>>(None).unwrap();
    for version in [FMI2, FMI3] {
        let model =
            Model::new(version).set("parameters: {\"mu\": (max: 10)}", "starts: {\"mu\": 3}");
        let plant = model.open();
        let (mut lanes, mut other) = (plant.plant().lanes(4), twin.lanes(4));
        for lanes in [&mut lanes, &mut other] {
            lanes.state.row_mut(0).fill(0.5);
            lanes.state.row_mut(1).fill(1.0);
        }
        other.parameters.row_mut(0).fill(3.0);
        let stretch = Stretch { n_steps: 5, ..NOW };
        plant.plant().advance(Isa::best(), &mut lanes, 4, stretch).unwrap();
        twin.advance(Isa::best(), &mut other, 4, stretch).unwrap();
        assert_eq!(lanes.state.as_slice(), other.state.as_slice());
    }
}

#[test]
fn what_the_model_computes_can_be_observed_and_cost() {
    for version in [FMI2, FMI3] {
        let model = Model::new(version)
            .set("\"x0\": ()", "\"energy\": ()")
            .set("x0^2 + x1^2 + 0.1*u^2", "2*energy + 0.1*u^2 + 0*'der(x1)'");
        let plant = model.open();
        let mut lanes = filled(plant.plant());
        plant.plant().observe(Isa::best(), &mut lanes, 16, NOW).unwrap();
        let twin = PlantHandle::linked::<Scalar<Twin>>(None).unwrap();
        for lane in 0..16 {
            let [x0, x1] = [0, 1].map(|row| lanes.state.row(row)[lane]);
            assert_eq!(lanes.observation.row(0)[lane], 0.5 * (x0 * x0 + x1 * x1));
        }
        let mut other = filled(&twin);
        let stretch = Stretch { n_steps: 1, counts_cost: true, ..NOW };
        plant.plant().advance(Isa::best(), &mut lanes, 16, stretch).unwrap();
        twin.advance(Isa::best(), &mut other, 16, stretch).unwrap();
        for (a, b) in lanes.cost.row(0).iter().zip(other.cost.row(0)) {
            assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
        }
    }
}

/// A parameter may be the control of a model without inputs.
#[test]
fn a_parameter_can_be_the_control() {
    let model = Model::new(FMI2)
        .set("\"u\": ()", "\"mu\": (min: 0, max: 5)")
        .set("parameters: {\"mu\": (max: 10)},", "parameters: {\"u\": ()},")
        .set("0.1*u^2", "0.1*mu^2");
    let plant = model.open();
    let twin = PlantHandle::linked::<Scalar<Twin>>(None).unwrap();
    let (mut lanes, mut other) = (filled(plant.plant()), filled(&twin));
    let (mu, u) = (other.parameters.row(0).to_vec(), other.control.row(0).to_vec());
    lanes.control.row_mut(0).copy_from_slice(&mu);
    lanes.parameters.row_mut(0).copy_from_slice(&u);
    let stretch = Stretch { n_steps: 3, ..NOW };
    plant.plant().advance(Isa::best(), &mut lanes, 16, stretch).unwrap();
    twin.advance(Isa::best(), &mut other, 16, stretch).unwrap();
    assert_eq!(lanes.state.as_slice(), other.state.as_slice());
}

/// The start of an episode.
const NOW: Stretch = Stretch {
    tick: 0,
    n_steps: 0,
    step_s: 0.05,
    integrator: Integrator::Euler,
    counts_cost: false,
};
