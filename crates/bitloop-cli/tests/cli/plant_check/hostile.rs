//! Plants that take their process along, or that cannot be opened: each is named rightly, and the host lives.

use super::workshop::{Report, c_library, rust_library};
use crate::support::Bench;

/// Checks a hostile plant as a user would, and that one check alone failed.
#[track_caller]
fn fails_alone(fault: &str, check: &str, fragment: &str) {
    let report = Report::of_cart(fault, &[]);
    report.assert_fails(check, fragment);
    assert_eq!(report.count("fail"), 1, "{fault}: {report:?}");
}

#[test]
fn plants_that_end_their_process_are_reported_with_how() {
    for (fault, fragment) in [
        ("ABORT", "abort"),
        ("SEGFAULT", "segmentation fault"),
        ("OVERFLOW", "stack overflow"),
        ("EXIT", "called exit(0)"),
        ("DIVISION", "arithmetic exception"),
    ] {
        fails_alone(fault, "answers", fragment);
    }
    fails_alone("CONSTRUCTOR", "opens", "segmentation fault");
}

#[test]
fn a_plant_that_hangs_is_given_up() {
    let report = Report::of_cart("LOOP", &["--time-limit", "3"]);
    report.assert_fails("answers", "no answer for 3 s");
    assert_eq!(report.count("fail"), 1, "{report:?}");
}

#[test]
fn plants_that_do_not_open_are_reported_with_why() {
    fails_alone("VERSION", "opens", "version 2 of the plant ABI");
    fails_alone("SIZE", "opens", "its descriptor is too short: 16 bytes");
    fails_alone("CIRCULAR_PICTURE", "opens", "its parent is frame 0, which must be an earlier one");
    let bench = Bench::new();
    bench.write("text.so", "int x;\n");
    for (library, fragment) in [
        (c_library("other"), "no symbol `bitloop_plant_v1`"),
        (bench.path("text.so"), "it is a text file"),
        (bench.path("missing.so"), "no such file"),
    ] {
        let report = Report::of(library, &[]);
        report.assert_fails("opens", fragment);
        assert_eq!((report.count("fail"), report.count("pass")), (1, 0), "{report:?}");
    }
}

#[test]
fn plants_that_break_are_reported_once() {
    let report = Report::of(rust_library("panicking"), &[]);
    report.assert_fails("answers", "broke in `advance` (status 2): the belt came off");
    assert_eq!(report.count("fail"), 1, "{report:?}");
    fails_alone("STATUS", "answers", "broke in `advance` (status 2): oh");
    fails_alone("FAST_MATH", "float-mode", "it changes the floating-point mode");
    fails_alone("FAST_MATH_AT_LOAD", "float-mode", "loading the library changes");
    fails_alone("LATE_END", "end-step", "a lane ended after step");
}

#[test]
fn after_a_crash_the_next_check_goes_on() {
    let report = Report::of_cart("LATE_CRASH", &[]);
    report.assert_fails("steps-split", "abort");
    assert_eq!((report.count("fail"), report.count("skip")), (1, 1), "{report:?}");
}
