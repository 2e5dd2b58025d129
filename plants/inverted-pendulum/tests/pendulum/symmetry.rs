//! Facts that hold to the bit: mirror symmetry, the equilibrium, repetition.

use bitloop_plant::{Isa, Stretch};

use crate::{FREE, INTEGRATORS, advance, first_lane, handle, lanes};

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    for integrator in INTEGRATORS {
        for state in [[0.4, 0.3, -0.7, 0.9], [-2.0, 3.0, 1e-9, -4.0], [0.1, -0.8, 0.0, 1e-300]] {
            let mut one = lanes(state, 2.5, FREE);
            let mut other = lanes(state.map(|value| -value), -2.5, FREE);
            for _ in 0..20 {
                advance(&mut one, integrator, 0.01, 50);
                advance(&mut other, integrator, 0.01, 50);
                let mirrored = first_lane(&other).map(|value| (-value).to_bits());
                assert_eq!(first_lane(&one).map(f64::to_bits), mirrored, "{integrator:?}");
                assert_eq!(one.cost.row(0)[0].to_bits(), other.cost.row(0)[0].to_bits());
            }
        }
    }
}

#[test]
fn upright_and_at_rest_it_stays() {
    for integrator in INTEGRATORS {
        for x in [0.0, 3.25, -1e6] {
            let mut lanes = lanes([x, 0.0, 0.0, 0.0], 0.0, FREE);
            advance(&mut lanes, integrator, 0.01, 10_000);
            assert_eq!(first_lane(&lanes), [x, 0.0, 0.0, 0.0], "{integrator:?}");
        }
    }
}

#[test]
fn the_failure_angle_is_the_last_that_has_not_failed() {
    for (theta, ends) in [(1.1, 0), (1.1_f64.next_up(), 8), (-1.1, 0), ((-1.1_f64).next_down(), 8)]
    {
        let parameters = [1.0, 1.0, 1.0, 0.0, 0.25, 1.1];
        let mut lanes = lanes([2.0, theta, 0.0, 0.0], 0.0, parameters);
        let stretch = Stretch {
            tick: 0,
            n_steps: 3,
            step_s: 0.01,
            integrator: INTEGRATORS[0],
            counts_cost: true,
        };
        // Without gravity nothing moves: the state is judged as it stands.
        assert_eq!(handle().advance(Isa::best(), &mut lanes, 8, stretch), Ok(ends));
        if ends > 0 {
            assert_eq!(lanes.take_end_step(0), 1);
            assert_eq!(lanes.end_cost.row(0)[0], theta.mul_add(theta, 1.0));
        } else {
            assert_eq!(lanes.cost.row(0)[0], 3.0 * theta.mul_add(theta, 1.0));
        }
        handle().failure_cost(Isa::best(), &mut lanes, 8).unwrap();
        assert_eq!(lanes.end_cost.row(0)[0], 1.1 * 1.1);
    }
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let run = |isa, integrator, n_lanes: usize| {
        let mut lanes = handle().lanes(56);
        for lane in 0..56 {
            let share = lane as f64 / 56.0;
            let state = [share, 2.0 * share - 1.0, 0.3 - share, share * share];
            for (row, value) in state.into_iter().enumerate() {
                lanes.state.row_mut(row)[lane] = value;
            }
            lanes.control.row_mut(0)[lane] = 5.0 * share - 2.0;
            for (row, value) in FREE.into_iter().enumerate() {
                lanes.parameters.row_mut(row)[lane] = value * (1.0 + 0.1 * share);
            }
        }
        let stretch =
            Stretch { tick: 0, n_steps: 200, step_s: 0.01, integrator, counts_cost: true };
        assert_eq!(handle().advance(isa, &mut lanes, n_lanes, stretch), Ok(0));
        let bits = |row: &[f64]| row[..8].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        (0..4).map(|row| bits(lanes.state.row(row))).chain([bits(lanes.cost.row(0))]).collect()
    };
    for integrator in INTEGRATORS {
        let expected: Vec<Vec<u64>> = run(Isa::PORTABLE, integrator, 8);
        for isa in Isa::available() {
            for n_lanes in [8, 12, 16, 20, 24, 28, 36, 44, 52, 56] {
                assert_eq!(run(isa, integrator, n_lanes), expected, "{n_lanes} on {}", isa.name());
            }
        }
    }
}
