//! The results of a suite as `JUnit` XML: a test suite for each controller, a test case for each test.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::report::Verdict;
use super::{End, Tested};

/// Writes the results.
pub fn write(
    suite: &Path,
    controllers: &[PathBuf],
    all: &[Tested<'_>],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut report = Report::new(suite.to_string_lossy());
    for (position, controller) in controllers.iter().enumerate() {
        let mut group = TestSuite::new(controller.to_string_lossy());
        for tested in all.iter().skip(position).step_by(controllers.len()) {
            group.add_test_case(case(tested));
        }
        report.add_test_suite(group);
    }
    let text = report.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn case(tested: &Tested<'_>) -> TestCase {
    let mut status = match tested.verdict() {
        Verdict::Passed | Verdict::WithoutCriteria => TestCaseStatus::success(),
        Verdict::Missed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Failed => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Interrupted => TestCaseStatus::skipped(),
    };
    if let Some(reason) = tested.reason() {
        status.set_message(reason);
    }
    let mut case = TestCase::new(tested.test.name.as_str(), status);
    if let End::Run(run) = &tested.end {
        case.set_time(Duration::try_from_secs_f64(run.outcome.wall_s).unwrap_or_default());
    }
    case
}
