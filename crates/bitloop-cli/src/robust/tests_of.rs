//! [`Tests`]: what is run of one controller, numbered: the test without a source, then all levels of each source.

use std::num::NonZeroUsize;

use bitloop_robust::{Level, LinearLoop, Margins, Running, Source, Sweep, Tested};
use bitloop_train::LqrBaseline;
use serde::{Deserialize, Serialize};

use super::Column;
use crate::args::RobustArgs;
use crate::failure::Failure;
use crate::test_inputs::TestInputs;

/// Threads, and what calls everything off once it answers true.
pub type Threads<'a> = (NonZeroUsize, &'a (dyn Fn() -> bool + Sync));

/// The tests of one controller, or of linear feedback in its place.
pub struct Tests<'a> {
    subject: &'a TestInputs<'a>,
    name: String,
    margins: Margins<'a>,
    nominal: Tested,
    sources: Vec<Source>,
}

/// The result of one of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Finding {
    /// Of the test without any source.
    Baseline(Level),
    /// Of all levels of a source.
    Sweep(Sweep),
}

/// The regulator that is best on the training episodes of the scenario whose test the first controller runs, if it is asked for.
pub fn regulator(
    args: &RobustArgs,
    subjects: &[TestInputs<'_>],
    n_threads: NonZeroUsize,
) -> Result<Option<LinearLoop>, Failure> {
    let Some(subject) = subjects.first().filter(|_| args.lqr) else { return Ok(None) };
    let replay = subject.replay(subject.with_training_horizon(args.count.episodes))?;
    let (scenario, registry) = (replay.scenario(), &subject.registry);
    let baseline = LqrBaseline::new(scenario, registry, None, subject.isa, n_threads);
    let baseline = baseline.map_err(|error| Failure::of_training(subject.path, error))?;
    let Some(interface) = baseline.interface else {
        return Err(Failure::Usage {
            message: "--lqr: its sensors cannot be disturbed, since the observations do not determine all states".into(),
            hint: Some("leave it out, or let the plant observe all of its states".into()),
        });
    };
    Ok(Some(LinearLoop { feedback: baseline.lqr.controller, interface }))
}

impl<'a> Tests<'a> {
    /// Those of all controllers, and of the regulator.
    pub fn of_all(
        args: &RobustArgs,
        subjects: &'a [TestInputs<'a>],
        linear: Option<&'a LinearLoop>,
    ) -> Result<Vec<Self>, Failure> {
        let first = subjects.first().filter(|_| linear.is_some());
        let saved = subjects.iter().map(|subject| (subject, None));
        let all = saved.chain(first.map(|subject| (subject, linear)));
        all.map(|(subject, linear)| Self::of(args, subject, linear)).collect()
    }

    fn of(
        args: &RobustArgs,
        subject: &'a TestInputs<'a>,
        linear: Option<&'a LinearLoop>,
    ) -> Result<Self, Failure> {
        let options = subject.with_training_horizon(args.count.episodes);
        // What only the options broke is found here.
        subject.replay(options.clone())?;
        let margins = Margins {
            controller: &subject.controller,
            options,
            registry: &subject.registry,
            limit: args.limit,
            linear,
        };
        let nominal = margins.test(subject.scenario.as_ref());
        let nominal = nominal.map_err(|error| Failure::of_robust(subject.path, error))?;
        let sources = Source::of(&nominal);
        let name = match linear {
            None => subject.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Some(_) => "LQR".to_owned(),
        };
        Ok(Self { subject, name, margins, nominal, sources })
    }

    /// The test without a source.
    pub const fn nominal(&self) -> &Tested {
        &self.nominal
    }

    /// How many there are.
    pub fn n_items(&self) -> usize {
        1 + self.sources.len()
    }

    /// Runs one of them; none if it was called off.
    pub fn run(
        &self,
        item: usize,
        (n_threads, stop): Threads<'_>,
    ) -> Result<Option<Finding>, Failure> {
        let running = Running { isa: self.subject.isa, n_threads, stop };
        let source = item.checked_sub(1).and_then(|source| self.sources.get(source));
        let result = match source {
            None => {
                let level = self.margins.baseline(&self.nominal, running);
                level.map(|level| level.map(Finding::Baseline))
            }
            Some(source) => {
                let sweep = self.margins.sweep(&self.nominal, source, running);
                sweep.map(|sweep| sweep.map(Finding::Sweep))
            }
        };
        result.map_err(|error| Failure::of_robust(self.subject.path, error))
    }

    /// The column of all results, in order; none without the one of the test without a source.
    pub fn column(&self, results: Vec<Finding>) -> Option<Column> {
        let mut baseline = None;
        let mut sweeps = Vec::new();
        for result in results {
            match result {
                Finding::Baseline(level) => baseline = Some(level),
                Finding::Sweep(sweep) => sweeps.push(sweep),
            }
        }
        baseline.map(|baseline| Column { name: self.name.clone(), baseline, sweeps })
    }
}
