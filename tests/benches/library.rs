//! What a plant costs more that comes from a library: the inverted pendulum, 56 lanes, 10 steps a call, by Euler.
//!
//! The plant linked in, its library written in Rust and its twin in C take turns, so that whatever else the machine does
//! meets them alike. Printed are plant steps a second of the fastest turn, and the median over all turns of the time
//! beside that of the plant linked in.

#[path = "../plants/built.rs"]
mod built;

use std::time::Instant;

use bitloop_host::{PlantLibrary, Registry};
use bitloop_plant::{Integrator, Isa, PlantHandle, PlantLanes, Stretch};

const N_LANES: usize = 56;
const N_STEPS: u32 = 10;
const N_CALLS: u32 = 2000;
const N_TURNS: usize = 200;

fn main() {
    let linked = Registry::built_in().open("inverted-pendulum", None).expect("it is built in");
    let open = |path| PlantLibrary::open(path).and_then(|library| library.plant(None));
    let plants = [
        ("linked in", linked),
        ("library, Rust", open(built::plugin()).expect("a sound library")),
        ("library, C", open(built::c_twin()).expect("a sound library")),
    ];
    let mut lanes = plants.each_ref().map(|(_, plant)| lanes(plant));
    let mut seconds: [Vec<f64>; 3] = Default::default();
    // The first turn warms up.
    for turn in 0..=N_TURNS {
        for (index, (_, plant)) in plants.iter().enumerate() {
            let spent = turn_s(plant, &mut lanes[index]);
            if turn > 0 {
                seconds[index].push(spent);
            }
        }
    }
    let n_steps = f64::from(N_CALLS * N_STEPS) * N_LANES as f64;
    for (index, (name, _)) in plants.iter().enumerate() {
        let fastest = seconds[index].iter().copied().fold(f64::INFINITY, f64::min);
        let beside = seconds[index].iter().zip(&seconds[0]).map(|(own, linked)| own / linked);
        println!(
            "{name:14} {:7.1} M plant steps/s, {:.3} x the time of the plant linked in",
            n_steps / fastest * 1e-6,
            median(beside.collect()),
        );
    }
}

/// Pendulums that may swing all around, so that none fails.
fn lanes(plant: &PlantHandle) -> PlantLanes {
    let mut lanes = plant.lanes(N_LANES);
    for (row, parameter) in plant.description().parameters.iter().enumerate() {
        let is_angle = parameter.name == "failure_angle";
        lanes.parameters.row_mut(row).fill(if is_angle { 1e3 } else { parameter.default });
    }
    for (lane, theta) in lanes.state.row_mut(1).iter_mut().enumerate() {
        *theta = 0.01 * lane as f64 - 0.28;
    }
    lanes
}

fn turn_s(plant: &PlantHandle, lanes: &mut PlantLanes) -> f64 {
    let stretch = Stretch {
        tick: 0,
        n_steps: N_STEPS,
        step_s: 0.01,
        integrator: Integrator::Euler,
        counts_cost: true,
    };
    let isa = Isa::best();
    let states = lanes.state.clone();
    let start = Instant::now();
    for _ in 0..N_CALLS {
        // From the same states again: by Euler a free pendulum gains energy for ever.
        lanes.state.as_mut_slice().copy_from_slice(states.as_slice());
        plant.advance(isa, lanes, N_LANES, stretch).expect("a sound plant");
    }
    let spent = start.elapsed().as_secs_f64();
    lanes.state = states;
    spent
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
