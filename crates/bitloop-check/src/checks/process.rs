//! What a plant must leave as it is in the process that it runs in.

use bitloop_host::{StatePart, captured_stdout, n_open_descriptors};
use bitloop_plant::{PlantCallError, STATUS_OK};

use crate::episodes::{Episodes, Manner};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// Neither loading nor calling the plant changes how the processor rounds. The host looks at each call, and puts the mode
/// back.
pub(super) fn float_mode(subject: &Subject, numbers: &mut Numbers) -> Checked {
    if cfg!(not(target_arch = "x86_64")) {
        return Ok(Finding::skip("the mode is looked at on x86-64 alone"));
    }
    if subject.disturbance.has(StatePart::FloatMode) {
        let reason =
            "loading the library changes the floating-point mode (linked with -ffast-math?)";
        return Ok(Finding::fail(reason));
    }
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (8, 2), 0.5, numbers);
    for manner in Manner::all(plant) {
        match episodes.run(plant, &episodes.in_order(), manner) {
            Err(error) if error.status == STATUS_OK && error.message.contains("floating-point") => {
                return Err(error);
            }
            _ => {}
        }
    }
    Ok(Finding::pass(""))
}

/// Neither loading nor calling the plant changes the locale.
pub(super) fn locale(subject: &Subject, numbers: &mut Numbers) -> Checked {
    unchanged(subject, numbers, StatePart::Locale)
}

/// Nor the working directory, where paths begin that users give.
pub(super) fn working_directory(subject: &Subject, numbers: &mut Numbers) -> Checked {
    unchanged(subject, numbers, StatePart::WorkingDirectory)
}

/// Nor the rights of new files.
pub(super) fn umask(subject: &Subject, numbers: &mut Numbers) -> Checked {
    unchanged(subject, numbers, StatePart::Umask)
}

/// Nor how Ctrl-C and other signals are answered.
pub(super) fn signal_handlers(subject: &Subject, numbers: &mut Numbers) -> Checked {
    unchanged(subject, numbers, StatePart::Signals)
}

/// Nor the environment.
pub(super) fn environment(subject: &Subject, numbers: &mut Numbers) -> Checked {
    unchanged(subject, numbers, StatePart::Environment)
}

fn unchanged(subject: &Subject, numbers: &mut Numbers, part: StatePart) -> Checked {
    if subject.disturbance.has(part) {
        return Ok(Finding::fail(format!("loading the library changes {part}")));
    }
    let called = call_all(subject, numbers);
    let is_changed = subject.has_changed(part);
    called?;
    Ok(Finding::unless(is_changed.then(|| format!("a call changes {part}"))))
}

/// Neither loading nor calling the plant prints on standard output, where a program expects results.
pub(super) fn standard_output(subject: &Subject, numbers: &mut Numbers) -> Checked {
    let quoted = |text: &[u8]| {
        let text: String = String::from_utf8_lossy(text).chars().take(60).collect();
        format!("{text:?}")
    };
    if !subject.printed.is_empty() {
        let text = quoted(&subject.printed);
        return Ok(Finding::fail(format!("loading the library prints {text}")));
    }
    match captured_stdout(|| call_all(subject, numbers)) {
        Ok((called, printed)) => {
            called?;
            let is_silent = printed.is_empty();
            Ok(Finding::unless((!is_silent).then(|| format!("a call prints {}", quoted(&printed)))))
        }
        Err(error) => Ok(Finding::skip(format!("standard output cannot be moved: {error}"))),
    }
}

/// Files that were open stay open, and calls leave none open behind them.
pub(super) fn descriptors(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const N_RUNS: usize = 10;
    let part = StatePart::Descriptors;
    if subject.disturbance.has(part) {
        return Ok(Finding::fail("loading the library closes files that it has not opened"));
    }
    // What is opened once and kept is no leak.
    call_all(subject, numbers)?;
    let Some(before) = n_open_descriptors() else {
        return Ok(Finding::skip("this system does not show which files are open"));
    };
    for _ in 0..N_RUNS {
        call_all(subject, numbers)?;
    }
    let after = n_open_descriptors();
    if subject.has_changed(part) {
        return Ok(Finding::fail("a call closes files that it has not opened"));
    }
    // Where no file can be opened any more, those that are open cannot be counted either.
    let n_more = after.map_or(usize::MAX, |after| after.saturating_sub(before));
    Ok(Finding::unless((n_more > 0).then(|| {
        let number = if n_more == usize::MAX { "too many".to_owned() } else { n_more.to_string() };
        format!("{number} files more are open after {} episodes", N_RUNS * N_EPISODES)
    })))
}

/// Episodes at once.
const N_EPISODES: usize = 8;

/// All functions of the plant, with each integrator.
fn call_all(subject: &Subject, numbers: &mut Numbers) -> Result<(), PlantCallError> {
    let plant = &subject.plant;
    let episodes = Episodes::draw(plant, (N_EPISODES, 2), 0.5, numbers);
    for manner in Manner::all(plant) {
        episodes.run(plant, &episodes.in_order(), manner)?;
    }
    Ok(())
}
