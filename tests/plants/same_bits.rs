//! Every function of the table, every integrator, every instruction set: the libraries against the plant linked in.

use bitloop_host::{PlantLibrary, Registry};
use bitloop_plant::abi::{CAPABILITY_AVX2, CAPABILITY_LANE_BY_LANE};
use bitloop_plant::{Integrator, Isa, PlantHandle, PlantLanes, Stretch};

use crate::built::{c_twin, plugin};

const N_LANES: usize = 56;

pub fn linked() -> PlantHandle {
    Registry::built_in().open("inverted-pendulum", None).unwrap()
}

fn libraries() -> [(&'static str, PlantHandle); 2] {
    [("Rust", plugin()), ("C", c_twin())]
        .map(|(name, path)| (name, PlantLibrary::open(path).unwrap().plant(None).unwrap()))
}

/// Lanes with different parameters, some of which fall.
fn lanes(plant: &PlantHandle) -> PlantLanes {
    let mut lanes = plant.lanes(N_LANES);
    for lane in 0..N_LANES {
        let share = lane as f64 / N_LANES as f64;
        lanes.state.row_mut(0)[lane] = 0.3 - share;
        lanes.state.row_mut(1)[lane] = 1.15 * (2.0 * share - 1.0);
        lanes.state.row_mut(3)[lane] = 0.5 * share;
        lanes.control.row_mut(0)[lane] = 7.0 * (share - 0.5);
        for (row, value) in [1.0 + share, 0.5, 0.7 + share, 9.81, 0.01, 1.1].into_iter().enumerate()
        {
            lanes.parameters.row_mut(row)[lane] = value;
        }
    }
    lanes
}

pub fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// What all functions write in some control periods.
pub fn record(plant: &PlantHandle, isa: Isa, integrator: Integrator) -> Vec<Vec<u64>> {
    let mut lanes = lanes(plant);
    let mut record = Vec::new();
    for period in 0..12 {
        let stretch = Stretch {
            tick: 10 * period,
            n_steps: 10,
            step_s: 0.01,
            integrator,
            counts_cost: period > 1,
        };
        plant.observe(isa, &mut lanes, N_LANES, stretch).unwrap();
        record.push(bits(lanes.observation.as_slice()));
        plant.advance(isa, &mut lanes, N_LANES, stretch).unwrap();
        record.push((0..N_LANES).map(|lane| u64::from(lanes.take_end_step(lane))).collect());
        for matrix in [&lanes.state, &lanes.cost, &lanes.end_cost] {
            record.push(bits(matrix.as_slice()));
        }
    }
    plant.terminal_cost(isa, &mut lanes, N_LANES).unwrap();
    record.push(bits(lanes.end_cost.as_slice()));
    plant.failure_cost(isa, &mut lanes, N_LANES).unwrap();
    record.push(bits(lanes.end_cost.as_slice()));
    record
}

#[test]
fn libraries_describe_themselves_as_the_plant_linked_in() {
    for (name, plant) in libraries() {
        assert_eq!(plant.description(), linked().description(), "{name}");
        // Both compute vectors.
        if cfg!(target_arch = "x86_64") {
            assert_eq!(plant.capabilities() & CAPABILITY_LANE_BY_LANE, 0, "{name}");
            assert_ne!(plant.capabilities() & CAPABILITY_AVX2, 0, "{name}");
        }
    }
}

#[test]
fn libraries_compute_the_bits_of_the_plant_linked_in() {
    for integrator in [Integrator::Euler, Integrator::SemiImplicitEuler, Integrator::RungeKutta4] {
        let expected = record(&linked(), Isa::PORTABLE, integrator);
        let n_ended =
            expected.iter().skip(1).step_by(5).take(12).flatten().filter(|&&step| step > 0);
        assert!((1..N_LANES * 12).contains(&n_ended.count()), "some lanes end, and some do not");
        for isa in Isa::available() {
            for (name, plant) in libraries() {
                let found = record(&plant, isa, integrator);
                assert!(found == expected, "{name}, {}, {}", integrator.name(), isa.name());
            }
        }
    }
}

#[test]
fn an_integrator_that_the_plant_does_not_have_is_refused_with_a_reason() {
    let [_, (_, plant)] = libraries();
    let mut lanes = lanes(&plant);
    let stretch = Stretch {
        tick: 0,
        n_steps: 1,
        step_s: 0.01,
        integrator: Integrator::PlantStep,
        counts_cost: true,
    };
    let error = plant.advance(Isa::best(), &mut lanes, N_LANES, stretch).unwrap_err();
    assert_eq!(error.message, "unknown integrator");
}
