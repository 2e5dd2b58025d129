//! Parameters that change from call to call reset the model.

use std::fs;

use bitloop_plant::{Integrator, Isa, Stretch};

use super::{FMI2, FMI3, Model};

/// Memory of this process in kB.
pub fn resident_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_hundred_thousand_resets_need_no_more_memory() {
    for version in [FMI2, FMI3] {
        let plant = Model::new(version).open();
        let plant = plant.plant();
        let mut lanes = plant.lanes(4);
        let stretch = Stretch {
            tick: 0,
            n_steps: 1,
            step_s: 0.05,
            integrator: Integrator::Euler,
            counts_cost: true,
        };
        let mut reset = |from: u32, to: u32| {
            for at in from..to {
                for lane in 0..4_u32 {
                    let mu = 1.0 + 1e-6 * f64::from(4 * at + lane);
                    lanes.parameters.row_mut(0)[lane as usize] = mu;
                }
                plant.advance(Isa::best(), &mut lanes, 4, stretch).unwrap();
            }
        };
        reset(0, 1000);
        let before = resident_kb();
        reset(1000, 26_000);
        // Other tests run meanwhile; an instance that is lost would take 24 MB.
        let grown = resident_kb().saturating_sub(before);
        assert!(grown < 12_000, "{grown} kB");
    }
}
