//! Merging: the trainings of shards become the folder of the campaign in one piece.
//!
//! Trainings are looked for in all folders, whatever shard they come from, so that shards of several divisions and
//! the folder of a campaign in one piece go together. A training that is there more than once must be the same each time.
//! No time is compared. Nothing is written before all is found and sound.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use bitloop_folder::FolderError;
use bitloop_scenario::AnySaved;

use crate::campaign::{Campaign, CampaignVariant};
use crate::cost_file;
use crate::error::CampaignError;
use crate::finished::FinishedTrainings;
use crate::records::{self, Gathered, InFolder, Record, read_folder};
use crate::training_record::TrainingRecord;

/// Why shards cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Trainings are in none of the folders.
    #[error("{} of {} trainings are missing, the first is {}training {}", .missing.len(), .n_trainings, named(&.missing[0].0), .missing[0].1)]
    Missing {
        /// The name of the variant and the number of each, in order.
        missing: Vec<(String, u32)>,
        /// How many there are to be.
        n_trainings: usize,
        /// Files that are damaged, so that their trainings count as missing.
        damaged: Vec<PathBuf>,
    },
    /// A folder holds something else, or cannot be read or written.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
}

impl MergeError {
    /// The numbers of the trainings that are missing.
    #[must_use]
    pub fn numbers(&self) -> BTreeSet<u64> {
        match self {
            Self::Missing { missing, .. } => missing.iter().map(|&(_, n)| n.into()).collect(),
            Self::Campaign(_) => BTreeSet::new(),
        }
    }
}

/// All trainings of a campaign, each in one of several folders.
#[derive(Debug)]
pub struct Merged<'a> {
    campaign: &'a Campaign,
    /// For each variant its trainings, in order.
    places: Vec<Vec<Place>>,
    damaged: Vec<PathBuf>,
}

/// Where a training is, and its record.
#[derive(Debug)]
struct Place {
    folder: PathBuf,
    record: TrainingRecord,
}

impl Campaign {
    /// Finds all trainings in the folders of campaigns or shards.
    ///
    /// # Errors
    /// Trainings that are missing, contradict each other, or belong to another campaign, version, plant or kind of file.
    pub fn merge(&self, sources: &[PathBuf]) -> Result<Merged<'_>, MergeError> {
        let mut merged = Merged { campaign: self, places: Vec::new(), damaged: Vec::new() };
        let mut missing = Vec::new();
        for variant in self.variants() {
            let found = merged.find(variant, sources)?;
            let numbers = 0..self.options().n_trainings;
            let absent = numbers.filter(|number| !found.contains_key(number));
            missing.extend(absent.map(|number| (variant.name.clone(), number)));
            merged.places.push(found.into_values().collect());
        }
        if missing.is_empty() {
            return Ok(merged);
        }
        // By number, as shards are.
        missing.sort_by_key(|(_, number)| *number);
        let n_trainings = self.variants().len() * self.options().n_trainings as usize;
        Err(MergeError::Missing { missing, n_trainings, damaged: merged.damaged })
    }
}

impl Merged<'_> {
    /// Files that are damaged; their trainings were found elsewhere.
    #[must_use]
    pub fn damaged(&self) -> &[PathBuf] {
        &self.damaged
    }

    /// The trainings.
    #[must_use]
    pub fn finished(&self) -> FinishedTrainings {
        let of_variant =
            |places: &Vec<Place>| places.iter().map(|place| Some(place.record.clone())).collect();
        FinishedTrainings::whole(self.places.iter().map(of_variant).collect())
    }

    /// Copies all trainings into the folder of a campaign.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn write(&self, folder: &Path) -> Result<(), CampaignError> {
        for (variant, places) in self.campaign.variants().iter().zip(&self.places) {
            let folder = variant.folder_in(folder);
            records::make_folder(&folder)?;
            let mut costs = String::new();
            for (number, place) in (0..).zip(places) {
                for name in [variant.product_name(number), TrainingRecord::name(number)] {
                    let (from, to) = (place.folder.join(&name), folder.join(&name));
                    fs::copy(&from, &to).map_err(|error| FolderError::write(&to, error))?;
                }
                if let Some(cost) = place.record.cost {
                    let line = cost_file::line(number, cost);
                    costs += &line.map_err(|error| FolderError::write(&folder, error))?;
                    costs.push('\n');
                }
            }
            let path = folder.join(cost_file::COSTS);
            fs::write(&path, costs).map_err(|error| FolderError::write(&path, error))?;
        }
        Ok(())
    }

    /// Finds the trainings of a variant, by their number.
    fn find(
        &mut self,
        variant: &CampaignVariant,
        sources: &[PathBuf],
    ) -> Result<BTreeMap<u32, Place>, CampaignError> {
        let campaign = self.campaign;
        let mut gathered = Gathered::new(TrainingRecord::NOUN);
        for source in sources {
            let folder = variant.folder_in(source);
            let costs = cost_file::read(&folder);
            let wanted = |number| number < campaign.options().n_trainings;
            let expected = |number| campaign.origin(variant, number);
            for found in read_folder(&folder, wanted, expected, &mut self.damaged)? {
                let InFolder { number, record, bits, path }: InFolder<TrainingRecord> = found;
                if gathered.has(number, &bits, &path)? {
                    continue;
                }
                let product = folder.join(variant.product_name(number));
                match AnySaved::read(&product) {
                    Ok(saved) if saved.digest() == record.product_digest => {
                        let record = TrainingRecord { cost: costs.get(&number).copied(), ..record };
                        let place = Place { folder: folder.clone(), record };
                        gathered.add(number, place, bits, path.into());
                    }
                    _ => self.damaged.push(product),
                }
            }
        }
        Ok(gathered.into_values().collect())
    }
}

/// A variant's name before that of a training.
fn named(variant: &str) -> String {
    if variant.is_empty() { String::new() } else { format!("{variant} ") }
}
