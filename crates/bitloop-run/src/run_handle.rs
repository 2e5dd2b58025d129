//! [`RunHandle`]: a training in its folder, ready to run.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bitloop_folder::{CheckpointWriter, FolderError, Provenance, RunFolder, WriterNews};
use bitloop_plant::Isa;
use bitloop_scenario::AnyScenario;
use bitloop_train::{
    Event, Execution, Outcome, Product, Progress, SaveInfo, StopReason, TrainError, Training,
    TrainingState,
};

use crate::error::RunError;
use crate::product_file;
use crate::recorder::RunRecorder;
use crate::result::TrainingResult;

/// A training in its folder, ready to run.
#[derive(Debug)]
pub struct RunHandle {
    pub(crate) file: PathBuf,
    pub(crate) scenario: AnyScenario,
    pub(crate) training: Box<dyn Training>,
    pub(crate) folder: RunFolder,
    pub(crate) provenance: Provenance,
    pub(crate) state: TrainingState,
    pub(crate) log_bytes: u64,
    pub(crate) notes: Vec<String>,
    pub(crate) is_isolated: bool,
}

/// How a run is carried out; none of it changes the result.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// Instruction set, threads, and what interrupts the training.
    pub execution: Execution<'a>,
    /// The longest time between two checkpoints, which are written beside the search.
    pub checkpoint_every: Duration,
}

impl RunOptions<'static> {
    /// With the fastest instruction set on so many threads, a checkpoint each 10 s, and no interrupt.
    #[must_use]
    pub fn on(n_threads: NonZeroUsize) -> Self {
        let execution = Execution::uninterrupted(Isa::best(), n_threads);
        Self { execution, checkpoint_every: Duration::from_secs(10) }
    }
}

/// What an observer of a run is shown.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// The training continued.
    Progress(&'a Progress<'a>),
    /// The training is about to end before it is finished; whether what it needs to be resumed is saved.
    Pausing(StopReason, Result<(), &'a FolderError>),
    /// A checkpoint or the log could not be written, in words; the training continues, and tries again.
    SavingFailed(String),
    /// It works again.
    SavingWorks,
}

/// How a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// With a controller or a model.
    Trained(Box<Trained>),
    /// It was cut off before it had found anything.
    NothingYet {
        /// What prevented that its state was saved, if something did.
        saved: Result<(), FolderError>,
    },
}

/// What a run has left.
#[derive(Debug)]
pub struct Trained {
    /// What was trained.
    pub training: Box<dyn Training>,
    /// Its result.
    pub outcome: Outcome,
    /// The controller or model.
    pub product: Product,
    /// Its file.
    pub path: PathBuf,
    /// The file that an earlier product was moved to, which had the same name.
    pub moved: Option<PathBuf>,
    /// What `result.json` holds, unless the training was interrupted.
    pub result: TrainingResult,
    /// What prevented that the result was written, which makes the training a finished one.
    pub finished: Result<(), FolderError>,
    /// What prevented that the last of the log or of the checkpoints was written.
    pub saved: Result<(), FolderError>,
}

impl RunHandle {
    /// The file that messages about the scenario name.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The scenario.
    #[must_use]
    pub const fn scenario(&self) -> &AnyScenario {
        &self.scenario
    }

    /// What is trained.
    #[must_use]
    pub fn training(&self) -> &dyn Training {
        &*self.training
    }

    /// The state that the run starts with.
    #[must_use]
    pub const fn state(&self) -> &TrainingState {
        &self.state
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What the user should know before it runs.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        self.training.plant_notes().into_iter().chain(self.notes.clone())
    }

    /// Trains to the end, or until it is interrupted, and saves the best.
    ///
    /// # Errors
    /// The log cannot be opened, the plant breaks, no candidate has a finite error, or the product cannot be written.
    pub fn run(
        self,
        options: RunOptions<'_>,
        observer: &mut dyn FnMut(&RunEvent<'_>),
    ) -> Result<RunEnd, RunError> {
        let RunOptions { execution, checkpoint_every } = options;
        let Self { file, scenario, training, folder, provenance, state, log_bytes, .. } = self;
        let writer =
            CheckpointWriter::start(&folder, provenance.clone(), log_bytes, checkpoint_every)?;
        let mut recorder = RunRecorder::new(writer, self.is_isolated);
        let outcome = training.train(state, execution, &mut |progress| {
            observer(&RunEvent::Progress(progress));
            let news = recorder.record(progress);
            if let Event::Pausing(reason) = progress.event {
                observer(&RunEvent::Pausing(reason, recorder.paused()));
            }
            for news in news {
                observer(&match news {
                    WriterNews::Failed(error) => RunEvent::SavingFailed(error),
                    WriterNews::Recovered => RunEvent::SavingWorks,
                });
            }
        });
        let saved = recorder.close(outcome.is_ok());
        let outcome = match outcome {
            Ok(Some(outcome)) => outcome,
            Ok(None) => return Ok(RunEnd::NothingYet { saved }),
            Err(TrainError::Isolation(error)) => return Err(RunError::PlantLost { error, saved }),
            Err(TrainError::Plant(error)) => return Err(RunError::PlantBroke { error, saved }),
            Err(error) => return Err(RunError::training(&file, error)),
        };
        if outcome.stop_reason != StopReason::Interrupted && !outcome.best.merit().is_finite() {
            let (n_evaluations, n_faults) = (outcome.n_evaluations, outcome.n_faults);
            let fault = training.diagnose(&outcome.best, execution);
            return Err(RunError::NothingFinite { n_evaluations, n_faults, fault });
        }
        let Provenance { command, scenario_name, bitloop_version, .. } = provenance;
        let info = SaveInfo { command, scenario_name, bitloop_version };
        let product = training.product(&outcome, info).map_err(|problem| RunError::InTheWay {
            path: folder.path().to_owned(),
            message: problem.to_string(),
            hint: problem.hint.clone(),
        })?;
        let (path, moved) = product_file::save(&folder, &product)?;
        let result = TrainingResult::new(&*training, &outcome, &product, &path, scenario.seed());
        let finished = match outcome.stop_reason {
            // What was interrupted is not finished.
            StopReason::Interrupted => Ok(()),
            _ => result.write(&folder),
        };
        Ok(RunEnd::Trained(Box::new(Trained {
            training,
            outcome,
            product,
            path,
            moved,
            result,
            finished,
            saved,
        })))
    }
}
