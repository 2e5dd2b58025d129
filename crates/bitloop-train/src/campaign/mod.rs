//! [`Campaign`]: many independent runs of a scenario and its variants, for statistics.
//!
//! Run i of a campaign with root seed s is the training of the scenario with the seed
//! `Stream(s, CampaignRun, i, 0).next_u64() >> 11` (53 bits, which every reader of JSON keeps): as in the paper's
//! sessions, each run draws its own episodes, of all four sets, as well as its own random starts. It does not depend on
//! the variant, so that runs of the same number meet the same episodes in each variant, nor on how many runs there are,
//! so that a campaign can be made longer. `bitloop train --seed` with a run's seed and stopping rules repeats it.
//!
//! A run of a campaign is one run from random weights, without restart and without a target, within the scenario's
//! evaluations; or a whole training, where the scenario's own stopping rules are asked for. A finished run is a file, and
//! is not repeated. Everything but times and plant steps is the same for any number of threads and any interruption, unless
//! a budget in seconds ends a run.

mod error;
mod folder_names;
mod queue;
mod run;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use bitloop_campaign::Variant;
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{AnyScenario, Stop};

use crate::closed_loop::Library;
use crate::product::{Product, ProductKind};
use crate::run_record::{Found, RunRecord, find, write_whole};
use crate::training::{Execution, PlantAccess, open_training};
use folder_names::folder_names;
use queue::Queue;

pub use error::CampaignError;

/// The longest time before an interrupt is noticed.
const LOOK_PERIOD: Duration = Duration::from_millis(50);

/// Options of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignOptions {
    /// Runs of each variant.
    pub n_runs: u32,
    /// Root of the runs' seeds.
    pub seed: u64,
    /// Whether runs follow the scenario's own stopping rules, restarts and target included.
    pub with_restarts: bool,
    /// Where finished runs are kept: in the folder itself, or, with several variants, in a folder inside it for each.
    pub folder: PathBuf,
    /// The command, as typed, for saved controllers.
    pub command: String,
    /// Name of the scenario's file, without folders.
    pub scenario_name: String,
    /// Version of bitloop.
    pub bitloop_version: String,
}

/// A scenario whose runs are counted together.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignVariant {
    /// The varied fields and their values; empty if nothing is varied.
    pub name: String,
    /// The scenario of its runs, with the campaign's seed instead of theirs.
    pub scenario: AnyScenario,
    /// Whether its runs train controllers or models.
    pub kind: ProductKind,
    /// Digest of the plant's library, if it comes from one.
    pub plant_digest: Option<String>,
    /// A warning to the user about the plant's library.
    pub library_warning: Option<String>,
    /// Where its finished runs are kept.
    pub folder: PathBuf,
}

/// Independent runs of one or several variants, checked.
#[derive(Debug)]
pub struct Campaign {
    options: CampaignOptions,
    variants: Vec<CampaignVariant>,
    registry: Registry,
}

/// Finished runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Books {
    /// `[n_variants][n_runs]`, none where a run is missing.
    pub runs: Vec<Vec<Option<RunRecord>>>,
    /// Damaged files of runs; these runs are repeated.
    pub damaged: Vec<PathBuf>,
}

/// A run that has just finished.
#[derive(Clone, Copy, Debug)]
pub struct RunNews<'a> {
    /// Its variant.
    pub variant: &'a CampaignVariant,
    /// Its record.
    pub record: &'a RunRecord,
    /// Finished runs of all variants, this one and those of earlier calls included.
    pub n_finished: usize,
    /// Runs of all variants.
    pub n_runs: usize,
}

impl Campaign {
    /// Checks that each variant can be trained.
    ///
    /// # Errors
    /// A variant that cannot be trained, or two that are the same.
    pub fn new(
        variants: Vec<Variant>,
        options: CampaignOptions,
        registry: Registry,
    ) -> Result<Self, CampaignError> {
        let is_alone = variants.len() == 1;
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        let folders = folder_names(&names);
        let mut checked: Vec<CampaignVariant> = Vec::with_capacity(variants.len());
        for (Variant { name, mut scenario }, folder) in variants.into_iter().zip(folders) {
            scenario.set_seed(options.seed);
            if !options.with_restarts {
                *scenario.stop_mut() = one_run(scenario.stop());
            }
            let training = open_training(&scenario, &PlantAccess::Here(&registry))?;
            let plant_digest = training.library().map(|library| library.digest.clone());
            let kind = training.product_kind();
            let library_warning = training.library().and_then(Library::warning);
            let digest = scenario.digest();
            let same = checked.iter().find(|other| other.scenario.digest() == digest);
            if let Some(first) = same {
                return Err(CampaignError::SameVariant { first: first.name.clone(), second: name });
            }
            let folder =
                if is_alone { options.folder.clone() } else { options.folder.join(folder) };
            checked.push(CampaignVariant {
                name,
                scenario,
                kind,
                plant_digest,
                library_warning,
                folder,
            });
        }
        Ok(Self { options, variants: checked, registry })
    }

