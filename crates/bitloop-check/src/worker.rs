//! The worker's side: opens the plant, and answers one check after the other.

use std::io;

use bitloop_host::{ProcessState, Sandbox, captured_stdout};
use serde::{Deserialize, Serialize};

use crate::checks::{self, Speed};
use crate::finding::Finding;
use crate::numbers::Numbers;
use crate::subject::{OpenError, Subject};

/// What the host asks for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// A check to be made.
    Check { check: String, seed: u64 },
    /// How fast the plant is: a question of its own, so that a slow plant fails no check by it.
    Speed { seed: u64 },
}

/// The outcome of a check.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// The check's answer.
    Finding {
        finding: Finding,
        /// Whether the plant answered a call with an error, as it may do in other checks, too.
        is_call_error: bool,
    },
    /// How fast the plant is, if that can be measured.
    Speed(Option<Speed>),
    /// There is no plant.
    NotOpen { message: String, hint: String },
}

impl Answer {
    /// A finding of a check itself.
    const fn of(finding: Finding) -> Self {
        Self::Finding { finding, is_call_error: false }
    }
}

/// Makes the checks that the host asks for, on the plant that `open` opens at the first of them, until the host goes away.
/// Before that, the process enters the sandbox, if there is one.
///
/// # Errors
/// If standard input and output are not the pipes of a host.
///
/// # Panics
/// Never: the answers are plain text.
pub fn serve(
    sandbox: Option<&Sandbox>,
    open: impl Fn() -> Result<Subject, OpenError>,
) -> io::Result<()> {
    let mut subject = None;
    bitloop_host::serve(sandbox, |request| {
        let answer = match subject.get_or_insert_with(|| open_and_listen(&open)) {
            Ok(subject) => answer(subject, request),
            Err(OpenError { message, hint }) => {
                Answer::NotOpen { message: message.clone(), hint: hint.clone() }
            }
        };
        serde_json::to_vec(&answer).expect("text and truth values")
    })
}

/// Opens the plant, and keeps what it prints meanwhile.
fn open_and_listen(open: &dyn Fn() -> Result<Subject, OpenError>) -> Result<Subject, OpenError> {
    let mut subject = match captured_stdout(open) {
        Ok((opened, printed)) => Subject { printed, ..opened? },
        // Without a way to listen, the check of standard output sees the calls alone.
        Err(_) => open()?,
    };
    // Standard output is where it belongs again.
    subject.state = Some(ProcessState::capture());
    Ok(subject)
}

fn answer(subject: &Subject, request: &[u8]) -> Answer {
    let found = match serde_json::from_slice(request) {
        Ok(Request::Speed { seed }) => {
            let mut numbers = Numbers::new(seed, "speed");
            return Answer::Speed(checks::speed(&subject.plant, &mut numbers).ok());
        }
        Ok(Request::Check { check, seed }) => checks::find(&check).map(|check| (check, seed)),
        Err(_) => None,
    };
    let Some((check, seed)) = found else {
        let finding = Finding::skip("the worker does not know this check");
        return Answer::of(finding);
    };
    if subject.plant.owns_state() && check.enters_episodes {
        let finding =
            Finding::skip("the plant owns its state: an episode cannot be entered in the middle");
        return Answer::of(finding);
    }
    let mut numbers = Numbers::new(seed, check.name);
    match (check.run)(subject, &mut numbers) {
        Ok(finding) => Answer::of(finding),
        Err(error) => {
            Answer::Finding { finding: Finding::fail(error.to_string()), is_call_error: true }
        }
    }
}
