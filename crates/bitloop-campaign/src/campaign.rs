//! [`Campaign`]: many independent trainings of a scenario and its variants, for statistics.
//!
//! Training i of a campaign with root seed s is that of the scenario with the seed
//! `Stream(s, CampaignRun, i, 0).next_u64() >> 11` (53 bits, which every reader of JSON keeps): as in the paper's
//! sessions, each training draws its own episodes or split, of all sets, as well as its own random starts. It does not depend
//! on the variant, so that trainings of the same number meet the same episodes in each variant, nor on how many trainings there
//! are, so that a campaign can be made longer. `bitloop train --seed` with a training's seed and stopping rules repeats it.
//!
//! With folds, training i has the test part i modulo their number, and the order of rows is that of the first training of its round: the
//! test parts of a round are all rows, each once.
//!
//! A training is one run without restart and without a target, within the scenario's evaluations, unless the scenario's own
//! stopping rules are asked for. Trainings that are finished are files, and are not done again; those under way have
//! checkpoints, from which they are resumed. All but times and plant steps is the same for any number of threads, any interruption
//! and any division into shards; a budget in seconds excepted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bitloop_host::Registry;
use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{AnyScenario, ErrorMeaning, Fold, Stop};
use bitloop_train::{PlantAccess, ProductKind, TrainError, open_training};

use crate::error::CampaignError;
use crate::folder_names::folder_names;
use crate::portable::{inputs_digest, portable_digest};
use crate::records::Origin;
use crate::search_checkpoint::CHECKPOINT_PERIOD;
use crate::shard::Shard;
use crate::vary::Variant;

/// What a campaign is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CampaignOptions {
    /// Trainings of each variant.
    pub n_trainings: u32,
    /// Root of the trainings' seeds.
    pub seed: u64,
    /// Whether trainings follow the scenario's own stopping rules, restarts and target included.
    pub with_restarts: bool,
    /// Parts of the examples, each of which is the test of every so many trainings.
    pub n_folds: Option<u32>,
    /// Where finished trainings are kept: in the folder itself, or in one folder inside it for each variant of several.
    pub folder: PathBuf,
    /// The trainings to be done, of the whole ones; all if there is none.
    pub shard: Option<Shard>,
    /// Folders of earlier attempts at the same trainings, which are only read.
    pub earlier: Vec<PathBuf>,
    /// The command, as one would type it, without folders and the number of trainings, for saved controllers and models.
    pub command: String,
    /// Name of the scenario's file, without folders.
    pub scenario_name: String,
    /// Version of bitloop.
    pub bitloop_version: String,
}

/// A scenario whose trainings are counted together.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignVariant {
    /// The varied fields and their values; empty if nothing is varied.
    pub name: String,
    /// The scenario of its trainings, with the campaign's seed instead of theirs.
    pub scenario: AnyScenario,
    /// What its trainings end with.
    pub product_kind: ProductKind,
    /// What the errors of its trainings are, of examples; none in closed loop.
    pub error_meaning: Option<ErrorMeaning>,
    /// Digest of the plant's library, if it comes from one.
    pub plant_digest: Option<String>,
    /// What a user should know of the plant and its library.
    pub plant_notes: Vec<String>,
    /// Whether the plant's bits hold on one machine alone.
    pub(crate) has_machine_bits: bool,
    /// Where its finished trainings are kept.
    pub folder: PathBuf,
    /// The name of that folder inside the campaign's; empty if there is one variant.
    pub(crate) subfolder: String,
    /// Digest of the contents of the files that the scenario reads.
    inputs: Option<String>,
}

