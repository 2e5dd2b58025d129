//! Whether calls are answered, and whether they keep to their buffers.

use bitloop_plant::{PlantCallError, PlantHandle, PlantLanes, STATUS_OK};

use crate::episodes::{Episodes, Manner};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// The functions of the table, by name.
const FUNCTIONS: [&str; 4] = ["observe", "advance", "terminal_cost", "failure_cost"];

/// Calls a function by its name.
fn call(
    plant: &PlantHandle,
    function: &str,
    lanes: &mut PlantLanes,
    n_lanes: usize,
    manner: Manner,
) -> Result<(), PlantCallError> {
    let stretch = manner.stretch(0, manner.n_steps);
    match function {
        "observe" => plant.observe(manner.isa, lanes, n_lanes, stretch),
        "advance" => plant.advance(manner.isa, lanes, n_lanes, stretch).map(drop),
        "terminal_cost" => plant.terminal_cost(manner.isa, lanes, n_lanes),
        _ => plant.failure_cost(manner.isa, lanes, n_lanes),
    }
}

/// Every function with every integrator, on a few legal lanes. Breaches that the host notices by itself, such as a changed
/// floating-point mode, have checks of their own.
pub(super) fn answers(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (8, 1), 0.5, numbers);
    for manner in Manner::all(plant) {
        for function in FUNCTIONS {
            let mut lanes = plant.lanes(8);
            episodes.load(&mut lanes, &episodes.in_order());
            episodes.hold(&mut lanes, &episodes.in_order(), 0);
            if plant.owns_state() && function == "terminal_cost" {
                // There is no end without a beginning.
                plant.observe(manner.isa, &mut lanes, 8, manner.stretch(0, manner.n_steps))?;
            }
            match call(plant, function, &mut lanes, 8, manner) {
                Err(error) if error.status != STATUS_OK => return Err(error),
                _ => {}
            }
        }
    }
    Ok(Finding::pass(""))
}

/// Guards behind each buffer stay, and no function writes what it is not said to write.
pub(super) fn buffers(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (24, 1), 1.0, numbers);
    for manner in Manner::all(plant) {
        for n_lanes in [4, 20, 24] {
            let mut lanes = plant.lanes(n_lanes).guarded();
            episodes.load(&mut lanes, &episodes.in_order());
            episodes.hold(&mut lanes, &episodes.in_order(), 0);
            for function in FUNCTIONS {
                let before = lanes.clone();
                call(plant, function, &mut lanes, n_lanes, manner)?;
                if let Some(buffer) = lanes.broken_guard() {
                    return Ok(Finding::fail(format!(
                        "`{function}` writes past the end of `{buffer}`"
                    )));
                }
                // A plant that owns its state shows the one that it begins with.
                let begins = plant.owns_state() && function == "observe";
                if let Some(buffer) = wrongly_written((function, begins), &before, &lanes) {
                    return Ok(Finding::fail(format!("`{function}` writes to `{buffer}`")));
                }
                for lane in 0..lanes.n_lanes() {
                    let _ = lanes.take_end_step(lane);
                }
            }
        }
    }
    Ok(Finding::pass(""))
}

/// The buffer that a function wrote without being said to.
fn wrongly_written(
    (function, begins): (&str, bool),
    before: &PlantLanes,
    after: &PlantLanes,
) -> Option<&'static str> {
    let buffers = [
        ("parameters", &before.parameters, &after.parameters, ""),
        ("control", &before.control, &after.control, ""),
        ("state", &before.state, &after.state, "advance"),
        ("cost", &before.cost, &after.cost, "advance"),
        ("observation", &before.observation, &after.observation, "observe"),
    ];
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    buffers.into_iter().find_map(|(buffer, before, after, writer)| {
        let is_written = bits(before.as_slice()) != bits(after.as_slice());
        let may_write = writer == function || (begins && buffer == "state");
        (!may_write && is_written).then_some(buffer)
    })
}