    /// The folder of its files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.options.folder
    }

    /// The variants, in order.
    #[must_use]
    pub fn variants(&self) -> &[CampaignVariant] {
        &self.variants
    }

    /// The root seed of a run.
    #[must_use]
    pub fn run_seed(&self, run: u32) -> u64 {
        Stream::new(self.options.seed, Purpose::CampaignRun, u64::from(run), 0).next_u64() >> 11
    }

    /// The runs that earlier calls have finished.
    ///
    /// # Errors
    /// A file with the name of a run that is not a run of this campaign, or cannot be read.
    pub fn finished(&self) -> Result<Books, CampaignError> {
        let mut books = Books::default();
        for variant in &self.variants {
            let mut runs = Vec::with_capacity(self.options.n_runs as usize);
            for run in 0..self.options.n_runs {
                let path = record_path(&variant.folder, run);
                let not_ours = |message: &str| {
                    Err(CampaignError::NotOurs { path: path.clone(), message: message.to_owned() })
                };
                runs.push(match find(&path) {
                    Err(error) => return Err(CampaignError::Io { path, error }),
                    Ok(Found::Nothing) => None,
                    Ok(Found::Damaged) => {
                        books.damaged.push(path);
                        None
                    }
                    Ok(Found::Foreign) => return not_ours("this is no run of a campaign"),
                    Ok(Found::Record(record)) => {
                        let version = &record.bitloop_version;
                        if *version != self.options.bitloop_version {
                            return not_ours(&format!("this run was made by bitloop {version}"));
                        }
                        if record.run != run
                            || record.scenario_digest != self.scenario(variant, run).digest()
                        {
                            return not_ours(
                                "this is a run of another scenario, seed or kind of campaign",
                            );
                        }
                        if record.plant_digest != variant.plant_digest {
                            return not_ours("this run was made with another build of the plant");
                        }
                        Some(*record)
                    }
                });
            }
            books.runs.push(runs);
        }
        Ok(books)
    }

    /// Does the runs that are missing in `books`, writes their files, and shows each to `watch`. Returns whether all runs
    /// are finished; if not, it was interrupted, and unfinished runs are lost.
    ///
    /// Runs start in order of their number, variant by variant, on as many workers as there are threads. Each has one
    /// thread, but the last ones share the threads that are free.
    ///
    /// # Errors
    /// The first run that fails or cannot be written; the runs that finished before are kept.
    pub fn run(
        &self,
        books: &mut Books,
        isa: Isa,
        n_threads: NonZeroUsize,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(&RunNews<'_>),
    ) -> Result<bool, CampaignError> {
        let numbers = 0..self.options.n_runs as usize;
        let places =
            numbers.flat_map(|run| (0..self.variants.len()).map(move |variant| (variant, run)));
        let missing: Vec<(usize, usize)> =
            places.filter(|&(variant, run)| books.runs[variant][run].is_none()).collect();
        let n_runs = self.options.n_runs as usize * self.variants.len();
        let mut n_finished = n_runs - missing.len();
        let stop = AtomicBool::new(interrupt.load(Ordering::Relaxed));
        let queue = Queue::new(missing, n_threads);
        let (sender, receiver) = mpsc::channel();
        let mut failure = None;
        std::thread::scope(|scope| {
            for _ in 0..n_threads.get().min(n_runs - n_finished) {
                let (sender, queue, stop) = (sender.clone(), &queue, &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed)
                        && let Some(((variant, run), share)) = queue.take()
                    {
                        let execution = Execution { isa, n_threads: share, interrupt: stop };
                        let result = self.execute(variant, run, execution);
                        queue.give_back(share);
                        if sender.send((variant, run, result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                let result = match receiver.recv_timeout(LOOK_PERIOD) {
                    Ok((variant, run, Ok(Some(finished)))) => {
                        self.file(variant, finished).map(|record| {
                            n_finished += 1;
                            let variant_of = &self.variants[variant];
                            let record = books.runs[variant][run].insert(record);
                            watch(&RunNews { variant: variant_of, record, n_finished, n_runs });
                        })
                    }
                    Ok((_, _, Ok(None))) | Err(RecvTimeoutError::Timeout) => Ok(()),
                    Ok((_, _, Err(error))) => Err(error.into()),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Err(error) = result {
                    failure.get_or_insert(error);
                }
                if failure.is_some() || interrupt.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        failure.map_or(Ok(n_finished == n_runs), Err)
    }

    /// The scenario of a run.
    fn scenario(&self, variant: &CampaignVariant, run: u32) -> AnyScenario {
        let mut scenario = variant.scenario.clone();
        scenario.set_seed(self.run_seed(run));
        scenario
    }

    /// Writes a run's product, and then its record, which marks the run as finished.
    fn file(
        &self,
        variant: usize,
        (record, product): (RunRecord, Product),
    ) -> Result<RunRecord, CampaignError> {
        let variant = &self.variants[variant];
        let write = |path: PathBuf, text: Result<String, io::Error>| match text {
            Ok(text) => write_whole(&path, &text).map_err(CampaignError::Folder),
            Err(error) => Err(CampaignError::Io { path, error }),
        };
        write(variant.product_path(record.run), Ok(product.text))?;
        write(
            record_path(&variant.folder, record.run),
            record.to_text().map_err(io::Error::other),
        )?;
        Ok(record)
    }
}

impl CampaignVariant {
    /// The controller or model that a finished run ended with.
    #[must_use]
    pub fn product_path(&self, run: u32) -> PathBuf {
        self.folder.join(format!("run-{run:04}-{}.ron", self.kind.name()))
    }
}

impl Books {
    /// How many runs are finished.
    #[must_use]
    pub fn n_finished(&self) -> usize {
        self.runs.iter().flatten().flatten().count()
    }
}

/// One run from random weights within the same evaluations. Seconds count only where nothing else limits a run.
fn one_run(stop: &Stop) -> Stop {
    let has_evaluations = stop.evaluations.is_some() || stop.descent_evaluations.is_some();
    Stop {
        target: None,
        descents: Some(1),
        seconds: stop.seconds.filter(|_| !has_evaluations),
        ..stop.clone()
    }
}

fn record_path(folder: &Path, run: u32) -> PathBuf {
    folder.join(format!("run-{run:04}.ron"))
}

#[cfg(test)]
mod tests;
