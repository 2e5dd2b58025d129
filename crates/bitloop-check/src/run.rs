//! The host's side: all checks of a plant, also where its process crashes or hangs.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use bitloop_host::Worker;
use thiserror::Error;

use crate::checks::{ALL, Check, Speed, Then};
use crate::finding::{Finding, Outcome};
use crate::worker::{Answer, Request};

/// After so many workers were lost, no more are started.
const MAX_LOST: usize = 3;

/// How long after another one a process is started that is compared with it.
const APART: Duration = Duration::from_millis(1100);

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The root of all random numbers.
    pub seed: u64,
    /// How long a check may take with a plant that takes no time. The plant's speed is measured, and the time that the longest
    /// check needs for its episodes is added.
    pub time_limit: Duration,
    /// The checks to make, by name; all if empty. One that makes sense of others, such as that the plant opens, is made
    /// anyway.
    pub only: Vec<String>,
}

/// A check and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// The check's name.
    pub name: &'static str,
    /// Its answer.
    pub finding: Finding,
    /// The seed that asks the same question again.
    pub seed: u64,
}

/// The answers of all checks that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// In the order in which they were made.
    pub results: Vec<CheckResult>,
}

impl CheckReport {
    /// How many checks have this outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.results.iter().filter(|result| result.finding.outcome == outcome).count()
    }
}

/// Why nothing could be checked.
#[derive(Debug, Error)]
pub enum CheckError {
    /// No check has this name.
    #[error("there is no check `{0}`")]
    UnknownCheck(String),
    /// No worker can be started.
    #[error("no worker process can be started: {0}")]
    NoWorker(io::Error),
}

impl CheckError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownCheck(_) => {
                let names: Vec<_> = crate::names().collect();
                Some(format!("the checks are {}", names.join(", ")))
            }
            Self::NoWorker(_) => None,
        }
    }
}

/// Makes the checks, one after the other, in workers that `start` starts and that come to [`serve`](crate::serve).
///
/// A worker that ends or does not answer in time has failed the check that it was at; a new one continues with the next.
/// Where a plant does not open, or does not survive its first calls, or takes three workers along, the remaining checks are
/// skipped. A call error that has failed one check is not counted again.
///
/// # Errors
/// [`CheckError`] if nothing could be checked.
///
/// # Panics
/// Never: the requests are plain text.
pub fn check(
    start: &mut dyn FnMut() -> io::Result<Worker>,
    options: &CheckOptions,
) -> Result<CheckReport, CheckError> {
    let unknown = options.only.iter().find(|name| !ALL.iter().any(|check| check.name == **name));
    if let Some(name) = unknown {
        return Err(CheckError::UnknownCheck(name.clone()));
    }
    let is_wanted = |check: &&Check| {
        options.only.is_empty()
            || check.is_essential()
            || options.only.iter().any(|name| name == check.name)
    };
    let mut session = Session {
        start,
        options,
        worker: None,
        started: Instant::now(),
        n_lost: 0,
        call_errors: Vec::new(),
        for_episodes: Duration::ZERO,
    };
    let mut report = CheckReport { results: Vec::new() };
    let mut obstacle: Option<String> = None;
    for check in ALL.iter().filter(is_wanted) {
        let finding = match &obstacle {
            Some(obstacle) => Finding::skip(obstacle.clone()),
            None if check.is_compared => session.compare(check)?,
            None => session.ask(check)?,
        };
        if finding.outcome == Outcome::Pass && check.then == Then::MeasureSpeed {
            session.measure_speed()?;
        }
        if finding.outcome == Outcome::Fail && check.is_essential() {
            obstacle = Some(format!("not asked, since `{}` failed", check.name));
        } else if session.n_lost >= MAX_LOST && obstacle.is_none() {
            obstacle = Some(format!("not asked, since {MAX_LOST} processes were lost"));
        }
        report.results.push(CheckResult { name: check.name, finding, seed: options.seed });
    }
    Ok(report)
}

/// The workers of one run of checks, one at a time.
struct Session<'a> {
    start: &'a mut dyn FnMut() -> io::Result<Worker>,
    options: &'a CheckOptions,
    worker: Option<Worker>,
    /// When the latest worker was started, if one was.
    started: Instant,
    n_lost: usize,
    /// Checks that failed by an error of a call, and that error without its numbers.
    call_errors: Vec<(&'static str, String)>,
    /// What a check may take more with the episodes of this plant.
    for_episodes: Duration,
}