/// Independent trainings of one or several variants, checked and ready.
#[derive(Debug)]
pub struct Campaign {
    options: CampaignOptions,
    variants: Vec<CampaignVariant>,
    registry: Registry,
    /// Time from one checkpoint of a training to the next.
    checkpoint_period: Duration,
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
            if let Some(of) = options.n_folds {
                check_folds(&scenario, of, &options, &registry)?;
                set_fold(&mut scenario, Fold { index: 0, of }, None)?;
            }
            if !options.with_restarts {
                *scenario.stop_mut() = one_run(scenario.stop());
            }
            let training = open_training(&scenario, &PlantAccess::Here(&registry))?;
            let digest = scenario.digest();
            let same = checked.iter().find(|other| other.scenario.digest() == digest);
            if let Some(first) = same {
                return Err(CampaignError::SameVariant { first: first.name.clone(), second: name });
            }
            let inputs = inputs_digest(&scenario).map_err(|error| {
                let message = format!("a file of the scenario cannot be read: {error}");
                TrainError::File(scenario.source().error_at("", message, "does it still exist?"))
            })?;
            let subfolder = if is_alone { String::new() } else { folder };
            checked.push(CampaignVariant {
                name,
                scenario,
                product_kind: training.product_kind(),
                error_meaning: training.error_meaning(),
                plant_digest: training.library().map(|library| library.digest.clone()),
                plant_notes: training.plant_notes(),
                has_machine_bits: training.has_machine_bits(),
                folder: inside(&options.folder, &subfolder),
                subfolder,
                inputs,
            });
        }
        Ok(Self { options, variants: checked, registry, checkpoint_period: CHECKPOINT_PERIOD })
    }

    /// The same campaign, which writes into another folder, and reads none but that and those of earlier attempts.
    #[must_use]
    pub fn in_folder(mut self, folder: PathBuf) -> Self {
        for variant in &mut self.variants {
            variant.folder = inside(&folder, &variant.subfolder);
        }
        self.options.folder = folder;
        self
    }

    /// The same campaign, with another time between checkpoints than [`CHECKPOINT_PERIOD`].
    #[must_use]
    pub const fn with_checkpoint_period(mut self, period: Duration) -> Self {
        self.checkpoint_period = period;
        self
    }

    pub(crate) const fn checkpoint_period(&self) -> Duration {
        self.checkpoint_period
    }

    /// What it is to do.
    #[must_use]
    pub fn options(&self) -> &CampaignOptions {
        &self.options
    }

    /// The variants, in order.
    #[must_use]
    pub fn variants(&self) -> &[CampaignVariant] {
        &self.variants
    }

    /// Whether the errors of all variants are the same figure on the same scale, so that they can be compared.
    #[must_use]
    pub fn has_comparable_errors(&self) -> bool {
        let mut meanings = self.variants.iter().map(|variant| &variant.error_meaning);
        let first = meanings.next();
        meanings.all(|meaning| Some(meaning) == first)
    }

    /// Whether the bits of a variant's plant hold on one machine alone.
    #[must_use]
    pub fn has_machine_bits(&self) -> bool {
        self.variants.iter().any(|variant| variant.has_machine_bits)
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether a training is to be done here.
    pub(crate) fn has(&self, number: u32) -> bool {
        self.options.shard.is_none_or(|shard| shard.holds(number.into()))
    }

    /// The root seed of a training.
    #[must_use]
    pub fn seed_of(&self, number: u32) -> u64 {
        training_seed(self.options.seed, number)
    }

    /// Where the record of a training comes from.
    pub(crate) fn origin(&self, variant: &CampaignVariant, number: u32) -> Origin {
        Origin {
            bitloop_version: self.options.bitloop_version.clone(),
            work_digest: variant.digest_of(&self.scenario(variant, number)),
            plant_digest: variant.plant_digest.clone(),
        }
    }

    /// The scenario of a training.
    pub(crate) fn scenario(&self, variant: &CampaignVariant, number: u32) -> AnyScenario {
        let mut scenario = variant.scenario.clone();
        scenario.set_seed(self.seed_of(number));
        if let (Some(of), AnyScenario::Supervised(file)) = (self.options.n_folds, &mut scenario) {
            // The order of rows is that of the first training of the round.
            let seed = self.seed_of(number - number % of);
            file.value.set_fold(Fold { index: number % of, of }, Some(seed));
        }
        scenario
    }
}

impl CampaignVariant {
    /// The controller or model that a finished training ended with.
    #[must_use]
    pub fn product_path(&self, number: u32) -> PathBuf {
        self.folder.join(self.product_name(number))
    }

    pub(crate) fn product_name(&self, number: u32) -> String {
        format!("training-{number:04}-{}.ron", self.product_kind.name())
    }

    /// Where its trainings are kept in the folder of a campaign.
    pub(crate) fn folder_in(&self, campaign: &Path) -> PathBuf {
        inside(campaign, &self.subfolder)
    }

    /// The digest of a training's scenario that its record holds.
    pub(crate) fn digest_of(&self, scenario: &AnyScenario) -> String {
        portable_digest(scenario, self.inputs.as_deref())
    }
}

/// The root seed of a training of a campaign.
fn training_seed(seed: u64, number: u32) -> u64 {
    let mut stream = Stream::new(seed, Purpose::CampaignRun, u64::from(number), 0);
    stream.next_u64() >> 11
}

/// Checks that each fold of the first round can be trained: one may be left without rows. Rounds must be whole, so that
/// each fold is tested as often as the others, and have an order of rows each.
fn check_folds(
    scenario: &AnyScenario,
    of: u32,
    options: &CampaignOptions,
    registry: &Registry,
) -> Result<(), TrainError> {
    let refused = |message: String, hint: &str| {
        Err(TrainError::from(scenario.source().error_at("", message, hint)))
    };
    let n_trainings = options.n_trainings;
    if !n_trainings.is_multiple_of(of) {
        let message = format!("{n_trainings} trainings do not test each of {of} folds alike");
        return refused(message, "make --runs a multiple of --folds");
    }
    if let AnyScenario::Supervised(file) = scenario
        && n_trainings > of
        && file.value.has_fixed_order()
    {
        let message = "the order of rows is fixed, so that a second round has the same folds";
        return refused(message.to_owned(), "leave out --runs, or `order: File` and `split.seed`");
    }
    let seed = training_seed(options.seed, 0);
    for index in 0..of {
        let mut one = scenario.clone();
        set_fold(&mut one, Fold { index, of }, Some(seed))?;
        open_training(&one, &PlantAccess::Here(registry))?;
    }
    Ok(())
}

/// Makes one of several parts of the examples the test.
fn set_fold(scenario: &mut AnyScenario, fold: Fold, seed: Option<u64>) -> Result<(), TrainError> {
    let AnyScenario::Supervised(file) = scenario else {
        let message = "a scenario of a plant has no rows that make folds";
        return Err(scenario.source().error_at("", message, "leave out --folds").into());
    };
    file.value.set_fold(fold, seed);
    file.value.check().map_err(|problem| problem.place_in(&file.source))?;
    Ok(())
}

/// A folder inside another, or that one itself where there is no name.
fn inside(folder: &Path, name: &str) -> PathBuf {
    if name.is_empty() { folder.to_owned() } else { folder.join(name) }
}

/// One run within the same evaluations. Seconds count only where nothing else limits a run.
fn one_run(stop: &Stop) -> Stop {
    let has_evaluations = stop.evaluations.is_some() || stop.run_evaluations.is_some();
    Stop {
        target: None,
        refine: None,
        runs: Some(1),
        seconds: stop.seconds.filter(|_| !has_evaluations),
        ..stop.clone()
    }
}
