//! Plant steps that early abort saves: the same search, the same accepted moves, with every probe run to its end and with
//! probes dropped as soon as they are lost. Steps of failed episodes count on neither side.
//!
//! The figures are counts, the same on every machine. `cargo bench -p bitloop-train --bench early_abort`.

#[path = "../tests/train/in_full.rs"]
mod in_full;

use bitloop_blm::{Explorer, LocalSearch, Objective, Sequential, Step};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{ClosedLoopObjective, Training};

use in_full::InFull;

/// Evaluations of a descent: enough to get from falling at once to balancing.
const N_EVALUATIONS: u64 = 5000;

fn main() {
    for name in ["pendulum-full-16bit", "pendulum-full-2bit", "pendulum-positions"] {
        let path = format!("{}/../../scenarios/{name}.ron", env!("CARGO_MANIFEST_DIR"));
        let scenario = ScenarioFile::read(&path).expect("a scenario that ships");
        let training = Training::new(&scenario, &Registry::built_in()).expect("it trains");
        let objective = || ClosedLoopObjective::of(&training, Isa::best());
        let advance_below = scenario.scenario.curriculum.unwrap_or_default().advance_below;
        println!("{name}: plant steps of {N_EVALUATIONS} evaluations, all / needed");
        let mut ratios: Vec<f64> = (1..=5)
            .map(|seed| {
                let in_full =
                    descent(&training, advance_below, seed, InFull(objective()), |o| &mut o.0);
                let aborted = descent(&training, advance_below, seed, objective(), |o| o);
                assert_eq!(in_full.moves, aborted.moves, "early abort must not change a move");
                let ratio = in_full.plant_steps as f64 / aborted.plant_steps as f64;
                println!(
                    "  seed {seed}: {:>11} / {:>10} = {ratio:.2}; {} moves to an error of {:.1e}",
                    in_full.plant_steps, aborted.plant_steps, aborted.moves, aborted.error
                );
                ratio
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        println!("  median {:.2}", ratios[2]);
    }
}

struct Descent {
    moves: u64,
    error: f64,
    plant_steps: u64,
}

/// A descent through the curriculum, as of a training.
fn descent<'a, O: Objective>(
    training: &Training,
    advance_below: f64,
    seed: u64,
    objective: O,
    closed_loop: impl Fn(&mut O) -> &mut ClosedLoopObjective<'a>,
) -> Descent {
    let mut explorer = Sequential::new(objective);
    let options = *training.blm().expect("telescopic BLM");
    let mut search = LocalSearch::begin(options, seed, 0, &mut explorer).expect("valid options");
    let mut stage = 0;
    while search.state().n_evaluations < N_EVALUATIONS {
        while stage + 1 < training.n_stages() && search.state().current_cost < advance_below {
            stage += 1;
            explorer.with_objective(|objective| closed_loop(objective).enter(stage));
            search.reevaluate(&mut explorer);
        }
        let limit = N_EVALUATIONS - search.state().n_evaluations;
        if search.step(&mut explorer, limit) == Step::LocalMinimum {
            break;
        }
    }
    Descent {
        moves: search.state().n_moves,
        error: search.state().current_cost,
        plant_steps: explorer.with_objective(|objective| closed_loop(objective).plant_steps()),
    }
}
