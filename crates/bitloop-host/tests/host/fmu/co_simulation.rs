//! Co-Simulation: an instance for each episode, which owns its state.

use bitloop_plant::{Integrator, Isa, PlantHandle, PlantLanes, Scalar, Stretch};

use super::equal_twin::{Twin, filled};
use super::reset::resident_kb;
use super::{FMI2, FMI3, Model};

const START: Stretch = Stretch {
    tick: 0,
    n_steps: 10,
    step_s: 0.05,
    integrator: Integrator::PlantStep,
    counts_cost: true,
};

/// Lanes none of which ends.
fn small(plant: &PlantHandle) -> PlantLanes {
    let mut lanes = filled(plant);
    for row in 0..2 {
        lanes.state.row_mut(row).iter_mut().for_each(|value| *value *= 0.3);
    }
    lanes
}

/// Three control periods, bit by bit.
fn bits(plant: &PlantHandle, lanes: &mut PlantLanes) -> Vec<u64> {
    let mut all = Vec::new();
    for tick in [0, 10, 20] {
        let stretch = Stretch { tick, ..START };
        plant.observe(Isa::best(), lanes, 16, stretch).unwrap();
        assert_eq!(plant.advance(Isa::best(), lanes, 16, stretch).unwrap(), 0);
        for matrix in [&lanes.state, &lanes.observation, &lanes.cost] {
            all.extend(matrix.as_slice().iter().map(|value| value.to_bits()));
        }
    }
    plant.terminal_cost(Isa::best(), lanes, 16).unwrap();
    all.extend(lanes.end_cost.row(0).iter().map(|value| value.to_bits()));
    plant.failure_cost(Isa::best(), lanes, 16).unwrap();
    all.extend(lanes.end_cost.row(0).iter().map(|value| value.to_bits()));
    all
}

#[test]
fn both_versions_equal_the_twin_in_rust_to_the_last_bit() {
    let twin = PlantHandle::linked::<Scalar<Twin>>(None).unwrap();
    let expected = bits(&twin, &mut small(&twin));
    for version in [FMI2, FMI3] {
        let plant = Model::stepped(version).open();
        assert!(plant.plant().owns_state());
        let mut lanes = small(plant.plant());
        assert_eq!(bits(plant.plant(), &mut lanes), expected, "FMI {}", version.0);
        // The same instances begin anew.
        let numbers = small(plant.plant());
        for (to, from) in [
            (&mut lanes.state, &numbers.state),
            (&mut lanes.cost, &numbers.cost),
            (&mut lanes.control, &numbers.control),
        ] {
            to.clone_from(from);
        }
        assert_eq!(bits(plant.plant(), &mut lanes), expected, "FMI {}", version.0);
    }
}

/// Where an episode ends, the last lane takes its place, and its instance goes along.
#[test]
fn an_episode_goes_on_in_another_lane() {
    let plant = Model::stepped(FMI2).open();
    let plant = plant.plant();
    let go_on = |lanes: &mut PlantLanes, n_live: usize| {
        lanes.set_live(n_live);
        plant.advance(Isa::best(), lanes, 4, Stretch { tick: 10, ..START }).unwrap();
    };
    let mut whole = filled(plant);
    plant.advance(Isa::best(), &mut whole, 4, START).unwrap();
    let mut moved = filled(plant);
    plant.advance(Isa::best(), &mut moved, 4, START).unwrap();
    moved.copy_lane(3, 1);
    moved.move_instance(3, 1);
    go_on(&mut whole, 4);
    go_on(&mut moved, 3);
    for row in 0..2 {
        let [whole, moved] = [&whole, &moved].map(|lanes| lanes.state.row(row));
        assert_eq!([moved[0], moved[1], moved[2]], [whole[0], whole[3], whole[2]]);
    }
}

#[test]
fn an_episode_cannot_be_entered_in_the_middle() {
    let plant = Model::stepped(FMI3).open();
    let plant = plant.plant();
    let mut lanes = filled(plant);
    plant.advance(Isa::best(), &mut lanes, 4, START).unwrap();
    for (mut lanes, tick) in [(lanes.clone(), 10), (lanes, 20)] {
        let error = plant
            .advance(Isa::best(), &mut lanes, 4, Stretch { tick, ..START })
            .unwrap_err()
            .to_string();
        assert!(error.contains("it owns its state"), "{error}");
    }
}

#[test]
fn a_model_with_events_takes_its_own_steps() {
    let both = "<CoSimulation modelIdentifier=\"oscillator\"/><ModelExchange";
    let model = Model::new(FMI2).described("<ModelExchange", both);
    assert!(!model.open().plant().owns_state());
    let model = Model::new(FMI2)
        .described("<ModelExchange", both)
        .set("    cost", "    interface: CoSimulation,\n    cost");
    assert!(model.open().plant().owns_state());
    let model = Model::new(FMI2)
        .described("<ModelExchange", both)
        .described("Indicators=\"0\"", "Indicators=\"2\"");
    assert!(model.open().plant().owns_state());
    let asked = model.set("    cost", "    interface: ModelExchange,\n    cost").refused();
    assert!(asked.contains("2 event indicators"), "{asked}");
}

#[test]
fn what_a_step_cannot_compute_is_a_fault_and_an_error_is_one() {
    let run = |spoil| {
        let plant = Model::stepped(FMI2).spoiled(spoil).open();
        let mut lanes = plant.plant().lanes(4);
        lanes.state.row_mut(0)[1] = 3.0;
        let advanced = plant.plant().advance(Isa::best(), &mut lanes, 4, START);
        advanced.map(|_| (lanes.take_end_step(1), lanes.end_cost.row(0)[1]))
    };
    let (step, cost) = run(3).unwrap();
    assert_eq!(step, 1);
    assert!(cost.is_nan());
    let error = run(2).unwrap_err().to_string();
    assert!(error.contains("it does not take a step (status 3): the solver is lost"), "{error}");
}

#[test]
fn what_co_simulation_cannot_do_is_explained() {
    let once = "modelIdentifier=\"oscillator\" canBeInstantiatedOnlyOncePerProcess=\"true\"";
    let model = Model::stepped(FMI2).described("modelIdentifier=\"oscillator\"", once);
    assert!(model.refused().contains("one instance in a process"), "{}", model.refused());
    let model = Model::stepped(FMI3)
        .set("\"u\": ()", "\"mu\": ()")
        .set("parameters: {\"mu\": (max: 10)},", "")
        .set("0.1*u^2", "0");
    assert!(model.refused().contains("`mu` is a parameter, which Co-Simulation takes once"));
}

#[test]
fn ten_thousand_episodes_need_no_more_memory() {
    for version in [FMI2, FMI3] {
        let plant = Model::stepped(version).open();
        let plant = plant.plant();
        let mut lanes = filled(plant);
        let mut begin = |n: u32| {
            for _ in 0..n {
                plant
                    .advance(Isa::best(), &mut lanes, 16, Stretch { n_steps: 1, ..START })
                    .unwrap();
                lanes.state.row_mut(0).fill(1.0);
            }
        };
        begin(100);
        let before = resident_kb();
        begin(10_000);
        // Other tests run meanwhile; an instance that is lost at each beginning would take 40 MB.
        let grown = resident_kb().saturating_sub(before);
        assert!(grown < 20_000, "{grown} kB");
    }
}
