//! The reference trajectory, exact to the bit.
//!
//! Written anew by `cargo test -p bitloop-inverted-pendulum -- --ignored write_the_reference_trajectory`, when the
//! equations change on purpose; the difference is then to be reviewed.

use std::fmt::Write;

use bitloop_plant::{Isa, Real, Stretch};

use crate::{INTEGRATORS, handle, lanes};

const PARAMETERS: [f64; 6] = [1.0, 1.0, 1.0, 9.81, 0.01, 1.1];
const GAINS: [f64; 4] = [-1.0, 35.0, -2.5, 11.0];

/// 3 s under linear feedback, held for 0.1 s, in steps of 0.01 s: states and summed cost each 0.3 s, as the bits of their
/// numbers, and the angle once more for people.
fn trajectory(isa: Isa) -> String {
    let mut text = String::from("integrator,tick,x,theta,x_dot,theta_dot,cost,theta in decimals\n");
    for integrator in INTEGRATORS {
        let mut lanes = lanes([0.1, 0.3, -0.2, 0.1], 0.0, PARAMETERS);
        for period in 0..=30 {
            let state: [f64; 4] = std::array::from_fn(|row| lanes.state.row(row)[0]);
            if period % 3 == 0 {
                let bits = state.iter().chain([&lanes.cost.row(0)[0]]);
                let bits: Vec<String> = bits.map(|x| format!("{:016x}", x.to_bits())).collect();
                let (name, tick, theta) = (integrator.name(), 10 * period, state[1]);
                writeln!(text, "{name},{tick},{},{theta:.6}", bits.join(",")).unwrap();
            }
            let force = GAINS.iter().zip(state).fold(0.0, |u, (k, y)| Real::mul_add(y, -k, u));
            lanes.control.fill(force);
            let stretch = Stretch {
                tick: 10 * period,
                n_steps: 10,
                step_s: 0.01,
                integrator,
                counts_cost: true,
            };
            assert_eq!(handle().advance(isa, &mut lanes, 8, stretch), Ok(0));
        }
    }
    text
}

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    for isa in Isa::available() {
        assert_eq!(trajectory(isa), include_str!("trajectory.csv"), "{}", isa.name());
    }
}

#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pendulum/trajectory.csv");
    std::fs::write(path, trajectory(Isa::PORTABLE)).unwrap();
}
