//! [`FinishedTrainings`]: the records of a campaign, as far as there are any.

use std::path::{Path, PathBuf};

use crate::campaign::{Campaign, CampaignVariant, record_name};
use crate::cost_file;
use crate::error::CampaignError;
use crate::queue::Place;
use crate::record_file::{Found, find};
use crate::training_record::TrainingRecord;

/// The finished trainings of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedTrainings {
    records: Vec<Vec<Option<TrainingRecord>>>,
    /// The numbers of the trainings that are to be done here.
    numbers: Vec<u32>,
    damaged: Vec<PathBuf>,
}

/// A training that has just finished.
#[derive(Clone, Copy, Debug)]
pub struct TrainingFinished<'a> {
    /// Its variant.
    pub variant: &'a CampaignVariant,
    /// Its result.
    pub record: &'a TrainingRecord,
    /// Finished trainings of all variants, this one and those of earlier calls included.
    pub n_finished: usize,
    /// Trainings of all variants.
    pub n_trainings: usize,
}

impl Campaign {
    /// The trainings that earlier calls have finished.
    ///
    /// # Errors
    /// A file in the place of a record that is no record of this campaign, or cannot be read.
    pub fn finished(&self) -> Result<FinishedTrainings, CampaignError> {
        FinishedTrainings::read(self)
    }
}

impl FinishedTrainings {
    /// The records in the folders of a campaign.
    fn read(campaign: &Campaign) -> Result<Self, CampaignError> {
        let mut damaged = Vec::new();
        let mut records = Vec::with_capacity(campaign.variants().len());
        let options = campaign.options();
        let numbers: Vec<u32> = (0..options.n_trainings).filter(|&n| campaign.has(n)).collect();
        for variant in campaign.variants() {
            let mut of_variant = vec![None; options.n_trainings as usize];
            for source in std::iter::once(&options.folder).chain(&options.earlier) {
                let folder = variant.folder_in(source);
                let costs = cost_file::read(&folder);
                for &number in &numbers {
                    let place = &mut of_variant[number as usize];
                    if place.is_none()
                        && let Some(record) =
                            read(campaign, variant, number, &folder, &mut damaged)?
                    {
                        let cost = costs.get(&number).copied();
                        *place = Some(TrainingRecord { cost, ..record });
                    }
                }
            }
            records.push(of_variant);
        }
        Ok(Self { records, numbers, damaged })
    }

    /// All trainings of a campaign, by variant and number.
    pub(crate) fn whole(records: Vec<Vec<Option<TrainingRecord>>>) -> Self {
        let n_numbers = records.first().map_or(0, Vec::len);
        let numbers = (0..).take(n_numbers).collect();
        Self { records, numbers, damaged: Vec::new() }
    }

    /// The records of each variant that are there, in order of their number.
    pub fn by_variant(&self) -> impl Iterator<Item = impl Iterator<Item = &TrainingRecord>> {
        self.records.iter().map(|records| records.iter().flatten())
    }

    /// The record of a training, if it is finished.
    #[must_use]
    pub fn get(&self, variant: usize, number: u32) -> Option<&TrainingRecord> {
        self.records.get(variant)?.get(number as usize)?.as_ref()
    }

    /// Records that are damaged, so that their trainings are done again.
    #[must_use]
    pub fn damaged(&self) -> &[PathBuf] {
        &self.damaged
    }

    /// How many trainings there are to be, of all variants.
    #[must_use]
    pub fn n_trainings(&self) -> usize {
        self.records.len() * self.numbers.len()
    }

    /// How many trainings are finished.
    #[must_use]
    pub fn n_finished(&self) -> usize {
        self.records.iter().flatten().flatten().count()
    }

    /// Whether all trainings are finished.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.n_finished() == self.n_trainings()
    }

    /// The trainings that are not finished, by number, then variant.
    pub(crate) fn missing(&self) -> Vec<Place> {
        let numbers = self.numbers.iter().map(|&number| number as usize);
        let places = numbers.flat_map(|number| (0..self.records.len()).map(move |v| (v, number)));
        places.filter(|&(variant, number)| self.records[variant][number].is_none()).collect()
    }

    pub(crate) fn insert(
        &mut self,
        (variant, number): Place,
        record: TrainingRecord,
    ) -> &TrainingRecord {
        self.records[variant][number].insert(record)
    }
}

/// The record of a training in a folder, if there is one; damaged ones are noted.
pub(crate) fn read(
    campaign: &Campaign,
    variant: &CampaignVariant,
    number: u32,
    folder: &Path,
    damaged: &mut Vec<PathBuf>,
) -> Result<Option<TrainingRecord>, CampaignError> {
    let path = folder.join(record_name(number));
    let message = match find(&path) {
        Err(error) => return Err(CampaignError::Io { path, error }),
        Ok(Found::Nothing) => return Ok(None),
        Ok(Found::Damaged) => {
            damaged.push(path);
            return Ok(None);
        }
        Ok(Found::Record(record)) => match difference(campaign, variant, number, &record) {
            None => return Ok(Some(*record)),
            Some(difference) => difference,
        },
        Ok(Found::Foreign) => "this is no training of a campaign".to_owned(),
        Ok(Found::OtherFormat(format)) => format!(
            "this training of a campaign is in format {format}, which another version of bitloop has written"
        ),
    };
    Err(CampaignError::NotOurs { path, message })
}

/// Why a record is not that of this campaign's training, if it is not.
fn difference(
    campaign: &Campaign,
    variant: &CampaignVariant,
    number: u32,
    record: &TrainingRecord,
) -> Option<String> {
    let version = &record.bitloop_version;
    if *version != campaign.options().bitloop_version {
        Some(format!("this training was made by bitloop {version}"))
    } else if record.number != number
        || record.scenario_digest != variant.digest_of(&campaign.scenario(variant, number))
    {
        Some("this is a training of another scenario, seed or kind of campaign".to_owned())
    } else if record.plant_digest != variant.plant_digest {
        Some("this training was made with another build of the plant".to_owned())
    } else {
        None
    }
}
