//! The same bits on every instruction set and beside any neighbors.

use bitloop_plant::{Isa, Stretch};

use crate::support::{Opener, handle};

const N_LANES: usize = 56;

/// Checks that `n_steps` of 0.5 and 1 times the plant's step move no bit with the instruction set or the number of lanes.
///
/// Lanes start between the two states `from` and `to`, under controls between those two, with parameters near the
/// defaults; none may end.
///
/// # Panics
/// If a bit differs.
pub fn check_instruction_sets(
    open: Opener,
    (from, to): (&[f64], &[f64]),
    controls: (&[f64], &[f64]),
    n_steps: u32,
) {
    let handle = handle(open);
    let description = handle.description();
    let parameters: Vec<f64> =
        description.parameters.iter().map(|parameter| parameter.default).collect();
    for &integrator in &description.integrators {
        for step_s in [0.5 * description.step_s, description.step_s] {
            let stretch = Stretch { tick: 0, n_steps, step_s, integrator, counts_cost: true };
            let run = |isa: Isa, n_lanes: usize| -> Vec<Vec<u64>> {
                let mut lanes = handle.lanes(N_LANES);
                for lane in 0..N_LANES {
                    let share = lane as f64 / N_LANES as f64;
                    let between = |a: f64, b: f64| a + share * (b - a);
                    for (row, (&a, &b)) in from.iter().zip(to).enumerate() {
                        lanes.state.row_mut(row)[lane] = between(a, b);
                    }
                    for (row, (&a, &b)) in controls.0.iter().zip(controls.1).enumerate() {
                        lanes.control.row_mut(row)[lane] = between(a, b);
                    }
                    for (row, &value) in parameters.iter().enumerate() {
                        lanes.parameters.row_mut(row)[lane] = value * (1.0 + 0.01 * share);
                    }
                }
                assert_eq!(handle.advance(isa, &mut lanes, n_lanes, stretch), Ok(0));
                handle.observe(isa, &mut lanes, n_lanes, stretch).expect("observations");
                let bits = |row: &[f64]| row[..8].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                [&lanes.state, &lanes.observation, &lanes.cost]
                    .into_iter()
                    .flat_map(|matrix| (0..matrix.n_rows()).map(|row| bits(matrix.row(row))))
                    .collect()
            };
            let expected = run(Isa::PORTABLE, 8);
            for isa in Isa::available() {
                for n_lanes in [8, 12, 16, 20, 24, 28, 36, 44, 52, 56] {
                    assert_eq!(run(isa, n_lanes), expected, "{n_lanes} on {}", isa.name());
                }
            }
        }
    }
}
