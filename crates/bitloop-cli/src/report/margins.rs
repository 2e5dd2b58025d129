//! The section of a page that says how far a controller holds: what `bitloop robust` finds.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use bitloop_look::Section;

use crate::args::{ReportArgs, RobustArgs};
use crate::environment;
use crate::failure::Failure;
use crate::robust;
use crate::test_inputs::TestInputs;

/// Measures the margins of a controller; nothing if that was interrupted.
pub fn sections(
    args: &ReportArgs,
    inputs: &TestInputs<'_>,
    interrupt: &AtomicBool,
) -> Result<Option<Vec<Section>>, Failure> {
    let robust_args = RobustArgs {
        controllers: vec![PathBuf::from(inputs.path)],
        test: args.test.clone(),
        count: args.count.clone(),
        limit: None,
        lqr: false,
        out: None,
        shard: None,
        threads: args.threads,
        json: false,
    };
    let stop = || interrupt.load(Ordering::Relaxed);
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let subjects = std::slice::from_ref(inputs);
    let (columns, is_part) = robust::columns(&robust_args, subjects, (n_threads, &stop))?;
    if is_part {
        return Ok(None);
    }
    let picture = robust::picture(&columns).and_then(|picture| picture.svg());
    let text = Section::Text("Robustness".to_owned(), robust::text(&columns), false);
    // A plant whose episodes do not fail has nothing to draw.
    let figures = picture.map(|svg| Section::Figures("Failures by source".to_owned(), vec![svg]));
    Ok(Some([text].into_iter().chain(figures.ok()).collect()))
}