impl Session<'_> {
    fn ask(&mut self, check: &Check) -> Result<Finding, CheckError> {
        let request = Request::Check { check: check.name.to_owned(), seed: self.options.seed };
        match self.answer(&request)? {
            Ok(answer) => Ok(self.finding(check, answer)),
            Err(lost) => {
                self.n_lost += 1;
                Ok(Finding::fail(lost))
            }
        }
    }

    /// Measures how much longer checks may take. A plant that is too slow even for that has the usual time.
    fn measure_speed(&mut self) -> Result<(), CheckError> {
        let request = Request::Speed { seed: self.options.seed };
        if let Ok(Answer::Speed(Some(speed))) = self.answer(&request)? {
            self.for_episodes = for_episodes(speed);
        }
        Ok(())
    }

    /// The answer of a worker, or how it was lost, in words.
    fn answer(&mut self, request: &Request) -> Result<Result<Answer, String>, CheckError> {
        let worker = match &mut self.worker {
            Some(worker) => worker,
            none => {
                self.started = Instant::now();
                none.insert((self.start)().map_err(CheckError::NoWorker)?)
            }
        };
        let request = serde_json::to_vec(request).expect("a text and a number");
        let answer = match worker
            .ask(&request, self.options.time_limit.saturating_add(self.for_episodes))
        {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|_| "the plant's process gave an answer that cannot be read".to_owned()),
            Err(end) => Err(end.to_string()),
        };
        if answer.is_err() {
            self.worker = None;
        }
        Ok(answer)
    }

    /// Asks two processes, which must find the same.
    fn compare(&mut self, check: &Check) -> Result<Finding, CheckError> {
        let first = self.ask(check)?;
        if first.outcome != Outcome::Pass {
            return Ok(first);
        }
        // A time that a library takes when it is loaded may be that of a clock of seconds.
        thread::sleep(APART.saturating_sub(self.started.elapsed()));
        self.worker = None;
        let second = self.ask(check)?;
        if second.outcome != Outcome::Pass {
            return Ok(second);
        }
        let is_same = first.reason == second.reason;
        Ok(Finding::unless((!is_same).then(|| {
            "the same episodes give other bits in another process (a value that is fixed when the library is loaded?)".to_owned()
        })))
    }

    fn finding(&mut self, check: &Check, answer: Answer) -> Finding {
        match answer {
            Answer::NotOpen { message, hint } => Finding::fail(format!("{message} ({hint})")),
            Answer::Speed(_) => Finding::fail("the plant's process answers another question"),
            Answer::Finding { finding, is_call_error: false } => finding,
            Answer::Finding { finding, is_call_error: true } => {
                // The same error on another number of steps is no news.
                let error = finding.reason.replace(|c: char| c.is_ascii_digit(), "");
                if let Some((first, _)) = self.call_errors.iter().find(|(_, known)| *known == error)
                {
                    return Finding::skip(format!("the plant breaks as in `{first}`"));
                }
                self.call_errors.push((check.name, error));
                finding
            }
        }
    }
}

/// The time that the longest check needs for this plant, and twice that again, since machines have other work.
fn for_episodes(speed: Speed) -> Duration {
    const MOST: Duration = Duration::from_hours(1);
    let seconds = 3.0 * speed.longest_check_s();
    Duration::try_from_secs_f64(seconds).map_or(MOST, |time| time.min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_plant_has_more_time() {
        let time = |seconds_per_episode, seconds_per_lane| {
            for_episodes(Speed { seconds_per_episode, seconds_per_lane })
        };
        assert_eq!(time(0.0, 0.0), Duration::ZERO);
        // The longest check has 110000 episodes, and 12000 lanes are made in another one.
        assert_eq!(time(1e-3, 0.0), Duration::from_secs(330));
        assert_eq!(time(0.0, 1e-2), Duration::from_mins(6));
        for endless in [f64::NAN, f64::INFINITY, 1e9] {
            assert_eq!(time(endless, 0.0), Duration::from_hours(1));
        }
    }
}
