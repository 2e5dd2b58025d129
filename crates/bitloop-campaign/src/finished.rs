//! [`FinishedTrainings`]: the records of a campaign, as far as there are any.

use std::path::PathBuf;

use crate::campaign::{Campaign, CampaignVariant};
use crate::cost_file;
use crate::error::CampaignError;
use crate::queue::Place;
use crate::records::{Gathered, InFolder, Record, read_folder};
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
            let mut gathered = Gathered::new(TrainingRecord::NOUN);
            for source in std::iter::once(&options.folder).chain(&options.earlier) {
                let folder = variant.folder_in(source);
                let costs = cost_file::read(&folder);
                let wanted = |number| number < options.n_trainings && campaign.has(number);
                let expected = |number| campaign.origin(variant, number);
                for found in read_folder(&folder, wanted, expected, &mut damaged)? {
                    let InFolder { number, record, bits, path } = found;
                    if !gathered.has(number, &bits, &path)? {
                        let cost = costs.get(&number).copied();
                        gathered.add(number, TrainingRecord { cost, ..record }, bits, path.into());
                    }
                }
            }
            let mut of_variant = vec![None; options.n_trainings as usize];
            for (number, record) in gathered.into_values() {
                of_variant[number as usize] = Some(record);
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
