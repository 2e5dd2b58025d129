//! The checks: their names, their order, and one function each.

mod bounds;
mod calls;
mod costs;
mod description;
mod ends;
mod lanes;
mod order;
mod picture;
mod process;
mod purity;
mod resources;
mod slots;
mod structure;
mod threads;
mod values;

use crate::finding::Checked;
use crate::numbers::Numbers;
use crate::subject::Subject;

/// What comes after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The next one, whatever it found.
    Continue,
    /// The next one if it passed: a plant that fails it is asked no more.
    NeedsPass,
    /// The same, and then the speed of the plant is measured: before, calls may not be answered.
    MeasureSpeed,
}

/// A question to a plant.
pub(crate) struct Check {
    /// How it is asked for.
    pub name: &'static str,
    pub then: Then,
    /// Whether two processes answer it, whose reasons must be the same.
    pub is_compared: bool,
    /// Whether it enters an episode in the middle, or continues one that has ended, which a plant that owns its state refuses.
    pub enters_episodes: bool,
    pub run: Run,
}

impl Check {
    /// Whether a plant that fails it is asked no more.
    pub const fn is_essential(&self) -> bool {
        !matches!(self.then, Then::Continue)
    }
}

type Run = fn(&Subject, &mut Numbers) -> Checked;

const fn check(name: &'static str, run: Run) -> Check {
    Check { name, then: Then::Continue, is_compared: false, enters_episodes: false, run }
}

const fn essential(name: &'static str, run: Run) -> Check {
    Check { then: Then::NeedsPass, ..check(name, run) }
}

const fn compared(name: &'static str, run: Run) -> Check {
    Check { is_compared: true, ..check(name, run) }
}

const fn entering(name: &'static str, run: Run) -> Check {
    Check { enters_episodes: true, ..check(name, run) }
}

/// All checks, in the order in which they are run: what would make later ones fail comes first.
pub(crate) const ALL: &[Check] = &[
    essential("opens", description::opens),
    check("description", description::description),
    check("names-unique", description::names_unique),
    check("units", description::units),
    Check { then: Then::MeasureSpeed, ..check("answers", calls::answers) },
    check("float-mode", process::float_mode),
    check("end-step", ends::end_step),
    check("locale", process::locale),
    check("working-directory", process::working_directory),
    check("umask", process::umask),
    check("signal-handlers", process::signal_handlers),
    check("environment", process::environment),
    check("standard-output", process::standard_output),
    check("descriptors", process::descriptors),
    check("buffers", calls::buffers),
    check("defaults", description::defaults),
    check("reset-repeats", purity::reset_repeats),
    check("history", purity::history),
    check("threads", threads::threads),
    check("interleaved", threads::interleaved),
    compared("other-process", purity::other_process),
    check("save-restore", purity::save_restore),
    entering("steps-split", purity::steps_split),
    check("batch-is-scalar", lanes::batch_is_scalar),
    check("batch-sizes", lanes::batch_sizes),
    check("lane-order", lanes::lane_order),
    entering("lane-leaks", lanes::lane_leaks),
    check("unused-lanes", lanes::unused_lanes),
    entering("instruction-sets", lanes::instruction_sets),
    check("finite-values", values::finite_values),
    check("parameter-corners", values::parameter_corners),
    check("nan-in-nan-out", values::nan_in_nan_out),
    check("extreme-values", values::extreme_values),
    check("bounds", bounds::bounds),
    entering("costs-not-negative", costs::not_negative),
    check("cost-when-asked", costs::when_asked),
    check("failure-cost", costs::failure_cost),
    check("failure-absorbs", ends::failure_absorbs),
    check("convergence-order", order::convergence_order),
    check("integrators-agree", order::integrators_agree),
    check("structure", structure::structure),
    check("picture", picture::picture),
    check("memory", resources::memory),
    check("lane-speed-up", resources::lane_speed_up),
];

/// The names of all checks, in the order in which they are run.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|check| check.name)
}

pub(crate) use resources::{Speed, speed};

/// The check of a name.
pub(crate) fn find(name: &str) -> Option<&'static Check> {
    ALL.iter().find(|check| check.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_crate_explains_each_check_once() {
        let rows = include_str!("../lib.rs").lines().filter_map(|line| {
            let name = line.strip_prefix("//! | `")?;
            name.split_once('`').map(|(name, _)| name)
        });
        assert_eq!(rows.collect::<Vec<_>>(), names().collect::<Vec<_>>());
    }
}
