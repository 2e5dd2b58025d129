//! A plant for each check that breaks what the check is about, and nothing that would crash.

use super::workshop::Report;

#[track_caller]
fn each_fails(faults: &[(&str, &str, &str)]) {
    for (fault, check, fragment) in faults {
        let report = Report::of_cart(fault, &["--only", check]);
        report.assert_fails(check, fragment);
        assert_eq!(report.count("fail"), 1, "{fault}: {report:?}");
    }
}

#[test]
fn faulty_descriptions_fail() {
    each_fails(&[
        ("NAME", "description", "`My Cart` is not lower-case"),
        ("NAMES", "names-unique", "`x` and `X`"),
        ("TINY_STEP", "description", "the step of 5e-324 s is not from"),
        ("COLUMN", "names-unique", "`time_s` is called like the column"),
        ("UNIT", "units", "`x` is in `m` as a state and in `cm`"),
        ("CENTER", "defaults", "the center of control `force`"),
        ("STRUCTURE", "structure", "n_colors = 3"),
        ("FAR_PICTURE", "picture", "nothing of the picture is in its view"),
        ("DEAD_PICTURE", "picture", "nothing of the picture moves"),
    ]);
}

#[test]
fn calls_that_are_not_pure_fail() {
    each_fails(&[
        ("COUNTER", "reset-repeats", "state `x` in period"),
        ("LEFTOVERS", "history", "state `x` in period"),
        ("HIDDEN_STATE", "save-restore", "state `x` in period"),
        ("OTHER_THREAD", "threads", "state `x` in period"),
        ("LOAD_TIME", "other-process", "other bits in another process"),
        ("KICK_PER_CALL", "steps-split", "cut as [5, 5]"),
        ("LOCALE", "locale", "a call changes the locale"),
        ("LEAK", "memory", "KiB more after 100000 episodes"),
    ]);
}

/// Chance has no part in it, so that once would do.
#[test]
fn static_working_variables_are_found_each_time() {
    let sound = Report::of_cart("NONE", &["--only", "interleaved"]);
    if let Some((_, reason)) = sound.with("skip").first() {
        eprintln!("skipped: {reason}");
        return;
    }
    for _ in 0..5 {
        each_fails(&[("STATIC_WORK", "interleaved", "while another thread runs the same code")]);
    }
}

#[test]
fn what_is_done_to_the_process_fails() {
    for (fault, check, what) in [
        ("X87", "float-mode", "the floating-point mode"),
        ("LOCALE", "locale", "the locale"),
        ("CHDIR", "working-directory", "the working directory"),
        ("UMASK", "umask", "the umask"),
        ("SIGNALS", "signal-handlers", "the handling of signals"),
        ("SETENV", "environment", "the environment"),
        ("PRINT", "standard-output", "prints \"hello\\n"),
        ("CLOSE", "descriptors", "closes files"),
    ] {
        each_fails(&[(fault, check, what)]);
        each_fails(&[(&format!("{fault}_AT_LOAD"), check, what)]);
    }
    each_fails(&[("FD_LEAK", "descriptors", "files more are open after 80 episodes")]);
}

#[test]
fn lanes_that_know_of_each_other_fail() {
    each_fails(&[
        ("LANE_COUNT", "batch-is-scalar", "against it alone"),
        ("FIRST_24", "batch-sizes", "lane 24 of 28, against it alone"),
        ("FIRST_28", "batch-sizes", "lane 28 of 32, against it alone"),
        ("LANE_INDEX", "lane-order", "in another order"),
        ("NEIGHBOR", "lane-leaks", "beside NaN and infinities"),
        ("ALL_LANES", "unused-lanes", "writes `state` of others"),
        ("OVERRUN", "buffers", "`advance` writes past the end of `state`"),
        ("END_OVERRUN", "buffers", "`advance` writes past the end of `end_step`"),
        ("WRITES_CONTROL", "buffers", "`advance` writes to `control`"),
    ]);
    if bitloop_plant::Isa::available().count() > 1 {
        each_fails(&[("ISA", "instruction-sets", "against portable")]);
    }
}

#[test]
fn wrong_numbers_fail() {
    each_fails(&[
        ("NAN_RATES", "finite-values", "is NaN in period 0 from the legal state"),
        ("CORNER", "parameter-corners", "at mass = 0.1"),
        ("SWALLOWS_NAN", "nan-in-nan-out", "the control is NaN"),
        ("DENORMAL", "extreme-values", "abort"),
        ("BOUNDS", "bounds", "state `v` is"),
        ("LOW_ORDER", "convergence-order", "where 2 is declared"),
        ("OTHER_STEP", "integrators-agree", "the plant's step solves other equations"),
    ]);
}

#[test]
fn wrong_costs_and_ends_fail() {
    each_fails(&[
        ("NEGATIVE_COST", "costs-not-negative", "the stage cost is -"),
        ("UNASKED_COST", "cost-when-asked", "that were not asked for"),
        ("STATE_IN_FAILURE_COST", "failure-cost", "with the same parameters"),
        ("FAR_FAILURE_COST", "failure-cost", "0 and 1 at two states"),
        ("EARLY_END", "end-step", "an episode ends at step"),
        ("MOVES_ON", "failure-absorbs", "the state moves on"),
    ]);
}
